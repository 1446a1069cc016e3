"""The kinds of Python's own functions of numbers: sums, products, extremes, remainders and rounding."""

from __future__ import annotations

from collections.abc import Mapping

from zygpy.analyse.arguments import Arguments, Word
from zygpy.analyse.transfer import binary, element
from zygpy.ir.kinds import (
    INT,
    REAL_OR_ARRAY,
    UNKNOWN,
    Array,
    Iterator,
    Kind,
    List,
    Number,
    Row,
    Tuple,
    is_exact,
    is_numeric,
    is_real,
    is_scalar,
    join,
    join_all,
)


def _total(arguments: Arguments, symbol: str) -> Kind:
    """What `start op item op item ...` comes to, for any number of items where that is not known."""
    start, _ = arguments.get("start", (INT, None))
    items = arguments["iterable"][0]
    if not (is_scalar(start) or (symbol == "+" and is_numeric(start))):  # which it may be itself
        return UNKNOWN
    if isinstance(items, Tuple):
        return _known(_folded(symbol, start, items.items))
    if isinstance(items, List | Row | Iterator | Array):
        return _known(_closed(symbol, start, element(items)))
    return UNKNOWN


def _folded(symbol: str, kind: Kind, items: tuple[Kind, ...]) -> Kind:
    for item in items:
        kind = binary(symbol, kind, item)
    return kind


def _closed(symbol: str, kind: Kind, item: Kind) -> Kind:
    """The least kind with `kind` in it that a further item does not change."""
    longer = join(kind, binary(symbol, kind, item))
    return kind if longer == kind else _closed(symbol, longer, item)


def _known(kind: Kind) -> Kind:
    return kind if is_numeric(kind) else UNKNOWN


def _extreme(arguments: Arguments) -> Kind:
    """One of several real numbers; the default `...` stands for none."""
    given = arguments["args"][0]
    if not isinstance(given, Tuple):
        return UNKNOWN
    items = given.items
    if len(items) == 1:
        default, literal = arguments["default"]
        items = (*_items(items[0]), *(() if literal is Ellipsis else (default,)))
    kind = join_all(items)
    return kind if is_scalar(kind) and is_real(kind) else UNKNOWN


def _items(container: Kind) -> tuple[Kind, ...]:
    if isinstance(container, Tuple):
        return container.items
    return (element(container),) if isinstance(container, List | Row | Iterator | Array) else (UNKNOWN,)


def _quotient_and_remainder(arguments: Arguments) -> Kind:
    """What `divmod` gives."""
    (a, _), (b, _) = arguments.values()
    parts = tuple(binary(symbol, a, b) for symbol in ("//", "%"))
    return Tuple(parts) if all(is_scalar(part) for part in parts) else UNKNOWN


def _rounded(arguments: Arguments) -> Kind:
    """What `round` gives: an integer, unless it is told how many digits to keep."""
    (kind, _), (digits, literal) = arguments.values()
    if not is_scalar(kind) or not is_real(kind):
        return REAL_OR_ARRAY if is_numeric(kind) and is_real(kind) else UNKNOWN
    if literal is None:
        return INT if isinstance(kind, Number) else REAL_OR_ARRAY
    truth = isinstance(kind, Number) and "bool" in kind.types
    return kind if digits == INT and not truth and not is_exact(kind) else REAL_OR_ARRAY


WORDS: Mapping[str, Word] = {
    "total": lambda arguments: _total(arguments, "+"),
    "product of items": lambda arguments: _total(arguments, "*"),
    "one of the numbers": _extreme,
    "rounded": _rounded,
    "quotient and remainder": _quotient_and_remainder,
}
