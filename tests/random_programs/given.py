"""Arguments that hold code or each other: functions, methods, partials, objects in containers, one object in
several places; and objects that are global."""

from __future__ import annotations

from collections.abc import Callable

from tests.random_programs.grammar import atom, block, expr, expression, statement
from tests.random_programs.kinds import (
    FLOAT,
    FLOATS,
    TABLE,
    UNARY,
    VECTOR,
    Dict,
    Float,
    Function,
    Kind,
    List,
    Object,
    Tuple,
)
from tests.random_programs.scope import Lines, Scope, World, indented

SCALING = ["def scaling(p):", "    return lambda q: q * p + math.sin(p)"]
HELD = (FLOAT, FLOATS, TABLE, VECTOR)
FUNCTIONS = Dict(UNARY)


def add_builder(world: World) -> None:
    """A function that makes functions of what it is given, which they may rebind or change."""
    name, random = world.fresh("build"), world.random
    kind: Kind = random.choice((*HELD, *map(Object, world.classes), *map(Object, world.classes)))
    names = {"p": FLOAT, "thing": kind}
    scope = Scope(world, {**world.functions, **names, "q": FLOAT}, frozenset(world.functions), 1, nested=True)
    start = []
    if random.random() < 0.35:
        start = ["nonlocal p", random.choice(("p = p * 0.5 + q", "p += q", "p, q = q, p"))]
    default = random.choice(("", "", ", k=p"))
    body = [*start, *block(scope, 0, 2), f"return {expr(scope)}{' * k' if default else ''}"]
    lines = [f"def {name}_made(q{default}):", *indented(body), f"return {name}_made"]
    world.texts.append([f"def {name}(p, thing):", *indented(lines)])
    world.functions[name] = Function((FLOAT, kind), UNARY)


def add_global_object(world: World) -> None:
    """An object that is global."""
    if not world.classes:
        return
    scope = Scope(world, {}, depth=0)
    kind = Object(world.random.choice(list(world.classes)))
    name = world.fresh("BOX")
    world.texts.append([f"{name} = {expr(scope, kind, 0)}"])
    world.functions[name] = kind


def add_scaling(world: World) -> None:
    """What arguments of kind UNARY are made by, if nothing else is said."""
    world.texts.append(SCALING)


def things_given(
    world: World, names: dict[str, Kind], fresh: Callable[[Kind], str]
) -> list[tuple[Kind, str]]:
    """Parameters and what they are made of; `fresh` gives the name of a thing that is no parameter."""
    scope = Scope(world, names, depth=0)
    found = []
    for form in world.random.sample(FORMS, world.random.choice((1, 2, 2))):
        given = form(scope, fresh)
        if given is not None:
            found.append(given)
    return found


Given = tuple[Kind, str] | None
Fresh = Callable[[Kind], str]


def known(scope: Scope, kind: Kind, fresh: Fresh) -> str:
    """Something that is known already, or a thing of its own."""
    found = [text for text in scope.places(kind) if text.isidentifier() or kind != FLOAT]
    found = [text for text in found if not text.endswith((".pool", ".rate"))]
    return scope.pick(found) if found and scope.chance(0.5) else fresh(kind)


def some_object(scope: Scope) -> Object | None:
    """The kind of objects of some class of which there are arguments."""
    classes = [name for name, made in scope.world.classes.items() if made.arguments]
    return Object(scope.pick(classes)) if classes else None


def built(scope: Scope, fresh: Fresh) -> Given:
    """A closure."""
    found = [(n, f) for n, f in scope.world.functions.items() if isinstance(f, Function) and f.gives == UNARY]
    if not found:
        return None
    name, signature = scope.pick(found)
    return UNARY, f"{name}({', '.join(known(scope, kind, fresh) for kind in signature.takes)})"


def bound(scope: Scope, fresh: Fresh) -> Given:
    """A method of an object, bound or in a partial call."""
    found = []
    for name, made in scope.world.classes.items():
        if not made.arguments:
            continue
        found += [(name, method, f) for method, f in made.methods.items() if f.takes[-1:] == (FLOAT,)]
    if not found:
        return None
    name, method, signature = scope.pick(found)
    thing = known(scope, Object(name), fresh)
    rest = "".join(f", {known(scope, kind, fresh)}" for kind in signature.takes[:-1])
    forms = [
        f"functools.partial({thing}.{method}{rest})",
        f"functools.partial({name}.{method}, {thing}{rest})",
    ]
    return UNARY, scope.pick(forms if rest else [*forms, f"{thing}.{method}"])


def callable_object(scope: Scope, fresh: Fresh) -> Given:
    classes = [(name, made) for name, made in scope.world.classes.items() if made.arguments]
    found = [name for name, made in classes if "__call__" in made.operators]
    return (UNARY, known(scope, Object(scope.pick(found)), fresh)) if found else None


