"""What generated code asks about exceptions."""

import pytest

import zygpy
from zygpy.runtime.attempts import (
    LEAVING_TRACES,
    caught,
    check_exception_is_inert,
    check_is_undone,
    check_is_whole,
    is_caught,
)


class Strange(type):
    def __subclasscheck__(cls, other: type) -> bool:
        return True


class Claims(Exception, metaclass=Strange):
    pass


CLASSES = [ZeroDivisionError, ArithmeticError, KeyError, Claims, (KeyError, ValueError), (OSError, Exception)]


@pytest.mark.parametrize("classes", CLASSES, ids=str)
@pytest.mark.parametrize("failure", [ZeroDivisionError(), KeyError("x"), KeyboardInterrupt()], ids=repr)
def test_handlers_catch_what_pythons_own_do(failure: BaseException, classes: object) -> None:
    try:
        raise failure
    except classes:  # type: ignore[misc]
        expected = True
    except BaseException:
        expected = False
    assert is_caught(failure, classes) is expected


@pytest.mark.parametrize("classes", [int, "KeyError", (KeyError, 3)], ids=str)
def test_what_is_no_exception_cannot_be_caught(classes: object) -> None:
    with pytest.raises(TypeError, match="do not inherit from BaseException"):
        is_caught(ValueError(), classes)


def fails() -> None:
    raise ValueError("no")


def caught_from(function: object) -> BaseException:
    _, error = caught(function)  # type: ignore[arg-type]
    assert error is not None
    return error


def test_an_exception_from_a_function_that_may_have_changed_something_is_refused() -> None:
    error = caught_from(fails)
    check_is_undone(error)
    LEAVING_TRACES.add(fails.__code__)
    try:
        with pytest.raises(zygpy.UnsupportedSyntaxError, match="an exception left 'fails'"):
            check_is_undone(error)
    finally:
        LEAVING_TRACES.discard(fails.__code__)


@pytest.mark.parametrize("error", [zygpy.UnsupportedSyntaxError, zygpy.MissingRuleError])
def test_refusals_are_never_values(error: type[Exception]) -> None:
    def refuses() -> None:
        raise error("not this")

    with pytest.raises(error, match="not this"):
        caught(refuses)


def test_cotangents_of_what_an_exception_brought_are_refused() -> None:
    check_exception_is_inert(None)
    with pytest.raises(zygpy.UnsupportedSyntaxError, match="depends on what an exception brought"):
        check_exception_is_inert(1.0)


@pytest.mark.parametrize("error", [FloatingPointError("overflow"), RuntimeWarning("invalid value")])
def test_arithmetic_that_may_have_been_written_in_part_is_refused(error: Exception) -> None:
    check_is_whole(IndexError("out of bounds"))
    with pytest.raises(zygpy.UnsupportedSyntaxError, match="write to an array was caught"):
        check_is_whole(error)
