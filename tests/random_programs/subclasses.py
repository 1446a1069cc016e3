"""Classes of programs that are lists, dicts or tuples, with methods of their own."""

from __future__ import annotations

from tests.random_programs.grammar import expr, expression, statement
from tests.random_programs.kinds import FLOAT, FLOATS, MIXED, TABLE, Float, Function, Kind
from tests.random_programs.objects import add_method
from tests.random_programs.scope import Class, Lines, Scope, World, indented

BASES = {"list": FLOATS, "dict": TABLE, "tuple": MIXED}


def add_container_class(world: World) -> None:
    """A subclass of a container with methods, a property, and a method that it overrides."""
    base = world.random.choice(list(BASES))
    name = world.fresh(base.capitalize())
    made = world.classes[name] = Class(name, content=BASES[base])
    body = overridden(world, base) if world.random.random() < 0.4 else []
    for _ in range(world.random.randint(1, 2)):
        body += add_method(world, made)
    world.texts.append([f"class {name}({base}):", *indented(body)])


def overridden(world: World, base: str) -> Lines:
    """A method of the container that does something more."""
    return {
        "list": [
            "def append(self, value):",
            world.random.choice(("    super().append(value * 0.5)", "    super().insert(0, value)")),
        ],
        "dict": [
            "def __setitem__(self, key, value):",
            world.random.choice(
                ("    super().__setitem__(key, value * 0.5)", "    super().update({key: value})")
            ),
        ],
        "tuple": ["@property", "def first(self):", "    return self[0] * 0.5"],
    }[base]


@expression(Float, "subclasses", 3)
def method_of_a_container(scope: Scope, kind: Kind, depth: int) -> str | None:
    found = scope.objects(lambda made: made.content is not None and bool(made.methods))
    if not found:
        return None
    text, made = scope.pick(found)
    name, signature = scope.pick(list(made.methods.items()))
    assert isinstance(signature, Function)
    return f"{text}.{name}({', '.join(expr(scope, item, depth - 1) for item in signature.takes)})"


@expression(Float, "subclasses", 1)
def of_its_class(scope: Scope, kind: Kind, depth: int) -> str | None:
    found = scope.objects(lambda made: made.content in (FLOATS, TABLE))
    if not found:
        return None
    text, made = scope.pick(found)
    forms = {FLOATS: "{1}({0}[::-1])[0]", TABLE: '{1}({0}, a=0.3)["b"]'}
    return forms[made.content].format(text, made.name)  # type: ignore[index]


@statement("subclasses", 3)
def change_a_container(scope: Scope) -> Lines | None:
    found = scope.objects(lambda made: made.content in CHANGES)
    if not found:
        return None
    text, made = scope.pick(found)
    form = scope.pick(CHANGES[made.content])  # type: ignore[index]
    return [form.format(text, expr(scope, FLOAT, 1))]


CHANGES: dict[Kind | None, tuple[str, ...]] = {
    FLOATS: (
        "{}.append({})",
        "{}[0] = {}",
        "{}[-1] *= {}",
        "{}.insert(1, {})",
        "{}[:1] = [{}, 0.5]",
        "{}.extend([{}])",
    ),
    TABLE: ('{}["a"] = {}', '{}["c"] = {}', "{}.update(b={})", '{}["b"] += {}', '{}.setdefault("c", {})'),
}
