"""Second derivatives of array code: what is left out and turned round does not change what they are."""

import math

import numpy as np
import pytest

import zygpy as zg
from zygpy.gradients_pushed import gradient_push
from zygpy.ir.nodes import quote, quote_expression
from zygpy.runtime.derivatives import power_base
from zygpy.tangent.shapes import Shapes

RANGE = [0.0, -0.0, 1.5, -2.0, 1e30, np.inf, -np.inf, np.nan]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_slope_of_square_beside_infinities(dtype):
    g, x = (np.array(values, dtype).ravel() for values in np.meshgrid(RANGE, RANGE))
    with np.errstate(all="ignore"):
        expected = np.where((g == 0) | (x == 0), 0, g * (2 * x))
        for given in (g, np.stack([g, g]), g[::2]):
            own = x[::2] if given.size < g.size else x
            right = expected[::2] if given.size < g.size else expected
            found = power_base(given, own, 2)
            assert found.dtype == dtype
            np.testing.assert_array_equal(found, np.broadcast_to(right, found.shape))


@pytest.mark.filterwarnings("error")
def test_slope_of_square_of_finite_numbers_warns_of_nothing():
    with np.errstate(all="raise"):
        for g in (np.array([0.0, 3.0]), np.array([[0.0, np.inf], [1.0, 2.0]]), 0.0, np.inf, 2.0):
            assert not np.isnan(power_base(g, np.array([0.0, 2.0]), 2)).any()


def test_value_alone_is_not_computed():
    def loss(x):
        a = x[1:] - x[:-1] ** 2
        return np.sum(100.0 * a**2 + (1.0 - x[:-1]) ** 2)

    push = gradient_push(loss, (np.ones(4),))
    text = push.tangent.text.source
    assert "100.0" not in text  # as the factor is 200 in the derivative
    assert "a ** 2" not in text


def test_what_may_fail_is_still_computed():
    def loss(x):
        return np.sum(3.0 * x**2 + 0.0 * (x + np.ones(5)))

    with pytest.raises(ValueError, match="broadcast"):
        zg.hvp(loss, np.ones(3), np.ones(3))
    with pytest.raises(ValueError, match="broadcast"):
        zg.hessian(loss, np.ones(3))


OTHER, THREE, ZERO = np.ones(2), np.ones(3), 0.0


@pytest.mark.parametrize(
    ("f", "good", "bad"),
    [
        (lambda x: np.sum(x * THREE), np.ones(3), np.ones(4)),
        (lambda x: np.sum(x**2 + THREE * 2.0), np.ones(3), np.ones(4)),
        (lambda x: np.sum(x[1:] + x[:-1] ** 2) + np.sum(x[1:] * x[2:]), np.ones(2), np.ones(4)),
        (lambda x: np.sum(x[::2] * x[1::2]), np.ones(4), np.ones(5)),
        (lambda x: x @ THREE, np.ones(3), np.ones(4)),
        (lambda x: math.log(x[0]), np.ones(2), -np.ones(2)),
        (lambda x: math.sqrt(np.sum(x)), np.ones(2), -np.ones(2)),
        (lambda x: math.exp(np.sum(x)), np.ones(2), np.full(2, 1e6)),
        (lambda x: float(x[0]) ** 2 / float(x[1]), np.ones(2), np.array([1.0, 0.0])),
        (lambda x: float(x[0]) ** 3, np.ones(2), np.full(2, 1e200)),
        (lambda x: np.sum(np.broadcast_to(x, (3,))), np.ones(3), np.ones(4)),
        (lambda x: np.sum(x.reshape(2, -1)), np.ones(4), np.ones(3)),
        (lambda x: x[2], np.ones(3), np.ones(2)),
    ],
)
def test_what_the_returned_expression_raises(f, good, bad):
    """Nobody asks for the value where second derivatives are computed, but for the exceptions."""
    zg.hvp(f, good, good), zg.hvp(f, good, good), zg.hessian(f, good)
    with np.errstate(all="ignore"):
        with pytest.raises(Exception) as expected:  # noqa: PT011  (whatever it is)
            f(bad)
        for call in (lambda: zg.hvp(f, bad, bad), lambda: zg.hessian(f, bad), lambda: zg.gradient(f, bad)):
            for _ in range(2):
                with pytest.raises(type(expected.value)):
                    call()


