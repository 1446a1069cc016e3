"""Places that others find, ways to keep something there, and contexts in which that is done."""

PLACES = {
    "global": ("gput({v})", "GV"),
    "dict": ('D["k"] = {v}', 'D["k"]'),
    "list": ("L[0] = {v}", "L[0]"),
    "append": ("L.append({v})", "L[-1]"),
    "module": ("M.v = {v}", "M.v"),
    "object": ("OBJ.v = {v}", "OBJ.v"),
    "class": ("K.cv = {v}", "K.cv"),
    "function": ("fn.v = {v}", "fn.v"),
    "default": ("dflt({v})", "dflt()"),
    "closure": ("cput({v})", "cget()"),
    "list of a closure": ("lput({v})", "lget()"),
    "property": ("PP.v = {v}", "PP.v"),
    "array": ("A[:] = {v}", "A"),
    "part of an array": ("A[1:] += ({v})[1:]", "A"),
    "object in an object": ("OBJ.o.v = {v}", "OBJ.o.v"),
    "object in a dict": ('D["o"].v = {v}', "OBJ.o.v"),
    "list in a dict": ('D["l"][0] = {v}', 'D["l"][0]'),
    "list in a tuple": ("LT[0][0] = {v}", "LT[0][0]"),
    "update": ("D.update(k={v})", 'D["k"]'),
    "setdefault": ('D.setdefault("z", {v})', 'D["z"]'),
    "setattr": ('setattr(OBJ, "v", {v})', 'getattr(OBJ, "v")'),
    "vars": ('vars(OBJ)["v"] = {v}', "OBJ.v"),
    "closure of closures": ("cupd(lambda s: s * {v})", "cget()"),
    "class of an object": ("O().__class__.zz = {v}", "O.zz"),
    "extend": ("L.extend([{v}])", "L[-1]"),
    "insert": ("L.insert(0, {v})", "L[0]"),
    "slice": ("L[:] = [{v}]", "L[0]"),
    "metaclass": ("KM.q = {v}", "KM.q"),
    "globals": ('globals()["GV"] = {v}', "GV"),
    "tuple in a dict": ('D["k"] = ({v}, 1)', 'D["k"][0]'),
    "out": ("np.multiply({v}, 1.0, out=A)", "A"),
    "item in place": ('D["k"] *= {v}', 'D["k"]'),
    "attribute in place": ("OBJ.v *= {v}", "OBJ.v"),
    "item of a list in place": ("L[0] += {v}", "L[0]"),
    "ior": ('D.__ior__({"k": {v}})', 'D["k"]'),
}
"""How something is kept there, and read."""

CONTEXTS = {
    "plainly": ("{W}", "return np.sum({R} * x)"),
    "written by a function": ("w(x)", "return np.sum({R} * x)"),
    "read by a function": ("{W}", "return r(x)"),
    "both by functions": ("w(x)", "return r(x)"),
    "in a loop": ("s = 0.0", "for i in range(3):", "    w(x * i)", "    s = s + r(x)", "return s"),
    "before it is read": (
        "s = 0.0",
        "for i in range(3):",
        "    s = s + np.sum({R} * x)",
        "    {W}",
        "return s",
    ),
    "in a branch": ("if x[0] > 0:", "    {W}", "return np.sum({R} * x)"),
    "before an exception": (
        "try:",
        "    {W}",
        "    raise KeyError",
        "except KeyError:",
        "    pass",
        "return np.sum({R} * x)",
    ),
    "finally": ("try:", "    y = x * 2", "finally:", "    {W}", "return np.sum({R} * y)"),
    "read by a lambda": ("f = lambda v: r(v)", "{W}", "return f(x)"),
    "read by an inner function": ("def f():", "    return np.sum({R} * x)", "{W}", "return f()"),
    "written by an inner function": ("def f(x):", "    {W}", "f(x)", "return np.sum({R} * x)"),
    "in a recursion": ("return rec(x, 2)",),
    "written by a generator": ("list(g(x))", "return np.sum({R} * x)"),
    "read by a generator": ("{W}", "return sum(gr(x))"),
    "read in a comprehension": ("{W}", "return sum([np.sum({R} * v) for v in x])"),
    "read by map": ("w(x)", "return sum(map(r, [x, x]))"),
    "by methods": ("Q().w(x)", "return Q().r(x)"),
    "written by a with": ("with C(x):", "    y = np.sum({R} * x)", "return y"),
    "read twice": ("{W}", "q = {R}", "q2 = q * x", "return np.sum(q2 * {R})"),
    "changed afterwards": ("{W}", "q = {R}", "q *= x", "return np.sum({R})"),
    "in a while": ("n = 0", "while n < 2:", "    {W}", "    n += 1", "return np.sum({R} * x)"),
    "kept again": ("{W}", "y = {R}", "w(x * y)", "return np.sum({R} * y)"),
    "by a wrapped function": ("wd(x)", "return np.sum({R} * x)"),
    "by a partial function": ("functools.partial(w, x)()", "return r(x)"),
    "by functions in a table": ('T["w"](x)', 'return T["r"](x)'),
    "read before": ("y = np.sum({R} * x)", "{W}", "return y + np.sum({R})"),
}
"""Bodies of programs."""

