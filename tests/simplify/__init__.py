"""Tests of the rewrites: one pair in, one pair out."""
