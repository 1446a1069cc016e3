"""Corners of what is changed in place: programs that were wrong once, and what is refused."""

from __future__ import annotations

import bisect
import collections
import copy
import re
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.test_identity import POINT, Thing, check
from zygpy import units
from zygpy.testing import check_gradient


def slice_written_from_a_tuple(x, y):
    xs = [x, y, x * y]
    ys = xs
    ys[0:2] = (x * x, y * y, x)
    return xs[0] * 3 + xs[1] * 5 + xs[2] * 7 + ys[-1]


def backward_slice_written(x, y):
    xs = [x, y, x * y, y * y]
    ys, given = xs, [x * x, y * 3]
    ys[::-3] = given
    return xs[0] * 3 + xs[1] * 5 + xs[2] * 7 + ys[-1] * 11


def updated_by_a_dict_that_changes(x, y):
    d, e = {"a": x}, {"b": y * x}
    same = d
    same.update(e)
    e["c"] = x
    first = d["b"] * e["c"]
    del e["b"]
    return first + d["b"] * d["a"]


def starred_name_of_a_list(x, y):
    o = Thing(x)
    a, *rest = [o.x, y, 3.0]
    rest[1] *= a
    o.x = 1.0
    return a * rest[0] * rest[1]


def starred_name_of_an_array(x, y):
    o = Thing(items=np.array([x * y, y, x]))
    a, *rest = o.items
    o.x = 3.0
    return a * rest[0] * rest[1]


class Fields:
    def __init__(self, **fields: Any) -> None:
        for name, value in fields.items():
            setattr(self, name, value)


def made_by_keywords(x, y):
    o = Fields(x=x, z=y * x)
    o.x = o.x * o.z
    return o.x * y


def changes_its_keywords(**given):
    given["a"] = given["a"] * given["b"]
    same = given
    same["c"] = 1.0
    return given["a"] * given["c"]


def keywords_made_for_a_call(x, y):
    o = Thing(x)
    o.x = y
    return changes_its_keywords(a=x, b=y) * o.x


class Doubling:
    def __init__(self, value: Any) -> None:
        self.value = value

    def __mul__(self, other):
        return self.value * other.value * 2

    def __rmul__(self, other):
        return self.value * other.value * 3


class Inheriting(Doubling):
    pass


class Overriding(Doubling):
    def __rmul__(self, other):
        return self.value * other.value * 5


def reflected_only_if_overridden(x, y):
    return Doubling(x) * Inheriting(y) + Doubling(x) * Overriding(y) * x


class Comparing:
    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other):
        return self.value == other.value

    __hash__ = None

    def __call__(self, factor):
        return self.value * factor


def callable_that_can_be_compared(x, y):
    return Comparing(x)(y) * x


class Opened:
    def __init__(self, value: Any) -> None:
        self.value = value

    @classmethod
    def doubled(cls, value):
        return cls(value * 2)


def made_by_a_class_method(x, y):
    return Opened.doubled(x).value * y


def effects_of_mapped_functions(x, y):
    log = []

    def note(v):
        log.append(v * v)

    list(map(note, [x, y]))
    list(filter(lambda v: log.append(v * 3), [x, y]))
    order = sorted([y, x], key=lambda v: log.append(v) or v)
    return log[0] * log[1] + log[2] * log[3] + log[4] * order[0]


class Updating:
    def __init__(self, values: Any) -> None:
        self.values = values

    def update(self, given):
        self.values[0] = self.values[1] * 3
        product = given[0] * given[0]
        self.values[0] = 1.0
        return product + given[1]


def method_given_what_the_object_holds(x, y):
    u = Updating(np.array([x, y]))
    return u.update(u.values)


def extended_by_a_view(x, y):
    o = Thing(items=[x], table={"a": x * x, "b": y})
    o.items.extend(o.table.values())
    return o.items[1] * o.items[2]


def updated_by_pairs(x, y):
    o = Thing(items=[("c", x * y), ("a", y)], table={"a": x * x, "b": y})
    o.table.update(o.items)
    return o.table["c"] * o.table["a"]


class Filled:
    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)


def fields_filled_through_the_dict(x, y):
    return Filled(x=x, z=y).x * y


