"""Attention for PyTorch: operators that torch.compile keeps whole and of which autograd knows
the derivatives, and a mode in which torch's scaled_dot_product_attention calls attn_mlir."""

from ._attention_operators import attention
from ._packages import aoti_compile_and_package, aoti_load_package
from ._row_operators import append, merge
from ._sdpa import sdpa
from ._serving_operators import decode, mla_decode, varlen

__all__ = ["aoti_compile_and_package", "aoti_load_package", "append", "attention", "decode",
           "merge", "mla_decode", "sdpa", "varlen"]
