"""Which attributes and globals the statements of a file bind to functions: what is called by such a name is
another function, perhaps, when the arguments of the call have been evaluated."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from functools import lru_cache

from zygpy.ir.source import Source
from zygpy.source.match import parsed_file


def binds_callee(source: Source, name: str) -> bool:
    """Whether a statement in the file of a function may bind what is called by an attribute, or a global."""
    lines = linecache.getlines(source.filename, source.globals)
    found = names_bound("".join(lines) or source.text)
    return name in found or "__class__" in found


@lru_cache(maxsize=32)
def names_bound(text: str) -> frozenset[str]:
    """The attributes that are assigned in a text, and the globals that its functions assign; and those of
    which a class computes what they are: properties, other descriptors, and `__getattr__` for all it has not.

    Of those that are defined as functions, too, they are the ones that are given another one by its name.

    >>> sorted(names_bound("class A:\\n def f(s): s.f, s.g = s.other, 2.0\\n def other(s): s.h = s.f"))
    ['f', 'g', 'h']
    >>> names_bound("class A:\\n def f(s): s.g = 2.0\\n def g(s): pass")
    frozenset()
    >>> sorted(names_bound("class A:\\n f = property(g)\\n @property\\n def h(s): pass"))
    ['f', 'h']
    """
    tree = parsed_file(text)
    nodes = list(ast.walk(tree)) if tree is not None else []
    defined = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    shared = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
    found: set[str] = set()
    for node in nodes:
        targets = set(_targets(node, shared))
        given = bool(targets & defined) and _may_be_function(node, defined)
        found |= targets if given else targets - defined
        if isinstance(node, ast.ClassDef):
            found.update(_computed(node))
    return frozenset(found)


def _computed(cls: ast.ClassDef) -> Iterator[str]:
    """The attributes of a class that code of its own gives when they are read."""
    for node in cls.body:
        if isinstance(node, ast.FunctionDef) and (_is_decorated(node) or node.name in GIVING):
            yield "__getattr__" if node.name in GIVING else node.name
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            yield from [target.id for target in node.targets if isinstance(target, ast.Name)]


GIVING = ("__getattr__", "__getattribute__")


def _is_decorated(function: ast.FunctionDef) -> bool:
    """Whether decorators make something else than a plain method of a function."""
    names = [getattr(one, "attr", getattr(one, "id", None)) for one in function.decorator_list]
    return any(name not in PLAINLY for name in names)


PLAINLY = frozenset({"abstractmethod", "classmethod", "final", "overload", "override", "staticmethod"})
"""Decorators that leave a function what it is, or what is bound without code of the program's."""


def _targets(node: ast.AST, shared: set[str]) -> Iterator[str]:
    """The attributes and globals that a statement binds."""
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "setattr" and len(node.args) == 3:
        if isinstance(node.args[1], ast.Constant):
            yield str(node.args[1].value)
        return
    for target in targets if isinstance(node, ast.Assign | ast.AnnAssign | ast.For | ast.NamedExpr) else ():
        for part in ast.walk(target) if target is not None else ():
            if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store):
                yield part.attr
            elif isinstance(part, ast.Name) and part.id in shared:
                yield part.id


def _may_be_function(node: ast.AST, defined: set[str]) -> bool:
    """Whether what a statement gives has a function in it that is mentioned by name, or made there."""
    value = (
        node.args[2] if isinstance(node, ast.Call) and len(node.args) == 3 else getattr(node, "value", None)
    )
    for part in ast.walk(value) if isinstance(value, ast.AST) else ():
        if isinstance(part, ast.Lambda) or getattr(part, "attr", getattr(part, "id", None)) in defined:
            return True
    return False
