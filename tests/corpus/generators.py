"""Generator functions: what runs when, what is seen when, and everything that asks for values."""

import collections
import contextlib
import functools
import itertools
import math
import types

import numpy as np

from tests.corpus.registry import LOG, program

V = np.array([0.5, -1.5, 2.0])
W = np.array([1.5, 0.25, -0.5])
M = np.array([[0.5, -1.0], [1.5, 2.0], [0.25, 3.0]])


def powers(x, n):
    """Powers of x, each from the one before."""
    value = x
    for _ in range(n):
        yield value
        value = value * x


def forever(x, rate=0.5):
    """Never ends."""
    while True:
        yield x
        x = x * rate + 1


def nothing(x):
    """Ends before its first value."""
    return x * x
    yield x


def noisy(name, values):
    """Notes every step."""
    LOG.append(f"{name} begins")
    for value in values:
        LOG.append((name, value))
        yield value * 2
    LOG.append(f"{name} ends")


# Everything that asks for values.


@program((1.5, 4), (1.5, 0))
def consumed_by_for(x, n):
    total = x
    for value in powers(x, n):
        total = total + math.sin(value) * total
    return total


@program((0.7, 4), (0.7, 0))
def consumed_by_list_tuple_and_sum(x, n):
    values = list(powers(x, n))
    pair = tuple(powers(x * x, n))
    values.append(sum(powers(2 * x, n)))
    return sum(values) * sum(pair, x) + values[-1] * len(pair)


@program((1.5, 0.5))
def consumed_by_max_min_and_sorted(x, y):
    largest = max(powers(x, 4)) * min(powers(y, 3))
    first, *_, last = sorted(powers(-x, 4))
    fallback = max(nothing(x), default=x * y) * max(powers(-y, 4), key=abs)
    return largest * first + last * fallback


@program((1.5, 0.5))
def consumed_by_next(x, y):
    steps = powers(x, 3)
    first = next(steps)
    second = next(steps) * first
    rest = next(steps, y) + next(steps, y) * 2 + next(steps, y * y)
    return first * second * rest + next(nothing(x), second) * next(forever(y))


@program((1.5, 0.5))
def consumed_by_zip_and_enumerate(x, y):
    total = x
    for k, (a, b) in enumerate(zip(powers(x, 4), forever(y)), 1):
        total = total + a * b / k
    for a, k, b in zip(powers(y, 3), range(5), [x, y]):
        total = total * a + b * k
    return total


@program((1.5, 0.5), tags="effects")
def zip_takes_one_value_too_many(x, y):
    left, right = noisy("left", [x, y, x * y]), noisy("right", [y, x])
    total = sum(a * b for a, b in zip(left, right))
    return total + next(left, x) * 7


@program((1.5, 0.5))
def consumed_by_unpacking(x, y):
    a, b, c = powers(x, 3)
    first, *middle, last = powers(y, 5)
    (p, q), [r] = powers(x, 2), powers(y, 1)
    return a * b + c * first * sum(middle) + last * p * q * r


@program((1.5, 0.5))
def consumed_by_star_arguments(x, y):
    def combine(a, b, *rest, scale=1.0):
        return a * b * scale + sum(rest) ** 2

    pairs = (("scale", value) for value in powers(y, 1))
    values = [x, *powers(x, 2), *nothing(y), *powers(y, 3)]
    return combine(*powers(x, 4)) * combine(y, *powers(y, 1), **dict(pairs)) + sum((*values, *powers(x, 1)))


@program((0.7, 4))
def consumed_by_comprehensions(x, n):
    values = [value * k for k, value in enumerate(powers(x, n)) if value < 0.6]
    table = {k: value * x for k, value in zip("abc", powers(x, n))}
    pairs = [a * b for a in powers(x, 3) for b in powers(a, 2)]
    return sum(values) + table["b"] * table["c"] + sum(pairs)


@program((1.5, 4))
def consumed_by_in(x, n):
    steps = powers(x, n)
    found = x * x in steps
    rest = sum(steps)
    missing = -1.0 in powers(x, n)
    return rest * (2 if found else 3) * (5 if missing else 7)


@program((0.5, 4), tags="effects")
def consumed_by_any_and_all(x, n):
    steps = noisy("steps", [x * k for k in range(1, n + 1)])
    total = x
    if any(value > 1.5 for value in steps):
        total = total * next(steps)
    if all(value > 100 for value in steps):
        total = total * 100
    for value in steps:
        total = total + value
    return total


@program((1.5, 0.5))
def consumed_by_containers_and_their_methods(x, y):
    values = [x]
    values.extend(powers(x, 3))
    values += powers(y, 2)
    values[1:2] = powers(y, 3)
    table = dict(zip("abc", powers(x, 3)))
    table.update((key, value * y) for key, value in zip("cd", powers(y, 2)))
    queue = collections.deque(powers(x, 4), maxlen=2)
    return sum(values) * queue[0] + sum(table.values()) * queue[1] + values[2] * table["d"]


@program((1.5, 0.5))
def consumed_by_map_filter_and_reversed(x, y):
    def combine(a, b):
        return a * b + x

    mapped = list(map(combine, powers(x, 3), forever(y)))
    kept = [value * y for value in filter(lambda value: value > 2, powers(x, 4))]
    total = functools.reduce(combine, powers(y, 4), x)
    for value in reversed(list(powers(x, 3))):
        total = total * value + mapped[0]
    return total + sum(mapped) * sum(kept) + functools.reduce(combine, powers(y, 3))


