"""What differentiated code may call by name: hooks, checkpoints, and questions about the derivation."""

import contextlib
import copy
import math
import operator
import sys
import threading
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

import zygpy as zg
from zygpy.units import options


@pytest.fixture(autouse=True, params=[True, False][: 2 if sys.version_info < (3, 12) else 1])
def ways(request):
    with options(specialise=request.param):
        yield


# hook.


def test_a_hook_gives_another_gradient():
    assert zg.gradient(lambda a, b: zg.hook(operator.neg, a) * b, 2, 3) == (-3.0, 2.0)


def test_a_hook_at_second_order():
    def first(a, b):
        return zg.gradient(lambda a: zg.hook(operator.neg, a) * a * b, a)[0]  # -a b + a b

    def squared(a):
        return zg.gradient(lambda a: zg.hook(lambda bar: bar * bar, a) * 3.0 * a, a)[0]  # (3 a)^2 + 3 a

    assert zg.gradient(first, 2.0, 3.0) == (0.0, 0.0)
    assert zg.gradient(squared, 2.0) == (9.0 * 2 * 2.0 + 3.0,)


def test_a_hook_is_about_what_it_gives_alone():
    def beside(x):
        y = x * 1.0
        return np.sum(zg.hook(operator.neg, y)) + np.sum(y)

    def beside_and_written(x):
        y = x * 1.0
        z = zg.hook(operator.neg, y)
        y[0] = 5.0
        z[1] = 7.0
        return np.sum(z * x) + np.sum(y)

    def in_lists(x):
        kept = [x, x]
        kept.append(zg.hook(operator.neg, kept[0]))
        kept[0] = kept[1] * 2.0
        return kept[0] + kept[2] * 3.0

    assert zg.gradient(beside, np.ones(2))[0].tolist() == [0.0, 0.0]
    assert zg.gradient(beside_and_written, np.array([2.0, 3.0]))[0].tolist() == [2.0 - 2.0, 7.0 + 1.0]
    assert zg.gradient(in_lists, 1.0) == (-1.0,)


def test_a_hook_of_a_container():
    def total(x, y):
        p, q = zg.hook(lambda bar: [2.0 * part for part in bar], [x, y])
        return p * q

    assert zg.gradient(total, 2.0, 3.0) == (6.0, 4.0)


def test_a_hook_runs_once_in_every_call_of_back():
    seen = []

    def note(bar):
        seen.append(bar)
        return bar

    def f(x):
        total = 0.0
        for k in range(3):
            total = total + zg.hook(note, x) * k
        return total

    _, back = zg.pullback(f, 2.0)
    assert seen == []
    assert (back(1.0), back(10.0)) == ((3.0,), (30.0,))
    assert seen == [2.0, 1.0, 0.0, 20.0, 10.0, 0.0]


def test_a_hook_runs_where_there_is_no_gradient():
    seen = []

    def f(x):
        zg.hook(seen.append, x)
        return x * 2.0

    def called(x):
        f(x)
        return x

    assert zg.gradient(f, 1.0) == (2.0,)
    assert zg.gradient(called, 1.0) == (1.0,)
    assert seen == [None, None] or seen == [None, 0.0]


def test_a_hook_that_raises():
    def fail(bar):
        raise ArithmeticError(bar)

    y, back = zg.pullback(lambda x: zg.hook(fail, x) * 2.0, 3.0)
    assert y == 6.0
    with pytest.raises(ArithmeticError):
        back(1.0)
    assert zg.gradient(lambda x: zg.hook(operator.pos, x) * 2.0, 3.0) == (2.0,)


def test_a_hook_that_clips():
    def clip(bar):
        return np.clip(bar, -1.0, 1.0)

    x = np.array([0.1, 2.0])
    assert zg.gradient(lambda x: np.sum(zg.hook(clip, x) ** 2), x)[0].tolist() == [0.2, 1.0]


def test_a_hook_of_the_wrong_shape():
    with pytest.raises(zg.CotangentShapeError):
        zg.gradient(lambda x: np.sum(zg.hook(np.sum, x)), np.ones(2))


# showgrad.


def test_showgrad_prints_the_text_of_its_argument(capsys):
    def f(a, b):
        return zg.showgrad(a) * zg.showgrad(b + 1)

    assert zg.gradient(f, 2, 3) == (4.0, 2.0)
    assert capsys.readouterr().out.splitlines() == ["∂(b + 1) = 2.0", "∂(a) = 4.0"]


def test_showgrad_of_what_has_no_gradient(capsys):
    def f(a):
        zg.showgrad(a)
        return 3.0 * a

    assert zg.gradient(f, 2) == (3.0,)
    assert capsys.readouterr().out in ("∂(a) = None\n", "∂(a) = 0.0\n")


