"""Programs with the calls to make of them: text of a module that defines `f`, and argument lists.

`log` is a list of the module; every program is run plainly and through normalise, and value, log, arguments
and exception are compared.
"""

from __future__ import annotations

PRELUDE = '''
from contextlib import contextmanager
log = []
def say(x, *rest):
    log.append((x, *rest))
    return x
@contextmanager
def entered(name, swallow=()):
    log.append(("enter", name))
    try:
        yield name
    except swallow:
        log.append(("swallowed", name))
    finally:
        log.append(("exit", name))
class Box:
    __match_args__ = ("x", "y")
    def __init__(self, x=0, y=0):
        self.x, self.y = x, y
    def __repr__(self):
        return f"Box{tuple(vars(self).values())}"
    def __enter__(self):
        log.append("enter")
        return self
    def __exit__(self, *error):
        log.append(("exit", error[0]))
        return self.x == "swallow"
class Odd:
    """Comparisons that are no bools, and a truth that tells."""
    def __init__(self, name, true): self.name, self.true = name, true
    def __repr__(self): return self.name
    def __lt__(self, other): log.append(("lt", self.name)); return Odd(self.name + "<", self.true)
    def __bool__(self): log.append(("bool", self.name)); return self.true
'''

PROGRAMS: dict[str, tuple[str, list[str]]] = {}


def program(name: str, text: str, *calls: str) -> None:
    PROGRAMS[name] = (text.lstrip(), list(calls))


program(
    "early return",
    """
def f(x):
    if x > 0: return 'a'
    say(x)
    return 'b'
""",
    "1",
    "-1",
)

program(
    "elif returns",
    """
def f(x):
    if x == 0: return 0
    elif x == 1: y = 5
    elif x == 2: return 7
    else: y = say(9)
    say(y)
    return y + 1
""",
    "0",
    "1",
    "2",
    "3",
)

program(
    "hidden return",
    """
def f(a, b):
    if a:
        if b: return say(1)
        say(2)
    say(3)
    return 4
""",
    "0, 0",
    "0, 1",
    "1, 0",
    "1, 1",
)

program(
    "returns in both arms, dead code",
    """
def f(x):
    if x: return 1
    else: return 2
    say('dead')
""",
    "0",
    "1",
)

program(
    "falls off",
    """
def f(x):
    if x: return 1
""",
    "0",
    "1",
)

program(
    "nothing",
    """
def f():
    pass
""",
    "",
)

program(
    "only docstring",
    """
def f():
    'text'
""",
    "",
)

program(
    "return nothing",
    """
def f(x):
    if x: return
    say(x)
    return
""",
    "0",
    "1",
)

program(
    "deep hidden returns",
    """
def f(a, b, c):
    if a:
        if b:
            if c: return 1
            say('c')
        elif c: return 2
        say('b')
    else:
        if b and c: return 3
    say('end')
    return 4
""",
    "0, 0, 0",
    "0, 0, 1",
    "0, 1, 0",
    "0, 1, 1",
    "1, 0, 0",
    "1, 0, 1",
    "1, 1, 0",
    "1, 1, 1",
)

program(
    "conditional",
    """
def f(x):
    return say(1) if say(x) else say(2)
""",
    "0",
    "1",
)

program(
    "conditional chain",
    """
def f(x):
    y = 1 if x < 1 else 2 if x < 2 else 3 if x < 3 else 4
    return y
""",
    "0",
    "1",
    "2",
    "3",
)

program(
    "conditional to itself",
    """
def f(x):
    x = x + 1 if x < 3 else x
    x = -x if x else x
    return x
""",
    "1",
    "5",
)

program(
    "raise in an arm",
    """
def f(x):
    if x: raise ValueError(x)
    else: y = 1
    return y
""",
    "0",
    "3",
)

program(
    "raise closes",
    """
def f(x):
    if x == 1: return 1
    elif x == 2: raise KeyError('k')
    else: say(1)
    return 5
""",
    "1",
    "2",
    "3",
)

program(
    "raise from",
    """
def f(x):
    raise ValueError(say(1)) from KeyError(say(2))
""",
    "0",
)

program(
    "raise class",
    """
def f(x):
    raise ValueError
""",
    "0",
)

program(
    "bare raise",
    """
def f():
    raise
""",
    "",
)

program(
    "assert",
    """
def f(x):
    assert x, say('message')
    return 1
""",
    "0",
    "1",
)

