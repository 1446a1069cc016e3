"""What the run-time door refuses, and why."""

from __future__ import annotations

from zygpy.derivation import ELSEWHERE
from zygpy.errors import UnsupportedSyntaxError
from zygpy.prepared import Prepared
from zygpy.runtime.lookup import AT_ITS_END, acts_at_its_end


def unseen_write(prepared: Prepared, what: str = "") -> UnsupportedSyntaxError:
    """The error for a write that the caller's adjoint does not know of."""
    program = prepared.pair.program
    names = [name if name == ELSEWHERE else f"'{name}'" for name in prepared.pair.changes]
    written = what or ", ".join(names)
    return UnsupportedSyntaxError(
        f"'{program.name}' changes {written} in place and is called by a name that was not "
        "known when the caller was derived.",
        why="the caller's adjoint would have to undo the write",
        instead="call the function by its own name, or let it return what it computes",
    )


def overlapping_arguments(prepared: Prepared) -> UnsupportedSyntaxError:
    """The error for a call that writes one of two arguments which share memory."""
    return UnsupportedSyntaxError(
        f"'{prepared.pair.program.name}' writes an argument in place that shares memory with another one.",
        why="the adjoint keeps the cotangents of different arguments apart",
        instead="pass a copy of one of them",
    )


def made_late(cls: type) -> UnsupportedSyntaxError:
    """The error for a class that is found when it is called, by a caller who knows nothing of objects."""
    return UnsupportedSyntaxError(
        f"the class '{cls.__qualname__}' is called, which was not known when the caller was derived.",
        why="the fields of its objects have gradients, which the caller's adjoint would have to follow",
        instead="read the class by a name in the function that calls it, or call it by its own name",
    )


def read_past(name: str) -> UnsupportedSyntaxError:
    """The error for what a function carries that is read by a caller who did not expect a function."""
    return UnsupportedSyntaxError(
        f"'{name}' of a function is read, which was not known to be one when its reader was derived.",
        why="the cotangents of what a function carries are found when it is called",
        instead="call the function, or read it where the function is made",
    )


def intercepted(cls: type) -> UnsupportedSyntaxError:
    """The error for attributes that are not what they are called."""
    return UnsupportedSyntaxError(
        f"'{cls.__name__}' has a '__getattribute__' of its own.",
        why="which field an attribute stands for is not known then",
        instead="use properties",
    )


def refuse_acting(cls: type) -> None:
    """Refuse objects that run code when nothing holds them any more."""
    if acts_at_its_end(cls):
        raise UnsupportedSyntaxError(
            f"an object of '{cls.__name__}', which has a '__del__' of its own, is made or changed.",
            why=AT_ITS_END[0],
            instead=AT_ITS_END[1],
        )


def kept_unseen(value: object, name: str) -> UnsupportedSyntaxError:
    """The error for a property that is kept, of an object of which its reader knew nothing."""
    return UnsupportedSyntaxError(
        f"'{name}' of a {type(value).__name__} is computed and kept by the object, which was not known when "
        "its reader was derived.",
        why="the reader's adjoint would have to undo the write",
        instead="use a property that keeps nothing, or read it once before",
    )
