//===- LeftOperands.cpp - Operands that stay in registers -----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LeftOperands.h"
#include "ConvertedTiles.h"
#include "ReducedTiles.h"

#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"
#include "attn/Support/ElementDType.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

bool attn_gpu::isOperand(OpOperand &use) {
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(use.getOwner()))
    return llvm::all_of(slice->getUses(), isOperand);
  return isa<DotOp>(use.getOwner()) && use.getOperandNumber() <= kRight;
}

bool attn_gpu::isRightOperand(OpOperand &use) {
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(use.getOwner()))
    return llvm::all_of(slice->getUses(), isRightOperand);
  return isa<DotOp>(use.getOwner()) && use.getOperandNumber() == kRight;
}

/// Returns the number of 32-bit registers, over all threads, of the tiles and
/// vectors that a loop over blocks reads in each iteration for other ops than
/// its products (attribute `beside`). Operands of MMAs, and tiles that only a
/// converter reads, do not count.
static int64_t countReadsBeside(KernelOp kernel, ScheduleAttr schedule) {
  llvm::SmallPtrSet<Operation *, 8> converted;
  for (RoleAttr role : schedule.getRoles().findAll(RoleKind::Converter))
    for (Operation *op : ConvertedTiles(kernel, role).ops)
      converted.insert(op);
  auto isBeside = [&](Operation *op) {
    if (auto gather = dyn_cast<GatherOp>(op))
      return gather.getBeside();
    auto load = dyn_cast<LoadOp>(op);
    if (!load || !load.getBeside() || llvm::any_of(load->getUses(), isOperand))
      return false;
    return load->use_empty() ||
           llvm::any_of(load->getUsers(), [&](Operation *user) {
             return !converted.contains(user);
           });
  };
  int64_t words = 0;
  kernel.walk([&](Operation *read) {
    if (!isBeside(read) || !read->getParentOfType<ForBlocksOp>())
      return;
    // An element that is narrower than 32 bits takes registers as it is stored
    // and again as it is extended to f32. A vector along keys counts eight
    // times in each warp, since eight lanes hold the same columns.
    auto tile = cast<RankedTensorType>(read->getResult(0).getType());
    int64_t bits = tile.getElementTypeBitWidth();
    int64_t count = tile.getNumElements() * (bits < 32 ? bits + 32 : bits) / 32;
    words += tile.getRank() == 1 ? count * 8 * schedule.getWarps() : count;
  });
  return words;
}

/// Returns the number of sums of products in the program. A product that is
/// added to the result of another product is part of the same sum.
static int64_t countSums(KernelOp kernel) {
  int64_t sums = 0;
  kernel.walk([&](DotOp dot) {
    if (!dot.getAccumulator().getDefiningOp<DotOp>())
      ++sums;
  });
  return sums;
}

/// Returns the loop before which a left operand is copied from shared memory to
/// registers: the innermost of the loops between the operand's load and its
/// MMA. Returns null if there are fewer than two, since the copy then follows
/// the load.
///
/// If the copy were further out, ptxas 13.0 might give its registers to the
/// left operand of another MMA. It moves copies of loop-invariant values out of
/// the loop, and takes their registers for free after the MMA (seen in SASS,
/// from the second head of a group on, where one block of rows left no inner
/// loop).
static Operation *findInnerLoop(LoadOp load, DotOp dot) {
  Operation *innermost = nullptr;
  for (Operation *op = dot->getParentOp(); op != load->getParentOp();
       op = op->getParentOp()) {
    if (!isa<LoopLikeOpInterface>(op))
      continue;
    if (innermost)
      return innermost;
    innermost = op;
  }
  return nullptr;
}

