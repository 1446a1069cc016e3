"""Whether, and how many times, the running code is being differentiated."""

from __future__ import annotations

from zygpy.rules import declare
from zygpy.runtime.levels import present_level

__all__ = ["isderiving", "nestlevel"]


def nestlevel() -> int:
    """How many levels of differentiation the running code is in: 0 in a plain call.

    Examples
    --------
    >>> import zygpy as zg
    >>> def f(x):
    ...     print(zg.nestlevel())
    ...     return x
    >>> f(1.0), zg.gradient(f, 1.0), zg.gradient(lambda x: x * zg.gradient(f, x)[0], 1.0)
    0
    1
    2
    (1.0, (1.0,), (1.0,))
    """
    return present_level()


def isderiving() -> bool:
    """Whether the running code is being differentiated.

    >>> import zygpy as zg
    >>> zg.isderiving(), zg.gradient(lambda x: 2 * x if zg.isderiving() else x, 1.0)
    (False, (2.0,))
    """
    return present_level() > 0


declare.non_differentiable(nestlevel, kind="int")
declare.non_differentiable(isderiving, kind="bool")
