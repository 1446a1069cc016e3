"""Functions of published libraries, by field, and a table of them; needs the extra `libraries`."""
