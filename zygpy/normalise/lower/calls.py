"""Calls: of dotted names, of methods, of anything else; `any` and `all` over generator expressions."""

from __future__ import annotations

from typing import Any

from zygpy.ir import core
from zygpy.ir.classes import CLASS
from zygpy.ir.nodes import constant, gast, name, nodes, quote
from zygpy.normalise.comprehensions import loops, marked_of_generator
from zygpy.normalise.generators import is_exhausted
from zygpy.normalise.lower.expressions import atom, kept, mapping_atom, operation, starred_atoms
from zygpy.normalise.lower.loops import evaluated, may_change
from zygpy.normalise.lower.refusals import FRAMES, refused
from zygpy.normalise.lower.state import OPERATIONS, SPECIAL, STATEMENTS, State
from zygpy.normalise.scopes import comprehension_targets
from zygpy.normalise.trees import at, changed


def _call(state: State, node: Any) -> core.Op:
    function = node.func
    if isinstance(function, gast.Name) and state.kind(function.id) == "global":
        if function.id == "super" and not node.args and state.first and state.kind(CLASS) == "captured":
            return _own_super(state, node)
        if function.id in FRAMES and not (function.id in ("super", "vars") and node.args):
            return refused(state, node, "frames")
        spelled = _spelled(state, node, function.id)
        if spelled is not None:
            return spelled
    path = state.path(function)
    later = [*node.args, *(keyword.value for keyword in node.keywords)]
    if _is_looked_up_first(state, function, path, later):
        return core.Call(
            state.assign(operation(state, function), state.loc(function)), *arguments(state, node)
        )
    if path is not None:
        return core.Call(path, *arguments(state, node))
    if isinstance(function, gast.Attribute):
        owner = kept(state, atom(state, function.value), later)
        assert owner is not None
        return core.CallMethod(owner, function.attr, *arguments(state, node))
    return core.Call(_callee(state, function, later), *arguments(state, node))


def _spelled(state: State, node: Any, called: str) -> core.Op | None:
    """What a call of a builtin that is written as a loop gives; None of others."""
    if called in ("any", "all") and state.is_builtin(called) and _is_generator_call(node):
        return _early(state, node, called == "any")
    return None


def _is_looked_up_first(state: State, function: Any, path: core.Path | None, later: list[Any]) -> bool:
    """Whether the arguments of a call may change what is called: Python looks that up before them."""
    if path is not None and path.scope in SPECIAL:
        return False
    if isinstance(function, gast.Attribute):
        called = function.attr
    elif path is not None:
        called = function.id
    else:
        return False
    runs = any(_runs_code(state, part) for argument in later for part in nodes(argument))
    return runs and (state.bound(called) or (path is None and _may_be_given(state, function)))


LIBRARIES = frozenset({"math", "np", "numpy"})
CALLING = frozenset({"apply_along_axis", "apply_over_axes", "fromfunction", "fromiter", "piecewise"})


def _runs_code(state: State, node: Any) -> bool:
    """Whether a node is a call that may run code of the program's, for all that its name tells."""
    if not isinstance(node, gast.Call):
        return False
    called: Any = node.func
    module = getattr(getattr(called, "value", None), "id", "")
    return module not in LIBRARIES or called.attr in CALLING or state.kind(module) != "global"


OF_CONTAINERS = frozenset({*dir(list), *dir(dict), *dir(set)})


def _may_be_given(state: State, function: Any) -> bool:
    """Whether an attribute may be what a `__getattr__` in the file gives, which `super` does not ask; the
    methods of lists, dicts and sets are taken for theirs."""
    if function.attr in OF_CONTAINERS:
        return False
    value = function.value
    inherited = isinstance(value, gast.Call) and getattr(value.func, "id", "") == "super"
    return not inherited and state.bound("__getattr__")


def _own_super(state: State, node: Any) -> core.Op:
    """`super()`, with the arguments that Python finds for it."""
    assert state.first is not None
    found = [atom(state, name(variable, at=node)) for variable in (CLASS, state.first)]
    return core.Call(core.Path(("super",)), tuple(found))


def _callee(state: State, function: Any, later: list[Any]) -> core.Var:
    callee = kept(state, atom(state, function), later)
    if isinstance(callee, core.Var):
        return callee
    assert callee is not None
    return state.assign(core.Copy(callee), state.loc(function))


def arguments(state: State, node: Any) -> tuple[tuple[Any, ...], tuple[core.Keyword, ...]]:
    """Positional arguments, then keywords, in Python's order of evaluation."""
    if node.args and is_exhausted(node.args[0]):
        return _behind_what_is_walked(state, node)
    values = [keyword.value for keyword in node.keywords]
    positional = _lone(state, node, values) if _is_lone(node) else starred_atoms(state, node.args, values)
    named: list[core.Keyword] = []
    for place, keyword in enumerate(node.keywords):
        later = values[place + 1 :]
        if keyword.arg is None:
            named.append(core.Keyword(None, mapping_atom(state, keyword.value, later)))
            continue
        value = kept(state, atom(state, keyword.value), later)
        assert value is not None
        named.append(core.Keyword(keyword.arg, value))
    return positional, tuple(named)


def _is_lone(node: Any) -> bool:
    return len(node.args) == 1 and isinstance(node.args[0], gast.Starred)


def _lone(state: State, node: Any, later: list[Any]) -> tuple[core.Star]:
    """An unpacked argument with no other beside it: Python runs through it when all keywords have values."""
    held = kept(state, atom(state, node.args[0].value), later)
    assert held is not None
    return (core.Star(held),)


def _behind_what_is_walked(state: State, node: Any) -> tuple[tuple[Any, ...], tuple[core.Keyword, ...]]:
    """The arguments of a call that exhausts a generator expression: what that walks over comes first, then
    the other arguments, then the elements."""
    listed, *others = node.args
    first, *inner = listed.generators
    later = [*others, *(keyword.value for keyword in node.keywords)]
    begun = any(may_change(state, other) for other in later)
    walked = changed(first, iter=evaluated(state, first.iter, begun=begun))
    positional, named = arguments(state, changed(node, args=others))
    elements = atom(state, changed(listed, generators=[walked, *inner]))
    return (elements, *positional), named


def _is_generator_call(node: Any) -> bool:
    """Whether what is given is a generator expression (none of whose variables a function captures)."""
    return len(node.args) == 1 and not node.keywords and isinstance(node.args[0], gast.GeneratorExp)


def _early(state: State, node: Any, is_any: bool) -> core.Op:
    """`any(c for x in xs)`: a loop that stops at the first element that decides."""
    generator = node.args[0]
    state.made.update(comprehension_targets(generator))
    found = state.temporary()
    state.flags.add(found)
    state.emit(core.Assign(found, core.Copy(core.Const(not is_any)), state.loc(node)))
    element = generator.elt if is_any else at(node, gast.UnaryOp(gast.Not(), generator.elt))
    body = quote("if $e:\n    $f = $v\n    break", at=node, e=element, f=found, v=constant(is_any, at=node))
    for inner in reversed(generator.generators[1:]):
        body = [*loops([inner], body), at(node, gast.If(_decided(node, found, is_any), [gast.Break()], []))]
    for statement in marked_of_generator(loops(generator.generators[:1], body)):
        STATEMENTS[type(statement)](state, statement)
    return core.Copy(core.Var(found))


def _decided(node: Any, found: str, is_any: bool) -> Any:
    variable = name(found, at=node)
    return variable if is_any else at(node, gast.UnaryOp(gast.Not(), variable))


OPERATIONS[gast.Call] = _call
