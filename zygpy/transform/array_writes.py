"""Calls of NumPy's functions that write into an array, as a computation and a store.

`np.multiply(a, b, out=y)` becomes `y[...] = np.multiply(a, b)`, and `np.put(y, i, v)` stores at an index.
The value of the call, its exceptions and the dtypes stay NumPy's own: `runtime/array_writes.py` sees to that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeGuard

import numpy as np

from zygpy.analyse.array_writes import (
    AT,
    IN_PLACE,
    PARAMETERS,
    bound,
    given_out,
    ignores_out,
    is_in_place,
    is_method_of_ufunc,
    is_numpys,
    named_from_out,
    place_of_out,
)
from zygpy.analyse.paths import MISSING, Scope, resolve
from zygpy.analyse.ufunc_calls import is_differentiable
from zygpy.ir import core
from zygpy.ir.access import assigned, operands, read
from zygpy.ir.names import Names
from zygpy.runtime import methods
from zygpy.runtime.lookup import is_among

ONLY_FOR_OUT = ("casting", "order", "subok")
"""Keywords of ufuncs that say how the result is stored."""


def as_stores(function: core.Function, scope: Scope) -> core.Function:
    """Rewrite the calls that write into an array.

    Requires: paths are as normalise left them. Ensures: what is left of such calls are those whose
    arguments are known only when they are made.
    """
    if not any(_is_call(statement) for statement in core.walk(function.body)):
        return function
    names = Names({name for statement in core.walk(function.body) for name in _mentioned(statement)})
    names.taken.update(function.params.names, function.captured, function.cells)
    rewriter = _Rewriter(scope, names, _may_be_none(function), _displays(function))
    return replace(function, body=rewriter.block(function.body))


def _is_call(statement: core.Statement) -> bool:
    return isinstance(statement, core.Assign) and isinstance(statement.op, core.Call)


def _mentioned(statement: core.Statement) -> Iterator[str]:
    yield from assigned(statement)
    yield from read(statement)


def _may_be_none(function: core.Function) -> frozenset[str]:
    """Variables that may stand for an array that is not there: parameters, what other functions rebind, and
    what is copied from these."""
    names = {*function.params.names, *function.captured}
    size = -1
    while size != len(names):
        size = len(names)
        for statement in core.walk(function.body):
            if isinstance(statement, core.Assign) and _may_give_none(statement.op, names):
                names.add(statement.target)
    return frozenset(names)


def _may_give_none(op: core.Op, names: set[str]) -> bool:
    if isinstance(op, core.Copy):
        return op.value == core.Const(None) or getattr(op.value, "name", "") in names
    return isinstance(op, core.ReadCell | core.Read)


def _displays(function: core.Function) -> dict[str, core.Display]:
    """The tuples that are made as they are given."""
    found = (statement for statement in core.walk(function.body) if isinstance(statement, core.Assign))
    return {made.target: made.op for made in found if isinstance(made.op, core.Display)}


@dataclass
class _Steps:
    """The statements that stand for one call."""

    names: Names
    statement: core.Assign
    made: list[core.Statement]

    def assign(self, op: core.Op) -> core.Var:
        """The result of an operation, in a temporary."""
        target = self.names.temporary()
        self.made.append(core.Assign(target, op, self.statement.loc))
        return core.Var(target)

    def helper(self, name: str, *args: core.Atom) -> core.Var:
        """The result of a helper."""
        return self.assign(core.Call(core.Path((name,), "helper"), args))

    def store(self, target: core.Atom, index: core.Index, value: core.Atom) -> None:
        """`target[index] = value`."""
        self.made.append(core.SetItem(target, index, value, self.statement.loc))

    def result(self, value: core.Atom) -> None:
        """The value of the call."""
        if value != core.Var(self.statement.target):
            self.made.append(replace(self.statement, op=core.Copy(value)))


@dataclass
class _Rewriter:
    scope: Scope
    names: Names
    may_be_none: frozenset[str]
    displays: Mapping[str, core.Display]

    def block(self, block: core.Block) -> core.Block:
        return tuple(new for statement in block for new in self.statement(statement))

    def statement(self, statement: core.Statement) -> core.Block:
        match statement:
            case core.Assign(_, core.Call(core.Path() as path) as op, _):
                return self._call(statement, path, op)
            case core.If():
                then, orelse = self.block(statement.then), self.block(statement.orelse)
                return (replace(statement, then=then, orelse=orelse),)
            case core.For() | core.Loop() | core.With() | core.Attempt() | core.Handle():
                return (replace(statement, body=self.block(statement.body)),)
        return (statement,)

    def _call(self, statement: core.Assign, path: core.Path, op: core.Call) -> core.Block:
        if path.scope in ("builtin", "helper"):
            return (statement,)
        found = resolve(path, self.scope)
        steps = _Steps(self.names, statement, [])
        if found.depth == len(path.names) - 1 and isinstance(found.value, np.ufunc):
            return self._of_ufunc(steps, found.value, path, op)
        if found.depth < len(path.names) or found.value is MISSING:
            return (statement,)
        if is_in_place(found.value) and len(op.args) == 2 and not (op.keywords or _has_stars(op)):
            return self._augmented(steps, IN_PLACE[found.value], path, op)
        if is_among(found.value, PARAMETERS):
            return self._in_places(steps, found.value, path, op)
        if is_numpys(found.value) or _has_derivative(found.value):
            return self._with_out(steps, found.value, path, op)
        return (statement,)

    def _of_ufunc(self, steps: _Steps, ufunc: np.ufunc, path: core.Path, op: core.Call) -> core.Block:
        """`np.add.at(a, indices, b)`."""
        if path.names[-1] != "at" or len(op.args) < 2 or op.keywords or _has_stars(op):
            return (steps.statement,)
        callee = steps.assign(core.Read(core.Path(path.names[:-1], path.scope)))
        if ufunc in AT and len(op.args) == 3:
            call = core.Call(core.Path((AT[ufunc],), "helper"), (callee, *op.args))
        elif is_differentiable(ufunc) and len(op.args) == ufunc.nin + 1:
            name = "changed_items" if ufunc.nin == 1 else "changed_items_by"
            given = list(operands(replace(op, func=path)))
            steps.store(given[0], core.Const(Ellipsis), steps.helper(name, callee, *given))
            steps.result(core.Const(None))
            return tuple(steps.made)
        else:
            args = (op.args[0], callee, *op.args[1:])
            call = core.Call(core.Path(("write_items",), "helper"), args)
        return (*steps.made, replace(steps.statement, op=call))

    def _augmented(self, steps: _Steps, symbol: str, path: core.Path, op: core.Call) -> core.Block:
        """`operator.iadd(a, b)`."""
        steps.assign(core.Read(path))
        left, right = operands(replace(op, func=path))
        value = steps.assign(core.Copy(left))
        steps.made.append(core.AugmentName(value.name, symbol, right, steps.statement.loc))
        steps.result(value)
        return tuple(steps.made)

    def _in_places(self, steps: _Steps, function: Any, path: core.Path, op: core.Call) -> core.Block:
        """A call that writes into its first argument."""
        arguments = bound(function, op.args, op.keywords)
        if arguments is None:
            return (steps.statement,)
        WRITTEN[function](steps, steps.assign(core.Read(path)), *arguments.values())
        steps.result(core.Const(None))
        return tuple(steps.made)

    def _with_out(self, steps: _Steps, function: Any, path: core.Path, op: core.Call) -> core.Block:
        """A call that writes its result to `out`, if it is given one."""
        if isinstance(function, np.ufunc) and function.nout > 1:
            return self._into_several(steps, function, path, op)
        op = _bounds_by_position(op) if function is np.clip else op
        given, op = op, named_from_out(function, op)
        left = steps.statement if op == given else replace(steps.statement, op=op)
        out, op = _taken_out(function, op)
        out = self._only_one(out)
        if out is None or _has_stars(op):
            return (left,)
        if isinstance(out, core.Const):
            return (replace(steps.statement, op=op) if out.value is None else left,)
        if ignores_out(function):
            return (replace(steps.statement, op=op),)
        _computed_and_stored(steps, function, path, op, out)
        if out.name not in self.may_be_none:
            return tuple(steps.made)
        test = core.Var(self.names.temporary())
        compared = core.Assign(test.name, core.Compare("is", out, core.Const(None)), steps.statement.loc)
        without = replace(steps.statement, op=op)
        return (compared, core.If(test, (without,), tuple(steps.made), steps.statement.loc))

    def _into_several(self, steps: _Steps, ufunc: np.ufunc, path: core.Path, op: core.Call) -> core.Block:
        """A call of a ufunc of several results that stores each of them in an array of its own."""
        outs = self._several(ufunc, op)
        if outs is None or all(out == core.Const(None) for out in outs):
            return (steps.statement,)
        callee = steps.assign(core.Read(path))
        given = tuple(operands(replace(op, func=path)))[: ufunc.nin]
        value = steps.assign(replace(op, args=given, keywords=()))
        together = steps.assign(core.Display("tuple", outs))
        steps.helper("check_outs", together, value, callee, *given)
        parts: list[core.Atom] = []
        for place, out in enumerate(outs):
            part = steps.assign(core.GetItem(value, core.Const(place)))
            if isinstance(out, core.Var):
                steps.store(out, core.Const(Ellipsis), part)
            parts.append(out if isinstance(out, core.Var) else part)
        made = replace(steps.statement, op=core.Display("tuple", tuple(parts)))
        return (*steps.made, made)

    def _several(self, ufunc: np.ufunc, op: core.Call) -> tuple[core.Atom, ...] | None:
        """The arrays that a ufunc of several results is given, None for those that it makes; None where that
        is not seen, and nothing else is given."""
        if _has_stars(op) or any(keyword.name != "out" for keyword in op.keywords):
            return None
        behind: tuple[core.Atom | core.Star, ...] = op.args[ufunc.nin :]
        if op.keywords and not behind:
            out = op.keywords[0].value
            display = self.displays.get(out.name) if isinstance(out, core.Var) else None
            behind = display.items if display is not None and display.kind == "tuple" else ()
        elif op.keywords or not behind:
            return None
        else:
            behind = (*behind, *(core.Const(None),) * (ufunc.nout - len(behind)))
        outs = tuple(out for out in behind if _may_be_out(out))
        return outs if len(outs) == len(behind) == ufunc.nout else None

    def _only_one(self, out: core.Atom | None) -> core.Atom | None:
        """Ufuncs take a tuple of results too."""
        if not isinstance(out, core.Var) or out.name not in self.displays:
            return out
        display = self.displays[out.name]
        items = [item for item in display.items if not isinstance(item, core.Star)]
        return items[0] if display.kind == "tuple" and len(items) == len(display.items) == 1 else None


def _has_derivative(method: Any) -> bool:
    """Whether a callable is a method of a ufunc that has a derivative."""
    return is_method_of_ufunc(method) and is_differentiable(method.__self__)


def _may_be_out(out: core.Atom | core.Star) -> TypeGuard[core.Atom]:
    return isinstance(out, core.Var) or out == core.Const(None)


def _bounds_by_position(op: core.Call) -> core.Call:
    """A call of `np.clip` with a mask, in which the bounds are operands like the array."""
    named = {keyword.name: keyword for keyword in op.keywords}
    if "where" not in named or not 1 <= len(op.args) <= 2:
        return op
    bounds = [
        next((named.pop(name).value for name in names if name in named), core.Const(None))
        for names in (("min", "a_min"), ("max", "a_max"))[len(op.args) - 1 :]
    ]
    return replace(op, args=(*op.args, *bounds), keywords=tuple(named.values()))


def _has_stars(op: core.Call) -> bool:
    return any(isinstance(arg, core.Star) for arg in op.args) or any(
        keyword.name is None for keyword in op.keywords
    )


def _taken_out(function: Any, op: core.Call) -> tuple[core.Atom | None, core.Call]:
    """What a call is given as `out`, and the call without it."""
    out = given_out(function, op.args, op.keywords)
    named = tuple(keyword for keyword in op.keywords if keyword.name != "out")
    if out is None or len(named) < len(op.keywords):
        return out, replace(op, keywords=named)
    place = place_of_out(function)
    if place != len(op.args) - 1:  # something stands behind `out`
        return None, op
    return out, replace(op, args=op.args[:place])


def _computed_and_stored(steps: _Steps, function: Any, path: core.Path, op: core.Call, out: core.Var) -> None:
    """`out[...] = function(...)`, or with `where=` in the places of a mask."""
    where: core.Atom = core.Const(True)
    computing, options = op, op.keywords
    elementwise = isinstance(function, np.ufunc) or function is np.clip
    if elementwise:
        found = [keyword.value for keyword in op.keywords if keyword.name == "where"]
        where = found[0] if found else where
        options = tuple(keyword for keyword in op.keywords if keyword.name != "where")
        left = tuple(keyword for keyword in options if keyword.name not in ONLY_FOR_OUT)
        computing = replace(op, keywords=left)
    callee = steps.assign(core.Read(path))
    named = tuple((core.Const(keyword.name), keyword.value) for keyword in options)
    given = steps.assign(core.DictDisplay(named)) if named else core.Const(None)
    call = (callee, given, *operands(replace(op, keywords=(), func=path)))
    if where == core.Const(True):
        if elementwise:
            steps.helper("check_shapes", out, *call)
        value = steps.assign(computing)
        steps.store(out, core.Const(Ellipsis), steps.helper("written_out", out, value, *call))
    else:
        mask = steps.helper("where_written", out, where, *call)
        chosen = tuple(steps.helper("chosen", atom, mask) for atom in call[2:])
        value = steps.assign(replace(computing, args=chosen))
        steps.store(out, mask, steps.helper("written_where", out, value, mask, *call))
    steps.result(out)


# ---------------------------------------------------------------------- writes into the first argument

Store: TypeAlias = "Callable[..., None]"


def _copyto(
    steps: _Steps, callee: core.Atom, dst: core.Atom, src: core.Atom, casting: core.Atom, where: core.Atom
) -> None:
    whole = where == core.Const(True)
    mask = None if whole else steps.helper("where_copied", callee, dst, src, casting, where)
    if whole:
        steps.helper("check_copy", callee, dst, src, casting)
    if casting != core.Const("same_kind"):  # an assignment takes no complex number of Python's
        src = steps.assign(core.Call(core.Path(("np", "asarray"), "helper"), (src,), ()))
    if mask is None:
        steps.store(dst, core.Const(Ellipsis), src)
    else:
        steps.store(dst, mask, steps.helper("chosen", src, mask))


def _fill(steps: _Steps, callee: core.Atom, a: core.Atom, value: core.Atom) -> None:
    steps.helper("check_fill", callee, a, value)
    steps.store(a, core.Const(Ellipsis), value)


def _sort(steps: _Steps, callee: core.Atom, a: core.Atom, axis: core.Atom, kind: core.Atom) -> None:
    steps.helper("check_sort", callee, a, axis, kind)
    named = (core.Keyword("axis", axis), core.Keyword("kind", kind))
    call = core.Call(core.Path(("np", "sort"), "helper"), (a,), named)
    steps.store(a, core.Const(Ellipsis), steps.assign(call))


def _partition(steps: _Steps, callee: core.Atom, a: core.Atom, kth: core.Atom, axis: core.Atom) -> None:
    steps.helper("check_partition", callee, a, kth, axis)
    call = core.Call(core.Path(("np", "partition"), "helper"), (a, kth), (core.Keyword("axis", axis),))
    steps.store(a, core.Const(Ellipsis), steps.assign(call))


def _put_along_axis(
    steps: _Steps, callee: core.Atom, arr: core.Atom, indices: core.Atom, values: core.Atom, axis: core.Atom
) -> None:
    places = steps.helper("places_along_axis", callee, arr, indices, values, axis)
    steps.store(arr, steps.helper("at_places", arr, places), values)


def _in_places(helper: str, values: int, *, by_place: bool = False) -> Store:
    """A write of values, which are the argument of this number, to places that a helper gives."""

    def store(steps: _Steps, callee: core.Atom, a: core.Atom, *args: core.Atom) -> None:
        places = steps.helper(helper, callee, a, *args)
        value = steps.helper("cycled", args[values], places, core.Const(by_place))
        steps.store(a, steps.helper("at_places", a, places), value)

    return store


WRITTEN: Mapping[Any, Store] = {
    np.copyto: _copyto,
    np.put: _in_places("put_places", 1),
    methods.put: _in_places("put_places", 1),
    np.place: _in_places("place_places", 1),
    np.putmask: _in_places("putmask_places", 1, by_place=True),
    np.fill_diagonal: _in_places("diagonal_places", 0),
    np.put_along_axis: _put_along_axis,
    methods.fill: _fill,
    methods.sort: _sort,
    methods.partition: _partition,
}
"""The stores that stand for a function."""
