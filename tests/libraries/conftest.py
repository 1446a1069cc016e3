"""The libraries are imported only where all cases are asked for."""

from __future__ import annotations

import os

collect_ignore_glob = [] if "ZYGPY_ALL_CASES" in os.environ else ["[a-z]*_and_*.py"]
