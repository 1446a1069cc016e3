"""The forms that expressions, statements and loops are put into, and what these make use of.

In a form `e` stands for an expression, `t` for a variable, `s` for a statement, `i` for what a loop walks
over; `p` and `q` are new names.
"""

from __future__ import annotations

import ast

EXPRESSIONS = (
    "(lambda {q}: {q})({e})",
    "(lambda {q}={e}: {q})()",
    "(lambda *, {q}={e}: {q})()",
    "(lambda {q}={e}, {p}={e}: {p})()",
    "(lambda *{q}: {q}[0])({e})",
    "(lambda **{q}: {q}['k'])(k={e})",
    "(lambda {p}, /, *{q}: {p})({e}, 1.5)",
    "(lambda: {e})()",
    "(lambda {q}: lambda: {q})({e})()",
    "functools.partial(lambda {p}, {q}: {p}, {e})(0.5)",
    "functools.partial(lambda {p}, {q}: {q}, 0.5)({q}={e})",
    "functools.reduce(lambda {p}, {q}: {p}, [{e}, 0.5])",
    "[{e}][0]",
    "({e}, 1.5)[0]",
    "[*[{e}]][-1]",
    "(*({e},), 2)[0]",
    "[0.5, {e}][1:][0]",
    "{{'k': {e}}}['k']",
    "{{**{{'k': {e}}}, 'm': 1.0}}['k']",
    "dict(k={e}).get('k')",
    "dict(k={e}).pop('k', None)",
    "dict.fromkeys('k', {e})['k']",
    "dict([('k', {e})])['k']",
    "dict(zip('k', [{e}]))['k']",
    "next(iter({{'k': {e}}}.values()))",
    "list({{'k': {e}}}.items())[0][1]",
    "{{}}.setdefault('k', {e})",
    "{{'m': 0.5}}.get('k', {e})",
    "[{q} for {q} in [{e}]][0]",
    "[{q} for {q} in ({e}, 0.5)][0]",
    "[{p} for {q} in [[{e}]] for {p} in {q}][0]",
    "{{'k': {q} for {q} in [{e}]}}['k']",
    "next({q} for {q} in ({e},))",
    "next(iter([{e}]))",
    "next(iter([]), {e})",
    "list({q} for {q} in [{e}])[0]",
    "next(map(lambda {q}: {q}, [{e}]))",
    "list(map(lambda {p}, {q}: {p}, [{e}], [0.5]))[0]",
    "list(filter(lambda {q}: True, [{e}]))[0]",
    "list(zip([{e}], 'k'))[0][0]",
    "dict(enumerate([{e}]))[0]",
    "list(reversed([{e}, 0.5]))[1]",
    "sorted([{e}], key=lambda {q}: 0)[0]",
    "min([{e}], key=lambda {q}: 1)",
    "max([{e}, 0.5], key=lambda {q}: {q} is not None)",
    "list(itertools.chain([{e}], [0.5]))[0]",
    "list(itertools.islice([{e}, 0.5], 1))[0]",
    "list(itertools.starmap(lambda {p}, {q}: {q}, [(1.0, {e})]))[0]",
    "list(itertools.repeat({e}, 2))[1]",
    "SimpleNamespace(k={e}).k",
    "getattr(SimpleNamespace(k={e}), 'k')",
    "vars(SimpleNamespace(k={e}))['k']",
    "getattr(SimpleNamespace(), 'k', {e})",
    "Both(0.5, {e}).y",
    "Both(x={e}, y=1.0)[0]",
    "Both({e}, 0.5)._asdict()['x']",
    "Both(1.0, 2.0)._replace(y={e}).y",
    "Keeper({e}).thing",
    "Stop(1.0, {e}).thing",
    "Stop({e}).args[0]",
    "({e} if n < 9 else None)",
    "(None if n > 9 else {e})",
    "(None or {e})",
    "(n < 9 and {e})",
    "({q} := {e})",
    "(0, {q} := {e})[1]",
    "operator.itemgetter(1)((0.5, {e}))",
    "operator.attrgetter('k')(SimpleNamespace(k={e}))",
    "copy.copy([{e}])[0]",
    "[[{e}] * 2][0][1]",
    "([] + [{e}])[0]",
    "(() + ({e},))[0]",
    "list([{e}])[0]",
    "tuple([{e}])[0]",
    "list.__getitem__([{e}], 0)",
    "contextlib.nullcontext({e}).__enter__()",
    "same({e})",
    "same(value={e})",
    "same(*[{e}])",
    "same(**{{'value': {e}}})",
    "Same({e}).value",
    "Same({e})()",
    "Same({e}).get()",
    "Same({e}).got",
    "Same.of({e}).value",
    "Same.through({e})",
    "walked({e}).send(None)",
    "list(walked({e}))[0]",
    "[*walked({e})][0]",
    "kept({e})()",
    "wrapped({e})",
    "Frozen({e}).value",
    "dataclasses.replace(Frozen(0.5), value={e}).value",
)
"""Forms of an expression `e` that give it; `p` and `q` are new names."""

