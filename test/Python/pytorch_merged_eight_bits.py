# attn_mlir.merge of states of 8 bits, each with a scale, and to results of 8 bits, by itself and
# under torch.compile; on the GPU if there is one, else on the CPU.
#
# REQUIRES: capi, pytorch, numpy
# RUN: %pytorch-python -W ignore %s

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import attn_mlir.torch
import torch
from attn_mlir import _frames
from tensor_serving import check_merge, merge_reference, states

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
E4M3, E5M2 = torch.float8_e4m3fn, torch.float8_e5m2
# Half of the distance of neighbouring numbers: relative, and of the smallest ones.
HALVES = {E4M3: (2**-4, 2**-10), E5M2: (2**-3, 2**-17)}
GENERATOR = torch.Generator().manual_seed(0)


def scale_of(*sizes):
    return (torch.rand(sizes, generator=GENERATOR) / 50 + 0.01).to(DEVICE)


def narrow(own, dtype, *scales):
    """Returns the states with their outputs rounded to `dtype` (8 bits), each with its scale, and
    the states that these stand for, with outputs in f64."""
    found, exact = [], []
    for (o, lse), scale in zip(own, scales):
        factor = scale.reshape(*scale.shape, *[1] * (4 - scale.dim()))
        stored = (o / factor).clamp(-400, 400).to(dtype)
        found.append((stored, lse, scale))
        exact.append((stored.double() * factor.double(), lse))
    return found, exact


def check_narrow(found, scale, expected, dtype):
    assert found.dtype == dtype
    factor = scale.double().reshape(*scale.shape, *[1] * (4 - scale.dim()))
    relative, smallest = HALVES[dtype]
    error = (found.double() * factor - expected).abs()
    assert (error <= 1.001 * torch.maximum(relative * expected.abs(), smallest * factor)).all()


