"""The programs: every value by every way in every surrounding, and the like."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

from tests.crossed_programs.tables import filled, halves, parts, table, things, values

Case = tuple[str, ...]


@cache
def prelude() -> str:
    """The functions and classes that the tables speak of."""
    return Path(__file__).with_name("prelude.py").read_text()


def carried(value: str, way: str, surrounding: str) -> str:
    """A value that takes a way somewhere."""
    made = values()[value]
    pieces = {"MADE": made.made, "READ": made.read("r"), "WAY": table("carriers")[way]}
    return filled(table("surroundings")[surrounding], pieces)


def changed(thing: str, change: str, name: str, place: str) -> str:
    """A thing that is changed by another name."""
    made = things()[thing]
    pieces = {
        "MADE": made.made,
        "READ_T": made.read("t"),
        "READ_C": made.read("c"),
        "NAME": table("names")[name],
        "CHANGE": made.changes[int(change)],
    }
    return filled(table("places")[place], pieces)


def called(value: str, effect: str, call: str, caller: str) -> str:
    """A function that does something with its argument, called in some way."""
    made, (body, after), (setup, calling) = (
        values()[value],
        halves(table("effects")[effect]),
        halves(table("calls")[call]),
    )
    inside = filled(body, {"CHANGE": "".join(made.changes), "READ": made.read("v")})
    operation = filled("def op(v, x):\n    BODY", {"BODY": inside.rstrip("\n")})
    result = "used" if "READ" in body else made.read("r")
    pieces = {"MADE": made.made, "AFTER": after.replace("CALL", calling), "RESULT": result}
    start = "KEEP = []\nH = Box(0.0)\n"
    return start + operation + setup + "\n" + filled(table("callers")[caller], pieces)


def inherited(base: str, data: str, read: str, home: str) -> str:
    """An object of a derived class, whose code reads what all of its objects share."""
    (head, make), (shared, store, reading) = halves(table("bases")[base]), parts(table("data")[data])
    body, use = halves(table("reads")[read])
    text = f"{head.removesuffix('    pass')}\n    BODY\nSHARED\n"
    text = filled(text, {"BODY": filled(body, {"READ": f"({reading})"}), "SHARED": shared})
    use = use.replace("READ_BY_O", reading.replace("self", "o"))
    return text + filled(table("homes")[home], {"MAKE": make, "STORE": store, "USE": f"({use})"})


def derived(base: str, method: str, use: str, user: str) -> str:
    """An object of a class derived from a container, with a method of its own, used as C code uses it."""
    head, make, items = parts(table("derived")[base])
    total = f"sum(v * (i + 1) for i, v in enumerate({items}))"
    text = filled(f"{head}\n    BODY\n", {"BODY": table("own_methods")[method]})
    pieces = {"MAKE": make, "USE": table("uses")[use], "TOTAL": total}
    return text + filled(table("users")[user], pieces)


ORDERED = """def f(x):
    shared = x * 0.9

    def grow(by):
        nonlocal shared
        shared = shared * 1.25 + by
        return shared * 0.5

    S = State(x, grow)
    E = Event(S, x)
    items, part, taken = S.items, S.array[:1], S.bump
    SPOT
    return r * x + S.total * shared
"""


def ordered(run: str, state: str, order: str, first: str, spot: str) -> str:
    """An expression that changes a state, and one that reads it, in both orders, somewhere."""
    running, reading = table("runs")[run], table("states")[state]
    pair = (running, reading) if first == "run" else (reading, running)
    both = re.sub(r"\b[AB]\b", lambda at: pair["AB".index(at[0])], table("orders")[order])
    return filled(ORDERED, {"SPOT": filled(table("spots")[spot], {"ORDER": both}).rstrip("\n")})


def cases_carried() -> Iterator[Case]:
    """All values by all ways in all surroundings."""
    yield from product(values(), table("carriers"), table("surroundings"))


def cases_changed() -> Iterator[Case]:
    """All changes of all things by all names in all places."""
    for thing, value in things().items():
        changes = [str(k) for k in range(len(value.changes))]
        yield from product([thing], changes, table("names"), table("places"))


def cases_called() -> Iterator[Case]:
    """All effects on all values that can be changed, or need not be, in all ways of calling."""
    for value, effect in product(values(), table("effects")):
        if values()[value].changes or "CHANGE" not in table("effects")[effect]:
            yield from product([value], [effect], table("calls"), table("callers"))


def cases_inherited() -> Iterator[Case]:
    """All classes behind a class by all shared data, all reads of it, in all places."""
    yield from product(table("bases"), table("data"), table("reads"), table("homes"))


def cases_derived() -> Iterator[Case]:
    """All methods of all derived containers by all uses that such a container has, in all places."""
    for base in table("derived"):
        sorts = ("both", "sequence" if base in SEQUENCES else "mapping")
        methods, uses = (
            [name for name in table(kind) if name.startswith(sorts)] for kind in ("own_methods", "uses")
        )
        yield from product([base], methods, uses, table("users"))


def cases_ordered() -> Iterator[Case]:
    """All that runs code by all that it changes in all orders, in all places."""
    yield from product(table("runs"), table("states"), table("orders"), ("run", "read"), table("spots"))


SEQUENCES = ("list", "deque", "UserList")
"""The derived containers that are no mappings."""

CROSSINGS: dict[str, tuple[Callable[[], Iterator[Case]], Callable[..., str]]] = {
    "carried": (cases_carried, carried),
    "changed": (cases_changed, changed),
    "called": (cases_called, called),
    "inherited": (cases_inherited, inherited),
    "derived": (cases_derived, derived),
    "ordered": (cases_ordered, ordered),
}


def program(crossing: str, case: Case) -> str:
    """The text of the module of a case; its function is called `f` and has one argument, a number."""
    return prelude() + "\n\n" + CROSSINGS[crossing][1](*case)


def shuffled(crossing: str, seed: int) -> list[Case]:
    """All cases of a crossing in an order of their own for every seed."""
    cases = list(CROSSINGS[crossing][0]())
    Random(f"{crossing} {seed}").shuffle(cases)
    return cases
