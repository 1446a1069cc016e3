"""`try` in the words of the core language: a block whose exceptions are kept, and what is done about them.

    try:                            with Attempting(failure):
        body                            body
    except E as e:                  if failure is None:
        handler                         rest
    else:                           else:
        rest                            with Handling(failure):
                                            if is_caught(failure, E):
                                                e = failure
                                                handler
                                                e = None; del e
                                            else:
                                                raise

A `with` calls its manager's methods in the same way, unless the manager is known to let every exception
pass. A `finally` is written twice: behind a body that ran to its end, and in a handler that raises again.
"""

from __future__ import annotations

import copy
from typing import Any

from zygpy.ir.names import Names
from zygpy.ir.nodes import gast, name, quote, quote_expression
from zygpy.normalise.trees import at, changed

Statements = list[Any]


class Attempting(gast.With):  # type: ignore[misc, unused-ignore]
    """A block of which every exception is caught; the variable in its head has it, or None."""


class Handling(gast.With):  # type: ignore[misc, unused-ignore]
    """A block that runs while the exception in the variable in its head is being handled."""


def failure_of(statement: Any) -> str:
    """The variable of an `Attempting` or a `Handling`."""
    variable: str = statement.items[0].context_expr.id
    return variable


def split_finally(tree: Any) -> Any:
    """`try: ... except ...: ... finally: ...` as a `try` inside one that has nothing but the `finally`."""
    if not (tree.finalbody and tree.handlers):
        return tree
    return changed(tree, body=[changed(tree, finalbody=[])], handlers=[], orelse=[])


def attempting(tree: Any, failure: str, body: Statements) -> Any:
    """The body of a `try`."""
    return _block(Attempting, tree, failure, body)


def behind(tree: Any, failure: str, asks: Statements, names: Names) -> Any:
    """What follows the body of a `try`; `asks` are the exits that the body may have taken."""
    if tree.finalbody:
        passed = [*tree.finalbody, *asks]
        failed = [*copy.deepcopy(tree.finalbody), at(tree, gast.Raise(None, None))]
    else:
        passed = [*asks, *tree.orelse] or [at(tree, gast.Pass())]
        failed = _handlers(tree, failure, names)
    done = quote_expression("$f is None", at=tree, f=failure)
    return at(tree, gast.If(done, passed, [_block(Handling, tree, failure, failed)]))


def generated(tree: Any) -> Statements | None:
    """The `try` of a generated forward function in the words that it was written from; None for any other.

    `try: ...; failure = None` with `except BaseException as error: failure = error; ...`, and
    `try: raise failure` with `except BaseException: ...`.
    """
    if len(tree.handlers) != 1 or tree.orelse or tree.finalbody:
        return None
    clause: Any = tree.handlers[0]
    if not isinstance(clause.type, gast.Name) or clause.type.id != "BaseException":
        return None
    if clause.name is None:
        raised = tree.body[0].exc if len(tree.body) == 1 and isinstance(tree.body[0], gast.Raise) else None
        if not isinstance(raised, gast.Name):
            return None
        return [_block(Handling, tree, raised.id, clause.body)]
    failure = _copied_to(clause.body[0], clause.name.id)
    last = tree.body[-1]
    if failure is None or not (isinstance(last, gast.Raise) or _is_reset(last, failure)):
        return None
    body = tree.body if isinstance(last, gast.Raise) else tree.body[:-1]
    rest = [*quote("$e = $f", at=tree, e=clause.name.id, f=failure), *clause.body[1:]]
    failed = quote_expression("$f is not None", at=tree, f=failure)
    after = [at(tree, gast.If(failed, rest, []))] if clause.body[1:] else []
    return [_block(Attempting, tree, failure, body), *after]


def _copied_to(statement: Any, variable: str) -> str | None:
    """The name that a variable is copied to."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=str(target))], value=gast.Name(id=source)):
            return target if source == variable else None
    return None


def _is_reset(statement: Any, variable: str) -> bool:
    """Whether a statement sets a variable to None."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=target)], value=gast.Constant(value=None)):
            return bool(target == variable)
    return False


def entering(tree: Any, manager: str, names: Names) -> tuple[Statements, Any]:
    """What a `with` does in front of its body, and its body with the target bound."""
    item = tree.items[0]
    before = quote("$m = $context", at=tree, m=manager, context=item.context_expr)
    if item.optional_vars is None:
        return [*before, *quote("$m.__enter__()", at=tree, m=manager)], tree.body
    value = names.fresh("entered")
    bind = at(tree, gast.Assign([item.optional_vars], name(value, at=tree), None))
    return [*before, *quote("$v = $m.__enter__()", at=tree, v=value, m=manager)], [bind, *tree.body]


def leaving(tree: Any, manager: str, failure: str, asks: Statements) -> Any:
    """What a `with` does behind its body."""
    passed = [*quote("$m.__exit__(None, None, None)", at=tree, m=manager), *asks]
    helpers = {
        "type": name("builtin:type", at=tree),
        "traceback": name("helper:traceback_of", at=tree),
    }
    text = "if not $m.__exit__($type($f), $f, $traceback($f)):\n    raise"
    failed = quote(text, at=tree, m=manager, f=failure, **helpers)
    done = quote_expression("$f is None", at=tree, f=failure)
    return at(tree, gast.If(done, passed, [_block(Handling, tree, failure, failed)]))


def _block(kind: type, tree: Any, failure: str, body: Statements) -> Any:
    bound = name(failure, gast.Store, at=tree) if kind is Attempting else None
    item = gast.withitem(name(failure, at=tree), bound)
    return at(tree, kind([item], body or [at(tree, gast.Pass())], None))


def _handlers(tree: Any, failure: str, names: Names) -> Statements:
    """The clauses as a chain of tests; what none of them catches is raised again."""
    chain: Statements = [at(tree, gast.Raise(None, None))]
    for clause in reversed(tree.handlers):
        body = _clause(clause, failure)
        if clause.type is None:
            chain = body
            continue
        caught = name("helper:is_caught", at=clause)
        test = quote_expression("$c($f, $t)", at=clause, c=caught, f=failure, t=clause.type)
        chain = [at(clause, gast.If(test, body, chain))]
    return chain


def _clause(clause: Any, failure: str) -> Statements:
    if clause.name is None:
        return list(clause.body)
    variable = clause.name.id
    before = quote("$e = $f", at=clause, e=variable, f=failure)
    return [*before, *clause.body, *quote("$e = None\ndel $e", at=clause, e=variable)]
