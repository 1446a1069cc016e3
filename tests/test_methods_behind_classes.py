"""`super()`: what it finds for an object of a known class is entered like any other method."""

from __future__ import annotations

import abc
import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import pushing


class Layer:
    rate = 0.5

    def __init__(self, w: Any, b: Any = 0.1) -> None:
        self.w = w
        self.b = b

    def forward(self, x: Any) -> Any:
        return x * self.w + self.b

    @property
    def norm(self) -> Any:
        return self.w * self.w

    @staticmethod
    def bend(x: Any) -> Any:
        return math.tanh(x)

    @classmethod
    def make(cls, w: Any) -> Any:
        return cls(w, 0.3)


class Dense(Layer):
    def __init__(self, w: Any, b: Any, c: Any) -> None:
        super().__init__(w, b)
        self.c = c

    def forward(self, x: Any) -> Any:
        return self.bend(super().forward(x)) * self.c

    @property
    def norm(self) -> Any:
        return super().norm + self.c**2

    @staticmethod
    def bend(x: Any) -> Any:
        return x * x


class Deep(Dense):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.d = self.c * 2.0

    def forward(self, x: Any) -> Any:
        own = super().bend(x) + super(Dense, self).bend(x) * self.d
        return super().forward(x) + own + self.norm + super().norm + super(Dense, self).norm


def layers(x: Any) -> Any:
    layer, total = Dense(x, 0.2, x * x), 0.0
    for _ in range(4):
        total = total + layer.forward(x + total * 0.1) + layer.norm
    return total


def deep_layers(x: Any) -> Any:
    deep = Deep(x, b=0.2 * x, c=x + 1.0)
    return deep.forward(x) * deep.norm


class Base:
    def __init__(self, a: Any) -> None:
        self.a = a

    def f(self, x: Any) -> Any:
        return x * self.a


class Left(Base):
    def f(self, x: Any) -> Any:
        return super().f(x) + math.sin(x)


class Right(Base):
    def f(self, x: Any) -> Any:
        return super().f(x * 2.0) * x


class Both(Left, Right):
    def f(self, x: Any) -> Any:
        return super().f(x) + 1.0


class Swapped(Right, Left):
    def f(self, x: Any) -> Any:
        return super().f(x) + 1.0


def order_of_bases(x: Any) -> Any:
    total = Both(x).f(x) + 3.0 * Swapped(x * 2.0).f(x) + Left(x).f(x * 0.5)
    for one in [Both(x), Left(x), Swapped(x * x), Right(x)]:
        total = total + one.f(x)
    return total


@dataclass
class Pair:
    x: float
    y: float
    extra: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.z = self.x * self.y


@dataclass
class Weighted(Pair):
    w: float = 2.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.z = self.z * self.w


def fields_of_dataclasses(x: Any) -> Any:
    pair = Weighted(x, x * 2.0, w=x + 1.0)
    return pair.z * pair.x


class Model(abc.ABC):
    def __init__(self, k: Any) -> None:
        super().__init__()
        self.k = k

    @abc.abstractmethod
    def slope(self, y: Any) -> Any:
        return -self.k * y

    def step(self, y: Any, h: Any) -> Any:
        return y + h * self.slope(y)


class Damped(Model):
    def __init__(self, k: Any, c: Any) -> None:
        super().__init__(k)
        self.c = c

    def slope(self, y: Any) -> Any:
        return super().slope(y) - self.c * y * y

    def step(self, y: Any, h: Any) -> Any:
        once = super().step(y, h)
        return 0.5 * (once + super().step(once, h))


def equation(k: Any) -> Any:
    model, y = Damped(k, 0.5 * k), 1.0 + k
    for _ in range(5):
        y = model.step(y, 0.1)
    return y


class Sum:
    def __init__(self) -> None:
        super().__init__()
        self.items: list[Any] = []
        self.total = 0.0
        self.array = np.zeros(3)

    def add(self, x: Any) -> None:
        self.items.append(x)
        self.total += x
        self.array[len(self.items) % 3] += x


class Counted(Sum):
    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def add(self, x: Any) -> None:
        super().add(math.sin(x))
        self.count += 1
        self.total *= x
        self.array[0] += self.total


