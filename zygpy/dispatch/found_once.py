"""Second derivatives of programs that find what they change by two names, which no derivative follows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zygpy.derivation import ELSEWHERE
from zygpy.errors import UnsupportedSyntaxError, dotted_name
from zygpy.prepared import Prepared
from zygpy.runtime.found_elsewhere import finds_any_of


def check_found_once(function: Any, args: Sequence[Any], prepared: Prepared) -> None:
    """Refuse the second derivative of a function that writes to its argument and finds it by another name
    too: what is read by that a gradient of a gradient does not follow."""
    pair = prepared.pair
    by_parameter = bool(pair.writes or set(pair.changes) - {ELSEWHERE})
    if (by_parameter or pair.outside) and finds_any_of(function, args, unknown=False):
        raise UnsupportedSyntaxError(
            f"second derivatives of '{dotted_name(function)}', which "
            + ("writes to its argument." if by_parameter else "writes to what is its argument, too."),
            why="it finds what it writes to by another name too, as a global or captured variable",
            instead="read and write the argument by the parameter's name alone, or give the function a copy",
        )
