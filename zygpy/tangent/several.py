"""Several directions at once: every tangent has one axis more than its value, the first, along which the
directions lie.

A tangent of an array of shape `s` has the shape `(count, *s)`, that of a number `(count,)`, and that of a
list, tuple or dict is one of the same form. Ranks are needed to line tangents up with values; where one is
not known, each direction goes through the operation alone, or no code of this kind is written.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from zygpy.analyse.facts import ByRule
from zygpy.ir import core
from zygpy.ir.kinds import (
    BOOL,
    Array,
    Iterator,
    Kind,
    List,
    Nothing,
    Number,
    NumberOrArray,
    Row,
    Tuple,
    is_exact,
    is_numeric,
    is_scalar,
    is_whole,
)
from zygpy.ir.nodes import constant, gast, names_in, quote_expression
from zygpy.ir.nodes import name as name_node
from zygpy.rules.texts import texts
from zygpy.runtime import broadcast, shaping
from zygpy.runtime.accumulate import accumulate
from zygpy.runtime.tangents import (
    in_form_each,
    reduced_each,
    reshaped_each,
    spread_each,
    stacked_each,
    through_matrix,
)
from zygpy.tangent.state import RESULT, NotPushed, Tangents
from zygpy.transform.stash import primal_atom, primal_index

# ------------------------------------------------------------------------------------------- ranks


def rank_of(kind: Kind, statement: Any) -> int:
    """How many axes a value has; 0 for a number."""
    if has_rank(kind):
        return getattr(kind, "rank", 0)
    raise NotPushed("several directions through something whose rank is not known", statement.loc)


def has_rank(kind: Kind) -> bool:
    """Whether it is known how many axes a value has."""
    return (is_scalar(kind) and not is_exact(kind)) or (isinstance(kind, Array) and kind.rank is not None)


def lined_up(dot: Any, rank: int, to: int) -> Any:
    """The tangent of a value with `rank` axes, as one that broadcasts against values with `to` axes."""
    if to <= rank:
        return dot
    index = gast.Tuple(
        [gast.Slice(None, None, None), *(constant(None) for _ in range(to - rank))], gast.Load()
    )
    return gast.Subscript(dot, index, gast.Load())


def operand_dot(t: Tangents, statement: Any, atom: core.Atom, result: Kind) -> Any:
    """The tangent of an operand, lined up with a result."""
    return aligned(t, statement, atom, rank_of(result, statement))


def aligned(t: Tangents, statement: Any, atom: core.Atom, to: int) -> Any:
    """The tangent of an atom, lined up with values of `to` axes."""
    return lined_up(t.tangent(statement, atom), rank_of(t.value(statement, atom).kind, statement), to)


def in_form(t: Tangents, total: Any) -> gast.expr:
    """A tangent of an array in its shape and dtype."""
    each = t.ctx.cell("in_form_each", in_form_each)
    return quote_expression("$f($v, $y, $n)", f=each, v=total, y=RESULT, n=name_node(t.count))


def walked(t: Tangents, statement: Any, atom: core.Atom) -> Any:
    """The tangent of what is walked over, as what is walked over beside it."""
    value = t.value(statement, atom)
    if isinstance(value.kind, NumberOrArray) and not t.count:  # an array, else the walk beside it fails
        return t.tangent(statement, atom)
    if not isinstance(value.kind, Array | List | Tuple | Row | Iterator):
        raise NotPushed("a walk over what has keys, or a method that says what is in it", statement.loc)
    dot = t.tangent(statement, atom)
    if not t.count or not isinstance(value.kind, Array):
        return dot
    if rank_of(value.kind, statement) == 1 and t.ctx.facts.is_written(value):
        raise NotPushed("several directions over the items of what is written to", statement.loc)
    return quote_expression("$np.moveaxis($v, 1, 0)", np=t.ctx.helper("np"), v=dot)


def check_target(target: core.Target, kind: Kind, statement: Any) -> None:
    """Refuse to take the items of a loop apart, where they are arrays."""
    if isinstance(target, str):
        return
    items = _items(kind, statement)
    for place, part in enumerate(target):
        check_target(part, items[min(place, len(items) - 1)], statement)


# ----------------------------------------------------------------------------------------- indices


def index_of(t: Tangents, statement: Any, index: core.Index) -> Any:
    """An index with the axis of the directions in front."""
    items = index.items if isinstance(index, core.IndexTuple) else (index,)
    _check_index(t, statement, items)
    whole: list[Any] = [gast.Slice(None, None, None), *(primal_index(item) for item in items)]
    return gast.Tuple(whole, gast.Load())


def _check_index(t: Tangents, statement: Any, items: Any) -> None:
    """Refuse an index that would move axes about: arrays that are not side by side."""
    sorts = [_sort_of(t, statement, item) for item in items]
    if "array" not in sorts:
        return
    picking = [place for place, sort in enumerate(sorts) if sort in ("array", "number")]
    if "new" in sorts or picking != list(range(picking[0], picking[-1] + 1)):
        raise NotPushed("several directions through such an index", statement.loc)


def _sort_of(t: Tangents, statement: Any, item: Any) -> str:
    if isinstance(item, core.Slice):
        return "slice"
    kind = t.value(statement, item).kind
    if isinstance(item, core.Const) and (item.value is None or item.value is Ellipsis):
        return "new"
    if kind == BOOL or (isinstance(kind, Number) and "bool" in kind.types):
        raise NotPushed("several directions through an index that is a truth value", statement.loc)
    if is_scalar(kind) and is_whole(kind):
        return "number"
    if isinstance(kind, Array) and kind.rank == 1:
        return "array"
    if isinstance(kind, List | Row) and is_scalar(kind.element):
        return "array"
    if isinstance(kind, Nothing) and isinstance(item, core.Const):
        return "new"
    raise NotPushed("several directions through an index of unknown rank", statement.loc)


def rank_of_item(t: Tangents, statement: Any, target: core.Atom, index: core.Index) -> int:
    """How many axes there are in what an index picks."""
    items = index.items if isinstance(index, core.IndexTuple) else (index,)
    sorts = [_sort_of(t, statement, item) for item in items]
    rank = rank_of(t.value(statement, target).kind, statement)
    if "array" in sorts:
        _check_index(t, statement, items)
        return rank - sum(sort in ("array", "number") for sort in sorts) + 1
    added = sum(isinstance(item, core.Const) and item.value is None for item in items)
    return rank - sorts.count("number") + added


def item_dot(t: Tangents, statement: core.Assign, op: core.GetItem) -> gast.expr:
    """The tangent of an item, or a part, of an array; of a number not in the array's memory."""
    value = t.value(statement, op.value)
    dot = gast.Subscript(t.tangent(statement, op.value), index_of(t, statement, op.index), gast.Load())
    result = t.ctx.facts.after(statement, statement.target).kind
    if rank_of(result, statement) == 0 and t.ctx.facts.is_written(value):
        return quote_expression("+$v", v=dot)
    return dot


