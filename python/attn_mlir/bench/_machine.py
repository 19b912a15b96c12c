"""The machines on which attention is timed: a GPU through torch, or the host with NumPy. Both
create arrays, time functions, and provide a matrix product and a copy, whose rates are measured for
comparison."""

import contextlib
import datetime
import platform
import time
from importlib import metadata
from typing import Any, Callable, Dict, List, Sequence, Tuple

from .._errors import Error
from .._library import binding
from ._reference import Reference
from ._shapes import Shape

Function = Callable[[], Any]
# Seconds of sleep before each round of runs, so that the GPU's power limit does not lower its
# clocks.
IDLE = 0.06
RUNS = 10
# The packages whose versions a table of rates names, if they are installed.
_PACKAGES = ("numpy", "torch", "triton", "jax", "tokamax", "flash-attn", "fa3-fwd",
             "flash-attn-4", "flashinfer-python")
# The length in seconds of one measurement of sustained runs, which follow each other without pause.
WINDOW = 0.02
# The dtypes of NumPy and torch, which have the same names; for NumPy, bfloat16 comes from
# ml_dtypes.
DTYPES = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64",
          "i32": "int32", "i64": "int64", "i1": "bool"}


def sustain(run: Callable[[int], float], duration: float) -> List[float]:
    """Measures runs that follow each other without a pause for `duration` seconds. `run(count)`
    makes `count` runs and returns their seconds. Returns the seconds of a run, for each measurement
    in the second half of `duration`, when clocks have settled."""
    total, count, times = 0.0, 1, []
    while total < duration:
        seconds = max(run(count), 1e-9)
        total += seconds
        if total > duration / 2:
            times.append(seconds / count)
        count = max(1, int(WINDOW / (seconds / count)))
    return times


class _Arrays:
    """The common part of machines, which creates arrays of `library`: NumPy, torch or
    jax.numpy."""

    library: Any
    device_name: str
    # The number of scores that the computation of a reference has in memory at a time.
    part: int

    def normal(self, seed: int, sizes: Sequence[int], dtype: str) -> Any:
        raise NotImplementedError

    def make_arrays(self, shape: Shape) -> Tuple[Any, Any, Any]:
        return (self.make_heads(shape, 0, shape.heads, shape.rows, shape.head_dim),
                self.make_heads(shape, 1, shape.kv_heads, shape.keys, shape.head_dim),
                self.make_heads(shape, 2, shape.kv_heads, shape.keys,
                                shape.value_head_dim))

    def make_heads(self, shape: Shape, seed: int, heads: int, rows: int,
                   head_dim: int) -> Any:
        """Returns a new array (batch, head, row, head dim) of random numbers, whose order in memory
        is (batch, row, head, head dim)."""
        return self.normal(seed, (shape.batch, rows, heads, head_dim),
                           shape.dtype).swapaxes(1, 2)

    def cast(self, array: Any, dtype: str) -> Any:
        raise NotImplementedError

    def get_error(self, reference: Reference, output: Any) -> float:
        """Returns the largest absolute difference of an output from the reference's exact result,
        or NaN if the output has a NaN."""
        return float(abs(self.cast(output, "f64") - reference.exact).max())

    def get_conditions(self, commit: str) -> Dict[str, str]:
        """Returns the conditions of a measurement: the device, the date (UTC), the commit of this
        project, and the versions of this project and of installed packages."""
        today = datetime.datetime.now(datetime.timezone.utc).date()
        return {"device": self.device_name, "date": today.isoformat(), "commit": commit,
                "attn-mlir": binding.version(), **self.get_versions()}

    def get_versions(self) -> Dict[str, str]:
        found = {}
        for name in _PACKAGES:
            with contextlib.suppress(metadata.PackageNotFoundError):
                found[name] = metadata.version(name)
        return found


