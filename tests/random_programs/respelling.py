"""Programs in other words: expressions and statements are put into forms that Python has for the same.

What comes out computes much the same, by other ways; it is judged by itself, against differences, so a
form may do a little more or less than what it is put in place of.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from random import Random
from typing import Any

from tests.random_programs.form_helpers import HELPERS
from tests.random_programs.forms import AROUND, EXPRESSIONS, IN_PLACE, LOOPS, OPERATORS, VALUES, WALKS

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
SCOPES = (ast.FunctionDef, ast.Lambda, ast.ClassDef, *COMPREHENSIONS)
STAYS = (ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.Starred)
LEAVES = (ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Global, ast.Nonlocal)


def respelled(text: str, seed: int, changes: int) -> str:
    """The text of a module with so many changes of its functions."""
    random, tree = Random(f"respelled {seed}"), ast.parse(text)
    words = Words(random)
    functions = list(functions_in(tree))
    for _ in range(changes):
        name = "program" if random.random() < 0.7 else random.choice(functions).name
        words.change(next(one for one in functions if one.name == name))
    place = next(k for k, one in enumerate(tree.body) if isinstance(one, ast.FunctionDef | ast.ClassDef))
    start = next(k for k, one in enumerate(tree.body) if getattr(one, "name", "") == "Stop")
    tree.body[max(place, start) : max(place, start)] = helpers_of(tree)
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def helpers_of(tree: ast.Module) -> list[ast.stmt]:
    """What a module makes use of, in the order in which it is defined."""
    helpers, used = ast.parse(HELPERS).body, mentioned_in(tree)
    found: set[ast.stmt] = set()
    while more := {one for one in helpers if one not in found and names_bound_by(one) & used}:
        found |= more
        used = used.union(*map(mentioned_in, more))
    return [one for one in helpers if one in found]


def mentioned_in(node: ast.AST) -> set[str]:
    """The names of variables in a piece of text."""
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def names_bound_by(statement: Any) -> set[str]:
    """The names that a helper goes by."""
    targets = getattr(statement, "targets", ())
    return {getattr(statement, "name", ""), *(one.id for one in targets)} - {""}


def functions_in(tree: ast.Module) -> Iterator[Any]:
    """The functions of a module, and the methods of its classes; `program` may stand in another function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name != "__new__":
            yield node


