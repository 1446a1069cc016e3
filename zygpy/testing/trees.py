"""Numbers and arrays inside nested tuples, lists and dicts: walking, replacing, comparing."""

from __future__ import annotations

import copy as copying
from collections import deque
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

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


def children(tree: Any) -> Iterator[tuple[Any, Any]]:
    """The (key, subtree) pairs of a container; nothing for a leaf."""
    if isinstance(tree, dict):
        yield from tree.items()
    elif isinstance(tree, tuple | list | deque):
        yield from enumerate(tree)


def rebuild(tree: Any, items: list[Any]) -> Any:
    """A container like `tree` that holds `items`."""
    if isinstance(tree, dict) and type(tree) is dict:
        return dict(zip(tree, items, strict=True))
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*items)
    return type(tree)(items) if isinstance(tree, tuple) or type(tree) is list else _refilled(tree, items)


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


def transform(function: Callable[[Path, Any], Any], tree: Any, path: Path = ()) -> Any:
    """The tree with every leaf replaced by `function(path, leaf)`.

    >>> transform(lambda path, leaf: (path, leaf), [1.0, {"a": 2.0}])
    [((0,), 1.0), {'a': ((1, 'a'), 2.0)}]
    """
    if isinstance(tree, dict | tuple | list | deque):
        items = [transform(function, subtree, (*path, key)) for key, subtree in children(tree)]
        return rebuild(tree, items)
    return function(path, tree)


def leaves(tree: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """The numeric leaves with their paths."""
    if is_numeric(tree):
        yield path, tree
    for key, subtree in children(tree):
        yield from leaves(subtree, (*path, key))


def copy(tree: Any) -> Any:
    """The tree with fresh containers and arrays; what is one array before is one array after."""
    made: dict[int, Any] = {}

    def fresh(_: Path, leaf: Any) -> Any:
        if not isinstance(leaf, np.ndarray):
            return leaf
        return made.setdefault(id(leaf), np.array(leaf, order="K"))

    return transform(fresh, tree)


def replace(tree: Any, target: Path, value: Any) -> Any:
    """A copy of the tree with another leaf at `target`."""
    return transform(lambda path, leaf: value if path == target else leaf, copy(tree))


def lookup(tree: Any, path: Path) -> Any:
    """The subtree at `path` of a gradient, or None where the gradient ends earlier."""
    for key in path:
        if tree is None or (isinstance(tree, dict) and key not in tree):
            return None
        tree = tree[key]
    return tree


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


def inner_of_leaves(weight: Any, value: Any) -> Any:
    """The real inner product of two numbers or arrays."""
    if np.iscomplexobj(weight) or np.iscomplexobj(value):
        return np.sum(np.real(np.conj(weight) * value))
    if isinstance(value, np.ndarray):
        return np.sum(weight * value)
    return weight * value


def same(left: Any, right: Any) -> bool:
    """Whether two values are equal bit for bit, types and dtypes included.

    >>> same((1.0, [0.0]), (1.0, [-0.0])), same(1.0, 1), same({"a": 2}, {"a": 2})
    (False, False, True)
    """
    if type(left) is not type(right):
        return False
    if isinstance(left, dict) and list(left) != list(right):
        return False
    if isinstance(left, dict | tuple | list | deque):
        pairs = zip(children(left), children(right), strict=False)
        return len(left) == len(right) and all(same(a, b) for (_, a), (_, b) in pairs)
    return same_leaf(left, right)


def same_leaf(left: Any, right: Any) -> bool:
    """Whether two leaves of one type are equal bit for bit."""
    if isinstance(left, np.ndarray | np.generic):
        alike = left.dtype == right.dtype and left.shape == right.shape
        return bool(alike and left.tobytes() == right.tobytes())
    if isinstance(left, float | complex):
        return repr(left) == repr(right)
    if callable(left):
        return bool(getattr(left, "__qualname__", left) == getattr(right, "__qualname__", right))
    return bool(left == right)
