//===- Unused.cpp - Erases ops that raising left unused -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unused.h"
#include "Match.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::attn::raise;

/// Whether the name of an op of an unregistered dialect says that the op has no
/// effect besides its results. That holds for attention ops of other dialects
/// (isNamedAttention()) and most ops of StableHLO.
static bool isPureByName(Operation *op) {
  if (op->isRegistered())
    return false;
  if (isNamedAttention(op))
    return true;
  StringRef name = op->getName().stripDialect();
  static constexpr StringRef kEffects[] = {
      "custom_call", "infeed",    "outfeed", "send",
      "recv",        "composite", "rng",     "rng_bit_generator"};
  return op->getName().getDialectNamespace() == "stablehlo" &&
         !llvm::is_contained(kEffects, name) &&
         (op->getNumRegions() == 0 || name == "reduce");
}

void mlir::attn::raise::eraseUnused(const llvm::SetVector<Operation *> &ops) {
  // An op may be in the set before or after ops whose results it reads, so the
  // set is searched again until nothing changes.
  llvm::SetVector<Operation *> rest(ops.begin(), ops.end());
  for (bool changes = true; changes;) {
    changes = false;
    for (Operation *op : llvm::to_vector(rest)) {
      // Ops in the regions of an erased op are erased with it.
      if (!rest.contains(op) || !op->use_empty() ||
          !(isPureByName(op) || isMemoryEffectFree(op)))
        continue;
      SmallVector<Value> operands;
      op->walk([&](Operation *inner) {
        rest.remove(inner);
        llvm::append_range(operands, inner->getOperands());
      });
      for (Value operand : operands)
        if (Operation *source = operand.getDefiningOp();
            source && !op->isAncestor(source))
          if (isPureByName(source) || isMemoryEffectFree(source))
            rest.insert(source);
      op->erase();
      changes = true;
    }
  }
}
