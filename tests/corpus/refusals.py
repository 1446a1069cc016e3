"""What is refused for now: every entry of `refused.txt` must raise a clear refusal, and nothing else may.

A line is: what ("value": the call of `pullback`, "back": its pullback, "gradient": the gradient of a
weighted sum of the result, "second": the second derivative), how the program was derived ("specialised"
or "generic"), and the program with the number of its argument set. When something is no longer refused
its line must go.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

import pytest

import zygpy

REFUSALS = (zygpy.UnsupportedSyntaxError, zygpy.MissingRuleError)
FILE = Path(__file__).parent / "refused.txt"


@functools.cache
def refused() -> frozenset[str]:
    """The lines of the file, comments left out."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


def entry(what: str, case: tuple[str, int], *, specialised: bool = True) -> str:
    """The line for a case."""
    return f"{what} {'specialised' if specialised else 'generic'} {case[0]}-{case[1]}"


def judged(what: str, case: tuple[str, int], check: Callable[[], None], *, specialised: bool = True) -> None:
    """Run a check that must pass, or that must be refused with a reason if it is listed."""
    if entry(what, case, specialised=specialised) not in refused():
        check()
        return
    with pytest.raises(REFUSALS, match="Why: "):
        check()
