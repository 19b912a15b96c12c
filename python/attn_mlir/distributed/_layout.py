"""Which rows of a sequence each rank holds: one or two chunks of the sequence (`_layout_pairs` has
their numbers), which follow each other in the rank's tensors.
"""

from typing import Any, List, NamedTuple, Optional, Tuple

import torch
import torch.distributed as dist

from .._arrays import expected
from ._faults import named_failures
from ._layout_pairs import chunk_count, held, of_ranks

LAYOUTS = ("balanced", "contiguous")


class Chunk(NamedTuple):
    """A chunk of the sequence that a rank holds: rows `begin` to `end` of the rank's tensor are the
    rows from `first` on of the whole sequence."""

    begin: int
    end: int
    first: int

    @property
    def last(self) -> int:
        """The number, in the whole sequence, of the row after the chunk's last one."""
        return self.first + self.end - self.begin


def chunks(rank: int, ranks: int, rows: int, layout: str) -> Tuple[Chunk, ...]:
    """Returns the chunks of a rank that holds `rows` rows. Their order is the same in the rank's
    memory and in the whole sequence."""
    numbers = held(rank, ranks, of_ranks(layout, ranks))
    size = rows // len(numbers)
    return tuple([Chunk(place * size, (place + 1) * size, number * size)
                  for place, number in enumerate(numbers)])


def check_layout(layout: Optional[str], causal: bool) -> str:
    if layout is None:
        return "balanced" if causal else "contiguous"
    if layout not in LAYOUTS:
        raise expected("layout", "'balanced' or 'contiguous'", repr(layout))
    return layout


def check_group(group: Any) -> Any:
    """Returns `group` if it is a process group, or the process group of a mesh of one dimension, or
    by default that of all ranks."""
    if not dist.is_available() or not dist.is_initialized():
        raise expected("group", "an initialized torch.distributed "
                       "(torch.distributed.init_process_group)", "none")
    if group is None:
        return dist.group.WORLD
    if isinstance(group, dist.DeviceMesh):
        if group.ndim != 1:
            raise expected("group", "a process group, or a mesh of one dimension",
                           f"a mesh of {group.ndim} dimensions")
        return group.get_group()
    if not isinstance(group, dist.ProcessGroup):
        raise expected("group", "a process group, or a mesh of one dimension, that this rank "
                       "is of", repr(group))
    return group


def check_length(name: str, length: int, ranks: int, layout: str) -> int:
    """Checks that ranks can divide a sequence of `length` rows, and returns how many rows each rank
    has."""
    count = chunk_count(ranks, of_ranks(layout, ranks))
    if length % count:
        raise expected(name, f"a multiple of {count} rows for {ranks} ranks and "
                       f"layout='{layout}' (pad it, and give `lengths`)", length)
    return length // ranks


def take(whole: torch.Tensor, dim: int, rank: int, ranks: int, layout: str) -> torch.Tensor:
    """Copies a rank's rows of a whole tensor into a new tensor."""
    rows = whole.shape[dim] // ranks
    own = [whole.narrow(dim, its.first, its.end - its.begin)
           for its in chunks(rank, ranks, rows, layout)]
    return torch.cat(own, dim)


def join(slices: List[torch.Tensor], dim: int, layout: str) -> torch.Tensor:
    """Returns the whole tensor, made of `slices`: the rows of each rank, in the order of ranks.
    These are on this rank already, so that nothing is communicated."""
    ranks = len(slices)
    pieces = [(its.first, part.narrow(dim, its.begin, its.end - its.begin))
              for rank, part in enumerate(slices)
              for its in chunks(rank, ranks, part.shape[dim], layout)]
    return torch.cat([piece for _, piece in sorted(pieces, key=lambda its: its[0])], dim)


class _Shard(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, whole: torch.Tensor, dim: int, group: Any,
                layout: str) -> torch.Tensor:
        ctx.rest = dim, group, layout
        return take(whole, dim, dist.get_rank(group), dist.get_world_size(group), layout)

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> Tuple:
        return _Unshard.apply(gradient, *ctx.rest), None, None, None


class _Unshard(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, own: torch.Tensor, dim: int, group: Any,
                layout: str) -> torch.Tensor:
        ctx.rest = dim, group, layout
        own = own.contiguous()
        slices = [torch.empty_like(own) for _ in range(dist.get_world_size(group))]
        with named_failures(group):
            dist.all_gather(slices, own, group=group)
        return join(slices, dim, layout)

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> Tuple:
        return _Shard.apply(gradient, *ctx.rest), None, None, None


def _check_dim(tensor: Any, dim: int) -> int:
    if not isinstance(tensor, torch.Tensor):
        raise expected("tensor", "a tensor of torch's", type(tensor).__qualname__)
    if not -tensor.dim() <= dim < tensor.dim():
        raise expected("dim", f"a dimension of sizes {tuple(tensor.shape)}", dim)
    return dim % tensor.dim()


@torch.compiler.disable
def shard(tensor: torch.Tensor, dim: int, *, group: Any = None,
          layout: str = "balanced") -> torch.Tensor:
    """Returns this rank's rows of a tensor, of any dtype and rank, that every rank has whole.

    `dim` is the dimension of the sequence; with n ranks in `group`, its size must be a
    multiple of n, or of 2 n for layout="balanced". In the backward pass, every rank gets the
    gradient of the whole tensor, which is gathered from all ranks. Raises ArgumentError, which
    names the argument.
    """
    group, dim = check_group(group), _check_dim(tensor, dim)
    layout = check_layout(layout, True)
    check_length("tensor", tensor.shape[dim], dist.get_world_size(group), layout)
    return _Shard.apply(tensor, dim, group, layout)


@torch.compiler.disable
def unshard(tensor: torch.Tensor, dim: int, *, group: Any = None,
            layout: str = "balanced") -> torch.Tensor:
    """Returns the whole tensor, on every rank, gathered from the rows of all ranks: the inverse
    of `shard`.

    All ranks call it, with the same sizes and dtypes. Every rank is assumed to compute the
    same loss from the whole tensor, which counts once: the gradient of a rank's rows is its
    rows of the whole tensor's gradient. Raises ArgumentError, which names the argument.
    """
    group, dim = check_group(group), _check_dim(tensor, dim)
    layout = check_layout(layout, True)
    if layout == "balanced" and dist.get_world_size(group) > 1 and tensor.shape[dim] % 2:
        raise expected("tensor", "an even number of rows for layout='balanced'",
                       tensor.shape[dim])
    return _Unshard.apply(tensor, dim, group, layout)


@torch.compiler.disable
def positions(length: int, *, group: Any = None, layout: str = "balanced",
              device: Any = None) -> torch.Tensor:
    """Returns the positions, in a whole sequence of `length` rows, of the rows that this rank
    holds: a tensor (length / n,) of int64, for rotary embeddings and the like."""
    group = check_group(group)
    layout = check_layout(layout, True)
    if not isinstance(length, int) or length < 0:
        raise expected("length", "a number of rows, at least 0", repr(length))
    rank, ranks = dist.get_rank(group), dist.get_world_size(group)
    rows = check_length("length", length, ranks, layout)
    return torch.cat([torch.arange(its.first, its.last, device=device)
                      for its in chunks(rank, ranks, rows, layout)])
