"""Gradients with respect to arrays that functions read wherever they are."""

import sys

import numpy as np
import pytest

import zygpy as zg
from zygpy.units import options


@pytest.fixture(autouse=True, params=[True, False][: 2 if sys.version_info < (3, 12) else 1])
def ways(request):
    with options(specialise=request.param):
        yield


W = np.array([[1.0, 2.0], [3.0, 4.0]])
b = np.array([0.5, 0.25])
unused = np.ones(3)
table = {"scale": np.array([3.0, 1.0])}
layers = [np.array([0.1, 0.2]), np.array([-0.3, 0.7])]


class Model:
    def __init__(self):
        self.w = np.array([1.0, 2.0])

    def __call__(self, x):
        return np.sum(np.tanh(self.w * x) * table["scale"])


model = Model()
X = np.array([1.0, -1.0])


def loss():
    hidden = np.tanh(W @ X + b)
    for layer in layers:
        hidden = hidden * layer + hidden
    return np.sum(hidden**2) + model(X) + np.sum(b)


def slopes(function, array):
    """Central differences in each entry of an array, which is changed in place and put back."""
    found = np.zeros(array.shape)
    for index in np.ndindex(array.shape):
        before = array[index]
        values = []
        for step in (2e-4, 1e-4, -1e-4, -2e-4):
            array[index] = before + step
            values.append(function())
        array[index] = before
        found[index] = (-values[0] + 8 * values[1] - 8 * values[2] + values[3]) / 12e-4
    return found


PARAMETERS = [W, b, model.w, table["scale"], *layers]


def test_parameters_in_globals_attributes_dicts_and_lists():
    grads = zg.gradient(loss, zg.Params([*PARAMETERS, unused]))
    assert grads[unused] is None
    for array in PARAMETERS:
        np.testing.assert_allclose(grads[array], slopes(loss, array), rtol=1e-8, atol=1e-9)


def test_value_and_gradient():
    found = zg.withgradient(loss, zg.Params([b]))
    assert found.val == loss()
    np.testing.assert_allclose(found.grad[b], slopes(loss, b), rtol=1e-8)
    auxiliary = zg.withgradient(lambda: (np.sum(b * b), "more"), zg.Params([b]))
    assert auxiliary.val[1] == "more"
    assert auxiliary.grad[b].tolist() == (2.0 * b).tolist()


def test_parameters_that_are_captured():
    def made():
        w = np.array([2.0, 3.0])
        return w, lambda: np.sum(w**3)

    w, f = made()
    assert zg.gradient(f, zg.Params([w]))[w].tolist() == [12.0, 27.0]
    assert zg.gradient(lambda: f() * 2.0, zg.Params([w]))[w].tolist() == [24.0, 54.0]


def test_back_may_be_called_again():
    y, back = zg.pullback(lambda: W @ b, zg.Params([W, b]))
    np.testing.assert_allclose(y, W @ b)
    for seed in (np.array([1.0, 0.0]), np.array([0.0, 2.0]), np.array([1.0, 0.0])):
        grads = back(seed)
        np.testing.assert_allclose(grads[b], W.T @ seed)
        np.testing.assert_allclose(grads[W], np.outer(seed, b))
    assert back(None)[W] is None


def test_parameters_are_those_of_the_call():
    w = np.array([2.0, 3.0])
    _, back = zg.pullback(lambda: np.sum(w**3), zg.Params([w]))
    w[:] = 0.0
    assert back(1.0)[w].tolist() == [12.0, 27.0]


def test_the_function_may_write_to_a_parameter():
    w = np.array([2.0, 3.0])

    def f():
        total = np.sum(w**2)
        w[0] = w[1] * 10.0
        return total + np.sum(w)

    assert zg.gradient(f, zg.Params([w]))[w].tolist() == [4.0, 6.0 + 11.0]
    assert w.tolist() == [30.0, 3.0]


def test_parameters_that_lie_in_one_memory():
    base = np.arange(1.0, 5.0)
    front, back = base[:2], base[1:]
    grads = zg.gradient(lambda: np.sum(base**2), zg.Params([base, front, back]))
    assert grads[base].tolist() == [2.0, 4.0, 6.0, 8.0]
    assert grads[front].tolist() == [2.0, 4.0]
    assert grads[back].tolist() == [4.0, 6.0, 8.0]
    grads[front][:] = 0.0
    assert grads[base].tolist() == [2.0, 4.0, 6.0, 8.0]


