"""The core language, kinds and trees: the vocabulary that the stages share."""
