"""Which builtins on containers are differentiated as programs, and where that may be."""

from __future__ import annotations

import ast
import bisect
import collections
import copy
import dataclasses
import functools
import heapq
import inspect
import itertools
import math
import operator
from collections import namedtuple
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import FunctionType, ModuleType
from typing import Any, TypeAlias

import numpy as np

from zygpy.analyse import ufunc_calls
from zygpy.analyse.classes import has_members
from zygpy.analyse.facts import Guard
from zygpy.analyse.fields import may_have_code
from zygpy.analyse.numpys_own import IMPLEMENTATIONS
from zygpy.analyse.run import Run
from zygpy.analyse.values import Value
from zygpy.ir import core
from zygpy.ir.kinds import (
    BOOL,
    INT,
    Array,
    Closure,
    Dict,
    Iterator,
    Kind,
    Known,
    List,
    Nothing,
    Object,
    OnlyNone,
    Row,
    Text,
    Tuple,
    Unknown,
    carries_gradient,
    is_exact,
    is_list_of_numbers,
    is_numeric,
    is_real,
    is_scalar,
)
from zygpy.ir.nodes import gast
from zygpy.rules import declare
from zygpy.runtime import (
    caching,
    comparing,
    decompositions,
    fields_written_out,
    finite_differences,
    numpy_keywords,
    numpy_programs,
    padding,
    replaced,
    standard_library,
)
from zygpy.runtime.harmless import is_harmless
from zygpy.runtime.lookup import in_class, is_among, looked_up

Call: TypeAlias = "tuple[tuple[core.Atom | core.Star, ...], tuple[core.Keyword, ...]]"
Choice: TypeAlias = "Callable[[Sequence[Kind], frozenset[str]], Any]"
"""From the arguments' kinds and the keywords' names to the program, or None where it does not fit."""
SEQUENCES = (List, Tuple, Row, Array)
ITERATED = (Iterator, Object, Dict)


def _always(program: Any) -> Choice:
    return lambda kinds, names: program


def _by_count(*programs: Any) -> Choice:
    """The program for one argument, two arguments, ..."""
    return lambda kinds, names: programs[len(kinds) - 1] if 0 < len(kinds) <= len(programs) else None


def _without_keywords(*programs: Any) -> Choice:
    """The same, of a builtin that has another meaning with keywords."""
    choose = _by_count(*programs)
    return lambda kinds, names: None if names else choose(kinds, names)


def _reduce(kinds: Sequence[Kind], names: frozenset[str]) -> Any:
    if len(kinds) == 3:
        return replaced.reduced_from
    if len(kinds) != 2:
        return None
    return replaced.reduced if isinstance(kinds[1], SEQUENCES) else replaced.reduced_lazily


def _sorted(kinds: Sequence[Kind], names: frozenset[str]) -> Any:
    if len(kinds) != 1:
        return None
    return replaced.in_order if "key" in names or may_have_code(kinds[0]) else replaced.in_order_of_items


def _sum(kinds: Sequence[Kind], names: frozenset[str]) -> Any:
    if not kinds:
        return None
    if isinstance(kinds[0], Iterator):
        return replaced.sum_listed if is_numeric(kinds[0].element) else replaced.added_up
    if isinstance(kinds[0], Object | Dict):
        return replaced.sum_listed
    if any(isinstance(start, Object) for start in kinds[1:]):
        return replaced.added_up
    return replaced.added_up if _has_containers(kinds[0]) else None


def _has_containers(kind: Kind) -> bool:
    elements = kind.items if isinstance(kind, Tuple) else ()
    if isinstance(kind, List | Row):
        elements = (kind.element,)
    return any(isinstance(element, List | Tuple | Row | Dict | Object) for element in elements)


def _of_iterator(program: Any) -> Choice:
    return lambda kinds, names: program if kinds and isinstance(kinds[0], ITERATED) else None


def _listed(kinds: Sequence[Kind], names: frozenset[str]) -> Any:
    """The program for `list` of an iterator, and of numbers that are found by identity."""
    known = bool(kinds) and (isinstance(kinds[0], ITERATED) or is_list_of_numbers(kinds[0]))
    return replaced.listed if known else None


def _tupled(kinds: Sequence[Kind], names: frozenset[str]) -> Any:
    """The same for `tuple`."""
    return replaced.tupled if _listed(kinds, names) else None


