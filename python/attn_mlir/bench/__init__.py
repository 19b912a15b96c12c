"""Measures the rates of attention, beside those of other implementations in the same run:

    python -m attn_mlir.bench --help
"""
