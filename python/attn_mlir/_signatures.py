"""The arguments of functions of torch and NumPy, as calls on traced numbers give them: by position,
or by the names that the libraries have for them."""

import inspect
from typing import Any, Callable, Dict, Tuple, Union

# The names that torch has for the arguments that each call needs. Functions that are not listed
# have one or both of "input" and "other". The names of the others are those of the parameters with
# defaults of the function of attn_mlir.score.
_REQUIRED = {"where": ("condition", "input", "other"), "power": ("input", "exponent"),
             "masked_fill": ("input", "mask", "value"), "full_like": ("input", "fill_value")}
# Further names of the same arguments, in NumPy, in torch, or in attn_mlir.score.
_SYNONYMS = {"x": "input", "y": "other", "a": "input", "b": "other", "self": "input",
             "tensor": "other", "a_min": "min", "a_max": "max"}
# Options of all functions with the only value that calls on traced numbers may have, and options
# that say nothing about a number.
_FIXED = {"out": None, "where": True}
_OF_MEMORY = frozenset(("device", "layout", "memory_format", "order", "pin_memory",
                        "requires_grad", "subok"))
# Functions whose last argument by position is `inplace` in torch.
_IN_PLACE = frozenset(("relu", "relu6", "silu", "elu", "leaky_relu", "hardtanh"))

# Maps other names that the functions of attn_mlir.score have in torch and NumPy to their own names.
ALIASES = {
    "abs": "absolute", "sub": "subtract", "mul": "multiply", "div": "divide",
    "true_divide": "divide", "pow": "power", "float_power": "power", "neg": "negative",
    "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal", "eq": "equal",
    "ne": "not_equal", "vdot": "dot", "inner": "dot", "invert": "bitwise_not",
    "__lshift__": "bitwise_left_shift", "__rshift__": "bitwise_right_shift",
    "__and__": "bitwise_and", "__or__": "bitwise_or", "__xor__": "bitwise_xor",
    "__floordiv__": "floor_divide",
    "left_shift": "bitwise_left_shift", "right_shift": "bitwise_right_shift", "clip": "clamp",
    "min": "minimum", "max": "maximum", "rint": "round", "arcsin": "asin", "arccos": "acos",
    "arctan": "atan", "arctan2": "atan2", "arcsinh": "asinh", "arccosh": "acosh",
    "arctanh": "atanh",
    # torch's names of functions of torch.special
    "special_expit": "sigmoid", **{f"special_{name}": name for name in (
        "erf", "erfc", "exp2", "expm1", "log1p", "round")}}

# Maps the name of a function to the names of all of its arguments, in torch's order, and the number
# of those that each call needs.
_signatures: Dict[str, Tuple[Tuple[str, ...], int]] = {}


def declare(functions: Dict[str, Callable[..., Any]]) -> None:
    for name, function in functions.items():
        parameters = inspect.signature(function).parameters.values()
        options = tuple([its.name for its in parameters if its.default is not its.empty])
        required = _REQUIRED.get(name, ("input", "other")[:len(parameters) - len(options)])
        _signatures[name] = ((*required, *options, *(("inplace",) if name in _IN_PLACE else ())),
                             len(required))


def bind(name: str, args: Tuple, kwargs: Dict[str, Any]) -> Union[str, Tuple[list, dict, Any]]:
    """Returns the arguments by position, and those by name, for the function of attn_mlir.score
    called `name`, and whether its result also takes the place of the first argument. Returns a text
    that says what is wrong if these are not its arguments. torch.compile traces this code."""
    names, count = _signatures[name]
    if len(args) > len(names):
        return f"expected at most {len(names)} arguments ({', '.join(names)}), found {len(args)}"
    given = dict(zip(names, args))
    for key, value in kwargs.items():
        key = key if key in names else _SYNONYMS.get(key, key)
        if key in given:
            return f"expected one argument '{key}', found two"
        if key in names or key in _FIXED:
            given[key] = value
        elif key not in _OF_MEMORY:
            return f"expected the arguments {', '.join(names)}, found '{key}'"
    for key, neutral in _FIXED.items():
        value = given.pop(key, neutral)
        if value is not neutral:
            return (f"expected {key}={neutral}, as a traced number is the whole result, found "
                    f"{type(value).__qualname__}")
    for key in names[:count]:
        if key not in given:
            return f"expected the arguments {', '.join(names)}, found no '{key}'"
    in_place = given.pop("inplace", False)
    return [given.pop(key) for key in names[:count]], given, in_place
