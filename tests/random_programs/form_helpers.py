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


class Twofold:
    def __init__(self, value):
        self.value = value

    def times(self, count, value=None):
        return self.value if count == 2 else value

    second = functools.partialmethod(times, 2)


class Descriptor:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, thing, owner=None):
        return self if thing is None else getattr(thing, self.name)

    def __set__(self, thing, value):
        setattr(thing, self.name, value)


class Described:
    value = Descriptor()

    def __init__(self, value):
        self.value = value


class Reading:
    def __init__(self, value):
        self._value = value
        self.reads = 0

    @property
    def value(self):
        self.reads += 1
        return self._value if self.reads < 9 else None


class Answers(type):
    def __getitem__(cls, value):
        return value


class Answering(metaclass=Answers):
    pass


class Single:
    only = None

    def __new__(cls, value):
        if cls.only is None:
            cls.only = super().__new__(cls)
        return cls.only

    def __init__(self, value):
        self.value = value


@dataclass(slots=True, kw_only=True)
class Kept:
    value: object = None
    more: list = field(default_factory=list)

    def changed(self, value):
        return dataclasses.replace(self, value=value)


@dataclass
class Keyed:
    value: object
    given: dataclasses.InitVar[object]
    computed: object = field(init=False, repr=False)
    __match_args__ = ("computed", "value")

    def __post_init__(self, given):
        object.__setattr__(self, "computed", given)


class Named(NamedTuple):
    value: object
    more: float = 0.5

    @property
    def twin(self):
        return self[0]


class Defaults(dict):
    def __missing__(self, key):
        return self["value"]


class Odd:
    def __init__(self, value):
        self.values = [value]

    @property
    def value(self):
        return self.values[0]

    def __getitem__(self, place):
        return self.values[place][0] if isinstance(place, slice) else self.values[place]

    def __setitem__(self, place, value):
        self.values[place] = value

    def __reversed__(self):
        yield from self.values

    def __matmul__(self, other):
        return self.value

    def __rmatmul__(self, other):
        return self.values[-1]

    def __neg__(self):
        return self.value

    def __iadd__(self, value):
        self.values[0] = value
        return self

    def __bool__(self):
        self.values.append(self.values.pop())
        return True


class Swallowing:
    def __init__(self, value):
        self.value = value
        self.raised = None

    def __enter__(self):
        return self

    def __exit__(self, kind, raised, trace):
        self.raised = raised
        return kind is not None and issubclass(kind, (KeyError, Stop))


class Closing:
    def __init__(self, value):
        self.value = value

    def close(self):
        self.closed = self.value


def throwing():
    given = None
    while True:
        try:
            given = yield given
        except Stop as stop:
            given = stop.value


def thrown(value):
    running = throwing()
    next(running)
    running.send(0.5)
    return running.throw(Stop(value))


def closed(value):
    found = []

    def run():
        try:
            yield 0.5
        finally:
            found.append(value)

    running = run()
    next(running)
    running.close()
    return found[0]


def caused(value):
    try:
        try:
            raise Stop(value)
        except Stop as stop:
            raise KeyError(stop.value) from stop
    except KeyError as error:
        return error.__cause__.value


def overridden(value):
    for _ in range(2):
        try:
            return None
        finally:
            return value


def memoised(value, count):
    memo = {}

    def find(k):
        if k not in memo:
            memo[k] = value if k < 2 else find(k - 1) if k % 2 else find(k - 2)
        return memo[k]

    return find(count)


def defaulted(value):
    def keep(item, items=[], *, named={}):
        items.append(item)
        named[len(items)] = item
        return named[len(items)]

    keep(0.5)
    return keep(value)


def decorate(cls):
    found = cls.get
    cls.get = lambda self: found(self)
    return cls


@decorate
class Decorated:
    def __init__(self, value):
        self.value = value

    def get(self):
        return self.value


def decorated(value):
    return Decorated(value).get()


@functools.singledispatch
def dispatched(value):
    return value


@dispatched.register(list)
def dispatched_list(value):
    return dispatched(value[0])


class Counting:
    last = None

    def __init__(self, value):
        Counting.last = value


def of_class(value):
    Counting(value)
    return Counting.last


def of_global(value):
    global KEPT_LAST
    KEPT_LAST = value
    return read_global()


def read_global():
    return KEPT_LAST


KEPT_LAST = None
"""
