# Arguments of the functions of torch and NumPy in score and mask functions: by position, by the
# libraries' names, and options, also those by which numbers change in place.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s

import unittest

import attn_mlir
import attn_mlir.torch
import numpy as np
import torch
import torch.nn.functional as F
from attn_mlir import score

torch.manual_seed(0)
S, T, D = 9, 11, 8
Q, K, V = (torch.randn(1, 2, size, D) for size in (S, T, T))
SCORES = Q @ K.mT / D**0.5

# Functions of scores and numbers of rows. torch computes the same for its tensors.
TORCH = {
    "exp": lambda s, i: torch.exp(input=s),
    "add": lambda s, i: torch.add(input=s, other=i, alpha=0.5),
    "sub": lambda s, i: torch.sub(s, i, alpha=2) + s.sub(other=1.5, alpha=3),
    "where": lambda s, i: torch.where(condition=i > 3, input=s, other=2 * s),
    "where, method": lambda s, i: s.where(i > 3, 2 * s) + s.where(condition=i < 2, other=-s),
    "softplus": lambda s, i: F.softplus(s, 3) + F.softplus(input=s, beta=0.5, threshold=1),
    "threshold": lambda s, i: F.softplus(s, threshold=0.25) + F.softplus(s, 2, 0),
    "round": lambda s, i: torch.round(s, decimals=2) + torch.round(input=100 * s, decimals=-1),
    "round, method": lambda s, i: s.round(decimals=1) + s.round(),
    "clamp": lambda s, i: torch.clamp(input=s, max=0.25) + s.clamp(min=-0.5),
    "div": lambda s, i: torch.div(input=s, other=0.3, rounding_mode="floor"),
    "pow": lambda s, i: torch.pow(input=s, exponent=3) + s.pow(exponent=2),
    "maximum": lambda s, i: torch.maximum(input=s, other=i * 0.1),
    "masked_fill": lambda s, i: s.masked_fill(mask=i == 2, value=0.5),
    "gelu": lambda s, i: F.gelu(input=s, approximate="tanh"),
    "elu": lambda s, i: F.elu(input=s, alpha=0.5, inplace=False) + F.elu(s, 2.0, False),
    "leaky_relu": lambda s, i: F.leaky_relu(input=s, negative_slope=0.2),
    "hardtanh": lambda s, i: F.hardtanh(input=s, min_val=-0.5, max_val=0.25),
    "relu": lambda s, i: F.relu(input=s) + F.relu(s, False) + torch.nn.ReLU6()(s),
    "full_like": lambda s, i: s + torch.full_like(input=s, fill_value=3, device=s.device),
    "zeros_like": lambda s, i: torch.zeros_like(s, dtype=torch.int32) + s,
    "logical_not": lambda s, i: s * torch.logical_not(input=i > 2),
}
# Functions that change a number in place. Other numbers stay, also those that are computed alike.
IN_PLACE = {
    "relu": lambda s, i: F.relu(s, inplace=True) + s,
    "relu, by position": lambda s, i: [F.relu(s, True), s * 2][1],
    "module": lambda s, i: [torch.nn.ReLU(inplace=True)(s), s + 1][1],
    "a second name": lambda s, i: (lambda t: [F.leaky_relu(t, 0.1, True), s][1])(s),
    "a number of its own": lambda s, i: (lambda t: [F.elu(t, inplace=True), t + s * 2][1])(s * 2),
    "hardtanh": lambda s, i: (lambda t: [F.hardtanh(t, -0.1, 0.2, True), t + s][1])(s - 0.5),
    "silu": lambda s, i: F.silu(s, inplace=True) * F.relu6(s, inplace=True) + s,
}
NUMPY = {
    "where": lambda s, i: np.where(i > 3, s, 2 * s),
    "clip": lambda s, i: np.clip(a=s, a_min=-0.5, a_max=0.5) + np.clip(s, 0.1, 0.3),
    "round": lambda s, i: np.round(a=s, decimals=1) + np.round(s, 2),
    "exp": lambda s, i: np.exp(s, out=None, where=True),
}
# Calls that are errors, with what the message says. torch itself refuses most unknown arguments
# before a traced number sees them, but methods and NumPy's functions do not.
ERRORS = {
    "score_mod: relu: expected the arguments input, inplace, found 'slope'": (
        lambda s, i: s.relu(slope=2),),
    "exp: expected out=None.*found Tensor": (lambda s, i: torch.exp(s, out=V),),
    "exp: expected where=True.*found Number": (lambda s, i: np.exp(s, where=i > 2),),
    "exp: expected at most 1 arguments.*found 2": (lambda s, i: s.exp(2),),
    "exp: expected the arguments input, found 'base'": (lambda s, i: s.exp(base=2),),
    "exp: expected the arguments input, found 'dtype'": (
        lambda s, i: np.exp(s, dtype=np.float32),),
    "maximum: expected the arguments input, other, found no 'other'": (lambda s, i: s.maximum(),),
    "max: expected the arguments input, other, found 'dim'": (lambda s, i: torch.max(s, dim=0),),
    "clamp: expected one argument 'min', found two": (lambda s, i: s.clamp(0, min=1),),
    "round: expected an integer for decimals, found float": (lambda s, i: s.round(decimals=0.5),),
    "expected rounding_mode None": (lambda s, i: torch.div(s, 2, rounding_mode="up"),),
}


