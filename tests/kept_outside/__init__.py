"""What programs keep in things that others find, and read again."""
