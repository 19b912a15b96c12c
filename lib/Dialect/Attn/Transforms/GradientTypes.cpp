//===- GradientTypes.cpp - Types of arrays for gradients ------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GradientTypes.h"

#include "attn/Dialect/Attn/IR/ValueOrder.h"

#include "mlir/IR/BuiltinTypes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;

/// Whether two elements of an array may have one address. Dimensions of dynamic
/// sizes or strides are taken not to overlap others.
static bool mayShareAddresses(ArrayRef<int64_t> shape,
                              ArrayRef<int64_t> strides) {
  SmallVector<std::pair<uint64_t, int64_t>> dims;
  for (auto [size, stride] : llvm::zip(shape, strides))
    if (size != 1 && ShapedType::isStatic(stride))
      dims.push_back({std::abs(stride), size});
  llvm::sort(dims);
  // The distance from the first to the last element of the dimensions before.
  uint64_t reach = 0;
  for (auto [stride, size] : dims) {
    if (stride <= reach)
      return true;
    if (ShapedType::isStatic(size))
      reach = llvm::SaturatingMultiplyAdd<uint64_t>(size - 1, stride, reach);
  }
  return false;
}

Type mlir::attn::getGradientType(ShapedType type, Type element,
                                 bool mayLieAlongKeys) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return type.clone(element);
  SmallVector<int64_t> strides = memref.getStridesAndOffset().first;
  bool isWritable = strides.empty() || strides.back() == 1 ||
                    memref.getShape().back() == 1 ||
                    (mayLieAlongKeys && liesAlongKeys(memref));
  isWritable &= !mayShareAddresses(memref.getShape(), strides);
  return MemRefType::get(memref.getShape(), element,
                         isWritable ? memref.getLayout()
                                    : MemRefLayoutAttrInterface(),
                         memref.getMemorySpace());
}
