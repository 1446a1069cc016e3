"""Rules of NumPy's functions on arrays as sets: the distinct elements of one or two arrays."""

from __future__ import annotations

import numpy as np

from zygpy.rules.declare import rule

FIRST = "the first of equal elements gets it all"

rule(
    np.unique,
    "y = unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *,"
    " equal_nan=True, sorted=True)",
    ar_bar="elements_transpose(values_of(y_bar), shape(ar), first_places(ar, values_of(y), axis))",
    ar_dot="beside_others(elements_at(y_bar, first_places(ar, values_of(y), axis)), y)",
    at=FIRST,
    kind="distinct",
)
rule(
    np.unique_values,
    "y = unique_values(x)",
    x_bar="elements_transpose(y_bar, shape(x), found_places(y, x))",
    x_dot="elements_at(y_bar, found_places(y, x))",
    at=FIRST,
    kind="flat",
)
for _name in ("unique_all", "unique_counts", "unique_inverse"):
    rule(
        getattr(np, _name),
        f"y = {_name}(x)",
        x_bar="elements_transpose(part(y_bar, 0), shape(x), found_places(y[0], x))",
        x_dot="beside_others(elements_at(y_bar, found_places(y[0], x)), y)",
        at=FIRST,
        kind="unknown",
    )

rule(
    np.union1d,
    "y = union1d(ar1, ar2)",
    ar1_bar="elements_transpose(y_bar, shape(ar1), found_places(y, ar1))",
    ar2_bar="elements_transpose(y_bar, shape(ar2), places_found_only(y, ar2, ar1))",
    ar1_dot="elements_at(y_bar, found_places(y, ar1))",
    ar2_dot="elements_at(y_bar, places_found_only(y, ar2, ar1))",
    at=FIRST,
    kind="array",
)
rule(
    np.setxor1d,
    "y = setxor1d(ar1, ar2, assume_unique=False)",
    ar1_bar="elements_transpose(y_bar, shape(ar1), found_places(y, ar1))",
    ar2_bar="elements_transpose(y_bar, shape(ar2), places_found_only(y, ar2, ar1))",
    ar1_dot="elements_at(y_bar, found_places(y, ar1))",
    ar2_dot="elements_at(y_bar, places_found_only(y, ar2, ar1))",
    at=FIRST,
    kind="array",
)
rule(
    np.intersect1d,
    "y = intersect1d(ar1, ar2, assume_unique=False)",
    ar1_bar="elements_transpose(y_bar, shape(ar1), found_places(y, ar1))",
    ar1_dot="elements_at(y_bar, found_places(y, ar1))",
    at="the elements count as those of ar1",
    kind="array",
)
rule(
    np.setdiff1d,
    "y = setdiff1d(ar1, ar2, assume_unique=False)",
    ar1_bar="elements_transpose(y_bar, shape(ar1), found_places(y, ar1))",
    ar1_dot="elements_at(y_bar, found_places(y, ar1))",
    at=FIRST,
    kind="array",
)
