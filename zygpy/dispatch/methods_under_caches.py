"""Methods under a cache that read numbers of their object: as functions of these, so that what they give is
found once for the same numbers.

def power(self, n):                              def power_of(k_of_self, n):
    if n == 0:                                       if n == 0:
        return 1.0                       ->              return 1.0
    return self.k * self.power(n - 1)                return k_of_self * power_of(k_of_self, n - 1)

                                                 def power(self, n):
                                                     return power_of(self.k, n)

The method itself is what is under the cache, and noted as that: what it reads may not change in a run.
"""

from __future__ import annotations

import ast
import copy
import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any
from weakref import ref

import numpy as np

from zygpy.derivation import computing_alone
from zygpy.errors import ZygpyError
from zygpy.ir.source import generated_file
from zygpy.ir.text import Text
from zygpy.load.code import Origin, load
from zygpy.rules import declare
from zygpy.rules.custom import is_ruled
from zygpy.runtime.lookup import in_class
from zygpy.runtime.partials import CACHED
from zygpy.runtime.reads import globals_of
from zygpy.units import unit_of
from zygpy.where_made import positions

SETTLED = frozenset({float, int, bool, str, type(None), np.float64})
"""Classes of fields that may be arguments instead."""

CALLED = (FunctionType, BuiltinFunctionType, CACHED, ModuleType, type, np.ufunc)
"""Classes of what such a method may find by global variables."""

MOST = 256
"""So many methods are remembered; then all are forgotten."""

MISSING = object()


class NotAlone(Exception):
    """A method does something else with its object than to read fields and to call such methods."""


@dataclass(frozen=True)
class Alone:
    """What stands for a method: it reads these fields; `caches` are those that it asks in its turn. It holds
    as long as the class, the globals and the rules are what they were."""

    function: FunctionType
    fields: tuple[str, ...]
    caches: frozenset[ref[Any]]
    methods: Mapping[str, Any]
    found: Mapping[str, Any]
    space: Mapping[str, Any]
    state: Any

    def holds(self, cls: type, held: Any) -> bool:
        """Whether it stands for the method of an object."""
        own = {} if isinstance(held, type) else getattr(held, "__dict__", {})
        return (
            self.state is declare.REGISTRY.state
            and all(in_class(cls, name) is found and name not in own for name, found in self.methods.items())
            and all(self.space.get(name, MISSING) is value for name, value in self.found.items())
            and all(_is_number(cls, own, name) for name in self.fields)
        )


def alone(cache: Any, owner: Any) -> Alone | None:
    """What stands for a method under a cache, of this object; None where nothing does."""
    cls = owner if isinstance(owner, type) else type(owner)
    known = _KNOWN.get((cache, cls), (None, None))
    if known[0] is not declare.REGISTRY.state:
        known = declare.REGISTRY.state, _alone(cache, cls, of_class=cls is owner)
        if len(_KNOWN) >= MOST:
            _KNOWN.clear()
        _KNOWN[cache, cls] = known
    found = known[1]
    if found is None or found.holds(cls, owner):
        return found
    _KNOWN.pop((cache, cls), None)  # it may be another method now
    return None


_KNOWN: dict[Any, tuple[Any, Alone | None]] = {}


def _alone(cache: Any, cls: type, *, of_class: bool) -> Alone | None:
    plain = in_class(cls, "__getattribute__") is object.__getattribute__ and (type(cls) is type)
    try:
        return _written(cache, cls, of_class) if plain else None
    except (NotAlone, ZygpyError, SyntaxError):
        return None


def _is_number(cls: type, own: Mapping[str, Any], name: str) -> bool:
    """Whether a field holds a number, or the class has one by its name."""
    of_class = in_class(cls, name, MISSING)
    if name in own:
        return type(own[name]) in SETTLED and not hasattr(type(of_class), "__set__")
    return type(of_class) in SETTLED


@dataclass
class _Group:
    """A method with those that it calls, by the names that its class has for them."""

    cls: type
    space: dict[str, Any]
    of_class: bool
    asked: set[str] = field(default_factory=set)
    methods: dict[str, Any] = field(default_factory=dict)
    trees: dict[str, ast.FunctionDef] = field(default_factory=dict)
    fields: dict[str, None] = field(default_factory=dict)
    found: dict[str, Any] = field(default_factory=dict)

    def enter(self, name: str) -> None:
        """Enter the method of a name, with all that it calls."""
        if name in self.methods:
            return
        method = in_class(self.cls, name)
        function = _function_of(method)
        other = isinstance(method, classmethod) != self.of_class
        if other or function.__globals__ is not self.space or name.startswith("__"):
            raise NotAlone
        self.methods[name] = method
        tree = self.trees[name] = _tree_of(function)
        self._find(function)
        own = tree.args.args[0].arg
        nodes = list(ast.walk(tree))
        called = {
            id(node.func): part
            for node in nodes
            if isinstance(node, ast.Call) and (part := _part(node.func, own))
        }
        fields = [part for node in nodes if id(node) not in called and (part := _part(node, own))]
        self.fields.update(dict.fromkeys(fields))
        for each in called.values():
            self.asked.add(each)
            self.enter(each)

    def _find(self, function: FunctionType) -> None:
        """Note what a method finds by global variables, which is no data."""
        for name in globals_of(function.__code__):
            value = self.space.get(name, MISSING)
            if value is not MISSING and not isinstance(value, CALLED):
                raise NotAlone
            self.found[name] = value

    def written(self) -> dict[str, Any]:
        """The functions of numbers, by the methods' names."""
        made: dict[str, Any] = {}
        space = {name: value for name, value in self.found.items() if value is not MISSING}
        for name, tree in self.trees.items():
            function = _loaded(_Lifted(self, tree).tree(name), space, _function_of(self.methods[name]))
            cached = isinstance(_inner(self.methods[name]), CACHED)
            made[name] = functools.lru_cache(maxsize=0)(function) if cached else function
        space.update({f"{name}_of": function for name, function in made.items()})
        return made


