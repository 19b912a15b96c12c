"""Where attention is timed: a GPU through torch, or the host with NumPy. Both make
arrays, judge results by the project's accuracy rule, time functions and measure what
the rates are compared with."""

import itertools
import math
import time
from typing import Any, Callable, List, NamedTuple, Tuple

from .._errors import Error
from ._shapes import Shape

Function = Callable[[], Any]
# Without work before each round of runs, so that a power limit leaves clocks alone.
IDLE = 0.06
RUNS = 10
# Seconds that a window of sustained runs takes.
WINDOW = 0.02
# Rows of the reference that a GPU has at a time.
REFERENCE_ROWS = 8192
# Digits of the mantissa, with the leading one, and the least exponent.
FORMATS = {"f16": (11, -14), "bf16": (8, -126), "f32": (24, -126)}


class Reference(NamedTuple):
    """Attention in fp64, and how far a result may be from it."""

    exact: Any
    limit: float


def error_limit(dtype: str, largest: float, plain_error: float) -> float:
    """The accuracy rule of include/attn/Oracle/Accuracy.h, where `plain_error` is
    that of a plain evaluation in the input's precision."""
    if dtype == "f32":
        return max(5e-5, 2 * plain_error)
    digits, least = FORMATS[dtype]
    exponent = math.frexp(largest)[1] - 1 if largest else least
    return 2 * plain_error + 2.0 ** (max(exponent, least) - (digits - 1)) + 1e-5


def sustain(run: Callable[[int], float], duration: float) -> List[float]:
    """Calls `run(count)`, which returns seconds, without a pause; seconds a run in
    the second half of `duration`, when clocks have settled."""
    total, count, times = 0.0, 1, []
    while total < duration:
        seconds = max(run(count), 1e-9)
        total += seconds
        if total > duration / 2:
            times.append(seconds / count)
        count = max(1, int(WINDOW / (seconds / count)))
    return times


