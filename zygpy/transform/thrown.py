"""Exceptions that a program raises and catches itself, and of which it reads attributes: what they bring is
in variables, and the exceptions bring nothing that has a gradient.

    try:                             thrown = 0
        if x < 1.0:                  try:
            raise Low(x)                 if x < 1.0:
        y = x * x            ->              value, thrown = x, 1
    except Low as e:                         raise exception_kept("failure", Low, x)
        y = e.value                      y = x * x
                                     except Low as e:
                                         y = value

Functions that the block calls stand in place of the calls, as long as all of them are known. Nothing is
changed where the handler does more with the exception, or where it may be another one than those that are
raised in the block. What is raised while one of these is handled knows it: whoever looks there has the
program as it was (`analyse/exceptions.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import FunctionType
from typing import Any, Protocol, TypeAlias

import numpy as np

from zygpy.ir import core
from zygpy.ir.access import assigned, read
from zygpy.ir.names import Names
from zygpy.transform.bodies import MOST_STATEMENTS, Around, Body, means_the_same_elsewhere
from zygpy.transform.flatten import flatten

KEPT = core.Path(("exception_kept",), "helper")
REFUSAL = core.Path(("refusal_of_others",), "helper")
IS_CAUGHT = core.Path(("is_caught",), "helper")

PLAIN_CLASSES = (ValueError, RuntimeError, NotImplementedError, AssertionError)
"""Python's own classes of exceptions that may be caught: calculating with numbers does not raise them."""

Brought: TypeAlias = "Mapping[str, core.Atom | tuple[core.Atom, ...] | None]"
"""What the attributes of an exception are; a tuple for `args`, and None for what is not known."""


class Known(Protocol):
    """What is known of the names in a program."""

    def body_of(self, call: core.Call) -> Body | None:
        """The body of a function of the program's that a call goes to; None if that is something else."""

    def named(self, path: core.Path) -> Any:
        """What a path leads to now; None if it leads nowhere."""

    def brought(self, cls: Any, call: core.Call) -> Brought | None:
        """What the attributes of an exception are that a call of a class makes; None where more is done."""


def with_thrown_in_variables(program: core.Function, known: Known) -> core.Function:
    """The program with such exceptions as variables; the very same if there is none.

    Requires: the program is flattened.
    """
    thrown = _Thrown(program, known)
    body = thrown.block(program.body)
    return flatten(replace(program, body=body)) if thrown.found else program


