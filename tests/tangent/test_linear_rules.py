"""Rules that count as linear in forward mode, which calls the function again with tangents: it has to give
zero for zero, and the sum for sums. And the tangents of SciPy's functions beside their cotangents."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.integrate as si
import scipy.signal as ss
import scipy.sparse as sp
import scipy.sparse.linalg as sl

import zygpy as zg
from tests.rules import array_calls, reference, signal_calls, special_calls, window_calls
from tests.rules.array_calls import Call, array
from tests.rules.calls import call
from tests.rules.test_arrays import again, bound, converted, differentiated, given, label
from tests.tangent.test_rules import compare, places
from zygpy import rules
from zygpy.rules import declare
from zygpy.rules.declare import Rule
from zygpy.runtime import (
    accumulate,
    array_writes,
    complexes,
    joining,
    linear_algebra,
    memory,
    numbers,
    sequences,
    sparse_entries,
    sparse_products,
    sparse_solutions,
)
from zygpy.solvers import sparse_steps
from zygpy.tangent.texts import linear_in
from zygpy.testing import trees

rules.load()

OF_SCIPY: tuple[Call, ...] = (*signal_calls.CALLS, *window_calls.CALLS, *special_calls.CALLS)
X, Y, MASK = array(3), array(3, start=20), np.array([True, False, True])
FORM = np.array([0, 2, 1]), np.array([0, 1, 2, 3])
FACTORS = sl.splu(sp.csc_array((X, *FORM), (3, 3)))
HELPERS: tuple[Call, ...] = (
    call(sum, [1.5, 2.0, -0.5], 2.0),
    call(math.fsum, [1.5, 2.0, -0.5]),
    call(complexes.per_complex_log, 1.5 + 2j, 2.0),
    call(complexes.turned, 1.5, 0.5 + 1j),
    call(numbers.part, (1.5, 2.0), 1),
    call(numbers.placed, 1.5, 1, 3),
    call(sequences.each_added, 1.5, [2.0, 3.0]),
    call(sequences.each_times, 1.5, [2.0, 3.0]),
    call(sequences.seeded, 1.5, 3),
    call(sequences.scan, [1.5, 2.0, 3.0], [0.5, 2.5]),
    call(array_writes.written_cotangent, X, (3,), X.dtype, X.dtype),
    call(array_writes.written_tangent, X, (3,), X.dtype, X.dtype),
    call(array_writes.chosen, X, MASK),
    call(sparse_entries.to_places, array(4), np.ones((2, 2)), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])),
    call(array_writes.chosen_transpose, X[:2], MASK, (3,)),
    call(accumulate.accumulate, X, Y),
    call(accumulate.snapshot, X),
    call(accumulate.stacked, [1.5, 2.0], (2,)),
    call(accumulate.as_array, [1.5, 2.0]),
    call(accumulate.listed, X),
    call(accumulate.real_parts, [1.5, 2.0], (True, True)),
    call(memory.summed, X, np.array([0, 1, 0]), 2),
    call(linear_algebra.in_floats, X),
    call(joining.stack, [X, Y], 0),
    call(joining.concatenate, [X, Y], 0),
    call(joining.vstack, [X, Y]),
    call(joining.hstack, [X, Y]),
    call(joining.column_stack, [X, Y]),
    call(joining.dstack, [X, Y]),
    call(sparse_products.product, X, *FORM, (3, 3), "csr", Y),
    call(sparse_products.spread, X, *FORM, (3, 3), "csr"),
    call(sparse_products.solved, X, *FORM, (3, 3), "csr", Y),
    call(sparse_steps.corrected, sl.cg, sl.aslinearoperator(2.0 * np.eye(3)), Y, {}),
    call(sparse_solutions.by_factors, FACTORS, X, (*FORM, (3, 3), "csc"), Y, "N"),
    call(sparse_entries.scattered, X, np.array([2, 0, 1]), (3,)),
)

CALLS: tuple[Call, ...] = (*array_calls.CALLS, *OF_SCIPY, *HELPERS)

NOT_CALLED = frozenset(
    [
        # of cotangents in containers, which have no value where nothing came
        *(
            "opaque",
            "carried",
            "of_constant",
            "nodes",  # of trees of points
            "weights",  # of polynomials through samples
            "planes",  # of convex hulls
            "beside",
            "placed_inside",
            "extreme_cotangent",
            "extreme_entry",
            "with_entry",
            "key_of",
            "with_key",
            "add_key",
        ),
        *("without_key", "drop_key", "put_between", "carried_parts", "gathered_parts", "entries_of", "part"),
        *("behind_callee", "in_form", "inner", "scaled", "containers_now", "apart", "field"),
        # of functions and objects
        *("read_method", "read_attribute", "captured", "kept", "kept_deeply", "kept_as_bound", "make_back"),
        # of buffers
        *("cycled", "cycled_transpose", "stored_part", "stored_part_transpose"),
        # of sparse arrays and their solutions
        *("as_stored", "inside", "known_inside", "by_approximation", "bordered", "by_known_factors"),
        *("data_of", "moving"),
        # of choices, of which the shares alone have a cotangent
        *("shares_only", "weight_moved"),
        # refused
        "einsum_third",
    ]
)
"""Rules that count as linear and are not called here."""


def ways_of(rule: Rule, names: list[str]) -> list[tuple[str, ...]]:
    """The sets of these parameters whose tangents are those of a call with tangents in their places."""
    known = [name for name in names if name not in rule.dots]
    ways = [way for count in (1, 2) for way in itertools.combinations(known, count)]
    return [way for way in ways if rule.style == "whole" and linear_in(rule, way) in ("each", "together")]


def with_tangents(entry: Call, way: tuple[str, ...], dots: dict[str, Any]) -> list[Any]:
    """What the tangent code computes of these tangents: the call with one or all of them in place of their
    arguments; together with zeros for whatever else has a cotangent."""
    rule, values = declare.REGISTRY[entry[0]], bound(entry)
    if linear_in(rule, way) == "together":
        names = [name for name in rule.bars if name in given(entry)]
        zeros = {name: converted(values[name], zero) for name in names if name not in way}
        return [again(entry, {**values, **zeros, **{name: dots[name] for name in way}})]
    return [again(entry, {**values, name: dots[name]}) for name in way]


def zero(leaf: Any) -> Any:
    return like(leaf, leaf * 0.0) if trees.is_numeric(leaf) else leaf


def like(leaf: Any, value: Any) -> Any:
    """A number as an array, or a scalar of NumPy's, where the leaf is one."""
    array = np.asarray(value)
    return array if isinstance(leaf, np.ndarray) else array[()] if isinstance(leaf, np.generic) else value


