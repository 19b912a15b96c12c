"""Scales of keys and values in 8 bits, of queries and of outputs."""

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from ._adapter import Described
from ._arrays import expected
from ._library import DTYPE_NAMES, DTYPES, F32

# dtypes of keys and values that may differ from the dtype of the query.
NARROW = ("f8E4M3FN", "f8E5M2", "i8", "i4")
_U8, _I4 = DTYPES["u8"], DTYPES["i4"]


def check_kv_dtype(kv_dtype: Any) -> None:
    if kv_dtype is not None and kv_dtype != "i4":
        raise expected("kv_dtype", "None, or 'i4' for bytes with two numbers of 4 bits",
                       repr(kv_dtype))


def read_halves(name: str, described: Described, kv_dtype: Optional[str]) -> Described:
    """Keys or values as arrays of numbers: if `kv_dtype` says that bytes (uint8) have two numbers
    of 4 bits each, the low half first, describes them as an array with twice as many columns."""
    data, sizes, strides, dtype, *rest = described
    if dtype != _U8 or not sizes:
        return described
    if kv_dtype is None:
        raise expected(name, "kv_dtype='i4' beside an array of uint8, whose bytes have two "
                       "numbers of 4 bits each", "None")
    sizes = (*sizes[:-1], 2 * sizes[-1])
    strides = (*[2 * its for its in strides[:-1]], strides[-1])
    return (data, sizes, strides, _I4, *rest)  # type: ignore[return-value]


def is_bytes(array: Any) -> bool:
    """Whether the value is an array of uint8. torch.compile traces this code."""
    return str(getattr(array, "dtype", "")).rpartition(".")[2] == "uint8"


def check_halves(kv_dtype: Optional[str], keys: Sequence[str]) -> None:
    """Raises for a `kv_dtype` that says nothing of keys and values of these dtypes, which
    `read_halves` has found."""
    if kv_dtype is not None and "i4" not in keys:
        raise expected("kv_dtype", "None without keys or values of uint8", repr(kv_dtype))


def check_bytes(kv_dtype: Optional[str], **keys: Any) -> None:
    """The checks of `read_halves` and `check_halves` by the keys and values themselves, by
    name, in code that torch.compile follows."""
    check_kv_dtype(kv_dtype)
    if kv_dtype is None:
        for name, its in keys.items():
            if is_bytes(its):
                raise expected(name, "kv_dtype='i4' beside an array of uint8, whose bytes have "
                               "two numbers of 4 bits each", "None")
    elif not any([is_bytes(its) for its in keys.values()]):
        raise expected("kv_dtype", "None without keys or values of uint8", repr(kv_dtype))


def width_of(array: Any) -> int:
    """The head dim of keys or values, of which bytes have two numbers each."""
    return array.shape[-1] * 2 if is_bytes(array) else array.shape[-1]


class Declared(NamedTuple):
    """An operand of the op's clause `with`; lib/Dialect/Attn/IR/ExtraOperands.cpp has the
    compiler's table."""

    # The argument's name in Python, and the operand's name in the op.
    name: str
    clause: str
    # `of` is the number of the array that is scaled: 0 for q, 1 for k, 2 for v. Each element of
    # `forms` is a shape that the scale may have: numbers of dimensions of that array, or None for
    # size 1.
    of: int
    forms: Tuple[Tuple[Optional[int], ...], ...]


_OF_TOKENS: Tuple[Tuple[Optional[int], ...], ...] = ((0, 1), (0, 1, 2))
_OF_CHANNELS = (0, 1, None, 3)
_TABLE = (Declared("q_scale", "query_scale", 0, _OF_TOKENS),
          Declared("k_scale", "key_scale", 1, _OF_TOKENS),
          Declared("v_scale", "value_scale", 2, (*_OF_TOKENS, _OF_CHANNELS)),
          Declared("v_mean", "value_mean", 2, (_OF_CHANNELS,)),
          Declared("out_scale", "output_scale", 0, ((0, 1),)))
# All names, and those of the scales of query, key and value, which come first.
NAMES = tuple([its.name for its in _TABLE])
SCALES = NAMES[:3]
_DIMENSIONS = (("B", "Hq", "Sq", "D"), ("B", "Hkv", "Skv", "D"), ("B", "Hkv", "Skv", "Dv"))


class Scale(NamedTuple):
    """A scale operand of a call, or the mean of values; `block` rows share one element. For
    packed sequences the sizes are (H,) or (T, H), and of a mean (1, H, D). Further columns of
    queries and keys (_rope.py) are also such operands; `rows` is their static number of rows,
    or 0."""

    declared: Declared
    array: Any
    block: int
    is_packed: bool
    rows: int = 0


def find_scales(*given: Any, is_packed: bool = False) -> Tuple[Scale, ...]:
    """Those of the given scales of query, key and value, the mean of values and the scale of the
    output that are not None. Each is an array, or, for those of SCALES, a pair of an array and the
    number of rows that share an element."""
    found: List[Scale] = []
    for declared, value in zip(_TABLE, given):
        if value is None:
            continue
        block = 1
        if isinstance(value, (tuple, list)):
            if declared.name not in SCALES:
                raise expected(declared.name, "an array of float32", repr(value))
            if len(value) != 2 or type(value[1]) is not int:
                raise expected(declared.name, "an array, or a pair of one and of how many "
                               "rows an element is for", repr(value))
            value, block = value
            if block < 16 or block & (block - 1):
                raise expected(declared.name, "a power of two from 16 on as the rows of an "
                               "element", block)
        found.append(Scale(declared, value, block, is_packed))
    return tuple(found)


