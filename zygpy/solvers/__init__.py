"""What solvers of SciPy find - roots, minima, integrals, trajectories - as functions of what they depend on.

The modules here are programs over `pullback`, and are differentiated like a user's. Each is imported once a
program has imported the part of SciPy that it is about.
"""
