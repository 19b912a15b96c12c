//===- FlushSums.cpp - Sums that MMAs of 8 bits cut -----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// wgmma aligns 8-bit products with the accumulator, and cuts the bits below
// some 2^-13 of it: in a long sum of products of one sign, each product loses
// its low bits. A partial sum of few products loses little. It is added to a
// total in f32, in a branch that most iterations do not take.
//
//===----------------------------------------------------------------------===//

#include "FlushSums.h"
#include "ConvertedTiles.h"

#include "attn/Dialect/AttnTile/Transforms/Domains.h"
#include "attn/Support/ElementDType.h"
#include "attn/Support/NumberBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

/// The number of products, for each element of the result, after which a
/// partial sum is added to the total. Each key of a block contributes one
/// product.
static constexpr int64_t kProducts = 256;

/// Returns the op that rescales the product's accumulator, a softmax update or
/// `attn_tile.rescale`, or null if none does.
static Operation *getRescaling(DotOp dot) {
  Operation *op = dot.getAccumulator().getDefiningOp();
  return isa_and_nonnull<SoftmaxUpdateOp, RescaleOp>(op) ? op : nullptr;
}

/// Returns the product's accumulator as it is before an op rescales it, which
/// may be a value that the loop carries. Returns null if the accumulator is
/// another result of a softmax update.
static Value getBeforeRescaling(DotOp dot) {
  Operation *op = getRescaling(dot);
  if (auto rescale = dyn_cast_or_null<RescaleOp>(op))
    return rescale.getAccumulator();
  auto update = dyn_cast_or_null<SoftmaxUpdateOp>(op);
  if (!update)
    return dot.getAccumulator();
  for (auto [before, after] :
       llvm::zip(update.getAccumulators(), update.getRescaled()))
    if (after == dot.getAccumulator())
      return before;
  return Value();
}

/// Whether wgmma must not accumulate the product's sum over many steps.
static bool mustBeExact(DotOp dot, ScheduleAttr schedule) {
  return dot.getExact() && schedule.getMma() == MmaKind::Wgmma &&
         attn::isFloat8(dot.getLhs().getType().getElementType());
}

/// Whether the product is added to a value that a loop around it carries.
static bool isInSum(DotOp dot) {
  for (auto loop = dot->getParentOfType<ForBlocksOp>(); loop;
       loop = loop->getParentOfType<ForBlocksOp>()) {
    ValueRange carried = loop.getRegionIterArgs();
    if (!carried.empty() && isComputedFrom(dot.getAccumulator(), carried))
      return true;
  }
  return false;
}

std::optional<unsigned> attn_gpu::findFlushed(DotOp dot,
                                              ScheduleAttr schedule) {
  auto loop = dyn_cast<ForBlocksOp>(dot->getParentOp());
  if (!loop || !mustBeExact(dot, schedule))
    return std::nullopt;
  Value before = getBeforeRescaling(dot);
  std::optional<CarriedValue> carried =
      before ? getCarried(before) : std::nullopt;
  if (!carried || carried->loop != loop ||
      loop.getYieldedValues()[carried->number] != dot.getResult())
    return std::nullopt;
  return carried->number;
}

/// Rescales `sum`, too, as `op` rescales a product's accumulator, and returns
/// the result. A softmax update is replaced by one with a further accumulator.
static Value rescaleToo(Operation *op, Value sum) {
  OpBuilder b(op);
  if (auto rescale = dyn_cast<RescaleOp>(op))
    return RescaleOp::create(b, op->getLoc(), sum, rescale.getFactor());
  auto update = cast<SoftmaxUpdateOp>(op);
  SmallVector<Value> accumulators(update.getAccumulators());
  accumulators.push_back(sum);
  SmallVector<Type> types(update->getResultTypes());
  types.push_back(sum.getType());
  auto longer = SoftmaxUpdateOp::create(b, update.getLoc(), types,
                                        update.getScores(), update.getState(),
                                        update.getRowFactors(), accumulators);
  update.replaceAllUsesWith(longer->getResults().drop_back());
  update.erase();
  return longer->getResults().back();
}