def stored_dot(t: Tangents, statement: Any, value: core.Atom) -> Any:
    """The tangent of what is written into a part of an array, lined up with that."""
    to = rank_of_item(t, statement, statement.target, statement.index)
    rank = rank_of(t.value(statement, value).kind, statement)
    if rank > to:
        raise NotPushed("several directions into a part of lower rank", statement.loc)
    return aligned(t, statement, value, to)


# ------------------------------------------------------------------------------------- elementwise

PRODUCTS = frozenset(
    {
        *("conj", "times", "divided", "divisor_cotangent", "power_base", "power_exponent"),
        *("picked", "passed_over", "clipped_low", "clipped_high"),
    }
)
"""Helpers that work element by element, so that their arguments may have the axis of the directions."""


def is_elementwise(tree: Any, seeds: frozenset[str] = frozenset({"y_bar"})) -> bool:
    """Whether an expression does the same with every entry of the tangents of these names.

    >>> import ast
    >>> from zygpy.ir.nodes import from_python_ast
    >>> [is_elementwise(from_python_ast(ast.parse(text, mode="eval").body)) for text in (
    ...     "y_bar * np.cos(x)", "-times(y_bar, y) / x", "np.sum(y_bar * x)", "y_bar if x else 0.0")]
    [True, True, False, False]
    """
    if seeds.isdisjoint(names_in(tree)):
        return True
    match tree:
        case gast.Name():
            return True
        case gast.BinOp(op=gast.Add() | gast.Sub() | gast.Mult() | gast.Div()):
            return is_elementwise(tree.left, seeds) and is_elementwise(tree.right, seeds)
        case gast.UnaryOp():
            return is_elementwise(tree.operand, seeds)
        case gast.IfExp():
            arms = [tree.body, tree.orelse]
            follows = all(not seeds.isdisjoint(names_in(arm)) and is_elementwise(arm, seeds) for arm in arms)
            return follows and seeds.isdisjoint(names_in(tree.test))
        case gast.Call(func=gast.Name(id=helper)):
            given = [*tree.args, *(keyword.value for keyword in tree.keywords)]
            return helper in PRODUCTS and all(is_elementwise(arg, seeds) for arg in given)
    return False


