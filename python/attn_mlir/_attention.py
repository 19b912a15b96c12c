"""The function `attention`, which computes attention on arrays."""

from typing import Any, Optional

from ._attend import QUERY_COLUMNS, Layout, attend
from ._frames import Calls
from ._module import Causal, Window
from ._replacements import find_replacement, replacements
from ._spellings import arguments_of, refuse
from ._tracing import MaskMod, ScoreMod
from ._within import ValueDims

LAYOUT = Layout(("B", "Hq", "Sq"), ("B", "Hkv", "Skv"), ("B", "Hq", "Sq"))
calls = Calls(QUERY_COLUMNS)


@calls.function("q k v sink *", replacements)
def attention(q: Any, k: Any, v: Any = None, *, scale: Optional[float] = None,
              causal: Causal = False, window: Window = None, align: str = "top_left",
              return_lse: bool = False, score_mod: ScoreMod = None,
              mask_mod: MaskMod = None, sink: Any = None, dropout_p: float = 0.0,
              generator: Any = None, seed: Any = None, q_scale: Any = None,
              k_scale: Any = None, v_scale: Any = None, v_mean: Any = None,
              kv_dtype: Optional[str] = None,
              value_dims: ValueDims = None, q_rope: Any = None, k_rope: Any = None,
              fast_accumulate: bool = False, out_scale: Any = None, out_dtype: Any = None,
              check: bool = False, out: Any = None, stream: Optional[int] = None,
              **others: Any) -> Any:
    """softmax(scale * q k^T) v, with masks, a score function, sinks and dropout.

    | array | sizes | dtype |
    |---|---|---|
    | `q` | (B, Hq, Sq, D) | float16, bfloat16 or float32; float8_e4m3fn or float8_e5m2 beside keys and values of 8 bits or 4 |
    | `k` | (B, Hkv, Skv, D), Hkv divides Hq | as q, or float8_e4m3fn, float8_e5m2, int8 |
    | `v` | (B, Hkv, Skv, Dv) | one of those for `k`, not necessarily that of `k` |
    | `k`, `v` with `kv_dtype="i4"` | (B, Hkv, Skv, D / 2), (B, Hkv, Skv, Dv / 2) | uint8 |
    | `sink` | (Hq,) | float16, bfloat16 or float32 |
    | `v_mean` | (B, Hkv, 1, Dv), each of which may be 1 | float32 |
    | `out_scale` | () or (B, Hq), each of which may be 1 | float32 |
    | result | (B, Hq, Sq, Dv), in q's order in memory where Dv = D | as q, or `out_dtype` |
    | lse | (B, Hq, Sq) | float32 |

    Arrays are torch tensors, NumPy arrays, or objects with `__dlpack__` or
    `__cuda_array_interface__`, all on one device: the CPU, or an NVIDIA GPU. They are not copied
    and may have any strides, except that rows (D) have stride 1; `v` may have stride 1 along keys
    (Skv) instead, unless it has 4 bits. D is at most 576 and Dv at most 512; of float32, each is at
    most 256.

    - `value_dims`: (first, end) in place of `v`: the values are the columns first to end - 1 of
      `k`. A `v` that is a view of some columns of `k` has the same effect. Columns that are keys
      and values are loaded once.
    - `q_rope`, `k_rope`: (B, Hq, Sq, D2) and (B, Hkv or 1, Skv, D2), both of q's dtype:
      further columns of `q` and `k` in separate arrays, which are not copied. D is then the
      number of columns of both arrays together, and `value_dims` are columns of `k`. If
      gradients are needed, or the call is an operator of torch's, each pair of arrays is
      copied into one.
    - `scale`: by default 1 / sqrt(D).
    - `causal`: False, True, "top_left" (row i sees the keys j <= i) or "bottom_right" (the last row
      sees all keys, the one before it one less). True stands for the alignment that `align` names.
    - `window`: (left, right) keeps i - left <= j <= i + right, counted from the
      diagonal that `align` or `causal` names; None is no bound.
    - `return_lse`: also return ln sum_j exp(score), natural.
    - `score_mod`: a function of (score, b, h, q, kv); see attn_mlir.score.
    - `mask_mod`: a function of (b, h, q, kv) that says which pairs count; see
      attn_mlir.mask. `causal` and `window` mask, too.
    - `sink`: a logit for each query head, whose exponential is added to the softmax's sum, and to
      nothing else.
    - `dropout_p`: each probability is dropped at this rate, rounded to a multiple of 1 /
      65536, and the others are multiplied by 1 / (1 - dropout_p).
    - `generator`: draws the seed and the offset of dropout. For torch's tensors a
      torch.Generator, by default the device's own; else a numpy.random.Generator.
    - `seed`: a pair of integers (seed, offset) in place of a generator, or an array of
      these two of int64, which is read when the kernel runs.
    - `q_scale`, `k_scale`, `v_scale`: arrays of float32 by which the stored numbers are
      multiplied: of sizes (), (B, H) or (B, H, S), each of which may be 1, or for `v_scale`
      (B, Hkv, 1, Dv). A pair (array, n) has one element for each n tokens, a power of two of
      at least 16: (B, H, S / n), rounded up. `score_mod` gets the scores after scaling. Keys
      and values of 8 bits are extended to q's dtype, exactly. Autograd computes no gradients
      for arrays of 8 or 4 bits and arrays with scales; it does for the others.
    - `v_mean`: a number for each head and channel that is added to the values after scaling, such
      as the mean that `quantize(v, ..., center=True)` has subtracted. The kernel adds it to the
      sums in float32, before the result is rounded, times the sum of the row's probabilities (less
      than 1 with a sink). Rows without keys stay 0. `dropout_p` must then be 0. Values that are
      columns of `k` are loaded apart from the keys.
    - `kv_dtype`: "i4" says that keys, or values, of uint8 have two numbers from -8 to 7 in
      each byte, the one with the even column in the low half, so that D or Dv is twice the array's
      number of columns. `quantize` makes such arrays. `value_dims` must then be None.
    - `fast_accumulate`: with queries of 8 bits, sums of products may be as inexact as the GPU's
      tensor cores make them (on sm_90 they keep about 14 bits), so that long sums of numbers of one
      sign lose low bits. It has no effect with other queries.
    - `out_dtype`: the result's dtype, as torch's or NumPy's dtype or by name. By default it is that
      of `out` or, if that is None, float8_e4m3fn with `out_scale`, else bfloat16 for a query of 8
      bits, else q's dtype. A query of 16 or 32 bits may have a result of its own dtype, of float32,
      or of 8 bits.
    - `out_scale`: the number by which a result of 8 bits is divided before it is rounded to
      nearest even and saturated.
    - `check`: raise for scales that are not finite numbers, after reading them on the host.
    - `out`: an array for the result, or with `return_lse` a pair of arrays. It must
      not overlap the others. Needed for arrays other than torch's and NumPy's.
    - `stream`: a CUDA stream's handle as an integer; by default the caller's current
      stream in torch, or the one that `__cuda_array_interface__` names.

    A row without keys has output 0, and its lse is the sink, or -inf without one. The first call
    for a dtype, head dimensions, mask, score function and probability of dropout compiles a kernel.
    Later calls, of any lengths and strides, and with other captured arrays, use the same kernel. On
    a GPU, calls with at most 16 rows and more than 256 keys have separate kernels, one for each
    number of rows, which divide keys among SMs. On a GPU the call returns before the work is done.

    For torch tensors that require gradients the call is an operator that autograd knows, whose
    gradients are those of attention_backward; `out` and `stream` must then be None. The call
    is also an operator under dispatch modes and transforms of torch.func, and for fake tensors
    and other subclasses. Within torch.compile, use attn_mlir.torch.attention.

    Raises ArgumentError, which names the argument, or Error for what the compiler or
    the GPU cannot do. Source of the algorithm: FlashAttention-2 (arXiv 2307.08691).
    """
    if others:
        refuse(attention, others)
    replacement = find_replacement()
    if replacement is not None:
        return replacement(**arguments_of(attention, locals()))
    return attend(LAYOUT, attention, locals(), calls)
