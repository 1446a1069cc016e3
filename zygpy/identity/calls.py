"""Calls."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, MutableMapping, MutableSequence, MutableSet
from inspect import CO_GENERATOR
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from zygpy import derivation, dispatch
from zygpy.analyse.array_writes import is_numpys, place_of_out
from zygpy.analyse.containers import is_record
from zygpy.analyse.machinery import MADE_ONCE, is_closed, is_tool
from zygpy.analyse.objects import is_followed_by_identity
from zygpy.derivation import ELSEWHERE, no_rule_on
from zygpy.errors import UnsupportedSyntaxError, missing_rule
from zygpy.identity.arithmetic import of_numbers
from zygpy.identity.attempts import attempts_for
from zygpy.ir.classes import HEAP_TYPE
from zygpy.ir.kinds import carries_gradient, is_number, kind_of
from zygpy.pipeline import note_entered, pair_at_once
from zygpy.prepared import Boundary, Prepared, SharedPullback, leaves_alone
from zygpy.rules import custom, declare
from zygpy.runtime.administration import is_administrative, is_making_code, makes_code
from zygpy.runtime.custom import check_apart
from zygpy.runtime.generators import Generator, is_generator, is_generator_inside
from zygpy.runtime.iteration import is_walk, is_walk_inside, taken_apart
from zygpy.runtime.lookup import in_class, own_fields, own_slots
from zygpy.runtime.native import CONTAINERS
from zygpy.runtime.object_arrays import holds_objects
from zygpy.runtime.partials import METHODS
from zygpy.runtime.places import Ignored
from zygpy.runtime.platform_code import is_installed, is_platform
from zygpy.runtime.store import Held, described, is_bound, undescribed
from zygpy.runtime.ways import Way
from zygpy.runtime.without_derivative import stands_as_it_is
from zygpy.units import Pair


def call(way: Way, function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """`function(*args, **kwargs)`."""
    if is_plainly_apart(function, args):
        return args[0], ITSELF
    if type(function) is FunctionType and not kwargs:
        again = entered_before(way, function, args)
        if again is not None:
            return made_call(way, again)
    if type(function) is FunctionType and function in ASKED_INSIDE:
        return ASKED_INSIDE[function](*args), Ignored(2)
    if is_tool(function):
        return function(*args, **kwargs), Ignored(1 + len(args) + len(kwargs))
    plain = of_numbers(function, args) if not kwargs else None
    if plain is not None:
        return plain
    given = (*args, *kwargs.values())
    if is_administrative(function, given) or (is_making_code(function, given) and _is_apart(way, function)):
        return function(*args, **kwargs), Ignored(1 + len(given))
    return attempted(way, function, *args, **kwargs)


def entered_before(way: Way, function: FunctionType, args: tuple[Any, ...]) -> Prepared | None:
    """A call of a function in Python where one of its sort was made before, and nothing stands for it."""
    found = pair_at_once(function, args, way, entered=True)
    if found is None or custom.is_ruled(function):
        return None
    pair, values, layout = found
    again = Prepared(pair, list(values), layout)
    return None if is_unseen(again, way) else again


def _note_entered(way: Way, function: FunctionType, prepared: Prepared) -> None:
    """Let the next call of this sort be made at once, if what stands for a function is told by the function
    and the kinds of what it is given."""
    if not (makes_code(function) or is_administrative(function)):
        note_entered(function, prepared.pair, prepared.values, way)


def _is_apart(way: Way, function: FunctionType) -> bool:
    """Whether what is active in global variables is none of a function's business."""
    file = function.__code__.co_filename
    return not way.everywhere or is_platform(file) or is_installed(file)


