"""Computes which probabilities dropout keeps, by the definition of the op attn.attention: Philox
4x32-10 (Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011)."""

from typing import Any, Callable, List, Sequence, Tuple

_LOW = 0xFFFFFFFF


def _philox(counter: Sequence[Any], key: Sequence[int]) -> List[Any]:
    """Returns the four words of 32 bits that Philox makes of a counter and a key, each as i64. A
    product of two words has 64 bits; in i64 it may become negative, but keeps all bits."""
    words = list(counter)
    for n in range(10):
        even, odd = 0xD2511F53 * words[0], 0xCD9E8D57 * words[2]
        first = key[0] + n * 0x9E3779B9 & _LOW
        second = key[1] + n * 0xBB67AE85 & _LOW
        words = [(odd >> 32 & _LOW) ^ words[1] ^ first, odd & _LOW,
                 (even >> 32 & _LOW) ^ words[3] ^ second, even & _LOW]
    return words


def make_keep(library: Any, heads: int, dropout_p: float,
              seed: Tuple[int, int]) -> Tuple[Callable[..., Any], float]:
    """Returns a function of (b, h, q, kv) that says which probabilities dropout keeps, and the
    factor by which these are multiplied. `kv` must be the indices of all keys, from 0 on."""
    threshold = int(65536 * dropout_p + 0.5)
    key = seed[0] & _LOW, seed[0] >> 32 & _LOW

    def keep(b: int, h: Any, q: Any, kv: Any) -> Any:
        # Eight adjacent keys share a counter: each uses 16 of the 128 bits that it gives.
        words = _philox((kv[::8] // 8, q, b * heads + h, seed[1] & _LOW), key)
        bits = library.stack([word >> shift & 0xFFFF for word in words
                              for shift in (0, 16)], axis=-1)
        return (bits >= threshold).reshape(*bits.shape[:-2], -1)[..., :len(kv)]

    return keep, 65536 / (65536 - threshold)
