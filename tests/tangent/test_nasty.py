"""Programs that are easy to get wrong in forward mode: each has tangent code, that agrees with `back`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import pushing
from zygpy.derivatives import pushforward_by_reverse

X = np.array([0.5, 1.5, -0.7, 2.0])


def underscore(x: Any) -> Any:
    _ = x * x
    total = 0.0
    for _i, (a, flag) in enumerate([(x, True), (2.0, False)]):
        total += a * _ if flag else _
    first, _rest = pair(x)
    return total + _ + first


def pair(x: Any) -> Any:
    return x * 3, "text"


def read_before_it_is_bound_again(x: Any) -> Any:
    y = x * 2.0
    first = y + (y := y * x)
    second = (z := x * 3.0) * (z := z * x) * z
    items = [y, (y := y * x), y]
    return first + second + items[0] * items[1] + items[2]


def constant_callee(x: Any) -> Any:
    _ = x
    count = steps(x)
    return _ * count


def steps(x: Any) -> int:
    return int(x) + 2


def tuple_swap(x: Any) -> Any:
    a, b = x, x * x
    for _ in range(3):
        a, b = b, a + b * x
    return a - b


def same_operand_in_place(u: Any) -> Any:
    v = u * 1.0
    v += v
    v *= v
    v -= v[1]
    v /= v[0] + 3.0
    return v


def overlapping_slices(u: Any) -> Any:
    v = u.copy()
    v[1:] = v[:-1]
    v[:2] += v[2:]
    v[::-1] *= u
    return v


def fancy(u: Any) -> Any:
    v = np.zeros(4)
    v[[0, 0, 2]] = u[:3]
    v[[1, 1]] += u[0]
    v[u > 1] *= u[0]
    return v


def rows(u: Any) -> Any:
    table = np.zeros((3, 4))
    row = table[1]
    column = table[:, 2]
    row += u
    column *= u[0]
    table[2] = row
    return table.T @ np.arange(3.0)


def late_activity(u: Any) -> Any:
    a = np.zeros(4)
    b = a
    c = a[1:]
    b[0] = u[0]
    c[1] = u[1] * u[2]
    return a * a + b


def broadcast_up(u: Any) -> Any:
    m = u[:, None] + np.zeros(3)
    m[0, 1] = u[2]
    n = u[1] - m
    n[1] = 0.0
    return n * m


def single_into_double(u: Any) -> Any:
    v = u.astype(np.float32) + np.zeros(4)
    v[1] = u[0] / 3
    return v


def dicts(x: Any) -> Any:
    d = {"a": x, "b": 2.0}
    d["c"] = d["a"] * d["b"]
    d["b"] += x
    e = d.copy()
    e["a"] = 0.0
    del d["c"]
    total = 0.0
    for key, value in d.items():
        total += value * len(key)
    return total + e["c"] + e["a"] + d.pop("a") + d["b"]


def slices_of_lists(x: Any) -> Any:
    xs = [1.0, x, x * x, 4.0]
    xs[1], xs[2] = xs[2], xs[1]
    xs.insert(0, x)
    xs.append(x * 2)
    last = xs.pop()
    total = max(x, 2.5 * x) * min(x, 3.0) + sum([x, 2.0, x * x], x)
    for k, v in enumerate(xs):
        total += v * k
    return total + last * len(xs)


def breaks(x: Any) -> Any:
    total = 0.0
    while True:
        x = x * 1.3
        if x > 10:
            break
        if x > 5:
            continue
        for k in range(3):
            if k * x > 4:
                break
            total += x**k
        else:
            total -= x
    return total * x


def recursive(x: Any, n: int) -> Any:
    return x if n == 0 else recursive(x * x / 2, n - 1) * x + other(x, n)


def other(x: Any, n: int) -> Any:
    return math.sin(x) if n < 2 else recursive(x, n - 2)


def writing_callee(u: Any) -> Any:
    v = np.zeros(4)
    fill(v, u)
    fill(v[1:], u[:-1])
    return v


def fill(target: Any, source: Any) -> None:
    for i in range(len(target)):
        target[i] = target[i] * 0.5 + source[i] ** 2


def flattened(m: Any) -> Any:
    return m.reshape(-1)


def view_from_a_callee(u: Any) -> Any:
    m = np.outer(u, u)
    v = flattened(m)
    v[3] = u[0]
    return m


def flattened_transpose(u: Any) -> Any:
    m = np.outer(u, u).T
    v = m.reshape(-1)
    v[3] = u[0]
    return m + v[5]


def keywords(x: Any) -> Any:
    return named(2.0, x, 3.0, x, scale=x) + named(b=x, a=1.0) + several(x, 3.0)


def named(a: Any, b: Any, *rest: Any, scale: Any = 2.0) -> Any:
    return a * b * scale + len(rest) * a


def several(*values: Any) -> Any:
    total = 1.0
    for value in values:
        total *= value
    return total


def quiet(u: Any) -> Any:
    with np.errstate(divide="ignore"):
        v = u / (u - 0.25)
    return v * u


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (underscore, (1.2,)),
        (read_before_it_is_bound_again, (1.2,)),
        (read_before_it_is_bound_again, (X,)),
        (constant_callee, (1.2,)),
        (tuple_swap, (1.2,)),
        (same_operand_in_place, (X,)),
        (overlapping_slices, (X,)),
        (fancy, (X,)),
        (rows, (X,)),
        (late_activity, (X,)),
        (broadcast_up, (X,)),
        (single_into_double, (X,)),
        (dicts, (1.2,)),
        (slices_of_lists, (1.2,)),
        (breaks, (1.2,)),
        (recursive, (1.2, 4)),
        (writing_callee, (X,)),
        (view_from_a_callee, (X,)),
        (flattened_transpose, (X,)),
        (keywords, (1.2,)),
        (quiet, (X,)),
    ],
)
def test_agrees(function: Any, args: Any) -> None:
    found = pushing.push_of(function, args)
    assert isinstance(found, pushing.Push), found
    tangents = [np.cos(np.arange(4.0)) if arg is X else 0.0 if isinstance(arg, int) else 0.7 for arg in args]
    pushed = np.asarray(zg.pushforward(function, *args)(*tangents))
    y, back = zg.pullback(function, *args)
    seed = np.sin(1.0 + np.arange(np.size(y))).reshape(np.shape(y))
    bars = back(seed if seed.shape else float(seed))
    expected = sum(np.sum(bar * dot) for bar, dot in zip(bars, tangents, strict=True) if bar is not None)
    np.testing.assert_allclose(np.sum(seed * pushed), expected, rtol=1e-6)
    if function is not single_into_double:  # whose differences say little
        compare_with_differences(function, args, tangents, pushed)


def compare_with_differences(function: Any, args: Any, tangents: Any, pushed: Any) -> None:
    step = 1e-6
    moved = [
        function(
            *(
                arg if isinstance(arg, int) else arg + sign * step * dot
                for arg, dot in zip(args, tangents, strict=True)
            )
        )
        for sign in (1, -1)
    ]
    np.testing.assert_allclose(pushed, (moved[0] - moved[1]) / (2 * step), rtol=1e-6, atol=1e-6)


def test_whole_numbers_and_single_precision() -> None:
    assert zg.hvp(lambda x: x**3, 2, 1) == 12.0
    x = np.array([1.0, 2.0], np.float32)
    found = zg.hessian(lambda x: np.sum(x**3), x)
    assert found.tolist() == [[6.0, 0.0], [0.0, 12.0]]
    assert zg.pushforward(lambda x: x * 2, x)(x).dtype == np.float32


def test_a_variable_called_underscore_by_reverse_mode_twice() -> None:
    expected = zg.gradient(underscore, 1.2)[0] * 0.7
    np.testing.assert_allclose(pushforward_by_reverse(underscore, 1.2)(0.7), expected)
