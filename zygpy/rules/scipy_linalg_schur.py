"""Rules of Schur's form of `scipy.linalg`."""

from __future__ import annotations

import scipy.linalg as sl

from zygpy.rules.declare import library, non_differentiable, rule, stands_for
from zygpy.runtime import scipy_schur as schurs

library("schurs", schurs)

stands_for(sl.schur, schurs.schur)
stands_for(sl.rsf2csf, schurs.rsf2csf)
rule(
    schurs.decomposed,
    "y = decomposed(a, t, z)",
    a_bar="schurs.decomposed_cotangent(y, y_bar)",
    kind="two arrays",
    at="refused where eigenvalues are equal, and for what depends on phases of complex vectors",
    source="G. H. Golub and C. F. Van Loan, Matrix Computations (2013), section 7.6",
)
non_differentiable(schurs.places_of, schurs.difference, kind="array")
non_differentiable(schurs.blocks_of, kind="list")
non_differentiable(schurs.is_free, schurs.is_block, kind="bool")