program(
    "assert without text",
    """
def f(x):
    assert not x
    return 1
""",
    "0",
    "1",
)

program(
    "assert, shadowed",
    """
def f(x):
    AssertionError = 3
    assert x
    return AssertionError
""",
    "0",
    "1",
)

program(
    "constant tests",
    """
def f(x):
    if 0: x = 1
    if 1: x += 2
    if '' or None: x += 4
    return x
""",
    "0",
)

program(
    "and",
    """
def f(a, b):
    return say(a) and say(b) and say(3)
""",
    "0, 1",
    "1, 0",
    "1, []",
    "[], 1",
    "2, 3",
)

program(
    "or",
    """
def f(a, b):
    return say(a) or say(b) or say('')
""",
    "0, 1",
    "1, 0",
    "0, []",
)

program(
    "mixed",
    """
def f(a, b, c):
    return a and not b or c and (a or b)
""",
    "0, '', 0",
    "0, '', 3",
    "0, 2, 0",
    "0, 2, 3",
    "1, '', 0",
    "1, '', 3",
    "1, 2, 0",
    "1, 2, 3",
)

program(
    "condition",
    """
def f(a, b):
    if say(a) and (say(b) or not say(a)): return 1
    return 2
""",
    "0, 0",
    "0, 1",
    "1, 0",
    "1, 1",
)

program(
    "to itself",
    """
def f(x, y):
    x = x and y
    y = x or y
    x = x or x
    return x, y
""",
    "0, 1",
    "1, 0",
    "1, 2",
)

program(
    "odd truth",
    """
def f(t):
    a, b = Odd('a', t), Odd('b', t)
    x = a and b
    y = not a
    z = a or b
    if a and b: log.append('yes')
    while not (a or b): break
    return repr((x, y, z))
""",
    "True",
    "False",
)

program(
    "chain",
    """
def f(a, b, c):
    return say(a) < say(b) <= say(c)
""",
    "1, 2, 3",
    "2, 1, 0",
    "1, 3, 2",
)

program(
    "chain of odd",
    """
def f(t):
    a, b = Odd('a', t), Odd('b', True)
    r = a < b < a
    if a < b < a: say(1)
    return repr(r)
""",
    "True",
    "False",
)

program(
    "chain of kinds",
    """
def f(x, xs):
    return x in xs != [] is not None, 1 < x == x, not x in xs
""",
    "3, [3]",
    "4, [3]",
    "1, []",
)

program(
    "chain in while",
    """
def f(n):
    i = 0
    while 0 <= i < n: i += 1
    return i
""",
    "4",
    "0",
)

program(
    "walrus",
    """
def f(x):
    if (n := say(x)) > 2 and (m := n * 2) < 10: return n, m
    return n
""",
    "1",
    "3",
    "9",
)

program(
    "walrus order",
    """
def f(x):
    return x + (x := 3) + x, [x, (x := 5), x], {x: (x := 6)}, (x := 1) + (x := 2)
""",
    "10",
)

program(
    "walrus in call",
    """
def g(*a, **k): return a, k
def f(x):
    return g(x, (x := 2), *[x, (x := 4)], k=x, m=(x := 9))
""",
    "1",
)

program(
    "walrus in index",
    """
def f(i):
    a = [[1, 2], [3, 4]]
    a[i][(i := 1)] += (i := 7)
    return a, i, a[0][(i := 0):(i := 2)]
""",
    "0",
)

program(
    "walrus in comparison",
    """
def f(x):
    return x < (x := 5) < x + 1, x == (x := 2) == x
""",
    "1",
    "9",
)

program(
    "walrus aug",
    """
def f(x):
    x += (x := 10)
    return x
""",
    "1",
)

program(
    "walrus while",
    """
def f(xs):
    out = []
    while (v := xs.pop()) > 0: out.append(v)
    return out, v
""",
    "[0, 1, 2]",
)

program(
    "walrus in comprehension",
    """
def f(xs):
    a = [last := x * 2 for x in xs]
    return a, last
""",
    "[1, 2]",
)

program(
    "for else",
    """
def f(xs):
    for x in xs:
        if x > 2: break
        say(x)
    else: say('else')
    return x
""",
    "[1, 5, 6]",
    "[1, 2]",
)

