"""python -m attn_mlir.bench distributed: times attention over a sequence that several GPUs of this
host divide, beside one GPU with the whole sequence, and beside torch's own context parallelism."""

import argparse
import contextlib
import os
import tempfile
from typing import Any, Callable, Dict, List, Optional

# The least ratios that --check accepts. BARS has that of the time on one GPU to the time on two, by
# the number of rows. BAR_OF_TORCH is that of torch's time for the causal forward pass to ours, at
# 131072 rows.
BARS = {131072: 1.9, 32768: 1.75}
BAR_OF_TORCH = 1.25


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m attn_mlir.bench distributed",
        description="Times attn_mlir.distributed.attention on the GPUs of this host, one "
        "process each, by NCCL. Milliseconds are the slowest rank's, the best of some rounds.")
    parser.add_argument("--lengths", nargs="+", type=int, default=[32768, 131072],
                        metavar="S", help="rows in all (default: 32768 131072)")
    parser.add_argument("--heads", type=int, default=16)
    parser.add_argument("--kv-heads", type=int, help="default: as many as heads")
    parser.add_argument("--dim", type=int, default=128)
    parser.add_argument("--gpus", type=int, default=2)
    parser.add_argument("--method", choices=("ring", "all_to_all"), default="ring")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--check", action="store_true",
                        help="return 1 where a ratio is below its bar")
    return parser


def _time(function: Callable[[], Any], is_alone: bool, rank: int) -> float:
    """Returns the milliseconds that a call takes on the slowest rank, as the mean of four calls. If
    `is_alone`, only rank 0 makes the call."""
    import torch
    import torch.distributed as dist

    found = torch.zeros((), device="cuda")
    dist.barrier()
    torch.cuda.synchronize()
    if rank == 0 or not is_alone:
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        count = 0
        function()
        torch.cuda.synchronize()
        if not is_alone:
            dist.barrier()
        begin.record()
        for count in range(1, 5):
            function()
        end.record()
        end.synchronize()
        found.fill_(begin.elapsed_time(end) / count)
    dist.all_reduce(found, dist.ReduceOp.MAX)
    return found.item()


def _tensors(length: int, options: argparse.Namespace) -> List[Any]:
    import torch

    generator = torch.Generator("cuda").manual_seed(length)
    heads = (options.heads, options.kv_heads or options.heads, options.kv_heads
             or options.heads, options.heads)
    return [torch.randn(1, its, length, options.dim, device="cuda", generator=generator,
                        dtype=torch.bfloat16) for its in heads]


def _with_gradients(attend: Callable[..., Any], tensors: List[Any]) -> Callable[[], Any]:
    import torch

    *inputs, d_o = tensors
    inputs = [its.detach().clone().requires_grad_() for its in inputs]

    def step() -> Any:
        return torch.autograd.grad(attend(*inputs), inputs, d_o)

    return step


def _without(attend: Callable[..., Any], tensors: List[Any]) -> Callable[[], Any]:
    import torch

    def step() -> Any:
        with torch.no_grad():
            return attend(*tensors[:3])

    return step


@contextlib.contextmanager
def _torch_context(mesh: Any, tensors: List[Any]) -> Any:
    from torch.distributed.tensor.experimental import context_parallel
    from torch.nn.attention import SDPBackend, sdpa_kernel

    with sdpa_kernel(SDPBackend.CUDNN_ATTENTION), context_parallel(
            mesh, buffers=tensors, buffer_seq_dims=[2] * len(tensors)):
        yield


def _time_torch(mesh: Any, tensors: List[Any], rounds: int, rank: int) -> float:
    """Returns the milliseconds of the causal forward pass by torch's context_parallel, or 0 if it
    fails."""
    import torch

    own = [its.clone() for its in tensors[:3]]
    try:
        with _torch_context(mesh, own):
            step = _without(
                lambda q, k, v: torch.nn.functional.scaled_dot_product_attention(
                    q, k, v, is_causal=True), own)
            return min([_time(step, False, rank) for _ in range(rounds)])
    except Exception as error:
        if rank == 0:
            print(f"torch's context_parallel: {str(error).splitlines()[0]}")
        return 0.0


