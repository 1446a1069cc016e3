"""What a call has made may be held by its arguments and by others; lists that are filled may be held by
objects already, or be so later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import zygpy as zg
from tests.test_operators_of_objects import V, X, check_all
from zygpy.testing import check_gradient


class Thing:
    def __init__(self, value: Any) -> None:
        self.value = value
        self.items: list[Any] = []

    def sum(self) -> Any:
        total = 0.0
        for item in self.items:
            total = total + (item.value if isinstance(item, Thing) else item)
        return total

    def squares(self) -> Any:
        return [item * item for item in self.items]

    def things(self) -> Any:
        return [Thing(item) for item in self.items]

    def keep(self, value: Any) -> Any:
        made = Thing(value)
        self.items.append(made)
        return made

    def filled(self, values: Any) -> Any:
        own = []
        for value in values:
            own.append(value * self.value)  # noqa: PERF401
        self.items = own
        return own


KEPT: list[Any] = []


def pushed(items: Any, value: Any) -> Any:
    made = Thing(value)
    items.append(made)
    return made


def kept_elsewhere(value: Any) -> Any:
    made = Thing(value)
    KEPT.append(made)
    return made


def in_a_pair(value: Any) -> Any:
    made = Thing(value)
    return made, [made]


def kept_and_given(holder: Any) -> Any:
    own: list[Any] = []
    holder.items = own
    return own


def filled_by_both_names(x: Any) -> Any:
    holder = Thing(x[3])
    own = kept_and_given(holder)
    own.append(1.0)
    first = holder.sum()
    own.append(x[0])
    holder.items.append(Thing(x[1]))
    return first * x[3] + holder.sum() * x[2] + own[1] + own[2].value


def changed_after(x: Any) -> Any:
    items: list[Any] = []
    made = pushed(items, 1.0)
    made.value = x[0] * x[1]
    return items[0].value ** 2 + x[2]


def changed_in_the_list(x: Any) -> Any:
    items: list[Any] = []
    made = pushed(items, x[0])
    items[0].value = x[1] * x[2]
    return made.value * x[3]


def changed_in_the_field(x: Any) -> Any:
    holder = Thing(x[3])
    made = holder.keep(2.0)
    made.value = x[0]
    holder.items[0].value = made.value * x[1]
    return made.value * holder.sum()


def changed_elsewhere(x: Any) -> Any:
    KEPT.clear()
    made = kept_elsewhere(1.0)
    made.value = x[0] * x[1]
    return KEPT[0].value * x[2]


def one_in_two(x: Any) -> Any:
    made, held = in_a_pair(1.0)
    made.value = x[0] * x[3]
    held[0].value = held[0].value * x[1]
    return made.value + held[0].value


def in_rounds(x: Any) -> Any:
    holder, last = Thing(0.0), None
    for value in x:
        made = holder.keep(value)
        if last is not None:
            last.value = last.value * made.value
        last = made
    return holder.sum() * holder.items[1].value


def filled_and_held(x: Any) -> Any:
    thing = Thing(x[0])
    own = thing.filled(x)
    own[0] = x[1] * x[2]
    own.append(x[3] * x[3])
    return thing.sum() * thing.items[0]


def held_and_filled(x: Any) -> Any:
    thing, own = Thing(x[0]), []  # type: ignore[var-annotated]
    thing.items = own
    for value in x:
        own.append(value * x[0])  # noqa: PERF401
    return thing.sum() * thing.items[2]


def of_numbers_and_of_things(x: Any) -> Any:
    thing, own = Thing(x[0]), [1.0, 2.0]
    thing.items = own
    first = thing.sum()
    own[0] = Thing(x[1] * x[2])  # type: ignore[call-overload]
    own[1] = x[3] * first
    return thing.sum() * own[0].value  # type: ignore[attr-defined]


def in_turns(x: Any) -> Any:
    """The list is held from the second round on."""
    thing, own = Thing(x[0]), []  # type: ignore[var-annotated]
    for place in range(4):
        own.append(Thing(x[place]) if place == 3 else x[place] * 2.0)
        if place > 0:
            thing.items = own
    return thing.sum() * x[0]


def of_two_holders(x: Any) -> Any:
    a, b = Thing(x[0]), Thing(x[1])
    a.items = b.items
    b.items.append(x[2] * x[3])
    a.items += [x[0] * x[1]]
    return a.sum() * b.sum()


def swapped(x: Any) -> Any:
    a, b = Thing(x[0]), Thing(x[1])
    a.items, b.items = [x[2]], [Thing(x[3])]
    a.items, b.items = b.items, a.items
    b.items[0] = b.items[0] * x[0]
    a.items[0].value = a.items[0].value * x[1]
    return a.sum() * b.sum()


def captured(x: Any) -> Any:
    own: list[Any] = []
    thing = Thing(x[0])

    def add(value: Any) -> None:
        own.append(value)

    for value in x:
        add(value * x[1])
    thing.items = own
    add(Thing(x[2]))
    return thing.sum() * own[1]


def beside_a_local_list(x: Any) -> Any:
    """What a method puts into lists of its own says nothing of those in objects."""
    thing = Thing(1.0)
    thing.items = [Thing(value) for value in x]
    for _ in range(2):
        scales = [item.value * 0.5 for item in thing.items]
        for item, scale in zip(thing.items, scales, strict=True):
            item.value = item.value * scale
    return thing.sum()


def lists_of_lists(x: Any) -> Any:
    thing = Thing(x[0])
    rows = [[x[0], x[1]], [x[2]]]
    thing.items = rows[0]
    rows[0].append(x[3] * x[0])
    rows[1] = thing.items
    rows[1][0] = rows[1][0] * x[2]
    return thing.sum() * rows[0][0]


def changed_lengths(x: Any) -> Any:
    own = [x[0], x[1]]
    thing = Thing(0.0)
    thing.items = own
    first = own[-1] * x[3]
    own.insert(0, x[2])
    own.append(first)
    own[1] = own[1] * own[-1]
    removed = own.pop(0)
    own.append(removed * own[0])
    own.reverse()
    return thing.sum() * own[0]


def emptied(x: Any) -> Any:
    own: list[Any] = []
    thing = Thing(x[0])
    thing.items = own
    for value in x:
        own.clear()
        own.append(value * thing.value)
        own.append(value)
        thing.value = own[0] * own[1]
    return thing.value + own[-1]


def copied(x: Any) -> Any:
    thing = Thing(x[0])
    thing.items = list(x)
    other = list(thing.items)
    other[0] = other[1] * x[2]
    thing.items[1] = thing.items[0] * x[3]
    return thing.sum() * other[0] + other[1] * sum(other)


def in_defaults(x: Any, kept: Any = []) -> Any:  # noqa: B006
    kept.clear()
    kept.append(Thing(x[0]))
    made = kept[0]
    made.value = x[1] * x[2]
    return kept[0].value * x[3]


def through_a_dict(x: Any) -> Any:
    table: dict[str, Any] = {}
    made = table.setdefault("a", Thing(1.0))
    made.value = x[0] * x[1]
    table["b"] = pushed(made.items, x[2])
    table["b"].value *= x[3]
    return table["a"].sum() * table["a"].value


def given_back(x: Any) -> Any:
    def same(thing: Any) -> Any:
        return thing

    def chosen(a: Any, b: Any) -> Any:
        return a if a.value > b.value else b

    a, b = Thing(x[0]), Thing(x[1])
    same(a).value = a.value * x[2]
    chosen(a, b).value = x[3] * x[3]
    return a.value * b.value


def in_an_exception(x: Any) -> Any:
    thing = Thing(x[0])
    try:
        made = thing.keep(x[1])
        made.value = x[2] * x[0]
        raise ValueError(made)
    except ValueError as error:
        error.args[0].value = error.args[0].value * x[3]
    return thing.sum() * made.value


def of_generated_things(x: Any) -> Any:
    thing = Thing(0.0)

    def made() -> Any:
        for value in x:
            yield thing.keep(value)

    for one in made():
        one.value = one.value * one.value
    return thing.sum() * thing.items[0].value


class Registry:
    def __init__(self) -> None:
        self.items: list[Any] = []

    def add(self, thing: Any) -> None:
        self.items.append(thing)


REGISTRY = Registry()
HOOKS = [REGISTRY.add]
TABLE = {"registry": REGISTRY}


class Registered(Thing):
    def __init__(self, value: Any) -> None:
        super().__init__(value)
        HOOKS[0](self)


def by_a_method(value: Any) -> Any:
    made = Thing(value)
    REGISTRY.add(made)
    return made


def by_hooks(value: Any) -> Any:
    made = Thing(value)
    for hook in HOOKS:
        hook(made)
    return made


def by_name(value: Any) -> Any:
    made = Thing(value)
    getattr(REGISTRY, "add")(made)  # noqa: B009 (by this name)
    return made


def by_a_table(value: Any) -> Any:
    made = Thing(value)
    TABLE["registry"].add(made)
    return made


def by_its_items(value: Any) -> Any:
    made = Thing(value)
    TABLE["registry"].items.append(made)
    return made


def by_map(value: Any) -> Any:
    made = Thing(value)
    list(map(REGISTRY.add, [made]))
    return made


def by_what_it_holds(value: Any) -> Any:
    made, held = Thing(0.0), Thing(value)
    REGISTRY.add(held)
    made.items.append(held)
    return made


def handed(value: Any, hook: Any) -> Any:
    made = Thing(value)
    hook(made)
    return made


def registered(make: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A thing that is made of a constant, found elsewhere, and has a gradient later."""

    def program(x: Any) -> Any:
        REGISTRY.items.clear()
        made = make(1.0)
        made = made.items[0] if made.items else made
        made.value = x[0] * x[1]
        return REGISTRY.items[0].value * x[2]

    return program


