"""Objects: whether making one, or calling a method of one, changes what others know."""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Iterable, Sequence
from types import FunctionType, MappingProxyType, SimpleNamespace
from typing import Any

import numpy as np

from zygpy.analyse import containers, replaced
from zygpy.analyse.binding import CannotBind, bind_function
from zygpy.analyse.effects import note_inside, note_write
from zygpy.analyse.facts import DictBound, Guard, Summary
from zygpy.analyse.fields import has_fields, may_have_code
from zygpy.analyse.primitives import bound_value
from zygpy.analyse.run import Run
from zygpy.analyse.sites import OUTSIDE, sites_of
from zygpy.analyse.values import INERT, Environment, Value, is_inert_outside, make
from zygpy.ir import core
from zygpy.ir.classes import HEAP_TYPE, PURE, captures
from zygpy.ir.kinds import (
    UNKNOWN,
    Closure,
    Dict,
    Kind,
    Known,
    List,
    Nothing,
    Object,
    OneOf,
    Row,
    Tuple,
    Unknown,
    kind_of,
)
from zygpy.marks import is_marked
from zygpy.rules import declare
from zygpy.runtime.cells import cell_of, made_class, with_shared_cells
from zygpy.runtime.copies import duplicate, duplicate_deeply
from zygpy.runtime.copies_beside import copied_beside
from zygpy.runtime.draws import SOURCES
from zygpy.runtime.exception_groups import left_over, taken_from
from zygpy.runtime.generators import delegated
from zygpy.runtime.iteration import left_alone, taken_apart, walked, watched
from zygpy.runtime.lazy import sought
from zygpy.runtime.lookup import in_class, is_among
from zygpy.runtime.named_tuples import has_own_new
from zygpy.runtime.native import CONTAINERS, plain_dict
from zygpy.runtime.protocols import changed_item, stored_item
from zygpy.runtime.standard_library import done_to_list
from zygpy.runtime.ways import Way

Call = tuple[tuple[core.Atom | core.Star, ...], tuple[core.Keyword, ...]]

BUILTIN_METHODS = (type(list.append), type(object.__init__))


FOLLOWED: frozenset[Any] = frozenset(
    {
        vars,
        getattr,
        setattr,
        delattr,
        iter,
        next,
        walked,
        taken_apart,
        delegated,
        watched,
        left_alone,
        sought,
        stored_item,
        changed_item,
        duplicate,
        duplicate_deeply,
        copied_beside,
        plain_dict,
        done_to_list,
        cell_of,
        made_class,
        left_over,
        taken_from,
        with_shared_cells,
        weakref.ref,
        MappingProxyType,
        object.__getattribute__,
        object.__setattr__,
        object.__delattr__,
    }
)
"""Builtins on things that can be changed, which have no rule and no program: run-time doors know them."""


def is_followed_by_identity(callee: Any) -> bool:
    """Whether a builtin is differentiated by what it does to things that are found by identity."""
    return is_among(callee, FOLLOWED)


def is_made_in_python(cls: type) -> bool:
    """Whether the fields of a class's objects are set by code in Python."""
    by_type = type(cls).__call__ is type.__call__ and bool(cls.__flags__ & HEAP_TYPE)
    return by_type and (not issubclass(cls, tuple) or cls.__new__ is tuple.__new__ or has_own_new(cls))


def is_filled(cls: type) -> bool:
    """Whether what a class's objects hold is stored in them by code that is known."""
    return is_made_in_python(cls) or issubclass(cls, (*CONTAINERS, SimpleNamespace))


def is_made_of_plain_data(cls: type, values: list[Value]) -> bool:
    """Whether an object is made by C code, out of nothing that could run code in Python or be a function."""
    own = type(cls).__call__, cls.__new__, cls.__init__  # type: ignore[misc]
    if not issubclass(cls, MADE_OF_DATA) or any(isinstance(made_by, FunctionType) for made_by in own):
        return False
    return not any(may_have_code(value.kind) or isinstance(value.kind, Known) for value in values)


