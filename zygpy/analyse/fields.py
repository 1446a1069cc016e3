"""The fields of objects: what kinds they have, and what may have changed them.

What is known of an object's fields is part of its kind, wherever a variable holds the object, or something
that holds it. A store to a field is therefore applied to all that is known in an environment, whoever may
be whose alias: it can only make the kinds wider. A call tells its caller of the stores that it makes.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import FunctionType, MethodType, SimpleNamespace
from typing import Any, TypeAlias

from zygpy.analyse.facts import Facts, Guard
from zygpy.analyse.families import family_of
from zygpy.analyse.paths import MISSING
from zygpy.analyse.run import Run
from zygpy.analyse.sites import all_of, allocations
from zygpy.analyse.values import Environment, Value, make, remade
from zygpy.ir.classes import HEAP_TYPE, INERT, PURE, STATEFUL, is_foreign_class
from zygpy.ir.kinds import (
    FLOAT,
    INT,
    MAXIMUM_ITEMS,
    NEVER,
    NOTHING,
    UNKNOWN,
    Again,
    Array,
    Closure,
    Dict,
    Inside,
    Iterator,
    Itself,
    Kind,
    Known,
    List,
    LocalFunction,
    Member,
    Never,
    Nothing,
    Number,
    NumpyScalar,
    Object,
    OneOf,
    Optional,
    Perhaps,
    RealScalar,
    Row,
    Text,
    Tuple,
    Unknown,
    are_apart,
    as_member,
    as_members,
    closed,
    folded,
    in_family,
    is_again,
    is_scalar,
    join,
    join_all,
    join_field,
    join_fields,
    keys_of,
    kind_of,
    may_be_members,
    may_be_object,
    member,
    parts_of,
    replaced_objects,
    row_of,
    settled,
    unfolded,
    with_captured,
    with_options,
    with_own,
)
from zygpy.marks import is_marked
from zygpy.runtime.lookup import columns_of, has_only_slots, in_class, is_slot, own_things
from zygpy.runtime.native import CONTAINERS
from zygpy.runtime.partials import is_function_like
from zygpy.runtime.zeros import Partner

Store: TypeAlias = "tuple[type | Kind | None, str | None, Kind]"
"""A class (None: any), the name of a field, and what is stored; of items of lists and dicts, there is no name
but in place of the class what is known of the changed one, see `changed_one` (None: it may be any)."""

DESCRIBING = ("__get__", "__set__", "__delete__")
"""Methods of what stands in a class in front of a field."""

OTHERS = (type, tuple, BaseException, *CONTAINERS)
"""Classes whose objects have fields besides what they are."""

OURS = "zygpy."
"""Begins the names of the modules of this package."""

DEPTH = 3
"""How deep in each other objects are whose fields are asked for."""


def has_fields(cls: type) -> bool:
    """Whether what an object of a class holds is in its own dict, or in slots, and nowhere else."""
    if cls is SimpleNamespace:
        return True
    made_in_python = bool(cls.__flags__ & HEAP_TYPE) and (bool(cls.__dictoffset__) or has_only_slots(cls))
    apart = issubclass(cls, OTHERS) or is_function_like(cls)
    marked = any(is_marked(cls, mark) for mark in (INERT, PURE, STATEFUL))
    # what is in pairs and pullbacks tells calls apart that are alike
    ours = cls.__module__.startswith(OURS) and cls is not Partner
    return made_in_python and not (apart or marked or ours)


def argument_kind(
    value: Any, depth: int = 0, *, thorough: bool = True, inside: tuple[type, ...] = ()
) -> Kind:
    """The kind of what a function is given, or of what is so deep inside it, with the fields of objects;
    if not `thorough`, without those of objects in long lists, and what is in long containers that fields
    hold, and without what functions do that carry something. It is `inside` objects of these classes."""
    return kind_of(value, depth, _Fields(thorough, inside, families=thorough))


FUNCTIONS = (FunctionType, MethodType, functools.partial)

OF_FUNCTION: list[Callable[[Any, int], Kind | None]] = []
"""What tells the kinds of functions that a program is given; it stands in a room above."""

OF_FUNCTION_FOUND: list[Callable[[Any], Kind | None]] = []
"""The same of functions that are found by a name; in the same room."""


OF_OWN_METHOD: list[Callable[[MethodType], Kind | None]] = []
"""What tells the kinds of methods that objects keep which are bound to themselves; in the same room."""


def is_own_method(value: Any, owner: Any) -> bool:
    """Whether something is a method that is bound to an object, which keeps it."""
    return type(value) is MethodType and value.__self__ is owner


def kind_of_function(value: Any) -> Kind | None:
    """The kind of a function that is found by a name and carries something; None of anything else."""
    return OF_FUNCTION_FOUND[0](value) if OF_FUNCTION_FOUND and type(value) in FUNCTIONS else None


def kind_outside(value: Any) -> Kind:
    """The kind of what is found by a name, with what is known of the fields of objects, which do not lie as
    deep in each other as in arguments; not of those of installed packages, in which there may be much."""
    cls: Any = type(value)
    return kind_of(value) if is_foreign_class(cls) else kind_of(value, 1, _Fields(thorough=False))


def may_change_trusted(facts: Facts) -> bool:
    """Whether a program may change what it counts on: the fields of objects that are found by a name."""
    return bool(facts.trusted) and (
        facts.forgets
        or any(weakened(kind, store, inside=True) != kind for kind in facts.trusted for store in facts.stores)
    )


def is_still(kind: Kind) -> bool:
    """Whether what is of a kind cannot be changed, nor hold what can be."""
    if isinstance(kind, Tuple):
        return all(map(is_still, kind.items))
    if isinstance(kind, LocalFunction):
        return all(is_still(item) for _, item in kind.captured)
    if isinstance(kind, OneOf):
        return all(map(is_still, kind.options))
    return is_scalar(kind) or isinstance(kind, Text | Nothing | Known)


@dataclass(frozen=True, slots=True)
class _Fields:
    """What tells the kinds of objects with fields, inside of objects of some classes; if there are
    `families`, with all that can be reached from those that hold others of their class."""

    thorough: bool
    inside: tuple[type, ...] = ()
    families: bool = True

    def __call__(self, values: Sequence[Any], depth: int) -> Kind:
        """The kind that holds these objects, or functions, which are of one class."""
        if type(values[0]) in FUNCTIONS:
            deep = self.thorough and OF_FUNCTION and len(values) == 1
            known = OF_FUNCTION[0](values[0], depth) if deep else None
            return kind_of(values[0]) if known is None else known
        if not self.thorough and len(values) > 1:  # in a long list
            return Object(type(values[0]))
        return _kind_of_objects(values, depth, self)


def _kind_of_objects(values: Sequence[Any], depth: int, of_object: _Fields) -> Object:
    """The kind that holds objects of one class, with what is known of their fields."""
    cls = type(values[0])
    if cls in of_object.inside and cls is not Partner:
        return family_of(values, has_fields) if of_object.families else Object(cls)
    if depth > DEPTH or not has_fields(cls):
        return Object(cls)
    columns = columns_of(values)
    if columns is None:
        return _join_of_groups(values, depth, of_object)
    if len(columns) > MAXIMUM_ITEMS:
        return Object(cls)
    inner = replace(of_object, inside=(*of_object.inside, cls))
    fields = [
        (name, _own_method(values, column) or _field_kind(column, depth + 1, inner))
        for name, column in columns
    ]
    return _around(Object(cls, tuple(sorted(fields, key=operator.itemgetter(0)))))


def _around(kind: Object) -> Object:
    """The kind of an object which may hold others of its class: then all of them are of one family."""
    if kind.cls is not Partner and may_be_members(Object(object, kind.fields), kind.cls):
        known = closed(kind)
        return known if isinstance(known, Object) else Object(kind.cls)
    return Object(kind.cls, tuple([(name, _inside(item, kind.cls)) for name, item in kind.fields or ()]))


def _own_method(values: Sequence[Any], column: Sequence[Any]) -> Kind | None:
    """The kind of a method that an object keeps which is bound to itself; None of anything else."""
    if len(values) > 1 or not is_own_method(column[0], values[0]):
        return None
    return OF_OWN_METHOD[0](column[0]) if OF_OWN_METHOD else None


def _join_of_groups(values: Sequence[Any], depth: int, of_object: _Fields) -> Object:
    """The kind that holds objects of one class that do not all have the same fields."""
    groups: dict[frozenset[str], list[Any]] = {}
    for value in values:
        groups.setdefault(frozenset(own_things(value)), []).append(value)
    if len(groups) > GROUPS:
        return Object(type(values[0]))
    joined = join_all(_kind_of_objects(group, depth, of_object) for group in groups.values())
    assert isinstance(joined, Object)
    return joined


GROUPS = 8
"""Of so many sets of fields at most the objects of a class in a long list are told."""


def _field_kind(column: Sequence[Any], depth: int, of_object: _Fields) -> Kind:
    """The kind of what objects have in a field."""
    if not of_object.thorough:
        return join_all(_short_kind(value, depth, of_object) for value in column)
    if len(column) == 1:
        return kind_of(column[0], depth, of_object)
    return Inside(depth, of_object).kind_of_items(column)


def _short_kind(value: Any, depth: int, of_object: _Fields) -> Kind:
    """The kind of what is in a field, if long containers are not gone through."""
    if type(value) in LONG and len(value) > MAXIMUM_ITEMS:
        return LONG[type(value)]
    return kind_of(value, depth, of_object)


LONG: dict[type, Kind] = {list: List(UNKNOWN), dict: Dict(None, UNKNOWN), tuple: UNKNOWN}
"""What is known of long containers that are not gone through."""


def _inside(kind: Kind, cls: type) -> Kind:
    """A kind inside an object of a class: of objects of the same class nothing is known there, so that
    what is linked to others of its sort has one kind. (Tangents of objects are all of one class.)"""
    if isinstance(kind, Object):
        return _object_inside(kind, cls)
    if isinstance(kind, Optional | OneOf):
        return with_options(kind, lambda option: _inside(option, cls))
    if isinstance(kind, List | Iterator | Row):
        return type(kind)(_inside(kind.element, cls))
    if isinstance(kind, Dict):
        return Dict(None, _inside(kind.element, cls), keys_of(kind))
    if isinstance(kind, Tuple):
        return Tuple(tuple([_inside(item, cls) for item in kind.items]), kind.cls)
    return with_captured(kind, lambda item: _inside(item, cls)) if isinstance(kind, LocalFunction) else kind


def _object_inside(kind: Object, cls: type) -> Object:
    if kind.fields is None:
        return kind
    if isinstance(kind, Member):
        return Object(kind.cls) if any(one is cls for one, _ in kind.family) else kind
    if kind.cls is cls and cls is not Partner:
        return Object(kind.cls)
    return Object(kind.cls, tuple([(name, _inside(item, cls)) for name, item in kind.fields]))


def _held_by(kind: Kind, cls: type) -> Kind:
    """A kind in a field of an object of a class: objects of the same class say the same there of all that
    they hold of it themselves; where objects of other classes hold some of them, they are of one family."""
    if cls is not Partner and may_be_members(kind, cls):
        known = closed(kind)
        return _inside(kind, cls) if known is None else known
    if isinstance(kind, Member):
        return kind
    if isinstance(kind, Object) and kind.cls is cls and cls is not Partner:
        return folded(kind)
    if isinstance(kind, Optional | OneOf):
        return with_options(kind, lambda option: _held_by(option, cls))
    if isinstance(kind, List | Iterator | Row):
        return type(kind)(_held_by(kind.element, cls))
    if isinstance(kind, Dict):
        return Dict(None, _held_by(kind.element, cls), keys_of(kind))
    if isinstance(kind, Tuple):
        return Tuple(tuple([_held_by(item, cls) for item in kind.items]), kind.cls)
    return _inside(kind, cls)


# ------------------------------------------------------------------------------------------- access


def field_of(run: Run, kind: Kind, name: str) -> Kind | None:
    """The kind of an object's field; None where it is not known, or something stands in front of it."""
    if not isinstance(kind, Object) or kind.fields is None:
        return None

    def as_known(own: Object) -> Object:
        if type(own) is Itself:  # what it gets as that, and as the object, is found by identity
            run.by_identity()
        return kind if type(own) in (Again, Itself) else own

    found = dict(kind.fields).get(name, UNKNOWN)
    if isinstance(kind, Member):
        found = in_family(kind, found)
    else:
        found = replaced_objects(found, kind.cls, as_known)
    known = isinstance(found, OneOf | Optional | Row) or not isinstance(found, Unknown)
    if not known or not _is_in_front(run, kind.cls, name, "__getattribute__", there=True):
        return None
    return found


