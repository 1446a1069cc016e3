"""Imports inside a function."""

from __future__ import annotations

import ast
import sys
import types
from typing import Any

import pytest

import zygpy as zg
from zygpy.ir.nodes import gast, to_python_ast
from zygpy.normalise.imports import with_imports_done
from zygpy.testing import check_gradient


def done(text: str) -> tuple[str, set[str]]:
    body = text.replace("\n", "\n    ")
    tree, modules = with_imports_done(gast.parse(f"def f(x):\n    {body}").body[0], {"__package__": "os"})
    lines = ast.unparse(to_python_ast(tree)).splitlines()[1:]
    return "\n".join(line[4:] for line in lines), set(modules)


@pytest.mark.parametrize(
    ("text", "found", "modules"),
    [
        ("import math\nreturn math.sin(x)", "pass\nreturn math.sin(x)", {"math"}),
        ("import os.path\nreturn os.path.join(x)", "pass\nreturn os.path.join(x)", {"os"}),
        ("import os.path as p\nreturn p.join(x)", "pass\nreturn p.join(x)", {"p"}),
        ("from os.path import join\nreturn join(x)", "pass\nreturn path_imported.join(x)", {"posixpath"}),
        ("from . import path as p\nreturn p", "pass\nreturn os_imported.path", {"os_imported"}),
        ("if x:\n    import math\nreturn math", "if x:\n    pass\nreturn math", {"math"}),
    ],
)
def test_imports_are_done_where_they_can_be(text: str, found: str, modules: set[str]) -> None:
    if "posixpath" in modules:
        found, modules = found.replace("path_", "posixpath_"), {"posixpath_imported"}
    assert done(text) == (found, modules)


LATER = {
    "if x:\n    import this": "if x:\n    this = helper:imported_top('this')",
    "import no_such_module as n": "n = helper:imported('no_such_module')",
    "import math\nmath = 2": "math = helper:imported_top('math')\nmath = 2",
    "import math\nlambda math: 2": "math = helper:imported_top('math')\nlambda math: 2",
    "global math\nimport math": "global math\nmath = helper:imported_top('math')",
    "from math import no, sin as s": "no = helper:imported_from('os', 0, 'math', 'no')\n"
    "s = helper:imported_from('os', 0, 'math', 'sin')",
    "from .... import path": "path = helper:imported_from('os', 4, '', 'path')",
}


@pytest.mark.parametrize("text", LATER)
def test_others_are_done_where_they_stand(text: str) -> None:
    assert done(text) == (LATER[text], set())


def test_functions_with_imports() -> None:
    def f(x: float) -> Any:
        import math
        from math import sin as s

        def g(y: float) -> Any:
            from numpy import exp

            return exp(y) * s(y) * math.cos(x)

        return g(x) * math.exp(x)

    check_gradient(f, 1.2)


def test_what_is_imported_is_looked_up_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = types.ModuleType("changing_module")
    module.factor = lambda x: 2 * x
    monkeypatch.setitem(sys.modules, "changing_module", module)

    def f(x: float) -> Any:
        from changing_module import factor  # type: ignore[import-not-found]

        return factor(x)

    assert zg.gradient(f, 1.5) == (2.0,)
    module.factor = lambda x: 3 * x
    assert zg.gradient(f, 1.5) == (3.0,)
