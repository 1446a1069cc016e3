"""Rules of functions of `scipy.special` that give whole tables, which programs stand for.

Source of the formulas: DLMF 14.2.2 (Legendre's equation) and 12.2.2 (that of the parabolic cylinder).
"""

from __future__ import annotations

import scipy.special as sc

from zygpy.rules.declare import library, non_differentiable, rule, stands_for
from zygpy.rules.scipy_special_words import ORDER, along_parts, of_parts
from zygpy.runtime import special_tables as tables

library("tables", tables)

for _name in (
    "lmbda", "lqn", "lqmn", "pbdv_seq", "pbvv_seq", "pbdn_seq", "legendre_p_all", "assoc_legendre_p_all",
    "sph_legendre_p_all", "sph_harm_y_all",
):  # fmt: skip
    if hasattr(sc, _name):
        stands_for(getattr(sc, _name), getattr(tables, _name))

_DEGREE, _SQUARE = "tables.degree(y[0], orders)", "tables.square(y[0], orders)"
_BEND = f"(2 * z * y[1] - ({_DEGREE} * ({_DEGREE} + 1) - {_SQUARE} / (1 - z * z)) * y[0]) / (1 - z * z)"
rule(
    tables.second_kind,
    "y = second_kind(orders, z)",
    z_bar=f"unbroadcast({of_parts('y[1]', _BEND)}, shape(z))",
    z_dot=along_parts("y[1]", _BEND),
    refused={"orders": ORDER},
    kind="tuple",
)
_WAVE = "(x * x / 4 - tables.order(y[0], v) - 0.5) * y[0]"
rule(
    tables.parabolic,
    "y = parabolic(name, v, x)",
    x_bar=f"unbroadcast({of_parts('y[1]', _WAVE)}, shape(x))",
    x_dot=along_parts("y[1]", _WAVE),
    refused={"v": ORDER},
    kind="tuple",
)
non_differentiable(tables.degree, tables.square, tables.order, tables.weights, kind="array")
non_differentiable(tables.degrees, kind="unknown")
non_differentiable(tables.check_sign, tables.check_table, tables.check_order, kind="none")