program(
    "while else",
    """
def f(x):
    while x > 0:
        x -= 1
        if x == 5: break
    else: return 'else'
    return 'broke'
""",
    "9",
    "3",
    "0",
)

program(
    "else leaves outer",
    """
def f(xs):
    for x in xs:
        for y in x:
            if y: break
        else:
            say('continue')
            continue
        say(y)
        for z in x:
            if z == 3: break
        else:
            break
    return x
""",
    "[[0], [1, 3], [0, 2], [5]]",
    "[]",
)

program(
    "continue",
    """
def f(xs):
    s = 0
    for x in xs:
        if x % 2:
            if x == 3: continue
            say(x)
        s += x
    return s
""",
    "range(7)",
)

program(
    "continue in while",
    """
def f(x):
    while x:
        x -= 1
        if x == 2: continue
        elif x == 1: say('one')
        say(x)
    return x
""",
    "5",
)

program(
    "nested returns",
    """
def f(xs, t):
    for x in xs:
        for y in x:
            if y == t: return x, y
            say(y)
        else: say('-')
        say(x)
    say('end')
""",
    "[[1, 2], [3]], 2",
    "[[1, 2], [3]], 3",
    "[[1], []], 9",
)

program(
    "return from while true",
    """
def f(x):
    while True:
        x -= 1
        if x < 0: return say(x)
        for y in range(x):
            if y == 3: return 'three'
            if y == 2: break
""",
    "3",
    "9",
)

program(
    "endless loops nested",
    """
def f(x):
    while True:
        while True:
            x += 1
            if x > 5: return x
            if x % 2: break
        say(x)
""",
    "0",
)

program(
    "endless loop in for",
    """
def f(xs):
    for x in xs:
        while 1:
            x += 1
            if x == 5: return 'five'
            if x > 9: return x
    return 'none'
""",
    "[8, 1]",
    "[]",
)

program(
    "break and else and return",
    """
def f(xs, b, r):
    for x in xs:
        if x == b: break
        if x == r: return 'r'
    else:
        return say('else')
    return say('broke')
""",
    "[1, 2], 1, 2",
    "[1, 2], 2, 1",
    "[1, 2], 3, 3",
)

program(
    "many exits",
    """
def f(xs):
    out = []
    for i, x in enumerate(xs):
        if x < 0:
            if x == -1: continue
            elif x == -2: break
            elif x == -3: return out, 'r'
            out.append(i)
        elif x > 5:
            for y in range(x):
                if y == 3: continue
                if y == 6: break
                out.append(y)
            else: continue
        out.append(x)
    else: out.append('else')
    return out
""",
    "[1, -1, 6, -4, 7]",
    "[1, -2, 6]",
    "[8, -3]",
    "[]",
)

program(
    "flags and small rest",
    """
def f(x):
    for i in range(5):
        if x > i:
            if x == 3: break
            say(i)
        x -= 1
        say(x)
    return x
""",
    "3",
    "4",
    "2",
)

program(
    "loop targets",
    """
def f(xs):
    b = Box()
    d = {}
    for b.x, (d['k'], *c), in xs: say(b.x, d['k'], c)
    for [p, (q, r)] in [(1, (2, 3))]: say(p, q, r)
    return b, d, p
""",
    "[(1, (2, 3, 4)), (5, 'ab')]",
)

program(
    "iterates",
    """
def f(n, xs):
    s = 0
    for i in range(1, n, 2): s += i
    for i, (x, y) in enumerate(zip(xs, reversed(xs), strict=True), start=3): s += i * x * y
    for x in reversed(range(n)): s = s * 2 + x
    for x, in zip(*[xs]): s += x
    return s, i
""",
    "7, [1, 2, 3]",
)

program(
    "shadowed range",
    """
def f(range):
    s = []
    for i in range(3): s.append(i)
    return s
""",
    "lambda n: 'abc'",
)

program(
    "dict items",
    """
def f(d):
    for k, v in d.items(): say(k, v)
    for k in d: say(k)
    return k, v
""",
    "{'a': 1, 'b': 2}",
)

program(
    "loop rebinds its iterable",
    """
def f(xs):
    for xs in xs: say(xs)
    return xs
""",
    "[1, [2]]",
)

program(
    "unpack errors",
    """
def f(xs):
    for a, b in xs: say(a)
    return b
""",
    "[(1, 2), (3,)]",
    "[(1, 2, 3)]",
)

