"""Variants of attention as FlexAttention's score and mask functions.

Each is written from the formula of its paper for torch.nn.attention.flex_attention, and runs
on this project's kernels by another import:

    python3 flex_variants.py                  # attn_mlir.flex beside torch's, in f32
    python3 flex_variants.py --only natten --device cuda

Needs PyTorch. Its own kernels are compared with torch's in fp64.
"""

import argparse
import importlib
import math
import sys
from typing import Any, Callable, Dict, NamedTuple, Optional

try:
    import torch
except ImportError as error:
    print(f"skipped: {error}", file=sys.stderr)
    sys.exit(77)

MODULE = "attn_mlir.flex"  # or torch.nn.attention.flex_attention

# ---------------------------------------------------------------------------
# Masks of positions
# ---------------------------------------------------------------------------


def causal(b, h, q, kv):
    return kv <= q


def sliding_window(width: int):
    """Mistral 7B (arXiv 2310.06825): a row sees the last `width` keys up to itself."""
    return lambda b, h, q, kv: (kv <= q) & (q - kv < width)


def prefix_lm(prefix: int):
    """T5 (arXiv 1910.10683): all rows see the prefix, and the mask of other keys is causal."""
    return lambda b, h, q, kv: (kv < prefix) | (kv <= q)


def dilated_window(width: int, dilation: int):
    """Longformer (arXiv 2004.05150): a row sees every `dilation`-th key within a window."""
    def mask(b, h, q, kv):
        distance = torch.abs(q - kv)
        return (distance <= width * dilation) & (distance % dilation == 0)
    return mask


def global_and_local(width: int, tokens: int):
    """Longformer: the first tokens see all and are seen by all. Others see a window."""
    def mask(b, h, q, kv):
        return ((q - kv).abs() <= width) | (q < tokens) | (kv < tokens)
    return mask


def sinks_and_window(width: int, sinks: int):
    """StreamingLLM (arXiv 2309.17453): a row sees the first keys and the last ones up to itself."""
    return lambda b, h, q, kv: (kv <= q) & ((kv < sinks) | (q - kv < width))


def block_diffusion(length: int, block: int):
    """BD3-LM (arXiv 2503.09573): a sequence of noised tokens, followed by the same tokens without
    noise. Noised rows see their block and earlier clean blocks; clean rows see clean blocks up to
    their own."""
    def mask(b, h, q, kv):
        is_noised, of_noised = q < length, kv < length
        its, other = (q % length) // block, (kv % length) // block
        same = (its == other) & (is_noised == of_noised)
        earlier = (its > other) & is_noised & ~of_noised
        return same | earlier | ((its >= other) & ~is_noised & ~of_noised)
    return mask


