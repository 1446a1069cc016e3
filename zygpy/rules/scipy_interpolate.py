"""Rules of `scipy.interpolate`, there once a program has imported it: programs stand for what makes and
evaluates piecewise polynomials."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import scipy.interpolate as si

from zygpy.rules.declare import library, non_differentiable, rule, stands_for
from zygpy.runtime import basis_splines, cubic_pieces, grid_interpolators, interpolators, piecewise
from zygpy.runtime import spline_objects as splines

library("splines", splines)
library("piecewise", piecewise)

stands_for(si.PPoly.__call__, piecewise.evaluated)

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
    splines.with_grid,
    "y = with_grid(interpolator, values, lines)",
    values_bar="splines.part(y_bar, interpolator, 'values', values)",
    lines_bar="splines.grid_parts(y_bar, interpolator, lines)",
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

non_differentiable(splines.built, splines.no_line, kind="unknown")
non_differentiable(interpolators.told_coefficients, kind="array")
non_differentiable(piecewise.told, piecewise.seen, kind="array")
non_differentiable(piecewise.way_of, piecewise.axes_of_points, piecewise.places_of_points, kind="unknown")
non_differentiable(piecewise.intervals, cubic_pieces.are_known, kind="array")
non_differentiable(
    piecewise.is_periodic, cubic_pieces.is_around, interpolators.has_values_outside, kind="bool"
)
non_differentiable(cubic_pieces.orders_of, interpolators.places_between, kind="unknown")
non_differentiable(interpolators.check_kind, kind="none")
non_differentiable(interpolators.kind_of, kind="str")
non_differentiable(interpolators.axis_of, kind="int")
non_differentiable(interpolators.order_of, interpolators.told_between, interpolators.sides, kind="array")

non_differentiable(basis_splines.intervals, basis_splines.beside, kind="array")
non_differentiable(basis_splines.degree_of, basis_splines.way_outside, kind="int")
non_differentiable(basis_splines.is_told, grid_interpolators.falls, kind="bool")
non_differentiable(
    basis_splines.check_conditions, basis_splines.check_representation, basis_splines.check_one, kind="none"
)
non_differentiable(grid_interpolators.check_method, kind="none")
non_differentiable(grid_interpolators.method_of, kind="str")
non_differentiable(grid_interpolators.rank_of, kind="int")
non_differentiable(
    *(grid_interpolators.cells, grid_interpolators.nearest, grid_interpolators.outside),
    *(grid_interpolators.told_there, grid_interpolators.told_on_grid, grid_interpolators.fill_of),
    kind="unknown",
)
