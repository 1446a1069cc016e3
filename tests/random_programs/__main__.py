"""`python -m tests.random_programs --count 20000 --seed 0`: judge many programs and show the wrong ones."""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from dataclasses import replace

from tests.random_programs.judge import FINE, REFUSED, RIGHT, TWICE, UNUSABLE, Verdict, judge
from tests.random_programs.program import Program, program
from tests.random_programs.shrink import shrunk
from tests.random_programs.subject import mode_of


def options() -> argparse.Namespace:
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.random_programs", description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="how many programs")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first program")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long one gradient may take")
    parser.add_argument("--shrink", type=float, default=60.0, help="how long to make a wrong program smaller")
    parser.add_argument("--until", type=float, default=float("inf"), help="stop after so many seconds")
    parser.add_argument("--progress", type=int, default=0, help="print the counts after so many programs")
    parser.add_argument("--once", action="store_true", help="leave second derivatives out")
    parser.add_argument("--show", action="store_true", help="print every program before it is judged")
    parser.add_argument("--on", default="", help="families to dwell on, such as given,operators")
    parser.add_argument("--respelled", type=int, default=0, help="how many changes of a program's words")
    parser.add_argument("--list", action="store_true", help="print the seeds of programs that are not right")
    return parser.parse_args()


def main() -> int:
    """Judge the programs; answer with how many are wrong."""
    asked, outcomes, end = options(), Counter[tuple[str, str]](), time.monotonic()
    end += asked.until
    for seed in range(asked.seed, asked.seed + asked.count):
        if time.monotonic() > end:
            break
        written = program(seed, asked.on.split(",") if asked.on else (), asked.respelled)
        if asked.show:
            print(written.text, flush=True)
        mode = mode_of(seed)
        verdict = judge(written, replace(mode, twice=mode.twice and not asked.once), seconds=asked.seconds)
        outcomes[verdict.outcome, kind_of(verdict)] += 1
        if asked.list and verdict.outcome not in (RIGHT, TWICE):
            print(f"seed {seed}: {verdict.outcome}: {kind_of(verdict)}", flush=True)
        if asked.progress and (seed + 1 - asked.seed) % asked.progress == 0:
            print_outcomes(outcomes)
        if verdict.outcome not in FINE:
            print_wrong(written, verdict, asked.shrink)
    print_outcomes(outcomes)
    return sum(count for (outcome, _), count in outcomes.items() if outcome not in FINE)


def kind_of(verdict: Verdict) -> str:
    """Refusals by their message, names in it left out; other details do not matter."""
    if verdict.outcome not in (REFUSED, UNUSABLE):
        return ""
    return re.sub(r"'[^']*\d[^']*'", "'...'", verdict.detail)[:220]


def print_wrong(written: Program, verdict: Verdict, seconds: float) -> None:
    """Show a wrong program as small as it could be made."""
    text = smaller(written, verdict, seconds)
    found = judge(replace(written, text=text))
    print(f"\n==== seed {written.seed}: {verdict.outcome}", verdict.detail, sep="\n", flush=True)
    print(", ".join(f"{p.name}: {p.kind} {p.shared}" for p in written.parameters))
    print(text, f"{found.outcome} {found.detail}", sep="\n", flush=True)


def smaller(written: Program, verdict: Verdict, seconds: float) -> str:
    """The text of a smaller program that is wrong in the same way."""
    way = re.match(r"n=(\d)", verdict.detail)
    ways, mode = ((int(way[1]),) if way else (0, 1, 2)), mode_of(written.seed)
    last = (re.findall(r"^\w+(?:Error|Exception|Stop|Halt): .{20}", verdict.detail, re.MULTILINE) or [""])[-1]

    def holds(text: str) -> bool:
        try:
            found = judge(replace(written, text=text), mode, ways, 10.0)
        except Exception:  # no longer a program
            return False
        alike = found.outcome == verdict.outcome and found.plain == verdict.plain
        return alike and last in found.detail

    return shrunk(written.text, holds, seconds)


def print_outcomes(outcomes: Counter[tuple[str, str]]) -> None:
    """How many programs had which outcome, and why they were refused or not judged."""
    count = outcomes.total()
    by_outcome = Counter[str]()
    for (outcome, _), number in outcomes.items():
        by_outcome[outcome] += number
    print(
        f"\n{count} programs:", ", ".join(f"{n} {o} ({n / count:.1%})" for o, n in by_outcome.most_common())
    )
    for (outcome, kind), count in outcomes.most_common():
        print(f"{count:6} {outcome}: {kind}" if kind else f"{count:6} {outcome}", flush=True)


if __name__ == "__main__":
    raise SystemExit(bool(main()))