def _extreme(program: Any, with_default: Any, of_numbers: Any) -> Choice:
    def choose(kinds: Sequence[Kind], names: frozenset[str]) -> Any:
        if len(kinds) != 1:
            return None
        if not names and is_list_of_numbers(kinds[0]):
            return of_numbers
        if "default" in names:
            return with_default
        return program if isinstance(kinds[0], ITERATED) else None

    return choose


def _dict(kinds: Sequence[Kind], names: frozenset[str]) -> Any:
    if not kinds:
        return replaced.named if names else None
    sequence = isinstance(kinds[0], List | Tuple | Row | Iterator | Array)
    if names or len(kinds) != 1:
        return replaced.asked_dict if sequence or isinstance(kinds[0], Dict) else replaced.made_dict
    if isinstance(kinds[0], Dict):
        return replaced.copied_dict
    return replaced.paired if sequence else replaced.paired_or_copied


def _is_its_own_copy(kind: Kind) -> bool:
    """Whether a thing is its own copy, also its own deep one: a number, a text, None, a function, a class."""
    plain = is_scalar(kind) or isinstance(kind, Text | Nothing)
    return plain or (isinstance(kind, Known) and not isinstance(kind.value, ModuleType))


def _copy(kinds: Sequence[Kind], names: frozenset[str]) -> Any:
    if len(kinds) != 1:
        return None
    if isinstance(kinds[0], Array | List | Dict):
        return replaced.copied
    if _is_its_own_copy(kinds[0]) or isinstance(kinds[0], Tuple | Row):
        return replaced.itself
    return replaced.copied_number if is_numeric(kinds[0]) else replaced.copied_shallowly


def _deep_copy(kinds: Sequence[Kind], names: frozenset[str]) -> Any:
    if len(kinds) != 1 or names:
        return replaced.copied_deeply
    kind = kinds[0]
    if isinstance(kind, Array) or (isinstance(kind, List) and is_scalar(kind.element)):
        return replaced.copied
    items = kind.items if isinstance(kind, Tuple) else (kind,)
    if all(map(_is_its_own_copy, items)):
        return replaced.itself
    return replaced.copied_number if is_numeric(kind) else replaced.copied_deeply


def _of_fields(written: Callable[[type], Any], program: Any) -> Choice:
    """The program that goes through the fields of one class by their names, where the class is known."""

    def choice(kinds: Sequence[Kind], names: frozenset[str]) -> Any:
        known = len(kinds) == 1 and not names and _is_of_dataclass(kinds[0])
        return written(kinds[0].cls) if known and isinstance(kinds[0], Object) else program

    return choice


def _of_field(written: Callable[[type], Any]) -> Choice:
    """The program for what one of the fields holds."""

    def choice(kinds: Sequence[Kind], names: frozenset[str]) -> Any:
        (kind,) = kinds
        if _is_its_own_copy(kind):
            return replaced.itself
        if is_numeric(kind):
            return replaced.copied_number
        return written(kind.cls) if isinstance(kind, Object) and _is_of_dataclass(kind) else None

    return choice


def _is_of_dataclass(kind: Kind) -> bool:
    return type(kind) is Object and dataclasses.is_dataclass(kind.cls)


def _islice(kinds: Sequence[Kind], names: frozenset[str]) -> Any:
    return replaced.beginning if len(kinds) == 2 else replaced.section


def _groups(kinds: Sequence[Kind], names: frozenset[str]) -> Any:
    by_key = "key" in names or (len(kinds) == 2 and not isinstance(kinds[1], OnlyNone))
    return replaced.groups_by if by_key else replaced.groups


def _accumulate(kinds: Sequence[Kind], names: frozenset[str]) -> Any:
    function = "func" in names or (len(kinds) == 2 and not isinstance(kinds[1], OnlyNone))
    if "initial" in names:
        return replaced.running_from if function else replaced.running_sums_from
    return replaced.running if function else replaced.running_sums


def _open_mesh(kinds: Sequence[Kind], names: frozenset[str]) -> Any:
    """`np.ix_` is for indices; given other numbers, it only shapes them."""
    return (
        replaced.open_mesh if any(carries_gradient(kind) and not _is_index(kind) for kind in kinds) else None
    )


