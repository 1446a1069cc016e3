"""`class` inside a function: the statement stands in a function of its own, which makes the class."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from zygpy.ir.names import Names
from zygpy.ir.nodes import assigned_names, constant, gast, name, nodes, own_nodes, quote, quote_expression
from zygpy.normalise.comprehensions import COMPREHENSIONS
from zygpy.normalise.scopes import comprehension_targets
from zygpy.normalise.trees import at, changed, rewrite


def spell_classes(tree: Any, names: Names, local: frozenset[str]) -> Any:
    """The function with each `class` of its own made by a call.

    `local` are its variables, captured ones included. What the text of the class computes, in order, for
    `name = value` and by calls, is computed in front of the call, and what is stored in the class is stored
    in it once more when it is made, where its gradient is followed. Other variables with which the text
    computes when it is run, and what it reads of the module's, are given to the call: it is refused where
    they have gradients.

    Ensures: `ClassDef` is left in functions inside only, and in a function that is itself such a call: what
    that does is not followed.

    >>> from zygpy.ir.nodes import to_python_ast
    >>> import ast
    >>> tree = gast.parse('''
    ... def f(x):
    ...     class Box:
    ...         size = x
    ...         def twice(self): return 2 * x
    ... ''').body[0]
    >>> print(ast.unparse(to_python_ast(spell_classes(tree, Names({"size"}), frozenset({"x", "Box"})))))
    def f(x):
        size_1 = x
    <BLANKLINE>
        def make_Box(size_2):
    <BLANKLINE>
            class Box:
                __qualname__ = 'f.<locals>.Box'
                size = size_2
    <BLANKLINE>
                def twice(self):
                    return 2 * x
            return Box
        Box = helper:made_class(make_Box, (size_1,))
        Box.size = size_1
    """

    if _makes_a_class(tree):
        return tree

    def spell(node: gast.AST) -> list[gast.stmt] | None:
        return _spelled(node, names, local, tree.name) if isinstance(node, gast.ClassDef) else None

    return rewrite(tree, spell)


def _makes_a_class(tree: Any) -> bool:
    """Whether a function is one in which a `class` statement stands by itself."""
    match tree.body:
        case [*_, gast.ClassDef(body=body), gast.Return(value=gast.Name())]:
            targets = [target for line in body if isinstance(line, gast.Assign) for target in line.targets]
            return any(getattr(target, "id", "") == QUALIFIED for target in targets)
    return False


QUALIFIED = "__qualname__"


def _spelled(node: Any, names: Names, local: frozenset[str], around: str) -> list[gast.stmt]:
    make = names.fresh("make_" + node.name)
    text = _Text(names, local, frozenset(assigned_names(node.body)), stuck=_computes_in_its_head(node))
    text.read = _reads([statement for statement in node.body if _targets(statement)])
    for statement in node.body:
        text.take(statement)
    after = text.stored_behind() if _has_no_head(node) else {}
    qualified = quote("$n = $q", at=node, n=QUALIFIED, q=constant(f"{around}.<locals>.{node.name}"))
    cls = changed(node, body=_behind_text(text.body, qualified))
    values = at(node, gast.Tuple([name(each, at=node) for each in text.fresh], gast.Load()))
    call: Any = quote_expression("$f($m, $c)", at=node, f=name("helper:made_class"), m=name(make), c=values)
    call.args += _computed_with(cls, text, local, after)
    lines = [*_given(_mentions(_read(cls), local - text.bound, node), node), *_declared(node, local), cls]
    maker: Any = quote("def $m(): $lines", at=node, m=make, lines=[*lines, *quote("return $P", P=node.name)])
    maker[0].args.args = [name(each, gast.Param, at=node) for each in text.inside.values()]
    stores = [
        store
        for fresh, target in after.items()
        for store in quote("$P.$f = $t", at=node, P=node.name, f=_mangled(target, node.name), t=fresh)
    ]
    return [*text.before, *maker, *quote("$P = $call", at=node, P=node.name, call=call), *stores]


def _computed_with(cls: Any, text: _Text, local: frozenset[str], after: dict[str, str]) -> list[Any]:
    """What a class computes with, or holds and is not stored in it behind: variables, and what is read of the
    module."""
    computing = changed(cls, bases=[base for base in cls.bases if not isinstance(base, gast.Name)])
    held = [variable for variable, target in text.fresh.items() if target not in after.values()]
    hidden = {*local, *text.bound, *text.inside.values(), cls.name}
    return [
        *_mentions(_read(computing), local - text.bound, cls),
        *[name(each, at=cls) for each in held],
        *_read_of_the_module(cls, hidden),
    ]


def _mangled(field: str, cls: str) -> str:
    """A name in the text of a class as it is stored in the class."""
    private = field.startswith("__") and not field.endswith("__") and cls.strip("_")
    return f"_{cls.lstrip('_')}{field}" if private else field


def _mentions(read: set[str], local: Iterable[str], node: Any) -> list[Any]:
    return [name(each, at=node) for each in sorted(read & set(local) - {node.name})]


def _has_no_head(node: Any) -> bool:
    """Whether nobody else has a say in how a class is made, who would see what it holds by then."""
    return not (node.decorator_list or node.bases or node.keywords)


def _computes_in_its_head(node: Any) -> bool:
    """Whether what stands around the text of a class is computed, from more than constants."""
    heads = [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]
    return any(isinstance(head, gast.Call) and not _is_constant_call(head) for head in heads)


# ------------------------------------------------------------------------------------------- the text

LOOKING = frozenset({"locals", "vars", "dir", "super", "eval", "exec", "__class__", "__module__", QUALIFIED})
"""Names that mean something else outside the text of a class."""

WRAPPERS = frozenset({"property", "staticmethod", "classmethod"})

LITERAL = (
    *(gast.Constant, gast.Tuple, gast.List, gast.Dict, gast.Set, gast.Load),
    *(gast.UnaryOp, gast.BinOp, gast.unaryop, gast.operator),
)


def _is_literal(node: Any) -> bool:
    return all(isinstance(inner, LITERAL) for inner in gast.walk(node))


def _is_constant_call(node: Any) -> bool:
    """Whether a call is given constants alone."""
    values = [*node.args, *(keyword.value for keyword in node.keywords)]
    return all(_is_literal(value) for value in values)


@dataclass
class _Text:
    """The text of a class: what is computed in front of it, and what is left.

    `local` are the variables of the function around it, `bound` the names that it binds, `read` those that
    it reads for others; `known` the variables that have the values of those bound so far, `left` the others.
    It is `stuck` behind a statement that is left and computes: what follows is left too.
    """

    names: Names
    local: frozenset[str]
    bound: frozenset[str]
    stuck: bool
    read: set[str] = field(default_factory=set)
    left: set[str] = field(default_factory=set)
    before: list[Any] = field(default_factory=list)
    body: list[Any] = field(default_factory=list)
    known: dict[str, str] = field(default_factory=dict)
    fresh: dict[str, str] = field(default_factory=dict)
    inside: dict[str, str] = field(default_factory=dict)

    def take(self, statement: Any) -> None:
        """The next statement of the text."""
        targets, value = _targets(statement), getattr(statement, "value", None)
        if isinstance(statement, gast.FunctionDef):
            self._function(statement)
        elif targets and self._moves(targets, value):
            self._assignment(statement, targets)
        elif isinstance(statement, gast.Expr) and not _is_literal(value) and self._may_move(value):
            self.before += quote("$v", at=statement, v=_renamed(value, self.known))
        else:
            self._leave(statement)

    def stored_behind(self) -> dict[str, str]:
        """What is stored in the class when it is made, by the variables that have it: what nothing that is
        left reads or binds."""
        left = [one for one in self.body if not self._gives(one)]
        seen = _reads(left) | set(assigned_names(left))
        last = {target: fresh for fresh, target in self.fresh.items() if target in self.known}
        return {fresh: target for target, fresh in last.items() if target not in seen}

    def _gives(self, statement: Any) -> bool:
        value = getattr(statement, "value", None)
        return isinstance(value, gast.Name) and value.id in self.inside.values()

    def _leave(self, statement: Any) -> None:
        self.body.append(statement)
        for target in assigned_names([statement]):
            self.known.pop(target, None)
            self.left.add(target)
        self.stuck = self.stuck or self._computes(statement)

    def _computes(self, statement: Any) -> bool:
        """Whether what a statement does depends on when it is done."""
        if isinstance(statement, gast.Import | gast.ImportFrom | gast.Pass | gast.FunctionDef):
            return False
        return not _reads([statement]) <= self.bound | WRAPPERS

    def _moves(self, targets: list[Any], value: Any) -> bool:
        if _is_literal(value):
            return any(target.id in self.known or target.id in self.read for target in _named(targets))
        return self._may_move(value)

    def _may_move(self, value: Any) -> bool:
        """Whether an expression means the same in front of the class."""
        read, inside = _reads([value]), _reads_inside(value)
        plain = not any(isinstance(inner, gast.NamedExpr) for inner in nodes(value))
        unknown = (read & self.bound & (self.local | self.left)) - self.known.keys()
        return plain and not (self.stuck or unknown or read & LOOKING or inside & (self.bound | LOOKING))

    def _assignment(self, statement: Any, targets: list[Any]) -> None:
        value = _renamed(statement.value, self.known)
        fresh = {}
        for target in _named(targets):
            fresh[target.id] = self._variable(target.id)
        if isinstance(statement, gast.AnnAssign):
            (variable,) = fresh.values()
            self.before += quote("$t = $v", at=statement, t=variable, v=value)
            inside = self.inside[variable]
            self.body.append(changed(statement, value=name(inside, at=statement)))
        else:
            renamed = rewrite(targets, lambda node: _renamed_name(node, fresh))
            self.before.append(changed(statement, targets=renamed, value=value))
            for target, variable in fresh.items():
                self.body += quote("$n = $t", at=statement, n=target, t=self.inside[variable])
        self.known |= fresh

    def _function(self, statement: Any) -> None:
        """A method: its defaults are computed before, and what its decorators are given."""
        arguments = statement.args
        defaults = [self._value(value) for value in arguments.defaults]
        by_name = [value and self._value(value) for value in arguments.kw_defaults]
        decorators = [self._decorator(each) for each in statement.decorator_list]
        arguments = changed(arguments, defaults=defaults, kw_defaults=by_name)
        self._leave(changed(statement, args=arguments, decorator_list=decorators))

    def _decorator(self, node: Any) -> Any:
        if not isinstance(node, gast.Call):
            return node
        named = [changed(each, value=self._value(each.value)) for each in node.keywords]
        given = [each if isinstance(each, gast.Starred) else self._value(each) for each in node.args]
        return changed(node, args=given, keywords=named)

    def _value(self, value: Any) -> Any:
        """What has the value of an expression; itself where that is a constant, or has to stay."""
        if _is_literal(value) or not self._may_move(value):
            return value
        variable = self._variable("")
        self.before += quote("$t = $v", at=value, t=variable, v=_renamed(value, self.known))
        return name(self.inside[variable], at=value)

    def _variable(self, target: str) -> str:
        """A variable for what the class is to have by a name, and one for what makes the class."""
        stem = target.lstrip("_") or "value"
        variable = self.names.fresh(stem)
        self.fresh[variable] = target
        self.inside[variable] = self.names.fresh(stem)
        return variable


def _targets(statement: Any) -> list[Any]:
    """What an assignment binds, if that is variables only."""
    match statement:
        case gast.Assign(targets=targets):
            plain = all(isinstance(inner, PATTERN) for target in targets for inner in gast.walk(target))
            return targets if plain else []
        case gast.AnnAssign(target=gast.Name() as target, value=gast.AST()):
            return [target]
    return []


PATTERN = (gast.Name, gast.Tuple, gast.List, gast.Starred, gast.expr_context)


def _named(targets: list[Any]) -> list[Any]:
    return [inner for target in targets for inner in gast.walk(target) if isinstance(inner, gast.Name)]


def _renamed(value: Any, known: dict[str, str]) -> Any:
    return rewrite([value], lambda node: _renamed_name(node, known))[0] if known else value


def _renamed_name(node: Any, known: dict[str, str]) -> gast.AST | None:
    return changed(node, id=known[node.id]) if isinstance(node, gast.Name) and node.id in known else None


def _behind_text(body: list[Any], statements: list[gast.stmt]) -> list[Any]:
    """The body of a class with statements at its beginning, behind the text that documents it."""
    match body:
        case [gast.Expr(value=gast.Constant(value=str())), *_]:
            return [body[0], *statements, *body[1:]]
    return [*statements, *body]


def _declared(node: Any, local: frozenset[str]) -> list[gast.stmt]:
    """What makes the class known by its name to its own methods, as the function around it knows it."""
    if node.name not in local:
        return [gast.Global([node.name])]
    inside = {inner.id for inner in nodes(node.body) if isinstance(inner, gast.Name)}
    return [gast.Nonlocal([node.name])] if node.name in inside else []


def _given(given: list[Any], node: Any) -> list[gast.stmt]:
    """A statement that mentions what only the text of the class itself reads."""
    return [gast.copy_location(gast.Expr(gast.Tuple(given, gast.Load())), node)] if given else []


# ---------------------------------------------------------------------------------------- what it reads


def _read(node: Any) -> set[str]:
    """The names that the text of a class reads when it is run, annotations included."""
    heads = [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]
    inner = [child for child in own_nodes(node.body) if isinstance(child, gast.ClassDef)]
    return _reads([*heads, *node.body]).union(*map(_read, inner)) | _annotated(node)


def _annotated(node: Any) -> set[str]:
    """The names in annotations, of the methods' parameters too."""
    found = [
        annotation
        for child in gast.walk(node)
        for field in ("annotation", "returns")
        if isinstance(annotation := getattr(child, field, None), gast.AST)
    ]
    return {child.id for root in found for child in gast.walk(root) if isinstance(child, gast.Name)}


