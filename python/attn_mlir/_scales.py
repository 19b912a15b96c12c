"""Scales of queries, keys, values and outputs, the mean of values, and arrays of two 4-bit numbers
in each byte."""

from typing import Any, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from ._adapter import Described
from ._arrays import adapter_of, expected, is_array
from ._library import DTYPE_NAMES, DTYPES, F32, binding
from ._options import as_python_integer

# The dtypes that keys and values may have beside a query of another dtype.
NARROW = ("f8E4M3FN", "f8E5M2", "i8", "i4")
_U8, _I4 = DTYPES["u8"], DTYPES["i4"]


def check_kv_dtype(kv_dtype: Any) -> None:
    if kv_dtype is not None and kv_dtype != "i4":
        raise expected("kv_dtype", "None, or 'i4' for bytes with two numbers of 4 bits",
                       repr(kv_dtype))


def read_halves(name: str, described: Described, kv_dtype: Optional[str]) -> Described:
    """Describes keys or values by their numbers: if `kv_dtype` is "i4", the bytes of an array of
    uint8 are two columns of i4 each, the low half first, so that the description has twice as many
    columns."""
    data, sizes, strides, dtype, *rest = described
    if dtype != _U8 or not sizes or kv_dtype is None:
        return described
    sizes = (*sizes[:-1], 2 * sizes[-1])
    strides = (*[2 * its for its in strides[:-1]], strides[-1])
    return (data, sizes, strides, _I4, *rest)  # type: ignore[return-value]


def is_bytes(array: Any) -> bool:
    """Whether the value is an array of uint8. torch.compile traces this code."""
    if not hasattr(array, "dtype") and is_array(array):
        return adapter_of("", array).layout("", array)[0] == "u8"
    return str(getattr(array, "dtype", "")).rpartition(".")[2] == "uint8"


def check_bytes(kv_dtype: Optional[str], **keys: Any) -> None:
    """Raises for keys or values of uint8 without a `kv_dtype`, and for a `kv_dtype` without such
    an array. `keys` are keys and values by name. torch.compile traces this code."""
    check_kv_dtype(kv_dtype)
    if kv_dtype is None:
        for name, its in keys.items():
            if is_bytes(its):
                raise expected(name, "kv_dtype='i4' beside an array of uint8, whose bytes have "
                               "two numbers of 4 bits each", "None")
    elif not any([is_bytes(its) for its in keys.values()]):
        raise expected("kv_dtype", "None without keys or values of uint8", repr(kv_dtype))


def width_of(array: Any) -> int:
    """Returns the head dim of keys or values: twice the number of columns for an array of uint8,
    whose bytes have two columns each, else the number of columns."""
    return array.shape[-1] * 2 if is_bytes(array) else array.shape[-1]


class Declared(NamedTuple):
    """A row of the table of operands in the op's clause `with`, such as scales, which the compiler
    has in include/attn/Dialect/Attn/IR/ExtraTable.h."""

    # The name of the operand's argument in Python, and the name of the operand in the op.
    name: str
    clause: str
    # `of` is the number of the array to which the operand belongs: 0 for q and the output, whose
    # first dimensions are equal, 1 for k, 2 for v. Each element of `forms` is a shape that the
    # operand may have: for each dimension, the number of that array's dimension which has the same
    # size, or None for size 1.
    of: int
    forms: Tuple[Tuple[Optional[int], ...], ...]
    # Whether an element may be for several rows, whether the operand holds further columns of its
    # array, whether the op that computes gradients takes it, and whether the op has no dropout
    # beside it.
    takes_blocks: bool
    has_columns: bool
    has_gradients: bool
    excludes_dropout: bool


_PREFIXES = {"query": "q", "key": "k", "value": "v", "output": "out"}


def _declare(clause: str, of: str, takes_blocks: bool, has_columns: bool, has_gradients: bool,
             excludes_dropout: bool, forms: Sequence[str]) -> Declared:
    array, *rest = clause.split("_")
    name = "_".join([_PREFIXES.get(array, array), *rest])
    numbers = {"query": 0, "key": 1, "value": 2, "output": 0}
    dims = {letter: number for number, letter in enumerate("bhsd")}
    return Declared(name, clause, numbers[of],
                    tuple([tuple([dims.get(letter) for letter in form]) for form in forms]),
                    takes_blocks, has_columns, has_gradients, excludes_dropout)


