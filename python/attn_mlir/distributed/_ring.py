"""Attention over a sequence that the ranks of a group divide, forward and backward.

Forward: in step s, rank r works on the keys of rank r - s, during the transfer of the next step's
keys. The states of all steps are merged in f32, and rounded once, when the sink is added.

Backward: keys and values are sent again. The gradients of keys and values that a step computes are
sent back to the rank that owns these, in f32. For each message of keys there is one message of
gradients, which has twice as many bytes (as many if keys are in f32). (If accumulators of gradients
were sent along with the keys, they would pass through every rank, also those that do not need the
keys, and return in one more transfer.) A rank computes one half of the heads of its own keys
first, during the transfer of the first keys, and the other half last, during the transfer of the
last gradients.

Source: "Ring Attention with Blockwise Transformers for Near-Infinite Context" (arXiv
2310.01889), and for balanced chunks "Striped Attention" (arXiv 2311.09431) in the form of
Llama 3's (arXiv 2407.21783, section 3.3.2).
"""

from typing import Any, List, NamedTuple, Optional, Tuple

import torch

from .._errors import Error
from . import _steps
from ._exchange import Transfer, exchange
from ._schedule import Call, Problem
from ._sums import States, Sums, all_heads, halves


class Ring(NamedTuple):
    """The data that the steps of a call need besides q, k and v."""

    group: Any
    rank: int
    problem: Problem
    options: _steps.Options
    # The numbers, in the whole problem, of the tensors' first batch entry and first query head.
    first: Tuple[int, int]
    # The lengths of batch entries, an int32 tensor (B,) on the tensors' device, if kernels are
    # called without an `origin`; otherwise None.
    lengths: Optional[torch.Tensor]

    def place(self, call: Call, head: int = 0) -> Optional[_steps.Place]:
        if call.origin is None:
            return None
        return (self.first[0], self.first[1] + head, *call.origin)

    def lengths_of(self, rank: int, begin: int, end: int) -> torch.Tensor:
        """Returns, for each batch entry, how many of a rank's rows from `begin` to `end` are within
        the entry's length. These rows come before the others, since a rank's chunks are in
        ascending order."""
        assert self.lengths is not None
        found = torch.zeros_like(self.lengths)
        for its in self.problem.chunks(rank):
            size = min(its.end, end) - max(its.begin, begin)
            if size > 0:
                first = its.first + max(its.begin, begin) - its.begin
                found += (self.lengths - first).clamp(0, size)
        return found

    def lengths_for(self, call: Call, source: int) -> Any:
        if self.lengths is None or call.origin is not None:
            return None
        return (self.lengths_of(self.rank, call.q0, call.q1),
                self.lengths_of(source, call.k0, call.k1))

    def source(self, step: int) -> int:
        return (self.rank - step) % self.problem.ranks

    def target(self, step: int) -> int:
        return (self.rank + step) % self.problem.ranks

    def fetch(self, step: int, k: torch.Tensor, v: torch.Tensor) -> Transfer:
        """Begins to send the keys and values that another rank needs in a step, and to receive
        those that this rank needs in it."""
        source, target = self.source(step), self.target(step)
        begin, end = self.problem.needed(target, self.rank)
        first, last = self.problem.needed(self.rank, source)
        return exchange(
            self.group, target, [k[:, :, begin:end], v[:, :, begin:end]], source,
            [its.new_empty((*its.shape[:2], last - first, its.shape[3])) for its in (k, v)])


def _steps_of(ring: Ring, k: torch.Tensor, v: torch.Tensor) -> Any:
    """Yields the steps of a call, first that with this rank's own keys: the step's number, the rank
    that owns its keys, the keys and values, and the number of the first key among the owner's.
    Begins the transfer of the next step's keys before it yields a step."""
    ranks = ring.problem.ranks
    coming = ring.fetch(1, k, v) if ranks > 1 else None
    yield 0, ring.rank, k, v, 0
    for step in range(1, ranks):
        assert coming is not None
        now, coming = coming, ring.fetch(step + 1, k, v) if step + 1 < ranks else None
        source = ring.source(step)
        keys, values = now.wait()
        yield step, source, keys, values, ring.problem.needed(ring.rank, source)[0]
        del keys, values


