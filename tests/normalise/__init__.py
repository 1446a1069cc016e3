"""Tests of normalise, with an interpreter of the core language as their reference."""
