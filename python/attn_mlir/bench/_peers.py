"""The implementations that are timed: attn_mlir and its peers. Each creates from a shape and arrays
a function without arguments that computes attention, or raises an exception that says why it
cannot. This module has the implementations for plain forward passes, on which those in other
modules build."""

import contextlib
import functools
import importlib
import os
import time
from typing import (Any, Callable, ContextManager, Dict, List, NamedTuple, Optional,
                    Tuple, Type)

import attn_mlir

from .._errors import Error
from ._machine import IDLE, Function
from ._reference import Reference, attend
from ._shapes import Shape

# The arrays of a problem: query, key, value, and further arrays that depend on the set.
Arrays = Tuple[Any, ...]


class Implementation:
    """An implementation of attention that is timed by its methods `burst` and `run`, which call
    those of the machine unless a subclass overrides them."""

    name: str

    def __init__(self, machine: Any) -> None:
        self.machine = machine

    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        raise NotImplementedError

    def context(self) -> ContextManager[Any]:
        """Returns the context in which the function that `prepare` returns is called."""
        return contextlib.nullcontext()

    def get_output(self, result: Any) -> Any:
        """Converts the result of the function that `prepare` returns to an array of the machine, or
        to a tuple of arrays, with the order of dimensions that the reference has."""
        return result

    def burst(self, function: Function, count: int) -> List[float]:
        return self.machine.burst(function, count)

    def run(self, function: Function, count: int) -> float:
        return self.machine.run(function, count)


class Problem(NamedTuple):
    """The problem of a row of the table: its shape and arrays, and the references with which
    results are compared."""

    shape: Shape
    arrays: Arrays
    references: List[Reference]


class Kind(NamedTuple):
    """The parts that sets of shapes may have in common: the function that creates their problems,
    and the implementations that solve them."""

    make_problem: Callable[[Any, Shape], Problem]
    own: Type[Implementation]
    peers: Dict[str, Type[Implementation]]


def by_name(*peers: Type[Implementation]) -> Dict[str, Type[Implementation]]:
    return {peer.name: peer for peer in peers}


def make_plain_problem(machine: Any, shape: Shape) -> Problem:
    arrays = machine.make_arrays(shape)
    return Problem(shape, arrays, [attend(machine, shape, arrays)[0]])


class Own(Implementation):
    name = "attn-mlir"

    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        q, k, v = arrays
        causal = "top_left" if shape.causal else False
        return lambda: attn_mlir.attention(q, k, v, causal=causal)


class OfTorch(Implementation):
    def __init__(self, machine: Any) -> None:
        super().__init__(machine)
        if machine.name != "cuda":
            raise Error("expected a CUDA device")


class _SDPA(OfTorch):
    """torch's scaled_dot_product_attention, which may use only the back end `backend`."""

    backend: str

    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        from torch.nn.functional import scaled_dot_product_attention as attention
        q, k, v = arrays
        options = {"is_causal": shape.causal}
        if shape.heads != shape.kv_heads:
            options["enable_gqa"] = True
        return lambda: attention(q, k, v, **options)

    def context(self) -> ContextManager[Any]:
        from torch.nn.attention import SDPBackend, sdpa_kernel
        return sdpa_kernel(getattr(SDPBackend, self.backend))


class CuDNN(_SDPA):
    name, backend = "cudnn", "CUDNN_ATTENTION"


class FA2(_SDPA):
    name, backend = "fa2", "FLASH_ATTENTION"


