"""The text of a function that only hands out its parameters again, read off its code.

Libraries make such functions with `exec`, whose text is nowhere: what gives a call the parameters
that a user may name, and returns them in the order that the library wants them in.
"""

from __future__ import annotations

import dis
import inspect
from types import CodeType, FunctionType
from typing import Any

HANDING_ON = ("LOAD_FAST", "LOAD_CONST", "LOAD_SMALL_INT", "BUILD_TUPLE", "RETURN_VALUE", "RETURN_CONST")
WITHOUT_EFFECT = ("RESUME", "NOP", "CACHE")
CONSTANTS = (int, str, bytes, type(None))


def rearranging_text(function: FunctionType) -> str | None:
    """A text for a function that returns its parameters and constants in tuples; None for any other.

    >>> namespace = {}
    >>> exec("def parse(self, a, loc=0, scale=1): return (a,), loc, scale", namespace)
    >>> rearranging_text(namespace["parse"])
    'def parse(self, a, loc=Ellipsis, scale=Ellipsis): return ((a,), loc, scale)'
    """
    code = function.__code__
    if not (_only_hands_on(code) and code.co_name.isidentifier()):
        return None
    count = code.co_argcount + code.co_kwonlyargcount
    given = {name: _Given(name) for name in code.co_varnames[:count]}
    result = _with_new_defaults(function)(
        *(given[name] for name in code.co_varnames[: code.co_argcount]),
        **{name: given[name] for name in code.co_varnames[code.co_argcount : count]},
    )
    text = _expression(result)
    return None if text is None else f"def {code.co_name}{_parameters(function)}: return {text}"


class _Given:
    """What stands for an argument."""

    def __init__(self, name: str) -> None:
        self.name = name


def _only_hands_on(code: CodeType) -> bool:
    """Whether code does nothing but make tuples of its parameters and of constants."""
    if (
        code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS | inspect.CO_GENERATOR)
        or code.co_freevars
    ):
        return False
    names = [instruction.opname for instruction in dis.get_instructions(code)]
    return all(name.startswith(HANDING_ON) or name in WITHOUT_EFFECT for name in names)


def _with_new_defaults(function: FunctionType) -> FunctionType:
    """The same code as a function by itself, so that what is set on the function plays no part."""
    return FunctionType(function.__code__, {})


def _expression(value: Any) -> str | None:
    if isinstance(value, _Given):
        return value.name
    if isinstance(value, tuple):
        items = [_expression(item) for item in value]
        known = [item for item in items if item is not None]
        return f"({', '.join(known)}{',' if len(known) == 1 else ''})" if len(known) == len(items) else None
    return repr(value) if isinstance(value, CONSTANTS) else None


def _parameters(function: FunctionType) -> str:
    """The parameters; what their defaults are is asked of the function when it is called."""
    signature = inspect.Signature.from_callable(function, follow_wrapped=False)
    empty = inspect.Parameter.empty
    plain = [
        parameter.replace(annotation=empty, default=empty if parameter.default is empty else Ellipsis)
        for parameter in signature.parameters.values()
    ]
    return str(inspect.Signature(plain))
