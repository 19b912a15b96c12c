# Peers of the benchmark that are separate packages, which are missing here or replaced by
# stand-ins.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python %s

import contextlib
import io
import sys
import types
import unittest
import warnings
from unittest import mock

import torch
from attn_mlir.bench import _kinds, _machine, _run, _shapes
from attn_mlir.bench.__main__ import PEERS
from attn_mlir.bench._flash_peers import FA3, FA4, FlexFlash, FlashInfer
from attn_mlir.bench._report import Progress
from attn_mlir.bench._table import _Complaints, _find_peers
from torch.nn.attention.flex_attention import flex_attention


class Machine(_machine.Cuda):
    """The bench's machine for GPUs, with tensors on the CPU."""

    device = "cpu"
    part = 1 << 16

    def __init__(self):
        self.library = self.torch = torch

    def burst(self, function, count):
        function()
        return [1.0] * count


def attend(q, k, v, causal=False):
    """Computes attention on arrays (batch, row, head, head dim), as a stand-in for
    FlashAttention."""
    q, k, v = (its.transpose(1, 2) for its in (q, k, v))
    return torch.nn.functional.scaled_dot_product_attention(
        q, k, v, is_causal=causal, enable_gqa=True).transpose(1, 2)


def attend_packed(q, k, v, cu_seqlens_q, cu_seqlens_k, max_seqlen_q, max_seqlen_k,
                  causal):
    """Computes attention on packed arrays (token, head, head dim), as a stand-in for
    FlashAttention."""
    assert cu_seqlens_q.dtype == cu_seqlens_k.dtype == torch.int32
    assert max_seqlen_q == max_seqlen_k == int(cu_seqlens_q.diff().max())
    lengths = cu_seqlens_q.diff().tolist()
    parts = zip(*(its[None].split(lengths, 1) for its in (q, k, v)))
    return torch.cat([attend(*its, causal=causal)[0] for its in parts])


class Aten:
    """Replaces an operator of PyTorch and its gradient, and checks their arguments by name."""

    def __init__(self, name):
        ops = torch.ops.aten
        self.names = [name, name + "_backward"]
        self.schemas = [getattr(ops, its).default._schema for its in self.names]

    def __enter__(self):
        self.stack = contextlib.ExitStack()
        for name, function in zip(self.names, (self.forward, self.backward)):
            self.stack.enter_context(mock.patch.object(torch.ops.aten, name, function))

    def __exit__(self, *error):
        self.stack.close()

    def bind(self, number, arguments):
        names = [its.name for its in self.schemas[number].arguments if not its.kwarg_only]
        assert len(arguments) == len(names), (names, arguments)
        return dict(zip(names, arguments))

    def forward(self, *arguments):
        its = self.bind(0, arguments)
        q, k, v = (its[name].transpose(1, 2) for name in ("query", "key", "value"))
        self.results = {returned.name: object() for returned in self.schemas[0].returns}
        self.results["output"] = attend(q, k, v, its["is_causal"]).transpose(1, 2)
        return tuple(self.results.values())

    def backward(self, *arguments):
        its = self.bind(1, arguments)
        for name, argument in its.items():
            # FlashAttention's operators have different names for some results of the forward pass
            # and the same arguments of the backward pass.
            name = {"out": "output", "philox_seed": "rng_state",
                    "philox_offset": "unused"}.get(name, name)
            if name in self.results:
                assert argument is self.results[name], name
        inputs = [its[name].detach().requires_grad_()
                  for name in ("query", "key", "value")]
        output = attend(*(array.transpose(1, 2) for array in inputs), its["is_causal"])
        return torch.autograd.grad(output, inputs, its["grad_out"].transpose(1, 2))