class Host(_Arrays):
    """The CPU of this machine, with NumPy's arrays. Runs find its caches as the runs before have
    left them."""

    name = "host"
    part = 1 << 22
    product_size = 512
    product_dtype = "f32"  # NumPy has no fast product of others

    def __init__(self) -> None:
        try:
            import numpy
        except ImportError as error:
            raise Error(f"expected NumPy for the host: {error}") from None
        self.library = self.numpy = numpy
        self.device_name = platform.processor() or platform.machine()
        self.description = "host, NumPy " + numpy.__version__

    def _dtype(self, dtype: str) -> Any:
        if dtype != "bf16":
            return self.numpy.dtype(DTYPES[dtype])
        try:
            import ml_dtypes
        except ImportError:
            raise Error("expected ml_dtypes for bf16 on the host; --dtype f16 and f32 "
                        "need none") from None
        return ml_dtypes.bfloat16

    def normal(self, seed: int, sizes: Sequence[int], dtype: str) -> Any:
        random = self.numpy.random.default_rng(seed)
        made = random.standard_normal(sizes, self.numpy.float32)
        return self.cast(made, dtype)

    def array(self, numbers: Sequence[Any], dtype: str) -> Any:
        return self.numpy.array(numbers, self._dtype(dtype))

    def arange(self, first: int, end: int) -> Any:
        return self.numpy.arange(first, end)

    def zeros(self, sizes: Sequence[int], dtype: str) -> Any:
        return self.numpy.zeros(sizes, self._dtype(dtype))

    def cast(self, array: Any, dtype: str) -> Any:
        return array.astype(self._dtype(dtype), copy=False)

    def burst(self, function: Function, count: int) -> List[float]:
        """Returns the seconds of each of `count` runs, after a pause of IDLE seconds."""
        time.sleep(IDLE)
        return [self.run(function, 1) for _ in range(count)]

    def run(self, function: Function, count: int) -> float:
        """Returns the seconds that `count` runs take in total, one right after another."""
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
        """Returns a function that copies an array, and the number of bytes that it reads plus the
        number that it writes."""
        source = self.numpy.ones(64 << 20, self.numpy.uint8)
        target = self.numpy.zeros_like(source)
        return lambda: self.numpy.copyto(target, source), 2 * source.nbytes


class Cuda(_Arrays):
    """The current GPU, with torch's tensors. In bursts, caches are cold: the GPU writes 256 MiB
    before each run. During that, the host launches the run, so that its time does not include the
    launch."""

    name = device = "cuda"
    part = 1 << 27
    product_size = 8192

    def __init__(self) -> None:
        try:
            import torch
        except ImportError as error:
            raise Error(f"expected torch: {error}") from None
        if not torch.cuda.is_available():
            raise Error("expected a CUDA device that torch can use, found none")
        self.library = self.torch = torch
        self.scratch = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
        self.device_name = torch.cuda.get_device_name()
        self.description = f"cuda, {self.device_name}, torch {torch.__version__}"

    def get_versions(self) -> Dict[str, str]:
        cudnn = self.torch.backends.cudnn.version()  # such as 91900
        known = {"cudnn": f"{cudnn // 10000}.{cudnn // 100 % 100}.{cudnn % 100}"}
        return {**super().get_versions(), **(known if cudnn else {})}

    def _dtype(self, dtype: str) -> Any:
        return getattr(self.torch, DTYPES[dtype])

    def normal(self, seed: int, sizes: Sequence[int], dtype: str) -> Any:
        generator = self.torch.Generator(self.device).manual_seed(seed)
        return self.torch.randn(sizes, dtype=self._dtype(dtype), device=self.device,
                                generator=generator)

    def array(self, numbers: Sequence[Any], dtype: str) -> Any:
        return self.torch.tensor(numbers, dtype=self._dtype(dtype), device=self.device)

    def arange(self, first: int, end: int) -> Any:
        return self.torch.arange(first, end, device=self.device)

    def zeros(self, sizes: Sequence[int], dtype: str) -> Any:
        return self.torch.zeros(sizes, dtype=self._dtype(dtype), device=self.device)

    def cast(self, array: Any, dtype: str) -> Any:
        return array.to(self._dtype(dtype))

    def _event(self) -> Any:
        return self.torch.cuda.Event(enable_timing=True)

    def burst(self, function: Function, count: int) -> List[float]:
        """Returns the seconds of each of `count` runs, after a pause of IDLE seconds."""
        events = [(self._event(), self._event()) for _ in range(count)]
        self.torch.cuda.synchronize()
        time.sleep(IDLE)
        # Writes to memory first, so that the GPU has work while the host launches the runs, and no
        # timed run waits for its launch.
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
        """Returns the seconds that `count` runs take in total, one right after another."""
        before, after = self._event(), self._event()
        before.record()
        for _ in range(count):
            function()
        after.record()
        after.synchronize()
        return before.elapsed_time(after) * 1e-3

    def make_product(self, dtype: str) -> Function:
        shape = (self.product_size, self.product_size)
        a, b = (self.torch.randn(shape, device="cuda").to(self._dtype(dtype))
                for _ in range(2))
        out = self.torch.empty_like(a)
        return lambda: self.torch.matmul(a, b, out=out)

    def make_copy(self) -> Tuple[Function, int]:
        """Returns a function that copies an array, and the number of bytes that it reads plus the
        number that it writes."""
        source = self.torch.zeros(1 << 30, dtype=self.torch.uint8, device="cuda")
        target = self.torch.empty_like(source)
        return lambda: target.copy_(source), 2 * source.numel()


def find(target: str) -> Any:
    """Returns the machine that `target` names. "auto" is the GPU if torch can use one, else the
    host."""
    if target == "host":
        return Host()
    try:
        return Cuda()
    except Error as error:
        if target == "cuda":
            raise Error(f"target cuda: {error}; `attnc bench` needs no torch") from None
    return Host()
