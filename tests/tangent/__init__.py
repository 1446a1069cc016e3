"""Tests of forward mode."""
