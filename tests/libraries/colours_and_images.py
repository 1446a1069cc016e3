"""Colours, images and geometric maps of them."""

from __future__ import annotations

from typing import Any

import colorspacious
import numpy as np
from skimage import color, exposure, filters, measure, metrics, transform

from tests.libraries.table import at

IMAGE = np.add.outer(np.sin(np.arange(8.0)), np.cos(np.arange(8.0) * 0.7))
WEIGHTS = np.arange(1.0, 4.0)


@at(0.3, 0.6, 0.2)
def spaces_of_colorspacious(r: Any, g: Any, b: Any) -> Any:
    lab = colorspacious.cspace_convert([r, g, b], "sRGB1", "CIELab")
    seen = colorspacious.cspace_convert([r, g, b], "sRGB1", "JCh")
    return lab[0] + 2 * lab[1] - lab[2] + seen[0] + seen[1]


@at(0.3, 0.6, 0.2)
def difference_by_colorspacious(r: Any, g: Any, b: Any) -> Any:
    return colorspacious.deltaE([r, g, b], [0.4, 0.4, 0.5], input_space="sRGB1")


@at(0.3, 0.6, 0.2)
def spaces_of_an_image(r: Any, g: Any, b: Any) -> Any:
    pixel = np.array([[[r, g, b]]])
    lab = color.rgb2lab(pixel)
    spaces = lab + color.rgb2xyz(pixel) + color.rgb2yuv(pixel) + color.lab2rgb(lab)
    return np.sum(spaces * WEIGHTS) + np.sum(color.rgb2gray(pixel))


@at(0.3, 0.6, 0.2)
def hue_and_back(r: Any, g: Any, b: Any) -> Any:
    hsv = color.rgb2hsv(np.array([[[r, g, b]]]))
    return np.sum(hsv * WEIGHTS) + np.sum(color.hsv2rgb(hsv) * WEIGHTS)


@at(30.3, 20.6, 10.2)
def differences(lightness: Any, a: Any, b: Any) -> Any:
    one, other = np.array([lightness, a, b]), np.array([35.0, 18.0, 12.0])
    plain = color.deltaE_ciede2000(one, other) + color.deltaE_cie76(one, other)
    return plain + color.deltaE_ciede94(one, other) + color.deltaE_cmc(one, other)


@at(0.3, 0.6, 0.2)
def similar_map(a: Any, b: Any, c: Any) -> Any:
    mapped = transform.SimilarityTransform(scale=1 + a, rotation=b, translation=(c, a))
    return np.sum(mapped(np.array([[1.0, 2.0], [0.5, -1.0]])) * np.arange(4.0).reshape(2, 2))


@at(0.3, 0.6, 0.2)
def affine_map(a: Any, b: Any, c: Any) -> Any:
    mapped = transform.AffineTransform(scale=(1 + a, b), rotation=b, shear=c, translation=(c, a))
    return np.sum(mapped.params * np.arange(9.0).reshape(3, 3)) + mapped.rotation


@at(0.3, 0.6, 0.2)
def estimated_map(a: Any, b: Any, c: Any) -> Any:
    start = np.array([[0.0, a], [1.0, b], [c, 2.0], [3.0, 1.0]])
    end = np.array([[0.1, 0.2], [1.5, a], [0.4, 1.9], [3.3, b]])
    mapped = transform.estimate_transform("affine", start, end)
    return np.sum(mapped.params[:2] * np.arange(6.0).reshape(2, 3))


@at(0.3, 0.6)
def similarity_of_images(a: Any, b: Any) -> Any:
    one, other = IMAGE * a, IMAGE * b + 0.1 * IMAGE.T
    alike = metrics.structural_similarity(one, other, data_range=2.0, win_size=3)
    noise = metrics.peak_signal_noise_ratio(one, other, data_range=2.0)
    return alike + metrics.mean_squared_error(one, other) + noise


@at(0.3, 0.6)
def filters_of_images(a: Any, b: Any) -> Any:
    image = IMAGE * a + IMAGE**2 * b
    edges = filters.sobel(image) + filters.laplace(image)
    return np.sum((filters.gaussian(image, sigma=1.0) + edges) * IMAGE)


@at(0.3, 0.6)
def exposures(a: Any, b: Any) -> Any:
    bright = np.abs(IMAGE) * a / 3
    bent = exposure.adjust_gamma(bright, b) + exposure.adjust_sigmoid(bright, gain=5 * b)
    return np.sum(bent) + np.sum(exposure.rescale_intensity(IMAGE * a + b * IMAGE.T) * IMAGE)


@at(0.3, 0.6, refused="moments_hu' has no rule")
def moments_of_an_image(a: Any, b: Any) -> Any:
    central = measure.moments_central(np.abs(IMAGE) * a + b * IMAGE**2)
    return np.sum(measure.moments_hu(measure.moments_normalized(central)))
