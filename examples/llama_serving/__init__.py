"""A small Llama with random weights, served with attn_mlir: see ../serve_llama.py."""
