"""`_, part = back(y_bar); x_bar = part` is written `_, x_bar = back(y_bar)`."""

from __future__ import annotations

from collections.abc import Iterable

from zygpy.ir.nodes import gast
from zygpy.simplify.liveness import Uses
from zygpy.simplify.trees import Block, Node, assigned_name, changed, map_blocks, mentions, target_names


def rename_targets(block: Block, uses: Uses) -> Block:
    """Bind results to the names that they end up under.

    Requires: `uses` is about these statements (and is kept up to date for those that are renamed).
    Ensures: a value that is bound, not read, and then copied once to another variable of the same
    block is bound to that variable; in between the variable is not mentioned.

    >>> from zygpy.ir.nodes import quote, to_python_ast
    >>> import ast
    >>> body = quote("_, part = back(x); x = part; f(x)")
    >>> uses = Uses()
    >>> uses.put(body[0], "part", 1)
    >>> for statement in rename_targets(body, uses):
    ...     print(ast.unparse(to_python_ast(statement)))
    _, x = back(x)
    f(x)
    """
    return _Renamer(uses).block(block)


class _Renamer:
    """The pass over one block at a time: where names were last bound and last mentioned."""

    def __init__(self, uses: Uses) -> None:
        self.uses = uses
        self.mentions = mentions()

    def block(self, block: Block) -> Block:
        done: list[Node | None] = []
        bound: dict[str, int] = {}
        mentioned: dict[str, int] = {}
        for statement in block:
            place = self._bound_at(statement, bound, mentioned, done)
            if place is not None:
                self._rename(done, place, statement)
                name = assigned_name(statement) or ""
                bound[name] = mentioned[name] = place
                done.append(None)
                continue
            names = self.mentions.of(statement)
            mentioned.update(dict.fromkeys(names, len(done)))
            _bind(statement, names, bound, len(done))
            done.append(map_blocks(statement, self.block))
        return [statement for statement in done if statement is not None]

    def _bound_at(
        self, statement: Node, bound: dict[str, int], mentioned: dict[str, int], done: list[Node | None]
    ) -> int | None:
        """Where the value that the statement copies was bound, if it can be bound to the copy's name."""
        name = assigned_name(statement)
        if name is None or not isinstance(statement.value, gast.Name):
            return None
        place = bound.get(statement.value.id)
        source = done[place] if place is not None else None
        if place is None or source is None or self.uses.of(source, statement.value.id) != 1:
            return None
        free = mentioned.get(name, -1) <= place and name not in target_names(source.targets[0])
        return place if free else None

    def _rename(self, done: list[Node | None], place: int, copy: Node) -> None:
        source = done[place]
        assert source is not None
        old, new = copy.value.id, copy.targets[0].id
        renamed = changed(source, targets=[_renamed(source.targets[0], old, new)])
        for name in target_names(source.targets[0]):
            if name != old:
                self.uses.put(renamed, name, self.uses.of(source, name))
        self.uses.put(renamed, new, self.uses.of(copy, new))
        done[place] = renamed


def _bind(statement: Node, names: Iterable[str], bound: dict[str, int], place: int) -> None:
    """Note what a statement that mentions these names binds; of what others may bind nothing is known."""
    if isinstance(statement, gast.Assign):
        bound.update(dict.fromkeys(target_names(statement.targets[0]), place))
    else:
        for name in names:
            bound.pop(name, None)


def _renamed(target: Node, old: str, new: str) -> Node:
    if isinstance(target, gast.Tuple):
        return changed(target, elts=[_renamed(item, old, new) for item in target.elts])
    if isinstance(target, gast.Starred):
        return changed(target, value=_renamed(target.value, old, new))
    return changed(target, id=new) if isinstance(target, gast.Name) and target.id == old else target
