//===- JoinedColumns.cpp - Gradients of query and key in two arrays -------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs of gradients read query and key several times, and sum products over
// all of their columns. Therefore a grid copies query and query_rope into one
// array, and another one key and key_rope; the op reads these and writes
// gradients of all columns. Further grids divide the gradients. Where heads
// share key_rope, the op's gradient is of f32, and the program that divides it
// adds the further columns of all heads, so that the sum is rounded once.
//
// A d_value that lies along keys is written in rows to memory, too, and then
// copied.
//
//===----------------------------------------------------------------------===//

#include "JoinedColumns.h"

#include "attn/Dialect/Attn/IR/ValueOrder.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::attn;

static int64_t getColumns(Value array) {
  return cast<ShapedType>(array.getType()).getShape().back();
}

Value JoinedColumns::viewColumns(Value array, int64_t first, int64_t count) {
  return slice(array, b.getIndexAttr(first), b.getIndexAttr(count), /*dim=*/3);
}

bool JoinedColumns::sharesRope() {
  ExtraOperand rope = op.getExtra(Extra::KeyRope);
  return !rope.findDim('h') && op.getKeyType().getDimSize(1) != 1;
}

/// Emits a grid that copies the rows of `from` to `to`. With `isRepeated`, all
/// heads of `to` get the single head of `from`. With `isSum`, the single head
/// of `to` gets the sum of all heads of `from`.
void JoinedColumns::copyColumns(Value from, Value to, bool isRepeated,
                                bool isSum) {
  Type element = getElementTypeOrSelf(to);
  TileSizesAttrInterface rowwise = op.getScheduleAttr().getRowwise();
  int64_t rows = rowwise.getTileQ(), columns = getColumns(to);
  OpBuilder::InsertionGuard guard(b);
  Value heads = isSum ? asValue(getSize(from, 1)) : Value();
  auto program = enter(createGrid(op, b, to, getSize(to, 1), rows, rowwise));
  Value batch = program[0], head = program[1], row = program[2];
  Value zero = b.index(0);
  // The rows are copied in panels of at most kMost columns, which registers can
  // hold.
  constexpr int64_t kMost = 128;
  for (int64_t first = 0; first < columns; first += kMost) {
    int64_t width =
        llvm::alignTo<kHeadDimStep>(std::min(kMost, columns - first));
    std::array<int64_t, 2> shape = {rows, width};
    Value column = b.index(first);
    auto loadFrom = [&](Value own) {
      return load(from, shape, {batch, own, row, column});
    };
    Value tile;
    if (isSum) {
      auto loop = scf::ForOp::create(b, zero, heads, b.index(1),
                                     ValueRange{splat(f32Tile(shape), 0.0)});
      OpBuilder::InsertionGuard inLoop(b);
      b.setInsertionPointToStart(loop.getBody());
      Value sum = b.addf(loop.getRegionIterArgs().front(),
                         extend(loadFrom(loop.getInductionVar())));
      scf::YieldOp::create(b, sum);
      tile = loop.getResult(0);
    } else {
      tile = loadFrom(isRepeated ? zero : head);
    }
    store(round(tile, element), to, {batch, head, row, column});
  }
}

Value JoinedColumns::join(Value first, Value last, bool isRepeated) {
  int64_t numFirst = getColumns(first), numLast = getColumns(last);
  Value all = allocateRows(first, getElementTypeOrSelf(first.getType()),
                           numFirst + numLast);
  if (isKnownEmpty(first))
    return all;
  copyColumns(first, viewColumns(all, 0, numFirst));
  copyColumns(last, viewColumns(all, numFirst, numLast), isRepeated);
  return all;
}