program(
    "del in loop",
    """
def f(xs):
    while xs:
        x = xs[-1]
        del xs[-1], x
    return x
""",
    "[1, 2]",
    "[]",
)

program(
    "loop without body",
    """
def f(xs):
    for x in xs: continue
    for x in xs: pass
    while xs: break
    return x
""",
    "[1, 2]",
)

program(
    "with",
    """
def f(x):
    with entered('a') as a, entered(a + 'b') as b:
        say(b)
    return a, b
""",
    "0",
)

program(
    "with return",
    """
def f(x):
    with entered('a'):
        if x: return say(1)
        say(2)
    return 3
""",
    "0",
    "1",
)

program(
    "with in loop",
    """
def f(xs):
    for x in xs:
        with entered(x):
            if x == 1: continue
            if x == 2: break
            if x == 3: return 'r'
            say('body')
        say('after')
    else: say('else')
    return 'end'
""",
    "[0, 1, 4]",
    "[1, 2, 5]",
    "[3, 4]",
)

program(
    "with swallows",
    """
def f(x):
    y = 0
    with entered('a', ZeroDivisionError):
        y = 1 / x
        return y
    say(y)
    return 'swallowed'
""",
    "0",
    "2",
)

program(
    "with swallows parallel",
    """
def f(x):
    a = b = 0
    with entered('s', ZeroDivisionError):
        a, b = say(1), 1 / x
    return a, b
""",
    "0",
    "1",
)

program(
    "with targets",
    """
def f(x):
    b = Box()
    with Box(1, (2, 3)) as b.x: say(b.x.y)
    with entered('ab') as (p, q): say(p, q)
    return b.x.x
""",
    "0",
)

program(
    "with raises",
    """
def f(x):
    with Box('swallow'): raise ValueError
    with Box(): raise KeyError(x)
""",
    "0",
)

program(
    "loop in with in loop",
    """
def f(xs):
    for x in xs:
        with entered(x):
            for y in range(x):
                if y == 2: return 'two', x
                if y == 1: break
            else: continue
            say(y)
        say('tail')
""",
    "[0, 1, 2, 3]",
    "[]",
)

program(
    "swap",
    """
def f(x, y, z):
    x, y = y, x
    y, z, x = z, x, y
    x, y = y, x + y
    return x, y, z
""",
    "1, 2, 3",
)

program(
    "parallel",
    """
def f(x):
    a, b = say(1), say(2)
    (a, c), [d, e] = (b, a), (say(3), x)
    a, b = b, [a, b]
    return a, b, c, d, e
""",
    "9",
)

program(
    "parallel into places",
    """
def f(a):
    i = 0
    i, a[i] = say(1), say(2)
    a[i], i = i, 0
    a[i], a[i + 1] = a[i + 1], a[i]
    return a, i
""",
    "[7, 8, 9]",
)

program(
    "unpack",
    """
def f(xs):
    a, *b = xs
    *c, d = xs
    (e, (g, *h)), i = [b[0], b], a
    [j, k] = xs[:2]
    return a, b, c, d, e, g, h, i, j, k
""",
    "[(1, 2), (3, 4), 5]",
    "[1]",
    "[]",
)

program(
    "unpack into places",
    """
def f(xs):
    a = [0, 0, 0]
    i, a[i], *a[1:] = xs
    a[i], i = xs[:2]
    i, (i, j) = xs[0], (i, i)
    return a, i, j
""",
    "[1, 2, 3]",
    "[0, 5, 6, 7]",
)

program(
    "unpack swapped places",
    """
def f(a, i):
    a[i], i, i = a
    return a, i
""",
    "[2, 1, 0], 1",
)

program(
    "empty targets",
    """
def f(xs):
    () = xs
    [] = []
    for () in [xs]: say('x')
    return 1
""",
    "()",
    "[1]",
)

program(
    "chained",
    """
def f(a):
    x = y = a[0] = say([1])
    i = a[i] = 1
    x = x = y = z = i
    return a, x, y, z, i
""",
    "[0, 0]",
)

program(
    "chained with unpacking",
    """
def f(x):
    x, y = z = x
    a = b, *c = z
    return x, y, z, a, b, c
""",
    "(1, 2)",
    "'ab'",
)

program(
    "annotated",
    """
def f(x: int) -> missing:
    y: missing = x
    z: missing
    b = Box()
    b.x: missing = 4
    return y, b
""",
    "1",
)

