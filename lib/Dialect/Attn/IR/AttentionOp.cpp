//===- AttentionOp.cpp - The attention op ---------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sizes.h"

#include "attn/Dialect/Attn/IR/Attn.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// Accessors
//===----------------------------------------------------------------------===//

double AttentionOp::getScaleValue() {
  if (std::optional<APFloat> scale = getScale())
    return scale->convertToDouble();
  return 1.0 / std::sqrt(static_cast<double>(getHeadDim()));
}

OpFoldResult attn::getSize(OpBuilder &builder, Location loc, Value shaped,
                           int64_t dim) {
  if (isa<MemRefType>(shaped.getType()))
    return memref::getMixedSize(builder, loc, shaped, dim);
  return tensor::getMixedSize(builder, loc, shaped, dim);
}

OpFoldResult AttentionOp::getQueryLength(OpBuilder &builder) {
  return getSize(builder, getLoc(), getQuery(), 2);
}

OpFoldResult AttentionOp::getKvLength(OpBuilder &builder) {
  return getSize(builder, getLoc(), getKey(), 2);
}

OpFoldResult AttentionOp::getOriginOrZero(unsigned i) {
  if (getOrigin().empty())
    return IntegerAttr::get(IndexType::get(getContext()), 0);
  return getAsOpFoldResult(getOrigin()[i]);
}

OpFoldResult AttentionOp::getTrueQueryLength(OpBuilder &builder) {
  return getLengths().empty() ? getQueryLength(builder)
                              : getAsOpFoldResult(getLengths()[0]);
}

