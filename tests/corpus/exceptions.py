"""Exceptions raised, caught, passed on and cleaned up after: what ran before them counts."""

import array
import contextlib
import functools
import math
from dataclasses import dataclass

import numpy as np

from tests.corpus.registry import LOG, program

V = np.array([0.5, -1.5, 2.0])
W = np.array([1.5, 0.25, -0.5])
M = np.array([[0.5, -1.0], [1.5, 2.0]])


class Stop(Exception):
    """Nothing but a name."""


class Halt(Stop):
    """A name below another."""


class Carrier(Exception):
    """Carries values out of where it is raised."""

    def __init__(self, message, value, **extra):
        super().__init__(message)
        self.value = value
        self.extra = extra

    @property
    def square(self):
        return self.value * self.value


@dataclass
class Overshoot(Exception):
    """An exception that is a dataclass."""

    place: float
    excess: float


def positive_log(x):
    """The logarithm, by the exception of `math`."""
    return math.log(x)


def two_deep(x):
    return positive_log(x - 3) * x


def fail(*values):
    raise Stop(*values)


# One statement, each of its parts.


@program((1.5,), (-1.5,))
def handler_runs_after_part_of_the_body(x):
    y = x * x
    try:
        y = y * x
        z = math.log(x)
        y = y + z
    except ValueError:
        y = y * 3
    return y * x


@program((1.5, 0), (1.5, 1), (1.5, 2))
def every_part_of_a_try(x, way):
    y = x
    try:
        y = y * 2
        if way == 1:
            raise KeyError("one")
        if way == 2:
            y = y * x
            raise Stop
        y = y + x * x
    except KeyError:
        y = y * y
    except Stop:
        y = y + math.sin(y)
    else:
        y = y * x * x
    finally:
        y = y * math.exp(x)
    return y + x


@program((1.5,))
def handler_that_is_never_needed(x):
    try:
        y = math.sin(x) * x
    except ValueError:
        y = 0.0
    return y * y


@program((0.3, 40), (0.3, 0))
def handler_never_needed_in_a_hot_loop(x, n):
    y = x
    for k in range(n):
        try:
            y = math.sin(y * x) + k / 50
        except (ValueError, OverflowError):
            y = 0.0
    return y


@program((0.3, 60))
def handler_needed_every_seventh_time(x, n):
    total, caught = x, 0
    for k in range(n):
        try:
            total = math.sin(total + x) + 1 / (k % 7)
        except ZeroDivisionError:
            caught += 1
            total = total * x + caught
    return total


@program((1.5, [1.0, 2.0]), (1.5, [2.0, -1.0, 4.0]))
def finally_alone(x, values):
    y = x
    try:
        for value in values:
            y = y * value
    finally:
        y = y + x * x
    return y * y


@program((1.5, 2.0), (1.5, -2.0))
def variables_bound_in_the_body_only(x, y):
    try:
        a = x * y
        b = math.sqrt(y)
        c = a * b
    except ValueError:
        b = a * a
        c = a + b * x
    return a * b + c


@program((1.5, 0.5))
def variable_that_is_not_bound_yet(x, y):
    try:
        a = x * late
        late = y
    except NameError as error:
        a = x * y
        late = a * len(error.args)
    return late * a


@program((1.5, 0.5))
def name_of_the_exception_is_unbound_afterwards(x, y):
    error = x * y
    total = error * x
    try:
        total += error
        fail(total * y)
    except Stop as error:
        total = total * error.args[0]
    try:
        total = total + error
    except UnboundLocalError:
        total = total * x
    return total


@program((1.5, 0), (1.5, 1), (1.5, 2), (1.5, 3))
def several_handlers_and_a_tuple_of_classes(x, way):
    y = x * 2
    try:
        y = y * x
        if way:
            raise (KeyError, Halt, OverflowError)[way - 1](y)
        y = 1 / (way * x)
    except (KeyError, OverflowError) as error:
        y = y * x + error.args[0]
    except Stop as error:
        y = y * error.args[0]
    except ArithmeticError:
        y = y**3
    return y


@program((1.5,), (-1.5,))
def bare_except(x):
    y = x
    try:
        y = y * 4
        y = y * math.sqrt(x)
    except:  # noqa: E722
        y = y * x
    return y * y


@program((1.5,), tags="effects")
def classes_of_a_handler_are_computed_when_they_are_needed(x):
    def kinds(name, *classes):
        LOG.append(name)
        return classes

    y = x
    try:
        y = y * y
    except kinds("unused", Stop):
        y = 0.0
    try:
        y = y * x
        fail()
    except kinds("first", KeyError):
        y = y * 2
    except kinds("second", KeyError, Stop):
        y = y * 3 + x
    except kinds("third", Exception):
        y = y * 5
    return y


@program((1.5, 0.5))
def first_handler_that_fits(x, y):
    total = x
    for error in (Stop(y), Halt(x), Stop(x * y), KeyError(y)):
        try:
            total = total * 1.5
            raise error
        except Halt:
            total = total * total
        except Stop as caught:
            total = total + caught.args[0]
        except LookupError as caught:
            total = total * caught.args[0]
    return total


