# Known calls, which the C++ module repeats without Python, on NumPy arrays and PyTorch tensors.
# Each property on which a call depends must distinguish it, and nothing else may be kept.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s

import concurrent.futures
import copy
import gc
import inspect
import math
import os
import pickle
import pydoc
import sys
import threading
import unittest
import unittest.mock
import weakref

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import numpy as np
import reference
import torch
from attn_mlir import _attention, _frames, _gradients, _packed, _rows, _serving
from attn_mlir._replacements import replaced


def launches(call):
    """Returns how often Python looked for a kernel in the call, 0 if the C++ module knew it."""
    calls = []
    find = _rows.find_kernel
    _rows.find_kernel = lambda *args: (calls.append(args), find(*args))[1]
    try:
        call()
    finally:
        _rows.find_kernel = find
    return len(calls)


class Known(unittest.TestCase):
    def check(self, q, k, v, known, tolerance=2e-5, **options):
        """Checks the result of a call, and whether the call was known. Returns the result."""
        found = []
        count = launches(lambda: found.append(attn_mlir.attention(q, k, v, **options)))
        self.assertEqual(count, 0 if known else 1)
        arrays = [its.double().numpy() if isinstance(its, torch.Tensor) else its
                  for its in (q, k, v)]
        expected, lse = reference.attention(*arrays, causal=options.get("causal", False),
                                            scale=options.get("scale"))
        of_lse = found[0][1] if options.get("return_lse") else None
        output = found[0] if of_lse is None else found[0][0]
        np.testing.assert_allclose(np.asarray(output, np.float64), expected,
                                   atol=tolerance, rtol=tolerance)
        if of_lse is not None:
            np.testing.assert_allclose(np.asarray(of_lse), lse, atol=1e-5, rtol=1e-5)
        return found[0]

    def setUp(self):
        _attention.calls.clear()
        self.rng = np.random.default_rng(int(os.environ.get("ATTN_TEST_SEED", "1")))

    def arrays(self, *shapes):
        return [self.rng.standard_normal(shape, np.float32) for shape in shapes]

    def test_values_are_read_each_time(self):
        for as_array in (lambda its: its, torch.from_numpy):
            _attention.calls.clear()
            for turn in range(3):
                q, k, v = map(as_array, self.arrays((2, 4, 5, 8), (2, 2, 7, 8), (2, 2, 7, 8)))
                self.check(q, k, v, turn > 0, return_lse=True)

    def test_layouts(self):
        """Sizes, strides, dtypes and the kind of array distinguish calls."""
        q, k, v = self.arrays((2, 4, 5, 8), (2, 2, 7, 8), (2, 2, 7, 8))
        self.check(q, k, v, False)
        self.check(q[:, :, :4], k, v, False)
        strided = np.full((2, 7, 2, 8), np.nan, np.float32).transpose(0, 2, 1, 3)
        strided[:] = k
        self.check(q, strided, v, False)
        self.check(q, k, v, True)
        self.check(torch.from_numpy(q), torch.from_numpy(k), torch.from_numpy(v), False)
        half = [its.astype(np.float16) for its in (q, k, v)]
        self.check(*half, False, tolerance=5e-3)
        self.check(*half, True, tolerance=5e-3)
        self.check(q, strided, v, True)
        # A result has the order in memory of the query.
        turned = np.ascontiguousarray(q.transpose(0, 2, 1, 3)).transpose(0, 2, 1, 3)
        for known in (False, True):
            found = self.check(turned, k, v, known)
            self.assertEqual(found.strides, turned.strides)

    def test_fast_accumulate(self):
        """The option fast_accumulate is written into the module, and distinguishes calls."""
        q, k, v = self.arrays((2, 4, 5, 24), (2, 2, 7, 24), (2, 2, 7, 24))
        for call in (attn_mlir.attention, attn_mlir.decode):
            texts = []

            def compile(text, *, of=_rows.compile, texts=texts, **options):
                texts.append(text)
                return of(text, **options)

            with unittest.mock.patch.object(_rows, "compile", compile):
                for turn in range(3):
                    for options in ({}, {"fast_accumulate": True}):
                        found = []
                        count = launches(lambda: found.append(call(q, k, v, **options)))
                        self.assertEqual(count, 0 if turn else 1)
                        np.testing.assert_allclose(
                            found[0], reference.attention(q, k, v)[0], atol=2e-5, rtol=2e-5)
            self.assertEqual(["fast_accumulate" in text for text in texts], [False, True])
            with self.assertRaisesRegex(attn_mlir.ArgumentError,
                                        "^fast_accumulate: expected False or True, found 'yes'"):
                call(q, k, v, fast_accumulate="yes")
        with replaced(lambda *its, **others: 5):
            self.assertEqual(attn_mlir.attention(q, k, v), 5)

    def test_arrays_that_are_not_given(self):
        """Known calls with `value_dims` in place of values need no Python, nor do calls of varlen
        without `cu_kv`, in which `cu_q` also applies to keys."""
        q, k = self.arrays((1, 2, 4, 8), (1, 1, 6, 8))
        rows, keys = self.arrays((5, 2, 8), (5, 2, 8))
        cu = np.array([0, 2, 5], np.int32)
        for calls, call, wanted in (
                (_attention.calls, lambda: attn_mlir.attention(q, k, value_dims=(3, 7)),
                 attn_mlir.attention(q, k, k[..., 3:7])),
                (_serving.calls, lambda: attn_mlir.decode(q, k, value_dims=(3, 7)),
                 attn_mlir.decode(q, k, k[..., 3:7])),
                (_packed.calls, lambda: attn_mlir.varlen(rows, keys, keys, cu),
                 attn_mlir.varlen(rows, keys, keys, cu, cu))):
            np.testing.assert_array_equal(call(), wanted)
            with unittest.mock.patch.object(calls, "find", side_effect=AssertionError):
                np.testing.assert_array_equal(call(), wanted)
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "^value_dims: .*None beside v"):
            attn_mlir.attention(q, k, k, value_dims=(3, 7))
        with self.assertRaisesRegex(AssertionError, "expected arguments .'q', 'other'"):
            _frames.Calls().function("q other")(lambda q, out=None, stream=None: q)

    def test_functions(self):
        """Known calls need no Python, however their arguments are passed."""
        q, k, v = self.arrays((1, 2, 6, 8), (1, 2, 7, 8), (1, 2, 7, 8))
        wanted = reference.attention(q, k, v)[0]
        asked = []
        find = _attention.calls.find
        with unittest.mock.patch.object(_attention.calls, "find",
                                        lambda *its: asked.append(its) or find(*its)):
            def check(count, *arrays, **options):
                del asked[:]
                found = attn_mlir.attention(*arrays, **options)
                self.assertEqual(len(asked), count)
                np.testing.assert_allclose(found, wanted, atol=2e-5, rtol=2e-5)

            for count in (1, 0, 0):
                check(count, q, k, v)
                check(0, q, k, v=v)
                check(0, *(q, k), **{"v": v})
                check(0, **{"".join(name): its for name, its in (("v", v), ("q", q), ("k", k))})
                check(count, q, k, v, causal=False)
                check(count, q, k, v, causal=0 == 1, scale=None)
                check(count, q, k, v, out=np.empty_like(q))
                # If the scale is a NumPy number, Python looks at the call.
                check(1, q, k, v, scale=np.float64(1 / math.sqrt(8)))
            _attention.calls.clear()
            check(1, q, k, v)
            check(0, q, k, v)
            # Several threads make a new call at the same time.
            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                made = [pool.submit(attn_mlir.attention, q, k, v, causal=True)
                        for _ in range(8)]
            for its in made:
                np.testing.assert_array_equal(
                    its.result(), attn_mlir.attention(q, k, v, causal=True))
            check(0, q, k, v)
            wide = np.concatenate([k, v], -1)
            del asked[:]
            for _ in range(3):
                found = attn_mlir.attention(q, wide[..., :8], wide[..., 8:])
                np.testing.assert_allclose(found, wanted, atol=2e-5, rtol=2e-5)
            self.assertEqual(len(asked), 1)
            of_columns = [attn_mlir.attention(q, k, value_dims=its)
                          for its in ((0, 4), (4, 8)) for _ in range(2)]
            for n, its in enumerate(of_columns):
                np.testing.assert_allclose(
                    its, reference.attention(q, k, k[..., 4 * (n // 2):4 * (n // 2) + 4])[0],
                    atol=2e-5, rtol=2e-5)
        for message, arrays, options in (
                ("missing 2 required", (), {}), ("multiple values for argument 'q'", (q, k),
                                                 {"q": q}),
                ("takes from 2 to 3 positional", (q, k, v, v), {}),
                ("unexpected keyword argument 'casual'.*causal=", (q, k, v), {"casual": True})):
            with self.assertRaisesRegex(TypeError, message):
                attn_mlir.attention(*arrays, **options)
        for function in (attn_mlir.attention, attn_mlir.decode):
            for its in (copy.copy(function), copy.deepcopy(function),
                        pickle.loads(pickle.dumps(function))):
                self.assertIs(its, function)
            self.assertIn("lse", pydoc.render_doc(function))
            self.assertIn("causal", inspect.signature(function).parameters)

    def test_one_array_for_several(self):
        """One array for several arguments makes the same known call as different arrays."""
        q, k, v = self.arrays(*[(1, 2, 6, 8)] * 3)
        self.check(q, q, q, False)
        self.check(q, k, v, True)
        self.check(q, k, k, True)

    def test_options(self):
        q, k, v = self.arrays((1, 2, 4, 8), (1, 2, 6, 8), (1, 2, 6, 8))
        for options in ({}, {"causal": True}, {"scale": 1.0}, {"scale": 0.25},
                        {"return_lse": True}, {"scale": -0.0}, {"scale": 0.0}):
            for known in (False, True):
                self.check(q, k, v, known, **options)
        # These scales are equal to one before, but have other types, so Python looks at the call.
        for scale in (1, np.float32(1)):
            self.assertEqual(launches(lambda: attn_mlir.attention(q, k, v, scale=scale)), 1)
        text = "bottom" + "".join(["_", "right"])
        for align, known in (("bottom_right", False), (text, True), ("top_left", False)):
            count = launches(lambda: attn_mlir.attention(q, k, v, causal=True, align=align))
            self.assertEqual(count, align == "bottom_right" and not known, align)
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "^align: expected"):
            attn_mlir.attention(q, k, v, causal=True, align="bottom")

    def test_columns(self):
        """Values that are columns of the key make another call than a separate, equal array."""
        q, key, others = self.arrays((1, 2, 4, 8), (1, 1, 6, 8), (1, 1, 6, 8))
        for turn in range(2):
            for array, first in ((key, 0), (key, 3), (others, 0)):
                # Parts of a NumPy array have the strides of the whole array.
                self.check(q, key, array[..., first:first + 4], turn > 0)
        found = attn_mlir.attention(q, key, value_dims=(3, 7))
        self.assertEqual(launches(lambda: attn_mlir.attention(q, key, value_dims=(3, 7))), 0)
        np.testing.assert_array_equal(found, attn_mlir.attention(q, key, key[..., 3:7]))
        # NumPy gives a new dimension the stride 0, which the key does not have there.
        for turn in range(2):
            for array in (key, others):
                self.check(q, key, array[0, ..., :4][None], turn > 0)
                self.check(q, key, array[:, 0, :, :4][:, None], turn > 0)

    def test_outputs(self):
        q, k, v = self.arrays((1, 2, 4, 8), (1, 2, 6, 8), (1, 2, 6, 8))
        wide = np.full((1, 2, 4, 12), np.nan, np.float32)
        out, lse = wide[..., 2:10], np.full((1, 2, 4), np.nan, np.float32)
        for known in (False, True):
            wide[:] = lse[:] = np.nan
            self.assertIs(self.check(q, k, v, known, out=out), out)
            self.assertTrue(np.isnan(wide[..., :2]).all() and np.isnan(wide[..., 10:]).all())
            found = self.check(q, k, v, known, out=(out, lse), return_lse=True)
            self.assertIs(found[0], out)
            self.assertIs(found[1], lse)
        out.flags.writeable = False
        before = wide.copy()
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "^out: expected an array that may"):
            attn_mlir.attention(q, k, v, out=out)
        np.testing.assert_array_equal(wide, before)
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "memory of its own"):
            attn_mlir.attention(q, k, v, out=q)

    def test_read_only_caches(self):
        new, cache, lengths = np.ones((1, 1, 1, 8), np.float32), np.zeros(
            (1, 1, 4, 8), np.float32), np.zeros(1, np.int32)
        for _ in range(2):
            attn_mlir.append(new, new, cache, cache.copy(), lengths)
        self.assertEqual(lengths[0], 2)
        locked = cache.copy()
        locked.flags.writeable = False
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "^k_cache: .*may be written"):
            attn_mlir.append(new, new, locked, cache.copy(), lengths)
        self.assertFalse(locked[0, 0, 2:].any())

    def test_captures_and_sinks(self):
        q, k, v = map(torch.from_numpy, self.arrays((1, 2, 4, 8), (1, 2, 6, 8), (1, 2, 6, 8)))
        bias, sink = torch.zeros(4, 6), torch.zeros(2)

        def score(s, b, h, i, j):
            return s + bias[i, j]

        for turn in range(3):
            bias.uniform_(-1, 1)
            sink.uniform_(-1, 1)
            call = lambda: attn_mlir.attention(q, k, v, score_mod=score, sink=sink)
            self.assertEqual(launches(call), turn == 0)
            s = (q.double() @ k.double().mT) / math.sqrt(8) + bias
            weights = torch.cat([s, sink.double()[None, :, None, None].expand(1, 2, 4, 1)],
                                3).softmax(3)[..., :-1]
            torch.testing.assert_close(call().double(), weights @ v.double(), atol=1e-5,
                                       rtol=1e-5)
        self.assertEqual(launches(lambda: attn_mlir.attention(q, k, v, sink=sink)), 1)

    def test_backward(self):
        """Known calls of gradients use current values. Other sets of gradients are other calls."""
        _gradients.calls.clear()

        def compare(known, wrt=("query", "key", "value"), out=None, **options):
            q, k, v, d_o = [torch.from_numpy(its).double().requires_grad_() for its in self.arrays(
                (1, 2, 4, 8), (1, 2, 6, 8), (1, 2, 6, 8), (1, 2, 4, 8))]
            s = q @ k.mT / math.sqrt(8)
            if options.get("causal"):
                s = s.masked_fill(~torch.ones(4, 6, dtype=torch.bool).tril(), -math.inf)
            o = s.softmax(3) @ v
            wanted = dict(zip(("query", "key", "value"), torch.autograd.grad(
                (o * d_o).sum(), (q, k, v))))
            arrays = [its.detach().float() for its in (q, k, v, o, s.logsumexp(3), d_o)]
            found = []
            count = launches(lambda: found.extend(attn_mlir.attention_backward(
                *arrays, wrt=wrt, out=out, **options)))
            self.assertEqual(count, 0 if known else 1)
            self.assertEqual(len(found), len(wrt))
            for name, its in zip(wrt, found):
                torch.testing.assert_close(its.double(), wanted[name], atol=2e-5, rtol=2e-5)
            if out is not None:
                self.assertTrue(all(a is b for a, b in zip(out, found)))

        for _ in range(2):
            for turn in range(2):
                known = turn or _
                compare(known)
                compare(known, ("query",))
                compare(known, ["key", "value"])
                compare(known, causal=True)
                compare(known, deterministic=True)
                out = [torch.full((1, 2, 6, 8), math.nan) for _ in range(2)]
                compare(known, ("key", "value"), out=tuple(out))
        torch.use_deterministic_algorithms(True)
        try:
            compare(True)  # as with deterministic=True
        finally:
            torch.use_deterministic_algorithms(False)
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "^wrt: expected"):
            compare(False, ("keys",))

    def test_gradients_and_modes(self):
        """Calls whose layouts are known, but which PyTorch must see, for autograd or for a mode."""
        q, k, v = map(torch.from_numpy, self.arrays((1, 2, 4, 8), (1, 2, 6, 8), (1, 2, 6, 8)))
        self.check(q, k, v, False)
        leaf = k.clone().requires_grad_()
        attn_mlir.attention(q, leaf, v).sum().backward()
        self.assertTrue(leaf.grad.isfinite().all())
        with torch.no_grad():
            self.check(q, leaf.detach(), v, True)
            self.assertFalse(attn_mlir.attention(q, leaf, v).requires_grad)
        negative = torch._neg_view(v)
        torch.testing.assert_close(attn_mlir.attention(q, k, negative),
                                   -attn_mlir.attention(q, k, v))
        # Imaginary parts of conjugate tensors have the negative bit. No other public function makes
        # tensors with it.
        for dtype in {its for its in vars(torch).values()
                      if isinstance(its, torch.dtype) and its.is_complex}:
            part = torch.zeros((1, 2, 8, 16), dtype=dtype.to_real()).normal_().view(dtype)
            part = part.conj().imag
            self.assertTrue(part.is_neg())
            if part.dtype != torch.float64:
                its = [k[:, :, :, :8].to(part.dtype), part.resolve_neg()]
                for _ in range(2):
                    torch.testing.assert_close(attn_mlir.attention(its[0], part, part),
                                               attn_mlir.attention(its[0], its[1], its[1]))
            for other in (torch.float8_e4m3fn, torch.float8_e5m2):
                self.assertFalse(part.to(other).is_neg())
                with self.assertRaisesRegex(RuntimeError, "negative bit"):
                    part.view(other)
        from torch._subclasses import FakeTensorMode
        with FakeTensorMode() as mode:
            fake = [mode.from_tensor(its) for its in (q, k, v)]
            self.assertEqual(type(attn_mlir.attention(*fake)).__name__, "FakeTensor")
        found = torch.func.vmap(lambda *its: attn_mlir.attention(*its))(
            *[torch.stack([its, its]) for its in (q, k, v)])
        torch.testing.assert_close(found[1], attn_mlir.attention(q, k, v))
        found = torch.func.grad(lambda its: attn_mlir.attention(q, its, v).sum())(k)
        torch.testing.assert_close(found, leaf.grad)
        self.check(q, k, v, True)

    def test_nothing_is_kept(self):
        q, k, v = map(torch.from_numpy, self.arrays((1, 2, 4, 8), (1, 2, 6, 8), (1, 2, 6, 8)))
        for _ in range(2):
            o, lse = attn_mlir.attention(q, k, v, return_lse=True)
        alive = [weakref.ref(its) for its in (q, k, v, o, lse)]
        counts = sys.getrefcount(None)
        for _ in range(1000):
            attn_mlir.attention(q, k, v)
        self.assertLess(abs(sys.getrefcount(None) - counts), 100)
        del q, k, v, o, lse
        gc.collect()
        self.assertEqual([its() for its in alive], [None] * 5)

    def test_threads(self):
        """A call that one thread launched is known to others. Each thread gets its own results."""
        q, k, v = self.arrays((1, 2, 4, 8), (1, 2, 300, 8), (1, 2, 300, 8))
        expected = self.check(q, k, v, False)
        faults = []

        def work(factor):
            for turn in range(200):
                if turn % 50 == 0:
                    _attention.calls.clear()
                found = attn_mlir.attention(q, k, v * factor)
                if not np.allclose(found, expected * factor, atol=1e-4):
                    faults.append(factor)

        threads = [threading.Thread(target=work, args=(n + 1,)) for n in range(4)]
        for its in threads:
            its.start()
        for its in threads:
            its.join()
        self.assertEqual(faults, [])

    def test_dtypes(self):
        """In known calls, other byte orders are refused and arrays of no elements are allowed."""
        q, k, v = self.arrays((1, 2, 4, 8), (1, 2, 6, 8), (1, 2, 6, 8))
        self.check(q, k, v, False)
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "^k: expected dtype"):
            attn_mlir.attention(q, k.astype(">f4"), v)
        for _ in range(2):
            self.assertEqual(attn_mlir.attention(q[:, :, :0], k, v).shape, (1, 2, 0, 8))
            self.assertFalse(attn_mlir.attention(q, k[:, :, :0], v[:, :, :0]).any())


if __name__ == "__main__":
    unittest.main()
