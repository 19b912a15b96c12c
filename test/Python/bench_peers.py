# Peers of the benchmark that are packages of their own, where these are fakes or missing.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python %s

import contextlib
import io
import sys
import types
import unittest
from unittest import mock

import torch
from attn_mlir.bench import _machine, _run, _shapes
from attn_mlir.bench.__main__ import PEERS, _Complaints, _find_peers
from attn_mlir.bench._flash_peers import FA3, FA4, FlexFlash, FlashInfer
from attn_mlir.bench._report import Progress


class Machine(_machine.Host):
    """What a GPU's machine offers, on the CPU's tensors."""

    name = "cuda"
    torch = torch

    def make_arrays(self, shape):
        return tuple(torch.from_numpy(its) for its in super().make_arrays(shape))

    def make_reference(self, shape, *arrays):
        return super().make_reference(shape, *[its.numpy() for its in arrays])

    def get_error(self, reference, output):
        return super().get_error(reference, output.numpy())

    def burst(self, function, count):
        function()
        return [1.0] * count


def attend(q, k, v, causal=False):
    """Of arrays (batch, row, head, head dim)."""
    q, k, v = (its.transpose(1, 2) for its in (q, k, v))
    return torch.nn.functional.scaled_dot_product_attention(
        q, k, v, is_causal=causal, enable_gqa=True).transpose(1, 2)


class Wrapper:
    """FlashInfer's, of which the pages may be in any order."""

    plans = []

    def __init__(self, workspace, layout, use_tensor_cores):
        assert layout == "NHD" and workspace.dtype == torch.uint8

    def plan(self, ends, pages, last, heads, kv_heads, head_dim, page, q_data_type,
             kv_data_type):
        assert ends.dtype == pages.dtype == last.dtype == torch.int32
        self.ends, self.pages, self.last, self.page = ends, pages, last, page
        self.plans.append((heads, kv_heads, head_dim, page))

    def run(self, q, pools):
        rows = []
        for b, row in enumerate(q):
            pages = self.pages[self.ends[b]:self.ends[b + 1]].long()
            k, v = (pool[pages].flatten(0, 1) for pool in pools)
            length = (len(pages) - 1) * self.page + self.last[b]
            rows.append(attend(row[None, None], k[None, :length], v[None, :length])[0, 0])
        return torch.stack(rows)


@contextlib.contextmanager
def modules(**functions):
    """Fakes of modules; None is one that cannot be imported."""
    made = {}
    for name, members in functions.items():
        name = name.replace("__", ".")
        made[name] = None if members is None else types.SimpleNamespace(**members)
    with mock.patch.dict(sys.modules, made):
        yield


NONE = {"fa3_fwd_interface": None, "flash_attn_interface": None, "flash_attn": None,
        "flash_attn__cute": None, "flashinfer": None}


class Peers(unittest.TestCase):
    def measure(self, peer, shape, causal="no"):
        machine = Machine()
        shape, = _shapes.select([shape], "f32", causal)
        return _run.measure(machine, shape, [peer(machine)], 1)[0]

    def test_flash_attention(self):
        fakes = {FA3: {"fa3_fwd_interface": {"flash_attn_func": attend}},
                 FA4: {"flash_attn": {}, "flash_attn__cute": {
                     "flash_attn_func": lambda *arrays, causal: (
                         attend(*arrays, causal=causal), None)}}}
        for peer, members in fakes.items():
            with modules(**{**NONE, **members}):
                for shape, causal in (("2,4:2,19:37,16", "no"), ("2,4:2,19,16:24", "yes")):
                    self.assertEqual(self.measure(peer, shape, causal).note, "")
                # Another diagonal than that of the shape.
                self.assertRegex(self.measure(peer, "1,2,5:9,16", "yes").note,
                                 "expected as many rows as keys")
        with modules(**{**NONE, "flash_attn_interface": {"flash_attn_func": attend}}):
            self.assertEqual(self.measure(FA3, "1,2,9,16").note, "")

        def wrong(*arrays, causal):
            return attend(*arrays)
        with modules(**{**NONE, "fa3_fwd_interface": {"flash_attn_func": wrong}}):
            self.assertRegex(self.measure(FA3, "1,2,9,16", "yes").note, "^wrong result")

    def test_flashinfer(self):
        with modules(**{**NONE, "flashinfer": {
                "BatchDecodeWithPagedKVCacheWrapper": Wrapper}}):
            for keys, page in ((128, 64), (96, 32), (37, 1)):
                Wrapper.plans.clear()
                self.assertEqual(self.measure(FlashInfer, f"3,4:2,1:{keys},16").note, "")
                self.assertEqual(Wrapper.plans, [(4, 2, 16, page)])
            for shape in ("1,2,2:9,16", "1,2,1:9,16:24"):
                self.assertRegex(self.measure(FlashInfer, shape).note, "expected one row")

    def test_flex(self):
        calls = []

        def compile_(function, **options):
            def attention(q, k, v, block_mask, enable_gqa, kernel_options):
                calls.append(kernel_options)
                return attend(*(its.transpose(1, 2) for its in (q, k, v))).transpose(1, 2)
            return attention
        with modules(**{**NONE, "flash_attn": {}, "flash_attn__cute": {
                "flash_attn_func": attend}}), mock.patch.object(torch, "compile", compile_):
            self.assertEqual(self.measure(FlexFlash, "2,4:2,19:37,16").note, "")
        self.assertEqual(calls[0], {"BACKEND": "FLASH"})

    def test_absent(self):
        """A line for each that is not there, and none for the others."""
        err = io.StringIO()
        names = ["fa3", "fa4", "flex-flash", "flashinfer"]
        with modules(**{**NONE, "fa3_fwd_interface": {"flash_attn_func": attend}}), \
                contextlib.redirect_stderr(err):
            found, absent = _find_peers(names, Machine(), _Complaints(Progress(err, 1)))
        self.assertEqual([peer.name for peer in found], ["fa3"])
        self.assertEqual(list(absent), names[1:])
        for name, line in zip(names[1:], err.getvalue().splitlines()):
            self.assertRegex(line, f"^bench: {name}: .*(flash_attn|flashinfer)")
        self.assertLessEqual(set(names), set(PEERS))
        with contextlib.redirect_stderr(err):
            found, absent = _find_peers(names, _machine.Host(),
                                        _Complaints(Progress(err, 1)))
        self.assertEqual(set(absent.values()), {"expected a CUDA device"})


if __name__ == "__main__":
    unittest.main()
