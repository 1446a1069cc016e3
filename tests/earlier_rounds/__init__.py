"""Things that one round of a loop makes and a later one keeps, changes or reads."""
