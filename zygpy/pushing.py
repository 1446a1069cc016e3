"""Forward mode: calls of tangent functions."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any, NamedTuple, cast

import numpy as np

from zygpy import dispatch
from zygpy.analyse.fields import argument_kind
from zygpy.analyse.values import Value
from zygpy.derivation import (
    defaults_of,
)
from zygpy.errors import (
    UnsupportedSyntaxError,
    ZygpyError,
    dotted_name,
)
from zygpy.ir.kinds import is_mutable
from zygpy.kept import kept, kept_push, unit_of_plain
from zygpy.load.code import annotate
from zygpy.load.guards import arrange, check_not_replaced, rests_on_no_more
from zygpy.load.known import may_ask_which
from zygpy.load.signatures import signature_of
from zygpy.pipeline import values_of
from zygpy.pushed.found import FINDERS
from zygpy.rules import declare
from zygpy.rules.custom import is_ruled
from zygpy.runtime import mirrors
from zygpy.runtime.asked_again import BEGUN, check_end
from zygpy.runtime.layouts import copied
from zygpy.runtime.levels import is_deeper
from zygpy.runtime.platform_code import is_installed, is_platform
from zygpy.runtime.tangents import direction_of, is_tangent_each, zeros_each
from zygpy.runtime.unknown_derivatives import UnknownCotangent
from zygpy.runtime.ways import PLAIN, Way
from zygpy.runtime.zeros import Begun, CannotPush, let_go
from zygpy.tangent.bands import Bands
from zygpy.tangent_functions import EVERYWHERE, SEVERAL, Refused, Tangent, tangent_of
from zygpy.units import Unit, captured_values, present_options, unit_of


@dataclass(eq=False)
class Push:
    """A call that is ready to be made along any direction: the tangent function, and the arguments as they
    were; `own` are the positions of the user's arguments among the parameters."""

    tangent: Tangent
    values: tuple[Any, ...]
    own: tuple[int, ...]
    found: _Found
    first: int = 0  # where the argument's gradient is in the result, if that is a tuple of gradients

    @property
    def gives_an_array(self) -> bool:
        """Whether what is returned may be an array."""
        return not self.tangent.gives_a_number

    def run(self, tangents: Sequence[Any]) -> tuple[Any, Any]:
        """The value and the tangent along a direction of the user's.

        Raises CannotPush where the tangents are not in the form of the arguments, or that of the value is not
        known, which reverse mode says with its place.
        """
        if len(tangents) != len(self.own):
            raise CannotPush
        dots = [direction_of(dot, self.values[at]) for at, dot in zip(self.own, tangents, strict=True)]
        try:
            y, y_dot = self._along(dots)
            check_not_replaced(self.tangent.program.name, self.tangent.checks)
        except CannotPush as error:  # so the next call does not begin in vain
            self.tangent.failed.append(error)
            raise
        except BaseException as error:
            let_go(error)
            raise
        if UnknownCotangent in map(type, y_dot if isinstance(y_dot, tuple) else (y_dot,)):
            raise CannotPush
        return y, y_dot

    def _along(self, dots: list[Any]) -> tuple[Any, Any]:
        with Begun():
            if len(self.values) == 1 and self.tangent.places[0]:
                return called(self.tangent.function, (self.values[0], dots[0]))
            return called(self.tangent.function, self.with_tangents(dict(zip(self.own, dots, strict=True))))

    def several(self) -> Several | None:
        """The same call along several directions at once; None where no such code is written.

        It is asked for right after the call was found, so that what the one rests on still holds.
        """
        beside = self.tangent.beside
        found = beside[0] if beside else self.found.of(self.values, several=True)
        if not isinstance(found, Tangent):
            return None
        if not beside and rests_on_no_more(found.checks, self.tangent.checks):
            beside.append(found)
        return Several(found, self.values, self.own)

    def along(self, directions: Mapping[int, Any]) -> tuple[Any, Any]:
        """The same along tangents in the very form of the arguments, for tangent code that is running: it
        goes no level deeper."""
        return named(self.tangent.function, self.with_tangents(directions))

    def with_tangents(self, directions: Mapping[int, Any]) -> list[Any]:
        """The arguments, each that is paired with its tangent behind it."""
        args: list[Any] = []
        for place, (is_paired, value) in enumerate(zip(self.tangent.places, self.values, strict=True)):
            args.append(value)
            if is_paired:
                args.append(directions[place] if place in directions else mirrors.mirror_of(value))
        return args

    def at(self, values: tuple[Any, ...]) -> Push:
        """The same with other arguments of the same kinds."""
        return Push(self.tangent, values, self.own, self.found, self.first)