def test_single_precision_and_integers():
    single, whole = np.ones(2, np.float32), np.array([1, 2])
    grads = zg.gradient(lambda: np.sum(single * whole), zg.Params([single, whole]))
    assert grads[single].dtype == np.float32
    assert (grads[whole].dtype, grads[whole].tolist()) == (np.float64, [1.0, 1.0])


def test_a_gradient_inside():
    def f():
        return np.sum(zg.gradient(lambda x: np.sum(x**2 * b), X)[0])

    assert zg.gradient(f, zg.Params([b]))[b].tolist() == (2.0 * X).tolist()


def test_a_gradient_around():
    def f(x):
        return zg.gradient(lambda: np.sum(b * x**2), zg.Params([b]))[b][0] * x

    assert zg.gradient(f, 2.0) == (12.0,)


def test_not_scalar():
    with pytest.raises(zg.NotScalarError):
        zg.gradient(lambda: b * 2.0, zg.Params([b]))


# Params.


def test_an_ordered_set_by_identity():
    one, two = np.ones(2), np.ones(2)
    params = zg.Params([one, two, one])
    assert len(params) == 2
    assert one in params
    assert one.copy() not in params
    assert [array is other for array, other in zip(params, (one, two), strict=True)] == [True, True]
    params.discard(one)
    assert [array is two for array in params] == [True]
    params.add(one)
    assert [array is other for array, other in zip(params, (two, one), strict=True)] == [True, True]
    params.remove(two)
    with pytest.raises(KeyError):
        params.remove(two)


def test_set_operations():
    one, two, three = np.ones(1), np.ones(1), np.ones(1)
    first, second = zg.Params([one, two]), zg.Params([two, three])
    assert first | second == zg.Params([one, two, three])
    assert first & second == zg.Params([two])
    assert first - second == zg.Params([one])
    assert isinstance(first | second, zg.Params)
    first |= second
    assert len(first) == 3
    assert zg.Params([one]) != zg.Params([two])


def test_what_is_no_parameter():
    with pytest.raises(TypeError, match="float"):
        zg.Params([1.0])
    with pytest.raises(TypeError, match="object"):
        zg.Params([np.array([1.0, 2.0], dtype=object)])


def test_parameters_as_a_vector():
    one, two = np.array([[1.0, 2.0]]), np.array([3.0])
    params = zg.Params([one, two])
    assert params.copy().tolist() == [1.0, 2.0, 3.0]
    params.copy([4.0, 5.0, 6.0])
    assert (one.tolist(), two.tolist()) == ([[4.0, 5.0]], [6.0])
    with pytest.raises(ValueError, match="vector"):
        params.copy([1.0])


# Grads.


def grads_of(one, two):
    return zg.gradient(lambda: np.sum(one**2), zg.Params([one, two]))


def test_algebra():
    one, two = np.array([1.0, 2.0]), np.array([3.0])
    grads = grads_of(one, two)
    assert (grads + grads)[one].tolist() == [4.0, 8.0]
    assert (grads - grads)[one].tolist() == [0.0, 0.0]
    assert (2 * grads)[one].tolist() == (grads * 2.0)[one].tolist() == [4.0, 8.0]
    assert (grads / 2)[one].tolist() == [1.0, 2.0]
    assert (-grads)[one].tolist() == [-2.0, -4.0]
    assert (2 * grads)[two] is None
    assert (grads * grads)[one].tolist() == [4.0, 16.0]
    assert (np.float64(2.0) * grads)[one].tolist() == [4.0, 8.0]
    assert (grads + 1)[one].tolist() == (1 + grads)[one].tolist() == [3.0, 5.0]
    assert (grads - 1)[one].tolist() == (-(1 - grads))[one].tolist() == [1.0, 3.0]
    assert (8 / (grads + 2))[one].tolist() == [2.0, 8 / 6]
    assert (grads**2)[one].tolist() == [4.0, 16.0]
    assert (grads + 1)[two].tolist() == [1.0]
    assert grads.map(lambda grad: grad if grad is None else grad + 1.0)[one].tolist() == [3.0, 5.0]


