"""Jacobians, Hessians and products with them, made of pullbacks.

The functions here are plain Python over `pullback` and `gradient`, and are differentiated like a user's.
"""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from typing import Any, NamedTuple, cast

import numpy as np

from zygpy import rows as several_rows
from zygpy.api import (
    at_hand,
    gradient,
    known,
    machinery_of_gradients,
    machinery_of_pulled_tangents,
    machinery_of_tangents,
    pullback,
)
from zygpy.columns import FEW, MANY, columns, dtype_of, one_of, plan_of, total_of
from zygpy.errors import NotScalarError, UnsupportedSyntaxError, ZygpyError
from zygpy.rules.declare import non_differentiable
from zygpy.runtime.as_before import AsBefore
from zygpy.runtime.directions import inner, is_number, is_structure, or_zero
from zygpy.runtime.instead import KEPT, differentiated_as, pushed_as
from zygpy.runtime.modes import Modes, by_mode
from zygpy.runtime.project import as_given, project, zero_like
from zygpy.runtime.records import Record, fields_of
from zygpy.runtime.seeds import as_direction, as_directions
from zygpy.runtime.separate import separate
from zygpy.runtime.tangents import DOUBLE, any_seed, finished
from zygpy.runtime.unknown_derivatives import check_entries
from zygpy.runtime.zeros import CannotPush
from zygpy.structures import (
    check_holomorphic,
    completed,
    diagonal,
    is_empty,
    like,
    numbers_in,
    pushed,
    second,
    seeds_of,
)

__all__ = [
    "ValueAndJacobian",
    "derivative",
    "diaghessian",
    "hessian",
    "hessian_reverse",
    "hvp",
    "jacobian",
    "pushforward",
    "withjacobian",
]


class ValueAndJacobian(NamedTuple):
    """What `withjacobian` returns."""

    val: Any
    grad: tuple[Any, ...]


