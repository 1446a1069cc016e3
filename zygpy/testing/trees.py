"""Numbers and arrays inside nested containers, objects and functions: walking, replacing, comparing."""

from __future__ import annotations

import copy as copying
from collections import deque
from collections.abc import Callable, Iterator
from fractions import Fraction
from types import CellType, FunctionType, MethodType
from typing import Any, TypeAlias

import numpy as np

from zygpy.runtime.object_arrays import holds_objects
from zygpy.runtime.partials import is_function_like
from zygpy.runtime.records import Record
from zygpy.testing import things

Path: TypeAlias = tuple[Any, ...]
"""Where a leaf is: argument number, then keys and positions."""


def is_numeric(value: Any) -> bool:
    """Whether a value can be varied: a number (not a bool) or an array of numbers."""
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype.kind in "iufc"
    return isinstance(value, int | float | complex | Fraction) and not isinstance(value, bool)


def is_integer(value: Any) -> bool:
    """Whether a numeric leaf holds integers."""
    return isinstance(value, int) or (isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "iu")


def is_complex(value: Any) -> bool:
    """Whether a numeric leaf is complex."""
    return bool(np.iscomplexobj(value))


def is_container(value: Any) -> bool:
    """Whether a value holds others under keys and positions."""
    return isinstance(value, dict | tuple | list | deque) or holds_objects(value)


def is_thing(value: Any) -> bool:
    """Whether it matters that a value is one and the same in two places: it may be changed."""
    if isinstance(value, np.ndarray | dict | list | deque | CellType):
        return True
    return not is_numeric(value) and not things.is_transparent(value) and bool(things.fields(value))


def children(tree: Any) -> Iterator[tuple[Any, Any]]:
    """The (key, subtree) pairs of a container, an object or a function; nothing for a leaf."""
    if isinstance(tree, dict):
        yield from tree.items()
    elif isinstance(tree, tuple | list | deque):
        yield from enumerate(tree)
    elif holds_objects(tree):
        yield from zip(np.ndindex(tree.shape), tree.flat, strict=True)
    elif not is_numeric(tree):
        yield from things.fields(tree)


def step(path: Path, key: Any) -> Path:
    """The path one step further."""
    return path if key is things.CONTENT else (*path, key)


def holds_numbers(tree: Any, seen: set[int] | None = None) -> bool:
    """Whether there is something to vary in a value."""
    seen = set() if seen is None else seen
    if is_numeric(tree):
        return True
    if id(tree) in seen:
        return False
    seen.add(id(tree))
    return any(holds_numbers(subtree, seen) for _, subtree in children(tree))


def may_change(tree: Any) -> bool:
    """Whether a value leads to numbers, or to what may be filled with some."""
    kinds = (list, dict, deque)
    return holds_numbers(tree) or any(isinstance(node, kinds) for _, node in nodes(tree))


def rebuild(tree: Any, items: list[Any]) -> Any:
    """A container like `tree` that holds `items`."""
    if isinstance(tree, dict) and type(tree) is dict:
        return dict(zip(tree, items, strict=True))
    if isinstance(tree, tuple):
        return _like_tuple(tree, items)
    if isinstance(tree, np.ndarray):
        made = np.empty(tree.shape, object)
        for (index, _), item in zip(children(tree), items, strict=True):
            made[index] = item
        return made
    return items if type(tree) is list else _refilled(tree, items)


def _like_tuple(tree: Any, items: list[Any]) -> Any:
    """A tuple of the same class, and with the same fields, made past a `__new__` of its own."""
    made = tuple.__new__(type(tree), items)
    vars(made).update(vars(tree)) if hasattr(tree, "__dict__") else None
    return made


def _refilled(tree: Any, items: list[Any]) -> Any:
    """A copy of a list, dict or queue of another class, with other items."""
    made: Any = copying.copy(tree)
    if isinstance(tree, dict):
        for key, item in zip(tree, items, strict=True):
            dict.__setitem__(made, key, item)
    elif isinstance(tree, list):
        list.__setitem__(made, slice(None), items)
    else:
        made.clear()
        made.extend(items)
    return made