def several_functions(scope: Scope, fresh: Fresh) -> Given:
    """Functions in a list or dict."""
    ways = [way for way in (built, bound, callable_object) for _ in range(2)]
    made = [way(scope, fresh) for way in scope.random.sample(ways, 3)]
    texts = [found[1] for found in made if found is not None][:2]
    if not texts:
        return None
    texts.append(scope.pick(("math.sin", texts[0])))
    if scope.chance(0.4):
        return FUNCTIONS, f'{{"a": {texts[0]}, "b": {texts[-1]}}}'
    return List(UNARY), f"[{', '.join(texts)}]"


def several_objects(scope: Scope, fresh: Fresh) -> Given:
    """Objects in a list, dict or tuple, which may be one."""
    kind = some_object(scope)
    if kind is None:
        return None
    first, second = known(scope, kind, fresh), known(scope, kind, fresh)
    second = first if scope.chance(0.25) else second
    form = scope.pick((List, List, Dict, Tuple))
    if form is Tuple:
        return Tuple((kind, FLOAT)), f"({first}, {fresh(FLOAT)})"
    if form is Dict:
        return Dict(kind), f'{{"a": {first}, "b": {second}}}'
    return List(kind), f"[{first}, {second}]"


def given_again(scope: Scope, fresh: Fresh) -> Given:
    """An object that is another argument, too, or a part of one."""
    kind = some_object(scope)
    place = kind and scope.place(kind)
    return (kind, place) if kind is not None and place is not None else None


def composed(scope: Scope, fresh: Fresh) -> Given:
    """An object of a class or subclass whose fields are what others have too."""
    kind = some_object(scope)
    if kind is None:
        return None
    classes = scope.world.classes
    name = scope.pick([kind.name, *(other for other, made in classes.items() if kind.name in made.bases)])
    return kind, f"{name}({', '.join(known(scope, field, fresh) for field in classes[name].takes)})"


FORMS = [built, built, bound, bound, callable_object, several_functions, several_objects, several_objects]
FORMS += [given_again, composed, composed]


@expression(Function, "given", 1)
def function_as_a_value(scope: Scope, kind: Kind, depth: int) -> str | None:
    place = scope.place(kind)
    if place is not None and scope.chance(0.6):
        return place
    name = scope.world.fresh("q")
    return scope.pick((f"scaling({atom(scope)})", f"lambda {name}: {name} * {atom(scope)}"))


@expression(Float, "given", 3)
def call_of_a_place(scope: Scope, kind: Kind, depth: int) -> str | None:
    """A function in a field or a container is called."""
    places = [text for text in scope.places(UNARY) if not text.isidentifier()]
    return f"{scope.pick(places)}({expr(scope, FLOAT, depth - 1)})" if places else None


@statement("given", 2)
def loop_over_given_objects(scope: Scope) -> Lines | None:
    """A loop over a list or dict of objects or functions."""
    kinds = [place for place in scope.all_places() if isinstance(place.kind, List | Dict)]
    found = [place for place in kinds if isinstance(place.kind.of, Object)]  # type: ignore[union-attr]
    if not found or scope.depth <= 0:
        return None
    place = scope.pick(found)
    inner, name = scope.inside(loop=True), scope.world.fresh("o")
    inner.names[name] = place.kind.of  # type: ignore[union-attr]
    walked = f"{place.text}.values()" if isinstance(place.kind, Dict) else place.text
    return [f"for {name} in {walked}:", *indented(block(inner, 1, 2))]


@statement("given", 1.5)
def change_a_list_of_objects(scope: Scope) -> Lines | None:
    found = [p for p in scope.all_places() if isinstance(p.kind, List) and isinstance(p.kind.of, Object)]
    if not found:
        return None
    place = scope.pick(found)
    value = expr(scope, place.kind.of, 1)  # type: ignore[union-attr]
    forms = ("{0}[0] = {1}", "{0}.append({1})", "{0}.insert(0, {1})", "{0}.reverse()", "{0}[1] = {0}[0]")
    return [scope.pick(forms).format(place.text, value)]


@statement("given", 1.5)
def nest_an_object(scope: Scope) -> Lines | None:
    """An object in a new list, dict or tuple, known by its kind."""
    kind = some_object(scope)
    place = kind and scope.place(kind)
    if kind is None or place is None:
        return None
    other = scope.place(kind) or place
    if scope.chance(0.5):
        return [f"{scope.bind('os', List(kind))} = [{place}, {other}]"]
    return [f"{scope.bind('od', Dict(kind))} = {{'a': {place}, 'b': {other}}}"]
