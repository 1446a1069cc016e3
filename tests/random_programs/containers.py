"""Lists, tuples and dicts, nested: items written, grown and shrunk, comprehensions, unpacking, aliases."""

from __future__ import annotations

from tests.random_programs.grammar import atom, condition, expr, expression, simplest, statement
from tests.random_programs.kinds import (
    CONTAINERS,
    FLOAT,
    FLOATS,
    MIXED,
    NESTED,
    TABLE,
    VECTOR,
    Dict,
    Float,
    Kind,
    List,
    Named,
    Tuple,
)
from tests.random_programs.scope import Lines, Scope

LISTS = tuple(kind for kind in CONTAINERS if isinstance(kind, List))
DICTS = tuple(kind for kind in CONTAINERS if isinstance(kind, Dict))

LIST_OF_NUMBERS = (
    "{}[::-1]",
    "{}.copy()",
    "list({})",
    "sorted({})",
    "[q * 0.5 for q in {}]",
    "[q + k for k, q in enumerate({})]",
    "[math.sin(q) for q in {}]",
    "list(map(math.cos, {}))",
    "({0} + {0})[:4]",
    "[p * q for p, q in zip({0}, {0}[::-1])]",
    "[*{}][:5]",
)
NUMBER_OF_A_LIST = (
    "sum({})",
    "max({})",
    "sorted({})[0]",
    "{0}[len({0}) // 2]",
    "sum(q * q for q in {})",
    "sum([q * k for k, q in enumerate({})])",
    "{}[:][-1]",
    "(len({0}) * {0}[0])",
)
NUMBER_OF_A_DICT = (
    "sum({}.values())",
    '{}.get("c", 0.3)',
    '{}.get("a")',
    "sum(q * len(k) for k, q in {}.items())",
    "max({}.values())",
    "list({}.values())[-1]",
)


@expression(List, "containers", 2)
def listed(scope: Scope, kind: List, depth: int) -> str:
    items = [expr(scope, kind.of, depth - 1) for _ in range(scope.random.randint(2, 3))]
    return f"[{', '.join(items)}]"


@expression(List, "containers", 2)
def list_of_another(scope: Scope, kind: List, depth: int) -> str | None:
    base = scope.place(kind)
    if base is None:
        return None
    if kind == FLOATS:
        return scope.pick(LIST_OF_NUMBERS).format(base)
    return scope.pick(("{}[::-1]", "list({})", "{}[:2]", "[*{}]", "{}.copy()")).format(base)


@expression(List, "containers", 1)
def comprehension(scope: Scope, kind: List, depth: int) -> str | None:
    base = scope.place(FLOATS)
    if base is None:
        return None
    name = scope.world.fresh("q")
    item = expr(scope.with_names(**{name: FLOAT}), kind.of, depth - 1)
    return f"[{item} for {name} in {base}]"


@expression(Dict, "containers", 2)
def dict_of_items(scope: Scope, kind: Dict, depth: int) -> str:
    first, second = expr(scope, kind.of, depth - 1), expr(scope, kind.of, depth - 1)
    return scope.pick(('{{"a": {}, "b": {}}}', "dict(a={}, b={})", '{{"b": {}, "a": {}}}')).format(
        first, second
    )


@expression(Dict, "containers", 1.5)
def dict_of_another(scope: Scope, kind: Dict, depth: int) -> str | None:
    base = scope.place(kind)
    if base is None:
        return None
    templates = ("dict({})", "{}.copy()", "{{**{}}}", "{{k: q for k, q in {}.items()}}", '{{**{}, "c": {}}}')
    return scope.pick(templates).format(base, expr(scope, kind.of, depth - 1))


@expression(Tuple, "containers", 2)
def packed(scope: Scope, kind: Tuple, depth: int) -> str:
    return f"({', '.join(expr(scope, item, depth - 1) for item in kind.of)})"


@expression(Float, "containers", 2)
def number_of_a_list(scope: Scope, kind: Kind, depth: int) -> str | None:
    base = scope.place(FLOATS)
    return base and scope.pick(NUMBER_OF_A_LIST).format(base)


@expression(Float, "containers", 1)
def number_of_a_dict(scope: Scope, kind: Kind, depth: int) -> str | None:
    base = scope.place(TABLE)
    return base and scope.pick(NUMBER_OF_A_DICT).format(base)


@expression(Float, "containers", 0.7)
def taken_out(scope: Scope, kind: Kind, depth: int) -> str | None:
    """A value that leaves its container in the middle of an expression."""
    base = scope.place(TABLE)
    return base and f'{base}.{scope.pick(("pop", "setdefault"))}("c", {expr(scope, FLOAT, depth - 1)})'


@condition("containers", 1)
def length_or_membership(scope: Scope) -> str | None:
    if scope.chance(0.5):
        base = scope.place(FLOATS)
        return base and f"len({base}) > {scope.random.randint(2, 4)}"
    base = scope.place(TABLE)
    return base and f'"c" in {base}'


@statement("containers", 3)
def new_container(scope: Scope) -> Lines:
    kind = scope.pick((FLOATS, FLOATS, TABLE, *CONTAINERS))
    value = expr(scope, kind)
    return [f"{scope.bind(stem(kind), kind)} = {value}"]


def stem(kind: Kind) -> str:
    """What names of a kind begin with."""
    return {List: "xs", Dict: "d", Tuple: "t", Named: "both"}[type(kind)]


@statement("containers", 2.5)
def alias(scope: Scope) -> Lines | None:
    """Another name, or another holder, of the same container."""
    kind = scope.pick((FLOATS, FLOATS, TABLE, *CONTAINERS))
    base = scope.place(kind)
    if base is None:
        return None
    if scope.chance(0.3):
        holder = scope.place(kind, assignable=True)
        return holder and [f"{holder} = {base}"]
    return [f"{scope.bind(stem(kind), kind)} = {base}"]


