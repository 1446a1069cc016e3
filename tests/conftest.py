"""Settings that hold for every test."""

from __future__ import annotations

import os

from hypothesis import settings

# A derivation may load gast and astor, so the time of one example says nothing; the examples are the
# same in every run.
settings.register_profile("zygpy", deadline=None, derandomize=True)
settings.load_profile("zygpy")

# The libraries of the extra of this name are needed only where every case is run.
collect_ignore = [] if "ZYGPY_ALL_CASES" in os.environ else ["test_published_libraries.py"]
