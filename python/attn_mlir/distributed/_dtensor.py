"""Attention on DTensors: finds the group of ranks that divide the sequence, and which batch entries
and heads of the whole problem this rank has."""

import math
from typing import Any, Dict

from torch.distributed.tensor import DTensor, Replicate, Shard
from torch.distributed.tensor._utils import compute_local_shape_and_global_offset

from .._arrays import expected


def is_one(tensor: Any) -> bool:
    return isinstance(tensor, DTensor)


def _check(name: str, tensor: Any, like: Any) -> None:
    if not isinstance(tensor, DTensor):
        raise expected(name, "a DTensor, as others are", type(tensor).__qualname__)
    if tensor.device_mesh != like.device_mesh or tensor.placements != like.placements:
        raise expected(name,
                       f"placements {like.placements} on {like.device_mesh}, as q has",
                       f"{tensor.placements} on {tensor.device_mesh}")
    for placement in tensor.placements:
        if not (isinstance(placement, Replicate) or isinstance(placement, Shard)
                and placement.dim in (0, 1, 2)):
            raise expected(name, "placements that replicate, or shard dimension 0, 1 or 2",
                           str(placement))
    # Shards of different sizes would pair query heads with other key heads than their own, and all
    # ranks know the whole tensor's sizes, so that all raise.
    for dim in range(3):
        count = math.prod([tensor.device_mesh.size(n) for n, its in enumerate(tensor.placements)
                           if its == Shard(dim)])
        if tensor.shape[dim] % count:
            raise expected(name, f"a multiple of {count} in dimension {dim}, which {count} ranks "
                           "shard", tensor.shape[dim])


def attention(q: Any, k: Any, v: Any, sink: Any, lengths: Any, layout: str, group: Any,
              method: str, mesh: Any, options: Dict[str, Any]) -> Any:
    """Computes `attention` on the local tensors of DTensors. One dimension of the mesh must shard
    the sequence (dimension 2), whose rows are divided by `layout`. Other dimensions may shard batch
    entries and heads. All shards of a tensor must have the same sizes."""
    from ._attention import Arguments, check_tensors, find_groups, run

    if not isinstance(q, DTensor):
        raise expected("q", "a DTensor, as k or v is", type(q).__qualname__)
    for name, its in (("q", q), ("k", k), ("v", v)):
        _check(name, its, q)
    dims = [n for n, its in enumerate(q.placements) if its == Shard(2)]
    for name, value in (("group", group), ("mesh", mesh)):
        if value is not None:
            raise expected(name, "None with DTensors, which have a mesh",
                           type(value).__qualname__)
    if len(dims) != 1:
        raise expected("q", "one dimension of the mesh that shards dimension 2",
                       str(q.placements))
    groups = find_groups(q.device_mesh.get_group(dims[0]), method, None)
    _, first = compute_local_shape_and_global_offset(q.shape, q.device_mesh, q.placements)
    own_q, own_k, own_v = (its.to_local() for its in (q, k, v))
    if isinstance(sink, DTensor):
        sink = sink.to_local()
    if isinstance(lengths, DTensor):
        lengths = lengths.to_local()
    check_tensors(own_q, own_k, own_v, sink, layout, groups)
    found = run(own_q, own_k, own_v, Arguments(groups, layout, sink=sink, lengths=lengths,
                                first=(first[0], first[1]), **options))
    results = [DTensor.from_local(its, q.device_mesh, q.placements, run_check=False)
               for its in found]
    return tuple(results) if options["return_lse"] else results[0]