def test_showgrad_in_a_plain_call(capsys):
    assert zg.showgrad(2.0) == 2.0
    assert capsys.readouterr().out == ""


# ignore and eager_update.


def test_ignore():
    assert zg.gradient(lambda x: zg.ignore(x) * x, 3.0) == (3.0,)
    assert zg.gradient(zg.ignore, 3.0) == (None,)


def test_ignore_of_things_that_are_found_by_identity():
    def in_a_list(x):
        kept = [x]
        kept.append(x)
        other = zg.ignore(kept)
        return kept[0] * other[1]

    def in_an_array(x):
        y = x * 1.0
        other = zg.ignore(y)
        y[0] = 10.0
        return np.sum(y * other)

    assert zg.gradient(in_a_list, 3.0) == (3.0,)
    assert zg.gradient(in_an_array, np.array([1.0, 2.0]))[0].tolist() == [0.0, 2.0]


def test_eager_update():
    weights = [np.ones(2), np.full(2, 2.0)]

    def descend(rate, w, bar):
        w -= rate * bar

    def loss(x):
        for w in weights:
            x = zg.eager_update(0.5, w, descend) * x
        return np.sum(x)

    assert zg.gradient(loss, np.ones(2))[0].tolist() == [2.0, 2.0]
    assert [w.tolist() for w in weights] == [[0.0, 0.0], [1.5, 1.5]]


# checkpoint.


def foo(x):
    print("foo")
    return x * x


def test_a_checkpoint_runs_its_body_twice(capsys):
    assert zg.gradient(lambda x: zg.checkpoint(foo, x) * x, 3.0) == (27.0,)
    assert capsys.readouterr().out == "foo\nfoo\n"


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_nested_checkpoints(capsys, depth):
    def nested(x, depth):
        if depth == 0:
            return foo(x)
        return zg.checkpoint(nested, x, depth - 1)

    assert zg.gradient(lambda x: nested(x, depth), 3.0) == (6.0,)
    assert capsys.readouterr().out == "foo\n" * (depth + 1)


def test_a_checkpoint_gives_gradients_to_captured_variables():
    def f(x, w):
        return zg.checkpoint(lambda t: t * w, x) * x

    assert zg.gradient(f, 3.0, 2.0) == (12.0, 9.0)
    assert zg.gradient(lambda x: zg.gradient(f, x, 2.0)[0] * x, 3.0) == (24.0,)


def test_a_checkpoint_of_arrays_and_of_several_arguments():
    def f(w, x):
        h = zg.checkpoint(lambda a, b: np.tanh(a @ b), w, x)
        return np.sum(h * h)

    def plain(w, x):
        return np.sum(np.tanh(w @ x) ** 2)

    w, x = np.arange(6.0).reshape(2, 3) / 7.0, np.array([0.3, -0.2, 0.5])
    for found, expected in zip(zg.gradient(f, w, x), zg.gradient(plain, w, x), strict=True):
        np.testing.assert_allclose(found, expected)


def test_what_a_checkpoint_reads_is_kept_as_it_was():
    def written_later(x):
        y = x * 1.0
        z = zg.checkpoint(lambda t: np.sum(t * t * y), y)
        y[0] = 100.0
        return z + np.sum(y)

    np.testing.assert_allclose(zg.gradient(written_later, np.array([1.0, 2.0]))[0], [3.0, 13.0])
    x = np.array([1.0, 2.0])
    _, back = zg.pullback(lambda x: zg.checkpoint(lambda t: np.sum(t * t), x), x)
    x[:] = 7.0
    np.testing.assert_allclose(back(1.0)[0], [2.0, 4.0])


scale = 2.0
factors = np.array([1.0, 2.0])


def reads_a_global(x):
    return np.sum(x * factors) * scale


def test_a_checkpoint_of_a_function_that_reads_globals_which_change():
    _, back = zg.pullback(lambda x: zg.checkpoint(reads_a_global, x), np.ones(2))
    assert back(1.0)[0].tolist() == [2.0, 4.0]
    factors[1] = 5.0
    try:
        with pytest.raises(zg.UnsupportedSyntaxError, match="'factors' has changed"):
            back(1.0)
    finally:
        factors[1] = 2.0
    assert back(1.0)[0].tolist() == [2.0, 4.0]


class Rates:
    rate = 2.0
    shared = SimpleNamespace(table={"low": [1.0, 2.0]})

    def __init__(self):
        self.own = np.array([2.0, 3.0])
        self.parts = {"a": [Part()]}

    @property
    def of_the_class(self):
        return self.rate

    def __mul__(self, other):
        return self.own[0] * other