OpFoldResult AttentionOp::getTrueKvLength(OpBuilder &builder) {
  return getLengths().empty() ? getKvLength(builder)
                              : getAsOpFoldResult(getLengths()[1]);
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// Sizes must be equal where both are known.
static LogicalResult verifySameSize(AttentionOp op, StringRef what,
                                    StringRef lhsName, int64_t lhs,
                                    StringRef rhsName, int64_t rhs) {
  if (ShapedType::isDynamic(lhs) || ShapedType::isDynamic(rhs) || lhs == rhs)
    return success();
  return op.emitOpError("expected equal ")
         << what << ", found " << lhs << " in " << lhsName << " and " << rhs
         << " in " << rhsName;
}

static LogicalResult verifyOperandForms(AttentionOp op) {
  SmallVector<std::pair<StringRef, Value>> operands = {
      {"query", op.getQuery()}, {"key", op.getKey()}, {"value", op.getValue()}};
  size_t numOuts = op.getOuts().size();
  if (numOuts < 1 || numOuts > 2)
    return op.emitOpError("expected 1 or 2 outs (output and lse), found ")
           << numOuts;
  operands.emplace_back("output", op.getOutput());
  if (Value lse = op.getLse())
    operands.emplace_back("lse", lse);

  bool isMemRef = isa<MemRefType>(op.getQuery().getType());
  for (auto [name, operand] : operands) {
    auto type = cast<ShapedType>(operand.getType());
    if (isa<MemRefType>(type) != isMemRef)
      return op.emitOpError("expected all operands to be tensors or all to be "
                            "memrefs, found ")
             << name << " of type " << type << " and query of type "
             << op.getQueryType();
    int64_t rank = name == "lse" ? 3 : 4;
    if (type.getRank() != rank)
      return op.emitOpError("expected ")
             << name << " of rank " << rank << ", found " << type;
    if (auto memref = dyn_cast<MemRefType>(type)) {
      auto [strides, offset] = memref.getStridesAndOffset();
      if (strides.back() != 1 && memref.getDimSize(rank - 1) != 1)
        return op.emitOpError("expected ")
               << name << " with an innermost stride of 1, found " << memref;
    }
  }
  return success();
}

static LogicalResult verifyElementTypes(AttentionOp op) {
  Type element = op.getQueryType().getElementType();
  if (!element.isF16() && !element.isBF16() && !element.isF32())
    return op.emitOpError("expected query elements of f16, bf16 or f32, found ")
           << element;
  for (auto [name, type] : {std::pair("key", op.getKeyType()),
                            std::pair("value", op.getValueType())})
    if (type.getElementType() != element)
      return op.emitOpError("expected ")
             << name << " elements of " << element << ", as query, found "
             << type.getElementType();
  Type output = op.getOutputType().getElementType();
  if (output != element && !output.isF32())
    return op.emitOpError("expected output elements of ")
           << element << ", as query, or of f32, found " << output;
  if (Value lse = op.getLse()) {
    Type lseElement = cast<ShapedType>(lse.getType()).getElementType();
    if (!lseElement.isF32())
      return op.emitOpError("expected lse elements of f32, found ")
             << lseElement;
  }
  return success();
}

static LogicalResult verifyShapes(AttentionOp op) {
  ArrayRef<int64_t> q = op.getQueryType().getShape();
  ArrayRef<int64_t> k = op.getKeyType().getShape();
  ArrayRef<int64_t> v = op.getValueType().getShape();
  ArrayRef<int64_t> o = op.getOutputType().getShape();

  for (auto [name, size] :
       {std::pair("query", q[3]), std::pair("key", k[3]),
        std::pair("value", v[3]), std::pair("output", o[3])})
    if (ShapedType::isDynamic(size) || size < 1) {
      InFlightDiagnostic diag = op.emitOpError("expected a static head dim of "
                                               "at least 1 in ");
      diag << name << ", found ";
      if (ShapedType::isDynamic(size))
        diag << "a dynamic one";
      else
        diag << size;
      return diag;
    }

  if (failed(verifySameSize(op, "head dims", "query", q[3], "key", k[3])) ||
      failed(verifySameSize(op, "head dims", "value", v[3], "output", o[3])) ||
      failed(verifySameSize(op, "batch sizes", "query", q[0], "key", k[0])) ||
      failed(verifySameSize(op, "batch sizes", "query", q[0], "value", v[0])) ||
      failed(
          verifySameSize(op, "batch sizes", "query", q[0], "output", o[0])) ||
      failed(verifySameSize(op, "head counts", "key", k[1], "value", v[1])) ||
      failed(
          verifySameSize(op, "head counts", "query", q[1], "output", o[1])) ||
      failed(verifySameSize(op, "lengths", "key", k[2], "value", v[2])) ||
      failed(verifySameSize(op, "lengths", "query", q[2], "output", o[2])))
    return failure();

  if (Value lseValue = op.getLse()) {
    ArrayRef<int64_t> lse = cast<ShapedType>(lseValue.getType()).getShape();
    if (failed(
            verifySameSize(op, "batch sizes", "query", q[0], "lse", lse[0])) ||
        failed(
            verifySameSize(op, "head counts", "query", q[1], "lse", lse[1])) ||
        failed(verifySameSize(op, "lengths", "query", q[2], "lse", lse[2])))
      return failure();
  }

  int64_t kvHeads = ShapedType::isDynamic(k[1]) ? v[1] : k[1];
  int64_t queryHeads = ShapedType::isDynamic(q[1]) ? o[1] : q[1];
  if (!ShapedType::isDynamic(kvHeads) && !ShapedType::isDynamic(queryHeads) &&
      (kvHeads == 0 ? queryHeads != 0 : queryHeads % kvHeads != 0))
    return op.emitOpError("expected the number of query heads to be a multiple "
                          "of the number of key and value heads, found ")
           << queryHeads << " and " << kvHeads;
  return success();
}

LogicalResult AttentionOp::verify() {
  if (failed(verifyOperandForms(*this)) || failed(verifyElementTypes(*this)) ||
      failed(verifyShapes(*this)))
    return failure();

  if (!getOrigin().empty() && getOrigin().size() != 4)
    return emitOpError("expected an origin of 4 indices (batch, head, query, "
                       "key), found ")
           << getOrigin().size();
  if (!getLengths().empty() && getLengths().size() != 2)
    return emitOpError("expected 2 lengths (query, key), found ")
           << getLengths().size();
  if (std::optional<APFloat> scale = getScale(); scale && !scale->isFinite())
    return emitOpError("expected a finite scale, found ")
           << scale->convertToDouble();
  if (std::optional<APFloat> scale = getScale();
      scale && !std::isfinite(static_cast<float>(scale->convertToDouble())))
    return emitOpError("expected a scale within the range of f32, found ")
           << scale->convertToDouble();

  if (getFallbackAttr() && !getScheduleAttr())
    return emitOpError("expected a schedule where there is a fallback, found ")
           << getFallbackAttr() << " alone";

  size_t numResults =
      isa<RankedTensorType>(getQuery().getType()) ? getOuts().size() : 0;
  if (getResults().size() != numResults)
    return emitOpError("expected ")
           << numResults << " results, found " << getResults().size();
  for (auto [i, result, out] :
       llvm::enumerate(getResults(), getOuts().take_front(numResults)))
    if (result.getType() != out.getType())
      return emitOpError("expected result #")
             << i << " of type " << out.getType() << ", as outs, found "
             << result.getType();
  return success();
}

LogicalResult mlir::attn::checkHeadDims(AttentionOp op) {
  for (int64_t dim : {op.getHeadDim(), op.getValueHeadDim()})
    if (dim > kMaxHeadDim)
      return op.emitOpError("expected a head dim of at most ")
             << kMaxHeadDim << ", found " << dim;
  return success();
}

/// Score regions become element-wise work on tiles, so they hold only what has
/// an element-wise form.
static LogicalResult verifyScoreOp(AttentionOp attention, Operation &op) {
  bool isKnownDialect =
      isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op.getDialect());
  bool isElementwise = op.hasTrait<OpTrait::ConstantLike>() ||
                       OpTrait::hasElementwiseMappableTraits(&op);
  if (!isKnownDialect || !isElementwise) {
    InFlightDiagnostic diag =
        op.emitError("'attn.attention' op score region expects scalar ops of "
                     "arith and math, found '")
        << op.getName() << "'";
    diag.attachNote(attention.getLoc()) << "score region of this op";
    return diag;
  }
  for (Type type :
       llvm::concat<const Type>(op.getOperandTypes(), op.getResultTypes()))
    if (!type.isIntOrIndexOrFloat()) {
      InFlightDiagnostic diag =
          op.emitError("'attn.attention' op score region expects scalars, "
                       "found a value of type ")
          << type;
      diag.attachNote(attention.getLoc()) << "score region of this op";
      return diag;
    }
  return success();
}

