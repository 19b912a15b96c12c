//===- AheadLoads.h - Loads that are wanted ahead ---------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_AHEADLOADS_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_AHEADLOADS_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

namespace mlir::attn_gpu {

/// The loads with the attribute `ahead` whose tiles are copied to shared memory
/// before they are needed. A remark at each of the kernel's other loads with
/// the attribute says why it is not among them.
struct AheadLoads {
  explicit AheadLoads(KernelOp kernel);

  /// The loads of vectors (lse, delta). Each reads a whole row of workspace. If
  /// TMA or a producer copies, it may be in any loop; otherwise it is directly
  /// in a loop over blocks.
  SmallVector<attn_tile::LoadOp> vectors;
  /// The first load of a tile (such as a bias) that is in a loop over blocks
  /// and reads an array that TMA can copy. Null if there is none, or if the
  /// schedule does not copy by TMA. There is only one, since shared memory is
  /// planned for one such tile.
  attn_tile::LoadOp pairs;
};

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_AHEADLOADS_H
