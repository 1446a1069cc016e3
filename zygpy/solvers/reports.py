"""What solvers report beside the solution, and what of it has a gradient."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import scipy.optimize as so

from zygpy.errors import MissingRuleError
from zygpy.identity import attempts, calls, caught
from zygpy.rules.declare import WITH_FIELDS, known_field, library, non_differentiable, rule
from zygpy.runtime.separate import separate
from zygpy.runtime.solver_reports import names_beside, reported_names, slope_told, start, told
from zygpy.runtime.ways import Way
from zygpy.runtime.zeros import CannotPush, Partner
from zygpy.solvers.unchanged import unchanged


def found(solver: Any, given: Any, keywords: Any) -> Any:
    """What a solver finds, without gradients."""
    return unchanged(lambda: solver(*given, **keywords), (given, keywords))


def found_report(of: Any, solver: Any, given: Any, keywords: Any) -> Any:
    """The same of a solver that gives a report of this class, which is known by that."""
    report = found(solver, given, keywords)
    if type(report) is not of:
        raise MissingRuleError(
            f"a solver of 'scipy.optimize' gives a {type(report).__name__}.",
            why=f"reports of the class {of.__name__} have a rule",
            instead="call the solver with other arguments",
        )
    return report


def as_arguments(args: Any) -> Any:
    """The further arguments of a user's function, of which one may be given by itself, and none by None."""
    if args is None:
        return ()
    return args if isinstance(args, tuple) else (args,)


def spread_arguments(args: Any) -> Any:
    """The same where SciPy takes them out of whatever they are in, so out of a list, too."""
    return () if args is None else (*args,)


def reported(value: Any, solution: Any) -> Any:
    """A number or array that depends on the solution in a way that has no derivative."""
    return separate(value)


class Untold:
    """The tangent of what has none that is known: whatever is done with it is left to reverse mode."""

    def _left(self, *args: Any, **kwargs: Any) -> Any:
        raise CannotPush

    __getitem__ = __iter__ = __len__ = __bool__ = __float__ = __int__ = __call__ = _left
    __array__ = __array_ufunc__ = __array_function__ = _left

    def __getattr__(self, name: str) -> Any:
        """Names with underscores are asked by those who only look."""
        if name.startswith("__"):
            raise AttributeError(name)
        raise CannotPush

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __matmul__ = __rmatmul__ = _left
    __truediv__ = __rtruediv__ = __pow__ = __rpow__ = __neg__ = __pos__ = __abs__ = _left


UNTOLD = Untold()


def untold(y_bar: Any, y: Any) -> Any:
    """What stands for the tangent of something that depends on a solution in a way without a derivative."""
    return UNTOLD


rule(
    reported,
    "y = reported(value, solution)",
    refused={"solution": "it is what a solver reports beside the solution, or the solver has not converged."},
    solution_dot="reports.untold(y_bar, y)",
    kind="unknown",
)


def carried(value: Any, of: Any) -> Any:
    """A solver's number or array, which is what another one is, but for how it was computed."""
    return separate(value)


def carried_vector(value: Any, of: Any) -> Any:
    """The same of what a solver surely gives as a vector of real numbers."""
    return separate(value)


rule(carried, "y = carried(value, of)", of_bar="np.reshape(y_bar, shape(of))", of_dot="y_bar", kind="numbers")
rule(
    carried_vector,
    "y = carried_vector(value, of)",
    of_bar="np.reshape(y_bar, shape(of))",
    of_dot="y_bar",
    kind="real vector",
)


def with_reported(report: Any, names: Any, of: Any) -> Any:
    """The report in which these fields depend on the solution in a way that has no derivative."""
    for name in names:
        setattr(report, name, reported_each(getattr(report, name), of))


def reported_each(value: Any, of: Any) -> Any:
    """The same of a list, in which something is told of each constraint."""
    return [reported(one, of) for one in value] if isinstance(value, list) else reported(value, of)


def with_solution(report: Any, x: Any) -> Any:
    """The report in which the solution has its gradient."""
    report.x = x
    return report


# Reports whose fields are told by rules.


def with_parts(report: Any, names: Any, beside: Any, parts: Any) -> Any:
    """The report in which the fields with these names have the derivatives of what was computed, while there
    is none of those `beside`."""
    return copy.copy(report)


def with_stored_parts(report: Any, names: Any, beside: Any, parts: Any) -> Any:
    """The same report, in which they are stored, for programs in which things are found by identity."""
    for name in beside:
        report[name] = reported_each(report[name], parts[0])
    for name, part in zip(names, parts, strict=True):
        report[name] = part
    return report


