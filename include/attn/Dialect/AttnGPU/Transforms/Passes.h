//===- Passes.h - Passes on tile programs -----------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_TRANSFORMS_PASSES_H
#define ATTN_DIALECT_ATTNGPU_TRANSFORMS_PASSES_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

#include "mlir/Pass/Pass.h"

namespace mlir::attn_gpu {

#define GEN_PASS_DECL
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_TRANSFORMS_PASSES_H
