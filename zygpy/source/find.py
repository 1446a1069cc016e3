"""function -> Source: its text is looked up, and compared with the code that was compiled from it."""

from __future__ import annotations

import linecache
from types import FunctionType
from typing import Any

from zygpy.errors import Place, SourceNotFoundError, dotted_name, rule_remedy
from zygpy.ir.source import Source, character_column, is_generated
from zygpy.marks import TEXT
from zygpy.runtime.cells import given_names
from zygpy.source.match import Definition, Node, find_definition
from zygpy.source.rearranged import rearranging_text
from zygpy.source.shared import shared_names, unbound_names


def find_source(function: Any) -> Source:
    """The source of a Python function: of this very object, not of what it wraps.

    The text is compared with the function's code, so that a file that was edited after the function
    was made is noticed. Raises `SourceNotFoundError` if there is no text, or a different one.
    """
    if not isinstance(function, FunctionType):
        raise _not_found(function, f"it is a {type(function).__name__} object, not a Python function.")
    text = getattr(function, TEXT, None)
    if text is not None:
        return _read_off(function, text)
    try:
        return _written(function)
    except SourceNotFoundError:
        if not function.__code__.co_filename.startswith("<"):
            raise
        kept, text = _kept_with(function), rearranging_text(function)
        if kept is None and text is None:
            raise
        return kept or _read_off(function, str(text))


def _written(function: FunctionType) -> Source:
    """The source of a function whose text is kept."""
    code = function.__code__
    lines = _lines(function)
    found = find_definition(code, "".join(lines))
    if found is None:  # the text that linecache remembers may be older than the function
        linecache.checkcache(code.co_filename)
        lines = _lines(function)
        found = find_definition(code, "".join(lines))
    if found is None:
        raise _stale(function)
    return _source(function, found, lines)


def _kept_with(function: FunctionType) -> Source | None:
    """The source of a function made by `exec` that has its text in an attribute, as decorators leave it
    there; an attribute is that text if it gives the very code."""
    for text in vars(function).values():
        found = find_definition(function.__code__, text) if isinstance(text, str) else None
        if found is not None:
            return _source(function, found, text.splitlines(keepends=True))
    return None


def _source(function: FunctionType, found: Definition, lines: list[str]) -> Source:
    code, node = function.__code__, found.node
    column = character_column(lines[node.lineno - 1], node.col_offset)
    cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
    text = _segment(node, lines)
    filename, name = code.co_filename, code.co_name
    rebound = _shared(function, found, lines)
    shared = tuple(name for name in code.co_freevars if name in rebound)
    generated = is_generated(filename)
    unbound = tuple(sorted(unbound_names(found, generated=generated))) if shared else ()
    place = filename, node.lineno, column
    owner, qualified = found.owner, code.co_qualname
    return Source(
        function, name, *place, text, function.__globals__, cells, owner, shared, unbound, qualified
    )


def _shared(function: FunctionType, found: Definition, lines: list[str]) -> frozenset[str]:
    """The captured variables that a function knows by their cells."""
    if not function.__closure__:
        return frozenset()
    generated = is_generated(function.__code__.co_filename)
    return shared_names("".join(lines), found, generated=generated).union(given_names(function))


def _read_off(function: FunctionType, text: str) -> Source:
    """The source of a function whose text was read off its code."""
    code = function.__code__
    place = code.co_filename, code.co_firstlineno, 0
    return Source(function, code.co_name, *place, text, function.__globals__, {})


def _segment(node: Node, lines: list[str]) -> str:
    assert node.end_lineno is not None and node.end_col_offset is not None
    chosen = [line.encode() for line in lines[node.lineno - 1 : node.end_lineno]]
    chosen[-1] = chosen[-1][: node.end_col_offset]
    chosen[0] = chosen[0][node.col_offset :]
    return b"".join(chosen).decode()


def _lines(function: FunctionType) -> list[str]:
    filename = function.__code__.co_filename
    lines = linecache.getlines(filename, function.__globals__)
    if not lines and filename == "<frozen _collections_abc>":  # part of the interpreter, to be inherited from
        lines = linecache.getlines(function.__globals__["__file__"])
    if lines:
        return lines
    if filename.startswith("<"):
        raise _unkept(function)
    raise _not_found(function, f"the file {filename!r} cannot be read.")


def _unkept(function: FunctionType) -> SourceNotFoundError:
    return _not_found(function, "it was made by `exec`, or at a prompt that keeps no source.")


def _stale(function: FunctionType) -> SourceNotFoundError:
    if function.__code__.co_filename == "<string>":  # so is all that `exec` makes, and what `python -c` runs
        return _unkept(function)
    why = f"what {function.__code__.co_filename!r} has there now is not what the function was compiled from."
    return _not_found(function, why, "load the file again (`importlib.reload`, or restart Python).")


def _not_found(function: Any, why: str, instead: str = "") -> SourceNotFoundError:
    message = f"The source of '{dotted_name(function)}' cannot be found."
    return SourceNotFoundError(message, _place(function), why, instead or rule_remedy(function))


def _place(function: Any) -> Place | None:
    if not isinstance(function, FunctionType):
        return None
    code = function.__code__
    return Place(code.co_filename, code.co_firstlineno, 0, "", code.co_name)
