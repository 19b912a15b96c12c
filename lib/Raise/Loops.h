//===- Loops.h - Loops of StableHLO -----------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_LOOPS_H
#define ATTN_LIB_RAISE_LOOPS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include <optional>

namespace mlir::attn::raise {

/// Whether the op is a stablehlo.while whose regions and types fit each other.
bool isLoop(Operation *op);

/// Returns the operand that a loop carries unchanged to all iterations as
/// `value`, which is an argument of its body. Returns null for other values.
Value getCarriedUnchanged(Value value);

/// Returns the number of iterations of a loop that counts them in a carried
/// value from 0 on, and sets `counter` to that value in its body. Returns
/// nothing for other loops.
std::optional<int64_t> getCount(Operation *loop, Value &counter);

/// Returns the value of a scalar integer that is computed from `counter` by
/// StableHLO, where that is `number`, or nothing if it depends on other values.
std::optional<int64_t> evaluate(Value value, Value counter, int64_t number);

/// Erases the values that a loop carries, but neither uses nor returns to a
/// use: those that stay unchanged, and arrays of which each iteration only
/// overwrites a part. Adds ops that may then be unused to `unused`.
void dropCarried(Operation *loop, llvm::SetVector<Operation *> &unused);

/// Residuals of loops over layers: arrays that a loop fills, with an element
/// for each of its iterations, and that another loop, which computes gradients,
/// reads. Construction computes those of softmaxes, and of products of two
/// other residuals, once more where they are read, as jax.checkpoint would.
class LoopResiduals {
public:
  explicit LoopResiduals(Operation *function);
  /// Restores the reads of residuals in loops without gradients of attention,
  /// and erases residuals that are not read any more from loops that have
  /// gradients.
  void finish();

private:
  /// A loop that reads residuals, and the loops that fill these. Where the
  /// results of `slices` were read, the operands of `computed`, an op that only
  /// keeps them, are now.
  struct Reader {
    Operation *loop;
    llvm::SetVector<Operation *> writers;
    SmallVector<Operation *> slices;
    Operation *computed;
  };
  SmallVector<Reader> readers;
};

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_LOOPS_H
