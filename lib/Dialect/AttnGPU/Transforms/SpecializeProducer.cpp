//===- SpecializeProducer.cpp - The loads of a program and what they depend on
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpSpecializer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

SmallVector<Value> WarpSpecializer::getCoordinatesOf(ImplicitLocOpBuilder &b,
                                                     LoadOp load,
                                                     IRMapping &mapping) {
  Ring *ring = rings[getKey(load)].get();
  SmallVector<OpFoldResult> origin =
      getOrigin(b, ring->array, mapping.lookupOrDefault(load.getSource()));
  SmallVector<Value> indices = llvm::map_to_vector(
      load.getIndices(), [&](Value v) { return mapping.lookupOrDefault(v); });
  return getCoordinates(b, origin, indices);
}

void WarpSpecializer::fill(ImplicitLocOpBuilder &b, LoadOp load,
                           IRMapping &mapping, Counts &counts) {
  Ring *ring = rings[getKey(load)].get();
  FillOp::create(b, ring->ring, counts[ring], ring->map,
                 getCoordinatesOf(b, load, mapping));
  advance(b, counts, ring);
}

void WarpSpecializer::produce(ImplicitLocOpBuilder &b, Block *block,
                              IRMapping &mapping, Counts &counts) {
  // Scalars that come from tiles.
  auto isLeftOut = [&](Value value) {
    return value.getParentBlock() == block && !mapping.contains(value);
  };
  LoadOp waiting;
  auto fillWaiting = [&] {
    if (!waiting)
      return;
    Ring *ring = rings[getKey(waiting)].get();
    // Short tiles of a queue need the way to memory for their keys.
    if (schedule.getScheduler() == SchedulerKind::Persistent)
      PrefetchOp::create(b, ring->ring, ring->map,
                         getCoordinatesOf(b, waiting, mapping));
    fill(b, waiting, mapping, counts);
    waiting = nullptr;
  };
  for (Operation &op : *block) {
    if (auto load = dyn_cast<LoadOp>(op); load && isSwizzled(load)) {
      // Its slot is free when the output before it has been stored: the next
      // load need not wait for that, nor the way from memory.
      if (overlaysOperand && isLeftOperand(load) && !waiting) {
        waiting = load;
        continue;
      }
      fill(b, load, mapping, counts);
      fillWaiting();
    } else if (auto loop = dyn_cast<scf::ForOp>(op);
               loop && hasLoads(loop) && isQueue(loop)) {
      produceQueue(b, loop, mapping, counts);
    } else if (auto loop = dyn_cast<scf::ForOp>(op); loop && hasLoads(loop)) {
      SmallVector<Ring *> used = getRingsIn(loop);
      Value lower = mapping.lookupOrDefault(loop.getLowerBound());
      Value upper = mapping.lookupOrDefault(loop.getUpperBound());
      Value step = mapping.lookupOrDefault(loop.getStep());
      if (waiting) {
        produceFirst(b, loop, mapping, counts);
        fillWaiting();
        lower = arith::AddIOp::create(b, lower, step);
      }
      auto copy = scf::ForOp::create(
          b, lower, upper, step, getCounts(counts, used),
          [&](OpBuilder &inner, Location loc, Value position,
              ValueRange carried) {
            ImplicitLocOpBuilder body(loc, inner);
            mapping.map(loop.getInductionVar(), position);
            setCounts(counts, used, carried);
            produce(body, loop.getBody(), mapping, counts);
            scf::YieldOp::create(body, getCounts(counts, used));
          });
      setCounts(counts, used, copy.getResults());
    } else if (auto branch = dyn_cast<scf::IfOp>(op);
               branch && hasLoads(branch)) {
      fillWaiting();
      produceBranch(b, mapping.lookupOrDefault(branch.getCondition()),
                    getRingsIn(branch), counts,
                    [&](ImplicitLocOpBuilder &body, bool isThen, Counts &own) {
                      if (Block *source =
                              isThen ? branch.thenBlock() : branch.elseBlock())
                        produce(body, source, mapping, own);
                    });
    } else if (op.getNumRegions() == 0 &&
               (isMemoryEffectFree(&op) || isa<memref::LoadOp>(op)) &&
               !op.hasTrait<OpTrait::IsTerminator>() &&
               llvm::none_of(op.getOperandTypes(), llvm::IsaPred<TensorType>) &&
               llvm::none_of(op.getResultTypes(), llvm::IsaPred<TensorType>) &&
               llvm::none_of(op.getOperands(), isLeftOut)) {
      b.clone(op, mapping);
    }
  }
  fillWaiting();
}

