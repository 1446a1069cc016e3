"""What a call stores in a global object, list, dict or array counts where it is read by the global's name."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pytest

import zygpy as zg
from zygpy import units


class Model:
    kept: ClassVar[list[Any]] = []
    of_class: ClassVar[Any] = None

    def __init__(self) -> None:
        self.table: dict[str, Any] = {}
        self.rows: list[Any] = []
        self.last: Any = None
        self.w = np.ones(3)

    def keep(self, x: Any) -> Any:
        self.last = x * 2.0
        return np.sum(self.last)

    def keep_further_in(self, x: Any) -> Any:
        return self.keep(x) + self.count(3)

    def count(self, n: int) -> int:
        self.rows.append(n)
        return n

    def keep_in_table(self, x: Any) -> Any:
        self.table["k"] = x * 2.0

    def keep_in_rows(self, x: Any) -> Any:
        self.rows.append(x * 2.0)

    def scale(self, x: Any) -> Any:
        self.w *= 2.0 * x

    def keep_in_class_too(self, x: Any) -> Any:
        self.__class__.kept.append(x * 2.0)

    def keep_by_type(self, x: Any) -> Any:
        type(self).of_class = x * 2.0  # type: ignore[attr-defined]

    def __call__(self, x: Any) -> Any:
        return self.keep_further_in(x)


class Indexed(Model):
    def __getitem__(self, x: Any) -> Any:
        return self.keep(x)

    def __add__(self, x: Any) -> Any:
        return self.keep(x)

    def __iadd__(self, x: Any) -> Any:
        self.last = x * 2.0
        return self

    def __contains__(self, x: Any) -> bool:
        self.last = x * 2.0
        return True


MODEL, INDEXED = Model(), Indexed()
MODELS = {"a": MODEL}
FOUND: dict[str, Any] = {}
"""Has the things above in it when the programs run, and nothing when they are looked at before."""
ROWS: list[Any] = [[0.0]]
ARRAY = np.zeros(3)
TABLE: dict[str, Any] = {}
SPACE: Any = types.ModuleType("space")


def put_attribute(thing: Any, x: Any) -> None:
    thing.last = x * 2.0


def put_item(thing: Any, x: Any) -> None:
    thing[0] = x * 2.0


def put_slice(thing: Any, x: Any) -> None:
    thing[:] = x * 2.0


def put_key(thing: Any, x: Any) -> None:
    thing["k"] = x * 2.0


def put_further_in(thing: Any, x: Any) -> None:
    put_attribute(thing, x)


def last() -> Any:
    return MODEL.last


def of_several(x: Any) -> Any:
    for model in [MODEL]:
        model.keep_further_in(x)
    return np.sum(MODEL.last)


def by_a_variable(x: Any) -> Any:
    model = MODEL
    model.keep_further_in(x)
    return np.sum(MODEL.last)


def in_place(x: Any) -> Any:
    MODEL.w = np.ones(3)
    MODEL.scale(x)
    return np.sum(MODEL.w)


def views_of_what_is_changed(x: Any) -> Any:
    """What was read from an array, before a view of it was stored outside and changed there."""
    a = x * 3.0
    part = a[::-1]
    w = a * x[0]
    r = w
    for _ in range(2):
        TABLE["a"] = part
        r = TABLE["a"]
        r -= w
        w *= x[1]
    return r @ part + w[0]


def operator_in_place(x: Any) -> Any:
    thing = INDEXED
    thing += x
    return np.sum(INDEXED.last)


def found() -> Any:
    return FOUND["model"]


class Keeping:
    def __init__(self, model: Any, x: Any) -> None:
        self.model, self.x = model, x

    def __enter__(self) -> None:
        self.model.keep(self.x)

    def __exit__(self, *error: object) -> None:
        return None


def kept_in_a_with(x: Any) -> Any:
    with Keeping(FOUND["model"], x):
        pass
    return np.sum(MODEL.last)


def kept_before_an_exception(x: Any) -> Any:
    try:
        FOUND["model"].keep(x)
        raise KeyError
    except KeyError:
        pass
    return np.sum(MODEL.last)


def keeping(model: Any, x: Any) -> Any:
    model.keep(x)
    yield 1


def put_into_what_is_found(x: Any) -> Any:
    FOUND["array"][:] = x * 2.0
    return np.sum(ARRAY)


def filled(x: Any) -> Any:
    FOUND["array"].fill(x[0] * 2.0 / 3.0)
    ARRAY[1:] += FOUND["array"][0]
    ARRAY[:] = ARRAY * 0.0 + x * 2.0
    return np.sum(ARRAY)


def in_each_class(x: Any) -> Any:
    for cls in (Model, Indexed):
        cls.of_class = x * 1.0
    return np.sum(Model.of_class + Indexed.of_class)


def in_one_of_two(x: Any) -> Any:
    thing: Any = SPACE if x[0] > 0.0 else last
    thing.last = x * 2.0
    return np.sum(SPACE.last)


def by_all(x: Any) -> Any:
    for model in FOUND["models"]:
        model.keep(x)
    return np.sum(MODEL.last)


def put_of_all(*things: Any) -> None:
    put_slice(things[0], things[1])


def put_of_keywords(**things: Any) -> None:
    put_slice(things["a"], things["x"])


def put_of_both(things: Any) -> None:
    put_slice(things[0], things[1])


def put_in_field(thing: Any) -> None:
    put_slice(thing.w, thing.last)


def wrapped(function: Callable[..., Any]) -> Callable[..., Any]:
    def inner(*args: Any) -> Any:
        return function(*args)

    return inner


put_wrapped, put_both_wrapped = wrapped(put_slice), wrapped(put_of_both)


def in_a_field(x: Any) -> Any:
    model = Model()
    model.w, model.last = ARRAY, x
    put_in_field(model)
    return np.sum(ARRAY)


def in_rows(x: Any) -> Any:
    for array, v in [(ARRAY, x)]:
        array[:] = v * 2.0
    return np.sum(ARRAY)


def first(*values: Any) -> Any:
    return np.sum(values[-1])


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "method": lambda x: first(MODEL.keep(x), MODEL.last),
    "method, further in": lambda x: first(MODEL.keep_further_in(x), MODEL.last),
    "method, by a dict": lambda x: first(MODEL.keep_in_table(x), MODEL.table["k"]),
    "method, by a list": lambda x: first(MODEL.keep_in_rows(x), MODEL.rows[-1]),
    "method in place": in_place,
    "read by a function": lambda x: first(MODEL.keep(x), last()),
    "call": lambda x: first(MODEL(x), MODEL.last),
    "call, read by a function": lambda x: first(MODEL(x), last()),
    "index": lambda x: first(INDEXED[x], INDEXED.last),
    "operator": lambda x: first(INDEXED + x, INDEXED.last),
    "operator in place": operator_in_place,
    "membership": lambda x: first(x in INDEXED, INDEXED.last),
    "unpacked": lambda x: first(MODEL.keep(*[x]), MODEL.last),
    "unpacked keywords": lambda x: first(MODEL.keep(x=x), MODEL.last),
    "of a class": lambda x: first(Model.keep_further_in(MODEL, x), MODEL.last),
    "in a dict": lambda x: first(MODELS["a"].keep_further_in(x), MODEL.last),
    "of several": of_several,
    "by a variable": by_a_variable,
    "function": lambda x: first(put_attribute(MODEL, x), MODEL.last),
    "function, further in": lambda x: first(put_further_in(MODEL, x), MODEL.last),
    "function, item": lambda x: first(put_item(ROWS[0], x), ROWS[0][0]),
    "function, array": lambda x: first(put_slice(ARRAY, x), ARRAY),
    "in the class, by its name": lambda x: first(Model().keep_in_class_too(x), Model.kept[-1]),
    "setattr of a class": lambda x: first(setattr(Model, "of_class", x * 2.0), Model.of_class),
    "setattr of a module": lambda x: first(setattr(SPACE, "last", x * 2.0), SPACE.last),
    "function, module": lambda x: first(put_attribute(SPACE, x), SPACE.last),
    "function, function": lambda x: first(put_attribute(last, x), last.last),
    "function, key": lambda x: first(put_key(TABLE, x), TABLE["k"]),
    "in the class, by its type": lambda x: first(Model().keep_by_type(x), Model.of_class),
    "found": lambda x: first(FOUND["model"].keep_further_in(x), MODEL.last),
    "found by a function": lambda x: first(found().keep(x), MODEL.last),
    "found, in the class": lambda x: first(FOUND["model"].keep_by_type(x), Model.of_class),
    "found, by the method of the class": lambda x: first(Model.keep(FOUND["model"], x), MODEL.last),
    "found, in a list": lambda x: first(FOUND["rows"].append(x * 2.0), ROWS[-1]),
    "found, by setattr": lambda x: first(setattr(FOUND["model"], "last", x * 2.0), MODEL.last),
    "found, in a with": kept_in_a_with,
    "found, before an exception": kept_before_an_exception,
    "found, in a generator": lambda x: first(list(keeping(FOUND["model"], x)), MODEL.last),
    "found, chosen": lambda x: first(max([FOUND["model"]], key=id).keep(x), MODEL.last),
    "found, next of an iterator": lambda x: first(next(iter(FOUND["models"])).keep(x), MODEL.last),
    "found, each": by_all,
    "array, beside what is active": lambda x: first(put_of_all(ARRAY, x), ARRAY),
    "array, in a tuple": lambda x: first(put_of_both((ARRAY, x)), ARRAY),
    "array, in a list": lambda x: first(put_of_both([ARRAY, x]), ARRAY),
    "array, in keywords": lambda x: first(put_of_keywords(a=ARRAY, x=x), ARRAY),
    "array, of a wrapped function": lambda x: first(put_wrapped(ARRAY, x), ARRAY),
    "array, in a tuple, of a wrapped function": lambda x: first(put_both_wrapped((ARRAY, x)), ARRAY),
    "array, in a field": in_a_field,
    "array, in rows": in_rows,
    "in each class": in_each_class,
    "in a module or a function": in_one_of_two,
    "found, in a comprehension": lambda x: first([m.keep(x) for m in FOUND["models"]], MODEL.last),
    "found, array": put_into_what_is_found,
    "found, array that is filled": filled,
    "found, array as `out`": lambda x: first(np.multiply(x, 2.0, out=FOUND["array"]), ARRAY),
    "found, array of a function": lambda x: first(put_slice(FOUND["array"], x), ARRAY),
}


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "unspecialised"])
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_what_is_stored_counts(program: Callable[[Any], Any], specialise: bool) -> None:
    Model.__init__(MODEL)
    FOUND.update(model=MODEL, rows=ROWS, array=ARRAY, models=[MODEL])
    x = np.array([1.0, 2.0, 3.0])
    with units.options(specialise=specialise):
        val, (gradient,) = zg.withgradient(program, x)
    assert val == 12.0
    assert gradient is not None
    assert gradient.tolist() == [2.0, 2.0, 2.0]


def handed_on(keep: Callable[[Any], Any], x: Any) -> Any:
    keep(x)
    return np.sum(MODEL.last)


@pytest.mark.parametrize(
    "program",
    [
        lambda x: first(*map(MODEL.keep, [x]), MODEL.last),
        lambda x: first(getattr(MODEL, "ke" + "ep")(x), MODEL.last),
        lambda x: first(put_attribute(*[MODEL, x]), MODEL.last),
        lambda x: handed_on(MODEL.keep, x),
        lambda x: handed_on(lambda q: MODEL.keep(q), x),
        lambda x: first(sorted([x[0], x[1]], key=lambda q: MODEL.keep(q)), MODEL.last),
        lambda x: first([f(x) for f in [lambda q: MODEL.keep(q)]], MODEL.last),
    ],
    ids=["map", "getattr", "unpacked", "handed on", "in a closure", "key", "closure in a list"],
)
def test_calls_of_what_is_not_named(program: Callable[[Any], Any]) -> None:
    """The functions that may be called are looked at beforehand."""
    Model.__init__(MODEL)
    x = np.array([1.0, 2.0, 3.0])
    val = program(x)
    (gradient,) = zg.gradient(program, x)
    assert gradient.tolist() == differences(program, x)
    assert np.sum(gradient * x) == pytest.approx(val)


def differences(program: Callable[[Any], Any], x: Any) -> Any:
    """The gradient of a function that is linear near a point."""
    steps = np.eye(3) * 2.0**-20
    return [(program(x + step) - program(x - step)) * 2.0**19 for step in steps]


def put_in_each(x: Any) -> Any:
    for thing in (Model, SPACE, last):
        put_attribute(thing, x)
    return np.sum(SPACE.last)


def set_in_each(x: Any) -> Any:
    for thing in (Model, SPACE, last):
        setattr(thing, "kept", x * 2.0)  # noqa: B010 (as programs may)
    return np.sum(SPACE.kept)


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "unspecialised"])
def test_classes_modules_and_functions_that_are_not_known(specialise: bool) -> None:
    x = np.array([1.0, 2.0, 3.0])
    with units.options(specialise=specialise):
        with pytest.raises(zg.UnsupportedSyntaxError, match="is stored in"):
            zg.gradient(set_in_each, x)
        (gradient,) = zg.gradient(put_in_each, x)  # where 'last' is also the name of a function
    assert gradient.tolist() == [2.0, 2.0, 2.0]


def test_what_was_read_before_it_changed_outside() -> None:
    x = np.array([0.7, 1.3, -0.4])
    zg.testing.check_gradient(views_of_what_is_changed, x)
    with units.options(specialise=False):
        zg.testing.check_gradient(views_of_what_is_changed, x)


START = {"array": np.zeros(3), "number": 0.0}


def found_in(table: dict[str, Any], key: str) -> Any:
    return table.get(key)


def sum_from_an_array(x: Any) -> Any:
    total = START.get("array") * 1.0
    for _ in range(3):
        total += x
    return np.sum(total)


def sum_from_a_number(x: Any) -> Any:
    total = START.get("number")
    for _ in range(3):
        total += x
    return np.sum(total)


def sum_from_a_copy(x: Any) -> Any:
    total = START["array"].copy()
    for _ in range(3):
        total += x
    return np.sum(total)


def sum_from_what_a_function_finds(x: Any) -> Any:
    total = found_in(START, "number")
    total += x
    total += 2.0 * x
    return np.sum(total)


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "unspecialised"])
@pytest.mark.parametrize(
    "program", [sum_from_an_array, sum_from_a_number, sum_from_a_copy, sum_from_what_a_function_finds]
)
def test_sums_that_begin_with_what_is_outside_change_nothing_there(
    program: Callable[[Any], Any], specialise: bool
) -> None:
    x = np.array([1.0, 2.0, 3.0])
    with units.options(specialise=specialise):
        assert zg.gradient(program, x)[0].tolist() == [3.0, 3.0, 3.0]
    assert START["array"].tolist() == [0.0, 0.0, 0.0]


LEVEL: Any = 1.0
LEVELS: dict[str, Any] = {"k": 1.0}


class Tool:
    level: ClassVar[Any] = 1.0

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None:
        set_level(1.0)


TOOL = Tool()


def set_level(value: Any) -> None:
    global LEVEL
    LEVEL = value
    LEVELS["k"] = value
    Tool.level = value


def reset() -> None:
    set_level(1)


def reset_often() -> None:
    for _ in range(2):
        reset()


def level() -> Any:
    return LEVEL + LEVELS["k"] + Tool.level


def set_back(x: Any, y: Any) -> Any:
    set_level(y)
    before = level() * x
    set_level(1.0)
    return before + 2.0 * level() * x


def set_back_further_in(x: Any, y: Any) -> Any:
    set_level(y)
    before = level() * x
    reset_often()
    return before + 2.0 * level() * x


def set_back_by_a_block(x: Any, y: Any) -> Any:
    set_level(y)
    before = level() * x
    with TOOL:
        pass
    return before + 2.0 * level() * x


def set_back_by_what_is_found(x: Any, y: Any) -> Any:
    set_level(y)
    before = level() * x
    {"reset": reset}["reset"]()
    return before + 2.0 * level() * x


@pytest.mark.parametrize(
    "program", [set_back, set_back_further_in, set_back_by_a_block, set_back_by_what_is_found]
)
def test_a_constant_replaces_what_was_active_outside(program: Callable[[Any, Any], Any]) -> None:
    """A call that is given nothing active takes what was stored before away."""
    assert zg.gradient(program, 0.7, 1.5) == (3 * 1.5 + 6, 3 * 0.7)
    assert zg.pushforward(program, 0.7, 1.5)(0.0, 1.0) == pytest.approx(3 * 0.7)
    assert zg.gradient(lambda y: zg.gradient(program, 0.7, y)[0], 1.5) == (3.0,)