program(
    "unbound by annotation",
    """
def f(x):
    if x: y: int = 1
    else: y: int
    return y
""",
    "1",
    "0",
)

program(
    "order of targets",
    """
def f(x):
    a = [[0], [0]]
    a[say(0)][say(0)] = say(5)
    a[say(1)][0], a[say(0)] = say('v'), say('w')
    return a
""",
    "0",
)

program(
    "augmented",
    """
def f(x, a, b):
    x += 1; x *= x; x -= 2; x /= 2; x //= 1; x **= 2; x %= 50
    a += [1]; a[0] -= 3; a[:1] *= 2; b.x |= 4; b.x <<= say(1)
    return x, a, b
""",
    "5, [1, 2], Box(3)",
)

program(
    "augmented once",
    """
def f(a):
    def place(): return say(a)
    place()[say(0)] += say(10)
    b = Box(1)
    def box(): say('box'); return b
    box().x -= say(1)
    return a, b
""",
    "[1]",
)

program(
    "augmented by a writer",
    """
def f(a, b):
    def write(): a[0] = 100; b.x = 200; return 1
    a[0] += write()
    b.x += write()
    a[0] += abs(a[1])
    return a, b
""",
    "[1, -2], Box(5)",
)

program(
    "augmented alias",
    """
def f(a):
    b = a
    b += [1]
    c = a
    c = c + [2]
    return a, b is a, c
""",
    "[0]",
)

program(
    "delete",
    """
def f(a, b):
    x = 1
    del x, a[0], (b.x, [a[1]])
    return a, b.__dict__, x
""",
    "[1, 2, 3], Box()",
)

program(
    "unbound",
    """
def f(c):
    if c: x = 1
    return x
""",
    "1",
    "0",
)

program(
    "globals",
    """
total = 1
def f(x):
    global total, fresh
    total += x
    fresh = total
    (fresh, total) = total, fresh + 1
    return total, fresh
""",
    "4",
)

program(
    "global loop variable",
    """
def f(n):
    global i
    for i in range(n): pass
    return i
""",
    "3",
)

program(
    "order of operands",
    """
def f(x):
    return say(1) + say(2) * say(3) - -say(4) ** say(5)
""",
    "0",
)

program(
    "order in calls",
    """
def g(*a, **k): return a, k
def f(x):
    return g(say(1), *say([2]), say(3), k=say(4), **say({'m': 5}), n=say(6))
""",
    "0",
)

program(
    "stars run at once",
    """
def g(*a): return a
def gen(n):
    for i in range(n): yield say(i)
def f(x):
    return g(*gen(2), say('x'), *gen(1)), [*gen(2), say('y')], (*gen(1), *gen(2)), {*gen(2)}
""",
    "0",
)

program(
    "displays",
    """
def f(x):
    return (), (1,), [x, *x], {*x}, {'a': 1, **{'b': x}, 'a': 2}, {}, {x[0]: x}
""",
    "[1, 2]",
)

program(
    "dict order",
    """
def f(x):
    return {say('k'): say('v'), **say({1: 2}), say('l'): say('w')}
""",
    "0",
)

program(
    "indices",
    """
class Probe:
    def __getitem__(self, i): return repr(i)
def f(x):
    p = Probe()
    a = p[1], p[x, 2], p[1:2], p[:, ::x], p[..., None]
    return a, p[(1, 2), 3], p[()], p[x,], p[*x, 1:], p[:-1][0], p[x:, (x,)]
""",
    "[5]",
)

program(
    "index writes",
    """
class Probe:
    def __setitem__(self, i, v): log.append((i, v))
    def __delitem__(self, i): log.append(i)
def f(x):
    p = Probe()
    p[x, ::2] = p[...] = 3
    p[*x, 4] = 5
    del p[1:x, 0]
""",
    "(7,)",
)

program(
    "f-strings",
    """
def f(x, w):
    return f'{x!r:>{w}} {x=} {x:.{w}} {say(x)!s} {{}} {x + "a"!a}', f'plain', f'{x}', f''
""",
    "'é', 5",
)

program(
    "f-string nested spec",
    """
def f(x, w, p):
    return f'{x:{w}.{p}f}|{x:+e}|{x:{"<" + str(w)}}'
""",
    "3.14159, 9, 2",
)

