"""Products with Hessians, Hessians and Jacobians, beside those by hand and those of other libraries.

Of array code there are several sizes: where vectors are short, the calls take long, and where they are long,
the arithmetic does. By hand, matrices are put together of diagonals as `scipy.optimize.rosen_hess` does it;
"in place" is the same with the diagonals written to where they belong, which takes a person more thought.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import numpy as np

import zygpy as zg
from benchmarks.case import Reading
from benchmarks.measure import best_times

SIZE, LONGER, LONG = 100, 1_000, 10_000
EQUATIONS, MORE_EQUATIONS = 50, 500
MATRIX = np.cos(np.arange(float(EQUATIONS**2))).reshape(EQUATIONS, EQUATIONS)
LARGE_MATRIX = np.cos(np.arange(float(MORE_EQUATIONS**2))).reshape(MORE_EQUATIONS, MORE_EQUATIONS)

TO_HAND, TO_AUTOGRAD = 1.3, 0.2
"""What is asked for: of array code how many times the derivative by hand, and of code with loops how much of
autograd's time."""

Contestants = dict[str, Callable[[], Any]]


def rosenbrock_loop(x: Any) -> Any:
    """Rosenbrock's function of many variables, element by element."""
    total = 0.0
    for i in range(len(x) - 1):
        total += 100.0 * (x[i + 1] - x[i] ** 2) ** 2 + (1.0 - x[i]) ** 2
    return total


def rosenbrock(x: Any) -> Any:
    """The same as array code."""
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def system(x: Any) -> Any:
    """A system of equations."""
    return np.tanh(MATRIX @ x) + x * x


def large_system(x: Any) -> Any:
    """The same with more equations."""
    return np.tanh(LARGE_MATRIX @ x) + x * x


def over(function: Callable[..., Any], np: Any) -> Callable[..., Any]:
    """The same functions for a library that traces operations."""
    if function is rosenbrock:
        return lambda x: np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)
    if function is system:
        return lambda x: np.tanh(MATRIX @ x) + x * x
    return (lambda x: np.tanh(LARGE_MATRIX @ x) + x * x) if function is large_system else function


def diagonals(x: Any) -> tuple[Any, Any]:
    """The main diagonal of the Hessian of Rosenbrock's function, and the one beside it."""
    main = np.zeros(len(x))
    main[:-1] = 1200.0 * x[:-1] ** 2 - 400.0 * x[1:] + 2.0
    main[1:] += 200.0
    return main, -400.0 * x[:-1]


def product_by_hand(x: Any, v: Any) -> Any:
    """The product of that Hessian and a vector."""
    main, beside = diagonals(x)
    result = main * v
    result[:-1] += beside * v[1:]
    result[1:] += beside * v[:-1]
    return result


def gradient_by_hand(x: Any) -> tuple[Any, Any]:
    """The value of Rosenbrock's function and its gradient."""
    a, b = x[:-1], x[1:]
    rest, beside = b - a * a, 1.0 - a
    value = np.sum(100.0 * rest**2 + beside**2)
    slope, inner = np.zeros(len(x)), 200.0 * rest
    slope[1:] = inner
    slope[:-1] -= 2.0 * a * inner + 2.0 * beside
    return value, slope


def hessian_by_hand(x: Any) -> Any:
    """That Hessian."""
    main, beside = diagonals(x)
    return np.diag(main) + np.diag(beside, 1) + np.diag(beside, -1)


def hessian_in_place(x: Any) -> Any:
    """The same, written to where it belongs."""
    main, beside = diagonals(x)
    made = np.zeros((len(x), len(x)))
    entries = made.reshape(-1)
    entries[:: len(x) + 1] = main
    entries[1 :: len(x) + 1] = beside
    entries[len(x) :: len(x) + 1] = beside
    return made


def system_by_hand(x: Any, matrix: Any) -> Any:
    """The Jacobian of a system."""
    y = np.tanh(matrix @ x)
    return (1.0 - y * y)[:, None] * matrix + np.diag(2.0 * x)


def system_in_place(x: Any, matrix: Any) -> Any:
    """The same, written to where it belongs."""
    y = np.tanh(matrix @ x)
    made = (1.0 - y * y)[:, None] * matrix
    made.reshape(-1)[:: len(x) + 1] += 2.0 * x
    return made


def readings(repeats: int) -> Iterator[Reading]:
    """Times of zygpy, and what they are divided by those of others, each in one run."""
    for name, function, size in (
        ("loop", rosenbrock_loop, SIZE),
        ("array code", rosenbrock, SIZE),
        ("array code", rosenbrock, LONGER),
        ("array code", rosenbrock, LONG),
    ):
        if function is rosenbrock:
            yield from _ratios(f"gradient, Rosenbrock as {name}, n={size}", _gradients(size), repeats, {})
        contestants = _products(function, size)
        limits = {"gradient": 4.0, **_limits(name)}
        yield from _ratios(f"hvp, Rosenbrock as {name}, n={size}", contestants, repeats, limits)
        if size < LONG:
            contestants = _hessians(function, size)
            limits = {"gradient": 2.0 * size, "hvp": float(size), **_limits(name)}
            yield from _ratios(f"Hessian, Rosenbrock as {name}, n={size}", contestants, repeats, limits)
    for equations, matrix in ((system, MATRIX), (large_system, LARGE_MATRIX)):
        contestants = _jacobians(equations, matrix)
        name = f"Jacobian of {len(matrix)} equations"
        yield from _ratios(name, contestants, repeats, {"by hand": TO_HAND})


