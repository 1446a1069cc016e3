"""Classes with fields, methods, properties, operators and subclasses, and what is done with their objects."""

from __future__ import annotations

from collections.abc import Callable

from tests.random_programs.grammar import atom, block, condition, expr, expression, statement, test
from tests.random_programs.kinds import FLOAT, FLOATS, TABLE, UNARY, VECTOR, Float, Function, Kind, Object
from tests.random_programs.scope import Class, Lines, Scope, World, indented

FIELD_KINDS = (FLOAT, FLOAT, VECTOR, FLOATS, TABLE, FLOAT, FLOATS, UNARY)
PARAMETERS = ((FLOAT,), (FLOAT,), (), (VECTOR,), (FLOATS,), (FLOAT, FLOAT))


def add_classes(world: World, members: int) -> None:
    """One to three classes with up to so many members, each of which may hold objects of those before it."""
    for number in range(world.random.randint(1, min(2, members))):
        add_class(world, f"Box{number}", members)
    if world.random.random() < (0.5 if members > 1 else 0.25):
        add_subclass(world, "Sub", world.random.choice(list(world.classes)))


def add_class(world: World, name: str, members: int) -> None:
    """A class of its own: plain, with slots, or a dataclass."""
    made, random = Class(name), world.random
    kinds = [FLOAT, *random.choices(FIELD_KINDS, k=random.randint(1, 2))]
    if world.classes and random.random() < 0.3:
        kinds.append(Object(random.choice(list(world.classes))))
    made.fields = {f"f{k}": kind for k, kind in enumerate(kinds)}
    made.is_dataclass = random.random() < 0.3
    made.slots = not made.is_dataclass and random.random() < 0.15
    world.classes[name] = made
    body = (dataclass_fields if made.is_dataclass else constructor)(made)
    for _ in range(random.randint(1, members)):
        body += member(world)(world, made)
    world.texts.append([*(["@dataclass"] if made.is_dataclass else []), f"class {name}:", *indented(body)])


def member(world: World) -> Callable[[World, Class], Lines]:
    """A way to write a member, more often of a family that is dwelt on."""
    weights = [world.emphasis[family] for family, _ in MEMBERS]
    return world.random.choices(MEMBERS, weights)[0][1]


def constructor(made: Class) -> Lines:
    """The `__init__` of a class; what is passed is kept, not copied."""
    slots = [f"__slots__ = ({', '.join(repr(field) for field in made.fields)},)"] if made.slots else []
    fields = [f"    self.{field} = {field}" for field in made.fields]
    return [*slots, f"def __init__(self, {', '.join(made.fields)}):", *fields]


def dataclass_fields(made: Class) -> Lines:
    return [f"{field}: object" for field in made.fields]


def member_scope(world: World, made: Class, **names: Kind) -> Scope:
    """The scope of a method's body: it knows the methods above it."""
    known = {**world.functions, "self": Object(made.name), **names}
    fixed = frozenset((*world.functions, "self"))
    return Scope(world, known, fixed, depth=1, nested=True)


def add_method(world: World, made: Class) -> Lines:
    name, takes = world.fresh("act"), world.random.choice(PARAMETERS)
    lines = method(world, made, name, takes)
    made.methods[name] = Function(takes, FLOAT)
    return lines


def method(
    world: World, made: Class, name: str, takes: tuple[Kind, ...], start: Lines | None = None
) -> Lines:
    """A method that may change the object and its arguments."""
    parameters = {f"p{k}": kind for k, kind in enumerate(takes)}
    scope = member_scope(world, made, **parameters)
    if start:
        scope.names["r"] = FLOAT
    scope.leave = lambda inner: f"return {expr(inner, FLOAT, 1)}"
    body = [*(start or []), *block(scope, 1, 2), f"return {expr(scope)}"]
    return [f"def {name}({', '.join(['self', *parameters])}):", *indented(body)]


def add_property(world: World, made: Class) -> Lines:
    """A property, with a setter or without."""
    name, scope = world.fresh("view"), member_scope(world, made)
    lines = ["@property", f"def {name}(self):", f"    return {expr(scope)}"]
    settable = world.random.random() < 0.6
    if settable:
        inner = member_scope(world, made, value=FLOAT)
        lines += [f"@{name}.setter", f"def {name}(self, value):", *indented(block(inner, 1, 1))]
        lines.append(f"    self.f0 = {expr(inner, FLOAT, 1)}")
    made.properties[name] = settable
    return lines


