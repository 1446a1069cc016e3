"""Things that are called, indexed, added to or assigned for what a function given to them does."""

import collections
import contextlib
import functools
import itertools

from tests.corpus.registry import program


def repeated(function, count):
    for k in range(count):
        function(k + 1.0)
    return count


def inside_try(function):
    try:
        function(2.0)
        raise ValueError("behind the call")
    except ValueError:
        function(3.0)


@contextlib.contextmanager
def around(function):
    function(1.0)
    yield 2.0
    function(4.0)


class Calling:
    """Calls what it is given, in every way that a class can be given something."""

    def __init__(self, function=None):
        self.count = 1
        if function is not None:
            function(2.0)

    def run(self, function, count):
        return repeated(function, count)

    @staticmethod
    def run_plainly(function):
        function(3.0)

    @classmethod
    def run_by_class(cls, function):
        function(3.0)
        return cls

    @property
    def function(self):
        return None

    @function.setter
    def function(self, function):
        function(5.0)

    def __call__(self, function):
        function(2.0)

    def __getitem__(self, function):
        function(2.0)
        return 3

    def __add__(self, function):
        function(2.0)
        return 3.0

    __radd__ = __add__

    def __iadd__(self, function):
        function(3.0)
        return self

    def __matmul__(self, function):
        function(2.0)
        return self

    def __or__(self, function):
        function(7.0)


class Noting:
    """Calls a function whatever attribute is set."""

    def __setattr__(self, name, function):
        function(len(name))


class Assigned:
    """A descriptor that calls what is assigned."""

    def __set__(self, owner, function):
        function(2.0)

    def __get__(self, owner, cls):
        return 3


class WithAssigned:
    field = Assigned()


class Holding:
    """Calls the function that it holds."""

    def __init__(self, function):
        self.function = function

    @property
    def answer(self):
        self.function(2.0)
        return 2

    def __enter__(self):
        self.function(2.0)
        return 5

    def __exit__(self, *failure):
        self.function(3.0)
        return True

    def __iter__(self):
        self.function(2.0)
        yield 1
        self.function(3.0)
        yield 2

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        self.function(len(name))
        return 3

    def __delattr__(self, name):
        self.function(4.0)
        object.__delattr__(self, name)


class Missing(dict):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def __missing__(self, key):
        self.function(2.0)
        return 3


# ------------------------------------------------------------------------------------- known functions


@program((1.3, 0.7))
def list_filled_elsewhere(x, y):
    log = []
    count = repeated(lambda v: log.append(x * v), 2)
    return log[1] * y * count


@program((1.3, 0.7))
def variable_changed_elsewhere(x, y):
    total = 0.0

    def add(v):
        nonlocal total
        total += x * v

    count = repeated(add, 3)
    return total * y + count


@program((1.3, 0.7))
def field_changed_elsewhere(x, y):
    thing = Calling()
    thing.total = y

    def add(v):
        thing.total *= x * v

    repeated(add, 3)
    return thing.total


@program((1.3, 0.7))
def dict_filled_elsewhere(x, y):
    found = {}

    def keep(v):
        found[v] = found.get(v - 1.0, y) * x

    for _ in range(2):
        repeated(keep, 2)
    return found[2.0] * y


@program((1.3, 0.7))
def called_in_a_try(x, y):
    log = [y]
    inside_try(lambda v: log.append(log[-1] * x * v))
    return log[-1] * log[1]


@program((1.3, 0.7))
def called_by_a_context_manager(x, y):
    log = [y]
    with around(lambda v: log.append(log[-1] * x * v)) as k:
        log.append(log[-1] * k)
    return log[-1] * log[1]


@program((1.3, 0.7))
def partial_of_a_function_that_calls(x, y):
    log = []
    count = functools.partial(repeated, lambda v: log.append(x * v))(2)
    return log[1] * y * count


@program((1.3, 0.7))
def method_of_a_list_called_elsewhere(x, y):
    log = []
    repeated(log.append, 2)
    log.append(x)
    return log[1] * log[2] * y


@program((1.3, 0.7))
def functions_in_a_dict(x, y):
    log = []
    table = {"a": lambda v: log.append(x * v), "b": log.append}
    for key in "ab":
        table[key](3.0)
    return log[0] * y * log[1]


# ----------------------------------------------------------------------------------------- of a class


@program((1.3, 0.7))
def called_by_a_method(x, y):
    log = []
    count = Calling().run(lambda v: log.append(x * v), 2)
    return log[1] * y * count


@program((1.3, 0.7))
def called_by_static_and_class_methods(x, y):
    log = []
    Calling.run_plainly(lambda v: log.append(x * v))
    cls = Calling.run_by_class(lambda v: log.append(log[0] * v))
    return log[1] * y * len(cls.__name__)


