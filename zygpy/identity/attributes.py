"""Reading, writing and deleting attributes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from types import (
    BuiltinFunctionType,
    FunctionType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any

import numpy as np

from zygpy import dispatch
from zygpy.derivation import no_rule_on
from zygpy.errors import UnsupportedSyntaxError
from zygpy.identity.calls import Argument, Receiver, Trimmed, call, called, made_by
from zygpy.identity.classes import MISSING, python_method
from zygpy.identity.inherited import OfReceiver, found_above, inherited_attribute
from zygpy.identity.partials import has_parts, read_of_function, read_part
from zygpy.ir.classes import HEAP_TYPE, captures
from zygpy.ir.kinds import is_number, kind_of
from zygpy.load.signatures import has_only_fields
from zygpy.rules.custom import of_attribute
from zygpy.runtime.accumulate import accumulate
from zygpy.runtime.library_results import refuse_beside_items
from zygpy.runtime.lookup import defining_class, in_class, own_fields
from zygpy.runtime.native import CONTAINERS, FACTORY, place_of_attribute
from zygpy.runtime.object_arrays import holds_objects, places, rearranged
from zygpy.runtime.otherwise_given import Reading, by_descriptor, by_property, has_nothing
from zygpy.runtime.partials import CARRIED, holds_numbers, is_function_like
from zygpy.runtime.places import Ignored, KeyRead, KeyWrite, read_entry, write_entry
from zygpy.runtime.protocols import check_global, is_computed, reachable_from
from zygpy.runtime.store import carried_by, place_of, place_of_fields
from zygpy.runtime.ways import Way


def read_attribute(way: Way, value: Any, name: str) -> Any:
    """`value.name`; `back` returns the cotangent of the value's variable alone."""
    ruled = of_attribute(type(value), name)
    if ruled is not None:
        y, back = called(way, ruled.stand_in, (value,), {})
        return y, Receiver(back, 1)
    if isinstance(value, np.ndarray) and value.dtype.kind in "OV":
        return _of_other_array(value, name)
    found = in_class(type(value), name)
    if type(found) is property and type(found.fget) is FunctionType and has_only_fields(value):
        refuse_what_is_intercepted(value)
        return _read_by(way, by_property(found.fget, _asked_next(value), value, name))
    own = plain_fields(value, name, "__getattribute__")
    if own is not None and name in own:
        return own[name], FieldRead(own, name, own[name])
    part = (read_part(value, name) or read_of_function(value, name)) if has_parts(value) else None
    return part or _read_attribute(way, value, name)


def _of_other_array(array: Any, name: str) -> Any:
    """An attribute of an array of objects, or of records."""
    if name in SHAPE:
        return getattr(array, name), Ignored(1)
    if name != "T" or not holds_objects(array):
        raise no_rule_on(name, [kind_of(array)])
    return array.T, rearranged(array, array.T, places(array).T, 1)


SHAPE = frozenset({"dtype", "flags", "itemsize", "nbytes", "ndim", "shape", "size", "strides"})
"""What is known of an array without its elements."""


def _read_attribute(way: Way, value: Any, name: str) -> Any:
    """The same of what may be anything."""
    if type(value) is super:
        return _inherited(way, value, name) or inherited_attribute(way, value, name)
    found = in_class(type(value), name, MISSING)
    refuse_what_is_intercepted(value)
    _refuse_what_is_carried(value, name)
    refuse_beside_items(value, name)
    if name == "__dict__":
        return value.__dict__, Ignored(1)  # which is where the fields' cotangents are found
    computed = _computed(way, value, name, found, _asked_next(value))
    if computed is not None:
        return computed
    if name == "flat" and isinstance(value, np.ndarray | np.generic):
        return _walk(value)
    if is_number(value):
        getattr(value, name)  # which raises what it raises
        y, back = made_by(way, dispatch.prepare_attribute, value, name)
        return y, Receiver(back, 0)
    if name == "__self__" and isinstance(value, MethodType):
        return value.__self__, Receiver(OfFunction(value.__self__), 0)
    fields = getattr(value, "_fields", ()) if isinstance(value, tuple) else ()
    if name in fields:
        y, back = read_entry(value, fields.index(name))
        return y, Receiver(back, 1)
    return _stored(way, value, name, found)


