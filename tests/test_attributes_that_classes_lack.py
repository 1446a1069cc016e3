"""What a class has not is asked of it where it does not matter: the gradient is derived once all the same."""

from __future__ import annotations

from typing import Any

import pytest

import zygpy as zg
from zygpy import pipeline


class Short:
    rate = 2.0


class Long(Short):
    more = 3.0


def scaled(x: float, method: Any) -> float:
    if method is Long:
        return x**2 * method.rate * method.more
    return x**2 * method.rate


def test_a_class_without_the_attribute_is_derived_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert zg.gradient(scaled, 1.5, Short)[0] == 6.0
    monkeypatch.setattr(pipeline, "derive", None)  # nothing is derived any more
    assert zg.gradient(scaled, 2.5, Short)[0] == 10.0


def test_it_is_derived_anew_when_the_class_gets_the_attribute(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x: float, method: Any) -> Any:
        try:
            return x * method.late
        except AttributeError:
            return x * method.rate

    assert zg.gradient(f, 1.5, Short)[0] == 2.0
    monkeypatch.setattr(Short, "late", 5.0, raising=False)
    assert zg.gradient(f, 1.5, Short)[0] == 5.0
    monkeypatch.delattr(Short, "late")
    assert zg.gradient(f, 1.5, Short)[0] == 2.0
