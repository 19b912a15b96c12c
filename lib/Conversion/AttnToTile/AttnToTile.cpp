//===- AttnToTile.cpp - Attention ops as tile programs --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"
#include "QuantizeProgram.h"

#include "attn/Conversion/Passes.h"
#include "attn/Dialect/Attn/Transforms/DimIndices.h"
#include "attn/Support/Views.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::attn {
#define GEN_PASS_DEF_CONVERTATTNTOTILEPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

namespace {
struct ConvertAttnToTilePass
    : public attn::impl::ConvertAttnToTilePassBase<ConvertAttnToTilePass> {
  void runOnOperation() override {
    if (failed(verifyDimIndices(getOperation())))
      return signalPassFailure();
    SmallVector<Operation *> ops;
    WalkResult result = getOperation()->walk([&](Operation *op) {
      if (!isa<AttentionInterface, RowwiseInterface>(op))
        return WalkResult::advance();
      ops.push_back(op);
      return WalkResult(
          success(succeeded(check(op)) && succeeded(checkFunction(op))));
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    for (Operation *op : ops) {
      Operation *before = op->getPrevNode();
      if (failed(emit(op)))
        return signalPassFailure();
      nameTiles(op, before);
      op->erase();
    }
  }

private:
  /// Adds names of the op's arrays to the locations of loads and stores, for
  /// `attnc inspect`, which prints them. In each program emitted between
  /// `before` and the op, a load or store gets the name of the array that it
  /// accesses, either directly or through views.
  static void nameTiles(Operation *op, Operation *before) {
    auto attention = dyn_cast<AttentionInterface>(op);
    if (!attention)
      return;
    llvm::SmallDenseMap<Value, StringRef> names;
    for (const NamedArray &array : attention.getArrays())
      names.try_emplace(array.value, array.name);
    auto name = [&](Operation *access, Value view) {
      if (auto found = names.find(getViewedArray(view)); found != names.end())
        access->setLoc(
            NameLoc::get(StringAttr::get(op->getContext(), found->second),
                         access->getLoc()));
    };
    for (Operation *program = op->getPrevNode(); program != before;
         program = program->getPrevNode())
      program->walk([&](Operation *access) {
        if (auto load = dyn_cast<attn_tile::LoadOp>(access))
          name(load, load.getSources().front());
        else if (auto store = dyn_cast<attn_tile::StoreOp>(access))
          name(store, store.getDestination());
      });
  }

  static LogicalResult check(Operation *op) {
    if (op->getNumResults() != 0)
      return op->emitOpError("expected memref operands, found tensors; "
                             "bufferise first");
    auto attention = dyn_cast<AttentionInterface>(op);
    auto schedule = attention ? attention.getScheduleAttr()
                              : cast<RowwiseInterface>(op).getScheduleAttr();
    if (!schedule)
      return op->emitOpError("expected a schedule, found none; run "
                             "attn-assign-tiles or attn-gpu-assign-schedule "
                             "first");
    // An op that still has a fallback schedule is an error here.
    // attn-gpu-multiversion replaces such an op by code that checks at each
    // launch whether the arrays fit the first schedule. Without that check, the
    // first schedule would also be used for arrays that it does not fit.
    if (attention && attention.getFallbackAttr())
      return op->emitOpError("expected one schedule, found the fallback ")
             << attention.getFallbackAttr()
             << "; run attn-gpu-multiversion first";
    auto backward = dyn_cast<AttentionBackwardOp>(op);
    if (backward && !backward.getCaptureWrt().empty() &&
        !backward.getPacked().empty())
      return op->emitOpError("expected no gradients of captures where "
                             "sequences are packed, found some");
    if (attention && schedule.getSplitKv())
      if (std::string misfit = findUnsplittable(attention); !misfit.empty())
        return op->emitOpError("expected a schedule that fits, found ")
               << schedule << ": " << misfit;
    return success();
  }

  /// Checks that the op is in a function in which the passes of all targets
  /// find programs: a func.func of the module on which this pass runs. An op
  /// within a gpu.launch is not.
  LogicalResult checkFunction(Operation *op) {
    Operation *function = op;
    while (function != getOperation() &&
           !isa<FunctionOpInterface, gpu::LaunchOp>(function))
      function = function->getParentOp();
    bool isNested =
        function != getOperation() && function->getParentOp() != getOperation();
    if (isa<func::FuncOp>(function) && !isNested)
      return success();
    return op->emitOpError("expected to be in a func.func of the module that "
                           "is compiled, found to be in '")
           << function->getName()
           << (isa<func::FuncOp>(function) ? "' of a module within it" : "'");
  }

  LogicalResult emit(Operation *op) {
    OpBuilder builder(op);
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case([&](AttentionOp forward) {
          numMasked += emitForward(forward, builder);
          return success();
        })
        .Case([&](AttentionBackwardOp backward) {
          return emitBackward(backward, builder);
        })
        .Case([&](MergeOp merge) {
          emitMerge(merge, builder);
          return success();
        })
        .Case([&](AppendOp append) {
          emitAppend(append, builder);
          return success();
        })
        .Case([&](SummarizeOp summarize) {
          emitSummarize(summarize, builder);
          return success();
        })
        .Case([&](QuantizeOp quantize) {
          emitQuantize(quantize, builder);
          return success();
        });
  }
};

} // namespace