@dataclass
class _Thrown:
    program: core.Function
    known: Known
    found: bool = False
    misfit: bool = False
    around: Around = field(init=False)

    def __post_init__(self) -> None:
        self.around = Around(self.program)

    def block(self, block: core.Block) -> core.Block:
        """The block with what attempts in it raise in variables."""
        result: list[core.Statement] = []
        for statement in block:
            if isinstance(statement, core.If):
                then, orelse = self.block(statement.then), self.block(statement.orelse)
                result.append(replace(statement, then=then, orelse=orelse))
            elif isinstance(statement, core.HOLDING):
                result.append(replace(statement, body=self.block(statement.body)))
            else:
                result.append(statement)
        return self._attempts(tuple(result))

    def _attempts(self, block: core.Block) -> core.Block:
        for place, statement in enumerate(block):
            if isinstance(statement, core.Attempt) and statement.failure is not None:
                made = self._of_attempt(statement, statement.failure, block[place + 1 :])
                if made is not None:
                    self.found = True
                    attempt, rest = made
                    return (*block[:place], *attempt, *self._attempts(rest))
        return block

    def _of_attempt(
        self, attempt: core.Attempt, failure: str, rest: core.Block
    ) -> tuple[core.Block, core.Block] | None:
        """An attempt with what follows it in its block, changed; None where something else may be seen."""
        handling = _handling(self.program, failure, rest)
        reading = None if handling is None else _Reading.of(handling, failure, self.known)
        if reading is None or not (reading.fields or reading.texts):
            return None
        body = self._in_place(attempt.body)
        sites = None if body is None else self._sites(body, reading)
        if body is None or not sites:
            return None
        return self._written(replace(attempt, body=body), failure, sites, reading, rest)

    # -- what is raised

    def _in_place(self, block: core.Block) -> core.Block | None:
        """The block with the functions of the program in place that it calls; None if not all can be."""
        while any(self._called(one) is not None for one in core.walk(block)):
            block = core.rewritten(block, self._begun)
            if self.misfit or len(list(core.walk(block))) > MOST_STATEMENTS:
                return None
        return block if all(map(self._is_known, core.walk(block))) else None

    def _called(self, statement: core.Statement) -> Body | None:
        op = statement.op if isinstance(statement, core.Assign) else None
        if not isinstance(op, core.Call) or op.carried or any(isinstance(arg, core.Star) for arg in op.args):
            return None
        body = self.known.body_of(op)
        return body if body is not None and means_the_same_elsewhere(body) else None

    def _begun(self, statement: core.Statement) -> core.Block:
        """The body of a function in place of its call."""
        called = self._called(statement)
        body = None if called is None else self.around.fitting(called)
        if body is None:
            self.misfit |= called is not None
            return (statement,)
        assert isinstance(statement, core.Assign)
        *inside, last = body.program.body
        begun = tuple(body.begun_by(self.around.names, statement.loc))
        if not isinstance(last, core.Return):  # it always raises
            return (*begun, *inside, last)
        return (*begun, *inside, replace(statement, op=core.Copy(last.value)))

    def _is_known(self, statement: core.Statement) -> bool:
        """Whether a statement may stand in such a block: nothing in it raises the program's exceptions by
        other means than `raise`."""
        if isinstance(statement, core.Attempt | core.Handle | core.With | core.Refuse):
            return False
        op = statement.op if isinstance(statement, core.Assign) else None
        if isinstance(op, core.CallMethod):
            return _is_plain_method(op.name)
        if isinstance(op, core.MakeFunction | core.Yield | core.Caught | core.GetAttr):
            return False
        return not isinstance(op, core.Call) or self._is_harmless(op)

    def _is_harmless(self, call: core.Call) -> bool:
        """Whether a call is one of an exception, or of a function of Python's or NumPy's."""
        if not isinstance(call.func, core.Path):
            return False
        if call.func.scope == "helper":
            return call.func.names[0] not in (*KEPT.names, *REFUSAL.names)
        called = self.known.named(call.func)
        if isinstance(called, type) and issubclass(called, BaseException):
            return True
        module = str(getattr(called, "__module__", None) or type(called).__module__)
        return module.split(".")[0] in ("numpy", "math", "builtins", "operator") and called not in TAKING

    def _sites(self, body: core.Block, reading: _Reading) -> Mapping[int, _Site] | None:
        """What is raised in a block, by its `raise`; None where something else is raised than exceptions that
        are surely caught."""
        made = {one.target: one for one in core.walk(body) if isinstance(one, core.Assign)}
        raised = [one for one in core.walk(body) if isinstance(one, core.Raise)]
        sites: dict[int, _Site] = {}
        for statement in raised:
            name = getattr(statement.exception, "name", "")
            site = self._site(made.get(name), reading) if statement.cause in NO_CAUSE else None
            reads = [one for one in core.walk(body) if name in read(one)]
            if site is None or reads != [statement]:
                return None
            sites[id(statement)] = site
        calls = [one for one in core.walk(body) if _is_call(one) and self._is_exception(one)]
        return sites if len(calls) == len(sites) and self._none_else(body, reading) else None

    def _is_exception(self, statement: core.Statement) -> bool:
        path = getattr(getattr(statement, "op", None), "func", None)
        called = self.known.named(path) if isinstance(path, core.Path) else None
        return isinstance(called, type) and issubclass(called, BaseException)

    def _none_else(self, body: core.Block, reading: _Reading) -> bool:
        """Whether Python raises nothing by itself in a block of which the attributes may be read then."""
        builtin = [cls for cls in reading.classes if cls.__module__ == "builtins"]
        read = [cls for cls in builtin if any(hasattr(cls, name) for name in reading.fields)]
        if not read:
            return True
        if not all(cls in PLAIN_CLASSES for cls in read):
            return False
        calls = [one for one in core.walk(body) if _is_call(one) and not self._is_exception(one)]
        methods = [one for one in core.walk(body) if isinstance(getattr(one, "op", None), core.CallMethod)]
        others = [one for one in core.walk(body) if isinstance(one, core.Unpack)]
        return not (calls or methods or others)

    def _site(self, made: core.Assign | None, reading: _Reading) -> _Site | None:
        call = made.op if made is not None else None
        if made is None or not isinstance(call, core.Call) or not isinstance(call.func, core.Path):
            return None
        cls = self.known.named(call.func)
        brought = self.known.brought(cls, call)
        if brought is None:
            return None
        if set(reading.classes).isdisjoint(cls.__mro__):
            return _Site(made, call, {})
        written = [vars(each).get(name) for each in cls.__mro__ for name in ("__str__", "__repr__")]
        asks = reading.texts and any(isinstance(each, FunctionType) for each in written)
        unknown = any(
            brought[name] is None if name in brought else hasattr(cls, name) for name in reading.fields
        )
        return None if asks or unknown else _Site(made, call, brought)

    # -- what is written

    def _written(
        self,
        attempt: core.Attempt,
        failure: str,
        sites: Mapping[int, _Site],
        reading: _Reading,
        rest: core.Block,
    ) -> tuple[core.Block, core.Block]:
        names, which = self.around.names, self.around.names.fresh("thrown")
        variables: list[Brought] = []
        changed: dict[int, core.Block] = {}
        for count, (key, site) in enumerate(sites.items(), 1):
            raising = next(one for one in core.walk(attempt.body) if id(one) == key)
            kept, found = site.kept_in_variables(reading.fields, names)
            note = core.Assign(which, core.Copy(core.Const(count)), raising.loc)
            variables.append(found)
            changed[key] = (note, raising)
            changed[id(site.made)] = (*site.plainly(failure, names), *kept)
        body = core.rewritten(attempt.body, lambda one: changed.get(id(one), (one,)))
        start = core.Assign(which, core.Copy(core.Const(0)), attempt.loc)
        reads = {id(one): one for one in reading.reads}
        rest = core.rewritten(
            rest,
            lambda one: self._read(reads[id(one)], which, variables, failure) if id(one) in reads else (one,),
        )
        return (start, replace(attempt, body=body)), rest

    def _read(self, statement: core.Assign, which: str, variables: list[Brought], failure: str) -> core.Block:
        """A reading of an attribute, which was kept in a variable where the exception was raised."""
        names, loc = self.around.names, statement.loc
        assert isinstance(statement.op, core.GetAttr)
        other = names.temporary()
        block: core.Block = (
            core.Assign(other, core.Call(REFUSAL, (core.Var(failure),)), loc),
            core.Raise(core.Var(other), None, loc),
        )
        for count, found in reversed(list(enumerate(variables, 1))):
            value, test = found.get(statement.op.name), names.temporary()
            if value is None:  # such an exception is not caught here, or has no such attribute
                continue
            op: core.Op = core.Display("tuple", value) if isinstance(value, tuple) else core.Copy(value)
            asked = core.Assign(test, core.Compare("==", core.Var(which), core.Const(count)), loc)
            taken = (replace(statement, op=op),)
            block = (asked, core.If(core.Var(test), taken, block, loc))
        return block


