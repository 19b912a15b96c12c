"""Launches, and memory of the caller's for them."""

from typing import Any, Callable, Optional, Tuple

from ._arrays import expected, writable_adapter_of
from ._library import CPU, DTYPE_BYTES, DTYPE_NAMES, binding


class _Scope:
    """`own` is what the binding takes for the thread's workspace: an address, or None to
    count, and bytes."""

    own: Optional[Tuple[Optional[int], int]] = None

    def __enter__(self) -> "_Scope":
        self._outer = binding.swap_workspace(self.own)
        return self

    def __exit__(self, *_: Any) -> None:
        self.own = binding.swap_workspace(self._outer)


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
        self.own = data, count * DTYPE_BYTES[DTYPE_NAMES[dtype]]


class _Count(_Scope):
    own = (None, 0)


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
    assert counted.own is not None
    return counted.own[1]