def fields_read_through_vars(x, y):
    o = Thing(x * y)
    o.y = x
    return vars(o)["x"] * x


class Pair:
    def __init__(self, first: Any) -> None:
        self.first = first

    def __iter__(self):
        return iter([self.first, self.first * 2])


def unpacked_object(x, y):
    pair = Pair(x)
    pair.count = 1
    a, b = pair
    return a * b * y


def object_as_starred_argument(x, y):
    return (lambda a, b: a * b)(*Pair(x)) * y


def object_in_a_display(x, y):
    a, *rest = [*Pair(x), y]
    return a * rest[0] * rest[1]


@pytest.mark.parametrize(
    "function",
    [
        slice_written_from_a_tuple,
        backward_slice_written,
        updated_by_a_dict_that_changes,
        starred_name_of_a_list,
        starred_name_of_an_array,
        made_by_keywords,
        keywords_made_for_a_call,
        reflected_only_if_overridden,
        callable_that_can_be_compared,
        extended_by_a_view,
        updated_by_pairs,
        fields_filled_through_the_dict,
        fields_read_through_vars,
        unpacked_object,
        object_as_starred_argument,
        object_in_a_display,
        made_by_a_class_method,
        effects_of_mapped_functions,
        method_given_what_the_object_holds,
    ],
)
def test_gradients_agree_with_differences(function: Any) -> None:
    expected = function(*POINT)
    assert zg.pullback(function, *POINT)[0] == expected
    step = 1e-6
    for position, bar in enumerate(zg.gradient(function, *POINT)):
        up, down = list(POINT), list(POINT)
        up[position] += step
        down[position] -= step
        assert bar == pytest.approx((function(*up) - function(*down)) / (2 * step), rel=1e-6)


# --------------------------------------------------------- one thing as two arguments, whatever they hold


def first_by_second(a, b):
    a[0] = a[0] * b[1]
    return b[0] * b[0]


@pytest.mark.parametrize("make", [lambda: [2.0, 3.0], lambda: {0: 2.0, 1: 3.0}, lambda: np.array([2.0, 3.0])])
def test_what_is_passed_twice_has_its_cotangent_in_the_first_argument(make: Any) -> None:
    thing = make()
    first, second = zg.gradient(first_by_second, thing, thing)
    assert [first[0], first[1]] == [36.0, 24.0]  # of (a b)^2: 2 a b^2 and 2 a^2 b
    assert second is None or not np.any(second)


def test_arguments_that_overlap() -> None:
    whole = np.array([2.0, 3.0, 5.0])
    first, second = zg.gradient(first_by_second, whole[1:], whole[:2])
    # b = whole[:2] is read as [2, 9] after the write: 2^2
    assert first.tolist() == [0.0, 0.0] and second.tolist() == [4.0, 0.0]


# ------------------------------------------------------------------------ gradients in the types as given


def becomes(value: Any) -> Any:
    def function(o):
        product = o.x * o.y
        o.x = value
        return product

    return function


@pytest.mark.parametrize("value", ["text", True, None, 1j, np.float32(3.0), [1.0]])
def test_a_field_that_becomes_something_else_keeps_its_gradient(value: Any) -> None:
    (bar,) = zg.gradient(becomes(value), Thing(3.0, 4.0))
    assert bar.x == 4.0 and bar.y == 3.0 and type(bar.x) is float


def test_an_array_that_becomes_a_number() -> None:
    def function(o):
        o.x = float(o.x.sum())
        return o.x**2

    (bar,) = zg.gradient(function, Thing(np.array([1.0, 2.0])))
    assert bar.x.tolist() == [6.0, 6.0]


class Private:
    __slots__ = ("__value",)

    def __init__(self, value: Any) -> None:
        self.__value = value

    def squared(self):
        self.__value *= self.__value
        return self.__value


def test_private_slots() -> None:
    (bar,) = zg.gradient(lambda o: o.squared(), Private(3.0))
    assert bar == {"_Private__value": 6.0}


def test_reductions_of_unknown_kind_may_be_the_first() -> None:
    check(lambda o: o.items.prod() * o.items.std(), lambda: [Thing(items=np.array([1.0, 2.0]))])


# ------------------------------------------------------------------------------------------- refusals


