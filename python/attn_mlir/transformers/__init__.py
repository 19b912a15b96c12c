"""Attention for Hugging Face transformers, by the library's own interfaces.

    import attn_mlir.transformers

    calls = attn_mlir.transformers.register()
    model = AutoModelForCausalLM.from_pretrained(name, attn_implementation="attn_mlir")
    model.generate(...)
    print(calls.served, calls.passed_on)

transformers passes masks to this project as functions of (b, h, q, kv), which become mask
regions: no mask of S x S elements is allocated.
"""

from typing import Any, Callable, Dict, Optional, Tuple

import torch
import transformers
from transformers import masking_utils
from transformers.integrations.sdpa_attention import sdpa_attention_forward

from .. import mask as _mask
from .. import score as _score
from .. import torch as _torch
from .._arrays import array_type
from .._counts import Counts, count
from .._errors import Error
from .._schema import with_dense_rows
from ..mask import Mask
from ..score import Score
from ._paged_cache import PagedCache, Stored

__all__ = ["Calls", "MaskFunction", "PagedCache", "register"]


class MaskFunction:
    """A mask function with sizes, which models pass to attention instead of a mask tensor of rank
    4. It has the attributes and methods of a tensor that models use."""

    ndim = 4

    def __init__(self, sizes: Tuple[int, ...], device: Any, mask_mod: Callable[..., Any],
                 q_offset: Any = 0, kv_offset: Any = 0) -> None:
        self.shape, self.device, self.mask_mod = sizes, device, mask_mod
        self.q_offset, self.kv_offset = q_offset, kv_offset
        self._traced: Optional[Mask] = None

    def __call__(self, b: Any, h: Any, q: Any, kv: Any) -> Any:
        # An offset of rows or keys other than 0 is a tensor, which becomes a captured array. The
        # offset 0 is a number, so that no addition is recorded.
        q = q + self.q_offset if isinstance(self.q_offset, torch.Tensor) else q
        kv = kv + self.kv_offset if isinstance(self.kv_offset, torch.Tensor) else kv
        return self.mask_mod(b, h, q, kv)

    def dim(self) -> int:
        return self.ndim

    def contiguous(self) -> "MaskFunction":
        return self

    def traced(self) -> Any:
        """Returns the traced mask function, which is the same object for all layers, or, within
        torch.compile, this object itself."""
        if torch.compiler.is_compiling():
            return self
        if self._traced is None:
            self._traced = _mask.trace(self)
        return self._traced

    def tensor(self) -> torch.Tensor:
        """Returns the mask as a tensor of booleans, for implementations of attention that take no
        functions."""
        batch, _, rows, keys = self.shape
        indices = [torch.arange(size, device=self.device).view(
            [-1 if d == dim else 1 for d in range(4)])
            for dim, size in enumerate((batch, 1, rows, keys))]
        return self(*indices).expand(batch, 1, rows, keys)


def _offset(value: Any, device: Any) -> Any:
    """Returns an offset of rows or keys as a tensor, so that each step of a generation uses the
    same kernel, but 0 as a number. A tensor is copied, since it may be the cache's, which increases
    it when it adds a layer's keys."""
    if isinstance(value, torch.Tensor):
        return value.to(device).clone()
    return torch.full((), value, dtype=torch.int64, device=device) if value else 0


def make_mask(batch_size: int, q_length: int, kv_length: int, q_offset: Any = 0,
              kv_offset: Any = 0,
              mask_function: Callable[..., Any] = masking_utils.causal_mask_function,
              attention_mask: Any = None, device: Any = "cpu",
              **_: Any) -> Optional[MaskFunction]:
    """Returns a mask for attention as a MaskFunction, or None if all pairs count. transformers'
    AttentionMaskInterface calls this function for all layers that have the same mask."""
    if isinstance(attention_mask, MaskFunction):  # made before, by generate()
        return attention_mask
    # Keys past the end of a padding mask are padding, too.
    if attention_mask is not None and (masking_utils.is_tracing(attention_mask)
                                       or attention_mask.shape[-1] < kv_length + kv_offset
                                       or not masking_utils.fast_all(attention_mask)):
        padding = masking_utils.prepare_padding_mask(attention_mask, kv_length, kv_offset)
        mask_function = _mask.and_masks(mask_function,
                                        masking_utils.padding_mask_function(padding))
    elif mask_function is masking_utils.bidirectional_mask_function:
        return None
    return MaskFunction((batch_size, 1, q_length, kv_length), device, mask_function,
                        _offset(q_offset, device), _offset(kv_offset, device))


