"""Everyday scientific programs, each of which combines several things."""

import bisect
import math
from collections import namedtuple
from typing import NamedTuple

import numpy as np

from tests.corpus.registry import program

X = np.array([0.7, -1.3, 2.1])


@program((X,))
def amplitudes_of_two_levels(x):
    h = np.array([[x[0], x[1] - 0.5j], [x[1] + 0.5j, x[2]]])
    psi = np.array([1, 0], dtype=complex)
    found = []
    for _ in range(4):
        psi = psi - 0.1j * (h @ psi) - 0.005 * (h @ (h @ psi))
        psi /= np.sqrt(np.vdot(psi, psi).real)
        found.append(abs(psi[1]) ** 2)
    return sum(found) + np.vdot(psi, h @ psi).real + np.linalg.eigvalsh(h)[0]


@program((X,))
def reflection_by_layers(x):
    m = np.eye(2, dtype=complex)
    for index, thickness in zip([1.5, 2.0 + 0.1j, 1.2], x):
        phase = 1j * index * thickness
        m = m @ np.array([[np.cosh(phase), np.sinh(phase) / index], [index * np.sinh(phase), np.cosh(phase)]])
    a, b, c, d = m.ravel()
    return abs((a + b - c - d) / (a + b + c + d)) ** 2


@program((X,))
def line_search(x):
    a = np.array([[2.0, 0.3, 0.0], [0.3, 1.0, 0.2], [0.0, 0.2, 3.0]])
    value = lambda w: 0.5 * w @ a @ w - x @ w + 0.05 * np.sum(w**4)
    slope = lambda w: a @ w - x + 0.2 * w**3
    w, history = np.zeros(3), []
    for step in range(3):
        d, t = -slope(w), 1.0
        while value(w + t * d) > value(w) - 1e-4 * t * (d @ d):
            t *= 0.5
        w = w + t * d
        history.append((value(w), step))
    best, _ = min(history)
    return best + w[0] * history[0][0]


@program((X,), tags="order1-only")
def time_warping(x):
    a, b = [x[0], x[1], x[2], x[0] * x[1]], [0.5, -1.0, 2.0]
    cost = [[math.inf] * (len(b) + 1) for _ in range(len(a) + 1)]
    cost[0][0] = 0.0
    for i, p in enumerate(a, 1):
        for j, q in enumerate(b, start=1):
            cost[i][j] = (p - q) ** 2 + min(cost[i - 1][j], cost[i][j - 1], cost[i - 1][j - 1])
    return cost[-1][-1]


@program((X,))
def table_with_lines(x):
    places = [0.0, 0.5, 1.0, 2.0, 4.0]
    values = [x[0] * place**2 + x[1] for place in places]

    def at(v):
        i = min(max(bisect.bisect_right(places, v) - 1, 0), len(places) - 2)
        t = (v - places[i]) / (places[i + 1] - places[i])
        return (1 - t) * values[i] + t * values[i + 1]

    return at(0.7 + 0.1 * x[2]) * at(x[2]) + at(-1.0)


State = namedtuple("State", "position velocity")


class Spring(NamedTuple):
    stiffness: float
    friction: float = 0.1


@program((X,))
def leapfrog(x):
    spring = Spring(stiffness=x[0] ** 2)._replace(friction=x[1])

    def after(state):
        push = -spring.stiffness * state.position - spring.friction * state.velocity
        velocity = state.velocity + 0.05 * push
        return state._replace(velocity=velocity, position=state.position + 0.05 * velocity)

    state, *rest = [State(x[2], 0.0)]
    path = [state := after(state) for _ in range(6)]
    energies = [0.5 * s.velocity**2 + 0.5 * spring.stiffness * s.position**2 for s in path]
    highest = max(path, key=lambda s: s.position)
    return sum(energies) / len(energies) + highest.position + sum(rest, start=0)
