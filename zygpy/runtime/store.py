"""The cotangents of one call of `back` that belong to things, not to variables.

Lists, dicts, objects, cells and module globals are found by identity, arrays by their memory, so that
a thing that is changed under one name has the same cotangent under every other. What a variable holds
itself, a number or a tuple of numbers, has its cotangent in the adjoint's own variables: of any
other cotangent, that is what the methods here leave over.

The class is plain Python in the language that can be differentiated, so that an adjoint which uses it
can be differentiated again.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from fractions import Fraction
from types import (
    BuiltinFunctionType,
    CellType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MappingProxyType,
    ModuleType,
)
from typing import Any, NoReturn

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.marks import is_marked
from zygpy.runtime.accumulate import (
    KEYS,
    RE_ITERABLE,
    accumulate,
    checked_keys,
    from_positions,
    refuse_key,
)
from zygpy.runtime.attempts import check_exception_is_inert
from zygpy.runtime.cells import cells_of, given_names
from zygpy.runtime.generators import Generator
from zygpy.runtime.indexing import add_at
from zygpy.runtime.iteration import is_walk
from zygpy.runtime.lookup import own_fields
from zygpy.runtime.memory import Memory, base_of
from zygpy.runtime.native import (
    CONTAINERS,
    FACTORY,
    POSITIONAL,
    SEQUENCES,
    check_beside_items,
    holds_items_and_fields,
    is_set,
    items_of,
    native,
    table_of,
)
from zygpy.runtime.object_arrays import elements, holds_objects, in_order_of_memory, places
from zygpy.runtime.partials import FUNCTION, METHODS, is_function_like, position
from zygpy.runtime.records import Record, fields_of
from zygpy.runtime.shown import shown, shown_dict

IMMUTABLE = (
    CellType,
    Fraction,
    int,
    float,
    complex,
    str,
    bytes,
    np.generic,
    type(None),
    type,
    ModuleType,
    BuiltinFunctionType,
    np.ufunc,
    CodeType,
    Generator,
)
"""What is a number, or nothing, or a shared variable, whose place is found by the variable itself."""

PLACELESS: Any = (*IMMUTABLE, *POSITIONAL)
"""These, and iterators, whose cotangent by position belongs to the variable that holds them."""


class Held:
    """A thing as it was when it was described: itself, its class's family, and what it held."""

    def __init__(self, owner: Any, form: str) -> None:
        self.owner = owner
        self.form = form  # "list", "dict", "set", "object" or "function"; "values" or "items" of a dict
        self.items: dict[Any, Any] = {}


def described(value: Any, known: dict[int, Held | None] | None = None) -> Any:
    """What a value consists of now: arrays stand for themselves, tuples are tuples of descriptions,
    and all that can be changed becomes a `Held`; None where there is nothing to be found.

    Requires: `known` holds what is being described already.
    """
    value = value._fields_ if type(value) is Record else shown_dict(without_super(value))
    if (isinstance(value, PLACELESS) and not is_method(value)) or is_marked(type(value), "__zygpy_inert__"):
        return None
    if isinstance(value, np.ndarray):
        if not holds_objects(value):
            return value
        value = base_of(value)
    if known is None:
        known = {}
    if isinstance(value, tuple):
        check_beside_items(value)
        return tuple([described(item, known) for item in value])
    if id(value) in known:
        return known[id(value)]
    form = form_of(value)
    held = Held(table_of(value) if form in VIEWS else value, form)
    known[id(value)] = held
    for key, item in content_of(held.owner, form):
        held.items[key] = described(item, known)
    return held


def described_arguments(values: Iterable[Any]) -> tuple[Any, ...]:
    """What each of some values consists of now, and of a shared variable among them what is in it.

    >>> reading = lambda array: lambda: array
    >>> [what.items for what in described_arguments(reading(np.ones(1)).__closure__)]
    [{'cell_contents': array([1.])}]
    """
    known: dict[int, Held | None] = {}
    return tuple(
        [
            _in_variable(value, known) if type(value) is CellType else described(value, known)
            for value in values
        ]
    )


def _in_variable(cell: CellType, known: dict[int, Held | None]) -> Held | None:
    if not is_bound(cell):
        return None
    held = Held(cell, CELL)
    held.items["cell_contents"] = described(cell.cell_contents, known)
    return held