/// Allocates memory for the gradient of all columns of `array`. Appends it,
/// together with the op's outs for the gradients of the first columns and of
/// the last columns, to `gradients`, and returns these. The memory is null if
/// the op computes neither gradient.
JoinedColumns::Gradient JoinedColumns::createGradient(Gradients ofFirst,
                                                      Gradients ofLast,
                                                      Value array) {
  Gradient gradient = {Value(), op.getGradient(ofFirst),
                       op.getGradient(ofLast)};
  // A gradient that is summed over heads is kept in f32 until all heads are
  // added, so that it is rounded only once.
  bool isSum = ofLast == Gradients::KeyRope && gradient.last && sharesRope();
  Type element = isSum ? b.getF32Type() : inputType;
  for (Value out : {gradient.first, gradient.last})
    if (out && getElementTypeOrSelf(out).isF32())
      element = b.getF32Type();
  if (gradient.first || gradient.last)
    gradient.all = allocateRows(array, element,
                                op.getQueryColumns() + op.getRopeColumns());
  gradients.push_back(gradient);
  return gradient;
}

bool JoinedColumns::hasValueGradientAlongKeys() {
  Value gradient = op.getGradient(Gradients::Value);
  return gradient && liesAlongKeys(cast<ShapedType>(gradient.getType()));
}

AttentionBackwardOp JoinedColumns::emit() {
  auto copy = cast<AttentionBackwardOp>(b.clone(*op.getOperation()));
  b.setInsertionPoint(copy);
  Value ofQuery = op.getGradient(Gradients::Query);
  Value ofKey = op.getGradient(Gradients::Key);
  Value ofValue = op.getGradient(Gradients::Value);
  if (hasColumns()) {
    copy.getQueryMutable().set(
        join(op.getQuery(), op.getExtra(Extra::QueryRope).value));
    copy.getKeyMutable().set(
        join(op.getKey(), op.getExtra(Extra::KeyRope).value, sharesRope()));
    ofQuery =
        createGradient(Gradients::Query, Gradients::QueryRope, op.getQuery())
            .all;
    ofKey = createGradient(Gradients::Key, Gradients::KeyRope, op.getKey()).all;
  }
  if (hasValueGradientAlongKeys()) {
    Value rows = allocateRows(ofValue, getElementTypeOrSelf(ofValue.getType()));
    gradients.push_back({rows, ofValue, Value()});
    ofValue = rows;
  }

  Gradients wrt = op.getWrt() & ~(Gradients::QueryRope | Gradients::KeyRope);
  SmallVector<Value> outs;
  auto add = [&](Gradients of, Value out) {
    if (!out)
      return;
    wrt = wrt | of;
    outs.push_back(out);
  };
  add(Gradients::Query, ofQuery);
  add(Gradients::Key, ofKey);
  add(Gradients::Value, ofValue);
  add(Gradients::Sink, op.getGradient(Gradients::Sink));
  llvm::append_range(outs, op.getCaptureGradients());
  copy.setWrt(wrt);
  copy.getOutsMutable().assign(outs);
  if (!hasColumns())
    return copy;

  // The new op has no query_rope and key_rope.
  SmallVector<Value> extras;
  SmallVector<Attribute> names;
  SmallVector<int64_t> blocks;
  for (Extra which : kExtras) {
    ExtraOperand extra = op.getExtra(which);
    if (!extra || getDeclaration(which).hasColumns())
      continue;
    extras.push_back(extra.value);
    names.push_back(b.getStringAttr(getDeclaration(which).name));
    blocks.push_back(extra.block);
  }
  copy.getExtrasMutable().assign(extras);
  if (extras.empty()) {
    copy.removeExtraNamesAttr();
    copy.removeExtraBlocksAttr();
    return copy;
  }
  copy.setExtraNamesAttr(b.getArrayAttr(names));
  copy.setExtraBlocks(blocks);
  return copy;
}

void JoinedColumns::emitGradients() {
  b.setInsertionPoint(op);
  for (const Gradient &gradient : gradients)
    for (auto [out, first] : {std::pair(gradient.first, int64_t(0)),
                              {gradient.last, op.getQueryColumns()}}) {
      if (!out || isKnownEmpty(out))
        continue;
      if (isKnownEmpty(gradient.all))
        emitZeros(out, op.getScheduleAttr().getRowwise());
      else
        copyColumns(viewColumns(gradient.all, first, getColumns(out)), out,
                    /*isRepeated=*/false,
                    out == op.getGradient(Gradients::KeyRope) && sharesRope());
    }
}
