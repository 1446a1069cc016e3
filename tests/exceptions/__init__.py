"""Exceptions that carry what is differentiated."""
