"""A two-layer Llama learns the characters of the package's own code; the sequence is divided
among ranks by attn_mlir.distributed.

    distributed_llama.py --ranks 2 --device cuda --length 65536 --steps 20
    torchrun --nproc-per-node 2 distributed_llama.py --device cuda

Every rank has all parameters and a part of the rows of each sequence. Everything except
attention computes each row independently, so only the positions change: they are those of the
rank's rows. Losses and gradients are sums over rows, and each rank has a part of the rows;
gradients are summed over ranks once a step. A single rank uses attn_mlir.attention, and with
the same seed it has the same losses up to rounding: --json writes them, and --against
compares them.

The exit status is 1 if the loss did not fall, or differs from that of --against, and 77 if
the script cannot run here. Needs PyTorch; with --device cuda NVIDIA GPUs from sm_80 on, one
for each rank.
"""

import argparse
import json
import os
import pathlib
import statistics
import sys
import time

try:
    import torch
    import torch.distributed as dist
    import torch.multiprocessing as multiprocessing
    from torch.nn.functional import cross_entropy, silu
except ImportError as error:
    print(f"skipped: {error}", file=sys.stderr)
    sys.exit(77)

import attn_mlir

LAYERS = 2


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--length", type=int, default=8192, help="tokens of a sequence")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--ranks", type=int, default=1, help="processes to start")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--dtype", choices=["float32", "bfloat16", "float16"],
                        default="float32", help="of products; parameters are float32")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--layout", choices=["balanced", "contiguous"], default="balanced")
    parser.add_argument("--method", choices=["ring", "all_to_all"], default="ring")
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--kv-heads", type=int, default=2)
    parser.add_argument("--rate", type=float, default=1e-3, help="learning rate")
    parser.add_argument("--text", nargs="+", type=pathlib.Path, help="files, by default the package's modules")
    parser.add_argument("--json", help="a file for the losses")
    parser.add_argument("--against", help="the file of another run, to compare losses with")
    parser.add_argument("--tolerance", type=float, default=1e-3, help="of --against, relative")
    return parser.parse_args()


def read(paths):
    """Returns the text as a tensor of numbers of characters, and the number of different
    characters."""
    paths = paths or sorted(pathlib.Path(attn_mlir.__file__).parent.glob("*.py"))
    text = "".join([path.read_text(encoding="utf-8") for path in paths])
    alphabet = {letter: number for number, letter in enumerate(sorted(set(text)))}
    return torch.tensor([alphabet[letter] for letter in text]), len(alphabet)


class Sharding:
    """Divides sequences among ranks, and computes attention for a rank's part. A single rank has
    the whole sequences."""

    def __init__(self, arguments, ranks):
        self.ranks, self.length = ranks, arguments.length
        self.layout, self.method = arguments.layout, arguments.method

    def take(self, tensor):
        if self.ranks == 1:
            return tensor
        return attn_mlir.distributed.shard(tensor, 1, layout=self.layout)

    def positions(self):
        if self.ranks == 1:
            return torch.arange(self.length)
        return attn_mlir.distributed.positions(self.length, layout=self.layout)

    def attend(self, q, k, v):
        if self.ranks == 1:
            return attn_mlir.attention(q, k, v, causal=True)
        return attn_mlir.distributed.attention(q, k, v, causal=True, layout=self.layout,
                                               method=self.method)

    def add_up(self, tensors):
        """Replaces each tensor by its sum over all ranks, in one message."""
        if self.ranks == 1:
            return
        flat = torch.cat([tensor.flatten() for tensor in tensors])
        dist.all_reduce(flat)
        for tensor, its in zip(tensors, flat.split([its.numel() for its in tensors])):
            tensor.copy_(its.view_as(tensor))


class RMSNorm(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(width))

    def forward(self, x):
        x = x.float()
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6) * self.weight


def rotate(x, cos, sin):
    """Applies the rotary embedding to the pairs of columns i and i + D / 2, in float32."""
    first, second = x.float().chunk(2, -1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], -1).to(x.dtype)


class Block(torch.nn.Module):
    def __init__(self, width, heads, kv_heads, sharding):
        super().__init__()
        self.dim, self.sharding = width // heads, sharding
        self.before, self.after = RMSNorm(width), RMSNorm(width)

        def linear(inputs, outputs):
            return torch.nn.Linear(inputs, outputs, bias=False)

        self.query, self.join = linear(width, width), linear(width, width)
        self.key, self.value = (linear(width, kv_heads * self.dim) for _ in range(2))
        wide = 8 * width // 3
        self.gate, self.up, self.down = (linear(width, wide), linear(width, wide),
                                         linear(wide, width))

    def forward(self, x, cos, sin):
        y = self.before(x)
        q, k, v = (project(y).unflatten(-1, (-1, self.dim)).transpose(1, 2)
                   for project in (self.query, self.key, self.value))
        o = self.sharding.attend(rotate(q, cos, sin), rotate(k, cos, sin), v)
        x = x + self.join(o.transpose(1, 2).flatten(2))
        y = self.after(x)
        return x + self.down(silu(self.gate(y)) * self.up(y))


class Llama(torch.nn.Module):
    def __init__(self, letters, arguments, sharding):
        super().__init__()
        width, heads = arguments.width, arguments.heads
        self.letters = torch.nn.Embedding(letters, width)
        self.blocks = torch.nn.ModuleList([
            Block(width, heads, arguments.kv_heads, sharding) for _ in range(LAYERS)])
        self.last, self.out = RMSNorm(width), torch.nn.Linear(width, letters, bias=False)
        dim = width // heads
        rates = 1e4 ** (-torch.arange(0, dim, 2) / dim)
        angles = torch.outer(sharding.positions().float(), rates)
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def forward(self, tokens):
        x = self.letters(tokens)
        for block in self.blocks:
            x = block(x, self.cos, self.sin)
        return self.out(self.last(x))


