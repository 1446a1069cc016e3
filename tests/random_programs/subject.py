"""A program at work: compiled, called in the state that its module starts in, and looked at."""

from __future__ import annotations

import contextlib
import copy
import hashlib
import linecache
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from tests.random_programs.arguments import made, paths
from tests.random_programs.program import Parameter, Program

DATA = (int, float, list, dict, np.ndarray)


@dataclass(frozen=True)
class Mode:
    """How a program is run."""

    specialise: bool = True
    simplify: bool = True
    integers: bool = False
    dtype: str = "float64"
    whole_gradient: bool = False
    twice: bool = False


def mode_of(seed: int) -> Mode:
    """Most programs as they are derived by default, some of them in other ways or with other numbers."""
    random = Random(f"mode {seed}")
    other = random.random()
    whole, twice = random.random() < 0.15, random.random() < 0.15
    if other < 0.08:
        return Mode(specialise=False, simplify=random.random() < 0.5, whole_gradient=whole)
    if other < 0.16:
        return Mode(simplify=False, whole_gradient=whole)
    if other < 0.24:
        return Mode(integers=True, whole_gradient=whole)
    if other < 0.28:
        return Mode(dtype="float32", whole_gradient=whole)
    return Mode(whole_gradient=whole, twice=twice)


class TooLong(BaseException):
    """A call took longer than it may."""


@contextlib.contextmanager
def at_most(seconds: float | None) -> Iterator[None]:
    """Interrupt what computes longer, in the main thread; elsewhere, and for None, there is no limit."""
    if seconds is None or threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(*_: Any) -> None:
        raise TooLong(f"longer than {seconds} s")

    previous = signal.signal(signal.SIGPROF, interrupt)
    left, _ = signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, left)
        signal.signal(signal.SIGPROF, previous)


@dataclass
class Subject:
    """A program that was compiled: the names of its module, and the data among them as it was at first."""

    program: Program
    mode: Mode
    names: dict[str, Any] = field(default_factory=dict)
    state: dict[str, Any] = field(default_factory=dict)
    point: int = 0

    def numbers(self) -> list[float]:
        """The point at which the program is differentiated, one of several."""
        random = Random(f"numbers {self.program.seed} {self.point}")
        own = [p for p in self.program.parameters if not p.shared]
        count = sum(1 for p in own for _ in paths(p.kind, self.program.fields))
        numbers: list[float] = [random.randint(-90, 90) / 64 + 0.0031 for _ in range(count)]
        return [2, -1, *numbers[2:]] if self.mode.integers else numbers

    def arguments(self, numbers: list[float], way: int, dtype: str = "float64") -> tuple[Any, ...]:
        """Fresh arguments."""
        source, found = iter(numbers), dict[str, Any]()
        for parameter in self.program.parameters:
            found[parameter.name] = self.argument(parameter, source, found, dtype)
        return (*found.values(), way)

    def argument(
        self, parameter: Parameter, source: Iterator[float], found: dict[str, Any], dtype: str
    ) -> Any:
        """One argument; `found` has those before it."""
        if parameter.shared:
            return eval(parameter.shared, {}, found)
        return made(parameter.kind, source, self.program.fields, self.names, dtype)

    def reset(self) -> None:
        """Globals as they were at the start."""
        self.names.update(copy.deepcopy(self.state))

    def call(self, *args: Any) -> Any:
        """A plain call, in the state that the module starts in."""
        self.reset()
        return self.names["program"](*args)


@contextlib.contextmanager
def compiled(program: Program, mode: Mode) -> Iterator[Subject]:
    """The program as a module with its source where it is looked for."""
    name = f"<program {hashlib.sha256(program.text.encode()).hexdigest()[:16]}>"
    linecache.cache[name] = (len(program.text), None, program.text.splitlines(keepends=True), name)
    names: dict[str, Any] = {"__name__": "generated"}
    try:
        exec(compile(program.text, name, "exec", dont_inherit=True), names)
        state = {k: v for k, v in names.items() if isinstance(v, DATA) and not k.startswith("__")}
        yield Subject(program, mode, names, copy.deepcopy(state))
    finally:
        linecache.cache.pop(name, None)


@dataclass(frozen=True)
class Call:
    """What a call did: its value or exception, and all that can be seen afterwards."""

    value: Any
    failure: Exception | None
    seen: Any


def performed(subject: Subject, args: tuple[Any, ...], function: Callable[..., Any]) -> Call:
    """Call, and note the value, the exception, the arguments and the globals afterwards."""
    subject.reset()
    value, failure = None, None
    try:
        value = function(*args)
    except Exception as error:
        failure = error
    state = {key: subject.names[key] for key in subject.state}
    return Call(value, failure, [observed(type(failure)), observed(value), observed(args), observed(state)])


def observed(value: Any) -> Any:
    """What can be compared of a value: its types and bits, and the containers and objects they are in."""
    match value:
        case np.ndarray() | np.generic():
            return (type(value).__name__, str(value.dtype), value.shape, value.tobytes())
        case list() | tuple():
            return (type(value).__name__, [observed(item) for item in value])
        case dict():
            return [(key, observed(item)) for key, item in value.items()]
        case type():
            return value.__name__
        case bool() | int() | float() | str() | None:
            return repr(value)
    fields = {
        key: getattr(value, key) for key in getattr(type(value), "__slots__", ()) if hasattr(value, key)
    }
    return (type(value).__name__, observed({**fields, **getattr(value, "__dict__", {})}))