program(
    "methods",
    """
def f(x):
    a = 'a-b'.split('-'), x.upper().lower(), ','.join(x)
    return a, (1).real, [].append(x), x.replace('a', say('b')).title()
""",
    "'abc'",
)

program(
    "callees",
    """
def f(d):
    return d['k'](2), (lambda v: v + 1)(3), d['m']()(4), (d['k'] if d else None)(5)
""",
    "{'k': lambda v: v, 'm': lambda: abs}",
)

program(
    "attribute paths",
    """
import math
class space:
    class inner:
        value = [1]
        @staticmethod
        def call(x): return x
def f(x):
    space.inner.value[0] += x
    space.inner.value.append(math.pi)
    return math.sqrt(x), space.inner.value, space.inner.call(x)
""",
    "4.0",
)

program(
    "lambda program",
    """
f = lambda x, *a, k=2, **m: (x, a, k, m, x and k)
""",
    "1",
    "1, 2, 3, k=4, z=5",
)

program(
    "parameters",
    """
def f(a, b=say(1), /, c=2, *d, e, g=3, **h):
    return a, b, c, d, e, g, h
""",
    "1, e=2",
    "1, 2, 3, 4, e=5, z=6",
)

program(
    "negative constants",
    """
def f():
    return -1, -1.5, --2, +3, ~4, not 0, -0.0, -True, -(2 + 3)
""",
    "",
)

program(
    "constants",
    """
def f():
    return ..., None, True, b'x', 1j, 'a' 'b'
""",
    "",
)

program(
    "expression statements",
    """
def f(x):
    x
    1
    say(1) if x else say(2)
    x and say(3)
    [say(i) for i in x]
    ...
    (say(4), say(5))
""",
    "[0]",
    "[]",
)

program(
    "not a constant",
    """
def f(x):
    while not x:
        x = [1]
        if not None: say('n')
    return x
""",
    "[]",
    "2",
)

program(
    "comprehensions",
    """
def f(xs):
    x = 'kept'
    return [x * 2 for x in xs if x > 1 if x < 5], {x for x in xs}, {x: y for x in xs for y in [x * x]}, x
""",
    "[1, 2, 3, 9]",
)

program(
    "nested comprehensions",
    """
def f(n):
    return [[i * j for i in range(j)] for j in range(n) if j], [i for i in [[i] for i in range(n)] for i in i]
""",
    "4",
)

program(
    "comprehension order",
    """
def f(n):
    return {say(('k', i)): say(('v', i)) for i in say(range(n)) if say(True)}
""",
    "2",
)

program(
    "comprehension scope",
    """
def f(x):
    y = [x for x in x]
    x = [x[0] for z in x]
    z = [z for z in [[0]] for x in z for z in [x]]
    return x, y, z
""",
    "[1, 2]",
)

program(
    "comprehension in loop",
    """
def f(n):
    out = []
    for i in range(n):
        out += [[i + j for j in range(i)]]
        out.append([i for i in 'ab'])
    return out, i
""",
    "3",
)

program(
    "comprehension targets",
    """
def f(xs):
    return [(a, b, c) for a, (b, *c) in xs]
""",
    "[(1, (2, 3, 4))]",
)

program(
    "late binding",
    """
def f(n):
    fs = [lambda: i for i in range(n)]
    gs = [lambda i=i: i for i in range(n)]
    return [g() for g in fs], [g() for g in gs]
""",
    "3",
)

program(
    "late binding, fresh each time",
    """
def f(n):
    fs = []
    for k in range(n): fs += [lambda: (i, j) for i in [k] for j in [k * i]]
    return [g() for g in fs]
""",
    "3",
)

program(
    "captured in inner comprehension",
    """
def f(n):
    fs = [[lambda: (i, j) for j in range(i)] for i in range(n)]
    d = {k: (lambda: k) for k in 'ab'}
    s = {(lambda: e)() for e in 'cd'}
    return [[g() for g in r] for r in fs], [h() for h in d.values()], sorted(s)
""",
    "3",
)

program(
    "generator arguments",
    """
def f(xs):
    a = sum(x * x for x in xs), max((say(x) for x in xs), default=0), ','.join(str(x) for x in xs)
    return a, sum((x for x in xs), 0.5), sorted((x for x in xs), key=lambda v: -v), (
        dict((x, 1) for x in xs)), tuple(x for x in xs if x)
""",
    "[1, 3, 2]",
    "[]",
)

