"""Loops that are run once more in the backward pass: `checkpointed`."""

import collections
import copy
import gc
import inspect
import itertools
import math
import os
import pickle
import random
import sys
from dataclasses import dataclass

import numpy as np
import pytest

import zygpy as zg
from tests.corpus.reference import programs
from zygpy import stretched
from zygpy.runtime.gauges import Gauge
from zygpy.runtime.stretches import apart
from zygpy.testing import check_gradient, trees
from zygpy.testing.numeric import slope
from zygpy.units import options

PROGRAMS = []


def program(*args, order=2, specialise=(True, False)):
    def noted(f):
        PROGRAMS.append(pytest.param(f, args, order, specialise, id=f.__name__))
        return f

    return noted


X = np.array([0.3, -0.2, 0.5])


# Loops over ranges, lists and arrays.


@program(0.7, 13)
def scalars(x, n):
    r = 1.0
    for i in range(n):
        r = r * x + math.sin(r) * i
    return r


@program(X, 11)
def arrays(x, n):
    t = 0.0
    u = x
    for _ in range(n):
        u = u + 0.1 * np.sin(u) * t
        t = t + 0.1
    return np.sum(u)


@program(0.7, 0)
def no_iterations(x, n):
    for i in range(n):
        x = x * i
    return x


@program(0.7, 1)
def one_iteration(x, n):
    for _ in range(n):
        x = x * x
    return x


@program(0.7, 3, 20)
def ranges_with_a_start(x, a, b):
    total = 0.0
    for i in range(a, b):
        total += x**i / i
    return total


@program(0.7, 20, 3)
def ranges_that_go_down(x, a, b):
    total = 0.0
    for i in range(a, b, -4):
        total = total * x + i
    for i in range(2, a, 3):
        total = total * x - i
    return total


@program(X, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])
def lists(x, weights):
    u = x
    for w in weights:
        u = np.tanh(u * w)
    return np.sum(u)


@program(X, np.linspace(0.1, 1.0, 8))
def arrays_are_walked(x, weights):
    u = x
    for w in weights:
        u = np.tanh(u * w)
    return np.sum(u)


@program(X, np.linspace(0.1, 1.0, 12).reshape(4, 3))
def rows_are_walked(x, rows):
    u = x
    for row in rows:
        u = np.tanh(u + row)
    return np.sum(u)


@program(0.5, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], np.linspace(0.1, 1.0, 9))
def counted_pairs(x, a, b):
    total = x
    for i, (p, q) in enumerate(zip(a, b), 3):  # noqa: B905  (the default)
        total = math.sin(total * p + q) * i
    return total


@program(0.5, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])
def reversed_lists(x, a):
    total = x
    for p in reversed(a):
        total = math.sin(total * p)
    for i, p in enumerate(reversed(range(1, 8))):
        total = math.cos(total * p + i)
    for p, i in zip(reversed(a), reversed(range(2, 20, 5))):  # noqa: B905
        total = math.cos(total * p + i)
    return total


@program((0.5, 0.7, 0.9, 1.1, 1.3))
def tuples(values):
    total = 1.0
    for value in values:
        total = total * value + 1.0
    return total


# Loops that are left.


@program(1.1, 30)
def loops_that_break(x, n):
    y = x
    for i in range(n):
        y = y * x
        if y > 3.0:
            break
        y = y + 0.1 * i
    return y * i


@program(1.1, 30)
def loops_with_an_else(x, n):
    y = x
    for i in range(n):
        if i % 3 == 1:
            continue
        y = y * x
        if y > 1e6:
            break
    else:
        y = y * 2.0
    return y


@program(1.1, 30)
def loops_that_return(x, n):
    y = x
    for i in range(n):
        y = y * x + 0.1 * i
        if y > 3.0:
            return y * y
    return y


@program(1.02)
def while_loops(x):
    y, steps = x, 0
    while y < 5.0:
        y = y + 0.35 + 0.1 * math.sin(x * y)
        steps += 1
    return y * steps


@program(1.02)
def endless_loops(x):
    y = x
    while True:
        y = y + 0.35 + 0.1 * math.sin(x * y)
        if y > 4.0:
            return y * 3.0
        if y < -4.0:
            break
    return y


@program(1.02)
def while_loops_with_an_else(x):
    y = x
    while y < 3.0:
        y = y + 0.35 + 0.1 * math.sin(x * y)
        if y < 0.0:
            break
    else:
        y = y * y
    return y


