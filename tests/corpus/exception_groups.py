"""Groups of exceptions, taken apart by `except*` and by their methods."""

import numpy as np

from tests.corpus.registry import program

X = np.array([1.3, 0.7, 2.1])


class Stop(Exception):
    """Carries values in its arguments."""


class Halt(Exception):
    """Carries values in fields."""

    def __init__(self, value, extra):
        super().__init__("halt")
        self.value = value
        self.extra = extra


class Valued(ExceptionGroup):
    """A group with a field, which its parts have too."""

    def __new__(cls, message, errors, value):
        group = super().__new__(cls, message, errors)
        group.value = value
        return group

    def derive(self, errors):
        return Valued(self.message, errors, self.value)


def fail(x, count=3):
    errors = [Stop(x[0] * x[1]), KeyError(x[2]), ExceptionGroup("inner", [Halt(x[0], x[1] * 2)])]
    raise ExceptionGroup("both", errors[:count])


def fail_until(last, k, x):
    if k < last:
        fail(x * (k + 1), k + 1)


def halt_at(place, k, value):
    if k == place:
        raise Halt(value, 3.0)


@program((X,))
def groups_caught_whole(x):
    t = x[0]
    try:
        t = t * x[1]
        raise ExceptionGroup("both", [Stop(x[0] * x[1]), KeyError(x[2])])
    except ExceptionGroup as g:
        for e in g.exceptions:
            t = t * e.args[0]
    return t


@program((X,))
def groups_divided_by_class(x):
    t = x[0]
    try:
        t = t * x[1]
        raise ExceptionGroup(
            "both", [Stop(x[0] * x[1]), KeyError(x[2]), ExceptionGroup("in", [Halt(x[2], x[1])])]
        )
    except ExceptionGroup as g:
        a, b = g.split(Stop)
        t = t * a.exceptions[0].args[0]
        a, b = b.split(Halt)
        for e in a.exceptions:
            t = t * e.exceptions[0].value
        t = t + b.exceptions[0].args[0]
    return t


@program((X,))
def subgroup_of_a_called_function(x):
    def raising(v):
        raise ExceptionGroup("both", [Stop(v[0] * v[1]), KeyError(v[2])])

    t = 0.0
    for k in range(3):
        try:
            raising(x * k)
        except ExceptionGroup as g:
            a = g.subgroup(Stop)
            t = t + a.exceptions[0].args[0]
    return t


@program((X,))
def subgroup_by_a_derive_of_its_own(x):
    try:
        raise Valued("m", [Stop(x[0]), KeyError(x[1])], x[2])
    except Valued as g:
        h = g.subgroup(Stop)
        return h.value * h.exceptions[0].args[0]


@program((X,))
def group_with_a_field(x):
    try:
        raise Valued("m", [Stop(x[0]), KeyError(x[1])], x[2])
    except Valued as g:
        return g.value * g.exceptions[0].args[0]


@program((X,))
def clause_of_two_classes(x):
    t = x[0]
    try:
        t = t * x[1]
        raise ExceptionGroup(
            "both", [Stop(x[0] * x[1]), KeyError(x[2]), ExceptionGroup("inner", [Halt(x[0], x[1])])]
        )
    except* (Stop, Halt) as group:
        for error in group.exceptions:
            inner = error.exceptions[0] if isinstance(error, ExceptionGroup) else error
            t = t * (inner.args[0] if isinstance(inner, Stop) else inner.value * inner.extra) + x[0]
    except* KeyError as group:
        t = t * group.exceptions[0].args[0]
    return t


@program((X,))
def clauses_with_else_and_finally(x):
    t = x[0]
    try:
        t = t * x[1]
        fail(x)
        t = t * 100
    except* Stop as group:
        t = t * group.exceptions[0].args[0]
    except* KeyError as group:
        t = t * group.exceptions[0].args[0]
    except* Halt as group:
        t = t + group.exceptions[0].exceptions[0].extra
    else:
        t = t * 50
    finally:
        t = t * x[2]
    return t


@program((X,))
def clauses_in_a_loop_that_raise(x):
    t = x[0]
    for k in range(4):
        try:
            try:
                t = t * x[1]
                fail_until(3, k, x)
                t = t * x[0]
            except* Stop as group:
                t = t * group.exceptions[0].args[0]
                halt_at(2, k, t)
            except* KeyError:
                t = t + x[2]
                raise
            else:
                t = t + x[0]
        except Halt as e:
            t = t * e.value
        except ExceptionGroup as e:
            first = e.exceptions[0]
            t = t + (first.args[0] if not isinstance(first, Halt) else first.value)
    return t


@program((X,))
def exception_alone_in_a_group(x):
    t = x[0]
    try:
        raise Halt(x[1], x[2])
    except* Halt as g:
        t = t * g.exceptions[0].extra
        try:
            raise KeyError(x[0])
        except KeyError as e:
            t = t + e.args[0] ** 2
            try:
                raise
            except KeyError as f:
                t = t * f.args[0]
    return t


@program((X,))
def clauses_with_a_derive_of_its_own(x):
    try:
        raise Valued("m", [Stop(x[0]), KeyError(x[1])], x[2])
    except* Stop as g:
        y = g.value * g.exceptions[0].args[0]
    except* KeyError as g:
        y = y * g.value + g.exceptions[0].args[0]
    return y


@program((X,))
def exits_of_the_body(x):
    t = x[0]
    for k in range(3):
        try:
            if k == 1:
                continue
            if k == 2:
                return t * x[1]
            fail(x)
        except* Exception as g:
            t = t + sum(e.args[0] for e in g.exceptions if not isinstance(e, ExceptionGroup))
    return t


@program((X,))
def array_written_by_what_failed(x):
    s = np.zeros(3)

    def work(k):
        s[k] = x[k] ** 2
        if k == 1:
            raise ExceptionGroup("g", [ValueError(s * 2)])
        return s[k]

    t = 0.0
    for k in range(3):
        try:
            t = t + work(k)
        except* ValueError as g:
            s += g.exceptions[0].args[0]
            t = t + s[0] * s[1]
    return t + np.sum(s)


@program((X,))
def clause_of_a_generator(x):
    def gen():
        try:
            yield x[0]
            yield x[1]
            raise ExceptionGroup("g", [ValueError(x[2])])
        except* ValueError as g:
            v = g.exceptions[0].args[0]
        yield v * v

    t = 1.0
    for v in gen():
        t = t * v
    return t


@program((X,))
def group_divided_by_a_question_with_a_derive_of_its_own(x):
    try:
        raise Valued("m", [Stop(x[0]), Valued("n", [KeyError(x[1])], x[0] * x[1])], x[2])
    except Valued as g:
        h, r = g.split(lambda e: isinstance(e, KeyError))
        return h.value * h.exceptions[0].value * h.exceptions[0].exceptions[0].args[0] + r.value**2