program(
    "any and all",
    """
def f(xs):
    a = any(say(x) > 1 for x in xs)
    b = all(say(x) > 1 for x in xs)
    c = any(x == y for x in xs if x for y in xs if y > x - 1 if say(y))
    d = all(x for x in xs for y in [x])
    return a, b, c, d, any(xs), not any(x for x in xs)
""",
    "[1, 2, 3]",
    "[0, 0]",
    "[]",
    "[2, 2]",
)

program(
    "any in a condition",
    """
def f(xs):
    while any(x > 2 for x in xs) and all(x > 0 for x in xs): xs = [x - 1 for x in xs]
    return xs
""",
    "[5, 3]",
    "[9, 0]",
)

program(
    "closures",
    """
def f(x):
    y = x * 2
    def g(z=y): return x + y + z
    h = lambda *a: g(*a)
    return g(), h(1)
""",
    "3",
)

program(
    "rebound after capture",
    """
def f(x):
    y = 1
    g = lambda: y + x
    a = g()
    y = 10
    x += 5
    return a, g(), y
""",
    "3",
)

program(
    "rebound before capture",
    """
def f(x):
    y = 1
    y += x
    if x: y = 7
    return (lambda: y)()
""",
    "3",
    "0",
)

program(
    "closures in a loop",
    """
def f(n):
    fs = []
    for i in range(n):
        j = i * i
        fs.append(lambda: (i, j))
    return [g() for g in fs]
""",
    "3",
)

program(
    "nonlocal",
    """
def f(n):
    count = 0
    def more(by):
        nonlocal count
        count += by
        return count
    for i in range(n): say(more(i), count)
    return count
""",
    "4",
)

program(
    "parameter rebound inside",
    """
def f(x, *rest):
    def g():
        nonlocal x, rest
        x, rest = x + 1, rest[1:]
    g(); g()
    x += 10
    return x, rest
""",
    "1, 2, 3, 4",
)

program(
    "shared cell",
    """
def f(x):
    def put(v):
        nonlocal x
        x = v
    def get(): return x
    put(get() * 2)
    a = x
    for x in [5]: a += get()
    with entered('w') as x: a = a, get()
    [x, b] = 'pq'
    return a, get(), x, b
""",
    "4",
)

program(
    "recursion inside",
    """
def f(n):
    def fact(k): return 1 if k < 2 else k * fact(k - 1)
    fib = lambda k: k if k < 2 else fib(k - 1) + fib(k - 2)
    return fact(n), fib(n)
""",
    "6",
)

program(
    "mutual recursion",
    """
def f(n):
    def even(k): return True if k == 0 else odd(k - 1)
    def odd(k): return False if k == 0 else even(k - 1)
    return even(n)
""",
    "7",
    "8",
)

program(
    "decorators",
    """
def d(tag):
    say(tag)
    def wrap(g): say(('wrap', tag)); return lambda *a: (tag, g(*a))
    return wrap
def f(x):
    @d('a')
    @d(say('b'))
    def g(y, z=say('default')): return x, y, z
    return g(1)
""",
    "0",
)

program(
    "decorated recursion",
    """
def twice(g): return lambda n: g(n) * 2
def f(n):
    @twice
    def g(k): return 1 if k == 0 else g(k - 1)
    return g(n)
""",
    "3",
)

program(
    "definitions in a loop",
    """
def f(n):
    out = []
    for i in range(n):
        def g(k): return i if k == 0 else g(k - 1)
        out.append(g)
    return [h(2) for h in out]
""",
    "3",
)

program(
    "defaults in order",
    """
def f(x):
    def g(a, b=say(1), *, c=say(2), d, e=say(3)): return a, b, c, d, e
    return g(0, d=4), (lambda p=x, *, q=say(x): (p, q))()
""",
    "5",
)

program(
    "deep capture",
    """
def f(x):
    def a():
        def b():
            def c(): return x + y
            return c
        return b
    y = 2
    return a()()()
""",
    "1",
)

program(
    "inner names hide",
    """
def f(x):
    y = 1
    g = lambda x: [y for y in x]
    def h():
        y = 5
        return y
    y = 2
    return g([3]), h(), y
""",
    "0",
)

program(
    "recursion",
    """
def f(n):
    return 1 if n < 2 else n * f(n - 1)
""",
    "6",
)

