"""Methods and items of whatever has them."""

from __future__ import annotations

from collections.abc import Mapping
from types import (
    BuiltinFunctionType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any

import numpy as np

from zygpy import dispatch
from zygpy.analyse import replaced
from zygpy.analyse.array_writes import writes_argument
from zygpy.derivation import no_rule_on
from zygpy.errors import UnsupportedSyntaxError, missing_rule
from zygpy.identity import construction, exceptions, generators, object_arrays, sets, subclasses, tuples
from zygpy.identity.attributes import by_object, read_attribute
from zygpy.identity.calls import (
    Argument,
    Bound,
    Trimmed,
    call,
    is_container,
    is_foreign,
    is_plain_data,
    made_by,
    reaches,
    untouched,
)
from zygpy.identity.classes import is_walked_by_c, python_method
from zygpy.identity.inherited import found_above, inherited_method
from zygpy.ir import core
from zygpy.ir.classes import HEAP_TYPE
from zygpy.ir.kinds import is_number, kind_of
from zygpy.load.signatures import has_only_fields
from zygpy.rules import custom, declare
from zygpy.runtime import exception_groups, places
from zygpy.runtime.accumulate import is_nothing
from zygpy.runtime.generators import is_generator
from zygpy.runtime.lookup import in_class, own_fields
from zygpy.runtime.native import CONTAINERS, SETS, is_copied_by_c, is_of_another_class, is_set, is_taken
from zygpy.runtime.object_arrays import holds_objects
from zygpy.runtime.partials import class_getitem
from zygpy.runtime.places import Ignored, read_entry, write_entry
from zygpy.runtime.protocols import stored_item
from zygpy.runtime.replaced import (
    extended,
    joined_along,
    joined_text,
    put_in_order,
    updated,
    with_slice,
)
from zygpy.runtime.shown import shown
from zygpy.runtime.ways import Way
from zygpy.runtime.writing_programs import WRITING_ITSELF


def method(way: Way, value: Any, name: str, /, *args: Any, **kwargs: Any) -> Any:
    """`value.name(*args, **kwargs)`; the first cotangent is the receiver's."""
    found = in_class(type(value), name, None)
    if type(found) is FunctionType and has_only_fields(value):
        return _of_object(way, value, name, found, args, kwargs)
    value = shown(value)
    if holds_objects(value) or object_arrays.gives_objects(value, name, args):
        return object_arrays.method(way, value, name, args, kwargs)
    if is_number(value) or (isinstance(value, np.ndarray) and python_method(value, name) is None):
        return _of_number(way, value, name, args, kwargs)
    if type(value) is super:
        return _of_super(way, value, name, args, kwargs)
    if is_generator(value):
        return generators.method(way, value, name, args)
    own = own_fields(value)
    if isinstance(found, FunctionType):
        return _of_object(way, value, name, found, args, kwargs)
    if name not in own and isinstance(found, BY_C):
        return _by_c(way, value, name, args, kwargs)
    return _other_method(way, value, name, args, kwargs, own)


def _of_object(way: Way, value: Any, name: str, found: FunctionType, args: Any, kwargs: Any) -> Any:
    """A method of an object whose class has a function by that name."""
    own = own_fields(value)
    if name not in own and _is_given(value, name, found):
        y, back = call(way, found, value, *args, **kwargs)
        return y, Trimmed(back, 0, 1)
    return _other_method(way, value, name, args, kwargs, own)


def _is_given(value: Any, name: str, found: FunctionType) -> bool:
    """Whether an object whose class says in Python what attributes are gives the method of the class."""
    if not isinstance(in_class(type(value), "__getattribute__", None), FunctionType):
        return True
    bound = getattr(value, name)
    return type(bound) is MethodType and bound.__func__ is found and bound.__self__ is value


def method_with_constants(way: Way, value: Any, name: str, /, *args: Any, **kwargs: Any) -> Any:
    """The same where what the method is given has no gradient."""
    value = shown(value)
    found = in_class(type(value), name, None)
    if type(value) is super or not isinstance(found, FunctionType | None):
        bound = _foreign_method(value, name)
        if bound is not None and all(map(is_plain_data, (*args, *kwargs.values()))):
            return bound(*args, **kwargs), Ignored(1 + len(args) + len(kwargs))
    return method(way, value, name, *args, **kwargs)


def _foreign_method(value: Any, name: str) -> Any:
    """A method that is not written in Python, of an object that holds nothing with a gradient; else None."""
    own = {} if type(value) is super else own_fields(value)
    if isinstance(value, type | BaseExceptionGroup) or is_number(value) or name in own:
        return None
    if name == "__call__":  # for which there may be a program, that knows what the object holds
        return None
    bound = getattr(value, name, None)
    owner = getattr(bound, "__self__", None)
    if owner is None or isinstance(owner, ModuleType | type) or not is_foreign(bound) or reaches(owner):
        return None
    return bound


BY_C = (MethodDescriptorType, WrapperDescriptorType)
"""The methods of builtin classes."""


def _by_c(way: Way, value: Any, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A method that is not written in Python."""
    if isinstance(value, CONTAINERS + SETS) and not is_taken(value, name, args, kwargs):
        return getattr(value, name)(*args, **kwargs), Ignored(1 + len(args) + len(kwargs))  # which raises
    stored = by_object(way, value, name, args)
    if stored is not None:
        return stored
    if name in FILLING and is_of_another_class(value):
        return subclasses.filled(way, value, args, kwargs)
    program = PROTOCOL.get(name) or program_of_method(value, name, args)
    if program is not None:
        y, back = call(way, program, value, *args, **kwargs)
        return y, Trimmed(back, 0, 1)
    if isinstance(value, CONTAINERS) and (isinstance(value, dict) or not kwargs):
        return subclasses.native_method(way, value, name, args, kwargs)
    if is_set(value):
        return sets.method(way, value, name, args, kwargs)
    if isinstance(value, SETS):
        return _of_other_set(value, name, args, kwargs)
    return _other_method(way, value, name, args, kwargs, {})


FILLING = ("extend", "update")
"""Methods by which a container takes what it holds from an iterable."""

PROTOCOL: Mapping[str, Any] = {"__next__": next, "__iter__": iter}
"""The functions that call methods of builtin iterators."""


def _is_without_numbers(value: Any) -> bool:
    """Whether a value is an array of texts or times."""
    return isinstance(value, np.ndarray) and value.dtype.kind in "SUMm"


def _is_floating(value: Any) -> bool:
    """Whether a value is a number with a fraction, or an array of such."""
    return (
        isinstance(value, np.ndarray | np.generic | float | complex) and np.asarray(value).dtype.kind in "fcO"
    )


def _of_number(way: Way, value: Any, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    if _is_without_numbers(value) and not any(map(_is_floating, args)):
        return getattr(value, name)(*args, **kwargs), Ignored(1 + len(args) + len(kwargs))
    ruled = custom.is_ruled(in_class(type(value), name))
    function = None if ruled else of_array(value, name, args, kwargs)
    if function is None:
        return made_by(way, dispatch.prepare_method, value, name, *args, **kwargs)
    y, back = call(way, function, value, *args, **kwargs)
    return y, Trimmed(back, 0, 1)


def of_array(value: Any, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """The function that stands for a method of an array which writes into an array; None for any other."""
    if not is_number(value):
        return None
    if isinstance(value, np.ndarray) and name in WRITING_ITSELF:
        return WRITING_ITSELF[name]
    function = declare.METHODS.get(name)
    atoms = tuple(core.Const(arg is None) for arg in (value, *args))
    named = tuple(core.Keyword(key, core.Const(0)) for key in kwargs)
    return function if writes_argument(function, atoms, named) else None


def _other_method(way: Way, value: Any, name: str, args: Any, kwargs: Any, own: Any) -> Any:
    if isinstance(value, tuple | str | bytes) and name not in own and _is_of_builtin(type(value), name):
        return made_by(way, dispatch.prepare_method, value, name, *args, **kwargs)
    function, read = read_attribute(way, value, name)
    if _is_method_by_c(function):
        made = exceptions.by_slot(way, function, args, kwargs) or tuples.by_function(
            way, function, args, kwargs
        )
        return made or untouched(function, args, kwargs)
    y, back = call(way, function, *args, **kwargs)
    return y, Read(back, read)


def _is_of_builtin(cls: type, name: str) -> bool:
    """Whether a method of a class is one that its builtin class has, or nobody has."""
    owner = next((base for base in cls.__mro__ if name in base.__dict__), object)
    return not owner.__flags__ & HEAP_TYPE


def _is_method_by_c(function: Any) -> bool:
    """Whether a function is a method bound to an object of a builtin class other than a container: what
    changes a container is followed, by whatever name its methods are called, and for methods of ufuncs that
    have derivatives there are programs."""
    if not isinstance(function, BuiltinFunctionType) or isinstance(function.__self__, ModuleType):
        return False
    if isinstance(function.__self__, np.ufunc) and replaced.has_program(function):
        return False
    return not isinstance(function.__self__, CONTAINERS)


def program_of_method(value: Any, name: str, args: tuple[Any, ...]) -> Any:
    """The program that stands for a method of a container that takes what it is given apart."""
    if is_set(value):
        return sets.program_of(name, args)
    if isinstance(value, BaseExceptionGroup):
        return exception_groups.PROGRAMS.get(name) if exception_groups.needs_program(value, args) else None
    if isinstance(value, list) and name == "sort":
        return put_in_order
    taken = len(args) == 1 and not is_walked_by_c(args[0], WITH_ITEMS)
    if taken and isinstance(value, str) and name == "join" and not isinstance(args[0], str):
        return joined_text
    if isinstance(value, list) and name == "extend" and taken:
        return extended
    pairs = len(args) == 1 and not is_copied_by_c(args[0])
    return updated if isinstance(value, dict) and name == "update" and pairs else None


WITH_ITEMS = (list, tuple, dict, np.ndarray)
"""What has its items, or keys, at once."""


def _of_super(way: Way, value: Any, name: str, args: Any, kwargs: Any) -> Any:
    """A method of the classes above, or of `object`."""
    made = inherited_method(way, value, name, args, kwargs)
    if made is not None:
        return made
    above = found_above(value, name)[0]
    if above is not None and issubclass(above, CONTAINERS) and isinstance(value.__self__, CONTAINERS):
        return subclasses.native_method(way, value.__self__, name, args, kwargs)
    if above is type and name == "__call__":
        made = construction.by_type(way, value.__self__, args, kwargs)
        if made is not None:
            return made
    stored = by_object(way, value.__self__, name, args) if above is object else None
    if stored is not None:
        return stored
    return _other_method(way, value, name, args, kwargs, {})


def _of_other_set(value: Any, name: str, args: Any, kwargs: Any) -> Any:
    """A method of a set of another class, whose elements are only asked for."""
    y = getattr(value, name)(*args, **kwargs)
    places.refuse_item(value, y)
    return y, places.Ignored(1 + len(args) + len(kwargs))


class Read:
    """The pullback of a call whose callee was an attribute."""

    def __init__(self, back: Any, read: Any) -> None:
        self.back, self.read = back, read

    def __call__(self, y_bar: Any, store: Any) -> Any:
        own, *rest = self.back(y_bar, store)
        return (*self.read(own, store), *rest)


def read_item(way: Way, value: Any, index: Any) -> Any:
    """`value[index]`."""
    value = shown(value)
    found = python_method(value, "__getitem__")
    if _is_unknown_array(value):
        raise no_rule_on("item", [kind_of(value)])
    if found is None and is_of_another_class(value) and subclasses.lacks(value, index):
        made = subclasses.missing(way, value, index)
        if made is not None:
            return made
    of_class = class_getitem(value) if found is None else None
    if of_class is not None:
        return call(way, of_class, value, index)
    if found is None:
        return read_entry(value, index)
    if value is np.r_ or value is np.c_:
        return _joined(way, value, index)
    _refuse_slices_of_numbers(index)
    return call(way, found, value, index)


def _is_unknown_array(value: Any) -> bool:
    """Whether a value is an array of records, or of a class of which nothing is known."""
    if not isinstance(value, np.ndarray | np.void) or is_number(value):
        return False
    return type(value) is not np.ndarray or value.dtype.kind == "V"


def _joined(way: Way, joiner: Any, index: Any) -> Any:
    """`np.r_[a, b]` and `np.c_[a, b]` of numbers, arrays and slices of whole numbers, behind a directive or
    none."""
    parts = index if isinstance(index, tuple) else (index,)
    whole = joiner[index]
    _refuse_slices_of_numbers(index)
    directed = isinstance(parts[0], str)
    directive, parts = (parts[:1], parts[1:]) if directed else ((), parts)
    if directive and directive[0] in ("r", "c"):
        raise missing_rule(type(joiner).__getitem__)
    steps = [place for place, part in enumerate(parts) if isinstance(part, slice)]
    arrays = tuple(joiner[(*directive, part)] if isinstance(part, slice) else part for part in parts)
    y, back = call(way, joined_along, arrays, whole.dtype, _axes_of(joiner, *directive))
    if np.shape(y) != whole.shape:  # axes are put in places that there are not
        raise missing_rule(type(joiner).__getitem__)
    return y, Joined(back, steps, single=not isinstance(index, tuple), directed=directed)


def _axes_of(joiner: Any, directive: str = "") -> tuple[int, int, int]:
    """Along which axis parts are joined, how many they have at least, and where their own stand in these."""
    given = [int(number) for number in directive.split(",") if number]
    default = [joiner.axis, joiner.ndmin, joiner.trans1d]
    axis, least, place = given + default[len(given) :]
    return axis, least, place


class Joined:
    """The pullback of `np.r_` or `np.c_`, for the index that they were given."""

    def __init__(self, back: Any, steps: list[int], *, single: bool, directed: bool) -> None:
        self.back, self.steps, self.single, self.directed = back, steps, single, directed

    def __call__(self, y_bar: Any, store: Any) -> Any:
        bar = self.back(y_bar, store)[1]
        if self.steps and bar is not None:
            bar = tuple([None if place in self.steps else one for place, one in enumerate(bar)])
        if self.directed and bar is not None:
            bar = (None, *bar)
        return (None, None, bar[0] if self.single and bar is not None else bar)


def _refuse_slices_of_numbers(index: Any) -> None:
    """Refuse numbers in a slice that a method is given: a slice has no cotangent."""
    for part in index if isinstance(index, tuple) else (index,):
        bounds = (part.start, part.stop, part.step) if isinstance(part, slice) else ()
        if not all(bound is None or isinstance(bound, int | np.integer) for bound in bounds):
            raise UnsupportedSyntaxError(
                "a slice with bounds that are no integers is given to a method.",
                why="what becomes of the bounds is not recorded",
                instead="give them to a function, or in a tuple",
            )


class Indexed:
    """The pullback of a change of an item by a method, which may not have computed with the index."""

    def __init__(self, back: Any, position: int) -> None:
        self.back, self.position = back, position

    def __call__(self, store: Any) -> Any:
        bars = self.back(None, store)
        refuse_computed_index(bars)
        return bars[self.position]


def refuse_computed_index(bars: Any) -> None:
    """Refuse the cotangent of an index where an item is changed."""
    if not is_nothing(bars[2]):
        raise UnsupportedSyntaxError(
            "a method that changes an item computes with the index.",
            why="where the index came from is not recorded",
            instead="give it to a method that is called by its name",
        )


def write_item(way: Way, value: Any, index: Any, stored: Any) -> Any:
    """`value[index] = stored`; called with the store, what is returned is the cotangent of `stored`."""
    found = python_method(value, "__setitem__")
    if _is_unknown_array(value):
        raise missing_rule(type(value).__setitem__)
    whole = isinstance(value, list) and isinstance(index, slice)
    if found is None and whole and not is_walked_by_c(stored, (list, tuple, np.ndarray)):
        found = with_slice
    if found is None:
        return write_entry(value, index, stored)
    _refuse_slices_of_numbers(index)
    _, back = call(way, found, value, index, stored)
    return Argument(back, 3) if found is with_slice else Indexed(back, 3)


def stored_with_index(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`value[index] = stored` as a call, whose pullback gives the index's cotangent; None for any other."""
    if function is not stored_item:
        return None
    value, index, stored = args
    found = python_method(value, "__setitem__")
    if found is not None:
        return None, call(way, found, value, index, stored)[1]
    return None, StoredItem(write_item(way, value, index, stored))


class StoredItem:
    """The pullback of such a call where no method in Python is given the index."""

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (None, None, None, self.back(store))


def delete_item(way: Way, value: Any, index: Any) -> Any:
    """`del value[index]`."""
    found = python_method(value, "__delitem__")
    if found is None:
        return places.delete_entry(value, index)
    _, back = call(way, found, value, index)
    return Indexed(back, 2)


def _is_of_c_code(function: Any) -> bool:
    """Whether a function is a bound method of the C code of a container's class, in front of which there may
    be one in Python by the same name."""
    if isinstance(function, MethodWrapperType):
        return is_container(function.__self__)
    if not isinstance(function, BuiltinFunctionType) or not is_container(function.__self__):
        return False
    return python_method(function.__self__, function.__name__) is not None


def of_container(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A bound method of a list, dict or set; that of the C code of its class too, and one of an array that
    writes into it."""
    if _is_of_c_code(function):
        y, back = subclasses.native_method(way, function.__self__, function.__name__, args, kwargs)
        return y, Bound(back)
    by_c = isinstance(function, BuiltinFunctionType | MethodWrapperType)
    owner = function.__self__ if by_c else None
    writing = isinstance(owner, np.ndarray) and function.__name__ in WRITING_ITSELF
    if not (is_container(owner) or is_set(owner) or writing):
        return None
    y, back = method(way, owner, function.__name__, *args, **kwargs)
    return y, Bound(back)


def chosen(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`max` and `min` by a key that may do something, or of what may be changed."""
    if function is not max and function is not min:
        return None
    given = [kind_of(value) for value in args]
    program = replaced.chosen(function, given, kwargs, kind_of(kwargs.get("key")))
    return None if program is None else call(way, program, *args, **kwargs)
