//===- RepeatableOps.cpp - Ops that may run more than once ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RepeatableOps.h"

#include "attn/Support/Views.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

bool attn_gpu::isWritten(Value array, Operation *program) {
  array = attn::getViewedArray(array);
  auto visit = [&](MemoryEffectOpInterface op) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    op.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects)
      if (isa<MemoryEffects::Write>(effect.getEffect()) && effect.getValue() &&
          attn::getViewedArray(effect.getValue()) == array)
        return WalkResult::interrupt();
    return WalkResult::advance();
  };
  return program->walk(visit).wasInterrupted();
}

bool attn_gpu::isRepeatable(Operation *op, Operation *program) {
  auto effects = getEffectsRecursively(op);
  return effects && llvm::all_of(*effects, [&](auto &effect) {
           return isa<MemoryEffects::Read>(effect.getEffect()) &&
                  effect.getValue() && !isWritten(effect.getValue(), program);
         });
}
