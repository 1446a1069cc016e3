"""The user's own operations as Python expressions, as the forward function writes them."""

from __future__ import annotations

from typing import Any

from zygpy.analyse.facts import Kept
from zygpy.ir import core
from zygpy.ir.nodes import constant, gast, quote_expression
from zygpy.ir.nodes import name as name_node
from zygpy.transform.context import Context
from zygpy.transform.stash import primal_atom as atom
from zygpy.transform.stash import primal_index

QUESTIONS = (core.Path(("is_one",), "helper"), core.Path(("check_one",), "helper"))


def expression(ctx: Context, op: core.Op) -> gast.expr:
    """An operation as an expression on the forward's variables."""
    match op:
        case core.Copy(value):
            return atom(value)
        case core.Read(path):
            return path_expression(ctx, path)
        case core.ReadCell(name):
            return _cell_read(ctx, name)
        case core.Unary(symbol, operand):
            return quote_expression(f"{symbol} $a", a=atom(operand))
        case core.Binary(symbol, left, right) | core.Compare(symbol, left, right):
            return quote_expression(f"$a {symbol} $b", a=atom(left), b=atom(right))
        case core.GetAttr(value, name):
            return gast.Attribute(atom(value), name, gast.Load())
        case core.GetItem(value, index):
            return gast.Subscript(atom(value), primal_index(index), gast.Load())
    return _compound(ctx, op)


def _cell_read(ctx: Context, name: str) -> gast.expr:
    """A shared variable that is read: a captured one may have no value."""
    function = ctx.facts.function
    if name in function.unbound and name in function.captured:
        ctx.emit("$check($x, $name)", check=ctx.helper("check_bound"), x=name, name=constant(name))
    return cell_content(ctx, name)


def deleted_cell(ctx: Context, name: str) -> gast.expr:
    """A shared variable that is deleted, which has to have a value."""
    content: Any = _cell_read(ctx, name)
    content.ctx = gast.Del()
    deleted: gast.expr = content
    return deleted


def cell_content(ctx: Context, name: str) -> gast.expr:
    """A shared variable: the function's own, or the content of a captured cell."""
    if name in ctx.facts.function.captured:
        return quote_expression("$x.cell_contents", x=name)
    return name_node(name)


def _compound(ctx: Context, op: core.Op) -> gast.expr:
    match op:
        case core.Truth(value):
            return quote_expression("$bool($a)", bool=builtin(ctx, "bool"), a=atom(value))
        case core.Call() | core.CallMethod() | core.Caught():
            return _call(ctx, op)
        case core.Display(kind, items):
            return _display(ctx, kind, items)
        case core.DictDisplay(pairs):
            keys = [None if key is None else atom(key) for key, _ in pairs]
            return gast.Dict(keys, [atom(value) for _, value in pairs])
        case core.Format(parts):
            return gast.JoinedStr([_format_part(part) for part in parts])
        case core.MakeFunction():
            written = definition(op)
            return with_cells_handed_on(ctx, op, written) if cells_handed_on(ctx, op) else written
    raise TypeError(type(op).__name__)


def _call(ctx: Context, op: core.Call | core.CallMethod | core.Caught) -> gast.expr:
    if isinstance(op, core.Caught):
        assert not isinstance(op.call, core.Yield)
        return quote_expression("$f(lambda: $c)", f=ctx.helper("caught"), c=_call(ctx, op.call))
    given = arguments(op.args)
    if isinstance(op, core.Call) and op.func in QUESTIONS:
        given.append(name_node(ctx.cell(_name_of(op.stand_in), op.stand_in)))
    return gast.Call(called(ctx, op), given, keyword_nodes(op.keywords))


def note_of_cache(ctx: Context, statement: core.Assign) -> None:
    """Note what a cache gives that is asked where nothing varies, in a program that enters its function
    elsewhere."""
    op, cache = statement.op, ctx.facts.cached.get(id(statement))
    entered = (one.under.cache for one in ctx.facts.calls.values() if isinstance(one, Kept))
    if cache is None or not isinstance(op, core.Call) or not any(cache is one for one in entered):
        return
    given = [called(ctx, op), name_node(statement.target), *arguments(op.args)]
    note = gast.Call(name_node(ctx.helper("note_given")), given, keyword_nodes(op.keywords))
    ctx.code.append(gast.Expr(note))


