"""What a program leaves behind: globals that it writes, and a log."""

from __future__ import annotations

from tests.random_programs.grammar import expr, expression, statement
from tests.random_programs.kinds import FLOAT, TABLE, Float, Kind
from tests.random_programs.scope import Lines, Scope

GLOBALS = [
    "LOG = []",
    'STATE = {"a": 0.7, "b": -0.4}',
    "BUFFER = np.array([0.3, 0.1, -0.2])",
    "TOTAL = 0.25",
    "LAST = 0",
]


@statement("effects", 2)
def note(scope: Scope) -> Lines:
    return [f"LOG.append({expr(scope, FLOAT, 1)})"]


@statement("effects", 2)
def write_global(scope: Scope) -> Lines:
    forms = ('STATE["a"] = {}', 'STATE["b"] += {}', 'STATE["c"] = {}', "BUFFER[1] = {}", "BUFFER[0] += {}")
    return [scope.pick(forms).format(expr(scope, FLOAT, 1))]


@statement("effects", 0.7)
def share_global(scope: Scope) -> Lines:
    """A name for a global dict."""
    return [f"{scope.bind('d', TABLE)} = STATE"]


@expression(Float, "effects", 2)
def read_global(scope: Scope, kind: Kind, depth: int) -> str:
    forms = (
        'STATE["a"]',
        'STATE["b"]',
        'STATE.get("c", 0.2)',
        "BUFFER[1]",
        "BUFFER.sum()",
        "(LOG or [0.1])[-1]",
    )
    return scope.pick(forms)
