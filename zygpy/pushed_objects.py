"""Tangents of what is found when the code runs to be an object, or a container: what its class says of
attributes, methods, items and operators is done to it, and to its tangent beside it.

Each door has its work in a function in plain Python, which is what is differentiated in reverse mode.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType, MethodType, WrapperDescriptorType
from typing import Any

import numpy as np

from zygpy.arranged import arrangement_of, in_places
from zygpy.errors import UnsupportedSyntaxError
from zygpy.identity.operators import SPELLED, joining_by_c, operator_program, unary_method
from zygpy.load.signatures import PLAIN
from zygpy.pushed import called, pushed_by_rule, ready_operation, run, stand_in
from zygpy.pushed_arrays import array_written, is_written
from zygpy.pushed_copies import copies_things, copying_method
from zygpy.pushed_defaults import has_defaults, with_defaults
from zygpy.pushed_entries import Slots, entered, is_entry
from zygpy.pushed_generators import (
    asks_iterators,
    branched,
    check_standing_in,
    iteration_method,
    method_of_generator,
    ready_generator,
    standing_in,
    taken,
    with_items,
)
from zygpy.pushed_namespaces import is_namespace, namespace_made
from zygpy.pushed_sets import (
    changed_set,
    combined,
    combines_sets,
    method_of_set,
    set_made,
)
from zygpy.pushed_subclasses import (
    empty_tangent,
    filled,
    inherited_called,
    initialiser,
    is_held_class,
    is_native,
    unbound_called,
)
from zygpy.pushed_tables import is_table, is_table_class, method_of_table, table_made
from zygpy.rules import declare
from zygpy.rules.custom import is_ruled, of_attribute
from zygpy.runtime.by_keyword import ByKeyword
from zygpy.runtime.copies_beside import copied_beside
from zygpy.runtime.instead import ENTRIES
from zygpy.runtime.lookup import MISSING, has_own, in_class, is_slot, own_things, reads_plainly, sets_plainly
from zygpy.runtime.mirrors import check_put_there, has_table, held_dot, now, put_there, table_of
from zygpy.runtime.object_arrays import holds_objects
from zygpy.runtime.paired_generators import InPairs, is_paired
from zygpy.runtime.partials import RECEIVER
from zygpy.runtime.partner_fields import has_fields_alone
from zygpy.runtime.partner_partials import bound_in, is_partial
from zygpy.runtime.set_tangents import SETS
from zygpy.runtime.subclasses import bare, inherited_container, is_unbound
from zygpy.runtime.tangent_items import PairTangents, items_of
from zygpy.runtime.tangents import alike
from zygpy.runtime.zeros import (
    TANGENT,
    CannotPush,
    Carried,
    Partner,
    bound_dot,
    gives_partners,
    has_partner,
    is_number_or_array,
    keeps_numbers,
    let_pass,
    of_key,
    or_zeros,
    zero_tangent,
)
from zygpy.tangent.exceptions import PLAIN_EXCEPTIONS


def pushed_operation(operation: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """What an operator gives for operands that are not known before, and its tangent; in `dots` is None
    for what has no tangent.

    Raises CannotPush before anything is done where the operands are no numbers and arrays, no lists or tuples
    that are joined, and no objects whose classes say in Python what is done.
    """
    return operated(operation, args, dots)


def pushed_call(
    function: Any, carried: Any, args: tuple[Any, ...], dots: tuple[Any, ...], changing: bool
) -> tuple[Any, Any]:
    """What a function or class that is not known before gives, and its tangent; `carried` is the tangent of
    the function itself. It may write to what it is given, or carries, if that is `changing`: then everything
    that may be changed has its one tangent.

    Raises CannotPush before anything is done where there is no tangent function for that.
    """
    return function_called(function, carried, args, dots, changing)


def pushed_generator(
    function: Any, names: tuple[str, ...], args: tuple[Any, ...], dots: tuple[Any, ...]
) -> tuple[Any, Any]:
    """The generator that a function gives which is defined in the program: behind its arguments are the
    variables that it captures and that have tangents, or their cells, which have these `names`.

    Raises CannotPush before anything is done where there is no tangent function for that.
    """
    return generator_made(function, names, args, dots)


def pushed_iteration(args: tuple[Any], dots: tuple[Any]) -> tuple[Any, Any]:
    """What is walked over in place of an object whose class says in Python how, and its tangent; anything
    else is walked over itself.

    Raises CannotPush before anything is done where there is no tangent function for that.
    """
    return iterated(args, dots)


def pushed_method(name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """The same of a method; the object, and its tangent, come first.

    Raises CannotPush where it is no method that is written in Python, of an object with a partner, and none
    of a list, a dict or an array that is known.
    """
    return method_called(name, args, dots)


def pushed_store(name: str, args: tuple[Any, Any], dots: tuple[Any, Any]) -> tuple[None, None]:
    """The assignment of an attribute of an object, which comes first, and of its partner's.

    Raises CannotPush where that is perhaps more than to set a field.
    """
    return attribute_stored(name, args, dots)


def pushed_attribute(name: str, args: tuple[Any], dots: tuple[Any]) -> tuple[Any, Any]:
    """The same of an attribute: a field, what a property gives, or a constant that the class has.

    Raises CannotPush where it is none of these.
    """
    return attribute_read(name, args, dots)


def pushed_change(operation: Any, args: tuple[Any, Any], dots: tuple[Any, Any]) -> tuple[Any, Any]:
    """What `x op= v` makes of an x that is not known before, and its tangent.

    Raises CannotPush where that is none of those that `pushed_operation` knows, and no array or list that is
    changed in place.
    """
    return changed(operation, args, dots)


# ------------------------------------------------------------------------------------------- operators


def operated(operation: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """What `pushed_operation` does, in code that can be differentiated."""
    if combines_sets(operation, args, dots):
        return combined(operation, args, dots)
    joined = joined_as(operation, args, dots)
    if joined == "lists":
        return args[0] + args[1], dots[0] + dots[1]
    if joined == "repeated":
        return args[0] * args[1], dots[0] * args[1]
    if joined == "texts":
        return operation(*args), None
    methods = methods_of_operator(operation, args)
    if methods is None:
        return run(ready_operation(operation, args, dots), args, dots, ())
    for method, turned in methods:
        given, along = (args[::-1], dots[::-1]) if turned else (args, dots)
        y, y_dot = called(method, None, given, along, True)
        if y is not NotImplemented:
            return y, y_dot
    raise TypeError(message_of_operator(operation, args))


def joined_as(operation: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> str | None:
    """Whether an operator joins two lists, or two tuples, with their tangents, or repeats one, or is one on
    texts; None if it does none of these."""
    if any(isinstance(arg, str | bytes) for arg in args):
        return "texts" if all(type(arg) in PLAIN for arg in args) else _left(operation)
    cls = type(args[0])
    if cls not in (list, tuple):
        return None
    if operation is operator.add:
        return "lists" if all(type(v) is cls for v in (*args, *dots)) else _left(operation)
    if operation is operator.mul and type(args[1]) is int:
        return "repeated" if type(dots[0]) is cls else _left(operation)
    return None


def methods_of_operator(operation: Any, args: tuple[Any, ...]) -> tuple[tuple[Any, bool], ...] | None:
    """The methods that an operator on objects asks, in order, each with whether it is given the operands
    turned about; None for an operator on numbers and arrays.

    Raises CannotPush where C code is among them.
    """
    own = unary_method(operation, args)
    if own is not None:
        return ((own, False),)
    try:
        found = operator_program(operation, args)
    except UnsupportedSyntaxError as error:
        raise CannotPush from error
    if found is None:
        return None
    forward, backward = found
    if joining_by_c(operation, args) is not None:
        raise CannotPush
    methods = ((forward, False), (backward, True))
    return tuple([(method, turned) for method, turned in methods if method is not None])


def message_of_operator(operation: Any, args: tuple[Any, ...]) -> str:
    """What Python says where nobody implements an operator."""
    left, right = (type(arg).__name__ for arg in args)
    return f"unsupported operand type(s) for {SPELLED[operation]}: {left!r} and {right!r}"


def changed(operation: Any, args: tuple[Any, Any], dots: tuple[Any, Any]) -> tuple[Any, Any]:
    """What `pushed_change` does, in the same way."""
    x, v = args
    how = "set" if combines_sets(operation, args, dots) else changed_as(operation, args, dots)
    if how == "list":
        beside = items_of(dots[1], v)
        x += v
        dots[0].extend(beside)
    elif how == "sum":
        x += v
        if dots[1] is not None:
            x_dot = dots[0]
            x_dot += dots[1]
    elif how == "difference":
        x -= v
        if dots[1] is not None:
            x_dot = dots[0]
            x_dot -= dots[1]
    elif how in CHANGING:
        return CHANGING[how](operation, args, dots)
    else:
        y, y_dot = operated(operation, args, dots)
        if how == "array":
            x[...] = y
            dots[0][...] = y_dot
        else:
            return y, y_dot
    return x, dots[0]


def changed_by_method(operation: Any, args: tuple[Any, Any], dots: tuple[Any, Any]) -> tuple[Any, Any]:
    """The same by the method of a class in Python."""
    y, y_dot = called(method_of_change(operation, args[0]), None, args, dots, True)
    return operated(operation, args, dots) if y is NotImplemented else (y, y_dot)


CHANGING: Mapping[str, Callable[..., tuple[Any, Any]]] = {"method": changed_by_method, "set": changed_set}
"""What changes something that is neither a list nor an array."""


def method_of_change(operation: Any, value: Any) -> Any:
    """The method that an operator in place calls, if it is written in Python; else None."""
    found = in_class(type(value), f"__i{operation.__name__.strip('_')}__", None)
    if found is not None and type(found) is not FunctionType:
        raise CannotPush
    return found


def changed_as(operation: Any, args: tuple[Any, Any], dots: tuple[Any, Any]) -> str:
    """How an operator in place changes something: an array or a list in its memory, an object by its method;
    `new` if it gives something new.

    Raises CannotPush where that is not known.
    """
    x, v = args
    if type(x) is np.ndarray:
        if type(dots[0]) is not np.ndarray or not keeps_numbers(x, v):
            raise CannotPush
        if operation is operator.add:
            return "sum"
        return "difference" if operation is operator.sub else "array"
    if type(x) is list:
        joined = operation is operator.add and type(v) in WALKED
        return "list" if joined and type(dots[0]) is list else _left(operation)
    if type(x) in PLAIN or isinstance(x, np.generic | tuple):
        return "new"
    if not has_partner(x):
        raise CannotPush
    return "new" if method_of_change(operation, x) is None else "method"


WALKED = (list, tuple, np.ndarray, range, dict, type(dict[Any, Any]().values()))
"""What a list may be extended by without running any code."""


# --------------------------------------------------------------------------------- calls and methods


def function_called(
    function: Any, carried: Any, args: tuple[Any, ...], dots: tuple[Any, ...], changing: bool
) -> tuple[Any, Any]:
    """What `pushed_call` does, in the same way."""
    if is_entry(function, carried):
        return entered(Slots(function, carried, args, dots), changing)
    if makes_container(function):
        return container_made(function, carried, args, dots, changing)
    if asks_iterators(function):
        return asked(function, args, dots, changing)
    if is_class(function):
        return constructed(function, args, dots)
    if copies_things(function):
        return copied(function, carried, args, dots, changing)
    return function_in_python(function, carried, args, dots, changing)


def function_in_python(
    function: Any, carried: Any, args: tuple[Any, ...], dots: tuple[Any, ...], changing: bool
) -> tuple[Any, Any]:
    """The same of a function, a method, what binds arguments, and objects that are called."""
    if is_unbound(function):
        return unbound_called(function, args, dots)
    if is_partial(function, carried) and not is_ruled(function):
        return partial_called(carried, args, dots, changing)
    if has_partner(function) and not is_ruled(function):
        return method_called("__call__", (function, *args), (carried, *dots))
    if is_bound(function, carried):
        return bound_called(function, carried, args, dots, changing)
    if is_of_class(function):
        return called_in_order(function.__func__, None, (function.__self__, *args), (None, *dots), changing)
    return called_in_order(function, carried, args, dots, changing)


def is_bound(function: Any, carried: Any) -> bool:
    """Whether what is called, perhaps by keyword, is a method that was read of an object with a tangent."""
    method = class_of(function)
    return type(method) is MethodType and type(method.__func__) is FunctionType and type(carried) is Carried


def bound_called(
    function: Any, carried: Any, args: tuple[Any, ...], dots: tuple[Any, ...], changing: bool
) -> tuple[Any, Any]:
    """What such a method gives."""
    method = class_of(function)
    own, own_dot = carried.pairs()[RECEIVER]
    plain = method.__func__
    named = ByKeyword(plain, function.names) if method is not function else plain
    return called_in_order(named, None, (own, *args), (own_dot, *dots), changing)


def partial_called(
    carried: Any, args: tuple[Any, ...], dots: tuple[Any, ...], changing: bool
) -> tuple[Any, Any]:
    """What a `functools.partial` gives, whose tangent tells what it binds."""
    (function, dot), placed, named = bound_in(carried)
    pairs = [*placed, *zip(args, dots, strict=True), *named.values()]
    given = ByKeyword(function, tuple(named)) if named else function
    return function_called(
        given, dot, tuple([pair[0] for pair in pairs]), tuple([pair[1] for pair in pairs]), changing
    )


def asked(function: Any, args: tuple[Any, ...], dots: tuple[Any, ...], changing: bool) -> tuple[Any, Any]:
    """What a builtin gives that asks for items: all at once, or one by one as a function in Python."""
    if function is itertools.tee:
        return branched(args, *iterated(args[:1], dots[:1]))
    program = standing_in(function)
    if program is not function:
        check_standing_in(function, args)
        return called_in_order(program, None, args, dots, changing)
    given, along = with_items(args, dots)
    if function is list or function is tuple:
        return taken(function, given, along)
    return called(function, None, given, along, changing)


def makes_container(function: Any) -> bool:
    """Whether what is called is a class of sets, or of dicts of `collections`, or of namespaces."""
    return function is set or function is frozenset or is_table_class(function) or is_namespace(function)


def container_made(
    cls: Any, carried: Any, args: tuple[Any, ...], dots: tuple[Any, ...], changing: bool
) -> tuple[Any, Any]:
    """What such a class makes."""
    if is_namespace(cls):
        return namespace_made(cls, args, dots)
    if is_table_class(cls):
        return table_made(cls, args, dots)
    return set_made(cls, *with_items(args, dots)) if args else (cls(), {})


def copied(
    function: Any, carried: Any, args: tuple[Any, ...], dots: tuple[Any, ...], changing: bool
) -> tuple[Any, Any]:
    """A copy of something, and its tangent."""
    method = copying_method(function, args, dots)
    if method is not None:
        return called_in_order(method, None, args, dots, True)
    return copied_beside(function, args[0], or_zeros(dots[0], args[0]))


def generator_made(
    function: Any, names: tuple[str, ...], args: tuple[Any, ...], dots: tuple[Any, ...]
) -> tuple[Any, Any]:
    """What `pushed_generator` does, in the same way."""
    ready = ready_generator(function, names, args, dots)
    return stand_in(ready), run(ready, args, dots, ())


def iterated(args: tuple[Any], dots: tuple[Any]) -> tuple[Any, Any]:
    """What `pushed_iteration` does, in the same way."""
    begun, beside = args[0], dots[0]
    method = iteration_method(begun, "__iter__")
    if method is not None:
        begun, beside = called_in_order(method, None, args, dots, True)
    step = iteration_method(begun, "__next__")
    if step is None:
        return begun, beside
    return InPairs(type(begun).__name__, True), stepped(step, begun, beside)


def stepped(step: Any, iterator: Any, beside: Any) -> Iterator[Any]:
    """The items of an iterator that is written in Python, in pairs with their tangents."""
    while True:
        try:
            item, dot = called_in_order(step, None, (iterator,), (beside,), True)
        except StopIteration:
            return
        yield item, dot


def called_in_order(
    function: Any, carried: Any, args: tuple[Any, ...], dots: tuple[Any, ...], changing: bool
) -> tuple[Any, Any]:
    """The call of a function, which is given an argument for each of its parameters."""
    if has_defaults(carried):
        function, carried, args, dots = with_defaults(function, carried, args, dots)
    arranged = arrangement_of(function, len(args))
    if arranged is None:
        return called(function, carried, args, dots, changing)
    given = in_places(arranged.places, (*args, *arranged.constants))
    return called(arranged.function, carried, given, dots_in_places(arranged, args, dots), changing)


def dots_in_places(arranged: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, ...]:
    """The tangents of what each parameter takes."""
    filled = [or_zeros(dot, value) for dot, value in zip(dots, args, strict=True)]
    return in_places(arranged.places, (*filled, *[None] * len(arranged.constants)))


def is_of_class(function: Any) -> bool:
    """Whether what is called is a method of a class, in a run that stores there what varies."""
    return type(function) is MethodType and has_table(function.__self__)


def is_class(function: Any) -> bool:
    """Whether what is called, perhaps by keyword, is such a class as `is_plain_class` knows."""
    cls = class_of(function)
    return isinstance(cls, type) and (is_held_class(cls) or is_plain_class(cls))


def is_plain_class(cls: type) -> bool:
    """Whether the objects of a class are made by `object`, and initialised in Python; a class with a rule is
    none, nor is one that Python has.

    Raises CannotPush for a class in Python that is not.
    """
    if declare.find(cls) is not None or is_ruled(cls) or not gives_partners(cls):
        return False
    plain = type(cls) is type and in_class(cls, "__new__", None) is object.__new__
    init = in_class(cls, "__init__", None)
    if not plain or not (type(init) is FunctionType or init is object.__init__):
        raise CannotPush
    return True


def constructed(cls: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """An object that is made, and its partner."""
    plain = class_of(cls)
    if is_held_class(plain):
        return held_constructed(cls, args, dots)
    made, partner = object.__new__(plain), Partner()
    init = initialiser_of(plain, args)
    if init is not None:
        named = ByKeyword(init, cls.names) if cls is not plain else init
        called_in_order(named, None, (made, *args), (partner, *dots), True)
    return made, partner


def held_constructed(cls: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """The same of a class whose objects are lists or dicts."""
    plain = class_of(cls)
    made = bare(plain)
    beside = empty_tangent(made)
    init = initialiser(plain)
    names = cls.names if cls is not plain else ()
    if type(init) is FunctionType:
        named = ByKeyword(init, names) if names else init
        called_in_order(named, None, (made, *args), (beside, *dots), True)
    else:
        filled((made, *args), (beside, *dots), names)
    return made, beside


def class_of(cls: Any) -> Any:
    """The class, or method, itself of what may be one with the names of arguments."""
    return cls.function if type(cls) is ByKeyword else cls


def initialiser_of(cls: type, args: tuple[Any, ...]) -> Any:
    """The `__init__` of a class; None if that does nothing."""
    init = in_class(cls, "__init__", None)
    if init is not object.__init__:
        return init
    if args:
        raise TypeError(f"{cls.__name__}() takes no arguments")
    return None


def method_called(name: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """What `pushed_method` does, in the same way."""
    if is_paired(args[0]):
        return method_of_generator(name, args, dots)
    if is_container(args[0]):
        return method_of_container(name, args, dots)
    if is_written(args[0], name):
        return array_written(name, args, dots)
    return method_in_python(name, args, dots)


def method_in_python(name: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """The same of an object, or of what is called with a rule."""
    function = method_of(args[0], name)
    if function is INHERITED:
        return inherited_called(name, (owner_of(args[0]), *args[1:]), dots)
    if function is SET_ANEW:
        args[0].__init__(*args[1:])
        dots[0].args = dots[1:]
        return None, None
    if function is CONSTANT:
        given = getattr(args[0], name)(*args[1:])
        return given, zero_tangent(given)
    if function is FIELD:
        return function_called(getattr(args[0], name), getattr(dots[0], name), args[1:], dots[1:], True)
    if function is GIVEN:
        y, y_dot = given_by_method(name, args[:1], dots[:1])
        return function_called(y, y_dot, args[1:], dots[1:], True)
    y, y_dot = called_in_order(function, None, (owner_of(args[0]), *args[1:]), dots, True)
    if shares_memory(y, args[0]):
        alike(y_dot, y, dots[0], args[0])
    return y, y_dot


def is_container(value: Any) -> bool:
    """Whether something is a list, dict or set of Python's own, or of `collections`."""
    return type(value) in (list, dict, *SETS) or is_table(value)


