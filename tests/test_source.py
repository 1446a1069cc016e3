"""find_source: the text, the place and the surroundings of each kind of function, and of none."""

from __future__ import annotations

import ast
import dataclasses
import doctest
import functools
import importlib.util
import linecache
import math
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from zygpy.errors import SourceNotFoundError
from zygpy.source import Source, find_source

# Lambdas are tested as they stand here; their number on a line and their layout matter.
# fmt: off
double, triple = lambda x: x * 2, lambda x: x * 3
twins = [lambda x: x + 1, lambda x: x + 1]
curried = lambda y: (lambda z: z * y)  # noqa: E731
with_default = lambda x, f=lambda q: q - 1: f(x)  # noqa: E731
spread = (lambda x:  # noqa: E731
          x +
          1)
bracketed = lambda x: (  # noqa: E731
    x
    * 7  # a comment
)
δ = "δδδ"; accented = lambda ω: ω + 1  # noqa: E702, E731
# fmt: on


def keep(function: Callable[..., Any], *_: Any) -> Callable[..., Any]:
    return function


def load(tmp_path: Path, text: str, name: str = "sample") -> ModuleType:
    """Import a file with this text."""
    path = tmp_path / f"{name}.py"
    path.write_text(textwrap.dedent(text))
    specification = importlib.util.spec_from_file_location(name, path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def edit(module: ModuleType, old: str, new: str) -> None:
    """Change the file of a module in a way that is noticed whatever the clock's resolution."""
    path = Path(str(module.__file__))
    path.write_text(path.read_text().replace(old, new))
    os.utime(path, (1, 1))


def assert_is_at_its_place(source: Source) -> None:
    """The text is what stands in the file at the line and column."""
    first = linecache.getline(source.filename, source.line)
    assert first[source.column :].startswith(source.text.split("\n")[0])


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (double, "lambda x: x * 2"),
        (triple, "lambda x: x * 3"),
        (twins[0], "lambda x: x + 1"),
        (curried, "lambda y: (lambda z: z * y)"),
        (curried(2), "lambda z: z * y"),
        (with_default, "lambda x, f=lambda q: q - 1: f(x)"),
        ((with_default.__defaults__ or ())[0], "lambda q: q - 1"),
        (spread, "lambda x:  # noqa: E731\n          x +\n          1"),
        (bracketed, "lambda x: (  # noqa: E731\n    x\n    * 7  # a comment\n)"),
        (accented, "lambda ω: ω + 1"),
        (keep(lambda: None, lambda: 1), "lambda: None"),
        (keep(keep(lambda x: [x for _ in range(3)])), "lambda x: [x for _ in range(3)]"),
        (keep(lambda x: x if x else -x), "lambda x: x if x else -x"),
    ],
)
def test_lambdas(function: Any, text: str) -> None:
    source = find_source(function)
    assert source.text == text
    assert source.name == "<lambda>"
    assert source.function is function
    assert_is_at_its_place(source)


def test_equal_lambdas_on_one_line_have_their_own_columns() -> None:
    first, second = (find_source(function) for function in twins)
    assert first.line == second.line
    assert second.column == first.column + len("lambda x: x + 1, ")


def test_columns_count_characters() -> None:
    assert find_source(accented).column == len('δ = "δδδ"; accented = ')


def test_a_lambda_that_lives_inside_a_rewritten_assert() -> None:
    assert find_source(keep(lambda x: x**2)).text == "lambda x: x**2"


def test_a_nested_function_with_captured_variables() -> None:
    factor = 2.0

    def inner(x: float) -> float:
        text = """
not indented"""
        return x * factor + len(text)

    source = find_source(inner)
    assert source.text.startswith("def inner(x: float) -> float:\n        text =")
    assert source.text.endswith('"""\nnot indented"""\n        return x * factor + len(text)')
    assert source.cells["factor"].cell_contents is factor
    assert source.globals is globals()
    assert source.line == inner.__code__.co_firstlineno
    assert source.column == 4
    assert inner(1.0) == 15.0


def decorated_twice(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any) -> Any:
        return function(*args)

    return wrapper


@decorated_twice
@keep
def decorated(x: float) -> float:
    return x


def test_the_object_that_is_given_is_found_not_what_it_wraps() -> None:
    assert find_source(decorated).name == "wrapper"
    source = find_source(decorated.__wrapped__)  # type: ignore[attr-defined]
    assert source.text == "def decorated(x: float) -> float:\n    return x"
    assert_is_at_its_place(source)


class Model:
    __scale = 3

    def method(self, x: float = 1) -> float:
        return self.__scale * x

    @property
    def shown(self) -> Any:
        return super().__repr__()

    @staticmethod
    def plain(x: float) -> float:
        return x

    class Inner:
        def method(self) -> Any:
            return lambda: self.__class__


