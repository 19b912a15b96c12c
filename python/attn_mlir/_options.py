"""Converts the options of calls, which may be numbers of other libraries, to Python's own numbers.
Errors name the option."""

import math
import numbers
import operator
from typing import Any, Optional, Tuple, Union

from ._adapter import expected_constant, is_traced_by_jax
from ._errors import ArgumentError

Causal = Union[bool, str]
Window = Optional[Tuple[Optional[int], Optional[int]]]

ALIGNMENTS = ("top_left", "bottom_right")


def option_error(name: str, what: str, found: Any) -> Exception:
    """Returns the exception for an option with the value `found` in place of `what`."""
    if is_traced_by_jax(found):
        return expected_constant(name)
    shape = getattr(found, "shape", ())
    shown = f"{type(found).__qualname__} of sizes {tuple(shape)}" if shape else repr(found)
    return ArgumentError(f"{name}: expected {what}, found {shown}")


def _is_flag(value: Any) -> bool:
    """Whether a value is a bool of Python or NumPy, which have no common base class."""
    return isinstance(value, bool) or type(value).__name__ in ("bool_", "bool") \
        and type(value).__module__ == "numpy"


def as_flag(name: str, value: Any) -> bool:
    if not _is_flag(value):
        raise option_error(name, "False or True", value)
    return bool(value)


def as_narrow_products(value: Any) -> Optional[str]:
    """Returns None for False, "scores" for True, and None, "scores" and "all" as they are. Raises
    an error for other values."""
    if _is_flag(value):
        return "scores" if value else None
    if value is not None and (not isinstance(value, str) or value not in ("scores", "all")):
        raise option_error("narrow_products", 'False, True, "scores" or "all"', value)
    return value


def as_python_integer(value: Any) -> Any:
    """Returns an integer of another library, such as NumPy's, as one of Python's, and any other
    value as it is."""
    if type(value) is int or not isinstance(value, numbers.Integral) or _is_flag(value):
        return value
    return operator.index(value)


def as_integer(name: str, value: Any, least: int, end: int, what: str = "") -> int:
    """Returns the value as an integer from `least` to `end` - 1. Raises an error that names the
    argument if it is not such an integer; bools are not integers here."""
    if not _is_flag(value):
        try:
            number = operator.index(value)
        except TypeError:
            number = least - 1
        if least <= number < end:
            return number
    raise option_error(name, what or f"an integer from {least} to {end - 1}", value)


def as_real(name: str, value: Any, what: str) -> float:
    """Returns the value as a float below 1e300 in magnitude. Raises an error that names the
    argument for other values, also for a tensor, whose value may be unknown."""
    try:
        number = float(value) if isinstance(value, numbers.Real) else math.nan
    except OverflowError:
        number = math.inf
    if not abs(number) < 1e300:
        raise option_error(name, what, value)
    return number


def as_scale(scale: Any) -> Optional[float]:
    return None if scale is None else as_real("scale", scale, "a finite number")


def as_causal(causal: Any) -> Causal:
    if _is_flag(causal):
        return bool(causal)
    if isinstance(causal, str) and causal in ALIGNMENTS:
        return str(causal)
    raise option_error("causal", "False, True, 'top_left' or 'bottom_right'", causal)


def as_align(align: Any) -> str:
    if isinstance(align, str) and align in ALIGNMENTS:
        return str(align)
    raise option_error("align", "'top_left' or 'bottom_right'", align)


def as_window(window: Any) -> Window:
    if window is None:
        return None
    what = "(left, right), each None for no bound, or an integer from 0 to 2^31 - 1"
    # A window that is neither a tuple nor a list may be an array, of which `tolist` makes a list.
    # An object without `tolist` becomes an empty tuple, which is refused below.
    bounds = window if isinstance(window, (tuple, list)) else getattr(window, "tolist", tuple)()
    try:
        left, right = [None if its is None else as_integer("window", its, 0, 2**31)
                       for its in bounds]
    except (TypeError, ValueError):
        raise option_error("window", what, window) from None
    return left, right


def check_options(scale: Any, causal: Any, window: Any,
                  align: Any) -> Tuple[Optional[float], Causal, Window, str]:
    """Returns the options in the form for which kernels are compiled. Raises for an option of a
    type or a value that no kernel supports."""
    return as_scale(scale), as_causal(causal), as_window(window), as_align(align)


def check_own_options(scale: Any, causal: Any,
                      window: Any) -> Tuple[Optional[float], bool, Window]:
    """Does what check_options() does, for functions without an option `align`, where `causal` is
    True or False."""
    return as_scale(scale), as_flag("causal", causal), as_window(window)


def as_stream(stream: Any) -> int:
    """Returns the handle of the CUDA stream that the caller names, as a Python integer. Raises for
    objects other than integers from 0 to 2^64 - 1, also for None."""
    what = "a CUDA stream's handle as an integer"
    if hasattr(stream, "cuda_stream"):
        what += ", such as stream.cuda_stream of torch's streams"
    return as_integer("stream", stream, 0, 2**64, what)
