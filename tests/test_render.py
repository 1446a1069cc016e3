"""Rendering: the text parses back to the tree, maps to the user's lines, and reads well."""

from __future__ import annotations

import ast
import math
import subprocess
import sys
import textwrap
import warnings

import gast
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.counting import counted
from zygpy.render import WIDTH, agrees, render


def parsed(source):
    return gast.parse(textwrap.dedent(source).strip("\n")).body


def rendered(source):
    functions = parsed(source)
    text = render(functions)
    assert agrees(functions, text), text.source
    return text


def returning(value):
    """A function that returns one gast expression or constant."""
    function = parsed("def f():\n    return 0")[0]
    is_node = isinstance(value, gast.AST)
    function.body[0].value = value if is_node else gast.Constant(value, kind=None)
    return function


def evaluated(expression):
    return eval(expression, {"__builtins__": {}})


POW = """\
def pow_forward(x, n):
    r = 1
    tape = []
    for _ in range(n):
        tape.append(r)
        r = r * x
    return r, (x, tape)

def pow_adjoint(stash, y_bar):
    x, tape = stash
    r_bar = y_bar
    x_bar = 0.0
    for r in reversed(tape):
        x_bar += r_bar * r
        r_bar = r_bar * x
    return x_bar, None
"""


def test_pow_reads_as_a_person_wrote_it():
    assert rendered(POW).source == POW


@pytest.mark.parametrize(
    "line",
    [
        "return x ** -1",
        "return (-x) ** 2",
        "return -x ** 2",
        "return x ** -y ** z",
        "return (x ** y) ** z",
        "return x - (y - z)",
        "return x - y - z",
        "return x / (y * z)",
        "return (x, y), z",
        "return x,",
        "x, (y, z) = stash",
        "x = y = z, 1",
        "x[i, 2:3, ..., None] += 1",
        "x[i:, ::2, (1, 2)] = 0",
        "y = f(x)(z).T[0]",
        'y = (1).real + (2.5).imag + "a".upper()',
        "f((x, y), *z, key=(1, 2), **w)",
        "y = f(lambda: x)",
        "y = lambda x, *rest, key=1: (x, rest)",
        "y = x if a and not b or c else lambda: z",
        "y = (x if a else b) if (c or d) and e else f",
        "y = a < b <= c != d",
        "y = (a < b) < c",
        "y = not a in b",
        "y = not a",
        "x = \"it's\", 'say \"hi\"', b'raw', None, True, ...",
        "x = [i for i in xs if i], {i: j for i, j in xs}, {1, 2}, {**a}, sum(i for i in xs)",
        "x = 1e16, 1e-07, 1e309, 2j, 123456789",
        "del x, y[0]",
        'assert x, "why"',
        "raise ValueError(x) from e",
        "global x",
        "x = yield y",
    ],
)
def test_a_statement_is_written_as_it_was(line):
    assert rendered(f"def f():\n    {line}").source == f"def f():\n    {line}\n"


@pytest.mark.parametrize(
    "source",
    [
        """
        def f(a, b=1, /, c=2, *rest, d, e=lambda: 0, **more):
            while a:
                if b:
                    break
                elif c:
                    continue
                else:
                    pass
            else:
                return 1
            with a as b, c:
                pass
            try:
                pass
            except (A, B) as error:
                raise
            else:
                pass
            finally:
                pass
        """,
        """
        def f(a, /, b, c=1):
            def inner(x: int = 3) -> str:
                'documented'
                nonlocal a
                return x
            return inner
        """,
    ],
)
def test_statements_of_every_form(source):
    rendered(source)


SINCE_3_12 = ["def g[T](x: T) -> T:\n    return x", "type A[T] = list[T]"]


