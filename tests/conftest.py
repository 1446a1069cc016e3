"""Settings that hold for every test."""

from __future__ import annotations

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

PRODUCTS = {
    "tests/handing_back/": 3,
    "tests/handing_in/": 3,
    "tests/kept_outside/": 3,
    "tests/found_by_name/": 2,
    "tests/found_functions/": 2,
}
"""Products of ways to do something, of which one case in so many is run."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what takes long and most of the large products, unless every case is wanted or the tests are
    named."""
    if "ZYGPY_ALL_CASES" in os.environ or any("::" in arg for arg in config.args):
        return
    long = set(LONG.read_text().splitlines())
    left = [item for item in items if item.nodeid in long or not is_in_sample(item.nodeid)]
    config.hook.pytest_deselected(items=left)
    out = set(left)
    items[:] = [item for item in items if item not in out]


def is_in_sample(name: str) -> bool:
    """Whether a test is none of those of a product that are left out."""
    every = next((every for folder, every in PRODUCTS.items() if name.startswith(folder)), 1)
    return "[" not in name or zlib.crc32(name.encode()) % every == 0
