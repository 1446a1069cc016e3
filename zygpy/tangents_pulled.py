"""Tangents in reverse mode, for products with Hessians: of programs whose gradient is not pushed forward.

The tangent function of a program is code like the program's own, with objects, dicts and exceptions where the
program has them. Its derivative by the argument, along one direction, is the product of the Hessian with that
direction, at the cost of one gradient of a program that does everything twice.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from zygpy import dispatch, pairs_at_hand
from zygpy import doors_pulled as doors_pulled
from zygpy.api import gradient, pullback
from zygpy.derivation import ELSEWHERE
from zygpy.derivatives import pushforward_by_reverse
from zygpy.errors import UnsupportedSyntaxError, ZygpyError
from zygpy.ir.kinds import Kind, NumberOrArray, NumpyScalar, Unknown, is_real, is_scalar
from zygpy.kept import kept, kept_push, unit_of_plain
from zygpy.load.guards import check_not_replaced
from zygpy.load.signatures import signature_of
from zygpy.pushed.found import pushed_by_rule
from zygpy.pushing import Push, push_of
from zygpy.runtime.as_before import AsBefore
from zygpy.runtime.asked_again import BEGUN, check_end
from zygpy.runtime.callables import arrays_found_by
from zygpy.runtime.directions import inner, or_zero
from zygpy.runtime.found_elsewhere import finds_any_of
from zygpy.runtime.instead import differentiated_as
from zygpy.runtime.levels import is_deeper
from zygpy.runtime.lookup import own_things
from zygpy.runtime.mirrors import Mirrors
from zygpy.runtime.modes import Modes
from zygpy.runtime.project import ONE, as_given, one_like, project, scalar_seed
from zygpy.runtime.put_back import Surroundings
from zygpy.runtime.separate import separate
from zygpy.runtime.tangents import direction_of, is_apart
from zygpy.runtime.ways import BY_IDENTITY, PLAIN
from zygpy.runtime.zeros import Begun, CannotPush, has_partner, let_go
from zygpy.tangent_functions import Tangent
from zygpy.units import present_options


def tangent_pull(function: Any, x: Any) -> TangentPull | None:
    """The call of a real function of one argument that is ready for products with its Hessian; None where no
    tangent function is written, or none that can be differentiated."""
    push = push_of(function, (x,), at_once=True, changing=True, elsewhere=True)
    if not isinstance(push, Push) or not _is_right(push.tangent, function, x):
        return other_pull(function, x)
    return _pull(push, function, x)


def other_pull(function: Any, x: Any) -> TangentPull | None:
    """The same in another way, where one has failed: by identity, and then by a tangent function that follows
    whatever any code can reach, if that has turned out to be called. None where there is no other."""
    push = push_of(function, (x,), at_once=True, changing=True, elsewhere=True)
    if isinstance(push, Push) and 0 < len(push.tangent.unpulled) < ATTEMPTS:
        return tangent_pull(function, x)
    if not isinstance(push, Push) or push.tangent.everywhere or len(push.tangent.unpulled) < ATTEMPTS:
        return None
    push = push_of(function, (x,), at_once=True, changing=True, elsewhere=True, everywhere=True)
    if not isinstance(push, Push) or not _is_right(push.tangent, function, x):
        return None
    return _pull(push, function, x)


def _pull(push: Push, function: Any, x: Any) -> TangentPull | None:
    """The call, kept for the next time."""
    kind = push.tangent.result.kind
    if not isinstance(kind, Unknown | NumberOrArray) and not (is_scalar(kind) and may_be_real(kind)):
        return None
    unit = unit_of_plain(function)
    if unit is not None and len(push.values) == 1:
        unit.tangents[_key(x)] = kept(push.at(()), push.tangent.checks)
    return _ready(push, function)


def may_be_real(kind: Kind) -> bool:
    """Whether numbers of a kind may be real, which is asked of each then (`_seed`).

    >>> may_be_real(NumpyScalar("any")), may_be_real(NumpyScalar("c16"))
    (True, False)
    """
    return is_real(kind) or kind == NumpyScalar("any")


def pull_at_hand(function: Any, x: Any) -> TangentPull | None:
    """The same, if it was asked for before and everything is as it was then; else None."""
    unit = unit_of_plain(function)
    known: Push | None = None if unit is None else kept_push(unit, _key(x))
    if known is None or not _is_right(known.tangent, function, x):
        return None
    return _ready(known.at((x,)), function)


def _ready(push: Push, function: Any) -> TangentPull | None:
    """The call, with all that the function finds and may change; None where that could not be put back."""
    if not (push.tangent.elsewhere or push.tangent.everywhere):
        return TangentPull(push, None)
    around = Surroundings.of(function)
    return None if around is None else TangentPull(push, around)


def _is_right(tangent: Tangent, function: Any, x: Any) -> bool:
    """Whether a tangent function may be pulled back at an argument. What it writes to must have one tangent,
    whose shape follows: what is changed must be found in one way."""
    if len(tangent.unpulled) >= ATTEMPTS:
        return False
    if tangent.writes or tangent.elsewhere or tangent.everywhere:
        return is_apart(x) and not finds_any_of(function, x)
    return not _is_found_elsewhere(function, x)


def _is_found_elsewhere(function: Any, x: Any) -> bool:
    """Whether the program finds an argument by another name too, by which that is no part of the argument."""
    arrays = list(_arrays_in(x, set()))
    found = list(arrays_found_by(function)) if arrays else []
    return any(np.may_share_memory(one, other) for one in arrays for other in found)


def _arrays_in(value: Any, met: set[int]) -> Iterator[Any]:
    """The arrays in containers and objects, which may be in one another."""
    if isinstance(value, np.ndarray):
        yield value
        return
    held: Any = value if isinstance(value, tuple | list) else ()
    if isinstance(value, dict) or has_partner(value):
        held = list((value if isinstance(value, dict) else own_things(value)).values())
    if id(value) not in met:
        met.add(id(value))
        for item in held:
            yield from _arrays_in(item, met)


def _key(x: Any) -> Any:
    return "pulled", signature_of((x,)), present_options()


def check_found_once(function: Any, x: Any) -> None:
    """Refuse a function that writes to its argument and finds it by another name too."""
    prepared = dispatch.prepare_given(function, (x,), {}, PLAIN)
    if prepared is not None:
        dispatch.check_found_once(function, (x,), prepared)


EVERYWHERE = BY_IDENTITY._replace(everywhere=True)
"""Whatever any code can reach is followed."""


def product_everywhere(function: Any, x: Any, v: Any) -> Any:
    """The product with the Hessian by the gradient of a gradient, for a function that changes what others can
    reach: one that calls it without knowing it has to follow that. None for any other function."""
    prepared = dispatch.prepare_given(function, (x,), {}, PLAIN)
    if prepared is None or not prepared.pair.identity or ELSEWHERE not in prepared.pair.changes:
        return None
    direction, given = separate(v), as_given(x)

    def slope(z: Any) -> Any:
        return inner(gradient(function, z)[0], direction)

    return or_zero(gradient_everywhere(slope, (x,))[0], given)


def gradient_everywhere(function: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The gradient of a function that calls what it has not known when it was derived, and what that changes
    others can reach."""
    given = [as_given(arg) for arg in args]
    y, raw = dispatch.pull_with(function, args, {}, way=EVERYWHERE)
    bars = raw(scalar_seed(y))[1:]
    return tuple([project(bar, like) for bar, like in zip(bars, given, strict=True)])


