"""Functions that carry numbers and where they are kept, named tuples with operators,
exceptions that are always raised, and what is found in globals by way of objects."""

from __future__ import annotations

from tests.random_programs.functions import callables
from tests.random_programs.grammar import atom, block, expr, expression, statement
from tests.random_programs.kinds import FLOAT, UNARY, Float, Kind
from tests.random_programs.scope import Lines, Scope, World, indented

VEC = [
    "class Vec(NamedTuple):",
    "    x: object",
    "    y: object",
    "",
    "    def __add__(self, other):",
    "        return Vec(self.x + other.x, self.y + other.y)",
    "",
    "    def __mul__(self, k):",
    "        return Vec(self.x * k, self.y * k)",
    "",
    "    def times(self, k):",
    "        return self.x * k + self.y",
    "",
    "    def __call__(self, k):",
    "        return self.times(k) * 0.5",
]
KEEPER = [
    "class Keeper:",
    "    def __init__(self, thing=None):",
    "        self.thing = thing",
    "        self.state = STATE",
    "        self.log = LOG",
    "",
    "    def use(self, k):",
    "        return self.thing(k)",
    "",
    "    def swap(self, thing):",
    "        old, self.thing = self.thing, thing",
    "        return old",
]
LATEST = [
    "def latest():",
    "    global LAST",
    "    if not LAST:",
    '        LAST = {"a": 0.4, "b": STATE["a"]}',
    "    return LAST",
]
CARRIERS = (
    "Vec({}, {}).times",
    "Vec({}, {})",
    "(Vec({}, {}) * {}).times",
    "functools.partial(operator.mul, {})",
    "functools.partial(Vec.times, Vec({}, {}))",
    "functools.partial(Vec({}, {}).times)",
    "Keeper(Vec({}, {}).times).use",
    "functools.partial(operator.add, {})",
)
RAISED = ("ValueError", "KeyError", "RuntimeError", "ArithmeticError", "Exception")


def add_keeping(world: World) -> None:
    """The classes and the function that the statements here use."""
    world.texts += [VEC, KEEPER, LATEST]


@statement("keeping", 3)
def carrier(scope: Scope) -> Lines:
    """A function that carries numbers."""
    value = scope.pick(CARRIERS).format(*(expr(scope) for _ in range(3)))
    return [f"{scope.bind('fun', UNARY, fixed=True)} = {value}"]


@statement("keeping", 3)
def kept_function(scope: Scope) -> Lines | None:
    """A function in a field or a container, called from there."""
    found = [name for name, signature in callables(scope, FLOAT) if signature == UNARY]
    if not found or scope.nested:
        return None
    function, given, keeper = scope.pick(found), expr(scope), scope.world.fresh("keeper")
    forms = (
        f"{keeper}.thing({given})",
        f"{keeper}.use({given})",
        f'{{"a": {keeper}.thing, "b": math.sin}}["a"]({given})',
        f"{keeper}.swap(math.cos)({given}) + {keeper}.use({atom(scope)})",
        f"sum(map({keeper}.thing, [{given}, {atom(scope)}]))",
        f'getattr({keeper}, "thing")({given})',
        f"functools.partial({keeper}.use, {given})()",
    )
    lines = [f"{keeper} = Keeper({function})"]
    if scope.chance(0.3):
        lines += block(scope, 1, 1)
    return [*lines, f"{scope.bind('x', FLOAT)} = {scope.pick(forms)}"]


@statement("keeping", 2)
def vectors(scope: Scope) -> Lines:
    """Named tuples that are added and scaled."""
    a, b, c, d = (expr(scope) for _ in range(4))
    name = scope.world.fresh("vec")
    made = scope.pick(
        (
            [f"{name} = Vec({a}, {b}) + Vec({c}, {d}) * {atom(scope)}"],
            [f"{name} = Vec({a}, {b})", f"{name} += Vec({c}, {d})"],
            [f"{name} = sum([Vec({a}, {b}), Vec({c}, {d})], Vec(0.0, 0.0))"],
            [f"{name} = functools.reduce(Vec.__add__, [Vec({a}, {b}), Vec({c}, {d})])"],
        )
    )
    reads = (f"{name}.x * {name}.y", f"{name}.times({d})", f"{name}(0.5) + {name}[1]", f"sum({name})")
    return [*made, f"{scope.bind('x', FLOAT)} = {scope.pick(reads)}"]


@statement("keeping", 2)
def always_raised(scope: Scope) -> Lines | None:
    """A `try` whose body ends with an exception of Python's own."""
    if scope.depth <= 0:
        return None
    kind, error = scope.pick(RAISED), scope.world.fresh("error")
    inner = scope.inside(loop=False, leave=None, yields=None)
    body = [*block(inner, 0, 1), f"raise {kind}({expr(inner)}, {atom(inner)})"]
    value = scope.bind("x", FLOAT)
    read = scope.pick((f"{error}.args[0] * {error}.args[1]", f"{error}.args[0] + {error}.args[-1] * 0.5"))
    return [
        "try:",
        *indented(body),
        f"except {kind} as {error}:",
        f"    {value} = {read} if {error}.args[0] is not None else 0.0",
    ]


@statement("keeping", 2.5)
def stored_by_way_of_an_object(scope: Scope) -> Lines:
    """A global changed through an object that holds it, or made when it is asked for first."""
    given = expr(scope)
    forms = (
        f'Keeper().state["a"] = {given}',
        f'Keeper().state["b"] += {given}',
        f"Keeper().log.append({given})",
        f'latest()["a"] = {given}',
        f'latest()["b"] *= math.sin({given})',
    )
    if scope.chance(0.3):
        keeper = scope.world.fresh("keeper")
        return [f"{keeper} = Keeper()", *block(scope, 0, 1), f'{keeper}.state["a"] = {given}']
    return [scope.pick(forms)]


@expression(Float, "keeping", 1)
def found_by_way_of_an_object(scope: Scope, kind: Kind, depth: int) -> str:
    return scope.pick(
        ('Keeper().state["a"]', "(Keeper().log or [0.1])[-1]", 'latest()["a"]', 'latest()["b"]', 'STATE["a"]')
    )
