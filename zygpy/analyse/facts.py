"""What the analyses found out about one program for one tuple of argument kinds."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, Protocol, TypeAlias

from zygpy.analyse.listings import Listing
from zygpy.analyse.sites import NOWHERE, Sites, reachable
from zygpy.analyse.values import INERT, Environment, Value, join_environments
from zygpy.ir import core
from zygpy.ir.kinds import Kind, kind_of
from zygpy.rules.declare import Rule
from zygpy.runtime.asked_again import Under
from zygpy.runtime.ways import PLAIN, Way

Bound: TypeAlias = "core.Atom | tuple[core.Atom, ...] | DictBound"
"""What a parameter is given: an atom, or the tuple that `*args` becomes."""


@dataclass(frozen=True)
class DictBound:
    """The dict that `**kwargs` becomes."""

    items: tuple[tuple[str, core.Atom], ...]


@dataclass(frozen=True)
class Plain:
    """The call is made as it stands: no active value can be reached from it."""


@dataclass(frozen=True)
class BoundMethod(Plain):
    """The attribute is a method, bound to its object, in which nothing varies."""


@dataclass(frozen=True)
class ByRule:
    """A primitive with its arguments bound to the rule's parameters."""

    rule: Rule
    arguments: tuple[tuple[str, Bound], ...]


@dataclass(frozen=True)
class Direct:
    """A user function derived for exactly these arguments and called directly."""

    function: Any
    arguments: tuple[tuple[str, Bound], ...]
    values: tuple[Value, ...]
    summary: Summary
    result: Value


@dataclass(frozen=True)
class Made(Direct):
    """An object is made and initialised by `function`, whose first argument it is; `arguments` are the
    others'."""


@dataclass(frozen=True)
class Kept(Direct):
    """A function under a cache, called with what is differentiated: its pair may keep what it has found."""

    under: Under


@dataclass(frozen=True)
class Dynamic:
    """The callee is found and derived when the call is made."""


@dataclass(frozen=True)
class Intrinsic:
    """An operation on containers that the transformation knows by name, and the atoms that became
    the entries of what it makes where the call itself does not tell."""

    name: str
    atoms: tuple[core.Atom, ...] = ()


Resolution: TypeAlias = Plain | ByRule | Direct | Dynamic | Intrinsic