class Calls(Counts):
    """Counts calls: `served` counts those that this project computes, and `passed_on` those that
    transformers' own attention in PyTorch computes. `reasons` has the reasons for passing calls
    on, with the number of calls for each. Under torch.compile, a call is counted when its
    graph is made, not when the graph runs."""

    def __init__(self, strict: bool) -> None:
        super().__init__()
        self.strict = strict

    def attend(self, module: Any, query: torch.Tensor, key: torch.Tensor,
               value: torch.Tensor, attention_mask: Any, dropout: float = 0.0,
               scaling: Optional[float] = None, softcap: Optional[float] = None,
               s_aux: Any = None, position_bias: Optional[torch.Tensor] = None,
               is_causal: Optional[bool] = None,
               **kwargs: Any) -> Tuple[torch.Tensor, None]:
        """Computes the attention of a layer, or passes the call on to transformers' own
        attention. transformers' AttentionInterface calls this method."""
        if isinstance(key, Stored):
            count(self)
            output = _attend_to_pages(
                module, query, key, attention_mask, dropout, is_causal, scale=scaling,
                sink=s_aux, softcap=softcap, position_bias=position_bias)
            return output.transpose(1, 2).contiguous(), None
        reason = _find_obstacle(query, value, attention_mask, kwargs)
        if reason is not None:
            if self.strict or softcap is not None or s_aux is not None:
                raise Error(f"attn_mlir: {reason}")
            count(self, reason)
            if isinstance(attention_mask, MaskFunction):
                attention_mask = attention_mask.tensor()
            return sdpa_attention_forward(module, query, key, value, attention_mask,
                                          dropout=dropout, scaling=scaling,
                                          is_causal=is_causal, position_bias=position_bias,
                                          **kwargs)
        count(self)
        causal, mask_mod = _choose_mask(module, query, attention_mask, is_causal)
        bias = attention_mask if isinstance(attention_mask, torch.Tensor) else None
        query, key, value = map(with_dense_rows, (query, key, value))
        output = _torch.attention(
            query, key, value, scale=scaling, causal=causal, mask_mod=mask_mod,
            score_mod=_choose_score(softcap, position_bias, bias), sink=s_aux,
            dropout_p=dropout)
        return output.transpose(1, 2).contiguous(), None


def _find_obstacle(query: torch.Tensor, value: torch.Tensor, mask: Any,
                   kwargs: Dict[str, Any]) -> Optional[str]:
    """Returns the reason why this project cannot compute a call, or None if it can."""
    most = (256, 256) if query.dtype == torch.float32 else (576, 512)
    for name, its, limit in zip(("query", "value"), (query, value), most):
        if its.shape[3] > limit:
            return f"{name}: expected a head dimension of at most {limit} in {its.dtype}, " \
                f"found {its.shape[3]}"
    if isinstance(mask, torch.Tensor) and mask.dim() != 4:
        return f"attention_mask: expected a tensor of rank 4, found {mask.dim()}"
    if kwargs.get("cache") is not None:
        return "cache: expected no paged cache"
    return None


