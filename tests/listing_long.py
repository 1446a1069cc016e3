"""Writes the list of the tests that take long, from the times of a run of all cases.

    ZYGPY_ALL_CASES=1 python -m pytest -n 2 --junitxml report.xml
    python -m tests.listing_long report.xml

The fastest case of a test is listed only if it takes very long itself; what is marked as acceptance is run
even then (see `conftest`).
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree as ET

from tests.conftest import LONG

SECONDS = 0.3
"""What takes longer is listed, but for the fastest case of each test."""

ALONE = 5.0
"""The fastest case of a test is listed, too, if it takes longer."""

HEADER = (
    "# Cases that take long; they run where every case is wanted (ZYGPY_ALL_CASES), acceptance tests always."
)


def node_id(module: str, name: str) -> str:
    """The name by which pytest selects a test, of what a report calls it."""
    parts = module.split(".")
    classes = [part for part in parts if part[:1].isupper()]
    return "::".join(("/".join(parts[: len(parts) - len(classes)]) + ".py", *classes, name))


def times(report: Path) -> dict[str, float]:
    """The seconds that each test took."""
    cases = ET.parse(report).iter("testcase")
    return {
        node_id(case.attrib["classname"], case.attrib["name"]): float(case.attrib["time"]) for case in cases
    }


def long_ones(seconds: dict[str, float]) -> list[str]:
    """The tests to list."""
    cases: defaultdict[str, list[str]] = defaultdict(list)
    for name in sorted(seconds, key=lambda name: seconds[name]):
        cases[name.partition("[")[0]].append(name)
    found = []
    for first, *others in cases.values():
        found += [name for name in others if seconds[name] > SECONDS]
        found += [first] if seconds[first] > ALONE else []
    return sorted(found)


if __name__ == "__main__":
    LONG.write_text("\n".join([HEADER, *long_ones(times(Path(sys.argv[1])))]) + "\n")
