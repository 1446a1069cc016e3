"""Names that are not taken."""

from __future__ import annotations

from zygpy.ir.names import Names


def test_temporaries_of_programs_that_have_thousands() -> None:
    names = Names(f"t_{number}" for number in range(1, 5001))
    assert [names.temporary(), names.temporary()] == ["t_5001", "t_5002"]


def test_temporaries_between_names_that_are_taken() -> None:
    names = Names({"t_2", "t_3"})
    assert [names.temporary(), names.temporary()] == ["t_1", "t_4"]
