"""text -> functions: compiling, finding again what was derived, and checking that it still holds."""
