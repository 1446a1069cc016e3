"""Lambdas, nested functions and comprehensions as expressions."""

from __future__ import annotations

import ast
from typing import Any

from zygpy.ir import core
from zygpy.ir.nodes import argument_list, constant, gast, name, parameter_name, to_python_ast
from zygpy.normalise.comprehensions import addition, is_captured, loops, marked_of_generator
from zygpy.normalise.generators import is_exhausted
from zygpy.normalise.lower.expressions import atom, atoms
from zygpy.normalise.lower.refusals import refused
from zygpy.normalise.lower.state import OPERATIONS, STATEMENTS, State
from zygpy.normalise.scopes import comprehension_targets, free_names
from zygpy.normalise.trees import at, changed

LAMBDA = "lambda_"


def make_function(state: State, node: Any) -> core.Op:
    """The operation that makes a function; its defaults are evaluated here."""
    captured = sorted(free for free in free_names(node) if state.kind(free) in ("local", "cell", "captured"))
    args = node.args
    values = atoms(state, [*args.defaults, *args.kw_defaults])
    nodes = [None if value is None else _of_atom(value, node) for value in values]
    defaults = nodes[: len(args.defaults)]
    fresh = changed(args, defaults=defaults, kw_defaults=nodes[len(defaults) :])
    present = tuple(value for value in values if value is not None)
    return core.MakeFunction(
        getattr(node, "name", LAMBDA), _bare(node, _without_annotations(fresh)), tuple(captured), present
    )


def _of_atom(value: core.Atom, node: Any) -> Any:
    return name(value.name, at=node) if isinstance(value, core.Var) else constant(value.value, at=node)


def _bare(node: Any, args: Any) -> Any:
    """The function without what has been evaluated (decorators, defaults) or never is (annotations)."""
    if isinstance(node, gast.Lambda):
        return changed(node, args=args)
    return changed(node, args=args, decorator_list=[], returns=None)


def _without_annotations(args: Any) -> Any:
    bare = {id(parameter): changed(parameter, annotation=None) for parameter in argument_list(args)}
    return changed(
        args,
        posonlyargs=[bare[id(parameter)] for parameter in args.posonlyargs],
        args=[bare[id(parameter)] for parameter in args.args],
        vararg=bare[id(args.vararg)] if args.vararg else None,
        kwonlyargs=[bare[id(parameter)] for parameter in args.kwonlyargs],
        kwarg=bare[id(args.kwarg)] if args.kwarg else None,
    )


def decorated(state: State, node: Any) -> core.Op:
    """A nested `def` with its decorators applied."""
    decorators = [_callee(state, decorator) for decorator in node.decorator_list]
    if not decorators:
        return make_function(state, node)
    made = state.assign(make_function(state, node), state.loc(node))
    state.assign(_labelled(state, node, made), state.loc(node))
    for decorator in reversed(decorators[1:]):
        made = state.assign(core.Call(decorator, (made,)), state.loc(node))
    return core.Call(decorators[0], (made,))


def _labelled(state: State, node: Any, made: core.Var) -> core.Call:
    """The call that tells a function what a decorator may ask it for: its name, and its annotations, which
    are given as texts and as a function that gives them."""
    found = {parameter_name(each): each.annotation for each in argument_list(node.args) if each.annotation}
    found |= {"return": node.returns} if node.returns is not None else {}
    given: list[core.Atom] = [core.Const(node.name)]
    if found:
        given += [core.Const(" ".join(found)), core.Const("\n".join(map(_spelled, found.values())))]
        values = gast.Tuple(list(found.values()), gast.Load())
        empty = gast.arguments([], [], None, [], [], None, [])
        evaluated = at(node, gast.Lambda(empty, values))
        given.append(state.assign(make_function(state, evaluated), state.loc(node)))
    return core.Call(core.Path(("label_local",), "helper"), (made, *given))


def _spelled(expression: Any) -> str:
    return ast.unparse(to_python_ast(expression))


def _callee(state: State, decorator: Any) -> core.Path | core.Var:
    path = state.path(decorator)
    if path is not None:
        return path
    callee = atom(state, decorator)
    if isinstance(callee, core.Var):
        return callee
    return state.assign(core.Copy(callee), state.loc(decorator))


def _comprehension(state: State, node: Any) -> core.Op:
    """A loop that adds to a fresh list, set or dict."""
    if is_captured(node):
        return refused(state, node, "Comprehension")
    state.made.update(comprehension_targets(node))
    collected = state.assign(_empty(node), state.loc(node)).name
    key = state.temporary() if isinstance(node, gast.DictComp) else ""
    statements = loops(node.generators, addition(node, collected, key))
    for statement in marked_of_generator(statements) if is_exhausted(node) else statements:
        STATEMENTS[type(statement)](state, statement)
    return core.Copy(core.Var(collected))


def _empty(node: Any) -> core.Op:
    if isinstance(node, gast.DictComp):
        return core.DictDisplay(())
    return core.Display("list" if isinstance(node, gast.ListComp) else "set", ())


OPERATIONS.update(
    {
        gast.Lambda: make_function,
        gast.FunctionDef: make_function,
        gast.ListComp: _comprehension,
        gast.SetComp: _comprehension,
        gast.DictComp: _comprehension,
    }
)
