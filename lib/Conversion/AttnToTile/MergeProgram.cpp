//===- MergeProgram.cpp - Merged states as a tile program -----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"
#include "RowProgram.h"

#include "attn/Dialect/AttnTile/Transforms/SoftmaxMath.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

namespace {

class MergeProgram : RowProgram {
public:
  MergeProgram(MergeOp op, OpBuilder &builder)
      : RowProgram(op, builder), op(op) {}

  void emit();

private:
  Value readScale(const ExtraOperand &scale, ValueRange place);
  Value emitSink(Value head);
  void emitLse(ValueRange place);
  Value emitOutput(ValueRange place);

  MergeOp op;
  /// Vectors with an element for each row: the lse and the weight of each
  /// merged state; the reciprocal of the sum of weights, which is 0 if all
  /// states are empty; and the lse of the result.
  SmallVector<Value> stateLse, weights;
  Value inverse, lse;
};

} // namespace

/// Returns a vector with `rows` elements, each of which is the scale that
/// `scale` (of a state's output or of the op's output) has for the batch entry
/// and head of the program.
Value MergeProgram::readScale(const ExtraOperand &scale, ValueRange place) {
  Value own = attn_tile::GatherOp::create(
      b, b.getF32Type(), scale.value,
      indexScale(scale, place[0], place[1], /*token=*/Value()));
  return b.splat(own, f32Tile({rows}));
}

Value MergeProgram::emitSink(Value head) {
  Value sinks = op.getSink();
  Value sink = attn_tile::GatherOp::create(b, getElementTypeOrSelf(sinks),
                                           sinks, ValueRange(head));
  return b.splat(extend(sink), f32Tile({rows}));
}

/// Sets `stateLse`, `weights`, `inverse` and `lse`. The weight of a state is
/// exp of its lse minus the largest lse, among which the sink counts, too. A
/// NaN counts as the largest lse, so it makes all weights NaN. If all lse are
/// -inf, `inverse` is 0 and `lse` is -inf; a sink beside them that is not
/// finite counts as no sink.
void MergeProgram::emitLse(ValueRange place) {
  RankedTensorType type = f32Tile({rows});
  Value sink = op.getSink() ? emitSink(place[1]) : Value(), largest;
  for (unsigned i = 0, e = op.getNumStates(); i < e; ++i) {
    stateLse.push_back(load(op.getStateLse(i), {rows}, place));
    largest = largest ? b.maximumf(largest, stateLse[i]) : stateLse[i];
  }
  Value none = splat(type, -INFINITY), zeros = splat(type, 0.0);
  if (sink) {
    Value ofEmpty = attn_tile::emitEmptyLse(b, sink);
    sink = b.select(b.oeq(largest, none), ofEmpty, sink);
    largest = b.maximumf(largest, sink);
  }
  Value isEmpty = b.oeq(largest, none);
  Value base = b.select(isEmpty, zeros, largest);
  auto getWeight = [&](Value lse) -> Value { return b.exp(b.subf(lse, base)); };
  Value sum = sink ? getWeight(sink) : Value();
  for (Value own : stateLse) {
    weights.push_back(getWeight(own));
    sum = sum ? b.addf(sum, weights.back()) : weights.back();
  }
  inverse = b.select(isEmpty, zeros, b.divf(splat(type, 1.0), sum));
  lse = b.select(isEmpty, none, b.addf(base, b.log(sum)));
}

Value MergeProgram::emitOutput(ValueRange place) {
  int64_t columns =
      padColumns(cast<ShapedType>(op.getOutput().getType()).getShape().back());
  RankedTensorType type = f32Tile({rows, columns});
  auto ofRows = [&](Value vector) {
    return broadcast(vector, 1, type.getShape());
  };
  Value sum;
  for (unsigned i = 0, e = op.getNumStates(); i < e; ++i) {
    Value own = extend(load(op.getStateOutput(i), type.getShape(), place));
    Value weight = weights[i];
    if (ExtraOperand scale = op.getStateScale(i))
      weight = b.mulf(weight, readScale(scale, place));
    Value product = b.mulf(own, ofRows(weight));
    // The output of an empty state (lse -inf) may be NaN, so a select replaces
    // its product by 0. The lse is broadcast before the comparison, since a
    // vector of conditions would need two layouts.
    Value isEmpty = b.oeq(ofRows(stateLse[i]), splat(type, -INFINITY));
    product = b.select(isEmpty, splat(type, 0.0), product);
    sum = sum ? b.addf(sum, product) : product;
  }
  Value factor = inverse;
  if (ExtraOperand scale = op.getScaleOfOutput())
    factor = b.divf(factor, readScale(scale, place));
  return b.mulf(sum, ofRows(factor));
}

void MergeProgram::emit() {
  Value output = op.getOutput();
  if (isKnownEmpty(output))
    return;
  auto grid =
      beginGrid({getSize(output, 0), getSize(output, 1), getSize(output, 2)});
  SmallVector<Value> place(grid.getBody().getArguments());
  emitLse(place);
  Value merged = emitOutput(place);
  if (op.getLse())
    store(lse, op.getLse(), place);
  store(round(merged, getElementTypeOrSelf(output)), output, place);
}

void mlir::attn::emitMerge(MergeOp op, OpBuilder &builder) {
  MergeProgram(op, builder).emit();
}
