//===- TransposesToViews.cpp - Strides in place of copies -----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransposesToViews.h"

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Support/Views.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::attn;

/// Whether this use of an array is by an attention op, forward or backward,
/// that writes it (if `isWritten` is true) or reads it (if false).
static bool isOfAttention(OpOperand &use, bool isWritten) {
  auto style = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
  return style && isa<AttentionOp, AttentionBackwardOp>(use.getOwner()) &&
         style.isDpsInit(&use) == isWritten;
}

static bool isView(Operation *op) {
  return isa<memref::ExpandShapeOp, memref::CollapseShapeOp>(op);
}

/// Whether all uses of the array, and of its views, subviews, casts and
/// transposes, are known only to read it. Such uses are inputs of
/// destination-style ops, the source of a copy, memref.dim and memref.load.
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

/// Emits a view of the array with the shape of the type `shape`: an
/// expand_shape (if `expands`) or a collapse_shape, which splits or joins
/// dimensions by `groups`. Returns null if a shape is dynamic, or if the
/// array's layout does not allow the view.
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

/// Whether all uses of the array and of its views are by `writer`,
/// deallocations, or attention ops that only read it.
static bool isReadByAttention(Value array, Operation *writer) {
  return llvm::all_of(array.getUses(), [&](OpOperand &use) {
    Operation *op = use.getOwner();
    if (op == writer || isOfAttention(use, /*isWritten=*/false) ||
        isa<memref::DeallocOp>(op))
      return true;
    return isView(op) && isReadByAttention(op->getResult(0), writer);
  });
}

/// Replaces the array by `by`, which has another layout, in all its users
/// except deallocations, and its views by views of `by`. Returns whether all
/// these views exist for that layout. If `changes` is false, only finds out
/// whether they exist and changes nothing.
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

