"""Gradients by the libraries that happen to be installed: autograd, JAX and PyTorch."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from benchmarks.case import Case

Gradient = Callable[[], tuple[Any, ...]]
"""Computes the gradient with respect to every float and array argument; None for the others."""


def others(case: Case, arguments: tuple[Any, ...]) -> dict[str, Gradient]:
    """The gradient of a case by each installed library that can trace the program."""
    if case.over is None:
        return {}
    made = {}
    for name, make in {"autograd": _autograd, "JAX": _jax, "PyTorch": _torch}.items():
        try:
            made[name] = make(case.over, arguments)
        except ImportError:
            continue
    return made


def _differentiable(arguments: tuple[Any, ...]) -> tuple[int, ...]:
    return tuple(place for place, value in enumerate(arguments) if not isinstance(value, int))


def _spread(bars: Any, places: tuple[int, ...], count: int) -> tuple[Any, ...]:
    found = dict(zip(places, bars, strict=True))
    return tuple(found.get(place) for place in range(count))


def _autograd(over: Callable[[Any], Callable[..., Any]], arguments: tuple[Any, ...]) -> Gradient:
    autograd = importlib.import_module("autograd")
    places = _differentiable(arguments)
    gradient = autograd.grad(over(importlib.import_module("autograd.numpy")), places)
    return lambda: _spread(gradient(*arguments), places, len(arguments))


def _jax(over: Callable[[Any], Callable[..., Any]], arguments: tuple[Any, ...]) -> Gradient:
    """Compiled as a whole where the program lets it; compilation is not part of what is timed."""
    jax = importlib.import_module("jax")
    jax.config.update("jax_enable_x64", True)
    places = _differentiable(arguments)
    plain = jax.grad(over(importlib.import_module("jax.numpy")), places)
    static = tuple(place for place in range(len(arguments)) if place not in places)
    gradient = jax.jit(plain, static_argnums=static)
    try:
        gradient(*arguments)
    except jax.errors.ConcretizationTypeError:  # a branch that depends on a value
        gradient = plain
    return lambda: _spread(jax.block_until_ready(gradient(*arguments)), places, len(arguments))


def _torch(over: Callable[[Any], Callable[..., Any]], arguments: tuple[Any, ...]) -> Gradient:
    torch = importlib.import_module("torch")
    program = over(torch)
    places = _differentiable(arguments)

    def gradient() -> tuple[Any, ...]:
        given = list(arguments)
        for place in places:
            given[place] = torch.tensor(given[place], dtype=torch.float64, requires_grad=True)
        bars = torch.autograd.grad(program(*given), [given[place] for place in places])
        return _spread([bar.numpy() for bar in bars], places, len(arguments))

    return gradient
