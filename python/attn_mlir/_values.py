"""Converts values, other than traced numbers, with which score and mask functions compute."""

import sys
from typing import Any, Tuple, Union


def plain(value: Any) -> Any:
    """Returns the value as a Python number if it is a scalar of NumPy or an array of one element,
    and other values as they are. Tensors also stay as they are: the kernel reads them when it runs,
    since their elements may change."""
    if isinstance(value, (bool, int, float)) or not hasattr(value, "item") \
            or is_tensor(value) or hasattr(value, "_region"):  # a traced number
        return value
    if tuple(getattr(value, "shape", ())) not in ((), (1,)):
        return value
    return value.item()


def is_tensor(value: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def f32_text(value: Union[int, float]) -> str:
    """Returns the MLIR text of a number that is to be a constant of f32. Numbers that would be
    rounded to infinity have the text of infinity."""
    if value != value:
        return "0x7FC00000"
    if value >= _INFINITE:
        return "0x7F800000"
    if value <= -_INFINITE:
        return "0xFF800000"
    return f"{float(value):.17e}"


# The smallest number that is rounded to infinity in f32.
_INFINITE = 2.0**128 - 2.0**103


def type_of_constant(value: Union[bool, int, float]) -> str:
    if isinstance(value, bool):
        return "i1"
    if isinstance(value, int) and -2**63 <= value < 2**63:
        return "i32" if -2**31 <= value < 2**31 else "i64"
    return "f32"


def kind_of_dtype(value: Any) -> str:
    for type_ in (float, int, bool):
        if value is type_:
            return type_.__name__
    name = str(getattr(value, "name", value)).rpartition(".")[2]
    for start, kind in (("float", "float"), ("bfloat", "float"), ("int", "int"), ("uint", "int"),
                        ("bool", "bool")):
        if name.startswith(start) and (name + "0")[len(start)].isdigit():
            return kind
    return ""


def narrow_float_of(dtype: Any) -> str:
    """Returns the MLIR type of a dtype of floats with 16 bits, or "" for other values."""
    name = str(getattr(dtype, "name", dtype)).rpartition(".")[2]
    return {"float16": "f16", "bfloat16": "bf16"}.get(name, "")


def is_narrow_integer(dtype: Any) -> bool:
    """Whether a dtype is one of unsigned integers, or of integers of 8 or 16 bits. Regions compute
    with other integers, which do not wrap around where these do."""
    name = str(getattr(dtype, "name", dtype)).rpartition(".")[2]
    return name in ("int8", "int16", "uint8", "uint16", "uint32", "uint64")


def as_tuple(index: Any) -> Tuple[Any, ...]:
    return index if isinstance(index, tuple) else (index,)
