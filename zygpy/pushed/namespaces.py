"""Namespaces that tangent code makes when it runs, of fields that are named then: each has a partner."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from zygpy.load.signatures import PLAIN
from zygpy.rules.custom import is_ruled
from zygpy.runtime.by_keyword import ByKeyword
from zygpy.runtime.zeros import CannotPush, Partner, or_zeros


def is_namespace(function: Any) -> bool:
    """Whether what is called, with all arguments by keyword, is the class of namespaces.

    >>> is_namespace(ByKeyword(SimpleNamespace, ("a",))), is_namespace(dict)
    (True, False)
    """
    return type(function) is ByKeyword and function.function is SimpleNamespace


def namespace_made(
    named: ByKeyword, args: tuple[Any, ...], dots: tuple[Any, ...]
) -> tuple[SimpleNamespace, Partner]:
    """`SimpleNamespace(**fields)`, and its partner."""
    check_namespace_made(named.names, args, dots)
    made, partner = SimpleNamespace(), Partner()
    for name, value, dot in zip(named.names, args, dots, strict=True):
        setattr(made, name, value)
        setattr(partner, name, or_zeros(dot, value))
    return made, partner


def check_namespace_made(names: tuple[str, ...], args: tuple[Any, ...], dots: tuple[Any, ...]) -> None:
    """Leave to reverse mode what sets more than fields of which the class makes no use, or what takes
    something that may be changed and has no tangent."""
    fields = {name for name in names if type(name) is str and not hasattr(SimpleNamespace, name)}
    known = all(type(arg) in PLAIN for arg, dot in zip(args, dots, strict=True) if dot is None)
    if is_ruled(SimpleNamespace) or not len(names) == len(fields) == len(args) or not known:
        raise CannotPush
