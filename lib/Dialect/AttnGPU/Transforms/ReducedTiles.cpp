//===- ReducedTiles.cpp - Tiles that are added to memory ------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReducedTiles.h"

#include "FlushSums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

/// Returns the ops by which a reducer runs a store with `add apart`: the store,
/// and the ops of its block that compute its tile, back to the MMAs. Fails with
/// an error if the store is not in a loop, or if another op reads a result of
/// these ops. Also fails if one of them is neither an MMA nor element-wise, or
/// if none is an MMA.
static FailureOr<llvm::SetVector<Operation *>> findReduced(StoreOp store) {
  llvm::SetVector<Operation *> ops;
  ops.insert(store);
  if (!isa<LoopLikeOpInterface>(store->getParentOp())) {
    store.emitOpError(
        "expected a loop around a store with 'add apart', found '")
        << store->getParentOp()->getName() << "'";
    return failure();
  }
  SmallVector<Value> work = {store.getTile()};
  bool hasMma = false;
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    // Ops that read no tiles, such as constants, are left out, since each role
    // that needs the result of such an op computes it again.
    if (!op || op->getBlock() != store->getBlock() ||
        llvm::none_of(op->getOperandTypes(), llvm::IsaPred<TensorType>) ||
        !ops.insert(op))
      continue;
    if (isa<DotOp>(op)) {
      hasMma = true;
      continue;
    }
    if (!OpTrait::hasElementwiseMappableTraits(op)) {
      store.emitOpError("expected only products and element-wise ops in the "
                        "tile of 'add apart', found '")
          << op->getName() << "'";
      return failure();
    }
    llvm::append_range(work, op->getOperands());
  }
  if (!hasMma) {
    store.emitOpError(
        "expected a product in the tile of 'add apart', found none");
    return failure();
  }
  for (Operation *op : ops)
    for (Operation *user : op->getUsers())
      if (!ops.contains(user)) {
        InFlightDiagnostic error =
            store.emitOpError("expected the tile of 'add apart' to have no "
                              "other use, found '")
            << op->getName() << "' used elsewhere";
        error.attachNote(user->getLoc()) << "it is used here";
        return failure();
      }
  return ops;
}

FailureOr<llvm::SetVector<Operation *>> attn_gpu::findReduced(KernelOp kernel) {
  llvm::SetVector<Operation *> all;
  WalkResult result = kernel.walk([&](StoreOp store) {
    if (!store.getApart())
      return WalkResult::advance();
    FailureOr<llvm::SetVector<Operation *>> ops = ::findReduced(store);
    if (failed(ops))
      return WalkResult::interrupt();
    all.insert_range(*ops);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return all;
}

int64_t
attn_gpu::countAccumulators(KernelOp kernel,
                            const llvm::SetVector<Operation *> &reduced) {
  int64_t elements = 0;
  kernel.walk([&](DotOp dot) {
    if (reduced.contains(dot))
      return;
    RankedTensorType tile = dot.getResult().getType();
    auto layout = dyn_cast_or_null<MmaLayoutAttr>(tile.getEncoding());
    int64_t own = tile.getNumElements() * (layout ? layout.getCopies() : 1);
    elements += findFlushed(dot, kernel.getSchedule()) ? 2 * own : own;
  });
  return elements;
}

bool attn_gpu::mayDivideColumns(StoreOp store) {
  Value tile = store.getTile();
  while (!isa_and_nonnull<DotOp>(tile.getDefiningOp())) {
    Operation *op = tile.getDefiningOp();
    // A tile without a defining op is a value that a loop carries. The loop
    // needs all of its columns at once, so they cannot be divided.
    if (!op)
      return false;
    auto tiles = llvm::make_filter_range(op->getOperands(), [](Value operand) {
      Operation *source = operand.getDefiningOp();
      return isa<TensorType>(operand.getType()) &&
             (!source || llvm::any_of(source->getOperandTypes(),
                                      llvm::IsaPred<TensorType>));
    });
    if (!llvm::hasSingleElement(tiles))
      return false;
    tile = *tiles.begin();
  }
  return !cast<DotOp>(tile.getDefiningOp()).getTransposeRhs();
}

Value attn_gpu::cloneColumns(attn::NumberBuilder &b, Value tile, int64_t first,
                             int64_t count, const IRMapping &mapping) {
  auto narrow = [&](Type type) {
    auto whole = cast<RankedTensorType>(type);
    return RankedTensorType::get({whole.getDimSize(0), count},
                                 whole.getElementType(), whole.getEncoding());
  };
  auto clone = [&](Value operand) {
    return cloneColumns(b, operand, first, count, mapping);
  };
  Operation *op = tile.getDefiningOp();
  IRMapping operands = mapping;
  if (auto dot = dyn_cast<DotOp>(op)) {
    Value rhs = mapping.lookupOrDefault(dot.getRhs());
    if (cast<RankedTensorType>(rhs.getType()).getDimSize(1) != count)
      rhs = ColumnsOp::create(b, narrow(rhs.getType()), rhs, first);
    operands.map(dot.getRhs(), rhs);
    operands.map(dot.getAccumulator(), clone(dot.getAccumulator()));
  } else {
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()))
        operands.map(operand, clone(operand));
  }
  Operation *copy = b.clone(*op, operands);
  Type type = narrow(tile.getType());
  if (auto constant = dyn_cast<arith::ConstantOp>(copy))
    constant.setValueAttr(cast<SplatElementsAttr>(constant.getValue())
                              .resizeSplat(cast<ShapedType>(type)));
  copy->getResult(0).setType(type);
  return copy->getResult(0);
}
