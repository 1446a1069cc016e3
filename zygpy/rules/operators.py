"""Rules of Python's operators: of the functions in `operator`, and so of `a + b` on any numbers.

No float constant appears here, so that exact numbers stay exact. On arrays that may hold zeros the
rules of `np.divide` and `np.power` say what holds there; these are for numbers, whose `/` raises.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from zygpy.rules.declare import alias, elementwise, non_differentiable, zero_gradient

elementwise(operator.add, "y = a + b", a_bar="y_bar", b_bar="y_bar", kind="operator +")
elementwise(operator.sub, "y = a - b", a_bar="y_bar", b_bar="-y_bar", kind="operator -")
elementwise(operator.mul, "y = a * b", a_bar="y_bar * conj(b)", b_bar="y_bar * conj(a)", kind="operator *")
elementwise(
    operator.truediv,
    "y = a / b",
    a_bar="y_bar / conj(b)",
    b_bar="-(y_bar / conj(b) * conj(y))",
    kind="operator /",
    domain="b > 0",
)
elementwise(operator.neg, "y = -x", x_bar="-y_bar", kind="operator -")
elementwise(operator.pos, "y = +x", x_bar="y_bar", kind="operator +")
elementwise(
    operator.pow,
    "y = a ** b",
    a_bar="power_base(y_bar, a, b)",
    b_bar="power_exponent(y_bar, a, b)",
    at="an exactly zero derivative gives 0 whatever comes in; by the exponent 0 at a == 0, and for a < 0"
    " and a real power the derivative of the real part",
    kind="operator **",
    domain="a > 0",
)
elementwise(
    operator.mod,
    "y = a % b",
    a_bar="y_bar",
    b_bar="-times(y_bar, a // b)",
    kind="operator %",
    domain="a > 0, b > 2",
)
elementwise(operator.abs, "y = abs(x)", x_bar="times(y_bar, unit(x))", kind="size x", at="0 where x == 0")
zero_gradient(operator.floordiv, "y = a // b", wrt="a, b", kind="operator //")

non_differentiable(
    operator.and_,
    operator.or_,
    operator.xor,
    operator.invert,
    operator.lshift,
    operator.rshift,
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
    operator.eq,
    operator.ne,
)
non_differentiable(operator.not_, operator.truth, operator.is_, operator.is_not, kind="bool")
non_differentiable(operator.contains, kind="bool")
non_differentiable(operator.countOf, operator.indexOf, operator.index, operator.length_hint, kind="int")

_SAME: dict[Callable[..., Any], Callable[..., Any]] = {
    operator.iadd: operator.add,
    operator.isub: operator.sub,
    operator.imul: operator.mul,
    operator.itruediv: operator.truediv,
    operator.ifloordiv: operator.floordiv,
    operator.imod: operator.mod,
    operator.ipow: operator.pow,
    operator.inv: operator.invert,
    operator.iand: operator.and_,
    operator.ior: operator.or_,
    operator.ixor: operator.xor,
    operator.ilshift: operator.lshift,
    operator.irshift: operator.rshift,
}
for _in_place, _plain in _SAME.items():
    alias(_in_place, _plain)