VALUES = (
    "{t} = {q} = {e}",
    "{q} = {t} = {e}",
    "({t}, {q}) = ({e}, 0.5)",
    "[{t}] = [{e}]",
    "({q}, *{p}) = (0.5, {e})\n{t} = {p}[0]",
    "({t}, *{p}) = [{e}, 0.5]",
    "for {t} in [{e}]:\n    pass",
    "for {q}, {t} in enumerate([{e}]):\n    pass",
    "with contextlib.nullcontext({e}) as {t}:\n    pass",
    "match {e}:\n    case {q}:\n        {t} = {q}",
    "match [{e}]:\n    case [{q}]:\n        {t} = {q}",
    "match ({e}, 0.5):\n    case ({q}, _):\n        {t} = {q}",
    "match {{'k': {e}}}:\n    case {{'k': {q}}}:\n        {t} = {q}",
    "match SimpleNamespace(k={e}):\n    case SimpleNamespace(k={q}):\n        {t} = {q}",
    "{q}: float = {e}\n{t} = {q}",
    "{q} = [None]\n{q}[0] = {e}\n{t} = {q}[0]",
    "{q} = []\n{q}.append({e})\n{t} = {q}.pop()",
    "{q} = []\n{q} += [{e}]\n{t} = {q}[0]",
    "{q} = []\n{q}.extend([{e}, 0.5])\n{t} = {q}[0]",
    "{q} = [0.5]\n{q}.insert(0, {e})\n{t} = {q}[0]",
    "{q} = [0.5, 1.0]\n{q}[:1] = [{e}]\n{t} = {q}[0]",
    "{q} = {{}}\n{q}['k'] = {e}\n{t} = {q}['k']",
    "{q} = {{}}\n{q}.update(k={e})\n{t} = {q}['k']",
    "{q} = SimpleNamespace()\n{q}.k = {e}\n{t} = {q}.k",
    "{q} = Same(0.5)\n{q}.value = {e}\n{t} = {q}.value",
    "{q} = Same(0.5)\n{q}.put({e})\n{t} = {q}.value",
    "{q} = Same(0.5)\n{q}.got = {e}\n{t} = {q}.got",
    "{q} = Same(0.5)\nsetattr({q}, 'value', {e})\n{t} = {q}.value",
    "def {q}():\n    return {e}\n{t} = {q}()",
    "def {q}({p}={e}):\n    return {p}\n{t} = {q}()",
    "def {q}(*, {p}={e}):\n    yield {p}\n{t} = next({q}())",
    "def {q}():\n    yield {e}\nfor {t} in {q}():\n    break",
    "def {q}():\n    yield from [{e}]\n({t},) = {q}()",
    "try:\n    raise Stop({e})\nexcept Stop as {q}:\n    {p} = {q}.value\n{t} = {p}",
    "try:\n    {p} = {e}\n    raise Halt(0.5)\nexcept Stop:\n    {t} = {p}",
    "try:\n    {q} = {e}\nexcept ZeroDivisionError:\n    raise\nelse:\n    {t} = {q}",
    "try:\n    {q} = {e}\nfinally:\n    {p} = 0.5\n{t} = {q}",
    "while True:\n    {t} = {e}\n    if n < 9:\n        break",
    "if ({q} := {e}) is not None:\n    {t} = {q}\nelse:\n    {t} = None",
    "class {q}:\n    k = 0.5\n{q}.k = {e}\n{t} = {q}.k",
    "{q} = {e}\n{t} = {q}\ndel {q}",
    "{q} = lambda: {p}\n{p} = {e}\n{t} = {q}()",
)
"""Forms of an assignment of a value `e` to a variable `t`."""

