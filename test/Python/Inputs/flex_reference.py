"""FlexAttention by its definition, in fp64 on all pairs, with gradients by autograd; and test
problems."""

import math

import torch
from attn_mlir import flex
from torch._dynamo._trace_wrapped_higher_order_op import TransformGetItemToIndex

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def over_pairs(function, sizes, device, score=None):
    """Returns the values of a score or mask function at all b, h, q and kv. The function is called
    with scalars, by vmap."""
    before = () if score is None else (0,)
    for dim in (3, 2, 1, 0):
        dims = tuple([0 if its == dim else None for its in range(4)])
        function = torch.vmap(function, in_dims=before + dims)
    indices = [torch.arange(size, device=device, dtype=torch.int32) for size in sizes]
    with TransformGetItemToIndex():
        return function(*(() if score is None else (score,)), *indices)


def attend(q, k, v, score_mod=None, mask_mod=None, scale=None):
    """Returns the output, the lse and the largest score of each row."""
    group = q.shape[1] // k.shape[1]
    q, k, v = q.double(), *[its.double().repeat_interleave(group, 1).expand(
        q.shape[0], -1, -1, -1) for its in (k, v)]
    s = q @ k.mT * (q.shape[3] ** -0.5 if scale is None else scale)
    if score_mod is not None:
        s = over_pairs(score_mod, s.shape, q.device, s).double()
    if mask_mod is not None:
        s = torch.where(over_pairs(mask_mod, s.shape, q.device).expand(s.shape), s, -math.inf)
    largest = s.detach().amax(-1) if s.shape[3] else s.new_full(s.shape[:3], -math.inf)
    is_empty = (largest == -math.inf).unsqueeze(-1)
    # Rows without keys get a gradient of 0 and not NaN.
    full = torch.where(is_empty, 0.0, s)
    p = torch.where(is_empty, 0.0, full.softmax(-1))
    lse = torch.where(is_empty[..., 0], -math.inf, full.logsumexp(-1)) if s.shape[3] else \
        largest
    return p @ v, lse, largest


def check(found, expected, name="", bound=3e-6):
    """Compares elements with a tolerance that is relative to the largest element, since they are
    sums of terms of both signs."""
    assert found.shape == expected.shape, (name, found.shape, expected.shape)
    found, expected = found.double(), expected.double()
    same = (found == expected) | (found - expected).abs().le(
        bound * max(1.0, expected[expected.isfinite()].abs().max().item()
                    if expected.isfinite().any() else 1.0))
    assert same.all(), (name, (found - expected)[~same].abs().max().item(),
                        expected[~same].abs().max().item())


def draw(*sizes, dtype=torch.float32, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*sizes, generator=generator).to(DEVICE, dtype)


def problem(rows, keys, heads=4, kv_heads=2, batch=2, dim=32, value_dim=32, kv_batch=None,
            dtype=torch.float32):
    kv_batch = batch if kv_batch is None else kv_batch
    return [its.requires_grad_() for its in (
        draw(batch, heads, rows, dim, dtype=dtype, seed=1),
        draw(kv_batch, kv_heads, keys, dim, dtype=dtype, seed=2),
        draw(kv_batch, kv_heads, keys, value_dim, dtype=dtype, seed=3))]


def compare(arrays, score=None, mask=None, block_mask=None, learnt=(), scale=None,
            function=flex.flex_attention, bound=3e-6, **options):
    """Compares output, lse, largest scores and all gradients of `function` with those of the
    definition."""
    q, k, v = arrays
    if block_mask is None and mask is not None:
        block_mask = flex.create_block_mask(mask, None, None, q.shape[2], k.shape[2],
                                            device=DEVICE)
    o, aux = function(q, k, v, score_mod=score, block_mask=block_mask, scale=scale,
                      enable_gqa=True, **options,
                      return_aux=flex.AuxRequest(lse=True, max_scores=True))
    expected, lse, largest = attend(q, k, v, score, mask, scale)
    check(o.detach(), expected.detach(), "output", bound)
    check(aux.lse.detach(), lse.detach(), "lse", bound)
    check(aux.max_scores, largest, "max_scores", bound)
    assert o.dtype == q.dtype and aux.lse.dtype == torch.float32
    wanted = [*arrays, *learnt]
    d_o, d_lse = draw(*o.shape, seed=4), draw(*lse.shape, seed=5)
    found = torch.autograd.grad([o, aux.lse], wanted, [d_o.to(o), d_lse])
    its = torch.autograd.grad(
        [expected, torch.where(lse.isfinite(), lse, 0.0)], wanted, [d_o.double(),
                                                                   d_lse.double()])
    for number, (one, other) in enumerate(zip(found, its)):
        check(one, other, f"gradient {number}", 2 * bound)
