"""The function `prepare_mask`, which summarises a mask before the calls that read it."""

from typing import Any, Optional, Sequence, Tuple

from ._arrays import adapter_of, expected
from ._library import DTYPE_NAMES
from ._module import array_type, op_text
from ._prepared import PreparedMask
from ._rows import Operand, describe, run

_CELL = 64
_INTEGERS = ("i1", "i8", "i16", "i32", "i64")


def prepare_mask(mask: Any, *, stream: Optional[int] = None) -> PreparedMask:
    """Summarises a mask once, so that calls skip the blocks in which it keeps no pair
    without reading all of it again.

    | array | sizes | dtype |
    |---|---|---|
    | `mask` | (.., Sq, Skv), rank 2 or more, rows without gaps | bool, int8, int16, int32 or int64 |

    The result stands for the array: mask and score functions read it by the same indices,
    and the SDPA mode takes it as `attn_mask`.

        mask = attn_mlir.prepare_mask(mask)
        o = attn_mlir.attention(q, k, v, mask_mod=lambda b, h, q, kv: mask[h, q, kv])

    The result holds the smallest and the largest element of each cell of 64 x 64 elements, 8 bytes
    for each cell. If a mask function reads the array with q and kv themselves as its last two
    indices, and the array has as many rows and keys as the call, these numbers decide for many
    blocks of pairs that the mask keeps none or all of them. Kernels then skip such a block, or do
    not mask it. Without `prepare_mask`, each call computes the numbers again. In other functions
    the result can be read as the array itself.

    A mask that has changed must be prepared again. If a tensor of torch's has changed,
    the next call raises an error, except within torch.compile; if an array of NumPy's has
    changed, results are undefined.

    - `mask`: an array of NumPy's or a tensor of torch's.
    - `stream`: as in `attention`. Calls on other streams must wait for it.

    Raises ArgumentError, which names the argument, or Error.
    """
    if isinstance(mask, PreparedMask):
        mask = mask.array
    adapter = adapter_of("mask", mask).require_library("mask", mask)
    if adapter.needs_operator(mask):
        return PreparedMask(mask, adapter.operate("prepare_mask", locals()))
    return PreparedMask(mask, summarize(mask, stream))


def find_summary_sizes(sizes: Sequence[int]) -> Tuple[int, ...]:
    """Returns the sizes of the summary of a mask of sizes (.., Sq, Skv): (.., Sq / 64, Skv / 64,
    2), rounded up, for the minimum and the maximum of each cell of 64 x 64 elements."""
    if len(sizes) < 2:
        raise expected("mask", "rank 2 or more: (.., Sq, Skv)", f"sizes {tuple(sizes)}")
    return (*sizes[:-2], *[-(-size // _CELL) for size in sizes[-2:]], 2)


def summarize(mask: Any, stream: Optional[int] = None) -> Any:
    """Returns a new array of int32 with the minimum and the maximum of each cell of the mask, 64 x
    64 elements, in the last dimension."""
    adapter = adapter_of("mask", mask)
    dtype = DTYPE_NAMES[adapter.describe("mask", mask)[3]]
    if dtype not in _INTEGERS:
        raise expected("mask", "booleans or integers (a comparison makes booleans of "
                       "floats)", f"dtype {dtype}")
    sizes = tuple(mask.shape)
    summary = adapter.new(mask, find_summary_sizes(sizes), "i32")
    others = tuple([f"N{dim}" for dim in range(len(sizes) - 2)])
    shape, of_summary = (*others, "Sq", "Skv"), (*others, "rows", "columns", 2)
    operands = describe([Operand("mask", mask, shape, _INTEGERS),
                         Operand("summary", summary, of_summary, ("i32",), is_written=True)])
    rank = len(sizes)
    run(("summarize", dtype, rank), lambda: op_text(
        "attn.summarize", ("ins", {"mask": array_type(rank, dtype)}),
        ("outs", {"summary": array_type(rank + 1, "i32", 2)})), operands, stream)
    return summary
