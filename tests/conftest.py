"""Settings that hold for every test."""

from __future__ import annotations

import gc
import os
import zlib
from pathlib import Path

import pytest
from hypothesis import settings

# A derivation may load gast and astor, so the time of one example says nothing; the examples are the
# same in every run.
settings.register_profile("zygpy", deadline=None, derandomize=True)
settings.load_profile("zygpy")

# The libraries of the extra of this name are needed only where every case is run.
collect_ignore = [] if "ZYGPY_ALL_CASES" in os.environ else ["test_published_libraries.py"]

LONG = Path(__file__).with_name("long_tests.txt")

SAMPLES = Path(__file__).with_name("samples.txt")
"""Large products of cases: of how many one is run, and where they are."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what takes long and part of the large products, unless every case is wanted or the tests are
    named."""
    if "ZYGPY_ALL_CASES" in os.environ or any("::" in arg for arg in config.args):
        return
    long, sampled = set(LONG.read_text().splitlines()), samples()
    left = [item for item in items if is_long(item, long) or not is_in_sample(item.nodeid, sampled)]
    config.hook.pytest_deselected(items=left)
    out = set(left)
    items[:] = [item for item in items if item not in out]


def is_long(item: pytest.Item, long: set[str]) -> bool:
    """Whether a test takes too long for each run, and is none that has to hold in each."""
    return item.nodeid in long and item.get_closest_marker("acceptance") is None


def pytest_collection(session: pytest.Session) -> None:
    """Do without garbage collections while tests are found: there are tens of thousands, and they stay."""
    gc.disable()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Keep the tests themselves out of garbage collections."""
    gc.enable()
    gc.collect()
    gc.freeze()


def samples() -> dict[str, int]:
    """Of how many cases one is run, by what their names begin with."""
    lines = (line.split() for line in SAMPLES.read_text().splitlines())
    return {where: int(every) for every, where in lines}


def is_in_sample(name: str, sampled: dict[str, int]) -> bool:
    """Whether a test is none of those of a product that are left out: the same cases in all tests of them."""
    every = next((every for where, every in sampled.items() if name.startswith(where)), 1)
    _, bracket, case = name.partition("[")
    return not bracket or zlib.crc32(case.encode()) % every == 0