# ---------------------------------------------------------------------------------- one after another


def one_by_one(
    t: Tangents, statement: Any, result: Kind, make: Callable[[], gast.expr], *, exact: bool = False
) -> gast.expr:
    """The tangents of a number or array by what is done with each direction:
    `stacked_each([f(x_dot) for x_dot in x_dots], y)`, or `np.stack([...])` if what is done gives exactly the
    form of the result."""
    if not is_numeric(result):
        raise NotPushed("several directions through what gives no number or array", statement.loc)
    given: dict[str, str] = {}
    count, t.count = t.count, ""
    t.each = given
    try:
        dot = make()
    finally:
        t.count, t.each = count, None
    used = [(name, each) for name, each in given.items() if each in names_in(dot)]
    if not used:
        raise NotPushed("several directions through this", statement.loc)
    target: Any = gast.Tuple([name_node(each, gast.Store) for _, each in used], gast.Store())
    over: Any = gast.Call(name_node(t.ctx.builtin("zip")), [name_node(name) for name, _ in used], [])
    if len(used) == 1:
        target, over = name_node(used[0][1], gast.Store), name_node(used[0][0])
    listed = gast.ListComp(dot, [gast.comprehension(target, over, [], 0)])
    if exact:
        return quote_expression("$np.stack($v)", np=t.ctx.helper("np"), v=listed)
    each = t.ctx.cell("stacked_each", stacked_each)
    return quote_expression("$f($v, $y)", f=each, v=listed, y=RESULT)


# ------------------------------------------------------------------------------------ known functions


def known_form(
    t: Tangents, statement: core.Assign, found: ByRule, active: tuple[str, ...], result: Kind
) -> Any | None:
    """The tangents of a linear function's result all at once; None where it is not known how."""
    form = _forms().get(found.rule.function)
    return None if form is None else form(t, statement, found, active, result)


def _bound(found: ByRule, name: str) -> Any:
    return dict(found.arguments).get(name, core.Const(None))


def _is_given(found: ByRule, names: tuple[str, ...]) -> bool:
    """Whether other parameters than these, and those that are None or have their defaults, are given."""
    given = dict(found.arguments)
    for parameter in texts(found.rule).parameters:
        bound = given.get(parameter.name)
        if parameter.name in names or bound is None:
            continue
        if bound not in (core.Const(None), core.Const(parameter.default)):
            return True
    return False


def _reduced(t: Tangents, statement: Any, found: ByRule, active: tuple[str, ...], result: Kind) -> Any | None:
    """`np.sum(a, axis, keepdims=...)` and `np.mean`."""
    a, axis = _bound(found, "a"), _bound(found, "axis")
    if active != ("a",) or _is_given(found, ("a", "axis", "keepdims")) or not isinstance(a, core.Var):
        return None
    rank = rank_of(t.value(statement, a).kind, statement)
    keepdims = _bound(found, "keepdims")
    known = isinstance(axis, core.Const) and (axis.value is None or type(axis.value) is int)
    if not known or not isinstance(keepdims, core.Const) or rank == 0:
        return None
    axes = tuple(range(1, rank + 1)) if axis.value is None else axis.value % rank + 1
    spelled = (
        gast.Tuple([constant(k) for k in axes], gast.Load()) if isinstance(axes, tuple) else constant(axes)
    )
    if isinstance(axes, tuple) and rank == 1:
        spelled = constant(1)
    text = "$np.$f($v, $axis)".replace("$f", found.rule.function.__name__)
    if keepdims.value is True:
        text = text.replace("$axis", "$axis, keepdims=True")
    return quote_expression(text, np=t.ctx.helper("np"), v=t.tangent(statement, a), axis=spelled)