def _reads(roots: Iterable[Any]) -> set[str]:
    """The names that are read, but for the variables of comprehensions."""
    own = list(own_nodes(list(roots)))
    loops = [node for node in own if isinstance(node, COMPREHENSIONS)]
    inner = frozenset().union(*map(comprehension_targets, loops))
    read = {node.id for node in own if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load)}
    return read - inner


def _reads_inside(value: Any) -> set[str]:
    """The names that functions and comprehensions in an expression have from around them: they do not see the
    variables of a class."""
    found: set[str] = set()
    for inner in gast.walk(value):
        if isinstance(inner, gast.Lambda):
            found |= {each.id for each in gast.walk(inner.body) if isinstance(each, gast.Name)}
        elif isinstance(inner, COMPREHENSIONS):
            first = set(gast.walk(inner.generators[0].iter))
            own = comprehension_targets(inner)
            rest = (each for each in gast.walk(inner) if isinstance(each, gast.Name) and each not in first)
            found |= {each.id for each in rest} - own
    return found


def _read_of_the_module(node: Any, hidden: Iterable[str]) -> list[Any]:
    """What the text of a class computes with by names of the module: `LEVEL`, `config.level`."""
    found = {gast.dump(each): each for each in _loads(node) if _root(each) not in set(hidden)}
    return [at(each, changed(each)) for each in found.values()]


