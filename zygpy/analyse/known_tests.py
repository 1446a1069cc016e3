"""Branches that are taken whenever a program runs with values of these kinds: `isinstance(other, Vector)`,
`weights is None`, `case Vector(x, y)`, `np.iscomplexobj(x)`.

t_1 = isinstance(other, Vector)         t_1 = isinstance(other, Vector)
t_2 = not t_1                           t_2 = not t_1
if t_2:                                 result = ...
    result = NotImplemented
else:
    result = ...
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from zygpy.analyse.facts import Facts
from zygpy.analyse.known_matches import has_attribute
from zygpy.ir import core
from zygpy.ir.access import assigned, assigned_inside, mentioned, read
from zygpy.ir.kinds import (
    Array,
    Bytes,
    Closure,
    Dict,
    Kind,
    Known,
    List,
    Number,
    NumpyScalar,
    Object,
    OneOf,
    OnlyNone,
    RealScalar,
    Text,
    Tuple,
    is_numeric,
    is_real,
)
from zygpy.ir.names import is_temporary
from zygpy.runtime.caching import are_whole
from zygpy.runtime.lookup import in_class


def with_known_tests(program: core.Function, facts: Facts, *, of_none: bool = True) -> core.Function:
    """The same program with the blocks in place of branches whose tests ask of what class something is whose
    class is known, or (`of_none`) whether it is None; the very same if there is none.

    Of zygpy's own programs what they call in branches that are not taken tells what they may do: of these
    one is left out where a function that is known is not None.
    """
    made, count = program, -1
    asked = _Asked(facts, of_none)
    while count != (count := _count_of_branches(made)):  # what is left may tell more
        made = replace(made, body=_Cutting(asked, _known(made, asked)).block(made.body, {}))
    if count == _count_of_branches(program):
        return program
    lost = assigned_inside(program.body) - assigned_inside(made.body) - set(program.params.names)
    if lost & mentioned(made):  # which are no variables of its own then
        return program
    return _without_questions(made, asked)


class _Asked(NamedTuple):
    """The facts, and whether questions for None are answered."""

    facts: Facts
    of_none: bool


def _without_questions(program: core.Function, asked: _Asked) -> core.Function:
    """The program without questions whose answers are known and that nobody reads any more."""
    unread = None
    while unread != set():
        wanted = {name for statement in core.walk(program.body) for name in read(statement)}
        unread = set(filter(is_temporary, _known(program, asked).keys() - wanted))
        program = replace(program, body=core.rewritten(program.body, _but(unread)))
    return program


def _but(names: Collection[str]) -> Callable[[core.Statement], core.Block]:
    """What is left of a statement where some variables are not set."""

    def left(statement: core.Statement) -> core.Block:
        return () if isinstance(statement, core.Assign) and statement.target in names else (statement,)

    return left


def _count_of_branches(program: core.Function) -> int:
    return sum(isinstance(statement, core.If) for statement in core.walk(program.body))


def _known(program: core.Function, asked: _Asked) -> Mapping[str, bool]:
    """The answers that are known, by the temporaries that hold them and nothing else: other variables may
    have no value where they are read."""
    statements = list(core.walk(program.body))
    bound = Counter(name for statement in statements for name in assigned(statement))
    bound.update(program.params.names)
    found: dict[str, bool] = {}
    for statement in statements:
        if isinstance(statement, core.Assign) and bound[statement.target] == 1:
            answer = _answer(statement, asked, found) if is_temporary(statement.target) else None
            if answer is not None:
                found[statement.target] = answer
    return found


def _answer(statement: core.Assign, asked: _Asked, known: Mapping[str, bool]) -> bool | None:
    """What a question about a class or a field, a flag, or its negation gives; None if that is not known."""
    flag, facts = _flag(statement.op, known), asked.facts
    if flag is not None:
        return flag
    if isinstance(statement.op, core.Call) and isinstance(statement.op.func, core.Var):
        whole = _are_whole(statement, statement.op.func, statement.op.args, facts)
        return has_attribute(statement, facts) if whole is None else whole
    return _answer_about_one(statement, asked)


def _answer_about_one(statement: core.Assign, asked: _Asked) -> bool | None:
    """The same of a question about one thing."""
    facts = asked.facts
    match statement.op:
        case core.Call(core.Path() as path, (core.Var() as thing, core.Var() as classes), ()):
            if facts.objects.get(path.names) is isinstance and _is_known(statement, thing, facts):
                return is_of(facts.value(statement, thing).kind, facts.value(statement, classes).kind)
        case core.Call(core.Path() as path, (core.Var() as thing,), ()):
            if facts.objects.get(path.names) is np.iscomplexobj and _is_known(statement, thing, facts):
                return is_complex(facts.value(statement, thing).kind)
        case core.Compare("is" | "is not" as symbol, core.Var() as thing, core.Const(None)):
            if _is_known(statement, thing, facts):
                kind = facts.value(statement, thing).kind
                function = isinstance(kind, Known) and isinstance(kind.value, FunctionType)
                answer = is_none(kind) if asked.of_none or function else None
                return answer if symbol == "is" or answer is None else not answer
    return has_attribute(statement, facts)


def _are_whole(
    statement: core.Assign, function: core.Var, args: Sequence[core.Atom | core.Star], facts: Facts
) -> bool | None:
    """Whether all arguments are plain whole numbers, where that is asked and known."""
    kind = facts.value(statement, function).kind if _is_known(statement, function, facts) else None
    if not isinstance(kind, Known) or kind.value is not are_whole:
        return None
    found = [_is_whole(statement, arg, facts) for arg in args]
    return False if False in found else None if None in found else True


def _is_whole(statement: core.Assign, arg: core.Atom | core.Star, facts: Facts) -> bool | None:
    if isinstance(arg, core.Const):
        return type(arg.value) is int
    if not isinstance(arg, core.Var) or not _is_known(statement, arg, facts):
        return None
    classes = classes_in(facts.value(statement, arg).kind)
    return None if not classes or (int in classes and len(classes) > 1) else int in classes


def is_none(kind: Kind) -> bool | None:
    """Whether a value of a kind is None; None where that is not known.

    >>> from zygpy.ir.kinds import NONE, NOTHING
    >>> is_none(NONE), is_none(Array("f8", 1)), is_none(NOTHING)
    (True, False, None)
    """
    if isinstance(kind, OnlyNone):
        return True
    something = isinstance(kind, List | Dict | Tuple | Text | Closure | Known) or classes_in(kind)
    return False if something else None


def _is_known(statement: core.Statement, atom: core.Var, facts: Facts) -> bool:
    """Whether the facts are about a statement, which may have been written since, or never be reached, and
    about a variable that surely has a value there: asked of none, the question raises an exception."""
    found = facts.values.get((id(statement), atom.name))
    return found is not None and found.certain


def is_complex(kind: Kind) -> bool | None:
    """Whether numbers of a kind are complex; None where that is not known.

    >>> is_complex(Array("f8", 1)), is_complex(NumpyScalar("c16")), is_complex(Array("any", 2))
    (False, True, None)
    """
    if is_numeric(kind) and is_real(kind):
        return False
    return True if isinstance(kind, Array | NumpyScalar) and kind.dtype in ("c16", "c8") else None


def is_of(kind: Kind, classes: Kind) -> bool | None:
    """Whether all values of a kind are instances of a class, or of one of several; None where only some are,
    or that is not known.

    >>> is_of(Number(frozenset({"float"})), Known(float)), is_of(RealScalar("f8"), Known(np.generic))
    (True, None)
    >>> is_of(Text(), Known(np.ndarray)), is_of(Text(), Known(str)), is_of(Tuple(()), Known(tuple))
    (False, None, True)
    """
    if isinstance(classes, Tuple):
        each = [is_of(kind, item) for item in classes.items]
        return True if True in each else None if None in each else False
    asked = classes.value if isinstance(classes, Known) else None
    if not isinstance(asked, type) or type(asked) is not type:  # a metaclass may say something else
        return None
    found = {issubclass(cls, asked) for cls in classes_in(kind)}
    return found.pop() if len(found) == 1 else None


def classes_in(kind: Kind) -> tuple[type, ...]:
    """The classes that values of a kind may be of, exactly; none where they are not known."""
    if isinstance(kind, Object):
        return (kind.cls,) if kind.fields is not None and _tells_its_class(kind.cls) else ()
    if isinstance(kind, OneOf):
        each = [classes_in(option) for option in kind.options]
        return tuple(chain.from_iterable(each)) if all(each) else ()
    if isinstance(kind, Number):
        return tuple([OF_PYTHON[name] for name in kind.types])
    if isinstance(kind, NumpyScalar):
        return (OF_NUMPY[kind.dtype],) if kind.dtype in OF_NUMPY else ()
    if isinstance(kind, RealScalar):
        return (float, np.float64) if kind.dtype == "f8" else ()
    if isinstance(kind, Tuple):
        return (kind.cls or tuple,)
    return OF_KINDS.get(type(kind), ())


def _tells_its_class(cls: type) -> bool:
    """Whether an object says of itself that it is of the class that it is of."""
    own = any("__class__" in vars(one) for one in cls.__mro__ if one is not object)
    return not own and in_class(cls, "__getattribute__") is object.__getattribute__


OF_PYTHON: Mapping[str, type] = {
    "bool": bool,
    "int": int,
    "float": float,
    "complex": complex,
    "exact": Fraction,
}
OF_NUMPY: Mapping[str, type[Any]] = {
    "f8": np.float64,
    "f4": np.float32,
    "c16": np.complex128,
    "c8": np.complex64,
    "i": np.int64,
}
"""The classes of numbers by the names that their kinds have."""


OF_TEXTS = (str, bytes, np.str_, np.bytes_, np.datetime64, np.timedelta64)
"""The classes of what has the kind of texts."""

OF_KINDS: Mapping[type[Kind], tuple[type, ...]] = {
    Array: (np.ndarray,),
    List: (list,),
    OnlyNone: (type(None),),
    **dict.fromkeys((Text, Bytes), OF_TEXTS),
}
"""The classes of the values of kinds that say no more of them."""

Flags = dict[str, bool]
"""The variables of which it is known what they hold at a place."""


@dataclass(frozen=True)
class _Cutting:
    asked: _Asked
    answers: Mapping[str, bool]

    def block(self, block: core.Block, flags: Flags) -> core.Block:
        """The block with the one of two blocks that is always run in place of both; `flags` are those in
        front of it, and then those behind it."""
        result: list[core.Statement] = []
        for statement in block:
            if isinstance(statement, core.If):
                result += self._branch(statement, flags)
            elif isinstance(statement, core.HOLDING):
                _forget(flags, statement)
                result.append(replace(statement, body=self.block(statement.body, dict(flags))))
            else:
                self._note_flag(flags, statement)
                result.append(statement)
        return tuple([statement for statement in result if not self._is_of_itself(statement)])

    def _is_of_itself(self, statement: core.Statement) -> bool:
        """Whether a statement is what is left of `w = ones if w is None else w`: a variable's own value."""
        if not isinstance(statement, core.Assign):
            return False
        own = core.Var(statement.target)
        return statement.op == core.Copy(own) and _is_known(statement, own, self.asked.facts)

    def _branch(self, statement: core.If, flags: Flags) -> core.Block:
        name = getattr(statement.test, "name", None)
        known = flags.get(name, self.answers.get(name)) if isinstance(name, str) else None
        if known is not None:
            return self.block(statement.then if known else statement.orelse, flags)
        then, orelse = (self.block(arm, dict(flags)) for arm in core.blocks(statement))
        _forget(flags, statement)
        return (replace(statement, then=then, orelse=orelse),)

    def _note_flag(self, flags: Flags, statement: core.Statement) -> None:
        """What a variable holds behind a statement that sets it."""
        known = None
        if isinstance(statement, core.Assign):
            known = _answer(statement, self.asked, {**self.answers, **flags})
        _forget(flags, statement)
        if isinstance(statement, core.Assign) and known is not None:
            flags[statement.target] = known


def _forget(flags: Flags, statement: core.Statement) -> None:
    for name in assigned_inside((statement,)):
        flags.pop(name, None)


def _flag(op: core.Op, known: Mapping[str, bool]) -> bool | None:
    """What a flag, or its negation, holds; None of anything else, or where that is not known."""
    match op:
        case core.Copy(core.Const(bool() as flag)):
            return flag
        case core.Unary("not", core.Var(name)) if name in known:
            return not known[name]
        case core.Copy(core.Var(name)) | core.Truth(core.Var(name)):
            return known.get(name)
    return None
