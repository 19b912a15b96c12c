//===- LaunchChecks.cpp - Checks of functions for a GPU -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchChecks.h"

#include "attn/Dialect/AttnNV/IR/AttnNV.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::attn;

/// Whether a block is in a loop, and may therefore run more than once.
static bool isInLoop(Block *block) {
  return llvm::any_of(block->getSuccessors(), [&](Block *successor) {
    return successor->isReachable(block);
  });
}

/// Fails with an error if an allocation is in a loop, or if the layout of the
/// allocated array has gaps.
static LogicalResult checkAlloc(memref::AllocOp op) {
  if (isInLoop(op->getBlock()))
    return op.emitError("expected memory of a function for a GPU to be "
                        "allocated outside of loops; let loops write to "
                        "memrefs, or unroll them");
  if (!op.getType().getLayout().isIdentity() || !op.getSymbolOperands().empty())
    return op.emitError("expected memory of a function for a GPU to have no "
                        "gaps, found ")
           << op.getType();
  return success();
}

/// Whether the op frees memory that an op of the same function has allocated.
static bool isOwnDealloc(Operation *op) {
  auto dealloc = dyn_cast<memref::DeallocOp>(op);
  return dealloc && dealloc.getMemref().getDefiningOp<memref::AllocOp>();
}

LogicalResult mlir::attn::checkForGpu(func::FuncOp func) {
  if (func.getNumResults() != 0)
    return func.emitError("expected function '")
           << func.getName() << "' to return tensors or nothing, found results "
           << func.getResultTypes();
  WalkResult result = func.walk([&](Operation *op) {
    if (isa<func::FuncOp, func::ReturnOp, gpu::LaunchFuncOp, cf::AssertOp,
            cf::BranchOp, cf::CondBranchOp, cf::SwitchOp,
            attn_nv::WorkCountersOp>(op) ||
        isMemoryEffectFree(op))
      return WalkResult::advance();
    if (auto alloc = dyn_cast<memref::AllocOp>(op))
      return WalkResult(checkAlloc(alloc));
    if (isOwnDealloc(op))
      return WalkResult::advance();
    InFlightDiagnostic diag = op->emitError(
        "expected attention ops alone in a function for a GPU; '");
    diag << op->getName() << "' would run on the host, which cannot reach the "
         << "device's arrays";
    if (isa<memref::CopyOp>(op))
      diag.attachNote(op->getLoc())
          << "a tensor is copied where it is returned as it came, is read "
             "after it is overwritten, or has an innermost stride other than 1";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

StringRef mlir::attn::findReasonNotInlined(func::FuncOp func, ModuleOp module) {
  if (func->hasAttr("no_inline"))
    return "it is no_inline";
  llvm::SetVector<Operation *> callees;
  auto addCallees = [&](Operation *caller) {
    caller->walk([&](CallOpInterface call) {
      if (Operation *callee = call.resolveCallable())
        callees.insert(callee);
    });
  };
  addCallees(func);
  for (unsigned i = 0; i < callees.size(); ++i)
    addCallees(callees[i]);
  if (callees.contains(func))
    return "it calls itself";
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(func, module);
  if (uses && llvm::any_of(*uses, [](const SymbolTable::SymbolUse &use) {
        return !isa<CallOpInterface>(use.getUser());
      }))
    return "it is a value";
  if (!func.getBody().hasOneBlock())
    return "it has several blocks, and what calls it is in an op of one";
  return "no call of it can be replaced by its body";
}
