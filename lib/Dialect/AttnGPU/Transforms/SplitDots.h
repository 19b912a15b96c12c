//===- SplitDots.h - Dots that are issued and awaited -----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_SPLITDOTS_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_SPLITDOTS_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::attn_gpu {

/// Turns a dot into an MMA and, behind it, the wait for that.
void splitDot(RewriterBase &rewriter, attn_tile::DotOp dot);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_SPLITDOTS_H
