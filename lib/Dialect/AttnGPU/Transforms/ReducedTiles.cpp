//===- ReducedTiles.cpp - What iterations add to memory -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReducedTiles.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

/// The store and what makes its tile, down from MMAs. None if there is no MMA,
/// or if others need some of it.
static llvm::SetVector<Operation *> findReduced(StoreOp store) {
  llvm::SetVector<Operation *> ops;
  ops.insert(store);
  SmallVector<Value> work = {store.getTile()};
  bool hasMma = false;
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    // What has no tiles to begin with is there for each role.
    if (!op || op->getBlock() != store->getBlock() ||
        llvm::none_of(op->getOperandTypes(), llvm::IsaPred<TensorType>) ||
        ops.contains(op))
      continue;
    bool isMma = isa<DotOp>(op);
    if (!isMma && !OpTrait::hasElementwiseMappableTraits(op))
      return {};
    hasMma |= isMma;
    ops.insert(op);
    if (!isMma)
      llvm::append_range(work, op->getOperands());
  }
  bool isAlone = llvm::all_of(ops, [&](Operation *op) {
    return llvm::all_of(op->getUsers(),
                        [&](Operation *user) { return ops.contains(user); });
  });
  return hasMma && isAlone ? ops : llvm::SetVector<Operation *>();
}

llvm::SetVector<Operation *> attn_gpu::findReduced(gpu::LaunchOp launch) {
  llvm::SetVector<Operation *> all;
  launch.walk([&](StoreOp store) {
    if (store.getAdd() && isa<LoopLikeOpInterface>(store->getParentOp()))
      all.insert_range(::findReduced(store));
  });
  return all;
}