CELL = "cell"
"""The form of a variable that functions share, whose own cotangent stays in the store."""


def things_inside(what: Any) -> list[Any]:
    """What the cotangents of all that a described thing holds are found by."""
    found: list[Any] = []
    waiting, seen = list(what.items.values()), [id(what)]
    while waiting:
        part = waiting.pop()
        if isinstance(part, np.ndarray):
            found.append(base_of(part))
        elif isinstance(part, tuple):
            waiting += part
        elif part is not None and id(part) not in seen:
            seen.append(id(part))
            found.append(part.owner if part.form == "list" else place_of(part.owner))
            waiting += part.items.values()
    return found


def undescribed(known: dict[int, Held | None]) -> dict[int, Held | None]:
    """The same things, of which nothing is to be found."""
    return dict.fromkeys(known)


def is_method(value: Any) -> bool:
    """Whether a value is a method that is not written in Python, bound to what it is a method of."""
    owner = value.__self__ if isinstance(value, BuiltinFunctionType) else None
    return not isinstance(owner, type(None) | type | ModuleType)


VIEWS = ("values", "items")
"""Views of dicts, whose cotangents are dicts by position."""


def by_key(form: str, keys: list[Any], bars: Any) -> dict[Any, Any]:
    """The cotangents of a dict's values from that of a view of them.

    >>> by_key("items", ["a", "b"], {1: (None, 2.0)})
    {'b': 2.0}
    """
    return {keys[place]: bar[1] if form == "items" else bar for place, bar in bars.items()}


def by_position(form: str, keys: list[Any], bars: dict[Any, Any]) -> dict[int, Any]:
    """The cotangent of a view of a dict from those of the dict's values.

    >>> by_position("items", ["a", "b"], {"b": 2.0})
    {1: (None, 2.0)}
    """
    places = {key: place for place, key in enumerate(keys)}
    return {places[key]: (None, bar) if form == "items" else bar for key, bar in bars.items()}


def form_of(value: Any) -> str:
    """What sort of thing a value is."""
    if isinstance(value, np.ndarray):
        return "list"
    if isinstance(value, CONTAINERS):
        if own_fields(value):
            raise holds_items_and_fields(value)
        return "dict" if isinstance(value, dict) else "list"
    if isinstance(value, RE_ITERABLE):
        return "items" if isinstance(value, type({}.items())) else "values"
    if is_set(value):
        return "set"
    return "function" if is_function_like(type(value)) else "object"


def content_of(value: Any, form: str) -> list[tuple[Any, Any]]:
    """The keys of a thing and what it has there."""
    if form == "list":
        return list(enumerate(elements(value) if isinstance(value, np.ndarray) else items_of(value)))
    if form == "dict" or form in VIEWS:
        return list(native(value, "items")())
    if form == "set":
        return [(item, item) for item in value]
    if form == "function":
        return carried_by(value)
    return fields_of(value)


def carried_by(function: Any) -> list[tuple[str, Any]]:
    """What a function carries, under the names that its cotangent has for it: captured variables that are
    bound, the object of a bound method, the arguments of a partial one, the stash of a pullback."""
    if isinstance(function, METHODS):
        return [("__self__", function.__self__)]
    if isinstance(function, functools.partial):
        places = [(position(place), arg) for place, arg in enumerate(function.args)]
        return [(FUNCTION, function.func), *places, *function.keywords.items()]
    if not isinstance(function, FunctionType):
        return [("stash", function.stash)]
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return [(name, cell.cell_contents) for name, cell in cells if is_bound(cell)]


def is_callable(value: Any) -> bool:
    """Whether a value is a function that may carry something."""
    return is_function_like(type(value))


def is_bound(cell: Any) -> bool:
    """Whether a captured variable has a value."""
    try:
        cell.cell_contents  # noqa: B018  (reading it is the question)
    except ValueError:
        return False
    return True


def place_of(owner: Any) -> Any:
    """What the fields of a thing are found by: the dict that they are in, by which a module's functions
    and `vars` know them too."""
    return owner if isinstance(owner, dict) else place_of_fields(owner)