@dataclass(frozen=True)
class Summary:
    """What a caller must know of a callee.

    `result` speaks of sites of the callee's own parameters, OUTSIDE, or others (fresh). `writes`
    names the parameters whose content may be changed; `active_writes` those that may receive
    active values, and `exits` what kinds they have then; `outside` tells whether something reachable
    otherwise may be written; `carries` whether the adjoint needs the cotangents of variables that
    functions share; `refuses` whether a statement may be reached that cannot be differentiated;
    `mingles` whether unknown code may store any of the arguments in any other; `keeps` whether the
    adjoint keeps cotangents by memory or identity; `shared` the parameters the cotangents of whose arrays
    are kept in the caller's store; `needs` tells what the function cannot be differentiated without.
    `escapes` names the parameters that may be stored where others find them, `handed` those that are given to
    unknown code, which may change them, where `mingles` does not say so.
    `always` tells whether the adjoint does something that is seen even where no cotangent comes in.
    `stores` are the stores to fields that are made (see `analyse.fields`), `states` the kinds of objects that
    were given, when the function returns; `forgets` whether code runs that may change any field.
    `trusts` tells whether it counts on what lists and dicts hold that are found in globals, `trusted` on
    which kinds of objects there.
    `inside` names the parameters in which something may be changed that the caller knows by another name.
    `keeps_variables` tells whether what is active may be stored in variables that the function carries.
    `keeping` names the parameters that are given, or something in them, to code of which nothing is known,
    beside what is active: it may store that there. `operated` are those that operators and indices are
    given so. `replacing` has the names of globals, and of attributes of classes and modules, that are bound.
    `looks` tells whether anything is found, or looked at, when the function runs, which then may refuse it.
    `holding` names the parameters that may hold then, beside what they held, what others find.
    `raised` has the kinds and activity of changed parameters where the function ends with an exception.
    `brings` tells whether an exception that it ends with may hold active values.
    `mixed` names the parameters that operations may have stored in each other, while nothing in them varied.
    `fills` tells whether what is stored outside is more than a number or text in which nothing varies.
    `rule` is the user's rule that makes the call, whose result may be what it is given.
    """

    result: Value
    writes: frozenset[str] = frozenset()
    outside: bool = False
    exits: tuple[tuple[str, Kind], ...] = ()
    carries: bool = False
    refuses: bool = False
    mingles: bool = False
    keeps: bool = False
    shared: frozenset[str] = frozenset()
    needs: Way = PLAIN
    guards: tuple[Guard, ...] = ()
    escapes: frozenset[str] = frozenset()
    stores: frozenset[tuple[type | Kind | None, str | None, Kind]] = frozenset()
    states: tuple[tuple[str, Kind], ...] = ()
    forgets: bool = False
    always: bool = False
    handed: frozenset[str] = frozenset()
    trusts: bool = False
    inside: frozenset[str] = frozenset()
    keeps_variables: bool = False
    keeping: frozenset[str] = frozenset()
    operated: frozenset[str] = frozenset()
    replacing: frozenset[Any] = frozenset()
    looks: bool = False
    holding: tuple[tuple[str, Sites], ...] = ()
    raised: tuple[tuple[str, Kind, bool], ...] = ()
    brings: bool = False
    mixed: frozenset[str] = frozenset()
    trusted: frozenset[Kind] = frozenset()
    fills: bool = False
    rule: Any = None


@dataclass(frozen=True)
class Guard:
    """A condition under which a derivation holds: `owner[name]` (or `owner.name`) is `value`, or,
    where `kind` is given, has that kind; `deep`: with the fields of objects; `raw`: what a class
    has, and nobody is asked."""

    owner: Any
    name: str
    value: Any = None
    kind: Kind | None = None
    deep: bool = False
    raw: bool = False


class Oracle(Protocol):
    """What the interpretation asks of its surroundings."""

    def parameters(self, function: Any) -> tuple[core.Params, Mapping[str, Any]] | None:
        """Parameters and default values of a function whose source can be had, else None."""

    def carried(self, function: Any) -> Mapping[str, Value] | None:
        """The variables that a function carries; None where one has no value."""

    def summary(self, function: Any, values: tuple[Value, ...]) -> Summary | None:
        """The summary for these arguments (canonical order), or None if it must be dynamic."""

    def summary_by_identity(self, function: Any, values: tuple[Value, ...]) -> Summary | None:
        """The same, by identity where the function cannot be differentiated without."""

    def with_texts(self, function: FunctionType, texts: tuple[tuple[str, str], ...]) -> Any:
        """A function that stands for another one, whose first argument has these texts as attributes."""

    def initialiser(self, cls: type, given: tuple[int, tuple[str, ...]]) -> Any:
        """A function whose source can be had that does what the `__init__` of a class does which a decorator
        has written, when it is given so many arguments by position and these by name, else None."""

    def listing(self, function: Any) -> tuple[Listing, tuple[Guard, ...]] | None:
        """What an `__iter__` gives, where its text tells that, and what that rests on; else None."""

    def stand_in(self, callee: Any, args: Sequence[Kind], kwargs: Mapping[str, Kind]) -> Any:
        """A function that stands for a callee whose rule, for arguments of these kinds, a user has declared;
        None where no such rule holds.

        Raises `rules.custom.Undecided` where that cannot be known beforehand.
        """

    def stand_in_of_attribute(self, cls: type, name: str) -> Any:
        """The same for reading an attribute of instances of a class."""

    def local(self, op: core.MakeFunction) -> Any:
        """A function that stands for one which the program makes, and is given what that captures in front
        of its own arguments; None where there is none."""

    def is_entered(self, function: FunctionType) -> bool:
        """Whether a function is one of those that are being interpreted, each called by the one before it."""

    def is_generated(self) -> bool:
        """Whether the program that is interpreted was generated here, as an adjoint or for one."""

    def makes(self, function: Any) -> Iterable[Any]:
        """The functions that a function's program makes, or, of None, the program that is interpreted, each
        given what it captures in front of its own arguments."""

    def bound_by(self, function: FunctionType) -> tuple[Iterable[Any], list[FunctionType]]:
        """The names that a function binds outside of itself, and the functions that it calls or makes."""

    def differentiates(self, function: Any) -> bool:
        """Whether a function is an entry point, which differentiates its first argument."""


