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
                                   SoftmaxKind, RolesKind roles, SchedulerKind,
                                   bool, int64_t warpRows, int64_t ctas) {
  if (failed(attn::verifyTileSize(emitError, "tile_q", tileQ)) ||
      failed(attn::verifyTileSize(emitError, "tile_kv", tileKv)))
    return failure();
  if (warps < 1 || warps > 32)
    return emitError() << "expected 'warps' to be from 1 to 32, found "
                       << warps;
  // With overlap, a tile is held while the next one is waited for; without
  // roles, one is copied ahead. Both need two slots.
  int64_t least = roles == RolesKind::None || overlap ? 2 : 1;
  if (stages < least || stages > kMostStages)
    return emitError() << "expected 'stages' to be from " << least << " to "
                       << kMostStages << ", found " << stages;
  if (roles != RolesKind::None &&
      !bitEnumContainsAll(roles, RolesKind::ProducerConsumer))
    return emitError() << "expected 'producer_consumer' among 'roles', found '"
                       << stringifyRolesKind(roles) << "'";
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

SmallVector<RolesKind> ScheduleAttr::getHelpers() const {
  SmallVector<RolesKind> helpers;
  for (RolesKind role :
       {RolesKind::Reducer, RolesKind::Converter, RolesKind::Multiplier})
    if (has(role))
      helpers.push_back(role);
  return helpers;
}

int64_t ScheduleAttr::getFirstWarp(RolesKind helper) const {
  SmallVector<RolesKind> helpers = getHelpers();
  constexpr int64_t kWarps = 4;
  return getWarps() + kWarps * (llvm::find(helpers, helper) - helpers.begin());
}

ScheduleAttr ScheduleAttr::withCopy(CopyKind copy) const {
  return get(getContext(), getTileQ(), getTileKv(), getWarps(), getMma(), copy,
             getStages(), getOverlap(), getPingPong(), getSoftmax(), getRoles(),
             getScheduler(), getSplitKv(), getWarpRows(), getCtas());
}

FailureOr<MmaLayoutAttr> ScheduleAttr::getLayoutFor(ArrayRef<int64_t> shape,
                                                    int64_t columns) const {
  return MmaLayoutAttr::getFor(getContext(), shape, getWarps(),
                               /*firstWarp=*/0, columns, getWarpRows());
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
  // The columns of each warpgroup must lie within a panel or be whole panels.
  if (padded % parts == 0 && kPanelColumns % (padded / parts) == 0)
    return padded;
  return llvm::alignTo(padded, kPanelColumns * parts);
}

attn::TileSizesAttrInterface ScheduleAttr::getRowwise() const {
  // There are 16 rows for each of four warps.
  return get(getContext(), 64, 16, 4, MmaKind::MmaSync, CopyKind::Element,
             /*stages=*/2, /*overlap=*/false, /*ping_pong=*/false,
             SoftmaxKind::Strict, RolesKind::None, SchedulerKind::Static,
             /*split_kv=*/false, /*warp_rows=*/16, /*ctas=*/0);
}

ScheduleAttr ScheduleAttr::getForRows(MLIRContext *context) {
  return get(context, 16, 16, 4, MmaKind::None, CopyKind::Element,
             /*stages=*/2, /*overlap=*/false, /*ping_pong=*/false,
             SoftmaxKind::Strict, RolesKind::None, SchedulerKind::Static,
             /*split_kv=*/false, /*warp_rows=*/16, /*ctas=*/0);
}

attn::TileSizesAttrInterface ScheduleAttr::getWithoutAdding() const {
  if (!hasReducer())
    return *this;
  // Without the reducer, shared memory has room for one more stage, and
  // registers for MMAs of two iterations.
  return get(getContext(), getTileQ(), getTileKv(), getWarps(), getMma(),
             getCopy(), std::min(getStages() + 1, kMostStages),
             /*overlap=*/true, getPingPong(), getSoftmax(),
             RolesKind::ProducerConsumer, getScheduler(), getSplitKv(),
             getWarpRows(), getCtas());
}

bool ScheduleAttr::mayAccumulate(int64_t columns, Type operand) const {
  // The registers of each thread that accumulators may take. Scores,
  // probabilities, addresses and the parts of f32 operands take the others.
  int64_t registers = operand.isF32() ? 80 : hasReducer() ? 128 : 160;
  return getTileQ() * columns <= registers * 32 * getWarps();
}

bool ScheduleAttr::mayAdd(int64_t columns) const {
  if (hasReducer())
    return true;
  // The computing warps share the tile's rows or, if these are too few, its
  // columns.
  int64_t padded = llvm::alignTo<16>(columns);
  auto layout = getLayoutFor({getTileKv(), padded});
  if (failed(layout))
    return false;
  if (getMma() != MmaKind::Wgmma)
    return true;
  // The right operand has 16 bits, and the columns of each warpgroup must lie
  // within a panel or be whole panels.
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
         << "', found none; give attn-gpu-assign-schedule a chip";
}

/// Verifies that the only attribute of the dialect on other ops is
/// `attn_gpu.target`, of its type and on modules, where passes look for it.
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