@program((1.3, 0.7))
def called_by_a_constructor(x, y):
    total = 1.0

    def scale(v):
        nonlocal total
        total *= x * v

    for _ in range(2):
        Calling(scale)
    return total * y


@program((1.3, 0.7))
def called_by_a_callable_object(x, y):
    log = []
    Calling()(lambda v: log.append(x * v))
    return log[0] * y


@program((1.3, 0.7))
def called_by_an_index(x, y):
    log = []
    count = Calling()[lambda v: log.append(x * v)]
    return log[0] * y * count


@program((1.3, 0.7))
def called_by_operators(x, y):
    log = [y]
    note = lambda v: log.append(log[-1] * x * v)
    thing = Calling()
    total = (thing + note) + (note + thing)
    thing += note
    thing @= note
    thing | note
    return log[-1] * total * thing.count


@program((1.3, 0.7))
def called_by_an_operator_in_a_callee(x, y):
    def joined(a, b):
        return a + b

    log = []
    count = joined(Calling(), lambda v: log.append(x * v))
    return log[0] * y * count


@program((1.3, 0.7))
def called_by_assignments(x, y):
    log = [y]
    note = lambda v: log.append(log[-1] * x * v)
    thing, other, third = Calling(), Noting(), WithAssigned()
    thing.function = note
    other.name = note
    setattr(other, "name_" * 2, note)
    third.field = note
    return log[-1] * log[1] * third.field


@program((1.3, 0.7))
def held_and_called_by_attributes(x, y):
    log = []
    thing = Holding(lambda v: log.append(x * v))
    count = thing.answer * thing.unknown
    thing.field = 1.0
    del thing.field
    return log[0] * log[1] * y * count + log[2]


@program((1.3, 0.7))
def held_and_called_by_with(x, y):
    log = []
    with Holding(lambda v: log.append(x * v)) as k:
        z = k * y
        raise ValueError("swallowed")
    return log[0] * z * log[1]


@program((1.3, 0.7))
def held_and_called_by_iteration(x, y):
    log = []
    count = 0
    for k in Holding(lambda v: log.append(x * v)):
        count += k * len(log)
    return log[0] * y * log[1] * count


@program((1.3, 0.7))
def held_and_called_by_missing_keys(x, y):
    log = []
    made = collections.defaultdict(lambda: log.append(x * y) or 3)
    count = Missing(lambda v: log.append(x * v))["a"] + made["b"]
    return log[0] * log[1] * count


# ------------------------------------------------------------------------------ builtins and generators


@program((1.3, 0.7))
def called_by_a_generator(x, y):
    def walking(function, count):
        for k in range(count):
            function(k + 1.0)
            yield k

    log = []
    total = 0
    for k in walking(lambda v: log.append(x * v), 3):
        total += k * len(log)
    return log[1] * y * total * log[2]


@program((1.3, 0.7))
def keys_of_sorting(x, y):
    log = []
    ordered = sorted([3, 1, 2], key=lambda v: log.append(x * v) or v)
    ordered.sort(key=lambda v: log.append(y * v) or -v)
    return log[1] * log[3] * ordered[2] + log[0]


@program((1.3, 0.7))
def mapped_filtered_reduced(x, y):
    log = []
    items = list(map(lambda v: log.append(x * v) or v, [3, 1, 2]))
    items += list(filter(lambda v: log.append(y * v) or v > 1, items))
    total = functools.reduce(lambda a, v: log.append(log[-1] * y) or a + v, items)
    return log[1] * log[-1] * total


@program((1.3, 0.7))
def asked_by_any_and_all(x, y):
    log = []
    count = any(log.append(x * v) or v > 1 for v in [1, 3, 2]) + all(log.append(y * v) or v for v in [1, 0])
    return log[1] * log[-2] * count * len(log)


@program((1.3, 0.7))
def called_by_itertools(x, y):
    log = []
    first = list(itertools.takewhile(lambda v: log.append(x * v) or v < 3, [1, 2, 3]))
    keys = [key for key, _ in itertools.groupby([1, 1, 2], key=lambda v: log.append(y * v) or v)]
    return log[1] * log[-1] * len(first) * len(keys)


@program((1.3, 0.7))
def keys_of_largest_and_smallest(x, y):
    log = []
    low = min([3, 1, 2], key=lambda v: log.append(x * v) or v)
    high = max([x, y], default=3.0, key=lambda v: log.append(v * y) or -v)
    other = max(3, 1, 2, key=lambda v: log.append(y * v) or v % 3)
    nothing = min([], default=y, key=lambda v: log.append(y) or v)
    return log[1] * log[3] * log[-1] * low * high * other * nothing


