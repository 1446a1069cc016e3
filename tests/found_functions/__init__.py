"""Functions that programs find in tables, lists and objects, and what these change."""
