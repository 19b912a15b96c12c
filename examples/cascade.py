"""Cascade attention: requests that share the beginning of their prompts.

A step of decoding reads the shared keys once: it treats the rows of all requests as rows of
one batch entry. Then it reads each request's own keys in pages, and merges both results.
The script compares the result with that of attention in which each request has its own copy
of the shared keys.

    python3 cascade.py --device cuda --dtype bf16 --shared 16384 --own 256

Needs PyTorch. Source of the formula: "FlashInfer" (arXiv 2501.01005).
"""

import argparse
import sys
import time
from typing import Any, List, Optional

try:
    import torch
except ImportError as error:
    print(f"skipped: {error}", file=sys.stderr)
    sys.exit(77)

import attn_mlir

DTYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}


def cascade(q: Any, shared_k: Any, shared_v: Any, k_pool: Any, v_pool: Any, lengths: Any,
            pages: Any) -> Any:
    """Returns the outputs of attention for the queries `q`, (requests, Hq, S, D). The shared keys
    are (1, Hkv, P, D). The requests' own keys, including those of the S new tokens, are in pages as
    `attn_mlir.decode` takes them."""
    requests, heads, rows, width = q.shape
    together = q.transpose(0, 1).reshape(1, heads, requests * rows, width)
    o, lse = attn_mlir.decode(together, shared_k, shared_v, return_lse=True)
    shared = (o.reshape(heads, requests, rows, -1).transpose(0, 1),
              lse.reshape(heads, requests, rows).transpose(0, 1))
    # Only attention to the requests' own keys needs the causal mask, since all shared keys come
    # before all queries.
    own = attn_mlir.decode(q, k_pool, v_pool, lengths=lengths, page_table=pages,
                           causal=True, return_lse=True)
    return attn_mlir.merge([shared, own], return_lse=False)


def reference(q: Any, shared_k: Any, shared_v: Any, k_pool: Any, v_pool: Any, lengths: Any,
              pages: Any) -> Any:
    """Returns the result of plain attention in fp64, in which each request has a copy of the shared
    keys."""
    results = []
    for b, length in enumerate(lengths.tolist()):
        def gather(shared: Any, pool: Any, b: int = b, length: int = length) -> Any:
            own = pool[pages[b].long()].transpose(0, 1).flatten(1, 2)[:, :length]
            both = torch.cat([shared[0], own], 1).double()
            return both.repeat_interleave(q.shape[1] // len(both), 0)
        k, v = gather(shared_k, k_pool), gather(shared_v, v_pool)
        scores = q[b].double() @ k.mT / q.shape[3] ** 0.5
        rows, keys = scores.shape[1:]
        future = torch.ones(rows, keys, dtype=torch.bool, device=q.device).triu(
            keys - rows + 1)
        results.append(scores.masked_fill(future, float("-inf")).softmax(-1) @ v)
    return torch.stack(results)


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--device", choices=("cpu", "cuda"),
                        default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--dtype", choices=list(DTYPES), default="f32")
    for name, default in (("requests", 8), ("rows", 1), ("shared", 500), ("own", 60)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args(arguments)
    requests, page, width, heads, kv_heads = options.requests, 16, 64, 8, 2
    torch.manual_seed(0)

    def make(*sizes: int) -> Any:
        return torch.randn(sizes, device=options.device).to(DTYPES[options.dtype])

    q = make(requests, heads, options.rows, width)
    shared = [make(1, kv_heads, options.shared, width) for _ in "kv"]
    columns = -(-options.own // page)
    pools = [make(requests * columns, kv_heads, page, width) for _ in "kv"]
    pages = torch.randperm(requests * columns).int().view(requests, columns)
    lengths = torch.randint(options.rows, options.own + 1, (requests,)).int()
    call = (q, *shared, *pools, lengths.to(options.device), pages.to(options.device))

    found = cascade(*call)
    error = (found.double() - reference(*call)).abs().max().item()
    limit = {"f32": 5e-5, "f16": 4e-3, "bf16": 3e-2}[options.dtype]
    is_good = error <= limit  # NaN is not
    begin = time.perf_counter()
    for _ in range(10):
        cascade(*call)
    if options.device == "cuda":
        torch.cuda.synchronize()
    print(f"{requests} requests, {options.shared} shared keys and up to {options.own} own: "
          f"{(time.perf_counter() - begin) * 1e5:.1f} us, error {error:.3g}, "
          f"{'good' if is_good else 'WRONG'}")
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
