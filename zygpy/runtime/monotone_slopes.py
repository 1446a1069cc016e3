"""Slopes of the monotone cubic interpolation of `scipy.interpolate.PchipInterpolator` as a program.

Source of the formulas: F. N. Fritsch and J. Butland, A method for constructing local monotone piecewise cubic
interpolants (1984); C. Moler, Numerical Computing with MATLAB (2004), section 3.6, at the ends.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def slopes(x: Any, y: Any) -> Any:
    """The slopes at the samples."""
    steps = x[1:] - x[:-1]
    rises = (y[1:] - y[:-1]) / steps
    if np.shape(y)[0] == 2:
        return np.concatenate([rises, rises])
    first, second = steps[:-1], steps[1:]
    before, after = rises[:-1], rises[1:]
    up = np.equal(np.sign(before), np.sign(after)) & np.not_equal(before, 0)
    means = (2 * second + first) / np.where(up, before, 1.0) + (second + 2 * first) / np.where(up, after, 1.0)
    inner = np.where(up, 3 * (first + second) / np.where(up, means, 1.0), 0.0)
    start = end_slope(steps[:1], steps[1:2], rises[:1], rises[1:2])
    end = end_slope(steps[-1:], steps[-2:-1], rises[-1:], rises[-2:-1])
    return np.concatenate([start, inner, end])


def end_slope(near: Any, next_: Any, rise: Any, next_rise: Any) -> Any:
    """The slope at an end by three samples, held so that no value is passed."""
    slope = ((2 * near + next_) * rise - near * next_rise) / (near + next_)
    turns = np.sign(slope) != np.sign(rise)
    steep = (np.sign(rise) != np.sign(next_rise)) & (np.abs(slope) > 3 * np.abs(rise))
    return np.where(turns, 0.0, np.where(steep, 3 * rise, slope))