def batches(text, arguments):
    """Yields for each step a sequence of tokens, and for each of its tokens the one that follows.
    All ranks draw the same sequences."""
    generator = torch.Generator().manual_seed(arguments.seed)
    text = text.repeat(arguments.length // len(text) + 2)
    for _ in range(arguments.steps):
        start = torch.randint(len(text) - arguments.length, (), generator=generator)
        tokens = text[start:start + arguments.length + 1].unsqueeze(0)
        # Targets are shifted before the sequence is divided among ranks, since the token after the
        # last one of a rank's slice belongs to another rank.
        yield tokens[:, :-1], tokens[:, 1:]


def train(arguments, rank, ranks, device):
    text, letters = read(arguments.text)
    sharding = Sharding(arguments, ranks)
    torch.manual_seed(arguments.seed)
    model = Llama(letters, arguments, sharding).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), arguments.rate, eps=1e-6)
    dtype = getattr(torch, arguments.dtype)
    losses, seconds = [], []
    for step, (tokens, targets) in enumerate(batches(text, arguments)):
        begin = time.perf_counter()
        tokens, targets = (sharding.take(its).to(device) for its in (tokens, targets))
        with torch.autocast(device.type, dtype, enabled=dtype != torch.float32):
            logits = model(tokens)
        # The sum over this rank's rows is divided by the number of all rows, so the sum over ranks
        # is the mean.
        loss = cross_entropy(logits.float().flatten(0, 1), targets.flatten(),
                             reduction="sum") / arguments.length
        optimizer.zero_grad()
        loss.backward()
        whole = loss.detach().clone()
        sharding.add_up([whole, *[its.grad for its in model.parameters()]])
        optimizer.step()
        losses.append(whole.item())
        seconds.append(time.perf_counter() - begin)
        if rank == 0 and step % max(1, arguments.steps // 10) == 0:
            print(f"step {step:5}  loss {losses[-1]:.5f}  {seconds[-1]:.3f} s", flush=True)
    return losses, seconds


def report(arguments, ranks, losses, seconds):
    """Prints the losses and, with --against, compares them with those of another run. Returns the
    exit status."""
    tail = losses[-max(1, len(losses) // 4):]
    print(f"{ranks} ranks, {arguments.length} tokens, {len(losses)} steps: loss {losses[0]:.5f} "
          f"to {statistics.mean(tail):.5f}, {statistics.median(seconds):.3f} s a step")
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump({**vars(arguments), "text": None, "ranks": ranks, "losses": losses,
                       "seconds": statistics.median(seconds)}, file)
    # The condition is `not ... <` instead of `>=`, so that a loss of NaN also fails.
    status = 0
    if len(losses) > 1 and not statistics.mean(tail) < losses[0]:
        print("the loss did not fall")
        status = 1
    if arguments.against:
        with open(arguments.against) as file:
            other = json.load(file)
        differences = [abs(a - b) / b for a, b in zip(losses, other["losses"])]
        print(f"{other['ranks']} ranks: losses differ by {max(differences):.2e}, "
              f"{other['seconds'] / statistics.median(seconds):.2f} x the time")
        if len(losses) != len(other["losses"]) or not max(differences) <= arguments.tolerance:
            print(f"expected as many losses, within {arguments.tolerance:g}")
            status = 1
    return status


def run(rank, arguments, ranks, port):
    """Trains in one process, which is one rank. Without a port, torchrun has set the environment
    variables of the process group."""
    local = int(os.environ.get("LOCAL_RANK", rank))
    device = torch.device(arguments.device, local if arguments.device == "cuda" else None)
    if device.type == "cuda":
        torch.cuda.set_device(device)
    if ranks > 1:
        import attn_mlir.distributed
        backend = "nccl" if device.type == "cuda" else "gloo"
        if port is None:
            dist.init_process_group(backend)
        else:
            store = dist.TCPStore("127.0.0.1", port, ranks, False, wait_for_workers=False)
            dist.init_process_group(backend, store=store, rank=rank, world_size=ranks)
    losses, seconds = train(arguments, rank, ranks, device)
    if ranks > 1:
        dist.barrier()
        dist.destroy_process_group()
    status = report(arguments, ranks, losses, seconds) if rank == 0 else 0
    if status:
        sys.exit(status)


def main():
    arguments = parse_arguments()
    count = torch.cuda.device_count() if arguments.device == "cuda" else arguments.ranks
    if count < arguments.ranks:
        print(f"skipped: expected {arguments.ranks} GPUs, found {count}", file=sys.stderr)
        sys.exit(77)
    if "RANK" in os.environ and "WORLD_SIZE" in os.environ:
        run(int(os.environ["RANK"]), arguments, int(os.environ["WORLD_SIZE"]), None)
    elif arguments.ranks == 1:
        run(0, arguments, 1, None)
    else:
        # The parent process holds the store of the process group, so that the store outlives any
        # rank.
        store = dist.TCPStore("127.0.0.1", 0, arguments.ranks, True, wait_for_workers=False)
        try:
            multiprocessing.spawn(run, (arguments, arguments.ranks, store.port),
                                  arguments.ranks)
        except multiprocessing.ProcessExitedException as error:
            sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