MADE_OF_DATA = (str, bytes, int, float, complex, tuple, set, frozenset, np.generic, SimpleNamespace)
"""Classes whose C code makes an object of what it is given, and stores nothing elsewhere."""


def is_plain(cls: type) -> bool:
    """Whether a call of the class gives a new object of just this class."""
    new: Any = cls.__new__
    return is_made_in_python(cls) and new is object.__new__


def initialiser(run: Run, cls: type, call: Call) -> FunctionType | None:
    """The function in Python that initialises a class's objects, where that is all that makes them."""
    found = in_class(cls, "__init__")
    if "__init__" in run.scope.replaced:
        return None
    if not (is_plain(cls) and has_fields(cls)) or declare.find(cls) is not None:
        return None
    function = (
        found if not isinstance(found, FunctionType) or not is_synthetic(found) else _written(run, cls, call)
    )
    if not (isinstance(function, FunctionType) and isinstance(kind_of(function), Known)):
        return None
    run.note(Guard(cls, "__init__", found))
    run.note(Guard(cls, "__new__", object.__new__))
    return function


def is_made_empty(run: Run, cls: type, call: Call) -> bool:
    """Whether an object is made by a call that sets no field of it."""
    if call == ((), ()) and cls is SimpleNamespace and declare.find(cls) is None:
        return True
    if call != ((), ()) or not (is_plain(cls) and has_fields(cls)) or declare.find(cls) is not None:
        return False
    if in_class(cls, "__init__") is not object.__init__ or "__init__" in run.scope.replaced:
        return False
    run.note(Guard(cls, "__init__", object.__init__))
    run.note(Guard(cls, "__new__", object.__new__))
    return True


def is_bare(run: Run, callee: Any, call: Call, values: list[Value]) -> bool:
    """Whether a call is `object.__new__(cls)` for a class whose objects have plain fields."""
    if callee is not object.__new__ or len(call[0]) != 1 or call[1] or not values:
        return False
    cls = getattr(values[-1].kind, "value", None)
    if not isinstance(cls, type) or not (is_plain(cls) and has_fields(cls)) or declare.find(cls) is not None:
        return False
    run.note(Guard(cls, "__new__", object.__new__))
    return True


def _written(run: Run, cls: type, call: Call) -> Any:
    """What stands for the `__init__` of a class that a decorator has written."""
    owner = next(base for base in cls.__mro__ if "__init__" in base.__dict__)
    args, keywords = call
    names = tuple([keyword.name for keyword in keywords if keyword.name is not None])
    if len(names) < len(keywords) or any(isinstance(arg, core.Star) for arg in args):
        return None
    return run.oracle.initialiser(owner, (len(args), names))


def makes_known(run: Run, cls: type, call: Call, values: list[Value]) -> bool:
    """Whether making an object may hand it to others, who find it without being given it, or put into it what
    they find."""
    init = inspect.getattr_static(cls, "__init__")
    if not isinstance(init, FunctionType) or is_synthetic(init):
        return False
    instance = make(Object(cls))
    values = values[len(values) - len(call[0]) - len(call[1]) :]  # without the class, if a variable holds it
    args = (core.Const(None), *call[0])
    summary = summary_of(run, init, (args, call[1]), [instance, *values], instance)
    return summary is None or summary.outside or bool(summary.holding)


def stores_elsewhere(run: Run, cls: type, call: Call, values: list[Value]) -> bool:
    """Whether a `__new__` or an `__init__` that is written in Python, and is called when an object is made,
    stores active values where others find them."""
    if issubclass(cls, tuple):
        return False
    values = values[len(values) - len(call[0]) - len(call[1]) :]
    args = (core.Const(None), *call[0])
    new, init = cls.__new__, inspect.getattr_static(cls, "__init__")
    thing = make(Object(cls, () if is_plain(cls) and has_fields(cls) else None))
    for function, owner in ((new, make(Known(cls))), (init, thing)):
        if isinstance(function, FunctionType) and not is_synthetic(function):
            summary = summary_of(run, function, (args, call[1]), [owner, *values], owner)
            if summary is None or summary.needs.everywhere:
                return True
    return False


