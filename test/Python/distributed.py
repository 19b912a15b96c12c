# attn_mlir.distributed on processes of one host, by gloo: against fp64 and one process.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s

import math
import os
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch
import torch.distributed as dist

SEED = int(os.environ.get("ATTN_TEST_SEED", "1")) % 1000
# Maps the number of processes to the number of random problems that they run, 60 in all.
COUNTS = {2: 30, 4: 26, 8: 4}


def expect(text, function, *arrays, error=ValueError, **options):
    try:
        function(*arrays, **options)
    except error as found:
        assert text in str(found), f"expected '{text}', found '{found}'"
    else:
        raise AssertionError(f"expected an error '{text}'")


def problem(rows, heads=4, dim=16, dtype=torch.float32, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(2, heads, rows, dim, generator=generator).to(dtype) for _ in "qkv"]


def plain(q, k, v, keep=None):
    s = q.double() @ k.double().mT * q.shape[3] ** -0.5
    if keep is not None:
        s = s.masked_fill(~keep, -math.inf)
    return (s.softmax(-1) @ v.double()), s.logsumexp(-1)


def causal(rows):
    return torch.ones(rows, rows, dtype=torch.bool).tril()


def check_layouts(distributed, rank, ranks):
    whole = torch.arange(4.0 * ranks * 3).view(1, 4 * ranks, 3).requires_grad_()
    for layout in ("balanced", "contiguous"):
        own = distributed.shard(whole, 1, layout=layout)
        places = distributed.positions(4 * ranks, layout=layout)
        assert torch.equal(own, whole[:, places])
        if layout == "balanced" and ranks > 1:
            assert places.tolist() == [2 * rank, 2 * rank + 1, 4 * ranks - 2 * rank - 2,
                                       4 * ranks - 2 * rank - 1], places
        again = distributed.unshard(own, 1, layout=layout)
        assert torch.equal(again, whole)
        gradient, = torch.autograd.grad(again, whole, whole.detach() * 2)
        assert torch.equal(gradient, whole.detach() * 2)
    if ranks > 1:
        expect("tensor: expected a multiple of", distributed.shard,
               torch.zeros(2, 2 * ranks + 1), 1)
        expect("length: expected a multiple of", distributed.positions, 2 * ranks + 1)


def check_errors(attn_mlir, distributed, rank, ranks):
    q, k, v = problem(8)
    expect("q: expected rank 4", distributed.attention, q[0], k, v)
    expect("k: expected dtype", distributed.attention, q, k.half(), v)
    expect("k: expected 8 rows", distributed.attention, q, k[:, :, 1:], v)
    expect("k: expected a number of heads that divides", distributed.attention, q, k[:, :3],
           v[:, :3])
    expect("layout: expected", distributed.attention, q, k, v, layout="striped")
    expect("method: expected", distributed.attention, q, k, v, method="tree")
    expect("window: expected", distributed.attention, q, k, v, window=(1, -1))
    expect("mesh: expected", distributed.attention, q, k, v, mesh=3)
    expect("sink: expected 4 floats", distributed.attention, q, k, v, sink=torch.zeros(3))
    expect("lengths: expected 2 integers", distributed.attention, q, k, v, lengths=[1])
    if ranks > 1:
        expect("q: expected an even number of rows", distributed.attention, q[:, :, 1:],
               k[:, :, 1:], v[:, :, 1:], causal=True)
        heads = (q.repeat(1, 3, 1, 1)[:, :2 * ranks + 1],) * 3
        expect("heads that the group's", distributed.attention, *heads, method="all_to_all")
        table = torch.zeros(9, requires_grad=True)
        for method in ("ring", *["all_to_all"] * (ranks == 2)):
            expect("requires no gradient", distributed.attention, q, k, v, method=method,
                   score_mod=lambda s, b, h, i, j: s + table[i])
        # If ranks pass different arguments, all of them raise. A rank that refuses its arguments
        # tells the others.
        group = dist.new_group(list(range(ranks)))
        expect("k: expected", distributed.attention, q,
               k[:, :, rank % 2 * 2:], v[:, :, rank % 2 * 2:], group=group,
               error=attn_mlir.ArgumentError)
        scale = 0.5 if rank == 1 else 0.25
        expect("scale", distributed.attention, q, k, v, scale=scale,
               error=attn_mlir.ArgumentError)
    q.requires_grad_()
    o = distributed.attention(q, k, v)
    first, = torch.autograd.grad(o.sin().sum(), q, create_graph=True)
    expect("no second", torch.autograd.grad, first.sum(), q, error=attn_mlir.Error)


