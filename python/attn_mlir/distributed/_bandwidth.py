"""Measures the bandwidth and latency of a group's transport."""

import time
from typing import Any, NamedTuple

import torch
import torch.distributed as dist

from .._adapter import expected
from ._faults import named_failures
from ._member import member_of


class Bandwidth(NamedTuple):
    """How many `bytes` a second a rank sends while it receives as many, and the `latency` of a
    transfer in seconds."""

    bytes: float
    latency: float


def measure_bandwidth(group: Any = None, size: int = 64 << 20, repeats: int = 10,
                      device: Any = None) -> Bandwidth:
    """Measures how fast each rank sends `size` bytes to the next one while it receives as many,
    `repeats` times. All ranks of the group must call it, and get the same result, that of the
    slowest rank.

    `device` is by default the current CUDA device if the group can use one, else the CPU. The
    latency is the time of a transfer of 8 bytes. The results are arguments of `plan`. A group of
    one rank transfers nothing: its bandwidth is infinite."""
    member = member_of(group)
    for name, value in (("size", size), ("repeats", repeats)):
        if value < 1:
            raise expected(name, "a whole number above 0", value)
    if member.size == 1:
        return Bandwidth(float("inf"), 0.0)
    group = member.group()
    if device is None:
        device = "cuda" if "nccl" in member.backends and torch.cuda.is_available() else "cpu"
    device = torch.device(device)
    with named_failures(group):
        latency = _measure(member, group, 8, repeats, device)
        whole = _measure(member, group, size, repeats, device)
    return Bandwidth(size / max(whole - latency, 1e-9), latency)


def _measure(member: Any, group: Any, size: int, repeats: int, device: Any) -> float:
    """Returns the median time of `repeats` transfers of `size` bytes, in seconds, on the slowest
    rank. Two transfers before these are not counted."""
    given, taken = (torch.zeros(size, dtype=torch.uint8, device=device) for _ in range(2))
    ahead = member.ranks[(member.rank + 1) % member.size]
    behind = member.ranks[member.rank - 1]
    rounds = []
    for _ in range(repeats + 2):
        _synchronize(device)
        dist.barrier(group, device_ids=[torch.cuda.current_device()]
                     if device.type == "cuda" else None)
        _synchronize(device)
        begin = time.perf_counter()
        for work in dist.batch_isend_irecv([
                dist.P2POp(dist.isend, given, ahead, group),
                dist.P2POp(dist.irecv, taken, behind, group)]):
            work.wait()
        _synchronize(device)
        rounds.append(time.perf_counter() - begin)
    median = sorted(rounds[2:])[repeats // 2]
    slowest = torch.tensor([median], dtype=torch.float64, device=device)
    dist.all_reduce(slowest, dist.ReduceOp.MAX, group=group)
    return slowest.item()


def _synchronize(device: Any) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)
