"""The functions of PyTorch's FlexAttention, computed by this package's kernels. In a program that
uses torch's, only the import changes.

    from attn_mlir.flex import create_block_mask, flex_attention

    def causal(b, h, q_idx, kv_idx):
        return q_idx >= kv_idx

    mask = create_block_mask(causal, B=None, H=None, Q_LEN=4096, KV_LEN=4096)
    output = flex_attention(query, key, value, block_mask=mask)

These functions need no torch.compile, and may be called within it. docs/flex.md lists what
differs from torch's.
"""

from torch.nn.attention.flex_attention import (AuxOutput, AuxRequest, BlockMask, create_mask,
                                               noop_mask)

from ..mask import and_masks, not_mask, or_masks
from ._attention import flex_attention
from ._block_mask import create_block_mask, create_nested_block_mask

__all__ = ["AuxOutput", "AuxRequest", "BlockMask", "and_masks", "create_block_mask",
           "create_mask", "create_nested_block_mask", "flex_attention", "noop_mask",
           "not_mask", "or_masks"]


def __getattr__(name: str) -> object:
    """Returns torch's object for a name that torch.nn.attention.flex_attention has and this module
    does not have, such as a type of functions."""
    from torch.nn.attention import flex_attention as torch_flex_attention

    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(torch_flex_attention, name)
