"""Imports inside a function: done once, when the function is derived, or when the program comes to them."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections import Counter
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from zygpy.ir.nodes import (
    argument_list,
    constant,
    gast,
    name,
    nodes,
    own_nodes,
    parameter_name,
    quote,
    quote_expression,
)
from zygpy.normalise.trees import at, rewrite


def with_imports_done(tree: Any, namespace: Mapping[str, Any]) -> tuple[Any, dict[str, ModuleType]]:
    """The function without its imports, and the modules by the names that it knows them by.

    What is imported from a module is an attribute of it, so that it is looked up anew as any other is.
    Imports of what cannot be imported, or binds names that are bound elsewhere too, become assignments of
    what a helper imports when the program comes there, and so do those in a branch or loop of what is not
    imported yet: perhaps it never is.

    >>> import ast
    >>> from zygpy.ir.nodes import to_python_ast
    >>> text = "def f(x):\\n    from math import sin as s\\n    return s(x)"
    >>> done, modules = with_imports_done(gast.parse(text).body[0], {})
    >>> print(ast.unparse(to_python_ast(done)), sorted(modules))
    def f(x):
        pass
        return math_imported.sin(x) ['math_imported']
    """
    found = [node for node in own_nodes(tree) if isinstance(node, gast.Import | gast.ImportFrom)]
    if not found:
        return tree, {}
    modules: dict[str, ModuleType] = {}
    attributes: dict[str, tuple[str, str]] = {}
    bound = _bound(tree)
    sure = {id(node) for node in getattr(tree, "body", ())}
    known = [node for node in found if id(node) in sure or _is_imported(node, namespace)]
    done = {id(node) for node in known if _do(node, namespace, bound, modules, attributes)}
    later = {id(node) for node in found} - done

    def replaced(node: Any) -> Any:
        if id(node) in done:
            return [at(node, gast.Pass())]
        if id(node) in later:
            return [_assignment(node, alias, namespace) for alias in node.names]
        if isinstance(node, gast.Name) and node.id in attributes:
            module, attribute = attributes[node.id]
            return at(node, gast.Attribute(name(module, at=node), attribute, node.ctx))
        return None

    return rewrite(tree, replaced, everywhere=True), modules


def _assignment(node: Any, alias: Any, namespace: Mapping[str, Any]) -> Any:
    """An import of one name as the assignment of what a helper gives."""
    if isinstance(node, gast.Import):
        args: list[Any] = [alias.name]
        helper = "imported" if alias.asname else "imported_top"
    else:
        package = namespace.get("__package__") or ""
        args = [package, node.level or 0, node.module or "", alias.name]
        helper = "imported_from"
    call: Any = quote_expression("$f()", at=node, f=name(f"helper:{helper}", at=node))
    call.args.extend(constant(value, at=node) for value in args)
    (assignment,) = quote("$target = $call", at=node, target=_target(alias), call=call)
    return assignment


def _is_imported(node: Any, namespace: Mapping[str, Any]) -> bool:
    """Whether an import only looks for modules that are there."""
    if isinstance(node, gast.Import):
        return all(alias.name in sys.modules for alias in node.names)
    try:
        return _absolute(node, namespace) in sys.modules
    except (ImportError, TypeError, ValueError):
        return False


def _absolute(node: Any, namespace: Mapping[str, Any]) -> str:
    """The name of the module that something is imported from."""
    dotted = "." * (node.level or 0) + (node.module or "")
    return importlib.util.resolve_name(dotted, namespace.get("__package__"))


def _bound(tree: Any) -> Counter[str]:
    """How often names are bound or declared, here or in functions inside."""
    counts: Counter[str] = Counter()
    for node in nodes(tree):
        if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
            counts[node.id] += 1
        elif isinstance(node, gast.alias):
            counts[_target(node)] += 1
        elif isinstance(node, gast.Global | gast.Nonlocal):
            counts.update(node.names)
        elif isinstance(node, gast.FunctionDef | gast.ClassDef) and node is not tree:
            counts[node.name] += 1
        if hasattr(node, "args") and isinstance(node.args, gast.arguments):
            counts.update(parameter_name(parameter) for parameter in argument_list(node.args))
    return counts


def _target(alias: Any) -> str:
    return str(alias.asname or alias.name.partition(".")[0])


def _do(
    node: Any,
    namespace: Mapping[str, Any],
    bound: Counter[str],
    modules: dict[str, ModuleType],
    attributes: dict[str, tuple[str, str]],
) -> bool:
    """Do an import, if that is possible."""
    if any(bound[_target(alias)] != 1 or alias.name == "*" for alias in node.names):
        return False
    try:
        if isinstance(node, gast.Import):
            modules.update({_target(alias): _imported(alias) for alias in node.names})
        else:
            _import_from(node, namespace, bound, modules, attributes)
    except (ImportError, AttributeError, TypeError, ValueError):
        return False
    return True


def _imported(alias: Any) -> ModuleType:
    module = importlib.import_module(alias.name)
    return module if alias.asname else importlib.import_module(alias.name.partition(".")[0])


def _import_from(
    node: Any,
    namespace: Mapping[str, Any],
    bound: Counter[str],
    modules: dict[str, ModuleType],
    attributes: dict[str, tuple[str, str]],
) -> None:
    module = importlib.import_module(_absolute(node, namespace))
    for alias in node.names:
        if not hasattr(module, alias.name):
            importlib.import_module(f"{module.__name__}.{alias.name}")
    known = f"{module.__name__.rpartition('.')[2]}_imported"
    while bound[known] or modules.get(known, module) is not module:
        known += "_"
    modules[known] = module
    attributes.update({_target(alias): (known, alias.name) for alias in node.names})
