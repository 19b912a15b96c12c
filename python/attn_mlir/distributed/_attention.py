"""The function `attention` over several ranks: checks its arguments, and chooses how to compute
it."""

import contextlib
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import torch
import torch.distributed as dist

from .. import _attention, mask
from .._arrays import expected
from .._errors import ArgumentError
from .._options import ALIGNMENTS, Causal, Window, as_scale, check_options
from .._spellings import refuse
from .._tracing import Mask, MaskMod, ScoreMod, as_mask, as_score
from . import _ulysses
from ._checks import check_same, has_compared
from ._layout import check_group, check_layout
from ._ring import Ring, RingAttention, dense
from ._schedule import Problem
from ._steps import Options

METHODS = ("ring", "all_to_all")
_DTYPES = (torch.float16, torch.bfloat16, torch.float32)


class Groups(NamedTuple):
    """The process group whose ranks exchange keys in a ring, and the one whose ranks exchange heads
    by all-to-alls. Each is None if there is no such exchange."""

    ring: Any
    heads: Any


class Arguments(NamedTuple):
    """The checked arguments of a call besides q, k and v."""

    groups: Groups
    layout: str
    causal: bool
    left: Optional[int]
    right: Optional[int]
    scale: Optional[float]
    score_mod: Any
    mask_mod: Any
    sink: Optional[torch.Tensor]
    lengths: Any
    return_lse: bool
    # The numbers, in the whole problem, of this rank's first batch entry and first query head.
    first: Tuple[int, int] = (0, 0)


def _size(group: Any) -> int:
    return 1 if group is None else dist.get_world_size(group)


def _rank(group: Any) -> int:
    return 0 if group is None else dist.get_rank(group)


def find_groups(group: Any, method: str, mesh: Any) -> Groups:
    if method not in METHODS:
        raise expected("method", "'ring' or 'all_to_all'", repr(method))
    if mesh is None:
        group = check_group(group)
        return Groups(group, None) if method == "ring" else Groups(None, group)
    if group is not None:
        raise expected("group", "None with a mesh", type(group).__qualname__)
    if not isinstance(mesh, dist.DeviceMesh) or mesh.ndim != 2:
        raise expected("mesh", "a DeviceMesh of two dimensions: rings, and heads within them",
                       f"{mesh.ndim} dimensions" if isinstance(mesh, dist.DeviceMesh)
                       else type(mesh).__qualname__)
    return Groups(mesh.get_group(0), mesh.get_group(1))


def normalise_mask(causal: Causal, window: Window, align: str) -> Tuple[
        bool, Optional[int], Optional[int]]:
    """Checks the options of the mask. Returns whether it is causal, and the window's bounds, each
    None without such a bound. `align` has no effect, since rows and keys are those of the same
    sequence."""
    _, causal, window, align = check_options(None, causal, window, align)
    left, right = window or (None, None)
    return (causal in ALIGNMENTS or causal is True), left, right


def check_tensors(q: Any, k: Any, v: Any, sink: Any, layout: str, groups: Groups) -> None:
    try:
        _check_tensors(q, k, v, sink, layout, groups)
    except ArgumentError as error:
        _tell(groups, error)
        raise


