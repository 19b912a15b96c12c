//===- RunnerTest.cpp - Runs on a GPU -------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StandIn.h"

#include "attn/Driver/Runner.h"
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

static constexpr int outOfMemory = 2;

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
  // The contents are those of the execution each time.
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
