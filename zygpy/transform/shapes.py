"""Which arrays surely have the same shape: those computed element by element from one another, and slices
of one array that leave out as much of it: `u[2:]` and `u[1:-1]`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from zygpy.analyse.facts import ByRule, Intrinsic
from zygpy.analyse.versions import Region, Version
from zygpy.ir import core
from zygpy.ir.kinds import INT, Array, Kind, NumpyScalar, is_numeric, rank_of
from zygpy.ir.nodes import gast, quote, quote_expression
from zygpy.transform.context import Context

_DEPTH = 20

Shape: TypeAlias = tuple[Any, ...]
"""What tells shapes apart: equal ones are surely the same. It begins with the id of a version, or with a
shape and what was left out of it along each axis: a number of elements, or "all" where the axis is gone."""


def same_shape(ctx: Context, statement: core.Statement, left: str, right: str) -> bool:
    """Whether two variables surely hold arrays of one shape just before a statement."""
    versions = [ctx.versions.before.get((id(statement), name)) for name in (left, right)]
    if versions[0] is None or versions[1] is None:
        return left == right
    return shape_of(ctx, versions[0]) == shape_of(ctx, versions[1])


def is_shape_of_item(ctx: Context, statement: core.AugmentItem) -> bool:
    """Whether the value of `x[i] += v` surely has the shape of the item."""
    if not (isinstance(statement.target, core.Var) and isinstance(statement.value, core.Var)):
        return False
    names = statement.target.name, statement.value.name
    array, value = (ctx.versions.before.get((id(statement), name)) for name in names)
    left_out = _left_out(statement.index, lambda atom: ctx.facts.value(statement, atom).kind)
    if array is None or value is None or left_out is None:
        return False
    return _part(shape_of(ctx, array), left_out) == shape_of(ctx, value)


def read_from_values(ctx: Context, region: Region) -> list[gast.stmt]:
    """Let the adjoint read shapes from arrays that are stashed anyway, instead of stashing them too."""
    items = ctx.recorder.items
    arrays = {
        shape_of(ctx, key[1]): item.name
        for key, item in items.items()
        if key[0] in ("value", "copy") and _is_whole(key, item.region, region) and isinstance(key[1], Version)
    }
    code: list[gast.stmt] = []
    for key, item in list(items.items()):
        version = key[1]
        if key[0] != "shape" or not (_is_whole(key, item.region, region) and isinstance(version, Version)):
            continue
        array = arrays.get(shape_of(ctx, version))
        is_safe = not (isinstance(item.expression, gast.Call) and len(item.expression.args) > 1)
        if array is not None and is_safe:
            del items[key]
            shape = quote_expression("$np.shape($x)", np=ctx.helper("np"), x=array)
            if isinstance(item.expression, gast.Attribute):
                shape = quote_expression("$x.shape", x=array)
            code += quote("$name = $shape", name=item.name, shape=shape)
    return code


def _is_whole(key: tuple[object, ...], found: Region, region: Region) -> bool:
    """Whether a recorded item belongs to a version as such, in this region."""
    return found is region and len(key) == 2


def shape_of(ctx: Context, version: Version, depth: int = _DEPTH) -> Shape:
    """The shape of what a version holds, followed back through a number of statements."""
    known: Shape | None = ctx.shapes.get(id(version))
    if known is None:
        earlier = _earlier(ctx, version, depth - 1) if depth else None
        known = ctx.shapes[id(version)] = (id(version),) if earlier is None else earlier
    return known


def _earlier(ctx: Context, version: Version, depth: int) -> Shape | None:
    """The shape that the defining statement gives on."""
    if version.defined < 0:
        return None
    statement = version.region.block[version.defined]
    if isinstance(statement, core.AugmentName | core.AugmentItem | core.SetItem):
        return _written(ctx, statement, version.name, depth)
    if not (isinstance(statement, core.Assign) and statement.target == version.name):
        return None
    if isinstance(statement.op, core.GetItem):
        return _item(ctx, statement, statement.op, depth)
    found = ctx.facts.calls.get(id(statement))
    if isinstance(found, Intrinsic) and isinstance(statement.op, core.Copy):
        sources = [statement.op.value]
    elif isinstance(found, ByRule) and found.rule.style in ("elementwise", "zero"):
        sources = [bound for _, bound in found.arguments if isinstance(bound, core.Var | core.Const)]
    else:
        return None
    return _common(ctx, statement, sources, depth)


def _written(
    ctx: Context, statement: core.AugmentName | core.AugmentItem | core.SetItem, variable: str, depth: int
) -> Shape | None:
    """Writing into an array leaves its shape as it is."""
    before = ctx.versions.before.get((id(statement), variable))
    if before is None or not isinstance(ctx.facts.value(statement, core.Var(variable)).kind, Array):
        return None
    return shape_of(ctx, before, depth)


def _item(ctx: Context, statement: core.Assign, op: core.GetItem, depth: int) -> Shape | None:
    if not isinstance(op.value, core.Var) or not isinstance(ctx.facts.value(statement, op.value).kind, Array):
        return None
    left_out = _left_out(op.index, lambda atom: ctx.facts.value(statement, atom).kind)
    base = ctx.versions.before.get((id(statement), op.value.name))
    return None if base is None or left_out is None else _part(shape_of(ctx, base, depth), left_out)


def _part(base: Shape, left_out: tuple[int | str, ...]) -> Shape:
    while left_out and left_out[-1] == 0:
        left_out = left_out[:-1]
    return (base, *left_out) if left_out else base


def _left_out(index: core.Index, kind_of: Callable[[core.Atom], Kind]) -> tuple[int | str, ...] | None:
    """What an index leaves out along each axis; None where that is not known."""
    items = index.items if isinstance(index, core.IndexTuple) else (index,)
    found = [_left_out_of_axis(item, kind_of) for item in items]
    known = tuple(part for part in found if part is not None)
    return known if len(known) == len(found) else None


def _left_out_of_axis(item: core.Atom | core.Slice, kind_of: Callable[[core.Atom], Kind]) -> int | str | None:
    if not isinstance(item, core.Slice):
        if isinstance(item, core.Const):
            return "all" if type(item.value) is int else None
        return "all" if kind_of(item) in (INT, NumpyScalar("i")) else None
    bounds = [part.value if isinstance(part, core.Const) else part for part in (item.lower, item.upper)]
    step = item.step.value if isinstance(item.step, core.Const) else item.step
    lower, upper = (0 if bound is None else bound for bound in bounds)
    if step not in (None, 1) or type(lower) is not int or type(upper) is not int or lower < 0:
        return None
    from_end = bounds[1] is None or upper < 0
    return lower - upper if from_end else None


def _common(ctx: Context, statement: core.Assign, sources: list[core.Atom], depth: int) -> Shape | None:
    """The one shape of all operands that have one."""
    kinds = [(atom, ctx.facts.value(statement, atom).kind) for atom in sources]
    names = [atom.name for atom, kind in kinds if isinstance(atom, core.Var) and rank_of(kind) != 0]
    if not names or not all(is_numeric(kind) or isinstance(atom, core.Const) for atom, kind in kinds):
        return None
    versions = [ctx.versions.before.get((id(statement), name)) for name in names]
    known = [version for version in versions if version is not None]
    if len(known) < len(versions):
        return None
    shapes = {shape_of(ctx, version, depth) for version in known}
    return shapes.pop() if len(shapes) == 1 else None
