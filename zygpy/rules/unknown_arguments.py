"""The error for calls with arguments that the rule of a function has no names for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zygpy.errors import MissingRuleError
from zygpy.rules import declare
from zygpy.rules.texts import texts


def no_rule_with(callee: Any, count: int, keywords: Sequence[str]) -> MissingRuleError | None:
    """The error for a call with so many arguments by position and these keywords; None if the rule knows all.

    >>> import numpy as np
    >>> from zygpy import rules
    >>> rules.load()
    >>> print(no_rule_with(np.cumsum, 1, ["axis", "memory"]))
    There is no rule for 'cumsum' with 'memory='.
    Why: the rule holds for `cumsum(a, axis=None, dtype=None)`; what else is given may change the result.
    Instead: leave out what has its default value, or give a function of your own that makes the call a rule.
    """
    rule = declare.REGISTRY.get(callee)
    if rule is None or not rule.call:
        return None
    taken = texts(rule).parameters
    known = {one.name for one in taken}
    others = [f"'{name}='" for name in keywords if name not in known]
    places = [one for one in taken if not one.keyword_only]
    if not any(one.starred for one in taken) and count > len(places):
        others.insert(0, f"{count} arguments by position")
    if not others:
        return None
    form = rule.call.partition(" = ")[2]
    return MissingRuleError(
        f"There is no rule for {callee.__name__!r} with {' and '.join(others)}.",
        why=f"the rule holds for `{form}`; what else is given may change the result.",
        instead="leave out what has its default value, or give a function of your own that makes the call a "
        "rule.",
    )
