"""Questions that Python asks objects: comparisons, truth, membership, length.

Their answers carry no gradient. Methods that surely change nothing are run as they are; others are entered
where their classes are known (`asked`), and refused elsewhere.
"""

from __future__ import annotations

import dataclasses
import numbers
import operator
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    MemberDescriptorType,
    ModuleType,
    SimpleNamespace,
)
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.cells import content
from zygpy.runtime.harmless import (
    changes_by_its_parts,
    changes_something,
    held_under,
    is_harmless,
    reading_of,
)
from zygpy.runtime.lookup import HEAP_TYPE, in_class, own_fields

METHODS: Mapping[str, tuple[str, ...]] = {
    "<": ("__lt__", "__gt__"),
    ">": ("__gt__", "__lt__"),
    "<=": ("__le__", "__ge__"),
    ">=": ("__ge__", "__le__"),
    "==": ("__eq__",),
    "!=": ("__ne__", "__eq__"),
    "in": ("__contains__", "__iter__", "__next__", "__getitem__"),
    "not in": ("__contains__", "__iter__", "__next__", "__getitem__"),
    **dict.fromkeys(("any", "all"), ("__iter__", "__next__", "__getitem__")),
    "bool": ("__bool__", "__len__"),
    "len": ("__len__",),
    "str": ("__str__", "__repr__"),
    "repr": ("__repr__",),
    "format": ("__format__", "__str__", "__repr__"),
    "told": ("__format__", "__str__", "__repr__", "__int__", "__index__"),
    "int": ("__int__", "__index__", "__trunc__"),
    "hash": ("__hash__", "__eq__"),
    "index": ("__index__",),
}
"""The methods that may be asked."""


def check_answer(question: str, answer: Any, *asked: Any) -> None:
    """Refuse an answer that a method of the user's gave if it is a number, or if the method changes things.

    >>> check_answer("<", True, 1.0, 2.0)
    """
    for value in asked:
        cls = type(value)
        if cls.__module__ not in TRUE:
            _check_methods(question, answer, value)
        if question in ITEMWISE and issubclass(cls, HOLDING):
            others = [other for other in asked if not isinstance(other, HOLDING)]
            searched_by_key = issubclass(cls, dict) and question in ("in", "not in") and value is asked[-1]
            for inner in ("told",) if issubclass(cls, BaseException) else asked_of_items(question):
                items = [*value] if searched_by_key else _asked_in(value, inner)
                check_all_comparing([*items, *others], inner)


ITEMWISE: Mapping[str, str] = {
    **dict.fromkeys(("in", "not in", "==", "!="), "=="),
    **dict.fromkeys(("<", ">", "<=", ">="), "<"),
    **dict.fromkeys(("any", "all"), "bool"),
    **dict.fromkeys(("str", "repr", "format"), "repr"),
    "told": "told",
}
"""What a question about a list or tuple asks its items."""


def asked(question: str, *values: Any) -> Any:
    """What Python asks one or two values; the run-time door enters the methods that answer.

    >>> asked("<", 1.0, 2.0), asked("len", "text")
    (True, 4)
    """
    return ASKING[question](*values)


ASKING: Mapping[str, Callable[..., Any]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    **{function.__name__: function for function in (bool, len, str, repr, format, int, hash, any, all)},
}
"""The functions that ask."""


def searched(container: Any, item: Any) -> bool:
    """`item in container` for a list or tuple."""
    for part in container:  # noqa: SIM110
        if part is item or asked("==", part, item):
            return True
    return False


def same_items(a: Any, b: Any) -> bool:
    """`a == b` for two lists, or two tuples."""
    if len(a) != len(b):
        return False
    for left, right in zip(a, b):  # noqa: B905, SIM110
        if not (left is right or asked("==", left, right)):
            return False
    return True


def some_is_true(values: Any) -> bool:
    """`any` of a list or tuple."""
    for value in values:  # noqa: SIM110
        if asked("bool", value):
            return True
    return False


def each_is_true(values: Any) -> bool:
    """`all` of a list or tuple."""
    for value in values:  # noqa: SIM110
        if not asked("bool", value):
            return False
    return True


def text_of_fields(value: Any) -> str:
    """The `__repr__` that `dataclass` writes."""
    parts = [name + "=" + repr(getattr(value, name)) for name in fields_shown(value)]
    return class_shown(value) + "(" + ", ".join(parts) + ")"


def fields_shown(value: Any) -> list[str]:
    """The names of the fields in the text of a dataclass."""
    return [field.name for field in dataclasses.fields(value) if field.repr]


