"""What comes out of a primitive: the `kind=` words of rules, as functions of the arguments' kinds.

Every word holds for all values of the kinds that it is given, or says "unknown".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from zygpy.analyse import (
    array_kinds,
    creation_kinds,
    decomposition_kinds,
    folding_kinds,
    fourier_kinds,
    helper_kinds,
    joining_kinds,
    made_kinds,
    product_kinds,
    reduction_kinds,
)
from zygpy.analyse.arguments import ABSENT, Arguments, array_dtype, as_operand, is_false, is_none, operands_of
from zygpy.analyse.transfer import binary, dtype_of, numpy_result, promote, unary
from zygpy.ir.kinds import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NOTHING,
    NUMBER_OR_ARRAY,
    REAL_OR_ARRAY,
    TEXT,
    UNKNOWN,
    Array,
    Iterator,
    Kind,
    List,
    Never,
    Nothing,
    Number,
    NumpyScalar,
    RealScalar,
    Text,
    Tuple,
    Unknown,
    is_double,
    is_real,
    join_all,
)
from zygpy.rules.declare import Rule

Word = Callable[[Arguments], Kind]


def rule_kind(rule: Rule, arguments: Arguments) -> Kind:
    """The kind of the primitive's result on these arguments."""
    if any(isinstance(kind, Never) for kind, _ in arguments.values()):
        return Never()
    if rule.kind in ELEMENTWISE:
        return _elementwise(rule.kind, rule, arguments)
    if rule.kind in WORDS:
        return WORDS[rule.kind](arguments)
    word, _, name = rule.kind.rpartition(" ")
    if word in ELEMENTWISE:
        return _several(int(name), word, rule, arguments)
    return _operator(arguments, name) if word == "operator" else NAMING[word](arguments, name)


def _operator(arguments: Arguments, symbol: str) -> Kind:
    """What the operator gives, called as a function."""
    kinds = operands_of(arguments)
    if len(kinds) == 1:
        return unary(symbol, kinds[0])
    if len(kinds) != 2:
        return UNKNOWN
    literal = list(arguments.values())[1][1]
    return binary(symbol, kinds[0], kinds[1], None if literal is ABSENT else literal)


def _several(count: int, word: str, rule: Rule, arguments: Arguments) -> Kind:
    """A ufunc that gives so many results, all of one kind."""
    each = _elementwise(word, rule, arguments)
    return UNKNOWN if isinstance(each, Unknown) else Tuple((each,) * count)


def _elementwise(word: str, rule: Rule, arguments: Arguments) -> Kind:
    """A ufunc: the dtype comes from the differentiable operands, the shape from all."""
    kinds = operands_of(arguments)
    operands = [as_operand(kind) for kind in kinds]
    shaping = [kind for kind in operands if kind is not None]
    values = {name: item for name, item in arguments.items() if name in rule.bars}
    differentiable = [kind for kind in map(as_operand, operands_of(values)) if kind is not None]
    if len(shaping) < len(kinds) or not differentiable:  # of None it raises what it raises
        return UNKNOWN
    if word == "clipped":  # its first operand is made an array before it meets the bounds
        differentiable[0] = NumpyScalar(array_dtype(differentiable[0]))
    joined = _promoted(differentiable)
    if word == "choice":
        return array_kinds.as_array(numpy_result(joined, *shaping))
    if joined == "i" and all(kind == INT for kind in differentiable):
        whole = ("elementwise", "of SciPy", "of reals", "double")  # an int may be too large for int64
        joined = "f8" if word in whole else "real"
    if word == "power":
        power = binary("**", *shaping[-2:])
        if all(isinstance(kind, Number) for kind in shaping):
            return join_all([FLOAT, power, *shaping])
        if any(isinstance(kind, RealScalar) for kind in shaping):
            return _real_power(power, shaping)
        joined = joined if is_real(power) else "any"
    return numpy_result(ELEMENTWISE[word].get(joined, joined), *shaping)


def _real_power(power: Kind, given: list[Kind]) -> Kind:
    """What a power, or what is made of it, is where real numbers of any class are given."""
    if is_double(power) and all(map(is_double, given[:-1])):
        return RealScalar("f8")
    reals = isinstance(join_all([power, *given]), RealScalar)
    return RealScalar("real") if reals else join_all([NUMBER_OR_ARRAY, power])


