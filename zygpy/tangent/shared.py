"""Variables that functions share: beside each is another for its tangent, that the same functions share.

A program knows its own by name, and those that it captures by their cells, which it is given.
"""

from __future__ import annotations

from typing import Any

from zygpy.ir import core
from zygpy.ir.nodes import gast, quote
from zygpy.ir.nodes import name as name_node
from zygpy.tangent.state import NotPushed, Tangents
from zygpy.transform import primal
from zygpy.transform.bodies import handed_on_unbound
from zygpy.transform.stash import primal_atom


def declared(t: Tangents) -> list[gast.stmt]:
    """What says which global variables it binds, makes those variables the program's own that only functions
    inside it bind, and says of which others that they may have no value when such a function reads them."""
    function = t.ctx.facts.function
    bound = {item.name for item in core.walk(function.body) if isinstance(item, core.WriteCell)}
    bound.update(function.params.names, function.captured)
    names = [name for name in function.cells if name not in bound]
    names += [name for name in function.unbound if name not in (*function.captured, *names)]
    rebound = sorted({item.name for item in core.walk(function.body) if isinstance(item, core.WriteGlobal)})
    outside = [gast.Global(rebound)] if rebound else []
    pairs = [(name, t.cell_dot(name)) for name in names]
    pairs += [(name, t.dot(name)) for name in handed_on_unbound(function) if name in t.paired]
    lines = [line for pair in pairs for x in pair for line in quote("$x: None", x=x)]
    return [*outside, *lines, *(line for variable in t.readers for line in _reader(t, variable))]


def _reader(t: Tangents, variable: str) -> list[gast.stmt]:
    """A function that shares a variable, by which its cell is found; it says that others bind that."""
    text = "def $reader():\n    nonlocal $x\n    return $x"
    return quote(text, reader=t.reader(variable), x=variable)


def content_dot(t: Tangents, name: str) -> gast.expr:
    """The tangent of what a shared variable holds."""
    if name in t.ctx.facts.function.captured:
        return gast.Attribute(name_node(t.dot(name)), "cell_contents", gast.Load())
    return name_node(t.cell_dot(name))


def is_read_with_tangent(t: Tangents, name: str) -> bool:
    """Whether the tangent of a shared variable is known."""
    return name not in t.ctx.facts.function.captured or name in t.paired


def write_cell(t: Tangents, statement: core.WriteCell) -> None:
    """A shared variable is bound."""
    name, value = statement.name, statement.value
    if not is_read_with_tangent(t, name):
        raise NotPushed("a variable that others share", statement.loc)
    dot = t.tangent(statement, value)
    t.emit("$x = $v", x=primal.cell_content(t.ctx, name), v=primal_atom(value))
    t.emit("$x = $v", x=content_dot(t, name), v=dot)


def cells_of(t: Tangents, name: str) -> Any:
    """The cells of a shared variable and of its tangent."""
    if name in t.ctx.facts.function.captured:
        return gast.Tuple([name_node(name), name_node(t.dot(name))], gast.Load())
    made: list[Any] = [
        gast.Call(name_node(t.ctx.helper("cell_of")), [name_node(t.reader(variable))], [])
        for variable in (name, t.cell_dot(name))
    ]
    return gast.Tuple(made, gast.Load())
