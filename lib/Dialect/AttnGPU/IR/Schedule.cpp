//===- Schedule.cpp - Targets and schedules -------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn_gpu;

static constexpr int64_t kMostStages = 8, kMostWarpRows = 64;

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

LogicalResult ScheduleAttr::verify(EmitError emitError, int64_t tileQ,
                                   int64_t tileKv, int64_t warps, MmaKind,
                                   CopyKind, int64_t stages, bool overlap, bool,
                                   SoftmaxKind, RolesAttr roles, SchedulerKind,
                                   bool, int64_t warpRows, int64_t ctas) {
  if (failed(attn::verifyTileSize(emitError, "tile_q", tileQ)) ||
      failed(attn::verifyTileSize(emitError, "tile_kv", tileKv)))
    return failure();
  if (warps < 1 || warps > 32)
    return emitError() << "expected 'warps' to be from 1 to 32, found "
                       << warps;
  // `stages`, the number of slots of a ring for tiles that a loop loads, must
  // be at least 2 in two cases: with overlap, since the loop holds a tile while
  // it waits for the next one, and without roles, since threads copy at least
  // one tile ahead. Otherwise it must be at least 1.
  int64_t least = roles.empty() || overlap ? 2 : 1;
  if (stages < least || stages > kMostStages)
    return emitError() << "expected 'stages' to be from " << least << " to "
                       << kMostStages << ", found " << stages;
  RoleAttr consumer = roles.find(RoleKind::Consumer);
  if (consumer && consumer.getWarps() != 0 && consumer.getWarps() != warps)
    return emitError() << "expected 'warps' of the consumers to be those of "
                          "the schedule, "
                       << warps << ", found " << consumer.getWarps();
  if (warpRows < 16 || warpRows > kMostWarpRows || warpRows % 16 != 0)
    return emitError() << "expected 'warp_rows' to be a multiple of 16 from 16 "
                          "to "
                       << kMostWarpRows << ", found " << warpRows;
  // The most CTAs that an SM can have (PTX ISA).
  constexpr int64_t kMostCTAs = 32;
  if (ctas < 0 || ctas > kMostCTAs)
    return emitError() << "expected 'ctas' to be from 0 to " << kMostCTAs
                       << ", found " << ctas;
  return success();
}

ScheduleAttr ScheduleAttr::get(MLIRContext *context, int64_t tileQ,
                               int64_t tileKv, int64_t warps, MmaKind mma,
                               CopyKind copy, int64_t stages, bool overlap,
                               bool pingPong, SoftmaxKind softmax,
                               RolesKind roles, SchedulerKind scheduler,
                               bool splitKv, int64_t warpRows, int64_t ctas) {
  return get(context, tileQ, tileKv, warps, mma, copy, stages, overlap,
             pingPong, softmax, RolesAttr::get(context, roles), scheduler,
             splitKv, warpRows, ctas);
}

ScheduleAttr ScheduleAttr::getChecked(
    EmitError emitError, MLIRContext *context, int64_t tileQ, int64_t tileKv,
    int64_t warps, MmaKind mma, CopyKind copy, int64_t stages, bool overlap,
    bool pingPong, SoftmaxKind softmax, RolesKind roles,
    SchedulerKind scheduler, bool splitKv, int64_t warpRows, int64_t ctas) {
  return getChecked(emitError, context, tileQ, tileKv, warps, mma, copy, stages,
                    overlap, pingPong, softmax, RolesAttr::get(context, roles),
                    scheduler, splitKv, warpRows, ctas);
}

int64_t ScheduleAttr::getFirstWarp(RoleAttr role) const {
  int64_t first = getWarps();
  for (RoleAttr other : getRoles().getList().drop_front()) {
    if (other == role)
      break;
    first += other.getWarps();
  }
  return first;
}

int64_t ScheduleAttr::getNumHelperWarpgroups() const {
  int64_t warpgroups = 0;
  for (RoleAttr helper : getHelpers())
    warpgroups += helper.getWarpgroups();
  return warpgroups;
}

