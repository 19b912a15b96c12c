//===- RowwiseVerify.cpp - Common parts of ops on rows --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionVerify.h"

#include "attn/Dialect/Attn/IR/ValueOrder.h"
#include "attn/Support/ElementDType.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::attn;

static ShapedType getShaped(Value array) {
  return cast<ShapedType>(array.getType());
}

SmallVector<Type, 3> mlir::attn::getFloats(MLIRContext *context) {
  return {Float16Type::get(context), BFloat16Type::get(context),
          Float32Type::get(context)};
}

int64_t EqualSizes::Dim::getStatic() const {
  int64_t size = getShaped(value).getDimSize(dim);
  return ShapedType::isDynamic(size) ? size : llvm::divideCeil(size, part);
}

void mlir::attn::requireEqual(SmallVectorImpl<EqualSizes> &sizes,
                              StringRef what, const EqualSizes::Dim &first,
                              ArrayRef<EqualSizes::Dim> others) {
  for (const EqualSizes::Dim &other : others)
    if (other.value)
      sizes.push_back({what, first, other});
}

LogicalResult mlir::attn::verifyEqualSizes(Operation *op,
                                           ArrayRef<EqualSizes> all) {
  for (const EqualSizes &sizes : all)
    if (failed(verifySameSize(op, sizes.what, sizes.lhs.name,
                              sizes.lhs.getStatic(), sizes.rhs.name,
                              sizes.rhs.getStatic())))
      return failure();
  return success();
}

/// Whether the array is the value cache of attn.append, its stride along keys
/// is 1 and its elements are not of i4.
static bool isCacheAlongKeys(RowwiseInterface op, const ArrayOperand &array) {
  auto append = dyn_cast<AppendOp>(op.getOperation());
  return append && array.value == append.getValueCache() &&
         liesAlongKeys(getShaped(array.value)) &&
         !isInt4(getElementTypeOrSelf(array.value));
}

static LogicalResult verifyArray(RowwiseInterface op, const ArrayOperand &array,
                                 const ArrayOperand &first) {
  ShapedType type = getShaped(array.value);
  if (isa<MemRefType>(type) != isa<MemRefType>(first.value.getType()))
    return op->emitOpError("expected all operands to be tensors or all to be "
                           "memrefs, found ")
           << array.name << " of type " << type << " and " << first.name
           << " of type " << first.value.getType();
  if (type.getRank() != array.rank)
    return op->emitOpError("expected ")
           << array.name << " of rank " << array.rank << ", found " << type;
  if (auto memref = dyn_cast<MemRefType>(type);
      memref && array.rank > 0 && !array.hasAnyStride) {
    auto [strides, offset] = memref.getStridesAndOffset();
    if (strides.back() != 1 && memref.getDimSize(array.rank - 1) != 1 &&
        !isCacheAlongKeys(op, array))
      return op->emitOpError("expected ")
             << array.name << " with an innermost stride of 1, found "
             << memref;
  }
  if (!llvm::is_contained(array.elements, type.getElementType())) {
    InFlightDiagnostic diag = op->emitOpError("expected ")
                              << array.name << " elements of ";
    for (auto [i, element] : llvm::enumerate(array.elements)) {
      bool isLast = i + 1 == array.elements.size();
      diag << (i == 0 ? "" : isLast ? " or " : ", ") << element;
    }
    return diag << ", found " << type.getElementType();
  }
  return array.hasHeadDim ? verifyHeadDim(op, array.name, type) : success();
}

LogicalResult mlir::attn::verifyRowwise(RowwiseInterface op) {
  SmallVector<ArrayOperand> arrays = op.getArrays();
  for (const ArrayOperand &array : arrays)
    if (failed(verifyArray(op, array, arrays.front())))
      return failure();
  if (failed(verifyEqualSizes(op, op.getEqualSizes())))
    return failure();
  return verifyResults(op,
                       isa<RankedTensorType>(arrays.front().value.getType()),
                       "what it is written to");
}

LogicalResult mlir::attn::checkHeadDims(RowwiseInterface op) {
  for (const ArrayOperand &array : op.getArrays()) {
    int64_t dim =
        array.hasHeadDim ? getShaped(array.value).getShape().back() : 0;
    if (dim > kMaxWideHeadDim)
      return op->emitOpError("expected a head dim of at most ")
             << kMaxWideHeadDim << ", found " << dim;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The op that summarizes arrays
//===----------------------------------------------------------------------===//

/// The names of the operands of attn.summarize in messages.
static constexpr StringLiteral kArray = "the array", kSummary = "the summary";

void mlir::attn::addSummarySizes(Value array, StringRef arrayName,
                                 Value summary, StringRef summaryName,
                                 SmallVectorImpl<EqualSizes> &sizes) {
  int64_t rank = cast<ShapedType>(array.getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim) {
    bool isOfCells = dim >= rank - 2;
    sizes.push_back(
        {isOfCells ? "numbers of cells" : "sizes",
         {arrayName.str(), array, dim, isOfCells ? kSummaryCell : int64_t(1)},
         {summaryName.str(), summary, dim}});
  }
}

//===----------------------------------------------------------------------===//
// RowwiseInterface
//===----------------------------------------------------------------------===//

int64_t SummarizeOp::getHostRows() { return 16; }

SmallVector<ArrayOperand> SummarizeOp::getArrays() {
  auto type = cast<ShapedType>(getArray().getType());
  MLIRContext *context = getContext();
  SmallVector<Type, 3> integers;
  for (unsigned width : {1, 8, 16, 32, 64})
    integers.push_back(IntegerType::get(context, width));
  return {{kArray.str(), getArray(), type.getRank(), integers},
          {kSummary.str(),
           getSummary(),
           type.getRank() + 1,
           {IntegerType::get(context, 32)}}};
}

SmallVector<EqualSizes> SummarizeOp::getEqualSizes() {
  SmallVector<EqualSizes> sizes;
  addSummarySizes(getArray(), kArray, getSummary(), kSummary, sizes);
  return sizes;
}

//===----------------------------------------------------------------------===//
// Verifier and effects
//===----------------------------------------------------------------------===//

LogicalResult SummarizeOp::verify() {
  if (getOuts().size() != 1)
    return emitOpError("expected 1 out (the summary), found ")
           << getOuts().size();
  auto type = cast<ShapedType>(getArray().getType());
  if (type.getRank() < 2)
    return emitOpError("expected an array of rank 2 at least, found ") << type;
  if (failed(verifyRowwise(*this)))
    return failure();
  auto summary = cast<ShapedType>(getSummary().getType());
  if (summary.getShape().back() != 2)
    return emitOpError("expected a summary whose last dimension has size 2, "
                       "found ")
           << summary;
  return success();
}
