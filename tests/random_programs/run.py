"""Judging one program: plain calls and differences of them against what zygpy does."""

from __future__ import annotations

import contextlib
import hashlib
import io
import linecache
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

import zygpy
from tests.random_programs.kinds import FLOAT, Array, Dict, Float, Kind, List, Object, Tuple
from tests.random_programs.program import Parameter, Program
from zygpy import pipeline
from zygpy.testing.numeric import Estimate, slope

RIGHT, REFUSED, UNUSABLE, SLOW = "right", "refused", "unusable", "slow"
WAYS = (0, 1, 2)
PLAIN_SECONDS, GRADIENT_SECONDS = 2.0, 20.0
LARGEST = 1e5
DATA = (int, float, list, dict, np.ndarray)


@dataclass(frozen=True)
class Verdict:
    """What became of a program: right, refused, unusable, or the way in which it is wrong, and the details."""

    outcome: str
    detail: str = ""


@dataclass(frozen=True)
class Mode:
    """How a program is run."""

    specialise: bool = True
    simplify: bool = True
    integers: bool = False
    dtype: str = "float64"
    whole_gradient: bool = False


def mode_of(seed: int) -> Mode:
    """Most programs as they are derived by default, some of them in other ways or with other numbers."""
    random = Random(f"mode {seed}")
    other = random.random()
    whole = random.random() < 0.35
    if other < 0.08:
        return Mode(specialise=False, simplify=random.random() < 0.5, whole_gradient=whole)
    if other < 0.16:
        return Mode(simplify=False, whole_gradient=whole)
    if other < 0.24:
        return Mode(integers=True, whole_gradient=whole)
    return Mode(dtype="float32" if other < 0.28 else "float64", whole_gradient=whole)


class TooLong(BaseException):
    """A call took longer than it may."""


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Interrupt what takes longer (in the main thread; elsewhere there is no limit)."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(*_: Any) -> None:
        raise TooLong(f"longer than {seconds} s")

    previous = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


# ------------------------------------------------------------------------------------- arguments


def numbers_in(kind: Kind, fields: dict[str, Any]) -> int:
    """How many numbers a thing of a kind is made of."""
    return sum(1 for _ in leaf_paths(kind, fields))