@program((V, 4), (V, 1))
def consumed_by_numpy(v, n):
    def rows():
        row = v
        for k in range(n):
            yield row
            row = row * v + k

    stacked = np.array(list(rows()))
    more = np.stack([row * row for row in rows()])
    column = np.fromiter((row[0] * row[2] for row in rows()), float)
    return (stacked * more).sum() + column.sum() + np.concatenate([*rows(), v]).sum()


@program((1.5, 3))
def used_up(x, n):
    steps = powers(x, n)
    total = sum(steps)
    total = total * x + sum(steps, x)
    for value in steps:
        total = total * value * 100
    return total + len(list(steps)) + next(steps, x * 2)


@program((1.5, 4))
def for_over_one_generator_twice(x, n):
    steps = powers(x, n)
    total = 0.0
    for value in steps:
        total = total + value
        if value > 2:
            break
    for value in steps:
        total = total * value
    else:
        total = total + x
    return total


@program((1.5,))
def empty_generators(x):
    total = x
    for value in nothing(total):
        total = total * value * 100
    total = total + sum(nothing(x)) + sum(powers(total, 0))
    a = list(nothing(x))
    return total * total + len(a) + sum(value * 3 for value in powers(total, 0))


# Without an end.


@program((1.5, 3.0), (0.5, 1.9))
def endless_until_a_break(x, limit):
    total = x
    for value in forever(x, 0.75):
        total = total + value * x
        if total > limit * 3:
            break
    return total * value


@program((1.5, 5), (1.5, 0))
def endless_with_islice_and_range(x, n):
    total = sum(itertools.islice(forever(x), n))
    for _, value in zip(range(n), forever(total, 0.25)):
        total = total + math.sin(value)
    middle = list(itertools.islice(forever(x), 1, 6, 2))
    return total * middle[0] + middle[1] * middle[2]


@program((0.7,))
def endless_with_takewhile_and_dropwhile(x):
    early = itertools.takewhile(lambda value: value < 1.8, forever(x))
    late = itertools.dropwhile(lambda value: value < 1.8, forever(x, 0.75))
    total = x
    for value in early:
        total = total * value
    return total * next(late) + next(late) * sum(itertools.islice(late, 2))


@program((1.5, 0.5))
def endless_counters(x, y):
    def counted(start, step):
        for k in itertools.count(2):
            yield start * k + step

    total = 0.0
    for k, value in zip(itertools.cycle([1, 2, 3]), counted(x, y)):
        total = total + value * k
        if total > 40:
            return total * value
    return 0.0


# State carried from one value to the next.


@program((V, 0.5))
def running_sums_and_means(v, x):
    def running(values):
        total, count = x, 0
        for value in values:
            total = total + value
            count += 1
            yield total, total / count

    result = x
    for total, mean in running(v):
        result = result * mean + math.sin(total)
    return result


@program((V, 0.5, 0.25))
def recursive_filter(v, a, b):
    def filtered(signal):
        before, twice_before = 0.0, 0.0
        for sample in signal:
            value = sample - a * before - b * twice_before
            before, twice_before = value, before
            yield value

    return sum(value * value for value in filtered(v)) + list(filtered(filtered(v)))[-1]


@program((2.0,), (30.0,))
def newton_iterates(a):
    def iterates(x):
        while True:
            yield x
            x = 0.5 * (x + a / x)

    previous = 0.0
    for x in iterates(a):
        if abs(x - previous) < 1e-13 * a:
            return x
        previous = x


@program((0.8, 6))
def fibonacci_like(x, n):
    def numbers():
        a, b = x, 1.0
        while True:
            yield a
            a, b = b + a * x, a

    return functools.reduce(lambda s, value: s * x + value, itertools.islice(numbers(), n), x)


@program((1.5, 0.5, 3))
def state_in_branches(x, y, n):
    def zigzag():
        value, sign = x, 1
        for k in range(2 * n):
            if k % 2:
                value = value * y
                yield value + k
                if k > 4:
                    return
            elif value > 1:
                yield value * sign
                sign = -sign
            value = math.sin(value) + y
            sign = sign * y

    total = y
    for value in zigzag():
        total = total * 0.7 + value * value
    return total


@program((0.7, 3), (0.7, 1))
def yields_in_nested_loops(x, n):
    def pairs(value):
        for i in range(n):
            k = 0
            while k < i + 1:
                value = value * x + k
                if k == 2:
                    break
                yield i, value
                k += 1
            else:
                yield -1, value * value
            value = value + i

    total = x
    for i, value in pairs(x):
        total = total + i * value * x
        if i < 0:
            total = total * value
    return total


@program((0.5, 200))
def long_generator(x, n):
    def steps(value):
        for k in range(n):
            value = math.sin(value * x + k)
            yield value

    total = x
    for value in steps(x):
        total = total + value * value / n
    return total


# Closures, methods, and generators as values.


@program((1.5, 0.5))
def closure_over_active_values(x, y):
    scale = x * y

    def steps(n):
        for k in range(n):
            yield scale * k + y

    first = sum(steps(3))
    scale = scale * x
    return first * sum(steps(3)) + sum(value * scale for value in steps(2))


