"""Attention on arrays, and the kernels that were compiled for it.

A call with a known kernel should cost the host little, so each thread keeps for
each kernel the launch's arguments in a form that C reads, and a call fills in
addresses, sizes and strides alone.
"""

import ctypes
import struct
import threading
import types
import weakref
from typing import Any, Callable, Dict, Optional, Tuple, Union

from . import _cuda
from ._arrays import adapter_of, adapters, expected, writable_adapter_of
from ._kernel import Kernel, compile, recover
from ._library import ANY, CPU, CUDA, DTYPE_NAMES, F32, Buffer, library
from ._module import DTYPES, Causal, Window
from .score import Score, trace

_launch = library.attn_launch
_WORDS_OF_BUFFER = ctypes.sizeof(Buffer) // 8
_PLACES = {ANY: "an unstated device", CPU: "the CPU", CUDA: "GPU"}


class _Frame:
    """The arguments of one kernel's launches from one thread."""

    __slots__ = ("kernel", "program", "buffers", "address", "words", "shapes", "pack",
                 "count")

    def __init__(self, kernel: Kernel, ranks: Tuple[int, ...], dtypes: Tuple[int, ...],
                 device_type: int, device: Optional[int]) -> None:
        self.kernel = kernel
        self.program = ctypes.c_void_p(kernel._program)
        self.count = len(ranks)
        self.buffers = (Buffer * self.count)()
        self.address = ctypes.c_void_p(ctypes.addressof(self.buffers))
        self.words = (ctypes.c_uint64 * (self.count * _WORDS_OF_BUFFER)).from_buffer(
            self.buffers)
        self.shapes = (ctypes.c_int64 * (2 * sum(ranks)))()
        self.pack = struct.Struct(f"={2 * sum(ranks)}q").pack_into
        next_ = ctypes.addressof(self.shapes)
        for buffer, rank, dtype in zip(self.buffers, ranks, dtypes):
            buffer.sizes, buffer.strides = next_, next_ + 8 * rank
            buffer.rank, buffer.dtype = rank, dtype
            buffer.device_type, buffer.device_id = device_type, device or 0
            next_ += 16 * rank


class _Frames(threading.local):
    def __init__(self) -> None:
        self.by_key: Dict[Tuple, _Frame] = {}


_frames = _Frames()
_kernels: Dict[Tuple, Kernel] = {}
_lock = threading.Lock()
# Of each score function: what it captured when it was traced, and the text.
_traced: "weakref.WeakKeyDictionary[Any, Tuple[Tuple, Score]]" = (
    weakref.WeakKeyDictionary())


def _captures(function: Any) -> Tuple:
    """What a function reads besides its arguments: numbers as they are, all else by
    identity."""
    if not isinstance(function, types.FunctionType):
        return ()
    values = [cell.cell_contents for cell in function.__closure__ or ()]
    values += function.__defaults__ or ()
    names = function.__code__.co_names
    values += [function.__globals__[name] for name in names
               if name in function.__globals__]
    return tuple([(type(value), value) if type(value) in (int, float, bool)
                  else id(value) for value in values])


def _trace(score_mod: Callable[..., Any]) -> Score:
    try:
        captured, known = _captures(score_mod), _traced.get(score_mod)
    except (TypeError, ValueError):  # not hashable, or an empty cell
        return trace(score_mod)
    if known is None or known[0] != captured:
        known = captured, trace(score_mod)
        _traced[score_mod] = known
    return known[1]


def _check_dtype(dtype: int) -> None:
    if DTYPE_NAMES[dtype] not in DTYPES:
        raise expected("q", "dtype " + ", ".join(DTYPES), DTYPE_NAMES[dtype])


