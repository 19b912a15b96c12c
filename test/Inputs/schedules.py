"""schedules.py [--run] [--ptxas PTXAS] [FILTER]

Compiles attention with schedules written by hand, which combine their fields. Prints a line for
each case whose name contains FILTER: the kinds of instructions in the kernels and, with --ptxas,
what they spill. With --run, kernels are instead run on this machine's GPU and checked against
attention in fp64."""

import argparse
import itertools
import os
import re
import subprocess
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("--run", action="store_true")
parser.add_argument("--ptxas")
parser.add_argument("filter", nargs="?", default="")
arguments = parser.parse_args()
directory = tempfile.mkdtemp()

ROLES = "roles = producer_consumer"
# Fields of schedules for MMAs, copies and roles, by a name, each with the number of warps, the
# number of rows, and a head dim.
WAYS = {
    "sync-tma-roles": ("mma = mma_sync, copy = tma, " + ROLES, 8, 128, 64),
    "sync-tma-roles-32": ("mma = mma_sync, copy = tma, stages = 3, " + ROLES, 4, 128, 32),
    "sync-tma": ("mma = mma_sync, copy = tma, stages = 3", 4, 64, 64),
    "sync-async": ("mma = mma_sync, copy = cp_async, stages = 3", 4, 128, 64),
    "wgmma-async": ("mma = wgmma, copy = cp_async, stages = 3", 8, 128, 128),
    "wgmma-element": ("mma = wgmma, copy = element", 4, 64, 64),
    "wgmma-tma": ("mma = wgmma, copy = tma", 8, 128, 128),
    "wgmma-tma-roles": ("mma = wgmma, copy = tma, " + ROLES, 8, 128, 128),
    "wgmma-async-roles": ("mma = wgmma, copy = cp_async, " + ROLES, 8, 128, 128),
    "wgmma-element-roles": ("mma = wgmma, copy = element, " + ROLES, 4, 64, 64),
    "sync-async-roles": ("mma = mma_sync, copy = cp_async, " + ROLES, 8, 128, 64),
    "sync-element-roles": ("mma = mma_sync, copy = element, " + ROLES, 4, 64, 64),
}
PROBLEMS = {
    "causal": ["--seq", "1000", "--causal", "top-left", "--heads", "3", "--lse"],
    "dynamic": ["--seq", "?:?", "--batch", "?", "--heads", "4:2", "--causal", "bottom-right"],
    "full": ["--seq", "500", "--heads", "2"],
}
SHAPES = [(300, 300), (64, 1000), (1, 65), (200, 70)]


def describe(run):
    """Returns the first line of a command's error message, or "" if it succeeded."""
    lines = (run.stderr or run.stdout).strip().splitlines() or [f"exit {run.returncode}"]
    return "" if run.returncode == 0 else "error: " + lines[0]


def execute(*command):
    return subprocess.run(command, capture_output=True, text=True)


def write_module(problem, dim, schedule):
    path = os.path.join(directory, "main.mlir")
    text = execute("attnc", "gen", "--dtype", "f16", "--head-dim", str(dim),
                   *PROBLEMS[problem]).stdout
    text = re.sub(r"^( *outs\(.*)$", rf"\1 {{schedule = #attn_gpu.schedule<{schedule}>}}",
                  text, flags=re.M)
    with open(path, "w") as file:
        file.write(text)
    return path


def compile_for(chip, path):
    ptx = os.path.join(directory, "main.ptx")
    run = execute("attnc", "compile", path, "--target", chip, "--emit", "ptx", "-o", ptx)
    if run.returncode:
        return describe(run)
    text = open(ptx).read()
    made = [name for name, pattern in (
        ("wgmma", r"wgmma\.mma_async"), ("mma.sync", r"mma\.sync"),
        ("ldmatrix", r"ldmatrix"), ("tma", r"cp\.async\.bulk\.tensor"),
        ("cp.async", r"cp\.async\.c[ga]"), ("setmaxnreg", r"setmaxnreg"),
        ("counters", r"atom\.")) if re.search(pattern, text)]
    parts = [" ".join(made), *sorted(set(re.findall(r"remark: (.*)", run.stderr)))]
    if arguments.ptxas:
        run = execute(arguments.ptxas, "-v", f"-arch={chip}", ptx, "-o", ptx + ".cubin")
        if run.returncode:
            return describe(run)
        parts += sorted(set(re.findall(r"C75\d\d|\d+ bytes spill stores", run.stderr)))
    return ", ".join(parts)


def run_on_gpu(path, problem, dim):
    results = []
    for rows, keys in SHAPES if problem == "dynamic" else [(None, None)]:
        command = ["attnc", "run", path, "random:1", "random:2", "random:3", "--target",
                   "cuda", "--check", "--repeat", "2"]
        if problem == "dynamic":
            command += ["--shape", f"0=2x4x{rows}x{dim}", "--shape", f"1=2x2x{keys}x{dim}",
                        "--shape", f"2=2x2x{keys}x{dim}"]
        run = execute(*command)
        good = run.returncode == 0 and ": pass" in run.stdout
        results.append("pass" if good else describe(run) or "FAIL " + run.stdout[-200:])
    return ", ".join(results)


def get_cases():
    for way, problem in itertools.product(WAYS, PROBLEMS):
        fields, warps, rows, dim = WAYS[way]
        for scheduler, softmax, overlap in itertools.product(
                ["static", "persistent", "dynamic"], ["strict", "lazy"], [False, True]):
            # For MMAs other than wgmma, a remark says that `overlap` has no effect, so one case
            # with it is enough.
            if overlap and "wgmma" not in way and (scheduler, softmax) != ("static", "strict"):
                continue
            # If kernels are only compiled, not all combinations of independent options are tested.
            if not arguments.run and (softmax == "lazy") != (scheduler == "dynamic"):
                continue
            if not arguments.run and problem == "full" and scheduler != "persistent":
                continue
            schedule = (f"tile_q = {rows}, tile_kv = 64, warps = {warps}, {fields}, "
                        f"scheduler = {scheduler}, softmax = {softmax}")
            if overlap:
                schedule += ", overlap = true"
            name = " ".join([way, problem, scheduler, softmax] + ["overlap"] * overlap)
            if arguments.filter in name:
                yield name, problem, dim, schedule


for name, problem, dim, schedule in get_cases():
    path = write_module(problem, dim, schedule)
    if arguments.run:
        result = run_on_gpu(path, problem, dim)
    else:
        result = compile_for("sm_90a", path)
    print(f"{name}: {result}", flush=True)
    # These chips have TMA, but neither wgmma nor setmaxnreg, which divides registers among roles.
    if not arguments.run and "sync-tma" in name and problem == "causal":
        for chip in ["sm_90", "sm_100a", "sm_120", "sm_120a"]:
            print(f"{name} {chip}: {compile_for(chip, path)}", flush=True)
