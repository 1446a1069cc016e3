"""What calls of a function do is told from one derivation to the next, as long as it is still so."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import zygpy as zg
from zygpy.derivation.summaries import Summaries
from zygpy.units import unit_of

SCALE = 3.0


def scaled(x):
    return x * SCALE


def filled(values, x):
    values[0] = x * x
    return values


def helper(x):
    return scaled(x) + 1.0


def recursive(x, n):
    return x if n == 0 else x * recursive(x, n - 1)


def first(x):
    return helper(x) * x


def second(x):
    return helper(x) + x


def third(x):
    return helper(x) - x


@pytest.fixture
def looked_at(monkeypatch):
    """How often each function is looked at."""
    found: Counter[str] = Counter()
    plain = Summaries._until_the_same

    def counted(self, key, unit, values, cells):
        found[unit.program.name] += 1
        return plain(self, key, unit, values, cells)

    monkeypatch.setattr(Summaries, "_until_the_same", counted)
    return found


def test_a_helper_is_looked_at_once(looked_at):
    assert zg.gradient(first, 2.0) == (13.0,)
    before = looked_at.copy()
    assert zg.gradient(second, 2.0) == (4.0,)
    assert looked_at["second"] == 1
    assert looked_at["helper"] == before["helper"] and looked_at["scaled"] == before["scaled"]


def test_one_that_is_replaced_is_looked_at_again(looked_at, monkeypatch):
    assert zg.gradient(first, 1.0) == (7.0,)
    looked_at.clear()

    def square(x):
        return x * x

    monkeypatch.setitem(globals(), "scaled", square)
    assert zg.gradient(third, 2.0) == (3.0,)
    assert looked_at["helper"] and looked_at["square"]
    assert zg.gradient(first, 1.0) == (4.0,)


def test_data_of_another_kind_is_seen(monkeypatch):
    assert zg.gradient(first, 2.0) == (13.0,)
    monkeypatch.setitem(globals(), "SCALE", np.array([1.0, 2.0]))

    def summed(x):
        return helper(x).sum()

    assert zg.gradient(summed, 2.0) == (3.0,)


def test_code_and_defaults_that_are_replaced_are_seen():
    def step(x, factor=2.0):
        return x * factor

    def one(x):
        return step(x)

    def other(x):
        return step(x) * x

    assert zg.gradient(one, 3.0) == (2.0,)
    step.__defaults__ = (5.0,)
    assert zg.gradient(other, 3.0) == (30.0,)


def test_a_rule_that_is_declared_later_holds():
    def ruled(x):
        return x * x

    def one(x):
        return ruled(x) + x

    def other(x):
        return ruled(x) - x

    assert zg.gradient(one, 3.0) == (7.0,)

    @zg.adjoint(ruled)
    def _(x):
        return x * x, lambda y_bar: (100.0 * y_bar,)

    assert zg.gradient(other, 3.0) == (99.0,)


def test_what_was_assumed_of_recursion_is_not_told():
    assert zg.gradient(lambda x: recursive(x, 3), 2.0) == (32.0,)
    assert zg.gradient(lambda x: recursive(x, 2) * x, 2.0) == (32.0,)
    told = list(unit_of(recursive).told.values())
    assert told and all(checks.hold() and summary.result.active for summary, checks in told)


def test_only_so_many_are_kept(monkeypatch):
    from zygpy.derivation import told_before

    monkeypatch.setattr(told_before, "KEPT", 2)
    for value in (1.0, 1, np.float32(1), np.ones(2), np.ones((2, 2))):
        zg.pullback(lambda x: helper(x), value)
    assert 0 < len(unit_of(helper).told) <= 2


def test_what_is_written_is_told():
    def one(x):
        values = [0.0, x]
        return filled(values, x)[0]

    def other(x):
        values = [x, x]
        filled(values, x)
        return values[0] * values[1]

    assert zg.gradient(one, 3.0) == (6.0,)
    assert zg.gradient(other, 3.0) == (27.0,)
