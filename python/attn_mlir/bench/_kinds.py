"""Says for each set of shapes how its problems are made, and which implementations solve them."""

from . import _caches, _eight_bits, _gradients, _masks, _packed, _pages
from ._flash_peers import FLASH_PEERS
from ._peers import TORCH_PEERS, Kind, Own, make_plain_problem
from ._shapes import Shape

PEERS = {**TORCH_PEERS, **FLASH_PEERS}
_PLAIN = Kind(make_plain_problem, Own, PEERS)
_KINDS = {"backward": _gradients.KIND, "masks": _masks.KIND, "packed": _packed.KIND,
          "pages": _pages.KIND, "quantized": _caches.KIND, "latent": _caches.KIND,
          "eight-bits": _eight_bits.KIND}


def find_kind(shape: Shape) -> Kind:
    return _KINDS.get(shape.set, _PLAIN)
