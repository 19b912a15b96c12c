"""Checks, faults and training of attn_mlir.distributed by NCCL, on two GPUs or more.

    distributed-gpu.py [--quick] [CASE...]

Cases, by default all: bandwidth, misfit (new on all ranks), step (new on one rank, while the
others wait on the device), death (a rank is killed), stop (a rank hangs), llama (8k tokens on one
rank and on two, and 64k on two). Prints a line for each; the exit status is 1 if one failed.
With --quick the trainings have 10 steps.
"""

import datetime
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples" / "distributed_llama.py"
# TIMEOUT is the process group's timeout, and SILENCE the time without a sign of life after which a
# rank counts as missing, both in seconds.
TIMEOUT, SILENCE = 30, 5.0


def child(case, rank, port):
    import torch
    import torch.distributed as dist
    from attn_mlir.distributed import _checks, _faults, measure_bandwidth, plan, watch

    torch.cuda.set_device(rank)
    store = dist.TCPStore("127.0.0.1", port, 2, False, wait_for_workers=False)
    dist.init_process_group("nccl", store=store, rank=rank, world_size=2,
                            timeout=datetime.timedelta(seconds=TIMEOUT))
    watch(interval=0.5, timeout=SILENCE)
    group = dist.group.WORLD
    x, y = torch.full((1 << 20,), rank + 1.0, device="cuda"), torch.empty(1 << 20, device="cuda")

    def step(**values):
        _checks.check_same(None, "attention", values)
        with _faults.named_failures(group):
            for work in dist.batch_isend_irecv([dist.P2POp(dist.isend, x, 1 - rank),
                                                dist.P2POp(dist.irecv, y, 1 - rank)]):
                work.wait()
        return y[0].item()  # the host waits here

    assert step(q=1) == 2 - rank
    if case == "bandwidth":
        found = measure_bandwidth(size=256 << 20)
        its = plan(ranks=2, sequence=131072, heads=16, head_dim=128, causal=True,
                   backward=True, bandwidth=found.bytes, latency=found.latency)
        if rank == 0:
            print(f"RESULT {found.bytes / 1e9:.1f} GB/s each way, {found.latency * 1e6:.1f} us; "
                  f"planned efficiency at 131072 x 128, causal: {its.forward.efficiency:.3f}, "
                  f"with gradients {its.efficiency:.3f}")
    try:
        if case == "misfit":
            step(q=2 + rank)
        if case == "step":
            step(q=1 if rank == 0 else 5)
        if case in ("death", "stop"):
            for _ in range(5):
                step(q=1)
            if rank == 1:
                os.kill(os.getpid(), signal.SIGKILL if case == "death" else signal.SIGSTOP)
            for _ in range(1000):
                step(q=1)
    except Exception as error:
        print(f"RAISED {type(error).__name__}: {error}", flush=True)
        if case == "misfit":
            print("AFTER", step(q=9), flush=True)
    sys.stdout.flush()
    if case in ("bandwidth", "misfit"):
        dist.destroy_process_group()
    else:
        os._exit(0)


def start(case):
    """Runs a case on two ranks. Returns for each rank the exit status, the seconds until its end,
    and what it printed."""
    import torch.distributed as dist

    store = dist.TCPStore("127.0.0.1", 0, 2, True, wait_for_workers=False)
    with tempfile.TemporaryDirectory() as folder:
        logs = [open(os.path.join(folder, str(rank)), "w+") for rank in range(2)]
        begin = time.monotonic()
        processes = [subprocess.Popen(
            [sys.executable, __file__, "--child", case, str(rank), str(store.port)],
            stdout=logs[rank], stderr=subprocess.STDOUT) for rank in range(2)]
        found = []
        for rank, process in enumerate(processes):
            if case == "stop" and rank == 1:  # it does not end
                process.kill()
            try:
                status = process.wait(TIMEOUT + 90)
            except subprocess.TimeoutExpired:
                process.kill()
                status = "did not end"
            logs[rank].seek(0)
            found.append((status, time.monotonic() - begin, logs[rank].read()))
        return found


def tell(text, pattern):
    lines = [line for line in text.splitlines() if re.search(pattern, line)]
    return lines[0][:150] if lines else ""


def check(case):
    """Runs a case. Returns whether it passed, its name, and a line about the result."""
    found = start(case)
    (first, seconds, text), (second, _, other) = found
    if case == "bandwidth":
        return first == 0, case, tell(text, "RESULT") or text[-300:]
    if case == "misfit":
        raised = [tell(its, "RAISED ArgumentError: q: expected 2, as on rank 0, found 3 on "
                            "rank 1") for _, _, its in found]
        return all(raised) and "AFTER 2.0" in text and "AFTER 1.0" in other, case, (
            raised[0] or text[-300:])
    if case == "step":
        named = tell(text, "q: expected 1, as on rank 0, found 5 on rank 1")
        raised = tell(other, "RAISED ArgumentError: q: expected 1")
        return bool(named and raised) and first != "did not end", case, (
            f"rank 0: {first} after {seconds:.0f} s, {named or text[-300:]}")
    named = tell(text, "rank 1 (has ended|has not been heard of)")
    return bool(named) and first != "did not end", case, (
        f"rank 0: {first} after {seconds:.0f} s, {named or text[-300:]}")


def train(quick):
    """Runs the trainings of examples/distributed_llama.py. Yields for each whether it passed, its
    name, and its last lines."""
    steps = "10" if quick else "100"
    with tempfile.TemporaryDirectory() as folder:
        one = os.path.join(folder, "one.json")
        for name, arguments in (
                ("8k, 1", ["--length", "8192", "--steps", steps, "--json", one]),
                ("8k, 2", ["--length", "8192", "--steps", steps, "--ranks", "2", "--against",
                           one]),
                ("64k, 2", ["--length", "65536", "--steps", "10" if quick else "30", "--ranks",
                            "2", "--dtype", "bfloat16"])):
            run = subprocess.run([sys.executable, EXAMPLE, "--device", "cuda", *arguments],
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            lines = [line for line in run.stdout.splitlines() if not line.startswith("step ")]
            skipped = "skipped:" in run.stdout
            yield run.returncode == 0 and not skipped, f"llama {name}", "; ".join(lines[-3:])


def main():
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
        return
    import torch
    if torch.cuda.device_count() < 2:
        sys.exit(f"skipped: expected 2 GPUs, found {torch.cuda.device_count()}")
    arguments = [its for its in sys.argv[1:] if its != "--quick"]
    cases = arguments or ["bandwidth", "misfit", "step", "death", "stop", "llama"]
    results = []
    for case in cases:
        for passed, name, line in (train("--quick" in sys.argv) if case == "llama"
                                   else [check(case)]):
            results.append(passed)
            print(f"{'ok' if passed else 'FAILED':8}{name:12}{line}", flush=True)
    sys.exit(not all(results))


main()
