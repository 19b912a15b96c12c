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

/// The ops of a loop's body, in the order of the rotated one, each with the
/// number of iterations by which it runs late.
using StagedOps = std::vector<std::pair<Operation *, unsigned>>;

/// Rotates a loop by upstream's pipeliner: a prologue, the kernel, which is
/// returned, and an epilogue, in a branch that is taken where there are enough
/// iterations. Fails with an error at a loop that cannot be rotated.
FailureOr<scf::ForOp> rotateLoop(RewriterBase &rewriter, scf::ForOp loop,
                                 const StagedOps &schedule);

/// Gives each of the ops in the loop's body its own index arithmetic, reads of
/// positions included, which kernels do not write: it moves to the op's stage.
void separateIndices(RewriterBase &rewriter, scf::ForOp loop,
                     ArrayRef<Operation *> ops);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_LOOPROTATION_H