@program((1.5, 0.5))
def state_written_from_inside_and_outside(x, y):
    state = x

    def steps():
        nonlocal state
        while state < 20:
            yield state * y
            state = state * x + y

    total = y
    for value in steps():
        total = total + value
        state = state + total * y
    return total * state


class Signal:
    """Samples, scaled; iterable, with generators for methods."""

    def __init__(self, samples, gain):
        self.samples = samples
        self.gain = gain
        self.taken = 0

    def __iter__(self):
        for sample in self.samples:
            self.taken += 1
            yield sample * self.gain

    def windows(self, size):
        for start in range(len(self.samples) - size + 1):
            yield self.samples[start : start + size]

    def louder(self, factor):
        for sample in self:
            yield sample * factor
            self.gain = self.gain * factor

    @classmethod
    def several(cls, samples, gains):
        for gain in gains:
            yield cls(samples, gain)

    @property
    def pairs(self):
        yield from zip(self, self.louder(2.0))


@program(([0.5, -1.5, 2.0], 1.5))
def methods_that_are_generators(samples, gain):
    signal = Signal(samples, gain)
    total = sum(signal)
    for value in signal.louder(1.25):
        total = total + value * value
    for window in signal.windows(2):
        total = total * 0.5 + window[0] * window[1]
    first, *_ = signal
    return total * signal.gain + first * signal.taken


@program(([0.5, -1.5, 2.0], 1.5))
def objects_and_generators_made_by_generators(samples, gain):
    total = gain
    for signal in Signal.several(samples, powers(gain, 3)):
        total = total + sum(signal) * signal.gain
        for a, b in signal.pairs:
            total = total + a * b / 9
    return total


class Countdown:
    """An iterator written by hand, for comparison."""

    def __init__(self, value, n):
        self.value = value
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        self.value = self.value * 1.5
        return self.value * self.n


@program((1.5, 4))
def iterator_written_by_hand(x, n):
    def doubled(values):
        for value in values:
            yield value * 2

    steps = Countdown(x, n)
    total = next(steps) * x
    for value in doubled(steps):
        total = total + value * steps.value
    return total


@program((1.5, 0.5))
def generators_passed_and_returned(x, y):
    def scaled(steps, factor):
        return (value * factor for value in steps)

    def head(steps, n):
        return [next(steps) for _ in range(n)]

    def choose(flag):
        return powers(x, 5) if flag else forever(y)

    steps = scaled(choose(True), y)
    other = scaled(choose(False), x)
    a, b = head(steps, 2), head(other, 3)
    return sum(a) * sum(b) + sum(steps) * next(other)


@program((1.5, 0.5))
def generators_in_containers_consumed_later(x, y):
    box = {"a": powers(x, 3), "b": [forever(y), forever(x, 0.25)]}
    signal = Signal(powers(y, 4), x)
    steps, more = box["b"]
    total = next(steps) * next(more)
    total = total + next(box["b"][0]) * sum(box["a"])
    for value in signal:
        total = total * value + next(more)
    return total * next(steps) + next(box["a"], y)


@program((1.5, 0.5), tags="effects")
def two_generators_in_turn(x, y):
    left, right = noisy("left", powers(x, 3)), noisy("right", powers(y, 3))
    total = next(left)
    total = total * next(right)
    total = total + next(right) * next(left) + next(left, 0.0)
    LOG.append("between")
    return total * next(right) + next(left, x) * next(right, y)


@program((1.5, [2, 1, 3]), (1.5, []))
def round_robin(x, lengths):
    waiting = collections.deque(powers(x * (k + 1), n) for k, n in enumerate(lengths))
    total, turn = x, 1
    while waiting:
        steps = waiting.popleft()
        try:
            total = total + next(steps) * turn
        except StopIteration:
            total = total * 0.5
        else:
            waiting.append(steps)
        turn += 1
    return total


@program((1.5, 3))
def one_generator_zipped_with_itself(x, n):
    steps = powers(x, 2 * n)
    total = 0.0
    for a, b in zip(steps, steps):
        total = total + a / b + b
    return total


@program((1.5, 0.5))
def two_generators_over_one_list(x, y):
    values = [x, y]

    def walk(factor):
        for value in values:
            yield value * factor
            if len(values) < 6:
                values.append(value * factor * 0.5)

    left, right = walk(x), walk(y)
    total = x
    for a, b in zip(left, right):
        total = total + a * b
    return total * sum(values)


# Nothing runs before it is asked for.


@program((1.5, [1.0, 2.0]), tags="writes-arguments")
def arguments_changed_before_consumption(x, values):
    def scaled(items, factor):
        for item in items:
            yield item * factor

    steps = scaled(values, x)
    values[0] = x * x
    values.append(values[1] * x)
    total = next(steps)
    values[1] = total * x
    values.insert(2, total)
    return total + sum(steps)


@program((V, 1.5))
def array_changed_between_values(v, x):
    y = v * 2

    def entries(w):
        for k in range(3):
            yield w[k] * w[k - 1]

    steps = entries(y)
    y[0] = x
    total = next(steps)
    y *= total
    y[1:] += x
    total = total + next(steps) * x
    y[2] = total
    return total * next(steps) + y.sum()