@program((1.5, 0.5))
def parts_of_an_expression_that_raises(x, y):
    items = [x]

    def push(value):
        items.append(value * items[-1])
        return value

    total = y
    try:
        total = push(x) + push(y) * (half := push(x * y) / 2) + fail() + push(7.0)
    except Stop:
        total = total + half
    try:
        total += push(total) * items[len(items) + 9]
    except IndexError:
        total = total * items[-1]
    return total * sum(items)


@program((1.5, 0.5))
def assignments_done_in_part(x, y):
    a, b, c = x, y, x * y
    try:
        a, (b, c) = a * 2, (a * b,)
    except ValueError:
        b = b + a
    values = [a, b]
    try:
        c = values[0] = values[5] = c * a
    except IndexError:
        values.append(c * values[0])
    try:
        values[1], a = y
    except TypeError:
        a = a * values[2]
    table = {}
    try:
        table["x"], table[[]] = a * b, c
    except TypeError:
        c = c + table["x"]
    return a * b + c * sum(values)


# What raises.


@program((1.5, 0), (1.5, 2))
def division_by_zero(x, n):
    y = x * x
    try:
        y = y * 3
        y = y / n
        y = y + 1
    except ZeroDivisionError:
        y = y * y
    return y


@program((1.5, "a", 0), (1.5, "b", 0), (1.5, "a", 5))
def keys_and_positions_that_are_not_there(x, key, place):
    table = {"a": x * x}
    values = [x, x**3]
    y = x
    try:
        y = y * table[key]
        y = y * values[place]
    except KeyError as error:
        table[error.args[0]] = y * 2
        y = table[key] * table["a"]
    except IndexError:
        values.append(y)
        y = values[-1] * values[0]
    return y + sum(values) + sum(table.values())


@program((4.5,), (2.5,), (1.5,))
def callee_two_calls_deep(x):
    y = x
    try:
        y = y * x
        y = y + two_deep(x)
    except ValueError:
        y = y * math.cos(x)
    return y


class Tank:
    """Overflows."""

    def __init__(self, level, limit):
        self.level = level
        self.limit = limit

    def add(self, amount):
        self.level = self.level + amount
        if self.level > self.limit:
            excess = self.level - self.limit
            self.level = self.limit
            raise Overshoot(self.level, excess)
        return self.level * 2

    def add_all(self, amounts):
        for amount in amounts:
            self.add(amount * self.level)

    def __getattr__(self, name):
        raise AttributeError(name)


@program((1.5, 0.5), (1.5, 2.5), (0.5, 1.5))
def method_that_writes_and_raises(x, y):
    tank = Tank(x, 3 * y)
    total = x
    try:
        total += tank.add(y)
        total *= tank.add(y * y)
        total += tank.add(x)
    except Overshoot as over:
        total += over.excess * over.place
        tank.level *= over.excess
    return total * tank.level


@program((1.5, [0.5, 0.25, 2.0, 3.0]))
def method_that_raises_from_inside_a_loop(x, amounts):
    tank = Tank(x, 4.0)
    while True:
        try:
            tank.add_all(amounts)
        except Overshoot as over:
            tank.limit *= 1 + over.excess / 10
            tank.level *= 0.5
            if tank.limit > 8:
                break
    return tank.level * tank.limit


@program((1.5,))
def attribute_that_is_not_there(x):
    tank = Tank(x, 2 * x)
    y = x
    try:
        y = y * tank.level
        y = y * tank.colour
    except AttributeError as error:
        setattr(tank, error.args[0], y * 3)
    return tank.colour * getattr(tank, "weight", y) * tank.limit


@program((np.array([[0.5, 2.0], [1.5, 0.25]]), 1.5), (np.array([[2.0, 0.5], [0.5, 1.0]]), 1.5))
def matrix_that_is_not_positive(m, x):
    s = m + m.T
    try:
        s = s * x
        factor = np.linalg.cholesky(s)
        y = factor[1, 0] * factor[1, 1]
    except np.linalg.LinAlgError:
        y = np.linalg.det(s)
    return y * x


@program((M, V), tags="effects")
def singular_matrix_and_other_errors_of_numpy(m, v):
    total = m[0, 0]
    for step in (
        lambda: np.linalg.inv(m * np.array([[1.0, 1.0], [0.0, 0.0]])),
        lambda: v + np.ones(2),
        lambda: m @ v,
        lambda: v[3],
        lambda: v.reshape(2, 2),
        lambda: np.concatenate([v, m]),
    ):
        try:
            total = total * 1.5 + v[0]
            total = total + step()
        except np.linalg.LinAlgError as error:
            LOG.append(str(error))
            total = total * m[1, 1]
        except ValueError:
            total = total + v[1] * m[1, 0]
        except IndexError:
            total = total * v[2]
    return total


@program((1.5, ["2", "x", "3.5", ""]))
def texts_that_are_no_numbers(x, words):
    total = x
    for word in words:
        try:
            total = total * x
            total = total * int(word)
        except ValueError:
            try:
                total = total + x * float(word)
            except ValueError:
                total = total - x / 3
    return total


@program((0.5,), (1.5,), (-0.5,))
def failed_assertion_with_a_value(x):
    y = x
    try:
        y = y * x
        assert x < 1, y
        y = y * 2
        assert x < 0, (x, y)
    except AssertionError as error:
        (y,) = error.args
        if x < 1:
            y = y[0] * y[1]
    return y * x


