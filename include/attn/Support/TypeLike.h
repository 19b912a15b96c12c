//===- TypeLike.h - Types of one shape --------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_SUPPORT_TYPELIKE_H
#define ATTN_SUPPORT_TYPELIKE_H

#include "mlir/IR/BuiltinTypeInterfaces.h"

namespace mlir::attn {

/// Returns `element`, or the vector or tensor of it that has the shape of
/// `like`.
inline Type getTypeLike(Type like, Type element) {
  if (auto shaped = dyn_cast<ShapedType>(like))
    return shaped.clone(element);
  return element;
}

} // namespace mlir::attn

#endif // ATTN_SUPPORT_TYPELIKE_H
