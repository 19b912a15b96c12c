//===- AttentionBodies.cpp - Score and mask regions -----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionVerify.h"

#include "attn/Dialect/Attn/IR/RegionDependence.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::attn;

namespace {
/// A score or mask region of an op: its name in messages, its arguments before
/// the captures, and the type that it yields.
struct Body {
  StringLiteral name;
  Region &region;
  SmallVector<Type> arguments;
  Type result;
};
} // namespace

/// Verifies an op in a score or mask region. It must be attn.read, or a
/// constant or elementwise op of arith or math. All operands and results of
/// such an op must be integers, indices or floats. Regions are computed for
/// whole tiles, so each of their ops needs an elementwise form.
static LogicalResult verifyInner(AttentionInterface attention, const Body &body,
                                 Operation &op) {
  if (isa<ReadOp>(op))
    return success();
  bool isKnownDialect =
      isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op.getDialect());
  bool isElementwise = op.hasTrait<OpTrait::ConstantLike>() ||
                       OpTrait::hasElementwiseMappableTraits(&op);
  auto emitError = [&]() -> InFlightDiagnostic {
    InFlightDiagnostic diag = op.emitError("'")
                              << attention->getName() << "' op " << body.name
                              << " region expects scalar";
    return diag;
  };
  auto attachNote = [&](InFlightDiagnostic &diag) {
    diag.attachNote(attention.getLoc()) << body.name << " region of this op";
  };
  if (!isKnownDialect || !isElementwise) {
    InFlightDiagnostic diag = emitError();
    diag << " ops of arith and math, found '" << op.getName() << "'";
    attachNote(diag);
    return diag;
  }
  for (Type type :
       llvm::concat<const Type>(op.getOperandTypes(), op.getResultTypes()))
    if (!type.isIntOrIndexOrFloat()) {
      InFlightDiagnostic diag = emitError();
      diag << "s, found a value of type " << type;
      attachNote(diag);
      return diag;
    }
  return success();
}

static LogicalResult verifyBody(AttentionInterface op, const Body &body) {
  if (!body.region.hasOneBlock())
    return op->emitOpError("expected a ")
           << body.name << " region of one block, found "
           << body.region.getBlocks().size();
  Block &block = body.region.front();
  SmallVector<Type> expected = body.arguments;
  llvm::append_range(expected, op.getCaptures().getTypes());
  if (block.getArgumentTypes() != TypeRange(expected))
    return op->emitOpError("expected ")
           << body.name << " region arguments (" << TypeRange(expected)
           << "), found (" << block.getArgumentTypes() << ")";
  auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back());
  if (!yield)
    return op->emitOpError("expected the ")
           << body.name << " region to end in 'attn.yield'";
  if (yield.getValue().getType() != body.result)
    return yield.emitOpError("expected the ")
           << body.name << " region to yield " << body.result << ", found "
           << yield.getValue().getType();
  for (Operation &inner : block.without_terminator())
    if (failed(verifyInner(op, body, inner)))
      return failure();
  return success();
}

/// Verifies the captures that are arrays: they must be memrefs if the query is
/// a memref, otherwise tensors, with elements that are floats or signless
/// integers. Captured scalars are not checked.
static LogicalResult verifyCaptures(AttentionInterface op) {
  for (auto [i, capture] : llvm::enumerate(op.getCaptures())) {
    auto type = dyn_cast<ShapedType>(capture.getType());
    if (!type)
      continue;
    if (failed(verifyKind(op, "capture " + Twine(i), type)))
      return failure();
    Type element = type.getElementType();
    if (!isa<FloatType>(element) && !element.isSignlessInteger())
      return op->emitOpError("expected captured arrays of floats or signless "
                             "integers, found capture ")
             << i << " of type " << type;
  }
  return success();
}