class Wrapper:
    """A stand-in for FlashInfer's wrapper, which accepts pages in any order."""

    plans = []

    def __init__(self, workspace, layout, use_tensor_cores):
        assert workspace.dtype == torch.uint8
        self.layout = layout

    def plan(self, ends, pages, last, heads, kv_heads, head_dim, page, q_data_type,
             kv_data_type):
        assert ends.dtype == pages.dtype == last.dtype == torch.int32
        self.ends, self.pages, self.last, self.page = ends, pages, last, page
        self.plans.append((heads, kv_heads, head_dim, page))

    def run(self, q, pools):
        rows = []
        for b, row in enumerate(q):
            pages = self.pages[self.ends[b]:self.ends[b + 1]].long()
            k, v = (pool[pages] for pool in pools)
            if self.layout == "HND":  # of a page
                k, v = k.transpose(1, 2), v.transpose(1, 2)
            k, v = k.flatten(0, 1), v.flatten(0, 1)
            length = (len(pages) - 1) * self.page + self.last[b]
            rows.append(attend(row[None, None], k[None, :length], v[None, :length])[0, 0])
        return torch.stack(rows)


@contextlib.contextmanager
def modules(**functions):
    """Replaces modules by objects with the given members. A module that is given as None cannot be
    imported."""
    made = {}
    for name, members in functions.items():
        name = name.replace("__", ".")
        made[name] = None if members is None else types.SimpleNamespace(**members)
    # Only the replaced modules are restored: other modules that are imported meanwhile stay.
    before = {name: sys.modules[name] for name in made if name in sys.modules}
    sys.modules.update(made)
    try:
        yield
    finally:
        for name in made:
            del sys.modules[name]
        sys.modules.update(before)


def any_backend():
    """Lets scaled_dot_product_attention use any backend that the CPU has."""
    return mock.patch("torch.nn.attention.sdpa_kernel",
                      lambda backend: contextlib.nullcontext())


NONE = {"fa3_fwd_interface": None, "flash_attn_interface": None, "flash_attn": None,
        "flash_attn__cute": None, "flashinfer": None}


