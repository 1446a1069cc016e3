"""Rotations, rigid motions and curves."""

from __future__ import annotations

from typing import Any

import ahrs
import numpy as np
import pytransform3d.rotations as rotations
import pytransform3d.transformations as motions
import splines
import svgpathtools
import transforms3d
from geomdl import NURBS, BSpline
from pyquaternion import Quaternion
from skspatial.objects import Line, Plane, Sphere, Triangle, Vector

from tests.libraries.table import at

KNOTS = [0, 0, 0, 0.5, 1, 1, 1]


@at(0.1, 0.2, 0.3)
def matrix_of_angles(a: Any, b: Any, c: Any) -> Any:
    turn = transforms3d.euler.euler2mat(a, b, c, "ryxz")
    angles = transforms3d.euler.mat2euler(turn, "sxyz")
    return turn[0, 1] + turn[2, 1] * 2 + angles[0] + 2 * angles[1] - angles[2]


@at(0.1, 0.2, 0.3)
def quaternion_of_angles(a: Any, b: Any, c: Any) -> Any:
    q = transforms3d.euler.euler2quat(a, b, c)
    turned = transforms3d.quaternions.rotate_vector([1.0, 2.0, 3.0], transforms3d.quaternions.qmult(q, q))
    return turned[0] + transforms3d.quaternions.quat2mat(q)[0, 1]


@at(0.1, 0.2, 0.3)
def quaternion_of_a_matrix(a: Any, b: Any, c: Any) -> Any:
    return transforms3d.quaternions.mat2quat(transforms3d.euler.euler2mat(a, b, c))[1]


@at(0.1, 0.2, 0.3)
def axis_and_angle(a: Any, b: Any, c: Any) -> Any:
    turn = transforms3d.axangles.axangle2mat([a, b, c], 1.1 * a + 1)
    axis, angle = transforms3d.axangles.mat2axangle(turn)
    return axis[0] + angle


@at(0.1, 0.2, 0.3)
def affine_map_taken_apart(a: Any, b: Any, c: Any) -> Any:
    turn = transforms3d.euler.euler2mat(a, b, c)
    whole = transforms3d.affines.compose([a, b, c], turn, [1 + a, 1 + b, 2.0])
    moved, turned, zoomed, sheared = transforms3d.affines.decompose(whole)
    return moved[0] + turned[0, 1] + zoomed[2] + sheared[0]


@at(0.3, 0.6, 0.4)
def rotation_and_back(a: Any, b: Any, c: Any) -> Any:
    turn = rotations.matrix_from_compact_axis_angle([a, b, c])
    q = rotations.quaternion_from_matrix(turn)
    return q[1] + rotations.euler_from_matrix(turn, 0, 1, 2, True)[2] + turn[0, 1]


@at(0.3, 0.6, 0.4)
def rigid_motion(a: Any, b: Any, c: Any) -> Any:
    motion = motions.transform_from_exponential_coordinates([a, b, c, 1.0, 2.0, 3.0])
    twice = motions.exponential_coordinates_from_transform(motions.concat(motion, motion))
    return motion[0, 3] + twice[2]


@at(0.3, 0.6, 0.4)
def between_two_rotations(a: Any, b: Any, t: Any) -> Any:
    start = rotations.quaternion_from_axis_angle([1.0, 0.0, 0.0, a])
    end = rotations.quaternion_from_axis_angle([0.0, 1.0, 0.0, b])
    q = rotations.quaternion_slerp(start, end, t)
    return q[0] + q[2]


@at(0.1, 0.2, 0.7)
def rotated_by_an_object(a: Any, b: Any, c: Any) -> Any:
    turned = Quaternion(axis=[a, b, c], angle=1.0 + a).rotate(np.array([1.0, 2.0, 3.0]))
    return turned[0] + turned[1] * 2