def _refuse_what_is_carried(value: Any, name: str) -> None:
    """Refuse numbers that are read past the function that carries them."""
    if name in CARRIED and is_function_like(type(value)) and holds_numbers(getattr(value, name, None)):
        raise UnsupportedSyntaxError(
            f"'{name}' of a function is read.",
            why="the cotangents of numbers that a function carries are found when it is called",
            instead="keep the values in variables of your own",
        )


def _walk(value: Any) -> Any:
    """`value.flat`: what is read from it, or written to it, has its place by memory."""
    if isinstance(value, np.generic):
        raise UnsupportedSyntaxError(
            "the attribute 'flat' of a number is read.",
            why="it walks over a copy of the number",
            instead="use the number itself, or `np.atleast_1d(x)`",
        )
    return value.flat, Ignored(1)


OTHERS = (type, ModuleType, tuple, str, bytes, int, float, complex, np.ndarray, np.generic)
"""Classes whose subclasses have attributes in a way of their own."""


DESCRIBING = ("__get__", "__set__", "__delete__")
"""Methods of what stands in a class in front of a field."""


def plain_fields(value: Any, name: str, access: str) -> Any:
    """The dict of an object's fields, where nothing in its class stands between the object and the field:
    no descriptor, and no method of its own for this sort of access. None elsewhere."""
    cls: type = type(value)
    if not _keeps_fields(cls) or name == "__dict__":
        return None
    found = in_class(cls, name, MISSING)
    if found is not MISSING and any(hasattr(type(found), method) for method in DESCRIBING):
        return None
    return value.__dict__ if getattr(cls, access) is getattr(object, access) else None


@functools.lru_cache(maxsize=4096)
def _keeps_fields(cls: type) -> bool:
    """Whether the objects of a class in Python have a dict of fields, and attributes in no other way."""
    made_in_python = bool(cls.__flags__ & HEAP_TYPE and cls.__dictoffset__)
    return made_in_python and not issubclass(cls, OTHERS) and not is_function_like(cls)


class FieldRead:
    """`y = o.name` for a field."""

    def __init__(self, own: Any, name: str, value: Any) -> None:
        self.own, self.name, self.value = own, name, value

    def __call__(self, y_bar: Any, store: Any) -> Any:
        store.add_key(self.own, self.name, store.add(self.value, y_bar))
        return (None,)


class OfFunction:
    """What a method carries, as the cotangent of the method."""

    def __init__(self, carried: Any) -> None:
        self.carried = carried

    def __call__(self, y_bar: Any, store: Any) -> Any:
        left = store.add(self.carried, y_bar)
        return (None if left is None else {"__self__": left},)


def refuse_what_is_intercepted(value: Any) -> None:
    """Refuse attributes that are not what they are called."""
    if python_method(value, "__getattribute__") is not None:
        raise dispatch.intercepted(type(value))


def _computed(way: Way, value: Any, name: str, found: Any, asked: Any) -> Any:
    """An attribute that a function in Python gives; None for any other. What is `asked` next gives it where
    that raises AttributeError."""
    own = own_fields(value)
    if isinstance(found, property) and found.fget is not None:
        return _read_by(way, by_property(found.fget, asked, value, name))
    described = in_class(value, name) if isinstance(value, type) else None
    getter = python_method(described, "__get__")
    if getter is not None:
        y, back = call(way, getter, described, None, value)
        return y, Receiver(back, 3)
    if isinstance(found, functools.cached_property) and name not in own:
        return _cached(way, value, name, found, own)
    if isinstance(found, functools.partialmethod) and name not in own:
        return getattr(value, name), Ignored(1)  # which is a partial call of a method of the object
    getter = python_method(found, "__get__")
    if getter is not None and (name not in own or python_method(found, "__set__") is not None):
        return _read_by(way, by_descriptor(getter, asked, value, name, found))
    given = asked is not None and _is_empty(value, name, found, own)
    return _given(way, value, name) if given or (found is MISSING and name not in own) else None