@dataclass(eq=False)
class Several:
    """A call that is ready to be made along several directions at once."""

    tangent: Tangent
    values: tuple[Any, ...]
    own: tuple[int, ...]

    @property
    def has_numbers(self) -> bool:
        """Whether it computes with numbers one by one, which several directions make slower than arrays."""
        return self.tangent.numbers

    @property
    def meets_matrices(self) -> bool:
        """Whether a matrix is multiplied by the directions as they are given."""
        return self.tangent.meets_matrices

    @property
    def bands(self) -> Bands | None:
        """The bands of what is returned, if they are known: by the only argument, beside numbers."""
        found = self.tangent.bands
        if found is None or len(self.own) != 1 or not self.tangent.places[self.own[0]]:
            return None
        if len(self.values) == 1:
            return found
        others = [value for place, value in enumerate(self.values) if place != self.own[0]]
        return found if all(type(value) in (int, float) for value in others) else None

    def run(self, count: int, directions: Sequence[Any]) -> tuple[Any, Any]:
        """The value and its tangents; each direction has one axis more than its argument, the first.

        Raises CannotPush where that cannot be done.
        """
        if len(self.values) == 1 and self.tangent.places[0]:
            args = [self.values[0], directions[0], count]
        else:
            args = self._with_zeros(count, dict(zip(self.own, directions, strict=True)))
        y, y_dot = called(self.tangent.function, args)
        check_not_replaced(self.tangent.program.name, self.tangent.checks)
        if not is_tangent_each(y_dot, y, count):
            raise CannotPush
        return y, y_dot

    def _with_zeros(self, count: int, given: Mapping[int, Any]) -> list[Any]:
        """The arguments with their directions, zeros for those that are not given."""
        args: list[Any] = []
        for place, (is_paired, value) in enumerate(zip(self.tangent.places, self.values, strict=True)):
            args.append(value)
            if is_paired:
                args.append(given[place] if place in given else zeros_each(value, count))
        return [*args, count]


@is_deeper
def called(function: Any, args: Sequence[Any]) -> tuple[Any, Any]:
    """The call of a tangent function, one level deeper; an exception names the user's lines too."""
    try:
        made: tuple[Any, Any] = function(*args)
    except Exception as error:
        annotate(error)
        raise
    if BEGUN:
        check_end(sys._getframe())
    return made


def named(function: Any, args: Sequence[Any]) -> tuple[Any, Any]:
    """The same at the present level."""
    try:
        made: tuple[Any, Any] = function(*args)
    except Exception as error:
        annotate(error)
        raise
    return made


def push_of(
    function: Any,
    args: Sequence[Any],
    *,
    any_result: bool = False,
    at_once: bool = False,
    changing: bool = False,
    elsewhere: bool = False,
    everywhere: bool = False,
) -> Push | Refused:
    """The call of a function in forward mode, or why that has no tangent function; with `any_result` also of
    one that returns something else than a number or array. What is called `at_once` sees the arguments
    themselves, else they are kept as they are now; it writes to none of them unless it may,
    `changing` them, nor to what is found `elsewhere`; what varies may be stored there in a program that is
    followed `everywhere`.
    """
    found = _push_of(function, args, at_once, Changes(changing, elsewhere, everywhere))
    if isinstance(found, Push) and not (any_result or found.tangent.gives_numbers):
        return Refused("what it returns is no number or array", None, found.tangent.checks)
    return found


