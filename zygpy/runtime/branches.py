"""Square roots in the derivatives of inverse functions, on that side of a branch cut on which the number is.

On a cut the sign of a zero tells the side (NumPy follows C99, annex G). `1 - x` and `1 + x` lose it, since
`0.0 - 0.0` and `0.0 + -0.0` are both 0.0; `x - 1`, `x - (-1)` and a change of sign keep it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.runtime.derivatives import root


def circle_root(x: Any) -> Any:
    """The root of `1 - x * x`, which the derivatives of arcsine and arccosine are divided by.

    >>> float(circle_root(0.6)), complex(circle_root(2 + 0j)), complex(circle_root(complex(2, -0.0)))
    (0.8, -1.7320508075688772j, 1.7320508075688772j)
    """
    if _is_complex(x):
        return root(-(x - 1)) * root(x - (-1))
    return root(1 - x) * root(1 + x)


def hyperbola_root(x: Any) -> Any:
    """The root of `x * x - 1`, which the derivative of the inverse hyperbolic cosine is divided by."""
    if _is_complex(x):
        return root(x - 1) * root(x - (-1))
    return root(x - 1) * root(x + 1)


def hypotenuse(x: Any) -> Any:
    """The root of `1 + x * x`, which the derivative of the inverse hyperbolic sine is divided by."""
    if _is_complex(x):
        return circle_root(_times_i(x))
    return root(1 + x * x)


def _is_complex(x: Any) -> bool:
    return type(x) is not float and np.iscomplexobj(x)


def _times_i(x: Any) -> Any:
    """`1j * x` with the signs of zeros."""
    turned = np.empty_like(x)
    turned.real, turned.imag = -np.imag(x), np.real(x)
    return turned[()]
