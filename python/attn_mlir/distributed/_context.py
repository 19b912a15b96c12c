"""A context in which a model that was written for one GPU runs on several."""

import contextlib
from typing import Any, Iterator, List, Optional, Sequence, Tuple

import torch
import torch.distributed as dist
from torch.overrides import TorchFunctionMode

from .._arrays import expected
from .._errors import Error
from .._replacements import replaced
from .._within import find_values
from ._attention import attention
from ._layout import check_group, check_layout, check_length, take


# The options of attn_mlir.attention that attention over the rows of all ranks has, too.
_OPTIONS = ("scale", "causal", "window", "align", "return_lse", "score_mod", "mask_mod", "sink")


class _Calls(TorchFunctionMode):
    """A mode in which torch's scaled_dot_product_attention computes attention over the rows of all
    ranks."""

    def __init__(self, options: dict) -> None:
        super().__init__()
        self.options = options

    def __torch_function__(self, function: Any, types: Any, args: Tuple = (),
                           kwargs: Optional[dict] = None) -> Any:
        kwargs = kwargs or {}
        if function is torch.nn.functional.scaled_dot_product_attention:
            return self.serve(*args, **kwargs)
        return function(*args, **kwargs)

    def serve(self, query: Any, key: Any, value: Any, attn_mask: Any = None,
              dropout_p: float = 0.0, is_causal: bool = False,
              scale: Optional[float] = None, enable_gqa: bool = False) -> Any:
        for name, found in (("attn_mask", attn_mask), ("dropout_p", dropout_p or None)):
            if found is not None:
                raise Error(f"scaled_dot_product_attention: expected no {name} within "
                            "context_parallel")
        if key.dim() == 4 and query.dim() == 4 and key.shape[1] != query.shape[1] \
                and not enable_gqa:
            raise Error("scaled_dot_product_attention: expected as many heads in key as in "
                        "query, or enable_gqa")
        return attention(query, key, value, causal=is_causal, scale=scale, **self.options)

    def replace(self, q: Any, k: Any, v: Any, value_dims: Any, kv_dtype: Any,
                **given: Any) -> Any:
        """Computes attention over the rows of all ranks, in place of attn_mlir.attention, for all
        of that function's arguments."""
        options = {name: given.pop(name) for name in _OPTIONS}
        for name, its in {**given, "kv_dtype": kv_dtype}.items():
            # A generator and a seed are without effect where there is no dropout.
            if its is not None and its is not False and name not in ("generator", "seed") \
                    and not (name == "dropout_p" and its == 0):
                raise expected(name, "none within context_parallel", repr(its)
                               if isinstance(its, (bool, int, float, str))
                               else type(its).__qualname__)
        if value_dims is not None or v is None:
            v = find_values(k, v, value_dims, ("k", "v"))
        # The call below may call attn_mlir.attention itself, which must then not be replaced again.
        with replaced(None):
            return attention(q, k, v, **options, **self.options)


def _set(buffer: torch.Tensor, content: torch.Tensor) -> None:
    """Makes the tensor `buffer` a view of `content`, and tells autograd that its elements have
    changed."""
    buffer.set_(content)  # type: ignore[call-overload]
    torch.autograd.graph.increment_version(buffer)


def _check_buffers(buffers: Any, dims: Any, ranks: int, layout: str) -> List[Tuple]:
    buffers, dims = list(buffers or ()), list(dims or ())
    if len(buffers) != len(dims):
        raise expected("buffer_seq_dims", f"{len(buffers)} dimensions, one for each buffer",
                       len(dims))
    for n, (buffer, dim) in enumerate(zip(buffers, dims)):
        name = f"buffers[{n}]"
        if not isinstance(buffer, torch.Tensor):
            raise expected(name, "a tensor", type(buffer).__qualname__)
        if buffer.requires_grad:
            raise expected(name, "a tensor that requires no gradient (shard has one)",
                           "one that does")
        if type(dim) is not int or not -buffer.dim() <= dim < buffer.dim():
            raise expected(f"buffer_seq_dims[{n}]",
                           f"a dimension of sizes {tuple(buffer.shape)}", dim)
        check_length(name, buffer.shape[dim], ranks, layout)
    return list(zip(buffers, dims))


@contextlib.contextmanager
def context_parallel(group: Any = None, *, buffers: Optional[Sequence[torch.Tensor]] = None,
                     buffer_seq_dims: Optional[Sequence[int]] = None,
                     no_restore_buffers: Optional[Sequence[torch.Tensor]] = None,
                     layout: str = "balanced", method: str = "ring") -> Iterator[None]:
    """A context in which attention is computed over a sequence that the ranks of `group`
    divide:

        with context_parallel(mesh, buffers=[tokens, labels, cos, sin],
                              buffer_seq_dims=[1, 1, 0, 0]):
            loss = model(tokens, cos, sin, labels)
            loss.backward()

    - `group`: a process group, a mesh of one dimension, or a mesh of two (rings, and heads
      within them); by default all ranks.
    - `buffers`: tensors that every rank has whole: inputs, labels, positions, tables of rotary
      embeddings. Within the context, each rank has only its own rows of them. They are changed
      in place, and restored at the end, except those in `no_restore_buffers`.
    - `buffer_seq_dims`: for each buffer, the dimension of the sequence. Its size must be a
      multiple of the number of ranks, or of twice that number with layout="balanced".
    - `layout`, `method`: as in `attention`.

    Within the context, scaled_dot_product_attention (without attn_mask and dropout) and
    attn_mlir.attention compute attn_mlir.distributed.attention, in this thread and in autograd's
    threads. Other threads are not in the context. The backward pass must be within the context,
    too. Gradients of weights are this rank's part: their sum over ranks is
    the gradient. Raises ArgumentError, which names the argument, or Error.
    """
    layout = check_layout(layout, True)
    if isinstance(group, dist.DeviceMesh) and group.ndim == 2:
        rank = group.get_local_rank(0) * group.size(1) + group.get_local_rank(1)
        ranks, where = group.size(), {"mesh": group}
    else:
        own = check_group(group)
        rank, ranks, where = dist.get_rank(own), dist.get_world_size(own), {"group": own}
    pairs = _check_buffers(buffers, buffer_seq_dims, ranks, layout)
    kept = {id(its) for its in no_restore_buffers or ()}
    calls = _Calls({**where, "layout": layout, "method": method})
    before: List[Tuple[torch.Tensor, torch.Tensor]] = []
    try:
        with torch.no_grad():
            for buffer, dim in pairs:
                before.append((buffer, buffer.detach().view_as(buffer)))
                _set(buffer, take(buffer, dim, rank, ranks, layout))
        with replaced(calls.replace), calls:
            yield
    finally:
        with torch.no_grad():
            # In reverse order, so that a buffer that was given twice is whole again.
            for buffer, whole in reversed(before):
                if id(buffer) not in kept:
                    _set(buffer, whole)