def _read_by(way: Way, reading: Reading) -> Any:
    """An attribute that a function in Python gives."""
    y, back = call(way, reading.function, *reading.args)
    return y, Receiver(back, 1 + reading.place)


def _asked_next(value: Any) -> Any:
    """The `__getattr__` of an object's class, which is asked where what the class has by a name raises
    AttributeError; None if there is none."""
    return _method_of_container(value, "__getattr__")


def _is_empty(value: Any, name: str, found: Any, own: Any) -> bool:
    """Whether an object has nothing by a name, of which its class has something that is not written in
    Python, such as a slot."""
    hidden = name in own and not hasattr(type(found), "__set__")
    return found is not MISSING and not hidden and has_nothing(value, found)


def _inherited(way: Way, value: Any, name: str) -> Any:
    """`super().name` where a descriptor gives that which is no method or property: what an object caches, a
    slot of it, or what code in Python gives; None of anything else."""
    thing, (_, found) = value.__self__, found_above(value, name)
    if thing is value.__self_class__ or isinstance(found, functools.partialmethod):
        return None
    if isinstance(found, functools.cached_property):
        own, key = own_fields(thing), str(found.attrname)
        if key not in own:
            y, back = call(way, found.func, thing)
            own[key] = y
            return y, Cached(back, thing, key)
        return own[key], Receiver(KeyRead(*_place(thing, key), own[key]), 0)
    getter = python_method(found, "__get__")
    if getter is not None:
        y, back = call(way, getter, found, thing, type(thing))
        return y, Receiver(back, 2)
    if isinstance(found, MemberDescriptorType):
        y = getattr(value, name)
        return y, Receiver(KeyRead(*_place(thing, name), y), 0)
    return None


def _given(way: Way, value: Any, name: str) -> Any:
    """What `__getattr__` gives, of a class or of a module itself; None where there is none."""
    fallback = _method_of_container(value, "__getattr__")
    if fallback is not None:
        y, back = call(way, fallback, value, name)
        return y, Receiver(back, 1)
    giving = vars(value).get("__getattr__") if isinstance(value, ModuleType) else None
    if giving is None:
        return None
    y, back = call(way, giving, name)
    return y, Receiver(back, 1)


def _method_of_container(value: Any, name: str) -> Any:
    """A method that a class defines in Python, or takes from a container (`__getattr__ = dict.__getitem__`);
    else None."""
    found = in_class(type(value), name, None)
    of_c = isinstance(found, MethodDescriptorType | WrapperDescriptorType)
    return found if of_c and issubclass(found.__objclass__, CONTAINERS) else python_method(value, name)


def _stored(way: Way, value: Any, name: str, found: Any) -> Any:
    """An attribute that an object, or a class or module, has."""
    y = getattr(value, name) if found is not MISSING else _field(value, name)
    if isinstance(value, tuple) and getattr(y, "__self__", None) is value:
        return y, OfReceiver()
    own = own_fields(value)
    bound = isinstance(y, MethodType | BuiltinFunctionType)
    if bound and not isinstance(value, type) and name not in own and not hasattr(type(found), "__set__"):
        return y, Ignored(1)
    if isinstance(value, ModuleType | type):
        return y, Receiver(KeyRead(_defining(value, name), name, y), 0)
    if found is MISSING or name in own or hasattr(type(found), "__set__"):
        return y, Receiver(KeyRead(*_place(value, name), y), 0)
    owner = next(cls for cls in type(value).__mro__ if name in cls.__dict__)
    return y, Receiver(KeyRead(owner, name, y), 0)


def _place(value: Any, name: str) -> tuple[Any, Any]:
    """Where an attribute has its place: among the fields of an object, but for what a `defaultdict` makes
    its values with."""
    key = place_of_attribute(value, name)
    return (value if key is FACTORY else place_of_fields(value)), key


def _field(value: Any, name: str) -> Any:
    """An attribute that no class has (of an object without one, Python's own error)."""
    plain = in_class(type(value), "__getattribute__") is object.__getattribute__  # not of a class, say
    return object.__getattribute__(value, name) if plain else getattr(value, name)


