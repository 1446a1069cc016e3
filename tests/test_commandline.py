"""`python -m zygpy`: what it prints, its exit statuses, and the data of the demonstration."""

from __future__ import annotations

import math
import re
import subprocess
import sys

import numpy as np
import pytest

from zygpy import demo
from zygpy.commandline import CannotRun, find_function, main, parse_argument

MODEL = """\
import math
from dataclasses import dataclass

import neighbour

limit = 3

def energy(x, n):
    r = 1
    for _ in range(n):
        r = r * x
    return r

def total(x, *more):
    return neighbour.double(x) + sum(more)

def norm(v):
    return (v * v).sum()

def vector(v):
    return 2 * v

class Model:
    @staticmethod
    def square(x):
        return x * x

@dataclass
class Point:
    x: float
"""


@pytest.fixture
def model(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "neighbour.py").write_text("def double(x):\n    return 2 * x\n")
    path = tmp_path / "model.py"
    path.write_text(MODEL)
    yield path
    for name in ("model", "neighbour"):
        sys.modules.pop(name, None)


def test_grad_prints_the_value_and_a_line_for_each_parameter(model, capsys):
    assert main(["grad", f"{model}:energy", "2.0", "3"]) == 0
    assert capsys.readouterr().out == "value: 8.0\nx: 12.0\nn: None\n"


def test_grad_numbers_the_extra_arguments_and_imports_neighbours(model, capsys):
    assert main(["grad", f"{model}:total", "1.0", "2.0", "-1e3"]) == 0
    assert capsys.readouterr().out == "value: -996.0\nx: 2.0\nmore[0]: 1.0\nmore[1]: 1.0\n"


def test_grad_takes_lists_as_arrays(model, capsys):
    assert main(["grad", f"{model}:norm", "[1.0, -2.0]"]) == 0
    assert capsys.readouterr().out == "value: np.float64(5.0)\nv: array([ 2., -4.])\n"


def test_grad_finds_static_methods(model, capsys):
    assert main(["grad", f"{model}:Model.square", "3.0"]) == 0
    assert capsys.readouterr().out == "value: 9.0\nx: 6.0\n"


def test_show_prints_the_pair(model, capsys):
    assert main(["show", f"{model}:energy", "2.0", "3"]) == 0
    shown = capsys.readouterr().out
    assert "def energy_forward(x, n):" in shown
    assert "def energy_adjoint(stash" in shown


