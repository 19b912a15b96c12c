//===- GradientForm.cpp - How gradients are computed ----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/GradientForm.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;

bool attn::storesScores(AttentionBackwardOp op,
                        TileSizesAttrInterface schedule) {
  constexpr int64_t kMostColumns = 256, kLeastRows = 128;
  if (std::max(op.getHeadDim(), op.getValueHeadDim()) <= kMostColumns ||
      schedule.getTileQ() < kLeastRows)
    return false;
  // Blocks of rows and keys lie within tiles of P and dS.
  if (schedule.getTileQ() % schedule.getTileKv() != 0)
    return false;
  // Columns in two arrays each are joined before, and then are in one.
  if (!op.getCaptureWrt().empty() || !op.getPacked().empty() ||
      op.hasMaskRegion() || op.getRopeColumns() != 0)
    return false;
  // Programs go over the columns of both products at once. TMA reads nothing
  // past the last column, but not where maps are of slices of a sequence: there
  // no panel of a block may begin past it.
  constexpr int64_t kPanel = 64;
  int64_t ofKeys = llvm::alignTo(op.getHeadDim(), kPanel);
  int64_t ofValues = llvm::alignTo(op.getValueHeadDim(), kPanel);
  bool mayBeCut =
      op.isRagged() || !op.getLengths().empty() || !op.getOrigin().empty();
  if (mayBeCut && (ofKeys != ofValues || ofKeys % schedule.getTileKv() != 0))
    return false;
  Type element = getComputeType(op);
  if (!element.isF16() && !element.isBF16())
    return false;
  return llvm::all_of(
      ValueRange{op.getQuery(), op.getKey(), op.getValue(), op.getDOutput()},
      [&](Value array) { return getElementTypeOrSelf(array) == element; });
}