def _measure(rank: int, options: argparse.Namespace, mesh: Any,
             complaints: List[str]) -> None:
    import torch

    import attn_mlir

    from .. import distributed

    for length in options.lengths:
        tensors = _tensors(length, options)
        for causal in (True, False):
            layout = "balanced" if causal else "contiguous"
            own = [distributed.shard(its, 2, layout=layout) for its in tensors]

            def on_all(q: Any, k: Any, v: Any, causal: bool = causal) -> Any:
                return distributed.attention(q, k, v, causal=causal, method=options.method)

            def on_one(q: Any, k: Any, v: Any, causal: bool = causal) -> Any:
                return attn_mlir.attention(q, k, v, causal=causal)

            with torch.no_grad():
                found = distributed.unshard(on_all(*own[:3]), 2, layout=layout)
                error = (found - on_one(*tensors[:3])).abs().max().item() if rank == 0 else 0
                del found
            for what, make in (("forward", _without), ("forward + backward",
                                                       _with_gradients)):
                several, one = make(on_all, own), make(on_one, tensors)
                times: Dict[str, List[float]] = {"several": [], "one": []}
                for _ in range(options.rounds):
                    times["one"].append(_time(one, True, rank))
                    times["several"].append(_time(several, False, rank))
                del several, one
                torch.cuda.empty_cache()
                best = {name: min(its) for name, its in times.items()}
                ratio = best["one"] / best["several"]
                row = [f"{length:7}", "causal" if causal else "full  ", f"{what:18}",
                       f"{best['several']:9.3f}", f"{best['one']:9.3f}", f"{ratio:6.3f}"]
                bar = BARS.get(length, 0) if options.gpus == 2 else 0
                if ratio < bar:
                    complaints.append(f"{length} {row[1]} {what}: {ratio:.3f} < {bar}")
                if causal and what == "forward":
                    theirs = _time_torch(mesh, tensors, options.rounds, rank)
                    row.append(f"{theirs:9.3f} {theirs / best['several']:6.3f}")
                    if length == 131072 and 0 < theirs < BAR_OF_TORCH * best["several"]:
                        complaints.append(f"{length}: {theirs / best['several']:.3f} of torch")
                if rank == 0:
                    print(" ".join(row), f" error {error:.2g}" if what == "forward" else "",
                          flush=True)


def _work(rank: int, store: str, options: argparse.Namespace) -> None:
    import torch
    import torch.distributed as dist

    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", init_method=f"file://{store}", rank=rank,
                            world_size=options.gpus, device_id=device)
    mesh = dist.init_device_mesh("cuda", (options.gpus,))
    complaints: List[str] = []
    if rank == 0:
        print(f"{options.gpus} x {torch.cuda.get_device_name()}, {options.heads} heads, "
              f"d{options.dim}, bf16, {options.method}\n"
              f"   rows mask   pass               {options.gpus} GPUs ms  1 GPU ms  ratio "
              "torch's CP ms, ratio", flush=True)
    try:
        _measure(rank, options, mesh, complaints)
    finally:
        dist.destroy_process_group()
    if rank == 0:
        print(*complaints, sep="\n")
        if complaints and options.check:
            raise SystemExit(1)


def main(arguments: Optional[List[str]] = None) -> int:
    options = _make_parser().parse_args(arguments)
    import torch

    if torch.cuda.device_count() < options.gpus:
        print(f"bench: error: expected {options.gpus} GPUs, found "
              f"{torch.cuda.device_count()}")
        return 1
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory() as directory:
        try:
            torch.multiprocessing.spawn(_work, (os.path.join(directory, "store"), options),
                                        options.gpus)
        except (torch.multiprocessing.ProcessRaisedException,
                torch.multiprocessing.ProcessExitedException) as error:
            print(f"bench: error: {error}")
            return 1
    return 0
