"""Longer programs, as people write them, that combine what the other modules test one at a time."""

import math

import numpy as np

from tests.corpus.registry import program

V = np.array([0.5, -1.5, 2.0])
W = np.array([[0.3, -0.2, 0.5], [0.1, 0.8, -0.4]])


def helper(x):
    return shadow(x) + x


def shadow(x):
    return math.sin(x) * 2


@program(({"w": W, "b": np.array([0.1, -0.3]), "out": np.array([0.7, -1.1])}, V, 1.0))
def perceptron(p, x, target):
    hidden = np.tanh(p["w"] @ x + p["b"])
    return (p["out"] @ hidden - target) ** 2


@program((W, np.array([[1.0, 0.5, -0.2], [0.3, 0.2, 0.1], [-0.6, 0.4, 0.9]]), [1, 0, 1]))
def cross_entropy(w, data, labels):
    loss = 0.0
    for x, label in zip(data, labels):
        scores = w @ x
        shifted = scores - np.max(scores)
        loss -= shifted[label] - math.log(np.sum(np.exp(shifted)))
    return loss / len(labels)


@program((0.05, 4), (0.05, 0))
def runge_kutta(h, n):
    def slope(t, y):
        return -2 * y + math.sin(t)

    t, y = 0.0, 1.0
    for _ in range(n):
        k1 = slope(t, y)
        k2 = slope(t + h / 2, y + h / 2 * k1)
        k3 = slope(t + h / 2, y + h / 2 * k2)
        k4 = slope(t + h, y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t = t + h
    return y


@program(([(1.0, (0.0, 0.0)), (2.0, (1.0, 0.5)), (0.5, (-1.0, 2.0))],))
def pairwise_energy(bodies):
    energy = 0.0
    for i, (mass, (x, y)) in enumerate(bodies):
        for other, (u, v) in bodies[:i]:
            if (distance := math.hypot(x - u, y - v)) < 1e-9:
                continue
            energy -= mass * other / distance
    return energy


@program((np.array([4.0, 1.0, 0.5]), 8), (np.array([4.0, 1.0, 0.5]), 2))
def power_iteration(d, steps):
    m = np.diag(d) + 0.3
    v = np.ones(3)
    for _ in range(steps):
        w = m @ v
        v = w / np.sqrt((w * w).sum())
    return v @ m @ v


@program((np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]]),))
def cholesky_by_hand(a):
    n = a.shape[0]
    low = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s = s - low[i, k] * low[j, k]
            if i == j:
                low[i, i] = np.sqrt(s)
            else:
                low[i, j] = s / low[j, j]
    return np.log(np.diag(low)).sum() * 2


@program((np.array([1.0, 2.0, 0.5, 1.5]), np.array([0.5, 0.2, 0.3]), 2.0))
def tridiagonal_solve(diagonal, off, x):
    d = diagonal.copy()
    b = np.full(4, x)
    for i in range(1, 4):
        factor = off[i - 1] / d[i - 1]
        d[i] -= factor * off[i - 1]
        b[i] -= factor * b[i - 1]
    b[3] /= d[3]
    for i in range(2, -1, -1):
        b[i] = (b[i] - off[i] * b[i + 1]) / d[i]
    return b


@program((0.7,))
def kepler(eccentricity, tolerance=1e-10):
    mean = 1.2
    e = mean
    for _ in range(50):
        step = (e - eccentricity * math.sin(e) - mean) / (1 - eccentricity * math.cos(e))
        e -= step
        if abs(step) < tolerance:
            break
    else:
        raise ArithmeticError("no convergence")
    return math.sqrt(1 - eccentricity**2) * math.sin(e)


def newton_steps(label, e, eccentricity, count):
    for _ in range(count):
        step = (e - eccentricity * math.sin(e)) / (1 - eccentricity * math.cos(e))
        e -= step
    return label, e


