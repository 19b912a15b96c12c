"""Functions of torch that are composed of those of attn_mlir.score. Their derivatives at kinks are
torch's."""

import math
from typing import Any, Callable, Dict

from ._region import FUNCTIONS, convert, number_of, read_all, region_of


def _where(*values: Any) -> Any:
    return FUNCTIONS["where"](*values)


def _sign(x: Any) -> Any:
    """-1, 0 or 1 of the dtype of x."""
    x = number_of(region_of(x), x)
    if x._type != "f32":
        return x.clamp(-1, 1)
    return _where(x > 0.0, 1.0, _where(x < 0.0, -1.0, 0.0))


def _masked_fill(x: Any, mask: Any, value: Any) -> Any:
    """`value`, converted to the dtype of x, where the condition `mask` holds, else x."""
    region = region_of(x, mask, value)
    x, found = number_of(region, x), number_of(region, value)
    if x._type == "i1":
        value = convert(found, "bool")
    elif found._type == "f32" and x._type != "f32":
        value = convert(found, "int")
    return _where(mask, value, x)


def _elu(x: Any, alpha: float = 1.0) -> Any:
    # The unused branch stays finite for large scores, whose exponential is infinite.
    x, = read_all(x)
    return _where(x > 0.0, x, alpha * FUNCTIONS["expm1"](_where(x > 0.0, 0.0, x)))


def _hardtanh(x: Any, min_val: float = -1.0, max_val: float = 1.0) -> Any:
    x, = read_all(x)
    return _where(x <= min_val, min_val, _where(x >= max_val, max_val, x))


def _leaky_relu(x: Any, negative_slope: float = 0.01) -> Any:
    x, = read_all(x)
    return _where(x > 0.0, x, negative_slope * x)


def _add_exponentials(exp: str, factor: float) -> Callable[[Any, Any], Any]:
    """Returns a function for the logarithm of the sum of two exponentials, also of two equal
    infinities, whose difference is NaN. Logarithms in the base of `exp` are `factor` times natural
    ones."""
    def apply(x: Any, y: Any) -> Any:
        x, y = read_all(x, y)
        rest = x - y
        term = FUNCTIONS["log1p"](FUNCTIONS[exp](-abs(rest)))
        return _where(rest != rest, x + y, FUNCTIONS["maximum"](x, y) + factor * term)
    return apply


COMPOSED: Dict[str, Callable[..., Any]] = {
    "square": lambda x: FUNCTIONS["multiply"](x, x), "sign": _sign,
    "isnan": lambda x: FUNCTIONS["not_equal"](x, x), "masked_fill": _masked_fill,
    "leaky_relu": _leaky_relu, "elu": _elu, "hardtanh": _hardtanh,
    "relu6": lambda x: _hardtanh(x, 0.0, 6.0), "logaddexp": _add_exponentials("exp", 1.0),
    "logaddexp2": _add_exponentials("exp2", math.log2(math.e)),
    "log_sigmoid": lambda x: -FUNCTIONS["softplus"](FUNCTIONS["negative"](x)),
    "reciprocal": lambda x: FUNCTIONS["divide"](1.0, x),
    "log10": lambda x: FUNCTIONS["multiply"](1 / math.log(10), FUNCTIONS["log"](x)),
}
