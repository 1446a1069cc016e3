"""What expressions of the adjoint may do besides giving a value."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from zygpy.ir.nodes import gast, nodes
from zygpy.runtime import helpers
from zygpy.simplify.trees import SCOPES, Block, Node

WRITING_HELPERS = frozenset(
    {
        *("add_at", "add_key", "add_numbers", "add_slice", "clear_at", "drop_key", "gathered"),
        *("put_back", "put_back_slice"),
        *("split_keys", "split_tail", "take_out"),
        *("add_to_items", "subtract_from_items", "write_items", "changed_item", "stored_item"),
        *("next_length", "stretch_end", "label_local"),
        *("add_to_number", "add_to_named", "add_to_place", "add_to_row", "row_at", "row_under", "keys_at"),
        *("keys_under", "note_whole", "note_other", "note_other_key", "is_still_kept", "is_newly_kept"),
        "note_dropped",
    }
)
"""Helpers that write to an argument, or refuse it (a test looks for them)."""

CHECKING_HELPERS = frozenset(
    {
        "check_bound",
        "check_still",
        "check_exception_is_inert",
        "check_given",
        "check_given_back",
        "check_global",
        "check_harmless",
        "check_is_undone",
        "check_is_whole",
        "check_left_alone",
        "check_stored",
    }
    | {"contents_now", "objects_now"}  # at the moment when it is called
)
"""Helpers that are called for what they may raise."""

QUIET_HELPERS = frozenset(helpers.__all__) - WRITING_HELPERS - CHECKING_HELPERS
WRITING_NUMPY = frozenset({"copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask"})
BUILTINS = frozenset(
    [
        *("abs", "bool", "complex", "float", "int", "max", "min", "sum"),
        *("dict", "enumerate", "len", "list", "range", "reversed", "slice", "tuple", "zip"),
        *("isinstance", "type"),
    ]
)
MODULES = frozenset({"np", "math", "sc"})
QUIET_METHODS = frozenset({"copy"})
FORGETTING = frozenset({"add_at", "clear_at"})
"""Helpers that write to their first argument and keep none."""

FRESH_HELPERS = frozenset({"owned", "taken"})
FRESH_NUMPY = frozenset({"sum", "zeros", "zeros_like", "ones"})


ACTING = (gast.Call, gast.Yield, gast.YieldFrom, gast.Await, gast.NamedExpr)
"""Nodes that may do something besides giving a value; a call depends on what is called."""


@lru_cache(maxsize=1024)
def original(name: str) -> str:
    """The helper that a name stands for: where the user has a `np`, ours is called `np_1`.

    >>> original("np_1"), original("split_tail")
    ('np', 'split_tail')
    """
    return re.sub(r"_\d+$", "", name)


@dataclass(frozen=True)
class Purity:
    """What the expressions of one adjoint may do; `own` are its local variables, which may hold
    functions of the user under any name.

    >>> from zygpy.ir.nodes import quote_expression
    >>> purity = Purity(frozenset({"reshape_back"}))
    >>> [purity.is_pure(quote_expression(f"{f}(x[0] * y)")) for f in ("np.sum", "f_back", "reshape_back")]
    [True, False, False]
    """

    own: frozenset[str]

    def is_pure(self, node: Node) -> bool:
        """Whether evaluating the expression does nothing but give a value."""
        return not any(self.acts(found) for found in nodes(node))

    def acts(self, node: Node) -> bool:
        """Whether a single node may do something besides giving a value."""
        return isinstance(node, ACTING) and not (isinstance(node, gast.Call) and self._is_quiet(node))

    def _is_quiet(self, call: Node) -> bool:
        if call.keywords and any(keyword.arg in (None, "out") for keyword in call.keywords):
            return False
        path = self._foreign_path(call.func)
        if len(path) == 1:
            return path[0] in BUILTINS or path[0] in QUIET_HELPERS
        if path and path[0] in MODULES:
            return path[-1] not in WRITING_NUMPY and "at" not in path and "random" not in path
        return isinstance(call.func, gast.Attribute) and call.func.attr in QUIET_METHODS

    def _foreign_path(self, node: Node) -> tuple[str, ...]:
        """The dotted path of something that is not a local variable, under its original name."""
        path = path_of(node)
        return (original(path[0]), *path[1:]) if path and path[0] not in self.own else ()

    def keeps_nothing(self, call: Node) -> bool:
        """Whether a call that is a statement changes its first argument and keeps none."""
        path = self._foreign_path(call.func)
        return len(path) == 1 and path[0] in FORGETTING

    def is_fresh(self, node: Node) -> bool:
        """Whether nothing else can hold the object that the expression gives.

        >>> from zygpy.ir.nodes import quote_expression
        >>> texts = ("a * b", "np.exp(a)", "a[0]", "unbroadcast(a, s)")
        >>> [Purity(frozenset()).is_fresh(quote_expression(text)) for text in texts]
        [True, True, False, False]
        """
        if isinstance(node, gast.BinOp | gast.UnaryOp | gast.Constant):
            return True
        if not isinstance(node, gast.Call) or node.keywords:
            return False
        path = self._foreign_path(node.func)
        if len(path) == 1:
            return path[0] in FRESH_HELPERS
        return len(path) == 2 and _gives_fresh(*path)


def _gives_fresh(module: str, name: str) -> bool:
    if module == "np":
        return name in FRESH_NUMPY or isinstance(getattr(np, name, None), np.ufunc)
    return module == "math"


def path_of(node: Node) -> tuple[str, ...]:
    """The names of a dotted path, or nothing if the expression is not one.

    >>> from zygpy.ir.nodes import quote_expression
    >>> path_of(quote_expression("np.linalg.inv")), path_of(quote_expression("f().x"))
    (('np', 'linalg', 'inv'), ())
    """
    names: list[str] = []
    while isinstance(node, gast.Attribute):
        names.append(node.attr)
        node = node.value
    return (node.id, *reversed(names)) if isinstance(node, gast.Name) else ()


def is_atom(node: Node) -> bool:
    """Whether an expression only moves values that exist: a name, a literal, a tuple of such."""
    if isinstance(node, gast.Tuple):
        return all(is_atom(item) for item in node.elts)
    return isinstance(node, gast.Name | gast.Constant)


def has_scope(node: Node | Block) -> bool:
    """Whether a function or a comprehension is inside."""
    return any(isinstance(found, SCOPES) for found in nodes(node))
