"""pair -> text and line map: the only file that imports astor, and that only when it is first used."""

from __future__ import annotations

import ast
import functools
import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from zygpy.ir.text import Text

WIDTH = 110
"""Longer lines are broken inside brackets."""

INDENT = "    "

Origins: TypeAlias = tuple[int, ...]

Function: TypeAlias = Any
"""A `gast.FunctionDef`; gast is untyped."""


def render(functions: Sequence[Function]) -> Text:
    """Write gast function definitions as source, one empty line between them.

    A statement without a `lineno` belongs to the same user's line as the statement before it.
    `Expr(Constant("# text", kind="comment"))` is written as a comment line.

    >>> import gast
    >>> text = render(gast.parse("def double(x):\\n    return (x * 2)").body)
    >>> print(text.source)
    def double(x):
        return x * 2
    <BLANKLINE>
    >>> text.lines
    {1: 1, 2: 2}
    """
    lines: list[tuple[str, Origins]] = []
    for function in functions:
        lines += [("", ())] if lines else []
        lines += _function_lines(function)
    source = "".join(f"{line}\n" for line, _ in lines)
    numbered = [(number, users) for number, (_, users) in enumerate(lines, 1)]
    return Text(
        source,
        {number: users[0] for number, users in numbered if users},
        {number: users[1:] for number, users in numbered if len(users) > 1},
    )


def agrees(functions: Sequence[Function], text: Text) -> bool:
    """Whether the text, parsed again, is these functions (positions and comments apart)."""
    import gast

    expected = [ast.dump(_Canonical().visit(gast.gast_to_ast(function))) for function in functions]
    return expected == [ast.dump(_Canonical().visit(node)) for node in ast.parse(text.source).body]


def _function_lines(function: Function) -> list[tuple[str, Origins]]:
    writer = _writer_class()(INDENT)
    writer.visit(_trees().as_python(function))
    return [
        (physical, users)
        for tokens, users in _logical_lines(writer.result, writer.marks)
        for physical in _fold(tokens).split("\n")
    ]


def _logical_lines(tokens: Sequence[str], marks: dict[int, Origins]) -> Iterator[tuple[list[str], Origins]]:
    """Split astor's tokens at its newline tokens; `marks` says which user's lines start where."""
    line: list[str] = []
    users: Origins = ()
    for index, token in enumerate(tokens):
        if index in marks or token.startswith("\n"):
            if line:
                yield line, users
            line = []
            users = marks.get(index) or users
        if not token.startswith("\n"):
            line.append(token)
    if line:
        yield line, users


def _origins(node: ast.AST | None) -> Origins:
    """The user's line that a statement is from, then those that parts of its first line are from."""
    own = getattr(node, "lineno", None)
    if node is None or own is None:
        return ()
    found: dict[int, None] = {}
    for part in [] if isinstance(node, ast.FunctionDef) else _first_line_parts(node):
        for inner in _in_breadth(part):
            line = getattr(inner, "lineno", own)
            if line is not None and line != own:
                found[line] = None
    return (own, *found)


def _first_line_parts(node: ast.AST) -> list[ast.AST]:
    return [part for part in _trees().children(node) if isinstance(part, (ast.expr, ast.withitem))]


def _in_breadth(root: ast.AST) -> list[ast.AST]:
    """A node and all below it that has a place, level by level."""
    found, children = [root], _trees().children
    for node in found:  # which grows
        found += children(node)
    return found


def _fold(tokens: list[str]) -> str:
    """One line, or several if it is too long and can be broken."""
    line = "".join(tokens)
    if len(line) <= WIDTH or "\n" in line or line.lstrip().startswith("#"):
        return line
    from astor.source_repr import wrap_line

    folded: list[str] = []
    wrap_line(tokens, WIDTH, folded)
    return "\n".join(part.rstrip() for part in "".join(folded).split("\n"))


@functools.cache
def _trees() -> Any:
    """The walks over trees, which load gast."""
    from zygpy.ir import nodes

    return nodes


@functools.cache
def _precedences() -> tuple[Any, Any]:
    """astor's way to note how tightly a node is bound where it stands, and its table."""
    from astor.code_gen import set_precedence
    from astor.op_util import Precedence

    return set_precedence, Precedence


