//===- SpecializeConsumers.cpp - The program, with tiles of rings for loads
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpSpecializer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

/// The op of its block after which the product that an op begins has ended.
static Operation *getEnd(Operation *op) {
  if (!isa<MmaOp>(op))
    return op;
  return op->getBlock()->findAncestorOpInBlock(**op->getUsers().begin());
}

/// The op after which nothing reads the tile any more, in its block.
Operation *WarpSpecializer::getLastReader(LoadOp load) {
  Block *block = load->getBlock();
  // The copy of a tile with other readers has not ended with the copying op.
  if ((isLeftOperand(load) && overlaysOperand) || rings[getKey(load)]->isCopied)
    return block->getTerminator()->getPrevNode();
  Operation *last = load;
  for (Operation *user : load->getUsers()) {
    Operation *inBlock = block->findAncestorOpInBlock(*getEnd(user));
    if (last->isBeforeInBlock(inBlock))
      last = inBlock;
  }
  return last;
}

/// A copy of a tile to registers has ended when the first product that uses it
/// has: nothing else waits for the registers. If that is in one of two
/// branches, the other releases the tile as well.
void WarpSpecializer::releaseCopied(
    LoadOp load, llvm::function_ref<void(OpBuilder &)> emit) {
  SmallPtrSet<Operation *, 4> products;
  for (Operation *copy : load->getUsers())
    products.insert_range(copy->getUsers());
  auto getFirst = [&](Block *block) {
    Operation *first = nullptr;
    for (Operation &op : *block) {
      op.walk<WalkOrder::PreOrder>([&](Operation *nested) {
        if (!products.contains(nested))
          return WalkResult::advance();
        first = nested;
        return WalkResult::interrupt();
      });
      if (first)
        break;
    }
    return first;
  };
  OpBuilder b(load->getContext());
  Operation *first = getFirst(load->getBlock());
  if (!first) {
    b.setInsertionPoint(load->getBlock()->getTerminator());
    return emit(b);
  }
  Operation *inBlock = load->getBlock()->findAncestorOpInBlock(*first);
  Block *other = nullptr;
  if (auto branch = dyn_cast<scf::IfOp>(inBlock);
      branch && branch.elseBlock() && first->getParentOp() == branch)
    other = branch.thenBlock() == first->getBlock() ? branch.elseBlock()
                                                    : branch.thenBlock();
  if (first != inBlock && (!other || getFirst(other))) {
    b.setInsertionPointAfter(inBlock);
    return emit(b);
  }
  b.setInsertionPointAfter(getEnd(first));
  emit(b);
  if (other) {
    b.setInsertionPointToStart(other);
    emit(b);
  }
}

void WarpSpecializer::acquire(LoadOp load, Counts &counts) {
  Ring *ring = rings[getKey(load)].get();
  ImplicitLocOpBuilder b(load.getLoc(), load);
  Value index = counts[ring];
  auto tile =
      AcquireOp::create(b, load.getResult().getType(), ring->ring, index);
  advance(b, counts, ring);
  auto release = [&](OpBuilder &atEnd) {
    ReleaseOp::create(atEnd, load.getLoc(), ring->ring, index,
                      ring->isCopied ? b.getUnitAttr() : UnitAttr());
  };
  bool isCopiedOnly =
      llvm::all_of(load->getUsers(), llvm::IsaPred<ConvertLayoutOp>);
  if (ring->isCopied && !overlaysOperand && isCopiedOnly) {
    releaseCopied(load, release);
  } else {
    b.setInsertionPointAfter(getLastReader(load));
    release(b);
  }
  load.replaceAllUsesWith(tile.getResult());
  load.erase();
}

/// A loop over the tiles that the queue names.
void WarpSpecializer::consumeQueue(scf::ForOp loop) {
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  Type i32 = b.getI32Type();
  auto asWord = [&](Value index) -> Value {
    return arith::IndexCastOp::create(b, i32, index);
  };
  auto tiles = createTileLoop(
      b, asWord(loop.getLowerBound()), asWord(loop.getUpperBound()),
      loop.getInitArgs(),
      [&](ImplicitLocOpBuilder &body, Value tile, Value turn,
          SmallVector<Value> &counts) -> Value {
        Block *block = body.getInsertionBlock();
        Operation *yield = loop.getBody()->getTerminator();
        SmallVector<Value> arguments = {
            arith::IndexCastOp::create(body, body.getIndexType(), tile)};
        llvm::append_range(arguments, counts);
        for (auto [from, to] :
             llvm::zip(loop.getBody()->getArguments(), arguments))
          from.replaceAllUsesWith(to);
        counts.assign(yield->operand_begin(), yield->operand_end());
        yield->erase();
        block->getOperations().splice(block->end(),
                                      loop.getBody()->getOperations());
        body.setInsertionPointToEnd(block);
        return NextTileOp::create(body, i32, turn, queueOffset);
      });
  loop.replaceAllUsesWith(tiles.getResults().drop_front(2));
  loop.erase();
}

void WarpSpecializer::consume(Block *block, Counts &counts) {
  for (Operation &op : llvm::make_early_inc_range(*block)) {
    if (auto load = dyn_cast<LoadOp>(op); load && isSwizzled(load)) {
      acquire(load, counts);
    } else if (auto loop = dyn_cast<scf::ForOp>(op); loop && hasLoads(loop)) {
      SmallVector<Ring *> used = getRingsIn(loop);
      unsigned numCarried = loop.getNumRegionIterArgs();
      IRRewriter rewriter(loop.getContext());
      rewriter.setInsertionPoint(loop);
      loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
          rewriter, getCounts(counts, used),
          /*replaceInitOperandUsesInLoop=*/false,
          [&](OpBuilder &, Location, ArrayRef<BlockArgument> carried) {
            return SmallVector<Value>(carried.begin(), carried.end());
          }));
      setCounts(counts, used, loop.getRegionIterArgs().drop_front(numCarried));
      consume(loop.getBody(), counts);
      loop.getBody()->getTerminator()->setOperands(numCarried, used.size(),
                                                   getCounts(counts, used));
      setCounts(counts, used, loop.getResults().drop_front(numCarried));
      if (isQueue(loop)) {
        // Nothing comes after it.
        consumeQueue(loop);
        return;
      }
    } else if (auto branch = dyn_cast<scf::IfOp>(op);
               branch && hasLoads(branch)) {
      SmallVector<Ring *> used = getRingsIn(branch);
      SmallVector<Type> types(branch.getResultTypes());
      types.append(used.size(), IntegerType::get(op.getContext(), 32));
      OpBuilder b(branch);
      auto wider = scf::IfOp::create(b, branch.getLoc(), types,
                                     branch.getCondition(), true);
      for (auto [from, to] :
           llvm::zip(branch->getRegions(), wider->getRegions())) {
        to.takeBody(from);
        Counts own = counts;
        if (to.empty()) {
          b.createBlock(&to);
          scf::YieldOp::create(b, branch.getLoc());
        }
        consume(&to.front(), own);
        to.front().getTerminator()->insertOperands(branch.getNumResults(),
                                                   getCounts(own, used));
      }
      setCounts(counts, used,
                wider.getResults().drop_front(branch.getNumResults()));
      branch.replaceAllUsesWith(
          wider.getResults().take_front(branch.getNumResults()));
      branch.erase();
    }
  }
}