def may_set(run: Run, kind: Kind, name: str, *, past: bool = False) -> bool:
    """Whether what is stored as an attribute of an object gets into a field of it, and no code runs; `past`
    what the class has to say, as with `object.__setattr__`."""
    if not isinstance(kind, Object) or kind.fields is None:
        return False
    return _is_in_front(run, kind.cls, name, "" if past else "__setattr__")


def _is_in_front(run: Run, cls: type, name: str, access: str, *, there: bool = False) -> bool:
    """Whether a field is what an attribute means, as the class is now; if it is `there`, a property that is
    computed once does not come before it, nor where one is set."""
    found = in_class(cls, name, MISSING)
    behind = type(found) is functools.cached_property and (there or access != "__getattribute__")
    if name == "__dict__" or (_describes(found) and not is_slot(cls, found) and not behind):
        return False
    if getattr(cls, name, MISSING) is not found:
        return False
    if cls is SimpleNamespace:  # of which nobody can change anything, and whose ways are those of `object`
        return True
    if access and in_class(cls, access) is not getattr(object, access):
        return False
    run.note(Guard(cls, name, found))
    if access:
        run.note(Guard(cls, access, getattr(object, access)))
    return True


def _describes(found: Any) -> bool:
    return any(hasattr(type(found), method) for method in DESCRIBING)


