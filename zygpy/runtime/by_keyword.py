"""Functions together with the names of arguments that they are given by keyword."""

from __future__ import annotations

from typing import Any, NamedTuple


class ByKeyword(NamedTuple):
    """A function that is given its last arguments by these names.

    >>> ByKeyword(sorted, ("reverse",)).split(([1, 2], True))
    (([1, 2],), {'reverse': True})
    """

    function: Any
    names: tuple[str, ...]

    def split(self, args: tuple[Any, ...]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments that are given by position, and those by keyword."""
        count = len(args) - len(self.names)
        return args[:count], dict(zip(self.names, args[count:], strict=True))
