# Quotients and remainders in score and mask functions equal torch's exactly, for numbers of either
# sign, 0, infinities and the smallest integers. Where torch divides by 0 with an error, a kernel's
# quotient is 0 and x % 0 is x, and nothing traps.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python %s

import math
import operator
import unittest

import attn_mlir
import torch
from attn_mlir import score


def floor_by_div(x, y):
    return torch.div(x, y, rounding_mode="floor")


def trunc_by_div(x, y):
    return torch.div(x, y, rounding_mode="trunc")


def find_others(functions, x, y, wanted, divisor=None, mask=False):
    """Returns the numbers of the pairs of `x` and `y`, or with `divisor` of `x` and that number,
    for which a kernel finds another result of `functions` than `wanted`. Both may be NaN."""
    def agrees(i):
        kept = True
        for function, want in zip(functions, wanted):
            found = function(x[i], y[i] if divisor is None else divisor)
            kept = ((found == want[i]) | ((found != found) & (want[i] != want[i]))) & kept
        return kept

    q, k = torch.zeros(1, 1, len(x), 8), torch.zeros(1, 1, 1, 8)
    option = {"mask_mod": lambda b, h, i, j: agrees(i)} if mask else {
        "score_mod": lambda s, b, h, i, j: score.where(agrees(i), 0.0, -math.inf)}
    _, lse = attn_mlir.attention(q, k, k, return_lse=True, **option)
    return lse[0, 0].nonzero().flatten().tolist()


def floats():
    rng = torch.Generator().manual_seed(0)
    x = torch.randn(500, generator=rng) * 10.0**torch.randint(-3, 4, (500,), generator=rng)
    y = torch.randn(500, generator=rng)
    y += y.sign() * 0.2
    x[:12] = torch.tensor([1, -1, 0.3, -0.3, 6, -6, math.inf, 5, -5, 1, 0, -0.0])
    y[:12] = torch.tensor([0.1, 0.1, 0.1, 0.1, 3, 3, 2, math.inf, math.inf, 0, 0, 3])
    return x, y


class Divisions(unittest.TestCase):
    def test_floats(self):
        functions = operator.mod, operator.floordiv, torch.fmod, torch.remainder, floor_by_div
        x, y = floats()
        self.assertEqual(find_others(functions, x, y, [f(x, y) for f in functions]), [])
        for divisor in (0.1, -0.7, 2, 0.5, 3, math.inf):
            with self.subTest(divisor):
                wanted = [f(x, torch.tensor(float(divisor))) for f in functions]
                self.assertEqual(find_others(functions, x, y, wanted, divisor), [])

    def test_integers(self):
        functions = (operator.mod, operator.floordiv, torch.fmod, torch.remainder,
                     floor_by_div, trunc_by_div)
        for dtype in (torch.int8, torch.int16, torch.int32, torch.int64):
            limits = torch.iinfo(dtype)
            values = [0, 1, -1, 2, -2, 3, -7, limits.max, limits.min, limits.min + 1]
            x, y = (torch.tensor(its, dtype=dtype)
                    for its in zip(*[(x, y) for x in values for y in values]))
            # torch's own division of the smallest integer by -1 traps.
            safe = torch.where((y == 0) | (y == -1), 1, y)

            def choose(of_zero, of_minus_one, others):
                return torch.where(y == 0, of_zero, torch.where(y == -1, of_minus_one, others))

            wanted = [choose(x, 0, x % safe), choose(0, -x, x // safe),
                      choose(0, 0, torch.fmod(x, safe)), choose(x, 0, x % safe),
                      choose(0, -x, x // safe), choose(0, -x, trunc_by_div(x, safe))]
            for mask in (False, True):
                with self.subTest(dtype, mask=mask):
                    self.assertEqual(find_others(functions, x, y, wanted, mask=mask), [])

    def test_rounding_mode(self):
        with self.assertRaisesRegex(
                attn_mlir.Error, "score_mod: expected rounding_mode None, 'floor' or 'trunc', "
                                 "found 'up'"):
            score.trace(lambda s, *_: torch.div(s, 2, rounding_mode="up"))

    def test_gradients(self):
        """Of scores, and of a divisor that each row has. The quotient of 1 and 0.1 in float32 is
        below 10, and is rounded to 10."""
        rng = torch.Generator().manual_seed(1)
        q, k, v = (torch.randn(1, 1, size, 8, generator=rng) for size in (7, 9, 9))
        y = torch.tensor([0.1, -0.3, 0.7, 1.5, -2.0, 0.9, 0.01])

        def change(s, divisor, j):
            return (s % divisor) + 0.1 * torch.fmod(s, divisor) + (j + 1.0) % divisor

        def plain(q, k, v, y):
            return torch.softmax(change(
                q @ k.mT / 8**0.5, y[:, None], torch.arange(9)), -1) @ v

        def attention(q, k, v, y):
            table = y[:, None].expand(7, 9).contiguous()
            return attn_mlir.attention(
                q, k, v, score_mod=lambda s, b, h, i, j: change(s, table[i, j], j))

        found, wanted = [], []
        for call, results in ((attention, found), (plain, wanted)):
            given = [its.clone().requires_grad_() for its in (q, k, v, y)]
            output = call(*given)
            results += [output, *torch.autograd.grad(output.sin().sum(), given)]
        for its, want in zip(found, wanted):
            torch.testing.assert_close(its, want, atol=2e-4, rtol=2e-4)


if __name__ == "__main__":
    unittest.main()
