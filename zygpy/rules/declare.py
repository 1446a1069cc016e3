"""Declaring rules: how each primitive maps output cotangents to input cotangents, as text.

A rule is recorded when its module is imported and parsed when it is first used. See
`docs/internals.md`, "Rules", for what the texts may say.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import FunctionType, MappingProxyType
from typing import Any, TypeAlias

from zygpy.ir.kinds import APART
from zygpy.runtime import newer_keywords
from zygpy.runtime.instances import INSTANCES, OfInstances
from zygpy.runtime.lookup import compares_in_python, looked_up


@dataclass(frozen=True, eq=False)
class Rule:
    """One declaration.

    `call` is the text "y = f(x, axis=None)"; `bars` maps a parameter's name to the text of its
    contribution. `style` is "elementwise", "whole" or "zero" (derivative zero) or "none" (no
    differentiable path). `shares` names the parameters whose storage the result may share; "in x" if
    not the result itself but what it holds, "single xs" if only where there is one of several, "x where n=0"
    if only for a value of another, "x unless n=1" if not for one. With
    `containers` the contributions hold for containers of numbers too.
    The tangent is derived from these texts where the rule is elementwise, or is seen to be linear; `tangent`
    says how it is linear where that cannot be seen ("together", "each"; "affine" if it is not), or that each
    entry of the result depends on the entries that are reduced to it ("reduction"). `dots` maps a parameter's
    name to the text of what its tangent, there called `y_bar`, contributes to the result's. `refused` says
    of parameters that matter, and by which there is no derivative, why; integers count as constants there.
    """

    function: Any
    call: str
    bars: dict[str, str]
    style: str
    kind: str = "number-or-array"
    shares: str | None = None
    writes: str | None = None
    at: str = ""
    domain: str = ""
    note: str = ""
    source: str = ""
    containers: bool = False
    tangent: str = ""
    dots: dict[str, str] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    place: tuple[str, int] | None = None


@dataclass(frozen=True, eq=False, slots=True)
class State:
    """One state of the registry; it is another object after every change."""


class Registry(dict[Any, Rule]):
    """The rules by function, with a `state` that derivations compare by identity."""

    def __init__(self) -> None:
        super().__init__()
        self.state = State()
        self.objects: list[tuple[Any, Rule]] = []

    def __setitem__(self, function: Any, rule: Rule) -> None:
        super().__setitem__(function, rule)
        if compares_in_python(function):
            self.objects.insert(0, (function, rule))
        APART.add(function)
        self.state = State()

    def __delitem__(self, function: Any) -> None:
        super().__delitem__(function)
        self.state = State()

    def changed(self) -> None:
        """What else is declared about functions is no longer what it was."""
        self.state = State()


REGISTRY = Registry()
"""Every declared rule, by the function itself (functions hash by identity)."""

METHODS: dict[str, Any] = {}
"""Methods of arrays and NumPy scalars: name -> function that takes the array first."""

ATTRIBUTES: dict[str, Any] = {}
"""Attributes of arrays and NumPy scalars: name -> function of the array."""

FIELDS: dict[tuple[type, str], Any] = {}
"""Attributes of objects of a library's classes: class and name -> function of the object."""

WITH_FIELDS: list[Any] = []
"""Functions that make or read such objects, and have rules."""


Choice: TypeAlias = "Callable[[Sequence[Any], frozenset[str]], FunctionType | None]"
"""From the kinds of positional arguments and the names of others to a program."""


@dataclass(frozen=True, eq=False, slots=True)
class StandIn:
    """A program that is differentiated in place of a function: in every call, or where one of these keywords,
    or more than so many positional arguments, are given; or one that is chosen by what is given."""

    function: Callable[..., Any]
    program: FunctionType
    keywords: frozenset[str] | None = None
    positional: int = 0
    choose: Choice | None = None

    def holds(self, count: int, names: frozenset[str]) -> bool:
        """Whether it is meant for a call with so many positional arguments and these keywords."""
        return self.keywords is None or count > self.positional or not self.keywords.isdisjoint(names)

    def program_for(self, kinds: Sequence[Any], names: frozenset[str]) -> FunctionType | None:
        """The program for a call with positional arguments of these kinds and these keywords."""
        found = self._chosen(kinds, names)
        if found is None or newer_keywords.knows(found, len(kinds), names):
            return found
        return newer_keywords.refusing(self.function, found, len(kinds), names) or found

    def _chosen(self, kinds: Sequence[Any], names: frozenset[str]) -> FunctionType | None:
        if self.choose is not None:
            return self.choose(kinds, names)
        return self.program if self.holds(len(kinds), names) else None


