"""What the code around rules that users declare calls: checks of what their pullbacks give."""

from __future__ import annotations

import copy
import functools
import operator
from collections.abc import Callable
from itertools import zip_longest
from types import CellType, FunctionType, ModuleType
from typing import Any

import numpy as np

from zygpy.errors import CotangentShapeError, UnsupportedSyntaxError, locate
from zygpy.runtime.accumulate import snapshot
from zygpy.runtime.administration import INERT
from zygpy.runtime.cells import cells_of, content, given_names
from zygpy.runtime.levels import present_level
from zygpy.runtime.measures import (
    NUMERIC,
    Measure,
    Row,
    Table,
    Tangent,
    check,
    check_shape,
    entries_of,
)
from zygpy.runtime.named_tuples import like_tuple
from zygpy.runtime.partials import FUNCTIONS
from zygpy.runtime.project import unproject
from zygpy.runtime.records import Record, fields_of
from zygpy.runtime.zeros import CannotPush, zero_tangent

REAL_NUMBER = Measure((), True)


def bars_of(bars: Any, given: Any, rule: Any) -> tuple[Any, ...]:
    """What a pullback of the user's has given, as cotangents; `given` has the measures of the arguments, or
    tells their number where all are real numbers. Of what is real the imaginary part is dropped.

    Raises CotangentShapeError, with the place of the rule, where it cannot be that.

    >>> bars_of((1 + 2j, 3 + 4j), (Measure((), True), Measure((), False)), None)
    (1.0, (3+4j))
    """
    count = given if type(given) is int else len(given)
    if bars is None:
        return (None,) * count
    if type(bars) is not tuple and type(bars) is not list:
        raise _wrong(rule, f"gives a {type(bars).__name__}", count)
    if len(bars) != count:
        raise _wrong(rule, f"gives {len(bars)} cotangents", count)
    if type(given) is int:
        return tuple([_of_number(bar, position, rule) for position, bar in enumerate(bars)])
    for position, (bar, measure) in enumerate(zip(bars, given, strict=True)):
        check(bar, measure, position, rule)
    return tuple([_cotangent(bar, measure) for bar, measure in zip(bars, given, strict=True)])


def _of_number(bar: Any, position: int, rule: Any) -> Any:
    """The cotangent of a real number."""
    if type(bar) is float:
        return bar
    check_shape(bar, (), position, rule)
    return _cotangent(bar)


def arguments_of(bars: Any, given: Any, rule: Any) -> tuple[Any, ...]:
    """The same of a pullback that gives the cotangent of the callee first."""
    count = (given if type(given) is int else len(given)) + 1
    if bars is None:
        return (None,) * (count - 1)
    if type(bars) is not tuple or len(bars) != count:
        found = f"{len(bars)} cotangents" if isinstance(bars, tuple) else f"a {type(bars).__name__}"
        raise _wrong(rule, f"gives {found}", count, "itself, then for each of its arguments")
    if _cotangent(bars[0]) is not None:
        raise _of_function(rule)
    return bars_of(bars[1:], given, rule)


def _cotangent(bar: Any, measure: Any = REAL_NUMBER) -> Any:
    """A cotangent as one to compute with, of what has a measure."""
    if type(bar) is float or bar is None:
        return bar
    if isinstance(bar, Tangent):
        return None
    if isinstance(measure, Row):
        return _of_row(bar, measure)
    if isinstance(measure, Table) and isinstance(bar, dict | Record):
        return {key: _cotangent(item, measure.entries.get(key)) for key, item in entries_of(bar).items()}
    if not isinstance(measure, Measure):
        return _of_records(bar)
    bar = _in_floating_point(bar)
    return bar.real if measure.real and isinstance(bar, NUMERIC) and np.iscomplexobj(bar) else bar


def _of_row(bar: Any, measure: Row) -> Any:
    """The same of a tuple or list, which may also be given as an array."""
    items = [_cotangent(item, inner) for item, inner in zip_longest(bar, measure.items)]
    return like_tuple(type(bar), items) if isinstance(bar, tuple) else items


def _in_floating_point(bar: Any) -> Any:
    """The cotangent of a number or array, as one to compute with: rules may give lists, whole numbers, and
    matrices, which are multiplied in their own way."""
    if isinstance(bar, tuple | list):
        bar = np.array(bar)
    if isinstance(bar, np.ndarray):
        bar = np.asarray(bar)
        return bar.astype(float) if bar.dtype.kind in "biuO" else bar
    return float(bar) if isinstance(bar, int | np.integer | np.bool_) else bar


