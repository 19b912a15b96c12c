//===- AttentionVerify.cpp - Common parts of attention ops ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionVerify.h"
#include "Tiling.h"

#include "attn/Dialect/Attn/IR/ValueOrder.h"
#include "attn/Support/ElementDType.h"
#include "attn/Support/HalfBytes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

LogicalResult mlir::attn::verifyKind(AttentionInterface op, const Twine &name,
                                     ShapedType type) {
  if (isa<MemRefType>(type) == isa<MemRefType>(op.getQueryType()))
    return success();
  return op->emitOpError("expected all operands to be tensors or all to be "
                         "memrefs, found ")
         << name << " of type " << type << " and query of type "
         << op.getQueryType();
}

static ShapedType getType(const NamedArray &array) {
  return cast<ShapedType>(array.value.getType());
}

/// Verifies a value (or a gradient of one) whose stride along keys is 1: its
/// elements must not be of i4.
static LogicalResult verifyAlongKeys(Operation *op, const NamedArray &array) {
  if (!isInt4(getElementTypeOrSelf(array.value)))
    return success();
  return op->emitOpError("expected ")
         << array.name
         << " with an innermost stride of 1 where it is of i4, found one whose "
            "stride along keys is 1, "
         << array.value.getType();
}

static LogicalResult verifyForms(AttentionInterface op,
                                 ArrayRef<NamedArray> arrays) {
  for (const NamedArray &array : arrays) {
    if (array.kind == ArrayKind::Extra)
      continue;
    ShapedType type = getType(array);
    if (failed(verifyKind(op, array.name, type)))
      return failure();
    int64_t rank = array.getRank();
    if (type.getRank() != rank)
      return op->emitOpError("expected ")
             << array.name << " of rank " << rank << ", found " << type;
    if (auto memref = dyn_cast<MemRefType>(type); memref && rank > 0) {
      auto [strides, offset] = memref.getStridesAndOffset();
      if (array.kind == ArrayKind::Value && liesAlongKeys(memref)) {
        if (failed(verifyAlongKeys(op, array)))
          return failure();
        continue;
      }
      if (strides.back() != 1 && memref.getDimSize(rank - 1) != 1)
        return op->emitOpError("expected ")
               << array.name << " with an innermost stride of 1, found "
               << memref;
    }
  }
  return success();
}

static LogicalResult verifyElementTypes(AttentionInterface op,
                                        ArrayRef<NamedArray> arrays) {
  Type element = op.getQueryType().getElementType();
  bool isNarrowQuery = isFloat8(element), isForward = isa<AttentionOp>(op);
  if (!element.isF16() && !element.isBF16() && !element.isF32() &&
      !isNarrowQuery)
    return op->emitOpError("expected query elements of f16, bf16, f32, "
                           "f8E4M3FN or f8E5M2, found ")
           << element;
  Type compute = getComputeType(op);
  std::string narrow = "f8E4M3FN, f8E5M2";
  narrow += isForward ? ", i8 or i4" : " or i8";
  for (const NamedArray &array : arrays) {
    Type found = getType(array).getElementType();
    // The backward op's verifier checks the element types of gradients of
    // captures.
    if (array.kind == ArrayKind::Capture)
      continue;
    if (array.kind == ArrayKind::Sink) {
      if (!found.isF16() && !found.isBF16() && !found.isF32())
        return op->emitOpError("expected ")
               << array.name << " elements of f16, bf16 or f32, found "
               << found;
      continue;
    }
    // The element types of extra operands are checked by verifyExtras, and
    // those of gradients of query_rope and key_rope by the backward op's
    // verifier.
    if (array.kind == ArrayKind::Extra || array.hasFurtherColumns())
      continue;
    if (array.kind == ArrayKind::Row) {
      if (!found.isF32())
        return op->emitOpError("expected ")
               << array.name << " elements of f32, found " << found;
      continue;
    }
    bool isOutput = array.kind == ArrayKind::Output;
    if (!array.isOut && !isOutput) {
      if (found == element || (array.isOfKeys() && isNarrow(found) &&
                               (isForward || !isInt4(found))))
        continue;
      if (isNarrowQuery)
        return op->emitOpError("expected ")
               << array.name << " elements of " << narrow
               << ", beside a query of " << element << ", found " << found;
      return op->emitOpError("expected ")
             << array.name << " elements of " << element << ", as query"
             << (array.isOfKeys() ? ", or of " + narrow : "") << ", found "
             << found;
    }
    if (found.isF32() || (isForward && isFloat8(found)))
      continue;
    if (isOutput && isNarrowQuery) {
      if (found.isF16() || found.isBF16())
        continue;
      return op->emitOpError("expected ")
             << array.name << " elements of f16, bf16 or f32"
             << (isForward ? ", or of f8E4M3FN or f8E5M2" : "") << ", found "
             << found;
    }
    if (found != compute)
      return op->emitOpError("expected ")
             << array.name << " elements of " << compute
             << (isNarrowQuery ? ", as products" : ", as query")
             << ", or of f32, found " << found;
  }
  return success();
}

