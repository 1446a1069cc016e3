"""What the adjoint unpacks and does not read is not stashed: the two sides of the stash change together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from zygpy.ir.nodes import gast, name_nodes, names_in, nodes, stores_in
from zygpy.ir.nodes import name as name_node
from zygpy.simplify.evaluation import hidden_names, variables
from zygpy.simplify.stashes import correspond, is_pair, name_of, only, unpacks
from zygpy.simplify.trees import Block, Node, assigned_name, changed, map_blocks, reads, replace_names

Entry = tuple[Node, Node]
"""A target in the adjoint, and what the forward puts there."""


def drop_unused(forward: Node, adjoint: Node) -> Entry:
    """The pair without stash and tape entries that the adjoint calls `_` or has already.

    Requires: the pair is as `transform` wrote it, save that targets which are not read are `_`.
    Ensures: tapes keep their length; an entry goes only where both sides are matched with certainty.

    >>> import ast
    >>> from zygpy.ir.nodes import quote, to_python_ast
    >>> (forward,) = quote("def f(x):\\n    y = x * x\\n    return y, (x, y)")
    >>> (adjoint,) = quote("def g(stash, y_bar):\\n    x, _ = stash\\n    return x,")
    >>> for side in drop_unused(forward, adjoint):
    ...     print(ast.unparse(to_python_ast(side)))
    def f(x):
        y = x * x
        return (y, x)
    def g(stash, y_bar):
        x = stash
        return (x,)
    """
    pair = _Pair(forward, adjoint)
    if not reads(adjoint.body, "_"):
        pair.match_stash()
    return pair.forward, pair.adjoint


class _Pair:
    """The pair while it changes."""

    def __init__(self, forward: Node, adjoint: Node) -> None:
        self.forward = forward
        self.adjoint = adjoint
        self.appends: dict[str, list[Node]] = {}
        self.loops: dict[str, list[Node]] = {}
        self.twins: dict[str, str] = {}
        self.made, self.kept = Counter[str](), Counter[str]()
        self.counted, self.used = Counter[str](), Counter[str]()

    def look(self) -> None:
        """Find the appends to each tape, and the loops that walk each; how often names of the forward are
        assigned and mentioned, and how often names of the adjoint are asked for their length and mentioned.
        """
        self.appends, self.loops = {}, {}
        self.made, self.kept = Counter(), Counter(names_in(self.forward.body))
        self.counted, self.used = Counter(), Counter(names_in(self.adjoint.body))
        for node in nodes(self.forward.body):
            if _is_append(node):
                self.appends.setdefault(node.func.value.id, []).append(node.args[0])
            elif isinstance(node, gast.Assign) and (name := assigned_name(node)) is not None:
                self.made[name] += 1
        for node in nodes(self.adjoint.body):
            if isinstance(node, gast.For):
                for tape in _walked(node):
                    self.loops.setdefault(tape, []).append(node)
            elif (name := _counted(node)) is not None:
                self.counted[name] += 1

    def match_stash(self) -> None:
        """Match what the forward returns as its stash with what the adjoint unpacks."""
        last: Node = self.forward.body[-1]
        returned: Node = getattr(last, "value", None)
        if not isinstance(last, gast.Return) or not is_pair(returned):
            return
        parameter = self.adjoint.args.args[0].id
        mentions = names_in(self.adjoint.body).count(parameter)
        if mentions == 0:
            self._return_stash(last, gast.Constant(None, None))
        unpacking = self.adjoint.body[0]
        if mentions != 1 or not unpacks(unpacking, parameter):
            return
        target, stash = unpacking.targets[0], returned.elts[1]
        if not correspond(target, [stash]):
            return
        keep = self._without_twins(target, stash, _kept(target))
        if len(keep) < len(target.elts):
            self._return_stash(last, only(stash, keep))
            new = changed(unpacking, targets=[only(target, keep)])
            self.adjoint = changed(self.adjoint, body=[new, *self.adjoint.body[1:]])
            self.adjoint = _renamed(self.adjoint, self.twins)
        self.look()
        self.match_tapes([(target.elts[place], stash.elts[place]) for place in keep])
        if len(keep) < len(target.elts):
            self._drop_records([stash])

    def _without_twins(self, target: Node, stash: Node, keep: list[int]) -> list[int]:
        """The places without those of variables that are stashed a second time, noted in `twins`."""
        bindings = Counter(stores_in(self.adjoint.body))
        hidden = hidden_names(self.adjoint.body)
        first: dict[str, str] = {}
        left = []
        for place in keep:
            name, value = name_of(target.elts[place]), name_of(stash.elts[place])
            if name is None or value is None or bindings[name] != 1 or name in hidden:
                left.append(place)
            elif value in first:
                self.twins[name] = first[value]
            else:
                first[value] = name
                left.append(place)
        return left

    def _return_stash(self, last: Node, stash: Node) -> None:
        value = changed(last.value, elts=[last.value.elts[0], stash])
        self.forward = changed(self.forward, body=[*self.forward.body[:-1], changed(last, value=value)])

    def match_tapes(self, entries: Sequence[Entry]) -> None:
        """Match each entry that is a tape with the loop that walks it."""
        for target, value in entries:
            if isinstance(target, gast.Name) and isinstance(value, gast.Name):
                self._match_tape(target.id, value.id)

    def _match_tape(self, walked: str, tape: str) -> None:
        appends, loops = self.appends.get(tape, []), self.loops.get(walked, [])
        if len(loops) != 1 or not appends or not self._is_plain_tape(walked, tape, len(appends)):
            return
        target = _entry_target(loops[0], walked)
        if target is None or not correspond(target, appends):
            return
        keep = _kept(target)
        if len(keep) < len(target.elts):
            self.forward = _with_appends(self.forward, tape, lambda entry: only(entry, keep))
            new = _with_entry_target(loops[0], walked, only(target, keep))
            self.adjoint = _replaced(self.adjoint, loops[0], new)
            self._drop_records(appends)
            self.look()
        same = [place for place in keep if len({name_of(entry.elts[place]) for entry in appends}) == 1]
        self.match_tapes([(target.elts[place], appends[0].elts[place]) for place in same])

    def _is_plain_tape(self, walked: str, tape: str, appends: int) -> bool:
        """Whether the tape is made once, appended to, and stashed; and only walked and counted."""
        return (
            self.made[tape] == 1
            and self.kept[tape] == appends + 2
            and self.used[walked] == self.counted[walked] + 2
        )

    def _drop_records(self, stashes: Sequence[Node]) -> None:
        """Variables that only kept a value for the stash."""
        kept = {found.id for stash in stashes for found in stash.elts if isinstance(found, gast.Name)}
        read = {node.id for node in name_nodes(self.forward.body) if type(node.ctx) is gast.Load}
        unread = kept - read
        if unread & _augmented(self.forward.body):
            unread -= _augmented(self.forward.body) - _counters(self.forward.body)
        if unread:
            known = variables(self.forward)
            unread -= known.hidden

            def rewrite(block: Block) -> Block:
                left = [statement for statement in block if not _records(statement, unread, known.is_steady)]
                return [map_blocks(statement, rewrite) for statement in left] or [gast.Pass()]

            self.forward = changed(self.forward, body=rewrite(self.forward.body))


def _records(statement: Node, names: set[str], is_steady: Callable[[Node], bool]) -> bool:
    target = statement.target if isinstance(statement, gast.AugAssign) else None
    return (name_of(target) or assigned_name(statement)) in names and is_steady(statement.value)


def _augmented(body: Block) -> set[str | None]:
    return {name_of(node.target) for node in nodes(body) if isinstance(node, gast.AugAssign)}


def _counters(body: Block) -> set[str]:
    """The variables that start at 0 and are counted up, and nothing else."""
    bindings = Counter(stores_in(body))
    counts = Counter(_counts(node) for node in nodes(body))
    return {name for name, bound in bindings.items() if counts[name] == bound}


def _counts(statement: Node) -> str | None:
    """The name in `n = 0` and `n += 1`."""
    number = getattr(getattr(statement, "value", None), "value", None)
    if isinstance(statement, gast.AugAssign):
        return name_of(statement.target) if number == 1 else None
    return assigned_name(statement) if number == 0 else None


def _renamed(function: Node, names: dict[str, str]) -> Node:
    found = {old: name_node(new) for old, new in names.items()}
    return (
        changed(function, body=[replace_names(line, found.get) for line in function.body])
        if names
        else function
    )


def _kept(target: Node) -> list[int]:
    """The places of the entries that are read; at least one."""
    places = range(len(target.elts))
    return [place for place in places if name_of(target.elts[place]) != "_"] or [0]


def _is_append(node: Node | None) -> bool:
    return (
        isinstance(node, gast.Call)
        and isinstance(node.func, gast.Attribute)
        and node.func.attr == "append"
        and isinstance(node.func.value, gast.Name)
        and len(node.args) == 1
    )


def _with_appends(function: Node, tape: str, rewrite: Callable[[Node], Node]) -> Node:
    def statement(node: Node) -> Node:
        call: Node = node.value if isinstance(node, gast.Expr) else None
        if _is_append(call) and call.func.value.id == tape:
            return changed(node, value=changed(call, args=[rewrite(call.args[0])]))
        return map_blocks(node, block)

    def block(statements: Block) -> Block:
        return [statement(node) for node in statements]

    return changed(function, body=block(function.body))


def _walked(loop: Node) -> list[str]:
    """The names that the header of a loop walks in reverse."""
    found = [node for node in nodes(loop.iter) if isinstance(node, gast.Call)]
    return [name for node in found for name in names_in(node.args) if _reverses(node, name)]


def _reverses(node: Node, tape: str) -> bool:
    reverses = isinstance(node, gast.Call) and name_of(node.func) == "reversed"
    return reverses and name_of(node.args[0]) == tape


def _counted(node: Node) -> str | None:
    """The name whose length an expression asks for."""
    asks = isinstance(node, gast.Call) and name_of(node.func) == "len"
    return name_of(node.args[0]) if asks else None


def _entry_target(loop: Node, tape: str) -> Node | None:
    """The part of a loop's target that takes the tape's entries."""
    if _reverses(loop.iter, tape):
        return loop.target
    zipped = isinstance(loop.iter, gast.Call) and name_of(loop.iter.func) == "zip"
    if zipped and is_pair(loop.target) and len(loop.iter.args) == 2 and _reverses(loop.iter.args[1], tape):
        return loop.target.elts[1]
    return None


def _with_entry_target(loop: Node, tape: str, target: Node) -> Node:
    if _reverses(loop.iter, tape):
        return changed(loop, target=target)
    return changed(loop, target=changed(loop.target, elts=[loop.target.elts[0], target]))


def _replaced(function: Node, old: Node, new: Node) -> Node:
    def block(statements: Block) -> Block:
        return [new if node is old else map_blocks(node, block) for node in statements]

    return changed(function, body=block(function.body))
