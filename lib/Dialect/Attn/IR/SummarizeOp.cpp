//===- SummarizeOp.cpp - The op that summarizes arrays --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionVerify.h"

using namespace mlir;
using namespace mlir::attn;

/// The names that messages have.
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
