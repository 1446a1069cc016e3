"""Products with Hessians of programs that change their arguments, and what others can reach: by tangent code,
with everything changed as in a plain call, once."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import tangents_pulled
from zygpy.runtime.zeros import CannotPush

X = np.array([1.2, 0.7, 0.4])
V = np.array([0.9, 0.4, -0.6])
LOG: list[Any] = []
HELD: dict[str, Any] = {}
count = 1


def by_differences(f: Any, step: float = 1e-3) -> Any:
    """The product of the Hessian at `X` with `V`, out of values alone."""

    def mixed(unit: Any, h: float) -> Any:
        corners = [(a, b, f(X + a * h * unit + b * h * V)) for a in (1, -1) for b in (1, -1)]
        return sum(a * b * value for a, b, value in corners) / (4 * h * h)

    return np.array([(4 * mixed(unit, step / 2) - mixed(unit, step)) / 3 for unit in np.eye(3)])


def parts_of(x: Any) -> Any:
    return x[:2].copy(), [float(x[2])], {}


def written_in_parts(parts: Any) -> Any:
    x, items, table = parts
    items.append(x[0] * items[0])
    np.add.at(x, [0, 0, 1], x[1] ** 2)
    items[0] = items[-1] * x[1]
    table["k"] = [items.pop(), x[::-1]]
    table["k"][1][0] *= table["k"][0]
    x = items
    x[0] = x[0] * parts[0][1]
    return items[0] ** 2 * table["k"][0] + np.sum(parts[0] ** 3)


def test_what_is_in_an_argument_is_changed_as_in_a_plain_call() -> None:
    plain, direction = parts_of(X), parts_of(V)
    written_in_parts(plain)
    expected = by_differences(lambda x: written_in_parts(parts_of(x)))
    assert tangents_pulled.tangent_pull(written_in_parts, parts_of(X)) is not None
    for _ in range(2):
        given = parts_of(X)
        array, items, _ = zg.hvp(written_in_parts, given, direction)
        assert np.array([*array, items[0]]) == pytest.approx(expected, rel=1e-5, abs=1e-5)
        assert repr(given) == repr(plain)
        assert repr(direction) == repr(parts_of(V))
    given = parts_of(X)
    array, items, _ = zg.hvp(written_in_parts, given, given)
    assert np.array([*array, items[0]]) == pytest.approx(by_differences_along_itself(), rel=1e-7)


def by_differences_along_itself() -> Any:
    """The same along the argument, out of gradients."""
    sides = [zg.gradient(written_in_parts, parts_of(X * (1 + h)))[0] for h in (1e-5, -1e-5)]
    above, below = (np.array([*array, items[0]]) for array, items, _ in sides)
    return (above - below) / 2e-5


def stepped(k: int) -> int:
    global count
    count += k
    return count


def counting(x: Any) -> Any:
    global count
    count = count + 1
    y = x[0] ** 2 * count
    LOG.append("begun")
    y = y * stepped(3) + x[1] ** len(LOG)
    count = count * 2
    return y * x[2] * count


def set_anew() -> None:
    global count
    count = 1
    LOG.clear()


def at_the_beginning(x: Any) -> Any:
    set_anew()
    return counting(x)


def test_what_others_can_reach_is_changed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = by_differences(at_the_beginning)
    set_anew()
    assert tangents_pulled.tangent_pull(counting, X.copy()) is not None
    cotangents = tangents_pulled._cotangents

    def fails(push: Any, dots: Any) -> Any:
        cotangents(push, dots)
        raise CannotPush

    for way in (cotangents, cotangents, fails):
        set_anew()
        monkeypatch.setattr(tangents_pulled, "_cotangents", way)
        assert zg.hvp(counting, X.copy(), V) == pytest.approx(expected, rel=1e-5, abs=1e-5)
        assert (count, LOG) == (10, ["begun"])
    monkeypatch.undo()
    set_anew()
    assert zg.hessian(counting, X.copy()) @ V == pytest.approx(expected, rel=1e-5, abs=1e-5)
    assert (count, LOG) == (10, ["begun"])


def with_a_default(x: Any, seen: Any = []) -> Any:  # noqa: B006
    seen.append(1.0)
    return x[0] ** 2 * x[1] * len(seen)


def test_a_default_value_that_grows_is_the_same_for_every_row() -> None:
    hessian = zg.hessian(with_a_default, X.copy())
    assert hessian[:2, :2] == pytest.approx(np.array([[2 * X[1], 2 * X[0]], [2 * X[0], 0.0]]))
    assert with_a_default(np.ones(3)) == 2.0


def found_by_name(x: Any) -> Any:
    x[0] = x[0] * x[1]
    return HELD["rows"][0][0] ** 2 * x[1]


@pytest.mark.parametrize(
    "second", [lambda x: zg.hvp(found_by_name, x, V), lambda x: zg.hessian(found_by_name, x)]
)
def test_an_argument_that_is_found_by_name_and_written_to_is_refused(second: Any) -> None:
    x = X.copy()
    HELD["rows"] = (x,)
    with pytest.raises(zg.UnsupportedSyntaxError, match="writes to its argument"):
        second(x)
    assert np.array_equal(x, X)
    HELD["rows"] = (copy.copy(x),)
    zg.hvp(found_by_name, x, V)


def long_and_written(x: Any) -> Any:
    x *= x[0]
    return x * 1.0


def test_tangents_of_long_arrays_that_are_written_to() -> None:
    x = np.linspace(1.5, 2.0, 20)
    given, v = x.copy(), np.linspace(1.0, 0.5, 20)
    push = zg.pushforward(long_and_written, given)
    for _ in range(2):
        assert push(v) == pytest.approx(v * x[0] + x * v[0])
        assert np.array_equal(given, x * x[0])


TABLE: dict[str, Any] = {}
BUFFER = np.zeros(3)
VIEW = BUFFER[1:]
MEMO: dict[int, Any] = {}
state: Any = 0.0


class Shared:
    total: Any = 0.0

    def read(self) -> Any:
        return self.total


class BelowShared(Shared):
    pass


def put(v: Any, held: Any = LOG) -> Any:
    held.append(v)
    return held


def sharing() -> tuple[Any, Any]:
    last: Any = 0.0

    def keep(v: Any) -> None:
        nonlocal last
        last = v

    return keep, lambda: last


KEEP, KEPT = sharing()


def in_containers(x: Any) -> Any:
    LOG.clear()
    put(x[0] * x[1])
    TABLE["log"] = put(x[1] * x[2])
    TABLE["log"][0] = LOG[0] * LOG[1]
    TABLE["one"] = TABLE["other"] = [x[0]]
    TABLE["one"][0] *= x[2]
    return LOG[0] * TABLE["other"][0] ** 2


def in_arrays(x: Any) -> Any:
    BUFFER[:] = 1.0
    VIEW[0] = x[0] * x[1]
    BUFFER[1:] *= x[1:]
    return np.sum(BUFFER**2) * VIEW[1]


def in_variables(x: Any) -> Any:
    global state
    state = 2.0
    s = state * x[0]
    state = s * x[1]
    state *= x[0]
    KEEP([state * x[2]])
    return state * s * KEPT()[0]


def in_classes(x: Any) -> Any:
    Shared.total = x[0] * x[1]
    Shared.total += x[2] ** 2
    in_classes.last = BelowShared().read() * x[0]  # type: ignore[attr-defined]
    return in_classes.last * Shared.total  # type: ignore[attr-defined]


def remembered(n: int, x: Any) -> Any:
    if n not in MEMO:
        MEMO[n] = x[n] if n < 2 else remembered(n - 1, x) * x[2] + remembered(n - 2, x) ** 2
    return MEMO[n]


def in_a_table(x: Any) -> Any:
    MEMO.clear()
    return remembered(3, x)


def left_by_an_exception(x: Any) -> Any:
    try:
        TABLE["e"] = x[0] * x[1]
        raise ValueError(TABLE["e"])
    except ValueError as error:
        TABLE["e"] = TABLE["e"] * x[2] + error.args[0] ** 2
    y = x[1]
    TABLE["f"] = lambda v: v * y * TABLE["e"]
    return TABLE["f"](x[2])


@pytest.mark.parametrize(
    "function",
    [
        in_containers,
        in_arrays,
        in_variables,
        in_classes,
        in_a_table,
        left_by_an_exception,
    ],
)
def test_tangents_of_what_is_stored_elsewhere_are_found_there(function: Any) -> None:
    expected = by_differences(function)
    pull = tangents_pulled.tangent_pull(function, X)
    assert pull is not None
    assert pull.push.tangent.everywhere
    for _ in range(2):
        assert pull.product(V) == pytest.approx(expected, rel=1e-5, abs=1e-6)
    assert zg.hvp(function, X, V) == pytest.approx(expected, rel=1e-5, abs=1e-6)
