"""The run-time door: any callable and any arguments -> value and pullback.

`pull` is what `pullback`, and generated code for callees that it cannot know, go through. The `back`
of every door returns a flat tuple: a cotangent for the callee (or receiver) itself, then one for
each positional and each keyword argument, in order.
"""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from zygpy import derivation, nested, rules, units
from zygpy.analyse.array_writes import writes_argument
from zygpy.analyse.containers import is_record
from zygpy.analyse.machinery import WRITING_DOORS
from zygpy.analyse.replaced import BY_CODE, program_at_once
from zygpy.derivation import ELSEWHERE
from zygpy.errors import (
    MissingRuleError,
    SourceNotFoundError,
    UnsupportedSyntaxError,
    dotted_name,
    missing_rule,
)
from zygpy.ir import core
from zygpy.ir.kinds import (
    Dict,
    Iterator,
    Kind,
    List,
    Text,
    Tuple,
    carries_gradient,
    carries_values,
    is_number,
    is_numeric,
    kind_of,
)
from zygpy.layout import Group, Layout, Nothing, Part, Row, of_call, plain
from zygpy.load.code import annotate
from zygpy.load.code import locate_refused as locate_refused
from zygpy.load.guards import check_not_replaced
from zygpy.load.known import is_known_elsewhere
from zygpy.pipeline import pair_at_once, pair_for, values_of
from zygpy.prepared import ByIdentity, Prepared, Pullback, shared_by
from zygpy.rules import custom, declare
from zygpy.runtime import methods
from zygpy.runtime.caches import entered_again, is_settled
from zygpy.runtime.callables import arrays_found_by, functions_in
from zygpy.runtime.changes import Contents, can_be_changed
from zygpy.runtime.draw_programs import is_drawing, program_of_draw
from zygpy.runtime.generators import is_generator, none_left
from zygpy.runtime.given import hold_numbers
from zygpy.runtime.levels import is_deeper
from zygpy.runtime.lookup import in_class, own_fields
from zygpy.runtime.numbers import plain_number
from zygpy.runtime.operations import BINARY, UNARY
from zygpy.runtime.partials import (
    CACHED,
    CARRIED,
    FUNCTION,
    carried_values,
    is_generic,
    name_of_wrapped,
    not_captured,
    position,
)
from zygpy.runtime.reads import reads_data
from zygpy.runtime.records import read_attribute, read_method
from zygpy.runtime.replaced import itself
from zygpy.runtime.special_methods import DESCRIPTORS, is_method_of, operator_for
from zygpy.runtime.standard_library import GETTERS, as_function
from zygpy.runtime.storage import overlap
from zygpy.runtime.store import described
from zygpy.runtime.ways import BY_IDENTITY, COPYING, PLAIN, Way
from zygpy.runtime.without_derivative import stands_as_it_is
from zygpy.units import Pair, Unit, primitive_unit, unit_of

Back: TypeAlias = "Callable[[Any], tuple[Any, ...]]"
Pulled: TypeAlias = "tuple[Any, Back]"


Special: TypeAlias = "Callable[..., Prepared]"

SPECIAL: dict[Any, Special] = {}
"""Functions with a way of their own through the door, such as the entry points: (args, kwargs,
way) -> the call of a function that does the same and can be derived."""


def pull(function: Any, /, *args: Any, **kwargs: Any) -> Pulled:
    """Call a function and return its value and `back`.

    Raises UnsupportedSyntaxError if the function writes an argument in place, which generated code
    that goes through here did not know when it was written.
    """
    prepared = _prepare_unseen(function, args, kwargs)
    if prepared is None:
        return _untouched(function, args, kwargs)
    return _made_unseen(prepared)