def class_shown(value: Any) -> str:
    """The name of the class there."""
    return str(value.__class__.__qualname__)


def is_written_representation(method: Any, cls: type) -> bool:
    """Whether `dataclass` has written a class's `__repr__`."""
    written = getattr(method, "__wrapped__", None)
    return (
        dataclasses.is_dataclass(cls) and written is not None and written.__code__.co_filename == "<string>"
    )


def may_change(question: str, cls: type) -> bool:
    """Whether a class answers a question by a method that may change what others know."""
    methods = [in_class(cls, name, None) for name in METHODS[question]]
    written = [method for method in methods if isinstance(method, FunctionType)]
    return any(one.__module__ != FRACTIONS and not is_harmless(one, cls) for one in written)


FRACTIONS = Fraction.__module__
"""The module of numbers whose methods are written in Python."""


def is_computed(cls: type, name: str) -> bool:
    """Whether reading an attribute of an object runs code of its class, which may change what others know:
    what the code says is not enough, as its operators and indices may stand for methods of other things."""
    found = in_class(cls, name, None)
    if found is None or isinstance(found, MemberDescriptorType):  # which may be empty
        return isinstance(in_class(cls, "__getattr__", None), FunctionType)
    if isinstance(found, property):
        return found.fget is not None
    return isinstance(getattr(type(found), "__get__", None), FunctionType)


def stored_item(value: Any, index: Any, stored: Any) -> None:
    """`value[index] = stored` where a method may compute with the index; known to the run-time door."""
    value[index] = stored


def changed_item(symbol: str, value: Any, index: Any, added: Any) -> None:
    """`value[index] op= added`, the same way."""
    value[index] = IN_PLACE[symbol](value[index], added)


IN_PLACE: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.iadd,
    "-": operator.isub,
    "*": operator.imul,
    "/": operator.itruediv,
    "//": operator.ifloordiv,
    "%": operator.imod,
    "**": operator.ipow,
    "@": operator.imatmul,
    "&": operator.iand,
    "|": operator.ior,
    "^": operator.ixor,
    "<<": operator.ilshift,
    ">>": operator.irshift,
}
"""The functions that augmented assignments are."""


COMPARING_METHODS = ("index", "count", "remove")
"""Methods of containers that compare items."""


class Reached:
    """What is found in a thing, in order: compared by what it is, and arrays by what they hold. (It keeps the
    things: others would take over their identities.)"""

    def __init__(self) -> None:
        self.things: list[Any] = []
        self.arrays: list[bytes] = []

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Reached) or self.arrays != other.arrays:
            return False
        return len(self.things) == len(other.things) and all(map(operator.is_, self.things, other.things))

    __hash__ = None  # type: ignore[assignment]


def reachable_from(value: Any) -> Reached:
    """What can be found in a thing, and where, that others are compared with.

    >>> things = [1.0, {"a": 2.0}]
    >>> before = reachable_from(things)
    >>> things[1]["a"] = 3.0
    >>> reachable_from(things) == before
    False
    """
    found = Reached()
    seen: set[int] = set()
    left = [value]
    while left:
        item = left.pop()
        found.things.append(item)
        if isinstance(item, np.ndarray):
            found.arrays.append(item.tobytes())
        elif id(item) not in seen and not isinstance(item, UNCHANGING):
            seen.add(id(item))
            left += _held(item)
    return found


UNCHANGING = (bool, str, bytes, type, type(None), ModuleType, BuiltinFunctionType)


def _held(item: Any) -> list[Any]:
    """What a thing holds, in order."""
    if isinstance(item, dict):
        return [*item, *item.values()]
    if isinstance(item, list | tuple | deque | set | frozenset):
        return [*item, *own_fields(item).values()]
    if isinstance(item, FunctionType):
        return [content(cell) for cell in item.__closure__ or ()]
    return [*own_fields(item).values()]


def check_comparing(cls: type, question: str = "<") -> None:
    """Refuse to compare things that may change something when they are compared.

    >>> check_comparing(float)
    """
    if cls.__module__ not in TRUE and may_change(question, cls):
        raise _comparing_changes(cls)


def _comparing_changes(cls: type) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(
        f"comparing things of the class '{cls.__name__}' may change something.",
        why="they are compared by code that is not written in Python",
        instead="give a key, or compare in a loop of your own",
    )


INERT = (bool, str, bytes, type, type(None), ModuleType, FunctionType, BuiltinFunctionType)
"""What a global variable may be set to without anybody missing a cotangent."""