@program((1.5, 0.5))
def captured_variables_are_read_late(x, y):
    factor = x

    def steps():
        yield factor * y
        yield factor * factor

    ahead = steps()
    factor = y * y
    total = next(ahead)
    factor = total + x
    rest = sum(ahead)
    return total * rest * factor


@program((1.5, 0.5), tags="effects")
def defaults_and_arguments_are_evaluated_early(x, y):
    def steps(value, more=noisy("unused", [x])):
        LOG.append("body")
        yield value
        yield from more

    value = x * y
    ahead = steps(value)
    value = value * 100
    LOG.append("made")
    return sum(ahead) * value


@program((1.5, 0.5))
def generator_expression_reads_late(x, y):
    values, factor = [x, y], x
    early = (value * factor for value in values)
    values.append(x * y)
    factor = y * y
    total = next(early)
    values = [x * 100]
    factor = factor + total
    total = total * next(early) + sum(early)
    return total + sum(values) * factor


@program((1.5, 0.5))
def generator_expressions_made_in_a_loop(x, y):
    steps = [powers(x, 3)]
    for factor in (x, y, x * y):
        steps.append(value * factor for value in steps[-1])
    factor = 2 * y
    return sum(steps[-1]) * x + factor


@program((1.5, 3), tags="effects")
def effects_of_lazy_steps(x, n):
    steps = noisy("outer", (value + 1 for value in noisy("inner", [x * k for k in range(n)])))
    LOG.append("made")
    total = x
    for value in steps:
        total = total * 0.5 + value
        print(f"{total:.6f}")
    return total


@program((1.5,), tags="effects")
def never_consumed(x):
    unused = noisy("unused", [x])
    LOG.append("made")
    other = (LOG.append(value) for value in [x])
    y = x * x
    return y if isinstance(unused, types.GeneratorType) and other is not None else x


# Delegation.


@program((1.5, 0.5))
def yield_from_lists_and_generators(x, y):
    def chained(n):
        yield x
        yield from [y, x * y]
        yield from powers(y, n)
        yield from ()
        yield from (value * x for value in forever(y) if value > 1.2) if n > 9 else nothing(x)
        yield from map(math.sin, (x, y))
        yield y * y

    total = 1.0
    for value in chained(3):
        total = total * 0.5 + value * value
    return total


@program((1.5, 3), (1.5, 0))
def value_of_a_return(x, n):
    def part(start):
        total = 0.0
        for value in powers(start, n):
            total = total + value
            yield value
        return total * start

    def whole():
        first = yield from part(x)
        second = yield from part(first + 1)
        empty = yield from nothing(x)
        yield first * second * empty
        return None

    result = x
    for value in whole():
        result = result * 0.75 + value
    return result


@program((1.5,))
def value_of_a_return_by_hand(x):
    total, ended = x, 0

    def ending():
        yield x
        return x * total, [total]

    for steps in (ending(), powers(x, 2)):
        try:
            while True:
                total = total * next(steps) + 1
        except StopIteration as stop:
            ended += 1
            if stop.value is not None:
                total = total + stop.value[0] * stop.value[1][0]
    return total * ended


@program(([0.5, [1.5, [2.0], []], [[3.0]]], 0.5), ([], 0.5))
def leaves_of_a_tree(tree, x):
    def walk(node, weight):
        if not isinstance(node, list):
            yield node * weight
            return
        for child in node:
            yield from walk(child, weight * x)
        yield weight

    total = x
    for value in walk(tree, 1.5):
        total = total * 0.5 + value * value
    return total


class Node:
    """A binary tree."""

    def __init__(self, value, left=None, right=None):
        self.value = value
        self.left = left
        self.right = right

    def __iter__(self):
        if self.left is not None:
            yield from self.left
        yield self.value
        if self.right is not None:
            yield from self.right

    def nodes(self):
        yield self
        for child in (self.left, self.right):
            if child is not None:
                yield from child.nodes()


@program((1.5, 0.5))
def tree_walked_and_written(x, y):
    tree = Node(x, Node(y, None, Node(x * y)), Node(2.0, Node(y * y)))
    total = x
    for value in tree:
        total = total * 0.5 + value
    for node in tree.nodes():
        node.value = node.value * total
        total = total * 0.25 + node.value
    first, *_, last = tree
    return total * first + last


@program((0.7, 3))
def permutations_and_recursion(x, n):
    def arrangements(items):
        if len(items) <= 1:
            yield list(items)
            return
        for k, item in enumerate(items):
            for rest in arrangements(items[:k] + items[k + 1 :]):
                yield [item, *rest]

    total = 0.0
    for arrangement in arrangements(list(powers(x, n))):
        weighted = 0.0
        for k, value in enumerate(arrangement):
            weighted = weighted * x + value**k
        total = total + weighted * weighted
    return total


@program((0.7, 3))
def recursion_over_its_own_values(x, n):
    def expand(value, depth):
        if depth > n:
            yield value
        else:
            for inner in expand(value * x, depth + 1):
                yield inner + value
                yield inner * value

    return sum(math.sin(value) for value in expand(x, 1))


# Pipelines.


