"""Rules that users declare: what they are for, and which of them holds for a call."""

from __future__ import annotations

import inspect
import sys
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import BuiltinFunctionType, FunctionType, MethodDescriptorType, MethodType
from typing import Any, TypeAlias

from zygpy.errors import AmbiguousRuleError, Place, dotted_name, locate
from zygpy.ir.kinds import APART
from zygpy.rules import declare
from zygpy.runtime.custom import RULED
from zygpy.runtime.lookup import in_class
from zygpy.runtime.partner_fields import RULED_ATTRIBUTES

Classes: TypeAlias = "tuple[type, ...] | None"
"""What a value may be an instance of, exactly one of these; None where that is not known."""

RULE = "__zygpy_rule__"
"""The attribute of a stand-in that has the rule it stands for."""


@dataclass(frozen=True, eq=False)
class Custom:
    """One rule of the user's.

    `rule` is the function that gives value and pullback, `accepts` what its parameters are annotated with.
    With `portable` the pullback gives a cotangent of the callee too, before those of the arguments. With
    `receives` the rule is given the callee as its first argument. `stand_in` has the rule's signature and
    stands for the callee in derivations. With `always` the pullback runs even where no cotangent comes in.
    `keeps` says of what that the pullback carries a copy is made where it may be written to: of "arguments",
    of all that it can reach ("deeply"), or of "nothing". `pushed`, if it is there, gives the value and its
    tangent: its parameters are those of the rule, each in `moving` with its tangent behind it.
    """

    target: Any
    rule: FunctionType
    portable: bool
    accepts: Mapping[str, tuple[type, ...]]
    signature: inspect.Signature
    stand_in: FunctionType
    receives: bool = False
    always: bool = False
    keeps: str = "arguments"
    pushed: FunctionType | None = None
    moving: frozenset[str] = frozenset()

    @property
    def place(self) -> Place:
        """Where the rule is declared."""
        code = self.rule.__code__
        return locate(code.co_filename, code.co_firstlineno, 0, self.rule.__name__)

    def __repr__(self) -> str:
        return f"<rule for {dotted_name(self.target)} at {self.place}>"


@dataclass(eq=False)
class Entry:
    """What is declared for one callable; `target` is held, so that its identity stays its own."""

    target: Any
    rules: list[Custom] = field(default_factory=list)
    without: tuple[type, ...] = ()


RULES: dict[int, Entry] = RULED
"""By the identity of what they are for."""

ATTRIBUTES: dict[tuple[type, str], Custom] = RULED_ATTRIBUTES
"""The rules of attributes, by class and name."""


LABELLED: list[Any] = []
"""Functions that are told the text of their argument."""


class Undecided(Exception):
    """Which rule holds depends on what the arguments will be."""


HOOK = "__zygpy_rules__"
"""The function of a module, or of the package that it is in, which declares its rules, given zygpy."""

_called: dict[str, Any] = {}
_seen: dict[int, Any] = {}
"""Callables, or their code, whose modules were asked; what is reloaded is another one."""

SEEN_KEPT = 8192


def ask_module(function: Any) -> None:
    """Let the module of a callable declare its rules, if it has a function for that which was not called."""
    known = function.__code__ if type(function) is FunctionType else function
    if _seen.get(id(known)) is known:
        return
    if len(_seen) >= SEEN_KEPT:
        _seen.clear()
    _seen[id(known)] = known
    module = getattr(function, "__module__", None)
    if not isinstance(module, str):
        return
    for name in dict.fromkeys((module, module.partition(".")[0])):
        hook = getattr(sys.modules.get(name), HOOK, None)
        if hook is not None and _called.get(name) is not hook:
            _called[name] = hook  # first, as it may differentiate something
            hook(sys.modules["zygpy"])


def is_ruled(function: Any) -> bool:
    """Whether anything is declared for a callable, the function of a bound method meant by it."""
    ask_module(function)
    if not RULES:
        return False
    if id(function) in RULES or (isinstance(function, MethodType) and id(function.__func__) in RULES):
        return True
    bound = type(function) is BuiltinFunctionType and function.__self__ is not None
    return bound and id(in_class(type(function.__self__), function.__name__)) in RULES