TAKING = (
    getattr,
    setattr,
    next,
    iter,
    map,
    filter,
    eval,
    exec,
    sorted,
    min,
    max,
    sum,
    type,
    vars,
    isinstance,
)
"""Builtins that may call functions which they are given, or what a class says."""

NO_CAUSE = (None, core.Const(None))


def _is_call(statement: core.Statement) -> bool:
    return isinstance(statement, core.Assign) and isinstance(statement.op, core.Call)


@dataclass(frozen=True)
class _Site:
    """Where an exception is made that is raised: what its attributes are."""

    made: core.Assign
    call: core.Call
    brought: Brought

    def plainly(self, failure: str, names: Names) -> core.Block:
        """The exception is made, without anything in it that has a gradient."""
        cls, loc = names.temporary(), self.made.loc
        assert isinstance(self.call.func, core.Path)
        args = (core.Const(failure), core.Var(cls), *self.call.args)
        call = core.Call(KEPT, args, self.call.keywords)
        return (core.Assign(cls, core.Read(self.call.func), loc), replace(self.made, op=call))

    def kept_in_variables(self, fields: frozenset[str], names: Names) -> tuple[core.Block, Brought]:
        """What is read of it later is put in variables."""
        kept: list[core.Statement] = []
        found: dict[str, core.Atom | tuple[core.Atom, ...] | None] = {}

        def variable(atom: core.Atom, name: str) -> core.Atom:
            if isinstance(atom, core.Const):
                return atom
            kept.append(core.Assign(name := names.fresh(name), core.Copy(atom), self.made.loc))
            return core.Var(name)

        for name in sorted(fields & self.brought.keys()):
            value = self.brought[name]
            if isinstance(value, tuple):
                found[name] = tuple(variable(atom, f"thrown_{name}") for atom in value)
            elif value is not None:
                found[name] = variable(value, f"thrown_{name}")
        return tuple(kept), found