def _of_records(bar: Any) -> Any:
    """The same with a dict for each `Record`, also in containers."""
    if isinstance(bar, Record):
        return {name: _of_records(item) for name, item in bar._asdict().items()}
    if isinstance(bar, dict):
        return {key: _of_records(item) for key, item in bar.items()}
    if isinstance(bar, tuple | list):
        items = [_of_records(item) for item in bar]
        return items if isinstance(bar, list) else like_tuple(type(bar), items)
    return bar


def bars_pushed(dots: Any, bars: Any) -> Any:
    """The tangents of cotangents that `bars_of` has given, from those of what the pullback gave.

    Raises CannotPush where these are not all numbers and arrays.

    >>> bars_pushed((1.0, 2j), (3.0, 4.0))
    (1.0, 0.0)
    """
    given = dots if isinstance(dots, tuple | list) else (None,) * len(bars)  # of a bare None there is none
    return tuple([_pushed(dot, bar) for dot, bar in zip(given, bars, strict=True)])


def _pushed(dot: Any, bar: Any) -> Any:
    if bar is None:
        return None
    if not isinstance(bar, NUMERIC):
        raise CannotPush
    if dot is None:
        return zero_tangent(bar)
    dot = np.array(dot) if isinstance(dot, tuple | list) else dot
    if np.shape(dot) != np.shape(bar):
        raise CannotPush
    return dot.real if np.iscomplexobj(dot) and not np.iscomplexobj(bar) else dot


def arguments_pushed(dots: Any, bars: Any) -> Any:
    """The same of `arguments_of`."""
    return bars_pushed(dots[1:] if isinstance(dots, tuple) else None, bars)


def _wrong(rule: Any, found: str, count: int, what: str = "each argument") -> CotangentShapeError:
    return CotangentShapeError(
        f"the pullback of the rule {found} where {count} {'is' if count == 1 else 'are'} expected",
        locate(rule.__code__.co_filename, rule.__code__.co_firstlineno, 0),
        why=f"it has to return a tuple with a cotangent for {what}",
        instead="give None for what has no gradient",
    )


def _of_function(rule: Any) -> CotangentShapeError:
    return CotangentShapeError(
        "the pullback of the rule gives a cotangent of the function itself",
        locate(rule.__code__.co_filename, rule.__code__.co_firstlineno, 0),
        why="what a function captures gets nothing through a rule; only an object that is called does",
        instead="give zg.NoTangent, and let what has a gradient be an argument",
    )


def behind_callee(grad_bar: Any, bars: Any) -> Any:
    """The cotangent of what such a pullback has given, from that of the arguments' cotangents."""
    return None if grad_bar is None or bars is None else (None, *unproject(grad_bar, bars[1:]))


def form_of(value: Any) -> Any:
    """How users see the cotangent of a value: None of what it is as it stands, `Record` with the names of the
    fields of an object, and of a container its class with the forms of what it holds, if any has one.

    >>> form_of((1.0, "text")), form_of((1.0, range))
    (None, None)
    """
    if isinstance(value, tuple):
        named, forms = hasattr(value, "_fields"), tuple(map(form_of, value))
        return (type(value) if named else tuple, forms) if named or any(forms) else None
    if type(value) is list:
        forms = tuple(map(form_of, value))
        return (list, forms) if any(forms) else None
    if type(value) is dict:
        fields = {key: form for key, item in value.items() if (form := form_of(item)) is not None}
        return (dict, fields) if fields else None
    if isinstance(value, WITHOUT_FIELDS) or _is_asked(value):
        return None
    return Record, tuple([name for name, _ in fields_of(value)])


VIEWS = tuple(map(type, ({}.keys(), {}.values(), {}.items())))

WITHOUT_FIELDS = (*NUMERIC, dict, list, str, bytes, type, set, frozenset, *FUNCTIONS, type(None), *VIEWS)
"""Values whose cotangents do not have a field for each of their own."""


def _is_asked(value: Any) -> bool:
    """Whether a value is an iterator that is not written in Python."""
    step = getattr(type(value), "__next__", None)
    return step is not None and not isinstance(step, FunctionType)


