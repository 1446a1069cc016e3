"""The text of what `dataclass` writes to initialise objects: the fields are set one by one, as the class
says."""

from __future__ import annotations

import dataclasses
import inspect
import weakref
from types import FunctionType
from typing import Any

from zygpy.marks import TEXT

Given = tuple[int, tuple[str, ...]]
"""How many arguments a call gives by position, and which by name."""

_written: weakref.WeakKeyDictionary[type, tuple[FunctionType, dict[frozenset[str], FunctionType]]] = (
    weakref.WeakKeyDictionary()
)


def written_initialiser(cls: type, given: Given) -> FunctionType | None:
    """A function with a text that does what the `__init__` of a dataclass does when it is called with so
    many arguments; None for other classes. What a factory makes then is no parameter.

    >>> @dataclasses.dataclass
    ... class Point:
    ...     x: float
    ...     y: float = 0.0
    ...     path: list = dataclasses.field(default_factory=list)
    >>> print(getattr(written_initialiser(Point, (1, ())), TEXT))
    def __init__(self, x, y=Ellipsis):
        self.x = x
        self.y = y
        self.path = _make_path()
    """
    init = cls.__dict__.get("__init__")
    if "__dataclass_fields__" not in cls.__dict__ or not isinstance(init, FunctionType):
        return None
    if init.__code__.co_filename != "<string>":
        return None
    known = _written.get(cls)
    if known is None or known[0] is not init:
        known = _written[cls] = init, {}
    missing = _made_by_factories(cls, init, given)
    if missing not in known[1]:
        known[1][missing] = _write(cls, init, missing)
    return known[1][missing]


def _made_by_factories(cls: Any, init: FunctionType, given: Given) -> frozenset[str]:
    """The fields that are made by a factory in such a call."""
    count, named = given
    positional = list(inspect.signature(init).parameters)[1 : count + 1]
    found = (field for field in cls.__dataclass_fields__.values() if _has_factory(field))
    return frozenset(field.name for field in found if field.name not in (*positional, *named))


def _has_factory(field: Any) -> bool:
    return field.default_factory is not dataclasses.MISSING


def _write(cls: Any, init: FunctionType, missing: frozenset[str]) -> FunctionType:
    signature = inspect.signature(init)
    owner = next(iter(signature.parameters))
    fields = [field for field in cls.__dataclass_fields__.values() if _sort(field) != "_FIELD_CLASSVAR"]
    names = {"_object": object, **{f"_make_{field.name}": field.default_factory for field in fields}}
    lines = []
    for field in fields:
        if _sort(field) != "_FIELD_INITVAR" and (field.init or _has_factory(field)):
            value = f"_make_{field.name}()" if field.name in missing else field.name
            if cls.__dataclass_params__.frozen:
                lines.append(f"    _object.__setattr__({owner}, {field.name!r}, {value})")
            else:
                lines.append(f"    {owner}.{field.name} = {value}")
    if hasattr(cls, "__post_init__"):
        handed_on = ", ".join(field.name for field in fields if _sort(field) == "_FIELD_INITVAR")
        lines.append(f"    {owner}.__post_init__({handed_on})")
    parameters = [item for name, item in signature.parameters.items() if name not in missing]
    text = "\n".join([f"def __init__{_plain(parameters)}:", *(lines or ["    pass"])])
    return _function(text, names, init, parameters)


def _sort(field: Any) -> str:
    """Whether a field is one, a variable of the class, or only a parameter."""
    return str(getattr(field._field_type, "name", ""))


def _plain(parameters: list[inspect.Parameter]) -> inspect.Signature:
    """The parameters; what their defaults are is asked of the function when it is called."""
    empty = inspect.Parameter.empty
    return inspect.Signature(
        [
            parameter.replace(annotation=empty, default=empty if parameter.default is empty else Ellipsis)
            for parameter in parameters
        ]
    )


def _function(
    text: str, names: dict[str, Any], init: FunctionType, parameters: list[inspect.Parameter]
) -> FunctionType:
    exec(compile(text, init.__code__.co_filename, "exec"), names)
    made: FunctionType = names.pop("__init__")
    empty, named = inspect.Parameter.empty, inspect.Parameter.KEYWORD_ONLY
    plain = [item.default for item in parameters if item.kind is not named and item.default is not empty]
    made.__defaults__ = tuple(plain) or None
    keyed = {
        item.name: item.default for item in parameters if item.kind is named and item.default is not empty
    }
    made.__kwdefaults__ = keyed or None
    made.__qualname__, made.__module__ = init.__qualname__, init.__module__
    setattr(made, TEXT, text)
    return made
