"""Runs a function in several processes that form a process group of gloo."""

import datetime
import multiprocessing
import os
import time
import traceback

import torch
import torch.distributed as dist

DEAD = "dead"


def _enter(function, rank, size, port, pipe, timeout, foreign, arguments):
    for other in foreign:  # so that the end of a process is the end of its pipe
        other.close()
    # Standard error is discarded: tests break connections, about which PyTorch prints warnings with
    # stacks.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    torch.set_num_threads(1)
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    store = None
    if rank == 0:  # a port that is free, without a race
        store = dist.TCPStore("127.0.0.1", 0, size, True, wait_for_workers=False)
        port.value = store.port
    while port.value == 0:
        time.sleep(0.01)
    if rank:
        store = dist.TCPStore("127.0.0.1", port.value, size, False, wait_for_workers=False)
    dist.init_process_group("gloo", store=store, rank=rank, world_size=size,
                            timeout=datetime.timedelta(seconds=timeout))
    del store
    try:
        pipe.send(function(rank, *arguments))
    except BaseException:
        pipe.send("FAILED\n" + traceback.format_exc())
    # A process stays alive until all results have arrived, since the others may still need it.
    pipe.poll(60)
    if dist.is_initialized():
        dist.destroy_process_group()


def run(function, size, *arguments, timeout=60, limit=120):
    """Returns the result of the function for each rank, or DEAD for a process that was killed.
    `timeout` is that of the group, and `limit` the time for all processes, in seconds."""
    # Processes are forked, before PyTorch has started threads in this one. Importing all modules in
    # new processes would take far longer.
    context = multiprocessing.get_context("fork")
    port, end = context.Value("i", 0), time.monotonic() + limit
    pipes, processes, results = [], [], []
    for rank in range(size):
        ours, theirs = context.Pipe()
        process = context.Process(target=_enter, args=(function, rank, size, port, theirs,
                                                       timeout, [*pipes, ours], arguments))
        process.start()
        theirs.close()
        pipes.append(ours)
        processes.append(process)
    try:
        for rank, pipe in enumerate(pipes):
            if not pipe.poll(max(0, end - time.monotonic())):
                raise AssertionError(f"expected rank {rank} to end within {limit} s")
            try:
                results.append(pipe.recv())
            except EOFError:
                results.append(DEAD)
        for rank, result in enumerate(results):
            if isinstance(result, str) and result.startswith("FAILED"):
                raise AssertionError(f"rank {rank}: {result}")
        for pipe, result in zip(pipes, results):
            if result != DEAD:
                pipe.send(None)
        for process in processes:
            process.join(max(1, end - time.monotonic()))
        return results
    finally:
        for process in processes:
            if process.is_alive():
                process.kill()


def outcome(function, *arguments):
    """Calls the function. Returns the name of the exception's type and its text or, without an
    exception, ("none", result)."""
    try:
        return "none", function(*arguments)
    except Exception as error:
        return type(error).__name__, str(error)
