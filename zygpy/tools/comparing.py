"""What derivatives are compared with when they are checked: slopes of the function, and of its gradient."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from zygpy.api import gradient
from zygpy.derivatives import derivative, is_complex, is_implicit
from zygpy.runtime.directions import inner, is_structure, or_zero
from zygpy.runtime.modes import CHECKING
from zygpy.runtime.records import Record
from zygpy.structures import mirrored, numbers_in, part_at
from zygpy.testing import trees
from zygpy.testing.check import functional, widened
from zygpy.testing.compare import (
    ALL_ENTRIES,
    SAMPLED_ENTRIES,
    Problem,
    Settings,
    along,
    compare_along,
    compare_randomly,
    one_hot,
    reference,
    tolerance_of,
)
from zygpy.testing.numeric import Estimate

Function = Callable[..., Any]

SEED = 0
SETTINGS = Settings(seed=SEED)


@dataclass(frozen=True)
class Asked:
    """A function of which derivatives are asked for, and what it is given, as it is then."""

    function: Function
    args: tuple[Any, ...]
    name: str
    keywords: dict[str, Any] = field(default_factory=dict)
    of: str = "argument"

    def value(self, *args: Any) -> Any:
        """What a copy of the function gives: whatever it changes in itself, the next finds it as it was."""
        function, keywords = trees.copy((self.function, self.keywords))
        return function(*args, **keywords)

    def gradient(self, *args: Any) -> Any:
        """The gradients, zeros where there is no path."""
        function = trees.copy(self.function)
        return or_zero(gradient(function, *args), self.args)

    def reduced(self, reduce: Callable[[Any], Any], function: Function, what: str) -> Problem:
        """The real function whose slopes are the reference: `reduce` of what a function gives."""

        def value(*args: Any) -> Any:
            with np.errstate(all="ignore"):
                return reduce(function(*args))

        value.__qualname__ = self.name
        rounding = trees.precision((self.args, function(*trees.copy(self.args))))
        problem = Problem(value, self.args, 1.0, rounding, SEED, what, lenient=True, of=self.of)
        return problem if self.of == "parameter" else widened(problem)

    def compare(self, reduce: Callable[[Any], Any], bars: Any, what: str = "gradient") -> None:
        """Compare cotangents of the arguments with slopes of the function."""
        if getattr(self.function, "__code__", None) is OF_DERIVATIVES:
            self.compare_before(self.function)
        compare_randomly(self.reduced(reduce, self.value, what), self.args, bars, SETTINGS)

    def compare_before(self, function: Function) -> None:
        """Compare the derivatives of one order less, which a function computes."""
        context = copy_context()
        context.run(CHECKING.set, True)
        context.run(function, *trees.copy(self.args))


OF_DERIVATIVES = derivative(abs).__code__
"""The code of the functions that `derivative` gives."""


def asked_of(f: Function, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Asked:
    """What is kept of a call until its derivatives are compared."""
    name = str(getattr(f, "__qualname__", f))
    if is_implicit(args):
        return _asked_of_parameters(f, list(args[0]), name)
    function, given, keywords = (trees.copy(f), trees.copy(args), trees.copy(dict(kwargs)))
    return Asked(function, given, name, keywords)


def _asked_of_parameters(f: Function, params: list[Any], name: str) -> Asked:
    """The same for implicit parameters: they are the arguments of a function that moves them where they are
    and puts them back. Integers and what may not be written are held fixed."""
    given = tuple([np.array(array) if _is_movable(array) else None for array in params])

    def function(*moved: Any) -> Any:
        kept = [array.copy() for array in params]
        try:
            _put(params, given)
            for array, old, new in zip(params, given, moved, strict=True):
                if not trees.same(old, new):  # all others may be views of this one
                    array[...] = new
            return f()
        finally:
            _put(params, kept)

    return Asked(function, given, name, of="parameter")


def _is_movable(array: Any) -> bool:
    return array.dtype.kind in "fc" and bool(array.flags.writeable)


def _put(arrays: list[Any], values: Any) -> None:
    for array, value in zip(arrays, values, strict=True):
        if value is not None and array.flags.writeable:
            array[...] = value


# --------------------------------------------------------------------------------- first derivatives


def gradients(asked: Asked, grads: Any) -> None:
    """Compare what `gradient` gave, also of the first entry of a result."""
    asked.compare(_first, _bars(grads))


def _first(y: Any) -> Any:
    """What is differentiated of a result."""
    if isinstance(y, dict):
        return next(iter(y.values()))
    return y[0] if isinstance(y, tuple) else y


def _bars(grads: Any) -> tuple[Any, ...]:
    """Gradients in the order of the arguments or parameters."""
    return grads if isinstance(grads, tuple) else tuple(grads.values())


def jacobians(asked: Asked, grads: Any) -> None:
    """Compare Jacobians by a random combination of the entries of the result."""
    weights = functional(asked.value(*trees.copy(asked.args)), SEED)
    bars = tuple([_combined(weights, part) for part in _bars(grads)])
    asked.compare(lambda y: inner(y, weights), bars, "Jacobian")


def _combined(weights: Any, part: Any) -> Any:
    """The cotangents that a combination of a result's entries has by its Jacobians."""
    if isinstance(part, dict | Record):
        items = part._asdict() if isinstance(part, Record) else part
        combined = {key: _combined(weights, item) for key, item in items.items()}
        return Record(combined) if isinstance(part, Record) else combined
    if isinstance(part, tuple | list | deque):
        several = [_combined(weights, item) for item in part]
        return tuple(several) if isinstance(part, tuple) else several
    if part is None:
        return None
    entries = np.conj(part) if is_complex(weights) else part
    return np.tensordot(weights, entries, np.ndim(weights))


