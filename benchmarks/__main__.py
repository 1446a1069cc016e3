"""`python -m benchmarks [--only NAME] [--json] [--repeats N]`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

from benchmarks.measure import measure
from benchmarks.probes import PROBES
from benchmarks.programs import CASES
from benchmarks.report import case_result, case_table, reading_result, reading_table


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    cases = [case for case in CASES if options.only in case.name]
    probes = [probe for name, probe in PROBES.items() if options.only in name]
    if not cases and not probes:
        names = ", ".join([case.name for case in CASES] + list(PROBES))
        print(f"nothing is called {options.only!r}; there are: {names}", file=sys.stderr)
        return 2
    programs = [case_result(case, measure(case, options.repeats)) for case in cases]
    numbers = [reading_result(reading) for probe in probes for reading in probe(options.repeats)]
    _print(programs, numbers, as_json=options.json)
    return 0


def _print(programs: list[dict[str, Any]], numbers: list[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"programs": programs, "numbers": numbers}, indent=2))
        return
    tables = [case_table(programs)] * bool(programs) + [reading_table(numbers)] * bool(numbers)
    print("\n\n".join(tables))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        epilog="The table of single functions beside autograd's: python -m benchmarks.functions.",
    )
    parser.add_argument("--only", default="", metavar="NAME", help="those with NAME in their names")
    parser.add_argument("--json", action="store_true", help="print data instead of tables")
    parser.add_argument("--repeats", type=int, default=100, metavar="N", help="the best of N is taken")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