def check_all_comparing(values: Iterable[Any], question: str = "<") -> None:
    """The same for the classes of several values, and for the functions that they hold and call then."""
    for asked, cls, things in _all_asked(list(values), question):
        if cls.__module__ not in TRUE:
            _check_class(cls, things, asked)


def classes_asked(value: Any, question: str) -> set[type]:
    """The classes of the items of a container, and of theirs, that are asked when it is; without those whose
    text tells of their fields, whose classes are there.

    >>> sorted(cls.__name__ for cls in classes_asked([1.0, {"a": [2]}], "=="))
    ['dict', 'list']
    """
    found = {cls for _, cls, _ in _all_asked(_asked_in(value, question), question)}
    return {cls for cls in found if not (question == "repr" and _tells_of_fields(cls))}


def _all_asked(values: list[Any], question: str) -> Iterator[tuple[str, type, list[Any]]]:
    """What is asked of which things, by their classes, when some are; numbers and texts are left out."""
    waiting = [(question, values)]
    seen: set[tuple[str, int]] = set()
    while waiting:
        asked, group = waiting.pop()
        for cls in filter(_is_looked_at, set(map(type, group))):
            things = [value for value in group if type(value) is cls and (asked, id(value)) not in seen]
            seen.update((asked, id(thing)) for thing in things)
            yield asked, cls, things
            for thing in things if asked in INSIDE and _has_parts(cls, asked) else ():
                waiting += [(each, _asked_in(thing, asked)) for each in INSIDE[asked]]


def holds_such(question: str, value: Any) -> bool:
    """Whether a method that may change something answers a question about a value, or about its items."""
    if question in ITEMWISE and isinstance(value, HOLDING):
        inside = asked_of_items(question)
        return any(may_change(inner, cls) for inner in inside for cls in classes_asked(value, inner))
    return question in METHODS and may_change(question, type(value))


def _is_looked_at(cls: type) -> bool:
    return cls.__module__ not in TRUE or issubclass(cls, HOLDING)


INSIDE: Mapping[str, tuple[str, ...]] = {
    "==": ("==",),
    "<": ("==", "<"),
    "hash": ("hash",),
    "repr": ("repr",),
    "told": ("told",),
}
"""What is asked of the items of a container that is asked."""

VIEWS: Any = (type({}.keys()), type({}.values()), type({}.items()))


def asked_of_items(question: str) -> tuple[str, ...]:
    """What a question about a container asks its items: whether they are equal before which is less."""
    asked = ITEMWISE.get(question)
    return () if asked is None else INSIDE.get(asked, (asked,))


HOLDING = (list, tuple, dict, set, frozenset, deque, SimpleNamespace, np.ndarray, *VIEWS, BaseException)


def _has_parts(cls: type, question: str) -> bool:
    """Whether things of a class may have parts that are asked when they are."""
    if issubclass(cls, HOLDING) or dataclasses.is_dataclass(cls):
        return True
    return question in TELLING and _tells_of_fields(cls)


TELLING = ("repr", "told")
"""The questions for a text, of which `told` is for whatever the text is made by."""


def _asked_in(thing: Any, question: str) -> list[Any]:
    """The parts of a thing that are asked when it is."""
    if isinstance(thing, dict):
        return [*thing, *thing.values()]
    if isinstance(thing, SimpleNamespace):
        return [*vars(thing).values()]
    if isinstance(thing, np.ndarray):
        return thing.ravel().tolist() if thing.dtype.kind == "O" else []
    if isinstance(thing, BaseException):
        return [*thing.args] if question in TELLING else []
    if isinstance(thing, HOLDING):
        return [*thing]
    if question in TELLING and _tells_of_fields(type(thing)):
        return [getattr(thing, name, None) for name in fields_shown(thing)]
    equal = in_class(type(thing), "__eq__", None) if dataclasses.is_dataclass(thing) else None
    if isinstance(equal, FunctionType) and equal.__code__.co_filename == "<string>":
        return [*own_fields(thing).values()]
    return []


def _tells_of_fields(cls: type) -> bool:
    return is_written_representation(in_class(cls, "__repr__", None), cls)


def _check_class(cls: type, things: list[Any], question: str) -> None:
    """Refuse to ask things of one class."""
    if question == "repr" and _tells_of_fields(cls):
        return  # what is in them is asked
    if may_change(question, cls) and _change(things, cls, question):
        check_comparing(cls, question)
    if any(changes_by_its_parts(method, value) for method in _methods_of(cls, question) for value in things):
        raise _comparing_changes(cls)


def _methods_of(cls: type, question: str) -> list[FunctionType]:
    """The methods in Python that answer a question."""
    return [found for name in METHODS[question] if isinstance(found := in_class(cls, name), FunctionType)]