def _of_rows(program: Any) -> Choice:
    """The program for rows of several sorts, of which nothing can be said together."""

    def choose(kinds: Sequence[Kind], names: frozenset[str]) -> Any:
        known = names <= {"dtype", "axis"} and len(kinds) + len(names) <= program.__code__.co_argcount
        return program if known and kinds and is_mixed(kinds[0]) else None

    return choose


def _joining(of_rows: Any, as_numbers: Any) -> Choice:
    """The program for such rows, or for a call that says of which dtype the result is."""
    choose = _of_rows(of_rows)
    return lambda kinds, names: as_numbers if names & {"dtype", "casting"} else choose(kinds, names)


def _pad(kinds: Sequence[Kind], names: frozenset[str]) -> Any:
    """`np.pad`, but with one number on all sides."""
    if len(kinds) > 2 and isinstance(kinds[2], Known | Object):
        return padding.padded_by_function
    plain = len(kinds) < 3 and not names
    return None if plain else padding.padded


def _convolution(kinds: Sequence[Kind], names: frozenset[str]) -> Any:
    """`np.convolve`, which takes numbers for rows of one."""
    numbers = any(is_scalar(kind) or (isinstance(kind, Array) and kind.rank == 0) for kind in kinds[:2])
    return numpy_keywords.convolve if numbers else None


def _polynomial(kinds: Sequence[Kind], names: frozenset[str]) -> Any:
    """`np.polyval`, whose coefficients may be arrays themselves."""
    if not kinds or (isinstance(kinds[0], Array) and kinds[0].rank == 1):
        return None
    items = kinds[0].items if isinstance(kinds[0], Tuple) else (getattr(kinds[0], "element", None),)
    return None if all(item is not None and is_scalar(item) for item in items) else numpy_keywords.polyval


def _quantiles(program: Any) -> Choice:
    """Quantiles without NaN, with weights or in more than one row."""

    def choose(kinds: Sequence[Kind], names: frozenset[str]) -> Any:
        known = len(kinds) > 1 and (is_scalar(kinds[1]) or getattr(kinds[1], "rank", 2) in (0, 1))
        rows = len(kinds) > 1 and isinstance(kinds[1], List | Tuple | Row) and not is_mixed(kinds[1])
        flat = known or (rows and not _has_containers(kinds[1]))
        return None if flat and "weights" not in names else program

    return choose


def _sum_of_products(kinds: Sequence[Kind], names: frozenset[str]) -> Any:
    """`np.einsum`, whose operands may be followed by lists of labels."""
    if kinds and (is_numeric(kinds[0]) or isinstance(kinds[0], List | Tuple | Row)):
        return numpy_keywords.einsum_of_lists
    return numpy_keywords.einsum if names & {"dtype", "order", "casting"} else None


def _is_doubles(kind: Kind, ranks: Collection[int | None]) -> bool:
    """Whether a value is an array of doubles of one of these ranks."""
    return isinstance(kind, Array) and kind.dtype == "f8" and kind.rank in ranks


def _slopes(kinds: Sequence[Kind], names: frozenset[str]) -> Any:
    """`np.gradient`; of a vector at equal distances there is a rule."""
    spaced = len(kinds) == 1 or (len(kinds) == 2 and is_scalar(kinds[1]) and is_real(kinds[1]))
    plain = spaced and _is_doubles(kinds[0], (1,)) and not names
    return None if plain else finite_differences.slopes


def _of_variables(program: Any, known: frozenset[str]) -> Choice:
    """Moments of variables that are arrays of doubles, in one operand or two, have rules."""

    def choose(kinds: Sequence[Kind], names: frozenset[str]) -> Any:
        plain = 0 < len(kinds) < 3 and all(_is_doubles(kind, (1, 2)) for kind in kinds)
        return None if plain and names <= known else program

    return choose


def is_mixed(kind: Kind) -> bool:
    """Whether NumPy is given rows of several sorts, or of unknown ones."""
    if isinstance(kind, List | Row):
        return isinstance(kind.element, Unknown) or (not is_numeric(kind.element) and is_mixed(kind.element))
    items = kind.items if isinstance(kind, Tuple) else ()
    return any(isinstance(item, Array | Unknown) or is_mixed(item) for item in items) and not all(
        isinstance(item, Array) for item in items
    )