def check_edges(distributed, rank, ranks):
    """Edge cases: no rows, lengths of 0, a checkpoint, and a model of torch.compile."""
    for rows in (0, 2):
        q, k, v = [its.requires_grad_() for its in problem(rows)]
        o, lse = distributed.attention(q, k, v, causal=True, lengths=[0, 0], return_lse=True)
        assert o.shape == q.shape and not o.any() and bool((lse == -math.inf).all())
        for gradient in torch.autograd.grad(o.sum(), (q, k, v)):
            assert not gradient.any()
    rows = 12 * ranks
    whole = [its.requires_grad_() for its in problem(rows)]
    own = [distributed.shard(its, 2) for its in whole]

    def attend(*tensors):
        return distributed.attention(*tensors, causal=True)

    expected, _ = plain(*whole, causal(rows))
    d_o = torch.ones_like(expected).cos()
    gradients = torch.autograd.grad(expected, whole, d_o)
    for function in (lambda *its: torch.utils.checkpoint.checkpoint(attend, *its,
                                                                    use_reentrant=False),
                     torch.compile(attend, backend="eager")):
        o = distributed.unshard(function(*own), 2)
        torch.testing.assert_close(o.double(), expected, atol=5e-5, rtol=5e-5)
        for its, wanted in zip(torch.autograd.grad(o, whole, d_o.float(), retain_graph=True),
                               gradients):
            torch.testing.assert_close(its, wanted, atol=5e-5, rtol=5e-5)


