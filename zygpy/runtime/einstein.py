"""Transposes of `np.einsum`, by rewriting its subscripts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from string import ascii_letters
from typing import Any

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.broadcast import Shape, unbroadcast
from zygpy.runtime.indexing import float_dtype

Operands = Sequence[Any]
Term = tuple[tuple[int, ...], Operands]


def explicit_subscripts(subscripts: str, ranks: Sequence[int]) -> tuple[list[str], str]:
    """Inputs and output of a subscripts string, with letters for the ellipsis and the output written.

    >>> explicit_subscripts("ij,jk", (2, 2))
    (['ij', 'jk'], 'ik')
    >>> explicit_subscripts("...i->...", (3,))
    (['bci'], 'bc')
    """
    text = subscripts.replace(" ", "")
    left, arrow, right = text.partition("->")
    free = [letter for letter in ascii_letters if letter not in text]
    inputs = left.split(",")
    widths = [rank - len(one.replace("...", "")) for one, rank in zip(inputs, ranks, strict=True)]
    width = max((wide for one, wide in zip(inputs, widths, strict=True) if "..." in one), default=0)
    hidden = "".join(free[1 : 1 + width])
    inputs = [one.replace("...", hidden[width - wide :]) for one, wide in zip(inputs, widths, strict=True)]
    if arrow:
        return inputs, right.replace("...", hidden)
    letters = left.replace("...", "")
    return inputs, hidden + "".join(sorted(one for one in letters if letters.count(one) == 1 and one != ","))


def einsum_cotangents(value: Any, subscripts: str, operands: Sequence[Any]) -> tuple[Any, ...]:
    """What comes back to each operand of `np.einsum(subscripts, *operands)`, without conjugation."""
    if not isinstance(subscripts, str):
        refuse_sublists()
    return tuple(einsum_cotangent(value, subscripts, operands, place) for place in range(len(operands)))


def einsum_cotangent(value: Any, subscripts: str, operands: Sequence[Any], place: int) -> Any:
    """What comes back to the operand at this place, without conjugation."""
    shapes = [np.shape(one) for one in operands]
    inputs, output = explicit_subscripts(subscripts, [len(shape) for shape in shapes])
    others = [one for at, one in enumerate(operands) if at != place]
    other_inputs = [one for at, one in enumerate(inputs) if at != place]
    return _contract(value, output, others, other_inputs, inputs[place], shapes[place])


def _contract(
    value: Any, output: str, others: list[Any], other_inputs: list[str], letters: str, shape: Shape
) -> Any:
    """Contract the cotangent with the other operands to an operand of these letters and this shape."""
    distinct = "".join(dict.fromkeys(letters))
    known = set(output).union(*other_inputs)
    found = "".join(one for one in distinct if one in known)
    terms = ",".join([output, *other_inputs])
    back = _contracted(f"{terms}->{found}", value, *others)
    lengths = dict(zip(letters, shape, strict=True))
    back = np.reshape(back, [np.shape(back)[found.index(one)] if one in found else 1 for one in distinct])
    back = unbroadcast(back, tuple(lengths[one] for one in distinct))
    return back if distinct == letters else _on_diagonal(back, distinct, letters, shape)


def _contracted(subscripts: str, *operands: Any) -> Any:
    """`np.einsum`, through products of matrices where there are enough of them to be worth it."""
    lengths: dict[str, int] = {}
    for letters, operand in zip(subscripts.partition("->")[0].split(","), operands, strict=True):
        for letter, length in zip(letters, np.shape(operand), strict=True):
            lengths[letter] = max(length, lengths.get(letter, 1))
    return np.einsum(subscripts, *operands, optimize=math.prod(lengths.values()) > MANY_PRODUCTS)


MANY_PRODUCTS = 50_000
"""From how many products on it pays to look for products of matrices."""


def _on_diagonal(value: Any, distinct: str, letters: str, shape: Shape) -> Any:
    """Zeros of this shape with `value` where axes of the same letter have the same index."""
    result = np.zeros(shape, np.asarray(value).dtype)
    lengths = dict(zip(letters, shape, strict=True))
    grid = dict(zip(distinct, np.ogrid[tuple(slice(lengths[one]) for one in distinct)], strict=True))
    result[tuple(grid[one] for one in letters)] = value
    return result


def einsum_tangent(subscripts: str, operands: Operands, tangents: Operands) -> Any:
    """The derivative of `np.einsum(subscripts, *operands)` along the operands' tangents."""
    return sum(np.einsum(subscripts, *moved) for _, moved in _replaced(operands, tangents))


def einsum_second(subscripts: str, operands: Operands, tangents: Operands, others: Operands) -> Any:
    """The second derivative of `np.einsum(subscripts, *operands)` along two sets of tangents."""
    terms = _replaced_twice(operands, tangents, others)
    zero = np.einsum(subscripts, *operands) * 0
    return sum((np.einsum(subscripts, *moved) for _, moved in terms), zero)


def einsum_curvature(value: Any, subscripts: str, operands: Operands, tangents: Operands) -> tuple[Any, ...]:
    """The derivative of `einsum_cotangents` along the operands' tangents, `value` fixed."""
    terms: list[Term] = [((place,), moved) for place, moved in _replaced(operands, tangents)]
    return _collected(value, subscripts, operands, terms)


def einsum_third(
    value: Any, subscripts: str, operands: Operands, tangents: Operands, others: Operands
) -> tuple[Any, ...]:
    """The second derivative of `einsum_cotangents` along two sets of tangents, `value` fixed."""
    return _collected(value, subscripts, operands, _replaced_twice(operands, tangents, others))


def _replaced(operands: Operands, tangents: Operands) -> list[tuple[int, Operands]]:
    """The operands with one of them replaced by its tangent, for each that has one."""
    return [
        (place, (*operands[:place], tangent, *operands[place + 1 :]))
        for place, tangent in enumerate(tangents)
        if tangent is not None
    ]


def _replaced_twice(operands: Operands, tangents: Operands, others: Operands) -> list[Term]:
    """The operands with one replaced by its tangent and a different one by its other tangent."""
    return [
        ((first, second), moved)
        for first, once in _replaced(operands, tangents)
        for second, moved in _replaced(once, others)
        if first != second
    ]


def _collected(value: Any, subscripts: str, operands: Operands, terms: list[Term]) -> tuple[Any, ...]:
    """The sums over the terms of what comes back to each operand that the term has not replaced."""
    total: list[Any] = [np.zeros(np.shape(one), float_dtype(one)) for one in operands]
    for replaced, moved in terms:
        for place in range(len(operands)):
            if place not in replaced:
                total[place] = total[place] + einsum_cotangent(value, subscripts, moved, place)
    return tuple(total)


def refuse_order() -> Any:
    """Raises NotImplementedError: the fourth derivative of einsum is not written."""
    raise NotImplementedError("np.einsum has derivatives up to the third: write it with np.tensordot")


def refuse_sublists() -> Any:
    """Raises UnsupportedSyntaxError: the operands of einsum stand among lists of axes."""
    raise UnsupportedSyntaxError(
        "the axes of 'np.einsum' are given as lists.",
        why="its rule reads the axes from a text",
        instead="write the subscripts as a text, such as 'ij,jk->ik'",
    )