def add_operator(world: World, made: Class) -> Lines:
    """An operator between an object and a number (or nothing)."""
    free = [name for name in OPERATORS if name not in made.operators]
    if not free:
        return []
    name = world.random.choice(free)
    scope = member_scope(world, made, **({} if name == "__neg__" else {"other": FLOAT}))
    body = block(scope, 1, 1) if name in ("__iadd__", "__call__", "__setitem__", "__lshift__") else []
    body += ["return self"] if name == "__iadd__" else [f"return {expr(scope)}"]
    if name == "__setitem__":
        body[-1] = f"self.f0 = other * key + {expr(scope, FLOAT, 1)}"
    made.operators.add(name)
    return [f"def {name}({OPERATORS[name]}):", *indented(body)]


OPERATORS = {
    "__add__": "self, other",
    "__rmul__": "self, other",
    "__iadd__": "self, other",
    "__neg__": "self",
    "__call__": "self, other",
    "__getitem__": "self, other",
    "__setitem__": "self, key, other",
    "__lshift__": "self, other",
}
USES = {
    "__add__": "({} + {})",
    "__rmul__": "({1} * {0})",
    "__neg__": "(-{})",
    "__call__": "{}({})",
    "__getitem__": "{}[{}]",
    "__lshift__": "({} << {})",
}
MEMBERS: list[tuple[str, Callable[[World, Class], Lines]]] = [
    ("objects", add_method),
    ("objects", add_method),
    ("objects", add_property),
    ("objects", add_operator),
    ("objects", add_operator),
]
"""Ways to write members of classes, by family; the other families of classes add theirs."""


def add_subclass(world: World, name: str, base: str) -> None:
    """A subclass that overrides some methods, calling `super()`, and has one of its own.

    An override knows only the methods that stand before the one it overrides, so that no two can call each
    other for ever.
    """
    parent = world.classes[base]
    made = Class(name, dict(parent.fields), {}, dict(parent.properties), set(parent.operators), parent.slots)
    made.is_dataclass, made.bases = parent.is_dataclass, (*parent.bases, base)
    made.content, made.shared, made.more = parent.content, dict(parent.shared), dict(parent.more)
    made.arguments, made.scaled = parent.arguments, parent.scaled
    world.classes[name] = made
    body, decorators = inherited_start(world, made, parent)
    for method_name, signature in parent.methods.items():
        if world.random.random() < 0.6:
            given = ", ".join(f"p{k}" for k in range(len(signature.takes)))
            start = [f"r = super().{method_name}({given})"]
            body += method(world, made, method_name, signature.takes, start)
        made.methods[method_name] = signature
    body += add_method(world, made)
    world.texts.append([*decorators, f"class {name}({base}):", *indented(body)])


def inherited_start(world: World, made: Class, parent: Class) -> tuple[Lines, Lines]:
    """How a subclass begins, now and then with a field of its own, and its decorators."""
    if parent.content is not None or world.random.random() < 0.6:
        return (["__slots__ = ()"] if made.slots else []), []
    kind = world.random.choice((FLOAT, FLOATS))
    made.fields["own"] = kind
    if made.is_dataclass:
        return ["own: object"], ["@dataclass"]
    given = ", ".join(parent.fields)
    lines = ["__slots__ = ('own',)"] if made.slots else []
    lines += [f"def __init__(self, {given}, own):", f"    super().__init__({given})", "    self.own = own"]
    return lines, []


def has_fields(made: Class) -> bool:
    """Whether the objects of a class may have more fields."""
    return not made.slots and made.content is None


@expression(Object, "objects", 2)
def made(scope: Scope, kind: Object, depth: int) -> str:
    names = [kind.name, *(name for name, other in scope.world.classes.items() if kind.name in other.bases)]
    name = scope.pick(names)
    fields = scope.world.classes[name].takes
    return f"{name}({', '.join(expr(scope, field, depth - 1) for field in fields)})"


@expression(Float, "objects", 3)
def call_method(scope: Scope, kind: Kind, depth: int) -> str | None:
    found = scope.objects(lambda made: bool(made.methods))
    if not found:
        return None
    text, made = scope.pick(found)
    name, signature = scope.pick(list(made.methods.items()))
    return f"{text}.{name}({', '.join(expr(scope, item, depth - 1) for item in signature.takes)})"


