"""A whole program from a seed: classes, helpers, generators, and the function `program` to differentiate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from tests.random_programs import (
    arrays,
    attributes,
    containers,
    control,
    effects,
    exceptions,
    functions,
    generators,
    given,
    keeping,
    library,
    making,
    matching,
    numbers,
    objects,
    operators,
    rounds,
    sharing,
    subclasses,
    travelling,
)
from tests.random_programs.grammar import block
from tests.random_programs.kinds import (
    ARRAY_TABLE,
    FLOAT,
    FLOATS,
    FOUR,
    MATRIX,
    MIXED,
    NAMED,
    NESTED,
    PAIR,
    ROWS,
    TABLE,
    VECTOR,
    Array,
    Dict,
    Function,
    Kind,
    List,
    Named,
    Object,
    Stream,
)
from tests.random_programs.respelling import respelled
from tests.random_programs.scope import Scope, World, indented

IMPORTS = """\
import collections
import contextlib
import copy
import dataclasses
import functools
import heapq
import itertools
import math
import operator
from collections import namedtuple
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

Both = namedtuple("Both", "x y")
"""
OPTIONAL = (VECTOR, FOUR, PAIR, MATRIX, FLOATS, TABLE, ROWS, NESTED, MIXED, NAMED, ARRAY_TABLE)
SHARED = {"v[1:]": PAIR, "v[::-1]": VECTOR, "v": VECTOR}
FAMILIES = (
    numbers,
    control,
    arrays,
    containers,
    objects,
    functions,
    exceptions,
    generators,
    effects,
    matching,
    library,
    sharing,
    rounds,
    keeping,
    operators,
    attributes,
    subclasses,
    given,
    making,
    travelling,
)
NAMES = tuple(family.__name__.rpartition(".")[2] for family in FAMILIES)


@dataclass(frozen=True)
class Size:
    """How large a program is: how likely what stands above `program` is, and what it may have of statements.

    `least` and `most` are the statements of `program` itself, not counting those inside others; behind so
    many statements as `above` and `inside` say, blocks stay short.
    """

    wanted: float
    above: int
    inside: int
    least: int
    most: int
    members: int


SMALL, MEDIUM, LARGE = Size(0.45, 4, 5, 1, 3, 1), Size(0.55, 7, 9, 2, 4, 2), Size(0.6, 24, 30, 4, 7, 3)
SIZES, WEIGHTS = (SMALL, MEDIUM, LARGE), (70, 26, 4)


@dataclass(frozen=True)
class Parameter:
    """A parameter of `program`; one that is `shared` is made of others, one that is `hidden` is only made for
    these."""

    name: str
    kind: Kind
    shared: str = ""
    hidden: bool = False


@dataclass(frozen=True)
class Program:
    """The text of a program, its parameters, and the classes of objects among them with their fields.

    The last parameter of `program` is `n`, which says which way it takes and has no gradient.
    """

    seed: int
    text: str
    parameters: tuple[Parameter, ...]
    fields: dict[str, tuple[tuple[int, Kind], ...]]


def program(seed: int, dwelling: Sequence[str] = (), changes: int = 0) -> Program:
    """The program of a seed, which may dwell on other families than the seed says, after so many changes of
    its words."""
    world = new_world(seed, dwelling)
    size = world.random.choices(SIZES, WEIGHTS)[0]
    world.budget = size.above
    add_surroundings(world, size)
    parameters = choose_parameters(world)
    names = {parameter.name: parameter.kind for parameter in parameters if not parameter.hidden}
    known = {**world.functions, **names, "n": FLOAT}
    scope = Scope(world, known, frozenset((*world.functions, "n")), depth=2)
    style = world.random.random()
    scope.leave = lambda inner: f"return {result(inner, style)}"
    around, body = travelling.captured(scope) if world.emphasis["travelling"] > 1 else ([], [])
    if world.random.random() < 0.3:
        scope.names["TOTAL"] = FLOAT
        body.append("global TOTAL")
    world.budget = size.inside
    body += [*block(scope, size.least, size.most), scope.leave(scope)]
    main = [f"def program({', '.join([*names, 'n'])}):", *indented(body)]
    main = travelling.surrounded(around, main) if around else main
    text = "\n\n\n".join("\n".join(lines) for lines in [effects.GLOBALS, *world.texts, main])
    fields = {name: tuple(enumerate(made.takes)) for name, made in world.classes.items()}
    text = f"{IMPORTS}\n{text}\n"
    return Program(seed, respelled(text, seed, changes) if changes else text, tuple(parameters), fields)


def new_world(seed: int, dwelling: Sequence[str] = ()) -> World:
    """A world that dwells on a few families, so that their features meet."""
    random = Random(f"program {seed}")
    emphasis = dict.fromkeys(NAMES, 0.25)
    chosen = random.sample(NAMES[1:], random.choice((2, 2, 3)))
    if dwelling:
        chosen = [*chosen[:1], *random.sample(dwelling, min(2, len(dwelling)))]
    for family in chosen:
        emphasis[family] = 2.5
    emphasis["numbers"], emphasis["control"] = 0.7, max(0.7, emphasis["control"])
    return World(random, emphasis)


def add_surroundings(world: World, size: Size) -> None:
    """What stands above `program`: more of it the more a family is dwelt on."""

    def wanted(family: str) -> bool:
        return world.random.random() < (size.wanted if world.emphasis[family] > 1 else 0.04)

    exceptions.add_exceptions(world)
    if world.emphasis["keeping"] > 0:
        keeping.add_keeping(world)
    if wanted("functions"):
        functions.add_helper(world)
    given.add_scaling(world)
    attributes.add_descriptors(world)
    if any(wanted(family) for family in ("objects", "operators", "attributes", "given")):
        objects.add_classes(world, size.members)
    for family, add in MODULE_LEVEL:
        if wanted(family):
            add(world)


MODULE_LEVEL = (
    ("subclasses", subclasses.add_container_class),
    ("given", given.add_builder),
    ("given", given.add_global_object),
    ("making", making.add_computing_class),
    ("making", making.add_computing_class),
    ("travelling", travelling.add_node),
    ("travelling", travelling.add_node),
    ("travelling", travelling.add_object_generator),
    ("functions", functions.add_helper),
    ("functions", functions.add_recursion),
    ("functions", functions.add_flexible),
    ("functions", functions.add_maker),
    ("generators", generators.add_generator),
    ("generators", generators.add_answering),
    ("exceptions", exceptions.add_manager),
)


def choose_parameters(world: World) -> list[Parameter]:
    """Two numbers, an array, and up to three other things, one of which may share memory with the array."""
    random = world.random
    parameters = [Parameter("a", FLOAT), Parameter("b", FLOAT), Parameter("v", VECTOR)]
    kinds: list[Kind] = random.sample(OPTIONAL, random.choice((0, 1, 1, 2)))
    classes = [name for name, made in world.classes.items() if made.arguments]
    if classes and random.random() < 0.6:
        kinds.append(Object(random.choice(classes)))
    parameters += [Parameter(f"c{k}", kind) for k, kind in enumerate(kinds)]
    if world.emphasis["given"] > 1 or random.random() < 0.1:
        parameters += given_parameters(world, parameters)
    if random.random() < 0.12:
        shared = random.choice(list(SHARED))
        parameters.append(Parameter("w", SHARED[shared], shared))
    return parameters


def given_parameters(world: World, parameters: Sequence[Parameter]) -> list[Parameter]:
    """Things with code, and things that several arguments hold."""
    names, found = {parameter.name: parameter.kind for parameter in parameters}, []

    def fresh(kind: Kind) -> str:
        name = world.fresh("h")
        names[name] = kind
        found.append(Parameter(name, kind, hidden=True))
        return name

    for kind, text in given.things_given(world, names, fresh):
        found.append(Parameter(world.fresh("g"), kind, text))
    return found


def result(scope: Scope, style: float) -> str:
    """A number that depends on much of what is known, or now and then several things."""
    seen = [
        p
        for p in scope.all_places()
        if isinstance(p.kind, type(FLOAT) | Array | List | Dict) and plain(p.kind)
    ]
    chosen = scope.random.sample(seen, min(len(seen), 5))
    if style < 0.2:
        return f"({', '.join(place.text for place in chosen[:3])},)"
    return (
        " + ".join(
            scope.pick(NUMBERS[type(p.kind)]).format(p.text)
            for p in chosen
            if p.kind in SUMMED or is_array(p.kind)
        )
        or "a"
    )


def plain(kind: Kind) -> bool:
    """Whether a kind holds nothing but numbers."""
    match kind:
        case List(of=of) | Dict(of=of):
            return plain(of)
    return not isinstance(kind, Object | Function | Stream | Named)


def is_array(kind: Kind) -> bool:
    """Whether something is an array."""
    return isinstance(kind, Array)


SUMMED = (FLOAT, FLOATS, TABLE)
NUMBERS = {
    type(FLOAT): ("{}", "math.sin({})", "{} * 0.7"),
    Array: ("{}.sum()", "np.sin({}).sum()", "np.sum({0} * {0})"),
    List: ("sum({})", "sum(q * (k + 1) for k, q in enumerate({}))", "{}[-1]"),
    Dict: ("sum({}.values())", "sum(q * q for q in {}.values())"),
}
