# Models of Hugging Face transformers with multi-head latent attention, heads of 512 columns
# and caches in pages, of 8 bits, too: against the library's eager attention.
#
# REQUIRES: capi, transformers
# RUN: %transformers-python -W ignore %s

import logging
import pickle
import unittest
from copy import deepcopy

import attn_mlir
import attn_mlir.transformers
import torch
import transformers
from attn_mlir._quantize import unpack
from attn_mlir.transformers import PagedCache, _paged_cache
from transformers.cache_utils import Cache, DynamicLayer

logging.disable(logging.WARNING)
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
CALLS = attn_mlir.transformers.register()
E4M3, E5M2 = torch.float8_e4m3fn, torch.float8_e5m2

SIZES = {"hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2,
         "num_attention_heads": 4, "vocab_size": 100, "max_position_embeddings": 128}
GENERATOR = torch.Generator().manual_seed(0)
IDS = torch.randint(3, 100, (2, 24), generator=GENERATOR).to(DEVICE)
LEFT = torch.ones_like(IDS)
LEFT[0, :7] = 0


def make(name, **options):
    config = getattr(transformers, name.partition("For")[0] + "Config")(**options)
    torch.manual_seed(1)
    return getattr(transformers, name)._from_config(
        config, attn_implementation="eager").to(DEVICE).eval()


def deepseek(name="DeepseekV3ForCausalLM", **options):
    """Makes a small DeepSeek-V3 with a dense layer and a layer of experts."""
    return make(name, **{**SIZES, "num_key_value_heads": 4, "q_lora_rank": 24, "kv_lora_rank": 32,
                         "qk_rope_head_dim": 16, "qk_nope_head_dim": 24, "v_head_dim": 20,
                         "n_routed_experts": 4, "num_experts_per_tok": 2, "n_group": 2,
                         "topk_group": 1, "moe_intermediate_size": 48,
                         "first_k_dense_replace": 1, **options})


def llama(**options):
    return make("LlamaForCausalLM", **SIZES, num_key_value_heads=2, **options)


def gemma(**options):
    """Makes a small Gemma 2 with a soft cap, and with a sliding window in every other layer."""
    return make("Gemma2ForCausalLM", **SIZES, num_key_value_heads=2, sliding_window=8,
                attn_logit_softcapping=5.0, **{"head_dim": 16, **options})


def gradients(model, implementation, dtype, mask=None):
    """Returns the logits, and the gradients of a loss, of the model converted to a dtype."""
    model = model.to(dtype)
    model.set_attn_implementation(implementation)
    model.zero_grad()
    labels = IDS if mask is None else IDS.masked_fill(mask == 0, -100)
    if mask is not None:
        labels[:, 1:][mask[:, :-1] == 0] = -100
    outputs = model(input_ids=IDS, attention_mask=mask, labels=labels)
    outputs.loss.backward()
    logits = outputs.logits.detach()
    return (logits if mask is None else logits[mask.bool()]).double(), {
        name: its.grad.double() for name, its in model.named_parameters()
        if its.grad is not None}


def check(found, exact, low, factor, dtype, what=""):
    """Checks that the error relative to fp64 is at most `factor` times that of eager attention in
    the dtype."""
    largest = exact.abs().max().item()
    limit = factor * (low - exact).abs().max().item() + torch.finfo(dtype).eps * largest + 1e-5
    error = (found - exact).abs().max().item()
    assert error <= limit, (what, error, limit)