def transform(function: Callable[[Path, Any], Any], tree: Any) -> Any:
    """The tree with every leaf replaced by `function(path, leaf)`; what is one thing before is one after.

    >>> transform(lambda path, leaf: (path, leaf), [1.0, {"a": 2.0}])
    [((0,), 1.0), {'a': ((1, 'a'), 2.0)}]
    """
    return _Transformed(function).of(tree, ())


class _Transformed:
    """What values become, and what things have become so far."""

    def __init__(self, function: Callable[[Path, Any], Any]) -> None:
        self.function = function
        self.made: dict[int, Any] = {}

    def of(self, tree: Any, path: Path) -> Any:
        """What a value at a path becomes."""
        if id(tree) in self.made:
            return self.made[id(tree)]
        if is_container(tree) or things.is_transparent(tree):
            made = self.of_parts(tree, path)
        elif is_numeric(tree) or not (is_thing(tree) and may_change(tree)):
            made = self.function(path, tree)
        else:
            return (
                self.of_function(tree, path) if isinstance(tree, FunctionType) else self.of_object(tree, path)
            )
        if is_thing(tree):
            self.made[id(tree)] = made
        return made

    def of_parts(self, tree: Any, path: Path) -> Any:
        """The same for what is made of its parts."""
        items = [self.of(subtree, step(path, key)) for key, subtree in children(tree)]
        return rebuild(tree, items) if is_container(tree) else things.rebuilt(tree, items)

    def of_object(self, tree: Any, path: Path) -> Any:
        """The same for an object, which is known before its fields are filled: they may lead back to it."""
        made = self.made[id(tree)] = things.blank(tree)
        for key, field in children(tree):
            things.fill(made, tree, key, self.of(field, step(path, key)))
        return made

    def of_function(self, tree: FunctionType, path: Path) -> Any:
        """The same for a function, which shares its captured variables with those that share them before."""
        cells = dict(children(tree))
        given = tuple([self.made.get(id(cell), CellType()) for cell in cells.values()])
        made = self.made[id(tree)] = things.with_cells(tree, given)
        for (key, cell), other in zip(cells.items(), given, strict=True):
            if id(cell) not in self.made:
                self.made[id(cell)] = other
                for _, content in children(cell):
                    other.cell_contents = self.of(content, step(path, key))
        return made


def nodes(tree: Any, path: Path = (), seen: set[int] | None = None) -> Iterator[tuple[Path, Any]]:
    """All values in the tree with their paths; a thing is met once, where it is found first."""
    seen = set() if seen is None else seen
    if is_thing(tree):
        if id(tree) in seen:
            return
        seen.add(id(tree))
    yield path, tree
    for key, subtree in children(tree):
        yield from nodes(subtree, step(path, key), seen)


def leaves(tree: Any) -> Iterator[tuple[Path, Any]]:
    """The numeric leaves with their paths."""
    return ((path, leaf) for path, leaf in nodes(tree) if is_numeric(leaf))


def parts_of(tree: Any, bars: Any) -> dict[Path, list[Any]]:
    """The cotangents of every numeric leaf, by its path: of a thing that is found in several places, there
    may be one from each.

    >>> both = [2.0]
    >>> parts_of((both, both), ([1.0], [5.0]))
    {(0, 0): [1.0, 5.0]}
    """
    first = {id(thing): path for path, thing in nodes(tree) if is_thing(thing)}
    found: dict[Path, list[Any]] = {}

    def walk(subtree: Any, bar: Any, path: Path) -> None:
        path = first.get(id(subtree), path) if is_thing(subtree) else path
        if bar is not None and is_numeric(subtree):
            found.setdefault(path, []).append(bar)
        if bar is not None:
            for key, part in children(subtree):
                walk(part, lookup(bar, () if key is things.CONTENT else (key,)), step(path, key))

    walk(tree, bars, ())
    return found