_ALL = tuple([_declare(*row) for row in binding.operands()])
_TABLE = tuple([its for its in _ALL if not its.has_columns])
# OPERANDS are the names of all arguments that are operands in the clause. NAMES are those of
# operands without further columns, SCALES those of the scales of query, key and value, and
# FORWARD_ONLY those beside which there are no gradients.
OPERANDS = tuple([its.name for its in _ALL])
NAMES = tuple([its.name for its in _TABLE])
SCALES = tuple([its.name for its in _TABLE if its.takes_blocks])
FORWARD_ONLY = tuple([its.name for its in _TABLE if not its.has_gradients])
_DIMENSIONS = (("B", "Hq", "Sq", "D"), ("B", "Hkv", "Skv", "D"), ("B", "Hkv", "Skv", "Dv"))


class Scale(NamedTuple):
    """An operand in the op's clause `with`: a scale, the mean of values, or further columns of
    queries or keys (_rope.py). One element of a scale is for `block` rows. With `is_packed`, a
    scale has sizes (H,) or (T, H), and a mean (1, H, D). `rows` is the static number of rows of
    further columns, or 0."""

    declared: Declared
    array: Any
    block: int
    is_packed: bool
    rows: int = 0


def find_scales(values: Mapping[str, Any], is_packed: bool = False) -> Tuple[Scale, ...]:
    """Returns a Scale for each operand in the op's clause `with` that `values` has by its name in
    Python and that is not None, in the clause's order. The values are arrays; a scale of query, key
    or value may also be a pair of an array and the number of rows that share one of its elements.
    `values` may have other names, too."""
    found: List[Scale] = []
    for declared in _ALL:
        value = values.get(declared.name)
        if value is None:
            continue
        block = 1
        if isinstance(value, (tuple, list)) and not declared.has_columns:
            if not declared.takes_blocks:
                raise expected(declared.name, "an array of float32", repr(value))
            if len(value) != 2 or type(as_python_integer(value[1])) is not int:
                raise expected(declared.name, "an array, or a pair of one and of how many "
                               "rows an element is for", repr(value))
            value, block = value[0], as_python_integer(value[1])
            if block < 16 or block & (block - 1):
                raise expected(declared.name, "a power of two from 16 on as the rows of an "
                               "element", block)
        found.append(Scale(declared, value, block, is_packed))
    if found and found[-1].declared.has_columns:  # the last ones of the clause
        check_columns(values, is_packed)
    return tuple(found)


def check_columns(values: Mapping[str, Any], is_packed: bool = False) -> None:
    """Raises if one of `q_rope` and `k_rope`, further columns of queries and keys, is given alone,
    or if they differ in the number of columns."""
    both = {name: values.get(name) for name in ("q_rope", "k_rope")}
    given = [its for its in both.values() if its is not None]
    for name, its in both.items():
        if its is None and given:
            raise expected(name, "an array, beside the other one of q_rope and k_rope", "None")
    q, k = [its.shape[-1] if getattr(its, "shape", ()) else 0 for its in both.values()]
    if q and k and q != k:
        raise expected("k_rope", f"size {q} in dimension {2 if is_packed else 3}, as q_rope has", k)


def check_dropout(scales: Sequence[Scale], dropout_p: float) -> None:
    """Raises for dropout beside an operand that excludes it."""
    for its, *_ in scales:
        if its.excludes_dropout and dropout_p:
            raise expected("dropout_p", f"0 beside {its.name} (give an array {its.name[0]} to which "
                           "it is already applied)", dropout_p)


def arrays_of(scales: Sequence[Scale]) -> Tuple[Any, ...]:
    return tuple([scale.array for scale in scales])


def find_form(forms: Sequence[Tuple[Optional[int], ...]], rank: int,
              is_packed: bool = False) -> Optional[Tuple[Optional[int], ...]]:
    """Returns the one of an operand's forms that an array of rank `rank` has, or None. If sequences
    are packed, arrays have no dimension of batch entries."""
    return next((its for its in forms if len(its) - (is_packed and 0 in its) == rank), None)


def _swap(dims: Sequence[Any]) -> Tuple[Any, ...]:
    """Swaps heads and tokens, the first two dimensions of an array of packed sequences."""
    return (*dims[1::-1], *dims[2:])


def has_channels(scales: Sequence[Scale]) -> bool:
    """Whether the values have a mean or a scale for each channel."""
    return any([3 in (find_form(its.declared.forms, len(getattr(its.array, "shape", ())),
                                its.is_packed) or ())
                for its in scales if not its.declared.has_columns])