def _limits(name: str) -> dict[str, float]:
    return {"autograd": TO_AUTOGRAD} if name == "loop" else {"by hand": TO_HAND}


def _gradients(size: int) -> Contestants:
    x = np.linspace(-1.5, 1.5, size)
    return {
        "by hand": lambda: gradient_by_hand(x)[1],
        "zygpy": lambda: zg.gradient(rosenbrock, x)[0],
        "value and gradient": lambda: zg.withgradient(rosenbrock, x).grad[0],
    }


def _products(function: Callable[..., Any], size: int) -> Contestants:
    x, v = np.linspace(-1.5, 1.5, size), np.cos(np.arange(float(size)))
    return {
        "by hand": lambda: product_by_hand(x, v),
        "gradient": lambda: zg.gradient(function, x),
        "zygpy": lambda: zg.hvp(function, x, v),
        **_traced("hessian_vector_product", function, (x, v)),
    }


def _hessians(function: Callable[..., Any], size: int) -> Contestants:
    x, v = np.linspace(-1.5, 1.5, size), np.cos(np.arange(float(size)))
    return {
        "by hand": lambda: hessian_by_hand(x),
        "by hand, in place": lambda: hessian_in_place(x),
        "gradient": lambda: zg.gradient(function, x),
        "hvp": lambda: zg.hvp(function, x, v),
        "zygpy": lambda: zg.hessian(function, x),
        **_traced("hessian", function, (x,)),
    }


def _jacobians(function: Callable[..., Any], matrix: Any) -> Contestants:
    z = np.linspace(-1.0, 1.0, len(matrix))
    return {
        "by hand": lambda: system_by_hand(z, matrix),
        "by hand, in place": lambda: system_in_place(z, matrix),
        "primal": lambda: function(z),
        "zygpy": lambda: zg.jacobian(function, z)[0],
        **_traced("jacobian", function, (z,)),
    }


def _traced(operator: str, function: Callable[..., Any], args: tuple[Any, ...]) -> Contestants:
    """The same by other libraries, where these are installed."""
    made: Contestants = {}
    for contestants in (_by_autograd, _by_jax):
        with suppress(ImportError):
            made.update(contestants(operator, function, args))
    return made


def _by_autograd(operator: str, function: Callable[..., Any], args: tuple[Any, ...]) -> Contestants:
    own = importlib.import_module("autograd.numpy")
    operators = importlib.import_module("autograd.differential_operators")
    made = getattr(operators, operator)(over(function, own))
    return {"autograd": lambda: made(*args)}


def _by_jax(operator: str, function: Callable[..., Any], args: tuple[Any, ...]) -> Contestants:
    """As it is written, and compiled as a whole; compilation is not part of what is timed."""
    jax = importlib.import_module("jax")
    jax.config.update("jax_enable_x64", True)
    program = over(function, importlib.import_module("jax.numpy"))
    if operator == "hessian_vector_product":
        slope = jax.grad(program)
        made = lambda x, v: jax.jvp(slope, (x,), (v,))[1]  # noqa: E731 (one of several functions)
    else:
        made = getattr(jax, operator)(program)
    compiled, given = jax.jit(made), [jax.numpy.asarray(value) for value in args]
    return {
        "JAX": lambda: jax.block_until_ready(made(*given)),
        "JAX, compiled": lambda: jax.block_until_ready(compiled(*given)),
    }


def _ratios(name: str, contestants: Contestants, repeats: int, limits: dict[str, float]) -> Iterator[Reading]:
    """zygpy's time, and that divided by those of the others."""
    _check(name, contestants)
    seconds = best_times(contestants, repeats)
    yield Reading(f"{name}, zygpy", 1e6 * seconds["zygpy"], "microseconds")
    for other in [other for other in contestants if other != "zygpy"]:
        ratio = seconds["zygpy"] / seconds[other]
        yield Reading(f"{name}, zygpy / {other}", ratio, "", limits.get(other))


def _check(name: str, contestants: Contestants) -> None:
    """All give the same: what is wrong is not timed."""
    expected = contestants["by hand"]()
    for other in ("by hand, in place", "zygpy", "autograd", "JAX", "JAX, compiled"):
        if other in contestants and not np.allclose(contestants[other](), expected, rtol=1e-9):
            raise ArithmeticError(f"{name}: {other} differs")