def written_behind(x: Any) -> Any:
    found = Counted()
    for k in range(4):
        found.add(x + k)
    return found.total + sum(found.items) + float(np.sum(found.array**2)) / found.count


class Odd(Base):
    def f(self, x: Any, n: int = 3) -> Any:
        try:
            y = super().f(x)
            if y > 0.4:
                raise ValueError(y)
        except ValueError as error:
            y = error.args[0] * 3.0
        return y if n == 0 else self.f(y * self.a, n - 1) + super().f(x)


class Elsewhere(Base):
    def f(self, x: Any) -> Any:
        held = super()
        total = sum(super(Elsewhere, self).f(x + k) for k in range(3))
        bound = held.f
        self = Elsewhere(x * 2.0)
        return total * bound(x) + super().f(x) * held.f(x) + (lambda t: super(Elsewhere, self).f(t))(x)


class Named(Layer):
    rate = 2.0

    @classmethod
    def make(cls, w: Any) -> Any:
        made = super().make(w * w)
        made.extra = w
        return made

    def forward(self, x: Any) -> Any:
        return super().forward(x) * __class__.rate * super().rate  # type: ignore[name-defined]


class Doubled(Base):
    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value * 2.0)

    def __getattr__(self, name: str) -> Any:
        return 3.0 * self.a

    def __call__(self, x: Any) -> Any:
        return super().f(x) * self.missing


class Scaled:
    def __get__(self, thing: Any, cls: type) -> Any:
        return thing.a * 3.0


class Held:
    __slots__ = ("a",)
    scaled = Scaled()

    def __init__(self, a: Any) -> None:
        self.a = a


class Described(Held):
    def __init__(self, a: Any) -> None:
        super().__init__(a)
        self.b = super().a * 2.0

    @functools.cached_property
    def kept(self) -> Any:
        return self.b**2


class Fully(Described):
    @property
    def kept(self) -> Any:  # type: ignore[override]
        return super().kept * self.a

    @property
    def scaled(self) -> Any:  # type: ignore[override]
        return super().scaled * self.b


def found_by_descriptors(x: Any) -> Any:
    thing = Fully(x)
    y = thing.kept * thing.scaled
    thing.a = thing.a * 2.0
    return y + thing.kept * super(Fully, thing).a + super(Fully, thing).kept


class Scaling(list[Any]):
    def append(self, item: Any) -> None:
        super().append(item * 2.0)

    def __getitem__(self, index: Any) -> Any:
        return super().__getitem__(index) + 1.0


def methods_before_c_code(x: Any) -> Any:
    found = Scaling()
    found.append(x)
    return found[0] * found[0]


class Counting(Base):
    def items(self, n: int) -> Iterator[Any]:
        for k in range(n):
            yield self.a * k


class Squares(Counting):
    def items(self, n: int) -> Iterator[Any]:
        for item in super().items(n):
            yield item * item

    def total(self, n: int) -> Any:
        return sum(self.items(n)) + sum(super().items(n))


def in_other_ways(x: Any) -> Any:
    found = Odd(x).f(x) + Odd(0.1 * x).f(x) + Elsewhere(x).f(x) + Named(x).forward(x)
    made = Named.make(x)
    return found + made.forward(x) * made.extra + Doubled(x)(x) * Doubled(x).a + Squares(x).total(4)


PROGRAMS = [
    layers,
    order_of_bases,
    fields_of_dataclasses,
    equation,
    written_behind,
    deep_layers,
    in_other_ways,
    found_by_descriptors,
    methods_before_c_code,
]


def slope(f: Callable[[Any], Any], x: float, h: float) -> float:
    """Richardson's extrapolation of central differences."""
    rough = [(f(x + step) - f(x - step)) / (2 * step) for step in (h, h / 2, h / 4)]
    return float((64 * rough[2] - 20 * rough[1] + rough[0]) / 45)


@pytest.mark.parametrize("f", PROGRAMS)
def test_first_derivatives(f: Callable[[Any], Any]) -> None:
    x = 0.7
    y, back = zg.pullback(f, x)
    assert y == f(x)
    assert back(1.0) == back(1.0)
    assert back(1.0)[0] == pytest.approx(slope(f, x, 1e-3), rel=1e-8)
    assert zg.pushforward(f, x)(1.0) == pytest.approx(back(1.0)[0], rel=1e-12)


