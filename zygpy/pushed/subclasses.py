"""Objects of classes in Python that are lists, or dicts, which tangent code meets when it runs: what they
inherit is done to them, and to the plain list or dict that is their tangent.

Fields of such objects have no tangents: who sets one, or reads one, leaves it to reverse mode.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import Any

from zygpy.load.signatures import PLAIN
from zygpy.pushed.generators import with_items
from zygpy.rules import declare
from zygpy.rules.custom import is_ruled
from zygpy.runtime.by_keyword import ByKeyword
from zygpy.runtime.lookup import in_class
from zygpy.runtime.paired_generators import is_paired
from zygpy.runtime.subclasses import inherited_container
from zygpy.runtime.tangent_items import PairTangents, items_of
from zygpy.runtime.zeros import CannotPush, check_key, of_key, or_zeros, zero_tangent


def is_held_class(cls: Any) -> bool:
    """Whether what is called is such a class, whose objects are made by `list` or `dict`.

    >>> is_held_class(type("Stack", (list,), {})), is_held_class(list)
    (True, False)
    """
    base = inherited_container(cls) if type(cls) is type else None
    if base is None or declare.find(cls) is not None or is_ruled(cls):
        return False
    return in_class(cls, "__new__") is base.__new__ and initialiser(cls) is not None


def initialiser(cls: type) -> Any:
    """What initialises the objects: a function in Python, or what `list` or `dict` has; None if neither."""
    found, base = in_class(cls, "__init__"), inherited_container(cls)
    return found if type(found) is FunctionType or found is in_class(base or cls, "__init__") else None


def is_native(value: Any, found: Any, name: Any) -> bool:
    """Whether what was found by a name is what such an object inherits from `list` or `dict`."""
    base = inherited_container(type(value))
    return base is not None and found is not None and found is vars(base).get(name)


def empty_tangent(value: Any) -> Any:
    """The tangent of such an object with nothing in it."""
    return [] if isinstance(value, list) else {}


def filled(args: tuple[Any, ...], dots: tuple[Any, ...], names: tuple[str, ...]) -> tuple[None, None]:
    """What `list` or `dict` does to initialise an object, which comes first; the last arguments may have
    names."""
    check_filled(args, dots, names)
    own, own_dot = args[0], dots[0]
    count = len(args) - len(names)
    if isinstance(own, list):
        for given, along in zip(args[1:], dots[1:], strict=True):
            (items,), (beside,) = with_items((given,), (along,))
            list.extend(own, items)
            own_dot.extend(items_of(beside, items))
        return None, None
    for given, along in zip(args[1:count], dots[1:count], strict=True):
        if type(given) is dict:
            dict.update(own, given)
            own_dot.update(zero_tangent(given) if along is None else along)
        else:
            entered_in_pairs(own, own_dot, *with_items((given,), (along,)))
    for name, value, dot in zip(names, args[count:], dots[count:], strict=True):
        dict.__setitem__(own, name, value)
        own_dot[name] = zero_tangent(value) if dot is None else dot
    return None, None


def entered_in_pairs(own: Any, own_dot: Any, args: tuple[Any], dots: tuple[Any]) -> None:
    """What `dict` does with the keys and values that something gives."""
    pairs, beside = list(args[0]), list(items_of(dots[0], args[0]))
    check_pairs(pairs, beside)
    for (key, value), (key_dot, dot) in zip(pairs, beside, strict=True):
        check_key(key, key_dot)
        dict.__setitem__(own, key, value)
        own_dot[key] = or_zeros(dot, value)


def check_pairs(pairs: list[Any], beside: list[Any]) -> None:
    """Leave to reverse mode what are no pairs, or have no pairs of tangents."""
    for item, dot in zip(pairs, beside, strict=True):
        if not (type(item) in (tuple, list) and type(dot) is type(item) and len(item) == 2 == len(dot)):
            raise CannotPush


def check_filled(args: tuple[Any, ...], dots: tuple[Any, ...], names: tuple[str, ...]) -> None:
    """Leave to reverse mode what is filled again, or out of what is not known."""
    given = len(args) - 1 - len(names)
    _check_tangent(args, dots)
    if len(dots[0]) or given > 1 or (isinstance(args[0], list) and names):
        raise CannotPush
    if given and isinstance(args[0], dict) and not gives_entries(args[1], dots[1]):
        raise CannotPush


def gives_entries(value: Any, dot: Any) -> bool:
    """Whether something is a dict, or a list, tuple or generator of pairs, with its tangents beside it."""
    return is_paired(value) or (type(value) in (dict, list, tuple) and type(dot) is type(value))


def _check_tangent(args: tuple[Any, ...], dots: tuple[Any, ...]) -> None:
    """Leave to reverse mode what has no tangent of its form, or takes what has none and may be changed."""
    known = [type(arg) in PLAIN for arg, dot in zip(args[1:], dots[1:], strict=True) if dot is None]
    base: Any = inherited_container(type(args[0])) or type(args[0])
    if type(dots[0]) is not base or not all(known) or len(dots[0]) != base.__len__(args[0]):
        raise CannotPush


def inherited_called(name: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """A method that such an object, which comes first, inherits from `list` or `dict`."""
    if type(name) is ByKeyword:
        return filled(args, dots, name.names)
    if name == "__init__":
        return filled(args, dots, ())
    if isinstance(args[0], list):
        return of_list(name, args, dots)
    return of_dict(name, args, dots)


def unbound_called(function: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """`list.append(xs, x)`, and the like."""
    check_unbound(function, args)
    return inherited_called(function.__name__, args, dots)


def check_unbound(function: Any, args: tuple[Any, ...]) -> None:
    """Leave to reverse mode what is called with something else."""
    if not args or not isinstance(args[0], function.__objclass__):
        raise CannotPush


def of_list(name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """A method of `list`, whatever the class of the object has by that name."""
    check_of_list(name, args, dots)
    xs, xs_dot = args[0], dots[0]
    if name == "append":
        list.append(xs, args[1])
        return None, xs_dot.append(or_zeros(dots[1], args[1]))
    if name == "extend":
        list.extend(xs, args[1])
        return None, xs_dot.extend(or_zeros(dots[1], args[1]))
    if name == "insert":
        list.insert(xs, args[1], args[2])
        return None, xs_dot.insert(args[1], or_zeros(dots[2], args[2]))
    if name == "pop":
        return list.pop(xs, *args[1:]), xs_dot.pop(*args[1:])
    if name == "__getitem__":
        return list.__getitem__(xs, args[1]), xs_dot[args[1]]
    if name == "__setitem__":
        list.__setitem__(xs, args[1], args[2])
        xs_dot[args[1]] = or_zeros(dots[2], args[2])
        return None, None
    return _of_whole_list(name, xs, xs_dot)


def _of_whole_list(name: str, xs: Any, xs_dot: Any) -> tuple[Any, Any]:
    """What is done without an argument."""
    if name == "__len__":
        return list.__len__(xs), None
    if name == "reverse":
        list.reverse(xs)
        return None, xs_dot.reverse()
    list.clear(xs)
    return None, xs_dot.clear()


def check_of_list(name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> None:
    """Leave to reverse mode what is not done to the tangent in the same way."""
    _check_tangent(args, dots)
    if len(args) - 1 not in OF_LISTS.get(name, ()):
        raise CannotPush
    if name in ("__getitem__", "__setitem__", "insert") and type(args[1]) is not int:
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
    "__getitem__": (1,),
    "__setitem__": (2,),
    "__len__": (0,),
    "reverse": (0,),
    "clear": (0,),
}
"""Methods that lists hand down, and how many arguments they have."""


def of_dict(name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """A method of `dict`, whatever the class of the object has by that name."""
    check_of_dict(name, args, dots)
    d, d_dot = args[0], dots[0]
    if name == "__getitem__":
        return dict.__getitem__(d, args[1]), d_dot[args[1]]
    if name == "__setitem__":
        dict.__setitem__(d, args[1], args[2])
        d_dot[args[1]] = or_zeros(dots[2], args[2])
        return None, None
    if name in ("get", "pop", "setdefault"):
        return of_key(dict, name, args, dots)
    if name == "update":
        dict.update(d, args[1])
        return None, d_dot.update(or_zeros(dots[1], args[1]))
    return _of_whole_dict(name, d, d_dot)


def _of_whole_dict(name: str, d: Any, d_dot: Any) -> tuple[Any, Any]:
    """What is done without an argument."""
    if name == "values":
        return dict.values(d), d_dot.values()
    if name == "items":
        return dict.items(d), PairTangents(d_dot)
    if name == "keys":
        return dict.keys(d), zero_tangent(list(d_dot))
    if name == "__len__":
        return dict.__len__(d), None
    dict.clear(d)
    return None, d_dot.clear()


def check_of_dict(name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> None:
    """The same of dicts."""
    _check_tangent(args, dots)
    if len(args) - 1 not in OF_DICTS.get(name, ()):
        raise CannotPush
    if name in ("__setitem__", "setdefault"):
        check_key(args[1], dots[1])
    if name == "update" and not (type(args[1]) is dict and type(dots[1]) in (dict, type(None))):
        raise CannotPush
    if (
        name == "__getitem__"
        and in_class(type(args[0]), "__missing__") is not None
        and args[1] not in dots[0]
    ):
        raise CannotPush


OF_DICTS: Mapping[str, tuple[int, ...]] = {
    **dict.fromkeys(("get", "pop", "setdefault"), (1, 2)),
    **dict.fromkeys(("values", "items", "keys", "clear", "__len__"), (0,)),
    **dict.fromkeys(("update", "__getitem__"), (1,)),
    "__setitem__": (2,),
}
"""The same of dicts."""
