//===- SweepValueOrder.h - Random values along keys -------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_ATTNC_SWEEPVALUEORDER_H
#define ATTN_TOOLS_ATTNC_SWEEPVALUEORDER_H

#include "SweepCases.h"

namespace attnc {

/// Gives the values of a third of the problems a stride of 1 along keys, and
/// draws their strides if those are dynamic. Never changes values of i4 or
/// values that are columns of the key. The types of the problem must have been
/// drawn.
void drawValueOrder(uint64_t seed, uint64_t number, SweepCase &drawn);

/// Returns strides of 1 along keys for values of the given sizes (batch entries
/// or pages, heads, keys, columns), sometimes with gaps between columns and
/// heads, and in half of the cases with columns that begin at multiples of 16
/// elements.
llvm::SmallVector<int64_t> drawColumnStrides(Dice &dice,
                                             llvm::ArrayRef<int64_t> sizes);

} // namespace attnc

#endif // ATTN_TOOLS_ATTNC_SWEEPVALUEORDER_H