def test_methods_know_the_class_they_stand_in() -> None:
    assert find_source(Model.method).owner == "Model"
    assert find_source(Model.method).text.startswith("def method(self, x: float = 1)")
    assert find_source(Model.__dict__["shown"].fget).cells["__class__"].cell_contents is Model
    assert find_source(Model.plain).column == 4
    assert find_source(Model.Inner.method).owner == "Inner"
    assert find_source(Model.Inner().method()).owner == "Inner"
    assert find_source(keep).owner == ""


def test_a_function_with_an_assert_that_pytest_rewrote() -> None:
    def checked(x: float) -> float:
        assert x > -1 * 2, "too small"
        return x + 1

    assert find_source(checked).text.endswith("return x + 1")


def test_a_notebook_cell() -> None:
    cell = "k = 2\n\ndef f(x):\n    return k * x\n"
    linecache.cache["<cell 7>"] = (len(cell), None, cell.splitlines(True), "<cell 7>")
    namespace: dict[str, Any] = {}
    exec(compile(cell, "<cell 7>", "exec"), namespace)
    source = find_source(namespace["f"])
    assert (source.filename, source.line, source.text) == ("<cell 7>", 3, "def f(x):\n    return k * x")
    assert source.globals is namespace
    del linecache.cache["<cell 7>"]


def test_a_doctest() -> None:
    text = """
    >>> def f(x):
    ...     return x + 1
    >>> find_source(f).text
    'def f(x):\\n    return x + 1'
    >>> find_source(lambda x: x).text
    'lambda x: x'
    """
    example = doctest.DocTestParser().get_doctest(text, {"find_source": find_source}, "sample", None, 0)
    results = doctest.DocTestRunner().run(example)
    assert (results.failed, results.attempted) == (0, 3)


def test_the_generic_functions_of_newer_pythons(tmp_path: Path) -> None:
    if sys.version_info >= (3, 12):
        module = load(tmp_path, "def f[T: float](x: T) -> T:\n    y: T = x\n    return [T, y]\n", "generic")
        assert find_source(module.f).text.endswith("return [T, y]")
    else:
        with pytest.raises(SyntaxError):
            compile("def f[T](x): pass", "<text>", "exec")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x * 2", "x * 3"),  # another constant
        ("x * 2", "x + 2"),  # another operation
        ("x * 2", "x * 2.0"),  # a constant that is equal but of another type
        ("def f", "\ndef f"),  # moved
        ("def f(x)", "def g(x)"),
        ("def f(x)", "def f(x, y)"),
        ("return", "("),  # does not parse
        ("return x * 2", "nonlocal q"),  # does not compile
    ],
)
def test_an_edited_file_is_noticed(tmp_path: Path, old: str, new: str) -> None:
    module = load(tmp_path, "def f(x):\n    return x * 2\n", "edited")
    edit(module, old, new)
    with pytest.raises(SourceNotFoundError, match="not what the function was compiled from") as caught:
        find_source(module.f)
    assert "importlib.reload" in caught.value.instead
    assert caught.value.place is not None
    assert caught.value.place.line == 1
    assert "edited.f" in str(caught.value)


@pytest.mark.parametrize("line", ["", "    assert x != 0, 'zero'\n"])
def test_an_edit_that_only_leaves_something_out_is_noticed(tmp_path: Path, line: str) -> None:
    module = load(tmp_path, f"def f(x):\n{line}    return x * x * x\n", "shortened")
    edit(module, "x * x * x", "x * x")
    with pytest.raises(SourceNotFoundError, match="not what the function was compiled from"):
        find_source(module.f)


def test_functions_that_name_themselves_and_what_is_imported(tmp_path: Path) -> None:
    text = "import math\ndef f(x):\n    return [f(y) for y in x] if x else math.sin(x)"
    owner = "class Model:\n    def Model(self):\n        return [Model.Model(y) for y in self]"
    module = load(tmp_path, f"{text}\n{owner}\n", "selves")
    assert find_source(module.f).text == text.partition("\n")[2]
    assert find_source(module.Model.Model).owner == "Model"


def test_the_text_read_before_an_edit_still_serves(tmp_path: Path) -> None:
    module = load(tmp_path, "def f(x):\n    return x * 2\n", "kept")
    find_source(module.f)
    edit(module, "x * 2", "x * 3")
    assert find_source(module.f).text.endswith("x * 2")


