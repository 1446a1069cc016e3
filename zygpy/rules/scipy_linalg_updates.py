"""Rules of QR factors of `scipy.linalg` that are multiplied, or those of a matrix that is changed."""

from __future__ import annotations

import scipy.linalg as sl

from zygpy.rules.declare import library, non_differentiable, rule, stands_for
from zygpy.runtime import scipy_updates as updates

library("updates", updates)

stands_for(sl.qr_multiply, updates.qr_multiply)
stands_for(sl.qr_update, updates.qr_update)
stands_for(sl.qr_insert, updates.qr_insert)
stands_for(sl.qr_delete, updates.qr_delete)
rule(
    updates.told_by_matrix,
    "y = told_by_matrix(q, r)",
    q_bar="updates.told_cotangents(q, r, y_bar)[0]",
    r_bar="updates.told_cotangents(q, r, y_bar)[1]",
    kind="two arrays",
    at="refused for what depends on complex phases, or on columns beside the range",
)
non_differentiable(updates.check_alone, updates.check_turns, kind="none")
non_differentiable(updates.turning, kind="array")
