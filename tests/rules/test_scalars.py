"""Rules of functions of Python numbers and sequences of them, and the coverage of whole modules."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from fractions import Fraction
from types import MethodType
from typing import Any

import numpy as np
import pytest

from tests.rules import reference
from zygpy.errors import ZygpyError
from zygpy.rules.declare import LIBRARIES, Rule, find
from zygpy.rules.texts import mentioned, texts
from zygpy.runtime import helpers
from zygpy.runtime.instances import method_of

RULES = reference.load_all_rules()


def rule_of(function: Callable[..., Any]) -> Rule:
    rule = find(function)
    assert rule is not None, function
    return rule


# Each row: function, operands by parameter, and which of them are differentiated.
SEQUENCES: list[tuple[Any, dict[str, Any], tuple[str, ...]]] = [
    (divmod, {"a": 7.3, "b": 2.0}, ("a", "b")),
    (np.divmod, {"x1": np.array([7.3, 8.1]), "x2": 2.0}, ("x1", "x2")),
    (sum, {"iterable": [1.0, 2.5, 3.0], "start": 0.5}, ("iterable", "start")),
    (sum, {"iterable": (1.0, np.array([2.0, 3.0]))}, ("iterable",)),
    (sum, {"iterable": np.arange(6.0).reshape(3, 2)}, ("iterable",)),
    (max, {"args": (1.0, 3.0, 2.0)}, ("args",)),
    (max, {"args": ([1.0, 3.0, 2.0],)}, ("args",)),
    (max, {"args": (np.array([1.0, 3.0, 2.0]),)}, ("args",)),
    (min, {"args": (1.0, 3.0, 2.0)}, ("args",)),
    (min, {"args": (1.0, -3.0, 2.0), "key": abs}, ("args",)),
    (min, {"args": ((1.0, 3.0, 0.5),)}, ("args",)),
    (math.frexp, {"x": 5.3}, ("x",)),
    (math.modf, {"x": -5.3}, ("x",)),
    (np.frexp, {"x": np.array([5.3, -0.3])}, ("x",)),
    (np.modf, {"x": np.array([5.3, -0.3])}, ("x",)),
    (math.hypot, {"coordinates": (3.0, -4.0, 1.0)}, ("coordinates",)),
    (math.hypot, {"coordinates": (-3.0,)}, ("coordinates",)),
    (math.dist, {"p": [1.0, 2.0], "q": (0.5, -1.0)}, ("p", "q")),
    (math.fsum, {"seq": [1.0, 2.0, 0.5]}, ("seq",)),
    (math.prod, {"iterable": [2.0, -3.0, 0.5], "start": 1.5}, ("iterable", "start")),
    (math.prod, {"iterable": (2.0, 0.0, 0.5)}, ("iterable",)),
    (math.prod, {"iterable": np.array([2.0, 0.0, 0.0])}, ("iterable",)),
    (math.prod, {"iterable": []}, ("iterable",)),
    (helpers.part, {"bars": (1.0, 2.0), "index": 1}, ("bars",)),
    (helpers.each_added, {"g": np.array([1.0, 2.0]), "items": [1.0, np.ones(2)]}, ("g",)),
    (helpers.total, {"parts": [1.0, 2.0, -3.0]}, ("parts",)),
    (helpers.each_times, {"factor": 2.0, "items": (1.0, -3.0)}, ("factor", "items")),
    (helpers.mirrored, {"values": [1.0, 2.0], "items": (0, 0)}, ("values",)),
    (helpers.pairwise, {"a": [1.0, 2.0], "b": (3.0, 4.0)}, ("a", "b")),
    (helpers.sum_of_products, {"a": [1.0, 2.0], "b": (3.0, 4.0)}, ("a", "b")),
    (helpers.differences, {"p": [1.0, 2.0], "q": (3.0, 4.0)}, ("p", "q")),
    (helpers.flipped, {"items": (1.0, 2.0, 3.0)}, ("items",)),
    (helpers.scan, {"inputs": [1.0, 2.0, 3.0], "factors": (0.5, -2.0)}, ("inputs", "factors")),
    (helpers.extreme_cotangent, {"g": 1.5, "chosen": 3.0, "args": (1.0, 3.0)}, ("g",)),
    (helpers.extreme_entry, {"bars": ([1.5, 2.0],), "chosen": 3.0, "args": ([1.0, 3.0],)}, ("bars",)),
]
if hasattr(math, "sumprod"):
    SEQUENCES.append((math.sumprod, {"p": [1.0, 2.0], "q": (3.0, -4.0)}, ("p", "q")))


@pytest.mark.parametrize(("function", "values", "wrt"), SEQUENCES)
def test_sequence_rules_agree_with_differences(
    function: Callable[..., Any], values: dict[str, Any], wrt: tuple[str, ...]
) -> None:
    generator = np.random.default_rng(7)
    reference.check(reference.Case(rule_of(function), values, wrt), generator)


def bars(function: Callable[..., Any], y_bar: Any, **values: Any) -> dict[str, Any]:
    """All contributions of a rule to the given operands."""
    rule = rule_of(function)
    y = reference.call(rule, values)
    return {
        name: reference.contribution(rule, name, values, y, y_bar) for name in rule.bars if name in values
    }


@pytest.mark.parametrize("function", [max, min])
def test_the_first_wins_a_tie_of_max_and_min(function: Callable[..., Any]) -> None:
    assert bars(function, 1.0, args=(2.0, 2.0)) == {"args": (1.0, 0.0)}
    assert bars(function, 1.0, args=([2.0, 2.0],)) == {"args": ([1.0, 0.0],)}
    assert bars(function, 1.0, args=(2, 2.0)) == {"args": (1.0, 0.0)}


def test_max_of_nan_goes_where_python_found_it() -> None:
    assert bars(max, 1.0, args=(math.nan, 2.0)) == {"args": (1.0, 0.0)}
    assert bars(max, 1.0, args=(np.array([math.nan, 2.0]),))["args"][0].tolist() == [1.0, 0.0]


def test_max_of_pairs_gives_the_whole_cotangent_to_the_chosen_pair() -> None:
    pairs = [(1.0, "a"), (3.0, "b")]
    assert bars(max, (1.0, None), args=(pairs,)) == {"args": ([None, (1.0, None)],)}


def test_max_of_what_cannot_be_read_again_says_so() -> None:
    with pytest.raises(ZygpyError, match="Make it a list"):
        bars(max, 1.0, args=({1.0, 2.0},))


def test_exact_numbers_stay_exact() -> None:
    third, half = Fraction(1, 3), Fraction(1, 2)
    one = Fraction(1)
    assert bars(operator.mul, one, a=third, b=half) == {"a": half, "b": third}
    assert bars(operator.truediv, one, a=third, b=half) == {"a": 2, "b": Fraction(-4, 3)}
    assert bars(operator.pow, one, a=Fraction(1, 4), b=2)["a"] == half
    assert bars(operator.mod, one, a=Fraction(7, 2), b=third) == {"a": 1, "b": -10}
    assert bars(abs, one, x=-third) == {"x": -1}
    assert bars(math.prod, one, iterable=[third, half])["iterable"] == [half, third]
    found = [bars(operator.pow, one, a=third, b=-2)["a"], bars(abs, one, x=-third)["x"]]
    assert [type(value) for value in found] == [Fraction, Fraction]


def test_pow_with_a_modulus_has_zero_derivatives() -> None:
    assert bars(pow, 1.0, base=3, exp=10**18, mod=7) == {"base": 0.0, "exp": 0.0}


@pytest.mark.parametrize(
    ("function", "values", "expected"),
    [
        (math.sqrt, {"x": 0.0}, {"x": math.inf}),
        (math.cbrt, {"x": 0.0}, {"x": math.inf}),
        (math.asin, {"x": 1.0}, {"x": math.inf}),
        (math.asin, {"x": -1.0}, {"x": math.inf}),
        (math.acos, {"x": 1.0}, {"x": -math.inf}),
        (math.acosh, {"x": 1.0}, {"x": math.inf}),
        (math.fabs, {"x": 0.0}, {"x": 0.0}),
        (abs, {"x": 0.0}, {"x": 0.0}),
        (abs, {"x": -2}, {"x": -1.0}),
        (math.hypot, {"coordinates": (0.0, 0.0)}, {"coordinates": (0.0, 0.0)}),
        (math.dist, {"p": [1.0], "q": [1.0]}, {"p": [0.0], "q": [0.0]}),
        (math.atan2, {"a": 0.0, "b": 0.0}, {"a": 0.0, "b": 0.0}),
        (math.copysign, {"a": 0.0, "b": -1.0}, {"a": 0.0, "b": 0.0}),
        (math.copysign, {"a": -3.0, "b": 1.0}, {"a": -1.0, "b": 0.0}),
        (math.pow, {"a": 0.0, "b": 0.0}, {"a": 0.0, "b": 0.0}),
        (math.pow, {"a": 0.0, "b": 0.5}, {"a": math.inf, "b": 0.0}),
        (math.pow, {"a": -2.0, "b": 3.0}, {"a": 12.0, "b": -8 * math.log(2)}),
        (operator.pow, {"a": 0, "b": 0}, {"a": 0.0, "b": 0.0}),
        (operator.pow, {"a": 0.0, "b": 1}, {"a": 1.0, "b": 0.0}),
        (operator.pow, {"a": 2, "b": -1}, {"a": -0.25, "b": math.log(2) / 2}),
        (operator.pow, {"a": 1e-150, "b": -2}, {"a": -math.inf, "b": 1e300 * math.log(1e-150)}),
        (math.ldexp, {"x": 1e-300, "i": 1100}, {"x": math.inf}),
        (math.fmod, {"a": 5.0, "b": math.inf}, {"a": 1.0, "b": 0.0}),
        (math.log, {"x": 8.0}, {"x": 0.125}),
    ],
)
def test_values_at_special_points(
    function: Callable[..., Any], values: dict[str, Any], expected: dict[str, Any]
) -> None:
    found = bars(function, 1.0, **values)
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert np.asarray(found[name]) == pytest.approx(np.asarray(value), rel=1e-14)


@pytest.mark.parametrize(
    ("function", "values"),
    [
        (math.sqrt, {"x": 0.0}),
        (math.cbrt, {"x": 0.0}),
        (math.asin, {"x": 1.0}),
        (math.acos, {"x": -1.0}),
        (math.acosh, {"x": 1.0}),
        (operator.pow, {"a": 0.0, "b": 0.5}),
        (math.pow, {"a": 0.0, "b": 0.5}),
    ],
)
def test_a_zero_seed_stays_zero_where_the_derivative_is_infinite(
    function: Callable[..., Any], values: dict[str, Any]
) -> None:
    assert set(bars(function, 0.0, **values).values()) == {0.0}


@pytest.mark.parametrize(
    ("function", "values"),
    [
        (operator.pow, {"a": 0.0, "b": 2}),
        (math.pow, {"a": 0.0, "b": 3.0}),
        (abs, {"x": 0.0}),
        (np.square, {"x": np.array([0.0])}),
        (np.power, {"x1": np.array([0.0]), "x2": 2}),
        (np.absolute, {"x": np.float64(0.0)}),
    ],
)
def test_an_exactly_zero_derivative_beats_an_infinite_seed(
    function: Callable[..., Any], values: dict[str, Any]
) -> None:
    name = next(iter(values))
    assert bars(function, math.inf, **values)[name] == 0.0


# Coverage.


def test_every_function_of_math_has_a_rule() -> None:
    public = [function for name, function in vars(math).items() if callable(function) and name[0] != "_"]
    assert [function for function in public if find(function) is None] == []


def test_operators_have_rules() -> None:
    left_to_the_engine = {
        "attrgetter", "call", "concat", "delitem", "getitem", "iconcat", "imatmul", "itemgetter", "matmul",
        "methodcaller", "setitem",
    }  # fmt: skip
    missing = {name for name in operator.__all__ if find(getattr(operator, name)) is None}
    assert missing <= left_to_the_engine


def test_builtins_have_rules() -> None:
    functions = (
        abs, pow, round, float, int, complex, bool, divmod, len, range, isinstance, type, id, hash, str, repr,
        print, format, sum, min, max,
    )  # fmt: skip
    assert [function for function in functions if find(function) is None] == []


def test_every_ufunc_has_a_rule_or_belongs_to_linear_algebra() -> None:
    ufuncs = [function for function in vars(np).values() if isinstance(function, np.ufunc)]
    products = {"matmul", "matvec", "vecmat", "vecdot"}
    missing = {function.__name__ for function in ufuncs if find(function) is None}
    assert missing <= products


# Texts.

DIFFERENTIABLE = [
    rule
    for rule in RULES
    if any(text.strip() for text in rule.bars.values()) and not reference.is_of_another_distribution(rule)
]


@pytest.mark.parametrize("rule", DIFFERENTIABLE, ids=reference.name_of)
def test_texts_mention_only_what_they_may(rule: Rule) -> None:
    parsed = texts(rule)
    written = {f"{rule.writes}_bar"} if rule.writes else set()
    allowed = {*parsed.names(), "y", "y_bar", *written, *reference.namespace()}
    assert rule.bars.keys() <= set(parsed.names())
    for tree in parsed.bars.values():
        assert mentioned(tree) <= allowed


@pytest.mark.parametrize("rule", DIFFERENTIABLE, ids=reference.name_of)
def test_functions_in_contributions_have_rules(rule: Rule) -> None:
    for tree in texts(rule).bars.values():
        called = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
        for function in called:
            value = eval(ast.unparse(function), reference.namespace())
            if isinstance(value, MethodType):
                value = method_of(value.__self__, value.__name__)
            if ast.unparse(function) not in reference.MEASUREMENTS:
                assert find(value) is not None or is_program(value), ast.unparse(function)


def is_program(function: Any) -> bool:
    """Whether a second derivative enters a function's source: one of a library of zygpy's own."""
    own = [name for name, module in LIBRARIES.items() if module.__name__.startswith("zygpy.")]
    return any(vars(LIBRARIES[name]).get(function.__name__) is function for name in own)


def test_helpers_are_exported_in_order_and_exist() -> None:
    assert list(helpers.__all__) == sorted(set(helpers.__all__))
    assert all(callable(getattr(helpers, name)) for name in helpers.__all__)
