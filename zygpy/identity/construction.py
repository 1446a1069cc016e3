"""Making objects of classes that are written in Python."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Mapping
from types import FunctionType, GenericAlias, SimpleNamespace
from typing import Any, Generic, NewType, TypeVar

from zygpy import dispatch
from zygpy.errors import missing_rule
from zygpy.identity import exceptions, subclasses, tuples
from zygpy.identity.calls import Trimmed, call
from zygpy.identity.classes import MISSING, places_of_arguments, python_method
from zygpy.identity.generators import followed_generator
from zygpy.identity.iteration import followed_walk
from zygpy.runtime.accumulate import accumulate
from zygpy.runtime.generators import Generator
from zygpy.runtime.iteration import Walk
from zygpy.runtime.lookup import in_class
from zygpy.runtime.named_tuples import is_of_record
from zygpy.runtime.native import CONTAINERS
from zygpy.runtime.places import Ignored
from zygpy.runtime.ways import Way


def construct(way: Way, cls: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`cls(*args, **kwargs)` for a class whose objects are made in Python; else None."""
    if not isinstance(cls, type):
        return _made_by_alias(way, cls, args, kwargs)
    if type(cls).__call__ is not type.__call__:
        return _made_by_metaclass(way, cls, args, kwargs)
    if cls is Walk:
        return followed_walk(way, args)
    if cls is Generator:
        return followed_generator(args)
    return None if dispatch.has_own_way(cls, args, kwargs) else _made(way, cls, args, kwargs)


ALIASES: Any = (GenericAlias, type(Generic[TypeVar("T")]))  # type: ignore[index]
"""The types of classes with parameters, such as `Box[float]`."""


