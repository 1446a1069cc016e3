"""Finding the `def` or `lambda` of a text that a code object was compiled from."""

from __future__ import annotations
import __future__

import ast
import bisect
import copy
import dis
import gc
import inspect
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from types import CodeType
from typing import Any, TypeAlias

from zygpy.ir.source import character_column

Node: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Span: TypeAlias = tuple[tuple[int, int], tuple[int, int]]

FUTURE_FLAGS = sum(getattr(__future__, feature).compiler_flag for feature in __future__.all_feature_names)
JUMPS = frozenset(dis.hasjrel) | frozenset(dis.hasjabs)
WITHOUT_MEANING = frozenset({"NOP", "CACHE", "RESUME", "EXTENDED_ARG", "PUSH_NULL", "PRECALL"})


@dataclass(frozen=True, eq=False)
class Definition:
    """A `def` or `lambda` of a file, the class around it ("" for none), what the file imports, and the
    functions around it, outermost first."""

    node: Node
    owner: str
    imported: tuple[str, ...]
    around: tuple[Node, ...] = ()


def find_definition(code: CodeType, text: str) -> Definition | None:
    """The definition that gives this code; None if the text has none."""
    line = _definitions(text).get(code.co_firstlineno, [])
    candidates = [found for found in line if getattr(found.node, "name", "<lambda>") == code.co_name]
    candidates = _by_position(code, candidates)
    for agree in (_same, _instrumented):
        for found in candidates:
            if agree(code, found):
                return found
    return next((found for found in candidates if _same_in_its_file(code, found, text)), None)


@lru_cache(maxsize=32)
def parsed_file(text: str) -> ast.Module | None:
    """The tree of a file; None if it is broken.

    Nothing is collected meanwhile: what runs when a generator is collected may parse a file, too, and in
    Python 3.11 one tree that is made in the midst of another makes that fail with a SystemError.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    finally:
        if collecting:
            gc.enable()


@lru_cache(maxsize=32)
def _definitions(text: str) -> dict[int, list[Definition]]:
    """The definitions of a file by the line that their code object starts on; none if it is broken."""
    found: dict[int, list[Definition]] = {}
    tree = parsed_file(text)
    if tree is None:
        return found
    imported, lambdas = tuple(_imported(tree.body)), _mentions("lambda", text)
    waiting: list[tuple[ast.AST, str, tuple[Node, ...]]] = [(tree, "", ())]
    while waiting:
        node, owner, around = waiting.pop()
        if isinstance(node, Node):
            found.setdefault(_first_line(node), []).append(Definition(node, owner, imported, around))
            around = (*around, node)
        inner = ast.iter_child_nodes(node) if _may_have(node, lambdas) else _statements_in(node)
        waiting.extend((child, inside, around) for child, inside in _with_owner(node, owner, inner))
    return found


@lru_cache(maxsize=32)
def _by_place(text: str) -> dict[tuple[int, int], Node]:
    """The definitions of a file by the lines and columns, in characters, where they begin."""
    lines, nodes = text.split("\n"), chain.from_iterable(_definitions(text).values())
    return {
        (one.node.lineno, character_column(lines[one.node.lineno - 1], one.node.col_offset)): one.node
        for one in nodes
    }


def definition_at(text: str, place: tuple[int, int]) -> Node | None:
    """The definition that begins at a line and column of a file; None where none does.

    >>> definition_at("f = lambda: 1", (1, 4)) is None, definition_at("f = lambda: 1", (1, 2)) is None
    (False, True)
    """
    return _by_place(text).get(place)


def _mentions(word: str, text: str) -> list[int]:
    """The lines of a text, counted as Python does, that a word stands in."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [number for number, line in enumerate(lines, 1) if word in line]


def _may_have(node: ast.AST, lambdas: list[int]) -> bool:
    """Whether a lambda may stand somewhere in a node; of statements their lines tell."""
    if not isinstance(node, ast.stmt):
        return not isinstance(node, ast.Module)
    first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])
    place = bisect.bisect_left(lambdas, first)
    return place < len(lambdas) and lambdas[place] <= (node.end_lineno or node.lineno)


def _statements_in(node: ast.AST) -> Iterator[ast.AST]:
    """What holds statements, or is one, directly inside a node."""
    for part in ("body", "handlers", "orelse", "finalbody", "cases"):
        yield from getattr(node, part, ())


@lru_cache(maxsize=32)
def nonlocal_names(text: str) -> frozenset[str]:
    """All names that some function of a file declares `nonlocal`, or that a class mentions which is made in a
    function: its methods know them by their cells."""
    tree = parsed_file(text) if "nonlocal" in text or INNER_CLASS.search(text) else None
    return frozenset() if tree is None else names_of_cells(tree)