@functools.cache
def _writer_class() -> Any:
    """astor's generator with our printers in front of its own."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # astor asks for node classes of the past
        from astor.code_gen import SourceGenerator
    return type("Writer", (_Printers, SourceGenerator), {"__init__": _start})


def _start(writer: Any, indent: str) -> None:
    super(type(writer), writer).__init__(indent)
    writer.marks = {}


class _Printers:
    """What astor writes in another way than a person would, or cannot write at all."""

    write: Callable[..., None]
    visit: Callable[[ast.AST], None]
    delimit: Callable[..., Any]
    else_body: Callable[[list[ast.stmt]], None]
    indentation: int
    new_lines: int
    result: list[str]
    marks: dict[int, Origins]

    def newline(self, node: ast.AST | None = None, extra: int = 0) -> None:
        """A new line, without astor's empty lines; remembers which user's line the node is from."""
        self.new_lines = 1
        self.marks[len(self.result)] = _origins(node)

    def body(self, statements: Sequence[ast.stmt]) -> None:
        """An indented block; comments alone are not one in Python."""
        self.indentation += 1
        self.write(*statements)
        if all(map(_is_comment, statements)):
            self.visit(ast.Pass())
        self.indentation -= 1

    def visit_Expr(self, node: ast.Expr) -> None:
        """A comment, a docstring or an expression."""
        if _is_comment(node):
            for line in _string(node.value).split("\n"):
                self.newline(node)
                self.write(line if line.startswith("#") else f"# {line}")
            return
        self.newline(node)
        if _is_docstring(node):
            self.write(f'"""{_string(node.value)}"""')
        else:
            _set_precedence("Expr", node.value)
            self.write(node.value)

    def visit_If(self, node: ast.If) -> None:
        """astor forgets which line an `elif` is from."""
        keyword = "if "
        while True:
            _set_precedence("If", node.test)
            self.newline(node)
            self.write(keyword, node.test, ":")
            self.body(node.body)
            if not (len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)):
                break
            node, keyword = node.orelse[0], "elif "
        self.else_body(node.orelse)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """astor knows no type parameters."""
        if getattr(node, "type_params", None):
            self.unparsed(node)
        else:
            super().visit_FunctionDef(node)  # type: ignore[misc]  # astor has no types

    def unparsed(self, node: ast.AST) -> None:
        """A whole statement, as Python's own `ast.unparse` writes it at this depth."""
        block: Any = node
        for _ in range(self.indentation):
            block = ast.If(ast.Constant(True), [block], [])
        lines = ast.unparse(ast.fix_missing_locations(block)).lstrip("\n").split("\n")
        self.newline(node)
        self.write("\n".join(lines[self.indentation :]).lstrip())

    visit_AsyncFunctionDef = unparsed
    visit_ClassDef = unparsed
    visit_Match = unparsed
    visit_TryStar = unparsed
    visit_TypeAlias = unparsed

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """astor's own way needs `ast.Str`, which newer Pythons no longer have."""
        self.write(ast.unparse(node))

    visit_TemplateStr = visit_JoinedStr

    def visit_arguments(self, node: ast.arguments) -> None:
        """astor loses a default where positional-only parameters have none."""
        self.write(ast.unparse(node))

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """Without astor's space in `lambda : x`."""
        with self.delimit(node) as delimiters:
            _set_precedence(delimiters.p, node.body)
            arguments = ast.unparse(node.args)
            self.write(f"lambda {arguments}: " if arguments else "lambda: ", node.body)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """Python warns of an item of None, even where that is never run."""
        super().visit_Subscript(_without_warning(node))  # type: ignore[misc]

    def visit_Call(self, node: ast.Call) -> None:
        """Likewise of a call of it."""
        super().visit_Call(_without_warning(node))  # type: ignore[misc]

    def visit_Compare(self, node: ast.Compare) -> None:
        """Likewise of `x is 1`."""
        super().visit_Compare(_without_warning(node))  # type: ignore[misc]

    def visit_Constant(self, node: ast.Constant) -> None:
        """Numbers that a literal cannot express are written as the expression that gives them."""
        expression = _expression(node.value)
        if expression is not None:
            _set_precedence(getattr(node, "_pp", "highest"), expression)
            self.visit(expression)
        elif isinstance(node.value, bool) or not isinstance(node.value, int | float | complex):
            self.write(_quoted(node.value))
        else:
            with self.delimit(node):
                self.write(_number(node.value))


def _without_warning(node: Any) -> Any:
    """An expression with constants in a list of one where Python would warn of them when it compiles the
    text, which says to the user what a branch that is never run would do.

    >>> print(ast.unparse(_without_warning(ast.parse("None[0]", mode="eval").body)))
    [None][0][0]
    """
    if isinstance(node, ast.Compare) and any(isinstance(test, ast.Is | ast.IsNot) for test in node.ops):
        node.left, *node.comparators = map(_listed, (node.left, *node.comparators))
    elif isinstance(node, ast.Subscript) and not _is_text(node.value):
        node.value = _listed(node.value, ())
    elif isinstance(node, ast.Call):
        node.func = _listed(node.func, ())
    return node