def _change(values: list[Any], cls: type, question: str) -> bool:
    """Whether a method that answers the question may change something, for any of the values of a class."""
    methods = _methods_of(cls, question)
    unknown = frozenset().union(*(reading_of(method, cls).unknown for method in methods))
    if "" in unknown or any(reading_of(method, cls).changes for method in methods):
        return True
    seen: set[Any] = set()
    for value in values:
        if type(value) is not cls:
            continue
        held = tuple(held_under(value, name) for name in sorted(unknown))
        codes = tuple(getattr(function, "__code__", None) for function in held)
        if None in codes:
            return True
        if codes not in seen and any(changes_something(method, value) for method in methods):
            return True
        seen.add(codes)
    return False


def check_global(value: Any, where: str = "a global variable") -> None:
    """Refuse to store what may have a gradient where it is found by a name that is not expected to have one.

    >>> check_global("text")
    """
    if not isinstance(value, INERT) or getattr(value, "__closure__", None):
        raise UnsupportedSyntaxError(
            f"a {type(value).__name__} is stored in {where}.",
            why="whoever reads it was derived as if it had no gradient",
            instead="call the function that does so by its own name, or return the value",
        )


def check_stored(stored: Any) -> None:
    """Refuse to store an object in an array, which keeps numbers that it makes of it.

    >>> check_stored([1.0, np.zeros(2)])
    """
    for item in stored if isinstance(stored, list | tuple) else (stored,):
        known = isinstance(item, numbers.Number | np.ndarray | list | tuple | str | bytes)
        cls = type(item)
        if not known and cls.__flags__ & HEAP_TYPE and any(hasattr(cls, name) for name in CONVERTING):
            raise UnsupportedSyntaxError(
                f"a {cls.__name__} is stored in an array of numbers.",
                why="what NumPy makes of it is not seen",
                instead="store a number or an array that a method gives, for example by `float(...)`",
            )


CONVERTING = ("__float__", "__complex__", "__index__", "__array__", "__getitem__")
"""Methods by which NumPy makes numbers of an object."""


def _check_methods(question: str, answer: Any, value: Any) -> None:
    for name in METHODS.get(question, ()):
        found = in_class(type(value), name, None)
        if not isinstance(found, FunctionType) or found.__module__ == FRACTIONS:
            continue
        harmless = _surely_harmless(found, type(value)) or not changes_something(found, value)
        if not harmless or changes_by_its_parts(found, value):
            raise UnsupportedSyntaxError(
                f"'{found.__qualname__}' changes something when it is asked.",
                why="what is asked was not known when this was derived, and its changes would be lost",
                instead="change it in a method that is called by its name",
            )
        if name == METHODS[question][0]:
            check_truth(question, answer, found)


def check_truth(question: str, answer: Any, method: FunctionType) -> None:
    """Refuse the answer of a comparison that is a number."""
    if question not in WITHOUT_GRADIENT and not _is_truth(answer):
        raise UnsupportedSyntaxError(
            f"'{method.__qualname__}' gives a {type(answer).__name__}.",
            why="no gradient goes through the answer to a question",
            instead="give True or False, and compute numbers in a method that is called by its name",
        )


WITHOUT_GRADIENT = frozenset({"len", "str", "repr", "format", "told", "int", "hash"})
"""Questions whose answers have no gradient for numbers, either."""

_HARMLESS: WeakKeyDictionary[type, dict[CodeType, bool]] = WeakKeyDictionary()


def _surely_harmless(method: FunctionType, cls: type) -> bool:
    known = _HARMLESS.setdefault(cls, {})
    if method.__code__ not in known:
        known[method.__code__] = is_harmless(method, cls)
    return known[method.__code__]


def _is_truth(answer: Any) -> bool:
    """Whether an answer is no number with a gradient, and has none in it.

    >>> _is_truth([True, "text"]), _is_truth([True, 1.5]), _is_truth({"a": (1.5,)})
    (True, False, False)
    """
    if isinstance(answer, np.ndarray):
        return answer.dtype.kind not in "fcO"
    if type(answer) is dict:
        return all(map(_is_truth, answer.values()))
    if type(answer) in (list, tuple, set, frozenset):
        return all(map(_is_truth, answer))
    return isinstance(answer, SETTLED) and type(answer).__module__ in TRUE


SETTLED = (int, str, bytes, type, type(None), type(NotImplemented), np.bool_, np.integer, range)
"""Classes of answers that have no gradient."""


TRUE = frozenset({"builtins", "numpy"})
"""Where the types of what is no object of the user's are from."""
