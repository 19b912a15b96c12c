//===- CheckProducts.cpp - Checks of products for MMAs --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckProducts.h"
#include "WidenDots.h"

#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"
#include "attn/Support/ElementDType.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

LogicalResult attn_gpu::checkElement(Operation *op, RankedTensorType tile,
                                     ScheduleAttr schedule) {
  Type element = tile.getElementType();
  if (!schedule.hasSwizzledTiles() || element.isF16() || element.isBF16() ||
      attn::isFloat8(element))
    return success();
  return op->emitOpError(
             "expected operands of f16, bf16, f8E4M3FN or f8E5M2 for ")
         << (schedule.getMma() == MmaKind::Wgmma ? "mma = wgmma" : "copy = tma")
         << ", found " << element;
}

bool attn_gpu::hasWholeChunks(RankedTensorType tile) {
  constexpr int64_t kChunkBits = 128;
  return tile.getDimSize(1) * tile.getElementTypeBitWidth() % kChunkBits == 0;
}

LogicalResult attn_gpu::checkRowBytes(LoadOp load) {
  RankedTensorType tile = load.getResult().getType();
  if (hasWholeChunks(tile))
    return success();
  return load.emitOpError(
             "expected rows of a multiple of 16 bytes, the unit of "
             "copies to shared memory, found ")
         << tile << "; load more columns, which are zeros past the array's end";
}

LogicalResult attn_gpu::checkDot(DotOp dot, ScheduleAttr schedule) {
  if (schedule.getMma() == MmaKind::None)
    return dot.emitOpError("expected mma = mma_sync or wgmma for a product, "
                           "found ")
           << schedule;
  RankedTensorType result = dot.getResult().getType();
  auto layout = cast<MmaLayoutAttr>(result.getEncoding());
  int64_t k = dot.getRhs().getType().getDimSize(dot.getTransposeRhs() ? 1 : 0);
  int64_t columns = result.getDimSize(1) / layout.getWarpsN();
  if (failed(checkElement(dot, dot.getLhs().getType(), schedule)))
    return failure();
  // The number of products that one MMA instruction adds up for each element of
  // the result, its size along K.
  int64_t step =
      attn::isFloat8(dot.getLhs().getType().getElementType()) ? 32 : 16;
  if (k % step != 0)
    return dot.emitOpError("expected a multiple of ")
           << step << " products to add up, found " << k;
  auto right =
      dyn_cast_or_null<RightLayoutAttr>(dot.getRhs().getType().getEncoding());
  bool isOfRight = right && right.getParent() == layout;
  if (layout.isOfMma() == hasRunsOfColumns(dot, schedule) && !isOfRight)
    return dot.emitOpError("expected a sum of products of 8 bits alone, where "
                           "rhs is K x N and mma = mma_sync, found others");
  if (schedule.getMma() != MmaKind::Wgmma)
    return success();
  if (layout.getWarpsM() % 4 != 0 ||
      result.getDimSize(0) != 16 * layout.getWarpsM())
    return dot.emitOpError("expected 64 rows for each of ")
           << (layout.getFirstWarp() > 0 ? layout.getWarps()
                                         : schedule.getWarps()) /
                  4
           << " warpgroups, or for each of equal groups of them, "
              "found "
           << result.getDimSize(0);
  if (columns > 256)
    return dot.emitOpError("expected at most 256 columns for a warpgroup, "
                           "found ")
           << columns;
  // If warpgroups divide the columns of the result, each must have whole panels
  // of the right operand, or columns that lie within one panel.
  int64_t ofPanel = getPanelColumns(dot.getRhs().getType().getElementType());
  if (layout.getWarpsN() > 1 && !dot.getTransposeRhs() &&
      ofPanel % columns != 0 && columns % ofPanel != 0)
    return dot.emitOpError("expected warpgroups that share rows to have a "
                           "multiple or a divisor of ")
           << ofPanel << " columns each, found " << columns;
  return success();
}