def is_synthetic(function: FunctionType) -> bool:
    """Whether a function was written by a decorator such as `dataclass`, and only stores its arguments."""
    return function.__code__.co_filename == "<string>"


def may_change(run: Run, receiver: Value, op: core.CallMethod, values: list[Value]) -> bool:
    """Whether a method may change its object or an argument, or make things that can be changed."""
    if isinstance(receiver.kind, Unknown):
        return op.name not in declare.METHODS and op.name not in containers.READING
    if not isinstance(receiver.kind, Object) or is_marked(receiver.kind.cls, PURE):
        return False
    function = in_class(receiver.kind.cls, op.name)
    if not isinstance(function, FunctionType):
        stateful = issubclass(receiver.kind.cls, (*CONTAINERS, *SOURCES))
        return stateful or not isinstance(function, BUILTIN_METHODS)
    names = [keyword.name for keyword in op.keywords if keyword.name is not None]
    stands = replaced.program_at_once(function, [value.kind for value in values], names)
    function = function if stands is None else stands
    call = (op.value, *op.args), op.keywords
    known = make(receiver.kind, True, receiver.sites)  # as the call finds it when it is made
    summary = summary_of(run, function, call, [known, *values[1:]], known)
    may_keep = stands is None and is_inert_outside(receiver)  # programs that stand for methods do not
    keeps = may_keep and _keeps(run, function, call, values)
    if keeps or (summary and summary.needs.everywhere):
        run.everywhere()
    return summary is None or bool(summary.writes) or summary.outside or summary.needs != Way()


def _keeps(run: Run, function: FunctionType, call: Call, values: list[Value]) -> bool:
    """Whether a method stores something active in its object, which had nothing active in it."""
    kind = values[0].kind
    if isinstance(kind, Object) and kind.fields is None and has_fields(kind.cls):
        kind = Object(kind.cls, ())  # so that the methods that it calls are known
    receiver = make(kind, False, values[0].sites)
    summary = summary_of(run, function, call, [receiver, *values[1:]], receiver)
    summary = summary or _summary_of_any_call(run, function, receiver)
    return summary is not None and bool(summary.writes or summary.keeping)


def _summary_of_any_call(run: Run, function: FunctionType, receiver: Value) -> Summary | None:
    """The summary of a method whose arguments are not known one by one: all may be active."""
    signature = run.oracle.parameters(function)
    if signature is None or captures(function):
        return None
    others = [make(UNKNOWN, True)] * (len(signature[0].names) - 1)
    return run.summary(function, (receiver, *others))


def summary_of(
    run: Run, function: FunctionType, call: Call, values: list[Value], first: Value = INERT
) -> Summary | None:
    """The summary of a function for these arguments; None where they are not known one by one. `first`
    stands for what is given as a literal."""
    signature = run.oracle.parameters(function)
    if signature is None or captures(function):
        return None
    args, keywords = call
    try:
        bound = bind_function(*signature, args, keywords)
    except CannotBind:
        return None
    known = dict(zip((*args, *(keyword.value for keyword in keywords)), values, strict=True))
    named = {atom.name: value for atom, value in known.items() if isinstance(atom, core.Var)}
    given = []
    for position, (_, item) in enumerate(bound):
        if first is not INERT and position == 0:
            given.append(first)
        elif isinstance(item, core.Var):
            given.append(named.get(item.name, INERT))
        else:
            given.append(bound_value(run, item, named))
    summary = run.summary(function, tuple(given))
    collected = any(isinstance(item, tuple | DictBound) for _, item in bound)
    if collected and summary is not None and summary.forgets:
        summary = _told_by_identity(run, function, tuple(given))
    return summary


def _told_by_identity(run: Run, function: FunctionType, given: tuple[Value, ...]) -> Summary | None:
    """The summary of a function that hands on what it collects, where things are found by identity: then it
    is known what it calls. None where it is not."""
    if run.facts.way.identity:
        return None
    summary = run.oracle.summary_by_identity(function, given)
    return None if summary is None or summary.forgets else summary


