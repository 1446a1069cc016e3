"""`defaultdict`, `Counter` and `OrderedDict` that stay in a function are plain dicts there."""

from __future__ import annotations

import collections
import contextlib
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing import check_gradient

X = np.array([0.7, 1.3, -0.4, 1.9, 0.6])


def sums(x: Any) -> Any:
    found = defaultdict(float)
    for i, v in enumerate(x):
        found[i % 3] += v * v
    return sum(s * s for s in found.values())


def by_module(x: Any) -> Any:
    found = collections.defaultdict(int)
    for i, v in enumerate(x):
        found[i % 2, "a"] += v**3
    return found[0, "a"] * found[1, "a"] + found[2, "b"] + len(found)


def lists(x: Any) -> Any:
    found = defaultdict(list)
    for i, v in enumerate(x):
        found[i % 2].append(v * v)
    return sum(found[0]) * sum(found[1]) + len(found[7])


def ordered(x: Any) -> Any:
    found: Any = OrderedDict([("a", x[0]), ("b", x[1] * x[0]), ("c", 2.0)])
    found["a"] += x[2]
    found["d"] = found["b"] * found["c"]
    del found["b"]
    found["b"] = x[3]
    return sum(v * v * (i + 1) for i, v in enumerate(found.values())) + found.get("q", x[4]) + found.pop("c")


def ordered_by_name(x: Any) -> Any:
    found = OrderedDict(u=x[0], v=x[1])
    other = found
    other["u"] = x[2] * x[2]
    return found["u"] * x[0] * found["v"] + len(other)


def given_a_list_that_grows(x: Any) -> Any:
    pairs = [("a", x[0])]
    pairs.append(("b", x[1] * x[0]))
    found = OrderedDict(pairs)
    return found["a"] * found["b"]


def given_a_pair_of_before(x: Any) -> Any:
    found, w, pair = OrderedDict[str, Any](), 0.0, ("a", 1.0)
    for i in range(4):
        if i > 1:
            found = OrderedDict([pair])
        if i > 0:
            pair = ("a", w)
        w = x[i] * x[0]
    return found["a"]


def bound_amid_the_pairs(x: Any) -> Any:
    found = OrderedDict([("a", x), ("b", (x := x * x)), ("c", x)])
    return np.sum(found["a"] * found["b"] + found["c"])


def layers(x: Any) -> Any:
    found, h = OrderedDict([("first", x[0]), ("second", x[1])]), x[2]
    found["third"] = x[3] * x[0]
    for w in found.values():
        h = np.tanh(w * h)
    return h


def lists_under_pairs(x: Any) -> Any:
    found = defaultdict(list)
    for i, v in enumerate(x):
        found[i % 2, "k"].append(v * v)
    first = found[0, "k"]
    first.append(x[1])
    found[0, "k"] += [x[0]]
    return sum(sum(one) * len(one) for one in found.values()) + len(found[9, "k"]) + len(found)


def by_lambda(x: Any) -> Any:
    found = defaultdict(lambda: 1.0)
    for i, v in enumerate(x):
        found[i % 2] *= v
    return found[0] + found[1] * found[5]


def lambda_of_nothing(x: Any) -> Any:
    found = defaultdict(lambda: None)
    for i, v in enumerate(x):
        if found[i % 2] is None:
            found[i % 2] = v
        found[i % 2] = found[i % 2] * v
    return found[0] + found[1]


def keys_are_put_in(x: Any) -> Any:
    found = defaultdict(float)
    first = found["a"]
    found["b"]
    there = "a" in found and "b" in found and "c" not in found
    return (len(found) if there else 0) * x[0] + first * x[1] + found["c"] + len(found) * x[2] ** 2


def read_before(x: Any) -> Any:
    found = defaultdict(float)
    found["a"] = x[0]
    found["a"] += found.pop("a") * x[1]
    found["b"] += len(found) * x[2]
    found["c"] += found["d"] + len(found) * x[3] ** 2
    return found["a"] * found["b"] * found["c"]


