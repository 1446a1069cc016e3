"""Builtins that give items when they are asked for them, as generator functions whose bodies run in place.

Each takes as many items as the builtin it stands for, in the same order, and calls what it is given as often,
as the builtin does where all its items are asked for in one place.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np

from zygpy.ir import core
from zygpy.ir.nodes import quote
from zygpy.runtime.lookup import looked_up

BUILTINS: Mapping[str, Any] = {"len": len, "range": range, "enumerate": enumerate, "hasattr": hasattr} | {
    error.__name__: error for error in (TypeError, ValueError)
}
"""What the programs call."""

MOST_LOOPS = 4
"""So many loops may come to stand in each other."""

Text: TypeAlias = "Callable[[core.Call], str | None]"
"""From a call to the program, in which a function that is called stands as `{0}`; None where none fits."""


def _plain(text: str, count: int) -> Text:
    """The program for so many positional arguments, and nothing else."""
    return lambda call: text if len(call.args) == count and not call.keywords else None


def _loops(names: tuple[str, ...], pools: tuple[str, ...], given: tuple[str, ...]) -> str:
    """Loops in each other over lists of what is given, all of which is taken before the first item is."""
    lines = [f"pool_{name} = [item for item in {name}]" for name in given]
    for depth, (name, pool) in enumerate(zip(names, pools, strict=True)):
        lines.append(f"{'    ' * depth}for {name} in {pool}:")
    lines.append(f"{'    ' * len(names)}yield {', '.join(names)},")
    return _function(given, lines)


def _function(given: tuple[str, ...], lines: list[str]) -> str:
    return f"def walk({', '.join(given)}):\n" + "\n".join(f"    {line}" for line in lines)


def _product(call: core.Call) -> str | None:
    """`itertools.product`, a known number of times."""
    repeats = [keyword.value for keyword in call.keywords if keyword.name == "repeat"]
    times = _count(repeats[0]) if repeats else 1
    if times is None or len(repeats) != len(call.keywords) or not 0 < len(call.args) * times <= MOST_LOOPS:
        return None
    given = tuple(f"iterable_{place}" for place in range(len(call.args)))
    pools = tuple(f"pool_{name}" for name in given) * times
    return _loops(tuple(f"item_{place}" for place in range(len(pools))), pools, given)


def _count(atom: core.Atom) -> int | None:
    """The number that an atom is known to be."""
    return atom.value if isinstance(atom, core.Const) and type(atom.value) is int else None


def _choosing(first: str, condition: str = "") -> Text:
    """Items at a known number of places, of which each but the first begins where `first` tells."""

    def choose(call: core.Call) -> str | None:
        given = [*call.args, *[keyword.value for keyword in call.keywords if keyword.name == "r"]]
        atom = given[1] if len(given) == 2 and len(call.args) + len(call.keywords) == 2 else None
        count = None if atom is None or isinstance(atom, core.Star) else _count(atom)
        if count is None or not 0 < count < MOST_LOOPS:
            return None
        lines, place = ["pool = [item for item in iterable]", "size = len(pool)"], "0"
        for number in range(count):
            indent = "    " * number
            lines.append(f"{indent}for place_{number} in range({place}, size):")
            place = first.format(number)
        lines += _chosen(count, condition)
        return _function(("iterable",), lines)

    return choose


def _chosen(count: int, condition: str) -> list[str]:
    """The innermost lines: the items at the places, if these are no two the same."""
    indent, places = "    " * count, [f"place_{number}" for number in range(count)]
    lines = [f"{indent}yield {', '.join(f'pool[{place}]' for place in places)},"]
    different = [condition.format(a, b) for a, b in itertools.combinations(places, 2)] if condition else []
    return [f"{indent}if {' and '.join(different)}:", f"    {lines[0]}"] if different else lines


NEIGHBOURS = """
def walk(iterable):
    items = []
    for item in iterable:
        items.append(item)
        if len(items) > 1:
            yield items[-2], items[-1]
"""

MAPPED = """
def walk(iterable):
    for item in iterable:
        yield {0}(item)
"""

STARMAPPED = """
def walk(iterable):
    for items in iterable:
        yield {0}(*items)
"""

FILTERED = """
def walk(iterable):
    for item in iterable:
        if {0}(item):
            yield item
"""

FILTERED_OUT = """
def walk(iterable):
    for item in iterable:
        if not {0}(item):
            yield item
"""

TAKEN_WHILE = """
def walk(iterable):
    for item in iterable:
        if not {0}(item):
            break
        yield item
"""

DROPPED_WHILE = """
def walk(iterable):
    dropping = True
    for item in iterable:
        if dropping and not {0}(item):
            dropping = False
        if not dropping:
            yield item
"""

RUNNING_SUMS = """
def walk(iterable):
    totals = []
    for item in iterable:
        totals.append(totals[-1] + item if len(totals) > 0 else item)
        yield totals[-1]