def note_needs_of_inner(
    run: Run,
    statement: core.Statement,
    args: tuple[core.Atom | core.Star, ...],
    values: list[Value],
    env: Environment,
) -> None:
    """What differentiates a function, its first argument, needs what the function needs, and changes what
    that changes."""
    active = any(value.active for value in values)
    if not active or isinstance(args[0], core.Star) or not isinstance(values[0].kind, Known):
        return
    function = values[0].kind.value
    signature = run.oracle.parameters(function) if isinstance(function, FunctionType) else None
    if signature is None:
        return
    names = signature[0].names
    given = _spread(args[1:], values[1:])
    if len(given) != len(names):
        given = [EVERYTHING] * len(names)
    summary = run.summary(function, tuple(given))
    if summary is not None and summary.needs.everywhere:
        run.everywhere()
    if summary is not None and (summary.needs.identity or summary.keeps or summary.writes):
        run.by_identity()
    if summary is not None and summary.writes:
        _note_changes_inside(run, statement, args[1:], env)


def _note_changes_inside(
    run: Run, statement: core.Statement, args: tuple[core.Atom | core.Star, ...], env: Environment
) -> None:
    """Arguments, and what unpacked ones hold, may be changed."""
    for arg in args:
        atom = arg.value if isinstance(arg, core.Star) else arg
        if isinstance(atom, core.Var) and atom.name in env:
            note_write(run, statement, atom.name, env)
            note_inside(run, atom.name, env)


def note_needs_of_generator(run: Run, function: FunctionType) -> None:
    """Who makes a generator needs what its body needs."""
    signature = run.oracle.parameters(function)
    if signature is None or captures(function):
        return
    summary = run.summary(function, (EVERYTHING,) * len(signature[0].names))
    if summary is not None and summary.needs.everywhere:
        run.everywhere()


def _spread(args: tuple[core.Atom | core.Star, ...], values: list[Value]) -> list[Value]:
    """The values of positional arguments one by one; a value too many where they are not known."""
    given: list[Value] = []
    for arg, value in zip(args, values, strict=False):
        if not isinstance(arg, core.Star):
            given.append(value)
        elif isinstance(value.kind, Tuple):
            given += [make(item, value.active, value.sites) for item in value.kind.items]
        else:
            return []
    return given


EVERYTHING = make(UNKNOWN, True, sites_of(OUTSIDE))


def note_things(run: Run, values: Iterable[Value]) -> None:
    """What is held by arrays of objects, and by containers of other classes than Python's own, is found by
    identity."""
    if any(value.active and _is_container(value.kind) for value in values):
        run.by_identity()


def _is_container(kind: Kind) -> bool:
    return isinstance(kind, Object) and (
        kind.cls is np.ndarray or issubclass(kind.cls, (np.recarray, *CONTAINERS))
    )


def note_conversion(run: Run, name: str, values: Sequence[Value]) -> None:
    """The same of what `x.astype(object)` gives."""
    if name == "astype" and any(value.kind == Known(object) for value in values):
        run.by_identity()


def makes_array_of_objects(run: Run, callee: Any, values: Sequence[Value]) -> bool:
    """Whether a call gives an array of objects, in which active values may be stored, by identity."""
    making = any(callee is function for function in MAKING_ARRAYS)
    things = making and any(value.active and _holds_things(value.kind) for value in values)
    if not things and not (_is_numpys(callee) and any(value.kind == Known(object) for value in values)):
        return False
    run.by_identity()
    return any(value.active for value in values)


MAKING_ARRAYS: tuple[Any, ...] = (np.array, np.asarray, np.asanyarray)


def _is_numpys(callee: Any) -> bool:
    return str(getattr(callee, "__module__", None)).partition(".")[0] == "numpy"


def _holds_things(kind: Kind) -> bool:
    """Whether a list or tuple holds something of which there are arrays of objects only."""
    items = kind.items if isinstance(kind, Tuple) else ()
    if isinstance(kind, List | Row):
        items = (kind.element,)
    return any(
        isinstance(item, Object | Dict | Closure | Nothing | OneOf) or _holds_things(item) for item in items
    )
