"""Tests of what solvers of SciPy find."""