@program(0.02)
def while_loops_without_iterations(x):
    y = x
    while y > 3.0:
        y = y * x
    return y * y


@program(0.7, 7)
def variables_of_the_loop_are_read_behind_it(x, n):
    for i in range(1, n):
        y = x * i
    return y * i


@program(0.7, 7)
def nested_loops(x, n):
    y = x
    for i in range(n):
        for j in range(i):
            y = math.sin(y + j) * x
        while y > 0.1:
            y = y * 0.5
    return y


@program(0.7, 9)
def two_loops(x, n):
    y = x
    for _ in range(n):
        y = math.sin(y) + x
    z = y
    for i in range(n):
        z = z * y + 0.1 * i
    return z


@program(0.7, 9)
def loops_in_branches(x, n):
    y = x
    if x > 0:
        for i in range(n):
            y = math.sin(y) + i
    else:
        while y < 1.0:
            y = y + 0.1
    return y


@program(0.7, 9)
def comprehensions(x, n):
    y = x
    for i in range(n):
        y = sum([y * j * 0.1 for j in range(i)], x)
    return y + sum(x * k for k in range(3))


# Things that are changed.


@program(X, 11)
def arrays_that_are_written(x, n):
    u = x.copy()
    for i in range(n):
        u[1:] += 0.1 * u[:-1] * u[1:]
        u[0] = u[0] * 1.01 + i * 0.01
    return np.sum(u * u)


@program(X, 11)
def arrays_with_another_name(x, n):
    u = x * 1.0
    v = u
    w = u[1:]
    for _ in range(n):
        w *= 1.1
        u[0] += w[0] * v[1]
    return np.sum(v) + w[0]


@program(X, 11)
def arguments_that_are_written(x, n):
    for i in range(n):
        x[i % 3] = x[i % 3] * x[(i + 1) % 3] + 1.0
    return np.sum(x)


@program(X, 11)
def arrays_updated_as_a_whole(x, n):
    u = x * 1.0
    velocity = np.zeros(3)
    for _ in range(n):
        velocity += 0.1 * np.cos(u)
        u += 0.1 * velocity
    return np.sum(u)


@program(X, 11)
def buffers_that_change_places(x, n):
    u, v = x * 1.0, np.zeros(3)
    for _ in range(n):
        np.multiply(u, 1.1, out=v)
        v[0] += np.sin(u[1])
        u, v = v, u
    return np.sum(u)


@program(0.7, 11)
def lists_that_grow(x, n):
    values = [x]
    for i in range(n):
        values.append(values[-1] * x + i)
    return sum(values)


@program(0.7, 11)
def lists_that_are_changed(x, n):
    values = [x, x * 2.0, 3.0]
    also = values
    for i in range(n):
        values[i % 3] = values[(i + 1) % 3] * 0.5 + values[(i + 2) % 3] * x
    return also[0] * also[1] + also[2]


@program(0.7, 11)
def queues(x, n):
    values = [x, x * x, 1.0]
    for _ in range(n):
        first = values.pop(0)
        values.append(first * values[0] + values[1])
    return values[0] * values[1] + values[2]


@program(0.7, 11, order=1)
def dicts(x, n):
    state = {"a": x, "b": 1.0}
    for i in range(n):
        state["a"] = state["a"] * state["b"] + 0.1
        state["b"] = math.sin(state["a"]) + i * 0.01
        state[f"k{i}"] = state["a"]
    return state["a"] * state["b"] + sum(state.values())


@dataclass
class Body:
    position: float
    velocity: float

    def step(self, dt):
        self.velocity -= dt * math.sin(self.position)
        self.position += dt * self.velocity


@program(0.7, 11, order=1)
def objects(x, n):
    body = Body(x, 0.3)
    other = body
    for _ in range(n):
        body.step(0.1)
    return other.position * body.velocity


@program(0.7, 7, order=1)
def lists_of_objects(x, n):
    bodies = [Body(x, 0.3), Body(2 * x, 0.1), Body(0.1, x)]
    bodies.append(bodies[0])
    for i in range(n):
        for body in bodies:
            body.step(0.1)
        bodies[i % 3].velocity += 0.1 * bodies[(i + 1) % 3].position
    return sum(body.position for body in bodies)


class Grid:
    pass


@program(X, 7, order=1)
def objects_with_arrays(x, n):
    grid = Grid()
    grid.u = x * 1.0
    grid.inner = grid.u[1:]
    kept = grid.u
    for i in range(n):
        grid.inner *= 1.1
        grid.u[0] += grid.inner[0] * 0.5
        if i == 3:
            grid.u = grid.u * 2.0
    return np.sum(grid.u) + np.sum(kept * 3.0) + np.sum(grid.inner)


