"""Checks of rules from their texts alone: contributions against numerical derivatives.

Nothing here runs the engine. A contribution's text is evaluated with the parameters, `y` and a random
seed `y_bar`, and compared, along random directions, with Richardson-extrapolated central differences
of the function itself: `Re <seed, df(direction)> == Re <contribution, direction>`, which for complex
operands is the gradient `dL/dre + 1j dL/dim`.
"""

from __future__ import annotations

import ast
import cmath
import importlib
import inspect
import itertools
import math
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import zygpy.rules
from zygpy.rules.declare import LIBRARIES, REGISTRY, Rule
from zygpy.rules.texts import Texts, texts
from zygpy.runtime import helpers

Values = dict[str, Any]


def load_all_rules() -> tuple[Rule, ...]:
    """Every declared rule once, whatever it is an alias of."""
    for module in pkgutil.iter_modules(zygpy.rules.__path__, "zygpy.rules."):
        importlib.import_module(module.name)
    return tuple({id(rule): rule for rule in REGISTRY.values()}.values())


def name_of(rule: Rule) -> str:
    """A readable name of a rule for test ids."""
    module = getattr(rule.function, "__module__", None) or type(rule.function).__module__
    return f"{module}.{rule.function.__name__}"


KEPT = ("scipy.stats.norm", "scipy.stats.gamma")
"""The distributions whose rules are checked like any others; those of all are in `test_distributions`."""


def is_of_another_distribution(rule: Rule) -> bool:
    """Whether a rule is one of the many about distributions, whose texts are alike."""
    module = getattr(rule.function, "__module__", None) or ""
    return module.startswith("scipy.stats.") and module not in KEPT


# A domain text is a list of comparisons with numbers: "-1 < x < 1, n == 3".


@dataclass(frozen=True)
class Interval:
    """Where an operand is drawn from; `constant` holds a value that is given and not drawn."""

    low: float = -2.0
    high: float = 2.0
    constant: tuple[Any, ...] = ()

    def narrowed(self, op: ast.cmpop, bound: Any) -> Interval:
        """This interval with one more constraint `x op bound`."""
        match op:
            case ast.Gt() | ast.GtE():
                return Interval(float(bound), max(self.high, bound + 2.0))
            case ast.Lt() | ast.LtE():
                low = self.low if bound - 2.0 < self.low < bound else min(self.low, bound - 2.0)
                return Interval(low, float(bound))
            case ast.Eq():
                return Interval(constant=(bound,))
        raise ValueError(f"not a constraint of a domain: {ast.dump(op)}")

    def point(self, places: Any) -> Any:
        """Points well inside the interval: distinct places in (0, 1) give distinct points."""
        margin = 0.1 * (self.high - self.low)
        return self.low + margin + places * (self.high - self.low - 2 * margin)


_MIRRORED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.Gt, ast.LtE: ast.GtE}


def domain_of(text: str) -> dict[str, Interval]:
    """The intervals that a domain text gives."""
    found: dict[str, Interval] = {}
    for constraint in filter(None, (part.strip() for part in text.split(","))):
        tree = ast.parse(constraint, mode="eval").body
        if not isinstance(tree, ast.Compare):
            raise ValueError(f"not a comparison: {constraint}")
        terms = [tree.left, *tree.comparators]
        for left, op, right in zip(terms, tree.ops, terms[1:], strict=False):
            _constrain(found, left, op, right)
    return found


def _constrain(found: dict[str, Interval], left: ast.expr, op: ast.cmpop, right: ast.expr) -> None:
    if isinstance(right, ast.Name):
        left, op, right = right, _MIRRORED[type(op)](), left
    if not isinstance(left, ast.Name):
        raise ValueError(f"not a comparison of a parameter: {ast.unparse(left)}")
    interval = found.get(left.id, Interval())
    found[left.id] = interval.narrowed(op, ast.literal_eval(right))


# Evaluating texts.


MEASUREMENTS: dict[str, Callable[[Any], Any]] = {
    "shape": np.shape,
    "ndim": np.ndim,
    "size": np.size,
    "length": len,
    "dtype": lambda x: np.asarray(x).dtype,
    "shapes": lambda xs: [np.shape(x) for x in xs],
    "reals": helpers.which_are_real,
}


def namespace() -> dict[str, Any]:
    """What contribution texts may mention, besides parameters, `y` and `y_bar`."""
    exported = {name: getattr(helpers, name) for name in helpers.__all__}
    return {"np": np, "math": math, "cmath": cmath, **LIBRARIES, **exported, **MEASUREMENTS}


def call(rule: Rule, values: Values) -> Any:
    """The function itself: values by position, and by keyword behind a parameter that is left out."""
    positional: list[Any] = []
    keywords: Values = {}
    left_out = False
    for parameter in texts(rule).parameters:
        if parameter.name not in values:
            left_out = True
        elif parameter.starred:
            positional.extend(values[parameter.name])
            left_out = True
        elif left_out or parameter.name in only_by_keyword(rule.function):
            keywords[parameter.name] = values[parameter.name]
        else:
            positional.append(values[parameter.name])
    return rule.function(*positional, **keywords)


def only_by_keyword(function: Callable[..., Any]) -> set[str]:
    """The parameters that a function takes by keyword alone, where it has a signature to tell."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:
        return set()
    return {parameter.name for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY}


def complete(rule: Rule, values: Values) -> Values:
    """The values with the text's defaults for parameters that are not given."""
    defaults = {parameter.name: parameter.default for parameter in texts(rule).parameters}
    return {**defaults, **values}


def contribution(rule: Rule, name: str, values: Values, y: Any, y_bar: Any) -> Any:
    """What the rule says flows back to one parameter, as its text gives it."""
    scope = {**namespace(), **complete(rule, values), "y": y, "y_bar": y_bar}
    return eval(compile(rule.bars[name], f"<{name}_bar>", "eval"), scope)