def derivative(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The derivative of a function of one argument, as a function.

    It is zero, never `None`, where `f` does not depend on its argument.

    >>> derivative(lambda x: x**3)(2.0), derivative(derivative(lambda x: x**3))(2.0)
    (12.0, 12.0)
    """

    def df(x: Any) -> Any:
        bar = gradient(f, x)[0]
        return zero_like(x) if bar is None else bar

    return df


def jacobian_by_reverse(f: Callable[..., Any], *args: Any) -> tuple[Any, ...]:
    """The same as `jacobian`, by reverse mode alone.

    >>> jacobian_by_reverse(lambda x: x**2, np.array([1.0, 3.0]))[0].tolist()
    [[2.0, 0.0], [0.0, 6.0]]
    """
    return withjacobian_by_reverse(f, *args).grad


@differentiated_as(jacobian_by_reverse)
def jacobian(f: Callable[..., Any], *args: Any) -> tuple[Any, ...]:
    """The derivatives of a number or array by each positional argument.

    Returns
    -------
    tuple
        For each argument an array of shape `y.shape + x.shape`: entry `[i, j]` is the derivative of `y[i]`
        by `x[j]`. Of a tuple, list or dict of numbers and arrays, the same with such arrays in their places,
        of an object a `Record`; None for what is no number. It is zero, never None, where `f` does not
        depend on an argument. A holomorphic function of complex arguments has its complex derivative. By
        `Params`, a `Grads` of such arrays.

    Raises
    ------
    NotScalarError
        If `f` returns anything but a number or array, or a function of complex arguments is not holomorphic.

    Examples
    --------
    >>> jacobian(lambda x: x**2, np.array([1.0, 3.0]))[0]
    array([[2., 0.],
           [0., 6.]])
    """
    if Modes.on and (seen := by_mode("jacobian", f, args, {})) is not None:
        return cast("tuple[Any, ...]", seen)
    if len(args) == 1 and type(args[0]) is np.ndarray:
        found = at_hand.columns(f, "push, columns", args[0])
        if found is not None:
            return (known(found.T if found.ndim == 2 else turned_about(found)),)
    return withjacobian(f, *args).grad


def withjacobian_by_reverse(f: Callable[..., Any], *args: Any) -> ValueAndJacobian:
    """The same as `withjacobian`, by reverse mode alone.

    >>> withjacobian_by_reverse(lambda x, y: x * y, 2.0, np.array([1.0, 3.0])).val
    array([2., 6.])
    """
    if is_implicit(args) or not any(map(is_structure, args)):
        y, back = pullback(f, *args)
        return by_rows(y, back, args)
    given = tuple([as_given(arg) for arg in args])
    numbers_in(given)  # it refuses what has no end
    y, back = pullback(f, *args)
    return by_rows(y, back, given)


def by_rows(y: Any, back: Callable[[Any], Any], args: tuple[Any, ...]) -> ValueAndJacobian:
    """The value and the Jacobians by a pullback, for one seed after another."""
    check_value(y)
    rows = [back(seed) for seed in seeds_of(y, 1.0)]
    turned = [back(seed) for seed in seeds_of(y, 1.0j)] if is_complex(y) else []
    if is_implicit(args):
        return ValueAndJacobian(y, by_parameters(back(None), rows, turned, np.shape(y)))
    grads = []
    for place in range(len(args)):
        own = [row[place] for row in rows]
        imaginary = [row[place] for row in turned]
        grads.append(jacobian_of(own, imaginary, args[place], np.shape(y)))
    return ValueAndJacobian(y, tuple(grads))


def is_implicit(args: tuple[Any, ...]) -> bool:
    """Whether a function is differentiated by implicit parameters."""
    return len(args) == 1 and hasattr(type(args[0]), "__zygpy_implicit__")


def by_parameters(none: Any, rows: list[Any], turned: list[Any], shape: tuple[int, ...]) -> Any:
    """The Jacobians by implicit parameters, indexed by these as gradients are; `none` is one of Nones."""
    found = []
    for array in none:
        own, imaginary = [row[array] for row in rows], [row[array] for row in turned]
        found.append(jacobian_of(own, imaginary, array, shape))
    return type(none)(none.params, found)


non_differentiable(is_implicit, kind="bool")


@differentiated_as(withjacobian_by_reverse)
def withjacobian(f: Callable[..., Any], *args: Any) -> ValueAndJacobian:
    """The value and the Jacobians together.

    Where the result has more entries than the arguments, or not far fewer and tangents of several directions
    can be computed together, they are found by columns in forward mode; else row by row in reverse mode.

    >>> withjacobian(lambda x, y: x * y, 2.0, np.array([1.0, 3.0])).val
    array([2., 6.])
    """
    if Modes.on and (seen := by_mode("withjacobian", f, args, {})) is not None:
        return cast(ValueAndJacobian, seen)
    found = by_columns(f, args)
    found = by_several_rows(f, args) if found is None else found
    known(found.grad)
    return found


def by_several_rows(f: Callable[..., Any], args: tuple[Any, ...]) -> ValueAndJacobian:
    """The value and the Jacobians by reverse mode, with several seeds at once where that can be done."""
    if not args or not all(map(is_vector_of_doubles, args)):
        return withjacobian_by_reverse(f, *args)
    y, back, raw = several_rows.pull(f, args)
    plain = is_vector_of_doubles(y) and type(y) is np.ndarray
    found = several_rows.at_once(raw, y, args) if plain else None
    if found is None:
        return by_rows(y, back, args)
    grads = []
    for bars, x in zip(found, args, strict=True):
        shape = y.shape + np.shape(x)
        grads.append(np.zeros(shape) if bars is None else np.array(bars, float).reshape(shape))
    return ValueAndJacobian(y, tuple(grads))


def is_vector_of_doubles(x: Any) -> bool:
    """Whether something is a float, or an array of doubles that is not empty."""
    return type(x) is float or (type(x) is np.ndarray and x.dtype == np.float64 and x.size > 0)


def by_columns(f: Callable[..., Any], args: tuple[Any, ...]) -> ValueAndJacobian | None:
    """The value and the Jacobians by forward mode; None where reverse mode is the better way."""
    if not args or not all(map(is_vector_of_reals, args)):
        return None
    push: Any = machinery_of_tangents().push_of(f, args, at_once=True)
    if not hasattr(push, "run") or not push.gives_an_array:
        return None
    try:
        return _columns(f, push, args)
    except CannotPush:
        return None


def is_vector_of_reals(x: Any) -> bool:
    """Whether something is a real number, or an array of some of these."""
    if type(x) is np.ndarray and x.dtype == np.float64:
        return x.size > 0
    return is_number(x) and not is_complex(x) and np.size(x) > 0


WIDER = 4
"""Columns are quicker than rows as long as there are no more than so many times as many of them."""


def _columns(f: Any, push: Any, args: tuple[Any, ...]) -> ValueAndJacobian | None:
    total, several = total_of(args), push.several()
    wide = several is not None
    if not wide or total > FITTING:  # else no more than little is lost where columns are the worse way
        y, _ = push.run(one_of(args, 0))
        if not is_number(y) or np.size(y) * (WIDER if wide else 1) <= total:
            return None
    y, dots = columns(push, args, whole, several=several)
    if not isinstance(y, np.ndarray):
        return None
    if len(args) == 1:
        keep_plan(f, "push", args[0], several, whole)
        turned = turned_about(dots)
        if getattr(args[0], "ndim", 0) != 1:
            turned = turned.reshape(y.shape + np.shape(args[0]))
        return ValueAndJacobian(y, (turned,))
    ends = np.cumsum([np.size(x) for x in args]).tolist()
    grads = [
        turned_about(dots[end - np.size(x) : end]).reshape(y.shape + np.shape(x))
        for x, end in zip(args, ends, strict=True)
    ]
    return ValueAndJacobian(y, tuple([np.array(grad) for grad in grads]))


FITTING = 64
"""So many columns are hardly slower than one."""


def whole(result: Any) -> Any:
    """The result itself, of which every entry has a tangent."""
    return result


def turned_about(rows: Any) -> Any:
    """An array with its first axis as the last.

    >>> turned_about(np.ones((2, 3, 4))).shape
    (3, 4, 2)
    """
    return rows.T if rows.ndim == 2 else rows.transpose(*range(1, rows.ndim), 0)


def check_value(y: Any) -> None:
    """Refuse results that have no Jacobian."""
    if not is_number(y):
        raise NotScalarError(
            f"the function returns a {type(y).__name__}.",
            why="a Jacobian is that of a number or an array",
            instead="return an array, for example with `np.concatenate`",
        )


def is_complex(value: Any) -> bool:
    """Whether a number or array is complex."""
    return bool(np.iscomplexobj(value))


def jacobian_of(rows: list[Any], turned: list[Any], x: Any, shape: tuple[int, ...]) -> Any:
    """The Jacobian by one argument from the rows that pullbacks of unit seeds give, and where the result is
    complex, of imaginary ones."""
    if isinstance(x, tuple | list | deque):
        parts = []
        for place in range(len(x)):
            own, imaginary = entries_of(rows, place), entries_of(turned, place)
            parts.append(jacobian_of(own, imaginary, x[place], shape))
        return like(x, parts)
    if isinstance(x, dict):
        return {key: jacobian_of(keys_of(rows, key), keys_of(turned, key), x[key], shape) for key in x}
    if not is_number(x):
        return jacobian_of_fields(rows, turned, x, shape) if is_structure(x) else None
    stacked = stacked_rows(rows, x)
    if turned and not is_complex(x):
        stacked = np.real(stacked) + 1j * np.real(stacked_rows(turned, x))
    elif turned:
        check_holomorphic(stacked, stacked_rows(turned, x))
        stacked = np.conj(stacked)
    return np.reshape(stacked, (*shape, *np.shape(x)))


def jacobian_of_fields(rows: list[Any], turned: list[Any], x: Any, shape: tuple[int, ...]) -> Any:
    """The Jacobians by the fields of an object; None where there is none."""
    found = {}
    for name, part in fields_of(x):
        own, imaginary = keys_of(rows, name), keys_of(turned, name)
        found[name] = jacobian_of(own, imaginary, part, shape)
    return None if is_empty(found) else Record(found)


def entries_of(rows: list[Any], place: int) -> list[Any]:
    """One entry of each row."""
    return [None if row is None else row[place] for row in rows]


def keys_of(rows: list[Any], key: Any) -> list[Any]:
    """What each row has under a key, or in a field."""
    tables = [row._asdict() if isinstance(row, Record) else row for row in rows]
    return [None if table is None else table.get(key) for table in tables]


def stacked_rows(rows: list[Any], x: Any) -> Any:
    """Rows as one array, zeros where there is no path."""
    filled = [np.zeros(np.shape(x)) if row is None else row for row in rows]
    return np.stack(filled) if filled else np.zeros((0, *np.shape(x)))


non_differentiable(check_value, check_holomorphic, kind="none")
non_differentiable(is_complex, kind="bool")
non_differentiable(seeds_of, kind="unknown")


# --------------------------------------------------------------------------------- second derivatives


def hvp_by_reverse(f: Callable[[Any], Any], x: Any, v: Any) -> Any:
    """The same as `hvp`, as the gradient of the gradient's product with `v`.

    >>> hvp_by_reverse(lambda x: np.sum(x**3), np.array([1.0, 2.0]), np.array([1.0, 10.0]))
    array([  6., 120.])
    """
    direction = separate(v)  # it may be `x` itself, and is held while that is varied
    given = as_given(x)

    def slope(z: Any) -> Any:
        return inner(gradient(f, z)[0], direction)

    return or_zero(gradient(slope, x)[0], given)


@pushed_as("hvp")
@differentiated_as(hvp_by_reverse)
def hvp(f: Callable[[Any], Any], x: Any, v: Any) -> Any:
    """The product of the Hessian of `f` at `x` with `v`, which has the form of `x`.

    It is forward over reverse: the pair of `f` is run with its tangents along `v`. Where no tangent code is
    written for what the pair does, the tangent code of `f` itself is differentiated by reverse mode, and
    where there is none of that either, the gradient.

    Examples
    --------
    >>> hvp(lambda x: np.sum(x**3), np.array([1.0, 2.0]), np.array([1.0, 10.0]))
    array([  6., 120.])
    """
    if Modes.on and (seen := by_mode("hvp", f, (x, v), {})) is not None:
        return seen
    if type(x) is np.ndarray is type(v):
        product = at_hand.product(f, x, v)
        if product is not None:
            return known(product if type(product) is np.ndarray else np.asarray(product))
    elif type(x) is float is type(v) and (number := at_hand.product_of_number(f, x, v)) is not None:
        return known(number)
    check_passed(x)
    given = as_given(x)
    product = _product(f, x, as_direction(x, v), given)
    return known(product if _is_double(product, x) else completed(project(product, given), given))


def _is_double(product: Any, x: Any) -> bool:
    """Whether both are numbers or arrays of double precision, and of one shape."""
    if type(x) is not np.ndarray:
        return type(x) is float is type(product)
    return type(product) is np.ndarray and product.shape == x.shape and product.dtype == x.dtype == DOUBLE


def in_precision(found: Any, x: Any) -> Any:
    """Second derivatives in the precision of the argument."""
    return found.astype(dtype_of(x), copy=False) if found is not None and np.isrealobj(found) else found


def _product(f: Callable[[Any], Any], x: Any, v: Any, given: Any) -> Any:
    """The same where it has to be found how; `given` tells of `x` as it was."""
    pull: Any = machinery_of_pulled_tangents().pull_at_hand(f, x)
    found: Any = None if pull is not None else machinery_of_gradients().gradient_push(f, (x,))
    if hasattr(found, "run"):
        with suppress(CannotPush):
            _, grads_dot = found.run((v,))
            product = or_zero(None if grads_dot is None else grads_dot[found.first], given)
            return float(product) if type(x) is float else product
    pull = pull or machinery_of_pulled_tangents().tangent_pull(f, x)
    while pull is not None:
        with suppress(CannotPush):
            return or_zero(pull.product(v), given)
        pull = machinery_of_pulled_tangents().other_pull(f, x)
    machinery_of_pulled_tangents().check_found_once(f, x)
    found = machinery_of_pulled_tangents().product_everywhere(f, x, v)
    return hvp_by_reverse(f, x, v) if found is None else found


def check_passed(*args: Any) -> None:
    """Refuse implicit parameters where only what is passed to the function can be varied.

    >>> check_passed(1.0)
    """
    if is_implicit(args):
        raise UnsupportedSyntaxError(
            "second derivatives and tangents by implicit parameters are asked for.",
            why="by these there are gradients, Jacobians and pullbacks",
            instead="pass the arrays as arguments of the function",
        )


def check_is_number(x: Any) -> None:
    """Refuse second derivatives by the numbers in a structure where they are differentiated themselves.

    >>> check_is_number(1.0)
    """
    if is_structure(x):
        raise UnsupportedSyntaxError(
            f"second derivatives by the numbers in a {type(x).__name__} are differentiated.",
            why="they are put together number by number, which is not followed",
            instead="differentiate `hvp` along the directions that matter, or take one array of all numbers",
        )


def second_by_reverse(f: Callable[[Any], Any], x: Any) -> Any:
    """The same as `hessian_reverse`, which has modes.

    >>> float(second_by_reverse(lambda x: x**3, 2.0))
    12.0
    """
    check_is_number(x)

    def first(z: Any) -> Any:
        return or_zero(gradient(f, z)[0], z)

    return jacobian(first, x)[0] if is_number(x) else None


@differentiated_as(second_by_reverse)
def hessian_reverse(f: Callable[[Any], Any], x: Any) -> Any:
    """The same as `hessian`, by reverse mode over reverse mode.

    >>> float(hessian_reverse(lambda x: x**3, 2.0))
    12.0
    """
    if Modes.on and (seen := by_mode("hessian_reverse", f, (x,), {})) is not None:
        return seen
    if is_structure(x):
        check_passed(x)
        return known(second(f, x, AsBefore((x,)).anew(hvp_by_reverse)))
    machinery_of_pulled_tangents().check_found_once(f, x)
    return known(in_precision(second_by_reverse(f, x), x))


@differentiated_as(second_by_reverse)
def hessian(f: Callable[[Any], Any], x: Any) -> Any:
    """The second derivatives of a real scalar function by a number or array, of shape `x.shape + x.shape`.

    It is forward over reverse, as `hvp` along every unit vector. By the numbers in a tuple, list, dict or
    object it has, in the place of each of them, the same structure of arrays: `hessian(f, x)["a"]["b"]` is of
    shape `x["a"].shape + x["b"].shape`.

    Examples
    --------
    >>> hessian(lambda x: x[0] ** 2 * x[1], np.array([1.0, 3.0]))
    array([[6., 2.],
           [2., 0.]])
    """
    if Modes.on and (seen := by_mode("hessian", f, (x,), {})) is not None:
        return seen
    rows = None
    if type(x) is np.ndarray:
        rows = at_hand.columns(f, "gradient, columns", x)
    elif is_structure(x):
        check_passed(x)
        return second(f, x, AsBefore((x,)).anew(hvp))
    if rows is None:
        rows = rows_of_hessian(f, x)
    if rows is None:
        return known(in_precision(second_by_reverse(f, x), x))
    known(rows)
    return rows.T if np.ndim(x) == 1 else turned_about(rows).reshape(np.shape(x) * 2)


def rows_of_hessian(f: Callable[[Any], Any], x: Any) -> Any:
    """The products of the Hessian with every unit vector, along the first axis; None where forward mode has
    none of them."""
    if not is_vector_of_reals(x):
        return None
    found: Any = machinery_of_gradients().gradient_push(f, (x,))
    if not hasattr(found, "run"):
        return _by_pulled_tangents(f, x)
    of = operator.itemgetter(found.first)
    several = found.several() if total_of((x,)) >= FEW else None
    with suppress(CannotPush):
        rows = columns(found, (x,), of, x, several)[1]
        keep_plan(f, "gradient", x, several, of)
        return rows
    return _by_pulled_tangents(f, x)


def _by_pulled_tangents(f: Callable[..., Any], x: Any) -> Any:
    """The same by the derivatives of tangents along one unit vector after another."""
    pull: Any = machinery_of_pulled_tangents().tangent_pull(f, x)
    if pull is None:
        machinery_of_pulled_tangents().check_found_once(f, x)
    units = [one_of((x,), k)[0] for k in range(total_of((x,)))]
    while pull is not None and units:
        product = pull.anew() if pull.writes else pull.product
        with suppress(CannotPush):
            return np.stack([or_zero(product(v), x) for v in units])
        pull = machinery_of_pulled_tangents().other_pull(f, x)
    return None


def keep_plan(f: Callable[..., Any], what: str, x: Any, several: Any, of: Callable[[Any], Any]) -> None:
    """Let the next call find how tangents along all unit vectors are taken, if they are taken at once."""
    if several is not None and total_of((x,)) >= (MANY if several.has_numbers else FEW):
        plan = plan_of(several, (x,), of)
        if plan is not None:
            at_hand.keep_plan(f, what, x, several, plan)


def diagonals(f: Callable[..., Any], *args: Any) -> tuple[Any, ...]:
    """The same as `diaghessian`, which has modes.

    >>> diagonals(lambda x: np.sum(x**3), np.array([1.0, 2.0]))
    (array([ 6., 12.]),)
    """
    return tuple([diagonal_by(f, args, place) for place in range(len(args))])


@differentiated_as(diagonals)
def diaghessian(f: Callable[..., Any], *args: Any) -> tuple[Any, ...]:
    """The diagonals of the Hessians by each argument, in the shapes of the arguments: of a container or
    object those by the numbers in it.

    Examples
    --------
    >>> diaghessian(lambda x, y: np.sum(x**3) * y**2, np.array([1.0, 2.0]), 3.0)
    (array([ 54., 108.]), 18.0)
    """
    if Modes.on and (seen := by_mode("diaghessian", f, args, {})) is not None:
        return cast("tuple[Any, ...]", seen)
    check_passed(*args)
    by_place = AsBefore(args).anew(diagonal_by)
    return tuple([by_place(f, args, place) for place in range(len(args))])


def along(f: Callable[..., Any], args: tuple[Any, ...], place: int) -> Callable[[Any], Any]:
    """A function of several arguments as one of the argument at a place: of one argument the function itself,
    and of two a call with the other, so that what is called is known when the call is derived.

    >>> along(lambda x, y: x - y, (1.0, 5.0), 1)(2.0)
    -1.0
    """
    if len(args) == 1:
        return f
    if len(args) == 2:
        return _along_two(f, args[1 - place], place)
    before, behind = args[:place], args[place + 1 :]

    def at(z: Any) -> Any:
        return f(*before, z, *behind)

    return at


def _along_two(f: Callable[..., Any], other: Any, place: int) -> Callable[[Any], Any]:
    """The same of two arguments."""

    def first(z: Any) -> Any:
        return f(z, other)

    def second(z: Any) -> Any:
        return f(other, z)

    return second if place else first


def diagonal_by_products(f: Callable[..., Any], args: tuple[Any, ...], place: int) -> Any:
    """The same as `diagonal_by`, by one product after another, each behind the first with a copy."""
    x = args[place]
    at = along(f, args, place)
    check_is_number(x)
    if not is_number(x):
        return None
    if not isinstance(x, np.ndarray):
        return hvp(at, x, 1.0)
    before = x.copy()
    entries = []
    for index, seed in enumerate(seeds_of(x, 1.0)):
        entries.append(np.ravel(hvp(at, before.copy() if index else x, seed))[index])
    return np.reshape(np.stack(entries), x.shape) if entries else np.zeros(x.shape)


@differentiated_as(diagonal_by_products)
def diagonal_by(f: Callable[..., Any], args: tuple[Any, ...], place: int) -> Any:
    """The diagonal of the Hessian by one argument."""
    x, at = args[place], along(f, args, place)
    rows = rows_of_hessian(at, x) if is_vector_of_reals(x) and isinstance(x, np.ndarray) else None
    if rows is None:
        return diagonal(at, x, AsBefore(args).anew(hvp))
    return np.array(known(rows.reshape(x.size, x.size).diagonal())).reshape(x.shape)


# -------------------------------------------------------------------------------------- forward mode


def pushforward_by_reverse(f: Callable[..., Any], *args: Any) -> Callable[..., Any]:
    """The same as `pushforward`, by differentiating the pullback, which is linear, by its seed.

    >>> pushforward_by_reverse(lambda x, y: x * y, 2.0, 3.0)(1.0, 10.0)
    23.0
    """
    y, back = pullback(f, *args)
    check_value(y)

    def push(*tangents: Any) -> Any:
        return transposed(y, back, tangents)

    return push


def transposed(y: Any, back: Callable[[Any], Any], tangents: tuple[Any, ...]) -> Any:
    """The tangent of `y` by its pullback: the derivative of what that gives for seeds.

    >>> transposed(6.0, lambda seed: (3.0 * seed,), (10.0,))
    30.0
    """

    def paired(seed: Any) -> Any:
        return inner(back(seed), tangents)

    found = gradient(paired, any_seed(y))[0]
    check_entries(found)
    return or_zero(found, y)


@pushed_as("pushforward")
@differentiated_as(pushforward_by_reverse)
def pushforward(f: Callable[..., Any], *args: Any) -> Callable[..., Any]:
    """The function that pushes tangents of the arguments forward to that of the result.

    It runs the tangent function of `f`, which `show_tangent` shows: the code of `f` with the code of its
    tangents between the lines. So `f` runs once for every call of what is returned. Where `f` does what no
    tangent code is written for, its pullback is differentiated instead, with the same result. The tangent of
    a tuple, list or dict has tangents in the places of its numbers, that of an object is a `Record`; there is
    one pullback for each number in it.

    Examples
    --------
    >>> pushforward(lambda x, y: x * y, 2.0, 3.0)(1.0, 10.0)
    23.0
    """
    if Modes.on and (seen := by_mode("pushforward", f, args, {})) is not None:
        return cast("Callable[..., Any]", seen)
    check_passed(*args)
    found: Any = machinery_of_tangents().push_of(f, args)
    if not hasattr(found, "run"):
        given = machinery_of_tangents().as_they_were(args)
        by_seeds = pushforward_by_seeds(f, *args)
        return lambda *tangents: known(by_seeds(*as_directions(given, tangents)))

    def push(*tangents: Any) -> Any:
        tangents = tuple(as_directions([found.values[place] for place in found.own], tangents))
        with suppress(CannotPush):
            y, y_dot = found.run(tangents)
            if is_number(y):
                return known(finished(y_dot, y))
        return known(pushforward_by_seeds(f, *args)(*tangents))

    setattr(push, KEPT, (f, *[found.values[place] for place in found.own]))
    return push


FEW_ENTRIES = 16
"""So many calls of a pullback take less time than its derivative, by far less in programs by identity."""


def pushforward_by_seeds(f: Callable[..., Any], *args: Any) -> Callable[..., Any]:
    """The same as `pushforward`, by the pullback alone: each entry of the tangent is the product of what the
    unit seed of that entry gives with the tangents.

    What has many entries is found as `pushforward_by_reverse` does it, where that can be done.

    >>> pushforward_by_seeds(lambda x, y: np.array([x, x * y]), 2.0, 3.0)(1.0, 10.0)
    array([ 1., 23.])
    """
    y, back = pullback(f, *args)
    if is_structure(y):
        return lambda *tangents: pushed(y, lambda seed: inner(back(seed), tangents))
    check_value(y)

    def push(*tangents: Any) -> Any:
        if np.size(y) > FEW_ENTRIES:
            try:
                return transposed(y, back, tangents)  # `f`, which may write to them, has had its arguments
            except ZygpyError:
                pass  # the pullback cannot be differentiated, but it can be called
        entries: Any = [inner(back(seed), tangents) for seed in seeds_of(y, 1.0)]
        if is_complex(y):
            turned = [inner(back(seed), tangents) for seed in seeds_of(y, 1.0j)]
            entries = [complex(*parts) for parts in zip(entries, turned, strict=True)]
        check_entries(entries)
        if isinstance(y, np.ndarray):
            return finished(np.reshape(entries, np.shape(y)), y)
        return Fraction(entries[0]) if isinstance(y, Fraction) else finished(entries[0], y)

    return push


non_differentiable(any_seed, kind="unknown")
