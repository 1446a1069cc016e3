"""Rules of `scipy.ndimage`, there once a program has imported it: programs stand for its filters."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import signature
from typing import Any

import scipy.ndimage as nd

from zygpy.ir.kinds import Array
from zygpy.rules.declare import Choice, library, non_differentiable, rule, stands_for
from zygpy.runtime import image_distances as distances
from zygpy.runtime import image_filters as filters
from zygpy.runtime import image_functions as functions
from zygpy.runtime import image_labels as labelled
from zygpy.runtime import image_morphology as morphology
from zygpy.runtime import image_outputs as outputs
from zygpy.runtime import image_ranks as ranks
from zygpy.runtime import image_spectra as spectra
from zygpy.runtime import image_splines as splines
from zygpy.runtime import image_warps as warps
from zygpy.runtime import windows

library("windows", windows)
library("image_splines", splines)


def _by_output(plain: Any, storing: Any) -> Choice:
    """The program of a function, or that which stores the result, where there may be an array for it."""
    place = list(signature(plain).parameters).index("output")

    def choose(kinds: Sequence[Any], names: frozenset[str]) -> Any:
        given = "output" in names or (len(kinds) > place and isinstance(kinds[place], Array))
        return storing if given else plain

    return choose


for _module, _names in (
    (filters, ("correlate", "correlate1d", "convolve", "convolve1d", "gaussian_filter", "gaussian_filter1d")),
    (filters, ("uniform_filter", "uniform_filter1d", "prewitt", "sobel", "laplace", "gaussian_laplace")),
    (filters, ("gaussian_gradient_magnitude",)),
    (ranks, ("maximum_filter", "minimum_filter", "maximum_filter1d", "minimum_filter1d")),
    (ranks, ("median_filter", "rank_filter", "percentile_filter")),
    (morphology, ("grey_erosion", "grey_dilation", "grey_opening", "grey_closing", "white_tophat")),
    (morphology, ("black_tophat", "morphological_gradient", "morphological_laplace")),
    (warps, ("spline_filter1d", "spline_filter", "map_coordinates", "geometric_transform")),
    (warps, ("affine_transform", "shift", "zoom", "rotate")),
):
    for _name in _names:
        _program = getattr(_module, _name)
        stands_for(getattr(nd, _name), _program, choose=_by_output(_program, getattr(outputs, _name)))

for _plain, _others in (
    (labelled, ("sum", "sum_labels", "mean", "variance", "standard_deviation", "minimum", "maximum")),
    (labelled, ("median", "extrema", "center_of_mass", "labeled_comprehension")),
    (functions, ("generic_filter", "generic_filter1d", "generic_laplace", "generic_gradient_magnitude")),
    (distances, ("distance_transform_edt", "distance_transform_bf")),
    (spectra, ("fourier_gaussian", "fourier_uniform", "fourier_ellipsoid", "fourier_shift")),
):
    for _name in _others:
        stands_for(getattr(nd, _name), getattr(_plain, _name))

rule(
    windows.windowed,
    "y = windowed(x, w)",
    x_bar="windows.spread_windows(y_bar, conj(w))",
    w_bar="windows.window_products(y_bar, conj(x))",
    x_dot="windows.windowed(y_bar, w)",
    w_dot="windows.windowed(x, y_bar)",
    kind="windowed",
)
rule(
    windows.spread_windows,
    "y = spread_windows(y0, w)",
    y0_bar="windows.windowed(y_bar, conj(w))",
    w_bar="windows.window_products(conj(y0), y_bar)",
    y0_dot="windows.spread_windows(y_bar, w)",
    w_dot="windows.spread_windows(y0, y_bar)",
    kind="array",
)
rule(
    windows.window_products,
    "y = window_products(y0, x)",
    y0_bar="windows.windowed(conj(x), y_bar)",
    x_bar="windows.spread_windows(conj(y0), y_bar)",
    y0_dot="windows.window_products(y_bar, x)",
    x_dot="windows.window_products(y0, y_bar)",
    kind="array",
)

rule(
    splines.filtered,
    "y = filtered(x, order, axis, mode)",
    x_bar="image_splines.filtered_back(y_bar, order, axis, mode)",
    x_dot="image_splines.filtered(y_bar, order, axis, mode)",
    kind="filtered",
)
rule(
    splines.filtered_back,
    "y = filtered_back(y0, order, axis, mode)",
    y0_bar="image_splines.filtered(y_bar, order, axis, mode)",
    y0_dot="image_splines.filtered_back(y_bar, order, axis, mode)",
    kind="array",
)
rule(
    splines.shares,
    "y = shares(s, order, nu=0)",
    s_bar="np.sum(y_bar * image_splines.shares(s, order, nu + 1), axis=0)",
    domain="0 < s < 1",
    at="the slope behind a place where pieces meet",
    kind="array",
    source="C. de Boor, A Practical Guide to Splines (2001), chapter X",
)

non_differentiable(splines.met, kind="unknown")
non_differentiable(splines.inside, warps.inside_lines, warps.steps, warps.told_line, kind="array")
non_differentiable(warps.places_of, warps.places_of_zoom, warps.plane_of, kind="unknown")
non_differentiable(warps.is_left, kind="bool")
non_differentiable(warps.check_mapping, warps.check_grid, kind="none")
non_differentiable(filters.measured, kind="unknown")
non_differentiable(
    windows.places_beyond, kind="two places", call="y = places_beyond(length, before, after, mode)"
)
non_differentiable(windows.outside, kind="real floats", call="y = outside(x, count, axis)")
non_differentiable(ranks.first_places, ranks.form, ranks.line, kind="array")
non_differentiable(morphology.chosen_places, morphology.chosen_heights, kind="array")
non_differentiable(spectra.turns, functions.places_in_windows, kind="array")
non_differentiable(
    functions.check_again, functions.check_function, functions.check_real, spectra.check_sizes, kind="none"
)
non_differentiable(labelled.regions_of, labelled.stretches, kind="unknown")
non_differentiable(labelled.counts, labelled.extreme_places, labelled.middle_places, kind="array")
non_differentiable(labelled.common_shape, labelled.lines_over, kind="unknown")
non_differentiable(filters.check_output, filters.check_order, filters.check_magnitude, kind="none")
non_differentiable(distances.check_new, kind="none")
non_differentiable(distances.steps_to, kind="array")
non_differentiable(filters.reach_of, kind="int")
non_differentiable(filters.chosen_axes, kind="list of places")

# What finds labels, places and distances between cells, or works on truth values.

for _name in (
    "binary_closing", "binary_dilation", "binary_erosion", "binary_fill_holes", "binary_hit_or_miss",
    "binary_opening", "binary_propagation", "distance_transform_cdt", "find_objects",
    "generate_binary_structure", "histogram", "iterate_structure",
    "label", "maximum_position", "minimum_position", "value_indices", "watershed_ift",
):  # fmt: skip
    if hasattr(nd, _name):
        non_differentiable(getattr(nd, _name), kind="unknown")
non_differentiable(outputs.check_apart, outputs.check_shape, kind="none")
non_differentiable(outputs.type_of, kind="unknown")
