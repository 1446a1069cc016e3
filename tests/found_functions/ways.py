"""Programs by the product of how a function is found, what it changes, where that lies and how it is read."""

from __future__ import annotations

import textwrap

FOUND = {
    "in a tuple": "for f in (g,): f(s, x)",
    "in a list": "fs = [other, g]\nfor f in fs: f(s, x)",
    "in a dict": 'fs = {{"g": g, "other": other}}\nfs["g"](s, x)',
    "in a global list": "for f in FUNCTIONS: f(s, x)",
    "in a global dict": 'TABLE["g"](s, x)',
    "in a global dict, by a list of keys": 'for key in ["other", "g"]: TABLE[key](s, x)',
    "among the values of a dict": "for f in TABLE.values(): f(s, x)",
    "by get": 'TABLE.get("g", other)(s, x)',
    "in a field": "HOLDER.f(s, x)",
    "in a field of a list": "for h in [HOLDER]: h.f(s, x)",
    "in a list in a field": "for f in HOLDER.fs: f(s, x)",
    "in a field of a local object": "h = Holder(g)\nh.f(s, x)",
    "by a method": "HOLDER.run(s, x)",
    "in a table of a class": 'Holder.table["g"](s, x)',
    "one of two": "f = g if x[0] > 0 else other\nf(s, x)",
    "a default": "def inner(v, f=g): f(s, v)\ninner(x)",
    "a default of the program": "given(s, x)",
    "handed on": "apply(g, s, x)",
    "handed on in a list": "apply_all(FUNCTIONS, s, x)",
    "handed on further": "apply_twice_removed(g, s, x)",
    "handed on by keyword": "apply(f=g, s=s, x=x)",
    "a lambda": "(lambda t, v: g(t, v))(s, x)",
    "a lambda in a list": "for f in [lambda v: g(s, v)]: f(x)",
    "a lambda in a dict": 'fs = {{"f": lambda v: g(s, v)}}\nfs["f"](x)',
    "an inner function in a list": "def inner(v): g(s, v)\nfs = [inner, lambda v: None]\nfor f in fs: f(x)",
    "made by a factory": "bound(s)(x)",
    "made by a factory, in a variable": "f = bound(s)\nf(x)",
    "made by a factory, in a list": "for f in [bound(s)]: f(x)",
    "a partial": "functools.partial(g, s)(x)",
    "a partial in a variable": "f = functools.partial(g, s)\nf(x)",
    "a partial in a dict": 'fs = {{"f": functools.partial(g, s)}}\nfs["f"](x)',
    "an object": "CALLING(s, x)",
    "an object in a list": "for f in [CALLING]: f(s, x)",
    "a local object in a list": "for f in [Calling()]: f(s, x)",
    "a bound method": "f = CALLING.run\nf(s, x)",
    "a bound method in a list": "for f in [Calling().run]: f(s, x)",
    "by getattr": 'getattr(CALLING, "r" + "un")(s, x)',
    "by map": "list(map(g, [s], [x]))",
    "by map of a lambda": "list(map(lambda v: g(s, v), [x]))",
    "by starmap": "list(itertools.starmap(g, [(s, x)]))",
    "by reduce": "functools.reduce(lambda t, v: (g(t, v), t)[1], [x], s)",
    "by reduce over functions": "functools.reduce(lambda t, f: (f(t, x), t)[1], FUNCTIONS, s)",
    "in a comprehension": "[f(s, x) for f in FUNCTIONS]",
    "in a generator": "for _ in (f(s, x) for f in FUNCTIONS): pass",
    "as a key": "sorted([x], key=lambda v: (g(s, v), 0)[1])",
    "in a callback of an object": "e = Events()\ne.on(g)\ne.fire(s, x)",
    "in a callback of a global object": "EVENTS.fire(s, x)",
    "by a decorator": "decorated(s, x)",
    "by the next of an iterator": "next(iter(FUNCTIONS[1:]))(s, x)",
    "composed": "composed(g, other)(s, x)",
    "by an operator": 'operator.itemgetter("g")(TABLE)(s, x)',
    "by a star": "FUNCTIONS[1](*(s, x))",
    "popped": "fs = [g]\nfs.pop()(s, x)",
}
"""Statements that have `g`, by no name that is known, change `s` by `x`."""

CHANGED = {
    "an item": 's["u"] = x * 2.0',
    "an item in place": 's["u"] = s["u"] + x * 2.0',
    "an array": 's["u"] += x * 2.0',
    "a slice": 's["u"][:] = x * 2.0',
    "a list": 's["list"].append(x * 2.0)\n    s["u"] = s["list"][-1]',
    "a field": 's["o"].u = x * 2.0\n    s["u"] = s["o"].u',
    "an inner dict": 's["d"]["k"] = x * 2.0\n    s["u"] = s["d"]["k"]',
    "by update": "s.update(u=x * 2.0)",
}

PLACES = {
    "a local dict": "s = fresh()",
    "a global dict": "s = STATE",
    "a dict that is an argument": "s = given_state",
    "a dict in a local list": "states = [fresh()]\ns = states[0]",
    "a dict in a global list": "s = STATES[0]",
}

READ = {
    "by its name": 's["u"]',
    "by another name": 'same["u"]',
    "by a copy": 'dict(s)["u"]',
}

_TEXT = """
import functools
import itertools
import operator

import numpy as np


class Thing:
    pass


def fresh():
    thing = Thing()
    thing.u = np.zeros(3)
    return {{"u": np.zeros(3), "list": [], "o": thing, "d": {{}}}}


STATE = fresh()
STATES = [STATE]


def reset():
    STATE.clear()
    STATE.update(fresh())


def g(s, x):
    {change}


def other(s, x):
    return 1.0


def apply(f, s, x):
    return f(s, x)


def apply_all(fs, s, x):
    for f in fs:
        f(s, x)


def apply_twice_removed(f, s, x):
    return apply(f, s, x)


def bound(s):
    return lambda x: g(s, x)


def composed(*fs):
    def run(s, x):
        for f in fs:
            f(s, x)

    return run


def logged(f):
    @functools.wraps(f)
    def run(*args, **kwargs):
        return f(*args, **kwargs)

    return run


decorated = logged(g)


def given(s, x, f=g):
    return f(s, x)


class Holder:
    table = {{"g": g}}

    def __init__(self, f):
        self.f = f
        self.fs = [other, f]

    def run(self, s, x):
        self.f(s, x)


class Calling:
    def __call__(self, s, x):
        return g(s, x)

    def run(self, s, x):
        return g(s, x)


class Events:
    def __init__(self):
        self.handlers = []

    def on(self, f):
        self.handlers.append(f)

    def fire(self, *args):
        for f in self.handlers:
            f(*args)


HOLDER, CALLING, EVENTS = Holder(g), Calling(), Events()
EVENTS.on(g)
FUNCTIONS = [other, g]
TABLE = {{"g": g, "other": other}}


def program(x, given_state):
{body}
"""


def text(found: str, changed: str, place: str, read: str) -> str:
    """The module of one case: its `program` gives the sum of three times the argument."""
    statements = [
        *PLACES[place].split("\n"),
        "same = s",
        *FOUND[found].replace("{{", "{").replace("}}", "}").split("\n"),
        f"return np.sum({READ[read]} + x)",
    ]
    body = textwrap.indent("\n".join(statements), "    ")
    return _TEXT.format(change=CHANGED[changed], body=body)
