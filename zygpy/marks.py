"""Marks by which classes of zygpy's own say what they are."""

from __future__ import annotations

TEXT = "__zygpy_text__"
"""The attribute of a function whose text is written by zygpy."""


def is_marked(cls: type, mark: str) -> bool:
    """Whether a class has a mark, whatever a metaclass would make up when it is asked for an attribute.

    >>> class Answering(type):
    ...     def __getattr__(cls, name): return name
    >>> is_marked(Answering("Made", (), {}), "__zygpy_inert__"), is_marked(type("Own", (), {"m": 1}), "m")
    (False, True)
    """
    if type(cls) is type:
        return hasattr(cls, mark)
    return any(mark in vars(base) for base in type.__dict__["__mro__"].__get__(cls))
