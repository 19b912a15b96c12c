"""A Llama whose keys and values are in pages."""

from typing import Any, Callable, Dict, NamedTuple, Optional, Tuple

import attn_mlir
import torch
from attn_mlir.torch import append, decode, varlen
from torch.nn.functional import rms_norm, silu

EPSILON = 1e-5


class Config(NamedTuple):
    layers: int
    width: int
    heads: int
    kv_heads: int
    head_dim: int
    hidden: int
    vocab: int
    theta: float = 1e4


Weights = Dict[str, torch.Tensor]


def make_weights(config: Config, seed: int, device: str, dtype: torch.dtype) -> Weights:
    """Returns random weights. Matrices are (inputs, outputs), with normally distributed elements
    whose variance keeps the variance of the residual stream. The matrices of queries and keys have
    larger elements, so that scores of different keys differ."""
    generator = torch.Generator(device).manual_seed(seed)

    def normal(*sizes: int, gain: float = 1.0) -> torch.Tensor:
        made = torch.randn(sizes, generator=generator, device=device)
        return (made * gain * sizes[0] ** -0.5).to(dtype)

    c, heads = config, config.heads * config.head_dim
    keys = config.kv_heads * config.head_dim
    weights = {"embedding": normal(c.vocab, c.width, gain=c.vocab ** 0.5),
               "head": normal(c.width, c.vocab, gain=2),
               "norm": torch.ones(c.width, device=device, dtype=dtype)}
    for n in range(c.layers):
        weights.update({
            f"{n}.before": 1 + 0.1 * normal(c.width, gain=c.width ** 0.5),
            f"{n}.q": normal(c.width, heads, gain=1.5),
            f"{n}.k": normal(c.width, keys, gain=1.5),
            f"{n}.v": normal(c.width, keys), f"{n}.o": normal(heads, c.width),
            f"{n}.behind": 1 + 0.1 * normal(c.width, gain=c.width ** 0.5),
            f"{n}.gate": normal(c.width, c.hidden), f"{n}.up": normal(c.width, c.hidden),
            f"{n}.down": normal(c.hidden, c.width)})
    return weights


