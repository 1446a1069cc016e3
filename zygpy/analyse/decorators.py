"""Decorators of which it is known by their names what they do."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from zygpy.analyse.callees import Callees, dotted
from zygpy.analyse.facts import Guard
from zygpy.analyse.paths import Scope, resolve
from zygpy.ir import core
from zygpy.ir.nodes import gast
from zygpy.ir.source import Source
from zygpy.rules import declare
from zygpy.rules.custom import is_ruled

CACHES = (functools.lru_cache, functools.cache)
"""Python's caches."""

ROOM = 128
"""So many results `lru_cache` keeps where it is told nothing."""


class Behind(NamedTuple):
    """What a decorator is: the path to it, what that leads to, and its code if it is a function of the
    program's own; how many results it keeps if it is a cache, 0 where it keeps all."""

    path: core.Path
    value: Any
    function: FunctionType | None = None
    code: CodeType | None = None
    room: int = 0


def decorator_behind(node: Any, known: Callees, source: Source) -> Behind | None:
    """What stands over a function, by a name: one of Python's caches, or a function in the same
    surroundings; None of anything else."""
    call = node if isinstance(node, gast.Call) else None
    names = dotted(node if call is None else call.func)
    path = core.Path(names, "global")
    found = resolve(path, known.scope) if names else None
    if found is None or found.depth < len(names):
        return None
    if any(found.value is one for one in CACHES):
        room = _room(found.value, call)
        return None if room is None else Behind(path, found.value, room=room)
    function = found.value
    if call is not None or not _is_around(function, source):
        return None
    return Behind(path, function, function, function.__code__)


def _room(cache: Any, call: Any) -> int | None:
    """How many results a cache keeps, 0 where it keeps all; None where it is told anything else."""
    if call is None:
        return 0 if cache is functools.cache else ROOM
    given = [*call.args, *(one.value for one in call.keywords)]
    named = all(one.arg == "maxsize" for one in call.keywords)
    if cache is not functools.lru_cache or not named or len(given) > 1:
        return None
    size = getattr(given[0], "value", -1) if given else ROOM
    if size is None and isinstance(given[0], gast.Constant):
        return 0
    return size if type(size) is int and size > 0 else None


def _is_around(function: Any, source: Source) -> bool:
    """Whether something is a plain function of the same file and module that has no rule."""
    if type(function) is not FunctionType or function.__closure__ or hasattr(function, "__wrapped__"):
        return False
    same = function.__globals__ is source.globals and function.__code__.co_filename == source.filename
    return same and not _has_rule(function)


def fits_in_place(tree: Any, known: Callees) -> bool:
    """Whether what stands over functions in a decorator's text is `functools.wraps`."""
    inner = [one for one in tree.body if isinstance(one, gast.FunctionDef)]
    names = [dotted(getattr(over, "func", over)) for one in inner for over in one.decorator_list]
    return all(_is_wraps(each, known) for each in names)


def _is_wraps(names: tuple[str, ...], known: Callees) -> bool:
    found = resolve(core.Path(names, "global"), known.scope) if names else None
    return found is not None and found.depth == len(names) and found.value is functools.wraps


def decorators_hold(decorators: Mapping[core.Path, Behind], known: Callees) -> bool:
    """Whether the paths to decorators lead to what they led to, and that is as it was: no rule came since."""
    return all(
        resolve(path, known.scope).value is one.value
        and getattr(one.function, "__code__", None) is one.code
        and (one.function is None or not _has_rule(one.function))
        for path, one in decorators.items()
    )


def _has_rule(function: Any) -> bool:
    return is_ruled(function) or declare.find(function) is not None


def conditions_of(decorator: Behind, scope: Scope) -> tuple[Guard, ...]:
    """What it rests on that a decorator is in place."""
    guards = resolve(decorator.path, scope).guards
    if decorator.function is None:
        return guards
    return (*guards, Guard(decorator.function, "__code__", decorator.code))
