# Models of Hugging Face transformers with random weights on this project's attention,
# against the library's eager one: logits, loss, gradients and generated tokens.
#
# REQUIRES: capi, transformers
# RUN: %transformers-python -W ignore %s

import contextlib
import logging
import os
import sys
import unittest
import unittest.mock

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import attn_mlir.transformers
import philox
import torch
import transformers
from attn_mlir._torch_adapter import TorchAdapter
from transformers import masking_utils

logging.disable(logging.WARNING)
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
CALLS = attn_mlir.transformers.register()
PASSED = attn_mlir.transformers.register("attn_mlir_or_torch", strict=False)

SIZES = {"hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2,
         "num_attention_heads": 4, "vocab_size": 100, "max_position_embeddings": 128}
GENERATOR = torch.Generator().manual_seed(0)
IDS = torch.randint(3, 100, (2, 24), generator=GENERATOR).to(DEVICE)
LEFT = torch.ones_like(IDS)
LEFT[0, :7] = 0
RIGHT = LEFT.flip(1)


def labels(mask):
    """Returns labels for the tokens that are predicted from tokens which are not padding. A row
    that attends to nothing is 0 here but a mean of all values in eager attention, so it must not
    count."""
    found = IDS.masked_fill(mask == 0, -100)
    found[:, 1:][mask[:, :-1] == 0] = -100
    return found


def make(name, **options):
    config = getattr(transformers, name.partition("For")[0] + "Config")(**options)
    torch.manual_seed(1)
    return getattr(transformers, name)._from_config(
        config, attn_implementation="eager").to(DEVICE).eval()


def llama(name="LlamaForCausalLM", **options):
    return make(name, **SIZES, num_key_value_heads=2, **options)


def mistral():
    return llama("MistralForCausalLM", sliding_window=8)


def gemma2():
    return llama("Gemma2ForCausalLM", head_dim=16, sliding_window=8,
                 attn_logit_softcapping=5.0)


def t5():
    return make("T5ForConditionalGeneration", d_model=64, d_kv=16, d_ff=96, num_layers=2,
                num_heads=4, vocab_size=100, decoder_start_token_id=0, dropout_rate=0.0)


def gpt_oss():
    """Makes a small gpt-oss with random sinks, and with a sliding window in every other layer."""
    model = make("GptOssForCausalLM", **SIZES, num_key_value_heads=2, head_dim=16,
                 sliding_window=8, num_local_experts=2, num_experts_per_tok=1)
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for layer in model.model.layers:
            layer.self_attn.sinks.copy_(torch.randn(4, generator=generator))
    return model


@contextlib.contextmanager
def own_dropout():
    """Records the seeds of calls with dropout. Eager attention then drops the same probabilities as
    these calls."""
    seeds = []

    def draw(adapter, like, generator, stream=None):
        seeds.append((len(seeds) + 1, 7))
        return torch.tensor(seeds[-1], device=like.device)

    calls = iter(range(1000))
    plain = torch.nn.functional.dropout

    def dropout(weights, p=0.5, training=True, inplace=False):
        if weights.dim() != 4 or not p or not training:
            return plain(weights, p, training, inplace)
        keep, z = philox.keep(*weights.shape, p, seeds[next(calls)])
        return weights * torch.tensor(keep, device=weights.device) * z

    with unittest.mock.patch.object(TorchAdapter, "draw_seed", draw), \
            unittest.mock.patch.object(torch.nn.functional, "dropout", dropout):
        yield seeds


