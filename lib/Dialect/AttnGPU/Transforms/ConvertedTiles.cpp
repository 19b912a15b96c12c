//===- ConvertedTiles.cpp - Tiles that helpers compute --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvertedTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

/// Returns the converter or multiplier whose warps write the op's result to
/// shared memory, where other roles read it. It is the converter for a
/// transpose. For a conversion from registers to shared memory, it is the role
/// whose first warp is the first warp of the input's layout. Returns null for
/// all other ops.
static RoleAttr findRole(Operation *op, ScheduleAttr schedule) {
  if (isa<TransposeOp>(op))
    return schedule.getRoles().find(RoleKind::Converter);
  auto convert = dyn_cast<ConvertLayoutOp>(op);
  if (!convert || !isa_and_nonnull<SharedLayoutAttr, SwizzledLayoutAttr>(
                      convert.getResult().getType().getEncoding()))
    return {};
  Attribute encoding = convert.getInput().getType().getEncoding();
  if (auto slice = dyn_cast_or_null<SliceLayoutAttr>(encoding))
    encoding = slice.getParent();
  auto layout = dyn_cast_or_null<MmaLayoutAttr>(encoding);
  for (RoleAttr role : schedule.getHelpers())
    if (layout && role.getKind() != RoleKind::Reducer &&
        layout.getFirstWarp() == schedule.getFirstWarp(role))
      return role;
  return {};
}

/// Returns the operands of the op and, if it is a branch, of the ops that end
/// its regions.
static SmallVector<OpOperand *> getReads(Operation *op) {
  SmallVector<OpOperand *> reads;
  auto add = [&](Operation *reader) {
    for (OpOperand &operand : reader->getOpOperands())
      reads.push_back(&operand);
  };
  add(op);
  if (isa<scf::IfOp>(op))
    for (Region &region : op->getRegions())
      add(region.front().getTerminator());
  return reads;
}

namespace {
/// Collects ops that compute tiles and softmax states, each after the ops that
/// compute what it reads.
class TileSources {
public:
  TileSources(ScheduleAttr schedule, llvm::SetVector<Operation *> &ops)
      : schedule(schedule), ops(ops) {}

  void takeOp(Operation *op);

private:
  void take(Value value);

  ScheduleAttr schedule;
  llvm::SetVector<Operation *> &ops;
  llvm::DenseSet<Value> seen;
};
} // namespace

void TileSources::takeOp(Operation *op) {
  for (OpOperand *read : getReads(op))
    take(read->get());
  ops.insert(op);
}

/// Takes the op that computes `value`. Takes no loads, and no ops whose results
/// a converter or a multiplier writes to shared memory. If a loop over blocks
/// carries the value, takes the ops that compute its initial value and the
/// yielded one.
void TileSources::take(Value value) {
  if (!isa<TensorType, SoftmaxType>(value.getType()) ||
      !seen.insert(value).second)
    return;
  if (auto carried = getCarried(value)) {
    take(carried->loop.getInits()[carried->number]);
    take(carried->loop.getYieldedValues()[carried->number]);
    return;
  }
  Operation *source = value.getDefiningOp();
  if (source && !isa<LoadOp>(source) && !findRole(source, schedule))
    takeOp(source);
}

std::optional<CarriedValue> attn_gpu::getCarried(Value value) {
  auto result = dyn_cast<OpResult>(value);
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (auto loop = dyn_cast<ForBlocksOp>(argument.getOwner()->getParentOp()))
      result = loop.getTiedLoopResult(argument);
  auto loop = result ? dyn_cast<ForBlocksOp>(result.getOwner()) : ForBlocksOp();
  if (!loop)
    return std::nullopt;
  return CarriedValue{loop, result.getResultNumber()};
}

ConvertedTiles::ConvertedTiles(KernelOp kernel, RoleAttr role) : role(role) {
  if (!role)
    return;
  ScheduleAttr schedule = kernel.getSchedule();
  kernel.walk([&](Operation *op) {
    if (findRole(op, schedule) == role)
      results.push_back(op);
  });
  TileSources sources(schedule, ops);
  for (Operation *op : results)
    sources.takeOp(op);
}

/// Whether the op computes a tile from constants and from results of `ops`
/// alone. Several roles may run it.
static bool isOwnable(Operation *op, const llvm::SetVector<Operation *> &ops) {
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           if (!isa<TensorType, SoftmaxType>(operand.getType()))
             return true;
           Operation *source = operand.getDefiningOp();
           return source && (ops.contains(source) || isOwnable(source, ops));
         });
}

/// Lets the operand's op read a clone of the operand's source, unless one of
/// `ops` is the source or the source is not ownable. In the same way lets the
/// clone read clones. Adds the clones to `clones`.
static void ownSource(OpOperand &operand,
                      const llvm::SetVector<Operation *> &ops,
                      SmallVectorImpl<Operation *> &clones) {
  auto result = dyn_cast<OpResult>(operand.get());
  if (!result || !isa<TensorType>(result.getType()))
    return;
  Operation *source = result.getOwner();
  if (ops.contains(source) || !isOwnable(source, ops))
    return;
  OpBuilder b(operand.getOwner());
  Operation *copy = b.clone(*source);
  clones.push_back(copy);
  operand.set(copy->getResult(result.getResultNumber()));
  for (OpOperand &inner : copy->getOpOperands())
    ownSource(inner, ops, clones);
  if (source->use_empty())
    source->erase();
}

