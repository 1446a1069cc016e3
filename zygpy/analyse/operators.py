"""Operators on objects, and items of objects, that are calls of a method of the class."""

from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType

from zygpy.analyse import fields, objects
from zygpy.analyse.calls import call_known
from zygpy.analyse.facts import Guard
from zygpy.analyse.paths import MISSING
from zygpy.analyse.replaced import method_with_program, program_for
from zygpy.analyse.run import Run
from zygpy.analyse.values import Environment, Value, make
from zygpy.ir import core
from zygpy.ir.access import operands
from zygpy.ir.classes import HEAP_TYPE
from zygpy.ir.kinds import UNKNOWN, Kind, Known, Number, Object, Tuple, Unknown, is_scalar, kind_of
from zygpy.runtime.lookup import in_class
from zygpy.runtime.operations import AUGMENTED_METHODS, BINARY_METHODS, UNARY_METHODS
from zygpy.runtime.ways import Way

Method = tuple[FunctionType, tuple[core.Atom, ...]]
"""A function, and the atoms that it is given."""


def by_method(run: Run, statement: core.Assign, op: core.Op, env: Environment) -> Value | None:
    """The value of an operation on an object that is known to be the call of one method of its class; None
    where it is found when the program runs which methods are asked, or whether they answer."""
    run.facts.entered.discard(id(statement))
    found = asked_method(run, op, [run.value(atom, env).kind for atom in operands(op)])
    if found is None:
        return None
    method, args = found
    values = [run.value(atom, env) for atom in args]
    summary = objects.summary_of(run, _standing(method, args, values), (args, ()), values)
    if summary is None or may_not_answer(summary.result.kind):
        return None
    return call_known(run, statement, method, (args, ()), values, env)


def _standing(method: FunctionType, args: tuple[core.Atom, ...], values: Sequence[Value]) -> FunctionType:
    """The program that is differentiated in place of a library's method, or the method itself."""
    found = None
    if any(value.active for value in values):
        found = program_for(method, (args, ()), [value.kind for value in values], ())
    return method if found is None else found[0]


def may_not_answer(kind: Kind) -> bool:
    """Whether what a method gives may be NotImplemented: then another one is asked."""
    return isinstance(kind, Unknown | Known) or kind == kind_of(NotImplemented)


def asked_method(run: Run, op: core.Op, kinds: list[Kind]) -> Method | None:
    """The method that is asked first, and its arguments."""
    match op:
        case core.GetItem() if is_named(kinds[0]):
            return None
        case core.Unary(symbol, value) if symbol in UNARY_METHODS:
            return _with(_method(run, kinds[0], UNARY_METHODS[symbol]), (value,))
        case core.GetItem(value, core.Var() | core.Const() as index):
            return _with(_method(run, kinds[0], "__getitem__"), (value, index))
        case core.Binary(symbol, left, right) if symbol in BINARY_METHODS:
            forward, backward = BINARY_METHODS[symbol]
            if isinstance(kinds[0], Object) or is_named(kinds[0]):
                first = not _comes_first(run, kinds[1], kinds[0], backward)
                return _with(_method(run, kinds[0], forward), (left, right)) if first else None
            if _is_left_to(run, kinds[0], kinds[1]):
                return _with(_method(run, kinds[1], backward), (right, left))
    return None


def _with(method: FunctionType | None, args: tuple[core.Atom, ...]) -> Method | None:
    return None if method is None else (method, args)


def _method(run: Run, kind: Kind, name: str) -> FunctionType | None:
    """The method of an object's class, or of a named tuple's, if it is written in Python."""
    if isinstance(kind, Tuple) and kind.cls is not None:
        return _method_of_tuple(run, kind.cls, name)
    if not isinstance(kind, Object) or not is_of_python_alone(kind.cls):
        return None
    if kind.fields is None:
        return method_with_program(run, kind.cls, name)
    found = fields.of_class(run, kind, name)
    return found if isinstance(found, FunctionType) else None


