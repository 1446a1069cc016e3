"""The ways in which one function can be derived for the same kinds of arguments."""

from __future__ import annotations

from typing import NamedTuple


class Way(NamedTuple):
    """`copying`: what the caller can still reach is stashed by copy. `identity`: the cotangents of
    whatever can be changed are kept in the store that the caller passes, found by identity.
    `everywhere`: what is found in globals may be active, because active values are stored there.
    `guarded`: the caller does not expect that, so what is stored in globals is looked at then.
    `changing`: lists and dicts that are found in globals may have other things in them when they are read
    than when the program was derived. `replaced`: the names of functions, in globals, modules and classes,
    in whose place the program itself may put others. `whole`: arguments are gone through however long what
    their fields hold is, as in all calls from outside; calls inside, of which there may be many, do not."""

    copying: bool = False
    identity: bool = False
    everywhere: bool = False
    guarded: bool = False
    changing: bool = False
    replaced: frozenset[str] = frozenset()
    whole: bool = False


PLAIN, COPYING, BY_IDENTITY = Way(), Way(copying=True), Way(copying=True, identity=True)
KEPT = COPYING._replace(whole=True)
"""That of a call from outside whose pullback is kept, and called later."""
