"""What is known of containers when something was stored in them, or in what they hold."""

from __future__ import annotations

import operator
from typing import NamedTuple

from zygpy.analyse.sites import both, contained
from zygpy.analyse.values import Value, remade
from zygpy.ir.kinds import (
    UNKNOWN,
    Array,
    Dict,
    Iterator,
    Kind,
    List,
    LocalFunction,
    NumberOrArray,
    OneOf,
    Optional,
    Row,
    Tuple,
    Unknown,
    are_apart,
    is_floating,
    join,
    join_all,
    keys_of,
    may_be_anything,
    row_of,
    with_captured,
    with_options,
)


def with_content(holder: Value, stored: Value, key: Kind) -> Value:
    """What a value may be in which, or in something in which, another one was stored, under a key of a kind
    if it is a dict."""
    kind = holder.kind
    if isinstance(kind, Array | NumberOrArray):
        active = holder.active or (stored.active and not casts(kind, stored.kind))
        return remade(holder, kind, active, holder.sites)
    if isinstance(kind, Optional | OneOf):
        kind = with_options(kind, lambda one: with_content(holder._replace(kind=one), stored, key).kind)
    if isinstance(kind, List):
        kind = List(join(kind.element, stored.kind))
    elif isinstance(kind, Dict):
        kind = Dict(None, join(kind.element, stored.kind), join(keys_of(kind), key))
    elif isinstance(kind, Tuple):
        kind = Tuple(tuple(forgotten(item) for item in kind.items), kind.cls)
    elif isinstance(kind, Row):
        kind = row_of(forgotten(kind.element))
    elif isinstance(kind, LocalFunction):
        kind = with_captured(kind, forgotten)
    return remade(holder, kind, holder.active or stored.active, both(holder.sites, contained(stored.sites)))


def holding_changed(holder: Value, changed: Kind, stored: Value, key: Kind, *, filled: bool = False) -> Value:
    """What a value may be that holds something in which another one was stored, but is not that itself;
    `filled`: a list which had items before, of the kind that it says."""
    kind = _inside(holder.kind, _Changed(changed, stored.kind, key, filled))
    return remade(holder, kind, holder.active or stored.active, both(holder.sites, contained(stored.sites)))


class _Changed(NamedTuple):
    """What has been given something: its kind, that of what it got, that of the key of a dict, and whether
    it had items before."""

    kind: Kind
    stored: Kind
    key: Kind
    filled: bool


def _inside(kind: Kind, changed: _Changed) -> Kind:
    """The kind of a container, of which something in it has been given something."""
    if isinstance(kind, Optional | OneOf):
        return with_options(kind, lambda option: _inside(option, changed))
    if isinstance(kind, Tuple):
        items = tuple([_or_itself(item, changed) for item in kind.items])
        return kind if all(map(operator.is_, items, kind.items)) else Tuple(items, kind.cls)
    if isinstance(kind, Dict) and kind.items is not None:
        keyed = tuple([(key, _or_itself(item, changed)) for key, item in kind.items])
        same = all(new[1] is old[1] for new, old in zip(keyed, kind.items, strict=True))
        return kind if same else Dict(keyed, join_all(item for _, item in keyed))
    if isinstance(kind, List | Iterator | Dict | Row):
        element = _or_itself(kind.element, changed)
        if element is kind.element:
            return kind
        if isinstance(kind, Row):
            return row_of(element)
        return Dict(None, element, keys_of(kind)) if isinstance(kind, Dict) else type(kind)(element)
    if isinstance(kind, LocalFunction):
        return with_captured(kind, lambda item: _or_itself(item, changed))
    return kind


def _or_itself(kind: Kind, changed: _Changed) -> Kind:
    """The kind of what may be the thing itself that was given something, or have it in it."""
    if isinstance(kind, Optional | OneOf):
        return with_options(kind, lambda option: _or_itself(option, changed))
    inside = _inside(kind, changed)
    if isinstance(changed.kind, Array | NumberOrArray):
        return inside
    if isinstance(inside, List) and _may_be_list(inside, changed):
        element = join(inside.element, changed.stored)
        return inside if element == inside.element else List(element)
    if isinstance(inside, Dict) and isinstance(changed.kind, Dict | Unknown):
        element, keys = join(inside.element, changed.stored), join(keys_of(inside), changed.key)
        same = inside.items is None and element == inside.element and keys == inside.key
        return inside if same else Dict(None, element, keys)
    return forgotten(inside) if isinstance(inside, Iterator) else inside


