"""What can be named where a statement is written, and the ways to read and write it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import TypeAlias, TypeVar

from tests.random_programs.kinds import FLOAT, VECTOR, Array, Dict, Function, Kind, List, Named, Object, Tuple

Lines: TypeAlias = list[str]
Item = TypeVar("Item")


@dataclass
class Class:
    """A generated class: what its objects have and can do (inherited things too).

    One that is a list, dict or tuple has `content` and no fields; `shared` are what the class itself holds,
    `more` what its objects have beside what they are made of. Only of some classes `arguments` are made. One
    that is `scaled` has a method of its metaclass.
    """

    name: str
    fields: dict[str, Kind] = field(default_factory=dict)
    methods: dict[str, Function] = field(default_factory=dict)
    properties: dict[str, bool] = field(default_factory=dict)
    operators: set[str] = field(default_factory=set)
    slots: bool = False
    is_dataclass: bool = False
    bases: tuple[str, ...] = ()
    content: Kind | None = None
    shared: dict[str, Kind] = field(default_factory=dict)
    more: dict[str, Kind] = field(default_factory=dict)
    arguments: bool = True
    scaled: bool = False

    @property
    def kind(self) -> Object:
        """The kind of its objects."""
        return Object(self.name)

    @property
    def takes(self) -> tuple[Kind, ...]:
        """What its objects are made of."""
        return tuple(self.fields.values()) if self.content is None else (self.content,)


@dataclass
class World:
    """What a whole program shares: its classes and module-level functions, and names not yet used.

    `budget` is how many statements may still be written before blocks stay short.
    """

    random: Random
    emphasis: dict[str, float]
    classes: dict[str, Class] = field(default_factory=dict)
    functions: dict[str, Kind] = field(default_factory=dict)
    managers: list[str] = field(default_factory=list)
    texts: list[Lines] = field(default_factory=list)
    count: int = 0
    budget: int = 20

    def spend(self) -> bool:
        """Whether one more statement may be written that has others in it."""
        self.budget -= 1
        return self.budget > 0

    def fresh(self, stem: str) -> str:
        """A name that was not used before."""
        self.count += 1
        return f"{stem}{self.count}"


@dataclass(frozen=True)
class Place:
    """An expression that is a variable or a part of one, and whether it can be assigned."""

    text: str
    kind: Kind
    assignable: bool


@dataclass
class Scope:
    """Where the next statement goes.

    `names` are surely bound; those of them that are `fixed` may not be rebound here. `depth` says how many
    blocks may still be nested. `leave` spells an early return; without it there is none.
    """

    world: World
    names: dict[str, Kind]
    fixed: frozenset[str] = frozenset()
    depth: int = 2
    loop: bool = False
    catching: bool = False
    yields: Kind | None = None
    leave: Callable[[Scope], str] | None = None
    counters: tuple[str, ...] = ()
    nested: bool = False

    @property
    def random(self) -> Random:
        """The source of all choices."""
        return self.world.random

    def chance(self, probability: float) -> bool:
        """True as often as asked for."""
        return self.random.random() < probability

    def pick(self, items: Sequence[Item]) -> Item:
        """One of several."""
        return items[self.random.randrange(len(items))]

    def inside(self, **changes: object) -> Scope:
        """The scope of a block in this one: what it binds is not known behind it."""
        changed = {"names": dict(self.names), "depth": self.depth - 1, **changes}
        return replace(self, **changed)  # type: ignore[arg-type]

    def with_names(self, **names: Kind) -> Scope:
        """The scope of an expression that binds variables of its own."""
        return replace(self, names={**self.names, **names}, fixed=self.fixed | set(names))

    def bind(self, stem: str, kind: Kind, *, fixed: bool = False) -> str:
        """A new variable."""
        name = self.world.fresh(stem)
        self.names[name] = kind
        if fixed:
            self.fixed = self.fixed | {name}
        return name

    def places(self, kind: Kind, *, assignable: bool = False) -> list[str]:
        """Every way to name something of a kind."""
        if assignable:
            return [p.text for p in self.all_places() if p.kind == kind and p.assignable]
        return [p.text for p in self.all_places() if kind in (p.kind, self.content(p.kind))]

    def place(self, kind: Kind, *, assignable: bool = False) -> str | None:
        """One way to name something of a kind, if there is any; bare names are found more often."""
        found = self.places(kind, assignable=assignable)
        if not found:
            return None
        bare = [text for text in found if text.isidentifier()]
        return self.pick(bare) if bare and self.chance(0.5) else self.pick(found)

    def all_places(self) -> Iterator[Place]:
        """Every variable and what it holds, two steps deep."""
        for name, kind in self.names.items():
            yield from self.parts(Place(name, kind, name not in self.fixed), 2)

    def parts(self, place: Place, steps: int) -> Iterator[Place]:
        """A place and the places in it."""
        yield place
        if steps:
            for suffix, kind, assignable in self.steps(place.kind):
                yield from self.parts(Place(place.text + suffix, kind, assignable), steps - 1)

    def steps(self, kind: Kind) -> list[tuple[str, Kind, bool]]:
        """What a thing of a kind holds: how it is reached, its kind, and whether it can be assigned."""
        match kind:
            case List(of=of) if not isinstance(of, Function):
                return [(f"[{k}]", of, True) for k in (0, 1, -1)]
            case Dict(of=of):
                return [(f'["{key}"]', of, True) for key in "ab"]
            case Tuple(of=of):
                return [(f"[{k}]", item, False) for k, item in enumerate(of)]
            case Named():
                return [(".x", FLOAT, False), (".y", VECTOR, False), ("[0]", FLOAT, False)]
            case Array(shape=(n,)):
                return [(f"[{k}]", FLOAT, True) for k in (0, n - 1)]
            case Array(shape=(_, n)):
                return [("[1]", Array((n,)), True), ("[0]", Array((n,)), True), ("[1, 0]", FLOAT, True)]
            case Object(name=name):
                return self.attributes(self.world.classes[name])
        return []

    def content(self, kind: Kind) -> Kind | None:
        """What an object of a class that is a list, dict or tuple is, too."""
        return self.world.classes[kind.name].content if isinstance(kind, Object) else None

    def attributes(self, made: Class) -> list[tuple[str, Kind, bool]]:
        """The fields and properties of objects of a class, and the items of one that is a container."""
        fields = [(f".{name}", kind, True) for name, kind in (made.fields | made.more).items()]
        fields += [(f".{name}", kind, not made.slots and kind == FLOAT) for name, kind in made.shared.items()]
        fields += self.steps(made.content) if made.content is not None else []
        return fields + [(f".{name}", FLOAT, settable) for name, settable in made.properties.items()]

    def objects(self, wanted: Callable[[Class], bool]) -> list[tuple[str, Class]]:
        """The places of objects whose class is wanted."""
        classes = self.world.classes
        objects = [(p.text, classes[p.kind.name]) for p in self.all_places() if isinstance(p.kind, Object)]
        return [(text, made) for text, made in objects if wanted(made)]


def indented(lines: Lines) -> Lines:
    """The lines one level deeper."""
    return ["    " + line for line in lines]
