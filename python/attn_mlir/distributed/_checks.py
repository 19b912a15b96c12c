"""Whether all ranks call the same."""

from typing import Any, Mapping

import torch.distributed as dist

from .._errors import ArgumentError


def check_same(group: Any, call: str, values: Mapping[str, object]) -> None:
    """Raises ArgumentError on every rank of `group` if one has other values than the first,
    naming it and the argument. All ranks must call it."""
    found: list = [None] * dist.get_world_size(group)
    dist.all_gather_object(found, (call, dict(values)), group=group)
    first = found[0]
    for rank, (its, own) in enumerate(found):
        if its != first[0]:
            raise ArgumentError(f"rank {rank}: expected a call of {first[0]}, as rank 0, "
                                f"found one of {its}")
        for name, value in first[1].items():
            if own.get(name) != value:
                raise ArgumentError(f"{name}: expected {value} on rank {rank}, as rank 0 "
                                    f"has, found {own.get(name)}")
