"""text -> functions: the one place that compiles, and the registry of generated files.

A generated file lives in `linecache`, so that tracebacks, `pdb` and `inspect.getsource` show it, and
disappears with the last code object compiled from it.
"""

from __future__ import annotations

import ast
import contextlib
import itertools
import linecache
import re
import traceback
import weakref
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from types import CellType, CodeType, FunctionType
from typing import Any, TypeAlias

from zygpy.errors import Place, UnsupportedSyntaxError, ZygpyError, locate
from zygpy.ir.classes import GENERATED
from zygpy.ir.source import Source
from zygpy.ir.text import Text
from zygpy.load.spaces import fill, reads_only, space_of_its_own


@dataclass(frozen=True)
class Origin:
    """The user's function that a text was generated from; `qualified` as Python says where it stands."""

    filename: str
    function: str
    qualified: str = ""


@dataclass(frozen=True, eq=False)
class File:
    """A generated file: its text and the identities of its code objects that are still alive."""

    origin: Origin
    text: Text
    alive: set[int] = field(default_factory=set)


_files: dict[str, File] = {}


def file_of(filename: str) -> File | None:
    """The generated file of a name; None of any other name."""
    return _files.get(filename)


def origin_of(source: Source) -> Origin:
    """Where what is generated of a function comes from. A generated one stands where the user's does; what
    it has inside says so already."""
    file = None if "<locals>" in source.qualified else _files.get(source.filename)
    return Origin(source.filename, source.name, file.origin.qualified if file else source.qualified)


def load(
    text: Text,
    names: Sequence[str],
    cells: Mapping[str, object],
    user_globals: dict[str, Any],
    filename: str,
    origin: Origin | None = None,
    live: Set[str] | None = None,
) -> dict[str, FunctionType]:
    """Compile a text and return its functions `names`.

    Names in `cells` become closure variables of the functions; a value that is a `CellType` is taken
    as the cell itself, so that it can be shared, or filled later. The functions of one text see each
    other in the same way. Every other free name is looked up in `user_globals`, live, and nothing is
    written there. The functions' file is called `filename`, or `filename` with a number while another
    text of that name is alive.

    `live` are the names that the text reads in `user_globals`, as far as the caller knows. Where there are
    none, the functions have globals of their own, in which the names of `cells` are found faster.
    """
    if clash := set(names) & set(cells):
        raise ValueError(f"cells named like functions of the text: {sorted(clash)}")
    file = File(origin or Origin(filename, ""), text)
    filename = _claim(filename, file)
    space = None if live is None else space_of_its_own(live, cells, user_globals)
    try:
        codes = _compile(text.source, names, tuple(cells) if space is None else None, filename)
        if space is not None and not all(reads_only(code, {*space, *names}, user_globals) for code in codes):
            codes, space = _compile(text.source, names, tuple(cells), filename), None
    except SyntaxError as error:
        del _files[filename]
        raise _too_large(file.origin, error) from error
    except BaseException:
        del _files[filename]
        raise
    codes = tuple(_qualified(code, file.origin.qualified) for code in codes)
    _remember(filename, file, text.source, codes)
    found = dict(zip(names, codes, strict=True))
    return _functions(found, cells, user_globals) if space is None else _alone(found, space)


def _alone(codes: Mapping[str, CodeType], space: dict[str, Any]) -> dict[str, FunctionType]:
    """The functions with globals of their own."""
    found = {name: FunctionType(code, space, name) for name, code in codes.items()}
    for function in found.values():
        setattr(function, GENERATED, True)
    fill(space, found)
    return found


def _too_large(origin: Origin, error: SyntaxError) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(
        f"{origin.function!r} in {origin.filename} gives a function that Python cannot compile.",
        why=f"{error.msg}; a chain of `elif` counts as nested in what is generated.",
        instead="split the function in two.",
    )


def line_map(filename: str) -> tuple[str, dict[int, int]] | None:
    """The user's file and {generated line: user's line} of a generated file, or None."""
    file = _files.get(filename)
    return (file.origin.filename, file.text.lines) if file else None


OWN = (str(Path(__file__).parents[1]), "<primitive ")
"""Where programs that stand for builtins are: the user's line is that of the builtin's call."""


def annotate(exception: BaseException) -> None:
    """Add notes to the exception for each generated line that it passed through.

    A note names a line of the user's file that the generated one comes from, and the function. Notes
    that are there already are not repeated.
    Our own errors are told their place in this way: the innermost line of the user's, behind code that was
    generated of generated code too.
    """
    innermost = None
    for frame, line in traceback.walk_tb(exception.__traceback__):
        file = _files.get(frame.f_code.co_filename)
        if file is not None and line in file.text.lines:
            innermost = _inner_place(innermost, file, line)
            for origin in file.text.origins(line):
                _add_note(exception, _note(*_behind(file, origin)))
    if isinstance(exception, ZygpyError):
        _tell_place(exception, innermost)


Line: TypeAlias = "tuple[File, int]"
"""A line of the file that a generated one comes from."""


def _behind(file: File, line: int) -> Line:
    """The line that a line of generated code comes from in the end, which may be one of generated code where
    no more is known of that; `line` is the one that it comes from itself."""
    behind = _files.get(file.origin.filename)
    while behind is not None and line in behind.text.lines:
        file, line = behind, behind.text.lines[line]
        behind = _files.get(file.origin.filename)
    return file, line


def _inner_place(known: Line | None, file: File, line: int) -> Line | None:
    """The line to name, of one that is known and one further in: what is generated is named only where there
    is nothing else."""
    found = _behind(file, file.text.lines[line])
    if found[0].origin.filename.startswith(OWN) or (known is not None and _is_of_generated(found)):
        return known
    return found


