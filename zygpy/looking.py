"""Looking at a function without running it: is it supported, and what is generated for it?"""

from __future__ import annotations

import functools
import types
from collections.abc import Mapping
from typing import Any

from zygpy import dispatch
from zygpy.analyse.values import Value
from zygpy.errors import SourceNotFoundError, dotted_name, missing_rule
from zygpy.ir.kinds import UNKNOWN
from zygpy.parse import fence, parse
from zygpy.pipeline import derive, unit_of
from zygpy.runtime.ways import COPYING, PLAIN
from zygpy.source import find_source


def check(function: types.FunctionType) -> None:
    """Raise what differentiating the function would: no source, or a construct that is refused."""
    source = find_source(function)
    fence(parse(source), source)
    assert unit_of(function).program is not None


def text_of(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str:
    """The source of a function's pair; without arguments, of the unspecialised one."""
    if args or kwargs:
        prepared = dispatch.prepare(function, args, kwargs, PLAIN)
        if prepared is None:
            raise missing_rule(function)
        return prepared.pair.text.source
    function = _underlying(function)
    unit = unit_of(function)
    abstract = tuple(Value(UNKNOWN, True) for _ in (*unit.captured, *unit.program.params.names))
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    return derive(unit, abstract, cells, way=COPYING).text.source


def _underlying(function: Any) -> types.FunctionType:
    """The Python function that a method, partial or callable object runs."""
    while not isinstance(function, types.FunctionType):
        if isinstance(function, types.MethodType):
            function = function.__func__
        elif isinstance(function, functools.partial):
            function = function.func
        else:
            function = _call_of(function)
    return function


def _call_of(function: Any) -> types.FunctionType:
    call = getattr(type(function), "__call__", None)  # noqa: B004 (its code is wanted)
    if isinstance(call, types.FunctionType):
        return call
    raise SourceNotFoundError(
        f"'{dotted_name(function)}' has no unspecialised pair.",
        why="it is not a Python function: if it is differentiated, then by a rule.",
        instead="give arguments, to see what the rule does with them.",
    )