class Part:
    weight = 2.0


rates, settings = Rates(), ModuleType("settings")
settings.scale = 2.0


def reads_settings(x):
    return settings.scale * x * x


def with_a_shared_number():
    factor = 2.0

    def change():
        nonlocal factor
        factor = 5.0

    return lambda x: x * x * factor, change


READ_LATER = {
    "a field": (lambda x: x * x * rates.own[0], lambda: rates.own.__setitem__(0, 5.0)),
    "a part": (
        lambda x: x * x * rates.parts["a"][0].weight,
        lambda: setattr(rates.parts["a"][0], "weight", 5.0),
    ),
    "a class": (lambda x: x * x * Rates.rate, lambda: setattr(Rates, "rate", 5.0)),
    "its data": (
        lambda x: x * x * rates.shared.table["low"][1],
        lambda: Rates.shared.table.update(low=[0, 5.0]),
    ),
    "a property": (lambda x: x * x * rates.of_the_class, lambda: setattr(Rates, "rate", 5.0)),
    "an operator": (lambda x: rates * (x * x), lambda: setattr(rates, "own", np.array([5.0]))),
    "a module": (lambda x: reads_settings(x), lambda: setattr(settings, "scale", 5.0)),
}


@pytest.mark.parametrize("case", READ_LATER)
def test_a_checkpoint_of_a_function_that_reads_objects_which_change(case, monkeypatch):
    for owner, name in (
        (rates, "own"),
        (rates, "parts"),
        (Rates, "rate"),
        (Rates, "shared"),
        (settings, "scale"),
    ):
        monkeypatch.setattr(owner, name, copy.deepcopy(getattr(owner, name)))
    function, change = READ_LATER[case]
    _, back = zg.pullback(lambda x: zg.checkpoint(function, x), 3.0)
    assert back(1.0) == (12.0,)
    change()
    with pytest.raises(zg.UnsupportedSyntaxError, match="has changed since the checkpoint"):
        back(1.0)


def doubled_square(x):
    return x * x * 2.0


def calls_what_may_be_replaced(x):
    return doubled_square(x)


def test_a_checkpoint_of_a_function_that_calls_another_one_later(monkeypatch):
    objects = np.array([None], dtype=object)
    objects[0] = SimpleNamespace(weight=2.0)
    functions = (calls_what_may_be_replaced, lambda x: x * x * objects[0].weight, lambda x: rates * (x * x))
    monkeypatch.setattr(rates, "own", np.array([2.0]))
    backs = [zg.pullback(lambda x, f=f: zg.checkpoint(f, x), 3.0)[1] for f in functions]
    assert [back(1.0)[0] for back in backs] == [12.0] * 3
    monkeypatch.setitem(globals(), "doubled_square", lambda x: x**3)
    monkeypatch.setattr(Rates, "__mul__", lambda self, other: other * 5.0)
    for back in (backs[0], backs[2]):
        with pytest.raises(zg.UnsupportedSyntaxError, match="has changed since the checkpoint"):
            back(1.0)


def test_a_checkpoint_keeps_objects_in_containers_as_they_were():
    def kept(*held):
        captured = zg.pullback(lambda x: zg.checkpoint(lambda x: x * x * weight(held), x), 3.0)[1]
        given = zg.pullback(
            lambda x, *held: zg.checkpoint(lambda x, *held: x * x * weight(held), x, *held), 3.0, *held
        )
        return captured, given[1]

    def weight(held):
        return held[0][0].weight + held[1]["a"][0].weight

    first, second = Part(), Part()
    backs = kept([first], {"a": (second,)})
    assert [back(1.0)[0] for back in backs] == [24.0] * 2
    first.weight = second.weight = 5.0
    assert [back(1.0)[0] for back in backs] == [24.0] * 2


def test_a_checkpoint_of_a_method_whose_class_changes(monkeypatch):
    _, back = zg.pullback(lambda x: zg.checkpoint(lambda part, x: part.weight * x * x, Part(), x), 3.0)
    assert back(1.0) == (12.0,)
    monkeypatch.setattr(Part, "weight", 5.0)
    with pytest.raises(zg.UnsupportedSyntaxError, match="'Part' has changed"):
        back(1.0)


def test_a_checkpoint_of_a_function_that_reads_nothing_that_changed():
    function, change = with_a_shared_number()
    kept = SimpleNamespace(unread=1.0, read=2.0)
    _, back = zg.pullback(lambda x: zg.checkpoint(lambda x: function(x) * kept.read, x), 3.0)
    kept.unread = 5.0
    assert back(1.0) == (24.0,)
    change()
    with pytest.raises(zg.UnsupportedSyntaxError, match="'factor' has changed"):
        back(1.0)


