//===- LoadVectorsAhead.cpp - Vectors of the next iteration ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes loops read the vectors of layout #attn_gpu.spread that their next
// iteration needs, before anything else in an iteration. The reads then overlap
// with all waits of the iteration, for copies and for MMAs.
//
//===----------------------------------------------------------------------===//

#include "LoadVectorsAhead.h"
#include "StepLoads.h"

#include "attn/Support/NumberBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::attn_gpu;

namespace {

/// The vectors of layout #attn_gpu.spread of a loop's body whose elements are
/// known iterations ahead, and the ops that compute them.
struct StepVectors {
  explicit StepVectors(scf::ForOp loop);

  SetVector<Value> vectors;
  SetVector<Operation *> ops;
};

StepVectors::StepVectors(scf::ForOp loop) {
  for (auto convert : loop.getBody()->getOps<ConvertLayoutOp>()) {
    TypedValue<RankedTensorType> vector = convert.getInput();
    if (!isa_and_nonnull<SpreadLayoutAttr>(vector.getType().getEncoding()) ||
        loop.isDefinedOutsideOfLoop(vector))
      continue;
    SetVector<Operation *> own;
    if (!takeArithmetic(vector, loop, own))
      continue;
    vectors.insert(vector);
    ops.insert_range(own);
  }
}

/// Emits the vectors of the loop's first iteration before the loop. They are
/// zeros if the loop has no iteration, since memory that tells what to read,
/// such as a table of pages, may then not be read.
SmallVector<Value> loadFirst(scf::ForOp loop, const StepVectors &step) {
  attn::NumberBuilder b(loop.getLoc(), loop);
  Value isStep = b.slt(loop.getLowerBound(), loop.getUpperBound());
  auto emitVectors = [&](OpBuilder &inner, Location loc) {
    IRMapping mapping =
        cloneForStep(inner, step.ops, loop, loop.getLowerBound());
    scf::YieldOp::create(inner, loc,
                         llvm::map_to_vector(step.vectors, [&](Value vector) {
                           return mapping.lookup(vector);
                         }));
  };
  auto emitZeros = [&](OpBuilder &inner, Location loc) {
    scf::YieldOp::create(
        inner, loc,
        llvm::map_to_vector(step.vectors, [&](Value vector) -> Value {
          return arith::ConstantOp::create(inner, loc,
                                           inner.getZeroAttr(vector.getType()));
        }));
  };
  return scf::IfOp::create(b, isStep, emitVectors, emitZeros).getResults();
}

/// Makes each iteration of the loop read the vectors of the next one, and the
/// last iteration read its vectors once more.
void loadAhead(scf::ForOp loop, IRRewriter &rewriter) {
  StepVectors step(loop);
  if (step.vectors.empty())
    return;
  SmallVector<Value> first = loadFirst(loop, step);
  size_t count = first.size();
  rewriter.setInsertionPoint(loop);
  loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, first, /*replaceInitOperandUsesInLoop=*/false,
      [](OpBuilder &, Location, ArrayRef<BlockArgument> carried) {
        return SmallVector<Value>(carried);
      }));
  auto b = attn::NumberBuilder::atBlockBegin(loop.getLoc(), loop.getBody());
  Value position = loop.getInductionVar();
  Value next = b.addi(position, loop.getStep());
  Value read = b.select(b.slt(next, loop.getUpperBound()), next, position);
  IRMapping mapping = cloneForStep(b, step.ops, loop, read);
  auto carried = loop.getRegionIterArgs().take_back(count);
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  size_t place = yield->getNumOperands() - count;
  for (auto [vector, argument] : llvm::zip_equal(step.vectors, carried)) {
    rewriter.replaceAllUsesWith(vector, argument);
    yield->setOperand(place++, mapping.lookup(vector));
  }
  for (Operation *op : llvm::reverse(step.ops))
    if (isOpTriviallyDead(op))
      rewriter.eraseOp(op);
}

} // namespace

void mlir::attn_gpu::loadVectorsAhead(KernelOp kernel) {
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  IRRewriter rewriter(kernel.getContext());
  for (scf::ForOp loop : loops)
    loadAhead(loop, rewriter);
}
