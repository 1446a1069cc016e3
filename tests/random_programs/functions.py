"""Functions: helpers that write their arguments, closures, `nonlocal`, recursion, functions in lists."""

from __future__ import annotations

from tests.random_programs.grammar import block, expr, expression, statement, test
from tests.random_programs.kinds import (
    FLOAT,
    FLOATS,
    MATRIX,
    PAIR,
    TABLE,
    UNARY,
    VECTOR,
    Array,
    Float,
    Function,
    Kind,
    List,
    Object,
)
from tests.random_programs.scope import Lines, Scope, World, indented

PARAMETERS = (FLOAT, FLOAT, VECTOR, VECTOR, FLOATS, TABLE, PAIR, MATRIX)
RESULTS = (FLOAT, FLOAT, FLOAT, VECTOR, FLOATS)


def parameters_of(world: World, most: int = 3) -> dict[str, Kind]:
    """Names and kinds of a function's parameters."""
    kinds: list[Kind] = world.random.choices(PARAMETERS, k=world.random.randint(1, most))
    if world.classes and world.random.random() < 0.4:
        kinds.append(Object(world.random.choice(list(world.classes))))
    return {world.fresh("p"): kind for kind in kinds}


def add_helper(world: World) -> None:
    """A function of the module, which may write what it is given; now and then it raises."""
    parameters, gives = parameters_of(world), world.random.choice(RESULTS)
    name, raises = world.fresh("helper"), world.random.random() < 0.15
    scope = Scope(world, {**world.functions, **parameters}, frozenset(world.functions), depth=1, nested=True)
    scope.leave = lambda inner: f"return {expr(inner, gives, 1)}"
    body = block(scope, 1, 2)
    if raises:
        body += [f"if {test(scope)}:", f"    raise Stop({expr(scope)})", *block(scope, 0, 1)]
    body.append(f"return {expr(scope, gives)}")
    world.texts.append([f"def {name}({', '.join(parameters)}):", *indented(body)])
    world.functions[name] = Function(tuple(parameters.values()), gives, raises)


def add_recursion(world: World) -> None:
    """A function of the module that calls itself a few times."""
    parameters, name = {"p": FLOAT, **parameters_of(world, 1)}, world.fresh("again")
    scope = Scope(world, {**world.functions, **parameters}, frozenset(world.functions), depth=1, nested=True)
    rest = [q for q in parameters if q != "p"]
    first = ["if k <= 0:", f"    return {expr(scope, FLOAT, 1)}", *block(scope, 1, 2)]
    call = f"{name}({', '.join([expr(scope, FLOAT, 1), *rest, 'k - 1'])})"
    last = [
        f"r = {call}",
        *block(scope.with_names(r=FLOAT), 0, 2),
        f"return math.sin(r) + {expr(scope, FLOAT, 1)}",
    ]
    world.texts.append([f"def {name}({', '.join([*parameters, 'k=2'])}):", *indented(first + last)])
    world.functions[name] = Function(tuple(parameters.values()), FLOAT)


def add_flexible(world: World) -> None:
    """A function with parameters of every sort."""
    name = world.fresh("flex")
    names = {"p": FLOAT, "q": FLOAT, "k": FLOAT}
    scope = Scope(world, {**world.functions, **names}, frozenset(world.functions), depth=1, nested=True)
    scope.leave = lambda inner: f"return {expr(inner, FLOAT, 1)}"
    rest = scope.pick(("sum(rest)", "(rest[0] if rest else q)", "sum(r * k for r in rest)"))
    more = scope.pick(("sum(more.values())", 'more.get("w", p)', '(more["w"] if "w" in more else 0.5)'))
    body = [*block(scope, 0, 1), f"return {expr(scope)} + {rest} * {expr(scope, FLOAT, 0)} + {more}"]
    world.texts.append([f"def {name}(p, q=0.5, *rest, k=0.7, **more):", *indented(body)])
    world.functions[name] = Function((FLOAT,), FLOAT, flexible=True)


