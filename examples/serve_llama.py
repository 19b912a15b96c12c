"""Serves a small Llama with random weights: 64 requests of unequal prompts and outputs join and
leave a batch while it runs, and take and return pages of a pool that is too small for all of
them together.

    python3 serve_llama.py --device cuda --dtype bf16 --check
    python3 serve_llama.py --device cpu --requests 20 --check

On the CPU the model and the lengths are small, and the second command takes less than a minute.

`attn_mlir.torch.append` writes keys and values into pages and turns queries and keys, `decode`
attends to pages, for steps and for chunks of prompts, and `varlen` computes the prompts' first
chunks, packed. On a GPU a step of decoding is a CUDA graph, whose replays read the current
lengths and page table. With `--check` all tokens are compared with those of plain torch: in f32
they are equal. With `--kv e4m3` keys and values are stored in 8 bits, and compared with those of
plain torch on the same stored numbers. Prints tokens a second. Needs PyTorch.
"""

import argparse
import random
import sys
import time
from typing import List, Optional

try:
    import torch
except ImportError as error:
    print(f"skipped: {error}", file=sys.stderr)
    sys.exit(77)

from llama_serving.eager import compare
from llama_serving.engine import Engine, Request
from llama_serving.model import Cache, Config, Model, make_weights

KV = {"e4m3": torch.float8_e4m3fn, "i8": torch.int8}
DTYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16}
# The sizes for each device: the model's, the numbers of slots and of pages, the tokens of a page
# and of a chunk, and the largest lengths of prompt and output.
SIZES = {
    "cpu": (Config(2, 64, 4, 2, 16, 128, 256), 8, 40, 16, 24, 90, 24),
    "cuda": (Config(8, 2048, 16, 4, 128, 5632, 32000), 32, 300, 64, 256, 1500, 200),
}


def make_requests(count: int, vocab: int, longest_prompt: int, longest_output: int,
                  seed: int) -> List[Request]:
    """Returns random requests. The first eight arrive at step 0, the others in one step after the
    other."""
    draw = random.Random(seed)
    requests = []
    for number in range(count):
        length = draw.choice([1, 2, draw.randint(1, longest_prompt),
                              draw.randint(1, longest_prompt), longest_prompt])
        prompt = [draw.randrange(vocab) for _ in range(length)]
        requests.append(Request(prompt, draw.randint(1, longest_output),
                                max(0, number - 7)))
    return requests


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--device", choices=list(SIZES),
                        default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--dtype", choices=list(DTYPES), default="f32")
    parser.add_argument("--kv", choices=list(KV),
                        help="what the cache is stored in, by default the dtype")
    parser.add_argument("--requests", type=int, default=64)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--check", action="store_true",
                        help="compare with plain torch, and in bf16 and f16 with fp64")
    options = parser.parse_args(arguments)
    device, dtype = options.device, DTYPES[options.dtype]
    config, slots, pages, page, chunk, longest_prompt, longest_output = SIZES[device]
    weights = make_weights(config, options.seed, device, dtype)
    columns = -(-(longest_prompt + longest_output) // page)
    model = Model(config, weights, columns * page)

    def serve(requests: List[Request], keeps_logits: bool) -> tuple:
        cache = Cache(config, slots, pages, page, columns, device, KV.get(options.kv, dtype))
        with torch.no_grad():
            engine = Engine(model, cache, chunk, device == "cuda", keeps_logits)
        begin = time.perf_counter()
        statistics = engine.run(requests)
        return statistics, time.perf_counter() - begin

    def make(count: int, seed: int) -> List[Request]:
        return make_requests(count, config.vocab, longest_prompt, longest_output, seed)

    serve(make(12, options.seed + 1), False)  # which compiles all kernels
    requests = make(options.requests, options.seed)
    statistics, seconds = serve(requests, options.check)
    made = sum(len(its.tokens) for its in requests)
    read = sum(len(its.prompt) for its in requests)
    kind = f"{options.dtype}, a cache of {options.kv}," if options.kv else options.dtype
    print(f"{kind} on {device}: {len(requests)} requests, {read} tokens of prompts "
          f"and {made} made in {statistics.steps} steps and {seconds:.2f} s")
    print(f"{made / seconds:.0f} tokens/s made, {(read + made) / seconds:.0f} with prompts; "
          f"{statistics.pages} pages handed out of a pool of {pages}, up to "
          f"{statistics.largest_batch} requests at a time, "
          f"{statistics.joined_while_running} joined others")
    if not options.check:
        return 0
    found = compare(config, weights, requests)
    print(f"logits' largest error {found.error:.3g}, eager's {found.eager_error:.3g}, limit "
          f"{found.limit:.3g}; {found.different} of {found.tokens} tokens differ from eager's"
          + (f", {found.excused} where its two best are as close" if found.different
             else ""))
    print("good" if found.is_good else "WRONG")
    return 0 if found.is_good else 1


if __name__ == "__main__":
    sys.exit(main())
