"""Estimates the FLOPs, the transfers and the memory of a configuration. Nothing here needs torch.

The model: a GPU computes at `rate` in all steps. The keys and values of a step are sent while the
previous step computes, and the part of a transfer that takes longer is exposed. In each step, the
time is that of the slowest rank. In the backward pass, keys and values are sent again, and their
gradients return to their owner in float32 while the next step computes; a rank computes half of the
heads of its own keys at the end, during the transfer of the last gradients. No computation hides an
all-to-all. The model leaves out launches and the merging of partial outputs (four passes over an
output in float32 for each step but the first), so its times are lower bounds.
"""

from dataclasses import dataclass
from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from .._adapter import expected
from .._library import DTYPE_BYTES
from .._module import DTYPES
from ._layout import check_layout
from ._layout_pairs import Step, Window, chunk_count, of_ranks, steps

# FLOP/s of one H200 by head dim (bf16, full masks, 16384 rows), forward and backward, and the bytes
# a second in each direction between two H200s (256 MiB in 0.92 ms); see docs/results.md.
_RATES = {64: (659e12, 528e12), 128: (793e12, 667e12), 256: (822e12, 397e12)}
BANDWIDTH = (256 << 20) / 0.92e-3
LATENCY = 20e-6
# Maps the names of dtypes in torch and NumPy to those that this package uses.
_NAMES = {"float16": "f16", "bfloat16": "bf16", "float32": "f32"}
# FLOPs for each pair of a row and a key, as multiples of D: 2 for each product. The forward pass
# has two products (scores, output), the backward pass five (scores, dP, d_query, d_key, d_value).
_FORWARD, _BACKWARD = 4, 10
# A rate of two things, such as the forward and the backward pass: one number for both, or a pair.
Rates = Union[float, Tuple[float, float]]


class StepCost(NamedTuple):
    """The cost of one step for the rank with the most work: FLOPs, bytes that it receives (and at
    most as many that it sends), the seconds of computation and of transfer, and the seconds of
    the transfer that the previous step's computation does not hide (`exposed`)."""

    number: int
    flops: int
    bytes: int
    compute: float
    transfer: float
    exposed: float


@dataclass(frozen=True)
class Phase:
    """The cost of the forward or the backward pass for a rank. `exchanged` are the bytes of its
    all-to-alls, `returned` those of gradients that are sent back in the last step and after it.
    `moving` are the seconds of these two kinds of transfers, and `outside` those of them that no
    computation hides. `ideal` are the seconds of computation alone if all ranks had equally many
    pairs."""

    steps: List[StepCost]
    exchanged: int
    returned: int
    moving: float
    outside: float
    ideal: float

    @property
    def bytes(self) -> int:
        """The number of bytes that a rank receives in total; it sends at most as many."""
        return sum([step.bytes for step in self.steps]) + self.exchanged + self.returned

    @property
    def flops(self) -> int:
        """The sum over steps of the FLOPs of the rank that has the most work in the step."""
        return sum([step.flops for step in self.steps])

    @property
    def exposed(self) -> float:
        """The seconds of transfers that no computation hides."""
        return sum([step.exposed for step in self.steps]) + self.outside

    @property
    def seconds(self) -> float:
        return sum([step.compute for step in self.steps]) + self.exposed

    @property
    def efficiency(self) -> float:
        """The ratio of the speed to that of as many GPUs that only compute, each at `rate`. It is 1
        for an empty problem."""
        return self.ideal / self.seconds if self.ideal else 1.0