class Host:
    """This machine's CPU, on NumPy's arrays. Caches stay as they are."""

    name = "host"
    product_size = 512
    product_dtype = "f32"  # NumPy has no fast product of others

    def __init__(self) -> None:
        try:
            import numpy
        except ImportError as error:
            raise Error(f"expected NumPy for the host: {error}") from None
        self.numpy = numpy
        self.description = "host, NumPy " + numpy.__version__

    def _dtype(self, dtype: str) -> Any:
        if dtype != "bf16":
            return {"f16": self.numpy.float16, "f32": self.numpy.float32}[dtype]
        try:
            import ml_dtypes
        except ImportError:
            raise Error("expected ml_dtypes for bf16 on the host; --dtype f16 and f32 "
                        "need none") from None
        return ml_dtypes.bfloat16

    def make_arrays(self, shape: Shape) -> Tuple[Any, Any, Any]:
        random = self.numpy.random.default_rng(0)
        dtype = self._dtype(shape.dtype)

        def make(heads: int, rows: int, head_dim: int) -> Any:
            array = random.standard_normal((shape.batch, rows, heads, head_dim),
                                           self.numpy.float32)
            return array.astype(dtype).swapaxes(1, 2)
        return (make(shape.heads, shape.rows, shape.head_dim),
                make(shape.kv_heads, shape.keys, shape.head_dim),
                make(shape.kv_heads, shape.keys, shape.value_head_dim))

    def make_reference(self, shape: Shape, q: Any, k: Any, v: Any) -> Reference:
        np = self.numpy
        exact = np.empty((*q.shape[:3], v.shape[3]), np.float64)
        scale, group = q.shape[3] ** -0.5, shape.heads // shape.kv_heads
        if shape.causal:
            masked = (np.arange(shape.keys)
                      > np.arange(shape.rows)[:, None] + shape.diagonal)
        plain_error = 0.0

        def exponentials(type_: Any, part: Any, keys: Any) -> Tuple[Any, Any]:
            scores = (part.astype(type_) @ keys.astype(type_).swapaxes(-1, -2)
                      * type_(scale))
            if shape.causal:
                scores[..., masked] = -math.inf
            probabilities = np.exp(scores - scores.max(-1, keepdims=True))
            return probabilities, probabilities.sum(-1, keepdims=True)

        for b in range(shape.batch):
            for h in range(shape.kv_heads):
                heads = slice(h * group, (h + 1) * group)
                part, keys, values = q[b, heads], k[b, h], v[b, h]
                probabilities, total = exponentials(np.float64, part, keys)
                exact[b, heads] = probabilities @ values.astype(np.float64) / total
                probabilities, total = exponentials(np.float32, part, keys)
                probabilities = probabilities.astype(q.dtype).astype(np.float32)
                plain = (probabilities @ values.astype(np.float32) / total).astype(q.dtype)
                error = np.abs(plain.astype(np.float64) - exact[b, heads]).max()
                plain_error = max(plain_error, float(error))
        largest = float(np.abs(exact).max())
        return Reference(exact, error_limit(shape.dtype, largest, plain_error))

    def get_error(self, reference: Reference, output: Any) -> float:
        """The largest; NaN where the output has any."""
        return float(self.numpy.abs(output.astype(self.numpy.float64)
                                    - reference.exact).max())

    def burst(self, function: Function, count: int) -> List[float]:
        """Seconds of each of `count` runs, after a time without work."""
        time.sleep(IDLE)
        return [self.run(function, 1) for _ in range(count)]

    def run(self, function: Function, count: int) -> float:
        """Seconds of `count` runs, each right after the other."""
        start = time.perf_counter()
        for _ in range(count):
            function()
        return time.perf_counter() - start

    def make_product(self, dtype: str) -> Function:
        shape = (self.product_size, self.product_size)
        a, b = (self.numpy.ones(shape, self.numpy.float32) for _ in range(2))
        out = self.numpy.empty(shape, self.numpy.float32)
        return lambda: self.numpy.matmul(a, b, out=out)

    def make_copy(self) -> Tuple[Function, int]:
        """A copy, and the bytes that it reads and writes."""
        source = self.numpy.ones(64 << 20, self.numpy.uint8)
        target = self.numpy.zeros_like(source)
        return lambda: self.numpy.copyto(target, source), 2 * source.nbytes


