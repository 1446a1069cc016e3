"""What is known of the functions that a program calls, and of those that it makes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from types import FunctionType, MethodType
from typing import Any

from zygpy.analyse.classes import classes_of
from zygpy.analyse.effects import sites_by_name
from zygpy.analyse.facts import Guard
from zygpy.analyse.listings import Listing
from zygpy.analyse.machinery import is_closed, is_followed, is_own
from zygpy.analyse.paths import Scope, resolve
from zygpy.analyse.replacing import Bound
from zygpy.analyse.values import Value, make
from zygpy.errors import SourceNotFoundError, ZygpyError
from zygpy.ir import core
from zygpy.ir.kinds import Kind, kind_of
from zygpy.rules.custom import Undecided, chosen, is_opted_out, is_ruled, of_attribute
from zygpy.runtime.callables import answering_methods
from zygpy.runtime.instead import is_entry_point
from zygpy.runtime.platform_code import is_platform
from zygpy.runtime.ways import Way
from zygpy.source.initialisers import written_initialiser
from zygpy.units import Unit, captured_values, local_function, unit_of, with_texts

OPAQUE: set[Any] = set()
"""Functions that are never entered although they have source: the entry points themselves."""


def defaults_of(function: FunctionType, params: core.Params) -> dict[str, Any]:
    """Default values by parameter; a function may have been given more than it has parameters."""
    names = params.positional_only + params.positional
    values = function.__defaults__ or ()
    count = min(len(names), len(values))
    found = dict(zip(names[len(names) - count :], values[len(values) - count :], strict=True))
    return {**found, **(function.__kwdefaults__ or {})}


@dataclass
class Callees:
    """What an interpretation asks of functions and classes before it asks what they do."""

    way: Way
    followed: bool = False
    forward: bool = False  # of tangent functions, in which entry points are called as they are
    copied: bool = False  # whether adjoints write to copies of the cotangents that they are handed over
    bare: bool = False  # as if users had declared no rules: what a rule itself does, when it is run
    walked: list[Unit] = field(default_factory=list)  # whose programs are being interpreted, the inner last
    asked: set[int] = field(default_factory=set)  # places of those among them that answers rest on

    def parameters(self, function: Any) -> tuple[core.Params, Mapping[str, Any]] | None:
        """Parameters and defaults of a function whose source can be had."""
        if (
            function in OPAQUE
            or (self.forward and is_entry_point(function))
            or (self.followed and is_own(function))
            or is_followed(function)
            or is_closed(function)
        ):
            return None
        try:
            program = unit_of(function).program
        except (SourceNotFoundError, ZygpyError, SyntaxError):
            return None
        return program.params, defaults_of(function, program.params)

    def carried(self, function: Any) -> Mapping[str, Value] | None:
        """The variables that a function carries; None where one has no value."""
        unit = unit_of(function)
        try:
            found = captured_values(unit, function)
        except NameError:
            return None
        values = [make(kind_of(value), False, sites_by_name(value)) for value in found]
        return dict(zip(unit.captured, values, strict=True))

    def initialiser(self, cls: type, given: tuple[int, tuple[str, ...]]) -> Any:
        """What a dataclass does to initialise its objects, as a function with a source."""
        return written_initialiser(cls, given)

    def with_texts(self, function: FunctionType, texts: tuple[tuple[str, str], ...]) -> Any:
        """A function that stands for another one, whose first argument has these texts as attributes."""
        return with_texts(function, texts)

    def listing(self, function: FunctionType) -> tuple[Listing, tuple[Guard, ...]] | None:
        """What an `__iter__` gives, where its text tells that, and what that rests on."""
        if is_ruled(function) or function.__closure__ or hasattr(function, "__wrapped__"):
            return None
        try:
            unit = unit_of(function)
            found = None if unit.ruled is not None or unit.generated else unit.listing
        except (SourceNotFoundError, ZygpyError, SyntaxError):
            return None
        asked = resolve(core.Path(("iter",)), Scope(unit.source.globals, {}, {}))
        return None if found is None or asked.value is not iter else (found, tuple(asked.guards))

    def stand_in(self, callee: Any, args: Sequence[Kind], kwargs: Mapping[str, Kind]) -> Any:
        """A function that stands for a callee for which a user has declared a rule."""
        if self.bare:
            return None
        if isinstance(callee, MethodType):
            raise Undecided
        given = [classes_of(kind) for kind in args]
        named = {name: classes_of(kind) for name, kind in kwargs.items()}
        found = chosen(callee, given, named)
        if found.receives if found is not None else is_opted_out(callee, given, named):
            raise Undecided
        return None if found is None else found.stand_in

    def stand_in_of_attribute(self, cls: type, name: str) -> Any:
        """The same for reading an attribute."""
        found = None if self.bare else of_attribute(cls, name)
        return None if found is None else found.stand_in

    def local(self, op: core.MakeFunction) -> Any:
        """A function that stands for one which the program that is being interpreted makes."""
        return local_function(self.walked[-1], op)

    def is_entered(self, function: FunctionType) -> bool:
        """Whether a function is one of those that are being interpreted, each called by the one before it."""
        place = next((n for n, unit in enumerate(self.walked) if unit.code is function.__code__), None)
        if place is not None:
            self.asked.add(place)
        return place is not None

    def is_generated(self) -> bool:
        """Whether the program that is being interpreted is one that was generated."""
        return self.walked[-1].generated or self.walked[-1].followed

    def makes(self, function: Any) -> Iterator[FunctionType]:
        """The functions that a program makes, and those that these make."""
        with suppress(SourceNotFoundError, ZygpyError, SyntaxError):
            unit = self.walked[-1] if function is None else unit_of(function)
            for op in unit.functions_made:
                made = local_function(unit, op)
                yield made
                yield from self.makes(made)

    def bound_by(self, function: FunctionType) -> tuple[Iterable[Bound], list[FunctionType]]:
        """The names that a function binds outside of itself, and the functions that it calls or makes."""
        if is_platform(function.__code__.co_filename) or is_own(function):
            return (), []
        with suppress(SourceNotFoundError, ZygpyError, SyntaxError):
            unit = unit_of(function)
            found = [unit.source.globals.get(name) for name in unit.names_outside]
            called = [other for other in found if isinstance(other, FunctionType)]
            asked = chain.from_iterable(map(answering_methods, found))
            return unit.bound_outside, [*called, *asked, *self.makes(function)]
        return (), []

    def differentiates(self, function: Any) -> bool:
        """Whether a function is an entry point, which differentiates its first argument."""
        return function in OPAQUE