def _name_of(function: Any) -> str:
    name = str(getattr(function, "__name__", ""))
    return name if name.isidentifier() else "function"


def called(ctx: Context, op: core.Op) -> gast.expr:
    """What a call calls: a function, a class, or the attribute of a value."""
    if isinstance(op, core.CallMethod):
        return gast.Attribute(atom(op.value), op.name, gast.Load())
    assert isinstance(op, core.Call)
    return path_expression(ctx, op.func) if isinstance(op.func, core.Path) else atom(op.func)


def definition(op: core.MakeFunction) -> Any:
    """The tree of a function that is made, with its default values under the names that they have now."""
    if not op.defaults:
        return op.node
    arguments = op.node.args
    given = [*arguments.defaults, *arguments.kw_defaults]
    values = iter(op.defaults)
    written = [None if one is None else atom(next(values)) for one in given]
    count = len(arguments.defaults)
    return _with(op.node, args=_with(arguments, defaults=written[:count], kw_defaults=written[count:]))


def _with(node: Any, **fields: Any) -> Any:
    """A node with other fields, in the same place."""
    fresh = type(node)(**{field: getattr(node, field, None) for field in node._fields} | fields)
    return gast.copy_location(fresh, node)


def cells_handed_on(ctx: Context, op: core.MakeFunction) -> tuple[str, ...]:
    """The captured cells of a program that a function made in it captures in its turn."""
    function = ctx.facts.function
    return tuple(name for name in op.captured if name in function.cells and name in function.captured)


def with_cells_handed_on(ctx: Context, op: core.MakeFunction, function: gast.expr) -> gast.expr:
    """A function that was made, with the very cells that it is to share."""
    names = [constant(name) for name in cells_handed_on(ctx, op)]
    return gast.Call(name_node(ctx.helper("with_shared_cells")), [function, *names], [])


def _display(ctx: Context, kind: str, items: tuple[core.Atom | core.Star, ...]) -> gast.expr:
    elements = arguments(items)
    if kind == "tuple":
        return gast.Tuple(elements, gast.Load())
    if kind == "list":
        return gast.List(elements, gast.Load())
    if not elements:
        return quote_expression("$set()", set=builtin(ctx, "set"))
    return gast.Set(elements)


def arguments(args: tuple[core.Atom | core.Star, ...]) -> list[gast.expr]:
    """Positional arguments, or the items of a display."""
    return [
        gast.Starred(atom(arg.value), gast.Load()) if isinstance(arg, core.Star) else atom(arg)
        for arg in args
    ]


def keyword_nodes(keywords: tuple[core.Keyword, ...]) -> list[Any]:
    """Keyword arguments."""
    return [gast.keyword(keyword.name, atom(keyword.value)) for keyword in keywords]


def _format_part(part: Any) -> gast.expr:
    if isinstance(part, str):
        return constant(part)
    value, conversion, spec = part
    specification = None
    if spec is not None:
        inner = (
            constant(spec.value)
            if isinstance(spec, core.Const)
            else gast.FormattedValue(atom(spec), -1, None)
        )
        specification = gast.JoinedStr([inner])
    return gast.FormattedValue(atom(value), ord(conversion) if conversion else -1, specification)


def path_expression(ctx: Context, path: core.Path) -> gast.expr:
    """A dotted name."""
    root = path.names[0]
    if path.scope == "builtin":
        root = builtin(ctx, root)
    elif path.scope == "helper":
        root = ctx.helper(root)
    result: gast.expr = name_node(root)
    for name in path.names[1:]:
        result = gast.Attribute(result, name, gast.Load())
    return result


def builtin(ctx: Context, name: str) -> str:
    """The name under which the genuine builtin is called."""
    return ctx.builtin(name)


def iterable(ctx: Context, source: core.Atom | core.Iterate) -> gast.expr:
    """What a `for` walks over."""
    if not isinstance(source, core.Iterate):
        return atom(source)
    args = [iterable(ctx, arg) for arg in source.args]
    return gast.Call(path_expression(ctx, source.func), args, keyword_nodes(source.keywords))


def target(names: core.Target) -> gast.expr:
    """What a `for` binds."""
    if isinstance(names, str):
        return name_node(names)
    return gast.Tuple([target(item) for item in names], gast.Load())
