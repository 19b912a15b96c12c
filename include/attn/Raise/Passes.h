//===- Passes.h - Attention in IR that others wrote -------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_RAISE_PASSES_H
#define ATTN_RAISE_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::attn {

#define GEN_PASS_DECL
#include "attn/Raise/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "attn/Raise/Passes.h.inc"

} // namespace mlir::attn

#endif // ATTN_RAISE_PASSES_H
