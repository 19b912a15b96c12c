"""The mode `sdpa`, in which torch's scaled_dot_product_attention is computed by attn_mlir."""

from typing import Any, NamedTuple, Optional, Sequence, Tuple

import torch
from torch._subclasses.fake_tensor import FakeTensor
from torch.overrides import TorchFunctionMode

from ._arrays import array_type
from ._attention_operators import attention
from ._counts import Counts, count
from ._errors import Error
from ._prepared import PreparedMask
from ._tensor_kinds import PLAIN, find_kind, has_tangent, is_transformed
from ._traced import region_text
from ._tracing import Mask, Score

_FLOATS = (torch.float16, torch.bfloat16, torch.float32)
_MOST = 3.4e38


class sdpa(Counts, TorchFunctionMode):
    """A context in which torch.nn.functional.scaled_dot_product_attention is
    attn_mlir.attention, in training, too.

    It serves tensors of the exact types torch.Tensor and torch.nn.Parameter, with `attn_mask`
    (of booleans, float32 or the query's dtype, of any sizes that broadcast), dropout and
    autocast. Calls that the compiler does not support are passed on to torch's own function,
    with the same arguments: other ranks than 4, other dtypes than float16, bfloat16 and
    float32, other devices than CUDA and the CPU, tensor subclasses, tensors within transforms
    of torch.func, and forward-mode AD. With `strict` such a call raises Error instead, which
    names the reason. `served` and `passed_on` count the calls, and `reasons` why calls were
    passed on; under torch.compile a call counts when its graph is made, not when that runs.
    Dropout uses torch's generator, but drops other probabilities than torch's own function.
    """

    def __init__(self, strict: bool = False) -> None:
        Counts.__init__(self)
        TorchFunctionMode.__init__(self)
        self.strict = strict

    def __torch_function__(self, function: Any, types: Any, args: Tuple = (),
                           kwargs: Optional[dict] = None) -> Any:
        kwargs = kwargs or {}
        if function is not torch.nn.functional.scaled_dot_product_attention:
            return function(*args, **kwargs)
        call, reason = None, "expected the arguments of torch's own"
        try:
            call = _autocast(_Call(*args[:6], **kwargs)) if len(args) <= 6 else None
        except TypeError:
            pass  # torch's own function raises it
        if call is not None:
            reason = _find_obstacle(call)
        if reason is None:
            count(self)
            return _serve(call)
        if self.strict:
            raise Error(f"scaled_dot_product_attention: {reason}")
        count(self, reason)
        return function(*args, **kwargs)


class _Call(NamedTuple):
    """The arguments of torch's scaled_dot_product_attention, which takes the last two, `scale` and
    `enable_gqa`, only by name."""

    query: Any
    key: Any
    value: Any
    attn_mask: Any = None
    dropout_p: Any = 0.0
    is_causal: Any = False
    scale: Any = None
    enable_gqa: Any = False


def _is_plain(tensor: Any) -> bool:
    """Whether a value is a tensor of a type in PLAIN, or stands for one: without `strict`,
    torch.export calls a program with fake tensors."""
    return type(tensor) in PLAIN or (
        torch.compiler.is_exporting() and isinstance(tensor, FakeTensor))


def _autocast(call: _Call) -> _Call:
    """Converts tensors as torch's autocast does: float tensors on the autocast device, except those
    of float64, get the autocast dtype."""
    if not _is_plain(call.query):
        return call
    device = call.query.device.type
    if device not in ("cpu", "cuda") or not torch.is_autocast_enabled(device):
        return call
    dtype = torch.get_autocast_dtype(device)
    return _Call(*[
        its.to(dtype) if _is_plain(its) and its.is_floating_point()
        and its.dtype != torch.float64 and its.device.type == device else its
        for its in call[:4]], *call[4:])


def _find_obstacle(call: _Call) -> Optional[str]:
    """Returns the reason why the compiler cannot serve a call, or None if it can."""
    reason = _find_obstacle_of_numbers(call)
    if reason is not None:
        return reason
    if is_transformed():
        return "expected no transform of torch.func"
    mask = call.attn_mask
    mask = mask.array if isinstance(mask, PreparedMask) else mask
    tensors = {"query": call.query, "key": call.key, "value": call.value}
    if mask is not None:
        tensors["attn_mask"] = mask
    for name, tensor in tensors.items():
        if not _is_plain(tensor):
            return f"{name}: expected a torch.Tensor, found {type(tensor).__qualname__}"
        # torch.compile only traces tensors of kinds that it knows, so they need no check.
        kind = None if torch.compiler.is_compiling() else find_kind(tensor)
        if kind is not None:
            return f"{name}: expected a strided tensor, found {kind}"
    if has_tangent(*tensors.values()):
        return "expected no tangents of forward-mode AD"
    query, key, value = call[:3]
    for name, tensor in (("query", query), ("key", key), ("value", value)):
        if tensor.dim() != 4:
            return f"{name}: expected rank 4, found {tensor.dim()}"
        if tensor.dtype not in _FLOATS or tensor.dtype != query.dtype:
            return f"{name}: expected dtype float16, bfloat16 or float32, the same for " \
                f"all, found {tensor.dtype}"
        if not (tensor.is_cuda or tensor.is_cpu) or tensor.device != query.device:
            return f"{name}: expected one CUDA device or the CPU for all, found " \
                f"{tensor.device}"
        is_along_keys = name == "value" and tensor.stride()[2] == 1
        if tensor.stride()[3] != 1 and tensor.shape[3] != 1 and not is_along_keys:
            return f"{name}: expected stride 1 in dimension 3, found {tensor.stride()[3]}"
    batch, heads, _, head_dim = query.shape
    kv_heads = key.shape[1]
    if key.shape[:3] != value.shape[:3] or key.shape[0] != batch \
            or key.shape[3] != head_dim:
        return "expected sizes that match without being broadcast"
    if kv_heads != heads and not (call.enable_gqa and kv_heads and heads % kv_heads == 0):
        return "expected as many heads in key as in query, or with enable_gqa a divisor"
    most = (256, 256) if query.dtype == torch.float32 else (576, 512)
    for name, width, limit in zip(("query", "value"), (head_dim, value.shape[3]), most):
        if not 1 <= width <= limit:
            return f"{name}: expected a head dimension from 1 to {limit}, found {width}"
    return None if mask is None else _find_obstacle_of_mask(
        mask, call.is_causal, query, (batch, heads, query.shape[2], key.shape[2]))