def call_with_constants(way: Way, function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """The same where nothing that is given has a gradient: only code in Python could find what has."""
    if is_foreign(function) and all(map(is_plain_data, (*args, *kwargs.values()))):
        return function(*args, **kwargs), Ignored(1 + len(args) + len(kwargs))
    return call(way, function, *args, **kwargs)


def is_foreign(function: Any) -> bool:
    """Whether a callable is not written in Python, and is no part of Python itself, of which much is known:
    a function of a library, one of its classes, or a method of an object of such a class."""
    code = function.__func__ if isinstance(function, MethodType) else function
    owner = getattr(function, "__self__", None)
    module: Any
    if isinstance(function, type):
        of_c, module = not function.__flags__ & HEAP_TYPE, function.__module__
    else:
        of_c = isinstance(code, BuiltinFunctionType) or type(code).__name__ in FOREIGN
        of_module = owner is None or isinstance(owner, ModuleType)
        module = getattr(code, "__module__", None) if of_module else type(owner).__module__
    if not of_c or is_of_python(module) or isinstance(owner, (*CONTAINERS, np.ndarray, np.generic)):
        return False
    if custom.is_ruled(function) or is_tool(function):
        return False
    return not dispatch.has_own_way(function, (), {})


def is_of_python(module: Any) -> bool:
    """Whether a module is one of Python's own, but for those that make numbers and texts of such."""
    top = str(module).partition(".")[0]
    return (top in sys.stdlib_module_names or top == "None") and top not in ABOUT_DATA


ABOUT_DATA = frozenset(
    [
        "random",
        "_random",
        "re",
        "_sre",
        "_json",
        "_struct",
        "struct",
        "decimal",
        "_decimal",
        "datetime",
        "_datetime",
        "time",
        "unicodedata",
        "zlib",
        "binascii",
    ]
)
"""Modules of Python's own whose code in C keeps nothing that it is given, and calls nobody."""


FOREIGN = ("cython_function_or_method", "builtin_function_or_method", "fortran")
"""The names of classes of functions that are not written in Python."""


def is_plain_data(value: Any) -> bool:
    """Whether a value is a number, a text, an array of these, or a container of nothing else.

    >>> is_plain_data((1.0, ["a", np.ones(3)], {"b": None})), is_plain_data([print])
    (True, False)
    """
    if isinstance(value, np.ndarray):
        return bool(value.dtype.kind != "O")
    if type(value) in (list, tuple, set, frozenset):
        return all(map(is_plain_data, value))
    if type(value) is dict:
        return all(map(is_plain_data, value.values()))
    return value is None or isinstance(value, (int, float, complex, str, bytes, np.generic, np.dtype))


def is_plainly_apart(function: Any, args: tuple[Any, ...]) -> bool:
    """Whether it is asked what is unpacked, of a tuple or list of Python's own."""
    return function is taken_apart and type(args[0]) in (tuple, list)


class TakenApart:
    """The pullback of the question what is unpacked, of a tuple or list: that itself."""

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (None, y_bar, None)


ITSELF = TakenApart()

ASKED_INSIDE: Mapping[Any, Callable[[Any], bool]] = {
    is_walk: is_walk_inside,
    is_generator: is_generator_inside,
}
"""Questions of the doors as the doors of a gradient ask them that is differentiated once more."""


def attempted(way: Way, function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """The same of anything but operators on plain numbers."""
    if _says_what_equals(function) and not custom.is_ruled(function):
        y, back = call(way, in_class(type(function), "__call__"), function, *args, **kwargs)
        return y, AsCallee(back)
    if is_closed(function) and function not in dispatch.SPECIAL and function not in derivation.OPAQUE:
        raise not_followed(MADE_ONCE.get(function.__name__, f"'{function.__name__}'"))
    for attempt in attempts_for(function, *args, *kwargs.values()):
        made = attempt(way, function, args, kwargs)
        if made is not None:
            return made
    return called(way, function, args, kwargs)


def _says_what_equals(function: Any) -> bool:
    """Whether a callable is an object whose class says in Python what is equal to it: it is in no table."""
    methods = (in_class(type(function), name) for name in ("__eq__", "__call__"))
    return all(isinstance(method, FunctionType) for method in methods)


class AsCallee:
    """The pullback of a call of `__call__` as that of a call of the object."""

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return self.back(y_bar, store)[1:]


def not_followed(name: str) -> UnsupportedSyntaxError:
    """The error for what the adjoint of an adjoint does not look into."""
    return UnsupportedSyntaxError(
        f"what {name} does inside a gradient is differentiated once more.",
        why="the adjoint's own bookkeeping of it is not followed",
        instead="let the inner function return new values instead of changing what it was given",
    )


def called(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """The same of what has a rule or a source, and of what nothing differentiable reaches."""
    if isinstance(function, type) and is_record(function) and not custom.is_ruled(function):
        return function(*args, **kwargs), RecordMade(function, args, kwargs)
    prepared = guarded(way, lambda way: dispatch.prepare(function, args, kwargs, way))
    if prepared is None:
        return untouched(function, args, kwargs)
    alone = prepared.pair.identity and prepared.pair.primitive  # for which only the attempts could have stood
    if alone and not is_stored(function, args, kwargs):
        if asks_of_solutions(function):
            return function(*args, **kwargs), Ignored(1 + len(args) + len(kwargs))
        if not any(is_of_users_class(value) for value in (*args, *kwargs.values())):
            function(*args, **kwargs)  # which may raise what it raises for such operands
        name = getattr(function, "__name__", "primitive")
        raise no_rule_on(name, [kind_of(value) for value in (*args, *kwargs.values())])
    if type(function) is FunctionType and not kwargs and not custom.is_ruled(function):
        _note_entered(way, function, prepared)
    made = made_call(way, prepared)
    check_apart(made[0], args, function)
    return made


def asks_of_solutions(function: Any) -> bool:
    """Whether it is a helper of zygpy's own that asks something of what a solver of SciPy reports."""
    own = str(getattr(function, "__module__", "")).startswith("zygpy.solvers.")
    return own and (rule := declare.find(function)) is not None and rule.style == "none"


def is_of_users_class(value: Any) -> bool:
    """Whether a builtin may call methods in Python of a value: what these change would be lost."""
    return bool(type(value).__flags__ & HEAP_TYPE) and not is_number(value)


def is_stored(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Whether a call of a function of NumPy has an `out`, in which its result is stored by statements."""
    if not is_numpys(function):
        return False
    out = args[-1] if place_of_out(function) == len(args) - 1 else kwargs.get("out")
    return out is not None and not isinstance(out, tuple)


def made_by(way: Way, preparing: Callable[..., Prepared], /, *args: Any, **kwargs: Any) -> Any:
    """Make the call that one of the ways of preparing gives: of a method of data, an item, an attribute."""
    return made_call(way, preparing(*args, **kwargs))


def made_step(way: Way, method: FunctionType, iterator: Any) -> Any:
    """Call a `__next__` in Python that tells whether there is an item, and which."""
    return made_call(way, guarded(way, lambda way: dispatch.prepare_step(method, iterator, way)))


def made_caught_step(way: Way, method: FunctionType, iterator: Any) -> Any:
    """The same with its exception as a value."""
    return made_call(way, guarded(way, lambda way: dispatch.prepare_caught_step(method, iterator, way)))


def made_caught(way: Way, function: FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """Call a function in Python that gives its exception as a value."""
    return made_call(way, guarded(way, lambda way: dispatch.prepare_caught(function, args, kwargs, way)))


def is_entered(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Whether a callable is a function of the user's, without a rule or a way of its own."""
    if not isinstance(function, FunctionType) or is_tool(function) or function in ASKED_INSIDE:
        return False
    if is_administrative(function, (*args, *kwargs.values())):
        return False
    if function in derivation.OPAQUE or function in dispatch.SPECIAL or custom.is_ruled(function):
        return False
    if function.__code__.co_flags & CO_GENERATOR or is_followed_by_identity(function):
        return False
    return not dispatch.has_own_way(function, args, kwargs)


def guarded(way: Way, prepare: Callable[[Way], Prepared | None]) -> Any:
    """A prepared call; where the callee stores in globals what may have a gradient, one that looks at it."""
    prepared = prepare(way)
    if prepared is None or way.guarded or not is_unseen(prepared, way):
        return prepared
    return prepare(way._replace(guarded=True))


def is_unseen(prepared: Prepared, way: Way) -> bool:
    """Whether a callee changes what the caller's adjoint does not know of."""
    pair = prepared.pair
    if pair.followed:
        return False  # the doors' own: whom they call, they look at
    return ELSEWHERE in pair.changes and not way.everywhere if pair.identity else bool(pair.writes)


def made_call(way: Way, prepared: Prepared) -> Any:
    """Make a prepared call."""
    pair, values = prepared.pair, prepared.values
    if is_unseen(prepared, way):
        raise dispatch.unseen_write(prepared)
    if pair.identity:
        y, stash = dispatch.run(pair.forward, values)
        _refuse_objects(pair, y)
        return prepared.finish(y), SharedPullback(pair, stash, prepared.layout, y, values)
    known: dict[int, Held | None] = {}
    what = [described(value, known) for value in values]
    y, stash = dispatch.run(pair.forward, values)
    _refuse_objects(pair, y)
    made = described(y, undescribed(known) if leaves_alone(pair) else None)
    return prepared.finish(y), Boundary(pair, stash, prepared.layout, made, what)


def _refuse_objects(pair: Pair, y: Any) -> None:
    """Refuse an array of objects from a rule, which is about numbers."""
    if pair.primitive and holds_objects(y):
        raise no_rule_on(pair.program.name, [kind_of(y)])


def untouched(function: Any, args: Any, kwargs: Mapping[str, Any]) -> Any:
    """A callable without rule or source, which nothing differentiable may reach."""
    if stands_as_it_is(function, args, kwargs):
        return function(*args, **kwargs), Ignored(1 + len(args) + len(kwargs))
    receiver = getattr(function, "__self__", None)
    given = [*args, *kwargs.values()]
    if not callable(function):
        function(*args, **kwargs)  # which raises what Python raises
    if any(map(reaches, (receiver, *given))):
        raise missing_rule(function)
    y = function(*args, **kwargs)
    asked = [*given, receiver] if hasattr(object, getattr(function, "__name__", "")) else given
    if not _tells_nothing(y, asked) and any(map(_has_active_fields, asked)):
        raise missing_rule(function)
    return y, Ignored(1 + len(args) + len(kwargs))


def _tells_nothing(result: Any, given: list[Any]) -> bool:
    """Whether what a call gives has no gradient, or is one of the things that it was given, whose cotangent
    is found by what it is. (A bound method has its object, as any other has.)"""
    known = result is None or isinstance(result, bool | str | int | type | MethodType)
    return known or any(result is value for value in given)


def _has_active_fields(value: Any) -> bool:
    """Whether a value is an object of a class in Python that holds something with a gradient: code that is
    not written in Python may have asked it for that (`__float__`), or may give it under another name."""
    left, seen = [value], set()
    while left:
        item = left.pop()
        if id(item) in seen or isinstance(item, type) or not type(item).__flags__ & HEAP_TYPE:
            continue
        seen.add(id(item))
        held = held_by_name(item)
        if any(map(reaches, held)):
            return True
        left += held
    return False


def held_by_name(value: Any) -> list[Any]:
    """What an object has in its fields."""
    return [*own_fields(value).values(), *(held for _, held in own_slots(value))]


ITERATORS = (
    np.flatiter,
    Generator,
    *map(type, (iter([]), iter(()), reversed([]), iter({}), iter(set()), zip(), map(abs, ()))),
)
"""What gives values with gradients, of which nothing is known."""


def reaches(value: Any) -> bool:
    """Whether a cotangent may belong to a value: it is a number, or holds one."""
    if isinstance(value, bool | str | bytes | type | ModuleType) or value is None:
        return False
    if isinstance(value, MutableSequence | MutableMapping | MutableSet) and not is_container(value):
        return True  # a container of which nothing is known
    if isinstance(value, np.ndarray | np.void) and value.dtype.kind in "OV":
        return True
    if isinstance(value, ITERATORS):
        return True
    if isinstance(value, FunctionType):
        captured = [cell.cell_contents for cell in value.__closure__ or () if is_bound(cell)]
        return all(item is not value for item in captured) and any(map(reaches, captured))
    if isinstance(value, METHODS):
        return reaches(value.__self__)
    if isinstance(value, tuple | frozenset):
        return any(reaches(item) for item in value if not isinstance(item, int))
    return carries_gradient(kind_of(value)) and (is_number(value) or is_container(value))


class Bound:
    """The pullback of a method as that of a bound method."""

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (None, *self.back(y_bar, store)[1:])


class OfMethod:
    """The pullback of a function's call as that of a method, which carries the first argument."""

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any, store: Any) -> Any:
        _, receiver, *rest = self.back(y_bar, store)
        return (None if receiver is None else {"__self__": receiver}, *rest)


class RecordMade:
    """The pullback of a call of a class of named tuples."""

    def __init__(self, cls: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        names = (*cls._fields[: len(args)], *kwargs)
        self.given = tuple(zip((*args, *kwargs.values()), map(cls._fields.index, names), strict=True))

    def __call__(self, y_bar: Any, store: Any) -> Any:
        bars = [None if y_bar is None else store.add(value, y_bar[place]) for value, place in self.given]
        return (None, *bars)


class Prefixed:
    """A pullback with nothing for a first argument in front: the class, or the callee."""

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (None, *self.back(y_bar, store))


class Trimmed:
    """The pullback of a call with arguments of ours behind the callee, which are dropped."""

    def __init__(self, back: Any, start: int, stop: int) -> None:
        self.back, self.start, self.stop = back, start, stop

    def __call__(self, y_bar: Any, store: Any) -> Any:
        bars = self.back(y_bar, store)
        return (*bars[: self.start], *bars[self.stop :])


class Receiver:
    """Of a pullback's cotangents the one at a position, as the only one."""

    def __init__(self, back: Any, position: int) -> None:
        self.back, self.position = back, position

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (self.back(y_bar, store)[self.position],)


class Argument:
    """The cotangent of one argument of a call that has no value."""

    def __init__(self, back: Any, position: int) -> None:
        self.back, self.position = back, position

    def __call__(self, store: Any) -> Any:
        return self.back(None, store)[self.position]


def is_container(value: Any) -> bool:
    """Whether a value is a list or dict."""
    return isinstance(value, CONTAINERS)