def _product(t: Tangents, statement: Any, found: ByRule, active: tuple[str, ...], result: Kind) -> Any | None:
    """`a @ b` and `np.dot(a, b)` of vectors and matrices."""
    (left, a), (right, b) = found.arguments
    if not isinstance(a, core.Var) or not isinstance(b, core.Var):
        return None
    ranks = [rank_of(t.value(statement, atom).kind, statement) for atom in (a, b)]
    if not all(1 <= rank <= 2 for rank in ranks):
        return None
    parts = []
    if left in active:
        parts.append(_times(t, OF_LEFT.get(tuple(ranks), "$a @ $b"), t.tangent(statement, a), primal_atom(b)))
    if right in active:
        text = OF_RIGHT.get(tuple(ranks), "$b @ $a")
        parts.append(_times(t, text, t.tangent(statement, b), primal_atom(a)))
    total = parts[0]
    for part in parts[1:]:
        total = quote_expression("$a + $b", a=total, b=part)
    return total


def _times(t: Tangents, text: str, dots: gast.expr, constant_one: gast.expr) -> Any:
    """The product of tangents, the first in the text, and what is constant there."""
    if "$through" not in text:
        return quote_expression(text, a=dots, b=constant_one)
    return quote_expression(
        text, a=dots, b=constant_one, through=t.ctx.cell("through_matrix", through_matrix)
    )


OF_LEFT: dict[tuple[int, ...], str] = {(1, 2): "$through($a, $b)"}
"""Products with several vectors on the left, by the ranks of both."""

OF_RIGHT: dict[tuple[int, ...], str] = {(2, 1): "$through($a, $b.T)", (1, 1): "$a @ $b"}
"""The same on the right."""


def transposed(t: Tangents, dot: Any, rank: int) -> gast.expr:
    """The tangent of `x.T`."""
    if rank < 2:
        return cast(gast.expr, dot)
    if rank == 2:
        return quote_expression("$np.swapaxes($v, 1, 2)", np=t.ctx.helper("np"), v=dot)
    axes = gast.Tuple([constant(k) for k in (0, *range(rank, 0, -1))], gast.Load())
    return quote_expression("$np.transpose($v, $axes)", np=t.ctx.helper("np"), v=dot, axes=axes)


def transpose_of(t: Tangents, statement: core.Statement, atom: core.Atom) -> gast.expr:
    """The tangent of `x.T`, where nothing is known of `x` but that it is constant here."""
    return transposed(t, t.tangent(statement, atom), rank_of(t.value(statement, atom).kind, statement))


def _transposed(t: Tangents, statement: Any, found: ByRule, active: Any, result: Kind) -> Any | None:
    name, a = found.arguments[0]
    if not isinstance(a, core.Var) or _is_given(found, (name,)):
        return None
    rank = rank_of(t.value(statement, a).kind, statement)
    if found.rule.function is not np.transpose and rank > 2:
        return None
    return transposed(t, t.tangent(statement, a), rank)


def _reshaped(t: Tangents, statement: Any, found: ByRule, active: Any, result: Kind) -> Any | None:
    """What only has another shape than its argument."""
    name, a = found.arguments[0]
    if active != (name,) or not isinstance(a, core.Var) or _bound(found, "order") not in PLAIN_ORDERS:
        return None
    rank_of(t.value(statement, a).kind, statement)
    each = t.ctx.cell("reshaped_each", reshaped_each)
    return quote_expression("$f($v, $y)", f=each, v=t.tangent(statement, a), y=RESULT)


PLAIN_ORDERS = (core.Const(None), core.Const("C"))


