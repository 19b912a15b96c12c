"""Memory that the caller provides as the workspace of launches."""

from typing import Any, Callable

from ._arrays import expected, writable_adapter_of
from ._library import CPU, DTYPE_BYTES, DTYPE_NAMES, binding


class workspace:
    """Within `with workspace(array):`, this thread's launches on a GPU allocate no
    memory: arrays that one kernel writes and a later one reads lie in `array`.

    `array` is a contiguous array of any dtype on the GPU of the launches. Its address is
    a multiple of 256 bytes, and it has at least `workspace_size` bytes. Nothing else may
    use it until the launches have ended; several launches may use it if they are on one
    stream. Without a workspace, memory is allocated from a pool in the order of the
    stream. autograd computes gradients on its own threads, which use the pool.

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
        # The workspace as the binding takes it: a pair of an address and a number of bytes.
        self._own = data, count * DTYPE_BYTES[DTYPE_NAMES[dtype]]

    def __enter__(self) -> "workspace":
        self._outer = binding.swap_workspace(self._own)
        return self

    def __exit__(self, *_: Any) -> None:
        binding.swap_workspace(self._outer)


def workspace_size(function: Callable[..., Any], *args: Any, **kwargs: Any) -> int:
    """Returns the number of bytes of GPU memory that `workspace` needs for the launches of
    `function(*args, **kwargs)`. In this memory lie arrays that one kernel writes and a later one
    reads.

    The function is called and allocates its results, but launches nothing, and its results are
    dropped. The number depends on the sizes and strides of the arrays, not on their elements. It
    never decreases with more rows or keys. But a smaller batch may need more in `decode`, which
    divides keys among the SMs. The number is 0 on the CPU.

        size = attn_mlir.workspace_size(attn_mlir.decode, q, k, v, lengths=lengths)
        space = torch.empty(size, dtype=torch.int8, device="cuda")
        with attn_mlir.workspace(space):
            o = attn_mlir.decode(q, k, v, lengths=lengths)
    """
    # With a workspace whose address is None nothing is launched: calls only count the bytes that
    # they need, which are then the pair's second element.
    outer = binding.swap_workspace((None, 0))
    try:
        function(*args, **kwargs)
    finally:
        counted = binding.swap_workspace(outer)
    return counted[1]