def check_mean(mean: Any, dropout_p: float) -> None:
    """Raises for dropout beside a mean of values."""
    if mean is not None and dropout_p:
        raise expected("dropout_p", "0 beside v_mean (give values that include their mean)",
                       dropout_p)


def arrays_of(scales: Sequence[Scale]) -> Tuple[Any, ...]:
    return tuple([scale.array for scale in scales])


def has_channels(scales: Sequence[Scale]) -> bool:
    """Whether the values have a mean, or a scale for each channel."""
    return any([its.declared.name == "v_mean" or its.declared.name == "v_scale"
                and len(getattr(its.array, "shape", ())) == 4 for its in scales])


def describe_scale(scale: Scale, described: Described,
                   sizes: Sequence[Sequence[int]]) -> Tuple[Described, str]:
    """A scale as the kernel takes it, and its type. `sizes` are those of q, k and v as
    arrays of rank 4."""
    declared, _, block, is_packed, _ = scale
    return describe_sizes(declared.name, described, declared.forms, sizes[declared.of],
                          _DIMENSIONS[declared.of], block, is_packed)


def describe_sizes(name: str, described: Described,
                   forms: Sequence[Tuple[Optional[int], ...]], of: Sequence[int],
                   names: Sequence[str], block: int = 1,
                   is_packed: bool = False) -> Tuple[Described, str]:
    """Describes an array of scales for an array of sizes `of`, whose dimensions are called
    `names`."""
    data, own, strides, dtype, *rest = described
    found = tuple(own)
    if dtype != F32:
        raise expected(name, "dtype f32", DTYPE_NAMES[dtype])
    # Without a form of heads, there is none of one element for everything.
    is_of_channels = len(forms[0]) == 4
    if not is_of_channels and len(own) < 2 and all([size == 1 for size in own]):
        return (data, (), (), dtype, *rest), "memref<f32>"  # type: ignore[return-value]
    if is_packed and len(own) in (1, 2):
        own, strides = (1, *own[::-1]), (1, *strides[::-1])
    elif is_packed and is_of_channels and len(own) == 3:
        own, strides = (*own[:2], 1, own[2]), (*strides[:2], 1, strides[2])
    form = next((its for its in forms if len(its) == len(own)), None)
    wanted: List[int] = []
    if form is not None:
        wanted = [1 if dim is None else -(-of[dim] // block) if dim == 2 else of[dim]
                  for dim in form]
        is_of_blocks = block == 1 or 2 in form
    if form is None or not is_of_blocks or not all(
            [size in (1, full) for size, full in zip(own, wanted)]):
        texts = ["()"] + [
            "(" + ", ".join([
                "1" if dim is None
                else f"{names[dim]} / {block}" if dim == 2 and block > 1 else names[dim]
                for dim in its]) + ")" for its in forms]
        if is_packed:
            texts = ["()", "(H,)", "(T, H)" if block == 1 else f"(T / {block}, H)"]
            texts = texts[:1 + len(forms)]
        if is_of_channels:
            texts = ["(1, H, Dv)" if is_packed else texts[-1]]
        last = " or ".join(texts[-2:])
        raise expected(name, f"sizes {', '.join([*texts[:-2], last])}, each of which may be 1, "
                       f"of an array of sizes {tuple(of)}", found)
    # The kernel's type has a static 1 in dimensions in which one scale serves several elements of
    # the array, for None in the form, and where channels are the same for all pages; all other
    # sizes are dynamic.
    shape = ["1" if size == 1 and (full != 1 or dim is None or dim == 0 and len(own) == 4) else "?"
             for size, full, dim in zip(own, wanted, form)]
    last = "1" if strides[-1] == 1 or own[-1] == 1 else "?"
    if own[-1] == 1:
        strides = (*strides[:-1], 1)
    layout = ", ".join(["?"] * (len(own) - 1) + [last])
    type_ = f"memref<{'x'.join(shape)}xf32, strided<[{layout}]>>"
    return (data, own, strides, dtype, *rest), type_  # type: ignore[return-value]


def scales_text(scales: Sequence[Tuple[str, str, int]]) -> str:
    """The text of the op's clause `with`, from names, types, and numbers of rows that share an
    element."""
    parts = [f"{name} %{name}" + (f" per {block}" if block != 1 else "") + f" : {type_}"
             for name, type_, block in scales]
    return f"with({', '.join(parts)})"


def check_no_derivative(are_given: Sequence[bool],
                        needs: Sequence[bool] = (True,) * 3) -> None:
    """Raises for scales of query, key and value that are arrays of which gradients are needed;
    `are_given` says whether there is one."""
    for declared, is_given, is_needed in zip(_TABLE, are_given, needs):
        if is_given and is_needed:
            raise expected(declared.name, f"None where {declared.name[0]} requires a gradient, "
                           "which would be of what is stored (torch.no_grad() or detach() says "
                           "that none is needed)", "a scale")


def features_of(dtype: str, key: str, value: str, output: str = "") -> Dict[str, str]:
    """The features of a kernel for keys, values and an output of these dtypes."""
    return {"key": key if key != dtype else "", "value": value if value != dtype else "",
            "output": output if output != dtype else ""}