def _prepare_unseen(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Prepared | None:
    """A call for a caller who has not known the callee: what that stores in things outside is looked at."""
    prepared = prepare(function, args, kwargs, COPYING)
    if prepared is None or ELSEWHERE not in prepared.pair.changes:
        lost = (
            prepared is not None
            and not prepared.pair.identity
            and any(map(is_generator, (*args, *kwargs.values())))
        )
        return prepare(function, args, kwargs, BY_IDENTITY) if lost else prepared
    return prepare(function, args, kwargs, BY_IDENTITY._replace(guarded=True))


def _made_unseen(prepared: Prepared) -> Pulled:
    """Make a call for a caller who has not known the callee: it may change nothing that the caller has."""
    if not prepared.pair.identity:
        return made(_looked_at(prepared))
    given = described(tuple(prepared.values))
    return _made_by_identity(_looked_at(prepared, given), given)


def _looked_at(prepared: Prepared, given: Any = None) -> Prepared:
    """The same call, refused where it may change something that the caller has, and when it has done so."""
    pair = prepared.pair
    if pair.changes and not (pair.identity and _changes_nothing(prepared)):
        raise unseen_write(prepared)
    if not pair.identity:
        return prepared
    before = Contents(described(tuple(prepared.values)) if given is None else given)

    def finish(y: Any) -> Any:
        changed = before.changed()
        if changed is not None:
            raise unseen_write(prepared, f"a {type(changed).__name__}")
        return prepared.finish(y)

    return replace(prepared, finish=finish)


def _changes_nothing(prepared: Prepared) -> bool:
    """Whether nothing of what a call may change can be changed."""
    given = dict(zip(prepared.pair.program.params.names, prepared.values, strict=True))
    return not any(name == ELSEWHERE or can_be_changed(given[name]) for name in prepared.pair.changes)


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


def apart(prepared: Prepared) -> Prepared:
    """A call whose arguments may not share what it writes to, where nothing is found by identity."""
    if prepared.pair.writes and not prepared.pair.identity and overlap(prepared.values):
        raise overlapping_arguments(prepared)
    return prepared


@is_deeper
def pull_with(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], *, way: Way) -> Pulled:
    """The same; found in the way that is asked for."""
    if type(function) is types.FunctionType and not kwargs and not _is_special(function):
        known = pair_at_once(function, args, way)
        if known is not None and not known[0].writes and not known[0].identity:
            pair, given, layout = known
            values = _own_arrays(function, pair, given, args) if pair.carries else given
            y, stash = run_pair(pair, values)
            _check_still_the_same(given, values)
            shared = shared_by(pair, values) if pair.carries else ()
            return y, Pullback(pair, stash, layout, None, shared)
    prepared = prepare_given(function, args, kwargs, way)
    if prepared is None:
        return _untouched(function, args, kwargs)
    if (prepared.pair.changes or prepared.pair.identity) and _is_known_elsewhere(function, prepared):
        prepared = prepare(function, args, kwargs, BY_IDENTITY._replace(everywhere=True)) or prepared
    if not (prepared.pair.identity or prepared.pair.carries):
        return made(prepared)
    values = _own_arrays(function, prepared.pair, prepared.values, args)
    pulled = made(replace(prepared, values=values))
    _check_still_the_same(prepared.values, values)
    return pulled


def _own_arrays(function: Any, pair: Pair, values: Sequence[Any], args: tuple[Any, ...]) -> list[Any]:
    """The values that a call is given, with copies of those arguments that the program finds by a global or
    captured variable as well: that is no part of the argument. (What is changed, it has to find by all of
    its names.)"""
    arrays = [value for value in args if type(value) is np.ndarray]
    found = list(arrays_found_by(function)) if arrays and ELSEWHERE not in pair.changes else []
    common = [value for value in arrays if any(np.may_share_memory(value, array) for array in found)]
    if not common:
        return list(values)
    given = dict(zip(pair.program.params.names, values, strict=True))
    changed = [given[name] for name in pair.changes]
    own = [value for value in common if _is_apart(value, [*changed, *args])]
    count = len(values) - len(args)  # what the function carries stands in front
    return [
        np.array(value) if place >= count and any(value is one for one in own) else value
        for place, value in enumerate(values)
    ]


def _check_still_the_same(given: Sequence[Any], own: Sequence[Any]) -> None:
    """Refuse a call that was given a copy of an array, and has changed the array itself by another name."""
    for value, copy in zip(given, own, strict=True):
        if value is not copy and not np.array_equal(value, copy, equal_nan=value.dtype.kind in "fc"):
            raise UnsupportedSyntaxError(
                "an array is given as an argument, and changed by a global or captured variable.",
                why="what is read by the variable is no part of the argument: the two were kept apart",
                instead="change it by one name only, or pass a copy",
            )


def _is_apart(array: Any, others: list[Any]) -> bool:
    """Whether an array is one of some values, and shares memory with no other."""
    same = [value for value in others if value is array]
    return len(same) == 1 and not any(overlap([array, value]) for value in others if value is not array)


def prepare_given(
    function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way
) -> Prepared | None:
    """The call of what an entry point is given: by identity, where its arguments share what it writes to."""
    prepared = prepare(function, args, kwargs, way)
    if prepared is not None and prepared.pair.writes and overlap(prepared.values):
        prepared = prepare(function, args, kwargs, BY_IDENTITY) or prepared
    return prepared