@program((1.3, 0.7))
def variable_changed_by_a_key(x, y):
    total = 0.0

    def key(v):
        nonlocal total
        total += x * v
        return v

    return min(3, 1, 2, key=key) * total * y


# ------------------------------------------------------------------- questions whose answers do something


class Answering:
    """Notes what it holds whenever it is asked something."""

    def __init__(self, value, log):
        self.value, self.log = value, log

    def note(self, factor=1.0):
        self.log.append(self.value * factor)
        return True

    def __bool__(self):
        return self.note()

    def __len__(self):
        self.note(2.0)
        return 3

    def __eq__(self, other):
        return self.note(other if isinstance(other, float) else 3.0)

    def __lt__(self, other):
        self.note(other.value)
        return self.value < other.value

    def __contains__(self, item):
        return self.note(item)

    def __str__(self):
        self.note(5.0)
        return "text"

    def __repr__(self):
        self.note(7.0)
        return "thing"

    def __format__(self, spec):
        self.note(11.0)
        return "formatted" + spec

    def __int__(self):
        self.note(13.0)
        return 4

    __hash__ = None


class Asking:
    """Answers by what it is compared with."""

    def __eq__(self, function):
        function(2.0)
        return True

    def __lt__(self, function):
        function(3.0)
        return True

    def __contains__(self, function):
        function(4.0)
        return True

    __hash__ = None


@program((1.3, 0.7))
def truth_that_does_something(x, y):
    log = []
    thing = Answering(x, log)
    count = 2 if thing else 3
    count += 4 if not thing else 5
    while thing and count < 9:
        count += 1
    items = [k for k in range(3) if thing]
    assert thing
    return log[0] * y * count * len(items) * log[-1] * bool(thing) * len(log)


@program((1.3, 0.7))
def lengths_and_numbers_that_do_something(x, y):
    log = []
    thing = Answering(x, log)
    count = len(thing) + int(thing)
    return log[0] * y * count * log[1]


@program((1.3, 0.7))
def comparisons_that_do_something(x, y):
    log = []
    first, second = Answering(x, log), Answering(y, log)
    count = (first == 2.0) + (first != 3.0) + (5.0 == first) + (first < second) + (first > second)
    return log[0] * log[1] * log[2] * log[3] * log[4] * (count + 1)


@program((1.3, 0.7))
def membership_that_does_something(x, y):
    log = []
    thing = Answering(x, log)
    count = (y in thing) + (y not in thing) + 2 * (y in [thing]) + ([thing] == [y])
    return log[0] * log[1] * log[2] * log[3] * count


@program((1.3, 0.7))
def texts_that_do_something(x, y):
    log = []
    thing = Answering(x, log)
    text = f"{thing:>9} {thing!r} {thing!s:>6}" + str(thing) + repr(thing) + format(thing, "3")
    return log[0] * log[1] * log[2] * log[3] * log[4] * y * len(text)


@program((1.3, 0.7), tags="effects")
def printing_that_does_something(x, y):
    log = []
    print(Answering(x, log), y, sep=": ")
    return log[0] * y


@program((1.3, 0.7))
def any_and_all_of_what_does_something(x, y):
    log = []
    things = [Answering(x, log), Answering(y, log)]
    count = any(things) + all(things)
    return log[0] * log[1] * log[2] * count


@program((1.3, 0.7))
def asked_with_functions(x, y):
    log = [y]
    note = lambda v: log.append(log[-1] * x * v)
    count = (Asking() == note) + (Asking() < note) + (note in Asking()) + (note not in Asking())
    return log[-1] * log[2] * count


@functools.total_ordering
class Ordered:
    def __init__(self, value, log):
        self.value, self.log = value, log

    def __lt__(self, other):
        self.log.append(self.value * other.value)
        return self.value < other.value


@program((1.3, 0.7))
def orderings_made_by_a_decorator(x, y):
    log = []
    first, second = Ordered(x, log), Ordered(y, log)
    return (2 if first >= second else 3) * log[0] * (5 if second < first else 7)


class Lazy:
    """Computes attributes when they are asked for."""

    def __init__(self, value, log):
        self.value, self.log = value, log

    @property
    def computed(self):
        self.log.append(self.value)
        return 2

    @property
    def missing(self):
        raise AttributeError("missing")


@program((1.3, 0.7))
def attributes_by_name_that_do_something(x, y):
    log = []
    thing = Lazy(x, log)
    count = hasattr(thing, "computed") + getattr(thing, "comp" + "uted" * len(log), 7)
    count += getattr(thing, "other", 1) + hasattr(thing, "missing") + getattr(thing, "missing", 4)
    return log[0] * log[1] * y * count * len(log)
