//===- LoopRotation.h - Loops with ops of several iterations ----*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_LOOPROTATION_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_LOOPROTATION_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::attn_gpu {

/// The ops of a loop's body in the order of the pipelined loop, each with its
/// stage: the number of iterations by which it runs late.
using StagedOps = std::vector<std::pair<Operation *, unsigned>>;

/// Pipelines a loop by the pipeliner of MLIR's scf dialect, and returns the
/// pipelined loop. Prologue, pipelined loop and epilogue are put into a branch
/// that is taken if there are enough iterations. The other branch runs the few
/// iterations that there are. Fails with an error at a loop that cannot be
/// pipelined.
FailureOr<scf::ForOp> rotateLoop(RewriterBase &rewriter, scf::ForOp loop,
                                 const StagedOps &schedule);

/// Gives each of `ops` its own copy of the arithmetic of the loop's body that
/// computes its operands, so that the copy can move to the op's stage. Loads of
/// positions from memory are copied as well, since kernels do not write such
/// memory.
void separateIndices(RewriterBase &rewriter, scf::ForOp loop,
                     ArrayRef<Operation *> ops);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_LOOPROTATION_H
