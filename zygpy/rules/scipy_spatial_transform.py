"""Rules of `scipy.spatial.transform`: programs stand for rotations, which are unit quaternions there."""

from __future__ import annotations

import scipy.spatial.transform as st

from zygpy.rules.declare import library, non_differentiable, only_looks, rule, stands_for
from zygpy.runtime import rotation_objects as objects
from zygpy.runtime import rotations

library("rotation_objects", objects)

_CLASS = st.Rotation
for _function, _program in (
    (st.Slerp, rotations.interpolating),
    (st.Slerp.__call__, rotations.between),
    (_CLASS, rotations.rotation),
    (_CLASS.__mul__, rotations.times),
    (_CLASS.__pow__, rotations.power),
    (_CLASS.__getitem__, rotations.part),
    (_CLASS.inv, rotations.inverse_of),
    *(
        (getattr(_CLASS, _name), getattr(rotations, _name))
        for _name in (
            *("from_quat", "from_matrix", "from_rotvec", "from_mrp", "from_euler", "concatenate"),
            *("as_quat", "as_matrix", "as_rotvec", "as_mrp", "as_euler", "magnitude", "apply", "mean"),
            "align_vectors",
        )
    ),
):
    stands_for(_function, _program)
if hasattr(_CLASS, "__iter__"):  # since SciPy 1.17
    stands_for(_CLASS.__iter__, rotations.each)
for _name, _program in (("from_davenport", rotations.from_davenport), ("reduce", rotations.reduced)):
    if hasattr(_CLASS, _name):
        stands_for(getattr(_CLASS, _name), _program)
for _name in ("as_davenport", "__setitem__"):
    if hasattr(_CLASS, _name):
        stands_for(getattr(_CLASS, _name), rotations.not_followed)
non_differentiable(_CLASS.identity, kind="unknown")
non_differentiable(_CLASS.approx_equal, kind="unknown")
non_differentiable(_CLASS.create_group, rotations.chosen, rotations.over, kind="unknown")
non_differentiable(rotations.check_several, kind="none")
non_differentiable(rotations.count_of, kind="int")
stands_for(st.RotationSpline, rotations.not_followed)

rule(
    objects.with_numbers,
    "y = with_numbers(thing, numbers)",
    numbers_bar="rotation_objects.part(y_bar, numbers)",
    numbers_dot="rotation_objects.partner(y_bar)",
    containers=True,
    kind="same object",
)
rule(
    objects.numbers_of,
    "y = numbers_of(thing)",
    thing_bar="rotation_objects.held(y_bar)",
    thing_dot="rotation_objects.moving(y_bar, y)",
    containers=True,
    kind="doubles",
)
rule(
    objects.held,
    "y = held(numbers)",
    numbers_bar="rotation_objects.part(y_bar, numbers)",
    containers=True,
    kind="unknown",
)
rule(
    objects.part,
    "y = part(bar, like)",
    bar_bar="rotation_objects.held(y_bar)",
    containers=True,
    kind="doubles",
)
rule(
    objects.moving,
    "y = moving(dot, like)",
    dot_bar="rotation_objects.held(y_bar)",
    containers=True,
    kind="doubles",
)
rule(
    objects.partner,
    "y = partner(numbers)",
    numbers_bar="rotation_objects.part(y_bar, numbers)",
    containers=True,
    kind="partner",
)
rule(
    objects.dominant,
    "y = dominant(k, told)",
    k_bar="rotation_objects.dominant_cotangent(k, y, y_bar)",
    k_dot="rotation_objects.dominant_along(k, y, y_bar)",
    kind="doubles",
)
non_differentiable(
    objects.made_by, kind="object of class", call="y = made_by(of, function, given, keywords)", shares="given"
)
non_differentiable(rotations.told_quaternions, rotations.places_of, rotations.pieces, kind="unknown")
non_differentiable(rotations.check_alignment, kind="none")
non_differentiable(rotations.mixing, rotations.ordering, kind="doubles")
non_differentiable(rotations.projects, kind="bool")
non_differentiable(objects.refuse, objects.check_simple, objects.check_free, kind="none")
only_looks(objects.made_by, rotations.told_quaternions, rotations.places_of)
