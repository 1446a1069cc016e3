"""Generator functions: what runs when, what is left in the middle, and who asks for the items."""

from __future__ import annotations

from dataclasses import replace

from tests.random_programs.functions import argument, parameters_of
from tests.random_programs.grammar import atom, block, expr, expression, statement, suite
from tests.random_programs.kinds import FLOAT, FLOATS, VECTOR, Float, Function, Kind, Stream
from tests.random_programs.scope import Lines, Scope, World, indented

ENDED, ENDLESS = Stream(FLOAT), Stream(FLOAT, endless=True)
ANSWERING = Stream(FLOAT, endless=True, takes=True)


def add_generator(world: World) -> None:
    """A generator function of the module."""
    parameters = parameters_of(world, 2)
    scope = Scope(world, {**world.functions, **parameters}, frozenset(world.functions), depth=1, nested=True)
    endless = world.random.random() < 0.35
    name = world.fresh("items")
    world.texts.append([f"def {name}({', '.join(parameters)}):", *indented(turns(scope, endless))])
    world.functions[name] = Function(tuple(parameters.values()), ENDLESS if endless else ENDED)


def add_answering(world: World) -> None:
    """A generator function that takes numbers, and exceptions, and goes on for ever."""
    names = {"p": FLOAT, **parameters_of(world, 1)}
    scope = Scope(world, {**world.functions, **names}, frozenset(world.functions), depth=1, nested=True)
    name, given = world.fresh("answers"), scope.pick(("got", "0.5 if got is None else got"))
    before = block(scope, 0, 1)
    inner = scope.inside(depth=0)
    inner.names["got"] = FLOAT
    turn = [f"got = yield {expr(scope, FLOAT, 1)}", f"got = {given}", *block(inner, 1, 2)]
    if given == "got":
        turn[1] = "got = 0.25 if got is None else got"
    caught = ["except Stop as stop:", f"    p = p + stop.value * {atom(inner)}"]
    last = ["finally:", "    p = p * 0.9"] if scope.chance(0.2) else []
    body = [*before, "while True:", "    try:", *indented(indented(turn)), *indented(caught), *indented(last)]
    world.texts.append([f"def {name}({', '.join(names)}):", *indented(body)])
    world.functions[name] = Function(tuple(names.values()), ANSWERING)


def turns(scope: Scope, endless: bool) -> Lines:
    """The body of a generator function: things are done before, between and after its items."""
    inner = scope.inside(yields=FLOAT, loop=not endless, depth=1)
    body = [*block(inner, 0, 1), f"yield {expr(inner, FLOAT, 1)}", *block(inner, 0, 2)]
    lines = [*block(scope, 0, 1)]
    if endless:  # no `continue` may pass the `yield`
        return [*lines, "while True:", *indented(body)]
    lines += [f"for {scope.world.fresh('i')} in range({scope.random.randint(1, 3)}):", *indented(body)]
    if scope.chance(0.4):
        lines += [f"yield {expr(scope, FLOAT, 1)}"]
    others = [
        name for name, kind in scope.names.items() if isinstance(kind, Function) and kind.gives == ENDED
    ]
    if others and scope.chance(0.6):
        lines += [f"yield from {started(scope, ENDED, others)}"]
    elif scope.chance(0.3):
        lines += [f"yield from {expr(scope, FLOATS, 1)}"]
    return lines + block(scope, 0, 1)


def started(scope: Scope, kind: Stream, names: list[str] | None = None) -> str | None:
    """A call of a generator function."""
    found = names or [n for n, k in scope.names.items() if isinstance(k, Function) and k.gives == kind]
    if not found:
        return None
    name = scope.pick(found)
    signature = scope.names[name]
    assert isinstance(signature, Function)
    inner = replace(scope, nested=True)  # this may stand in a comprehension, where nothing can be named
    return f"{name}({', '.join(argument(inner, item, 1) for item in signature.takes)})"


def some_stream(scope: Scope) -> tuple[str, bool] | None:
    """A generator that is there or is made, and whether it ends."""
    endless = scope.chance(0.4)
    kind = ENDLESS if endless else ENDED
    text = scope.place(kind) if scope.chance(0.5) else started(scope, kind)
    return None if text is None else (text, endless)


@expression(Float, "generators", 2)
def next_item(scope: Scope, kind: Kind, depth: int) -> str | None:
    found = scope.place(scope.pick((ENDED, ENDLESS)))
    return found and f"next({found}, {atom(scope)})"


