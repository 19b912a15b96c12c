//===- GradientForm.cpp - How gradients are computed ----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/GradientForm.h"

using namespace mlir;
using namespace mlir::attn;

bool attn::storesScores(AttentionBackwardOp op,
                        TileSizesAttrInterface schedule) {
  constexpr int64_t kMostColumns = 256, kLeastRows = 128;
  if (std::max(op.getHeadDim(), op.getValueHeadDim()) <= kMostColumns ||
      schedule.getTileQ() < kLeastRows)
    return false;
  // tile_kv must divide tile_q, so that blocks of rows and of keys lie within
  // the stored tiles of P and dS.
  if (schedule.getTileQ() % schedule.getTileKv() != 0)
    return false;
  if (op.getNarrowProducts())
    return false;
  // Gradients of an op with query_rope and key_rope may be computed by stored
  // scores, too: the columns of query and query_rope, and those of key and
  // key_rope, are copied into one array each before.
  if (!op.getCaptureWrt().empty())
    return false;
  // P and dS are stored in the type in which the op computes, which must have
  // 16 bits. Arrays of other types are converted to it before.
  Type element = getComputeType(op);
  return element.isF16() || element.isBF16();
}
