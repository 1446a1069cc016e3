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
from zygpy.identity import attempts, attributes, augmented, calls, caught, inside, methods
from zygpy.identity.known_callables import KNOWN
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
    attempts.ask_first(*KNOWN)
    inside.register()
    more = (BY_IDENTITY._replace(everywhere=True), BY_IDENTITY._replace(guarded=True))
    for way in (BY_IDENTITY, *more):
        for changing in (False, True):
            own = way._replace(changing=changing)
            for name, door in DOORS.items():
                derivation.DOORS[name, own] = functools.partial(door, own)


_register()
