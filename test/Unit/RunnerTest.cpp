//===- RunnerTest.cpp - Runs on a GPU -------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeDriver.h"

#include "attn/Driver/BenchShapes.h"
#include "attn/Driver/Timing.h"
#include "attn/Pipelines/Pipelines.h"

#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlir::attn;

static constexpr char text[] = R"(
!t = memref<1x1x?x8xf32>
func.func @main(%q: !t, %k: !t, %o: !t) {
  attn.attention ins(%q, %k, %k : !t, !t, !t) outs(%o : !t)
  return
}
)";

class CudaRunnerTest : public ::testing::Test {
protected:
  CudaRunnerTest() {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    module = parseSourceString<ModuleOp>(text, &context);
    CudaRunnerOptions options;
    options.driver = fakeDriverPath();
    runner = llvm::cantFail(createCudaRunner(options));
  }

  Execution prepare(int64_t numRows) {
    ExecutionOptions options;
    options.arguments = {RandomArgument{1, 1.0}, RandomArgument{2, 1.0}};
    options.shapes[0] = options.shapes[1] = {1, 1, numRows, 8};
    FailureOr<EntryPoint> entry = analyzeEntryPoint(*module, "main");
    EXPECT_TRUE(succeeded(entry));
    return llvm::cantFail(Execution::prepare(*entry, options));
  }

  OwningOpRef<ModuleOp> lower() {
    OwningOpRef<ModuleOp> lowered = module->clone();
    PassManager pm(&context);
    runner->buildPipeline(pm);
    EXPECT_TRUE(succeeded(pm.run(*lowered)));
    return lowered;
  }

  FakeDriver driver{fakeDriverPath()};
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<Runner> runner;
};

TEST_F(CudaRunnerTest, ReusesArraysOfTheSameSizes) {
  Execution execution = prepare(4), alike = prepare(4), other = prepare(1000);
  llvm::cantFail(runner->begin(execution));
  EXPECT_EQ(driver.calls("cuMemAlloc"), 3u);
  llvm::cantFail(runner->begin(execution));
  llvm::cantFail(runner->begin(alike));
  EXPECT_EQ(driver.calls("cuMemAlloc"), 3u);
  EXPECT_EQ(driver.calls("cuMemFree"), 0u);
  // Each of the three calls of begin() copies the contents of the execution's
  // three arrays.
  EXPECT_EQ(driver.calls("cuMemcpyHtoD"), 9u);

  llvm::cantFail(runner->begin(other));
  EXPECT_EQ(driver.calls("cuMemAlloc"), 6u);
  EXPECT_EQ(driver.calls("cuMemFree"), 3u);
  runner.reset();
  EXPECT_EQ(driver.calls("cuMemFree"), 6u);
}

TEST_F(CudaRunnerTest, BeginsAgainAfterAFailedAllocation) {
  Execution execution = prepare(4);
  driver.setError("cuMemAlloc", outOfMemory);
  llvm::Error error = runner->begin(execution);
  ASSERT_TRUE(static_cast<bool>(error));
  std::string message = llvm::toString(std::move(error));
  EXPECT_NE(message.find(" bytes; argument 0: allocating "), std::string::npos)
      << message;
  driver.setError("cuMemAlloc", 0);
  llvm::cantFail(runner->begin(execution));
  EXPECT_EQ(driver.calls("cuMemAlloc"), 4u);
}

// Between two events, the clock of the fake driver advances by 1.5 ms.
TEST_F(CudaRunnerTest, TimesWhatIsBetweenTwoEvents) {
  Execution execution = prepare(4);
  llvm::cantFail(runner->load(*lower(), "main"));
  llvm::cantFail(runner->begin(execution));
  EXPECT_NEAR(llvm::cantFail(runner->run()), 1.5e-3, 1e-6);
  unsigned launches = driver.calls("cuLaunchKernelEx");
  unsigned waits = driver.calls("cuEventSynchronize");
  EXPECT_NEAR(llvm::cantFail(runner->runBackToBack(5)), 1.5e-3, 1e-6);
  EXPECT_EQ(driver.calls("cuLaunchKernelEx"), launches + 5);
  EXPECT_EQ(driver.calls("cuEventSynchronize"), waits + 1);
}

