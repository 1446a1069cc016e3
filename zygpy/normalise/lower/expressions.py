"""Expressions: each operation on atoms, in Python's order of evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zygpy.ir import core
from zygpy.ir.access import MUTATORS, operands
from zygpy.ir.nodes import gast, own_nodes
from zygpy.normalise.lower.refusals import OF_FRAMES, refused
from zygpy.normalise.lower.state import INTO, OPERATIONS, Into, State

BINARY: dict[type, str] = {
    gast.Add: "+",
    gast.Sub: "-",
    gast.Mult: "*",
    gast.Div: "/",
    gast.FloorDiv: "//",
    gast.Mod: "%",
    gast.Pow: "**",
    gast.MatMult: "@",
    gast.BitAnd: "&",
    gast.BitOr: "|",
    gast.BitXor: "^",
    gast.LShift: "<<",
    gast.RShift: ">>",
}
UNARY: dict[type, str] = {gast.USub: "-", gast.UAdd: "+", gast.Invert: "~", gast.Not: "not"}
CONVERSIONS = {-1: "", 114: "r", 115: "s", 97: "a"}


def branches(node: Any) -> Into | None:
    """Who lowers an expression that has branches."""
    if isinstance(node, gast.Compare) and len(node.ops) == 1:
        return None
    return INTO.get(type(node))


def operation(state: State, node: Any) -> core.Op:
    """The last operation of an expression; what comes before it has been emitted."""
    into = branches(node)
    if into:
        target = state.temporary()
        into(state, target, node)
        return core.Copy(core.Var(target))
    return OPERATIONS[type(node)](state, node)


def atom(state: State, node: Any) -> core.Atom:
    """The value of an expression as an atom: a local variable, a constant or a fresh temporary."""
    op = operation(state, node)
    return op.value if isinstance(op, core.Copy) else state.assign(op, state.loc(node))


def assign_to(state: State, target: str, node: Any, loc: core.Loc) -> None:
    """`target = node`, the last operation straight to the target, on every path the last thing done."""
    into = branches(node)
    if into:
        into(state, target, node)
        return
    op = operation(state, node)
    if isinstance(op, core.CallMethod) and op.name in MUTATORS and core.Var(target) in operands(op):
        op = core.Copy(state.assign(op, loc))  # what changes is still found by its name
    if op != core.Copy(core.Var(target)) or isinstance(node, gast.Name):
        state.emit(core.Assign(target, op, loc))


def atoms(state: State, nodes: Sequence[Any]) -> list[Any]:
    """The atoms of several expressions, evaluated in order; None stands for None."""
    found: list[core.Atom | None] = []
    for position, node in enumerate(nodes):
        value = None if node is None else atom(state, node)
        found.append(kept(state, value, nodes[position + 1 :]))
    return found


def kept(state: State, value: core.Atom | None, later: Sequence[Any]) -> core.Atom | None:
    """An atom that keeps its value while later expressions are evaluated."""
    if isinstance(value, core.Var) and value.name in state.walruses and value.name in walruses_in(later):
        return state.assign(core.Copy(value), state.here)
    return value


def walruses_in(nodes: Sequence[Any]) -> frozenset[str]:
    """The names that walrus operators in some expressions bind."""
    found = own_nodes([node for node in nodes if node is not None])
    return frozenset(node.target.id for node in found if isinstance(node, gast.NamedExpr))


def _name(state: State, node: Any) -> core.Op:
    kind = state.kind(node.id)
    if kind == "local":
        return core.Copy(core.Var(node.id))
    if kind == "cell":
        return core.ReadCell(node.id)
    path = state.path(node)
    assert path is not None
    return core.Read(path)


def _constant(_: State, node: Any) -> core.Op:
    return core.Copy(core.Const(node.value))


def _attribute(state: State, node: Any) -> core.Op:
    if node.attr in OF_FRAMES:
        return refused(state, node, "frames")
    path = state.path(node)
    return core.Read(path) if path else core.GetAttr(atom(state, node.value), node.attr)


def _subscript(state: State, node: Any) -> core.Op:
    value = kept(state, atom(state, node.value), [node.slice])
    assert value is not None
    return core.GetItem(value, index(state, node.slice))


def index(state: State, node: Any) -> core.Index:
    """What stands in a subscript's brackets."""
    if isinstance(node, gast.Slice):
        return core.Slice(*atoms(state, [node.lower, node.upper, node.step]))
    if not isinstance(node, gast.Tuple) or not node.elts or _is_starred(node):
        return atom(state, node)
    flat = [part for item in node.elts for part in _index_parts(item)]
    values = iter(atoms(state, flat))
    return core.IndexTuple(tuple(_index_item(item, values) for item in node.elts))


def _is_starred(node: Any) -> bool:
    return any(isinstance(item, gast.Starred) for item in node.elts)


def _index_parts(item: Any) -> list[Any]:
    return [item.lower, item.upper, item.step] if isinstance(item, gast.Slice) else [item]


def _index_item(item: Any, values: Any) -> core.Atom | core.Slice:
    if isinstance(item, gast.Slice):
        return core.Slice(next(values), next(values), next(values))
    value: core.Atom = next(values)
    return value


