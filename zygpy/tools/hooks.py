"""Functions of a value that do something with its gradient: `hook`, `showgrad`, `eager_update`, `ignore`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zygpy.rules import custom
from zygpy.rules.declare import non_differentiable, rule
from zygpy.runtime.separate import separate

__all__ = ["eager_update", "hook", "ignore", "showgrad"]


def hook(f: Callable[[Any], Any], x: Any) -> Any:
    """The value `x`, whose gradient becomes `f(x_bar)`.

    `f` is called with the cotangent of the value that is returned, once in every call of `back`, and with
    None if there is none. Arrays, containers and objects are returned as copies, so that what is hooked is
    the gradient of what comes back and of nothing else.

    Examples
    --------
    >>> import operator
    >>> import zygpy as zg
    >>> zg.gradient(lambda a, b: zg.hook(operator.neg, a) * b, 2, 3)
    (-3.0, 2.0)
    """
    return separate(x)


def _hooked(f: Callable[[Any], Any], x: Any) -> Any:
    return separate(x), lambda x_bar: (None, f(x_bar))


def showgrad(x: Any, *, label: str = "x") -> Any:
    """The value `x`; its gradient is printed, with the text of the argument as it stands in the program.

    Examples
    --------
    >>> import zygpy as zg
    >>> def f(a, b):
    ...     return zg.showgrad(a) * b
    >>> zg.gradient(f, 2, 3)
    ∂(a) = 3.0
    (3.0, 2.0)
    """
    return separate(x)


def _shown(x: Any, *, label: str = "x") -> Any:
    def back(x_bar: Any) -> Any:
        print(f"∂({label}) = {x_bar!r}")
        return (x_bar,)

    return separate(x), back


def eager_update(state: Any, model: Any, update: Callable[[Any, Any, Any], Any]) -> Any:
    """A copy of `model` whose gradient is used up as soon as it is known: in the backward pass
    `update(state, model, model_bar)` is called, and no gradient of the model is given on.

    Examples
    --------
    >>> import numpy as np
    >>> import zygpy as zg
    >>> def descend(rate, w, w_bar):
    ...     w -= rate * w_bar
    >>> w = np.ones(2)
    >>> zg.gradient(lambda x: np.sum(zg.eager_update(0.5, w, descend) * x), 3.0)
    (2.0,)
    """
    return separate(model)


def _updated(state: Any, model: Any, update: Callable[[Any, Any, Any], Any]) -> Any:
    def back(model_bar: Any) -> Any:
        update(state, model, model_bar)

    return separate(model), back


def ignore(x: Any) -> Any:
    """The value `x` without its gradient: a number as it is, an array, container or object as a copy.

    Examples
    --------
    >>> import zygpy as zg
    >>> zg.gradient(lambda x: zg.ignore(x) * x, 3.0)
    (3.0,)
    """
    return separate(x)


custom.add(custom.made(hook, _hooked, "hook", always=True, keeps="nothing"))
custom.add(custom.made(showgrad, _shown, "showgrad", always=True, keeps="nothing"))
custom.add(custom.made(eager_update, _updated, "eager_update", always=True, keeps="nothing"))
non_differentiable(ignore, kind="same value", call="y = ignore(value)")
rule(separate, "y = separate(value)", value_bar="y_bar", kind="same value", containers=True)
custom.LABELLED.append(showgrad)
