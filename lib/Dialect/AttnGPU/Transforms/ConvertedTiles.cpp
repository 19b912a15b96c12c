//===- ConvertedTiles.cpp - Tiles that helpers compute --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvertedTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

/// Returns the converter or multiplier whose warps write the op's result to
/// shared memory, where MMAs of other roles read it. It is the converter for a
/// transpose. For a conversion from registers to shared memory, it is the role
/// whose first warp is the first warp of the input's layout. Returns null for
/// all other ops.
static RoleAttr findRole(Operation *op, ScheduleAttr schedule) {
  if (isa<TransposeOp>(op))
    return schedule.getRoles().find(RoleKind::Converter);
  auto convert = dyn_cast<ConvertLayoutOp>(op);
  if (!convert || isa_and_nonnull<MmaLayoutAttr>(
                      convert.getResult().getType().getEncoding()))
    return {};
  auto layout = dyn_cast_or_null<MmaLayoutAttr>(
      convert.getInput().getType().getEncoding());
  for (RoleAttr role : schedule.getHelpers())
    if (layout && role.getKind() != RoleKind::Reducer &&
        layout.getFirstWarp() == schedule.getFirstWarp(role))
      return role;
  return {};
}

/// Adds the op to `ops`, after the ops that compute the tiles which it reads,
/// and in the same way those that compute their tiles. Stops at, and does not
/// add, loads and ops whose results a converter or a multiplier writes to
/// shared memory.
static void take(Operation *op, ScheduleAttr schedule,
                 llvm::SetVector<Operation *> &ops) {
  for (Value operand : op->getOperands())
    if (Operation *source = operand.getDefiningOp();
        source && isa<TensorType>(operand.getType()) && !isa<LoadOp>(source) &&
        !findRole(source, schedule))
      take(source, schedule, ops);
  ops.insert(op);
}

ConvertedTiles::ConvertedTiles(KernelOp kernel, RoleAttr role) : role(role) {
  if (!role)
    return;
  ScheduleAttr schedule = kernel.getSchedule();
  kernel.walk([&](Operation *op) {
    if (findRole(op, schedule) == role)
      results.push_back(op);
  });
  for (Operation *op : results)
    take(op, schedule, ops);
}

void attn_gpu::ownConstants(llvm::SetVector<Operation *> &ops) {
  SmallVector<Operation *> constants;
  for (Operation *op : ops)
    for (OpOperand &operand : op->getOpOperands()) {
      Operation *source = operand.get().getDefiningOp();
      if (!source || ops.contains(source) ||
          !isa<TensorType>(operand.get().getType()) ||
          llvm::any_of(source->getOperandTypes(), llvm::IsaPred<TensorType>) ||
          isa<LoadOp>(source))
        continue;
      OpBuilder b(op);
      constants.push_back(b.clone(*source));
      operand.set(constants.back()->getResult(0));
      if (source->use_empty())
        source->erase();
    }
  ops.insert_range(constants);
}

/// Whether the tile is loaded or is a result of one of `ops`, or is computed
/// from such a tile by extensions, slices, unpacking and layout conversions
/// only.
static bool isLoaded(Value tile, const llvm::SetVector<Operation *> &ops) {
  while (Operation *source = tile.getDefiningOp()) {
    if (isa<LoadOp>(source) || ops.contains(source))
      return true;
    if (!isa<arith::ExtFOp, arith::SIToFPOp, tensor::ExtractSliceOp, UnpackOp,
             ConvertLayoutOp>(source))
      return false;
    tile = source->getOperand(0);
  }
  return false;
}

/// Fails with an error unless a multiplier, which runs `ops`, can compute the
/// product. Each operand must be a loaded tile, be made by one of `ops`, or be
/// extended from such a tile. The accumulator must be the result of one of
/// `ops`, such as a constant or another product.
static LogicalResult checkApart(DotOp dot,
                                const llvm::SetVector<Operation *> &ops) {
  for (Value operand : {dot.getLhs(), dot.getRhs()})
    if (!isLoaded(operand, ops))
      return dot.emitOpError("expected operands that are loaded, since the "
                             "product is apart, found ")
             << operand.getType() << " of another op";
  Operation *source = dot.getAccumulator().getDefiningOp();
  if (source && ops.contains(source))
    return success();
  return dot.emitOpError("expected an accumulator of constants, or of products "
                         "that the role ")
         << dot.getApartAttr() << " computes, found "
         << dot.getAccumulator().getType() << " of another op";
}

/// Fails with an error unless each tile that `op` reads is the result of one of
/// `ops`, which a multiplier runs.
static LogicalResult checkElementwise(Operation *op,
                                      const llvm::SetVector<Operation *> &ops) {
  for (Value operand : op->getOperands()) {
    Operation *source = operand.getDefiningOp();
    if (isa<TensorType>(operand.getType()) && !(source && ops.contains(source)))
      return op->emitOpError("expected tiles of products that are apart for "
                             "one role, and constants, found ")
             << operand.getType() << " of another op";
  }
  return success();
}

FailureOr<llvm::SetVector<Operation *>>
attn_gpu::separateApart(KernelOp kernel, RoleAttr multiplier) {
  llvm::SetVector<Operation *> ops;
  kernel.walk([&](DotOp dot) {
    if (dot.getApart() == multiplier.getName())
      ops.insert(dot);
  });
  for (size_t i = 0; i < ops.size(); ++i)
    for (Operation *user : ops[i]->getUsers()) {
      auto dot = dyn_cast<DotOp>(user);
      bool isRead = dot && dot.getAccumulator().getDefiningOp() != ops[i];
      if (isRead || ops.contains(user))
        continue;
      if (dot || !OpTrait::hasElementwiseMappableTraits(user)) {
        user->emitOpError("expected element-wise ops and products alone to "
                          "read what is computed apart, found this");
        return failure();
      }
      ops.insert(user);
    }
  ownConstants(ops);
  for (Operation *op : ops) {
    auto dot = dyn_cast<DotOp>(op);
    if (failed(dot ? checkApart(dot, ops) : checkElementwise(op, ops)))
      return failure();
  }
  return ops;
}