LogicalResult attn_gpu::checkRows(SoftmaxUpdateOp update) {
  auto getRows = [](Value tile) {
    return SliceLayoutAttr::getOf(
        cast<MmaLayoutAttr>(
            cast<RankedTensorType>(tile.getType()).getEncoding()),
        /*axis=*/1);
  };
  auto scores = cast<MmaLayoutAttr>(update.getScores().getType().getEncoding());
  if (scores.getFirstWarp() > 0 && !scores.dividesRows())
    return update.emitOpError("expected warps of a multiplier that have all "
                              "columns of their rows, as fewer warps may, "
                              "found scores of ")
           << update.getScores().getType();
  for (Value accumulator : update.getAccumulators())
    if (getRows(accumulator) != getRows(update.getScores()))
      return update.emitOpError("expected scores and accumulators whose rows "
                                "the warps divide alike, found ")
             << update.getScores().getType() << " and "
             << accumulator.getType();
  return success();
}

LogicalResult attn_gpu::checkReuse(Value tile, Value dead, RoleAttr role,
                                   const HelperOps &helpers) {
  Operation *source = tile.getDefiningOp();
  auto load = dead.getDefiningOp<LoadOp>();
  if (!load || load->getBlock() != source->getBlock())
    return source->emitOpError("expected a tile that the same block loads, "
                               "whose memory this one reuses, found another");
  for (Operation *user : load->getUsers())
    if (!isa<DotOp>(user) || helpers.owners.lookup(user) != role)
      return user->emitOpError("expected only products of the role \"")
             << role.getName()
             << "\" to read the tile whose memory this role reuses, found this";
  if (role.getWarpgroups() > 1)
    return source->emitOpError("expected a role of one warpgroup to reuse the "
                               "memory of a tile, found ")
           << role.getWarpgroups();
  return success();
}

namespace {
/// The registers that accumulators of a role take in each thread in a loop.
struct Accumulators {
  /// The registers of sums that the loop carries, and of the largest one of its
  /// other sums.
  int64_t carried = 0, largest = 0;
  /// The last product.
  DotOp dot;
};
} // namespace

void attn_gpu::warnOfRegisters(KernelOp kernel, ScheduleAttr schedule,
                               const attn::Chip &chip,
                               const HelperOps &helpers) {
  if (schedule.getMma() != MmaKind::Wgmma || !schedule.hasProducer() ||
      !chip.hasRegisterSplit())
    return;
  // A role needs registers for more than its accumulators and this number
  // (ptxas 13.0).
  constexpr int64_t kOthers = 24;
  SmallVector<int64_t> registers = RegisterSplit(schedule).getOfRoles();
  llvm::MapVector<std::pair<Block *, unsigned>, Accumulators> found;
  kernel.walk([&](DotOp dot) {
    RoleAttr role = helpers.find(dot, schedule);
    if (!role)
      role = schedule.getRoles().find(RoleKind::Consumer);
    bool isAdded = llvm::any_of(dot->getUsers(), [&](Operation *user) {
      auto other = dyn_cast<DotOp>(user);
      return other && other.getAccumulator() == dot.getResult();
    });
    // A reducer computes few columns at a time.
    if (isAdded || role.getKind() == RoleKind::Reducer)
      return;
    RankedTensorType tile = dot.getResult().getType();
    auto layout = cast<MmaLayoutAttr>(tile.getEncoding());
    int64_t own =
        tile.getNumElements() * layout.getCopies() / (32 * layout.getWarps());
    Accumulators &all =
        found[{dot->getBlock(), schedule.getRoles().getNumber(role)}];
    all.dot = dot;
    if (llvm::is_contained(dot->getUsers(), dot->getBlock()->getTerminator()))
      all.carried += own;
    else
      all.largest = std::max(all.largest, own);
  });
  for (auto &[place, all] : found) {
    int64_t needed = all.carried + all.largest + kOthers;
    if (int64_t given = registers[place.second]; needed >= given)
      all.dot.emitWarning("expected more than ")
          << needed << " registers for each thread of the role \""
          << schedule.getRoles().getList()[place.second].getName()
          << "\", of which accumulators take " << needed - kOthers << ", found "
          << given
          << ": ptxas would serialise MMAs (C7512) or ignore the registers "
             "that the roles state (C7507)";
  }
}
