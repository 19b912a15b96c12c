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

/// If the sums of a product must be flushed, returns the index of its sum among
/// the values that the loop over blocks carries. Otherwise returns nullopt.
std::optional<unsigned> findFlushed(attn_tile::DotOp dot,
                                    ScheduleAttr schedule);

/// Accumulates each such product of a kernel whose tiles have layouts in two
/// tiles: a partial sum of few products, and a total to which it is added.
void flushSums(KernelOp kernel, ScheduleAttr schedule);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_FLUSHSUMS_H
