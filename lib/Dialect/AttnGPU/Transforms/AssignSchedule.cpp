//===- AssignSchedule.cpp - A schedule for each attention op --------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Dialect/AttnGPU/Schedule/Table.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUASSIGNSCHEDULEPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;
using attn::AttentionInterface;
using attn::Chip;

/// Assigns an op the table's schedule with the fastest kind of copies that fits
/// the op: TMA, else cp.async, else single elements. If the table of pages is a
/// list of rows (attn::listsKeys()) or the table says so (chooseBeforeTma()),
/// cp.async comes before TMA. With TMA or cp.async, also assigns a fallback
/// schedule that copies single elements, for arrays at any address. Fails with
/// an error if no schedule that copies single elements fits.
static LogicalResult assign(AttentionInterface op, const Chip &chip) {
  // For each kind of copies, the reason why no schedule with it fits the op.
  std::string noTma, noCpAsync, noElement;
  auto choose = [&](CopyKind copy, std::string &reason) -> std::optional<Plan> {
    llvm::Expected<Plan> plan = choosePlan(op, chip, copy);
    if (plan)
      return std::move(*plan);
    reason = llvm::toString(plan.takeError());
    return std::nullopt;
  };
  std::optional<Plan> simple = choose(CopyKind::Element, noElement);
  if (!simple)
    return op->emitOpError(
               "expected an op that a schedule of the table fits on ")
           << chip.name << ", found none: " << noElement;

  std::optional<Plan> ofTma, best = chooseBeforeTma(op, chip);
  if (!best)
    ofTma = choose(CopyKind::Tma, noTma);
  std::string path = "mma.sync: " + noTma;
  // If the table of pages is a list of rows, cp.async is preferred to TMA: it
  // takes rows from the list, and with TMA threads would gather them.
  if (best) {
    best->reasons.insert(best->reasons.begin(),
                         "mma.sync: it takes keys and values from registers");
    path = "mma.sync: wgmma takes no copies of single elements";
  } else if (ofTma && !attn::listsKeys(op, simple->schedule)) {
    best = ofTma;
    path = "mma.sync: wgmma is for access tma";
  } else if ((best = choose(CopyKind::CpAsync, noCpAsync))) {
    if (best->schedule.getMma() == MmaKind::Wgmma)
      path = "mma.sync: wgmma is for access async16";
    else if (ofTma)
      path = "mma.sync: no tiles of wgmma fit copies by cp.async";
    if (best->schedule.getMma() == MmaKind::MmaSync)
      best->reasons.insert(best->reasons.begin(), path);
  } else {
    best = ofTma;
    simple->reasons.push_back("access narrow: " + noCpAsync);
  }
  simple->reasons.insert(simple->reasons.begin(), path);

  if (!best) {
    op.setScheduleAttr(simple->schedule);
    op->setAttr(attn::kReasonsAttrName, simple->getReasonsAttr());
    return success();
  }
  op.setScheduleAttr(best->schedule);
  op->setAttr(attn::kReasonsAttrName, best->getReasonsAttr());
  op.setFallbackAttr(simple->schedule);
  op->setAttr(attn::kFallbackReasonsAttrName, simple->getReasonsAttr());
  return success();
}

/// Assigns the schedule of a row-wise op, which is the same on all chips,
/// unless the op has one, and sets the reason if the op has none. Fails with an
/// error if the schedule does not fit the op and the chip.
static LogicalResult assign(attn::RowwiseInterface op) {
  FailureOr<TargetAttr> target = getTarget(op);
  if (failed(target) || failed(attn::checkHeadDims(op)))
    return failure();
  StringRef reason = "schedule: the module's own";
  if (!op.getScheduleAttr()) {
    op.setScheduleAttr(ScheduleAttr::getForRows(op.getContext()));
    reason = "schedule: rows without MMAs";
  }
  if (!op->hasAttr(attn::kReasonsAttrName))
    op->setAttr(attn::kReasonsAttrName, Builder(op).getStrArrayAttr({reason}));
  const Chip &chip = target->getDescription();
  auto schedule = dyn_cast<ScheduleAttr>(op.getScheduleAttr());
  if (!schedule)
    return op->emitOpError("expected an #attn_gpu.schedule for ")
           << chip.name << ", found " << op.getScheduleAttr();
  if (std::string misfit = findMisfit(schedule, chip); !misfit.empty())
    return op->emitOpError("expected a schedule that fits, found ")
           << schedule << ": " << misfit;
  // A tile of a row-wise op has a multiple of 32 columns, so it suffices to
  // check that the warps can divide 32 columns.
  if (failed(schedule.getLayoutFor({schedule.getTileQ(), 32})))
    return op->emitOpError("expected a schedule that fits, found ")
           << schedule << ": " << schedule.getWarps()
           << " warps do not have 16 rows and 8 columns each of tiles of "
           << schedule.getTileQ() << " rows and 32 columns";
  return success();
}

/// Sets the module's target to `chip`, unless `chip` is empty. Fails with an
/// error if the module already has another target, since decisions for that
/// chip may have been made in the module.
static LogicalResult setTarget(ModuleOp module, StringRef chip) {
  if (chip.empty())
    return success();
  auto target = TargetAttr::getChecked([&] { return module.emitError(); },
                                       module.getContext(), chip);
  if (!target)
    return failure();
  if (auto other = module->getAttrOfType<TargetAttr>(kTargetAttrName);
      other && other != target)
    return module.emitError("expected a module for ")
           << target.getChip() << " or without a target, found " << other;
  module->setAttr(kTargetAttrName, target);
  return success();
}

namespace {
struct AttnGPUAssignSchedulePass
    : public attn_gpu::impl::AttnGPUAssignSchedulePassBase<
          AttnGPUAssignSchedulePass> {
  using AttnGPUAssignSchedulePassBase::AttnGPUAssignSchedulePassBase;

  void runOnOperation() override {
    if (failed(setTarget(getOperation(), chip)))
      return signalPassFailure();
    WalkResult result =
        getOperation()->walk([](AttentionInterface op) -> WalkResult {
          FailureOr<TargetAttr> target = getTarget(op);
          if (failed(target) || failed(attn::checkHeadDims(op)))
            return WalkResult::interrupt();
          const Chip &chip = target->getDescription();
          if (!op.getScheduleAttr())
            return assign(op, chip);
          if (!op->hasAttr(attn::kReasonsAttrName))
            op->setAttr(
                attn::kReasonsAttrName,
                Builder(op).getStrArrayAttr({"schedule: the module's own"}));
          return checkSchedule(op, chip, /*plans=*/true);
        });
    if (!result.wasInterrupted())
      result = getOperation()->walk(
          [](attn::RowwiseInterface op) -> WalkResult { return assign(op); });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
