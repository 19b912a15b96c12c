"""A device of JAX, on which attention is timed without torch."""

import platform
import time
from importlib import metadata
from typing import Any, Dict, List, Tuple

import jax
import jax.numpy as jnp

from .._errors import Error
from ._machine import DTYPES, IDLE, Function, _Arrays
from ._reference import Reference
from ._shapes import Shape

# The length in seconds of one measurement, of calls one after the other and the host's wait for the
# last one. The longer it is, the less the wait counts.
WINDOW = 0.01


def _find_device(target: str) -> Any:
    if target != "host":
        try:
            return jax.devices("cuda")[0]
        except RuntimeError as error:
            if target == "cuda":
                reason = str(error).strip().splitlines()[0]
                raise Error("target cuda: expected a CUDA device that JAX can use, and JAX's "
                            f"plugin for CUDA: {reason}") from None
    return jax.devices("cpu")[0]


class Machine(_Arrays):
    """A device of JAX. The host's clock measures times, of calls that follow each other without a
    wait between them: JAX launches ahead of the device. Caches are warm."""

    library = jnp

    def __init__(self, target: str) -> None:
        self.device = _find_device(target)
        is_host = self.device.platform == "cpu"
        self.name = "host" if is_host else "cuda"
        self.part = 1 << (20 if is_host else 27)
        self.product_size = 512 if is_host else 8192
        self.device_name = ((platform.processor() or platform.machine()) if is_host
                            else self.device.device_kind)
        self.description = f"{self.name}, {self.device_name}, JAX {jax.__version__}"

    def get_versions(self) -> Dict[str, str]:
        found = super().get_versions()
        found["jaxlib"] = metadata.version("jaxlib")
        for its in metadata.distributions():
            name = (its.metadata["Name"] or "").lower()
            if self.name == "cuda" and name.startswith(("nvidia-cudnn", "jax-cuda")):
                found[name] = its.version
        return found

    def normal(self, seed: int, sizes: Any, dtype: str) -> Any:
        with jax.default_device(self.device):
            made = jax.random.normal(jax.random.key(seed), sizes, "float32")
            return jax.device_put(made.astype(DTYPES[dtype]), self.device)

    def make_heads(self, shape: Shape, seed: int, heads: int, rows: int,
                   head_dim: int) -> Any:
        """Returns a new array of (batch, row, head, head dim), of random numbers."""
        return self.normal(seed, (shape.batch, rows, heads, head_dim), shape.dtype)

    def get_error(self, reference: Reference, output: Any) -> float:
        """Returns the largest absolute difference of an output from the reference's exact result,
        or NaN if the output has a NaN."""
        with jax.enable_x64(True):
            return float(abs(jnp.asarray(output, "float64") - reference.exact).max())

    def burst(self, function: Function, count: int) -> List[float]:
        """Measures the seconds of a call, `count` times, after a pause of IDLE seconds. Each
        measurement is the mean of at most 1000 calls, which take about WINDOW seconds in total."""
        time.sleep(IDLE)
        once = max(self.run(function, 1), 1e-6)
        calls = max(1, min(int(WINDOW / once), 1000))
        return [self.run(function, calls) / calls for _ in range(count)]

    def run(self, function: Function, count: int) -> float:
        """Returns the seconds that `count` calls take in total, one right after another."""
        result = None
        start = time.perf_counter()
        for _ in range(count):
            result = function()
        jax.block_until_ready(result)
        return time.perf_counter() - start

    def make_product(self, dtype: str) -> Function:
        sizes = (self.product_size, self.product_size)
        a, b = (self.normal(its, sizes, dtype) for its in range(2))
        product = jax.jit(jnp.matmul)
        return lambda: product(a, b)

    def make_copy(self) -> Tuple[Function, int]:
        """Returns a function that copies an array, and the number of bytes that it reads plus the
        number that it writes."""
        count = 16 << 20 if self.name == "host" else 1 << 30
        with jax.default_device(self.device):
            source = jnp.zeros(count, "uint8")
        copy = jax.jit(lambda its: its + jnp.uint8(1))
        return lambda: copy(source), 2 * count
