"""How the bodies of `try` are split: of a part that fails nothing can be noticed."""

import gast
import pytest

from zygpy.ir import core
from zygpy.ir.show import show
from zygpy.ir.verify import verify
from zygpy.normalise import normalise
from zygpy.transform.attempts import catching, split_attempts
from zygpy.transform.flatten import flatten


def program(text: str) -> core.Function:
    made = flatten(normalise(gast.parse(text).body[0]))
    verify(made)
    return made


class Names:
    """What the names of these programs stand for."""

    def changes_nothing(self, path: core.Path) -> bool:
        return path.names[0] in ("np", "are_numbers")

    def never_fails(self, path: core.Path) -> bool:
        return path.names[0] == "are_numbers"


def split(text: str, *, objects: bool = False, quiet: tuple[type, ...] = ()) -> core.Function:
    given = program(text)
    known = {id(found.op) for found in core.walk(given.body) if isinstance(getattr(found, "op", None), quiet)}
    made = split_attempts(given, Names(), objects=objects, quiet=known)
    verify(made)
    return made


def parts(function: core.Function) -> list[str]:
    """What each attempt with a failure assigns."""
    found = [statement for statement in core.walk(function.body) if isinstance(statement, core.Attempt)]
    return [
        " ".join(str(getattr(inner, "target", type(inner).__name__)) for inner in statement.body)
        for statement in found
        if statement.failure is not None
    ]


def test_what_nobody_reads_later_is_one_part() -> None:
    made = split("def f(x):\n try:\n  a = x * x\n  y = np.log(a)\n except E:\n  y = x\n return y")
    assert parts(made) == ["a y"]


def test_a_part_ends_behind_a_variable_that_the_handler_reads() -> None:
    made = split("def f(x):\n try:\n  a = x * x\n  y = np.log(a)\n except E:\n  y = a\n return y")
    assert parts(made) == ["a", "y"]


@pytest.mark.parametrize("change", ["x[0] = 1", "x.n = 1", "x += 1", "g(x)", "x.append(1)", "del x[0]"])
def test_a_part_ends_behind_a_change(change: str) -> None:
    made = split(f"def f(x, y):\n try:\n  {change}\n  z = y / y\n except E:\n  z = y\n return z")
    assert len(parts(made)) == 2


def test_a_primitive_changes_nothing() -> None:
    made = split("def f(x):\n try:\n  a = np.exp(x)\n  z = a / x\n except E:\n  z = x\n return z")
    assert parts(made) == ["a z"]


def test_a_loop_whose_iterations_are_noticed_is_left_by_the_one_that_fails() -> None:
    made = split("def f(x, s):\n try:\n  for v in x:\n   s = s + v\n except E:\n  pass\n return s")
    (loop,) = [statement for statement in core.walk(made.body) if isinstance(statement, core.For)]
    assert [type(statement).__name__ for statement in loop.body[:1]] == ["Attempt"]
    assert any(isinstance(statement, core.Break) for statement in core.walk(loop.body))


def test_a_loop_of_which_nothing_is_noticed_stays_whole() -> None:
    made = split("def f(x, s):\n try:\n  for v in x:\n   w = v * v\n  s = w\n except E:\n  pass\n return s")
    (attempt,) = [statement for statement in core.walk(made.body) if isinstance(statement, core.Attempt)]
    assert any(isinstance(statement, core.For) for statement in attempt.body)


def test_variables_carried_to_the_next_round_are_noticed() -> None:
    body = "  try:\n   a = a * x\n   b = a / k\n  except E: pass\n"
    text = f"def f(x, n):\n a = x\n for k in range(n):\n{body} return x"
    assert parts(split(text)) == ["a", "b"]


def test_operations_that_run_no_code_of_a_class_end_no_part() -> None:
    text = "def f(x):\n try:\n  a = x * x\n  b = a - x\n  y = np.log(a)\n except E:\n  y = x\n return y"
    assert len(parts(split(text, objects=True))) == 3
    assert len(parts(split(text, objects=True, quiet=(core.Binary,)))) == 1
    assert parts(split(text, objects=True, quiet=(core.Binary, core.Call))) == ["a b y"]


def test_a_question_that_cannot_fail_stays_in_front_of_its_if() -> None:
    body = "  a = np.log(x)\n  if are_numbers(a):\n   a = g(a)\n"
    made = split(f"def f(x):\n try:\n{body} except E:\n  pass\n return a")
    asked = [
        block[place - 2]
        for statement in core.walk(made.body)
        for block in core.blocks(statement)
        for place, inner in enumerate(block)
        if isinstance(inner, core.If) and place > 1
    ]
    callees = [getattr(getattr(found, "op", None), "func", None) for found in asked]
    assert core.Path(("are_numbers",), "global") in callees


def test_with_objects_every_operation_may_run_code_and_calls_are_caught() -> None:
    text = "def f(x):\n try:\n  a = x * x\n  y = g(a)\n except E:\n  y = x\n return y"
    made = split(text, objects=True)
    assert len(parts(made)) == 2
    caught = [s for s in core.walk(made.body) if isinstance(getattr(s, "op", None), core.Caught)]
    assert len(caught) == 1


def test_long_bodies_do_not_nest_without_end() -> None:
    lines = "".join(f"  x[{i}] = x[{i}] / y\n" for i in range(200))
    made = split(f"def f(x, y):\n try:\n{lines} except E:\n  pass\n return x")
    assert max(len(line) - len(line.lstrip()) for line in show(made).splitlines()) < 4 * 60


def test_a_program_without_attempts_is_the_very_same() -> None:
    made = program("def f(x):\n return x * x")
    assert split_attempts(made, lambda path: False, objects=True) is made


def test_a_catching_program_returns_its_value_and_its_exception() -> None:
    made = catching(program("def f(x):\n return x * x"))
    verify(made)
    display = made.body[-2]
    assert isinstance(display, core.Assign)
    assert isinstance(display.op, core.Display)
    assert len(display.op.items) == 2
