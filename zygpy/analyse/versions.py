"""Versions: which definition of a variable each statement reads, and how long its value stays.

A *region* is a block whose values are stashed together: the function's body, a loop's body (one
iteration), an arm of an `If`, the body of a `With`, an `Attempt` or a `Handle`. A *version* of a
variable lives in the region where it is defined; it is defined at one statement of that region and
killed at another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from zygpy.ir import core
from zygpy.ir.access import assigned, leaves, read


@dataclass(frozen=True, eq=False)
class Region:
    """A block whose values are stashed together; `parent` and the `index` of its owner there."""

    parent: Region | None
    index: int
    block: core.Block
    role: str  # "function", "loop", "then", "orelse", "with"


@dataclass(eq=False)
class Version:
    """One definition of a variable.

    `defined` is the index in the region's block of the statement after which the version exists
    (-1: from the region's start), `killed` that of the first statement which may rebind the name
    (the length of the block: never).
    """

    name: str
    region: Region
    defined: int
    killed: int = field(default=0)


@dataclass(frozen=True)
class Versions:
    """For each statement (by id) what it reads and what it defines; for each block its region."""

    before: dict[tuple[int, str], Version]
    after: dict[tuple[int, str], Version]
    regions: Mapping[int, Region]  # by (id of) the block
    positions: dict[int, tuple[Region, int]]  # of each statement
    heads: Mapping[tuple[int, str], Version]  # at the start of a loop's body, by its block

    def arm(self, statement: core.If | core.Attempt, block: core.Block) -> Region:
        """The region of an arm of a branch. (Empty blocks are all one object: they are told apart by
        the branch that they belong to.)"""
        if block:
            return self.regions[id(block)]
        parent, index = self.positions[id(statement)]
        return Region(parent, index, block, "orelse")


@dataclass
class _Walk:
    before: dict[tuple[int, str], Version] = field(default_factory=dict)
    after: dict[tuple[int, str], Version] = field(default_factory=dict)
    regions: dict[int, Region] = field(default_factory=dict)
    positions: dict[int, tuple[Region, int]] = field(default_factory=dict)
    writes: Mapping[int, frozenset[str]] = field(default_factory=dict)
    heads: dict[tuple[int, str], Version] = field(default_factory=dict)
    changed: dict[int, set[str]] = field(default_factory=dict)  # by (id of) the block


Current = dict[str, Version]


def versions(function: core.Function, writes: Mapping[int, frozenset[str]]) -> Versions:
    """Number the versions; `writes` names, by statement, the variables whose *content* a statement
    changes in place, which makes a new version just as rebinding does."""
    walk = _Walk(writes=writes)
    region = Region(None, 0, function.body, "function")
    current = {name: Version(name, region, -1, len(function.body)) for name in function.params.names}
    walk.heads.update({(id(function.body), name): version for name, version in current.items()})
    _region(walk, region, current)
    return Versions(walk.before, walk.after, walk.regions, walk.positions, walk.heads)


def _region(walk: _Walk, region: Region, current: Current) -> Current:
    walk.regions[id(region.block)] = region
    for index, statement in enumerate(region.block):
        walk.positions[id(statement)] = (region, index)
        _statement(walk, region, index, statement, current)
    return current


def _statement(walk: _Walk, region: Region, index: int, statement: core.Statement, current: Current) -> None:
    key = id(statement)
    for name in current if core.blocks(statement) else read(statement) | assigned(statement):
        if name in current:
            walk.before[key, name] = current[name]
    inside = _changed(walk, statement)
    if isinstance(statement, core.For | core.Loop):
        _loop(walk, region, index, statement, current, inside)
    else:
        _inner(walk, region, index, statement, current)
    for name in sorted(inside):
        if name in current:
            walk.before.setdefault((key, name), current[name])
        _define(region, index, name, current)
        walk.after[key, name] = current[name]


def _changed(walk: _Walk, statement: core.Statement) -> set[str]:
    """The variables whose value a statement, or a statement inside it that may be left, changes."""
    names = assigned(statement) | walk.writes.get(id(statement), frozenset())
    for block in core.blocks(statement):
        if not (isinstance(statement, core.If) and leaves(block)):
            names |= _changed_inside(walk, block)
    return names


def _changed_inside(walk: _Walk, block: core.Block) -> set[str]:
    """The variables whose value some statement of a block changes, at any depth."""
    names = walk.changed.get(id(block))
    if names is None:
        names = set()
        for statement in block:
            names |= assigned(statement) | walk.writes.get(id(statement), frozenset())
            names.update(*(_changed_inside(walk, inner) for inner in core.blocks(statement)))
        walk.changed[id(block)] = names
    return names


def _define(region: Region, index: int, name: str, current: Current) -> None:
    previous = current.get(name)
    if previous is not None:
        _kill(previous, region, index)
    current[name] = Version(name, region, index, len(region.block))


def _kill(version: Version, region: Region, index: int) -> None:
    """The version ends where its own region's statement (around this one) rebinds the name."""
    while region is not version.region:
        assert region.parent is not None
        region, index = region.parent, region.index
    version.killed = min(version.killed, index)


def _arms(walk: _Walk, region: Region, index: int, statement: core.If, current: Current) -> None:
    for block, role in ((statement.then, "then"), (statement.orelse, "orelse")):
        _region(walk, Region(region, index, block, role), dict(current))


def _inner(walk: _Walk, region: Region, index: int, statement: core.Statement, current: Current) -> None:
    """The regions inside a statement that is no loop."""
    if isinstance(statement, core.If):
        _arms(walk, region, index, statement, current)
    elif isinstance(statement, core.With):
        _with(walk, region, index, statement, current)
    elif isinstance(statement, core.Attempt | core.Handle):
        _region(walk, Region(region, index, statement.body, "with"), dict(current))


def _with(walk: _Walk, region: Region, index: int, statement: core.With, current: Current) -> None:
    inner = Region(region, index, statement.body, "with")
    inside = dict(current)
    if statement.target is not None:
        inside[statement.target] = Version(statement.target, inner, -1, len(inner.block))
    _region(walk, inner, inside)


def _loop(
    walk: _Walk,
    region: Region,
    index: int,
    statement: core.For | core.Loop,
    current: Current,
    changed: set[str],
) -> None:
    body = Region(region, index, statement.body, "loop")
    inside = dict(current)
    for name in changed:
        if name in current:
            _kill(current[name], region, index)
        inside[name] = walk.heads[id(body.block), name] = Version(name, body, -1, len(body.block))
    _region(walk, body, inside)
