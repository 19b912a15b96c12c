//===- LoadVectorsAhead.h - Vectors of the next iteration -------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_LOADVECTORSAHEAD_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_LOADVECTORSAHEAD_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

namespace mlir::attn_gpu {

/// Makes loops read the vectors of layout #attn_gpu.spread that their next
/// iteration needs, before anything else in an iteration.
void loadVectorsAhead(KernelOp kernel);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_LOADVECTORSAHEAD_H