class Words:
    """Changes of functions, one after the other."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.count = itertools.count(1)

    def change(self, function: Any) -> None:
        """Change one place of a function, if there is one for the change that is drawn."""
        often = (self.expression, self.value)
        rest = (self.around, self.walk, self.inner, self.operator, self.store)
        self.random.choice((*often, *often, *rest))(function)

    def filled(self, form: str, **parts: Any) -> list[Any]:
        """The statements of a form."""
        number = next(self.count)
        texts = {key: ast.unparse(part) if isinstance(part, ast.AST) else part for key, part in parts.items()}
        statement = texts.pop("s", None)
        names = {"q": f"q_{number}", "p": f"p_{number}"}
        text = form.replace("{s}", "S__") if statement is not None else form
        tree = ast.parse(text.format(**texts, **names))
        if statement is not None:
            put_in_place(tree, ast.parse(statement).body)
        return tree.body

    def expression(self, function: Any) -> None:
        """An expression in another form."""
        places = [place for place in expressions(function) if is_movable(place[-1])]
        if not places:
            return
        holder, key, index, node = self.random.choice(places)
        form = with_n(function, self.random.choice(EXPRESSIONS))
        put(holder, key, index, self.filled(form, e=node)[0].value)

    def operator(self, function: Any) -> None:
        """An operator as a function, an item or an attribute by a call, arguments from containers."""
        places = [(place, forms) for place in expressions(function) if (forms := called_forms(place[-1]))]
        if places:
            (holder, key, index, _), forms = self.random.choice(places)
            put(holder, key, index, ast.parse(self.random.choice(forms), mode="eval").body)

    def store(self, function: Any) -> None:
        """What stores something, in another form."""
        places = [
            (block, index, forms)
            for block, index in statements(function)
            if (forms := storing_forms(block[index])) and not calls_super(block[index])
        ]
        if places:
            block, index, forms = self.random.choice(places)
            block[index : index + 1] = ast.parse(self.random.choice(forms)).body

    def value(self, function: Any) -> None:
        """An assignment to a variable, or the value that is returned, in another form."""
        places = []
        for block, index in statements(function):
            node = block[index]
            target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
            named = isinstance(target, ast.Name) and not has(node, STAYS) and not calls_super(node)
            if named or (isinstance(node, ast.Return) and node.value and is_movable(node.value)):
                places.append((block, index))
        if not places:
            return
        block, index = self.random.choice(places)
        node, form = block[index], with_n(function, self.random.choice(VALUES))
        if isinstance(node, ast.Return):
            name = f"r_{next(self.count)}"
            new = [*self.filled(form, t=name, e=node.value), *ast.parse("return " + name).body]
        else:
            new = self.filled(form, t=node.targets[0].id, e=node.value)
        block[index : index + 1] = new

    def around(self, function: Any) -> None:
        """A statement inside another one."""
        declaring = (ast.Global, ast.Nonlocal)
        places = [(block, k) for block, k in statements(function) if not has(block[k], declaring)]
        if not places:
            return
        block, index = self.random.choice(places)
        node = block[index]
        loops = not has(node, (ast.Break, ast.Continue))
        form = self.random.choice((*AROUND, *(LOOPS if loops else ())))
        block[index : index + 1] = self.filled(with_n(function, form), s=node)

    def walk(self, function: Any) -> None:
        """A loop over the same items."""
        places = [one for block, k in statements(function) if isinstance(one := block[k], ast.For)]
        if not places:
            return
        loop = self.random.choice(places)
        loop.iter = self.filled(self.random.choice(WALKS), i=loop.iter)[0].value

    def inner(self, function: Any) -> None:
        """A statement in a function of its own, which shares its variables."""
        places = [
            (block, index)
            for block, index in statements(function)
            if not has(block[index], (*LEAVES, ast.Delete, ast.Import, ast.AnnAssign))
            and not calls_super(block[index])
        ]
        if not places:
            return
        block, index = self.random.choice(places)
        node, name = block[index], f"inner_{next(self.count)}"
        stored, outer = stored_in([node]), declared(function, ast.Global)
        shared = sorted(stored - outer)
        lines = [f"if 0:\n    {one} = None" for one in shared]
        body = [f"    nonlocal {', '.join(shared)}"] if shared else []
        body += [f"    global {', '.join(sorted(stored & outer))}"] if stored & outer else []
        text = "\n".join([*lines, f"def {name}():", *body, "    S__", f"{name}()"])
        tree = ast.parse(text)
        put_in_place(tree, [node])
        block[index : index + 1] = tree.body


def with_n(function: Any, form: str) -> str:
    """A form for a function, which may have no parameter `n`."""
    if "n" in parameters_of(function):
        return form
    for old, new in WITHOUT_N.items():
        form = form.replace(old, new)
    return form


WITHOUT_N = {
    "n < 9": "TOTAL < 9e9",
    "n > 9": "TOTAL > 9e9",
    "match n:": "match LAST:",
    "match (n, 0)": "match (LAST, 0)",
    ":= n)": ":= TOTAL)",
    "{{n}}": "{{TOTAL}}",
}
"""What forms ask of, in functions that have no `n`."""


def put_in_place(tree: Any, new: list[Any]) -> None:
    """Put statements where `S__` stands."""
    for block, index in list(all_statements(tree)):
        node = block[index]
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Name) and node.value.id == "S__":
            block[index : index + 1] = new
            return


def put(holder: Any, key: str, index: int | None, node: Any) -> None:
    """Put a node in the place of another."""
    if index is None:
        setattr(holder, key, node)
    else:
        getattr(holder, key)[index] = node


def blocks(node: Any) -> Iterator[list[Any]]:
    """The blocks of a statement."""
    for key in ("body", "orelse", "finalbody"):
        block = getattr(node, key, None)
        if isinstance(block, list):
            yield block
    for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield part.body


def statements(function: Any) -> Iterator[tuple[list[Any], int]]:
    """The places of the statements of a function, not of functions and classes in it."""
    for block in blocks(function):
        for index, statement in enumerate(block):
            yield block, index
            if not isinstance(statement, SCOPES):
                yield from statements(statement)


def all_statements(tree: Any) -> Iterator[tuple[list[Any], int]]:
    """The places of all statements."""
    for block in blocks(tree):
        for index, statement in enumerate(block):
            yield block, index
            yield from all_statements(statement)


NO_VALUES = ("func", "annotation", "decorator_list")
NOT_VALUES = (ast.Slice, ast.Starred, ast.JoinedStr, ast.FormattedValue, ast.Constant, ast.Tuple)


def expressions(function: Any) -> Iterator[tuple[Any, str, int | None, Any]]:
    """The places of expressions whose value is read, in a function's own code."""
    for block, index in statements(function):
        statement = block[index]
        if not isinstance(statement, SCOPES):
            yield from inside(statement)


def inside(node: Any) -> Iterator[tuple[Any, str, int | None, Any]]:
    """The places of expressions in a statement or an expression, outside of what has a scope of its own."""
    for key, value in ast.iter_fields(node):
        for index, part in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(part, ast.expr) or isinstance(part, SCOPES):
                continue
            read = isinstance(getattr(part, "ctx", ast.Load()), ast.Load)
            if read and key not in NO_VALUES and not isinstance(part, NOT_VALUES):
                yield node, key, index, part
            if not isinstance(part, ast.JoinedStr):
                yield from inside(part)