class Intercepting:
    def __init__(self, value: Any) -> None:
        self.value = value

    def __getattribute__(self, name):
        found = object.__getattribute__(self, name)
        return found * 2 if name == "value" else found


def attributes_are_intercepted(x, y):
    return Intercepting(x).value * y


def items_of_a_deque(x, y):
    o = Thing(items=collections.deque([x, y]))
    o.x = o.items[0] * o.items[1]
    return o.x


def key_function_with_effects(x, y):
    log = []
    largest = max([x, y], key=lambda v: log.append(v * v) or v)
    return log[0] * log[1] * largest


class Answering:
    def __init__(self, value: Any) -> None:
        self.value = value

    def __lt__(self, other):
        return self.value - other

    def __bool__(self):
        self.value = self.value * 2
        return True

    def __len__(self):
        self.value = self.value * 3
        return 2

    def __contains__(self, value):
        self.value += value
        return True


def answered_by_a_number(x, y):
    return (Answering(x) < y) * 2.0


def truth_that_changes_something(x, y):
    o = Answering(x)
    return o.value * y if o else y


def negation_that_changes_something(x, y):
    o = Answering(x)
    return y if not o else o.value * y


def length_that_changes_something(x, y):
    o = Answering(x)
    return len(o) * o.value * y


def membership_that_changes_something(x, y):
    o = Answering(x)
    return (y in o) * o.value


def key_read_as_a_number(x, y):
    table = {}
    table[x * y] = 1.0
    return next(iter(table)) * y


@pytest.mark.parametrize(
    "function",
    [
        key_function_with_effects,
        truth_that_changes_something,
        negation_that_changes_something,
        length_that_changes_something,
        membership_that_changes_something,
    ],
)
def test_questions_whose_answers_change_something(function: Any) -> None:
    assert zg.pullback(function, *POINT)[0] == function(*POINT)
    check_gradient(function, *POINT)


class Noting:
    """Notes what it holds where code that is not written in Python asks."""

    def __init__(self, value: Any, log: Any) -> None:
        self.value, self.log = value, log

    def note(self):
        self.log.append(self.value)

    def __eq__(self, other):
        self.note()
        return self is other

    def __lt__(self, other):
        self.note()
        return True

    def __hash__(self):
        self.note()
        return 1

    def __index__(self):
        self.note()
        return 1

    def __repr__(self):
        self.note()
        return "thing"

    @property
    def missing(self):
        self.note()
        raise AttributeError("missing")


def compared_by_a_method_of_lists(x, y):
    log = []
    thing = Noting(x, log)
    return [Noting(y, log), thing].index(thing) * log[0] * y


def compared_by_sorting(x, y):
    log = []
    return sorted([Noting(x, log), Noting(y, log)])[0].value * log[0]


def hashed_by_a_set(x, y):
    log = []
    return len({Noting(x, log)}) * log[0] * y


def hashed_by_a_dict(x, y):
    log, table = [], {}
    table[Noting(x, log)] = y
    return log[0] * y


def index_that_changes_something(x, y):
    log = []
    return [1.0, y][Noting(x, log)] * log[0]


def text_of_a_list(x, y):
    log = []
    return len(str([Noting(x, log)])) * log[0] * y


def text_put_together(x, y):
    log = []
    return len("{}".format(Noting(x, log))) * log[0] * y  # noqa: UP032


def attribute_that_is_not_there_after_all(x, y):
    log = []
    return getattr(Noting(x, log), "missing", y) * log[0]


class Reduced:
    def __init__(self, value: Any) -> None:
        self.value = value

    def __reduce__(self):
        return Reduced, (self.value * 2,)


def copy_by_reduction(x, y):
    return copy.copy(Reduced(x)).value * y


def taken_from(items: Any) -> Any:
    return next(items)


class Losing:
    def __init__(self, items: Any) -> None:
        self.items, self.last = iter(items), 1.0

    def __iter__(self):
        return self

    def __next__(self):
        self.last = self.last * 2
        return taken_from(self.items) * self.last


def iteration_ended_from_within(x, y):
    o = Losing([x, y])
    return sum(o) * o.last


class Labelled(list):
    pass