class Training(unittest.TestCase):
    def check_close(self, make_model, mask=None):
        """Compares results in f32 with those of eager attention, whose errors are small in f32."""
        model = make_model()
        logits, wanted = gradients(model, "eager", torch.float32, mask)
        before = CALLS.served
        found, own = gradients(model, "attn_mlir", torch.float32, mask)
        self.assertEqual(CALLS.served - before, 2)
        torch.testing.assert_close(found, logits, atol=2e-5, rtol=2e-5)
        self.assertEqual(own.keys(), wanted.keys())
        for name, gradient in own.items():
            scale = wanted[name].abs().max().item()
            torch.testing.assert_close(gradient, wanted[name], atol=1e-4 * scale + 1e-7,
                                       rtol=1e-4, msg=name)

    def test_deepseek(self):
        for name in ("DeepseekV3ForCausalLM", "DeepseekV2ForCausalLM"):
            for mask in (None, LEFT):
                with self.subTest(f"{name}, {mask is not None}"):
                    options = {"topk_method": "greedy"} if "V2" in name else {}
                    self.check_close(lambda: deepseek(name, **options), mask)

    def check_low(self, model, dtype):
        # All three computations use the weights rounded to the dtype.
        model = model.to(dtype)
        exact, exact_gradients = gradients(model, "eager", torch.float64)
        low, low_gradients = gradients(model, "eager", dtype)
        before = CALLS.served
        found, own = gradients(model, "attn_mlir", dtype)
        self.assertEqual(CALLS.served - before, 2)
        check(found, exact, low, 2, dtype)
        for name, gradient in own.items():
            check(gradient, exact_gradients[name], low_gradients[name], 3, dtype, name)

    def test_full_size(self):
        """DeepSeek-V3's head dims: 192 for queries and keys, and 128 for values."""
        self.check_low(deepseek(qk_nope_head_dim=128, qk_rope_head_dim=64, v_head_dim=128,
                                first_k_dense_replace=2), torch.bfloat16)

    def test_wide_heads(self):
        """Head dims of 512, as in Gemma 4."""
        self.check_low(gemma(head_dim=512), torch.bfloat16)

    def test_too_wide(self):
        model = gemma(head_dim=512)
        with self.assertRaisesRegex(attn_mlir.Error, "query: expected a head dimension of at "
                                    "most 256 in torch.float32, found 512"):
            gradients(model, "attn_mlir", torch.float32)
        calls = attn_mlir.transformers.register("attn_mlir_or_torch", strict=False)
        model = llama(head_dim=512)
        model.set_attn_implementation("attn_mlir_or_torch")
        model(input_ids=IDS)
        self.assertEqual((calls.served, calls.passed_on), (0, 2))


def generate(model, implementation, mask, count=8, **options):
    model.set_attn_implementation(implementation)
    return model.generate(input_ids=IDS, attention_mask=mask, max_new_tokens=count,
                          do_sample=False, pad_token_id=0, eos_token_id=None, **options)


