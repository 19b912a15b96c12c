"""Launches, and memory of the caller's for them."""

import ctypes
import threading
from typing import Any, Callable, Optional

from ._arrays import expected, writable_adapter_of
from ._library import CPU, DTYPE_BYTES, DTYPE_NAMES, library


class _State(threading.local):
    """What the thread's launches take memory from: a workspace, a count or None."""

    current: Any = None


_state = _State()
_launch = library.attn_launch


def launch(program: Any, stream: Optional[int], buffers: Any, count: int) -> int:
    """The status of a launch, which takes its memory from the thread's workspace."""
    current = _state.current
    if current is None:
        return _launch(program, stream, buffers, count)
    return current._launch(program, stream, buffers, count)


class _Scope:
    def __enter__(self) -> "_Scope":
        self._outer = _state.current
        _state.current = self
        return self

    def __exit__(self, *_: Any) -> None:
        _state.current = self._outer


class workspace(_Scope):
    """Within `with workspace(array):` this thread's launches on a GPU take the memory for
    what their kernels hand to each other from `array`, and allocate nothing.

    `array` is an array without gaps of any dtype on the GPU that the launches are for, at
    a multiple of 256 bytes, of at least `workspace_size` bytes. Nobody else may use it
    until the launches are done; launches on one stream may follow each other. Without a
    workspace memory comes from a pool, in the stream's order. autograd computes gradients
    on threads of its own, which take theirs from the pool.

    A launch that needs more raises Error, which says how much, and launches nothing.
    """

    def __init__(self, array: Any) -> None:
        self._array = array
        data, sizes, strides, dtype, device_type, _, _ = writable_adapter_of(
            "array", array).describe("array", array)
        if device_type == CPU:
            raise expected("array", "an array on a GPU", "one on the CPU")
        count = 1
        for size, stride in zip(reversed(sizes), reversed(strides)):
            if size != 1 and stride != count:
                raise expected("array", "an array without gaps",
                               f"strides {tuple(strides)}")
            count *= size
        self._data, self._bytes = data, count * DTYPE_BYTES[DTYPE_NAMES[dtype]]

    def _launch(self, program: Any, stream: Optional[int], buffers: Any,
                count: int) -> int:
        return library.attn_launch_with_workspace(program, stream, buffers, count,
                                                  self._data, self._bytes)


class _Count(_Scope):
    def __init__(self) -> None:
        self.bytes = 0

    def _launch(self, program: Any, stream: Optional[int], buffers: Any,
                count: int) -> int:
        size = ctypes.c_uint64()
        status = library.attn_program_workspace_size(program, buffers, count,
                                                     ctypes.byref(size))
        self.bytes = max(self.bytes, size.value)
        return status


def workspace_size(function: Callable[..., Any], *args: Any, **kwargs: Any) -> int:
    """Bytes of GPU memory that the launches of `function(*args, **kwargs)` take for what
    their kernels hand to each other: what `workspace` needs for the call.

    The function is called, and its results have memory, but nothing is launched, and
    what it returns is dropped. Sizes and strides of the arrays decide, not what they
    hold. More rows or keys never need less, but a smaller batch may in `decode`, which
    divides keys among the SMs. 0 on the CPU.

        size = attn_mlir.workspace_size(attn_mlir.decode, q, k, v, lengths=lengths)
        space = torch.empty(size, dtype=torch.int8, device="cuda")
        with attn_mlir.workspace(space):
            o = attn_mlir.decode(q, k, v, lengths=lengths)
    """
    with _Count() as counted:
        function(*args, **kwargs)
    return counted.bytes

