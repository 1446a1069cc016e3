"""How two kinds join, and how objects that hold others of their class are folded."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

from zygpy.ir.classes import UNLIKE
from zygpy.ir.kinds.asked import (
    as_closure,
    as_object,
    is_double,
    is_real,
    is_real_scalar,
    keys_of,
    options_of,
    row_of,
    told_by,
)
from zygpy.ir.kinds.classes import (
    CLOSURE,
    NEVER,
    NONE,
    NOTHING,
    NUMERIC,
    REAL_DTYPES,
    UNKNOWN,
    WORTH_ASKING,
    Again,
    Array,
    Closure,
    Dict,
    Fields,
    Iterator,
    Itself,
    Kind,
    List,
    LocalFunction,
    Member,
    Never,
    Nothing,
    Number,
    NumberOrArray,
    NumpyScalar,
    Object,
    OneOf,
    OnlyNone,
    Optional,
    Perhaps,
    RealScalar,
    Row,
    Tuple,
    Unknown,
)
from zygpy.marks import is_marked


def as_row(kind: Kind) -> Kind:
    """The kind of the tuples of any number of items to which those of a kind belong."""
    return row_of(join_all(kind.items)) if isinstance(kind, Tuple) and kind.cls is None else kind


def join_all(kinds: Any) -> Kind:
    """The join of any number of kinds; NEVER if there are none."""
    result: Kind = NEVER
    for kind in kinds:
        result = join(result, kind)
    return result


def join(a: Kind, b: Kind) -> Kind:
    """The least kind that holds the values of both.

    >>> from zygpy.ir.kinds import FLOAT, INT
    >>> join(INT, FLOAT) == Number(frozenset({"int", "float"})), join(INT, Array("f8", 1))
    (True, NumberOrArray(real=True))
    >>> join(FLOAT, NumpyScalar("f8"))
    RealScalar(dtype='f8')
    """
    if a is b or a == b or isinstance(b, Never):
        return a
    if isinstance(a, Never):
        return b
    if isinstance(a, NUMERIC) and isinstance(b, NUMERIC):
        return _join_numeric(a, b)
    return _join_different(a, b)


_NONE_OR_ELSE, _TUPLES = (Optional, OnlyNone), (Tuple, Row)


def _join_different(a: Kind, b: Kind) -> Kind:
    """The same of kinds that are not the same, and of which not both are numeric."""
    if isinstance(a, Nothing) and isinstance(b, Nothing):
        return NOTHING
    if isinstance(a, _NONE_OR_ELSE) or isinstance(b, _NONE_OR_ELSE):
        return _join_optional(a, b)
    if isinstance(a, _TUPLES) and isinstance(b, _TUPLES):
        return _join_tuples(a, b)
    if isinstance(a, OneOf) or isinstance(b, OneOf):
        return _join_options(a, b)
    if isinstance(a, Object) and isinstance(b, Object) and type(a) is not type(b):
        a, b = as_object(a), as_object(b)
        if a.cls is b.cls and (isinstance(a, Member) or isinstance(b, Member)):
            return join_objects(a, b)
    if isinstance(a, Closure) and isinstance(b, Closure) and type(a) is not type(b):
        a, b = as_closure(a), as_closure(b)
    joined = _join_same(a, b) if type(a) is type(b) else UNKNOWN
    return _join_options(a, b) if type(joined) in (Unknown, Closure) else joined


def _join_options(a: Kind, b: Kind) -> Kind:
    """The kind of what is one of several functions, or an object of one of several classes.

    >>> from zygpy.ir.kinds import FLOAT, Known
    >>> join(Known(len), join(Known(abs), Known(len))) == join(Known(abs), Known(len))
    True
    >>> join(Known(len), FLOAT), join(Known(len), CLOSURE), join(Known(len), Known(operator))
    (Unknown(), Unknown(), Unknown())
    """
    found: dict[Any, Kind] = {}
    for kind in (*options_of(a), *options_of(b)):
        what = told_by(kind)
        if what is None:
            break
        key = what if type(what) is tuple else id(what)
        known = found.get(key)
        found[key] = kind if known is None else _join_same_option(known, kind)
    else:
        if len(found) <= MAXIMUM_OPTIONS and not any(isinstance(one, Unknown) for one in found.values()):
            kinds = tuple(found.values())
            return kinds[0] if len(kinds) == 1 else OneOf(kinds)
    functions = all(isinstance(kind, Closure) for kind in (*options_of(a), *options_of(b)))
    return CLOSURE if functions else UNKNOWN


def _join_same_option(a: Kind, b: Kind) -> Kind:
    """The kind that holds what is told by the same; unknown where it is not the same nevertheless."""
    if a == b:
        return a
    alike = type(a) is type(b) or isinstance(a, Member) or isinstance(b, Member)
    joined = _join_same(a, b) if alike else UNKNOWN
    return joined if isinstance(joined, Object | LocalFunction) else UNKNOWN


MAXIMUM_OPTIONS = 12
"""Of so many kinds at most it is known that a value has one of them."""


def with_options(kind: OneOf | Optional, known: Callable[[Kind], Kind]) -> Kind:
    """The kind of what is one of several, or may be None, with what is `known` of each that it may be; the
    very same if that is what it says itself."""
    if isinstance(kind, Optional):
        something = known(kind.kind)
        return kind if something is kind.kind else join(NONE, something)
    options = [known(option) for option in kind.options]
    same = all(new is old for new, old in zip(options, kind.options, strict=True))
    return kind if same else join_all(options)


def _join_tuples(a: Tuple | Row, b: Tuple | Row) -> Kind:
    """The kind of what is one of two tuples, which may have different lengths.

    >>> from zygpy.ir.kinds import FLOAT, INT
    >>> join(Row(INT), Tuple((FLOAT,))) == join(Tuple((INT,)), Tuple((INT, FLOAT))), join(Row(INT), FLOAT)
    (True, Unknown())
    """
    if isinstance(a, Tuple) and isinstance(b, Tuple) and len(a.items) == len(b.items):
        if a.cls is not b.cls:
            return UNKNOWN
        return Tuple(tuple(join(x, y) for x, y in zip(a.items, b.items, strict=True)), a.cls)
    elements = [row.element for row in (as_row(a), as_row(b)) if isinstance(row, Row)]
    return row_of(join(*elements)) if len(elements) == 2 else UNKNOWN


def _join_optional(a: Kind, b: Kind) -> Kind:
    """The kind of what may be None, and is of a kind that tells what it is otherwise.

    >>> from zygpy.ir.kinds import FLOAT
    >>> join(NONE, FLOAT) == join(FLOAT, join(FLOAT, NONE)) == Optional(FLOAT), join(NONE, CLOSURE)
    (True, Unknown())
    """
    something = [kind.kind if isinstance(kind, Optional) else kind for kind in (a, b) if kind != NONE]
    joined = join_all(something)
    return Optional(joined) if isinstance(joined, WORTH_ASKING) else UNKNOWN


def _join_numeric(a: Kind, b: Kind) -> Kind:
    if isinstance(a, Number) and isinstance(b, Number):
        return Number(a.types | b.types)
    if isinstance(a, Array) and isinstance(b, Array):
        return Array(join_dtype(a.dtype, b.dtype), a.rank if a.rank == b.rank else None)
    if isinstance(a, NumpyScalar) and isinstance(b, NumpyScalar):
        return NumpyScalar(join_dtype(a.dtype, b.dtype))
    if is_real_scalar(a) and is_real_scalar(b):
        return RealScalar("f8" if is_double(a) and is_double(b) else "real")
    return NumberOrArray(is_real(a) and is_real(b))


def join_dtype(a: str, b: str) -> str:
    """The class that holds both dtype classes."""
    if a == b:
        return a
    return "real" if a in REAL_DTYPES and b in REAL_DTYPES else "any"


def _join_same(a: Kind, b: Kind) -> Kind:
    if isinstance(a, List) and isinstance(b, List):
        return List(join(a.element, b.element))
    if isinstance(a, Dict) and isinstance(b, Dict):
        return Dict(None, join(a.element, b.element), join(keys_of(a), keys_of(b)))
    if isinstance(a, Iterator) and isinstance(b, Iterator):
        return Iterator(join(a.element, b.element))
    if isinstance(a, Object) and isinstance(b, Object) and a.cls is b.cls:
        return join_objects(a, b)
    if isinstance(a, LocalFunction) and isinstance(b, LocalFunction):
        return _join_local_functions(a, b)
    if isinstance(a, Closure) and isinstance(b, Closure):
        return Closure(True, a.foreign or b.foreign)
    return UNKNOWN


def _join_local_functions(a: LocalFunction, b: LocalFunction) -> Closure:
    kinds = dict(b.captured)
    if a.function is not b.function or a.partial is not b.partial or [*dict(a.captured)] != [*kinds]:
        return CLOSURE
    return replace(a, captured=tuple([(name, join(kind, kinds[name])) for name, kind in a.captured]))


def join_fields(a: Fields | None, b: Fields | None) -> Fields | None:
    """The fields of an object that is one of two: what only one of them has may be missing."""
    if a is None or b is None:
        return None
    left, right = dict(a), dict(b)
    names = sorted({*left, *right})
    return tuple([(name, join_field(left.get(name), right.get(name))) for name in names])


def join_field(a: Kind | None, b: Kind | None) -> Kind:
    """The kind of a field of one of two objects, None where one has no such field.

    >>> from zygpy.ir.kinds import FLOAT, INT
    >>> join_field(FLOAT, None) == Perhaps(FLOAT), join_field(Perhaps(FLOAT), FLOAT) == Perhaps(FLOAT)
    (True, True)
    >>> join_field(List(FLOAT), None), join_field(Perhaps(FLOAT), UNKNOWN), join_field(FLOAT, FLOAT) == FLOAT
    (Unknown(), Unknown(), True)
    """
    if a is not None and b is not None and not (isinstance(a, Perhaps) or isinstance(b, Perhaps)):
        return join(a, b)
    there = [kind.kind if isinstance(kind, Perhaps) else kind for kind in (a, b) if kind is not None]
    joined = join_all(there)
    return Perhaps(joined) if isinstance(joined, NUMERIC) else UNKNOWN


def join_objects(a: Object, b: Object) -> Object:
    """The kind that holds the objects of two kinds of one class: where one of them says more of the objects
    in its fields than that they are as it is itself, the other one does so as well.

    >>> class Node: pass
    >>> end = Object(Node, (("next", NONE),))
    >>> several = folded(Object(Node, (("next", join(end, NONE)),)))
    >>> several == Object(Node, (("next", Optional(Again(Node))),)), join_objects(end, several) == several
    (True, True)
    """
    if a.fields is None or b.fields is None:
        return Object(a.cls)
    if isinstance(a, Member) or isinstance(b, Member):
        return _join_members(a, b)
    if holds_its_own(a) or holds_its_own(b):
        fields = join_fields(*[(kind if holds_its_own(kind) else unfolded(kind)).fields for kind in (a, b)])
        return settled(Object(a.cls, fields))
    return Object(a.cls, join_fields(a.fields, b.fields))


def replaced_objects(kind: Kind, cls: type | None, known: Callable[[Object], Kind]) -> Kind:
    """A kind with what is `known` in place of the objects of a class (None: of any) in it, in containers or
    not; the very same if that is what it says itself. What is in the fields of objects stays as it is."""
    if isinstance(kind, Object):
        return known(kind) if cls is None or kind.cls is cls else kind
    if isinstance(kind, Optional | OneOf):
        return with_options(kind, lambda option: replaced_objects(option, cls, known))
    if isinstance(kind, List | Iterator | Row):
        element = replaced_objects(kind.element, cls, known)
        if element is kind.element:
            return kind
        return row_of(element) if isinstance(kind, Row) else type(kind)(element)
    if isinstance(kind, Tuple):
        items = tuple([replaced_objects(item, cls, known) for item in kind.items])
        return kind if all(map(operator.is_, items, kind.items)) else Tuple(items, kind.cls)
    if isinstance(kind, LocalFunction):
        return _replaced_in_function(kind, cls, known)
    return _replaced_in_dict(kind, cls, known) if isinstance(kind, Dict) else kind


def _replaced_in_function(
    kind: LocalFunction, cls: type | None, known: Callable[[Object], Kind]
) -> LocalFunction:
    captured = tuple([(name, replaced_objects(item, cls, known)) for name, item in kind.captured])
    same = all(new[1] is old[1] for new, old in zip(captured, kind.captured, strict=True))
    return kind if same else replace(kind, captured=captured)


def _replaced_in_dict(kind: Dict, cls: type | None, known: Callable[[Object], Kind]) -> Dict:
    element = replaced_objects(kind.element, cls, known)
    if kind.items is None:
        return kind if element is kind.element else Dict(None, element, kind.key)
    items = tuple([(key, replaced_objects(item, cls, known)) for key, item in kind.items])
    same = all(new[1] is old[1] for new, old in zip(items, kind.items, strict=True))
    return kind if same and element is kind.element else Dict(items, element)


def with_own(kind: Object, known: Callable[[Object], Kind]) -> Object:
    """The kind of an object with what is `known` in place of the objects of its class in its fields; the very
    same if that is what it says itself."""
    apart = isinstance(kind, Member) or is_marked(kind.cls, UNLIKE)
    fields = () if kind.fields is None or apart else kind.fields
    found = tuple([(name, replaced_objects(item, kind.cls, known)) for name, item in fields])
    same = all(new[1] is old[1] for new, old in zip(found, fields, strict=True))
    return kind if same else Object(kind.cls, found)


def holds_its_own(kind: Object) -> bool:
    """Whether the fields of an object tell what is known of objects of its class in them."""
    return bool(_own_objects(kind))


def is_again(kind: Object) -> bool:
    """Whether there are objects in the fields of an object that are known to be as it is itself.

    >>> is_again(Object(int, (("next", Again(int)),))), is_again(Object(int, (("next", Object(int)),)))
    (True, False)
    """
    return with_own(kind, lambda own: NEVER if type(own) is Again else own) is not kind


def _own_objects(kind: Object) -> list[Object]:
    found: list[Object] = []

    def noted(own: Object) -> Kind:
        if own.fields is not None:
            found.append(own)
        return own

    with_own(kind, noted)
    return found


def unfolded(kind: Object) -> Object:
    """The kind of an object that tells of the objects in its fields what it is known that they are."""
    if isinstance(kind, Member):
        fields = tuple([(name, in_family(kind, item)) for name, item in kind.fields or ()])
        return Object(kind.cls, fields)
    return with_own(kind, lambda own: kind if type(own) is Again else own)


def folded(kind: Object) -> Object:
    """The kind of an object, and of those of its class that it holds, which says the same of all of them."""
    if isinstance(kind, Member):
        return kind
    own = [folded(one) for one in _own_objects(kind)]
    if not own:
        return kind
    if any(isinstance(one, Member) for one in own):
        known = closed(kind)
        return known if isinstance(known, Object) else Object(kind.cls)
    result = with_own(kind, lambda one: one if one.fields is None else Again(kind.cls))
    for one in own:
        result = Object(kind.cls, join_fields(result.fields, one.fields))
    return result


def settled(kind: Object) -> Object:
    """The kind of an object whose fields tell of objects of its class in them, as short as that can be told:
    these say the same of all that they hold themselves."""
    if isinstance(kind, Member):
        return kind
    if is_again(kind):
        return folded(kind)
    kind = with_own(kind, lambda own: own if own.fields is None else folded(own))
    for own in _own_objects(kind):
        if unfolded(own) == kind:
            return own
    return kind


# ----------------------------------------------------------------------------------------- families

Members: TypeAlias = "dict[type, Fields]"
"""What is known of the objects of the classes of a family."""

MAXIMUM_FAMILY = 16
"""Of so many classes at most it is known that their objects hold each other."""


def in_family(member: Member, kind: Kind) -> Kind:
    """The kind of what is in a field of a member of a family.

    >>> class Leaf: pass
    >>> class Node: pass
    >>> leaf = Object(Leaf, ())
    >>> inner = closed(Object(Node, (("a", leaf),)))
    >>> in_family(inner, Again(Leaf)).cls is Leaf, in_family(inner, Again(Node)) == inner
    (True, True)
    """
    known = dict(member.family)

    def told(own: Object) -> Kind:
        if type(own) is not Again or own.cls not in known:
            return own
        return Member(own.cls, known[own.cls], member.family)

    return replaced_objects(kind, None, told)


def may_be_members(kind: Kind, cls: type) -> bool:
    """Whether an object of a class lies in an object of another one that a kind tells of."""
    if isinstance(kind, Member):
        return any(one is cls for one, _ in kind.family)
    if isinstance(kind, Object):
        return any(_is_or_holds(item, cls) for _, item in kind.fields or ())
    return any(may_be_members(inner, cls) for inner in inner_kinds(kind))


def _is_or_holds(kind: Kind, cls: type) -> bool:
    if isinstance(kind, Object):
        known = kind.cls is cls and kind.fields is not None
        return known or may_be_members(kind, cls)
    return any(_is_or_holds(inner, cls) for inner in inner_kinds(kind))


def inner_kinds(kind: Kind) -> tuple[Kind, ...]:
    """The kinds of what is in something that is no object."""
    if isinstance(kind, Optional):
        return (kind.kind,)
    if isinstance(kind, OneOf):
        return kind.options
    if isinstance(kind, Tuple):
        return kind.items
    if isinstance(kind, LocalFunction):
        return tuple([item for _, item in kind.captured])
    if isinstance(kind, Dict):
        return (kind.element, *[item for _, item in kind.items or ()])
    return (kind.element,) if isinstance(kind, List | Iterator | Row) else ()


def parts_of(kind: Kind, most: int) -> int:
    """How many kinds there are in a kind, itself among them, but for those beyond so many.

    >>> from zygpy.ir.kinds import FLOAT
    >>> parts_of(List(Tuple((FLOAT, FLOAT))), 10), parts_of(List(Tuple((FLOAT, FLOAT))), 3)
    (4, 3)
    """
    found = [kind]
    for one in found:  # which grows
        if len(found) >= most:
            return most
        inner = [item for _, item in one.fields or ()] if isinstance(one, Object) else inner_kinds(one)
        found.extend(inner)
    return min(len(found), most)


def closed(kind: Kind) -> Kind | None:
    """The kind that says of all objects that it tells of, and of those that they hold, that they are of one
    family; None if these are of too many classes, or of some that are not told so."""
    known: Members = {}
    among = as_members(kind, known)
    if len(known) > MAXIMUM_FAMILY or any(is_marked(cls, UNLIKE) for cls in known):
        return None
    family = _family(known)
    return in_family(Member(object, (), family), among)


def _family(known: Members) -> tuple[tuple[type, Fields], ...]:
    return tuple(
        sorted(known.items(), key=lambda item: (item[0].__module__, item[0].__qualname__, id(item[0])))
    )


def as_members(kind: Kind, known: Members) -> Kind:
    """A kind with references to the objects of a family in place of objects, of which is noted what is
    `known`."""
    if isinstance(kind, Object):
        return _noted(kind, known)
    if isinstance(kind, Optional | OneOf):
        return with_options(kind, lambda option: as_members(option, known))
    if isinstance(kind, List | Iterator):
        return type(kind)(as_members(kind.element, known))
    if isinstance(kind, Row):
        return row_of(as_members(kind.element, known))
    if isinstance(kind, Tuple):
        return Tuple(tuple([as_members(item, known) for item in kind.items]), kind.cls)
    if isinstance(kind, LocalFunction):
        captured = tuple([(name, as_members(item, known)) for name, item in kind.captured])
        return replace(kind, captured=captured)
    if isinstance(kind, Dict):
        items = kind.items and tuple([(key, as_members(item, known)) for key, item in kind.items])
        return Dict(items, as_members(kind.element, known), kind.key)
    return kind


def _noted(kind: Object, known: Members) -> Object:
    """The reference to an object, which is noted; itself where nothing is known of its fields."""
    if type(kind) is Again:
        return kind
    if type(kind) is Itself or kind.fields is None:
        return Object(kind.cls)
    defined = kind.family if isinstance(kind, Member) else ((kind.cls, kind.fields),)
    for cls, fields in defined:
        inner = tuple([(name, as_members(item, known)) for name, item in fields])
        before = known.get(cls)
        joined = inner if before is None else join_fields(before, inner)
        assert joined is not None
        known[cls] = joined
    return Again(kind.cls)


def _join_members(a: Object, b: Object) -> Object:
    """The kind that holds the objects of two kinds of one class, of which one at least is of a family."""
    known: Members = {}
    for kind in (a, b):
        _noted(kind, known)
    return member(a.cls, known)


def member(cls: type, known: Members) -> Object:
    """An object of a class of a family of which so much is known."""
    if len(known) > MAXIMUM_FAMILY or any(is_marked(one, UNLIKE) for one in known):
        return Object(cls)
    return Member(cls, known[cls], _family(known))


def with_family(kind: Member, known: Callable[[Kind], Kind]) -> Member:
    """The kind of a member of a family with what is `known` of the kinds in the fields of all of these; the
    very same if that is what it says itself."""
    family = tuple(
        [(cls, tuple([(name, known(item)) for name, item in fields])) for cls, fields in kind.family]
    )
    return kind if family == kind.family else Member(kind.cls, dict(family)[kind.cls], family)


def as_member(kind: Object) -> Object:
    """The member of a family that an object is of which nothing else is known than of the members of its
    class that it holds; itself if there is none."""
    for one in _members(kind):
        if any(cls is kind.cls for cls, _ in one.family):
            joined = _join_members(kind, member(kind.cls, dict(one.family)))
            if isinstance(joined, Member) and joined.family == one.family:
                return joined
    return kind


def _members(kind: Object) -> list[Member]:
    found: list[Member] = []
    waiting = [item for _, item in kind.fields or ()]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Member):
            found.append(one)
        elif not isinstance(one, Object):
            waiting.extend(inner_kinds(one))
    return found
