"""core + facts -> pair: the forward and the adjoint function."""