@program((1.5, 800.0), (1.5, 2.0))
def overflow(x, y):
    total = x
    try:
        total = total * y
        total = total + math.exp(y) / math.exp(2)
    except OverflowError:
        total = math.log(total)
    try:
        total = total * x
        total = total + (10.0 * x) ** y / 50
    except OverflowError:
        total = total * 2
    return total


@program((1.5, [1.0, 2.0, 3.0], [4.0, 5.0]))
def zip_that_is_strict(x, left, right):
    total = x
    try:
        for a, b in zip(left, right, strict=True):
            total = total * a + b * x
    except ValueError:
        total = total * a * b
    return total


@program((1.5, 0.5))
def targets_of_a_loop_that_do_not_fit(x, y):
    total = x
    try:
        for a, (b, *rest) in [(x, (y, x)), (y, (x * y,)), (x * x, ()), (y, y)]:
            total = total * a + b + sum(rest)
    except ValueError:
        total = total + a * b
    return total


@program((1.5, 0.5))
def calls_that_do_not_fit(x, y):
    def scaled(value, *, factor):
        return value * factor

    total = x
    try:
        total = total * scaled(x, factor=y)
        total = total * scaled(x, y)
    except TypeError:
        total = total + scaled(y, factor=total)
    try:
        total = total * None
    except TypeError:
        total = total * x
    return total


# The exception as something that carries values.


@program((1.5,), (0.5,))
def values_in_the_arguments_of_an_exception(x):
    try:
        if x > 1:
            raise ValueError(x * x, [x, 3 * x], {"scale": math.sin(x)})
        raise ValueError(x)
    except ValueError as error:
        if len(error.args) == 1:
            return error.args[0] ** 3
        square, pair, table = error.args
        return square * pair[1] + table["scale"] * pair[0]


@program((1.5, 0.5))
def values_in_attributes_of_an_exception(x, y):
    total = x

    def inner(value):
        raise Carrier("too far", value * y, slope=value + x)

    try:
        total = total * y
        inner(total)
    except Carrier as error:
        total = total + error.square * error.extra["slope"]
        error.value *= x
        total = total * error.value * len(str(error))
    return total


@program((1.5, 0.5))
def exceptions_kept_in_a_list(x, y):
    kept = []
    for k in range(4):
        try:
            fail(x * k, y**k)
        except Stop as error:
            kept.append(error)
    total = y
    for error in reversed(kept):
        try:
            raise error
        except Stop as again:
            total = total * again.args[0] + again.args[1] + (again is error)
    return total


@program((1.5, 0.5))
def array_in_an_exception_is_written_later(x, y):
    v = np.array([x, y, x * y])
    try:
        fail(v, v[1:])
    except Stop as error:
        whole, tail = error.args
        tail[0] = whole[0] * y
        v *= x
    return (whole * v).sum() + tail @ tail


@program((1.5, 0.5))
def raised_again_as_it_is(x, y):
    total = x
    try:
        try:
            total = total * y
            fail(total)
        except Stop as error:
            error.args = (*error.args, total * x)
            total = total + x
            raise
        finally:
            total = total * 3
    except Stop as error:
        total = total * error.args[0] + error.args[1]
    return total


@program((1.5, 0.5))
def raised_from_another(x, y):
    total = x
    try:
        try:
            total = total * x
            fail(total * y)
        except Stop as error:
            total = total + error.args[0]
            raise Carrier("from", total) from error
    except Carrier as error:
        total = total * error.value * error.__cause__.args[0]
        total += error.__context__.args[0] * x
    return total


@program((-1.5,), (1.5,))
def handler_that_raises_itself(x):
    y = x
    try:
        try:
            y = y * x
            y = y * math.log(x)
        except ValueError:
            y = y * 2
            y = y / {}["nothing"]
            y = y * 100
        else:
            y = y + 1
            y = y / (y * 0)
    except KeyError as error:
        y = y * x + (type(error.__context__) is ValueError)
    except ZeroDivisionError:
        y = y * x * 5
    return y


@program((1.5, 0), (1.5, 1), (1.5, 2))
def exception_in_an_else_is_not_caught_beside_it(x, way):
    y = x
    try:
        try:
            y = y * x
            if way == 1:
                fail(x)
        except Stop as error:
            y = y * error.args[0] * 2
        else:
            y = y * 3
            if way == 2:
                fail(y * y)
        finally:
            y = y + x
    except Stop as error:
        y = y * error.args[0] * 5
    return y


@program((1.5, 0.5))
def exception_group(x, y):
    total = x
    try:
        total = total * y
        raise ExceptionGroup("both", [Stop(x * y), KeyError(y), ExceptionGroup("inner", [Halt(x)])])
    except* Stop as group:
        for error in group.exceptions:
            inner = error.exceptions[0] if isinstance(error, ExceptionGroup) else error
            total = total * inner.args[0] + x
    except* KeyError as group:
        total = total * group.exceptions[0].args[0]
    return total


# Loops around and inside.


@program((1.2, [1.0, None, 2.0, None, 4.0]))
def continue_in_a_handler(x, values):
    total = x
    for k, value in enumerate(values):
        try:
            total = total * x
            step = k / value
        except TypeError:
            total = total + 0.5
            continue
        total = total + step * x
    return total


