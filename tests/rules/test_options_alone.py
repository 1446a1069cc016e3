"""Options of SciPy's functions where nothing else is differentiated: a program that stands for a function
has to be entered for them, too, or the call counts as a constant."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import numpy as np
import pytest
import scipy.fft
import scipy.integrate as sc
import scipy.interpolate as si
import scipy.linalg as sl
import scipy.ndimage
import scipy.optimize as so
import scipy.signal as ss
import scipy.sparse.linalg
import scipy.spatial.distance
import scipy.special
import scipy.stats as st

import zygpy as zg
from tests.solvers.references import agrees
from zygpy import rules
from zygpy.errors import MissingRuleError
from zygpy.rules import declare

PLACES = np.arange(24.0)
SAMPLES = np.cos(PLACES**1.2)
WEIGHTS = np.linspace(1.0, 2.0, 24)
MATRIX = np.array([[2.0, 0.3], [0.1, 1.0]])

FOLLOWED: tuple[tuple[Callable[[Any], Any], Any], ...] = (
    (lambda w: st.energy_distance(SAMPLES, SAMPLES[:5] + 0.037, w, WEIGHTS[:5]), WEIGHTS),
    (lambda w: st.energy_distance(SAMPLES, SAMPLES[:5] + 0.037, v_weights=w), WEIGHTS[:5]),
    (lambda w: st.iqr(SAMPLES, rng=(w, 75)), 25.3),
    (lambda w: ss.resample(SAMPLES, 12, window=("kaiser", w)), 3.0),
    (lambda t: ss.resample(SAMPLES, 12, t)[1], PLACES),
    (lambda b: np.real(sl.eig(MATRIX, MATRIX.T * b)[0]), 1.3),
    (lambda b: np.real(sl.eigvals(MATRIX, MATRIX.T * b)), 1.3),
    (lambda w: sc.quad(np.exp, 0, 1, weight="cos", wvar=w)[0], 2.0),
    (lambda w: so.curve_fit(np.multiply, PLACES, 2 * PLACES, [1.0], bounds=(0, w))[0], 1.5),
)

REFUSED: tuple[tuple[Callable[[Any], Any], Any], ...] = (
    (lambda s: si.splev(3.3, si.splrep(PLACES, SAMPLES, s=s)), 1.0),
    (lambda w: si.splev(3.3, si.splrep(PLACES, SAMPLES, w=w, s=1.0)), WEIGHTS),
    (lambda w: si.splev(3.3, si.splrep(PLACES, SAMPLES, w=w)), WEIGHTS),
    (lambda s: si.UnivariateSpline(PLACES, SAMPLES, s=s)(3.3), 1.0),
    (lambda w: si.UnivariateSpline(PLACES, SAMPLES, w=w)(3.3), WEIGHTS),
    (lambda s: si.RectBivariateSpline(PLACES[:4], PLACES[:6], SAMPLES.reshape(4, 6), s=s)(1.3, 2.2), 0.5),
    (lambda w: sc.quad(np.exp, 0, 1, weight="cauchy", wvar=w)[0], 2.0),
    (lambda w: sc.quad(np.exp, 0, 1, weight="alg", wvar=(w, 1.0))[0], 2.0),
    (lambda w: sc.nquad(np.exp, [(0, 1)], opts=[{"weight": "cos", "wvar": w}])[0], 0.3),
    (lambda a: np.sum(st.boxcox(WEIGHTS, alpha=a)[2]), 0.05),
    (
        lambda c: (
            so.shgo(
                lambda x: np.sum(x**2), [(0, 3)], constraints={"type": "ineq", "fun": lambda x: x[0] - c}
            ).x
        ),
        0.5,
    ),
)

SETTINGS = """
Dfun N atol axes binned_statistic_result blocksize bounds_error bracket buffersize calc_q callback
casting center check_finite chunksize complex_func compute_expm copy dense_output der diag_pivot_thresh
diff_n discontinuity dist domain dtype eigvals_only endpoint epsabs epsrel equal_var events executor
expand_binnumbers ext extrapolate fisher format ftype full_output grid grid_mode homogeneous_eigvals
inclusive increasing index integrality irlen jac k keepdims labels left left_bases limit limits lower
lowerlimit lwork maxiter mest method min_only mode n nan_policy neighbors normalize nu optimizer options
order out output overwrite overwrite_A overwrite_a overwrite_a_band overwrite_ab overwrite_b overwrite_c
overwrite_qr overwrite_qru overwrite_qruv overwrite_x p_indices padlen panel_size pass_positions per
permc_spec permute permute_l plot proportiontocut query_options quiet r rcond relax rescale residual
retstep return_eigenvectors return_indices return_predecessors return_rank return_singular_vectors
return_when right right_bases rng rtype self shape squared sum_check swap_sign task thread timeout tol
tree_options trim unit_diagonal unweighted upperlimit use_umfpack vectorized weights wlen workers x0 xtol
zero_phase zoom
"""
"""What no result has a derivative by; `weights` only choose, where they are named here."""

SETTINGS_OF_ONE = """
align_vectors(return_sensitivity) apply(inverse) argmax(axis) argmin(axis) as_euler(degrees)
as_euler(seq) as_quat(canonical)
as_quat(scalar_first) as_rotvec(degrees) basinhopping(T) basinhopping(niter) basinhopping(stepsize)
assoc_legendre_p_all(m) bellman_ford(indices) bessel(norm)
box(abseps) box(maxpts) box(releps) boxcox_normmax(brack) brent(brack)
chi2_contingency(correction) chirp(complex) cossin(p) cossin(q) cossin(separate) cspline2d(precision)
cumfreq(numbins) curve_fit(loss) dijkstra(indices)
directed_hausdorff(seed) distance_transform_bf(distances) distance_transform_bf(indices)
distance_transform_bf(input) distance_transform_edt(distances) distance_transform_edt(indices)
distance_transform_edt(input) drawn(random_state) drawn(size)
fmin_l_bfgs_b(fprime) fmin_tnc(fprime) fminbound(disp) fminbound(maxfun)
detrend(overwrite_data) fmin_cobyla(further)
from_matrix(assume_valid) from_quat(scalar_first) funm(disp) golden(brack)
hull(incremental) hull(qhull_options)
iirfilter(analog)
johnson(indices) lsmr(show) lsqr(calc_var) lsqr(show) moved(parameters)
matrix_balance(scale) matrix_balance(separate) mean(axis) medfilt(kernel_size)
nearest(distance_upper_bound) nearest(eps)
order_filter(rank) ordqz(sort) power(modulus) qr_delete(which) qr_insert(which) qr_multiply(conjugate)
qspline2d(precision) qz(sort) schur(sort) shortest_path(indices) siegelslopes(axis)
solve_continuous_are(balanced) solve_discrete_are(balanced) sph_harm_y_all(m) sph_legendre_p_all(m)
theilslopes(alpha) theilslopes(axis) trim1(tail) relfreq(numbins) yeojohnson_normmax(brack)
zpk2sos(analog) zpk2sos(pairing)
clip(where) viewed(type)
"""
"""The same of a function, whose names mean something else in others."""


def mixed(y: Any) -> Any:
    return np.sum(np.cos(y))


@pytest.mark.parametrize(("program", "x"), FOLLOWED)
def test_options_that_are_followed(program: Callable[[Any], Any], x: Any) -> None:
    agrees(lambda x: mixed(program(x)), x)


@pytest.mark.parametrize(("program", "x"), REFUSED)
def test_options_that_are_refused(program: Callable[[Any], Any], x: Any) -> None:
    with pytest.raises(MissingRuleError):
        zg.gradient(lambda x: np.sum(program(x)), x)


def test_weights_count_for_nothing_where_a_spline_goes_through_all_samples() -> None:
    found = zg.gradient(lambda w: float(si.splev(3.3, si.splrep(PLACES, SAMPLES, w=w, s=0))), WEIGHTS)[0]
    assert found is None or not np.any(found)


def programs() -> Iterator[FunctionType]:
    """The programs that stand for functions."""
    rules.load()
    return iter({declared.program for declared in declare.PROGRAMS.values()})


def test_no_program_drops_a_parameter() -> None:
    """A parameter of which only conditions and questions make use is a setting, and is known as one."""
    dropped = {
        f"{one.__name__}({name})" for one in programs() for name in unused(one) - set(SETTINGS.split())
    }
    assert dropped == set(SETTINGS_OF_ONE.split())


def unused(program: FunctionType) -> set[str]:
    """The parameters of a program that reach nothing but conditions and what has no derivative."""
    tree: Any = ast.parse(textwrap.dedent(inspect.getsource(program))).body[0]
    used: set[str] = set()
    for statement in tree.body:
        _gather(statement, used, program.__globals__)
    return {name for name in inspect.signature(program).parameters if name not in used}


def _gather(node: ast.AST, used: set[str], names: dict[str, Any]) -> None:
    if isinstance(node, ast.Compare | ast.JoinedStr) or (isinstance(node, ast.Call) and _asks(node, names)):
        return
    if isinstance(node, ast.Name):
        used.add(node.id)
    for name, field in ast.iter_fields(node):
        if not (name == "test" and isinstance(node, ast.If | ast.IfExp)):
            for child in field if isinstance(field, list) else [field]:
                if isinstance(child, ast.AST):
                    _gather(child, used, names)


def _asks(call: ast.Call, names: dict[str, Any]) -> bool:
    """Whether no differentiable path goes through a call."""
    function = names.get(call.func.id) if isinstance(call.func, ast.Name) else None
    rule = None if function is None else declare.find(function)
    return rule is not None and rule.style == "none"


LOADED = (scipy.fft, scipy.ndimage, scipy.sparse.linalg, scipy.spatial.distance, scipy.special)
