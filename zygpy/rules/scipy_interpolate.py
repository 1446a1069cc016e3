"""Rules of `scipy.interpolate`, there once a program has imported it: programs stand for what makes and
evaluates piecewise polynomials."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import scipy.interpolate as si

from zygpy.rules.declare import library, non_differentiable, rule, stands_for
from zygpy.runtime import (
    basis_splines,
    cubic_pieces,
    fitpack_splines,
    grid_interpolators,
    interpolators,
    piecewise,
    spline_fits,
    spline_integrals,
    spline_roots,
)
from zygpy.runtime import spline_objects as splines

library("splines", splines)
library("piecewise", piecewise)

stands_for(si.PPoly.__call__, piecewise.evaluated)
if si.BPoly.__call__ is not si.PPoly.__call__:  # since SciPy 1.18
    stands_for(si.BPoly.__call__, piecewise.evaluated)

for _class, _program in (
    (si.PPoly, cubic_pieces.polynomials),
    (si.CubicHermiteSpline, cubic_pieces.by_slopes),
    (si.PchipInterpolator, cubic_pieces.by_monotone_slopes),
    (si.Akima1DInterpolator, cubic_pieces.by_akima),
    (si.CubicSpline, cubic_pieces.smooth),
    (si.interp1d, interpolators.interpolating),
    (si.BSpline, basis_splines.made),
    (si.BSpline.__call__, basis_splines.evaluated),
    (si.make_interp_spline, basis_splines.interpolating),
    (si.splrep, basis_splines.represented),
    (si.splev, basis_splines.at_points),
    (si.UnivariateSpline.__call__, basis_splines.univariate),
    (si.UnivariateSpline, fitpack_splines.smooth),
    (si.InterpolatedUnivariateSpline, fitpack_splines.interpolated),
    (si.LSQUnivariateSpline, fitpack_splines.least_squares),
    (si.UnivariateSpline.integral, fitpack_splines.integral),
    (si.UnivariateSpline.derivative, spline_integrals.derivative_of_curve),
    (si.UnivariateSpline.antiderivative, spline_integrals.antiderivative_of_curve),
    (si.UnivariateSpline.derivatives, spline_integrals.all_derivatives),
    (si.UnivariateSpline.get_knots, fitpack_splines.inner_knots),
    (si.UnivariateSpline.get_coeffs, fitpack_splines.coefficients),
    (si.splint, fitpack_splines.integral_of_parts),
    (si.splder, spline_integrals.derivative_of_parts),
    (si.splantider, spline_integrals.antiderivative_of_parts),
    (si.RectBivariateSpline, fitpack_splines.on_rectangle),
    (si.BivariateSpline.__call__, fitpack_splines.surface),
    (si.BivariateSpline.integral, fitpack_splines.volume),
    (si.bisplev, fitpack_splines.of_parts),
    (si.make_lsq_spline, spline_fits.least_squares),
    (si.make_smoothing_spline, spline_fits.smoothing),
    (si.BSpline.integrate, spline_integrals.of_basis),
    (si.BSpline.derivative, spline_integrals.derivative),
    (si.BSpline.antiderivative, spline_integrals.antiderivative),
    (si.PPoly.integrate, spline_integrals.of_polynomials),
    (si.PPoly.antiderivative, spline_integrals.antiderivative_of_polynomials),
    (si.PPoly.solve, spline_roots.of_polynomials),
    (si.UnivariateSpline.roots, spline_roots.of_curve),
    (si.sproot, spline_roots.of_parts),
    (si.RegularGridInterpolator, grid_interpolators.gridded),
    (si.RegularGridInterpolator.__call__, grid_interpolators.evaluated),
    (si.interpn, grid_interpolators.on_grid),
):
    stands_for(_class, _program)

if hasattr(si, "lagrange"):  # until SciPy 1.20
    stands_for(si.lagrange, interpolators.lagrange)


def _of_samples(kinds: Sequence[Any], names: frozenset[str]) -> Any:
    """The program for a call of an `interp1d`, whose method other classes have, too."""
    return interpolators.between if kinds and getattr(kinds[0], "cls", None) is si.interp1d else None


stands_for(si.interp1d.__call__, interpolators.between, choose=_of_samples)

rule(
    splines.with_parts,
    "y = with_parts(spline, c, x)",
    c_bar="splines.part(y_bar, spline, 'c', c)",
    x_bar="splines.part(y_bar, spline, 'x', x)",
    kind="unknown",
)
rule(
    splines.with_samples,
    "y = with_samples(spline, c, x, below, above)",
    c_bar="splines.part(y_bar, spline, 'c', c)",
    x_bar="splines.part(y_bar, spline, 'x', x)",
    below_bar="splines.part(y_bar, spline, 'below', below)",
    above_bar="splines.part(y_bar, spline, 'above', above)",
    kind="unknown",
)
rule(
    splines.with_surface,
    "y = with_surface(spline, c, tx, ty)",
    c_bar="splines.part(y_bar, spline, 'c', c)",
    tx_bar="splines.part(y_bar, spline, 'x', tx)",
    ty_bar="splines.part(y_bar, spline, 'y', ty)",
    kind="unknown",
)
rule(
    splines.with_grid,
    "y = with_grid(interpolator, values, lines, fill)",
    values_bar="splines.part(y_bar, interpolator, 'values', values)",
    lines_bar="splines.grid_parts(y_bar, interpolator, lines)",
    fill_bar="splines.part(y_bar, interpolator, 'fill_value', fill)",
    kind="unknown",
)
rule(
    splines.grid_values,
    "y = grid_values(interpolator)",
    interpolator_bar="splines.held(interpolator, 'values', y_bar)",
    containers=True,
    kind="array",
)
rule(
    splines.grid_fill,
    "y = grid_fill(interpolator)",
    interpolator_bar="splines.held(interpolator, 'fill_value', y_bar)",
    containers=True,
    kind="array",
)
rule(
    splines.grid_line,
    "y = grid_line(interpolator, axis)",
    interpolator_bar="splines.held(interpolator, f'grid {axis}', y_bar)",
    containers=True,
    kind="array",
)
rule(
    splines.value_below,
    "y = value_below(spline)",
    spline_bar="splines.held(spline, 'below', y_bar)",
    containers=True,
    kind="array",
)
rule(
    splines.value_above,
    "y = value_above(spline)",
    spline_bar="splines.held(spline, 'above', y_bar)",
    containers=True,
    kind="array",
)
rule(
    splines.coefficients,
    "y = coefficients(spline)",
    spline_bar="splines.held(spline, 'c', y_bar)",
    containers=True,
    kind="array",
)
rule(
    splines.breakpoints,
    "y = breakpoints(spline)",
    spline_bar="splines.held(spline, 'x', y_bar)",
    containers=True,
    kind="array",
)
rule(
    splines.held,
    "y = held(spline, name, value)",
    value_bar="splines.part(y_bar, spline, name, value)",
    containers=True,
    kind="unknown",
)
rule(
    splines.part,
    "y = part(fields, spline, name, like)",
    fields_bar="splines.held(spline, name, y_bar)",
    containers=True,
    kind="array",
)
rule(
    splines.grid_parts,
    "y = grid_parts(fields, interpolator, lines)",
    fields_bar="splines.no_line(y_bar)",
    containers=True,
    kind="unknown",
)
rule(
    piecewise.powers,
    "y = powers(c, index, s, nu)",
    c_bar="piecewise.spread(y_bar, index, conj(s), nu, shape(c))",
    s_bar="piecewise.slopes(y_bar, conj(c), index, conj(s), nu)",
    kind="array",
)
rule(
    piecewise.spread,
    "y = spread(y0, index, s, nu, form)",
    y0_bar="piecewise.powers(y_bar, index, conj(s), nu)",
    s_bar="piecewise.slopes(conj(y0), y_bar, index, conj(s), nu)",
    kind="array",
)

non_differentiable(splines.asked, splines.built, splines.no_line, kind="unknown")
non_differentiable(interpolators.told_coefficients, kind="array")
non_differentiable(piecewise.told, piecewise.seen, kind="array")
non_differentiable(piecewise.way_of, piecewise.axes_of_points, piecewise.places_of_points, kind="unknown")
non_differentiable(piecewise.intervals, cubic_pieces.are_known, kind="array")
non_differentiable(
    piecewise.is_periodic, cubic_pieces.is_around, interpolators.has_values_outside, kind="bool"
)
non_differentiable(cubic_pieces.orders_of, interpolators.places_between, kind="unknown")
non_differentiable(interpolators.is_spline, piecewise.is_bernstein, kind="bool")
non_differentiable(interpolators.axis_of, interpolators.spline_degree, kind="int")
non_differentiable(piecewise.power_factors, kind="array")
non_differentiable(interpolators.order_of, interpolators.told_between, interpolators.sides, kind="array")

non_differentiable(basis_splines.intervals, basis_splines.beside, kind="array")
non_differentiable(basis_splines.degree_of, basis_splines.way_outside, kind="int")
non_differentiable(
    *(basis_splines.is_told, basis_splines.is_around, grid_interpolators.falls, spline_integrals.goes_on),
    kind="bool",
)
non_differentiable(
    *(basis_splines.check_representation, basis_splines.check_one, spline_roots.check_one_curve),
    kind="none",
)
non_differentiable(spline_roots.pieces, kind="unknown")
non_differentiable(
    *(fitpack_splines.check_smoothing, fitpack_splines.check_parts, fitpack_splines.check_surface),
    spline_fits.check_smoothness,
    kind="none",
)
non_differentiable(fitpack_splines.degrees_of, kind="unknown")
non_differentiable(spline_integrals.count_of, kind="int")
non_differentiable(grid_interpolators.check_method, kind="none")
non_differentiable(grid_interpolators.method_of, kind="str")
non_differentiable(grid_interpolators.rank_of, kind="int")
non_differentiable(
    *(grid_interpolators.cells, grid_interpolators.nearest, grid_interpolators.outside),
    *(grid_interpolators.told_there, grid_interpolators.told_on_grid),
    kind="unknown",
)
non_differentiable(grid_interpolators.has_value_outside, kind="bool")
