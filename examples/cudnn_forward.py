"""The forward notebook of cuDNN's frontend (50_sdpa_forward.ipynb), with attn_mlir.

GPT-2's attention: causal, f16, (batch, row, head, head dim) in memory. Each part of
the notebook compares its result with PyTorch's at the notebook's own tolerances.

    python3 cudnn_forward.py

needs PyTorch and an NVIDIA GPU from sm_80 on; the exit status is 77 without them.
"""

import math
import sys

try:
    import torch
except ImportError as error:
    print(f"skipped: {error}", file=sys.stderr)
    sys.exit(77)
if not torch.cuda.is_available() or torch.cuda.get_device_capability()[0] < 8:
    print("skipped: expected an NVIDIA GPU from sm_80 on", file=sys.stderr)
    sys.exit(77)

import attn_mlir

torch.manual_seed(42)

B = 4  # batch size
S = 1024  # maximum sequence length
H = 12  # query number of heads
D = 64  # embedding dimension per head
dtype = torch.half
attn_scale = 1.0 / math.sqrt(D)


def make():
    """Returns a random array that is (B, H, S, D) logically and (B, S, H, D) in memory."""
    return torch.randn(B, S, H, D, device="cuda", dtype=dtype).transpose(1, 2)


# The first part, as with the notebook's wrapper: one call computes attention.
q_gpu, k_gpu, v_gpu = make(), make(), make()
o_gpu = attn_mlir.attention(q_gpu, k_gpu, v_gpu, scale=attn_scale, causal="top_left")
o_ref = torch.nn.functional.scaled_dot_product_attention(
    q_gpu, k_gpu, v_gpu, is_causal=True, scale=attn_scale)
assert o_gpu.stride() == q_gpu.stride()
torch.testing.assert_close(o_ref, o_gpu, atol=5e-3, rtol=3e-3)

# The second part, as with the notebook's graph: a kernel is compiled first, then run on arrays of
# which the caller allocates the output, too.
dims = (B, H, S, D)
strides = (S * H * D, D, H * D, 1)
q_gpu, k_gpu, v_gpu = make(), make(), make()
kernel = attn_mlir.compile(dtype="f16", head_dim=D, scale=attn_scale, causal="top_left")
o_gpu = torch.empty(B * S * H * D, device="cuda", dtype=dtype).as_strided(dims, strides)
assert kernel.workspace_size(q_gpu, k_gpu, v_gpu, o_gpu) == 0
kernel.run(q_gpu, k_gpu, v_gpu, o_gpu)
torch.cuda.synchronize()

# The result of the second part is compared in f32.
o_ref = torch.nn.functional.scaled_dot_product_attention(
    q_gpu.float(), k_gpu.float(), v_gpu.float(), is_causal=True, scale=attn_scale)
torch.testing.assert_close(o_ref, o_gpu.float(), atol=5e-3, rtol=3e-3)

print(f"{kernel.chip}: both results are PyTorch's")
