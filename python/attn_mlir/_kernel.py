"""Compiled functions: their compilation, their properties, and their launches on arrays."""

import contextlib
import functools
import math
import struct
import os
import sys
import weakref
from dataclasses import dataclass
from typing import Any, List, Optional, Sequence, Tuple, Union

from . import _cuda
from ._arrays import adapter_of, expected, writable_adapter_of
from ._dropout import check_probability
from ._errors import ArgumentError, Error
from ._library import ANY, DTYPE_NAMES, DTYPES, KINDS, binding
from ._module import DTYPES as FLOATS
from ._module import (GRADIENTS, NARROW_QUERIES, Arrays, Causal, Features, Window,
                      backward_text, check_wrt, module_text)
from ._options import as_flag, as_integer, as_stream
from ._spellings import refuse
from ._tracing import MaskMod, ScoreMod, as_mask, as_score
from ._within import check_value_dims

# For each dtype of numbers that a kernel takes, its format character in Python's module struct.
_SCALARS = {"f32": "f", "f64": "d", "i1": "B", "i8": "b", "i16": "h", "i32": "i", "i64": "q"}


@dataclass(frozen=True)
class Argument:
    """One argument of a launch. Sizes, and strides in elements, are None where each launch chooses
    them. `kind` is "input", "output", "scratch" or "scalar". `is_updated` says that the function
    also writes an input. `name` is the argument's role in the
    attention: query, key, value, output, lse, sink, d_output, d_lse, d_query, d_key, d_value or
    d_sink; for the arrays that regions capture, in order, capture0, capture1 and so on; for the
    gradient of capture0, d_capture0. Other arguments have the name ""."""

    kind: str
    dtype: str
    sizes: Tuple[Optional[int], ...]
    strides: Tuple[Optional[int], ...]
    is_contiguous: bool
    is_updated: bool
    name: str
    type: str

    @property
    def _is_written(self) -> bool:
        return self.is_updated or self.kind in ("output", "scratch")


@dataclass(frozen=True)
class Resources:
    """The resources of one GPU kernel: those of each CTA, registers and local bytes of each thread.
    Static shared bytes, registers, local bytes and the number of CTAs that fit on an SM are known
    once the driver has loaded the kernel, and are None without a GPU that can run it (`attnc
    inspect` gets them from ptxas, which is not used here). Local bytes are spilled registers and
    indexed arrays. `reasons` say why the kernel has its schedule."""

    name: str
    schedule: str
    threads: int
    dynamic_shared_bytes: int
    static_shared_bytes: Optional[int]
    registers: Optional[int]
    local_bytes: Optional[int]
    ctas_per_sm: Optional[int]
    reasons: Tuple[str, ...]


def _check_text(name: str, value: Optional[str]) -> Optional[str]:
    if value is not None and (not isinstance(value, str) or "\0" in value):
        raise expected(name, "a string", repr(value))
    return value


# Programs whose kernels nobody needs, which were not destroyed since a stream was being captured.
_unneeded: List[int] = []


def _destroy(program: int, is_host: bool) -> None:
    if is_host:
        binding.destroy(program)
        return
    _unneeded.append(program)
    # Waiting for the device would end the capture with an error.
    torch = sys.modules.get("torch")
    if torch and torch.cuda.is_initialized() and torch.cuda.is_current_stream_capturing():
        return
    # The list is emptied before the wait: other threads may add programs, whose kernels may run
    # after it.
    ended: List[int] = []
    with contextlib.suppress(IndexError):  # also where another thread takes the last one
        while True:
            ended.append(_unneeded.pop())
    with contextlib.suppress(Error):  # without a driver nothing can run
        _cuda.synchronize()
    for its in ended:
        binding.destroy(its)


