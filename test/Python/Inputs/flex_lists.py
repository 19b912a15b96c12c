"""Writes a problem whose mask consists of lists of blocks and of a mask function, as modules and
arrays for attnc: flex_lists.py FOLDER."""

import os
import sys

import attn_mlir
import numpy
import torch
from attn_mlir.flex._block_mask import mask_function
from torch.nn.attention.flex_attention import BlockMask

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
generator = torch.Generator().manual_seed(3)
ROWS, KEYS = 193, 257
kinds = torch.randint(0, 3, (1, 2, 4, 3), generator=generator)
kinds[:, 0, 1] = 0  # rows with nothing


def as_list(chosen):
    order = torch.argsort(chosen.int(), dim=-1, descending=True, stable=True)
    return chosen.sum(-1).int(), order.int()


mask = attn_mlir.mask.trace(mask_function(BlockMask.from_kv_blocks(
    *as_list(kinds == 1), *as_list(kinds == 2), BLOCK_SIZE=(64, 96),
    mask_mod=lambda b, h, q, kv: q >= kv, seq_lengths=(ROWS, KEYS), compute_q_blocks=False)))
arrays = [torch.randn(1, 2, rows, 64, generator=generator).half()
          for rows in (ROWS, KEYS, KEYS, ROWS)] + list(mask.arrays)
for number, array in enumerate(arrays):
    numpy.save(os.path.join(folder, f"{number}.npy"), array.contiguous().numpy())
for name, backward in (("forward", False), ("backward", True)):
    kernel = attn_mlir.compile(dtype="f16", head_dim=64, chip="host", mask_mod=mask,
                               backward=backward)
    with open(os.path.join(folder, f"{name}.mlir"), "w") as file:
        file.write(kernel.ir("source"))