int64_t ScheduleAttr::getNumWarpgroups() const {
  RoleAttr producer = getRoles().find(RoleKind::Producer);
  return getNumConsumers() + getNumHelperWarpgroups() +
         (producer ? producer.getWarpgroups() : 0);
}

bool ScheduleAttr::needsWholeSM() const {
  // The fewest warps of a CTA with mma.sync that should have an SM for itself.
  // With two CTAs of so many warps on an SM, each thread would have at most 128
  // registers, half of those that it can use.
  constexpr int64_t kManyWarps = 8;
  return hasProducer() || getCopy() == CopyKind::Tma ||
         getScheduler() == SchedulerKind::Dynamic ||
         (getMma() == MmaKind::MmaSync && getWarps() >= kManyWarps);
}

ScheduleAttr ScheduleAttr::withCopy(CopyKind copy) const {
  return get(getContext(), getTileQ(), getTileKv(), getWarps(), getMma(), copy,
             getStages(), getOverlap(), getPingPong(), getSoftmax(), getRoles(),
             getScheduler(), getSplitKv(), getWarpRows(), getCtas());
}

FailureOr<MmaLayoutAttr> ScheduleAttr::getLayoutFor(ArrayRef<int64_t> shape,
                                                    int64_t columns) const {
  // With mma.sync, each warp has a multiple of `warp_rows` rows of the tile, if
  // possible. With wgmma, which ignores `warp_rows`, it has a multiple of 16.
  constexpr int64_t kWgmmaRows = 16;
  return MmaLayoutAttr::getFor(
      getContext(), shape, getWarps(), /*firstWarp=*/0, columns,
      getMma() == MmaKind::Wgmma ? kWgmmaRows : getWarpRows());
}

int64_t ScheduleAttr::getValueColumns(int64_t columns) const {
  constexpr int64_t kPanelColumns = kPanelRowBytes / 2, kOfWarp = 8;
  int64_t padded = llvm::alignTo<16>(columns);
  if (!sharesRows())
    return padded;
  auto layout = getLayoutFor({getTileQ(), kPanelColumns * getWarps()});
  if (failed(layout))
    return padded;
  int64_t parts = layout->getWarpsN();
  if (getMma() != MmaKind::Wgmma)
    return llvm::alignTo(padded, kOfWarp * parts);
  // With wgmma, the columns of the output are padded such that each of the
  // `parts` warpgroups which divide them has columns that lie within one
  // swizzled panel or are whole panels.
  if (padded % parts == 0 && kPanelColumns % (padded / parts) == 0)
    return padded;
  return llvm::alignTo(padded, kPanelColumns * parts);
}

static ScheduleAttr getPlain(MLIRContext *context, int64_t rows, MmaKind mma) {
  return ScheduleAttr::get(context, rows, 16, 4, mma, CopyKind::Element,
                           /*stages=*/2, /*overlap=*/false, /*ping_pong=*/false,
                           SoftmaxKind::Strict, RolesKind::None,
                           SchedulerKind::Static, /*split_kv=*/false,
                           /*warp_rows=*/16, /*ctas=*/0);
}

attn::TileSizesAttrInterface ScheduleAttr::getRowwise() const {
  // Tiles of a row-wise program have 64 rows: 16 for each of four warps.
  return getPlain(getContext(), 64, MmaKind::MmaSync);
}

ScheduleAttr ScheduleAttr::getForRows(MLIRContext *context) {
  return getPlain(context, 16, MmaKind::None);
}

attn::TileSizesAttrInterface ScheduleAttr::getWithoutAdding() const {
  if (!hasReducer())
    return *this;
  // A gradient's programs that add nothing to memory use this schedule without
  // the reducer. It has one more stage, since shared memory has room for it
  // without the reducer's tiles. It also has overlap, since registers then
  // suffice for the MMAs of two iterations.
  auto others = llvm::filter_to_vector(getRoles().getList(), [](RoleAttr role) {
    return role.getKind() != RoleKind::Reducer;
  });
  return get(getContext(), getTileQ(), getTileKv(), getWarps(), getMma(),
             getCopy(), std::min(getStages() + 1, kMostStages),
             /*overlap=*/true, getPingPong(), getSoftmax(),
             RolesAttr::get(getContext(), others), getScheduler(), getSplitKv(),
             getWarpRows(), getCtas());
}