def pulled(asked: Asked, back: Function, given: tuple[Any, ...], bars: Any) -> None:
    """Compare what a pullback gave for a seed."""
    (y_bar,) = given
    seed = trees.copy(y_bar)
    asked.compare(lambda y: inner(y, seed), _bars(bars), "pullback")


def pushed(asked: Asked, push: Function, tangents: tuple[Any, ...], y_dot: Any) -> None:
    """Compare what a pushforward gave, by a random combination of its entries; where that is wrong, for one
    argument after the other."""
    asked = _apart(asked)
    weights = functional(asked.value(*trees.copy(asked.args)) if is_structure(y_dot) else y_dot, SEED)
    product = trees.product_with(weights)
    problem = asked.reduced(lambda y: product(weights, y), asked.value, "pushforward")
    moving = list(_moving(asked.args, tangents))
    slopes = [reference(problem, path, leaf, direction) for path, leaf, direction in moving]
    known = [slope for slope in slopes if slope is not None]
    if len(known) == len(slopes):
        total = Estimate(sum([slope.value for slope in known]), sum([slope.error for slope in known]))
        value, size = _terms(weights, y_dot)
        if tolerance_of(problem, _flat(y_dot), SETTINGS).covers(value, total, size):
            return
    for path, _, direction in moving:

        def found(along: Any, path: Any = path) -> tuple[float, float]:
            return _terms(weights, push(*_alone(asked.args, path, along)))

        compare_along(problem, path, direction, found, tolerance_of(problem, _flat(y_dot), SETTINGS))


def _flat(y_dot: Any) -> Any:
    """The numbers of a tangent in a row."""
    return np.concatenate([np.zeros(0), *[np.ravel(dot) for _, dot in numbers_in(y_dot)]])


def _apart(asked: Asked) -> Asked:
    """The same where no two arguments are one, and move as one."""
    return replace(asked, args=tuple([trees.copy(arg) for arg in asked.args]))


