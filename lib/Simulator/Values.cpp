//===- Values.cpp - Values at run time ------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;

int64_t View::getAddress(ArrayRef<int64_t> indices) const {
  int64_t element = offset;
  for (auto [index, stride] : llvm::zip(indices, strides))
    element += index * stride;
  return base + element * getByteSize(dtype);
}

int64_t sim::wrapInteger(Type type, int64_t value) {
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.getWidth() >= 64)
    return value;
  if (integer.getWidth() == 1)
    return value & 1;
  return llvm::SignExtend64(static_cast<uint64_t>(value), integer.getWidth());
}

float sim::roundFloat(Type type, float value) {
  if (type.isF16())
    return static_cast<float>(roundTo(DType::F16, value));
  if (type.isBF16())
    return static_cast<float>(roundTo(DType::BF16, value));
  return value;
}
