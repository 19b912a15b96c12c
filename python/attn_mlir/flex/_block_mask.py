"""Block masks that keep their mask function, and evaluate it to lists of blocks only when a
program reads such a list."""

import inspect
import weakref
from typing import Any, List, NamedTuple, Optional, Tuple, Union

import torch
from torch.nn.attention import flex_attention as torch_flex_attention
from torch.nn.attention.flex_attention import BlockMask, noop_mask

from .._errors import ArgumentError
from .._options import as_integer
from .._tracing import as_mask
from ._lists import (MaskMod, Sizes, ceil_div, function_of_lists, kinds_of_function,
                     kinds_of_lists, lists_of_kinds)

# The names of the lists from which torch's kernels take the blocks of pairs to visit.
_KEY_LISTS = ("kv_num_blocks", "kv_indices", "full_kv_num_blocks", "full_kv_indices")
# The names of the attributes of torch's BlockMask that a FunctionMask reads from a BlockMask with
# lists, which it makes when one of them is read. A FunctionMask has all other attributes itself.
_LISTS = ({*_KEY_LISTS, "q_num_blocks", "q_indices", "full_q_num_blocks", "full_q_indices"}
          | {*getattr(BlockMask, "_TENSOR_ATTRS", ()), *getattr(BlockMask, "_CONTEXT_ATTRS",
                                                                ())}
          - {"seq_lengths", "BLOCK_SIZE", "mask_mod"})
# The function that torch sets as the mask_mod of an indexed BlockMask (`block_mask[b, h]`) and that
# only raises an error, or None: older versions of torch have no such function, and leave the mask's
# own function there.
_SLICED = getattr(torch_flex_attention, "_sliced_mask_mod_error", None)
# The block size in torch's BlockMasks that do not divide the pairs into blocks.
_NO_BLOCKS = torch_flex_attention._LARGE_SPARSE_BLOCK_SIZE


class Nested(NamedTuple):
    """A mask of packed sequences, which follow each other in one tensor: the mask function, which
    takes positions within one sequence, and the rows and the keys at which sequences begin."""

    mask_mod: MaskMod
    q_offsets: torch.Tensor
    kv_offsets: torch.Tensor


class FunctionMask(BlockMask):
    """A BlockMask that has a mask function instead of lists of blocks. It has the attributes and
    methods of torch's BlockMask. The first use of an attribute or method that needs lists of blocks
    evaluates the function and makes the lists, on the mask's device."""

    def __init__(self, mask_mod: MaskMod, sizes: Sizes, block: Tuple[int, int],
                 device: Any, has_full: bool = True,
                 nested: Optional[Nested] = None,
                 order: Optional[bool] = None) -> None:
        self.mask_mod, self.sizes, self.BLOCK_SIZE = mask_mod, sizes, block
        self.seq_lengths = (sizes.rows, sizes.keys)
        self.device, self.has_full, self.nested = device, has_full, nested
        # The order of keys (`dq_kv_order`) if the mask has the numbers by which torch's FLASH kernels
        # add gradients of the query in a fixed order, else None.
        self.order = order
        self._made: Optional[BlockMask] = None
        # The mask with more rows or keys of which this one is a part, or None.
        self._whole: Optional["FunctionMask"] = None

    @property
    def shape(self) -> Tuple[int, ...]:
        return (self.sizes.batch, self.sizes.heads, *self.seq_lengths)

    @property
    def lists(self) -> BlockMask:
        """A BlockMask of torch's that keeps the same pairs by lists of blocks."""
        made = self._made
        if made is None or made.mask_mod is not self.mask_mod:
            sizes = self.sizes._replace(rows=self.seq_lengths[0], keys=self.seq_lengths[1])
            whole = self._whole
            if whole is not None and whole.mask_mod is self.mask_mod:
                # As in torch, a block that is full in the whole mask is full in its part, too, if
                # it reaches past the part's last row or key.
                down, across = map(ceil_div, self.seq_lengths, self.BLOCK_SIZE)
                kinds = kinds_of_lists(whole.lists)[:, :, :down, :across]
            else:
                find = kinds_of_function if torch.compiler.is_compiling() else _find_kinds
                kinds = find(self.mask_mod, sizes, self.BLOCK_SIZE, self.device)
            made = lists_of_kinds(kinds, self.mask_mod, sizes, self.BLOCK_SIZE,
                                  self.has_full)
            if self.order is not None:
                made.dq_write_order, made.dq_write_order_full = (
                    torch_flex_attention._compute_dq_write_order_from_block_mask(
                        made, dq_kv_order=self.order))
                made.dq_kv_order_spt = self.order
            self._made = made
        return made

    def to(self, device: Any) -> "FunctionMask":
        """Returns the same mask for another device, on which it makes its lists. As in torch, the
        tensors that the mask function captures are not moved."""
        moved = FunctionMask(self.mask_mod, self.sizes, self.BLOCK_SIZE,
                             torch.device(device), self.has_full, self.nested,
                             self.order)
        moved._whole = None if self._whole is None else self._whole.to(device)
        return moved

    def _adjust(self, new_q_len: int, new_kv_len: int) -> "FunctionMask":
        part = FunctionMask(self.mask_mod, self.sizes._replace(rows=new_q_len,
                                                               keys=new_kv_len),
                            self.BLOCK_SIZE, self.device, self.has_full, order=self.order)
        if new_q_len <= self.seq_lengths[0] and new_kv_len <= self.seq_lengths[1]:
            part._whole = self
        return part

    def __getitem__(self, index: Any) -> BlockMask:
        return self.lists[index]


