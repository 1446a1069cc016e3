"""Ways in which `w` comes back to the caller as itself: by functions, containers, objects and iterators."""

from __future__ import annotations

import collections
import copy
import functools
import itertools
import operator
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

__all__ = ["collections", "copy", "functools", "itertools", "operator"]


class Box:
    def __init__(self, a: Any) -> None:
        self.a = a

    def get(self) -> Any:
        return self.a

    def first(self) -> Any:
        return self.a[0]

    @property
    def content(self) -> Any:
        return self.a

    @property
    def front(self) -> Any:
        return self.a[0]

    def __getitem__(self, i: int) -> Any:
        return self.a[i]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.a)

    def __call__(self) -> Any:
        return self.a

    def put(self, b: Any) -> Any:
        self.a = b
        return self


@dataclass
class Data:
    a: Any


class Slot:
    __slots__ = ("a",)

    def __init__(self, a: Any) -> None:
        self.a = a


class Proxy:
    def __init__(self, o: Any) -> None:
        self.__dict__["o"] = o

    def __getattr__(self, name: str) -> Any:
        return getattr(self.o, name)


class Shelf:
    def __init__(self) -> None:
        self.items: list[Any] = []

    def add(self, m: Any) -> Any:
        self.items.append(m)
        return self

    def last(self) -> Any:
        return self.items[-1]

    def each(self) -> Iterator[Any]:
        for item in self.items:
            yield item


class Upper(Shelf):
    def last(self) -> Any:
        return super().last()


Named = collections.namedtuple("Named", "a b")


def first(items):
    return items[0]


def entry(d):
    return d["k"]


def last_of(items):
    for m in items:
        pass
    return m


def first_of(items):
    for m in items:
        return m
    return None


def first_numbered(items):
    for _, m in enumerate(items):
        return m
    return None


def first_of_pairs(items):
    for m, _ in zip(items, items, strict=True):
        return m
    return None


def front(items):
    a, *_ = items
    return a


def of_several(*items):
    return items[0]


def of_keywords(**d):
    return d["k"]


def inner(items):
    return items[0][0]


def attribute(o):
    return o.a


def of_attribute(o):
    return o.a[0]


def chosen(items, i=None):
    return items[0] if i is None else items[i]


def of_list(items):
    return first(list(items))


def boxed(m):
    return Box(m).a


def enclosed(m):
    def g():
        return m

    return g()


def by_default(m, g=lambda z: z):
    return g(m)


def generated(items):
    for i in items:
        yield i


def recursive(items, n):
    return items[0] if n == 0 else recursive(items, n - 1)


def tried(items):
    try:
        return items[0]
    except IndexError:
        return None


def popped(items):
    return items.pop()


def either(items, c):
    if c > 0:
        return items[0]
    return items[1]


def swapped(a, b):
    return b, a


def got(d):
    return d.get("k")


def by_default_entry(d, m):
    return d.setdefault("k", m)


def rebuilt(items):
    return [i for i in items][0]


def rebuilt_dict(items):
    return {n: i for n, i in enumerate(items)}[0]


def mapped(items):
    return list(map(lambda z: z, items))[0]


def joined(items):
    return (items + items)[0]


def sliced(items):
    return items[:1][0]


def named_inside(items):
    return (m := items[0])


def by_lambda(items):
    return (lambda z: z[0])(items)


def next_of(items):
    return next(iter(items))


def reduced(items):
    return functools.reduce(lambda a, b: a, items)


def of_partial(m):
    return functools.partial(of_several, m)()


def matched(items):
    match items:
        case [m, *_]:
            return m
    return None


def of_items(d):
    for _, m in d.items():
        return m
    return None


def merged(d):
    return {**d}["k"]


def copied(items):
    return items.copy()[0]


def applied(f, *args, **kwargs):
    return f(*args, **kwargs)


def decorator(f):
    @functools.wraps(f)
    def g(*args, **kwargs):
        return f(*args, **kwargs)

    return g


@decorator
def decorated(items):
    return items[0]


@contextmanager
def lent(m):
    yield m


def within(m):
    with lent(m) as z:
        return z


def cell(m):
    def put():
        return m

    def take(z):
        nonlocal m
        m = z

    return put, take


def through_a_cell(m, other):
    put, take = cell(other)
    take(m)
    return put()


def raised(m):
    try:
        raise ValueError(m)
    except ValueError as e:
        return e.args[0]


