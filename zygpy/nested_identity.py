"""The same of pairs whose things are found by identity: entry points and doors in differentiated code.

Their pullbacks keep what they need in objects of zygpy's own, and cotangents in a store. Both are plain
Python, which is derived by identity like the user's objects when it is differentiated once more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import FunctionType
from typing import Any

from zygpy.companions import call_of, companion, parameters
from zygpy.ir.names import Names
from zygpy.layout import Layout, Nothing, Part, text_of
from zygpy.prepared import Prepared, leaves_alone
from zygpy.runtime.generators import Traits
from zygpy.runtime.ways import Way
from zygpy.units import Pair


def pulled(inner: Prepared, slots: Sequence[Part], way: Way, count: int | None) -> Prepared:
    """The call of a door, or with `count` of `pullback`, for a caller who knows nothing of identity."""
    pair = inner.pair

    def write(names: Names, name: str) -> str:
        params = parameters(pair, names)
        y, stash, given = names.fresh("y"), names.fresh("stash"), names.fresh("given")
        listed = ", ".join(params)
        call = f"    {y}, {stash} = {pair.forward.__name__}({listed})\n"
        return (
            f"def {name}({listed}):\n"
            f"    {given} = described_arguments({_row(params)})\n"
            f"{call}"
            f"    return {y}, ByIdentity(pair, {stash}, layout, described({y}), {given}, count)\n"
        )

    extra = {"pair": pair, "layout": inner.layout, "count": count}
    function = companion(
        pair, ("pulled", inner.layout, count), "pulled", write, extra, deeper=count is not None
    )
    return _both(inner, by_identity(pair, function, inner.values, Layout(Nothing(), tuple(slots)), way))


def _row(names: Sequence[str]) -> str:
    """A tuple of variables, as text."""
    return f"({', '.join(names)}{',' if len(names) == 1 else ''})"


def _both(inner: Prepared, made: Prepared) -> Prepared:
    """The call that gives value and pullback: the value is finished as the inner call's is."""
    return replace(made, finish=lambda result: (inner.finish(result[0]), result[1]))


def shared(inner: Prepared, slots: Sequence[Part], way: Way) -> Prepared:
    """The call of a door by identity: value, and the pullback that takes a store."""
    pair = inner.pair

    def write(names: Names, name: str) -> str:
        params = parameters(pair, names)
        y, stash, what = names.fresh("y"), names.fresh("stash"), names.fresh("what")
        listed = ", ".join(params)
        call = f"    {y}, {stash} = {pair.forward.__name__}({listed})\n"
        if pair.identity:
            back = f"SharedPullback(pair, {stash}, layout, {y}, [{listed}])"
            return f"def {name}({listed}):\n{call}    return {y}, {back}\n"
        known = names.fresh("known")
        described = ", ".join(f"described({param}, {known})" for param in params)
        made = f"described({y}, undescribed({known}))" if leaves_alone(pair) else f"described({y})"
        return (
            f"def {name}({listed}):\n"
            f"    {known} = {{}}\n"
            f"    {what} = [{described}]\n"
            f"{call}"
            f"    return {y}, Boundary(pair, {stash}, layout, {made}, {what})\n"
        )

    extra = {"pair": pair, "layout": inner.layout}
    function = companion(pair, ("shared", inner.layout), "shared", write, extra)
    return _both(inner, by_identity(pair, function, inner.values, Layout(Nothing(), tuple(slots)), way))


def suspended(inner: Prepared, traits: Traits, pullback: Any, slots: Sequence[Part], way: Way) -> Prepared:
    """The call of a generator function by identity; `pullback` is the class of how that is pulled back."""
    pair = inner.pair

    def write(names: Names, name: str) -> str:
        params = parameters(pair, names)
        run, listed = names.fresh("run"), ", ".join(params)
        return (
            f"def {name}({listed}):\n"
            f"    {run} = Run(lambda: {pair.forward.__name__}({listed}), {pair.adjoint.__name__}, traits)\n"
            f"    return Generator({run}), pullback({run}, Prepared(pair, [{listed}], layout))\n"
        )

    extra = {"pair": pair, "layout": inner.layout, "traits": traits, "pullback": pullback}
    function = companion(pair, ("suspended", inner.layout), "suspended", write, extra)
    return by_identity(pair, function, inner.values, Layout(Nothing(), tuple(slots)), way)