@pytest.mark.parametrize(
    "body",
    [
        *(SINCE_3_12 if sys.version_info >= (3, 12) else []),
        "match x:\n    case [1, *r] if r:\n        y = 1\n    case {'a': A(b=2)}:\n        y = 'a\\nb'",
        "y = f'{x!r:>{width}}' f'{{}}' f\"{d['k']}\\n\"",
        "try:\n    pass\nexcept* ValueError:\n    pass",
        "class A(B, metaclass=M):\n    '''Two\n    lines.'''\n    x = 1",
        "async def g():\n    async with a as b:\n        return [await c async for c in d]",
    ],
)
@pytest.mark.parametrize("depth", [0, 2])
def test_what_astor_cannot_write(body, depth):
    nested = "".join("    " * level + "if x:\n" for level in range(1, depth + 1))
    rendered("def f(x):\n" + nested + textwrap.indent(body, "    " * (depth + 1)))


def comment(text):
    return gast.Expr(gast.Constant(text, kind="comment"))


def test_comments_are_comment_lines():
    function = parsed("def f(x):\n    for i in x:\n        x = i\n    return x")[0]
    function.body[0].body.insert(0, comment("# adjoint of: x = i"))
    function.body.insert(0, comment("# first\nsecond"))
    text = render([function])
    expected = """\
        def f(x):
            # first
            # second
            for i in x:
                # adjoint of: x = i
                x = i
            return x
        """
    assert text.source == textwrap.dedent(expected)
    assert agrees([function], text)


def test_a_block_of_comments_gets_a_pass():
    function = parsed("def f(x):\n    if x:\n        pass\n    return x")[0]
    function.body[0].body = [comment("# nothing to do")]
    text = render([function])
    assert "        # nothing to do\n        pass\n" in text.source
    assert agrees([function], text)


def test_a_docstring_keeps_its_lines():
    text = rendered('def f():\n    """One.\n\n    Two.\n    """\n    return 1')
    assert text.source == 'def f():\n    """One.\n\n    Two.\n    """\n    return 1\n'
    assert text.lines == {1: 1, 2: 2, 3: 2, 4: 2, 5: 2, 6: 6}


def test_lines_map_to_the_users_and_are_inherited():
    function = parsed("def f(x):\n    if x:\n        y = 1\n    elif z:\n        y = 2\n    return y")[0]
    for statement in function.body[0].body + function.body[1:]:
        del statement.lineno
    assert render([function]).lines == {1: 1, 2: 2, 3: 2, 4: 4, 5: 5, 6: 5}


def test_without_any_line_the_map_is_empty():
    function = parsed("def f(x):\n    return x")[0]
    for node in gast.walk(function):
        node.__dict__.pop("lineno", None)
    assert render([function]).lines == {}


LONG = [
    "stash = " + ", ".join(f"variable_{i}" for i in range(30)),
    "return " + " * ".join(f"variable_{i}" for i in range(30)),
    "x[" + "index" * 12 + "] += " + " + ".join(f"f(variable_{i}, 'a string')" for i in range(9)),
    "y = f(g(" + ", ".join(f"keyword_{i}=variable_{i}" for i in range(15)) + ")[0], lambda a: (a, 1))",
    "if " + " and ".join(f"variable_{i}" for i in range(30)) + ":\n        pass",
    "for i in f(" + ", ".join(f"variable_{i}" for i in range(30)) + "):\n        pass",
]


@pytest.mark.parametrize("line", LONG)
def test_long_lines_are_folded(line):
    text = rendered(f"def f():\n    {line}")
    written = text.source.splitlines()
    assert max(map(len, written)) <= WIDTH
    assert [text.lines[number] for number in range(2, len(written))] == [2] * (len(written) - 2)


def test_a_line_that_fits_is_not_folded():
    line = "    y = f(" + "a" * (WIDTH - 11) + ")"
    assert len(line) == WIDTH
    assert rendered(f"def f():\n{line}").source.splitlines()[1] == line


def same(a, b):
    """Equal in type, in value and in the signs of zeros; NaN equals NaN."""
    parts = [(a.real, b.real), (a.imag, b.imag)] if isinstance(a, complex) else [(a, b)]
    return type(a) is type(b) and all(
        (math.isnan(p) and math.isnan(q)) or (p == q and math.copysign(1, p) == math.copysign(1, q))
        for p, q in parts
    )


