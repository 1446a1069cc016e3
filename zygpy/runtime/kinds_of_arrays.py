"""Programs that refuse arrays of other classes, which compute in ways of their own, and walks by buffers."""

from __future__ import annotations

from typing import Any

from zygpy.errors import MissingRuleError


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
