# Attention in 8 bits over 1k to 128k keys on a GPU, by the accuracy rule and against 16-bit inputs
# of the same values: the sums of Hopper's 8-bit MMAs keep some 14 bits, so that values whose
# mean is not 0 would show sums that are not flushed.
#
# REQUIRES: capi, torch, pytorch
# RUN: %pytorch-python -W ignore %s

import unittest

import attn_mlir
import torch

E4M3, E5M2 = torch.float8_e4m3fn, torch.float8_e5m2
LENGTHS = (1009, 1024, 16384, 131072)


def draw(generator, *shape, mean=0.0, scale=1.0):
    return torch.randn(*shape, generator=generator, device="cuda") * scale + mean


def plain(q, k, v, factor, causal, rounds):
    """Computes attention of one head in f64. With `rounds`, rounds as the kernel does: scores and
    sums are f32, and probabilities times 2^8 are rounded to e4m3."""
    type_ = torch.float32 if rounds else torch.float64
    s = (q.double() @ k.double().T * factor).to(type_)
    if causal:
        rows, keys = s.shape
        s.masked_fill_(torch.ones(rows, keys, dtype=torch.bool, device=s.device)
                       .triu(keys - rows + 1), -torch.inf)
    p = (s - s.amax(1, keepdim=True)).exp()
    total = p.double().sum(1, keepdim=True)
    if rounds:
        p = (p * 256).to(E4M3).double() / 256
    return p.double() @ v.double() / total


class Long(unittest.TestCase):
    def check(self, found, o64, low, name):
        largest = o64.abs().max()
        ulp = 2.0 ** (torch.floor(torch.log2(largest)) - (7 if found.dtype == torch.bfloat16 else 10))
        error = (found.double() - o64).abs().max()
        limit = 2 * (low.to(found.dtype).double() - o64).abs().max() + ulp + 1e-5
        print(f"{name}: error {error:.2e}, limit {limit:.2e}, largest {largest:.3g}", flush=True)
        self.assertTrue(found.isfinite().all())
        self.assertLessEqual(error, limit, name)

    def test_means(self):
        """Both products have operands of 8 bits, and values have a mean of 0, 1 or 10."""
        g = torch.Generator("cuda").manual_seed(7)
        for dim in (64, 128, 256):
            for keys in LENGTHS:
                for mean in (0, 1, 10):
                    rows, causal = 200, mean == 1
                    q = draw(g, 1, 1, rows, dim).to(E4M3)
                    k = draw(g, 1, 1, keys, dim).to(E4M3)
                    v = draw(g, 1, 1, keys, dim, mean=mean).to(E5M2 if mean == 0 and dim == 64 else E4M3)
                    if v.dtype == E5M2:
                        q, k = q.float().to(E5M2), k.float().to(E5M2)
                    out_dtype = torch.bfloat16 if dim == 128 else torch.float16
                    o = torch.full((1, 1, rows, dim), torch.nan, device="cuda", dtype=out_dtype)
                    attn_mlir.attention(q, k, v, causal="bottom_right" if causal else False,
                                        out=o, out_dtype=out_dtype)
                    full = [plain(q[0, 0], k[0, 0], v[0, 0], dim ** -0.5, causal, rounds)
                            for rounds in (False, True)]
                    self.check(o[0, 0], *full, f"d{dim}, {keys} keys, mean {mean}, {v.dtype}")

    def test_centred(self):
        """Values with a mean of 10, which quantize() subtracts before it stores them, and which the
        kernel adds to its result."""
        g = torch.Generator("cuda").manual_seed(8)
        for keys in LENGTHS:
            q = draw(g, 1, 2, 64, 128).to(E4M3)
            k, v = draw(g, 1, 2, keys, 128), draw(g, 1, 2, keys, 128, mean=10)
            wide = [plain(a.double(), b.double(), c.double(), 128 ** -0.5, False, False)
                    for a, b, c in zip(q[0], k[0], v[0])]
            k8, k_scale = attn_mlir.quantize(k, E4M3, scale="head")[:2]
            v8, v_scale, v_mean = attn_mlir.quantize(v, E4M3, scale="head", center=True)
            o = attn_mlir.attention(q, k8, v8, k_scale=k_scale, v_scale=v_scale, v_mean=v_mean,
                                    out_dtype=torch.float32, fast_accumulate=True)
            o = o.double()
            error = (o[0] - torch.stack(wide)).abs().max()
            print(f"centred, {keys} keys: error {error:.2e}", flush=True)
            self.assertLess(error, 0.05)

    def test_needle(self):
        """In each row, one key among 128k has almost all of the probability. The error may be at
        most twice that of 16-bit inputs."""
        g = torch.Generator("cuda").manual_seed(9)
        for dim in (64, 128):
            keys = 131072
            q = draw(g, 1, 1, 64, dim).to(E4M3)
            k = draw(g, 1, 1, keys, dim, scale=0.5).to(E4M3)
            v = draw(g, 1, 1, keys, dim).to(E4M3)
            for at in (0, 77777, keys - 1):
                k2, v2 = k.clone(), v.clone()
                k2[0, 0, at] = (q[0, 0].float().mean(0) * 0 + 1).to(E4M3)
                q2 = (q.float().abs() * 8).to(E4M3)
                v2[0, 0, at] = 100 * torch.ones(dim, device="cuda").to(E4M3).float()
                exact = plain(q2[0, 0], k2[0, 0], v2[0, 0], dim ** -0.5, False, False)
                narrow = attn_mlir.attention(q2, k2, v2, out_dtype=torch.bfloat16)
                wide = attn_mlir.attention(*(x.bfloat16() for x in (q2, k2, v2)))
                errors = [(x[0, 0].double() - exact).abs().max() for x in (narrow, wide)]
                ulp = 2.0 ** (torch.floor(torch.log2(exact.abs().max())) - 7)
                print(f"needle at {at}, d{dim}: {errors[0]:.2e}, 16 bits {errors[1]:.2e}", flush=True)
                self.assertLessEqual(errors[0], 2 * errors[1] + ulp)

    def test_cache(self):
        """Queries of 16 bits attend to caches of 8 bits with 128k keys."""
        g = torch.Generator("cuda").manual_seed(10)
        for store in (E4M3, E5M2, torch.int8):
            for mean in (0, 1, 10):
                q = draw(g, 1, 8, 1, 128).bfloat16()
                k, v = draw(g, 1, 2, 131072, 128), draw(g, 1, 2, 131072, 128, mean=mean)
                k, k_scale = attn_mlir.quantize(k, store, scale="head")[:2]
                v, v_scale = attn_mlir.quantize(v, store, scale="head")[:2]
                o = attn_mlir.attention(q, k, v, k_scale=k_scale, v_scale=v_scale)
                for head in range(8):
                    of = head // 4
                    kd = k[0, of].double() * k_scale.flatten()[of].double()
                    vd = v[0, of].double() * v_scale.flatten()[of].double()
                    exact = plain(q[0, head], kd, vd, 128 ** -0.5, False, False)
                    s = (q[0, head].double() @ kd.T * 128 ** -0.5).float()
                    p = (s - s.amax()).exp()
                    low = p.bfloat16().double() @ vd / p.double().sum()
                    self.check(o[0, head], exact, low, f"cache of {store}, mean {mean}, head {head}")


if __name__ == "__main__":
    unittest.main()
