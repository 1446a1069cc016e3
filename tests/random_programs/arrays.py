"""Arrays: views of views, entries and slices written, masks, fancy indices, and NumPy's writing functions."""

from __future__ import annotations

from tests.random_programs.grammar import atom, expr, expression, statement
from tests.random_programs.kinds import (
    ARRAYS,
    FLOAT,
    FOUR,
    MATRIX,
    PAIR,
    ROWS,
    SQUARE,
    TALL,
    VECTOR,
    Array,
    Float,
    Kind,
)
from tests.random_programs.scope import Lines, Scope

VIEWS: dict[Array, tuple[tuple[str, Array], ...]] = {
    VECTOR: (("{}[1:]", PAIR), ("{}[:2]", PAIR), ("{}[::2]", PAIR), ("{}[::-1]", VECTOR), ("{}[:]", VECTOR)),
    PAIR: (("{}[::-1]", PAIR), ("{}.reshape(2)", PAIR), ("{}[...]", PAIR)),
    FOUR: (("{}[1:]", VECTOR), ("{}[:3]", VECTOR), ("{}[::2]", PAIR), ("{}.reshape(2, 2)", SQUARE)),
    MATRIX: (
        ("{}[0]", VECTOR),
        ("{}[-1]", VECTOR),
        ("{}[:, 1]", PAIR),
        ("{}.T", TALL),
        ("{}[:, ::2]", SQUARE),
        ("{}[::-1]", MATRIX),
        ("{}.ravel()[1:4]", VECTOR),
    ),
    TALL: (
        ("{}.T", MATRIX),
        ("{}[1]", PAIR),
        ("{}[:, 0]", VECTOR),
        ("{}[1:]", SQUARE),
        ("{}.reshape(2, 3)", MATRIX),
    ),
    SQUARE: (
        ("{}.reshape(-1)", FOUR),
        ("{}.T", SQUARE),
        ("{}[:, 0]", PAIR),
        ("{}[1]", PAIR),
        ("{}.ravel()", FOUR),
    ),
}
SMOOTH = (
    "np.sin({})",
    "np.tanh({})",
    "{}.copy()",
    "-{}",
    "np.cos({}) * 0.5",
    "np.array({})",
    "np.asarray({})",
)
REDUCED = (
    "{}.sum()",
    "np.sum({0} * {0})",
    "np.mean({})",
    "np.tanh({}).sum()",
    "np.max({})",
    "{}.min()",
    "float({}.sum())",
    "sum({}.ravel())",
    "np.sum(np.sin({}))",
)
FANCY = {2: "[1, 0]", 3: "[0, 0, 2]", 4: "[3, 1, 3, 0]"}


def view(scope: Scope, kind: Array) -> str | None:
    """A view of an array that can be named, of a shape."""
    found = []
    for base, ways in VIEWS.items():
        for template, shape in ways:
            if shape == kind:
                found += [template.format(place) for place in scope.places(base)]
    return scope.pick(found) if found else None


def piece(scope: Scope, kind: Array) -> str | None:
    """Something in memory that others see: a place or a view."""
    return view(scope, kind) if scope.chance(0.4) else scope.place(kind)


@expression(Array, "arrays", 2)
def view_of_another(scope: Scope, kind: Array, depth: int) -> str | None:
    return view(scope, kind)


@expression(Array, "arrays", 2)
def entry_by_entry(scope: Scope, kind: Array, depth: int) -> str:
    return f"{scope.pick(SMOOTH).format(f'({expr(scope, kind, depth - 1)})')}"


@expression(Array, "arrays", 3)
def with_another(scope: Scope, kind: Array, depth: int) -> str:
    other = expr(scope, kind, 0) if scope.chance(0.5) else atom(scope)
    return f"({expr(scope, kind, depth - 1)} {scope.pick('+-*')} {other})"


@expression(Array, "arrays", 1)
def from_numbers(scope: Scope, kind: Array, depth: int) -> str:
    rest = Array(kind.shape[1:])
    items = [expr(scope, rest, depth - 1) if rest.shape else atom(scope) for _ in range(kind.shape[0])]
    return f"np.array([{', '.join(items)}])"


@expression(Array, "arrays", 0.7)
def chosen_entries(scope: Scope, kind: Array, depth: int) -> str:
    first, second = expr(scope, kind, depth - 1), expr(scope, kind, 0)
    return f"np.where({expr(scope, kind, 0)} > 0.1717, {first}, {second})"


@expression(Array, "arrays", 0.7)
def fancy_read(scope: Scope, kind: Array, depth: int) -> str:
    return f"{expr(scope, kind, 0)}[{FANCY[kind.shape[0]]}]"


@expression(Array, "arrays", 0.7)
def product(scope: Scope, kind: Array, depth: int) -> str | None:
    if kind == PAIR:
        return f"({expr(scope, MATRIX, 0)} @ {expr(scope, VECTOR, depth - 1)})"
    if kind == VECTOR:
        return f"({expr(scope, PAIR, depth - 1)} @ {expr(scope, MATRIX, 0)})"
    return None


@expression(Float, "arrays", 2)
def reduced(scope: Scope, kind: Kind, depth: int) -> str:
    return scope.pick(REDUCED).format(f"({expr(scope, scope.pick(ARRAYS[:4]), depth - 1)})")


