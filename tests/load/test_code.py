"""Loading: live globals, cells, recursion, what debuggers see, notes, and nothing that leaks."""

from __future__ import annotations

import gc
import inspect
import linecache
import pdb
import threading
import traceback
from io import StringIO
from types import CellType

import pytest

from zygpy.ir.text import Text
from zygpy.load.code import Origin, annotate, line_map, load

SCALE = """\
def scale(x):
    return helper(x) * factor
"""


def test_cells_do_not_collide_with_the_users_globals():
    user = {"__name__": "model", "helper": "the user's own", "factor": 3}
    scale = load(Text(SCALE), ["scale"], {"helper": lambda x: x + 1}, user, "<zygpy scale>")["scale"]
    assert scale(1) == 6
    assert user["helper"] == "the user's own"
    assert set(user) <= {"__name__", "helper", "factor", "__builtins__"}


def test_globals_are_live():
    user = {"factor": 3}
    scale = load(Text(SCALE), ["scale"], {"helper": abs}, user, "<zygpy scale>")["scale"]
    assert scale(-1) == 3
    user["factor"] = 10
    assert scale(-1) == 10
    assert scale.__globals__ is user


def test_a_loaded_function_can_write_globals():
    user = {}
    write = load(Text("def write(x):\n    global seen\n    seen = x\n"), ["write"], {}, user, "<w>")
    write["write"](5)
    assert user["seen"] == 5


def test_names_and_module_are_nice():
    scale = load(Text(SCALE), ["scale"], {"helper": abs}, {"__name__": "model"}, "<s>")["scale"]
    assert (scale.__name__, scale.__qualname__, scale.__module__) == ("scale", "scale", "model")
    assert scale.__code__.co_qualname == "scale"
    assert scale.__defaults__ is None


MUTUAL = """\
def even(n):
    return True if n == 0 else odd(n - 1)

def odd(n):
    return False if n == 0 else even(n - 1)

def factorial(n):
    return 1 if n == 0 else n * factorial(n - 1)
"""


def test_functions_of_a_text_see_each_other_and_themselves():
    user = {"even": None, "odd": None, "factorial": None}
    loaded = load(Text(MUTUAL), ["even", "odd", "factorial"], {}, user, "<mutual>")
    assert loaded["even"](10) is True
    assert loaded["odd"](10) is False
    assert loaded["factorial"](5) == 120
    assert list(loaded) == ["even", "odd", "factorial"]


def test_a_cell_can_be_shared_and_filled_later():
    later = CellType()
    call = load(Text("def call(x):\n    return other(x)\n"), ["call"], {"other": later}, {}, "<c>")["call"]
    with pytest.raises(NameError):
        call(1)
    later.cell_contents = lambda x: x + 1
    assert call(1) == 2
    assert call.__closure__ == (later,)


def test_a_cell_named_like_a_function_is_refused():
    with pytest.raises(ValueError, match="scale"):
        load(Text(SCALE), ["scale"], {"scale": 1}, {}, "<s>")


def test_source_is_seen_by_inspect_and_linecache():
    text = Text(MUTUAL)
    loaded = load(text, ["even", "odd", "factorial"], {}, {}, "<zygpy mutual>")
    linecache.checkcache()
    assert inspect.getsource(loaded["odd"]) == "\n".join(MUTUAL.splitlines()[3:5]) + "\n"
    assert "".join(linecache.getlines(loaded["even"].__code__.co_filename)) == MUTUAL


def test_pdb_steps_through_generated_lines():
    source = "def double(x):\n    y = x + x\n    return y\n"
    double = load(Text(source), ["double"], {}, {"__name__": "model"}, "<zygpy double>")["double"]
    said = StringIO()
    debugger = pdb.Pdb(stdin=StringIO("step\np y\ncontinue\n"), stdout=said, nosigint=True)
    debugger.use_rawinput = False
    assert debugger.runcall(double, 4) == 8
    assert "-> y = x + x" in said.getvalue()
    assert "-> return y" in said.getvalue()
    assert "(Pdb) 8\n" in said.getvalue()


DIVIDE = """\
def divide(a, b):
    q = a / b
    return recurse(q)

def recurse(q):
    return recurse(q - 1) if q > 0 else q[0]
"""


@pytest.fixture
def divide():
    text = Text(DIVIDE, {1: 10, 2: 12, 3: 12, 6: 20})
    origin = Origin("model.py", "energy")
    return load(text, ["divide", "recurse"], {}, {}, "<zygpy divide>", origin)["divide"]


def failure(function, *args):
    with pytest.raises((ZeroDivisionError, TypeError)) as caught:
        function(*args)
    return caught.value


def test_exceptions_name_the_users_line(divide):
    error = failure(divide, 1, 0)
    annotate(error)
    assert error.__notes__ == ["generated from model.py, line 12, in energy"]
    shown = "".join(traceback.format_exception(error))
    assert "q = a / b" in shown
    assert "generated from model.py, line 12, in energy" in shown


def test_annotating_twice_and_deep_recursion_add_each_note_once(divide):
    error = failure(divide, 50, 1)
    annotate(error)
    annotate(error)
    expected = [f"generated from model.py, line {line}, in energy" for line in (12, 20)]
    assert error.__notes__ == expected


