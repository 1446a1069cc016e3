"""Exceptions that carry values and are raised again, kept, returned, or come from functions inside."""

from __future__ import annotations

import copy

from tests.corpus.registry import program


class Stop(Exception):
    pass


class Carrier(Exception):
    def __init__(self, value):
        super().__init__(value)
        self.double = value * 2


def fail(*args):
    raise Stop(*args)


@program((1.5, 0.5))
def by_the_handler(x, y):
    total = x
    try:
        try:
            total = total * y
            fail(total)
        except Stop:
            total = total + x
            raise
    except Stop as error:
        total = total * error.args[0]
    return total


@program((1.5, 0.5))
def by_a_finally_alone(x, y):
    total = x
    try:
        try:
            total = total * y
            fail(total)
        finally:
            total = total + x
    except Stop as error:
        total = total * error.args[0]
    return total


@program((1.5, 0.5))
def behind_handlers_that_do_not_fit(x, y):
    total = x
    try:
        try:
            total = total * x
            raise KeyError(total * y)
        except ValueError as error:
            total = total * error.args[0]
        finally:
            total = total * 2
    except KeyError as error:
        total = total * error.args[0]
    return total


@program((1.5, 0.5))
def in_some_rounds_of_a_loop(x, y):
    total = x
    for k in range(4):
        try:
            try:
                if k % 2:
                    raise Carrier(total)
                total = total * y
            except Carrier as error:
                total = total + error.double
                if k == 3:
                    raise
            finally:
                total = total * 1.5
        except Carrier as error:
            total = total - error.double * x
    return total


@program((1.5, 0.5))
def from_another_that_is_looked_into(x, y):
    try:
        try:
            raise Carrier(x)
        except Carrier as error:
            raise Stop(error.double * y) from error
    except Stop as stop:
        return stop.args[0] * stop.__context__.double


def caught_and_returned(x):
    try:
        raise Stop(x * x)
    except Stop as error:
        return error


@program((1.5, 0.5))
def returned_by_a_function(x, y):
    return caught_and_returned(x).args[0] * y


@program((1.5, 0.5))
def kept_behind_the_handler(x, y):
    kept = None
    seen = []
    for k in range(3):
        try:
            if k:
                raise Stop(x * k)
        except Stop as error:
            kept = error
            seen.append(error)
    return kept.args[0] * sum(error.args[0] for error in seen) * y


@program((1.5, 0.5))
def by_a_function_inside_behind_a_change(x, y):
    trail = []
    state = x

    def step(value):
        nonlocal state
        state = state * value
        try:
            raise Carrier(state)
        finally:
            trail.append(y)

    total = y
    for value in (x, y):
        try:
            step(value)
        except Carrier as error:
            total = total + error.double * trail[-1]
    return total * state


def chosen(function, x, y):
    total = x
    try:
        total = function(total, y)
    except Stop as error:
        total = total * error.args[0]
    return total


@program((1.5, 0.5))
def by_a_function_that_is_given(x, y):
    return chosen(lambda a, b: fail(a * b), x, y) * chosen(lambda a, b: a + b, x, y)


class Held:
    def __init__(self, content):
        self.content = content


@program((1.5, [[2.0], [1.0]]))
def deep_copy_in_a_try(x, rows):
    try:
        copied = copy.deepcopy(rows)
        copied[0][0] = copied[0][0] * x
    finally:
        x = x * 2.0
    return copied[0][0] * x + rows[1][0]


@program((1.5, 2.0))
def copy_of_an_object_in_a_try(x, y):
    held = Held(y)
    try:
        other = copy.copy(held)
        other.content = other.content * x
        if other.content > 1.0:
            raise ArithmeticError
    except ArithmeticError:
        held.content = copy.copy(other).content * y
    return held.content * other.content
