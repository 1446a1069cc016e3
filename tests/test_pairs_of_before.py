"""What is derived for one state of a global variable is found again when that state comes back."""

import zygpy as zg
from zygpy import pipeline

SEEN: list[str] = []
TABLE: list[float] | None = None


def reader(values):
    """Its pair rests on what the list holds: nothing, or texts."""
    try:
        for value in values:
            yield value * value
    finally:
        SEEN.append("end")


def read_twice(values):
    SEEN.clear()
    for value in reader(values):
        first = value
        break
    return first * next(reader(values)) * len(SEEN)


def lookup(x, place):
    global TABLE
    if TABLE is None:
        TABLE = [x, x * x]
    return TABLE[place]


def by_table(x):
    global TABLE
    TABLE = None
    return sum(call(x, place) for place, call in enumerate([lookup, lookup]))


def derivations(monkeypatch, function, *args):
    """The gradient by the first argument, and how often anything was derived for it."""
    derived, derive = [], pipeline._derive
    with monkeypatch.context() as patch:
        patch.setattr(pipeline, "_derive", lambda unit, *rest: (derived.append(unit), derive(unit, *rest))[1])
        (bar,) = zg.gradient(function, *args)
    return bar, len(derived)


def test_a_list_that_is_filled_and_emptied(monkeypatch):
    found = [derivations(monkeypatch, read_twice, [3.0, 2.0]) for _ in range(4)]
    assert found[0][1] > 0
    assert found[2:] == [([216.0, 0.0], 0)] * 2  # the second finds the list as the first has left it


def test_a_table_that_is_made_and_dropped(monkeypatch):
    found = [derivations(monkeypatch, by_table, 3.0) for _ in range(4)]
    assert found[0][1] > 0
    assert found[2:] == [(7.0, 0)] * 2


def test_a_function_that_is_replaced_and_put_back():
    def through(x):
        return CHOSEN["f"](x)

    found = []
    for factor in (2.0, 3.0, 2.0, 3.0):
        CHOSEN["f"] = FACTORS[factor]
        found += zg.gradient(through, 1.0)
    assert found == [2.0, 3.0, 2.0, 3.0]


FACTORS = {2.0: lambda x: 2.0 * x, 3.0: lambda x: 3.0 * x}
CHOSEN = {"f": FACTORS[2.0]}
