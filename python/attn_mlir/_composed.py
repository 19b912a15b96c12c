"""Functions of torch that are composed of those of attn_mlir.score. Their derivatives at kinks are
torch's."""

import math
from typing import Any, Callable, Dict

from ._region import FUNCTIONS, convert, number_of, region_of


def _call(name: str, *values: Any) -> Any:
    return FUNCTIONS[name](*values)


def _square(x: Any) -> Any:
    return _call("multiply", x, x)


def _sign(x: Any) -> Any:
    """-1, 0 or 1 of the dtype of x."""
    x = number_of(region_of(x), x)
    if x._type != "f32":
        return _call("clamp", x, -1, 1)
    below = _call("where", _call("less", x, 0.0), -1.0, 0.0)
    return _call("where", _call("greater", x, 0.0), 1.0, below)


def _isnan(x: Any) -> Any:
    return _call("not_equal", x, x)


def _masked_fill(x: Any, mask: Any, value: Any) -> Any:
    """`value`, converted to the dtype of x, where the condition `mask` holds, else x."""
    region = region_of(x, mask, value)
    x, found = number_of(region, x), number_of(region, value)
    if x._type == "i1":
        value = convert(found, "bool")
    elif found._type == "f32" and x._type != "f32":
        value = convert(found, "int")
    return _call("where", mask, value, x)


def _leaky_relu(x: Any, negative_slope: float = 0.01) -> Any:
    return _call("where", _call("greater", x, 0.0), x, _call("multiply", negative_slope, x))


def _elu(x: Any, alpha: float = 1.0) -> Any:
    # The unused branch stays finite for large scores, whose exponential is infinite.
    is_above = _call("greater", x, 0.0)
    below = _call("multiply", alpha, _call("expm1", _call("where", is_above, 0.0, x)))
    return _call("where", is_above, x, below)


def _hardtanh(x: Any, min_val: float = -1.0, max_val: float = 1.0) -> Any:
    found = _call("where", _call("greater_equal", x, max_val), max_val, x)
    return _call("where", _call("less_equal", x, min_val), min_val, found)


def _relu6(x: Any) -> Any:
    return _hardtanh(x, 0.0, 6.0)


def _logaddexp(x: Any, y: Any) -> Any:
    return _add_exponentials(x, y, "exp", 1.0)


def _logaddexp2(x: Any, y: Any) -> Any:
    return _add_exponentials(x, y, "exp2", math.log2(math.e))


def _add_exponentials(x: Any, y: Any, exp: str, factor: float) -> Any:
    """The logarithm of the sum of two exponentials, also of two equal infinities, whose difference
    is NaN. Logarithms in the base of `exp` are `factor` times natural ones."""
    rest = _call("subtract", x, y)
    term = _call("log1p", _call(exp, _call("negative", _call("absolute", rest))))
    found = _call("add", _call("maximum", x, y), _call("multiply", factor, term))
    return _call("where", _isnan(rest), _call("add", x, y), found)


def _log_sigmoid(x: Any) -> Any:
    return _call("negative", _call("softplus", _call("negative", x)))


COMPOSED: Dict[str, Callable[..., Any]] = {
    "square": _square, "sign": _sign, "isnan": _isnan, "masked_fill": _masked_fill,
    "leaky_relu": _leaky_relu, "elu": _elu, "hardtanh": _hardtanh, "relu6": _relu6,
    "logaddexp": _logaddexp, "logaddexp2": _logaddexp2, "log_sigmoid": _log_sigmoid,
    "reciprocal": lambda x: _call("divide", 1.0, x),
    "log10": lambda x: _call("multiply", 1 / math.log(10), _call("log", x)),
}
