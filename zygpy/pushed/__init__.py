"""Tangents that are found when the code runs: what is known of things then is done to them, and to what is
beside them."""
