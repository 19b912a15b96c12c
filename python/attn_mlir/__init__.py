"""Attention, compiled for the GPU or the CPU that the arrays are on.

    import attn_mlir

    o, lse = attn_mlir.attention(q, k, v, causal=True, return_lse=True)  # NumPy, torch ...
    dq, dk, dv = attn_mlir.attention_backward(q, k, v, o, lse, do, causal=True)
    o = attn_mlir.varlen(q, k, v, cu_q, causal=True)             # packed sequences
    o = attn_mlir.decode(q, k_cache, v_cache, lengths=lengths, page_table=pages)
    kernel = attn_mlir.compile(dtype="bf16", head_dim=128, chip="sm_90a")
    print(kernel.ptx)

`attn_mlir.score` has the functions that score and mask functions may use,
`attn_mlir.mask` says what mask functions are, and `attn_mlir.torch` has operators for
torch.compile and autograd and a stand-in for scaled_dot_product_attention.
"""

from . import _library, mask, score
from ._append import append
from ._attention import attention
from ._dropout_mask import dropout_mask
from ._errors import ArgumentError, Error
from ._gradients import attention_backward
from ._kernel import Argument, Kernel, Resources, compile
from ._merge import merge
from ._mla import mla_decode
from ._packed import varlen
from ._prepare_mask import prepare_mask
from ._prepared import PreparedMask
from ._quantize import quantize, uncenter
from ._serving import decode
from ._workspace import workspace, workspace_size
from .mask import and_masks, not_mask, or_masks

__version__: str = _library.binding.version()

__all__ = ["Argument", "ArgumentError", "Error", "Kernel", "PreparedMask", "Resources",
           "and_masks", "append", "attention", "attention_backward", "compile", "decode",
           "dropout_mask", "mask", "merge", "mla_decode", "not_mask", "or_masks",
           "prepare_mask", "quantize", "score", "uncenter", "varlen",
           "workspace", "workspace_size"]