def summed_to(value: Any, shape: tuple[int, ...]) -> Any:
    """`value` summed over the axes along which an operand of this shape was broadcast."""
    value = np.asarray(value)
    value = value.sum(axis=tuple(range(value.ndim - len(shape))))
    for axis, length in enumerate(shape):
        if length == 1 and value.shape[axis] != 1:
            value = value.sum(axis=axis, keepdims=True)
    return value


# Numerical derivatives.


def directional(function: Callable[[float], Any], step: float = 2e-3) -> Any:
    """The derivative at 0 of a function of one real number: central differences, extrapolated thrice."""
    rows = [_central(function, step / 2**level) for level in range(4)]
    for order in range(1, 4):
        rows = [(4**order * b - a) / (4**order - 1) for a, b in itertools.pairwise(rows)]
    return rows[0]


def _central(function: Callable[[float], Any], step: float) -> Any:
    return (np.asarray(function(step)) - np.asarray(function(-step))) / (2 * step)


def pairing(a: Any, b: Any) -> float:
    """The real inner product of two arrays of numbers."""
    return float(np.sum(np.real(np.conj(a) * b)))


@dataclass(frozen=True)
class Case:
    """One set of operands for a rule: values by parameter, and which of them are differentiated."""

    rule: Rule
    values: Values
    wrt: tuple[str, ...]


def check(case: Case, generator: np.random.Generator, tolerance: float = 1e-7) -> None:
    """Assert that every contribution agrees with a numerical derivative."""
    y = call(case.rule, case.values)
    seed = random_like(generator, y)
    for name in case.wrt:
        value = case.values[name]
        bar = contribution(case.rule, name, case.values, y, seed)
        if case.rule.style == "elementwise":
            bar = summed_to(bar, np.shape(value))
        direction = random_like(generator, value)

        def along(t: float, name: str = name, value: Any = value, direction: Any = direction) -> Any:
            return flat(call(case.rule, {**case.values, name: moved(value, direction, t)}))

        expected = pairing(flat(seed), directional(along))
        found = pairing(flat(bar), flat(direction))
        assert math.isclose(found, expected, rel_tol=tolerance, abs_tol=tolerance), (name, found, expected)


def moved(value: Any, direction: Any, t: float) -> Any:
    """`value + t * direction`, through tuples and lists."""
    if isinstance(value, tuple | list):
        return type(value)(moved(one, other, t) for one, other in zip(value, direction, strict=True))
    return value + t * direction


def flat(value: Any) -> Any:
    """All numbers in a nest of tuples, lists and arrays, in one vector; None counts as 0."""
    if isinstance(value, tuple | list):
        return np.concatenate([np.zeros(0), *(flat(item) for item in value)])
    return np.ravel(np.asarray(0.0 if value is None else value))


def random_like(generator: np.random.Generator, value: Any) -> Any:
    """Random numbers of a value's shape, kind and precision, through tuples and lists."""
    if isinstance(value, tuple | list):
        return type(value)(random_like(generator, item) for item in value)
    value = np.asarray(value)
    drawn = generator.normal(size=value.shape)
    if value.dtype.kind == "c":
        drawn = drawn + 1j * generator.normal(size=value.shape)
    drawn = drawn.astype(value.dtype if value.dtype.kind in "fc" else np.float64)
    return drawn.item() if value.ndim == 0 and value.dtype in (np.float64, np.complex128) else drawn[()]


# Drawing operands: from a grid, so that no two are equal and none is 0, where functions have kinks.

PLACES = 64

SHAPES: tuple[tuple[tuple[int, ...], ...], ...] = (
    ((), (), ()),
    ((3,), (3,), (3,)),
    ((2, 3), (2, 3), (2, 3)),
    ((2, 3), (3,), ()),
    ((2, 1), (1, 3), (3,)),
    ((), (2, 3), (2, 1)),
)
"""Shapes of the first, second and third operand: equal ranks from 0 to 2, and broadcast ones."""


def case_of(
    rule: Rule, generator: np.random.Generator, shapes: tuple[tuple[int, ...], ...], dtype: Any = np.float64
) -> Case:
    """Operands inside the rule's domain; complex ones get an imaginary part."""
    domain = domain_of(rule.domain)
    differentiable = tuple(name for name in rule.bars if name not in rule.refused)
    places = (generator.permutation(PLACES) + 0.5) / PLACES
    values: Values = {}
    drawn = 0
    for name in texts(rule).names():
        interval = domain.get(name, Interval())
        if interval.constant:
            if interval.constant[0] is not None or is_needed(texts(rule), name):
                values[name] = interval.constant[0]
        elif name in rule.bars or is_needed(texts(rule), name):
            shape = shapes[drawn % len(shapes)]
            count = math.prod(shape)
            own, places = places[:count].reshape(shape), places[count:]
            real = np.dtype(dtype).kind == "c" and name not in differentiable
            values[name] = _operand(interval.point(own), own, np.float64 if real else dtype)
            drawn += 1
    wrt = tuple(name for name in differentiable if name in values)
    return Case(rule, values, wrt)


def is_needed(parsed: Texts, name: str) -> bool:
    """Whether a parameter has no default."""
    return next(parameter.required for parameter in parsed.parameters if parameter.name == name)


def _operand(points: Any, places: Any, dtype: Any) -> Any:
    if np.dtype(dtype).kind == "c":
        points = points + 0.3j * np.cos(7 * places)
    value = np.asarray(points).astype(dtype)
    return value.item() if value.ndim == 0 and dtype in (np.float64, np.complex128) else value[()]
