//===- EntryTest.cpp - Compiled entries and the runtime -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Entries over the fake driver, whose kernels do nothing, and over a GPU.
//
//===----------------------------------------------------------------------===//

#include "FakeDriver.h"

#include "attn/Pipelines/Pipelines.h"
#include "attn/Target/Chips.h"
#include "attn/Target/Host.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

#include <cstring>
#include <thread>

using namespace mlir;
using namespace mlir::attn;

namespace {

constexpr int64_t kHeads = 4, kRows = 200, kHeadDim = 64;
constexpr int64_t kCount = kHeads * kRows * kHeadDim;

/// A function with two attention ops. The result of the first one is in memory
/// that the compiled function allocates.
constexpr char kChain[] = R"(
  !t = tensor<1x4x?x64xf32>
  func.func @main(%q: !t, %k: !t, %v: !t) -> !t {
    %c2 = arith.constant 2 : index
    %rows = tensor.dim %q, %c2 : !t
    %init = tensor.empty(%rows) : !t
    %0 = attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%init : !t) -> !t
    %1 = attn.attention ins(%0, %k, %v : !t, !t, !t) outs(%init : !t) -> !t
    return %1 : !t
  })";

class Entry {
public:
  explicit Entry(StringRef chip) {
    DialectRegistry registry;
    registerDialects(registry);
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    auto module = parseSourceString<ModuleOp>(kChain, &context);
    PassManager pm(&context);
    TilePipelineOptions options;
    options.chip = chip.str();
    buildAttnToPTXPipeline(pm, options);
    if (!module || failed(pm.run(*module))) {
      ADD_FAILURE() << "compilation failed";
      return;
    }
    auto created = HostProgram::create(*module, /*cpu=*/"");
    if (!created) {
      ADD_FAILURE() << llvm::toString(created.takeError());
      return;
    }
    program = std::move(*created);
    auto found = program->lookupLaunch("main");
    if (!found) {
      ADD_FAILURE() << llvm::toString(found.takeError());
      return;
    }
    function = *found;
  }

  /// Calls the compiled function with query, key, value and result.
  attnrt_status run(attnrt_runtime *runtime, attnrt_stream stream,
                    ArrayRef<attnrt_device_ptr> arrays,
                    int64_t valueRows = kRows) const {
    std::vector<std::vector<int64_t>> words;
    for (auto [i, array] : llvm::enumerate(arrays)) {
      auto address = static_cast<int64_t>(array);
      int64_t rows = i == 2 ? valueRows : kRows;
      words.push_back({address, address, 0, 1, kHeads, rows, kHeadDim, kCount,
                       kRows * kHeadDim, kHeadDim, 1});
    }
    SmallVector<void *> args = {&runtime, &stream};
    for (std::vector<int64_t> &descriptor : words)
      args.push_back(descriptor.data());
    return static_cast<attnrt_status>(function(args.data()));
  }

private:
  std::unique_ptr<HostProgram> program;
  HostProgram::LaunchEntry function = nullptr;
};

/// A fixture with a compiled function whose calls reach the fake driver.
class EntryTest : public ::testing::Test {
protected:
  EntryTest() { driver.createContext(0); }

  attnrt_status run(int64_t valueRows = kRows) {
    return entry.run(runtime, stream, {16, 32, 48, 64}, valueRows);
  }
  void expectCalls(unsigned allocations, unsigned launches, unsigned frees) {
    EXPECT_EQ(driver.calls("cuMemAllocAsync"), allocations);
    EXPECT_EQ(driver.calls("cuLaunchKernelEx"), launches);
    EXPECT_EQ(driver.calls("cuMemFreeAsync"), frees);
  }

  FakeDriver driver{fakeDriverPath()};
  Runtime runtime{fakeDriverPath()};
  Entry entry{"sm_90"};
  attnrt_stream stream = reinterpret_cast<attnrt_stream>(0x30);
};

TEST_F(EntryTest, freesMemory) {
  EXPECT_EQ(run(), ATTNRT_SUCCESS) << runtime.getError();
  expectCalls(1, 2, 0);
  EXPECT_EQ(driver.recorded("stream"), 0x30u);
  // The stream's memory was kept, so the next call allocates none.
  EXPECT_EQ(run(), ATTNRT_SUCCESS) << runtime.getError();
  expectCalls(1, 4, 0);
}

TEST_F(EntryTest, freesMemoryAfterFailure) {
  driver.setError("cuLaunchKernelEx", /*CUDA_ERROR_LAUNCH_FAILED=*/719);
  EXPECT_EQ(run(), ATTNRT_LAUNCH_FAILED);
  expectCalls(1, 1, 0);
  driver.setError("cuLaunchKernelEx", 0);
  EXPECT_EQ(run(), ATTNRT_SUCCESS) << runtime.getError();
  expectCalls(1, 3, 0);
}

