"""Binding the arguments of a call to parameters, as far as that can be done beforehand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zygpy.analyse.facts import Bound, DictBound
from zygpy.ir import core
from zygpy.rules.texts import Parameter

Bindings = tuple[tuple[str, Bound], ...]
LITERALS = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))


class CannotBind(Exception):
    """The call does not fit, or what it passes is known only when it is made."""


def _plain_arguments(
    args: Sequence[core.Atom | core.Star], keywords: Sequence[core.Keyword]
) -> tuple[list[core.Atom], dict[str, core.Atom]]:
    positional = [arg for arg in args if not isinstance(arg, core.Star)]
    named = {keyword.name: keyword.value for keyword in keywords if keyword.name is not None}
    if len(positional) != len(args) or len(named) != len(keywords):
        raise CannotBind("unpacked arguments")
    return positional, named


def bind_rule(
    parameters: Sequence[Parameter],
    args: Sequence[core.Atom | core.Star],
    keywords: Sequence[core.Keyword],
) -> Bindings:
    """Bind to the parameters of a rule's call; defaults are filled in as literals."""
    positional, named = _plain_arguments(args, keywords)
    bound: list[tuple[str, Bound]] = []
    for parameter in parameters:
        if parameter.starred:
            bound.append((parameter.name, tuple(positional)))
            positional = []
        elif positional and not parameter.keyword_only:
            bound.append((parameter.name, positional.pop(0)))
        else:
            bound.append((parameter.name, _named(parameter, named)))
    if positional or named:
        raise CannotBind(f"no parameter for {positional or list(named)}")
    return tuple(bound)


def _named(parameter: Parameter, named: dict[str, core.Atom]) -> core.Atom:
    if parameter.name in named:
        return named.pop(parameter.name)
    if parameter.required:
        raise CannotBind(f"no argument for {parameter.name}")
    return core.Const(parameter.default)


def bind_function(
    params: core.Params,
    defaults: Mapping[str, Any],
    args: Sequence[core.Atom | core.Star],
    keywords: Sequence[core.Keyword],
) -> Bindings:
    """Bind to the parameters of a Python function, in canonical order.

    Only literal defaults can be filled in here; others make the call dynamic.
    """
    whole = [keyword.value for keyword in keywords if keyword.whole]
    args, rest = _with_whole_rest(params, args)
    positional, named = _plain_arguments(args, [keyword for keyword in keywords if not keyword.whole])
    bound: list[tuple[str, Bound]] = []
    for name in params.positional_only + params.positional:
        if positional:
            bound.append((name, positional.pop(0)))
        elif name in named and name in params.positional:
            bound.append((name, named.pop(name)))
        else:
            bound.append((name, _default(name, defaults)))
    if params.vararg:
        bound.append((params.vararg, tuple(positional) if rest is None else rest))
        positional = []
    bound.extend(
        (name, named.pop(name) if name in named else _default(name, defaults)) for name in params.keyword_only
    )
    if not named.keys().isdisjoint(params.positional):
        raise CannotBind("an argument is given twice")
    if params.kwarg:
        bound.append((params.kwarg, whole.pop() if whole else DictBound(tuple(named.items()))))
        named = {}
    if positional or named or whole:
        raise CannotBind("too many arguments")
    return tuple(bound)


def _with_whole_rest(
    params: core.Params, args: Sequence[core.Atom | core.Star]
) -> tuple[Sequence[core.Atom | core.Star], core.Atom | None]:
    """The arguments in front of a tuple that is all of a function's `*args`, and that; all of them and None
    where there is no such tuple."""
    last = args[-1] if args else None
    if not isinstance(last, core.Star) or not last.whole:
        return args, None
    if not params.vararg or len(args) - 1 != len(params.positional_only + params.positional):
        raise CannotBind("unpacked arguments")
    return args[:-1], last.value


def _default(name: str, defaults: Mapping[str, Any]) -> core.Atom:
    if name not in defaults:
        raise CannotBind(f"no argument for {name}")
    if type(defaults[name]) not in LITERALS:  # those of subclasses are more than their literals
        raise CannotBind(f"the default of {name} is an object")
    return core.Const(defaults[name])
