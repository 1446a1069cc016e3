"""Runs core programs directly, so that what normalise makes can be compared with what Python does."""

from __future__ import annotations

import builtins
import operator
import types
from collections.abc import Callable
from typing import Any

from zygpy.ir import core
from zygpy.ir.nodes import gast, parameter_name, to_python_ast
from zygpy.ir.show import show_params
from zygpy.runtime import helpers

BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "@": operator.matmul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
}
IN_PLACE: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.iadd,
    "-": operator.isub,
    "*": operator.imul,
    "/": operator.itruediv,
    "//": operator.ifloordiv,
    "%": operator.imod,
    "**": operator.ipow,
    "@": operator.imatmul,
    "&": operator.iand,
    "|": operator.ior,
    "^": operator.ixor,
    "<<": operator.ilshift,
    ">>": operator.irshift,
}
COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "is": operator.is_,
    "is not": operator.is_not,
    "in": lambda a, b: a in b,
    "not in": lambda a, b: a not in b,
}
UNARY: dict[str, Callable[[Any], Any]] = {
    "-": operator.neg,
    "+": operator.pos,
    "~": operator.invert,
    "not": operator.not_,
}


class Refused(Exception):
    """A `Refuse` was reached."""


class Interpreter:
    """One call of a core program; `function` is the plain function, for its globals and closure."""

    def __init__(self, program: core.Function, function: Any) -> None:
        self.program = program
        self.globals = function.__globals__
        self.function = function
        self.variables: dict[str, Any] = {}
        closure = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        self.closure: dict[str, types.CellType] = closure
        self.cells = {name: closure.get(name) or types.CellType() for name in program.cells}
        self.late: dict[str, list[types.CellType]] = {}

    def call(self, *args: Any, **kwargs: Any) -> Any:
        self.variables.update(bind(self.function, self.program.params, args, kwargs))
        self.block(self.program.body[:-1])
        last = self.program.body[-1]
        assert isinstance(last, core.Return)
        return self.atom(last.value)

    def block(self, block: core.Block) -> bool:
        """Run a block; whether a Break was reached."""
        return any(self.statement(statement) for statement in block)

    def statement(self, statement: Any) -> bool:
        match statement:
            case core.Break():
                return True
            case core.If(test, then, orelse):
                value = self.atom(test)
                assert type(value) is bool, f"the test {test} is {value!r}"
                return self.block(then if value else orelse)
            case core.Loop(body):
                while not self.block(body):
                    pass
            case core.For(target, iterable, body):
                self.loop(target, iterable, body)
            case core.With(context, target, body):
                self.context(context, target, body)
            case _:
                getattr(self, f"do_{type(statement).__name__.lower()}")(statement)
        return False

    def loop(self, target: Any, iterable: Any, body: core.Block) -> None:
        for value in self.iterable(iterable):
            self.bind_target(target, value)
            if self.block(body):
                break

    def context(self, context: core.Atom, target: str | None, body: core.Block) -> None:
        with self.atom(context) as value:
            if target is not None:
                self.set(target, value)
            assert not self.block(body), "a Break leads out of a With"

    def iterable(self, node: Any) -> Any:
        if not isinstance(node, core.Iterate):
            return self.atom(node)
        keywords = {keyword.name: self.atom(keyword.value) for keyword in node.keywords}
        return self.path(node.func)(*map(self.iterable, node.args), **keywords)

    def bind_target(self, target: Any, value: Any) -> None:
        if isinstance(target, str):
            self.set(target, value)
            return
        items = list(value)
        if len(items) != len(target):
            raise ValueError("unpacking")
        for name, item in zip(target, items, strict=True):
            self.bind_target(name, item)

    def set(self, name: str, value: Any) -> None:
        assert name not in self.cells
        self.variables[name] = value
        for cell in self.late.pop(name, ()):
            cell.cell_contents = value

    def do_assign(self, node: core.Assign) -> None:
        self.set(node.target, self.operation(node.op))

    def do_unpack(self, node: core.Unpack) -> None:
        inner = [f"{'*' * (i == node.star)}v[{i}]" for i in range(len(node.targets))]
        held: dict[int, Any] = {}
        exec(f"[{', '.join(inner)}] = value", {"v": held, "value": self.atom(node.value)})
        for position, name in enumerate(node.targets):
            self.set(name, held[position])

    def do_writecell(self, node: core.WriteCell) -> None:
        self.cells[node.name].cell_contents = self.atom(node.value)

    def do_writeglobal(self, node: core.WriteGlobal) -> None:
        self.globals[node.name] = self.atom(node.value)

    def do_setitem(self, node: core.SetItem) -> None:
        self.atom(node.target)[self.index(node.index)] = self.atom(node.value)

    def do_setattr(self, node: core.SetAttr) -> None:
        setattr(self.atom(node.target), node.name, self.atom(node.value))

    def do_augmentname(self, node: core.AugmentName) -> None:
        self.set(node.target, IN_PLACE[node.op](self.get(node.target), self.atom(node.value)))

    def do_augmentitem(self, node: core.AugmentItem) -> None:
        owner, index = self.atom(node.target), self.index(node.index)
        before = self.get(node.before) if node.before else owner[index]
        owner[index] = IN_PLACE[node.op](before, self.atom(node.value))

    def do_augmentattr(self, node: core.AugmentAttr) -> None:
        owner = self.atom(node.target)
        before = self.get(node.before) if node.before else getattr(owner, node.name)
        setattr(owner, node.name, IN_PLACE[node.op](before, self.atom(node.value)))

    def do_delitem(self, node: core.DelItem) -> None:
        del self.atom(node.target)[self.index(node.index)]

    def do_delattr(self, node: core.DelAttr) -> None:
        delattr(self.atom(node.target), node.name)

    def do_delname(self, node: core.DelName) -> None:
        self.get(node.name)
        del self.variables[node.name]

    def do_raise(self, node: core.Raise) -> None:
        if node.exception is None:
            raise RuntimeError("No active exception to reraise")
        if node.cause is None:
            raise self.atom(node.exception)
        raise self.atom(node.exception) from self.atom(node.cause)

    def do_refuse(self, node: core.Refuse) -> None:
        raise Refused(node.construct)

    def get(self, name: str) -> Any:
        if name not in self.variables:
            raise UnboundLocalError(name)
        return self.variables[name]

    def atom(self, node: core.Atom) -> Any:
        return node.value if isinstance(node, core.Const) else self.get(node.name)

    def path(self, path: core.Path) -> Any:
        value = self.root(path)
        for name in path.names[1:]:
            value = getattr(value, name)
        return value

    def root(self, path: core.Path) -> Any:
        name = path.names[0]
        if path.scope == "captured":
            return self.closure[name].cell_contents
        if path.scope == "builtin":
            return getattr(builtins, name)
        if path.scope == "helper":
            return getattr(helpers, name)
        if name in self.globals:
            return self.globals[name]
        if not hasattr(builtins, name):
            raise NameError(f"name '{name}' is not defined")
        return getattr(builtins, name)

    def index(self, node: Any) -> Any:
        if isinstance(node, core.IndexTuple):
            return tuple(map(self.index, node.items))
        if isinstance(node, core.Slice):
            parts = (node.lower, node.upper, node.step)
            return slice(*(None if part is None else self.atom(part) for part in parts))
        return self.atom(node)

    def operation(self, op: Any) -> Any:
        return getattr(self, f"op_{type(op).__name__.lower()}")(op)

    def op_copy(self, op: core.Copy) -> Any:
        return self.atom(op.value)

    def op_read(self, op: core.Read) -> Any:
        return self.path(op.path)

    def op_readcell(self, op: core.ReadCell) -> Any:
        try:
            return self.cells[op.name].cell_contents
        except ValueError:
            raise UnboundLocalError(op.name) from None

    def op_unary(self, op: core.Unary) -> Any:
        return UNARY[op.op](self.atom(op.operand))

    def op_binary(self, op: core.Binary) -> Any:
        return BINARY[op.op](self.atom(op.left), self.atom(op.right))

    def op_compare(self, op: core.Compare) -> Any:
        return COMPARE[op.op](self.atom(op.left), self.atom(op.right))

    def op_truth(self, op: core.Truth) -> Any:
        return bool(self.atom(op.value))

    def op_getattr(self, op: core.GetAttr) -> Any:
        return getattr(self.atom(op.value), op.name)

    def op_getitem(self, op: core.GetItem) -> Any:
        return self.atom(op.value)[self.index(op.index)]

    def op_call(self, op: core.Call) -> Any:
        function = self.path(op.func) if isinstance(op.func, core.Path) else self.atom(op.func)
        return function(*self.items(op.args), **self.keywords(op.keywords))

    def op_callmethod(self, op: core.CallMethod) -> Any:
        method = getattr(self.atom(op.value), op.name)
        return method(*self.items(op.args), **self.keywords(op.keywords))

    def items(self, items: tuple[Any, ...]) -> list[Any]:
        found: list[Any] = []
        for item in items:
            found.extend(self.atom(item.value) if isinstance(item, core.Star) else [self.atom(item)])
        return found

    def keywords(self, keywords: tuple[core.Keyword, ...]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for keyword in keywords:
            value = self.atom(keyword.value)
            found.update(value if keyword.name is None else {keyword.name: value})
        return found

    def op_display(self, op: core.Display) -> Any:
        return {"tuple": tuple, "list": list, "set": set}[op.kind](self.items(op.items))

    def op_dictdisplay(self, op: core.DictDisplay) -> Any:
        found: dict[Any, Any] = {}
        for key, value in op.items:
            found.update(self.atom(value) if key is None else {self.atom(key): self.atom(value)})
        return found

    def op_format(self, op: core.Format) -> str:
        return "".join(part if isinstance(part, str) else self.part(*part) for part in op.parts)

    def part(self, value: core.Atom, conversion: str, spec: core.Atom | None) -> str:
        shown = {"": lambda v: v, "r": repr, "s": str, "a": ascii}[conversion](self.atom(value))
        return format(shown, "" if spec is None else self.atom(spec))

    def op_makefunction(self, op: core.MakeFunction) -> Any:
        """Compile the function's own tree; ordinary variables are captured by the value they have now."""
        made = compiled(op, self.globals)
        cells = tuple(self.captured_cell(name) for name in made.__code__.co_freevars)
        assert set(made.__code__.co_freevars) == set(op.captured), (op.captured, made.__code__.co_freevars)
        made = types.FunctionType(made.__code__, self.globals, op.name, None, cells)
        give_defaults(made, op, [self.atom(value) for value in op.defaults])
        return made

    def captured_cell(self, name: str) -> types.CellType:
        if name in self.cells:
            return self.cells[name]
        if name in self.variables:
            return types.CellType(self.variables[name])
        if name in self.closure and name not in self.program.params.names:
            return self.closure[name]
        self.late.setdefault(name, []).append(cell := types.CellType())
        return cell


def compiled(op: core.MakeFunction, namespace: dict[str, Any]) -> Any:
    """The function of a tree, made inside a function that has what it captures."""
    outer = gast.parse(f"def make_({', '.join(op.captured)}):\n    return None").body[0]
    if isinstance(op.node, gast.Lambda):
        outer.body[0].value = op.node
    else:
        outer.body[:] = [op.node, *gast.parse(f"def f():\n    return {op.name}").body[0].body]
    bare = gast.Module([outer], [])
    scratch: dict[str, Any] = {}
    names = [value.name for value in op.defaults if isinstance(value, core.Var)]
    exec(compile(to_python_ast(bare), "<core>", "exec"), (space := dict.fromkeys(names, None)), scratch)
    space.update(scratch)
    return scratch["make_"](*[None] * len(op.captured))


def give_defaults(made: Any, op: core.MakeFunction, values: list[Any]) -> None:
    count = len(op.node.args.defaults)
    made.__defaults__ = tuple(values[:count]) or None
    present = [
        parameter_name(parameter)
        for parameter, default in zip(op.node.args.kwonlyargs, op.node.args.kw_defaults, strict=True)
        if default is not None
    ]
    made.__kwdefaults__ = dict(zip(present, values[count:], strict=True)) or None


def bind(function: Any, params: core.Params, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The parameters' values, by a plain function of the same signature that gives its variables back."""
    text = f"lambda {show_params(params)}: dict({', '.join(f'{n}={n}' for n in params.names)})"
    binder = eval(text)
    binder.__defaults__, binder.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    bound: dict[str, Any] = binder(*args, **kwargs)
    return bound
