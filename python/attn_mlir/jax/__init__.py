"""Attention on JAX's arrays, on the CPU and on NVIDIA GPUs.

Each call is a custom call of XLA's: it works within jit, grad, vmap, shard_map and
jax.export, and is compiled when XLA builds the executable. Arrays are (B, S, H, D), as those
of jax.nn, or with layout="BHSD" (B, H, S, D). Needs jax 0.10 or later."""

from ._append import append
from ._attention import attention
from ._merge import merge
from ._mla import mla_decode
from ._nn import dot_product_attention
from ._ring import ring_attention
from ._serving import decode, varlen
from ._target import TARGET_NAMES

__all__ = ["TARGET_NAMES", "append", "attention", "decode", "dot_product_attention", "merge",
           "mla_decode", "ring_attention", "varlen"]
