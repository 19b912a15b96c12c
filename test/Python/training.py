# A two-layer GPT learns the characters of the README, in f32 on the host, by this project's
# attention and by plain attention from the same seed. Losses and gradients must agree, and wrong
# gradients must be found.
#
# REQUIRES: capi, numpy, build-tree
# RUN: %numpy-python %s %docs/README.md

import os
import random
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import numpy as np
import numpy_gpt
import training

TEXT, LETTERS = training.read(sys.argv.pop(1))


def plain(q, k, v):
    """Computes causal attention in NumPy. Also returns a function that computes the gradients."""
    scale = np.float32(q.shape[3] ** -0.5)
    s = scale * (q @ k.swapaxes(-1, -2))
    s = np.where(np.tri(s.shape[-1], dtype=bool), s, -np.inf)
    p = np.exp(s - s.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)

    def differentiate(d_o):
        d_p = d_o @ v.swapaxes(-1, -2)
        d_s = scale * p * (d_p - (d_p * p).sum(-1, keepdims=True))
        return d_s @ k, d_s.swapaxes(-1, -2) @ q, p.swapaxes(-1, -2) @ d_o

    return p @ v, differentiate


def ours(q, k, v, zeroed=None):
    """Computes the same by this package. The gradient of the array named `zeroed` is replaced by
    0."""
    o, lse = attn_mlir.attention(q, k, v, causal=True, return_lse=True)

    def differentiate(d_o):
        gradients = attn_mlir.attention_backward(q, k, v, o, lse, d_o, causal=True)
        return [gradient * (name != zeroed) for name, gradient in zip("qkv", gradients)]

    return o, differentiate


def train(attend, count):
    """Returns the losses and, for some steps, the gradients."""
    parameters, state = numpy_gpt.make_parameters(LETTERS), {}
    losses, gradients = [], {}
    for step, batch in enumerate(training.batches(TEXT, random.Random(0), count), 1):
        for value in parameters.values():
            value.grad = np.zeros_like(value.data)
        losses.append(numpy_gpt.evaluate(parameters, np.array(batch), attend))
        if step in training.STEPS:
            gradients[step] = {name: value.grad for name, value in parameters.items()
                               # The bias of keys adds the same number to all scores of a row, which
                               # the softmax ignores. Its gradient is only rounding errors.
                               if not name.startswith("key bias")}
        numpy_gpt.adam(parameters, state, step)
    return losses, gradients


class Training(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.expected = train(plain, 30)

    def test_training(self):
        training.check(train(ours, 30), self.expected)

    def test_lost_gradients(self):
        """The comparison of runs finds a gradient that is lost, already at the first step."""
        for zeroed in "qkv":
            found = train(lambda *arrays: ours(*arrays, zeroed), 30)
            with self.assertRaises(AssertionError):
                training.check(found, self.expected)
            _, of_gradients = training.differences(found, self.expected)
            self.assertGreater(max(error for (step, _), error in of_gradients.items()
                                   if step == 1), 0.01)

    def test_reference(self):
        """Plain attention's gradients agree with finite differences."""
        arrays = [np.random.default_rng(n).normal(size=(1, 2, 5, 4)) for n in range(4)]
        d_o = arrays.pop()
        o, differentiate = plain(*arrays)
        for n, gradient in enumerate(differentiate(d_o)):
            step = np.random.default_rng(9).normal(size=arrays[n].shape) * 1e-4
            ends = [plain(*arrays[:n], arrays[n] + sign * step, *arrays[n + 1:])[0]
                    for sign in (1, -1)]
            np.testing.assert_allclose((gradient * step).sum(),
                                       ((ends[0] - ends[1]) / 2 * d_o).sum(), rtol=1e-4)


if __name__ == "__main__":
    unittest.main()
