"""Things that hold an array, ways to write to the array in them, and ways to read it afterwards."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Named(NamedTuple):
    b: Any
    x: Any


class Thing:
    def __init__(self, b: Any, x: Any) -> None:
        self.b, self.x = b, x


@dataclasses.dataclass
class Data:
    b: Any
    x: Any


class Slotted:
    __slots__ = ("b", "x")

    def __init__(self, b: Any, x: Any) -> None:
        self.b, self.x = b, x


def fill(b: Any, x: Any) -> None:
    b[:] = x**2


def double(v: Any) -> None:
    v[...] = v * 2.0


def plainly(function: Callable[..., Any]) -> Callable[..., Any]:
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return wrapped


filled = plainly(fill)

HOLDERS = {
    "tuple": ("(b, x)", "t[0]", "t[1]"),
    "list": ("[b, x]", "t[0]", "t[1]"),
    "dict": ('{"b": b, "x": x}', 't["b"]', 't["x"]'),
    "named tuple": ("Named(b, x)", "t.b", "t.x"),
    "object": ("Thing(b, x)", "t.b", "t.x"),
    "dataclass": ("Data(b, x)", "t.b", "t.x"),
    "slots": ("Slotted(b, x)", "t.b", "t.x"),
    "tuple in a tuple": ("((b,), x)", "t[0][0]", "t[1]"),
    "list in a tuple": ("([b], x)", "t[0][0]", "t[1]"),
    "tuple in a list": ("[(b, x)]", "t[0][0]", "t[0][1]"),
    "tuple in a dict": ('{"k": (b, x)}', 't["k"][0]', 't["k"][1]'),
    "list in an object": ("Thing([b], x)", "t.b[0]", "t.x"),
    "dict in an object": ('Thing({"b": b}, x)', 't.b["b"]', "t.x"),
    "object in a list": ("[Thing(b, x)]", "t[0].b", "t[0].x"),
    "object in a tuple": ("(Thing(b, x),)", "t[0].b", "t[0].x"),
    "object in an object": ("Thing(Thing(b, x), x)", "t.b.b", "t.x"),
    "view": ("(b[::-1], x)", "t[0]", "t[1]"),
    "reshaped": ("Thing(b.reshape(3), x)", "t.b", "t.x"),
    "closure": ("(lambda: b, x)", "t[0]()", "t[1]"),
}
"""What is handed in; how the array in it, and the argument, are found."""

WRITES = (
    ("{b}[:] = {x}**2",),
    ("{b}[:] += {x}**2",),
    ("{b}[1] = {x}[0]**2",),
    ("q = {b}", "q[:] = {x}**2"),
    ("q = {b}", "q += {x}**2"),
    ("for i in range(3):", "    {b}[i] = {x}[i]**2"),
    ("fill({b}, {x})",),
    ("fill(x={x}, b={b})",),
    ("fill(*({b}, {x}))",),
    ("filled({b}, {x})",),
    ("np.copyto({b}, {x}**2)",),
    ("np.square({x}, out={b})",),
    ("np.add.at({b}, [0, 0, 1], {x}**2)",),
    ("{b}.fill({x}[0])",),
    ("fill({b}, {x})", "double({b})"),
    ("q = {b}[1:]", "q[:] = {x}[1:]**2"),
    ("for q in ({b},):", "    q[:] = {x}**2"),
    ("if {x}[0] > 0:", "    {b}[:] = {x}**2"),
    ("{b}.T[:] = {x}**2",),
    ("{b}[{b} == 0] = {x}[0]**2",),
    ("try:", "    {b}[:] = {x}**2", "finally:", "    {b}[0] = {x}[2]"),
    ("n = 0", "while n < 2:", "    {b}[n] = {x}[n]**2", "    n += 1"),
)
"""What is done to the array."""

READS = (
    ("h = {holder}", "w(h)", "return np.sum(b * x)"),
    ("w({holder})", "return np.sum(b * x)"),
    ("h = {holder}", "w(h)", "return np.sum({in_h} * x)"),
    ("h = {holder}", "v = b[1:]", "w(h)", "return np.sum(v * x[1:])"),
    ("h = {holder}", "w(h)", "b *= x", "return np.sum({in_h} * x)"),
    ("h = {holder}", "r = w(h)", "return np.sum(r * x) + np.sum(b)"),
    ("h = {holder}", "s = 0.0", "for _ in range(2):", "    w(h)", "    s = s + np.sum(b * x)", "return s"),
    ("w(t={holder})", "return np.sum(b * x)"),
    ("further(w, {holder})", "return np.sum(b * x)"),
    ("h = {holder}", "y = b * x", "w(h)", "return np.sum(y * b)"),
    ("for h in ({holder},):", "    w(h)", "return np.sum(b * x)"),
    ("wrapped({holder})", "return np.sum(b * x)"),
)
"""How the caller sees it."""

STARTS = ("b = np.zeros(3)", "b = x * 0.5")


def further(function: Callable[..., Any], thing: Any) -> Any:
    return function(thing)


def text(name: str, holder: str, write: tuple[str, ...], read: tuple[str, ...], start: str) -> str:
    """The text of a program."""
    made, b, x = HOLDERS[holder]
    body = [line.replace("{b}", b).replace("{x}", x) for line in write]
    in_h = "h" + b.removeprefix("t")
    after = [line.replace("{holder}", made).replace("{in_h}", in_h) for line in read]
    lines = [f"def w_{name}(t):", *indented([*body, f"return {b}"])]
    lines += [f"wrapped_{name} = plainly(w_{name})"]
    renamed = [line.replace("wrapped(", f"wrapped_{name}(").replace("w(", f"w_{name}(") for line in after]
    renamed = [line.replace(f"wrapped_{name}w_{name}(", f"wrapped_{name}(") for line in renamed]
    renamed = [line.replace("further(w,", f"further(w_{name},") for line in renamed]
    lines += [f"def {name}(x):", *indented([start, *renamed])]
    return "\n".join(lines) + "\n\n"


def indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


__all__ = ["Data", "Named", "Slotted", "Thing", "double", "fill", "filled", "further", "np", "plainly"]