@at(0.1, 0.2, 0.7)
def between_two_objects(a: Any, b: Any, c: Any) -> Any:
    q = Quaternion(1.0, a, b, c).normalised
    r = Quaternion.slerp(q, Quaternion(axis=[1, 0, 0], angle=1.1), 0.3)
    return (q * r.inverse)[1] + r.angle


@at(0.1, 0.2, 9.7)
def tilt_of_gravity(a: Any, b: Any, c: Any) -> Any:
    q = ahrs.filters.Tilt().estimate(np.array([a, b, c]))
    return q[0] + 2 * q[1]


@at(0.1, 0.2, 0.7, refused="'ndarray.__new__' has no rule")
def subclass_of_arrays_made_by_new(a: Any, b: Any, c: Any) -> Any:
    turn = ahrs.Quaternion([1.0, a, b, c]).to_DCM()
    return turn[0, 1] + turn[2, 0]


@at(0.3, 0.6, 0.4)
def curve_of_points(a: Any, b: Any, u: Any) -> Any:
    curve = BSpline.Curve()
    curve.degree = 2
    curve.ctrlpts = [[0.0, 0.0], [a, 1.0], [1.0, b], [2.0, 0.0]]
    curve.knotvector = KNOTS
    point = curve.evaluate_single(u)
    return point[0] + 2 * point[1]


@at(0.3, 0.6, 0.4)
def curve_of_points_with_weights(a: Any, b: Any, u: Any) -> Any:
    curve = NURBS.Curve()
    curve.degree = 2
    curve.ctrlpts = [[0.0, 0.0], [a, 1.0], [1.0, b], [2.0, 0.0]]
    curve.weights = [1.0, a, 1.0, b]
    curve.knotvector = KNOTS
    found = curve.derivatives(u, order=1)
    return found[0][0] + found[1][1]


@at(0.3, 0.6, 0.4)
def splines_through_points(a: Any, b: Any, t: Any) -> Any:
    points = [np.array([0.0, a]), np.array([1.0, b]), np.array([2.0, 0.0]), np.array([3.0, 1.0])]
    one = splines.CatmullRom(points, endconditions="natural").evaluate(1 + t)
    return np.sum(one + splines.Natural(points).evaluate(t))


@at(0.3, 0.6, 0.4)
def curves_in_the_plane(a: Any, b: Any, t: Any) -> Any:
    cubic = svgpathtools.CubicBezier(0 + 0j, complex(a, 1), complex(1, b), 2 + 0j)
    arc = svgpathtools.Arc(0j, complex(1 + a, 1 + b), 0.0, False, True, complex(1, 1))
    return abs(cubic.point(t)) + cubic.derivative(t).real + arc.point(t).real + arc.point(t).imag


SUBCLASS = "There is no rule for 'view'"


@at(0.3, 0.6, 0.2, refused=SUBCLASS)
def distance_to_a_line(a: Any, b: Any, c: Any) -> Any:
    return Line([0, 0, 0], [a, b, 1]).distance_point([c, 1, 2])


@at(0.3, 0.6, 0.2, refused=SUBCLASS)
def plane_and_line(a: Any, b: Any, c: Any) -> Any:
    point = Plane([0, 0, c], [a, b, 1]).intersect_line(Line([0, 0, 0], [a, 1, 1]))
    return point[0] + point[2]


@at(0.3, 0.6, 0.2, refused=SUBCLASS)
def triangle(a: Any, b: Any, c: Any) -> Any:
    return Triangle([0, 0], [1 + a, b], [c, 1]).area()


@at(0.3, 0.6, 0.2, refused=SUBCLASS)
def angle_of_vectors(a: Any, b: Any, c: Any) -> Any:
    return Vector([a, b, c]).angle_between([1, 0, 0])


@at(3.0, 0.6, 0.2, refused=SUBCLASS)
def sphere(a: Any, b: Any, c: Any) -> Any:
    return Sphere([b, c, 0], a).volume()
