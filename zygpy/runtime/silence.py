"""Checks that an operation runs no method in Python that may change something: where one may, the call is
left to reverse mode."""

from __future__ import annotations

from types import FunctionType, MethodType
from typing import Any

from zygpy.runtime.lookup import HEAP_TYPE, in_class
from zygpy.runtime.paired_generators import is_paired
from zygpy.runtime.protocols import holds_such, is_computed
from zygpy.runtime.zeros import UNCHANGEABLE, CannotPush, gives_partners


def check_asking(question: str, *given: Any) -> None:
    """Leave it to reverse mode to ask something that answers by such a method.

    >>> check_asking("len", [1.0])
    """
    for value in given:
        known = type(value) in UNCHANGEABLE or is_paired(value)
        if not known and holds_such(question, value):
            raise CannotPush


def check_reading(name: str, value: Any) -> None:
    """Leave it to reverse mode to read an attribute that is computed.

    >>> check_reading("real", 1.0)
    """
    cls = type(value)
    own = isinstance(in_class(cls, "__getattribute__", None), FunctionType)
    if cls.__flags__ & HEAP_TYPE and (own or is_computed(cls, name)):
        raise CannotPush


def check_silent(*given: Any) -> None:
    """Leave it to reverse mode to hand on functions and objects of classes in Python.

    >>> check_silent(1.0, [2.0])
    """
    for value in given:
        if gives_partners(type(value)) or isinstance(value, FunctionType | MethodType):
            raise CannotPush
