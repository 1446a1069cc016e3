"""Dates and times, which are made of integers that have no gradient."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

import zygpy as zg
from zygpy.testing import check_gradient


class Kept:
    """An object that keeps whatever it is given."""

    parts: Any
    when: Any


def parts_of(x: Any) -> Any:
    kept = Kept()
    kept.parts = [int(x), int(x) + 1, x * 2]
    return kept


def of_a_date(x: Any) -> Any:
    return x * dt.datetime(2020, 1, int(x) + 1).day


def of_parts_in_a_list(x: Any) -> Any:
    kept = parts_of(x)
    month, day, factor = kept.parts
    kept.when = dt.datetime(2020, month, day, hour=month)
    kept.parts.append(factor)
    return kept.when.day * kept.parts[-1] * kept.when.hour + x * dt.time(day).hour


def of_days_between(x: Any) -> Any:
    kept = parts_of(x)
    kept.when = dt.datetime(2020, kept.parts[0], kept.parts[1])
    since = kept.when - dt.datetime(2020, 1, 1)
    return since.days * x * x + (kept.when > dt.datetime(2019, 1, 1)) * x


@pytest.mark.parametrize("function", [of_a_date, of_parts_in_a_list, of_days_between])
def test_dates_that_are_computed(function: Any) -> None:
    assert zg.pullback(function, 3.5)[0] == function(3.5)
    check_gradient(function, 3.5)


def test_a_duration_that_has_a_gradient_is_refused() -> None:
    def lasting(x: Any) -> Any:
        return (dt.datetime(2020, 1, 1) + dt.timedelta(days=x)).timestamp()

    with pytest.raises(zg.MissingRuleError, match="timedelta"):
        zg.gradient(lasting, 1.5)


def test_a_day_has_no_gradient() -> None:
    assert zg.gradient(lambda n: dt.date(2020, 1, n).day * 1.0, 3) == (None,)