def test_an_exception_without_generated_frames_gets_no_note():
    error = failure(lambda: 1 / 0)
    annotate(error)
    assert not hasattr(error, "__notes__")


def test_an_exception_that_takes_no_notes_is_left_alone():
    class Frozen(Exception):
        def __setattr__(self, name, value):
            raise AttributeError("frozen")

    text = Text("def fail():\n    raise error\n", {2: 5})
    error = Frozen()
    fail = load(text, ["fail"], {"error": error}, {}, "<f>", Origin("m.py", "f"))["fail"]
    with pytest.raises(Frozen):
        fail()
    annotate(error)
    assert not hasattr(error, "__notes__")


def test_line_map_lives_as_long_as_the_code(divide):
    filename = divide.__code__.co_filename
    assert line_map(filename) == ("model.py", {1: 10, 2: 12, 3: 12, 6: 20})
    assert line_map("elsewhere.py") is None


def test_files_go_away_with_their_functions():
    loaded = load(Text(MUTUAL), ["even", "odd", "factorial"], {}, {}, "<zygpy gone>")
    code = loaded["even"].__code__
    del loaded
    gc.collect()
    assert line_map("<zygpy gone>") is not None, "a code object is alive still"
    del code
    gc.collect()
    assert line_map("<zygpy gone>") is None
    assert "<zygpy gone>" not in linecache.cache


def test_an_inner_function_keeps_its_source():
    source = "def outer(x):\n    return lambda y: x * y\n"
    inner = load(Text(source), ["outer"], {}, {}, "<zygpy outer>")["outer"](3)
    gc.collect()
    assert inner(2) == 6
    assert inspect.getsource(inner) == "    return lambda y: x * y\n"


def test_two_living_texts_of_one_name_do_not_mix():
    first = load(Text("def f():\n    return 1\n"), ["f"], {}, {}, "<zygpy f>")["f"]
    second = load(Text("def f():\n    return 2\n"), ["f"], {}, {}, "<zygpy f>")["f"]
    assert (first(), second()) == (1, 2)
    assert second.__code__.co_filename == "<zygpy f #2>"
    assert "return 1" in inspect.getsource(first)
    assert "return 2" in inspect.getsource(second)


def test_a_text_that_does_not_compile_leaves_nothing_behind():
    with pytest.raises(SyntaxError):
        load(Text("def f(:\n"), ["f"], {}, {}, "<zygpy broken>")
    with pytest.raises(KeyError):
        load(Text("def f(): pass\n"), ["g"], {}, {}, "<zygpy broken>")
    assert line_map("<zygpy broken>") is None
    assert "<zygpy broken>" not in linecache.cache


def test_ten_thousand_loads_leak_nothing():
    gc.collect()
    before = {name for name in linecache.cache if name.startswith("<zygpy leak")}
    for number in range(10_000):
        load(Text("def f(x):\n    return f\n"), ["f"], {}, {}, f"<zygpy leak {number}>")
    gc.collect()
    assert {name for name in linecache.cache if name.startswith("<zygpy leak")} == before == set()
    assert line_map("<zygpy leak 9999>") is None


def test_threads_load_the_same_name_at_once():
    results = []

    def work():
        for number in range(50):
            source = f"def f():\n    return {number}\n"
            function = load(Text(source), ["f"], {}, {}, "<zygpy thread>")["f"]
            results.append((function() == number, inspect.getsource(function) == source))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [(True, True)] * 400


# Globals of its own.

CALLING = """\
def scale(x):
    return helper(x) * abs(factor)
"""


def test_a_text_that_reads_nothing_of_the_users_has_globals_of_its_own():
    user = {"__name__": "model", "unread": 3}
    scale = load(
        Text(CALLING), ["scale"], {"helper": abs, "factor": -2}, user, "<s>", live={"factor", "helper", "abs"}
    )["scale"]
    assert scale(-1) == 2
    assert (scale.__closure__, scale.__module__) == (None, "model")
    assert "unread" not in scale.__globals__
    assert user.keys() <= {"__name__", "unread", "__builtins__"}


@pytest.mark.parametrize(
    ("user", "cells", "live"),
    [
        ({"factor": 3}, {"helper": abs}, {"factor"}),
        ({"factor": 3}, {"helper": abs}, set()),  # more than was said
        ({"abs": lambda x: x}, {"helper": lambda x: x, "factor": 3}, set()),
        ({}, {"helper": CellType(abs), "factor": 3}, {"factor"}),
    ],
)
def test_a_text_that_reads_the_users_globals_reads_them_live(user, cells, live):
    scale = load(Text(CALLING), ["scale"], cells, user, "<s>", live=live)["scale"]
    assert scale(1) == 3
    assert scale.__globals__ is user


def test_a_text_that_writes_globals_writes_the_users():
    user = {}
    text = Text("def write(x):\n    global seen\n    seen = x\n")
    load(text, ["write"], {}, user, "<w>", live=set())["write"](5)
    assert user["seen"] == 5


def test_functions_with_globals_of_their_own_see_each_other():
    loaded = load(Text(MUTUAL), ["even", "odd", "factorial"], {}, {}, "<mutual>", live=set())
    assert loaded["even"](10) is True
    assert loaded["factorial"](5) == 120
    assert loaded["even"].__closure__ is None