def _find_kinds(mask_mod: MaskMod, *given: Any) -> torch.Tensor:
    try:
        return kinds_of_function(mask_mod, *given)
    except RuntimeError:
        as_mask(mask_mod)  # whose error names the function and says what to write instead
        raise


def _list_of(name: str) -> property:
    return property(lambda self: getattr(self.lists, name))


for _name in _LISTS:
    setattr(FunctionMask, _name, _list_of(_name))


def _check_function(mask_mod: Any) -> None:
    if not callable(mask_mod):
        raise ArgumentError("mask_mod: expected a function of (b, h, q_idx, kv_idx), found "
                            f"{type(mask_mod).__qualname__}")
    if torch.compiler.is_compiling():
        return
    try:
        parameters = inspect.signature(mask_mod).parameters.values()
    except (TypeError, ValueError):
        return
    positional = [its for its in parameters
                  if its.kind in (its.POSITIONAL_ONLY, its.POSITIONAL_OR_KEYWORD)]
    needed = [its for its in positional if its.default is its.empty]
    if any(its.kind is its.VAR_POSITIONAL for its in parameters):
        return
    if not len(needed) <= 4 <= len(positional):
        raise ArgumentError("mask_mod: expected a function of (b, h, q_idx, kv_idx), found "
                            f"one of {len(needed)} arguments (a score_mod goes to "
                            "flex_attention itself)")


def _as_size(name: str, value: Any) -> int:
    return value if torch.compiler.is_compiling() else as_integer(name, value, 0, 2**31)


def _as_block(block: Any) -> Tuple[int, int]:
    pair = tuple(block) if isinstance(block, (tuple, list)) else (block, block)
    if torch.compiler.is_compiling():
        return pair
    if len(pair) != 2:
        raise ArgumentError("BLOCK_SIZE: expected an integer or a pair of these, for rows "
                            f"and for keys, found {block!r}")
    return (as_integer("BLOCK_SIZE", pair[0], 1, 2**31),
            as_integer("BLOCK_SIZE", pair[1], 1, 2**31))


def _current_device() -> torch.device:
    accelerator = torch.accelerator.current_accelerator(check_available=True)
    return accelerator or torch.device("cpu")


def create_block_mask(mask_mod: MaskMod, B: Optional[int], H: Optional[int], Q_LEN: int,
                      KV_LEN: int, device: Any = None,
                      BLOCK_SIZE: Union[int, Tuple[int, int]] = 128, _compile: bool = False,
                      separate_full_blocks: bool = True, compute_dq_write_order: bool = False,
                      dq_kv_order: bool = True) -> BlockMask:
    """Returns the mask that keeps the pairs for which `mask_mod` (b, h, q_idx, kv_idx) holds.

    This call does not evaluate the function: the mask keeps it, and kernels derive from it
    which blocks they skip. The mask has all attributes of torch's BlockMask. The function is
    evaluated on all pairs, on `device`, only if a program reads one of the mask's lists
    (`kv_num_blocks`, `kv_indices`, the same with `full_` and with `q`), or uses `sparsity()`,
    indexing, `str` and the like.

    - `B`, `H`: batch entries and query heads, or None where the mask is the same for all.
    - `Q_LEN`, `KV_LEN`: rows and keys.
    - `device`: where lists are made; by default the current accelerator, else the CPU.
    - `BLOCK_SIZE`: the size of a block in the lists, an integer or a pair (rows, keys).
      Kernels ignore it.
    - `separate_full_blocks`: whether full blocks are listed separately from partial ones.
    - `_compile`: accepted as torch accepts it; has no effect.
    - `compute_dq_write_order`, `dq_kv_order`: whether, and for which order of keys, the mask has
      the numbers for torch's FLASH kernels (torch 2.15). Kernels ignore them.

    Raises ArgumentError if `mask_mod` is not a function of four arguments or a size is not
    valid. The first call of flex_attention traces the function.
    """
    _check_function(mask_mod)
    sizes = Sizes(1 if B is None else _as_size("B", B), 1 if H is None else _as_size("H", H),
                  _as_size("Q_LEN", Q_LEN), _as_size("KV_LEN", KV_LEN))
    device = _current_device() if device is None else torch.device(device)
    if not isinstance(dq_kv_order, bool):
        raise ArgumentError(f"dq_kv_order: expected a bool, found {type(dq_kv_order).__qualname__}")
    return FunctionMask(mask_mod, sizes, _as_block(BLOCK_SIZE), device, separate_full_blocks,
                        order=dq_kv_order if compute_dq_write_order else None)