AROUND = (
    "if n < 9:\n    {s}",
    "if n > 9:\n    pass\nelse:\n    {s}",
    "if n > 9:\n    pass\nelif n < 9:\n    {s}",
    "try:\n    {s}\nfinally:\n    pass",
    "try:\n    {s}\nexcept ZeroDivisionError:\n    raise",
    "try:\n    pass\nexcept ValueError:\n    pass\nelse:\n    {s}",
    "try:\n    pass\nfinally:\n    {s}",
    "try:\n    raise Halt(0.5)\nexcept Stop as {q}:\n    {s}",
    "with contextlib.nullcontext():\n    {s}",
    "with contextlib.nullcontext() as {q}, contextlib.suppress(ZeroDivisionError):\n    {s}",
    "with around():\n    {s}",
    "with Around():\n    {s}",
    "match n:\n    case 99:\n        pass\n    case _:\n        {s}",
)
"""Forms of a statement `s`, which may leave the function or a loop."""

LOOPS = (
    "for {q} in [0]:\n    {s}",
    "for {q} in (0,):\n    pass\nelse:\n    {s}",
    "for {q} in range(9):\n    {s}\n    break",
    "while True:\n    {s}\n    break",
    "{q} = 0\nwhile {q} < 1:\n    {q} += 1\n    {s}",
    "while n > 9:\n    pass\nelse:\n    {s}",
)
"""Forms of a statement that does not leave a loop around it."""

WALKS = (
    "list({i})",
    "iter({i})",
    "[*{i}]",
    "({q} for {q} in {i})",
    "[{q} for {q} in {i}]",
    "map(lambda {q}: {q}, {i})",
    "filter(lambda {q}: True, {i})",
    "itertools.chain({i})",
    "reversed(list({i})[::-1])",
    "itertools.islice({i}, 9)",
    "walking({i})",
    "({q}[0] for {q} in zip({i}, itertools.count()))",
    "({q} for {p}, {q} in enumerate({i}))",
)
"""Forms of what a loop walks over."""

OPERATORS: dict[type, str] = {
    ast.Add: "operator.add",
    ast.Sub: "operator.sub",
    ast.Mult: "operator.mul",
    ast.Div: "operator.truediv",
    ast.Pow: "operator.pow",
}

HELPERS = """\
def same(value=None, *rest):
    return value


class Same:
    def __init__(self, value):
        self.value = value

    def __call__(self):
        return self.value

    def get(self):
        return self.value

    def put(self, value):
        self.value = value

    @property
    def got(self):
        return self.value

    @got.setter
    def got(self, value):
        self.value = value

    @classmethod
    def of(cls, value):
        return cls(value)

    @staticmethod
    def through(value):
        return value


@dataclass(frozen=True)
class Frozen:
    value: object


class Around:
    def __enter__(self):
        return self

    def __exit__(self, *details):
        return False


@contextlib.contextmanager
def around():
    yield


def walked(value):
    yield value


def walking(items):
    for item in items:
        yield item


def kept(value):
    return lambda: value


def passing(function):
    @functools.wraps(function)
    def call(*args, **kwargs):
        return function(*args, **kwargs)

    return call


@passing
def wrapped(value):
    return value
"""
"""What the forms make use of."""
