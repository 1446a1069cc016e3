"""A refusal that leaves a `with` leaves nothing closed or turned away that the context manager puts back."""

from __future__ import annotations

import contextlib
import io
import sys
import threading
from typing import Any

import pytest

import zygpy as zg
from zygpy import units


class Changing:
    """What changes when it is asked for its text, which is refused inside of a list."""

    def __init__(self, value: float) -> None:
        self.value = value

    def __repr__(self) -> str:
        self.value = self.value * 2
        return "Changing"


LOCK = threading.Lock()


def with_a_lock(x: float) -> Any:
    inside = Changing(x)
    with LOCK:
        text = str([inside])
    return inside.value * len(text)


def with_another_output(x: float) -> Any:
    inside = Changing(x)
    with contextlib.redirect_stdout(io.StringIO()):
        print([inside])
    return inside.value


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize("program", [with_a_lock, with_another_output])
def test_the_manager_is_told(program: Any, *, specialise: bool) -> None:
    output = sys.stdout
    with units.options(specialise=specialise), pytest.raises(zg.UnsupportedSyntaxError, match="what is in"):
        zg.gradient(program, 2.0)
    assert not LOCK.locked()
    assert sys.stdout is output