def copy(tree: Any) -> Any:
    """The tree with fresh containers, objects and arrays; what is one of them before is one after."""
    return transform(_fresh, tree)


def _fresh(_: Path, leaf: Any) -> Any:
    return np.array(leaf, order="K") if isinstance(leaf, np.ndarray) else leaf


def replace(tree: Any, target: Path, value: Any) -> Any:
    """A copy of the tree with another leaf at `target`."""
    return transform(lambda path, leaf: value if path == target else _fresh(path, leaf), tree)


def lookup(tree: Any, path: Path) -> Any:
    """The subtree at `path` of a gradient, or None where the gradient ends earlier."""
    for key in path:
        if tree is None or (isinstance(tree, dict) and not isinstance(key, things.Field) and key not in tree):
            return None
        tree = things.entry(tree, key.name) if isinstance(key, things.Field) else tree[key]
    return tree


def weights_of(
    function: Callable[[Any], Any], tree: Any, *, carried: bool = False, around: frozenset[int] = frozenset()
) -> Any:
    """A tree with `function(leaf)` for every numeric leaf and a Record for every object, with `carried` also
    for what a function carries; None for all else, and for what leads back to itself."""
    deeper = around | {id(tree)}

    def weights(subtree: Any) -> Any:
        return weights_of(function, subtree, carried=carried, around=deeper)

    if is_container(tree):
        return rebuild(tree, [weights(subtree) for _, subtree in children(tree)])
    if isinstance(tree, CellType):
        return next((weights(content) for _, content in children(tree)), None)
    if is_numeric(tree) or id(tree) in around:
        return function(tree) if is_numeric(tree) else None
    if is_function_like(type(tree)) and not carried:
        return None
    parts = {key.name: weights(part) for key, part in children(tree)}
    return Record(parts) if parts else None


def widen(_: Path, leaf: Any) -> Any:
    """A leaf of less than double precision in double precision; any other leaf as it is."""
    if isinstance(leaf, np.ndarray | np.generic) and leaf.dtype.char in "efF":
        wide = np.complex128 if leaf.dtype.kind == "c" else np.float64
        return leaf.astype(wide)
    return leaf


def precision(tree: Any) -> float:
    """The coarsest rounding error among the leaves, at least that of a double."""
    kinds = [np.finfo(leaf.dtype).eps for _, leaf in leaves(tree) if has_float_dtype(leaf)]
    return float(max(kinds, default=2.0**-52))


def has_float_dtype(leaf: Any) -> bool:
    """Whether a leaf is a NumPy scalar or array of an inexact dtype."""
    return isinstance(leaf, np.ndarray | np.generic) and leaf.dtype.kind in "fc"


def shift(leaf: Any, direction: Any, distance: float) -> Any:
    """`leaf + distance * direction` in the leaf's own type (integers become floats)."""
    if isinstance(leaf, Fraction):
        return leaf + Fraction(distance) * Fraction(direction)
    if not has_float_dtype(leaf):
        moved = leaf + distance * direction
        return np.asarray(moved) if isinstance(leaf, np.ndarray) else moved
    moved = np.asarray(leaf + distance * direction).astype(leaf.dtype)
    return moved if isinstance(leaf, np.ndarray) else moved[()]


def random_like(random: np.random.Generator, leaf: Any) -> Any:
    """A random direction of a leaf: of its shape, and complex where it is."""
    shape = np.shape(leaf)
    real = random.standard_normal(shape)
    values = real + 1j * random.standard_normal(shape) if is_complex(leaf) else real
    if isinstance(leaf, np.ndarray):
        return np.asarray(values)
    return complex(values) if is_complex(leaf) else float(values)