@expression(Float, "arrays", 0.6)
def inner_product(scope: Scope, kind: Kind, depth: int) -> str:
    return f"({expr(scope, VECTOR, depth - 1)} @ {expr(scope, VECTOR, 0)})"


def array_kind(scope: Scope) -> Array:
    """A shape, most often one that is at hand."""
    return scope.pick((VECTOR, VECTOR, VECTOR, PAIR, MATRIX, *ARRAYS))


@statement("arrays", 2)
def new_array(scope: Scope) -> Lines:
    kind = array_kind(scope)
    value = expr(scope, kind)
    return [f"{scope.bind('y', kind)} = {value}"]


@statement("arrays", 3)
def alias(scope: Scope) -> Lines | None:
    """A second name for the same memory, or for a part of it."""
    kind = array_kind(scope)
    base = view(scope, kind) if scope.chance(0.7) else scope.place(kind)
    return None if base is None else [f"{scope.bind('y', kind)} = {base}"]


@statement("arrays", 3)
def whole_in_place(scope: Scope) -> Lines | None:
    kind = array_kind(scope)
    target = scope.place(kind, assignable=True)
    if target is None:
        return None
    if scope.chance(0.3):
        return [f"{target} *= math.cos({atom(scope)})"]
    other = expr(scope, kind, 1) if scope.chance(0.6) else atom(scope)
    return [f"{target} {scope.pick(('+=', '-='))} {other}"]


@statement("arrays", 5)
def write_part(scope: Scope) -> Lines | None:
    """An entry, slice, row or column, stored or added to."""
    kind = array_kind(scope)
    target = view(scope, kind)
    if target is None or not target.endswith("]"):
        return None
    value = expr(scope, kind, 1) if scope.chance(0.6) else atom(scope)
    return [f"{target} {scope.pick(('=', '=', '+=', '-='))} {value}"]


@statement("arrays", 1.5)
def write_entry(scope: Scope) -> Lines | None:
    target = piece(scope, VECTOR)
    if target is None:
        return None
    index = f"[{scope.pick(scope.counters)} % 3]" if scope.counters else f"[{scope.random.randint(-3, 2)}]"
    return [f"{target}{index} {scope.pick(('=', '+='))} {expr(scope)}"]


@statement("arrays", 1)
def write_mask(scope: Scope) -> Lines | None:
    kind = scope.pick((VECTOR, MATRIX))
    target = piece(scope, kind)
    mask = expr(scope, kind, 0)
    return target and [f"{target}[{mask} > 0.1313] {scope.pick(('=', '+=', '*='))} {atom(scope)}"]


@statement("arrays", 1)
def write_fancy(scope: Scope) -> Lines | None:
    target = piece(scope, VECTOR)
    index, value = scope.pick((("[0, 0, 2]", VECTOR), ("[2, 0]", PAIR))), atom(scope)
    if scope.chance(0.6):
        value = expr(scope, index[1], 1)
    return target and [f"{target}[{index[0]}] {scope.pick(('=', '+='))} {value}"]


@statement("arrays", 1)
def accumulate_at(scope: Scope) -> Lines | None:
    target = piece(scope, VECTOR)
    return target and [f"np.add.at({target}, [0, 0, 1], {expr(scope, VECTOR, 1)})"]


@statement("arrays", 1)
def out_argument(scope: Scope) -> Lines | None:
    kind = scope.pick((VECTOR, MATRIX, PAIR))
    target = piece(scope, kind)
    if target is None:
        return None
    if scope.chance(0.5):
        return [f"np.multiply({expr(scope, kind, 1)}, {atom(scope)}, out={target})"]
    return [f"np.sin({expr(scope, kind, 0)}, out={target})"]


@statement("arrays", 1)
def copy_into(scope: Scope) -> Lines | None:
    kind = scope.pick((VECTOR, MATRIX, PAIR))
    target = piece(scope, kind)
    return target and [f"np.copyto({target}, {expr(scope, kind, 1)})"]


@statement("arrays", 0.7)
def fill_or_sort(scope: Scope) -> Lines | None:
    target = piece(scope, VECTOR)
    if target is None:
        return None
    return [f"{target}.fill({atom(scope)})" if scope.chance(0.5) else f"{target}.sort()"]


@statement("arrays", 1)
def rows_as_a_list(scope: Scope) -> Lines | None:
    """Views of one matrix in a list."""
    base = scope.place(MATRIX)
    if base is None:
        return None
    name = scope.bind("rows", ROWS)
    return [
        f"{name} = {scope.pick(('list({})', '[r for r in {}]', '[{0}[0], {0}[1], {0}[0]]')).format(base)}"
    ]


@statement("arrays", 0.7)
def tile_of_numbers(scope: Scope) -> Lines | None:
    """A matrix built row by row from what is there."""
    value = f"np.{scope.pick(('stack', 'vstack'))}([{expr(scope, VECTOR, 1)}, {expr(scope, VECTOR, 0)}])"
    return [f"{scope.bind('m', MATRIX)} = {value}"]


@statement("arrays", 0.5)
def number_out_of_an_array(scope: Scope) -> Lines | None:
    base = scope.place(VECTOR)
    return base and [f"{scope.bind('x', FLOAT)} = {base}[{scope.random.randint(-3, 2)}].item()"]
