"""The kinds of Fourier transforms."""

from __future__ import annotations

from collections.abc import Mapping

from zygpy.analyse.arguments import Arguments, Word, array_dtype, first, is_none, rank_of_shape
from zygpy.ir.kinds import UNKNOWN, Array, Kind, NumberOrArray, rank_of

COMPLEX: Mapping[str, str] = {"f8": "c16", "f4": "c8", "c16": "c16", "c8": "c8", "i": "c16", "b": "c16"}
REAL: Mapping[str, str] = {"f8": "f8", "f4": "f4", "c16": "f8", "c8": "f4", "i": "f8", "b": "f8"}
SAME: Mapping[str, str] = {"f8": "f8", "f4": "f4", "c16": "c16", "c8": "c8", "i": "f8", "b": "f8"}
"""The dtype classes of transforms; what is not here may have another precision."""


def _spectrum(arguments: Arguments) -> Kind:
    kind = first(arguments)
    return UNKNOWN if kind is None else Array(COMPLEX.get(array_dtype(kind), "any"), rank_of(kind) or None)


def _spectra(arguments: Arguments) -> Kind:
    """Along several axes; along none it is the operand itself."""
    kind = first(arguments)
    if kind is None:
        return UNKNOWN
    some = is_none(arguments, "s") and (is_none(arguments, "axes") or arguments["axes"][1] == (-2, -1))
    rank = rank_of(kind) or None
    return Array(COMPLEX.get(array_dtype(kind), "any") if some and rank else "any", rank)


def _signal(arguments: Arguments) -> Kind:
    kind = first(arguments)
    return UNKNOWN if kind is None else Array(REAL.get(array_dtype(kind), "real"), rank_of(kind) or None)


def _back(arguments: Arguments) -> Kind:
    """A transposed transform: as real as its `dtype` says, which is not known."""
    rank = rank_of_shape(arguments)
    return Array("any", rank) if rank else NumberOrArray(False)


def _sinusoids(arguments: Arguments) -> Kind:
    """A transform of real numbers, and of both parts of complex ones."""
    kind = first(arguments)
    return UNKNOWN if kind is None else Array(SAME.get(array_dtype(kind), "any"), rank_of(kind) or None)


def _with_axes(arguments: Arguments, more: int) -> Kind:
    """An array of floats, of so many more axes."""
    kind = _sinusoids(arguments)
    return Array(kind.dtype, kind.rank + more if kind.rank else None) if isinstance(kind, Array) else UNKNOWN


def _several(of: Word, arguments: Arguments) -> Kind:
    """Along several axes SciPy gives the operand itself where there are none, even a list."""
    some = is_none(arguments, "s") and (is_none(arguments, "axes") or arguments["axes"][1] == (-2, -1))
    return of(arguments) if some and rank_of(first(arguments) or UNKNOWN) else UNKNOWN


def _several_spectra(arguments: Arguments) -> Kind:
    return _several(_spectrum, arguments)


def _several_sinusoids(arguments: Arguments) -> Kind:
    return _several(_sinusoids, arguments)


WORDS: Mapping[str, Word] = {
    "spectrum": _spectrum,
    "spectra": _spectra,
    "signal": _signal,
    "sinusoids": _sinusoids,
    "spectra of SciPy": _several_spectra,
    "several sinusoids": _several_sinusoids,
    "same precision": _sinusoids,
    "frames": lambda arguments: _with_axes(arguments, 1),
    "signals of frames": lambda arguments: _with_axes(arguments, -1),
    "vector of doubles": lambda arguments: Array("f8", 1),
    "transform back": _back,
}
