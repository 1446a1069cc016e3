"""The typed façade over gast: parsing, quoting, builders and walks that stay in one scope.

Everything type-checks against the standard `ast` and runs on gast, whose trees differ in one way
that shows: a parameter, and the name an exception is bound to, is a `Name` (see `parameter_name`).
Trees are values here: no function changes the nodes it is given, so nodes may be shared between
trees.
"""

from zygpy.ir.nodes.build import (
    FUNCTIONS,
    LOCATION,
    FunctionNode,
    as_python,
    constant,
    copied,
    from_python_ast,
    gast,
    made,
    name,
    parse_text,
    place_of,
    to_python_ast,
)
from zygpy.ir.nodes.origins import stamped
from zygpy.ir.nodes.quoting import quote, quote_expression
from zygpy.ir.nodes.walking import (
    argument_list,
    assigned_names,
    children,
    declared_names,
    is_generator,
    local_names,
    name_nodes,
    names_in,
    nodes,
    own_nodes,
    parameter_name,
    parameter_names,
    stores_in,
)

__all__ = [
    "FUNCTIONS",
    "LOCATION",
    "FunctionNode",
    "argument_list",
    "as_python",
    "assigned_names",
    "children",
    "constant",
    "copied",
    "declared_names",
    "from_python_ast",
    "gast",
    "is_generator",
    "local_names",
    "made",
    "name",
    "name_nodes",
    "names_in",
    "nodes",
    "own_nodes",
    "parameter_name",
    "parameter_names",
    "parse_text",
    "place_of",
    "quote",
    "quote_expression",
    "stamped",
    "stores_in",
    "to_python_ast",
]
