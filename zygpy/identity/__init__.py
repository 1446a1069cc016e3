"""The run-time doors of programs whose things are found by identity.

They are called as those of `dispatch` are, but `back` takes the store of cotangents, puts into it what
belongs to things, and returns what belongs to the caller's variables. What a function of the user's has
to do is done by the function's own pair, derived in the same way.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

from zygpy import derivation
from zygpy.identity import (
    array_writes,
    as_data,
    attributes,
    augmented,
    bypassed,
    calls,
    caught,
    construction,
    copies,
    exceptions,
    generators,
    inherited,
    inside,
    iteration,
    methods,
    object_arrays,
    operators,
    partials,
    questions,
    sets,
    sharing,
    subclasses,
    tuples,
    weak,
    wrappers,
)
from zygpy.runtime.ways import BY_IDENTITY

DOORS: Mapping[str, Callable[..., Any]] = {
    "pull": calls.call,
    "pull_method": methods.method,
    "pull_with_constants": calls.call_with_constants,
    "pull_method_with_constants": methods.method_with_constants,
    "pull_caught": caught.call,
    "pull_caught_method": caught.method,
    "pull_item": methods.read_item,
    "pull_attribute": attributes.read_attribute,
    "pull_augment": augmented.augment,
    "pull_set_item": methods.write_item,
    "pull_augment_item": augmented.augment_item,
    "pull_delete_item": methods.delete_item,
    "pull_set_attribute": attributes.write_attribute,
    "pull_augment_attribute": augmented.augment_attribute,
    "pull_delete_attribute": attributes.delete_attribute,
}


def _register() -> None:
    """Let generated code find the doors, and calls whatever is no function."""
    calls.ATTEMPTS += [
        operators.on_objects,
        inherited.proxied,
        questions.by_function,
        generators.by_function,
        iteration.by_function,
        copies.by_function,
        bypassed.by_function,
        sets.by_function,
        sharing.by_function,
        construction.construct,
        tuples.by_function,
        partials.by_function,
        wrappers.by_function,
        subclasses.unbound,
        weak.by_function,
        subclasses.listed_for_a_rule,
        array_writes.added_at,
        array_writes.by_program,
        object_arrays.by_function,
        augmented.by_function,
        exceptions.by_slot,
        attributes.by_function,
        methods.of_container,
        methods.stored_with_index,
        methods.chosen,
        operators.chosen,
        operators.by_protocol,
        as_data.by_function,
    ]
    inside.register()
    more = (BY_IDENTITY._replace(everywhere=True), BY_IDENTITY._replace(guarded=True))
    for way in (BY_IDENTITY, *more):
        for changing in (False, True):
            own = way._replace(changing=changing)
            for name, door in DOORS.items():
                derivation.DOORS[name, own] = functools.partial(door, own)


_register()
