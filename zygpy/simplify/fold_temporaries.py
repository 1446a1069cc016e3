"""`t_1 = a * b; y = t_1 + c` is written `y = a * b + c`: the user's expressions, as they were."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from zygpy.ir.names import is_temporary
from zygpy.ir.nodes import gast, names_in, nodes
from zygpy.simplify.conditions import (
    as_test,
    choice,
    joined,
    only_value,
    tested_name,
    truth_operand,
)
from zygpy.simplify.evaluation import Variables, events, header
from zygpy.simplify.trees import (
    WIDTH,
    Block,
    Node,
    assigned_name,
    changed,
    map_all_blocks,
    map_blocks,
    replace_names,
    size,
    target_names,
)
from zygpy.simplify.while_loops import with_test


def fold_temporaries(function: Node, names: Variables) -> Node:
    """The forward function with temporaries written where they are read.

    Requires: temporaries come from A-normal form. Ensures: everything that can be noticed happens
    in the same order, which is the order of the user's own expressions: a temporary is folded only
    into the statement that follows the last of its companions, and only where nothing but local
    variables and literals is evaluated in front of it.

    >>> from zygpy.ir.nodes import quote, to_python_ast
    >>> from zygpy.simplify.evaluation import variables
    >>> import ast
    >>> text = "t_1 = f(x)\\nt_2 = g(x)\\nt_3 = t_1 * t_2\\nt_4 = print(t_3)\\nreturn x, None"
    >>> function = quote("def f(x):\\n    $body", body=quote(text))[0]
    >>> print(ast.unparse(to_python_ast(fold_temporaries(function, variables(function)))))
    def f(x):
        print(f(x) * g(x))
        return (x, None)
    """
    folder = _Folder(function, names)
    return changed(function, body=folder.block(function.body))


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A temporary's value that may still be written where it is read, and its assignment's place."""

    name: str
    value: Node
    place: int


class _Lines:
    """The statements of one block that are finished, and the temporaries that wait at their end."""

    def __init__(self) -> None:
        self.done: list[Node | None] = []
        self.waiting: list[_Waiting] = []

    def last(self, name: str, behind: int = 1) -> _Waiting | None:
        """The temporary that was assigned last (or before that), if it has this name."""
        found = self.waiting[-behind] if len(self.waiting) >= behind else None
        return found if found is not None and found.name == name else None

    def drop(self, waiting: _Waiting) -> None:
        """The assignment is not needed any more."""
        self.waiting.remove(waiting)
        self.done[waiting.place] = None


