"""Derivations: from a function and what is known of its arguments to the pair that differentiates it.

One outermost derivation has everything that it reaches, in three layers, each of which knows only those
before it: programs are interpreted (`callees`, `interpreted`), what their calls do is summarised (`told`,
`summaries`), and pairs are made (`pairs`).
"""

from __future__ import annotations

from zygpy.analyse.replacing import names_of as names_of
from zygpy.derivation.callees import OPAQUE as OPAQUE
from zygpy.derivation.callees import defaults_of as defaults_of
from zygpy.derivation.computing_alone import computing_alone as computing_alone
from zygpy.derivation.needs import NeedsMore as NeedsMore
from zygpy.derivation.needs import more as more
from zygpy.derivation.pairs import DOORS as DOORS
from zygpy.derivation.pairs import Derivation as Derivation
from zygpy.derivation.refusals import no_rule_on as no_rule_on
from zygpy.derivation.told import ELSEWHERE as ELSEWHERE
from zygpy.derivation.told import carries as carries
from zygpy.derivation.told import changes_nothing as changes_nothing
from zygpy.derivation.told import makes_functions as makes_functions
from zygpy.derivation.told import what_is_reachable as what_is_reachable
from zygpy.derivation.under_caches import Standing as Standing
from zygpy.derivation.under_caches import in_pairs as in_pairs
from zygpy.derivation.under_caches import keeping as keeping
from zygpy.derivation.under_caches import noting as noting
from zygpy.derivation.under_caches import own_places as own_places
from zygpy.derivation.under_caches import standing_for as standing_for
from zygpy.derivation.under_caches import standing_of as standing_of
