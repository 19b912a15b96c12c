"""Random attention over several ranks: problems, the results in fp64 on one rank, and the
accuracy rule.

Each rank draws the same problem from its number, with whole sequences. Gaps between rows, and
rows after a batch entry's length, must not be read, and are NaN.
"""

import contextlib
import fcntl
import math
import os
import random

import torch
import torch.distributed as dist
from tensor_gradients import GAP, formulas

DTYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}
# The kinds of random problems. Kernels are compiled once for each kind. A window is (left, right).
KINDS = (
    {"causal": True}, {}, {"causal": True, "lengths": True}, {"lengths": True},
    {"causal": True, "window": (37, None)}, {"window": (9, 14)}, {"window": (None, 5)},
    {"causal": True, "score": "alibi"}, {"score": "bias", "lengths": True},
    {"mask": "documents", "causal": True}, {"mask": "prefix", "score": "cap"},
    {"window": (20, 0), "lengths": True}, {"causal": True, "sink": True},
    {"mask": "stripes", "sink": True, "d_lse": True}, {"causal": True, "d_lse": True},
)


def families(seed, dims):
    draw = random.Random(seed)
    return [{**kind, "dtype": draw.choice(list(DTYPES)), "dim": draw.choice(dims),
             "value_dim": draw.choice((None, None, 32)), "d_lse": kind.get("d_lse", False)}
            for kind in KINDS]


def draw_case(seed, number, ranks, unit=1, dims=(16, 24, 40)):
    """Draws a problem. The length of its sequences is a multiple of 2 * ranks * unit rows."""
    draw = random.Random(f"{seed} {number}")
    family = families(seed, dims)[number % len(KINDS)]
    kv_heads = draw.choice((1, 2, 3, 4))
    heads = kv_heads * draw.choice((1, 1, 2, 3))
    case = dict(family, number=number, batch=draw.choice((1, 1, 2, 3)), heads=heads,
                kv_heads=kv_heads,
                rows=2 * ranks * unit * draw.choice((1, 2, 3, 5, 7, 11, 13)),
                layout=draw.choice((None, "balanced", "contiguous")), method="ring",
                on_host=draw.random() < 0.5, gap=draw.choice((0, 0, 8, 3)),
                order=draw.choice(("bhsd", "bshd")), factor=draw.choice((1, 1, 1, 1e-6)),
                size=draw.choice((1, 1, 1, 30)), deterministic=draw.random() < 0.5)
    fits = heads % ranks == 0 and (kv_heads % ranks == 0 or ranks % kv_heads == 0)
    if fits and draw.random() < 0.6:
        case["method"] = "all_to_all"
    return case


def make(case, device):
    """Returns tensors of the whole sequence: q, k, v, d_o, d_lse, the sink, and the lengths."""
    generator = torch.Generator().manual_seed(case["number"])
    dtype = DTYPES[case["dtype"]]

    def tensor(*sizes):
        return torch.randn(*sizes, generator=generator).to(device, dtype)

    b, h, g, s, d = (case[its] for its in ("batch", "heads", "kv_heads", "rows", "dim"))
    of_value = case["value_dim"] or d
    q, k, v = tensor(b, h, s, d), tensor(b, g, s, d), tensor(b, g, s, of_value)
    q = (q * case["size"]).to(dtype)
    d_o = (tensor(b, h, s, of_value) * case["factor"]).to(dtype)
    d_lse = torch.randn(b, h, s, generator=generator).to(device) * case["factor"]
    sink = torch.randn(h, generator=generator).to(device)
    sink[0] = -math.inf if h > 1 else sink[0]
    lengths = torch.randint(0, s + 1, (b,), generator=generator, dtype=torch.int32)
    if case["number"] % 3:
        lengths = lengths // 2
    return q, k, v, d_o, d_lse, sink, lengths.to(device)