def draft_blocks(prefix: int, block: int):
    """Draft heads in training: all rows see the prefix, and the keys of their block up to
    themselves."""
    def mask(b, h, q, kv):
        place = kv - prefix
        own = (place >= 0) & (place // block == q // block)
        return (kv < prefix) | (own & (place % block <= q % block))
    return mask


# ---------------------------------------------------------------------------
# Masks of images and videos
# ---------------------------------------------------------------------------


def neighbourhood(height: int, width: int, kernel: int, place: Callable[[Any], Any]):
    """NATTEN (arXiv 2204.07143): a pixel sees a square of keys around it. At the image's edges, the
    square is moved into the image. `place` maps an index to (y, x)."""
    reach = kernel // 2

    def mask(b, h, q, kv):
        (y, x), (kv_y, kv_x) = place(q), place(kv)
        y, x = y.clamp(reach, height - 1 - reach), x.clamp(reach, width - 1 - reach)
        return ((y - kv_y).abs() <= reach) & ((x - kv_x).abs() <= reach)
    return mask


def by_rows(width: int):
    return lambda index: (index // width, index % width)


def by_tiles(width: int, tile: int):
    """Returns the map from an index to (y, x) where tiles of tile x tile pixels follow each
    other."""
    def place(index):
        number, within = index // tile ** 2, index % tile ** 2
        across = width // tile
        return (number // across * tile + within // tile,
                number % across * tile + within % tile)
    return place


def by_morton(index):
    """Maps an index to (y, x) along the Morton curve: the index has a bit of y and one of x in
    turn."""
    def even_bits(code):
        code = code & 0x55555555
        for shift, keep in ((1, 0x33333333), (2, 0x0F0F0F0F), (4, 0x00FF00FF)):
            code = (code | (code >> shift)) & keep
        return code
    return even_bits(index >> 1), even_bits(index)


def stand_alone(width: int, kernel: int):
    """Stand-alone self attention (arXiv 1906.05909): a pixel sees a square around it, which the
    image's edges cut off."""
    def mask(b, h, q, kv):
        y, x = q // width - kv // width, q % width - kv % width
        return (y.abs() <= kernel // 2) & (x.abs() <= kernel // 2)
    return mask


def sliding_tiles(size, kernel, tile, text: int):
    """Sliding tile attention (arXiv 2502.04507) of videos (time, height, width): a pixel sees the
    tiles near its own and the text. The text is at the end and sees all. `kernel` is the number of
    tiles in each dimension."""
    counts = [n // t for n, t in zip(size, tile)]
    volume, pixels = math.prod(tile), math.prod(size)

    def place(index):
        number = index // volume
        return (number // (counts[1] * counts[2]), number // counts[2] % counts[1],
                number % counts[2])

    def mask(b, h, q, kv):
        near = kv < pixels
        for its, other, reach, count in zip(place(q), place(kv), kernel, counts):
            centre = its.clamp(reach // 2, count - 1 - reach // 2)
            near = near & ((centre - other).abs() <= reach // 2)
        seen = kv < pixels + text
        return torch.where(q < pixels, near | ((kv >= pixels) & seen), seen)
    return mask


def spatial_heads(prompt: int, frame: int, width: int, unit: int):
    """Sparse VideoGen (arXiv 2502.01776), spatial heads: a row sees the keys of near frames, the
    prompt and the first frame. The prompt sees all."""
    reach = math.floor(width * frame / unit) * unit
    return lambda b, h, q, kv: ((kv < prompt + frame) | (q < prompt)
                                | (torch.abs(q - kv) < reach))


def temporal_heads(prompt: int, frame: int, reach: int):
    """Sparse VideoGen, temporal heads: a row sees the keys at near positions of every frame, and
    the prompt. The prompt sees all."""
    def mask(b, h, q, kv):
        near = torch.abs((q - prompt) % frame - (kv - prompt) % frame) < reach
        return (kv < prompt) | (q < prompt) | near
    return mask


# ---------------------------------------------------------------------------
# Masks that read tensors
# ---------------------------------------------------------------------------


def documents(ids, inner):
    """Packed documents: rows see only their own document, by the mask `inner`, which gets positions
    counted from the document's beginning."""
    begins = torch.searchsorted(ids, torch.arange(int(ids[-1]) + 1, device=ids.device))

    def mask(b, h, q, kv):
        same = ids[q] == ids[kv]
        return same & inner(b, h, q - begins[ids[q]], kv - begins[ids[kv]])
    return mask


def padding(lengths, inner):
    return lambda b, h, q, kv: inner(b, h, q, kv) & (kv < lengths[b])


def shared_prefix(offsets, ids, prefix_of):
    """Continuations of shared prefixes: a row sees its own continuation up to itself, and the
    document that is its prefix, of which there is no copy."""
    def mask(b, h, q, kv):
        its = ids[q]
        prefix = prefix_of[its]
        own = (kv >= offsets[its]) & (kv <= q)
        return own | ((its != prefix) & (kv >= offsets[prefix]) & (kv < offsets[prefix + 1]))
    return mask


def transfusion(modality):
    """Transfusion (arXiv 2408.11039): the mask is causal, and rows of an image see the whole image.
    `modality` is 0 for text and otherwise the image's number."""
    def mask(b, h, q, kv):
        image = modality[b, q]
        return (kv <= q) | ((image > 0) & (image == modality[b, kv]))
    return mask


def flamingo(intervals, image_of):
    """Flamingo (arXiv 2204.14198): keys belong to images, and the rows within an image's interval
    of the text see them."""
    def mask(b, h, q, kv):
        interval = intervals[image_of[kv]]
        return (q >= interval[0]) & (q < interval[1])
    return mask


def draft_tree(prefix: int, ancestors):
    """Trees of drafts (SpecInfer, arXiv 2305.09781): a node sees the prefix, its ancestors and
    itself."""
    def mask(b, h, q, kv):
        node = (kv - prefix).clamp(min=0, max=ancestors.shape[1] - 1)
        return (kv < prefix) | ancestors[q, node]
    return mask


def stacked(rows: int, keys: int, inner):
    """Batch entries that follow each other as one sequence of rows and one of keys: each row sees
    the keys of its own entry, by the mask `inner`, which gets positions within the entry."""
    def mask(b, h, q, kv):
        return (q // rows == kv // keys) & inner(b, h, q % rows, kv % keys)
    return mask


def sparse_tiles(chosen, tile: int):
    """Video sparse attention (arXiv 2505.13389): a row sees the tiles of keys that `chosen` lists
    for the row's tile."""
    return lambda b, h, q, kv: chosen[b, h, q // tile, kv // tile]


# ---------------------------------------------------------------------------
# Scores
# ---------------------------------------------------------------------------


def sandwich(heads: int, length: int, width: int, device: str):
    """Sandwich (arXiv 2212.10356): adds the product of the sinusoidal embeddings of the positions of
    row and key, which depends on their distance only, times a factor of the head."""
    rates = 10000.0 ** (torch.arange(width // 2, device=device) * (-2.0 / width))
    distances = torch.arange(1 - length, length, device=device)
    products = torch.cos(distances[:, None] * rates).sum(1)
    factors = heads / (8.0 * torch.arange(1, heads + 1, device=device))
    return lambda s, b, h, q, kv: s + products[q - kv + length - 1] * factors[h]


def alibi(heads: int):
    """ALiBi (arXiv 2108.12409): adds the distance of key and row, times a slope of the head."""
    return lambda s, b, h, q, kv: s + torch.exp2(-(h + 1) * 8.0 / heads) * (kv - q)


def soft_cap(cap: float):
    """Gemma 2 (arXiv 2408.00118): limits scores to +-`cap` by tanh."""
    return lambda s, b, h, q, kv: cap * torch.tanh(s / cap)


def relative_positions(table, reach: int):
    """Adds a learnt bias for each head and distance (arXiv 1910.10683); distances are clipped at
    `reach`."""
    return lambda s, b, h, q, kv: s + table[h, (kv - q).clamp(-reach, reach) + reach]


def spatial_encoding(bias, distances):
    """Graphormer (arXiv 2106.05234): adds a learnt bias for each head and distance of two nodes of
    a graph."""
    return lambda s, b, h, q, kv: s + bias[h, distances[b, q, kv]]


def activation(function, offset: float):
    """Attention weights are proportional to function(s) + offset instead of e^s."""
    return lambda s, b, h, q, kv: torch.log(function(s) + offset)


def latent_rope(q_rope, k_rope, group: int, scale: float):
    """DeepSeek-V2 (arXiv 2405.04434): adds the scaled product of query and key with rotary
    embedding."""
    return lambda s, b, h, q, kv: s + scale * torch.dot(q_rope[b, h, q],
                                                        k_rope[b, h // group, kv])


def gated(gates, bias):
    """Multiplies scores by a learnt gate of the head, and adds a product of learnt biases of row
    and key."""
    return lambda s, b, h, q, kv: s * gates[h] + bias[h, q] * bias[h, kv]


class Case(NamedTuple):
    """A variant: numbers of rows and keys, mask and score functions, and the captured tensors that
    are learnt."""

    rows: int
    keys: int
    mask: Optional[Callable[..., Any]] = None
    score: Optional[Callable[..., Any]] = None
    learnt: tuple = ()
    # Which blocks of 32 rows and 32 keys a list of blocks names, whose pairs are those of `mask`.
    blocks: Any = None
    needs_head: bool = True


def make_cases(device: str = "cpu", batch: int = 2, heads: int = 4) -> Dict[str, Case]:
    generator = torch.Generator().manual_seed(5)

    def draw(*sizes):
        return torch.randn(*sizes, generator=generator).to(device)

    def integers(low, high, *sizes):
        return torch.randint(low, high, sizes, generator=generator).to(device)

    def learnt(*sizes):
        return draw(*sizes).requires_grad_()

    ids = integers(0, 4, 101).sort().values
    ids = torch.unique(ids, return_inverse=True)[1].int()
    lengths = torch.tensor([19, 30, 7, 41])
    offsets = torch.cumsum(torch.cat([torch.tensor([0]), lengths]), 0).to(device)
    of_offsets = torch.repeat_interleave(torch.arange(4), lengths).to(device)
    prefix_of = torch.tensor([0, 0, 0, 3], device=device)
    modality = (integers(0, 3, batch, 15).repeat_interleave(7, 1)[:, :101]).contiguous()
    intervals = torch.tensor([[0, 31], [10, 53], [53, 53], [53, 61]], device=device)
    image_of = torch.arange(4, device=device).repeat_interleave(11)
    ancestors = torch.eye(13, dtype=torch.bool)
    for node in range(1, 13):
        ancestors[node] |= ancestors[(node - 1) // 2]
    table, bias, gates, places = (learnt(heads, 17), learnt(heads, 9), learnt(heads),
                                  learnt(heads, 67))
    distances = integers(0, 9, batch, 53, 67).int()
    ranks = draw(batch, heads, 4, 5).argsort(-1)
    chosen = ranks < 2
    q_rope, k_rope = draw(batch, heads, 37, 8), draw(batch, 1, 61, 8)
    return {
        "causal": Case(101, 127, causal),
        "sliding window": Case(97, 97, sliding_window(23)),
        "prefix lm": Case(101, 101, prefix_lm(31)),
        "dilated window": Case(89, 131, dilated_window(5, 3)),
        "global and local": Case(101, 101, global_and_local(7, 5)),
        "sinks and window": Case(101, 101, sinks_and_window(13, 4)),
        "block diffusion": Case(96, 96, block_diffusion(48, 6)),
        "draft blocks": Case(36, 65, draft_blocks(29, 6)),
        "natten": Case(99, 99, neighbourhood(9, 11, 5, by_rows(11))),
        "tiled natten": Case(144, 144, neighbourhood(12, 12, 3, by_tiles(12, 4))),
        "morton natten": Case(64, 64, neighbourhood(8, 8, 3, by_morton)),
        "stand-alone": Case(91, 91, stand_alone(13, 7)),
        "sliding tiles": Case(149, 149, sliding_tiles((2, 6, 12), (1, 3, 3), (1, 2, 3), 3)),
        "spatial heads": Case(131, 131, spatial_heads(5, 21, 2, 4)),
        "temporal heads": Case(131, 131, temporal_heads(5, 21, 4)),
        "documents": Case(101, 101, documents(ids, causal)),
        "padding": Case(101, 67, padding(torch.tensor([0, 53], device=device), causal)),
        "shared prefix": Case(97, 97, shared_prefix(offsets, of_offsets, prefix_of)),
        "transfusion": Case(101, 101, transfusion(modality)),
        "flamingo": Case(61, 44, flamingo(intervals, image_of)),
        "draft tree": Case(13, 54, draft_tree(41, ancestors.to(device))),
        "stacked": Case(96, 120, stacked(32, 40, causal)),
        "sparse tiles": Case(128, 160, sparse_tiles(chosen, 32), blocks=chosen),
        "sandwich": Case(101, 101, None, sandwich(heads, 101, 64, device)),
        "alibi": Case(101, 101, causal, alibi(heads)),
        "soft cap": Case(101, 67, causal, soft_cap(2.0)),
        "relative positions": Case(101, 67, None, relative_positions(table, 8), (table,)),
        "graphormer": Case(53, 67, None, spatial_encoding(bias, distances), (bias,)),
        "activation": Case(53, 67, None, activation(torch.nn.functional.gelu, 1.0)),
        "latent rope": Case(37, 61, None, latent_rope(q_rope, k_rope, heads, 0.3)),
        "gated": Case(67, 61, causal, gated(gates, places), (gates, places)),
    }


def run(flex: Any, case: Case, query: Any, key: Any, value: Any, **options: Any) -> Any:
    """Computes one variant by `flex`, a module that has FlexAttention's interface."""
    mask = None
    # Torch's function that is not compiled reads mask functions, but no lists.
    if case.blocks is not None and not getattr(flex, "_FLEX_ATTENTION_DISABLE_COMPILE_DEBUG", False):
        order = case.blocks.int().argsort(-1, descending=True, stable=True)
        mask = flex.BlockMask.from_kv_blocks(
            case.blocks.sum(-1, dtype=torch.int32), order.int(), BLOCK_SIZE=32,
            seq_lengths=(case.rows, case.keys))
    elif case.mask is not None:
        mask = flex.create_block_mask(case.mask, query.shape[0], None, case.rows, case.keys,
                                      device=query.device, BLOCK_SIZE=32)
    return flex.flex_attention(query, key, value, score_mod=case.score, block_mask=mask,
                               enable_gqa=True, **options)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", help="one variant, by its name")
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()
    flex = importlib.import_module(MODULE)
    reference = importlib.import_module("torch.nn.attention.flex_attention")
    # With this flag, PyTorch's flex_attention calls the functions directly instead of tracing them.
    reference._FLEX_ATTENTION_DISABLE_COMPILE_DEBUG = True
    all_equal = True
    for name, case in make_cases(options.device).items():
        if options.only not in (None, name):
            continue
        q, k, v = (torch.randn(2, heads, rows, 32, device=options.device) for heads, rows in
                   ((4, case.rows), (2, case.keys), (2, case.keys)))
        with torch.no_grad():
            found = run(flex, case, q, k, v)
            expected = run(reference, case, q.double(), k.double(), v.double())
        error = (found - expected).abs().max().item()
        all_equal &= error < 1e-4
        print(f"{name}: largest difference {error:.1e}")
    print("all equal" if all_equal else "they differ")
    return int(not all_equal)


if __name__ == "__main__":
    sys.exit(main())
