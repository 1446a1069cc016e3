"""Which arrays surely have the same shape: those computed element by element from one another."""

from __future__ import annotations

from zygpy.analyse.facts import ByRule, Intrinsic
from zygpy.analyse.versions import Region, Version
from zygpy.ir import core
from zygpy.ir.kinds import is_numeric, rank_of
from zygpy.ir.nodes import gast, quote, quote_expression
from zygpy.transform.context import Context

_DEPTH = 20


def same_shape(ctx: Context, statement: core.Statement, left: str, right: str) -> bool:
    """Whether two variables surely hold arrays of one shape just before a statement."""
    versions = [ctx.versions.before.get((id(statement), name)) for name in (left, right)]
    if versions[0] is None or versions[1] is None:
        return left == right
    return origin(ctx, versions[0]) is origin(ctx, versions[1])


def read_from_values(ctx: Context, region: Region) -> list[gast.stmt]:
    """Let the adjoint read shapes from arrays that are stashed anyway, instead of stashing them too."""
    items = ctx.recorder.items
    arrays = {
        id(origin(ctx, key[1])): item.name
        for key, item in items.items()
        if key[0] in ("value", "copy") and _is_whole(key, item.region, region) and isinstance(key[1], Version)
    }
    code: list[gast.stmt] = []
    for key, item in list(items.items()):
        version = key[1]
        if key[0] != "shape" or not (_is_whole(key, item.region, region) and isinstance(version, Version)):
            continue
        array = arrays.get(id(origin(ctx, version)))
        if array is not None:
            del items[key]
            shape = quote_expression("$np.shape($x)", np=ctx.helper("np"), x=array)
            if isinstance(item.expression, gast.Attribute):
                shape = quote_expression("$x.shape", x=array)
            code += quote("$name = $shape", name=item.name, shape=shape)
    return code


def _is_whole(key: tuple[object, ...], found: Region, region: Region) -> bool:
    """Whether a recorded item belongs to a version as such, in this region."""
    return found is region and len(key) == 2


def origin(ctx: Context, version: Version) -> Version:
    """The earliest version from which this one surely has its shape."""
    for _ in range(_DEPTH):
        earlier = _earlier(ctx, version)
        if earlier is None:
            break
        version = earlier
    return version


def _earlier(ctx: Context, version: Version) -> Version | None:
    """The version whose shape the defining statement gives on."""
    if version.defined < 0:
        return None
    statement = version.region.block[version.defined]
    if not (isinstance(statement, core.Assign) and statement.target == version.name):
        return None
    found = ctx.facts.calls.get(id(statement))
    if isinstance(found, Intrinsic) and isinstance(statement.op, core.Copy):
        sources = [statement.op.value]
    elif isinstance(found, ByRule) and found.rule.style in ("elementwise", "zero"):
        sources = [bound for _, bound in found.arguments if isinstance(bound, core.Var | core.Const)]
    else:
        return None
    return _common(ctx, statement, sources)


def _common(ctx: Context, statement: core.Assign, sources: list[core.Atom]) -> Version | None:
    """The one origin of all operands that have a shape."""
    kinds = [(atom, ctx.facts.value(statement, atom).kind) for atom in sources]
    names = [atom.name for atom, kind in kinds if isinstance(atom, core.Var) and rank_of(kind) != 0]
    if not names or not all(is_numeric(kind) or isinstance(atom, core.Const) for atom, kind in kinds):
        return None
    versions = [ctx.versions.before.get((id(statement), name)) for name in names]
    first = versions[0]
    if first is None or any(version is None for version in versions):
        return None
    if len(set(names)) == 1:
        return first
    origins = {id(origin(ctx, version)) for version in versions if version is not None}
    return origin(ctx, first) if len(origins) == 1 else None
