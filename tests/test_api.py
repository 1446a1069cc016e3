"""What users are promised of the entry points: values, types, None against zero, errors."""

from __future__ import annotations

import collections
import inspect
import math
import pickle
import struct
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zygpy as zg

HERE = Path(__file__).name
Pair = collections.namedtuple("Pair", "first second")


class Length(float):
    """A number that is none of Python's own."""


def cube(x: Any) -> Any:
    return x**3


@zg.differentiable
def decorated(x: float, n: int = 2) -> float:
    """Documented."""
    return x**n


class TestNoneAndZero:
    @pytest.mark.parametrize(
        "function",
        [
            lambda x: 5.0,
            lambda x: len([x, x]),
            lambda x: int(x) * 2.0,
            lambda x: float(x > 1),
            lambda x: float(np.argmax([x, 3.0])),
            lambda x: float(isinstance(x, float)),
        ],
    )
    def test_no_path_gives_none(self, function: Any) -> None:
        assert zg.gradient(function, 1.5) == (None,)

    @pytest.mark.parametrize(
        "function",
        [
            lambda x: math.floor(x),
            lambda x: math.ceil(x) * 2.0,
            lambda x: round(x),
            lambda x: math.trunc(x),
            lambda x: np.floor(x),
            lambda x: x // 0.4,
            lambda x: x - x,
            lambda x: x * 0,
        ],
    )
    def test_a_path_with_derivative_zero_gives_zero(self, function: Any) -> None:
        (bar,) = zg.gradient(function, 1.7)
        assert bar == 0.0 and type(bar) is float

    def test_an_argument_that_is_not_used_gives_none(self) -> None:
        assert zg.gradient(lambda x, y, z: x * 2, 1.0, 2.0, "text") == (2.0, None, None)

    def test_integer_floor_division_gives_none(self) -> None:
        assert zg.gradient(lambda n: 2.0 * (n // 2), 5) == (None,)

    def test_integers_are_differentiated_by_arithmetic(self) -> None:
        (bar,) = zg.gradient(lambda n: n * n + 3 * n, 5)
        assert bar == 13.0 and type(bar) is float

    def test_bools_have_none(self) -> None:
        assert zg.gradient(lambda flag, x: flag * x, True, 2.0)[0] is None

    def test_derivative_gives_zero_for_numbers(self) -> None:
        assert zg.derivative(lambda x: 5.0)(1.5) == 0.0

    def test_back_of_none_is_all_none(self) -> None:
        _, back = zg.pullback(lambda x, y: x * y, 2.0, np.ones(3))
        assert back(None) == (None, None)


class TestTypes:
    @pytest.mark.parametrize(
        ("argument", "kind"),
        [
            (1.5, float),
            (2, float),
            (np.float32(1.5), np.float32),
            (np.float64(1.5), np.float64),
            (Fraction(1, 4), Fraction),
            (1.5 + 0j, complex),
        ],
    )
    def test_numbers_keep_their_type(self, argument: Any, kind: type) -> None:
        function = (lambda z: (z**3).real) if kind is complex else cube
        (bar,) = zg.gradient(function, argument)
        assert type(bar) is kind
        assert complex(bar) == pytest.approx(complex(3 * argument**2), rel=1e-6)

    def test_fractions_are_exact(self) -> None:
        assert zg.gradient(lambda x: 3 * x**2 + 2 * x + 1, Fraction(1, 4)) == (Fraction(7, 2),)

    @pytest.mark.parametrize(
        ("argument", "dtype"),
        [
            (np.array([1.0, 2.0]), np.float64),
            (np.array([1.0, 2.0], np.float32), np.float32),
            (np.array([1, 2]), np.float64),
            (np.array(2.0), np.float64),
            (np.ones((2, 0, 3)), np.float64),
        ],
    )
    def test_arrays_keep_shape_and_dtype(self, argument: Any, dtype: type) -> None:
        (bar,) = zg.gradient(lambda v: (v * v).sum(), argument)
        assert isinstance(bar, np.ndarray)
        assert bar.shape == argument.shape and bar.dtype == dtype
        np.testing.assert_allclose(bar, 2 * argument)

    def test_boolean_arrays_have_none(self) -> None:
        mask = np.array([True, False])
        assert zg.gradient(lambda m, v: (m * v).sum(), mask, np.ones(2))[0] is None

    def test_single_precision_with_double_stays_single(self) -> None:
        v, w = np.ones(2, np.float32), np.array([2.0, 3.0])
        first, second = zg.gradient(lambda a, b: (a * b).sum(), v, w)
        assert first.dtype == np.float32 and second.dtype == np.float64

    def test_a_real_argument_gets_a_real_gradient(self) -> None:
        x, z = zg.gradient(lambda x, z: (x * z).imag, 2.0, 1 + 3j)
        assert x == 3.0 and type(x) is float
        assert z == 2j

    def test_a_real_array_gets_a_real_gradient(self) -> None:
        (bar,) = zg.gradient(lambda v: (v * 1j * v).imag.sum(), np.array([1.0, 2.0]))
        assert bar.dtype == np.float64
        np.testing.assert_allclose(bar, [2.0, 4.0])


class TestContainers:
    def test_tuples(self) -> None:
        assert zg.gradient(lambda t: t[0] * t[1][0], (2.0, (3.0, "name"))) == ((3.0, (2.0, None)),)

    def test_namedtuples_keep_their_type(self) -> None:
        (bar,) = zg.gradient(lambda p: p.first**2, Pair(3.0, 5.0))
        assert type(bar) is Pair and bar.first == 6.0 and bar.second in (None, 0.0)

    def test_lists_of_numbers_have_zero_where_untouched(self) -> None:
        assert zg.gradient(lambda values: values[0] ** 2, [3.0, 5.0]) == ([6.0, 0.0],)

    def test_other_lists_have_none_where_untouched(self) -> None:
        (bar,) = zg.gradient(lambda values: values[0].sum(), [np.ones(2), np.ones(3)])
        np.testing.assert_array_equal(bar[0], np.ones(2))
        assert bar[1] is None

    def test_dicts_have_the_touched_keys(self) -> None:
        assert zg.gradient(lambda d: d["a"] ** 2, {"a": 3.0, "b": 5.0}) == ({"a": 6.0},)

    def test_one_entry_used_twice_is_added_up(self) -> None:
        assert zg.gradient(lambda d, k: d["a"] * d[k] + d["a"], {"a": 3.0}, "a") == ({"a": 7.0}, None)


class TestComplex:
    def test_gradient_of_a_real_function(self) -> None:
        (bar,) = zg.gradient(lambda z: abs(z) ** 2, 3 + 4j)
        assert bar == pytest.approx(6 + 8j)

    def test_the_wirtinger_pair_of_a_holomorphic_function(self) -> None:
        _, back = zg.pullback(lambda z: z * z, 3 + 4j)
        assert back(1)[0] == pytest.approx((6 + 8j).conjugate())
        assert back(1j)[0] == pytest.approx(1j * (6 + 8j).conjugate())

    def test_a_complex_output_is_not_a_scalar(self) -> None:
        with pytest.raises(zg.NotScalarError):
            zg.gradient(lambda z: z * z, 3 + 4j)


class TestKinks:
    @pytest.mark.parametrize(
        "function",
        [abs, lambda x: math.sqrt(x**2), lambda x: math.hypot(x, 0.0), lambda x: np.abs(x), math.fabs],
    )
    def test_zero_at_zero(self, function: Any) -> None:
        assert zg.gradient(function, 0.0) == (0.0,)

    def test_norm_at_zero(self) -> None:
        (bar,) = zg.gradient(lambda v: np.linalg.norm(v), np.zeros(3))
        np.testing.assert_array_equal(bar, np.zeros(3))

    def test_max_of_an_array_picks_the_first(self) -> None:
        (bar,) = zg.gradient(lambda v: np.max(v), np.array([1.0, 2.0, 2.0]))
        np.testing.assert_array_equal(bar, [0.0, 1.0, 0.0])

    def test_the_arm_that_where_did_not_take_does_no_harm(self) -> None:
        with np.errstate(all="ignore"):
            (bar,) = zg.gradient(lambda v: np.where(v > 0, np.sqrt(v), 0.0).sum(), np.array([4.0, 0.0, -1.0]))
        np.testing.assert_array_equal(bar, [0.25, 0.0, 0.0])

    def test_a_zero_seed_gives_zero_at_a_singular_point(self) -> None:
        _, back = zg.pullback(math.sqrt, 0.0)
        assert back(0.0) == (0.0,)


class TestPullback:
    def test_back_can_be_called_with_other_seeds(self) -> None:
        value, back = zg.pullback(cube, 2.0)
        assert value == 8.0
        assert [back(seed)[0] for seed in (1.0, 2.0, 1.0, -0.5)] == [12.0, 24.0, 12.0, -6.0]

    def test_keyword_arguments_have_no_slot(self) -> None:
        def scaled(x: float, *, scale: float = 1.0) -> float:
            return x * scale

        value, back = zg.pullback(scaled, 2.0, scale=5.0)
        assert value == 10.0 and back(1.0) == (5.0,)
        assert zg.gradient(scaled, 2.0, scale=3.0) == (3.0,)

    def test_the_point_is_that_of_the_call(self) -> None:
        v = np.array([1.0, 2.0])
        _, back = zg.pullback(lambda u: (u * u).sum(), v)
        v[:] = 100.0
        np.testing.assert_array_equal(back(1.0)[0], [2.0, 4.0])

    @pytest.mark.parametrize("function", [math.sin, np.sin, "method", "partial", "object"])
    def test_callables_of_every_sort(self, function: Any) -> None:
        import functools

        class Sine:
            def __call__(self, x: float) -> float:
                return math.sin(x)

        others = {"method": Sine().__call__, "partial": functools.partial(math.sin), "object": Sine()}
        function = others.get(function, function) if isinstance(function, str) else function
        assert zg.gradient(function, 0.5)[0] == pytest.approx(math.cos(0.5), rel=1e-15)

    def test_lambdas_on_one_line_are_told_apart(self) -> None:
        first, second = (lambda x: x * 2), (lambda x: x * 3)
        assert (zg.gradient(first, 1.0), zg.gradient(second, 1.0)) == ((2.0,), (3.0,))

    def test_redefined_helpers_are_seen(self) -> None:
        namespace = {"step": lambda x: x * 2}

        def run(x: float) -> float:
            return namespace["step"](x)

        assert zg.gradient(run, 1.0) == (2.0,)
        namespace["step"] = lambda x: x * 5
        assert zg.gradient(run, 1.0) == (5.0,)


class TestAliasing:
    def test_gradients_do_not_share_memory(self) -> None:
        a, b, c = np.ones(3), np.ones(3), np.full(3, 2.0)
        for function in (lambda x, y: (x + y).sum(), lambda x, y: (x * c + y * c).sum(), np.dot):
            first, second = zg.gradient(function, a, b)
            for one, other in [(first, second), (first, a), (first, b), (second, b), (first, c), (second, c)]:
                assert not np.shares_memory(one, other)
            assert first.flags.writeable and second.flags.writeable

    def test_results_of_two_calls_of_back_do_not_share_memory(self) -> None:
        _, back = zg.pullback(lambda v: v[:2] * 1.0, np.ones(3))
        seed = np.ones(2)
        first, second = back(seed)[0], back(seed)[0]
        assert not np.shares_memory(first, second) and not np.shares_memory(first, seed)
        first[:] = 7.0
        np.testing.assert_array_equal(back(seed)[0], second)


class TestWithgradientAndDerivative:
    def test_withgradient(self) -> None:
        result = zg.withgradient(cube, 2.0)
        assert result.val == 8.0 and result.grad == (12.0,)

    def test_auxiliary_outputs(self) -> None:
        result = zg.withgradient(lambda x: (x**2, {"x": x}, "text"), 3.0)
        assert result.val == (9.0, {"x": 3.0}, "text") and result.grad == (6.0,)

    def test_auxiliary_outputs_of_a_dict(self) -> None:
        result = zg.withgradient(lambda x: {"loss": x**2, "other": 5 * x}, 3.0)
        assert result.val == {"loss": 9.0, "other": 15.0} and result.grad == (6.0,)

    def test_derivatives_stack(self) -> None:
        third = zg.derivative(zg.derivative(zg.derivative(lambda x: x**4)))
        assert third(1.5) == pytest.approx(24 * 1.5)


class TestDifferentiable:
    def test_the_function_is_the_users(self) -> None:
        assert decorated(3.0) == 9.0 and decorated.__name__ == "decorated"
        assert decorated.__doc__ == "Documented."
        assert str(inspect.signature(decorated)) == "(x: 'float', n: 'int' = 2) -> 'float'"
        assert pickle.loads(pickle.dumps(decorated)) is decorated
        assert "return x**n" in inspect.getsource(decorated)

    def test_it_is_differentiated_like_any_other(self) -> None:
        assert zg.gradient(decorated, 3.0) == (6.0,)

    def test_unsupported_syntax_is_refused_at_decoration(self) -> None:
        with pytest.raises(zg.UnsupportedSyntaxError) as caught:

            @zg.differentiable
            async def waits(x: float) -> float:
                return x

        assert isinstance(caught.value, SyntaxError)
        assert HERE in str(caught.value)


class TestErrors:
    @pytest.mark.parametrize(
        "function", [lambda x: np.array([x, x]), lambda x: (x, x), lambda x: "text", lambda x: None]
    )
    def test_outputs_that_are_not_scalars(self, function: Any) -> None:
        with pytest.raises(zg.NotScalarError):
            zg.gradient(function, 1.5)
        with pytest.raises(zg.ZygpyError):
            zg.withgradient(lambda x: np.array([x, x]), 1.5)

    @pytest.mark.parametrize("seed", [np.ones(4), np.ones((3, 1)), np.ones((1, 3)), 1.0])
    def test_seeds_of_the_wrong_shape(self, seed: Any) -> None:
        _, back = zg.pullback(lambda v: v * 2, np.ones(3))
        with pytest.raises(zg.CotangentShapeError, match=r"\(3,\)"):
            back(seed)
        np.testing.assert_array_equal(back(np.ones(3))[0], np.full(3, 2.0))

    @pytest.mark.parametrize("seed", [(1.0,), (1.0, 1.0, 1.0), 1.0, (1.0, np.ones(3)), ("text", None)])
    def test_seeds_of_the_wrong_structure(self, seed: Any) -> None:
        _, back = zg.pullback(lambda x: (x * x, x * np.ones(2)), 3.0)
        with pytest.raises(zg.CotangentShapeError):
            back(seed)
        assert back((1.0, None)) == (6.0,) and back((None, np.ones(2))) == (2.0,)

    @pytest.mark.parametrize("value", [Length(2.0), np.ma.array([1.0, 2.0]), np.ones(2, [("a", float)])])
    def test_operands_that_no_rule_speaks_of_are_named(self, value: Any) -> None:
        with pytest.raises(zg.MissingRuleError, match=type(value).__name__):
            zg.gradient(lambda x: (x * x) if isinstance(x, float) else x[0] * 2.0, value)

    def test_a_missing_rule_names_the_callee_and_the_remedy(self) -> None:
        def packs(x: float) -> float:
            return float(struct.unpack("d", struct.pack("d", x))[0])

        with pytest.raises(zg.MissingRuleError) as caught:
            zg.gradient(packs, 1.5)
        line = packs.__code__.co_firstlineno + 1
        assert isinstance(caught.value, TypeError)
        assert "pack" in str(caught.value) and "adjoint" in str(caught.value)
        assert f"{HERE}:{line}" in str(caught.value)

    def test_a_function_without_source_is_named(self) -> None:
        namespace: dict[str, Any] = {}
        exec("def sourceless(x):\n    return x * x\n", namespace)
        with pytest.raises(zg.SourceNotFoundError, match="sourceless"):
            zg.gradient(namespace["sourceless"], 1.5)

    def test_a_callee_without_source_is_placed(self) -> None:
        namespace: dict[str, Any] = {}
        exec("def sourceless(x):\n    return x * x\n", namespace)
        sourceless = namespace["sourceless"]

        def calls(x: float) -> Any:
            return sourceless(x) + 1

        with pytest.raises(zg.SourceNotFoundError, match="sourceless") as caught:
            zg.gradient(calls, 1.5)
        assert f"{HERE}:{calls.__code__.co_firstlineno + 1}" in str(caught.value)

    def test_wrong_arguments_fail_as_in_a_plain_call(self) -> None:
        with pytest.raises(TypeError, match="argument"):
            zg.gradient(cube, 1.0, 2.0)
        with pytest.raises(TypeError, match="argument"):
            zg.pullback(lambda x, y: x, 1.0)

    @pytest.mark.parametrize(
        "error",
        [
            "UnsupportedSyntaxError",
            "MissingRuleError",
            "SourceNotFoundError",
            "NotScalarError",
            "CotangentShapeError",
            "AmbiguousRuleError",
        ],
    )
    def test_errors_have_one_root(self, error: str) -> None:
        assert issubclass(getattr(zg, error), zg.ZygpyError)


class TestCheckGradient:
    @pytest.mark.acceptance
    def test_it_passes(self) -> None:
        zg.testing.check_gradient(cube, 1.5, order=2)
        zg.testing.check_gradient(lambda v, n: np.sin(v) * n, np.array([0.5, 1.0]), 3, order=2)
        zg.testing.check_gradient(lambda p: p["w"] * p["b"][0], {"w": np.ones(2), "b": [2.0]}, order=2)
        zg.testing.check_gradient(lambda z: z**3, 1 + 2j, order=2)
        zg.testing.check_gradient(lambda v: v * v, np.ones(3, np.float32), order=2)


def test_an_argument_may_contain_itself() -> None:
    table: dict[str, Any] = {"w": 2.0}
    table["itself"] = table
    assert zg.gradient(lambda x, d: x * x * d["w"], 3.0, table) == (12.0, {"w": 9.0})


def test_untouched_numbers_of_numpy_have_gradients_of_zero():
    """As other numbers in a list have; and in the dtype of the number."""
    for number in (float, np.float32, np.float64):
        (bars,) = zg.gradient(lambda values: values[::2][0] ** 2, [number(3.0), number(2.0)])
        assert bars == [6.0, 0.0]
        assert [type(bar) for bar in bars] == [number] * 2


def test_of_those_that_are_put_in_order():
    def smallest(values):
        return sorted(zip(values, "abc", strict=True))[0][0] ** 2

    assert zg.gradient(smallest, [np.float64(3.0), np.float64(2.0), np.float64(5.0)]) == ([0.0, 4.0, 0.0],)
