"""Lists, dicts and arrays that are changed by another name than that by which they are read afterwards."""

# ruff: noqa: SIM105
# `try` is what is tested.

from __future__ import annotations

import collections
import functools
import itertools
import operator
import types
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import zygpy
from zygpy.testing.numeric import slope

AT = (0.7, 0.4)


def apply(function: Any, *args: Any) -> Any:
    return function(*args) if function is not None else None


def store(items: Any, value: Any) -> None:
    items.append(value)


class Holder:
    """Something that has a container in a field."""

    def __init__(self, items: Any) -> None:
        self.items = items

    def note(self, value: Any) -> Any:
        self.items.append(value)
        return self

    def put(self, key: Any, value: Any) -> None:
        self.items[key] = value

    def fail(self, value: Any) -> Any:
        self.items.append(value)
        return int("a")

    def __getitem__(self, value: Any) -> None:
        self.items.append(value)

    def __lshift__(self, value: Any) -> Holder:
        self.items.append(value)
        return self

    def __call__(self, value: Any) -> None:
        self.items.append(value)


class Computing(Holder):
    def __init__(self, items: Any, value: Any) -> None:
        super().__init__(items)
        self.value = value

    @property
    def noted(self) -> int:
        self.items.append(self.value)
        return 1


class Other(Computing):
    @property
    def noted(self) -> int:
        self.items.append(self.value * 2.0)
        return 2


class Answering(Holder):
    def __getattr__(self, name: str) -> Any:
        if name == "noted":
            self.items.append(2.0)
            return 1
        raise AttributeError(name)


class Describing:
    def __get__(self, owner: Any, cls: Any) -> int:
        owner.items.append(owner.value)
        return 1


class Described:
    noted = Describing()

    def __init__(self, items: Any, value: Any) -> None:
        self.items, self.value = items, value


class Made:
    def __new__(cls, items: Any, value: Any) -> Any:
        items.append(value)
        return super().__new__(cls)


class Node:
    def __init__(self, value: Any, *children: Any) -> None:
        self.value, self.children = value, children


def walk(node: Any, visit: Any) -> None:
    visit(node)
    for child in node.children:
        walk(child, visit)


# ----------------------------------------------------------- what is stored has a gradient


def callback(x: Any, y: Any) -> Any:
    found = [None]

    def put(place: Any) -> None:
        found[0] = x * y

    apply(put, 0)
    return found[0] * found[0]  # type: ignore[operator]


def bound_method(x: Any, y: Any) -> Any:
    found = ["text"]
    apply(found.append, x * y)
    return found[-1] * x  # type: ignore[operator]


def by_key(x: Any, y: Any) -> Any:
    table: dict[str, Any] = {"k": None}
    sorted([2, 1], key=lambda q: (table.update(k=x * y), q)[1])
    return table["k"] * x


def by_reduce(x: Any, y: Any) -> Any:
    flags = [True, False]
    functools.reduce(lambda a, q: flags.append(x * y), [1, 2])
    return flags[-1] * y


def visitor(x: Any, y: Any) -> Any:
    best = [None]
    shelf = {"best": best}

    def visit(node: Any) -> None:
        held: Any = shelf["best"]
        if held[0] is None or node.value > held[0]:
            held[0] = node.value

    walk(Node(x, Node(y), Node(x * y)), visit)
    return best[0] ** 2  # type: ignore[operator]


def words(x: Any, y: Any) -> Any:
    first = ["a", "b"]
    second: Any = first
    second.insert(0, x * y)
    return first[0] * first[0]  # type: ignore[operator]


def keys(x: Any, y: Any) -> Any:
    first = list({"a": 1})
    box = [first]
    box[0][0] = x * y  # type: ignore[call-overload]
    return first[0] * x  # type: ignore[operator]


def properties(x: Any, y: Any) -> Any:
    found: list[Any] = [None]
    for each in (Computing(found, x * y), Other(found, x)):
        each.noted  # noqa: B018
    return found[1] * found[2]


def properties_in_arrays(x: Any, y: Any) -> Any:
    found = np.zeros(2)
    for each in (Setting(found, 0, x * y), OtherSetting(found, 1, x)):
        each.set  # noqa: B018
    return found[0] * found[1]


class Setting:
    def __init__(self, array: Any, place: int, value: Any) -> None:
        self.array, self.place, self.value = array, place, value

    @property
    def set(self) -> None:
        self.array[self.place] = self.value


class OtherSetting(Setting):
    @property
    def set(self) -> None:
        self.array[self.place] = self.value * 2.0