class Peers(unittest.TestCase):
    def measure(self, peer, shape, causal="no", variants=None):
        machine = Machine()
        shape, = _shapes.select([shape], "f32", causal, variants)
        if isinstance(peer, str):
            peer = _kinds.find_kind(shape).peers[peer]
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
                # With fewer rows than keys, the peer's causal diagonal is not that of the shape.
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
            def attention(q, k, v, enable_gqa, kernel_options):
                calls.append(kernel_options)
                return attend(*(its.transpose(1, 2) for its in (q, k, v))).transpose(1, 2)
            return attention
        with modules(**{**NONE, "flash_attn": {}, "flash_attn__cute": {
                "flash_attn_func": attend}}), mock.patch.object(torch, "compile", compile_):
            for peer, shape in ((FlexFlash, "2,4:2,19:37,16"),
                                ("flex-flash", "backward:2,4:2,19:37,16")):
                self.assertEqual(self.measure(peer, shape).note, "")
                self.assertEqual(calls[-1], {"BACKEND": "FLASH"})

    def test_flex_of_variants(self):
        """PyTorch's flex_attention is called with the same score and mask functions."""
        compile_ = torch.compile
        with warnings.catch_warnings(), mock.patch.object(
                torch, "compile", lambda function=None, **options: (
                    function if function is flex_attention
                    else compile_(function, **options))):
            warnings.simplefilter("ignore")  # that nothing is fused
            for shape in _shapes.select(["masks:2,4:2,64,16"], "f32"):
                machine = Machine()
                kind = _kinds.find_kind(shape)
                own, flex = _run.measure(machine, shape, [
                    kind.own(machine), kind.peers["flex"](machine)], 1)
                self.assertEqual(own.note, "")
                self.assertEqual(flex.note, "expected a score function or a mask function"
                                 if shape.variant in ("sinks", "dropout") else "")

    def test_sdpa_of_variants(self):
        for peer in ("cudnn", "fa2"):
            for variant, causal in (("plain", "no"), ("plain", "yes"),
                                    ("causal-mod", "no")):
                with any_backend():
                    self.assertEqual(self.measure(peer, "masks:2,4:2,20,16", causal,
                                                  [variant]).note, "")
            found = self.measure(peer, "masks:2,4:2,20,16", "no", ["alibi"])
            self.assertEqual(found.note, "expected no variant but plain and causal-mod")

    def test_gradients_of_operators(self):
        for peer, name in (("cudnn", "_scaled_dot_product_cudnn_attention"),
                           ("fa2", "_scaled_dot_product_flash_attention")):
            with Aten(name):
                for causal in ("no", "yes"):
                    self.assertEqual(
                        self.measure(peer, "backward:2,4:2,19,16", causal).note, "")

    def test_gradients_of_autograd(self):
        for name, module in (("fa3", "fa3_fwd_interface"), ("fa4", "flash_attn__cute")):
            def measure(function, **options):
                fakes = {"flash_attn": {}, module: {"flash_attn_func": function}}
                with modules(**{**NONE, **fakes}):
                    return self.measure(name, "backward:2,4:2,19,16", **options).note

            self.assertEqual(measure(lambda *its, causal: (attend(*its, causal), None),
                                     causal="yes"), "")
            self.assertEqual(measure(lambda *its, causal: attend(*its).detach()),
                             "has no gradients")
            self.assertRegex(measure(lambda q, k, v, causal: attend(q, k, v * v)),
                             "^wrong result: d_query: ")

    def test_packed(self):
        for name, module in (("fa3", "flash_attn_interface"),
                             ("fa4", "flash_attn__cute")):
            def measure(causal, variant, **members):
                with modules(**{**NONE, "flash_attn": {}, module: members}):
                    return self.measure(name, "packed:2,4:2,64,16", causal,
                                        [variant]).note

            for causal in ("no", "yes"):
                for variant in ("forward", "backward"):
                    self.assertEqual(measure(causal, variant,
                                             flash_attn_varlen_func=attend_packed), "")
            self.assertRegex(measure("no", "forward"), "flash_attn_varlen_func")

    def test_pages(self):
        with modules(**{**NONE, "flashinfer": {
                "BatchDecodeWithPagedKVCacheWrapper": Wrapper}}):
            for variant, note in (("pages-16", ""), ("pages-256", ""),
                                  ("contiguous", "expected pages")):
                self.assertEqual(self.measure("flashinfer", "pages:3,4:2,1:300,16",
                                              variants=[variant]).note, note)
        for variant, note in (("contiguous", ""),
                              ("pages-64", "expected contiguous keys and no mask")):
            with any_backend():
                self.assertEqual(self.measure("cudnn", "pages:3,4:2,1:300,16",
                                              variants=[variant]).note, note)

    def test_absent(self):
        """A line is printed for each absent peer, and none for the others."""
        err = io.StringIO()
        names = ["fa3", "fa4", "flex-flash", "flashinfer"]
        with modules(**{**NONE, "fa3_fwd_interface": {"flash_attn_func": attend}}), \
                contextlib.redirect_stderr(err):
            found, absent = _find_peers(self.kind("1,2,3,4"), names, Machine(),
                                        _Complaints(Progress(err, 1)))
        self.assertEqual([peer.name for peer in found], ["fa3"])
        self.assertEqual(list(absent), names[1:])
        for name, line in zip(names[1:], err.getvalue().splitlines()):
            self.assertRegex(line, f"^bench: {name}: .*(flash_attn|flashinfer)")
        self.assertLessEqual(set(names), set(PEERS))
        with contextlib.redirect_stderr(err):
            found, absent = _find_peers(self.kind("1,2,3,4"), names, _machine.Host(),
                                        _Complaints(Progress(err, 1)))
        self.assertEqual(set(absent.values()), {"expected a CUDA device"})
        # A peer without an implementation of this kind also counts as absent, but without a
        # message.
        err = io.StringIO()
        found, absent = _find_peers(self.kind("packed:1,2,3,4"), ["cudnn", "mosaic"],
                                    Machine(), _Complaints(Progress(err, 1)))
        self.assertEqual((found, set(absent.values()), err.getvalue()),
                         ([], {"not timed on such shapes"}, ""))

    def kind(self, shape):
        return _kinds.find_kind(_shapes.select([shape])[0])


if __name__ == "__main__":
    unittest.main()