/// Makes the MMA of each step begin with zeros, and adds its result in f32 to
/// the total that the loop carries. The MMA's result takes registers in
/// addition to those of the total. Without overlap, these are the registers
/// that held the step's scores. With overlap, those registers hold the next
/// step's scores at that time, so this function is not used.
static void flushEachStep(DotOp dot, unsigned number) {
  RankedTensorType type = dot.getResult().getType();
  attn::NumberBuilder b(dot.getLoc(), dot);
  Value sum = dot.getAccumulator();
  dot.getAccumulatorMutable().assign(b.real(type, 0.0));
  b.setInsertionPointAfter(dot);
  Value all = arith::AddFOp::create(b, sum, dot.getResult());
  dot->getBlock()->getTerminator()->setOperand(number, all);
}

static void flush(DotOp dot, unsigned number) {
  auto loop = cast<ForBlocksOp>(dot->getParentOp());
  attn::NumberBuilder outside(loop.getLoc(), loop);
  RankedTensorType type = dot.getResult().getType();
  Value zero = outside.real(type, 0.0);

  // The loop carries two more values: the total, and the number of blocks in
  // the partial sum.
  SmallVector<Value> inits(loop.getInits());
  Value none = outside.word(0);
  inits.append({zero, none});
  auto longer = ForBlocksOp::create(outside, ValueRange(inits).getTypes(),
                                    loop.getDomain(), inits);
  longer.getBody().takeBody(loop.getBody());
  Block &body = longer.getBody().front();
  Value sum = body.addArgument(type, loop.getLoc()),
        count = body.addArgument(none.getType(), loop.getLoc());
  if (Operation *op = getRescaling(dot))
    sum = rescaleToo(op, sum);

  int64_t depth = dot.getLhs().getType().getDimSize(1);
  attn::NumberBuilder b(dot.getLoc(), dot);
  Value part = dot.getAccumulator();
  Value most =
      b.word(static_cast<int32_t>(std::max<int64_t>(kProducts / depth, 1)));
  Value isFull = b.sge(count, most), isPart = b.slt(count, most);
  auto flushed = scf::IfOp::create(
      b, isFull,
      [&](OpBuilder &inner, Location loc) {
        Value all = arith::AddFOp::create(inner, loc, sum, part);
        scf::YieldOp::create(inner, loc, all);
      },
      [&](OpBuilder &inner, Location loc) {
        scf::YieldOp::create(inner, loc, sum);
      });
  // The accumulator is the partial sum or, after the partial sum was added to
  // the total, zeros.
  dot.getAccumulatorMutable().assign(StartSumOp::create(b, type, isPart, part));
  Value next = b.addi(b.select(isPart, count, none), b.word(1));
  Operation *yield = body.getTerminator();
  yield->insertOperands(yield->getNumOperands(), {flushed.getResult(0), next});

  for (auto [before, after] : llvm::zip(loop.getResults(), longer.getResults()))
    if (before.getResultNumber() != number)
      before.replaceAllUsesWith(after);
  auto behind = attn::NumberBuilder(loop.getLoc(), loop->getBlock(),
                                    ++longer->getIterator());
  Value all =
      behind.addf(longer.getResult(inits.size() - 2), longer.getResult(number));
  loop.getResult(number).replaceAllUsesWith(all);
  loop.erase();
}

LogicalResult attn_gpu::flushSums(KernelOp kernel, ScheduleAttr schedule) {
  SmallVector<DotOp> dots;
  WalkResult result = kernel.walk([&](DotOp dot) -> WalkResult {
    if (findFlushed(dot, schedule)) {
      dots.push_back(dot);
    } else if (mustBeExact(dot, schedule) && isInSum(dot)) {
      dot.emitOpError("expected the accumulator of an exact sum to be a value "
                      "that attn_tile.for_blocks carries, or this value "
                      "rescaled by one op, and the loop to yield the product");
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  // Without overlap, the result of a step with at least half of the products of
  // a full partial sum (kProducts) is added to the total in each step, since a
  // partial sum would contain at most two steps. In all other cases, steps are
  // added to a partial sum.
  constexpr int64_t kManyProducts = kProducts / 2;
  for (DotOp dot : dots) {
    unsigned number = *findFlushed(dot, schedule);
    if (!schedule.getOverlap() &&
        dot.getLhs().getType().getDimSize(1) >= kManyProducts)
      flushEachStep(dot, number);
    else
      flush(dot, number);
  }
  return success();
}