@program((np.array([0.5, 1.0, -1.5, 2.0, 0.25]), 1.5), tags="effects")
def pipeline_of_three(v, x):
    def read():
        for k, sample in enumerate(v):
            LOG.append(k)
            yield float(k) + sample * 1.0

    def smooth(samples):
        before = next(samples)
        for sample in samples:
            yield (before + sample) * x
            before = sample

    def squares(samples):
        for sample in samples:
            if sample > 1:
                LOG.append("square")
                yield sample * sample

    return sum(squares(smooth(read())))


@program(([3.0, 1.0, 2.0, 5.0], 0.5))
def pipeline_of_expressions(values, x):
    scaled = (value * x for value in values)
    kept = (value + x for value in scaled if value > 1.2)
    pairs = ((value, value * x) for value in kept)
    return sum(a * b for a, b in pairs)


@program((1.5, 4))
def pipeline_built_by_a_loop(x, n):
    def stage(values, factor):
        for value in values:
            yield value * factor + 0.125
            factor = factor * x

    steps = powers(0.5, 3)
    for k in range(n):
        steps = stage(steps, x / (k + 1))
    return sum(steps)


@program((1.5, 0.5))
def sieve_like_nesting(x, y):
    def without(values, limit):
        for value in values:
            if value > limit:
                yield value * 0.9

    def sieve(values):
        while True:
            first = next(values, None)
            if first is None:
                return
            yield first
            values = without(values, first * 1.1)

    total = y
    for value in sieve(powers(x, 6)):
        total = total * y + value
    return total


# Buffers, tuples, dicts.


@program((V, 1.5))
def fresh_arrays(v, x):
    def states():
        state = v
        for k in range(3):
            yield state
            state = state * x + np.sin(state) * k

    kept = list(states())
    total = 0.0
    for state in states():
        state[0] = 0.5 * x if state is not v else state[0]
        total = total + (state * state).sum()
    return total + kept[0] @ kept[2]


@program((V, 1.5))
def one_buffer_yielded_again_and_again(v, x):
    def states():
        state = v * 1
        for k in range(3):
            yield state
            state *= x
            state[k] += state[k - 1]

    total, kept = 0.0, []
    for state in states():
        total = total + state @ v
        kept.append(state)
        state[1] *= 0.5
    return total + kept[0] @ kept[-1] + (kept[0] is kept[1])


@program((V, 1.5), tags="writes-arguments")
def argument_written_between_values(v, x):
    def sweep(w):
        for k in range(1, 3):
            w[k] = w[k] * w[k - 1] + x
            yield w[k]
            w[0] += w[k]

    total = x
    for value in sweep(v):
        total = total * value
        v[2] *= x
    return total + v @ v


@program((1.5, 0.5))
def tuples_and_dicts_of_values(x, y):
    def records():
        for k in range(1, 4):
            yield {"k": k, "pair": (x * k, y**k), "rest": [x, y]}

    total = 0.0
    for record in records():
        a, b = record["pair"]
        record["rest"].append(a * b)
        total = total + sum(record["rest"]) * record["k"]
    first, *_ = records()
    return total * first["pair"][0]


@program((M, 0.5))
def rows_and_columns(m, x):
    def rows(matrix):
        yield from matrix

    def cells():
        for i, row in enumerate(rows(m)):
            for j, cell in enumerate(rows(row)):
                yield (i, j), cell * x

    total = x
    for (i, j), cell in cells():
        total = total * 0.5 + cell * m[i, j - 1]
    return total + sum(row @ row for row in rows(m.T))


# Talking to a generator.


@program((1.5, 0.5))
def values_sent(x, y):
    def mean():
        total, count, result = 0.0, 0, None
        while True:
            value = yield result
            total = total + value
            count += 1
            result = total / count

    averaged = mean()
    next(averaged)
    total = x
    for value in (x, y, x * y):
        total = total * averaged.send(value * total)
    return total + averaged.send(y)


@program((1.5, 0.5))
def yield_inside_an_expression(x, y):
    def dialogue(value):
        answer = (yield value) or value * 2
        total = answer + (yield answer * x) * (yield answer + y)
        pair = [(yield total), (yield total * x)]
        yield pair[0] * pair[1] + total

    talk = dialogue(x * y)
    first = next(talk)
    second = talk.send(None)
    third = talk.send(first * x)
    fourth = talk.send(third)
    fifth = talk.send(fourth * y)
    return first * second + third * talk.send(fifth * fourth)


@program((1.5, 0.5))
def sent_through_yield_from(x, y):
    def inner(scale):
        total = scale
        while total < 5:
            total = total + (yield total * y) * scale
        return total

    def outer():
        first = yield from inner(x)
        second = yield from inner(first * y)
        yield first * second

    talk = outer()
    total = next(talk)
    for _ in range(12):
        try:
            total = total * 0.5 + talk.send(total + x)
        except StopIteration:
            total = total * y
            break
    return total


@program((1.5, 0.5))
def exceptions_thrown_in(x, y):
    def stubborn(value):
        while True:
            try:
                yield value
                value = value * 1.5
            except KeyError as error:
                value = value * error.args[0]
            except ValueError:
                yield value * 100
                return

    steps = stubborn(x)
    total = next(steps)
    total = total * steps.throw(KeyError(total * y)) + next(steps)
    total = total + steps.throw(ValueError(y))
    return total * next(steps, y)


