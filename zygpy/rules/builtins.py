"""Rules of Python's builtin functions and number types."""

from __future__ import annotations

import bisect
import dataclasses
import datetime as dt
import importlib
import inspect
import logging
import operator
import re
import time
import warnings

import zygpy.rules.operators  # noqa: F401  (abs is declared there)
from zygpy.rules.declare import alias, elementwise, non_differentiable, rule, zero_gradient
from zygpy.runtime.caching import (
    are_whole,
    asked,
    asked_by_name,
    is_newly_kept,
    is_still_kept,
    key_of_call,
    may_be_kept,
    note_call,
    note_dropped,
    note_other,
    note_other_key,
    note_whole,
)
from zygpy.runtime.copies import is_dataclass_instance, is_named_tuple, kept_fields, names_of_fields
from zygpy.runtime.harmless import is_harmless
from zygpy.runtime.lookup import described_attribute, is_plain_attribute, static_place
from zygpy.runtime.matching import match_attribute
from zygpy.runtime.named_tuples import has_own_new, is_of_record
from zygpy.runtime.orders import permutation, place_of_largest, place_of_smallest
from zygpy.runtime.partials import label, label_local
from zygpy.runtime.protocols import check_answer, class_shown, fields_shown

alias(abs, operator.abs)
elementwise(
    pow,
    "y = pow(base, exp, mod=None)",
    base_bar="power_base(y_bar, base, exp) if mod is None else power_base(y_bar, base, unless(mod, exp))",
    exp_bar="power_exponent(y_bar, base, exp) if mod is None else "
    "power_exponent(y_bar, unless(mod, base), unless(mod, exp))",
    at="as base ** exp; zero where there is a modulus",
    kind="operator **",
    domain="base > 0",
)
elementwise(float, "y = float(x=0.0)", x_bar="y_bar", kind="float")
elementwise(
    complex,
    "y = complex(real=0.0, imag=0.0)",
    real_bar="y_bar",
    imag_bar="-1j * y_bar",
    kind="complex",
)
rule(
    divmod,
    "y = divmod(a, b)",
    a_bar="unbroadcast(part(y_bar, 1), shape(a))",
    b_bar="unbroadcast(-times(part(y_bar, 1), y[0]), shape(b))",
    a_dot="(zero(y[0]), y_bar + zero(y[1]))",
    b_dot="(zero(y[0]), -times(y_bar, y[0]))",
    kind="quotient and remainder",
)
zero_gradient(round, "y = round(number, ndigits=None)", wrt="number", kind="rounded")
rule(
    sum,
    "y = sum(iterable, start=0)",
    iterable_bar="each_added(y_bar, iterable)",
    start_bar="unbroadcast(y_bar, shape(start))",
    tangent="together",
    kind="total",
    shares="start",
)
for _extreme in (max, min):
    rule(
        _extreme,
        f"y = {_extreme.__name__}(*args, key=None, default=...)",
        args_bar="extreme_cotangent(y_bar, y, args)",
        args_dot="extreme_entry(y_bar, y, args)",
        kind="one of the numbers",
        shares="args",
        at="at a tie the first",
    )

non_differentiable(len, hash, id, int, ord, bisect.bisect_left, bisect.bisect_right, kind="int")
non_differentiable(bool, isinstance, issubclass, callable, hasattr, all, any, kind="bool")
non_differentiable(str, repr, ascii, format, bin, hex, oct, chr, input, kind="str")
non_differentiable(print, warnings.warn, time.sleep, kind="none")
non_differentiable(time.time, time.perf_counter, time.monotonic, time.process_time, kind="float")
non_differentiable(time.time_ns, time.perf_counter_ns, time.monotonic_ns, time.process_time_ns, kind="int")
for level in ("debug", "info", "warning", "error", "critical", "exception", "log"):
    for owner in (logging, logging.Logger, logging.LoggerAdapter):
        non_differentiable(getattr(owner, level), kind="none")
non_differentiable(inspect.signature, inspect.getfullargspec, inspect.getmodule)
non_differentiable(importlib.import_module, label)
non_differentiable(label_local, kind="none")
non_differentiable(re.compile, re.match, re.search, re.fullmatch, re.split, re.findall, re.sub, re.escape)
non_differentiable(permutation, kind="list of places")
non_differentiable(place_of_largest, place_of_smallest, kind="int")
non_differentiable(is_dataclass_instance, is_named_tuple, has_own_new, is_of_record, kind="bool")
non_differentiable(is_plain_attribute, is_harmless, match_attribute, may_be_kept, kind="bool")
non_differentiable(are_whole, is_still_kept, is_newly_kept, kind="bool")
non_differentiable(note_call, note_whole, note_other, note_other_key, note_dropped, kind="none")
non_differentiable(asked, key_of_call)
non_differentiable(asked_by_name, kind="str")
non_differentiable(class_shown, kind="str")
non_differentiable(fields_shown)
non_differentiable(static_place, described_attribute)
non_differentiable(kept_fields, names_of_fields, dataclasses.fields)
non_differentiable(check_answer, kind="none")
non_differentiable(operator.itemgetter, operator.attrgetter)
non_differentiable(range, kind="ints")
non_differentiable(type, slice, bytes, dir, open)
non_differentiable(dt.date, dt.time, dt.datetime)  # they take integers alone