def leaf_paths(kind: Kind, fields: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    """The ways to the numbers in a thing of a kind."""
    match kind:
        case Float():
            yield ()
        case Array(shape=shape):
            yield from (("entry", index) for index in np.ndindex(shape))
        case _:
            for key, part in parts(kind, fields):
                yield from ((key, *path) for path in leaf_paths(part, fields))


def parts(kind: Kind, fields: dict[str, Any]) -> list[tuple[Any, Kind]]:
    """What a container of a kind is made with."""
    match kind:
        case List(of=of):
            return [(("item", k), of) for k in range(3 if of == FLOAT else 2)]
        case Dict(of=of):
            return [(("item", key), of) for key in "ab"]
        case Tuple(of=of):
            return [(("item", k), item) for k, item in enumerate(of)]
        case Object(name=name):
            return [(("field", key), part) for key, part in fields[name]]
    raise TypeError(f"arguments are not of kind {kind}")


def made(kind: Kind, numbers: Iterator[float], fields: dict[str, Any], names: dict[str, Any], dtype: str) -> Any:
    """A thing of a kind, of the next numbers."""
    match kind:
        case Float():
            return next(numbers)
        case Array(shape=shape):
            return np.array([next(numbers) for _ in range(int(np.prod(shape)))], dtype).reshape(shape)
    items = [made(part, numbers, fields, names, dtype) for _, part in parts(kind, fields)]
    match kind:
        case Object(name=name):
            return names[name](*items)
        case Dict():
            return dict(zip("ab", items, strict=True))
    return tuple(items) if isinstance(kind, Tuple) else items


def gathered(kind: Kind, bar: Any, fields: dict[str, Any]) -> list[float]:
    """The numbers of a cotangent, with zeros where it has none."""
    return [float(np.real(number_at(bar, path))) for path in leaf_paths(kind, fields)]


def number_at(bar: Any, path: tuple[Any, ...]) -> Any:
    """One number of a cotangent."""
    steps = list(path)
    while steps and bar is not None:
        step = steps.pop(0)
        if step == "entry":
            return bar[steps.pop(0)]
        bar = looked_up(bar, *step)
    return 0.0 if bar is None else bar


def looked_up(bar: Any, how: str, key: Any) -> Any:
    """A part of a cotangent; untouched keys are not there."""
    if how == "field":
        return getattr(bar, key, None) if not isinstance(bar, dict) else bar.get(key)
    return bar.get(key) if isinstance(bar, dict) else bar[key]


# ------------------------------------------------------------------------------------- the program at work


@dataclass
class Subject:
    """A program that was compiled, and the numbers that its arguments are made of."""

    program: Program
    mode: Mode
    names: dict[str, Any] = field(default_factory=dict)
    state: dict[str, Any] = field(default_factory=dict)

    def numbers(self) -> list[float]:
        """The point at which the program is differentiated."""
        random = Random(f"numbers {self.program.seed}")
        count = sum(numbers_in(p.kind, self.program.fields) for p in self.program.parameters if not p.shared)
        return [random.randint(-90, 90) / 64 + 0.0031 for _ in range(count)]

    def arguments(self, numbers: list[float], way: int, dtype: str = "float64") -> tuple[Any, ...]:
        """Fresh arguments."""
        source, found = iter(numbers), {}
        for parameter in self.program.parameters:
            found[parameter.name] = self.argument(parameter, source, found, dtype)
        return (*found.values(), way)

    def argument(self, parameter: Parameter, source: Iterator[float], found: dict[str, Any], dtype: str) -> Any:
        if parameter.shared:
            return eval(parameter.shared, {}, found)
        return made(parameter.kind, source, self.program.fields, self.names, dtype)

    def reset(self) -> None:
        """Globals as they were at the start."""
        self.names.update(copied(self.state))

    def call(self, *args: Any) -> Any:
        """A plain call, in the state that the module starts in."""
        self.reset()
        with contextlib.redirect_stdout(io.StringIO()):
            return self.names["program"](*args)


@contextlib.contextmanager
def compiled(program: Program, mode: Mode) -> Iterator[Subject]:
    """The program as a module with its source where it is looked for."""
    name = f"<program {hashlib.sha256(program.text.encode()).hexdigest()[:16]}>"
    linecache.cache[name] = (len(program.text), None, program.text.splitlines(keepends=True), name)
    names: dict[str, Any] = {"__name__": "generated"}
    exec(compile(program.text, name, "exec", dont_inherit=True), names)
    state = {k: v for k, v in names.items() if isinstance(v, DATA) and not k.startswith("__")}
    try:
        yield Subject(program, mode, names, copied(state))
    finally:
        linecache.cache.pop(name, None)


def copied(tree: Any) -> Any:
    """Data with fresh containers, arrays and objects."""
    import copy

    return copy.deepcopy(tree)


def observed(value: Any) -> Any:
    """What can be compared of a value: its types and bits, in the containers and objects it is in."""
    match value:
        case np.ndarray() | np.generic():
            return (type(value).__name__, str(value.dtype), value.shape, value.tobytes())
        case list() | tuple():
            return (type(value).__name__, [observed(item) for item in value])
        case dict():
            return [(key, observed(item)) for key, item in value.items()]
        case bool() | int() | float() | str() | None:
            return repr(value)
        case BaseException():
            return (type(value).__name__, observed(value.args))
        case type():
            return value.__name__
    return observed_object(value)


def observed_object(value: Any) -> Any:
    """The class and fields of an object."""
    if callable(value) and not hasattr(value, "f0"):
        return getattr(value, "__qualname__", "")
    fields = {key: getattr(value, key) for key in getattr(type(value), "__slots__", ()) if hasattr(value, key)}
    return (type(value).__name__, observed({**fields, **getattr(value, "__dict__", {})}))


@dataclass
class Call:
    """What a call did."""

    value: Any
    failure: BaseException | None
    seen: Any


def performed(subject: Subject, args: tuple[Any, ...], function: Callable[..., Any]) -> Call:
    """Call and note the value, the exception, the arguments and the globals afterwards."""
    subject.reset()
    value, failure = None, None
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            value = function(*args)
        except Exception as error:
            failure = error
    state = {key: subject.names[key] for key in subject.state}
    kept = [observed(type(failure)), observed(args), observed(state)]
    return Call(value, failure, kept)


def scrambled(tree: Any) -> None:
    """Write over all the arrays and lists of numbers in something."""
    if isinstance(tree, np.ndarray):
        tree += 17.0
    elif isinstance(tree, list):
        for k, item in enumerate(tree):
            if isinstance(item, float):
                tree[k] = 1e3
            else:
                scrambled(item)
    elif isinstance(tree, dict):
        for key, item in tree.items():
            if isinstance(item, float):
                tree[key] = 1e3
            else:
                scrambled(item)


# ------------------------------------------------------------------------------------- the verdict


def judge(
    program: Program, mode: Mode | None = None, ways: tuple[int, ...] = WAYS, seconds: float = GRADIENT_SECONDS
) -> Verdict:
    """Run a program in all its ways, each of which may take some seconds."""
    mode = mode or mode_of(program.seed)
    try:
        with compiled(program, mode) as subject:
            return judged(subject, ways, seconds)
    except SyntaxError as error:
        return Verdict(UNUSABLE, f"SyntaxError: {error}")


def judged(subject: Subject, ways: tuple[int, ...], seconds: float) -> Verdict:
    """The verdict on the first of the program's ways that is not right."""
    for way in ways:
        verdict = judged_way(subject, way, seconds)
        if verdict.outcome != RIGHT:
            return verdict
    return Verdict(RIGHT)


def judged_way(subject: Subject, way: int, seconds: float) -> Verdict:
    """One call of the program, with all that can be asked of it."""
    numbers = subject.numbers()
    if subject.mode.integers:
        numbers[:2] = [2, -1]
    args = subject.arguments(numbers, way, subject.mode.dtype)
    try:
        with at_most(PLAIN_SECONDS):
            plain = performed(subject, args, subject.names["program"])
    except (TooLong, RecursionError) as error:
        return Verdict(UNUSABLE, type(error).__name__)
    if not moderate(plain.value):
        return Verdict(UNUSABLE, "not moderate")
    with pipeline.options(specialise=subject.mode.specialise, simplify=subject.mode.simplify):
        try:
            with at_most(seconds), np.errstate(all="ignore"):
                return differentiated(subject, way, numbers, plain)
        except TooLong as error:
            return Verdict(SLOW, str(error))


def moderate(value: Any) -> bool:
    """Whether all numbers in a value are of moderate size."""
    if isinstance(value, dict):
        return all(map(moderate, value.values()))
    if isinstance(value, list | tuple):
        return all(map(moderate, value))
    return value is None or bool(np.all(np.abs(value) < LARGEST))


def differentiated(subject: Subject, way: int, numbers: list[float], plain: Call) -> Verdict:
    """Compare value, effects and gradient with those of plain calls."""
    args = subject.arguments(numbers, way, subject.mode.dtype)
    made: list[Any] = []

    def forward(*args: Any) -> Any:
        value, back = zygpy.pullback(subject.names["program"], *args)
        made.append(back)
        return value

    found = performed(subject, args, forward)
    if isinstance(found.failure, zygpy.ZygpyError):
        return refusal(found.failure)
    if type(found.failure) is not type(plain.failure):
        return Verdict("exception", f"n={way}: {spelled(found.failure)}\ninstead of {plain.failure!r}")
    if found.seen != plain.seen or observed(found.value) != observed(plain.value):
        return Verdict("value", f"n={way}: {found.value!r} {found.seen}\ninstead of {plain.value!r} {plain.seen}")
    if plain.failure is not None:
        return Verdict(RIGHT)
    return pulled_back(subject, way, numbers, made[0], args, plain.value)


def spelled(failure: BaseException | None) -> str:
    """An exception and where it came from."""
    if failure is None:
        return "no exception"
    lines = traceback.format_exception(failure)
    return "".join(lines[-4:])


def refusal(error: zygpy.ZygpyError) -> Verdict:
    """A refusal by its reason."""
    return Verdict(REFUSED, f"{error.message} Why: {error.why}")


def pulled_back(
    subject: Subject, way: int, numbers: list[float], back: Any, args: tuple[Any, ...], value: Any
) -> Verdict:
    """Compare `back` with itself and with differences."""
    seed = weights_like(value, Random(f"weights {subject.program.seed}"))
    try:
        first = flat(subject, back(seed))
        scrambled(list(args))
        second = flat(subject, back(seed))
        if subject.mode.whole_gradient and seed == 1.0:
            subject.reset()
            args = subject.arguments(numbers, way, subject.mode.dtype)
            whole = flat(subject, zygpy.gradient(subject.names["program"], *args))
        else:
            whole = first
    except zygpy.ZygpyError as error:
        return refusal(error)
    except Exception as error:
        return Verdict("internal", f"n={way}: {spelled(error)}")
    if not np.array_equal(first, second):
        return Verdict("second back", f"n={way}: {second}\ninstead of {first}")
    for bars, what in ((first, "gradient"), (whole, "whole gradient")):
        verdict = compared(subject, way, numbers, bars, seed, what)
        if verdict.outcome != RIGHT:
            return verdict
    return Verdict(RIGHT)


def flat(subject: Subject, bars: tuple[Any, ...]) -> np.ndarray:
    """The cotangents of all the numbers; shared memory has the sum of what came through its names."""
    parameters = subject.program.parameters
    found = {p.name: gathered(p.kind, bar, subject.program.fields) for p, bar in zip(parameters, bars, strict=False)}
    for parameter in parameters:
        if parameter.shared:
            whole = np.array(found["v"])
            part = eval(parameter.shared, {}, {"v": whole})
            part += found.pop(parameter.name)
            found["v"] = list(whole)
    return np.array([number for bar in found.values() for number in bar])


def weights_like(value: Any, random: Random) -> Any:
    """A seed for a result: 1.0 for a number, random numbers for several."""
    match value:
        case tuple() | list():
            return type(value)(weight(item, random) for item in value)
        case dict():
            return {key: weight(item, random) for key, item in value.items()}
    return weight(value, random) if isinstance(value, np.ndarray) else 1.0


def weight(value: Any, random: Random) -> Any:
    """Random numbers like what is in a result."""
    if isinstance(value, np.ndarray):
        return np.array([random.uniform(-1, 1) for _ in range(value.size)]).reshape(value.shape).astype(value.dtype)
    return random.uniform(-1, 1) if not isinstance(value, tuple | list | dict) else weights_like(value, random)


def weighted(value: Any, seed: Any) -> float:
    """The inner product of a result with its seed."""
    if isinstance(seed, dict):
        return sum(weighted(value[key], part) for key, part in seed.items())
    if isinstance(seed, tuple | list):
        return sum(weighted(item, part) for item, part in zip(value, seed, strict=True))
    return float(np.sum(np.asarray(value) * seed))


def compared(
    subject: Subject, way: int, numbers: list[float], bars: np.ndarray, seed: Any, what: str
) -> Verdict:
    """Compare with differences along two directions; where they differ, number by number."""
    random = Random(f"directions {subject.program.seed}")
    coarse = subject.mode.dtype == "float32"
    scale = max(1.0, float(np.max(np.abs(bars), initial=0.0))) if np.all(np.isfinite(bars)) else 1.0
    verdict = Verdict(RIGHT)
    for _ in range(2):
        direction = np.array([random.uniform(-1, 1) for _ in numbers])
        estimate = difference(subject, way, numbers, direction, seed)
        if estimate is None or not estimate.error < 1e-4 * max(1.0, abs(estimate.value)):
            verdict = Verdict(UNUSABLE, "differences do not settle")
            continue
        allowed = (3e-3 if coarse else 1e-6) * max(scale, abs(estimate.value)) + 10 * estimate.error
        if not abs(float(bars @ direction) - estimate.value) <= allowed:
            return Verdict(what, report(subject, way, numbers, bars, seed))
    return verdict


def difference(
    subject: Subject, way: int, numbers: list[float], direction: np.ndarray, seed: Any
) -> Estimate | None:
    """The derivative along a direction."""

    def along(distance: float) -> float:
        moved = [float(number + distance * step) for number, step in zip(numbers, direction, strict=True)]
        return weighted(subject.call(*subject.arguments(moved, way)), seed)

    try:
        return slope(along, 0.1)
    except Exception:  # beside the point the program does something else
        return None


def report(subject: Subject, way: int, numbers: list[float], bars: np.ndarray, seed: Any) -> str:
    """The gradient and the differences, number by number."""
    lines = [f"n={way} mode={subject.mode} arguments={subject.arguments(numbers, way)} seed={seed}"]
    for k, bar in enumerate(bars):
        direction = np.zeros(len(numbers))
        direction[k] = 1.0
        estimate = difference(subject, way, numbers, direction, seed)
        lines.append(f"  number {k}: {bar!r}, by differences {estimate and estimate.value!r}")
    return "\n".join(lines)
