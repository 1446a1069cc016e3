"""Which callables are known by what, in the order in which they are asked."""

from __future__ import annotations

import inspect
from types import (
    BuiltinFunctionType,
    FunctionType,
    MappingProxyType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any, NewType
from weakref import ReferenceType

import numpy as np

from zygpy.analyse.array_writes import is_numpys
from zygpy.identity import (
    array_writes,
    as_data,
    attributes,
    augmented,
    bypassed,
    construction,
    copies,
    exceptions,
    generators,
    inherited,
    iteration,
    methods,
    object_arrays,
    operators,
    partials,
    questions,
    sets,
    sharing,
    subclasses,
    tuples,
    weak,
    wrappers,
)
from zygpy.identity.attempts import Knowing, knowing
from zygpy.ir.classes import HEAP_TYPE
from zygpy.ir.kinds import is_number
from zygpy.runtime.accumulate import containers_now
from zygpy.runtime.array_writes import add_to_items, subtract_from_items
from zygpy.runtime.cells import cell_of, made_class, with_shared_cells
from zygpy.runtime.copies import duplicate, duplicate_deeply
from zygpy.runtime.copies_beside import copied_beside
from zygpy.runtime.exception_groups import left_over, taken_from
from zygpy.runtime.generators import delegated
from zygpy.runtime.iteration import left_alone, taken_apart, walked, watched
from zygpy.runtime.lazy import ASKING, LAZY, sought
from zygpy.runtime.lookup import is_among
from zygpy.runtime.native import is_of_another_class, plain_dict
from zygpy.runtime.object_arrays import any_hold_objects
from zygpy.runtime.partials import label
from zygpy.runtime.protocols import asked, changed_item, stored_item
from zygpy.runtime.replaced import put_in_order
from zygpy.runtime.standard_library import done_to_list
from zygpy.runtime.writing_programs import writing_program

BUILTIN = (BuiltinFunctionType,)
SLOTS = (BuiltinFunctionType, MethodWrapperType, WrapperDescriptorType)
ANY = (object,)


def _is_not_on_numbers(function: Any, given: tuple[Any, ...]) -> bool:
    """Whether anything else than numbers and arrays of such is given."""
    return not all(map(is_number, given))


def _asks(function: Any) -> bool:
    return function is asked or is_among(function, questions.QUESTIONS)


def _is_about_generators(function: Any) -> bool:
    """Whether a callable is a generator function, a lazy builtin, one that asks an iterator for items, or
    something that may turn out to be one of these."""
    if type(function) is FunctionType:
        own = function in (delegated, left_alone, sought)
        return own or bool(function.__code__.co_flags & inspect.CO_GENERATOR)
    of_class = bool(type(function).__flags__ & HEAP_TYPE) and not isinstance(function, type)
    of_class = of_class or isinstance(function, MethodType | FunctionType)
    return of_class or function is next or is_among(function, ASKING) or is_among(function, LAZY)


def _is_given_a_class(function: Any, given: tuple[Any, ...]) -> bool:
    return bool(given) and isinstance(given[0], type)


def _combines_sets(function: Any) -> bool:
    return not isinstance(function, BuiltinFunctionType) or function in sets.OPERATORS


def _refers_weakly(function: Any) -> bool:
    if isinstance(function, type):
        return function is MappingProxyType or issubclass(function, ReferenceType)
    return not isinstance(function, BuiltinFunctionType) or function.__self__ is ReferenceType


def _takes_lists(function: Any, given: tuple[Any, ...]) -> bool:
    return any(map(is_of_another_class, given))


def _writes(function: Any) -> bool:
    return writing_program(function) is not None


def _is_about_object_arrays(function: Any, given: tuple[Any, ...]) -> bool:
    made = any(function is one for one in (*object_arrays.MAKING, np.full))
    return made or any_hold_objects(given)


def _augments(function: Any) -> bool:
    return not isinstance(function, BuiltinFunctionType) or function in augmented.SYMBOLS


def _is_about_exceptions(function: Any) -> bool:
    of_one = isinstance(getattr(function, "__self__", None), BaseException)
    return of_one or not isinstance(function, BuiltinFunctionType) or function.__name__ == "__new__"


def _is_about_attributes(function: Any) -> bool:
    return attributes.is_about_attributes(function)


def _is_of_a_thing(function: Any) -> bool:
    return not isinstance(function.__self__, ModuleType)


def _is_operator(function: Any, given: tuple[Any, ...]) -> bool:
    of_class = isinstance(function, type) and not is_among(function, operators.UNARY)
    return not of_class and _is_not_on_numbers(function, given)


def _is_given_data(function: Any, given: tuple[Any, ...]) -> bool:
    """Whether times are given, or to code in C what is a number in another form."""
    if given and type(given[0]) in as_data.TIMES:
        return True
    in_c = isinstance(function, BuiltinFunctionType) or is_numpys(function)
    return in_c and _is_not_on_numbers(function, given)


KNOWN: list[Knowing] = [
    knowing(operators.on_objects, types=BUILTIN, where=_is_not_on_numbers),
    knowing(inherited.proxied, [super]),
    knowing(questions.by_function, types=(BuiltinFunctionType, type, FunctionType), such=_asks),
    knowing(generators.by_function, types=ANY, such=_is_about_generators),
    knowing(iteration.by_function, [walked, watched, taken_apart, iter, next], (MethodWrapperType,)),
    knowing(copies.by_function, [tuple, containers_now, duplicate, duplicate_deeply, copied_beside]),
    knowing(bypassed.by_function, [plain_dict, done_to_list, put_in_order]),
    knowing(sets.by_function, [set, frozenset], (MethodDescriptorType, *BUILTIN), _combines_sets),
    knowing(sharing.by_function, [cell_of, made_class, with_shared_cells]),
    knowing(construction.construct, types=(type, NewType, *construction.ALIASES)),
    knowing(tuples.by_function, types=(FunctionType, *BUILTIN), where=_is_given_a_class),
    knowing(partials.by_function, [partials.PARTIAL], (partials.PARTIAL,)),
    knowing(wrappers.by_function, [label]),
    knowing(subclasses.unbound, types=(MethodDescriptorType, WrapperDescriptorType)),
    knowing(weak.by_function, types=(type, ReferenceType, *SLOTS), such=_refers_weakly),
    knowing(subclasses.listed_for_a_rule, types=ANY, where=_takes_lists),
    knowing(array_writes.added_at, [add_to_items, subtract_from_items]),
    knowing(array_writes.by_program, types=ANY, such=_writes),
    knowing(object_arrays.by_function, types=ANY, where=_is_about_object_arrays),
    knowing(augmented.by_function, [changed_item], BUILTIN, _augments),
    knowing(exceptions.by_slot, [taken_from, left_over]),
    knowing(exceptions.by_slot, types=(MethodType, *SLOTS), such=_is_about_exceptions),
    knowing(attributes.by_function, types=SLOTS, such=_is_about_attributes),
    knowing(methods.of_container, types=(BuiltinFunctionType, MethodWrapperType), such=_is_of_a_thing),
    knowing(methods.stored_with_index, [stored_item]),
    knowing(methods.chosen, [max, min]),
    knowing(operators.chosen, [max, min]),
    knowing(operators.by_protocol, types=(type, *BUILTIN), where=_is_operator),
    knowing(as_data.by_function, types=ANY, where=_is_given_data),
]
