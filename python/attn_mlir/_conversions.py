"""Converts traced numbers to other types. All functions take a `Number` of `_region`."""

from typing import Any

# The number of bits of each dtype of integers that wrap around within a wider type.
_BITS = {"i8": 8, "i16": 16}


def _cast(op: str, value: Any, type_: str) -> Any:
    return value._region.append(f"{op} {value._name} : {value._type} to {type_}", type_,
                                value._is_natural)


def to_integer(value: Any, type_: str = "") -> Any:
    """Converts a condition to an integer of `type_`, by default the region's type of integers.
    Other integers are converted to `type_` if that is given. Floats stay as they are."""
    region, wanted = value._region, type_ or value._region.integer
    if value._type == "i1":
        narrow = "i32" if wanted == "index" else wanted
        value = region.append(f"arith.extui {value._name} : i1 to {narrow}", narrow, True)
        return _cast("arith.index_cast", value, "index") if wanted == "index" else value
    if type_ in ("", value._type) or value._type == "f32":
        return value
    if "index" in (type_, value._type):
        return _cast("arith.index_cast", value, type_)
    return _cast("arith.extsi", value, type_)


def to_index(value: Any) -> Any:
    """Converts an integer to type index, which an index of an array must have. For a position, the
    value of type index that the region has already is returned."""
    region = value._region
    if value._type == "i32" and f"{value._name} index" in region.known:
        return region.known[f"{value._name} index"]
    return to_integer(value, "index")


def to_f32(value: Any) -> Any:
    value = to_integer(value)
    if value._type == "index":
        value = to_integer(value, "i64")
    if value._type != "f32":
        return value._region.append(
            f"arith.sitofp {value._name} : {value._type} to f32", "f32")
    return value


def to_i1(value: Any) -> Any:
    if value._type == "i1":
        return value
    raise value._region.error("expected a condition, found a number")


def convert(value: Any, kind: str) -> Any:
    """Converts a traced number to `kind`, "float", "int" or "bool", with the result of Python's
    float(), int() or bool()."""
    region = value._region
    if kind == "float":
        return without_wrap(to_f32(value))
    if kind == "bool":
        if value._type == "i1":
            return value
        zero = region.constant(0, value._type)
        op = "cmpf une" if value._type == "f32" else "cmpi ne"
        return region.append(f"arith.{op}, {value._name}, {zero._name} : {value._type}",
                             "i1")
    if value._type == "f32":
        return region.append(f"arith.fptosi {value._name} : f32 to i32", "i32")
    return without_wrap(to_integer(value))


def without_wrap(value: Any) -> Any:
    """Returns a traced number whose arithmetic no longer wraps around, or rounds, as one of 8 or 16
    bits does."""
    return type(value)(value._region, value._name, value._type, value._is_natural) \
        if value._wraps else value


def round_to(value: Any, type_: str) -> Any:
    """Returns a traced number as one of the dtype `type_`, "f16" or "bf16"."""
    if value._wraps == type_:
        return value
    value = round_float(value, type_)
    return type(value)(value._region, value._name, "f32", wraps=type_)


def common_float(*values: Any) -> str:
    """Returns the dtype, "f16" or "bf16", of the result of a function of floats of this dtype, and
    maybe of integers and conditions, or of Python's numbers. Returns "" for other values."""
    found = None
    for value in values:
        if value is None or isinstance(value, (bool, int, float)):
            continue  # torch.compile cannot trace hasattr of a symbol
        if not hasattr(value, "_wraps"):
            return ""
        if value._type == "f32":
            if found is not None and found != value._wraps:
                return ""
            found = value._wraps
    return found or ""


def round_float(value: Any, type_: str) -> Any:
    """Rounds a traced number to `type_`, "f16" or "bf16", and returns it as f32."""
    region, value = value._region, to_f32(value)
    narrow = region.append(f"arith.truncf {value._name} : f32 to {type_}", type_)
    return region.append(f"arith.extf {narrow._name} : {type_} to f32", "f32")


def common_wrap(*values: Any) -> str:
    """Returns the dtype, "i8" or "i16", of the result of an op on these values, or "" if the result
    has more bits or is no integer. As in torch and NumPy, Python's numbers and conditions do not
    change the dtype."""
    found = ""
    for value in values:
        if isinstance(value, (bool, int, float)):
            continue  # torch.compile cannot trace hasattr of a symbol
        if hasattr(value, "_wraps") and value._type != "i1":
            if not value._wraps:
                return ""
            found = value._wraps if value._wraps == "i16" else found or value._wraps
    return found


def wrap(value: Any, type_: str, needs_ops: bool = True) -> Any:
    """Returns an integer as a number of the dtype `type_`, "i8" or "i16". With `needs_ops`, it may
    have more bits, of which the lowest are kept: ((value + 2^(n-1)) mod 2^n) - 2^(n-1)."""
    if not type_ or value._type == "f32":
        return value
    region = value._region
    if needs_ops:
        half = 1 << (_BITS[type_] - 1)
        for op, operand in (("addi", half), ("andi", 2 * half - 1), ("subi", half)):
            constant = region.constant(operand, value._type)
            value = region.append(f"arith.{op} {value._name}, {constant._name} : {value._type}",
                                  value._type)
    return type(value)(region, value._name, value._type, value._is_natural, type_)