def of_class(run: Run, kind: Kind, name: str) -> Any:
    """What the class of an object has under a name, where the object itself surely has nothing; else None."""
    found = _in_class_alone(run, kind, name)
    given = found.__func__ if isinstance(found, staticmethod) else found
    if not isinstance(kind, Object) or not isinstance(given, KNOWN_IN_CLASS):
        return None
    if getattr(kind.cls, name, MISSING) is not given:
        return None
    if isinstance(found, property):
        if asks_next(kind.cls):
            return None
        run.note(Guard(kind.cls, "__getattr__", MISSING))
    run.note(Guard(kind.cls, name, given))
    return found


def asks_next(cls: type) -> bool:
    """Whether a class has a `__getattr__`, which is asked where a property, or a descriptor, has raised
    AttributeError: what the class has by a name does not tell then what code runs."""
    return in_class(cls, "__getattr__") is not None


KNOWN_IN_CLASS = (FunctionType, property)


def _in_class_alone(run: Run, kind: Kind, name: str) -> Any:
    """What the class of an object has under a name, where `o.name` finds that: the object itself surely has
    nothing of the sort, and no code is asked."""
    if not isinstance(kind, Object) or kind.fields is None or name in dict(kind.fields):
        return MISSING
    if name in run.facts.way.replaced or name in run.scope.replaced:
        return MISSING
    return in_class(kind.cls, name, MISSING) if is_read_plainly(kind.cls) else MISSING


