"""Programs that refuse arrays of other classes, which compute in ways of their own, and walks by buffers."""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.errors import MissingRuleError, no_rule_on_arrays_of


def carried(args: Any, keywords: Any) -> Any:
    """All that something is made of, where nothing is known of the class of what is made."""
    return args, keywords


def masked(*args: Any, **keywords: Any) -> Any:
    """What makes a masked array, as a program whose result depends on all that it is given."""
    refuse_masked()
    return carried(args, keywords)


def of_matrices(*args: Any, **keywords: Any) -> Any:
    """What makes a `np.matrix`, in the same way."""
    refuse_matrices()
    return carried(args, keywords)


def walked_over(*args: Any, **keywords: Any) -> Any:
    """What makes a `np.nditer`, in the same way."""
    refuse_nditer()
    return carried(args, keywords)


def viewed(a: Any, dtype: Any = None, type: Any = None) -> Any:
    """`a.view(dtype, type)` that gives the same numbers."""
    check_view(a, dtype, type)
    return a.view()


def check_view(a: Any, *wanted: Any) -> None:
    """Refuse views of an array as one of another dtype or class, after what NumPy raises itself."""
    for one in wanted:
        if one is None or one is np.ndarray or (not is_class_of_arrays(one) and np.dtype(one) == a.dtype):
            continue
        a.view(one)
        if is_class_of_arrays(one):
            raise no_rule_on_arrays_of("view", one)
        raise MissingRuleError(
            f"a view of an array as '{one!r}' has no rule.",
            why="its numbers are made of parts of those of the array, or of several of them",
            instead="use `z.real` and `z.imag`, `x[..., ::2] + 1j * x[..., 1::2]`, or `x.astype(dtype)`",
        )


def is_class_of_arrays(wanted: Any) -> bool:
    """Whether it is a class of arrays, and no dtype."""
    return isinstance(wanted, type) and issubclass(wanted, np.ndarray)


def refuse_nditer() -> None:
    """Raise the error for `np.nditer`."""
    raise MissingRuleError(
        "'numpy.nditer' has no rule for numbers with a gradient.",
        why="it gives views of a buffer of its own, which it fills anew for every item",
        instead="walk over `x.flat`, or over `np.ndindex(x.shape)` and index the arrays",
    )


def refuse_masked() -> None:
    """Raise the error for masked arrays."""
    raise MissingRuleError(
        "masked arrays ('numpy.ma') of numbers with a gradient have no rules.",
        why="each of their operations looks at a mask, in code that is not followed",
        instead="keep the mask beside the array: `np.where(mask, 0, x)`, or `where=` of a reduction",
    )


def refuse_matrices() -> None:
    """Raise the error for matrices."""
    raise MissingRuleError(
        "'numpy.matrix' of numbers with a gradient has no rules.",
        why="its operators mean something else than those of arrays",
        instead="use an array of two dimensions, and `@` for products",
    )
