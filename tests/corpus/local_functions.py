"""Functions that a program makes and calls itself: what they read is what it is at the call."""

import functools
import math

import numpy as np

from tests.corpus.registry import program


@program((0.7,), (1.3,))
def rebound_after_the_function_is_made(x):
    k = x
    g = lambda z: z * k
    k = k * x
    return g(x)


@program((0.7,), (1.3,))
def captures_a_loops_variables(x):
    r = x
    for i in range(3):
        k = x * i + 1
        g = lambda z: z * k + i
        r = g(r)
    return r


@program((0.7,), (1.3,))
def called_in_the_next_round(x):
    g = None
    r = x
    for i in range(3):
        k = x * i + 1
        if g is not None:
            r = g(r)
        g = lambda z: z * k
    return r


@program((0.7,), (1.3,))
def one_of_two_functions(x):
    if x > 0.5:
        g = lambda z: z * x
    else:
        g = lambda z: z + x
    return g(x) * g(2.0)


@program((0.7,), (1.3,))
def arguments_of_all_sorts(x):
    def g(a, *b, c=2.0, **d):
        return a * sum(b) * c * x + d.get("e", 0.0)

    return g(x, x, 2.0, c=x, e=x * x) + g(x, 1.0)


@program((0.7,), (1.3,))
def unpacked_arguments(x):
    def g(a, *b, c):
        return a * sum(b) * c * x

    return g(x, x, 2.0, c=x) + g(*[x, 2.0], c=x)


@program((0.7,), (1.3,))
def positional_only_parameters(x):
    def g(a, /, b):
        return a * b * x

    return g(x, b=2.0) + g(x, x)


@program((0.7,), (1.3,))
def a_function_in_a_function(x):
    y = x * x

    def g(a):
        z = a * y

        def h(b):
            return b * z * x + y

        return h(a) + h(2.0)

    return g(x)


@program((0.7,), (1.3,))
def calls_itself(x):
    def g(a, n):
        return a if n == 0 else g(a * x, n - 1)

    return g(x, 3)


@program((0.7,), (1.3,))
def adds_to_a_variable_of_the_outer(x):
    t = 0.0

    def g(a):
        nonlocal t
        t += a * x
        return t

    return g(x) * g(2.0) + t


@program((0.7,), (1.3,))
def a_list_changed_between_calls(x):
    items = [x, 2.0]
    g = lambda a: items[0] * a + items[1]
    r = g(x)
    items[0] = items[0] * x
    return r * g(x)


@program((0.7,), (1.3,))
def an_array_changed_between_calls(x):
    v = np.array([x, 2.0])

    def g(a):
        return np.sum(v * a)

    r = g(x)
    v[0] *= x
    return r * g(v)


@program((0.7,), (1.3,))
def writes_to_a_captured_array(x):
    v = np.array([x, 2.0])

    def g(a):
        v[1] = a * v[0]
        return v[1]

    return g(x) * v[1] + g(2.0) * v[0]


@program((0.7,), (1.3,))
def appends_to_a_captured_list(x):
    items = []

    def g(a):
        items.append(a * x)

    for i in range(3):
        g(i * 1.0)
    return sum(items)


@program((0.7,), (1.3,))
def called_in_a_loop(x):
    def f(a, b):
        return math.sin(a) * b + x

    r = 0.0
    for i in range(5):
        r = f(r, x * i)
    return r


@program((0.7,), (1.3,))
def raises_in_a_try(x):
    def g(a):
        if a > 1:
            raise ValueError(a)
        return a * x

    r = 0.0
    for k in (0.5, 2.0, 0.7):
        try:
            r += g(k * x) + g(k)
        except ValueError as e:
            r += e.args[0] * x
    return r


@program((0.7,), (1.3,))
def called_in_comprehensions(x):
    g = lambda a: a * x
    return sum([g(i) for i in range(4)]) + sum(g(i * x) for i in range(3))


@program((0.7,), (1.3,))
def called_and_handed_on(x):
    g = lambda a: a * x
    return sum(map(g, [1.0, x])) + functools.reduce(lambda a, b: g(a) * b, [x, 2.0, x]) + g(x)


@program((0.7,), (1.3,))
def made_by_a_function_that_was_made(x):
    def mk(k):
        return lambda z: z * k * x

    h = mk(x)
    return h(x) + mk(2.0)(x)


@program((0.7,), (1.3,))
def parameters_named_like_modules(x):
    sin = lambda z: z * x

    def g(math):
        return sin(math) + x

    return g(x)


@program((0.7,), (1.3,))
def default_values(x):
    gs = []
    for i in range(3):
        g = lambda z, i=i, k=x * i: z * i * k
        gs.append(g)
    return sum(h(x) for h in gs) + g(2.0)


@program((0.7,), (1.3,))
def known_by_two_names(x):
    g = lambda z: z * x
    h = g
    return h(x) * g(2.0)


@program((0.7,), (1.3,))
def calls_another(x):
    g = lambda z: z * x

    def h(a):
        return g(a) * g(x)

    return h(x)


@program((0.7,), (1.3,))
def leaves_early(x):
    def g(a):
        if a > x:
            return a * x
        for i in range(3):
            a = a * x
            if a < 0.1:
                return a
        return a + x

    return g(0.3) * g(x) * g(2.0)


