"""Running a pair before and after simplification, on the same arguments, and comparing bit for bit."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from textwrap import dedent
from typing import Any

import numpy as np

from zygpy.ir.nodes import gast, parse_text, to_python_ast
from zygpy.runtime import helpers
from zygpy.simplify import simplify

PASSIVE = "def g_adjoint(stash, y_bar):\n    return stash,"
NOTHING = "def f_forward(x):\n    return x, stashed"


def trees(text: str) -> list[gast.stmt]:
    """The function definitions that a text holds."""
    return parse_text(dedent(text)).body


def text_of(tree: gast.AST) -> str:
    """A tree as text."""
    return ast.unparse(to_python_ast(tree))


def forward(text: str) -> str:
    """The text of a forward function once simplified."""
    (function,) = trees(text)
    (adjoint,) = trees(PASSIVE)
    return text_of(simplify(function, adjoint)[0])  # type: ignore[arg-type]


def adjoint(text: str) -> str:
    """The text of an adjoint once simplified, the forward left out of account."""
    (function,) = trees(text)
    (other,) = trees(NOTHING)
    return text_of(simplify(other, function)[1])  # type: ignore[arg-type]


def body(text: str) -> str:
    """The lines of a function's body, not indented."""
    return dedent(text.partition("\n")[2])


def function_of(text: str, **names: Any) -> Callable[..., Any]:
    """The function that a text defines, over NumPy, math, the helpers and these names."""
    namespace: dict[str, Any] = {"np": np, "math": math, **vars(helpers), **names}
    exec(compile(text, "<simplified>", "exec"), namespace)
    found: Callable[..., Any] = namespace[text.strip().partition("(")[0].removeprefix("def ")]
    return found


def bits(value: Any) -> Any:
    """Everything about a value that can be told apart: types, dtypes, shapes, every bit."""
    if isinstance(value, np.ndarray | np.generic):
        return type(value).__name__, value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, tuple | list):
        return type(value).__name__, [bits(item) for item in value]
    if isinstance(value, float):
        return "float", value.hex()
    return repr(value)
