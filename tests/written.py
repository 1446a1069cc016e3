"""Modules that tests write: programs by the hundred, each with a source that can be found."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest


def module_of(text: str, name: str, folder: pytest.TempPathFactory) -> ModuleType:
    """The module of this name with this text, written into a folder of its own."""
    path = folder.mktemp(name) / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
