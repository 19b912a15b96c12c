"""Writes the modules of models of transformers 5.23 by torch-mlir: `make-transformers.py FOLDER`
with torch 2.15 and torch-mlir 20261001. Models are small, with one layer. The arguments of
a module's function are the weights, then token ids and masks.
"""

import sys

import torch
import transformers
from torch import nn
from torch_mlir import fx

BATCH, LENGTH, TOKENS = 2, 12, 64
COMMON = {"hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 1,
          "num_attention_heads": 4, "vocab_size": TOKENS, "max_position_embeddings": 64}


def models():
    ids = torch.randint(0, TOKENS, (BATCH, LENGTH))
    decoder = {"input_ids": ids, "use_cache": False}
    t = transformers
    yield "bert-eager", t.BertModel(
        t.BertConfig(**COMMON, attn_implementation="eager"), add_pooling_layer=False), {
            "input_ids": ids, "attention_mask": torch.ones(BATCH, LENGTH, dtype=torch.long)}
    yield "t5-eager", t.T5EncoderModel(t.T5Config(
        d_model=32, d_kv=8, d_ff=32, num_layers=1, num_heads=4, vocab_size=TOKENS)), {
            "input_ids": ids}
    yield "llama-eager", t.LlamaModel(t.LlamaConfig(
        **COMMON, num_key_value_heads=2, attn_implementation="eager")), decoder
    yield "gemma2-eager", t.Gemma2Model(t.Gemma2Config(
        **COMMON, num_key_value_heads=2, head_dim=8, sliding_window=4,
        attn_implementation="eager")), decoder
    yield "mistral-sdpa", t.MistralModel(t.MistralConfig(
        **COMMON, num_key_value_heads=2, sliding_window=4, attn_implementation="sdpa")), decoder


class Functional(nn.Module):
    """A module whose arguments are the model's weights and its input tensors."""

    def __init__(self, model, options):
        super().__init__()
        self.model = [model]  # no submodule: its weights are not this one's
        self.names = [*dict(model.named_parameters()), *dict(model.named_buffers())]
        self.tensors = [k for k, v in options.items() if torch.is_tensor(v)]
        self.others = {k: v for k, v in options.items() if not torch.is_tensor(v)}

    def forward(self, *arguments):
        weights = dict(zip(self.names, arguments))
        inputs = dict(zip(self.tensors, arguments[len(self.names):]))
        return torch.func.functional_call(self.model[0], weights, (),
                                          {**inputs, **self.others})[0]


def main():
    folder = sys.argv[1]
    torch.manual_seed(0)
    for name, model, options in models():
        function = Functional(model.eval(), options)
        weights = {**dict(model.named_parameters()), **dict(model.named_buffers())}
        arguments = [weights[n].detach() for n in function.names]
        arguments += [options[n] for n in function.tensors]
        imported = fx.export_and_import(function, *arguments, output_type="linalg-on-tensors",
                                        func_name="main")
        with open(f"{folder}/transformers-{name}.mlir", "w") as file:
            file.write("// Written by `make-transformers.py`.\n" +
                       imported.operation.get_asm(print_generic_op_form=True))


if __name__ == "__main__":
    main()
