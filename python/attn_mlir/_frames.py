"""Kernels that were compiled for calls on arrays, and what their launches need.

A call with a known kernel should cost the host little, so each thread keeps for
each kernel the launch's arguments in a form that C reads, and a call fills in
addresses, sizes and strides alone. A call on arrays of layouts that it has seen fills in
addresses, and the sizes and strides as one image.
"""

import ctypes
import struct
import threading
from typing import Any, Callable, Dict, NamedTuple, Optional, Sequence, Tuple

from . import _cuda
from ._arrays import expected
from ._forks import Lock
from ._kernel import Kernel, recover
from ._library import ANY, CPU, CUDA, DTYPE_NAMES, F32, Buffer
from ._module import DTYPES

_WORDS_OF_BUFFER = ctypes.sizeof(Buffer) // 8
_PLACES = {ANY: "an unstated device", CPU: "the CPU", CUDA: "GPU"}
# Arrays of a number for each row; the others have a vector for each.
_ROWS = ("lse", "d_lse")


class Frame:
    """The arguments of one kernel's launches from one thread."""

    __slots__ = ("kernel", "program", "buffers", "address", "words", "shapes", "pack",
                 "count", "shapes_view", "shapes_held", "device_type", "device")

    def __init__(self, kernel: Kernel, ranks: Tuple[int, ...], dtypes: Tuple[int, ...],
                 device_type: int, device: Optional[int]) -> None:
        self.kernel = kernel
        self.program = ctypes.c_void_p(kernel._program)
        self.count = len(ranks)
        self.device_type, self.device = device_type, device
        self.buffers = (Buffer * self.count)()
        self.address = ctypes.c_void_p(ctypes.addressof(self.buffers))
        self.words = (ctypes.c_uint64 * (self.count * _WORDS_OF_BUFFER)).from_buffer(
            self.buffers)
        self.shapes = (ctypes.c_int64 * (2 * sum(ranks)))()
        self.pack = struct.Struct(f"={2 * sum(ranks)}q").pack_into
        # To write all sizes and strides at once; the image that was written last, or None.
        self.shapes_view = memoryview(self.shapes).cast("B")
        self.shapes_held: Optional[bytes] = None
        next_ = ctypes.addressof(self.shapes)
        for buffer, rank, dtype in zip(self.buffers, ranks, dtypes):
            buffer.sizes, buffer.strides = next_, next_ + 8 * rank
            buffer.rank, buffer.dtype = rank, dtype
            buffer.device_type, buffer.device_id = device_type, device or 0
            next_ += 16 * rank

    def recover(self, status: int, stream: Optional[int], device_type: int,
                device: Optional[int]) -> None:
        """Handles a launch that failed."""
        recover(status, self.program, stream, self.address, self.count, device_type,
                device)


class Known(NamedTuple):
    """A call that was checked and launched before, on arrays of the same layouts."""

    frame: Frame
    # Of all sizes and strides.
    image: bytes
    # From the operands; None where the caller gave the output.
    make_results: Optional[Callable[[Sequence[Any]], Tuple]]
    # Of operands and results, for messages; the kernel's own if there are none.
    names: Tuple[str, ...] = ()
    # Whether the third operand, the value, lies in the second one, and has no buffer.
    is_within: bool = False


class _Frames(threading.local):
    def __init__(self) -> None:
        self.by_key: Dict[Tuple, Frame] = {}
        self.by_layouts: Dict[Tuple, Known] = {}

    def remember(self, layouts: Tuple, known: Known) -> None:
        # Where lengths are others each time, what is kept must have an end.
        if len(self.by_layouts) >= 1024:
            self.by_layouts.clear()
        self.by_layouts[layouts] = known


frames = _Frames()
kernels: Dict[Tuple, Kernel] = {}
_lock = Lock()


def make_frame(key: Tuple, device_type: int, device: Optional[int],
               build: Callable[[Optional[str]], Kernel], ranks: Tuple[int, ...],
               dtypes: Tuple[int, ...]) -> Frame:
    """A frame of this thread's for the kernel of `key`. `build` compiles it for a chip
    if it is new."""
    with _lock:
        kernel = kernels.get(key)
        if kernel is None:
            if device_type == CPU:
                kernel = build("host")
            else:
                with _cuda.on_device(device):
                    kernel = build(None)
            kernels[key] = kernel
    frame = Frame(kernel, ranks, dtypes, device_type, device)
    frames.by_key[key] = frame
    return frame


def check_dtype(dtype: int, name: str = "q") -> None:
    if DTYPE_NAMES[dtype] not in DTYPES:
        raise expected(name, "dtype " + ", ".join(DTYPES), DTYPE_NAMES[dtype])


def place_name(device_type: int, device: Optional[int]) -> str:
    name = _PLACES.get(device_type, "other memory")
    return f"{name} {device}" if device_type == CUDA else name


def check_alike(described: Dict[str, Tuple], dtype: int, device_type: int,
                device: Optional[int], first: str = "q",
                dtypes: Tuple[int, ...] = ()) -> None:
    """Raises for the first array that is of another rank, dtype or place than the
    array that `first` names; `dtypes` are others that it may have."""
    check_dtype(dtype, first)
    for name, (_, sizes, _, its_dtype, its_type, its_device, _) in described.items():
        if len(sizes) != (3 if name in _ROWS else 4):
            raise expected(name, "rank 3: (B, H, S)" if name in _ROWS
                           else "rank 4: (B, H, S, D)", f"sizes {tuple(sizes)}")
        if (its_type, its_device) != (device_type, device):
            raise expected(name,
                           f"an array on {place_name(device_type, device)}, as {first} is",
                           f"one on {place_name(its_type, its_device)}")
        wanted = (F32,) if name in _ROWS else (dtype, *dtypes)
        if its_dtype not in wanted:
            raise expected(name, "dtype " + " or ".join(
                dict.fromkeys(DTYPE_NAMES[code] for code in wanted)),
                DTYPE_NAMES[its_dtype])