def _may_be_list(kind: List, changed: _Changed) -> bool:
    """Whether a list may be the one that was given something: one that has numbers in it has no lists."""
    if not isinstance(changed.kind, List):
        return isinstance(changed.kind, Unknown)
    return not (changed.filled and is_another_list(kind, changed.kind))


def is_another(kind: Kind, changed: Kind, *, filled: bool) -> bool:
    """Whether a value is surely not a list or dict in which something is stored; `filled`: a list that has
    items.

    >>> from zygpy.ir.kinds import FLOAT
    >>> is_another(Dict(None, List(FLOAT)), List(FLOAT), filled=False)
    True
    """
    if filled and is_another_list(kind, changed):
        return True
    return {type(kind), type(changed)} == {List, Dict}


def is_another_list(kind: Kind, filled: Kind) -> bool:
    """Whether a value is surely not a certain list that has items, as these are other things than its own.

    >>> from zygpy.ir.kinds import FLOAT
    >>> is_another_list(List(List(FLOAT)), List(FLOAT)), is_another_list(List(UNKNOWN), List(FLOAT))
    (True, False)
    """
    return isinstance(kind, List) and isinstance(filled, List) and are_apart(kind.element, filled.element)


def holding_filled(kind: Kind, content: Kind) -> Kind:
    """The kind of what holds a list or dict, but is not that itself, in which a callee has stored something:
    it is of the kind `content` now."""
    stored = content.element if isinstance(content, List | Dict) else UNKNOWN
    keys = keys_of(content) if isinstance(content, Dict) else UNKNOWN
    known = content if isinstance(content, List | Dict) else UNKNOWN
    return _inside(kind, _Changed(known, stored, keys, filled=False))


def as_shown(view: Value, changed: Kind, stored: Kind, key: Kind) -> Value:
    """What a view of a dict, or an iterator, may show when something was stored in a container, under a key
    of a kind if it is a dict."""
    if not isinstance(view.kind, Iterator) or _shows_such(view.kind.element, changed, stored, key):
        return view
    return remade(view, Iterator(UNKNOWN), view.active, view.sites)


def _shows_such(element: Kind, changed: Kind, stored: Kind, key: Kind) -> bool:
    """Whether elements of this kind are what a container had before, which is of the same kind as what was
    stored: its values, its keys, or pairs of both."""
    if may_be_anything(element):
        return True
    if not isinstance(changed, Dict | List):
        return False
    before, value = keys_of(changed) if isinstance(changed, Dict) else UNKNOWN, changed.element
    same_key, same_value = join(before, key) == before, join(value, stored) == value
    shown = {value: same_value, before: same_key, Tuple((before, value)): same_key and same_value}
    if value == before:
        shown[value] = same_key and same_value
    return shown.get(element, False)


_SAYING = frozenset({Optional, OneOf, Iterator, List, Dict, Row, Tuple, LocalFunction})
"""Kinds that say what other things are: those in containers, or what functions carry."""


def forgotten(kind: Kind) -> Kind:
    """The kind without what it says of things that may have been changed."""
    if type(kind) not in _SAYING:
        return kind
    if isinstance(kind, Optional | OneOf):
        return with_options(kind, forgotten)
    if isinstance(kind, Iterator):
        return kind if isinstance(kind.element, Unknown) else Iterator(UNKNOWN)
    if isinstance(kind, List):
        return kind if isinstance(kind.element, Unknown) else List(UNKNOWN)
    if isinstance(kind, Dict):
        return kind if kind == Dict(None, UNKNOWN) else Dict(None, UNKNOWN)
    if isinstance(kind, Row):
        element = forgotten(kind.element)
        return kind if element is kind.element else row_of(element)
    if isinstance(kind, Tuple):
        items = tuple([forgotten(item) for item in kind.items])
        same = all(map(operator.is_, items, kind.items))
        return kind if same else Tuple(items, kind.cls)
    return with_captured(kind, forgotten) if isinstance(kind, LocalFunction) else kind


def casts(kind: Kind, stored: Kind) -> bool:
    """Whether an array keeps nothing of the derivative of what is stored in it: integers do so of floats."""
    dtype = kind.dtype if isinstance(kind, Array) else "any"
    return dtype == "b" or (dtype == "i" and is_floating(stored))
