# Configures lit to run the suite.

import glob
import json
import os
import random
import runpy
import subprocess

import lit.formats
import lit.util

config.name = "attn-mlir"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Unit"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.attn_obj_root, "test")
inputs = os.path.join(config.test_source_root, "Inputs")

# `make test-gpu` sets `gpu`: lit then only runs tests that run something on a GPU if there is one.
if lit_config.params.get("gpu"):
    config.excludes = config.excludes + runpy.run_path(
        os.path.join(inputs, "gpu-tests.py"))["excluded_names"](config.test_source_root)

config.environment["PATH"] = os.pathsep.join(filter(None, [
    config.attn_tools_dir, config.llvm_tools_dir, "/usr/bin", "/bin"]))
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
# Tests can use the CUDA devices that the environment of lit selects.
for variable in ["CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"]:
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]
# Without this variable, the driver's cache of compiled PTX would be in the home directory.
config.environment["CUDA_CACHE_PATH"] = os.path.join(config.test_exec_root, "cuda-cache")
# The project's cache of compiled kernels is disabled: it would be in the home directory, and each
# run of the suite must compile again.
config.environment["ATTN_MLIR_CACHE"] = "0"

# Otherwise JAX would reserve most of a GPU's memory for one test.
config.environment["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"

# With this variable, a crash ends the process by a signal, which `not attn-opt` reports as a
# failure.
config.environment["ATTN_CRASH"] = "signal"

# Tests that draw random cases use this seed, which is new for each run. The suite prints the seed,
# and the variable repeats the cases. The unit tests' configuration, which the same process of lit
# reads, takes the seed from the variable, too.
seed = os.environ.get("ATTN_TEST_SEED") or str(random.randrange(1 << 31))
os.environ["ATTN_TEST_SEED"] = config.environment["ATTN_TEST_SEED"] = seed
config.substitutions.append(("%seed", seed))

if config.attn_sanitize:
    config.environment.update(
        runpy.run_path(os.path.join(inputs, "sanitizer.py"))["ENVIRONMENT"])

# Tests call split-file, for which a script that does the same is substituted.
config.substitutions.append((
    r"(?<![-\w/.])split-file(?![-\w.])",
    f"{config.python} {os.path.join(inputs, 'split-file.py')}"))
config.substitutions.append(("%inputs", inputs))
config.substitutions.append(("%examples", config.attn_examples_dir))
config.substitutions.append(("%docs", config.attn_docs_dir))
config.substitutions.append(("%fakecuda",
                             os.path.join(config.attn_unit_dir, "libfakecuda.so")))
config.substitutions.append(("%python", config.python))
config.substitutions.append(("%version", config.attn_version))

# If a feature is absent, tests that require it are unsupported. The reasons for absent features are
# written to a file, for the list of skipped tests that the suite prints.
absent = {}


def feature(name, present, reason):
    if present:
        config.available_features.add(name)
    else:
        absent[name] = reason
    return present


def probe(code, python=config.python):
    """Runs Python with these arguments in the environment of tests. Returns the words of its output
    and "", or None and the reason of the failure."""
    try:
        run = subprocess.run([python, *code], env=config.environment,
                             capture_output=True, text=True, timeout=300)
    except (OSError, subprocess.TimeoutExpired) as error:
        return None, str(error)
    if run.returncode == 0:
        return run.stdout.split(), ""
    lines = run.stderr.strip().splitlines()
    return None, lines[-1] if lines else f"exit status {run.returncode}"


def find_program(name, *directories):
    path = os.pathsep.join([os.environ.get("PATH", ""), *directories])
    program = lit.util.which(name, path)
    if program:
        config.substitutions.append(("%" + name, program))
    return program


if feature("c-compiler", config.c_compiler, "no compiler of C and C++"):
    config.substitutions.append(("%cc", config.c_compiler))
feature("llvm-tools", config.llvm_tools_dir,
        "no tools of LLVM and MLIR 22; LLVM_TOOLS_DIR names their directory")

# Programs that were built without sanitizers cannot load libraries that were built with them.
unsanitized = not config.attn_sanitize
feature("crash-report", unsanitized, "sanitizers report crashes themselves")
if feature("capi", config.attn_capi_dir and unsanitized,
           "no libattn-c in the package, or one with sanitizers"):
    config.substitutions.append(("%capi", config.attn_capi_dir))
# Interpreters for tests of the Python package, each of which may have other packages that tests
# need. scripts/environment makes those in the build folder.
pythons = dict.fromkeys(filter(None, [
    lit_config.params.get("python"), config.python, "/usr/bin/python3",
    os.path.join(config.attn_obj_root, "torch/bin/python"),
    os.path.join(config.attn_obj_root, "jax/bin/python")]))


def feature_of_python(name, modules, installer):
    """Adds the feature NAME if an interpreter has the modules, and the substitution %NAME-python,
    which runs it with the project's package. Otherwise the reason names `installer`, the command
    that installs the modules. Returns the interpreter, or False."""
    for python in pythons:
        if not probe(["-c", f"import {modules}"], python)[1]:
            config.substitutions.append((f"%{name}-python", " ".join([
                "env", f"PYTHONPATH={config.attn_python_dir}",
                f"ATTN_MLIR_LIBRARY={config.attn_library}", python])))
            return feature(name, python, "")
    return feature(name, False, f"no Python with {modules}: `{installer}` in the project's folder "
                   "installs what is missing")


config.substitutions.append(("%package", config.attn_python_dir or ""))
feature_of_python("numpy", "numpy", "make setup")
feature_of_python("pytorch", "torch", "make test TORCH=1")
feature_of_python("transformers", "torch, transformers", "make test TORCH=1")
jax_python = feature_of_python("jax", "jax, flatbuffers", "scripts/environment build jax")
feature_of_python("wheel", "setuptools, wheel, pip", "make setup")


def find_interpreter(version):
    """Returns an interpreter of Python's version `version`, or None. It is searched for in PATH and
    among those that pyenv or uv has installed, and needs no packages."""
    name, home = "python" + version, os.path.expanduser("~")
    installed = [os.path.join(os.environ.get("PYENV_ROOT", os.path.join(home, ".pyenv")),
                              "versions", version + ".*", "bin", name),
                 os.path.join(home, ".local/share/uv/python", f"cpython-{version}.*", "bin", name)]
    candidates = [lit.util.which(name, os.environ.get("PATH", "")),
                  *[its for pattern in installed for its in sorted(glob.glob(pattern))]]
    check = f"import sys; assert '%d.%d' % sys.version_info[:2] == '{version}'"
    return next((its for its in candidates if its and not probe(["-S", "-c", check], its)[1]), None)


# The package's C++ module is the same file for all versions of Python from 3.11 on, so tests also
# load it with these versions.
for version in ("3.12", "3.13"):
    found = find_interpreter(version)
    if feature("python" + version, found, f"no interpreter of Python {version} in PATH, and "
               "none that pyenv or uv has installed"):
        config.substitutions.append((f"%other-python-{version}", found))

feature("fuzz", os.access(os.path.join(config.attn_tools_dir, "attn-fuzz"), os.X_OK),
        "no attn-fuzz in the package")
if feature("plugin", config.attn_plugin and unsanitized,
           "no plugin for mlir-opt in the package, or one with sanitizers"):
    config.substitutions.append(("%plugin", config.attn_plugin))
if feature("build-tree", config.cmake and unsanitized,
           "no build tree to install from, or one with sanitizers"):
    config.substitutions.append(("%build", config.attn_obj_root))
    config.substitutions.append(("%cmake", config.cmake))
    config.substitutions.append(("%cxx", config.cxx_compiler))
    config.substitutions.append(("%pkg-config", config.pkg_config))

flags = []
if os.path.exists("/proc/cpuinfo"):
    with open("/proc/cpuinfo") as cpuinfo:
        flags = next((l.split() for l in cpuinfo if l.startswith("flags")), [])
feature("x86-64-v3", {"avx2", "fma", "f16c", "bmi2", "movbe"} <= set(flags),
        "the CPU is older than x86-64-v3")
memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 30
feature("large-memory", memory >= 16,
        f"less than 16 GiB of memory, found {memory}")
feature("not-root", os.geteuid() != 0, "root may read and write any file")

# With the feature `all`, tests that otherwise draw a few of many cases take all of them.
feature("all", lit_config.params.get("all"), "make test-all takes all cases")

# A CUDA toolkit is no part of the project. If there is one, tests use its ptxas and other tools.
# The ptxas that scripts/ptxas has installed takes precedence, since the bounds of kernels'
# registers were recorded with it.
pinned = os.path.join(config.attn_obj_root, "ptxas", "pinned", "ptxas")
if feature("pinned-ptxas", os.access(pinned, os.X_OK),
           "scripts/ptxas has got none"):
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", pinned))
else:
    feature("ptxas", find_program("ptxas", "/usr/local/cuda/bin"), "no ptxas")
# PyTorch installs Triton, which has an nvdisasm.
feature("nvdisasm", find_program("nvdisasm", "/usr/local/cuda/bin", *glob.glob(
    os.path.join(config.attn_obj_root, "torch/lib/python3*/site-packages",
                 "triton/backends/nvidia/bin"))), "no nvdisasm")
feature("compute-sanitizer",
        find_program("compute-sanitizer", "/usr/local/cuda/bin"),
        "no compute-sanitizer")

# If there is a GPU, the features `cuda` and, for example, `cuda-sm_90` (the first GPU's compute
# capability) are available. If there is none, a test for one chip is skipped with the reason why
# `cuda` is absent.
capability, reason = probe([os.path.join(inputs, "cuda-device.py")])
if feature("cuda", capability, reason):
    config.available_features.add("cuda-" + capability[0])
else:
    absent["cuda-*"] = reason
if capability and jax_python:
    devices, reason = probe(["-c", "import jax; jax.devices('cuda')"], jax_python)
    feature("jax-gpu", devices is not None, "JAX cannot use the device: " + reason)
else:
    feature("jax-gpu", False, reason or "no JAX")
if capability:
    absent["cuda-*"] = f"the device is {capability[0]}"
    torch, reason = probe(["-c", "import torch; assert torch.cuda.is_available()"])
    feature("torch", torch is not None, "PyTorch cannot use the device: " + reason)
    torch, reason = probe(["-c", "import torch; count = torch.cuda.device_count(); "
                           "assert count > 1, f'expected two GPUs, found {count}'"])
    feature("two-gpus", torch is not None, reason)
else:
    feature("torch", False, reason)
    feature("two-gpus", False, reason)

os.makedirs(config.test_exec_root, exist_ok=True)
with open(os.path.join(config.test_exec_root, "absent.json"), "w") as file:
    json.dump(absent, file, indent=2)
with open(os.path.join(config.test_exec_root, "seed"), "w") as file:
    file.write(seed)
