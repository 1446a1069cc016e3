"""Calls of NumPy functions, each a few to a program, with their axis and keepdims arguments."""

import numpy as np

from tests.corpus.registry import program

V = np.array([0.5, 0.3, 0.8])
W = np.array([1.5, -2.0, 0.7])
M = np.array([[0.2, -0.4, 0.9], [1.1, 0.6, -0.3]])
S = np.array([[3.0, 0.5, -0.2], [0.1, 2.0, 0.4], [0.3, -0.6, 4.0]])
T = np.arange(24.0).reshape(2, 3, 4) / 10 - 1.05


@program((V,), tags="analytic")
def exponentials(v):
    return np.exp(v) + np.log(v) * 2 + np.expm1(v) + np.log1p(v) * np.exp2(v) + np.log2(v) - np.log10(v)


@program((V,), tags="analytic")
def trigonometry(v):
    return np.sin(v) * np.cos(v) + np.tan(v) + np.arcsin(v) - np.arccos(v) * np.arctan(v)


@program((V,), tags="analytic")
def hyperbolics(v):
    return np.sinh(v) / np.cosh(v) + np.tanh(v) * np.arcsinh(v) + np.arctanh(v) - np.arccosh(v + 1)


@program((W * 1.1, V))
def two_argument_functions(a, b):
    return np.arctan2(a, b) + np.hypot(a, b) * np.logaddexp(a, b) + np.power(b, a) - np.fmod(a, b)


@program((W,))
def absolute_values(v):
    return np.abs(v) * 2 + np.sign(v) * v**2 + np.sqrt(np.square(v) + 1) + np.cbrt(v) + np.fabs(v) ** 3


@program((W,))
def sums_of_signs(v):
    return np.sign(v * 2).sum() * v.sum() + np.sum(np.abs(v))


@program((W, V))
def extrema(a, b):
    return np.maximum(a, b) * 2 + np.minimum(a, 0.5) ** 2 + np.clip(a, -1, b)


@program((W,))
def where(v):
    return np.where(v > 0, np.sqrt(np.abs(v)), v**2) * np.where(np.array([True, False, True]), v, 3.0)


@program((np.array([4.0, 0.0, -1.0]),), tags="order1-only")
def where_with_an_invalid_arm(v):
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(v > 1, np.sqrt(v), 0.0).sum() + np.where(v > 1, np.log(v), v).sum()


@program((T,))
def sums_and_means(t):
    a = np.mean(t, axis=1, keepdims=True) * t
    return np.sum(t, axis=(0, 2)), a, np.sum(t, where=T > 0), np.average(t)


@program((T + 2,))
def products_and_extrema(t):
    return np.prod(t, axis=1), np.max(t, axis=(1, 2)), np.min(t, axis=0, keepdims=True), np.ptp(t[0])


@program((T,))
def variances(t):
    return np.var(t, axis=0), np.std(t, axis=2, ddof=1), np.var(t, ddof=1, keepdims=True)


@program((M, V, S))
def dots(m, v, s):
    return np.dot(m, v), np.dot(v, v), np.matmul(m, s), np.inner(m, v), np.outer(v, m[0]), np.vdot(v, v)


@program((T, M))
def tensordots(t, m):
    return np.tensordot(t, m, axes=([1], [1])), np.tensordot(t, t, axes=2) if t.shape[0] == 3 else t[0, 0, 0]


@program((M, S, T))
def einsums(m, s, t):
    a = np.einsum("ij,jk->ik", m, s)
    b = np.einsum("ii", s) * np.einsum("ij->j", m)
    return a, b, np.einsum("abc,db->adc", t, s), np.einsum("i,j", m[0], m[1])


@program((T,))
def shapes(t):
    a = np.reshape(t, (4, 6)) * 2
    b = np.transpose(t, (2, 0, 1)) ** 2
    c = np.squeeze(t[:, :1]) + np.expand_dims(t[0, 0], 0)
    return a, b, c, np.ravel(t)[1:4], np.moveaxis(t, 0, -1), np.swapaxes(t, 1, 2)


@program((V, W))
def joins(v, w):
    a = np.concatenate([v, w * 2, v[:1]])
    b = np.stack([v, w], axis=1)
    return a * a, b, np.vstack((v, w)) @ w, np.hstack((v, w))[2:4], np.column_stack((v, w)), np.append(v, w)


@program((T,))
def splits(t):
    a, b = np.split(t, 2, axis=2)
    c, d, e = np.array_split(t[0, 0], 3)
    return a * b, c[0] * d * e, np.hsplit(t[0], 2)[1]


@program((M, V))
def repeats(m, v):
    return np.repeat(m, 2, axis=1), np.tile(v, 2) ** 2, np.repeat(v, 3), np.tile(v, (2, 1)) * m