class Pages(unittest.TestCase):
    def test_generate(self):
        """With paged caches, the generated tokens are those of eager attention, also if lengths are
        not multiples of the page size."""
        whole = torch.ones_like(LEFT)
        for make_model, mask, page_size in ((deepseek, LEFT, 16), (deepseek, whole, 16),
                                            (llama, LEFT, 7), (gemma, LEFT, 16)):
            model = make_model()
            expected = generate(model, "eager", mask)
            with self.subTest(f"{make_model.__name__}, {page_size}"):
                before = CALLS.served
                cache = PagedCache(model, 32, page_size=page_size)
                found = generate(model, "attn_mlir", mask, past_key_values=cache)
                self.assertGreater(CALLS.served, before)
                self.assertTrue(torch.equal(found, expected))
                self.assertEqual(cache.get_seq_length(), 31)

    def test_wide_heads(self):
        """Head dims of 512. In each step, the logits for the tokens chosen so far are as near to
        fp64's as those of eager attention."""
        model = gemma(head_dim=512).to(torch.bfloat16)
        for make_cache in (lambda: None, lambda: PagedCache(model, 28, page_size=16)):
            before = CALLS.served
            found = generate(model, "attn_mlir", None, 4, past_key_values=make_cache(),
                             return_dict_in_generate=True, output_logits=True)
            self.assertEqual(CALLS.served - before, 2 * 4)
            logits = torch.stack(found.logits, 1)
            tokens = found.sequences
            self.assertTrue(torch.equal(logits.argmax(-1), tokens[:, -4:]))
            exact, low = (
                self.run_eager(model, its, tokens)[:, -5:-1] for its in (torch.float64,
                                                                         torch.bfloat16))
            check(logits.double(), exact, low, 2, torch.bfloat16)

    def run_eager(self, model, dtype, tokens):
        """Returns the logits of a copy of the model in another dtype, by eager attention without a
        cache."""
        copy = deepcopy(model).to(dtype)
        copy.set_attn_implementation("eager")
        with torch.no_grad():
            return copy(input_ids=tokens).logits.double()

    def test_latents(self):
        """A row of the cache has latents and rotary keys. No keys and values are stored."""
        model = deepseek()
        cache = PagedCache(model, 24, page_size=8)
        generate(model, "attn_mlir", None, 1, past_key_values=cache)
        for layer in cache.layers:
            self.assertEqual(layer.pool.shape, (6, 1, 8, 48))

    def test_without_the_cache(self):
        """Making a paged cache for a model does not affect later calls without it."""
        model = deepseek()
        expected = generate(model, "eager", None)
        PagedCache(model, 32)
        self.assertTrue(torch.equal(generate(model, "attn_mlir", None), expected))
        self.assertTrue(torch.equal(generate(model, "eager", None), expected))

    def test_copies(self):
        """Copies of a cache, and of a model for which one was made, are as the original."""
        model = deepseek()
        model.set_attn_implementation("attn_mlir")
        cache = PagedCache(model, 48, page_size=16)
        with torch.no_grad():
            model(input_ids=IDS, past_key_values=cache)
            copies = [(deepcopy(model), deepcopy(cache)),
                      pickle.loads(pickle.dumps((model, cache)))]
            for _ in range(2):
                expected = model(input_ids=IDS[:, :3], past_key_values=cache).logits
                for its, own in copies:
                    self.assertTrue(torch.equal(
                        its(input_ids=IDS[:, :3], past_key_values=own).logits, expected))

    def test_beams(self):
        model = llama()
        options = {"num_beams": 3}
        expected = generate(model, "eager", LEFT, **options)
        for scales in ({}, {"scales": "token"}):
            found = generate(model, "attn_mlir", LEFT,
                             past_key_values=PagedCache(model, 32, 16, **scales), **options)
            self.assertTrue(torch.equal(found, expected))

    def test_batches(self):
        """Entries of the batch that are repeated or selected have the keys and values of those that
        they come from, and pages of their own."""
        draw = torch.Generator().manual_seed(5)
        for dtype, scales in ((None, "first"), (torch.float8_e4m3fn, "first"),
                              (torch.int8, "token"), ("i4", "token")):
            keys, values, query = torch.randn((3, 3, 2, 9, 16), generator=draw).to(DEVICE)
            layer = _paged_cache.PagedLayer(24, 16, dtype, scales)
            layer.batch_repeat_interleave(2)
            layer.update(keys, values)
            expected = layer.attend(None, query)
            layer.batch_repeat_interleave(2)
            entries = [0, 0, 1, 1, 2, 2]
            self.assertTrue(torch.equal(layer.attend(None, query[entries]), expected[entries]))
            layer.batch_select_indices(torch.tensor([4, 0, 5]))
            entries = [2, 0, 2]
            found = layer.attend(None, query[entries])
            self.assertTrue(torch.equal(found, expected[entries]))
            layer.update(keys[:, :, :1], values[:, :, :1])
            found = layer.attend(None, query[entries])
            self.assertFalse(torch.equal(found[0], found[2]))
        for dtype in (None, torch.int8):
            layer = _paged_cache.LatentLayer(24, 16, dtype, "first")
            layer.update(torch.randn((3, 1, 9, 16), generator=draw).to(DEVICE),
                         torch.randn((3, 1, 9, 8), generator=draw).to(DEVICE))
            before = [its[layer.table.long()] for its in (layer.keys, layer.values)]
            layer.batch_select_indices(torch.tensor([True, False, True]))
            for whole, its in zip(before, (layer.keys, layer.values)):
                self.assertTrue(torch.equal(its[layer.table.long()], whole[[0, 2]]))

    def test_again(self):
        """After crop(), the cache is as if the removed tokens had never been appended."""
        model = llama()
        model.set_attn_implementation("attn_mlir")
        cache = PagedCache(model, 24, page_size=16)
        with torch.no_grad():
            whole = model(input_ids=IDS, past_key_values=cache).logits
            cache.crop(0)
            cache.crop(-9)
            self.assertEqual(cache.get_seq_length(), 15)
            rest = model(input_ids=IDS[:, 15:], past_key_values=cache).logits
            torch.testing.assert_close(rest, whole[:, 15:], atol=2e-5, rtol=2e-5)
            cache.reset()
            again = model(input_ids=IDS, past_key_values=cache).logits
            torch.testing.assert_close(again, whole)

    def test_scales_after_reset(self):
        """The scales of the first call's tokens are computed again after reset()."""
        model = llama()
        layer = PagedCache(model, 24, page_size=16, dtype=torch.int8).layers[0]
        tokens = torch.randn(1, 2, 3, 8)
        layer.update(tokens, tokens)
        first = layer.k_scale.clone()
        layer.update(9 * tokens, tokens)
        self.assertTrue(torch.equal(layer.k_scale, first))
        layer.reset()
        layer.update(100 * tokens, tokens)
        torch.testing.assert_close(layer.k_scale, 100 * first)

    def test_candidates(self):
        """Tokens that generate() drafts and does not take leave the cache again."""
        model = llama()
        options = {"max_new_tokens": 12, "do_sample": False, "prompt_lookup_num_tokens": 3}
        lengths = []
        for implementation, cache in (("eager", transformers.DynamicCache()),
                                      ("attn_mlir", PagedCache(model, 64, page_size=16))):
            model.set_attn_implementation(implementation)
            found = model.generate(IDS[:1].repeat(1, 2), past_key_values=cache, **options)
            lengths.append((found.tolist(), cache.get_seq_length()))
        self.assertEqual(*lengths)

    def test_errors(self):
        model = llama()
        model.set_attn_implementation("attn_mlir")
        for options, message in (
                ({"max_length": 0}, "max_length: expected a positive integer, found 0"),
                ({"max_length": 9, "dtype": torch.float64}, "dtype: expected None, or one of"),
                ({"max_length": 9, "scales": 1.0}, "scales: expected 'first', 'token' or a pair"),
                ({"max_length": 9, "scales": (1.0, float("nan"))},
                 "scales: expected positive finite numbers, or tensors, found nan")):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, message):
                PagedCache(model, **options)
        with self.assertRaisesRegex(attn_mlir.ArgumentError,
                                    "dtype: expected None or one of 8 bits for latent attention"):
            PagedCache(deepseek(), 9, dtype="i4")
        with torch.no_grad(), self.assertRaisesRegex(
                attn_mlir.ArgumentError, "PagedCache: expected at most 9 tokens"):
            model(input_ids=IDS, past_key_values=PagedCache(model, 9))
        model.set_attn_implementation("eager")
        with torch.no_grad(), self.assertRaisesRegex(
                attn_mlir.Error, "PagedCache: expected a model whose attention"):
            model(input_ids=IDS, past_key_values=PagedCache(model, 32))


