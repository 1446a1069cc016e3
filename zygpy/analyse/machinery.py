"""Which functions of zygpy's own a derivation looks into, when what they do is differentiated once more."""

from __future__ import annotations

import functools
from types import FunctionType
from typing import Any

from zygpy.ir.classes import is_generated

FOLLOWED = (
    "zygpy.identity",
    "zygpy.layout",
    "zygpy.prepared",
    "zygpy.pushed.found",
    "zygpy.pushed.asking",
    "zygpy.pushed.attributes",
    "zygpy.pushed.classes",
    "zygpy.pushed.containers",
    "zygpy.pushed.doors",
    "zygpy.pushed.in_order",
    "zygpy.pushed.methods",
    "zygpy.pushed.operators",
    "zygpy.pushed.sets",
    "zygpy.pushed.tables",
    "zygpy.runtime.mirrors",
    "zygpy.runtime.object_arrays",
    "zygpy.runtime.places",
    "zygpy.runtime.queues",
    "zygpy.runtime.reruns",
    "zygpy.runtime.sets",
    "zygpy.runtime.iteration",
    "zygpy.runtime.generators",
    "zygpy.runtime.lookup",
    "zygpy.runtime.shown",
)
"""The modules of the doors by identity, and of what their pullbacks are made of."""

STORES = ("zygpy.runtime.store", "zygpy.runtime.memory")
"""Those of what cotangents are kept in."""

TOOLS = (
    "zygpy.analyse",
    "zygpy.errors",
    "zygpy.identity.classes",
    "zygpy.identity.left_behind",
    "zygpy.ir",
    "zygpy.load",
    "zygpy.rules",
    "zygpy.source",
)
"""Modules whose functions neither give nor keep what has a gradient."""

CLOSED = (
    "zygpy.api",
    "zygpy.companions",
    "zygpy.derivation",
    "zygpy.dispatch",
    "zygpy.looking",
    "zygpy.nested",
    "zygpy.nested_identity",
    "zygpy.pipeline",
    "zygpy.units",
)
"""Modules whose functions find and make derivations: they are not looked into."""

