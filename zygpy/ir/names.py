"""Fresh names: counters, never random, so that the same input gives the same text."""

from __future__ import annotations

from collections.abc import Iterable

TEMPORARY = "t_"


def is_temporary(name: str) -> bool:
    """Whether a variable was made by normalise (and may be folded away again).

    >>> is_temporary("t_3"), is_temporary("total")
    (True, False)
    """
    return name.startswith(TEMPORARY) and name.removeprefix(TEMPORARY).isdecimal()


class Names:
    """Hands out names that are not taken yet.

    >>> names = Names({"x", "x_bar"})
    >>> names.fresh("x_bar"), names.fresh("x_bar"), names.temporary()
    ('x_bar_1', 'x_bar_2', 't_1')
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self.taken = set(taken)
        self._next: dict[str, int] = {}

    def fresh(self, wish: str) -> str:
        """`wish` itself if it is free, else `wish_1`, `wish_2`, ..."""
        name = wish
        while name in self.taken:
            self._next[wish] = self._next.get(wish, 0) + 1
            name = f"{wish}_{self._next[wish]}"
        self.taken.add(name)
        return name

    def temporary(self) -> str:
        """A fresh `t_1`, `t_2`, ..."""
        number = self._next.get(TEMPORARY, 0) + 1
        while f"{TEMPORARY}{number}" in self.taken:
            number += 1
        self._next[TEMPORARY] = number
        return self.fresh(f"{TEMPORARY}{number}")

    def save(self) -> object:
        """The state, so that names handed out in a trial run can be taken back."""
        return set(self.taken), dict(self._next)

    def restore(self, state: object) -> None:
        """Go back to a saved state."""
        assert isinstance(state, tuple)
        self.taken, self._next = set(state[0]), dict(state[1])