def counts(x: Any) -> Any:
    found = Counter()
    for i, v in enumerate(x):
        found[i % 3] += v * v
    nothing = found["none"]
    return found[0] * found[1] + found[2] + nothing + len(found) * x[0]


def counts_before(x: Any) -> Any:
    found = collections.Counter()
    found["a"] += (len(found) + 1.0) * x[0]
    found["b"] += found["a"] * x[1] + len(found)
    found["b"] -= found.pop("a") * len(found)
    return found["b"] * found["a"] + found["b"] ** 2


def counts_nothing_that_failed(x: Any) -> Any:
    found = Counter()
    with contextlib.suppress(TypeError):
        found["a"] += "text"
    found["b"] += x[0]
    return x[1] * len(found) + found["a"] + found["b"] ** 2


def counts_deleted(x: Any) -> Any:
    found = Counter()
    del found["nothing"]
    found["a"] += x[0]
    return found["a"] ** 2


def fresh_in_a_loop(x: Any) -> Any:
    total = 0.0
    for i in range(3):
        found = defaultdict(float)
        for j, v in enumerate(x):
            found[(i + j) % 3] += v * (i + 1)
        total = total + found[0] * found[1]
    return total


def perhaps_made(x: Any) -> Any:
    if x[0] > 0:
        found = defaultdict(float)
    found["a"] += x[0]
    return found["a"] * found["b"] + found["a"] ** 2


def asked_for_keys(x: Any) -> Any:
    found = defaultdict(float)
    for i, v in enumerate(x):
        found[-i] += v
    total = 0.0
    if found:
        for k in found:
            total = total + found[k] * k
        for k, v in sorted(found.items()):
            total = total + v * v * k
    return total * max(found) + min(found) * x[1] + sum(found) * x[2] + len(list(found)) * x[0]


def in_a_try(x: Any) -> Any:
    found = defaultdict(float)
    try:
        found["a"] += x[0]
        value = found["b"] + x[1]
    except KeyError:
        value = x[2]
    return value * found["a"]


def dict_of_it(x: Any) -> Any:
    found = defaultdict(float)
    for i, v in enumerate(x):
        found[i] += v * v
    plain = dict(found)
    return plain[0] * plain[1] + plain.get(9, x[2])


def captured(x: Any) -> Any:
    found = defaultdict(float)

    def put(k: int, v: Any) -> None:
        found[k] += v * v

    for i, v in enumerate(x):
        put(i % 2, v)
    return found[0] * found[1]


def in_a_generator_expression(x: Any) -> Any:
    found = defaultdict(float)
    for i, v in enumerate(x):
        found[i % 2] += v
    return sum(found[k] ** 2 for k in range(3)) + len(found)


def of_dicts(x: Any) -> Any:
    found = defaultdict(dict)
    for i, v in enumerate(x):
        found[i % 2][i] = v * v
    return found[0][2] * found[1][1] + len(found[5])


def deleted(x: Any) -> Any:
    found = defaultdict(float)
    found["a"] += x[0]
    del found["a"]
    found["a"] += x[1]
    found.setdefault("c", x[2])
    found["c"] *= x[3]
    return found["a"] * found["c"] + found.get("d", 2.0) * x[0] + found.pop("c") + len(found)


def arrays(x: Any) -> Any:
    found = defaultdict(float)
    for i in range(4):
        found[i % 2] += x * i
    return np.sum(found[0] * found[1]) + found[2]