def names_of_cells(tree: ast.AST) -> frozenset[str]:
    """The same of a part of a file.

    >>> sorted(names_of_cells(ast.parse("def f():\\n a = 1\\n def g():\\n  nonlocal a\\n  a += b")))
    ['a']
    """
    nodes = list(ast.walk(tree))
    declared = frozenset(name for node in nodes if isinstance(node, ast.Nonlocal) for name in node.names)
    return declared.union(*map(_names_of_inner_classes, nodes))


INNER_CLASS = re.compile(r"^[ \t]+class\b", re.MULTILINE)


def _names_of_inner_classes(node: ast.AST) -> set[str]:
    """The names that the classes mention which a function makes."""
    classes = [child for child in ast.walk(node) if isinstance(child, ast.ClassDef)] if _is_def(node) else []
    return {child.id for cls in classes for child in ast.walk(cls) if isinstance(child, ast.Name)}


def _is_def(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def _with_owner(node: ast.AST, owner: str, children: Iterable[ast.AST]) -> Iterator[tuple[ast.AST, str]]:
    """Children of a node, each with the class whose body it stands in."""
    inside = {id(child) for child in node.body} if isinstance(node, ast.ClassDef) else ()
    for child in children:
        yield child, node.name if isinstance(node, ast.ClassDef) and id(child) in inside else owner


def _imported(block: list[ast.stmt]) -> Iterator[str]:
    """The names that a module binds by import, which it calls attributes of in another way."""
    for statement in block:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            names = (alias.asname or alias.name.partition(".")[0] for alias in statement.names)
            yield from (name for name in names if name != "*")
        elif not isinstance(statement, ast.ClassDef | Node):
            for part in ("body", "orelse", "finalbody"):
                yield from _imported(getattr(statement, part, []))


def _first_line(node: Node) -> int:
    decorators = () if isinstance(node, ast.Lambda) else node.decorator_list
    return decorators[0].lineno if decorators else node.lineno


def _by_position(code: CodeType, candidates: list[Definition]) -> list[Definition]:
    """Of several lambdas on a line, the one whose body is the smallest that holds all instructions.

    An outer lambda has the instruction that makes the inner one, which reaches over the inner
    one's body. Without columns (`python -X no_debug_ranges`) the code itself has to tell.
    """
    if len(candidates) < 2:
        return candidates
    spans = list(_spans(code))
    holding = [found for found in candidates if all(_inside(span, _body_span(found.node)) for span in spans)]
    return sorted(holding, key=lambda found: _body_span(found.node)[0], reverse=True)[: 1 if spans else None]


def _spans(code: CodeType) -> Iterator[Span]:
    for line, end_line, column, end_column in code.co_positions():
        if line is None or end_line is None or column is None or end_column is None:
            continue
        if (line, column) != (end_line, end_column):
            yield (line, column), (end_line, end_column)


def _body_span(node: Node) -> Span:
    body = node.body if isinstance(node, ast.Lambda) else node
    assert body.end_lineno is not None and body.end_col_offset is not None
    return (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)


def _inside(inner: Span, outer: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _same(code: CodeType, found: Definition) -> bool:
    again = _recompile(code, found, _undecorated(found.node))
    return again is not None and _fingerprint(code) == _fingerprint(again)


def _fingerprint(code: CodeType) -> tuple[Any, ...]:
    """All that decides what a code object does (`==` on code objects also compares positions)."""
    constants = tuple(
        _fingerprint(item) if isinstance(item, CodeType) else _constant(item) for item in code.co_consts
    )
    return _parameters(code), code.co_names, code.co_varnames, code.co_freevars, code.co_code, constants


def _constant(value: Any) -> tuple[str, ...]:
    """A constant by type and value: 1, 1.0 and True differ, sets have no order, the qualified name
    of a class inside the function does not depend on where the function stands."""
    if isinstance(value, tuple | frozenset):
        items = [" ".join(_constant(item)) for item in value]
        return type(value).__name__, *(items if isinstance(value, tuple) else sorted(items))
    if isinstance(value, str):
        value = value.rpartition(".<locals>.")[2]
    return type(value).__name__, repr(value)


def _instrumented(code: CodeType, found: Definition) -> bool:
    """Whether `code` is the definition but for its `assert` statements, which pytest rewrites, and for
    how it calls attributes, which depends on what the module imports."""
    node = _undecorated(found.node)
    asserts = _asserts(node)
    again = _recompile(code, found, node)
    return again is not None and _outside(code, asserts) == _outside(again, asserts)


def _same_in_its_file(code: CodeType, found: Definition, text: str) -> bool:
    """The same with the definition compiled where it stands: what the module does may matter, such as
    a use of `super` at its top."""
    asserts = _asserts(found.node)
    wanted = code.co_name, code.co_firstlineno, _outside(code, asserts)
    return any(
        wanted == (again.co_name, again.co_firstlineno, _outside(again, asserts))
        for again in _codes_of(text, code.co_flags & FUTURE_FLAGS)
        if (again.co_name, again.co_firstlineno) == wanted[:2]
    )


@lru_cache(maxsize=8)
def _codes_of(text: str, flags: int) -> tuple[CodeType, ...]:
    try:
        return tuple(_codes(compile(text, "<again>", "exec", flags, dont_inherit=True)))
    except (SyntaxError, ValueError):
        return ()


def _asserts(node: Node) -> list[Span]:
    return [_span(inner) for inner in ast.walk(node) if isinstance(inner, ast.Assert)]


def _span(node: ast.stmt) -> Span:
    assert node.end_lineno is not None and node.end_col_offset is not None
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def _outside(code: CodeType, asserts: list[Span]) -> tuple[Any, ...]:
    """The parameters of a code object and its instructions that come from outside these places."""
    steps = [
        (instruction.opname.replace("LOAD_METHOD", "LOAD_ATTR"), _operand(instruction, asserts))
        for instruction in dis.get_instructions(code)
        if instruction.opname not in WITHOUT_MEANING and not _is_in(instruction.positions, asserts)
    ]
    return _parameters(code), steps


def _is_in(positions: dis.Positions | None, asserts: list[Span]) -> bool:
    if positions is None or positions.lineno is None or positions.end_lineno is None:
        return True  # made by the compiler for the function as a whole
    first, last = positions.lineno, positions.end_lineno
    span = (first, positions.col_offset or 0), (last, positions.end_col_offset or 0)
    return any(_inside(span, place) for place in asserts)


def _operand(instruction: dis.Instruction, asserts: list[Span]) -> Any:
    if instruction.opcode in JUMPS:
        return None
    value = instruction.argval
    if isinstance(value, CodeType):
        return _outside(value, asserts)
    return _constant(value) if instruction.opname in ("LOAD_CONST", "RETURN_CONST") else repr(value)


def _parameters(code: CodeType) -> tuple[Any, ...]:
    star = code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + star.bit_count()]
    return star, code.co_argcount, code.co_posonlyargcount, names


def _recompile(code: CodeType, found: Definition, function: Node) -> CodeType | None:
    """Compile a definition again, with the free variables and in the class it was compiled in."""
    owner = found.owner
    body: ast.stmt = _statement(function) if isinstance(function, ast.Lambda) else function
    if owner:
        body = _with_body(f"class {owner}: pass", body)
    wrapper = _with_body("def surroundings(): pass", body)
    wrapper.args = _arguments(args=[_located(ast.arg(arg=name)) for name in code.co_freevars])
    bound = {owner or getattr(function, "name", "")} - {"", *code.co_freevars}
    if bound:  # what the function calls by its own name, or by that of its class, is global
        wrapper.body.insert(0, _located(ast.Global(sorted(bound))))
    imports = [_located(ast.Import([ast.alias(name)])) for name in found.imported]
    module = ast.Module(body=[*imports, wrapper], type_ignores=[])
    flags = code.co_flags & FUTURE_FLAGS
    try:
        compiled = compile(module, "<again>", "exec", flags, dont_inherit=True)
    except SyntaxError:  # another program: it has a `nonlocal` of a name that is not captured
        return None
    functions = (inner for inner in _codes(compiled) if inner.co_flags & inspect.CO_OPTIMIZED)  # not classes
    return next((inner for inner in functions if inner.co_name == code.co_name), None)


def _statement(expression: ast.expr) -> ast.stmt:
    return ast.copy_location(ast.Expr(expression), expression)


def _located(node: Any) -> Any:
    """A node that stands in no text, as if it stood at its beginning."""
    return ast.fix_missing_locations(node)


def _with_body(text: str, body: ast.stmt) -> Any:
    statement: Any = ast.parse(text).body[0]
    statement.body = [body]
    return statement


def _undecorated(node: Node) -> Node:
    """The definition without what runs outside of it: decorators, defaults, annotations."""
    given = node.args
    arguments = _arguments(
        posonlyargs=[_bare(item) for item in given.posonlyargs],
        args=[_bare(item) for item in given.args],
        vararg=given.vararg and _bare(given.vararg),
        kwonlyargs=[_bare(item) for item in given.kwonlyargs],
        kw_defaults=[None for _ in given.kwonlyargs],
        kwarg=given.kwarg and _bare(given.kwarg),
    )
    bare = copy.copy(node)
    bare.args = arguments
    if not isinstance(bare, ast.Lambda):
        bare.decorator_list, bare.returns = [], None
    return bare


def _arguments(**fields: Any) -> ast.arguments:
    empty: dict[str, Any] = {
        "posonlyargs": [],
        "args": [],
        "kwonlyargs": [],
        "kw_defaults": [],
        "defaults": [],
    }
    return ast.arguments(**empty | fields)


def _bare(parameter: ast.arg) -> ast.arg:
    return ast.copy_location(ast.arg(arg=parameter.arg), parameter)


def _codes(code: CodeType) -> Iterator[CodeType]:
    """The code objects inside a code object, outer before inner."""
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    yield from inner
    for each in inner:
        yield from _codes(each)
