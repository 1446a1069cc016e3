"""Second derivatives of programs that find what they change by two names, which no derivative follows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from zygpy.derivation import ELSEWHERE
from zygpy.errors import UnsupportedSyntaxError, dotted_name
from zygpy.prepared import Prepared
from zygpy.runtime.found_elsewhere import finds_any_of
from zygpy.runtime.storage import overlap


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


def check_given_once(function: Any, args: Sequence[Any], prepared: Prepared) -> None:
    """Refuse the second derivative of a function whose things are found by identity and that is given one
    array twice, which it does not change: what comes in by the one name is not told from what comes in by the
    other."""
    pair = prepared.pair
    if pair.identity and not set(pair.changes) - {ELSEWHERE} and share_memory(args):
        raise UnsupportedSyntaxError(
            f"second derivatives of '{dotted_name(function)}', which is given one array twice.",
            why="its things are found by identity, and its arguments are one thing in differentiated code",
            instead="give it a copy of one of them",
        )


def share_memory(args: Sequence[Any]) -> bool:
    """Whether two of the arguments are arrays in the same memory.

    >>> rows = np.ones((2, 2))
    >>> share_memory([rows, 1.0, rows[0]]), share_memory([rows, rows.copy(), [rows]])
    (True, False)
    """
    arrays = [value for value in args if type(value) is np.ndarray]
    return len(arrays) > 1 and overlap(arrays)