def _factors(kinds: Sequence[Kind], names: frozenset[str]) -> Any:
    """`np.linalg.qr`: without a mode it gives two factors, which is known beforehand."""
    return decompositions.qr_reduced if len(kinds) == 1 and not names else decompositions.qr_in_mode


def _is_index(kind: Kind) -> bool:
    inner = kind.element if isinstance(kind, List | Row) else kind
    return (isinstance(inner, Array) and inner.dtype in ("i", "b")) or inner in (INT, BOOL)


def _by_names(module: Any, name: str, program: Any) -> Mapping[Any, Any]:
    """A program for a function that is public in some versions of Python, and private in others."""
    names = (name, f"_{name}")
    return {getattr(module, known): program for known in names if hasattr(module, known)}


def _of_objects(program: Any) -> Choice:
    """The program for what may be of classes in Python, whose methods answer."""
    return lambda kinds, names: program if any(map(_may_answer, kinds)) else None


def _place(program: Any) -> Choice:
    """The same for what is looked for in a sorted list, and by a key."""
    return lambda kinds, names: program if "key" in names or any(map(_may_answer, kinds[:2])) else None


def _may_answer(kind: Kind) -> bool:
    """Whether a value may answer questions by methods in Python, itself or by what it holds."""
    if isinstance(kind, Tuple):
        return any(map(_may_answer, kind.items))
    return _may_answer(kind.element) if isinstance(kind, List | Row) else isinstance(kind, Object)


def _in_heap(of_list: Any, of_any: Any) -> Choice:
    """The program for a list, and the one for what may be of a class that the C code does not ask."""
    return lambda kinds, names: of_list if kinds and isinstance(kinds[0], List) else of_any


