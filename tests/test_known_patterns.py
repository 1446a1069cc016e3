"""`match` on objects of known classes, and flags whose values are known when the program is derived."""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences
from tests.test_operators_of_objects import X, check_all, check_first


@dataclass
class Num:
    value: Any


@dataclass
class Bin:
    op: str
    a: Any
    b: Any


class Slots:
    __slots__ = ("p", "q")
    __match_args__ = ("q", "p")

    def __init__(self, p: Any, q: Any) -> None:
        self.p, self.q = p, q


class Special(Num):
    __match_args__ = ("value", "twice")

    @property
    def twice(self) -> Any:
        return self.value * 2.0


class Giving:
    __match_args__ = ("missing",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __getattr__(self, name: str) -> Any:
        if name == "missing":
            return self.value * 3.0
        raise AttributeError(name)


class Deleting:
    __match_args__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


Pair = namedtuple("Pair", ("left", "right"))


def by_keywords(x: Any) -> Any:
    match Bin("*", Num(x[0]), Num(x[1] * 2.0)):
        case Num(value):
            return value
        case Bin(a=p, b=q):
            return p.value * q.value
    return x[3]


def by_positions(x: Any) -> Any:
    match Slots(x[0], x[1] * x[2]):
        case Slots(q, p):
            return q * q * p
    return x[3]


def in_each_other(x: Any) -> Any:
    match Bin("+", Num(x[0]), Bin("*", Num(x[1]), Num(x[2]))):
        case Bin("*", Num(a), Num(b)):
            return a + b
        case Bin("+", Num(a), Bin("*", Num(b), Num(c))) if c < 5.0:
            return a * b * b * c
    return x[3]


def of_subclasses(x: Any) -> Any:
    total = 0.0
    for item in (Special(x[0]), Num(x[1]), Special(x[2])):
        match item:
            case Special(a, b):
                total = total + a * b
            case Num(a):
                total = total + a**3
    return total


def of_a_base(x: Any) -> Any:
    match Special(x[0]):
        case Num(a) as whole:
            return a * a * whole.twice
    return x[1]


def of_what_is_given_when_asked(x: Any) -> Any:
    match Giving(x[0]):
        case Giving(a):
            return a * a
    return x[1]


def of_what_was_deleted(x: Any) -> Any:
    thing = Deleting(x[0])
    if x[1] > 0.0:
        del thing.value
    match thing:
        case Deleting(a):
            return a
        case Deleting():
            return x[1] ** 3
    return x[2]


def of_named_tuples(x: Any) -> Any:
    match Pair(x[0], x[1]):
        case Pair(left, 5.0):
            return left
        case Pair(left, right):
            return left * right**2
    return x[2]


def of_numbers(x: Any) -> Any:
    total = 0.0
    for item in (float(x[0]), 2, "text", None, [float(x[1]), float(x[2])], {"k": x[3]}):
        match item:
            case float(a):
                total = total + a * a
            case int(k):
                total = total * k
            case None:
                total = total + x[1]
            case [a, *rest]:
                total = total + a * rest[0]
            case {"k": a}:
                total = total * a
            case _:
                total = total + 1.0
    return total


def of_alternatives(x: Any) -> Any:
    total = 0.0
    for item in (Num(x[0]), Slots(x[1], x[2])):
        match item:
            case Num(a) | Slots(p=a):
                total = total + a**2
    return total


def names_of_patterns_that_failed(x: Any) -> Any:
    a = x[0]
    match Bin("+", Num(x[1]), Num(x[2])):
        case Bin("*", a, _):
            return a.value
        case Bin(_, Num(b), _):
            return a * b
    return x[3]


def evaluated(e: Any) -> Any:
    match e:
        case Num(v):
            return v
        case Bin(op="+", a=p, b=q):
            return evaluated(p) + evaluated(q)
        case Bin(op="*", a=p, b=q):
            return evaluated(p) * evaluated(q)
    raise ValueError(e)


def evaluator(x: Any) -> Any:
    return evaluated(Bin("+", Bin("*", Num(x[0]), Num(x[1])), Bin("*", Num(x[2]), Num(3.0))))


def derived(e: Any) -> Any:
    """An expression's derivative by what is its first number."""
    match e:
        case Num(v):
            return Num(v * 0.0 + 1.0)
        case Bin("+", a, b):
            return Bin("+", derived(a), derived(b))
        case Bin("*", a, b):
            return Bin("+", Bin("*", derived(a), b), Bin("*", a, derived(b)))
    raise ValueError(e)


def rewritten(x: Any) -> Any:
    return evaluated(derived(Bin("*", Num(x[0]), Bin("+", Num(x[1]), Num(x[2])))))


def a_flag_in_a_loop(x: Any) -> Any:
    seen, total = False, 0.0
    for t in x:
        if not seen:
            total = total + t**3
            seen = True
            continue
        total = total + t * t
    return total if seen else x[0]


def a_flag_behind_a_loop(x: Any) -> Any:
    found = False
    for t in x:
        if t > 1.0:
            found = True
            break
    if found:
        return t * t
    return x[0]


def a_flag_in_an_attempt(x: Any) -> Any:
    fine = False
    try:
        value = math.log(x[0] - 5.0)
        fine = True
    except ValueError:
        value = x[0] * x[1]
    return value * 2.0 if fine else value * value


def a_flag_that_others_set(x: Any) -> Any:
    done = False

    def finish() -> None:
        nonlocal done
        done = True

    if x[0] > 0.0:
        finish()
    return x[0] ** 2 if done else x[1]


def a_flag_that_is_deleted(x: Any) -> Any:
    flag = True
    if x[0] > 0.0:
        del flag
    try:
        if flag:
            return x[1]
    except UnboundLocalError:
        return x[0] * x[2]
    return x[3]


def a_negated_flag(x: Any) -> Any:
    first = True
    total = x[0] if not first else x[1] * x[1]
    first = not first
    if not first:
        total = total * x[2]
    while not first:
        total = total * x[3]
        first = True
    return total


def none_until_later(x: Any) -> Any:
    best = None
    for t in x:
        if best is None or t > best:
            best = t
    return best * best if best is not None else x[0]


def none_by_default(x: Any) -> Any:
    def scaled(t: Any, by: Any = None) -> Any:
        if by is None:
            by = 3.0
        return t * by

    return scaled(x[0]) * scaled(x[1], x[2])


def maybe(t: Any) -> Any:
    return None if t > 1.0 else (t, t * t)


def none_of_calls(x: Any) -> Any:
    total = 0.0
    for t in x:
        found = maybe(t)
        if found is None:
            total = total + t
            continue
        total = total + found[0] * found[1]
    return total


def a_flag_that_was_never_set(x: Any) -> Any:
    if x[0] > 100.0:
        flag = True
    try:
        if flag:
            return x[1]
    except UnboundLocalError:
        return x[0] ** 3
    return x[2]


def a_flag_of_a_loop_that_never_runs(x: Any) -> Any:
    for _ in x[:0]:
        found = True
    try:
        return x[0] * 2.0 if found else x[1]
    except UnboundLocalError:
        return x[0] ** 2


def an_answer_that_was_never_asked_for(x: Any) -> Any:
    if x[0] > 100.0:
        is_array = isinstance(x, np.ndarray)
    try:
        if is_array:
            return x[1]
    except UnboundLocalError:
        return x[0] ** 3
    return x[2]


PROGRAMS: tuple[Callable[[Any], Any], ...] = (
    *(by_keywords, of_a_base, of_what_was_deleted, of_named_tuples, names_of_patterns_that_failed),
    *(a_flag_in_a_loop, a_flag_behind_a_loop, a_flag_in_an_attempt, a_flag_that_others_set),
    *(a_flag_that_was_never_set, a_flag_of_a_loop_that_never_runs, an_answer_that_was_never_asked_for),
    *(a_flag_that_is_deleted, a_negated_flag, none_until_later, none_by_default, none_of_calls),
)
BY_IDENTITY: tuple[Callable[[Any], Any], ...] = (
    *(by_positions, in_each_other, of_subclasses, of_what_is_given_when_asked, of_numbers),
    *(of_alternatives, evaluator, rewritten),
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_derivatives(program: Callable[[Any], Any]) -> None:
    check_all(program)


@pytest.mark.parametrize("program", BY_IDENTITY)
def test_first_derivatives(program: Callable[[Any], Any]) -> None:
    check_first(program)


def test_what_is_known_is_not_asked() -> None:
    text = zg.show_adjoint(by_keywords, X)
    assert "match_" not in text and "isinstance" not in text and "pull" not in text


def test_positions_that_change_are_seen() -> None:
    class Changing:
        __match_args__ = ("a", "b")

        def __init__(self, a: Any, b: Any) -> None:
            self.a, self.b = a, b

    def program(x: Any) -> Any:
        match Changing(x * 2.0, x * x):
            case Changing(first, _):
                return first * first
        return x

    assert zg.gradient(program, 1.5) == (12.0,)
    Changing.__match_args__ = ("b", "a")
    assert zg.gradient(program, 1.5) == (13.5,)
    del Changing.__match_args__
    with pytest.raises(TypeError, match="accepts 0 positional sub-patterns"):
        zg.gradient(program, 1.5)


def matched_inside(x: Any) -> Any:
    match x[0]:
        case first:
            match {"k": first, "m": x[1]}:
                case {"k": k, **rest}:
                    match rest:
                        case {"m": m}:
                            y = k * m * x[1]
    match [x[1]]:
        case [second] | [second, _]:
            match (second, y):
                case _ if second > 99:
                    return second
                case a, b:
                    match a:
                        case last:
                            return last * b
    return y


def test_matches_stand_in_cases_that_always_match() -> None:
    x = np.array([0.7, 1.3])
    y, back = zg.pullback(matched_inside, x)
    assert y == matched_inside(x)
    np.testing.assert_allclose(back(1.0)[0], differences(matched_inside, x), rtol=1e-8)