def _listed(node: ast.expr, single: tuple[Any, ...] = (None, True, False, ...)) -> ast.expr:
    """A constant as the only item of a list, unless it is one of those of which there is one."""
    if not isinstance(node, ast.Constant) or any(node.value is value for value in single):
        return node
    return ast.Subscript(ast.List([node], ast.Load()), ast.Constant(0), ast.Load())


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)


def _is_comment(node: ast.AST) -> bool:
    value = getattr(node, "value", None)
    return isinstance(node, ast.Expr) and getattr(value, "kind", None) == "comment"


def _is_docstring(node: ast.Expr) -> bool:
    """Whether triple quotes can hold the string as it stands."""
    value = _string(node.value)
    printable = value.replace("\n", "").isprintable()
    return printable and "\n" in value and not set('"\\') & set(value)


def _string(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _set_precedence(parent: int | str, *nodes: ast.AST) -> None:
    set_precedence, table = _precedences()
    set_precedence(getattr(table, parent) if isinstance(parent, str) else parent, *nodes)


def _quoted(value: object) -> str:
    """A constant that is no number; strings in double quotes unless that needs a backslash."""
    if not isinstance(value, str | bytes | bool | None | type(...)):
        raise TypeError(f"{value!r} cannot be written as a literal")
    text = "..." if value is ... else repr(value)
    return f'"{text[1:-1]}"' if text.startswith("'") and '"' not in text else text


def _number(value: complex) -> str:
    """A literal of a number that has one: `2`, `0.5`, `1e16`, `1e309` for infinity, `2j`."""
    return repr(value).replace("inf", "1e309").replace("e+", "e")


def _expression(value: object) -> ast.expr | None:
    """The expression for a number without a literal (negative, not a number, complex), or None.

    >>> ast.unparse(_expression(-2.0)), ast.unparse(_expression(1 - 2j)), _expression(2.0)
    ('-2.0', '1.0 - 2j', None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float | complex):
        return None
    if type(value) not in (int, float, complex):
        raise TypeError(f"{value!r} is not exactly an int, a float or a complex: it has no literal")
    if isinstance(value, complex):
        return _complex(value)
    if isinstance(value, float) and math.isnan(value):
        return _binary(math.inf, ast.Sub(), math.inf)
    negative = math.copysign(1, value) < 0 if isinstance(value, float) else value < 0
    return ast.UnaryOp(ast.USub(), ast.Constant(-value)) if negative else None


def _complex(value: complex) -> ast.expr | None:
    """`a + bj` or `a - bj`; Python's arithmetic cannot give every signed zero that way."""
    if value.real == 0 and math.copysign(1, value.real) < 0 and math.copysign(1, value.imag) < 0:
        return ast.UnaryOp(ast.USub(), ast.Constant(complex(0.0, -value.imag)))  # as `-1j` is
    negative_zero = any(part == 0 and math.copysign(1, part) < 0 for part in (value.real, value.imag))
    if negative_zero or math.isnan(value.imag):
        raise TypeError(f"{value!r} has no literal")
    if value.imag < 0:
        return _binary(value.real, ast.Sub(), complex(0, -value.imag))
    return _binary(value.real, ast.Add(), complex(0, value.imag)) if value.real else None


def _binary(left: complex, operator: ast.operator, right: complex) -> ast.expr:
    return ast.BinOp(_expression(left) or ast.Constant(left), operator, ast.Constant(right))


class _Canonical(ast.NodeTransformer):
    """Removes what text does not keep: comments, contexts, type comments, folded constants."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Also drops the fields that only annotate."""
        for name in ("ctx", "type_comment", "kind"):
            if hasattr(node, name):
                setattr(node, name, None)
        for name in ("body", "orelse", "finalbody"):
            statements = getattr(node, name, None)
            if isinstance(statements, list):
                setattr(node, name, _without_comments(statements))
        return super().generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """What Python would warn of is written as it is in the text."""
        return self.generic_visit(_without_warning(node))

    visit_Call = visit_Compare = visit_Subscript  # type: ignore[assignment]

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """Numbers without a literal become expressions, as in the text."""
        expression = _expression(node.value)
        return self.visit(expression) if expression is not None else ast.Constant(node.value)


def _without_comments(statements: Iterable[ast.stmt]) -> list[ast.stmt]:
    kept = [statement for statement in statements if not _is_comment(statement)]
    return kept or [ast.Pass() for _ in list(statements)[:1]]
