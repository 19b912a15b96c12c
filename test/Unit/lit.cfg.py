# Configures lit to run the GoogleTest programs; each of their tests is a test of the suite.

import os
import random
import runpy

import lit.formats

config.name = "attn-mlir-unit"
config.suffixes = []
config.test_source_root = os.path.join(config.attn_obj_root, "test", "Unit")
config.test_exec_root = config.test_source_root
config.test_format = lit.formats.GoogleTest("bin", "Test")

if config.attn_sanitize:
    config.environment.update(runpy.run_path(os.path.join(
        os.path.dirname(__file__), "..", "Inputs", "sanitizer.py"))["ENVIRONMENT"])

# Random tests draw new cases in each run, and ATTN_TEST_SEED repeats those of an earlier run; a
# failed test prints it. The whole suite has one seed, which ../lit.cfg.py has put into the
# environment. With the parameter `all`, the run may take long, so more cases are drawn.
seed = os.environ.get("ATTN_TEST_SEED") or str(random.randrange(1 << 31))
os.environ["ATTN_TEST_SEED"] = config.environment["ATTN_TEST_SEED"] = seed
config.environment["ATTN_TEST_SCHEDULES"] = "500" if lit_config.params.get("all") else "100"