THINGS = """
import functools
import types

import numpy as np
class O: pass
class K:
    cv = None
OBJ = O(); D = {}; L = []; M = types.ModuleType("mm"); A = np.zeros(3)
GV = None
def fn(): pass
def dflt(v=None, box=[None]):
    if v is not None: box[0] = v
    return box[0]
def mkc():
    s = None
    def put(v):
        nonlocal s
        s = v
    def get(): return s
    def upd(g):
        nonlocal s
        s = g(s)
    return put, get, upd
cput, cget, cupd = mkc()
def mkl():
    box = [None]
    def put(v): box[0] = v
    def get(): return box[0]
    return put, get
lput, lget = mkl()
class P:
    def __init__(s): s._v = None
    @property
    def v(s): return s._v
    @v.setter
    def v(s, x): s._v = x
PP = P()
class Meta(type):
    @property
    def q(cls): return cls._q
    @q.setter
    def q(cls, x): cls._q = x
class KM(metaclass=Meta): _q = None
def gput(v):
    global GV
    GV = v
def reset():
    global GV
    GV = np.ones(3)
    D.clear()
    D["k"] = np.ones(3)
    L[:] = [np.ones(3)]
    M.v = np.ones(3)
    A[:] = 1.0
    OBJ.v = np.ones(3)
    K.cv = np.ones(3)
    fn.v = np.ones(3)
    dflt(np.ones(3))
    cput(np.ones(3))
    lput(np.ones(3))
    PP._v = np.ones(3)
    KM._q = np.ones(3)
    OBJ.o = O()
    OBJ.o.v = np.ones(3)
    D["o"] = OBJ.o
    D["l"] = [np.ones(3)]
    LT[0][0] = np.ones(3)
LT = ([None],)
"""

HELPERS = """
def w(x):
    {keep}
    return 0

def r(x):
    return np.sum({read} * x)

def rec(x, n):
    if n == 0:
        return np.sum({read} * x)
    {keep}
    return rec(x * 1.5, n - 1)

def g(x):
    yield 0
    {keep}
    yield 1

def gr(x):
    yield np.sum({read} * x)
    yield np.sum({read})

class Q:
    def w(self, x):
        {keep}

    def r(self, x):
        return np.sum({read} * x)

class C:
    def __init__(self, x):
        self.x = x

    def __enter__(self):
        x = self.x
        {keep}

    def __exit__(self, *error):
        return None

def deco(f):
    def inner(*a):
        return f(*a)
    return inner

wd = deco(w)
T = {"w": w, "r": r}
"""


def text(place: str, context: str) -> str:
    """The text of a module with one program."""
    keeping, reading = PLACES[place]
    keep = keeping.replace("{v}", "x * 2.0")
    helpers = HELPERS.replace("{keep}", keep).replace("{read}", reading)
    lines = [line.replace("{W}", keep).replace("{R}", reading) for line in CONTEXTS[context]]
    body = "\n".join(f"    {line}" for line in lines)
    return f"{THINGS}\n{helpers}\n\ndef program(x):\n{body}\n"