def prepare_inside(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Prepared | None:
    """The same of an entry point in differentiated code: by identity too, where functions among the arguments
    have variables that functions share, whose cotangents are taken out of the store there."""
    prepared = prepare_given(function, args, kwargs, COPYING)
    if prepared is None or prepared.pair.identity or not prepared.pair.carries:
        return prepared
    shared = any(map(_shares_variables, functions_in(prepared.values)))
    return prepare(function, args, kwargs, BY_IDENTITY) or prepared if shared else prepared


def _shares_variables(function: types.FunctionType) -> bool:
    """Whether a function knows one of its variables by its cell."""
    try:
        return bool(function.__closure__ and unit_of(function).source.rebound)
    except SourceNotFoundError:
        return False


def _is_known_elsewhere(function: Any, prepared: Prepared) -> bool:
    """Whether what a call may change is known by a global variable that the program reads. (Where things are
    found by identity, functions that are found when the call is made may change them, and what is in them.)
    """
    pair = prepared.pair
    if ELSEWHERE in pair.changes or pair.followed:
        return False  # it is derived so that globals may be active
    given = dict(zip(pair.program.params.names, prepared.values, strict=True))
    changed = prepared.values if pair.identity else [given[name] for name in pair.changes]
    return is_known_elsewhere(function, pair.checks, changed)


def prepare(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way) -> Prepared | None:
    """Find the pair of a callee for these arguments; None where there is neither rule nor source."""
    rules.load()
    ruled = _by_custom_rule(function, args, kwargs, way) if custom.is_ruled(function) else None
    return _prepare(function, args, kwargs, way) if ruled is None else ruled


def _prepare(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way) -> Prepared | None:
    """The same of what no user has declared a rule for."""
    if way.identity:
        program = _program(function, args, kwargs)
        if program is not None:
            return _python_function(program, args, kwargs, way)
    if is_generic(function) and args:
        return prepare(function.dispatch(type(args[0])), args, kwargs, way)
    if type(function) is types.FunctionType:
        function = BY_CODE.get(function.__code__, function)
        special = SPECIAL.get(function)
        if special is not None:
            return special(args, kwargs, way)
        if _has_program(function, args, kwargs):
            return _primitive(function, args, kwargs, way)
        if declare.find(function) is None:
            return _python_function(function, args, kwargs, way)
    return (_draw if is_drawing(function) else _other)(function, args, kwargs, way)


def _by_custom_rule(
    function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way
) -> Prepared | None:
    """A call for which a user has declared how it is differentiated; None for any other."""
    if id(function) not in custom.RULES:
        return None  # a bound method, of which its function is asked
    classes = [(type(value),) for value in args], {name: (type(value),) for name, value in kwargs.items()}
    found = custom.chosen(function, *classes)
    if found is not None and found.receives:
        return _callable_object(found.stand_in, function, args, kwargs, way)
    if found is not None:
        return _python_function(found.stand_in, args, kwargs, way)
    if not custom.is_opted_out(function, *classes):
        return None
    if type(function) is types.FunctionType:
        return _python_function(function, args, kwargs, way)
    raise missing_rule(function, why="its rules are not to be used for arguments of these classes")


def _is_special(function: types.FunctionType) -> bool:
    return function in SPECIAL or function in declare.REGISTRY or id(function) in custom.RULES


def _cached(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way) -> Prepared | None:
    """A call of a function under a cache, which is not asked if anything may have a gradient: the function
    may change nothing."""
    if way.everywhere and not hold_numbers((*args, *kwargs.values())) and not reads_data(function):
        return None
    prepared = prepare(function, args, kwargs, way)
    pair = None if prepared is None else prepared.pair
    if pair is not None and (pair.writes or pair.outside or any(name != ELSEWHERE for name in pair.changes)):
        raise entered_again(function, "changes something")
    return _settled(function, prepared) if prepared is not None and way.everywhere else prepared


def _settled(function: Any, prepared: Prepared) -> Prepared:
    """The same call, refused where it gives a thing in which the program may store something."""

    def finish(y: Any) -> Any:
        if not is_settled(y):
            raise entered_again(function, "gives a thing that can be changed")
        return prepared.finish(y)

    return replace(prepared, finish=finish)


def _other(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way) -> Prepared | None:
    if isinstance(function, types.MethodType):
        return _bound_method(function.__func__, function.__self__, args, kwargs, way)
    if isinstance(function, types.MethodWrapperType) and type(function.__self__) in CALLED_BY_NAME:
        return _called_by_name(function.__self__, args, kwargs, way) if _is_call(function) else None
    if isinstance(function, functools.partial):
        return _partial(function, args, kwargs, way)
    if isinstance(function, CACHED):
        return _cached(function.__wrapped__, args, kwargs, way)
    if isinstance(function, Pullback):
        return nested.applied(function, args, way)
    if isinstance(function, tuple(GETTERS)) and not kwargs and len(args) == 1:
        return _call_of_getter(function, args[0], way)
    if _has_rule(function) or _has_program(function, args, kwargs):
        return _primitive(function, args, kwargs, way)
    return _method_or_object(function, args, kwargs, way)


def _draw(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way) -> Prepared | None:
    """A method of a source of random numbers, for which there may be a program."""
    program = program_of_draw(function, args, kwargs)
    return None if program is None else _bound_method(program, function.__self__, args, kwargs, way)


def _method_or_object(
    function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way
) -> Prepared | None:
    """A method of a builtin type, or an object whose class can be called."""
    if _is_of_classes(function, args) or stands_as_it_is(function, args, kwargs):
        return None
    if _is_bound_to_data(function):
        return _bound_to_data(function, args, kwargs, way)
    if isinstance(function, DESCRIPTORS) and args and is_method_of(function, args[0]):
        return _data_method(args[0], function.__name__, args[1:], kwargs, way)
    if isinstance(function, np.ufunc | types.BuiltinFunctionType | type):
        return None
    call = getattr(type(function), "__call__", None)  # noqa: B004 (its code is wanted)
    if not isinstance(call, types.FunctionType) and call in declare.PROGRAMS:
        call = declare.PROGRAMS[call].program
    if isinstance(call, types.FunctionType):
        return _callable_object(call, function, args, kwargs, way)
    return None


def _bound_to_data(
    function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way
) -> Prepared | None:
    """A method of a builtin type; None of an object that is no data, such as a lock, if there is no rule and
    nothing that is given may have a gradient: by identity it is then asked whether anything reaches it."""
    receiver = function.__self__
    declared = declare.PROGRAMS.get(in_class(type(receiver), function.__name__))
    if declared is not None:
        return _bound_method(declared.program, receiver, args, kwargs, way)
    try:
        return _received(_data_method(receiver, function.__name__, args, kwargs, way))
    except MissingRuleError:
        if not way.identity or _is_data(kind_of(receiver)) or _carry_gradients((*args, *kwargs.values())):
            raise
    return None


def _carry_gradients(values: Sequence[Any]) -> bool:
    return any(carries_gradient(kind_of(value)) for value in values if not isinstance(value, type))


def _is_of_classes(function: Any, args: tuple[Any, ...]) -> bool:
    """Whether a function is the `__new__` of a builtin class, and given nothing but classes."""
    bound = isinstance(function, types.BuiltinFunctionType) and isinstance(function.__self__, type)
    return bound and function.__name__ == "__new__" and all(isinstance(arg, type) for arg in args)


def _is_bound_to_data(function: Any) -> bool:
    """Whether a callable is a method of a builtin type, bound to an object; a special one, to data."""
    if isinstance(function, types.MethodWrapperType):
        return _is_data(kind_of(function.__self__))
    bound = isinstance(function, types.BuiltinFunctionType)
    return bound and not isinstance(function.__self__, types.ModuleType | None)


def _call_of_getter(function: Any, value: Any, way: Way) -> Prepared | None:
    """The call of an `operator.itemgetter` or the like."""
    made: Any = function.__reduce__() if isinstance(function, operator.attrgetter) else (None, ())
    names = made[1]
    if len(names) == 1 and is_number(value):
        return _on_receiver(prepare_attribute(value, names[0]))
    prepared = prepare(as_function(function), (value,), {}, way)
    return (
        None if prepared is None else replace(prepared, layout=Layout(Nothing(), prepared.layout.arguments))
    )


def _on_receiver(prepared: Prepared) -> Prepared:
    """The receiver's slot is that of the one argument."""
    return replace(prepared, layout=Layout(Nothing(), (prepared.layout.own,)))


def _has_program(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Whether a program stands for a builtin on such arguments, or it makes a known container."""
    if function is functools.partial or (isinstance(function, type) and is_record(function)):
        return True
    return _program(function, args, kwargs) is not None


def _program(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> types.FunctionType | None:
    """The program that stands for a builtin on such arguments."""
    return program_at_once(function, map(kind_of, args), kwargs)


def has_own_way(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Whether a callable has a rule, or a program that stands for it."""
    return _has_rule(function) or _has_program(function, args, kwargs)


def _has_rule(function: Any) -> bool:
    return declare.find(function) is not None or function is list or function is tuple


def _untouched(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Pulled:
    """A callable without rule or source: harmless as long as nothing differentiable reaches it."""
    if _carry_gradients((*args, *kwargs.values())) and not stands_as_it_is(function, args, kwargs):
        raise _made_late(function) if _is_made_in_python(function) else missing_rule(function)
    nothing = (None,) * (1 + len(args) + len(kwargs))
    return function(*args, **kwargs), lambda y_bar, cells=None: nothing


def _is_made_in_python(cls: Any) -> bool:
    found = [in_class(cls, name) for name in ("__init__", "__new__")] if isinstance(cls, type) else []
    return any(isinstance(method, types.FunctionType) for method in found)


def _made_late(cls: type) -> UnsupportedSyntaxError:
    """The error for a class that is found when it is called, by a caller who knows nothing of objects."""
    return UnsupportedSyntaxError(
        f"the class '{cls.__qualname__}' is called, which was not known when the caller was derived.",
        why="the fields of its objects have gradients, which the caller's adjoint would have to follow",
        instead="read the class by a name in the function that calls it, or call it by its own name",
    )


# ------------------------------------------------------------------------------- Python functions


def _python_function(
    function: types.FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way
) -> Prepared:
    unit = _unit(function, args, kwargs)
    if unit.program.generator:
        raise UnsupportedSyntaxError(
            f"the generator function '{function.__name__}' is called by a name that was not known when the "
            "caller was derived, or by none.",
            why="its body runs when the items are asked for, which the caller's adjoint has to mirror",
            instead="call it by its own name, in a function that takes its items",
        )
    return _of_unit(unit, function, args, kwargs, way)


def prepare_generator(
    function: types.FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way
) -> Prepared:
    """The call of a generator function, whose forward and adjoint are generators."""
    rules.load()
    return _of_unit(_unit(function, args, kwargs), function, args, kwargs, way)


def prepare_caught(
    function: types.FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way
) -> Prepared:
    """The call of a Python function that gives its exception as a value."""
    unit = units.catching_unit(_unit(function, args, kwargs))
    return _of_unit(unit, function, args, kwargs, way)


def _of_unit(
    unit: Unit, function: types.FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way
) -> Prepared:
    params = unit.program.params
    given = units.captured_values(unit, function)
    names = params.positional_only + params.positional
    if kwargs or params.vararg or params.kwarg or params.keyword_only or len(args) != len(names):
        arranged = _arrange(function, params, args, kwargs)
        layout = of_call(unit.captured, params, len(args), kwargs, defaults=carries_values(function))
    else:
        arranged = list(args)
        layout = plain(unit.captured, len(args))
    values = given + arranged
    return Prepared(pair_for(unit, values, function, way), values, layout)


def prepare_step(function: types.FunctionType, receiver: Any, way: Way) -> Prepared:
    """A call of `__next__` that returns whether there is an item, and the item."""
    rules.load()
    return _step(units.step_unit(function), function, receiver, way)


def prepare_caught_step(function: types.FunctionType, receiver: Any, way: Way) -> Prepared:
    """The same with its exception as a value."""
    rules.load()
    return _step(units.catching_unit(units.step_unit(function)), function, receiver, way)


def _step(unit: Unit, function: types.FunctionType, receiver: Any, way: Way) -> Prepared:
    values = [*units.captured_values(unit, function), receiver]
    return Prepared(pair_for(unit, values, function, way), values, plain(unit.captured, 1))


def _unit(function: types.FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Unit:
    try:
        return unit_of(function)
    except SourceNotFoundError as error:
        if any(value.active for value in values_of([kind_of(value) for value in (*args, *kwargs.values())])):
            raise
        raise missing_rule(function) from error


def run(forward: Callable[..., Any], values: Sequence[Any]) -> Any:
    """Call a generated function; an exception names the user's lines too."""
    try:
        return forward(*values)
    except Exception as error:
        annotate(error)
        raise


def run_pair(pair: Pair, values: Sequence[Any]) -> Any:
    """Call the forward of a pair, which rests on functions that it may not have replaced."""
    returned = run(pair.forward, values)
    check_not_replaced(pair.program.name, pair.checks)
    return returned


def _arrange(
    function: types.FunctionType, params: core.Params, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> list[Any]:
    """The arguments in canonical order, defaults filled in."""
    names = params.positional_only + params.positional
    defaults = derivation.defaults_of(function, params)
    keywords = dict(kwargs)
    values: dict[str, Any] = dict(zip(names, args, strict=False))
    for name in names[len(args) :] + params.keyword_only:
        if name in keywords and name not in params.positional_only:
            values[name] = keywords.pop(name)
        elif name in defaults:
            values[name] = defaults[name]
    if params.vararg:
        values[params.vararg] = args[len(names) :]
    if params.kwarg:
        values[params.kwarg] = keywords
    misfit = len(values) != len(params.names) or (keywords and not params.kwarg)
    if misfit or (len(args) > len(names) and not params.vararg) or set(keywords) & set(names[: len(args)]):
        _raise_misfit(function, args, kwargs)
    return [values[name] for name in params.names]


def _raise_misfit(function: types.FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    """The arguments do not fit: raise Python's own TypeError."""
    ruled = getattr(function, custom.RULE, None)
    if ruled is not None:
        raise MissingRuleError(
            f"the rule for '{dotted_name(ruled.target)}' does not take the arguments of a call",
            ruled.place,
            why="a rule is given the arguments as they stand in the call",
            instead="give it the parameters that are missing, or let it take **keywords",
        )
    function(*args, **kwargs)
    raise TypeError(f"the arguments do not fit {function.__name__}()")


# --------------------------------------------------------------------- methods, partials, primitives


def _bound_method(
    function: Any, receiver: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way
) -> Prepared | None:
    prepared = prepare(function, (receiver, *args), kwargs, way)
    return None if prepared is None else _received(prepared)


CALLED_BY_NAME = (types.FunctionType, types.BuiltinFunctionType, functools.partial)
"""Classes of what may be called by its `__call__`."""


def _is_call(function: types.MethodWrapperType) -> bool:
    return function.__name__ == "__call__"


def _called_by_name(
    function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way
) -> Prepared | None:
    """`function.__call__(...)`: what the function carries is carried by the object of a bound method."""
    prepared = prepare(function, args, kwargs, way)
    if prepared is None:
        return None
    own = Group((("__self__", prepared.layout.own),))
    return replace(prepared, layout=replace(prepared.layout, own=own))


def _callable_object(
    call: types.FunctionType, receiver: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way
) -> Prepared | None:
    prepared = prepare(call, (receiver, *args), kwargs, way)
    if prepared is None:
        return None
    first, *rest = prepared.layout.arguments
    return replace(prepared, layout=Layout(first, tuple(rest)))


def _received(prepared: Prepared) -> Prepared:
    """The first argument is the receiver that a bound method carries."""
    first, *rest = prepared.layout.arguments
    return replace(prepared, layout=Layout(Group((("__self__", first),)), tuple(rest)))


def _partial(
    function: functools.partial[Any], args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way
) -> Prepared | None:
    keywords = {**function.keywords, **kwargs}
    prepared = prepare(function.func, (*function.args, *args), keywords, way)
    if prepared is None:
        return None
    given, count = len(function.args), len(args)
    slots = prepared.layout.arguments
    named = dict(zip(keywords, slots[given + count :], strict=True))
    own = [(FUNCTION, prepared.layout.own)]
    own += [(position(index), slot) for index, slot in enumerate(slots[:given])]
    own += [(name, slot) for name, slot in named.items() if name not in kwargs]
    arguments = (*slots[given : given + count], *(named[name] for name in kwargs))
    return replace(prepared, layout=Layout(Group(tuple(own)), arguments))


def unit_of_primitive(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Unit:
    """The unit of a call of a function that has a rule."""
    name = _identifier(getattr(function, "__name__", "primitive"))
    symbol = SYMBOLS.get(function)
    op: core.Op
    if symbol is not None and not kwargs and len(args) == 2:
        params: tuple[str, ...] = ("a", "b")
        op = core.Binary(symbol, core.Var("a"), core.Var("b"))
    else:
        params = _parameters(len(args), kwargs)
        positional = tuple(core.Var(param) for param in params[: len(args)])
        named = tuple(core.Keyword(key, core.Var(key)) for key in kwargs)
        op = core.Call(core.Path((name,)), positional, named)
    writes = isinstance(op, core.Call) and writes_argument(function, op.args, op.keywords)
    return primitive_unit(("call", id(function), params), name, params, op, {name: function}, writes=writes)


def _primitive(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way) -> Prepared:
    unit = unit_of_primitive(function, args, kwargs)
    try:
        return _on_data(unit, [*args, *kwargs.values()], way)
    except MissingRuleError:
        if function in OPERATORS:
            function(*args)  # which raises what it raises for such operands, if it does
        raise


OPERATORS = frozenset((*BINARY.values(), *UNARY.values()))


def _on_data(unit: Unit, values: list[Any], way: Way) -> Prepared:
    return Prepared(pair_for(unit, values, None, way), values, plain((), len(values)))


SYMBOLS: Mapping[Any, str] = {function: symbol for symbol, function in BINARY.items()}


def _parameters(count: int, kwargs: Mapping[str, Any]) -> tuple[str, ...]:
    return (*(f"a{position}" for position in range(count)), *kwargs)


def _identifier(name: str) -> str:
    return name if name.isidentifier() else "primitive"


def prepare_method(value: Any, name: str, /, *args: Any, **kwargs: Any) -> Prepared:
    """`value.name(*args, **kwargs)`; the callee's slot is the receiver's."""
    rules.load()
    if not _is_data(kind_of(value)):
        method = getattr(value, name)
        prepared = prepared_call(method, *args, **kwargs)
        return replace(prepared, layout=replace(prepared.layout, own=_receiver(prepared, value, name)))
    prepared = _data_method(value, name, args, kwargs, COPYING)
    first, *rest = prepared.layout.arguments
    return replace(prepared, layout=Layout(first, tuple(rest)))


def _receiver(prepared: Prepared, value: Any, name: str) -> Part:
    """Where the cotangent of a receiver is: of a function in one of its fields, in that field."""
    own = prepared.layout.own
    if name in getattr(type(value), "_fields", ()):
        return Row(tuple(own if field == name else Nothing() for field in value._fields))
    if isinstance(value, functools.partial) and name == "func":
        return Group(((FUNCTION, own),))
    if isinstance(value, types.FunctionType) and name == "__wrapped__":
        return _of_wrapped(value, own)
    return dict(own.items).get("__self__", own) if isinstance(own, Group) else own


def _of_wrapped(function: types.FunctionType, own: Part) -> Part:
    """Where the cotangent of what a function wraps is: in the variable in which it is captured."""
    carrying = name_of_wrapped(function)
    if carrying is None and carried_values(vars(function)["__wrapped__"]):
        raise not_captured()
    return Nothing() if carrying is None else Group(((carrying, own),))


def _data_method(
    value: Any, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way
) -> Prepared:
    """A method of an array, number, list, dict or string, which has no function of its own."""
    ruled = in_class(type(value), name)
    own = _by_custom_rule(ruled, (value, *args), kwargs, way) if custom.is_ruled(ruled) else None
    if own is not None:
        return own
    found = None if kwargs else operator_for(value, name, args)
    prepared = None if found is None else prepare(found, (value, *args), {}, way)
    if prepared is not None:
        return prepared
    params = ("value", *_parameters(len(args), kwargs))
    positional = tuple(core.Var(param) for param in params[1 : 1 + len(args)])
    named = tuple(core.Keyword(key, core.Var(key)) for key in kwargs)
    op = core.CallMethod(core.Var("value"), name, positional, named)
    unit = primitive_unit(("method", name, params), name, params, op, {})
    return _on_data(unit, [value, *args, *kwargs.values()], way)


def _is_data(kind: Kind) -> bool:
    plain_tuple = isinstance(kind, Tuple) and kind.cls is None
    return plain_tuple or is_numeric(kind) or isinstance(kind, List | Dict | Text | Iterator)


def prepare_item(value: Any, index: Any) -> Prepared:
    """`value[index]`."""
    rules.load()
    if isinstance(value, np.generic):
        return _primitive(methods.part_of_number, (value, index), {}, COPYING)
    where: core.Index = core.Var("index")
    index = plain_number(index) if isinstance(value, list | tuple) else index
    if isinstance(value, list | tuple) and type(index) is slice:
        where = core.Slice(*(core.Const(bound) for bound in (index.start, index.stop, index.step)))
    elif isinstance(value, tuple) and type(index) is int:
        where = core.Const(index)
    op = core.GetItem(core.Var("value"), where)
    return _on_data(
        primitive_unit(("item", where), "item", ("value", "index"), op, {}), [value, index], COPYING
    )


WITHOUT_FIELDS = frozenset({list, tuple, dict, int, float, complex, np.ndarray})
"""Types whose values have the attributes of their class, and no others."""


def prepare_attribute(value: Any, name: str) -> Prepared:
    """`value.name`; the callee's slot is the object's."""
    rules.load()
    if type(value) in WITHOUT_FIELDS:
        getattr(value, name)  # raises what Python raises where there is none
    if is_past_call(value, name):
        return _prepare_part(value, name)
    getter, reader = _getter(value, name), _reader(value, name)
    ruled = custom.of_attribute(type(value), name)
    if ruled is not None:
        prepared = _python_function(ruled.stand_in, (value,), {}, COPYING)
    elif getter is not None:
        prepared = _python_function(getter, (value,), {}, COPYING)
    elif reader is read_method or not (_is_data(kind_of(value)) or hasattr(type(value), "_fields")):
        prepared = _primitive(reader, (value, name), {}, COPYING)
    else:
        op = core.GetAttr(core.Var("value"), name)
        prepared = _on_data(primitive_unit(("attribute", name), name, ("value",), op, {}), [value], COPYING)
    return replace(prepared, layout=Layout(prepared.layout.arguments[0], ()))


def _prepare_part(function: Any, name: str) -> Prepared:
    """What a function carries, read past it: the function that it wraps, or is a partial call of."""
    give: Any = itself
    prepared = _python_function(give, (getattr(function, name),), {}, COPYING)
    own = prepared.layout.arguments[0]
    if name == "__wrapped__" and isinstance(function, types.FunctionType):
        return replace(prepared, layout=Layout(_of_wrapped(function, own), ()))
    if name == "func" and isinstance(function, functools.partial):
        return replace(prepared, layout=Layout(Group(((FUNCTION, own),)), ()))
    raise read_past(name)


def is_past_call(function: Any, name: str) -> bool:
    """Whether something that a function carries is called past it."""
    return isinstance(function, types.FunctionType | functools.partial) and name in CARRIED


def read_past(name: str) -> UnsupportedSyntaxError:
    """The error for what a function carries that is read by a caller who did not expect a function."""
    return UnsupportedSyntaxError(
        f"'{name}' of a function is read, which was not known to be one when its reader was derived.",
        why="the cotangents of what a function carries are found when it is called",
        instead="call the function, or read it where the function is made",
    )


METHODS = (types.FunctionType, *DESCRIPTORS)
"""The types of what is in a class, and bound to an object when it is read there."""


def _reader(value: Any, name: str) -> Any:
    """The primitive that reads an attribute: the gradient of a bound method is its object's."""
    found = in_class(type(value), name, None)
    bound = isinstance(found, METHODS) and name not in own_fields(value)
    return read_method if bound else read_attribute


def _getter(value: Any, name: str) -> types.FunctionType | None:
    """The Python function that computes a property."""
    found = in_class(type(value), name, None)
    getter = found.fget if isinstance(found, property) else None
    return getter if isinstance(getter, types.FunctionType) else None


# ------------------------------------------------------------------------------------------ writes


def prepare_augment(symbol: str, value: Any, added: Any) -> Prepared:
    """`value op= added`: the new value, which may be the same object."""
    method = in_class(type(value), f"__i{BINARY[symbol].__name__.strip('_')}__", None)
    if method is None and not is_number(value):
        return prepared_call(BINARY[symbol], value, added)
    if isinstance(method, types.FunctionType):
        return _augmented_by_method(method, value, added)
    write = core.AugmentName("a", symbol, core.Var("v"), HERE)
    return _write(("augment", symbol), "augment", ("a", "v"), (write,), [value, added])


def _augmented_by_method(method: types.FunctionType, value: Any, added: Any) -> Prepared:
    """`value op= added` where its class has a method for that, which may change nothing but the value."""
    prepared = prepared_call(method, value, added)
    if prepared.pair.changes and prepared.pair.changes != prepared.pair.program.params.names[:1]:
        raise unseen_write(prepared)

    def result(y: Any) -> Any:
        if y is NotImplemented or (y is added and not isinstance(y, float | int | complex | np.generic)):
            raise UnsupportedSyntaxError(
                f"'{method.__name__}' gives {'nothing' if y is NotImplemented else 'what it was given'}.",
                why="the caller was derived when it was not known that this might be called",
                instead="let it change the object and return it",
            )
        return y

    return replace(prepared, finish=lambda y: result(prepared.finish(y)))


def prepare_set_item(value: Any, index: Any, stored: Any) -> Prepared:
    """`value[index] = stored`: the container itself."""
    if not hasattr(type(value), "__setitem__"):
        value[index] = stored  # which raises what Python raises
    write = core.SetItem(core.Var("a"), core.Var("i"), core.Var("v"), HERE)
    return _write(("set item",), "set_item", ("a", "i", "v"), (write,), [value, index, stored])


def prepare_update(value: Any, name: str, /, *args: Any) -> Prepared:
    """`value.name(*args)` where that changes the value: (the value itself, what the method returns)."""
    params = ("a", *_parameters(len(args), {}))
    positional = tuple(core.Var(param) for param in params[1:])
    steps = (
        core.Assign("result", core.CallMethod(core.Var("a"), name, positional), HERE),
        core.Assign("both", core.Display("tuple", (core.Var("a"), core.Var("result"))), HERE),
    )
    prepared = _write(("update", name, params), name, params, steps, [value, *args], "both")
    first, *rest = prepared.layout.arguments
    return replace(prepared, layout=Layout(first, tuple(rest)))


def prepare_augment_item(symbol: str, value: Any, index: Any, added: Any) -> Prepared:
    """`value[index] op= added`: the container itself."""
    a, i, v, item = core.Var("a"), core.Var("i"), core.Var("v"), core.Var("item")
    params = ("a", "i", "v")
    if isinstance(value, np.ndarray):
        write = core.AugmentItem(a, i, symbol, v, HERE)
        return _write(("augment item", symbol), "augment_item", params, (write,), [value, index, added])
    steps = (
        core.Assign("item", core.GetItem(a, i), HERE),
        core.AugmentName("item", symbol, v, HERE),
        core.SetItem(a, i, item, HERE),
    )
    return _write(("augment entry", symbol), "augment_entry", params, steps, [value, index, added])


HERE = core.Loc(1, 0)


def _write(
    key: tuple[Any, ...],
    name: str,
    params: tuple[str, ...],
    steps: core.Block,
    values: list[Any],
    result: str = "a",
) -> Prepared:
    rules.load()
    if isinstance(values[0], np.ndarray) and not is_numeric(kind_of(values[0])):
        raise derivation.no_rule_on(name, [kind_of(values[0])])
    unit = primitive_unit(key, name, params, core.Copy(core.Var("a")), {})
    unit.given = core.Function(name, core.Params(params), (*steps, core.Return(core.Var(result), HERE)))
    return _on_data(unit, values, COPYING)


# ------------------------------------------------------------------------------------------- doors


def prepared_call(function: Any, /, *args: Any, **kwargs: Any) -> Prepared:
    """`function(*args, **kwargs)`, which must have a rule or a source."""
    prepared = prepare(function, args, kwargs, COPYING)
    if prepared is None:
        raise missing_rule(function)
    return prepared


Slots: TypeAlias = "Callable[[Layout], tuple[Part, ...]]"


def _door(preparing: Callable[..., Prepared], slots: Slots, *, writes: bool = False) -> Callable[..., Pulled]:
    """The run-time door for a way of preparing; `slots` says where the cotangents of the door's own
    arguments are, when the door itself is differentiated."""

    def door(*args: Any, **kwargs: Any) -> Pulled:
        prepared = preparing(*args, **kwargs)
        return made(prepared) if writes else _made_unseen(prepared)

    def special(args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way) -> Prepared:
        if preparing is prepare_method and is_past_call(*args[:2]):
            raise read_past(args[1])  # of which a second derivative would be lost
        prepared = apart(preparing(*args, **kwargs))
        prepared = prepared if writes else _looked_at(prepared)
        return nested.pulled(prepared, slots(prepared.layout), way)

    SPECIAL[door] = special
    derivation.OPAQUE.add(door)
    if writes:
        WRITING_DOORS.add(door)
    return door


def _callee_first(layout: Layout) -> tuple[Part, ...]:
    return (layout.own, *layout.arguments)


def _receiver_and_name(layout: Layout) -> tuple[Part, ...]:
    return (layout.own, Nothing(), *layout.arguments)


def _symbol_first(layout: Layout) -> tuple[Part, ...]:
    return (Nothing(), *layout.arguments)


def made(prepared: Prepared) -> Pulled:
    """Make a prepared call."""
    if prepared.pair.identity:
        return _made_by_identity(prepared, described(tuple(prepared.values)))
    apart(prepared)
    y, stash = run_pair(prepared.pair, prepared.values)
    shared = shared_by(prepared.pair, prepared.values)
    return prepared.finish(y), Pullback(prepared.pair, stash, prepared.layout, None, shared)


def _made_by_identity(prepared: Prepared, given: tuple[Any, ...]) -> Pulled:
    """A call whose things are found by identity, for a caller who knows nothing of that; `given` describes
    what it is given."""
    with none_left():
        y, stash = run_pair(prepared.pair, prepared.values)
    return prepared.finish(y), ByIdentity(prepared.pair, stash, prepared.layout, described(y), given)


def _special_pull(args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way) -> Prepared:
    function, *rest = args
    prepared = _prepare_unseen(function, tuple(rest), kwargs)
    if prepared is None:
        raise missing_rule(function)
    prepared = _looked_at(apart(prepared))
    return nested.pulled(prepared, _callee_first(prepared.layout), way)


SPECIAL[pull] = _special_pull
derivation.OPAQUE.add(pull)
_DOORS = {
    "pull": pull,
    "pull_method": _door(prepare_method, _receiver_and_name),
    "pull_item": _door(prepare_item, lambda layout: layout.arguments),
    "pull_attribute": _door(prepare_attribute, _receiver_and_name),
    "pull_augment": _door(prepare_augment, _symbol_first, writes=True),
    "pull_set_item": _door(prepare_set_item, lambda layout: layout.arguments, writes=True),
    "pull_augment_item": _door(prepare_augment_item, _symbol_first, writes=True),
    "pull_update": _door(prepare_update, _receiver_and_name, writes=True),
}
for _changing in (False, True):
    _way = PLAIN._replace(changing=_changing)
    derivation.DOORS.update({(name, _way): found for name, found in _DOORS.items()})


def refresh() -> None:
    """Drop every derivation."""
    units.forget()
