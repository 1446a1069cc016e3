"""Classes whose objects answer to operators, comparisons, loops, `in`, `len`, `bool` and `with`."""

from __future__ import annotations

from tests.random_programs.grammar import atom, block, condition, expr, expression, statement
from tests.random_programs.kinds import FLOAT, FLOATS, Float, Kind, List, Object
from tests.random_programs.objects import MEMBERS, member_scope
from tests.random_programs.scope import Class, Lines, Scope, World, indented

BINARY = {
    "__add__": "+",
    "__sub__": "-",
    "__mul__": "*",
    "__truediv__": "/",
    "__matmul__": "@",
    "__or__": "|",
    "__pow__": "**",
}
OTHER = "other = other.f0 if isinstance(other, {}) else other"
"""Where an operator begins: the other operand may be an object of the class too."""


def add_arithmetic(world: World, made: Class) -> Lines:
    """Operators that give a new object of the class, from both sides and in place."""
    free = [name for name in BINARY if not made.operators & {name, f"new {name}"}]
    if not free or "f0" not in made.fields:
        return []
    name = world.random.choice(free)
    lines = operator_method(world, made, name, "self.f0 * 0.5 + other")
    made.operators |= {name, f"new {name}"}
    if world.random.random() < 0.6 and f"__r{name[2:]}" not in made.operators:
        lines += operator_method(world, made, f"__r{name[2:]}", "other - self.f0 * 0.3")
        made.operators |= {f"__r{name[2:]}", f"from right {name}"}
    if world.random.random() < 0.5 and f"__i{name[2:]}" not in made.operators:
        made.operators |= {f"__i{name[2:]}", f"in place {name}"}
        lines += in_place(world, made, f"__i{name[2:]}")
    return lines


def operator_method(world: World, made: Class, name: str, first: str) -> Lines:
    """A method that makes an object of what both operands hold; the other fields are handed on."""
    scope = member_scope(world, made, other=FLOAT)
    rest = ", ".join(f"self.{field}" for field in [*made.fields][1:])
    value = world.random.choice((first, f"{first} * math.cos({expr(scope, FLOAT, 1)})"))
    new = f"{made.name}({value}{', ' if rest else ''}{rest})"
    before = block(scope, 1, 1) if world.random.random() < 0.3 else []
    return [f"def {name}(self, other):", *indented([OTHER.format(made.name), *before, f"return {new}"])]


def in_place(world: World, made: Class, name: str) -> Lines:
    """A method that changes the object and gives it back."""
    scope = member_scope(world, made, other=FLOAT)
    change = world.random.choice(("self.f0 += other", "self.f0 = self.f0 * other", "self.f0 = other"))
    body = [OTHER.format(made.name), change, *block(scope, 0, 1), "return self"]
    return [f"def {name}(self, other):", *indented(body)]


def add_sequence(world: World, made: Class) -> Lines:
    """What makes an object a sequence of the numbers in one of its lists."""
    lists = [name for name, kind in made.fields.items() if kind == FLOATS]
    if not lists or made.operators & {"__getitem__", "__setitem__", "sequence"}:
        return []
    items, scope = f"self.{lists[0]}", member_scope(world, made, item=FLOAT)
    value = world.random.choice(("item", "item", f"item * {expr(scope, FLOAT, 1)}"))
    made.operators.add("sequence")
    walked = {
        "asked": ["def __len__(self):", f"    return len({items})"],
        "given": ["def __iter__(self):", f"    return iter({items})"],
        "made": ["def __iter__(self):", f"    for item in {items}:", f"        yield {value}"],
        "by items": [],
    }
    lines = walked[world.random.choice(list(walked))]
    lines += ["def __getitem__(self, k):", f"    item = {items}[k]", f"    return {value}"]
    lines += ["def __setitem__(self, k, item):", f"    {items}[k] = {value}"]
    if world.random.random() < 0.4:
        lines += ["def __contains__(self, item):", f"    return item * 2 in {items}"]
    return lines


def add_question(world: World, made: Class) -> Lines:
    """Truth, length or comparisons."""
    free = [name for name in QUESTIONS if name not in made.operators]
    if not free or "f0" not in made.fields:
        return []
    name = world.random.choice(free)
    parameters, answer = QUESTIONS[name]
    before = block(member_scope(world, made), 1, 1) if world.random.random() < 0.3 else []
    made.operators.add(name)
    start = [OTHER.format(made.name)] if "other" in parameters else []
    return [f"def {name}({parameters}):", *indented([*start, *before, f"return {answer}"])]


QUESTIONS = {
    "__bool__": ("self", "self.f0 > 0.1111"),
    "__lt__": ("self, other", "self.f0 < other"),
    "__eq__": ("self, other", "self.f0 == other"),
    "__abs__": ("self", "abs(self.f0) * 0.5"),
    "__float__": ("self", "float(self.f0 * 1.5)"),
}


def add_managed(world: World, made: Class) -> Lines:
    """What makes an object a context manager, of itself or of a number."""
    if made.operators & {"gives itself", "gives a number"} or "f0" not in made.fields:
        return []
    scope = member_scope(world, made)
    itself = world.random.random() < 0.5
    enter = [*block(scope, 0, 1), f"return {'self' if itself else expr(scope)}"]
    change = world.random.choice(("self.f0 *= 0.5", "self.f0 = self.f0 + 0.25", "self.f0 = -self.f0"))
    answer = world.random.choice(("False", "kind is Stop", "kind is not None"))
    leave = [change, *block(scope, 0, 1), f"return {answer}"]
    made.operators.add("gives itself" if itself else "gives a number")
    lines = ["def __enter__(self):", *indented(enter)]
    return [*lines, "def __exit__(self, kind, error, trace):", *indented(leave)]


