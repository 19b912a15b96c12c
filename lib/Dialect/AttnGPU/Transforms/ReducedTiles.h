//===- ReducedTiles.h - What iterations add to memory -----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_REDUCEDTILES_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_REDUCEDTILES_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::attn_gpu {

/// Of the loops of a launch, the ops that a reducer runs: stores that add to
/// memory, the MMAs whose results they add, and element-wise ops between, of
/// which nothing else depends.
llvm::SetVector<Operation *> findReduced(gpu::LaunchOp launch);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_REDUCEDTILES_H
