"""A logistic regression on Fisher's iris data in plain NumPy, trained with zygpy's gradient."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

import zygpy as zg
from zygpy.testing import check_gradient

Array: TypeAlias = NDArray[np.float64]

STEPS = 300
RATE = 0.5


@zg.differentiable
def loss(weights: Array, bias: Array, features: Array, labels: Array) -> Any:
    """Mean cross-entropy of a softmax classifier.

    Shapes: weights (features, classes), bias (classes,), features (flowers, features), labels
    (flowers, classes), one in the column of the flower's class and zero elsewhere.
    """
    scores = features @ weights + bias
    shifted = scores - scores.max(axis=1, keepdims=True)
    log_total = np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return -np.sum(labels * (shifted - log_total)) / len(features)


def read_iris() -> tuple[Array, NDArray[np.int64], list[str]]:
    """Measurements (150, 4) in centimetres, class numbers (150,) and the names of the classes.

    The data are Fisher's (1936); the file names its source.
    """
    text = (files("zygpy") / "data" / "iris.csv").read_text(encoding="utf-8")
    rows = [line.split(",") for line in text.splitlines() if not line.startswith("#")][1:]
    names = sorted({row[-1] for row in rows})
    measurements = np.array([[float(entry) for entry in row[:-1]] for row in rows])
    return measurements, np.array([names.index(row[-1]) for row in rows]), names


def fit(features: Array, labels: Array, steps: int = STEPS) -> tuple[Array, Array, list[float]]:
    """Weights and bias after gradient descent from zero, and the loss before each step."""
    weights = np.zeros((features.shape[1], labels.shape[1]))
    bias = np.zeros(labels.shape[1])
    losses = []
    for _ in range(steps):
        value, gradient = zg.withgradient(loss, weights, bias, features, labels)
        losses.append(float(value))
        weights = weights - RATE * gradient[0]
        bias = bias - RATE * gradient[1]
    return weights, bias, losses


def demo() -> None:
    """Print the generated adjoint, the loss as it falls, the accuracy and a gradient check."""
    measurements, classes, names = read_iris()
    features = (measurements - measurements.mean(axis=0)) / measurements.std(axis=0)
    labels = np.eye(len(names))[classes]
    print(f"Softmax regression on {len(features)} iris flowers: {', '.join(names)}.\n")
    start = np.zeros((features.shape[1], len(names))), np.zeros(len(names))
    print(zg.show_adjoint(loss, *start, features, labels))
    weights, bias, losses = fit(features, labels)
    for step in range(0, STEPS, STEPS // 6):
        print(f"step {step:3d}: loss {losses[step]:.4f}")
    print(f"step {STEPS:3d}: loss {loss(weights, bias, features, labels):.4f}")
    right = np.argmax(features @ weights + bias, axis=1) == classes
    print(f"\naccuracy: {right.sum()} of {right.size} flowers ({right.mean():.1%})")
    check_gradient(loss, weights, bias, features, labels)
    print("gradient check: the gradient agrees with finite differences")
