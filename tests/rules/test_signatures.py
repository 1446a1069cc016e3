"""The parameters that rules name, beside those that NumPy documents."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.rules import names, reference
from zygpy.errors import MissingRuleError
from zygpy.rules.declare import PROGRAMS, REGISTRY, stands_for
from zygpy.rules.texts import Parameter, texts

REFUSED = "refused_keywords.csv"
UFUNCS = "ufuncs"
"""What stands for all ufuncs in the list, as their keywords are the same."""

names.load_everything()


def functions() -> list[tuple[str, Any]]:
    """NumPy's functions that have a rule with parameters, by name."""
    found = [(name, names.resolved(name)) for name in names.listed_names() if name.startswith("numpy.")]
    return [(name, function) for name, function in found if function in REGISTRY and REGISTRY[function].call]


def signature(function: Any) -> inspect.Signature | None:
    """NumPy's own account of a function's parameters, if it gives one."""
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return None


def parameters(function: Any) -> tuple[Parameter, ...]:
    return texts(REGISTRY[function]).parameters


def unnamed(function: Any) -> list[str]:
    """Parameters that NumPy has and the rule does not name."""
    found = signature(function)
    named = {parameter.name for parameter in parameters(function)}
    return [] if found is None else [name for name in found.parameters if name not in named]


def of_ufuncs(function: np.ufunc) -> list[str]:
    """The keywords of a ufunc, without its operands."""
    return unnamed(function)[function.nin :]


def listed() -> dict[tuple[str, ...], str]:
    return names.reasons(REFUSED, "name", "keyword")


def test_every_keyword_is_named_or_listed() -> None:
    missing = [
        (name, keyword)
        for name, function in functions()
        for keyword in (of_ufuncs(function) if isinstance(function, np.ufunc) else unnamed(function))
        if (UFUNCS if isinstance(function, np.ufunc) else name, keyword) not in listed()
    ]
    assert missing == []


def test_what_is_listed_is_not_named() -> None:
    named = {(name, one.name) for name, function in functions() for one in parameters(function)}
    assert [key for key in listed() if key in named] == []


def test_the_list_is_sorted_and_says_why() -> None:
    assert list(listed()) == sorted(listed())
    assert {name for name, _ in listed()} <= {UFUNCS, *names.listed_names()}
    assert all(listed().values())


@pytest.mark.parametrize(("name", "function"), functions(), ids=[name for name, _ in functions()])
def test_parameters_stand_where_numpy_has_them(name: str, function: Any) -> None:
    """All but those of `np.arange`, whose `dtype` may also be given by position."""
    found = signature(function)
    if found is None or function is np.arange or isinstance(function, np.ufunc):
        return
    positional = [one.name for one in found.parameters.values() if one.kind != one.KEYWORD_ONLY]
    for place, one in enumerate(parameters(function)):
        if not (one.keyword_only or one.starred) and one.name in found.parameters:
            assert positional[place : place + 1] in ([one.name], []), one.name


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (lambda x: np.var(x, 0, None, None, 1), [-4 / 3, -1 / 3, 5 / 3]),
        (lambda x: np.sum(x, 0, None, None, True)[0], [1.0, 1.0, 1.0]),
    ],
)
def test_arguments_behind_those_that_a_rule_does_not_name(program: Any, expected: list[float]) -> None:
    found = zg.gradient(program, np.array([1.0, 2.0, 4.0]))[0]
    np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_parameters_of_programs_stand_where_the_library_has_them() -> None:
    """Whose versions may put new ones between others."""
    moved = []
    for function, stand in PROGRAMS.items():
        found = signature(function)
        given = () if found is None else tuple(one for one in found.parameters.values() if one.kind < 2)
        own = [one for one in inspect.signature(stand.program).parameters.values() if one.kind < 2]
        places = {one.name: place for place, one in enumerate(given)}
        for place, one in enumerate(own):
            if places.get(one.name, place) != place and given[0].name != "self":
                moved.append((function, one.name))
    assert moved == []


def later(x: Any, n: int = 1, m: int = 2, weights: Any = None) -> Any:
    return x * n if weights is None else x * weights


def earlier(x: Any, n: int = 1) -> Any:
    return x * n


def test_arguments_of_later_versions_are_refused() -> None:
    """Those that a function takes, and a program that stands for it does not."""
    stands_for(later, earlier)
    try:
        assert zg.gradient(lambda x: later(x, n=3), 2.0) == (3.0,)
        assert zg.gradient(lambda x: x * later(2.0, weights=3.0), 2.0) == (6.0,)
        for program in (
            lambda x: later(x, weights=3.0),
            lambda x: later(x, 1, 2),
            lambda x: [later, earlier][int(x > 5)](x, weights=3.0),
        ):
            with pytest.raises(MissingRuleError, match="no rule for this call with"):
                zg.gradient(program, 2.0)
        with pytest.raises(TypeError, match="unexpected keyword argument 'other'"):
            zg.gradient(lambda x: later(x, other=3.0), 2.0)  # type: ignore[call-arg]
    finally:
        del PROGRAMS[later]
        REGISTRY.changed()


def test_helpers_have_the_defaults_of_their_rules() -> None:
    """Texts leave an argument out that is the helper's own default: its rule has to know it."""
    lacking = []
    for rule in reference.load_all_rules():
        if not (getattr(rule.function, "__module__", None) or "").startswith("zygpy.runtime."):
            continue
        own = inspect.signature(rule.function).parameters
        for parameter in texts(rule).parameters:
            known = own.get(parameter.name)
            if known is not None and known.default is not known.empty and parameter.required:
                lacking.append((reference.name_of(rule), parameter.name))
    assert lacking == []
