"""Rules of the `cmath` module: functions of one complex number, all but a few holomorphic."""

from __future__ import annotations

import cmath
from collections.abc import Callable
from typing import Any

from zygpy.rules.declare import non_differentiable, rule
from zygpy.runtime.complexes import per_complex_log, turned


def _holomorphic(function: Callable[..., Any], z_bar: str, *, at: str = "", domain: str = "") -> None:
    z_dot = z_bar.replace("conj", "")  # the derivative itself
    call = f"y = {function.__name__}(z)"
    rule(function, call, z_bar=z_bar, z_dot=z_dot, kind="complex", at=at, domain=domain)


_holomorphic(cmath.exp, "y_bar * conj(y)")
_holomorphic(cmath.sqrt, "divided(y_bar, 2 * conj(y))", at="infinite at 0", domain="z > 0")
_holomorphic(cmath.log10, "y_bar / conj(z * math.log(10))", domain="z > 0")
_holomorphic(cmath.sin, "y_bar * conj(cmath.cos(z))")
_holomorphic(cmath.cos, "-y_bar * conj(cmath.sin(z))")
_holomorphic(cmath.tan, "y_bar * conj(1 + y * y)", domain="-1.4 < z < 1.4")
_holomorphic(cmath.asin, "divided(y_bar, conj(cmath.cos(y)))", at="infinite at -1 and 1", domain="-1 < z < 1")
_holomorphic(
    cmath.acos, "divided(-y_bar, conj(cmath.sin(y)))", at="infinite at -1 and 1", domain="-1 < z < 1"
)
_holomorphic(cmath.atan, "y_bar / conj(1 + z * z)")
_holomorphic(cmath.sinh, "y_bar * conj(cmath.cosh(z))")
_holomorphic(cmath.cosh, "y_bar * conj(cmath.sinh(z))")
_holomorphic(cmath.tanh, "y_bar * conj(1 - y * y)")
_holomorphic(cmath.asinh, "divided(y_bar, conj(cmath.cosh(y)))", at="infinite at -1j and 1j")
_holomorphic(cmath.acosh, "divided(y_bar, conj(cmath.sinh(y)))", at="infinite at 1", domain="z > 1")
_holomorphic(cmath.atanh, "y_bar / conj(1 - z * z)", domain="-1 < z < 1")
rule(
    cmath.log,
    "y = log(z, base=None)",
    z_bar="per_complex_log(y_bar / conj(z), base)",
    base_bar="-conj(y) * per_complex_log(y_bar / conj(base), base)",
    z_dot="conj(per_complex_log(conj(y_bar / z), base))",
    base_dot="-y * conj(per_complex_log(conj(y_bar / base), base))",
    kind="complex",
    domain="z > 0, base > 1",
)
_TURN = "(y_bar * conj(turned(1.0, z))).real"
rule(
    cmath.phase,
    "y = phase(z)",
    z_bar="turned(y_bar, z)",
    z_dot=_TURN,
    kind="float",
    at="0 for real numbers",
)
rule(
    cmath.polar,
    "y = polar(z)",
    z_bar="times(part(y_bar, 0), unit(z)) + turned(part(y_bar, 1), z)",
    z_dot=f"((y_bar * conj(unit(z))).real, {_TURN})",
    kind="tuple",
    at="0 at 0",
)
rule(
    cmath.rect,
    "y = rect(r, phi)",
    r_bar="(y_bar * conj(cmath.rect(1.0, phi))).real",
    phi_bar="(y_bar * conj(1j * y)).real",
    r_dot="y_bar * cmath.rect(1.0, phi)",
    phi_dot="y_bar * 1j * y",
    kind="complex",
)
non_differentiable(cmath.isclose, cmath.isfinite, cmath.isinf, cmath.isnan, kind="bool")

rule(
    per_complex_log,
    "y = per_complex_log(value, base)",
    value_bar="conj(per_complex_log(conj(y_bar), base))",
    base_bar="-conj(y_bar) * per_complex_log(y, base) / conj(base)",
    value_dot="per_complex_log(y_bar, base)",
    base_dot="-conj(y_bar) * per_complex_log(y, base) / conj(base)",
    kind="unknown",
)
rule(
    turned,
    "y = turned(g, z)",
    g_bar="(y_bar * conj(turned(1.0, z))).real",
    z_bar="-conj(y_bar) * divided(y, conj(z))",
    g_dot="y_bar * turned(1.0, z)",
    z_dot="-conj(y_bar) * divided(y, conj(z))",
    kind="unknown",
    at="0 for real numbers",
)
