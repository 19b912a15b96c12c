"""A small model with multi-head latent attention and random weights, served with attn_mlir:
see ../serve_mla.py."""
