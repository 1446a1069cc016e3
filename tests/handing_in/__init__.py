"""What a function changes in things that it is given in other things."""