@dataclass(frozen=True)
class _Reading:
    """What a handler does with its exception, where that is reading attributes, asking for its text, and
    raising it: the attributes, whether its text is asked for, and the classes that are caught."""

    reads: tuple[core.Assign, ...]
    texts: bool
    classes: tuple[type, ...]

    @property
    def fields(self) -> frozenset[str]:
        """The attributes that are read."""
        return frozenset(one.op.name for one in self.reads if isinstance(one.op, core.GetAttr))

    @classmethod
    def of(cls, handle: core.Handle, failure: str, known: Known) -> _Reading | None:
        """What is done in a handler; None where more is done, or something is called that may ask for it."""
        statements = list(core.walk(handle.body))
        tests = [one for one in statements if isinstance(one, core.Assign) and _asks(one) is not None]
        found = [_classes(one, statements, known) for one in tests]
        classes = tuple(one for each in found for one in each or ())
        if not classes or None in found:
            return None
        copies = {one.target for one in statements if isinstance(one, core.Assign) and _copies(one, failure)}
        if not all(_keeps_names(one, copies, failure) for one in statements):
            return None
        knowing = [one for one in statements if not copies.isdisjoint(read(one))]
        reads = [one for one in knowing if isinstance(one, core.Assign) and isinstance(one.op, core.GetAttr)]
        texts = [one for one in knowing if _is_text(one, known)]
        raises = [one for one in knowing if isinstance(one, core.Raise)]
        if len(reads) + len(texts) + len(raises) < len(knowing):
            return None
        if not all(_is_quiet(statement, known) for statement in statements):
            return None
        return cls(tuple(reads), bool(texts), classes)


def _handling(program: core.Function, failure: str, rest: core.Block) -> core.Handle | None:
    """The one handler of an attempt, which follows it; None if something else knows the exception."""
    statements = list(core.walk(rest))
    handled = [one for one in statements if isinstance(one, core.Handle) and one.failure == core.Var(failure)]
    knowing = [one for one in core.walk(program.body) if failure in read(one)]
    attempts = [
        one for one in core.walk(program.body) if isinstance(one, core.Attempt) and one.failure == failure
    ]
    if len(handled) != 1 or len(attempts) != 1 or failure in program.cells:
        return None
    plain = [one for one in knowing if one == handled[0] or _is_plain(one, failure)]
    return handled[0] if len(plain) == len(knowing) else None


def _is_plain(statement: core.Statement, failure: str) -> bool:
    """Whether a statement asks whether an exception is there, or what it is, or gives it its name."""
    if _asks(statement) == failure or _copies(statement, failure):
        return True
    op = statement.op if isinstance(statement, core.Assign) else None
    return isinstance(op, core.Compare) and op.right == core.Const(None) and op.op in ("is", "is not")


def _asks(statement: core.Statement) -> str | None:
    """The variable of the exception of which a statement asks whether it is caught."""
    op = statement.op if isinstance(statement, core.Assign) else None
    if not isinstance(op, core.Call) or op.func != IS_CAUGHT:
        return None
    return getattr(op.args[0], "name", None)


def _copies(statement: core.Statement, failure: str) -> bool:
    return isinstance(statement, core.Assign) and statement.op == core.Copy(core.Var(failure))