TEST_F(CudaRunnerTest, SustainedTimesAreOfTheSecondHalf) {
  Execution execution = prepare(4);
  llvm::cantFail(runner->load(*lower(), "main"));
  llvm::cantFail(runner->begin(execution));
  // timeSustained() makes windows of 1, 13, 173 and 2311 runs. The first window
  // is the first half of the time, which is not counted.
  SmallVector<double> times = llvm::cantFail(timeSustained(*runner, 5e-3));
  ASSERT_EQ(times.size(), 3u);
  EXPECT_NEAR(times[0], 1.5e-3 / 13, 1e-7);
  EXPECT_LT(times[2], times[1]);
}

TEST_F(CudaRunnerTest, CopiesAreReadAndWritten) {
  // A copy moves an eighth of the fake GPU's memory of 1 GiB, in 1.5 ms.
  SmallVector<double> rates = llvm::cantFail(runner->measureCopies(2));
  ASSERT_EQ(rates.size(), 2u);
  EXPECT_NEAR(rates[1], 2.0 * (1 << 27) / 1.5e-3, 1e6);
  EXPECT_EQ(driver.calls("cuMemAlloc"), 2u);
  EXPECT_EQ(driver.calls("cuMemFree"), 2u);

  driver.setError("cuMemcpyDtoDAsync", 700);
  llvm::Error error = runner->measureCopies(1).takeError();
  EXPECT_NE(llvm::toString(std::move(error)).find("on the device"),
            std::string::npos);
  EXPECT_EQ(driver.calls("cuMemFree"), 4u);
}

TEST(TimingTest, Quartiles) {
  Timing timing = summarize({5, 1, 4, 2, 3});
  EXPECT_EQ(timing.median, 3);
  EXPECT_NEAR(timing.spread, 2.0 / 3, 1e-9);
  EXPECT_EQ(timing.numRuns, 5u);
  EXPECT_EQ(summarize({1, 2}).median, 1.5);
  EXPECT_EQ(summarize({7}).spread, 0);
}

TEST(BenchShapesTest, Selection) {
  auto select = [](ArrayRef<std::string> names, std::optional<DType> dtype,
                   BenchMasks masks) {
    std::vector<std::string> texts;
    for (const BenchShape &shape :
         llvm::cantFail(selectBenchShapes(names, dtype, masks)))
      texts.push_back(shape.describe());
    return texts;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(select({"gpt2"}, std::nullopt, BenchMasks::AsListed),
            Texts{"gpt2 f16 4,12,1024,64 causal"});
  EXPECT_EQ(
      select({"gpt2", "gpt2"}, DType::F32, BenchMasks::Both),
      (Texts{"gpt2 f32 4,12,1024,64 full", "gpt2 f32 4,12,1024,64 causal"}));
  EXPECT_EQ(select({"1,8:2,3:4,5"}, std::nullopt, BenchMasks::AsListed),
            Texts{"given bf16 1,8:2,3:4,5 full"});
  EXPECT_EQ(select({"1,8,3,5:4"}, std::nullopt, BenchMasks::AsListed),
            Texts{"given bf16 1,8,3,5:4 full"});
  EXPECT_EQ(select({"heldout"}, std::nullopt, BenchMasks::AsListed).size(),
            11u);
  EXPECT_EQ(select({"1,8,3,5"}, std::nullopt, BenchMasks::Causal),
            Texts{"given bf16 1,8,3,5 causal"});
  EXPECT_EQ(select({"grid"}, std::nullopt, BenchMasks::AsListed).size(), 36u);
  EXPECT_EQ(select({"grid"}, std::nullopt, BenchMasks::Full).size(), 18u);
  EXPECT_EQ(select({"all"}, std::nullopt, BenchMasks::AsListed).size(), 58u);
}
