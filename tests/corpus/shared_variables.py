"""Variables, attributes and containers that functions share: nonlocal, globals, function attributes."""

import functools
import math

import numpy as np

from tests.corpus.registry import LOG, program

V = np.array([0.5, -1.5, 2.0])

level = 0.0
history = []
field = np.zeros(3)
settings = {"mode": "idle"}


@program((1.5, 0.5))
def nonlocal_written_two_levels_down(x, y):
    total = x

    def outer(factor):
        def inner(value):
            nonlocal total
            total = total * value + factor

        inner(y)
        before = total
        inner(before * x)
        return before

    before = outer(y)
    after = outer(total)
    return total * before + after


@program((1.5, 3), (1.5, 0))
def counter_and_accumulator_in_one_closure(x, n):
    count, total = 0, 0.0

    def add(value):
        nonlocal count, total
        count += 1
        total += value / count
        return total

    for k in range(n):
        add(x**k * add(x))
    return total * x + (count + 1) * x + add(total)


@program((1.5, 0.5))
def accumulator_shared_by_two_closures(x, y):
    total = y

    def add(value):
        nonlocal total
        total += value

    def scale(value):
        nonlocal total
        total *= value
        return total

    add(x)
    first = scale(y)
    total = total + first * x
    add(total)
    return scale(x) * first + total


@program((1.5, 0.5))
def closures_bound_in_a_loop(x, y):
    values, actions = [x], []
    for k in range(4):
        late = lambda: values.append(values[0] * k + y)
        early = lambda value, k=k, values=values: values.append(values[k] * value)
        actions.append((early, late))
    for early, late in actions:
        early(y)
        late()
    values = [100.0]
    actions[0][1]()
    actions[1][0](x)
    early, _ = actions[0]
    return values[1] * x + early.__defaults__[1][-1]


@program((1.5,), gradient=lambda x: (12 * x**5,))
def global_rebound_by_a_helper(x):
    set_level(x)
    set_level(level * level)
    raise_level(x)
    result = level**2 * 2
    set_level(0.0)
    return result


def set_level(value):
    global level
    level = value


def raise_level(factor):
    global level
    level *= factor
    return level


@program((1.5, 3), (1.5, 0))
def global_counted_up_in_a_loop_and_a_callee(x, n):
    global level
    level = x
    total = 0.0
    for _ in range(n):
        level += x
        total += raise_level(0.5)
        if total > 2:
            set_level(total)
    result = total + level * x
    level = 0.0
    return result


@program((1.5, 0.5), tags="effects")
def global_list_replaced_and_appended_to(x, y):
    global history
    history = []
    old = history
    record(x)
    history[0] = record(y) * history[0]
    history = [x * y]
    record(old[1])
    old.append(history[1])
    result = old[0] * old[2] + history[0] * history[1]
    LOG.append((list(old), list(history)))
    history = []
    return result


def record(value):
    history.append(value * (len(history) + 1))
    return history[-1]


@program((V, 1.5), tags="effects")
def global_array_written_by_a_helper(v, x):
    field[:] = 0.0
    view = field[1:]
    spread(v, x)
    view *= x
    spread(field.copy(), view[0])
    result = (field * v).sum() + view[1] * x
    LOG.append(field.tolist())
    field[:] = 0.0
    return result


def spread(values, factor):
    field[:] += values * factor
    field[0] = field[1] * factor


def tally(value):
    tally.total += value
    tally.last = value * tally.total
    return tally.last


@program((1.5, 0.5))
def attributes_of_a_function(x, y):
    tally.total, tally.last = y, 0.0
    first = tally(x)
    tally.total *= tally.last
    second = tally(y)
    result = first * second + tally.total * x + tally.last
    tally.total, tally.last = 0.0, 0.0
    return result


@program((1.5, 0.5))
def attributes_of_an_inner_function(x, y):
    def step(value):
        step.calls += 1
        step.memory.append(value * step.memory[-1])
        return step.memory[-1] / step.calls

    step.calls, step.memory = 0, [y]
    first = step(x)
    step.memory[0] = first
    other = step
    return first * other(step(x)) + step.memory[0] * other.memory[2]


@program((1.5, 0.5))
def closures_that_append_to_a_captured_list(x, y):
    values = []

    def push(value):
        values.append(value)
        return push

    def top():
        return values[-1] * values[0]

    push(x)(y)(x * y)
    first = top()
    values[0] = push(first) and values[-1] * 2
    values.append(x)
    return top() * first + sum(values)


@program((1.5, 0.5))
def makers_of_closures_keep_their_state_apart(x, y):
    def make(values):
        total = values[0]

        def step(factor):
            nonlocal total
            total *= factor
            values[0] += total
            return total

        return step, lambda: total * values[0]

    shared = [x]
    (step, read), (other_step, other_read) = make(shared), make(shared)
    step(y)
    other_step(x)
    shared[0] *= y
    step(2.0)
    return read() * other_read() + shared[0]