@program((M,))
def rearrangements(m):
    return np.flip(m), np.roll(m, 1, axis=1) * m, np.fliplr(m) * 2, np.rot90(m), np.roll(m, 2)


@program((V, 2.0))
def broadcasts(v, x):
    return np.broadcast_to(v, (2, 3)) * x, np.full(3, x) * v, np.full_like(v, x) + np.atleast_2d(v)


@program((V, 2.0))
def constants(v, x):
    a = np.zeros(3) + np.ones(3) * x + np.eye(3)[1] * v + np.arange(3) * x
    return a * np.zeros_like(v) + np.ones_like(v) * v + np.linspace(0, 1, 3) * x


@program((1.5, 0.5))
def arrays_of_scalars(x, y):
    v = np.array([x, y, x * y])
    m = np.array([[x, 1.0], [2.0, y]])
    return v * v, m @ m, np.asarray(v) * 2, np.asarray([x, y])


@program((V, M))
def cumulations(v, m):
    return np.cumsum(v) * v, np.cumprod(v), np.cumsum(m, axis=0), np.cumsum(m), np.diff(v), np.diff(m, axis=0)


@program((S, V))
def linear_solves(s, v):
    return np.linalg.solve(s, v), np.linalg.inv(s) @ v, np.linalg.det(s)


@program((S, M))
def determinants_and_norms(s, m):
    sign, logdet = np.linalg.slogdet(s)
    a = np.linalg.norm(m), np.linalg.norm(m, axis=1)
    return sign * logdet, a, np.linalg.norm(m[0]), np.linalg.norm(m[0], 1)


@program((S, V))
def diagonals(s, v):
    return np.diag(s) * v, np.diag(v) @ s, np.trace(s), np.triu(s), np.tril(s, -1), np.trace(s, 1)


@program((np.array([0.3, -1.0, 2.0, 0.5]),))
def sorting(v):
    order = np.argsort(v)
    return np.sort(v) * np.arange(4.0), v[order] ** 2, v[np.argmax(v)] * 3 + v[np.argmin(v)]


@program((W * 1.1,))
def derivative_zero_functions(v):
    return np.floor(v) * v + np.ceil(v) + np.round(v) * 2 * v + np.trunc(v) + np.rint(v)


@program((W,))
def no_derivative_functions(v):
    if np.isfinite(v).all() and np.any(v > 0) and not np.allclose(v, 0):
        return v * np.count_nonzero(v) + np.shape(v)[0] + np.size(v) * v
    return v


@program((W, V))
def operators_as_ufuncs(a, b):
    c = np.add(a, b) * np.subtract(a, b) + np.multiply(a, 3) / np.divide(a, b)
    return c + np.negative(a) + np.reciprocal(a) + np.true_divide(a, 4) + np.square(b) + np.positive(a)


@program((np.float64(1.5), 2.0))
def numpy_scalars(a, x):
    return np.sin(a) * x + np.sqrt(x) * a + np.maximum(a, x) + np.exp(x)


@program((1 + 2j, V + 1j * W))
def complex_functions(c, z):
    return np.exp(z) * c, np.abs(z) + np.angle(z), np.real(z * c) + np.imag(z), np.conj(z) * c, np.sin(z)


@program((W,))
def log_sum_exp(v):
    largest = np.max(v)
    return largest + np.log(np.sum(np.exp(v - largest)))


@program((M,))
def softmax_rows(m):
    e = np.exp(m - m.max(axis=1, keepdims=True))
    return -np.log(e / e.sum(axis=1, keepdims=True))[[0, 1], [2, 0]].mean()


@program((V, W))
def take_and_select(v, w):
    slope = np.interp(0.4, [0.0, 1.0], [2.0, 3.0])
    return np.take(v, [0, 2, 0]) * w, slope * v, np.cross(v, w), np.kron(v, w)


@program((W,))
def degrees_and_sinc(v):
    return np.deg2rad(v) * np.rad2deg(v) + np.degrees(v) + np.radians(v) + np.sinc(v)


@program((M,))
def nan_functions(m):
    return np.nansum(m, axis=0) * np.nan_to_num(m)


@program((V, W))
def keyword_arguments_by_position(v, w):
    m = np.stack((v, w), 1)
    return np.sum(m, 0), np.mean(m, 1), np.concatenate((m, m), 1), np.clip(w, a_min=-1.0, a_max=1.0)


@program((1.3, 2.0))
def functions_of_nothing(a, b):
    for function in (np.sin, np.exp):
        try:
            a = a * function(None)
        except TypeError:
            a = a * b
    x = None
    try:
        if b > 50:
            x = b
        a -= np.sin(x)
    except TypeError:
        a += np.maximum(b, 0.5)
    return a * b
