"""Methods of dicts of the standard library's other classes that tangent code meets when it runs.

The tangent of an `OrderedDict` is one too, as its order may be changed; that of a `defaultdict` or a
`Counter` is a plain dict, in which there is what is in these: what they make for a key that is not there is
made beside.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Mapping
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from zygpy.pushed.found import called
from zygpy.runtime.cells import content
from zygpy.runtime.set_tangents import check_elements
from zygpy.runtime.tangent_items import PairTangents
from zygpy.runtime.zeros import CannotPush, check_key, of_key, or_zeros, zero_tangent

TABLES: Mapping[type, type] = {OrderedDict: OrderedDict, defaultdict: dict, Counter: dict}
"""These classes, and what their tangents are."""


def is_table(value: Any) -> bool:
    """Whether something is a dict of one of these classes.

    >>> is_table(Counter("ab")), is_table({})
    (True, False)
    """
    return type(value) in TABLES


def is_table_class(function: Any) -> bool:
    """Whether what is called is one of these classes, of which one is made with nothing in it, or of a dict.

    >>> is_table_class(OrderedDict), is_table_class(dict)
    (True, False)
    """
    return function is OrderedDict or function is Counter or function is defaultdict


def table_made(cls: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """`OrderedDict()` and `Counter()`, empty or with what is in a dict or a list of pairs."""
    check_table_made(cls, args, dots)
    if cls is defaultdict:
        return cls(*args), {}
    if not args:
        return cls(), (OrderedDict() if cls is OrderedDict else {})
    if cls is Counter:
        y = cls(args[0])
        return y, dict.fromkeys(y, 0.0)
    pairs = list(zip(args[0], dots[0], strict=True))
    return cls(args[0]), cls([(item[0], dot[1]) for item, dot in pairs])


def check_table_made(cls: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> None:
    """Leave to reverse mode what is made of anything else."""
    if not args:
        return
    if len(args) > 1 or (cls is defaultdict and not _is_known(args[0])):
        raise CannotPush
    if cls is Counter:
        if type(args[0]) not in (str, list, tuple, range):
            raise CannotPush
        check_elements(args[0])
    elif cls is OrderedDict:
        _check_pairs(args, dots)


def _check_pairs(args: tuple[Any, ...], dots: tuple[Any, ...]) -> None:
    """Leave to reverse mode what is made of anything else than a list of pairs."""
    if not (type(args[0]) is type(dots[0]) is list):
        raise CannotPush
    for item, dot in zip(args[0], dots[0], strict=True):
        if type(item) is not tuple or len(item) != 2:
            raise CannotPush
        check_elements(item[:1])
        check_key(item[0], dot[0])


def method_of_table(name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """A method of such a dict, done to its tangent in the same way."""
    check_method_of_table(name, args, dots)
    if name in ("__getitem__", "__setitem__"):
        return _of_item(name, args, dots)
    if name in ("get", "pop", "setdefault"):
        return of_key(type(args[0]), name, args, dots)
    if name in ("move_to_end", "popitem", "most_common"):
        return _of_order(name, args, dots)
    d, d_dot = args[0], dots[0]
    if name == "values":
        return d.values(), d_dot.values()
    if name == "items":
        return d.items(), PairTangents(d_dot)
    if name == "keys":
        return d.keys(), zero_tangent(list(d))
    if name == "copy":
        return d.copy(), d_dot.copy()
    d.clear()
    d_dot.clear()
    return None, None


def _of_item(name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """`d[k]`, and `d[k] = v`."""
    d, d_dot, key = args[0], dots[0], args[1]
    if name == "__setitem__":
        d[key] = args[2]
        d_dot[key] = or_zeros(dots[2], args[2])
        return None, None
    if key in d:
        return d[key], d_dot[key]
    if type(d) is defaultdict and _is_bare_function(d.default_factory):
        d[key], d_dot[key] = called(d.default_factory, None, (), (), True)
        return d[key], d_dot[key]
    y = d[key]  # which is made, and kept by a `defaultdict`
    if key not in d:
        return y, 0.0
    d_dot[key] = zero_tangent(y) if not isinstance(y, list | dict | set) else empty_beside(y)
    return y, d_dot[key]


def _of_order(name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """What asks for the order of the items, or changes it."""
    d, d_dot, rest = args[0], dots[0], args[1:]
    if name == "move_to_end":
        d.move_to_end(*rest)
        d_dot.move_to_end(*rest)
        return None, None
    if name == "popitem":
        key, value = d.popitem(*rest)
        return (key, value), (zero_tangent(key), d_dot.pop(key))
    y = d.most_common(*rest)
    return y, [(zero_tangent(key), d_dot[key]) for key, _ in y]


def empty_beside(made: Any) -> Any:
    """The tangent of a list, dict or set with nothing in it."""
    return [] if type(made) is list else {}


def check_method_of_table(name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> None:
    """Leave to reverse mode what is not done to the tangent in the same way."""
    cls = type(args[0])
    counts = OF_ONE.get((cls, name), OF_TABLES.get(name, ()))
    if type(dots[0]) is not TABLES[cls] or len(args) - 1 not in counts or not _knows(args[0]):
        raise CannotPush
    if name in ("__setitem__", "setdefault"):
        check_key(args[1], dots[1])


def _knows(table: Any) -> bool:
    """Whether what a dict makes for keys that are not there is known."""
    return type(table) is not defaultdict or _is_known(table.default_factory)


def _is_known(factory: Any) -> bool:
    """Whether it is known what makes values, and that it captures nothing that may vary."""
    return any(factory is known for known in FACTORIES) or _is_bare_function(factory)


def _is_bare_function(factory: Any) -> bool:
    """Whether a function has nothing of its own that may vary."""
    if type(factory) is not FunctionType or factory.__defaults__ or factory.__kwdefaults__:
        return False
    return all(type(content(cell)) in (ModuleType, type, BuiltinFunctionType) for cell in cells_of(factory))


def cells_of(factory: FunctionType) -> tuple[Any, ...]:
    """The cells that a function reads."""
    return factory.__closure__ or ()


FACTORIES = (None, list, dict, set, int, float)
"""What makes something with nothing in it, and numbers that do not vary."""

OF_TABLES: Mapping[str, tuple[int, ...]] = {
    **dict.fromkeys(("get", "pop", "setdefault"), (1, 2)),
    **dict.fromkeys(("values", "items", "keys", "clear", "copy"), (0,)),
    "__getitem__": (1,),
    "__setitem__": (2,),
    "popitem": (0,),
}
"""Methods of all of these, and how many arguments they have."""

OF_ONE: Mapping[tuple[type, str], tuple[int, ...]] = {
    (OrderedDict, "move_to_end"): (1, 2),
    (OrderedDict, "popitem"): (0, 1),
    (Counter, "most_common"): (0, 1),
}
"""Methods of one."""
