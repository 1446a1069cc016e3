"""Differentiation inside differentiated code: entry points and doors as functions with source.

Whatever a call of `gradient`, or of a door, does to its arguments is written as a small generated
function over the pair of the inner function. That function is derived like any other, so that
nesting needs nothing of its own, to any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import FunctionType
from typing import Any

from zygpy import nested_identity
from zygpy.companions import call_of, companion, parameters
from zygpy.errors import missing_rule
from zygpy.ir.kinds import is_exact, is_real, is_scalar
from zygpy.ir.names import Names
from zygpy.layout import Group, Layout, Nothing, Part, Whole, text_of
from zygpy.prepared import Prepared, Pullback
from zygpy.runtime.project import UNCHANGING
from zygpy.runtime.seeds import check_seed
from zygpy.runtime.ways import COPYING, Way
from zygpy.units import Pair


def pulled(inner: Prepared, slots: Sequence[Part], way: Way, count: int | None = None) -> Prepared:
    """The call of a door, or with `count` of `pullback`: value and pullback of the inner call."""
    pair = inner.pair
    if pair.identity:
        return nested_identity.pulled(inner, slots, way, count)

    def write(names: Names, name: str) -> str:
        params = ", ".join(parameters(pair, names))
        y, stash = names.fresh("y"), names.fresh("stash")
        call = f"    {y}, {stash} = {pair.forward.__name__}({params})\n"
        return f"def {name}({params}):\n{call}    return {y}, make_back(pair, {stash}, layout, count)\n"

    extra = {"pair": pair, "layout": inner.layout, "count": count}
    function = companion(
        pair, ("pulled", inner.layout, count), "pulled", write, extra, deeper=count is not None
    )
    made = call_of(function, inner.values, Layout(Nothing(), tuple(slots)), way, changes=pair.changes)
    return replace(made, finish=lambda result: _finished(inner, result, public=count is not None))


def _finished(inner: Prepared, result: Any, *, public: bool) -> Any:
    """Value and pullback as the caller has them; of a public one seeds are checked."""
    y, back = inner.finish(result[0]), result[1]
    if public:
        back.y = y
    return y, back


def applied(back: Pullback, args: tuple[Any, ...], way: Way = COPYING) -> Prepared:
    """The call of a pullback: cotangents as a function of the stash and the seed."""
    pair = back.pair
    check_seed(back.y, args[0])
    nothing = args[0] is None and not pair.writes and not pair.carries

    def write(names: Names, name: str) -> str:
        bars = [names.fresh(f"{param}_bar") for param in pair.program.params.names]
        stash, y_bar = names.fresh("stash"), names.fresh("y_bar")
        cells = names.fresh("cells")
        carried = cells if len(args) > 1 else "Store()"
        rest = ", None" * len(pair.writes) + (f", {carried}" if pair.carries else "")
        assigned, entries = _taken(pair, bars)
        signature = f"def {name}({stash}, {y_bar}{f', {cells}' if len(args) > 1 else ''}):\n"
        if nothing:
            return f"{signature}    return {back.text(['None'] * len(bars))}\n"
        return (
            f"{signature}"
            f"    {assigned}{pair.adjoint.__name__}({stash}, {y_bar}{rest})\n"
            f"    return {back.text(entries)}\n"
        )

    key = ("applied", back.layout, back.count, nothing, len(args))
    function = companion(pair, key, "back", write, {})
    slots: tuple[Part, ...] = (Whole(1), *(Nothing() for _ in args[1:]))
    layout = Layout(Group((("stash", Whole(0)),)), slots)
    return call_of(function, [back.stash, *args], layout, way)


def gradient_of(
    inner: Prepared | None, callee: Any, count: int, way: Way, *, value: bool = False
) -> Prepared:
    """The call of `gradient`: projected gradients of the first `count` arguments; with `value` that
    of `withgradient`, value and gradients."""
    if inner is None:
        raise missing_rule(callee)
    pair, layout = inner.pair, inner.layout
    if pair.identity:
        return nested_identity.gradient_of(inner, count, way, value=value)
    function = gradient_function(inner, count, value=value)
    slots = (layout.own, *layout.arguments)
    return call_of(function, inner.values, Layout(Nothing(), slots), way, changes=pair.changes)


def gradient_function(inner: Prepared, count: int, *, value: bool = False) -> FunctionType:
    """What `gradient` does to the parameters of a pair, as a function with a source."""
    pair, layout = inner.pair, inner.layout
    changed = [
        place
        for place, (param, value) in enumerate(zip(pair.program.params.names, inner.values, strict=True))
        if param in pair.writes and not isinstance(value, UNCHANGING)
    ]

    def write(names: Names, name: str) -> str:
        params = parameters(pair, names)
        bars = [names.fresh(f"{param}_bar") for param in params]
        y, stash, grads = names.fresh("y"), names.fresh("stash"), names.fresh("grads")
        seed = f"seed_of_first({y})" if value else _seed(pair, y)
        rest = ", None" * len(pair.writes) + (", Store()" if pair.carries else "")
        assigned, entries = _taken(pair, bars)
        given = {params[place]: names.fresh(f"{params[place]}_given") for place in changed}
        before = "".join(f"    {name} = as_given({param})\n" for param, name in given.items())
        likes = [given.get(param, param) for param in params]
        projected = [f"project({bar}, {like})" for bar, like in zip(entries, likes, strict=True)]
        parts = ", ".join(text_of(part, projected) for part in layout.arguments[:count])
        call = f"    {y}, {stash} = {pair.forward.__name__}({', '.join(params)})\n"
        return (
            f"def {name}({', '.join(params)}):\n"
            f"{before}"
            f"{call}"
            f"    {assigned}{pair.adjoint.__name__}({stash}, {seed}{rest})\n"
            f"    {grads} = ({parts}{',' if count == 1 else ''})\n"
            f"    return {f'{y}, {grads}' if value else grads}\n"
        )

    kind = "value_and_gradient" if value else "gradient"
    return companion(pair, (kind, layout, count, *changed), kind, write, {}, deeper=True)


def _taken(pair: Pair, bars: list[str]) -> tuple[str, list[str]]:
    """The text that takes what an adjoint returns, and the cotangents of all parameters as texts."""
    if pair.single is not None:
        entries = ["None"] * len(bars)
        entries[pair.single] = bars[pair.single]
        return f"{bars[pair.single]} = ", entries
    targets = ", ".join(bars) + ("," if len(bars) == 1 else "")
    return f"{targets} = " if bars else "", bars


def _seed(pair: Pair, y: str) -> str:
    kind = pair.result.kind
    if is_scalar(kind) and is_real(kind) and not is_exact(kind):
        return "1.0"
    return f"scalar_seed({y})"
