"""Numbers: assignments, augmented assignments, swaps, and what is computed from numbers."""

from __future__ import annotations

from tests.random_programs.grammar import atom, condition, expr, expression, statement, test
from tests.random_programs.kinds import ARRAYS, CONTAINERS, FLOAT, Float, Kind
from tests.random_programs.scope import Lines, Scope

SMOOTH = ("math.sin({})", "math.cos({})", "math.tanh({})", "np.sin({})", "-{}", "float({})")
COMBINED = ("{} + {}", "{} - {}", "{} * {}", "{} / (2.0 + {} ** 2)", "0.5 * {} + {}", "math.sin({}) * {}")


@expression(Float, "numbers", 3)
def smooth(scope: Scope, kind: Kind, depth: int) -> str:
    return scope.pick(SMOOTH).format(f"({expr(scope, FLOAT, depth - 1)})")


@expression(Float, "numbers", 4)
def combined(scope: Scope, kind: Kind, depth: int) -> str:
    left, right = expr(scope, FLOAT, depth - 1), atom(scope)
    return f"({scope.pick(COMBINED).format(left, right)})"


@expression(Float, "numbers", 1)
def conditional(scope: Scope, kind: Kind, depth: int) -> str:
    return f"({expr(scope, FLOAT, depth - 1)} if {test(scope)} else {atom(scope)})"


@expression(Float, "numbers", 0.5)
def largest(scope: Scope, kind: Kind, depth: int) -> str:
    return f"{scope.pick(('max', 'min'))}({expr(scope, FLOAT, depth - 1)}, {atom(scope)} + 0.37)"


@condition("numbers", 3)
def threshold(scope: Scope) -> str:
    return f"{atom(scope)} {scope.pick('<>')} {scope.random.randint(-5, 5) / 7.001:.4f}"


@condition("numbers", 2)
def way(scope: Scope) -> str | None:
    if "n" not in scope.names:
        return None
    return f"n {scope.pick(('==', '!=', '>', '<'))} {scope.random.randint(0, 2)}"


@condition("numbers", 2)
def counted(scope: Scope) -> str | None:
    if not scope.counters:
        return None
    divisor = scope.random.randint(2, 3)
    return f"{scope.pick(scope.counters)} % {divisor} == {scope.random.randrange(divisor)}"


@condition("numbers", 1)
def both(scope: Scope) -> str:
    return f"({test(scope)} {scope.pick(('and', 'or'))} {threshold(scope)})"


@statement("numbers", 3)
def new_number(scope: Scope) -> Lines:
    value = expr(scope)
    return [f"{scope.bind('x', FLOAT)} = {value}"]


@statement("numbers", 5)
def store(scope: Scope) -> Lines | None:
    """Into a variable, item, field, or entry of an array."""
    kind = scope.pick((FLOAT, FLOAT, FLOAT, *ARRAYS[:2], *CONTAINERS[:3]))
    target = scope.place(kind, assignable=True)
    return None if target is None else [f"{target} = {expr(scope, kind)}"]


@statement("numbers", 4)
def augment(scope: Scope) -> Lines | None:
    target = scope.place(FLOAT, assignable=True)
    if target is None:
        return None
    if scope.chance(0.3):
        return [f"{target} *= math.cos({expr(scope, FLOAT, 1)})"]
    return [f"{target} {scope.pick(('+=', '-='))} {expr(scope)}"]


@statement("numbers", 1)
def swap(scope: Scope) -> Lines | None:
    kind = scope.pick((FLOAT, FLOAT, *ARRAYS[:2], *CONTAINERS[:2]))
    first, second = scope.place(kind, assignable=True), scope.place(kind, assignable=True)
    if first is None or second is None or first == second:
        return None
    return [f"{first}, {second} = {second}, {expr(scope, kind, 1)}"]
