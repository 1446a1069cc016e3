"""Programs that break a rule of the core language, one rule each."""

from __future__ import annotations

import pytest

from zygpy.ir import core
from zygpy.ir.verify import InvalidProgram, verify

HERE = core.Loc(1, 0)
X, Y, T = core.Var("x"), core.Var("y"), core.Var("t_1")
END = core.Return(X, HERE)
COPY = core.Assign("y", core.Copy(X), HERE)
BREAK = core.Break(HERE)

BROKEN: dict[str, tuple[core.Block, str]] = {
    "no return": ((COPY,), "the last statement is not a Return"),
    "two returns": ((core.If(X, (END,), (), HERE), END), "more than one Return"),
    "break outside": ((BREAK, END), "a Break is not the last thing"),
    "break in the middle": ((core.Loop((BREAK, COPY), HERE), END), "a Break is not the last thing"),
    "if in the middle": ((core.Loop((core.If(X, (BREAK,), (), HERE), COPY), HERE), END), "a Break is not"),
    "break in a with": ((core.Loop((core.With(X, None, (BREAK,), HERE),), HERE), END), "a Break is not"),
    "unknown variable": (
        (core.Assign("y", core.Copy(core.Var("z")), HERE), END),
        "z is read and never assigned",
    ),
    "early temporary": (
        (core.Assign("y", core.Copy(T), HERE), core.Assign("t_1", core.Copy(X), HERE), END),
        "t_1 is read before it is assigned",
    ),
    "cell as variable": (
        (core.Assign("y", core.Copy(core.Var("c")), HERE), END),
        "the cell c is used as a variable",
    ),
    "cell assigned": ((core.Assign("c", core.Copy(X), HERE), END), "the cell c is assigned as a variable"),
    "no cell": ((core.WriteCell("x", X, HERE), END), "x is not a cell"),
    "not captured": (
        (core.Assign("y", core.Read(core.Path(("k",), "captured")), HERE), END),
        "k is not captured",
    ),
    "operator": ((core.Assign("y", core.Binary("&&", X, X), HERE), END), "unknown operator '&&'"),
    "star": ((core.Unpack(("y",), 3, X, HERE), END), "the star is outside of the targets"),
    "iterate": ((core.For("y", core.Iterate(core.Path(("map",)), ()), (), HERE), END), "map is no Iterate"),
    "scope": ((core.Assign("y", core.Read(core.Path(("k",), "nowhere")), HERE), END), "not a path"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_rules_are_told(name: str) -> None:
    body, text = BROKEN[name]
    with pytest.raises(InvalidProgram, match=text):
        verify(core.Function("f", core.Params((), ("x",)), body, (), ("c",)))


def test_a_sound_program_passes() -> None:
    loop = core.Loop((COPY, core.If(Y, (BREAK,), (), HERE)), HERE)
    verify(core.Function("f", core.Params((), ("x",)), (loop, END)))
