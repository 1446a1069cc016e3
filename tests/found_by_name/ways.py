"""Programs by the product of how an object is found, handed on, changed and read."""

from __future__ import annotations

import textwrap

FOUND = {
    "global": "STATE",
    "item of a list": "LIST[0]",
    "item of a dict": 'DICT["s"]',
    "item by get": 'DICT.get("s")',
    "item of a tuple": "PAIR[1]",
    "field": "HOLDER.s",
    "field of a field": "HOLDER.holder.s",
    "class": "Holder.kept",
    "class, through an object": "HOLDER.kept",
    "closure": "found()",
    "result": "returned()",
    "one of two": "(STATE if x[0] > 0 else State())",
}
"""Expressions for the object, which is the same in all of them."""

CHANGED = {
    "array": "step",
    "field": "put",
    "list": "append",
    "dict": "enter",
    "item": "__setitem__",
    "call": "__call__",
    "property": "by_property",
    "in place": "__iadd__",
    "inner object": "inner_put",
    "by a function": "by_function",
    "operator": "__lshift__",
}
"""Methods that keep what they are given."""

_CALLS = {
    "step": "{s}.step({x})",
    "put": "{s}.put({x})",
    "append": "{s}.append({x})",
    "enter": "{s}.enter({x})",
    "__setitem__": "{s}[0] = {x}",
    "__call__": "{s}({x})",
    "by_property": "{s}.value = {x}",
    "__iadd__": "{s} += {x}",
    "inner_put": "{s}.inner.put({x})",
    "by_function": "kept_in({s}, {x})",
    "__lshift__": "{s} << {x}",
}

HANDED = {
    "directly": "s = {found}\nCHANGE(s, x)",
    "to a function": "@change(s, x)\nchange({found}, x)",
    "to a function of a function": "@change(s, x)\nthrough({found}, x)",
    "in a tuple": "@change_in(t)\nchange_in(({found}, x))",
    "in a list": "@change_in(t)\nchange_in([{found}, x])",
    "in a dict": "d = {{'s': {found}, 'x': x}}\nCHANGE(d['s'], d['x'])",
    "out of a tuple": "t = ({found}, x)\ns = t[0]\nCHANGE(s, t[1])",
    "unpacked": "s, v = {found}, x\nCHANGE(s, v)",
    "in a loop": "for s in [{found}]:\n    CHANGE(s, x)",
    "in a loop over both": "for s, v in zip([{found}], [x]):\n    CHANGE(s, v)",
    "in a loop in a function": "@loop(pairs)\nloop([({found}, x)])",
    "in a field": "o = Both({found}, x)\nCHANGE(o.s, o.x)",
    "in an object": "@change_object(o)\nchange_object(Both({found}, x))",
    "by a method": "@method(s, x)\nBoth({found}, x).change()",
    "as a keyword": "@change_keywords(**k)\nchange_keywords(s={found}, x=x)",
    "unpacked in a call": "@change(s, x)\nchange(*[{found}], x=x)",
    "to a local function": "def local(s):\n    CHANGE(s, x)\nlocal({found})",
    "in a comprehension": "@change(s, x)\n[change(s, x) for s in [{found}]]",
    "in a try": "try:\n    s = {found}\n    CHANGE(s, x)\nfinally:\n    x = x * 1.0",
    "in a branch": "s = None\nif x[1] > -5.0:\n    s = {found}\n    CHANGE(s, x)",
    "to an unknown function": "@change(s, x)\nFUNCTIONS[0]({found}, x)",
    "in a tuple, to an unknown function": "@change_in(t)\nFUNCTIONS[1](({found}, x))",
    "to a function as an argument": "@change(s, x)\napply(change, {found}, x)",
    "to a generator": "@generate(s, x)\nfor _ in generate({found}, x):\n    pass",
    "to a wrapped function": "@wrapped(s, x)\nwrapped({found}, x)",
    "captured": "s = {found}\ndef local():\n    CHANGEDEEP(s, x)\nlocal()",
}
"""Blocks that hand the object on and change it; `@` says whose body changes it."""

READ = {
    "by name": "STATE.read()",
    "in a list": "sum(s.read() for s in LIST)",
    "by a function": "reading()",
    "by an unknown function": "FUNCTIONS[2]()",
    "by the same expression": "({found}).read()",
}

