"""Whether the file of a function speaks of the end of iterators, which what it calls may come to."""

from __future__ import annotations

import linecache

from zygpy.ir.source import Source

ENDING = ("StopIteration", "next(", "__next__", ".send(", ".throw(")
"""What raises StopIteration, as it is written."""


def speaks_of_ends(source: Source) -> bool:
    """Whether anything in the file of a function may raise StopIteration."""
    text = "".join(linecache.getlines(source.filename, source.globals)) or source.text
    return any(words in text for words in ENDING)
