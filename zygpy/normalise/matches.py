"""`match`: tests, unpackings and attribute reads, case by case.

Every pattern becomes nested `if`s: the statements that test it end in the one block that is reached when
it matches (the *inside*). Captured names are bound there, after the whole pattern has matched, as Python
does. A case that needs more than one `if` sets the flag `matched` inside.
"""

from __future__ import annotations

from typing import Any

from zygpy.ir.names import Names
from zygpy.ir.nodes import constant, gast, name, quote, quote_expression
from zygpy.normalise.trees import rewrite

Captures = list[tuple[str, str]]


def spell_matches(tree: Any, names: Names) -> Any:
    """The function with each `match` spelled out.

    Ensures: no `Match` is left; helpers are the names `helper:...`, builtins `builtin:...`.

    >>> from zygpy.ir.nodes import to_python_ast
    >>> import ast
    >>> tree = gast.parse('''
    ... def f(x):
    ...     match x:
    ...         case 1 | 2: return "few"
    ...         case _: return "many"
    ... ''').body[0]
    >>> print(ast.unparse(to_python_ast(spell_matches(tree, Names()))))
    def f(x):
        subject = x
        if subject == 1 or subject == 2:
            return 'few'
        else:
            return 'many'
    """

    def spell(node: gast.AST) -> list[gast.stmt] | None:
        if not isinstance(node, gast.Match):
            return None
        spelled = _spell_match(node, names)  # a case that always matches may have others among its statements
        return [one for statement in spelled for one in spell(statement) or [statement]]

    return rewrite(tree, spell)


def _spell_match(node: Any, names: Names) -> list[gast.stmt]:
    subject = names.fresh("subject")
    out = quote("$subject = $value", at=node.subject, subject=subject, value=node.subject)
    first = out
    for case in node.cases:
        out = _spell_case(case, subject, out, names)
    return first


def _spell_case(case: Any, subject: str, out: list[gast.stmt], names: Names) -> list[gast.stmt]:
    """Append one case; gives the block of the cases behind it."""
    pattern = Pattern(names, case.pattern)
    tests: list[gast.stmt] = []
    inside = pattern.spell(case.pattern, subject, tests)
    for captured, held in pattern.captures:
        inside.extend(quote("$a = $b", at=case.pattern, a=captured, b=held))
    if case.guard is None and inside is tests:
        out.extend([*tests, *case.body])
        return []
    last = tests[-1] if tests else None
    if case.guard is None and isinstance(last, gast.If) and last.body is inside:
        inside.extend(case.body)
        out.extend(tests)
        return last.orelse
    return _spell_flagged(case, tests, inside, out, names)


def _spell_flagged(
    case: Any, tests: list[gast.stmt], inside: list[gast.stmt], out: list[gast.stmt], names: Names
) -> list[gast.stmt]:
    matched = names.fresh("matched")
    guard = constant(True) if case.guard is None else case.guard
    inside.extend(quote("$m = $guard", at=case.pattern, m=matched, guard=guard))
    out.extend(quote("$m = False", at=case.pattern, m=matched))
    out.extend(tests)
    test: Any = quote("if $m: $body", at=case.pattern, m=matched, body=case.body)[0]
    out.append(test)
    otherwise: list[gast.stmt] = test.orelse
    return otherwise


