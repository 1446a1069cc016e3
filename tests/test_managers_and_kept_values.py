"""Context managers made of generators, values that objects keep once they are asked for, attributes by names
in loops, and keywords that are handed on to `super().__init__`: a program does what it does by itself, and
its gradient is that of differences, at the speed of plain code where all of that is known."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences
from tests.written import module_of

BEFORE = """
import contextlib, functools, itertools, math
LOG = []
NAMES = ("a", "b")

@contextlib.contextmanager
def set_to(o, v, w=1.0):
    old = o["k"]
    o["k"] = v * w
    LOG.append("in")
    try:
        yield o
    finally:
        LOG.append("out")
        o["k"] = old

@contextlib.contextmanager
def swallowing(o):
    try:
        yield o
    except ValueError:
        LOG.append("swallowed")
        o["k"] = o["k"] * 2
    else:
        LOG.append("fine")
    LOG.append("end")

@contextlib.contextmanager
def translating(o):
    try:
        yield
    except ValueError as e:
        raise KeyError("k") from e

@contextlib.contextmanager
def failing_last(o):
    yield
    raise ValueError("last")

@contextlib.contextmanager
def caught_first(o):
    try:
        yield o["missing"]
    except KeyError:
        LOG.append("caught")

class Model:
    def __init__(self, k):
        self.k = k
        self.s = 1.0
    @contextlib.contextmanager
    def scaled(self, s, more=2.0):
        old = self.s
        self.s = s * more
        try:
            yield self
        finally:
            self.s = old
    def at(self, z):
        return math.sin(self.k * z) * self.s
    def run(self, y):
        t = 0.0
        for i in range(3):
            with self.scaled(y * i):
                t += self.at(1.0 + i)
            t += self.at(2.0)
        return t

class Disk:
    def __init__(self, r):
        self.r = r
    @functools.cached_property
    def area(self):
        LOG.append("area")
        return self.r ** 2
    @functools.cached_property
    def volume(self):
        return self.area * self.r

class Sub(Disk):
    @functools.cached_property
    def area(self):
        return super().area * 2

class Computed(Disk):
    area = property(lambda self: self.r * 3)

class Aliased(Disk):
    pass
Aliased.surface = vars(Disk)["area"]

class Slotted:
    __slots__ = ("r",)
    @functools.cached_property
    def area(self):
        return self.r

class Pair:
    def __init__(self, a=1.0, b=2.0):
        self.a = a
        self.b = b

class Wide(Pair):
    def __init__(self, c, **more):
        super().__init__(**more)
        self.c = c

class Wider(Wide):
    def __init__(self, d, *args, **more):
        more["a"] = more.get("a", 1.0) * 2
        super().__init__(*args, **more)
        self.d = d

class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name
    def __get__(self, o, t=None):
        if o is None:
            return self
        return getattr(o, self.name)
    def __set__(self, o, v):
        LOG.append(self.name)
        if v <= 0.0:
            raise ValueError(self.name)
        setattr(o, self.name, v)

class Scaled:
    def __init__(self, k):
        self.k = k
    def __get__(self, o, t=None):
        return o.w * self.k
    def __set__(self, o, v):
        o.w = v / self.k

class Box:
    w = Positive()
    h = Positive()
    three, five = Scaled(3.0), Scaled(5.0)
    def __init__(self, w, h):
        self.w = w
        self.h = h

class Property(Pair):
    @property
    def c(self):
        return self.a * self.b
    @c.setter
    def c(self, v):
        LOG.append("set")
        self.a = v

class Last:
    last = None
    def __init__(self):
        self.last = None
    def __get__(self, o, t=None):
        return self.last * 2
    def __set__(self, o, v):
        self.last = v

class Remembered:
    w = Last()

def cubed(o):
    return o.r ** 3

CUBED = functools.cached_property(cubed)
CUBED.__set_name__(Disk, "area")
"""

PROGRAMS = {
    "finally": """
for i in range(3):
    with set_to(o, y, w=x) as g:
        t += g['k'] * x
    t += o['k']
""",
    "swallowed": """
for i in range(5):
    with swallowing(o) as v:
        t += x * v['k']
        if i % 2: raise ValueError
        t += y
    t += o['k']
""",
    "left": """
for i in range(5):
    with set_to(o, y * i) as g:
        if i == 1: continue
        if i == 4: return t * x
        t += g['k']
        if i == 3: t = t * y
    t += o['k']
""",
    "translated": """
try:
    with translating(o):
        t = x * y
        raise ValueError
except KeyError as e:
    LOG.append((type(e.__cause__), type(e.__context__)))
    t = t * 3
""",
    "leaving": """
with translating(o):
    raise ValueError(1)
""",
    "failing last": """