def is_movable(node: Any) -> bool:
    """Whether an expression may be put into a function or a comprehension."""
    return not has(node, STAYS) and not calls_super(node) and not isinstance(node, NOT_VALUES)


CHANGING = ("append", "extend", "insert", "pop", "remove", "clear", "update", "setdefault", "sort", "reverse")
"""Methods of containers that are refused where they are not called by their names."""


def called_forms(node: Any) -> list[str]:
    """Calls that give what an operator, an index, an attribute or another call gives."""
    match node:
        case ast.BinOp(left, op, right) | ast.Compare(left, [op], [right]) if type(op) in OPERATORS:
            return [f"{OPERATORS[type(op)]}({ast.unparse(left)}, {ast.unparse(right)})"]
        case ast.Subscript(_, ast.Slice()):
            return []
        case ast.Subscript(value, index):
            owner, key = ast.unparse(value), ast.unparse(index)
            return [f"operator.getitem({owner}, {key})", f"operator.itemgetter({key})({owner})"]
        case ast.Attribute(ast.Name() as value, name):
            return [f"getattr({value.id}, {name!r})", f"operator.attrgetter({name!r})({value.id})"]
        case ast.Call() if not has(node, STAYS) and not calls_super(node):
            return called_otherwise(node)
    return []


def called_otherwise(node: ast.Call) -> list[str]:
    """Other forms of a call that has no arguments in containers."""
    if any(one.arg is None for one in node.keywords):
        return []
    given, called = ", ".join(map(ast.unparse, node.args)), f"({ast.unparse(node.func)})"
    named = ", ".join(f"{one.arg!r}: {ast.unparse(one.value)}" for one in node.keywords)
    forms = [f"{called}(*[{given}], **{{{named}}})", f"forwarded({called}, *[{given}], **{{{named}}})"]
    match node.func:
        case ast.Attribute(ast.Name(owner), name) if not node.keywords and name not in CHANGING:
            more = f", {given}" if given else ""
            forms += [
                f"getattr({owner}, {name!r})({given})",
                f"operator.methodcaller({name!r}{more})({owner})",
            ]
    return forms


def storing_forms(node: Any) -> list[str]:
    """Other forms of an assignment to a part of something, or of an augmented one."""
    if has(node, (*STAYS, *COMPREHENSIONS)):
        return []
    match node:
        case ast.AugAssign(target, op, value) if type(op) in IN_PLACE and not has(target, (ast.Call,)):
            place, given = ast.unparse(target), ast.unparse(value)
            return [
                f"{place} = {OPERATORS[type(op)]}({place}, {given})",
                f"{place} = {IN_PLACE[type(op)]}({place}, {given})",
            ]
        case ast.Assign([ast.Attribute(owner, name)], value):
            thing, given = f"({ast.unparse(owner)})", ast.unparse(value)
            return [f"setattr({thing}, {name!r}, {given})", f"{thing}.__setattr__({name!r}, {given})"]
        case ast.Assign([ast.Subscript(owner, index)], value) if not has(index, (ast.Slice,)):
            given = f"{ast.unparse(index)}, {ast.unparse(value)}"
            return [
                f"operator.setitem({ast.unparse(owner)}, {given})",
                f"({ast.unparse(owner)}).__setitem__({given})",
            ]
        case ast.Assign([ast.Name(name)], ast.BinOp(ast.Name(left), op, right)) if (
            name == left and type(op) in IN_PLACE
        ):
            given = ast.unparse(right)
            return [f"{name} = {IN_PLACE[type(op)]}({name}, {given})"]
    return []


def has(node: Any, kinds: tuple[type, ...]) -> bool:
    """Whether nodes of some kinds stand in one."""
    return any(isinstance(one, kinds) for one in ast.walk(node))


def calls_super(node: Any) -> bool:
    """Whether `super` or `__class__` is mentioned."""
    return any(isinstance(one, ast.Name) and one.id in ("super", "__class__") for one in ast.walk(node))


def parameters_of(function: Any) -> set[str]:
    """The parameters of a function."""
    return {one.arg for one in ast.walk(function.args) if isinstance(one, ast.arg)}


def stored_in(nodes: list[Any]) -> set[str]:
    """The variables that statements bind in their own scope."""
    found: set[str] = set()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        match node:
            case ast.Name(name, ast.Store()) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                found.add(name)
            case ast.ExceptHandler(name=str(name)) | ast.MatchMapping(rest=str(name)):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
        if isinstance(node, SCOPES):
            waiting += [one for one in ast.walk(node) if isinstance(one, ast.NamedExpr)]
        else:
            waiting += ast.iter_child_nodes(node)
    return found


def declared(function: Any, kind: type) -> set[str]:
    """The names that a function declares global."""
    nodes = [node for node in ast.walk(function) if isinstance(node, kind)]
    return {name for node in nodes for name in getattr(node, "names", ())}
