"""Settings that hold for every test."""

from __future__ import annotations

from hypothesis import settings

# A derivation may load gast and astor, so the time of one example says nothing; the examples are the
# same in every run.
settings.register_profile("zygpy", deadline=None, derandomize=True)
settings.load_profile("zygpy")