@program((1.5, 0.5), tags="effects")
def closed_early(x, y):
    kept = [y]

    def steps(value):
        try:
            while True:
                yield value
                value = value * x
        except GeneratorExit:
            LOG.append("exit")
            kept.append(value)
            raise
        finally:
            LOG.append("finally")
            kept[0] *= value

    ahead = steps(x)
    total = next(ahead) + next(ahead)
    ahead.close()
    ahead.close()
    unstarted = steps(y)
    unstarted.close()
    return total * sum(kept) + next(ahead, x) * next(unstarted, y)


@program((1.5, 2), (1.5, 9), tags="effects")
def finally_at_the_end_of_a_loop(x, stop):
    kept = [1.0]

    def steps(value):
        try:
            for k in range(4):
                yield value
                value = value * x + k
        finally:
            LOG.append("finally")
            kept.append(value)

    total = x
    for k, value in enumerate(steps(x)):
        total = total + value
        if k >= stop:
            break
    LOG.append("after")
    return total * kept[-1]


class Held:
    """Appends to a list on the way in and on the way out."""

    def __init__(self, kept, value):
        self.kept = kept
        self.value = value

    def __enter__(self):
        self.kept.append(self.value)
        return self.kept

    def __exit__(self, *_):
        self.kept[-1] *= len(self.kept)
        self.kept.append(self.kept[0] * self.value)


@program((1.5, 0), (1.5, 1), (1.5, 3))
def context_managers_in_a_generator(x, stop):
    def steps():
        for k in range(3):
            with Held(kept, x) as held:
                if k >= stop:
                    return
                yield held[-1] * (k + 1)

    kept = []
    total = x
    for value in steps():
        total = total * value
    return total * sum(kept)


# Exceptions.


@program(([4.0, 1.0, -1.0, 9.0], 0.5), ([4.0], 0.5))
def raises_in_the_middle(values, x):
    def roots():
        for value in values:
            yield math.sqrt(value) * x

    total, ended = x, False
    steps = roots()
    try:
        for root in steps:
            total = total * 0.5 + root
        ended = True
    except ValueError:
        total = total * total
    total = total + sum(steps)
    return total * 3 if ended else total


@program(([4.0, "x", None, 9.0], 0.5))
def handles_and_goes_on(values, x):
    def lengths():
        for value in values:
            try:
                yield value * x + 0.0
            except TypeError:
                yield x * x
            else:
                yield value
            finally:
                seen.append(x)

    seen = [1.5]
    total = x
    for value in lengths():
        total = total * 0.75 + value * seen[-1]
    return total * len(seen)


@program((1.5, [1.0, 2.0]), tags="raises effects")
def exception_of_a_generator_gets_out(x, values):
    def steps():
        for value in values:
            LOG.append(value * x)
            yield value
        raise KeyError("no more")

    total = x
    for value in steps():
        total = total * value
        print(total)
    return total


@program((1.5,), tags="raises")
def stop_iteration_inside_becomes_an_error(x):
    def steps():
        ahead = powers(x, 2)
        while True:
            yield next(ahead)

    return sum(steps())


@program((1.5,), tags="raises")
def next_without_an_end(x):
    steps = powers(x, 1)
    return next(steps) * next(steps)


@program((1.5, 0.5))
def unpacking_of_too_many_or_too_few(x, y):
    steps = powers(x, 4)
    total = y
    try:
        _a, _b = steps
    except ValueError:
        total = total + next(steps) * y
    try:
        _a, _b, _c = powers(y, 2)
    except ValueError:
        total = total * x
    return total + sum(steps)


# The standard library on active values.


@program((0.7, 4))
def accumulated(x, n):
    sums = list(itertools.accumulate(powers(x, n)))
    products = itertools.accumulate(powers(x, n), lambda a, b: a * b + x, initial=x * x)
    total = sums[-1] * sums[1]
    for a, b in zip(sums, products):
        total = total + a * b
    return total * next(products)


@program((1.5, [0.5, 2.0]))
def chained_and_paired(x, values):
    chained = itertools.chain(values, powers(x, 2), (x,), nothing(x))
    flat = itertools.chain.from_iterable([powers(x, 2), values])
    total = 0.0
    for a, b in itertools.pairwise(chained):
        total = total + a * b
    for a, b in itertools.zip_longest(flat, values, fillvalue=x):
        total = total * 0.5 + a * b
    return total


@program((1.5, 0.5))
def products_and_combinations(x, y):
    total = sum(itertools.starmap(lambda a, b: a * b + x, itertools.product(powers(x, 3), powers(y, 2))))
    for a, b in itertools.product(powers(x, 2), (y, x * y)):
        total = total + a / b
    for a, b in itertools.combinations(powers(y, 3), 2):
        total = total + a * b * x
    return total


@program((0.7, 5))
def grouped_and_shared(x, n):
    total = x
    for key, group in itertools.groupby(powers(x, n), key=lambda value: value > 0.3):
        total = total * 0.5 + sum(group) * (2 if key else 3)
    left, right = itertools.tee(powers(x, n))
    next(right)
    return total + sum(a * b for a, b in zip(left, right))


