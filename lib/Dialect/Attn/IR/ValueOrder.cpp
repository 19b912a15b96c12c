//===- ValueOrder.cpp - The dimension along which values lie --------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/ValueOrder.h"

using namespace mlir;
using namespace mlir::attn;

bool attn::liesAlongKeys(ShapedType type) {
  constexpr int64_t kRank = 4, kKeys = 2, kColumns = 3;
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || memref.getRank() != kRank || memref.getDimSize(kColumns) == 1)
    return false;
  SmallVector<int64_t> strides = memref.getStridesAndOffset().first;
  return strides[kColumns] != 1 && strides[kKeys] == 1;
}

bool attn::hasValueAlongKeys(AttentionInterface op) {
  auto forward = dyn_cast<AttentionOp>(op.getOperation());
  return forward && forward.getValue() &&
         liesAlongKeys(cast<ShapedType>(forward.getValue().getType()));
}