def check_pages(scales: Sequence[Scale]) -> None:
    """Raises for a scale or a mean of channels that differs between pages: the op takes only one
    that all pages share."""
    for scale in scales:
        sizes = tuple(getattr(scale.array, "shape", ()))
        if has_channels([scale]) and len(sizes) == 4 and sizes[0] != 1:
            raise expected(scale.declared.name, "sizes (1, Hkv, 1, Dv), the same channels for all "
                           "pages, each of which may be 1", sizes)


def describe_scale(scale: Scale, described: Described,
                   sizes: Sequence[Sequence[int]]) -> Tuple[Described, str]:
    """Returns the description of a scale as the kernel takes it, and its memref type. `sizes` are
    those of query, key and value, as arrays of rank 4."""
    declared, _, block, is_packed, _ = scale
    return describe_sizes(declared.name, described, declared.forms, sizes[declared.of],
                          _DIMENSIONS[declared.of], block, is_packed)


def describe_sizes(name: str, described: Described,
                   forms: Sequence[Tuple[Optional[int], ...]], of: Sequence[int],
                   names: Sequence[str], block: int = 1,
                   is_packed: bool = False) -> Tuple[Described, str]:
    """Returns the description of a scale as the kernel takes it, and its memref type. The scale is
    for an array of sizes `of`, whose dimensions errors call `names`. `forms` are the shapes that
    the scale may have, as in Declared. Raises for other shapes."""
    data, own, strides, dtype, *rest = described
    found = tuple(own)
    if dtype != F32:
        raise expected(name, "dtype f32", DTYPE_NAMES[dtype])
    # An array of one element may be a scale for the whole array.
    if () in forms and len(own) < 2 and all([size == 1 for size in own]):
        return (data, (), (), dtype, *rest), "memref<f32>"  # type: ignore[return-value]
    form = find_form(forms, len(own), is_packed)
    if is_packed and form is not None:
        batch = [1] * (0 in form)
        own, strides = (*batch, *_swap(own)), (*batch, *_swap(strides))
    wanted: List[int] = []
    if form is not None:
        wanted = [1 if dim is None else -(-of[dim] // block) if dim == 2 else of[dim]
                  for dim in form]
        is_of_blocks = block == 1 or 2 in form
    if form is None or not is_of_blocks or not all(
            [size in (1, full) for size, full in zip(own, wanted)]):
        if is_packed:
            forms = [_swap([dim for dim in its if dim != 0]) for its in forms]
            names = ("", "H", "T", names[3])
        texts = [
            "(" + ", ".join([
                "1" if dim is None
                else f"{names[dim]} / {block}" if dim == 2 and block > 1 else names[dim]
                for dim in its]) + ("," if len(its) == 1 else "") + ")" for its in forms]
        last = " or ".join(texts[-2:])
        raise expected(name, f"sizes {', '.join([*texts[:-2], last])}, each of which may be 1, "
                       f"of an array of sizes {tuple(of)}", found)
    # A size of 1 in the scale is static in the kernel's type if the array has more elements in that
    # dimension, if the form has None, or if it is dimension 0 of a scale for channels (which is
    # then the same for all pages). All other sizes are dynamic.
    shape = ["1" if size == 1 and (full != 1 or dim is None or dim == 0 and len(own) == 4) else "?"
             for size, full, dim in zip(own, wanted, form)]
    last = "1" if strides[-1] == 1 or own[-1] == 1 else "?"
    if own[-1] == 1:
        strides = (*strides[:-1], 1)
    layout = ", ".join(["?"] * (len(own) - 1) + [last])
    type_ = f"memref<{'x'.join(shape)}xf32, strided<[{layout}]>>"
    return (data, own, strides, dtype, *rest), type_  # type: ignore[return-value]


def scales_text(scales: Sequence[Tuple[str, str, int]]) -> str:
    """Returns the text of the op's clause `with`, or "" without operands. `scales` has, for each
    operand of the clause (a scale, a mean or further columns), its name, its type, and the number
    of rows that share one of its elements."""
    parts = [f"{name} %{name}" + (f" per {block}" if block != 1 else "") + f" : {type_}"
             for name, type_, block in scales]
    return f"with({', '.join(parts)})" if parts else ""


def check_no_derivative(are_given: Sequence[bool],
                        needs: Sequence[bool] = (True,) * 3) -> None:
    """Raises if a scale of query, key or value is given, and the gradient of that array is needed.
    `are_given` and `needs` say both for each of the three."""
    for declared, is_given, is_needed in zip(_TABLE, are_given, needs):
        if is_given and is_needed:
            raise expected(declared.name, f"None where {declared.name[0]} requires a gradient, "
                           "which would be of what is stored (torch.no_grad() or detach() says "
                           "that none is needed)", "a scale")
