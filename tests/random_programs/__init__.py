"""Random programs of everything that plain Python does with data, against differences of plain calls.

`program.py` writes a program from a seed; the modules named for a family of features (`numbers`, `arrays`,
`containers`, ...) each register the statements and expressions of that family in `grammar.py`, and a
program combines what a few families have. `run.py` judges one program, `shrink.py` makes a wrong one small,
and `python -m tests.random_programs` judges many.
"""