@program(0.7, 7, order=1)
def things_that_leave_the_state(x, n):
    outside = []
    current = [x]
    for i in range(n):
        current[0] = current[0] * x + 0.1
        outside.append(current)
        if i % 2:
            current = [current[0] * 2.0]
    return sum(item[0] for item in outside) + current[0]


@program(0.7, 9, order=1)
def linked_things(x, n):
    first = {"value": x, "next": None}
    last = first
    for i in range(n):
        node = {"value": last["value"] * x + i, "next": None}
        last["next"] = node
        last = node
        if i == 4:
            first["value"] = first["value"] * 2.0
    total, node = 0.0, first
    while node is not None:
        total = total + node["value"]
        node = node["next"]
    return total


@program(0.7, 9, order=1)
def deques(x, n):
    recent = collections.deque([x, 1.0], maxlen=3)
    for _ in range(n):
        recent.append(recent[0] * recent[-1] + 0.1)
    return recent[0] * recent[1] + recent[2]


# Functions in loops.


def helper(u, dt):
    return u + dt * np.sin(u)


@program(X, 11)
def helpers(x, n):
    for _ in range(n):
        x = helper(x, 0.1)
    return np.sum(x)


@program(X, 11)
def functions_that_are_given(x, n):
    return integrated(x, lambda u: np.sin(u) * 0.5, n)


@zg.checkpointed()
def integrated(x, rhs, n):
    for _ in range(n):
        x = x + 0.1 * rhs(x)
    return np.sum(x)


@program(X, 0.7, 11)
def closures(x, a, n):
    def rhs(u):
        return np.sin(a * u)

    for _ in range(n):
        x = x + 0.1 * rhs(x)
    return np.sum(x)


@program(X, 0.7, 11)
def closures_made_in_the_loop(x, a, n):
    for i in range(n):
        rhs = lambda u, i=i: np.sin(a * u) * i  # noqa: E731
        x = x + 0.1 * rhs(x)
    return np.sum(x)


@program(X, {"a": np.array([1.0, 2.0, 3.0]), "b": [0.1, 0.2]}, 11)
def parameters_in_containers(x, params, n):
    for i in range(n):
        x = np.tanh(x * params["a"] + params["b"][i % 2])
    return np.sum(x)


@program(np.float32(0.5), 5, order=1)
def single_precision(x, n):
    for _ in range(n):
        x = x * x + np.float32(0.1)
    return x


@program(0.5 + 0.2j, 5)
def complex_numbers(z, n):
    for _ in range(n):
        z = z * z + 0.3
    return abs(z)


@program(3, 5)
def integers(k, n):
    total = 1
    for i in range(n):
        total = total * k + i
    return total / 7


ONE_WAY = sys.version_info >= (3, 12)


EVERY = 1 if "ZYGPY_ALL_CASES" in os.environ else 7  # each takes long to derive


@pytest.fixture
def finely(monkeypatch):
    """Stretches are as short as they may be, whatever they keep."""
    monkeypatch.setattr(Gauge, "balanced", lambda gauge, count, segments: 0)


@pytest.mark.usefixtures("finely")
@pytest.mark.parametrize("segments", [None, 2])
@pytest.mark.parametrize(("f", "args", "order", "specialise"), PROGRAMS[::EVERY])
def test_the_gradient_is_that_of_the_plain_function(f, args, order, specialise, segments):
    divided = zg.checkpointed(segments)(f)
    for specialised in specialise[:1] if ONE_WAY else specialise:
        with options(specialise=specialised):
            given, plain = copy.deepcopy(args), copy.deepcopy(args)
            assert_same(zg.pullback(divided, *given)[0], f(*plain))
            assert_same(given, plain)
            expected = zg.gradient(f, *copy.deepcopy(args))
            assert_same(zg.gradient(divided, *copy.deepcopy(args)), expected)
    tolerance = {"rtol": 1e-2, "atol": 1e-2} if f is single_precision else {}
    order = 1 if ONE_WAY or segments is not None else order
    check_gradient(divided, *copy.deepcopy(args), order=order, **tolerance)


def stacks(x, n):
    values, also = [x], []
    for i in range(n):
        values.append(math.sin(values[-1]) * 0.9 + 0.1)
        if i % 7 == 3:
            top = values.pop() * x
            values[i % len(values)] = top
        if i == 20:
            also.append(values)
        if i == 30:
            values.clear()
            values.extend([x, x * x])
    return sum(values) + also[0][-1]