def test_a_checkpoint_of_what_writes_outside_is_refused():
    kept = []

    def writes(x):
        kept.append(x)
        return x * x

    with pytest.raises(zg.UnsupportedSyntaxError):
        zg.gradient(lambda x: zg.checkpoint(writes, x), 3.0)

    def writes_its_argument(x):
        x[0] = 5.0
        return np.sum(x * x)

    with pytest.raises(zg.UnsupportedSyntaxError):
        zg.gradient(lambda x: zg.checkpoint(writes_its_argument, x * 1.0), np.ones(2))


def test_random_numbers_are_the_same_in_both_runs():
    def noisy(x):
        return x * np.random.rand()  # noqa: NPY002

    np.random.seed(1)  # noqa: NPY002
    y, back = zg.pullback(lambda x: zg.checkpoint(noisy, x), 1.0)
    after = np.random.rand()  # noqa: NPY002
    assert back(1.0) == (y,)
    np.random.seed(1)  # noqa: NPY002
    assert [np.random.rand(), np.random.rand()] == [y, after]  # noqa: NPY002


def test_a_checkpoint_in_a_loop_and_with_a_list():
    def f(x):
        kept = [x]
        for _ in range(3):
            kept.append(zg.checkpoint(math.sin, kept[-1]))
        return sum(kept)

    def plain(x):
        return x + math.sin(x) + math.sin(math.sin(x)) + math.sin(math.sin(math.sin(x)))

    assert zg.gradient(f, 0.5) == pytest.approx(zg.gradient(plain, 0.5))


class Layer:
    def __init__(self, w):
        self.w = w

    def apply(self, x):
        return self.w * x


def test_a_checkpoint_of_a_method():
    assert zg.gradient(lambda layer, x: zg.checkpoint(layer.apply, x), Layer(2.0), 3.0) == ({"w": 3.0}, 2.0)


def test_an_exception_in_a_checkpoint():
    with pytest.raises(ValueError, match="math domain"):
        zg.gradient(lambda x: zg.checkpoint(math.sqrt, x), -1.0)
    assert zg.gradient(lambda x: zg.checkpoint(math.sqrt, x), 4.0) == (0.25,)


# isderiving and nestlevel.


def say(x):
    print(zg.nestlevel(), end=" ")
    return x


def grad(f, x):
    return zg.gradient(f, x)[0]


def test_nestlevel(capsys):
    say(1.0)
    grad(say, 1.0)
    grad(lambda x: x * grad(say, x), 1.0)
    grad(lambda x: x * grad(lambda y: y * grad(say, y), x), 1.0)
    assert capsys.readouterr().out == "0 1 2 3 "


def test_nestlevel_in_calls_that_nothing_active_reaches(capsys):
    def f(x):
        say(2.0)
        return x

    grad(f, 1.0)
    assert capsys.readouterr().out == "1 "


def test_nestlevel_of_programs_by_identity(capsys):
    def inner(y):
        values = [y]
        values.append(say(y))
        values[0] = 2.0 * y
        return values[0] * values[1]

    def outer(x):
        values = [x]
        values.append(x)
        return grad(inner, values[0]) * values[1]

    assert grad(outer, 3.0) == 24.0
    assert capsys.readouterr().out == "2 "


def test_the_level_is_restored_when_an_exception_is_caught(capsys):
    def fails(x):
        raise ArithmeticError

    def f(x):
        with contextlib.suppress(ArithmeticError):
            grad(fails, x)
        return say(x)

    grad(f, 1.0)
    with pytest.raises(ArithmeticError):
        grad(fails, 1.0)
    say(1.0)
    assert capsys.readouterr().out == "1 0 "


def test_the_level_is_that_of_the_thread():
    found = []

    def f(x):
        other = threading.Thread(target=lambda: found.append(zg.nestlevel()))
        other.start()
        other.join()
        return x

    zg.ignore(f(1.0))
    grad(lambda x: x * zg.nestlevel(), 1.0)
    assert found == [0]


def test_isderiving():
    assert not zg.isderiving()
    assert zg.gradient(lambda x: 2 * x if zg.isderiving() else x, 1.0) == (2.0,)


def test_the_level_in_a_checkpoint(capsys):
    assert zg.gradient(lambda x: zg.checkpoint(say, x) * x, 2.0) == (4.0,)
    assert capsys.readouterr().out == "1 1 "