def test_show_works_without_arguments(model, capsys):
    assert main(["show", f"{model}:energy"]) == 0
    assert "def energy_adjoint(stash" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("target", "arguments", "message"),
    [
        ("nowhere.py:f", [], "there is no file nowhere.py"),
        ("{model}", [], "'{model}' is not of the form FILE.py:FUNCTION"),
        ("{model}:", [], "'{model}:' is not of the form FILE.py:FUNCTION"),
        ("{model}:entropy", [], "{model} has no function entropy"),
        ("{model}:Model.cube", [], "{model} has no function Model.cube"),
        ("{model}:limit", [], "limit in {model} is not a function but int"),
        ("{model}:energy", ["2.0", "x"], "'x' is not a Python literal"),
        ("{model}:energy", ["2.0", "(1"], "'(1' is not a Python literal"),
        ("{model}:energy", [""], "'' is not a Python literal"),
        (
            "{model}:energy",
            ["2.0"],
            "the arguments do not fit energy(x, n): missing a required argument: 'n'",
        ),
    ],
)
@pytest.mark.parametrize("command", ["grad", "show"])
def test_bad_requests_get_one_line_and_status_2(model, capsys, command, target, arguments, message):
    relative = target.replace("{model}", str(model))
    assert main([command, relative, *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.err == f"zygpy: {message.replace('{model}', str(model))}\n"
    assert captured.out == ""


def test_a_text_file_is_refused(tmp_path, capsys):
    path = tmp_path / "notes.txt"
    path.write_text("hello")
    assert main(["grad", f"{path}:f"]) == 2
    assert capsys.readouterr().err == f"zygpy: {path} is not a Python file\n"


def test_a_function_without_scalar_result_gets_status_1(model, capsys):
    assert main(["grad", f"{model}:vector", "[1.0, 2.0]"]) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith("zygpy: ")
    assert "Traceback" not in captured.err


@pytest.mark.parametrize("arguments", [[], ["paint"], ["grad"]])
def test_unknown_commands_get_the_usage_and_status_2(arguments, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert "usage: python -m zygpy" in capsys.readouterr().err


def test_an_error_in_the_users_file_is_the_users_to_see(tmp_path):
    path = tmp_path / "broken.py"
    path.write_text("1 / 0\n")
    with pytest.raises(ZeroDivisionError):
        find_function(f"{path}:f")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2", 2),
        (" -2.5", -2.5),
        ("1+2j", 1 + 2j),
        ("'a'", "a"),
        ("None", None),
        ("(1, (2, 3))", (1, (2, 3))),
        ("[[1], [2, 3]]", [[1], [2, 3]]),
        ("['a', 'b']", ["a", "b"]),
    ],
)
def test_literals_are_themselves(text, value):
    parsed = parse_argument(text)
    assert parsed == value
    assert type(parsed) is type(value)


@pytest.mark.parametrize(
    ("text", "array"),
    [
        ("[1, 2]", np.array([1, 2])),
        ("[1.0, 2]", np.array([1.0, 2.0])),
        ("[[1.0, 2.0], [3.0, 4.0]]", np.array([[1.0, 2.0], [3.0, 4.0]])),
        ("[]", np.array([])),
    ],
)
def test_lists_of_numbers_are_arrays(text, array):
    parsed = parse_argument(text)
    assert isinstance(parsed, np.ndarray)
    assert parsed.dtype == array.dtype
    np.testing.assert_array_equal(parsed, array)


def test_arrays_inside_tuples_and_dicts():
    first, second = parse_argument("([1.0], {'a': [2.0]})")
    np.testing.assert_array_equal(first, [1.0])
    np.testing.assert_array_equal(second["a"], [2.0])


@pytest.mark.parametrize("text", ["f(1)", "1 +", "a", "[1, x]", "1; 2", "{[1]: 2}"])
def test_what_is_no_literal_is_refused(text):
    with pytest.raises(CannotRun, match="is not a Python literal"):
        parse_argument(text)


def test_the_iris_data_are_fishers():
    measurements, classes, names = demo.read_iris()
    assert measurements.shape == (150, 4)
    assert names == ["setosa", "versicolor", "virginica"]
    assert np.bincount(classes).tolist() == [50, 50, 50]
    # The means of table I of Fisher's paper, species by species, and the two rows that some copies changed.
    means = [measurements[classes == number].mean(axis=0) for number in range(3)]
    expected = [[5.006, 3.428, 1.462, 0.246], [5.936, 2.770, 4.260, 1.326], [6.588, 2.974, 5.552, 2.026]]
    np.testing.assert_allclose(means, expected, rtol=0, atol=1e-9)
    assert measurements[34].tolist() == [4.9, 3.1, 1.5, 0.2]
    assert measurements[37].tolist() == [4.9, 3.6, 1.4, 0.1]


def test_the_loss_is_the_cross_entropy():
    features = np.array([[1.0, 2.0], [0.0, -1.0]])
    weights, bias = np.array([[0.5, -0.5], [0.0, 1.0]]), np.array([0.1, 0.0])
    labels = np.array([[1.0, 0.0], [0.0, 1.0]])
    scores = features @ weights + bias
    expected = np.mean(
        [math.log(sum(map(math.exp, row))) - row[number] for number, row in enumerate(scores.tolist())]
    )
    assert demo.loss(weights, bias, features, labels) == pytest.approx(expected, rel=1e-14)


def test_the_demonstration(tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "zygpy", "demo"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "def loss_forward(weights, bias, features, labels):" in done.stdout
    assert "def loss_adjoint(stash" in done.stdout
    losses = [float(text) for text in re.findall(r"loss (\d+\.\d+)", done.stdout)]
    assert losses[0] == pytest.approx(math.log(3), abs=1e-4)
    assert losses == sorted(losses, reverse=True)
    accuracy = re.search(r"accuracy: (\d+) of 150", done.stdout)
    assert int(accuracy.group(1)) >= 140
    assert "gradient check: the gradient agrees" in done.stdout