def searched(items):
    i = 0
    while True:
        m = items[i]
        if i >= 0:
            break
    return m


def best(items):
    found = None
    for m in items:
        if found is None:
            found = m
    return found


def updated(d, m):
    d.update(k=m)
    return d["k"]


def extended(items, m):
    items.extend([m])
    return items[-1]


def inserted(items, m):
    items.insert(0, m)
    return items[0]


def replaced(items, m):
    items[:1] = [m]
    return items[0]


def stored(container, place, m):
    container[place] = m
    return container


def with_field(o, m):
    o.b = m
    return o.b


def by_setattr(o, m):
    setattr(o, "c", m)
    return getattr(o, "c")


WAYS = """
first([w, 1.0])
first((w, 1.0))
entry({'k': w})
last_of([w])
first_of([w])
first_numbered([w])
first_of_pairs([w])
front([w, u])
of_several(w, u)
of_keywords(k=w)
inner([[w]])
attribute(Box(w))
of_attribute(Box([w]))
attribute(Data(w))
attribute(Named(w, u))
Named(w, u).a
Named(w, u)._replace(b=1).a
Named(Named(w, 1), 2).a.a
Named._make([w, u]).a
chosen([w])
chosen([u, w], 1)
of_list((w,))
boxed(w)
enclosed(w)
by_default(w)
list(generated([w]))[0]
next(generated([w]))
[*generated([w])][0]
recursive([w], 2)
tried([w])
popped([w])
either([w, u], 1)
either([u, w], v[0] - 9)
swapped(w, u)[1]
got({'k': w})
by_default_entry({}, w)
by_default_entry({'k': w}, u)
rebuilt([w])
rebuilt_dict([w])
mapped([w])
joined([w])
sliced([w])
named_inside([w])
by_lambda([w])
next_of([w])
reduced([w, u])
of_partial(w)
matched([w, u])
of_items({'k': w})
merged({'k': w})
copied([w])
copy.copy([w])[0]
copy.copy(Box(w)).a
Box(w).get()
Box([w]).first()
Box(w).content
Box([w]).front
Box([w])[0]
list(Box([w]))[0]
Box(w)()
Box(u).put(w).a
Box(Box(w)).a.a
Data([w]).a[0]
Slot(w).a
Proxy(Box(w)).a
vars(Box(w))['a']
Box(w).__dict__['a']
getattr(Box(w), 'a')
applied(getattr, Box(w), 'a')
operator.attrgetter('a')(Box(w))
operator.itemgetter(0)([w])
operator.getitem([w], 0)
operator.concat([w], [u])[0]
operator.call(first, [w])
[w].__getitem__(0)
list(map([w].__getitem__, [0]))[0]
{'k': w}.get('k')
applied({'k': w}.get, 'k')
Shelf().add(w).last()
Upper().add(w).last()
list(Shelf().add(w).each())[0]
applied(first, [w])
applied(lambda z: z, w)
decorated([w])
within(w)
cell(w)[0]()
through_a_cell(w, u)
raised(w)
searched([w])
best([w, u])
updated({}, w)
extended([], w)
inserted([u], w)
replaced([u], w)
stored([0], 0, w)[0]
stored({}, 'k', w)['k']
with_field(Box(u), w)
by_setattr(Box(u), w)
functools.partial(first, [w])()
functools.partial(first)([w])
{**{'k': w}}['k']
dict(k=w)['k']
dict([('k', w)])['k']
collections.deque([w])[0]
collections.OrderedDict(k=w)['k']
list(zip([w], [u]))[0][0]
list(enumerate([w]))[0][1]
list(itertools.chain([w], [u]))[0]
list(itertools.accumulate([w, u], lambda a, b: a))[-1]
list(itertools.islice([w, u], 1))[0]
list(itertools.product([w], [u]))[0][0]
list(reversed([u, w]))[0]
sorted([[2, w], [1, u]], key=lambda z: z[0])[1][1]
max([[2, w], [1, u]], key=lambda z: z[0])[1]
max([w, u], key=lambda z: 1)
max(w, u, key=lambda z: 1)
min([u, w], key=lambda z: z is u)
max({'k': w}.values(), key=len)
min([w], key=len, default=None)
applied(max, [w, u], key=len)
({'k': w}).pop('k')
(w if v[0] > 0 else u)
(u if v[0] < 0 else first([w]))
""".strip().splitlines()
