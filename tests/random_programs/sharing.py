"""Functions in functions, several levels deep, that share variables: who rebinds them, who reads them, where
the functions are kept, and what happens between their calls."""

from __future__ import annotations

from dataclasses import dataclass

from tests.random_programs.grammar import expr, statement
from tests.random_programs.kinds import FLOAT
from tests.random_programs.scope import Lines, Scope, indented

LEVELS = 3
HELD = (
    ("{keep} = [{f}, {v}]", "{keep}[0]({args})"),
    ("{keep} = Both({f}, {v})", "{keep}.x({args}) * {keep}.y"),
    ('{keep} = {{"f": {f}, "v": {v}}}', '{keep}["f"]({args}) * {keep}["v"]'),
    ("{keep} = functools.partial({f}, {args})", "{keep}()"),
    ("{keep} = lambda: {f}({args})", "{keep}()"),
    ("{keep} = {f}", "{keep}({args})"),
    ("{keep} = [{f}, [{f}]]", "{keep}[1][0]({args}) * {keep}[0]({args})"),
)
"""Ways to keep a function, and to call it later."""


@dataclass
class Level:
    """The function that is being written: what it can read, what it may rebind, what it can call (with how
    many arguments), and how many more may be nested in it."""

    scope: Scope
    seen: list[str]
    own: list[str]
    functions: list[tuple[str, int]]
    left: int

    def number(self) -> str:
        """A short expression on what is seen."""
        a, b = self.scope.pick(self.seen), self.scope.pick(self.seen)
        return self.scope.pick(("{a}", "{a} * {b}", "{a} * 0.5", "({a} - {b} * 0.3)", "{a} + {b}")).format(
            a=a, b=b
        )

    def args(self, count: int) -> str:
        """That many arguments."""
        return ", ".join(self.number() for _ in range(count))

    def call(self) -> str | None:
        """A call of a function that is known by name."""
        if not self.functions:
            return None
        name, count = self.scope.pick(self.functions)
        return f"{name}({self.args(count)})"


@statement("sharing", 3)
def functions_that_share(scope: Scope) -> Lines | None:
    """A function whose inner functions share its variables and those around it."""
    if scope.nested or scope.depth <= 0:
        return None
    local = {name for name, kind in scope.names.items() if kind == FLOAT and name != "TOTAL"}
    free = [name for name in sorted(local) if name not in scope.fixed]
    seen = [name for name, kind in scope.names.items() if kind == FLOAT] or [expr(scope, FLOAT, 0)]
    first = scope.bind("shared", FLOAT)
    outermost = Level(scope, [*seen, first], [*free, first], [], LEVELS)
    start = scope.pick(seen)
    lines = [f"{first} = {start} * 0.5" if scope.chance(0.7) else f"{first} = {start}"]
    lines += _definition(outermost, "deep")
    for _ in range(scope.random.randint(1, 2)):
        lines += _rebinding(outermost) if scope.chance(0.5) else []
        lines.append(f"{first} = {first} * 0.5 + math.sin({outermost.call()})")
    return lines


def _definition(around: Level, stem: str) -> Lines:
    """A function with a body of its own, known to the level around it."""
    scope = around.scope
    name, parameters = scope.world.fresh(stem), [scope.world.fresh("p") for _ in range(scope.pick((0, 0, 1)))]
    rebound = [variable for variable in around.own if scope.chance(0.35)]
    inner = Level(
        scope, [*around.seen, *parameters], [*rebound, *parameters], list(around.functions), around.left - 1
    )
    body = [f"nonlocal {', '.join(rebound)}"] if rebound else []
    body += _body(inner)
    around.functions.append((name, len(parameters)))
    return [f"def {name}({', '.join(parameters)}):", *indented(body)]


def _body(level: Level) -> Lines:
    total = level.scope.world.fresh("r")
    lines: Lines = []
    if level.scope.chance(0.4):
        fresh = level.scope.world.fresh("k")
        lines.append(f"{fresh} = {level.number()}")
        level.seen.append(fresh)
        level.own.append(fresh)
    lines.append(f"{total} = {level.number()}")
    for _ in range(level.scope.random.randint(2, 4)):
        lines += _step(level, total)
    return [
        *lines,
        level.scope.pick((f"return math.sin({total})", f"return {total} * 0.5 + {level.number()}")),
    ]


def _step(level: Level, total: str) -> Lines:
    """One statement or a few: a function, a rebinding, a call at once, in a loop, or of what was kept."""
    chance, called = level.scope.random.random(), level.call()
    if chance < 0.35 and level.left > 0:
        lines = _definition(level, "deep")
        return [*lines, f"{total} = {total} + {level.call()}"]
    if chance < 0.55 or called is None:
        return _rebinding(level)
    if chance < 0.75:
        return [f"{total} = {total} {level.scope.pick('+*')} {called}"]
    if chance < 0.85:
        rebinding = _rebinding(level) if level.scope.chance(0.5) else []
        return [
            f"for _ in range({level.scope.pick((0, 1, 2))}):",
            *indented([f"{total} = {total} + {called} * 0.5", *rebinding]),
        ]
    return _kept(level, total)


def _kept(level: Level, total: str) -> Lines:
    """A function is put somewhere, a variable may be rebound, and it is called from there."""
    name, count = level.scope.pick(level.functions)
    words = {
        "keep": level.scope.world.fresh("kept"),
        "f": name,
        "v": level.number(),
        "args": level.args(count),
    }
    keep, later = level.scope.pick(HELD)
    call = f"{total} = {total} + {later.format(**words)}"
    again = [*_rebinding(level), call] if level.scope.chance(0.4) else []
    return [keep.format(**words), *_rebinding(level), call, *again]


def _rebinding(level: Level) -> Lines:
    return [f"{level.scope.pick(level.own)} = {level.number()}"] if level.own else []
