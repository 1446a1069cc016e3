"""Variables that may have no value where a program reads them: the exception is that of a plain call, also
where nothing is done with what is read, or the answer does not depend on it."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg


class Box:
    """Something with a field."""

    def __init__(self, a: Any) -> None:
        self.a = a


BODIES = (
    """\
for i in range(2):
    o = c if isinstance(o, B) else c
return x*o.a
""",
    """\
for i in range(2):
    o = x*2 if np.iscomplexobj(o) else x*3
return o
""",
    """\
for i in range(2):
    o = c if hasattr(o, "a") else c
return x*o.a
""",
    """\
for i in range(2):
    match o:
        case B(): y=x
        case _: y=x*2
    o=c
return x*y
""",
    """\
for i in range(2):
    y = o is None
    o = c
return x*x
""",
    """\
for i in range(2):
    o
    o = c
return x*x
""",
    """\
for i in range(2):
    len(o)
    o = [x]
return x*x
""",
    """\
for i in range(2):
    t = (o, x)
    o = x
return x*x
""",
    """\
for i in range(2):
    if o: pass
    o = x
return x*x
""",
    """\
for i in range(2):
    type(o)
    o = x
return x*x
""",
    """\
for i in range(2):
    y = o.shape
    o = np.ones(3)
return x*x
""",
    """\
for i in range(2):
    z = lambda: o
    y = o == o
    o = 3
return x*x
""",
    """\
for i in range(2):
    y = x.shape if isinstance(x, np.ndarray) and isinstance(o, float) else 2.0
    o = x
return x*y
""",
    """\
for i in range(2):
    y = not o
    o = True
return x*x
""",
    """\
for i in range(2):
    y = f"{o}"
    o = True
return x*x
""",
    """\
if x > 100: o = c
return x*x if isinstance(o, B) else x
""",
    """\
if x > 100: o = c
assert isinstance(o, B)
return x*x
""",
    """\
if x > 100: o = x
print(end="") if o is None else None
return x*x
""",
    """\
if x > 100: o = x
a, b = o, x
return b*x
""",
    """\
if x > 100: o = x
d = {"a": o, "b": x}
return d["b"]*x
""",
    """\
if x > 100: o = x
def g(u=o): return x
return g()*x
""",
    """\
if x > 100: o = x
for e in (): o*o
return x * (1 if o is not None else 2)
""",
    """\
if x>100: o = [1,2]
y=o[:]
return x*x
""",
    """\
if x>100: o = [1,2]
for e in o: pass
return x*x
""",
    """\
if x>100: o = B(1)
o.a
return x*x
""",
    """\
if x>100: o = B(1)
o.a = x
return x*x
""",
    """\
if x>100: o = x
o += 1
return x*x
""",
    """\
if x>100: o = x
del o
return x*x
""",
    """\
if x>100: o = x
return x*x, o
""",
    """\
if x>100: o = x
y = o if x < 0 else x
z = 0*o
return y*y
""",
    """\
if x>100: o = 3
y = np.zeros(o)
return x*x
""",
    """\
if x>100: o = 3
y = range(o)
return x*x
""",
    """\
if x>100: o = 3
y = -o
return x*x
""",
    """\
if x>100: o = "a"
y = o.upper()
return x*x
""",
    """\
if x>100: o = c
y = zg.ignore(o)
return x*x
""",
    """\
try:
    y = isinstance(o, B)
except UnboundLocalError:
    y = 5.0
o = c
return x*y
""",
    """try: o
except NameError: o = x
return o*x
""",
    """try: nowhere
except NameError: return x*x
return x
""",
    """nowhere
return x*x
""",
    """x.nothing
return x*x
""",
    """c.nothing
return x*x
""",
    """np.nothing
return x*x
""",
    """{}["a"]
return x*x
""",
    """[1,2][5]
return x*x
""",
    """1/0
return x*x
""",
    """x.real, o
o = 1
return x*x
""",
    """(o)
o = 1
return x*x
""",
    """def g():
    o
    return x
y = g()
o = 1
return x*y
""",
    """def g():
    return x if o else x
y = g()
o = 1
return x*y
""",
    """o if x > 0 else 3
o = 1
return x*x
""",
    """not o
o = 1
return x*x
""",
    """o and x
o = 1
return x*x
""",
    """[o]
o = 1
return x*x
""",
    """o
o = x
return o*x
""",
    """x
return x*x
""",
    """if x>2:
    o=1
while x<100:
    o
    x=x*20
return x
""",
    """global nowhere
nowhere
return x*x
""",
    """lambda: o
o=1
return x*x
""",
    """_ = o
o = x
return x*o
""",
    """_ = o, x
o = x
return x*o
""",
    """_ = nowhere
return x*x
""",
    """try:
    nowhere.attr
    y = 1.0
except NameError:
    y = x
return y*x
""",
    """try:
    o.attr
    y = 1.0
except NameError:
    y = x
o=1
return y*x
""",
    """del x
x
return 3.0
""",
    """try: x
except NameError: x = 5.0
else: x = x*2
return x*x
""",
    """w = None
if x > 100: o = c
y = x if w is None else w
o = o
return y*y
""",
)


def program(body: str) -> Callable[[Any, Any], Any]:
    """A function of `x` and a box `c` with this body, and with its source where it is looked for."""
    text = "def program(x, c):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    filename = f"<names without values {BODIES.index(body)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    space: dict[str, Any] = {"np": np, "zg": zg, "B": Box}
    exec(compile(text, filename, "exec"), space)
    found: Callable[[Any, Any], Any] = space["program"]
    return found


def outcome(call: Callable[[], Any]) -> Any:
    """What a call gives, or how it ends."""
    try:
        return call()
    except zg.ZygpyError:
        raise
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize("body", BODIES)
def test_value_or_exception(body: str) -> None:
    f, box = program(body), Box(2.0)
    assert outcome(lambda: zg.pullback(f, 1.5, box)[0]) == outcome(lambda: f(1.5, box))


@pytest.mark.parametrize("body", BODIES)
def test_exception_of_derivatives(body: str) -> None:
    f, box = program(body), Box(2.0)
    plain = outcome(lambda: f(1.5, box))
    expected = plain if isinstance(plain, tuple) and isinstance(plain[0], type) else None
    pushed = outcome(lambda: zg.pushforward(lambda x: f(x, box), 1.5)(1.0))
    twice = outcome(lambda: zg.derivative(zg.derivative(lambda x: f(x, box)))(1.5))
    for found in (pushed, twice):
        assert (found if isinstance(found, tuple) and isinstance(found[0], type) else None) == expected
