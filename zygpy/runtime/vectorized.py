"""The program that stands for calls of what `np.vectorize` makes."""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.errors import UnsupportedSyntaxError


def vectorized_call(self: Any, *args: Any, **kwargs: Any) -> Any:
    """`np.vectorize(...)(*args, **kwargs)`."""
    check_vectorized(self, args, kwargs)
    function, excluded = self.pyfunc, self.excluded
    places = [place for place in range(len(args)) if place not in excluded]
    names = [name for name in kwargs if name not in excluded]
    given = [np.asarray(args[place]) for place in places] + [np.asarray(kwargs[name]) for name in names]

    def called(row: Any) -> Any:
        whole = list(args)
        for number in range(len(places)):
            whole[places[number]] = row[number]
        named = {name: kwargs[name] for name in kwargs}
        for number in range(len(names)):
            named[names[number]] = row[len(places) + number]
        return function(*whole, **named)

    if self.signature is not None:
        return called_on_rows(called, given, self.otypes, cores_of(self), lengths_of(self, given))
    if len(given) == 0:
        return function(*args, **kwargs)
    return called_on_elements(called, given, self.otypes, self.cache)


def called_on_elements(called: Any, given: Any, otypes: Any, cache: Any) -> Any:
    """What a function makes of the elements of arrays that are broadcast."""
    shape = np.broadcast_shapes(*[np.shape(one) for one in given])
    columns = [np.ravel(np.broadcast_to(one, shape)).tolist() for one in given]
    results = []
    if otypes is None:
        first = called([np.ravel(one)[0] for one in given])
        types = types_of(first)
        if cache:
            results.append(first)
    else:
        types = list(otypes)
    others = range(len(results), len(columns[0]))
    results = [*results, *[called([column[place] for column in columns]) for place in others]]
    if len(types) == 1:
        return np.reshape(np.array([only(result) for result in results], dtype=types[0]), shape)
    return tuple(
        [
            np.reshape(np.array([result[number] for result in results], dtype=types[number]), shape)
            for number in range(len(types))
        ]
    )


def only(result: Any) -> Any:
    """The one result of a function, which may give it in a tuple."""
    return result[0] if isinstance(result, tuple) and len(result) == 1 else result


def called_on_rows(called: Any, given: Any, otypes: Any, cores: Any, lengths: Any) -> Any:
    """What a function makes of the rows, or matrices, of arrays that are broadcast."""
    shape, sizes, ends = lengths
    whole = [np.broadcast_to(given[number], shape + sizes[number]) for number in range(len(given))]
    results = [called([one[index] for one in whole]) for index in np.ndindex(shape)]
    count = len(cores)
    check_results(results, count)
    rows = [result if isinstance(result, tuple) else (result,) for result in results]
    outputs = []
    for number in range(count):
        if len(rows) == 0:
            outputs.append(np.empty(shape + ends[number], None if otypes is None else otypes[number]))
            continue
        first = np.asarray(rows[0][number])
        dtype = first.dtype if otypes is None else otypes[number]
        items = [np.broadcast_to(np.asarray(row[number]), np.shape(first)).astype(dtype) for row in rows]
        outputs.append(np.reshape(np.stack(items), shape + np.shape(first)))
    return outputs[0] if count == 1 else tuple(outputs)


# ---------------------------------------------------------------------------- what has no derivative


def check_vectorized(vectorizer: Any, args: Any, kwargs: Any) -> None:
    """Raise what NumPy raises before it calls the function, or say that a decorator is called."""
    if vectorizer.pyfunc is np._NoValue:
        raise UnsupportedSyntaxError(
            "'np.vectorize' is used as a decorator in a function that is differentiated.",
            why="what it is given is only then known to be a function",
            instead="give it the function: np.vectorize(f, ...)",
        )
    if vectorizer.signature is None and vectorizer.otypes is None:
        excluded = vectorizer.excluded
        given = [arg for place, arg in enumerate(args) if place not in excluded]
        given += [arg for name, arg in kwargs.items() if name not in excluded]
        if any(np.size(arg) == 0 for arg in given):
            raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")


def check_results(results: Any, count: int) -> None:
    """Raise what NumPy raises for another number of results."""
    for result in results:
        found = len(result) if isinstance(result, tuple) else 1
        if found != count:
            raise ValueError(f"wrong number of outputs from pyfunc: expected {count!r}, got {found!r}")


def types_of(first: Any) -> Any:
    """The dtypes of the results of a function, of which this is the first one."""
    parts = first if isinstance(first, tuple) else (first,)
    return [np.asarray(part).dtype for part in parts]


def cores_of(vectorizer: Any) -> Any:
    """The dimensions of each result, by their names."""
    return vectorizer._in_and_out_core_dims[1]


def lengths_of(vectorizer: Any, given: Any) -> Any:
    """The shape that arrays are broadcast to, and the shapes of their rows, and of those of results as far as
    these are known."""
    cores, results = vectorizer._in_and_out_core_dims
    if len(given) != len(cores):
        raise TypeError(f"wrong number of positional arguments: expected {len(cores)!r}, got {len(given)!r}")
    sizes: dict[str, int] = {}
    outer = []
    for array, core in zip(given, cores, strict=True):
        rank = len(core)
        if array.ndim < rank:
            raise ValueError(
                f"{array.ndim}-dimensional argument does not have enough dimensions for all core"
                f" dimensions {core!r}"
            )
        for name, length in zip(core, array.shape[array.ndim - rank :], strict=True):
            if sizes.setdefault(name, length) != length:
                raise ValueError(
                    f"inconsistent size for core dimension {name!r}: {length!r} vs {sizes[name]!r}"
                )
        outer.append(array.shape[: array.ndim - rank])
    shape = np.broadcast_shapes(*outer)
    rows = [tuple(sizes[name] for name in core) for core in cores]
    ends = [tuple(sizes.get(name, 0) for name in core) for core in results]
    if 0 in shape and (
        vectorizer.otypes is None or any(name not in sizes for core in results for name in core)
    ):
        raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
    return shape, rows, ends
