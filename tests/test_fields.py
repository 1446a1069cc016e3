"""Fields of objects: the text that is written for them, and what invalidates what was known of a class."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import zygpy


class Particle:
    def __init__(self, place: Any, speed: Any) -> None:
        self.place = place
        self.speed = speed

    def energy(self) -> Any:
        return self.place * self.place + self.speed * self.speed


def oscillate(place: float, steps: int) -> Any:
    particle = Particle(place, 1.0)
    for _ in range(steps):
        particle.speed -= 0.01 * particle.place
        particle.place += 0.01 * particle.speed
    return particle.place


OSCILLATE = """\
def oscillate_forward(place, steps):
    particle = object.__new__(Particle)
    done, __init___stash = __init___forward(particle, place, 1.0)
    for _ in range(steps):
        t_2 = 0.01 * particle.place
        t_6 = particle.speed
        t_6 -= t_2
        particle.speed = t_6
        t_4 = 0.01 * particle.speed
        t_7 = particle.place
        t_7 += t_4
        particle.place = t_7
    return particle.place, (particle, steps, __init___stash)

def oscillate_adjoint(stash, y_bar, store):
    particle, steps, __init___stash = stash
    store.add_key(particle, "place", y_bar)
    for _ in range(steps):
        t_7_bar = store.field(particle, "place")
        store.add_to_field(particle, "speed", t_7_bar * 0.01)
        t_6_bar = store.field(particle, "speed")
        t_2_bar = -t_6_bar
        store.add_to_field(particle, "place", t_2_bar * 0.01)
    _, place_bar, _ = __init___adjoint(__init___stash, None, store)
    return place_bar, None
"""


def test_text_of_an_object_that_is_made_and_changed() -> None:
    assert str(zygpy.show_adjoint(oscillate, 1.0, 3)).strip() == OSCILLATE.strip()


def test_gradient_of_an_object_that_is_made_and_changed() -> None:
    place, speed = 1.0, 0.0  # the tangent of the linear steps
    for _ in range(50):
        speed -= 0.01 * place
        place += 0.01 * speed
    assert zygpy.gradient(oscillate, 2.0, 50)[0] == pytest.approx(place, rel=1e-12)


def test_fields_of_an_argument_that_is_not_changed_need_no_store() -> None:
    def total(particle: Any) -> Any:
        return particle.energy() * particle.place

    text = str(zygpy.show_adjoint(total, Particle(3.0, 2.0)))
    assert "store" not in text
    assert "pull" not in text
    (grad,) = zygpy.gradient(total, Particle(3.0, 2.0))
    assert (grad.place, grad.speed) == (3 * 9.0 + 4.0, 2 * 2.0 * 3.0)


def read(thing: Any) -> Any:
    return thing.value * thing.value


def test_a_property_that_is_added_to_the_class_is_seen() -> None:
    class Thing:
        def __init__(self, value: Any) -> None:
            self.value = value

    thing = Thing(3.0)
    assert zygpy.gradient(read, thing)[0].value == 6.0
    Thing.value = property(lambda self: 5.0 * vars(self)["value"], lambda self, value: None)  # type: ignore[attr-defined]
    assert zygpy.gradient(read, thing)[0].value == 2 * 25.0 * 3.0


def test_a_setattr_that_is_added_to_the_class_is_seen() -> None:
    class Thing:
        value = 0.0

    def store(x: Any) -> Any:
        thing = Thing()
        thing.value = x
        return thing.value * x

    assert zygpy.gradient(store, 3.0) == (6.0,)
    Thing.__setattr__ = lambda self, name, value: object.__setattr__(self, name, 2.0 * value)  # type: ignore[method-assign, assignment]
    assert zygpy.gradient(store, 3.0) == (12.0,)


def test_a_method_that_is_replaced_is_seen() -> None:
    class Thing:
        def __init__(self, value: Any) -> None:
            self.value = value

        def size(self) -> Any:
            return self.value

    def sized(x: Any) -> Any:
        return Thing(x).size() * x

    assert zygpy.gradient(sized, 3.0) == (6.0,)
    Thing.size = lambda self: self.value**2  # type: ignore[method-assign]
    assert zygpy.gradient(sized, 3.0) == (27.0,)
    Thing.__init__ = lambda self, value: setattr(self, "value", 2.0 * value)  # type: ignore[assignment, method-assign, misc]
    assert zygpy.gradient(sized, 3.0) == (108.0,)


def test_objects_of_one_class_with_other_kinds_in_their_fields() -> None:
    def squared(thing: Any) -> Any:
        return np.sum(thing.place * thing.place)

    assert zygpy.gradient(squared, Particle(3.0, None))[0].place == 6.0
    np.testing.assert_allclose(
        zygpy.gradient(squared, Particle(np.arange(3.0), "x"))[0].place, [0.0, 2.0, 4.0]
    )
    single = zygpy.gradient(squared, Particle(np.float32(3.0), 1))[0].place
    assert (single, single.dtype) == (6.0, np.float32)


KNOWN: list[Any] = []


def change_what_is_known() -> None:
    KNOWN[0].place = np.array([2.0, 3.0])


def test_an_argument_that_others_know_may_be_changed_by_them() -> None:
    def changed(particle: Any, x: Any) -> Any:
        before = particle.place * x
        change_what_is_known()
        return before + np.sum(particle.place * x)

    def expected(x: float) -> float:
        return 4.0 * x + 5.0 * x

    particle = Particle(4.0, 1.0)
    KNOWN[:] = [particle]
    value, (_, x_bar) = zygpy.withgradient(changed, particle, 3.0)
    assert value == expected(3.0)
    assert x_bar == 9.0


@dataclass
class Settings:
    rate: float
    history: list[Any] = field(default_factory=list)
    scale: float = field(default=2.0, kw_only=True)


@dataclass(frozen=True)
class Point:
    x: float
    y: float = 3.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "norm", math.hypot(self.x, self.y))


def test_dataclasses_are_initialised_by_what_their_fields_say() -> None:
    def run(rate: float) -> Any:
        settings, other = Settings(rate, scale=rate * rate), Settings(rate, [1.0])
        settings.history.append(settings.rate * settings.scale)
        return settings.history[0] * other.scale + len(other.history) * rate

    text = str(zygpy.show_adjoint(run, 1.5))
    assert "pull_attribute" not in text
    assert zygpy.gradient(run, 1.5) == (pytest.approx(2.0 * 3 * 1.5**2 + 1.0),)


def test_a_frozen_dataclass_that_sets_a_field_past_itself() -> None:
    def norm(x: float) -> Any:
        return Point(x).norm  # type: ignore[attr-defined]

    assert zygpy.gradient(norm, 4.0) == (pytest.approx(0.8),)


def test_a_field_that_is_not_there_raises_what_python_raises() -> None:
    def missing(x: float) -> Any:
        particle = Particle(x, x)
        del particle.speed
        return particle.speed

    with pytest.raises(AttributeError, match="speed"):
        zygpy.gradient(missing, 1.0)


def test_an_initialisation_that_returns_something_raises_what_python_raises() -> None:
    class Wrong:
        def __init__(self, value: Any) -> None:
            self.value = value
            return value  # type: ignore[return-value]

    with pytest.raises(TypeError, match="should return None"):
        zygpy.gradient(lambda x: Wrong(x).value, 1.0)