def _is_of_generated(line: Line) -> bool:
    return line[0].origin.filename in _files


def _tell_place(error: ZygpyError, innermost: Line | None) -> None:
    """Tell an error which line of the user's it is about."""
    locate_refused(error)
    file = _files.get(error.place.filename) if error.place is not None else None
    if file is not None and error.place is not None:
        line = error.place.line
        found = _behind(file, file.text.lines[line]) if line in file.text.lines else innermost
        error.place = None if found is None or _is_of_generated(found) else _place(*found)
    if innermost is not None and not (error.place is not None and _is_of_generated(innermost)):
        error.reach_from(_place(*innermost))


def locate_refused(error: ZygpyError) -> None:
    """Tell an error about an unknown cotangent which line of the user's that cotangent is for."""
    filename, line = getattr(error, "made_at", ("", 0))
    file = _files.get(filename)
    found = _behind(file, file.text.lines[line]) if file is not None and line in file.text.lines else None
    if found is not None and not _is_of_generated(found):
        error.reach_from(_place(*found))


def _place(file: File, line: int) -> Place:
    text = linecache.getline(file.origin.filename, line)
    return locate(file.origin.filename, line, len(text) - len(text.lstrip()), file.origin.function)


def _note(file: File, line: int) -> str:
    function = f", in {file.origin.function}" if file.origin.function else ""
    return f"generated from {file.origin.filename}, line {line}{function}"


def _add_note(exception: BaseException, note: str) -> None:
    with contextlib.suppress(Exception):  # an exception class may refuse new attributes
        if note not in getattr(exception, "__notes__", ()):
            exception.add_note(note)


def _compile(
    source: str, names: Sequence[str], cells: Sequence[str] | None, filename: str
) -> tuple[CodeType, ...]:
    """The code objects of the functions `names`, with `cells` and each other as free variables; if `cells` is
    None, as globals."""
    if cells is None:
        codes = {code.co_name: code for code in _inner(compile(source, filename, "exec", dont_inherit=True))}
        return tuple(codes[name] for name in names)
    factory = ast.parse(f"def factory({', '.join(cells)}): pass")
    definition = factory.body[0]
    assert isinstance(definition, ast.FunctionDef)
    definition.body = ast.parse(source).body
    module = compile(factory, filename, "exec", dont_inherit=True)
    (outer,) = _inner(module)
    found = {code.co_name: code.replace(co_qualname=code.co_name) for code in _inner(outer)}
    return tuple(found[name] for name in names)


MAKER = re.compile(r"\.make_(\w+?)(?:_\d+)?\.<locals>(?=\.\1(?:\.|$))")
"""The function that a generated text makes a class of the same name in."""


def _qualified(code: CodeType, qualified: str) -> CodeType:
    """A generated function whose inner functions say that they stand in the user's."""
    return _inside(code, f"{code.co_name}.<locals>.", f"{qualified}.<locals>.") if qualified else code


def _inside(code: CodeType, own: str, users: str) -> CodeType:
    """The code with the qualified names of all that is inside in the user's words."""
    if not any(isinstance(constant, CodeType) for constant in code.co_consts):
        return code
    return code.replace(co_consts=tuple(_renamed(constant, own, users) for constant in code.co_consts))


def _renamed(constant: Any, own: str, users: str) -> Any:
    if not isinstance(constant, CodeType):
        return constant
    _, _, place = constant.co_qualname.partition(own)
    name = MAKER.sub("", users + place) if place else constant.co_qualname
    return _inside(constant.replace(co_qualname=name), own, users)


def _functions(
    codes: Mapping[str, CodeType], cells: Mapping[str, object], user_globals: dict[str, Any]
) -> dict[str, FunctionType]:
    own = {name: CellType() for name in codes}
    known = {name: _cell(value) for name, value in cells.items()} | own
    for name, code in codes.items():
        closure = tuple(known[free] for free in code.co_freevars)
        function = FunctionType(code, user_globals, name, None, closure)
        setattr(function, GENERATED, True)
        own[name].cell_contents = function
    return {name: cell.cell_contents for name, cell in own.items()}


def _cell(value: object) -> CellType:
    return value if isinstance(value, CellType) else CellType(value)


def _inner(code: CodeType) -> Iterator[CodeType]:
    """The code objects defined directly inside one."""
    return (constant for constant in code.co_consts if isinstance(constant, CodeType))


def _all(code: CodeType) -> Iterator[CodeType]:
    yield code
    for inner in _inner(code):
        yield from _all(inner)


def _claim(filename: str, file: File) -> str:
    """Enter the file under a name that no live file has; `setdefault` settles races of threads."""
    stem, end = (filename[:-1], ">") if filename.endswith(">") else (filename, "")
    numbered = (f"{stem} #{number}{end}" for number in itertools.count(2))
    return next(
        name for name in itertools.chain([filename], numbered) if _files.setdefault(name, file) is file
    )


def _remember(filename: str, file: File, source: str, codes: Sequence[CodeType]) -> None:
    """Show the text in `linecache` for as long as one of its code objects lives.

    An entry without a modification time survives `linecache.checkcache`.
    """
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    everything = [inner for code in codes for inner in _all(code)]
    file.alive.update(map(id, everything))
    for code in everything:
        weakref.finalize(code, _forget, filename, file, id(code)).atexit = False


def _forget(filename: str, file: File, identity: int) -> None:
    file.alive.discard(identity)
    if not file.alive and _files.get(filename) is file:
        linecache.cache.pop(filename, None)
        _files.pop(filename, None)
