"""Sites: the allocations that a value may be, or have in it, and sets of these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from threading import Lock
from typing import ClassVar, TypeAlias

Site: TypeAlias = "tuple[str, str | int, bool]"
"""An allocation: ("param", name, True), ("at", statement number, most recent?), OUTSIDE or NAMED."""

OUTSIDE: Site = ("outside", 0, True)
"""What others may find without being given it."""

NAMED: Site = ("named", 0, True)
"""What was read by the name of a global or captured variable, a class or a module; it is outside too. (Of
what an unknown call gives nobody knows whether it is outside.)"""

KEPT: Site = ("kept", 0, True)
"""What a function under a cache gives, which is entered again: the cache would give the same thing."""

RETURNED: Site = ("returned", 0, True)
"""What a call has made, and what its arguments may hold since, where nobody finds that without being given
it: one such thing may be another."""

PARAMETER = "param"
"""How the sites begin of what the caller gives."""

FRESH = "at"
"""How the sites begin of what a statement allocates."""

MADE = "made"
"""The same, where that is a container that is not in itself: everything that it holds has sites of its own,
held."""

CALLED = "called"
"""How the sites begin of what one call has made, and all that is in it but for what its arguments hold, where
nobody else knows it: what the next call gives is another. (One of the things in it may hold another one.)"""

HELD = "held "
"""Begins the first word of a site that a container does not have itself: something in it may."""


def parameter_site(name: str) -> Site:
    """The allocation that a parameter holds at the call."""
    return (PARAMETER, name, True)


def fresh_site(number: int) -> Site:
    """What the statement of that number allocated most recently."""
    return (FRESH, number, True)


def container_site(number: int) -> Site:
    """What a statement allocated most recently, where that is a container that is not in itself."""
    return (MADE, number, True)


def called_site(number: int) -> Site:
    """What the call in a statement made most recently; of a function, what its calls give: number 0."""
    return (CALLED, number, True)


def cell_site(name: str) -> Site:
    """What functions can reach that share an explicit cell, beside what is in it."""
    return ("cell", name, True)


def held(site: Site) -> Site:
    """The site that a container has which holds the allocation."""
    return site if is_held(site) else (HELD + site[0], site[1], site[2])


def is_held(site: Site) -> bool:
    """Whether the site is that of something in the container, not of the container."""
    return site[0].startswith(HELD)


def let_go(site: Site) -> Site:
    """The site itself, of the container or of something in it."""
    return (site[0].removeprefix(HELD), site[1], site[2])


class Sites:
    """An immutable set of sites, as the bits of a number: four for each allocation, in this order: the most
    recent one, an older one, held and the most recent one, held and an older one.

    There are large programs in which everything may be everything; a number has room for all of them, and
    what is asked of the sets is arithmetic.
    """

    __slots__ = ("bits",)
    bits: int

    def __init__(self, bits: int) -> None:
        self.bits = bits

    def __or__(self, other: Sites) -> Sites:
        bits = self.bits | other.bits
        return self if bits == self.bits else other if bits == other.bits else _of_bits(bits)

    def __and__(self, other: Sites) -> Sites:
        return self._as(self.bits & other.bits)

    def __sub__(self, other: Sites) -> Sites:
        return self._as(self.bits & ~other.bits)

    def __le__(self, other: Sites) -> bool:
        return self.bits & ~other.bits == 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sites) and self.bits == other.bits

    def __hash__(self) -> int:
        return hash(self.bits)

    def __len__(self) -> int:
        return self.bits.bit_count()

    def __bool__(self) -> bool:
        return self.bits != 0

    def __contains__(self, site: Site) -> bool:
        return self.bits & _bit(site) != 0

    def __iter__(self) -> Iterator[Site]:
        bits = self.bits
        while bits:
            lowest = bits & -bits
            yield _SITES[lowest.bit_length() - 1]
            bits ^= lowest

    def __repr__(self) -> str:
        return f"Sites({', '.join(map(repr, self))})"

    def union(self, *others: Sites) -> Sites:
        """The sites of any of these."""
        bits = self.bits
        for other in others:
            bits |= other.bits
        return self._as(bits)

    def isdisjoint(self, other: Sites) -> bool:
        """Whether no site is in both."""
        return self.bits & other.bits == 0

    def _as(self, bits: int) -> Sites:
        return self if bits == self.bits else _of_bits(bits)


def _of_bits(bits: int) -> Sites:
    """The set of these bits: mostly the one that there is already, so that the same sets need not be
    compared."""
    found = _KNOWN.get(bits)
    if found is None:
        if len(_KNOWN) >= MOST_KNOWN:
            _KNOWN.clear()
        found = _KNOWN[bits] = Sites(bits)
    return found


_KNOWN: dict[int, Sites] = {}

MOST_KNOWN = 4096
"""So many sets at most are kept: others that are the same as one of them are made then."""

_SITES: list[Site] = []
_GROWING = Lock()
_OWN, _OF_HELD, _NEWEST, _OLDER = 0b0011, 0b1100, 0b0101, 0b1010


class _Masks:
    """The bits of all allocations that there are, by what they say."""

    own = of_held = newest = older = 0
    made: ClassVar[dict[str, int]] = {}  # of what was made so: of the allocations, and of what holds them


def _bit(site: Site) -> int:
    found = _BITS.get(site)
    return _entered(site) if found is None else found


_BITS: dict[Site, int] = {}


def _entered(site: Site) -> int:
    """The bit of a site whose allocation is seen for the first time."""
    with _GROWING:
        if site not in _BITS:
            how, which, _ = let_go(site)
            first = len(_SITES)
            variants: list[Site] = [(how, which, True), (how, which, False)]
            for variant in (*variants, *map(held, variants)):
                _BITS[variant] = 1 << len(_SITES)
                _SITES.append(variant)
            _Masks.own |= _OWN << first
            _Masks.of_held |= _OF_HELD << first
            _Masks.newest |= _NEWEST << first
            _Masks.older |= _OLDER << first
            _Masks.made[how] = _Masks.made.get(how, 0) | 0b1111 << first
        return _BITS[site]


NOWHERE = _of_bits(0)
"""The sites of what is no allocation: a number."""


@lru_cache(maxsize=4096)
def sites_of(*sites: Site) -> Sites:
    """The set of these sites."""
    bits = 0
    for site in sites:
        bits |= _bit(site)
    return _of_bits(bits)


def all_of(sets: Iterable[Sites]) -> Sites:
    """The sites of all of these."""
    bits = 0
    for sites in sets:
        bits |= sites.bits
    return _of_bits(bits)


def both(a: Sites, b: Sites) -> Sites:
    """The sites of either."""
    return a | b


def own(sites: Sites) -> Sites:
    """The sites of a value itself, without those of what is in it."""
    return _of_bits(sites.bits & _Masks.own)


def newest(sites: Sites) -> Sites:
    """Those of the sites that were allocated most recently."""
    return _of_bits(sites.bits & _Masks.newest)


def in_it(sites: Sites) -> Sites:
    """The allocations of what is in a value."""
    return _of_bits((sites.bits & _Masks.of_held) >> 2)


def made_so(sites: Sites, *ways: str) -> Sites:
    """Those of the sites whose allocations were made in one of these ways, held or not."""
    mask = 0
    for way in ways:
        mask |= _Masks.made.get(way, 0)
    return _of_bits(sites.bits & mask)


def contained(sites: Sites) -> Sites:
    """What a new container can reach that holds a value with these sites."""
    bits = sites.bits
    return _of_bits(bits & _Masks.of_held | (bits & _Masks.own) << 2)


def reachable(sites: Sites) -> Sites:
    """The sites of a value and of everything in it."""
    bits = sites.bits
    return _of_bits(bits & _Masks.own | (bits & _Masks.of_held) >> 2)


def everything(sites: Sites) -> Sites:
    """A value and whatever is in it."""
    return sites | _of_bits((sites.bits & _Masks.of_held) >> 2)


def allocations(sites: Sites) -> Sites:
    """What made a value, and what is in it, of whatever round of a loop."""
    bits = reachable(sites).bits
    return _of_bits(bits & _Masks.newest | (bits & _Masks.older) >> 1)


def or_holding(sites: Sites) -> Sites:
    """The sites of what may be one of these values, or a new container with one in it."""
    return sites | contained(own(made_so(sites, MADE)))


def extracted(sites: Sites) -> Sites:
    """The sites of what is taken out of a container (or array) with these sites."""
    return everything(sites - own(made_so(sites, MADE)))


def with_newest(sites: Sites) -> Sites:
    """The sites, and what the same statements allocated most recently."""
    return sites | _of_bits((sites.bits & _Masks.older) >> 1)


def of_any_round(sites: Sites) -> Sites:
    """The sites, and what the same statements allocated in other rounds of their loops (no containers)."""
    bits = own(made_so(sites, FRESH)).bits
    return sites | _of_bits((bits & _Masks.newest) << 1 | (bits & _Masks.older) >> 1)


def with_holders(sites: Sites) -> Sites:
    """The sites that a value may have that is one of these allocations, or holds one."""
    own = sites.bits & _Masks.own
    return _of_bits(own | own << 2)


def aged(sites: Sites, recent: Sites) -> Sites:
    """The sites, when what made the `recent` ones is about to allocate again."""
    found = sites.bits & recent.bits
    return _of_bits(sites.bits & ~found | found << 1)


def names_of_parameters(sites: Sites) -> set[str]:
    """The names of the parameters whose allocations are among the sites (not held)."""
    return {str(site[1]) for site in own(made_so(sites, PARAMETER))}


BY_NAME = sites_of(OUTSIDE, NAMED)
"""The sites of what was read by the name of something outside."""