TEST_F(EntryTest, loadsWhileCounting) {
  ASSERT_EQ(attnrt_begin_workspace(runtime, 0, 1), ATTNRT_SUCCESS);
  EXPECT_EQ(run(), ATTNRT_SUCCESS) << runtime.getError();
  EXPECT_EQ(attnrt_end_workspace(runtime, nullptr), ATTNRT_SUCCESS);
  expectCalls(0, 0, 0);
  unsigned loads = driver.calls("cuModuleLoadDataEx");
  EXPECT_GT(loads, 0u);
  EXPECT_EQ(run(), ATTNRT_SUCCESS) << runtime.getError();
  EXPECT_EQ(driver.calls("cuModuleLoadDataEx"), loads);
}

TEST_F(EntryTest, countsMemory) {
  ASSERT_EQ(attnrt_begin_workspace(runtime, 0, 0), ATTNRT_SUCCESS);
  EXPECT_EQ(run(), ATTNRT_SUCCESS) << runtime.getError();
  uint64_t needed = 0;
  EXPECT_EQ(attnrt_end_workspace(runtime, &needed), ATTNRT_SUCCESS);
  expectCalls(0, 0, 0);
  EXPECT_GT(needed, 0u);
  EXPECT_EQ(needed % 256, 0u);
  EXPECT_EQ(attnrt_end_workspace(runtime, &needed), ATTNRT_INVALID_ARGUMENT);

  // A workspace of exactly the needed size is enough, and replaces the
  // allocation.
  ASSERT_EQ(attnrt_begin_workspace(runtime, 0x1000, needed), ATTNRT_SUCCESS);
  EXPECT_EQ(attnrt_begin_workspace(runtime, 0x1000, needed),
            ATTNRT_INVALID_ARGUMENT);
  EXPECT_EQ(run(), ATTNRT_SUCCESS) << runtime.getError();
  uint64_t again = 0;
  EXPECT_EQ(attnrt_end_workspace(runtime, &again), ATTNRT_SUCCESS);
  EXPECT_EQ(again, needed);
  expectCalls(0, 2, 0);

  ASSERT_EQ(attnrt_begin_workspace(runtime, 0x1000, needed - 1),
            ATTNRT_SUCCESS);
  EXPECT_EQ(run(), ATTNRT_OUT_OF_MEMORY);
  EXPECT_NE(
      std::string(runtime.getError()).find("workspace: expected at least"),
      std::string::npos)
      << runtime.getError();
  EXPECT_EQ(attnrt_end_workspace(runtime, nullptr), ATTNRT_SUCCESS);
  expectCalls(0, 2, 0);
  EXPECT_EQ(attnrt_begin_workspace(runtime, 0x1001, needed),
            ATTNRT_INVALID_ARGUMENT);

  // Without a workspace of the caller, memory comes from the pool.
  EXPECT_EQ(run(), ATTNRT_SUCCESS) << runtime.getError();
  expectCalls(1, 4, 0);
}

TEST_F(EntryTest, noMemory) {
  driver.setError("cuMemAllocAsync", /*CUDA_ERROR_OUT_OF_MEMORY=*/2);
  EXPECT_EQ(run(), ATTNRT_OUT_OF_MEMORY);
  expectCalls(1, 0, 0);
}

TEST_F(EntryTest, freeFails) {
  // Memory is not kept for a stream whose id cannot be found out, but freed,
  // which fails here.
  driver.setError("cuStreamGetId", /*CUDA_ERROR_INVALID_VALUE=*/1);
  driver.setError("cuMemFreeAsync", /*CUDA_ERROR_INVALID_VALUE=*/1);
  EXPECT_EQ(run(), ATTNRT_INVALID_ARGUMENT);
  // If both the launch and freeing memory fail, the first failure is returned.
  driver.setError("cuLaunchKernelEx", /*CUDA_ERROR_LAUNCH_FAILED=*/719);
  EXPECT_EQ(run(), ATTNRT_LAUNCH_FAILED);
}

TEST_F(EntryTest, failedCheck) {
  EXPECT_EQ(run(kRows + 1), ATTNRT_INVALID_ARGUMENT);
  EXPECT_NE(std::string(runtime.getError()).find("key and value"),
            std::string::npos)
      << runtime.getError();
  EXPECT_EQ(driver.calls("cuLaunchKernelEx"), 0u);
  // The next call uses the memory that the failed one had allocated.
  EXPECT_EQ(run(), ATTNRT_SUCCESS) << runtime.getError();
  expectCalls(1, 2, 0);
}

