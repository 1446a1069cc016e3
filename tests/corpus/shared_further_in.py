"""Variables shared by functions two and more levels apart, and by functions that are kept in things."""

import collections
import functools

import numpy as np

from tests.corpus.registry import program

V = np.array([0.5, 1.5])


@program((0.7,), (1.5,), tags="order2")
def rebound_further_out_and_read_twice_further_in(x):
    k = x

    def outer():
        nonlocal k

        def inner():
            return k * k

        k = k * x
        return inner() + inner()

    return outer()


@program((0.7,), tags="order2")
def function_captured_by_one_that_rebinds_what_it_reads(x):
    k = x

    def middle():
        def reads():
            return x * k

        def hands_on(value):
            def rebinds():
                nonlocal k
                before = reads()
                k = k * value
                return before

            return rebinds() * value

        return hands_on(x * x)

    return middle() + k


@program((0.7,), tags="order2")
def read_again_after_a_function_from_outside_has_rebound_it(x):
    k = x

    def rebinds(value):
        nonlocal k
        k = 0.5 * value
        return value * 0.3

    def middle():
        def reads(value):
            alias = rebinds
            before = alias(k * value)
            return rebinds(k * value) + before

        return reads(x * k)

    return middle()


@program((0.7,), tags="order2")
def function_in_a_dict_captured_by_its_neighbour(x):
    k = x

    def g(a):
        return k * k * a

    table = {"g": g, "h": lambda: g(x)}
    r = table["h"]()
    k = k * x
    r = r * table["g"](r)
    k = k * x
    return r * table["h"]()


class Holder:
    def __init__(self, function):
        self.function = function

    def call(self, value):
        return self.function(value)


@program((0.7,), tags="order2")
def bound_method_of_an_object_with_a_function_that_shares(x):
    k = x

    def g(a):
        return k * k * a

    holder = Holder(g)
    r = holder.call(2.0)
    k = k * x
    r = r * holder.function(r)
    for method in [holder.call, holder.call]:
        r = r * method(r)
        k = k * x
    return r


Named = collections.namedtuple("Named", "function factor")


@program((0.7,), tags="order2")
def function_in_a_namedtuple_that_rebinds(x):
    k = x

    def rebinds(a):
        nonlocal k
        k = x * 0.3 + k * a
        return k

    def reads():
        return k * x

    named = Named(rebinds, x)
    first = named.function(x)
    second = named.function(first) * named.factor
    both = Named(reads, second)
    return k * both.function() * both.factor + second


def in_between(reads, rebinds):
    before = reads()
    rebinds()
    after = reads()
    return before * after * after


@program((0.7,), tags="order2")
def functions_from_a_function_read_what_is_rebound_in_between(x):
    k = x

    def make():
        def g():
            return k * k

        def h():
            return g() * x

        return g, h

    g, h = make()

    def rebinds():
        nonlocal k
        k = k * x

    r = h()
    rebinds()
    r = r * h() * g()
    return r * in_between(h, rebinds) + in_between(g, rebinds)


@program((0.7,), tags="order2")
def partial_of_a_function_that_shares(x):
    k = x

    def g(a):
        return k * k * a

    def rebinds():
        nonlocal k
        k = k * x
        return 1.0

    r = 1.0
    for step in [functools.partial(g, x), rebinds, functools.partial(g, x), rebinds]:
        r = r * step() + step()
        rebinds()
    return r


@program((0.7,), tags="order2")
def declared_nonlocal_and_never_mentioned(x):
    k = x * 0.3

    def outer(p):
        m = p

        def inner(q):
            nonlocal p, k
            p = m * q
            return x * q

        return inner(m + x) * p

    return outer(k * x)


@program((0.7,), tags="order2")
def rebinds_and_makes_an_object_with_a_function(x):
    k = x

    def outer():
        def inner(p):
            nonlocal k
            k = k * p
            return k

        holder = Holder(inner)
        return holder.call(x) + inner(x)

    return outer() * k


@program((0.7,), tags="order2")
def copied_in_a_loop_with_a_call_of_a_captured_function(x):
    def cubic(p):
        r = p
        r = r * (p - x * 0.3)
        r = r * p
        return r

    def middle(p):
        for _ in range(1):
            r = cubic(p)
            k = p
        return r * (x - k)

    return middle(x * x)


@program((V, 1), tags="order2")
def bound_in_one_of_two_branches_of_an_expression(v, n):
    base = v[0] if n < 3 else v
    total = 1.0

    def outer(scale):
        def inner():
            return base * scale + total

        return inner()

    total = outer(v[1])
    return total


@program((V, 1), tags="order2")
def bound_by_one_of_several_operands(v, n):
    base = n < 3 and v[0] or v[1]
    total = v[1]

    def outer():
        def inner():
            return base * total

        return inner()

    total = outer()
    return total
