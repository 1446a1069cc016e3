"""What zygpy raises: every error says where, why, and what to do instead."""

from __future__ import annotations

import inspect
import linecache
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Place:
    """Where in the user's code: `line` counts from 1, `column` (in characters) from 0.

    `text` is the whole source line, "" where it is not known; `function` the name of the function.
    """

    filename: str
    line: int
    column: int
    text: str = ""
    function: str = ""

    def __str__(self) -> str:
        return f"{self.filename}:{self.line}:{self.column + 1}"

    def excerpt(self) -> str:
        """The source line with a caret under the column.

        >>> print(Place("model.py", 2, 8, "    y = await f(x)").excerpt())
            y = await f(x)
                ^
        """
        line = self.text.rstrip()
        code = line.lstrip()
        before = line[len(line) - len(code) : self.column]
        margin = "".join("\t" if character == "\t" else " " for character in before)
        return f"    {code}\n    {margin}^"


def locate(filename: str, line: int, column: int, function: str = "") -> Place:
    """The place of a line and column of a file, with the text of the line."""
    return Place(filename, line, column, linecache.getline(filename, line).rstrip("\r\n"), function)


class ZygpyError(Exception):
    """The base of all errors of zygpy.

    `message` is one sentence; `place`, `why` and `instead` (what to write instead) are there where
    they are known. `str()` shows all of it:

    >>> place = Place("model.py", 12, 8, "    y = await f(x)", "step")
    >>> print(ZygpyError("'await' cannot be differentiated.", place, "It waits.", "Do not wait."))
    model.py:12:9: 'await' cannot be differentiated.
        y = await f(x)
            ^
    Why: It waits.
    Instead: Do not wait.
    """

    def __init__(self, message: str, place: Place | None = None, why: str = "", instead: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.why = why
        self.instead = instead
        self.reached: Place | None = None

    def reach_from(self, place: Place) -> None:
        """Note where in differentiated code the failing call stands."""
        if self.place is None:
            self.place = place
        elif self.reached is None and place != self.place:
            self.reached = place

    def __str__(self) -> str:
        if self.place is None:
            return self._explanation()
        return f"{self.place}: {self._explanation(self.place.excerpt() if self.place.text else '')}"

    def _explanation(self, excerpt: str = "") -> str:
        why = self.why and f"Why: {self.why}"
        reached = f"Reached from: {self.reached}" if self.reached else ""
        instead = self.instead and f"Instead: {self.instead}"
        return "\n".join(part for part in (self.message, excerpt, why, reached, instead) if part)

    def __reduce__(self) -> tuple[Any, ...]:
        arguments = (self.message, self.place, self.why, self.instead)
        return type(self), arguments, self.__dict__


class UnsupportedSyntaxError(ZygpyError, SyntaxError):
    """A construct that cannot be differentiated.

    Python shows the file, the line and the caret of a `SyntaxError` itself, from the attributes
    `filename`, `lineno`, `offset` and `text`, and then prints `msg`; `msg` therefore has the rest.
    """

    def __init__(self, message: str, place: Place | None = None, why: str = "", instead: str = "") -> None:
        super().__init__(message, place, why, instead)
        self.msg = self._explanation()
        if place is not None:
            self.filename, self.lineno = place.filename, place.line
            self.offset, self.text = place.column + 1, place.text


class MissingRuleError(ZygpyError, TypeError):
    """A function was reached that has neither a rule nor source; see `missing_rule`."""


class SourceNotFoundError(ZygpyError):
    """The source of a function cannot be had, or is no longer what the function was made from."""


class NotScalarError(ZygpyError, TypeError):
    """A gradient was asked of a function whose result is not a real scalar."""


class CotangentShapeError(ZygpyError, ValueError):
    """The seed given to a pullback does not have the shape of the value."""


class AmbiguousRuleError(ZygpyError, TypeError):
    """Several rules fit a call and none is more specific than all others."""


def no_rule_on_arrays_of(name: str, cls: type) -> MissingRuleError:
    """The error for an operation on an array of a class of a program's own."""
    return MissingRuleError(
        f"There is no rule for {name!r} on an array of the class '{cls.__name__}'.",
        why="what operations on it do is said by the class, not by NumPy's own arrays.",
        instead="give the function plain arrays (`x.view(np.ndarray)`, outside of it), and keep what "
        "the class adds to them in fields of an object.",
    )


def missing_rule(callee: Any, place: Place | None = None, why: str = "") -> MissingRuleError:
    """The error for a callee without rule and source, with the rule that would mend it.

    >>> print(missing_rule(divmod))
    'divmod' has no rule and no Python source.
    Why: it is not written in Python, so there is nothing to differentiate.
    Instead: give it a rule, with one cotangent for each argument:
        @zg.adjoint(divmod)
        def _(x, y):
            return divmod(x, y), lambda value_bar: (..., ...)
    """
    message = f"'{dotted_name(callee)}' has no rule and no Python source."
    if isinstance(callee, type) and issubclass(callee, tuple) and not why:
        why = "it makes tuples of a class that says itself what their items or fields are."
    reason = why or "it is not written in Python, so there is nothing to differentiate."
    return MissingRuleError(message, place, reason, rule_remedy(callee))


def rule_remedy(callee: Any) -> str:
    """How to give a function a rule, as the last line of an error."""
    path, parameters = dotted_name(callee), _parameters(callee)
    names = ", ".join(parameters)
    bars = ", ".join("..." for _ in parameters) + ("," if len(parameters) == 1 else "")
    return (
        "give it a rule, with one cotangent for each argument:\n"
        f"    @zg.adjoint({path})\n"
        f"    def _({names}):\n"
        f"        return {path}({names}), lambda value_bar: ({bars})"
    )


def dotted_name(callee: Any) -> str:
    """How a user would write a callable: its qualified name, with its module unless that is builtin.

    >>> import math
    >>> dotted_name(math.lgamma), dotted_name(len)
    ('math.lgamma', 'len')
    """
    name: str | None = getattr(callee, "__qualname__", None) or getattr(callee, "__name__", None)
    if name is None:
        callee = type(callee)
        name = callee.__qualname__
    module = getattr(callee, "__module__", None)
    return name if module in (None, "builtins", "__main__") else f"{module}.{name}"


def _parameters(callee: Callable[..., Any]) -> list[str]:
    try:
        parameters = inspect.signature(callee).parameters.values()
    except (TypeError, ValueError):  # many functions written in C tell nothing about themselves
        return ["x"]
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [item.name for item in parameters if item.kind in positional and item.default is item.empty] or [
        "x"
    ]