def is_read_plainly(cls: type) -> bool:
    """Whether attributes of a class's objects are found as Python finds them."""
    return in_class(cls, "__getattribute__") is object.__getattribute__


def constant_of_class(run: Run, kind: Kind, name: str) -> Kind | None:
    """The kind of what an object's class has for all of its objects: a number, a text, an array, a container,
    or what is called without the object; None of anything else, and where what classes hold may be
    active."""
    found = _in_class_alone(run, kind, name)
    given = found.__func__ if isinstance(found, staticmethod) else found
    asked = hasattr(type(given), "__get__") and given is found  # which may be code of the program
    if not isinstance(kind, Object) or run.facts.way.everywhere or found is MISSING or asked:
        return None
    if getattr(kind.cls, name, MISSING) is not given:
        return None
    known = kind_of(given)
    if isinstance(known, Object):
        return _kind_of_still_object(run, kind.cls, name, given)
    if not isinstance(known, OF_CLASSES):
        return None
    run.note(Guard(kind.cls, name, given) if isinstance(known, Known) else Guard(kind.cls, name, kind=known))
    return known


def number_with_default(run: Run, kind: Kind, name: str) -> Kind | None:
    """The kind of a number that an object has by a name, or its class as long as it has none itself; None of
    anything else."""
    if not isinstance(kind, Object) or kind.fields is None:
        return None
    own = dict(kind.fields).get(name)
    if own is not None and not isinstance(own, Perhaps):
        return None
    others = Object(kind.cls, tuple([item for item in kind.fields if item[0] != name]))
    known = constant_of_class(run, others, name)
    return known if known in (INT, FLOAT) and (own is None or own.kind == known) else None


def _kind_of_still_object(run: Run, cls: type, name: str, found: Any) -> Kind | None:
    """The kind of an object that a class has for all of its objects, with what is known of its fields, as
    long as nobody changes these while the program runs; None where that is not known."""
    kind = None if run.facts.way.changing or run.is_own() else kind_outside(found)
    if not isinstance(kind, Object) or kind.fields is None:
        return None
    run.note(Guard(cls, name, kind=kind, deep=True))
    run.facts.trusted.add(kind)
    return kind


OF_CLASSES = (Number, Text, Nothing, Known, Array, List, Dict, Tuple)


