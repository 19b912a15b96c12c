//===- BlockLoops.cpp - Loops over the blocks of a domain -----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileBuilder.h"

#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::attn;

/// Finds the ops within a loop that compute a value, in order. Returns false if
/// the value depends on the block, or on memory.
static bool takeProducers(Value value, Operation *loop,
                          llvm::SetVector<Operation *> &producers) {
  if (!loop->isAncestor(value.getParentBlock()->getParentOp()))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || !isPure(op) || op->getNumRegions() > 0 ||
      !llvm::all_of(op->getOperands(), [&](Value operand) {
        return takeProducers(operand, loop, producers);
      }))
    return false;
  producers.insert(op);
  return true;
}

/// Moves reads of captured arrays, which a program does not write, before the
/// loop if their indices do not depend on the block, with the ops that compute
/// these. Vectors are then read even if the branch that reads them is not
/// taken.
static void hoistReads(attn_tile::ForBlocksOp loop) {
  SmallVector<Operation *> reads;
  loop.walk([&](Operation *op) {
    if (!isa<attn_tile::GatherOp, attn_tile::LoadOp>(op))
      return;
    auto tile = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    bool isVector = tile && tile.getRank() == 1;
    if (isVector || (isa<attn_tile::GatherOp>(op) && op->getParentOp() == loop))
      reads.push_back(op);
  });
  for (Operation *read : reads) {
    llvm::SetVector<Operation *> producers;
    if (!llvm::all_of(read->getOperands(), [&](Value operand) {
          return takeProducers(operand, loop, producers);
        }))
      continue;
    for (Operation *op : producers)
      op->moveBefore(loop);
    read->moveBefore(loop);
  }
  // Moves ops that depend on these values alone.
  for (Operation &op :
       llvm::make_early_inc_range(loop.getBody().front().without_terminator()))
    if (isPure(&op) && op.getNumRegions() == 0 &&
        llvm::all_of(op.getOperands(), [&](Value operand) {
          return !loop->isAncestor(operand.getParentBlock()->getParentOp());
        }))
      op.moveBefore(loop);
}

SmallVector<Value> TileProgram::loopOverBlocks(
    Value domain, ValueRange initial,
    function_ref<SmallVector<Value>(Value, Value, ValueRange)> emitBody) {
  auto loop =
      attn_tile::ForBlocksOp::create(b, TypeRange(initial), domain, initial);
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Type> types = {b.getIndexType(), b.getI1Type()};
  llvm::append_range(types, TypeRange(initial));
  Block *body = b.createBlock(&loop.getBody(), {}, types,
                              SmallVector<Location>(types.size(), b.getLoc()));
  attn_tile::YieldOp::create(b, emitBody(body->getArgument(0),
                                         body->getArgument(1),
                                         body->getArguments().drop_front(2)));
  moveLoopInvariantCode(loop);
  hoistReads(loop);
  return loop.getResults();
}
