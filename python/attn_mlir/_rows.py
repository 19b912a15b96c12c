"""Calls of ops on rows of arrays (merge, append and the like): the text of their kernels, and the
checks that they have in common."""

from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

from ._adapter import Described
from ._arrays import adapter_of, expected, writable_adapter_of
from ._frames import find_kernel, launch, place_name
from ._kernel import Kernel, compile
from ._library import DTYPE_NAMES
from ._module import array_type, function_text, typed  # noqa: F401
from ._options import as_stream
from ._scales import read_halves

# The sizes of an array: numbers, or names for which messages show the size.
Shape = Tuple[Any, ...]


class Operand(NamedTuple):
    """An array of a call. `shape` says what each dimension is: a name, which is the same
    size wherever it is found, or a number."""

    name: str
    array: Any
    shape: Shape
    # The dtypes that the array may have, by name; without any, that of the call's first array.
    dtypes: Tuple[str, ...] = ()
    is_written: bool = False
    # Whether the array has keys or values, and which dtype (such as "i4") the bytes of such an
    # array of uint8 store.
    is_of_keys: bool = False
    kv_dtype: Optional[str] = None
    # The dimension of `shape` along which elements may be contiguous instead of along the last one;
    # "" if there is none.
    along: str = ""


def describe(operands: Sequence[Operand],
             before: Sequence[Tuple[Operand, Described]] = ()) -> List[Described]:
    """Describes the arrays. Raises an error for the first one that does not match those before
    it, among them those that were described `before`."""
    found: List[Described] = []
    # What the sizes of dimensions are, by their names, and whose these are.
    sizes: Dict[Any, Tuple[int, str]] = {}
    for operand, described in before:
        for wanted, size in zip(operand.shape, described[1]):
            sizes.setdefault(wanted, (size, operand.name))
    of_first = before[0][0].name if before else operands[0].name
    for name, array, shape, dtypes, is_written, is_of_keys, kv_dtype, along in operands:
        find = writable_adapter_of if is_written else adapter_of
        described = find(name, array).describe(name, array)
        if is_of_keys:
            described = read_halves(name, described, kv_dtype)
        _, its, strides, dtype, device_type, device, _ = described
        first = before[0][1] if before else found[0] if found else described
        if len(its) != len(shape):
            raise expected(name, f"rank {len(shape)}: ({', '.join(map(str, shape))})",
                           f"sizes {tuple(its)}")
        if (device_type, device) != (first[4], first[5]):
            raise expected(name, f"an array on {place_name(first[4], first[5])}, as "
                           f"{of_first} is", f"one on {place_name(device_type, device)}")
        own = DTYPE_NAMES[dtype]
        if own not in dtypes and (dtypes or dtype != first[3]):
            raise expected(name, "dtype " + " or ".join(dtypes or (DTYPE_NAMES[first[3]],)), own)
        for dim, (wanted, size) in enumerate(zip(shape, its)):
            known = sizes.get(wanted)
            if known is None:
                known = sizes[wanted] = (wanted if type(wanted) is int else size, name)
            if known[0] != size:
                source = f" ({wanted}), as {known[1]} has" if isinstance(wanted, str) else ""
                raise expected(name, f"size {known[0]} in dimension {dim}{source}", size)
        dense = not its or strides[-1] == 1 or its[-1] == 1 or 0 in its
        if not dense and along and own != "i4":
            dim = shape.index(along)
            dense = strides[dim] == 1 or its[dim] == 1
        if not dense:
            raise expected(name, "rows without gaps",
                           f"stride {strides[-1]} in dimension {len(its) - 1}; pass a copy, "
                           "as .contiguous() of torch and numpy.ascontiguousarray make it")
        found.append(described)
    return found


def run(key: Tuple, text: Callable[[], str], operands: Sequence[Operand],
        described: Sequence[Described], stream: Optional[int]) -> Kernel:
    """Launches the kernel that `key` names, and that is compiled from `text` if there is
    none."""
    device_type, device = described[0][4:6]
    if stream is None:
        stream = adapter_of(operands[0].name, operands[0].array).stream(
            operands[0].array, device)
    else:
        stream = as_stream(stream)
    kernel = find_kernel((*key, device_type, device), device_type, device,
                         lambda chip: compile(text(), chip=chip))
    launch(kernel, stream, described, names_of(operands),
           [operand.array for operand in operands if operand.is_written])
    return kernel


def names_of(operands: Sequence[Operand]) -> Tuple[str, ...]:
    return tuple([operand.name for operand in operands])
