//===- AttnTransposesToViews.cpp - Strides in place of copies -------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/Attn/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNTRANSPOSESTOVIEWSPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

/// Whether the op is one of attention's that only reads this operand, or only
/// writes it.
static bool isOfAttention(OpOperand &use, bool isWritten) {
  auto style = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
  return style && isa<AttentionOp, AttentionBackwardOp>(use.getOwner()) &&
         style.isDpsInit(&use) == isWritten;
}

static bool isView(Operation *op) {
  return isa<memref::ExpandShapeOp, memref::CollapseShapeOp>(op);
}

/// Whether the array, or what is a view of it, is read alone.
static bool isOnlyRead(Value array) {
  return llvm::all_of(array.getUses(), [](OpOperand &use) {
    Operation *op = use.getOwner();
    if (isView(op) ||
        isa<memref::SubViewOp, memref::CastOp, memref::TransposeOp>(op))
      return isOnlyRead(op->getResult(0));
    if (auto style = dyn_cast<DestinationStyleOpInterface>(op))
      return !style.isDpsInit(&use);
    if (auto copy = dyn_cast<memref::CopyOp>(op))
      return copy.getSource() == use.get() && copy.getTarget() != use.get();
    return isa<memref::DimOp, memref::LoadOp>(op);
  });
}

/// What the array is a view of.
static Value getBase(Value array) {
  while (auto view = array.getDefiningOp<ViewLikeOpInterface>())
    array = view.getViewSource();
  return array;
}

/// A view op of another array, or null where its layout has none.
static Value viewAs(OpBuilder &b, Location loc, Value array, Type shape,
                    ArrayRef<ReassociationIndices> groups, bool expands) {
  auto type = cast<MemRefType>(array.getType());
  auto like = cast<MemRefType>(shape);
  if (!like.hasStaticShape() || !type.hasStaticShape())
    return nullptr;
  if (expands) {
    FailureOr<MemRefType> result = memref::ExpandShapeOp::computeExpandedType(
        type, like.getShape(), groups);
    return failed(result)
               ? Value()
               : memref::ExpandShapeOp::create(b, loc, *result, array, groups)
                     .getResult();
  }
  if (!memref::CollapseShapeOp::isGuaranteedCollapsible(type, groups))
    return nullptr;
  return memref::CollapseShapeOp::create(b, loc, array, groups);
}

static Value transpose(OpBuilder &b, Location loc, Value array,
                       ArrayRef<int64_t> permutation) {
  SmallVector<unsigned> order(permutation.begin(), permutation.end());
  return memref::TransposeOp::create(
      b, loc, array,
      AffineMapAttr::get(AffineMap::getPermutationMap(order, b.getContext())));
}

/// Whether attention alone reads the array, also by views.
static bool isReadByAttention(Value array, Operation *writer) {
  return llvm::all_of(array.getUses(), [&](OpOperand &use) {
    Operation *op = use.getOwner();
    if (op == writer || isOfAttention(use, /*isWritten=*/false) ||
        isa<memref::DeallocOp>(op))
      return true;
    return isView(op) && isReadByAttention(op->getResult(0), writer);
  });
}

/// Gives users of the array, and of its views, the other one, of another
/// layout. False if a view has no such form; then nothing is changed.
static bool replaceArray(Value array, Value by, bool changes) {
  for (OpOperand &use : llvm::make_early_inc_range(array.getUses())) {
    Operation *op = use.getOwner();
    if (!isView(op)) {
      if (changes && !isa<memref::DeallocOp>(op))
        use.set(by);
      continue;
    }
    OpBuilder b(op);
    auto expand = dyn_cast<memref::ExpandShapeOp>(op);
    SmallVector<ReassociationIndices> groups =
        expand ? expand.getReassociationIndices()
               : cast<memref::CollapseShapeOp>(op).getReassociationIndices();
    Value view = viewAs(b, op->getLoc(), by, op->getResult(0).getType(), groups,
                        expand != nullptr);
    bool isDone = view && replaceArray(op->getResult(0), view, changes);
    if (view && (!changes || !isDone))
      view.getDefiningOp()->erase();
    if (!isDone)
      return false;
  }
  return true;
}

