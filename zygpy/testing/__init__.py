"""Checking a gradient against numerical differences that know nothing of zygpy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import zygpy
from zygpy.errors import missing_rule
from zygpy.testing.check import Engine, check
from zygpy.testing.compare import GradientMismatch, Settings

__all__ = ["GradientMismatch", "check_gradient", "check_rule"]


def check_gradient(
    f: Callable[..., Any],
    *args: Any,
    order: int = 1,
    rtol: float | None = None,
    atol: float | None = None,
    seed: int = 0,
) -> None:
    """Compare the gradient of `f` at `args` with finite differences; raise where they differ.

    Args:
        f: the function. Its result is a real or complex number, an array, or a nested tuple, list,
            dict or object of them; anything but a real number is reduced to one by a fixed random
            linear functional.
        *args: numbers, arrays, and what holds them are varied: nested tuples, lists, dicts, queues,
            arrays of objects, objects of classes written in Python (dataclasses, frozen ones, and
            slots included) by their fields, bound methods and partial objects by what they carry, and
            functions by what they have captured. Anything else (strings, None, bools, enumerations, other
            functions, functions with rules of their own, objects of the standard library) is held
            fixed. `f` gets a copy every time, so it may write to them; what is one thing in several
            places is one thing in the copy, is varied as one, and has the sum of the gradients that
            are given there. An integer whose gradient is None is taken for a count or an index and
            held fixed too.
        order: 2 also checks the gradient of a random linear functional of the gradient.
        rtol: relative tolerance; 1e-6, or 1e-3 where float32 takes part: there the same is compared once
            more with arguments of double precision, by 1e-4, if the function takes these and gives a result
            of double precision. (Where it does not, smaller errors are not seen.)
        atol: absolute tolerance, in units of the largest derivative where that exceeds one.
        seed: of the random functional, directions and samples.

    Up to 64 entries of an argument are checked one by one; of larger ones a sample of entries and
    random directions. The error of the differences, which is estimated along with them, is added to
    the tolerance. Also checked: the value is bit for bit that of a plain call; `back` gives the
    same when called twice and does not write to the arguments; types, shapes and dtypes are those
    of the arguments; and no cotangent that `back` gives is less precise than all arguments and the result.

    Raises:
        GradientMismatch: naming the argument (`0['k'][1].weight` is a field of what the first one
            holds), the index, both numbers and the seed.

    >>> import numpy as np
    >>> from zygpy.testing import check_gradient
    >>> check_gradient(lambda x, n: np.sum(x**n), np.array([0.5, 1.5]), 3, order=2)
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Line:
    ...     slope: float
    ...     start: float
    >>> check_gradient(lambda line, x: line.start + line.slope * x, Line(2.0, 0.5), 3.0)
    """
    settings = Settings(order=order, rtol=rtol, atol=atol, seed=seed)
    check(Engine(zygpy.pullback, zygpy.gradient), f, args, settings)


def check_rule(
    f: Callable[..., Any],
    *args: Any,
    order: int = 2,
    rtol: float | None = None,
    atol: float | None = None,
    seed: int = 0,
) -> None:
    """Check the rule that is declared for a function, on these arguments, as `check_gradient` does.

    What `gradient` would convert is looked at before: a cotangent of float32 where arguments and result
    are float64, or of float64 where they are float32, is one of the wrong dtype. (Imaginary parts of a
    cotangent for a real argument are dropped, and count as nothing.)

    Raises:
        MissingRuleError: if no rule holds for such a call.
        GradientMismatch: where the rule's gradient, or with `order=2` the gradient of that, is wrong.

    >>> import math
    >>> from zygpy.testing import check_rule
    >>> check_rule(math.atan2, 0.5, 2.0)
    """
    if zygpy.which_rule(f, *args) is None:
        raise missing_rule(f, why="no rule is declared for a call with arguments of these classes")
    settings = Settings(order=order, rtol=rtol, atol=atol, seed=seed, of_rule=True)
    check(Engine(zygpy.pullback, zygpy.gradient), f, args, settings)
