//===- KernelArguments.cpp - Arguments from launches to kernels -----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelArguments.h"

#include "attn/Dialect/AttnTile/IR/AttnTile.h"
#include "attn/Support/NumberBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::attn_gpu;

/// Returns the op that states the sizes of an array: workspace, an allocation,
/// or a slice that drops no dimension, possibly with casts after it. Returns
/// null for all other arrays.
static Operation *findOrigin(Value array) {
  while (auto cast = array.getDefiningOp<memref::CastOp>())
    array = cast.getSource();
  if (auto slice = array.getDefiningOp<memref::SubViewOp>())
    return slice.getDroppedDims().none() ? slice : nullptr;
  Operation *op = array.getDefiningOp();
  return isa_and_nonnull<attn_tile::WorkspaceOp, memref::AllocOp>(op) ? op
                                                                      : nullptr;
}

namespace {
class Isolation {
public:
  explicit Isolation(KernelOp kernel)
      : body(kernel.getBody().front()),
        b(kernel.getLoc(), kernel.getContext()) {
    b.setInsertionPointToStart(&body);
  }
  SmallVector<Value> run();

private:
  Value bringIn(Value value);
  void describe(Value argument, Operation *origin);

  Block &body;
  attn::NumberBuilder b;
  IRMapping mapping;
  SmallVector<Value> outer;
};
} // namespace

Value Isolation::bringIn(Value value) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  if (Operation *op = value.getDefiningOp();
      op && op->hasTrait<OpTrait::ConstantLike>())
    return b.clone(*op, mapping)->getResult(0);
  outer.push_back(value);
  Value argument = body.addArgument(value.getType(), value.getLoc());
  mapping.map(value, argument);
  if (isa<MemRefType>(value.getType()))
    if (Operation *origin = findOrigin(value))
      describe(argument, origin);
  return argument;
}

void Isolation::describe(Value argument, Operation *origin) {
  auto type = cast<MemRefType>(argument.getType());
  SmallVector<OpFoldResult> mixed =
      llvm::TypeSwitch<Operation *, SmallVector<OpFoldResult>>(origin)
          .Case<attn_tile::WorkspaceOp, memref::AllocOp, memref::SubViewOp>(
              [](auto op) { return op.getMixedSizes(); });
  SmallVector<Value> sizes;
  for (auto [i, size] : llvm::enumerate(mixed)) {
    if (!type.isDynamicDim(i))
      continue;
    auto value = dyn_cast<Value>(size);
    sizes.push_back(value ? bringIn(value)
                          : b.index(*getConstantIntValue(size)));
  }
  ArrayOp::create(b, argument, sizes,
                  isa<attn_tile::WorkspaceOp>(origin) &&
                      type.getLayout().isIdentity());
}

SmallVector<Value> Isolation::run() {
  Region &region = *body.getParent();
  SmallVector<OpOperand *> uses;
  region.walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (!region.isAncestor(operand.get().getParentRegion()))
        uses.push_back(&operand);
  });
  for (OpOperand *use : uses)
    use->set(bringIn(use->get()));
  return outer;
}

SmallVector<Value> attn_gpu::isolateKernel(KernelOp kernel) {
  return Isolation(kernel).run();
}
