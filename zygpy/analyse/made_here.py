"""The names of a function's text that hold only what the function has made itself."""

from __future__ import annotations

import builtins
import functools
from typing import Any

from zygpy.ir.nodes import gast
from zygpy.rules import declare

_NEW = (
    *(gast.Constant, gast.BinOp, gast.UnaryOp, gast.Compare, gast.JoinedStr, gast.Lambda),
    *(gast.List, gast.Tuple, gast.Dict, gast.Set),
    *(gast.ListComp, gast.DictComp, gast.SetComp, gast.GeneratorExp),
)
_NEW_METHODS = frozenset({"astype", "tolist", "sum", "mean", "dot"})
_GIVING_ON = frozenset({"getattr", "max", "min", "next", "reversed", "iter", "vars", "globals", "locals"})
"""Builtins that hand back what they are given, or something of it."""


def made_here(node: Any) -> frozenset[str]:
    """The names that are bound in a function, and to nothing that the function may have from elsewhere.

    >>> text = '''
    ... def f(x):
    ...     y = [0.0]; z = y; ys = [x]; w = x; u = g(x); v = u + 1.0
    ...     for item in ys: w = item
    ... '''
    >>> from zygpy.ir.nodes import quote
    >>> sorted(made_here(quote(text.strip())[0]))
    ['v', 'y', 'ys', 'z']
    """
    bound: dict[str, list[Any]] = {}
    for inner in gast.walk(node):
        _note(inner, bound)
    names = {inner.id for inner in gast.walk(node) if isinstance(inner, gast.Name) and _is_stored(inner)}
    made = {name for name in names if name in bound} - _bound_otherwise(node, bound) - _of_others(node)
    while True:
        fewer = {name for name in made if all(_is_new(value, made) for value in bound[name])}
        if fewer == made:
            return frozenset(made)
        made = fewer


def _of_others(node: Any) -> set[str]:
    """The names that a function shares with the function around it, or with all."""
    declared = (inner.names for inner in gast.walk(node) if isinstance(inner, gast.Nonlocal | gast.Global))
    return {name for names in declared for name in names}


def _is_stored(name: Any) -> bool:
    return isinstance(name.ctx, gast.Store)


def _note(node: Any, bound: dict[str, list[Any]]) -> None:
    """Note the values that an assignment gives to plain names."""
    if isinstance(node, gast.Assign | gast.AnnAssign | gast.NamedExpr) and node.value is not None:
        for target in node.targets if isinstance(node, gast.Assign) else [node.target]:
            if isinstance(target, gast.Name):
                bound.setdefault(target.id, []).append(node.value)


def _bound_otherwise(node: Any, bound: dict[str, list[Any]]) -> set[str]:
    """The names that loops, unpacking, `with` and the like bind to what may come from elsewhere."""
    count: dict[str, int] = {}
    for inner in gast.walk(node):
        if isinstance(inner, gast.Name) and isinstance(inner.ctx, gast.Store | gast.Param):
            count[inner.id] = count.get(inner.id, 0) + 1
    for inner in gast.walk(node):
        if isinstance(inner, gast.AugAssign) and isinstance(inner.target, gast.Name):
            count[inner.target.id] -= 1  # `x += y` leaves `x` what it is, or makes something new
    return {name for name, times in count.items() if times > len(bound.get(name, ()))}


def _is_new(value: Any, made: set[str]) -> bool:
    """Whether an expression surely gives something new, or something of what has been made here."""
    if isinstance(value, gast.IfExp):
        return _is_new(value.body, made) and _is_new(value.orelse, made)
    if isinstance(value, gast.Subscript | gast.Attribute):
        return isinstance(value.value, gast.Name) and value.value.id in made
    if isinstance(value, gast.Name):
        return value.id in made
    return isinstance(value, _NEW) or (isinstance(value, gast.Call) and _gives_new(value.func, value.args))


def _gives_new(callee: Any, args: list[Any]) -> bool:
    """Whether what a callee of this name gives shares nothing with its arguments."""
    if isinstance(callee, gast.Attribute):
        if callee.attr == "copy":
            return not args  # `copy.copy(x)` shares what `x` holds
        return callee.attr in _NEW_METHODS or callee.attr in _new_by_rules(declare.REGISTRY.state)
    if not isinstance(callee, gast.Name):
        return False
    return hasattr(builtins, callee.id) and callee.id not in _GIVING_ON


@functools.lru_cache(maxsize=1)
def _new_by_rules(state: Any) -> frozenset[str]:
    """The names of the functions with rules that give something new, in this state of the rules."""
    del state  # the key that the answer is kept under
    sharing = {_name(function) for function, rule in declare.REGISTRY.items() if rule.shares}
    return frozenset(map(_name, declare.REGISTRY)) - sharing


def _name(function: Any) -> str:
    return str(getattr(function, "__name__", ""))