def in_form(bar: Any, form: Any) -> Any:
    """The cotangent of a value of such a form as users see it; fields that nothing has come to are None.

    >>> in_form({"x": 1.0}, (Record, ("x", "y")))
    (x=1.0, y=None)
    """
    if form is None or bar is None:
        return bar
    cls, forms = form
    if cls is Record:
        return Record({**dict.fromkeys(forms), **bar}) if type(bar) is dict else bar
    if cls is dict:
        return {key: in_form(item, forms.get(key)) for key, item in bar.items()}
    items = [in_form(item, inner) for item, inner in zip(bar, forms, strict=True)]
    if cls is list:
        return items
    return like_tuple(cls, items)


def check_apart(y: Any, arguments: Any, function: Any) -> None:
    """Refuse a rule whose result lies in the memory of an array that it is given, or holds such a one, where
    cotangents are found by that: those of other uses of the array would go through the rule, too.

    >>> check_apart(np.ones(2), (np.ones(2),), check_apart)
    """
    found = RULED.get(id(function))
    if found is None or any(custom.keeps != "arguments" for custom in found.rules):
        return  # zygpy's own tools take care of it
    if found.rules:
        check_given_back(y, arguments, found.rules[-1].rule)


def check_given_back(y: Any, arguments: Any, rule: Any) -> None:
    """The same of what one rule has given.

    >>> check_given_back(np.ones(2), (np.ones(2),), check_apart)
    """
    given = [value for value in arguments if isinstance(value, np.ndarray)]
    if not any(np.may_share_memory(made, array) for made in _arrays_in(y) for array in given):
        return
    code = rule.__code__
    raise UnsupportedSyntaxError(
        "the result of a rule lies in the memory of its argument, in a program whose arrays are told "
        "apart by that.",
        locate(code.co_filename, code.co_firstlineno, 0),
        why="the gradients of all other uses of the array would go through the rule as well",
        instead="let the rule, and the function that it is for, give a copy of the array",
    )


def _arrays_in(y: Any) -> list[Any]:
    """The arrays among what a rule gives: the result, its items, or its fields."""
    if isinstance(y, np.ndarray):
        return [y]
    if isinstance(y, tuple | list):
        parts = list(y)
    else:
        parts = list(y.values()) if isinstance(y, dict) else [item for _, item in fields_of(y)]
    return [part for part in parts if isinstance(part, np.ndarray)]