@program((0.7, [1, 0, 1, 1]))
def compressed_and_repeated(x, picks):
    kept = itertools.compress(powers(x, 4), picks)
    total = sum(a * b for a, b in zip(kept, itertools.repeat(x)))
    for value in itertools.filterfalse(lambda value: value < 0.4, powers(x, 4)):
        total = total * value
    return total + sum(map(math.prod, zip(powers(x, 2), powers(x, 3))))


# Types and numbers.


@program((3, 4), (3, 1))
def whole_numbers(x, n):
    total = 0
    for k, value in enumerate(powers(x, n)):
        total = total + value * (k + 1)
    return total * 0.5


@program((np.float32(1.5), np.array([0.5, 2.0], np.float32)))
def single_precision(x, v):
    total = x
    for value in powers(v, 3):
        total = total + value * x
    return total * sum(powers(x, 2))


@program((0.5 + 1j, 3), (0.5 - 1j, 0))
def complex_numbers(z, n):
    total = z
    for value in powers(z, n):
        total = total * value + value.conjugate()
    return total


@program(([0.5, 1.5],))
def generator_function_with_all_kinds_of_parameters(values):
    def steps(a, /, b=0.5, *rest, scale, **options):
        yield a * b
        yield from (item * scale for item in rest)
        yield options["last"]

    x, y = values
    return sum(steps(x, y, x * y, y * y, scale=x, last=y)) * sum(steps(y, scale=x * x, last=x))


@program((1.5, 0.5))
def lambda_that_is_a_generator(x, y):
    steps = lambda n: (yield (yield x * n) * y)
    talk = steps(3)
    first = next(talk)
    return first * talk.send(first + x) + sum(value or 0.0 for value in [next(talk, y)])


# Iterators that are no generators.


@program((1.5, 4))
def iterator_written_by_hand_asked_by_next(x, n):
    steps = Countdown(x, n)
    total = next(steps) * x
    total = total * next(steps) + next(steps)
    return total * steps.value


class Halves:
    """Iterable by its items, until there are none."""

    def __init__(self, value, n):
        self.value = value
        self.n = n

    def __getitem__(self, k):
        if k >= self.n:
            raise IndexError(k)
        return self.value / 2**k


class Pair:
    """Iterable by what it is made of."""

    def __init__(self, left, right):
        self.left = left
        self.right = right

    def __iter__(self):
        return iter((self.left, self.right))


@program((1.5, 0.5))
def iterables_written_by_hand(x, y):
    total = x
    for k, value in enumerate(Halves(x, 3)):
        total = total * value + k * y
    for left, right in zip(Pair(x, y), Halves(y, 5)):
        total = total + left * right
    a, b = Pair(total, x)
    return a * b + sum(Halves(x, 2)) * max(Pair(y, x)) + [*Pair(x, y), *Halves(y, 2)][-1]


@program((1.5, [0.5, 2.0, 1.25]))
def iterators_of_lists_shared_and_late(x, values):
    copied = [*values]
    steps = iter(copied)
    total = next(steps) * x
    copied.append(total * x)
    copied[1] = total
    for value in steps:
        total = total * 0.5 + value
        if value == copied[1]:
            break
    for a, b in zip(steps, steps):
        total = total + a * b
    return total + next(steps, x)


def yields_in_handlers(p):
    """Gives something in every part of a `try`, forever."""
    while True:
        yield p
        try:
            yield p * 2
        except ZeroDivisionError:
            yield p
        except Exception as stop:
            x = stop.value if isinstance(stop, KeyError) else p
            yield p * x


@program((0.3,))
def left_in_a_try_with_a_named_handler(a):
    total = 0.0
    for _, value in zip(range(2), yields_in_handlers(a)):
        total = total + value
    return total


# ------------------------------------------------------------------- left in the middle of their handlers


class Asked(Exception):
    def __init__(self, value):
        super().__init__(value)
        self.value = value


def restoring(p, d):
    try:
        yield p
        yield p * d["a"]
    finally:
        d["a"] = 7.0 * p


def restoring_for_another(p, d):
    yield from restoring(p, d)


def swallowing(p, d):
    try:
        yield p
    except GeneratorExit:
        pass
    d["a"] = 7.0


def helped(p, d):
    try:
        yield p
    finally:
        forget(d)


def forget(d):
    d["a"] = 1.0


def doubling(p, d):
    d["v"] = v = np.ones(2) * p
    try:
        yield p
    finally:
        v *= 2.0


class Restored:
    def __init__(self, d):
        self.d = d

    def __enter__(self):
        return self

    def __exit__(self, *what):
        self.d["a"] = 5.0


def restored(p, d):
    with Restored(d):
        yield p
        yield p


def passing_on(p, d):
    while True:
        try:
            got = yield p + d["a"]
            d["a"] += got
        except (ArithmeticError, LookupError):
            d["a"] *= p
        except Asked as asked:
            p = p + asked.value
            d["b"] = p


def first_of(generator, d):
    x = next(generator)
    y = x * d["a"]
    return y * d["a"] * sum(d.get("v", [1.0]))


@program((1.3, 0.7))
def left_before_it_restores(p, a):
    d = {"a": a}
    return first_of(restoring(p, d), d)


@program((1.3, 0.7))
def left_by_one_that_is_left(p, a):
    d = {"a": a}
    return first_of(restoring_for_another(p, d), d)


@program((1.3, 0.7))
def left_and_going_on(p, a):
    d = {"a": a}
    return first_of(swallowing(p, d), d)


