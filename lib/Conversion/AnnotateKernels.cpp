//===- AnnotateKernels.cpp - Annotations of kernels for ptxas -------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assembly.h"
#include "KernelMetadata.h"

#include "attn/Conversion/Passes.h"
#include "attn/Dialect/AttnNV/IR/AttnNV.h"
#include "attn/Target/AssemblyKinds.h"

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

/// The alignment in bytes that tiles of #attn_gpu.swizzled need in shared
/// memory.
static constexpr int64_t kSharedAlignment = 1024;
static constexpr int64_t kTensorMapBytes = 128;
static constexpr int64_t kTensorMapAlignment = 64;

/// Returns the tensor map operand of a TMA operation, or null for other
/// operations.
static Value getTensorMap(Operation *op) {
  return TypeSwitch<Operation *, Value>(op)
      .Case<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp,
            NVVM::CpAsyncBulkTensorPrefetchOp, NVVM::CpAsyncBulkTensorReduceOp,
            NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp>(
          [](auto copy) { return copy.getTmaDescriptor(); })
      .Default(nullptr);
}

/// Marks the kernel's tensor maps as parameters by value, which lie in constant
/// memory. They are the maps that TMA operations read. If a select or branch
/// chooses among several maps, all of them are marked. Fails with an error at
/// an op that computes a map in another way, since TMA cannot read a map that
/// is not such a parameter.
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

/// Replaces the ops that state registers by attributes of the kernel. Two limit
/// registers for ptxas: the number of registers of a thread (maxnreg), and the
/// number of CTAs that must fit an SM (minctasm). One tells passes on LLVM IR
/// the number of registers of consumers.
static void annotateRegisters(LLVM::LLVMFuncOp func) {
  Builder b(func.getContext());
  func.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](attn_nv::LaunchRegistersOp says) {
          func->setAttr(NVVM::NVVMDialect::getMaxnregAttrName(),
                        b.getI32IntegerAttr(says.getCount()));
          op->erase();
        })
        .Case([&](attn_nv::ConsumerRegistersOp says) {
          addPassthrough(func,
                         b.getStrArrayAttr({kConsumerRegisters,
                                            std::to_string(says.getCount())}));
          op->erase();
        })
        .Case([&](attn_nv::LeastCTAsOp says) {
          func->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                        b.getI32IntegerAttr(says.getCount()));
          op->erase();
        });
  });
}

/// Lowers each wait for earlier launches to two statements of inline assembly:
/// the wait, and then the instruction that lets the next launch begin. Both
/// clobber memory. LLVM's own intrinsics are not used, since LLVM takes them to
/// access no memory and might move loads before them. A kernel that waits is
/// marked by setAfterPrevious().
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
    for (auto func : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      if (func.isExternal())
        continue;
      if (failed(annotateTensorMaps(func)))
        return signalPassFailure();
      annotateRegisters(func);
      lowerWaits(func);
    }
    for (auto global : getOperation().getOps<LLVM::GlobalOp>())
      if (global.getAddrSpace() ==
          static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared)) {
        // Dynamic shared memory is an external symbol whose size the launch
        // sets.
        global.setLinkage(LLVM::Linkage::External);
        global.setAlignment(kSharedAlignment);
      }
  }
};
} // namespace
