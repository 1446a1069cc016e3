"""Looking at a function without running it: is it supported, and what is generated for it?"""

from __future__ import annotations

import functools
import linecache
import types
from collections.abc import Mapping
from typing import Any

from zygpy import dispatch
from zygpy.analyse.values import Value
from zygpy.errors import SourceNotFoundError, dotted_name, missing_rule
from zygpy.ir.kinds import UNKNOWN
from zygpy.load.spaces import bound_names
from zygpy.local_functions import INNER
from zygpy.parse import fence, parse
from zygpy.pipeline import derive
from zygpy.runtime.stretches import RUN
from zygpy.runtime.ways import COPYING, PLAIN
from zygpy.source import find_source
from zygpy.units import Pair, unit_of


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
        return _with_parts(prepared.pair)
    function = _underlying(function)
    unit = unit_of(function)
    abstract = tuple(Value(UNKNOWN, True) for _ in (*unit.captured, *unit.program.params.names))
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    return _with_parts(derive(unit, abstract, cells, way=COPYING))


def _with_parts(pair: Pair) -> str:
    """The text of a pair, and of those of functions inside it, and that run stretches of its loops."""
    texts = [pair.text.source]
    waiting = [pair.forward]
    while waiting:
        found = bound_names(waiting.pop(0))
        for value in found.values():
            own = _with_its_own(value)
            more = [text for text in map(_file_of, own) if text not in texts]
            texts += more
            waiting += own[-1:] if more else []
    return "\n".join(texts)


def _with_its_own(value: Any) -> list[types.FunctionType]:
    """A generated function that is shown with the one that calls it; of one that runs stretches of a loop,
    what runs one too. None of anything else."""
    if hasattr(value, RUN):
        return [value, bound_names(value)[getattr(value, RUN)]]
    return [value] if isinstance(value, types.FunctionType) and hasattr(value, INNER) else []


def _file_of(function: types.FunctionType) -> str:
    """The generated text that a function is in."""
    return "".join(linecache.getlines(function.__code__.co_filename))


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
