# Values that a mask function reads from tensors and from a model while it is traced may change
# between calls, in eager calls and within torch.compile.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python %s

import types
import unittest

import attn_mlir
import attn_mlir.torch
import numpy as np
import torch
from attn_mlir._watched import watch

torch.manual_seed(0)
Q, K, V = torch.randn(3, 1, 2, 20, 8)
TENSOR = torch.tensor([2, 9])
SCALAR = torch.tensor(2)
ONE = torch.tensor([2])
ARRAY = np.array([2, 9])
TABLE = torch.tensor([[2, 3], [9, 9]])
PARAMETER = torch.nn.Parameter(torch.tensor([2.0]), requires_grad=False)
WINDOW = 2
LIST = [2]
DICT = {"window": 2}
SPACE = types.SimpleNamespace(window=2)
SIZED = torch.zeros(2, dtype=torch.int32)


class Config:
    window = 2


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.window = 2
        self.register_buffer("size", torch.tensor([2]))

    def mask(self, b, h, i, j):
        return abs(i - j) < self.window

    def forward(self, q, k, v):
        return attn_mlir.torch.attention(q, k, v, mask_mod=self.mask)


MODEL = Model()


def reads(find):
    return lambda b, h, i, j: abs(i - j) < find()


def assign(owner, name="window"):
    return lambda value: setattr(owner, name, value)


def store(container, index):
    return lambda value: container.__setitem__(index, value)


def set_data(value):
    ONE.data = torch.tensor([value])


# For each case: a mask function with a window of 2, and a function that changes that window.
CASES = {
    "element": (lambda b, h, i, j: abs(i - j) < TENSOR[0], store(TENSOR, 0)),
    "element of a row": (lambda b, h, i, j: abs(i - j) < TABLE[0][0], store(TABLE, (0, 0))),
    "tensor of one": (lambda b, h, i, j: abs(i - j) < ONE, store(ONE, 0)),
    "left tensor": (lambda b, h, i, j: SCALAR > abs(i - j), store(SCALAR, ())),
    "data": (lambda b, h, i, j: abs(i - j) < ONE, set_data),
    "parameter": (lambda b, h, i, j: abs(i - j) < PARAMETER, store(PARAMETER, 0)),
    "item": (reads(lambda: SCALAR.item()), store(SCALAR, ())),
    "int": (reads(lambda: int(TENSOR[0])), store(TENSOR, 0)),
    "int of a tensor": (reads(lambda: int(SCALAR)), store(SCALAR, ())),
    "float": (reads(lambda: float(SCALAR)), store(SCALAR, ())),
    "bool": (reads(lambda: 2 if SCALAR == 2 else 9), store(SCALAR, ())),
    "truth": (reads(lambda: 9 if SCALAR - 2 else 2), store(SCALAR, ())),
    "tolist": (reads(lambda: TENSOR.tolist()[0]), store(TENSOR, 0)),
    "numpy": (reads(lambda: TENSOR.numpy()[0]), store(TENSOR, 0)),
    "asarray": (reads(lambda: np.asarray(TENSOR)[0]), store(TENSOR, 0)),
    "sum": (reads(lambda: int(ONE.sum())), store(ONE, 0)),
    "max": (reads(lambda: int(torch.max(ONE))), store(ONE, 0)),
    "computed": (lambda b, h, i, j: abs(i - j) < ONE * 1, store(ONE, 0)),
    "iteration": (reads(lambda: [int(size) for size in ONE][0]), store(ONE, 0)),
    "range": (reads(lambda: len(range(SCALAR))), store(SCALAR, ())),
    "NumPy's element": (lambda b, h, i, j: abs(i - j) < ARRAY[0], store(ARRAY, 0)),
    "attribute of a class": (lambda b, h, i, j: abs(i - j) < Config.window, assign(Config)),
    "attribute of a tensor": (lambda b, h, i, j: abs(i - j) < SIZED.window, assign(SIZED)),
    "model": (lambda b, h, i, j: abs(i - j) < MODEL.window, assign(MODEL)),
    "method": (MODEL.mask, assign(MODEL)),
    "buffer": (lambda b, h, i, j: abs(i - j) < MODEL.size, store(MODEL.size, 0)),
    "namespace": (lambda b, h, i, j: abs(i - j) < SPACE.window, assign(SPACE)),
    "global": (lambda b, h, i, j: abs(i - j) < WINDOW, store(globals(), "WINDOW")),
    "list": (lambda b, h, i, j: abs(i - j) < LIST[0], store(LIST, 0)),
    "dictionary": (lambda b, h, i, j: abs(i - j) < DICT["window"], store(DICT, "window")),
}
SIZED.window = 2


def guards_classes():
    """Whether torch.compile sees that an attribute of a class changes. Those of torch 2.10 and 2.11
    do not."""
    class Factor:
        value = 2

    function = torch.compile(lambda x: x * Factor.value, backend="eager", fullgraph=True)
    function(ONE)
    Factor.value = 3
    return torch.equal(function(ONE), ONE * 3)


class Stale(unittest.TestCase):
    def check(self, cases, call):
        for name, (function, change) in cases.items():
            with self.subTest(name):
                attention = call()
                for value in (2, 9, 2):
                    change(value)
                    torch.testing.assert_close(
                        attention(function), attn_mlir.attention(
                            Q, K, V, window=(value - 1, value - 1)))

    def test_eager(self):
        cases = {**CASES, "size": (reads(lambda: 2 if len(SIZED) == 2 else 9),
                                   lambda value: SIZED.resize_(value))}
        self.check(cases, lambda: lambda mask: attn_mlir.attention(Q, K, V, mask_mod=mask))

    def test_sizes(self):
        """The number of products of torch.dot is that of the tensor's columns in each call, also
        where its memory and strides do not change."""
        table = torch.randn(20, 8)
        view = table[:, :4]

        def score(s, b, h, i, j):
            return s + torch.dot(view[i], view[j])

        signatures = []
        for columns in (4, 7, 2):
            view.set_(table[:, :columns])
            signatures.append(watch(score)[0])
            self.assertNotIn(signatures[-1], signatures[:-1])
            scores = Q @ K.mT / 8**0.5 + view @ view.mT
            torch.testing.assert_close(attn_mlir.attention(Q, K, V, score_mod=score),
                                       torch.softmax(scores, -1) @ V)

    def test_operator(self):
        self.check(CASES, lambda: lambda mask: attn_mlir.torch.attention(
            Q, K, V, mask_mod=mask))

    def test_compiled(self):
        def make():
            torch._dynamo.reset()
            return torch.compile(
                lambda mask: attn_mlir.torch.attention(Q, K, V, mask_mod=mask),
                backend="eager")

        cases = dict(CASES)
        if not guards_classes():
            del cases["attribute of a class"]
        self.check(cases, make)

    def test_recorded_once(self):
        from attn_mlir import _tracing

        def near(b, h, i, j):
            return torch.where(i >= j, abs(i - j) < TENSOR[h], abs(i - j) < SCALAR)

        self.assertIs(_tracing.as_mask(near).text, _tracing.as_mask(near).text)


if __name__ == "__main__":
    unittest.main()
