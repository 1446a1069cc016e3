"""What stands for calls with arguments that the program of a function has no names for, while the function
takes them: later versions of a library have more than those that its programs were written for."""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any, cast

from zygpy.errors import MissingRuleError


def knows(program: FunctionType, count: int, names: frozenset[str]) -> bool:
    """Whether a program takes so many arguments by position and these keywords.

    >>> knows(knows, 1, frozenset({"names"})), knows(knows, 1, frozenset({"axis"}))
    (True, False)
    """
    code = program.__code__
    if count > code.co_argcount and not code.co_flags & inspect.CO_VARARGS:
        return False
    end = code.co_argcount + code.co_kwonlyargcount
    return code.co_flags & inspect.CO_VARKEYWORDS != 0 or names.issubset(code.co_varnames[:end])


def refusing(function: Any, program: FunctionType, count: int, names: frozenset[str]) -> FunctionType | None:
    """What refuses such a call in place of a program that does not take it; None where the function does not
    take it either."""
    try:
        taken = inspect.signature(function).parameters
    except (TypeError, ValueError):  # it is written in C
        return None
    newer = any(name in taken for name in names.difference(inspect.signature(program).parameters))
    newer = newer or program.__code__.co_argcount < count <= len(taken)
    return cast(FunctionType, refused) if newer else None


def refused(*args: Any, **kwargs: Any) -> Any:
    """The program that does."""
    refuse(len(args), list(kwargs))
    return opaque((args, kwargs))


def refuse(count: int, names: list[str]) -> None:
    """Raise the error for a call with so many arguments by position and these keywords.

    >>> refuse(1, ["nan_policy"])
    Traceback (most recent call last):
    zygpy.errors.MissingRuleError: There is no rule for this call with 1 by position and 'nan_policy='.
    Why: one of them is of a later version of the library, and may change the result
    Instead: leave out what has its default value
    """
    given = "".join([f" and '{name}='" for name in names])
    raise MissingRuleError(
        f"There is no rule for this call with {count} by position{given}.",
        why="one of them is of a later version of the library, and may change the result",
        instead="leave out what has its default value",
    )


def opaque(given: Any) -> Any:
    """What is given, of which nothing is known."""
    return given
