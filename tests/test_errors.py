"""Errors: what they show, what they are, and that they travel between processes."""

from __future__ import annotations

import copy
import math
import pickle
import traceback
from typing import Any

import numpy as np
import pytest

from zygpy.errors import (
    AmbiguousRuleError,
    CotangentShapeError,
    MissingRuleError,
    NotScalarError,
    Place,
    SourceNotFoundError,
    UnsupportedSyntaxError,
    ZygpyError,
    dotted_name,
    locate,
    missing_rule,
)

PLACE = Place("model.py", 12, 8, "    y = await f(x)", "step")
KINDS = [
    (ZygpyError, Exception),
    (UnsupportedSyntaxError, SyntaxError),
    (MissingRuleError, TypeError),
    (SourceNotFoundError, Exception),
    (NotScalarError, TypeError),
    (CotangentShapeError, ValueError),
    (AmbiguousRuleError, TypeError),
]
LAYOUT = """\
model.py:12:9: 'await' cannot be differentiated.
    y = await f(x)
        ^
Why: it waits.
Instead: do not wait."""


def make(kind: type[ZygpyError]) -> ZygpyError:
    return kind("'await' cannot be differentiated.", PLACE, "it waits.", "do not wait.")


@pytest.mark.parametrize(("kind", "also"), KINDS)
def test_every_error_is_a_zygpy_error_and_a_familiar_one(kind: type[ZygpyError], also: type) -> None:
    assert issubclass(kind, ZygpyError)
    assert issubclass(kind, also)


@pytest.mark.parametrize("kind", [kind for kind, _ in KINDS])
def test_the_message_shows_where_why_and_what_to_do(kind: type[ZygpyError]) -> None:
    error = make(kind)
    assert str(error) == LAYOUT
    assert (error.place, error.why, error.instead) == (PLACE, "it waits.", "do not wait.")


@pytest.mark.parametrize("kind", [kind for kind, _ in KINDS])
@pytest.mark.parametrize("send", [lambda error: pickle.loads(pickle.dumps(error)), copy.copy])
def test_errors_survive_pickling_and_copying(kind: type[ZygpyError], send: Any) -> None:
    error = make(kind)
    error.add_note("while training")
    received = send(error)
    assert type(received) is kind
    assert str(received) == LAYOUT
    assert received.place == PLACE
    assert received.__notes__ == ["while training"]


def test_parts_that_are_not_known_are_left_out() -> None:
    assert str(ZygpyError("No.")) == "No."
    assert str(ZygpyError("No.", Place("a.py", 1, 0))) == "a.py:1:1: No."
    assert str(ZygpyError("No.", instead="yes.")) == "No.\nInstead: yes."


def test_python_itself_shows_the_line_and_the_caret_once() -> None:
    error = make(UnsupportedSyntaxError)
    assert isinstance(error, SyntaxError)
    assert (error.filename, error.lineno, error.offset, error.text) == (
        "model.py",
        12,
        9,
        "    y = await f(x)",
    )
    shown = "".join(traceback.format_exception_only(error))
    assert shown.count("y = await f(x)") == 1
    assert shown.count("model.py") == 1
    assert shown.count("cannot be differentiated") == 1
    assert "Why: it waits.\nInstead: do not wait." in shown
    lines = shown.splitlines()
    assert lines[0] == '  File "model.py", line 12'
    assert lines[2].index("^") == lines[1].index("await")


def test_the_caret_stands_under_the_column_after_tabs() -> None:
    excerpt = Place("a.py", 1, 6, "\tx =\t await y").excerpt()
    code, caret = excerpt.split("\n")
    assert code == "    x =\t await y"
    assert caret == "       \t ^"
    assert caret.expandtabs().index("^") == code.expandtabs().index("await")


def test_locate_reads_the_line_from_the_file(tmp_path: Any) -> None:
    path = tmp_path / "module.py"
    path.write_text("first\n  second\n")
    assert locate(str(path), 2, 2, "f") == Place(str(path), 2, 2, "  second", "f")
    assert locate(str(tmp_path / "none.py"), 2, 2).text == ""


def test_a_missing_rule_names_the_callee_and_shows_a_rule_that_compiles() -> None:
    error = missing_rule(math.comb, PLACE)
    assert "'math.comb' has no rule" in str(error)
    rule = error.instead.split("\n", 1)[1]
    assert rule.count("\n") == 2
    body = "\n".join(line.removeprefix("    ") for line in rule.splitlines())
    compile(body, "<rule>", "exec")
    assert body.startswith("@zg.adjoint(math.comb)\ndef _(n, k):\n")


def test_a_rule_is_shown_for_callables_that_tell_no_signature() -> None:
    assert "def _(x):" in missing_rule(np.vectorize(len)).instead
    assert "def _(x):" in missing_rule(np.sin).instead


class Box:
    def method(self) -> None: ...


@pytest.mark.parametrize(
    ("callee", "name"),
    [
        (len, "len"),
        (math.sin, "math.sin"),
        (Box.method, f"{__name__}.Box.method"),
        (Box(), f"{__name__}.Box"),
    ],
)
def test_callables_are_named_as_a_user_would_write_them(callee: Any, name: str) -> None:
    assert dotted_name(callee) == name
