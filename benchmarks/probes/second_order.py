"""Products with Hessians, Hessians and Jacobians, beside those by hand and those of other libraries."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import numpy as np

import zygpy as zg
from benchmarks.case import Reading
from benchmarks.measure import best_times

SIZE, EQUATIONS = 100, 50
MATRIX = np.cos(np.arange(float(EQUATIONS * EQUATIONS))).reshape(EQUATIONS, EQUATIONS)

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


def over(function: Callable[..., Any], np: Any) -> Callable[..., Any]:
    """The same functions for a library that traces operations."""
    if function is rosenbrock:
        return lambda x: np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)
    return (lambda x: np.tanh(MATRIX @ x) + x * x) if function is system else function


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


def hessian_by_hand(x: Any) -> Any:
    """That Hessian."""
    main, beside = diagonals(x)
    return np.diag(main) + np.diag(beside, 1) + np.diag(beside, -1)


def system_by_hand(x: Any) -> Any:
    """Its Jacobian."""
    y = np.tanh(MATRIX @ x)
    return (1.0 - y * y)[:, None] * MATRIX + np.diag(2.0 * x)


def readings(repeats: int) -> Iterator[Reading]:
    """Ratios of times, each in one run."""
    x, v = np.linspace(-1.5, 1.5, SIZE), np.cos(np.arange(float(SIZE)))
    for name, function in {"loop": rosenbrock_loop, "array code": rosenbrock}.items():
        traced = _traced("hessian_vector_product", function, (x, v))
        contestants: Contestants = {
            "gradient": lambda f=function: zg.gradient(f, x),  # type: ignore[misc]
            "by hand": lambda: product_by_hand(x, v),
            "zygpy": lambda f=function: zg.hvp(f, x, v),  # type: ignore[misc]
            **traced,
        }
        yield from _ratios(f"hvp, Rosenbrock as {name}", contestants, repeats, limit=4.0)
        contestants = {
            "gradient": lambda f=function: zg.gradient(f, x),  # type: ignore[misc]
            "hvp": lambda f=function: zg.hvp(f, x, v),  # type: ignore[misc]
            "by hand": lambda: hessian_by_hand(x),
            "zygpy": lambda f=function: zg.hessian(f, x),  # type: ignore[misc]
            **_traced("hessian", function, (x,)),
        }
        yield from _ratios(f"Hessian, Rosenbrock as {name}", contestants, repeats, limit=2.0 * SIZE)
    z = np.linspace(-1.0, 1.0, EQUATIONS)
    contestants = {
        "primal": lambda: system(z),
        "by hand": lambda: system_by_hand(z),
        "zygpy": lambda: zg.jacobian(system, z)[0],
        **_traced("jacobian", system, (z,)),
    }
    yield from _ratios("Jacobian of a 50x50 system", contestants, repeats)


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


def _ratios(
    name: str, contestants: Contestants, repeats: int, limit: float | None = None
) -> Iterator[Reading]:
    """zygpy's time divided by those of the others, of which the first is its own measure."""
    _check(name, contestants)
    seconds = best_times(contestants, repeats)
    first = next(iter(contestants))
    for other in [other for other in contestants if other != "zygpy"]:
        own = limit if other == first else None
        yield Reading(f"{name}, zygpy / {other}", seconds["zygpy"] / seconds[other], "", own)


def _check(name: str, contestants: Contestants) -> None:
    """All give the same: what is wrong is not timed."""
    expected = contestants["by hand"]()
    for other in ("zygpy", "autograd", "JAX", "JAX, compiled"):
        if other in contestants and not np.allclose(contestants[other](), expected, rtol=1e-9):
            raise ArithmeticError(f"{name}: {other} differs")
