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
from types import FunctionType
from typing import Any

import numpy as np

from tests.random_programs.arguments import contents, fields_of, made, paths, probing
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
    pushed: bool = False
    product: bool = False


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
    pushed, product = random.random() < 0.2, random.random() < 0.1
    return Mode(whole_gradient=whole, twice=twice, pushed=pushed, product=product)


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
        numbers: list[float] = [random.randint(-90, 90) / 64 + 0.0031 for _ in range(self.count())]
        return [2, -1, *numbers[2:]] if self.mode.integers else numbers

    def count(self) -> int:
        """How many numbers the arguments are made of."""
        own = [p for p in self.program.parameters if not p.shared]
        return sum(1 for p in own for _ in paths(p.kind, self.program.fields))

    def probe(self) -> tuple[Any, ...]:
        """Arguments whose numbers are told apart."""
        return self.arguments(probing(self.count()), 0)

    def arguments(self, numbers: list[float], way: int, dtype: str = "float64") -> tuple[Any, ...]:
        """Fresh arguments."""
        source, found = iter(numbers), dict[str, Any]()
        for parameter in self.program.parameters:
            found[parameter.name] = self.argument(parameter, source, found, dtype)
        return (*(found[p.name] for p in self.program.parameters if not p.hidden), way)

    def argument(
        self, parameter: Parameter, source: Iterator[float], found: dict[str, Any], dtype: str
    ) -> Any:
        """One argument; `found` has those before it."""
        if parameter.shared:
            return eval(parameter.shared, self.names, found)
        return made(parameter.kind, source, self.program.fields, self.names, dtype)

    def reset(self) -> None:
        """Globals as they were at the start."""
        state = copy.deepcopy(self.state)
        self.names.update(state["globals"])
        for name, cell in captured(self.names).items():
            cell.cell_contents = state["captured"][name]
        for name, held in state["classes"].items():
            cls = self.names[name]
            for key in data_in(cls).keys() - held.keys():
                delattr(cls, key)
            for key, value in held.items():
                setattr(cls, key, value)

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
        yield Subject(program, mode, names, copy.deepcopy(data_of(names)))
    finally:
        linecache.cache.pop(name, None)


def data_of(names: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The data of a module, of its classes, and of what surrounds the program."""
    own = {k: v for k, v in names.items() if not k.startswith("__")}
    classes = {k: v for k, v in own.items() if isinstance(v, type) and v.__module__ == "generated"}
    found = {k: v for k, v in own.items() if isinstance(v, DATA) or k.startswith("BOX")}
    return {
        "globals": found,
        "classes": {k: data_in(cls) for k, cls in classes.items()},
        "captured": {k: cell.cell_contents for k, cell in captured(names).items()},
    }


def captured(names: dict[str, Any]) -> dict[str, Any]:
    """The cells of the variables that the program captures."""
    function = names["program"]
    return dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))


def data_in(cls: type) -> dict[str, Any]:
    """What a class holds beside its methods."""
    return {
        k: v for k, v in vars(cls).items() if isinstance(v, (*DATA, np.number)) and not k.startswith("__")
    }


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
    state = data_of(subject.names)
    return Call(value, failure, observed([type(failure), value, args, state]))


def observed(value: Any, seen: dict[int, int] | None = None) -> Any:
    """What can be compared of a value: its types and bits, and the containers and objects they are in; what
    stands in several places is told from what is equal."""
    seen = {} if seen is None else seen
    match value:
        case np.generic():
            return (type(value).__name__, str(value.dtype), value.tobytes())
        case type():
            return value.__name__
        case bool() | int() | float() | str() | None:
            return repr(value)
        case tuple():
            return (type(value).__name__, [observed(item, seen) for item in value])
    if id(value) in seen:
        return ("the same", seen[id(value)])
    seen[id(value)] = len(seen)
    return (type(value).__name__, inside(value, seen))


def inside(value: Any, seen: dict[int, int]) -> Any:
    """What can be compared of a container, an object or a function."""
    match value:
        case np.ndarray():
            return (str(value.dtype), value.shape, value.tobytes())
        case list():
            return [observed(item, seen) for item in value]
        case dict():
            return [(key, observed(item, seen)) for key, item in value.items()]
        case FunctionType():
            return [observed(contents(cell), seen) for cell in value.__closure__ or ()]
    return [(key, observed(item, seen)) for key, item in fields_of(value).items()]
