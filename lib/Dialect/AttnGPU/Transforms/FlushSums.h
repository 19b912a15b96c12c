//===- FlushSums.h - Sums that MMAs of 8 bits cut ---------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_FLUSHSUMS_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_FLUSHSUMS_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

namespace mlir::attn_gpu {

/// If wgmma must not accumulate the sums of a product over all blocks, since
/// they are to be exact sums of 8-bit products, returns the index of the sum
/// among the values that the loop over blocks carries. Otherwise returns
/// nullopt.
std::optional<unsigned> findFlushed(attn_tile::DotOp dot,
                                    ScheduleAttr schedule);

/// Lets each product for which findFlushed() returns an index be accumulated in
/// two tiles: a partial sum of few products, and a total in f32 to which the
/// partial sum is added. The kernel's tiles must have layouts. Emits an error
/// and fails if an exact sum of a loop has another form.
LogicalResult flushSums(KernelOp kernel, ScheduleAttr schedule);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_FLUSHSUMS_H
