"""Groups of exceptions: what `except*` takes out of them, as programs that are differentiated like any other.

What is done is Python's (PEP 654, "Exception Groups and except*").
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from zygpy.runtime.lookup import in_class


def taken_from(error: Any, kinds: Any) -> Any:
    """What an `except* kinds` handles of an exception, as a group, and what it leaves; None for nothing.

    >>> taken_from(ExceptionGroup("both", [KeyError(1), ValueError(2)]), KeyError)
    (ExceptionGroup('both', [KeyError(1)]), ExceptionGroup('both', [ValueError(2)]))
    >>> taken_from(KeyError(1), LookupError)
    (ExceptionGroup('', (KeyError(1),)), None)
    """
    check_kinds(kinds)
    if error is None:
        return None, None
    if isinstance(error, BaseExceptionGroup):
        return error.split(kinds)
    if isinstance(error, kinds):
        return BaseExceptionGroup("", (error,)), None
    return None, error


def check_kinds(kinds: Any) -> None:
    """Refuse what Python refuses behind `except*`."""
    for kind in kinds if isinstance(kinds, tuple) else (kinds,):
        if not (isinstance(kind, type) and issubclass(kind, BaseException)):
            raise TypeError("catching classes that do not inherit from BaseException is not allowed")
        if issubclass(kind, BaseExceptionGroup):
            raise TypeError("catching ExceptionGroup with except* is not allowed. Use except instead.")


def left_over(error: Any, rest: Any, ended: Any, again: Any) -> Any:
    """What is raised behind the clauses of an `except*`; None where everything was handled.

    `rest` is what no clause handled, `ended` are the exceptions with which the clauses ended (or None), and
    `again` says of each whether it is the clause's own part, raised once more.

    >>> group = ExceptionGroup("all", [KeyError(1), ValueError(2), OSError(3)])
    >>> part, rest = taken_from(group, KeyError)
    >>> left_over(group, rest, (None,), (False,))
    ExceptionGroup('all', [ValueError(2), OSError(3)])
    >>> left_over(group, rest, (part,), (True,))
    ExceptionGroup('all', [KeyError(1), ValueError(2), OSError(3)])
    >>> left_over(group, rest, (TypeError(4),), (False,))
    ExceptionGroup('', [TypeError(4), ExceptionGroup('all', [ValueError(2), OSError(3)])])
    """
    raised = [failure for failure, same in zip(ended, again, strict=True) if failure is not None and not same]
    kept = [failure for failure, same in zip(ended, again, strict=True) if failure is not None and same]
    if not isinstance(error, BaseExceptionGroup):
        return raised[0] if raised else kept[0] if kept else rest
    if rest is not None:
        kept.append(rest)
    places = {id(failure) for group in kept for failure in leaves(group)}
    same = error.subgroup(lambda failure: id(failure) in places)
    if same is not None:
        raised.append(same)
    if len(raised) > 1:
        return BaseExceptionGroup("", raised)
    return raised[0] if raised else None


def is_divided_by_code(error: Any) -> bool:
    """Whether Python would call a function of the user's to make the parts of a group."""
    if not isinstance(error, BaseExceptionGroup):
        return False
    own = isinstance(in_class(type(error), "derive"), FunctionType)
    return own or any(is_divided_by_code(inner) for inner in error.exceptions)


def leaves(group: Any) -> Any:
    """The exceptions in a group, and in the groups in it."""
    found = []
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            found.extend(leaves(error))
        else:
            found.append(error)
    return found


def split(group: Any, condition: Any, /) -> Any:
    """`group.split(condition)` of a class whose groups are divided by its own `derive`."""
    if fits(group, condition):
        return group, None
    parts: Any = ([], [])
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            pair = split(error, condition)
        else:
            pair = (error, None) if fits(error, condition) else (None, error)
        for part, found in zip(parts, pair, strict=True):
            if found is not None:
                part.append(found)
    return derived(group, parts[0]), derived(group, parts[1])


def subgroup(group: Any, condition: Any, /) -> Any:
    """`group.subgroup(condition)` of such a class."""
    return split(group, condition)[0]


def fits(error: Any, condition: Any) -> Any:
    """Whether an exception is of a kind, or of one of several, or what a function says of it."""
    if isinstance(condition, type | tuple):
        return isinstance(error, condition)
    return condition(error)


def derived(group: Any, errors: Any) -> Any:
    """The group of some exceptions of a group; None where there are none."""
    if not errors:
        return None
    part = group.derive(errors)
    if not isinstance(part, BaseExceptionGroup):
        raise TypeError("derive must return an instance of BaseExceptionGroup")
    part.__traceback__ = group.__traceback__
    part.__cause__, part.__context__ = group.__cause__, group.__context__
    if hasattr(group, "__notes__"):
        part.__notes__ = list(group.__notes__)
    return part


PROGRAMS = {"split": split, "subgroup": subgroup}
"""The programs of the methods that divide a group of exceptions."""


def needs_program(group: Any, conditions: Any) -> bool:
    """Whether Python calls a function of the user's to divide a group."""
    asks = any(callable(condition) and not isinstance(condition, type) for condition in conditions)
    return asks or is_divided_by_code(group)
