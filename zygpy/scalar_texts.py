"""The texts of scalar rules as users write them: checked, and in the words that rules are written in."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

WORDS = frozenset({"np", "math", "cmath", "operator", "conj"})

RESULT, COTANGENT = "y", "y_bar"
"""What rules call the result, and its cotangent."""


def scalar_texts(call: str, bars: Mapping[str, str]) -> dict[str, str]:
    """The expressions of a rule, in which the result is called `y` and its cotangent `y_bar`.

    Raises ValueError where the texts mention anything that is not known, or a parameter has the name of the
    result.

    >>> scalar_texts("z = f(a, b)", {"a_bar": "z_bar * b", "b_bar": "y_bar * z / b"})
    {'a_bar': 'y_bar * b', 'b_bar': 'y_bar * y / b'}
    """
    result, parameters = _call(call)
    for name in parameters:
        if name in (RESULT, COTANGENT, result, f"{result}_bar"):
            raise ValueError(
                f"in {call!r} the parameter {name!r} has the name of the result or of its cotangent, which "
                "expressions could not tell apart: give the parameters other names here, such as 'a' and 'b'"
            )
    known = {RESULT, COTANGENT, result, f"{result}_bar", *parameters, *WORDS}
    for name in bars:
        if name.removesuffix("_bar") not in parameters or not name.endswith("_bar"):
            raise ValueError(f"{name!r} is for no parameter in {call!r}; those are {', '.join(parameters)}")
    return {name: _in_our_words(text, result, known) for name, text in bars.items()}


def _call(call: str) -> tuple[str, list[str]]:
    """The name of the result, and those of the parameters."""
    match ast.parse(call).body:
        case [ast.Assign(targets=[ast.Name(id=result)], value=ast.Call() as made)]:
            return result, list(_parameters(made))
    raise ValueError(f"not of the form 'y = f(a, b)': {call!r}")


def _parameters(made: ast.Call) -> Iterator[str]:
    for arg in made.args:
        inner = arg.value if isinstance(arg, ast.Starred) else arg
        if not isinstance(inner, ast.Name):
            raise ValueError(f"not the name of a parameter: {ast.unparse(arg)!r}")
        yield inner.id
    yield from (str(keyword.arg) for keyword in made.keywords)


def _in_our_words(text: str, result: str, known: set[str]) -> str:
    tree = ast.parse(text.strip(), mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            if node.id not in known:
                raise ValueError(
                    f"{node.id!r} in {text!r} is not known: an expression mentions the parameters, the "
                    "result, its cotangent, 'np' and 'math'; for anything else declare an adjoint"
                )
            node.id = {result: RESULT, f"{result}_bar": COTANGENT}.get(node.id, node.id)
    return ast.unparse(tree)
