//===- RingLoads.h - TMA without a producer ---------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_RINGLOADS_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_RINGLOADS_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

namespace mlir::attn_gpu {

/// Loads of tiles in shared memory through rings, which the first thread of the
/// kernel's warps fills.
LogicalResult loadThroughRings(KernelOp kernel, ScheduleAttr schedule,
                               const attn::Chip &chip);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_RINGLOADS_H