def add_to_first(arrays: Any, value: Any) -> None:
    arrays[0] += value


def items_that_are_arrays(x: Any, y: Any) -> Any:
    first, second = np.zeros(2), np.zeros(2)
    add_to_first([first], x * y)
    add_to_first({0: second}, np.array([x, y]))
    return (first * second).sum() + second[1] * x


def descriptor(x: Any, y: Any) -> Any:
    found: list[Any] = []
    Described(found, x * y).noted  # noqa: B018
    return found[0] * found[0] + y


# --------------------------------------------------------- what is stored has no gradient


def recorder(x: Any, y: Any) -> Any:
    log: list[Any] = []
    Holder(log).note(3.0)
    return log[0] * y


def rows(x: Any, y: Any) -> Any:
    row: list[Any] = []
    inside = [row, []]
    store(inside[0], 2.0)
    return row[0] * x


def two_sorts(x: Any, y: Any) -> Any:
    found: list[Any] = []
    for each in (Computing(found, 2.0), Other(found, 3.0)):
        each.noted  # noqa: B018
    return found[0] * x + found[1] * y


def operators(x: Any, y: Any) -> Any:
    found: list[Any] = []
    holder = Holder(found)
    holder << 2.0
    holder[3.0]
    holder(4.0)
    return found[0] * x + found[1] * y + found[2] * x


def attributes(x: Any, y: Any) -> Any:
    found: list[Any] = []
    Answering(found).noted  # noqa: B018
    return found[0] * y


def construction(x: Any, y: Any) -> Any:
    found: list[Any] = []
    Made(found, 3.0)
    return found[0] * y


def lazily(x: Any, y: Any) -> Any:
    found: list[Any] = []
    list(itertools.starmap(store, [(found, 2.0)]))
    list(filter(lambda q: store(found, 3.0), [1]))
    return found[0] * x + found[1] * y


def double(q: Any) -> Any:
    return q * 2.0


def square(q: Any) -> Any:
    return q * q


def fill_slices(items: Any, value: Any) -> None:
    items[:] = [value]
    items[len(items) :] = [value, 2.0]
    items[0:1] += [value * 3.0]


def slices(x: Any, y: Any) -> Any:
    found: list[Any] = []
    fill_slices(found, x * y)
    other: list[Any] = []
    Holder(other).put(slice(0, 0), [2.0])
    return found[0] * found[1] + found[2] * x + found[3] * other[0]


def functions_by_bound_methods(x: Any, y: Any) -> Any:
    queue: Any = collections.deque()
    table: Any = collections.OrderedDict()
    add, add_left, update = queue.append, queue.appendleft, table.update
    weight = x * y
    add(lambda q: q * weight)
    add_left(lambda q: q + weight)
    update(k=lambda q: q * weight * 2.0)
    return queue[0](x) * queue[1](y) + table["k"](x)


def grow(holder: Any, added: Any) -> None:
    holder.items += added


def grown(x: Any, y: Any) -> Any:
    first: list[Any] = []
    same = first
    same += [x * y]
    rows: list[Any] = [[], []]
    for row in rows:
        row += (x, 2.0)
    table: dict[str, Any] = {"a": []}
    inside = table["a"]
    table["a"] += [y]
    grow(Holder(inside), map(square, [x]))
    merged: dict[str, Any] = {}
    again = merged
    again |= {"k": x * y}
    return first[0] * rows[0][0] * rows[1][1] + inside[0] * inside[1] + merged["k"] ** 2


def functions(x: Any, y: Any) -> Any:
    table = {"act": double}
    Holder(table).put("act", square)
    return table["act"](y) + x


def indices(x: Any, y: Any) -> Any:
    chosen: list[Any] = [0]
    Holder(chosen).put(0, [0, 1, 1])
    return np.sum(np.array([x, y])[chosen[0]])


# ------------------------------------------------------------------------- what others find


SHELF: dict[str, Any] = {}
BUFFER: Any = None
STACK: Any = None


def fill(value: Any) -> None:
    BUFFER[0] = value


def push(value: Any) -> None:
    STACK.append(value)


def buffer(x: Any, y: Any) -> Any:
    global BUFFER
    own = np.zeros(2)
    BUFFER = own
    fill(x * y)
    return own[0] ** 2


def stack(x: Any, y: Any) -> Any:
    global STACK
    own = STACK = []
    push(x)
    push(x * y)
    return STACK.pop() ** 2 + own[0] + len(own)


