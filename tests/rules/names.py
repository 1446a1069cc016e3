"""The public functions of NumPy and SciPy that `coverage.csv` lists, and whether zygpy covers them."""

from __future__ import annotations

import csv
import importlib
from pathlib import Path
from typing import Any

from tests.rules import entered_calls, reference
from zygpy import rules
from zygpy.analyse import replaced
from zygpy.rules import declare
from zygpy.runtime.writing_programs import WRITING

HERE = Path(__file__).parent
ABSENT = object()
DISTRIBUTIONS = {"continuous distribution", "discrete distribution", "multivariate distribution"}
"""Sorts of names that are objects with methods of their own."""


def listed_names() -> list[str]:
    """The names of functions, methods and attributes in `coverage.csv`, in its order."""
    with (HERE / "coverage.csv").open(encoding="utf-8") as file:
        return [row["name"] for row in csv.DictReader(file) if row["derivative"] not in DISTRIBUTIONS]


def reasons(file_name: str, *key: str) -> dict[tuple[str, ...], str]:
    """The rows of a file with the columns of `key`, and one with the reason."""
    with (HERE / file_name).open(encoding="utf-8") as file:
        return {tuple(row[column] for column in key): row["reason"] for row in csv.DictReader(file)}


def resolved(name: str) -> Any:
    """What a name means in the installed version, `ABSENT` where that has none."""
    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(module), attribute, ABSENT)


def is_covered(name: str) -> bool | None:
    """Whether a name has a rule, a program that stands for it, or a call that shows that it is entered.

    None where the installed version has no such function.
    """
    if name in entered_calls.ENTERED:
        return True
    owner, _, attribute = name.rpartition(".")
    if owner == "ndarray":
        return attribute in {*declare.METHODS, *declare.ATTRIBUTES, *WRITING}
    function = resolved(name)
    if function is ABSENT:
        return None
    if declare.find(function) is not None:
        return True
    return replaced.has_program(function) and not is_refused(function)


def is_refused(function: Any) -> bool:
    """Whether the program that stands for a function does nothing but say why it is refused."""
    declared = declare.PROGRAMS.get(function)
    return declared is not None and declared.program.__code__.co_names == ("refuse", "opaque")


def load_everything() -> None:
    """Import what the names are in, so that the rules about it are there."""
    for name in listed_names():
        owner = name.rpartition(".")[0]
        if owner != "ndarray":
            importlib.import_module(owner)
    reference.load_all_rules()
    rules.load()