def called(run: Run, kind: Kind, name: str) -> tuple[Any, bool] | None:
    """The function that a call of an object's attribute calls, and whether it gets the object."""
    if isinstance(kind, Tuple):
        return _called_of_tuple(run, kind.cls, name)
    field = field_of(run, kind, name)
    if isinstance(field, Known):
        return field.value, False
    found = of_class(run, kind, name)
    if isinstance(found, FunctionType):
        return found, True
    if isinstance(found, staticmethod):
        return found.__func__, False
    of_its_class = _method_of_class(run, kind, name)
    if of_its_class is not None:
        return of_its_class, False
    known = constant_of_class(run, kind, name)
    return (known.value, False) if isinstance(known, Known) else None


def _called_of_tuple(run: Run, cls: type | None, name: str) -> tuple[Any, bool] | None:
    """The same of a named tuple."""
    found = of_named_tuple(run, cls, name)
    if isinstance(found, FunctionType):
        return found, True
    if isinstance(found, staticmethod):
        return found.__func__, False
    return (getattr(cls, name), False) if isinstance(found, classmethod) else None


def of_named_tuple(run: Run, cls: type | None, name: str) -> Any:
    """What a class of named tuples, which hold nothing else, has written in Python under a name: a method, or
    a property; None of anything else."""
    if cls is None or cls.__dictoffset__ or in_class(cls, "__getattribute__") not in PLAINLY:
        return None
    found = in_class(cls, name)
    given = getattr(found, "__func__", getattr(found, "fget", found))
    if not isinstance(given, FunctionType) or type(found) not in OF_TUPLES or asks_next(cls):
        return None
    if name in run.facts.way.replaced or name in run.scope.replaced:
        return None
    run.note(Guard(cls, name, found, raw=True))
    return found


PLAINLY = (object.__getattribute__, tuple.__getattribute__)

OF_TUPLES = (FunctionType, property, staticmethod, classmethod)


def _method_of_class(run: Run, kind: Kind, name: str) -> MethodType | None:
    """The class method that a name means of an object; None of anything else."""
    found = _in_class_alone(run, kind, name)
    if type(found) is not classmethod or not isinstance(kind, Object):
        return None
    bound = getattr(kind.cls, name, None)
    if type(bound) is not MethodType or (bound.__self__, bound.__func__) != (kind.cls, found.__func__):
        return None
    run.note(Guard(kind.cls, name, bound))
    return bound


def called_in(run: Run, kind: Kind, name: str) -> Any:
    """The function that computes what the class of an object has under a name: a method, or a property."""
    found = of_class(run, kind, name)
    if isinstance(found, property):
        return found.fget
    known = _cached_in(run, kind, name) or _described(run, kind, name, "__get__") or called(run, kind, name)
    return None if known is None else known[0]


CONSTANTS = (str, int, float, bool)


def _described(run: Run, kind: Kind, name: str, access: str) -> tuple[Any, bool] | None:
    """The same of a descriptor that is in front of the object's own fields; None of anything else. The texts
    that it holds are known to the function."""
    found: Any = in_class(kind.cls, name) if isinstance(kind, Object) else None
    function = in_class(type(found), access)
    describes = isinstance(in_class(type(found), "__set__"), FunctionType) and has_fields(type(found))
    if not isinstance(kind, Object) or not describes or not isinstance(function, FunctionType):
        return None
    if function.__closure__:
        return None
    if name in run.scope.replaced or not is_read_plainly(kind.cls) or asks_next(kind.cls):
        return None
    run.note(Guard(kind.cls, name, found, raw=True))
    run.note(Guard(type(found), access, function))
    run.note(Guard(function, "__code__", function.__code__))
    own = own_things(found)
    texts = {name: own[name] for name in function.__code__.co_names if type(own.get(name)) in CONSTANTS}
    for text, value in texts.items():
        run.note(Guard(found, text, value))
    return run.oracle.with_texts(function, tuple(sorted(texts.items()))), True


def setter_in(run: Run, kind: Kind, name: str) -> Any:
    """The function that sets an attribute for which an object's class has a property, or a descriptor."""
    known = _described(run, kind, name, "__set__")
    return getattr(of_class(run, kind, name), "fset", None) if known is None else known[0]