IN_HEAPS: Mapping[Any, Choice] = {
    heapq.heappush: _in_heap(standard_library.pushed, standard_library.pushed_anywhere),
    heapq.heappop: _in_heap(standard_library.popped, standard_library.popped_anywhere),
    heapq.heapify: _in_heap(standard_library.heaped, standard_library.heaped_anywhere),
    heapq.heapreplace: _in_heap(standard_library.replaced_top, standard_library.replaced_top_anywhere),
    heapq.heappushpop: _in_heap(
        standard_library.pushed_and_popped, standard_library.pushed_and_popped_anywhere
    ),
    **_by_names(
        heapq,
        "heappop_max",
        _in_heap(standard_library.popped_largest, standard_library.popped_largest_anywhere),
    ),
    **_by_names(
        heapq,
        "heapreplace_max",
        _in_heap(standard_library.replaced_largest, standard_library.replaced_largest_anywhere),
    ),
    **_by_names(
        heapq,
        "heapify_max",
        _in_heap(standard_library.heaped_largest, standard_library.heaped_largest_anywhere),
    ),
}
"""What changes a heap."""
IN_LISTS: Mapping[Any, Any] = {
    heapq.nlargest: standard_library.largest_items,
    heapq.nsmallest: standard_library.smallest_items,
    bisect.insort_right: standard_library.inserted,
    bisect.insort_left: standard_library.inserted_left,
}
"""What changes a list, or chooses from one."""
EAGER: Mapping[Any, Choice] = {
    sorted: _sorted,
    functools.reduce: _reduce,
    sum: _sum,
    math.fsum: _of_iterator(replaced.fsum_listed),
    math.prod: lambda kinds, names: replaced.multiplied,
    **{function: _of_iterator(program) for function, program in replaced.STATISTICS.items()},
    **IN_HEAPS,
    collections._count_elements: _always(standard_library.count_elements),  # type: ignore[attr-defined]
    **{function: _always(program) for function, program in IN_LISTS.items()},
    bisect.bisect_left: _place(standard_library.left_place),
    bisect.bisect_right: _place(standard_library.right_place),
    operator.contains: _of_objects(standard_library.contained),
    operator.not_: _of_objects(standard_library.negated),
    operator.countOf: _of_objects(standard_library.counted_items),
    operator.indexOf: _of_objects(standard_library.first_place),
    np.select: _always(replaced.selected),
    **dict.fromkeys((np.array, np.asarray, np.asanyarray), _of_rows(replaced.array_of_rows)),
    np.stack: _joining(replaced.stacked_rows, numpy_keywords.stack),
    np.concatenate: _joining(replaced.concatenated_rows, numpy_keywords.concatenate),
    np.vstack: _joining(replaced.rows_above_each_other, numpy_keywords.vstack),
    getattr(np, "row_stack", np.vstack): _joining(replaced.rows_above_each_other, numpy_keywords.vstack),
    np.hstack: _joining(replaced.rows_beside_each_other, numpy_keywords.hstack),
    np.column_stack: _of_rows(replaced.rows_as_columns),
    np.dstack: _of_rows(replaced.rows_behind_each_other),
    np.linalg.qr: _factors,
    np.resize: _always(replaced.resized),
    **{function: _always(own) for function, own in IMPLEMENTATIONS.items()},
    np.pad: _pad,
    np.nanquantile: _quantiles(numpy_keywords.nanquantile),
    np.nanpercentile: _quantiles(numpy_keywords.nanpercentile),
    np.convolve: _convolution,
    np.polyval: _polynomial,
    np.ascontiguousarray: _of_rows(replaced.array_of_rows),
    np.einsum: _sum_of_products,
    np.fromiter: _always(replaced.array_of_items),
    np.ix_: _open_mesh,
    np.diff: lambda kinds, names: (
        numpy_programs.differences if names & {"prepend", "append"} or len(kinds) > 3 else None
    ),
    np.ediff1d: lambda kinds, names: (
        numpy_programs.differences_in_a_row if len(kinds) + len(names) > 1 else None
    ),
    np.gradient: _slopes,
    np.cov: _of_variables(IMPLEMENTATIONS[np.cov], frozenset({"rowvar", "bias", "ddof"})),
    np.corrcoef: _of_variables(IMPLEMENTATIONS[np.corrcoef], frozenset({"rowvar"})),
    np.apply_along_axis: _always(numpy_programs.along_axis),
    np.average: lambda kinds, names: (
        numpy_programs.averaged if "returned" in names or len(kinds) > 3 else None
    ),
    max: _extreme(replaced.largest, replaced.largest_or, replaced.largest_number),
    min: _extreme(replaced.smallest, replaced.smallest_or, replaced.smallest_number),
    list: _listed,
    tuple: _tupled,
    set: _of_iterator(replaced.collected),
    frozenset: _of_iterator(replaced.collected_for_good),
    dict: _dict,
    operator.getitem: _by_count(None, replaced.entry),
    operator.setitem: _always(replaced.store_entry),
    operator.delitem: _always(replaced.delete_entry),
    operator.concat: _always(replaced.joined_sequences),
    operator.iconcat: _always(replaced.extended_sequence),
    operator.call: _always(replaced.called),
    copy.copy: _copy,
    copy.deepcopy: _deep_copy,
    functools.update_wrapper: _always(replaced.decorated),
    functools._lru_cache_wrapper: _always(caching.under_a_cache),
    operator.methodcaller: _always(standard_library.method_caller),
    functools.cmp_to_key: _always(comparing.key_by_comparing),
    inspect.getattr_static: _always(standard_library.found_statically),
    inspect.unwrap: _always(standard_library.unwrapped),
    dict.fromkeys: _by_count(replaced.from_keys, replaced.from_keys),
    dataclasses.replace: _always(replaced.with_changes),
    dataclasses.asdict: _of_fields(fields_written_out.dict_of_fields, replaced.as_dict),
    dataclasses.astuple: _of_fields(fields_written_out.tuple_of_fields, replaced.as_tuple),
    fields_written_out.dict_of_field: _of_field(fields_written_out.dict_of_fields),
    fields_written_out.tuple_of_field: _of_field(fields_written_out.tuple_of_fields),
}
"""What is done at once when it is called."""
REARRANGING: Mapping[Any, Choice] = {
    zip: _without_keywords(None, replaced.zipped, replaced.zipped_three),
    enumerate: _always(replaced.numbered),
    reversed: _by_count(replaced.backwards),
    itertools.chain: _always(replaced.chained),
    itertools.chain.from_iterable: _by_count(replaced.chained_each),
    itertools.product: _without_keywords(None, replaced.product_of_two, replaced.product_of_three),
    itertools.pairwise: _by_count(replaced.neighbours),
    itertools.islice: _islice,
    itertools.combinations: _always(replaced.combined),
    itertools.compress: _always(replaced.compressed),
    itertools.zip_longest: lambda kinds, names: replaced.zipped_longest if len(kinds) == 2 else None,
    itertools.groupby: _groups,
    itertools.repeat: lambda kinds, names: replaced.repeated if len(kinds) == 2 or "times" in names else None,
}
"""Lazy builtins that only rearrange items."""
CALLING: Mapping[Any, Choice] = {
    map: _by_count(None, replaced.mapped, replaced.mapped_over_two, replaced.mapped_over_three),
    filter: _always(replaced.filtered),
    itertools.starmap: _always(replaced.starmapped),
    itertools.accumulate: _accumulate,
    itertools.takewhile: _always(replaced.taken_while),
}
"""Lazy builtins that call functions, when an item is asked for."""
ASKING = (*CALLING, functools.reduce, sorted, max, min)
"""Builtins that call what they are given, for the other things that they are given."""
ANY_CALL: Mapping[Any, Any] = {dict: replaced.made_dict, dataclasses.replace: replaced.with_changes}
"""Programs that take unpacked keywords too."""
_Example = namedtuple("_Example", ())
BY_CODE: Mapping[Any, Any] = {
    _Example._replace.__code__: replaced.with_fields,
    _Example._make.__func__.__code__: replaced.made_of,  # type: ignore[attr-defined]
    _Example._asdict.__code__: replaced.fields_by_name,
}
"""Programs for functions that there are many of: the methods of named tuples."""


