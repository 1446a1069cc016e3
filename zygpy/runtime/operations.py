"""Operations as functions, for where one may be a method in Python whose exception is caught."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

BINARY: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "@": operator.matmul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
}
"""The function whose rule a binary operator follows."""

UNARY: Mapping[str, Callable[[Any], Any]] = {"-": operator.neg, "+": operator.pos, "~": operator.invert}
"""The function whose rule a unary operator follows."""

_NAMES = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"),
    *("and", "or", "xor", "lshift", "rshift"),
)

BINARY_METHODS: Mapping[str, tuple[str, str]] = {
    symbol: (f"__{name}__", f"__r{name}__") for symbol, name in zip(BINARY, _NAMES, strict=True)
}
"""The methods of the left operand and of the right one."""

UNARY_METHODS: Mapping[str, str] = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}

AUGMENTED_METHODS: Mapping[str, tuple[str, ...]] = {
    symbol: (f"__i{name}__", *BINARY_METHODS[symbol]) for symbol, name in zip(BINARY, _NAMES, strict=True)
}
"""The methods of an augmented assignment."""

AUGMENTED: Mapping[str, Callable[[Any, Any], Any]] = {
    f"{symbol}=": getattr(operator, f"i{name.strip('_')}")
    for symbol, name in zip(BINARY, _NAMES, strict=True)
}

OPERATIONS: Mapping[str, Callable[..., Any]] = {
    **BINARY,
    **AUGMENTED,
    "[]": operator.getitem,
    "[]=": operator.setitem,
    "del []": operator.delitem,
    ".": getattr,
    ".=": setattr,
    **{f"{symbol}x": function for symbol, function in UNARY.items()},
}


def operated(symbol: str, *operands: Any) -> Any:
    """What an operation gives; the run-time door enters the method that it is, if it is one.

    >>> operated("+", 1, 2), operated("[]", [3, 4], 1), operated(".", 1.5, "real"), operated("-x", 5)
    (3, 4, 1.5, -5)
    """
    return OPERATIONS[symbol](*operands)