PROGRAMS: tuple[Callable[..., Any], ...] = (
    *(sums, by_module, lists, by_lambda, lambda_of_nothing, keys_are_put_in, read_before, counts),
    *(
        counts_before,
        counts_nothing_that_failed,
        counts_deleted,
        fresh_in_a_loop,
        perhaps_made,
        asked_for_keys,
        in_a_try,
        dict_of_it,
    ),
    *(captured, in_a_generator_expression, of_dicts, deleted, arrays),
    *(ordered, ordered_by_name, given_a_list_that_grows, given_a_pair_of_before, bound_amid_the_pairs),
    *(layers, lists_under_pairs),
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_value_and_gradient(program: Callable[..., Any]) -> None:
    y, back = zg.pullback(program, X.copy())
    assert y == program(X.copy())
    check_gradient(program, X.copy())
    assert np.array_equal(back(1.0)[0], back(1.0)[0])


@pytest.mark.parametrize("program", [sums, by_module, by_lambda, read_before, counts, counts_before, deleted])
def test_second_order(program: Callable[..., Any]) -> None:
    check_gradient(program, X.copy(), order=2)


@pytest.mark.parametrize("program", [sums, by_module, counts, counts_before, read_before])
def test_whole_and_single_numbers(program: Callable[..., Any]) -> None:
    expected = zg.gradient(program, np.array([1.0, 2.0, 3.0, 4.0, 5.0]))[0]
    assert np.allclose(zg.gradient(program, np.array([1, 2, 3, 4, 5]))[0], expected)
    single = zg.gradient(program, np.array([1, 2, 3, 4, 5], np.float32))[0]
    assert single.dtype == np.float32
    assert np.allclose(single, expected, rtol=1e-4)


def returned(x: Any) -> Any:
    found = defaultdict(float)
    found["a"] += x
    return found


def shown(x: Any) -> Any:
    found = defaultdict(float)
    found["a"] += x
    return x, f"{found}"


def asked_for_its_class(x: Any) -> Any:
    found = Counter()
    found["a"] += x
    return x * isinstance(found, Counter), type(found).__name__


def asked_for_its_default(x: Any) -> Any:
    found = defaultdict(float)
    found["a"] += x
    return x, found.default_factory


def copied(x: Any) -> Any:
    found = defaultdict(float)
    found["a"] += x
    other = found.copy()
    return other["b"] + other["a"], type(other).__name__


def changed_as_walked_over(x: Any) -> Any:
    found = defaultdict(float)
    found[0] += x
    for k in found:
        found[k + 1] += x
    return x


def unhashable(x: Any) -> Any:
    found = defaultdict(float)
    found[[]] += x
    return x


def without_factory(x: Any) -> Any:
    found = defaultdict(None)
    found["a"] += x
    return x


def changed_of_factory(x: Any) -> Any:
    found = defaultdict(list)
    same = found
    same["a"].append(x)
    return found["a"][0] * x, repr(type(same))


@pytest.mark.parametrize(
    "program",
    [
        *(returned, shown, asked_for_its_class, asked_for_its_default, copied, changed_as_walked_over),
        *(unhashable, without_factory, changed_of_factory),
    ],
)
def test_what_it_is_can_be_seen(program: Callable[..., Any]) -> None:
    def outcome(call: Callable[[], Any]) -> Any:
        try:
            value = call()
        except (RuntimeError, TypeError, KeyError) as error:
            return type(error), str(error)
        return type(value), value

    assert outcome(lambda: zg.pullback(program, 1.5)[0]) == outcome(lambda: program(1.5))


def test_another_function_of_that_name() -> None:
    space: dict[str, Any] = {"zg": zg, "defaultdict": defaultdict, "sums": sums}
    found = zg.gradient(sums, X)[0]
    saved = globals()["defaultdict"]
    try:
        globals()["defaultdict"] = lambda kind: saved(lambda: 1.0)
        other = zg.gradient(sums, X)[0]
    finally:
        globals()["defaultdict"] = saved
    assert space["defaultdict"] is saved
    groups = [np.sum(X[k::3] ** 2) for k in range(3)]
    assert np.allclose(found, [4 * v * groups[i % 3] for i, v in enumerate(X)])
    assert np.allclose(other, [4 * v * (groups[i % 3] + 1.0) for i, v in enumerate(X)])
    assert np.allclose(zg.gradient(sums, X)[0], found)


def test_the_adjoint_is_that_of_a_plain_dict() -> None:
    for program in (sums, by_module, counts, lists, layers):
        assert "pull" not in str(zg.show_adjoint(program, X)).replace("pullback", "")
