"""The common part of calls whose kernels have one op, such as merge, append and attention: the
checks of their arrays, and the launch."""

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from ._adapter import Described
from ._arrays import adapter_of, expected, writable_adapter_of
from ._frames import find_kernel
from ._kernel import Kernel, compile
from ._library import ANY, CPU, CUDA, DTYPE_NAMES, binding
from ._options import as_stream
from ._scales import read_halves

# The sizes that an array must have: numbers, or names such as "B" for sizes that arrays of a call
# must have in common.
Shape = Tuple[Any, ...]
_DEVICES = {ANY: "an unstated device", CPU: "the CPU", CUDA: "GPU"}


class Operand:
    """An array of a call, and what it must be. Each dimension in `shape` is a number, or a name:
    all dimensions of the call's arrays with this name must have the same size. `described` is the
    array's description, which describe() sets."""

    __slots__ = ("name", "array", "shape", "dtypes", "is_written", "is_of_keys", "kv_dtype",
                 "along", "described")

    def __init__(self, name: str, array: Any, shape: Shape = (), dtypes: Tuple[str, ...] = ("",),
                 is_written: bool = False, is_of_keys: bool = False,
                 kv_dtype: Optional[str] = None, along: str = "",
                 described: Described = ()) -> None:  # type: ignore[assignment]
        self.name, self.array, self.shape = name, array, shape
        # The dtypes that the array may have. "" stands for the dtype of the call's first array.
        self.dtypes, self.is_written = dtypes, is_written
        # `is_of_keys` says whether the array has keys or values, which may be stored in bytes
        # (uint8). `kv_dtype` is then the dtype, such as "i4", of the numbers in the bytes.
        self.is_of_keys, self.kv_dtype = is_of_keys, kv_dtype
        # The dimension of `shape`, by name, that may have stride 1 in place of the last one. If
        # this is "", the last one must have stride 1; if it is "any", no dimension need have it.
        self.along, self.described = along, described

    @property
    def sizes(self) -> Sequence[int]:
        return self.described[1]

    @property
    def dtype(self) -> str:
        return DTYPE_NAMES[self.described[3]]

    @property
    def device(self) -> Tuple[int, Optional[int]]:
        """The device type, of the enum attn_device_type, and the number of the device."""
        return self.described[4:6]

    def with_description(self, described: Described) -> "Operand":
        return Operand(self.name, self.array, self.shape, is_written=self.is_written,
                       described=described)


def present(*operands: Operand) -> List[Operand]:
    """Returns those operands for which the caller has passed an array."""
    return [its for its in operands if its.array is not None]


def _device_name(device_type: int, device: Optional[int]) -> str:
    name = _DEVICES.get(device_type, "other memory")
    return f"{name} {device}" if device_type == CUDA else name


def check_device(name: str, described: Described, first: Operand, of_first: str = "") -> None:
    """Raises if an array is not on the device of the call's array `first`, which errors call
    `of_first` or by its name."""
    if described[4:6] != first.device:
        raise expected(name, f"an array on {_device_name(*first.device)}, as "
                       f"{of_first or first.name} is", f"one on {_device_name(*described[4:6])}")


def describe_on(name: str, array: Any, first: Operand, of_first: str = "") -> Operand:
    """Describes an array that must be on the device of the call's array `first`, which errors call
    `of_first` or by its name. An array without dimensions is copied to that device."""
    adapter = adapter_of(name, array)
    described = adapter.describe(name, array)
    if described[4:6] != first.device and tuple(described[1]) == ():
        array = adapter.move(array, first.array)
        # The description holds the copy on the call's device, so that the copy stays alive until
        # the kernel has been launched.
        described = (*adapter.describe(name, array)[:6], array)
    check_device(name, described, first, of_first)
    return Operand(name, array, described=described)


def describe(operands: Sequence[Operand], before: Sequence[Operand] = ()) -> List[Operand]:
    """Describes the arrays of a call, and returns them. Raises for the first one that does not
    match its shape and dtypes, the device of the first array, or the arrays before it; those
    `before` have been described already."""
    known: Dict[Any, int] = {}  # the sizes of named dimensions
    for its in before:
        for wanted, size in zip(its.shape, its.sizes):
            known.setdefault(wanted, size)
    first = before[0] if before else None
    for operand in operands:
        name, array, shape, along = operand.name, operand.array, operand.shape, operand.along
        find = writable_adapter_of if operand.is_written else adapter_of
        described = find(name, array).describe(name, array)
        if operand.is_of_keys:
            described = read_halves(name, described, operand.kv_dtype)
        operand.described = described
        if first is None:
            first = operand
        _, sizes, strides, code, *_ = described
        if len(sizes) != len(shape):
            raise expected(name, f"rank {len(shape)}: ({', '.join(map(str, shape))})",
                           f"sizes {tuple(sizes)}")
        check_device(name, described, first)
        dtypes, dtype = operand.dtypes, DTYPE_NAMES[code]
        if dtype not in dtypes and ("" not in dtypes or code != first.described[3]):
            named = dict.fromkeys([its or first.dtype for its in dtypes])
            raise expected(name, "dtype " + " or ".join(named), dtype)
        for dim, (wanted, size) in enumerate(zip(shape, sizes)):
            needed = wanted if type(wanted) is int else known.setdefault(wanted, size)
            if size != needed:
                owners = [its.name for its in (*before, *operands) if wanted in its.shape]
                source = "" if type(wanted) is int else f" ({wanted}), as {owners[0]} has"
                raise expected(name, f"size {needed} in dimension {dim}{source}", size)
        if sizes and strides[-1] != 1 and sizes[-1] != 1 and 0 not in sizes and along != "any":
            dim = shape.index(along) if along and dtype != "i4" else -1
            if strides[dim] != 1 and sizes[dim] != 1:
                raise expected(name, "rows without gaps",
                               f"stride {strides[-1]} in dimension {len(sizes) - 1}; pass a copy, "
                               "as .contiguous() of torch and numpy.ascontiguousarray make it")
    return list(operands)


def lies_along_keys(value: Operand) -> bool:
    """Whether a kernel reads an array of values, (B, Hkv, S, Dv), as one with stride 1 along keys.
    This is never so for values of 4 bits, whose bytes have two columns each."""
    _, sizes, strides, *_ = value.described
    return (len(sizes) == 4 and sizes[3] > 1 and strides[3] != 1 and 0 not in sizes
            and (strides[2] == 1 or sizes[2] == 1) and value.dtype != "i4")


def run(key: Tuple, text: Callable[[], str], operands: Sequence[Operand],
        stream: Optional[int]) -> Kernel:
    """Launches the kernel that `key` names on described operands. If there is none, it is compiled
    from the module `text()`. Tells autograd that the arrays which the kernel writes have changed,
    since autograd may have saved them."""
    device_type, device = operands[0].device
    if stream is None:
        stream = adapter_of(operands[0].name, operands[0].array).stream(
            operands[0].array, device)
    else:
        stream = as_stream(stream)
    kernel = find_kernel((*key, device_type, device), device_type, device,
                         lambda chip: compile(text(), chip=chip))
    binding.launch(kernel._program, stream, [its.described for its in operands], device_type,
                   device, [its.name for its in operands])
    binding.note_written(tuple([its.array for its in operands if its.is_written]))
    return kernel
