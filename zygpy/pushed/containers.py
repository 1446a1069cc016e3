"""Methods of lists and dicts, with their tangents beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from zygpy.load.signatures import PLAIN
from zygpy.pushed.sets import (
    method_of_set,
)
from zygpy.pushed.tables import is_table, method_of_table
from zygpy.runtime.by_keyword import ByKeyword
from zygpy.runtime.set_tangents import SETS
from zygpy.runtime.tangent_items import PairTangents
from zygpy.runtime.zeros import (
    CannotPush,
    of_key,
    or_zeros,
    zero_tangent,
)


def is_container(value: Any) -> bool:
    """Whether something is a list, dict or set of Python's own, or of `collections`."""
    return type(value) in (list, dict, *SETS) or is_table(value)


def method_of_container(name: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """A method of such a thing, whose tangent has the tangents of what is in it."""
    if type(name) is ByKeyword:
        return updated_by_name(name, args, dots)
    made: tuple[Any, Any] = method_for(args[0])(name, args, dots)
    return made


def updated_by_name(named: ByKeyword, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[None, None]:
    """`d.update(a=v)`, of a dict of Python's own."""
    check_updated_by_name(named, args, dots)
    for name, value, dot in zip(named.names, args[1:], dots[1:], strict=True):
        args[0][name] = value
        dots[0][name] = or_zeros(dot, value)
    return None, None


def check_updated_by_name(named: ByKeyword, args: tuple[Any, ...], dots: tuple[Any, ...]) -> None:
    """Leave any other method with names to reverse mode."""
    _check_container(dict, args, dots)
    if named.function != "update" or type(args[0]) is not dict or len(args) != 1 + len(named.names):
        raise CannotPush


def method_for(container: Any) -> Callable[..., tuple[Any, Any]]:
    """What does the methods of such a thing."""
    if type(container) is list:
        return method_of_list
    if type(container) is dict:
        return method_of_dict
    return method_of_table if is_table(container) else method_of_set


def shares_memory(y: Any, x: Any) -> bool:
    """Whether these are arrays one of which may be a view of the other."""
    return type(y) is np.ndarray is type(x)


def method_of_list(name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """A method of a list, whose tangent is one of the same length."""
    check_method_of_list(name, args, dots)
    xs, xs_dot = args[0], dots[0]
    if name == "append":
        xs.append(args[1])
        return None, xs_dot.append(or_zeros(dots[1], args[1]))
    if name == "extend":
        xs.extend(args[1])
        return None, xs_dot.extend(or_zeros(dots[1], args[1]))
    if name == "insert":
        xs.insert(args[1], args[2])
        return None, xs_dot.insert(args[1], or_zeros(dots[2], args[2]))
    if name == "pop":
        return xs.pop(*args[1:]), xs_dot.pop(*args[1:])
    if name == "clear":
        xs.clear()
        return None, xs_dot.clear()
    if name == "reverse":
        xs.reverse()
        return None, xs_dot.reverse()
    return xs.copy(), xs_dot.copy()


def check_method_of_list(name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> None:
    """Leave to reverse mode what is not done to the tangent of a list in the same way."""
    _check_container(list, args, dots)
    if OF_LISTS.get(name) is None or len(args) - 1 not in OF_LISTS[name]:
        raise CannotPush
    if name == "extend" and not (
        type(args[1]) in (list, tuple) and type(dots[1]) in (type(args[1]), type(None))
    ):
        raise CannotPush


OF_LISTS: Mapping[str, tuple[int, ...]] = {
    "append": (1,),
    "extend": (1,),
    "insert": (2,),
    "pop": (0, 1),
    "clear": (0,),
    "reverse": (0,),
    "copy": (0,),
}
"""Methods of lists that are done to their tangents in the same way, and how many arguments they have."""


def method_of_dict(name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """A method of a dict, whose tangent is one with the same keys."""
    check_method_of_dict(name, args, dots)
    d, d_dot = args[0], dots[0]
    if name in ("get", "pop", "setdefault"):
        return of_key(dict, name, args, dots)
    if name == "values":
        return d.values(), d_dot.values()
    if name == "items":
        return d.items(), PairTangents(d_dot)
    if name == "keys":
        return d.keys(), zero_tangent(list(d))
    if name == "update":
        d.update(args[1])
        return None, d_dot.update(or_zeros(dots[1], args[1]))
    if name == "clear":
        d.clear()
        return None, d_dot.clear()
    return d.copy(), d_dot.copy()


def check_method_of_dict(name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> None:
    """Leave to reverse mode what is not done to the tangent of a dict in the same way."""
    _check_container(dict, args, dots)
    if OF_DICTS.get(name) is None or len(args) - 1 not in OF_DICTS[name]:
        raise CannotPush
    if name == "update" and not (type(args[1]) is dict and type(dots[1]) in (dict, type(None))):
        raise CannotPush


OF_DICTS: Mapping[str, tuple[int, ...]] = {
    "get": (1, 2),
    "pop": (1, 2),
    "setdefault": (1, 2),
    "values": (0,),
    "items": (0,),
    "keys": (0,),
    "update": (1,),
    "clear": (0,),
    "copy": (0,),
}
"""The same of dicts."""


def _check_container(cls: type, args: tuple[Any, ...], dots: tuple[Any, ...]) -> None:
    """Leave a container to reverse mode that has no tangent of its form, or takes what has none and may be
    changed."""
    known = [type(arg) in PLAIN for arg, dot in zip(args[1:], dots[1:], strict=True) if dot is None]
    if type(dots[0]) is not cls or not all(known):
        raise CannotPush
