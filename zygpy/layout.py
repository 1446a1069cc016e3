"""How the cotangents of canonical parameters become those of a call's own arguments, as data."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from zygpy.ir import core
from zygpy.runtime.accumulate import entries, key_of


@dataclass(frozen=True)
class Whole:
    """The cotangent of parameter number `position`."""

    position: int


@dataclass(frozen=True)
class Entry:
    """One entry of the cotangent of `*args`."""

    position: int
    entry: int
    count: int


@dataclass(frozen=True)
class Key:
    """One key of the cotangent of `**kwargs`."""

    position: int
    key: str


@dataclass(frozen=True)
class Nothing:
    """An argument that can have no cotangent."""


@dataclass(frozen=True)
class Group:
    """A dict of parts: what a callee carries (captured variables, the receiver of a method)."""

    items: tuple[tuple[str, Part], ...]


@dataclass(frozen=True)
class Row:
    """A tuple of parts: that of arguments which are given in one."""

    items: tuple[Part, ...]


Part: TypeAlias = "Whole | Entry | Key | Nothing | Group | Row"


@dataclass(frozen=True)
class Layout:
    """For the callee (or receiver) and for each argument, positional then keyword, where its
    cotangent is."""

    own: Part
    arguments: tuple[Part, ...]

    @functools.cached_property
    def in_order(self) -> bool:
        """Whether the arguments are the first parameters, and nothing else."""
        return _are_in_order(self.own, self.arguments)

    @functools.cached_property
    def gathered(self) -> tuple[int, ...]:
        """The parameters that are dicts of keyword arguments, made for the call."""
        return _gathered_by((self.own, *self.arguments))

    @functools.cached_property
    def carried(self) -> tuple[int, ...]:
        """The parameters whose cotangents belong to what callees carry, or are: objects that are called."""
        return _carried_by(self.own, self.arguments)

    def spread(self, bars: Sequence[Any]) -> tuple[Any, ...]:
        """The flat tuple that `back` returns."""
        if self.in_order:
            return (None, *bars[: len(self.arguments)])
        return (_take(self.own, bars), *[_take(part, bars) for part in self.arguments])

    def text(self, names: Sequence[str]) -> str:
        """The same as an expression on variables of these names."""
        parts = [text_of(part, names) for part in (self.own, *self.arguments)]
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


def _are_in_order(own: Part, arguments: tuple[Part, ...]) -> bool:
    return own == Nothing() and arguments == tuple(map(Whole, range(len(arguments))))


def _gathered_by(parts: tuple[Part, ...]) -> tuple[int, ...]:
    return tuple(sorted({part.position for part in _parts(parts) if type(part) is Key}))


def _carried_by(own: Part, arguments: tuple[Part, ...]) -> tuple[int, ...]:
    groups = [part for part in (own, *arguments) if isinstance(part, Group)]
    inner = [part for group in groups for part in _parts([group]) if not isinstance(part, Group | Row)]
    if isinstance(own, Whole):
        inner.append(own)
    return tuple(sorted({part.position for part in inner if not isinstance(part, Nothing)}))


def _parts(parts: Iterable[Part]) -> Iterator[Part]:
    """All parts, and what they consist of."""
    for part in parts:
        yield part
        if isinstance(part, Group):
            yield from _parts(inner for _, inner in part.items)
        elif isinstance(part, Row):
            yield from _parts(part.items)


@functools.lru_cache(maxsize=1024)
def plain(captured: tuple[str, ...], count: int) -> Layout:
    """Captured variables first, then exactly the arguments."""
    first = len(captured)
    own = Group(tuple((name, Whole(position)) for position, name in enumerate(captured)))
    arguments = tuple(Whole(first + position) for position in range(count))
    return Layout(own if captured else Nothing(), arguments)


def of_call(
    captured: tuple[str, ...],
    params: core.Params,
    count: int,
    kwargs: Mapping[str, Any],
    *,
    defaults: bool,
) -> Layout:
    """The layout of a call with `count` positional arguments and these keywords.

    With `defaults` the function carries its default values: those that were used are its own too.
    """
    first = len(captured)
    order = {name: first + position for position, name in enumerate(params.names)}
    names = params.positional_only + params.positional
    extra = count - len(names)
    arguments: list[Part] = [Whole(order[name]) for name in names[:count]]
    arguments += [Entry(order[str(params.vararg)], entry, extra) for entry in range(extra)]
    for name in kwargs:
        own = name in order and name not in (params.vararg, params.kwarg, *params.positional_only)
        arguments.append(Whole(order[name]) if own else Key(order[str(params.kwarg)], name))
    carried: list[tuple[str, Part]] = [(name, Whole(position)) for position, name in enumerate(captured)]
    if defaults:
        named = set(kwargs).difference(params.positional_only)
        filled = [name for name in names[count:] + params.keyword_only if name not in named]
        carried += [(default_key(name), Whole(order[name])) for name in filled]
    return Layout(Group(tuple(carried)) if carried else Nothing(), tuple(arguments))


def default_key(name: str) -> str:
    """Where a function's cotangent has that of a parameter's default value."""
    return f"{name}="


def _take(part: Part, bars: Sequence[Any]) -> Any:
    """(It has no `match`, as it is differentiated where gradients are, and that of a `match` is long.)"""
    if isinstance(part, Whole):
        return bars[part.position]
    if isinstance(part, Entry):
        return entries(bars[part.position], part.count)[part.entry]
    if isinstance(part, Key):
        return key_of(bars[part.position], part.key)
    if isinstance(part, Group):
        return {name: _take(inner, bars) for name, inner in part.items}
    return tuple([_take(inner, bars) for inner in part.items]) if isinstance(part, Row) else None


def text_of(part: Part, names: Sequence[str]) -> str:
    """Where a part is, as an expression on variables of these names."""
    match part:
        case Whole(position):
            return names[position]
        case Entry(position, entry, count):
            return f"entries({names[position]}, {count})[{entry}]"
        case Key(position, key):
            return f"key_of({names[position]}, {key!r})"
        case Group(items):
            return "{" + ", ".join(f"{name!r}: {text_of(inner, names)}" for name, inner in items) + "}"
        case Row(parts):
            texts = [text_of(inner, names) for inner in parts]
            return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"
    return "None"
