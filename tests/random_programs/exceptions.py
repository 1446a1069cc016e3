"""Exceptions raised, caught, passed on and cleaned up after, and `with` blocks."""

from __future__ import annotations

from tests.random_programs.grammar import atom, block, expr, statement, suite, test
from tests.random_programs.kinds import FLOAT, FLOATS, TABLE, VECTOR, Kind
from tests.random_programs.scope import Lines, Scope, World, indented

STOP = [
    "class Stop(Exception):",
    "    def __init__(self, value, thing=None):",
    "        super().__init__(value)",
    "        self.value = value",
    "        self.thing = thing",
]
HALT = ["class Halt(Stop):", "    pass"]
CATCHING = ("Exception", "(Stop, ArithmeticError, LookupError)", "Exception")
FAILING = (
    "math.log(-1.0 - {} ** 2)",
    "1.0 / (len([]) * {})",
    "{{}}['none'] * {}",
    "[{}][5]",
    "(lambda: 1 // 0)() * {}",
)


def add_exceptions(world: World) -> None:
    """The classes of exceptions that programs raise."""
    world.texts += [STOP, HALT]


def add_manager(world: World) -> None:
    """A context manager over a dict: a class, or a function with `yield`."""
    name = world.fresh("manager")
    scope = Scope(
        world, {**world.functions, "d": TABLE}, frozenset((*world.functions, "d")), depth=1, nested=True
    )
    if world.random.random() < 0.5:
        world.texts.append(manager_class(name, scope))
    else:
        world.texts.append(manager_function(name, scope))
    world.managers.append(name)


def manager_class(name: str, scope: Scope) -> Lines:
    given = scope.pick(('self.d["a"] * 2', 'self.d["b"] + 0.5'))
    enter = ["def __enter__(self):", *indented(["d = self.d", *block(scope, 1, 1), f"return {given}"])]
    answer = scope.pick(
        ("return False", "return kind is Stop", "return kind is not None and issubclass(kind, Exception)")
    )
    leave = [
        "def __exit__(self, kind, error, trace):",
        *indented(["d = self.d", *block(scope, 1, 1), answer]),
    ]
    init = ["def __init__(self, d):", "    self.d = d"]
    return [f"class {name}:", *indented([*init, *enter, *leave])]


def manager_function(name: str, scope: Scope) -> Lines:
    before, after = block(scope, 1, 1), block(scope, 1, 1)
    body = [*before, "try:", f"    yield {expr(scope, FLOAT, 1)}"]
    if scope.chance(0.5):
        body += ["except Stop as stop:", '    d["a"] = d["a"] + stop.value']
    body += ["finally:", *indented(after)]
    return ["@contextlib.contextmanager", f"def {name}(d):", *indented(body)]


@statement("exceptions", 4)
def attempt(scope: Scope) -> Lines | None:
    """A `try` with handlers that catch everything a program raises."""
    if scope.depth <= 0:
        return None
    lines = suite("try:", scope.inside(catching=True), 1, 3)
    if scope.chance(0.4):
        lines += handler(scope, "Halt")
    lines += handler(scope, scope.pick(CATCHING))
    if scope.chance(0.3):
        lines += suite("else:", scope.inside(), 1, 2)
    if scope.chance(0.3):
        lines += suite("finally:", scope.inside(leave=None, loop=False, yields=None), 1, 2)
    return lines


def handler(scope: Scope, caught: str) -> Lines:
    """A handler that may look at what it caught."""
    inner = scope.inside()
    if scope.chance(0.4):
        return suite(f"except {caught}:", inner, 1, 2)
    name = scope.world.fresh("stop")
    value = scope.world.fresh("x")
    inner.names[value] = FLOAT
    shown = (
        f"{name}.value"
        if caught == "Halt"
        else f"{name}.value if isinstance({name}, Stop) else {atom(scope)}"
    )
    head = [f"except {caught} as {name}:", f"    {value} = {shown}"]
    return [*head, *indented(block(inner, 1, 2))]


@statement("exceptions", 2)
def cleaned_up(scope: Scope) -> Lines | None:
    """A `try` with nothing but a `finally`."""
    if scope.depth <= 0:
        return None
    lines = suite("try:", scope.inside(), 1, 3)
    return lines + suite("finally:", scope.inside(leave=None, loop=False, yields=None), 1, 2)


@statement("exceptions", 7)
def stop_here(scope: Scope) -> Lines | None:
    """An exception, often only on one way through the program."""
    if not scope.catching:
        return None
    if scope.chance(0.3):
        line = f"{scope.bind('x', FLOAT)} = {scope.pick(FAILING).format(atom(scope))}"
    else:
        line = f"raise {scope.pick(('Stop', 'Stop', 'Halt'))}({expr(scope)}{thing(scope)})"
    return [f"if {test(scope)}:", f"    {line}"]


def thing(scope: Scope) -> str:
    """Something more that an exception carries, sometimes."""
    kind: Kind = scope.pick((FLOATS, VECTOR))
    place = scope.place(kind)
    return f", {place}" if place is not None and scope.chance(0.2) else ""


@statement("exceptions", 1)
def carried_thing(scope: Scope) -> Lines | None:
    """A list or array that travels on an exception and is changed where it arrives."""
    kind = scope.pick((FLOATS, VECTOR))
    place = scope.place(kind)
    if place is None or scope.depth <= 0:
        return None
    name = scope.world.fresh("stop")
    body = scope.inside(catching=True, depth=0)
    lines = ["try:", *indented(block(body, 1, 2)), f"    raise Stop({expr(scope)}, {place})"]
    return [*lines, f"except Stop as {name}:", f"    {name}.thing[0] += {name}.value * {atom(scope)}"]


@statement("exceptions", 3)
def with_block(scope: Scope) -> Lines | None:
    place = scope.place(TABLE)
    if not scope.world.managers or place is None or scope.depth <= 0:
        return None
    name, inner = scope.world.fresh("x"), scope.inside()
    if scope.chance(0.6):
        inner.names[name] = FLOAT
        return suite(f"with {scope.pick(scope.world.managers)}({place}) as {name}:", inner)
    return suite(f"with {scope.pick(scope.world.managers)}({place}):", inner)


@statement("exceptions", 0.5)
def suppressed(scope: Scope) -> Lines | None:
    if scope.depth <= 0:
        return None
    return suite("with contextlib.suppress(Exception):", scope.inside(catching=True), 1, 3)


@statement("exceptions", 1)
def retry(scope: Scope) -> Lines | None:
    """A loop that tries again until it succeeds."""
    if scope.depth <= 1:
        return None
    counter = scope.world.fresh("i")
    inner = scope.inside(catching=True, loop=True, counters=(*scope.counters, counter), depth=scope.depth - 2)
    body = [
        *block(inner, 1, 2),
        f"if {counter} < {scope.random.randint(0, 2)}:",
        f"    raise Halt({expr(inner)})",
        "break",
    ]
    last = scope.inside(loop=True, depth=0)
    lines = [f"for {counter} in range(3):", "    try:", *indented(indented(body))]
    return [*lines, *indented(["except Stop:", *indented(block(last, 1, 2))])]
