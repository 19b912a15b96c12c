//===- AnnotateKernels.cpp - What ptxas must know of a kernel -------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assembly.h"
#include "KernelMetadata.h"

#include "attn/Conversion/Passes.h"
#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"
#include "attn/Dialect/AttnNV/IR/AttnNV.h"
#include "attn/Target/AssemblyKinds.h"
#include "attn/Target/PTX.h"

#include "mlir/Analysis/SliceWalk.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNANNOTATEKERNELSPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

/// What tiles of #attn_gpu.swizzled begin at multiples of.
static constexpr int64_t kSharedAlignment = 1024;
static constexpr int64_t kTensorMapBytes = 128;
static constexpr int64_t kTensorMapAlignment = 64;

/// What TMA reads a map from, null for other operations.
static Value getTensorMap(Operation *op) {
  return TypeSwitch<Operation *, Value>(op)
      .Case<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp,
            NVVM::CpAsyncBulkTensorPrefetchOp, NVVM::CpAsyncBulkTensorReduceOp,
            NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp>(
          [](auto copy) { return copy.getTmaDescriptor(); })
      .Default(nullptr);
}

/// Tensor maps are parameters by value, in constant memory; of several the one
/// that is chosen, too. Fails with an error at what else makes a map: it would
/// be passed as a pointer, an illegal instruction of TMA's.
static LogicalResult annotateTensorMaps(LLVM::LLVMFuncOp func) {
  SmallVector<Value> maps;
  func.walk([&](Operation *op) {
    if (Value map = getTensorMap(op))
      maps.push_back(map);
  });
  Builder b(func.getContext());
  auto bytes = LLVM::LLVMArrayType::get(b.getI8Type(), kTensorMapBytes);
  auto visit = [&](Value map) -> WalkContinuation {
    auto argument = dyn_cast<BlockArgument>(map);
    if (argument && argument.getOwner() == &func.front()) {
      unsigned i = argument.getArgNumber();
      func.setArgAttr(i, LLVM::LLVMDialect::getByValAttrName(),
                      TypeAttr::get(bytes));
      func.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                      b.getI64IntegerAttr(kTensorMapAlignment));
      func.setArgAttr(i, NVVM::NVVMDialect::getGridConstantAttrName(),
                      b.getUnitAttr());
      return WalkContinuation::skip();
    }
    if (std::optional<SmallVector<Value>> sources =
            getControlFlowPredecessors(map))
      return WalkContinuation::advanceTo(*sources);
    Operation *op = argument ? func : map.getDefiningOp();
    op->emitOpError("expected a tensor map that is an argument of the kernel, "
                    "or one of several, found its result");
    return WalkContinuation::interrupt();
  };
  return failure(walkSlice(maps, visit).wasInterrupted());
}

/// Of a CTA, or 0 if the kernel does not say so.
static int64_t getNumThreads(LLVM::LLVMFuncOp func) {
  auto threads = func->getAttrOfType<DenseI32ArrayAttr>(
      NVVM::NVVMDialect::getMaxntidAttrName());
  return threads ? llvm::product_of(threads.asArrayRef()) : 0;
}

/// Registers of a thread at the launch of a CTA in which each warpgroup has a
/// role of its own, if they are fewer than one CTA an SM could have.
static std::optional<int64_t> findRegistersAtLaunch(LLVM::LLVMFuncOp func) {
  SmallVector<int64_t> registers;
  func.walk([&](NVVM::SetMaxRegisterOp op) {
    registers.push_back(op.getRegCount());
  });
  int64_t warpgroups = registers.size();
  if (registers.empty() ||
      getNumThreads(func) != warpgroups * attn_gpu::kWarpgroup)
    return std::nullopt;
  int64_t count = attn_gpu::getRegistersAtLaunch(
      SmallVector<int64_t>(warpgroups, 1), registers);
  if (count == attn_gpu::getRegistersAtLaunch(warpgroups))
    return std::nullopt;
  return count;
}

/// What the kernel says itself, or else whether one CTA has an SM: one with
/// roles, and one of MMAs of which two would leave each thread half of the
/// registers that it can have, or less. 0 otherwise.
static int64_t takeLeastCTAs(LLVM::LLVMFuncOp func) {
  int64_t count = 0;
  func.walk([&](attn_nv::LeastCTAsOp op) {
    count = op.getCount();
    op.erase();
  });
  if (count > 0)
    return count;
  constexpr int64_t kManyThreads = 256;
  bool hasManyThreads = getNumThreads(func) >= kManyThreads;
  bool needsWholeSM =
      func.walk([&](Operation *op) {
            auto call = dyn_cast<LLVM::CallIntrinsicOp>(op);
            // Of 8 bits, for which NVVM has no op.
            bool isMma =
                isa<NVVM::MmaOp>(op) ||
                (call && call.getIntrin().starts_with("llvm.nvvm.mma."));
            return isa<NVVM::SetMaxRegisterOp, NVVM::MBarrierInitOp>(op) ||
                           (hasManyThreads && isMma)
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          })
          .wasInterrupted();
  return needsWholeSM ? 1 : 0;
}

/// ptxas ignores setmaxnreg unless it knows how many CTAs share an SM, or how
/// many registers threads begin with; of the threads it is told by the launch.
/// A CTA with roles has an SM for itself, but for CTAs of the next kernel.
/// Others it makes smaller than they are, by spilling, for one CTA more.
static void annotateRegisters(LLVM::LLVMFuncOp func, const Chip &chip) {
  Builder b(func.getContext());
  int64_t ctas = takeLeastCTAs(func);
  if (std::optional<int64_t> registers = findRegistersAtLaunch(func)) {
    func->setAttr(NVVM::NVVMDialect::getMaxnregAttrName(),
                  b.getI32IntegerAttr(*registers));
    return;
  }
  if (ctas == 0 && chip.getNumber() >= 100)
    ctas = 2;
  if (ctas > 0)
    func->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                  b.getI32IntegerAttr(ctas));
}

/// Waits for earlier launches are assembly that accesses memory: of LLVM's
/// intrinsics it believes that they do not, and it may move loads to before
/// them.
static void lowerWaits(LLVM::LLVMFuncOp func) {
  bool waits = false;
  func.walk([&](attn_nv::WaitForLaunchesOp op) {
    NumberBuilder b(op.getLoc(), op);
    createAssembly(b, Type(), ValueRange(), "griddepcontrol.wait;", "~{memory}",
                   /*hasEffects=*/true, kLaunchWait);
    createAssembly(b, Type(), ValueRange(), "griddepcontrol.launch_dependents;",
                   "~{memory}",
                   /*hasEffects=*/true, kLaunchNext);
    op.erase();
    waits = true;
  });
  if (waits)
    setAfterPrevious(func);
}

namespace {
struct AttnAnnotateKernelsPass
    : public attn::impl::AttnAnnotateKernelsPassBase<AttnAnnotateKernelsPass> {
  void runOnOperation() override {
    FailureOr<Chip> chip = getChip(getOperation());
    if (failed(chip))
      return signalPassFailure();
    for (auto func : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      if (func.isExternal())
        continue;
      if (failed(annotateTensorMaps(func)))
        return signalPassFailure();
      annotateRegisters(func, *chip);
      lowerWaits(func);
    }
    for (auto global : getOperation().getOps<LLVM::GlobalOp>())
      if (global.getAddrSpace() ==
          static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared)) {
        // Of a size that the launch gives.
        global.setLinkage(LLVM::Linkage::External);
        global.setAlignment(kSharedAlignment);
      }
  }
};
} // namespace