def by_identity(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """The call of `with_parts` in such a program; None for anything else."""
    if function is not with_parts:
        return None
    return calls.call(way, with_stored_parts, copy.copy(args[0]), *args[1:])


def caught_by_identity(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """The same in a `try`."""
    if function is not with_parts:
        return None
    return caught.call(way, with_stored_parts, copy.copy(args[0]), *args[1:])


attempts.ask_first(attempts.knowing(by_identity, [with_parts]))
caught.ATTEMPTS.append(caught_by_identity)


def found_in(fields: Any, name: str) -> Any:
    """The entry of a dict or `Record` of cotangents, None where there is none."""
    if fields is None:
        return None
    return (fields if isinstance(fields, dict) else fields._asdict()).get(name)


def parts_of(fields: Any, names: Any, beside: Any, parts: Any) -> Any:
    """The cotangents of these fields.

    Raises MissingRuleError where one comes from those beside.
    """
    for name in beside:
        if found_in(fields, name) is not None:
            raise refused_beside(name)
    bars = [found_in(fields, name) for name in names]
    return tuple([zeros_of(part) if bar is None else bar for bar, part in zip(bars, parts, strict=True)])


def zeros_of(value: Any) -> Any:
    """Zeros in the form of a number or array."""
    return np.zeros(np.shape(value)) if isinstance(value, np.ndarray) else 0.0


def refused_beside(name: str) -> MissingRuleError:
    """The refusal of what has no gradient."""
    return MissingRuleError(
        f"there is no rule for '{name}' of a solver's report.",
        why="it is what a solver reports beside the solution, or the solver has not converged",
        instead="compute it from the solution",
    )


def fields_of(names: Any, beside: Any, parts: Any) -> Any:
    """The cotangent of a report of which these fields have some."""
    return dict(zip(names, parts, strict=True))


def tangent_of(names: Any, beside: Any, parts: Any) -> Any:
    """The tangent of a report of which these fields have some, and those beside have none that is known."""
    made = Partner()
    for name, part in zip(names, parts, strict=True):
        setattr(made, name, part)
    for name in beside:
        setattr(made, name, CannotPush)
    return made


def moving(dot: Any, names: Any, beside: Any, parts: Any) -> Any:
    """The tangents of these fields: zeros of a report that does not move.

    Raises CannotPush for what has none, which reverse mode says.
    """
    held: Any = dot if isinstance(dot, dict) else vars(dot)
    for name, part in zip(names, parts, strict=True):
        if held.setdefault(name, zeros_of(part)) is CannotPush:
            raise CannotPush
    return tuple([held[name] for name in names])


def check_absent(name: str, parameter: str, absent: bool, instead: str) -> None:
    """Refuse what a solver may be asked for in a call and has no rule."""
    if not absent:
        raise MissingRuleError(
            f"'scipy.{name}' has no rule for {parameter}=.",
            why="what it asks for has no derivative here",
            instead=instead,
        )


library("reports", sys.modules[__name__])

rule(
    with_parts,
    "y = with_parts(report, names, beside, parts)",
    parts_bar="reports.parts_of(y_bar, names, beside, parts)",
    parts_dot="reports.tangent_of(names, beside, y_bar)",
    containers=True,
    kind="same object",
)
rule(
    parts_of,
    "y = parts_of(fields, names, beside, parts)",
    fields_bar="reports.fields_of(names, beside, y_bar)",
    fields_dot="reports.parts_of(y_bar, names, beside, parts)",
    containers=True,
    kind="all parts",
)
rule(
    fields_of,
    "y = fields_of(names, beside, parts)",
    parts_bar="reports.parts_of(y_bar, names, beside, parts)",
    parts_dot="reports.fields_of(names, beside, y_bar)",
    containers=True,
    kind="unknown",
)
rule(
    tangent_of,
    "y = tangent_of(names, beside, parts)",
    parts_bar="reports.parts_of(y_bar, names, beside, parts)",
    shares="in parts",
    containers=True,
    kind="partner",
)
rule(
    moving,
    "y = moving(dot, names, beside, parts)",
    dot_bar="reports.fields_of(names, beside, y_bar)",
    shares="in dot",
    containers=True,
    kind="all parts",
)


def reading(name: str, kind: str = "numbers") -> Callable[[Any], Any]:
    """The function that reads a field of a report, which has a rule."""

    def read(report: Any) -> Any:
        return report[name]

    read.__name__ = f"{name}_of_report"
    names = f"({name!r},), ()"
    rule(
        read,
        f"y = {name}_of_report(report)",
        report_bar=f"reports.fields_of({names}, (y_bar,))",
        report_dot=f"reports.moving(y_bar, {names}, (y,))[0]",
        shares="report",
        containers=True,
        kind=kind,
    )
    return read


def looking(name: str) -> Callable[[Any], Any]:
    """The same of a field that says how the solver has gone."""

    def look(report: Any) -> Any:
        return report[name]

    look.__name__ = f"{name}_of_report"
    non_differentiable(look, kind="unknown", call=f"y = {name}_of_report(report)")
    return look


TOLD = ("success", "status", "message", "nfev", "njev", "nit", "converged", "flag", "iterations")
"""Fields that say how a solver has gone."""

for _name, _function in [
    *((one, reading(one)) for one in ("x", "fun", "root", "cost")),
    *((one, looking(one)) for one in (*TOLD, "function_calls", "method")),
]:
    for _class in (so.OptimizeResult, so.RootResults):
        known_field(_class, _name, _function)

WITH_FIELDS.append(with_parts)

non_differentiable(found_report, kind="object of class", call="y = found_report(of, solver, given, keywords)")
non_differentiable(start, told, slope_told, kind="numbers")
non_differentiable(names_beside, kind="unknown", call="y = names_beside(report)")
non_differentiable(untold, zeros_of, kind="unknown")
non_differentiable(found, kind="unknown", call="y = found(solver, given, keywords)")
non_differentiable(reported_names, kind="unknown", call="y = reported_names(report)")
non_differentiable(check_absent, kind="none")
