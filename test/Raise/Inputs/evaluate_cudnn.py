"""Evaluates calls of cuDNN's attention and its gradients, as JAX writes them, by their formulas in
double precision."""

import json

import numpy as np


def cudnn(op, operands):
    target = op.attributes["call_target_name"].strip('"')
    assert target.startswith("__cudnn$fmha")
    text = op.attributes["backend_config"][1:-1].replace("\\22", '"')
    config = json.loads(text)["cudnn_fmha_backend_config"]
    backward = target.endswith("Backward")
    rest = list(operands)
    q, k, v = (rest.pop(0) for _ in range(3))
    gradient = bias = None
    if backward:
        lse, gradient = rest.pop(0), rest.pop(0)
    if "ScaleBias" in target:
        bias = rest.pop(0)
    if backward:
        rest.pop(0)
    lengths = rest
    heads_first = ("bmm2_grad_gemm2_dot_dimension_numbers" if backward
                   else "bmm1_dot_dimension_numbers")
    heads_first = config[heads_first]["lhs_batch_dimensions"] == ["0", "1"]

    def order(x):
        return x if x is None or heads_first else np.swapaxes(x, 1, 2)
    q, k, v, gradient = (order(x) for x in (q, k, v, gradient))
    groups = q.shape[1] // k.shape[1]
    wide_k, wide_v = (np.repeat(x, groups, axis=1) for x in (k, v))
    s = config["fmha_scale"] * q @ np.swapaxes(wide_k, 2, 3)
    if bias is not None:
        s = s + bias
    rows, keys = (np.arange(n) for n in s.shape[2:])
    keep = np.ones(s.shape, bool)
    distance = rows[:, None] - keys
    if "CAUSAL" in config["mask_type"]:
        keep &= distance >= 0
    if config["sliding_window_length"]:
        keep &= distance < config["sliding_window_length"]
    if "PADDING" in config["mask_type"]:
        keep &= rows[:, None] < lengths[0][:, None, None, None]
        keep &= keys < lengths[1][:, None, None, None]
    s = np.where(keep, s, -np.inf)
    most = s.max(-1, keepdims=True)
    most = np.where(np.isneginf(most), 0, most)
    e = np.exp(s - most)
    total = e.sum(-1, keepdims=True)
    p = e / np.where(total == 0, 1, total)
    if not backward:
        with np.errstate(divide="ignore"):
            return [p @ wide_v, (np.log(total) + most)[..., 0], None][:len(op.results)]
    with np.errstate(invalid="ignore"):
        assert np.allclose(np.exp(s - lse[..., None]), p)
    dp = gradient @ np.swapaxes(wide_v, 2, 3)
    ds = p * (dp - (p * dp).sum(-1, keepdims=True))

    def add(x):
        return x.reshape(x.shape[0], -1, groups, *x.shape[2:]).sum(2)
    results = [config["fmha_scale"] * ds @ wide_k,
               config["fmha_scale"] * add(np.swapaxes(ds, 2, 3) @ q),
               add(np.swapaxes(p, 2, 3) @ gradient)]
    if bias is not None:
        shared = tuple(d for d in range(4) if bias.shape[d] == 1 != ds.shape[d])
        results.append(ds.sum(shared, keepdims=True))
    return results + [None]
