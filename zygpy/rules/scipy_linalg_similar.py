"""Rules of Hessenberg's form and of balanced matrices of `scipy.linalg`, and of what programs for its factors
have in common."""

from __future__ import annotations

import scipy.linalg as sl

from zygpy.rules.declare import non_differentiable, stands_for
from zygpy.runtime import scipy_blocks as blocks
from zygpy.runtime import scipy_similar as similar
from zygpy.runtime import scipy_told as told

stands_for(sl.hessenberg, similar.hessenberg)
stands_for(sl.matrix_balance, similar.matrix_balance)
stands_for(sl.ldl, blocks.ldl)
non_differentiable(told.check_found, told.check_nonzero, kind="none")
non_differentiable(told.check_separate, told.check_phases, kind="none")
non_differentiable(told.norm_of, told.rounding, kind="scalar")
non_differentiable(similar.signs, similar.scaling, kind="array")
non_differentiable(blocks.blocks, kind="list")
