"""Sets of sites against plain sets of tuples."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zygpy.analyse import sites
from zygpy.analyse.sites import Site, Sites, sites_of

ALLOCATIONS: list[Site] = [
    (how, which, recent)
    for how, which, recent in [
        *product(["at", "made"], [1, 2, 7001], [True, False]),
        ("param", "x", True),
        ("param", "y", True),
        ("cell", "x", True),
        sites.OUTSIDE,
        sites.NAMED,
        sites.RETURNED,
    ]
]
ALL = [*ALLOCATIONS, *map(sites.held, ALLOCATIONS)]
sets = st.frozensets(st.sampled_from(ALL))


def packed(plain: frozenset[Site]) -> Sites:
    return sites_of(*plain)


@given(sets)
def test_what_is_put_in_comes_out(plain: frozenset[Site]) -> None:
    assert frozenset(packed(plain)) == plain
    assert len(packed(plain)) == len(plain)
    assert bool(packed(plain)) == bool(plain)
    assert all((site in packed(plain)) == (site in plain) for site in ALL)


@given(sets, sets)
def test_operators(a: frozenset[Site], b: frozenset[Site]) -> None:
    one, other = packed(a), packed(b)
    assert frozenset(one | other) == frozenset(sites.both(one, other)) == a | b
    assert frozenset(one.union(other, one)) == frozenset(sites.all_of([one, other])) == a | b
    assert frozenset(one & other) == a & b
    assert frozenset(one - other) == a - b
    assert (one <= other) == (a <= b)
    assert one.isdisjoint(other) == a.isdisjoint(b)
    assert (one == other) == (a == b)
    assert one != other or hash(one) == hash(other)


def newest(site: Site) -> Site:
    return (site[0], site[1], True)


@given(sets)
def test_what_sites_say(plain: frozenset[Site]) -> None:
    own = {site for site in plain if not sites.is_held(site)}
    inside = {sites.let_go(site) for site in plain - own}
    found = packed(plain)
    assert set(sites.own(found)) == own
    assert set(sites.in_it(found)) == inside
    assert set(sites.contained(found)) == set(map(sites.held, plain))
    assert set(sites.reachable(found)) == own | inside
    assert set(sites.everything(found)) == plain | inside
    assert set(sites.allocations(found)) == set(map(newest, own | inside))
    assert set(sites.with_newest(found)) == plain | set(map(newest, plain))
    assert set(sites.with_holders(found)) == own | set(map(sites.held, own))
    made = {site for site in own if site[0] == "made"}
    assert set(sites.or_holding(found)) == plain | set(map(sites.held, made))
    assert set(sites.extracted(found)) == (plain - made) | inside
    assert sites.names_of_parameters(found) == {site[1] for site in own if site[0] == "param"}
    there = {site for site in plain if sites.let_go(site)[0] in ("at", "param")}
    assert set(sites.made_so(found, "at", "param")) == there
    fresh = {site for site in own if site[0] == "at"}
    assert set(sites.of_any_round(found)) == plain | {(how, at, not recent) for how, at, recent in fresh}


@pytest.mark.parametrize("recent", [("at", 2, True), ("made", 1, True)], ids=["fresh", "container"])
@given(sets)
def test_what_becomes_older(recent: Site, plain: frozenset[Site]) -> None:
    again = {recent, sites.held(recent)}
    expected = {
        (how, which, False) if (how, which, now) in again else (how, which, now) for how, which, now in plain
    }
    assert set(sites.aged(packed(plain), packed(frozenset(again)))) == expected