def _columns(rows: Kind) -> Any:
    """`zip(*rows)`, whose rows may be of numbers."""
    of_numbers = isinstance(rows, LISTED) and all(map(_is_row_of_numbers, _elements(rows)))
    return replaced.unzipped_numbers if of_numbers else replaced.unzipped


def _is_row_of_numbers(kind: Kind) -> bool:
    """Whether a list or tuple has inexact numbers in it, and nothing else."""
    return isinstance(kind, LISTED) and all(
        is_scalar(item) and not is_exact(item) for item in _elements(kind)
    )


LISTED = (List, Tuple, Row)


def _elements(kind: List | Tuple | Row) -> Sequence[Kind]:
    return kind.items if isinstance(kind, Tuple) else (kind.element,)


UNPACKED: Mapping[Any, Callable[[Kind], Any]] = {
    zip: _columns,
    itertools.chain: lambda iterables: replaced.chained_each,
}
"""Programs for a call with one unpacked argument and nothing else, by the kind of that."""
OTHER_LAZY: frozenset[Any] = frozenset(
    {
        itertools.cycle,
        itertools.permutations,
        itertools.combinations_with_replacement,
        itertools.filterfalse,
        itertools.dropwhile,
        itertools.tee,
        itertools.count,
        np.ndenumerate,
    }
)
"""Lazy builtins without a program."""
WHOLE: frozenset[Any] = frozenset(
    {list, tuple, dict, set, frozenset, sum, sorted, min, max, math.fsum, math.prod}
)
"""Builtins that take all items of an iterator at once."""


def _eager(callee: Any) -> Choice | None:
    """How the program is chosen for what does its work when it is called."""
    declared: declare.StandIn | None = looked_up(declare.PROGRAMS, callee)
    if declared is None:
        found: Choice | None = looked_up(EAGER, callee)
        return found or ufunc_calls.choice(callee)
    return declared.program_for


def changes_a_heap(callee: Any, kinds: Sequence[Kind]) -> bool:
    """Whether a call changes nothing but a list in which everything is known, which may become active in a
    later round of a loop: its program tells what is in it then."""
    heap = bool(kinds) and isinstance(kinds[0], List) and not any(map(may_have_code, kinds))
    return heap and looked_up(IN_HEAPS, callee) is not None


def has_program(callee: Any) -> bool:
    """Whether a program may stand for a builtin that does its work when it is called (for calls of ufuncs one
    does with odd keywords only)."""
    return not isinstance(callee, np.ufunc) and _eager(callee) is not None


def method_with_program(run: Run, cls: type, name: str) -> FunctionType | None:
    """The method of a library's class in whose place a program stands: operators, and calls, are looked for
    in the class alone, whatever the object holds."""
    found = in_class(cls, name, None)
    replaced = name in run.facts.way.replaced or name in run.scope.replaced
    if replaced or not isinstance(found, FunctionType) or not has_program(found):
        return None
    if getattr(cls, name, None) is not found:
        return None
    run.note(Guard(cls, name, found))
    return found


