# Short commands for the CMake build: set-up, build, demo, tests.

BUILD ?= build

.PHONY: all build setup demo check test test-gpu test-fresh test-all report-ptxas package wheel docs walkthrough format check-format check-single-files clean
all: build

# Installs the missing Debian packages that the build needs.
setup:
	@scripts/setup

$(BUILD)/build.ninja: | setup
	cmake -G Ninja -S . -B $(BUILD) -DCMAKE_BUILD_TYPE=Release \
	  -DMLIR_DIR=/usr/lib/llvm-22/lib/cmake/mlir \
	  -DCMAKE_C_COMPILER=clang-22 -DCMAKE_CXX_COMPILER=clang++-22

build: setup $(BUILD)/build.ninja
	cmake --build $(BUILD)

# Compiles and runs the attention of GPT-2 and checks it.
demo: build
	@scripts/demo $(BUILD)

# The tests to run after changing a pass, about two minutes: those of ops, verifiers and passes.
check: build
	@scripts/test $(BUILD) --filter ':: (Dialect|Conversion)/'

# The whole suite. The last line is "N passed, N failed, N skipped". With TORCH=1 PyTorch is put
# into $(BUILD) first, for the tests that need it; without it these are skipped.
test: build
	@$(if $(TORCH),scripts/environment $(BUILD) torch)
	@scripts/test $(BUILD)

# On a machine with a GPU: the tests that run something there, which test/Inputs/gpu-tests.py finds.
test-gpu: build
	@scripts/test $(BUILD) --param gpu=1 --filter-out 'unit ::'

# Tests that draw random problems, with a new seed. It never fails: CI's tests use fixed seeds, and
# this run only reports the failures that other seeds find, each with the seed that repeats it.
test-fresh: build
	@scripts/test $(BUILD) --filter ':: Fuzz/|bin/RunnerTest|nvvm-random|Target/registers' || \
	  echo "a fresh seed found a failure: see above"

# The whole suite; tests that draw a few of many cases run all of them.
test-all: build
	@scripts/test $(BUILD) --param all=1

# Writes a table of the resources of Hopper's kernels, and reports those of a sample with the newest
# ptxas. It never fails.
report-ptxas: build
	@scripts/report-ptxas $(BUILD)

# The tools and the suite in an archive that runs without LLVM, into $(BUILD).
package: build
	@scripts/package $(BUILD)

# The Python package with libattn-c.so, into $(BUILD).
wheel: build
	ATTN_MLIR_BUILD=$(abspath $(BUILD)) python3 -m pip wheel --no-deps \
	  -w $(BUILD) ./python

# One site of all pages and of the reference manual of ops and passes, into $(BUILD)/docs. The build
# makes it, too; this target builds nothing else, and checks the links.
docs: $(BUILD)/build.ninja
	cmake --build $(BUILD) --target attn-site
	@python3 scripts/check-links.py $(BUILD)/docs
	@echo "the pages are in $(BUILD)/docs; $(BUILD)/docs/index.md lists them"

# Updates the IR in docs/walkthrough.md, after passes have changed.
walkthrough: build
	python3 scripts/walkthrough.py $(BUILD)/bin/attnc docs/walkthrough.md

FORMATTED = $(shell git ls-files '*.cpp' '*.h' '*.c')
format:
	clang-format-22 -i $(FORMATTED)
check-format:
	clang-format-22 --dry-run -Werror $(FORMATTED)

# Checks that each file compiles alone, and not only in its batch.
check-single-files: setup
	@scripts/check-single-files $(BUILD)

clean:
	rm -rf $(BUILD)
