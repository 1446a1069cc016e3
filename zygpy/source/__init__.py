"""function -> Source: where a function's text is, and its live surroundings."""

from zygpy.ir.source import Source
from zygpy.source.bound import binds_callee
from zygpy.source.find import find_source

__all__ = ["Source", "binds_callee", "find_source"]
