"""Source -> gast tree with the positions of the user's file, and the fence around the language."""

from __future__ import annotations

import builtins
import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CellType, ModuleType
from typing import Any, cast

from zygpy.errors import UnsupportedSyntaxError, locate
from zygpy.ir.nodes import FunctionNode, gast, local_names, own_nodes, parse_text
from zygpy.ir.source import Source, character_column


def parse(source: Source) -> FunctionNode:
    """The tree of a function, without its decorators.

    Ensures: positions are those of the user's file, with columns counted in characters.
    """
    is_lambda = source.text.startswith("lambda")
    text = f"({source.text}\n)" if is_lambda else source.text  # a lambda may span lines
    statement = parse_text(text).body[0]
    tree = statement.value if isinstance(statement, gast.Expr) else statement
    _move(tree, text.split("\n"), source.line - 1, source.column - is_lambda)
    return cast(FunctionNode, tree)


def _move(tree: gast.AST, lines: list[str], down: int, right: int) -> None:
    """Make positions in a text those of the file that it begins `down` and `right` in."""
    for node in _placed(tree):
        for line, column in (("lineno", "col_offset"), ("end_lineno", "end_col_offset")):
            number = node.get(line)
            if number is not None:
                characters = character_column(lines[number - 1], node[column])
                node[column] = characters + (right if number == 1 else 0)
                node[line] = number + down


def _placed(tree: gast.AST) -> Iterator[dict[str, Any]]:
    """The fields of every node of a tree that has a place."""
    waiting = [tree]
    while waiting:
        own = waiting.pop().__dict__
        if "lineno" in own:
            yield own
        for value in own.values():
            if type(value) is list:
                waiting += [item for item in value if isinstance(item, gast.AST)]
            elif isinstance(value, gast.AST):
                waiting.append(value)


@dataclass(frozen=True)
class Reason:
    """Why a construct is refused, and what to write instead."""

    construct: str
    why: str
    instead: str


@dataclass(frozen=True)
class Refusal:
    """A construct that cannot be differentiated, and where it stands."""

    node: gast.AST
    construct: str
    why: str
    instead: str

    @property
    def message(self) -> str:
        return f"{self.construct} cannot be differentiated."


def fence(tree: FunctionNode, source: Source) -> None:
    """Raise `UnsupportedSyntaxError` for the first construct that is refused."""
    for found in refusals(tree, source):
        node: Any = found.node
        place = locate(source.filename, node.lineno, node.col_offset, source.name)
        raise UnsupportedSyntaxError(found.message, place, found.why, found.instead)


def refusals(tree: FunctionNode, source: Source) -> list[Refusal]:
    """What is refused in a function's own body, in the order of the text.

    Functions inside it are looked at when they are entered themselves.
    """
    here = _Here(local_names(tree), source)
    nodes = [tree, *_running(tree)] if isinstance(tree, gast.AsyncFunctionDef) else _running(tree)
    found = [
        Refusal(node, reason.construct, reason.why, reason.instead)
        for node in nodes
        for reason in [_refused(node, here)]
        if reason is not None
    ]
    return sorted(found, key=lambda refusal: _position(refusal.node))


def _running(tree: Any) -> list[gast.AST]:
    """What runs as part of a function's own body, or of a class that is made in it."""
    own = list(own_nodes(tree))
    return own + [inner for node in own if isinstance(node, gast.ClassDef) for inner in _running(node.body)]


def _position(node: Any) -> tuple[int, int]:
    return node.lineno, node.col_offset


@dataclass(frozen=True)
class _Here:
    """What names mean in the function that is looked at."""

    local: frozenset[str]
    source: Source

    def value(self, node: gast.AST) -> Any:
        """The object that a global or captured name, or a name in a module, stands for; else None."""
        if isinstance(node, gast.Attribute):
            module = self.value(node.value)
            return vars(module).get(node.attr) if isinstance(module, ModuleType) else None
        if not isinstance(node, gast.Name) or node.id in self.local:
            return None
        if node.id in self.source.cells:
            return _cell_value(self.source.cells[node.id])
        return self.source.globals.get(node.id, vars(builtins).get(node.id))


