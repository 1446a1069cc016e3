"""Classes that compute: in `__init__` or `__post_init__`, by a metaclass, in their bodies, while they are
derived from, or inside a function."""

from __future__ import annotations

from tests.random_programs.grammar import block, expr, statement
from tests.random_programs.kinds import FLOAT, Kind
from tests.random_programs.objects import FIELD_KINDS, member
from tests.random_programs.scope import Class, Lines, Scope, World, indented


def add_computing_class(world: World) -> None:
    """A class whose objects have more than they are made of."""
    random, name = world.random, world.fresh("Made")
    kinds = (FLOAT, *random.choices(FIELD_KINDS, k=random.randint(0, 1)))
    made = Class(name, {f"f{k}": kind for k, kind in enumerate(kinds)}, arguments=False)
    form = random.choice((by_init, by_init, by_post_init, by_metaclass, by_hook))
    above, head, body = form(world, made)
    world.classes[name] = made
    for _ in range(random.randint(1, 2)):
        body += member(world)(world, made)
    world.texts.append([*above, *head, *indented(body)])


def computed(world: World, made: Class, held: str = "self.") -> Lines:
    """What is computed of the fields and kept, now and then with statements before."""
    scope = Scope(world, {**world.functions, **made.fields}, frozenset(world.functions), depth=1, nested=True)
    before = block(scope, 0, 1) if world.random.random() < 0.4 else []
    name = world.fresh("more")
    lines = [*before, f"{held}{name} = {expr(scope)}"]
    if world.random.random() < 0.3:
        lines.append(f"{held}f0 = f0 * 0.5 + {held}{name}")
    made.more[name] = FLOAT
    return lines


def by_init(world: World, made: Class) -> tuple[Lines, Lines, Lines]:
    keeping = [f"self.{field} = {field}" for field in made.fields]
    body = [*keeping, *computed(world, made)]
    return [], [f"class {made.name}:"], [f"def __init__(self, {', '.join(made.fields)}):", *indented(body)]


def by_post_init(world: World, made: Class) -> tuple[Lines, Lines, Lines]:
    """A dataclass with `__post_init__`, now and then frozen."""
    made.is_dataclass = True
    lines = computed(world, made)
    reading = [f"{', '.join(made.fields)}, = {', '.join(f'self.{f}' for f in made.fields)},"]
    fields = [f"{field}: object" for field in made.fields]
    fields += [f"{name}: float = field(init=False, default=0.5)" for name in made.more]
    head = ["@dataclass", f"class {made.name}:"]
    return [], head, [*fields, "def __post_init__(self):", *indented([*reading, *lines])]


def by_metaclass(world: World, made: Class) -> tuple[Lines, Lines, Lines]:
    """A metaclass that does something with every object, and has a method for the class."""
    name = world.fresh("Meta")
    reading = [f"{', '.join(made.fields)}, = args"]
    call = ["thing = super().__call__(*args)", *reading, *computed(world, made, "thing."), "return thing"]
    above = [f"class {name}(type):", *indented(["def __call__(cls, *args):", *indented(call)])]
    above += indented(["def scaled(cls, q):", "    return q * cls.rate"])
    made.shared["rate"] = FLOAT
    keeping = [f"    self.{field} = {field}" for field in made.fields]
    init = [f"def __init__(self, {', '.join(made.fields)}):", *keeping]
    made.scaled = True
    return [*above, "", ""], [f"class {made.name}(metaclass={name}):"], ["rate = 0.75", *init]


def by_hook(world: World, made: Class) -> tuple[Lines, Lines, Lines]:
    """A subclass of a class that does something with its subclasses; the body of the subclass computes."""
    name = world.fresh("Root")
    hook = ["super().__init_subclass__(**rest)", "cls.factor = factor * math.sin(factor)"]
    above = [f"class {name}:", *indented(["known = []", "def __init_subclass__(cls, factor=0.5, **rest):"])]
    above += indented(indented([*hook, f"{name}.known.append(cls)"]))
    made.shared |= {"factor": FLOAT, "rate": FLOAT}
    keeping = [f"    self.{field} = {field}" for field in made.fields]
    body = ["rate = 0.5", "for k in range(2):", "    rate = rate * (k + 0.75)", "del k"]
    body += [f"def __init__(self, {', '.join(made.fields)}):", *keeping, *indented(computed(world, made))]
    return [*above, "", ""], [f"class {made.name}({name}, factor=0.7):"], body


@statement("making", 2)
def class_in_a_function(scope: Scope) -> Lines | None:
    """A class whose body computes, and whose methods see what is around them."""
    if scope.nested:
        return None
    name, held = scope.world.fresh("Local"), scope.pick(scope.places(FLOAT))
    body = [f"rate = {expr(scope)}"]
    if scope.chance(0.4):
        body.append(f"rate = rate * {scope.pick(('0.5', 'rate'))}")
    body += ["def __init__(self, q):", f"    self.q = q * {scope.pick(('0.5', 'self.rate', held))}"]
    body += ["def act(self, p):", f"    return self.q * self.rate + p * {held}"]
    lines = [f"class {name}:", *indented(body)]
    value = f"{name}({expr(scope, FLOAT, 1)}).act({expr(scope, FLOAT, 1)})"
    if scope.chance(0.3):
        lines.append(f"{name}.rate = {expr(scope, FLOAT, 1)}")
    return [*lines, f"{scope.bind('x', FLOAT)} = {value} + {name}.rate"]


@statement("making", 2)
def called_on_the_class(scope: Scope) -> Lines | None:
    """A method that a class has of its metaclass."""
    found = [made.name for made in scope.world.classes.values() if made.scaled]
    value = expr(scope)
    return [f"{scope.bind('x', FLOAT)} = {scope.pick(found)}.scaled({value})"] if found else None


@statement("making", 2)
def changed_copy(scope: Scope) -> Lines | None:
    """A dataclass replaced, which computes anew."""
    found = scope.objects(lambda made: made.is_dataclass and not made.bases)
    if not found:
        return None
    text, made = scope.pick(found)
    kind: Kind = made.kind
    value = f"dataclasses.replace({text}, f0={expr(scope, FLOAT, 1)})"
    return [f"{scope.bind('o', kind)} = {value}"]
