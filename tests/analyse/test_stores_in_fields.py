"""What is known of objects of one class in whose fields others of that class are stored."""

from __future__ import annotations

import pytest

from zygpy.analyse.fields import Partner, _settled_store
from zygpy.ir.kinds import FLOAT, NONE, UNKNOWN, Kind, Object, join, parts_of


def tangent_of_tree(depth: int) -> Kind:
    """The kind of the tangent of a node, so many of which lie in each other."""
    below = join(NONE, tangent_of_tree(depth - 1)) if depth else NONE
    return Object(Partner, (("left", below), ("right", below), ("v", FLOAT)))


@pytest.mark.parametrize("depth", [0, 2, 4])
def test_tangents_of_trees_do_not_grow_without_end(depth: int) -> None:
    """Each step would put the whole in place of every part of it, and squares what was there."""
    stored = tangent_of_tree(depth)
    assert _settled_store(Partner, "left", stored) is UNKNOWN
    assert _settled_store(Partner, "v", FLOAT) == FLOAT


def test_what_settles_is_known() -> None:
    stored = Object(Partner, (("left", FLOAT), ("v", FLOAT)))
    found = _settled_store(Partner, "left", stored)
    assert found == Object(Partner, (("left", UNKNOWN), ("v", FLOAT)))


def test_nodes_of_a_class_of_the_programs_are_told_in_short() -> None:
    class Node:
        pass

    stored = Object(Node, (("left", NONE), ("v", FLOAT)))
    found = _settled_store(Node, "left", stored)
    assert found != UNKNOWN
    assert parts_of(found, 100) < 10
