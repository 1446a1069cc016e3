"""How users say what the derivative of a function is: `adjoint`, `rrule`, `scalar_rule` and their like."""

from __future__ import annotations

import functools
import inspect
import operator
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import (
    BuiltinFunctionType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    WrapperDescriptorType,
)
from typing import Any, TypeVar, cast

import numpy as np

from zygpy import rules
from zygpy.errors import Place, dotted_name, locate
from zygpy.rules import custom, declare
from zygpy.rules.custom import Custom
from zygpy.runtime.measures import NUMERIC
from zygpy.runtime.partials import CACHED
from zygpy.runtime.writing_programs import WRITING
from zygpy.scalar_texts import scalar_texts

OPERATORS = [
    found for name in operator.__all__ if isinstance(found := getattr(operator, name), BuiltinFunctionType)
]
"""What users can also write as an operator."""

F = TypeVar("F", bound=Callable[..., Any])


def adjoint(target: Any, attribute: str | None = None) -> Callable[[F], F]:
    """Declare how a callable, or an attribute of a class, is differentiated, wherever it is called from.

    The decorated function takes the arguments of `target` and returns the value and a pullback: a function
    of the value's cotangent that returns a tuple with one cotangent for each positional argument, or None
    if there is none for any. Arguments that are keyword-only get no entry.

    Parameters
    ----------
    target : callable
        A function, builtin, ufunc or method (`Class.method`, whose first argument is the object); a class,
        for its constructor; or an object that can be called, which the rule is then given first.
    attribute : str, optional
        The name of an attribute or property of the class `target`. The rule takes an object; what its
        pullback returns may be an object of the class, which is added to others by the class's own `+`.

    Annotations of parameters say for which classes of arguments the rule holds (`isinstance` decides);
    of several rules that fit, the one with the most specific classes is used. A rule for the same classes
    takes the place of the one before. Before `adjoint` is asked nobody is; `rrule` comes next, then the
    rules that are built in, then the callee's own source.

    Raises
    ------
    AmbiguousRuleError
        When a call is differentiated for which no rule is the most specific.
    CotangentShapeError
        When a pullback gives the wrong number of cotangents, or one of the wrong shape.

    Examples
    --------
    >>> import zygpy as zg
    >>> def mul(a, b):
    ...     return a * b
    >>> @zg.adjoint(mul)
    ... def _(a, b):
    ...     return mul(a, b), lambda c_bar: (c_bar * b, 10 * c_bar * a)
    >>> zg.gradient(lambda a, b: mul(a, b) + a, 2.0, 3.0)
    (4.0, 20.0)
    """
    local = sys._getframe(1).f_locals
    if attribute is None:
        _check_target(target)
    elif not isinstance(target, type):
        raise TypeError(f"an attribute's rule is declared for a class, not for a {type(target).__name__}")
    elif issubclass(target, NUMERIC):
        raise TypeError(f"attributes of arrays and numbers, such as '{attribute}', have rules of their own")

    def declared(rule: F) -> F:
        made = _custom(target, rule, local, attribute)
        if attribute is None:
            custom.add(made)
        else:
            custom.add_attribute(target, attribute, made)
        return rule

    return declared


def rrule(target: Any) -> Callable[[F], F]:
    """Declare the same by the portable protocol: the pullback returns the cotangent of the callee itself
    first, then those of its arguments. `NoTangent` and `ZeroTangent` stand for None.

    Examples
    --------
    >>> import zygpy as zg
    >>> def cube(x):
    ...     return x**3
    >>> @zg.rrule(cube)
    ... def _(x):
    ...     return cube(x), lambda y_bar: (zg.NoTangent, 3 * x**2 * y_bar)
    >>> zg.gradient(cube, 2.0)
    (12.0,)
    """
    local = sys._getframe(1).f_locals
    _check_target(target)

    def declared(rule: F) -> F:
        custom.add(_custom(target, rule, local, portable=True))
        return rule

    return declared


def _custom(
    target: Any, rule: Any, local: Mapping[str, Any], attribute: str | None = None, *, portable: bool = False
) -> Custom:
    if not isinstance(rule, FunctionType):
        raise TypeError(f"a rule is a function written in Python, not a {type(rule).__name__}")
    name = getattr(target, "__name__", type(target).__name__)
    name = name if attribute is None else f"{name}_{attribute}"
    return custom.made(_plain(target), rule, name, local, portable=portable, receives=_is_object(target))


def _plain(target: Any) -> Any:
    """A method of a class that is bound to the class, as the function that it runs."""
    return target.__func__ if isinstance(target, MethodType) else target


def _check_target(target: Any) -> None:
    if not callable(target):
        raise TypeError(
            f"a rule is declared for something that can be called, not for a {type(target).__name__}"
        )
    if any(target is found for found in OPERATORS):
        method = f"Class.__{target.__name__.strip('_')}__"
        raise TypeError(
            f"operator.{target.__name__} is what an operator stands for, which has rules of its own; declare "
            f"one for the method of a class, such as {method}"
        )
    if isinstance(target, MethodDescriptorType | WrapperDescriptorType) and not _is_of_numbers(target):
        raise TypeError(
            f"operators and methods of built-in types, such as '{target.__name__}', have rules of their own; "
            "declare one for a method of arrays or numbers, which changes nothing"
        )
    if isinstance(target, MethodType) and not isinstance(target.__self__, type):
        name = f"{type(target.__self__).__name__}.{target.__name__}"
        raise TypeError(f"a rule for one object's method is not possible; declare it for {name}")


