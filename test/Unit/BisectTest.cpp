//===- BisectTest.cpp - Faults planted at three levels --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlantFault.h"

#include "attn/Driver/Bisect.h"
#include "attn/Driver/Generate.h"
#include "attn/Pipelines/Pipelines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::attn;

namespace {

/// A fault at L0: drops the masks of attention ops.
struct DropMaskPass : PassWrapper<DropMaskPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DropMaskPass)
  StringRef getArgument() const override { return "test-drop-mask"; }
  void runOnOperation() override {
    getOperation()->walk([](AttentionOp op) { op.removeMaskAttr(); });
  }
};

/// A fault at L1, or between passes of the GPU level: replaces selects on tiles
/// by their first value, so that scores are not masked.
struct DropSelectPass : PassWrapper<DropSelectPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DropSelectPass)
  StringRef getArgument() const override { return "test-drop-select"; }
  void runOnOperation() override {
    SmallVector<arith::SelectOp> selects;
    getOperation()->walk([&](arith::SelectOp op) {
      if (isa<RankedTensorType>(op.getType()))
        selects.push_back(op);
    });
    ASSERT_FALSE(selects.empty());
    for (arith::SelectOp op : selects) {
      op.replaceAllUsesWith(op.getTrueValue());
      op.erase();
    }
  }
};

constexpr char kToBuffers[] =
    "attn-define-operands,inline,canonicalize,"
    "attn-results-to-out-params,attn-elementwise-to-linalg,"
    "attn-bufferize,func.func(attn-check-arrays),";
constexpr char kToTiles[] = "convert-attn-to-tile,canonicalize,cse,";
constexpr char kForChip[] = "attn-gpu-assign-schedule{chip=sm_90a},"
                            "attn-gpu-multiversion{access=tma},";
constexpr char kToRoles[] =
    "attn-gpu-map-grid,attn_gpu.kernel(attn-gpu-assign-layouts,"
    "attn-gpu-specialize-warps),";
constexpr char kToKernels[] =
    "attn_gpu.kernel(attn-gpu-expand-blocks,canonicalize,cse,"
    "attn-gpu-pipeline,attn-gpu-pipeline-loads,attn-gpu-expand-softmax,"
    "attn-gpu-place-tiles,attn-gpu-place-releases,"
    "attn-gpu-expand-tiles,attn-gpu-number-slots),";

class BisectTest : public ::testing::Test {
protected:
  BisectTest() : context(MLIRContext::Threading::DISABLED) {
    static bool isRegistered = [] {
      registerPasses();
      registerPlantFaultPass();
      PassRegistration<DropMaskPass>();
      PassRegistration<DropSelectPass>();
      return true;
    }();
    (void)isRegistered;
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    generate.dtype = DType::BF16;
    generate.queryLength = 150;
    generate.kvLength = 300;
    generate.causal = true;
    generate.lse = true;
    options.execution.arguments = {
        RandomArgument{1, 1.0}, RandomArgument{2, 1.0}, RandomArgument{3, 1.0}};
  }

  BisectResult bisectPipeline(const std::string &passes) {
    auto module = parseSourceString<ModuleOp>(
        llvm::cantFail(generateModule(generate)), &context);
    std::string text = "builtin.module(" + passes + ")";
    text.erase(text.rfind(",)"), 1);
    BisectPipeline pipeline{"own", [&](OpPassManager &pm) {
                              FailureOr<OpPassManager> parsed =
                                  parsePassPipeline(text);
                              if (succeeded(parsed))
                                pm = *parsed;
                              return success(succeeded(parsed));
                            }};
    return llvm::cantFail(bisect(*module, {pipeline}, options, show));
  }

  void expectGuilty(const BisectResult &result, const char *pass) {
    EXPECT_EQ(result.guilty, std::vector<std::string>{pass});
    EXPECT_FALSE(result.before.empty());
    EXPECT_FALSE(result.after.empty());
    EXPECT_NE(result.before, result.after);
  }

  static void show(const BisectStage &stage) {
    std::printf("%s %s %d %g %s\n", stage.level.c_str(), stage.pass.c_str(),
                static_cast<int>(stage.verdict), stage.error,
                stage.note.c_str());
  }

  MLIRContext context;
  GenerateOptions generate;
  BisectOptions options;
};

TEST_F(BisectTest, NamesThePassAtL0) {
  expectGuilty(bisectPipeline(std::string(kToBuffers) + "test-drop-mask," +
                              "attn-assign-tiles," + kToTiles),
               "test-drop-mask");
}

TEST_F(BisectTest, NamesThePassAtL1) {
  expectGuilty(bisectPipeline(std::string(kToBuffers) + "attn-assign-tiles," +
                              kToTiles + "test-drop-select," +
                              "attn-tile-expand-blocks,"),
               "test-drop-select");
}

TEST_F(BisectTest, NamesThePassBetweenThoseOfL2) {
  expectGuilty(bisectPipeline(std::string(kToBuffers) + kForChip + kToTiles +
                              kToRoles + "test-drop-select," + kToKernels),
               "test-drop-select");
}

TEST_F(BisectTest, NamesThePassThatBreaksARule) {
  BisectResult result =
      bisectPipeline(std::string(kToBuffers) + kForChip + kToTiles + kToRoles +
                     kToKernels + "attn-test-plant-fault{kind=release-early},");
  expectGuilty(result, "attn-test-plant-fault");
  EXPECT_NE(result.stages.back().note.find("'attn_gpu.release' op"),
            std::string::npos)
      << result.stages.back().note;
}

TEST_F(BisectTest, RunsTheIRAfterEachPass) {
  BisectResult result =
      bisectPipeline(std::string(kToBuffers) + kForChip + kToTiles + kToRoles +
                     kToKernels + "canonicalize,cse,");
  EXPECT_FALSE(result.isGuilty);
  for (const BisectStage &stage : result.stages)
    EXPECT_NE(stage.verdict, BisectStage::Verdict::NotRun)
        << stage.pass << ": " << stage.note;
}

} // namespace