ANSWERS = frozenset(
    (
        "zygpy.dispatch.primitives.has_own_way",
        "zygpy.dispatch.refusals.unseen_write",
        "zygpy.identity.attempts.attempts_for",
        "zygpy.identity.attributes._is_frozen",
        "zygpy.identity.attributes._refuse_carried_numbers",
        "zygpy.identity.attributes._refuse_what_is_carried",
        "zygpy.dispatch.refusals.refuse_acting",
        "zygpy.identity.attributes.refuse_what_is_intercepted",
        "zygpy.identity.calls._says_what_equals",
        "zygpy.identity.calls.is_container",
        "zygpy.identity.calls.is_foreign",
        "zygpy.identity.calls.is_of_users_class",
        "zygpy.identity.calls.is_plain_data",
        "zygpy.layout._are_in_order",
        "zygpy.layout._carried_by",
        "zygpy.layout._gathered_by",
        "zygpy.layout._parts",
        "zygpy.arranged.arrangement_of",
        "zygpy.pushed.found.is_carried",
        "zygpy.pushed.found.ready_call",
        "zygpy.pushed.found.ready_operation",
        "zygpy.pushed.found.zeros_of",
        "zygpy.pushed.attributes.attribute_of",
        "zygpy.pushed.operators.changed_as",
        "zygpy.pushed.containers.check_method_of_dict",
        "zygpy.pushed.containers.check_method_of_list",
        "zygpy.pushed.classes.class_of",
        "zygpy.pushed.classes.initialiser_of",
        "zygpy.pushed.classes.is_class",
        "zygpy.pushed.containers.is_container",
        "zygpy.pushed.methods.makes_container",
        "zygpy.pushed.containers.method_for",
        "zygpy.pushed.classes.is_plain_class",
        "zygpy.pushed.operators.joined_as",
        "zygpy.pushed.operators.message_of_operator",
        "zygpy.pushed.methods.method_of",
        "zygpy.pushed.operators.method_of_change",
        "zygpy.pushed.operators.methods_of_operator",
        "zygpy.pushed.attributes.setter_of",
        "zygpy.pushed.sets.check_method_of_set",
        "zygpy.pushed.sets.combines_sets",
        "zygpy.pushed.tables.check_method_of_table",
        "zygpy.pushed.tables.check_table_made",
        "zygpy.pushed.tables.is_table",
        "zygpy.pushed.tables.is_table_class",
        "zygpy.runtime.set_tangents.check_elements",
        "zygpy.runtime.set_tangents.is_set_with_dot",
        "zygpy.pushed.containers.shares_memory",
        "zygpy.identity.exceptions._divides",
        "zygpy.identity.exceptions._makes_exceptions",
        "zygpy.identity.generators._is_generator_function",
        "zygpy.identity.methods._is_of_c_code",
        "zygpy.runtime.otherwise_given.has_nothing",
        "zygpy.identity.methods._is_unknown_array",
        "zygpy.identity.methods.of_array",
        "zygpy.identity.methods.program_of_method",
        "zygpy.units.unit_of",
        "zygpy.derivation.refusals.no_rule_on",
        "zygpy.runtime.lookup.in_class",
        "zygpy.runtime.lookup.compares_in_python",
        "zygpy.runtime.lookup.is_among",
        "zygpy.runtime.lookup.defining_class",
        "zygpy.runtime.memory.Memory.view",
        "zygpy.runtime.without_derivative.stands_as_it_is",
        "zygpy.runtime.writing_programs.writing_program",
        "zygpy.runtime.native.is_of_another_class",
        "zygpy.runtime.lenders.is_same",
        "zygpy.runtime.native.is_copied_by_c",
        "zygpy.runtime.native.is_set",
        "zygpy.runtime.native.items_of",
        "zygpy.runtime.native.size_of",
        "zygpy.runtime.native.stored_keys",
        "zygpy.identity.inherited.found_above",
        "zygpy.identity.iteration.refuse_lost_changes",
        "zygpy.identity.object_arrays.gives_objects",
        "zygpy.identity.operators._refuse_other_arrays",
        "zygpy.identity.operators.is_left_to",
        "zygpy.identity.partials.has_parts",
        "zygpy.identity.questions._is_asking",
        "zygpy.identity.subclasses._is_taken_for_a_list",
        "zygpy.identity.weak._begins_one",
        "zygpy.identity.weak._is_class_of_them",
        "zygpy.identity.weak._makes_one",
        "zygpy.runtime.library_results.refuse_beside_items",
        "zygpy.identity.iteration.refuse_outside",
        "zygpy.runtime.native.closure_of",
        "zygpy.runtime.native.native",
        "zygpy.runtime.object_arrays.any_hold_objects",
        "zygpy.runtime.object_arrays.elements",
        "zygpy.runtime.object_arrays.holds_objects",
        "zygpy.runtime.object_arrays.places",
        "zygpy.runtime.native.state_of",
        "zygpy.runtime.inherited.called_behind",
        "zygpy.runtime.inherited.called_in_class",
        "zygpy.runtime.inherited.descriptor_in_class",
        "zygpy.runtime.inherited.is_kept",
        "zygpy.runtime.inherited.note_kept",
        "zygpy.runtime.inherited.setter_in_class",
        "zygpy.runtime.answers.as_length",
        "zygpy.runtime.answers.as_truth",
        "zygpy.runtime.options.check_one",
        "zygpy.runtime.partials.class_getitem",
        "zygpy.runtime.partials.is_function_like",
        "zygpy.runtime.tables.check_entry",
        "zygpy.runtime.tables.check_left_entry",
        "zygpy.runtime.tables.note_copy",
        "zygpy.runtime.tables.note_entry",
        "zygpy.runtime.asked_again.check_info",
        "zygpy.runtime.asked_again.note_given",
        "zygpy.runtime.asked_again.refuse_info",
        "zygpy.runtime.options.check_something",
        "zygpy.runtime.options.is_one",
        "zygpy.runtime.native.table_of",
        "zygpy.runtime.protocols.check_all_comparing",
        "zygpy.runtime.protocols.check_comparing",
        "zygpy.runtime.protocols.may_change",
        "zygpy.runtime.protocols.is_computed",
        "zygpy.runtime.protocols.reachable_from",
        "zygpy.runtime.array_writes.refuse_overlap",
        "zygpy.runtime.places.refuse_result",
        "zygpy.runtime.attempts.check_is_undone",
        "zygpy.runtime.attempts.exception_kept",
        "zygpy.runtime.attempts.refusal_of_others",
        "zygpy.runtime.cells.cells_of",
        "zygpy.runtime.cells.given_names",
        "zygpy.runtime.store.carried_by",
        "zygpy.runtime.store.described",
        "zygpy.runtime.store.described_arguments",
        "zygpy.runtime.store.form_of",
        "zygpy.runtime.zeros.are_numbers",
        "zygpy.runtime.zeros.check_apart",
        "zygpy.runtime.zeros.check_bound_to",
        "zygpy.runtime.zeros.check_item",
        "zygpy.runtime.zeros.check_numbers",
        "zygpy.runtime.zeros.check_plain",
        "zygpy.runtime.zeros.check_scalar",
        "zygpy.runtime.sums.check_summed",
        "zygpy.runtime.zeros.check_slice",
        "zygpy.runtime.zeros.check_sought",
        "zygpy.runtime.tangent_items.check_steps",
        "zygpy.runtime.paired_generators.check_paired",
        "zygpy.runtime.paired_generators.is_paired",
        "zygpy.runtime.paired_generators.nothing_sent",
        "zygpy.pushed.generators.asks_iterators",
        "zygpy.pushed.generators.standing_in",
        "zygpy.pushed.generators.check_standing_in",
        "zygpy.pushed.subclasses.check_pairs",
        "zygpy.runtime.lazy.check_teed",
        "zygpy.pushed.generators.ready_generator",
        "zygpy.pushed.generators.iteration_method",
        "zygpy.pushed.copies.copies_things",
        "zygpy.pushed.copies.copying_method",
        "zygpy.runtime.zeros.check_store",
        "zygpy.runtime.zeros.has_parts",
        "zygpy.runtime.mirrors.check_put_there",
        "zygpy.runtime.mirrors.has_table",
        "zygpy.runtime.mirrors.now",
        "zygpy.runtime.mirrors.table_of",
        "zygpy.pushed.classes.is_of_class",
        "zygpy.runtime.partner_fields.check_left_field",
        "zygpy.runtime.partner_fields.holds_field",
        "zygpy.runtime.partner_fields.takes_field",
        "zygpy.runtime.zeros.has_partner",
        "zygpy.runtime.zeros.let_pass",
        "zygpy.tangent.exceptions.check_made",
    )
)
"""More functions through which no gradient goes: what they give is found by identity, if it has one."""