def _is_of_numbers(target: Any) -> bool:
    """Whether a method of a built-in type is one of arrays or numbers that leaves them as they are."""
    if not isinstance(target, MethodDescriptorType) or target.__name__ in WRITING:
        return False
    return issubclass(target.__objclass__, NUMERIC)


def _is_object(target: Any) -> bool:
    """Whether a target is an object with a `__call__` of its class."""
    known = isinstance(target, type | np.ufunc) or inspect.isroutine(target)
    return not known and isinstance(getattr(type(target), "__call__", None), FunctionType)  # noqa: B004


def scalar_rule(target: Callable[..., Any], call: str, **bars: str) -> None:
    """Declare the derivative of a function of numbers and arrays, element by element, as one expression for
    each argument.

    The expressions mention the parameters by the names in `call`, the result and its cotangent (`y` and
    `y_bar`, so no parameter is called `y`), and `np` and `math`.

    Raises
    ------
    ValueError
        If an expression mentions anything else, or is for no parameter.

    Examples
    --------
    >>> import zygpy as zg
    >>> import math
    >>> def softplus(x):
    ...     return math.log1p(math.exp(x))
    >>> zg.scalar_rule(softplus, "y = softplus(x)", x_bar="y_bar / (1.0 + math.exp(-x))")
    >>> zg.gradient(softplus, 0.0)
    (0.5,)
    """
    _check_target(target)
    if _is_found_by_call(target):
        raise TypeError(
            f"an expression is declared for a function, not for a {type(target).__name__}; declare an adjoint"
        )
    texts = scalar_texts(call, bars)
    rules.load()
    declare.REGISTRY.pop(target, None)
    declare.elementwise(target, call, kind="number-or-array", **cast(Any, texts))


def non_differentiable(*targets: Callable[..., Any]) -> None:
    """Declare that no differentiable path goes through these functions: they are called as they stand.

    >>> import zygpy as zg
    >>> def rounded(x):
    ...     return float(f"{x:.1f}")
    >>> zg.non_differentiable(rounded)
    >>> zg.gradient(lambda x: rounded(x) * x, 2.04)
    (2.0,)
    """
    rules.load()
    for target in targets:
        _check_target(target)
        if _is_found_by_call(target):
            adjoint(target)(_without_gradient(target))
            continue
        declare.REGISTRY.pop(target, None)
        declare.non_differentiable(target)


def _is_found_by_call(target: Any) -> bool:
    """Whether a target is not itself what a call of it reaches: a class method, one of arrays, an object, a
    function that wraps another one, a class of named tuples."""
    if isinstance(target, type):
        return issubclass(target, tuple) and hasattr(target, "_fields")
    wrapping = (MethodType, MethodDescriptorType, functools.partial, CACHED)
    return isinstance(target, wrapping) or _is_object(target)


def _without_gradient(target: Any) -> Callable[..., Any]:
    """The rule of what no differentiable path goes through."""
    skipped = int(_is_object(target))  # it is given the object first

    def called(*arguments: Any, **named: Any) -> Any:
        return _plain(target)(*arguments[skipped:], **named), lambda y_bar: None

    return called


def opt_out(target: Callable[..., Any], cls: type) -> None:
    """Declare that no rule of a function, built in or not, is used for calls with an argument of this class:
    what the function's own source says is differentiated.

    Raises
    ------
    MissingRuleError
        When such a call is differentiated and the function has no source.
    """
    _check_target(target)
    custom.opt_out(_plain(target), cls)


@dataclass(frozen=True)
class Declared:
    """What `which_rule` finds: where a rule comes from, and what it says."""

    kind: str
    target: Any
    place: Place | None
    text: str

    def __repr__(self) -> str:
        where = f" at {self.place}" if self.place else ""
        return f"<{self.kind} for {dotted_name(self.target)}{where}: {self.text}>"


def which_rule(target: Any, *args: Any, **kwargs: Any) -> Declared | None:
    """The rule that a call is differentiated by, and where it was declared; None where it is by the callee's
    own source, or not at all.

    >>> import zygpy as zg
    >>> zg.which_rule(np.sin, 1.0).text
    'x_bar = y_bar * conj(np.cos(x))'
    """
    rules.load()
    if id(_plain(target)) in custom.RULES:
        classes = [(type(value),) for value in args], {name: (type(item),) for name, item in kwargs.items()}
        found = custom.chosen(_plain(target), *classes)
        if found is not None:
            kind = "rrule" if found.portable else "adjoint"
            return Declared(kind, target, found.place, f"{found.rule.__name__}{found.signature}")
        if custom.is_opted_out(_plain(target), *classes):
            return None
    built_in = declare.find(target)
    if built_in is None:
        return None
    text = ", ".join(f"{name}_bar = {bar}" for name, bar in built_in.bars.items()) or "no gradient"
    return Declared("rule", target, locate(*built_in.place, 0) if built_in.place else None, text)
