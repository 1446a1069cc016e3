"""`except*` raises, handles and refuses what Python does; its gradients are in the corpus."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import zygpy as zg
from zygpy.errors import UnsupportedSyntaxError


def group(x: float) -> BaseExceptionGroup[Any]:
    inner = ExceptionGroup("inner", [OSError(x), KeyError(2 * x)])
    return ExceptionGroup("outer", [ValueError(x * x), inner])


def unhandled(x: float) -> None:
    try:
        raise group(x)
    except* TypeError:
        pass


def raised_again(x: float) -> None:
    try:
        raise group(x)
    except* OSError:
        raise


def raised_by_name(x: float) -> None:
    try:
        raise group(x)
    except* OSError as part:
        raise part


def another(x: float) -> None:
    try:
        raise group(x)
    except* OSError as error:
        raise TypeError(x) from error
    except* ValueError:
        pass


def several(x: float) -> None:
    try:
        raise group(x)
    except* OSError:
        raise TypeError(x)  # noqa: B904
    except* ValueError:
        raise


def alone(x: float) -> None:
    try:
        raise KeyError(x)
    except* LookupError:
        raise


def alone_and_unhandled(x: float) -> None:
    try:
        raise KeyError(x)
    except* OSError:
        pass


def beyond_exceptions(x: float) -> None:
    try:
        raise KeyboardInterrupt(x)
    except* KeyboardInterrupt:
        raise


def again_inside_another_handler(x: float) -> None:
    try:
        raise group(x)
    except* OSError:
        try:
            raise TypeError(x)
        except TypeError:
            raise


def no_class(x: float) -> None:
    try:
        raise group(x)
    except* 3:  # type: ignore[misc] # noqa: B030
        pass


def class_of_groups(x: float) -> None:
    try:
        raise group(x)
    except* ExceptionGroup:  # type: ignore[misc]
        pass


def in_a_finally(x: float) -> None:
    try:
        raise group(x)
    except* OSError:
        pass
    finally:
        raise TypeError(x)


RAISING = (
    unhandled,
    raised_again,
    raised_by_name,
    another,
    several,
    alone,
    alone_and_unhandled,
    beyond_exceptions,
    again_inside_another_handler,
    no_class,
    class_of_groups,
    in_a_finally,
)


def failure_of(call: Callable[[], Any]) -> BaseException:
    try:
        call()
    except BaseException as error:
        return error
    raise AssertionError("nothing was raised")


def told(error: BaseException | None) -> Any:
    """What an exception is, with what it came from."""
    return None if error is None else (type(error), repr(error), told(error.__cause__))


@pytest.mark.parametrize("program", RAISING, ids=lambda program: program.__name__)
def test_raises_what_python_raises(program: Any) -> None:
    expected = failure_of(lambda: program(1.5))
    for way in (lambda: zg.pullback(program, 1.5), lambda: zg.pullback(lambda f, x: f[0](x), [program], 1.5)):
        assert told(failure_of(way)) == told(expected)


def test_variable_of_a_clause_is_gone_behind_it() -> None:
    def program(x: float) -> float:
        try:
            raise group(x)
        except* Exception as part:
            x = x * len(part.exceptions)
        return x + part.exceptions[0].args[0]  # type: ignore[name-defined, no-any-return] # noqa: F821

    with pytest.raises(UnboundLocalError):
        zg.gradient(program, 1.5)


def test_division_by_a_function_is_refused() -> None:
    def program(x: float) -> Any:
        try:
            raise group(x)
        except ExceptionGroup as whole:
            part, _ = whole.split(lambda error: isinstance(error, ValueError))
            return part.exceptions[0].args[0]  # type: ignore[union-attr]

    with pytest.raises(UnsupportedSyntaxError, match="'split'"):
        zg.gradient(program, 1.5)