def added(results: list[Any]) -> list[Any]:
    """The sums of the numbers in several results."""
    numbers = [[np.asarray(leaf) for _, leaf in trees.leaves(trees_of(one))] for one in results]
    return [np.sum(parts, axis=0) for parts in zip(*numbers, strict=True)]


def trees_of(result: Any) -> Any:
    return tuple(result) if isinstance(result, tuple) else result


LINEAR = [
    entry for entry in CALLS if ways_of(declare.REGISTRY[entry[0]], list(declare.REGISTRY[entry[0]].bars))
]


def check(entry: Call) -> int:
    """Zero for zero, and sums for sums, in every way that counts as linear; their number."""
    rule, values = declare.REGISTRY[entry[0]], bound(entry)
    names = [name for name in rule.bars if name in given(entry) and trees.holds_numbers(values[name])]
    ways, random = ways_of(rule, names), np.random.default_rng(3)
    for way in ways:
        zeros = {name: converted(values[name], zero) for name in way}
        for total in added(with_tangents(entry, way, zeros)):
            np.testing.assert_array_equal(total, np.zeros(total.shape), err_msg=f"{label(entry)} {way}")
        one, other = [
            {name: converted(values[name], lambda leaf: random_of(random, leaf)) for name in way}
            for _ in range(2)
        ]
        both = {name: plus(one[name], other[name]) for name in way}
        parts = added([*with_tangents(entry, way, one), *with_tangents(entry, way, other)])
        for total, expected in zip(added(with_tangents(entry, way, both)), parts, strict=True):
            np.testing.assert_allclose(total, expected, rtol=1e-9, atol=1e-9, err_msg=f"{label(entry)} {way}")
    return len(ways)


