"""Objects that others find by a name, handed about before a method of theirs keeps what is active."""
