"""The programs: things of all sorts, places that keep them, ways of handing them on, changes and exits."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

HEAD = """
from collections import deque

import numpy as np


class Box:
    def __init__(self, q):
        self.q = q


class Keeper:
    pass


def counting(s):
    total = s

    def add(k):
        nonlocal total
        total = total * k
        return total

    return add


first, second = None, None
"""

THINGS = {
    "array": ("np.array([s, y, s * y])", "t *= s", "(t * t).sum()"),
    "written": ("np.array([s, y]) * x", "t[0] = t[1] * s", "t[0] * t[1]"),
    "view": ("np.array([y, s, x * s])[1:]", "t[0] += t[1] * s", "(t * t).sum()"),
    "list": ("[s, y]", "t[0] = t[1] * s", "t[0] * t[-1] + len(t)"),
    "longer": ("[s]", "t.append(t[0] * s)", "sum(t) * t[-1]"),
    "dict": ('{"q": s}', 't["q"] = t["q"] * s', 't["q"] ** 2'),
    "object": ("Box(s)", "t.q = t.q * s", "t.q * t.q"),
    "queue": ("deque([s, y], 2)", "t.append(t[0] * s)", "t[0] * t[1]"),
    "closure": ("counting(s)", "t(s)", "t(1.0) ** 2"),
    "nested": ("[Box(s)]", "t[0].q *= s", "t[0].q * t[0].q"),
    "tuple": ("(Box(s), [s])", "t[1][0] *= t[0].q", "t[0].q * t[1][0]"),
}
"""How a thing is made of a number `s`, how `t` is changed, and what is read of it."""

PLACES = {
    "variables": ("h0, h1 = {a}, {b}", "h0", "h1"),
    "list": ("h = [{a}, {b}]", "h[0]", "h[1]"),
    "dict": ('h = {{"a": {a}, "b": {b}}}', 'h["a"]', 'h["b"]'),
    "object": ("h = Keeper()\n    h.a, h.b = {a}, {b}", "h.a", "h.b"),
    "global": ("global first, second\n    first, second = {a}, {b}", "first", "second"),
    "deep": ('h = {{"k": [{a}, Keeper()]}}\n    h["k"][1].b = {b}', 'h["k"][0]', 'h["k"][1].b'),
    "cells": ("h0, h1 = {a}, {b}\n    look = lambda: (h0, h1)", "h0", "h1"),
}
"""How two places begin, and their names."""

HANDINGS = {
    "at once": ["{0}, v = v, {new}"],
    "in turn": ["{0} = v", "v = {new}"],
    "moved up": ["{1}, {0} = {0}, v", "v = {new}"],
    "moved down": ["{1} = {0}", "{0} = v", "v = {new}"],
    "one of two": ["if i % 2:", "    {0} = v", "else:", "    {1} = v", "v = {new}"],
    "made before": ["made = {new}", "{0} = v", "v = made"],
    "exchanged": ["{0}, {1} = {1}, {0}", "{1}, v = v, {0}"],
    "seldom": ["if i != 1:", "    {0}, v = v, {new}"],
}

EXITS = {
    "none": ([], []),
    "break": (["if i == 2:", "    break"], ["else:", "    s = s * 5"]),
    "continue": (["if i == 1:", "    continue"], []),
    "else": ([], ["else:", "    s = s * y"]),
}

LOOPS = {
    "for": ("for i in range(4):", []),
    "while": ("i = -1\n    while i < 3:", ["i += 1"]),
    "items": ("for i, u in enumerate([x, y, x, y]):", ["s = s * u"]),
}


class Case(NamedTuple):
    """One program of the product."""

    thing: str
    place: str
    handing: str
    changed: int
    early: bool
    exit: str
    loop: str

    def text(self, name: str) -> str:
        """The program as a function of two numbers."""
        new, change, read = THINGS[self.thing]
        begin, *places = PLACES[self.place]
        known = [*places, "v"]
        handing = [line.format(*places, new=new) for line in HANDINGS[self.handing]]
        changing = [f"t = {known[self.changed]}", change]
        leave, behind = EXITS[self.exit]
        head, start = LOOPS[self.loop]
        middle = [*changing, *leave, *handing] if self.early else [*handing, *leave, *changing]
        body = [*start, "s = s * 1.1 + y", *middle]
        made = begin.format(a=new, b=new.replace("s", "(s + 0.1)", 1))
        ends = "\n    ".join(f"t = {one}\n    r = r + {k} * ({read})" for k, one in enumerate(known, 2))
        rounds = "\n        ".join(body)
        after = "".join(f"\n    {line}" for line in behind)
        return (
            f"def {name}(x, y):\n    s = x * y\n    {made}\n    v = {new}\n    {head}\n"
            f"        {rounds}{after}\n    r = s\n    {ends}\n    return r\n"
        )


def cases() -> Iterator[Case]:
    """All of them."""
    sorts = (THINGS, PLACES, HANDINGS, range(3), (True, False), EXITS, LOOPS)
    return itertools.starmap(Case, itertools.product(*sorts))
