//===- CombinePairwise.h - Reductions without a long chain ------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_COMBINEPAIRWISE_H
#define ATTN_LIB_CONVERSION_COMBINEPAIRWISE_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::attn {

/// Returns the combination of one or more values by calls of `combine`, which
/// form a balanced tree whose leaves are the values in their order. In a chain
/// of calls instead, each op would wait for the one before it.
inline Value combinePairwise(SmallVector<Value> values,
                             llvm::function_ref<Value(Value, Value)> combine) {
  while (values.size() > 1) {
    SmallVector<Value> next;
    for (size_t i = 0; i + 1 < values.size(); i += 2)
      next.push_back(combine(values[i], values[i + 1]));
    if (values.size() % 2)
      next.push_back(values.back());
    values = std::move(next);
  }
  return values.front();
}

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_COMBINEPAIRWISE_H
