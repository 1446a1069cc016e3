"""What a `match` statement asks about its subject where no operator of Python asks it."""

from __future__ import annotations

import gc
from array import array
from collections import ChainMap, UserDict, deque
from collections.abc import Mapping, Sequence
from types import FunctionType, MappingProxyType
from typing import Any

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.harmless import is_harmless
from zygpy.runtime.lookup import in_class, own_fields

SELF_MATCHING = (
    bool,
    bytearray,
    bytes,
    dict,
    float,
    frozenset,
    int,
    list,
    set,
    str,
    tuple,
)


def match_sequence(subject: Any, minimum: int, exact: bool) -> bool:
    """Whether a sequence pattern of this length may match: text and bytes are no sequences here.

    >>> match_sequence([1, 2], 2, True), match_sequence("ab", 2, True), match_sequence((1, 2), 1, False)
    (True, False, True)
    """
    if isinstance(subject, str | bytes | bytearray) or not isinstance(subject, Sequence | array | deque):
        return False
    return len(subject) == minimum if exact else len(subject) >= minimum


def match_attribute(subject: Any, name: str) -> bool:
    """Whether the subject has an attribute, for which a pattern asks once: code that may change something
    when it is asked is not run here.

    >>> match_attribute(1.0, "real"), match_attribute(1.0, "length")
    (True, False)
    """
    cls = type(subject)
    found = in_class(cls, name, None)
    if found is None and name not in own_fields(subject):
        asked = in_class(cls, "__getattr__", None)
        if isinstance(asked, FunctionType) and not is_harmless(asked, cls):
            raise UnsupportedSyntaxError(
                f"a {cls.__name__} is matched by an attribute that its '__getattr__' may give.",
                why="a pattern asks for it once, and what that changes would be changed twice",
                instead="ask for the attribute before the `match` statement",
            )
        return hasattr(subject, name)
    computed = found.fget if isinstance(found, property) else None
    changing = isinstance(computed, FunctionType) and not is_harmless(computed, cls)
    return changing or hasattr(subject, name)


def match_mapping(subject: Any, keys: tuple[Any, ...]) -> bool:
    """Whether the subject is a mapping that has all the keys.

    >>> match_mapping({"a": 1}, ("a",)), match_mapping({"a": 1}, ("b",)), match_mapping([], ())
    (True, False, False)
    """
    if not isinstance(subject, Mapping) or len(subject) < len(keys):
        return False
    if keys and not _gives_items(type(held_by_proxy(subject))):
        raise UnsupportedSyntaxError(
            f"a {type(subject).__name__} is matched by its keys, whose class gives items itself.",
            why="a pattern takes the values that 'get' gives, which are read here as items",
            instead="ask for the keys: `if 'a' in d: ... d['a']`",
        )
    missing = object()
    return all(subject.get(key, missing) is not missing for key in keys)


def _gives_items(cls: Any) -> bool:
    """Whether the `get` of a mapping gives what its items are."""
    if issubclass(cls, dict):
        return cls.get is dict.get and cls.__getitem__ is dict.__getitem__
    return cls.get in (Mapping.get, UserDict.get, ChainMap.get)


def held_by_proxy(subject: Any) -> Any:
    """The mapping that a `MappingProxyType` shows, whose `get` it calls, and anything else as it is."""
    return gc.get_referents(subject)[0] if type(subject) is MappingProxyType else subject


def match_positional(subject: Any, kind: type, count: int) -> tuple[Any, ...] | None:
    """The values of the positional sub-patterns of `kind(...)`; None where an attribute is missing.

    Raises TypeError, as Python does, if the class has fewer positions.

    >>> match_positional(3.0, float, 1)
    (3.0,)
    """
    if count == 1 and not hasattr(kind, "__match_args__") and issubclass(kind, SELF_MATCHING):
        return (subject,)
    names = getattr(kind, "__match_args__", ())
    if count > len(names):
        raise TypeError(
            f"{kind.__name__}() accepts {len(names)} positional sub-pattern"
            f"{'' if len(names) == 1 else 's'} ({count} given)"
        )
    if not all(hasattr(subject, name) for name in names[:count]):
        return None
    return tuple(getattr(subject, name) for name in names[:count])
