"""Objects of several classes that hold each other - expressions, syntax trees - and functions that are found
by the classes of what they are given: by computed names, and by `singledispatch`."""

import abc
import functools
import math

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences
from zygpy.ir.kinds import FLOAT, TEXT, Again, Member, Object, OneOf, closed, in_family, join, kind_of


def derivative(f, x):
    """The derivative of a function of a number, by differences."""
    return differences(lambda v: f(float(v[0])), np.array([x]))[0]


class Expression:
    def __add__(self, other):
        return Add(self, other)

    def __mul__(self, other):
        return Mul(self, other)


class Add(Expression):
    def __init__(self, a, b):
        self.a, self.b = a, b

    def value(self, names):
        return self.a.value(names) + self.b.value(names)


class Mul(Expression):
    def __init__(self, a, b):
        self.a, self.b = a, b

    def value(self, names):
        return self.a.value(names) * self.b.value(names)


class Twice(Mul):
    def value(self, names):
        return 2.0 * super().value(names)


class Const(Expression):
    def __init__(self, v):
        self.v = v

    def value(self, names):
        return self.v


class Name(Expression):
    def __init__(self, name):
        self.name = name

    def value(self, names):
        return names[self.name]


TREE = Add(Mul(Const(2.0), Name("x")), Mul(Name("x"), Add(Const(1.0), Name("x"))))


def built_in_a_loop(x):
    tree = Const(x)
    for i in range(5):
        tree = tree * Const(0.5 * x) + Name("k") if i % 2 else Twice(tree, Const(x))
    return tree.value({"k": x * x})


def shared_and_changed(x):
    leaf = Const(x)
    tree = Add(Mul(leaf, leaf), Mul(leaf, Add(leaf, Const(2))))
    first = tree.value({})
    leaf.v = leaf.v * x
    tree.a.b = Add(leaf, Name("k"))
    return first * tree.value({"k": x + 1.0})


def of_another_class_meanwhile(x):
    tree = Add(Mul(Const(x), Const(2.0)), Mul(Const(x), Add(Const(x), Const(1.0))))
    first = tree.value({})
    tree.a.__class__ = Add
    vars(tree.b)["a"] = Const(3.0 * x)
    return first * tree.value({})


def found_and_changed(x):
    old, TREE.b = TREE.b, Mul(Const(x), Add(Name("x"), Name("x")))
    try:
        changed = TREE.value({"x": x})
    finally:
        TREE.b = old
    return changed * TREE.value({"x": x})


def failing_half_way(x):
    names = {"x": x}
    tree = Add(Mul(Const(x), Name("x")), Mul(Const(x), Name("missing")))
    try:
        return tree.value(names)
    except KeyError:
        return x * names["x"] * 3.0


class Group:
    def __init__(self):
        self.kids, self.scale = [], 1.0

    def value(self, names):
        return self.scale * sum(kid.value(names) for kid in self.kids)


def groups_that_grow(x):
    inner, outer = Group(), Group()
    outer.kids = [Const(x), Add(inner, Const(1.0))]
    inner.kids.append(Mul(Const(x), Const(x)))
    first = outer.value({})
    inner.kids.append(outer.kids[0])
    inner.scale = x
    outer.kids[0] = Add(Group(), Const(x * x))
    return first * outer.value({})


class Cell:
    def __init__(self, x):
        self.x, self.link = x, None


class Link:
    def __init__(self, cell, y):
        self.cell, self.y, cell.link = cell, y, self


def around_a_circle(x):
    cell = Cell(x)
    link = Link(cell, 2.0 * x)
    cell.link.cell.x = cell.x * link.y
    link.cell.link.y = 3.0 * cell.x
    return cell.x * link.y


class Visitor:
    def __init__(self, x):
        self.x, self.seen = x, 0

    def visit(self, node):
        self.seen += 1
        return getattr(self, "visit_" + type(node).__name__)(node)

    def visit_Const(self, node):
        return node.v * self.x

    def visit_Name(self, node):
        return self.x**2

    def visit_Add(self, node):
        return self.visit(node.a) + self.visit(node.b)

    def visit_Mul(self, node):
        return self.visit(node.a) * self.visit(node.b)


class General(Visitor):
    def visit(self, node):
        name = f"visit_{node.__class__.__name__}"
        found = getattr(self, name, None)
        if found is None:
            return self.general_visit(node)
        return found(node)

    visit_Mul = None

    def general_visit(self, node):
        return 7.0 * self.x


class Renaming(Visitor):
    def visit(self, node):
        found = getattr(self, f"visit_{type(node).__name__}".replace("Twice", "Mul"), self.other)
        kept, self.x = self.x, self.x + 0.5
        node = Const(node.v + 1.0) if isinstance(node, Const) else node
        result = found(node)
        self.x = kept
        return result

    def other(self, node):
        return self.x


