"""The run-time door: any callable and any arguments -> value and pullback.

`pull` is what `pullback`, and generated code for callees that it cannot know, go through. The `back`
of every door returns a flat tuple: a cotangent for the callee (or receiver) itself, then one for
each positional and each keyword argument, in order.

A call is prepared - its pair found, its arguments put in order (`callables`, with `functions`, `primitives`
and `parts` below it, and `writes` for what changes a value) - and then made (`making`). `pulling` does both
for the entry points, `doors` for generated code.
"""

from __future__ import annotations

from zygpy import derivation as derivation
from zygpy import units
from zygpy.dispatch import doors as doors  # registers itself
from zygpy.dispatch.callables import SPECIAL as SPECIAL
from zygpy.dispatch.callables import prepare as prepare
from zygpy.dispatch.callables import prepare_method as prepare_method
from zygpy.dispatch.callables import prepared_call as prepared_call
from zygpy.dispatch.found_once import check_found_once as check_found_once
from zygpy.dispatch.functions import prepare_caught as prepare_caught
from zygpy.dispatch.functions import prepare_caught_step as prepare_caught_step
from zygpy.dispatch.functions import prepare_generator as prepare_generator
from zygpy.dispatch.functions import prepare_step as prepare_step
from zygpy.dispatch.making import Pulled as Pulled
from zygpy.dispatch.making import made as made
from zygpy.dispatch.making import run as run
from zygpy.dispatch.making import run_by_identity as run_by_identity
from zygpy.dispatch.parts import prepare_attribute as prepare_attribute
from zygpy.dispatch.parts import prepare_item as prepare_item
from zygpy.dispatch.primitives import OPERATORS as OPERATORS
from zygpy.dispatch.primitives import has_own_way as has_own_way
from zygpy.dispatch.primitives import unit_of_primitive as unit_of_primitive
from zygpy.dispatch.pulling import DOORS as DOORS
from zygpy.dispatch.pulling import prepare_given as prepare_given
from zygpy.dispatch.pulling import prepare_inside as prepare_inside
from zygpy.dispatch.pulling import pull as pull
from zygpy.dispatch.pulling import pull_with as pull_with
from zygpy.dispatch.refusals import intercepted as intercepted
from zygpy.dispatch.refusals import refuse_acting as refuse_acting
from zygpy.dispatch.refusals import unseen_write as unseen_write
from zygpy.load.code import locate_refused as locate_refused


def refresh() -> None:
    """Drop every derivation."""
    units.forget()