try:
    with failing_last(o):
        t = x * 2
except ValueError as e:
    t = t * y
""",
    "caught first": """
try:
    with caught_first(o) as v:
        t = v
except RuntimeError as e:
    LOG.append(str(e))
    t = x * y
""",
    "names": """
old = y; v = x; w = 2.0; failure = y; manager = x
with set_to(o, v, w) as g:
    t = g['k'] * old + failure
t = t * old * v * w * manager
""",
    "method": """
t = Model(x).run(y)
""",
    "method replaced": """
m = Model(x)
for i in range(3):
    with m.scaled(y * i) as me:
        t += me.at(x)
    if i == 1: m.scaled = lambda s: contextlib.nullcontext(m)
""",
    "method failing": """
m = Model(x)
for i in range(4):
    try:
        with m.scaled(y):
            t += m.at(1.0)
            if i == 1: raise ValueError
            t += m.at(2.0)
    except ValueError:
        t = t * m.s
""",
    "kept": """
c = Disk(x)
for i in range(3):
    t += c.area * y + c.volume
c.r = y
t += c.area
""",
    "deleted": """
c = Disk(x)
for i in range(4):
    t += c.area * i
    if i == 1:
        del c.area
        c.r = y
""",
    "overwritten": """
c = Disk(x)
d = c
for i in range(4):
    t += d.area * i
    c.area = c.area * y
""",
    "of subclasses": """
for k in (Disk, Sub, Computed):
    c = k(x)
    t += c.area * y + c.volume + c.area
""",
    "under another name": """
c = Aliased(x)
for i in range(2):
    t += c.surface * y + c.area
LOG.append(sorted(vars(c)))
""",
    "without a dict": """
c = Slotted()
c.r = x
try:
    t = c.area
except TypeError:
    t = x * y
""",
    "attributes": """
p = Pair(x, y)
for n in NAMES:
    setattr(p, n, getattr(p, n) * x)
    t += getattr(p, n)
t += getattr(p, 'zz', y) * len(n)
""",
    "attributes left": """
p = Pair(x, y)
for n in ('a', 'b'):
    t += getattr(p, n) * y
    if t > 0.5: break
""",
    "attributes of a list": """
p = Pair(x, y)
names = ['a']
for n in names:
    t += getattr(p, n)
    if len(names) < 3: names.append('b')
""",
    "properties": """
p = Property(x, y)
for n in ('a', 'c', 'b'):
    setattr(p, n, getattr(p, n) * y)
t = p.a * p.c
""",
    "names bound again": """
global NAMES
keep = NAMES
p = Pair(x, y)
for i in range(3):
    for n in NAMES: t += getattr(p, n) * (i + 1)
    NAMES = ('b', 'b', 'a')
NAMES = keep
""",
    "descriptors": """
b = Box(x, y)
for i in range(3):
    b.three = x * (i + 1)
    t += b.five * b.h
    b.h += y
    c = b
    c.w = b.w * b.h
t += b._w
""",
    "a descriptor that changes": """
b = Box(x, y)
t = b.w + b.three
Box.w.name, vars(Box)["three"].k = "_h", y
t += b.w * 2 + b.three
Box.w.name, vars(Box)["three"].k = "_w", 3.0
""",
    "a descriptor that cannot answer before": """
b = Remembered()
b.w = x * y
t += b.w
vars(Remembered)["w"].last = None
""",
    "kept where it is asked whether it is there": """
d = Disk(x)
t += hasattr(d, "area")
d.r = y
t += d.area * x
for n in ("volume", "none"):
    if hasattr(d, n): d.r = t
t += d.volume
""",
    "another value is kept in its place": """
keep, d = vars(Disk)["area"], Disk(x)
t += d.area
Disk.area = CUBED
t += d.area * Disk(y).area
Disk.area = keep
keep.func, square = cubed, keep.func
t += Disk(t).area
keep.func = square
""",
    "descriptors that raise": """
b = Box(x, y)
try:
    b.w = -x
except ValueError as e:
    t = b.w * y
""",
    "left after the first item": """
for v in itertools.islice([x, y, x * y], 2):
    t += v
    break
for i in range(3):
    for v in itertools.islice((x, y, t), 2):
        t += v * i
        if i == 1: continue
        break
    for v in itertools.islice([t, y], 3):
        try:
            t *= v
            break
        finally:
            t += x
for v in itertools.islice([x, t], 2):
    return t * v * y
""",
    "slices that nothing can be": """
for n in (-1, 1):
    try:
        for v in itertools.islice([x, y], n): t += v
        t += sum(itertools.islice([y, x], -n))
    except ValueError as e:
        LOG.append(str(e))
""",
    "keywords": """
for i in range(3):
    p = Wider(x, y, a=x * i, b=y)
    t += p.a * p.b * p.c * p.d
