"""Branches, loops and the ways out of them."""

from __future__ import annotations

from tests.random_programs.grammar import block, expr, statement, suite, test
from tests.random_programs.kinds import FLOAT, FLOATS, MATRIX, ROWS, TABLE, VECTOR, Kind, Stream
from tests.random_programs.scope import Lines, Scope, indented


@statement("control", 3)
def branch(scope: Scope) -> Lines | None:
    if scope.depth <= 0:
        return None
    lines = suite(f"if {test(scope)}:", scope.inside())
    if scope.chance(0.3):
        lines += suite(f"elif {test(scope)}:", scope.inside())
    if scope.chance(0.5):
        lines += suite("else:", scope.inside())
    return lines


@statement("control", 0.5)
def branch_on_a_named_value(scope: Scope) -> Lines | None:
    if scope.depth <= 0:
        return None
    value = expr(scope)
    name = scope.bind("z", FLOAT)
    return suite(f"if ({name} := {value}) > 0.1234:", scope.inside())


@statement("control", 3)
def counted_loop(scope: Scope) -> Lines | None:
    if scope.depth <= 0:
        return None
    counter = scope.world.fresh("i")
    inner = scope.inside(loop=True, counters=(*scope.counters, counter))
    return suite(f"for {counter} in range({scope.random.randint(0, 3)}):", inner) + otherwise(scope)


@statement("control", 1)
def while_loop(scope: Scope) -> Lines | None:
    if scope.depth <= 0:
        return None
    counter = scope.world.fresh("i")
    inner = scope.inside(loop=True, counters=(*scope.counters, counter))
    lines = [f"{counter} = 0", f"while {counter} < {scope.random.randint(1, 3)}:", f"    {counter} += 1"]
    return lines + indented(block(inner)) + otherwise(scope)


@statement("control", 3)
def loop_over_items(scope: Scope) -> Lines | None:
    """Over lists, arrays, rows and dicts, alone or numbered."""
    found = [] if scope.depth <= 0 else walks(scope)
    if not found:
        return None
    text, kind = scope.pick(found)
    item = scope.world.fresh("e")
    inner = scope.inside(loop=True)
    inner.names[item] = kind
    if scope.chance(0.3):
        counter = scope.world.fresh("i")
        inner.counters = (*scope.counters, counter)
        return suite(f"for {counter}, {item} in enumerate({text}):", inner) + otherwise(scope)
    return suite(f"for {item} in {text}:", inner) + otherwise(scope)


@statement("control", 1)
def search(scope: Scope) -> Lines | None:
    """A loop that is left at an item, which is read behind it."""
    found = [] if scope.depth <= 0 else [text for text, kind in walks(scope) if kind == FLOAT]
    if not found:
        return None
    text, before = scope.pick(found), expr(scope)
    item = scope.bind("e", FLOAT)
    inner = scope.inside(loop=True)
    question = f"{item} {scope.pick('<>')} {scope.random.uniform(-1.0, 2.0):.4f}"
    lines = block(inner, 1, 1) if scope.chance(0.4) else []
    lines += [f"if {question}:", *indented(last_words(inner)), "    break"]
    return [f"{item} = {before}", f"for {item} in {text}:", *indented(lines), *otherwise(scope)]


def walks(scope: Scope) -> list[tuple[str, Kind]]:
    """What can be walked over, and the kind of its items."""
    found: list[tuple[str, Kind]] = []
    for place in scope.all_places():
        if place.kind in (FLOATS, VECTOR):
            found += [(place.text, FLOAT), (f"{place.text}[::-1]", FLOAT)]
        elif place.kind in (ROWS, MATRIX):
            found += [(place.text, VECTOR)] * 2
        elif place.kind == TABLE:
            found.append((f"list({place.text}.values())", FLOAT))
        elif place.kind == Stream(FLOAT):
            found.append((place.text, FLOAT))
    return found


def otherwise(scope: Scope) -> Lines:
    """The `else` of a loop, sometimes."""
    return suite("else:", scope.inside(), 1, 2) if scope.chance(0.15) else []


@statement("control", 1.5)
def leave_loop(scope: Scope) -> Lines | None:
    if not scope.loop:
        return None
    return [f"if {test(scope)}:", *indented(last_words(scope)), f"    {scope.pick(('break', 'continue'))}"]


@statement("control", 0.5)
def early_return(scope: Scope) -> Lines | None:
    if scope.leave is None:
        return None
    return [f"if {test(scope)}:", *indented(last_words(scope)), f"    {scope.leave(scope)}"]


def last_words(scope: Scope) -> Lines:
    """What is done just before leaving, sometimes."""
    return block(scope.inside(depth=0), 1, 1) if scope.chance(0.4) else []
