"""The run-time door: any callable and any arguments -> value and pullback.

`pull` is what `pullback`, and generated code for callees that it cannot know, go through. The `back`
of every door returns a flat tuple: a cotangent for the callee (or receiver) itself, then one for
each positional and each keyword argument, in order.
"""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np

from zygpy import pipeline, rules
from zygpy.analyse.operations import BINARY
from zygpy.analyse.values import Value
from zygpy.errors import SourceNotFoundError, missing_rule
from zygpy.ir import core
from zygpy.ir.kinds import UNKNOWN, Kind, is_numeric, kind_of
from zygpy.load.code import annotate
from zygpy.parse import fence, parse
from zygpy.pipeline import Pair, Unit, derive, holds, primitive_unit, unit_of, values_of
from zygpy.rules import declare
from zygpy.runtime.accumulate import accumulate
from zygpy.source import find_source

Back: TypeAlias = "Callable[[Any], tuple[Any, ...]]"
Pulled: TypeAlias = "tuple[Any, Back]"
Special: TypeAlias = "Callable[..., Pulled]"

SPECIAL: dict[Any, Special] = {}
"""Functions with a way of their own through the door, such as the entry points."""

NO_KEYWORDS: Mapping[str, Any] = {}


def pull(function: Any, /, *args: Any, **kwargs: Any) -> Pulled:
    """Call a function and return its value and `back`."""
    return pull_with(function, args, kwargs, copying=True)


def pull_with(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], *, copying: bool) -> Pulled:
    """The same; with `copying`, what the caller can still reach is stashed by copy."""
    if type(function) is types.FunctionType:
        special = SPECIAL.get(function)
        if special is not None:
            return special(*args, **kwargs)
        if declare.find(function) is None:
            return _python_function(function, args, kwargs, copying)
    return _other(function, args, kwargs, copying)


def _other(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], copying: bool) -> Pulled:
    if isinstance(function, types.MethodType):
        return _bound_method(function, args, kwargs, copying)
    if isinstance(function, functools.partial):
        return _partial(function, args, kwargs, copying)
    if _has_rule(function):
        return _primitive(function, args, kwargs, copying)
    if isinstance(function, types.BuiltinFunctionType) and not isinstance(function.__self__, types.ModuleType | None):
        return pull_method(function.__self__, function.__name__, *args, **kwargs)
    if isinstance(function, np.ufunc | types.BuiltinFunctionType | type):
        return _untouched(function, args, kwargs)
    call = getattr(type(function), "__call__", None)  # noqa: B004
    if isinstance(call, types.FunctionType):
        return _bound_method(types.MethodType(call, function), args, kwargs, copying)
    return _untouched(function, args, kwargs)


def _has_rule(function: Any) -> bool:
    rules.load()
    return declare.find(function) is not None or function in (list, tuple)


def _untouched(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Pulled:
    """A callable without rule or source: harmless as long as nothing differentiable reaches it."""
    if any(value.active for value in values_of([kind_of(value) for value in (*args, *kwargs.values())])):
        raise missing_rule(function)
    nothing = (None,) * (1 + len(args) + len(kwargs))
    return function(*args, **kwargs), lambda y_bar: nothing


# ------------------------------------------------------------------------------- Python functions


def _python_function(
    function: types.FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any], copying: bool
) -> Pulled:
    rules.load()
    unit = _unit(function, args, kwargs)
    params = unit.program.params
    given = [cell.cell_contents for cell in function.__closure__ or ()]
    plain = params.positional_only + params.positional
    if kwargs or params.vararg or params.kwarg or params.keyword_only or len(args) != len(plain):
        arranged, spread = _arrange(function, params, args, kwargs)
    else:
        arranged, spread = list(args), None
    pair = pair_for(unit, [*given, *arranged], function, copying)
    y, stash = run(pair.forward, given + arranged)
    return y, _back(pair, stash, unit.captured, spread)


