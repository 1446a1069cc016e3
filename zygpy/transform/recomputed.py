"""Numbers that the adjoint computes once more from what is stashed anyway, which takes less than keeping
them: `2.0 * x` beside `x`."""

from __future__ import annotations

from zygpy.analyse.versions import Region, Version
from zygpy.ir import core
from zygpy.ir.kinds import FLOAT
from zygpy.ir.nodes import constant, gast, name, quote
from zygpy.transform.context import Context

_QUICK = frozenset({"+", "-", "*"})


def compute_from_values(ctx: Context, region: Region) -> list[gast.stmt]:
    """Let the adjoint compute numbers that are one operation away from a stashed number, instead of stashing
    them too.

    Requires: every iteration stashes all that is recorded for the region.
    """
    items = ctx.recorder.items
    held = {
        version: item.name
        for (what, version, *others), item in items.items()
        if what == "value" and isinstance(version, Version) and not others and item.region is region
    }
    code: list[gast.stmt] = []
    for version in sorted(held, key=lambda version: version.defined):
        statement = _quick_operation(ctx, version)
        if statement is None or items["value", version].saved:
            continue
        assert isinstance(statement.op, core.Binary)
        left, right = (_again(ctx, statement, atom, held) for atom in (statement.op.left, statement.op.right))
        if left is not None and right is not None:
            del items["value", version]
            text = f"$y = $left {statement.op.op} $right"
            code += quote(text, ctx.place, y=held[version], left=left, right=right)
    return code


def _quick_operation(ctx: Context, version: Version) -> core.Assign | None:
    """The statement that made a version, if it is arithmetic of a floating-point number and a literal."""
    if version.defined < 0:
        return None
    statement = version.region.block[version.defined]
    if not (isinstance(statement, core.Assign) and isinstance(statement.op, core.Binary)):
        return None
    atoms = statement.op.left, statement.op.right
    literals = [atom for atom in atoms if isinstance(atom, core.Const) and type(atom.value) in (int, float)]
    numbers = [atom for atom in atoms if isinstance(atom, core.Var) and _is_float(ctx, statement, atom)]
    plain = len(literals) == len(numbers) == 1 and statement.op.op in _QUICK
    return statement if plain and ctx.facts.after(statement, version.name).kind == FLOAT else None


def _is_float(ctx: Context, statement: core.Statement, atom: core.Var) -> bool:
    value = ctx.facts.value(statement, atom)
    return value.certain and value.kind == FLOAT


def _again(
    ctx: Context, statement: core.Statement, atom: core.Atom, held: dict[Version, str]
) -> gast.expr | None:
    """An operand as the adjoint has it; None where nobody stashes it."""
    if isinstance(atom, core.Const):
        return constant(atom.value)
    version = ctx.versions.before.get((id(statement), atom.name))
    return None if version is None or version not in held else name(held[version])
