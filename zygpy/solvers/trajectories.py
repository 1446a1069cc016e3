"""Solutions of initial value problems by `scipy.integrate`, as functions of the initial state, the times, and
what the equations depend on.

What is differentiated are the steps of an explicit Runge-Kutta method between the times that the solver has
chosen, of which the first and the last follow the range: its own steps for RK23, RK45 and DOP853 (J. R.
Dormand and P. J. Prince, A family of embedded Runge-Kutta formulae, 1980; E. Hairer, S. P. Norsett and
G. Wanner, Solving Ordinary Differential Equations I, 1993, sections II.5 and II.6), and for the other solvers
those of DOP853 for the same tolerances. The values are the solver's.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.integrate as si
from scipy.integrate._ivp.ivp import OdeResult

from zygpy.api import pullback
from zygpy.errors import MissingRuleError
from zygpy.rules import custom
from zygpy.rules.declare import known_field, non_differentiable, stands_for
from zygpy.runtime.separate import separate
from zygpy.runtime.solver_reports import told
from zygpy.solvers.curves import Curve, curve, listed, states_of_event, states_on, times_of_event
from zygpy.solvers.moving_trajectories import trajectory_tangent
from zygpy.solvers.replays import replay_of
from zygpy.solvers.reports import (
    as_arguments,
    carried,
    check_absent,
    found,
    found_report,
    looking,
    reading,
    reported,
    spread_arguments,
    with_parts,
)
from zygpy.solvers.steps import asked_in, curve_of, slope_at, stages_of, state_on, time_at

EXPLICIT = {"RK23": si.RK23, "RK45": si.RK45, "DOP853": si.DOP853}
"""The methods whose own steps are differentiated."""

EVALUATIONS = 200_000
"""How often DOP853 may ask for the derivative before the equations count as stiff."""


def replayed(fun: Any, y0: Any, span: Any, ends: Any, times: Any, args: Any, first: Any, method: Any) -> Any:
    """The states at these times, as columns, from steps that end at these times; with None for the times
    those at the ends of the steps."""
    y = y0
    states = np.zeros((len(y0), len(ends) if times is None else len(times)), y0.dtype)
    slope = slope_at(fun, span[0], y, args, first)
    wanted = asked_in(ends, times)
    if times is None:
        states[:, 0] = y
    for step in range(len(ends) - 1):
        t = time_at(ends, step, span)
        h = time_at(ends, step + 1, span) - t
        slopes = stages_of(fun, t, y, slope, h, args, first, method)
        after = y + h * np.dot(method.B, np.stack(slopes))
        slope = slope_at(fun, t + h, after, args, first)
        slopes.append(slope)
        if times is None:
            states[:, step + 1] = after
        elif len(wanted[step]) > 0:
            rows = curve_of(fun, t, y, after, slopes, h, args, first, method)
            for place in wanted[step]:
                states[:, place] = state_on(rows, y, (times[place] - t) / h, method)
        y = after
    return states


def trajectory(
    fun: Any, y0: Any, span: Any, ends: Any, times: Any, args: Any, first: Any, method: Any
) -> Any:
    """The same, whose steps are a program of their own."""
    return replayed(fun, y0, span, ends, times, args, first, method)


def _trajectory(
    fun: Any, y0: Any, span: Any, ends: Any, times: Any, args: Any, first: Any, method: Any
) -> Any:
    replay = replay_of(fun, y0, span, ends, times, args, first, method)
    if replay is None:  # a program of its own, which can be differentiated once more
        return pullback(replayed, fun, y0, span, ends, times, args, first, method)

    def back(bar: Any) -> Any:
        y0_bar, span_bar, times_bar, (fun_bar, *args_bar) = replay.pulled(bar)
        times_bar = None if times is None else times_bar
        return fun_bar, y0_bar, span_bar, None, times_bar, tuple(args_bar), None, None

    return replay.states.copy(), back


def solve_ivp(
    fun: Any,
    t_span: Any,
    y0: Any,
    method: Any = "RK45",
    t_eval: Any = None,
    dense_output: Any = False,
    events: Any = None,
    vectorized: Any = False,
    args: Any = None,
    *,
    rtol: Any = None,
    atol: Any = None,
    first_step: Any = None,
    max_step: Any = None,
    min_step: Any = None,
    jac: Any = None,
    jac_sparsity: Any = None,
    lband: Any = None,
    uband: Any = None,
) -> Any:
    """`scipy.integrate.solve_ivp`."""
    check_absent("integrate.solve_ivp", "method", isinstance(method, str), "name one of the methods")
    options = {
        "rtol": rtol, "atol": atol, "first_step": first_step, "max_step": max_step, "min_step": min_step,
        "jac": jac, "jac_sparsity": jac_sparsity, "lband": lband, "uband": uband,
    }  # fmt: skip
    args = spread_arguments(args)
    tolerances = (1e-3 if rtol is None else rtol, 1e-6 if atol is None else atol)
    if dense_output or events is not None:
        events = listed(events)
        given = (fun, t_span, y0, method, t_eval, dense_output, events, vectorized, args, options)
        return with_curve(found(solved_densely, given, {}), given, tolerances)
    return with_steps(fun, t_span, y0, method, t_eval, vectorized, args, options, tolerances)


def solve_ivp_alone(
    fun: Any,
    t_span: Any,
    y0: Any,
    method: Any = "RK45",
    t_eval: Any = None,
    *,
    vectorized: Any = False,
    args: Any = None,
    rtol: Any = None,
    atol: Any = None,
    first_step: Any = None,
    max_step: Any = None,
    min_step: Any = None,
    jac: Any = None,
    jac_sparsity: Any = None,
    lband: Any = None,
    uband: Any = None,
) -> Any:
    """The same where neither the solution at all times nor events are asked for."""
    check_absent("integrate.solve_ivp", "method", isinstance(method, str), "name one of the methods")
    options = {
        "rtol": rtol, "atol": atol, "first_step": first_step, "max_step": max_step, "min_step": min_step,
        "jac": jac, "jac_sparsity": jac_sparsity, "lband": lband, "uband": uband,
    }  # fmt: skip
    tolerances = (1e-3 if rtol is None else rtol, 1e-6 if atol is None else atol)
    args = spread_arguments(args)
    return with_steps(fun, t_span, y0, method, t_eval, vectorized, args, options, tolerances)


def alone(kinds: Any, names: frozenset[str]) -> Any:
    """The program for a call of `solve_ivp`."""
    return solve_ivp if len(kinds) > 5 or {"dense_output", "events"} & names else solve_ivp_alone


def with_steps(
    fun: Any, t_span: Any, y0: Any, method: Any, t_eval: Any, vectorized: Any, args: Any, options: Any,
    tolerances: Any,
) -> Any:  # fmt: skip
    """The report of `solve_ivp` in which times and states have their gradients."""
    given = (fun, t_span, y0, method, t_eval, vectorized, args, options)
    start, span = np.array(y0) * 1.0, (t_span[0], t_span[1])
    report = found_report(OdeResult, solved, given, {})
    found_times, found_states = told(report, "t"), told(report, "y")
    ends = told(found_report(OdeResult, steps_between, (found_times, *given), {}), "ends")
    if t_eval is not None:
        times: Any = np.array(t_eval)
        t = times
    else:
        t = with_limits(found_times, span)
        times = None if takes_its_own_steps(method) else t
    states = trajectory(fun, start, span, ends, times, args, True, method_of_steps(method))
    check_alike(found_states, states, *tolerances)
    if not has_arrived(report):
        return with_parts(report, ("t",), ("y",), (carried(found_times, t), states))
    return with_parts(report, ("t", "y"), (), (carried(found_times, t), carried(found_states, states)))


def with_curve(solution: Any, given: Any, tolerances: Any) -> Any:
    """The report of `solve_ivp` in which the solution at all times and at events has its gradients."""
    report, whole, ends, last = solution
    fun, t_span, y0, name, t_eval, dense, events, _, args, _ = given
    start, span = np.asarray(y0) * 1.0, (t_span[0], t_span[1])
    method = EXPLICIT.get(name, si.DOP853)
    ends = following(separate(ends), span)
    states, rows = curve(fun, start, ends, args, method)
    made = (ends, states, rows)
    end = span[1] if report.success else whole.ts[-1]
    if events is not None:
        at = [times_of_event(report.t_events[k], events[k], made, method, args) for k in range(len(events))]
        end = end if last is None else at[last][-1]
        report.t_events = [carried(report.t_events[k], at[k]) for k in range(len(events))]
        report.y_events = [
            states_of_event(report.y_events[k], made, method, at[k]) for k in range(len(events))
        ]
    ts = with_limits(separate(whole.ts), (span[0], end))
    t = ts if t_eval is None else np.asarray(t_eval)[: len(report.t)] * 1.0
    columns = np.transpose(states_on(made, method, t))
    check_alike(report.y, columns, *tolerances)
    if dense:
        report.sol = Curve(whole, carried(whole.ts, ts), made, method)
    return with_states(report, t, columns)


def following(ends: Any, span: Any) -> Any:
    """The ends of steps, of which the first and the last follow the range if they are those of the range."""
    first, last = np.reshape(span[0], 1), np.reshape(span[1], 1)
    return np.concatenate([first, ends[1:-1], last if ends[-1] == span[1] else ends[-1:]])


def solved_densely(
    fun: Any, t_span: Any, y0: Any, method: Any, t_eval: Any, dense: Any, events: Any, vectorized: Any,
    args: Any, options: Any,
) -> Any:  # fmt: skip
    """The report of `solve_ivp`, the solution at all times, where steps end, and which event has ended it."""
    given = {key: one for key, one in options.items() if one is not None}
    keywords = {"dense_output": True, "events": events, "vectorized": vectorized, "args": args or None}
    report = si.solve_ivp(fun, t_span, y0, method, t_eval, **keywords, **given)
    whole = report.sol
    report.sol = whole if dense else None
    end = whole.ts[-1]
    last = next((k for k, at in enumerate(report.t_events or ()) if end in at[-1:]), None)
    if method in EXPLICIT:
        ends = np.array([whole.ts[0], *[piece.t for piece in whole.interpolants]])
    else:
        tolerances = given.get("rtol", 1e-3), given.get("atol", 1e-6)
        ends = ends_of(fun, (t_span[0], end), y0, args, True, *tolerances, given.get("max_step", np.inf))
    return report, whole, ends, last if report.status == 1 else None


def check_alike(found_states: Any, states: Any, rtol: Any, atol: Any) -> None:
    """Refuse a solution that the steps which are differentiated do not give."""
    allowed = 100 * (np.max(atol) + np.max(rtol) * np.max(np.abs(found_states), initial=0.0))
    if np.shape(found_states) != np.shape(states) or not np.all(np.abs(found_states - states) <= allowed):
        raise MissingRuleError(
            "there is no rule for this solution of an initial value problem.",
            why="the steps that would be differentiated give another one: it is not determined well",
            instead="ask for smaller tolerances",
        )


def with_limits(t: Any, span: Any) -> Any:
    """The times of a solver, of which the first and the last follow the range."""
    return np.concatenate([np.reshape(span[0], 1), t[1:-1], np.reshape(span[1], 1)])


def with_states(report: Any, t: Any, states: Any) -> Any:
    """The report in which times and states have their gradients."""
    report.t = carried(report.t, t)
    report.y = carried(report.y, states) if report.success else reported(report.y, states)
    return report


def solved(
    fun: Any, t_span: Any, y0: Any, method: Any, t_eval: Any, vectorized: Any, args: Any, options: Any
) -> Any:
    """The report of `solve_ivp`."""
    given = {key: one for key, one in options.items() if one is not None}
    return si.solve_ivp(fun, t_span, y0, method, t_eval, vectorized=vectorized, args=args or None, **given)


def steps_between(
    times: Any, fun: Any, t_span: Any, y0: Any, method: Any, t_eval: Any, vectorized: Any, args: Any,
    options: Any,
) -> Any:  # fmt: skip
    """Where steps end in a solution that was found at these times, as a report."""
    given = {key: one for key, one in options.items() if one is not None}
    if method in EXPLICIT:
        again = t_eval is not None
        ends = solved(fun, t_span, y0, method, None, vectorized, args, options).t if again else times
    else:
        tolerances = given.get("rtol", 1e-3), given.get("atol", 1e-6)
        ends = ends_of(fun, t_span, y0, args, True, *tolerances, given.get("max_step", np.inf))
    return OdeResult(ends=ends)


def takes_its_own_steps(name: Any) -> bool:
    """Whether the steps that are differentiated are those of the solver."""
    return name in EXPLICIT


def method_of_steps(name: Any) -> Any:
    """The method whose steps are differentiated."""
    return EXPLICIT.get(name, si.DOP853)


def has_arrived(report: Any) -> bool:
    """Whether the solver has come to the end of the range, or to an event."""
    return bool(report.success)


def ends_of(fun: Any, t_span: Any, y0: Any, args: Any, first: Any, rtol: Any, atol: Any, longest: Any) -> Any:
    """Where the steps of DOP853 end."""
    count = 0

    def counted(t: Any, y: Any) -> Any:
        nonlocal count
        count += 1
        if count > EVALUATIONS:
            raise MissingRuleError(
                "the equations are too stiff for the rule of this solver.",
                why="what is differentiated are the steps of an explicit method, of which there are too many",
                instead="scale the equations, or shorten the range of times",
            )
        return slope_at(fun, t, y, args, first)

    return si.solve_ivp(counted, t_span, y0, "DOP853", rtol=rtol, atol=atol, max_step=longest).t


ODE_TOLERANCE = 1.49012e-8
"""What `odeint` takes for its tolerances."""


def odeint(
    func: Any,
    y0: Any,
    t: Any,
    args: Any = None,
    Dfun: Any = None,  # noqa: N803 (SciPy's name)
    col_deriv: Any = 0,
    full_output: Any = 0,
    ml: Any = None,
    mu: Any = None,
    rtol: Any = None,
    atol: Any = None,
    tcrit: Any = None,
    h0: Any = 0.0,
    hmax: Any = 0.0,
    hmin: Any = 0.0,
    ixpr: Any = 0,
    mxstep: Any = 0,
    mxhnil: Any = 0,
    mxordn: Any = 12,
    mxords: Any = 5,
    printmessg: Any = 0,
    tfirst: Any = False,
) -> Any:
    """`scipy.integrate.odeint`."""
    args = as_arguments(args)
    numbers = (tcrit, h0, hmax, hmin, ixpr, mxstep, mxhnil, mxordn, mxords, printmessg, tfirst)
    given = (func, y0, t, args, Dfun, col_deriv, full_output, ml, mu, rtol, atol, *numbers)
    report = found_report(OdeResult, integrated, given, {})
    start, times, ends = np.atleast_1d(np.array(y0) * 1.0), np.array(t), told(report, "ends")
    span = (times[0], times[-1])
    states = trajectory(func, start, span, ends, times, args, bool(tfirst), si.DOP853)
    tolerances = (ODE_TOLERANCE if rtol is None else rtol, ODE_TOLERANCE if atol is None else atol)
    values = told(report, "states")
    check_alike(np.transpose(values), states, *tolerances)
    y = carried(values, np.transpose(states))
    return (y, told_beside(report)) if full_output else y


def integrated(func: Any, y0: Any, t: Any, *rest: Any) -> Any:
    """The states that `odeint` finds, what else it tells, and where steps of DOP853 end, as a report."""
    states = si.odeint(func, y0, t, *rest)
    states, beside = states if rest[3] else (states, None)
    args, rtol, atol, longest, first = rest[0], rest[6], rest[7], rest[10], rest[-1]
    rtol = ODE_TOLERANCE if rtol is None else rtol
    atol = ODE_TOLERANCE if atol is None else atol
    limits = t[0], t[-1]
    ends = ends_of(func, limits, np.atleast_1d(y0), args, bool(first), rtol, atol, longest or np.inf)
    return OdeResult(states=states, beside=beside, ends=ends)


def told_beside(report: Any) -> Any:
    """What `odeint` tells beside the states."""
    return report["beside"]


custom.add(
    custom.made(
        trajectory,
        _trajectory,
        "trajectory",
        keeps="nothing",
        pushed=trajectory_tangent,
        moving=frozenset({"fun", "y0", "span", "times", "args"}),
    )
)
for _name, _function in [
    *((one, reading(one, "array")) for one in ("t", "y")),
    *((one, looking(one)) for one in ("success", "status", "message", "nfev", "njev", "nlu")),
]:
    known_field(OdeResult, _name, _function)

stands_for(si.solve_ivp, solve_ivp, choose=alone)
stands_for(si.odeint, odeint)

non_differentiable(check_alike, kind="none")
non_differentiable(solved_densely, told_beside, method_of_steps, kind="unknown")
non_differentiable(has_arrived, takes_its_own_steps, kind="bool")