def handed_to_a_registry(x: Any) -> Any:
    REGISTRY.items.clear()
    made = handed(1.0, REGISTRY.add)
    made.value = x[0] * x[1]
    return REGISTRY.items[0].value * x[2]


def handed_to_a_hook(x: Any) -> Any:
    REGISTRY.items.clear()

    def hook(thing: Any) -> None:
        REGISTRY.items.append(thing)

    made = handed(1.0, hook)
    made.value = x[0] * x[1]
    return REGISTRY.items[0].value * x[2]


def handed_to_a_closure(x: Any) -> Any:
    own: list[Any] = []

    def hook(thing: Any) -> None:
        own.append(thing)

    made = handed(1.0, hook)
    made.value = x[0] * x[1]
    return own[0].value * x[2]


def handed_to_a_list(x: Any) -> Any:
    own: list[Any] = []
    made = handed(1.0, own.append)
    made.value = x[0] * x[1]
    return own[0].value * x[2]


def handed_to_a_dict(x: Any) -> Any:
    own: dict[str, Any] = {}
    made = handed(1.0, lambda thing: own.update(a=thing))
    own["a"].value = x[0] * x[1]
    return made.value * x[2]


FOUND_ELSEWHERE = [
    by_a_method,
    by_hooks,
    by_name,
    by_a_table,
    by_its_items,
    by_map,
    by_what_it_holds,
    Registered,
]


@pytest.mark.parametrize("make", FOUND_ELSEWHERE)
def test_what_was_found_elsewhere_before(make: Callable[[Any], Any]) -> None:
    program = registered(make)
    check_gradient(program, X)
    slope = zg.gradient(program, X)[0]
    assert slope == pytest.approx([X[1] * X[2], X[0] * X[2], X[0] * X[1], 0.0])
    assert zg.pushforward(program, X)(V) == pytest.approx(slope @ V)


PROGRAMS: list[Callable[[Any], Any]] = [
    *(changed_after, changed_in_the_list, changed_in_the_field, changed_elsewhere, one_in_two, in_rounds),
    *(
        filled_and_held,
        held_and_filled,
        of_numbers_and_of_things,
        in_turns,
        of_two_holders,
        swapped,
        captured,
    ),
    *(beside_a_local_list, lists_of_lists, changed_lengths, emptied, copied, in_defaults, through_a_dict),
    *(given_back, in_an_exception, of_generated_things, handed_to_a_registry, handed_to_a_hook),
    *(handed_to_a_closure, handed_to_a_list, handed_to_a_dict, filled_by_both_names),
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_derivatives(program: Callable[[Any], Any]) -> None:
    assert program(X) == program(X)
    check_all(program)
