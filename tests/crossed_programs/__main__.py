"""`python -m tests.crossed_programs carried --order twice`: judge many programs and show the wrong ones."""

from __future__ import annotations

import argparse
import time
from collections import Counter

from tests.crossed_programs.crossings import CROSSINGS, Case, prelude, program, shuffled
from tests.crossed_programs.judge import FINE, ORDERS, REFUSED, RIGHT, judge


def options() -> argparse.Namespace:
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.crossed_programs", description=__doc__)
    parser.add_argument("crossing", choices=CROSSINGS, help="which tables are crossed")
    parser.add_argument("--order", choices=ORDERS, default="first", help="the derivative that is judged")
    parser.add_argument("--seed", type=int, default=0, help="of the order of the cases")
    parser.add_argument("--first", type=int, default=0, help="the first case in that order")
    parser.add_argument("--count", type=int, default=1000, help="how many cases")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long one derivative may take")
    parser.add_argument("--until", type=float, default=float("inf"), help="stop after so many seconds")
    parser.add_argument("--with", dest="having", default="", help="only cases that have this piece")
    parser.add_argument(
        "--show", default="", help="print the program of a case, its pieces joined by slashes"
    )
    parser.add_argument("--list", action="store_true", help="print all cases that are not right")
    return parser.parse_args()


def main() -> int:
    """Judge the programs; answer with how many are wrong."""
    asked, outcomes, end = options(), Counter[str](), time.monotonic()
    if asked.show:
        print(program(asked.crossing, tuple(asked.show.split("/"))).removeprefix(prelude()))
        return 0
    cases = [
        case for case in shuffled(asked.crossing, asked.seed) if not asked.having or asked.having in case
    ]
    for case in cases[asked.first : asked.first + asked.count]:
        if time.monotonic() > end + asked.until:
            break
        outcomes[judged(asked, case)] += 1
    print(f"{outcomes.total()} of {len(cases)} programs:", *(f"{n} {o}" for o, n in outcomes.most_common()))
    return sum(count for outcome, count in outcomes.items() if outcome not in FINE)


def judged(asked: argparse.Namespace, case: Case) -> str:
    """The outcome of a case, printed where it is wrong or asked for."""
    text = program(asked.crossing, case)
    verdict = judge(text, asked.order, asked.seconds)
    if verdict.outcome not in FINE:
        print(f"\n==== {'/'.join(case)}: {verdict.outcome}: {verdict.detail}", flush=True)
        print(text.removeprefix(prelude()), flush=True)
    elif asked.list and verdict.outcome != RIGHT:
        detail = verdict.detail if verdict.outcome == REFUSED else verdict.detail.strip().split("\n")[-1]
        print(f"{'/'.join(case)}: {verdict.outcome}: {detail[:200]}", flush=True)
    return verdict.outcome


if __name__ == "__main__":
    raise SystemExit(bool(main()))