def _spread(t: Tangents, statement: Any, found: ByRule, active: Any, result: Kind) -> Any | None:
    """`unreduce(value, shape, axis, keepdims)`: each entry goes to all from which it would be reduced."""
    value, axis, keepdims = (_bound(found, name) for name in ("value", "axis", "keepdims"))
    if active != ("value",) or _is_given(found, ("value", "shape", "axis", "keepdims")):
        return None
    if not isinstance(value, core.Var):
        return None
    rank_of(t.value(statement, value).kind, statement)
    return quote_expression(
        "$f($v, $y, $axis, $keepdims)",
        f=t.ctx.cell("spread_each", spread_each),
        v=t.tangent(statement, value),
        y=RESULT,
        axis=primal_atom(axis),
        keepdims=primal_atom(keepdims),
    )


def _summed_back(t: Tangents, statement: Any, found: ByRule, active: Any, result: Kind) -> Any | None:
    """`unbroadcast(value, shape)`."""
    value = _bound(found, "value")
    if active != ("value",) or not isinstance(value, core.Var) or _is_given(found, ("value", "shape")):
        return None
    rank_of(t.value(statement, value).kind, statement)
    each = t.ctx.cell("reduced_each", reduced_each)
    return quote_expression("$f($v, $y)", f=each, v=t.tangent(statement, value), y=RESULT)


def _added(t: Tangents, statement: Any, found: ByRule, active: Any, result: Kind) -> Any | None:
    """`accumulate(a, b)` of two arrays of one rank, or two numbers."""
    to = rank_of(result, statement)
    atoms = [bound for name, bound in found.arguments if name in active]
    ranks = [rank_of(t.value(statement, atom).kind, statement) for atom in atoms]  # type: ignore[arg-type]
    if any(rank != to for rank in ranks):
        return None
    dots = [t.tangent(statement, cast(core.Atom, atom)) for atom in atoms]
    if len(dots) == 1:
        return quote_expression("+$v", v=dots[0])
    return quote_expression("$a + $b", a=dots[0], b=dots[1])


def _joined(t: Tangents, statement: Any, found: ByRule, active: Any, result: Kind) -> Any | None:
    """`np.concatenate(xs)`, `np.stack(xs)` and `np.array(xs)` along the first axis."""
    name, xs = found.arguments[0]
    if active != (name,) or not isinstance(xs, core.Var) or _is_given(found, (name, "axis")):
        return None
    if _bound(found, "axis") not in (core.Const(None), core.Const(0)):
        return None
    if isinstance(t.value(statement, xs).kind, Array):
        return None
    ranks = {rank_of(kind, statement) for kind in _items(t.value(statement, xs).kind, statement)}
    joins = found.rule.function is np.concatenate
    if len(ranks) != 1 or rank_of(result, statement) != min(ranks) + (not joins):
        return None
    text = f"$np.{'concatenate' if joins else 'stack'}($v, 1)"
    return quote_expression(text, np=t.ctx.helper("np"), v=t.tangent(statement, xs))


def _items(kind: Kind, statement: Any) -> list[Kind]:
    if isinstance(kind, Tuple) and kind.cls is None and kind.items:
        return list(kind.items)
    if isinstance(kind, List | Row):
        return [kind.element]
    raise NotPushed("several directions through what is joined here", statement.loc)


Form = Callable[[Tangents, Any, ByRule, tuple[str, ...], Kind], Any]


def _forms() -> dict[Any, Form]:
    if not FORMS:
        FORMS.update(dict.fromkeys((np.sum, np.mean), _reduced))
        FORMS.update(dict.fromkeys((np.matmul, np.dot, operator.matmul), _product))
        FORMS.update(dict.fromkeys((np.transpose, np.matrix_transpose), _transposed))
        reshaping = (np.reshape, np.ravel, np.squeeze, np.expand_dims, shaping.reshape_back)
        FORMS.update(dict.fromkeys(reshaping, _reshaped))
        FORMS.update(dict.fromkeys((np.concatenate, np.stack, np.array, np.asarray), _joined))
        FORMS[broadcast.unreduce] = _spread
        FORMS[broadcast.unbroadcast] = _summed_back
        FORMS[accumulate] = _added
    return FORMS


FORMS: dict[Any, Form] = {}
"""How several directions go through functions at once."""