bool ScheduleAttr::mayAccumulate(int64_t columns, Type operand) const {
  // The number of registers of each thread that accumulators may take: fewer
  // for f32 operands, or beside a reducer. The other registers hold scores,
  // probabilities, addresses and, for f32 operands, the parts into which they
  // are divided.
  int64_t registers = operand.isF32() ? 80 : hasReducer() ? 128 : 160;
  return getTileQ() * columns <= registers * 32 * getWarps();
}

bool ScheduleAttr::mayAdd(int64_t columns) const {
  if (hasReducer())
    return true;
  // Derives the layout of a tile of `tile_kv` rows that is added to memory. If
  // it has too few rows for all warps, warps with the same rows divide its
  // columns.
  int64_t padded = llvm::alignTo<16>(columns);
  auto layout = getLayoutFor({getTileKv(), padded});
  if (failed(layout))
    return false;
  if (getMma() != MmaKind::Wgmma)
    return true;
  // The right operand of a wgmma, of 16 bits, is stored in panels of 64
  // columns. The columns that one warpgroup computes must lie within one panel
  // or be whole panels.
  constexpr int64_t kPanelColumns = kPanelRowBytes / 2;
  int64_t own = padded / layout->getWarpsN();
  return layout->getWarpsM() % 4 == 0 &&
         getTileKv() == 16 * layout->getWarpsM() &&
         (kPanelColumns % own == 0 || own % kPanelColumns == 0);
}

static constexpr std::pair<CopyKind, StringLiteral> kAccessClasses[] = {
    {CopyKind::Element, "narrow"},
    {CopyKind::CpAsync, "async16"},
    {CopyKind::Tma, "tma"}};

StringRef mlir::attn_gpu::getAccessClass(CopyKind copy) {
  return llvm::find_if(kAccessClasses,
                       [&](auto &pair) { return pair.first == copy; })
      ->second;
}

std::optional<CopyKind> mlir::attn_gpu::symbolizeAccessClass(StringRef name) {
  for (auto [copy, own] : kAccessClasses)
    if (own == name)
      return copy;
  return std::nullopt;
}

LogicalResult TargetAttr::verify(EmitError emitError, StringRef chip) {
  if (auto found = attn::findChip(chip); !found)
    return emitError() << llvm::toString(found.takeError());
  return success();
}

const attn::Chip &TargetAttr::getDescription() const {
  return *llvm::find_if(attn::getChips(), [&](const attn::Chip &chip) {
    return chip.name == getChip();
  });
}

TargetAttr mlir::attn_gpu::findTarget(Operation *op) {
  for (Operation *parent = op; parent; parent = parent->getParentOp())
    if (auto target = parent->getAttrOfType<TargetAttr>(kTargetAttrName))
      return target;
  return {};
}

FailureOr<TargetAttr> mlir::attn_gpu::getTarget(Operation *op) {
  if (TargetAttr target = findTarget(op))
    return target;
  return op->emitError("expected a module with '")
         << kTargetAttrName
         << "', found none; give the pass or pipeline one, as in chip=sm_90a";
}

/// Verifies a discardable attribute: it must be `attn_gpu.target`, of type
/// #attn_gpu.target, on a module, where passes look for it.
LogicalResult
AttnGPUDialect::verifyOperationAttribute(Operation *op,
                                         NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kTargetAttrName) {
    if (!isa<ModuleOp>(op) || !isa<TargetAttr>(attribute.getValue()))
      return op->emitError("expected '")
             << name << "' to be an #attn_gpu.target of a module, found "
             << attribute.getValue();
    return success();
  }
  return op->emitError("expected '")
         << kTargetAttrName << "', found '" << name << "'";
}
