"""Functions, methods and other code that changes an array in what it is given: definition and call."""

CALLEES = {
    "function": (
        """
def w(t):
    @@
""",
        "w(h)",
    ),
    "method": (
        """
class W:
    def go(self, t):
        @@
""",
        "W().go(h)",
    ),
    "constructor": (
        """
class W:
    def __init__(self, t):
        @@
""",
        "W(h)",
    ),
    "constructor that keeps": (
        """
class W:
    def __init__(self, t):
        self.t = t
        @@
""",
        "made = W(h)",
    ),
    "method of what was constructed": (
        """
class W:
    def __init__(self, t):
        self.t = t
    def go(self):
        t = self.t
        @@
""",
        """
made = W(h)
made.go()
""",
    ),
    "callable object, global": (
        """
class W:
    def __call__(self, t):
        @@
WW = W()
""",
        "WW(h)",
    ),
    "callable object": (
        """
class W:
    def __call__(self, t):
        @@
""",
        "W()(h)",
    ),
    "generator in list": (
        """
def w(t):
    @@
    yield 1
""",
        "list(w(h))",
    ),
    "generator in a loop": (
        """
def w(t):
    yield 0
    @@
    yield 1
""",
        """
for _ in w(h):
    pass
""",
    ),
    "entering a with": (
        """
class W:
    def __init__(self, t):
        self.t = t
    def __enter__(self):
        t = self.t
        @@
    def __exit__(self, *a):
        return None
""",
        """
with W(h):
    pass
""",
    ),
    "leaving a with": (
        """
class W:
    def __init__(self, t):
        self.t = t
    def __enter__(self):
        return self
    def __exit__(self, *a):
        t = self.t
        @@
""",
        """
with W(h):
    pass
""",
    ),
    "contextmanager": (
        """
@contextlib.contextmanager
def w(t):
    @@
    yield
""",
        """
with w(h):
    pass
""",
    ),
    "property": (
        """
class W:
    def __init__(self, t):
        self.t = t
    @property
    def go(self):
        t = self.t
        @@
        return 0
""",
        "W(h).go",
    ),
    "setter": (
        """
class W:
    @property
    def go(self):
        return 0
    @go.setter
    def go(self, t):
        @@
""",
        "W().go = h",
    ),
    "getitem": (
        """
class W:
    def __getitem__(self, t):
        @@
        return 0
""",
        "W()[h]",
    ),
    "setitem": (
        """
class W:
    def __setitem__(self, k, t):
        @@
""",
        "W()[0] = h",
    ),
    "operator": (
        """
class W:
    def __add__(self, t):
        @@
        return 0
""",
        "W() + h",
    ),
    "shift": (
        """
class W:
    def __lshift__(self, t):
        @@
        return self
""",
        "W() << h",
    ),
    "operator in place": (
        """
class W:
    def __iadd__(self, t):
        @@
        return self
""",
        """
made = W()
made += h
""",
    ),
    "equality": (
        """
class W:
    def __eq__(self, t):
        @@
        return True
""",
        "W() == h",
    ),
    "membership": (
        """
class W:
    def __contains__(self, t):
        @@
        return True
""",
        "h in W()",
    ),
    "iter": (
        """
class W:
    def __init__(self, t):
        self.t = t
    def __iter__(self):
        t = self.t
        @@
        return iter([1])
""",
        """
for _ in W(h):
    pass
""",
    ),
    "next": (
        """
class W:
    def __init__(self, t):
        self.t = t
        self.n = 0
    def __iter__(self):
        return self
    def __next__(self):
        t = self.t
        self.n += 1
        if self.n > 1:
            raise StopIteration
        @@
        return 1
""",
        """
for _ in W(h):
    pass
""",
    ),
    "len": (
        """
class W:
    def __init__(self, t):
        self.t = t
    def __len__(self):
        t = self.t
        @@
        return 1
""",
        "len(W(h))",
    ),
    "truth": (
        """
class W:
    def __init__(self, t):
        self.t = t
    def __bool__(self):
        t = self.t
        @@
        return True
""",
        """
if W(h):
    pass
""",
    ),
    "static method": (
        """
class W:
    @staticmethod
    def go(t):
        @@
""",
        "W.go(h)",
    ),
    "class method": (
        """
class W:
    @classmethod
    def go(cls, t):
        @@
""",
        "W.go(h)",
    ),
    "recursion": (
        """
def w(t, n=2):
    if n:
        w(t, n-1)
    else:
        @@
""",
        "w(h)",
    ),
    "before an exception": (
        """
def w(t):
    @@
    raise KeyError
""",
        """
try:
    w(h)
except KeyError:
    pass
""",
    ),
    "super": (
        """
class V:
    def go(self, t):
        @@
class W(V):
    def go(self, t):
        super().go(t)
""",
        "W().go(h)",
    ),
    "post init": (
        """
@dataclasses.dataclass
class W:
    t: object
    def __post_init__(self):
        t = self.t
        @@
""",
        "W(h)",
    ),
    "new": (
        """
class W:
    def __new__(cls, t):
        @@
        return object.__new__(cls)
""",
        "W(h)",
    ),
    "comprehension": (
        """
def w(t):
    @@
    return 1
""",
        "[w(h) for _ in range(1)]",
    ),
    "map": (
        """
def w(t):
    @@
    return 1
""",
        "list(map(w, [h]))",
    ),
    "key": (
        """
def w(t):
    @@
    return 1
""",
        "sorted([h], key=w)",
    ),
    "reduce": (
        """
def w(a, t):
    @@
    return 1
""",
        "functools.reduce(w, [h], 0)",
    ),
    "table": (
        """
def w(t):
    @@
T = {'w': w}
""",
        'T["w"](h)',
    ),
    "handed on": (
        """
def w(t):
    @@
def ap(f, h):
    f(h)
""",
        "ap(w, h)",
    ),
    "inner function": (
        "",
        """
def w(t):
    @@
w(h)
""",
    ),
    "captured": (
        "",
        """
def w():
    t = h
    @@
w()
""",
    ),
    "lambda": (
        """
def w(t):
    @@
""",
        """
call = lambda t: w(t)
call(h)
""",
    ),
    "conditional": (
        """
def w(t):
    @@
""",
        "w(h) if x[0] > 0 else None",
    ),
    "default": (
        """
def w(t, s=1.0):
    @@
""",
        "w(h)",
    ),
    "keyword only": (
        """
def w(*, t):
    @@
""",
        "w(t=h)",
    ),
    "keywords": (
        """
def w(**k):
    t = k['t']
    @@
""",
        "w(t=h)",
    ),
    "arguments": (
        """
def w(*a):
    t = a[0]
    @@
""",
        "w(h)",
    ),
    "arguments in a loop": (
        """
def w(s, *a):
    for t in a:
        @@
""",
        "w(1, h)",
    ),
    "stored": (
        """
class K:
    pass
def w(k):
    t = k.t
    @@
""",
        """
made = K()
made.t = h
w(made)
""",
    ),
    "global": (
        """
G = {}
def w():
    t = G['h']
    @@
""",
        """
G['h'] = h
w()
""",
    ),
    "in a list": (
        """
def w(ts):
    for t in ts:
        @@
""",
        "w([h])",
    ),
    "values of a dict": (
        """
def w(d):
    for t in d.values():
        @@
""",
        'w({"a": h})',
    ),
    "zip": (
        """
def w(ts, us):
    for t, u in zip(ts, us):
        @@
""",
        "w([h], [1])",
    ),
    "match": (
        """
def w(v):
    match v:
        case [t]:
            @@
""",
        "w([h])",
    ),
    "walrus": (
        """
def w(v):
    if (t := v) is not None:
        @@
""",
        "w(h)",
    ),
    "getattr": (
        """
class W:
    def __getattr__(self, name):
        return self.go
    def go(self, t):
        @@
""",
        "W().anything(h)",
    ),
    "descriptor": (
        """
class De:
    def __set__(self, o, t):
        @@
class W:
    go = De()
""",
        "W().go = h",
    ),
    "cached property": (
        """
class W:
    def __init__(self, t):
        self.t = t
    @functools.cached_property
    def go(self):
        t = self.t
        @@
        return 0
""",
        "W(h).go",
    ),
    "handed back": (
        """
def w(t):
    return t
""",
        """
t = w(h)
@@
""",
    ),
    "handed back in a list": (
        """
def w(t):
    return [t]
""",
        """
t = w(h)[0]
@@
""",
    ),
    "renamed": (
        "",
        """
t = h
@@
""",
    ),
}
"""`@@` stands for the lines that change it; `t` is what is given, `h` what the caller has."""