_FUNCTIONS = {
    "change": ("s, x", "s, x"),
    "change_in": ("t", "t[0], t[1]"),
    "loop": ("pairs", ""),
    "change_object": ("o", "o.s, o.x"),
    "change_keywords": ("**k", "k['s'], k['x']"),
    "wrapped": ("s, x", "s, x"),
    "generate": ("s, x", "s, x"),
}

HEAD = """
import functools

import numpy as np


class Inner:
    def __init__(self):
        self.last = 0.0

    def put(self, x):
        self.last = x * 2.0


class State:
    def __init__(self):
        self.array = np.zeros(3)
        self.last = 0.0
        self.rows = []
        self.table = {}
        self.inner = Inner()

    def step(self, x):
        self.array[:] = x * 2.0

    def put(self, x):
        self.last = x * 2.0

    def append(self, x):
        self.rows.append(x * 2.0)

    def enter(self, x):
        self.table["x"] = x * 2.0

    def __setitem__(self, index, x):
        self.last = x * 2.0

    def __call__(self, x):
        self.last = x * 2.0

    @property
    def value(self):
        return self.last

    @value.setter
    def value(self, x):
        self.last = x * 2.0

    def __iadd__(self, x):
        self.last = x * 2.0
        return self

    def __lshift__(self, x):
        self.last = x * 2.0
        return self

    def read(self):
        total = np.sum(self.array) + np.sum(self.last) + np.sum(self.inner.last)
        for row in self.rows:
            total = total + np.sum(row)
        return total + sum(np.sum(row) for row in self.table.values())


class Holder:
    def __init__(self, s, holder=None):
        self.s = s
        self.holder = holder


STATE = State()
LIST = [STATE]
DICT = {"s": STATE}
PAIR = (1.0, STATE)
HOLDER = Holder(STATE, Holder(STATE))
Holder.kept = STATE


def reset():
    State.__init__(STATE)


def closure_over(state):
    def found():
        return state

    return found


found = closure_over(STATE)


def returned():
    return STATE


def reading():
    return STATE.read()


def kept_in(s, x):
    s.last = x * 2.0


def apply(function, *given):
    return function(*given)


def logged(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs)

    return inner
"""


def text(found: str, handed: str, changed: str, read: str) -> str:
    """The module of one program."""
    change = _CALLS[CHANGED[changed]]
    expression = FOUND[found]
    block = HANDED[handed]
    if block.startswith("@"):
        block = block.split("\n", 1)[1]
    block = _with_change(block.format(found=expression), change)
    body = f"{block}\nreturn {READ[read].format(found=expression)} + np.sum(x)"
    return "\n".join([HEAD, _functions(change), "", "", "def program(x):", textwrap.indent(body, "    "), ""])


def _with_change(block: str, change: str) -> str:
    """The block where `CHANGE(s, x)` is the change of `s`."""
    lines = []
    for line in block.split("\n"):
        stripped = line.strip()
        name = next((name for name in ("CHANGEDEEP(", "CHANGE(") if stripped.startswith(name)), None)
        if name is None:
            lines.append(line)
            continue
        s, x = stripped.removeprefix(name).removesuffix(")").split(", ")
        indent = line[: len(line) - len(stripped)]
        if name == "CHANGEDEEP(" and change.startswith("{s} +="):
            lines.append(f"{indent}nonlocal s")
        lines.append(indent + change.format(s=s, x=x))
    return "\n".join(lines)


def _functions(change: str) -> str:
    """The functions by which the object is changed."""
    in_loop = textwrap.indent(change.format(s="s", x="v"), "        ")
    parts = [f"def loop(pairs):\n    for s, v in pairs:\n{in_loop}\n"]
    for name in ("change", "change_in", "change_object", "change_keywords", "generate"):
        params, given = _FUNCTIONS[name]
        first, second = given.split(", ")
        end = "\n    yield 1.0" if name == "generate" else ""
        lines = f"s = {first}\n    " if name != "change" else ""
        parts.append(f"def {name}({params}):\n    {lines}{change.format(s='s', x=second)}{end}\n")
    parts.append("def through(s, x):\n    change(s, x)\n")
    parts.append("@logged\ndef wrapped(s, x):\n    change(s, x)\n")
    method = textwrap.indent(change.format(s="self.s", x="self.x"), "        ")
    parts.append(
        "class Both:\n    def __init__(self, s, x):\n        self.s = s\n        self.x = x\n\n"
        f"    def change(self):\n{method}\n"
    )
    parts.append("FUNCTIONS = [change, change_in, reading]\n")
    return "\n\n" + "\n\n".join(parts)
