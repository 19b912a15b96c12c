//===- ElementDType.h - Element types as dtypes of arrays -------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_SUPPORT_ELEMENTDTYPE_H
#define ATTN_SUPPORT_ELEMENTDTYPE_H

#include "attn/Support/ArrayView.h"

#include "mlir/IR/BuiltinTypes.h"

#include <optional>

namespace mlir::attn {

/// Whether a type is one of the 8-bit float types that programs support:
/// f8E4M3FN or f8E5M2.
inline bool isFloat8(Type element) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(element);
}

/// Whether arrays of this element type store two elements in each byte.
inline bool isInt4(Type element) { return element.isSignlessInteger(4); }

/// Whether a type of at most 8 bits is allowed for keys and values while the
/// query has another type. The elements of keys and values are then extended to
/// the query's type.
inline bool isNarrow(Type element) {
  return isFloat8(element) || element.isSignlessInteger(8) || isInt4(element);
}

/// Returns the DType of arrays with the element type `element`, or std::nullopt
/// if there is none.
inline std::optional<DType> getDType(Type element) {
  if (element.isF16())
    return DType::F16;
  if (element.isBF16())
    return DType::BF16;
  if (element.isF32())
    return DType::F32;
  if (isa<Float8E4M3FNType>(element))
    return DType::F8E4M3FN;
  if (isa<Float8E5M2Type>(element))
    return DType::F8E5M2;
  if (element.isSignlessInteger(1))
    return DType::I1;
  if (isInt4(element))
    return DType::I4;
  if (element.isSignlessInteger(8))
    return DType::I8;
  if (element.isSignlessInteger(16))
    return DType::I16;
  if (element.isSignlessInteger(32))
    return DType::I32;
  if (element.isSignlessInteger(64))
    return DType::I64;
  return std::nullopt;
}

} // namespace mlir::attn

#endif // ATTN_SUPPORT_ELEMENTDTYPE_H