def place_of_fields(owner: Any) -> Any:
    """The same of a thing that may be a dict with fields."""
    if isinstance(owner, CellType | type) or type(owner) is dict or not type(owner).__dictoffset__:
        return owner
    return owner.__dict__


def refuse_late(name: str) -> NoReturn:
    """Refuse the cotangent of a variable that came in too late."""
    raise UnsupportedSyntaxError(
        f"a function that reads '{name}' is called when what binds '{name}' has returned.",
        why=f"'{name}' is bound anew after the function was made and stored, and the gradient belongs to "
        "what it is bound to last",
        instead=f"bind '{name}' where the function is made (`lambda {name}={name}: ...`), or return the "
        "function",
    )


def _in_items(value: Any, bar: Any) -> Any:
    """The cotangent of a tuple or list by its items, where a function took it for an array."""
    taken_for_one = isinstance(bar, np.ndarray) and bar.ndim and isinstance(value, (tuple, *SEQUENCES))
    return list(bar) if taken_for_one else bar


class Store:
    """Cotangents by thing and place, in the course of one call of `back`."""

    __zygpy_stateful__ = ()

    def __init__(self) -> None:
        self.memory = Memory()
        self.owned: dict[int, Any] = {}
        self.rebound: set[int] = set()
        self.lists: dict[int, Any] = {}
        self.places: dict[int, Any] = {}
        self.objects = self.memory.wholes

    # -- lists: one entry for each item that the list has at the mirrored point

    def entries(self, owner: Any, length: int) -> list[Any]:
        """The cotangents of a list's items, None where nothing has come in, to be changed in place."""
        if id(owner) not in self.lists:
            self.lists[id(owner)] = (owner, [None] * length)
        found: list[Any] = self.lists[id(owner)][1]
        return found

    def add_entries(self, owner: Any, added: Any) -> None:
        """Add to the cotangents of all items of a list."""
        if added is not None:
            entries = self.entries(owner, len(added))
            for position in range(len(added)):
                entries[position] = accumulate(entries[position], added[position])

    def add_entry(self, owner: Any, length: int, index: int, added: Any) -> None:
        """Add to the cotangent of one item of a list."""
        if added is not None:
            entries = self.entries(owner, length)
            entries[index] = accumulate(entries[index], added)

    def take_entry(self, owner: Any, index: int) -> Any:
        """The cotangent of a number that is stored in a list here; before that there is none."""
        if self.objects:
            self.memory.check_apart(owner)
        if id(owner) not in self.lists:
            return 0.0
        entries = self.lists[id(owner)][1]
        bar = entries[index]
        entries[index] = None
        return 0.0 if bar is None else bar

    def take_last_entry(self, owner: Any) -> Any:
        """The cotangent of a number that is appended to a list here; before that there is no such item."""
        if self.objects:
            self.memory.check_apart(owner)
        if id(owner) not in self.lists:
            return 0.0
        bar = self.lists[id(owner)][1].pop()
        return 0.0 if bar is None else bar

    def take_place(self, owner: Any, index: int) -> Any:
        """The cotangent of what is stored in a list here, None if nothing has come in."""
        if id(owner) not in self.lists:
            return None
        entries = self.lists[id(owner)][1]
        bar = entries[index]
        entries[index] = None
        return bar

    def take_last_place(self, owner: Any) -> Any:
        """The cotangent of what is appended to a list here, None if nothing has come in."""
        return self.lists[id(owner)][1].pop() if id(owner) in self.lists else None

    def put_back(self, owner: Any, length: int, index: int, bar: Any) -> None:
        """Add the cotangent of an item that is taken out of a list here, which has so many others."""
        if bar is not None or id(owner) in self.lists:
            entries = self.entries(owner, length)
            entries.insert(index if index >= 0 else length + 1 + index, bar)

    def replace_entries(self, owner: Any, entries: list[Any]) -> None:
        """Set the cotangents of all items of a list that has these before."""
        self.lists[id(owner)] = (owner, entries)

    def take_entries(self, owner: Any) -> Any:
        """The cotangents of the items of a list that was made here; None if nothing has come in."""
        if self.objects:
            self.memory.check_apart(owner)
        if id(owner) not in self.lists:
            return None
        return self.lists.pop(id(owner))[1]

    # -- dicts, objects, cells, modules: an entry for each key

    def keys(self, owner: Any) -> dict[Any, Any]:
        """The cotangents of what a thing has by name or key, to be changed in place."""
        place = place_of(owner)
        if id(place) not in self.places:
            self.places[id(place)] = (place, {})
        found: dict[Any, Any] = self.places[id(place)][1]
        return found

    def add_key(self, owner: Any, key: Any, added: Any) -> None:
        """Add to the cotangent of what a thing has under a key."""
        if added is not None:
            keys = self.keys(owner)
            keys[key] = accumulate(keys.get(key), added)

    def add_to_field(self, owner: Any, name: str, added: Any) -> None:
        """Add to the cotangent of a number in a field of an object."""
        fields = getattr(owner, "__dict__", owner)
        if id(fields) not in self.places:
            self.places[id(fields)] = (fields, {})
        bars = self.places[id(fields)][1]
        before = bars.get(name)
        bars[name] = added if before is None else before + added

    def field(self, owner: Any, name: str) -> Any:
        """The cotangent of a number in a field of an object."""
        fields = getattr(owner, "__dict__", owner)
        if id(fields) not in self.places:
            return 0.0
        bar = self.places[id(fields)][1].get(name)
        return 0.0 if bar is None else bar

    def take_field(self, owner: Any, name: str) -> Any:
        """The cotangent of a number that is stored in a field here; before that there is none."""
        fields = getattr(owner, "__dict__", owner)
        if self.objects:
            self.memory.check_apart(fields)
        if id(fields) not in self.places:
            return 0.0
        bar = self.places[id(fields)][1].pop(name, None)
        return 0.0 if bar is None else bar

    def add_keys(self, owner: Any, added: Any) -> None:
        """Add to the cotangents of what a thing has under several keys."""
        if added is not None:
            for key in list(added):
                self.add_key(owner, key, added[key])

    def take_key(self, owner: Any, key: Any) -> Any:
        """The cotangent of what is stored under a key here; before that there is none."""
        place = place_of(owner)
        if self.objects:
            self.memory.check_apart(place)
        if id(place) not in self.places:
            return None
        return self.places[id(place)][1].pop(key, None)

    def take_keys(self, owner: Any) -> Any:
        """The cotangents of all that a thing has which was made here; None if nothing has come in."""
        place = place_of(owner)
        if self.objects:
            self.memory.check_apart(place)
        if id(place) not in self.places:
            return None
        return self.places.pop(id(place))[1]

    def check_inert(self, error: Any) -> None:
        """Refuse cotangents of what came in an exception that was not made by recorded code."""
        place = place_of(error)
        if error is not None and id(place) in self.places:
            for bar in self.places[id(place)][1].values():
                check_exception_is_inert(bar)

    # -- objects whose cotangents are objects too, as rules that users declare may give them

    def add_object(self, what: Held, added: Any) -> None:
        """Add to the cotangent of an object as a whole, of which what it holds has its part."""
        place = place_of_fields(what.owner)
        if id(place) in self.objects:
            added = accumulate(self.objects[id(place)][1], added)
        else:
            for thing in things_inside(what):
                self.memory.hold(thing, place)
        self.objects[id(place)] = (place, added, type(what.owner))

    def take_object(self, owner: Any) -> Any:
        """The cotangent of an object as a whole; None if nothing has come in."""
        place = place_of_fields(owner)
        return self.objects.pop(id(place))[1] if id(place) in self.objects else None

    # -- variables that functions share

    def add_cell(self, cell: Any, added: Any) -> None:
        """Add to the cotangent of a variable that functions share."""
        self.add_key(cell, "cell_contents", added)

    def take_cell(self, cell: Any) -> Any:
        """The cotangent of a shared variable that is bound here."""
        self.rebound.add(id(cell))
        return self.take_key(cell, "cell_contents")

    def own(self, cell: Any) -> None:
        """Let `route` send contributions to this cell here."""
        self.owned[id(cell)] = cell
        self.rebound.discard(id(cell))

    def route(self, value: Any, bar: Any) -> Any:
        """What is left of a value's cotangent when functions' shares of the owned cells are taken out."""
        if bar is None or not self.owned:
            return bar
        if isinstance(value, tuple | list) and isinstance(bar, tuple | list):
            routed = [self.route(item, part) for item, part in zip(items_of(value), bar, strict=True)]
            return tuple(routed) if isinstance(bar, tuple) else routed
        if isinstance(value, dict) and isinstance(bar, dict):
            return {key: self.route(native(value, "get")(key), part) for key, part in bar.items()}
        return self.without_cells(value, bar) if isinstance(bar, dict) and is_callable(value) else bar

    def without_cells(self, function: Any, bar: Any) -> Any:
        """What is left of a function's cotangent when its shares of the owned cells are taken out, and of
        those that it was given: they belong to what is in the cells at this point."""
        cells = cells_of(function)
        given = given_names(function)
        held = dict(carried_by(function))
        left = {}
        for name in list(bar):
            part = self.route(held.get(name), bar[name])
            if name in given or (name in cells and id(cells[name]) in self.owned):
                self.add_cell(cells[name], part)
            else:
                left[name] = part
        return left

    def route_stored(self, value: Any, bar: Any) -> Any:
        """The same where a value is stored: what it has of a variable that is bound anew behind that place
        came in when functions were called after those that own the variable."""
        if self.rebound:
            self._check_not_late(value, bar)
        return self.route(value, bar)

    def add_stored(self, value: Any, bar: Any) -> Any:
        """See `add` and `route_stored`."""
        if self.rebound:
            self._check_not_late(value, bar)
        return self.add(value, bar)

    def _check_not_late(self, value: Any, bar: Any) -> None:
        if isinstance(value, tuple | list) and isinstance(bar, tuple | list):
            for item, part in zip(items_of(value), bar, strict=True):
                self._check_not_late(item, part)
        elif isinstance(bar, dict) and (isinstance(value, dict) or is_callable(value)):
            held = value if isinstance(value, dict) else dict(carried_by(value))
            cells = {} if isinstance(value, dict) else cells_of(value)
            for name, part in bar.items():
                place = id(cells.get(name))
                if part is not None and place in self.rebound and place in self.owned:
                    refuse_late(name)
                self._check_not_late(native(held, "get")(name), part)

    # -- values of any kind

    def add(self, value: Any, bar: Any) -> Any:
        """Add a cotangent to that of a value; what belongs to the variable itself is returned."""
        if bar is None or (type(value) is float and type(bar) is float):
            return bar
        value = without_super(value)
        if isinstance(value, np.ndarray):
            self.add_array(value, bar)
            return None
        bar = _in_items(value, bar)
        if isinstance(value, tuple) and isinstance(bar, tuple | list):
            return self.add_items(value, bar)
        if isinstance(value, SEQUENCES) and isinstance(bar, tuple | list):
            self.add_entries(value, self.without_arrays(value, bar))
            return None
        if (isinstance(value, dict) or is_set(value)) and isinstance(bar, dict):
            self.add_keys(value, bar)
            return None
        if isinstance(bar, tuple | list):
            raise UnsupportedSyntaxError(
                f"a {type(value).__name__} is taken apart.",
                why="which of its parts the items came from is not known",
                instead="take a tuple or list of its parts",
            )
        if type(value) is MappingProxyType:
            return self.add(shown(value), bar)
        return self._of_variable(value, bar)

    def _of_variable(self, value: Any, bar: Any) -> Any:
        """What belongs to a variable itself: of an array without axes, which may lie in a cotangent that
        changes, its number."""
        if type(bar) is np.ndarray and bar.ndim == 0:
            return bar[()]
        return self.without_cells(value, bar) if isinstance(bar, dict) and is_callable(value) else bar

    def add_array(self, array: Any, bar: Any) -> None:
        """The same for an array; one of objects has a list, by the places in memory."""
        if holds_objects(array):
            owner = base_of(array)
            self.add_entries(owner, self.without_arrays(elements(owner), bar))
        else:
            self.memory.add(array, bar)

    def without_arrays(self, values: Any, bars: Any) -> list[Any]:
        """What is left of the cotangents of a list's items, by position, when arrays have theirs. (By now
        the list may be longer or shorter, and hold other things.)"""
        left = list(bars)
        for place in range(min(len(left), len(values))):
            bar, value = left[place], values[place]
            if isinstance(bar, np.ndarray) and isinstance(value, np.ndarray):
                left[place] = self.add(value, bar)
            elif isinstance(bar, tuple) and isinstance(value, tuple):
                left[place] = tuple(self.without_arrays(value, bar))
        return left

    def add_items(self, values: Any, bars: Any) -> Any:
        """The same for every item of a tuple or list; None where nothing is left over."""
        left = tuple([self.add(value, bar) for value, bar in zip(values, bars, strict=True)])
        return or_none(left)

    def exchange(self, value: Any, bar: Any) -> Any:
        """The whole cotangent of a value that a call gave: `bar`, and what has come in to its arrays,
        which is taken out."""
        if isinstance(value, np.ndarray):
            return bar if holds_objects(value) else accumulate(self.memory.exchange(value), bar)
        if isinstance(value, tuple):
            bars = (None,) * len(value) if bar is None else bar
            whole = tuple([self.exchange(item, part) for item, part in zip(value, bars, strict=True)])
            return or_none(whole)
        return bar

    def add_element(self, value: Any, length: int, index: int, place: Any, bar: Any) -> Any:
        """Add to the cotangent of one element of what was iterated, when it was so long; `place` is the
        key under which a dict has it."""
        if is_walk(value):
            value.give(index, bar, self)
            return None
        if bar is None:
            return None
        if isinstance(value, SEQUENCES):
            self.add_entry(value, length, index, bar)
            return None
        if isinstance(value, np.ndarray):
            self.add_to_item(value, index, bar)
            return None
        if isinstance(value, np.flatiter):
            add_at(self.memory.view(value.base), np.unravel_index(index, value.base.shape), bar)
            return None
        if isinstance(value, (dict, KEYS, *RE_ITERABLE)) or is_set(value):
            self.add_keyed(value, place, bar)
            return None
        return self.add(value, from_positions({index: bar}, value))

    def add_to_item(self, array: Any, index: int, bar: Any) -> None:
        """The same for what an array has at an index."""
        if holds_objects(array) and array.ndim > 1:
            self.add_array(array[index], bar)
        elif holds_objects(array):
            owner = base_of(array)
            self.add_entry(owner, owner.size, int(places(array)[index]), bar)
        else:
            add_at(self.memory.view(array), index, bar)

    def add_keyed(self, value: Any, place: Any, bar: Any) -> None:
        """The same where elements have no positions: keys of dicts, what views show, elements of sets."""
        if is_set(value):
            self.add_key(value, place, bar)
        elif isinstance(value, RE_ITERABLE):
            pairs = isinstance(value, type({}.items()))
            refuse_key(place, bar[0] if pairs else None)
            self.add_key(table_of(value), place, bar[1] if pairs else bar)
        else:
            refuse_key(place, bar)

    def finish(self, value: Any, count: int) -> None:
        """Reverse the steps of a walk that are behind the iterations which were recorded."""
        if is_walk(value):
            value.give(count, None, self)

    # -- descriptions

    def give(self, what: Any, bar: Any) -> Any:
        """Add the cotangent of a described value; what belongs to the variable itself is returned."""
        if bar is None:
            return None
        if what is None:
            return bar
        if isinstance(what, np.ndarray):
            self.memory.add(what, bar)
            return None
        if isinstance(what, tuple):
            left = tuple([self.give(item, part) for item, part in zip(what, bar, strict=True)])
            return or_none(left)
        return self.give_held(what, bar)

    def seed(self, what: Any, bar: Any) -> Any:
        """The same for what a call gave: arrays and numbers are left over, the content of things is not."""
        if bar is None or what is None or isinstance(what, np.ndarray):
            return bar
        if isinstance(what, tuple):
            left = tuple([self.seed(item, part) for item, part in zip(what, bar, strict=True)])
            return or_none(left)
        return self.give_held(what, bar)

    def give_held(self, what: Held, bar: Any) -> Any:
        """The same for a thing; a function keeps what belongs to its own variables. (What a dict did not
        have under a key has no cotangent.)"""
        if what.form == "list":
            bar = in_order_of_memory(bar, what.owner)
            left = [self.give(what.items[position], bar[position]) for position in range(len(bar))]
            self.add_entries(what.owner, left)
            return None
        if what.form == "object" and not isinstance(bar, dict | Record):
            self.add_object(what, bar)
            return None
        parts = checked_keys(bar._asdict() if isinstance(bar, Record) else bar)
        if what.form in VIEWS:
            parts = by_key(what.form, list(what.items), parts)
        keys = [key for key in parts if what.form != "dict" or key in what.items or key is FACTORY]
        over = {key: self.give(what.items.get(key), parts[key]) for key in keys}
        if what.form == "function":
            return self.without_cells(what.owner, over)
        self.add_keys(what.owner, over)
        return None

    def withdraw(self, what: Any, bar: Any, cells: Any = True) -> Any:
        """The whole cotangent of a described value that was made here, taken out of the store; with `cells`,
        also that of variables which functions share."""
        return self.taken_out(what, bar, {}, cells)

    def taken_out(self, what: Any, bar: Any, seen: dict[int, bool], cells: Any) -> Any:
        """The same; of a thing that was `seen` before, all is taken out but what a place has of its own that
        holds the thing."""
        if what is None:
            return bar
        if isinstance(what, np.ndarray):
            return accumulate(self.memory.exchange(what), bar)
        if isinstance(what, tuple):
            bars = (None,) * len(what) if bar is None else bar
            whole = [self.taken_out(what[place], bars[place], seen, cells) for place in range(len(what))]
            return or_none(tuple(whole))
        if id(what) in seen:
            return bar
        seen[id(what)] = True
        return self.withdraw_held(what, bar, seen, cells)

    def withdraw_held(self, what: Held, bar: Any, seen: dict[int, bool], cells: Any) -> Any:
        """The same for a thing."""
        if what.form == CELL:
            content = what.items["cell_contents"]  # functions there leave theirs in the store, by their cells
            self.add_cell(what.owner, self.taken_out(content, None, seen, False))
            return bar
        if what.form == "list":
            entries = self.entries(what.owner, len(what.items))
            whole = [self.taken_out(what.items[place], entries[place], seen, cells) for place in what.items]
            self.take_entries(what.owner)
            return or_none(whole)
        object_bar = self.take_object(what.owner) if self.objects else None
        keys = self.take_keys(what.owner) or {}
        for key in list(keys):
            if key not in what.items:  # an exception's arguments, what a `defaultdict` makes values with
                self.add_key(what.owner, key, keys[key])
        items = what.items
        parts = {key: self.taken_out(items[key], keys.get(key), seen, cells) for key in items}
        parts.update({key: self.take_key(what.owner, key) for key in keys if is_kept_by_c(what.owner, key)})
        if what.form in VIEWS:
            parts = by_position(what.form, list(what.items), present(parts) or {})
        if bar is not None:
            parts = accumulate(parts, bar)
        if cells and what.form == "function":
            parts = accumulate(parts, self.shares(what.owner))
        return present(parts) if object_bar is None else accumulate(object_bar, present(parts))

    def shares(self, function: Any) -> dict[str, Any]:
        """The cotangents of the variables that a function shares with others, taken out."""
        cells = cells_of(function)
        return {name: self.take_cell(cells[name]) for name in cells}


def is_kept_by_c(owner: Any, name: Any) -> bool:
    """Whether an object has something under a name that is no field of it: its class keeps that in C. (The
    arguments of an exception are asked for by themselves; what is under a key of a dict is in it.)"""
    if type(name) is not str or isinstance(owner, dict | set | frozenset | BaseException):
        return False
    return isinstance(getattr(type(owner), name, None), GetSetDescriptorType)


def without_super(value: Any) -> Any:
    """A value itself; of what `super()` gives, the object. (A method that names it would have a cell.)"""
    return value.__self__ if type(value) is super else value  # type: ignore[attr-defined]


def or_none(bars: Any) -> Any:
    """The cotangents of several things; None if there are none."""
    for bar in bars:
        if bar is not None:
            return bars
    return None


def present(parts: dict[Any, Any]) -> Any:
    """The entries that are there; None if there are none."""
    kept = {key: part for key, part in parts.items() if part is not None}
    return kept if kept else None