MEMBERS += [
    ("operators", add_arithmetic),
    ("operators", add_arithmetic),
    ("operators", add_sequence),
    ("operators", add_sequence),
    ("operators", add_question),
    ("operators", add_managed),
]


def having(scope: Scope, *wanted: str) -> list[tuple[str, Class]]:
    """The objects whose class has one of some operators."""
    return scope.objects(lambda made: not made.operators.isdisjoint(wanted))


def of_prefix(made: Class, prefix: str) -> list[str]:
    """The signs of the operators of a class that are of a sort."""
    return [BINARY[name.removeprefix(prefix)] for name in sorted(made.operators) if name.startswith(prefix)]


def operation(scope: Scope, kind: Object | None = None) -> str | None:
    """An operator between an object and a number or another object, which gives an object."""
    found = having(scope, *(f"new {name}" for name in BINARY))
    found = [(text, made) for text, made in found if kind is None or made.name == kind.name]
    if not found:
        return None
    text, made = scope.pick(found)
    signs, reflected = of_prefix(made, "new "), of_prefix(made, "from right ")
    other = scope.place(Object(made.name))
    if reflected and scope.chance(0.4):
        return f"(float({atom(scope)}) {scope.pick(reflected)} {text})"
    if other is not None and scope.chance(0.4):
        return f"({text} {scope.pick(signs)} {other})"
    return f"({text} {scope.pick(signs)} {expr(scope, FLOAT, 0)})"


@expression(Object, "operators", 4)
def object_by_operator(scope: Scope, kind: Object, depth: int) -> str | None:
    return operation(scope, kind)


@expression(Float, "operators", 3)
def number_of_an_operation(scope: Scope, kind: Kind, depth: int) -> str | None:
    found = operation(scope)
    return found and f"{found}.f0"


@expression(Float, "operators", 4)
def number_of_a_sequence(scope: Scope, kind: Kind, depth: int) -> str | None:
    found = having(scope, "sequence")
    forms = ("{}[0]", "{}[-1]", "sum({})", "sum(q * q for q in {})", "max({})", "sum(list({})[:2])")
    return scope.pick(forms).format(scope.pick(found)[0]) if found else None


@expression(List, "operators", 4)
def list_of_a_sequence(scope: Scope, kind: List, depth: int) -> str | None:
    found = having(scope, "sequence")
    if not found or kind != FLOATS:
        return None
    forms = ("list({})", "sorted({})", "[q * 0.5 for q in {}]", "[*{}]", "list(map(math.sin, {}))")
    return scope.pick(forms).format(scope.pick(found)[0])


@expression(Float, "operators", 2)
def number_of_a_question(scope: Scope, kind: Kind, depth: int) -> str | None:
    """A number that an object is asked for, or one of two objects that are compared."""
    found, compared = having(scope, "__abs__", "__float__"), having(scope, "__lt__")
    if compared and (not found or scope.chance(0.5)):
        text, made = scope.pick(compared)
        other = scope.place(Object(made.name))
        forms = ("sorted([{0}, {1}])[0].f0", "min({0}, {1}).f0", "max([{0}, {1}]).f0")
        return scope.pick(forms).format(text, other or text)
    if not found:
        return None
    text, made = scope.pick(found)
    return f"abs({text})" if "__abs__" in made.operators else f"float({text})"


@condition("operators", 2)
def asked(scope: Scope) -> str | None:
    found = having(scope, "__bool__", "__lt__", "__eq__", "sequence")
    if not found:
        return None
    text, made = scope.pick(found)
    if "sequence" in made.operators:
        return f"0.3456 in {text}"
    if "__bool__" in made.operators:
        return scope.pick(("{}", "not {}")).format(text)
    return f"{text} {'<' if '__lt__' in made.operators else '=='} 0.1234"


@statement("operators", 3)
def object_in_place(scope: Scope) -> Lines | None:
    """`o += x`, where the operator changes the object or gives a new one."""
    found = having(scope, *(f"new {name}" for name in BINARY))
    found = [(text, made) for text, made in found if not text.isidentifier() or text not in scope.fixed]
    found = [(text, made) for text, made in found if text.isidentifier() or text.rpartition(".")[1]]
    if not found:
        return None
    text, made = scope.pick(found)
    return [f"{text} {scope.pick(of_prefix(made, 'new '))}= {expr(scope, FLOAT, 1)}"]


@statement("operators", 2)
def item_of_a_sequence(scope: Scope) -> Lines | None:
    found = having(scope, "sequence")
    if not found:
        return None
    form = scope.pick(("{}[0] = {}", "{}[-1] += {}", "{}[0] *= {}"))
    return [form.format(scope.pick(found)[0], expr(scope, FLOAT, 1))]


@statement("operators", 2)
def loop_over_a_sequence(scope: Scope) -> Lines | None:
    found = having(scope, "sequence")
    if not found or scope.depth <= 0:
        return None
    text, item = scope.pick(found)[0], scope.world.fresh("e")
    inner = scope.inside(loop=True)
    inner.names[item] = FLOAT
    head = scope.pick((f"for {item} in {text}:", f"for {item} in list({text}):", f"for {item} in {text}:"))
    return [head, *indented(block(inner, 1, 2))]


@statement("operators", 3)
def managed(scope: Scope) -> Lines | None:
    """A `with` block of an object."""
    found = having(scope, "gives itself", "gives a number")
    if not found or scope.depth <= 0:
        return None
    text, made = scope.pick(found)
    inner, name = scope.inside(), scope.world.fresh("w")
    itself = "gives itself" in made.operators
    inner.names[name] = Object(made.name) if itself else FLOAT
    inner.catching = scope.catching
    return [f"with {text} as {name}:", *indented(block(inner, 1, 2))]