ATTEMPTS = 2
"""How often it is tried to pull a tangent function back: in the plain way, and by identity."""


class TangentPull:
    """The call of a tangent function, to be made along any direction and pulled back."""

    def __init__(self, push: Push, around: Surroundings | None) -> None:
        self.push = push
        self.around = around
        before = push.tangent.places[: push.own[0]]
        self.place = push.own[0] + sum(before)  # that of the argument among those of the tangent function

    @property
    def writes(self) -> bool:
        """Whether every call changes the argument, or what others find."""
        return self.push.tangent.writes or self.around is not None

    def anew(self) -> Callable[[Any], Any]:
        """Products, each of which finds the argument, and what others find, as they are now."""
        before = AsBefore(self.push.values)

        def product(v: Any) -> Any:
            before.put_back()
            if self.around is not None:
                self.around.put_back()
            return self.product(v)

        return product

    @property
    def _argument(self) -> Any:
        return self.push.values[self.push.own[0]]

    def product(self, v: Any) -> Any:
        """The product of the Hessian with a direction, None where that is zero.

        Raises CannotPush where it is left to reverse mode, which says what it refuses; what the program
        changes is as it was then.
        """
        push, x = self.push, self._argument
        dots = {push.own[0]: direction_of(v, x)}
        may_write = push.tangent.writes or (push.tangent.asks and type(x) is not float)
        before, given = AsBefore(push.values) if may_write else None, as_given(x)
        try:
            with Begun(Mirrors() if push.tangent.everywhere else None):
                bars = _cotangents(push, dots)
        except Exception as error:
            let_go(error)
            if not (isinstance(error, ZygpyError | CannotPush) or _is_of_a_pullback(error)):
                raise  # it is the program's own
            self._note(error)
            if before is not None:
                before.put_back()
            if self.around is not None:
                self.around.put_back()
            raise CannotPush from error
        check_not_replaced(push.tangent.program.name, push.tangent.checks)
        return project(bars[self.place], given)

    def _note(self, error: Exception) -> None:
        """Remember what failed, so that the next call does not begin in vain: that follows by identity what a
        door has changed."""
        failed = self.push.tangent.unpulled
        again = isinstance(error, UnsupportedSyntaxError) and not failed
        failed += [error] if again else [error] * ATTEMPTS