def is_ruled_object(cls: type) -> bool:
    """Whether something is declared for an object of a class that can be called."""
    return any(type(entry.target) is cls for entry in RULES.values())


def of_method(classes: Classes, name: str) -> Any:
    """The method of a builtin class for which something is declared; None of any other.

    Raises Undecided where the class is not known and could be one that has such a method.
    """
    methods = [entry.target for entry in RULES.values() if type(entry.target) is MethodDescriptorType]
    if all(method.__name__ != name for method in methods):
        return None
    if classes is None:
        raise Undecided
    found = {in_class(cls, name) for cls in classes}
    ruled = [method for method in methods if method in found]
    if ruled and len(found) > 1:
        raise Undecided
    return ruled[0] if ruled else None


def add(custom: Custom) -> None:
    """Enter a rule; it takes the place of one for the same classes."""
    entry = _entry(custom.target)
    same = [old for old in entry.rules if _is_for_the_same(old, custom)]
    entry.rules[:] = [*(old for old in entry.rules if old not in same), custom]
    declare.REGISTRY.changed()


def opt_out(target: Any, cls: type) -> None:
    """Let no rule of a callable hold for calls with an argument of a class."""
    entry = _entry(target)
    entry.without = (*entry.without, cls)
    declare.REGISTRY.changed()


def add_attribute(cls: type, name: str, custom: Custom) -> None:
    """Enter the rule of an attribute."""
    ATTRIBUTES[cls, name] = custom
    declare.REGISTRY.changed()


def of_attribute(cls: type, name: str) -> Custom | None:
    """The rule for an attribute of instances of a class, its own or that of a base."""
    if not ATTRIBUTES:
        return None
    found = (ATTRIBUTES.get((base, name)) for base in cls.__mro__)
    return next((custom for custom in found if custom is not None), None)


def _entry(target: Any) -> Entry:
    if isinstance(target, FunctionType):
        APART.add(target)
    return RULES.setdefault(id(target), Entry(target))


def _is_for_the_same(old: Custom, new: Custom) -> bool:
    if old.portable != new.portable or len(old.signature.parameters) != len(new.signature.parameters):
        return False
    pairs = zip(old.signature.parameters, new.signature.parameters, strict=True)
    return all(old.accepts.get(a) == new.accepts.get(b) for a, b in pairs)


# -------------------------------------------------------------------------------------- what is called


def made(target: Any, rule: Any, name: str, local: Mapping[str, Any] | None = None, **traits: Any) -> Custom:
    """A rule from the function that the user has decorated; `name` is for what is generated, `local` are the
    names where the rule stands, None where its annotations do not matter."""
    signature = inspect.signature(rule)
    hints = {} if local is None else _annotations(rule, local)
    accepts = {key: _classes(hints[key], rule) for key in signature.parameters if key in hints}
    name = name if name.isidentifier() else "function"
    code = rule.__code__.replace(co_name=name)
    stand_in = FunctionType(code, rule.__globals__, name, rule.__defaults__, rule.__closure__)
    stand_in.__kwdefaults__ = rule.__kwdefaults__
    custom = Custom(target, rule, traits.pop("portable", False), accepts, signature, stand_in, **traits)
    setattr(stand_in, RULE, custom)
    return custom


