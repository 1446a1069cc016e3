"""Objects that hold those they were made of: a reverse mode written by hand, differentiated once more."""

import math

import pytest

import zygpy as zg
from tests.counting import counted


class Value:
    def __init__(self, data, parents=()):
        self.data, self.grad = data, 0.0
        self.parents = tuple(parents)
        self.back = lambda: None

    def __add__(self, other):
        made = Value(self.data + other.data, (self, other))

        def back():
            self.grad += made.grad
            other.grad += made.grad

        made.back = back
        return made

    def tanh(self):
        result = math.tanh(self.data)
        made = Value(result, (self,))

        def back():
            self.grad += (1 - result * result) * made.grad

        made.back = back
        return made

    def backward(self):
        order, seen = [], set()

        def build(value):
            if value not in seen:
                seen.add(value)
                for parent in value.parents:
                    build(parent)
                order.append(value)

        build(self)
        self.grad = 1.0
        for value in reversed(order):
            value.back()


def second_of_tanh(numbers):
    """The derivative of tanh of a sum, by the numbers of which the last counts twice."""
    values = [Value(number) for number in numbers]
    total = values[-1]
    for value in values:
        total = total + value
    total.tanh().backward()
    return sum(value.grad for value in values)


def test_second_derivatives_by_a_tape_of_objects():
    numbers = [0.1, -0.2, 0.4]
    inner = math.tanh(sum(numbers) + numbers[-1])
    second = -2 * inner * (1 - inner**2) * (len(numbers) + 1)
    (bars,) = zg.gradient(second_of_tanh, numbers)
    assert bars == pytest.approx([second, second, 2 * second], rel=1e-13)


def test_the_work_is_in_proportion_to_the_graph():
    """What is in a tuple, and in that, was looked at as a whole whenever one was made of it."""
    zg.gradient(second_of_tanh, [0.01] * 4)
    few, many = (counted(lambda n=n: zg.gradient(second_of_tanh, [0.01] * n))[1] for n in (20, 60))
    assert many < 3.6 * few