@program((1.2, 0), (1.2, 1), (1.2, 2), (1.2, 3), (1.2, 4), (1.2, 9))
def every_exit_of_a_try_in_a_loop(x, way):
    y = x
    for k in range(5):
        try:
            y = y * x
            if k == way == 0:
                continue
            if k == way == 1:
                break
            if k == way == 2:
                return y * k
            if k == way:
                fail(y)
        except Stop as error:
            y = error.args[0] * y
        else:
            y = y + k
        finally:
            y = math.sin(y) + y
    else:
        y = y * 13
    return y + x


@program((1.2, 1), (1.2, 2), (1.2, 3), (1.2, 9))
def every_exit_of_a_handler_in_a_loop(x, way):
    y = x
    k = 0
    while k < 4:
        k += 1
        try:
            y = y * x
            if k % 2:
                fail()
            y = y + k
        except Stop:
            y = y * 1.5
            if way == 1:
                break
            if way == 2:
                continue
            if way == 3:
                return y * k
            y = y + x
        finally:
            y = y * 1.1
        y = y + 0.5
    else:
        y = y * 7
    return y * x


@program((1.2, 0), (1.2, 1), (1.2, 2), (1.2, 3))
def every_exit_of_an_else_in_a_loop(x, way):
    y = x
    for k in range(1, 4):
        try:
            y = y * x
        except Stop:
            y = 0.0
        else:
            y = y + k
            if k == way == 1:
                break
            if k == way == 2:
                continue
            if k == way == 3:
                return y * y
            y = y * 1.5
        finally:
            y = y + x * x
        y = math.sin(y)
    return y * x


@program((1.2, 0), (1.2, 1), (1.2, 2), (1.2, 3))
def every_exit_of_a_finally_swallows(x, way):
    y = x
    for k in range(4):
        try:
            y = y * x
            if k == way:
                fail(y)
            y = y + k
        finally:
            y = y * 2
            if way == 0:
                continue
            if way == 1:
                break
            return y * k
    return y * x


@program((0.7, -1.3, 0), (0.7, -1.3, 1))
def finally_takes_back_a_return(x, y, way):
    a = x
    for i in range(3):
        try:
            a = a * y
            if i == 1:
                return a
        finally:
            if i == 1:
                a = a * x
                if way:
                    continue
                break
    return a * a


@program((0.7, -1.3))
def finally_takes_back_a_break(x, y):
    a = x
    for i in range(4):
        try:
            a = a * y
            if i == 1:
                break
        finally:
            if i == 1:
                a = a + x
                continue
    else:
        a = a * x * 10
    return a


@program((0.7, -1.3))
def finally_fails_after_a_return(x, y):
    a = x
    for i in range(4):
        try:
            try:
                a = a * y
                if i == 1:
                    return a
            finally:
                if i == 1:
                    raise ValueError(a)
        except ValueError as error:
            a = a + error.args[0] * x
    return a * a