PROGRAMS: dict[Any, StandIn] = {}
"""Programs in plain Python that are differentiated in place of functions, which give the same."""

LIBRARIES: dict[str, Any] = {}
"""Modules that the texts of their rules mention, by the name that they have there."""


def library(name: str, module: Any) -> None:
    """Let texts of rules mention a module by this name, which is that of no other one."""
    if LIBRARIES.setdefault(name, module) is not module:
        raise ValueError(f"{name!r} is the name of another module")


def stands_for(
    function: Callable[..., Any],
    program: Callable[..., Any],
    keywords: str | None = None,
    positional: int = 0,
    choose: Choice | None = None,
) -> None:
    """Let a program with the same parameters be differentiated where the function is called.

    It is for functions whose arguments have to be looked at: where one of them cannot be differentiated,
    the program says so before anything is computed. With `keywords` (names, comma-separated) it is meant
    only for calls with one of them, or with more than so many positional arguments. With `choose` another
    program may be taken for arguments of some kinds.
    """
    assert isinstance(program, FunctionType)
    names = None if keywords is None else frozenset(name.strip() for name in keywords.split(","))
    PROGRAMS[function] = StandIn(function, program, names, positional, choose)
    APART.add(function)
    REGISTRY.changed()


def _record(rule: Rule) -> Rule:
    if rule.function in REGISTRY:
        raise ValueError(f"{rule.function!r} has a rule already")
    frame = sys._getframe(2)
    object.__setattr__(rule, "place", (frame.f_code.co_filename, frame.f_lineno))  # frozen but for this
    REGISTRY[rule.function] = rule
    return rule


def sharing_of(text: str) -> tuple[str, str, int, bool]:
    """What a part of `shares` says: of which parameter, by which other one, for which value of that or for
    all but this.

    >>> sharing_of("x unless copy=1"), sharing_of("in x")
    (('x', 'copy', 1, True), ('in x', '', 0, False))
    """
    for word in (" where ", " unless "):
        name, found, condition = text.partition(word)
        if found:
            parameter, _, wanted = condition.partition("=")
            return name, parameter, int(wanted), word == " unless "
    return text, "", 0, False


def _split(texts: dict[str, str]) -> dict[str, str]:
    for name in texts:
        if not name.endswith("_bar"):
            raise TypeError(f"unknown keyword {name!r}: contributions are named PARAMETER_bar")
    return _by_parameter(texts, "_bar")


def _by_parameter(texts: dict[str, str], ending: str) -> dict[str, str]:
    """The texts with this ending of their names, by parameter."""
    return {name.removesuffix(ending): text for name, text in texts.items() if name.endswith(ending)}


Texts = Mapping[str, str]
NOTHING: Texts = MappingProxyType({})


def _refusals(helper: str, call: str, refused: Texts) -> dict[str, str]:
    """The contributions of parameters by which there is no derivative."""
    function = call.partition("=")[2].partition("(")[0].strip()
    whys = {name: f"the derivative of {function!r} by {name!r}: {why}" for name, why in refused.items()}
    return {name: f"{helper}(y_bar, {name}, {why!r}, y)" for name, why in whys.items()}


@functools.cache
def of_constants(rule: Rule, names: frozenset[str]) -> Rule:
    """The rule for calls in which these parameters are constants."""
    return replace(rule, bars={name: bar for name, bar in rule.bars.items() if name not in names})


def rule(
    function: Callable[..., Any],
    call: str,
    *,
    kind: str = "number-or-array",
    shares: str | None = None,
    writes: str | None = None,
    at: str = "",
    domain: str = "",
    note: str = "",
    source: str = "",
    containers: bool = False,
    tangent: str = "",
    refused: Texts = NOTHING,
    **texts: str,
) -> Rule:
    """Declare a rule whose contributions have the parameters' own shapes.

    Of the texts, `x_bar` is the contribution to the cotangent of `x`, `x_dot` that of the tangent of `x`.
    """
    dots = _by_parameter(texts, "_dot")
    bars = _split({name: text for name, text in texts.items() if not name.endswith("_dot")})
    bars |= _refusals("unknown_cotangent", call, refused)
    dots = _refusals("unknown_derivative", call, refused) | dots if dots else {}
    made = Rule(
        function,
        call,
        bars,
        "whole",
        kind,
        shares,
        writes,
        at,
        domain,
        note,
        source,
        containers,
        tangent,
        dots,
        dict(refused),
    )
    return _record(made)


