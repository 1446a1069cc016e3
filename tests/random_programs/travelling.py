"""Objects that go round: cycles of them, objects that generators give and exceptions carry."""

from __future__ import annotations

from tests.random_programs.functions import parameters_of
from tests.random_programs.grammar import atom, block, expr, expression, statement, test
from tests.random_programs.kinds import (
    FLOAT,
    FLOATS,
    TABLE,
    VECTOR,
    Float,
    Function,
    Kind,
    Object,
    Stream,
)
from tests.random_programs.objects import member
from tests.random_programs.scope import Class, Lines, Scope, World, indented


def add_node(world: World) -> None:
    """A class of objects each of which knows another one, or itself."""
    name, random = world.fresh("Node"), world.random
    made = Class(name, {"f0": FLOAT, "f1": FLOAT})
    made.more["near"] = Object(name)
    world.classes[name] = made
    init = ["def __init__(self, f0, f1, near=None):", "    self.f0, self.f1 = f0, f1"]
    init.append("    self.near = self if near is None else near")
    body = [*init, *(member(world)(world, made) if random.random() < 0.7 else [])]
    walk = ["def around(self, steps):", "    found, thing = 0.0, self", "    for _ in range(steps):"]
    walk += ["        found += thing.f0 * thing.f1", "        thing = thing.near", "    return found"]
    deep = ["def deep(self, steps):", "    if steps == 0:", "        return self.f0"]
    deep.append("    return self.f1 * self.near.deep(steps - 1)")
    world.texts.append([f"class {name}:", *indented([*body, *walk, *deep])])


def nodes(scope: Scope) -> list[tuple[str, Class]]:
    """The places of objects that know others."""
    return scope.objects(lambda made: "near" in made.more)


@statement("travelling", 4)
def tie(scope: Scope) -> Lines | None:
    """Two objects that know each other."""
    found = nodes(scope)
    if not found:
        return None
    text, made = scope.pick(found)
    kind = Object(made.name)
    other = scope.place(kind) if scope.chance(0.5) else None
    lines = []
    if other is None:
        value = f"{made.name}({expr(scope)}, {atom(scope)}, {text})"
        other = scope.bind("o", kind)
        lines = [f"{other} = {value}"]
    return [*lines, f"{text}.near = {other}", *([f"{other}.near = {text}"] if scope.chance(0.5) else [])]


@expression(Float, "travelling", 3)
def walked(scope: Scope, kind: Kind, depth: int) -> str | None:
    found = nodes(scope)
    form = scope.pick(("{}.around({})", "{}.deep({})"))
    return form.format(scope.pick(found)[0], scope.random.randint(0, 3)) if found else None


@statement("travelling", 2)
def walk(scope: Scope) -> Lines | None:
    """A loop that goes from one object to the next and changes them."""
    found = nodes(scope)
    if not found or scope.depth <= 0:
        return None
    text, made = scope.pick(found)
    name, inner = scope.bind("o", Object(made.name)), scope.inside(loop=True, depth=0)
    lines = [f"{name} = {text}", f"for _ in range({scope.random.randint(1, 3)}):"]
    return [*lines, *indented([*block(inner, 1, 1), f"{name} = {name}.near"])]


def add_object_generator(world: World) -> None:
    """A generator function that gives objects, its own or some that it was given."""
    if not world.classes:
        return
    kind = Object(world.random.choice(list(world.classes)))
    parameters: dict[str, Kind] = {"thing": kind, **parameters_of(world, 1)}
    scope = Scope(world, {**world.functions, **parameters}, frozenset(world.functions), depth=1, nested=True)
    name = world.fresh("things")
    body = [*block(scope, 0, 1), f"yield {expr(scope, kind, 1)}", *block(scope, 0, 2), "yield thing"]
    if scope.chance(0.5):
        made = expr(scope, kind, 1)
        body += ["for _ in range(2):", f"    thing = {made}", "    yield thing", *block(scope, 0, 1)]
    world.texts.append([f"def {name}({', '.join(parameters)}):", *indented(body)])
    world.functions[name] = Function(tuple(parameters.values()), Stream(kind))


@statement("travelling", 5)
def objects_given(scope: Scope) -> Lines | None:
    """A loop over objects that a generator gives, or all of them in a list."""
    found = [
        (name, kind)
        for name, kind in scope.names.items()
        if isinstance(kind, Function) and isinstance(kind.gives, Stream) and kind.gives.of != FLOAT
    ]
    if not found or scope.depth <= 0:
        return None
    name, signature = scope.pick(found)
    kind = signature.gives.of  # type: ignore[union-attr]
    call = f"{name}({', '.join(expr(scope, item, 1) for item in signature.takes)})"
    if scope.chance(0.4):
        return [
            scope.pick(("{0} = next({1})", "*_, {0} = {1}", "{0} = list({1})[-1]")).format(
                scope.bind("o", kind), call
            )
        ]
    inner, item = scope.inside(loop=True), scope.world.fresh("o")
    inner.names[item] = kind
    return [f"for {item} in {call}:", *indented(block(inner, 1, 2))]


@statement("travelling", 3)
def object_carried(scope: Scope) -> Lines | None:
    """An object that travels on an exception and is used and changed where it arrives."""
    found = [p for p in scope.all_places() if isinstance(p.kind, Object)]
    if not found or scope.depth <= 0:
        return None
    place, name, thing = scope.pick(found), scope.world.fresh("stop"), scope.world.fresh("o")
    body, inner = scope.inside(catching=True, depth=0), scope.inside(depth=0)
    condition = f"if {test(body)}:" if scope.chance(0.4) else "if True:"
    lines = ["try:", *indented(block(body, 0, 1)), f"    {condition}"]
    lines.append(f"        raise Stop({expr(body)}, {place.text})")
    inner.names[thing] = place.kind
    caught = [f"{thing} = getattr({name}, 'thing', None) or {place.text}"]
    if isinstance(scope.world.classes[place.kind.name].fields.get("f0"), Float):  # type: ignore[union-attr]
        caught.append(f"{thing}.f0 += getattr({name}, 'value', 0.5) * {atom(inner)}")
    return [*lines, f"except Exception as {name}:", *indented([*caught, *block(inner, 0, 1)])]


def captured(scope: Scope) -> tuple[Lines, Lines]:
    """Variables around `program` that it sees: how they are made, and how its body begins."""
    if scope.chance(0.5):
        return [], []
    outside = Scope(scope.world, dict(scope.world.functions), depth=0, nested=True)
    kinds: list[Kind] = [FLOAT, VECTOR, FLOATS, TABLE, *map(Object, scope.world.classes)]
    lines, rebound = [], []
    for kind in scope.random.choices(kinds, k=scope.random.choice((1, 2, 2))):
        name = outside.world.fresh("held")
        lines.append(f"{name} = {expr(outside, kind, 0)}")
        outside.names[name] = scope.names[name] = kind
        if scope.chance(0.4):
            rebound.append(name)
        else:
            scope.fixed |= {name}
    return lines, [f"nonlocal {', '.join(rebound)}"] if rebound else []


def surrounded(around: Lines, main: Lines) -> Lines:
    """`program` as a function that another one makes."""
    inside = [*around, *main, "return program"]
    return ["def surroundings():", *indented(inside), "", "", "program = surroundings()"]
