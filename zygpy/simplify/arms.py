"""What one arm of a branch stashes for its own adjoint alone is stashed in the arm; which arm ran is then
told by whether there is such a part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from zygpy.ir.nodes import gast, names_in, quote_expression, stores_in
from zygpy.simplify.stashes import correspond, is_pair, name_of, only, unpacks
from zygpy.simplify.trees import Block, Node, assigned_name, changed


def stash_in_arms(forward: Node, adjoint: Node) -> tuple[Node, Node]:
    """The pair with the stash of a branch in the arm that needs it.

    Requires: the pair is as `transform` wrote it. Ensures: a variable goes into an arm's part only if it
    is bound before the branch, once, and read by the adjoint of that arm alone.

    >>> import ast
    >>> from zygpy.ir.nodes import quote, to_python_ast
    >>> (forward,) = quote('''
    ... def f(x):
    ...     t = x > 0
    ...     if t:
    ...         y = x
    ...         branch = None
    ...     else:
    ...         s = x * x
    ...         y = s * x
    ...         branch = s
    ...     return y, (x, t, branch)
    ... ''')
    >>> (adjoint,) = quote('''
    ... def g(stash, y_bar):
    ...     x, t, branch = stash
    ...     if t:
    ...         x_bar = y_bar
    ...     else:
    ...         s = branch
    ...         x_bar = y_bar * s + y_bar * 2 * x * x
    ...     return x_bar,
    ... ''')
    >>> for side in stash_in_arms(forward, adjoint):
    ...     print(ast.unparse(to_python_ast(side)))
    def f(x):
        t = x > 0
        if t:
            y = x
            branch = None
        else:
            s = x * x
            y = s * x
            branch = (x, s)
        return (y, branch)
    def g(stash, y_bar):
        branch = stash
        if branch is None:
            x_bar = y_bar
        else:
            x, s = branch
            x_bar = y_bar * s + y_bar * 2 * x * x
        return (x_bar,)
    """
    counts = _Counts.of(forward, adjoint)
    while (pair := _next(forward, adjoint, counts)) is not None:
        counts.note(forward, adjoint, *pair)
        forward, adjoint = pair
    return forward, adjoint


@dataclass(frozen=True)
class _Counts:
    """How often the adjoint mentions each name, and binds it, and how often the forward binds it: counted
    once, and then again only in statements that others take the place of."""

    mentions: Counter[str]
    bindings: Counter[str]
    stores: Counter[str]

    @staticmethod
    def of(forward: Node, adjoint: Node) -> _Counts:
        return _Counts(Counter(names_in(adjoint.body)), _stores(adjoint.body), _stores(forward.body))

    def note(self, forward: Node, adjoint: Node, new_forward: Node, new_adjoint: Node) -> None:
        """Count what has become of a pair."""
        for old, new in _replaced(adjoint.body, new_adjoint.body):
            self.mentions.subtract(names_in(old))
            self.mentions.update(names_in(new))
            self.bindings.subtract(_stores(old))
            self.bindings.update(_stores(new))
        for old, new in _replaced(forward.body, new_forward.body):
            self.stores.subtract(_stores(old))
            self.stores.update(_stores(new))


def _replaced(before: Block, after: Block) -> Iterator[tuple[Block, Block]]:
    """The statements of a block that are not in another one, and those that have taken their place."""
    old, new = set(map(id, before)), set(map(id, after))
    yield [one for one in before if id(one) not in new], [one for one in after if id(one) not in old]


def _next(forward: Node, adjoint: Node, counts: _Counts) -> tuple[Node, Node] | None:
    """The pair with one more branch rewritten, None if there is none."""
    found = _Stash.of(forward, adjoint, counts)
    for statement in adjoint.body if found is not None else ():
        branch = _branch_of(found, statement) if found and isinstance(statement, gast.If) else None
        if found is not None and branch is not None and _has_more_to_tell(found, branch):
            return _rewritten(found, branch)
    return None


def _has_more_to_tell(stash: _Stash, branch: _Branch) -> bool:
    """Whether anything changes: something goes into the part, or the part tells which arm ran."""
    moved = any(_is_private(stash, branch, place) for place in range(len(stash.values.elts)))
    return moved or isinstance(_end(branch.here, branch.with_part).value, gast.Tuple)


@dataclass(frozen=True)
class _Stash:
    """What the forward returns as its stash, and how the adjoint unpacks it."""

    forward: Node
    adjoint: Node
    values: Node
    targets: Node
    counts: _Counts

    @staticmethod
    def of(forward: Node, adjoint: Node, counts: _Counts) -> _Stash | None:
        """The stash of a pair, if both sides have it as a tuple of as many entries."""
        last, first = forward.body[-1], adjoint.body[0]
        value: Node = getattr(last, "value", None)
        if not isinstance(last, gast.Return) or not is_pair(value):
            return None
        parameter = adjoint.args.args[0].id
        if counts.mentions[parameter] != 1 or not unpacks(first, parameter):
            return None
        values, targets = value.elts[1], first.targets[0]
        return _Stash(forward, adjoint, values, targets, counts) if correspond(targets, [values]) else None

    def place(self, target: str) -> int | None:
        """Where the adjoint has a variable of that name."""
        names = [name_of(element) for element in self.targets.elts]
        return names.index(target) if names.count(target) == 1 else None


@dataclass(frozen=True)
class _Branch:
    """A branch in both sides of a pair: one arm stashes a part, the other None."""

    test: int  # the place of the condition in the stash
    part: int  # the place of the part
    here: Node  # the `if` of the forward
    there: Node  # the `if` of the adjoint
    with_part: bool  # whether the part is stashed where the condition holds
    since: Block  # the forward from the `if` on

    @cached_property
    def read(self) -> Counter[str]:
        """How often the adjoint of the arm with the part mentions each name."""
        return Counter(names_in(self.there.body if self.with_part else self.there.orelse))

    @cached_property
    def bound_since(self) -> Counter[str]:
        """How often the forward binds each name from the `if` on."""
        return _stores(self.since)


def _branch_of(stash: _Stash, there: Node) -> _Branch | None:
    """The branch that an `if` of the adjoint mirrors."""
    condition = name_of(there.test)
    test = stash.place(condition) if condition is not None else None
    if test is None or condition is None or stash.counts.mentions[condition] != 2:
        return None
    for with_part, arm in ((True, there.body), (False, there.orelse)):
        part = _part_of(stash, arm)
        here = _mirrored(stash, test, part, with_part) if part is not None else None
        if part is not None and here is not None:
            since = stash.forward.body[stash.forward.body.index(here) :]
            return _Branch(test, part, here, there, with_part, since)
    return None


def _part_of(stash: _Stash, arm: Block) -> int | None:
    """The place of the part that an arm of the adjoint begins by unpacking."""
    if not arm or not isinstance(arm[0], gast.Assign):
        return None
    part = name_of(arm[0].value)
    if part is None or stash.counts.mentions[part] != 2:
        return None
    return stash.place(part)


def _mirrored(stash: _Stash, test: int, part: int, with_part: bool) -> Node | None:
    """The `if` of the forward that stashes the part in one arm and None in the other, last of all."""
    condition, variable = name_of(stash.values.elts[test]), name_of(stash.values.elts[part])
    if condition is None or variable is None:
        return None
    for statement in stash.forward.body:
        if (
            isinstance(statement, gast.If)
            and name_of(statement.test) == condition
            and stash.counts.stores[variable] == 2
        ):
            arms = (statement.body, statement.orelse) if with_part else (statement.orelse, statement.body)
            ends = [arm[-1] if arm and assigned_name(arm[-1]) == variable else None for arm in arms]
            values: list[Node] = [getattr(end, "value", None) for end in ends]
            if all(values) and _is_none(values[1]):
                return None if _is_none(values[0]) else statement
    return None


def _rewritten(stash: _Stash, branch: _Branch) -> tuple[Node, Node]:
    """Both sides with what the arm alone needs in its part, and without the condition."""
    moved = [place for place in range(len(stash.values.elts)) if _is_private(stash, branch, place)]
    dropped = {*moved, branch.test}
    keep = [place for place in range(len(stash.values.elts)) if place not in dropped]
    return _new_forward(stash, branch, moved, keep), _new_adjoint(stash, branch, moved, keep)


def _is_private(stash: _Stash, branch: _Branch, place: int) -> bool:
    """Whether an entry is bound before the branch and read by the adjoint of one arm alone."""
    target, value = name_of(stash.targets.elts[place]), name_of(stash.values.elts[place])
    if place in (branch.test, branch.part) or target is None or value is None:
        return False
    inside = branch.read[target]
    if inside == 0 or stash.counts.mentions[target] != inside + 1:
        return False
    return stash.counts.bindings[target] == 1 and value not in branch.bound_since


def _new_forward(stash: _Stash, branch: _Branch, moved: list[int], keep: list[int]) -> Node:
    end = _end(branch.here, branch.with_part)
    added = [stash.values.elts[place] for place in moved]
    longer = changed(end, value=_joined(added, end.value, gast.Load()))
    here = _with_arm(branch.here, branch.with_part, lambda arm: [*arm[:-1], longer])
    last = stash.forward.body[-1]
    pair = changed(last.value, elts=[last.value.elts[0], only(stash.values, keep)])
    body = [here if statement is branch.here else statement for statement in stash.forward.body[:-1]]
    return changed(stash.forward, body=[*body, changed(last, value=pair)])


def _new_adjoint(stash: _Stash, branch: _Branch, moved: list[int], keep: list[int]) -> Node:
    added = [stash.targets.elts[place] for place in moved]
    whole = not isinstance(_end(branch.here, branch.with_part).value, gast.Tuple)

    def unpacking_more(arm: Block) -> Block:
        first = changed(arm[0], targets=[_joined(added, arm[0].targets[0], gast.Store(), whole=whole)])
        return [first, *arm[1:]]

    there = _with_arm(branch.there, branch.with_part, unpacking_more)
    operator = "is not" if branch.with_part else "is"
    part = name_of(stash.targets.elts[branch.part])
    assert part is not None
    there = changed(there, test=quote_expression(f"$x {operator} None", x=part))
    first = changed(stash.adjoint.body[0], targets=[only(stash.targets, keep)])
    rest = [there if statement is branch.there else statement for statement in stash.adjoint.body[1:]]
    return changed(stash.adjoint, body=[first, *rest])


def _joined(added: list[Node], node: Node, context: Node, *, whole: bool = False) -> Node:
    """A tuple with some more entries in front; `whole` ones are one entry, also where it is unpacked."""
    if not added:
        return node
    items = node.elts if isinstance(node, gast.Tuple) and not whole else [node]
    return gast.Tuple([*added, *items], context)


def _with_arm(statement: Node, with_part: bool, rewrite: Callable[[Block], Block]) -> Node:
    if with_part:
        return changed(statement, body=rewrite(statement.body))
    return changed(statement, orelse=rewrite(statement.orelse))


def _end(statement: Node, with_part: bool) -> Node:
    return (statement.body if with_part else statement.orelse)[-1]


def _stores(block: Block) -> Counter[str]:
    return Counter(stores_in(block))


def _is_none(node: Node) -> bool:
    return isinstance(node, gast.Constant) and node.value is None
