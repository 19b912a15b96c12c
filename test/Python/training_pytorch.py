# A two-layer GPT in PyTorch learns the characters of the README, in f32, by this project's
# attention and by eager attention from the same seed: 300 steps on the GPU if there is one, else
# 30 on the CPU, or STEPS of the environment. Losses and gradients must agree, and wrong gradients
# must be found.
#
# REQUIRES: capi, pytorch, build-tree
# RUN: %pytorch-python -W ignore %s %docs/README.md

import os
import random
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import attn_mlir.torch
import torch
import training
from tensors import DEVICE, causal, reference
from training import HEADS, LAYERS, ROWS, WIDTH

TEXT, LETTERS = training.read(sys.argv.pop(1))
COUNT = int(os.environ.get("STEPS", 300 if DEVICE == "cuda" else 30))


def eager(q, k, v):
    s = (q @ k.mT) * q.shape[3] ** -0.5
    mask = torch.ones(ROWS, ROWS, dtype=torch.bool, device=q.device).tril()
    return s.masked_fill(~mask, float("-inf")).softmax(-1) @ v


def ours(q, k, v):
    return attn_mlir.torch.attention(q, k, v, causal=True)


def lose(number):
    """Returns `ours` without the gradient of one of query, key and value, which becomes 0."""
    def attend(*heads):
        heads[number].register_hook(torch.zeros_like)
        return ours(*heads)

    return attend


class Block(torch.nn.Module):
    def __init__(self, attend):
        super().__init__()
        self.attend = attend
        self.before, self.after = (torch.nn.LayerNorm(WIDTH) for _ in range(2))
        self.query, self.key, self.value, self.join = (
            torch.nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.wide, self.narrow = (torch.nn.Linear(WIDTH, 4 * WIDTH),
                                  torch.nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x):
        y = self.before(x)
        heads = [project(y).unflatten(-1, (HEADS, -1)).transpose(1, 2)
                 for project in (self.query, self.key, self.value)]
        x = x + self.join(self.attend(*heads).transpose(1, 2).flatten(2))
        return x + self.narrow(torch.nn.functional.gelu(self.wide(self.after(x))))


class GPT(torch.nn.Module):
    def __init__(self, attend):
        super().__init__()
        self.letters = torch.nn.Embedding(LETTERS, WIDTH)
        self.places = torch.nn.Embedding(ROWS, WIDTH)
        self.blocks = torch.nn.Sequential(*[Block(attend) for _ in range(LAYERS)])
        self.last, self.out = torch.nn.LayerNorm(WIDTH), torch.nn.Linear(WIDTH, LETTERS)

    def forward(self, batch):
        x = self.letters(batch[:, :-1]) + self.places.weight
        logits = self.out(self.last(self.blocks(x)))
        return torch.nn.functional.cross_entropy(logits.flatten(0, 1), batch[:, 1:].flatten())


def train(attend, count=COUNT, compiled=False):
    """Returns the losses and, for some steps, the gradients."""
    torch.manual_seed(0)
    model = GPT(attend).to(DEVICE)
    step_of = model
    if compiled:
        step_of = torch.compile(model, fullgraph=True, backend="aot_eager")
    optimizer = torch.optim.Adam(model.parameters(), 3e-3)
    losses, gradients = [], {}
    for step, batch in enumerate(training.batches(TEXT, random.Random(0), count), 1):
        optimizer.zero_grad()
        loss = step_of(torch.tensor(batch, device=DEVICE))
        loss.backward()
        losses.append(loss.item())
        if step in training.STEPS:
            gradients[step] = {name: parameter.grad.detach().cpu().clone()
                               for name, parameter in model.named_parameters()
                               # The bias of keys adds the same number to all scores of a row, which
                               # the softmax ignores. Its gradient is only rounding errors.
                               if not name.endswith("key.bias")}
        optimizer.step()
    return losses, gradients


class Training(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        torch.use_deterministic_algorithms(True, warn_only=True)
        cls.expected = train(eager)

    def test_training(self):
        training.check(train(ours), self.expected)

    def test_compiled(self):
        training.check(train(ours, compiled=True), self.expected)

    def test_lost_gradients(self):
        """The comparison of runs finds a gradient that is lost, already at the first step."""
        expected = self.expected[0][:30], self.expected[1]
        for number in range(3):
            found = train(lose(number), 30)
            with self.assertRaises(AssertionError):
                training.check(found, expected)
            _, of_gradients = training.differences(found, expected)
            self.assertGreater(max(error for (step, _), error in of_gradients.items()
                                   if step == 1), 0.01)

    def test_reference(self):
        torch.manual_seed(1)
        q, k, v = (torch.randn(2, 4, ROWS, 8, device=DEVICE) for _ in range(3))
        torch.testing.assert_close(eager(q, k, v).double(),
                                   reference(q, k, v, score=causal)[0], atol=1e-5, rtol=1e-5)


if __name__ == "__main__":
    unittest.main()