def _classes(asking: core.Assign, statements: list[core.Statement], known: Known) -> tuple[type, ...] | None:
    """The classes that are asked for."""
    made = {one.target: one.op for one in statements if isinstance(one, core.Assign)}

    def value(atom: Any) -> Any:
        op = made.get(getattr(atom, "name", ""))
        if isinstance(op, core.Read):
            return known.named(op.path)
        return tuple(map(value, op.items)) if isinstance(op, core.Display) else None

    found = value(asking.op.args[1])  # type: ignore[union-attr]
    classes = found if isinstance(found, tuple) else (found,)
    return classes if all(isinstance(cls, type) for cls in classes) else None


def _keeps_names(statement: core.Statement, names: set[str], failure: str) -> bool:
    """Whether a statement leaves the names of an exception to it, or ends them."""
    if names.isdisjoint(assigned(statement)) or isinstance(statement, core.DelName):
        return True
    ended = isinstance(statement, core.Assign) and statement.op == core.Copy(core.Const(None))
    return ended or _copies(statement, failure)


def _is_text(statement: core.Statement, known: Known) -> bool:
    """Whether a statement asks for a text, or what an exception is."""
    op = statement.op if isinstance(statement, core.Assign) else None
    if isinstance(op, core.Format):
        return True
    return (
        isinstance(op, core.Call)
        and isinstance(op.func, core.Path)
        and known.named(op.func) in (str, repr, print, isinstance, type)
    )


def _is_plain_method(name: str) -> bool:
    """Whether arrays or lists have a method of this name, which raises no exception of the program's."""
    return hasattr(np.ndarray, name) or name in ("append", "extend")


def _is_quiet(statement: core.Statement, known: Known) -> bool:
    """Whether a statement of a handler runs no code that may ask for the exception."""
    op = statement.op if isinstance(statement, core.Assign) else None
    if isinstance(op, core.MakeFunction | core.Yield | core.Caught):
        return False
    if isinstance(statement, core.Attempt | core.Handle | core.With):
        return False
    if isinstance(op, core.CallMethod):
        return _is_plain_method(op.name)
    if not isinstance(op, core.Call) or op.func == IS_CAUGHT:
        return True
    called = known.named(op.func) if isinstance(op.func, core.Path) else None
    if isinstance(called, type) and issubclass(called, BaseException):
        return known.brought(called, op) is not None
    module = str(getattr(called, "__module__", None) or type(called).__module__)
    return called is not None and module.split(".")[0] in ("numpy", "math", "builtins")


def brought_by_init(init: core.Function, call: Iterable[tuple[str, core.Atom]]) -> Brought | None:
    """What the attributes of an exception are of which the class has an `__init__`, with what its parameters
    are given; None if that does anything but keep these."""
    making = _Init(core.Var(init.params.names[0]), dict(call))
    return making.found if all(map(making.keeps, init.body[:-1])) else None


@dataclass
class _Init:
    """What an `__init__` keeps of what it is given."""

    own: core.Var
    given: Mapping[str, core.Atom]
    found: dict[str, core.Atom | tuple[core.Atom, ...] | None] = field(init=False)
    texts: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.found = {"args": None}

    def keeps(self, statement: core.Statement) -> bool:
        """Whether a statement does nothing but that; what is kept is noted."""
        match statement:
            case core.Assign(_, core.Read(core.Path(("__class__",)))):
                return True
            case core.Assign(_, core.Call(core.Path(("super",)), (_, core.Var()), ())):
                return True
            case core.Assign(_, core.CallMethod(_, "__init__", args, ())):
                return self._keeps_arguments(args)
            case core.Assign(target, core.Format()) if target not in self.given:
                self.texts.add(target)
                return True
            case core.SetAttr(target, name, value) if target == self.own and name != "args":
                return self._keeps_as(name, value)
        return False

    def _keeps_arguments(self, args: tuple[core.Atom | core.Star, ...]) -> bool:
        atoms = tuple(atom for arg in args if (atom := self._atom(arg)) is not None)
        self.found["args"] = atoms if len(atoms) == len(args) else None
        return True

    def _keeps_as(self, name: str, value: core.Atom) -> bool:
        self.found[name] = self._atom(value)
        return self.found[name] is not None or getattr(value, "name", "") in self.texts

    def _atom(self, atom: core.Atom | core.Star) -> core.Atom | None:
        if isinstance(atom, core.Star):
            return None
        return atom if isinstance(atom, core.Const) else self.given.get(atom.name)