def is_lazy(callee: Any) -> bool:
    """Whether a call gives an iterator that computes its items when they are asked for."""
    return is_among(callee, REARRANGING) or is_among(callee, CALLING) or is_among(callee, OTHER_LAZY)


def program_at_once(callee: Any, kinds: Iterable[Kind], names: Iterable[str]) -> FunctionType | None:
    """The program for a builtin that does its work when it is called, if it has one for these kinds."""
    choose = _eager(callee)
    found: FunctionType | None = choose(list(map(as_iterable, kinds)), frozenset(names)) if choose else None
    return found


def program_for(
    callee: Any, call: Call, kinds: Sequence[Kind], starred: Sequence[Kind]
) -> tuple[FunctionType, Call] | None:
    """The program for a call, and what it is called with; `kinds` are those of the plain arguments, `starred`
    those of what is unpacked."""
    args, keywords = call
    kinds = list(map(as_iterable, kinds))
    names = frozenset(keyword.name for keyword in keywords if keyword.name is not None)
    if len(args) == 1 and isinstance(args[0], core.Star) and not keywords:
        choose = looked_up(UNPACKED, callee)
        return None if choose is None else (choose(starred[0]), ((args[0].value,), ()))
    if len(names) != len(keywords) and looked_up(ANY_CALL, callee) is not None:
        return looked_up(ANY_CALL, callee), call
    if any(isinstance(arg, core.Star) for arg in args) or len(names) != len(keywords):
        return None
    choose = _eager(callee) or looked_up(REARRANGING, callee) or looked_up(CALLING, callee)
    found = choose(kinds, names) if choose else None
    return None if found is None else (found, call)


def as_iterable(kind: Kind) -> Kind:
    """The kind of what a builtin may walk over: an enumeration is an object that gives its members."""
    return Object(type(kind.value)) if isinstance(kind, Known) and has_members(kind) else kind


BY_KEY: Mapping[Any, tuple[Any, Any, Any]] = {
    max: (replaced.largest_by, replaced.largest_by_or, replaced.largest_of_several),
    min: (replaced.smallest_by, replaced.smallest_by_or, replaced.smallest_of_several),
}


def chosen(callee: Any, given: Sequence[Kind], names: Collection[str], key: Kind) -> FunctionType | None:
    """The program for `max` or `min` of these arguments, where the key may do something, or what comes out
    may be changed and is found in what is given."""
    if callee is not max and callee is not min:
        return None
    given = list(map(as_iterable, given))
    items = given if len(given) != 1 else _items(given[0])
    acts = (
        acts_when_called(key.value)
        if isinstance(key, Known)
        else not isinstance(key, Nothing) and not is_numeric(key)
    )
    if not acts and not any(isinstance(item, CHANGEABLE) for item in items):
        return None
    whole, with_default, several = BY_KEY[callee]
    program: FunctionType = with_default if "default" in names else whole if len(given) == 1 else several
    return program


CHANGEABLE = (Array, List, Dict, Tuple, Object, Unknown)
"""Kinds of what can be changed, or may be, or may hold such things."""


def _items(iterable: Kind) -> Sequence[Kind]:
    if isinstance(iterable, Tuple):
        return iterable.items
    if isinstance(iterable, Array):
        return () if iterable.rank == 1 else (iterable,)
    if isinstance(iterable, List | Iterator | Row):
        return (iterable.element,)
    return (iterable,) if isinstance(iterable, Unknown | Object) else ()


def acts_when_called(key: Any) -> bool:
    return isinstance(key, FunctionType) and not is_harmless(key, object)


def _is_made_by_code(callee: Any) -> bool:
    """Whether a callee is a class whose objects are made by code in Python."""
    makers = (inspect.getattr_static(callee, name, None) for name in ("__init__", "__new__"))
    return isinstance(callee, type) and any(
        isinstance(maker, FunctionType | staticmethod) for maker in makers
    )


def may_act(value: Value) -> bool:
    """Whether a value may be a function, or an iterator that calls one, which changes something."""
    if isinstance(value.kind, Known):
        return acts_when_called(value.kind.value) or _is_made_by_code(value.kind.value)
    if value.made is not None:
        return any(isinstance(node, gast.Call | gast.NamedExpr) for node in ast.walk(value.made.node))
    return isinstance(value.kind, Closure | Unknown | Object)