KEPT = core.Path(("exception_kept",), "helper")
"""What makes an exception whose values are in variables."""


@dataclass
class Facts:
    """The findings; statements are keys by `id`."""

    function: core.Function
    way: Way = PLAIN
    values: dict[tuple[int, str], Value] = field(default_factory=dict)
    results: dict[tuple[int, str], Value] = field(default_factory=dict)
    arguments: Environment = field(default_factory=dict)
    entries: dict[int, Environment] = field(default_factory=dict)
    exits: dict[int, Environment] = field(default_factory=dict)
    calls: dict[int, Resolution] = field(default_factory=dict)
    writes: dict[int, frozenset[str]] = field(default_factory=dict)
    shared: Sites = NOWHERE
    write_rules: dict[int, ByRule] = field(default_factory=dict)
    unseen: set[int] = field(default_factory=set)
    cached: dict[int, Any] = field(default_factory=dict)  # the caches that are asked, as nothing varies
    quiet: set[int] = field(default_factory=set)  # calls in which nothing varies, of what may do anything
    guarded: set[int] = field(default_factory=set)  # writes of globals that are checked when they happen
    links: bool = False  # whether a thing that is found by a name is stored somewhere
    given: dict[int, set[str]] = field(default_factory=dict)  # what a write changes, if it was given
    parts: dict[int, core.Block] = field(default_factory=dict)  # that are to stand for statements
    iterators: set[int] = field(default_factory=set)  # that are made, and about to be spelled out
    generators: set[int] = field(default_factory=set)  # calls that make generators
    written: Sites = NOWHERE
    written_parameters: set[str] = field(default_factory=set)
    written_inside: set[str] = field(default_factory=set)  # where what is written to may be something in it
    stores: set[tuple[type | Kind | None, str | None, Kind]] = field(default_factory=set)
    held: Sites = NOWHERE  # allocations that something else may hold
    given_away: Sites = NOWHERE  # which others may find
    entries_set: set[int] = field(default_factory=set)  # plain writes of items of lists
    fields: set[int] = field(default_factory=set)  # reads and writes of attributes that are fields
    entered: set[int] = field(default_factory=set)  # calls of functions that are known, whose effects are
    silent: set[int] = field(default_factory=set)  # those of which surely nothing is left where they fail
    forgets: bool = False
    handed: set[str] = field(default_factory=set)
    escaped: Sites = NOWHERE  # allocations that were stored outside
    outside: bool = False
    fills: bool = False
    keeps_variables: bool = False
    keeping: set[str] = field(default_factory=set)  # parameters, see `Summary`
    operated: set[str] = field(default_factory=set)
    mixed: set[str] = field(default_factory=set)
    replacing: set[Any] = field(default_factory=set)  # `replacing.Bound`
    trusts: bool = False
    trusted: set[Kind] = field(default_factory=set)
    mingles: bool = False
    refused: bool = False
    needs: Way = PLAIN  # what the program cannot be differentiated without
    refusals: dict[int, tuple[str, str]] = field(default_factory=dict)
    read_in_front: dict[int, Any] = field(default_factory=dict)  # what functions get that are read before
    gathered: dict[int, tuple[str, ...]] = field(default_factory=dict)  # keywords for a dict in front
    checked: dict[int, str] = field(default_factory=dict)  # what may be None, and is checked not to be
    asked: dict[int, tuple[str, Any]] = field(default_factory=dict)  # of which of several things it is
    groups: dict[int, int] = field(default_factory=dict)  # how many statements are asked for together
    guards: dict[tuple[int, str], Guard] = field(default_factory=dict)
    lasting: list[Guard] = field(default_factory=list)  # which hold too where the program is spelled out
    objects: dict[tuple[str, ...], Any] = field(default_factory=dict)
    result: Value = INERT
    raised: Environment | None = None  # where the function ends with an exception
    brings: bool = False  # whether exceptions are made of what is active
    bringing: set[int] = field(default_factory=set)  # calls that may end with such an exception
    failed: dict[int, Environment] = field(default_factory=dict)  # where a call has ended with one

    @functools.cached_property
    def statements(self) -> tuple[core.Statement, ...]:
        """Every statement of the program, in the order of `core.walk`."""
        return tuple(core.walk(self.function.body))

    @functools.cached_property
    def keeping_exceptions(self) -> tuple[core.Assign, ...]:
        """The statements that make exceptions whose values are in variables."""
        assigned = (one for one in self.statements if isinstance(one, core.Assign))
        return tuple(one for one in assigned if isinstance(one.op, core.Call) and one.op.func == KEPT)

    @functools.cached_property
    def told_of(self) -> dict[str, str]:
        """The context managers that are told of exceptions, by the variables of these."""
        found: dict[str, str] = {}
        for one in self.statements:
            op = getattr(one, "op", None)
            match op.call if isinstance(op, core.Caught) else op:
                case core.CallMethod(core.Var(manager), "__exit__", (_, core.Var(told), _)):
                    found.setdefault(told, manager)
        return found

    def note_raised(self, env: Environment) -> None:
        """The function may end here with an exception."""
        self.raised = dict(env) if self.raised is None else join_environments(self.raised, env)

    def value(self, statement: core.Statement, atom: core.Atom) -> Value:
        """The abstract value of an atom just before a statement."""
        if isinstance(atom, core.Const):
            return constant(atom)
        return self.values.get((id(statement), atom.name), INERT)

    def after(self, statement: core.Statement, name: str) -> Value:
        """The abstract value of a variable just after a statement that changed it."""
        return self.results.get((id(statement), name), INERT)

    def after_write(self, statement: core.Statement, name: str) -> Value:
        """The abstract value of a variable just after a statement that may have changed it."""
        return self.results.get((id(statement), name)) or self.values.get((id(statement), name), INERT)

    def exit_value(self, name: str) -> Value:
        """What a variable holds when the function returns, or ends with an exception if it only does that."""
        left = self.exits.get(id(self.function), self.raised)
        return INERT if left is None else left.get(name, INERT)

    def raised_value(self, name: str) -> Value:
        """What a variable holds where the function ends with an exception."""
        return INERT if self.raised is None else self.raised.get(name, INERT)

    @property
    def acts_always(self) -> bool:
        """Whether the adjoint does something that is seen even where no cotangent comes in."""
        return any(found.summary.always for found in self.calls.values() if isinstance(found, Direct))

    def is_shared(self, value: Value) -> bool:
        """Whether cotangents of this value live in the store."""
        return not self.shared.isdisjoint(reachable(value.sites))

    def is_written(self, value: Value) -> bool:
        """Whether what the value holds may be written somewhere in the program."""
        return not self.written.isdisjoint(reachable(value.sites))


def constant(atom: core.Const) -> Value:
    """The abstract value of a literal."""
    positive = type(atom.value) in (bool, int, float) and atom.value >= 0
    return Value(kind_of(atom.value), never_negative=positive)
