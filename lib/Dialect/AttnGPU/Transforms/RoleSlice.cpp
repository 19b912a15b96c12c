//===- RoleSlice.cpp - Ops of a program that a role needs -----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoleSlice.h"
#include "RepeatableOps.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

static bool isControl(Operation *op) {
  return isa<scf::ForOp, scf::IfOp, ForBlocksOp, ForTilesOp>(op);
}

static bool isOfTile(Value value) {
  return isa<TensorType, SoftmaxType>(value.getType());
}

//===----------------------------------------------------------------------===//
// Finding the ops of a slice
//===----------------------------------------------------------------------===//

FailureOr<RoleSlice> RoleSlice::get(Block *program, ArrayRef<Operation *> roots,
                                    ArrayRef<Operation *> sources,
                                    const llvm::SetVector<Operation *> &own) {
  RoleSlice slice(program, own);
  for (Operation *source : sources) {
    slice.roots.insert(source);
    if (failed(slice.takeParents(source)))
      return failure();
  }
  for (Operation *root : roots)
    if (failed(slice.takeRoot(root)))
      return failure();
  return slice;
}

LogicalResult RoleSlice::takeRoot(Operation *root) {
  roots.insert(root);
  for (Value operand : root->getOperands())
    if (failed(take(operand, root)))
      return failure();
  return takeParents(root);
}

LogicalResult RoleSlice::takeParents(Operation *op) {
  if (op->getBlock() == program)
    return success();
  return takeControl(op->getParentOp());
}

