"""What the forms of `forms.py` make use of, as text that is put into programs."""

HELPERS = """\
def same(value=None, *rest):
    return value


class Same:
    def __init__(self, value):
        self.value = value

    def __call__(self):
        return self.value

    def get(self):
        return self.value

    def put(self, value):
        self.value = value

    @property
    def got(self):
        return self.value

    @got.setter
    def got(self, value):
        self.value = value

    @classmethod
    def of(cls, value):
        return cls(value)

    @staticmethod
    def through(value):
        return value


@dataclass(frozen=True)
class Frozen:
    value: object


class Around:
    def __enter__(self):
        return self

    def __exit__(self, *details):
        return False


@contextlib.contextmanager
def around():
    yield


def walked(value):
    yield value


def walking(items):
    for item in items:
        yield item


def kept(value):
    return lambda: value


def passing(function):
    @functools.wraps(function)
    def call(*args, **kwargs):
        return function(*args, **kwargs)

    return call


@passing
def wrapped(value):
    return value


def forwarded(function, *args, **kwargs):
    return function(*args, **kwargs)


def counted(most):
    def decorate(function):
        calls = 0

        @functools.wraps(function)
        def call(*args, **kwargs):
            nonlocal calls
            calls += 1
            if calls > 100 * most:
                raise ValueError(f"{calls} calls")
            return function(*args, **kwargs)

        return call

    return decorate


@dataclass
class Collecting:
    items: list = field(default_factory=list)
    named: dict = field(default_factory=dict)

    def add(self, item):
        self.items.append(item)
        return self

    @property
    def first(self):
        return self.items[0]


class Handle:
    def __init__(self, value):
        self.value = value
        self.open = 0

    def __enter__(self):
        self.open += 1
        return self.value

    def __exit__(self, *details):
        self.open -= 1


@contextlib.contextmanager
def holding(value):
    try:
        yield value
    finally:
        value = None


def echo():
    value = None
    while True:
        value = yield value


def sent(value):
    running = echo()
    next(running)
    return running.send(value)


def returning(value):
    yield 0.5
    return value


def delegating(value):
    result = yield from returning(value)
    yield result


def returned(value):
    return list(delegating(value))[1]


def last_word(value):
    try:
        raise Stop(value)
    finally:
        return value


def attempt(value):
    try:
        raise Halt(0.5)
    except Stop:
        result = value
    else:
        result = None
    finally:
        value = None
    return result


def searched(value):
    k = 0
    while k < 2:
        k += 1
        if k > 5:
            break
    else:
        return value
    return None


def recursive(value, depth):
    return value if depth == 0 else TABLE["deep"](value, depth - 1)


TABLE = {"same": same, "deep": recursive}
HELD = []
HELD_BY = {}


class Derived(Same):
    def __init__(self, value):
        super().__init__(value)
        self.more = value

    def get(self):
        return super().get()


class Items(list):
    pass


def careful(value):
    try:
        yield value
    finally:
        value = None


class Lazy:
    def __init__(self, value):
        self.value = value

    @functools.cached_property
    def found(self):
        return self.value


class Slots:
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value


class Indexed:
    def __init__(self, value):
        self.values = [value]

    def __getitem__(self, index):
        return self.values[index]

    def __iter__(self):
        return iter(self.values)


class Missing:
    def __init__(self, value):
        self.value = value

    def __getattr__(self, name):
        if name != "anything":
            raise AttributeError(name)
        return self.value


class Chosen:
    def pick(self, value):
        return getattr(self, "pick_" + "second")(value)

    def pick_second(self, value):
        return value


def counter(value):
    kept = None

    def outer():
        def inner():
            nonlocal kept
            kept = value

        inner()

    outer()
    return kept


class Walk:
    def __init__(self, items):
        self.items = list(items)
        self.place = 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.place >= len(self.items):
            raise StopIteration
        self.place += 1
        return self.items[self.place - 1]


def chained(items):
    yield from items


def accumulating(items):
    found = []
    for item in items:
        found.append(item)
        yield found[-1]
"""