def _loads(node: Any) -> Iterator[Any]:
    """The names and chains of attributes that are read, but for what is called and what is a head itself."""
    heads = [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]
    own: list[Any] = list(own_nodes([*(head for head in heads if not _is_path(head)), *node.body]))
    variables = frozenset().union(
        *[comprehension_targets(one) for one in own if isinstance(one, COMPREHENSIONS)]
    )
    passed: set[int] = set()
    for each in own:
        if isinstance(each, gast.Call):
            passed |= {id(part) for part in gast.walk(each.func) if _is_path(each.func)}
        elif isinstance(each, gast.FunctionDef | gast.ClassDef):
            plain = [part for part in each.decorator_list if _is_path(part)]
            passed |= {id(part) for one in plain for part in gast.walk(one)}
    for each in own:
        if isinstance(each, gast.ClassDef):
            inner = frozenset(assigned_names(each.body))
            yield from (one for one in _loads(each) if _root(one) not in inner)
        if id(each) in passed or not _is_path(each) or not isinstance(each.ctx, gast.Load):
            continue
        passed |= {id(part) for part in gast.walk(each)}
        if _root(each) not in variables:
            yield each


def _is_path(node: Any) -> bool:
    while isinstance(node, gast.Attribute):
        node = node.value
    return isinstance(node, gast.Name)


def _root(node: Any) -> str:
    while isinstance(node, gast.Attribute):
        node = node.value
    return str(node.id)
