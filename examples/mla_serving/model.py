"""A model with multi-head latent attention, whose latents lie in pages.

The keys and values of all heads of a token are products of weights with one latent vector;
besides these, all heads share one key with rotary embedding. The cache has the latent vector and
that key. Steps of decoding and further chunks of prompts use the absorbed form: the query is
multiplied by the keys' weights, and the output by the values' weights. First chunks of prompts
compute keys and values of all heads. Source: DeepSeek-V2 (arXiv 2405.04434).
"""

from typing import Any, Dict, NamedTuple, Optional, Tuple

import attn_mlir
import torch
from attn_mlir.torch import append, mla_decode, varlen
from llama_serving.model import Attend, Packed, Weights
from torch.nn.functional import rms_norm, silu

EPSILON = 1e-5


class Config(NamedTuple):
    layers: int
    width: int
    heads: int
    # The numbers of columns of the query's latents, of the cache's latents, of the parts of a head
    # with and without rotary embedding, and of values.
    q_latent: int
    latent: int
    rotary: int
    plain: int
    value: int
    hidden: int
    vocab: int
    theta: float = 1e4

    @property
    def scale(self) -> float:
        return (self.plain + self.rotary) ** -0.5


def make_weights(config: Config, seed: int, device: str, dtype: torch.dtype) -> Weights:
    """Returns random weights. Matrices are (inputs, outputs), with normally distributed elements
    whose variance keeps the variance of the residual stream. The matrices of queries have larger
    elements, so that scores of different keys differ."""
    generator = torch.Generator(device).manual_seed(seed)

    def normal(*sizes: int, gain: float = 1.0) -> torch.Tensor:
        made = torch.randn(sizes, generator=generator, device=device)
        return (made * gain * sizes[0] ** -0.5).to(dtype)

    def norm(size: int) -> torch.Tensor:
        return 1 + 0.1 * normal(size, gain=size ** 0.5)

    c = config
    weights = {"embedding": normal(c.vocab, c.width, gain=c.vocab ** 0.5),
               "head": normal(c.width, c.vocab, gain=2),
               "norm": torch.ones(c.width, device=device, dtype=dtype)}
    for n in range(c.layers):
        weights.update({
            f"{n}.before": norm(c.width), f"{n}.q_a": normal(c.width, c.q_latent),
            f"{n}.q_norm": norm(c.q_latent),
            f"{n}.q_b": normal(c.q_latent, c.heads * (c.plain + c.rotary), gain=2),
            f"{n}.kv_a": normal(c.width, c.latent + c.rotary),
            f"{n}.kv_norm": norm(c.latent),
            f"{n}.kv_b": normal(c.latent, c.heads * (c.plain + c.value)),
            f"{n}.o": normal(c.heads * c.value, c.width), f"{n}.behind": norm(c.width),
            f"{n}.gate": normal(c.width, c.hidden), f"{n}.up": normal(c.width, c.hidden),
            f"{n}.down": normal(c.hidden, c.width)})
    return weights


