# torch.library.opcheck on each operator that the package has in PyTorch: its schema, its results
# for fake tensors, its registration with autograd, and graphs with dynamic sizes; on the GPU if
# there is one, else on the CPU.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir.torch
import torch
from attn_mlir.flex import _max_scores  # noqa: F401; an operator of its own
from tensors import DEVICE

OPS = torch.ops.attn_mlir
OPTIONS = (None, "top_left", 5, None, "top_left")  # scale, causal, left, right, align
REGIONS = ("", "", [])
GENERATOR = torch.Generator().manual_seed(3)


def draw(*sizes, grad=False):
    return torch.randn(sizes, generator=GENERATOR).to(DEVICE).requires_grad_(grad)


def integers(*values):
    return torch.tensor(values, dtype=torch.int32, device=DEVICE)


def arrays(grad=False):
    return (draw(2, 4, 5, 16, grad=grad), draw(2, 2, 7, 16, grad=grad),
            draw(2, 2, 7, 8, grad=grad))


def attention():
    yield (*arrays(grad=True), *OPTIONS, *REGIONS, draw(4, grad=True), 0.0, None)
    scale = draw(2, 2).abs()
    yield (*arrays(), *OPTIONS, *REGIONS, None, 0.0, None, None, scale, scale, [1, 1, 1])
    q, k, v = arrays()
    yield (q, *(its.to(torch.float8_e4m3fn) for its in (k, v)), *OPTIONS, *REGIONS, None, 0.0,
           None, None, scale, scale, [1, 1, 1])
    yield (*(its.half() for its in arrays()), *OPTIONS, *REGIONS, None, 0.0, None, None, None,
           None, [1, 1, 1], None, "f32")


def attention_backward():
    q, k, v = arrays()
    o, lse = attn_mlir.attention(q, k, v, causal=True, window=(5, None), return_lse=True)
    yield (q, k, v, o, lse, draw(*o.shape), None, *OPTIONS, *REGIONS, [True, False, True],
           False, None, 0.0, None)


def varlen():
    cu = integers(0, 3, 3, 9)
    yield (*[draw(9, heads, 16, grad=True) for heads in (4, 2, 2)], cu, cu, None, True, None,
           None, *REGIONS, None, False)


def varlen_backward():
    cu = integers(0, 3, 3, 9)
    q, k, v = (draw(9, heads, 16) for heads in (4, 2, 2))
    o, lse = attn_mlir.varlen(q, k, v, cu, return_lse=True)
    yield (q, k, v, o, lse, draw(*o.shape), None, cu, cu, None, False, None, None, *REGIONS,
           None, [True, True, False], False)


def decode():
    yield (*arrays(), integers(7, 0), None, None, None, True, None, None, *REGIONS, None, False,
           None, None, None, [1, 1, 1])
    yield (*arrays(), integers(13, 2), integers([1, 0], [0, 1]), integers(5, 2), 0.5, True, 3,
           None, *REGIONS, draw(4), False, None, None, None, [1, 1, 1])
    yield (*arrays(), integers(7, 3), None, None, None, True, None, None, *REGIONS, None, False,
           None, None, None, [1, 1, 1], draw(2, 4, 5, 8), draw(2, 1, 7, 8))
    scale = draw(2, 2).abs()
    halves = [torch.randint(0, 256, (2, 2, 7, width), generator=GENERATOR,
                            dtype=torch.uint8).to(DEVICE) for width in (8, 4)]
    yield (draw(2, 4, 5, 16), *halves, integers(7, 3), None, None, None, True, None, None,
           *REGIONS, None, False, None, scale, scale, [1, 1, 1], None, None, None, None, "i4")


def merge():
    yield ([draw(1, 2, 5, 16, grad=True) for _ in range(3)],
           [draw(1, 2, 5, grad=True) for _ in range(3)], draw(2, grad=True))


def append_of(query=(), scales=(None, None), dtype=torch.float32, rotary=(None, None)):
    return (draw(2, 2, 3, 16), draw(2, 2, 3, 8), *query, draw(2, 2, 7, 16).to(dtype),
            draw(2, 2, 7, 8).to(dtype), integers(2, 6), None, None, *rotary, False, False,
            *scales)


def append():
    yield append_of()


def append_query():
    angles = draw(9, 4)
    yield append_of((draw(2, 4, 3, 16),), rotary=(angles.cos(), angles.sin()))


def append_scales():
    angles = draw(9, 4)
    for query, rotary in ((None, (None, None)),
                          (draw(2, 4, 3, 16), (angles.cos(), angles.sin()))):
        scales = [torch.ones(2, 2, 7, device=DEVICE) for _ in "kv"]
        yield append_of((query,), scales, torch.int8, rotary)


CASES = {"attention": attention, "attention_lse": attention,
         "attention_backward": attention_backward, "varlen": varlen,
         "varlen_backward": varlen_backward, "decode": decode, "merge": merge,
         "append": append, "append_query": append_query, "append_scales": append_scales,
         "summarize": lambda: [(draw(3, 200, 200) > 0,)],
         "max_scores": lambda: [(*arrays()[:2], 0.25, *REGIONS)]}


CHECKS = ("test_schema", "test_autograd_registration", "test_faketensor",
          "test_aot_dispatch_dynamic")


class Operators(unittest.TestCase):
    def test_every(self):
        names = {name.partition("::")[2].partition(".")[0]
                 for name in torch._C._dispatch_get_all_op_names()
                 if name.startswith("attn_mlir::")}
        self.assertEqual(names, set(CASES))
        for name, cases in CASES.items():
            for number, arguments in enumerate(cases()):
                with self.subTest(f"{name} {number}"):
                    # PyTorch's check of schemas cannot compare arrays of float8.
                    is_narrow = any([getattr(its, "dtype", None) == torch.float8_e4m3fn
                                     for its in arguments])
                    torch.library.opcheck(getattr(OPS, name).default, arguments,
                                          test_utils=CHECKS[is_narrow:])


if __name__ == "__main__":
    unittest.main()
