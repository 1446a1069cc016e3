"""Every rule that has a tangent: `<v, J u> == <J^T v, u>`, in every form in which the rules are called."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from tests.rules import reference
from tests.rules.array_calls import CALLS, Call
from tests.rules.reference import name_of
from tests.rules.test_arrays import COMPLEX as COMPLEX_CALLS
from tests.rules.test_arrays import converted, differentiated, label, to_complex
from tests.rules.test_elementwise import COMPLEX, WIDE, generator_for, shapes_for
from zygpy import dispatch, rules
from zygpy.analyse.values import Value
from zygpy.ir.kinds import kind_of
from zygpy.pushing import Push
from zygpy.rules import declare
from zygpy.rules.declare import Rule
from zygpy.rules.texts import texts
from zygpy.runtime.ways import PLAIN
from zygpy.runtime.zeros import CannotPush
from zygpy.tangent_functions import Refused, tangent_of
from zygpy.testing import trees
from zygpy.testing.check import random_weight

rules.load()


WITHOUT = frozenset(
    [
        "arange",
        "array",
        "asanyarray",
        "asarray",
        "ascontiguousarray",
        "asfortranarray",
        "corrcoef",
        "cov",
        "divisor_sum",
        "einsum_curvature",
        "einsum_second",
        "interp",
        "gradient",
        "nan_to_num",
        "nanquantile",
        "pad",
        "power_base",
        "power_exponent",
        "reshape_each",
        "sign",
        "unique",
        "unique_all",
        "unique_counts",
        "unique_inverse",
        "unit",
        "unit_cotangent",
    ]
)
"""Functions that have no tangent in some of the ways in which they are called here (complex numbers, lists of
several sorts, one argument alone)."""


def push_along(function: Any, args: list[Any], kwargs: dict[str, Any], moving: list[int]) -> Push | Refused:
    """The call of a function that has a rule, of which only the arguments at these positions vary."""
    values = [*args, *kwargs.values()]
    abstract = [Value(kind_of(value), place in moving) for place, value in enumerate(values)]
    found = tangent_of(dispatch.unit_of_primitive(function, args, kwargs), abstract, {})
    return found if isinstance(found, Refused) else Push(found, tuple(values), tuple(moving), lambda: found)


PULLED: Counter[Any] = Counter()
"""How often functions were called whose pullback is differentiated."""

FEW = 4
"""So many of such calls are compared for each function."""


def compare(function: Any, args: list[Any], kwargs: dict[str, Any], moving: list[int]) -> bool:
    """The tangent and the cotangent of one call agree; False where there is no tangent."""
    found = push_along(function, args, kwargs, moving)
    if isinstance(found, Refused):
        return False
    if "pushed_by_rule" in found.tangent.text.source:  # which has nothing of the rule's own in it
        PULLED[function] += 1
        if PULLED[function] > FEW:
            return True
    random = np.random.default_rng(7)
    values = [*args, *kwargs.values()]
    directions = [
        trees.weights_of(lambda leaf: random_weight(random, leaf), values[place]) for place in moving
    ]
    try:
        y, y_dot = found.run(directions)
    except CannotPush:
        return False
    raw, back = dispatch.pull_with(function, tuple(args), kwargs, way=PLAIN)
    weights = trees.weights_of(lambda leaf: random_weight(random, leaf), raw)
    bars = [back(weights)[1 + place] for place in moving]
    for one, other in zip(leaves(y), leaves(raw), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)
    assert trees.same(trees.transform(lambda _, leaf: 0.0, y_dot), trees.transform(lambda _, leaf: 0.0, y))
    left, right = float(trees.inner(weights, y_dot)), float(trees.inner(bars, directions))
    assert left == pytest.approx(right, rel=1e-8, abs=1e-8)
    return True


def leaves(value: Any) -> list[Any]:
    return [leaf for _, leaf in trees.leaves(value)]


def each_way(function: Any, args: list[Any], kwargs: dict[str, Any], moving: list[int]) -> None:
    """Along all arguments together, and along each of them alone."""
    ways = [moving, *([place] for place in moving if len(moving) > 1)]
    known = [compare(function, args, kwargs, way) for way in ways if way]
    assert all(known) or function.__name__ in WITHOUT


def places(rule: Rule, args: list[Any], kwargs: dict[str, Any], names: list[str]) -> list[int]:
    """The positions among all arguments of the parameters of these names."""
    found: list[str] = []
    for parameter in texts(rule).parameters:
        found += [parameter.name] * (len(args) - len(found) if parameter.starred else 1)
    found = [*found[: len(args)], *kwargs]
    return [place for place, name in enumerate(found) if name in names]


def of_entry(entry: Call, to: Any = None) -> None:
    function, args, kwargs = entry
    rule = declare.REGISTRY[function]
    moving = places(rule, list(args), kwargs, differentiated(entry))
    values = [*args, *kwargs.values()]
    if to is not None:
        values = [converted(value, to) if place in moving else value for place, value in enumerate(values)]
    given = dict(zip(kwargs, values[len(args) :], strict=True))
    each_way(function, values[: len(args)], given, moving)


@pytest.mark.parametrize("entry", CALLS, ids=label)
def test_arrays(entry: Call) -> None:
    of_entry(entry)


@pytest.mark.parametrize("entry", COMPLEX_CALLS, ids=label)
def test_complex_arrays(entry: Call) -> None:
    of_entry(entry, to_complex)


def elementwise(rule: Rule, dtype: Any) -> None:
    generator = generator_for(rule)
    for shapes in shapes_for(rule):
        case = reference.case_of(rule, generator, shapes, dtype)
        names = list(case.values)
        if names != list(texts(rule).names())[: len(names)]:
            raise AssertionError(f"{rule.function} is called by keyword only")
        moving = [place for place, name in enumerate(names) if name in case.wrt]
        each_way(rule.function, list(case.values.values()), {}, moving)


@pytest.mark.parametrize("rule", WIDE, ids=name_of)
def test_elementwise(rule: Rule) -> None:
    elementwise(rule, np.float64)


@pytest.mark.parametrize("rule", COMPLEX, ids=name_of)
def test_elementwise_of_complex_numbers(rule: Rule) -> None:
    elementwise(rule, np.complex128)
