"""The backward notebook of cuDNN's frontend (51_sdpa_backward.ipynb), with attn_mlir.

GPT-2's attention: causal, f16, (batch, row, head, head dim) in memory, and a tensor of
stats, the log-sum-exp of each row, from the forward pass to the backward pass. Each part
of the notebook compares its results with PyTorch's at the notebook's own tolerances.

    python3 cudnn_backward.py

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
options = {"scale": attn_scale, "causal": "top_left"}


def compare(found, expected):
    torch.testing.assert_close(expected, found, atol=5e-3, rtol=3e-3)


# The first part, as with the notebook's wrapper: the inputs are (B, S, H, D) in memory and (B, H,
# S, D) logically.
q_gpu, k_gpu, v_gpu = (torch.randn(B, S, H, D, device="cuda", dtype=dtype,
                                   requires_grad=True).transpose(1, 2) for _ in range(3))
dO_gpu = torch.randn_like(q_gpu)
with torch.no_grad():
    o_gpu, stats_gpu = attn_mlir.attention(q_gpu, k_gpu, v_gpu, return_lse=True, **options)
    dQ_gpu, dK_gpu, dV_gpu = attn_mlir.attention_backward(
        q_gpu, k_gpu, v_gpu, o_gpu, stats_gpu, dO_gpu, **options)

o_ref = torch.nn.functional.scaled_dot_product_attention(
    q_gpu, k_gpu, v_gpu, is_causal=True, scale=attn_scale)
compare(o_gpu, o_ref)
references = torch.autograd.grad(outputs=[o_ref], inputs=[q_gpu, k_gpu, v_gpu],
                                 grad_outputs=[dO_gpu])
for found, expected in zip((dQ_gpu, dK_gpu, dV_gpu), references):
    compare(found, expected)

# The same gradients are computed by autograd.
o_gpu = attn_mlir.attention(q_gpu, k_gpu, v_gpu, **options)
for found, expected in zip(torch.autograd.grad(o_gpu, [q_gpu, k_gpu, v_gpu], dO_gpu),
                           references):
    compare(found, expected)

# The second part, as with the notebook's graphs: kernels are compiled first, then run on the
# caller's arrays, with stats of (B, H, S, 1).
dims = (B, H, S, D)
strides = (S * H * D, D, H * D, 1)
q_gpu, k_gpu, v_gpu = (torch.randn(B * S * H * D).half().cuda().as_strided(dims, strides)
                       for _ in range(3))
o_gpu = torch.empty(B * S * H * D).half().cuda().as_strided(dims, strides)
stats_gpu = torch.empty(B, H, S, 1).float().cuda()
dO_gpu = torch.randn_like(o_gpu)
dQ_gpu, dK_gpu, dV_gpu = (torch.empty_like(x) for x in (q_gpu, k_gpu, v_gpu))

forward = attn_mlir.compile(dtype="f16", head_dim=D, return_lse=True, **options)
backward = attn_mlir.compile(dtype="f16", head_dim=D, backward=True, **options)
lse_gpu = stats_gpu[..., 0]
in_forward = q_gpu, k_gpu, v_gpu, o_gpu, lse_gpu
in_backward = *in_forward, dO_gpu, dQ_gpu, dK_gpu, dV_gpu
# The workspace of the backward pass holds numbers for each row, and sums: O(S) bytes. run() is
# called without a workspace, so the launch allocates it from a pool.
assert forward.workspace_size(*in_forward) == 0
print(f"workspace {backward.workspace_size(*in_backward)} bytes")
forward.run(*in_forward)
backward.run(*in_backward)
torch.cuda.synchronize()

# The results of the second part are compared in f32.
q_ref, k_ref, v_ref = (x.detach().float().requires_grad_() for x in (q_gpu, k_gpu, v_gpu))
o_ref = torch.nn.functional.scaled_dot_product_attention(
    q_ref, k_ref, v_ref, is_causal=True, scale=attn_scale)
compare(o_gpu.float(), o_ref)
references = torch.autograd.grad(outputs=[o_ref], inputs=[q_ref, k_ref, v_ref],
                                 grad_outputs=[dO_gpu.float()])
for found, expected in zip((dQ_gpu, dK_gpu, dV_gpu), references):
    compare(found.float(), expected)

print(f"{backward.chip}: all gradients are PyTorch's")
