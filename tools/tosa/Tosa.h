//===- Tosa.h - Lowers TOSA to linalg ---------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_TOSA_TOSA_H
#define ATTN_TOOLS_TOSA_TOSA_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::attn {

/// Adds upstream's passes that lower ops of TOSA in functions to linalg,
/// tensor and arith, in which attn-raise finds attention. The passes are of the
/// module. They fail with an error at an op that upstream does not lower.
void buildTosaLowering(OpPassManager &pm);

/// Registers upstream's passes that lower TOSA, and the pipeline
/// attn-lower-tosa, which is buildTosaLowering().
void registerTosaPasses();

/// Adds the dialect TOSA to `registry`.
void registerTosaDialect(DialectRegistry &registry);

} // namespace mlir::attn

#endif // ATTN_TOOLS_TOSA_TOSA_H