@expression(Float, "generators", 1.5)
def all_items(scope: Scope, kind: Kind, depth: int) -> str | None:
    text = started(scope, ENDED)
    forms = (
        "sum({})",
        "max({})",
        "list({})[-1]",
        "sum(q * 0.5 for q in {})",
        "sum(map(math.sin, {}))",
        "min([*{}])",
    )
    return text and scope.pick(forms).format(text)


@expression(Float, "generators", 1)
def some_items(scope: Scope, kind: Kind, depth: int) -> str | None:
    text = scope.place(ENDLESS) if scope.chance(0.5) else started(scope, ENDLESS)
    forms = (
        "sum(itertools.islice({}, 2))",
        "sum(q * k for k, q in zip(range(3), {}))",
        "sum(map(lambda k, q: k * q, range(2), {}))",
        "[q for _, q in zip(range(2), {})][-1]",
    )
    return text and scope.pick(forms).format(text)


@statement("generators", 4)
def start(scope: Scope) -> Lines | None:
    """A generator that is kept and asked later."""
    kind = scope.pick((ENDED, ENDLESS))
    text = started(scope, kind)
    if text is None:
        return None
    return [f"{scope.bind('g', kind, fixed=True)} = {text}"]


@statement("generators", 3)
def start_answering(scope: Scope) -> Lines | None:
    """A generator that is asked for its first item, so that it takes others."""
    text = started(scope, ANSWERING)
    if text is None:
        return None
    name = scope.bind("g", ANSWERING, fixed=True)
    return [f"{name} = {text}", f"{scope.bind('x', FLOAT)} = next({name})"]


@statement("generators", 4)
def send(scope: Scope) -> Lines | None:
    """Something is sent or thrown into a generator."""
    found = scope.place(ANSWERING)
    if found is None:
        return None
    how = scope.pick(("send({})", "send({})", "throw(Stop({}))", "send(None) + {}", "__next__() * {}"))
    return [f"{scope.bind('x', FLOAT)} = {found}.{how.format(expr(scope))}"]


@expression(Float, "generators", 1.5)
def sent(scope: Scope, kind: Kind, depth: int) -> str | None:
    found = scope.place(ANSWERING)
    return found and f"{found}.send({expr(scope, FLOAT, depth - 1)})"


@statement("generators", 1)
def generator_expression(scope: Scope) -> Lines | None:
    base = scope.place(scope.pick((FLOATS, VECTOR)))
    if base is None:
        return None
    name = scope.world.fresh("q")
    item = expr(scope.with_names(**{name: FLOAT}), FLOAT, 1)
    return [f"{scope.bind('g', ENDED, fixed=True)} = ({item} for {name} in {base})"]


@statement("generators", 4)
def loop_over_items(scope: Scope) -> Lines | None:
    found = some_stream(scope) if scope.depth > 0 else None
    if found is None:
        return None
    (text, endless), item = found, scope.world.fresh("e")
    inner = scope.inside(loop=True)
    inner.names[item] = FLOAT
    if not endless:
        return suite(f"for {item} in {text}:", inner)
    counter = scope.world.fresh("i")
    inner.counters = (*scope.counters, counter)
    if scope.chance(0.5):
        return suite(f"for {counter}, {item} in zip(range({scope.random.randint(1, 3)}), {text}):", inner)
    last = f"if {counter} >= {scope.random.randint(0, 2)}:"
    return [
        f"for {counter}, {item} in enumerate({text}):",
        f"    {last}",
        "        break",
        *indented(block(inner)),
    ]


@statement("generators", 1.5)
def ask(scope: Scope) -> Lines | None:
    """One item, now."""
    found = scope.place(scope.pick((ENDED, ENDLESS)))
    return found and [f"{scope.bind('x', FLOAT)} = next({found}, {atom(scope)})"]


@statement("generators", 4)
def give(scope: Scope) -> Lines | None:
    """An item from anywhere in a generator function: a branch, a `try`, a `with`."""
    return None if scope.yields is None else [f"yield {expr(scope, scope.yields, 1)}"]


@statement("generators", 1)
def unpack_items(scope: Scope) -> Lines | None:
    text = started(scope, ENDED)
    if text is None:
        return None
    names = scope.bind("x", FLOAT), scope.world.fresh("rest")
    return [f"{names[0]}, *{names[1]} = {text}", f"{names[0]} += sum({names[1]})"]


@statement("generators", 1)
def close(scope: Scope) -> Lines | None:
    found = scope.place(scope.pick((ENDED, ENDLESS)))
    return found and [f"{found}.close()"]
