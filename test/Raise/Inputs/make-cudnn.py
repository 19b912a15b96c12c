"""Writes the modules in which JAX calls cuDNN: `make-cudnn.py FOLDER` with JAX 0.10.2. No GPU is needed,
since what JAX asks of it is answered here."""

import re
import sys

import jax
import jax.numpy as jnp
from jax._src.cudnn import fused_attention_stablehlo as cudnn

cudnn.check_cudnn_version = lambda: 91000
cudnn.check_compute_capability = lambda capability: True
cudnn.is_cuda_compute_capability_equal = lambda capability: False

Q, K, V = (2, 13, 4, 16), (2, 11, 2, 16), (2, 11, 2, 8)
MASK = cudnn.MaskType


def attend(*arrays, **options):
    return cudnn.dot_product_attention(*arrays, scale=0.25, **options)


def gradients(*arrays, **options):
    *arrays, d_output = arrays
    output, pull = jax.vjp(lambda *x: attend(*x, **options), *arrays)
    return output, *pull(d_output)


def main():
    half, brain, i32 = jnp.float16, jnp.bfloat16, jnp.int32
    rows = (2, 4, 13, 16)
    for name, function, shapes, types in [
            ("plain", attend, [Q, K, V], half),
            ("bias", lambda *x: attend(*x, mask_type=MASK.CAUSAL), [Q, K, V, (2, 1, 13, 11)], half),
            ("window", lambda *x: attend(*x, mask_type=MASK.CAUSAL, sliding_window_length=5,
                                         qkv_layout="BNTH"), [rows, rows, rows], brain),
            ("padding", lambda q, k, v, m, n: attend(q, k, v, None, None, m, n,
                                                     mask_type=MASK.PADDING),
             [Q, K, V, (2,), (2,)], [half, half, half, i32, i32]),
            ("lse", lambda *x: attend(*x, return_residual=True), [Q, K, V], half),
            ("grad", lambda *x: gradients(*x, mask_type=MASK.CAUSAL),
             [(2, 14, 4, 16), (2, 10, 2, 16), (2, 10, 2, 8), (2, 14, 4, 8)], half),
            ("grad-bias", gradients,
             [(2, 14, 4, 16), (2, 12, 4, 16), (2, 12, 4, 16), (1, 4, 14, 12), (2, 14, 4, 16)],
             half),
            ("not-dropout", lambda *x: attend(*x, dropout_rate=0.1), [Q, K, V], half)]:
        if not isinstance(types, list):
            types = [types] * len(shapes)
        arrays = [jax.ShapeDtypeStruct(s, t) for s, t in zip(shapes, types)]
        lowered = jax.jit(function).trace(*arrays).lower(lowering_platforms=("cuda",))
        text = lowered.compiler_ir("stablehlo").operation.get_asm(print_generic_op_form=True)
        # Arrays without elements stand for operands that are not given; nothing reads them.
        text = re.sub(r" *%\w+ = \"stablehlo.(constant|broadcast_in_dim)\"[^\n]*\n", "", text)
        with open(f"{sys.argv[1]}/cudnn-{name}.mlir", "w") as file:
            file.write(f"// Written by `make-cudnn.py`: {name.replace('-', ' ')}.\n{text}")


main()
