"""Settings that hold for every test."""

from __future__ import annotations

import os
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


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what takes long, unless every case is wanted or the tests are named."""
    if "ZYGPY_ALL_CASES" in os.environ or any("::" in arg for arg in config.args):
        return
    long = set(LONG.read_text().splitlines())
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in long])
    items[:] = [item for item in items if item.nodeid not in long]
