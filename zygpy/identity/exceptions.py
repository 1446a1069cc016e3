"""Making exceptions: what they are made of can be found in them again, as `args` and otherwise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import BuiltinFunctionType, FunctionType, MethodWrapperType, WrapperDescriptorType
from typing import Any

from zygpy.identity.calls import Prefixed
from zygpy.runtime.accumulate import accumulate
from zygpy.runtime.exception_groups import (
    PROGRAMS,
    is_divided_by_code,
    left_over,
    needs_program,
    taken_from,
)
from zygpy.runtime.lookup import in_class
from zygpy.runtime.places import Ignored

BORN_WITH: dict[type[BaseException], str] = {StopIteration: "value", SystemExit: "code"}
"""Attributes that are the first argument under another name."""


def made(
    way: Any,
    cls: Any,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    initialised: Callable[..., Any],
) -> Any:
    """`cls(*args, **kwargs)` for a class of exceptions; `initialised` calls an `__init__` in Python."""
    init = in_class(cls, "__init__")
    if not isinstance(init, FunctionType):
        instance = cls(*args, **kwargs)
        return instance, Made(instance, len(args), list(kwargs), None)
    instance = cls.__new__(cls, *args, **kwargs)
    _, back = initialised(way, instance, init, args, kwargs)
    return instance, Made(instance, len(args), list(kwargs), back)


def by_slot(way: Any, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`BaseException.__init__(e, *args)`, which sets the arguments anew, `__new__`, and how groups are
    divided; None for anything else."""
    if _divides(function, args):
        return function(*args), Ignored(len(args) + 1)  # what the parts hold is found in it
    if _makes_exceptions(function) and args:
        instance = function(*args, **kwargs)
        return instance, Prefixed(Made(instance, len(args) - 1, list(kwargs), None))
    bound = isinstance(function, MethodWrapperType)
    if not (bound or isinstance(function, WrapperDescriptorType)) or function.__name__ != "__init__":
        return None
    instance = function.__self__ if bound else (args[0] if args else None)
    if not isinstance(instance, BaseException):
        return None
    function(*args, **kwargs)
    return None, SetAnew(instance, len(args), len(kwargs), bound=bound)


def initialised(instance: BaseException, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """The pullback of `type(instance)(...)` by the `__init__` of Python, which sets the arguments."""
    instance.__init__(*args, **kwargs)  # type: ignore[misc]
    return SetAnew(instance, len(args), len(kwargs), bound=True)


def _divides(function: Any, args: tuple[Any, ...]) -> bool:
    """Whether a callable makes groups of the exceptions of a group, and calls no function of the user's."""
    if function is taken_from or function is left_over:
        return not is_divided_by_code(args[0])
    group, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
    if not isinstance(group, BaseExceptionGroup):
        return False
    return name == "derive" or (name in PROGRAMS and not needs_program(group, args))


def _makes_exceptions(function: Any) -> bool:
    """Whether a callable is the `__new__` of a builtin exception."""
    if not isinstance(function, BuiltinFunctionType) or function.__name__ != "__new__":
        return False
    return isinstance(function.__self__, type) and issubclass(function.__self__, BaseException)


class Made:
    """The pullback of making an exception; `back` is that of an `__init__` written in Python."""

    def __init__(self, instance: Any, count: int, keywords: Any, back: Any) -> None:
        self.instance, self.count, self.keywords, self.back = instance, count, keywords, back

    def __call__(self, y_bar: Any, store: Any) -> Any:
        count, keywords = self.count, len(self.keywords)
        later = (None,) * (count + keywords)
        if self.back is not None:
            later = self.back(None, store)[1:]
        own = arguments_of(self.instance, count, store)
        own += [store.take_key(self.instance, name) for name in self.keywords]
        return (None, *[accumulate(a, b) for a, b in zip(later, own, strict=True)])


class SetAnew:
    """The pullback of `BaseException.__init__`."""

    def __init__(self, instance: Any, count: int, keywords: int, *, bound: bool) -> None:
        self.instance, self.count, self.keywords, self.bound = instance, count, keywords, bound

    def __call__(self, y_bar: Any, store: Any) -> Any:
        given = self.count if self.bound else self.count - 1
        receiver = () if self.bound else (None,)
        found = arguments_of(self.instance, given, store)
        return (None, *receiver, *found, *[None] * self.keywords)


def arguments_of(error: BaseException, count: int, store: Any) -> list[Any]:
    """The cotangents of the arguments that an exception was made of."""
    bars = store.take_key(error, "args")
    found: list[Any] = [None] * count if bars is None else list(bars)
    for cls, name in BORN_WITH.items():
        if isinstance(error, cls) and count == 1:
            found[0] = accumulate(found[0], store.take_key(error, name))
    return found