def method_of_container(name: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """A method of such a thing, whose tangent has the tangents of what is in it."""
    if type(name) is ByKeyword:
        return updated_by_name(name, args, dots)
    made: tuple[Any, Any] = method_for(args[0])(name, args, dots)
    return made


def updated_by_name(named: ByKeyword, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[None, None]:
    """`d.update(a=v)`, of a dict of Python's own."""
    check_updated_by_name(named, args, dots)
    for name, value, dot in zip(named.names, args[1:], dots[1:], strict=True):
        args[0][name] = value
        dots[0][name] = or_zeros(dot, value)
    return None, None


def check_updated_by_name(named: ByKeyword, args: tuple[Any, ...], dots: tuple[Any, ...]) -> None:
    """Leave any other method with names to reverse mode."""
    _check_container(dict, args, dots)
    if named.function != "update" or type(args[0]) is not dict or len(args) != 1 + len(named.names):
        raise CannotPush


def method_for(container: Any) -> Callable[..., tuple[Any, Any]]:
    """What does the methods of such a thing."""
    if type(container) is list:
        return method_of_list
    if type(container) is dict:
        return method_of_dict
    return method_of_table if is_table(container) else method_of_set


def shares_memory(y: Any, x: Any) -> bool:
    """Whether these are arrays one of which may be a view of the other."""
    return type(y) is np.ndarray is type(x)


def method_of_list(name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """A method of a list, whose tangent is one of the same length."""
    check_method_of_list(name, args, dots)
    xs, xs_dot = args[0], dots[0]
    if name == "append":
        xs.append(args[1])
        return None, xs_dot.append(or_zeros(dots[1], args[1]))
    if name == "extend":
        xs.extend(args[1])
        return None, xs_dot.extend(or_zeros(dots[1], args[1]))
    if name == "insert":
        xs.insert(args[1], args[2])
        return None, xs_dot.insert(args[1], or_zeros(dots[2], args[2]))
    if name == "pop":
        return xs.pop(*args[1:]), xs_dot.pop(*args[1:])
    if name == "clear":
        xs.clear()
        return None, xs_dot.clear()
    if name == "reverse":
        xs.reverse()
        return None, xs_dot.reverse()
    return xs.copy(), xs_dot.copy()


def check_method_of_list(name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> None:
    """Leave to reverse mode what is not done to the tangent of a list in the same way."""
    _check_container(list, args, dots)
    if OF_LISTS.get(name) is None or len(args) - 1 not in OF_LISTS[name]:
        raise CannotPush
    if name == "extend" and not (
        type(args[1]) in (list, tuple) and type(dots[1]) in (type(args[1]), type(None))
    ):
        raise CannotPush


OF_LISTS: Mapping[str, tuple[int, ...]] = {
    "append": (1,),
    "extend": (1,),
    "insert": (2,),
    "pop": (0, 1),
    "clear": (0,),
    "reverse": (0,),
    "copy": (0,),
}
"""Methods of lists that are done to their tangents in the same way, and how many arguments they have."""


def method_of_dict(name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """A method of a dict, whose tangent is one with the same keys."""
    check_method_of_dict(name, args, dots)
    d, d_dot = args[0], dots[0]
    if name in ("get", "pop", "setdefault"):
        return of_key(dict, name, args, dots)
    if name == "values":
        return d.values(), d_dot.values()
    if name == "items":
        return d.items(), PairTangents(d_dot)
    if name == "keys":
        return d.keys(), zero_tangent(list(d))
    if name == "update":
        d.update(args[1])
        return None, d_dot.update(or_zeros(dots[1], args[1]))
    if name == "clear":
        d.clear()
        return None, d_dot.clear()
    return d.copy(), d_dot.copy()


def check_method_of_dict(name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> None:
    """Leave to reverse mode what is not done to the tangent of a dict in the same way."""
    _check_container(dict, args, dots)
    if OF_DICTS.get(name) is None or len(args) - 1 not in OF_DICTS[name]:
        raise CannotPush
    if name == "update" and not (type(args[1]) is dict and type(dots[1]) in (dict, type(None))):
        raise CannotPush


OF_DICTS: Mapping[str, tuple[int, ...]] = {
    "get": (1, 2),
    "pop": (1, 2),
    "setdefault": (1, 2),
    "values": (0,),
    "items": (0,),
    "keys": (0,),
    "update": (1,),
    "clear": (0,),
    "copy": (0,),
}
"""The same of dicts."""


def _check_container(cls: type, args: tuple[Any, ...], dots: tuple[Any, ...]) -> None:
    """Leave a container to reverse mode that has no tangent of its form, or takes what has none and may be
    changed."""
    known = [type(arg) in PLAIN for arg, dot in zip(args[1:], dots[1:], strict=True) if dot is None]
    if type(dots[0]) is not cls or not all(known):
        raise CannotPush


SET_ANEW = object()
"""What an inherited method is that sets the arguments of an exception."""

INHERITED = object()
"""What a method is that a class in Python inherits from `list` or `dict`."""


def method_of(value: Any, name: Any) -> Any:
    """The function that a method of an object, or array, is; or of what `super` gives, where it may be
    SET_ANEW; CONSTANT where it gives what has no tangent; FIELD where the object itself has it.

    Raises CannotPush where that takes more than to look it up in the classes.
    """
    if type(name) is ByKeyword:
        return _method_by_keyword(value, name)
    if isinstance(value, np.ndarray | np.generic | float | int | complex):
        return _method_of_number(value, name)
    if type(value) in (str, range):
        return CONSTANT
    owner = owner_of(value)
    _check_access(owner, PARTNER)
    if owner is value and has_own(value, name):
        return FIELD if inherited_container(type(value)) is None else _left(name)
    found = in_class(type(value), name) if owner is value else _inherited(value, name)
    if name == "__init__" and type(found) is WrapperDescriptorType and isinstance(owner, BaseException):
        return SET_ANEW if found.__objclass__ in PLAIN_EXCEPTIONS else _left(name)
    if type(found) is FunctionType:
        return found
    if owner is value and _is_given(type(value), name):
        return GIVEN
    return INHERITED if is_native(owner, found, name) else _left(name)


def _is_given(cls: type, name: str) -> bool:
    """Whether the objects of a class have a method by what `__getattr__` says alone."""
    return in_class(cls, name, MISSING) is MISSING and type(in_class(cls, "__getattr__")) is FunctionType


def _method_by_keyword(value: Any, named: ByKeyword) -> Any:
    """The same with the names of the last arguments."""
    found = method_of(value, named.function)
    if found is INHERITED and named.function == "__init__":
        return found
    if any(found is other for other in (SET_ANEW, CONSTANT, FIELD, INHERITED, GIVEN)) or "out" in named.names:
        raise CannotPush
    return ByKeyword(found, named.names)


def _method_of_number(value: Any, name: str) -> Any:
    """The function with a rule that a method of a number, or array, is."""
    found = declare.METHODS.get(name)
    rule = None if found is None else declare.find(found)
    plain = is_number_or_array(value) and not holds_objects(value)
    if rule is None or rule.writes or not plain or is_ruled(in_class(type(value), name, None)):
        raise CannotPush
    return found


PARTNER = Partner()


def _left(name: Any) -> Any:
    raise CannotPush(name)


def _inherited(value: Any, name: str) -> Any:
    """What the classes behind the one that `super` was asked in have by a name."""
    order = type(owner_of(value)).__mro__
    behind = order[order.index(value.__thisclass__) + 1 :]
    return next((vars(cls)[name] for cls in behind if name in vars(cls)), None)


def owner_of(value: Any) -> Any:
    """The object itself, of which `super` gives what is inherited."""
    return getattr(value, "__self__") if type(value) is super else value  # noqa: B009


# ------------------------------------------------------------------------------------------ attributes


def attribute_stored(name: str, args: tuple[Any, Any], dots: tuple[Any, Any]) -> tuple[None, None]:
    """What `pushed_store` does, in the same way."""
    if has_table(args[0]):
        check_put_there(args[0], name)
        setattr(args[0], name, args[1])
        put_there(table_of(args[0]), name, args[1])[name] = dots[1]
        return None, None
    setter = setter_of(args[0], dots[0], name)
    if setter is not None:
        called(setter, None, args, dots, True)
        return None, None
    setattr(args[0], name, args[1])
    setattr(dots[0], name, dots[1])
    return None, None


def attribute_read(name: str, args: tuple[Any], dots: tuple[Any]) -> tuple[Any, Any]:
    """What `pushed_attribute` does, in the same way."""
    if has_table(args[0]):
        y = getattr(args[0], name)
        return y, held_dot(table_of(args[0]), name, y)[name]
    found = attribute_of(args[0], dots[0], name)
    if found is FIELD:
        return getattr(args[0], name), getattr(dots[0], name)
    if found is CONSTANT:
        y = getattr(args[0], name)
        return y, dot_of_constant(args[0], name, y)
    if found is VARS:
        return vars(args[0]), vars(dots[0])
    if found is METHOD:
        return getattr(args[0], name), bound_dot(args[0], dots[0])
    if found is GIVEN:
        return given_by_method(name, args, dots)
    if found is CHAINED:
        return chained(args[0], name)
    return called(found, None, args, dots, True)


def chained(error: Any, name: str) -> tuple[Any, Any]:
    """The exception behind another."""
    behind = getattr(error, name)
    if behind is not None:
        let_pass(behind)
    return behind, getattr(behind, TANGENT, None)


def given_by_method(name: str, args: tuple[Any], dots: tuple[Any]) -> tuple[Any, Any]:
    """What `__getattr__` gives."""
    return called_in_order(in_class(type(args[0]), "__getattr__"), None, (*args, name), (*dots, None), True)


def dot_of_constant(value: Any, name: str, y: Any) -> Any:
    """The tangent of what the class of an object has by a name."""
    if now() is None:
        return zero_tangent(y)
    return held_dot(type(value), name, y)[name]


FIELD = object()
CONSTANT = object()
CHAINED = object()
VARS = object()
METHOD = object()
GIVEN = object()
"""What an attribute may be; the last is what `__getattr__` gives."""


def attribute_of(value: Any, dot: Any, name: str) -> Any:
    """What the attribute of an object is: the function of a property, or one of the above.

    Raises CannotPush where that is not known.
    """
    if of_attribute(type(value), name) is not None:
        return _left(name)  # a rule says how it is differentiated, which reverse mode goes by
    return _of_own(value, dot, name)


def _of_own(value: Any, dot: Any, name: str) -> Any:
    """The same of an attribute without a rule of a user's."""
    cls = type(value)
    if cls is np.ndarray or (isinstance(value, tuple) and name in getattr(cls, "_fields", ())):
        return _of_array_or_tuple(value, dot, name)
    if (dot is None and name == "args" and _tells_texts(value)) or _is_of_held_class(value, name):
        return CONSTANT
    _check_access(value, dot)
    if name == "__dict__":
        return VARS if has_fields_alone(value, dot) else _left(name)
    found = in_class(cls, name, MISSING)
    if isinstance(value, BaseException) and name in ("__cause__", "__context__"):
        return CHAINED
    if isinstance(value, BaseException) and name == "args" and name in vars(dot):
        return FIELD
    if has_own(value, name) and not isinstance(found, property):
        return FIELD if name in vars(dot) else _left(name)
    return _of_class(cls, found, name)


def _of_class(cls: type, found: Any, name: str) -> Any:
    """The same of what the class has for all of its objects, or gives by its `__getattr__`."""
    asked = in_class(cls, "__getattr__")
    if isinstance(found, property) and type(found.fget) is FunctionType:
        return found.fget if asked is None else _left(name)  # that is asked where the property fails
    if found is MISSING and type(asked) is FunctionType:
        return GIVEN
    if type(found) is FunctionType:
        return METHOD
    return CONSTANT if _is_plain(found) or _is_mirrored(found) else _left(name)


def _is_mirrored(found: Any) -> bool:
    """Whether what a class has is a container, or array, whose tangent is found by its identity."""
    return now() is not None and (type(found) in (list, dict, set, np.ndarray) or is_table(found))


def _is_of_held_class(value: Any, name: str) -> bool:
    """Whether an attribute of an object that is a list or dict is surely what its class has for all."""
    base = inherited_container(type(value))
    if base is None or in_class(type(value), "__getattribute__") is not base.__getattribute__:
        return False
    return has_partner(value) and name not in own_things(value) and _is_plain(in_class(type(value), name, []))


def _is_plain(found: Any) -> bool:
    """Whether what a class has is a number, a text, or a tuple of such."""
    return type(found) in PLAIN or (type(found) is tuple and all(type(item) in PLAIN for item in found))


def _tells_texts(value: Any) -> bool:
    """Whether something is an exception that came from elsewhere, and brings nothing but texts."""
    plain = isinstance(value, BaseException) and in_class(type(value), "args") is vars(BaseException)["args"]
    return plain and "args" not in vars(value) and all(type(part) is str for part in value.args)


def _of_array_or_tuple(value: Any, dot: Any, name: str) -> Any:
    if type(dot) is not type(value):
        raise CannotPush
    if isinstance(value, tuple) or name in ("T", "real", "imag"):
        return FIELD
    return CONSTANT if name in ("shape", "size", "ndim", "dtype") else _left(name)


def _check_access(value: Any, dot: Any) -> None:
    """Leave to reverse mode what is no object with a partner, or says itself what its attributes are."""
    if type(dot) is not Partner or not (has_partner(value) or isinstance(value, BaseException)):
        raise CannotPush
    base = BaseException if isinstance(value, BaseException) else inherited_container(type(value)) or object
    own = in_class(type(value), "__getattribute__")
    if not reads_plainly(type(value)) and own is not base.__getattribute__:
        raise CannotPush


def setter_of(value: Any, dot: Any, name: str) -> Any:
    """The function that sets a property; None where it is a field that is set.

    Raises CannotPush where it is perhaps neither.
    """
    cls = type(value)
    _check_access(value, dot)
    plain = sets_plainly(cls) or in_class(cls, "__setattr__") is in_class(BaseException, "__setattr__")
    if not plain or name in ("__dict__", "__class__", TANGENT):
        raise CannotPush
    found = in_class(cls, name)
    if isinstance(found, property) and type(found.fset) is FunctionType:
        return found.fset
    if hasattr(type(found), "__set__") and not is_slot(cls, found):
        raise CannotPush
    return None


ENTRIES.update(
    {
        Carried: "carried",
        pushed_call: "door",
        pushed_generator: "generator",
        pushed_iteration: "generator",
        pushed_operation: "operation",
        pushed_change: "change",
        pushed_method: "method",
        pushed_attribute: "attribute",
    }
)

DOORS: Mapping[str, Callable[..., Any]] = {
    "rule": pushed_by_rule,
    "operation": pushed_operation,
    "call": pushed_call,
    "generator": pushed_generator,
    "iteration": pushed_iteration,
    "attribute": pushed_attribute,
    "method": pushed_method,
    "store": pushed_store,
    "change": pushed_change,
}
"""What finds tangents when the code runs, by name."""