def by_pullback(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], dots: tuple[Any, ...]) -> Any:
    """The same as `pushed_by_rule`, in code that can be differentiated.

    >>> by_pullback(np.multiply, (2.0, 3.0), {}, (1.0, None))
    3.0
    """

    def called(*moving: Any) -> Any:
        return function(*moving, **kwargs)

    return pushforward_by_reverse(called, *args)(*dots)


differentiated_as(by_pullback)(pushed_by_rule)


def _is_of_a_pullback(error: BaseException) -> bool:
    """Whether an exception came from where the pullback of a rule is differentiated."""
    names = [frame.f_code.co_name for frame, _ in traceback.walk_tb(error.__traceback__)]
    return any(name.startswith(by_pullback.__name__) for name in names)


@is_deeper
def _cotangents(push: Push, dots: dict[int, Any]) -> Any:
    """What the tangent is pulled back to, one level deeper than a gradient."""
    bars = _pulled_back(push, dots)
    if BEGUN:
        check_end(sys._getframe())
    return bars


def _pulled_back(push: Push, dots: dict[int, Any]) -> Any:
    """The same by the way that is known to lead there."""
    function, args = push.tangent.function, tuple(push.with_tangents(dots))
    if push.tangent.everywhere:
        (y, y_dot), raw = dispatch.pull_with(function, args, {}, way=EVERYWHERE)
        return raw((None, _seed(y, y_dot)))[1:]
    if Modes.on:
        (y, y_dot), back = pullback(function, *args)
        return back((None, _seed(y, y_dot)))
    if push.tangent.unpulled:
        (y, y_dot), raw = dispatch.pull_with(function, args, {}, way=BY_IDENTITY)
        return raw((None, _seed(y, y_dot)))[1:]
    known = pairs_at_hand.run(function, args)
    if known is not None:
        (y, y_dot), stash, ready = known
        return pairs_at_hand.pulled(ready, stash, (None, _seed(y, y_dot)))
    (y, y_dot), raw = dispatch.pull_with(function, args, {}, way=PLAIN)
    bars = raw((None, _seed(y, y_dot)))[1:]
    pairs_at_hand.keep(function, args)
    return bars


def _seed(y: Any, y_dot: Any) -> Any:
    """The seed of a tangent, which has to be that of a real number.

    Raises CannotPush where there is none.
    """
    if type(y) is float or type(y) is np.float64:
        if type(y_dot) is np.float64:
            return ONE
        if type(y_dot) is float:
            return 1.0
    if not isinstance(y, float | np.floating) or np.ndim(y_dot) != 0 or np.iscomplexobj(y_dot):
        raise CannotPush
    return one_like(y_dot)