"""


def _beginning(call: core.Call) -> str | None:
    """`itertools.islice` of so many items, which asks for no other one behind the last."""
    if len(call.args) != 2 or isinstance(call.args[1], core.Star) or call.keywords:
        return None
    if isinstance(call.args[1], core.Var):
        return BEGINNING_BY_NUMBER
    count = _count(call.args[1])
    if count is None or count < 1:
        return None
    lines = ["taken = 0", "for item in iterable:", "    yield item", "    taken = taken + 1"]
    return _function(("iterable", "stop"), [*lines, f"    if taken == {count}:", "        break"])


BEGINNING_BY_NUMBER = """
def walk(iterable, stop):
    if stop is not None and (not hasattr(stop, "__index__") or stop < 0):
        raise ValueError("Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    taken = 0
    if stop is None or stop > 0:
        for item in iterable:
            yield item
            taken = taken + 1
            if taken == stop:
                break
"""


def _counting(call: core.Call) -> str | None:
    """`itertools.count` of known integers."""
    steps = [_count(arg) for arg in call.args if not isinstance(arg, core.Star)]
    if call.keywords or len(call.args) > 2 or len(steps) < len(call.args) or None in steps:
        return None
    start = steps[0] if steps else 0
    step = steps[1] if len(steps) > 1 else 1
    lines = [f"number = {start}", "while True:", "    yield number", f"    number = number + {step}"]
    return _function((), lines)


CALLING: Mapping[Any, Text] = {
    map: _plain(MAPPED, 2),
    filter: _plain(FILTERED, 2),
    itertools.starmap: _plain(STARMAPPED, 2),
    itertools.filterfalse: _plain(FILTERED_OUT, 2),
    itertools.takewhile: _plain(TAKEN_WHILE, 2),
    itertools.dropwhile: _plain(DROPPED_WHILE, 2),
}
"""The programs for builtins whose first argument is a function, and whose second is walked over."""

TAKING_WHOLE: Mapping[Any, Text] = {
    itertools.product: _product,
    itertools.combinations: _choosing("place_{0} + 1"),
    itertools.combinations_with_replacement: _choosing("place_{0}"),
    itertools.permutations: _choosing("0", "{0} != {1}"),
}
"""The programs for builtins that take all that they are given before they give anything."""

NUMBERED = """
def walk(arr):
    array = {module}.asarray(arr)
    for place in {module}.ndindex(array.shape):
        yield place, array[place]
"""


def _numbered(call: core.Call) -> str | None:
    """`np.ndenumerate`, where NumPy has one of its usual names."""
    names = call.func.names if isinstance(call.func, core.Path) else ()
    if len(names) != 2 or names[0] not in ("np", "numpy") or len(call.args) != 1 or call.keywords:
        return None
    return NUMBERED.format(module=names[0])


LOOPED: Mapping[Any, Text] = {
    itertools.pairwise: _plain(NEIGHBOURS, 1),
    itertools.accumulate: _plain(RUNNING_SUMS, 1),
    itertools.count: _counting,
    np.ndenumerate: _numbered,
}
"""The programs for others, where a loop takes the items."""

BEGINNING: Mapping[Any, Text] = {itertools.islice: _beginning}
"""Those for what takes no more than it gives."""


def text_of(called: Any, call: core.Call, *, looped: bool) -> str | None:
    """The program for a call; `looped` tells that a loop takes the items."""
    choose = looked_up(CALLING, called) or looked_up(TAKING_WHOLE, called) or looked_up(BEGINNING, called)
    choose = choose or (looked_up(LOOPED, called) if looped else None)
    return choose(call) if choose else None


def functions_of(called: Any, call: core.Call) -> tuple[core.Atom | core.Star, ...]:
    """The functions that a builtin is given, and calls."""
    return call.args[:1] if looked_up(CALLING, called) else ()


def takes_whole(called: Any) -> bool:
    """Whether a builtin takes all that it is given where it is called."""
    return looked_up(TAKING_WHOLE, called) is not None


def iterables_of(called: Any, call: core.Call) -> tuple[core.Atom | core.Star, ...]:
    """What a builtin walks over."""
    if looked_up(CALLING, called):
        return call.args[1:]
    if called is itertools.count:
        return ()
    if called is itertools.islice:
        return call.args
    return call.args if looked_up(TAKING_WHOLE, called) is _product else call.args[:1]


FOLDED = """
def walk(iterable, initial):
    total = initial
    for item in iterable:
        total = {0}(total, item)
    return total
"""

FOLDED_ALONE = """
def walk(iterable):
    total = 0.0
    begun = False
    for item in iterable:
        if begun:
            total = {0}(total, item)
        else:
            total = item
            begun = True
    if not begun:
        raise TypeError("reduce() of empty iterable with no initial value")
    return total
"""


def text_of_receiver(called: Any, call: core.Call) -> str | None:
    """The program for a call of what takes all items of its second argument, and gives something else; its
    first is a function."""
    if called is not functools.reduce or call.keywords:
        return None
    return {2: FOLDED_ALONE, 3: FOLDED}.get(len(call.args))


@functools.lru_cache(maxsize=256)
def tree_of(text: str, names: tuple[str, ...]) -> Any:
    """The tree of a program that calls functions of these names."""
    (made,) = quote(text.format(*names).strip())
    return made