def test_the_file_is_read_again_when_the_function_is_newer(tmp_path: Path) -> None:
    module = load(tmp_path, "def f(x):\n    return x * 2\n", "newer")
    find_source(module.f)
    edit(module, "x * 2", "x * 3")
    namespace: dict[str, Any] = {}
    exec(compile(Path(str(module.__file__)).read_text(), str(module.__file__), "exec"), namespace)
    assert find_source(namespace["f"]).text.endswith("x * 3")


def test_a_set_of_constants_has_no_order(tmp_path: Path) -> None:
    text = "def f(x):\n    return x in {'a', 'b', 'c', 'd', 'e'}\n"
    module = load(tmp_path, text, "sets")
    assert find_source(module.f).text == text.rstrip()


def test_a_class_inside_a_function(tmp_path: Path) -> None:
    module = load(tmp_path, "def f(x):\n    class A:\n        y = x\n    return A\n", "classes")
    assert find_source(module.f).text.endswith("return A")


@pytest.mark.parametrize("function", [len, math.sin, [].append, functools.partial(len), dict])
def test_what_is_no_python_function(function: Any) -> None:
    with pytest.raises(SourceNotFoundError, match="not a Python function") as caught:
        find_source(function)
    assert "@zg.adjoint" in caught.value.instead


@dataclasses.dataclass
class Point:
    x: float


@pytest.mark.parametrize("text", [None, "import sys\n"], ids=["no text", "text of python -c"])
def test_generated_functions_without_text(text: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(linecache.cache, "<string>", raising=False)
    if text is not None:
        monkeypatch.setitem(linecache.cache, "<string>", (len(text), None, [text], "<string>"))
    namespace: dict[str, Any] = {}
    exec("def made(x): return x * x", namespace)
    for function in (Point.__init__, namespace["made"]):
        with pytest.raises(SourceNotFoundError) as caught:
            find_source(function)
        assert function.__name__ in str(caught.value)
        assert "exec" in caught.value.why
        assert "@zg.adjoint" in caught.value.instead


def test_a_file_that_is_gone(tmp_path: Path) -> None:
    module = load(tmp_path, "def f(x):\n    return x\n", "gone")
    Path(str(module.__file__)).unlink()
    with pytest.raises(SourceNotFoundError, match="cannot be read"):
        find_source(module.f)


def test_python_without_columns_still_tells_lambdas_apart(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(
        "from zygpy.source import find_source\n"
        "f, g, h = lambda x: x + 1, lambda x: x * 2, lambda y: lambda z: y\n"
        "print([find_source(each).text for each in (f, g, h, h(1))])\n"
    )
    command = [sys.executable, "-X", "no_debug_ranges", str(path)]
    root = str(Path(__file__).parent.parent)
    run = subprocess.run(
        command, capture_output=True, text=True, check=True, env=os.environ | {"PYTHONPATH": root}
    )
    texts = ["lambda x: x + 1", "lambda x: x * 2", "lambda y: lambda z: y", "lambda z: y"]
    assert ast.literal_eval(run.stdout) == texts


def test_every_function_of_some_modules_is_found() -> None:
    import statistics

    import numpy.lib._function_base_impl as numpy_functions

    found = 0
    for module in (ast, functools, statistics, textwrap, numpy_functions):
        for value in vars(module).values():
            if isinstance(value, type(keep)) and value.__code__.co_filename == module.__file__:
                source = find_source(value)
                assert_is_at_its_place(source)
                assert source.text.startswith(("def ", "async def ", "lambda"))
                found += 1
    assert found > 100


def made_by_exec(text: str) -> Any:
    namespace: dict[str, Any] = {}
    exec(text, namespace)
    return next(value for name, value in namespace.items() if name != "__builtins__")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def same(x): return x", "def same(x): return x"),
        ("def swapped(a, b=2.5): return b, a", "def swapped(a, b=Ellipsis): return (b, a)"),
        ("def nested(self, a, /, *, b=1): return (a,), (), (None, b, -1)",
         "def nested(self, a, /, *, b=Ellipsis): return ((a,), (), (None, b, -1))"),
    ],
)  # fmt: skip
def test_what_only_hands_on_its_parameters_has_a_text(text: str, expected: str) -> None:
    assert find_source(made_by_exec(text)).text == expected


@pytest.mark.parametrize(
    "text",
    [
        "def computes(x): return x, x * 1.0",
        "def calls(x): return (x, len)",
        "def spreads(*xs): return xs",
        "def gathers(**xs): return xs",
        "def branches(x): return (x, 1) if x else (1, x)",
        "def binds(x):\n    y = x\n    return (y, x)",
        "def suspends(x): yield x",
        "def has_a_float(x): return (x, 1.5)",
    ],
)
def test_what_does_more_has_none(text: str) -> None:
    with pytest.raises(SourceNotFoundError):
        find_source(made_by_exec(text))
