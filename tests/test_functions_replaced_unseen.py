"""Functions that a program replaces by code which it does not call by a name: what ran has to be what a plain
call runs, or the call is refused when it has been made."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from itertools import count, product
from typing import Any

import numpy as np
import pytest

import zygpy
from zygpy import units

TEXT = """
import functools, operator, types

def one(x): return x * 2.0
def two(x): return x * x * 3.0

H = one
MODULE = types.ModuleType("module")
MODULE.h = one

class Model:
    act = staticmethod(one)
    def __call__(self, x): return x * 2.0

def put_global():
    global H
    H = two
def put_class(): Model.act = staticmethod(two)
def put_call(): Model.__call__ = lambda self, x: two(x)
def put_module(): MODULE.h = two
def put_attribute(): setattr(Model, "a" + "ct", staticmethod(two))
def put_variable(): vars(MODULE)["h"] = two
def put_by_dict(): globals()["H"] = two

class Setter:
    def __init__(self, put): self.put = put
    def __call__(self): self.put()
    def method(self): self.put()
    @property
    def found(self): self.put(); return 1.0
    def __getitem__(self, key): self.put(); return 1.0
    def __add__(self, other): self.put(); return 1.0
    def __len__(self): self.put(); return 1
    def __enter__(self): self.put()
    def __exit__(self, *args): return False
    def __iter__(self): self.put(); return iter([1.0])
    def __str__(self): self.put(); return ""

TABLE = {{"put": {put}}}
SETTER = Setter({put})

def use(x): return {use}

def f(x):
    z = {use}
    {change}
    return z * {held}
"""
PUTS = {
    "put_global": "H(x)",
    "put_class": "Model.act(x)",
    "put_call": "Model()(x)",
    "put_module": "MODULE.h(x)",
    "put_attribute": "Model().act(x)",
    "put_variable": "MODULE.h(x)",
    "put_by_dict": "H(x)",
}
CHANGES = (
    "TABLE['put']()",
    "SETTER()",
    "getattr(SETTER, 'meth' + 'od')()",
    "SETTER.found",
    "SETTER[0]",
    "SETTER + 1",
    "len(SETTER)",
    "list(SETTER)",
    "str(SETTER)",
    "operator.attrgetter('found')(SETTER)",
    "operator.methodcaller('method')(SETTER)",
    "[put() for put in TABLE.values()]",
    "with SETTER: pass",
)
HELD = ("use(x)", "{use}")
CASES = [(put, change, held) for put, change, held in product(PUTS, CHANGES, HELD)][::3]
NAMES = count()
REFUSALS = (
    "was replaced by another one while",
    "changes something when it is asked",
    "looks into the running",
)
CALLS = ("TABLE['put']()", "SETTER()", "[put() for put in TABLE.values()]")
"""Changes by calls of which it is found out beforehand whom they may call,"""
BOUND = ("put_global", "put_class", "put_call", "put_module", "put_attribute")
"""and functions of which it is known what they bind: such programs work."""


def made(put: str, change: str, held: str) -> Callable[[float], float]:
    """A fresh program."""
    use = PUTS[put]
    text = TEXT.format(put=put, use=use, change=change, held=held.format(use=use))
    name = f"<functions replaced unseen {next(NAMES)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names: dict[str, Any] = {"__name__": "programs"}
    exec(compile(text, name, "exec"), names)
    function: Callable[[float], float] = names["f"]
    return function


DERIVATIVES: dict[str, Callable[[Any, float], float]] = {
    "gradient": lambda f, x: zygpy.gradient(f, x)[0],
    "pushforward": lambda f, x: zygpy.pushforward(f, x)(1.0),
}


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("derivative", DERIVATIVES)
@pytest.mark.parametrize("case", CASES, ids=" | ".join)
def test_what_ran_is_what_a_plain_call_runs(
    case: tuple[str, str, str], derivative: str, specialise: bool
) -> None:
    expected = 2.0 * 3.0 * 3 * 1.3**2  # of one(x) * two(x), as one is replaced between the two
    error = None
    with units.options(specialise=specialise):
        try:
            found = DERIVATIVES[derivative](made(*case), 1.3)
        except zygpy.ZygpyError as refusal:
            error = refusal
    if error is None:
        np.testing.assert_allclose(found, expected, rtol=1e-12)
    else:
        assert any(part in str(error) for part in REFUSALS)
        assert not (case[0] in BOUND and case[1] in CALLS)


def test_a_replaced_function_is_seen_by_the_next_call() -> None:
    """The refused call has replaced it, as a plain call does; what is called then is the other one."""
    f = made("put_by_dict", "TABLE['put']()", "use(x)")
    with pytest.raises(zygpy.UnsupportedSyntaxError, match="'H' was replaced by another one while 'f' ran"):
        zygpy.gradient(f, 1.3)
    for _ in range(3):
        np.testing.assert_allclose(zygpy.gradient(f, 1.3), [9.0 * 4 * 1.3**3], rtol=1e-12)
