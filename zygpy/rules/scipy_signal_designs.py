"""Programs for filters that `scipy.signal` designs, and for linear systems."""

from __future__ import annotations

from typing import Any

import scipy.signal as ss

from zygpy.ir.kinds import List, Row, Tuple
from zygpy.rules.declare import non_differentiable, stands_for
from zygpy.runtime import signal_designs as designs
from zygpy.runtime import signal_substitutions as substitutions
from zygpy.runtime import signal_systems as systems

for _module, _names in (
    (designs, ("iirfilter", "butter", "cheby1", "cheby2", "ellip", "bessel", "cheb1ap", "cheb2ap")),
    (designs, ("lp2lp_zpk", "lp2hp_zpk", "lp2bp_zpk", "lp2bs_zpk", "bilinear_zpk")),
    (designs, ("zpk2tf", "zpk2sos", "tf2sos")),
    (substitutions, ("lp2lp", "lp2hp", "lp2bp", "lp2bs", "bilinear", "normalize")),
    (systems, ("abcd_normalize", "ss2tf", "freqs", "freqs_zpk")),
):
    for _name in _names:
        stands_for(getattr(ss, _name), getattr(_module, _name))


def _of_arrays(program: Any) -> Any:
    """Choose a program for systems that are given as tuples or lists of arrays, not as objects."""
    return lambda kinds, names: program if kinds and isinstance(kinds[0], Tuple | List | Row) else None


for _name in ("cont2discrete", "freqresp", "bode", "lsim", "impulse", "step"):
    _program = getattr(systems, _name)
    stands_for(getattr(ss, _name), _program, choose=_of_arrays(_program))

non_differentiable(designs.degree, kind="int")
non_differentiable(designs.order_of, kind="array")
non_differentiable(designs.parted, kind="unknown")
non_differentiable(
    substitutions.check_leading, systems.check_plot, systems.check_method, systems.check_told, kind="none"
)