/// Copies the tile to registers for those MMAs whose left operand it is, if
/// registers suffice for it and for `others`, a number of 32-bit words of all
/// threads together. Returns the number of words that the copy takes, or 0 if
/// there is none.
static int64_t
keepInRegisters(LoadOp load, KernelOp kernel, ScheduleAttr schedule,
                const attn::Chip &chip, int64_t others,
                const llvm::DenseMap<Operation *, RoleAttr> &owners) {
  RankedTensorType type = load.getResult().getType();
  // Each f32 operand is divided into parts, which also take registers. The
  // parts of two sums, scores and output, leave room for the left operand in
  // registers; those of more sums do not.
  constexpr int64_t kParts = 32, kFewSums = 2;
  if (type.getElementType().isF32() && countSums(kernel) > kFewSums)
    others += kParts * 32 * schedule.getWarps();
  llvm::SmallDenseMap<std::pair<Operation *, Attribute>, Value> copies;
  int64_t words = 0;
  for (OpOperand &use : llvm::make_early_inc_range(load->getUses())) {
    auto dot = dyn_cast<DotOp>(use.getOwner());
    if (!dot || use.getOperandNumber() != kLeft || dot.getTransposeLhs() ||
        owners.contains(dot))
      continue;
    auto layout = cast<MmaLayoutAttr>(dot.getResult().getType().getEncoding());
    // With wgmma, warpgroups that share rows each read whole rows of the left
    // operand.
    if (schedule.getMma() == MmaKind::Wgmma)
      layout = layout.getWithWholeRows();
    RankedTensorType right = dot.getRhs().getType();
    layout = isa_and_nonnull<MmaLayoutAttr>(right.getEncoding())
                 ? layout.getOfLeft(type, right)
                 : layout.getOfOperand(type.getElementType());
    // Each of the warps that share rows of the tile has its own copy of these
    // rows.
    int64_t more = (layout.getCopies() - 1) * getLeftWords(type);
    if (layout.getWarpsN() != 1 ||
        !attn_gpu::fitsRegisters(schedule, chip, type, others + more))
      continue;
    words = getLeftWords(type) + more;
    Operation *loop = findInnerLoop(load, dot);
    Value &copy = copies[{loop, layout}];
    if (!copy) {
      OpBuilder b(kernel.getContext());
      if (loop)
        b.setInsertionPoint(loop);
      else
        b.setInsertionPointAfter(load);
      copy = ConvertLayoutOp::create(
          b, load.getLoc(),
          RankedTensorType::get(type.getShape(), type.getElementType(), layout),
          load.getResult());
    }
    use.set(copy);
  }
  return words;
}

void attn_gpu::keepLeftOperands(
    KernelOp kernel, ScheduleAttr schedule, const attn::Chip &chip,
    ArrayRef<LoadOp> loads, const llvm::SetVector<Operation *> &reduced,
    const llvm::DenseMap<Operation *, RoleAttr> &owners) {
  // Tiles that a loop reads for other ops than its products
  // (countReadsBeside()) count twice, since the reads for a block begin while
  // the tiles of the previous block are still used.
  int64_t words = countAccumulators(kernel, reduced) +
                  2 * countReadsBeside(kernel, schedule);
  for (LoadOp load : loads)
    words += keepInRegisters(load, kernel, schedule, chip, words, owners);
}

bool attn_gpu::isExchangedInRows(DotOp dot, MmaLayoutAttr layout) {
  RankedTensorType type = dot.getLhs().getType();
  MmaLayoutAttr own =
      cast<MmaLayoutAttr>(dot.getResult().getType().getEncoding())
          .getWithWholeRows();
  return attn::isFloat8(type.getElementType()) && dot.getLhs().hasOneUse() &&
         !dot.getTransposeLhs() && dot.getTransposeRhs() && layout == own &&
         own.isOfMma() && own.getWarpsN() == 1;
}

bool attn_gpu::isLostInLoop(DotOp dot, ScheduleAttr schedule,
                            bool writesRight) {
  if (schedule.getMma() != MmaKind::Wgmma ||
      (schedule.getOverlap() && !writesRight))
    return false;
  auto loop = dot->getParentOfType<LoopLikeOpInterface>();
  Operation *source = dot.getLhs().getDefiningOp();
  return loop && source && !loop->isAncestor(source);
}
