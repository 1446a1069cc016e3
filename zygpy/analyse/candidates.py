"""Functions that a program may call without naming them: those in tables, lists and fields that are found
by a name, those that it makes, and those that are made by what it calls.

What such a function does to what it is given is not known before it is called. Where nothing is found by
identity a change would be refused then; so the functions that may be meant are looked at beforehand. This
decides nothing but the way in which a program is derived: a call is looked at all the same when it is made.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from inspect import CO_GENERATOR
from itertools import chain, islice
from types import FunctionType, MethodType
from typing import Any

from zygpy.analyse.effects import is_container
from zygpy.analyse.facts import Oracle
from zygpy.analyse.run import Run
from zygpy.analyse.values import Value, make
from zygpy.errors import ZygpyError
from zygpy.ir import core
from zygpy.ir.classes import HEAP_TYPE
from zygpy.ir.kinds import (
    UNKNOWN,
    Closure,
    Kind,
    Known,
    List,
    LocalFunction,
    Object,
    OneOf,
    Row,
    Tuple,
    Unknown,
)
from zygpy.marks import is_marked
from zygpy.runtime.callables import functions_in, methods_of, methods_of_class
from zygpy.runtime.cells import content
from zygpy.runtime.lookup import in_class
from zygpy.runtime.platform_code import is_platform
from zygpy.runtime.ways import BY_IDENTITY, PLAIN, Way
from zygpy.runtime.writing_programs import CLASSES, PROGRAMS, writing_program

ANYTHING = make(UNKNOWN, True)

WRITING_PROGRAMS = frozenset(PROGRAMS.values())


def note_needs(run: Run, values: list[Value]) -> None:
    """Note what a program needs that gives these values, of which one is or holds a function, to code of
    which nothing is known."""
    way = run.facts.way
    if way.everywhere or way.guarded or _is_own(run) or not any(map(_may_be_function, values)):
        return
    foreign = (isinstance(value.kind, Closure) and value.kind.foreign for value in values)
    if any(foreign) or any(map(_is_implicit, values)):
        run.everywhere()
        return
    if any(map(_is_made_in_python, _classes_read(run))) or any(map(_may_write, values)):
        run.by_identity()
    found = chain(_in_kinds(values), functions_within(run))
    for function in dict.fromkeys(islice(found, MANY)):
        needs = needs_of(run.oracle, function)
        if needs.everywhere and way.identity:  # by which more is known of what is called
            run.everywhere()
            return
        if needs.identity or needs.everywhere:
            run.by_identity()


def _classes_read(run: Run) -> Iterator[Any]:
    """The classes that a program reads, or finds in a container that it reads, of which one may be called:
    not those that it asks for by `isinstance`."""
    naming = [(statement, op) for statement, op in run.naming if statement.op is op]
    asked = {arg for _, op in naming if isinstance(op, core.Call) and _is_question(op) for arg in op.args}
    for statement, op in naming:
        if isinstance(op, core.Read) and core.Var(statement.target) not in asked:
            found = run.facts.objects.get(op.path.names)
            items = (
                found.values()
                if isinstance(found, dict)
                else found
                if isinstance(found, list | tuple)
                else ()
            )
            yield from (found, *islice(items, MANY))


def _is_question(call: core.Call) -> bool:
    """Whether a call by a name asks for a class."""
    return isinstance(call.func, core.Path) and call.func.names[-1] in ("isinstance", "issubclass")


def _is_made_in_python(cls: Any) -> bool:
    """Whether objects of a class of the program's own are made by code in Python."""
    if not isinstance(cls, type) or not cls.__flags__ & HEAP_TYPE or issubclass(cls, BaseException):
        return False
    return any(isinstance(in_class(cls, name, None), FunctionType) for name in ("__init__", "__new__"))


def functions_within(run: Run) -> Iterator[FunctionType]:
    """The functions that a program may call without naming them."""
    captured = (content(cell) for cell in run.scope.cells.values())
    return chain(
        _in_kinds(list(run.facts.arguments.values())),
        chain.from_iterable(map(functions_in, captured)),
        _in_program(run),
    )


IMPLICIT = "__zygpy_implicit__"
"""The attribute of classes of such sets."""

MANY = 100
"""So many functions are looked at."""


def is_changing_method(run: Run, kind: Kind, name: str) -> bool:
    """Whether an attribute of an object is a method that may change something in place."""
    found = in_class(kind.cls, name, None) if isinstance(kind, Object) else None
    return isinstance(found, FunctionType) and not _is_own(run) and needs_of(run.oracle, found) != PLAIN


DERIVATIVES = "zygpy.derivatives"
"""The module of entry points that are differentiated as if a user had written them: nobody has known what
they are given."""


