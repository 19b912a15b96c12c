//===- AttnReuseBuffers.cpp - One buffer for each tensor of a loop --------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "attn/Dialect/AttnTile/IR/AttnTile.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNREUSEBUFFERSPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

/// Replaces a yielded tensor by a linalg.copy of it into `destination`. If the
/// old contents of `destination` are read later, bufferisation saves them.
static void yieldIn(OpOperand &yielded, Value destination) {
  OpBuilder b(yielded.getOwner());
  yielded.set(linalg::CopyOp::create(b, yielded.getOwner()->getLoc(),
                                     yielded.get(), destination)
                  .getResult(0));
}

/// Makes a loop start with a copy of its initial tensor in a new allocation,
/// since that tensor may be the caller's and must not be written. Does nothing
/// if the initial tensor is a tensor.empty.
static void copyInit(OpOperand &init) {
  if (init.get().getDefiningOp<tensor::EmptyOp>())
    return;
  OpBuilder b(init.getOwner());
  init.set(bufferization::AllocTensorOp::create(
      b, init.getOwner()->getLoc(),
      cast<RankedTensorType>(init.get().getType()),
      /*dynamicSizes=*/ValueRange(), /*copy=*/init.get()));
}

/// Whether `tensor` is `carried`, or the result of a chain of destination-style
/// ops and loops that begins with `carried` as the destination. Bufferisation
/// then uses the buffer of `carried` for `tensor` in any case.
static bool isUpdateOf(Value tensor, Value carried) {
  while (tensor != carried) {
    auto result = dyn_cast<OpResult>(tensor);
    if (!result)
      return false;
    if (auto op = dyn_cast<DestinationStyleOpInterface>(result.getOwner()))
      tensor = op.getTiedOpOperand(result)->get();
    else if (auto loop = dyn_cast<LoopLikeOpInterface>(result.getOwner());
             loop && loop.getTiedLoopInit(result))
      tensor = loop.getTiedLoopInit(result)->get();
    else
      return false;
  }
  return true;
}

static void reuse(scf::ForOp loop) {
  for (auto [carried, yielded, init] : llvm::zip(
           loop.getRegionIterArgs(), loop.getYieldedValuesMutable().value(),
           loop.getInitsMutable()))
    if (isa<RankedTensorType>(carried.getType()) &&
        !isUpdateOf(yielded.get(), carried)) {
      yieldIn(yielded, carried);
      copyInit(init);
    }
}

/// Makes a while loop reuse the buffers of the tensors that it carries. This
/// concerns each tensor that the condition region passes unchanged to the body.
/// The body yields a copy of the new tensor into the buffer of its own
/// argument, unless the new tensor is an update of that argument in any case.
/// The loop then starts with a copy of its initial tensor.
static void reuse(scf::WhileOp loop) {
  for (auto [i, passed] : llvm::enumerate(loop.getConditionOp().getArgs())) {
    auto carried = dyn_cast<BlockArgument>(passed);
    if (!isa<RankedTensorType>(passed.getType()) || !carried ||
        carried.getOwner() != loop.getBeforeBody())
      continue;
    unsigned number = carried.getArgNumber();
    OpOperand &yielded = loop.getYieldOp()->getOpOperand(number);
    Value own = loop.getAfterArguments()[i];
    if (isUpdateOf(yielded.get(), own))
      continue;
    yieldIn(yielded, own);
    copyInit(loop.getInitsMutable()[number]);
  }
}

static void reuse(scf::IfOp branch) {
  for (OpResult result : branch->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type || !type.hasStaticShape())
      continue;
    OpBuilder b(branch);
    Value empty = tensor::EmptyOp::create(b, branch.getLoc(), type.getShape(),
                                          type.getElementType());
    for (scf::YieldOp yield : {branch.thenYield(), branch.elseYield()})
      yieldIn(yield->getOpOperand(result.getResultNumber()), empty);
  }
}

namespace {
struct AttnReuseBuffersPass
    : public attn::impl::AttnReuseBuffersPassBase<AttnReuseBuffersPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<attn_tile::GridOp>(op))
        return WalkResult::skip();
      if (isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op))
        ops.push_back(op);
      return WalkResult::advance();
    });
    for (Operation *op : ops) {
      if (auto loop = dyn_cast<scf::ForOp>(op))
        reuse(loop);
      else if (auto loop = dyn_cast<scf::WhileOp>(op))
        reuse(loop);
      else
        reuse(cast<scf::IfOp>(op));
    }
  }
};
} // namespace