def test_gradients_of_other_parameters():
    one, two = np.ones(1), np.ones(1)
    with pytest.raises(ValueError, match="different parameters"):
        grads_of(one, two) + grads_of(two, one)
    with pytest.raises(TypeError):
        grads_of(one, two) + "text"
    with pytest.raises(KeyError):
        grads_of(one, two)[np.ones(1)]


def test_a_mapping_in_order():
    one, two = np.ones(1), np.ones(1)
    grads = grads_of(one, two)
    assert [array is other for array, other in zip(grads, (one, two), strict=True)] == [True, True]
    assert one in grads
    assert 1.0 not in grads
    assert len(grads) == 2
    assert [grad is None for grad in grads.values()] == [False, True]
    assert grads == grads_of(one, two)


def test_gradients_as_a_vector():
    one, two = np.array([1.0, 2.0]), np.array([3.0])
    grads = grads_of(one, two)
    assert grads.copy().tolist() == [2.0, 4.0, 0.0]
    assert grads.copy([1.0, 2.0, 3.0])[two].tolist() == [3.0]


def test_a_step_of_descent():
    w = np.array([1.0, 2.0])
    params = zg.Params([w])
    for _ in range(3):
        grads = zg.gradient(lambda: np.sum(w**2), params)
        for array in params:
            array -= 0.25 * grads[array]
    np.testing.assert_allclose(w, [0.125, 0.25])


def test_jacobians_by_implicit_parameters():
    weights, b, unused = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([0.5, -0.5]), np.ones(2)
    x = np.array([2.0, -1.0])
    params = zg.Params([weights, b, unused])
    val, grads = zg.withjacobian(lambda: np.tanh(weights @ x + b), params)
    slope = np.diag(1 - np.tanh(weights @ x + b) ** 2)
    np.testing.assert_allclose(val, np.tanh(weights @ x + b))
    np.testing.assert_allclose(grads[weights], np.einsum("ij,k->ijk", slope, x))
    np.testing.assert_allclose(grads[b], slope)
    assert not grads[unused].any()
    np.testing.assert_allclose(zg.jacobian(lambda: weights[0] * 3.0, params)[weights][:, 0], 3 * np.eye(2))
    assert zg.jacobian(lambda: b[0] * b[1], params)[b].tolist() == [-0.5, 0.5]


# ---------------------------------------------------- gradients by implicit parameters inside others


def energy():
    return np.sum(np.tanh(W @ b) ** 2) * table["scale"][0]


def penalty():
    grads = zg.gradient(energy, zg.Params([b, unused]))
    assert grads[unused] is None
    return np.sum(grads[b] ** 2)


def penalty_with_value():
    val, grads = zg.withgradient(energy, zg.Params([b, table["scale"]]))
    return val * np.sum(grads[b] * b) + np.sum(grads[table["scale"]])


def penalty_of_algebra():
    grads = zg.gradient(energy, zg.Params([W[0], b]))
    return np.sum((2.0 * grads)[b] ** 3)


def penalty_through_a_pullback_by_arguments():
    _, back = zg.pullback(lambda w: np.sum(zg.gradient(energy, zg.Params([b]))[b] * w), b * 2.0)
    return np.sum(back(1.0)[0] * W[0])


@pytest.mark.parametrize(
    "function",
    [penalty, penalty_with_value, penalty_of_algebra, penalty_through_a_pullback_by_arguments],
    ids=lambda function: function.__name__,
)
def test_by_parameters_in_by_parameters(function):
    params = zg.Params([W, b, table["scale"], unused])
    grads = zg.gradient(function, params)
    for array in (W, b, table["scale"]):
        found = np.zeros(array.shape) if grads[array] is None else grads[array]
        np.testing.assert_allclose(found, slopes(function, array), rtol=1e-7, atol=1e-9)
    assert grads[unused] is None


def test_by_parameters_in_by_arguments():
    def of_scale(s):
        return np.sum(zg.gradient(lambda: s * energy(), zg.Params([b]))[b] ** 2)

    assert zg.gradient(of_scale, 2.0)[0] == pytest.approx(4.0 * penalty())


def test_what_is_captured_is_an_argument_outside():
    def of_weights(w):
        return np.sum(zg.gradient(lambda: np.sum(np.sin(w * b)), zg.Params([b]))[b])

    w = np.array([1.0, 2.0])
    expected = np.cos(w * b) - w * b * np.sin(w * b)
    np.testing.assert_allclose(zg.gradient(of_weights, w)[0], expected, rtol=1e-12)


