"""Reports arguments that a function does not have. If another library uses that name, the error
says which argument to pass here."""

import difflib
import functools
import inspect
from typing import Any, Callable, Dict, NoReturn, Tuple

_NOTHING = "no such argument: "
_SCORE = "score_mod=a function of (score, b, h, q, kv), such as lambda s, b, h, q, kv: "

# Arguments to pass here, as text for errors, each with the names that the argument has in functions
# of PyTorch, FlexAttention, FlashAttention, xFormers, JAX and others.
_NAMES = {
    "causal=True": "is_causal use_causal_mask",
    "causal='bottom_right'": "is_causal_bottom_right",
    "mask_mod=a function of (b, h, q, kv), such as lambda b, h, q, kv: mask[q, kv]; score_mod adds "
    "a mask of floats: lambda s, b, h, q, kv: s + mask[q, kv]":
        "attn_mask attention_mask mask block_mask",
    "mask_mod=lambda b, h, q, kv: kept[b, kv]": "key_padding_mask",
    _SCORE + "s + bias[h, q, kv]": "attn_bias bias",
    _SCORE + "s + slopes[h] * (kv - q)": "alibi_slopes",
    _SCORE + "cap * attn_mlir.score.tanh(s / cap)":
        "softcap logits_soft_cap logit_cap logits_softcap",
    "scale=number": "softmax_scale sm_scale scaling",
    "window=(left, right), of which None is no bound":
        "window_size sliding_window local_window_size window_left window_right",
    "dropout_p=probability": "dropout dropout_rate p", "seed=(seed, offset)": "rng_state",
    "sink=a logit for each head": "s_aux sinks",
    "return_lse=True": "return_softmax_lse return_attn_probs lse",
    _NOTHING + "k and v have as many heads as divide those of q": "enable_gqa",
    _NOTHING + "schedules come from a table": "kernel_options",
    _NOTHING + "lengths are read when the kernel runs": "max_seqlen_q max_seqlen_k",
    "cu_q=cumulative lengths": "cu_seqlens_q cu_seqlens",
    "cu_kv=cumulative lengths": "cu_seqlens_k cu_seqlens_kv",
    "lengths=how many keys each entry has": "cache_seqlens seqused_k key_value_seq_lengths",
    "page_table=pages of each entry": "block_table block_tables",
    "cos=": "rotary_cos", "sin=": "rotary_sin", "interleaved=": "rotary_interleaved",
    "layout='BSHD' or 'BHSD'": "tensor_layout kv_layout qkv_format qkv_layout",
    "q=": "query", "k=": "key", "v=": "value", "out=": "output",
}
_OTHERS = {name: hint for hint, names in _NAMES.items() for name in names.split()}


@functools.lru_cache(maxsize=None)
def parameters_of(function: Callable[..., Any]) -> Tuple[inspect.Parameter, ...]:
    """Returns the parameters of a function of this package, except its parameter **others, which
    collects the arguments that the function refuses."""
    return tuple([its for its in inspect.signature(function).parameters.values()
                  if its.kind is not its.VAR_KEYWORD])


@functools.lru_cache(maxsize=None)
def _names_of(function: Callable[..., Any]) -> Tuple[str, ...]:
    return tuple([its.name for its in parameters_of(function)])


def arguments_of(function: Callable[..., Any], values: Dict[str, Any]) -> Dict[str, Any]:
    """Returns the arguments of a call by name. `values` are the function's local variables, as
    `locals()` returns them."""
    return {name: values[name] for name in _names_of(function)}


def refuse(function: Callable[..., Any], names: Dict[str, Any]) -> NoReturn:
    """Raises TypeError for arguments, by name, that the function does not have. The text suggests
    another argument."""
    known = [its.name for its in parameters_of(function)]
    name = next(iter(names))
    hint = _OTHERS.get(name, "")
    wanted = hint.partition("=")[0]
    if hint.startswith(_NOTHING) or wanted in known and wanted != name:
        hint = f": expected {hint}"
    else:
        near = difflib.get_close_matches(name, known, 1)
        hint = f": expected {near[0]}=" if near else f": expected some of {', '.join(known)}"
    raise TypeError(f"{function.__name__}() got an unexpected keyword argument '{name}'{hint}")
