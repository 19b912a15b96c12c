# torch.func.vmap of every operator and of every call, with each of its arrays mapped alone, in
# other dimensions, nested, and of gradients; on the GPU if there is one, else on the CPU.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))

import attn_mlir.torch
import torch
from attn_mlir import _autograd, flex
from pytorch_opcheck import CASES, OPS, draw, integers
from torch.func import grad, vmap
from torch.utils._pytree import tree_flatten, tree_unflatten


def other(its):
    """Returns an array of the same sizes with other numbers, which are also valid arguments."""
    if its.is_floating_point() and its.itemsize == 1:  # torch does not multiply these
        return (its.detach().float() * 0.5).to(its.dtype)
    if its.is_floating_point():
        return its.detach() * 0.5 + 0.1 if its.dim() < 3 else its.detach() * 0.5
    if its.dtype == torch.bool or its.dim() > 1:
        return its.flip(-1)
    return (its - 1).clamp(min=0)


def stacked(its, dim=0):
    return torch.stack([its.detach(), other(its)], dim)


def is_written(schema, number):
    info = schema.arguments[number].alias_info
    return info is not None and info.is_write


class Vmap(unittest.TestCase):
    def same(self, found, wanted):
        self.assertEqual(tree_flatten(found)[1], tree_flatten(wanted)[1])
        for its, own in zip(tree_flatten(found)[0], tree_flatten(wanted)[0]):
            torch.testing.assert_close(its, own, rtol=1e-5, atol=1e-5)

    def check(self, function, arrays, dims):
        """Compares vmap of a function with calls for each entry. The function may write to its
        arrays, and then returns them."""
        mapped = [its.detach() if dim is None else stacked(its, dim)
                  for its, dim in zip(arrays, dims)]

        def entry(number):
            return function(*[(its if dim is None else its.select(dim, number)).clone()
                              for its, dim in zip(mapped, dims)])

        wanted = [tree_flatten(entry(number)) for number in range(2)]
        found = vmap(function, in_dims=tuple(dims))(
            *[its.clone() for its in mapped])
        self.same(found, tree_unflatten(
            [torch.stack(its) for its in zip(*[leaves for leaves, _ in wanted])],
            wanted[0][1]))

    def of_operator(self, op, arguments):
        """Returns the operator as a function of its arrays, and these arrays, of which those that
        are written come first."""
        leaves, tree = tree_flatten(list(arguments))
        written = [id(its) for number, its in enumerate(arguments)
                   if is_written(op._schema, number)]
        numbers = [n for n, its in enumerate(leaves) if isinstance(its, torch.Tensor)]
        numbers.sort(key=lambda n: id(leaves[n]) not in written)
        count = sum([id(leaves[n]) in written for n in numbers])

        def function(*arrays):
            given = list(leaves)
            for n, its in zip(numbers, arrays):
                given[n] = its
            given = tree_unflatten(given, tree)
            name = op._schema.name.partition("::")[2]
            found = _autograd.call(name, *given) if name in _autograd._functions \
                else op(*given)
            found = () if found is None else tuple(found) if isinstance(found, list) else found
            return found, list(arrays[:count])

        return function, [leaves[n] for n in numbers], count

    def test_operators(self):
        for name, cases in CASES.items():
            op = getattr(OPS, name).default
            for case, arguments in enumerate(cases()):
                function, arrays, written = self.of_operator(op, arguments)
                every = [0] * len(arrays)
                for n in range(written, len(arrays)):
                    with self.subTest(f"{name} {case}", array=n):
                        dims = [0] * written + [None] * (len(arrays) - written)
                        dims[n] = 0
                        self.check(function, arrays, dims)
                with self.subTest(f"{name} {case}, all"):
                    self.check(function, arrays, every)
                with self.subTest(f"{name} {case}, other dimensions"):
                    self.check(function, arrays, [(n % (its.dim() + 1)) if n >= written else 0
                                                  for n, its in enumerate(arrays)])
                with self.subTest(f"{name} {case}, nested"):
                    inner = vmap(function, in_dims=tuple(every))
                    self.check(inner, [stacked(its) for its in arrays],
                               [0] * written + [n % 2 for n in range(len(arrays) - written)])
                for n in range(written):
                    dims = [None if m == n else 0 for m in range(len(arrays))]
                    with self.assertRaisesRegex(attn_mlir.Error,
                                                "expected an array of its own for each entry"):
                        vmap(function, in_dims=tuple(dims))(*[
                            its if dim is None else stacked(its)
                            for its, dim in zip(arrays, dims)])

    def test_gradients(self):
        """vmap of grad, and grad of vmap, for each operator that has a derivative."""
        for name in ("attention", "attention_lse", "varlen", "merge", "attention_backward"):
            op = getattr(OPS, name).default
            arguments = next(iter(CASES[name]()))
            function, arrays, _ = self.of_operator(op, arguments)
            wanted = tuple([n for n, its in enumerate(arrays) if its.is_floating_point()
                            # The output and the lse are functions of the other arguments.
                            and not (name == "attention_backward" and n in (3, 4))])

            def loss(*its):
                return sum([own.square().sum() for own in tree_flatten(function(*its)[0])[0]])

            with self.subTest(name):
                derive = grad(loss, argnums=wanted)
                self.check(derive, arrays, [0] * len(arrays))
                some = [None] * len(arrays)
                some[wanted[0]] = 0
                self.check(derive, arrays, some)
                batches = [stacked(its) for its in arrays]
                found = grad(lambda *its: vmap(loss)(*its).sum(), argnums=wanted)(*batches)
                self.same(found, tuple([torch.stack(its) for its in zip(*[
                    derive(*[its[n] for its in batches]) for n in range(2)])]))

    def test_calls(self):
        """vmap of the package's functions, also those that are no operators, with their options."""
        q, k, v = draw(2, 4, 5, 16), draw(2, 2, 7, 16), draw(2, 2, 7, 8)
        latents, rope, lengths = draw(2, 7, 8), draw(2, 7, 16), integers(7, 3)
        absorbed = draw(2, 4, 5, 24)
        bias, keep = draw(5, 7), draw(5, 7) > 0

        def caches(k, v, k_cache, v_cache, lengths):
            attn_mlir.append(k, v, k_cache, v_cache, lengths)
            return k_cache, v_cache, lengths

        calls = {
            "attention": (lambda q, k, bias, keep: attn_mlir.attention(
                q, k, value_dims=(3, 11), score_mod=lambda s, b, h, i, j: s + bias[i, j],
                mask_mod=lambda b, h, i, j: keep[i, j]), (q, k, bias, keep)),
            "attention, pairs": (lambda q, k, v, q_rope, k_rope: attn_mlir.attention(
                q, k, v, q_rope=q_rope, k_rope=k_rope),
                (q, k, v, draw(2, 4, 5, 8), draw(2, 1, 7, 8))),
            "attention_backward": (lambda q, k, v, o, lse, d_o: attn_mlir.attention_backward(
                q, k, v, o, lse, d_o, wrt=("key",)),
                (q, k, v, *attn_mlir.attention(q, k, v, return_lse=True), draw(2, 4, 5, 8))),
            "varlen": (lambda q, k, v, cu: attn_mlir.varlen(q, k, v, cu),
                       (draw(9, 4, 16), draw(9, 2, 16), draw(9, 2, 8), integers(0, 3, 3, 9))),
            "decode": (lambda q, k, v, lengths: attn_mlir.decode(
                q, k, v, lengths=lengths, return_lse=True), (q, k, v, lengths)),
            "mla_decode": (lambda q, latents, rope, lengths: attn_mlir.mla_decode(
                q, (latents, rope), scale=0.2, lengths=lengths),
                (absorbed, latents, rope, lengths)),
            "mla_decode, one": (lambda q, cache, lengths: attn_mlir.mla_decode(
                q, cache, scale=0.2, latent_dim=8, lengths=lengths),
                (absorbed, torch.cat([latents, rope], 2), lengths)),
            "merge": (lambda o, lse, sink: attn_mlir.merge(
                [(o, lse), (o * 2, lse + 1)], sink=sink),
                (draw(1, 2, 5, 16), draw(1, 2, 5), draw(2))),
            "append": (caches, (draw(2, 2, 1, 16), draw(2, 2, 1, 8), draw(2, 2, 7, 16),
                                draw(2, 2, 7, 8), integers(2, 6))),
            "quantize": (lambda x: attn_mlir.quantize(x, "i8", scale="token", center=True),
                         (k,)),
            "uncenter": (lambda o, lse, q, k_mean, v_mean: attn_mlir.uncenter(
                o, lse, q=q, k_mean=k_mean, v_mean=v_mean),
                (draw(2, 4, 5, 8), draw(2, 4, 5), q, draw(2, 2, 1, 16), draw(2, 2, 1, 8))),
            "flex_attention": (lambda q, k, v, bias: flex.flex_attention(
                q, k, v, score_mod=lambda s, b, h, i, j: s + bias[i, j], enable_gqa=True,
                return_lse=True), (q, k, v, bias)),
        }
        others = {"and_masks", "or_masks", "not_mask", "compile", "workspace", "workspace_size",
                  # These functions make an object, or a mask for tests, from arrays that are not
                  # mapped.
                  "prepare_mask", "dropout_mask"}
        functions = {name for name in attn_mlir.__all__ if callable(getattr(attn_mlir, name))
                     and not isinstance(getattr(attn_mlir, name), type)}
        self.assertEqual(functions - others | {"flex_attention"},
                         {name.partition(",")[0] for name in calls})
        for name, (function, arrays) in calls.items():
            with self.subTest(name):
                self.check(function, arrays, [0] * len(arrays))
                inner = vmap(function, in_dims=(0,) * len(arrays))
                self.check(inner, [stacked(its) for its in arrays], [0] * len(arrays))
            if name == "append":
                continue
            for n in range(len(arrays)):
                with self.subTest(name, array=n):
                    dims = [None] * len(arrays)
                    dims[n] = arrays[n].dim()  # the last one
                    self.check(function, arrays, dims)


if __name__ == "__main__":
    unittest.main()
