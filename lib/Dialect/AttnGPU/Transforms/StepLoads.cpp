//===- StepLoads.cpp - Loads for other steps of a loop --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepLoads.h"
#include "RepeatableOps.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

/// Finds what of a loop's body computes a value from the step alone, and from
/// memory that the kernel does not write, such as a list of blocks or a table
/// of pages, if that is all it depends on.
static bool takeArithmetic(Value value, scf::ForOp loop,
                           SetVector<Operation *> &ops) {
  if (value == loop.getInductionVar() || loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody() || op->getNumRegions() > 0 ||
      !isRepeatable(op, loop->getParentOfType<KernelOp>()) ||
      !llvm::all_of(op->getOperands(), [&](Value operand) {
        return takeArithmetic(operand, loop, ops);
      }))
    return false;
  ops.insert(op);
  return true;
}

static bool dependsOnStepAlone(LoadOp load, scf::ForOp loop) {
  SetVector<Operation *> arithmetic;
  return llvm::all_of(load.getSources(),
                      [&](Value source) {
                        return loop.isDefinedOutsideOfLoop(source);
                      }) &&
         llvm::all_of(load.getIndices(), [&](Value index) {
           return takeArithmetic(index, loop, arithmetic);
         });
}

SetVector<Operation *> attn_gpu::getIndexArithmetic(LoadOp load,
                                                    scf::ForOp loop) {
  SetVector<Operation *> arithmetic;
  for (Value index : load.getIndices())
    takeArithmetic(index, loop, arithmetic);
  return arithmetic;
}

IRMapping attn_gpu::cloneForStep(OpBuilder &b,
                                 const SetVector<Operation *> &arithmetic,
                                 scf::ForOp loop, Value position) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), position);
  for (Operation *op : arithmetic)
    b.clone(*op, mapping);
  return mapping;
}

SharedLoads::SharedLoads(KernelOp kernel) {
  kernel.walk([&](LoadOp load) {
    if (!isa_and_nonnull<SharedLayoutAttr, SwizzledLayoutAttr>(
            load.getResult().getType().getEncoding()))
      return;
    auto loop = dyn_cast<scf::ForOp>(load->getParentOp());
    if (loop && dependsOnStepAlone(load, loop))
      inLoops[loop].push_back(load);
    else
      single.push_back(load);
  });
}
