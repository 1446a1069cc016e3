"""The public entry points: thin, typed, documented."""

from __future__ import annotations

import functools
import importlib
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar, cast

import numpy as np

from zygpy.errors import MissingRuleError, missing_rule
from zygpy.load.lazy import LazyModule
from zygpy.runtime.instead import pushed_as
from zygpy.runtime.lookup import own_fields
from zygpy.runtime.modes import Modes, by_mode, inside
from zygpy.runtime.object_arrays import holds_objects, of_shape, with_elements
from zygpy.runtime.project import (
    ONE,
    UNCHANGING,
    as_given,
    in_order_of,
    project,
    scalar_seed,
    seed_of_first,
)
from zygpy.runtime.seeds import as_it_is, as_seed, is_alike
from zygpy.runtime.tangents import DOUBLE
from zygpy.runtime.unknown_derivatives import check_entries, check_known
from zygpy.runtime.ways import KEPT, PLAIN, Way

if TYPE_CHECKING:
    from zygpy import at_hand as at_hand
    from zygpy import dispatch, gradients_pushed, looking, nested, pairs_at_hand, pushing, tangents_pulled
else:  # they are loaded for the first derivative, not before
    dispatch = LazyModule("zygpy.dispatch", lambda module: _register(module))
    at_hand = LazyModule("zygpy.at_hand")
    gradients_pushed = LazyModule("zygpy.gradients_pushed", lambda module: _register(module.dispatch))
    looking = LazyModule("zygpy.looking", lambda module: _register(module.dispatch))
    nested = LazyModule("zygpy.nested")
    pairs_at_hand = LazyModule("zygpy.pairs_at_hand", lambda module: _register(module.dispatch))
    pushing = LazyModule("zygpy.pushing", lambda module: _register(module.dispatch))
    tangents_pulled = LazyModule("zygpy.tangents_pulled", lambda module: _register(dispatch))

F = TypeVar("F", bound=Callable[..., Any])
Back: TypeAlias = Callable[[Any], tuple[Any, ...]]


class ValueAndGradient(NamedTuple):
    """What `withgradient` returns."""

    val: Any
    grad: tuple[Any, ...]