def _slice(state: State, node: Any) -> core.Op:
    """A slice that stands beside a starred index: the genuine `slice`, called."""
    values = atoms(state, [node.lower, node.upper, node.step])
    arguments = tuple(core.Const(None) if value is None else value for value in values)
    return core.Call(core.Path(("slice",), "builtin"), arguments)


def _binary(state: State, node: Any) -> core.Op:
    """A chain of operators is walked down its left side, so that a long sum needs no deep stack."""
    chain = [node]
    while isinstance(chain[-1].left, gast.BinOp):
        chain.append(chain[-1].left)
    left = atom(state, chain[-1].left)
    for link in reversed(chain):
        held = kept(state, left, [link.right])
        assert held is not None
        op = core.Binary(BINARY[type(link.op)], held, atom(state, link.right))
        if link is node:
            return op
        left = state.assign(op, state.loc(link))
    raise AssertionError("a chain ends with the node itself")


def _unary(state: State, node: Any) -> core.Op:
    operand = atom(state, node.operand)
    op = UNARY[type(node.op)]
    if op == "-" and isinstance(operand, core.Const) and type(operand.value) in (int, float, complex):
        return core.Copy(core.Const(-operand.value))
    return core.Unary(op, operand)


def _format(state: State, node: Any) -> core.Op:
    holes = [part for part in node.values if isinstance(part, gast.FormattedValue)]
    if not holes:
        return core.Copy(core.Const("".join(part.value for part in node.values)))
    flat = [piece for hole in holes for piece in (hole.value, hole.format_spec)]
    parts: list[Any] = []
    for part in node.values:
        if not isinstance(part, gast.FormattedValue):
            parts.append(part.value)
            continue
        flat = flat[2:]
        value, spec = atoms(state, [part.value, part.format_spec])
        written = (value, CONVERSIONS[part.conversion], spec)
        if not all(piece is None or _is_inert(piece) for piece in flat):
            text = state.assign(core.Format((written,)), state.loc(part))
            written = (text, CONVERSIONS[-1], None)
        parts.append(written)
    return core.Format(tuple(parts))


def _walrus(state: State, node: Any) -> core.Op:
    name = node.target.id
    if state.kind(name) == "local":
        assign_to(state, name, node.value, state.loc(node))
        return core.Copy(core.Var(name))
    value = atom(state, node.value)
    write = core.WriteCell if state.kind(name) == "cell" else core.WriteGlobal
    state.emit(write(name, value, state.loc(node)))
    return core.Copy(value)


def _display(kind: str) -> Any:
    def display(state: State, node: Any) -> core.Op:
        return core.Display(kind, starred_atoms(state, node.elts))

    return display


def starred_atoms(state: State, nodes: Sequence[Any], behind: Sequence[Any] = ()) -> tuple[Any, ...]:
    """Atoms and `Star`s; a starred value is run through before anything after it is evaluated."""
    found: list[core.Atom | core.Star] = []
    for position, node in enumerate(nodes):
        later = [*nodes[position + 1 :], *behind]
        if isinstance(node, gast.Starred):
            value = atom(state, node.value)
            if not all(map(_is_inert, later)):
                value = state.assign(core.Display("tuple", (core.Star(value),)), state.loc(node))
            held = kept(state, value, later)
            assert held is not None
            found.append(core.Star(held))
        else:
            single = kept(state, atom(state, node), later)
            assert single is not None
            found.append(single)
    return tuple(found)


def _is_inert(node: Any) -> bool:
    node = node.value if isinstance(node, gast.Starred) else node
    return isinstance(node, gast.Name | gast.Constant)


def mapping_atom(state: State, node: Any, later: Sequence[Any]) -> core.Atom:
    """The atom of what is unpacked by `**`: its items are taken before anything after it is evaluated."""
    value = atom(state, node)
    if not all(map(_is_inert, later)):
        return state.assign(core.DictDisplay(((None, value),)), state.loc(node))
    held = kept(state, value, later)
    assert held is not None
    return held


def _dict(state: State, node: Any) -> core.Op:
    flat = [part for pair in zip(node.keys, node.values, strict=True) for part in pair]
    items: list[tuple[core.Atom | None, core.Atom]] = []
    for place, (key, value) in enumerate(zip(node.keys, node.values, strict=True)):
        later = [part for part in flat[2 * place + 2 :] if part is not None]
        if key is None:
            items.append((None, mapping_atom(state, value, later)))
        else:
            name = kept(state, atom(state, key), [value, *later])
            held = kept(state, atom(state, value), later)
            assert name is not None
            assert held is not None
            items.append((name, held))
    return core.DictDisplay(tuple(items))


OPERATIONS.update(
    {
        gast.Name: _name,
        gast.Constant: _constant,
        gast.Attribute: _attribute,
        gast.Subscript: _subscript,
        gast.Slice: _slice,
        gast.BinOp: _binary,
        gast.UnaryOp: _unary,
        gast.JoinedStr: _format,
        gast.NamedExpr: _walrus,
        gast.Tuple: _display("tuple"),
        gast.List: _display("list"),
        gast.Set: _display("set"),
        gast.Dict: _dict,
    }
)
