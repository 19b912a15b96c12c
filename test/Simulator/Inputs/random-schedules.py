"""random-schedules.py CHIP DIRECTORY FIRST COUNT

Draws schedules and problems, and simulates those that the checker of schedules lets
pass: results are compared with attention in fp64. A number repeats its draw."""

import os
import random
import subprocess
import sys
import time

chip, directory, first, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])


def draw(number):
    dice = random.Random(number)
    dim, dtype = dice.choice([32, 64, 64, 96, 128]), dice.choice(["f16", "bf16"])
    hopper = chip == "sm_90a" and dice.random() < 0.8
    warps = dice.choice([4, 8, 12] if hopper else [1, 2, 4, 8])
    overlap = hopper and dice.random() < 0.6
    schedule = {
        "tile_q": 16 * warps * (1 if hopper else dice.choice([1, 2])),
        "tile_kv": dice.choice([16, 32, 48, 64, 80, 128]),
        "warps": warps,
        "mma": "wgmma" if hopper else "mma_sync",
        "copy": dice.choice(["tma", "tma", "tma", "cp_async", "element"] if hopper
                            else ["cp_async", "element"]),
        "stages": dice.choice([2, 2, 3, 4]),
    }
    if schedule["copy"] == "tma":
        schedule["roles"] = "producer_consumer"
        schedule["scheduler"] = dice.choice(["static", "persistent", "dynamic"])
        schedule["softmax"] = dice.choice(["strict", "lazy"])
        schedule["overlap"] = str(overlap).lower()
        schedule["ping_pong"] = str(overlap and dice.random() < 0.6).lower()
    queries, keys = dice.choice([1, 64, 100, 200, 257]), dice.choice([1, 63, 128, 190, 300])
    mask = dice.choice(["", "mask <top_left, causal>", "mask <bottom_right, causal>",
                        "mask <top_left, left = 50, right = 20>"])
    dynamic = dice.random() < 0.5
    heads, kv_heads = dice.choice([(1, 1), (2, 2), (2, 1)])
    fields = ", ".join(f"{name} = {value}" for name, value in schedule.items())

    def array(h, s):
        return f"memref<1x{h}x{'?' if dynamic else s}x{dim}x{dtype}>"
    q, k, l = array(heads, queries), array(kv_heads, keys), \
        f"memref<1x{heads}x{'?' if dynamic else queries}xf32>"
    text = f"""func.func @main(%q: {q}, %k: {k}, %v: {k}, %o: {q}, %l: {l}) {{
  attn.attention {mask} ins(%q, %k, %v : {q}, {k}, {k}) outs(%o, %l : {q}, {l})
      {{schedule = #attn_gpu.schedule<{fields}>}}
  return
}}
"""
    sizes = [f"1x{heads}x{queries}x{dim}", f"1x{kv_heads}x{keys}x{dim}"]
    shapes = [sizes[0], sizes[1], sizes[1], sizes[0], f"1x{heads}x{queries}"]
    arguments = ["random:1", "random:2", "random:3", "--check", "--seed", str(number),
                 "--sms", str(dice.choice([1, 2, 3]))]
    if dynamic:
        for i, shape in enumerate(shapes):
            arguments += ["--shape", f"{i}={shape}"]
    return text, arguments


passed = illegal = failed = 0
for number in range(first, first + count):
    text, arguments = draw(number)
    path = os.path.join(directory, f"schedule-{number}.mlir")
    with open(path, "w") as file:
        file.write(text)
    command = ["attnc", "run", "--target", "simulate", "--chip", chip, path, *arguments]
    run = subprocess.run(command, capture_output=True, text=True)
    if "expected a schedule that fits" in run.stderr:
        illegal += 1
    elif run.returncode == 0:
        passed += 1
    else:
        failed += 1
        print(f"FAIL {number}: {' '.join(command)}\n{text}{run.stdout}{run.stderr}")
        continue
    os.remove(path)
print(f"{passed} passed, {illegal} do not fit, {failed} failed")
sys.exit(failed != 0 or passed < count // 4)
