"""Public functions of NumPy and of parts of SciPy are covered, or listed with the reason why they are not."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from tests.rules import entered_calls, names
from zygpy.testing import check_gradient

NOT_COVERED = "not_covered.csv"


@pytest.fixture(scope="module", autouse=True)
def _rules_of_everything() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        names.load_everything()


def listed() -> list[str]:
    return [name for (name,) in names.reasons(NOT_COVERED, "name")]


def test_every_name_is_covered_or_listed() -> None:
    known = set(listed())
    missing = [name for name in names.listed_names() if names.is_covered(name) is False and name not in known]
    assert missing == []


def test_what_is_listed_is_not_covered() -> None:
    assert [name for name in listed() if names.is_covered(name)] == []


def test_the_list_is_sorted_and_says_why() -> None:
    assert listed() == sorted(set(listed()))
    assert set(listed()) <= set(names.listed_names())
    assert all(names.reasons(NOT_COVERED, "name").values())


INSTALLED = [
    name
    for name in entered_calls.ENTERED
    if name.startswith("ndarray") or names.resolved(name) is not names.ABSENT
]
"""Those that the installed versions have."""


@pytest.mark.parametrize("name", INSTALLED)
def test_entered_functions_agree_with_differences(name: str) -> None:
    program, args = entered_calls.ENTERED[name]
    before = [np.copy(arg) for arg in args]
    check_gradient(program, *args)
    for arg, copy in zip(args, before, strict=True):
        assert np.array_equal(arg, copy)


@pytest.mark.parametrize("name", entered_calls.FUNCTIONS)
def test_programs_call_what_they_are_about(name: str) -> None:
    program, _ = entered_calls.ENTERED[name]
    assert name.rpartition(".")[2] in program.__code__.co_names