def kept(back: Any, arguments: Any) -> Any:
    """A pullback with copies of those of the arguments, and of the result, that it carries, which may be
    written to before it is called, and of arrays that lie in their memory."""
    arrays = [value for value in arguments if isinstance(value, np.ndarray)]
    given = {id(value) for value in arguments}

    def copied(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return value.copy() if any(np.may_share_memory(value, array) for array in arrays) else value
        if type(value) is tuple:
            return tuple([copied(item) for item in value])
        if type(value) is list and any(copied(item) is not item for item in value):
            return [copied(item) for item in value]
        if type(value) is dict and any(copied(item) is not item for item in value.values()):
            return {key: copied(item) for key, item in value.items()}
        return snapshot(value) if id(value) in given else value

    return with_carried(back, copied)


def kept_deeply(back: Any) -> Any:
    """The same with copies of all that it carries, and that functions carry which it carries."""
    known: dict[int, Any] = {}

    def copied(value: Any) -> Any:
        if id(value) in RULED:
            return _with_its_rules(value)
        if isinstance(value, FunctionType | functools.partial):
            if id(value) not in known:  # functions may carry themselves
                known[id(value)] = value
                known[id(value)] = with_carried(value, copied, apart=True)
            return known[id(value)]
        if type(value) is tuple:
            return tuple([copied(item) for item in value])
        if id(value) not in known:
            known[id(value)] = _copied_with_items(value, known, copied)
        return known[id(value)]

    return with_carried(back, copied)


RULED: dict[int, Any] = {}
"""What users have declared rules for, by identity."""


def _with_its_rules(value: Any) -> Any:
    """A callable that has a rule, which a copy would not have; its rule says what is read.

    Raises UnsupportedSyntaxError for an object, which the rule is given as it is by then.
    """
    if type(value) in INERT_CALLABLES or not fields_of(value):
        return value
    raise UnsupportedSyntaxError(
        f"there is a checkpoint of a {type(value).__name__} that has a rule of its own.",
        why="the second run is given a copy of the object, for which there is no rule",
        instead="give the rule to its class's `__call__`, or call the object without a checkpoint",
    )


INERT_CALLABLES = (FunctionType, functools.partial, type)
"""Classes of callables that a rule is not given, but stands for."""


def kept_as_bound(back: Any) -> Any:
    """The same with what it carries itself, of which functions keep what their variables hold now."""
    known: dict[int, Any] = {}

    def copied(value: Any) -> Any:
        if type(value) is tuple:
            items = tuple([copied(item) for item in value])
            return value if all(map(operator.is_, items, value)) else items
        if id(value) in RULED or not isinstance(value, FunctionType | functools.partial):
            return value
        if id(value) not in known:  # functions may carry themselves
            known[id(value)] = value
            known[id(value)] = with_carried(value, copied, apart=True)
        return known[id(value)]

    return with_carried(back, copied)


def _copied_with_items(value: Any, known: dict[int, Any], copied: Callable[[Any], Any]) -> Any:
    """A copy of a thing, with copies of what a list, a dict or an array of objects holds."""
    if type(value) is list:
        made: list[Any] = []
        known[id(value)] = made  # which may hold itself
        made += map(copied, value)
        return made
    if type(value) is dict:
        table: dict[Any, Any] = {}
        known[id(value)] = table
        table.update((key, copied(item)) for key, item in value.items())
        return table
    if isinstance(value, np.ndarray) and value.dtype == object:
        known[id(value)] = array = value.copy()
        for place in np.ndindex(array.shape):
            array[place] = copied(value[place])
        return array
    return snapshot(value) if type(value) in PLAIN else _apart(value)


def with_carried(function: Any, copied: Callable[[Any], Any], *, apart: bool = False) -> Any:
    """A function that carries something else in place of what it carries; another callable as it is. If it is
    to be `apart`, its variables may be bound anew, but for those that hold numbers."""
    if isinstance(function, functools.partial):
        named = {key: copied(item) for key, item in function.keywords.items()}
        return functools.partial(copied(function.func), *map(copied, function.args), **named)
    if not isinstance(function, FunctionType):
        return function
    cells = _cells_with(function, copied, apart)
    defaults = function.__defaults__ and tuple(map(copied, function.__defaults__))
    if not defaults and all(map(operator.is_, cells, function.__closure__ or ())):
        return function
    made = FunctionType(function.__code__, function.__globals__, function.__name__, defaults, cells)
    made.__kwdefaults__ = function.__kwdefaults__
    made.__dict__.update(function.__dict__)
    return made


def _cells_with(function: FunctionType, copied: Callable[[Any], Any], apart: bool) -> tuple[CellType, ...]:
    """The cells of such a function."""
    if apart and given_names(function) and present_level() > 1:
        _check_shared(function)
    return tuple([_cell_with(cell, copied, apart) for cell in function.__closure__ or ()])


def _check_shared(function: FunctionType) -> None:
    """Refuse a function that is run again in a gradient inside of another, where it shares a variable that
    others bind: the cotangent is found by the cell of that, and a copy has another."""
    cells, shared = cells_of(function), given_names(function)
    for name in shared:
        if name in cells and not isinstance(content(cells[name]), INERT):
            raise UnsupportedSyntaxError(
                f"the variable '{name}', which functions share, is captured by '{function.__name__}', of "
                "which there is a checkpoint in a second derivative.",
                why="the second run has a copy of the variable, whose cotangent would be lost",
                instead="pass what the function reads as an argument of `checkpoint`",
            )


def _cell_with(cell: CellType, copied: Callable[[Any], Any], apart: bool) -> CellType:
    try:
        value = cell.cell_contents
    except ValueError:  # a variable that has no value
        return cell
    found = copied(value)
    if found is not value or (apart and not isinstance(value, KEPT_LIVE)):
        return CellType(found)
    return cell


KEPT_LIVE = (bool, int, float, complex, np.generic, str, bytes, type(None))
"""What variables hold of which it is seen that they are bound anew."""


PLAIN = (
    *(bool, int, float, complex, str, bytes, type(None), type, ModuleType),
    *(np.ndarray, list, dict),
)
"""Values of which nothing but arrays and containers in them may change."""


def _apart(value: Any) -> Any:
    """A copy of an object, of those that can be copied."""
    try:
        return copy.deepcopy(value)
    except Exception:  # whatever classes raise that cannot be copied: locks, files, generators
        return value