def shelved(x: Any, y: Any) -> Any:
    own = {"k": None}
    SHELF["own"] = own

    def read(table: Any) -> Any:
        shelve(x * y)
        return table["k"] ** 2

    return read(own)


def shelve(value: Any) -> None:
    SHELF["own"]["k"] = value


def namespace(x: Any, y: Any) -> Any:
    global BUFFER
    own = BUFFER = types.SimpleNamespace(value=None)
    set_value(x * y)
    return own.value * own.value


def set_value(value: Any) -> None:
    BUFFER.value = value


class Shelf:
    items: Any = None

    @classmethod
    def take(cls, items: Any) -> None:
        cls.items = items


def reshelve(value: Any) -> None:
    Shelf.items[0] = value


def set_in_a_class(x: Any, y: Any) -> Any:
    first, second = [0.5], np.zeros(2)
    setattr(Shelf, "items", first)  # noqa: B010
    reshelve(x * y)
    Shelf.take(second)
    reshelve(x * x)
    return first[0] ** 2 + second[0]


def read_by_what_is_inside(x: Any, y: Any) -> Any:
    global STACK
    own = STACK = []

    def read() -> Any:
        push(x * y)
        return own[-1] ** 2

    return read() + read()


def dispatch_table(x: Any, y: Any) -> Any:
    table: dict[str, Any] = {}
    table["number"] = lambda n: n[1] * y
    table["sum"] = lambda n: table[n[1][0]](n[1]) + table[n[2][0]](n[2])
    table["product"] = lambda n: table[n[1][0]](n[1]) * table[n[2][0]](n[2])
    tree = ("sum", ("product", ("number", x), ("number", 2.0)), ("number", x))
    return table[tree[0]](tree)


def recursion_through_a_table(x: Any, y: Any) -> Any:
    table: dict[str, Any] = {}

    def fibonacci(n: int) -> Any:
        return y * n if n < 2 else table["fibonacci"](n - 1) + table["fibonacci"](n - 2) * y

    table["fibonacci"] = fibonacci
    return table["fibonacci"](5) * x


def functions_that_index_their_list(x: Any, y: Any) -> Any:
    functions: list[Any] = []
    functions.append(lambda q: q * y)
    functions.append(lambda q: functions[0](q) * y + functions[0](q + 1.0))
    functions.append(lambda q: functions[1](q) * y + functions[0](q + 1.0))
    return functions[-1](x)


# ------------------------------------------------------------------------------- exceptions


def raising(items: Any, value: Any) -> None:
    items[0] = value
    raise ValueError(items)


def endless(items: Any, value: Any) -> None:
    place = 0
    while True:
        items[place] = value * (place + 1)
        place += 1


def checked(items: Any, value: Any) -> Any:
    if value > 1.0:
        return value
    items.append(value)
    raise ValueError(value)


def only_raises(x: Any, y: Any) -> Any:
    own, listed = np.zeros(2), [x]
    for each in (own, listed):
        try:
            raising(each, x * y)
        except ValueError:
            continue
    return own[0] ** 2 + listed[0]


def ends_by_index(x: Any, y: Any) -> Any:
    own = np.zeros(3)
    try:
        endless(own, x * y)
    except IndexError:
        pass
    return (own**2).sum()


def raises_at_times(x: Any, y: Any) -> Any:
    errors: list[Any] = []
    total = 0.0
    for value in (x, y, x * 3.0):
        try:
            total += checked(errors, value)
        except ValueError:
            total -= 1.0
    return total + errors[0] * errors[1]


def stored_where_it_raises(x: Any, y: Any) -> Any:
    own = np.zeros(2)
    same = own
    try:
        set_and_raise(own, x * y)
    except ValueError:
        pass
    return same[0] ** 2 * x


def set_and_raise(array: Any, value: Any) -> int:
    if value < 1.0:
        array[0] = value
        raise ValueError
    return 1


def fails_in_a_field(x: Any, y: Any) -> Any:
    own: list[Any] = []
    try:
        Holder(own).fail(x * y)
    except ValueError:
        pass
    return own[0] ** 2


def in_arguments(x: Any, y: Any) -> Any:
    own = [None]
    try:
        raise KeyError(own)
    except KeyError as error:
        same = error.args[0]
    same[0] = x * y
    return own[0] * own[0]  # type: ignore[operator]


def in_arguments_of_a_callee(x: Any, y: Any) -> Any:
    own = np.zeros(2)
    try:
        raising(own, 1.0)
    except ValueError as error:
        error.args[0][1] = x * y
    return own[1] ** 2 + own[0] * x


