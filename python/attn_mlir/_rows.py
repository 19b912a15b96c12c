"""The common part of calls whose kernels have one op, such as merge, append and attention: the
checks of their arrays, and the launch."""

from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

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
# A device type, of the enum attn_device_type, and the number of a device.
Device = Tuple[int, Optional[int]]
_DEVICES = {ANY: "an unstated device", CPU: "the CPU", CUDA: "GPU"}


class Operand(NamedTuple):
    """An array of a call, and what it must be. Each dimension in `shape` is a number, or a name:
    all dimensions of the call's arrays with this name must have the same size."""

    name: str
    array: Any
    shape: Shape
    # The dtypes that the array may have. If there are none, the array must have the dtype of the
    # call's first array.
    dtypes: Tuple[str, ...] = ()
    is_written: bool = False
    # `is_of_keys` says whether the array has keys or values, which may be stored in bytes (uint8).
    # `kv_dtype` is then the dtype, such as "i4", of the numbers in the bytes.
    is_of_keys: bool = False
    kv_dtype: Optional[str] = None
    # The dimension of `shape`, by name, that may have stride 1 in place of the last one. If this is
    # "", the last one must have stride 1; if it is "any", no dimension need have it.
    along: str = ""


def _refuse_size(operand: Operand, its: Sequence[int], operands: Sequence[Operand],
                 sizes: Dict[Any, int]) -> None:
    """Raises for the first dimension of `operand` whose size is not the one in its shape: a number,
    or the size that this name has in the operands before."""
    for dim, (wanted, size) in enumerate(zip(operand.shape, its)):
        known, source = wanted, ""
        if type(wanted) is not int:
            owner = next(other.name for other in operands if wanted in other.shape)
            known, source = sizes[wanted], f" ({wanted}), as {owner} has"
        if known != size:
            raise expected(operand.name, f"size {known} in dimension {dim}{source}", size)


def _device_name(device_type: int, device: Optional[int]) -> str:
    name = _DEVICES.get(device_type, "other memory")
    return f"{name} {device}" if device_type == CUDA else name


def check_device(name: str, described: Described, device: Device, of_first: str) -> None:
    """Raises if an array is not on the device `device`, which is that of the call's array
    `of_first`."""
    if described[4:6] != device:
        raise expected(name, f"an array on {_device_name(*device)}, as {of_first} is",
                       f"one on {_device_name(*described[4:6])}")


def describe_on(name: str, array: Any, like: Any, device: Device, of_first: str) -> Described:
    """Describes an array that must be on the device `device` of the array `like`, which errors call
    `of_first`. An array without dimensions is copied to that device."""
    adapter = adapter_of(name, array)
    described = adapter.describe(name, array)
    if described[4:6] != device and tuple(described[1]) == ():
        array = adapter.move(array, like)
        # The description holds the copy on the call's device, so that the copy stays alive until
        # the kernel has been launched.
        described = (*adapter.describe(name, array)[:6], array)
    check_device(name, described, device, of_first)
    return described


def describe(operands: Sequence[Operand],
             before: Sequence[Tuple[Operand, Described]] = ()) -> List[Described]:
    """Describes the arrays of a call. Raises for the first one that does not match its shape and
    dtypes, the device of the first array, or the arrays before it; those `before` have been
    described already."""
    found: List[Described] = []
    # The sizes of named dimensions that have been found so far.
    sizes: Dict[Any, int] = {}
    for operand, described in before:
        for wanted, size in zip(operand.shape, described[1]):
            sizes.setdefault(wanted, size)
    first = before[0][1] if before else None
    for operand in operands:
        name, array, shape, dtypes, is_written, is_of_keys, kv_dtype, along = operand
        find = writable_adapter_of if is_written else adapter_of
        described = find(name, array).describe(name, array)
        if is_of_keys:
            described = read_halves(name, described, kv_dtype)
        if first is None:
            first = described
        _, its, strides, dtype, *_ = described
        if len(its) != len(shape):
            raise expected(name, f"rank {len(shape)}: ({', '.join(map(str, shape))})",
                           f"sizes {tuple(its)}")
        check_device(name, described, first[4:6], (before[0][0] if before else operands[0]).name)
        if DTYPE_NAMES[dtype] not in dtypes and (dtypes or dtype != first[3]):
            raise expected(name, "dtype " + " or ".join(dtypes or (DTYPE_NAMES[first[3]],)),
                           DTYPE_NAMES[dtype])
        for wanted, size in zip(shape, its):
            if size != (wanted if type(wanted) is int else sizes.setdefault(wanted, size)):
                _refuse_size(operand, its, [*[its for its, _ in before], *operands], sizes)
        if its and strides[-1] != 1 and its[-1] != 1 and 0 not in its and along != "any":
            dim = shape.index(along) if along and DTYPE_NAMES[dtype] != "i4" else -1
            if strides[dim] != 1 and its[dim] != 1:
                raise expected(name, "rows without gaps",
                               f"stride {strides[-1]} in dimension {len(its) - 1}; pass a copy, "
                               "as .contiguous() of torch and numpy.ascontiguousarray make it")
        found.append(described)
    return found


def lies_along_keys(value: Described) -> bool:
    """Whether a kernel reads an array of values, (B, Hkv, S, Dv), as one with stride 1 along keys.
    This is never so for values of 4 bits, whose bytes have two columns each."""
    _, sizes, strides, dtype, *_ = value
    return (len(sizes) == 4 and sizes[3] > 1 and strides[3] != 1 and 0 not in sizes
            and (strides[2] == 1 or sizes[2] == 1) and DTYPE_NAMES[dtype] != "i4")


def run(key: Tuple, text: Callable[[], str], operands: Sequence[Operand],
        described: Sequence[Described], stream: Optional[int]) -> Kernel:
    """Launches the kernel that `key` names. If there is none, it is compiled from the module
    `text()`. Tells autograd that the arrays which the kernel writes have changed, since autograd
    may have saved them."""
    device_type, device = described[0][4:6]
    if stream is None:
        stream = adapter_of(operands[0].name, operands[0].array).stream(
            operands[0].array, device)
    else:
        stream = as_stream(stream)
    kernel = find_kernel((*key, device_type, device), device_type, device,
                         lambda chip: compile(text(), chip=chip))
    binding.launch(kernel._program, stream, described, device_type, device, names_of(operands))
    binding.note_written(tuple([its.array for its in operands if its.is_written]))
    return kernel


def names_of(operands: Sequence[Operand]) -> Tuple[str, ...]:
    return tuple([operand.name for operand in operands])
