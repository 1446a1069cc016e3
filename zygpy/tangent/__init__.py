"""A program and the facts about it -> its tangent function: the program itself, and beside every statement
through which a derivative goes the one that pushes the tangent forward."""
