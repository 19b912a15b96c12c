//===- ProgramPlanner.cpp - Plans kernels by building programs ------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Schedule/ProgramPlanner.h"
#include "attn/Conversion/Passes.h"
#include "attn/Dialect/AttnGPU/Transforms/KernelNeeds.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "attn/Pipelines/Pipelines.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace mlir::attn;

/// Returns a module for `chip` with a single function, which contains only a
/// copy of the op, with the schedule `schedule` and without a fallback. The
/// op's operands are the function's arguments, so that no two of them are known
/// to be the same array.
static OwningOpRef<ModuleOp> isolate(AttentionInterface op,
                                     attn_gpu::ScheduleAttr schedule,
                                     const Chip &chip) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(op.getLoc());
  MLIRContext *context = op.getContext();
  (*module)->setAttr(attn_gpu::kTargetAttrName,
                     attn_gpu::TargetAttr::get(context, chip.name));
  auto b = OpBuilder::atBlockEnd(module->getBody());
  auto function = func::FuncOp::create(
      b, op.getLoc(), "program",
      b.getFunctionType(op->getOperandTypes(), /*results=*/{}));
  b.setInsertionPointToStart(function.addEntryBlock());
  auto copy = cast<AttentionInterface>(b.clone(*op.getOperation()));
  copy->setOperands(function.getArguments());
  copy.setScheduleAttr(schedule);
  copy.removeFallbackAttr();
  func::ReturnOp::create(b, op.getLoc());
  return module;
}

namespace {
class Planner : public attn_gpu::ProgramPlanner {
public:
  using ProgramPlanner::ProgramPlanner;

  SmallVector<attn_gpu::KernelNeeds> plan(AttentionInterface op,
                                          attn_gpu::ScheduleAttr schedule,
                                          const Chip &chip) const override {
    MLIRContext *context = op.getContext();
    uint64_t thread = llvm::get_threadid();
    std::string error;
    ScopedDiagnosticHandler quiet(context, [&](Diagnostic &diagnostic) {
      if (llvm::get_threadid() != thread)
        return failure();
      if (error.empty() &&
          diagnostic.getSeverity() == DiagnosticSeverity::Error)
        error = diagnostic.str();
      return success();
    });
    OwningOpRef<ModuleOp> module = isolate(op, schedule, chip);
    PassManager toKernels(context);
    toKernels.enableVerifier(false);
    toKernels.addPass(createConvertAttnToTilePass());
    toKernels.addPass(createCanonicalizerPass());
    toKernels.addPass(createCSEPass());
    buildTileToLaunchesPipeline(toKernels);
    SmallVector<attn_gpu::KernelNeeds> plans;
    if (failed(toKernels.run(*module)))
      return plans;
    // The passes run on each kernel by itself. If a kernel needs more than the
    // chip has, a pass fails at it, but the kernel's needs are known
    // nevertheless.
    PassManager ofKernel(context, attn_gpu::KernelOp::getOperationName());
    ofKernel.enableVerifier(false);
    ofKernel.addPass(attn_gpu::createAttnGPUAssignLayoutsPass());
    ofKernel.addPass(attn_gpu::createAttnGPUSpecializeWarpsPass());
    for (auto kernel : module->getOps<attn_gpu::KernelOp>()) {
      int64_t accumulators = attn_gpu::countAccumulators(kernel);
      error.clear();
      (void)ofKernel.run(kernel);
      plans.push_back({kernel.getSchedule(), accumulators,
                       attn_gpu::planSharedBytes(kernel),
                       attn_gpu::findUnfitProduct(kernel), error});
    }
    return plans;
  }
};
} // namespace

void mlir::attn::registerProgramPlanner(DialectRegistry &registry) {
  registry.addExtension(
      +[](MLIRContext *context, attn_gpu::AttnGPUDialect *dialect) {
        dialect->addInterfaces<Planner>();
        // The dialects of the programs that the planner builds are loaded here,
        // since passes that use the planner do not depend on these dialects.
        context->loadDialect<affine::AffineDialect, cf::ControlFlowDialect,
                             func::FuncDialect, gpu::GPUDialect,
                             LLVM::LLVMDialect, math::MathDialect,
                             memref::MemRefDialect, NVVM::NVVMDialect,
                             scf::SCFDialect, tensor::TensorDialect>();
      });
}