@dataclass(frozen=True)
class Plan:
    """The result of `plan`. `memory` has the bytes of each array of a rank, by name."""

    title: str
    ranks: int
    pairs: int
    forward: Phase
    backward: Optional[Phase]
    memory: Dict[str, int]

    @property
    def phases(self) -> List[Phase]:
        return [self.forward] + ([self.backward] if self.backward else [])

    @property
    def bytes(self) -> int:
        return sum([phase.bytes for phase in self.phases])

    @property
    def seconds(self) -> float:
        return sum([phase.seconds for phase in self.phases])

    @property
    def efficiency(self) -> float:
        ideal = sum([phase.ideal for phase in self.phases])
        return ideal / self.seconds if ideal else 1.0

    def __str__(self) -> str:
        lines = [self.title]
        for name, phase in zip(("forward", "backward"), self.phases):
            lines += ["", f"{name:10}{'GFLOP':>12}{'MiB moved':>12}{'compute':>12}"
                      f"{'transfer':>12}{'exposed ms':>12}"]
            lines += [_row(steps) for steps in _group(phase.steps)]
            rest = phase.exchanged + phase.returned
            if rest:
                name = "exchanged" if phase.exchanged else "returned"
                lines.append(_line(name, 0, rest, 0, phase.moving, phase.outside))
            lines.append(_line("in all", phase.flops, phase.bytes,
                               sum([step.compute for step in phase.steps]),
                               phase.moving + sum([step.transfer for step in phase.steps]),
                               phase.exposed))
            lines.append(f"{phase.seconds * 1e3:.3f} ms, efficiency {phase.efficiency:.3f}")
        lines += ["", "memory of a rank, MiB"]
        lines += [f"{name:34}{size / 2**20:>12.1f}" for name, size in self.memory.items()]
        lines.append(f"{'in all':34}{sum(self.memory.values()) / 2**20:>12.1f}")
        return "\n".join(lines)


def _group(costs: Sequence[StepCost]) -> List[List[StepCost]]:
    """Groups adjacent steps that differ only in their number."""
    groups: List[List[StepCost]] = []
    for cost in costs:
        if groups and groups[-1][0][1:] == cost[1:]:
            groups[-1].append(cost)
        else:
            groups.append([cost])
    return groups


def _row(costs: List[StepCost]) -> str:
    first, last = costs[0], costs[-1]
    name = f"step {first.number}" + (f"-{last.number}" if len(costs) > 1 else "")
    return _line(name, *first[1:])


def _line(name: str, flops: float, size: float, *seconds: float) -> str:
    times = "".join([f"{its * 1e3:>12.3f}" for its in seconds])
    return f"{name:10}{flops / 1e9:>12.1f}{size / 2**20:>12.1f}{times}"


class _Sizes(NamedTuple):
    """Sizes of the problem. Each rank has `rows` rows of all heads. After the all-to-all of `inner`
    ranks, a rank has heads / inner heads and the rows of all of these ranks. The ring has `outer`
    members. `item` are the bytes of an element."""

    outer: int
    inner: int
    rows: int
    batch: int
    heads: int
    kv_heads: int
    head_dim: int
    item: int

    @property
    def query(self) -> int:
        """The number of elements of a rank's query."""
        return self.batch * self.heads * self.rows * self.head_dim

    @property
    def key(self) -> int:
        return self.batch * self.kv_heads * self.rows * self.head_dim

    @property
    def vectors(self) -> int:
        """The number of elements of the keys (and likewise of the values) at one position, for all
        batch entries and all key heads with which a rank computes."""
        return self.batch * self.kv_heads // self.inner * self.head_dim


