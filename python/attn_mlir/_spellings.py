"""Reports arguments that a function does not have. If another library uses that name, the error
says which argument to pass here."""

import difflib
import functools
import inspect
from typing import Any, Callable, Dict, NoReturn, Tuple

_SCALE = "scale=number"
_WINDOW = "window=(left, right), of which None is no bound"
_SCORE = "score_mod=a function of (score, b, h, q, kv), such as lambda s, b, h, q, kv: "
_MASK = "mask_mod=a function of (b, h, q, kv), such as lambda b, h, q, kv: mask[q, kv]; " \
    "score_mod adds a mask of floats: lambda s, b, h, q, kv: s + mask[q, kv]"
_BIAS = _SCORE + "s + bias[h, q, kv]"
_CAP = _SCORE + "cap * attn_mlir.score.tanh(s / cap)"
_LENGTHS = "lengths=how many keys each entry has"
_NOTHING = "no such argument: "

# For arguments of functions of PyTorch, FlexAttention, FlashAttention, xFormers, JAX and others, by
# name: the argument to pass here instead, as text for errors.
_OTHERS: Dict[str, str] = {
    "is_causal": "causal=True", "use_causal_mask": "causal=True",
    "is_causal_bottom_right": "causal='bottom_right'",
    "attn_mask": _MASK, "attention_mask": _MASK, "mask": _MASK, "block_mask": _MASK,
    "key_padding_mask": "mask_mod=lambda b, h, q, kv: kept[b, kv]",
    "attn_bias": _BIAS, "bias": _BIAS,
    "alibi_slopes": _SCORE + "s + slopes[h] * (kv - q)",
    "softcap": _CAP, "logits_soft_cap": _CAP, "logit_cap": _CAP, "logits_softcap": _CAP,
    "softmax_scale": _SCALE, "sm_scale": _SCALE, "scaling": _SCALE,
    "window_size": _WINDOW, "sliding_window": _WINDOW, "local_window_size": _WINDOW,
    "window_left": _WINDOW, "window_right": _WINDOW,
    "dropout": "dropout_p=probability", "dropout_rate": "dropout_p=probability",
    "p": "dropout_p=probability", "rng_state": "seed=(seed, offset)",
    "s_aux": "sink=a logit for each head", "sinks": "sink=a logit for each head",
    "return_softmax_lse": "return_lse=True", "return_attn_probs": "return_lse=True",
    "lse": "return_lse=True",
    "enable_gqa": _NOTHING + "k and v have as many heads as divide those of q",
    "kernel_options": _NOTHING + "schedules come from a table",
    "max_seqlen_q": _NOTHING + "lengths are read when the kernel runs",
    "max_seqlen_k": _NOTHING + "lengths are read when the kernel runs",
    "cu_seqlens_q": "cu_q=cumulative lengths", "cu_seqlens_k": "cu_kv=cumulative lengths",
    "cu_seqlens": "cu_q=cumulative lengths", "cu_seqlens_kv": "cu_kv=cumulative lengths",
    "cache_seqlens": _LENGTHS, "seqused_k": _LENGTHS, "key_value_seq_lengths": _LENGTHS,
    "block_table": "page_table=pages of each entry",
    "block_tables": "page_table=pages of each entry",
    "rotary_cos": "cos=", "rotary_sin": "sin=", "rotary_interleaved": "interleaved=",
    "query": "q=", "key": "k=", "value": "v=", "output": "out=",
}


@functools.lru_cache(maxsize=None)
def parameters_of(function: Callable[..., Any]) -> Tuple[inspect.Parameter, ...]:
    """Returns the parameters of a function of this package, except its parameter **others, which
    collects the arguments that the function refuses."""
    return tuple([its for its in inspect.signature(function).parameters.values()
                  if its.kind is not its.VAR_KEYWORD])


def arguments_of(function: Callable[..., Any], values: Dict[str, Any]) -> Dict[str, Any]:
    """Returns the arguments of a call by name. `values` are the function's local variables, as
    `locals()` returns them."""
    return {its.name: values[its.name] for its in parameters_of(function)}


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