def _find_obstacle_of_numbers(call: _Call) -> Optional[str]:
    """Returns the reason why a call is not served if its dropout_p, scale or a flag has another
    type or value than kernels are compiled for, else None. torch converts such options or refuses
    them."""
    for name, value, types in (("dropout_p", call.dropout_p, (float, int)),
                               ("scale", call.scale, (float, int, type(None))),
                               ("is_causal", call.is_causal, (bool,)),
                               ("enable_gqa", call.enable_gqa, (bool,))):
        if type(value) not in types:
            wanted = " or ".join([its.__name__ for its in types])
            return f"{name}: expected {wanted}, found {type(value).__qualname__}"
    if not 0 <= call.dropout_p <= 1:
        return f"expected dropout_p from 0 to 1, found {call.dropout_p}"
    if call.scale is not None and not -_MOST <= call.scale <= _MOST:
        return f"expected a finite scale, found {call.scale}"
    return None


def _find_obstacle_of_mask(mask: torch.Tensor, is_causal: bool, query: torch.Tensor,
                           sizes: Tuple[int, ...]) -> Optional[str]:
    if is_causal:
        return "attn_mask: expected None with is_causal"
    # torch's own function takes masks of float32 beside any query, but none of another float dtype.
    dtypes = {torch.bool: None, torch.float32: None, query.dtype: None}
    if mask.dtype not in dtypes:
        return f"attn_mask: expected a dtype of {', '.join(map(str, dtypes))}, found {mask.dtype}"
    if mask.device != query.device:
        return f"attn_mask: expected a tensor on {query.device}, found {mask.device}"
    its = (1,) * (4 - mask.dim()) + tuple(mask.shape)
    if len(its) != 4 or any([size not in (1, whole) for size, whole in zip(its, sizes)]):
        return f"attn_mask: expected sizes that broadcast to {sizes}, found {its}"
    return None


def _mask_text(arrays: Sequence[torch.Tensor]) -> str:
    """Returns the text of the region for a mask of rank 4, the first of `arrays`, which may be
    followed by the mask's summary. It is a mask region for booleans, else a score region that adds
    the mask's elements to scores."""
    (dtype, type_), *summary = [array_type("attn_mask", array, last)
                                for array, last in zip(arrays, "?2")]
    at = ", ".join(["%zero" if size == 1 else position
                    for size, position in zip(arrays[0].shape, ("%b", "%h", "%i", "%j"))])
    bounds = f" bounds(%c1 : {summary[0][1]})" if summary else ""
    types = [type_, *[its for _, its in summary]]
    lines = ["      %zero = arith.constant 0 : index",
             f"      %0 = attn.read %c0[{at}]{bounds} : {type_}"]
    if dtype == "i1":
        return region_text("mask_mod", types, lines, "%0 : i1")
    if dtype != "f32":
        lines.append(f"      %1 = arith.extf %0 : {dtype} to f32")
    lines.append(f"      %2 = arith.addf %s, {'%0' if dtype == 'f32' else '%1'} : f32")
    return region_text("score_mod", types, lines, "%2 : f32")


def _serve(call: _Call) -> torch.Tensor:
    query, key, value, attn_mask, dropout_p, is_causal, scale, _ = call
    if attn_mask is None:
        return attention(query, key, value, causal="top_left" if is_causal else False,
                         scale=scale, dropout_p=dropout_p)
    arrays, names = [attn_mask], ["attn_mask", "attn_mask: summary"]
    if isinstance(attn_mask, PreparedMask):
        attn_mask.check("attn_mask")
        arrays = [attn_mask.array]
        # If the mask is broadcast along rows or keys, its summary cannot decide which blocks to
        # skip.
        if attn_mask.dtype == torch.bool and 1 not in attn_mask.shape[-2:]:
            arrays.append(attn_mask.summary)
    new_dims = (None,) * (4 - arrays[0].dim())
    arrays = [array[new_dims] for array in arrays]
    is_mask = arrays[0].dtype == torch.bool
    region: Any = _mask_text(arrays), arrays, names[:len(arrays)]
    if not torch.compiler.is_compiling():
        region = (Mask if is_mask else Score)(*region)
    return attention(query, key, value, scale=scale, dropout_p=dropout_p,
                     **{"mask_mod" if is_mask else "score_mod": region})