LogicalResult mlir::attn::verifyBodies(AttentionInterface op) {
  if (!op.hasScore() && !op.hasMaskRegion())
    return op.getCaptures().empty()
               ? LogicalResult(success())
               : op->emitOpError("expected no captures without a score or mask "
                                 "region, found ")
                     << op.getCaptures().size();
  if (failed(verifyCaptures(op)))
    return failure();
  Builder builder(op.getContext());
  SmallVector<Type> place(kNumMaskArguments, builder.getIndexType());
  SmallVector<Type> ofScore = {builder.getF32Type()};
  llvm::append_range(ofScore, place);
  if (op.hasScore() && failed(verifyBody(op, {"score", op.getScore(), ofScore,
                                              builder.getF32Type()})))
    return failure();
  if (op.hasMaskRegion() &&
      failed(verifyBody(
          op, {"mask", op.getMaskRegion(), place, builder.getI1Type()})))
    return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// ReadOp
//===----------------------------------------------------------------------===//

/// Verifies the operand `bounds` of an attn.read, if it has one. `bounds` must
/// be an array of i32 that the region captures, with the shape of a summary of
/// the array that is read. Its rank is one more than that array's, and its last
/// dimension has size 2 (minimum and maximum). The array that is read must have
/// integers and at least rank 2.
static LogicalResult verifyBounds(ReadOp read) {
  Value bounds = read.getBounds();
  if (!bounds)
    return success();
  auto array = cast<ShapedType>(read.getArray().getType());
  auto summary = cast<ShapedType>(bounds.getType());
  if (!isa<BlockArgument>(bounds))
    return read.emitOpError("expected as bounds an array that the region "
                            "captures, found the result of '")
           << bounds.getDefiningOp()->getName() << "'";
  if (!array.getElementType().isInteger())
    return read.emitOpError("expected integers in an array that has bounds, "
                            "found ")
           << array;
  if (array.getRank() < 2 || summary.getRank() != array.getRank() + 1 ||
      !summary.getElementType().isInteger(32) || summary.getShape().back() != 2)
    return read.emitOpError("expected as bounds of ")
           << array << " an array of one more rank, of i32, whose last "
           << "dimension has size 2, found " << summary;
  SmallVector<EqualSizes> all;
  addSummarySizes(read.getArray(), "the array", bounds, "its bounds", all);
  for (const EqualSizes &sizes : all) {
    int64_t lhs = sizes.lhs.getStatic(), rhs = sizes.rhs.getStatic();
    if (!ShapedType::isDynamic(lhs) && !ShapedType::isDynamic(rhs) &&
        lhs != rhs)
      return read.emitOpError("expected equal ")
             << sizes.what << ", found " << lhs << " in dimension "
             << sizes.lhs.dim << " of " << sizes.lhs.name << " and " << rhs
             << " in " << sizes.rhs.name;
  }
  return success();
}

LogicalResult ReadOp::verify() {
  auto type = cast<ShapedType>(getArray().getType());
  if (static_cast<int64_t>(getIndices().size()) != type.getRank())
    return emitOpError("expected ")
           << type.getRank() << " indices for an array of type " << type
           << ", found " << getIndices().size();
  if (!isa<BlockArgument>(getArray()))
    return emitOpError("expected an array that the region captures, found the "
                       "result of '")
           << getArray().getDefiningOp()->getName() << "'";
  // Only with `inbounds`, constant indices out of bounds are an error. Without
  // it, an index is clamped when the program runs, and may also become such a
  // constant when the ops that compute it are folded.
  if (!getInbounds())
    return verifyBounds(*this);
  for (auto [i, index] : llvm::enumerate(getIndices())) {
    APInt constant;
    if (!matchPattern(index, m_ConstantInt(&constant)))
      continue;
    if (constant.isNegative())
      return emitOpError("expected indices of at least 0, found ")
             << constant.getSExtValue() << " for dimension " << i;
    // The verifier does not know dynamic sizes: attn-check-arrays checks them.
    int64_t size = type.getDimSize(i);
    if (!ShapedType::isDynamic(size) && constant.getSExtValue() >= size)
      return emitOpError("expected indices below ")
             << size << ", found " << constant.getSExtValue()
             << " for dimension " << i
             << " (without 'inbounds', indices are clamped)";
  }
  return verifyBounds(*this);
}

std::optional<unsigned> ReadOp::getPosition(int64_t dim) {
  return attn::getPosition(getIndices()[dim]);
}

bool ReadOp::isOf(ArrayRef<unsigned> positions) {
  int64_t rank = getIndices().size(), others = rank - positions.size();
  if (!getInbounds() || others < 0)
    return false;
  for (auto [i, position] : llvm::enumerate(positions))
    if (getPosition(others + i) != position)
      return false;
  for (int64_t dim = 0; dim < others; ++dim) {
    std::optional<unsigned> position = getPosition(dim);
    if (position ? *position > 1
                 : !getIndices()[dim].getDefiningOp<arith::ConstantOp>())
      return false;
  }
  return true;
}

void ReadOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (!isa<MemRefType>(getArray().getType()))
    return;
  effects.emplace_back(MemoryEffects::Read::get(), &getArrayMutable());
  for (OpOperand &bounds : getBoundsMutable())
    effects.emplace_back(MemoryEffects::Read::get(), &bounds);
}
