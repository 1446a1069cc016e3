"""Programs in packages that others have installed are looked at as those in a user's own files are."""

from __future__ import annotations

import linecache
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import tests.test_arrays_in_shared_variables as programs
import zygpy as zg

NAMES = [program.__name__ for program in programs.PROGRAMS]


@pytest.fixture(scope="module")
def installed() -> Iterator[ModuleType]:
    """The module of the programs, as if it was in a package that is installed."""
    text = Path(str(programs.__file__)).read_text()
    file = f"{sysconfig.get_path('purelib')}/somebody/shared.py"
    module = ModuleType("somebody_shared")
    module.__file__ = file
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    sys.modules[module.__name__] = module
    exec(compile(text, file, "exec"), vars(module))
    yield module
    del sys.modules[module.__name__], linecache.cache[file]


@pytest.mark.parametrize("name", NAMES)
def test_gradient(installed: Any, name: str) -> None:
    x = np.array([0.7, 1.3, 0.4])
    expected = zg.gradient(getattr(programs, name), x)[0]
    assert zg.gradient(getattr(installed, name), x)[0] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_called_by_a_program(installed: Any, name: str) -> None:
    program = getattr(installed, name)
    zg.testing.check_gradient(lambda x: program(x * 2.0) * x[0], np.array([0.35, 0.65, 0.2]), order=1)