/// If attention reads a transposed copy of a function's argument, makes it read
/// a transposed view of the argument instead. The argument must only be read,
/// the copy must have no other readers, and the innermost dimension must not
/// move. Returns whether it did.
static bool takeInput(linalg::TransposeOp op) {
  auto alloc = op.getInit().getDefiningOp<memref::AllocOp>();
  Value input = op.getInput();
  Value base = attn::getViewedArray(input);
  ArrayRef<int64_t> permutation = op.getPermutation();
  bool isArgument =
      isa<BlockArgument>(base) &&
      isa<func::FuncOp>(cast<BlockArgument>(base).getOwner()->getParentOp());
  // The array that is transposed must be a function's argument or a view of
  // one. The argument must only be read, and only attention may read the copy.
  // The innermost dimension must stay the last one, since its stride must be 1.
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

/// Sets `array` to the array of which it is a view, through all views that have
/// one use each. Returns these views, the last one first.
static SmallVector<Operation *> takeViews(Value &array) {
  SmallVector<Operation *> views;
  while (Operation *view = array.getDefiningOp()) {
    if (!isView(view) || !array.hasOneUse() || view->getNumOperands() != 1)
      break;
    views.push_back(view);
    array = view->getOperand(0);
  }
  return views;
}

/// Undoes a chain of views: emits, and adds to `made`, views of `array` that
/// expand where the chain collapses and collapse where it expands. Returns the
/// last of them, of which the chain would have the result `array`. Returns null
/// if the layout of `array` does not allow that.
static Value viewBack(OpBuilder &b, Value array, ArrayRef<Operation *> views,
                      SmallVectorImpl<Operation *> &made) {
  for (Operation *step : views) {
    auto collapse = dyn_cast<memref::CollapseShapeOp>(step);
    SmallVector<ReassociationIndices> groups =
        collapse ? collapse.getReassociationIndices()
                 : cast<memref::ExpandShapeOp>(step).getReassociationIndices();
    array = viewAs(b, step->getLoc(), array, step->getOperand(0).getType(),
                   groups, /*expands=*/collapse != nullptr);
    if (!array)
      return nullptr;
    made.push_back(array.getDefiningOp());
  }
  return array;
}

static bool hasShape(Value array, MemRefType type) {
  return array &&
         cast<MemRefType>(array.getType()).getShape() == type.getShape();
}

static void erase(ArrayRef<Operation *> ops) {
  for (Operation *op : ops)
    op->erase();
}

/// Whether the array is an argument of a function, and no op uses this argument
/// but `op` and copies of the argument to itself.
static bool isArgumentOf(Value array, Operation *op) {
  auto argument = dyn_cast<BlockArgument>(array);
  return argument && isa<func::FuncOp>(argument.getOwner()->getParentOp()) &&
         llvm::all_of(argument.getUsers(), [&](Operation *user) {
           auto copy = dyn_cast<memref::CopyOp>(user);
           return user == op || (copy && copy.getSource() == copy.getTarget());
         });
}

/// Returns the one op that writes an allocation, that is, whose use of it
/// fulfils `writes`. Returns null unless there is exactly one, it is in the
/// block of `reader`, and all other uses are by `reader`, by deallocations or
/// by attention ops that read.
static Operation *findWriter(memref::AllocOp alloc, Operation *reader,
                             llvm::function_ref<bool(OpOperand &)> writes) {
  Operation *writer = nullptr;
  for (OpOperand &use : alloc->getUses()) {
    Operation *user = use.getOwner();
    if (user == reader || isa<memref::DeallocOp>(user) ||
        isOfAttention(use, /*isWritten=*/false))
      continue;
    if (writer || !writes(use))
      return nullptr;
    writer = user;
  }
  return writer && writer->getBlock() == reader->getBlock() ? writer : nullptr;
}

/// Rewrites a transpose whose result is reshaped and then copied to a
/// function's argument that nothing else uses. The transpose then writes to a
/// view of the argument, and the copy is erased.
static void forwardCopy(memref::CopyOp copy) {
  Value from = copy.getSource();
  SmallVector<Operation *> views = takeViews(from);
  auto alloc = from.getDefiningOp<memref::AllocOp>();
  if (!alloc || views.empty() || !isArgumentOf(copy.getTarget(), copy))
    return;
  // If an attention op reads the transposed allocation, the transpose must
  // still write it, so nothing changes.
  if (llvm::any_of(alloc->getUses(), [](OpOperand &use) {
        return isOfAttention(use, /*isWritten=*/false);
      }))
    return;
  auto writer = dyn_cast_or_null<linalg::TransposeOp>(
      findWriter(alloc, views.back(), [](OpOperand &use) {
        auto transposed = dyn_cast<linalg::TransposeOp>(use.getOwner());
        return transposed && transposed.isDpsInit(&use);
      }));
  if (!writer)
    return;
  OpBuilder b(writer);
  SmallVector<Operation *> made;
  Value view = viewBack(b, copy.getTarget(), views, made);
  if (!hasShape(view, alloc.getType())) {
    erase(llvm::to_vector(llvm::reverse(made)));
    return;
  }
  writer.getInitMutable().set(view);
  copy->erase();
  erase(views);
}

/// Removes `op`, which copies or transposes the array `from`, written by
/// attention, to `to`, a function's argument or a view of one. Attention then
/// writes to a view of the argument instead. Returns whether that was possible.
static bool takeOutput(Operation *op, Value from, Value to) {
  SmallVector<Operation *> views = takeViews(from), ofTarget = takeViews(to);
  auto alloc = from.getDefiningOp<memref::AllocOp>();
  if (!alloc || !isArgumentOf(to, ofTarget.empty() ? op : ofTarget.back()))
    return false;
  Operation *attention =
      findWriter(alloc, views.empty() ? op : views.back(), [](OpOperand &use) {
        return isOfAttention(use, /*isWritten=*/true);
      });
  if (!attention || attention->getBlock() != op->getBlock())
    return false;
  OpBuilder b(attention);
  Value view = to;
  SmallVector<Operation *> made;
  for (Operation *step : llvm::reverse(ofTarget)) {
    made.push_back(b.clone(*step));
    made.back()->setOperand(0, view);
    view = made.back()->getResult(0);
  }
  if (auto copied = dyn_cast<linalg::TransposeOp>(op)) {
    ArrayRef<int64_t> permutation = copied.getPermutation();
    // The innermost dimension must stay the last one, since its stride must be
    // 1.
    bool isMoved =
        permutation.back() + 1 != static_cast<int64_t>(permutation.size());
    SmallVector<int64_t> inverse(permutation.size());
    for (auto [dim, source] : llvm::enumerate(permutation))
      inverse[source] = dim;
    view = isMoved ? Value() : transpose(b, op->getLoc(), view, inverse);
    if (view)
      made.push_back(view.getDefiningOp());
  }
  view = view ? viewBack(b, view, views, made) : Value();
  if (!hasShape(view, alloc.getType())) {
    erase(llvm::to_vector(llvm::reverse(made)));
    return false;
  }
  for (OpOperand &use : llvm::make_early_inc_range(alloc->getUses()))
    if (isOfAttention(use, /*isWritten=*/true) ||
        isOfAttention(use, /*isWritten=*/false))
      use.set(view);
  op->erase();
  erase(views);
  erase(ofTarget);
  return true;
}

void attn::replaceTransposes(func::FuncOp func) {
  SmallVector<memref::CopyOp> results;
  func.walk([&](memref::CopyOp op) { results.push_back(op); });
  for (memref::CopyOp copy : results)
    forwardCopy(copy);
  SmallVector<Operation *> copies;
  func.walk([&](Operation *op) {
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
  // Erases allocations that only deallocations use, with these deallocations.
  func.walk([](memref::AllocOp alloc) {
    if (llvm::all_of(alloc->getUsers(), llvm::IsaPred<memref::DeallocOp>)) {
      for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
        user->erase();
      alloc->erase();
    }
  });
}
