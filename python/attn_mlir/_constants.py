"""Refuses tensors where a call needs constants, for which kernels are compiled."""

import sys
from typing import Any, Dict

from ._adapter import expected

# The names of arguments that are constants of a kernel, each with what a caller may do to have a
# tensor in its place, if there is something.
_INSTEAD = {
    "scale": "or multiply q by a tensor", "causal": "or let mask_mod read a tensor",
    "window": "or let mask_mod read a tensor", "align": "", "return_lse": "", "dropout_p": "",
    "seed": "or pass seed and offset as one tensor of int64", "value_dims": "", "latent_dim": "",
    "kv_dtype": "", "out_dtype": "", "fast_accumulate": "", "check": "", "interleaved": "",
    "deterministic": "", "narrow_products": "", "wrt": "", "dtype": "", "center": "",
    "enable_gqa": ""}
NAMES = tuple(_INSTEAD)
_PLAIN = frozenset((type(None), bool, int, float, str))


def constant_error(name: str, found: str) -> Exception:
    instead = _INSTEAD[name]
    return expected(name, "a constant, which is a value of Python's own", f"{found}; pass what "
                    "tensor.item() returns, outside of torch.compile, torch.export and torch.func"
                    + (f", {instead}" if instead else ""))


def refuse_tensors(given: Dict[str, Any]) -> None:
    """Raises for the first of a call's arguments `given` that must be a constant, and is a tensor
    of any kind or has one as an element. torch.compile traces this code."""
    for name in NAMES:
        value = given.get(name)
        if type(value) not in _PLAIN:
            _refuse_tensor(name, value)


def _refuse_tensor(name: str, value: Any) -> None:
    torch = sys.modules.get("torch")
    is_pair = isinstance(value, (tuple, list))
    if torch is None or name == "seed" and not is_pair:
        return
    for its in value if is_pair else (value,):
        if isinstance(its, (torch.Tensor, torch.fx.Proxy, torch.SymFloat, torch.SymBool)):
            raise constant_error(name, f"a {type(its).__name__}")