class Flex(OfTorch):
    name = "flex"
    options: Optional[Dict[str, Any]] = None

    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        attention = self.compile(shape, arrays[0].device)
        return lambda: attention(*arrays)

    def compile(self, shape: Shape, device: Any, mask_mod: Any = None,
                **options: Any) -> Callable[..., Any]:
        """Returns FlexAttention, compiled for a shape, as a function of query, key and value."""
        import torch
        from torch.nn.attention.flex_attention import (and_masks, create_block_mask,
                                                       flex_attention)
        # Clears torch.compile's cache: if the cache were full, compiling for a further shape would
        # be an error, because of fullgraph=True.
        torch._dynamo.reset()
        attention = torch.compile(flex_attention, dynamic=False, fullgraph=True)
        masks = [its for its in (_keep_past if shape.causal else None, mask_mod) if its]
        if masks:
            # If there is a mask function, the block mask has a batch dimension, since captured
            # arrays may make the mask differ between batch entries. A causal mask alone does not.
            options["block_mask"] = create_block_mask(
                and_masks(*masks), shape.batch if mask_mod else None, None, shape.rows,
                shape.keys, device=device)
        return functools.partial(
            attention, enable_gqa=shape.heads != shape.kv_heads,
            kernel_options=self.options, **options)


def _keep_past(b: Any, h: Any, q: Any, kv: Any) -> Any:
    return q >= kv


class _Bound:
    """A compiled function of JAX's with its arguments, as a function without arguments."""

    def __init__(self, function: Any, inputs: List[Any]) -> None:
        self.function, self.inputs = function, inputs

    def __call__(self) -> Any:
        return self.function(*self.inputs)


class Mosaic(OfTorch):
    """JAX's attention kernel for Hopper, written in Mosaic. JAX's profiler measures the time of the
    kernel, with warm caches, since torch's events do not see JAX's streams."""

    name = "mosaic"
    # For each head dim, the configurations to try, (block_q, block_kv, max_concurrent_steps): those
    # that fit into shared memory.
    CONFIGS = {64: ((64, 256, 2), (64, 128, 4), (128, 128, 4)),
               128: ((64, 128, 2), (64, 64, 4)), 256: ((64, 64, 2),)}

    def __init__(self, machine: Any) -> None:
        super().__init__(machine)
        # Turns off preallocation: JAX would allocate most of the GPU's memory at once.
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        self.jax = importlib.import_module("jax")
        self.kernels = importlib.import_module(
            "jax.experimental.pallas.ops.gpu.attention_mgpu")
        self.profiler = importlib.import_module("jax.experimental.mosaic.gpu.profiler")

    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        if shape.dtype != "f16":
            raise Error("its scratch memory is f16's")
        if shape.head_dim not in self.CONFIGS:
            raise Error(f"expected head dim 64, 128 or 256, found {shape.head_dim}")
        q, k, v = (array.transpose(1, 2) for array in arrays)
        # The kernel does not scale scores, so the query is scaled before.
        q = q * shape.head_dim ** -0.5
        inputs = [self.jax.dlpack.from_dlpack(array.contiguous()) for array in (q, k, v)]
        found, error = [], None
        for block_q, block_kv, steps in self.CONFIGS[shape.head_dim]:
            config = self.kernels.TuningConfig(
                block_q=block_q, block_kv=block_kv, max_concurrent_steps=steps,
                causal=shape.causal)
            function = _Bound(self.jax.jit(functools.partial(self.kernels.attention,
                                                             config=config)), inputs)
            try:
                found.append((min(self._profile(function, 3)), len(found), function))
            except Exception as problem:  # whatever the compiler raises
                error = problem
        if not found:
            raise error
        return min(found)[2]

    def _profile(self, function: "_Bound", count: int) -> List[float]:
        _, times = self.profiler.measure(function.function,
                                         iterations=count)(*function.inputs)
        if not times:
            raise Error("JAX's profiler saw no kernel")
        return [time * 1e-3 for time in (times if count > 1 else [times])]

    def get_output(self, result: Any) -> Any:
        return self.machine.torch.from_dlpack(result).transpose(1, 2)

    def burst(self, function: Function, count: int) -> List[float]:
        self.machine.torch.cuda.synchronize()
        time.sleep(IDLE)
        return self._profile(function, count)

    def run(self, function: Function, count: int) -> float:
        start = time.perf_counter()
        for _ in range(count):
            result = function()
        self.jax.block_until_ready(result)
        return time.perf_counter() - start


TORCH_PEERS = by_name(CuDNN, FA2, Flex, Mosaic)
