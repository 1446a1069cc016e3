"""The table of rules in the documentation is that of the declarations."""

from __future__ import annotations

from tests.rules import names, table


def test_the_table_is_up_to_date() -> None:
    assert table.FILE.read_text(encoding="utf-8") == table.text(), "run `python -m tests.rules.table`"


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