def _is_own(run: Run) -> bool:
    """Whether a program is zygpy's, whose callers know what the functions need that they give it, or the
    platform's, of which there may be too much."""
    if run.scope.globals.get("__name__") == DERIVATIVES:
        return run.oracle.is_generated()
    return run.is_own() or is_platform(run.scope.globals.get("__file__")) or run.oracle.is_generated()


def _may_be_function(value: Value) -> bool:
    """Whether a value may be, or hold, a function whose code is Python's."""
    if isinstance(value.kind, List | Row):
        return _may_be_function(make(value.kind.element))
    if isinstance(value.kind, Tuple):
        return any(_may_be_function(make(item)) for item in value.kind.items)
    if isinstance(value.kind, Known):
        found = value.kind.value
        return isinstance(found, FunctionType | MethodType | partial) or writing_program(found) is not None
    return isinstance(value.kind, Closure | Unknown | Object)


def _is_implicit(value: Value) -> bool:
    """Whether a value is a set of arrays by which is differentiated wherever they are read."""
    kind = value.kind
    cls = kind.cls if isinstance(kind, Object) else type(kind.value) if isinstance(kind, Known) else None
    return cls is not None and is_marked(cls, IMPLICIT)


def _may_write(value: Value) -> bool:
    """Whether a value is a method of a builtin class, which may be one that writes into an array."""
    return isinstance(value.kind, Object) and issubclass(value.kind.cls, CLASSES)


def _in_kinds(values: list[Value]) -> Iterator[FunctionType]:
    """The functions that the kinds of values name."""
    for value in values:
        if isinstance(value.kind, Known):
            yield from functions_in(value.kind.value)
        elif isinstance(value.kind, Object):
            yield from functions_in(in_class(value.kind.cls, "__call__", None))
            yield from _in_kinds([make(kind) for _, kind in value.kind.fields or ()])
        elif isinstance(value.kind, Tuple):
            yield from _in_kinds([make(item) for item in value.kind.items])
        elif isinstance(value.kind, List | Row):
            yield from _in_kinds([make(value.kind.element)])
        elif isinstance(value.kind, OneOf):
            yield from _in_kinds([make(option) for option in value.kind.options])
        elif isinstance(value.kind, LocalFunction):
            yield value.kind.function
            yield from _in_kinds([make(kind) for _, kind in value.kind.captured])


def _in_program(run: Run) -> Iterator[FunctionType]:
    """The functions that a program reads, or that are held by what it reads, and those that are made in it
    or in what it calls by name."""
    yield from run.oracle.makes(None)
    read = []
    for statement, op in run.naming:
        if isinstance(op, core.Read):
            read.append(run.facts.objects.get(op.path.names))
            yield from functions_in(read[-1])
        elif isinstance(op.func, core.Path):
            callee = run.facts.objects.get(op.func.names)
            yield from run.oracle.makes(callee) if isinstance(callee, FunctionType) else functions_in(callee)
            if isinstance(callee, type):  # whose objects may be called
                yield from functions_in(in_class(callee, "__call__", None))
            if callee is getattr:
                yield from chain.from_iterable(map(methods_of, read))
                yield from _methods_by_name(run, statement, op)


def _methods_by_name(run: Run, statement: core.Statement, op: core.Call) -> Iterator[FunctionType]:
    """The methods of an object of a known class, or of that, of which one is found by a name."""
    owner = op.args[0] if op.args and not isinstance(op.args[0], core.Star) else None
    kind = None if owner is None else run.facts.value(statement, owner).kind
    cls = kind.cls if isinstance(kind, Object) else kind.value if isinstance(kind, Known) else None
    if isinstance(cls, type):
        yield from methods_of_class(cls)


def needs_of(oracle: Oracle, function: FunctionType) -> Way:
    """What a caller needs to know what a function changes that it is given, or finds."""
    if function in WRITING_PROGRAMS or function.__code__.co_flags & CO_GENERATOR:
        return BY_IDENTITY
    if is_platform(function.__code__.co_filename):
        return PLAIN
    with suppress(ZygpyError):
        signature, carried = oracle.parameters(function), oracle.carried(function)
        if signature is None or carried is None:
            return PLAIN
        given = (*carried.values(), *[ANYTHING] * len(signature[0].names))
        summary = oracle.summary_by_identity(function, given)
        if summary is not None:
            everywhere = summary.fills or summary.needs.everywhere
            inside = bool(summary.writes or summary.exits or summary.escapes) or summary.keeps_variables
            by_others = summary.mingles and summary.needs.identity and any(map(_may_be_filled, given))
            return Way(identity=inside or by_others or everywhere, everywhere=everywhere)
    return PLAIN


def _may_be_filled(value: Value) -> bool:
    """Whether unknown code that is given a value may store something in it."""
    return is_container(value.kind) and not isinstance(value.kind, Closure)