""",
}
"""The bodies of programs, behind `START`."""


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The programs, each a function called by its number."""
    texts = [BEFORE]
    for number, body in enumerate(PROGRAMS.values()):
        lines = [f"    {line}" for line in body.strip().splitlines()]
        texts.append("\n".join([f"def program_{number}(x, y):{START}", *lines, "    return t", "", ""]))
    return module_of("\n".join(texts), "managers_and_kept_values", tmp_path_factory)


START = "\n    o = {'k': x}\n    t = 0.0"


def program(module: ModuleType, name: str) -> Any:
    return getattr(module, f"program_{list(PROGRAMS).index(name)}")


def outcome(module: ModuleType, run: Callable[[], Any]) -> tuple[Any, ...]:
    module.LOG.clear()
    try:
        found = ("value", run())
    except Exception as error:
        found = ("error", (type(error), str(error), type(error.__cause__)))
    return (*found, list(module.LOG))


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(module: ModuleType, name: str) -> None:
    f, at = program(module, name), np.array([0.7, 1.3])
    expected = outcome(module, lambda: f(*at.tolist()))
    assert outcome(module, lambda: zg.pullback(f, *at.tolist())[0]) == expected
    if expected[0] == "value":
        found = [0.0 if bar is None else bar for bar in zg.gradient(f, *at.tolist())]
        assert found == pytest.approx(differences(lambda z: f(*z.tolist()), at), rel=1e-7, abs=1e-9)


QUICK = ["finally", "swallowed", "method", "kept", "attributes", "keywords"]


@pytest.mark.parametrize("name", QUICK)
def test_nothing_is_found_when_it_is_run(module: ModuleType, name: str) -> None:
    assert " = pull" not in zg.show_adjoint(program(module, name), 0.7, 1.3)


@contextlib.contextmanager
def doubled(v: Any) -> Iterator[Any]:
    yield v * 2


class Keeping:
    def __init__(self, r: float) -> None:
        self.r = r

    @functools.cached_property
    def square(self) -> float:
        return self.r**2

    @contextlib.contextmanager
    def doubled(self, v: Any) -> Iterator[Any]:
        yield v * 2


def uses(x: Any) -> Any:
    thing = Keeping(x)
    with doubled(x) as v, thing.doubled(x) as w:
        return v * w * thing.square


def test_what_is_replaced_between_calls_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    assert zg.gradient(uses, 0.5)[0] == pytest.approx(4 * 4 * 0.5**3)

    def tripled(v: Any) -> Iterator[Any]:
        yield v * 3

    cell = doubled.__closure__[0]  # type: ignore[attr-defined]
    monkeypatch.setattr(cell, "cell_contents", tripled)
    assert zg.gradient(uses, 0.5)[0] == pytest.approx(4 * 6 * 0.5**3)
    monkeypatch.setitem(globals(), "doubled", contextlib.nullcontext)
    assert zg.gradient(uses, 0.5)[0] == pytest.approx(4 * 2 * 0.5**3)
    monkeypatch.setattr(Keeping, "doubled", lambda self, v: contextlib.nullcontext(v))
    assert zg.gradient(uses, 0.5)[0] == pytest.approx(4 * 1 * 0.5**3)
    monkeypatch.setattr(Keeping, "square", property(lambda self: self.r))
    assert zg.gradient(uses, 0.5)[0] == pytest.approx(3 * 1 * 0.5**2)


class Answering(Keeping):
    def __getattribute__(self, name: str) -> Any:
        if name == "doubled":
            return lambda v: contextlib.nullcontext(v * 4)
        return object.__getattribute__(self, name)


def asks(x: Any) -> Any:
    with Answering(x).doubled(x) as v:
        return v * x


def test_methods_that_objects_give_themselves_are_refused() -> None:
    with pytest.raises(zg.UnsupportedSyntaxError, match="__getattribute__"):
        zg.gradient(asks, 0.5)


LOCK = threading.Lock()


def in_a_class(x: Any) -> Any:
    class Scale:
        factor = 2.0

    with np.errstate(all="ignore"):
        y = x[0] * Scale.factor
    with LOCK, contextlib.nullcontext() as nothing:
        y = y * x[1]
        assert nothing is None
    with contextlib.nullcontext(x) as same:
        return y * same[1]


def test_managers_that_do_nothing_stand_beside_classes() -> None:
    x = np.array([0.7, 1.3])
    np.testing.assert_allclose(zg.gradient(in_a_class, x)[0], differences(in_a_class, x), rtol=1e-7)
    product = zg.hvp(in_a_class, x, np.array([1.0, 0.0]))
    np.testing.assert_allclose(product, [0.0, 4 * x[1]], rtol=1e-9)