def _make_frame(key: Tuple) -> _Frame:
    """A frame of this thread's for a kernel, which is compiled if it is new."""
    (dtype, head_dim, value_head_dim, device_type, device, scale, causal, window, align,
     return_lse, score) = key
    _check_dtype(dtype)
    with _lock:
        kernel = _kernels.get(key)
        if kernel is None:
            def build(chip: Optional[str]) -> Kernel:
                return compile(dtype=DTYPE_NAMES[dtype], head_dim=head_dim,
                               value_head_dim=value_head_dim, scale=scale,
                               causal=causal, window=window, align=align,
                               return_lse=return_lse, score_mod=score, chip=chip)

            if device_type == CPU:
                kernel = build("host")
            else:
                with _cuda.on_device(device):
                    kernel = build(None)
            _kernels[key] = kernel
    lse = ((3,), (F32,)) if return_lse else ((), ())
    frame = _Frame(kernel, (4, 4, 4, 4) + lse[0], (dtype,) * 4 + lse[1], device_type,
                   device)
    _frames.by_key[key] = frame
    return frame


def _place(device_type: int, device: Optional[int]) -> str:
    name = _PLACES.get(device_type, "other memory")
    return f"{name} {device}" if device_type == CUDA else name


def _check_alike(described: Dict[str, Tuple], dtype: int, device_type: int,
                 device: Optional[int]) -> None:
    """Raises for the first array that is of another rank, dtype or place than q."""
    _check_dtype(dtype)
    for name, (_, sizes, _, its_dtype, its_type, its_device, _) in described.items():
        if len(sizes) != (3 if name == "lse" else 4):
            raise expected(name, "rank 3: (B, H, S)" if name == "lse"
                           else "rank 4: (B, H, S, D)", f"sizes {tuple(sizes)}")
        if (its_type, its_device) != (device_type, device):
            raise expected(name, f"an array on {_place(device_type, device)}, as q is",
                           f"one on {_place(its_type, its_device)}")
        wanted = F32 if name == "lse" else dtype
        if its_dtype != wanted:
            raise expected(name, f"dtype {DTYPE_NAMES[wanted]}", DTYPE_NAMES[its_dtype])


def _check_out(out: Any, return_lse: bool, dtype: int, device_type: int,
               device: Optional[int]) -> Tuple[Any, Any]:
    """The arrays of `out`: the output, and the lse or None."""
    arrays = {"out": out}
    if return_lse:
        if not (isinstance(out, (tuple, list)) and len(out) == 2):
            raise expected("out", "a pair of arrays, with return_lse",
                           type(out).__qualname__)
        arrays = dict(zip(("out", "lse"), out))
    _check_alike({name: writable_adapter_of(name, array).describe(name, array)
                  for name, array in arrays.items()}, dtype, device_type, device)
    return arrays["out"], arrays.get("lse")