def plan(*, ranks: int, sequence: int, heads: int, head_dim: int, batch: int = 1,
         kv_heads: Optional[int] = None, dtype: object = "bf16", causal: bool = False,
         window: Window = None, layout: Optional[str] = None, method: str = "ring",
         backward: bool = False, bandwidth: Rates = BANDWIDTH, latency: float = LATENCY,
         rate: Optional[Rates] = None,
         mesh: Optional[Tuple[int, int]] = None) -> Plan:
    """Estimates how many FLOPs `attention` computes, how many bytes it sends and stores, and
    how long it takes, if each rank has (batch, heads, sequence / ranks, head_dim). `str` of the
    result is a table.

    `kv_heads` divides `heads`. `dtype` is "f16", "bf16" or "f32". `window`, (left, right), and
    `layout` are those of `attention`; the default layout is balanced if causal. `method` is
    "ring" or "all_to_all"; `mesh`, (outer, inner), is a ring of `outer` members, each of which
    is `inner` ranks with all-to-alls. `bandwidth`: bytes a second that one rank sends while it
    receives as many, or a pair for the ring and for all-to-alls. `latency`: seconds of a
    transfer. `rate`: FLOP/s of one GPU, or a pair for forward and backward. Defaults were
    measured on H200s, for f16 and bf16, except the latency, which is a guess.
    `measure_bandwidth` measures bandwidth and latency.

    Pairs are counted exactly. A pair costs 4 head_dim FLOPs in the forward pass, and
    10 head_dim in the backward pass. Raises ArgumentError, which names the argument."""
    kv_heads = heads if kv_heads is None else kv_heads
    named = dict(ranks=ranks, heads=heads, kv_heads=kv_heads, head_dim=head_dim)
    for name, value in named.items():
        if not isinstance(value, int) or value < 1:
            raise expected(name, "a whole number above 0", value)
    for name, value in (("sequence", sequence), ("batch", batch)):
        if not isinstance(value, int) or value < 0:
            raise expected(name, "a whole number from 0 on", value)
    if heads % kv_heads:
        raise expected("kv_heads", f"a divisor of heads, {heads}", kv_heads)
    name = str(dtype).rpartition(".")[2]
    name = _NAMES.get(name, name)
    if name not in DTYPES:
        raise expected("dtype", "'f16', 'bf16' or 'f32'", repr(dtype))
    links = _both(bandwidth)
    if not min(links) > 0:
        raise expected("bandwidth", "bytes a second above 0", bandwidth)
    if not latency >= 0:
        raise expected("latency", "seconds from 0 on", latency)
    outer, inner = _split(ranks, method, mesh)
    if kv_heads % inner:
        raise expected("kv_heads", f"a multiple of the {inner} ranks that divide heads by "
                       "all-to-all", kv_heads)
    _check_window(window)
    layout = check_layout(layout, causal)
    count = chunk_count(ranks, of_ranks(layout, ranks))
    if sequence % count:
        raise expected("sequence", f"a multiple of {count}, the chunks of {ranks} ranks",
                       sequence)
    rates = _find_rates(rate, name, head_dim)
    window = None if window is None else (window[0], window[1])  # not a list
    own = of_ranks(layout, outer)
    ring = steps(outer, own, causal, window, sequence // chunk_count(outer, own))
    sizes = _Sizes(outer, inner, sequence // ranks, batch, heads, kv_heads, head_dim,
                   DTYPE_BYTES[name])
    pairs = sum([sum(step.pairs) for step in ring])
    phases = [_time(ring, sizes, pairs, products, its, links, latency)
              for products, its in zip((_FORWARD, _BACKWARD), rates)]
    title = (f"{ranks} ranks ({outer} in the ring, {inner} by all-to-all), batch {batch}, heads "
             f"{heads}:{kv_heads}, {sequence} x {head_dim}, {name}, "
             f"{'causal' if causal else 'full'}"
             f"{'' if window is None else f', window {window}'}, {layout}: {pairs} pairs")
    return Plan(title, ranks, pairs, phases[0], phases[1] if backward else None,
                _count_memory(ring, sizes, backward))


def _check_window(window: Window) -> None:
    if window is not None and (len(window) != 2 or any(
            [its is not None and (not isinstance(its, int) or its < 0) for its in window])):
        raise expected("window", "two whole numbers from 0 on, or None for no bound", window)


def _split(ranks: int, method: str, mesh: Optional[Tuple[int, int]]) -> Tuple[int, int]:
    if mesh is not None:
        if len(mesh) != 2 or min(mesh) < 1 or mesh[0] * mesh[1] != ranks:
            raise expected("mesh", f"two numbers whose product is ranks, {ranks}", mesh)
        return mesh[0], mesh[1]
    if method not in ("ring", "all_to_all"):
        raise expected("method", "'ring' or 'all_to_all'", repr(method))
    return (ranks, 1) if method == "ring" else (1, ranks)


def _find_rates(rate: Optional[Rates], dtype: str,
                head_dim: int) -> Tuple[float, float]:
    if rate is None:
        known = [its for its in sorted(_RATES) if its >= head_dim]
        if dtype == "f32" or not known:
            raise expected("rate", "FLOP/s, as none were measured for f32 or head dims above "
                           "256", "none")
        return _RATES[known[0]]
    rates = _both(rate)
    if not min(rates) > 0:
        raise expected("rate", "FLOP/s above 0", rate)
    return rates


def _both(rates: Rates) -> Tuple[float, float]:
    first, second = rates if isinstance(rates, (tuple, list)) else (rates, rates)
    return first, second


def _time(ring: Sequence[Step], sizes: _Sizes, pairs: int, products: int, rate: float,
          links: Tuple[float, float], latency: float) -> Phase:
    each = products * sizes.head_dim * sizes.batch * (sizes.heads // sizes.inner)
    is_backward = products == _BACKWARD
    work = [step for step in ring if not step.is_empty or step.number == 0]
    flops = [each * max(step.pairs) for step in work]
    given = [2 * sizes.item * sizes.vectors * max(step.keys) * (step.number > 0)
             for step in work]
    back = [2 * 4 * sizes.vectors * max(step.keys) * (step.number > 0) * is_backward
            for step in work]

    def seconds(size: int) -> float:
        return latency + size / links[0] if size else 0.0

    kv_heads = sizes.kv_heads // sizes.inner
    kept = is_backward and len(work) > 1
    tail = flops[0] / rate * (kv_heads // 2) / kv_heads if kept else 0.0
    costs = []
    for i, step in enumerate(work):
        # While the previous step computes, two transfers run: that of this step's keys and values,
        # and that of the gradients of the step before the previous one. The exposed time is what
        # both take longer than the previous step's computation.
        home = back[i - 2] if i >= 2 else 0
        transfer = seconds(given[i]) + seconds(home)
        hidden = flops[i - 1] / rate - (tail if i == 1 else 0.0) if i else 0.0
        costs.append(StepCost(step.number, flops[i], given[i] + home, flops[i] / rate,
                              transfer, max(0.0, transfer - hidden)))
    # The gradients of the last two steps are sent at the end: those of the last but one while the
    # last step computes, those of the last one after it.
    late = back[-2] if len(back) > 1 else 0
    returned = late + back[-1]
    outside = max(0.0, seconds(late) - flops[-1] / rate)
    outside += max(0.0, seconds(back[-1]) - tail)
    exchanged = _count_exchange(sizes, is_backward)
    exchange = (4 * latency if exchanged else 0.0) + exchanged / links[1]
    moving = exchange + seconds(late) + seconds(back[-1])
    return Phase(costs, exchanged, returned, moving, outside + exchange,
                 each * pairs / sizes.outer / rate)


def _count_exchange(sizes: _Sizes, is_backward: bool) -> int:
    """Returns how many bytes a rank sends in all-to-alls (and receives as many): all of q, k, v and
    the output, or, in the backward pass, of d_output, dq, dk and dv, except the part that stays on
    the rank."""
    if sizes.inner == 1:
        return 0
    return 2 * (sizes.query + sizes.key) * sizes.item * (sizes.inner - 1) // sizes.inner


def _count_memory(ring: Sequence[Step], sizes: _Sizes, backward: bool) -> Dict[str, int]:
    """Returns the bytes of each array of a rank, by name. Arrays for the keys and values of other
    ranks, and for their gradients, count twice: one is received while the other is used."""
    item, query, key = sizes.item, sizes.query, sizes.key
    keys = 2 * sizes.vectors * max([max(step.keys) for step in ring[1:]], default=0)
    memory = {"q, k, v": (query + 2 * key) * item, "output": query * item,
              "log-sum-exp": query // sizes.head_dim * 4}
    if sizes.inner > 1:
        memory["q, k, v and output by heads"] = 2 * (query + key) * item
    if len(ring) > 1:
        memory["k, v of two other ranks"] = 2 * keys * item
        memory["output, partial and sum, f32"] = 2 * query * 4
    if backward:
        memory["d_output, dq, dk, dv"] = 2 * (query + key) * item
        if len(ring) > 1:
            memory["dq, dk, dv, sums in f32"] = (query + 2 * key) * 4
            memory["dk, dv of two other ranks, f32"] = 2 * keys * 4
    return memory
