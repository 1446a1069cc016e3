"""Where two signatures are equal, the kinds are, so that one derivation serves both calls."""

from __future__ import annotations

import itertools
import math
from collections import namedtuple
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from zygpy.ir.kinds import kind_of
from zygpy.load.signatures import PLAIN, signature_of

Pair = namedtuple("Pair", "first second")
scalars: list[Any] = [cls(1) for cls in (np.float16, np.float32, np.float64, np.complex64, np.int8, np.bool_)]
arrays = [
    np.zeros((2,) * rank, dtype) for rank in range(3) for dtype in ("f8", "f4", ">f8", "c16", "i4", "?", "U3")
]
VALUES: list[Any] = [
    *(1, 1.0, True, 1j, Fraction(1, 2), "text", b"bytes", None, ..., math, math.sin, np.sin, float, len),
    *(
        (1.0,),
        (1.0, 2.0),
        (1, 2.0),
        Pair(1.0, 2.0),
        [1.0],
        [1],
        [],
        {"a": 1.0},
        {"b": 1.0},
        {1: 1.0},
        range(3),
    ),
    *(lambda x: x, [].append, slice(1), object(), {1.0}),
    *scalars,
    *arrays,
]


def test_equal_signatures_mean_equal_kinds() -> None:
    for a, b in itertools.product(VALUES, repeat=2):
        if signature_of([a]) == signature_of([b]):
            assert kind_of(a) == kind_of(b)


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_signature_is_a_key(value: Any) -> None:
    assert {signature_of([value, 1.0]): "found"}[signature_of([value, 2.0])] == "found"


@pytest.mark.parametrize("cls", sorted(PLAIN, key=str))
def test_plain_types_determine_the_kind(cls: type) -> None:
    values = (
        [None]
        if cls is type(None)
        else [cls(), cls(1) if cls not in (str, bytes) else cls(b"1") if cls is bytes else "1"]
    )
    assert len({kind_of(value) for value in values}) == 1


def test_subclasses_are_no_numbers() -> None:
    class Length(float):
        pass

    assert signature_of([Length(1.0)]) != signature_of([1.0])
