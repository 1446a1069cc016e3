"""What the kind words of rules promise, for every call of an array function or helper."""

from __future__ import annotations

from typing import Any

import pytest

from tests.analyse.test_rule_kinds import check
from tests.rules.array_calls import CALLS, Call
from tests.rules.test_arrays import COMPLEX, bound, converted, differentiated, in_single, label, to_complex
from zygpy.rules.declare import REGISTRY
from zygpy.rules.texts import texts


def checked(entry: Call, values: dict[str, Any]) -> None:
    """Compare promise and truth of a call with other values."""
    function, args, keywords = entry
    positional: list[Any] = []
    for parameter in texts(REGISTRY[function]).parameters:
        if parameter.starred:
            positional.extend(values[parameter.name])
        elif len(positional) < len(args):
            positional.append(values[parameter.name])
    check(function, *positional, **{name: values[name] for name in keywords})


@pytest.mark.parametrize("entry", CALLS, ids=label)
def test_promises_hold(entry: Call) -> None:
    values = bound(entry)
    checked(entry, values)
    checked(entry, {name: in_single(value) for name, value in values.items()})


@pytest.mark.parametrize("entry", COMPLEX, ids=label)
def test_promises_hold_for_complex_operands(entry: Call) -> None:
    values = bound(entry)
    for name in differentiated(entry):
        values[name] = converted(values[name], to_complex)
    checked(entry, values)