@program((0.7,))
def kepler_in_steps(eccentricity):
    label, e = newton_steps("e", 1.2, eccentricity, 2)
    return math.sin(e) * len(label)


@program((0.05, 0.2, 1.0), (0.05, 0.2, -1.0))
def black_scholes(rate, volatility, sign):
    def normal(z):
        return 0.5 * (1 + math.erf(z / math.sqrt(2.0)))

    d1 = (math.log(100 / 95) + rate + volatility**2 / 2) / volatility
    d2 = d1 - volatility
    return sign * (100 * normal(sign * d1) - 95 * math.exp(-rate) * normal(sign * d2))


@program((["2", "x", "*", "x", "sin", "+"], 1.5), (["x", "x", "*", "x", "*"], 1.5))
def stack_machine(words, x):
    stack = []
    for word in words:
        match word:
            case "x":
                stack.append(x)
            case "+" | "*":
                a, b = stack[-1], stack[-2]
                stack = stack[:-2]
                stack.append(a + b if word == "+" else a * b)
            case "sin":
                stack = [*stack[:-1], math.sin(stack[-1])]
            case _:
                stack.append(float(word))
    return stack[0]


@program((V, 0.1))
def moving_average_with_closure(v, rate):
    state = 0.0

    def update(value):
        nonlocal state
        state = (1 - rate) * state + rate * value
        return state

    history = [update(value) for value in v]
    return sum(h**2 for h in history) + state


@program((np.array([0.2, 0.7, 0.1, 0.9]), 0.5), (np.array([0.6]), 0.5))
def early_return_with_writes(v, threshold):
    seen = np.zeros(len(v))
    for i, value in enumerate(v):
        seen[i] = value**2
        if value > threshold:
            return seen.sum() * value
    return seen.max()


@program((1.5, 4))
def list_of_tuples_built_in_a_loop(x, n):
    history = []
    a, b = x, 1.0
    for i in range(n):
        a, b = b * x, a + i
        history.append((a, [b, i]))
    return sum(first * second[0] for first, second in history) + history[1][1][0]


@program((W,))
def batch_normalisation(m):
    centred = m - m.mean(axis=1, keepdims=True)
    scale = np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-3)
    return (centred / scale) ** 3


@program((np.arange(16.0).reshape(4, 4) / 9, np.array([[0.5, -0.2], [0.1, 0.3]])))
def convolution(image, kernel):
    out = np.zeros((3, 3))
    for i in range(3):
        for j in range(3):
            out[i, j] = np.sum(image[i : i + 2, j : j + 2] * kernel)
    return np.maximum(out, 0.1).sum()


@program((0.3, 0.6))
def memo_in_nested_lists(x, y):
    table = [[None] * 3 for _ in range(3)]

    def cell(i, j):
        if i == 0:
            return x * (j + 1)
        if j == 0:
            return y + i
        return cell(i - 1, j) * cell(i, j - 1) / (1 + cell(i - 1, j - 1))

    return cell(2, 2) + len(table)


@program((2.0, "newton"), (5.0, "bisection"))
def solver_by_name(a, method):
    f = lambda z: z**3 - a
    if method == "newton":
        z = a
        while abs(f(z)) > 1e-12:
            z = z - f(z) / (3 * z**2)
        return z
    low, high = 0.0 * a, a
    while high - low > 0.4:
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) < 0 else (low, middle)
    return (low + high) / 2 - f((low + high) / 2) / (3 * ((low + high) / 2) ** 2)


@program((np.array([1.0, 2.0, 3.0]), 2), (np.array([1.0, 2.0, 3.0]), 0))
def dictionary_of_arrays(v, n):
    state = {"position": v, "velocity": v * 0}
    for _ in range(n):
        force = -np.sin(state["position"])
        velocity = state["velocity"] + 0.1 * force
        state = {"position": state["position"] + 0.1 * velocity, "velocity": velocity}
    return (state["position"] * state["velocity"]).sum() + v[0]
