# Configuration of the suite for lit.

import os

import lit.formats
import lit.util

config.name = "attn-mlir"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Unit"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.attn_obj_root, "test")

config.environment["PATH"] = os.pathsep.join(
    [config.attn_tools_dir, config.llvm_tools_dir, "/usr/bin", "/bin"])
config.substitutions.append(("%inputs", os.path.join(config.test_source_root, "Inputs")))
config.substitutions.append(("%examples", config.attn_examples_dir))
config.substitutions.append(("%docs", config.attn_docs_dir))
config.substitutions.append(("%cc", config.c_compiler))
config.substitutions.append(("%python", config.python))

# A feature that is absent makes its tests unsupported, with the reason in the
# list that the suite prints.
if os.path.exists("/proc/cpuinfo"):
    with open("/proc/cpuinfo") as cpuinfo:
        flags = next((l.split() for l in cpuinfo if l.startswith("flags")), [])
    if {"avx2", "fma", "f16c", "bmi2", "movbe"} <= set(flags):
        config.available_features.add("x86-64-v3")
# A toolkit is no part of the project; where there is one, it judges the PTX.
ptxas = lit.util.which("ptxas", os.environ.get("PATH", "") + os.pathsep + "/usr/local/cuda/bin")
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
if os.geteuid() != 0:
    config.available_features.add("not-root")