def tables(x, n):
    table = {}
    for i in range(n):
        x = math.sin(x) + 0.1
        table[i] = x
        if i % 5 == 4:
            x = x + table.pop(i - 3) * 0.1
    return sum(table.values())


def pairs(x, n):
    rows = []
    for i in range(n):
        x = math.sin(x) + 0.1
        rows.append([x, i])
        rows[i // 2][0] = rows[i // 2][0] * 1.01
    return sum([value * (1 + i % 3) for value, i in rows])


def elements(x, n):
    values = np.zeros(n)
    tail = values[n // 2 :]
    for i in range(n):
        x = math.sin(x) + 0.1
        values[i] = x + values[i // 2]
        tail[0] *= 1.01
    return np.sum(values * values)


def histories(x, n):
    values = [x]
    while len(values) < n:
        values.append(math.sin(values[-1]) + 0.1 * values[len(values) // 2])
    return sum(values)


def in_other_loops(x, n):
    kept = []
    for i in range(n):
        inner = []
        for j in range(i % 5):
            inner.append(x * j)  # noqa: PERF401
        x = math.sin(x) + 0.01 * sum(inner)
        kept.append(x)
    return sum(kept) + kept[-1]


def windows(x, n):
    last = collections.deque([x], 5)
    for _ in range(n):
        last.append(math.sin(last[0]) + 0.1 * last[-1])
    return sum(last)


class History:
    """What an object keeps of its own past."""

    def __init__(self, value):
        self.value = value
        self.kept = [value]


def histories_of_objects(x, n):
    history = History(x)
    for i in range(n):
        history.value = history.value * 0.9 + math.sin(x * i)
        history.kept.append(history.value * history.kept[i // 2])
    return history.value + sum(history.kept)


def walked_objects(x, n):
    history = History(x)
    for factor in [0.1 * k for k in range(n)]:
        history.value = math.sin(history.value) + factor * x
        history.kept[0] = history.kept[0] * 0.9 + history.value
    return history.value * history.kept[0]


@pytest.mark.parametrize("segments", [None, 2])
@pytest.mark.parametrize(
    "f",
    [
        stacks,
        tables,
        pairs,
        elements,
        histories,
        in_other_loops,
        windows,
        histories_of_objects,
        walked_objects,
    ],
)
def test_states_that_grow(f, segments):
    divided, n = zg.checkpointed(segments)(f), 60
    y, back = zg.pullback(divided, 0.7, n)
    slope = (f(0.7 + 1e-6, n) - f(0.7 - 1e-6, n)) / 2e-6
    assert y == f(0.7, n)
    assert back(1.0)[0] == pytest.approx(slope, rel=1e-7, abs=1e-8)
    assert back(2.0)[0] == pytest.approx(2.0 * slope, rel=1e-7, abs=1e-8)


@pytest.mark.parametrize("f", [histories_of_objects, walked_objects])
def test_objects_in_the_state_are_known_in_the_stretches(f):
    """What is known of an object's fields in front of the loop is known in it."""
    text = zg.show_adjoint(zg.checkpointed()(f), 0.7, 60)
    inside = text[text.index("_loop_run_forward(gauge") :]
    assert "history.value = " in inside
    assert "pull_attribute" not in inside
    assert "pull_set_attribute" not in inside


@pytest.mark.parametrize("f", [in_other_loops, histories])
def test_states_that_grow_at_second_order(f):
    divided, n = zg.checkpointed()(f), 12
    curvature = zg.derivative(zg.derivative(lambda x: divided(x, n)))(0.7)
    step = 1e-4
    expected = (f(0.7 + step, n) - 2.0 * f(0.7, n) + f(0.7 - step, n)) / step**2
    assert curvature == pytest.approx(expected, rel=1e-5, abs=1e-5)


def test_iterations_do_not_keep_what_is_in_the_state():
    model, gauge = Grid(), Gauge()
    model.values = [0.5] * 100_000
    gauge.planned = 10
    gauge.note([(i, model.values) for i in range(10)], (model,))
    assert gauge.kept < 1000
    assert gauge.state > 8 * 100_000


@pytest.mark.parametrize(("segments", "most"), [(None, 8), (8, 24)])
def test_a_list_that_grows_is_not_copied_often(segments, most, monkeypatch):
    """What copies of the state take together is of the order of its length, not of its square."""
    counted = []

    def counting_apart(values):
        counted.append(sum(len(value) for value in values if isinstance(value, list)))
        return apart(values)

    def grown(x, n):
        values = []
        for _ in range(n):
            x = math.sin(x) + 0.1
            values.append(x)
        return sum(values)

    monkeypatch.setitem(stretched.HELPERS, "apart", counting_apart)
    zg.gradient(zg.checkpointed(segments)(grown), 0.5, 2000)
    assert counted
    assert sum(counted) < most * 2000


def assert_same(found, expected):
    if isinstance(expected, tuple | list):
        assert len(found) == len(expected)
        for a, b in zip(found, expected, strict=True):
            assert_same(a, b)
    elif isinstance(expected, dict):
        assert set(found) == set(expected)
        for key in expected:
            assert_same(found[key], expected[key])
    elif expected is None or isinstance(expected, str):
        assert found is expected
    else:
        assert type(found) is type(expected)
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


CORPUS = [
    program
    for program in programs().values()
    if program.name.partition(".")[0] in ("loops_exits", "aliased_arrays", "fields", "mixed")
]


@pytest.mark.parametrize("program", CORPUS, ids=lambda program: program.name)
def test_the_corpus(program, capsys):
    divided = zg.checkpointed()(program.function)
    for args in program.argument_sets:
        assert_same_pullbacks(divided, program.function, args)


def assert_same_pullbacks(divided, f, args):
    """Refusals aside, what both do is the same."""
    try:
        y, back = zg.pullback(f, *trees.copy(args))
        expected = back(trees.copy(y))
    except Exception as failure:
        with pytest.raises((type(failure), zg.UnsupportedSyntaxError)):
            zg.pullback(divided, *trees.copy(args))[1](None)
        return
    try:
        _, found_back = zg.pullback(divided, *trees.copy(args))
        found = found_back(trees.copy(y))
    except zg.UnsupportedSyntaxError as refusal:
        assert "checkpointed loop" in str(refusal)  # noqa: PT017
        return
    for bar, expected_bar in zip(found, expected, strict=True):
        assert_same_cotangent(bar, expected_bar)


def assert_same_cotangent(found, expected):
    """The same numbers, where None stands for zero too."""
    if isinstance(expected, list | tuple):
        for a, b in zip(found or [None] * len(expected), expected, strict=True):
            assert_same_cotangent(a, b)
    elif isinstance(expected, dict):
        for key in expected:
            assert_same_cotangent((found or {}).get(key), expected[key])
    else:
        numbers = [0.0 if bar is None else bar for bar in (found, expected)]
        np.testing.assert_allclose(*numbers, rtol=1e-10, atol=1e-12)


# How much is stored, and how often loops run.


def announced(x, n):
    for _ in range(n):
        print("again")
        u = np.sin(np.full(1000, x))  # kept by each iteration
        x = x * 1.01 + 1e-9 * np.sum(u * u)
    return x


@pytest.mark.parametrize(
    ("segments", "n", "times"),
    [(None, 100, 2), (None, 7, 2), (10, 100, 2), (2, 64, 6), (4, 64, 3), (3, 2, 2)],
)
def test_how_often_a_loop_runs(segments, n, times, capsys):
    zg.gradient(zg.checkpointed(segments)(announced), 1.0, n)
    assert capsys.readouterr().out.count("again") == times * n
    zg.gradient(announced, 1.0, n)
    assert capsys.readouterr().out.count("again") == n


def told(x, n):
    for _ in range(n):
        print("again")
        x = x * 1.01
    return x


@pytest.mark.parametrize("segments", [2, 4, 10])
def test_what_keeps_less_than_the_states_is_not_divided_again(segments, capsys):
    zg.gradient(zg.checkpointed(segments)(told), 1.0, 64)
    assert capsys.readouterr().out.count("again") == 2 * 64


class Token:
    """What every state refers to, so that states are counted by the references to it."""


class State:
    def __init__(self, value):
        self.value = value
        self.token = Token


def count_states():
    print(sys.getrefcount(Token), end=" ")


zg.non_differentiable(count_states)


def run_of_states(x, n):
    state = State(x)
    for _ in range(n):
        state = State(state.value * 1.001 + 0.01)
        count_states()
    return state.value


def run_of_unknown_length(x, n):
    state = State(x)
    steps = 0
    while steps < n:
        state = State(state.value * 1.001 + 0.01)
        steps += 1
        count_states()
    return state.value


@pytest.mark.parametrize("f", [run_of_states, run_of_unknown_length])
def test_how_many_states_are_kept(f, capsys):
    def most(f, n):
        zg.gradient(f, 1.0, 3)
        gc.collect()
        capsys.readouterr()
        before = sys.getrefcount(Token)
        zg.gradient(f, 1.0, n)
        return max(map(int, capsys.readouterr().out.split())) - before

    roots, logarithms = zg.checkpointed()(f), zg.checkpointed(2)(f)
    assert most(f, 400) >= 400
    assert most(roots, 400) <= 8 * 20
    assert most(roots, 1600) <= 8 * 40
    assert most(logarithms, 400) <= 13 * 9  # iterations that keep little are not divided further
    assert most(logarithms, 1600) <= 13 * 11


# What a loop does beside.


def drawn(x, rng, n):
    for _ in range(n):
        x = x + 0.1 * rng.normal() * x
    return x


def drawn_from_global_ones(x, n):
    for _ in range(n):
        x = x + 0.1 * np.random.randn() * x + 0.01 * random.random() * x  # noqa: NPY002
    return x


@pytest.mark.parametrize("made", [np.random.default_rng, np.random.RandomState])
@pytest.mark.parametrize("segments", [None, 2])
def test_random_numbers_are_the_same_again(made, segments):
    given, plain = made(3), made(3)
    found = zg.gradient(zg.checkpointed(segments)(drawn), 1.0, given, 9)[0]
    assert found == pytest.approx(drawn(1.0, plain, 9), rel=1e-14)  # it is linear
    assert given.normal() == plain.normal()


def test_global_random_numbers_are_the_same_again():
    def seeded(call):
        np.random.seed(1)  # noqa: NPY002
        random.seed(1)
        found = call()
        return found, np.random.rand(), random.random()  # noqa: NPY002

    found = seeded(lambda: zg.gradient(zg.checkpointed()(drawn_from_global_ones), 1.0, 9)[0])
    assert found == pytest.approx(seeded(lambda: drawn_from_global_ones(1.0, 9)), rel=1e-14)


def logged(x, n, log):
    for i in range(n):
        log.append(i)
        x = x * 1.1 * len(log)
    return x


def test_what_is_given_is_changed_once():
    log = []
    assert zg.gradient(zg.checkpointed()(logged), 1.0, 5, log)[0] == pytest.approx(1.1**5 * 120)
    assert log == [0, 1, 2, 3, 4]


def test_back_may_be_called_again():
    u = X.copy()
    _, back = zg.pullback(zg.checkpointed()(arguments_that_are_written), u, 11)
    _, plain = zg.pullback(arguments_that_are_written, X.copy(), 11)
    u[:] = 100.0
    assert_same(back(1.0), plain(1.0))
    assert_same(back(1.0), plain(1.0))
    assert_same(back(2.0), plain(2.0))


def test_an_array_that_is_walked_and_written():
    def f(x, u):
        for i, v in enumerate(u):
            x = x * v
            if i + 1 < len(u):
                u[i + 1] = x
        return x

    u = np.array([1.5, 2.0, 3.0, 0.5, 0.7])
    expected = zg.gradient(f, 1.1, u.copy())
    assert_same(zg.gradient(zg.checkpointed()(f), 1.1, u.copy()), expected)


def raising(x, n):
    for i in range(n):
        x = x * 1.1
        if i == 4:
            raise ValueError("four")
    return x


raises_in_parts = zg.checkpointed()(raising)


def test_exceptions_leave_the_loop():
    def caught(x, n):
        try:
            return raises_in_parts(x, n)
        except ValueError:
            return x * 3.0

    with pytest.raises(ValueError, match="four"):
        zg.gradient(raises_in_parts, 1.0, 9)
    assert zg.gradient(caught, 1.0, 9) == (3.0, None)
    assert zg.gradient(caught, 1.0, 3)[0] == pytest.approx(1.1**3)


class Model:
    def __init__(self, rate):
        self.rate = rate
        self.seen = []

    @zg.checkpointed()
    def run(self, x, n):
        """Some steps."""
        for _ in range(n):
            x = x * self.rate
            self.seen.append(x)
        return x + self.seen[1]


def test_methods():
    model = Model(1.1)
    x_bar, model_bar = zg.gradient(lambda x, model: model.run(x, 5), 2.0, model)
    assert x_bar == pytest.approx(1.1**5 + 1.1**2)
    assert model_bar.rate == pytest.approx(2.0 * (5 * 1.1**4 + 2 * 1.1))
    assert len(model.seen) == 5
    assert Model.run.__doc__ == "Some steps."


def test_a_checkpointed_function_is_the_function():
    assert pickle.loads(pickle.dumps(integrated)) is integrated
    assert inspect.signature(integrated) == inspect.signature(lambda x, rhs, n: None)
    assert inspect.getsource(integrated).startswith("@zg.checkpointed()\ndef integrated")
    assert raises_in_parts is not raising
    assert raises_in_parts(2.0, 3) == raising(2.0, 3)


PARAMS = np.array([1.0, 2.0])


@zg.checkpointed()
def by_global(n):
    total = 0.0
    for i in range(n):
        total = total + np.sum(np.sin(PARAMS * i))
    return total


def test_implicit_parameters():
    grads = zg.gradient(lambda: by_global(5), zg.Params([PARAMS]))
    np.testing.assert_allclose(grads[PARAMS], sum(np.cos(PARAMS * i) * i for i in range(5)))


def test_levels_of_nesting(capsys):
    @zg.checkpointed()
    def told(x, n):
        for _ in range(n):
            print(zg.nestlevel(), end="")
            x = x * 1.1
        return x

    zg.gradient(told, 1.0, 2)
    zg.gradient(lambda x: zg.gradient(told, x, 2)[0] * x, 1.0)
    assert capsys.readouterr().out == "1111" + "2222"


def test_the_hessian():
    @zg.checkpointed()
    def f(x, n):
        for _ in range(n):
            x = x + 0.1 * np.sin(x) * x[::-1]
        return np.sum(x * x)

    def plain(x, n):
        for _ in range(n):
            x = x + 0.1 * np.sin(x) * x[::-1]
        return np.sum(x * x)

    np.testing.assert_allclose(zg.hessian(lambda x: f(x, 6), X), zg.hessian(lambda x: plain(x, 6), X))


def test_third_derivatives():
    @zg.checkpointed()
    def power(x, n):
        y = 1.0
        for _ in range(n):
            y = y * x
        return y

    third = zg.derivative(zg.derivative(zg.derivative(lambda x: power(x, 5))))
    assert third(1.5) == pytest.approx(60 * 1.5**2)


def test_the_text():
    text = zg.show_adjoint(zg.checkpointed()(one_iteration), 0.5, 9)
    assert (
        """
    while not first >= count:
        last = stretch_end(gauge, first, count)
        x, one_iteration_loop_stash = one_iteration_loop_forward(gauge, first, last, x)
        tape.append(one_iteration_loop_stash)
        first = last
"""
        in text
    )
    assert (
        """
def one_iteration_loop_adjoint(stash, y_bar):
    level, before, gauge_1, start, stop, x = stash
    now = come_back(before)
    _, again = one_iteration_loop_run_forward(gauge_1, start, stop, x)
    go_on(now)
    return one_iteration_loop_run_adjoint(again, y_bar)
"""
        in text
    )
    assert "def one_iteration_loop_run_adjoint(" in text


# What is refused.

COUNTER = {"n": 0}
NUMBERS = np.random.default_rng(0)
DRAW = NUMBERS.normal
QUEUE = collections.deque([1.0] * 100)
TAKE = QUEUE.popleft
COUNT = itertools.count()


def counting(x, n):
    for _ in range(n):
        COUNTER["n"] += 1
        x = x * COUNTER["n"]
    return x


def drawing(x, n):
    for _ in range(n):
        x = x * NUMBERS.normal()
    return x


def drawing_by_a_method(x, n):
    for _ in range(n):
        x = x * DRAW()
    return x


def taking(x, n):
    for _ in range(n):
        x = x * TAKE()
    return x


def counting_further(x, n):
    for _ in range(n):
        x = x * (1 + next(COUNT))
    return x


def helped(x):
    COUNTER["n"] += 1
    return x * COUNTER["n"]


def by_a_helper(x, n):
    for _ in range(n):
        x = helped(x)
    return x


def by_a_closure(x, n):
    count = 0

    def counted():
        nonlocal count
        count += 1
        return count

    for _ in range(n):
        x = x * counted()
    return x


def in_a_try(x, n):
    try:
        for _ in range(n):
            x = x * 1.1
    except ValueError:
        x = 0.0
    return x


def rebinding_a_global(x, n):
    global TOTAL
    for _ in range(n):
        TOTAL = x
        x = x * 1.1
    return x


def rebinding_a_captured_variable(x, n):
    fs = []
    for i in range(n):
        fs.append(lambda u: u * i)  # noqa: B023
        x = fs[-1](x)
    return x


def over_a_generator(x, n):
    for i in (k + 1.0 for k in range(n)):
        x = x * i
    return x


def over_a_dict(x, n):
    for i in {1.0: 2, 3.0: 4}:
        x = x * i
    return x


def over_a_list_that_grows(x, n):
    values = [1.0, 2.0]
    for value in values:
        x = x * value
        if len(values) < n:
            values.append(value)
    return x


def over_a_list_whose_items_change(x, n):
    values = [1.0, 2.0, 3.0, 4.0]
    for i, value in enumerate(values):
        x = x * value
        values[(i + 1) % 4] = 2.0
    return x


def perhaps_unbound(x, n):
    for i in range(n):
        if i > 2:
            y = x * i
    return y


def over_a_strict_zip(x, n):
    for a, b in zip([1.0, 2.0], [1.0, 2.0], strict=True):
        x = x * a * b
    return x


@pytest.mark.parametrize(
    ("f", "message"),
    [
        (counting, "global or captured variables has changed"),
        (drawing, "global or captured variables has changed"),
        (drawing_by_a_method, "global or captured variables has changed"),
        (taking, "global or captured variables has changed"),
        (counting_further, "a count in a global or captured variable"),
        (by_a_helper, "global or captured variables has changed"),
        (by_a_closure, "global or captured variables has changed"),
        (in_a_try, "stands in a `try`"),
        (rebinding_a_global, "rebinds a global variable"),
        (rebinding_a_captured_variable, "uses 'i', which functions share and rebind"),
        (over_a_generator, "walks over a Generator"),
        (over_a_dict, "walks over a dict"),
        (over_a_list_that_grows, "changes the list that it walks over"),
        (over_a_list_whose_items_change, "changes the list that it walks over"),
        (perhaps_unbound, "'y' may have no value"),
        (over_a_strict_zip, "strict or empty `zip`"),
    ],
)
def test_refusals(f, message):
    with pytest.raises(zg.UnsupportedSyntaxError, match=message) as caught:
        zg.gradient(zg.checkpointed()(f), 1.0, 9)
    assert caught.value.place.filename == __file__
    assert caught.value.instead


@pytest.mark.parametrize(
    ("items", "message"),
    [((k for k in range(9)), "cannot be copied"), (iter([1.0, 2.0, 3.0, 4.0]), "is given a list_iterator")],
)
def test_iterators_in_the_state_are_refused(items, message):
    def f(x, items, n):
        for _ in range(n):
            x = x * next(items)
        return x

    with pytest.raises(zg.UnsupportedSyntaxError, match=message):
        zg.gradient(zg.checkpointed()(f), 1.0, items, 4)


def test_a_generator_function_is_refused():
    @zg.checkpointed()
    def items(x, n):
        for i in range(n):
            yield x * i

    with pytest.raises(zg.UnsupportedSyntaxError, match="generator function"):
        zg.gradient(lambda x: sum(items(x, 3)), 1.0)


@pytest.mark.parametrize("segments", [0, 1, 2.0, "2"])
def test_the_number_of_segments(segments):
    with pytest.raises(ValueError, match="two segments or more"):
        zg.checkpointed(segments)


def test_only_functions_are_decorated():
    with pytest.raises(TypeError, match="functions written in Python"):
        zg.checkpointed()(print)


def test_decorates_a_function_at_once():
    @zg.checkpointed
    def power(x, n):
        r = 1.0
        for _ in range(n):
            r = r * x
        return r

    assert zg.gradient(power, 2.0, 9)[0] == 9 * 2.0**8


def test_a_function_that_is_decorated_in_differentiated_code():
    """It carries what the given function has captured; one code object stands for all that are made there."""
    codes = set()

    def program_of(x, steps):
        rate = x * 0.1

        @zg.checkpointed(segments=2)
        def run(state):
            for _ in range(steps):
                state = state + rate * np.sin(state)
            return state

        codes.add(id(run.__code__))
        return run(x)

    def plain(x):
        state = x
        for _ in range(9):
            state = state + x * 0.1 * np.sin(state)
        return float(state)

    expected = slope(lambda t: plain(0.7 + t), 0.02).value
    for _ in range(2):
        assert zg.gradient(program_of, 0.7, 9)[0] == pytest.approx(expected, rel=1e-8)
    assert len(codes) == 1