@program((1.3, 0.7))
def left_before_a_helper(p, a):
    d = {"a": a}
    return first_of(helped(p, d), d)


@program((1.3, 0.7))
def left_before_an_array_changes(p, a):
    d = {"a": a}
    return first_of(doubling(p, d), d)


@program((1.3, 0.7))
def left_in_a_block(p, a):
    d = {"a": a}
    return first_of(restored(p, d), d)


# Generator expressions that bind a variable of the function, while their consumer runs.

BOUND = 0.0


@program((1.5, 0.5), (2, 0.5))
def expression_that_binds(x, y):
    products = (last := v * y for v in (x, y, x * x))
    total = next(products)
    total += last * 2
    for product in products:
        total += product * last
    return total + last


@program((1.5, 0.5))
def expression_that_rebinds(x, y):
    z = x
    products = (z := z * v for v in (x, y, x))
    first = z
    total = next(products) * z
    z = z * y
    return first + total + sum([*products]) * z


@program((1.5, 0.5))
def expression_that_binds_for_a_loop(x, y):
    total = 0.0
    for value in ((w := u * x) + w for u in (x, y) if u > 0):
        total += value * w
    return total * w


@program((1.5, 0.5))
def expression_that_binds_a_global_variable(x, y):
    global BOUND
    for _ in (BOUND := u * x for u in (x, y)):
        BOUND *= y
    return BOUND * BOUND


@program((1.5, 0.5))
def expression_that_binds_nothing(x, y):
    list(map(abs, (never := v for v in ())))
    try:
        return never * x
    except NameError:
        return x * y


@program((1.5, 0.5))
def expression_that_binds_further_out(x, y):
    def inner():
        nonlocal x
        for _ in (x := u * x for u in (x, y)):
            x += y
        return x

    return inner() * x


@program((1.5, 0.5))
def expression_that_binds_in_a_lambda(x, y):
    function = lambda s: max(*((k := u * s) * k for u in (x, y))) + k
    return function(2.0) * x


@program((1.5, 0.5))
def expressions_that_bind_in_a_loop(x, y):
    result = 0.0
    for k in range(3):
        values = ((t := u + k) * t for u in (x, y))
        result += next(values) * t
        if k == 1:
            result += next(values) * t
    return result * t


@program((1.5, 0.5))
def expressions_that_bind_inside_each_other(x, y):
    rows = (((q := v * (r := p * x)) for v in (x, y)) for p in (x, y))
    total = 0.0
    for row in rows:
        total += next(row) * q
        for value in row:
            total += value * q * r
    return total * q * r


@program((1.5, 0.5))
def expression_that_binds_and_is_asked(x, y):
    if any((found := v * x) < 1 for v in (x, y, x)):
        return found * y
    return x


@program((1.5, 0.5))
def expression_for_what_is_called_like_a_builtin(x, y, all=sum):
    return all((z := v * x) * z for v in (x, y)) * z


def suppressing(d):
    with contextlib.suppress(ValueError, KeyError):
        d["a"] = d["a"] * 2
        yield d["a"]
        d["a"] = d["missing"]
    yield d["a"]


def attempting_before(d):
    try:
        d["a"] = d["a"] * d["missing"]
    except KeyError:
        d["a"] = d["a"] * 3
    finally:
        d["b"] = d["a"]
    while True:
        yield d["b"]
        with contextlib.suppress(Exception):
            d["a"] = d["a"] * 0.5


@program((1.3, 0.7))
def left_in_a_block_that_suppresses(p, a):
    d = {"a": a}
    generator = suppressing(d)
    x = next(generator)
    other = suppressing(d)
    y = next(other) * next(other)
    return x * y * d["a"] * p


@program((1.3, 0.7))
def left_behind_attempts_that_are_over(p, a):
    d = {"a": a}
    generator = attempting_before(d)
    x = next(generator) * p
    for value in generator:
        x += value * d["a"]
        if d["a"] < 0.7:
            break
    return x * d["a"]


@program((1.3, 0.7))
def closed_in_time(p, a):
    d, e = {"a": a}, {"a": p * a}
    for made, table in ((restoring, d), (restoring_for_another, d), (swallowing, e), (restored, e)):
        generator = made(p, table)
        p = next(generator) * table["a"]
        generator.close()
    return p * d["a"] * e["a"]


@program((1.3, 0.7))
def left_with_handlers_for_others(p, a):
    d = {"a": a}
    generator = passing_on(p, d)
    x = next(generator)
    x += generator.send(p * a)
    x += generator.throw(Asked(p * 0.3))
    x += generator.throw(KeyError())
    other = passing_on(x, d)
    return next(other) * d["a"] * d["b"]


@program((0.7, -1.3))
def item_augmented_by_what_is_sent(x, y):
    b = [x, y]

    def turns():
        b[0] += (yield b[1]) * x
        yield b[0]

    running = turns()
    first = next(running)
    b[0] = b[0] * y
    return running.send(first * x) * b[0]


@program((0.7, -1.3))
def item_augmented_by_unpacked_items(x, y):
    b = [x, y]

    def change():
        b[0] = b[0] * y
        yield b[0]

    changes = change()
    b[0] += (*changes, x)[0]
    return b[0] * b[1]