class Models(unittest.TestCase):
    def run_model(self, model, implementation, inputs, has_gradients):
        model.set_attn_implementation(implementation)
        model.zero_grad()
        with torch.set_grad_enabled(has_gradients):
            outputs = model(**inputs)
        if has_gradients:
            outputs.loss.backward()
        return outputs.logits.detach(), outputs.loss.detach(), {
            name: its.grad for name, its in model.named_parameters()
            if its.grad is not None}

    def compare(self, model, inputs, layers=2, has_gradients=True, mask=None):
        expected = self.run_model(model, "eager", inputs, has_gradients)
        before = CALLS.served
        found = self.run_model(model, "attn_mlir", inputs, has_gradients)
        self.assertEqual((CALLS.served - before, CALLS.passed_on), (layers, 0))
        for one, other in zip(found[:2], expected):
            if mask is not None and one.dim():
                one, other = one[mask.bool()], other[mask.bool()]
            torch.testing.assert_close(one, other, atol=2e-5, rtol=2e-5)
        self.assertEqual(found[2].keys(), expected[2].keys())
        for name, gradient in found[2].items():
            scale = expected[2][name].abs().max().item()
            torch.testing.assert_close(gradient, expected[2][name], atol=1e-4 * scale + 1e-7,
                                       rtol=1e-4, msg=name)

    def test_causal_models(self):
        for make_model in (llama, mistral, gemma2):
            for mask in (None, LEFT, RIGHT):
                with self.subTest(f"{make_model.__name__} {mask}"):
                    inputs = {"input_ids": IDS, "labels": IDS}
                    if mask is not None:
                        inputs = {**inputs, "attention_mask": mask, "labels": labels(mask)}
                    self.compare(make_model(), inputs, mask=mask)

    def test_packed(self):
        """Packed sequences, which only the position ids separate."""
        positions = torch.cat([torch.arange(10), torch.arange(14)]).expand(2, -1).to(DEVICE)
        self.compare(llama(), {"input_ids": IDS, "position_ids": positions, "labels": IDS})

    def test_encoders(self):
        inputs = {"input_ids": IDS, "attention_mask": RIGHT,
                  "labels": IDS.masked_fill(RIGHT == 0, -100)}
        self.compare(make("BertForMaskedLM", **SIZES, attention_probs_dropout_prob=0.0),
                     inputs, mask=RIGHT)
        tokens = {f"{name}_token_id": number for number, name in
                  enumerate(("pad", "bos", "eos", "cls", "sep"))}
        self.compare(make("ModernBertForMaskedLM", **SIZES, **tokens, local_attention=8),
                     inputs, mask=RIGHT)

    def test_vit(self):
        sizes = {name: SIZES[name] for name in list(SIZES)[:4]}
        model = make("ViTForImageClassification", **sizes, image_size=32, patch_size=8)
        pixels = torch.randn(2, 3, 32, 32, generator=GENERATOR).to(DEVICE)
        self.compare(model, {"pixel_values": pixels,
                             "labels": torch.tensor([0, 1], device=DEVICE)})

    def test_t5(self):
        """T5, with gradients of the table of relative positions."""
        inputs = {"input_ids": IDS, "attention_mask": RIGHT, "labels": IDS[:, :9].clone()}
        model = t5()
        self.compare(model, inputs, layers=6)
        self.assertIsNotNone(model.decoder.block[0].layer[0].SelfAttention
                             .relative_attention_bias.weight.grad)

    def test_sinks(self):
        for mask in (None, LEFT):
            inputs = {"input_ids": IDS, "labels": IDS if mask is None else labels(mask)}
            if mask is not None:
                inputs["attention_mask"] = mask
            model = gpt_oss()
            self.compare(model, inputs, mask=mask)
            self.assertTrue(model.model.layers[0].self_attn.sinks.grad.any())

    def test_checkpoints(self):
        model = gpt_oss().train()
        inputs = {"input_ids": IDS, "labels": IDS}
        expected = self.run_model(model, "eager", inputs, True)
        model.gradient_checkpointing_enable()
        found = self.run_model(model, "attn_mlir", inputs, True)
        for name, gradient in found[2].items():
            torch.testing.assert_close(gradient, expected[2][name], atol=1e-5, rtol=1e-3,
                                       msg=name)

    def test_compile(self):
        model = llama()
        inputs = {"input_ids": IDS, "attention_mask": LEFT, "labels": labels(LEFT)}
        expected = self.run_model(model, "eager", inputs, True)
        compiled = torch.compile(model, backend="aot_eager")
        model.set_attn_implementation("attn_mlir")
        model.zero_grad()
        outputs = compiled(**inputs)
        outputs.loss.backward()
        torch.testing.assert_close(outputs.loss.detach(), expected[1], atol=2e-5, rtol=2e-5)
        for name, its in model.named_parameters():
            torch.testing.assert_close(its.grad, expected[2][name], atol=1e-5, rtol=1e-3)


class Dropout(unittest.TestCase):
    """Dropout of attention in training. Other layers have none."""

    def compare(self, model, inputs, layers=2):
        model.train()
        with own_dropout() as seeds:
            found = Models.run_model(self, model, "attn_mlir", inputs, True)
            self.assertEqual(len(seeds), layers)
            expected = Models.run_model(self, model, "eager", inputs, True)
        for one, other in zip(found[:2], expected):
            torch.testing.assert_close(one, other, atol=2e-5, rtol=2e-5)
        for name, gradient in found[2].items():
            scale = expected[2][name].abs().max().item()
            torch.testing.assert_close(gradient, expected[2][name], atol=1e-4 * scale + 1e-7,
                                       rtol=1e-4, msg=name)
        other = model(**inputs).loss
        self.assertNotEqual(other.item(), model(**inputs).loss.item())

    def test_models(self):
        inputs = {"input_ids": IDS, "labels": IDS}
        self.compare(llama(attention_dropout=0.2), inputs)
        self.compare(make("BertForMaskedLM", **SIZES, attention_probs_dropout_prob=0.3,
                          hidden_dropout_prob=0.0), inputs)

    def test_checkpoints(self):
        """In checkpoints, the forward pass runs again with the same dropout."""
        inputs = {"input_ids": IDS, "labels": IDS}
        model = llama(attention_dropout=0.2).train()
        results = []
        for has_checkpoints in (False, True):
            if has_checkpoints:
                model.gradient_checkpointing_enable()
            torch.manual_seed(3)
            results.append(Models.run_model(self, model, "attn_mlir", inputs, True))
        self.assertEqual(results[0][1].item(), results[1][1].item())
        for name, gradient in results[0][2].items():
            torch.testing.assert_close(results[1][2][name], gradient, msg=name)


