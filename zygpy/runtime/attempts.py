"""What generated code asks about exceptions that a `try` of the user's caught."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from types import CodeType, FrameType, FunctionType, TracebackType
from typing import Any
from weakref import WeakSet

from zygpy.errors import MissingRuleError, SourceNotFoundError, UnsupportedSyntaxError
from zygpy.runtime.harmless import is_harmless
from zygpy.runtime.lookup import in_class

LEAVING_TRACES: WeakSet[CodeType] = WeakSet()
"""The forward functions whose callers would have to reverse a part of what they did before they failed."""


def is_caught(failure: BaseException, classes: Any) -> bool:
    """Whether an `except` clause catches an exception, as Python decides it.

    >>> is_caught(KeyError("x"), LookupError), is_caught(KeyError("x"), (ValueError, TypeError))
    (True, False)
    """
    bases = type(failure).__mro__
    return any(cls in bases for cls in _exception_classes(classes))


def _exception_classes(classes: Any) -> Iterator[type[BaseException]]:
    for cls in classes if isinstance(classes, tuple) else (classes,):
        if not (isinstance(cls, type) and issubclass(cls, BaseException)):
            raise TypeError("catching classes that do not inherit from BaseException is not allowed")
        yield cls


def exception_kept(failure: str, cls: type[BaseException], /, *args: Any, **kwargs: Any) -> BaseException:
    """An exception that is caught by the handler of `failure`, of which nothing is read but what was put in
    variables.

    >>> exception_kept("failure", ValueError, 1.0)
    ValueError(1.0)
    """
    return cls(*args, **kwargs)


def refusal_of_others(failure: BaseException) -> UnsupportedSyntaxError:
    """What is raised where an attribute is read of another exception than those that were expected."""
    return UnsupportedSyntaxError(
        f"{type(failure).__name__} came from somewhere else than a `raise` of the program's, and its "
        "attributes are read.",
        why="what the exceptions bring that are raised in this `try` is kept in variables",
        instead="catch it apart from those that the program raises, or use a class of your own for these",
    )


def traceback_of(failure: BaseException) -> TracebackType | None:
    """Where an exception was raised."""
    return failure.__traceback__


def check_is_undone(error: BaseException, *managers: Any) -> None:
    """Refuse an exception on whose way a function was left that had perhaps changed something by then. The
    context manager whose `with` a refusal leaves is told of it, so that no lock stays closed."""
    if isinstance(error, UnsupportedSyntaxError | MissingRuleError | SourceNotFoundError):
        for manager in managers:
            with contextlib.suppress(Exception):
                manager.__exit__(type(error), error, error.__traceback__)
        raise error
    try:
        _check_left(error)
    except UnsupportedSyntaxError as refusal:
        check_is_undone(refusal, *managers)


def _check_left(error: BaseException) -> None:
    for frame in _left(error.__traceback__):
        if frame.f_code in LEAVING_TRACES or _was_asked(frame):
            raise UnsupportedSyntaxError(
                f"an exception left '{frame.f_code.co_name.removesuffix('_forward')}' and was caught.",
                why="which part of the function ran is not recorded, and it may have changed something",
                instead="let the function return before it fails, or catch the exception inside it",
            ) from error


ASKED = frozenset(
    {
        *("__bool__", "__len__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"),
        *("__hash__", "__str__", "__repr__", "__format__", "__int__", "__index__"),
    }
)
"""Methods that answer questions, which ran as they stand if it was not known what is asked."""


def _was_asked(frame: FrameType) -> bool:
    """Whether a frame is that of such a method, and it may have changed what others know."""
    code = frame.f_code
    if code.co_name not in ASKED or not code.co_argcount:
        return False
    cls = type(frame.f_locals.get(code.co_varnames[0]))
    method = in_class(cls, code.co_name, None)
    own = isinstance(method, FunctionType) and method.__code__ is code
    return own and not is_harmless(method, cls)


def check_is_whole(error: BaseException) -> None:
    """Refuse an error of arithmetic behind which an array may have been written already."""
    if isinstance(error, FloatingPointError | Warning):
        raise UnsupportedSyntaxError(
            "an error of arithmetic in a write to an array was caught.",
            why="which part of the array was written before is not known",
            instead="compute the value first, and write it then",
        ) from error


def _left(traceback: TracebackType | None) -> Iterator[FrameType]:
    """The frames that an exception left on its way, without the one that it came to (which may have raised it
    again)."""
    here = traceback.tb_frame if traceback is not None else None
    while traceback is not None:
        if traceback.tb_frame is not here:
            yield traceback.tb_frame
        traceback = traceback.tb_next


def check_exception_is_inert(bar: Any) -> None:
    """Refuse a cotangent of something that came in an exception: where it came from is not known."""
    if bar is not None:
        raise UnsupportedSyntaxError(
            "the result depends on what an exception brought with it.",
            why="where an exception that comes from a library has its arguments from is not recorded",
            instead="take the value from a variable",
        )


def caught(call: Callable[[], Any]) -> tuple[Any, BaseException | None]:
    """What a call gives, or the exception that it ends with.

    >>> caught(lambda: 1 + 1), caught(lambda: 1 / 0)
    ((2, None), (None, ZeroDivisionError('division by zero')))
    """
    try:
        return call(), None
    except BaseException as error:
        check_is_undone(error)
        return None, error


def if_bound(measure: Callable[[], Any], absent: Any) -> Any:
    """What a function gives, or `absent` where a variable that it reads has no value.

    >>> if_bound(lambda: len([1, 2]), 0), if_bound(lambda: len(nothing), 0)
    (2, 0)
    """
    try:
        return measure()
    except NameError:
        return absent
