"""Attention of new tokens over a cache whose keys are on several ranks."""

import math
from typing import Any, Optional, Tuple

import torch
import torch.distributed as dist

from .. import _merge, mask, score
from .._arrays import adapter_of, expected
from .._attend import cache_sequences
from .._captures import find_call
from .._module import FEW_ROWS, Arrays, Window, module_text
from .._rows import Operand, describe, run
from .._tracing import Mask, MaskMod, Score, ScoreMod
from ._attention import Groups, compare
from ._faults import named_failures
from ._layout import check_group


def _own_part(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, lengths: torch.Tensor,
              scale: Optional[float], score_mod: ScoreMod, mask_mod: MaskMod,
              output: torch.Tensor, lse: torch.Tensor) -> None:
    """Computes attn_mlir.decode over this rank's keys, and writes the results to the tensors
    `output` and `lse`, both of f32."""
    operands = [Operand("q", q, ("B", "Hq", "Sq", "D")),
                Operand("k_cache", k, ("B", "Hkv", "S", "D")),
                Operand("v_cache", v, ("B", "Hkv", "S", "Dv"))]
    rest = [Operand("lengths", lengths, ("B",), ("i32",)),
            Operand("output", output, ("B", "Hq", "Sq", "Dv"), ("f32",), True),
            Operand("lse", lse, ("B", "Hq", "Sq"), ("f32",), True)]
    described = describe([*operands, *rest])
    sizes, dtype = described[0].sizes, described[0].dtype
    call = find_call(described[0], score_mod, mask_mod)
    described[3:3] = call.operands
    widths = sizes[3], v.shape[3]
    rows = sizes[2] if sizes[2] <= FEW_ROWS else 0
    key = ("ring_decode", dtype, *widths, rows, scale, call.score, call.mask)

    def text() -> str:
        arrays = Arrays(dtype, *widths, output="f32", rows=rows or "?")
        return module_text(arrays, causal=False, window=None, align="bottom_right",
                           scale=scale, return_lse=True, score=call.score, mask=call.mask,
                           features=call.features,
                           sequences=cache_sequences(arrays, False, True, False))

    run(key, text, described, None)


def _shifted(mod: Any, first: int, traced: type, name: str) -> Any:
    """Returns a score or mask function for this rank's keys, of which key 0 is key `first` of the
    whole cache. It calls `mod` with positions in the whole cache."""
    if mod is None or first == 0:
        return mod
    if isinstance(mod, traced):
        raise expected(name, "a function, as keys have other positions on each rank",
                       "one that was traced before")
    if name == "score_mod":
        return score.trace(lambda s, b, h, q, kv: mod(s, b, h, q, kv + first))
    return mask.trace(lambda b, h, q, kv: mod(b, h, q, kv + first))


def _window_mask(lengths: torch.Tensor, rows: int, causal: bool, window: Window) -> Any:
    """Returns the mask function of a causal mask and a window for `rows` rows. The last row is at
    the last of the lengths[b] keys of batch entry b."""
    left, right = window or (None, None)
    right = 0 if causal else right

    def kept(b: Any, h: Any, q: Any, kv: Any) -> Any:
        distance = kv - (q + lengths[b] - rows)
        keep: Any = None
        if right is not None:
            keep = distance <= right
        if left is not None:
            its = distance >= -left
            keep = its if keep is None else keep & its
        return keep

    return kept


def _unpack(packed: torch.Tensor, sizes: Tuple[int, ...]) -> Tuple[torch.Tensor, torch.Tensor]:
    """Returns the output and the lse in the message of a rank, as views."""
    size = math.prod(sizes)
    return packed[:size].view(sizes), packed[size:].view(sizes[:3])


def _check(q: Any, k_cache: Any, v_cache: Any, lengths: Any) -> None:
    for name, its in (("q", q), ("k_cache", k_cache), ("v_cache", v_cache),
                      ("lengths", lengths)):
        if not isinstance(its, torch.Tensor):
            raise expected(name, "a tensor of torch's", type(its).__qualname__)
        rank = 1 if name == "lengths" else 4
        if its.dim() != rank:
            raise expected(name, f"rank {rank}", f"sizes {tuple(its.shape)}")
        if its.requires_grad and torch.is_grad_enabled():
            raise expected(name, "a tensor that requires no gradient here (torch.no_grad() or "
                           "detach() says so)", "one that does")
    if lengths.dtype != torch.int32:
        raise expected("lengths", "dtype int32", lengths.dtype)


