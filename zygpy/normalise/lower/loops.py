"""Loops: what a `for` walks over, its target, and the endless loop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from zygpy.ir import core
from zygpy.ir.nodes import assigned_names, constant, gast, name
from zygpy.normalise.comprehensions import is_of_generator
from zygpy.normalise.lower.expressions import atom, kept
from zygpy.normalise.lower.state import State
from zygpy.normalise.lower.targets import is_local_name, store
from zygpy.normalise.trees import at

ITERATORS = frozenset({"range", "zip", "enumerate", "reversed"})
LowerBlock = Callable[[State, list[Any]], core.Block]


def for_loop(state: State, node: Any, lower_block: LowerBlock) -> None:
    loc = state.loc(node)
    rebound = frozenset(assigned_names([node.target, *node.body]))
    iterable = _apart(state, _iterable(state, node.iter), rebound, loc)
    target: core.Target
    with state.block() as out:
        if _is_plain(state, node.target):
            target = _plain_target(state, node.target, set())
        else:
            target = state.temporary()
            store(state, node.target, core.Var(target), state.loc(node.target))
        out.extend(lower_block(state, node.body))
    state.emit(core.For(target, iterable, tuple(out), loc, is_of_generator(node)))


def _apart(
    state: State, iterable: core.Atom | core.Iterate, rebound: frozenset[str], loc: core.Loc
) -> core.Atom | core.Iterate:
    """What a loop walks over, by names that the loop does not bind to anything else."""
    if isinstance(iterable, core.Iterate):
        args = tuple([_apart(state, item, rebound, loc) for item in iterable.args])
        keywords = tuple(
            [replace(item, value=_kept_apart(state, item.value, rebound, loc)) for item in iterable.keywords]
        )
        return replace(iterable, args=args, keywords=keywords)
    return _kept_apart(state, iterable, rebound, loc)


def _kept_apart(state: State, item: core.Atom, rebound: frozenset[str], loc: core.Loc) -> core.Atom:
    if not isinstance(item, core.Var) or item.name not in rebound:
        return item
    return state.assign(core.Copy(item), loc)


def while_loop(state: State, node: Any, lower_block: LowerBlock) -> None:
    """`while True`: tests have become branches that break."""
    loc = state.loc(node)
    state.emit(core.Loop(lower_block(state, node.body), loc))


def _is_plain(state: State, target: Any) -> bool:
    if isinstance(target, gast.Tuple | gast.List):
        return bool(target.elts) and all(_is_plain(state, item) for item in target.elts)
    return is_local_name(state, target)


def _plain_target(state: State, target: Any, behind: set[str]) -> core.Target:
    """The names that are bound; of one that is bound again `behind`, the last value alone is seen."""
    if isinstance(target, gast.Name):
        bound = state.temporary() if target.id in behind else str(target.id)
        behind.add(target.id)
        return bound
    return tuple([_plain_target(state, item, behind) for item in reversed(target.elts)])[::-1]


def _iterable(state: State, node: Any) -> core.Atom | core.Iterate:
    if not _is_iterator(state, node):
        return atom(state, node)
    values = [*node.args, *(keyword.value for keyword in node.keywords)]
    found: list[Any] = []
    for position, value in enumerate(values):
        later = values[position + 1 :]
        single = _iterable(state, value) if position < len(node.args) else atom(state, value)
        if isinstance(single, core.Var):
            single = kept(state, single, later) or single
        if isinstance(single, core.Iterate) and (
            position or any(may_change(state, other) for other in later)
        ):
            single = _begun(state, single, state.loc(value))
        found.append(single)
    named = zip(node.keywords, found[len(node.args) :], strict=True)
    keywords = tuple(core.Keyword(keyword.arg, value) for keyword, value in named)
    return core.Iterate(core.Path((node.func.id,)), tuple(found[: len(node.args)]), keywords)


def may_change(state: State, node: Any) -> bool:
    """Whether code that runs before an expression is evaluated may make its value another one."""
    if isinstance(node, gast.Name):
        return state.kind(node.id) != "local"
    return not isinstance(node, gast.Constant)


def evaluated(state: State, node: Any, *, begun: bool) -> Any:
    """What a loop is to walk over, evaluated now: a tree of what has a value. If it is `begun`, the code that
    a walk begins with has run."""
    iterable = _iterable(state, node)
    return _as_tree(_begun(state, iterable, state.loc(node)) if begun else iterable, node)


def _begun(state: State, iterable: Any, loc: core.Loc, begins: str = "iter") -> Any:
    """The same, begun: each thing that is walked over, in order."""
    if isinstance(iterable, core.Iterate):
        called = iterable.func.names[-1]
        if called == "range":
            return iterable
        asked = "reversed" if called == "reversed" else "iter"
        return replace(iterable, args=tuple([_begun(state, arg, loc, asked) for arg in iterable.args]))
    if not isinstance(iterable, core.Var) or iterable.name in state.begun:
        return iterable
    begun = state.assign(core.Copy(iterable, begins), loc)
    state.begun.add(begun.name)
    return begun


def _as_tree(iterable: core.Atom | core.Iterate, place: Any) -> Any:
    if isinstance(iterable, core.Const):
        return constant(iterable.value, at=place)
    if isinstance(iterable, core.Var):
        return name(iterable.name, at=place)
    args = [_as_tree(item, place) for item in iterable.args]
    keywords = [gast.keyword(item.name, _as_tree(item.value, place)) for item in iterable.keywords]
    return at(place, gast.Call(name(iterable.func.names[0], at=place), args, keywords))


def _is_iterator(state: State, node: Any) -> bool:
    """Whether an iterable is written as a call of `range`, `zip`, `enumerate` or `reversed` that the loop may
    take apart."""
    return (
        isinstance(node, gast.Call)
        and isinstance(node.func, gast.Name)
        and node.func.id in ITERATORS
        and state.is_builtin(node.func.id)
        and not any(isinstance(argument, gast.Starred) for argument in node.args)
        and all(keyword.arg is not None for keyword in node.keywords)
        and not (state.guarded and _may_fail(node))
    )


def _may_fail(node: Any) -> bool:
    """Whether an iterator raises an exception of its own, which a `try` around the loop may catch."""
    strict = [keyword.value for keyword in node.keywords if keyword.arg == "strict"]
    return any(not isinstance(value, gast.Constant) or value.value for value in strict)
