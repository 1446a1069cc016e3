"""Locks, logs and classes of named tuples that a program makes, in first and second derivatives."""

from __future__ import annotations

import io
import logging
import threading
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg

X = np.array([2.0, 3.0])
TEXT = io.StringIO()
LOG = logging.getLogger("zygpy.tests.administration")
LOG.addHandler(logging.StreamHandler(TEXT))
LOG.setLevel(logging.INFO)
LOG.propagate = False


class Model:
    def __init__(self) -> None:
        self.lock, self.log = threading.RLock(), LOG

    def run(self, x: Any) -> Any:
        with self.lock:
            self.log.info("%.2f", x[0])
        return x[0] * x[1] ** 2


MODEL = Model()


def by_own_lock(x: Any) -> Any:
    lock = threading.Lock()
    with lock:
        return x[0] * x[1] ** 2


def by_acquiring(x: Any) -> Any:
    lock = threading.Lock()
    lock.acquire()
    try:
        return x[0] * x[1] ** 2
    finally:
        lock.release()


def by_model(x: Any) -> Any:
    return MODEL.run(x)


def by_log(x: Any) -> Any:
    LOG.debug("x %s", x)
    LOG.warning("%s %s", x[0] > 0, x, stacklevel=2)
    logging.getLogger(LOG.name).log(logging.INFO, "x %s", x[0])
    return x[0] * x[1] ** 2


def by_named_tuple(x: Any) -> Any:
    Pair = namedtuple("Pair", "a b")
    pair = Pair(x[0], x[1])
    return pair.a * pair._replace(a=1.0).b ** 2


def by_defaults(x: Any) -> Any:
    Pair = namedtuple("Pair", ["a", "b"], defaults=(2.0,))
    pair = Pair(x[0])
    return pair.a * pair.b * x[1] ** 2 / 2.0


@pytest.mark.parametrize("f", [by_own_lock, by_acquiring, by_model, by_log, by_named_tuple, by_defaults])
def test_first_and_second_derivatives(f: Callable[[Any], Any]) -> None:
    assert zg.gradient(f, X)[0].tolist() == [9.0, 12.0]
    assert zg.pushforward(f, X)(np.ones(2)) == 21.0
    assert zg.hvp(f, X, np.ones(2)).tolist() == [6.0, 10.0]


def test_what_is_logged_is_logged_once() -> None:
    zg.gradient(by_log, X)
    TEXT.truncate(0)
    TEXT.seek(0)
    zg.gradient(by_log, X)
    assert TEXT.getvalue() == "True [2. 3.]\nx 2.0\n"


def test_a_default_with_a_gradient_is_refused() -> None:
    def f(x: Any) -> Any:
        Pair = namedtuple("Pair", "a b", defaults=(x,))
        return Pair(1.0).b

    with pytest.raises(zg.ZygpyError):
        zg.gradient(f, 2.0)
