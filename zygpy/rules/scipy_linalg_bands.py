"""Rules of matrices of `scipy.linalg` that are given by their diagonals, and of functions of eigenvalues."""

from __future__ import annotations

import scipy.linalg as sl

from zygpy.rules.declare import library, non_differentiable, rule, stands_for
from zygpy.runtime import scipy_bands as bands
from zygpy.runtime import scipy_spectral as spectral

library("bands", bands)

stands_for(sl.eig_banded, bands.eig_banded)
stands_for(sl.eigvals_banded, bands.eigvals_banded)
stands_for(sl.cholesky_banded, bands.cholesky_banded)
stands_for(sl.cho_solve_banded, bands.cho_solve_banded)
stands_for(sl.funm, spectral.funm)
stands_for(sl.pinvh, spectral.pinvh)
rule(
    bands.free_of_phases,
    "y = free_of_phases(vectors)",
    vectors_bar="bands.free_of_phases_cotangent(vectors, y_bar)",
    kind="array",
    at="refused for what depends on phases of complex vectors",
)
non_differentiable(bands.phases, kind="array")