@program((0.7,), (1.3,))
def gives_a_tuple(x):
    def g(a):
        return a * x, a + x

    p, q = g(x)
    r, _ = g(q)
    return p * q * r


@program((0.7,), (1.3,))
def reads_a_captured_dict(x):
    class_ = dict(k=x)

    def g(a):
        return class_["k"] * a

    class_["k"] = x * x
    return g(x)


@program((0.7,), (1.3,))
def result_without_a_gradient(x):
    def g(a):
        return 3.0

    return g(x) * x


@program((0.7,), (1.3,))
def called_without_a_gradient(x):
    def g(a):
        return a * 2

    n = g(3)
    return x * n


@program((0.7,), (1.3,))
def decorated(x):
    def deco(f):
        return lambda a: f(a) * x

    @deco
    def g(a):
        return a * a

    return g(x)


@program((0.7,), (1.3,))
def any_number_of_arguments(x):
    def g(*a):
        return a[0] * a[1] * x

    t = (x, 2.0)
    return g(*t) + g(x, x)


@program((0.7,), (1.3,))
def keywords_named_like_captured_variables(x):
    def g(**k):
        return k["x"] * x

    return g(x=2.0) + g(**{"x": x})


@program((0.7,), (1.3,))
def a_generator_function(x):
    def g(n):
        for i in range(n):
            yield i * x

    return sum(g(4)) * x


@program((0.7,), (1.3,))
def binds_by_walrus(x):
    g = lambda z: (w := z * x) * w
    return g(x) + g(2.0)


def gk(x):
    return G * x


G = 3.0


@program((0.7,), (1.3,))
def reads_globals_too(x):
    f = lambda a: gk(a) * G * x
    return f(x)


@program((0.7,), (1.3,))
def deleted_afterwards(x):
    k = x * x
    g = lambda a: a * k
    r = g(x)
    del g
    return r


@program((0.7,), (1.3,))
def a_key_that_is_called_too(x):
    key = lambda a: -a * x
    return sorted([x, 2.0, 1.0], key=key)[0] * key(x)


@program((0.7,), (1.3,))
def without_arguments(x):
    v = np.array([x, x * x])
    norm = lambda: np.sqrt((v * v).sum())
    v = v / norm()
    return v[0] * norm()


@program((0.7,), (1.3,))
def a_fixed_point_iteration(x):
    f = lambda y: 0.5 * (y + x / y)
    y = 1.0
    for _ in range(20):
        n = f(y)
        if abs(n - y) < 1e-14:
            break
        y = n
    return y


@program((0.7,), (1.3,))
def a_step_of_runge_and_kutta(x):
    def rhs(t, y):
        return -x * y + math.sin(t)

    y = 1.0
    h = 0.1
    t = 0.0
    for _ in range(5):
        k1 = rhs(t, y)
        k2 = rhs(t + h / 2, y + h / 2 * k1)
        k3 = rhs(t + h / 2, y + h / 2 * k2)
        k4 = rhs(t + h, y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t += h
    return y


@program((0.7,), (1.3,))
def annotated(x):
    def g(a: "float", b: float = 1.0) -> "float":
        """doc"""
        return a * x * b

    return g(x)


@program((0.7,), (1.3,))
def the_result_goes_to_what_is_captured(x):
    s = 0.0

    def add(a):
        return s + a * x

    s = add(x)
    s = s + add(2.0)
    return s


@program((0.7,), (1.3,))
def handed_to_a_known_name(x):
    st = {"v": x}

    def run(f):
        f(st)
        return st["v"]

    def dbl(s):
        s["v"] *= 2 * x

    return run(dbl) * run(dbl)


@program((0.7,), (1.3,))
def pushes_and_totals(x):
    items = []

    def push(v):
        items.append(v * x)

    def total():
        return sum(items)

    push(x)
    push(2.0)
    r = total()
    push(r)
    return total() * items[0]


@program((0.7,), (1.3,))
def walks_nested_lists(x):
    class_ = {}

    def walk(t):
        if isinstance(t, (int, float)):
            return t * x
        return sum(walk(s) for s in t)

    return walk([x, [2.0, [x]], 3])


@program((0.7,), (1.3,))
def sets_and_gets_elements(x):
    v = np.zeros(3)

    def setv(i, a):
        v[i] = a * x

    def getv(i):
        return v[i]

    for i in range(3):
        setv(i, i + x)
    return getv(0) * getv(1) + getv(2)


@program((0.7,), (1.3,))
def bumps_a_counter(x):
    s = {"n": 0.0}

    def bump(k=1.0):
        s["n"] += k * x
        return s["n"]

    return bump() * bump(2.0) + s["n"]


@program((0.7,), (1.3,))
def two_levels_that_change(x):
    acc = [x]

    def outer():
        def inner():
            acc[0] = acc[0] * x
            return acc[0]

        return inner() + inner()

    return outer() * acc[0]


@program((0.7,), (1.3,))
def writes_through_a_list(x):
    o = np.array([x, 1.0])
    items = [o]

    def w():
        items[0][0] *= x
        o[1] += items[0][0]

    w()
    w()
    return o[0] * items[0][1]


@program((0.7,), (1.3,))
def visits(x):
    log = []

    def visit(n, depth):
        log.append(n * x)
        if depth:
            visit(n + 1, depth - 1)
        return len(log)

    k = visit(1.0, 3)
    return sum(log) * k