class Kernel:
    """A function compiled for one target, as `compile` returns it.

    All methods may be called from any thread.
    """

    def __init__(self, program: int) -> None:
        self._program = program
        self._finalizer = weakref.finalize(self, _destroy, program, self.chip == "host")
        # The finalizer does not run at the end of the process, where the order of finalizers is not
        # known. The end of the process frees everything anyway.
        self._finalizer.atexit = False

    def __copy__(self) -> "Kernel":
        return self

    def __deepcopy__(self, memo: Any) -> "Kernel":
        return self

    def __reduce__(self) -> Any:
        raise TypeError("attn_mlir.Kernel: expected no copy in another process, where it is "
                        "compiled again (a cache on disk makes that short)")

    def __repr__(self) -> str:
        arguments = []
        for number, its in enumerate(self._arguments):
            sizes = ", ".join(["?" if size is None else str(size) for size in its.sizes])
            arguments.append(f"{its.name or number}: {its.dtype}"
                             + (f" ({sizes})" if its.kind != "scalar" else ""))
        return f"<attn_mlir.Kernel for {self.chip}: {', '.join(arguments)}>"

    @property
    def chip(self) -> str:
        """The target: "host", or an NVIDIA chip such as "sm_90a"."""
        return binding.texts(self._program)[0]

    @property
    def ptx(self) -> Optional[str]:
        """The PTX of all kernels of the function, as one text; None for the host."""
        return binding.texts(self._program)[1]

    @property
    def diagnostics(self) -> str:
        """The warnings and remarks that the compilation printed."""
        return binding.texts(self._program)[2]

    def ir(self, stage: str) -> str:
        """Returns the module as text after a stage: "source", "tile", "nvvm" (for a chip) or
        "llvm". `stage` may also be the name that attn-opt has for a pass: the text then has the
        module once for each run of that pass, as it is after the run. Raises ArgumentError, which
        lists all names, for any other name."""
        return binding.ir(self._program, _check_text("stage", stage))

    @property
    def arguments(self) -> List[Argument]:
        """Descriptions of the arguments that `run` takes, in their order."""
        return list(self._arguments)

    @functools.cached_property
    def _arguments(self) -> Tuple[Argument, ...]:
        return tuple([
            Argument(KINDS[kind], DTYPE_NAMES[dtype], sizes, strides, bool(is_contiguous),
                     bool(is_updated), *texts)
            for kind, dtype, sizes, strides, is_contiguous, is_updated, *texts in
            binding.arguments(self._program)])

    @property
    def resources(self) -> List[Resources]:
        """The resources of each GPU kernel; an empty list for the host."""
        return [Resources(*known, *[None if its < 0 else its for its in asked],
                          tuple(reasons.splitlines()))
                for *known, static, registers, local, ctas, reasons in binding.kernels(
                    self._program)
                for asked in [(static, registers, local, ctas)]]

    def workspace_size(self, *arguments: Any) -> int:
        """Returns the number of bytes of device memory that a launch with these arguments, which
        are those of `run`, needs for its workspace: arrays that one of its kernels writes and a
        later one reads. See `attn_mlir.workspace`."""
        return binding.count_workspace(self._program, self._describe(arguments)[0])

    def run(self, *arguments: Any, stream: Optional[int] = None) -> None:
        """Launches the function on arrays and numbers, one for each of `arguments`.

        On a GPU this returns before the work is done. The work runs in order on `stream`: the
        handle of a CUDA stream as an integer, or by default the current stream of the arrays'
        library. Arrays that are written must not overlap other arrays. Raises ArgumentError, which names the
        argument, or Error.
        """
        described, (device_type, device, current) = self._describe(arguments)
        binding.launch(self._program, current if stream is None else as_stream(stream),
                       described, device_type, device, ())
        binding.note_written(tuple([value for value, info in zip(arguments, self._arguments)
                                    if info._is_written]))

    def _describe(self, values: Sequence[Any]) -> Tuple[List[Tuple], Tuple]:
        """Returns descriptions of the arguments' values, and the device type, the device and the
        current stream of the first array."""
        infos = self._arguments
        if len(values) != len(infos):
            raise ArgumentError(f"expected {len(infos)} arguments, found {len(values)}")
        found: List[Tuple] = []
        place: Tuple = ()
        for index, (value, info) in enumerate(zip(values, infos)):
            name = f"argument {index}" + (f" ({info.name})" if info.name else "")
            if info.kind == "scalar":
                found.append((_scalar(name, value, info.dtype), (), (), DTYPES[info.dtype], ANY,
                              None, None))
                continue
            find = writable_adapter_of if info._is_written else adapter_of
            adapter = find(name, value)
            found.append(adapter.describe(name, value))
            place = place or (*found[-1][4:6], adapter.stream(value, found[-1][5]))
        return found, place or (ANY, None, None)


def _scalar(name: str, value: Any, dtype: str) -> bytes:
    kind = _SCALARS.get(dtype)
    if kind is None:
        raise expected(name, "no number of type " + dtype + ", which Python lacks",
                       repr(value))
    wanted = int if dtype[0] == "i" else (int, float)
    try:
        if isinstance(value, wanted):
            return struct.pack(kind, value)
    except OverflowError:  # a number too large for f32
        return struct.pack(kind, math.copysign(math.inf, value))
    except struct.error:
        pass
    raise expected(name, "a number of type " + dtype, repr(value))


