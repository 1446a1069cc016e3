"""What generated code calls; it needs NumPy and nothing else of zygpy."""
