"""Tables of text: pieces of programs by their names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Value:
    """An expression in `x` that makes a value, how a number is read from it, and changes of it in place."""

    made: str
    reading: str
    changes: tuple[str, ...] = ()

    def read(self, name: str) -> str:
        """The number in the value of this name."""
        return self.reading.replace("$", name)


@cache
def table(name: str) -> dict[str, str]:
    """The pieces of a file: each follows a line `== name`; a first paragraph says what they are."""
    text = Path(__file__).with_name(f"{name}.txt").read_text()
    pieces = text.split("\n== ")[1:]
    return {name: body.strip("\n") for name, _, body in (piece.partition("\n") for piece in pieces)}


@cache
def values() -> dict[str, Value]:
    """What takes ways and is given to functions."""
    return {name: value_of(text) for name, text in table("values").items()}


@cache
def things() -> dict[str, Value]:
    """What is changed by another name, with all the changes."""
    found = {}
    for name, text in table("changes").items():
        head, *changes = text.split("\n\n")
        made = value_of(head)
        found[name] = Value(made.made, made.reading, tuple(changes))
    return found


def value_of(text: str) -> Value:
    """A value by its lines `made: ..`, `read: ..` and, where it can be changed, `change: ..`."""
    said = dict(line.split(": ", 1) for line in text.splitlines())
    return Value(said["made"], said["read"], (said["change"],) if "change" in said else ())


def parts(text: str) -> list[str]:
    """What stands between lines of two dashes."""
    return [part.strip("\n") for part in f"\n{text}\n".split("\n--\n")]


def halves(text: str) -> tuple[str, str]:
    """What stands above and below a line of two dashes."""
    above, below = parts(text)
    return above, below


def filled(template: str, pieces: dict[str, str]) -> str:
    """A template with pieces for their names; lines for one that stands on a line of its own are indented."""
    lines = []
    for line in template.splitlines():
        name = line.strip()
        if name in pieces:
            space = line[: len(line) - len(name)]
            lines += [space + part for part in pieces[name].splitlines()]
        else:
            for name, piece in pieces.items():
                line = line.replace(name, piece)
            lines.append(line)
    return "\n".join(lines) + "\n"