/// A transposed copy that attention reads becomes a view of what is copied.
static bool takeInput(linalg::TransposeOp op) {
  auto alloc = op.getInit().getDefiningOp<memref::AllocOp>();
  Value input = op.getInput();
  Value base = getBase(input);
  ArrayRef<int64_t> permutation = op.getPermutation();
  bool isArgument =
      isa<BlockArgument>(base) &&
      isa<func::FuncOp>(cast<BlockArgument>(base).getOwner()->getParentOp());
  // The innermost dimension stays, whose stride is 1.
  if (!alloc ||
      permutation.back() + 1 != static_cast<int64_t>(permutation.size()) ||
      !isArgument || !isOnlyRead(base) || !isReadByAttention(alloc, op))
    return false;
  OpBuilder b(op);
  Value view = transpose(b, op.getLoc(), input, permutation);
  if (!replaceArray(alloc, view, /*changes=*/false)) {
    view.getDefiningOp()->erase();
    return false;
  }
  op.getInitMutable().set(view);
  replaceArray(alloc, view, /*changes=*/true);
  return true;
}

/// A copy of what attention writes becomes a view of where it is copied to.
static bool takeOutput(Operation *op, Value from, Value to) {
  // Views from the copy back to what is allocated.
  SmallVector<Operation *> views;
  while (Operation *view = from.getDefiningOp()) {
    if (!isView(view) || !from.hasOneUse())
      break;
    views.push_back(view);
    from = view->getOperand(0);
  }
  auto alloc = from.getDefiningOp<memref::AllocOp>();
  auto argument = dyn_cast<BlockArgument>(to);
  if (!alloc || !argument ||
      !isa<func::FuncOp>(argument.getOwner()->getParentOp()))
    return false;
  Operation *attention = nullptr;
  for (OpOperand &use : alloc->getUses()) {
    Operation *user = use.getOwner();
    if (user == op || llvm::is_contained(views, user) ||
        isa<memref::DeallocOp>(user))
      continue;
    if (attention || !isOfAttention(use, /*isWritten=*/true))
      return false;
    attention = user;
  }
  bool isOther = llvm::any_of(argument.getUsers(), [&](Operation *user) {
    auto copy = dyn_cast<memref::CopyOp>(user);
    return user != op && !(copy && copy.getSource() == copy.getTarget());
  });
  if (!attention || isOther || attention->getBlock() != op->getBlock())
    return false;
  OpBuilder b(attention);
  Value view = to;
  SmallVector<Operation *> made;
  auto add = [&](Value value) {
    if (value)
      made.push_back(value.getDefiningOp());
    view = value;
  };
  if (auto copied = dyn_cast<linalg::TransposeOp>(op)) {
    ArrayRef<int64_t> permutation = copied.getPermutation();
    if (permutation.back() + 1 != static_cast<int64_t>(permutation.size()))
      return false;
    SmallVector<int64_t> inverse(permutation.size());
    for (auto [dim, source] : llvm::enumerate(permutation))
      inverse[source] = dim;
    add(transpose(b, op->getLoc(), view, inverse));
  }
  for (Operation *step : views) {
    auto collapse = dyn_cast<memref::CollapseShapeOp>(step);
    SmallVector<ReassociationIndices> groups =
        collapse ? collapse.getReassociationIndices()
                 : cast<memref::ExpandShapeOp>(step).getReassociationIndices();
    add(viewAs(b, op->getLoc(), view, step->getOperand(0).getType(), groups,
               /*expands=*/collapse != nullptr));
    if (!view)
      break;
  }
  if (!view || cast<MemRefType>(view.getType()).getShape() !=
                   alloc.getType().getShape()) {
    for (Operation *step : llvm::reverse(made))
      step->erase();
    return false;
  }
  for (OpOperand &use : llvm::make_early_inc_range(alloc->getUses()))
    if (use.getOwner() == attention)
      use.set(view);
  op->erase();
  for (Operation *step : views)
    step->erase();
  return true;
}

namespace {
struct AttnTransposesToViewsPass
    : public attn::impl::AttnTransposesToViewsPassBase<
          AttnTransposesToViewsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> copies;
    getOperation()->walk([&](Operation *op) {
      if (isa<linalg::TransposeOp, memref::CopyOp>(op))
        copies.push_back(op);
    });
    for (Operation *op : copies) {
      if (auto copy = dyn_cast<memref::CopyOp>(op)) {
        if (copy.getSource() == copy.getTarget())
          op->erase();
        else
          takeOutput(op, copy.getSource(), copy.getTarget());
        continue;
      }
      auto transposed = cast<linalg::TransposeOp>(op);
      if (!transposed.hasPureBufferSemantics())
        continue;
      if (takeInput(transposed))
        op->erase();
      else
        takeOutput(op, transposed.getInput(), transposed.getInit());
    }
    // Buffers that nothing reads.
    getOperation()->walk([](memref::AllocOp alloc) {
      if (llvm::all_of(alloc->getUsers(), llvm::IsaPred<memref::DeallocOp>)) {
        for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
          user->erase();
        alloc->erase();
      }
    });
  }
};
} // namespace