def _annotations(rule: FunctionType, local: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        return inspect.get_annotations(rule, locals=dict(local), eval_str=True)
    except NameError as error:
        raise TypeError(
            f"the annotations of the rule cannot be read: {error}; rules are chosen by them, so that the "
            "classes must be there when the rule is declared"
        ) from error


def _classes(annotation: Any, rule: FunctionType) -> tuple[type, ...]:
    """The classes that an annotation stands for."""
    origin = typing.get_origin(annotation)
    if origin in (typing.Union, types.UnionType):
        return tuple(cls for part in typing.get_args(annotation) for cls in _classes(part, rule))
    if annotation is None:
        return (type(None),)
    if annotation in (Any, inspect.Parameter.empty):
        return (object,)
    if isinstance(origin, type):
        return (origin,)
    if isinstance(annotation, type):
        return (annotation,)
    raise TypeError(f"a rule cannot be chosen by the annotation {annotation!r} of '{rule.__name__}'")


# ------------------------------------------------------------------------------------------- choosing


def chosen(target: Any, args: Sequence[Classes], kwargs: Mapping[str, Classes]) -> Custom | None:
    """The rule for a call with arguments of these classes; None where none of them holds.

    Raises Undecided where that cannot be known yet, AmbiguousRuleError where none is the most specific.
    """
    entry = RULES[id(target)]
    if is_opted_out(target, args, kwargs):
        return None
    for portable in (False, True):
        fitting = [
            custom for custom in entry.rules if custom.portable is portable and _fits(custom, args, kwargs)
        ]
        if fitting:
            return _most_specific(target, fitting, args, kwargs)
    return None


def is_opted_out(target: Any, args: Sequence[Classes], kwargs: Mapping[str, Classes]) -> bool:
    """Whether no rule of a callable, built in or not, holds for these arguments."""
    entry = RULES.get(id(target))
    if entry is None or not entry.without:
        return False
    return any(_is_among(found, entry.without) for found in (*args, *kwargs.values()))


def _given(custom: Custom, args: Sequence[Classes], kwargs: Mapping[str, Classes]) -> dict[str, Any]:
    """The classes of the arguments by the rule's parameters: of `*args` and `**kwargs` those of each."""
    try:
        bound = custom.signature.bind(*args, **kwargs).arguments
    except TypeError:
        return {}
    kinds = {name: parameter.kind for name, parameter in custom.signature.parameters.items()}
    found = {}
    for name, given in bound.items():
        if kinds[name] is inspect.Parameter.VAR_POSITIONAL:
            found[name] = list(given)
        elif kinds[name] is inspect.Parameter.VAR_KEYWORD:
            found[name] = list(given.values())
        else:
            found[name] = [given]
    return found


def _fits(custom: Custom, args: Sequence[Classes], kwargs: Mapping[str, Classes]) -> bool:
    if not custom.accepts:
        return True
    given = _given(custom, args, kwargs)
    return bool(given) and all(
        _is_among(classes, accepted)
        for name, accepted in custom.accepts.items()
        for classes in given.get(name, ())
    )


def _is_among(classes: Classes, accepted: tuple[type, ...]) -> bool:
    """Whether a value of one of these classes is an instance of what is accepted."""
    if object in accepted:
        return True
    if classes is None:
        raise Undecided
    found = {issubclass(cls, accepted) for cls in classes}
    if len(found) > 1:
        raise Undecided
    return found == {True}


def _most_specific(
    target: Any, fitting: list[Custom], args: Sequence[Classes], kwargs: Mapping[str, Classes]
) -> Custom:
    best = [custom for custom in fitting if all(_is_as_specific(custom, other) for other in fitting)]
    if len(best) == 1:
        return best[0]
    listed = "".join(f"\n    {custom.place}" for custom in fitting)
    classes = [found[0].__name__ for found in (*args, *kwargs.values()) if found]
    raise AmbiguousRuleError(
        f"{len(fitting)} rules for '{dotted_name(target)}' fit arguments of the classes "
        f"{', '.join(classes)}:{listed}",
        why="none of them is the most specific for every argument",
        instead="declare a rule for just these classes",
    )


def _is_as_specific(custom: Custom, other: Custom) -> bool:
    """Whether a rule accepts for every parameter no more than another one does."""
    pairs = zip(custom.signature.parameters, other.signature.parameters, strict=False)
    everything = (object,)
    return all(
        issubclass(cls, other.accepts.get(theirs, everything))
        for own, theirs in pairs
        for cls in custom.accepts.get(own, everything)
    )
