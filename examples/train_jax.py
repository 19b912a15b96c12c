"""Trains a two-layer transformer in plain JAX: with this project's attention and with
jax.nn's, from the same parameters on the same batches.

    python3 examples/train_jax.py [--steps N] [--text FILE] [--dtype float32]

It learns the bytes of a text (by default its own), prints both losses and the largest
difference between them, and fails if that grows beyond what rounding explains, or if the
model does not learn. Needs JAX and NumPy."""

import argparse
import functools
import pathlib
import time

import attn_mlir.jax
import jax
import jax.numpy as jnp
import numpy as np

LAYERS, HEADS, KV_HEADS, HEAD_DIM, ROWS, BATCH = 2, 4, 2, 16, 96, 8
WIDTH = HEADS * HEAD_DIM


def make_parameters(key):
    def matrix(*shape):
        nonlocal key
        key, its = jax.random.split(key)
        return jax.random.normal(its, shape) * shape[0]**-0.5

    def layer():
        return {"q": matrix(WIDTH, HEADS * HEAD_DIM), "k": matrix(WIDTH, KV_HEADS * HEAD_DIM),
                "v": matrix(WIDTH, KV_HEADS * HEAD_DIM), "out": matrix(HEADS * HEAD_DIM, WIDTH),
                "up": matrix(WIDTH, 4 * WIDTH), "down": matrix(4 * WIDTH, WIDTH),
                # The slope of ALiBi for each head, which is learnt like the weights.
                "slopes": 2.0 ** -jnp.arange(1.0, HEADS + 1)}

    return {"embed": matrix(256, WIDTH), "read": matrix(WIDTH, 256),
            "layers": [layer() for _ in range(LAYERS)]}


def ours(q, k, v, slopes):
    def alibi(score, b, h, i, j):
        return score + slopes[h] * (j - i)

    return attn_mlir.jax.attention(q, k, v, causal=True, score_mod=alibi)


def plain(q, k, v, slopes):
    distance = jnp.arange(k.shape[1]) - jnp.arange(q.shape[1])[:, None]
    bias = (slopes[:, None, None] * distance)[None]
    return jax.nn.dot_product_attention(q, k, v, bias, is_causal=True)


def normalize(x):
    return x * jax.lax.rsqrt(jnp.mean(x**2, -1, keepdims=True) + 1e-6)


def predict(attend, dtype, parameters, tokens):
    x = parameters["embed"][tokens]
    for its in parameters["layers"]:
        y = normalize(x)
        q, k, v = ((y @ its[name]).reshape(*x.shape[:2], -1, HEAD_DIM).astype(dtype)
                   for name in "qkv")
        o = attend(q, k, v, its["slopes"]).astype(x.dtype)
        x = x + o.reshape(*x.shape[:2], -1) @ its["out"]
        x = x + jax.nn.gelu(normalize(x) @ its["up"]) @ its["down"]
    return normalize(x) @ parameters["read"]


def loss_of(attend, dtype, parameters, tokens):
    scores = jax.nn.log_softmax(predict(attend, dtype, parameters, tokens[:, :-1]))
    return -jnp.mean(jnp.take_along_axis(scores, tokens[:, 1:, None], -1))


@functools.partial(jax.jit, static_argnums=(0, 1))
def step(attend, dtype, parameters, momenta, tokens):
    loss, gradients = jax.value_and_grad(functools.partial(loss_of, attend, dtype))(
        parameters, tokens)
    momenta = jax.tree.map(lambda m, g: 0.9 * m + g, momenta, gradients)
    return loss, jax.tree.map(lambda p, m: p - 0.02 * m, parameters, momenta), momenta


def train(attend, dtype, batches):
    parameters = make_parameters(jax.random.key(0))
    momenta = jax.tree.map(jnp.zeros_like, parameters)
    losses, begin = [], None
    for tokens in batches:
        loss, parameters, momenta = step(attend, dtype, parameters, momenta, tokens)
        losses.append(float(loss))
        begin = begin or time.perf_counter()  # the first step compiles
    return np.array(losses), (time.perf_counter() - begin) / max(1, len(batches) - 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--text", type=pathlib.Path, default=pathlib.Path(__file__))
    parser.add_argument("--dtype", default="float32",
                        choices=["float32", "float16", "bfloat16"])
    arguments = parser.parse_args()
    text = np.frombuffer(arguments.text.read_bytes(), np.uint8)
    rng = np.random.default_rng(0)
    batches = [np.stack([text[begin:begin + ROWS + 1] for begin in rng.integers(
        0, len(text) - ROWS - 1, BATCH)]).astype(np.int32) for _ in range(arguments.steps)]
    found, seconds = train(ours, arguments.dtype, batches)
    wanted, plain_seconds = train(plain, arguments.dtype, batches)
    difference = np.abs(found - wanted).max()
    print(f"{jax.default_backend()}: loss {found[0]:.4f} to {found[-1]:.4f}, with jax.nn "
          f"{wanted[-1]:.4f}, at most {difference:.1e} apart; a step takes "
          f"{seconds * 1e3:.1f} ms and {plain_seconds * 1e3:.1f} ms")
    allowed = 2e-3 if arguments.dtype == "float32" else 0.1
    if not difference < allowed or not found[-1] < 0.8 * found[0]:
        raise SystemExit("expected the same losses, which fall")
    print("both learn the same")


if __name__ == "__main__":
    main()
