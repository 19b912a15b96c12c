"""Continuous batching: requests join and leave while others run."""

from collections import deque
from typing import Any, Deque, Dict, List, NamedTuple, Optional, Tuple

import torch

from .model import Packed


class Request:
    def __init__(self, prompt: List[int], count: int, arrival: int) -> None:
        """Makes a request of `count` tokens after a prompt, which arrives at step `arrival`."""
        self.prompt, self.count, self.arrival = prompt, count, arrival
        self.tokens: List[int] = []
        # The logits of each generated token, if the engine keeps logits.
        self.logits: List[torch.Tensor] = []
        self.pages: List[int] = []
        # If the engine keeps logits and its cache has 8 bits, the request's stored keys and values,
        # which are read when it ends.
        self.stored: Optional[Tuple[torch.Tensor, torch.Tensor]] = None
        # The number of the request's tokens that are in the cache.
        self.length = 0

    @property
    def capacity(self) -> int:
        """The number of tokens that the cache must hold: the prompt, and all generated tokens but
        the last one, which is not written."""
        return len(self.prompt) + self.count - 1


class Statistics(NamedTuple):
    steps: int
    # The total number of pages that all requests have taken.
    pages: int
    largest_batch: int
    joined_while_running: int


class Engine:
    """Runs up to `slots` requests at a time, each in its own row of a batch of fixed size.

    A step has three parts. It packs the first chunks of the requests that join, for which
    it calls `varlen`. It computes one further chunk of one long prompt, whose beginning is
    in pages. Then it generates one token for each request whose prompt is complete. All
    chunks except the first are `chunk` tokens long, so a few kernels are enough for all
    lengths.

    A request joins when there are as many pages as it can need that are not reserved for
    others, so it never waits for a page later. It takes each page when its tokens reach
    it."""

    def __init__(self, model: Any, cache: Any, chunk: int, use_graph: bool,
                 keeps_logits: bool) -> None:
        self.model, self.cache, self.chunk = model, cache, chunk
        self.page = cache.page
        self.keeps_logits = keeps_logits
        slots, device = cache.table.shape[0], cache.table.device
        self.running: List[Optional[Request]] = [None] * slots
        self.waiting: Deque[Request] = deque()
        self.free = list(range(cache.pages))
        self.promised = 0
        self.handed_out = self.largest_batch = self.joined = self.steps = 0
        # The arrays that a decoding step reads and writes. They keep their addresses, so that a
        # CUDA graph can be replayed.
        self.tokens = torch.zeros(slots, device=device, dtype=torch.int64)
        self.counts = torch.zeros(slots, device=device, dtype=torch.int32)
        self.logits = self._decode()  # of no slot: it compiles and writes nothing
        self.best = self.logits.argmax(-1)
        self.graph = self._capture() if use_graph else None

    def _decode(self) -> torch.Tensor:
        return self.model.run_cached(self.tokens[:, None], self.cache, slice(None),
                                     self.counts)

    def _capture(self) -> torch.cuda.CUDAGraph:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self.logits.copy_(self._decode())
            self.best.copy_(self.logits.argmax(-1))
        return graph

    # -- pages -------------------------------------------------------------------------

    def _pages_of(self, request: Request) -> int:
        return -(-request.capacity // self.page)

    def _make_room(self, slot: int, request: Request, length: int) -> None:
        """Takes free pages until the request has room for `length` tokens, and writes them to its
        row of the page table."""
        first = len(request.pages)
        while len(request.pages) * self.page < length:
            request.pages.append(self.free.pop())
            self.handed_out += 1
        if first < len(request.pages):
            self.cache.table[slot, first:len(request.pages)] = torch.tensor(
                request.pages[first:], dtype=torch.int32)
        request.length = length

    def _join(self) -> Dict[int, Request]:
        joined: Dict[int, Request] = {}
        others = any(self.running)
        for slot, its in enumerate(self.running):
            if its or not self.waiting or self.waiting[0].arrival > self.steps:
                continue
            pages = self._pages_of(self.waiting[0])
            if self.promised + pages > self.cache.pages:
                break
            self.promised += pages
            self.joined += others
            joined[slot] = self.running[slot] = self.waiting.popleft()
        return joined

    def _leave(self, slot: int) -> None:
        request = self.running[slot]
        assert request is not None
        self.running[slot] = None
        self.promised -= self._pages_of(request)
        if self.keeps_logits and self.cache.scales:
            request.stored = self.cache.read(slot, request.length)
        self.cache.forget(request.pages)
        self.free += request.pages
        request.pages = []
        self.cache.table[slot] = -1
        self.cache.lengths[:, slot] = 0

    # -- steps -------------------------------------------------------------------------

    def _add(self, slot: int, token: int, logits: torch.Tensor) -> None:
        request = self.running[slot]
        assert request is not None
        request.tokens.append(token)
        if self.keeps_logits:
            request.logits.append(logits.clone())
        if len(request.tokens) == request.count:
            self._leave(slot)

    def _begin(self, joined: Dict[int, Request]) -> None:
        """Computes the first chunks of the prompts that join, packed into one sequence of
        tokens."""
        lengths = {slot: (len(its.prompt) - 1) % self.chunk + 1
                   for slot, its in joined.items()}
        tokens: List[int] = []
        cu, positions = [0], []
        padded = torch.zeros(len(self.running), max(lengths.values()), dtype=torch.int64)
        counts = torch.zeros(len(self.running), dtype=torch.int32)
        for slot, length in lengths.items():
            self._make_room(slot, joined[slot], length)
            counts[slot] = length
            padded[slot, :length] = torch.arange(len(tokens), len(tokens) + length)
            tokens += joined[slot].prompt[:length]
            positions += range(length)
            cu.append(len(tokens))
        device = self.tokens.device
        logits = self.model.run_packed(
            torch.tensor(tokens, device=device), self.cache,
            Packed(torch.tensor(cu, dtype=torch.int32, device=device),
                   torch.tensor(positions, device=device), padded.to(device),
                   counts.to(device)))
        best = logits.argmax(-1).tolist()
        for row, (slot, request) in enumerate(joined.items()):
            if request.length == len(request.prompt):
                self._add(slot, best[row], logits[row])

    def _continue(self, slot: int, request: Request) -> None:
        """Computes the next chunk of a prompt."""
        first = request.length
        self._make_room(slot, request, first + self.chunk)
        tokens = torch.tensor([request.prompt[first:request.length]],
                              device=self.tokens.device)
        logits = self.model.run_cached(tokens, self.cache, slice(slot, slot + 1))
        if request.length == len(request.prompt):
            self._add(slot, int(logits[0].argmax()), logits[0])

    def _advance(self, slots: List[int]) -> None:
        """Generates one token for the request in each of these slots."""
        tokens, counts = [0] * len(self.running), [0] * len(self.running)
        for slot in slots:
            request = self.running[slot]
            assert request is not None
            self._make_room(slot, request, request.length + 1)
            tokens[slot], counts[slot] = request.tokens[-1], 1
        self.tokens.copy_(torch.tensor(tokens))
        self.counts.copy_(torch.tensor(counts))
        if self.graph:
            self.graph.replay()
        else:
            self.logits = self._decode()
            self.best = self.logits.argmax(-1)
        best = self.best.tolist()
        for slot in slots:
            self._add(slot, best[slot], self.logits[slot])

    @torch.no_grad()
    def run(self, requests: List[Request]) -> Statistics:
        for request in requests:
            if self._pages_of(request) > min(self.cache.table.shape[1],
                                             self.cache.pages):
                raise ValueError(f"requests: expected at most {self.cache.table.shape[1]} "
                                 f"pages, found {self._pages_of(request)}")
        self.waiting = deque(sorted(requests, key=lambda its: its.arrival))
        while self.waiting or any(self.running):
            joined = self._join()
            if joined:
                self._begin(joined)
            unfinished = [(its.arrival, slot) for slot, its in enumerate(self.running)
                          if its and its.length < len(its.prompt)]
            if unfinished:
                slot = min(unfinished)[1]
                self._continue(slot, self.running[slot])
            ready = [slot for slot, its in enumerate(self.running) if its and its.tokens]
            self.largest_batch = max(self.largest_batch, len(ready))
            if ready:
                self._advance(ready)
            self.steps += 1
        return Statistics(self.steps, self.handed_out, self.largest_batch, self.joined)