def list_with_fields(x, y):
    values = Labelled([x])
    values.scale = y
    values.append(values.scale * x)
    return values[0] * values[1]


@pytest.mark.parametrize(
    "function",
    [
        attributes_are_intercepted,
        answered_by_a_number,
        compared_by_a_method_of_lists,
        compared_by_sorting,
        hashed_by_a_set,
        hashed_by_a_dict,
        index_that_changes_something,
        text_of_a_list,
        text_put_together,
        attribute_that_is_not_there_after_all,
        key_read_as_a_number,
        copy_by_reduction,
        iteration_ended_from_within,
    ],
)
def test_what_cannot_be_followed_is_refused_with_a_reason(function: Any) -> None:
    with pytest.raises((zg.UnsupportedSyntaxError, zg.MissingRuleError)) as caught:
        zg.gradient(function, *POINT)
    message = str(caught.value)
    assert "Why: " in message and "Instead: " in message
    assert "test_identity_edges.py" in message


class Doubled:
    """A descriptor that is asked only when the field is assigned or deleted."""

    def __set_name__(self, owner, name):
        self.name = name

    def __set__(self, thing, value):
        thing.__dict__[self.name] = value * 2

    def __delete__(self, thing):
        thing.__dict__[self.name] = 1.0


class Measured:
    length = Doubled()
    unit = 2.0

    def __init__(self, length):
        self.length = length


def descriptor_that_only_sets(x, y):
    o = Measured(x)
    o.length = o.length * y
    o.length += x
    return o.length * y


def descriptor_that_deletes(x, y):
    o = Measured(x)
    first = o.length
    del o.length
    return first * y + o.length * x


def field_before_a_value_of_the_class(x, y):
    o = Measured(x)
    before = o.unit * x
    o.unit = y
    return before + o.unit * o.length + Measured.unit * x


@pytest.mark.parametrize(
    "function",
    [descriptor_that_only_sets, descriptor_that_deletes, field_before_a_value_of_the_class],
)
def test_what_stands_in_front_of_a_field(function: Any) -> None:
    assert zg.pullback(function, *POINT)[0] == function(*POINT)
    check_gradient(function, *POINT)


def key_of_a_search_with_effects(x, y):
    log = []
    place = bisect.bisect([1.0, 2.0, 3.0], 1.5, key=lambda v: log.append(x * v) or v)
    place += bisect.bisect_left([1.0, 2.0, 3.0], 2.0, key=lambda v: log.append(y * v) or v)
    return log[0] * log[-1] * place


def key_of_an_insertion_with_effects(x, y):
    log, values = [], [1.0, 2.0, 3.0]
    bisect.insort(values, x, key=lambda v: log.append(v * y) or v)
    return sum(k * v for k, v in enumerate(values)) * log[0] + log[-1]


@pytest.mark.parametrize("function", [key_of_a_search_with_effects, key_of_an_insertion_with_effects])
def test_what_the_key_of_a_search_does(function: Any) -> None:
    assert zg.pullback(function, *POINT)[0] == function(*POINT)
    check_gradient(function, *POINT)


@pytest.mark.parametrize("substitute", [lambda: re.sub, lambda: [re.sub][0]])
def test_what_a_substitution_does_is_refused(substitute: Any) -> None:
    def logs(x):
        log = []
        substitute()("a", lambda match: log.append(x * x) or "b", "aa")
        return log[0] * x

    with pytest.raises(zg.UnsupportedSyntaxError, match="sub"):
        zg.gradient(logs, 1.5)


@pytest.mark.parametrize("function", [items_of_a_deque, list_with_fields])
def test_containers_of_other_classes(function: Any) -> None:
    check_gradient(function, *POINT)


# -------------------------------------------------------------------- variables that closures share


def doubled(w: Any) -> Any:
    w = w * 1.0

    def outer(v: Any) -> Any:
        def inner(z: Any) -> Any:
            return z * w

        return inner(v)

    return outer


def counting(total: Any) -> Any:
    def add(v: Any) -> Any:
        nonlocal total
        total = total * v
        return total

    return add