@program((1.5, 0.5))
def closure_without_arguments_reads_what_was_written(x, y):
    box = {"value": 1.0}

    def read():
        return box["value"] ** 2

    def run(callback):
        return callback() * 2

    before = run(read)
    box["value"] = x * y
    first = run(read)
    write = functools.partial(box.__setitem__, "value")
    write(first * x)
    return before + first * run(lambda: read() + x)


@program((1.5, 4))
def recursion_that_updates_a_captured_variable(x, n):
    depth, best = 0, x

    def descend(value, k):
        nonlocal depth, best
        depth += 1
        if value * value > best:
            best = value * value
        if k:
            descend(value * x, k - 1)
            descend(best / depth, k - 2 if k > 1 else 0)

    descend(x / 2, n)
    return best + depth * x


@program((1.5, 0.5))
def variable_rebound_while_a_closure_is_running(x, y):
    state = x

    def change():
        nonlocal state
        state = state * y
        return 1.0

    total = state * change() + state
    total += state + change() * state
    state += change() * x
    return total * state


@program((1.5, 0.5), (0.5, 1.5))
def variable_deleted_and_bound_again(x, y):
    value = x * y

    def read():
        return value * 2

    first = read()
    del value
    try:
        first += read()
    except NameError:
        value = first * x
    return read() * first


@program((1.5, 3))
def generator_and_closure_share_a_variable(x, n):
    rate = x

    def walk():
        nonlocal rate
        for _ in range(n):
            yield rate * x
            rate = rate + 1 / 4

    total = 0.0
    for value in walk():
        total += value * rate
        rate *= x
    return total * rate


@program((V, 1.5))
def captured_array_written_and_replaced(v, x):
    buffer = v * 2
    first = buffer

    def fill(i, value):
        buffer[i] = value * buffer[i - 1]

    def renew():
        nonlocal buffer
        buffer = buffer * x

    fill(0, x)
    renew()
    fill(1, v[0])
    first[2] *= x
    return (first * v).sum() + (buffer * first).sum()


@program((1.5, 0.5))
def idle_until_a_mode_is_set(x, y):
    settings["mode"] = "idle"
    before = act(x)
    settings["mode"] = act
    settings["scale"] = y
    result = before + act(x) * act(math.sin(y))
    settings.clear()
    settings["mode"] = "idle"
    return result


def act(value):
    if settings["mode"] == "idle":
        return value
    settings["scale"] += value
    return value * settings["scale"]


@program((1.5, 0.5))
def reduction_that_writes_what_it_captures(x, y):
    trace = [x]

    def combine(total, value):
        trace.append(total * value)
        return total + trace[-2]

    total = functools.reduce(combine, [y, x * y, 2.0], x)
    scaled = [value * total for value in map(lambda k: trace[k], range(len(trace)))]
    return total + scaled[1] * scaled[3]


@program((1.5, 0.5))
def decorator_that_keeps_a_log(x, y):
    log = []

    def logged(function):
        @functools.wraps(function)
        def wrapper(*args):
            log.append(function(*args))
            return log[-1] * len(log)

        return wrapper

    @logged
    def product(a, b):
        return a * b + sum(log)

    first = product(x, y)
    log[0] *= x
    second = product(first, y)
    return first * second + log[0] * log[1]


# Arrays that a function puts into a shared variable, where active values are stored everywhere.

LEFT_BEHIND = {}


@program((0.3, V), tags="effects")
def array_rebound_by_a_callee(a, v):
    LOG.append(a)

    def inner(p):
        nonlocal v
        v = np.sin(p)

    inner(v)
    return v.sum()


@program((0.3, V), tags="effects")
def containers_rebound_by_a_callee(a, v):
    LOG.append(a)
    kept = None

    def inner(p):
        nonlocal kept
        kept = (np.sin(p), [p * p])

    functions = [inner]
    functions[0](v)
    return kept[0].sum() + kept[1][0].sum()


@program((0.3, V))
def array_in_a_global_dict(a, v):
    def inner(p):
        LEFT_BEHIND["v"] = np.sin(p)

    functions = [inner]
    functions[0](v * a)
    return LEFT_BEHIND["v"].sum() * a


@program((0.3, V), tags="effects")
def array_rebound_twice_and_given_back(a, v):
    LOG.append(a)
    kept = v

    def inner():
        nonlocal kept
        kept = np.sin(kept)
        kept = kept * kept
        return kept

    functions = [inner]
    given = functions[0]()
    given *= 2
    return kept.sum() + given.sum()


@program((V, 1.5), tags="effects order1-only")
def global_array_rebound_by_a_function(v, x):
    def inner(p):
        global field
        field = np.sin(p)

    LOG.append(x)
    try:
        inner(v)
        field[1] *= x
        return field.sum()
    finally:
        inner(np.zeros(3))


@program((1.3, 0.7))
def result_that_only_a_branch_reads(a, b):
    x = a

    def negated(p):
        nonlocal kept
        return -x * p

    kept = negated(a)
    return b * kept if b > 5 else b