def _moving(args: tuple[Any, ...], tangents: tuple[Any, ...]) -> Iterator[tuple[Any, Any, Any]]:
    """The numbers and arrays that have a tangent: where they are, and along what they move."""
    for path, leaf in trees.leaves(args):
        direction = trees.lookup(tangents, path)
        if direction is not None:
            array = isinstance(leaf, np.ndarray)
            yield path, leaf, np.broadcast_to(direction, leaf.shape) if array else direction


def _terms(weights: Any, y_dot: Any) -> tuple[float, float]:
    """A combination of a tangent's entries, and the size of its terms."""
    parts = [(part_at(weights, path), dot) for path, dot in numbers_in(y_dot)]
    products = [np.ravel(weight * dot) for weight, dot in parts]
    total = float(sum(inner(dot, weight) for weight, dot in parts))
    return total, float(np.linalg.norm(np.concatenate([np.zeros(0, complex), *products])))


def _alone(args: tuple[Any, ...], target: Any, direction: Any) -> Any:
    """Tangents that move what is at a path only."""

    def tangent(path: Any, leaf: Any) -> Any:
        if not trees.is_numeric(leaf):
            return None
        return direction if path == target else 0.0 * leaf

    return trees.transform(tangent, args)


# -------------------------------------------------------------------------------- second derivatives


def hessians(asked: Asked, rows: Any) -> None:
    """Compare a Hessian by a random combination of its rows, and the gradient before."""
    asked.compare_before(asked.gradient)
    x = asked.args[0]
    weights = functional(x, SEED)
    product = trees.product_with(weights)
    problem = asked.reduced(lambda grads: product(weights, grads[0]), asked.gradient, "Hessian")
    combined = _combined_rows(weights, rows, x) if is_structure(x) else _combined(weights, rows)
    compare_randomly(problem, asked.args, (combined,), SETTINGS)


def _combined_rows(weights: Any, rows: Any, x: Any) -> Any:
    """The same combination of the rows by the numbers in a structure."""

    def by(path: Any, number: Any) -> Any:
        parts = [
            np.tensordot(part_at(weights, row), part_at(part_at(rows, row), path), np.ndim(leaf))
            for row, leaf in numbers_in(x)
        ]
        return np.sum(parts, axis=0)

    return mirrored(x, by)


def products(asked: Asked, product: Any) -> None:
    """Compare the product of the Hessian, which is symmetric, with a direction, and the gradient before."""
    x, v = asked.args
    asked = replace(asked, args=(x,))
    asked.compare_before(asked.gradient)
    problem = asked.reduced(lambda grads: inner(grads[0], v), asked.gradient, "product with the Hessian")
    compare_randomly(problem, asked.args, (product,), SETTINGS)


def diagonals(asked: Asked, found: tuple[Any, ...]) -> None:
    """Compare diagonals of Hessians entry by entry, of large ones a sample, and the gradient before."""
    if all(diagonal is None for diagonal in found):
        return
    asked = _apart(asked)
    asked.compare_before(asked.gradient)
    random = np.random.default_rng(SEED)
    for path, _ in trees.leaves(asked.args):
        diagonal = trees.lookup(found, path)
        indices = [] if diagonal is None else list(np.ndindex(np.shape(diagonal)))
        if len(indices) > ALL_ENTRIES:
            indices = [indices[k] for k in random.choice(len(indices), SAMPLED_ENTRIES, replace=False)]
        for index in indices:
            _compare_entry(asked, path, index, diagonal)


def _compare_entry(asked: Asked, path: Any, index: tuple[int, ...], diagonal: Any) -> None:
    """Compare one entry of the diagonal of a Hessian by one number or array among the arguments."""

    def entry(grads: Any) -> float:
        return float(np.asarray(trees.lookup(grads, path))[index])

    problem = asked.reduced(entry, asked.gradient, "diagonal of the Hessian")
    alone = one_hot(trees.lookup(asked.args, path), index, 1.0)
    compare_along(problem, path, alone, along(diagonal), tolerance_of(problem, diagonal, SETTINGS))