ELEMENTWISE: Mapping[str, Mapping[str, str]] = {
    "elementwise": {"i": "f8", "b": "real"},
    "of SciPy": {"i": "f8", "b": "real", "f4": "real", "c8": "any"},  # 1 and a float32 give a float64
    "complexes": dict.fromkeys(("b", "i", "f4", "f8", "real", "c8", "c16"), "any"),
    "of reals": {"i": "f8", "b": "f8", "f4": "f8", "c8": "any", "c16": "any"},
    "scaled": {"i": "real", "b": "real"},
    "double": {"i": "f8", "b": "f8", "f4": "f8", "c8": "c16"},
    "power": {"i": "f8", "b": "real"},
    "arithmetic": {"b": "real"},
    "clipped": {"b": "real"},
    "choice": {},
}
"""The words of ufuncs: the dtype classes that differ from those of the operands."""


def _promoted(kinds: list[Kind]) -> str:
    """NumPy's dtype class of these values together; Python's numbers are weak beside NumPy's."""
    dtype, joined = dtype_of(kinds[0]), kinds[0]
    for kind in kinds[1:]:
        dtype = promote(joined, kind)
        joined = numpy_result(dtype, joined, kind)
    return dtype


def _predicate(arguments: Arguments) -> Kind:
    """True or false for each element."""
    operands = [as_operand(kind) for kind in operands_of(arguments)]
    known = [kind for kind in operands if kind is not None]
    return numpy_result("b", *known) if known and len(known) == len(operands) else UNKNOWN


def surely_real(kind: Kind) -> bool:
    """Whether no complex number is in a value of this kind."""
    if isinstance(kind, List | Iterator):
        return surely_real(kind.element)
    if isinstance(kind, Tuple):
        return all(surely_real(item) for item in kind.items)
    return is_real(kind) or isinstance(kind, Nothing | Text)


def _number_or_array(arguments: Arguments) -> Kind:
    kinds = operands_of(arguments)
    if not all(as_operand(kind) is not None or isinstance(kind, Text | Nothing) for kind in kinds):
        return UNKNOWN
    return REAL_OR_ARRAY if all(surely_real(kind) for kind in kinds) else NUMBER_OR_ARRAY


def _complex_or_array(arguments: Arguments) -> Kind:
    """What may be complex where nothing is that comes in."""
    return UNKNOWN if isinstance(_number_or_array(arguments), Unknown) else NUMBER_OR_ARRAY


def _or_tuple_by(arguments: Arguments, flag: str) -> Kind:
    """A number or an array, or a tuple of these where a flag is, or may be, set."""
    return _number_or_array(arguments) if is_false(arguments, flag) else UNKNOWN


def _logarithm_of_sum(arguments: Arguments) -> Kind:
    """A double where doubles are summed along all axes; perhaps a tuple where signs are asked for."""
    kind = arguments["a"][0]
    whole = isinstance(kind, Array) and kind.dtype == "f8" and kind.rank
    plain = is_none(arguments, "axis") and is_none(arguments, "b") and is_false(arguments, "keepdims")
    if whole and plain and is_false(arguments, "return_sign"):
        return NumpyScalar("f8")
    return _or_tuple_by(arguments, "return_sign")


def _scalar(arguments: Arguments) -> Kind:
    return NumpyScalar("real" if all(surely_real(kind) for kind in operands_of(arguments)) else "any")


_OWN: Mapping[str, Word] = {
    "predicate": _predicate,
    "scalar": _scalar,
    "logarithm of sum": _logarithm_of_sum,
    "number-or-array": _number_or_array,
    "complex-or-array": _complex_or_array,
    "float": lambda arguments: FLOAT,
    "int": lambda arguments: INT,
    "ints": lambda arguments: Iterator(INT),
    "bool": lambda arguments: BOOL,
    "complex": lambda arguments: COMPLEX,
    "str": lambda arguments: TEXT,
    "none": lambda arguments: NOTHING,
    "tuple": lambda arguments: UNKNOWN,
    "list": lambda arguments: List(UNKNOWN),
    "unknown": lambda arguments: UNKNOWN,
}


def _together(*vocabularies: Mapping[str, Word]) -> Mapping[str, Word]:
    """All words; each means one thing."""
    words = {word: meaning for vocabulary in vocabularies for word, meaning in vocabulary.items()}
    if len(words) < sum(map(len, vocabularies)):
        raise ValueError("two vocabularies have the same word")
    return words


NAMING: Mapping[str, Callable[[Arguments, str], Kind]] = {
    **array_kinds.NAMING,
    **made_kinds.NAMING,
    **decomposition_kinds.NAMING,
    "or tuple by": _or_tuple_by,
}

WORDS = _together(
    _OWN,
    reduction_kinds.WORDS,
    creation_kinds.WORDS,
    decomposition_kinds.WORDS,
    array_kinds.WORDS,
    joining_kinds.WORDS,
    product_kinds.WORDS,
    folding_kinds.WORDS,
    fourier_kinds.WORDS,
    made_kinds.WORDS,
    helper_kinds.WORDS,
)
"""The vocabulary of `kind=`, besides "elementwise" and the words that name a parameter ("like of a")."""