def test_a_module_of_the_users_is_not_numpy(monkeypatch):
    class Other:
        @staticmethod
        def sum(x):
            if len(x) > 3:
                raise KeyError("too long")
            return x[0]

    monkeypatch.setitem(globals(), "np", Other)
    f = lambda x: np.sum(x * x)  # noqa: E731
    for _ in range(2):
        assert zg.hvp(f, THREE, THREE).tolist() == [2.0, 0.0, 0.0]
    with pytest.raises(KeyError):
        zg.hvp(f, OTHER.repeat(2), OTHER.repeat(2))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("100.0 * c ** 2 + a[1:]", True),
        ("a[2:-1] * c[1:-1] - a[3:]", True),
        ("a[:-3] + a[3:] + a[1:-2] + c[:-2] * c[2:]", True),
        ("a[::2] * a[::2]", True),
        ("np.sum(np.tanh(a * a)) * s + s * 2.0", True),
        ("(a * a).sum() - np.mean(m[1:] ** 3)", True),
        ("a @ a + c @ a[1:]", True),
        ("a / s / 2.0 / a", True),
        ("s / 2.0", True),
        ("np.where(a > 0.0, a, 0.0) + np.maximum(a, a * a) - np.minimum(s, a)", True),
        ("np.where(a > b, a, 0.0)", False),
        ("np.where(a > 0.0, b, 0.0)", False),
        ("np.maximum(a, b)", False),
        ("np.where(a)", False),
        ("a < a < a", False),
        ("s / 0.0", False),
        ("1.0 / s", False),
        ("s ** 2", False),
        ("a + b", False),
        ("c + a", False),
        ("a[1:] + a[:1]", False),
        ("a[:2] + a[1:]", False),
        ("a[-1:] + a[1:]", False),
        ("a[::2] + a[1::2]", False),
        ("a[::0]", False),
        ("a[n:]", False),
        ("a[0]", False),
        ("a[1:].sum(0)", False),
        ("m @ a", False),
        ("m[:, 1:]", False),
        ("m + m[:-1]", False),
        ("t + t", False),  # it is bound twice
        ("np.sum(a, 0)", False),
        ("np.sum(a, axis=0)", False),
        ("np.log(a)", False),
        ("npp.sin(a)", False),
        ("f(a)", False),
        ("u + a", False),
        ("True * a", False),
        (f"{10**30} * a", False),
    ],
)
def test_shapes_that_are_known(text, expected):
    lines = "c = a[1:] - a[:-1] ** 2; t = 2.0 * a; t = 3.0 * a"
    function = quote("def f(a, b, m, s, n, u):\n    $body", body=quote(lines + "; return c"))[0]
    ranks = {"a": 1, "b": 1, "c": 1, "t": 1, "m": 2}
    shapes = Shapes(function, ranks, frozenset({"s"}), frozenset({"np"}))
    assert (shapes.of(quote_expression(text)) is not None) is expected


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sum((1.0 - x) ** 2 - (2.0 - x[::-1]) ** 3),
        lambda x: np.sum(-((-x) ** 2) * x - (3.0 - x) ** 2 / (1.0 + x**2)),
        lambda x: np.sum(np.exp(-(x**2)) - np.tanh(-x) ** 2),
        lambda x: np.sum(-((x[1:] - x[:-1]) ** 4) / 3.0) - np.sum(x) ** 2,
    ],
)
def test_signs(f):
    x, v = np.array([0.3, -1.2, 0.0, 2.0]), np.array([1.0, -0.5, 2.0, 0.25])
    expected = zg.hessian_reverse(f, x)
    steps = np.eye(4) * 1e-5
    near = np.stack([(zg.gradient(f, x + h)[0] - zg.gradient(f, x - h)[0]) / 2e-5 for h in steps])
    np.testing.assert_allclose(expected, near, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(zg.hessian(f, x), expected, rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(zg.hvp(f, x, v), expected @ v, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("x", [np.float32([0.0, 1.0, 2.0]), np.array([0, 1, 2]), np.zeros(0), np.array(2.0)])
def test_forms_of_arguments(x):
    def f(x):
        return np.sum(50.0 * (1.0 - x) ** 2 - (2.0 - x) ** 2)

    found = zg.hvp(f, x, np.ones(x.shape, x.dtype))
    assert found.dtype == (np.float32 if x.dtype == np.float32 else np.float64)
    np.testing.assert_allclose(found, np.full(x.shape, 98.0), rtol=1e-6)


def test_infinite_slope_beside_zero():
    """`sqrt(x) ** 2` at 0: the derivative of a square at 0 is 0, whatever meets it."""
    with np.errstate(all="ignore"):
        push = zg.pushforward(lambda x: np.sqrt(x) ** 2, np.array([0.0, 4.0]))
        np.testing.assert_array_equal(push(np.ones(2)), [0.0, 1.0])


LARGE = np.array([0.0, -0.0, 1.0, -3.0, 1e200, 5e-324, np.inf, -np.inf, np.nan])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "g", [0.0, -0.0, 1.0, -2.5, 1e-320, 1e308, -1.7e308, np.inf, -np.inf, np.nan, np.float64(1e308)]
)
def test_slope_of_square_by_a_number(g):
    with np.errstate(all="ignore"):
        product = 2.0 * np.longdouble(g) * LARGE.astype(np.longdouble)
        expected = np.where((LARGE == 0) | (g == 0), 0.0, product).astype(float)
        np.testing.assert_allclose(power_base(g, LARGE, 2), expected, rtol=1e-15)
        np.testing.assert_allclose(power_base(np.float64(g), LARGE, 2), expected, rtol=1e-15)


@pytest.mark.filterwarnings("error")
def test_products_beside_infinities():
    """Where nothing is finite the result is that of the code with guards, and nothing is said."""

    def f(x):
        return np.sum((x[1:] - x[:-1] ** 2) ** 2 + 3.0 * x[1:])

    zg.hvp(f, np.ones(4), np.ones(4))
    for x, v in (
        (np.zeros(4), np.array([np.inf, 0.0, 1.0, 2.0])),
        (np.array([0.0, 1.0, 0.0, 1e300]), np.array([1.0, 1e308, 0.0, 1.0])),
        (np.array([0.0, np.inf, 0.0, 1.0]), np.ones(4)),
    ):
        with np.errstate(all="ignore"):
            expected = gradient_push(f, (x,)).run((v,))[1][0]
            found = zg.hvp(f, x, v)
        np.testing.assert_array_equal(found, expected)
    with np.errstate(all="ignore"):
        assert zg.hvp(lambda x: np.sum(x**2), np.zeros(2), np.array([np.inf, 1.0])).tolist() == [np.inf, 2.0]


def test_code_without_guards_is_written_where_a_nan_is_not_lost():
    def unguarded(f):
        return gradient_push(f, (np.ones(4),)).tangent.unguarded

    assert unguarded(lambda x: np.sum((x[1:] - x[:-1] ** 2) ** 2)) is not None
    assert unguarded(lambda x: np.sum(x * x)) is None  # there is no guard
    assert unguarded(lambda x: np.sum(np.maximum((x**2) ** 2, 1.0))) is not None
    assert unguarded(lambda x: np.sum(np.exp(-(x**2)) * x)) is None
    assert unguarded(lambda x: np.sum(np.sqrt(x**2 + 1.0))) is None


def test_directions_are_not_handed_back():
    x, v = np.ones(3), np.arange(3.0)
    for f in (lambda x: np.sum(x * x) / 2.0, lambda x: x @ x / 2.0, lambda x: np.sum(x[::-1] * x)):
        for _ in range(3):
            found = zg.hvp(f, x, v)
            assert not np.may_share_memory(found, v)
            found[...] = 7.0
    assert v.tolist() == [0.0, 1.0, 2.0]


def test_what_the_returned_expression_does_besides(capsys):
    def factor():
        print("asked")
        return 2.0

    f = lambda x: np.sum(x * x) * factor() + len(f"{print('done')}")  # noqa: E731
    for _ in range(2):
        zg.hvp(f, np.ones(3), np.ones(3))
        assert capsys.readouterr().out == "asked\ndone\n"


def unread_by_parts(x):
    unread, total = np.zeros(len(x)), 0.0
    unread[1:] += x[:-1] * 2.0
    for i in range(2):
        if x[i] > 0.0:
            unread[i] = x[i] ** 2
        total = total + x[i] * x[i + 1]
    unread[:-1] -= x[1:]
    return np.sum(x**3) + total


def test_arrays_that_nobody_reads():
    x, v = np.sin(1.0 + np.arange(5.0)), np.cos(np.arange(5.0))
    expected = zg.hessian_reverse(unread_by_parts, x)
    for _ in range(2):
        np.testing.assert_allclose(zg.hvp(unread_by_parts, x, v), expected @ v, rtol=1e-12)
        np.testing.assert_allclose(zg.hessian(unread_by_parts, x), expected, rtol=1e-12)
