"""A cache for models of the library transformers. Keys and values lie in pages, with 32, 16, 8 or 4
bits for each number. For multi-head latent attention, the cache holds the latents."""

import functools
import math
from typing import Any, Dict, List, Optional, Tuple, Union

import torch
from transformers import DynamicCache
from transformers.cache_utils import (Cache, CacheLayerMixin, DynamicLayer,
                                      DynamicSlidingWindowLayer)

from .. import torch as _torch
from .._adapter import expected
from .._errors import Error
from .._options import as_python_integer

# For each dtype of 8 or 4 bits in which the cache can store keys and values, the largest number
# that the dtype represents. "i4" stores two numbers in a byte.
_LARGEST = {torch.float8_e4m3fn: 448.0, torch.float8_e5m2: 57344.0, torch.int8: 127.0,
            "i4": 7.0}
# The names of attributes by which a module of the library transformers is recognised as latent
# attention.
_LATENT = ("expand_kv", "kv_b_proj", "layer_idx", "kv_lora_rank", "qk_nope_head_dim",
           "v_head_dim")


class Stored:
    """The object that a layer of the cache returns to the model instead of its keys and instead of
    its values. It refers to the layer, whose method `attend` reads the pages. Only this project's
    attention can use it."""

    def __init__(self, layer: "PagedLayer", sizes: Tuple[int, ...]) -> None:
        self.layer, self.shape = layer, torch.Size(sizes)

    @classmethod
    def __torch_function__(cls, function: Any, types: Any, args: Any = (),
                           kwargs: Any = None) -> Any:
        raise Error("PagedCache: expected a model whose attention is this project's "
                    "(model.set_attn_implementation('attn_mlir'), after "
                    "attn_mlir.transformers.register()), found "
                    f"{getattr(function, '__name__', function)} of its keys")

    def __getitem__(self, index: Any) -> Any:
        # Raises an error. Models index keys to repeat them for the query heads of a group, before
        # they call another attention than this project's.
        return self.__torch_function__(None, ())


