"""Tangents of what is found when the code runs to be an object, or a container: what its class says of
attributes, methods, items and operators is done to it, and to its tangent beside it.

Each door has its work in a function in plain Python, which is what is differentiated in reverse mode.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zygpy.pushed.asking import generator_made, iterated
from zygpy.pushed.attributes import attribute_read, attribute_stored
from zygpy.pushed.found import pushed_by_rule
from zygpy.pushed.methods import function_called, method_called
from zygpy.pushed.operators import changed, operated
from zygpy.runtime.instead import ENTRIES
from zygpy.runtime.zeros import Carried


def pushed_operation(operation: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """What an operator gives for operands that are not known before, and its tangent; in `dots` is None
    for what has no tangent.

    Raises CannotPush before anything is done where the operands are no numbers and arrays, no lists or tuples
    that are joined, and no objects whose classes say in Python what is done.
    """
    return operated(operation, args, dots)


def pushed_call(
    function: Any, carried: Any, args: tuple[Any, ...], dots: tuple[Any, ...], changing: bool
) -> tuple[Any, Any]:
    """What a function or class that is not known before gives, and its tangent; `carried` is the tangent of
    the function itself. It may write to what it is given, or carries, if that is `changing`: then everything
    that may be changed has its one tangent.

    Raises CannotPush before anything is done where there is no tangent function for that.
    """
    return function_called(function, carried, args, dots, changing)


def pushed_generator(
    function: Any, names: tuple[str, ...], args: tuple[Any, ...], dots: tuple[Any, ...]
) -> tuple[Any, Any]:
    """The generator that a function gives which is defined in the program: behind its arguments are the
    variables that it captures and that have tangents, or their cells, which have these `names`.

    Raises CannotPush before anything is done where there is no tangent function for that.
    """
    return generator_made(function, names, args, dots)


def pushed_iteration(args: tuple[Any], dots: tuple[Any]) -> tuple[Any, Any]:
    """What is walked over in place of an object whose class says in Python how, and its tangent; anything
    else is walked over itself.

    Raises CannotPush before anything is done where there is no tangent function for that.
    """
    return iterated(args, dots)


def pushed_method(name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """The same of a method; the object, and its tangent, come first.

    Raises CannotPush where it is no method that is written in Python, of an object with a partner, and none
    of a list, a dict or an array that is known.
    """
    return method_called(name, args, dots)


def pushed_store(name: str, args: tuple[Any, Any], dots: tuple[Any, Any]) -> tuple[None, None]:
    """The assignment of an attribute of an object, which comes first, and of its partner's.

    Raises CannotPush where that is perhaps more than to set a field.
    """
    return attribute_stored(name, args, dots)


def pushed_attribute(name: str, args: tuple[Any], dots: tuple[Any]) -> tuple[Any, Any]:
    """The same of an attribute: a field, what a property gives, or a constant that the class has.

    Raises CannotPush where it is none of these.
    """
    return attribute_read(name, args, dots)


def pushed_change(operation: Any, args: tuple[Any, Any], dots: tuple[Any, Any]) -> tuple[Any, Any]:
    """What `x op= v` makes of an x that is not known before, and its tangent.

    Raises CannotPush where that is none of those that `pushed_operation` knows, and no array or list that is
    changed in place.
    """
    return changed(operation, args, dots)


DOORS: Mapping[str, Callable[..., Any]] = {
    "rule": pushed_by_rule,
    "operation": pushed_operation,
    "call": pushed_call,
    "generator": pushed_generator,
    "iteration": pushed_iteration,
    "attribute": pushed_attribute,
    "method": pushed_method,
    "store": pushed_store,
    "change": pushed_change,
}
"""What finds tangents when the code runs, by name."""


ENTRIES.update(
    {
        Carried: "carried",
        pushed_call: "door",
        pushed_generator: "generator",
        pushed_iteration: "generator",
        pushed_operation: "operation",
        pushed_change: "change",
        pushed_method: "method",
        pushed_attribute: "attribute",
    }
)
