"""Transfers of tensors between ranks, which run while kernels compute."""

from typing import Any, List, Sequence

import torch
import torch.distributed as dist

from ._faults import named_failures

# How long the caller's stream waits before its next kernel, in clock cycles of the device. In that
# time, the kernels that copy the tensors of a transfer start. Otherwise they might have to wait for
# the end of the kernel of attention, which uses all SMs.
_LEAD_CYCLES = 15000


class Transfer:
    """A transfer that has begun. The tensors that it sends and receives must not be read or written
    before `wait`."""

    def __init__(self, group: Any, works: Sequence[Any], sent: Sequence[torch.Tensor],
                 received: List[torch.Tensor]) -> None:
        self._group = group
        self._works, self._sent, self._received = works, sent, received

    def wait(self) -> List[torch.Tensor]:
        """Waits for the transfer and returns the received tensors. On a GPU the current stream
        waits, not the host."""
        if self._works:
            with named_failures(self._group):
                for work in self._works:
                    work.wait()
        self._works, self._sent = (), ()
        return self._received


def exchange(group: Any, to: int, sent: Sequence[torch.Tensor], source: int,
             received: List[torch.Tensor]) -> Transfer:
    """Begins to send tensors to the rank `to` of the group, and to receive others from
    `source`. Tensors without elements are neither sent nor received."""
    sent = [its.contiguous() for its in sent if its.numel()]
    ops = [dist.P2POp(dist.isend, its, dist.get_global_rank(group, to), group, tag)
           for tag, its in enumerate(sent)]
    ops += [dist.P2POp(dist.irecv, its, dist.get_global_rank(group, source), group, tag)
            for tag, its in enumerate([its for its in received if its.numel()])]
    if not ops:
        return Transfer(group, (), (), received)
    with named_failures(group):
        works = dist.batch_isend_irecv(ops)
    device = ops[0].tensor.device
    if device.type == "cuda":
        with torch.cuda.device(device):
            torch.cuda._sleep(_LEAD_CYCLES)
    return Transfer(group, works, sent, received)