@pytest.mark.parametrize("f", [layers, order_of_bases, equation, methods_before_c_code])
def test_second_derivatives(f: Callable[[Any], Any]) -> None:
    expected = slope(lambda t: slope(f, t, 1e-2), 0.7, 1e-2)
    assert zg.hvp(f, 0.7, 1.0) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("f", [layers, order_of_bases, equation])
def test_nothing_is_found_when_it_runs(f: Callable[[Any], Any]) -> None:
    assert isinstance(pushing.push_of(f, (0.7,)), pushing.Push)


def test_what_is_found_is_called_by_itself() -> None:
    text = zg.show_adjoint(equation, 0.7)
    assert "super" not in str(text)
    assert "step_forward(" in str(text)


class Root:
    def f(self, x: Any) -> Any:
        return x * 2.0

    @property
    def p(self) -> float:
        return 1.0


class Mixin(Root):
    pass


class Another(Root):
    def f(self, x: Any) -> Any:
        return x**4


class Leaf(Mixin, Root):
    def f(self, x: Any) -> Any:
        return super().f(x) * super().p


def leaf(x: Any) -> Any:
    return Leaf().f(x)


def test_classes_that_are_changed_between_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    assert zg.gradient(leaf, 3.0) == (2.0,)
    monkeypatch.setattr(Root, "f", lambda self, x: x**2)
    assert zg.gradient(leaf, 3.0) == (6.0,)
    monkeypatch.setattr(Mixin, "f", lambda self, x: x**3, raising=False)
    assert zg.gradient(leaf, 3.0) == (27.0,)
    monkeypatch.setattr(Root, "p", property(lambda self: 10.0))
    assert zg.gradient(leaf, 3.0) == (270.0,)
    Leaf.__bases__ = (Another, Root)
    try:
        assert zg.gradient(leaf, 3.0) == (10.0 * 4.0 * 27.0,)
    finally:
        Leaf.__bases__ = (Mixin, Root)
    monkeypatch.undo()
    assert zg.gradient(leaf, 3.0) == (2.0,)


def replaced_meanwhile(x: Any) -> Any:
    one = Leaf()
    y = one.f(x)
    Mixin.f = lambda self, t: t**3  # type: ignore[method-assign]
    try:
        return y + one.f(x)
    finally:
        del Mixin.f


def test_classes_that_are_changed_meanwhile() -> None:
    for _ in range(2):
        assert zg.gradient(replaced_meanwhile, 3.0) == (2.0 + 27.0,)
    assert "f" not in vars(Mixin)


class Stranger(Both):
    pass


Stranger.f = Both.f  # type: ignore[method-assign]


def test_functions_that_stand_in_other_classes() -> None:
    """The class in whose text a function stands is asked, not the one that has it."""
    assert zg.gradient(lambda x: Stranger(x).f(x), 0.7)[0] == pytest.approx(
        slope(lambda x: Both(x).f(x), 0.7, 1e-3), rel=1e-9
    )
    wrong = Right.__new__(Right)
    with pytest.raises(TypeError, match="super"):
        zg.gradient(lambda x: Both.f(wrong, x), 0.7)


def test_other_class_around(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable by which a method knows its class can be set from outside."""
    closure: Any = Leaf.f.__closure__
    monkeypatch.setattr(Mixin, "f", lambda self, x: x**3, raising=False)
    assert zg.gradient(leaf, 3.0) == (27.0,)
    monkeypatch.setattr(closure[0], "cell_contents", Mixin)
    assert zg.gradient(leaf, 3.0) == (2.0,)
    monkeypatch.undo()
    assert zg.gradient(leaf, 3.0) == (2.0,)


class Ruled:
    def f(self, x: Any) -> Any:
        return x * 2.0


class Behind(Ruled):
    def f(self, x: Any) -> Any:
        return super().f(x) + x


def test_rules_of_methods_behind() -> None:
    assert zg.gradient(lambda x: Behind().f(x), 3.0) == (3.0,)

    @zg.adjoint(Ruled.f)
    def _(self: Ruled, x: Any) -> Any:
        return x * 2.0, lambda y_bar: (None, 100.0 * y_bar)

    assert zg.gradient(lambda x: Behind().f(x), 3.0) == (101.0,)
