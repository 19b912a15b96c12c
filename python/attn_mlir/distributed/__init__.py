"""Attention on several GPUs by torch.distributed, over sequences that ranks divide among them.

    from attn_mlir import distributed

    x = distributed.shard(x, 1)                        # this rank's rows of (B, S, E)
    o = distributed.attention(q, k, v, causal=True)    # of (B, H, S / n, D), with autograd

Uses NCCL on GPUs and gloo on the CPU. Needs torch.
"""

from ._attention import attention
from ._bandwidth import measure_bandwidth
from ._context import context_parallel
from ._decode import decode
from ._faults import watch
from ._layout import positions, shard, unshard
from ._plan import plan

__all__ = ["attention", "context_parallel", "decode", "measure_bandwidth", "plan",
           "positions", "shard", "unshard", "watch"]
