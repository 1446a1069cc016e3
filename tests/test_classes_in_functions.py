"""Classes that a program makes itself: their methods, what they capture, and what is stored in them."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pytest

import zygpy as zg
from zygpy import pipeline, units

POINT = np.array([0.7, 1.3, 0.4])


def plain(x: Any) -> Any:
    class P:
        def __init__(self, v: Any) -> None:
            self.v = v

        def sq(self) -> Any:
            return self.v**2

    return np.sum(P(x).sq())


def with_a_variable_of_the_function(x: Any) -> Any:
    a = x * 2.0

    class P:
        def __init__(self, v: Any) -> None:
            self.v = v

        def scaled(self) -> Any:
            return self.v * a

    p = P(x)
    return np.sum(p.scaled()) + np.sum(a)


def operators_that_make_objects(x: Any) -> Any:
    class Vec:
        def __init__(self, v: Any) -> None:
            self.v = v

        def __add__(self, o: Any) -> Any:
            return Vec(self.v + o.v)

        def __mul__(self, k: Any) -> Any:
            return Vec(self.v * k)

        def norm(self) -> Any:
            return np.sum(self.v**2)

    return (Vec(x) + Vec(x * 2.0) * 3.0).norm()


def values_in_the_class(x: Any) -> Any:
    class Config:
        rate = x[0] * 2.0
        shift = x[1]
        both = rate * shift
        name = "n"

    return Config.rate * Config.shift + Config.both


def dataclass_with_defaults(x: Any) -> Any:
    @dataclass
    class D:
        u: np.ndarray
        k: float = 2.0

        def f(self) -> Any:
            return np.sum(self.u**2) * self.k

    return D(x).f() + D(x * x, 3.0).f()


def inheritance(x: Any) -> Any:
    class A:
        def __init__(self, v: Any) -> None:
            self.v = v

        def f(self) -> Any:
            return self.v * 2.0

    class B(A):
        def __init__(self, v: Any, w: Any) -> None:
            super().__init__(v)
            self.w = w

        def f(self) -> Any:
            return super().f() * self.w

    return np.sum(B(x, x + 1.0).f())


def variable_that_a_method_rebinds(x: Any) -> Any:
    total = 0.0

    class Acc:
        def add(self, v: Any) -> Any:
            nonlocal total
            total = total + v

    acc = Acc()
    for v in x:
        acc.add(v * v)
    return total


def made_in_a_loop(x: Any) -> Any:
    out = 0.0
    for i in range(3):

        class K:
            w = x[i] + i

            def f(self, y: Any) -> Any:
                return self.w * y

        out = out + K().f(x[0] * (i + 1))
    return out


def methods_of_all_kinds(x: Any) -> Any:
    class C:
        n = 3

        @staticmethod
        def s(y: Any) -> Any:
            return y * 2.0

        @classmethod
        def make(cls, y: Any) -> Any:
            o = cls()
            o.y = y * cls.n
            return o

        @property
        def p(self) -> Any:
            return self.y**2

    return np.sum(C.make(C.s(x)).p)


def field_of_the_class_that_changes(x: Any) -> Any:
    class Counter:
        count = 0.0

        def step(self, v: Any) -> Any:
            Counter.count = Counter.count + v
            return v

    c = Counter()
    s = [c.step(v * v) for v in x]
    return Counter.count + sum(s)


def iterator(x: Any) -> Any:
    class It:
        def __init__(self, v: Any) -> None:
            self.v = v
            self.i = 0

        def __iter__(self) -> Any:
            return self

        def __next__(self) -> Any:
            if self.i >= len(self.v):
                raise StopIteration
            self.i += 1
            return self.v[self.i - 1] ** 2

    return sum(It(x))


def exception(x: Any) -> Any:
    class Err(Exception):
        def __init__(self, v: Any) -> None:
            self.v = v

    try:
        raise Err(x[0] * x[1])
    except Err as e:
        return e.v * x[2]


def context_manager(x: Any) -> Any:
    class Ctx:
        def __enter__(self) -> Any:
            self.k = x[0]
            return self

        def __exit__(self, *a: Any) -> Any:
            self.k = self.k * 2
            return False

    with Ctx() as c:
        y = c.k * x[1]
    return y * c.k


def list_of_its_own_class(x: Any) -> Any:
    class Stack(list):
        def total(self) -> Any:
            return sum(self)

    s = Stack()
    for v in x:
        s.append(v * v)
    return s.total()


def enumeration(x: Any) -> Any:
    class Op(enum.Enum):
        ADD = 1
        MUL = 2

    def do(op: Any, u: Any, v: Any) -> Any:
        return u + v if op is Op.ADD else u * v

    return do(Op.ADD, x[0], x[1]) * do(Op.MUL, x[1], x[2])


def named_tuple(x: Any) -> Any:
    class Pair(NamedTuple):
        a: float
        b: float

    p = Pair(x[0], x[1] * 2)
    return p.a * p.b + p._replace(a=p.b).a


def two_functions_further_in(x: Any) -> Any:
    a = x * 2.0

    def f(y: Any) -> Any:
        class P:
            def m(self) -> Any:
                return a * y

        return P().m()

    return np.sum(f(x) * a)


def slots_and_private_names(x: Any) -> Any:
    class P:
        __slots__ = ("__hidden", "u")

        def __init__(self, u: Any) -> None:
            self.u = u
            self.__hidden = u * 3.0

        def get(self) -> Any:
            return self.__hidden * self.u

    return np.sum(P(x).get())


def objects_that_are_called(x: Any) -> Any:
    def make(k: Any) -> Any:
        class Scale:
            def __call__(self, y: Any) -> Any:
                return y * k

        return Scale()

    f, g = make(x[0]), make(x[1])
    return np.sum(f(x)) * np.sum(g(x))


def variable_bound_again(x: Any) -> Any:
    a = x[0]

    class P:
        def f(self) -> Any:
            return a * x[1]

    p = P()
    y = p.f()
    a = x[2] * 3.0
    return y + p.f()


def linked_nodes(x: Any) -> Any:
    class Node:
        """A node."""

        def __init__(self, v: Any, nxt: Any = None) -> None:
            self.v = v
            self.nxt = nxt

    head = None
    for v in x:
        head = Node(v * v, head)
    s = 0.0
    while head is not None:
        s = s * 0.5 + head.v
        head = head.nxt
    return s


def stored_later(x: Any) -> Any:
    class P:
        pass

    P.k = x[0]
    p = P()
    p.y = x[1]
    P.z = x[2]
    return P.k * p.y * p.z + p.k


def function_made_by_a_method(x: Any) -> Any:
    class P:
        def f(self) -> Any:
            return lambda y: y * a

    a = x * 3.0
    return np.sum(P().f()(x))


class Outer:
    def __init__(self, w: Any) -> None:
        self.__w = w

    def run(self, x: Any) -> Any:
        class Inner:
            def __init__(self, o: Any) -> None:
                self.__o = o

            def go(self) -> Any:
                return self.__o * 2.0

        return Inner(x * self.__w).go()


def inside_a_method(x: Any) -> Any:
    return np.sum(Outer(x).run(x))


def cached_property_of_a_class(x: Any) -> Any:
    class Cache:
        @cached_property
        def v(self) -> Any:
            return np.sum(x**2)

    c = Cache()
    return c.v * c.v


def generator_method(x: Any) -> Any:
    class G:
        def gen(self) -> Any:
            for v in x:
                yield v * scale

    scale = x[0]
    return sum(G().gen()) * sum(v for v in G().gen())


def inherited_value(x: Any) -> Any:
    class A:
        k = x[0]

    class B(A):
        def f(self) -> Any:
            return self.k * x[1]

    return B().f() + B.k


def list_in_the_class(x: Any) -> Any:
    k = len(x)

    class P:
        size = k
        data = [0.0] * k

        def put(self, i: Any, v: Any) -> Any:
            self.data[i] = v

    p = P()
    for i in range(k):
        p.put(i, x[i] ** 2)
    return sum(P.data) * P.size


def value_stored_twice(x: Any) -> Any:
    class P:
        k = x[0]
        j = k * x[1]
        k = 2.0  # noqa: PIE794
        i = k * x[2]

    return P.k * P.j * P.i


RATE = 3.0


def name_of_a_global_too(x: Any) -> Any:
    factor = x[0]

    class P:
        RATE = RATE
        other = RATE * factor

    return P.RATE * P.other


def variable_of_a_loop(x: Any) -> Any:
    found: list[Any] = []
    for i in range(3):

        class P:
            def f(self) -> Any:
                return x[i] * 2  # noqa: B023

        found.append(P())
    return sum(p.f() * (k + 1) for k, p in enumerate(found))


def class_in_a_try(x: Any) -> Any:
    try:

        class Failure(ValueError):
            pass

        error: Any = Failure(x[0] * 2)
        error.value = x[1]
        raise error
    except ValueError as failure:
        return failure.args[0] * failure.value  # type: ignore[attr-defined]


PROGRAMS = [
    value_stored_twice,
    name_of_a_global_too,
    variable_of_a_loop,
    class_in_a_try,
    plain,
    with_a_variable_of_the_function,
    operators_that_make_objects,
    values_in_the_class,
    dataclass_with_defaults,
    inheritance,
    variable_that_a_method_rebinds,
    made_in_a_loop,
    methods_of_all_kinds,
    field_of_the_class_that_changes,
    iterator,
    exception,
    context_manager,
    list_of_its_own_class,
    enumeration,
    named_tuple,
    two_functions_further_in,
    slots_and_private_names,
    objects_that_are_called,
    variable_bound_again,
    linked_nodes,
    stored_later,
    function_made_by_a_method,
    inside_a_method,
    cached_property_of_a_class,
    generator_method,
    inherited_value,
    list_in_the_class,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_gradients(program: Callable[[Any], Any]) -> None:
    expected = slopes(program, POINT)
    value, back = zg.pullback(program, POINT)
    assert value == program(POINT)
    for _ in range(2):
        assert back(1.0)[0] == pytest.approx(expected, rel=1e-7, abs=1e-7)


class Base:
    def __init__(self, v: Any) -> None:
        self.v = v


def made_by_its_base(x: Any) -> Any:
    class P(Base):
        def __init__(self, v: Any) -> None:
            super().__init__(v * 2.0)

        def sq(self) -> Any:
            return self.v**2

    return np.sum(P(x).sq())


@pytest.mark.parametrize("program", [made_by_its_base, *PROGRAMS[1::5]])
def test_calls_after_many_others(program: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """The class is another one at each call, for which nothing is derived again once there have been some."""
    first = zg.gradient(program, POINT)[0]
    for _ in range(units.OF_CALLS_KEPT + 2):
        assert zg.gradient(program, POINT)[0] == pytest.approx(first, rel=1e-12)
    monkeypatch.setattr(pipeline, "Derivation", None)
    assert zg.gradient(program, POINT)[0] == pytest.approx(first, rel=1e-12)


@pytest.mark.parametrize("program", PROGRAMS[::4])
def test_without_specialisation(program: Callable[[Any], Any]) -> None:
    with units.options(specialise=False):
        assert zg.gradient(program, POINT)[0] == pytest.approx(slopes(program, POINT), rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("program", [with_a_variable_of_the_function, inheritance, values_in_the_class])
def test_second_derivatives(program: Callable[[Any], Any]) -> None:
    expected = [slopes(lambda y, k=k: slopes(program, y)[k], POINT, 1e-4) for k in range(3)]
    assert zg.hessian(program, POINT) == pytest.approx(np.array(expected), rel=1e-4, abs=1e-4)


def slopes(program: Callable[[Any], Any], x: Any, step: float = 1e-3) -> Any:
    """Central differences, extrapolated."""

    def difference(unit: Any, h: float) -> Any:
        return (program(x + h * unit) - program(x - h * unit)) / (2 * h)

    return np.array([(4 * difference(u, step / 2) - difference(u, step)) / 3 for u in np.eye(3)])


def test_the_class_is_named_as_in_a_plain_call() -> None:
    kept = []

    def program(x: Any) -> Any:
        class Point:
            """A point."""

            def __init__(self, v: Any) -> None:
                self.v = v

        kept.append(Point(x))
        return np.sum(kept[-1].v)

    program(POINT)
    zg.gradient(program, POINT)
    plain, derived = map(type, kept)
    assert (derived.__name__, derived.__module__, derived.__doc__) == ("Point", __name__, "A point.")
    assert plain.__qualname__.endswith(derived.__qualname__)


def default_value(x: Any) -> Any:
    class Scale:
        def apply(self, y: Any, k: Any = x[0]) -> Any:
            return k * y

    return Scale().apply(x[1])


def value_in_a_decorated_class(x: Any) -> Any:
    @dataclass
    class Scale:
        k: Any = x[0]

    return Scale().k * x[1]


def default_that_is_in_the_class(x: Any) -> Any:
    class Scale:
        k = x[0]

        def apply(self, y: Any, k: Any = k) -> Any:
            return k * y

    return Scale().apply(x[1])


def class_in_the_class(x: Any) -> Any:
    class Outside:
        class Inside:
            k = x[0]

    return Outside.Inside.k * x[1]


def statement_in_the_class(x: Any) -> Any:
    class Scale:
        k = 0.0
        for v in x:
            k += v

    return Scale.k


def class_that_looks_at_those_derived_from_it(x: Any) -> Any:
    class Base:
        def __init_subclass__(cls) -> None:
            cls.twice = 2.0 * cls.k  # type: ignore[attr-defined]

    class Derived(Base):
        k = 1.0

    return Derived.twice * x[0]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (default_value, "while (it|a class) is made is not followed"),
        (value_in_a_decorated_class, "while (it|a class) is made is not followed"),
        (default_that_is_in_the_class, "while (it|a class) is made is not followed"),
        (class_in_the_class, "while (it|a class) is made is not followed"),
        (statement_in_the_class, "while (it|a class) is made is not followed"),
        (class_that_looks_at_those_derived_from_it, "__init_subclass__"),
    ],
)
def test_what_is_refused(program: Callable[[Any], Any], message: str) -> None:
    program(POINT)
    with pytest.raises(zg.ZygpyError, match=message):
        zg.gradient(program, POINT)