def add_maker(world: World) -> None:
    """A function that makes functions with a state of their own."""
    name = world.fresh("make")
    names = {"p": FLOAT, "xs": FLOATS}
    scope = Scope(world, {**world.functions, **names}, frozenset(world.functions), depth=1, nested=True)
    before = block(scope, 0, 1)
    inner = scope.inside(depth=0)
    inner.names["q"] = FLOAT
    change = inner.pick(("p = p * 0.5 + q", "p, q = q, p", "xs.append(p * q)", "p += xs[0]; xs[0] = q"))
    body = ["nonlocal p", *change.split("; "), *block(inner, 0, 1), f"return {expr(inner)}"]
    lines = [*before, "def step(q):", *indented(body), *scope.pick((["p = p * 1.5"], [])), "return step"]
    world.texts.append([f"def {name}(p, xs):", *indented(lines)])
    world.functions[name] = Function((FLOAT, FLOATS), UNARY)


def callables(scope: Scope, gives: Kind) -> list[tuple[str, Function]]:
    """What can be called here and answers with a kind."""
    found = []
    for name, kind in scope.names.items():
        if isinstance(kind, Function) and kind.gives == gives and (scope.catching or not kind.raises):
            found.append((name, kind))
    return found


def call(scope: Scope, gives: Kind, depth: int) -> str | None:
    """A call of a function that is known by name; arguments are often the same thing twice."""
    found = callables(scope, gives)
    if not found:
        return None
    name, signature = scope.pick(found)
    if signature.flexible:
        return f"{name}({flexible_arguments(scope, depth - 1)})"
    return f"{name}({', '.join(argument(scope, item, depth - 1) for item in signature.takes)})"


def flexible_arguments(scope: Scope, depth: int) -> str:
    """Arguments for a function that takes numbers in any way."""
    first, second, third = (expr(scope, FLOAT, depth) for _ in range(3))
    forms = ["{0}", "{0}, {1}", "{0}, q={1}", "{0}, {1}, {2}", "{0}, k={1}, w={2}", "q={0}, p={1}, u={2}"]
    items, table = scope.place(FLOATS), scope.place(TABLE)
    if items is not None:
        forms += [f"*{items}", f"{{0}}, *{items}, k={{1}}", f"*{items}[:1], w={{0}}"] * 2
    if table is not None:
        forms += [f"{{0}}, **{table}", f"{{0}}, k={{1}}, **{table}", f"*{table}.values(), w={{0}}"] * 2
    return scope.pick(forms).format(first, second, third)


def argument(scope: Scope, kind: Kind, depth: int) -> str:
    """An argument: something that others know too, more often than not."""
    place = scope.place(kind) if kind != FLOAT and scope.chance(0.6) else None
    return place if place is not None else expr(scope, kind, depth)


@expression(Float, "functions", 4)
def call_for_a_number(scope: Scope, kind: Kind, depth: int) -> str | None:
    return call(scope, FLOAT, depth)


@expression(Array, "functions", 1.5)
def call_for_an_array(scope: Scope, kind: Kind, depth: int) -> str | None:
    return call(scope, kind, depth)


@expression(List, "functions", 1.5)
def call_for_a_list(scope: Scope, kind: Kind, depth: int) -> str | None:
    return call(scope, kind, depth)


@expression(Float, "functions", 1)
def call_of_an_item(scope: Scope, kind: Kind, depth: int) -> str | None:
    """A function out of a list; only where the list cannot have come to hold the caller."""
    place = None if scope.nested else scope.place(List(UNARY))
    return place and f"{place}[{scope.pick((0, 1, -1))}]({expr(scope, FLOAT, depth - 1)})"


@expression(Float, "functions", 0.7)
def mapped(scope: Scope, kind: Kind, depth: int) -> str | None:
    found, base = (
        [name for name, signature in callables(scope, FLOAT) if signature == UNARY],
        scope.place(FLOATS),
    )
    if not found or base is None:
        return None
    return scope.pick(
        ("sum(map({0}, {1}))", "sum([{0}(q) for q in {1}])", "max({1}, key={0})", "{0}(*{1}[:1])")
    ).format(scope.pick(found), base)


@statement("functions", 2)
def call_for_its_effect(scope: Scope) -> Lines | None:
    found = call(scope, scope.pick(RESULTS), 1)
    return None if found is None else [found]


