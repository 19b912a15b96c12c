# Lists of tokens: each query attends to the tokens that its row of a table names, as pages of one
# token. The table is what an indexer selects (the top k of each query), with -1 for none. In
# PyTorch, on the GPU if there is one, else on the CPU.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import numpy
import torch

import attn_mlir
import attn_mlir.torch
from tensors import DEVICE

TOKENS, QUERIES, CHOSEN = 150, 9, 37


def choose(rng, queries, tokens, chosen):
    """A row of distinct tokens for each query, of which some are -1 and one row has none."""
    table = numpy.stack([rng.permutation(tokens)[:chosen] for _ in range(queries)])
    table[rng.random(table.shape) < 0.2] = -1
    table[queries // 2] = -1
    return table.astype(numpy.int32)


def reference(q, keys, values, table, scale):
    """The output and lse of queries of H x D in f64, query by query."""
    outputs, lses = [], []
    for query, row in zip(q.astype(numpy.float64), table):
        row = row[row >= 0]
        if not row.size:
            outputs.append(numpy.zeros((len(query), values.shape[-1])))
            lses.append(numpy.full(len(query), -numpy.inf))
            continue
        scores = scale * numpy.einsum("hd,khd->hk", query, keys[row].astype(numpy.float64))
        top = scores.max(-1, keepdims=True)
        weights = numpy.exp(scores - top)
        total = weights.sum(-1, keepdims=True)
        outputs.append(numpy.einsum("hk,khd->hd", weights / total,
                                    values[row].astype(numpy.float64)))
        lses.append((top + numpy.log(total))[:, 0])
    return numpy.array(outputs), numpy.array(lses)


class TokenLists(unittest.TestCase):
    def setUp(self):
        self.rng = numpy.random.default_rng(7)
        self.table = choose(self.rng, QUERIES, TOKENS, CHOSEN)

    def draw(self, *sizes):
        return self.rng.standard_normal(sizes).astype(numpy.float32)

    def check(self, output, lse, wanted, limit):
        outputs, lses = wanted
        self.assertLess(numpy.abs(output - outputs).max(), limit)
        numpy.testing.assert_allclose(lse, lses, rtol=0, atol=limit)

    def test_numpy(self):
        """Tokens that no list names are NaN: nobody reads them."""
        q, k, v = self.draw(QUERIES, 8, 64), self.draw(TOKENS, 2, 64), self.draw(TOKENS, 2, 48)
        unused = numpy.setdiff1d(numpy.arange(TOKENS), self.table)
        self.assertGreater(unused.size, 0)
        k[unused] = v[unused] = numpy.nan
        output, lse = attn_mlir.decode(
            q[:, :, None], k[:, :, None], v[:, :, None], page_table=self.table, return_lse=True)
        wanted = reference(q, k.repeat(4, axis=1), v.repeat(4, axis=1), self.table, 64**-0.5)
        self.check(output[:, :, 0], lse[:, :, 0], wanted, 2e-6)

    def test_latents(self):
        """Latents of 576 columns, of which the first 512 are the values, in bf16."""
        q = torch.from_numpy(self.draw(QUERIES, 16, 576)).bfloat16().to(DEVICE)
        cache = torch.from_numpy(self.draw(TOKENS, 576)).bfloat16().to(DEVICE)
        table = torch.from_numpy(self.table).to(DEVICE)
        keys = cache.float().cpu().numpy()[:, None].repeat(16, axis=1)
        wanted = reference(q.float().cpu().numpy(), keys, keys[..., :512], self.table, 192**-0.5)
        for call in (attn_mlir.mla_decode, attn_mlir.torch.mla_decode):
            output, lse = call(q[:, :, None], cache[:, None], scale=192**-0.5, page_table=table,
                               causal=False, return_lse=True)
            self.check(output[:, :, 0].float().cpu().numpy(), lse[:, :, 0].cpu().numpy(), wanted, 2e-2)

    def test_eight_bits(self):
        """A cache of e4m3 with a scale for each token and head, as `append` makes it."""
        q = torch.from_numpy(self.draw(QUERIES, 4, 64)).half().to(DEVICE)
        k, v = [torch.from_numpy(self.draw(TOKENS, 4, 1, 64)).half().to(DEVICE)
                for _ in range(2)]
        (k8, k_scale), (v8, v_scale) = [
            attn_mlir.quantize(array, "e4m3", scale="token")[:2] for array in (k, v)]
        output, lse = attn_mlir.decode(
            q[:, :, None], k8, v8, k_scale=k_scale, v_scale=v_scale,
            page_table=torch.from_numpy(self.table).to(DEVICE), return_lse=True)
        keys, values = [(array.float() * scale.reshape(TOKENS, 4, 1, 1))[:, :, 0].cpu().numpy()
                        for array, scale in ((k8, k_scale), (v8, v_scale))]
        self.check(output[:, :, 0].float().cpu().numpy(), lse[:, :, 0].cpu().numpy(),
                   reference(q.float().cpu().numpy(), keys, values, self.table, 64**-0.5), 2e-3)


if __name__ == "__main__":
    unittest.main()