PARAMS = zg.Params([b, W])


def scaled_energy(s):
    return s * s * energy()


def test_pullbacks_by_parameters_in_by_arguments():
    def inner(s):
        y, back = zg.pullback(lambda: scaled_energy(s), PARAMS)
        assert back(1.0)[b].tolist() == back(1.0)[b].tolist()  # it can be called again
        return np.sum(back(s)[b] ** 2) + np.sum(back(1.0)[W]) + y

    step = 1e-5
    expected = (inner(2.0 + step) - inner(2.0 - step)) / (2 * step)
    assert zg.gradient(inner, 2.0)[0] == pytest.approx(expected, rel=1e-7)


def penalty_by_a_pullback():
    y, back = zg.pullback(energy, zg.Params([b, unused]))
    assert back(1.0)[unused] is None
    return np.sum(back(W[0, 1])[b] ** 2) * y


def penalty_by_a_jacobian():
    return np.sum(zg.jacobian(lambda: np.tanh(W @ b), PARAMS)[b] ** 2)


def penalty_by_a_gradient():
    return np.sum(zg.gradient(lambda: scaled_energy(1.5), PARAMS)[b] ** 2)


@pytest.mark.parametrize(
    "function",
    [penalty_by_a_pullback, penalty_by_a_jacobian, penalty_by_a_gradient],
    ids=lambda function: function.__name__,
)
def test_pullbacks_and_jacobians_in_by_parameters(function):
    grads = zg.gradient(function, zg.Params([W, b]))
    for array in (W, b):
        np.testing.assert_allclose(grads[array], slopes(function, array), rtol=1e-7, atol=1e-9)


def test_parameters_and_arguments_at_once_are_refused_inside():
    with pytest.raises(zg.UnsupportedSyntaxError, match="called without arguments"):
        zg.gradient(lambda s: zg.gradient(lambda t: t * s, PARAMS, 2.0)[b], 2.0)


def test_parameters_that_are_globals_of_a_function_found_by_name():
    def by_name(s):
        return np.sum(zg.gradient(lambda: scaled_energy(s), PARAMS)[b])

    expected = 2 * 2.0 * np.sum(zg.gradient(energy, PARAMS)[b])
    assert zg.gradient(by_name, 2.0)[0] == pytest.approx(expected)
    assert zg.pushforward(by_name, 2.0)(1.0) == pytest.approx(expected)


def handled(x):
    try:
        yield x * X
    finally:
        table["left"] = True
    yield x * 2


def test_generators_with_handlers_run_to_their_end():
    for took in (1, 3):

        def taking(took=took):
            items = handled(W)
            return sum(np.sum(next(items)) for _ in range(min(took, 2))) + sum(np.sum(item) for item in items)

        assert np.allclose(zg.gradient(taking, zg.Params([W]))[W], [[3, 1], [3, 1]])
        assert table.pop("left")


def test_second_derivatives_by_parameters_are_refused_and_flat_copies_keep_their_numbers() -> None:
    w, z = np.ones(2, np.float32), np.array(1.0 + 2.0j)
    params = zg.Params([w, z])
    grads = zg.gradient(lambda: np.sum(w**2) + abs(z) ** 2, params)
    copied = grads.copy(grads.copy())
    assert (copied[w].dtype, copied[z].dtype) == (np.float32, np.complex128)
    params.copy(params.copy())
    for find in (zg.hessian, zg.hessian_reverse, zg.diaghessian, zg.pushforward):
        with pytest.raises(zg.UnsupportedSyntaxError, match="implicit parameters"):
            find(lambda: np.sum(w**2), params)


def test_what_is_no_parameter_has_no_gradient_by_implicit_parameters() -> None:
    array = np.ones(2)
    grads = zg.gradient(lambda: np.sum(array**2), zg.Params([array]))
    for ask in (lambda: grads[array.copy()], lambda: grads[0]):
        with pytest.raises(KeyError, match="not one of the parameters"):
            ask()
    with pytest.raises(
        zg.ZygpyError, match=r"(?s)not one of the parameters.*`derivative`.*gradient\(f, Params"
    ):
        zg.derivative(lambda: np.sum(array**2))(zg.Params([array]))
    assert grads.get(0) is None and 0 not in grads
