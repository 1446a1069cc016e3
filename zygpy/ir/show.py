"""A core program as text that reads like Python: for golden tests and for debugging."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zygpy.ir import core

INDENT = "    "


def show(function: core.Function) -> str:
    """The program as text, without a newline at its end.

    >>> here = core.Loc(1, 0)
    >>> body = (core.Assign("y", core.Binary("+", core.Var("x"), core.Const(1)), here),)
    >>> print(show(core.Function("f", core.Params((), ("x",)), (*body, core.Return(core.Var("y"), here)))))
    def f(x):
        y = x + 1
        return y
    """
    lines = [f"def {function.name}({show_params(function.params)}):"]
    if function.captured:
        lines.append(f"{INDENT}captured {', '.join(function.captured)}")
    if function.cells:
        lines.append(f"{INDENT}cells {', '.join(function.cells)}")
    return "\n".join([*lines, *_block(function.body, INDENT)])


def show_params(params: core.Params) -> str:
    """The parameter list as in a `def`."""
    parts = list(params.positional_only)
    parts += ["/"] * bool(params.positional_only)
    parts += params.positional
    if params.vararg or params.keyword_only:
        parts.append(f"*{params.vararg or ''}")
    parts += params.keyword_only
    parts += [f"**{params.kwarg}"] * bool(params.kwarg)
    return ", ".join(parts)


def _block(block: core.Block, indent: str) -> Iterator[str]:
    for statement in block:
        yield from _statement(statement, indent)
    if not block:
        yield f"{indent}pass"


def _statement(statement: core.Statement, indent: str) -> Iterator[str]:
    if isinstance(statement, core.If):
        yield f"{indent}if {atom(statement.test)}:"
        yield from _block(statement.then, indent + INDENT)
        if statement.orelse:
            yield f"{indent}else:"
            yield from _block(statement.orelse, indent + INDENT)
        return
    yield indent + show_statement(statement)
    for inner in core.blocks(statement):
        yield from _block(inner, indent + INDENT)


def show_statement(statement: Any) -> str:
    """The first line of a statement, without its blocks."""
    if isinstance(statement, core.AugmentName | core.AugmentItem | core.AugmentAttr):
        return f"{_augmented(statement)} {statement.op}= {atom(statement.value)}"
    match statement:
        case core.Assign(target, op):
            return f"{target} = {show_op(op)}"
        case core.Unpack(targets, star, value):
            names = "".join(f"{'*' * (i == star)}{name}, " for i, name in enumerate(targets)) or "() "
            return f"{names}= {atom(value)}"
        case core.WriteCell(name, value):
            return f"cell {name} = {atom(value)}"
        case core.WriteGlobal(name, value):
            return f"global {name} = {atom(value)}"
        case core.SetItem(target, index, value):
            return f"{atom(target)}[{show_index(index)}] = {atom(value)}"
        case core.SetAttr(target, name, value):
            return f"{atom(target)}.{name} = {atom(value)}"
    return _show_other(statement)


def _augmented(statement: core.AugmentName | core.AugmentItem | core.AugmentAttr) -> str:
    match statement:
        case core.AugmentName():
            return statement.target
        case core.AugmentItem():
            return f"{atom(statement.target)}[{show_index(statement.index)}]"
    return f"{atom(statement.target)}.{statement.name}"


def _show_other(statement: Any) -> str:
    match statement:
        case core.DelItem(target, index):
            return f"del {atom(target)}[{show_index(index)}]"
        case core.DelAttr(target, name):
            return f"del {atom(target)}.{name}"
        case core.DelName(name) | core.DelCell(name):
            return f"del {name}"
        case core.Raise(exception, cause):
            shown = "" if exception is None else f" {atom(exception)}"
            return f"raise{shown}{'' if cause is None else f' from {atom(cause)}'}"
        case core.Refuse(construct):
            return f"refuse {construct}"
        case core.Return(value):
            return f"return {atom(value)}"
    return _show_compound(statement)


def _show_compound(statement: Any) -> str:
    match statement:
        case core.For(target, iterable):
            return f"for {show_target(target)} in {show_iterable(iterable)}:"
        case core.Loop():
            return "loop:"
        case core.Break():
            return "break"
        case core.With(context, target):
            return f"with {atom(context)}{f' as {target}' if target else ''}:"
        case core.Attempt(failure):
            return f"attempt {failure}:"
        case core.Handle(failure):
            return f"handle {atom(failure)}:"
    raise TypeError(f"not a statement of the core language: {statement!r}")


def show_target(target: core.Target) -> str:
    """The target of a `for`."""
    if isinstance(target, str):
        return target
    inner = ", ".join(map(show_target, target))
    return f"({inner},)" if len(target) == 1 else f"({inner})"


def show_iterable(iterable: core.Atom | core.Iterate) -> str:
    """What a `for` walks over."""
    if not isinstance(iterable, core.Iterate):
        return atom(iterable)
    parts = [*map(show_iterable, iterable.args), *map(_keyword, iterable.keywords)]
    return f"{show_path(iterable.func)}({', '.join(parts)})"


def atom(value: core.Atom) -> str:
    """An atom as text."""
    if isinstance(value, core.Var):
        return value.name
    return "..." if value.value is Ellipsis else repr(value.value)


def show_path(path: core.Path) -> str:
    """A path; one that is not global carries its scope: `captured:a.b`."""
    dotted = ".".join(path.names)
    return dotted if path.scope == "global" else f"{path.scope}:{dotted}"


def show_index(index: core.Index) -> str:
    """What stands in the brackets of a subscript."""
    match index:
        case core.Slice(lower, upper, step):
            shown = ["" if part is None else atom(part) for part in (lower, upper, step)]
            return ":".join(shown if step is not None else shown[:2])
        case core.IndexTuple(items):
            return ", ".join(map(show_index, items)) + ("," if len(items) == 1 else "")
    return atom(index)


def show_op(op: core.Op) -> str:
    """An operation as text."""
    match op:
        case core.Copy(value):
            return atom(value)
        case core.Read(path):
            return show_path(path)
        case core.ReadCell(name):
            return f"cell {name}"
        case core.Unary(operator, operand):
            return f"not {atom(operand)}" if operator == "not" else f"{operator}{atom(operand)}"
        case core.Binary(operator, left, right) | core.Compare(operator, left, right):
            return f"{atom(left)} {operator} {atom(right)}"
        case core.Truth(value):
            return f"truth({atom(value)})"
    return _show_access(op)


def _show_access(op: Any) -> str:
    match op:
        case core.GetAttr(value, name):
            return f"{atom(value)}.{name}"
        case core.GetItem(value, index):
            return f"{atom(value)}[{show_index(index)}]"
        case core.Call(func, args, keywords):
            callee = func.name if isinstance(func, core.Var) else show_path(func)
            return f"{callee}({_arguments(args, keywords)})"
        case core.CallMethod(value, name, args, keywords):
            return f"{atom(value)}.{name}({_arguments(args, keywords)})"
    return _show_made(op)


def _show_made(op: Any) -> str:
    match op:
        case core.Display(kind, items):
            return _display(kind, ", ".join(map(_item, items)), len(items))
        case core.DictDisplay(items):
            shown = [f"**{atom(v)}" if k is None else f"{atom(k)}: {atom(v)}" for k, v in items]
            return f"{{{', '.join(shown)}}}"
        case core.Format(parts):
            return f"format({', '.join(map(_part, parts))})"
        case core.Yield(value):
            return f"yield {atom(value)}"
        case core.Caught(call):
            return f"caught({show_op(call)})"
        case core.MakeFunction(name, _, captured, defaults):
            inner = ", ".join([*captured, *(f"={atom(value)}" for value in defaults)])
            return f"function {name}[{inner}]"
    raise TypeError(f"not an operation of the core language: {op!r}")


def _display(kind: str, inner: str, count: int) -> str:
    if kind == "tuple":
        return f"({inner},)" if count == 1 else f"({inner})"
    if kind == "list":
        return f"[{inner}]"
    return f"{{{inner}}}" if count else "set()"


def _item(item: core.Atom | core.Star) -> str:
    return f"*{atom(item.value)}" if isinstance(item, core.Star) else atom(item)


def _keyword(keyword: core.Keyword) -> str:
    return f"**{atom(keyword.value)}" if keyword.name is None else f"{keyword.name}={atom(keyword.value)}"


def _arguments(args: tuple[Any, ...], keywords: tuple[core.Keyword, ...]) -> str:
    return ", ".join([*map(_item, args), *map(_keyword, keywords)])


def _part(part: Any) -> str:
    if isinstance(part, str):
        return repr(part)
    value, conversion, spec = part
    shown = f"{atom(value)}{f'!{conversion}' if conversion else ''}"
    return shown if spec is None else f"{shown}:{atom(spec)}"
