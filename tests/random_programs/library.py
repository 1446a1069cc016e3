"""What the standard library does with data: copies, reductions, iterators, sets, named tuples, walrus."""

from __future__ import annotations

from tests.random_programs.grammar import atom, block, condition, expr, expression, statement, suite
from tests.random_programs.kinds import (
    FLOAT,
    FLOATS,
    NAMED,
    NESTED,
    TABLE,
    TEXTS,
    VECTOR,
    Array,
    Dict,
    Float,
    Kind,
    List,
    Named,
    Object,
)
from tests.random_programs.scope import Lines, Scope

NUMBERS = (
    "functools.reduce(lambda p, q: p * 0.5 + q, {0})",
    "functools.reduce(lambda p, q: p * math.cos(q), {0}, {1})",
    "list(itertools.accumulate({0}))[-1]",
    "sum(itertools.accumulate({0}, lambda p, q: p * q))",
    "sum(itertools.chain({0}, [{1}]))",
    "sum(p * q for p, q in itertools.pairwise({0}))",
    "sum(p * q for p, q in itertools.product({0}, {0}))",
    "sum(itertools.starmap(lambda p, q: p * q, zip({0}, {0}[1:])))",
    "max({0}, key=lambda q: -q)",
    "min({0}, default={1})",
    "sum(filter(lambda q: q > 0.1, {0}))",
    "math.fsum({0})",
    "math.prod({0})",
    "sum(q for q in reversed({0}))",
    "(lambda *qs: qs[0] * qs[-1])(*{0})",
    "[p for k, p in enumerate({0}) if k % 2 == 0][0]",
    "math.hypot(*{0}[:2])",
)
LISTS = (
    "list(itertools.accumulate({}))",
    "copy.copy({})",
    "copy.deepcopy({})",
    "[*itertools.islice({}, 2), 0.5]",
    "list(filter(lambda q: q > -9.0, {}))",
    "sorted({}, key=lambda q: q * q)",
    "[y for q in {} if (y := q * 0.5) > -9.0]",
    "list(itertools.chain({0}, {0}))[:4]",
    "[q if q > 0.1 else -q for q in {}]",
    "list(dict(enumerate({})).values())",
)
TABLES = (
    "copy.copy({})",
    "copy.deepcopy({})",
    "dict(zip({0}, {0}.values()))",
    '({} | {{"c": {}}})',
    "{{k: q * {1} for k, q in {0}.items()}}",
    "dict(sorted({}.items(), key=lambda item: item[1]))",
    'dict.fromkeys(("a", "b"), {1})',
)


@expression(Float, "library", 4)
def number_of_items(scope: Scope, kind: Kind, depth: int) -> str | None:
    base = scope.place(FLOATS)
    return base and scope.pick(NUMBERS).format(base, expr(scope, FLOAT, depth - 1))


@expression(List, "library", 3)
def other_list(scope: Scope, kind: List, depth: int) -> str | None:
    base = scope.place(kind)
    if base is None:
        return None
    forms = LISTS if kind == FLOATS else ("copy.copy({})", "copy.deepcopy({})")
    return scope.pick([form for form in forms if not scope.nested or ":=" not in form]).format(base)


@expression(Dict, "library", 3)
def other_dict(scope: Scope, kind: Dict, depth: int) -> str | None:
    base = scope.place(kind)
    if base is None:
        return None
    forms = TABLES if kind == TABLE else ("copy.copy({})", "copy.deepcopy({})")
    return scope.pick(forms).format(base, expr(scope, kind.of, depth - 1))


@expression(Array, "library", 0.3)
def copied(scope: Scope, kind: Array, depth: int) -> str | None:
    base = scope.place(kind)
    return base and scope.pick(("copy.copy({})", "copy.deepcopy({})")).format(base)


@expression(Float, "library", 1)
def named_on_the_way(scope: Scope, kind: Kind, depth: int) -> str | None:
    """A walrus, which is read again at once."""
    if scope.nested:
        return None
    name = scope.world.fresh("z")
    return f"(({name} := {expr(scope, FLOAT, depth - 1)}) * {name} + {atom(scope)})"


@statement("library", 1)
def deep_copy(scope: Scope) -> Lines | None:
    """Things in things, copied so that what was one thing stays one."""
    base = scope.place(NESTED)
    if base is None:
        return None
    name = scope.bind("xs", NESTED)
    return [f"{name} = copy.deepcopy([{base}[0], {base}[0]])"]


@statement("library", 1)
def copied_object(scope: Scope) -> Lines | None:
    found = scope.objects(lambda made: True)
    if not found:
        return None
    text, made = scope.pick(found)
    return [f"{scope.bind('o', Object(made.name))} = copy.{scope.pick(('copy', 'deepcopy'))}({text})"]


