"""The command line: `demo`, and `show` and `grad` for a function of the user's own file."""

from __future__ import annotations

import argparse
import ast
import importlib.util
import inspect
import operator
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import zygpy as zg
from zygpy.demo import demo
from zygpy.errors import ZygpyError

DESCRIPTION = "Gradients of plain Python and NumPy functions by source transformation."

ARGUMENTS = """\
Arguments are Python literals: 2.0, 3, 1+2j, "text", (1, 2), {"a": 1.0}. A list of numbers, also a
nested one, becomes a NumPy array: [1.0, 2.0]. Quote what the shell would take apart.
"""


class CannotRun(Exception):
    """What was asked for cannot be done; the text is one line for the user."""


def main(arguments: Sequence[str]) -> int:
    """Run a command and return the exit status.

    0 is success, 1 a function that zygpy cannot differentiate, 2 a request that makes no sense: no
    such file or function, or arguments that do not parse or do not fit.
    """
    options = _parser().parse_args(arguments)
    try:
        options.command(options)
    except CannotRun as error:
        return _fail(2, error)
    except ZygpyError as error:
        return _fail(1, error)
    return 0


def _fail(status: int, error: Exception) -> int:
    print(f"zygpy: {error}", file=sys.stderr)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m zygpy", description=DESCRIPTION)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    described = "fit a logistic regression to Fisher's iris data"
    commands.add_parser("demo", help=described, description=described).set_defaults(command=_demo)
    _add_command(commands, "show", _show, "print the generated forward and adjoint functions")
    _add_command(commands, "grad", _grad, "print a function's value and gradient")
    return parser


def _add_command(commands: Any, name: str, command: Callable[..., None], described: str) -> None:
    parser = commands.add_parser(name, help=described, description=described, epilog=ARGUMENTS)
    parser.add_argument("target", metavar="FILE.py:FUNCTION", help="also FILE.py:CLASS.FUNCTION")
    # Everything behind the target is taken as it stands, so that -1e3 is a number and not an option.
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGUMENT", help="a Python literal")
    parser.set_defaults(command=command)


def _demo(options: argparse.Namespace) -> None:
    demo()


def _show(options: argparse.Namespace) -> None:
    function = find_function(options.target)
    arguments = [parse_argument(text) for text in options.arguments]
    if arguments:
        _parameter_names(function, arguments)
    print(zg.show_adjoint(function, *arguments))


def _grad(options: argparse.Namespace) -> None:
    function = find_function(options.target)
    arguments = [parse_argument(text) for text in options.arguments]
    names = _parameter_names(function, arguments)
    value, gradient = zg.withgradient(function, *arguments)
    print(f"value: {value!r}")
    for name, bar in zip(names, gradient, strict=True):
        print(f"{name}: {bar!r}")


def find_function(target: str) -> Callable[..., Any]:
    """The function that `FILE.py:FUNCTION` names; the file is run as a module.

    Raises:
        CannotRun: the text has no colon, or there is no such file or function.
    """
    file, colon, name = target.rpartition(":")
    if not colon or not file or not name:
        raise CannotRun(f"{target!r} is not of the form FILE.py:FUNCTION")
    path = Path(file)
    if not path.is_file():
        raise CannotRun(f"there is no file {file}")
    try:
        function: Callable[..., Any] = operator.attrgetter(name)(_run_file(path))
    except AttributeError:
        raise CannotRun(f"{file} has no function {name}") from None
    if not callable(function):
        raise CannotRun(f"{name} in {file} is not a function but {type(function).__name__}")
    return function


def _run_file(path: Path) -> Any:
    """The file as a module; what lies beside it can be imported, as if it were run as a script."""
    name = path.stem if path.stem not in sys.modules else f"{path.stem}_file"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise CannotRun(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.parent.resolve()))
    spec.loader.exec_module(module)
    return module


def parse_argument(text: str) -> Any:
    """The value of a literal; lists of numbers, also nested ones, become arrays.

    >>> parse_argument("[1.5, 2]"), parse_argument("(-1e3, 'a')")
    (array([1.5, 2. ]), (-1000.0, 'a'))

    Raises:
        CannotRun: the text is not a Python literal.
    """
    try:
        value = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise CannotRun(f"{text!r} is not a Python literal") from None
    return _as_array(value)


def _as_array(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_as_array, value))
    if isinstance(value, dict):
        return {key: _as_array(entry) for key, entry in value.items()}
    return np.array(value) if isinstance(value, list) and _is_rectangular(value) else value


def _is_rectangular(value: list[Any]) -> bool:
    """Whether nested lists of numbers have equal lengths at each depth."""
    if all(isinstance(entry, int | float | complex) for entry in value):
        return True
    nested = all(isinstance(entry, list) and _is_rectangular(entry) for entry in value)
    return nested and len({np.shape(entry) for entry in value}) == 1


def _parameter_names(function: Callable[..., Any], arguments: Sequence[Any]) -> list[str]:
    """A name for each argument: the parameter's, numbered where it is `*args`."""
    try:
        signature = inspect.signature(function)
    except ValueError:  # some builtins have none
        return [f"argument {number}" for number in range(1, len(arguments) + 1)]
    try:
        signature.bind(*arguments)
    except TypeError as error:
        raise CannotRun(f"the arguments do not fit {function.__name__}{signature}: {error}") from None
    positional = [name for name, p in signature.parameters.items() if p.kind in _POSITIONAL]
    rest = next((name for name, p in signature.parameters.items() if p.kind is p.VAR_POSITIONAL), "")
    extra = len(arguments) - len(positional)
    return [*positional[: len(arguments)], *(f"{rest}[{number}]" for number in range(extra))]


_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