def run_forward(ring: Ring, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor,
                sink: Optional[torch.Tensor]) -> Tuple[torch.Tensor, torch.Tensor]:
    """Computes the output, of q's dtype, and the lse of this rank's rows."""
    problem = ring.problem
    calls = [problem.calls(ring.rank, source) for source in range(problem.ranks)]
    states = States(q.shape[2], [(its.q0, its.q1) for of in calls for its in of])
    for _, source, keys, values, first in _steps_of(ring, k, v):
        states.reduce()
        for call in calls[source]:
            k0, k1 = call.k0 - first, call.k1 - first
            states.add(call.q0, call.q1, *_steps.forward(
                q[:, :, call.q0:call.q1], keys[:, :, k0:k1], values[:, :, k0:k1],
                call.causal, ring.options, ring.place(call),
                ring.lengths_for(call, source)))
        del keys, values  # their memory is the next ones'
    output = torch.empty_like(q) if v.shape[3] == q.shape[3] else \
        q.new_empty((*q.shape[:3], v.shape[3]))
    if output.stride(3) != 1:
        output = output.new_empty(output.shape)
    lse = q.new_empty(q.shape[:3], dtype=torch.float32)
    states.finish(output, lse, sink)
    return output, lse


class _Backward:
    """One backward pass: computes its steps, and adds up their gradients."""

    def __init__(self, ring: Ring, tensors: Tuple, wrt: Tuple[bool, bool, bool]) -> None:
        self.ring, self.tensors, self.wrt = ring, tensors, wrt
        q, k = tensors[:2]
        problem = ring.problem
        self.parts = halves(k.shape[1], q.shape[1] // k.shape[1])
        rows = [(its.q0, its.q1) for source in range(problem.ranks)
                for its in problem.calls(ring.rank, source)]
        keys = [(its.k0, its.k1) for its in problem.calls(ring.rank, ring.rank)]
        keys += [problem.needed(target, ring.rank) for target in range(problem.ranks)
                 if target != ring.rank]
        of_keys, of_rows = [own for own, _ in self.parts], [own for _, own in self.parts]
        self.sums = (Sums(of_rows, q.shape[2], rows), Sums(of_keys, k.shape[2], keys),
                     Sums(of_keys, k.shape[2], keys))

    def compute(self, source: int, k: torch.Tensor, v: torch.Tensor, first: int, heads: Any,
                of_keys: Any) -> None:
        """Computes a step's gradients for some heads. Adds them to the sums for q, and to
        `of_keys`, the sums for k and v."""
        q, _, _, o, lse, d_o, d_lse = self.tensors
        (h0, h1), (g0, g1) = heads
        for call in self.ring.problem.calls(self.ring.rank, source):
            rows = slice(call.q0, call.q1)
            keys = slice(call.k0 - first, call.k1 - first)
            found = _steps.backward(
                q[:, g0:g1, rows], k[:, h0:h1, keys], v[:, h0:h1, keys], o[:, g0:g1, rows],
                lse[:, g0:g1, rows], d_o[:, g0:g1, rows],
                None if d_lse is None else d_lse[:, g0:g1, rows], call.causal,
                self.ring.options, self.wrt, self.ring.place(call, g0),
                self.ring.lengths_for(call, source))
            self.sums[0].add(heads[1], call.q0, call.q1, found[0])
            for its, part in zip(of_keys, found[1:]):
                its.add(heads[0], call.k0, call.k1, part)

    def send_back(self, step: int, source: int, keys: torch.Tensor,
                  values: torch.Tensor) -> Tuple[Tuple[Any, ...], Transfer]:
        """Computes the gradients of a step with keys of the rank `source`, and begins to send it
        those of its keys and values. Also begins to receive the gradients of this rank's keys that
        another rank computes in the step. Returns which keys these are, and the transfer."""
        ring, k, v = self.ring, self.tensors[1], self.tensors[2]
        begin, end = ring.problem.needed(ring.rank, source)
        sums = tuple([Sums([all_heads(self.parts)[0]], k.shape[2],
                           [(its.k0, its.k1) for its in
                            ring.problem.calls(ring.rank, source)] + [(begin, end)])
                      for _ in "kv"])
        self.compute(source, keys, values, begin, all_heads(self.parts), sums)
        target = ring.target(step)
        first, last = ring.problem.needed(target, ring.rank)
        wanted = [its for its, is_wanted in zip((k, v), self.wrt[1:]) if is_wanted]
        sent = [its.read(begin, end, like) for its, like, is_wanted in
                zip(sums, (k, v), self.wrt[1:]) if is_wanted]
        transfer = exchange(
            ring.group, source, sent, target,
            [its.new_empty((*its.shape[:2], last - first, its.shape[3]),
                           dtype=torch.float32) for its in wanted])
        return (first, last), transfer

    def take(self, returned: Any) -> None:
        (first, last), transfer = returned
        found = iter(transfer.wait())
        for its, is_wanted in zip(self.sums[1:], self.wrt[1:]):
            if is_wanted:
                its.add(all_heads(self.parts)[0], first, last, next(found))

    def run(self) -> List[Optional[torch.Tensor]]:
        ring = self.ring
        q, k, v = self.tensors[:3]
        last = self.parts[1:] if ring.problem.ranks > 1 else []
        returned = None
        for step, source, keys, values, _ in _steps_of(ring, k, v):
            if step == 0:
                for heads in (self.parts[:1] if last else self.parts):
                    self.compute(source, k, v, 0, heads, self.sums[1:])
                continue
            coming = self.send_back(step, source, keys, values)
            del keys, values
            if returned is not None:
                self.take(returned)
            returned = coming
        for heads in last:
            self.compute(ring.rank, k, v, 0, heads, self.sums[1:])
        if returned is not None:
            self.take(returned)
        results = [torch.empty_like(like) if is_wanted else None
                   for like, is_wanted in zip((q, k, v), self.wrt)]
        for its, result in zip(self.sums, results):
            if result is not None:
                its.write(result, 0, result.shape[2])
        return results


def dense(tensor: torch.Tensor) -> torch.Tensor:
    """Returns a tensor whose rows are contiguous, as kernels need them: the tensor itself, or a
    copy."""
    return tensor if tensor.stride(-1) == 1 or tensor.shape[-1] == 1 \
        else tensor.contiguous()


def gradient_of_sink(sink: torch.Tensor, lse: torch.Tensor, o: torch.Tensor,
                     d_o: torch.Tensor, d_lse: Optional[torch.Tensor]) -> torch.Tensor:
    """Returns this rank's part of the sink's gradient: -sum_{b,i} exp(sink - lse) (o . d_o - d_lse)
    over batch entries b and this rank's rows i."""
    delta = (o.float() * d_o.float()).sum(-1)
    if d_lse is not None:
        delta = delta - d_lse
    weight = torch.where(lse == -torch.inf, 0.0, torch.exp(sink.float()[:, None] - lse))
    return -(weight * delta).sum((0, 2)).to(sink.dtype)


class RingAttention(torch.autograd.Function):
    """Attention over the ranks of a ring, for autograd. `exists`, (B, 1, rows of the rank), says
    which rows are within their batch entry's length; None says that all are."""

    @staticmethod
    def forward(ctx: Any, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor,
                sink: Optional[torch.Tensor], ring: Ring,
                exists: Optional[torch.Tensor]) -> Tuple[torch.Tensor, torch.Tensor]:
        output, lse = run_forward(ring, q, k, v, sink)
        ctx.ring = ring
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(q, k, v, output, lse, sink, exists)
        return output, lse

    @staticmethod
    def backward(ctx: Any, d_o: Optional[torch.Tensor],
                 d_lse: Optional[torch.Tensor]) -> Tuple:
        gradients = _Gradients.apply(ctx.ring, ctx.needs_input_grad[3], d_o, d_lse,
                                     *ctx.saved_tensors)
        return (*gradients, None, None)


class _Gradients(torch.autograd.Function):
    """Computes the gradients of RingAttention, as a function of autograd. A derivative of these
    gradients raises an error."""

    @staticmethod
    def forward(ctx: Any, ring: Ring, of_sink: bool, d_o: Optional[torch.Tensor],
                d_lse: Optional[torch.Tensor], q: torch.Tensor, k: torch.Tensor,
                v: torch.Tensor, o: torch.Tensor, lse: torch.Tensor,
                sink: Optional[torch.Tensor], exists: Optional[torch.Tensor]) -> Tuple:
        d_o = torch.zeros_like(o) if d_o is None else dense(d_o)
        if exists is not None:
            d_o = torch.where(exists[..., None], d_o, 0.0)
            d_lse = None if d_lse is None else torch.where(exists, d_lse, 0.0)
        # Computes all three gradients on each rank, since a rank does not know which gradients
        # another rank needs.
        tensors = (q, k, v, o, lse, d_o, None if d_lse is None else d_lse.contiguous())
        found = _Backward(ring, tensors, (True, True, True)).run()
        d_sink = None
        if of_sink:
            assert sink is not None
            d_sink = gradient_of_sink(sink, lse, o, d_o, d_lse)
        return (*found, d_sink)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Tuple:
        raise Error("attention: expected a first derivative; attention that ranks share has "
                    "no second one")