def _check_tensors(q: Any, k: Any, v: Any, sink: Any, layout: str, groups: Groups) -> None:
    for name, its in (("q", q), ("k", k), ("v", v)):
        if not isinstance(its, torch.Tensor):
            raise expected(name, "a tensor of torch's", type(its).__qualname__)
        if its.dim() != 4:
            raise expected(name, "rank 4: (B, H, S / n, D)", f"sizes {tuple(its.shape)}")
        if its.dtype not in _DTYPES or its.dtype != q.dtype:
            raise expected(name, "dtype float16, bfloat16 or float32, the same for all",
                           its.dtype)
        if its.device != q.device:
            raise expected(name, f"a tensor on {q.device}, as q is", its.device)
    batch, heads, rows, width = q.shape
    for name, its in (("k", k), ("v", v)):
        if its.shape[0] != batch:
            raise expected(name, f"{batch} batch entries, as q has", its.shape[0])
        if its.shape[2] != rows:
            raise expected(name, f"{rows} rows, as q has on this rank", its.shape[2])
    if not k.shape[1] or heads % k.shape[1]:
        raise expected("k", f"a number of heads that divides q's {heads}", k.shape[1])
    if v.shape[1] != k.shape[1]:
        raise expected("v", f"{k.shape[1]} heads, as k has", v.shape[1])
    if k.shape[3] != width:
        raise expected("k", f"head dimension {width}, as q has", k.shape[3])
    if layout == "balanced" and _size(groups.ring) * _size(groups.heads) > 1 and rows % 2:
        raise expected("q", "an even number of rows for layout='balanced' "
                       "(attn_mlir.distributed.shard checks the length of the whole)", rows)
    if sink is not None and (not isinstance(sink, torch.Tensor)
                             or tuple(sink.shape) != (heads,) or sink.dtype not in _DTYPES
                             or sink.device != q.device):
        found = f"{sink.dtype} of sizes {tuple(sink.shape)} on {sink.device}" \
            if isinstance(sink, torch.Tensor) else type(sink).__qualname__
        raise expected("sink", f"{heads} floats on {q.device}", found)
    if groups.heads is not None:
        _ulysses.check_heads(heads, k.shape[1], _size(groups.heads))


def _lengths(lengths: Any, q: torch.Tensor, rows: int) -> Tuple[Optional[torch.Tensor], int]:
    """Returns the lengths on q's device, or None without lengths, and the largest length. Where the
    host does not know the lengths, `rows`, the number of rows of the sequence, stands for the
    largest one."""
    if lengths is None:
        return None, rows
    if not isinstance(lengths, torch.Tensor):
        try:
            lengths = torch.tensor(lengths, dtype=torch.int32)
        except (TypeError, ValueError, RuntimeError):
            raise expected("lengths", f"{q.shape[0]} integers, or a tensor of int32",
                           repr(lengths)) from None
    if tuple(lengths.shape) != (q.shape[0],) or lengths.dtype not in (torch.int32,
                                                                      torch.int64):
        raise expected("lengths", f"{q.shape[0]} integers, or a tensor of int32",
                       f"{lengths.dtype} of sizes {tuple(lengths.shape)}")
    on_host = lengths.device.type == "cpu"
    longest = int(lengths.max()) if on_host and lengths.numel() else rows
    return (lengths.clamp(0, rows).int().to(q.device, non_blocking=True),
            max(0, min(rows, longest)))


def _mask_of_lengths(mask_mod: MaskMod, lengths: torch.Tensor) -> Mask:
    def within(b: Any, h: Any, q: Any, kv: Any) -> Any:
        return (kv < lengths[b]) & (q < lengths[b])

    if isinstance(mask_mod, Mask):
        raise expected("mask_mod", "a function, beside lengths and windows or regions, with "
                       "which it is traced together", "a traced Mask")
    return mask.trace(within if mask_mod is None else mask.and_masks(within, mask_mod))


def _check_captures(regions: List[Any], groups: Groups) -> None:
    for region in regions:
        for name, array in zip(region.names, region.arrays) if region else ():
            if isinstance(array, torch.Tensor) and array.requires_grad \
                    and torch.is_grad_enabled():
                error = expected(name, "a tensor that requires no gradient (over several ranks "
                                 "there are none of what functions capture)", "one that does")
                _tell(groups, error)
                raise error


def compare(groups: Groups, call: str, values: Dict[str, object]) -> None:
    """Checks that all ranks make the same call with the same `values`. Ranks compare these only
    when they are new. In a mesh, the ranks of each ring compare first, and then the ranks that
    exchange heads, which also report to each other the errors found in their rings."""
    both = [its for its in groups if its is not None]
    error: Optional[ArgumentError] = None
    for group in both:
        try:
            check_same(group, f"{call} ({error})" if error else call, values)
        except ArgumentError as found:
            error = error or found
    if error is not None:
        raise error


def _tell(groups: Groups, error: ArgumentError) -> None:
    """Reports a wrong argument that only this rank has to the other ranks, if they are about to
    compare their first call. In later calls, the other ranks may not compare, so this rank does not
    wait for them."""
    both = [its for its in groups if its is not None]
    if _size(groups.ring) * _size(groups.heads) == 1 or any(map(has_compared, both)):
        return
    for group in both:
        with contextlib.suppress(ArgumentError):
            check_same(group, f"attention with a wrong argument ({error})", {})