def inner(weights: Any, values: Any) -> Any:
    """The real inner product of two trees of one form; None counts as zero.

    It is differentiated itself when second derivatives are checked.

    >>> float(inner([2.0, None, (1j,)], [3.0, 5.0, (4 + 7j,)]))
    13.0
    """
    if weights is None or values is None:
        return 0.0
    if isinstance(values, dict):
        total = 0.0
        for key in values:
            total = total + inner(weights[key], values[key])
        return total
    if isinstance(values, tuple | list | deque):
        total = 0.0
        for weight, value in zip(weights, values, strict=True):
            total = total + inner(weight, value)
        return total
    return inner_of_leaves(weights, values)


def inner_of_objects(weights: Any, values: Any) -> Any:
    """The same of trees with objects, whose weights are Records."""
    if weights is None or values is None:
        return 0.0
    pairs = weighted_parts(weights, values)
    if pairs is None:
        return inner_of_leaves(weights, values)
    total = 0.0
    for weight, value in pairs:
        total = total + inner_of_objects(weight, value)
    return total


def weighted_parts(weights: Any, values: Any) -> Any:
    """The parts of a tree with their weights; None of a leaf."""
    if isinstance(weights, Record) and isinstance(values, dict):
        return [(weight, values.get(name)) for name, weight in weights._asdict().items()]
    if isinstance(weights, Record):
        return [(weight, getattr(values, name, None)) for name, weight in weights._asdict().items()]
    if isinstance(values, dict):
        return [(weights[key], values[key]) for key in values]
    if holds_objects(values):
        weights, values = weights.ravel().tolist(), values.ravel().tolist()
    if isinstance(values, tuple | list | deque):
        return list(zip(weights, values, strict=True))
    return None


def product_with(weights: Any) -> Callable[[Any, Any], Any]:
    """The inner product for trees of such weights: that of objects is harder to differentiate."""
    records = any(isinstance(node, Record) or holds_objects(node) for _, node in nodes(weights))
    return inner_of_objects if records else inner


def inner_of_leaves(weight: Any, value: Any) -> Any:
    """The real inner product of two numbers or arrays."""
    if np.iscomplexobj(weight) or np.iscomplexobj(value):
        return np.sum(np.real(np.conj(weight) * value))
    if isinstance(value, np.ndarray):
        return np.sum(weight * value)
    return weight * value


def same(left: Any, right: Any, seen: frozenset[int] = frozenset()) -> bool:
    """Whether two values are equal bit for bit, types and dtypes included; objects by their fields.

    >>> same((1.0, [0.0]), (1.0, [-0.0])), same(1.0, 1), same({"a": 2}, {"a": 2})
    (False, False, True)
    """
    if left is right or id(left) in seen:
        return True
    if type(left) is not type(right):
        return False
    if isinstance(left, dict) and list(left) != list(right):
        return False
    pairs, others = list(children(left)), list(children(right))
    if not (pairs or others) or isinstance(left, FunctionType | MethodType):
        return same_leaf(left, right)
    deeper = seen | {id(left)}
    return len(pairs) == len(others) and all(
        key == other and same(a, b, deeper) for (key, a), (other, b) in zip(pairs, others, strict=True)
    )


def _is_padded_alike(left: Any, right: Any) -> bool:
    """Whether numbers are equal of which not all bytes count: those of `np.longdouble` have some to spare."""
    if left.dtype.char not in "gG":
        return False
    signs = np.array_equal(np.signbit(left.real), np.signbit(right.real))
    return signs and np.array_equal(left, right, equal_nan=True)


def same_leaf(left: Any, right: Any) -> bool:
    """Whether two leaves of one type are equal bit for bit."""
    if isinstance(left, np.ndarray | np.generic):
        alike = left.dtype == right.dtype and left.shape == right.shape
        return bool(alike and (left.tobytes() == right.tobytes() or _is_padded_alike(left, right)))
    if isinstance(left, float | complex):
        return repr(left) == repr(right)
    if callable(left):
        return bool(getattr(left, "__qualname__", left) == getattr(right, "__qualname__", right))
    return bool(left == right)