def pullback(f: Callable[..., Any], *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """The value of `f(*args, **kwargs)` and the function that pulls cotangents back through it.

    Parameters
    ----------
    f : callable
        Plain Python and NumPy: a function, lambda, method, builtin, ufunc or callable object.
    *args, **kwargs
        What `f` is called with. Only positional arguments get cotangents.

    Returns
    -------
    y
        What `f` returns.
    back : callable
        `back(y_bar)` returns a tuple with a cotangent for each positional argument: `None` where no
        differentiable path leads from it to the result. It may be called any number of times.

    Raises
    ------
    MissingRuleError, SourceNotFoundError, UnsupportedSyntaxError
        Where `f` reaches code that cannot be differentiated.

    Examples
    --------
    >>> y, back = pullback(lambda a, b: a * b, 2.0, 3.0)
    >>> y, back(1.0), back(10.0)
    (6.0, (3.0, 2.0), (30.0, 20.0))
    """
    if Modes.on and (found := by_mode("pullback", f, args, kwargs)) is not None:
        return cast("tuple[Any, Back]", found)
    y, raw, slots = _pulled(f, args, kwargs)
    count = len(args)
    own = tuple([place < len(slots) and slots[place] == "owned" for place in range(count)])

    def back(y_bar: Any) -> tuple[Any, ...]:
        if y_bar is None:
            return (None,) * count
        if not is_alike(y, y_bar):
            y_bar = as_seed(as_it_is(y), y_bar)
        bars = raw(y_bar)[1 : 1 + count]
        return tuple([_unaliased(bars[place], own[place], args[place]) for place in range(count)])

    return y, back


def _pulled(f: Any, args: tuple[Any, ...], kwargs: Any) -> tuple[Any, Back, Sequence[str]]:
    """The value of a call, what pulls its cotangents back, and what is known of the arguments'."""
    known = None
    if type(f) is FunctionType and not kwargs:
        known = pairs_at_hand.run(f, args, pairs_at_hand.COPYING_PAIRS)
    if known is not None:
        y, stash, ready = known
        return y, pairs_at_hand.back_of(ready, stash), ready.slots
    y, raw = dispatch.pull_with(f, args, kwargs, way=KEPT)
    if not kwargs:
        pairs_at_hand.keep(f, args, KEPT)
    return y, raw, getattr(raw, "slots", ())


def _unaliased(bar: Any, own: bool, primal: Any) -> Any:
    """A cotangent that shares no memory with anything; an array that nobody else holds is not copied."""
    if type(bar) is float:
        return bar
    if isinstance(bar, np.ndarray):
        check_known(bar)
        return bar if own and type(bar) is np.ndarray else np.array(bar)
    if isinstance(bar, tuple | list):
        return _unaliased_items(bar, primal)
    if isinstance(bar, dict):
        keys = in_order_of(primal, bar) if isinstance(primal, dict) else bar
        return {key: _unaliased(bar[key], False, _held(primal, key)) for key in keys}
    return bar


def _unaliased_items(bars: Any, primal: Any) -> Any:
    """The same for the cotangents of items; those of an array of objects are such an array."""
    if holds_objects(primal):
        whole = [_unaliased(bar, False, item) for bar, item in with_elements(bars, primal)]
        return of_shape(whole, primal)
    known = isinstance(primal, tuple | list) and len(primal) == len(bars)
    items = [_unaliased(bar, False, primal[place] if known else None) for place, bar in enumerate(bars)]
    return tuple(items) if isinstance(bars, tuple) else items


def _held(primal: Any, key: Any) -> Any:
    """What a dict or an object holds under a key."""
    return (primal if isinstance(primal, dict) else own_fields(primal)).get(key)


def gradient(f: Callable[..., Any], *args: Any, **kwargs: Any) -> tuple[Any, ...]:
    """The gradients of a real scalar function, one for each positional argument.

    A gradient has the type and shape of its argument (an `int` or integer array gets floats; a `bool`
    and whatever the result does not depend on differentiably get `None`).

    Raises
    ------
    NotScalarError
        If `f` returns anything but one real number.

    Examples
    --------
    >>> gradient(lambda x, y: x * y + x, 2.0, 3)
    (4.0, 2.0)
    """
    if Modes.on and (found := by_mode("gradient", f, args, kwargs)) is not None:
        return cast("tuple[Any, ...]", found)
    known = None if kwargs or type(f) is not FunctionType else pairs_at_hand.run(f, args)
    if known is not None:
        y, stash, ready = known
        seed = ONE if type(y) is np.float64 else scalar_seed(y)
        return _projected(ready.slots, pairs_at_hand.pulled(ready, stash, seed), args)
    given = [arg if type(arg) in UNCHANGING else as_given(arg) for arg in args]
    y, raw = dispatch.pull_with(f, args, kwargs, way=PLAIN)
    bars = raw(scalar_seed(y))[1 : 1 + len(args)]
    grads = _projected(getattr(raw, "slots", ()), bars, given)
    if not kwargs:
        pairs_at_hand.keep(f, args)
    return grads


def _projected(slots: Sequence[str], bars: Sequence[Any], args: Sequence[Any]) -> tuple[Any, ...]:
    """The cotangents as gradients; refused where an entry is not known. An array that nobody else holds, by
    what is known of the `slots` that the cotangents come from, is not copied."""
    try:
        if len(bars) == 1 and "owned" in slots and _is_gradient(bars[0], args[0]):
            grads: tuple[Any, ...] = (bars[0],)
        else:
            grads = _as_gradients(slots, bars, args)
    except MissingRuleError as error:
        dispatch.locate_refused(error)
        raise
    return cast("tuple[Any, ...]", known(grads))


def known(derivatives: Any) -> Any:
    """What an entry point gives; refused where an entry is not known, with the line that this is about."""
    try:
        check_entries(derivatives)
    except MissingRuleError as error:
        dispatch.locate_refused(error)
        raise
    return derivatives


def _as_gradients(slots: Sequence[str], bars: Sequence[Any], args: Sequence[Any]) -> tuple[Any, ...]:
    """The same; raises MissingRuleError for one that is not known."""
    if "owned" not in slots:
        return tuple(
            [
                bar if type(bar) is float is type(arg) else project(bar, arg)
                for bar, arg in zip(bars, args, strict=True)
            ]
        )
    return tuple(
        [
            bar if slot == "owned" and _is_gradient(bar, arg) else project(bar, arg)
            for bar, arg, slot in zip(bars, args, slots, strict=False)
        ]
    )


def _is_gradient(bar: Any, arg: Any) -> bool:
    """Whether an array has the type and shape of a gradient of the argument already."""
    if type(bar) is not np.ndarray or type(arg) is not np.ndarray or bar.base is not None:
        return False
    dtype = bar.dtype
    same = dtype is arg.dtype or dtype == arg.dtype
    return same and bar.shape == arg.shape and (dtype is DOUBLE or dtype.kind in "fc")


def withgradient(f: Callable[..., Any], *args: Any, **kwargs: Any) -> ValueAndGradient:
    """The value and the gradient together.

    If `f` returns a tuple, namedtuple or dict, its first entry is differentiated and the rest comes
    along as it is.

    >>> withgradient(lambda x: (x * x, "text"), 3.0)
    ValueAndGradient(val=(9.0, 'text'), grad=(6.0,))
    """
    if Modes.on and (found := by_mode("withgradient", f, args, kwargs)) is not None:
        return cast(ValueAndGradient, found)
    known = None if kwargs or type(f) is not FunctionType else pairs_at_hand.run(f, args)
    if known is not None:
        y, stash, ready = known
        bars = pairs_at_hand.pulled(ready, stash, seed_of_first(y))
        return ValueAndGradient(y, _projected(ready.slots, bars, args))
    given = [arg if type(arg) in UNCHANGING else as_given(arg) for arg in args]
    y, raw = dispatch.pull_with(f, args, kwargs, way=PLAIN)
    bars = raw(seed_of_first(y))[1 : 1 + len(args)]
    grads = _projected(getattr(raw, "slots", ()), bars, given)
    if not kwargs:
        pairs_at_hand.keep(f, args)
    return ValueAndGradient(y, grads)


def differentiable(f: F) -> F:
    """Parse and check a function now, so that what cannot be differentiated is refused here.

    The function itself is returned unchanged.

    Raises
    ------
    UnsupportedSyntaxError
        If the function uses a construct that cannot be differentiated.
    SourceNotFoundError
        If its source cannot be found.

    Examples
    --------
    >>> @differentiable
    ... def square(x):
    ...     return x * x
    >>> square(3.0), gradient(square, 3.0)
    (9.0, (6.0,))
    """
    inner: Any = f.__func__ if isinstance(f, staticmethod | classmethod | MethodType) else f
    inner = inner.func if isinstance(inner, functools.partial) else inner
    if isinstance(inner, FunctionType):
        looking.check(inner)
    return f


class AdjointSource(str):
    """Generated source: a string that prints as it is and is highlighted in notebooks."""

    __slots__ = ()

    def _repr_markdown_(self) -> str:
        return f"```python\n{self}\n```"

    def _repr_html_(self) -> str:
        return f"<pre><code class='language-python'>{_escaped(str(self))}</code></pre>"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def show_adjoint(f: Callable[..., Any], *args: Any, **kwargs: Any) -> AdjointSource:
    """The source of the pair that `f` is differentiated by, specialised to these arguments.

    Without arguments it is the unspecialised pair. It is the very code that runs.

    >>> def square(x):
    ...     return x * x
    >>> print(show_adjoint(square, 2.0))
    def square_forward(x):
        return x * x, x
    <BLANKLINE>
    def square_adjoint(stash, y_bar):
        x = stash
        x_bar = 2.0 * y_bar * x
        return x_bar,
    <BLANKLINE>
    """
    return AdjointSource(looking.text_of(f, args, kwargs))


def show_tangent(f: Callable[..., Any], *args: Any) -> AdjointSource:
    """The source of the tangent function that `pushforward` runs, specialised to these arguments.

    Raises
    ------
    UnsupportedSyntaxError
        If there is none for this function; `pushforward` then works by reverse mode.

    Examples
    --------
    >>> def cube(x):
    ...     y = x * x
    ...     return x * y
    >>> print(show_tangent(cube, 2.0))
    def cube_tangent(x, x_dot):
        y = x * x
        y_dot = 2.0 * x * x_dot
        return x * y, x_dot * y + y_dot * x
    <BLANKLINE>
    """
    return AdjointSource(pushing.text_of(f, args))


def machinery() -> Any:
    """The module of the run-time door, with all that registers itself there."""
    return dispatch


def machinery_of_tangents() -> Any:
    """The module that finds tangent functions, with the same."""
    return pushing


def machinery_of_gradients() -> Any:
    """The module that finds those of gradients, with the same."""
    return gradients_pushed


def machinery_of_pulled_tangents() -> Any:
    """The module that differentiates tangent functions, with the same."""
    return tangents_pulled


def forward(f: Callable[..., Any], *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """The older name of `pullback`."""
    warnings.warn("zygpy.forward is now called zygpy.pullback", DeprecationWarning, stacklevel=2)
    return pullback(f, *args, **kwargs)


def refresh() -> None:
    """Drop every cached derivation. Never needed for correct results."""
    dispatch.refresh()


# ------------------------------------------------------- the entry points inside differentiated code


def _prepared(args: tuple[Any, ...], kwargs: Any) -> Any:
    return dispatch.prepare_inside(args[0], args[1:], kwargs)


def _gradient_inside(args: tuple[Any, ...], kwargs: Any, way: Way) -> Any:
    found = inside("gradient", args, kwargs, way)
    if found is not None:
        return found
    return nested.gradient_of(_prepared(args, kwargs), args[0], len(args) - 1, way)


def _withgradient_inside(args: tuple[Any, ...], kwargs: Any, way: Way) -> Any:
    found = inside("withgradient", args, kwargs, way)
    if found is not None:
        return found
    made = nested.gradient_of(_prepared(args, kwargs), args[0], len(args) - 1, way, value=True)
    return replace(made, finish=lambda result: ValueAndGradient(*result))


def _pullback_inside(args: tuple[Any, ...], kwargs: Any, way: Way) -> Any:
    found = inside("pullback", args, kwargs, way)
    if found is not None:
        return found
    inner = _prepared(args, kwargs)
    if inner is None:
        raise missing_rule(args[0])
    slots = (inner.layout.own, *inner.layout.arguments)
    return nested.pulled(inner, slots, way, len(args) - 1)


def _register(dispatch: Any) -> None:
    """Let differentiated code reach the entry points; done when the pipeline has been loaded."""
    importlib.import_module("zygpy.identity")
    dispatch.SPECIAL[gradient] = _gradient_inside
    dispatch.SPECIAL[withgradient] = _withgradient_inside
    dispatch.SPECIAL[pullback] = _pullback_inside
    dispatch.derivation.OPAQUE.update({gradient, withgradient, pullback})
    importlib.import_module("zygpy.gradients_pushed")
    pushed_as("gradient")(gradient)
