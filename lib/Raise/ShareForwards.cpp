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

/// Returns the number of values in each group of operands of the op (query, key
/// and so on), as in the attribute operandSegmentSizes. The last group is
/// `outs`.
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

/// Whether two attention ops compute the same output, and the same lse if both
/// have one.
static bool areSame(AttentionOp lhs, AttentionOp rhs) {
  ValueRange inputs = lhs->getOperands().drop_back(lhs.getOuts().size()),
             others = rhs->getOperands().drop_back(rhs.getOuts().size());
  if (inputs.size() != others.size() ||
      lhs.getResult(0).getType() != rhs.getResult(0).getType() ||
      getOptions(lhs) != getOptions(rhs) ||
      getSegments(lhs).drop_back() != getSegments(rhs).drop_back())
    return false;
  auto compare = [](Region &one, Region &other) {
    return OperationEquivalence::isRegionEquivalentTo(
        &one, &other, OperationEquivalence::IgnoreLocations);
  };
  return llvm::all_of(llvm::zip(inputs, others),
                      [](auto pair) {
                        auto [one, other] = pair;
                        return areSame(one, other);
                      }) &&
         compare(lhs.getScore(), rhs.getScore()) &&
         compare(lhs.getMaskRegion(), rhs.getMaskRegion());
}

/// Replaces two attention ops, of which `first` comes before `second`, by one
/// at the position of the first one, and returns that. It is the first op
/// itself or, if only the second one has an lse, a clone of the second one.
static AttentionOp share(AttentionOp first, AttentionOp second) {
  if (first->getNumResults() < second->getNumResults()) {
    OpBuilder b(first);
    auto type = cast<RankedTensorType>(second.getResult(1).getType());
    SmallVector<Value> open;
    for (auto [dim, size] : llvm::enumerate(type.getShape()))
      if (ShapedType::isDynamic(size))
        open.push_back(
            tensor::DimOp::create(b, first.getLoc(), first.getQuery(), dim));
    IRMapping mapping;
    unsigned count = first->getNumOperands();
    mapping.map(second->getOperands().take_front(count), first->getOperands());
    mapping.map(second.getOuts().back(),
                tensor::EmptyOp::create(b, first.getLoc(), type.getShape(),
                                        type.getElementType(), open)
                    .getResult());
    auto both = cast<AttentionOp>(b.clone(*second, mapping));
    first.getResult(0).replaceAllUsesWith(both.getResult(0));
    first.erase();
    first = both;
  }
  for (auto [result, kept] :
       llvm::zip(second->getResults(), first->getResults()))
    result.replaceAllUsesWith(kept);
  second.erase();
  return first;
}

void mlir::attn::raise::shareForwards(Operation *function,
                                      llvm::SetVector<Operation *> &unused) {
  SmallVector<AttentionOp> ops;
  function->walk([&](AttentionOp op) {
    if (op->getNumResults() == 1 || op->getNumResults() == 2)
      ops.push_back(op);
  });
  for (size_t i = 0; i < ops.size(); ++i)
    for (size_t j = i + 1; j < ops.size(); ++j) {
      AttentionOp &first = ops[i], &second = ops[j];
      // Two ops without an lse are not replaced by one, since an attention that
      // the source computes twice, as for memory, stays so.
      if (!first || !second || first->getBlock() != second->getBlock() ||
          first->getNumResults() + second->getNumResults() < 3 ||
          !areSame(first, second))
        continue;
      for (Operation *op : {first.getOperation(), second.getOperation()})
        for (Value operand : op->getOperands())
          if (Operation *source = operand.getDefiningOp())
            unused.insert(source);
      // Neither op may stay in `unused`, since share() erases at least one of
      // them.
      unused.remove(first);
      unused.remove(second);
      first = share(first, second);
      second = nullptr;
    }
}