def _exists(lengths: Optional[torch.Tensor], problem: Problem,
            rank: int) -> Optional[torch.Tensor]:
    """Returns which of a rank's rows are within the length of each batch entry, as a mask (B, 1,
    rows of the rank), or None without lengths."""
    if lengths is None:
        return None
    rows = torch.cat([torch.arange(its.first, its.last, device=lengths.device)
                      for its in problem.chunks(rank)])
    return (rows < lengths[:, None])[:, None]


def run(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, own: Arguments) -> Any:
    """Computes the output and the lse of this rank's rows, for arguments that have been
    checked."""
    groups, sink = own.groups, own.sink
    batch_entry, head = own.first
    requires_grad = torch.is_grad_enabled() and any(
        [its is not None and its.requires_grad for its in (q, k, v, sink)])
    ranks = _size(groups.ring) * _size(groups.heads)
    whole = q.shape[2] * ranks
    lengths, longest = _lengths(own.lengths, q, whole)
    score, mask_mod = as_score(own.score_mod), own.mask_mod
    is_placed = not (own.left is None and own.right is None and score is None
                     and mask_mod is None)
    if lengths is not None and is_placed:
        # Regions get the number of the batch entry in the whole problem, of which this rank may
        # have only some entries.
        whole_lengths = torch.cat([lengths.new_zeros(batch_entry), lengths])
        traced = _mask_of_lengths(mask_mod, whole_lengths)
    else:
        traced = as_mask(mask_mod)
    if ranks > 1:
        # All ranks check this before they exchange anything, also those whose kernels could
        # compute such gradients.
        _check_captures([score, traced], groups)
        compare(groups, "attention", {
            "q": tuple(q.shape), "k": tuple(k.shape), "v": tuple(v.shape),
            "dtype": str(q.dtype), "device": q.device.type, "layout": own.layout,
            "causal": own.causal, "window": (own.left, own.right), "scale": own.scale,
            "score_mod": str(score or ""), "mask_mod": str(traced or ""),
            "sink": None if sink is None else str(sink.dtype),
            "lengths": None if lengths is None else longest,
            "requires_grad": requires_grad})
    if groups.heads is not None and _size(groups.heads) > 1:
        q, k, v = _ulysses.to_heads(q, k, v, groups.heads, own.layout)
        begin = _rank(groups.heads) * q.shape[1]
        sink = None if sink is None else sink[begin:begin + q.shape[1]]
        head += begin
    if _size(groups.ring) == 1 and lengths is None and \
            ((batch_entry, head) == (0, 0) or (score is None and traced is None)):
        bounds = None if own.left is None and own.right is None else (own.left, own.right)
        found = _attention.attention(
            q, k, v, scale=own.scale, causal=own.causal, window=bounds, score_mod=score,
            mask_mod=traced, sink=sink, return_lse=True)
    else:
        _check_captures([score, traced], groups)
        problem = Problem(_size(groups.ring), q.shape[2], own.layout, own.causal, own.left,
                          own.right, is_placed, longest)
        rank = _rank(groups.ring)
        exists = _exists(lengths, problem, rank)
        if exists is not None and is_placed:
            # If kernels get positions in the whole sequence (`is_placed`), a region masks the rows
            # past the lengths. This replaces them with zeros: kernels with regions also compute
            # with masked rows and keys, which must be finite.
            q, k, v = (torch.where(exists[..., None], its, 0.0) for its in (q, k, v))
        ring = Ring(groups.ring, rank, problem,
                    Options(own.scale, own.left, own.right, score, traced),
                    (batch_entry, head), None if is_placed else lengths)
        found = RingAttention.apply(dense(q), dense(k), dense(v), sink, ring, exists)
    if groups.heads is not None and _size(groups.heads) > 1:
        found = tuple([_ulysses.to_rows(its, groups.heads, own.layout) for its in found])
    return found


