"""The model of model.py in plain torch, one request at a time and without a cache: it computes the
keys and values of all heads, as the definition does."""

import math
from typing import Optional, Tuple

import torch
from llama_serving.model import Weights

from .model import Config

Stored = Optional[Tuple[torch.Tensor, torch.Tensor]]


def forward(config: Config, weights: Weights, tokens: torch.Tensor,
            stored: Stored = None) -> torch.Tensor:
    """Returns the logits of all tokens of one sequence, in the weights' dtype. If `stored` is
    given, its latents and rotary keys of all layers, (layers, length, columns), replace those that
    the model computes."""
    c, length, dtype = config, len(tokens), weights["head"].dtype
    wide = torch.float64 if dtype == torch.float64 else torch.float32
    place = torch.arange(length, device=tokens.device)
    future = place[None, :] > place[:, None]
    half = c.rotary // 2
    rates = torch.tensor([c.theta ** (-i / half) for i in range(half)],
                         device=tokens.device, dtype=wide)
    # The rotary embedding treats a column and the one half of the rotary columns later as a complex
    # number, which is multiplied by one that depends on the position.
    turns = torch.polar(torch.ones_like(rates).expand(length, half),
                        place[:, None].to(wide) * rates)

    def normed(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        square = x.to(wide).pow(2).mean(1, keepdim=True)
        return (x.to(wide) / (square + 1e-5).sqrt() * weight.to(wide)).to(dtype)

    def turned(x: torch.Tensor) -> torch.Tensor:
        pairs = torch.complex(*x.to(wide).split(half, 1)) * turns
        return torch.cat([pairs.real, pairs.imag], 1).to(dtype)

    x = weights["embedding"].index_select(0, tokens)
    for n in range(c.layers):
        layer = {name.partition(".")[2]: its for name, its in weights.items()
                 if name.startswith(f"{n}.")}
        y = normed(x, layer["before"])
        q = (normed(y @ layer["q_a"], layer["q_norm"]) @ layer["q_b"]).view(
            length, c.heads, c.plain + c.rotary)
        both = y @ layer["kv_a"]
        latents = normed(both[:, :c.latent], layer["kv_norm"])
        key = turned(both[:, c.latent:])
        if stored is not None:
            latents, key = (its[n].to(dtype) for its in stored)
        expanded = (latents @ layer["kv_b"]).view(length, c.heads, c.plain + c.value)
        heads = []
        for h in range(c.heads):
            query = torch.cat([q[:, h, :c.plain], turned(q[:, h, c.plain:])], 1)
            own = torch.cat([expanded[:, h, :c.plain], key], 1)
            scores = (query @ own.T).to(wide) / math.sqrt(c.plain + c.rotary)
            p = scores.masked_fill(future, -math.inf).softmax(1).to(dtype)
            heads.append(p @ expanded[:, h, c.plain:])
        x = x + torch.cat(heads, 1) @ layer["o"]
        y = normed(x, layer["behind"])
        gate = y @ layer["gate"]
        x = x + (gate * torch.sigmoid(gate) * (y @ layer["up"])) @ layer["down"]
    return normed(x, weights["norm"]) @ weights["head"]