class _Folder:
    """The pass: how often names are read and bound in the whole function changes as it goes on."""

    def __init__(self, function: Node, names: Variables) -> None:
        self.names = names
        self.own = names.steady - names.hidden
        ended = [
            target
            for node in nodes(function.body)
            if isinstance(node, gast.Delete)
            for target in node.targets
        ]
        self.deleted = {name for target in ended for name in target_names(target)}
        self.bound = {argument.id for argument in function.args.args}  # has had a value when we come here
        self.reads: Counter[str] = Counter()
        self.bindings: Counter[str] = Counter()
        for node in nodes(function.body):
            if isinstance(node, gast.Name):
                count = self.reads if isinstance(node.ctx, gast.Load) else self.bindings
                count[node.id] += 1
            if isinstance(node, gast.AugAssign):
                self.reads.update(target_names(node.target))

    def block(self, block: Block) -> Block:
        """The block with its temporaries folded."""
        lines, outside = _Lines(), self.bound.copy()
        for statement in block:
            self._statement(statement, lines)
            if isinstance(statement, gast.Assign):
                self.bound.update(*map(target_names, statement.targets))
        self.bound = outside
        return [statement for statement in lines.done if statement is not None] or [gast.Pass()]

    def _statement(self, statement: Node, lines: _Lines) -> None:
        match statement:
            case gast.If():
                self._branch(statement, lines)
            case gast.While():
                lines.waiting.clear()
                lines.done.append(with_test(map_blocks(statement, self.block)))
            case gast.For() | gast.With():
                folded = self._folded(statement, lines)
                lines.waiting.clear()
                lines.done.append(map_blocks(folded, self.block))
            case gast.Try():
                lines.waiting.clear()
                lines.done.append(self._attempt(statement))
            case _:
                self._plain(statement, lines)

    def _attempt(self, statement: Node) -> Node:
        return map_all_blocks(statement, self.block)

    def _plain(self, statement: Node, lines: _Lines) -> None:
        statement = self._folded(statement, lines)
        name = assigned_name(statement) or ""
        if self._is_own(name) and self.reads[name] == 0:
            self._unread(statement, lines)
        elif self._is_own(name):
            lines.waiting.append(_Waiting(name, statement.value, len(lines.done)))
            lines.done.append(statement)
        else:
            if not self._is_record(statement, lines):
                lines.waiting.clear()
            lines.done.append(statement)

    def _is_own(self, name: str) -> bool:
        return name in self.own and is_temporary(name)

    def _unread(self, statement: Node, lines: _Lines) -> None:
        """A result that nobody reads: the operation remains, if it is one."""
        if not (self._is_idle(statement.value) or isinstance(statement.value, gast.Lambda)):
            lines.waiting.clear()
            lines.done.append(gast.copy_location(gast.Expr(statement.value), statement))

    def _is_idle(self, value: Node) -> bool:
        found = events(value, self.names.local)
        return all(event is not None and self._has_a_value(event.id) for event in found)

    def _has_a_value(self, name: str) -> bool:
        known = is_temporary(name) or (name in self.bound and name not in self.deleted)
        return known and name in self.names.steady

    def _is_record(self, statement: Node, lines: _Lines) -> bool:
        """Whether the statement only keeps values for the adjoint, so that no program can notice when
        it runs, and binds nothing that a waiting temporary is computed from."""
        name = assigned_name(statement)
        if name is not None:
            unused = all(name not in names_in(waiting.value) for waiting in lines.waiting)
            return unused and name in self.names.steady and self.names.is_steady(statement.value)
        call = statement.value if isinstance(statement, gast.Expr) else None
        if not (isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute)):
            return False
        return call.func.attr == "append" and all(_is_tuple_of_names(item) for item in call.args)

    # ------------------------------------------------------------------------------------ folding

    def _folded(self, statement: Node, lines: _Lines) -> Node:
        """The statement with the waiting temporaries that it reads written in their places."""
        for waiting in reversed(lines.waiting):
            new = self._with(statement, waiting) if self._is_single(waiting.name) else None
            if new is not None:
                statement = new
                self.reads[waiting.name] -= 1
                lines.drop(waiting)
            elif not self.names.is_steady(waiting.value):
                break
        return statement

    def _is_single(self, name: str) -> bool:
        return self.reads[name] == 1 and self.bindings[name] == 1

    def _with(self, statement: Node, waiting: _Waiting) -> Node | None:
        """The statement with one temporary folded into it; None if that would change an order."""
        if not self._is_reached(statement, waiting.name):
            return None
        new = _replaced(statement, waiting.name, waiting.value)
        return new if sum(size(part).width for part in header(new)) <= WIDTH else None

    def _is_reached(self, statement: Node, name: str) -> bool:
        for part in header(statement):
            for event in events(part, self.names.local):
                if event is not None and event.id == name:
                    return True
                if event is None or event.id not in self.names.steady:
                    return False
        return False

    # ----------------------------------------------------------------------------------- branches

    def _branch(self, statement: Node, lines: _Lines) -> None:
        body = self.block(statement.body)
        orelse = self.block(statement.orelse) if statement.orelse else []
        branch = changed(statement, body=body, orelse=orelse)
        assignment = self._as_assignment(branch, lines)
        if assignment is not None:
            self._plain(assignment, lines)
            return
        own_test = tested_name(branch.test) is not None
        branch = self._folded(branch, lines)
        lines.waiting.clear()
        lines.done.append(changed(branch, test=as_test(branch.test)) if own_test else branch)

    def _as_assignment(self, branch: Node, lines: _Lines) -> Node | None:
        """A branch that does nothing but choose the value of a temporary, as an assignment."""
        name = assigned_name(branch.body[0]) or ""
        value = only_value(branch.body)
        if not self._is_own(name) or value is None:
            return None
        if not branch.orelse:
            return self._short_circuit(branch, name, value, lines)
        other = only_value(branch.orelse, name)
        return None if other is None else self._choice(branch, name, value, other, lines)

    def _short_circuit(self, branch: Node, name: str, value: Node, lines: _Lines) -> Node | None:
        """`t = a; if t: t = b` (or `if bool(t)`) as `t = a and b`; with `not`, as `t = a or b`."""
        tested, straight = tested_name(branch.test) or ("", True)
        decided = self._decided(tested, name, lines)
        if not decided:
            return None
        new = joined(gast.And if straight else gast.Or, decided[-1].value, value)
        if size(new).width > WIDTH:
            return None
        for waiting in decided:
            lines.drop(waiting)
        self.reads[name] -= 1
        self.bindings[name] -= 1
        return _assignment(branch, branch.body[0], new)

    def _decided(self, tested: str, name: str, lines: _Lines) -> list[_Waiting]:
        """The assignments in front of the test that it makes needless: of its truth, and of `name`."""
        truth = lines.last(tested) if tested != name else None
        first = lines.last(name, 1 if tested == name else 2)
        if tested == name or first is None or truth is None:
            return [first] if tested == name and first is not None else []
        asked = self._is_single(tested) and _asks_for(truth.value, name)
        return [truth, first] if asked else []

    def _choice(self, branch: Node, name: str, value: Node, other: Node, lines: _Lines) -> Node | None:
        test = self._value_behind(branch, value, other, lines)
        new = choice(changed(branch, test=test), value, other)
        if size(new).width > WIDTH:
            return None
        self.bindings[name] -= 1
        self.reads.subtract(names_in(branch.test) + names_in(value) + names_in(other))
        self.reads.update(names_in(new))
        return _assignment(branch, branch.body[0], new)

    def _value_behind(self, branch: Node, value: Node, other: Node, lines: _Lines) -> Node:
        """Of `t_2 = bool(a); if t_2: t = b` with `else: t = a`: `a` itself as the test."""
        tested, straight = tested_name(branch.test) or ("", True)
        waiting = lines.last(tested)
        inner = truth_operand(waiting.value) if waiting is not None else None
        if waiting is None or not (self.names.is_steady(inner) and self._is_single(tested)):
            return branch.test
        if not any(_is_name(side, inner) for side in (value, other)):
            return branch.test
        lines.drop(waiting)
        return inner if straight else changed(branch.test, operand=inner)


def _is_name(node: Node, other: Node) -> bool:
    return isinstance(node, gast.Name) and isinstance(other, gast.Name) and node.id == other.id


def _asks_for(value: Node, name: str) -> bool:
    inner = truth_operand(value)
    return isinstance(inner, gast.Name) and inner.id == name


def _is_tuple_of_names(node: Node) -> bool:
    if isinstance(node, gast.Tuple):
        return all(_is_tuple_of_names(item) for item in node.elts)
    return isinstance(node, gast.Name | gast.Constant)


def _assignment(branch: Node, like: Node, value: Node) -> Node:
    return gast.copy_location(gast.Assign(like.targets, value, None), branch)


def _replaced(statement: Node, name: str, value: Node) -> Node:
    """The statement with a name replaced in what it evaluates itself."""
    found = {name: value}.get
    match statement:
        case gast.If() | gast.While():
            return changed(statement, test=replace_names(statement.test, found))
        case gast.For():
            return changed(statement, iter=replace_names(statement.iter, found))
        case gast.With():
            items = [replace_names(item, found) for item in statement.items]
            return changed(statement, items=items)
    return replace_names(statement, found)
