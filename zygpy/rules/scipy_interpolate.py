"""Rules of `scipy.interpolate`, there once a program has imported it: programs stand for what makes and
evaluates piecewise polynomials."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import scipy.interpolate as si
from scipy.interpolate import _interpolate

from zygpy.rules.declare import library, non_differentiable, only_looks, rule, stands_for
from zygpy.runtime import (
    basis_splines,
    cubic_pieces,
    fitpack_curves,
    fitpack_splines,
    grid_interpolators,
    grid_splines,
    interpolators,
    pieces_of_boxes,
    piecewise,
    spline_fits,
    spline_integrals,
    spline_roots,
)
from zygpy.runtime import spline_objects as splines

library("splines", splines)
library("piecewise", piecewise)
library("cubic_pieces", cubic_pieces)
library("basis_splines", basis_splines)

stands_for(si.PPoly.__call__, piecewise.evaluated)
if si.BPoly.__call__ is not si.PPoly.__call__:  # since SciPy 1.18
    stands_for(si.BPoly.__call__, piecewise.evaluated)
    stands_for(_interpolate._PPolyBase.__call__, piecewise.evaluated)

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
    (si.splprep, fitpack_curves.through_points),
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
    (si.BivariateSpline.partial_derivative, fitpack_splines.partial_derivative),
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
    (si.NdBSpline, pieces_of_boxes.products),
    (si.NdBSpline.__call__, pieces_of_boxes.evaluated_products),
    (si.NdPPoly, pieces_of_boxes.polynomials),
    (si.NdPPoly.__call__, pieces_of_boxes.evaluated_polynomials),
):
    stands_for(_class, _program)

if hasattr(si, "lagrange"):  # until SciPy 1.20
    stands_for(si.lagrange, interpolators.lagrange)


def _of_samples(kinds: Sequence[Any], names: frozenset[str]) -> Any:
    """The program for a call of an `interp1d`, whose method other classes have, too."""
    return interpolators.between if kinds and getattr(kinds[0], "cls", None) is si.interp1d else None


stands_for(si.interp1d.__call__, interpolators.between, choose=_of_samples)

rule(
    basis_splines.meeting,
    "y = meeting(values, c)",
    values_bar="np.reshape(y_bar, shape(values))",
    values_dot="basis_splines.meeting(y_bar, c)",
    kind="meeting",
)
rule(
    cubic_pieces.along,
    "y = along(steps, rows)",
    steps_bar="np.reshape(y_bar, shape(steps))",
    steps_dot="cubic_pieces.along(y_bar, rows)",
    kind="steps along",
)
for _made, _names in (
    (splines.with_one, "ONE"),
    (splines.with_both, "PARTS"),
    (splines.with_all, "SAMPLES"),
    (splines.with_grid, "GRIDDED"),
):
    rule(
        _made,
        f"y = {_made.__name__}(spline, parts)",
        parts_bar=f"splines.all_parts(y_bar, spline, splines.{_names}, parts)",
        parts_dot=f"splines.partner(spline, splines.{_names}, y_bar)",
        containers=True,
        kind="same object",
    )
rule(
    splines.all_parts,
    "y = all_parts(fields, spline, names, parts)",
    fields_bar="splines.held_all(spline, names, y_bar)",
    fields_dot="splines.all_parts(y_bar, spline, names, parts)",
    containers=True,
    kind="all parts",
)
rule(
    splines.held_all,
    "y = held_all(spline, names, parts)",
    parts_bar="splines.all_parts(y_bar, spline, names, parts)",
    parts_dot="splines.held_all(spline, names, y_bar)",
    containers=True,
    kind="unknown",
)
rule(
    splines.partner,
    "y = partner(spline, names, parts)",
    parts_bar="splines.all_parts(y_bar, spline, names, parts)",
    containers=True,
    kind="partner",
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
    splines.grid_values,
    "y = grid_values(interpolator)",
    interpolator_bar="splines.held(interpolator, 'values', y_bar)",
    interpolator_dot="splines.moving(y_bar, interpolator, 'values', y)",
    containers=True,
    kind="any numbers",
)
rule(
    splines.grid_fill,
    "y = grid_fill(interpolator)",
    interpolator_bar="splines.held(interpolator, 'fill_value', y_bar)",
    interpolator_dot="splines.moving(y_bar, interpolator, 'fill_value', y)",
    containers=True,
    kind="any numbers",
)
rule(
    splines.grid_lines,
    "y = grid_lines(interpolator)",
    interpolator_bar="splines.held(interpolator, 'grid', y_bar)",
    interpolator_dot="splines.moving(y_bar, interpolator, 'grid', y)",
    containers=True,
    kind="real vector",
)
rule(
    splines.value_below,
    "y = value_below(spline)",
    spline_bar="splines.held(spline, 'below', y_bar)",
    spline_dot="splines.moving(y_bar, spline, 'below', y)",
    containers=True,
    kind="any numbers",
)
rule(
    splines.value_above,
    "y = value_above(spline)",
    spline_bar="splines.held(spline, 'above', y_bar)",
    spline_dot="splines.moving(y_bar, spline, 'above', y)",
    containers=True,
    kind="any numbers",
)
rule(
    splines.coefficients,
    "y = coefficients(spline)",
    spline_bar="splines.held(spline, 'c', y_bar)",
    spline_dot="splines.moving(y_bar, spline, 'c', y)",
    containers=True,
    kind="any numbers",
)
rule(
    splines.breakpoints,
    "y = breakpoints(spline)",
    spline_bar="splines.held(spline, 'x', y_bar)",
    spline_dot="splines.moving(y_bar, spline, 'x', y)",
    containers=True,
    kind="real vector",
)
rule(
    splines.moving,
    "y = moving(dot, spline, name, like)",
    dot_bar="splines.held(spline, name, y_bar)",
    containers=True,
    kind="view like",
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
    piecewise.powers,
    "y = powers(c, index, s, nu)",
    c_bar="piecewise.spread(y_bar, index, conj(s), nu, shape(c))",
    s_bar="piecewise.slopes(y_bar, conj(c), index, conj(s), nu)",
    c_dot="piecewise.powers(y_bar, index, s, nu)",
    s_dot="piecewise.powers(c, index, s, nu + 1) * np.reshape(y_bar, shape(s) + (1,) * (len(shape(c)) - 2))",
    kind="array",
)
rule(
    piecewise.spread,
    "y = spread(y0, index, s, nu, form)",
    y0_bar="piecewise.powers(y_bar, index, conj(s), nu)",
    s_bar="piecewise.slopes(conj(y0), y_bar, index, conj(s), nu)",
    y0_dot="piecewise.spread(y_bar, index, s, nu, form)",
    s_dot="piecewise.spread(y0 * np.reshape(y_bar, shape(s) + (1,) * (len(form) - 2)), index, s, nu + 1,"
    " form)",
    kind="array",
)

only_looks(
    *(splines.asked, splines.built, splines.made_exactly, splines.made_by),
    *(piecewise.told, piecewise.way_of, piecewise.is_bernstein, piecewise.places_of_points),
    *(basis_splines.degree_of, basis_splines.rest_of),
    *(interpolators.rest_of_samples, interpolators.axis_of, interpolators.is_spline),
    *(interpolators.spline_degree, interpolators.has_values_outside, interpolators.told_between),
    *(interpolators.sides, interpolators.places_between),
)
non_differentiable(splines.asked, splines.built, kind="unknown")
non_differentiable(
    splines.made_by, kind="object of class", call="y = made_by(of, function, given, keywords)", shares="given"
)
non_differentiable(
    splines.made_exactly, kind="object of class", call="y = made_exactly(of, given, keywords)", shares="given"
)
non_differentiable(interpolators.told_coefficients, kind="array")
non_differentiable(piecewise.told, kind="unknown")
non_differentiable(piecewise.seen, kind="share", call="y = seen(breaks, x, way)")
non_differentiable(piecewise.way_of, kind="unknown")
non_differentiable(piecewise.axes_of_points, piecewise.places_of_points, kind="ints")
non_differentiable(piecewise.intervals, kind="places", call="y = intervals(breaks, v)")
non_differentiable(cubic_pieces.are_known, kind="predicate", call="y = are_known(both)")
non_differentiable(
    piecewise.is_periodic, cubic_pieces.is_around, interpolators.has_values_outside, kind="bool"
)
non_differentiable(cubic_pieces.orders_of, kind="two ints")
non_differentiable(
    interpolators.places_between, kind="two of places", call="y = places_between(interpolator, v)"
)
non_differentiable(interpolators.is_spline, piecewise.is_bernstein, kind="bool")
non_differentiable(interpolators.axis_of, interpolators.spline_degree, kind="int")
non_differentiable(piecewise.power_factors, kind="array")
non_differentiable(interpolators.told_between, kind="unknown")
non_differentiable(interpolators.order_of, kind="places in order")
non_differentiable(interpolators.sides, kind="places", call="y = sides(interpolator, v)")

non_differentiable(basis_splines.intervals, kind="places", call="y = intervals(t, v, k)")
non_differentiable(basis_splines.form_of_columns, kind="two ints")
non_differentiable(basis_splines.rest_of, interpolators.rest_of_samples, kind="ints")
non_differentiable(basis_splines.beside, kind="indices beside", call="y = beside(index, start, stop)")
non_differentiable(basis_splines.degree_of, basis_splines.way_outside, kind="int")
non_differentiable(
    *(basis_splines.is_told, basis_splines.is_around, basis_splines.is_curve, grid_interpolators.falls),
    spline_integrals.goes_on,
    kind="bool",
)
non_differentiable(
    *(basis_splines.check_representation, basis_splines.check_one, spline_roots.check_one_curve),
    fitpack_curves.check_closed,
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
    *(grid_interpolators.told_there, grid_interpolators.told_on_grid, grid_interpolators.lengths),
    kind="unknown",
)
non_differentiable(grid_interpolators.sizes_of, kind="ints")
non_differentiable(grid_interpolators.lower_ends, kind="places", call="y = lower_ends(lines, sizes, v)")
non_differentiable(grid_interpolators.upper_ends, kind="places", call="y = upper_ends(v, sizes)")
non_differentiable(grid_interpolators.outside, kind="places", call="y = outside(lines, sizes, v)")
non_differentiable(grid_interpolators.corners_of, grid_interpolators.nearest, kind="array")
non_differentiable(grid_interpolators.has_value_outside, grid_splines.is_smooth, kind="bool")
non_differentiable(grid_splines.around, grid_splines.cell_of, kind="unknown")
non_differentiable(grid_splines.degree_of, kind="int")
non_differentiable(
    *(pieces_of_boxes.told_with, pieces_of_boxes.knots_of, pieces_of_boxes.degrees_of),
    *(pieces_of_boxes.breaks_of, pieces_of_boxes.places_of),
    kind="unknown",
)
non_differentiable(pieces_of_boxes.goes_beyond, kind="bool")
non_differentiable(pieces_of_boxes.shares_inside, kind="array")