class OfItself(Visitor):
    def __init__(self, x):
        super().__init__(x)
        self.visit_Const = lambda node: 100.0 * node.v * x


def visited(x):
    visitor = Visitor(x)
    return visitor.visit(TREE) * visitor.seen


def visited_in_general(x):
    return General(x).visit(Add(Group(), Add(Const(x), Name("x"))))


def visited_by_other_names(x):
    return Renaming(x).visit(Twice(Const(x), Add(Twice(Name("x"), Const(2.0)), Cell(x))))


def visited_by_its_own(x):
    return OfItself(x).visit(TREE)


@functools.singledispatch
def size(node, x):
    return 11.0 * x


@size.register(Const)
def _(node, x):
    return node.v * x


@size.register(Add)
def _(node, x):
    return size(node.a, x) * size(node.b, x) + 1.0


@size.register(Mul)
def _(node, x):
    return size(node.a, x) * size(node.b, x) - x


@size.register(list)
def _(nodes, x):
    return sum(size(node, x) for node in nodes)


class Counting:
    def __init__(self, k):
        self.k, self.count = k, 0

    @functools.singledispatchmethod
    def take(self, thing, by):
        return self.k * by

    @take.register(Const)
    def _(self, thing, by):
        self.count += 1
        return thing.v * by * self.count

    @take.register(Name)
    def _(self, thing, by=2.0):
        self.k = self.k * by
        return self.k


def dispatched(x):
    things = [Const(x), TREE, Twice(Const(x), Name("x")), Name("x")]
    return size(TREE, x) + sum(size(thing, x) for thing in things) + size([Const(x), "text"], x)


def dispatched_by_methods(x):
    counting, total = Counting(x), 0.0
    for thing in [Const(x), Name("x"), Const(2.0), Add(Const(x), Const(x))]:
        total = total + counting.take(thing, x)
    return total + counting.take(Name("y")) * counting.count


def valued(x):
    return TREE.value({"x": x})


def visited_in_turn(x):
    visitor = Plain(x)
    return visitor.visit(TREE) * visitor.visit(TREE)


class Plain(Visitor):
    def visit(self, node):
        return getattr(self, "visit_" + type(node).__name__)(node)


def sized(x):
    return size(TREE, x) + size(Const(x), x) + size(Twice(Const(x), Name("x")), x)


def become_a_product(node):
    node.__class__ = Mul


def dispatched_after_another_class(x):
    node = Add(Const(x), Const(3.0))
    become_a_product(node)
    return size(node, x) * type(node)(Const(x), Const(5.0)).value({})


def visited_after_another_class(x):
    visitor, node = Visitor(x), Add(Const(x), Const(3.0))
    first = visitor.visit(node)
    node.__class__ = Mul
    second = getattr(visitor, "visit_" + type(node).__name__)(node)
    for _ in range(2):
        second = second + getattr(visitor, f"visit_{type(node).__name__}")(node)
        node.__class__ = Add
    return first * second


