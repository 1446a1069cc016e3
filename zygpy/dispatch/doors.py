"""The doors that generated code calls, and what they are where they are differentiated themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from zygpy import derivation, nested
from zygpy.analyse.machinery import WRITING_DOORS
from zygpy.dispatch.callables import SPECIAL, prepare_method
from zygpy.dispatch.making import Pulled, apart, looked_at, made, made_unseen
from zygpy.dispatch.parts import is_past_call, prepare_attribute, prepare_item
from zygpy.dispatch.pulling import prepare_unseen, pull
from zygpy.dispatch.refusals import read_past
from zygpy.dispatch.writes import prepare_augment, prepare_augment_item, prepare_set_item, prepare_update
from zygpy.errors import missing_rule
from zygpy.layout import Layout, Nothing, Part
from zygpy.prepared import Prepared
from zygpy.runtime.ways import PLAIN, Way

Slots: TypeAlias = "Callable[[Layout], tuple[Part, ...]]"


def _door(preparing: Callable[..., Prepared], slots: Slots, *, writes: bool = False) -> Callable[..., Pulled]:
    """The run-time door for a way of preparing; `slots` says where the cotangents of the door's own
    arguments are, when the door itself is differentiated."""

    def door(*args: Any, **kwargs: Any) -> Pulled:
        prepared = preparing(*args, **kwargs)
        return made(prepared) if writes else made_unseen(prepared)

    def special(args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way) -> Prepared:
        if preparing is prepare_method and is_past_call(*args[:2]):
            raise read_past(args[1])  # of which a second derivative would be lost
        prepared = apart(preparing(*args, **kwargs))
        prepared = prepared if writes else looked_at(prepared)
        return nested.pulled(prepared, slots(prepared.layout), way)

    SPECIAL[door] = special
    derivation.OPAQUE.add(door)
    if writes:
        WRITING_DOORS.add(door)
    return door


def _callee_first(layout: Layout) -> tuple[Part, ...]:
    return (layout.own, *layout.arguments)


def _receiver_and_name(layout: Layout) -> tuple[Part, ...]:
    return (layout.own, Nothing(), *layout.arguments)


def _symbol_first(layout: Layout) -> tuple[Part, ...]:
    return (Nothing(), *layout.arguments)


def _special_pull(args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way) -> Prepared:
    function, *rest = args
    prepared = prepare_unseen(function, tuple(rest), kwargs)
    if prepared is None:
        raise missing_rule(function)
    prepared = looked_at(apart(prepared))
    return nested.pulled(prepared, _callee_first(prepared.layout), way)


_DOORS = {
    "pull": pull,
    "pull_method": _door(prepare_method, _receiver_and_name),
    "pull_item": _door(prepare_item, lambda layout: layout.arguments),
    "pull_attribute": _door(prepare_attribute, _receiver_and_name),
    "pull_augment": _door(prepare_augment, _symbol_first, writes=True),
    "pull_set_item": _door(prepare_set_item, lambda layout: layout.arguments, writes=True),
    "pull_augment_item": _door(prepare_augment_item, _symbol_first, writes=True),
    "pull_update": _door(prepare_update, _receiver_and_name, writes=True),
}


SPECIAL[pull] = _special_pull
derivation.OPAQUE.add(pull)
for _changing in (False, True):
    _way = PLAIN._replace(changing=_changing)
    derivation.DOORS.update({(name, _way): found for name, found in _DOORS.items()})
