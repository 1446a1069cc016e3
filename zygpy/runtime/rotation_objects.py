"""Objects of `scipy.spatial.transform` that hold rotations: what is read of them and what is given to them.

The cotangent of one is a dict by the names of what it holds.
"""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation, Slerp

from zygpy.errors import MissingRuleError
from zygpy.runtime.zeros import Partner


def refuse(what: str, why: str, instead: str) -> None:
    """Raise the error for something without derivatives."""
    raise MissingRuleError(f"{what} has no rule.", why=why, instead=instead)


def made_by(of: Any, function: Any, given: Any, keywords: Any) -> Any:
    """The object of just this class that a function makes, keywords that are None left out."""
    made = function(*given, **{name: value for name, value in keywords.items() if value is not None})
    if type(made) is not of:
        refuse(
            f"a {type(made).__name__} that '{getattr(function, '__name__', function)}' gives",
            f"only objects of the class '{of.__name__}' itself are followed",
            "make one of these",
        )
    return made


def with_numbers(thing: Any, numbers: Any) -> Any:
    """The object, whose numbers have the derivatives of what was computed."""
    return copy.copy(thing)


def numbers_of(thing: Any) -> Any:
    """The quaternions of a rotation; of what interpolates its times, quaternions and turns in one vector.

    Raises MissingRuleError for anything else.
    """
    if type(thing) is Slerp:
        return np.concatenate([thing.times, np.ravel(thing.rotations.as_quat()), np.ravel(thing.rotvecs)])
    if type(thing) is not Rotation:
        refuse(
            f"a {type(thing).__name__} in the place of a rotation",
            "only objects of the class 'Rotation' itself are followed",
            "make one of these",
        )
    return np.array(thing.as_quat())


def held(numbers: Any) -> Any:
    """The cotangent of an object whose numbers have this one: that itself, as not all versions of SciPy have
    fields for them."""
    return numbers


def part(bar: Any, like: Any) -> Any:
    """The cotangent of the numbers of an object; MissingRuleError where fields of it have one."""
    if isinstance(bar, np.ndarray):
        return bar
    fields = {} if bar is None else bar if isinstance(bar, dict) else bar._asdict()
    for name, value in fields.items():
        if value is not None:
            refuse(f"the field {name!r} of a rotation", "what methods give is followed", "use 'as_quat'")
    return np.zeros(np.shape(like))


FIELD = "numbers"
"""The name that tangents of objects have for them."""


def moving(dot: Any, like: Any) -> Any:
    """The tangent of the numbers of an object with this tangent, zeros where it has none."""
    value = getattr(dot, FIELD, None)
    return np.zeros(np.shape(like)) if value is None else value


def partner(numbers: Any) -> Any:
    """The tangent of an object whose numbers have this one."""
    made = Partner()
    setattr(made, FIELD, numbers)
    return made


# ------------------------------------------------------------------------------- smooth functions

NEAR = 0.01
"""The squares below which series are summed, in place of quotients of what vanishes together."""
TERMS = range(10)
HALF_SINE = [(-1) ** k / (2 ** (2 * k + 1) * math.factorial(2 * k + 1)) for k in TERMS]
HALF_COSINE = [(-1) ** k / (4**k * math.factorial(2 * k)) for k in TERMS]
ARCSINE = [2 * math.comb(2 * k, k) / (4**k * (2 * k + 1)) for k in TERMS]


def summed(coefficients: Any, x: Any) -> Any:
    """A power series."""
    total: Any = 0.0
    for coefficient in coefficients[::-1]:
        total = total * x + coefficient
    return total


def of_angle(square: Any, v: Any) -> Any:
    """The quaternion of a rotation vector, whose square is given, smooth also where it is 0."""
    near = square < NEAR
    angle = np.sqrt(np.where(near, 1.0, square))
    small = np.where(near, square, 0.0)
    sine = np.where(near, summed(HALF_SINE, small), np.sin(angle / 2) / angle)
    cosine = np.where(near, summed(HALF_COSINE, small), np.cos(angle / 2))
    return np.concatenate([sine * v, cosine], axis=-1)


def per_sine(square: Any, w: Any) -> Any:
    """The angle of a rotation over the sine of its half, of which the square is given, and the cosine."""
    near = square < NEAR
    sine = np.sqrt(np.where(near, 1.0, square))
    return np.where(near, summed(ARCSINE, np.where(near, square, 0.0)), 2 * np.arctan2(sine, w) / sine)


# ------------------------------------------------------------------------------- dominant vectors


def dominant(k: Any, told: Any) -> Any:
    """The eigenvector of the largest eigenvalue, which is a single one, of symmetric matrices: it is told."""
    return np.array(told)


def dominant_cotangent(k: Any, y: Any, y_bar: Any) -> Any:
    """What comes back to the matrices: by the pseudo-inverse of what they differ by from the eigenvalue.

    Source: J. R. Magnus, On differentiating eigenvalues and eigenvectors, Econometric Theory 1 (1985).
    """
    u = away(k, y, y_bar)
    half = np.expand_dims(u, -1) * np.expand_dims(y, -2) / 2
    return half + np.swapaxes(half, -1, -2)


def dominant_along(k: Any, y: Any, k_dot: Any) -> Any:
    """The tangent of the eigenvector."""
    return away(k, y, times_vector((k_dot + np.swapaxes(k_dot, -1, -2)) / 2, y))


def away(k: Any, y: Any, g: Any) -> Any:
    """The pseudo-inverse of `eigenvalue - k` times vectors."""
    value = np.sum(y * times_vector(k, y), axis=-1, keepdims=True)
    projector = np.expand_dims(y, -1) * np.expand_dims(y, -2)
    rest = g - y * np.sum(y * g, axis=-1, keepdims=True)
    matrix = np.expand_dims(value, -1) * np.eye(4) - k + projector * (1 + np.expand_dims(np.abs(value), -1))
    return np.linalg.solve(matrix, np.expand_dims(rest, -1))[..., 0]


def times_vector(k: Any, y: Any) -> Any:
    """Matrices times vectors."""
    return np.matmul(k, np.expand_dims(y, -1))[..., 0]


def check_simple(k: Any, name: str) -> None:
    """Refuse matrices of whose largest eigenvalue there is more than one eigenvector."""
    values = np.linalg.eigvalsh(k)
    if np.any(values[..., 3] - values[..., 2] <= 1e-10 * np.abs(values[..., 3])):
        refuse(
            f"'Rotation.{name}' of what has no nearest rotation",
            "there are several that are as near, and it jumps from one to another",
            "give it matrices, or rotations, that are nearer to each other",
        )


def check_free(value: Any, seq: str, degrees: Any) -> None:
    """Refuse angles about axes of which two are one."""
    angle = np.asarray(value)[..., 1] * (math.pi / 180 if degrees else 1.0)
    if seq[0].lower() != seq[2].lower():
        angle = angle + math.pi / 2
    if np.any((np.abs(angle) <= 1e-7) | (np.abs(angle - math.pi) <= 1e-7)):
        refuse(
            "'Rotation.as_euler' in gimbal lock",
            "the first and the third axis are one, and their angles jump beside it",
            "use another sequence, 'as_quat' or 'as_rotvec'",
        )