def test_shared_variables_are_part_of_a_closure_s_gradient() -> None:
    assert zg.gradient(lambda f: f(2.0), doubled(3.0)) == ({"w": 2.0},)
    assert zg.gradient(lambda f, g: f(2.0) * g(3.0), doubled(3.0), counting(2.0)) == (
        {"w": 12.0},
        {"total": 18.0},
    )
    assert zg.gradient(lambda f, v: Thing(f).x(v), doubled(3.0), 2.0) == ({"w": 2.0}, 3.0)


# ------------------------------------------------------ what was taken apart is changed before the end


def product(p, q):
    return p * q


def unpacked_and_then_longer(x, y):
    o = Thing(items=[x, y * x])
    a, b = o.items
    o.items.append(a * b)
    return a * b * o.items[2]


def unpacked_and_then_another_kind(x, y):
    o = Thing(items=[x, y * x])
    a, b = o.items
    o.items[0] = np.array([a, b])
    return a * b * o.items[0].sum()


def passed_in_parts_and_then_changed(x, y):
    o = Thing(items=[x, y * x], table={"p": x, "q": y * x})
    first = product(*o.items)
    second = product(**o.table)
    o.items[0] = np.array([first, y])
    o.items.append(3.0)
    o.table["p"] = np.array([first, y])
    o.table["z"] = 3.0
    return first * o.items[0].sum() + second * o.table["p"].sum()


def displayed_and_then_cleared(x, y):
    o = Thing(items=[x, y * x])
    values = [*o.items, x]
    o.items.clear()
    return values[0] * values[1] * values[2]


@pytest.mark.parametrize(
    "function",
    [
        unpacked_and_then_longer,
        unpacked_and_then_another_kind,
        passed_in_parts_and_then_changed,
        displayed_and_then_cleared,
    ],
)
def test_parts_belong_to_what_was_there(function: Any) -> None:
    test_gradients_agree_with_differences(function)


# ------------------------------------------ functions that are called for what a function given to them does


def calling(function, count):
    for k in range(count):
        function(k + 1.0)
    return count


def list_filled_by_a_function_that_is_called_elsewhere(x, y):
    log = []
    count = calling(lambda v: log.append(x * v), 2)
    return log[1] * y * count


def variable_changed_by_a_function_that_is_called_elsewhere(x, y):
    total = 0.0

    def add(v):
        nonlocal total
        total += x * v

    calling(add, 3)
    return total * y


@pytest.mark.parametrize(
    "function",
    [
        list_filled_by_a_function_that_is_called_elsewhere,
        variable_changed_by_a_function_that_is_called_elsewhere,
    ],
)
def test_functions_called_for_what_they_do(function: Any) -> None:
    assert zg.pullback(function, *POINT)[0] == function(*POINT)
    check_gradient(function, *POINT)


class Counting:
    """An object that keeps what it has computed, and counts."""

    def __init__(self) -> None:
        self.cache: dict[int, np.ndarray] = {}
        self.calls: list[int] = []
        self.w = np.array([1.0, 2.0, 3.0])

    def weights(self, n: int) -> np.ndarray:
        if n not in self.cache:
            self.cache[n] = np.ones(n)
        self.calls.append(n)
        return self.cache[n]

    def predict(self, x: Any) -> Any:
        return np.sum(self.weights(3) * x * self.w)

    def __call__(self, x: Any) -> Any:
        self.last = x * 2.0
        return self.predict(x)


COUNTING = Counting()


@pytest.mark.parametrize("specialise", [True, False])
def test_global_objects_that_keep_things_for_themselves(specialise: bool) -> None:
    def after(x: Any) -> Any:
        return COUNTING(x) * 0.0 + np.sum(COUNTING.last)

    programs = (
        lambda x: COUNTING.predict(x),
        lambda x: COUNTING(x),
        lambda x: COUNTING.__call__(x),
        COUNTING.predict,
        COUNTING,
    )
    x = np.ones(3)
    with units.options(specialise=specialise):
        for program in programs:
            COUNTING.cache.clear()
            COUNTING.calls.clear()
            for count in (1, 2):
                assert zg.gradient(program, x)[0].tolist() == [1.0, 2.0, 3.0]
                assert COUNTING.calls == [3] * count and list(COUNTING.cache) == [3]
        assert zg.gradient(after, x)[0].tolist() == [2.0, 2.0, 2.0]
