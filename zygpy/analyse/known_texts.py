"""Texts that are known, as they are made of the names of classes: `"visit_" + type(node).__name__`."""

from __future__ import annotations

from zygpy.analyse.facts import Guard
from zygpy.analyse.run import Run
from zygpy.analyse.values import Environment, Value
from zygpy.ir import core
from zygpy.ir.classes import HEAP_TYPE
from zygpy.ir.kinds import Known
from zygpy.runtime.lookup import in_class

METHODS = frozenset(
    {"lower", "upper", "title", "capitalize", "strip", "removeprefix", "removesuffix", "replace"}
)
"""Methods of texts whose result is known as well."""

NAMES = in_class(type, "__name__")
"""What gives the names of classes, unless a metaclass does."""

LONGEST = 200
"""So long are texts at most that are known."""


def text_of(run: Run, atom: core.Atom, env: Environment) -> str | None:
    """The text that an atom is; None where it is not known, or no text."""
    if isinstance(atom, core.Const):
        return atom.value if type(atom.value) is str else None
    return run.value(atom, env).text


def with_text(run: Run, op: core.Op, value: Value, env: Environment) -> Value:
    """The value of an operation, with the text that it is, if that is known."""
    if value.active:
        return value
    text = _text(run, op, env)
    return value if text is None or len(text) > LONGEST else value._replace(text=text)


def _text(run: Run, op: core.Op, env: Environment) -> str | None:
    match op:
        case core.GetAttr(core.Var() as owner, "__name__"):
            return _name(run, run.value(owner, env))
        case core.Copy(core.Var() as same):
            return text_of(run, same, env)
        case core.Binary("+" | "%" as symbol, left, right):
            return _combined(symbol, text_of(run, left, env), text_of(run, right, env))
        case core.Format(parts):
            return _formatted(run, parts, env)
        case core.CallMethod(value, name, args, ()) if name in METHODS:
            return _by_method(run, (value, *args), name, env)
    return None


def _name(run: Run, owner: Value) -> str | None:
    """The name of a class that is known, as long as that stays the same."""
    cls = owner.kind.value if isinstance(owner.kind, Known) else None
    if not isinstance(cls, type) or "__name__" in run.scope.replaced:
        return None
    if in_class(type(cls), "__name__") is not NAMES:
        return None
    if cls.__flags__ & HEAP_TYPE:
        run.note_lasting(Guard(cls, "__name__", cls.__name__))
    return cls.__name__


def _combined(symbol: str, left: str | None, right: str | None) -> str | None:
    """The sum of two texts, or the first one with the other one put in."""
    if left is None or right is None:
        return None
    if symbol == "+":
        return left + right
    return left.replace("%s", right) if left.count("%") == 1 and "%s" in left else None


def _formatted(
    run: Run, parts: tuple[str | tuple[core.Atom, str, core.Atom | None], ...], env: Environment
) -> str | None:
    """The text of an f-string of nothing but texts."""
    found: list[str] = []
    for part in parts:
        if isinstance(part, str):
            found.append(part)
            continue
        atom, conversion, spec = part
        text = text_of(run, atom, env)
        if text is None or conversion not in ("", "s") or spec is not None:
            return None
        found.append(text)
    return "".join(found)


def _by_method(run: Run, atoms: tuple[core.Atom | core.Star, ...], name: str, env: Environment) -> str | None:
    """What a method of a text gives that is given nothing but texts."""
    texts = [None if isinstance(atom, core.Star) else text_of(run, atom, env) for atom in atoms]
    known = [text for text in texts if text is not None]
    if len(known) < len(texts):
        return None
    try:
        return str(getattr(known[0], name)(*known[1:]))
    except TypeError:
        return None