class Replayed(DynamicLayer):
    """A layer of a cache that returns the keys and values of another cache in place of those that
    the model computes."""

    def __init__(self, keys, values):
        super().__init__()
        self.stored = keys, values
        self.count = 0

    def update(self, key_states, value_states, *_, **__):
        self.count += key_states.shape[2]
        dtype = key_states.dtype
        return tuple([its[:, :, :self.count].to(dtype) for its in self.stored])

    def get_seq_length(self):
        return self.count


def read(layer):
    """Returns a layer's keys and values, dequantized to fp64."""
    found = []
    for pool, scale in zip((layer.keys, layer.values), (layer.k_scale, layer.v_scale)):
        wide = (unpack(pool) if pool.dtype == torch.uint8 else pool).double()[layer.table.long()].transpose(1, 2).flatten(2, 3)
        if scale is not None:
            scale = scale.double()
            if scale.dim() == 3:
                scale = scale[layer.table.long()].transpose(1, 2).flatten(2, 3)
            wide = wide * (scale if scale.dim() == 0 else scale[..., None] if scale.dim() == 3
                           else scale[..., None, None])
        found.append(wide[:, :, :layer.length])
    return found


class EightBits(unittest.TestCase):
    """Logits with caches of 8 and 4 bits are compared with those of the eager model in fp64 on the
    stored numbers."""

    def check(self, model, dtype, stored, mask=None, scales="first", steps=8):
        model = model.to(dtype)
        model.set_attn_implementation("attn_mlir")
        cache = PagedCache(model, 24, page_size=16, dtype=stored, scales=scales)
        split = IDS.shape[1] - steps
        logits = []
        with torch.no_grad():
            for first, end in ((0, split), *[(n, n + 1) for n in range(split, split + steps)]):
                own = None if mask is None else mask[:, :end]
                positions = None if mask is None else (
                    mask.cumsum(1) - 1).clamp(min=0)[:, first:end]
                logits.append(model(input_ids=IDS[:, first:end], past_key_values=cache,
                                    attention_mask=own, position_ids=positions).logits)
            found = torch.cat(logits, 1)
            references = []
            model.set_attn_implementation("eager")
            for its in (torch.float64, dtype):
                model = model.to(its)
                replay = Cache(layers=[Replayed(*read(layer)) for layer in cache.layers])
                positions = None if mask is None else (mask.cumsum(1) - 1).clamp(min=0)
                references.append(model(input_ids=IDS, past_key_values=replay,
                                        attention_mask=mask, position_ids=positions).logits)
        kept = slice(None) if mask is None else mask.bool()
        found, exact, low = (its[kept].double() for its in (found, *references))
        check(found, exact, low, 2, dtype, (dtype, stored))
        return exact

    def test_llama(self):
        model = llama()
        for dtype, stored in ((torch.float32, E4M3), (torch.bfloat16, E4M3),
                              (torch.float16, torch.int8), (torch.bfloat16, E5M2),
                              (torch.bfloat16, "i4")):
            for mask in (None, LEFT):
                with self.subTest(f"{dtype}, {stored}, {mask is not None}"):
                    self.check(model, dtype, stored, mask)

    def test_scales(self):
        heads = torch.tensor([[0.01, 0.02]], device=DEVICE)
        for scales in ((0.5, 2.0), (heads, 0.03), (heads, heads[:, :1])):
            self.check(llama(), torch.bfloat16, E4M3, scales=scales)

    def test_scales_of_tokens(self):
        """With a scale for each token, append computes the scales, if this version of it can."""
        try:
            for dtype, stored in ((torch.float16, E4M3), (torch.bfloat16, torch.int8),
                                  (torch.float16, "i4")):
                self.check(llama(), dtype, stored, LEFT, scales="token")
        except attn_mlir.ArgumentError as error:
            self.assertRegex(str(error), r"k_scale: expected sizes \(\) or \(B, Hkv\)")
            self.skipTest("append makes no scales")
        with torch.no_grad(), self.assertRaisesRegex(attn_mlir.ArgumentError,
                                                     "scales: expected 'first' or a pair"):
            model = deepseek()
            model.set_attn_implementation("attn_mlir")
            model(input_ids=IDS, past_key_values=PagedCache(model, 32, dtype=E4M3,
                                                            scales="token"))

    def test_others(self):
        self.check(gemma(), torch.float16, E4M3)
        # This model's logits depend so much on its scores that another reference than the stored
        # numbers would fail.
        self.check(deepseek(first_k_dense_replace=2), torch.bfloat16, E4M3)

    def test_tokens(self):
        """Most tokens with an 8-bit cache are those with a cache in the model's type."""
        model = llama()
        expected = generate(model, "eager", LEFT)
        found = generate(model, "attn_mlir", LEFT,
                         past_key_values=PagedCache(model, 32, dtype=E4M3))
        self.assertGreater((found == expected).double().mean().item(), 0.8)


if __name__ == "__main__":
    unittest.main()
