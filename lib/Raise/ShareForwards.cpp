//===- ShareForwards.cpp - One op for an output and its gradients ---------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gradient.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::attn;

/// Whether two values are known to be equal: they are the same value, or the
/// same results of equal ops without memory effects, whose operands are equal
/// in this sense.
static bool areSame(Value lhs, Value rhs, unsigned depth = 16) {
  if (lhs == rhs)
    return true;
  auto left = dyn_cast<OpResult>(lhs), right = dyn_cast<OpResult>(rhs);
  if (!left || !right || left.getResultNumber() != right.getResultNumber() ||
      depth == 0 || !isMemoryEffectFree(left.getOwner()))
    return false;
  // Maps each value that is defined in the regions of the first op to the equal
  // value in those of the second op.
  llvm::DenseMap<Value, Value> equal;
  return OperationEquivalence::isEquivalentTo(
      left.getOwner(), right.getOwner(),
      [&](Value one, Value other) {
        return success(equal.lookup(one) == other ||
                       areSame(one, other, depth - 1));
      },
      [&](Value one, Value other) { equal[one] = other; },
      OperationEquivalence::IgnoreLocations);
}

/// Returns how many values each group of operands of the op has. The last group
/// is the outs.
static ArrayRef<int32_t> getSegments(AttentionOp op) {
  return op.getProperties().operandSegmentSizes;
}

/// Returns the attributes of the op other than those with the sizes of its
/// groups of operands and results.
static SmallVector<NamedAttribute> getOptions(AttentionOp op) {
  return llvm::filter_to_vector(
      op->getAttrDictionary(), [](NamedAttribute its) {
        return !its.getName().getValue().ends_with("SegmentSizes");
      });
}

/// Whether the attention ops `output`, which has one result, and `withLse`,
/// which also computes an lse, compute the same output.
static bool areSame(AttentionOp output, AttentionOp withLse) {
  unsigned outsOfOutput = output.getOuts().size(),
           outsOfOther = withLse.getOuts().size();
  ValueRange inputs = output->getOperands().drop_back(outsOfOutput),
             others = withLse->getOperands().drop_back(outsOfOther);
  if (inputs.size() != others.size() ||
      output.getResult(0).getType() != withLse.getResult(0).getType() ||
      getOptions(output) != getOptions(withLse) ||
      getSegments(output).drop_back() != getSegments(withLse).drop_back())
    return false;
  auto compare = [](Region &lhs, Region &rhs) {
    return OperationEquivalence::isRegionEquivalentTo(
        &lhs, &rhs, OperationEquivalence::IgnoreLocations);
  };
  return llvm::all_of(llvm::zip(inputs, others),
                      [](auto pair) {
                        auto [one, other] = pair;
                        return areSame(one, other);
                      }) &&
         compare(output.getScore(), withLse.getScore()) &&
         compare(output.getMaskRegion(), withLse.getMaskRegion());
}

/// Replaces two attention ops by one that computes output and lse, at the
/// position of the first one. That is `withLse` itself or, if `output` comes
/// first, a clone of `withLse`.
static void share(AttentionOp output, AttentionOp withLse) {
  if (withLse->isBeforeInBlock(output)) {
    output.getResult(0).replaceAllUsesWith(withLse.getResult(0));
    output.erase();
    return;
  }
  OpBuilder b(output);
  auto type = cast<RankedTensorType>(withLse.getResult(1).getType());
  SmallVector<Value> open;
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    if (ShapedType::isDynamic(size))
      open.push_back(
          tensor::DimOp::create(b, output.getLoc(), output.getQuery(), dim));
  IRMapping mapping;
  unsigned count = output->getNumOperands();
  mapping.map(withLse->getOperands().take_front(count), output->getOperands());
  mapping.map(withLse.getOuts().back(),
              tensor::EmptyOp::create(b, output.getLoc(), type.getShape(),
                                      type.getElementType(), open)
                  .getResult());
  auto both = cast<AttentionOp>(b.clone(*withLse, mapping));
  output.getResult(0).replaceAllUsesWith(both.getResult(0));
  withLse->replaceAllUsesWith(both);
  output.erase();
  withLse.erase();
}

void mlir::attn::raise::shareForwards(Operation *function,
                                      llvm::SetVector<Operation *> &unused) {
  SmallVector<AttentionOp> outputs, withLse;
  function->walk([&](AttentionOp op) {
    if (op->getNumResults() == 1)
      outputs.push_back(op);
    else if (op->getNumResults() == 2)
      withLse.push_back(op);
  });
  for (AttentionOp other : withLse)
    for (AttentionOp &output : outputs)
      if (output && output->getBlock() == other->getBlock() &&
          areSame(output, other)) {
        for (Operation *op : {other.getOperation(), output.getOperation()})
          for (Value operand : op->getOperands())
            if (Operation *source = operand.getDefiningOp())
              unused.insert(source);
        // Neither op may stay in `unused`, since share() erases `output` and,
        // if `output` comes before `other`, `other` as well.
        unused.remove(output);
        unused.remove(other);
        share(output, other);
        output = nullptr;
        break;
      }
}
