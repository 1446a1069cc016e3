"""Augmented assignments whose reading runs code that changes what the value is computed of."""

from __future__ import annotations

import itertools
from types import ModuleType

import pytest

import zygpy as zg
from tests.written import module_of
from zygpy.units import options

PLACES = {
    "item": ("self", "__getitem__(s, i)", "__setitem__(s, i, v)", "q[0]"),
    "attribute": ("property", "v(s)", "v(s, v)", "q.v"),
    "missing": ("defaultdict", "", "", "q[0]"),
}
"""How the place is read and written."""

VALUES = ("t", "x * t + 1", "(t if x > 0 else 1.0)", "held[0] * x", "l * x")
"""What is added: what the reading has changed before."""

AROUND = {
    "plain": "    {place} {op} {value}",
    "in a loop": "    for k in range(2):\n        {place} {op} {value}",
}

_PLAIN = """
def {name}(x):
    t, held, l, stored = x, [x], np.array([x]), [x]
    def change():
        nonlocal t
        t = t * 2 + x
        held[0] = held[0] * 3 + x
        l[0] = l[0] * x
        return t * stored[-1]
{made}
{body}
    return t * x + float(np.sum(stored[-1])) + {end} + float(np.sum(q[0] if {indexed} else q.v))
"""

_CLASSES = {
    "item": """    class Q:
        def __getitem__(s, i):
            return change()
        def __setitem__(s, i, v):
            stored.append(v)
    q = Q()""",
    "attribute": """    class Q:
        @property
        def v(s):
            return change()
        @v.setter
        def v(s, v):
            stored.append(v)
    q = Q()""",
    "missing": "    q = collections.defaultdict(change)",
}


def _names() -> list[tuple[str, str, str, str]]:
    return list(itertools.product(PLACES, VALUES, AROUND, ("+=",)))


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    texts = ["import collections\nimport numpy as np\n"]
    for number, (place, value, around, op) in enumerate(_names()):
        body = AROUND[around].format(place=PLACES[place][3], op=op, value=value)
        indexed = place != "attribute"
        texts.append(
            _PLAIN.format(name=f"f{number}", made=_CLASSES[place], body=body, end="held[0]", indexed=indexed)
        )
    return module_of("\n".join(texts), "augmented_reading", tmp_path_factory)


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize("place", PLACES)
def test_value_is_computed_behind_the_reading(programs: ModuleType, place: str, *, specialise: bool) -> None:
    for number, case in enumerate(_names()):
        if case[0] != place:
            continue
        program = getattr(programs, f"f{number}")
        ends = [program(1.3 + step) for step in (1e-3, -1e-3, 2e-3, -2e-3)]
        expected = (8 * (ends[0] - ends[1]) - (ends[2] - ends[3])) / 12e-3
        with options(specialise=specialise):
            value, back = zg.pullback(program, 1.3)
        assert value == program(1.3), case
        assert [back(1.0)[0], back(1.0)[0]] == pytest.approx([expected] * 2, rel=1e-6), case