def check_dtensors(distributed, rank, ranks):
    from torch.distributed.tensor import DTensor, Shard, distribute_tensor

    rows = 6 * ranks
    whole = problem(rows)
    expected, lse64 = plain(*whole)
    mesh = dist.init_device_mesh("cpu", (ranks,), mesh_dim_names=("cp",))
    own = [DTensor.from_local(its.chunk(ranks, 2)[rank].contiguous(), mesh, [Shard(2)])
           for its in whole]
    o, lse = distributed.attention(*own, return_lse=True)
    assert o.placements == (Shard(2),)
    torch.testing.assert_close(o.full_tensor().double(), expected, atol=5e-5, rtol=5e-5)
    torch.testing.assert_close(lse.full_tensor().double(), lse64, atol=5e-5, rtol=5e-5)
    expect("q: expected one dimension of the mesh", distributed.attention,
           *[DTensor.from_local(its, mesh) for its in whole])
    # Shards of different sizes: rows, then key heads, of which the last ranks would have none.
    expect(f"q: expected a multiple of {ranks} in dimension 2, which {ranks} ranks shard, found "
           f"{rows + 1}", distributed.attention,
           *[distribute_tensor(its, mesh, [Shard(2)]) for its in problem(rows + 1)])
    if ranks % 2:
        return
    # Heads are divided along the mesh's other dimension, and the score function must get the
    # numbers of the whole array's heads.
    mesh = dist.init_device_mesh("cpu", (2, ranks // 2), mesh_dim_names=("tp", "cp"))
    at, place = mesh.get_coordinate()
    factors = torch.tensor([0.5, 1, 2, 3])
    scaled = whole[0] * factors[:, None, None], *whole[1:]
    expected, _ = plain(*scaled)
    own = [DTensor.from_local(its.chunk(2, 1)[at].chunk(ranks // 2, 2)[place].contiguous(),
                              mesh, [Shard(1), Shard(2)]).requires_grad_() for its in whole]
    o = distributed.attention(*own, score_mod=lambda s, b, h, i, j: s * factors[h])
    torch.testing.assert_close(o.full_tensor().double(), expected, atol=5e-5, rtol=5e-5)
    o.sum().backward()
    assert own[1].grad.placements == own[1].placements
    for axis, uneven, where in (
            ("k", (4, 1, 1), "dimension 1, which 2 ranks shard, found 1"),
            ("q", (3, 3, 3), "dimension 1, which 2 ranks shard, found 3")):
        expect(f"{axis}: expected a multiple of 2 in {where}", distributed.attention,
               *[distribute_tensor(torch.zeros(2, heads, rows, 16), mesh, [Shard(1), Shard(2)])
                 for heads in uneven])
    # Batch entries are divided along the mesh's other dimension, and each rank has the lengths of
    # its entries, which a mask function reads where there is a window.
    whole = [torch.cat([its, its]) for its in whole]
    lengths = torch.tensor([rows, 3, 5, 1], dtype=torch.int32)
    positions = torch.arange(rows)
    within = (positions < lengths[:, None])[:, None]
    keep = within[..., None, :] & ((positions[:, None] - positions).abs() <= 4)
    expected, _ = plain(*whole, keep)
    own = [DTensor.from_local(its.chunk(2, 0)[at].chunk(ranks // 2, 2)[place].contiguous(),
                              mesh, [Shard(0), Shard(2)]) for its in whole]
    o = distributed.attention(*own, lengths=lengths.chunk(2)[at], window=(4, 4),
                              layout="contiguous")
    expected = torch.where(within[..., None], expected, 0.0)
    torch.testing.assert_close(o.full_tensor().double(), expected, atol=5e-5, rtol=5e-5)


def check_decode(distributed, rank, ranks):
    size = 24 // ranks
    for dtype, rows, kinds in ((torch.float32, 1, {}), (torch.bfloat16, 3, {"causal": True}),
                               (torch.float32, 2, {"window": (6, 0)})):
        q = problem(rows, dtype=dtype)[0]
        _, k, v = problem(24, heads=2, dtype=dtype, seed=1)
        sink = torch.tensor([0.5, -1, -math.inf, 2])
        for lengths in ([24, 24], [5, 0], [3, 17]):
            lengths = torch.tensor(lengths, dtype=torch.int32)
            j, i = torch.arange(24), torch.arange(rows)[:, None]
            end = lengths[:, None, None, None]
            keep = (j < end).expand(2, 1, rows, 24)
            diagonal = i + end - rows
            if kinds:
                keep = keep & (j <= diagonal)
            if "window" in kinds:
                keep = keep & (j >= diagonal - 6)
            s = q.double() @ k.double().repeat_interleave(2, 1).mT / 4
            s = s.masked_fill(~keep, -math.inf)
            s = torch.cat([s, sink.double()[:, None, None].expand(2, 4, rows, 1)], -1)
            p = s.softmax(-1).nan_to_num()[..., :24]
            expected = p @ v.double().repeat_interleave(2, 1)
            held = [its[:, :, size * rank:size * (rank + 1)].clone() for its in (k, v)]
            beyond = torch.arange(size * rank, size * (rank + 1)) >= lengths[:, None]
            for its in held:
                its[beyond[:, None, :, None].expand_as(its)] = math.nan
            o, lse = distributed.decode(q, *held, lengths=lengths, sink=sink,
                                        return_lse=True, **kinds)
            limit = 5e-5 if dtype == torch.float32 else 1.6e-2
            torch.testing.assert_close(o.double(), expected, atol=limit, rtol=limit)
            torch.testing.assert_close(lse.double(), s.logsumexp(-1), atol=1e-3, rtol=1e-3)
    # Lengths out of range count as the nearest ones that are in range, also for causal masks.
    parts = [its[:, :, size * rank:size * (rank + 1)] for its in (k, v)]
    found, wanted = (distributed.decode(q, *parts, window=(2, 0), lengths=torch.tensor(
        its, dtype=torch.int32)) for its in ([3, 60], [3, 24]))
    assert torch.equal(found, wanted) and bool(wanted.any(3).all())
    gathered = [torch.empty_like(o) for _ in range(ranks)]
    dist.all_gather(gathered, o)
    assert all([torch.equal(its, o) for its in gathered])


class Model(torch.nn.Module):
    """A model of two layers that was written for one process."""

    def __init__(self, attend):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(32, 96) for _ in range(2)])
        self.attend = attend

    def forward(self, x, places):
        x = x + torch.sin(places)[:, None]
        for layer in self.layers:
            q, k, v = layer(x).unflatten(-1, (3, 2, 16)).permute(2, 0, 3, 1, 4)
            x = x + self.attend(q, k, v).transpose(1, 2).flatten(2)
        return x


def check_context(attn_mlir, distributed, rank, ranks):
    rows = 4 * ranks

    def sdpa(q, k, v):
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)

    def own(q, k, v):
        return attn_mlir.attention(q, k, v, causal=True)

    generator = torch.Generator().manual_seed(3)
    x, target = (torch.randn(2, rows, 32, generator=generator) for _ in "xt")
    places = torch.arange(rows).float()
    for attend in (sdpa, own):
        torch.manual_seed(1)
        model = Model(attend)
        loss = (model(x, places) - target).square().sum()
        loss.backward()
        expected = [its.grad.clone() for its in model.parameters()]
        model.zero_grad()
        before = [its.clone() for its in (x, target, places)]
        with distributed.context_parallel(buffers=[x, target, places],
                                          buffer_seq_dims=[1, 1, 0]):
            assert x.shape == (2, 4, 32) and places.shape == (4,)
            part = (model(x, places) - target).square().sum()
            part.backward()
            expect("attn_mask", torch.nn.functional.scaled_dot_product_attention,
                   *problem(4), attn_mask=torch.zeros(4, 4), error=attn_mlir.Error)
        assert all(map(torch.equal, before, (x, target, places)))
        dist.all_reduce(part.detach_())
        torch.testing.assert_close(part, loss.detach(), atol=1e-3, rtol=1e-5)
        for its, wanted in zip(model.parameters(), expected):
            dist.all_reduce(its.grad)
            torch.testing.assert_close(its.grad, wanted, atol=1e-3, rtol=1e-4)


def check_mesh(cases, distributed, rank, ranks):
    mesh = dist.init_device_mesh("cpu", (2, ranks // 2))
    expect("scale", distributed.attention, *problem(8, heads=2 * ranks), mesh=mesh,
           scale=0.5 if rank == ranks - 1 else 0.25)
    for number in range(4):
        case = cases.draw_case(SEED, number, ranks)
        case.update(heads=4, kv_heads=2)
        cases.run_case(case, "cpu", distributed, mesh=mesh)


def work(rank, ranks, directory):
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{directory}/store{ranks}", rank=rank,
                            world_size=ranks)
    import attn_mlir
    import distributed_cases as cases
    from attn_mlir import distributed

    cases.compile_in_turns(attn_mlir, directory)

    def timed(name, function, *arguments):
        begin = time.monotonic()
        function(*arguments)
        if rank == 0:
            print(f"{ranks} processes: {name} {time.monotonic() - begin:.1f} s", flush=True)

    def run_cases():
        first = sum([count for its, count in COUNTS.items() if its < ranks])
        for number in range(first, first + COUNTS[ranks]):
            case = cases.draw_case(SEED, number, ranks)
            if rank == 0:
                print(ranks, case, flush=True)
            cases.run_case(case, "cpu", distributed, group=dist.group.WORLD,
                           single=attn_mlir.attention if number % 10 < 2 else None)

    timed("random problems", run_cases)
    if ranks == 8:
        timed("meshes", check_mesh, cases, distributed, rank, ranks)
        return
    timed("layouts", check_layouts, distributed, rank, ranks)
    timed("errors", check_errors, attn_mlir, distributed, rank, ranks)
    timed("edges", check_edges, distributed, rank, ranks)
    timed("decode", check_decode, distributed, rank, ranks)
    timed("dtensors", check_dtensors, distributed, rank, ranks)
    timed("context", check_context, attn_mlir, distributed, rank, ranks)
    if ranks == 4:
        timed("meshes", check_mesh, cases, distributed, rank, ranks)
    dist.destroy_process_group()


@unittest.skipUnless(dist.is_available() and dist.is_gloo_available(), "no gloo in torch")
class Distributed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # This test has its own cache, through which its processes share compiled kernels.
        cls.directory = tempfile.TemporaryDirectory()
        os.environ["ATTN_MLIR_CACHE"] = os.path.join(cls.directory.name, "cache")
        print(f"ATTN_TEST_SEED={SEED}")

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def test_schedule(self):
        """Keys that the masks do not need are not sent. Checks the numbers of keys that each of 8
        ranks sends to each other one."""
        from attn_mlir.distributed._schedule import Problem

        def sent(**options):
            given = {"ranks": 8, "rows": 32, "layout": "contiguous", "causal": False,
                     "left": None, "right": None, "is_placed": False, "length": 256,
                     **options}
            problem = Problem(**given)
            return [[problem.needed(to, source)[1] - problem.needed(to, source)[0]
                     for source in range(8)] for to in range(8)]

        self.assertEqual(sent(), [[32] * 8] * 8)
        self.assertEqual(sent(causal=True), [[32 * (source <= to) for source in range(8)]
                                             for to in range(8)])
        # With the balanced layout, a rank gets the first half of the keys of each earlier rank, and
        # all keys of each later one.
        self.assertEqual(sent(causal=True, layout="balanced"),
                         [[32 if source >= to else 16 for source in range(8)]
                          for to in range(8)])
        # With a window that is not longer than a rank's rows, a rank gets keys only from its
        # neighbours.
        self.assertEqual(sent(left=32, right=0, is_placed=True),
                         [[32 * (source in (to - 1, to)) for source in range(8)]
                          for to in range(8)])
        self.assertEqual(sent(left=33, right=1, is_placed=True)[4],
                         [0, 0, 32, 32, 32, 32, 0, 0])
        # Rows and keys past all lengths are not sent, and a rank's own keys need no transfer.
        self.assertEqual(sent(length=33)[1], [32, 32] + [0] * 6)

    def run_on(self, ranks):
        torch.multiprocessing.spawn(work, (ranks, self.directory.name), ranks)

    def test_2(self):
        self.run_on(2)

    def test_4(self):
        self.run_on(4)

    def test_8(self):
        self.run_on(8)


if __name__ == "__main__":
    unittest.main()
