"""Kernels as custom calls of XLA: the handler of libattn-c.so, and a primitive for one
launch of a kernel."""

import functools
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

import jax
import numpy as np
from jax.extend.core import Primitive
from jax.interpreters import mlir, xla
from jaxlib.xla_client import CustomCallTargetTraits

from .. import _cuda
from .._errors import Error
from .._kernel import Kernel, compile
from .._library import ANY, DTYPES, binding

# Maps JAX's names of dtypes to MLIR's.
ELEMENTS = {"float16": "f16", "bfloat16": "bf16", "float32": "f32", "bool": "i1",
            "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64"}
# Maps JAX's names of further dtypes, which only queries, keys and values may have, to the names of
# the binding. A byte of uint8 has two numbers of 4 bits.
STORED = {"float8_e4m3fn": "f8E4M3FN", "float8_e5m2": "f8E5M2", "uint8": "u8"}
_TARGETS = {0: ("attn_mlir_cpu", "cpu"), 1: ("attn_mlir_cuda", "CUDA"),
            2: ("attn_mlir_cuda_pool", "CUDA")}
_COMMAND_BUFFER_COMPATIBLE = CustomCallTargetTraits.COMMAND_BUFFER_COMPATIBLE
# The names of this package's custom calls, which a caller passes to jax.export.DisabledSafetyCheck.
TARGET_NAMES = tuple(name for name, _ in _TARGETS.values())


def _register() -> None:
    if not hasattr(jax.ffi, "register_ffi_type"):
        raise ImportError(f"attn_mlir.jax: expected jax 0.10 or later, found {jax.__version__}")
    types = set()
    for kind, (name, platform) in _TARGETS.items():
        address, type_name, *of_type = binding.xla_target(kind)
        if platform not in types:
            types.add(platform)
            jax.ffi.register_ffi_type(
                type_name, dict(zip(("type_id", "type_info"),
                                    map(jax.ffi.pycapsule, of_type))), platform=platform)
        handler = jax.ffi.pycapsule(address)
        stages = ("instantiate", "initialize", "execute")
        # XLA may record launches on GPUs in command buffers (CUDA graphs), except those that
        # allocate their workspace from a pool. The handler's metadata states the same trait.
        traits = {"traits": _COMMAND_BUFFER_COMPATIBLE} if name == "attn_mlir_cuda" else {}
        jax.ffi.register_ffi_target(name, {stage: handler for stage in stages},
                                    platform=platform, **traits)


_register()


class Array(NamedTuple):
    """An argument of a kernel: the number of an operand or a result of the launch, where results
    are numbered after all operands, and the order in which the kernel takes the dimensions of that
    array."""

    buffer: int
    order: Tuple[int, ...]


class Launch(NamedTuple):
    """A launch of a kernel: the text of the module for CPUs, the text of the module for GPUs, the
    arguments of the module's function, and the shapes and dtypes of results. For each pair
    (operand, result) in `aliases`, the result uses the operand's memory."""

    host_text: str
    cuda_text: str
    arguments: Tuple[Array, ...]
    results: Tuple[Tuple[Tuple[int, ...], str], ...]
    aliases: Tuple[Tuple[int, int], ...] = ()


launch_p = Primitive("attn_mlir_launch")
launch_p.multiple_results = True
launch_p.def_impl(functools.partial(xla.apply_primitive, launch_p))


def results_like(avals: Sequence[Any], results: Sequence[Tuple[Tuple[int, ...], Any]],
                 specs: Optional[Sequence[Any]] = None) -> List[Any]:
    """Returns abstract arrays of these shapes and dtypes. Within shard_map they vary over the same
    manual axes of the mesh as the operands `avals`. `specs` are the partition specs of results in
    a mesh with explicit axes; by default, results are replicated."""
    first = avals[0]
    made = []
    for number, (shape, dtype) in enumerate(results):
        spec = specs[number] if specs else (None,) * len(shape)
        sharding = first.sharding.update(spec=jax.sharding.PartitionSpec(*spec))
        made.append(first.update(shape=tuple(shape), dtype=np.dtype(dtype), weak_type=False,
                                 sharding=sharding))
    return made


@launch_p.def_abstract_eval
def _abstract(*avals: Any, launch: Launch) -> List[Any]:
    return results_like(avals, launch.results)


def _words(launch: Launch, workspace: int) -> "np.ndarray[Any, Any]":
    words = [workspace]
    for its in launch.arguments:
        words += [its.buffer, len(its.order), *its.order]
    return np.array(words, np.int64)


def _lower(kind: int, ctx: Any, operands: Sequence[Any], launch: Launch,
           workspace: Optional[int]) -> Sequence[Any]:
    count = len(launch.results)
    avals = list(ctx.avals_out)
    if workspace is not None:
        avals += results_like(avals, [((workspace,), np.uint8)])
    rule = jax.ffi.ffi_lowering(_TARGETS[kind][0],
                                operand_output_aliases=dict(launch.aliases))
    found = rule(ctx.replace(avals_out=avals), *operands,
                 module=launch.cuda_text if kind else launch.host_text,
                 arguments=_words(launch, -1 if workspace is None else count))
    return found[:count]


def _lower_host(ctx: Any, *operands: Any, launch: Launch) -> Sequence[Any]:
    return _lower(0, ctx, operands, launch, None)


@functools.lru_cache(maxsize=256)
def _kernel(text: str) -> Kernel:
    return compile(text)


def _workspace_size(launch: Launch, avals: Sequence[Any]) -> int:
    """Returns the size in bytes of the workspace that a launch needs on device 0."""
    with _cuda.on_device(0):
        kernel = _kernel(launch.cuda_text)
        described = []
        for its in launch.arguments:
            shape = tuple(avals[its.buffer].shape)
            strides = [1] * len(shape)
            for dim in range(len(shape) - 2, -1, -1):
                strides[dim] = strides[dim + 1] * max(1, shape[dim + 1])
            described.append((0, [shape[dim] for dim in its.order],
                              [strides[dim] for dim in its.order],
                              DTYPES[{**ELEMENTS, **STORED}[avals[its.buffer].dtype.name]],
                              ANY, None))
        return binding.count_workspace(kernel._program, described)


def _lower_cuda(ctx: Any, *operands: Any, launch: Launch) -> Sequence[Any]:
    if not all([isinstance(size, int) for its in (*ctx.avals_in, *ctx.avals_out)
                for size in its.shape]):
        # With symbolic sizes of jax.export, the size of the workspace is not known either.
        return _lower(2, ctx, operands, launch, None)
    try:
        size = _workspace_size(launch, [*ctx.avals_in, *ctx.avals_out])
    except Error as error:
        if error.status not in ("NO_DRIVER", "NO_DEVICE", "DRIVER_ERROR"):
            raise
        # A call may be exported on a machine without a GPU. The size of the workspace on the target
        # is then not known, so the launch will allocate the workspace from a pool.
        return _lower(2, ctx, operands, launch, None)
    return _lower(1, ctx, operands, launch, size + 256 if size else None)


mlir.register_lowering(launch_p, _lower_host, platform="cpu")
mlir.register_lowering(launch_p, _lower_cuda, platform="cuda")