LogicalResult AttentionOp::verifyRegions() {
  if (!hasScore())
    return getCaptures().empty()
               ? LogicalResult(success())
               : emitOpError("expected no captures without a score region, "
                             "found ")
                     << getCaptures().size();
  if (!getScore().hasOneBlock())
    return emitOpError("expected a score region of one block, found ")
           << getScore().getBlocks().size();

  Block &body = getScore().front();
  Builder builder(getContext());
  SmallVector<Type> expected = {builder.getF32Type()};
  expected.append(4, builder.getIndexType());
  llvm::append_range(expected, getCaptures().getTypes());
  if (body.getArgumentTypes() != TypeRange(expected))
    return emitOpError("expected score region arguments (")
           << TypeRange(expected) << "), found (" << body.getArgumentTypes()
           << ")";
  if (body.empty() || !isa<YieldOp>(body.back()))
    return emitOpError("expected the score region to end in 'attn.yield'");
  for (Operation &op : body.without_terminator())
    if (failed(verifyScoreOp(*this, op)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

void AttentionOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (!isa<MemRefType>(getQuery().getType()))
    return;
  for (OpOperand *input :
       {&getQueryMutable(), &getKeyMutable(), &getValueMutable()})
    effects.emplace_back(MemoryEffects::Read::get(), input);
  for (OpOperand &out : getOutsMutable())
    effects.emplace_back(MemoryEffects::Write::get(), &out);
}

/// Dynamic sizes that disagree are undefined behaviour, so the op only moves
/// where every size is static.
Speculation::Speculatability AttentionOp::getSpeculatability() {
  bool isStaticTensor = llvm::all_of(getOperandTypes(), [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return !shaped || (isa<RankedTensorType>(type) && shaped.hasStaticShape());
  });
  return isStaticTensor ? Speculation::Speculatable
                        : Speculation::NotSpeculatable;
}

LogicalResult
AttentionOp::reifyResultShapes(OpBuilder &builder,
                               ReifiedRankedShapedTypeDims &shapes) {
  for (auto [result, out] : llvm::zip(getResults(), getOuts())) {
    SmallVector<OpFoldResult> sizes;
    for (int64_t dim = 0, e = cast<ShapedType>(out.getType()).getRank();
         dim < e; ++dim)
      sizes.push_back(getSize(builder, getLoc(), out, dim));
    shapes.push_back(std::move(sizes));
  }
  return success();
}
