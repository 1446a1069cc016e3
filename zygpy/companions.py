"""Companions of pairs: what an entry point, or a door, does to the arguments of a call, as a function.

They are small generated functions over the halves of a pair, and are derived like any other function.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import FunctionType
from typing import Any

from zygpy.derivation import OPAQUE
from zygpy.ir.names import Names
from zygpy.ir.source import generated_file
from zygpy.ir.text import Text
from zygpy.layout import Layout
from zygpy.load.code import Origin, load
from zygpy.pipeline import pair_for
from zygpy.prepared import (
    Boundary,
    ByIdentity,
    ByParameters,
    Prepared,
    SharedPullback,
    by_parameter,
    make_back,
    whole_of,
)
from zygpy.rules.declare import rule
from zygpy.runtime.accumulate import entries, key_of
from zygpy.runtime.attempts import LEAVING_TRACES
from zygpy.runtime.generators import Generator, Run
from zygpy.runtime.levels import is_deeper
from zygpy.runtime.project import as_given, project, scalar_seed, seed_of_first
from zygpy.runtime.store import Store, described, described_arguments, undescribed
from zygpy.runtime.ways import Way
from zygpy.units import Pair, unit_of

HELPERS: dict[str, Any] = {
    "Store": Store,
    "described": described,
    "described_arguments": described_arguments,
    "undescribed": undescribed,
    "SharedPullback": SharedPullback,
    "Boundary": Boundary,
    "Generator": Generator,
    "Prepared": Prepared,
    "Run": Run,
    "ByIdentity": ByIdentity,
    "ByParameters": ByParameters,
    "as_given": as_given,
    "by_parameter": by_parameter,
    "entries": entries,
    "key_of": key_of,
    "project": project,
    "scalar_seed": scalar_seed,
    "seed_of_first": seed_of_first,
    "make_back": make_back,
    "whole_of": whole_of,
}
"""What companions call by these names."""

rule(
    make_back,
    "y = make_back(pair, stash, layout, count)",
    stash_bar="key_of(y_bar, 'stash')",
    kind="unknown",
    containers=True,
)
OPAQUE.add(make_back)


def companion(
    pair: Pair,
    key: Any,
    suffix: str,
    write: Callable[[Names, str], str],
    extra: dict[str, Any],
    *,
    deeper: bool = False,
) -> FunctionType:
    """The companion of a pair under `key`, written by `write` when it is first asked for; `deeper` where it
    is what an entry point does."""
    if key not in pair.companions:
        base = pair.forward.__name__.removesuffix("_forward")
        names = Names({*HELPERS, *extra, pair.forward.__name__, pair.adjoint.__name__})
        name = names.fresh(f"{base}_{suffix}")
        cells = {**HELPERS, **extra, pair.forward.__name__: pair.forward, pair.adjoint.__name__: pair.adjoint}
        text = Text(write(names, name))
        origin = Origin(pair.forward.__code__.co_filename, base)
        loaded = load(text, [name], cells, pair.forward.__globals__, generated_file(name), origin)
        pair.companions[key] = loaded[name]
        if deeper:
            is_deeper(loaded[name])
        if pair.forward.__code__ in LEAVING_TRACES:
            LEAVING_TRACES.add(loaded[name].__code__)
    function: FunctionType = pair.companions[key]
    return function


def parameters(pair: Pair, names: Names) -> list[str]:
    """The parameters of a companion: the user's names, apart from those that it needs itself."""
    return [names.fresh(param) for param in pair.program.params.names]


def call_of(
    function: FunctionType, values: list[Any], layout: Layout, way: Way, *, changes: tuple[str, ...] = ()
) -> Prepared:
    """The call of a companion. Where it finds things by identity, `changes` says what it changes that is not
    its own: what the user's function does."""
    pair = pair_for(unit_of(function), values, function, way)
    return Prepared(replace(pair, changes=changes) if pair.identity else pair, values, layout)
