"""Filters, control, graphs, noise and series."""

from __future__ import annotations

from typing import Any

import control
import emcee
import networkx as nx
import numpy as np
import opensimplex
import ruptures
from dtaidistance import dtw, ed
from filterpy.common import Q_discrete_white_noise
from filterpy.kalman import KalmanFilter, MerweScaledSigmaPoints, UnscentedKalmanFilter
from simple_pid import PID

from tests.libraries.table import at


@at(2.0, 5.0)
def kalman_filter(q: Any, r: Any) -> Any:
    f = KalmanFilter(dim_x=2, dim_z=1)
    f.x = np.array([[2.0], [0.0]])
    f.F, f.H = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0]])
    f.P *= 1000.0
    f.R, f.Q = np.array([[r]]), np.array([[0.25, 0.5], [0.5, 1.0]]) * q
    for seen in [1.0, 2.1, 2.9, 4.2]:
        f.predict()
        f.update(seen)
    return f.x[0, 0] + f.P[1, 1]


@at(2.0, 5.0)
def likelihood_of_a_kalman_filter(q: Any, r: Any) -> Any:
    f = KalmanFilter(dim_x=2, dim_z=1)
    f.x = np.array([2.0, 0.0])
    f.F, f.H = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0]])
    f.P *= 10.0
    f.R *= r
    f.Q = Q_discrete_white_noise(2, 0.5, 0.01) * q
    total = 0.0
    for seen in [1.0, 2.1, 2.9]:
        f.predict()
        f.update(seen)
        total += f.log_likelihood
    return total


@at(2.0, 5.0)
def unscented_kalman_filter(q: Any, r: Any) -> Any:
    def moved(x: Any, dt: Any) -> Any:
        return np.array([x[0] + dt * x[1], x[1] - dt * np.sin(x[0])])

    def observed(x: Any) -> Any:
        return np.array([x[0]])

    points = MerweScaledSigmaPoints(2, alpha=0.1, beta=2.0, kappa=1.0)
    f = UnscentedKalmanFilter(dim_x=2, dim_z=1, dt=0.1, hx=observed, fx=moved, points=points)
    f.x = np.array([1.0, 0.5])
    f.P *= 0.2
    f.R *= r
    f.Q = np.eye(2) * 0.01 * q
    for seen in [1.0, 1.1, 0.9]:
        f.predict()
        f.update(seen)
    return f.x[0] + f.P[0, 0]


@at(1.2, 0.4, 0.05)
def controller(a: Any, b: Any, c: Any) -> Any:
    steered = PID(a, b, c, setpoint=1.0, sample_time=None)
    y = 0.0
    for _ in range(5):
        y = y + 0.1 * steered(y, dt=0.1)
    return y


@at(1.0, 2.0, refused="'numpy.nditer' has no rule")
def transfer_function(a: Any, b: Any) -> Any:
    return abs(control.tf([a], [1.0, b, 3.0])(2.0j))


@at(1.0, 2.0)
def state_space(a: Any, b: Any) -> Any:
    moved, driven = np.array([[-a, 1.0], [0.0, -b]]), np.array([[0.0], [1.0]])
    return control.ss(moved, driven, np.array([[1.0, 0.0]]), np.array([[0.0]])).dcgain()


@at(1.3, 2.2)
def shortest_path(a: Any, b: Any) -> Any:
    graph = nx.Graph()
    for start, end, weight in [(0, 1, a), (1, 2, b), (0, 2, 10.0), (2, 3, a * b)]:
        graph.add_edge(start, end, weight=weight)
    return nx.shortest_path_length(graph, 0, 3, weight="weight")


@at(1.3, 2.2)
def spanning_tree(a: Any, b: Any) -> Any:
    graph = nx.Graph()
    for start, end, weight in [(0, 1, a), (1, 2, b), (0, 2, 3.0)]:
        graph.add_edge(start, end, weight=weight)
    return nx.minimum_spanning_tree(graph).size(weight="weight")


@at(0.3, 0.6)
def noise(a: Any, b: Any) -> Any:
    return opensimplex.noise2(a, b) + opensimplex.noise3(a, b, 0.2)


@at(0.3, 0.6)
def autocorrelation(a: Any, b: Any) -> Any:
    chain = np.sin(np.arange(64.0) * a) * b + np.cos(np.arange(64.0))
    correlations = emcee.autocorr.function_1d(chain)[:5]
    return np.sum(correlations * np.arange(5.0)) + np.sum(emcee.autocorr.integrated_time(chain, quiet=True))


def series(a: Any, b: Any) -> Any:
    return np.array([[a], [b], [1.0], [a * b], [2.0], [b * 3]])


@at(0.3, 0.6, refused_unspecialised="a ndarray is changed that others may find")
def costs_of_segments(a: Any, b: Any) -> Any:
    squares = ruptures.costs.CostL2().fit(series(a, b)).error(0, 4)
    normal = ruptures.costs.CostNormal().fit(series(a, b)).error(1, 6)
    kernel = ruptures.costs.CostRbf(gamma=0.7).fit(series(a, b)).error(0, 4)
    return squares + normal + kernel + ruptures.costs.CostL1().fit(series(a, b)).error(0, 4)


@at(0.3, 0.6, refused="'__array_interface__'")
def cost_of_a_regression_on_itself(a: Any, b: Any) -> Any:
    return ruptures.costs.CostAR(order=1).fit(np.array([a, b, 1.0, a * b, 2.0, b, a, 1.0])).error(1, 7)


@at(0.3, 0.6)
def distance_of_series(a: Any, b: Any) -> Any:
    return ed.distance(np.array([0.0, a, b, 1.0]), np.array([b, 0.5, a, 1.0]))


@at(0.3, 0.6, refused=r"'array\.array' has no rule")
def warped_distance_of_series(a: Any, b: Any) -> Any:
    return dtw.distance([0.0, a, b, 1.0], [b, 0.5, a, 1.0, 2.0])
