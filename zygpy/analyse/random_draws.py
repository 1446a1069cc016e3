"""What is drawn from sources of random numbers, where nothing varies by which it is drawn.

rng = np.random.default_rng(1)          a generator, of NumPy's own class
z = rng.normal(0.0, 1.0, size=(n, 3))   a matrix of double precision
u = rng.random()                        a float

The methods are written in C, in classes that nobody can change.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from zygpy.analyse.facts import Plain
from zygpy.analyse.run import Run
from zygpy.analyse.sites import sites_of
from zygpy.analyse.values import Environment, Value, make
from zygpy.ir import core
from zygpy.ir.kinds import FLOAT, INT, NOTHING, Array, Kind, Nothing, NumpyScalar, Object, Tuple, is_scalar
from zygpy.runtime.lookup import is_among

Call: TypeAlias = "tuple[Sequence[core.Atom | core.Star], Sequence[core.Keyword]]"

MAKERS: Mapping[Any, type] = {
    np.random.default_rng: np.random.Generator,
    np.random.RandomState: np.random.RandomState,
}
"""What makes a source of a class of NumPy's."""

SOURCES = (np.random.Generator, np.random.RandomState)

METHOD: Any = type(np.random.rand)

PARAMETERS: Mapping[str, int] = {
    **dict.fromkeys(("random", "random_sample", "ranf", "sample", "standard_normal", "standard_cauchy"), 0),
    **dict.fromkeys(("standard_exponential", "rand", "randn"), 0),
    **dict.fromkeys(("exponential", "rayleigh", "chisquare", "weibull", "pareto", "power", "standard_t"), 1),
    **dict.fromkeys(("standard_gamma",), 1),
    **dict.fromkeys(("normal", "uniform", "lognormal", "laplace", "gumbel", "logistic", "beta", "gamma"), 2),
    **dict.fromkeys(("f", "vonmises", "wald"), 2),
    "triangular": 3,
}
"""How many parameters stand in front of the size, by the names of methods that give numbers in double
precision."""

COUNTS: Mapping[str, int] = {
    **dict.fromkeys(("poisson", "geometric", "logseries", "zipf"), 1),
    **dict.fromkeys(("integers", "randint", "binomial", "negative_binomial"), 2),
    "hypergeometric": 3,
    "choice": 1,
}
"""The same of those that give whole numbers."""

BY_LENGTHS = frozenset({"rand", "randn"})
"""Methods that are given the lengths of the axes."""


def drawn_by_function(
    run: Run, statement: core.Assign, callee: Any, call: Call, values: Sequence[Value], env: Environment
) -> Value | None:
    """The value of a call that makes a source, or draws from the one that NumPy, or Python, has for all; None
    of any other, and where what is drawn varies."""
    if any(value.active for value in values):
        return None
    if is_among(callee, MAKERS):  # it may be given a source, which it gives back
        seeded = all(is_scalar(value.kind) or isinstance(value.kind, Nothing) for value in values)
        return _plainly(run, statement, Object(MAKERS[callee]), env) if seeded else None
    if is_among(callee, (random.random,)) and not any(call):
        return _plainly(run, statement, FLOAT, env)
    if type(callee) is not METHOD or type(getattr(callee, "__self__", None)) is not np.random.RandomState:
        return None
    return _drawn(run, statement, callee.__name__, call, env)


def drawn_by_method(
    run: Run, statement: core.Assign, op: core.CallMethod, values: Sequence[Value], env: Environment
) -> Value | None:
    """The same of a method of a source."""
    kind = values[0].kind  # which holds nothing that varies, whatever is known of what holds it
    if not isinstance(kind, Object) or kind.cls not in SOURCES or any(value.active for value in values[1:]):
        return None
    return _drawn(run, statement, op.name, (op.args, op.keywords), env)


def _drawn(run: Run, statement: core.Assign, name: str, call: Call, env: Environment) -> Value | None:
    args, keywords = call
    if any(isinstance(arg, core.Star) for arg in args):
        return None
    given = [run.value(arg, env).kind for arg in args if not isinstance(arg, core.Star)]
    named = {keyword.name: run.value(keyword.value, env).kind for keyword in keywords}
    kind = kind_of_draw(name, given, named)
    return None if kind is None else _plainly(run, statement, kind, env)


def kind_of_draw(name: str, given: Sequence[Kind], named: Mapping[str | None, Kind]) -> Kind | None:
    """The kind of what a method of this name gives for parameters that are numbers; None where that is not
    known.

    >>> kind_of_draw("normal", [FLOAT, FLOAT, INT], {}), kind_of_draw("random", [], {})
    (Array(dtype='f8', rank=1), Number(types=frozenset({'float'})))
    """
    if name == "permutation":
        return Array("i", 1) if list(given) == [INT] and not named else None
    if name in BY_LENGTHS:
        return None if named else Array("f8", len(given)) if given else FLOAT
    count = PARAMETERS.get(name, COUNTS.get(name))
    if count is None or len(given) > count + 1 or not named.keys() <= NAMES:
        return None
    parameters = [*given[:count], *[kind for key, kind in named.items() if key != "size"]]
    if not all(map(is_scalar, parameters)):
        return None
    rank = _rank_of_size(given[count] if len(given) > count else named.get("size", NOTHING))
    if rank is None:
        return FLOAT if name in PARAMETERS else NumpyScalar("i") if name == "integers" else INT
    return None if rank < 0 else Array("f8" if name in PARAMETERS else "i", rank)


NAMES = frozenset(
    {
        "size",
        "loc",
        "scale",
        "low",
        "high",
        "endpoint",
        "mean",
        "sigma",
        "df",
        "a",
        "b",
        "shape",
        "mu",
        "kappa",
    }
    | {"left", "mode", "right", "lam", "n", "p", "ngood", "nbad", "nsample", "replace"}
)
"""The names of the parameters that are numbers, and of the size."""


def _rank_of_size(size: Kind) -> int | None:
    """How many axes what is drawn has; None for a number, and less than 0 where that is not known."""
    if isinstance(size, Nothing):
        return None
    if isinstance(size, Tuple) and size.cls is None:
        return len(size.items) if all(item in LENGTHS for item in size.items) else -1
    return 1 if size in LENGTHS else -1


LENGTHS = (INT, NumpyScalar("i"))


def _plainly(run: Run, statement: core.Assign, kind: Kind, env: Environment) -> Value:
    """The value of a call that is made as it stands, and has no gradient."""
    run.facts.calls[id(statement)] = Plain()
    run.facts.quiet.add(id(statement))
    run.facts.entered.add(id(statement))  # it runs no code of anybody else's
    return make(kind, False, sites_of(run.allocate(statement, env)))
