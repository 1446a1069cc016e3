"""The tests of zygpy."""