MADE_ONCE = {"followed_walk": "an iterator of a program's own", "followed_generator": "a generator"}
"""Functions that make what a gradient inside a gradient has, and what they stand for; in a third gradient
they are not looked into."""

WRITING_DOORS: set[Any] = set()
"""The doors in the plain way that change what they are given; `dispatch` fills them in."""

DOORS = frozenset(
    (
        "zygpy.identity.attributes.read_attribute",
        "zygpy.identity.augmented.augment",
        "zygpy.identity.calls.call",
        "zygpy.identity.calls.call_with_constants",
        "zygpy.identity.caught.call",
        "zygpy.identity.caught.method",
        "zygpy.identity.methods.method",
        "zygpy.identity.methods.method_with_constants",
        "zygpy.identity.methods.read_item",
    )
)
"""What gives a value and its pullback."""


def is_own(function: Any) -> bool:
    """Whether a function is zygpy's own, and was not generated."""
    if type(function) is not FunctionType or is_generated(function):
        return False
    return (function.__module__ or "").startswith("zygpy.")


def _is_in(function: Any, modules: tuple[str, ...]) -> bool:
    """Whether a function of zygpy's own is defined in one of these modules."""
    if not is_own(function):
        return False
    module = function.__module__
    return any(module == name or module.startswith(f"{name}.") for name in modules)


def is_tool(function: Any) -> bool:
    """Whether a function is run as it stands, because no gradient goes through it."""
    return is_own(function) and _is_own_tool(function)


@functools.lru_cache(maxsize=4096)
def _is_own_tool(function: FunctionType) -> bool:
    return _name_of(function) in ANSWERS or _is_in(function, TOOLS)


def is_door(callee: Any) -> bool:
    """Whether a callee is a door by identity that gives a value and its pullback."""
    if not isinstance(callee, functools.partial) or type(callee.func) is not FunctionType:
        return False
    return _name_of(callee.func) in DOORS


def _name_of(function: FunctionType) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def is_followed(function: Any) -> bool:
    """Whether a function is derived when it is called, and not before."""
    return _is_in(function, FOLLOWED)


def is_closed(function: Any) -> bool:
    """Whether a function finds or makes derivations, so that nothing is known of what goes through it."""
    if not is_own(function) or is_tool(function):
        return False
    return function.__qualname__ in MADE_ONCE or _is_in(function, CLOSED)


def serves_all_kinds(function: Any) -> bool:
    """Whether one derivation of a function serves arguments of all kinds."""
    return _is_in(function, (*FOLLOWED, *STORES))