@statement("functions", 2)
def keep_a_result(scope: Scope) -> Lines | None:
    """The result may be one of the arguments."""
    gives = scope.pick(RESULTS)
    found = call(scope, gives, 1)
    return None if found is None else [f"{scope.bind('r', gives)} = {found}"]


@statement("functions", 3)
def nested_function(scope: Scope) -> Lines | None:
    """A function in a function, which sees, changes and rebinds what is around it."""
    if scope.nested or scope.depth <= 0:
        return None
    captured = [name for name, kind in scope.names.items() if not isinstance(kind, Function)]
    free = [name for name in captured if name not in scope.fixed and name != "TOTAL"]
    rebound = scope.random.sample(free, min(len(free), scope.random.choice((0, 0, 1, 1, 2))))
    parameters = {
        scope.world.fresh("p"): kind for kind in scope.random.choices(PARAMETERS, k=scope.pick((0, 1, 1, 2)))
    }
    fixed = frozenset(scope.names) - frozenset(rebound)
    inner = scope.inside(
        loop=False, catching=False, yields=None, depth=1, fixed=fixed, nested=True, counters=()
    )
    inner.names.update(parameters)
    gives = scope.pick(RESULTS)
    inner.leave = lambda deep: f"return {expr(deep, gives, 1)}"
    body = [f"nonlocal {', '.join(rebound)}"] if rebound and "self" not in scope.names else []
    body += [*block(inner, 1, 2), f"return {expr(inner, gives)}"]
    name = scope.bind("inner", Function(tuple(parameters.values()), gives), fixed=True)
    return [f"def {name}({', '.join(parameters)}):", *indented(body)]


@statement("functions", 1.5)
def lambda_or_partial(scope: Scope) -> Lines | None:
    name = scope.world.fresh("q")
    value = f"lambda {name}: {expr(lambda_scope(scope, name))}"
    if scope.chance(0.3):
        found = [
            (text, f) for text, f in callables(scope, FLOAT) if f.takes[:1] + f.takes[1:] == (FLOAT, FLOAT)
        ]
        value = f"functools.partial({scope.pick(found)[0]}, {expr(scope)})" if found else value
    return [f"{scope.bind('fun', UNARY, fixed=True)} = {value}"]


def lambda_scope(scope: Scope, name: str) -> Scope:
    """The scope of a lambda's expression."""
    inner = scope.with_names(**{name: FLOAT})
    inner.nested, inner.catching = True, False
    return inner


@statement("functions", 1.5)
def functions_in_a_list(scope: Scope) -> Lines | None:
    if scope.nested or scope.depth <= 0:
        return None
    known = [name for name, signature in callables(scope, FLOAT) if signature == UNARY]
    name = scope.world.fresh("q")
    items = [f"lambda {name}: {expr(lambda_scope(scope, name))}" for _ in range(2)]
    items += [scope.pick(known)] if known else ["math.sin"]
    listed = scope.bind("funs", List(UNARY), fixed=True)
    if scope.chance(0.3):
        made = f"[lambda {name}, k=k: {expr(lambda_scope(scope, name))} * (k + 1) for k in range(3)]"
        return [f"{listed} = {made}"]
    return [f"{listed} = [{', '.join(items)}]"]


@statement("functions", 1)
def call_each(scope: Scope) -> Lines | None:
    place, target = scope.place(List(UNARY)), scope.place(FLOAT, assignable=True)
    if place is None or target is None or scope.nested:
        return None
    name = scope.world.fresh("f")
    return [f"for {name} in {place}:", f"    {target} = {name}({expr(scope, FLOAT, 1)})"]


@statement("functions", 2)
def function_with_a_state(scope: Scope) -> Lines | None:
    """A function of its own for each call of what makes it."""
    found = callables(scope, UNARY)
    if not found or scope.nested:
        return None
    made = call(scope, UNARY, 1)
    return [f"{scope.bind('fun', UNARY, fixed=True)} = {made}"]


@statement("functions", 2.5)
def bound_method(scope: Scope) -> Lines | None:
    found = scope.objects(lambda made: any(f == UNARY for f in made.methods.values()))
    if not found or scope.nested:
        return None
    text, made = scope.pick(found)
    name = scope.pick([name for name, signature in made.methods.items() if signature == UNARY])
    return [f"{scope.bind('fun', UNARY, fixed=True)} = {text}.{name}"]
