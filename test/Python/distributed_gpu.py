# attn_mlir.distributed on two GPUs of one host, by NCCL: 60 random problems against fp64,
# decode, meshes, and no wait for the device. Several pairs of processes, one per GPU each, so that
# kernels are compiled at the same time.
#
# REQUIRES: capi, two-gpus, pytorch
# RUN: %pytorch-python -W ignore %s

import argparse
import collections
import os
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch
import torch.distributed as dist


def check_decode(distributed, attn_mlir, rank, ranks):
    for dtype in (torch.float32, torch.bfloat16):
        generator = torch.Generator().manual_seed(5)
        q = torch.randn(4, 8, 1, 64, generator=generator).to("cuda", dtype)
        k, v = (torch.randn(4, 2, 512, 64, generator=generator).to("cuda", dtype)
                for _ in "kv")
        lengths = torch.tensor([512, 0, 100, 300], dtype=torch.int32, device="cuda")
        size = 512 // ranks
        held = [its[:, :, rank * size:(rank + 1) * size] for its in (k, v)]
        found, lse = distributed.decode(q, *held, lengths=lengths, return_lse=True)
        expected, wanted = attn_mlir.decode(q, k, v, lengths=lengths, return_lse=True)
        torch.testing.assert_close(found, expected, atol=1e-2, rtol=1e-2)
        torch.testing.assert_close(lse, wanted, atol=1e-3, rtol=1e-3)


def check_no_wait(distributed):
    tensors = [torch.randn(1, 4, 512, 64, device="cuda").bfloat16().requires_grad_()
               for _ in "qkv"]

    def step():
        torch.autograd.grad(distributed.attention(*tensors, causal=True).sum(), tensors)

    step()
    torch.cuda.synchronize()
    torch.cuda.set_sync_debug_mode("error")
    try:
        step()
    finally:
        torch.cuda.set_sync_debug_mode("default")


def check_strides_on_stream(distributed):
    """Calls attention on a stream that is not the default one."""
    q, k, v = (torch.randn(1, 256, 4, 64, device="cuda").bfloat16().transpose(1, 2)
               for _ in "qkv")
    expected = distributed.attention(q, k, v)
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        found = distributed.attention(q, k, v)
    torch.cuda.current_stream().wait_stream(stream)
    torch.testing.assert_close(found, expected, atol=1e-2, rtol=1e-2)


def work(process, options, directory, results):
    pair, rank = divmod(process, 2)
    torch.cuda.set_device(rank)
    torch.set_num_threads(1)
    own = os.path.join(directory, f"pair{pair}")
    dist.init_process_group("nccl", init_method=f"file://{own}.store", rank=rank, world_size=2,
                            device_id=torch.device("cuda", rank))
    import attn_mlir
    import distributed_cases as cases
    from attn_mlir import distributed

    os.makedirs(own, exist_ok=True)
    cases.compile_in_turns(attn_mlir, own)
    device = f"cuda:{rank}"

    def attempt(name, function, *arguments, **keywords):
        begin, error = time.monotonic(), ""
        try:
            function(*arguments, **keywords)
        except AssertionError as found:
            error = str(found)
        # Both ranks exchange whether the case failed, so that they continue at the same time.
        failed = torch.tensor(float(bool(error)), device="cuda")
        dist.all_reduce(failed)
        results.put((rank, name, time.monotonic() - begin, error))

    for number in range(options.count):
        if number % len(cases.KINDS) % options.pairs != pair:
            continue
        case = cases.draw_case(options.seed, number, 2, unit=options.unit, dims=(64, 128))
        attempt(f"{number}: {case}", cases.run_case, case, device, distributed,
                group=dist.group.WORLD)
    if pair == 0:
        attempt("decode", check_decode, distributed, attn_mlir, rank, 2)
        attempt("no wait", check_no_wait, distributed)
        attempt("streams", check_strides_on_stream, distributed)
    if pair == options.pairs - 1:
        for shape in ((2, 1), (1, 2)):
            case = cases.draw_case(options.seed, 0, 2, unit=options.unit, dims=(64, 128))
            case.update(heads=4, kv_heads=2)
            attempt(f"mesh {shape}", cases.run_case, case, device, distributed,
                    mesh=dist.init_device_mesh("cuda", shape))
    dist.destroy_process_group()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int,
                        default=int(os.environ.get("ATTN_TEST_SEED", "1")) % 1000)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--pairs", type=int, default=8)
    parser.add_argument("--unit", type=int, default=24,
                        help="sequences are up to 52 times as long (default: 24)")
    options = parser.parse_args()
    if torch.cuda.device_count() < 2 or not dist.is_nccl_available():
        print(f"skipped: expected two GPUs and NCCL, found {torch.cuda.device_count()}")
        return 1
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as directory:
        os.environ["ATTN_MLIR_CACHE"] = os.path.join(directory, "cache")
        results = torch.multiprocessing.get_context("spawn").Manager().Queue()
        died = ""
        try:
            torch.multiprocessing.spawn(work, (options, directory, results),
                                        2 * options.pairs)
        except Exception as error:
            died = str(error)
        found = collections.defaultdict(list)
        while not results.empty():
            rank, name, seconds, error = results.get()
            found[name].append((seconds, error))
    failed = {name: its for name, its in found.items() if any([error for _, error in its])}
    for name, its in failed.items():
        print("FAILED", name, *[error for _, error in its if error], sep="\n  ")
    print(died)
    print(f"seed {options.seed}: {len(found)} checks, {len(failed)} failed, "
          f"{time.monotonic() - begin:.0f} s")
    return 1 if failed or died or len(found) != options.count + 5 else 0


if __name__ == "__main__":
    sys.exit(main())
