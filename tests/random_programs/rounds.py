"""Arrays and lists that one round of a loop makes and a later one keeps, reads or changes, in a variable, a
field, a list or a dict: what a round found is another thing than what it left."""

from __future__ import annotations

from tests.random_programs.control import otherwise
from tests.random_programs.grammar import atom, block, expr, statement
from tests.random_programs.kinds import ARRAYS, FLOAT, FLOATS, NESTED, ROWS, VECTOR, Kind, List
from tests.random_programs.scope import Lines, Scope, indented

CHANGES = ("{0} = -{0}", "{0} *= 0.5", "{0} += {1}", "{0}[0] = {1}", "{0}[-1] += {1}")
"""What is done to an array, and what to a list."""
OF_LISTS = ("{0}[0] = {1}", "{0}[-1] += {1}", "{0}.append({1})", "{0}.insert(0, {1})", "{0}.reverse()")


@statement("rounds", 4)
def kept_a_round_later(scope: Scope) -> Lines | None:
    """`kept[1], v = v, new` and its like: what is kept was made a round before, or in front of the loop."""
    if scope.depth <= 0:
        return None
    kind = scope.pick((VECTOR, VECTOR, *ARRAYS[:3], FLOATS))
    lines, held, slots = _holder(scope, kind)
    value = expr(scope, kind)
    name = scope.bind("v", kind)
    lines.append(f"{name} = {value}")
    inner = scope.inside(loop=True)
    body = _handed_on(inner, kind, name, slots)
    if scope.chance(0.5):
        body += block(inner, 1, 1)
    lines += [_head(scope), *indented(body), *otherwise(scope)]
    return [*lines, *_behind(scope, kind, held)]


def _holder(scope: Scope, kind: Kind) -> tuple[Lines, str, list[str]]:
    """What keeps two things of a kind: how it is made, its name, and the two places in it."""
    first, second = expr(scope, kind, 1), expr(scope, kind, 1)
    form = scope.pick(("list", "list", "dict", "variables", "fields", "shared"))
    if form == "list":
        held = scope.bind("h", ROWS if kind == VECTOR else NESTED if kind == FLOATS else List(kind))
        return [f"{held} = [{first}, {second}]"], held, [f"{held}[0]", f"{held}[1]"]
    held = scope.world.fresh("h")
    if form == "dict":
        places = [f'{held}["a"]', f'{held}["b"]']
        return [f'{held} = {{"a": {first}, "b": {second}}}'], f"{held}.values()", places
    if form == "fields":
        return (
            [f"{held} = SimpleNamespace(a={first}, b={second})"],
            f"vars({held}).values()",
            [f"{held}.a", f"{held}.b"],
        )
    other = scope.world.fresh("h")
    lines = [f"{held}, {other} = {first}, {second}"]
    if form == "shared":
        look = scope.world.fresh("look")
        return [*lines, f"{look} = lambda: ({held}, {other})"], f"{look}()", [held, other]
    return lines, f"({held}, {other})", [held, other]


def _handed_on(scope: Scope, kind: Kind, name: str, slots: list[str]) -> Lines:
    """A round: what the variable holds is kept, it gets another thing, and one of them may be changed."""
    first, second = scope.random.sample(slots, 2)
    new = expr(scope, kind, 1) if scope.chance(0.7) else scope.pick(slots)
    lines = {
        0: [f"{first}, {name} = {name}, {new}"],
        1: [f"{first} = {name}", f"{name} = {new}"],
        2: [f"{first}, {second} = {second}, {name}", f"{name} = {new}"],
        3: [f"made = {new}", f"{first} = {name}", f"{name} = made"],
    }[scope.random.randrange(4)]
    if scope.chance(0.5):
        lines.insert(scope.random.randint(0, len(lines)), _change(scope, kind, scope.pick([*slots, name])))
    return lines


def _change(scope: Scope, kind: Kind, place: str) -> str:
    if kind == FLOATS:
        return scope.pick(OF_LISTS).format(place, atom(scope))
    return scope.pick(CHANGES).format(place, atom(scope))


def _head(scope: Scope) -> str:
    count = scope.random.randint(0, 3)
    walked = [text for text in scope.places(VECTOR) if text.isidentifier()]
    if walked and scope.chance(0.3):
        return f"for _ in {scope.pick(walked)}:"
    return f"for _ in range({count}):"


def _behind(scope: Scope, kind: Kind, held: str) -> Lines:
    """What was kept is read behind the loop, in a number."""
    reading = "sum(q)" if kind == FLOATS else "np.sum(q * q)"
    return [f"{scope.bind('x', FLOAT)} = float(sum({reading} for q in {held}))"]