def _cached(way: Way, value: Any, name: str, found: Any, own: dict[str, Any]) -> Any:
    """What an object keeps when it is asked for the first time, by the name that the property had first."""
    kept_as = found.attrname
    if kept_as is None or not hasattr(value, "__dict__"):
        return getattr(value, name), Ignored(1)  # which raises
    if kept_as in own:
        return read_attribute(way, value, kept_as)
    try:
        y, back = call(way, found.func, value)
    except AttributeError as error:
        if _asked_next(value) is None:
            raise
        raise UnsupportedSyntaxError(
            f"the cached property '{name}' of a {type(value).__name__} raised an AttributeError.",
            why="what it had changed by then would have to be undone before '__getattr__' is asked",
            instead="let '__getattr__' compute it, or let the property catch the exception",
        ) from error
    own[kept_as] = y
    return y, Cached(back, value, kept_as)


def _defining(value: Any, name: str) -> Any:
    """Which class, or module's dict, an attribute is found in."""
    if isinstance(value, ModuleType) and name in vars(value):
        return place_of(value)
    return defining_class(value, name)


class Cached:
    """The first read of a `functools.cached_property`, which stores what it computes."""

    def __init__(self, back: Any, owner: Any, name: str) -> None:
        self.back, self.owner, self.name = back, owner, name

    def __call__(self, y_bar: Any, store: Any) -> Any:
        whole = accumulate(store.take_key(place_of_fields(self.owner), self.name), y_bar)
        return (self.back(whole, store)[1],)


def write_attribute(way: Way, value: Any, name: str, stored: Any) -> Any:
    """`value.name = stored`; called with the store, what is returned is the cotangent of `stored`."""
    dispatch.refuse_acting(type(value))
    own = plain_fields(value, name, "__setattr__")
    if own is not None:
        own[name] = stored
        return KeyWrite(own, name)
    setter = _method_of_container(value, "__setattr__")
    if setter is not None:
        if _is_frozen(value):
            setattr(value, name, stored)  # which raises
        _, back = call(way, setter, value, name, stored)
        return Argument(back, 3)
    return write_plainly(way, value, name, stored)


def write_plainly(way: Way, value: Any, name: str, stored: Any) -> Any:
    """What `object.__setattr__` does: a descriptor of the class comes before the object's own field."""
    found = in_class(type(value), name, None)
    if isinstance(found, property) and isinstance(found.fset, FunctionType):
        _, back = call(way, found.fset, value, stored)
        return Argument(back, 2)
    describing = python_method(found, "__set__")
    if describing is not None:
        _, back = call(way, describing, found, value, stored)
        return Argument(back, 3)
    if isinstance(value, np.ndarray) and name == "flat":
        return write_entry(value.flat, slice(None), stored)
    if isinstance(value, np.ndarray) and (name == "real" or (name == "imag" and value.dtype.kind == "c")):
        return write_entry(getattr(value, name), Ellipsis, stored)
    if isinstance(value, np.ndarray):
        raise UnsupportedSyntaxError(
            f"the attribute '{name}' of an array is assigned.",
            why="that changes what its memory means",
            instead="make a new array, for example with `reshape`",
        )
    _refuse_another_dict(value, name)
    if isinstance(value, type):
        _refuse_carried_numbers(value, name, stored)
    if not way.everywhere and _is_found_by_name(value):
        check_global(stored, f"the attribute '{name}' of a {type(value).__name__}")
    _setter_of(value)(value, name, stored)
    return KeyWrite(*_place(value, name))


def _captured_by(method: Any) -> Iterator[Any]:
    """What a method captures that is stored in a class, and what functions do that it captures."""
    waiting, seen = _parts_of_method(method), {id(method)}
    while waiting:
        item = waiting.pop()
        yield item
        if id(item) not in seen:
            seen.add(id(item))
            inner = isinstance(item, FunctionType | functools.partial)
            waiting += [part for _, part in carried_by(item)] if inner else _parts_of_method(item)


