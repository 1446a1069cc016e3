"""From a function and its arguments to the pair for them: found, or derived.

The stages, in order: function -> source -> tree -> core -> facts -> pair -> text -> functions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import FunctionType, MappingProxyType
from typing import Any

from zygpy import given_functions as given_functions
from zygpy import rules
from zygpy.analyse.fields import argument_kind
from zygpy.analyse.held_kinds import forgotten
from zygpy.analyse.values import Value
from zygpy.derivation import (
    ELSEWHERE,
    Derivation,
    NeedsMore,
)
from zygpy.ir.kinds import (
    UNKNOWN,
    Closure,
    Dict,
    Kind,
    Known,
    List,
    Object,
    Row,
    Tuple,
    carries_gradient,
    kind_of,
)
from zygpy.layout import Layout
from zygpy.load.signatures import signature_of
from zygpy.runtime.collector import resting_collector
from zygpy.runtime.computed import gives_by_code
from zygpy.runtime.lookup import in_class
from zygpy.runtime.stack import with_room
from zygpy.runtime.ways import PLAIN, Way
from zygpy.units import (
    LATER,
    LOCK,
    OF_CALLS_KEPT,
    OPTIONS,
    PAIRS_KEPT,
    SIGNATURES_KEPT,
    UNITS,
    WIDENED_KEPT,
    Pair,
    Unit,
    captured_values,
    held_earlier,
    holds,
    key_of,
)

# ------------------------------------------------------------------------------------- derivations


def values_of(kinds: Sequence[Kind]) -> tuple[Value, ...]:
    """Abstract arguments of these kinds; without specialisation nothing but callables is known."""
    if not OPTIONS.get().specialise:
        return tuple(_forgotten(kind) for kind in kinds)
    return tuple(Value(kind, carries_gradient(kind)) for kind in kinds)


def _forgotten(kind: Kind) -> Value:
    is_known = isinstance(kind, Known) or (isinstance(kind, Closure) and (kind.generator or kind.foreign))
    known = kind if is_known else UNKNOWN
    return Value(known, carries_gradient(kind))


def derive(unit: Unit, values: Sequence[Value], cells: Mapping[str, Any], *, way: Way = PLAIN) -> Pair:
    """The pair of a unit for these abstract arguments; `cells` are those of the function at hand. (Generated
    code in which calls may fail has blocks in blocks, as many as there are such calls.)"""
    return with_room(lambda: _derive(unit, tuple(values), cells, way), deep=unit.generated and way.identity)


def _derive(unit: Unit, values: tuple[Value, ...], cells: Mapping[str, Any], way: Way) -> Pair:
    rules.load()
    asked, expected = key_of(unit, values, way), way.everywhere
    with LOCK, resting_collector():
        while True:
            try:
                given = tuple(map(_as_outside, values)) if way.everywhere and not unit.primitive else values
                pair = Derivation(way, unit.followed).pair(unit, given, cells, way)
                break
            except NeedsMore as found:  # of a callee, perhaps, which is asked for in a way of its own
                way = found.way._replace(copying=way.copying)
        if way.everywhere and not expected and ELSEWHERE not in pair.changes:
            pair = replace(pair, changes=(*pair.changes, ELSEWHERE))  # which no caller has expected
        unit.pairs[asked] = pair
        return pair


def _as_outside(value: Value) -> Value:
    """An argument where what others find may change: a list or dict may be one of these things, and hold
    something else then."""
    kind = forgotten(value.kind)
    return value if kind is value.kind else Value(kind, carries_gradient(kind), new=value.new)


def pair_at_once(
    function: FunctionType, args: tuple[Any, ...], way: Way, *, entered: bool = False
) -> tuple[Pair, tuple[Any, ...], Layout] | None:
    """The pair, its arguments and their layout where the same sort of call was made before (`entered`: where
    it was noted that nothing stands for such a call); else None."""
    code = function.__code__
    unit = UNITS.get((id(code), id(function.__globals__)))
    if unit is None or unit.code is not code or unit.arity != len(args):
        return None
    known = unit.entered if entered else unit.found
    if not known:
        return None
    layout = unit.layout
    if unit.captured:
        args = (*captured_values(unit, function), *args)
    pair = known.get((signature_of(args, thorough=_is_from_outside(way)), way, OPTIONS.get()))
    return (pair, args, layout) if pair is not None and pair.checks.hold() else None


def note_entered(function: FunctionType, pair: Pair, values: Sequence[Any], way: Way) -> None:
    """Let the next call of a function with such values be made by this pair at once, if it is that of the
    function itself, and they are its arguments as they were given."""
    code = function.__code__
    unit = UNITS.get((id(code), id(function.__globals__)))
    if unit is None or unit.code is not code or unit.arity + len(unit.captured) != len(values):
        return
    signature = signature_of(values, thorough=_is_from_outside(way))
    if not any(
        pair is unit.found.get(_key(unit, signature, one)) for one in (way, way._replace(guarded=True))
    ):
        return
    if len(unit.entered) >= SIGNATURES_KEPT:
        unit.entered.clear()
    unit.entered[signature, way, OPTIONS.get()] = pair


def _key(unit: Unit, signature: tuple[Any, ...], way: Way) -> Any:
    """What the pair of a unit is found by."""
    return () if unit.followed else signature, way, OPTIONS.get()


def pair_for(unit: Unit, values: list[Any], function: Any, way: Way) -> Pair:
    """The pair of a unit for these very arguments."""
    signature = () if unit.followed else signature_of(values, thorough=_is_from_outside(way))
    key = _key(unit, signature, way)
    pair = unit.found.get(key)
    if pair is None or not pair.checks.hold():
        pair = _find_pair(unit, values, function, way)
        if len(unit.found) >= SIGNATURES_KEPT:
            unit.found.clear()
        unit.found[key] = pair
    return pair


def _find_pair(unit: Unit, values: list[Any], function: Any, way: Way) -> Pair:
    thorough, way = _is_from_outside(way), way._replace(whole=False)
    way = Way(way.copying) if (unit.primitive and not unit.writes) or unit.ruled else way
    if unit.followed:
        return derive(unit, (Value(UNKNOWN, True),) * len(values), {}, way=way)
    kinds = [
        kind_of(value) if unit.primitive else argument_kind(value, thorough=thorough) for value in values
    ]
    if not OPTIONS.get().specialise and not unit.primitive:
        way = _way_of_any(kinds, way)
    abstract = values_of(kinds) if not unit.primitive else tuple(Value(k, carries_gradient(k)) for k in kinds)
    key = key_of(unit, abstract, way)
    pair = unit.pairs.get(key)
    if pair is None and not _has_room(unit, _limit(kinds)):
        way, abstract = _way_of_any(kinds, way), _widened(unit, kinds)
        key = key_of(unit, abstract, way)
        pair = unit.pairs.get(key)
    if pair is not None and not holds(pair):
        pair = held_earlier(unit, key, pair)
    if pair is None:
        names = unit.captured
        cells = dict(zip(names, function.__closure__ or (), strict=True)) if names else {}
        pair = derive(unit, abstract, cells, way=way)
    return pair


def _way_of_any(kinds: Sequence[Kind], way: Way) -> Way:
    """The way of a pair that is told nothing of these kinds: by identity, where what is given has items or
    attributes in a way of its own, which is looked at when the pair is run."""
    return way._replace(identity=True) if any(map(_has_its_own_way, kinds)) else way


def _has_its_own_way(kind: Kind) -> bool:
    """Whether a thing is a set, shows a dict, gives items or attributes by code, or holds such a thing."""
    match kind:
        case Object(cls, fields):
            methods = (in_class(cls, name, None) for name in ("__iter__", "__getitem__"))
            own = issubclass(cls, set | frozenset | MappingProxyType) or gives_by_code(cls)
            own = own or any(isinstance(method, FunctionType) for method in methods)
            return own or any(_has_its_own_way(inner) for _, inner in fields or ())
        case List(item) | Row(item):
            return _has_its_own_way(item)
        case Tuple(items):
            return any(map(_has_its_own_way, items))
        case Dict(items, element):
            inside = (element,) if items is None else (inner for _, inner in items)
            return any(map(_has_its_own_way, inside))
    return False


def _is_from_outside(way: Way) -> bool:
    """Whether a call goes through all that its arguments hold: those that are made inside of others, of which
    there may be many, do not."""
    return way.whole or not way.copying


def _limit(kinds: Sequence[Kind]) -> int:
    """How many pairs of a unit there are before kinds like these are widened."""
    return OF_CALLS_KEPT if any(map(_is_made_by_a_call, kinds)) else PAIRS_KEPT


def _is_made_by_a_call(kind: Kind) -> bool:
    """Whether a kind is a class in a function, or an object of one: the next call of the function makes
    another class."""
    made = kind.value if isinstance(kind, Known) else kind.cls if isinstance(kind, Object | Tuple) else None
    return isinstance(made, type) and "<locals>" in made.__qualname__


def _widened(unit: Unit, kinds: Sequence[Kind]) -> tuple[Value, ...]:
    """Abstract arguments for one pair that serves many kinds: callables alone are told apart, as long as
    there are not too many of them, but for classes that a call has made."""
    if _has_room(unit, WIDENED_KEPT):
        return tuple(_forgotten(UNKNOWN if _is_made_by_a_call(kind) else kind) for kind in kinds)
    return tuple(Value(UNKNOWN, True) for _ in kinds)


def _has_room(unit: Unit, limit: int) -> bool:
    """Whether the unit may get another specialisation; derivations that no longer hold make room."""
    with LOCK:
        if len(unit.pairs) >= limit:
            for key in [key for key, pair in unit.pairs.items() if unit.primitive or not holds(pair)]:
                del unit.pairs[key]
                unit.earlier.pop(key, None)
        return len(unit.pairs) < limit


LATER["pair_for"] = pair_for