def random_of(random: np.random.Generator, leaf: Any) -> Any:
    return like(leaf, reference.random_like(random, leaf)) if trees.is_numeric(leaf) else leaf


def plus(one: Any, other: Any) -> Any:
    if isinstance(one, tuple | list):
        return type(one)([plus(a, b) for a, b in zip(one, other, strict=True)])
    return like(one, one + other) if trees.is_numeric(one) else one


def test_what_counts_as_linear_is() -> None:
    assert sum(check(entry) for entry in LINEAR) > 2000


def test_every_rule_that_counts_as_linear_is_called() -> None:
    called = {id(declare.REGISTRY[entry[0]]) for entry in LINEAR}
    others = {
        rule.function.__name__
        for rule in declare.REGISTRY.values()
        if rule.style == "whole" and ways_of(rule, list(rule.bars)) and id(rule) not in called
        if not str(getattr(rule.function, "__module__", "")).startswith("tests.")
    }
    others.discard("separate")  # which gives its argument, and has a rule where the solvers are loaded
    assert sorted(others ^ NOT_CALLED) == []


def test_a_rule_that_gives_the_value_for_zero_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the slopes of a line were those through zero."""

    def line(x: Any) -> Any:
        return 2.0 * x + 1.0

    declare.rule(line, "y = line(x)", x_bar="2.0 * y_bar")
    try:
        with pytest.raises(AssertionError):
            check(call(line, X))
    finally:
        del declare.REGISTRY[line]


WITHOUT = frozenset(["weighted"])
"""Functions that have no tangent in some of the ways in which they are called here."""


@pytest.mark.parametrize(
    "function", list(dict.fromkeys(entry[0] for entry in OF_SCIPY)), ids=lambda f: f.__name__
)
@pytest.mark.filterwarnings("ignore")
def test_tangents_agree_with_cotangents(function: Callable[..., Any]) -> None:
    for _, args, keywords in [entry for entry in OF_SCIPY if entry[0] is function]:
        rule = declare.REGISTRY[function]
        moving = places(rule, list(args), keywords, differentiated((function, args, keywords)))
        ways = [moving, *([place] for place in moving if len(moving) > 1)]
        known = [compare(function, list(args), keywords, way) for way in ways]
        assert all(known) or function.__name__ in WITHOUT


SAMPLES = array(9)

PROGRAMS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "smoothed": (lambda x: ss.savgol_filter(x, 5, 2), SAMPLES),
    "slopes": (lambda x: ss.savgol_filter(x, 5, 2, deriv=1, delta=0.5), SAMPLES),
    "slopes by spacing": (lambda d: ss.savgol_filter(SAMPLES, 5, 2, 1, d), 0.5),
    "second slopes by spacing": (lambda d: ss.savgol_filter(d * SAMPLES, 5, 3, deriv=2, delta=d), 0.5),
    "Simpson": (lambda x: np.array([si.simpson(x * x, dx=0.5), si.simpson(x, x=np.cumsum(x**2))]), SAMPLES),
    "running Simpson": (lambda x: si.cumulative_simpson(x, dx=0.5, initial=0), SAMPLES),
    "trapezoids": (lambda x: si.cumulative_trapezoid(x, np.cumsum(x**2), initial=0), SAMPLES),
    "states": (lambda x: ss.lfilter([0.3, 0.5], [1.0, -0.4], x, zi=x[:1])[1], SAMPLES),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_tangents_of_programs_agree_with_differences(name: str) -> None:
    program, x = PROGRAMS[name]
    v = np.cos(np.arange(9.0)) if isinstance(x, np.ndarray) else 0.7
    expected = reference.directional(lambda t: program(x + t * v))
    np.testing.assert_allclose(zg.pushforward(program, x)(v), expected, rtol=1e-7, atol=1e-8)