def _parts_of_method(method: Any) -> list[Any]:
    """What a method is made of: the variables of a function, the function that a descriptor stands for."""
    if isinstance(method, FunctionType):
        return [part for _, part in carried_by(method)]
    if isinstance(method, staticmethod | classmethod):
        return [method.__func__]
    if isinstance(method, functools.partialmethod):
        return [*method.args, *method.keywords.values(), method.func]
    return [method.fget, method.fset, method.fdel] if isinstance(method, property) else []


def _refuse_carried_numbers(cls: type, name: str, method: Any) -> None:
    """Refuse a method that captures numbers: who calls it by an object does not know what it captured."""
    if any(isinstance(item, float | complex | np.inexact) for item in _captured_by(method)):
        raise UnsupportedSyntaxError(
            f"a function that captures numbers becomes the method '{name}' of '{cls.__name__}'.",
            why="the cotangents of these numbers are not found where the method is called by an object",
            instead="let it capture an array, a list or a dict that has them",
        )


def _setter_of(value: Any) -> Any:
    """What sets attributes where no code in Python does."""
    return object.__setattr__ if python_method(value, "__setattr__") is not None else setattr


def _is_found_by_name(value: Any) -> bool:
    """Whether others find a thing by its name: a class, a module, or a function that no other has made."""
    if isinstance(value, FunctionType):
        return not captures(value) and "<locals>" not in value.__qualname__
    return isinstance(value, type | ModuleType)


def _refuse_another_dict(value: Any, name: str) -> None:
    if name == "__dict__":
        raise UnsupportedSyntaxError(
            f"the '__dict__' of a {type(value).__name__} is replaced by another one.",
            why="the fields' cotangents are found by the dict that they are in",
            instead="change the dict: `vars(o).clear()`, `vars(o).update(...)`",
        )


def _is_frozen(value: Any) -> bool:
    params = getattr(type(value), "__dataclass_params__", None)
    return params is not None and params.frozen


def delete_attribute(way: Way, value: Any, name: str) -> Any:
    """`del value.name`."""
    deleter = _method_of_container(value, "__delattr__")
    if deleter is not None:
        if _is_frozen(value):
            delattr(value, name)  # which raises
        _, back = call(way, deleter, value, name)
        return Argument(back, 2)
    return delete_plainly(way, value, name)


def delete_plainly(way: Way, value: Any, name: str) -> Any:
    """What `object.__delattr__` does."""
    found = in_class(type(value), name, None)
    if isinstance(found, property) and isinstance(found.fdel, FunctionType):
        _, back = call(way, found.fdel, value)
        return Argument(back, 1)
    describing = python_method(found, "__delete__")
    if describing is not None:
        _, back = call(way, describing, found, value)
        return Argument(back, 2)
    _refuse_another_dict(value, name)
    if python_method(value, "__delattr__") is not None:
        object.__delattr__(value, name)
    else:
        delattr(value, name)
    return KeyWrite(place_of_fields(value), name)


def _get(way: Way, value: Any, name: str, *default: Any) -> Any:
    if not default:
        y, back = read_attribute(way, value, name)
        return y, Spread(back, 2)
    found = _read_if_there(way, value, name)
    return (default[0], Default(3)) if found is None else (found[0], Spread(found[1], 3))


def _read_if_there(way: Way, value: Any, name: str) -> Any:
    """An attribute; None where there is none. Finding that out may not have changed anything."""
    if not is_computed(type(value), name):
        try:
            return read_attribute(way, value, name)
        except AttributeError:
            return None
    before = reachable_from(value)
    try:
        return read_attribute(way, value, name)
    except AttributeError as error:
        if reachable_from(value) == before:
            return None
        raise UnsupportedSyntaxError(
            f"'{name}' of a {type(value).__name__} raised an AttributeError, which was caught.",
            why="what it had changed by then would have to be undone",
            instead="ask first whether it is there",
        ) from error


class Default:
    """The last argument is the value."""

    def __init__(self, count: int) -> None:
        self.count = count

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (*(None,) * self.count, y_bar)


