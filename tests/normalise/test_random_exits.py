"""Random nests of branches, loops and contexts with exits everywhere, against plain calls."""

from __future__ import annotations

import random

import pytest

from tests.normalise.programs import PROGRAMS
from tests.normalise.test_programs import run

EXITS = ("break", "continue", "return say('r')", "raise ValueError('e')", "return")


class Writer:
    """Writes one random program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.count = 0

    def program(self) -> str:
        return "def f(bits):\n s = 0\n" + self.block(1, 3, False) + " return s\n"

    def block(self, depth: int, size: int, in_loop: bool) -> str:
        count = self.random.randint(1, size)
        return "".join(self.statement(depth, in_loop) for _ in range(count))

    def statement(self, depth: int, in_loop: bool) -> str:
        self.count += 1
        kinds = ["say", "exit", "if", "ifelse", "for", "while", "with"]
        kind = self.random.choice(kinds if depth < 5 else kinds[:2])
        return getattr(self, f"write_{kind}")(" " * depth, depth, in_loop)  # type: ignore[no-any-return]

    def write_say(self, pad: str, _: int, __: bool) -> str:
        return f"{pad}s += say({self.count})\n"

    def write_exit(self, pad: str, depth: int, in_loop: bool) -> str:
        chosen = self.random.choice(EXITS if in_loop else EXITS[2:])
        guard = "if bits.pop(): " if self.random.random() < 0.7 else ""
        return f"{pad}{guard}{chosen}\n"

    def write_if(self, pad: str, depth: int, in_loop: bool) -> str:
        return f"{pad}if bits.pop():\n{self.block(depth + 1, 3, in_loop)}"

    def write_ifelse(self, pad: str, depth: int, in_loop: bool) -> str:
        return self.write_if(pad, depth, in_loop) + f"{pad}else:\n{self.block(depth + 1, 3, in_loop)}"

    def loop_else(self, pad: str, depth: int, in_loop: bool) -> str:
        return f"{pad}else:\n{self.block(depth + 1, 2, in_loop)}" if self.random.random() < 0.4 else ""

    def write_for(self, pad: str, depth: int, in_loop: bool) -> str:
        head = f"{pad}for i{depth} in range(3):\n{self.block(depth + 1, 3, True)}"
        return head + self.loop_else(pad, depth, in_loop)

    def write_while(self, pad: str, depth: int, in_loop: bool) -> str:
        test = self.random.choice(("bits.pop()", "True"))
        head = f"{pad}while {test}:\n{pad} bits.pop()\n{self.block(depth + 1, 3, True)}"
        return head + self.loop_else(pad, depth, in_loop)

    def write_with(self, pad: str, depth: int, in_loop: bool) -> str:
        return f"{pad}with entered({self.count}):\n{self.block(depth + 1, 3, in_loop)}"


@pytest.mark.parametrize("seed", range(250))
def test_random_exits(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PROGRAMS, "random", (Writer(seed).program(), []))
    bits = random.Random(-seed - 1)
    for _ in range(8):
        call = repr([bits.randint(0, 1) for _ in range(25)])
        assert run("random", call, normalised=True) == run("random", call, normalised=False), PROGRAMS[
            "random"
        ][0]