def gradient_of(inner: Prepared, count: int, way: Way, *, value: bool) -> Prepared:
    """The call of `gradient`, or with `value` that of `withgradient`."""
    pair, layout = inner.pair, inner.layout
    carried = tuple(range(len(pair.program.captured)))

    def write(names: Names, name: str) -> str:
        params = parameters(pair, names)
        y, stash, store, seed = (names.fresh(word) for word in ("y", "stash", "store", "seed"))
        likes, given, whole, grads = (names.fresh(word) for word in ("likes", "given", "whole", "grads"))
        projected = [f"project({whole}[{place}], {likes}[{place}])" for place in range(len(params))]
        parts = [text_of(part, projected) for part in layout.arguments[:count]]
        adjoint = f"{pair.adjoint.__name__}({stash}, {seed}, {store})"
        call = f"    {y}, {stash} = {pair.forward.__name__}({', '.join(params)})\n"
        return (
            f"def {name}({', '.join(params)}):\n"
            f"    {likes} = as_given({_row(params)})\n"
            f"    {given} = described_arguments({_row(params)})\n"
            f"{call}"
            f"    {store} = Store()\n"
            f"    {seed} = {store}.seed(described({y}), {'seed_of_first' if value else 'scalar_seed'}({y}))\n"
            f"    {whole} = whole_of({adjoint}, {given}, {carried}, {store})\n"
            f"    {grads} = {_row(parts)}\n"
            f"    return {f'{y}, {grads}' if value else grads}\n"
        )

    kind = "value_and_gradient" if value else "gradient"
    function = companion(pair, (kind, layout, count), kind, write, {}, deeper=True)
    slots = (layout.own, *layout.arguments)
    return by_identity(pair, function, inner.values, Layout(Nothing(), slots), way)


def gradient_by_parameters(
    inner: Prepared, arrays: Sequence[Any], collect: Callable[[Sequence[Any]], Any], way: Way, *, value: bool
) -> Prepared:
    """The call of what finds the gradients by arrays that are read wherever they are, and collects them: with
    `value` first the value."""
    pair = inner.pair

    def write(names: Names, name: str) -> str:
        params = parameters(pair, names)
        y, stash, store, seed, likes, bars, grads = (
            names.fresh(word) for word in ("y", "stash", "store", "seed", "likes", "bars", "grads")
        )
        read = [names.fresh(f"parameter_{place}") for place in range(len(arrays))]
        collected = names.fresh("collected")
        added = [f"    {store}.add({param}, {bars}[{place}])\n" for place, param in enumerate(params)]
        found = [f"by_parameter({store}, {array}, {likes}[{place}])" for place, array in enumerate(read)]
        return (
            f"def {name}({', '.join([*params, *read, collected])}):\n"
            f"    {likes} = as_given({_row(read)})\n"
            f"    {y}, {stash} = {pair.forward.__name__}({', '.join(params)})\n"
            f"    {store} = Store()\n"
            f"    {seed} = {store}.seed(described({y}), {'seed_of_first' if value else 'scalar_seed'}({y}))\n"
            f"    {bars} = {pair.adjoint.__name__}({stash}, {seed}, {store})\n"
            f"{''.join(added)}"
            f"    {grads} = {collected}({_row(found)})\n"
            f"    return {f'{y}, {grads}' if value else grads}\n"
        )

    kind = "value_and_implicit_gradient" if value else "implicit_gradient"
    function = companion(pair, (kind, len(arrays)), kind, write, {}, deeper=True)
    layout = Layout(Nothing(), (inner.layout.own, Nothing()))
    way = way._replace(everywhere=True)
    return by_identity(pair, function, [*inner.values, *arrays, collect], layout, way)


def pulled_by_parameters(
    inner: Prepared, arrays: Sequence[Any], collect: Callable[[Sequence[Any]], Any], way: Way
) -> Prepared:
    """The call of `pullback` by such arrays: the value, and the pullback that collects their gradients."""
    pair = inner.pair

    def write(names: Names, name: str) -> str:
        params = parameters(pair, names)
        y, stash, likes, collected = (names.fresh(word) for word in ("y", "stash", "likes", "collected"))
        read = [names.fresh(f"parameter_{place}") for place in range(len(arrays))]
        back = (
            f"ByParameters(pair, {stash}, described({y}), {_row(params)}, {_row(read)}, {likes}, {collected})"
        )
        return (
            f"def {name}({', '.join([*params, *read, collected])}):\n"
            f"    {likes} = as_given({_row(read)})\n"
            f"    {y}, {stash} = {pair.forward.__name__}({', '.join(params)})\n"
            f"    return {y}, {back}\n"
        )

    function = companion(
        pair, ("implicit_pulled", len(arrays)), "implicit_pulled", write, {"pair": pair}, deeper=True
    )
    layout = Layout(Nothing(), (inner.layout.own, Nothing()))
    way = way._replace(everywhere=True)
    return _both(inner, by_identity(pair, function, [*inner.values, *arrays, collect], layout, way))


def by_identity(pair: Pair, function: FunctionType, values: list[Any], layout: Layout, way: Way) -> Prepared:
    """The call of a companion of a pair whose things are found by identity."""
    way = way._replace(copying=True, identity=True)
    return call_of(function, values, layout, way, changes=() if pair.followed else pair.changes)