def create_nested_block_mask(mask_mod: MaskMod, B: Optional[int], H: Optional[int],
                             q_nt: torch.Tensor, kv_nt: Optional[torch.Tensor] = None,
                             BLOCK_SIZE: Union[int, Tuple[int, int]] = 128,
                             _compile: bool = False) -> BlockMask:
    """Returns the mask for nested tensors (B, H, jagged, D) in which each sequence attends only
    to itself. It keeps the pairs for which `mask_mod` (sequence, h, q_idx, kv_idx) holds, whose
    positions count from the beginning of the sequence. `kv_nt` gives the lengths of keys, by
    default those of `q_nt`.

    `B` is 1 or None, since the lists of blocks are of all sequences in one packed array.
    """
    from ._nested import check_nested, ragged_length, stacked_function

    _check_function(mask_mod)
    kv_nt = q_nt if kv_nt is None else kv_nt
    check_nested({"q_nt": q_nt, "kv_nt": kv_nt})
    nested = Nested(mask_mod, q_nt.offsets(), kv_nt.offsets())
    sizes = Sizes(1, 1 if H is None else _as_size("H", H), ragged_length(q_nt),
                  ragged_length(kv_nt))
    return FunctionMask(stacked_function(nested, sizes), sizes, _as_block(BLOCK_SIZE),
                        q_nt.device, nested=nested)


class _Looked(NamedTuple):
    """The state of a BlockMask with lists at its last call: the mask function that was made of
    them, and `parts`, which are equal as long as that function can be used. The lists' tensors are
    kept alive, so that no other tensors can get their identities."""

    parts: List[Any]
    tensors: List[Any]
    function: MaskMod


_looked: "weakref.WeakKeyDictionary[BlockMask, _Looked]" = weakref.WeakKeyDictionary()


def _versions(tensors: List[Any]) -> Optional[List[Any]]:
    """Returns the identity and the version of each tensor. Returns None if elements may change
    without a new version: while a CUDA graph is captured, and for tensors of inference mode."""
    if tensors[0].is_cuda and torch.cuda.is_current_stream_capturing():
        return None
    if any([its is not None and its.is_inference() for its in tensors]):
        return None
    return [None if its is None else (id(its), its._version) for its in tensors]


def lengths_of(mask: BlockMask) -> Tuple[int, int]:
    """Returns the numbers of a mask's rows and keys. A mask that is indexed by rows of blocks has
    the rows of the blocks in its lists, but its `seq_lengths` may be those of the whole mask (in
    torch 2.10 and 2.11)."""
    rows, keys = mask.seq_lengths
    block = mask.BLOCK_SIZE[0]
    if isinstance(mask, FunctionMask) or block == _NO_BLOCKS:
        return rows, keys
    down = mask.kv_num_blocks.shape[-1]
    return (rows if ceil_div(rows, block) == down else down * block), keys


def check_has_function(mask: BlockMask) -> None:
    if _SLICED is not None and mask.mask_mod is _SLICED:
        raise ArgumentError("block_mask: expected a mask_mod, which torch takes from a "
                            "BlockMask that is indexed; set block_mask.mask_mod to the "
                            "function of its part")


def _function_of_lists(mask: BlockMask) -> MaskMod:
    return function_of_lists(kinds_of_lists(mask), lengths_of(mask), tuple(mask.BLOCK_SIZE),
                             None if mask.mask_mod is noop_mask else mask.mask_mod)


def mask_function(mask: BlockMask) -> Optional[MaskMod]:
    """Returns the mask function that keeps the same pairs as a block mask, or None if the mask
    keeps all. A BlockMask with lists keeps the pairs of its full blocks, and those pairs of
    its partial blocks that its function keeps."""
    if isinstance(mask, FunctionMask) or tuple(mask.BLOCK_SIZE) == (_NO_BLOCKS, _NO_BLOCKS):
        return None if mask.mask_mod is noop_mask else mask.mask_mod
    tensors = [getattr(mask, name) for name in _KEY_LISTS]
    versions = None if torch.compiler.is_compiling() else _versions(tensors)
    if versions is None:
        return _function_of_lists(mask)
    parts = [mask.mask_mod, tuple(mask.seq_lengths), tuple(mask.BLOCK_SIZE), *versions]
    known = _looked.get(mask)
    if known is None or known.parts != parts:
        known = _looked[mask] = _Looked(parts, tensors, _function_of_lists(mask))
    return known.function
