//===- VectorElements.h - The elements of a vector --------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_VECTORELEMENTS_H
#define ATTN_LIB_CONVERSION_VECTORELEMENTS_H

#include "attn/Support/NumberBuilder.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::attn {

inline SmallVector<Value> getElements(NumberBuilder &b, Value vector) {
  SmallVector<Value> elements;
  int64_t count = cast<VectorType>(vector.getType()).getNumElements();
  for (int64_t i = 0; i < count; ++i)
    elements.push_back(vector::ExtractOp::create(b, vector, i));
  return elements;
}

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_VECTORELEMENTS_H
