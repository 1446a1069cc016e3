"""What is known of callees and context managers by name alone, before kinds are."""

from __future__ import annotations

import builtins
import contextlib
import threading
import warnings
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from zygpy.analyse.array_writes import place_of_out
from zygpy.analyse.fresh import makes_bare_exception
from zygpy.analyse.paths import Scope, resolve
from zygpy.ir import core
from zygpy.ir.nodes import gast
from zygpy.rules import declare
from zygpy.rules.custom import LABELLED
from zygpy.runtime import inherited, options, paired_generators, partner_fields, zeros
from zygpy.runtime.lookup import in_class
from zygpy.runtime.platform_code import is_installed, is_platform

QUIET = (np.errstate, np.printoptions, open, contextlib.nullcontext, warnings.catch_warnings)
"""Callables whose context managers let every exception pass and take no part in a computation."""

MAKING_INERT = frozenset({np.errstate, np.printoptions, warnings.catch_warnings})
"""Those among them that are classes of objects which hold nothing that has a gradient."""

NEVER_FAILING = (
    zeros.are_numbers,
    zeros.has_parts,
    partner_fields.holds_field,
    partner_fields.takes_field,
    paired_generators.is_paired,
    zeros.has_partner,
    options.is_one,
    inherited.called_behind,
    inherited.called_in_class,
    inherited.note_kept,
    inherited.setter_in_class,
)

OF_TANGENTS = (zeros.Partner, zeros.bring)
"""What makes a tangent, or puts it where it is found, and does nothing else."""

QUIET_TYPES = (type(threading.Lock()), type(threading.RLock()))
"""The same of objects."""


@dataclass(frozen=True)
class Callees:
    """What the names of a program stand for now."""

    scope: Scope

    def is_harmless(self, path: core.Path, count: int) -> bool:
        """Whether a callee is a primitive of a library, which with so many positional arguments writes
        nothing that the caller sees."""
        found = resolve(path, self.scope)
        if found.depth < len(path.names) or (len(path.names) == 1 and path.names[0] not in self.scope.fixed):
            return False
        place = place_of_out(found.value)
        return _changes_nothing(found.value) and (place is None or count <= place)

    def changes_nothing(self, path: core.Path) -> bool:
        """Whether a callee is, as things are now, a primitive that writes nothing."""
        found = resolve(path, self.scope)
        return found.depth == len(path.names) and _changes_nothing(found.value)

    def never_fails(self, path: core.Path) -> bool:
        """Whether a callee only tells what its arguments are, whatever they are."""
        found = resolve(path, self.scope)
        return found.depth == len(path.names) and any(found.value is known for known in NEVER_FAILING)

    def is_builtin(self, name: str) -> bool:
        """Whether the name of a builtin stands for that."""
        return resolve(core.Path((name,)), self.scope).value is getattr(builtins, name)

    def is_labelled(self, callee: Any) -> bool:
        """Whether what is called is told the text of its argument."""
        names = dotted(callee)
        if not names:
            return False
        found = resolve(core.Path(names, "global"), self.scope)
        return found.depth == len(names) and any(found.value is function for function in LABELLED)

    def takes_functions(self, callee: Any) -> bool:
        """Whether what is called is a function in Python that is the user's own, or a class that has one by
        which its objects are initialised."""
        names = dotted(callee)
        found = resolve(core.Path(names, "global"), self.scope) if names else None
        function = None if found is None or found.depth < len(names) else found.value
        function = in_class(function, "__init__") if isinstance(function, type) else function
        if not isinstance(function, FunctionType) or str(function.__module__).startswith("zygpy."):
            return False
        file = function.__code__.co_filename
        return not (is_platform(file) or is_installed(file) or _looks_into_functions(function.__code__))

    def is_quiet(self, context: Any) -> bool:
        """Whether an expression gives a context manager that lets every exception pass."""
        called = isinstance(context, gast.Call)
        names = dotted(context.func if called else context)
        if not names:
            return False
        found = resolve(core.Path(names, "global"), self.scope)
        if found.depth < len(names):
            return False
        if found.value is contextlib.nullcontext:
            return called and not context.args and not context.keywords
        return (
            any(found.value is known for known in QUIET) if called else isinstance(found.value, QUIET_TYPES)
        )


def _changes_nothing(callee: Any) -> bool:
    if isinstance(callee, type) and issubclass(callee, BaseException):
        return callee.__module__ == "builtins"
    if any(callee is known for known in (*QUIET, *OF_TANGENTS)) or makes_bare_exception(callee):
        return True
    rule = declare.find(callee)
    return rule is not None and rule.writes is None


def dotted(node: Any) -> tuple[str, ...]:
    """The names of `a.b.c`; nothing of any other expression."""
    names: list[str] = []
    while isinstance(node, gast.Attribute):
        names.append(node.attr)
        node = node.value
    return (node.id, *reversed(names)) if isinstance(node, gast.Name) else ()


LOOKED_INTO = frozenset(
    {"__closure__", "__code__", "cell_contents", "co_freevars", "getclosurevars", "getsource"}
)
"""Names by which code sees what a function is made of."""


def _looks_into_functions(code: CodeType) -> bool:
    """Whether code sees what functions are made of that it is given."""
    inside = (one for one in code.co_consts if isinstance(one, CodeType))
    return not LOOKED_INTO.isdisjoint(code.co_names) or any(map(_looks_into_functions, inside))
