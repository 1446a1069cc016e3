"""The pair of a function that runs a stretch of a loop, as text: the forward keeps what the stretch is given,
the adjoint runs it once more before it reverses it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zygpy.ir.kinds import Array, Kind, Known, Nothing, is_scalar
from zygpy.ir.kinds import Text as Words
from zygpy.ir.names import Names
from zygpy.ir.text import Text
from zygpy.runtime.levels import present_level
from zygpy.runtime.reruns import pulled_back
from zygpy.runtime.store import described
from zygpy.runtime.stretches import apart, come_back, go_on, moment, passed, things_of

HELPERS = {
    "apart": apart,
    "come_back": come_back,
    "described": described,
    "go_on": go_on,
    "moment": moment,
    "passed": passed,
    "present_level": present_level,
    "pulled_back": pulled_back,
    "things_of": things_of,
}
"""What the pair calls by these names."""


@dataclass(frozen=True)
class Part:
    """What is known of the pair of the same function that keeps everything: by which names its forward and
    adjoint are called, its parameters, of which the first is the loop's gauge, and their kinds, which of them
    it writes - those whose cotangents its adjoint takes, and all."""

    name: str
    params: tuple[str, ...]
    kinds: tuple[Kind, ...]
    writes: tuple[str, ...]
    changes: tuple[str, ...]
    carries: bool
    identity: bool
    copying: bool
    line: int


@dataclass(frozen=True)
class Written:
    """The pair as text, its functions' names, and those of what it calls."""

    text: Text
    names: tuple[str, str]
    run: tuple[str, str]
    around: str


def write(part: Part) -> Written:
    """The pair that keeps nothing but the arguments."""
    names = Names({*HELPERS, *part.params})
    both = names.fresh(f"{part.name}_forward"), names.fresh(f"{part.name}_adjoint")
    run = names.fresh(f"{part.name}_run_forward"), names.fresh(f"{part.name}_run_adjoint")
    writer = _Writer(part, both, run, names)
    lines = writer.by_identity() if part.identity else writer.plain()
    mapping = {number: part.line for number, content in enumerate(lines, 1) if content}
    return Written(Text("\n".join(lines) + "\n", mapping), both, run, writer.around)


class _Writer:
    def __init__(self, part: Part, both: tuple[str, str], run: tuple[str, str], names: Names) -> None:
        self.part = part
        self.both = both
        self.run = run
        self.around = names.fresh("around")
        self.y, self.y_bar, self.stash = names.fresh("y"), names.fresh("y_bar"), names.fresh("stash")
        self.level, self.before, self.now = names.fresh("level"), names.fresh("before"), names.fresh("now")
        self.kept, self.again, self.store = names.fresh("kept"), names.fresh("again"), names.fresh("store")
        self.start, self.end, self.things = names.fresh("start"), names.fresh("end"), names.fresh("things")
        self.copies = names.fresh("copies")
        self.written = [names.fresh(f"{name}_bar") for name in part.writes]
        self.args = ", ".join(part.params)

    def head(self) -> list[str]:
        return [
            f"def {self.both[0]}({self.args}):",
            f"    {self.level} = present_level()",
            f"    {self.before} = moment({self.around}, {_row(self.part.params)}, {self.part.params[0]})",
        ]

    def noted(self) -> str:
        """What notes how much the stretch would have kept."""
        return f"    passed({self.before}, {self.part.params[0]}, {self.again}, {_row(self.part.params)})"

    def plain(self) -> list[str]:
        """Where cotangents are variables: what is written to, or may be, is kept by copy."""
        part = self.part
        copied = [n for n, k in zip(part.params, part.kinds, strict=True) if self._is_copied(n, k)]
        kept = [f"    {self.kept} = apart({_row(copied)})"] if copied else []
        held = [self.level, self.before, *([self.kept] if copied else [])]
        held += [name for name in part.params if name not in copied]
        rest = [*self.written, *([self.store] if part.carries else [])]
        return [
            *self.head(),
            *kept,
            f"    {self.y}, {self.again} = {self.run[0]}({self.args})",
            self.noted(),
            f"    return {self.y}, {_row(held)}",
            "",
            f"def {self.both[1]}({', '.join([self.stash, self.y_bar, *rest])}):",
            f"    {_targets(held)} = {self.stash}",
            *([f"    {_targets(copied)} = apart({self.kept})"] if copied else []),
            f"    {self.now} = come_back({self.before})",
            f"    _, {self.again} = {self.run[0]}({self.args})",
            f"    go_on({self.now})",
            f"    return {self.run[1]}({', '.join([self.again, self.y_bar, *rest])})",
        ]

    def _is_copied(self, name: str, kind: Kind) -> bool:
        if is_scalar(kind) or isinstance(kind, Known | Words | Nothing):
            return False
        if isinstance(kind, Array):
            return self.part.copying or name in self.part.changes
        return True

    def by_identity(self) -> list[str]:
        """Where cotangents are found by identity: those of what the first run left behind go over to what the
        second run leaves behind, and from the copies that it was given back to what the first was given."""
        row = _row(self.part.params)
        stash = f"{self.level}, {self.before}, {self.kept}, {self.start}, {self.end}"
        return [
            *self.head(),
            f"    {self.kept}, {self.start} = apart({row}), described({row})",
            f"    {self.things} = things_of({row})",
            f"    {self.y}, {self.again} = {self.run[0]}({self.args})",
            f"    {self.end} = described(({self.y}, {self.things}))",
            self.noted(),
            f"    return {self.y}, ({stash})",
            "",
            f"def {self.both[1]}({self.stash}, {self.y_bar}, {self.store}):",
            f"    {stash} = {self.stash}",
            f"    {row[1:-1]} = {self.kept} = apart({self.kept})",
            f"    {self.copies}, {self.things} = described({self.kept}), things_of({self.kept})",
            f"    {self.now} = come_back({self.before})",
            f"    {self.y}, {self.again} = {self.run[0]}({self.args})",
            f"    go_on({self.now})",
            f"    {self.end} = {self.end}, described(({self.y}, {self.things}))",
            f"    return pulled_back({self.run[1]}, {self.again}, {self.y_bar}, {self.store},"
            f" {self.end}, ({self.copies}, {self.start}))",
        ]


def _row(items: Sequence[str]) -> str:
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


def _targets(items: Sequence[str]) -> str:
    return f"{', '.join(items)}{',' if len(items) == 1 else ''}"
