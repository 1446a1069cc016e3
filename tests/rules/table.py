"""The table of all rules, `docs/rules.md`, made of their declarations.

`python -m tests.rules.table` writes it anew.
"""

from __future__ import annotations

import concurrent.futures  # noqa: F401 (its rules are there once it is imported)
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.rules import entered_calls, names
from zygpy.analyse import replaced
from zygpy.errors import dotted_name
from zygpy.rules import declare
from zygpy.rules.declare import Rule
from zygpy.solvers import refused

FILE = Path(__file__).parents[2] / "docs" / "rules.md"

HEADING = """# Table of rules

How the functions of NumPy, SciPy and Python's own library are differentiated, made of the rules'
declarations by `python -m tests.rules.table`. A contribution says what comes to an argument for the
cotangent `y_bar` of the result `y`; the sum over broadcast axes, and the projection to the argument's
type, come on top. "zero" is a derivative that is zero wherever there is one, "none" no path at all. What
is entered is differentiated through its own source; a program is plain Python that stands for the
function and is differentiated like a user's. Domains and what holds at ties, edges and kinks are said
where they matter, and sources where a formula is not elementary.
"""

COLUMNS = "| function | contributions | domain, ties, notes | source |\n| --- | --- | --- | --- |"
"""The heads of a table."""


def text() -> str:
    """The whole file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        names.load_everything()
    tables: dict[str, list[str]] = {}
    for name, row in (*_listed(), *_others()):
        tables.setdefault(name.rpartition(".")[0], []).append(row)
    parts = [f"## {module}\n\n{COLUMNS}\n" + "\n".join(rows) for module, rows in tables.items()]
    return "\n\n".join([HEADING.strip(), *parts, _distributions()]) + "\n"


def _distributions() -> str:
    """The table of the distributions of SciPy, one row for each."""
    found: dict[str, list[tuple[str, Rule]]] = {}
    for function, rule in declare.REGISTRY.items():
        _, _, name = (getattr(function, "__module__", None) or "").partition("scipy.stats.")
        if name and rule.bars:
            found.setdefault(name, []).append((function.__name__, rule))
    rows = [_row_of_distribution(name, methods) for name, methods in sorted(found.items())]
    heads = "| distribution | methods | not by |\n| --- | --- | --- |"
    return f"## Distributions of scipy.stats\n\n{heads}\n" + "\n".join(rows)


def _row_of_distribution(name: str, methods: Sequence[tuple[str, Rule]]) -> str:
    given = [f"`{method}` by {', '.join(_differentiable(rule))}" for method, rule in methods]
    refused = [f"`{method}` {', '.join(rule.refused)}" for method, rule in methods if rule.refused]
    return f"| `{name}` | {'<br>'.join(given)} | {'<br>'.join(refused)} |"


def _differentiable(rule: Rule) -> list[str]:
    """The parameters by which a rule has derivatives."""
    return [name for name in rule.bars if name not in rule.refused]


def _listed() -> Iterator[tuple[str, str]]:
    """The rows of the names that are listed as public."""
    reasons = names.reasons("not_covered.csv", "name")
    for name in names.listed_names():
        owner, _, attribute = name.rpartition(".")
        found = declare.METHODS | declare.ATTRIBUTES if owner == "ndarray" else {}
        function = found.get(attribute) if owner == "ndarray" else names.resolved(name)
        yield name, _row(attribute, function, reasons.get((name,), ""), name in entered_calls.ENTERED)


def _others() -> Iterator[tuple[str, str]]:
    """The rows of other functions that have a rule or a program: of Python's own library, and of SciPy."""
    listed = {id(names.resolved(name)) for name in names.listed_names() if not name.startswith("ndarray.")}
    functions = [
        function for function in (*declare.REGISTRY, *declare.PROGRAMS) if id(function) not in listed
    ]
    found = {_public_name(function): function for function in functions}
    for name in sorted(filter(None, found)):
        yield name, _row(name.rpartition(".")[2], found[name], "", entered=False)


def _public_name(function: Any) -> str:
    """The name under which anybody finds a function; "" where it is zygpy's own, or a user's."""
    module = getattr(function, "__module__", None) or ""
    name = f"builtins.{function.__name__}" if module == "builtins" else dotted_name(function)
    parts = [part for part in name.split(".") if not part.startswith("_")]
    if len(parts) < 2 or module.startswith(("zygpy", "scipy.stats.")):
        return ""
    if parts[0] not in sys.stdlib_module_names and parts[0] not in ("numpy", "scipy"):
        return ""
    public = ".".join(parts)
    return public if _found(public) is function else ""


def _found(name: str) -> Any:
    """What a name means, None where it leads nowhere."""
    owner, _, attribute = name.rpartition(".")
    return getattr(sys.modules.get(owner), attribute, None)


def _row(name: str, function: Any, reason: str, entered: bool) -> str:
    rule = declare.find(function)
    if rule is not None:
        cells = [f"`{name}{_arguments(rule)}`", _contributions(rule), _notes(rule), rule.source]
    elif function in refused.REFUSED:
        cells = [f"`{name}`", "refused", reason or refused.REFUSED[function], ""]
    elif replaced.has_program(function):
        cells = [f"`{name}`", "a program", "", ""]
    else:
        cells = [f"`{name}`", "entered" if entered or not reason else "", reason, ""]
    return "| " + " | ".join(map(_cell, cells)) + " |"


def _arguments(rule: Rule) -> str:
    """The arguments of a function, as its rule gives them."""
    return "".join(rule.call.partition("(")[1:])


def _contributions(rule: Rule) -> str:
    if rule.style in ("zero", "none"):
        return rule.style
    return "<br>".join(f"{name}: `{rule.bars[name]}`" for name in _differentiable(rule))


def _notes(rule: Rule) -> str:
    refused = [f"not by {name}: {why}" for name, why in rule.refused.items()]
    return "; ".join(filter(None, [rule.domain, rule.at, rule.note, *refused]))


def _cell(content: str) -> str:
    """The text of a cell of a table."""
    return re.sub(r"\s+", " ", content).replace("|", "\\|").strip()


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