def descriptor_in(run: Run, kind: Kind, name: str) -> Kind:
    """The kind of a descriptor that the class of an object has under a name."""
    found: Any = in_class(kind.cls, name) if isinstance(kind, Object) else None
    known = kind_outside(found)
    if run.facts.way.changing or run.facts.way.everywhere or not isinstance(kind, Object):
        return kind_of(found)
    functions = [_described(run, kind, name, access) for access in ("__get__", "__set__")]
    if all(known is None or getattr(known[0], "__zygpy_does_without_itself__", False) for known in functions):
        return NOTHING  # which nobody looks at
    run.note(Guard(kind.cls, name, kind=known, deep=True, raw=True))
    run.facts.trusted.add(known)
    return known


def _cached_in(run: Run, kind: Kind, name: str) -> tuple[Any, bool] | None:
    """The same of what an object keeps when it is asked for; None of anything else."""
    found: Any = in_class(kind.cls, name) if isinstance(kind, Object) else None
    if not isinstance(kind, Object) or type(found) is not functools.cached_property:
        return None
    if name in run.scope.replaced or not is_read_plainly(kind.cls) or asks_next(kind.cls):
        return None
    run.note(Guard(kind.cls, name, found))
    return found.func, True


# ------------------------------------------------------------------------------------------ changes


def store_field(
    run: Run, env: Environment, holder: str, name: str, stored: Kind, *, bound: bool = False
) -> None:
    """`holder.name = ...`, into a field; `bound`: methods that are bound to the holder itself."""
    kind = env[holder].kind
    assert isinstance(kind, Object)
    assert kind.fields is not None
    if bound:
        stored = replaced_objects(stored, kind.cls, lambda own: Itself(own.cls))
    else:
        stored = _settled_store(kind.cls, name, _held_by(_of_another(stored, kind.cls), kind.cls))
    apply(run, env, (kind.cls, name, stored))
    fields = {**dict(unfolded(kind).fields or ()), name: stored}
    set_kind(env, holder, of_fields(kind.cls, fields))


def _of_another(kind: Kind, cls: type) -> Kind:
    """A kind from the fields of an object in those of another one."""
    return replaced_objects(kind, cls, lambda own: Object(own.cls) if type(own) is Itself else own)


def of_fields(cls: type, fields: Mapping[str, Kind]) -> Object:
    """The kind of an object with these fields."""
    return as_member(settled(Object(cls, tuple(sorted(fields.items(), key=operator.itemgetter(0))))))


def _settled_store(cls: type, name: str, stored: Kind) -> Kind:
    """The kind of what is stored in a field, behind that: it may hold the object in whose field it is
    stored. (Where that is not told in short, as with tangents of nodes, all of which are of one class, it has
    several times as many parts at every step.)"""
    most = GROWING * max(parts_of(stored, MOST_PARTS), FEW_PARTS)
    for _ in range(STEPS):
        now = _held_by(weakened(stored, (cls, name, stored), inside=True), cls)
        if now == stored:
            return stored
        if parts_of(now, most) == most:
            break
        stored = now
    return UNKNOWN


STEPS = 8
"""So often at most what an object holds by what is stored in it is followed."""

GROWING, FEW_PARTS, MOST_PARTS = 8, 8, 1 << 12
"""As long as the kind of that has not so many times as many parts as at first, which count as that few at
least."""


def set_kind(env: Environment, name: str, kind: Kind) -> None:
    """A variable's value is known to be of a kind now."""
    value = env[name]
    env[name] = remade(value, kind, value.active, value.sites)


def delete_field(run: Run, env: Environment, cls: type, name: str) -> None:
    """A field goes away: in its place there may be something of the class."""
    apply(run, env, (cls, name, UNKNOWN))


def store_items(run: Run, env: Environment, stored: Kind, changed: Kind | None = None) -> None:
    """Something is stored in a list or dict, which objects may hold, of which so much is known."""
    apply(run, env, (changed, None, stored))


def changed_one(kind: Kind, keys: Kind, *, filled: bool) -> Kind | None:
    """What is known of a list or dict of a kind in which something is stored, under keys of a kind: whether
    it is a list or a dict, and, where it had items before (`filled`), which.

    >>> changed_one(List(FLOAT), INT, filled=True) == List(FLOAT), changed_one(List(FLOAT), INT, filled=False)
    (True, List(element=Unknown()))
    """
    if isinstance(kind, Dict):
        return Dict(None, UNKNOWN, keys)
    if isinstance(kind, List):
        return kind if filled else List(UNKNOWN)
    return None