class Cache:
    """A cache: pages of latents and rotary keys of all layers, (layers, pages, 1, page, columns),
    with page table and lengths as in ../llama_serving. Elements that were never written are NaN."""

    def __init__(self, config: Config, slots: int, pages: int, page: int, columns: int,
                 device: str, dtype: torch.dtype) -> None:
        self.pages, self.page, self.latent = pages, page, config.latent
        self.pool = torch.zeros(
            (config.layers, pages, 1, page, config.latent + config.rotary),
            device=device).to(dtype)
        self.scales: Dict[str, torch.Tensor] = {}
        if dtype.itemsize == 1:
            # With random weights, latents and rotary keys are normally distributed, and none is
            # above 14, so this scale brings them into the range of 8-bit numbers.
            scale = torch.full((), 2.0**-5, device=device)
            self.scales = {"k_scale": scale, "v_scale": scale}
        self.forget(slice(None))
        self.lengths = torch.zeros(config.layers, slots, device=device, dtype=torch.int32)
        # An entry of -1 in the page table stands for no page: tokens that would belong to it are
        # not written.
        self.table = torch.full((slots, columns), -1, device=device, dtype=torch.int32)

    @property
    def scale(self) -> Optional[torch.Tensor]:
        return self.scales.get("k_scale")

    def forget(self, pages: Any) -> None:
        """Fills pages that belong to no request any more with NaN, so that a result would show that
        they were read."""
        if self.scales:
            self.pool.view(torch.uint8)[:, pages] = 0x7f  # NaN in float8_e4m3fn
        else:
            self.pool[:, pages] = torch.nan

    def read(self, slot: int, length: int) -> Tuple[torch.Tensor, torch.Tensor]:
        """Returns the stored latents and rotary keys of a slot, times their scale, as (layers,
        length, columns) in float64."""
        pages = self.table[slot, :-(-length // self.page)].long()
        bits = self.pool.view(torch.uint8) if self.scales else self.pool
        its = bits[:, pages].view(self.pool.dtype).double().flatten(1, 3)[:, :length]
        if self.scale is not None:
            its = its * self.scale.double()
        return its[..., :self.latent], its[..., self.latent:]


class Model:
    def __init__(self, config: Config, weights: Weights, positions: int) -> None:
        self.config, self.weights = config, weights
        device = weights["head"].device
        # Tables of the rotary embedding (RoFormer, arXiv 2104.09864), which turns pairs of columns
        # that are half of the rotary columns apart, as in Llama.
        exponents = torch.arange(0, config.rotary, 2, device=device) / config.rotary
        angles = torch.outer(torch.arange(positions, device=device).float(),
                             config.theta ** -exponents)
        self.cos, self.sin = angles.cos(), angles.sin()

    def _run(self, tokens: torch.Tensor, attend: Attend, last: Any) -> torch.Tensor:
        """Returns the logits of the tokens at the indices `last`. `attend` computes a layer's
        attention from the query of all heads, the latents, and keys before their rotary
        embedding."""
        c, w = self.config, self.weights
        x = w["embedding"][tokens]
        for n in range(c.layers):
            y = rms_norm(x, (c.width,), w[f"{n}.before"], EPSILON)
            q = rms_norm(y @ w[f"{n}.q_a"], (c.q_latent,), w[f"{n}.q_norm"], EPSILON)
            q = (q @ w[f"{n}.q_b"]).unflatten(-1, (c.heads, -1))
            latents, keys = (y @ w[f"{n}.kv_a"]).split([c.latent, c.rotary], -1)
            latents = rms_norm(latents, (c.latent,), w[f"{n}.kv_norm"], EPSILON)
            x = x + attend(n, q, latents, keys).flatten(-2) @ w[f"{n}.o"]
            y = rms_norm(x, (c.width,), w[f"{n}.behind"], EPSILON)
            x = x + (silu(y @ w[f"{n}.gate"]) * (y @ w[f"{n}.up"])) @ w[f"{n}.down"]
        return rms_norm(x[last], (c.width,), w["norm"], EPSILON) @ w["head"]

    def run_cached(self, tokens: torch.Tensor, cache: Cache, slots: slice,
                   counts: Optional[torch.Tensor] = None) -> torch.Tensor:
        """Returns the logits of the last of `tokens`, (slots, T), for each slot. These tokens, a
        step of decoding or a chunk of a prompt, follow those that the cache already has for the
        slots. For slots whose count is 0, nothing is written, and the logits are meaningless."""
        c, table = self.config, cache.table[slots]

        def attend(n: int, q: torch.Tensor, latents: torch.Tensor,
                   keys: torch.Tensor) -> torch.Tensor:
            lengths = cache.lengths[n, slots]
            of_keys, of_values = self.weights[f"{n}.kv_b"].unflatten(1, (c.heads, -1)).split(
                [c.plain, c.value], 2)
            plain, rotary = q.transpose(1, 2).split([c.plain, c.rotary], 3)
            rotary = append(
                torch.cat([latents, keys], 2)[:, None], None, cache.pool[n], None, lengths,
                value_dims=(0, c.latent), page_table=table, counts=counts,
                q=rotary.contiguous(), cos=self.cos, sin=self.sin, **cache.scales)
            absorbed = torch.einsum("bhtd,lhd->bhtl", plain, of_keys)
            o = mla_decode((absorbed, rotary), cache.pool[n], scale=c.scale,
                           latent_dim=c.latent, lengths=lengths, page_table=table,
                           cache_scale=cache.scale)
            return torch.einsum("bhtl,lhd->bthd", o, of_values)

        return self._run(tokens, attend, (slice(None), -1))

    def run_packed(self, tokens: torch.Tensor, cache: Cache,
                   packed: Packed) -> torch.Tensor:
        """Returns the logits of the last token of each packed sequence. The cache has no tokens of
        these sequences yet."""
        c = self.config
        cos, sin = (table[packed.positions] for table in (self.cos, self.sin))

        def turn(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
            first, second = x.float().chunk(2, -1)
            return torch.cat([first * cos - second * sin, second * cos + first * sin],
                             -1).to(x.dtype)

        def attend(n: int, q: torch.Tensor, latents: torch.Tensor,
                   keys: torch.Tensor) -> torch.Tensor:
            plain, rotary = q.split([c.plain, c.rotary], 2)
            q = torch.cat([plain, turn(rotary, cos[:, None], sin[:, None])], 2)
            row = torch.cat([latents, turn(keys, cos, sin)], 1)[:, None]
            append(row[packed.padded].transpose(1, 2), None, cache.pool[n], None,
                   cache.lengths[n], value_dims=(0, c.latent), page_table=cache.table,
                   counts=packed.counts, **cache.scales)
            if cache.scale is not None:
                # With an 8-bit cache, the chunk's own tokens also attend to the rounded latents and
                # keys that later tokens will read.
                stored, _ = attn_mlir.quantize(row, cache.pool.dtype, scale=cache.scale)
                row = (stored.float() * cache.scale).to(row.dtype)
            latents, keys = row.split([c.latent, c.rotary], 2)
            k, v = (latents @ self.weights[f"{n}.kv_b"]).unflatten(2, (c.heads, -1))[
                :, 0].split([c.plain, c.value], 2)
            k = torch.cat([k, keys.expand(-1, c.heads, -1)], 2)
            return varlen(q, k, v, packed.cu, causal=True, scale=c.scale)

        return self._run(tokens, attend, packed.cu[1:].long() - 1)
