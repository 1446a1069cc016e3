"""The table of rules in the documentation is that of the declarations."""

from __future__ import annotations

import sys

from tests.rules import names, table

OLDEST = sys.version_info[:2] == (3, 11)
"""Whether this is the Python, with the libraries, that the table is made with."""


def test_the_table_is_up_to_date() -> None:
    found, made = table.FILE.read_text(encoding="utf-8"), table.text()
    if not OLDEST:  # other versions of libraries have other functions, and more of them in Python
        found, made = both_known(found, made), both_known(made, found)
    assert found == made, "run `python -m tests.rules.table`"


def both_known(text: str, other: str) -> str:
    """The rows of one text for functions that have rules in both."""
    names_there = {name for name, row in rows_of(other) if has_rule(row)}
    return "\n".join(row for name, row in rows_of(text) if has_rule(row) and name in names_there)


def rows_of(text: str) -> list[tuple[tuple[str, str], str]]:
    """Each row with its module and name."""
    found = []
    for part in text.split("\n## ")[1:]:
        module, *lines = part.splitlines()
        rows = [line for line in lines if line.startswith("| `")]
        found += [((module, row.split("`")[1].partition("(")[0]), row) for row in rows]
    return found


def has_rule(row: str) -> bool:
    """Whether a row is that of a rule, not of what is entered or of a program."""
    return row.split(" | ")[1] not in ("entered", "a program")


def test_every_listed_name_has_a_row() -> None:
    text = table.FILE.read_text(encoding="utf-8")
    for name in names.listed_names():
        module, _, attribute = name.rpartition(".")
        rows = text.partition(f"## {module}\n")[2].partition("\n## ")[0]
        assert f"\n| `{attribute}`" in rows or f"\n| `{attribute}(" in rows, name


def test_what_rows_say() -> None:
    text = table.FILE.read_text(encoding="utf-8")
    assert "\n| `exp(x)` | x: `times(y_bar, conj(y))` |  |  |\n" in text
    assert "\n| `argmax(" in text
    assert "not by v: by the order" in text
    assert "\n| `norm` | `" in text
