"""The pair of a rule that a user has declared, as text: the forward calls it, the adjoint its pullback."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zygpy.ir import core
from zygpy.ir.kinds import Kind, Tuple, is_numeric, is_real, is_scalar
from zygpy.ir.names import Names
from zygpy.ir.text import Text
from zygpy.rules.custom import Custom
from zygpy.runtime.custom import (
    arguments_of,
    bars_of,
    form_of,
    in_form,
    kept,
    kept_as_bound,
    kept_deeply,
)
from zygpy.runtime.measures import measured

HELPERS = {
    "bars_of": bars_of,
    "arguments_of": arguments_of,
    "form_of": form_of,
    "in_form": in_form,
    "kept": kept,
    "kept_as_bound": kept_as_bound,
    "kept_deeply": kept_deeply,
    "measured": measured,
}
"""What the pair of a rule calls by these names."""


@dataclass(frozen=True)
class Written:
    """The pair as text, its functions' names, and what the text means by others."""

    text: Text
    names: tuple[str, str]
    cells: dict[str, Any]


def parameters_of(custom: Custom) -> core.Params:
    """The parameters of a rule."""
    kinds = inspect.Parameter
    named: dict[Any, list[str]] = {}
    for name, parameter in custom.signature.parameters.items():
        named.setdefault(parameter.kind, []).append(name)
    (vararg,) = named.get(kinds.VAR_POSITIONAL, [None])
    (kwarg,) = named.get(kinds.VAR_KEYWORD, [None])
    return core.Params(
        positional_only=tuple(named.get(kinds.POSITIONAL_ONLY, ())),
        positional=tuple(named.get(kinds.POSITIONAL_OR_KEYWORD, ())),
        vararg=vararg,
        keyword_only=tuple(named.get(kinds.KEYWORD_ONLY, ())),
        kwarg=kwarg,
    )


def program_of(custom: Custom) -> core.Function:
    """A program of the rule's signature, of which nobody looks at the body."""
    here = core.Loc(1, 0)
    body = (core.Assign("y", core.Copy(core.Const(None)), here), core.Return(core.Var("y"), here))
    return core.Function(custom.stand_in.__name__, parameters_of(custom), body)


def write(custom: Custom, kinds: dict[str, Kind], result: Kind, *, copying: bool) -> Written:
    """The pair for arguments and a result of these kinds; with `copying` what the pullback carries may be
    written to before it is called."""
    base, params = custom.stand_in.__name__, parameters_of(custom)
    names = Names({*HELPERS, *params.names})
    both = names.fresh(f"{base}_forward"), names.fresh(f"{base}_adjoint")
    rule, back = names.fresh(f"{base}_rule"), names.fresh("back")
    given, form = names.fresh("given"), names.fresh("form")
    kept = {given: _measured(custom)} if _is_measured(custom, kinds) else {}
    if not _is_plain(result):
        kept[form] = "form_of({y})"
    y = names.fresh("y")
    held = [_safe(custom, back, y, copying), *kept.values()]
    forward = [
        f"def {both[0]}({', '.join(params.names)}):",
        f"    {y}, {back} = {rule}({_call(params)})",
        f"    return {y}, {_row(held).format(y=y)}",
    ]
    stash, y_bar = names.fresh("stash") if kept else back, names.fresh("y_bar")
    adjoint = [f"def {both[1]}({stash}, {y_bar}):"]
    adjoint += [f"    {', '.join((back, *kept))} = {stash}"] if kept else []
    adjoint += _seen(custom, result, y_bar, form)
    count = given if given in kept else str(len(_slots(params)))
    adjoint += _pulled(custom, f"{back}({y_bar})", count, rule, names)
    lines = [*forward, "", *adjoint]
    line = custom.rule.__code__.co_firstlineno
    text = Text("\n".join(lines) + "\n", {number: line for number, content in enumerate(lines, 1) if content})
    return Written(text, both, {**HELPERS, rule: custom.rule})


def _safe(custom: Custom, back: str, y: str, copying: bool) -> str:
    """The pullback in a form that does not mind if what it carries is written to, if it may be; one that runs
    a function again does not mind either if the variables that this has captured are bound anew."""
    if custom.keeps == "deeply":
        return f"kept_deeply({back})" if copying else f"kept_as_bound({back})"
    if copying and custom.keeps == "arguments":
        return f"kept({back}, {_arguments(parameters_of(custom), y)})"
    return back


def _arguments(params: core.Params, *others: str) -> str:
    """All positional arguments as a tuple, and others behind them."""
    arguments = "".join(f"{'*' * (name == params.vararg)}{name}, " for name in _slots(params))
    return f"({arguments}{''.join(f'{name}, ' for name in others)})"


def _row(items: Sequence[str]) -> str:
    """A tuple as text; of one item the item."""
    return items[0] if len(items) == 1 else f"({', '.join(items)})"


def _slots(params: core.Params) -> list[str]:
    """The parameters that get cotangents."""
    return [name for name in params.names if name not in (*params.keyword_only, params.kwarg)]


def _is_measured(custom: Custom, kinds: dict[str, Kind]) -> bool:
    """Whether the arguments' measures have to be known in the adjoint: unless all are real numbers."""
    params = parameters_of(custom)
    given = [kinds[name] for name in _slots(params)]
    return params.vararg is not None or not all(is_scalar(kind) and is_real(kind) for kind in given)


def _measured(custom: Custom) -> str:
    return f"measured({_arguments(parameters_of(custom))})"


def _is_plain(kind: Kind) -> bool:
    """Whether users see the cotangent of a value of this kind as it stands."""
    if isinstance(kind, Tuple):
        return kind.cls is None and all(map(_is_plain, kind.items))
    return is_numeric(kind)


def _seen(custom: Custom, result: Kind, y_bar: str, form: str) -> list[str]:
    """The lines that make of what comes in what the user's pullback is given."""
    lines = []
    if not is_scalar(result) and not custom.always:
        nothing = "".join("None, " for _ in parameters_of(custom).names)
        lines += [f"    if {y_bar} is None:", f"        return ({nothing})"]
    return lines if _is_plain(result) else [*lines, f"    {y_bar} = in_form({y_bar}, {form})"]


def _pulled(custom: Custom, call: str, count: str, rule: str, names: Names) -> list[str]:
    """The lines that call the pullback and return the cotangents of all parameters."""
    params = parameters_of(custom)
    bars = {name: names.fresh(f"{name}_bar") for name in _slots(params)}
    taken = "arguments_of" if custom.portable and not custom.receives else "bars_of"
    checked = f"{taken}({call}, {count}, {rule})"
    targets = "".join(f"{'*' * (name == params.vararg)}{bar}, " for name, bar in bars.items())
    parts = [bars.get(name, "None") for name in params.names]
    if params.vararg:
        parts[params.names.index(params.vararg)] = f"tuple({bars[params.vararg]})"
    assigned = f"{targets.strip() if len(bars) == 1 else targets.strip(', ')} = " if bars else ""
    returned = f"{', '.join(parts)}{',' * (len(parts) == 1)}" if parts else "()"
    return [f"    {assigned}{checked}", f"    return {returned}"]


def _call(params: core.Params) -> str:
    """The arguments of a call that passes every parameter on."""
    parts = [*params.positional_only, *params.positional]
    parts += [f"*{params.vararg}"] if params.vararg else []
    parts += [f"{name}={name}" for name in params.keyword_only]
    parts += [f"**{params.kwarg}"] if params.kwarg else []
    return ", ".join(parts)
