"""Attributes that code gives (cached properties, descriptors, `__getattr__`), and what classes hold."""

from __future__ import annotations

from tests.random_programs.grammar import block, expr, expression, statement
from tests.random_programs.kinds import FLOAT, FLOATS, Float, Kind, Object
from tests.random_programs.objects import MEMBERS, member_scope
from tests.random_programs.scope import Class, Lines, Scope, World, indented

SCALED = [
    "class Scaled:",
    "    def __init__(self, name, factor):",
    "        self.name = name",
    "        self.factor = factor",
    "",
    "    def __get__(self, thing, owner):",
    "        return self if thing is None else getattr(thing, self.name) * self.factor",
    "",
    "    def __set__(self, thing, value):",
    "        setattr(thing, self.name, value / self.factor)",
]


def add_descriptors(world: World) -> None:
    """The class of the descriptors that classes here have."""
    world.texts.append(SCALED)


def add_cached(world: World, made: Class) -> Lines:
    """A property that is computed once; then it is a field."""
    if made.slots:
        return []
    name, scope = world.fresh("kept"), member_scope(world, made)
    body = [*(block(scope, 1, 1) if world.random.random() < 0.3 else []), f"return {expr(scope)}"]
    made.properties[name] = world.random.random() < 0.5
    return ["@functools.cached_property", f"def {name}(self):", *indented(body)]


def add_descriptor(world: World, made: Class) -> Lines:
    """An attribute by a descriptor in Python, or by operator.attrgetter."""
    if made.is_dataclass:
        return []
    name = world.fresh("scaled")
    made.properties[name] = world.random.random() < 0.7
    if not made.properties[name]:
        return [f'{name} = property(operator.attrgetter("f0"))']
    return [f'{name} = Scaled("f0", {world.random.choice((0.5, 2.0, -1.5))})']


def add_getattr(world: World, made: Class) -> Lines:
    """`__getattr__`, which computes, keeps what it has computed, or asks another object."""
    if "__getattr__" in made.operators:
        return []
    name, scope = world.fresh("far"), member_scope(world, made)
    others = [field for field, kind in made.fields.items() if isinstance(kind, Object)]
    found = [f"return {expr(scope)}", f"return self.f0 * {expr(scope, FLOAT, 1)}"]
    found += ['return getattr(self, name.replace("far", "f")[:1] + "0") * 2.0']
    found += [f"return self.{other}.f0 * 0.5" for other in others]
    body = world.random.choice(found)
    if not made.slots and world.random.random() < 0.25:
        body = f"value = {expr(scope)}; setattr(self, name, value); return value"
    made.operators.add("__getattr__")
    made.properties[name] = False
    body_lines = [f'if name != "{name}":', "    raise AttributeError(name)", *body.split("; ")]
    return ["def __getattr__(self, name):", *indented(body_lines)]


def add_shared(world: World, made: Class) -> Lines:
    """What the class itself holds: a number, which objects may hide, or a list that all of them share."""
    if made.shared or made.is_dataclass:
        return []
    if world.random.random() < 0.6:
        made.shared["rate"] = FLOAT
        return ["rate = 0.7"]
    made.shared["pool"] = FLOATS
    return ["pool = [0.4, -0.6]"]


def add_method_of_class(world: World, made: Class) -> Lines:
    """A class method that makes objects, or a static one that is called by an object."""
    name = world.fresh("make")
    if world.random.random() < 0.5 or made.content is not None:
        scope = Scope(world, {**world.functions, "p0": FLOAT}, frozenset(world.functions), 1, nested=True)
        made.operators.add(f"static {name}")
        return [
            "@staticmethod",
            f"def {name}(p0):",
            *indented([*block(scope, 0, 1), f"return {expr(scope)}"]),
        ]
    scope = Scope(world, {**world.functions, "p0": FLOAT}, frozenset(world.functions), 1, nested=True)
    given = ", ".join(["p0 * 0.5", *(expr(scope, kind, 0) for kind in made.takes[1:])])
    made.operators.add(f"class {name}")
    return ["@classmethod", f"def {name}(cls, p0):", f"    return {made.name}({given})"]


MEMBERS += [
    ("attributes", add_cached),
    ("attributes", add_descriptor),
    ("attributes", add_getattr),
    ("attributes", add_shared),
    ("attributes", add_method_of_class),
]


@expression(Float, "attributes", 2)
def by_a_method_of_the_class(scope: Scope, kind: Kind, depth: int) -> str | None:
    found = scope.objects(lambda made: any(name.startswith(("static ", "class ")) for name in made.operators))
    if not found:
        return None
    text, made = scope.pick(found)
    how = scope.pick([name for name in sorted(made.operators) if name.startswith(("static ", "class "))])
    called = f"{scope.pick((text, made.name))}.{how.split()[1]}({expr(scope, FLOAT, depth - 1)})"
    return called if how.startswith("static ") else f"{called}.f0"


@expression(Float, "attributes", 2)
def by_name(scope: Scope, kind: Kind, depth: int) -> str | None:
    """An attribute that code gives, asked for by its name."""
    found = scope.objects(lambda made: bool(made.properties))
    if not found:
        return None
    text, made = scope.pick(found)
    name = scope.pick(sorted(made.properties))
    forms = ('getattr({0}, "{1}")', 'operator.attrgetter("{1}")({0})', 'getattr({0}, "{1}", 0.5)', "{0}.{1}")
    return scope.pick(forms).format(text, name)


@statement("attributes", 2)
def write_to_the_class(scope: Scope) -> Lines | None:
    found = [made for made in scope.world.classes.values() if made.shared]
    if not found:
        return None
    made = scope.pick(found)
    value, cls = expr(scope, FLOAT, 1), made.name
    if "rate" in made.shared:
        return [scope.pick(("{}.rate = {}", "{}.rate += {}", "{}.rate *= {}")).format(cls, value)]
    return [scope.pick(("{}.pool[0] = {}", "{}.pool[-1] += {}", "{}.pool = [0.2, {}]")).format(cls, value)]


@statement("attributes", 1)
def forget(scope: Scope) -> Lines | None:
    """A cached property, or what hides a number of the class, is forgotten."""
    found = scope.objects(lambda made: "rate" in made.shared and not made.slots)
    if not found:
        return None
    text, name = scope.pick(found)[0], "rate"
    return [f"vars({text}).pop({name!r}, None)"]
