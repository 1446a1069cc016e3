"""The time of an adjoint over that of the function: `python -m benchmarks.functions [--only NAME]`.

The functions of arrays that programs call most, at three sizes: the time that `back` takes over the time of
the plain call, beside autograd's where it is installed ("-" where it cannot differentiate the call).
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

import zygpy as zg
from benchmarks.measure import best_times
from benchmarks.report import table

SIZES = (10, 1_000, 1_000_000)
REPEATS = 15

Call = Callable[[Any, Any], Any]
"""A call of a module's function: the module (NumPy's own, or autograd's) and the array."""

OF_VECTORS: dict[str, Call] = {
    "exp": lambda m, x: m.exp(x),
    "log": lambda m, x: m.log(x),
    "log1p": lambda m, x: m.log1p(x),
    "expm1": lambda m, x: m.expm1(x),
    "sqrt": lambda m, x: m.sqrt(x),
    "square": lambda m, x: m.square(x),
    "abs": lambda m, x: m.abs(x),
    "sign": lambda m, x: m.sign(x) * x,
    "sin": lambda m, x: m.sin(x),
    "cos": lambda m, x: m.cos(x),
    "tan": lambda m, x: m.tan(x),
    "arctan": lambda m, x: m.arctan(x),
    "tanh": lambda m, x: m.tanh(x),
    "sinh": lambda m, x: m.sinh(x),
    "x + y": lambda m, x: x + x[::-1],
    "x * y": lambda m, x: x * x[::-1],
    "x / y": lambda m, x: x / x[::-1],
    "x ** 3": lambda m, x: x**3,
    "x ** y": lambda m, x: x ** x[::-1],
    "x * 2": lambda m, x: x * 2.0,
    "maximum": lambda m, x: m.maximum(x, 0.7),
    "minimum": lambda m, x: m.minimum(x, x[::-1]),
    "clip": lambda m, x: m.clip(x, 0.6, 1.2),
    "where": lambda m, x: m.where(x > 0.8, x, 2.0 * x),
    "arctan2": lambda m, x: m.arctan2(x, x[::-1]),
    "sum": lambda m, x: m.sum(x),
    "mean": lambda m, x: m.mean(x),
    "var": lambda m, x: m.var(x),
    "std": lambda m, x: m.std(x),
    "prod": lambda m, x: m.prod(x**0.001),
    "max": lambda m, x: m.max(x),
    "min": lambda m, x: m.min(x),
    "norm": lambda m, x: m.linalg.norm(x),
    "dot": lambda m, x: m.dot(x, x[::-1]),
    "cumsum": lambda m, x: m.cumsum(x),
    "diff": lambda m, x: m.diff(x),
    "sort": lambda m, x: m.sort(x),
    "reshape": lambda m, x: m.reshape(x, (-1, 2)),
    "concatenate": lambda m, x: m.concatenate([x, x]),
    "stack": lambda m, x: m.stack([x, x]),
    "split": lambda m, x: m.split(x, 2)[0],
    "repeat": lambda m, x: m.repeat(x, 2),
    "tile": lambda m, x: m.tile(x, 2),
    "roll": lambda m, x: m.roll(x, 3),
    "flip": lambda m, x: m.flip(x, 0),
    "x[1:-1]": lambda m, x: x[1:-1],
    "x[::2]": lambda m, x: x[::2],
    "x[mask]": lambda m, x: x[x > 0.8],
    "x[indices]": lambda m, x: x[np.arange(len(x)) // 2],
    "x[3]": lambda m, x: x[3],
}

OF_MATRICES: dict[str, Call] = {
    "sum of rows": lambda m, a: m.sum(a, axis=1),
    "max of rows": lambda m, a: m.max(a, axis=1),
    "softmax": lambda m, a: m.exp(-a) / m.sum(m.exp(-a), axis=1, keepdims=True),
    "a - mean": lambda m, a: a - m.mean(a, axis=0),
    "transpose": lambda m, a: m.transpose(a),
    "a @ a": lambda m, a: a @ a,
    "a @ v": lambda m, a: a @ a[0],
    "outer": lambda m, a: m.outer(a[0], a[1]),
    "einsum": lambda m, a: m.einsum("ij,jk->ik", a, a),
    "tensordot": lambda m, a: m.tensordot(a, a, 1),
    "trace": lambda m, a: m.trace(a),
    "diag": lambda m, a: m.diag(a),
    "solve": lambda m, a: m.linalg.solve(a, a[0]),
    "inv": lambda m, a: m.linalg.inv(a),
    "det": lambda m, a: m.linalg.det(a * 0.01),
    "slogdet": lambda m, a: m.linalg.slogdet(a)[1],
}


def argument(size: int, *, square: bool) -> Any:
    """A vector, or a square matrix that can be inverted, with about so many entries."""
    draw = np.random.default_rng(0).uniform(0.5, 1.5, size)
    if not square:
        return draw
    side = max(4, round(size**0.5))
    matrix = np.resize(draw, (side, side))
    return matrix + side * np.eye(side)


def measured(call: Call, x: Any) -> tuple[float, float | None]:
    """The time of zygpy's adjoint over the primal's, and that of autograd's."""
    y, back = zg.pullback(call, np, x)
    seed = np.ones_like(y)
    contestants = {"primal": lambda: call(np, x), "zygpy": lambda: back(seed)}
    other = _adjoint_of_autograd(call, x, seed)
    if other is not None:
        contestants["autograd"] = other
    seconds = best_times(contestants, REPEATS)
    ratio = seconds["autograd"] / seconds["primal"] if other is not None else None
    return seconds["zygpy"] / seconds["primal"], ratio


def _adjoint_of_autograd(call: Call, x: Any, seed: Any) -> Callable[[], Any] | None:
    """autograd's adjoint, where it is installed and can differentiate the call."""
    try:
        autograd = importlib.import_module("autograd")
        module = importlib.import_module("autograd.numpy")
        back, _ = autograd.make_vjp(lambda x: call(module, x))(x)
        back(seed)
    except (ImportError, TypeError, ValueError, NotImplementedError, AttributeError):
        return None
    return lambda: back(seed)


def rows(only: str) -> Iterator[list[str]]:
    """A row for each function."""
    for calls, square in ((OF_VECTORS, False), (OF_MATRICES, True)):
        for name, call in calls.items():
            if only in name:
                found = [measured(call, argument(size, square=square)) for size in SIZES]
                yield [name, *(_written(ratio) for pair in found for ratio in pair)]


def _written(ratio: float | None) -> str:
    return "-" if ratio is None else f"{ratio:.1f}"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.functions", description=__doc__)
    parser.add_argument("--only", default="", metavar="NAME", help="those with NAME in their names")
    found = list(rows(parser.parse_args(arguments).only))
    if not found:
        print("no function is called so", file=sys.stderr)
        return 2
    heads = [f"{who}, {size:,}" for size in SIZES for who in ("zygpy", "autograd")]
    print(table([["adjoint over primal", *heads], *found]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