class Arguments(unittest.TestCase):
    def check(self, function, wanted, call=attn_mlir.attention):
        torch.testing.assert_close(
            call(Q, K, V, score_mod=lambda s, b, h, i, j: function(s, i)),
            torch.softmax(wanted, -1) @ V, atol=2e-5, rtol=2e-5)

    def test_torch(self):
        rows = torch.arange(S, dtype=torch.int32)[:, None]
        for name, function in TORCH.items():
            with self.subTest(name):
                self.check(function, function(SCORES, rows))

    def test_in_place(self):
        rows = torch.arange(S, dtype=torch.int32)[:, None]
        for name, function in IN_PLACE.items():
            with self.subTest(name):
                self.check(function, function(SCORES.clone(), rows))

    def test_compiled(self):
        rows = torch.arange(S, dtype=torch.int32)[:, None]
        self.check(IN_PLACE["silu"], IN_PLACE["silu"](SCORES.clone(), rows),
                   torch.compile(attn_mlir.torch.attention, backend="eager", fullgraph=True))
        for name in ("add", "where, method", "softplus", "round", "clamp", "elu"):
            with self.subTest(name):
                self.check(TORCH[name], TORCH[name](SCORES, rows),
                           torch.compile(attn_mlir.torch.attention, backend="eager",
                                         fullgraph=True))

    def test_numpy(self):
        rows = np.arange(S)[:, None]
        for name, function in NUMPY.items():
            with self.subTest(name):
                self.check(function, torch.tensor(function(SCORES.numpy(), rows)))

    def test_dot(self):
        x, y = torch.randn(S, 4), torch.randn(T, 4)
        for function in (
                lambda s, b, h, i, j: s + torch.dot(input=x[i], tensor=y[j]),
                lambda s, b, h, i, j: s + torch.inner(input=x[i], other=y[j]),
                lambda s, b, h, i, j: s + torch.vdot(x[i], other=y[j])):
            torch.testing.assert_close(
                attn_mlir.attention(Q, K, V, score_mod=function),
                torch.softmax(SCORES + x @ y.mT, -1) @ V, atol=2e-5, rtol=2e-5)

    def test_method_of_a_tensor(self):
        """A captured tensor's own method `where` has the condition second."""
        number, flag, i, j = (torch.tensor(0.7), torch.tensor(True), torch.arange(S)[:, None],
                              torch.arange(T))
        torch._dynamo.reset()  # or the limit on recompilations is reached
        for function in (
                lambda s, i, j: s + number.where(i > 2, -0.2 * j),
                lambda s, i, j: s + number.where(condition=i > 2, other=s),
                lambda s, i, j: s + 1.0 * flag.where(i > 2, j > 4),
                lambda s, i, j: s * number.where(flag, 2.0)):
            for call in (attn_mlir.attention, torch.compile(
                    attn_mlir.torch.attention, backend="eager", fullgraph=True)):
                torch.testing.assert_close(
                    call(Q, K, V, score_mod=lambda s, b, h, i, j: function(s, i, j)),
                    torch.softmax(function(SCORES, i, j), -1) @ V, atol=2e-5, rtol=2e-5)

    def test_derivative(self):
        """The derivative of softplus is that of torch on both sides of the threshold."""
        gradients = []
        for call in (lambda q: attn_mlir.attention(
                q, K, V, score_mod=lambda s, b, h, i, j: F.softplus(s, 2, 0.5)),
                     lambda q: torch.softmax(F.softplus(q @ K.mT / D**0.5, 2, 0.5), -1) @ V):
            q = Q.clone().requires_grad_()
            gradients += torch.autograd.grad(call(q).sin().sum(), q)
        torch.testing.assert_close(*gradients, atol=2e-5, rtol=2e-5)

    def test_angle_of_zeros(self):
        """At atan2(0, 0) the derivative is that of atan2(y, 1) or, if x is -0, of atan2(y, -1)."""
        for x in (1.0, -1.0):
            q = torch.zeros(1, 2, S, D, requires_grad=True)
            found, = torch.autograd.grad(attn_mlir.attention(
                q, K, V, score_mod=lambda s, b, h, i, j: torch.atan2(s, x * 0.0 * (i + 1))).sum(),
                                         q)
            own = torch.zeros(1, 2, S, D, requires_grad=True)
            wanted, = torch.autograd.grad((torch.softmax(torch.atan2(
                own @ K.mT / D**0.5, torch.tensor(x)), -1) @ V).sum(), own)
            torch.testing.assert_close(found, wanted, atol=2e-5, rtol=2e-5)

    def test_masks(self):
        def keeps(b, h, i, j):
            return torch.logical_or(input=torch.eq(input=i, other=j), other=i.ge(other=j))

        kept = keeps(0, 0, torch.arange(S)[:, None], torch.arange(T))
        torch.testing.assert_close(
            attn_mlir.attention(Q, K, V, mask_mod=keeps),
            torch.softmax(SCORES.masked_fill(~kept, -torch.inf), -1) @ V, atol=2e-5, rtol=2e-5)

    def test_errors(self):
        for text, functions in ERRORS.items():
            for function in functions:
                with self.subTest(text), self.assertRaisesRegex(attn_mlir.Error, text):
                    score.trace(lambda s, b, h, i, j: function(s, i))


if __name__ == "__main__":
    unittest.main()
