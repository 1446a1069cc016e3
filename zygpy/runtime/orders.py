"""The order of keys, which is the same however little they move: nothing of it has a derivative."""

from __future__ import annotations

from typing import Any

from zygpy.runtime.protocols import check_all_comparing


def permutation(keys: list[Any], reverse: Any = False) -> list[int]:
    """The positions of the keys in the order in which `sorted` puts them.

    >>> permutation([2.0, 1.0, 2.0]), permutation([2.0, 1.0, 2.0], True)
    ([1, 0, 2], [0, 2, 1])
    """
    check_all_comparing(keys)
    return sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse)


def place_of_largest(keys: list[Any]) -> int:
    """The position of the first of the largest keys."""
    check_all_comparing(keys)
    return max(range(len(keys)), key=keys.__getitem__)


def place_of_smallest(keys: list[Any]) -> int:
    """The position of the first of the smallest keys."""
    check_all_comparing(keys)
    return min(range(len(keys)), key=keys.__getitem__)