@torch.compiler.disable
def attention(q: Any, k: Any, v: Any, *, group: Any = None, causal: Causal = False,
              window: Window = None, align: str = "top_left",
              scale: Optional[float] = None, score_mod: ScoreMod = None,
              mask_mod: MaskMod = None, sink: Optional[torch.Tensor] = None,
              lengths: Any = None, layout: Optional[str] = None, method: str = "ring",
              mesh: Any = None, return_lse: bool = False, **others: Any) -> Any:
    """Self-attention over a sequence that is divided among the ranks of a group.

    | tensor | sizes | dtype |
    |---|---|---|
    | `q` | (B, Hq, S / n, D) | float16, bfloat16 or float32 |
    | `k` | (B, Hkv, S / n, D), Hkv divides Hq | as q |
    | `v` | (B, Hkv, S / n, Dv) | as q |
    | `sink` | (Hq,), the same on every rank | float16, bfloat16 or float32 |
    | `lengths` | (B,), the same on every rank | int32 |
    | result | (B, Hq, S / n, Dv) | as q |
    | lse | (B, Hq, S / n) | float32 |

    Each of the n ranks of `group` has the rows of S that `layout` gives it, and returns the
    output of these rows; all ranks make the same call. Tensors are on the CPU (gloo) or a GPU
    (NCCL). They may be DTensors, of which one dimension of the mesh shards the sequence.

    - `group`: a process group, or a mesh of one dimension; by default all ranks.
    - `causal`, `window`, `scale`: as in attn_mlir.attention, for positions in the whole
      sequence; both values of `align` mean the same, since rows and keys are of the same
      sequence.
    - `score_mod`, `mask_mod`: see attn_mlir.attention. Positions are those of the whole
      sequence. Arrays that the functions read are whole on every rank, and have no gradients.
    - `sink`: see attn_mlir.attention. Its gradient is this rank's part: the sum over ranks is
      the gradient, as for replicated weights.
    - `lengths`: rows and keys of batch entry b from lengths[b] on do not exist: their output
      is 0, and the contents of their memory have no effect. If it is a list or a tensor on the
      CPU, the host knows the lengths, and skips computations and transfers that these make
      unnecessary.
    - `layout`: which rows rank r has: "balanced" (slices r and 2 n - 1 - r of 2 n), by default
      where there is a causal mask or a window, or "contiguous" (slice r of n); see `shard`.
    - `method`: "ring", in which keys are exchanged while kernels run, or "all_to_all", which
      exchanges slices of the sequence for heads: n must divide Hq, and Hkv must be a multiple
      or a divisor of n.
    - `mesh`: in place of a group, a DeviceMesh with two dimensions. Ranks along the last
      dimension exchange heads, and ranks along the first one form rings; rank (i, j) has the
      rows of rank i * size(1) + j.

    In step s of the ring, rank r works on the keys of rank r - s. Partial results are merged
    in f32 and rounded once. Blocks and keys that causal masks, windows or lengths on the host
    exclude are neither computed nor sent. Autograd supports the first derivative only; all
    ranks must call backward. Within torch.compile the call breaks the graph.

    Raises ArgumentError, which names the argument, and on every rank if arguments differ
    between ranks; or Error. Sources: "Ring Attention with Blockwise Transformers for
    Near-Infinite Context" (arXiv 2310.01889), "DeepSpeed Ulysses" (arXiv 2309.14509).
    """
    if others:
        refuse(attention, others)
    is_causal, left, right = normalise_mask(causal, window, align)
    scale = as_scale(scale)
    layout = check_layout(layout, is_causal or left is not None or right is not None)
    from . import _dtensor

    if _dtensor.is_one(q) or _dtensor.is_one(k) or _dtensor.is_one(v):
        options = {"causal": is_causal, "left": left, "right": right, "scale": scale,
                   "score_mod": score_mod, "mask_mod": mask_mod, "return_lse": return_lse}
        return _dtensor.attention(q, k, v, sink, lengths, layout, group, method, mesh,
                                  options)
    groups = find_groups(group, method, mesh)
    check_tensors(q, k, v, sink, layout, groups)
    found = run(q, k, v, Arguments(groups, layout, is_causal, left, right, scale, score_mod,
                                   mask_mod, sink, lengths, return_lse))
    return found if return_lse else found[0]
