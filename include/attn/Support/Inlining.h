//===- Inlining.h - The inliner interface of most dialects ------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_SUPPORT_INLINING_H
#define ATTN_SUPPORT_INLINING_H

#include "mlir/Transforms/InliningUtils.h"

namespace mlir::attn {

/// The inliner interface of a dialect whose ops may be inlined into any
/// function, since their meaning does not depend on the function that contains
/// them.
struct InlineAnywhere : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
};

} // namespace mlir::attn

#endif // ATTN_SUPPORT_INLINING_H