PROGRAMS = (
    built_in_a_loop,
    shared_and_changed,
    of_another_class_meanwhile,
    found_and_changed,
    failing_half_way,
    groups_that_grow,
    around_a_circle,
    visited,
    visited_in_general,
    visited_by_other_names,
    visited_by_its_own,
    dispatched,
    dispatched_by_methods,
    dispatched_after_another_class,
    visited_after_another_class,
    valued,
    visited_in_turn,
    sized,
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_gradients_are_right_whoever_holds_whom(program):
    value, back = zg.pullback(program, 0.7)
    slope = derivative(program, 0.7)
    assert value == program(0.7)
    assert [back(1.0)[0], back(2.0)[0], back(1.0)[0]] == pytest.approx([slope, 2 * slope, slope], rel=1e-7)


@pytest.mark.parametrize("program", PROGRAMS)
def test_other_numbers(program):
    slope = derivative(program, 0.7)
    (narrow,) = zg.gradient(program, np.float32(0.7))
    assert type(narrow) is np.float32
    assert float(narrow) == pytest.approx(slope, rel=1e-4)
    assert zg.gradient(program, 2)[0] == pytest.approx(derivative(program, 2.0), rel=1e-7)


@pytest.mark.parametrize("program", [valued, sized])
def test_second_derivatives_and_directions(program):
    assert zg.pushforward(program, 0.7)(1.0) == pytest.approx(derivative(program, 0.7), rel=1e-7)
    curvature = derivative(lambda x: zg.gradient(program, x)[0], 0.7)
    assert zg.hvp(program, 0.7, 1.0) == pytest.approx(curvature, rel=1e-6)


@pytest.mark.parametrize("program", [built_in_a_loop, valued, visited_in_turn])
def test_nothing_is_found_when_it_runs(program):
    assert "pull" not in str(zg.show_adjoint(program, 0.7))


def test_a_function_that_is_registered_later_is_called():
    @functools.singledispatch
    def price(thing, x):
        return x

    def program(x):
        return price(Const(x), x) * price(Twice(x, x), x)

    assert zg.gradient(program, 3.0)[0] == 6.0
    price.register(Const, lambda thing, x: thing.v * x)
    assert zg.gradient(program, 3.0)[0] == 27.0
    price.register(Mul, lambda thing, x: 5.0 * thing.a)
    assert zg.gradient(program, 3.0)[0] == 5.0 * 27.0
    price.register(Twice, lambda thing, x: 1.0)
    assert zg.gradient(program, 3.0)[0] == 6.0


@functools.singledispatch
def price(thing, x):
    return x


def test_a_function_that_the_program_registers_is_called():
    def program(x):
        first = price(Const(x), x)
        price.register(Const, lambda thing, x: thing.v * x)
        return first * price(Const(x), x)

    value, back = zg.pullback(program, 1.5)
    assert (value, back(1.0)[0]) == pytest.approx((1.5**3, 3 * 1.5**2))


class Priced(abc.ABC):  # noqa: B024  (only its name is registered)
    pass


price.register(Priced, lambda thing, x: x * x)


def priced(x):
    first = price(Name("y"), x)
    Priced.register(Name)
    return first * price(Name("y"), x)


def test_a_class_that_is_registered_unseen_is_refused():
    with pytest.raises(zg.ZygpyError, match="was replaced by another one while 'priced' ran"):
        zg.gradient(priced, 1.5)
    assert price(Name("y"), 1.5) == 1.5**2


def test_a_method_and_a_name_that_are_bound_anew_are_found(monkeypatch):
    assert zg.gradient(visited, 0.7)[0] == pytest.approx(derivative(visited, 0.7))
    monkeypatch.setattr(Visitor, "visit_Name", lambda self, node: 3.0 * self.x)
    assert zg.gradient(visited, 0.7)[0] == pytest.approx(derivative(visited, 0.7))
    monkeypatch.setattr(Visitor, "visit_Other", lambda self, node: math.sin(self.x), raising=False)
    try:
        Const.__name__ = "Other"
        assert zg.gradient(visited, 0.7)[0] == pytest.approx(derivative(visited, 0.7))
    finally:
        Const.__name__ = "Const"


def test_a_tree_that_is_found_is_looked_at_again(monkeypatch):
    def program(x):
        return TREE.value({"x": x})

    assert zg.gradient(program, 2.0)[0] == 2.0 + 1.0 + 2 * 2.0
    monkeypatch.setattr(TREE.a, "a", Const(np.ones(3)))
    assert zg.gradient(lambda x: program(x).sum(), 2.0)[0] == 3 * (1.0 + 1.0 + 2 * 2.0)
    monkeypatch.setattr(TREE.b, "b", Group())
    assert zg.gradient(lambda x: program(x).sum(), 2.0)[0] == 3.0


def test_trees_that_are_given_have_gradients_in_their_form():
    tree = Add(Mul(Const(2.0), Name("x")), Mul(Name("x"), Add(Const(1.0), Const(3))))
    found, slope = zg.gradient(lambda tree, x: tree.value({"x": x}), tree, 3.0)
    assert (found.a.a.v, found.b.b.a.v, found.b.b.b.v, slope) == (3.0, 3.0, 3.0, 6.0)
    tree.b.b.b = Const(np.float32(0.5))  # the next tree has something else in it
    found, slope = zg.gradient(lambda tree, x: tree.value({"x": x}), tree, 3.0)
    assert type(found.b.b.b.v) is np.float32
    assert slope == 3.5


def test_a_family_says_the_same_of_all_its_objects():
    leaf = Object(Const, (("v", FLOAT),))
    inner = Object(Mul, (("a", leaf), ("b", leaf)))
    outer = Object(Add, (("a", inner), ("b", Object(Name, (("name", TEXT),)))))
    known = closed(Object(Mul, (("a", outer), ("b", leaf))))
    assert isinstance(known, Member)
    fields = dict(dict(known.family)[Mul])
    assert fields["a"] == OneOf((Again(Const), Again(Add)))
    assert in_family(known, Again(Mul)) == known == join(known, inner) == join(inner, known)
    assert join(join(leaf, known), join(known, leaf)) == join(leaf, known)
    assert join(known, Object(Mul)) == Object(Mul) == kind_of(TREE.a)
