"""Makes the problems of serving.py as tensors, and compares results with those of serving.py."""

import attn_mlir
import numpy as np
import serving
import torch

TOLERANCES = {torch.float32: 2e-5, torch.float16: 4e-3, torch.bfloat16: 3e-2}


def to_tensors(problem, device, dtype):
    """Converts a problem's arrays to tensors: f16 to `dtype`, in memory with gaps."""
    found = {}
    for name, its in problem.items():
        if isinstance(its, np.ndarray):
            kind = dtype if its.dtype == np.float16 else None
            its = torch.from_numpy(its).to(device, kind)
        found[name] = its
    return found


def to_arrays(problem):
    """Converts a problem's tensors to arrays: bf16 to f32."""
    return {name: (its.float() if its.dtype == torch.bfloat16 else its).cpu().numpy()
            if isinstance(its, torch.Tensor) else its for name, its in problem.items()}


def check_append(case, device, dtype, append=attn_mlir.append):
    problem = to_tensors(serving.problem(**case), device, dtype)
    # In half of the cases, the pool's memory has the order (page, position, head).
    if case["seed"] % 2:
        for name in ("k_cache", "v_cache"):
            problem[name] = problem[name].transpose(1, 2).contiguous().transpose(1, 2)
    expected = serving.append(**to_arrays(problem))
    found = append(**problem)
    assert (found is None) == ("q" not in problem)
    results = (problem["k_cache"], problem["v_cache"], problem["lengths"], found)
    for name, its, own in zip(("k", "v", "lengths", "q"), results, expected):
        if its is None:
            continue
        own = torch.from_numpy(own).to(device)
        if name == "lengths" or name == "v" or "cos" not in problem:
            assert torch.equal(its, own.to(its.dtype)), (name, case)
        else:
            tolerance = TOLERANCES[dtype]
            torch.testing.assert_close(its.float(), own.float(), atol=tolerance,
                                       rtol=tolerance, msg=lambda text: f"{name} {case} {text}")


def merge_reference(states, sink=None):
    """Returns the merged output and lse in fp64, which can be differentiated. States without keys
    are left out by a select."""
    lses = torch.stack([lse.double() for _, lse in states])
    if sink is not None:
        own = sink.double()[None, None, :, None].expand(1, *lses.shape[1:])
        lses = torch.cat([lses, own])
    top = lses.max(0).values
    top = torch.where(torch.isinf(top), 0.0, top).detach()
    total = torch.exp(lses - top).sum(0)
    is_empty = total == 0
    lse = torch.where(is_empty, -torch.inf, top + torch.log(torch.where(is_empty, 1.0, total)))
    o = 0
    for state, its in zip(states, lses):
        is_none = (its == -torch.inf)[..., None]
        share = torch.exp(its - top) / torch.where(is_empty, 1.0, total)
        o = o + torch.where(is_none, 0.0,
                            share[..., None] * torch.where(is_none, 0.0, state[0].double()))
    return o, lse


def states(count, dtype, device, **sizes):
    return [(torch.from_numpy(o).to(device, dtype), torch.from_numpy(lse).to(device))
            for o, lse in serving.states(count, count, **sizes)]


def check_merge(found, expected, dtype):
    o, lse = found
    tolerance = TOLERANCES[dtype]
    torch.testing.assert_close(o.double(), expected[0], atol=tolerance, rtol=tolerance)
    torch.testing.assert_close(lse.double(), expected[1], atol=2e-5, rtol=2e-5)