class Cuda:
    """The current GPU, on torch's tensors. Caches are cold in bursts: 256 MiB are
    written before each run, which also hides what the launch takes of the host."""

    name = "cuda"
    product_size = 8192

    def __init__(self) -> None:
        try:
            import torch
        except ImportError as error:
            raise Error(f"expected torch: {error}") from None
        if not torch.cuda.is_available():
            raise Error("expected a CUDA device that torch can use, found none")
        self.torch = torch
        self.dtypes = {"f16": torch.float16, "bf16": torch.bfloat16,
                       "f32": torch.float32}
        self.scratch = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
        self.description = (f"cuda, {torch.cuda.get_device_name()}, torch "
                            + torch.__version__)

    def make_arrays(self, shape: Shape) -> Tuple[Any, Any, Any]:
        generator = self.torch.Generator("cuda").manual_seed(0)

        def make(heads: int, rows: int, head_dim: int) -> Any:
            # (batch, row, head, head dim) in memory.
            return self.torch.randn(shape.batch, rows, heads, head_dim,
                                    dtype=self.dtypes[shape.dtype], device="cuda",
                                    generator=generator).transpose(1, 2)
        return (make(shape.heads, shape.rows, shape.head_dim),
                make(shape.kv_heads, shape.keys, shape.head_dim),
                make(shape.kv_heads, shape.keys, shape.value_head_dim))

    def make_reference(self, shape: Shape, q: Any, k: Any, v: Any) -> Reference:
        torch = self.torch
        exact = torch.empty((*q.shape[:3], v.shape[3]), dtype=torch.float64,
                            device="cuda")
        scale, group = q.shape[3] ** -0.5, shape.heads // shape.kv_heads
        columns = torch.arange(shape.keys, device="cuda")
        plain_error = torch.zeros((), dtype=torch.float64, device="cuda")

        def exponentials(dtype: Any, part: Any, keys: Any, first: int) -> Tuple[Any, Any]:
            probabilities = (part.to(dtype) @ keys.to(dtype).mT).mul_(scale)
            if shape.causal:
                rows = torch.arange(first, first + part.shape[-2], device="cuda")
                probabilities.masked_fill_(columns > rows[:, None] + shape.diagonal,
                                           -math.inf)
            probabilities.sub_(probabilities.amax(-1, keepdim=True)).exp_()
            return probabilities, probabilities.sum(-1, keepdim=True)

        # In parts, whose scores fit into memory.
        for b, h, first in itertools.product(range(shape.batch), range(shape.kv_heads),
                                             range(0, shape.rows, REFERENCE_ROWS)):
            heads = slice(h * group, (h + 1) * group)
            rows = slice(first, first + REFERENCE_ROWS)
            part, keys, values = q[b, heads, rows], k[b, h], v[b, h]
            probabilities, total = exponentials(torch.float64, part, keys, first)
            exact[b, heads, rows] = probabilities @ values.double() / total
            probabilities, total = exponentials(torch.float32, part, keys, first)
            probabilities = probabilities.to(q.dtype).float()
            plain = (probabilities @ values.float() / total).to(q.dtype)
            error = (plain.double() - exact[b, heads, rows]).abs().max()
            plain_error = torch.maximum(plain_error, error)
        largest = exact.abs().max().item()
        return Reference(exact, error_limit(shape.dtype, largest, plain_error.item()))

    def get_error(self, reference: Reference, output: Any) -> float:
        """The largest; NaN where the output has any."""
        return (output.double() - reference.exact).abs().max().item()

    def _event(self) -> Any:
        return self.torch.cuda.Event(enable_timing=True)

    def burst(self, function: Function, count: int) -> List[float]:
        """Seconds of each of `count` runs, after a time without work."""
        events = [(self._event(), self._event()) for _ in range(count)]
        self.torch.cuda.synchronize()
        time.sleep(IDLE)
        # Lets the host run ahead, so that no run waits for its launch.
        for _ in range(count):
            self.scratch.zero_()
        for before, after in events:
            self.scratch.zero_()
            before.record()
            function()
            after.record()
        self.torch.cuda.synchronize()
        return [before.elapsed_time(after) * 1e-3 for before, after in events]

    def run(self, function: Function, count: int) -> float:
        """Seconds of `count` runs, each right after the other."""
        before, after = self._event(), self._event()
        before.record()
        for _ in range(count):
            function()
        after.record()
        after.synchronize()
        return before.elapsed_time(after) * 1e-3

    def make_product(self, dtype: str) -> Function:
        shape = (self.product_size, self.product_size)
        a, b = (self.torch.randn(shape, device="cuda").to(self.dtypes[dtype])
                for _ in range(2))
        out = self.torch.empty_like(a)
        return lambda: self.torch.matmul(a, b, out=out)

    def make_copy(self) -> Tuple[Function, int]:
        """A copy, and the bytes that it reads and writes."""
        source = self.torch.zeros(1 << 30, dtype=self.torch.uint8, device="cuda")
        target = self.torch.empty_like(source)
        return lambda: target.copy_(source), 2 * source.numel()


def find(target: str) -> Any:
    """The machine that `target` names; "auto" is the GPU where torch can use one, and
    else the host."""
    if target == "host":
        return Host()
    try:
        return Cuda()
    except Error as error:
        if target == "cuda":
            raise Error(f"target cuda: {error}; `attnc bench` needs no torch") from None
    return Host()
