"""Generated text as it is, for review like code."""