class Cache:
    """A cache: pages of keys and values of all layers and, for each slot (a request's row in the
    batch), a row of the page table and a length. `append` adds to lengths, so each layer has its
    own lengths. Elements that were never written are NaN.

    With 8 bits, stored numbers are multiplied by scales of float32, one for each head."""

    def __init__(self, config: Config, slots: int, pages: int, page: int, columns: int,
                 device: str, dtype: torch.dtype) -> None:
        sizes = (config.layers, pages, config.kv_heads, page, config.head_dim)
        self.pages, self.page = pages, page
        self.k, self.v = (torch.zeros(sizes, device=device).to(dtype) for _ in range(2))
        self.scales: Dict[str, torch.Tensor] = {}
        if dtype.itemsize == 1:
            # With random weights, keys and values are normally distributed, and none is above 14,
            # so this scale brings them into the range of 8-bit numbers.
            largest = 2.0 ** (-5 if dtype == torch.float8_e4m3fn else -3)
            self.scales = {name: torch.full((1, config.kv_heads), largest, device=device)
                           for name in ("k_scale", "v_scale")}
        self.forget(slice(None))
        self.lengths = torch.zeros(config.layers, slots, device=device, dtype=torch.int32)
        # An entry of -1 in the page table stands for no page: tokens that would belong to it are
        # not written.
        self.table = torch.full((slots, columns), -1, device=device, dtype=torch.int32)

    def forget(self, pages: Any) -> None:
        """Fills pages that belong to no request any more with NaN, so that a result would show that
        they were read."""
        for array in (self.k, self.v):
            if array.dtype.itemsize == 1:
                array.view(torch.uint8)[:, pages] = 0x7f  # NaN in float8_e4m3fn
            else:
                array[:, pages] = torch.nan

    def read(self, slot: int, length: int) -> Tuple[torch.Tensor, torch.Tensor]:
        """Returns the stored keys and values of a slot, times their scales, as (layers, heads,
        length, D) in float64."""
        pages = self.table[slot, :-(-length // self.page)].long()
        found = []
        for array, scale in ((self.k, "k_scale"), (self.v, "v_scale")):
            bits = array.view(torch.uint8) if array.dtype.itemsize == 1 else array
            its = bits[:, pages].view(array.dtype).double().transpose(1, 2).flatten(2, 3)
            if self.scales:
                its = its * self.scales[scale].double()[..., None, None]
            found.append(its[:, :, :length])
        return found[0], found[1]


class Packed(NamedTuple):
    """The first tokens of several prompts, packed in one array. `padded` maps each slot and
    position in its prompt to the token's index in the array. `counts` has the number of tokens of
    each slot."""

    cu: torch.Tensor
    positions: torch.Tensor
    padded: torch.Tensor
    counts: torch.Tensor


Attend = Callable[[int, torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]


class Model:
    def __init__(self, config: Config, weights: Weights, positions: int) -> None:
        self.config, self.weights = config, weights
        device = weights["head"].device
        # Tables of the rotary embedding (RoFormer, arXiv 2104.09864), which turns pairs of columns
        # that are half a head dim apart, as in Llama.
        exponents = torch.arange(0, config.head_dim, 2, device=device) / config.head_dim
        angles = torch.outer(torch.arange(positions, device=device).float(),
                             config.theta ** -exponents)
        self.cos, self.sin = angles.cos(), angles.sin()

    def _run(self, tokens: torch.Tensor, attend: Attend, last: Any) -> torch.Tensor:
        """Returns the logits of the tokens at the indices `last`; `attend` computes a layer's
        attention."""
        c, w = self.config, self.weights
        x = w["embedding"][tokens]
        for n in range(c.layers):
            y = rms_norm(x, (c.width,), w[f"{n}.before"], EPSILON)
            q, k, v = ((y @ w[f"{n}.{name}"]).unflatten(-1, (-1, c.head_dim))
                       for name in "qkv")
            x = x + attend(n, q, k, v).flatten(-2) @ w[f"{n}.o"]
            y = rms_norm(x, (c.width,), w[f"{n}.behind"], EPSILON)
            x = x + (silu(y @ w[f"{n}.gate"]) * (y @ w[f"{n}.up"])) @ w[f"{n}.down"]
        return rms_norm(x[last], (c.width,), w["norm"], EPSILON) @ w["head"]

    def run_cached(self, tokens: torch.Tensor, cache: Cache, slots: slice,
                   counts: Optional[torch.Tensor] = None) -> torch.Tensor:
        """Returns the logits of the last of `tokens`, (slots, T), for each slot. These tokens, a
        step of decoding or a chunk of a prompt, follow those that the cache already has for the
        slots. For slots whose count is 0, nothing is written, and the logits are meaningless."""
        table = cache.table[slots]

        def attend(n: int, q: torch.Tensor, k: torch.Tensor,
                   v: torch.Tensor) -> torch.Tensor:
            lengths = cache.lengths[n, slots]
            q, k, v = (x.transpose(1, 2) for x in (q, k, v))
            q = append(k, v, cache.k[n], cache.v[n], lengths, page_table=table,
                       counts=counts, q=q, cos=self.cos, sin=self.sin, **cache.scales)
            o = decode(q, cache.k[n], cache.v[n], lengths=lengths, page_table=table,
                       causal=True, **cache.scales)
            return o.transpose(1, 2)

        return self._run(tokens, attend, (slice(None), -1))

    def run_packed(self, tokens: torch.Tensor, cache: Cache,
                   packed: Packed) -> torch.Tensor:
        """Returns the logits of the last token of each packed sequence. The cache has no tokens of
        these sequences yet."""
        cos, sin = (table[packed.positions, None] for table in (self.cos, self.sin))

        def turn(x: torch.Tensor) -> torch.Tensor:
            first, second = x.float().chunk(2, -1)
            return torch.cat([first * cos - second * sin, second * cos + first * sin],
                             -1).to(x.dtype)

        def attend(n: int, q: torch.Tensor, k: torch.Tensor,
                   v: torch.Tensor) -> torch.Tensor:
            q, k = turn(q), turn(k)
            append(*(x[packed.padded].transpose(1, 2) for x in (k, v)), cache.k[n],
                   cache.v[n], cache.lengths[n], page_table=cache.table,
                   counts=packed.counts, **cache.scales)
            if not cache.scales:
                return varlen(q, k, v, packed.cu, causal=True)
            # With an 8-bit cache, the chunk's own tokens also attend to the rounded keys and values
            # that later tokens will read.
            own = {name: its[0] for name, its in cache.scales.items()}
            (k, _), (v, _) = (
                attn_mlir.quantize(its, cache.k.dtype, scale=own[name])
                for its, name in ((k, "k_scale"), (v, "v_scale")))
            return varlen(q, k, v, packed.cu, causal=True, **own)

        return self._run(tokens, attend, packed.cu[1:].long() - 1)