class FailsAtTheEnd:
    """A manager whose block cannot be left without an exception."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        raise ValueError(3.0)


@program((0.7, -1.3))
def manager_fails_after_a_return(x, y):
    a = x
    for i in range(4):
        try:
            with FailsAtTheEnd():
                a = a * y
                if i == 1:
                    return a
                if i == 2:
                    break
        except ValueError as error:
            a = a + error.args[0] * x
    else:
        a = a * x
    return a * a


@program((1.5, 1), (1.5, 2))
def finally_overrides_a_return(x, n):
    y = x * x

    def inner():
        nonlocal y
        try:
            y = y * x
            return y * 100
        finally:
            y = y + 3 * x
            if n > 1:
                return y * 5

    return inner() + y


@program((1.5,))
def returned_before_finally_changes_it(x):
    y, values = x, [x]
    v = np.array([x, x * x])

    def inner():
        nonlocal y
        try:
            y = y * y
            return y, values, v, values[0] * v[1]
        finally:
            y = y * x
            values.append(y)
            values[0] = y * y
            v[1] *= values[0]

    first, second, third, fourth = inner()
    return first * y + sum(second) * third.sum() + fourth


@program((1.5, 3), (1.5, 99))
def list_filled_until_it_raises(x, stop):
    values = []
    try:
        for k in range(6):
            if k >= stop:
                fail()
            values.append(x**k)
    except Stop:
        values.append(-x)
    total = x
    for value in values:
        total = total * 0.5 + value * value
    return total * len(values)


@program((V, 1.5))
def array_written_until_it_raises(v, x):
    out = np.zeros(2)
    total = x
    try:
        for k, item in enumerate(v):
            total = total + item
            out[k] = item * total
    except IndexError:
        out *= total
    return out @ out * x


@program((V, 2), (V, 9), tags="writes-arguments")
def arguments_written_until_it_raises(v, stop):
    same = v
    try:
        for k in range(3):
            same[k] = v[k] * v[k - 1]
            v += 0.5
            if k >= stop - 1:
                fail(v[k])
    except Stop as error:
        v[0] *= error.args[0]
    return (same * same).sum()


@program((0.7, 2, 1), (0.7, 1, 2), (0.7, 9, 9))
def raise_out_of_nested_loops(x, i, j):
    y, total, k, m = x, 0.0, -1, -1
    try:
        for k in range(3):
            y = y * x + k
            m = 0
            while m < k + 2:
                m += 1
                y = math.sin(y) + m * x
                if k == i and m == j:
                    fail(y, k, m)
                total += y
            total *= x
    except Stop as error:
        total += error.args[0] * (k + 1) * error.args[2]
    return total * y + m


@program((0.7, 2), (0.7, 0), (0.7, 9))
def raise_out_of_loops_in_callees(x, stop):
    reached = []

    def row(k, value):
        for j in range(3):
            value = value * x + j
            reached.append(value)
            if j + k > stop:
                raise Carrier("row", value)
        return value

    def rows(value):
        for k in range(3):
            value = math.sin(value) + row(k, value)
            reached.append(value * value)
        return value

    try:
        y = rows(x)
    except Carrier as error:
        y = error.value * x
    return y * sum(reached)


@program((1.5, [3.0, 1.0, 2.0, 7.0], 2.0), (1.5, [3.0, 1.0], 0.5))
def search_that_ends_by_an_exception(x, values, limit):
    def search():
        for k, value in enumerate(values):
            if value <= limit:
                raise Carrier("found", value * x, place=k)

    try:
        search()
    except Carrier as found:
        return found.value * values[found.extra["place"] + 1]
    else:
        return sum(values) * x


@program((0.1, 3.0), (1.0, 1.1))
def step_halved_until_it_fits(x, step):
    y, tries = x, 0
    while True:
        try:
            tries += 1
            trial = x - step
            y = y + step / 10
            value = math.log(trial)
        except ValueError:
            step = step / 2
        else:
            break
    return value * step + y * tries


@program((-2.0, 5), (-2.0, 2))
def retries_that_run_out(x, attempts):
    y, shift = x, 0.9
    for attempt in range(attempts):
        try:
            y = math.sqrt(x + attempt * shift) * y
            break
        except ValueError as error:
            shift = shift * 1.05
            y = y + shift * x
    else:
        y = y * 3
    return y * shift


@program((1.5, [2.0, 3.0, 4.0]), (1.5, []))
def iterator_asked_until_it_stops(x, values):
    steps = iter(values)
    total = x
    try:
        while True:
            total = total * x + next(steps)
            total = total - next(steps) * x
    except StopIteration:
        total = total * total
    return total


@program((0.3, 6))
def try_in_a_recursion(x, n):
    def down(value, k):
        value = value * x + k
        if k <= 0:
            raise Carrier("bottom", value)
        try:
            return down(math.sin(value), k - 1)
        except Carrier as error:
            if k % 2:
                error.value = error.value * value
                raise
            raise Carrier("up", error.value + value) from None
        finally:
            reached.append(value)

    reached = []
    try:
        down(x, n)
    except Carrier as error:
        return error.value * sum(reached)


@program(([1.0, [2.0, None, [3.0]], "x", 4.0], 0.5))
def tree_with_leaves_that_do_not_fit(tree, x):
    skipped = 0

    def total(node, weight):
        nonlocal skipped
        try:
            return node * weight + 0.0
        except TypeError:
            result = weight
        try:
            for child in node:
                result = result * 1.5 + total(child, weight * x) if child != "x" else result
        except TypeError:
            skipped += 1
            result = result * x
        return result

    return total(tree, x) * skipped


# Closures, methods, helpers, callbacks.


@program((1.5, 0.5))
def variable_of_a_closure_written_before_it_raises(x, y):
    state = x

    def step(value):
        nonlocal state
        state = state * value + y
        if state > 2:
            raise Stop
        state = state + value
        return state

    total = y
    for value in (0.5, x, y, x * y):
        try:
            total = total + step(value)
        except Stop:
            total = total * state
            state = state / 4
    return total * state


@program(([1.0, -2.0, 3.0, 0, -1.0], 0.5))
def helper_of_a_comprehension(values, x):
    def safe(value):
        try:
            return math.sqrt(value) / value
        except ValueError:
            return value * x
        except ZeroDivisionError:
            return x * x

    roots = [safe(value) for value in values if safe(value) != 0.125]
    table = {k: safe(root) for k, root in enumerate(roots)}
    return sum(map(safe, values)) * sum(table.values()) + max(values, key=safe) * x


@program(([1.0, 2.0, -3.0, 4.0], 0.5))
def comprehension_that_raises(values, x):
    seen = []
    last = x

    def root(value):
        seen.append(value * x)
        return math.sqrt(value)

    try:
        total = sum([(last := root(value) * x) for value in values])
    except ValueError:
        total = last * seen[-1]
    try:
        seen.extend(root(value) for value in values)
    except ValueError:
        total = total * len(seen)
    return total + sum(seen)


@program((1.5, 0.5))
def callback_that_raises(x, y):
    def apply(function, values):
        total = y
        for value in values:
            try:
                total = total + function(value)
            except Exception as error:
                total = total * error.args[0]
        return total

    def picky(value):
        if value > 1:
            raise KeyError(value * x)
        return value * y

    return apply(picky, [y, x, x * y, x + y]) * apply(math.sqrt, [x, y])


@program((1.5, 0.5))
def reduction_that_raises(x, y):
    def combine(a, b):
        if a > 2:
            raise Stop(a * b)
        return a * b + x

    total = x * y
    try:
        total = total + functools.reduce(combine, [x, y, x, y, x, y])
    except Stop as error:
        total = total * error.args[0]
    return total


def retrying(function):
    """Calls again, with half of it."""

    @functools.wraps(function)
    def wrapped(value):
        while True:
            try:
                return function(value)
            except Carrier as error:
                value = error.value / 2

    return wrapped


@retrying
def small(value):
    if value > 1:
        raise Carrier("too large", value * 0.9)
    return value * value


@program((7.0,), (0.5,))
def decorator_that_catches(x):
    return small(x) * x + small(x * x)


# Things with an exit.


class Guard:
    """Notes how it was left; may swallow what was raised."""

    def __init__(self, value, *kinds):
        self.value = value
        self.kinds = kinds
        self.left = 0

    def __enter__(self):
        self.value = self.value * 2
        return self

    def __exit__(self, kind, error, traceback):
        self.left += 1
        if error is not None and error.args:
            self.value = self.value * error.args[0]
        return kind is not None and issubclass(kind, self.kinds)


@program((1.5, 0), (1.5, 1))
def exit_that_swallows(x, raising):
    y = x
    with Guard(x, Stop) as guard:
        y = y * x
        if raising:
            fail(y * y)
        y = y + guard.value
    return y * guard.value + guard.left


@program((1.5, 0.5))
def exits_of_several_at_once(x, y):
    total = x
    outer = Guard(x, KeyError)
    try:
        with outer, Guard(y, Stop) as middle, Guard(x * y) as inner:
            total = total * middle.value
            fail(total * inner.value)
        total = total + middle.value
        with outer as again, Guard(y):
            total = total * again.value
            raise OverflowError(total)
    except OverflowError as error:
        total = total + error.args[0] * outer.value
    return total * outer.left + inner.value


@program((1.5, 2), (1.5, 9))
def with_in_a_loop_that_is_left(x, stop):
    y, guards = x, []
    for k in range(4):
        with Guard(y, Stop) as guard:
            guards.append(guard)
            y = y * x
            if k % 2:
                fail(guard.value / 10)
            if k >= stop:
                break
            y = y + guard.value
            continue
        y = y + guard.value * x
    return y * sum(guard.value * guard.left for guard in guards)


@program((-1.5, 0.5), (1.5, 0.5))
def suppressed(x, y):
    total = y
    with contextlib.suppress(ValueError, KeyError):
        total = total * x
        total = total + math.log(x)
        total = total * {1: y}[2]
    return total * x


@contextlib.contextmanager
def borrowed(values, amount):
    """Lends something, takes it back in any case."""
    values[0] = values[0] * amount
    try:
        yield values[0] * amount
    except KeyError as error:
        values.append(error.args[0] * amount)
    finally:
        values[0] = values[0] + amount


@program((1.5, 0.5, 0), (1.5, 0.5, 1), (1.5, 0.5, 2))
def context_manager_of_a_generator(x, y, way):
    values = [x]
    total = y
    try:
        with borrowed(values, y) as amount:
            total = total * amount
            if way == 1:
                raise KeyError(total)
            if way == 2:
                raise Stop(total * x)
            total = total + values[0]
    except Stop as error:
        total = total * error.args[0]
    return total * sum(values)


@program((1.5, 0.5))
def stack_of_exits(x, y):
    values = [x]
    total = y
    with contextlib.suppress(Stop), contextlib.ExitStack() as stack:
        stack.callback(values.append, x * y)
        guard = stack.enter_context(Guard(y))
        total = total * guard.value
        fail(total * x)
    return total * sum(values) * guard.value


@program((np.array([0.5, 0.0, 2.0]), 1.5))
def errors_of_arithmetic_turned_into_exceptions(v, x):
    scale = np.array([1.0, 0.0, 1.0])
    total = x
    try:
        with np.errstate(divide="raise"):
            total = total * v[0]
            total = total + (1 / scale).sum()
    except FloatingPointError:
        total = total * v[2]
    with np.errstate(divide="ignore", invalid="ignore"):
        safe = np.where(scale > 0, v / scale, x)
    return total * safe.sum()


# Exceptions that get out, and effects.


@program((1.5,), (2.5,), tags="raises")
def exception_that_gets_out(x):
    try:
        y = x * x
        if x > 2:
            fail(y)
        raise Carrier(f"at {y}", y)
    except Halt:
        y = 0.0
    return y


@program((-1.5,), tags="raises effects")
def exception_that_gets_out_through_finally(x):
    y = x
    try:
        try:
            y = y * 2
            print(y)
            y = math.log(y)
            LOG.append("never")
        except KeyError:
            LOG.append("never")
        finally:
            LOG.append(y)
    finally:
        y = y * x
        LOG.append(y)
    return y


@program((1.5, [1.0]), tags="raises effects")
def raised_again_after_the_handler(x, values):
    y = x
    try:
        values.append(y * 2)
        y = y * values[5]
    except IndexError as error:
        LOG.append((str(error), y))
        values[0] = y
        raise
    finally:
        LOG.append(sum(values))
    return y


@program((1.5, 0), (1.5, 1), (1.5, 2), tags="raises")
def another_one_gets_out(x, way):
    try:
        if way:
            fail(x)
        x = 1 / way
    except ZeroDivisionError as error:
        raise Carrier("replaced", x) from error
    except Stop:
        if way == 1:
            x = x / {}[str(x)]
    finally:
        if way == 2:
            raise Halt("instead", x)
    return x


@program((1.5,), (-1.5,), tags="effects")
def order_of_effects(x):
    def noisy(name, value):
        print(name)
        LOG.append((name, value))
        return value

    y = x
    try:
        y = noisy("body", y * 2)
        y = noisy("root", math.sqrt(x)) + noisy("after", y)
    except ValueError:
        y = noisy("handler", y * y)
    else:
        y = noisy("else", y * x)
    finally:
        y = noisy("finally", y + 1)
    return noisy("return", y * x)


class Leave(BaseException):
    """Not caught by `except Exception`."""


@program((1.5,), tags="effects")
def base_exceptions_pass_handlers_of_exception(x):
    y = x
    try:
        try:
            y = y * x
            raise Leave(y * 3)
        except Exception:
            LOG.append("never")
            y = 0.0
        finally:
            LOG.append(y)
            y = y * 2
    except BaseException as error:
        y = y * error.args[0]
    return y


counter = {"calls": 0.0}


@program((1.5, 0.5))
def global_state_restored_by_finally(x, y):
    def use(value):
        kept = counter["calls"]
        counter["calls"] = kept + value
        try:
            if value > 1:
                fail(counter["calls"] * value)
            return counter["calls"] * y
        finally:
            counter["calls"] = kept

    total = x
    for value in (y, x, x * y):
        try:
            total = total * use(value)
        except Stop as error:
            total = total + error.args[0]
    return total + counter["calls"]


@program((1.5, [0.5, 2.0], {"a": 1.0}), tags="writes-arguments")
def aliases_written_before_the_raise(x, values, table):
    alias, inner = values, {"values": values, "table": table}
    table["b"] = x
    try:
        inner["values"].append(x * alias[0])
        inner["table"]["a"] *= alias[-1]
        alias.insert(0, table["a"] * table["c"])
    except KeyError as error:
        table[error.args[0]] = values.pop() * x
    return sum(alias) * table["a"] * table["c"] + table["b"]


@program((V, 1.5))
def view_written_by_a_callee_that_raises(v, x):
    y = v * 2
    tail = y[1:]

    def scale(part, factor):
        part *= factor
        part[0] += factor * x
        part[5] = 0.0

    try:
        scale(tail, x)
        y *= 100
    except IndexError:
        scaled = tail[0] * y[2]
    try:
        tail += np.ones(3)
    except ValueError:
        tail -= scaled
    return y @ y + scaled


# Numbers of other kinds.


@program((3, 2), (3, 0))
def integers(x, n):
    y = x * x
    try:
        y = y * 3 + x
        y = y + x / n
    except ZeroDivisionError:
        y = y * x
    return y * 1.0


@program((np.float32(1.5), np.array([0.5, 2.0], np.float32)))
def single_precision(x, v):
    y = x * v[1]
    try:
        y = y * x
        v = v * y
        y = y * v[2]
    except IndexError as error:
        v = v + y * len(error.args)
    finally:
        y = y * v[0]
    return y * v


@program((np.array([1, 2, 3]), 1.5))
def array_of_integers_that_cannot_hold_it(v, x):
    y = x
    w = np.array([1, 2, 3])
    try:
        y = y * x
        w *= 1.5
    except TypeError:
        y = y * w.sum()
    return (v * y * w).sum()


@program((1.5 + 0.5j,))
def complex_numbers(z):
    y = z * z
    try:
        y = y * z
        if y > 0:
            y = y * 2
    except TypeError:
        y = y + z.conjugate() * 3
    return y * z


# What may go wrong in a transformation.


@program((1.5, 0.5))
def what_cannot_be_followed_is_not_swallowed(x, y):
    total = x
    try:
        total = total * array.array("d", [x * y])[0]
    except Exception:
        total = total * 100
    return total


@program((1.5, 0.5), (-1.5, 0.5))
def handler_of_type_errors_around_a_call(x, y):
    total = y
    try:
        total = total * np.linalg.lstsq(np.eye(2), np.array([x, y]), rcond=None)[0].sum()
    except TypeError:
        total = total * -1
    return total


@program((1.5, 0), (1.5, 1), (1.5, 2), (1.5, 3), (1.5, 4))
def deep_nesting(x, way):
    y = x
    try:
        y = y * 1.1
        try:
            y = y * x
            try:
                y = y + x
                if way:
                    raise (Halt, KeyError, ValueError, OverflowError)[way - 1](y)
                y = y * 2
            except Halt as error:
                y = y * error.args[0]
            finally:
                y = y * 1.2
            y = y + 1
        except KeyError as error:
            y = y + 2 * error.args[0]
        else:
            y = y * 1.3
        finally:
            y = y * y
        y = y + 2
    except (ValueError, ArithmeticError) as error:
        y = y - error.args[0]
    return y


@program((1.5, 0), (1.5, 1), (1.5, 2))
def try_inside_every_part_of_a_try(x, way):
    y = x
    try:
        try:
            y = y * x
            y = y + 1 / way
        except ZeroDivisionError:
            y = y * y
        if way == 1:
            fail(y)
    except Stop as error:
        try:
            y = y + error.args[0]
            fail(y * x)
        except Stop as error:
            y = y * error.args[0]
    else:
        try:
            y = y * x
        finally:
            y = y + 2
    finally:
        try:
            y = y * x
            fail(math.sin(y))
        except Stop as error:
            y = y + error.args[0]
    return y * x


@program((1.5, 0.5), (0.5, 1.5), (0.5, 0.8))
def branches_and_returns_in_every_part(x, y):
    def pick(a, b):
        try:
            if a > b:
                return math.sqrt(a - b - 0.9)
            a = a * b
            return math.sqrt(a - b)
        except ValueError:
            if b > 1:
                return a * b * 3
            b = b + a
        finally:
            trail.append(a * b)
        return a + b * b

    trail = []
    return pick(x, y) * pick(y, x) * pick(1.5 * x, y) + sum(trail)


@program((1.5, 3), (1.5, 0))
def try_in_a_while_whose_test_raises(x, n):
    values = [x, x * x, x**3][:n]
    total, k = x, 0
    try:
        while values[k] * total < 1e9:
            total = total + values[k]
            k += 1
        total = 0.0
    except IndexError:
        total = total * total + k
    return total


@program((1.5, 0.5), (0.5, 1.5))
def variable_of_another_kind_by_the_way_it_went(x, y):
    try:
        result = {"root": math.sqrt(x - y), "rest": [x]}
    except ValueError as error:
        result = (x * y, error)
    if isinstance(result, dict):
        return result["root"] * result["rest"][0]
    return result[0] ** 2 * len(result[1].args)


@program((1.5, 0.5))
def exceptions_that_are_kept_as_values(x, y):
    def attempt(function, *args):
        try:
            return function(*args), None
        except Exception as error:
            return None, error

    good, none = attempt(lambda a, b: a * b, x, y)
    nothing, bad = attempt(fail, x * y, good)
    value, other = attempt(math.sqrt, -x)
    total = good * bad.args[0] + bad.args[1] * (type(other) is ValueError)
    return total * x if none is None and nothing is None and value is None else 0.0


@program((1.5,), (0.5,), (-0.5,))
def left_by_a_return_in_a_loop_in_a_try(x):
    total = x
    trail = [x]
    try:
        for k in range(4):
            trail.append(total)
            try:
                total = total * x + k
                if total > 3:
                    return total * trail[-1]
            finally:
                trail[-1] *= total
    finally:
        total = total * 5
        trail.append(total)
    return total + sum(trail)


# Exceptions that nobody raises.


@program((1.5, 0.5))
def arguments_of_an_exception_that_is_only_made(x, y):
    error = Stop(x * y, [x])
    key = KeyError(x * x)
    return error.args[0] * error.args[1][0] * key.args[0] * y


@program((1.5, 0.5))
def attributes_of_an_exception_that_is_only_made(x, y):
    error = Carrier("kept", x * y, slope=x)
    error.more = x * x
    return error.value * error.extra["slope"] * error.square + error.more * y


@program((1.5, 0.5))
def attributes_that_exceptions_are_born_with(x, y):
    error = StopIteration(x * y)
    error.__cause__ = Stop(x)
    group = BaseExceptionGroup("several", [Stop(y), SystemExit(x * x)])
    total = error.value * error.__cause__.args[0]
    return total * group.exceptions[0].args[0] + group.exceptions[1].code * y


@program((0.3, np.array([0.4, 0.5, 0.6])), tags="effects writes-arguments")
def item_of_what_was_made_in_a_try_is_not_needed(b, v):
    def helper(p, q):
        try:
            if p > -0.5:
                raise ValueError
        except ValueError:
            q[:2] = p
        m = np.vstack([q - p, q])
        return math.tanh(m[0][2])

    try:
        helper(b, v)
    finally:
        LOG.append(b)
    return v.sum()


@program((1.5, [1.0, 2.0, 3.0], [4.0, 5.0]), (1.5, [1.0], [2.0, 3.0]), (1.5, [], []))
def zips_that_are_strict_inside_each_other(x, left, right):
    total = x
    for strict in (False, True):
        try:
            for place, (a, b) in enumerate(zip(left, right, strict=strict)):
                try:
                    for c, d in zip((a, b), [x] * (place + 1), strict=True):
                        total = total * c + d
                except ValueError:
                    total += x * place
        except ValueError:
            total = total * x
        else:
            total += 1.0
    return total


@program((1.5, [1.0, 2.0, 3.0], [4.0, 5.0]))
def zip_that_is_strict_over_a_generator(x, left, right):
    def scaled(values):
        for value in values:
            yield value * x

    rest = scaled(left)
    total = x
    try:
        for a, b in zip(right, rest, strict=True):
            total = total * a + b
    except ValueError:
        total = total * a + next(rest, x)
    return total


class NotNegative:
    """A descriptor that looks at what is stored."""

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, thing, owner=None):
        return self if thing is None else thing.__dict__[self.name]

    def __set__(self, thing, value):
        thing.stored.append(value)
        if value < 0:
            raise ValueError(self.name, value)
        thing.__dict__[self.name] = value


class Cistern:
    level = NotNegative()

    def __init__(self, level):
        self.stored = [1.0]
        self.level = level

    def drain(self, amount):
        self.level = self.level - amount
        return self


@program((1.5, 0.7))
def descriptor_that_refuses_a_value(x, y):
    tank = Cistern(x * 3)
    try:
        for k in range(10):
            tank.drain(y * k)
    except ValueError as error:
        tank.level = tank.level * x - error.args[1]
    return tank.level + sum(tank.stored) * tank.stored[-2]
