"""The model of model.py in plain torch, one request at a time and without a cache, and the rules by
which the served tokens are compared with it."""

import math
from typing import Any, Callable, List, NamedTuple, Optional, Tuple

import torch

from .engine import Request
from .model import Config, Weights


Stored = Optional[Tuple[torch.Tensor, torch.Tensor]]


def forward(config: Config, weights: Weights, tokens: torch.Tensor,
            stored: Stored = None) -> torch.Tensor:
    """Returns the logits of all tokens of one sequence, in the weights' dtype. If `stored` is
    given, its keys and values of all layers, (layers, heads, length, D), replace those that the
    model computes."""
    length, dtype = len(tokens), weights["head"].dtype
    wide = torch.float64 if dtype == torch.float64 else torch.float32
    place = torch.arange(length, device=tokens.device)
    future = place[None, :] > place[:, None]
    half = config.head_dim // 2
    rates = torch.tensor([config.theta ** (-i / half) for i in range(half)],
                         device=tokens.device, dtype=wide)
    # The rotary embedding treats a column and the one half a head dim later as a complex number,
    # which is multiplied by one that depends on the position.
    turns = torch.polar(torch.ones_like(rates).expand(length, half),
                        place[:, None].to(wide) * rates)

    def normed(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        square = x.to(wide).pow(2).mean(1, keepdim=True)
        return (x.to(wide) / (square + 1e-5).sqrt() * weight.to(wide)).to(dtype)

    def rotated(x: torch.Tensor) -> torch.Tensor:
        pairs = torch.complex(*x.to(wide).split(half, 2)) * turns[:, None]
        return torch.cat([pairs.real, pairs.imag], 2).to(dtype)

    x = weights["embedding"].index_select(0, tokens)
    for n in range(config.layers):
        layer = {name.partition(".")[2]: its for name, its in weights.items()
                 if name.startswith(f"{n}.")}
        y = normed(x, layer["before"])
        q, k, v = (torch.matmul(y, layer[name]).view(length, -1, config.head_dim)
                   for name in "qkv")
        q, k = rotated(q), rotated(k)
        if stored is not None:
            k, v = (its[n].transpose(0, 1).to(dtype) for its in stored)
        heads = []
        for h in range(config.heads):
            own = h * config.kv_heads // config.heads
            scores = (q[:, h] @ k[:, own].T).to(wide) / math.sqrt(config.head_dim)
            p = scores.masked_fill(future, -math.inf).softmax(1).to(dtype)
            heads.append(p @ v[:, own])
        x = x + torch.cat(heads, 1) @ layer["o"]
        y = normed(x, layer["behind"])
        gate = y @ layer["gate"]
        x = x + (gate * torch.sigmoid(gate) * (y @ layer["up"])) @ layer["down"]
    return normed(x, weights["norm"]) @ weights["head"]


class Comparison(NamedTuple):
    """The result of comparing all generated tokens with eager evaluation. `error` and `eager_error`
    are the largest differences of logits from fp64, of the served ones and of eager's."""

    tokens: int
    # `different` counts generated tokens that differ from the one with eager's largest logit.
    # `excused` counts those of them for which eager's two largest logits differ by at most `limit`;
    # none is excused in f32.
    different: int
    excused: int
    error: float
    eager_error: float
    limit: float

    @property
    def is_good(self) -> bool:
        return self.error <= self.limit and self.different == self.excused


@torch.no_grad()
def compare(config: Any, weights: Weights, requests: List[Request],
            forward: Callable[..., torch.Tensor] = forward) -> Comparison:
    """Compares the served tokens with eager evaluation, which gets the prompt and the
    served tokens as its input. If each served token is the one with eager's largest
    logit, greedy decoding by eager evaluation gives the same tokens. With a cache of 8
    bits, both read the stored numbers. In f32 no token may differ. In other types, the
    error of logits against fp64 may be twice that of eager evaluation plus one unit in
    the last place, and a token may differ if eager's two largest logits differ by no more
    than that."""
    dtype = weights["head"].dtype
    exact_weights = {name: its.double() for name, its in weights.items()}
    error = eager_error = largest = 0.0
    gaps, count = [], 0
    for request in requests:
        tokens = torch.tensor(request.prompt + request.tokens[:-1],
                              device=weights["head"].device)
        first = len(request.prompt) - 1
        stored = () if request.stored is None else (request.stored,)
        eager = forward(config, weights, tokens, *stored)[first:]
        exact = forward(config, exact_weights, tokens, *stored)[first:]
        own = torch.stack(request.logits).double()
        # A NaN among the logits counts as an infinite error.
        error = max(error, (own - exact).abs().nan_to_num(math.inf).max().item())
        eager_error = max(eager_error, (eager.double() - exact).abs().max().item())
        largest = max(largest, exact.abs().max().item())
        best = eager.double().topk(2, 1).values
        found = torch.tensor(request.tokens, device=tokens.device)
        differs = found != eager.argmax(1)
        gaps += (best[:, 0] - best[:, 1])[differs].tolist()
        count += len(found)
    unit = torch.finfo(dtype).eps * 2.0 ** math.floor(math.log2(largest))
    limit = 2 * eager_error + unit + 1e-5
    excused = 0 if dtype == torch.float32 else sum(gap <= limit for gap in gaps)
    return Comparison(count, len(gaps), excused, error, eager_error, limit)
