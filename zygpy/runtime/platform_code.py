"""Which code is the platform's: of Python, NumPy, SciPy and this library, on which programs stand.

It changes nothing of a program's but what it is given and documents to change, and there is too much of it to
be looked through. Packages that others have installed are programs like any other.
"""

from __future__ import annotations

import os
import sysconfig
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def _folder(package: str) -> str | None:
    """The folder of a package, which need not be there."""
    found = find_spec(package)
    return f"{Path(found.origin).parent}{os.sep}" if found is not None and found.origin else None


def _paths(*names: str) -> tuple[str, ...]:
    return tuple(sorted({f"{sysconfig.get_path(name)}{os.sep}" for name in names}))


PACKAGES = tuple(folder for name in ("numpy", "scipy", "zygpy") if (folder := _folder(name)))
STANDARD = _paths("stdlib", "platstdlib")
INSTALLED = tuple(f"{os.sep}{name}{os.sep}" for name in ("site-packages", "dist-packages"))
"""What the folders are called in which packages are installed: often they are in that of the standard
library, and an environment may see those of another one."""


@lru_cache(maxsize=4096)
def is_platform(filename: Any) -> bool:
    """Whether a file is the platform's.

    >>> is_platform(sysconfig.__file__), is_platform(__file__), is_platform("<stdin>")
    (True, True, False)
    >>> is_platform(os.path.join(sysconfig.get_path("stdlib"), "site-packages", "somebody", "model.py"))
    False
    """
    name = str(filename)
    return name.startswith(PACKAGES) or (name.startswith(STANDARD) and not is_installed(name))


def is_installed(filename: Any) -> bool:
    """Whether a file is one of a package that is installed.

    >>> import gast
    >>> is_installed(gast.__file__), is_installed(sysconfig.__file__)
    (True, False)
    """
    name = str(filename)
    return any(folder in name for folder in INSTALLED)