parts = st.floats(allow_nan=False).map(lambda part: part + 0.0)  # no negative zeros


@given(st.floats() | st.integers(-(10**400), 10**400) | st.builds(complex, parts, parts))
def test_numbers_evaluate_to_themselves(value):
    function = returning(value)
    text = render([function])
    assert agrees([function], text)
    written = text.source.split("return ")[1]
    result = evaluated(written)
    assert result == value if isinstance(value, int) else same(result, value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (math.inf, "1e309"),
        (-math.inf, "-1e309"),
        (math.nan, "1e309 - 1e309"),
        (-0.0, "-0.0"),
        (1e16, "1e16"),
        (1e-7, "1e-07"),
        (-2, "-2"),
        (1 + 2j, "1.0 + 2j"),
        (-1 - 2j, "-1.0 - 2j"),
    ],
)
def test_numbers_read_well(value, text):
    assert render([returning(value)]).source == f"def f():\n    return {text}\n"


@pytest.mark.parametrize("value", [-2.0, -3, math.nan, 1 - 2j])
def test_a_negative_constant_keeps_its_place_in_a_power(value):
    power = gast.BinOp(gast.Constant(value, kind=None), gast.Pow(), gast.Constant(2, kind=None))
    written = render([returning(power)]).source.split("return ")[1]
    assert same(evaluated(written), value**2)


@pytest.mark.parametrize("value", [(1, 2), object(), complex(1, math.nan), complex(-0.0, 2)])
def test_what_has_no_literal_is_refused(value):
    with pytest.raises(TypeError, match="literal"):
        render([returning(value)])


@given(st.text() | st.binary())
def test_strings_evaluate_to_themselves(value):
    function = returning(value)
    text = render([function])
    assert agrees([function], text)
    assert ast.literal_eval(text.source.split("return ", 1)[1].strip()) == value


def test_agrees_notices_a_difference():
    functions = parsed("def f(x):\n    return x - 1")
    assert not agrees(functions, render(parsed("def f(x):\n    return x + 1")))
    assert not agrees(functions, render(parsed("def f(x):\n    return x - 2")))
    assert not agrees(functions, render(parsed("def g(x):\n    return x - 1")))


def test_rendering_changes_nothing_in_the_tree():
    functions = parsed(POW)
    before = gast.dump(functions[0], include_attributes=True)
    assert render(functions) == render(functions)
    assert gast.dump(functions[0], include_attributes=True) == before


def test_long_functions_need_work_in_proportion():
    def calls(statements):
        lines = [f"    y{i + 1} = np.sin(x) * x ** 2 + y{i}[0, :] * 2.0" for i in range(statements)]
        functions = parsed("def f(x):\n" + "\n".join(lines))
        return counted(lambda: render(functions))[1]

    assert calls(1000) < 5 * calls(250)


def test_importing_render_loads_neither_gast_nor_astor_and_warns_of_nothing():
    program = (
        "import sys, zygpy.render; assert not {'gast', 'astor'} & set(sys.modules); "
        "import gast; print(zygpy.render.render(gast.parse('def f(): pass').body).source)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "def f():\n    pass\n\n"


def test_the_text_warns_of_nothing_when_it_is_compiled():
    """Constants that take the place of variables in branches that are not run."""
    functions = parsed("def f(x):\n    if x:\n        return A[0](x)[B], C(x), x is D\n    return x is not E")

    class Filled(gast.NodeTransformer):
        def visit_Name(self, node):
            known = {"A": None, "B": 1, "C": 2.5, "D": 3, "E": None}
            return gast.Constant(known[node.id], None) if node.id in known else node

    filled = [Filled().visit(function) for function in functions]
    text = render(filled)
    assert agrees(filled, text)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exec(compile(text.source, "<text>", "exec"), namespace := {})
    assert namespace["f"](0) is True
    with pytest.raises(TypeError, match="'NoneType' object is not subscriptable"):
        namespace["f"](1)