def compile(source: Union[str, bytes, None] = None, *, dtype: str = "f16",
            head_dim: Optional[int] = None, value_head_dim: Optional[int] = None,
            value_dims: Optional[Tuple[int, int]] = None,
            scale: Optional[float] = None, causal: Causal = False,
            window: Window = None, align: str = "top_left", return_lse: bool = False,
            score_mod: ScoreMod = None, mask_mod: MaskMod = None,
            sink: Optional[str] = None, dropout_p: float = 0.0, backward: bool = False,
            wrt: Union[str, Sequence[str]] = GRADIENTS, d_lse: bool = False,
            deterministic: bool = False, chip: Optional[str] = None,
            access: Optional[str] = None, function: Optional[str] = None,
            cpu: Optional[str] = None, cache: Optional[str] = None,
            lineinfo: Union[str, "os.PathLike[str]", None] = None,
            **others: Any) -> Kernel:
    """Compiles a module of MLIR, as text or bytecode, or else one attention of any batch size,
    heads, lengths and strides.

    The attention is given by `dtype` ("f16", "bf16" or "f32"), `head_dim`, `value_head_dim` (by
    default the same), and by what `attention` takes. Its arguments are, in this order:

    - query (B, Hq, Sq, D) and key (B, Hkv, Skv, D);
    - value (B, Hkv, Skv, Dv), unless `value_dims` gives the first column of key that belongs to the
      values and the one past the last;
    - the arrays that `score_mod` captures, then those that `mask_mod` captures;
    - with `sink`, which is the sink's dtype, the sink (Hq);
    - with `dropout_p`, a seed and an offset as numbers;
    - output (B, Hq, Sq, Dv), and with `return_lse` lse (B, Hq, Sq) in f32.

    With `backward` the function computes attention's gradients. Its arguments are query, key,
    value, output, lse, d_output, with `d_lse` the gradient of the lse, the captured arrays, the
    sink, the seed and the offset, and the gradients that `wrt` lists, as attention_backward takes
    and returns them. Only attention_backward computes gradients of captured arrays.

    `chip` is "host" or an NVIDIA chip such as "sm_90a", for which no GPU need be there; by default
    it is that of the current CUDA context, or of device 0. `access` and `cpu` are those of
    attn_compile_options, and `function` is the public function to compile ("main"). `cache` is the
    directory of the cache of compiled kernels, "0" for none; by default the environment decides, as
    attn-c/attn.h says. For a chip, `lineinfo` names a file to which the tile programs are written,
    and which a profiler then shows as the kernels' source; such a kernel is not cached. Raises
    Error, whose text says what is missing.
    """
    if others:
        refuse(compile, others)
    if source is None:
        if head_dim is None:
            raise expected("compile", "a module or head_dim", "neither")
        if value_dims is not None:
            value_dims = check_value_dims(value_dims, head_dim)
            if value_head_dim is not None or backward:
                raise expected("value_dims", "None with value_head_dim or backward",
                               repr(value_dims))
            value_head_dim = value_dims[1] - value_dims[0]
        value_head_dim = head_dim if value_head_dim is None else value_head_dim
        for name, size in (("head_dim", head_dim), ("value_head_dim", value_head_dim)):
            as_integer(name, size, 1, 2**31, "an integer from 1 to 2^31 - 1")
        if dtype not in (*FLOATS, *NARROW_QUERIES):
            raise expected("dtype", "f16, bf16 or f32, or f8E4M3FN or f8E5M2", repr(dtype))
        arrays = Arrays(dtype, head_dim, value_head_dim)
        backward, return_lse = as_flag("backward", backward), as_flag("return_lse", return_lse)
        d_lse, deterministic = as_flag("d_lse", d_lse), as_flag("deterministic", deterministic)
        options: Any = {"causal": causal, "window": window, "align": align,
                        "scale": scale, "score": as_score(score_mod) or "",
                        "mask": as_mask(mask_mod) or "",
                        "features": Features(sink or "", check_probability(dropout_p))}
        if sink is not None and sink not in FLOATS:
            raise expected("sink", "a dtype of " + ", ".join(FLOATS), repr(sink))
        if backward:
            if return_lse:
                raise expected("return_lse", "False with backward, which takes the lse",
                               "True")
            source = backward_text(arrays, wrt=check_wrt(wrt, has_sink=sink is not None),
                                   d_lse=d_lse, deterministic=deterministic, **options)
        else:
            source = module_text(arrays, return_lse=return_lse, value_dims=value_dims, **options)
    elif head_dim is not None:
        raise expected("head_dim", "None beside a module", head_dim)
    if not isinstance(source, (str, bytes)):
        raise expected("source", "MLIR as str or bytes", type(source).__qualname__)
    data = source.encode() if isinstance(source, str) else source
    if isinstance(lineinfo, os.PathLike):
        lineinfo = os.fspath(lineinfo)
    texts = {"chip": chip, "access": access, "function": function, "cpu": cpu,
             "cache": cache, "lineinfo": lineinfo}
    return Kernel(binding.compile(data, *[_check_text(*its) for its in texts.items()]))