class Merge(unittest.TestCase):
    def test_numbers(self):
        kinds = [(E4M3, 64, [(), (2, 3)], None, torch.bfloat16),
                 (E5M2, 80, [(1, 3), (2, 1), (1, 1)], torch.float32, torch.float32),
                 (E4M3, 128, [(1,)], "f16", torch.float16)]
        for dtype, dim, sizes, out_dtype, wide in kinds:
            own = states(len(sizes), torch.float32, DEVICE, dim=dim)
            own, exact = narrow(own, dtype, *[scale_of(*its) for its in sizes])
            for sink in (None, torch.tensor([0.5, -torch.inf, 2], device=DEVICE)):
                expected = merge_reference(exact, sink)
                with self.subTest(dtype=dtype, sink=sink is not None):
                    found = attn_mlir.merge(own, sink=sink, out_dtype=out_dtype)
                    self.assertEqual(found[0].dtype, wide)
                    check_merge(found, expected, wide)
                    out = torch.full_like(found[0], torch.nan)
                    self.assertIs(attn_mlir.merge(own, sink=sink, out=out, return_lse=False),
                                  out)
                    torch.testing.assert_close(out, found[0], rtol=0, atol=0)
                    for of_out, scale in ((None, scale_of()), (E5M2, scale_of(2, 3)),
                                          (E4M3, scale_of(1, 3))):
                        o, lse = attn_mlir.merge(own, sink=sink, out_dtype=of_out,
                                                 out_scale=scale)
                        check_narrow(o, scale, expected[0], of_out or E4M3)
                        torch.testing.assert_close(lse, found[1], rtol=0, atol=0)

    def test_results_of_wide_states(self):
        for dtype in (torch.float32, torch.float16, torch.bfloat16):
            own = states(2, dtype, DEVICE, dim=64)
            expected, scale = merge_reference(own)[0], scale_of(2, 3)
            out = torch.empty(own[0][0].shape, dtype=E4M3, device=DEVICE)
            for options in ({}, {"out": out}):
                found = attn_mlir.merge(own, out_scale=scale, return_lse=False, **options)
                check_narrow(found, scale, expected, E4M3)
        # Results that are larger than the largest number of e4m3 saturate to it.
        found = attn_mlir.merge([(torch.full((1, 1, 2, 16), 9.0, device=DEVICE),
                                  torch.zeros(1, 1, 2, device=DEVICE))],
                                out_scale=torch.tensor(1e-3, device=DEVICE))[0]
        self.assertTrue((found.float() == 448).all())
        # States of 16 bits can be merged to an output of float32; `out_dtype` may be the dtype's
        # name.
        found = attn_mlir.merge(own, out_dtype="float32", return_lse=False)
        self.assertEqual(found.dtype, torch.float32)
        torch.testing.assert_close(found.double(), expected, atol=2e-5, rtol=2e-5)

    def test_parts_of_attention(self):
        """Keys are divided among calls whose outputs are of 8 bits."""
        q, k, v = [torch.randn(2, heads, rows, 64, generator=GENERATOR).to(DEVICE).half()
                   for heads, rows in ((4, 9), (2, 70), (2, 70))]
        exact = attn_mlir.attention(q, k, v, return_lse=True)
        parts, wide = [], []
        for number, part in enumerate((slice(0, 30), slice(30, 70))):
            scale = scale_of(2, 4)
            o, lse = attn_mlir.attention(q, k[:, :, part], v[:, :, part], out_scale=scale,
                                         return_lse=True)
            parts.append((o, lse, scale))
            wide.append((o.double() * scale.double()[..., None, None], lse))
        expected, _ = merge_reference(wide)
        o, lse = attn_mlir.merge(parts, out_dtype="f32")
        torch.testing.assert_close(o.double(), expected, atol=2e-5, rtol=2e-5)
        torch.testing.assert_close(lse, exact[1], atol=2e-5, rtol=2e-5)
        # Each part's output, rounded to e4m3, has an error of at most 2^-4 of the largest element
        # of a part.
        most = max([its.abs().max() for its, _ in wide])
        self.assertLess((o - exact[0].float()).abs().max(), 2**-4 * most)
        scale = scale_of()
        check_narrow(attn_mlir.merge(parts, out_scale=scale)[0], scale, expected, E4M3)

    def test_known_calls(self):
        """A second call, with other scales, launches the first one's kernel."""
        own = states(2, torch.float32, DEVICE, dim=64)
        first, _ = narrow(own, E4M3, scale_of(), scale_of(2, 3))
        attn_mlir.merge(first, out_scale=scale_of(2, 3))
        count = len(_frames.kernels)
        for _ in range(2):
            again, exact = narrow(own, E4M3, scale_of(), scale_of(2, 3))
            scale = scale_of(2, 3)
            found = attn_mlir.merge(again, out_scale=scale, return_lse=True)
            check_narrow(found[0], scale, merge_reference(exact)[0], E4M3)
        self.assertEqual(len(_frames.kernels), count)

    def test_compiled(self):
        compiled = torch.compile(attn_mlir.torch.merge, fullgraph=True, backend="aot_eager")
        own, exact = narrow(states(2, torch.float32, DEVICE, dim=64), E4M3, scale_of(),
                            scale_of(2, 3))
        expected, scale = merge_reference(exact), scale_of()
        check_merge(compiled(own), expected, torch.bfloat16)
        check_narrow(compiled(own, out_scale=scale, return_lse=False), scale, expected[0], E4M3)
        found = compiled(own, out_scale=scale, out_dtype=E5M2)[0]
        check_narrow(found, scale, expected[0], E5M2)
        found = compiled([(its[0].half(), its[1]) for its in exact], out_dtype=torch.float32)
        self.assertEqual(found[0].dtype, torch.float32)

    def test_modes(self):
        """merge is called as an operator, within vmap and modes, also with results in the caller's
        arrays."""
        own, exact = narrow(states(2, torch.float32, DEVICE, dim=64), E4M3, scale_of(),
                            scale_of(2, 3))
        expected, scale = merge_reference(exact)[0], scale_of()
        calls = torch.func.vmap(lambda o, lse: attn_mlir.merge(
            [(o, lse, own[0][2])], out_dtype="f32")[0])(own[0][0][None], own[0][1][None])
        torch.testing.assert_close(calls[0].double(), merge_reference(exact[:1])[0], atol=2e-5,
                                   rtol=2e-5)
        out = torch.empty(expected.shape, dtype=E5M2, device=DEVICE)
        with torch.utils.flop_counter.FlopCounterMode(display=False):
            attn_mlir.merge(own, out_scale=scale, out=out, return_lse=False)
        check_narrow(out, scale, expected, E5M2)

    def test_opcheck(self):
        own, _ = narrow(states(2, torch.float32, DEVICE, dim=16, rows=5), E4M3, scale_of(),
                        scale_of(2, 3))
        outputs, lses, scales = [[its[n] for its in own] for n in range(3)]
        for arguments in ((outputs, lses, None, scales),
                          (outputs, lses, None, scales, scale_of(), "f8E5M2")):
            # "test_schema" needs torch.allclose, which torch lacks for 8 bits.
            torch.library.opcheck(torch.ops.attn_mlir.merge, arguments, test_utils=(
                "test_faketensor", "test_autograd_registration"))

    def expect(self, pattern, call):
        with self.assertRaisesRegex(attn_mlir.ArgumentError, pattern):
            call()

    def test_errors(self):
        merge = attn_mlir.merge
        own, _ = narrow(states(2, torch.float32, DEVICE, dim=16), E4M3, scale_of(), scale_of())
        (o, lse, scale), other = own
        wide = o.half()
        for pattern, call in [
                (r"^states\[1\]: scale: expected an array of float32 beside an output of "
                 "float8_e4m3fn, which is divided by it, found None$",
                 lambda: merge([other, (o, lse)])),
                (r"^states\[0\]: scale: expected None beside an output of neither",
                 lambda: merge([(wide, lse, scale)])),
                (r"^states\[0\]: scale: expected sizes \(\) or \(B, H\), each of which may be 1, "
                 r"of an array of sizes \(2, 3\), found \(2, 4\)$",
                 lambda: merge([(o, lse, scale_of(2, 4))])),
                (r"^states\[0\]: scale: expected dtype f32, found f16$",
                 lambda: merge([(o, lse, scale.half())])),
                (r"^states\[1\]: expected dtype f8E4M3FN, found f16$",
                 lambda: merge([other, (wide, lse, scale)])),
                ("^out_scale: expected an array of float32 beside an output of float8_e5m2",
                 lambda: merge(own, out_dtype=E5M2)),
                ("^out_scale: expected None beside an output of neither",
                 lambda: merge(own, out_dtype="f16", out_scale=scale)),
                (r"^out_scale: expected sizes \(\) or \(B, H\)",
                 lambda: merge(own, out_scale=scale_of(2, 3, 21))),
                (r"^out_dtype: expected float16, as states\[0\], float32, or one of 8 bits with "
                 "out_scale, found bfloat16$",
                 lambda: merge([(wide, lse)], out_dtype="bf16")),
                ("^out_dtype: expected None, float16,", lambda: merge(own, out_dtype="i8")),
                ("^out: expected dtype bfloat16, as out_dtype says, found f16$",
                 lambda: merge(own, out_dtype="bf16", out=wide, return_lse=False))]:
            with self.subTest(pattern):
                self.expect(pattern, call)

    def test_derivatives(self):
        """A merge has no derivative if its states or its result have 8 bits. A merge of states of
        16 bits to a result of float32 has derivatives."""
        own, _ = narrow(states(2, torch.float32, DEVICE, dim=16), E4M3, scale_of(), scale_of())
        lse = own[0][1].clone().requires_grad_()
        found = attn_mlir.merge([(own[0][0], lse, own[0][2]), own[1]])[0]
        self.expect("^states: expected outputs of 16 or 32 bits where a derivative is needed",
                    lambda: found.float().sum().backward())
        o = torch.randn(1, 2, 5, 16, device=DEVICE, dtype=torch.float16, requires_grad=True)
        lses = [torch.zeros(1, 2, 5, device=DEVICE), torch.ones(1, 2, 5, device=DEVICE)]
        found = attn_mlir.merge([(o, lses[0])], out_scale=scale_of())[0]
        self.expect("^out_scale: expected None where a derivative is needed",
                    lambda: found.float().sum().backward())
        found = attn_mlir.merge([(o, lses[0]), (o, lses[1])], out_dtype="f32")[0]
        self.assertEqual(found.dtype, torch.float32)
        found.sum().backward()
        torch.testing.assert_close(o.grad, torch.ones_like(o), atol=2e-3, rtol=0)
        tangent = torch.func.jvp(lambda its: attn_mlir.merge(
            [(its, lses[0]), (its, lses[1])], out_dtype="f32")[0], (o.detach(),),
            (torch.ones_like(o),))[1]
        self.assertEqual(tangent.dtype, torch.float32)
        torch.testing.assert_close(tangent, torch.ones_like(tangent), atol=2e-3, rtol=0)


if __name__ == "__main__":
    unittest.main()
