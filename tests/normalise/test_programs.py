"""Every program gives the same value, side effects and exceptions through normalise as when it is called."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import pytest

from tests.normalise.interpreter import Interpreter
from tests.normalise.programs import PRELUDE, PROGRAMS
from zygpy.ir import core
from zygpy.ir.nodes import gast
from zygpy.ir.verify import verify
from zygpy.normalise import normalise

CASES = [(name, call) for name, (_, calls) in PROGRAMS.items() for call in calls]


def find_tree(text: str) -> Any:
    for node in gast.walk(gast.parse(text)):
        if isinstance(node, gast.FunctionDef) and node.name == "f":
            return node
        if isinstance(node, gast.Assign) and isinstance(node.value, gast.Lambda):
            return node.value
    raise LookupError(text)


def run(name: str, call: str, normalised: bool) -> dict[str, Any]:
    """What a program does: value, exception, log and arguments, as text."""
    text, namespace = PROGRAMS[name][0], {"__name__": "program"}
    exec(PRELUDE + text, namespace)
    function: Any = namespace["f"]
    args, kwargs = eval(f"(lambda *a, **k: (a, k))({call})", namespace)
    outcome: dict[str, Any] = {}
    try:
        outcome["value"] = repr(
            _call(text, function, args, kwargs) if normalised else function(*args, **kwargs)
        )
    except Exception as error:
        outcome["error"] = type(error), _message(error)
        outcome["cause"] = repr(error.__cause__)
    outcome |= {"log": repr(namespace["log"]), "args": repr((args, kwargs))}
    return {key: re.sub(r" at 0x\w+", "", str(value)) for key, value in outcome.items()}


def _call(text: str, function: Any, args: Any, kwargs: Any) -> Any:
    program = normalised_once(text, function.__code__.co_freevars)
    return Interpreter(program, function).call(*args, **kwargs)


@lru_cache(maxsize=8)
def normalised_once(text: str, captured: tuple[str, ...]) -> core.Function:
    program = normalise(find_tree(text), captured)
    verify(program)
    return program


def _message(error: Exception) -> str:
    """The message, where it is the program's own and not the interpreter's wording."""
    worded = isinstance(error, NameError | AttributeError) or "unpack" in str(error)
    return "" if worded else str(error)


@pytest.mark.parametrize(("name", "call"), CASES, ids=[f"{name}({call})" for name, call in CASES])
def test_does_what_python_does(name: str, call: str) -> None:
    assert run(name, call, normalised=True) == run(name, call, normalised=False)