def _cell_value(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not assigned yet
        return None


def _refused(node: gast.AST, here: _Here) -> Reason | None:
    check = CHECKS.get(type(node))
    return check(node, here) if check is not None else SYNTAX.get(type(node))


def _refused_comprehension(node: Any, here: _Here) -> Reason | None:
    return ASYNC_FOR if any(generator.is_async for generator in node.generators) else None


def _refused_index(node: Any, here: _Here) -> Reason | None:
    items = node.slice.elts if isinstance(node.slice, gast.Tuple) else ()
    return STARRED_INDEX if any(isinstance(item, gast.Starred) for item in items) else None


def _refused_name(node: Any, here: _Here) -> Reason | None:
    value = here.value(node)
    return next((reason for function, reason in FUNCTIONS if function is value), None)


def _refused_call(node: Any, here: _Here) -> Reason | None:
    if node.args or node.keywords:
        return None
    value = here.value(node.func)
    return next((reason for function, reason in WITHOUT_ARGUMENTS if function is value), None)


CHECKS: dict[type[gast.AST], Callable[[Any, _Here], Reason | None]] = {
    gast.Name: _refused_name,
    gast.Attribute: _refused_name,
    gast.Call: _refused_call,
    gast.Subscript: _refused_index,
    gast.ListComp: _refused_comprehension,
    gast.SetComp: _refused_comprehension,
    gast.DictComp: _refused_comprehension,
    gast.GeneratorExp: _refused_comprehension,
}

ASYNC = "what runs between the suspension and the resumption of a coroutine cannot be known."
ASYNC_FOR = Reason("'async for'", ASYNC, "collect the items first and loop over the list.")
FRAMES = "the function that runs under differentiation is another one, with other local variables."
TEXT = "what the text says is not known when the function is transformed."
STARRED_INDEX = Reason(
    "a starred expression in an index",
    "how many axes it indexes is not known.",
    "write the indices out, or index with a tuple: `x[tuple(indices)]`.",
)

SYNTAX: dict[type[gast.AST], Reason] = {
    gast.AsyncFunctionDef: Reason("'async def'", ASYNC, "write a plain function, and await around it."),
    gast.Await: Reason("'await'", ASYNC, "await the value first and pass it in as an argument."),
    gast.AsyncFor: ASYNC_FOR,
    gast.AsyncWith: Reason("'async with'", ASYNC, "enter the context around the differentiated function."),
}
if sys.version_info >= (3, 12):
    SYNTAX[gast.TypeAlias] = Reason(
        "'type' inside a function",
        "it defines a type at each call.",
        "define the type at the top of the module.",
    )

FUNCTIONS: list[tuple[Callable[..., Any], Reason]] = [
    (eval, Reason("'eval'", TEXT, "call a function.")),
    (exec, Reason("'exec'", TEXT, "call a function.")),
    (locals, Reason("'locals'", FRAMES, "name the variables, for example in a dict.")),
    (globals, Reason("'globals'", FRAMES, "name the global variables.")),
    (sys._getframe, Reason("'sys._getframe'", FRAMES, "pass what is needed as an argument.")),
    (inspect.currentframe, Reason("'inspect.currentframe'", FRAMES, "pass what is needed as an argument.")),
    (inspect.stack, Reason("'inspect.stack'", FRAMES, "pass what is needed as an argument.")),
]
WITHOUT_ARGUMENTS: list[tuple[Callable[..., Any], Reason]] = [
    (vars, Reason("'vars()'", FRAMES, "name the variables, for example in a dict.")),
    (dir, Reason("'dir()'", FRAMES, "name the variables.")),
]