/// A stream, and device arrays with random contents, in the current context.
class Worker {
public:
  Worker(attnrt_runtime *runtime, unsigned seed) : runtime(runtime) {
    check(attnrt_create_stream(runtime, &stream));
    std::vector<float> input(kCount);
    uint32_t state = seed;
    for (attnrt_device_ptr &array : arrays) {
      for (float &element : input) {
        state = state * 1664525u + 1013904223u;
        element = static_cast<int32_t>(state) * 0x1p-30f;
      }
      check(attnrt_allocate(runtime, kCount * 4, &array));
      check(attnrt_copy_to_device(runtime, array, input.data(), kCount * 4));
    }
  }
  ~Worker() {
    for (attnrt_device_ptr array : arrays)
      check(attnrt_free(runtime, array));
    check(attnrt_destroy_stream(runtime, stream));
  }
  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;

  std::vector<float> run(const Entry &entry) {
    std::vector<float> result(kCount, 0);
    check(attnrt_copy_to_device(runtime, arrays[3], result.data(), kCount * 4));
    check(entry.run(runtime, stream, arrays));
    check(attnrt_synchronize(runtime, stream));
    check(
        attnrt_copy_from_device(runtime, result.data(), arrays[3], kCount * 4));
    return result;
  }

private:
  void check(attnrt_status status) {
    EXPECT_EQ(status, ATTNRT_SUCCESS) << attnrt_last_error(runtime);
  }

  attnrt_runtime *runtime;
  attnrt_stream stream = nullptr;
  std::array<attnrt_device_ptr, 4> arrays = {};
};

/// A fixture with a function that is compiled for the first GPU. Tests are
/// skipped if there is none.
class EntryOnGPUTest : public ::testing::Test {
protected:
  void SetUp() override {
    attnrt_device_info info = {};
    if (attnrt_open_device(runtime, 0, nullptr) != ATTNRT_SUCCESS ||
        attnrt_get_device_info(runtime, 0, &info) != ATTNRT_SUCCESS)
      GTEST_SKIP() << "no GPU: " << runtime.getError();
    auto chip = findChipFor(info.compute_major, info.compute_minor);
    ASSERT_TRUE(static_cast<bool>(chip)) << llvm::toString(chip.takeError());
    entry.emplace(chip->name);
  }
  void TearDown() override {
    attnrt_forget_programs(runtime);
    if (entry)
      attnrt_close_device(runtime, 0);
  }

  /// Runs the function from two threads, each of which calls `enter` first. The
  /// results must have the same bits as those of a single thread.
  void runTwoThreads(llvm::function_ref<void(unsigned thread)> enter) {
    std::vector<float> expected[2];
    for (unsigned i = 0; i < 2; ++i)
      expected[i] = Worker(runtime, i + 1).run(*entry);
    EXPECT_NE(expected[0], std::vector<float>(kCount, 0));
    EXPECT_NE(expected[0], expected[1]);
    // The runtime forgets programs, so that the threads must load them again.
    attnrt_forget_programs(runtime);
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 2; ++i)
      threads.emplace_back([&, i] {
        enter(i);
        Worker worker(runtime, i + 1);
        for (unsigned round = 0; round < 50; ++round)
          EXPECT_EQ(worker.run(*entry), expected[i]) << "round " << round;
      });
    for (std::thread &thread : threads)
      thread.join();
  }

  Runtime runtime{nullptr};
  std::optional<Entry> entry;
};

TEST_F(EntryOnGPUTest, twoThreadsInOneContext) {
  runTwoThreads([&](unsigned) {
    EXPECT_EQ(attnrt_open_device(runtime, 0, nullptr), ATTNRT_SUCCESS);
  });
  for (unsigned i = 0; i < 2; ++i)
    attnrt_close_device(runtime, 0);
}

TEST_F(EntryOnGPUTest, twoThreadsInTwoContexts) {
  // The runtime cannot create contexts, so the test calls the driver.
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  ASSERT_NE(library, nullptr) << dlerror();
  auto create = reinterpret_cast<int (*)(attnrt_context *, unsigned, int)>(
      dlsym(library, "cuCtxCreate_v2"));
  auto destroy = reinterpret_cast<int (*)(attnrt_context)>(
      dlsym(library, "cuCtxDestroy_v2"));
  ASSERT_TRUE(create && destroy) << dlerror();
  attnrt_context contexts[2] = {};
  runTwoThreads([&](unsigned i) { EXPECT_EQ(create(&contexts[i], 0, 0), 0); });
  attnrt_forget_programs(runtime);
  EXPECT_NE(contexts[0], contexts[1]);
  for (attnrt_context context : contexts)
    EXPECT_EQ(destroy(context), 0);
  dlclose(library);
}

} // namespace