def _attend_to_pages(module: Any, query: torch.Tensor, stored: Stored, mask: Any,
                     dropout: float, is_causal: Optional[bool], *, scale: Optional[float],
                     sink: Any, softcap: Optional[float],
                     position_bias: Optional[torch.Tensor]) -> torch.Tensor:
    """Computes attention of a query over the keys in a `PagedCache`. The last row of the query is
    the last token in the cache."""
    if dropout:
        raise Error(f"attn_mlir: dropout: expected 0 with a PagedCache, found {dropout}")
    if isinstance(mask, MaskFunction) and \
            mask.mask_mod is masking_utils.causal_mask_function:
        causal, mask_mod = True, None
    else:
        causal, mask_mod = _choose_mask(module, query, mask, is_causal)
    bias = mask if isinstance(mask, torch.Tensor) else None
    return stored.layer.attend(
        module, with_dense_rows(query),
        scale=query.shape[3] ** -0.5 if scale is None else scale, causal=bool(causal),
        mask_mod=mask_mod, score_mod=_choose_score(softcap, position_bias, bias), sink=sink)


def _choose_mask(module: Any, query: torch.Tensor, mask: Any,
                 is_causal: Optional[bool]) -> Tuple[Any, Any]:
    """Returns the arguments `causal` and `mask_mod` of attention for a mask of transformers. A mask
    of floats, which is added to scores, is not among these."""
    if isinstance(mask, MaskFunction):
        is_plain = mask.mask_mod is masking_utils.causal_mask_function and not (
            isinstance(mask.q_offset, torch.Tensor)
            or isinstance(mask.kv_offset, torch.Tensor))
        return ("top_left", None) if is_plain else (False, mask.traced())
    if mask is not None:
        if mask.dtype == torch.bool:
            return False, _tensor_mask(mask)
        return False, None
    # A call without a mask is causal if `is_causal` or, where that is None, the module's attribute
    # `is_causal` says so or the module lacks it. A single row then attends to all keys. Both are as
    # in transformers' own implementations.
    if is_causal is None:
        is_causal = getattr(module, "is_causal", True)
    return ("top_left" if is_causal and query.shape[2] > 1 else False), None


def _tensor_mask(mask: torch.Tensor) -> Any:
    def keep(b: Any, h: Any, q: Any, kv: Any) -> Any:
        return mask[b, h, q, kv]

    return keep if torch.compiler.is_compiling() else _traced(
        _mask.trace, Mask, ("mask",), keep, [mask])


# The texts of recorded score and mask functions. A key has all that the text depends on: which
# function it is, its constants and the types of captured arrays, but not the arrays.
_known: Dict[Tuple, str] = {}


def _traced(trace: Callable[..., Any], kind: Any, key: Tuple, function: Callable[..., Any],
            arrays: Any) -> Any:
    key = (*key, *[array_type("", array)[1] for array in arrays])
    if key not in _known:
        _known[key] = trace(function).text
    return kind(_known[key], arrays)


def _choose_score(softcap: Optional[float], position_bias: Optional[torch.Tensor],
                  mask: Optional[torch.Tensor]) -> Any:
    """Returns the score function that applies the soft cap, then adds the position bias and the
    mask if it is of floats. Returns None if there is none of these."""
    if mask is not None and mask.dtype == torch.bool:
        mask = None
    added = [array for array in (position_bias, mask) if array is not None]
    if softcap is None and not added:
        return None

    def score(s: Any, b: Any, h: Any, q: Any, kv: Any) -> Any:
        if softcap is not None:
            s = _score.tanh(s / softcap) * softcap
        for array in added:
            s = s + array[b, h, q, kv]
        return s

    if torch.compiler.is_compiling():
        return score
    return _traced(_score.trace, Score, ("score", softcap), score, added)


def register(name: str = "attn_mlir", strict: bool = True) -> Calls:
    """Makes `attn_implementation=name` select this project's attention, in all models that
    use transformers' interfaces for attention and masks.

    Calls that are not supported (with transformers' own paged caches, with masks of other
    ranks than 4, or with larger head dims) raise Error or, with `strict` False, are passed on to
    transformers' own attention in PyTorch if it supports them. Returns the counts of calls.
    """
    calls = Calls(strict)
    transformers.AttentionInterface.register(name, calls.attend)
    transformers.AttentionMaskInterface.register(name, make_mask)
    return calls