void attn_gpu::ownConstants(llvm::SetVector<Operation *> &ops) {
  SmallVector<Operation *> clones;
  for (Operation *op : ops)
    for (OpOperand *read : getReads(op))
      ownSource(*read, ops, clones);
  ops.insert_range(clones);
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
  for (OpOperand *read : getReads(op)) {
    Operation *source = read->get().getDefiningOp();
    Type type = read->get().getType();
    if (isa<TensorType>(type) && !(source && ops.contains(source)))
      return op->emitOpError("expected tiles of products that are apart for "
                             "one role, and constants, found ")
             << type << " of another op";
  }
  return success();
}

namespace {
/// Finds the ops that a multiplier runs.
class ApartOps {
public:
  explicit ApartOps(RoleAttr role) : role(role) {}

  FailureOr<llvm::SetVector<Operation *>> find(KernelOp kernel);

private:
  void insert(Operation *op);
  LogicalResult takeUser(OpOperand &use);
  LogicalResult takeCarried(CarriedValue carried, Operation *reader);

  RoleAttr role;
  llvm::SetVector<Operation *> ops;
  /// The tiles and states that the ops compute, and loops carry on.
  llvm::SetVector<Value> values;
};
} // namespace

/// Adds an op, and those of its results that only ops of the same role, or
/// products as operands, may read. Other roles may read vectors.
void ApartOps::insert(Operation *op) {
  if (!ops.insert(op))
    return;
  for (Value result : op->getResults())
    if (auto tile = dyn_cast<RankedTensorType>(result.getType());
        isa<SoftmaxType>(result.getType()) || (tile && tile.getRank() == 2))
      values.insert(result);
}

/// Adds a state that a loop carries, and its initial value.
LogicalResult ApartOps::takeCarried(CarriedValue carried, Operation *reader) {
  auto [loop, number] = carried;
  Value init = loop.getInits()[number];
  if (!isa<SoftmaxType>(init.getType()))
    return reader->emitOpError("expected a loop to carry no tile of those "
                               "that are computed apart but softmax states, "
                               "found ")
           << init.getType();
  values.insert(loop.getRegionIterArgs()[number]);
  values.insert(loop.getResult(number));
  if (auto source = init.getDefiningOp<SoftmaxInitOp>()) {
    if (!init.hasOneUse()) {
      OpBuilder b(loop);
      source = cast<SoftmaxInitOp>(b.clone(*source));
      loop.getInitsMutable()[number].set(source.getState());
    }
    ops.insert(source);
  }
  return success();
}

LogicalResult ApartOps::takeUser(OpOperand &use) {
  Operation *user = use.getOwner();
  constexpr unsigned kAccumulator = 2;
  bool isOperand = isa<DotOp>(user) && use.getOperandNumber() < kAccumulator;
  if (isOperand || ops.contains(user))
    return success();
  if (auto branch = dyn_cast<scf::IfOp>(user->getParentOp());
      branch && isa<scf::YieldOp>(user)) {
    if (!isMemoryEffectFree(branch))
      return branch.emitOpError("expected a branch without effects to yield "
                                "what is computed apart, found this");
    insert(branch);
    return success();
  }
  if (auto loop = dyn_cast<ForBlocksOp>(user->getParentOp());
      loop && isa<attn_tile::YieldOp>(user))
    return takeCarried({loop, use.getOperandNumber()}, user);
  if (auto loop = dyn_cast<ForBlocksOp>(user))
    return takeCarried({loop, use.getOperandNumber() - 1}, user);
  if (auto update = dyn_cast<SoftmaxUpdateOp>(user);
      update && !update.getAccumulators().empty())
    return update.emitOpError("expected no accumulators beside scores that are "
                              "computed apart: other roles have them, and "
                              "rescale them by attn_tile.softmax_factor");
  bool isKnown =
      isa<SoftmaxUpdateOp, SoftmaxFactorOp, SoftmaxFinishOp>(user) ||
      (!isa<DotOp>(user) && OpTrait::hasElementwiseMappableTraits(user));
  if (!isKnown)
    return user->emitOpError(
        "expected element-wise ops, softmax ops, branches and products alone "
        "to read what is computed apart, found this");
  insert(user);
  return success();
}

FailureOr<llvm::SetVector<Operation *>> ApartOps::find(KernelOp kernel) {
  kernel.walk([&](DotOp dot) {
    if (dot.getApart() == role.getName())
      insert(dot);
  });
  for (size_t i = 0; i < values.size(); ++i)
    for (OpOperand &use : llvm::make_early_inc_range(values[i].getUses()))
      if (failed(takeUser(use)))
        return failure();
  ownConstants(ops);
  for (Operation *op : ops) {
    auto dot = dyn_cast<DotOp>(op);
    if (failed(dot ? checkApart(dot, ops) : checkElementwise(op, ops)))
      return failure();
  }
  return ops;
}

FailureOr<llvm::SetVector<Operation *>>
attn_gpu::separateApart(KernelOp kernel, RoleAttr multiplier) {
  return ApartOps(multiplier).find(kernel);
}
