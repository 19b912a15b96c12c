"""Makes the lists of blocks of a BlockMask from a mask function, and a mask function from such
lists."""

from typing import Any, Callable, NamedTuple, Optional, Tuple

import torch
from torch.fx.experimental.symbolic_shapes import has_static_value
from torch.nn.attention.flex_attention import BlockMask, create_mask

from .._errors import ArgumentError
from .._prepared import PreparedMask

SKIPPED, PARTIAL, FULL = 0, 1, 2
# The largest number of pairs for which a mask function is evaluated at a time. At least one row of
# blocks is evaluated at a time, even if it has more pairs.
_MOST_PAIRS = 2 ** 26

# The number of rows, and of columns, of a cell in the summary that prepare_mask makes.
_CELL = 64

MaskMod = Callable[..., Any]


class Sizes(NamedTuple):
    """The sizes of a mask: the numbers of batch entries, heads, rows and keys. That of batch
    entries (of heads) is 1 if all of them share the mask."""

    batch: int
    heads: int
    rows: int
    keys: int


def ceil_div(x: int, y: int) -> int:
    return -(-x // y)


def kinds_of_function(mask_mod: MaskMod, sizes: Sizes, block: Tuple[int, int],
                      device: Any) -> torch.Tensor:
    """Evaluates a mask function on all pairs. Returns SKIPPED, PARTIAL or FULL for each block of
    pairs, as int8 of shape (batch, heads, blocks of rows, blocks of keys). As in torch's lists, a
    block that reaches past the last row or key is not full."""
    block_rows, block_keys = block
    across = ceil_div(sizes.keys, block_keys)
    # A graph's symbols for batch entries and heads count as 1. The step is a constant of the graph,
    # in which a guard on it would be one on these sizes.
    pairs = across * block_keys * block_rows
    for size in (sizes.batch, sizes.heads):
        pairs *= size if has_static_value(size) else 1
    step = block_rows * max(1, _MOST_PAIRS // max(1, pairs))
    found = []
    for first in range(0, sizes.rows, step):
        rows = min(step, sizes.rows - first)

        def shifted(b: Any, h: Any, q: Any, kv: Any, first: int = first) -> Any:
            return mask_mod(b, h, q + first, kv)

        kept = create_mask(shifted, sizes.batch, sizes.heads, rows, sizes.keys, device)
        if kept.dtype != torch.bool:
            raise ArgumentError("mask_mod: expected a function that returns booleans, found one "
                                f"that returns {kept.dtype}")
        down = ceil_div(rows, block_rows)
        kept = torch.nn.functional.pad(
            kept, (0, across * block_keys - sizes.keys, 0, down * block_rows - rows))
        kept = kept.unflatten(3, (across, block_keys)).unflatten(2, (down, block_rows))
        count = kept.sum(dim=(3, 5), dtype=torch.int32)
        found.append((count > 0).to(torch.int8)
                     + (count == block_rows * block_keys).to(torch.int8))
    if not found:
        return torch.zeros((sizes.batch, sizes.heads, 0, across), dtype=torch.int8,
                           device=device)
    return torch.cat(found, 2)


def _as_list(chosen: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """Returns torch's list of the chosen blocks: for each row of blocks, how many are chosen, and
    the numbers of all blocks of the row, first of those that are chosen."""
    order = torch.argsort(chosen.to(torch.int8), dim=-1, descending=True, stable=True)
    return (chosen.sum(dim=-1, dtype=torch.int32),
            order.to(torch.int32, memory_format=torch.contiguous_format))


def lists_of_kinds(kinds: torch.Tensor, mask_mod: MaskMod, sizes: Sizes,
                   block: Tuple[int, int], has_full: bool) -> BlockMask:
    """Returns torch's BlockMask for blocks of these kinds. With `has_full`, it lists full blocks
    separately from partial ones; without, it lists both as partial ones."""
    if not has_full:
        return BlockMask.from_kv_blocks(
            *_as_list(kinds != SKIPPED), BLOCK_SIZE=block, mask_mod=mask_mod,
            seq_lengths=(sizes.rows, sizes.keys))
    return BlockMask.from_kv_blocks(
        *_as_list(kinds == PARTIAL), *_as_list(kinds == FULL), BLOCK_SIZE=block,
        mask_mod=mask_mod, seq_lengths=(sizes.rows, sizes.keys))


def _mark(counts: torch.Tensor, indices: torch.Tensor, across: int) -> torch.Tensor:
    """Converts a list of blocks to booleans: for each row of blocks, which of its `across` blocks
    are in the list."""
    columns = torch.arange(indices.shape[-1], device=indices.device)
    # Indices after the end of a list are not valid. They become the index of an extra last column,
    # which is dropped from the result.
    chosen = torch.where(columns < counts[..., None], indices, across).long()
    marks = torch.zeros((*indices.shape[:-1], across + 1), dtype=torch.bool,
                        device=indices.device)
    return marks.scatter(-1, chosen, torch.ones_like(chosen, dtype=torch.bool))[..., :across]


def kinds_of_lists(mask: BlockMask) -> torch.Tensor:
    """Returns SKIPPED, PARTIAL or FULL for each block of pairs, by the lists of a BlockMask, as
    int8 of shape (batch, heads, blocks of rows, blocks of keys)."""
    across = ceil_div(mask.seq_lengths[1], mask.BLOCK_SIZE[1])
    kinds = _mark(mask.kv_num_blocks, mask.kv_indices, across).to(torch.int8)
    full: Optional[torch.Tensor] = mask.full_kv_num_blocks
    if full is not None:
        marks = _mark(full, mask.full_kv_indices, across)
        kinds = torch.where(marks, FULL, kinds).to(torch.int8)
    return kinds[(None,) * (4 - kinds.dim())]


def _cells(length: int, block: int, device: Any) -> Tuple[torch.Tensor, torch.Tensor]:
    """Returns which blocks of `block` rows (or keys) each cell of 64 rows (or keys) overlaps: the
    number of the first one, and of the one after the last."""
    first = torch.arange(0, length, _CELL, device=device)
    return first // block, (first + (_CELL - 1)).clamp(max=length - 1) // block + 1


def _as_prepared(marks: torch.Tensor, lengths: Tuple[int, int], block: Tuple[int, int],
                 value: bool) -> PreparedMask:
    """Returns a prepared mask whose summary tells kernels which cells of 64 x 64 pairs lie in
    marked blocks only (`marks`), and which in unmarked blocks only. All elements of its array are
    `value`, so that the array takes no memory, and says nothing about the pairs of other cells: for
    these, the mask function must also have another condition."""
    rows, keys = lengths
    sums = torch.nn.functional.pad(marks.long().cumsum(2).cumsum(3), (1, 0, 1, 0))
    (top, bottom), (left, right) = (_cells(length, its, marks.device)
                                    for length, its in zip(lengths, block))

    def at(down: torch.Tensor, across: torch.Tensor) -> torch.Tensor:
        return sums.index_select(2, down).index_select(3, across)

    count = at(bottom, right) - at(top, right) - at(bottom, left) + at(top, left)
    area = (bottom - top)[:, None] * (right - left)
    # A cell of 64 x 64 pairs that extends past the last row or key does not count as lying in
    # marked blocks only. The op attn.summarize treats such cells in the same way.
    down = torch.arange(_CELL, rows + _CELL, _CELL, device=marks.device) <= rows
    across = torch.arange(_CELL, keys + _CELL, _CELL, device=marks.device) <= keys
    full = (count == area) & down[:, None] & across
    array = torch.full((), value, dtype=torch.bool, device=marks.device)
    return PreparedMask(array.expand(*marks.shape[:2], rows, keys),
                        torch.stack([full, count > 0], -1).to(torch.int32))


def function_of_lists(kinds: torch.Tensor, lengths: Tuple[int, int], block: Tuple[int, int],
                      mask_mod: Optional[MaskMod]) -> MaskMod:
    """Returns the mask function that keeps the pairs of full blocks, and those pairs of partial
    blocks that `mask_mod` keeps (all of them if it is None). A kernel's blocks may have other
    sizes: the kernel skips a block that lies within skipped blocks, and does not mask one that lies
    within full blocks."""
    batch, heads = kinds.shape[:2]
    block_rows, block_keys = block
    may_count = _as_prepared(kinds != SKIPPED, lengths, block, True)
    is_full = kinds != SKIPPED if mask_mod is None else kinds == FULL
    count_all = _as_prepared(is_full, lengths, block, False)

    def listed(b: Any, h: Any, q: Any, kv: Any) -> Any:
        b_of, h_of = 0 if batch == 1 else b, 0 if heads == 1 else h
        kind = kinds[b_of, h_of, q // block_rows, kv // block_keys]
        kept = kind != SKIPPED
        if mask_mod is not None:
            kept = kept & ((kind == FULL) | mask_mod(b, h, q, kv))
        return count_all[b_of, h_of, q, kv] | (may_count[b_of, h_of, q, kv] & kept)

    return listed