class Generation(unittest.TestCase):
    def test_caches(self):
        for make_model in (llama, mistral, gemma2, gpt_oss):
            model = make_model()
            for cache in ("dynamic", "static"):
                tokens = []
                for implementation in ("eager", "attn_mlir"):
                    model.set_attn_implementation(implementation)
                    before = CALLS.served
                    tokens.append(model.generate(
                        input_ids=IDS, attention_mask=LEFT, max_new_tokens=8,
                        do_sample=False, cache_implementation=cache, pad_token_id=0,
                        eos_token_id=None))
                with self.subTest(f"{make_model.__name__} {cache}"):
                    self.assertGreater(CALLS.served, before)
                    self.assertTrue(torch.equal(*tokens))

    def test_kernels(self):
        """Longer caches need no new kernels."""
        from attn_mlir import _frames

        model = llama()
        model.set_attn_implementation("attn_mlir")
        counts = []
        for length in (3, 9):
            model.generate(input_ids=IDS, attention_mask=LEFT, max_new_tokens=length,
                           do_sample=False, pad_token_id=0, eos_token_id=None)
            counts.append(len(_frames.kernels))
        self.assertEqual(counts[0], counts[1])


class Requests(unittest.TestCase):
    def test_passed_on(self):
        """A call that is not supported is passed on to PyTorch, with a reason, only if the user
        asked for that. Otherwise it raises an error."""
        class Module:
            is_causal = False

        arrays = [torch.randn(1, 2, 5, 8, device=DEVICE) for _ in range(3)]
        mask = torch.ones(5, 5, dtype=torch.bool, device=DEVICE)
        with self.assertRaisesRegex(attn_mlir.Error, "^attn_mlir: attention_mask: expected a "
                                    "tensor of rank 4, found 2"):
            CALLS.attend(Module(), *arrays, mask)
        PASSED.attend(Module(), *arrays, mask)
        self.assertEqual((PASSED.served, PASSED.passed_on), (0, 1))
        self.assertEqual(list(PASSED.reasons.values()), [1])
        PASSED.attend(Module(), *arrays, None)
        self.assertEqual((PASSED.served, PASSED.passed_on), (1, 1))

    def test_tensor_masks(self):
        """A model accepts a mask of rank 4 that the caller made."""
        model = llama()
        kept = torch.ones(2, 1, 24, 24, dtype=torch.bool, device=DEVICE).tril()
        kept[0, :, :, 2] = False
        kept[:, :, 2] = True
        added = torch.where(kept, 0.0, torch.finfo(torch.float32).min)
        expected = Models.run_model(self, model, "eager",
                                    {"input_ids": IDS, "attention_mask": added,
                                     "labels": IDS}, False)
        for mask in (kept, added):
            found = Models.run_model(self, model, "attn_mlir",
                                     {"input_ids": IDS, "attention_mask": mask,
                                      "labels": IDS}, False)
            torch.testing.assert_close(found[0], expected[0], atol=2e-5, rtol=2e-5)

    def test_mask_function(self):
        mask = attn_mlir.transformers.make_mask(
            2, 3, 9, q_offset=torch.tensor(4), kv_offset=1,
            mask_function=masking_utils.causal_mask_function)
        expected = masking_utils.sdpa_mask(2, 3, 9, q_offset=4, kv_offset=1,
                                           allow_is_causal_skip=False)
        self.assertTrue(torch.equal(mask.tensor(), expected))
        for kept in (masking_utils.causal_mask_function,
                     masking_utils.bidirectional_mask_function):
            given = {"batch_size": 1, "q_length": 2, "kv_length": 5, "q_offset": 3,
                     "mask_function": kept,
                     "attention_mask": torch.ones(1, 4, dtype=torch.bool)}
            short = attn_mlir.transformers.make_mask(**given)
            wanted = masking_utils.sdpa_mask(allow_is_causal_skip=False, **given)
            self.assertTrue(torch.equal(short.tensor(), wanted))
        self.assertIsNone(attn_mlir.transformers.make_mask(
            2, 3, 9, mask_function=masking_utils.bidirectional_mask_function))


if __name__ == "__main__":
    unittest.main()