def is_named(kind: Kind) -> bool:
    """Whether a value is a named tuple.

    >>> from collections import namedtuple
    >>> is_named(kind_of(namedtuple("Point", "x y")(1.5, 2.0))), is_named(kind_of((1.5, 2.0)))
    (True, False)
    """
    return isinstance(kind, Tuple) and kind.cls is not None


def _method_of_tuple(run: Run, cls: type, name: str) -> FunctionType | None:
    """The method of a class of named tuples, which has it instead of that of tuples."""
    found = in_class(cls, name, None)
    replaced = name in run.facts.way.replaced or name in run.scope.replaced
    if replaced or not isinstance(found, FunctionType) or getattr(cls, name, None) is not found:
        return None
    run.note(Guard(cls, name, found))
    return found


def is_of_python_alone(cls: type) -> bool:
    """Whether all that a class inherits, but from `object`, is written in Python.

    >>> class Point: pass
    >>> class Count(int): pass
    >>> is_of_python_alone(Point), is_of_python_alone(Count)
    (True, False)
    """
    return all(bool(one.__flags__ & HEAP_TYPE) for one in cls.__mro__ if one is not object)


def _comes_first(run: Run, right: Kind, left: Kind, backward: str) -> bool:
    """Whether the reflected method of the right operand is, or may be, asked first: that of a subclass is
    which has one of its own."""
    if isinstance(right, Unknown):
        return True
    cls, own = getattr(right, "cls", None), getattr(left, "cls")  # noqa: B009
    if cls is None or cls is own or not issubclass(cls, own):
        return False
    run.note(Guard(cls, backward, getattr(cls, backward, MISSING)))
    if backward in run.facts.way.replaced:
        return True
    return in_class(cls, backward, None) is not in_class(own, backward, None)


def _is_left_to(run: Run, left: Kind, right: Kind) -> bool:
    """Whether a number leaves an operation to the object on its right: one of NumPy does it itself with the
    items of what has some."""
    if not (isinstance(right, Object) or is_named(right)) or not is_scalar(left):
        return False
    if isinstance(left, Number) or not isinstance(right, Object):
        return isinstance(left, Number)
    if any(hasattr(right.cls, name) or name in run.facts.way.replaced for name in TAKEN_APART):
        return False
    for name in TAKEN_APART:
        run.note(Guard(right.cls, name, MISSING))
    return True


TAKEN_APART = ("__len__", "__array__", "__array_ufunc__", "__array_interface__", "__array_struct__")
"""Methods and fields by which NumPy takes an object for an array."""


def bound_anew(run: Run, symbol: str, values: list[Value]) -> Value | None:
    """What `x op= v` binds x to where that is `x = x op v` of an object; None where it may be something
    else."""
    kinds = [value.kind for value in values]
    if not binds_anew(kinds[0], symbol, run.facts.way):
        return None
    run.note_lasting(Guard(getattr(kinds[0], "cls"), AUGMENTED_METHODS[symbol][0], MISSING))  # noqa: B009
    atoms: tuple[core.Atom, core.Atom] = (core.Var("x"), core.Var("v"))
    found = asked_method(run, core.Binary(symbol, *atoms), kinds)
    if found is None:
        return make(UNKNOWN, True)
    method, args = found
    given = dict(zip(atoms, values, strict=True))
    summary = objects.summary_of(run, method, (args, ()), [given[atom] for atom in args])
    if summary is None or may_not_answer(summary.result.kind):
        return make(UNKNOWN, True)
    return summary.result


def binds_anew(kind: Kind, symbol: str, way: Way) -> bool:
    """Whether `x op= v` is `x = x op v`, for an object by methods in Python."""
    if isinstance(kind, Tuple):
        cls = kind.cls
    else:
        known = isinstance(kind, Object) and kind.fields is not None and is_of_python_alone(kind.cls)
        cls = kind.cls if known and isinstance(kind, Object) else None
    if cls is None:
        return False
    own, forward, _ = AUGMENTED_METHODS[symbol]
    if not way.replaced.isdisjoint((own, forward)):
        return False
    return not hasattr(cls, own) and isinstance(in_class(cls, forward, None), FunctionType)