void WarpSpecializer::produceBranch(
    ImplicitLocOpBuilder &b, Value condition, ArrayRef<Ring *> used,
    Counts &counts,
    llvm::function_ref<void(ImplicitLocOpBuilder &, bool, Counts &)> emitBody) {
  auto emit = [&](bool isThen) {
    return [&, isThen](OpBuilder &inner, Location loc) {
      ImplicitLocOpBuilder body(loc, inner);
      Counts own = counts;
      emitBody(body, isThen, own);
      scf::YieldOp::create(body, getCounts(own, used));
    };
  };
  auto branch = scf::IfOp::create(b, condition, emit(true), emit(false));
  setCounts(counts, used, branch.getResults());
}

/// The loop's first step, if there is one.
void WarpSpecializer::produceFirst(ImplicitLocOpBuilder &b, scf::ForOp loop,
                                   IRMapping &mapping, Counts &counts) {
  Value lower = mapping.lookupOrDefault(loop.getLowerBound());
  Value isStep =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, lower,
                            mapping.lookupOrDefault(loop.getUpperBound()));
  produceBranch(b, isStep, getRingsIn(loop), counts,
                [&](ImplicitLocOpBuilder &body, bool isThen, Counts &own) {
                  if (!isThen)
                    return;
                  mapping.map(loop.getInductionVar(), lower);
                  produce(body, loop.getBody(), mapping, own);
                });
}

/// Each block begins with the tile of its number. The next ones are in the
/// order in which blocks ask for them, and the consumers learn them from the
/// block's queue. The last block to finish leaves the counters as they were.
void WarpSpecializer::produceQueue(ImplicitLocOpBuilder &b, scf::ForOp loop,
                                   IRMapping &mapping, Counts &counts) {
  Type i32 = b.getI32Type();
  auto asWord = [&](ImplicitLocOpBuilder &b, Value index) -> Value {
    return arith::IndexCastOp::create(b, i32, mapping.lookupOrDefault(index));
  };
  Value one = arith::ConstantOp::create(b, b.getI32IntegerAttr(1));
  Value zero = arith::ConstantOp::create(b, b.getI32IntegerAttr(0));
  Value numBlocks = asWord(b, loop.getStep());
  Value numTiles = asWord(b, loop.getUpperBound());
  Value counters = workCounters;

  SmallVector<Ring *> used = getRingsIn(loop);
  createTileLoop(
      b, asWord(b, loop.getLowerBound()), numTiles, getCounts(counts, used),
      [&](ImplicitLocOpBuilder &body, Value tile, Value turn,
          SmallVector<Value> &after) -> Value {
        // Early: the answer takes its time.
        Value taken = LLVM::AtomicRMWOp::create(
            body, LLVM::AtomicBinOp::add, counters, one,
            LLVM::AtomicOrdering::monotonic, "device");
        Value next = arith::AddIOp::create(body, taken, numBlocks);
        mapping.map(loop.getInductionVar(),
                    arith::IndexCastOp::create(body, body.getIndexType(), tile)
                        .getResult());
        setCounts(counts, used, after);
        produce(body, loop.getBody(), mapping, counts);
        PublishTileOp::create(body, next, turn, queueOffset);
        after = getCounts(counts, used);
        return next;
      });

  Value finished = LLVM::GEPOp::create(b, counters.getType(), i32, counters,
                                       ArrayRef<LLVM::GEPArg>{1});
  Value before =
      LLVM::AtomicRMWOp::create(b, LLVM::AtomicBinOp::add, finished, one,
                                LLVM::AtomicOrdering::acq_rel, "device");
  Value isLast =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, before,
                            arith::SubIOp::create(b, numBlocks, one));
  scf::IfOp::create(b, isLast, [&](OpBuilder &inner, Location loc) {
    for (Value counter : {counters, finished})
      LLVM::StoreOp::create(inner, loc, zero, counter, /*alignment=*/4,
                            /*isVolatile=*/true);
    scf::YieldOp::create(inner, loc);
  });
}