@expression(Float, "objects", 1.5)
def use_operator(scope: Scope, kind: Kind, depth: int) -> str | None:
    found = scope.objects(lambda made: bool(made.operators & USES.keys()))
    if not found:
        return None
    text, made = scope.pick(found)
    name = scope.pick(sorted(made.operators & USES.keys()))
    return USES[name].format(text, expr(scope, FLOAT, depth - 1))


@expression(Float, "objects", 0.5)
def attribute_by_name(scope: Scope, kind: Kind, depth: int) -> str | None:
    found = scope.objects(has_fields)
    if not found:
        return None
    text = scope.pick(found)[0]
    return scope.pick(('getattr({}, "extra", {})', 'getattr({}, "f0")', 'vars({}).get("extra", {})')).format(
        text, expr(scope, FLOAT, depth - 1)
    )


@condition("objects", 1)
def has_attribute(scope: Scope) -> str | None:
    found = scope.objects(has_fields)
    return f'hasattr({scope.pick(found)[0]}, "extra")' if found else None


@condition("objects", 0.5)
def of_a_class(scope: Scope) -> str | None:
    found = scope.objects(lambda made: True)
    return f"isinstance({scope.pick(found)[0]}, {scope.pick(list(scope.world.classes))})" if found else None


@statement("objects", 4)
def new_object(scope: Scope) -> Lines | None:
    if not scope.world.classes:
        return None
    kind = Object(scope.pick(list(scope.world.classes)))
    if scope.chance(0.3):
        base = scope.place(kind)
        return base and [f"{scope.bind('o', kind)} = {base}"]
    value = expr(scope, kind)
    return [f"{scope.bind('o', kind)} = {value}"]


@statement("objects", 3)
def write_attribute(scope: Scope) -> Lines | None:
    found = scope.objects(lambda made: True)
    if not found:
        return None
    text, made = scope.pick(found)
    suffix, kind, assignable = scope.pick(scope.attributes(made))
    if not assignable:
        return None
    if kind == FLOAT and scope.chance(0.5):
        return [f"{text}{suffix} {scope.pick(('+=', '-=', '*='))} math.sin({expr(scope, FLOAT, 1)})"]
    return [f"{text}{suffix} = {expr(scope, kind)}"]


@statement("objects", 2)
def extra_attribute(scope: Scope) -> Lines | None:
    """An attribute that comes and goes."""
    found = scope.objects(has_fields)
    if not found:
        return None
    text = scope.pick(found)[0]
    if scope.chance(0.3):
        return [
            f'if hasattr({text}, "extra"):',
            f"    {scope.pick(('del {}.extra', '{0}.f0 += {0}.extra')).format(text)}",
        ]
    if scope.chance(0.3):
        return [f'setattr({text}, "extra", {expr(scope)})']
    lines = [f"{text}.extra = {expr(scope)}"]
    if scope.chance(0.4):
        lines += [f"{text}.f0 *= {text}.extra", f"del {text}.extra"]
    return lines


@statement("objects", 3)
def operator_in_place(scope: Scope) -> Lines | None:
    found = scope.objects(lambda made: bool(made.operators & {"__iadd__", "__setitem__"}))
    found = [(text, made) for text, made in found if not text.isidentifier() or text not in scope.fixed]
    if not found:
        return None
    text, made = scope.pick(found)
    if "__setitem__" in made.operators and ("__iadd__" not in made.operators or scope.chance(0.5)):
        return [f"{text}[{atom(scope)}] = {expr(scope)}"]
    return [f"{text} += {expr(scope)}"]


@statement("objects", 1.5)
def keep_or_share(scope: Scope) -> Lines | None:
    """Two names or fields of one object, or one of two."""
    kinds = [Object(name) for name in scope.world.classes]
    if not kinds:
        return None
    kind = scope.pick(kinds)
    first, second = scope.place(kind), scope.place(kind)
    if first is None or second is None:
        return None
    value = f"{first} if {test(scope)} else {second}"
    return [f"{scope.bind('o', kind)} = {value}"]


@statement("objects", 1)
def loop_over_objects(scope: Scope) -> Lines | None:
    kinds = [Object(name) for name in scope.world.classes]
    if not kinds or scope.depth <= 0:
        return None
    kind, name = scope.pick(kinds), scope.world.fresh("o")
    inner = scope.inside(loop=True)
    inner.names[name] = kind
    items = f"[{expr(scope, kind, 1)}, {expr(scope, kind, 0)}]"
    return [f"for {name} in {items}:", *indented(block(inner, 1, 2))]