class Spread:
    """The receiver's cotangent among those of a function's arguments."""

    def __init__(self, back: Any, count: int) -> None:
        self.back, self.count = back, count

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (None, *self.back(y_bar, store), *(None,) * (self.count - 1))


def _get_plainly(way: Way, value: Any, name: str) -> Any:
    """What `object.__getattribute__` does."""
    found = in_class(type(value), name, MISSING)
    computed = _computed(way, value, name, found, None) if found is not MISSING else None
    y, back = computed or _stored(way, value, name, found)
    return y, Spread(back, 2)


def _set(way: Way, value: Any, name: str, stored: Any) -> Any:
    return None, Stored(write_attribute(way, value, name, stored))


class Stored:
    """The pullback of `setattr`."""

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (None, None, None, self.back(store))


def _store_plainly(way: Way, value: Any, name: str, stored: Any) -> Any:
    return None, Stored(write_plainly(way, value, name, stored))


def _delete(way: Way, value: Any, name: str) -> Any:
    return None, Deleted(delete_attribute(way, value, name))


def _delete_plainly(way: Way, value: Any, name: str) -> Any:
    return None, Deleted(delete_plainly(way, value, name))


class Deleted:
    """The pullback of `delattr`."""

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any, store: Any) -> Any:
        self.back(store)
        return (None, None, None)


def _has(way: Way, value: Any, name: str) -> Any:
    found = _read_if_there(way, value, name)
    return (False, Ignored(3)) if found is None else (True, Spread(Unread(found[1]), 2))


class Unread:
    """The pullback of an attribute that is read, but of which nothing is used."""

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return self.back(None, store)


def _fields(way: Way, *values: Any) -> Any:
    return vars(*values), Ignored(1 + len(values))


def by_object(way: Way, value: Any, name: str, args: tuple[Any, ...]) -> Any:
    """A method of `object` that reads or writes a field, called by its name; the first cotangent is the
    object's. None for other methods."""
    function = ATTRIBUTE_FUNCTIONS.get(getattr(object, name, None)) if args else None
    if function is None:
        return None
    y, back = function(way, value, *args)
    return y, Trimmed(back, 0, 1)


ATTRIBUTE_FUNCTIONS: Mapping[Any, Callable[..., Any]] = {
    getattr: _get,
    setattr: _set,
    hasattr: _has,
    vars: _fields,
    delattr: _delete,
    object.__getattribute__: _get_plainly,
    object.__setattr__: _store_plainly,
    object.__delattr__: _delete_plainly,
}
"""Functions that do what an attribute does."""

CHANGING = {"__setattr__": _store_plainly, "__delattr__": _delete_plainly}
"""Those of `object` that change something, by name."""


def _bound_slot(function: Any) -> Any:
    """Which of `object`'s functions that change attributes is bound to an object (`o.__setattr__` or
    `super().__setattr__`, under a name of its own); else None."""
    if type(function) is not MethodWrapperType or function.__objclass__ is not object:
        return None
    return CHANGING.get(function.__name__)


def _binds_slot(function: Any) -> bool:
    """Whether a function binds one of these to an object (`object.__setattr__.__get__`)."""
    if type(function) is not MethodWrapperType or function.__name__ != "__get__":
        return False
    slot = function.__self__
    return type(slot) is WrapperDescriptorType and slot.__objclass__ is object and slot.__name__ in CHANGING


def is_about_attributes(function: Any) -> bool:
    """Whether a function in C reads, stores or deletes attributes, or gives one that does."""
    return _bound_slot(function) is not None or _binds_slot(function) or _is_by_name(function)


def _is_by_name(function: Any) -> bool:
    return type(function) in (BuiltinFunctionType, WrapperDescriptorType) and function in ATTRIBUTE_FUNCTIONS


def by_function(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`getattr` and its like."""
    if _binds_slot(function):
        return function(*args, **kwargs), Ignored(1 + len(args) + len(kwargs))
    slot = _bound_slot(function)
    if slot is not None:
        y, back = slot(way, function.__self__, *args, **kwargs)
        return y, Trimmed(back, 1, 2)
    return ATTRIBUTE_FUNCTIONS[function](way, *args, **kwargs) if _is_by_name(function) else None