def _may_be_changed(kind: List | Dict | Iterator, changed: Kind | type | None) -> bool:
    """Whether a container may be, or show, the one in which something was stored: no iterator of which it is
    known what it gives shows a list, see `Iterator`."""
    if not isinstance(changed, List | Dict):
        return True
    if isinstance(kind, Iterator):
        return isinstance(changed, Dict)
    if isinstance(kind, List) and isinstance(changed, List):
        return not are_apart(kind.element, changed.element)
    return type(kind) is type(changed)


def apply(run: Run, env: Environment, store: Store) -> None:
    """Widen what is known of fields by a store, and tell callers."""
    run.facts.stores.add(store)
    for name, value in env.items():
        kind = weakened(value.kind, store, inside=False)
        if kind is not value.kind:
            env[name] = remade(value, kind, value.active, value.sites)


def forget(run: Run, env: Environment) -> None:
    """Code has run of which nothing is known: it may have changed any field, and kept what it was given."""
    run.facts.forgets = True
    run.facts.given_away |= allocations(all_of(value.sites for value in env.values()))
    for name, value in env.items():
        if type(value.kind) not in WITH_CONTENT:
            continue
        kind = _forgotten(value.kind)
        if kind is not value.kind:
            env[name] = remade(value, kind, value.active, value.sites)


def weakened(kind: Kind, store: Store, *, inside: bool) -> Kind:
    """A kind after a store; `inside` an object, lists and dicts may have been changed too."""
    if type(kind) not in WITH_CONTENT:
        return kind
    if isinstance(kind, Object) and kind.fields is not None:
        return _weakened_object(kind, kind.fields, store)
    if isinstance(kind, Optional | OneOf):
        return with_options(kind, lambda option: weakened(option, store, inside=inside))
    if isinstance(kind, Tuple):
        items = tuple([weakened(item, store, inside=inside) for item in kind.items])
        same = all(map(operator.is_, items, kind.items))
        return kind if same else Tuple(items, kind.cls)
    if isinstance(kind, Row):
        element = weakened(kind.element, store, inside=inside)
        return kind if element is kind.element else row_of(element)
    if isinstance(kind, List | Dict | Iterator):
        return _weakened_container(kind, store, inside)
    if isinstance(kind, LocalFunction):
        return with_captured(kind, lambda item: weakened(item, store, inside=True))
    return kind


def _weakened_container(kind: List | Dict | Iterator, store: Store, inside: bool) -> Kind:
    element = weakened(kind.element, store, inside=inside)
    changed = inside and store[1] is None and _may_be_changed(kind, store[0])
    if changed:
        element = _shown(element, store[2]) if isinstance(kind, Iterator) else join(element, store[2])
    if isinstance(kind, Dict) and kind.items is not None and not changed:
        items = tuple([(key, weakened(item, store, inside=inside)) for key, item in kind.items])
        same = all(new[1] is old[1] for new, old in zip(items, kind.items, strict=True))
        return kind if same and element is kind.element else Dict(items, element)
    if isinstance(kind, Dict):
        keys = join(keys_of(kind), _key_of(store)) if changed else keys_of(kind)
        same = element is kind.element and kind.items is None and keys == kind.key
        return kind if same else Dict(None, element, keys)
    return kind if element is kind.element else type(kind)(element)


def _shown(element: Kind, stored: Kind) -> Kind:
    """The kind of what a view of a dict shows in which something was stored: values, or pairs with them."""
    joined = join(element, stored)
    if not isinstance(element, Tuple) or len(element.items) != 2:
        return joined
    return element if joined == element and join(element.items[1], stored) == element.items[1] else UNKNOWN


def _key_of(store: Store) -> Kind:
    """The kind of the key under which something is stored in a dict."""
    return store[0].key if isinstance(store[0], Dict) else UNKNOWN


def _weakened_object(kind: Object, fields: tuple[tuple[str, Kind], ...], store: Store) -> Kind:
    if isinstance(kind, Member):
        return _weakened_member(kind, store)
    if is_again(kind):
        return _weakened_again(kind, store)
    cls, stored_name, stored = store
    found = {name: weakened(item, store, inside=True) for name, item in fields}
    if stored_name is not None and cls in (None, kind.cls):
        stored = _held_by(stored, kind.cls)
        found[stored_name] = join_field(found.get(stored_name), stored)
    before = dict(fields)
    if len(found) == len(fields) and all(found[name] is item for name, item in fields):
        return kind
    return of_fields(
        kind.cls,
        {
            name: item if item is before.get(name) else _held_by(item, kind.cls)
            for name, item in found.items()
        },
    )