GROWING = (
    "{}.append({})",
    "{}.insert(1, {})",
    "{} += [{}]",
    "{}.extend([{}])",
    "{}[1:1] = [{}]",
    "{}.insert(0, {})",
)
SHRINKING = ("{}.pop()", "{}.pop(0)", "del {}[0]", "del {}[-1:]", "{}[:1] = []", "{}.pop(1)")
KEEPING = (
    "{}.reverse()",
    "{}[0] = {}",
    "{}[-1] = {}",
    "{}[:] = {}[::-1]",
    "{}[0:2] = [{}, {}]",
    "{}[::2] = {}[::2]",
)


@statement("containers", 4)
def grow(scope: Scope) -> Lines | None:
    kind, target = some_list(scope)
    if target is None:
        return None
    line = scope.pick(GROWING).format(target, expr(scope, kind.of, 1))
    if scope.chance(0.5):
        return [line, scope.pick(SHRINKING).format(target)]
    return [f"if len({target}) < 6:", f"    {line}"]


@statement("containers", 2)
def shrink(scope: Scope) -> Lines | None:
    kind, target = some_list(scope)
    if target is None:
        return None
    if kind == FLOATS and scope.chance(0.5):
        name = scope.bind("x", FLOAT)
        return [
            f"{name} = {target}.pop({scope.pick(('', '0', '1', '-2'))})",
            f"{target}.append({expr(scope)})",
        ]
    return [f"if len({target}) > 2:", f"    {scope.pick(SHRINKING).format(target)}"]


@statement("containers", 2)
def rearrange(scope: Scope) -> Lines | None:
    kind, target = some_list(scope)
    if target is None:
        return None
    if kind == FLOATS and scope.chance(0.3):
        return [f"{target}.sort({scope.pick(('', 'reverse=True', 'key=lambda q: -q'))})"]
    template = scope.pick(KEEPING)
    other = target if "::" in template else expr(scope, kind.of, 1)
    return [template.format(target, other, expr(scope, kind.of, 0))]


def some_list(scope: Scope) -> tuple[List, str | None]:
    """A list to be changed, most often of numbers. `+=` needs more than a name, so it must be assignable."""
    kind = scope.pick((FLOATS, FLOATS, FLOATS, *LISTS))
    return kind, scope.place(kind, assignable=True)


@statement("containers", 3)
def change_dict(scope: Scope) -> Lines | None:
    kind = scope.pick((TABLE, TABLE, *DICTS))
    target = scope.place(kind)
    if target is None:
        return None
    value, other = expr(scope, kind.of, 1), expr(scope, kind.of, 0)
    templates = (
        '{0}["c"] = {1}',
        '{0}["a"] = {1}',
        "{0}.update(a={1}, c={2})",
        '{0}.update({{"b": {1}}})',
        '{0}.setdefault("c", {1})',
        '{0}.pop("c", None)',
        '{0} |= {{"c": {1}}}' if target.isidentifier() and target not in scope.fixed else '{0}["b"] = {1}',
    )
    return [scope.pick(templates).format(target, value, other)]


@statement("containers", 1)
def delete_key(scope: Scope) -> Lines | None:
    target = scope.place(TABLE)
    if target is None:
        return None
    if scope.chance(0.5):
        return [f'if "c" in {target}:', f'    del {target}["c"]']
    name = scope.bind("x", FLOAT)
    return [f'{name} = {target}.pop("a")', f'{target}["a"] = {expr(scope, FLOAT, 1)}']


@statement("containers", 1)
def change_items_in_a_loop(scope: Scope) -> Lines | None:
    target, key = scope.place(FLOATS), scope.world.fresh("k")
    if target is not None and scope.chance(0.6):
        return [f"for {key} in range(len({target})):", f"    {target}[{key}] *= {atom(scope)}"]
    target = scope.place(TABLE)
    return target and [f"for {key} in {target}:", f"    {target}[{key}] = {target}[{key}] * {atom(scope)}"]


@statement("containers", 2)
def unpack(scope: Scope) -> Lines | None:
    base = scope.place(FLOATS)
    if base is not None and scope.chance(0.6):
        form = scope.pick(("{}, *_ = {}", "{}, {}, *_ = {}", "*_, {} = {}", "[{}, {}] = {}[:2]"))
        names = [scope.bind("x", FLOAT) for _ in range(form.count("{}") - 1)]
        return [form.format(*names, base)]
    base = scope.place(MIXED)
    if base is None:
        return None
    first, second = scope.bind("x", FLOAT), scope.bind("y", VECTOR)
    return [f"{first}, {second} = {base}"]


@statement("containers", 1)
def unpack_into_items(scope: Scope) -> Lines | None:
    """Targets that are items, which may be the ones that are read."""
    targets = scope.places(FLOAT, assignable=True)
    if len(targets) < 2:
        return None
    first, second = scope.pick(targets), scope.pick(targets)
    return [f"{first}, {second} = {atom(scope)}, {expr(scope, FLOAT, 1)}"]


@statement("containers", 1)
def list_of_lists_that_are_one(scope: Scope) -> Lines | None:
    base = scope.place(FLOATS)
    if base is None:
        return None
    value = scope.pick(("[{0}, {0}]", "[{0}] * 2", "[{0}, {0}[:], {0}]")).format(base)
    return [f"{scope.bind('xs', NESTED)} = {value}"]


@statement("containers", 0.5)
def numbers_to_array(scope: Scope) -> Lines | None:
    base = scope.place(FLOATS)
    return base and [f"{scope.bind('y', VECTOR)} = np.array([*{base}, {simplest(scope, FLOAT)}][:3])"]