LogicalResult mlir::attn::verifyHalfBytes(Operation *op, StringRef name,
                                          ShapedType array) {
  if (!isInt4(array.getElementType()))
    return success();
  int64_t columns = array.getShape().back();
  if (columns % 2 != 0)
    return op->emitOpError("expected an even head dim in ")
           << name << " of i4, which has two elements in a byte, found "
           << columns;
  if (auto memref = dyn_cast<MemRefType>(array);
      memref && !getBytesType(memref))
    return op->emitOpError("expected an even offset and even strides of rows "
                           "in ")
           << name << " of i4, which has two elements in a byte, found "
           << memref;
  return success();
}

LogicalResult mlir::attn::verifySameSize(Operation *op, StringRef what,
                                         StringRef lhsName, int64_t lhs,
                                         StringRef rhsName, int64_t rhs) {
  if (ShapedType::isDynamic(lhs) || ShapedType::isDynamic(rhs) || lhs == rhs)
    return success();
  return op->emitOpError("expected equal ")
         << what << ", found " << lhs << " in " << lhsName << " and " << rhs
         << " in " << rhsName;
}

LogicalResult mlir::attn::verifyHeadDim(Operation *op, StringRef name,
                                        ShapedType array) {
  int64_t size = array.getShape().back();
  if (!ShapedType::isDynamic(size) && size >= 1)
    return success();
  InFlightDiagnostic diag =
      op->emitOpError("expected a static head dim of at least 1 in ");
  diag << name << ", found ";
  if (ShapedType::isDynamic(size))
    diag << "a dynamic one";
  else
    diag << size;
  return diag;
}

static LogicalResult verifyShapes(AttentionInterface op,
                                  ArrayRef<NamedArray> arrays) {
  for (const NamedArray &array : arrays)
    if (array.hasHeadDim() &&
        (failed(verifyHeadDim(op, array.name, getType(array))) ||
         failed(verifyHalfBytes(op, array.name, getType(array)))))
      return failure();

  ArrayRef<int64_t> q = op.getQueryType().getShape();
  ArrayRef<int64_t> k = op.getKeyType().getShape();
  int64_t valueDim = op.getValueHeadDim();
  if (failed(verifySameSize(op, "head dims", "query", q[3], "key", k[3])))
    return failure();
  for (const NamedArray &array : arrays) {
    if (array.kind == ArrayKind::Capture || array.kind == ArrayKind::Extra ||
        array.hasFurtherColumns())
      continue;
    if (array.kind == ArrayKind::Sink) {
      if (failed(verifySameSize(op, "head counts", "query", q[1], array.name,
                                getType(array).getDimSize(0))))
        return failure();
      continue;
    }
    ArrayRef<int64_t> shape = getType(array).getShape();
    bool hasValueDim =
        array.kind == ArrayKind::Value || array.kind == ArrayKind::Output;
    bool isOfKeys = array.isOfKeys();
    StringRef other = isOfKeys ? "key" : "query";
    ArrayRef<int64_t> same = isOfKeys ? k : q;
    if (array.kind != ArrayKind::Row &&
        failed(verifySameSize(op, "head dims", hasValueDim ? "value" : "query",
                              hasValueDim ? valueDim : q[3], array.name,
                              shape[3])))
      return failure();
    // Dimension 0 of an array is the batch size, which is compared with that of
    // the query. Keys in pages are an exception: dimension 0 of key and value
    // is then the number of pages, and that of the value is compared with that
    // of the key.
    bool isPaged = isOfKeys && op.getPages();
    if (failed(verifySameSize(op, isPaged ? "numbers of pages" : "batch sizes",
                              isPaged ? "key" : "query", isPaged ? k[0] : q[0],
                              array.name, shape[0])) ||
        failed(verifySameSize(op, "head counts", other, same[1], array.name,
                              shape[1])) ||
        failed(verifySameSize(op, "lengths", other, same[2], array.name,
                              shape[2])))
      return failure();
  }

  // Returns the number of key heads (`ofKeys`) or of query heads. It is taken
  // from the first array in which that number is static. Returns kDynamic if
  // there is no such array.
  auto getHeads = [&](bool ofKeys) {
    for (const NamedArray &array : arrays) {
      if (!array.hasLength())
        continue;
      int64_t heads = getType(array).getDimSize(1);
      if (array.isOfKeys() == ofKeys && !ShapedType::isDynamic(heads))
        return heads;
    }
    return ShapedType::kDynamic;
  };
  int64_t kvHeads = getHeads(true), queryHeads = getHeads(false);
  if (!ShapedType::isDynamic(kvHeads) && !ShapedType::isDynamic(queryHeads) &&
      (kvHeads == 0 ? queryHeads != 0 : queryHeads % kvHeads != 0))
    return op->emitOpError(
               "expected the number of query heads to be a multiple "
               "of the number of key and value heads, found ")
           << queryHeads << " and " << kvHeads;
  return success();
}