class Pattern:
    """The tests of one case's pattern; `captures` are (name, variable that holds the value)."""

    def __init__(self, names: Names, place: gast.AST) -> None:
        self.names = names
        self.place = place
        self.captures: Captures = []

    def spell(self, pattern: Any, subject: str, out: list[gast.stmt]) -> list[gast.stmt]:
        """Append the tests of a pattern; gives the block that is reached when it matches."""
        method = getattr(self, type(pattern).__name__.removeprefix("Match").lower() + "_pattern")
        inside: list[gast.stmt] = method(pattern, subject, out)
        return inside

    def test(self, out: list[gast.stmt], text: str, **parts: Any) -> list[gast.stmt]:
        """Append `if text:`; gives its body."""
        body: list[gast.stmt] = []
        statement = gast.If(quote_expression(text, at=self.place, **parts), body, [])
        out.append(gast.copy_location(statement, self.place))
        return body

    def assign(self, out: list[gast.stmt], wish: str, text: str, **parts: Any) -> str:
        """Append an assignment to a fresh variable (a temporary without a wish)."""
        variable = self.names.fresh(wish) if wish else self.names.temporary()
        value = quote_expression(text, at=self.place, **parts)
        out.extend(quote("$v = $value", at=self.place, v=variable, value=value))
        return variable

    def value_pattern(self, pattern: Any, subject: str, out: list[gast.stmt]) -> list[gast.stmt]:
        return self.test(out, "$s == $v", s=subject, v=pattern.value)

    def singleton_pattern(self, pattern: Any, subject: str, out: list[gast.stmt]) -> list[gast.stmt]:
        return self.test(out, "$s is $v", s=subject, v=constant(pattern.value, at=self.place))

    def as_pattern(self, pattern: Any, subject: str, out: list[gast.stmt]) -> list[gast.stmt]:
        if pattern.pattern is not None:
            out = self.spell(pattern.pattern, subject, out)
        if pattern.name is not None:
            self.captures.append((pattern.name, subject))
        return out

    def or_pattern(self, pattern: Any, subject: str, out: list[gast.stmt]) -> list[gast.stmt]:
        if all(isinstance(option, gast.MatchValue) for option in pattern.patterns):
            tests = [quote_expression("$s == $v", at=self.place, s=subject, v=option.value)
                     for option in pattern.patterns]  # fmt: skip
            either: Any = gast.BoolOp(gast.Or(), tests)
            return self.test(out, "$either", either=gast.copy_location(either, self.place))
        return self.alternatives(pattern.patterns, subject, out)

    def alternatives(self, patterns: list[Any], subject: str, out: list[gast.stmt]) -> list[gast.stmt]:
        """Each alternative is tried where those before it failed; captures meet in common variables."""
        flag = self.assign(out, "matched", "False")
        before = list(self.captures)
        common: dict[str, str] = {}
        level = out
        for option in patterns:
            self.captures = []
            inside = self.spell(option, subject, level)
            for captured, held in self.captures:
                common.setdefault(captured, self.names.temporary())
                inside.extend(quote("$a = $b", at=self.place, a=common[captured], b=held))
            inside.extend(quote("$f = True", at=self.place, f=flag))
            if option is not patterns[-1]:
                level = self.test(level, "not $f", f=flag)
        self.captures = [*before, *common.items()]
        return self.test(out, "$f", f=flag)

    def sequence_pattern(self, pattern: Any, subject: str, out: list[gast.stmt]) -> list[gast.stmt]:
        stars = [isinstance(item, gast.MatchStar) for item in pattern.patterns]
        inside = self.test(
            out,
            "$helper($s, $minimum, $exact)",
            helper=name("helper:match_sequence"),
            s=subject,
            minimum=constant(len(stars) - sum(stars), at=self.place),
            exact=constant(not any(stars), at=self.place),
        )
        held = self.unpack(pattern.patterns, subject, inside)
        for item, variable in zip(pattern.patterns, held, strict=True):
            inside = self.spell(item, variable, inside)
        return inside

    def unpack(self, patterns: list[Any], subject: str, out: list[gast.stmt]) -> list[str]:
        """Give each item of the subject a variable."""
        held = [self.names.temporary() for _ in patterns]
        if patterns:
            stars = ["*" if isinstance(item, gast.MatchStar) else "" for item in patterns]
            targets = "".join(f"{star}{variable}, " for star, variable in zip(stars, held, strict=True))
            out.extend(quote(f"{targets}= $s", at=self.place, s=subject))
        return held

    def star_pattern(self, pattern: Any, subject: str, out: list[gast.stmt]) -> list[gast.stmt]:
        if pattern.name is not None:
            self.captures.append((pattern.name, subject))
        return out

    def mapping_pattern(self, pattern: Any, subject: str, out: list[gast.stmt]) -> list[gast.stmt]:
        keys = [key if isinstance(key, gast.Constant) else name(self.assign(out, "key", "$k", k=key))
                for key in pattern.keys]  # fmt: skip
        inside = self.test(
            out,
            "$helper($s, $keys)",
            helper=name("helper:match_mapping"),
            s=subject,
            keys=gast.Tuple(list(keys), gast.Load()),
        )
        held = [self.assign(inside, "", "$s[$k]", s=subject, k=key) for key in keys]
        if pattern.rest is not None:
            rest = self.assign(inside, "rest", "{**$s}", s=subject)
            for key in keys:
                inside.extend(quote("del $r[$k]", at=self.place, r=rest, k=key))
            self.captures.append((pattern.rest, rest))
        for item, variable in zip(pattern.patterns, held, strict=True):
            inside = self.spell(item, variable, inside)
        return inside

    def class_pattern(self, pattern: Any, subject: str, out: list[gast.stmt]) -> list[gast.stmt]:
        kind = self.assign(out, "kind", "$k", k=pattern.cls)
        inside = self.test(out, "$i($s, $k)", i=name("builtin:isinstance"), s=subject, k=kind)
        if pattern.patterns:
            inside = self.positions(pattern.patterns, subject, kind, inside)
        for attribute, item in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True):
            label = constant(attribute, at=self.place)
            inside = self.test(inside, "$h($s, $a)", h=name("helper:match_attribute"), s=subject, a=label)
            held = self.assign(inside, "", "$s.$a", s=subject, a=attribute)
            inside = self.spell(item, held, inside)
        return inside

    def positions(
        self, patterns: list[Any], subject: str, kind: str, out: list[gast.stmt]
    ) -> list[gast.stmt]:
        helper = name("helper:match_positional")
        count = constant(len(patterns), at=self.place)
        found = self.assign(out, "positions", "$h($s, $k, $n)", h=helper, s=subject, k=kind, n=count)
        inside = self.test(out, "$f is not None", f=found)
        for item, variable in zip(patterns, self.unpack(patterns, found, inside), strict=True):
            inside = self.spell(item, variable, inside)
        return inside