def _weakened_again(kind: Object, store: Store) -> Kind:
    """The same of an object that holds others of which the same is known: the store is one to any of them."""
    alone = with_own(kind, lambda own: NEVER if type(own) is Again else own)
    changed = _weakened_object(alone, alone.fields or (), store)
    if changed is alone or not isinstance(changed, Object):
        return kind
    joined = join(kind, folded(changed))
    return kind if joined == kind else joined


def _weakened_member(kind: Member, store: Store) -> Kind:
    """The same of a member of a family: the store is one to any of them."""
    cls, name, stored = store
    known = dict(kind.family)
    stored, changed = as_members(stored, known), False
    for one, fields in kind.family:
        found = {own: weakened(item, (cls, name, stored), inside=True) for own, item in fields}
        if name is not None and cls in (None, one):
            found[name] = join_field(found.get(name), stored)
        items = tuple(sorted(found.items(), key=operator.itemgetter(0)))
        if items != fields:
            known[one], changed = join_fields(known[one], items) or (), True
    return member(kind.cls, known) if changed else kind


WITH_CONTENT = frozenset({Member, Object, Optional, OneOf, Tuple, Dict, List, Iterator, Row, LocalFunction})
"""Kinds that say what objects, or things in containers, are: no other one says anything of fields."""


def _forgotten(kind: Kind) -> Kind:
    """A kind without what it says of fields."""
    if type(kind) not in WITH_CONTENT:
        return kind
    if isinstance(kind, Object):
        return kind if kind.fields is None else Object(kind.cls)
    if isinstance(kind, Optional | OneOf):
        return with_options(kind, _forgotten)
    if isinstance(kind, Tuple):
        items = tuple([_forgotten(item) for item in kind.items])
        return kind if all(map(operator.is_, items, kind.items)) else Tuple(items, kind.cls)
    if isinstance(kind, Dict) and kind.items is not None:
        keyed = tuple([(key, _forgotten(item)) for key, item in kind.items])
        same = all(new[1] is old[1] for new, old in zip(keyed, kind.items, strict=True))
        return kind if same else Dict(keyed, _forgotten(kind.element))
    if isinstance(kind, List | Dict | Iterator | Row):
        element = _forgotten(kind.element)
        if element is kind.element:
            return kind
        return Dict(None, element, keys_of(kind)) if isinstance(kind, Dict) else type(kind)(element)
    return with_captured(kind, _forgotten) if isinstance(kind, LocalFunction) else kind


# ----------------------------------------------------------------------------------------- tangents


def kind_of_zeros(kind: Kind) -> Object | List | None:
    """The kind of the tangent of zeros of an object or a list; None of anything else."""
    found = _zero(kind)
    return found if isinstance(found, Object | List) else None


def _zero(kind: Kind) -> Kind:
    """The kind of zeros for a value."""
    if isinstance(kind, Number | Nothing):
        return FLOAT if getattr(kind, "types", INT.types) <= {"int", "float"} else UNKNOWN
    if isinstance(kind, RealScalar):
        return RealScalar("f8")
    if isinstance(kind, NumpyScalar | Array):
        return kind if kind.dtype in ("f8", "f4") else UNKNOWN
    if isinstance(kind, List):
        return List(kind.element if isinstance(kind.element, Never) else _zero(kind.element))
    if isinstance(kind, Row):
        return row_of(kind.element if isinstance(kind.element, Never) else _zero(kind.element))
    if isinstance(kind, Object) and kind.fields is not None and has_fields(kind.cls):
        return Object(Partner, tuple([(name, _zero(item)) for name, item in kind.fields]))
    return NOTHING if isinstance(kind, Text) else UNKNOWN


# ----------------------------------------------------------------------------------- code unseen


def may_have_code(kind: Kind) -> bool:
    """Whether a question to a value of this kind, or to something in it, may run code of a class."""
    if isinstance(kind, Tuple):
        return any(map(may_have_code, kind.items))
    if isinstance(kind, List | Dict | Iterator | Row):
        return may_have_code(kind.element)
    return isinstance(kind, Unknown | Object | Closure)


def may_run(value: Value) -> bool:
    """Whether walking over a value, or asking for an item, may run code of a class: of iterators those of
    which it is known what they give are views of dicts, and numbers that are counted."""
    if isinstance(value.kind, Iterator):
        return isinstance(value.kind.element, Unknown)
    return may_be_object(value.kind) or isinstance(value.kind, Closure)


def new_object(cls: type) -> Value:
    """An object that has no fields yet."""
    return make(Object(cls, ()))
