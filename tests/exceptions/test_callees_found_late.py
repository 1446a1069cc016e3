"""Exceptions with values, raised by functions that are found when they are called: in fields, or given by
properties, static, partial."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest

import zygpy as zg


class Stop(Exception):
    """Brings a value."""

    def __init__(self, value: Any) -> None:
        super().__init__(value)
        self.value = value


def fail(v: Any, log: Any) -> Any:
    log.append(v * v)
    if v > 0:
        raise Stop(v * v * v)
    return v


def failing_by(k: Any) -> Callable[..., Any]:
    def inner(v: Any, log: Any) -> Any:
        log[0] = v * k
        raise Stop(k * k)

    return inner


class Owner:
    """Has functions in every way."""

    def __init__(self, callback: Any) -> None:
        self.callback = callback

    @staticmethod
    def static(v: Any, log: Any) -> Any:
        log.append(v * 2)
        if v > 1:
            raise Stop(v * v)
        return v

    @classmethod
    def of_class(cls, v: Any, log: Any) -> Any:
        log.append(v * 3)
        raise Stop(v * log[0])

    def method(self, v: Any, log: Any) -> Any:
        log.append(v * self.callback)
        raise Stop(v**3)

    @property
    def given(self) -> Any:
        return self.callback

    @property
    def failing(self) -> Any:
        raise Stop(self.callback * 2)


class Answering:
    """Answers every attribute with one function."""

    def __getattr__(self, name: str) -> Any:
        return fail


TABLE: dict[str, Any] = {"Owner": Owner, "fail": fail, "partial": functools.partial, "max": max}


def in_a_field(x: Any) -> Any:
    owner, log, r = Owner(fail), [x], 0.0
    try:
        owner.callback(x, log)
    except Stop as error:
        r = error.value
    return r * log[-1] * log[0]


def closure_in_a_field(x: Any) -> Any:
    owner, log, r = TABLE["Owner"](failing_by(x * x)), [x], 0.0
    try:
        owner.callback(x, log)
    except Stop as error:
        r = error.value
    return r * log[0]


def static_in_a_loop(x: Any) -> Any:
    owner, log, r = TABLE["Owner"](None), [x], 0.0
    for _ in range(2):
        try:
            owner.static(x, log)
        except Stop as error:
            r = error.value
        x = r * 0.9
    return sum(log) * x


def of_the_class(x: Any) -> Any:
    owner, log, r = TABLE["Owner"](None), [x], 0.0
    try:
        owner.of_class(x, log)
    except Stop as error:
        r = error.value
    return sum(log) * r


def bound_method_in_a_field(x: Any) -> Any:
    owner, log, r = TABLE["Owner"](x), [x], 0.0
    other = TABLE["Owner"](owner.method)
    try:
        other.callback(x, log)
    except Stop as error:
        r = error.value
    finally:
        log.append(x)
    return sum(log) * r * owner.callback


def partial_in_a_field(x: Any) -> Any:
    owner, log, r = TABLE["Owner"](functools.partial(fail, x * 2)), [x], 0.0
    try:
        owner.callback(log)
    except Stop as error:
        r = error.value
    return sum(log) * r


def partial_found_late(x: Any) -> Any:
    log = [x]
    try:
        return TABLE["partial"](TABLE["fail"], x * x)(log=log)
    except Stop as error:
        return error.value * log[1]


def given_by_a_property(x: Any) -> Any:
    owner, log, r = TABLE["Owner"](fail), [x], 0.0
    try:
        owner.given(x * x, log)
    except Stop as error:
        r = error.value
    return sum(log) * r


def property_that_fails(x: Any) -> Any:
    owner, log = TABLE["Owner"](x * x), [x]
    try:
        owner.failing(x, log)
    except Stop as error:
        return error.value * log[0]
    return x


def calls_that_do_not_fail(x: Any) -> Any:
    owner, log, r = TABLE["Owner"](fail), [x], 0.0
    try:
        r += owner.callback(-x, log)
        r += owner.given(-x * x, log)
        r += owner.static(x * 0.5, log)
    except Stop as error:
        r = error.value * 100
    return sum(log) * r


RIGHT = (
    in_a_field,
    closure_in_a_field,
    static_in_a_loop,
    of_the_class,
    bound_method_in_a_field,
    partial_in_a_field,
    partial_found_late,
    given_by_a_property,
    property_that_fails,
    calls_that_do_not_fail,
)


@pytest.mark.parametrize("program", RIGHT, ids=lambda program: program.__name__)
def test_gradients(program: Callable[..., Any]) -> None:
    def slope(h: float) -> float:
        return float(program(1.5 + h) - program(1.5 - h)) / (2 * h)

    value, gradients = zg.withgradient(program, 1.5)
    assert value == pytest.approx(program(1.5), rel=1e-14)
    assert gradients[0] == pytest.approx((4 * slope(5e-4) - slope(1e-3)) / 3, rel=1e-8)


TWICE = (in_a_field, closure_in_a_field, static_in_a_loop, of_the_class, bound_method_in_a_field)


@pytest.mark.parametrize("program", TWICE, ids=lambda program: program.__name__)
def test_second_derivatives(program: Callable[..., Any]) -> None:
    def curvature(h: float) -> float:
        return float(program(1.5 + h) - 2 * program(1.5) + program(1.5 - h)) / h**2

    expected = (4 * curvature(1e-3) - curvature(2e-3)) / 3
    assert zg.hvp(program, 1.5, 1.0) == pytest.approx(expected, rel=1e-6)


def by_any_attribute(x: Any) -> Any:
    try:
        return Answering().whatever(x * x, [])
    except Stop as error:
        return error.value * x


def by_a_key(x: Any) -> Any:
    def key(v: Any) -> Any:
        raise Stop(v)

    try:
        return TABLE["max"]([x * x, x], key=key)
    except Stop as error:
        return error.value * x


@pytest.mark.parametrize("program", [by_any_attribute, by_a_key])
def test_what_an_exception_brings_from_unrecorded_code_is_refused(program: Callable[..., Any]) -> None:
    with pytest.raises(zg.UnsupportedSyntaxError, match=r"what an exception brought|an exception left"):
        zg.gradient(program, 1.5)


def test_what_it_brings_may_be_looked_at() -> None:
    def program(x: Any) -> Any:
        try:
            return Answering().whatever(2.0, [])
        except Stop as error:
            return x * x if error.value > 1 else x

    assert zg.gradient(program, 1.5) == (3.0,)
