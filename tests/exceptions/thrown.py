"""Programs that raise exceptions and catch them themselves: what these bring, by what way they come, and who
else sees them. Each is a function of a number."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

PROGRAMS: dict[str, Callable[[Any], Any]] = {}


def program(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    PROGRAMS[function.__name__] = function
    return function


class Low(ValueError):
    def __init__(self, value: Any) -> None:
        super().__init__("low")
        self.value = value


class Pair(Exception):
    def __init__(self, a: Any, *, code: Any = 3.0, b: Any = 2.0) -> None:
        super().__init__(a, b)
        self.a = a
        self.b = b
        self.code = code


class Two(Exception):
    def __init__(self, a: Any, b: Any = 2.0) -> None:
        super().__init__(a, b)
        self.a = a
        self.b = b


class Sub(Low):
    pass


class Text(Exception):
    def __init__(self, value: Any) -> None:
        super().__init__(f"bad {value}")
        self.value = value


class Doubling(Exception):
    def __init__(self, value: Any) -> None:
        self.value = value * 2.0


class Prop(Exception):
    def __init__(self, value: Any) -> None:
        self._v = value

    @property
    def value(self) -> Any:
        return self._v * 3.0


class Slow(Exception):
    value = 4.0


class Other(Exception):
    pass


def g(x: Any) -> Any:
    if x < 1.0:
        raise Low(x * 3.0)
    return x * x


@program
def in_loop(x: Any) -> Any:
    s = 0.0
    for k in range(4):
        try:
            y = g(x + (k % 2))
        except Low as e:
            y = e.value * 2.0
        s = s + y * x
    return s


@program
def args_read(x: Any) -> Any:
    s = 0.0
    for k in range(4):
        try:
            if x + (k % 2) < 1.0:
                raise ValueError(x * 3.0, x)
            y = x * x
        except ValueError as e:
            y = e.args[0] * e.args[1]
        s = s + y * x
    return s


@program
def changed_before(x: Any) -> Any:
    box = [1.0]
    s = 0.0
    for k in range(3):
        try:
            box[0] = box[0] * x
            v = g(x + k)
            box[0] = box[0] + v
        except Low as e:
            box.append(e.value)
            s = s + e.value * box[0]
    return s + box[0] + sum(box)


def push(box: Any, x: Any) -> Any:
    box.append(x * x)
    if x < 1.0:
        raise Low(x * box[-1])
    box.append(x)
    return box[0] * x


@program
def callee_changes(x: Any) -> Any:
    box = []
    s = 0.0
    for k in range(3):
        try:
            s = s + push(box, x + k * 0.4)
        except Low as e:
            s = s + e.value * len(box)
    return s + sum(box)


@program
def array_write(x: Any) -> Any:
    a = np.zeros(3)
    s = 0.0
    for k in range(3):
        try:
            a[k] = x * k
            a[0] = a[0] + g(x + k)
        except Low as e:
            a[2] = e.value
            s = s + e.value
    return s + a.sum() + a[2] * a[1]


@program
def reraises(x: Any) -> Any:
    try:
        try:
            y = g(x)
        except Low as e:
            if e.value > 0.0:
                raise
            y = 0.0
    except Low as f:
        y = f.value * f.value
    return y


@program
def raises_other(x: Any) -> Any:
    try:
        try:
            y = g(x)
        except Low as e:
            raise Two(e.value, x) from e
    except Two as f:
        y = f.a * f.b * f.__cause__.value
    return y


@program
def context(x: Any) -> Any:
    try:
        try:
            y = g(x)
        except Low as e:
            y = e.value / (x - x)
    except ZeroDivisionError as z:
        y = z.__context__.value * x
    return y


def inner_context(x: Any) -> Any:
    try:
        y = g(x)
    except Low as e:
        y = e.value / (x - x)
    return y


@program
def context_in_caller(x: Any) -> Any:
    try:
        y = inner_context(x)
    except ZeroDivisionError as z:
        y = z.__context__.value * x
    return y


def middle(x: Any) -> Any:
    return g(x) + x


@program
def two_levels(x: Any) -> Any:
    s = 0.0
    for k in range(3):
        try:
            s = s + middle(x + k * 0.3)
        except Low as e:
            s = s + e.value * x
    return s


@program
def stored(x: Any) -> Any:
    kept = []
    for k in range(3):
        try:
            y = g(x * (k + 1) * 0.5)
            kept.append(y)
        except Low as e:
            kept.append(e)
    s = 0.0
    for item in kept:
        s = s + (item.value if isinstance(item, Low) else item)
    return s


@program
def keyword(x: Any) -> Any:
    try:
        if x < 1.0:
            raise Pair(x, b=x * x, code=x * 5.0)
        y = x
    except Pair as e:
        y = e.a * e.b + e.code
    return y


@program
def keyword_args(x: Any) -> Any:
    try:
        if x < 1.0:
            raise Two(b=x * x, a=x)
        y = x
    except Two as e:
        y = e.args[0] * e.args[1] + e.a
    return y


@program
def default(x: Any) -> Any:
    try:
        if x < 1.0:
            raise Two(x)
        y = x
    except Two as e:
        y = e.a * e.b
    return y


@program
def of_arrays(x: Any) -> Any:
    v = np.arange(3.0) * x
    try:
        if x < 1.0:
            raise Low(v)
        y = v
    except Low as e:
        y = e.value * e.value
    return y.sum()


@program
def with_else(x: Any) -> Any:
    s = 0.0
    for k in range(3):
        try:
            y = g(x + k * 0.4)
        except Low as e:
            s = s + e.value
        else:
            s = s + y * y
        finally:
            s = s * x
    return s


@program
def breaks(x: Any) -> Any:
    s = 0.0
    for k in range(5):
        try:
            y = g(x * 3.0 - k)
        except Low as e:
            s = s + e.value * k
            break
        s = s + y
    return s


@program
def continues(x: Any) -> Any:
    s = 0.0
    for k in range(5):
        try:
            y = g(x * 3.0 - k)
        except Low as e:
            s = s + e.value * k
            continue
        s = s + y
    return s


@program
def returns(x: Any) -> Any:
    s = x
    for k in range(5):
        try:
            y = g(x * 3.0 - k)
        except Low as e:
            return s * e.value
        s = s + y
    return s


def recursive(x: Any, n: Any) -> Any:
    if n == 0:
        raise Low(x)
    return x * recursive(x * 1.1, n - 1)


@program
def recursion(x: Any) -> Any:
    try:
        y = recursive(x, 3)
    except Low as e:
        y = e.value * x
    return y


def gen(x: Any) -> Iterator[Any]:
    yield x
    yield x * x
    raise Low(x * 4.0)


@program
def generator(x: Any) -> Any:
    s = 0.0
    try:
        for v in gen(x):
            s = s + v
    except Low as e:
        s = s * e.value
    return s


@program
def subclass(x: Any) -> Any:
    try:
        if x < 1.0:
            raise Sub(x * x)
        y = x
    except Low as e:
        y = e.value * 2.0
    return y


@program
def tuple_of_classes(x: Any) -> Any:
    try:
        if x < 1.0:
            raise Low(x * x)
        y = x
    except (Two, Low) as e:
        y = e.value * 2.0
    return y


@program
def several(x: Any) -> Any:
    s = 0.0
    for k in range(3):
        try:
            if k == 0:
                raise Low(x * x)
            if k == 1:
                raise Two(x, x * 3.0)
            y = x
        except Low as e:
            y = e.value * 2.0
        except Two as e:
            y = e.a * e.b
        s = s + y
    return s


@program
def same_field(x: Any) -> Any:
    s = 0.0
    for k in range(3):
        try:
            if k == 0:
                raise Low(x * x)
            if k == 1:
                raise Text(x * 3.0)
            y = x
        except Low as e:
            y = e.value * 2.0
        except Text as e:
            y = e.value * x
        s = s + y
    return s


@program
def not_caught_here(x: Any) -> Any:
    try:
        try:
            if x < 1.0:
                raise Text(x * 3.0)
            y = g(x)
        except Low as e:
            y = e.value
    except Text as e:
        y = e.value * x
    return y


@program
def doubling(x: Any) -> Any:
    try:
        raise Doubling(x * x)
    except Doubling as e:
        return e.value * x


@program
def prop(x: Any) -> Any:
    try:
        raise Prop(x * x)
    except Prop as e:
        return e.value * x


@program
def added_field(x: Any) -> Any:
    try:
        e = Low(x)
        e.value = x * x * x
        raise e
    except Low as f:
        return f.value * x


@program
def made_before(x: Any) -> Any:
    e = Low(x)
    try:
        if x < 1.0:
            raise e
        y = x
    except Low as f:
        y = f.value * x
    return y + e.value


@program
def others_too(x: Any) -> Any:
    s = 0.0
    for k in range(3):
        try:
            if k == 1:
                raise Low(x * 2.0)
            y = x / k
        except Low as e:
            y = e.value
        except ZeroDivisionError:
            y = x * x
        s = s + y
    return s


@program
def everything(x: Any) -> Any:
    try:
        if x < 1.0:
            raise Low(x * x)
        y = x
    except Exception as e:
        y = e.value
    return y


@program
def rebound(x: Any) -> Any:
    s = 0.0
    t = x
    for k in range(3):
        try:
            t = t * x
            if k > 0:
                raise Low(t)
            t = t + 1.0
        except Low as e:
            t = t * 2.0
            s = s + e.value * t
    return s


@program
def never(x: Any) -> Any:
    s = 0.0
    for _ in range(0):
        try:
            s = s + g(x)
        except Low as e:
            s = s + e.value
    return s + x


@program
def unread_field(x: Any) -> Any:
    try:
        raise Two(x, x * x)
    except Two as e:
        return e.b * 3.0


@program
def constant(x: Any) -> Any:
    try:
        raise Two(3.0, x * x)
    except Two as e:
        return e.a * x


@program
def twice_in_callee(x: Any) -> Any:
    try:
        if x > 0.5:
            raise Low(x * x)
        raise Low(x * 7.0)
    except Low as e:
        return e.value * x


@program
def bare_clause(x: Any) -> Any:
    try:
        try:
            raise Low(x * x)
        except Two:
            y = 0.0
        except:
            raise
    except Low as e:
        y = e.value * x
    return y


@program
def with_method(x: Any) -> Any:
    v = np.array([x, x * 2.0])
    try:
        if v.sum() < 5.0:
            raise Low(v.sum())
        y = x
    except Low as e:
        y = e.value * np.sum(v)
    return y


def while_in_callee(x: Any) -> Any:
    t = x
    while t < 10.0:
        t = t * 2.0
        if t > 3.0:
            raise Low(t * x)
    return t


@program
def loop_in_callee(x: Any) -> Any:
    s = 0.0
    for k in range(3):
        try:
            s = s + while_in_callee(x + k)
        except Low as e:
            s = s + e.value * k
    return s


def early(x: Any) -> Any:
    if x < 0.6:
        return x
    if x < 1.2:
        raise Low(x * x)
    return x * 3.0


@program
def early_return(x: Any) -> Any:
    s = 0.0
    for k in range(4):
        try:
            s = s + early(x * 0.5 + k * 0.3)
        except Low as e:
            s = s * e.value
    return s


@program
def handler_calls(x: Any) -> Any:
    try:
        y = g(x)
    except Low as e:
        y = math.sin(e.value) + np.cos(e.value)
    return y


def helper(v: Any, x: Any) -> Any:
    return v * x


@program
def handler_calls_own(x: Any) -> Any:
    try:
        y = g(x)
    except Low as e:
        y = helper(e.value, x)
    return y


@program
def conditional(x: Any) -> Any:
    try:
        y = g(x)
    except Low as e:
        y = e.value
        if e.value > 1.0:
            y = y * x
    return y


@program
def two_tries(x: Any) -> Any:
    try:
        a = g(x)
    except Low as e:
        a = e.value
    try:
        b = g(x * 2.5)
    except Low as e:
        b = e.value
    try:
        c = g(a)
    except Low as e:
        c = e.value * b
    return a * b * c


@program
def nested(x: Any) -> Any:
    s = 0.0
    for k in range(2):
        try:
            try:
                s = s + g(x + k)
            except Low as e:
                s = s + e.value
            raise Two(s, x)
        except Two as f:
            s = f.a * f.b
    return s


@program
def same_class_inside(x: Any) -> Any:
    try:
        try:
            y = g(x)
        except Two as e:
            y = e.a
    except Low as e:
        y = e.value * x
    return y


@program
def negated(x: Any) -> Any:
    try:
        if x > 5.0:
            raise Low(x)
        raise RuntimeError(x * x)
    except (RuntimeError, Low) as e:
        return e.args[0] * x


@program
def unpacked(x: Any) -> Any:
    try:
        raise Two(x, x * x)
    except Two as e:
        a, b = e.args
        return a * b


@program
def rebinds_e(x: Any) -> Any:
    try:
        y = g(x)
    except Low as e:
        v = e.value
        e = Low(x * x * x)
        y = e.value * v
    return y


@program
def aliases_e(x: Any) -> Any:
    try:
        y = g(x)
    except Low as e:
        f = e
        y = f.value * x
    return y


def reraise_bare(x: Any) -> Any:
    try:
        y = g(x)
    except Low as e:
        if e.value > 0.0:
            raise
        y = 0.0
    return y


@program
def reraised_by_callee(x: Any) -> Any:
    try:
        y = reraise_bare(x)
    except Low as e:
        y = e.value * x
    return y


def reraise_named(x: Any) -> Any:
    try:
        y = g(x)
    except Low as e:
        if e.value > 0.0:
            raise e
        y = 0.0
    return y


@program
def named_by_callee(x: Any) -> Any:
    try:
        y = reraise_named(x)
    except Low as e:
        y = e.value * x
    return y


def translating(x: Any) -> Any:
    try:
        y = g(x)
    except Low as e:
        raise Other(f"bad {e.value}") from e
    return y


@program
def cause_in_caller(x: Any) -> Any:
    try:
        y = translating(x)
    except Other as o:
        y = o.__cause__.value * x
    return y


def escapes(x: Any) -> Any:
    try:
        if x > 0.0:
            raise Two(x, x * x)
        y = g(x)
    except Low as e:
        y = e.value
    return y


@program
def escaped(x: Any) -> Any:
    try:
        y = escapes(x)
    except Two as e:
        y = e.a * e.b
    return y


@program
def escaped_outer(x: Any) -> Any:
    try:
        try:
            if x > 0.0:
                raise Two(x, x * x)
            y = g(x)
        except Low as e:
            y = e.value
    except Two as e:
        y = e.a * e.b
    return y


@program
def reraised_outer(x: Any) -> Any:
    try:
        try:
            y = g(x)
        except Low as e:
            z = e.value
            raise e
    except Low as f:
        y = f.value * z
    return y


@program
def stored_in_caller(x: Any) -> Any:
    kept = []
    for _ in range(2):
        try:
            reraise_named(x)
        except Exception as e:
            kept.append(e)
    return sum([e.value for e in kept]) * x + x


@program
def collects(x: Any) -> Any:
    kept = []
    for k in range(3):
        try:
            kept.append(g(x + k * 0.4))
        except Low as e:
            kept.append(e.value)
    return kept[0] * kept[1] * kept[2]


@program
def translated(x: Any) -> Any:
    s = 0.0
    for k in range(3):
        try:
            try:
                y = g(x + k * 0.4)
            except Low as e:
                raise Other(f"bad {e.value}") from e
        except Other:
            y = x * x
        s = s + y * x
    return s


@program
def text_read(x: Any) -> Any:
    try:
        y = g(x)
    except Low as e:
        y = x * len(str(e)) + e.value
    return y


@program
def nonlocal_count(x: Any) -> Any:
    n = 0.0

    def bump(v: Any) -> Any:
        nonlocal n
        n = n + v
        if v < 1.0:
            raise Low(v * n)
        return v

    s = 0.0
    for k in range(3):
        try:
            s = s + bump(x + k * 0.3)
        except Low as e:
            s = s + e.value
    return s * n


@program
def comprehension(x: Any) -> Any:
    try:
        v = [g(x + k * 0.4) for k in range(3)]
    except Low as e:
        v = [e.value, x]
    return v[0] * v[1]


@program
def augmented_array(x: Any) -> Any:
    a = np.ones(2)
    for k in range(3):
        try:
            a *= x
            if k > 0:
                raise Low(a[0] * a[1])
            a += 1.0
        except Low as e:
            a[0] = a[0] + e.value
    return a.sum()


@program
def array_thrown_then_changed(x: Any) -> Any:
    a = np.ones(2) * x
    s = 0.0
    for k in range(3):
        try:
            a[k % 2] = a[k % 2] * x
            raise Low(a)
        except Low as e:
            a[0] = x * 3.0
            s = s + e.value[0] * e.value[1]
    return s


@program
def of_a_list(x: Any) -> Any:
    v = [x, x * 2.0]
    try:
        raise Low(v)
    except Low as e:
        v[0] = x * 5.0
        y = e.value[0] * e.value[1]
    return y


@program
def of_a_dict(x: Any) -> Any:
    v = {"a": x}
    try:
        raise Low(v)
    except Low as e:
        e.value["a"] = e.value["a"] * x
    return v["a"]


@program
def exception_of_iteration(x: Any) -> Any:
    s = 0.0
    for v in [x, x * 2.0, x * 3.0]:
        try:
            y = g(v)
        except Low as e:
            y = e.value * v
        s = s + y
    return s


@program
def while_loop(x: Any) -> Any:
    t, n = x, 0
    while True:
        try:
            t = g(t)
            t = t * 0.5
        except Low as e:
            t = e.value
        n = n + 1
        if n > 4:
            break
    return t


@program
def first_time_only(x: Any) -> Any:
    s = 0.0
    for k in range(4):
        try:
            if k == 0:
                raise Low(x * x)
            if k == 2:
                raise Low(k * 1.0)
            y = x
        except Low as e:
            y = e.value * x
        s = s + y
    return s


@program
def made_early(x: Any) -> Any:
    t, s = x, 0.0
    for k in range(3):
        try:
            error = Low(t)
            t = t * (x + k)
            if k > 0:
                raise error
            s = s + t
        except Low as e:
            s = s + e.value * t
    return s


@program
def made_in_one_of_two_arms(x: Any) -> Any:
    s = 0.0
    for k in range(3):
        try:
            error = Low(x * x) if k == 0 else Low(x * k)
            raise error
        except Low as e:
            s = s + e.value * x
    return s


@program
def handled_inside_a_handler(x: Any) -> Any:
    try:
        y = g(x)
    except Low as e:
        v = e.value
        try:
            y = g(x * v)
        except Low as f:
            y = f.value * v
    return y


@program
def context_of_one_inside_a_handler(x: Any) -> Any:
    try:
        y = g(x)
    except Low as e:
        v = e.value
        try:
            y = x / (v - v)
        except ZeroDivisionError as f:
            y = f.__context__.value * v  # type: ignore[union-attr]
    return y
