//===- ArgumentArrays.cpp - Arrays that may be arguments ------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArgumentArrays.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::attn;

/// Whether a value of the type may have the address of an array: it is a
/// tensor, a memref, or of another dialect's type, such as a pointer.
static bool isArray(Type type) {
  return !type.isIntOrIndexOrFloat() && !isa<VectorType, ComplexType>(type);
}

/// Adds the values that a region op passes to `value`, which is a result of the
/// op or an argument of the first block of one of its regions. Fails if the op
/// does not say which values these are.
static LogicalResult addPassedValues(RegionBranchOpInterface op, Value value,
                                     SmallVectorImpl<Value> &sources) {
  SmallVector<RegionSuccessor> successors;
  op.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  for (Region &region : op->getRegions())
    op.getSuccessorRegions(region, successors);
  for (RegionSuccessor successor : successors) {
    ValueRange inputs = successor.getSuccessorInputs();
    auto found = llvm::find(inputs, value);
    if (found == inputs.end())
      continue;
    op.getPredecessorValues(successor, std::distance(inputs.begin(), found),
                            sources);
    return success();
  }
  return failure();
}

/// Adds the values that branches pass to an argument of a block that is not the
/// first of its region. Fails if a branch does not say which value that is.
static LogicalResult addBranchedValues(BlockArgument argument,
                                       SmallVectorImpl<Value> &sources) {
  Block *block = argument.getOwner();
  for (auto it = block->pred_begin(), end = block->pred_end(); it != end;
       ++it) {
    auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
    if (!branch)
      return failure();
    Value passed = branch.getSuccessorOperands(
        it.getSuccessorIndex())[argument.getArgNumber()];
    if (!passed)
      return failure();
    sources.push_back(passed);
  }
  return success();
}

/// Adds the arrays of which the result of an op without regions may be a part.
/// Fails if the op makes a memref without an allocation and without an array as
/// an operand.
static LogicalResult addOperands(OpResult result,
                                 SmallVectorImpl<Value> &sources) {
  Operation *op = result.getOwner();
  if (auto view = dyn_cast<ViewLikeOpInterface>(op)) {
    sources.push_back(view.getViewSource());
    return success();
  }
  bool isTensor = isa<TensorType>(result.getType());
  if (isTensor &&
      !isa<arith::SelectOp, tensor::CastOp, tensor::ExtractSliceOp,
           tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ReshapeOp,
           bufferization::ToTensorOp, UnrealizedConversionCastOp>(op))
    return success();
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (effects &&
      effects.getEffectOnValue<MemoryEffects::Allocate>(result).has_value())
    return success();
  // An op that reads from memory may return the address of any array.
  if (!isTensor && !isMemoryEffectFree(op))
    return failure();
  size_t before = sources.size();
  llvm::append_range(sources, op->getOperands());
  bool hasArray =
      llvm::any_of(ArrayRef(sources).drop_front(before),
                   [](Value source) { return isArray(source.getType()); });
  // A global, and a constant, have no operands and no effects.
  bool isConstant = op->getNumOperands() == 0 && isMemoryEffectFree(op);
  return success(hasArray || isConstant);
}

static LogicalResult addSources(Value array, SmallVectorImpl<Value> &sources) {
  if (auto result = dyn_cast<OpResult>(array)) {
    if (auto op = dyn_cast<RegionBranchOpInterface>(result.getOwner()))
      return addPassedValues(op, array, sources);
    return result.getOwner()->getNumRegions() == 0 ||
                   isa<TensorType>(array.getType())
               ? addOperands(result, sources)
               : failure();
  }
  auto argument = cast<BlockArgument>(array);
  if (!argument.getOwner()->isEntryBlock())
    return addBranchedValues(argument, sources);
  auto op =
      dyn_cast<RegionBranchOpInterface>(argument.getOwner()->getParentOp());
  return op ? addPassedValues(op, array, sources) : failure();
}

bool attn::mayBeArgument(Value array) {
  SmallVector<Value> pending = {array};
  llvm::SmallDenseSet<Value> seen;
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    // An argument of the function has no sources, so addSources fails for it.
    if (isArray(value.getType()) && seen.insert(value).second &&
        failed(addSources(value, pending)))
      return true;
  }
  return false;
}

/// Whether a value is a memref, or a pointer, that may be an argument.
static bool isArgumentMemory(Value value) {
  return !isa<TensorType>(value.getType()) && attn::mayBeArgument(value);
}

bool attn::mayWriteToArgument(Operation *op) {
  auto found = op->walk([](Operation *inner) {
    auto effects = getEffectsRecursively(inner);
    bool mayWrite =
        effects ? llvm::any_of(*effects,
                               [](MemoryEffects::EffectInstance &effect) {
                                 Value array = effect.getValue();
                                 return array &&
                                        isa<MemoryEffects::Write>(
                                            effect.getEffect()) &&
                                        isArgumentMemory(array);
                               })
                : llvm::any_of(inner->getOperands(), isArgumentMemory);
    return mayWrite ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found.wasInterrupted();
}