@torch.compiler.disable
def decode(q: torch.Tensor, k_cache: torch.Tensor, v_cache: torch.Tensor, *,
           lengths: torch.Tensor, group: Any = None, causal: bool = False,
           window: Window = None, scale: Optional[float] = None, score_mod: ScoreMod = None,
           mask_mod: MaskMod = None, sink: Optional[torch.Tensor] = None,
           return_lse: bool = False) -> Any:
    """Attention of new tokens over a cache whose keys are divided among the ranks of a group.

    | tensor | sizes | dtype |
    |---|---|---|
    | `q` | (B, Hq, Sq, D), the same on every rank | float16, bfloat16 or float32 |
    | `k_cache`, `v_cache` | (B, Hkv, S / n, D) and (B, Hkv, S / n, Dv) | as q |
    | `lengths` | (B,), the same on every rank | int32 |
    | result | (B, Hq, Sq, Dv), the same on every rank | as q |
    | lse | (B, Hq, Sq) | float32 |

    Rank r of n has keys r S / n to (r + 1) S / n of each batch entry. The first lengths[b] of
    the S keys of entry b are valid; keys past these are never read. With `causal` the last row
    sees all keys of its entry, and `window` counts from the same diagonal. Positions of
    `score_mod` and `mask_mod` are those of the whole cache. `scale`, `sink` and `return_lse`
    are as in attn_mlir.decode.

    Each rank computes a state (output and lse) in f32 over its own keys. One all-gather
    exchanges the states, and all ranks merge them in the same order, so results have the same
    bits on all ranks. There are no gradients. Raises ArgumentError, which names the argument,
    or Error.
    """
    group = check_group(group)
    ranks, rank = dist.get_world_size(group), dist.get_rank(group)
    if not isinstance(causal, bool):
        raise expected("causal", "False or True", repr(causal))
    _check(q, k_cache, v_cache, lengths)
    if ranks > 1:
        compare(Groups(group, None), "decode", {
            "q": tuple(q.shape), "k_cache": tuple(k_cache.shape),
            "v_cache": tuple(v_cache.shape), "dtype": str(q.dtype), "causal": causal,
            "window": window, "scale": scale, "sink": sink is not None})
    with torch.no_grad():
        size = k_cache.shape[2]
        first = rank * size
        lengths = lengths.clamp(0, ranks * size)  # as attn_mlir.decode clamps them
        left, right = window or (None, None)
        if causal and q.shape[2] == 1 and left is None:
            causal = False  # one row sees all keys
        if causal or left is not None or right is not None:
            own = _window_mask(lengths, q.shape[2], causal, window)
            if isinstance(mask_mod, Mask):
                raise expected("mask_mod", "a function, beside causal or a window",
                               "a traced Mask")
            mask_mod = own if mask_mod is None else mask.and_masks(own, mask_mod)
        # Each rank sends its state in one message: the output of all rows, followed by their lse.
        width = v_cache.shape[3]
        sizes = (*q.shape[:3], width)
        packed = q.new_empty(math.prod(q.shape[:3]) * (width + 1), dtype=torch.float32)
        _own_part(q, k_cache, v_cache, (lengths - first).clamp(0, size), scale,
                  _shifted(score_mod, first, Score, "score_mod"),
                  _shifted(mask_mod, first, Mask, "mask_mod"), *_unpack(packed, sizes))
        gathered = packed.new_empty(ranks * packed.numel())
        with named_failures(group):
            dist.all_gather_into_tensor(gathered, packed, group=group)
        result = adapter_of("q", q).empty(q, width)
        lse = q.new_empty(sizes[:3], dtype=torch.float32)
        states = [_unpack(its, sizes) for its in gathered.view(ranks, packed.numel())]
        _merge.merge(states, sink=sink, out=(result, lse))
    return (result, lse) if return_lse else result