/// Verifies dropout: the op must have all of a probability from 0 to 1, a seed
/// and an offset, or none of these. Seed and offset are i64, or arrays of one
/// i64 (memrefs if the query is a memref, otherwise tensors).
static LogicalResult verifyDropout(AttentionInterface op) {
  FloatAttr probability = op.getDropoutAttr();
  for (auto [name, operand] :
       {std::pair("seed", op.getSeed()), {"offset", op.getOffset()}}) {
    if (bool(operand) != bool(probability))
      return op->emitOpError("expected a probability of dropout, a seed and an "
                             "offset, or none of them, found ")
             << (operand ? "a " : "no ") << name
             << (probability ? " beside a probability" : " without one");
    if (!operand)
      continue;
    auto type = dyn_cast<ShapedType>(operand.getType());
    if (!type)
      continue;
    if (failed(verifyKind(op, name, type)))
      return failure();
    bool isOne =
        type.getRank() == 0 || (type.getRank() == 1 && type.getDimSize(0) == 1);
    if (!type.getElementType().isSignlessInteger(64) || !isOne)
      return op->emitOpError("expected ")
             << name << " to be an i64 or an array of one, found " << type;
  }
  if (!probability)
    return success();
  double value = probability.getValueAsDouble();
  if (!(value >= 0 && value <= 1))
    return op->emitOpError("expected a probability of dropout from 0 to 1, "
                           "found ")
           << value;
  return success();
}

LogicalResult mlir::attn::verifyResults(Operation *op, bool isTensor,
                                        StringRef source) {
  auto outs = cast<DestinationStyleOpInterface>(op);
  unsigned numResults = isTensor ? outs.getNumDpsInits() : 0;
  if (op->getNumResults() != numResults)
    return op->emitOpError("expected ")
           << numResults << " results, found " << op->getNumResults();
  for (unsigned i = 0; i < numResults; ++i) {
    Type expected = outs.getDpsInitOperand(i)->get().getType();
    Type found = op->getResult(i).getType();
    if (found != expected)
      return op->emitOpError("expected result #")
             << i << " of type " << expected << ", as " << source << ", found "
             << found;
  }
  return success();
}