def push_of_primitive(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Push | Refused:
    """The call of a function that has a rule, along its positional and its keyword arguments."""
    given = as_they_were((*args, *kwargs.values()))
    return push_of_unit(dispatch.unit_of_primitive(function, args, kwargs), None, [], given, [])


def push_of_adjoint(adjoint: FunctionType, stash: Any, y_bar: Any) -> Push | Refused:
    """The call of an adjoint, along its cotangent."""
    return push_of_unit(unit_of(adjoint), adjoint, [stash], [y_bar], [])


def _push_of(function: Any, args: Sequence[Any], at_once: bool, changing: Changes) -> Push | Refused:
    unit = unit_of_plain(function)
    if unit is None:
        return _new_push_of(function, args, at_once, changing)
    own = (changing,) if any(changing) else ()
    key = ("push", signature_of(args), present_options(), *own)
    known: Push | None = kept_push(unit, key)
    if known is not None:
        return known.at(tuple(args if at_once else as_they_were(args)))
    found = _new_push_of(function, args, at_once, changing)
    if isinstance(found, Push) and len(found.values) == len(args):
        unit.tangents[key] = kept(found.at(()), found.tangent.checks)
    return found


def _new_push_of(function: Any, args: Sequence[Any], at_once: bool, changing: Changes) -> Push | Refused:
    if not is_ruled(function) and declare.find(function) is not None:
        return push_of_primitive(function, args, {})
    known = function if type(function) is FunctionType else None
    if known is None or known in dispatch.SPECIAL or known in declare.REGISTRY or is_ruled(known):
        return Refused("what is called is no function written in Python", None, arrange([]))
    try:
        unit = unit_of(known)
        if unit.program.generator:
            return Refused("a generator function, which is called itself", None, arrange([]))
        rest = rest_of(unit, known, len(args))
    except (ZygpyError, SyntaxError) as error:
        return Refused(str(error), None, arrange([]))
    if isinstance(rest, Refused):
        return rest
    captured = captured_values(unit, known)
    if not at_once and any(map(_holds_arrays, args)) and may_ask_which(known, args, answered=False):
        return Refused("it may ask which array it is given, which is a copy", None, arrange([]))
    given = list(args) if at_once else as_they_were(args)
    return push_of_unit(unit, known, captured, given, rest, may=changing)


def _holds_arrays(value: Any) -> bool:
    return not isinstance(value, int | float | complex | np.generic | str | None)


def rest_of(unit: Unit, function: FunctionType, given: int) -> list[Any] | Refused:
    """The default values of the parameters behind so many arguments."""
    params = unit.program.params
    names = params.positional_only + params.positional
    if params.vararg or params.kwarg or params.keyword_only:
        return Refused("its parameters are not plain ones", None, arrange([]))
    defaults = defaults_of(function, params)
    rest = [defaults[name] for name in names[given:] if name in defaults]
    if given + len(rest) != len(names):
        return Refused("it is called with too many arguments, or too few", None, arrange([]))
    return rest


def push_of_unit(
    unit: Unit,
    function: FunctionType | None,
    captured: list[Any],
    args: list[Any],
    rest: list[Any],
    first: int = 0,
    active: frozenset[int] = frozenset(),
    changing: bool = False,
    may: Changes | None = None,
) -> Push | Refused:
    mirrored = mirrors.now() is not None and not _is_apart(unit)
    may = may or Changes(changing, mirrored, mirrored)
    values = (*captured, *args, *rest)
    signature = ("call", signature_of(values), len(captured), len(args), active, may, present_options())
    finding = _Found(unit, function, len(captured), len(args), signature, active, may)
    found = finding.of(values, several=False)
    if isinstance(found, Refused):
        return found
    own = tuple(range(len(captured), len(captured) + len(args)))
    return Push(found, values, own, finding, first)


def _is_apart(unit: Unit) -> bool:
    """Whether what is found elsewhere is none of a program's business."""
    file, own = unit.source.filename, str(unit.source.globals.get("__name__")).startswith("zygpy.")
    return unit.primitive or own or is_platform(file) or is_installed(file)


class Changes(NamedTuple):
    """What a function may change: what it is given, and what it and others find elsewhere."""

    given: bool = False
    elsewhere: bool = False
    everywhere: bool = False  # where a run is on that stores there what varies


UNCHANGED = Changes()


@dataclass(frozen=True)
class _Found:
    """Where the tangent functions for calls with values of some kinds are found: first come those that are
    captured, then the arguments, then default values."""

    unit: Unit
    function: FunctionType | None
    captured: int
    given: int
    signature: Any
    active: frozenset[int] = frozenset()  # the positions of what is captured and has a tangent
    may: Changes = UNCHANGED

    def of(self, values: tuple[Any, ...], *, several: bool) -> Tangent | Refused:
        """The tangent function for one direction, or for several at once."""
        kept, key = self.unit.tangents, (SEVERAL, self.signature) if several else self.signature
        found: Any = kept.get(key)
        if found is None or not found.checks.hold():
            found = self._made(values, several)
            if len(kept) >= TANGENTS_KEPT:
                kept.clear()
            kept[key] = found
        if isinstance(found, Tangent) and found.failed:
            return Refused("something that is only found when it runs", None, found.checks)
        return cast("Tangent | Refused", found)

    def _made(self, values: tuple[Any, ...], several: bool) -> Tangent | Refused:
        """The tangent function, which writes to none of the arguments unless it may."""
        found = self._derived(values, several, PLAIN) if not self.may.everywhere else None
        if isinstance(found, Tangent) and found.writes and not self.may.given:
            return Refused("it writes to an argument", None, found.checks)
        if isinstance(found, Tangent) and found.elsewhere and not self.may.elsewhere:
            return Refused("a change of what others can reach", None, found.checks)
        if isinstance(found, Tangent) or several or not (self.may.given and self.may.elsewhere):
            return found or Refused("several directions through what is stored elsewhere", None, arrange([]))
        other = self._derived(values, several, EVERYWHERE)
        return found if isinstance(other, Refused) and found is not None else other

    def _derived(self, values: tuple[Any, ...], several: bool, way: Way) -> Tangent | Refused:
        """The tangent function in one way: where what varies is stored elsewhere, that may be in whatever can
        be changed of what the function has without being given it."""
        behind = self.captured + self.given
        kinds = [argument_kind(value) for value in (*values[: self.captured], *values[behind:])]
        stored = [way.everywhere and is_mutable(kind) for kind in kinds]
        others = [Value(kind, varies) for kind, varies in zip(kinds, stored, strict=True)]
        captured = [
            value._replace(active=value.active or place in self.active)
            for place, value in enumerate(others[: self.captured])
        ]
        given = values_of([argument_kind(value) for value in values[self.captured : behind]])
        abstract = [*captured, *given, *others[self.captured :]]
        closure = (getattr(self.function, "__closure__", ()) or ()) if self.unit.captured else ()
        cells = dict(zip(self.unit.captured, closure, strict=True))
        return tangent_of(self.unit, abstract, cells, several=several, way=way)


TANGENTS_KEPT = 256
"""How many tangent functions, and refusals, a unit keeps."""


def as_they_were(values: Iterable[Any]) -> list[Any]:
    """Arguments as they are now, whatever becomes of them; what is one thing is one thing still.

    >>> x = np.ones(2)
    >>> kept, items = as_they_were([x, [x, 1.0]])
    >>> x[0] = 5.0
    >>> kept, items, items[0] is kept
    (array([1., 1.]), [array([1., 1.]), 1.0], True)
    """
    made: dict[int, Any] = {}
    return [_as_it_was(value, made) for value in values]


def _as_it_was(value: Any, made: dict[int, Any]) -> Any:
    if type(value) not in CHANGING:
        return value
    if id(value) not in made:
        made[id(value)] = copied(value) if type(value) is np.ndarray else _with_items(value, made)
    return made[id(value)]


def _with_items(value: Any, made: dict[int, Any]) -> Any:
    if type(value) is dict:
        return {key: _as_it_was(item, made) for key, item in value.items()}
    return type(value)(_as_it_was(item, made) for item in value)


CHANGING = (np.ndarray, list, dict, tuple)

FINDERS.update(
    {"push_of_unit": push_of_unit, "rest_of": rest_of, "push_of": push_of, "as_they_were": as_they_were}
)


def text_of(function: Any, args: Sequence[Any]) -> str:
    """The source of a function's tangent function.

    Raises UnsupportedSyntaxError where it has none.
    """
    found = push_of(function, args)
    if isinstance(found, Push):
        return found.tangent.text.source
    raise UnsupportedSyntaxError(
        f"'{dotted_name(function)}' has no tangent function for these arguments.",
        found.place,
        why=found.why,
        instead="use `pushforward` all the same: it then differentiates the pullback, which gives the same",
    )