# ------------------------------------------------------------------------------------------------- sets


@statement("library", 2)
def new_set(scope: Scope) -> Lines:
    table = scope.place(TABLE)
    value = scope.pick(('{"a"}', 'set("ab")', 'set(("b", "c"))', *((f"set({table})",) if table else ())))
    return [f"{scope.bind('s', TEXTS)} = {value}"]


@statement("library", 2)
def change_set(scope: Scope) -> Lines | None:
    target = scope.place(TEXTS)
    if target is None:
        return None
    forms = ('{}.add("c")', '{}.discard("b")', '{} |= {{"a", "b"}}', '{} -= {{"c"}}', '{}.update("ab")')
    form = scope.pick(forms[:2] if target in scope.fixed or not target.isidentifier() else forms)
    return [form.format(target)]


@statement("library", 4)
def walk_a_set(scope: Scope) -> Lines | None:
    target, table, number = scope.place(TEXTS), scope.place(TABLE), scope.place(FLOAT, assignable=True)
    if target is None or table is None or number is None:
        return None
    key = scope.world.fresh("k")
    head = f"for {key} in sorted({target}):"
    return [head, f"    {number} += {table}.get({key}, {atom(scope)}) * {atom(scope)}"]


@condition("library", 2)
def in_a_set(scope: Scope) -> str | None:
    target = scope.place(TEXTS)
    if target is None:
        return None
    return scope.pick(('"c" in {}', "len({}) > 1", '{} >= {{"a"}}', "{}")).format(target)


# ---------------------------------------------------------------------------------------- named tuples


@expression(Named, "library", 2)
def made(scope: Scope, kind: Named, depth: int) -> str:
    first, second = expr(scope, FLOAT, depth - 1), expr(scope, VECTOR, depth - 1)
    return scope.pick(("Both({}, {})", "Both(x={}, y={})", "Both._make(({}, {}))")).format(first, second)


@expression(Named, "library", 2)
def with_another_field(scope: Scope, kind: Named, depth: int) -> str | None:
    base = scope.place(kind)
    return base and f"{base}._replace(x={expr(scope, FLOAT, depth - 1)})"


@statement("library", 1)
def another_pair(scope: Scope) -> Lines:
    value = expr(scope, NAMED)
    return [f"{scope.bind('nt', NAMED)} = {value}"]


@statement("library", 1.5)
def take_apart(scope: Scope) -> Lines | None:
    base = scope.place(NAMED)
    if base is None:
        return None
    first, second = scope.bind("x", FLOAT), scope.bind("y", VECTOR)
    return [f"{first}, {second} = {base}"]


# ---------------------------------------------------------------------------------------------- dicts


@statement("library", 2)
def gather(scope: Scope) -> Lines:
    """Lists in a dict, made where there is none yet."""
    base, lines = scope.place(Dict(FLOATS)), []
    if base is None:
        value = expr(scope, Dict(FLOATS))
        base = scope.bind("d", Dict(FLOATS))
        lines.append(f"{base} = {value}")
    how = scope.pick(('setdefault("c", [{1}, 0.5]).append({0})', 'get("a", [0.1]).append({0})'))
    lines.append(f"{base}.{how.format(expr(scope), atom(scope))}")
    return [*lines, f"{base}.pop({scope.pick(TEXT)}, None)"]


TEXT = ('"c"', '"d"')


@statement("library", 1)
def walk_several(scope: Scope) -> Lines | None:
    """Loops over what several things give together."""
    items, array = scope.place(FLOATS), scope.place(VECTOR)
    if items is None or array is None or scope.depth <= 0:
        return None
    first, second = scope.world.fresh("e"), scope.world.fresh("e")
    inner = scope.inside(loop=True)
    inner.names.update({first: FLOAT, second: FLOAT})
    walked = scope.pick(
        (
            "zip({0}, {1})",
            "itertools.pairwise({0})",
            "zip({1}, reversed({0}))",
            "itertools.product({0}, {1}[:2])",
        )
    )
    return suite(f"for {first}, {second} in {walked.format(items, array)}:", inner)


@statement("library", 0.7)
def while_there_is_more(scope: Scope) -> Lines | None:
    """A loop that takes items out of a copy until it is empty, by a walrus."""
    base = scope.place(FLOATS)
    if base is None or scope.depth <= 0:
        return None
    left, item = scope.world.fresh("left"), scope.world.fresh("e")
    inner = scope.inside(loop=True)
    inner.names[item] = FLOAT
    head = [f"{left} = list({base})", f"while {left} and ({item} := {left}.pop()) > -50.0:"]
    return [*head, *("    " + line for line in block(inner, 1, 1))]