class PagedLayer(CacheLayerMixin):
    """The cache of one layer: pages of keys and of values, both (pages, Hkv, P, D). All entries of
    a batch have the same length."""

    is_sliding = False
    is_croppable = True
    supports_early_init = False

    def __init__(self, max_length: int, page_size: int,
                 dtype: Union[torch.dtype, str, None], scales: Any) -> None:
        super().__init__()
        self.max_length, self.page_size = max_length, page_size
        self.stored_dtype, self.given_scales = dtype, scales
        self.kv_dtype = "i4" if dtype == "i4" else None
        self.k_scale: Optional[torch.Tensor] = None
        self.v_scale: Optional[torch.Tensor] = None
        self.length = 0

    # -- the methods that the library transformers calls ---------------------------------

    def lazy_initialization(self, key_states: torch.Tensor,
                            value_states: torch.Tensor) -> None:
        batch = key_states.shape[0]
        columns = -(-self.max_length // self.page_size)
        self.device = key_states.device
        self.table = torch.arange(batch * columns, dtype=torch.int32,
                                  device=self.device).view(batch, columns)
        self.lengths = torch.zeros(batch, dtype=torch.int32, device=self.device)
        dtype = self.stored_dtype or key_states.dtype
        self.keys, self.values = self._make_pools(key_states, value_states, dtype)
        if dtype in _LARGEST:
            self.k_scale, self.v_scale = self._find_scales(key_states, value_states, dtype)
        self.is_initialized = True

    def update(self, key_states: torch.Tensor, value_states: torch.Tensor, *_: Any,
               **__: Any) -> Tuple[Any, Any]:
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        elif self.length == 0 and self.k_scale is not None and self.given_scales == "first":
            # The cache was reset, so this call's tokens are the first ones again.
            self.k_scale, self.v_scale = self._find_scales(key_states, value_states,
                                                           self.stored_dtype)
        batch, _, count, _ = key_states.shape
        if batch != self.table.shape[0]:
            raise expected("PagedCache", f"{self.table.shape[0]} entries, as it had before",
                           batch)
        if self.length + count > self.max_length:
            raise expected("PagedCache", f"at most {self.max_length} tokens, its max_length",
                           self.length + count)
        _torch.append(key_states, value_states, self.keys, self.values, self.lengths,
                      page_table=self.table, k_scale=self.k_scale, v_scale=self.v_scale,
                      kv_dtype=self.kv_dtype)
        self.length += count
        return self._hand_out(key_states, value_states)

    def get_mask_sizes(self, query_length: int) -> Tuple[int, int]:
        return self.length + query_length, 0

    def get_seq_length(self) -> int:
        return self.length

    def get_max_length(self) -> int:
        return self.max_length

    def reset(self) -> None:
        self.length = 0
        if self.is_initialized:
            self.lengths.zero_()

    def crop(self, tokens_to_remove: int) -> None:
        """Removes the last `-tokens_to_remove` tokens. A number above 0 is the length that remains,
        as older versions of the library mean it."""
        length = tokens_to_remove if tokens_to_remove > 0 else self.length + tokens_to_remove
        if not self.is_initialized or length >= self.length:
            return
        removed = self.length - max(0, length)
        self.length -= removed
        self.lengths -= removed

    def offload(self) -> None:
        raise Error("PagedCache: expected offloading=False")

    prefetch = offload

    def reorder_cache(self, beam_idx: torch.LongTensor) -> None:
        if not self.is_initialized:
            return
        table = self.table.long()
        scales = [its for its in (self.k_scale, self.v_scale)
                  if its is not None] if self.given_scales == "token" else ()
        for pool in (*self._pools(), *scales):
            bits = pool.view(torch.uint8) if pool.element_size() == 1 else pool
            bits[table] = bits[table[beam_idx.to(table.device)]]

    def batch_repeat_interleave(self, repeats: int) -> None:
        if self.is_initialized:
            self._keep(torch.arange(self.table.shape[0]).repeat_interleave(repeats))

    def batch_select_indices(self, indices: torch.Tensor) -> None:
        if self.is_initialized:
            self._keep(torch.arange(self.table.shape[0])[indices.cpu()])

    def _keep(self, entries: torch.Tensor) -> None:
        """Makes pages for the entries of the batch that are listed, in the order of the list, and
        copies those of the present entries to them."""
        batch, columns = self.table.shape
        entries = entries.to(self.device)
        pages = self.table.long()[entries].flatten()

        def pick(pool: torch.Tensor) -> torch.Tensor:
            bits = pool.view(torch.uint8) if pool.element_size() == 1 else pool
            return bits[pages].view(pool.dtype)

        def pick_scale(scale: Optional[torch.Tensor]) -> Optional[torch.Tensor]:
            if scale is None:
                return None
            if self.given_scales == "token":
                return pick(scale)
            return scale[entries] if scale.dim() > 0 and scale.shape[0] == batch > 1 else scale

        self._set_pools([pick(its) for its in self._pools()])
        self.k_scale, self.v_scale = pick_scale(self.k_scale), pick_scale(self.v_scale)
        self.table = torch.arange(len(entries) * columns, dtype=torch.int32,
                                  device=self.device).view(len(entries), columns)
        self.lengths = self.lengths[entries]

    # -- the methods that allocate pages and scales, and read them -----------------------

    def _make_pools(self, key: torch.Tensor, value: torch.Tensor,
                    dtype: Any) -> Tuple[torch.Tensor, torch.Tensor]:
        pages, widths = self.table.numel(), [key.shape[3], value.shape[3]]
        if self.kv_dtype is not None:
            for width in widths:
                if width % 2:
                    raise expected("PagedCache", "even head dims with dtype='i4', which has two "
                                   "numbers to a byte", width)
            dtype, widths = torch.uint8, [width // 2 for width in widths]
        first, second = (torch.zeros((pages, its.shape[1], self.page_size, width),
                                     dtype=dtype, device=self.device)
                         for its, width in zip((key, value), widths))
        return first, second

    def _pools(self) -> List[torch.Tensor]:
        return [self.keys, self.values]

    def _set_pools(self, pools: List[torch.Tensor]) -> None:
        self.keys, self.values = pools

    def _find_scales(self, key: torch.Tensor, value: torch.Tensor,
                     dtype: torch.dtype) -> Tuple[Any, Any]:
        if self.given_scales == "token":
            # Allocates scales for each token and head. append computes and writes those of new
            # tokens.
            first, second = (torch.ones((self.table.numel(), its.shape[1], self.page_size),
                                        device=self.device) for its in (key, value))
            return first, second
        if self.given_scales != "first":
            first, second = (its.to(self.device, torch.float32)
                             if isinstance(its, torch.Tensor)
                             else torch.full((), its, device=self.device)
                             for its in self.given_scales)
            return first, second
        # For float dtypes, the scales are doubled, so that numbers of later tokens may be twice as
        # large as the first call's. Floats are as accurate for numbers half as large, so this costs
        # no accuracy. Integers would lose accuracy, so their scales are not doubled.
        room = 1.0 if dtype in (torch.int8, "i4") else 2.0
        first, second = (
            (its.abs().amax((0, 2, 3)).float() * room / _LARGEST[dtype]).clamp(min=1e-30)[None]
            for its in (key, value))
        return first, second

    def _hand_out(self, key: torch.Tensor, value: torch.Tensor) -> Tuple[Any, Any]:
        found = [Stored(self, (*its.shape[:2], self.length, its.shape[3]))
                 for its in (key, value)]
        return found[0], found[1]

    def attend(self, module: Any, query: torch.Tensor, **options: Any) -> torch.Tensor:
        """Computes attention of a query over the pages. Returns the output, (B, Hq, Sq, Dv)."""
        return _torch.decode(query, self.keys, self.values, lengths=self.lengths,
                             page_table=self.table, k_scale=self.k_scale,
                             v_scale=self.v_scale, kv_dtype=self.kv_dtype, **options)


class LatentLayer(PagedLayer):
    """The cache of one layer of multi-head latent attention. The keys and values that `update` gets
    are latents and keys with rotary embedding. Their pages are columns of one array. But if latents
    are stored with 8 bits, they have a separate array, and that of the keys has the model's
    dtype."""

    def _make_pools(self, key: torch.Tensor, value: torch.Tensor,
                    dtype: torch.dtype) -> Tuple[torch.Tensor, torch.Tensor]:
        self.latent_dim = key.shape[3]
        self.is_split = dtype in _LARGEST
        if self.is_split:
            latents, _ = super()._make_pools(key, key, dtype)
            rotary, _ = super()._make_pools(value, value, value.dtype)
            return latents, rotary
        self._set_pools([torch.zeros((self.table.numel(), 1, self.page_size,
                                      key.shape[3] + value.shape[3]), dtype=dtype,
                                     device=self.device)])
        return self.keys, self.values

    def _pools(self) -> List[torch.Tensor]:
        return super()._pools() if self.is_split else [self.pool]

    def _set_pools(self, pools: List[torch.Tensor]) -> None:
        if self.is_split:
            super()._set_pools(pools)
        else:
            self.pool, = pools
            self.keys = self.pool[..., :self.latent_dim]
            self.values = self.pool[..., self.latent_dim:]

    def __setstate__(self, state: Dict[str, Any]) -> None:
        # After pickling, each array has memory of its own, also keys and values, which are views of
        # the pool.
        self.__dict__.update(state)
        if self.is_initialized:
            self._set_pools(self._pools())

    def _find_scales(self, key: torch.Tensor, value: torch.Tensor,
                     dtype: torch.dtype) -> Tuple[Any, Any]:
        if self.given_scales == "token":
            raise expected("scales", "'first' or a pair of numbers, the latents' first, for "
                           "latents beside rotary keys that have none", "'token'")
        return super()._find_scales(key, value, dtype)[0], None

    def attend(self, module: Any, query: torch.Tensor, **options: Any) -> torch.Tensor:
        """Computes attention in the absorbed form, with latents as keys and values."""
        nope = module.qk_nope_head_dim
        weight = module.kv_b_proj.weight.view(query.shape[1], nope + module.v_head_dim,
                                              self.latent_dim)
        absorbed = torch.einsum("bhsd,hdr->bhsr", query[..., :nope], weight[:, :nope])
        output = _torch.mla_decode(
            (absorbed, query[..., nope:]),
            (self.keys, self.values) if self.is_split else self.pool,
            latent_dim=None if self.is_split else self.latent_dim, lengths=self.lengths,
            page_table=self.table, cache_scale=self.k_scale, **options)
        return torch.einsum("bhsr,hdr->bhsd", output, weight[:, nope:])


def _expand(module: Any, kv_nope: Any, k_rot: Any) -> Tuple[Any, Any]:
    """Replaces the method `expand_kv` of a module of latent attention. Returns what a
    `LatentLayer` returned as it is, instead of expanding latents to keys and values; calls the
    module's own method for all else."""
    if isinstance(kv_nope, Stored):
        return kv_nope, kv_nope
    return type(module).expand_kv(module, kv_nope, k_rot)


class PagedCache(Cache):
    """A cache for `generate` and forward calls of models with attn_implementation="attn_mlir".
    The keys and values of all tokens lie in pages, which `attn_mlir.append` writes and
    `attn_mlir.decode` reads.

        cache = attn_mlir.transformers.PagedCache(model, max_length=2048,
                                                  dtype=torch.float8_e4m3fn)
        model.generate(**inputs, past_key_values=cache)

    - `model`: the model whose layers use the cache. Layers without keys and values (linear
      attention) use the library's own cache. For multi-head latent attention (DeepSeek and others
      that have `expand_kv`), the cache holds the latents and the keys with rotary embedding, and
      attention is computed in the absorbed form.
    - `max_length`: the largest number of tokens of prompt and output; memory for all of them is
      allocated.
    - `page_size`: tokens in a page.
    - `dtype`: the dtype of the pages: float8_e4m3fn, float8_e5m2, int8, "i4" (two numbers of 4
      bits to a byte, not for latent attention) or, by default, that of the keys. In latent
      attention, only the latents have it; keys with rotary embedding keep their dtype.
    - `scales`: the scales for a dtype of 8 or 4 bits. "first": each head has one scale, such that
      the largest number of the first call's tokens fits the dtype, for floats with a margin of a
      factor 2; larger numbers of later tokens saturate. "token": each token and head has a scale,
      which is stored beside the pages (not for latent attention). Or a pair of the scales of keys
      and of values: numbers, or tensors of float32 of sizes () or (1, Hkv).

    There are no gradients, and torch.compile breaks its graph at each update of the cache.
    """

    def __init__(self, model: Any, max_length: int, page_size: int = 64,
                 dtype: Union[torch.dtype, str, None] = None, scales: Any = "first") -> None:
        max_length, page_size = map(as_python_integer, (max_length, page_size))
        for name, value in (("max_length", max_length), ("page_size", page_size)):
            if type(value) is not int or value < 1:
                raise expected(name, "a positive integer", repr(value))
        if dtype is not None and dtype not in _LARGEST:
            raise expected("dtype", "None, or one of "
                           + ", ".join([str(its) for its in _LARGEST]), dtype)
        is_pair = isinstance(scales, (tuple, list)) and len(scales) == 2
        if not is_pair and not (isinstance(scales, str) and scales in ("first", "token")):
            raise expected("scales", "'first', 'token' or a pair of the keys' and the values' "
                           "scales", repr(scales))
        if is_pair:
            for its in scales:
                if not isinstance(its, torch.Tensor) and not (
                        isinstance(its, (int, float)) and 0 < its < math.inf):
                    raise expected("scales", "positive finite numbers, or tensors", repr(its))
        latent: Dict[int, Any] = {
            its.layer_idx: its for its in model.modules()
            if all([hasattr(its, name) for name in _LATENT])}
        layers: List[Any] = list(DynamicCache(config=model.config).layers)
        for number, layer in enumerate(layers):
            if type(layer) not in (DynamicLayer, DynamicSlidingWindowLayer):
                continue
            kind = PagedLayer
            if number in latent:
                if dtype == "i4":
                    raise expected("dtype", "None or one of 8 bits for latent attention",
                                   repr(dtype))
                kind, module = LatentLayer, latent[number]
                # A partial function can be pickled with the module, and a bound method cannot.
                module.expand_kv = functools.partial(_expand, module)
            layers[number] = kind(max_length, page_size, dtype, scales)
        super().__init__(layers=layers)