/// Verifies that the op has either a value or `value_dims` but not both.
/// `value_dims` is a half-open, non-empty range of columns of the key, and
/// these columns are the values. For a key of i4, both ends of the range must
/// be even.
static LogicalResult verifyValueDims(AttentionInterface op) {
  DenseI64ArrayAttr dims = op.getValueDimsAttr();
  if (!dims && !op.getValue())
    return op->emitOpError("expected a value or value_dims, found neither");
  if (!dims)
    return success();
  if (op.getValue())
    return op->emitOpError("expected a value or value_dims, found both");
  int64_t width = op.getKeyType().getShape().back();
  if (dims.size() != 2 || dims[0] < 0 || dims[0] >= dims[1] ||
      (ShapedType::isStatic(width) && dims[1] > width)) {
    InFlightDiagnostic diag = op->emitOpError(
        "expected value_dims to be the first column of the key that is the "
        "value's and the one past its last");
    if (ShapedType::isStatic(width))
      diag << ", within " << width << " columns";
    return diag << ", found " << dims.asArrayRef();
  }
  if (isInt4(op.getKeyType().getElementType()) &&
      (dims[0] % 2 != 0 || dims[1] % 2 != 0))
    return op->emitOpError("expected even value_dims of a key of i4, which has "
                           "two elements in a byte, found ")
           << dims.asArrayRef();
  return success();
}

LogicalResult mlir::attn::verifyAttention(AttentionInterface op) {
  SmallVector<NamedArray> arrays = op.getArrays();
  if (failed(verifyForms(op, arrays)) || failed(verifyValueDims(op)) ||
      failed(verifyElementTypes(op, arrays)) ||
      failed(verifyShapes(op, arrays)))
    return failure();

  if (!op.getOrigin().empty() && op.getOrigin().size() != 4)
    return op->emitOpError("expected an origin of 4 indices (batch, head, "
                           "query, key), found ")
           << op.getOrigin().size();
  if (failed(verifySequences(op)))
    return failure();
  if (FloatAttr scale = op.getScaleAttr()) {
    double value = scale.getValueAsDouble();
    if (!std::isfinite(value))
      return op->emitOpError("expected a finite scale, found ") << value;
    if (!std::isfinite(static_cast<float>(value)))
      return op->emitOpError("expected a scale within the range of f32, found ")
             << value;
  }
  if (failed(verifyDropout(op)))
    return failure();
  if (op.getFallbackAttr() && !op.getScheduleAttr())
    return op->emitOpError("expected a schedule where there is a fallback, "
                           "found ")
           << op.getFallbackAttr() << " alone";
  return verifyResults(op, isa<RankedTensorType>(op.getQuery().getType()),
                       "outs");
}

LogicalResult mlir::attn::checkHeadDims(AttentionInterface op) {
  bool isWide = !getComputeType(op).isF32();
  for (auto [name, dim, most] :
       {std::tuple("head dim", op.getHeadDim(), kMaxWideHeadDim),
        {"value head dim", op.getValueHeadDim(), kMaxWideValueDim}}) {
    int64_t limit = isWide ? most : kMaxHeadDim;
    if (dim > limit)
      return op->emitOpError("expected a ")
             << name << " of at most " << limit << ", found " << dim;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Interfaces
//===----------------------------------------------------------------------===//

void mlir::attn::addArrayEffects(
    Operation *op, SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  auto outs = cast<DestinationStyleOpInterface>(op);
  auto rowwise = dyn_cast<RowwiseInterface>(op);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    bool isOut = outs.isDpsInit(&operand);
    if (isOut)
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
    if (!isOut || (rowwise && rowwise.keepsContents(operand)))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  }
}

Speculation::Speculatability
mlir::attn::getArraySpeculatability(Operation *op) {
  bool isStaticTensor = llvm::all_of(op->getOperandTypes(), [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return !shaped || (isa<RankedTensorType>(type) && shaped.hasStaticShape());
  });
  return isStaticTensor ? Speculation::Speculatable
                        : Speculation::NotSpeculatable;
}

LogicalResult mlir::attn::reifyOutShapes(OpBuilder &builder,
                                         DestinationStyleOpInterface op,
                                         ReifiedRankedShapedTypeDims &shapes) {
  for (unsigned i = 0, e = op->getNumResults(); i < e; ++i) {
    Value out = op.getDpsInitOperand(i)->get();
    SmallVector<OpFoldResult> sizes;
    for (int64_t dim = 0, rank = cast<ShapedType>(out.getType()).getRank();
         dim < rank; ++dim)
      sizes.push_back(getSize(builder, op.getLoc(), out, dim));
    shapes.push_back(std::move(sizes));
  }
  return success();
}