def _made_by_alias(way: Way, alias: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`Box[float](...)`, which makes a `Box`, and a type of `NewType`, which makes nothing; None for what is
    neither."""
    if isinstance(alias, NewType):
        return args[0], Same()
    if not isinstance(alias, ALIASES):
        return None
    y, back = call(way, alias.__origin__, *args, **kwargs)
    with contextlib.suppress(AttributeError, TypeError):
        y.__orig_class__ = alias
    return y, back


class Same:
    """The pullback of what gives its only argument back."""

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (None, y_bar)


def _made_by_metaclass(way: Way, cls: type, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`cls(...)` where the class of the class says in Python what that does; None for any other."""
    found = python_method(cls, "__call__")
    if found is not None:
        y, back = call(way, found, cls, *args, **kwargs)
        return y, Trimmed(back, 1, 2)
    return call(way, dict, *args, **kwargs) if type(cls).__call__ is dict else None  # of a TypedDict


def by_type(way: Way, cls: type, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`type.__call__(cls, ...)`, which metaclasses reach by `super()`."""
    return None if dispatch.has_own_way(cls, args, kwargs) else _made(way, cls, args, kwargs)


def _made(way: Way, cls: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    new, init = cls.__new__, in_class(cls, "__init__")
    dispatch.refuse_acting(cls)
    if isinstance(new, FunctionType):
        if issubclass(cls, tuple) and is_of_record(new):
            raise missing_rule(cls)
        return _made_by_new(way, cls, new, args, kwargs)
    if issubclass(cls, BaseException):
        return exceptions.made(way, cls, args, kwargs, _initialised)
    if cls is SimpleNamespace and not args:
        return _namespace(kwargs)
    by_c = not isinstance(new, FunctionType) and not isinstance(init, FunctionType)
    if by_c and issubclass(cls, CONTAINERS) and cls not in (list, dict):
        return subclasses.made(way, cls, args, kwargs)
    if by_c and new is tuple.__new__ and cls is not tuple and not kwargs:
        return tuples.made(way, cls, args)
    if not isinstance(init, FunctionType):
        return None if args or kwargs or new is not object.__new__ else (cls(), Ignored(1))
    instance = new(cls)
    return _initialised(way, instance, init, args, kwargs)


def _initialised(way: Way, instance: Any, init: Any, args: Any, kwargs: Any) -> Any:
    if dataclasses.is_dataclass(instance) and init.__code__.co_filename == "<string>":
        return _filled(way, instance, init, args, kwargs)
    done, back = call(way, init, instance, *args, **kwargs)
    if done is not None:
        raise TypeError(f"__init__() should return None, not '{type(done).__name__}'")
    return instance, Trimmed(back, 1, 2)


def _namespace(fields: Mapping[str, Any]) -> Any:
    """`types.SimpleNamespace(**fields)`."""
    instance = SimpleNamespace(**fields)
    return instance, Filled(instance, [*fields], 0, [*fields], [], None, {})


def _made_by_new(way: Way, cls: type, new: Any, args: Any, kwargs: Any) -> Any:
    instance, made = call(way, new, cls, *args, **kwargs)
    init = in_class(type(instance), "__init__")
    if not isinstance(instance, cls):
        return instance, Trimmed(made, 1, 2)
    if isinstance(init, FunctionType):
        _, back = _initialised(way, instance, init, args, kwargs)
    elif isinstance(instance, BaseException):
        back = exceptions.initialised(instance, args, kwargs)
    elif isinstance(instance, CONTAINERS):
        _, back = subclasses.initialised(way, instance, args, kwargs)
    else:
        return instance, Trimmed(made, 1, 2)
    return instance, BothSteps(Trimmed(made, 1, 2), back)


class BothSteps:
    """An object was made by `__new__` and then initialised."""

    def __init__(self, made: Any, initialised: Any) -> None:
        self.made, self.initialised = made, initialised

    def __call__(self, y_bar: Any, store: Any) -> Any:
        second = self.initialised(None, store)
        first = self.made(y_bar, store)
        return tuple([accumulate(a, b) for a, b in zip(first, second, strict=True)])


def _filled(way: Way, instance: Any, init: Any, args: Any, kwargs: Any) -> Any:
    """What the `__init__` that `dataclass` writes does."""
    given = arguments_of(init, instance, args, kwargs)
    names = list(given)
    fields = type(instance).__dataclass_fields__
    init_only, factories = [], {}
    for name, field in fields.items():
        kind = getattr(field._field_type, "name", "")
        if kind == "_FIELD_CLASSVAR":
            continue
        value, factories[name] = _field_value(way, field, name, given)
        if kind == "_FIELD_INITVAR":
            init_only.append((name, value))
        elif value is not MISSING:
            object.__setattr__(instance, name, value)
    post = python_method(instance, "__post_init__")
    back = None
    if post is not None:
        _, back = call(way, post, instance, *[value for _, value in init_only])
    extra = [name for name, _ in init_only]
    made = {name: found for name, found in factories.items() if found is not None}
    return instance, Filled(instance, names, len(args), list(kwargs), extra, back, made)


def arguments_of(init: Any, instance: Any, args: Any, kwargs: Any) -> dict[str, Any]:
    """The arguments of an `__init__` by the names of its parameters."""
    places = places_of_arguments(init, instance, len(args), tuple(kwargs))
    if places is None:
        init(instance, *args, **kwargs)  # which says what is wrong as Python does
        raise TypeError(f"the arguments do not fit {type(instance).__name__}()")
    return {name: args[place] if isinstance(place, int) else kwargs[place] for name, place in places.items()}


def _field_value(way: Way, field: Any, name: str, given: Mapping[str, Any]) -> tuple[Any, Any]:
    """What a field is set to, and the pullback of what has made it."""
    if name in given:
        return given[name], None
    if field.default is not dataclasses.MISSING:
        return field.default, None
    return (
        (MISSING, None) if field.default_factory is dataclasses.MISSING else call(way, field.default_factory)
    )


class Filled:
    """The pullback of making a dataclass."""

    def __init__(
        self,
        instance: Any,
        names: Any,
        count: int,
        keywords: Any,
        extra: Any,
        back: Any,
        made: Mapping[str, Any],
    ) -> None:
        self.instance, self.names, self.count = instance, names, count
        self.keywords, self.extra, self.back, self.made = keywords, extra, back, made

    def __call__(self, y_bar: Any, store: Any) -> Any:
        bars: dict[str, Any] = {}
        if self.back is not None:
            found = self.back(None, store)
            bars = dict(zip(self.extra, found[2:], strict=True))
        for name, back in reversed(list(self.made.items())):
            back(self.taken(name, bars, store), store)
        positional = [self.taken(name, bars, store) for name in self.names[: self.count]]
        return (None, *positional, *[self.taken(name, bars, store) for name in self.keywords])

    def taken(self, name: str, bars: Any, store: Any) -> Any:
        """What one argument gets."""
        return bars[name] if name in bars else store.take_key(self.instance, name)
