//===- Views.h - Arrays that views show -------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_SUPPORT_VIEWS_H
#define ATTN_SUPPORT_VIEWS_H

#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlir::attn {

/// Returns the array that `view` shows, directly or through other views, or
/// `view` itself if no op with ViewLikeOpInterface makes it.
inline Value getViewedArray(Value view) {
  while (auto source = view.getDefiningOp<ViewLikeOpInterface>())
    view = source.getViewSource();
  return view;
}

} // namespace mlir::attn

#endif // ATTN_SUPPORT_VIEWS_H
