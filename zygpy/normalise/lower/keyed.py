"""`sorted`, `max` and `min` by a lambda, whose body stands in a loop over the items."""

from __future__ import annotations

from typing import Any

from zygpy.ir import core
from zygpy.ir.nodes import constant, gast, name, quote
from zygpy.normalise.comprehensions import loops
from zygpy.normalise.lower.expressions import atom
from zygpy.normalise.lower.loops import evaluated, may_change
from zygpy.normalise.lower.state import STATEMENTS, State
from zygpy.normalise.scopes import comprehension_targets
from zygpy.normalise.trees import changed


def keyed(state: State, node: Any) -> core.Op:
    """The item, or the items in order, that a call by keys gives: what is walked over comes before the other
    argument, and the keys behind it."""
    listed = node.args[0]
    state.made.update(comprehension_targets(listed))
    (generator,) = listed.generators
    begun = any(may_change(state, keyword.value) for keyword in node.keywords)
    walked = changed(generator, iter=evaluated(state, generator.iter, begun=begun))
    node = changed(node, args=[changed(listed, generators=[walked])])
    other = [atom(state, keyword.value) for keyword in node.keywords]
    items, keys = (state.assign(core.Display("list", ()), state.loc(node)).name for _ in range(2))
    if node.func.id == "sorted":
        return _in_order(state, node, items, keys, other)
    return _extreme(state, node, items, keys, other)


def _in_order(state: State, node: Any, items: str, keys: str, other: list[Any]) -> core.Op:
    """`sorted`: all items are there before the first key is made."""
    (generator,) = node.args[0].generators
    _run(state, loops([generator], _added(node, items, generator.target)))
    walked = gast.comprehension(generator.target, name(items, at=node), [], 0)
    _run(state, loops([walked], _added(node, keys, node.args[0].elt)))
    ordered = state.assign(core.Display("list", ()), state.loc(node)).name
    reverse = constant(False, at=node) if not other else _as_tree(other[0], node)
    text = "for $k in $permutation($keys, $reverse):\n    $ordered.append($items[$k])"
    parts = {"k": state.temporary(), "keys": keys, "ordered": ordered, "items": items, "reverse": reverse}
    _run(state, quote(text, at=node, permutation=name("helper:permutation", at=node), **parts))
    return core.Copy(core.Var(ordered))


def _extreme(state: State, node: Any, items: str, keys: str, other: list[Any]) -> core.Op:
    """`max` and `min`: the key of an item is made before the next item is asked for."""
    (generator,) = node.args[0].generators
    body = [*_added(node, items, generator.target), *_added(node, keys, node.args[0].elt)]
    _run(state, loops([generator], body))
    helper = "helper:place_of_largest" if node.func.id == "max" else "helper:place_of_smallest"
    target = state.temporary()
    parts: dict[str, Any] = {"y": target, "items": items, "f": name(helper, at=node), "keys": keys}
    text = "$y = $items[$f($keys)]"
    if other:
        text = "if $keys:\n    $y = $items[$f($keys)]\nelse:\n    $y = $default"
        parts["default"] = _as_tree(other[0], node)
    _run(state, quote(text, at=node, **parts))
    return core.Copy(core.Var(target))


def _added(node: Any, collected: str, element: Any) -> list[gast.stmt]:
    """The statement that adds an element to a list."""
    loaded = name(element.id, at=element) if isinstance(element, gast.Name) else element
    return quote("$r.append($e)", at=node, r=collected, e=loaded)


def _run(state: State, statements: list[gast.stmt]) -> None:
    for statement in statements:
        STATEMENTS[type(statement)](state, statement)


def _as_tree(value: Any, node: Any) -> Any:
    return name(value.name, at=node) if isinstance(value, core.Var) else constant(value.value, at=node)