program(
    "captured",
    """
def outer(a, b):
    def f(x): return x + a * b
    return f
f = outer(2, 3)
""",
    "1",
)

program(
    "captured and rebound",
    """
def outer(a):
    def f(x):
        nonlocal a
        a += x
        g = lambda: a
        a *= 2
        return a, g()
    return f
f = outer(2)
""",
    "1",
    "5",
)

program(
    "captured, rebound inside",
    """
def outer(a, b):
    def f(x):
        def g():
            nonlocal a
            a += b
        g()
        return a, b, x
    return f
f = outer(2, 3)
""",
    "1",
)

program(
    "captured function",
    """
def outer():
    def f(n): return 0 if n == 0 else 1 + f(n - 1)
    return f
f = outer()
""",
    "4",
)

program(
    "match values",
    """
def f(x):
    match x:
        case 1 | 2: return 'few'
        case 'a': say('a')
        case None: return 'none'
        case True: return 'true'
        case -1.5: return 'neg'
        case _: return 'other'
    return 'end'
""",
    "1",
    "2",
    "'a'",
    "None",
    "True",
    "-1.5",
    "[]",
    "False",
)

program(
    "match no case",
    """
def f(x):
    match x:
        case 1: say(1)
        case 2 if say(x): say(2)
    return x
""",
    "1",
    "2",
    "3",
)

program(
    "match sequences",
    """
def f(x):
    match x:
        case []: return 'empty'
        case [1, y]: return y
        case (a, [b, *c], *_): return a, b, c
        case [*all, 9]: return all
        case [a]: return 'one', a
    return 'no'
""",
    "[]",
    "(1, 2)",
    "[3, (4, 5), 6]",
    "[7, 8, 9]",
    "[0]",
    "'ab'",
    "{1}",
    "[2, 'ab']",
)

program(
    "match mappings",
    """
def f(x):
    match x:
        case {'a': 1, **rest}: return rest
        case {'a': {'b': v}, 'c': _}: return v
        case {}: return 'mapping'
    return 'no'
""",
    "{'a': 1, 'z': 2}",
    "{'a': {'b': 3}, 'c': 4}",
    "{'a': {}}",
    "[]",
)

program(
    "match classes",
    """
def f(x):
    match x:
        case Box(1, y=[a, b]): return a, b
        case Box(x=Box() as inner): return repr(inner)
        case Box(p, q) if p == q: return 'same'
        case int(n) | float(n): return n * 2
        case str(): return 'text'
        case Box(missing=1): return 'missing'
    return 'no'
""",
    "Box(1, (2, 3))",
    "Box(Box(4))",
    "Box(5, 5)",
    "6",
    "7.5",
    "'s'",
    "Box(1, 2)",
)

program(
    "match guards",
    """
def f(x):
    match x:
        case [a, b] if a > b: return 'greater'
        case [a, b] if say(a) == b: r = 'same'
        case y if y: r = 'true', a if len(x) == 2 else None
        case _: r = 'false'
    return r
""",
    "[2, 1]",
    "[1, 1]",
    "[1, 2]",
    "[1]",
    "''",
)

program(
    "match alternatives",
    """
def f(x):
    match x:
        case [1, a] | [a, 1] | {'a': a}: return a
        case ([p] | p) as q: return p, q
""",
    "[1, 5]",
    "[6, 1]",
    "{'a': 7}",
    "[8]",
    "9",
)

program(
    "match exits",
    """
def f(xs):
    for x in xs:
        match x:
            case 0: continue
            case 1: break
            case [y]: return y
            case _: say(x)
        say('after')
    else: return 'else'
    return 'broke'
""",
    "[0, 5, 1]",
    "[5, [7]]",
    "[0]",
)

program(
    "match too many",
    """
def f(x):
    match x:
        case Box(1, 2, 3): return 1
    return 2
""",
    "Box(1, 2)",
)

program(
    "match dotted",
    """
class names: one = 1
def f(x):
    match x:
        case names.one: return 'one'
        case {names.one: v}: return v
""",
    "1",
    "{1: 5}",
    "3",
)

program(
    "match rebinds its subject",
    """
def f(x):
    match x:
        case [x, 1]: return x
        case [x, y] if not x: return 'no'
        case [a, b]: return a, b, x
""",
    "[5, 1]",
    "[0, 2]",
    "[3, 4]",
)
