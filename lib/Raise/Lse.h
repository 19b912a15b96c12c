//===- Lse.h - Logarithms of sums of exponentials ---------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_LSE_H
#define ATTN_LIB_RAISE_LSE_H

#include "Layout.h"

namespace mlir::attn::raise {

/// A value that is a multiple of an attention's lse: each of its elements is
/// `factor` times the lse of the row that the index variables `dims` of its
/// dimensions name.
struct LseMatch {
  Value value;
  double factor = 1;
  SmallVector<Digits> dims;
};

/// Returns the values after `op` in its block, or with a use after it, that are
/// multiples of the lse of the matched attention. `op` computes the attention's
/// result, and `layout` is that of the attention. The attention must not be one
/// that an op of another dialect computes, which has no expression of its
/// softmax.
SmallVector<LseMatch> findLse(Elements &elements, const Attention &attention,
                              const Layout &layout, Operation *op);

/// Whether `use` is of an op that comes after `op` in the same block, or that
/// is in a region of such an op.
bool isAfter(OpOperand &use, Operation *op);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_LSE_H
