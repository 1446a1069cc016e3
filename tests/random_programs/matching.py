"""`match` statements: values, sequences, mappings and classes taken apart, with guards and alternatives."""

from __future__ import annotations

from tests.random_programs.grammar import atom, block, expr, statement
from tests.random_programs.kinds import FLOAT, FLOATS, MIXED, NAMED, TABLE, VECTOR, Kind, Object
from tests.random_programs.scope import Lines, Scope, indented


def case(scope: Scope, pattern: str, guard: str = "", **bound: Kind) -> Lines:
    """One case, which knows what its pattern binds."""
    inner = scope.inside()
    inner.names.update(bound)
    return [f"    case {pattern}{guard}:", *indented(indented(block(inner, 1, 2)))]


def guarded(scope: Scope, name: str) -> str:
    """A guard, sometimes."""
    return (
        f" if {name} {scope.pick('<>')} {scope.random.randint(-5, 5) / 7.003:.4f}"
        if scope.chance(0.3)
        else ""
    )


def rest(scope: Scope) -> Lines:
    """The last case, sometimes."""
    return case(scope, "_") if scope.chance(0.6) else []


@statement("matching", 2)
def match_values(scope: Scope) -> Lines | None:
    if scope.depth <= 0 or "n" not in scope.names:
        return None
    lines = [f"match {scope.pick(('n', '(n, 1)', '(n % 2, n)'))}:"]
    pair = lines[0] != "match n:"
    lines += case(scope, "(0, _)" if pair else "0") + case(scope, "(1, 1) | (_, 2)" if pair else "1 | 3")
    return lines + rest(scope)


@statement("matching", 3)
def match_sequences(scope: Scope) -> Lines | None:
    subject = scope.place(FLOATS) if scope.depth > 0 else None
    if subject is None:
        return None
    first, second, more = (scope.world.fresh(stem) for stem in ("m", "m", "ms"))
    subject = scope.pick((subject, subject, f"({subject}, {expr(scope, FLOAT, 1)})"))
    lines = [f"match {subject}:"]
    if subject.startswith("("):
        lines += case(
            scope, f"([{first}, *{more}], {second})", guarded(scope, first), **{first: FLOAT, second: FLOAT}
        )
        lines += case(scope, f"({more}, {first} as {second})", **{more: FLOATS, first: FLOAT, second: FLOAT})
        return lines
    lines += case(scope, f"[{first}, {second}]", guarded(scope, second), **{first: FLOAT, second: FLOAT})
    lines += case(scope, f"[_, {first}, *{more}]", guarded(scope, first), **{first: FLOAT})
    return lines + rest(scope)


@statement("matching", 2)
def match_mappings(scope: Scope) -> Lines | None:
    subject = scope.place(TABLE) if scope.depth > 0 else None
    if subject is None:
        return None
    first, more = scope.world.fresh("m"), scope.world.fresh("more")
    lines = [f"match {subject}:"]
    lines += case(scope, f'{{"c": {first}}}', guarded(scope, first), **{first: FLOAT})
    if scope.chance(0.5):
        lines += case(scope, f'{{"a": {first}, **{more}}}', **{first: FLOAT})
    else:
        lines += case(scope, f'{{"a": {first}, "b": _}}', guarded(scope, first), **{first: FLOAT})
    return lines + rest(scope)


@statement("matching", 2)
def match_tuples(scope: Scope) -> Lines | None:
    kind = scope.pick((NAMED, MIXED))
    subject = scope.place(kind) if scope.depth > 0 else None
    if subject is None:
        return None
    first, second = scope.world.fresh("m"), scope.world.fresh("y")
    pattern = scope.pick(
        ("({}, {})", "[{}, {}]", *(("Both({}, {})", "Both(x={}, y={})") if kind == NAMED else ()))
    )
    lines = [f"match {subject}:"]
    bound: dict[str, Kind] = {first: FLOAT, second: VECTOR}
    lines += case(scope, pattern.format(first, second), guarded(scope, first), **bound)
    return lines + rest(scope)


@statement("matching", 2)
def match_objects(scope: Scope) -> Lines | None:
    found = scope.objects(lambda made: True) if scope.depth > 0 else []
    if not found:
        return None
    text, made = scope.pick(found)
    classes = [
        name for name, other in scope.world.classes.items() if name == made.name or made.name in other.bases
    ]
    first, whole = scope.world.fresh("m"), scope.world.fresh("o")
    lines = [f"match {text}:"]
    lines += case(scope, f"{scope.pick(classes)}(f0={first})", guarded(scope, first), **{first: FLOAT})
    lines += case(scope, f"{made.name}() as {whole}", **{whole: Object(made.name)})
    return lines


@statement("matching", 1)
def match_numbers(scope: Scope) -> Lines | None:
    if scope.depth <= 0:
        return None
    name = scope.world.fresh("m")
    lines = [f"match {atom(scope)}:", *case(scope, f"{name} if {name} > 0.1003", **{name: FLOAT})]
    return lines + case(scope, f"{name}", **{name: FLOAT})
