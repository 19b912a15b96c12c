//===- HalfBytes.h - Arrays of which a byte has two elements ----*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_SUPPORT_HALFBYTES_H
#define ATTN_SUPPORT_HALFBYTES_H

#include "attn/Support/ElementDType.h"

#include "mlir/IR/BuiltinTypes.h"

namespace mlir::attn {

/// Returns the type of a view of an array of i4 as bytes. The view has half as
/// many columns, which must be contiguous, half the offset, and half the
/// strides of the other dimensions. Returns null if the array is not of that
/// form, or one of these numbers is odd. Only the stride of a dimension of size
/// 1 may be odd.
inline MemRefType getBytesType(MemRefType source) {
  auto isEven = [](int64_t number) {
    return ShapedType::isDynamic(number) || number % 2 == 0;
  };
  auto half = [](int64_t number) {
    return ShapedType::isDynamic(number) ? number : number / 2;
  };
  SmallVector<int64_t> strides, shape(source.getShape());
  int64_t offset;
  if (!isInt4(source.getElementType()) || shape.empty() ||
      failed(source.getStridesAndOffset(strides, offset)) ||
      (strides.back() != 1 && shape.back() != 1) || !isEven(shape.back()) ||
      !isEven(offset))
    return {};
  for (size_t dim = 0; dim + 1 < shape.size(); ++dim) {
    if (!isEven(strides[dim]) && shape[dim] != 1)
      return {};
    strides[dim] = half(strides[dim]);
  }
  shape.back() = half(shape.back());
  MemRefLayoutAttrInterface layout;
  if (!source.getLayout().isIdentity())
    layout = StridedLayoutAttr::get(source.getContext(), half(offset), strides);
  return MemRefType::get(shape, IntegerType::get(source.getContext(), 8),
                         layout, source.getMemorySpace());
}

} // namespace mlir::attn

#endif // ATTN_SUPPORT_HALFBYTES_H