def elementwise(
    function: Callable[..., Any],
    call: str,
    *,
    kind: str = "elementwise",
    shares: str | None = None,
    at: str = "",
    domain: str = "",
    note: str = "",
    source: str = "",
    refused: Texts = NOTHING,
    **bars: str,
) -> Rule:
    """Declare a rule of an elementwise function; the engine sums over broadcast axes.

    `domain` is text for tests and documentation: a constraint on each parameter such as
    "x > 0" or "-1 < x < 1, y > 0" (parameters not named are free).
    """
    contributions = _split(bars) | _refusals("unknown_derivative", call, refused)
    made = Rule(function, call, contributions, "elementwise", kind, shares, None, at, domain, note, source)
    return _record(replace(made, refused=dict(refused)))


def zero_gradient(
    function: Callable[..., Any],
    call: str,
    *,
    wrt: str = "x",
    kind: str = "elementwise",
    note: str = "",
) -> Rule:
    """Declare that the derivative with respect to `wrt` (names, comma-separated) exists and is zero."""
    bars = {name.strip(): "" for name in wrt.split(",")}
    return _record(Rule(function, call, bars, "zero", kind, note=note))


def non_differentiable(
    *functions: Callable[..., Any],
    kind: str = "unknown",
    writes: str | None = None,
    call: str = "",
    shares: str | None = None,
) -> None:
    """Declare that no differentiable path goes through these functions.

    `call` is needed where the kind of the result depends on the arguments ("array" says nothing of it
    without); it `shares` its storage with all of them then, if with any.
    """
    for function in functions:
        _record(Rule(function, call, {}, "none", kind, shares, writes))


LOOKING: list[Any] = []
"""Helpers that look at objects of a library, and run no code that changes any."""


def only_looks(*functions: Callable[..., Any]) -> None:
    """Declare that these helpers, given objects of SciPy's and numbers, run no code that changes a field of
    any object: what is known of fields before is known afterwards."""
    LOOKING.extend(functions)


def alias(function: Callable[..., Any], of: Callable[..., Any]) -> None:
    """Give a function that is another object with the same signature the rule of `of`."""
    if function is not of and function not in REGISTRY:
        REGISTRY[function] = REGISTRY[of]


def method(function: Callable[..., Any], name: str | None = None) -> None:
    """Let the array method `name` (the function's own name) follow the rule of `function`."""
    METHODS[name or function.__name__] = function


def of_instances(
    function: Callable[..., Any], instance: Any, name: str, attributes: tuple[str, ...] = ()
) -> None:
    """Let the method `name` of objects follow the rule of `function`, which does the same: of objects of
    the class of this one that have equal attributes."""
    INSTANCES[type(instance), name] = OfInstances(function, instance, attributes)
    REGISTRY.changed()


def attribute(name: str, function: Callable[..., Any]) -> None:
    """Let the array attribute `name` follow the rule of `function`, called with the array alone."""
    ATTRIBUTES[name] = function


def known_field(cls: type, name: str, function: Callable[..., Any]) -> None:
    """Let the attribute `name` of objects of just this class follow the rule of `function`, called with the
    object alone."""
    FIELDS[cls, name] = function
    WITH_FIELDS.append(function)
    REGISTRY.changed()


def find(function: Any) -> Rule | None:
    """The rule declared for exactly this function, or None."""
    if compares_in_python(function):
        return next((rule for each, rule in REGISTRY.objects if each is function), None)
    rule: Rule | None = looked_up(REGISTRY, function)
    return rule


def is_measurement(function: Any) -> bool:
    """Whether it is a helper through which no differentiable path goes, such as one that finds positions."""
    rule = find(function)
    own = str(getattr(function, "__module__", "")).startswith("zygpy.runtime.")
    return own and rule is not None and rule.style == "none" and not rule.writes
