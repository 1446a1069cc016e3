"""Bodies of functions that run in place of their calls."""
