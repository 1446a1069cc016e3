"""Writes into what may be an array, a number or something else, as far as the derivation knows."""