def functions(case, device):
    """Returns score_mod and mask_mod of the case. They can be traced, and can be called with
    tensors of indices."""
    s, h = case["rows"], case["heads"]
    generator = torch.Generator().manual_seed(case["number"])
    slopes = torch.rand(h, generator=generator).to(device)
    bias = torch.randn(h, s, s, generator=generator).to(device)
    ids = (torch.arange(s) // (s // 3 + 1)).int().to(device)

    def alibi(score, b, h, q, kv):
        return score + slopes[h] * (kv - q)

    def add_bias(score, b, h, q, kv):
        return score + bias[h, q, kv]

    def cap(score, b, h, q, kv):
        return 5 * torch.tanh(score / 5)

    def documents(b, h, q, kv):
        return ids[q] == ids[kv]

    def prefix(b, h, q, kv):
        return (kv < 11) | (kv <= q)

    def stripes(b, h, q, kv):
        return (q + kv + h) % 4 == 1

    found = {its.__name__: its for its in (alibi, cap, documents, prefix, stripes)}
    found["bias"] = add_bias
    return found.get(case.get("score")), found.get(case.get("mask"))


def score_of(case, score_mod, mask_mod, lengths):
    """Returns a score function that applies all masks of the case, too: masked scores are -inf."""
    left, right = case.get("window") or (None, None)

    def score(s, b, h, i, j):
        keep = torch.ones_like(s, dtype=torch.bool)
        if case.get("causal"):
            keep &= j <= i
        if left is not None:
            keep &= j >= i - left
        if right is not None:
            keep &= j <= i + right
        if case.get("lengths"):
            end = lengths.long()[b]
            keep &= (i < end) & (j < end)
        if mask_mod is not None:
            keep &= mask_mod(b, h, i, j)
        s = s if score_mod is None else score_mod(s, b, h, i, j).to(s.dtype)
        return torch.where(keep, s, -math.inf)

    return score


def _indices(sizes, device):
    return [torch.arange(n, device=device).view([-1 if d == dim else 1 for d in range(4)])
            for dim, n in enumerate(sizes)]


def forward(q, k, v, sink, score, compute, narrow=None):
    group = q.shape[1] // k.shape[1]
    k, v = (its.to(compute).repeat_interleave(group, 1) for its in (k, v))
    s = q.to(compute) @ k.mT * q.shape[3] ** -0.5
    s = score(s, *_indices(s.shape, q.device))
    largest = s.amax(-1, keepdim=True)
    of_sink = None if sink is None else sink.to(compute)[:, None, None]
    if sink is not None:
        largest = torch.maximum(largest, of_sink)
    base = torch.where(largest.isfinite(), largest, 0)
    p = torch.exp(s - base)
    total = p.sum(-1, keepdim=True)
    if sink is not None:
        total = total + torch.exp(of_sink - base)
    rounded = p if narrow is None else p.to(narrow).to(compute)
    o = torch.where(total > 0, rounded @ v / total, 0)
    return o if narrow is None else o.to(narrow), (base + total.log()).squeeze(-1)


def largest_error(found, expected):
    if not found.numel():
        return 0.0
    error = (found.double() - expected).abs()
    return math.inf if error.isnan().any() else error.max().item()


def _spacing(dtype, numbers):
    """Returns the distance from each number to the next larger one of the type, and 0 for 0."""
    return GAP[dtype] * 2.0 ** numbers.abs().log2().floor()


def check_forward(name, found, lse, whole, score, sink, take):
    """Checks output and lse by the accuracy rule. `take` returns this rank's rows of a tensor."""
    q, k, v = whole
    o64, lse64 = forward(q, k, v, sink, score, torch.float64)
    narrow = None if q.dtype == torch.float32 else q.dtype
    olow, _ = forward(q, k, v, sink, score, torch.float32, narrow)
    low = largest_error(olow, o64)
    limit = max(5e-5, 2 * low) if narrow is None else \
        2 * low + _spacing(q.dtype, o64.abs().max()).item() + 1e-5
    error = largest_error(found, take(o64))
    assert error <= limit, f"{name}: output: error {error:.3g}, at most {limit:.3g}"
    expected = take(lse64)
    assert torch.equal(lse == -math.inf, expected == -math.inf), f"{name}: rows of lse -inf"
    finite = expected > -math.inf
    error = ((lse - expected).abs() / expected.abs().clamp(min=1))[finite]
    limit = 5e-5 if narrow is None else 1e-3
    assert not finite.any() or error.max() <= limit, f"{name}: lse: error {error.max():.3g}"
    return o64, lse64


def check_gradients(name, found, whole, o64, lse64, d_o, d_lse, score, sink, take):
    q, k, v = whole
    scale = q.shape[3] ** -0.5
    d_lse = torch.zeros_like(lse64) if d_lse is None else d_lse
    exact, magnitudes = formulas(q, k, v, o64, lse64, d_o, d_lse, scale, score, torch.float64)
    narrow = None if q.dtype == torch.float32 else q.dtype
    low, _ = formulas(q, k, v, o64.to(q.dtype), lse64, d_o, d_lse, scale, score,
                      torch.float32, narrow)
    for which, its, g64, glow, size in zip("qkv", found, exact, low, magnitudes):
        top = g64.abs().max()
        limit = (3 * largest_error(glow, g64) + _spacing(q.dtype, top) + 1e-5 * top).item() \
            + 2.0**-20 * size
        error = largest_error(its, take(g64))
        assert its.dtype == q.dtype
        assert error <= limit, f"{name}: d{which}: error {error:.3g}, at most {limit:.3g}"
    if sink is None:
        return

    def weights_of(lse):
        return torch.where(lse == -math.inf, 0, torch.exp(sink.to(lse.dtype)[:, None] - lse))

    def terms_of(o, lse):
        delta = (o.to(lse.dtype) * d_o.to(lse.dtype)).sum(-1) - d_lse.to(lse.dtype)
        return -weights_of(lse) * delta

    terms = terms_of(o64, lse64)
    exact_sink = terms.sum((0, 2))
    olow, lse_low = forward(q, k, v, sink, score, torch.float32, narrow)
    low_error = (terms_of(olow, lse_low).sum((0, 2)) - exact_sink).abs().max()
    # d_sink has one number for each head. The error of the low-precision evaluation for one head
    # may be near zero by chance, so the limit uses at least its standard deviation. This follows
    # from the rounding of the output, which is uniform within half of a spacing.
    deviation = (weights_of(lse64)[..., None] * d_o.double() * _spacing(q.dtype, o64)
                 / 12 ** 0.5).square().sum((0, 2, 3)).sqrt()
    low_error = torch.maximum(low_error, deviation)
    unit = {torch.float32: 2.0**-18, torch.float16: 2.0**-11, torch.bfloat16: 2.0**-8}
    limit = 3 * low_error + unit[q.dtype] / 4 * terms.abs().sum((0, 2)) + 1e-30
    error = (found[3] - exact_sink).abs()
    assert (error <= limit).all(), f"{name}: d_sink: error {error}, at most {limit}"


def with_gaps(own, case):
    """Returns the same numbers in memory of the case's strides, with NaN between rows."""
    b, h, s, d = own.shape
    sizes = (b, h, s, d + case["gap"]) if case["order"] == "bhsd" else \
        (b, s, h, d + case["gap"])
    memory = torch.full(sizes, math.nan, dtype=own.dtype, device=own.device)
    view = memory if case["order"] == "bhsd" else memory.transpose(1, 2)
    view = view[..., :d]
    view.copy_(own)
    return view


@contextlib.contextmanager
def uninitialized_is_nan(is_set):
    """Within this context, torch.empty gives NaN, so elements that were not written are found."""
    torch.use_deterministic_algorithms(is_set, warn_only=True)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(False)


def run_case(case, device, distributed, group=None, mesh=None, single=None):
    """Checks one problem on this rank's rows. `single` is attention on one rank, which must give
    the same results except for rounding."""
    rank, ranks = dist.get_rank(group), dist.get_world_size(group)
    name = f"rank {rank} of {ranks}: {case}"
    *whole, d_o, d_lse, sink, lengths = make(case, device)
    sink = sink if case.get("sink") else None
    d_lse = d_lse if case["d_lse"] else None
    score_mod, mask_mod = functions(case, device)
    score = score_of(case, score_mod, mask_mod, lengths)
    is_balanced = case["layout"] == "balanced" or case["layout"] is None and bool(
        case.get("causal") or case.get("window"))
    layout = "balanced" if is_balanced else "contiguous"

    def take(tensor, dim=2):
        # Slices follow the documentation here, and are not those of the package.
        if not is_balanced or ranks == 1:
            return tensor.chunk(ranks, dim)[rank]
        slices = tensor.chunk(2 * ranks, dim)
        return torch.cat([slices[rank], slices[2 * ranks - 1 - rank]], dim)

    own = [take(its) for its in whole]
    own_d_o = take(d_o)
    if case.get("lengths"):
        rows = take(torch.arange(case["rows"], device=device), 0)
        beyond = (rows >= lengths[:, None])[:, None, :, None]
        own = [torch.where(beyond, math.nan, its) for its in own]
        own_d_o = torch.where(beyond, math.nan, own_d_o)
    own = [with_gaps(its, case).requires_grad_() for its in own]
    options = {"causal": case.get("causal", False), "window": case.get("window"),
               "score_mod": score_mod, "mask_mod": mask_mod}
    own_sink = None if sink is None else sink.clone().requires_grad_()
    with uninitialized_is_nan(case["deterministic"]):
        given = None
        if case.get("lengths"):
            given = lengths.tolist() if case["on_host"] else lengths
        where = {"mesh": mesh} if mesh is not None else {
            "group": group, "method": case["method"]}
        o, lse = distributed.attention(*own, sink=own_sink, lengths=given,
                                       layout=case["layout"], return_lse=True, **where,
                                       **options)
        inputs = own if sink is None else [*own, own_sink]
        outputs, gradients = [o], [own_d_o]
        if d_lse is not None:
            outputs, gradients = [o, lse], [own_d_o, take(d_lse)]
        found = list(torch.autograd.grad(outputs, inputs, gradients))
    assert o.dtype == own[0].dtype and lse.dtype == torch.float32, name
    o64, lse64 = check_forward(name, o.detach(), lse.detach(), whole, score, sink, take)
    if sink is not None:
        dist.all_reduce(found[3], group=group)
    check_gradients(name, found, whole, o64, lse64, d_o, d_lse, score, sink, take)
    if single is not None and not case.get("lengths"):
        whole = [its.requires_grad_() for its in whole]
        expected = single(*whole, sink=sink, **options)
        tolerance = {"f32": 1e-4, "f16": 1e-2, "bf16": 6e-2}[case["dtype"]]
        if case["size"] == 1:
            torch.testing.assert_close(o, take(expected), atol=tolerance, rtol=tolerance)
    return layout


def compile_in_turns(package, directory):
    """Makes processes that need the same kernel compile one after the other. The first one stores
    it in the cache, where the others find it."""
    import importlib

    module = importlib.import_module(f"{package.__name__}._rows")

    def locked(*arguments, compile=module.compile, **options):
        with open(os.path.join(directory, "lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            return compile(*arguments, **options)

    module.compile = locked