def attention(q: Any, k: Any, v: Any, *, scale: Optional[float] = None,
              causal: Causal = False, window: Window = None, align: str = "top_left",
              return_lse: bool = False,
              score_mod: Union[Score, Callable[..., Any], None] = None,
              out: Any = None, stream: Optional[int] = None) -> Any:
    """softmax(scale * q k^T) v, with masks and a score function.

    | array | sizes | dtype |
    |---|---|---|
    | `q` | (B, Hq, Sq, D) | float16, bfloat16 or float32 |
    | `k` | (B, Hkv, Skv, D), Hkv divides Hq | as q |
    | `v` | (B, Hkv, Skv, Dv) | as q |
    | result | (B, Hq, Sq, Dv), in q's order in memory where Dv = D | as q |
    | lse | (B, Hq, Sq) | float32 |

    Arrays are torch tensors, NumPy arrays, or objects with `__dlpack__` or
    `__cuda_array_interface__`, all on one device: the CPU, or an NVIDIA GPU. They are
    used where they lie, in any strides but that rows (D) have no gaps.

    - `scale`: by default 1 / sqrt(D).
    - `causal`: False, True, "top_left" (key j <= row i) or "bottom_right" (the last
      row sees all keys). True means the alignment that `align` says.
    - `window`: (left, right) keeps i - left <= j <= i + right, counted from the
      diagonal that `align` or `causal` names; None is no bound.
    - `return_lse`: also return ln sum_j exp(score), natural.
    - `score_mod`: a function of (score, b, h, q, kv); see attn_mlir.score.
    - `out`: an array for the result, or with `return_lse` a pair of arrays. It must
      not overlap the others. Needed for arrays other than torch's and NumPy's.
    - `stream`: a CUDA stream's handle as an integer; by default the caller's current
      stream in torch, or the one that `__cuda_array_interface__` names.

    A row with nothing to attend to gives 0, and lse -inf. The first call for a
    dtype, head dimensions, mask and score function compiles; later calls, of any
    lengths and strides, use the same kernel. On a GPU the call returns before the
    work is done. There is no backward pass: tensors that require gradients are
    refused where gradients are enabled. Within torch.compile, use
    attn_mlir.torch.attention.

    Raises ArgumentError, which names the argument, or Error for what the compiler or
    the GPU cannot do. Source of the algorithm: FlashAttention-2 (arXiv 2307.08691).
    """
    array = adapters.get(type(q)) or adapter_of("q", q)
    described_q = array.describe("q", q)
    described_k = (adapters.get(type(k)) or adapter_of("k", k)).describe("k", k)
    described_v = (adapters.get(type(v)) or adapter_of("v", v)).describe("v", v)
    q_data, q_sizes, q_strides, dtype, device_type, device, _ = described_q
    k_data, k_sizes, k_strides, k_dtype, k_type, k_device, _ = described_k
    v_data, v_sizes, v_strides, v_dtype, v_type, v_device, _ = described_v
    if (not len(q_sizes) == len(k_sizes) == len(v_sizes) == 4
            or not dtype == k_dtype == v_dtype
            or not device_type == k_type == v_type
            or not device == k_device == v_device):
        _check_alike({"q": described_q, "k": described_k, "v": described_v}, dtype,
                     device_type, device)
    if score_mod is not None and not isinstance(score_mod, Score):
        score_mod = _trace(score_mod)

    key = (dtype, q_sizes[3], v_sizes[3], device_type, device, scale, causal, window,
           align, return_lse, score_mod)
    try:
        frame = _frames.by_key.get(key)
    except TypeError:
        raise expected("scale, causal, window, align or return_lse",
                       "what can be hashed", key[5:10]) from None
    if frame is None:
        frame = _make_frame(key)

    if out is None:
        output = array.empty(q, v_sizes[3])
        lse = array.empty_lse(q) if return_lse else None
    else:
        output, lse = _check_out(out, return_lse, dtype, device_type, device)
    o_data, o_sizes, o_strides, _, _, _, alive = (
        adapters.get(type(output)) or adapter_of("out", output)).describe("out", output)

    shapes = (*q_sizes, *q_strides, *k_sizes, *k_strides, *v_sizes, *v_strides,
              *o_sizes, *o_strides)
    if return_lse:
        lse_data, lse_sizes, lse_strides, _, _, _, lse_alive = adapter_of(
            "lse", lse).describe("lse", lse)
        shapes += (*lse_sizes, *lse_strides)
    if stream is None:
        stream = array.stream(q, device)
    elif not isinstance(stream, int):
        raise expected("stream", "a CUDA stream's handle as an integer", repr(stream))

    # From here on the frame is in use, and nothing may come in between. A buffer is
    # five words, of which the first is the address.
    words = frame.words
    words[0] = q_data
    words[5] = k_data
    words[10] = v_data
    words[15] = o_data
    if return_lse:
        words[20] = lse_data
    frame.pack(frame.shapes, 0, *shapes)
    status = _launch(frame.program, stream, frame.address, frame.count)
    if status:
        recover(status, frame.program, stream, frame.address, frame.count, device_type,
                device)
    return (output, lse) if return_lse else output
