# The GoogleTest programs, one test of the suite for each of their tests.

import os

import lit.formats

config.name = "attn-mlir-unit"
config.suffixes = []
config.test_source_root = os.path.join(config.attn_obj_root, "test", "Unit")
config.test_exec_root = config.test_source_root
config.test_format = lit.formats.GoogleTest("bin", "Test")