LogicalResult RoleSlice::takeControl(Operation *op) {
  if (!isControl(op))
    return op->emitOpError("expected scf.for, scf.if, attn_tile.for_blocks or "
                           "attn_gpu.for_tiles around what a role needs, found "
                           "this");
  if (!control.try_emplace(op, op->getNumResults()).second)
    return success();
  SmallVector<Value> bounds;
  if (auto loop = dyn_cast<scf::ForOp>(op))
    bounds = {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
  else if (auto branch = dyn_cast<scf::IfOp>(op))
    bounds = {branch.getCondition()};
  else if (auto loop = dyn_cast<ForBlocksOp>(op))
    bounds = {loop.getDomain()};
  else
    llvm::append_range(bounds, op->getOperands());
  for (Value bound : bounds)
    if (failed(take(bound, op)))
      return failure();
  return takeParents(op);
}

LogicalResult RoleSlice::takeCarried(Operation *op, unsigned number) {
  if (failed(takeControl(op)))
    return failure();
  llvm::SmallBitVector &carried = control[op];
  if (carried.test(number))
    return success();
  carried.set(number);
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    if (failed(take(loop.getInits()[number], op)))
      return failure();
  for (Region &region : op->getRegions()) {
    Operation *yield = region.front().getTerminator();
    if (failed(take(yield->getOperand(number), yield)))
      return failure();
  }
  return success();
}

LogicalResult RoleSlice::take(Value value, Operation *reader) {
  Operation *parent = value.getParentBlock()->getParentOp();
  if (value.getParentBlock() != program &&
      !program->findAncestorOpInBlock(*parent))
    return success();
  Operation *definition = value.getDefiningOp();
  if (definition && roots.contains(definition))
    return success();
  if (isOfTile(value) && !mayTakeTile(value)) {
    InFlightDiagnostic error =
        reader->emitOpError("expected no tile among what copies depend on, "
                            "found one: another role has it");
    error.attachNote(value.getLoc()) << "the tile";
    return error;
  }
  if (auto result = dyn_cast<OpResult>(value)) {
    if (isControl(result.getOwner()))
      return takeCarried(result.getOwner(), result.getResultNumber());
    return takeOp(result.getOwner(), reader);
  }
  auto argument = cast<BlockArgument>(value);
  if (value.getParentBlock() == program)
    return success();
  if (auto loop = dyn_cast<LoopLikeOpInterface>(parent)) {
    unsigned numCarried = loop.getRegionIterArgs().size();
    unsigned first = argument.getOwner()->getNumArguments() - numCarried;
    if (argument.getArgNumber() >= first)
      return takeCarried(parent, argument.getArgNumber() - first);
  }
  return takeControl(parent);
}

/// Whether the role may compute the tile. The role must have ops of its own,
/// and one of these must hold: the op that defines the tile is one of them; it
/// is pure and reads no tile; or it takes columns of a tile that the role gets
/// or may compute.
bool RoleSlice::mayTakeTile(Value tile) {
  Operation *op = tile.getDefiningOp();
  if (own.empty())
    return false;
  // A tile that a loop carries or a branch yields is tested where it is
  // computed.
  if (!op || isControl(op))
    return true;
  if (auto columns = dyn_cast<ColumnsOp>(op)) {
    Operation *source = columns.getTile().getDefiningOp();
    return source && (roots.contains(source) || mayTakeTile(columns.getTile()));
  }
  return own.contains(op) ||
         (isPure(op) && llvm::none_of(op->getOperands(), isOfTile));
}

LogicalResult RoleSlice::takeOp(Operation *op, Operation *reader) {
  if (taken.contains(op))
    return success();
  if (!isRepeatable(op, program->getParentOp())) {
    InFlightDiagnostic error = op->emitOpError(
        "expected an op without effects among what copies depend on, which "
        "more than one role runs, found this");
    error.attachNote(reader->getLoc()) << "it is read here";
    return error;
  }
  taken.insert(op);
  SetVector<Value> captures;
  getUsedValuesDefinedAbove(op->getRegions(), captures);
  for (Value operand : llvm::concat<Value>(llvm::to_vector(op->getOperands()),
                                           captures.takeVector()))
    if (failed(take(operand, op)))
      return failure();
  return takeParents(op);
}

//===----------------------------------------------------------------------===//
// Cloning the ops of a slice
//===----------------------------------------------------------------------===//

void RoleSlice::clone(attn::NumberBuilder &b, EmitRoot emitRoot) {
  IRMapping mapping;
  clone(b, program, mapping, emitRoot);
}

void RoleSlice::clone(attn::NumberBuilder &b, Block *block, IRMapping &mapping,
                      EmitRoot emitRoot) {
  for (Operation &op : *block) {
    if (roots.contains(&op))
      emitRoot(b, &op, mapping);
    else if (control.contains(&op))
      cloneControl(b, &op, mapping, emitRoot);
    else if (taken.contains(&op))
      b.clone(op, mapping);
  }
}

void RoleSlice::cloneControl(attn::NumberBuilder &b, Operation *op,
                             IRMapping &mapping, EmitRoot emitRoot) {
  const llvm::SmallBitVector &carried = control[op];
  auto pick = [&](ValueRange values) {
    SmallVector<Value> picked;
    for (unsigned number : carried.set_bits())
      picked.push_back(mapping.lookupOrDefault(values[number]));
    return picked;
  };
  auto emitBody = [&](Block *from, Block *to, unsigned firstCarried) {
    unsigned next = 0;
    for (auto [i, argument] : llvm::enumerate(from->getArguments()))
      if (i < firstCarried || carried.test(i - firstCarried))
        mapping.map(argument, to->getArgument(next++));
    attn::NumberBuilder body = attn::NumberBuilder::atBlockEnd(b.getLoc(), to);
    clone(body, from, mapping, emitRoot);
    return body;
  };

  Operation *copy;
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    copy = scf::ForOp::create(b, mapping.lookupOrDefault(loop.getLowerBound()),
                              mapping.lookupOrDefault(loop.getUpperBound()),
                              mapping.lookupOrDefault(loop.getStep()),
                              pick(loop.getInitArgs()),
                              [](OpBuilder &, Location, Value, ValueRange) {});
    auto body = emitBody(loop.getBody(), cast<scf::ForOp>(copy).getBody(), 1);
    scf::YieldOp::create(body,
                         pick(loop.getBody()->getTerminator()->getOperands()));
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    SmallVector<Type> types;
    for (unsigned number : carried.set_bits())
      types.push_back(branch.getResult(number).getType());
    auto newBranch = scf::IfOp::create(
        b, types, mapping.lookupOrDefault(branch.getCondition()),
        /*addThenBlock=*/true, /*addElseBlock=*/bool(branch.elseBlock()));
    copy = newBranch;
    for (auto [from, to] :
         {std::pair(branch.thenBlock(), newBranch.thenBlock()),
          {branch.elseBlock(), newBranch.elseBlock()}}) {
      if (!from)
        continue;
      auto body = emitBody(from, to, 0);
      scf::YieldOp::create(body, pick(from->getTerminator()->getOperands()));
    }
  } else if (auto loop = dyn_cast<ForBlocksOp>(op)) {
    SmallVector<Value> inits = pick(loop.getInits());
    auto newLoop =
        ForBlocksOp::create(b, ValueRange(inits).getTypes(),
                            mapping.lookupOrDefault(loop.getDomain()), inits);
    copy = newLoop;
    Block *to = new Block();
    newLoop.getBody().push_back(to);
    to->addArguments({b.getIndexType(), b.getI1Type()},
                     {b.getLoc(), b.getLoc()});
    for (Value init : inits)
      to->addArgument(init.getType(), b.getLoc());
    Block *from = &loop.getBody().front();
    auto body = emitBody(from, to, 2);
    attn_tile::YieldOp::create(body,
                               pick(from->getTerminator()->getOperands()));
  } else {
    auto tiles = cast<ForTilesOp>(op);
    auto newTiles =
        ForTilesOp::create(b, mapping.lookupOrDefault(tiles.getCount()),
                           tiles.getCounters(), tiles.getBroadcastAttr());
    copy = newTiles;
    Block *to = new Block();
    newTiles.getBody().push_back(to);
    to->addArgument(b.getIndexType(), b.getLoc());
    emitBody(&tiles.getBody().front(), to, 1);
  }
  unsigned next = 0;
  for (unsigned number : carried.set_bits())
    mapping.map(op->getResult(number), copy->getResult(next++));
}