def _written(cache: Any, cls: type, of_class: bool) -> Alone:
    name = cache.__name__
    if _inner(in_class(cls, name)) is not cache:
        raise NotAlone
    group = _Group(cls, cache.__wrapped__.__globals__, of_class)
    group.enter(name)
    made = group.written()
    names = {f"{one}_of" for one in group.methods}
    clash = not names.isdisjoint(group.found) or not group.fields.keys().isdisjoint(group.methods)
    if clash or computing_alone(made[name]) != ():
        raise NotAlone
    tree = group.trees[name]
    own = tree.args.args[0].arg
    given: list[ast.expr] = [
        ast.Attribute(ast.Name(own, ast.Load()), one, ast.Load()) for one in group.fields
    ]
    rest: list[ast.expr] = [ast.Name(arg.arg, ast.Load()) for arg in tree.args.args[1:]]
    call = ast.Call(ast.Name(f"{name}_of", ast.Load()), [*given, *rest], [])
    whole = ast.FunctionDef(name, tree.args, [ast.Return(call)], [])
    function = _loaded(whole, {f"{name}_of": made[name]}, cache.__wrapped__)
    asked = [_inner(group.methods[one]) for one in group.asked]
    caches = frozenset([ref(inner) for inner in asked if isinstance(inner, CACHED)])
    state = declare.REGISTRY.state
    return Alone(function, tuple(group.fields), caches, group.methods, group.found, group.space, state)


def _loaded(tree: ast.FunctionDef, space: dict[str, Any], function: FunctionType) -> FunctionType:
    """A function that was written for a method, with its default values."""
    text = Text(ast.unparse(ast.fix_missing_locations(tree)) + "\n", {}, made=positions([tree]))
    origin = Origin(function.__code__.co_filename, function.__name__)
    made = load(text, [tree.name], {}, space, generated_file(tree.name), origin)[tree.name]
    made.__defaults__ = function.__defaults__
    return made


def _inner(method: Any) -> Any:
    """What a class method calls."""
    return method.__func__ if isinstance(method, classmethod) else method


def _function_of(method: Any) -> FunctionType:
    inner = _inner(method)
    function = inner.__wrapped__ if isinstance(inner, CACHED) else inner
    if type(function) is not FunctionType or function.__closure__ or is_ruled(inner) or is_ruled(function):
        raise NotAlone
    return function


def _tree_of(function: FunctionType) -> ast.FunctionDef:
    """The text of a method that has nothing but positional parameters."""
    tree = ast.parse(unit_of(function).source.text).body[0]
    if not isinstance(tree, ast.FunctionDef) or tree.name != function.__name__:
        raise NotAlone
    args = tree.args
    if args.vararg or args.kwarg or args.kwonlyargs or args.posonlyargs or not args.args:
        raise NotAlone
    names = [arg.arg for arg in args.args]
    if tuple(names) != function.__code__.co_varnames[: function.__code__.co_argcount]:
        raise NotAlone
    tree.args = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
    tree.decorator_list, tree.returns = [], None
    return tree


def _part(node: ast.AST, own: str) -> str | None:
    """The name of what a node reads of the object, if it does that."""
    read = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == own
    return node.attr if read and isinstance(node, ast.Attribute) else None


class _Lifted(ast.NodeTransformer):
    """A method's text as that of a function of fields."""

    def __init__(self, group: _Group, tree: ast.FunctionDef) -> None:
        self.group, self.whole, self.own = group, tree, tree.args.args[0].arg
        self.given = {name: f"{name}_of_{self.own}" for name in group.fields}
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        if not names.isdisjoint({*self.given.values(), *(f"{name}_of" for name in group.methods)}):
            raise NotAlone

    def tree(self, name: str) -> ast.FunctionDef:
        """The function; the name by which it is called is another, so that it captures nothing."""
        body = [self.visit(statement) for statement in copy.deepcopy(self.whole).body]
        args = [ast.arg(given) for given in self.given.values()] + self.whole.args.args[1:]
        return ast.FunctionDef(
            f"{name}_of_numbers", ast.arguments([], args, None, [], [], None, []), body, []
        )

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """A call of a method is given the fields in the object's place."""
        name = _part(node.func, self.own)
        if name is None:
            return self.generic_visit(node)
        given: list[ast.expr] = [ast.Name(name, ast.Load()) for name in self.given.values()]
        args = [*given, *[self.visit(arg) for arg in node.args]]
        keywords = [self.visit(keyword) for keyword in node.keywords]
        return ast.Call(ast.Name(f"{name}_of", ast.Load()), args, keywords)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """A field is an argument."""
        if _part(node, self.own) is None:
            return self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            raise NotAlone
        return ast.Name(self.given[node.attr], ast.Load())

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """The object is nowhere else."""
        if node.id == self.own:
            raise NotAlone
        return node