def _unit(function: types.FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Unit:
    try:
        return unit_of(function)
    except SourceNotFoundError as error:
        if any(value.active for value in values_of([kind_of(value) for value in (*args, *kwargs.values())])):
            raise
        raise missing_rule(function) from error


def pair_for(unit: Unit, values: list[Any], function: Any, copying: bool) -> Pair:
    """The pair of a unit for these very arguments."""
    abstract = values_of([kind_of(value) for value in values])
    key = pipeline.key_of(unit, abstract, copying)
    pair = unit.pairs.get(key)
    if pair is None or not holds(pair):
        names = unit.captured
        cells = dict(zip(names, function.__closure__ or (), strict=True)) if names else {}
        pair = derive(unit, abstract, cells, copying=copying)
    return pair


def run(forward: Callable[..., Any], values: list[Any]) -> Any:
    """Call a generated function; an exception names the user's lines too."""
    try:
        return forward(*values)
    except Exception as error:
        annotate(error)
        raise


def _back(pair: Pair, stash: Any, captured: tuple[str, ...], spread: Any) -> Back:
    adjoint, writes, first = pair.adjoint, len(pair.writes), len(captured)

    def back(y_bar: Any) -> tuple[Any, ...]:
        try:
            bars = adjoint(stash, y_bar, *(None,) * writes)
        except Exception as error:
            annotate(error)
            raise
        own = dict(zip(captured, bars, strict=False)) if first else None
        rest = bars[first:]
        return (own, *(rest if spread is None else spread(rest)))

    return back


def _arrange(
    function: types.FunctionType, params: core.Params, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> tuple[list[Any], Callable[[tuple[Any, ...]], tuple[Any, ...]]]:
    """The arguments in canonical order, and the way back from canonical cotangents to the call's."""
    plain = params.positional_only + params.positional
    defaults = pipeline.defaults_of(function, params)
    keywords = dict(kwargs)
    extra = args[len(plain) :]
    if (extra and not params.vararg) or any(name in keywords for name in plain[: len(args)] if name in params.positional):
        function(*args, **kwargs)  # raises Python's own TypeError
    values: dict[str, Any] = dict(zip(plain, args, strict=False))
    for name in plain[len(args) :] + params.keyword_only:
        if name in keywords and name not in params.positional_only:
            values[name] = keywords.pop(name)
        elif name in defaults:
            values[name] = defaults[name]
        else:
            function(*args, **kwargs)
            raise TypeError(f"no argument for {name}")
    if params.vararg:
        values[params.vararg] = extra
    if params.kwarg:
        values[params.kwarg] = keywords
    elif keywords:
        function(*args, **kwargs)
    names = params.names
    order = {name: position for position, name in enumerate(names)}

    def spread(bars: tuple[Any, ...]) -> tuple[Any, ...]:
        positional = [bars[order[name]] for name in plain[: len(args)]]
        if extra:
            rest = bars[order[str(params.vararg)]]
            positional += (None,) * len(extra) if rest is None else rest
        named = [_named_bar(bars, order, params, name) for name in kwargs]
        return (*positional, *named)

    return [values[name] for name in names], spread


def _named_bar(bars: tuple[Any, ...], order: Mapping[str, int], params: core.Params, name: str) -> Any:
    if name in order and name not in (params.vararg, params.kwarg, *params.positional_only):
        return bars[order[name]]
    rest = bars[order[str(params.kwarg)]]
    return None if rest is None else rest.get(name)


# --------------------------------------------------------------------- methods, partials, primitives


def _bound_method(
    method: types.MethodType, args: tuple[Any, ...], kwargs: Mapping[str, Any], copying: bool
) -> Pulled:
    y, back = pull_with(method.__func__, (method.__self__, *args), kwargs, copying=copying)

    def back_of_method(y_bar: Any) -> tuple[Any, ...]:
        own, receiver, *rest = back(y_bar)
        del own
        return ({"__self__": receiver}, *rest)

    return y, back_of_method


def _partial(
    function: functools.partial[Any], args: tuple[Any, ...], kwargs: Mapping[str, Any], copying: bool
) -> Pulled:
    keywords = {**function.keywords, **kwargs}
    y, back = pull_with(function.func, (*function.args, *args), keywords, copying=copying)
    first, last = 1 + len(function.args), 1 + len(function.args) + len(args)
    names = list(keywords)

    def back_of_partial(y_bar: Any) -> tuple[Any, ...]:
        bars = back(y_bar)
        named = dict(zip(names, bars[last:], strict=True))
        return (None, *bars[first:last], *(named[name] for name in kwargs))

    return y, back_of_partial


def _primitive(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], copying: bool) -> Pulled:
    rule = declare.find(function)
    if rule is not None and rule.style == "none":
        nothing = (None,) * (1 + len(args) + len(kwargs))
        return function(*args, **kwargs), lambda y_bar: nothing
    params = _parameters(len(args), kwargs)
    name = _identifier(getattr(function, "__name__", "primitive"))
    symbol = SYMBOLS.get(function)
    op: core.Op
    if symbol is not None and not kwargs and len(args) == 2:
        op = core.Binary(symbol, core.Var("a"), core.Var("b"))
        params = ("a", "b")
    else:
        positional = tuple(core.Var(param) for param in params[: len(args)])
        named = tuple(core.Keyword(key, core.Var(key)) for key in kwargs)
        op = core.Call(core.Path((name,)), positional, named)
    unit = primitive_unit(("call", id(function), params), name, params, op, {name: function})
    return _run_primitive(unit, function, (*args, *kwargs.values()), copying)


SYMBOLS: Mapping[Any, str] = {function: symbol for symbol, function in BINARY.items()}


def _parameters(count: int, kwargs: Mapping[str, Any]) -> tuple[str, ...]:
    return (*(f"a{position}" for position in range(count)), *kwargs)


def _identifier(name: str) -> str:
    return name if name.isidentifier() else "primitive"


def _run_primitive(unit: Unit, function: Any, values: tuple[Any, ...], copying: bool) -> Pulled:
    pair = pair_for(unit, list(values), function, copying)
    y, stash = run(pair.forward, list(values))
    return y, _back(pair, stash, (), None)


def pull_method(value: Any, name: str, /, *args: Any, **kwargs: Any) -> Pulled:
    """`value.name(*args, **kwargs)`; the first entry of `back` is the receiver's."""
    rules.load()
    kind = kind_of(value)
    if not _is_data(kind):
        y, back = pull(getattr(value, name), *args, **kwargs)
        return y, lambda y_bar: _receiver_first(back(y_bar))
    params = ("value", *_parameters(len(args), kwargs))
    positional = tuple(core.Var(param) for param in params[1 : 1 + len(args)])
    named = tuple(core.Keyword(key, core.Var(key)) for key in kwargs)
    op = core.CallMethod(core.Var("value"), name, positional, named)
    unit = primitive_unit(("method", name, params), name, params, op, {})
    y, back = _run_primitive(unit, name, (value, *args, *kwargs.values()), True)
    return y, lambda y_bar: back(y_bar)[1:]


def _receiver_first(bars: tuple[Any, ...]) -> tuple[Any, ...]:
    own = bars[0]
    return (own.get("__self__") if isinstance(own, dict) and "__self__" in own else own, *bars[1:])


def _is_data(kind: Kind) -> bool:
    from zygpy.ir.kinds import Dict, Iterator, List, Text, Tuple

    return is_numeric(kind) or isinstance(kind, List | Dict | Text | Iterator) or (
        isinstance(kind, Tuple) and kind.cls is None
    )


def pull_item(value: Any, index: Any) -> Pulled:
    """`value[index]`."""
    rules.load()
    if isinstance(index, slice | tuple) and isinstance(value, list | tuple):
        return value[index], lambda y_bar: (None, _slice_bar(value, index, y_bar), None)
    op = core.GetItem(core.Var("value"), core.Var("index"))
    unit = primitive_unit(("item",), "item", ("value", "index"), op, {})
    if isinstance(value, tuple) and type(index) is int:
        where = index
        op = core.GetItem(core.Var("value"), core.Const(where))
        unit = primitive_unit(("item", where), "item", ("value",), op, {})
        y, back = _run_primitive(unit, operator.getitem, (value,), True)
        return y, lambda y_bar: (*back(y_bar), None)
    return _run_primitive(unit, operator.getitem, (value, index), True)


def _slice_bar(value: Any, index: slice, y_bar: Any) -> Any:
    if y_bar is None:
        return None
    items: list[Any] = [None] * len(value)
    items[index] = list(y_bar)
    return type(value)(items)


def pull_attribute(value: Any, name: str) -> Pulled:
    """`value.name`."""
    rules.load()
    kind = kind_of(value)
    if is_numeric(kind) or hasattr(type(value), "_fields"):
        op = core.GetAttr(core.Var("value"), name)
        unit = primitive_unit(("attribute", name), name, ("value",), op, {})
        y, back = _run_primitive(unit, name, (value,), True)
        return y, lambda y_bar: back(y_bar)[1:]
    y = getattr(value, name)
    return y, lambda y_bar: (None if y_bar is None else {name: y_bar},)


# ------------------------------------------------------------------------------------------ writes


def pull_augment(symbol: str, value: Any, added: Any) -> Pulled:
    """`value op= added`: the new value, which may be the same object."""
    rules.load()
    here = core.Loc(1, 0)
    body = (core.AugmentName("a", symbol, core.Var("b"), here), core.Return(core.Var("a"), here))
    key = ("augment", symbol)
    unit = primitive_unit(key, "augment", ("a", "b"), core.Copy(core.Var("a")), {})
    if unit.fixed is None or len(unit.fixed.body) != len(body) or unit.fixed.body[0] != body[0]:
        unit.fixed = core.Function("augment", core.Params(("a", "b")), body)
    return _run_primitive(unit, symbol, (value, added), True)


def pull_set_item(value: Any, index: Any, stored: Any) -> Back:
    """`value[index] = stored`; `back` maps the container's cotangent after to before, and stored's."""
    here = core.Loc(1, 0)
    target, where = core.Var("a"), core.Var("i")
    body = (core.SetItem(target, where, core.Var("v"), here), core.Return(core.Var("a"), here))
    unit = primitive_unit(("set item",), "set_item", ("a", "i", "v"), core.Copy(core.Var("a")), {})
    unit.fixed = core.Function("set_item", core.Params(("a", "i", "v")), body)
    rules.load()
    _, back = _run_primitive(unit, "set_item", (value, index, stored), True)

    def back_of_write(bar: Any) -> tuple[Any, ...]:
        _, value_bar, _, stored_bar = back(bar)
        return value_bar, stored_bar

    return back_of_write


def pull_augment_item(symbol: str, value: Any, index: Any, added: Any) -> Back:
    """`value[index] op= added`."""
    item, back_of_item = pull_item(value, index)
    new, back_of_augment = pull_augment(symbol, item, added)
    back_of_set = pull_set_item(value, index, new)

    def back_of_write(bar: Any) -> tuple[Any, ...]:
        value_bar, new_bar = back_of_set(bar)
        _, item_bar, added_bar = back_of_augment(new_bar)
        return accumulate(value_bar, back_of_item(item_bar)[1]), added_bar

    return back_of_write


pipeline.DOORS.update(
    pull=pull,
    pull_method=pull_method,
    pull_item=pull_item,
    pull_attribute=pull_attribute,
    pull_augment=pull_augment,
    pull_set_item=pull_set_item,
    pull_augment_item=pull_augment_item,
)


# ---------------------------------------------------------------------------------- looking, checking


def check(function: types.FunctionType) -> None:
    """Raise what differentiating the function would: no source, or a construct that is refused."""
    source = find_source(function)
    fence(parse(source), source)
    assert unit_of(function).program is not None


def text_of(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str:
    """The source of a function's pair; without arguments, of the unspecialised one."""
    rules.load()
    if isinstance(function, types.MethodType):
        function, args = function.__func__, (function.__self__, *args) if args or kwargs else ()
    unit = unit_of(function)
    if not args and not kwargs and unit.program.params.names:
        abstract = tuple(Value(UNKNOWN, True) for _ in (*unit.captured, *unit.program.params.names))
        return derive(unit, abstract, _cells(function), copying=True).text.source
    arranged, _ = _arrange(function, unit.program.params, args, kwargs)
    given = [cell.cell_contents for cell in function.__closure__ or ()]
    return pair_for(unit, [*given, *arranged], function, False).text.source


def _cells(function: types.FunctionType) -> dict[str, Any]:
    return dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))


def refresh() -> None:
    """Drop every derivation."""
    pipeline.forget()