# ------------------------------------------------------------------------------------ others


def refilled_indices(x: Any, y: Any) -> Any:
    matrix = np.outer(np.array([x, y]), np.array([x, y]))
    chosen = np.array([0, 1])
    total = matrix[np.ix_(chosen, chosen)].sum()
    chosen[:] = 0
    return total


def bytes_as_numbers(x: Any, y: Any) -> Any:
    total = 0.0
    for number in b"abc":
        total += number * x
    first, second = b"ab"
    return total + b"ab"[1] * y + first * x * second + len(b"abc"[1:]) * x


class Counted:
    def __init__(self) -> None:
        self.times = 0

    @property
    def size(self) -> int:
        self.times += 1
        return 1


def asked_once(x: Any, y: Any) -> Any:
    counted = Counted()
    match counted:
        case Counted(size=1):
            return x * counted.times
    return y


PROGRAMS: list[Callable[[Any, Any], Any]] = [
    *(callback, bound_method, by_key, by_reduce, visitor, words, keys),
    *(properties, properties_in_arrays, items_that_are_arrays, descriptor),
    *(recorder, rows, two_sorts, operators, attributes, construction, lazily, slices),
    *(functions_by_bound_methods, grown, functions, indices),
    *(buffer, stack, shelved, set_in_a_class, read_by_what_is_inside, namespace),
    *(dispatch_table, recursion_through_a_table, functions_that_index_their_list),
    *(only_raises, ends_by_index, raises_at_times, stored_where_it_raises, fails_in_a_field),
    *(in_arguments, in_arguments_of_a_callee),
    *(refilled_indices, bytes_as_numbers, asked_once),
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_value_and_gradient(f: Callable[[Any, Any], Any]) -> None:
    x, y = AT
    expected = [
        slope(lambda t: float(f(x + t, y)), 0.02).value,
        slope(lambda t: float(f(x, y + t)), 0.02).value,
    ]
    value, back = zygpy.pullback(f, x, y)
    assert value == f(x, y)
    for _ in range(2):
        found = [0.0 if bar is None else bar for bar in back(1.0)]
        assert found == pytest.approx(expected, rel=1e-7, abs=1e-9)


def calls_through(copied: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    """A program that calls what is in a list, which the functions in it look at, through copies of it."""

    def through_copies(x: Any, y: Any) -> Any:
        functions: list[Any] = []
        log: list[Any] = []

        def charge(value: Any) -> None:
            log.append(value * y * len(functions))

        functions.append(charge)
        for function in copied(functions):
            function(x)
        for function in copied(functions):
            function(2.0 * x)
        return sum(log)

    return through_copies


NO_FUNCTIONS: list[Any] = []

COPIES: dict[str, Callable[[Any], Any]] = {
    "list": lambda functions: list(functions),
    "tuple": lambda functions: tuple(functions),
    "sum": lambda functions: functions + NO_FUNCTIONS,
    "product": lambda functions: 1 * functions,
    "enumerate": lambda functions: [function for _, function in enumerate(list(functions))],
    "sorted": lambda functions: sorted(functions, key=id),
    "zip": lambda functions: [function for function, _ in zip(tuple(functions), "a", strict=True)],
    "max": lambda functions: [max(list(functions), key=id)],
    "chain": lambda functions: itertools.chain(list(functions), ()),
    "dict": lambda functions: dict(enumerate(functions)).values(),
}


@pytest.mark.parametrize("name", COPIES)
def test_functions_that_look_at_the_list_they_are_in(name: str) -> None:
    x, y = AT
    found = zygpy.gradient(calls_through(COPIES[name]), x, y)
    assert found == pytest.approx((3.0 * y, 3.0 * x), rel=1e-12)


# ----------------------------------------------------------------- what comes to hold itself


class Named(NamedTuple):
    function: Any
    count: int


def in_tuples(x: Any, y: Any) -> Any:
    table: dict[str, Any] = {"number": (1, lambda node: node[1] * y)}
    table["sum"] = (2, lambda node: table[node[1][0]][1](node[1]) + table[node[2][0]][1](node[2]))
    table["product"] = (2, lambda node: table[node[1][0]][1](node[1]) * table[node[2][0]][1](node[2]))
    tree = ("sum", ("number", x), ("product", ("number", 2.0), ("number", x)))
    return table[tree[0]][1](tree)


def in_named_tuples(x: Any, y: Any) -> Any:
    table: dict[str, Any] = {}
    table["a"] = Named(lambda q: y * q if q < 0.2 else table["a"].function(q / 2) + y * q, 2)
    return table["a"].function(x)


def in_dicts(x: Any, y: Any) -> Any:
    table: list[Any] = []
    table.append({"a": lambda q: y * q if q < 0.2 else table[0]["a"](q / 2) + y * table[0]["a"](q / 3)})
    return table[0]["a"](x)


def perhaps_none(x: Any, y: Any) -> Any:
    table: dict[str, Any] = {}
    table["a"] = (lambda q: y * q if q < 0.2 else table["a"](q / 2) + y * q) if x > 0 else None
    return table["a"](x)


def dict_in_itself(x: Any, y: Any) -> Any:
    names: dict[str, Any] = {"a": x}
    names["self"] = names
    names["a"] *= y
    names["b"] = names["self"]["a"] * y
    return names["self"]["self"]["a"] * names["a"] * names["self"]["b"]


def instead_of_none(x: Any, y: Any) -> Any:
    node: dict[str, Any] = {"a": x, "next": None}
    pair: dict[str, Any] = {"node": node, "b": y}
    other: dict[str, Any] = {"a": y, "next": ()}
    node["next"] = pair
    other["next"] = (other, x)
    return node["next"]["node"]["next"]["b"] * node["a"] * other["next"][0]["next"][0]["a"]


def list_in_itself(x: Any, y: Any) -> Any:
    items = [x * y]
    items += [items]  # type: ignore[list-item]
    items.extend((items,))  # type: ignore[arg-type]
    items.insert(0, (items, 1))  # type: ignore[arg-type]
    return items[2][3][0][0][1] * items[1]  # type: ignore[index]


def put_in(names: Any, what: Any) -> None:
    names["self"] = what


def by_a_callee(x: Any, y: Any) -> Any:
    names: dict[str, Any] = {"a": x * y}
    put_in(names, names)
    return names["self"]["self"]["a"] * names["a"] * y


# ----------------------------------------------------------------- functions in what unknown code changes


def by_a_name(x: Any, y: Any) -> Any:
    log: list[Any] = []

    def add() -> None:
        push = log.append
        push(lambda q: q * y)

    apply(add)
    return log[0](x)


def by_a_partial_call(x: Any, y: Any) -> Any:
    log: list[Any] = [[], {}]

    def add() -> None:
        functools.partial(log[0].append, lambda q: q * y)()
        functools.partial(operator.setitem, log[1], 0, lambda q: q * y * y)()

    apply(add)
    return log[0][0](x) * log[1][0](x)


def by_attributes(x: Any, y: Any) -> Any:
    log: list[Any] = []

    def add() -> None:
        getattr(log, "append")(lambda q: q * y)  # noqa: B009
        for name in ("append", "append"):
            getattr(log, name)(lambda q: q * y * y)

    apply(add)
    return log[0](x) * log[2](x)


def by_map(x: Any, y: Any) -> Any:
    log: dict[int, Any] = {}

    def add() -> None:
        list(map(log.__setitem__, [0], [lambda q: q * y]))
        list(map(operator.setitem, [log], [1], [lambda q: q * y * y]))
        list(itertools.starmap(log.setdefault, [(2, lambda q: q + y)]))

    apply(add)
    return log[0](x) * log[1](x) * log[2](x)


def numbers_by_a_name(x: Any, y: Any) -> Any:
    log: list[Any] = [[]]

    def add() -> None:
        push = log[0].append
        push(y)

    apply(add)
    return log[0][0] * x


HOLDING = [
    *(
        in_tuples,
        in_named_tuples,
        in_dicts,
        perhaps_none,
        dict_in_itself,
        instead_of_none,
        list_in_itself,
        by_a_callee,
    ),
    *(by_a_name, by_a_partial_call, by_attributes, by_map, numbers_by_a_name),
]


@pytest.mark.parametrize("f", HOLDING, ids=lambda f: f.__name__)
def test_what_holds_itself_and_what_unknown_code_stores(f: Callable[[Any, Any], Any]) -> None:
    test_value_and_gradient(f)


class Lazy:
    def __getattr__(self, name: str) -> Any:
        self.__dict__[name] = 1
        return 1


def test_attributes_that_are_made_when_a_pattern_asks_are_refused() -> None:
    def f(x: Any) -> Any:
        match Lazy():
            case Lazy(size=1):
                return x
        return 2.0 * x

    with pytest.raises(zygpy.ZygpyError, match="its '__getattr__' may give"):
        zygpy.gradient(f, 1.0)
