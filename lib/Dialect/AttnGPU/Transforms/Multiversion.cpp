//===- Multiversion.cpp - Schedules that launches choose from -------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/Attn/IR/ValueOrder.h"
#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Dialect/AttnGPU/Schedule/Table.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "attn/Support/ElementDType.h"
#include "attn/Support/NumberBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUMULTIVERSIONPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;
using attn::AttentionInterface;
using attn::Chip;

static int64_t getElementBytes(MemRefType type) {
  return llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

/// Emits the bitwise or of the base address, the offset and the strides of a
/// memref, all in bytes. A low bit that is 0 in the result, with all bits below
/// it, is 0 in the address of each row.
static Value getAddressBits(attn::NumberBuilder &b, Value view) {
  auto type = cast<MemRefType>(view.getType());
  auto metadata = memref::ExtractStridedMetadataOp::create(b, view);
  // The stride of a dimension of size 1 counts as 0, since it is in no address.
  Value elements = b.asValue(metadata.getConstifiedMixedOffset());
  Value one = b.index(1);
  Value zero = b.index(0);
  SmallVector<OpFoldResult> sizes = metadata.getConstifiedMixedSizes();
  SmallVector<OpFoldResult> strides = metadata.getConstifiedMixedStrides();
  for (auto [size, stride] :
       llvm::zip(ArrayRef(sizes).drop_back(), ArrayRef(strides).drop_back())) {
    Value isStrided = b.neOrFold(b.asValue(size), one);
    Value bits = b.selectOrFold(isStrided, b.asValue(stride), zero);
    elements = b.oriOrFold(elements, bits);
  }
  Value bytes = attn::isInt4(type.getElementType())
                    ? b.divui(elements, b.index(2))
                    : b.muli(elements, b.index(getElementBytes(type)));
  return b.ori(memref::ExtractAlignedPointerAsIndexOp::create(b, view), bytes);
}

static Value isMultiple(attn::NumberBuilder &b, Value bits, int64_t bytes) {
  Value mask = b.index(bytes - 1);
  Value zero = b.index(0);
  return b.eq(b.andi(bits, mask), zero);
}

/// Emits assertions on the host that arrays begin at multiples of their element
/// size. If a kernel accessed a misaligned address, the whole CUDA context
/// would become unusable.
static void checkElementAddresses(AttentionInterface op) {
  attn::NumberBuilder b(op.getLoc(), op);
  for (Value view : op->getOperands()) {
    auto type = dyn_cast<MemRefType>(view.getType());
    if (!type)
      continue;
    Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, view);
    cf::AssertOp::create(b, isMultiple(b, address, getElementBytes(type)),
                         (op->getName().getStringRef() +
                          ": expected arrays at multiples of their element's "
                          "size")
                             .str());
  }
}

/// Emits the view of an array that programs copy: the transposed array if its
/// contiguous dimension is keys, otherwise the array itself.
static Value getCopied(attn::NumberBuilder &b, Value array) {
  if (!attn::liesAlongKeys(cast<ShapedType>(array.getType())))
    return array;
  AffineMap order = AffineMap::getPermutationMap(ArrayRef<unsigned>{0, 1, 3, 2},
                                                 b.getContext());
  return memref::TransposeOp::create(b, array, AffineMapAttr::get(order));
}

/// Emits a condition that is true if, in all arrays that the copies read or
/// write, each row begins at a multiple of kCopyBytes (16) bytes.
static Value areRowsAligned(attn::NumberBuilder &b, AttentionInterface op,
                            CopyKind copy) {
  Value bits;
  for (const attn::NamedArray &array : getCopiedArrays(op, copy)) {
    Value next = getAddressBits(b, getCopied(b, array.value));
    bits = bits ? b.ori(bits, next) : next;
  }
  return isMultiple(b, bits, kCopyBytes);
}

/// Emits a condition that is true if a tensor map can describe the array. No
/// size may be 0, and strides must be positive and below 2^40 bytes (CUDA
/// Driver API, cuTensorMapEncodeTiled). Signed 32-bit numbers must hold all
/// coordinates, also those of a tile that begins past the array's end, so sizes
/// may be at most `mostRows`.
static Value isDescribable(attn::NumberBuilder &b, Value view,
                           int64_t mostRows) {
  auto type = cast<MemRefType>(view.getType());
  auto metadata = memref::ExtractStridedMetadataOp::create(b, view);
  // Emits a condition that is true for 1 <= value <= last. It compares value -
  // 1 with `last` as unsigned numbers, which also excludes the value 0, for
  // which value - 1 is the largest unsigned number.
  auto isFrom1To = [&](Value value, int64_t last) {
    Value before = b.subiOrFold(value, b.index(1));
    return b.ultOrFold(before, b.index(last));
  };
  Value all = b.boolean(true);
  SmallVector<OpFoldResult> sizes = metadata.getConstifiedMixedSizes();
  SmallVector<OpFoldResult> strides = metadata.getConstifiedMixedStrides();
  for (auto [size, stride] :
       llvm::zip(ArrayRef(sizes).drop_back(), ArrayRef(strides).drop_back())) {
    Value isSize = isFrom1To(b.asValue(size), mostRows);
    Value isStrided = b.neOrFold(b.asValue(size), b.index(1));
    Value counted = b.selectOrFold(isStrided, b.asValue(stride), b.index(1));
    Value isStride = isFrom1To(counted, ((int64_t(1) << 40) - kCopyBytes) /
                                            getElementBytes(type));
    all = b.andiOrFold(all, b.andiOrFold(isSize, isStride));
  }
  // In a transposed view of an array whose contiguous dimension is keys, the
  // columns are keys. Their number is limited as the number of rows is.
  if (view.getDefiningOp<memref::TransposeOp>())
    all = b.andiOrFold(all, isFrom1To(b.asValue(sizes.back()), mostRows));
  return all;
}

/// Emits a condition that is true if the op's arrays have the alignment that
/// the schedule's kind of copies, TMA or cp.async, requires. For TMA, the
/// arrays must also have sizes and strides that a tensor map can describe. The
/// schedule must not copy single elements.
static Value areFit(attn::NumberBuilder &b, AttentionInterface op,
                    ScheduleAttr schedule) {
  CopyKind copy = schedule.getCopy();
  Value all = areRowsAligned(b, op, copy);
  if (copy == CopyKind::Tma)
    for (const attn::NamedArray &array : getCopiedArrays(op, copy))
      all = b.andiOrFold(all, isDescribable(b, getCopied(b, array.value),
                                            schedule.getMostRows()));
  return all;
}

/// Returns a text for messages: which arrays of the op must have rows at
/// multiples of 16 bytes for copies by TMA or cp.async, and for TMA also the
/// limits of their sizes and strides.
static std::string describeFit(AttentionInterface op, CopyKind copy) {
  SmallVector<StringRef> ins, outs;
  for (const attn::NamedArray &array : getCopiedArrays(op, copy))
    (array.isOut ? outs : ins).push_back(array.name);
  auto list = [](ArrayRef<StringRef> names) {
    std::string text = llvm::join(names.drop_back(), ", ");
    return text + (names.size() > 1 ? " and " : "") + names.back().str();
  };
  std::string text = "rows of " + list(ins) + " at multiples of " +
                     std::to_string(kCopyBytes) + " bytes";
  if (copy == CopyKind::Tma && !outs.empty())
    text += (outs.size() == 1 ? ", the " + outs.front().str() + "'s too"
                              : ", those of " + list(outs) + " too");
  if (copy == CopyKind::Tma)
    text += ", sizes of at least 1 and positive strides below 2^40 bytes";
  return text;
}

namespace {
/// One of the schedules of an op that has several, and the reasons why it was
/// chosen, if they are known.
struct Version {
  ScheduleAttr schedule;
  ArrayAttr reasons;
};
} // namespace

/// Makes the schedule of `version` the op's only schedule, and removes the
/// fallback. The op's reasons become those of the version, and `reason`, which
/// explains the access class, is added to them.
static void setVersion(AttentionInterface op, const Version &version,
                       const Twine &reason) {
  Builder b(op);
  SmallVector<Attribute> reasons;
  if (version.reasons)
    llvm::append_range(reasons, version.reasons);
  StringRef access = getAccessClass(version.schedule.getCopy());
  reasons.push_back(b.getStringAttr("access " + access + ": " + reason));
  op.setScheduleAttr(version.schedule);
  op->setAttr(attn::kReasonsAttrName, b.getArrayAttr(reasons));
  op.removeFallbackAttr();
  op->removeAttr(attn::kFallbackReasonsAttrName);
}

/// Emits an assertion that is checked at run time: the op's arrays meet the
/// access class of its schedule. Emits nothing if the schedule copies single
/// elements, which any array allows.
static void requireFit(AttentionInterface op) {
  auto schedule = cast<ScheduleAttr>(op.getScheduleAttr());
  CopyKind copy = schedule.getCopy();
  if (copy == CopyKind::Element)
    return;
  attn::NumberBuilder b(op.getLoc(), op);
  std::string message = op->getName().getStringRef().str() + ": expected " +
                        describeFit(op, copy) + " for access " +
                        getAccessClass(copy).str();
  cf::AssertOp::create(b, areFit(b, op, schedule), message);
}

/// Replaces the op by a branch at run time. If the op's arrays meet the access
/// class of the schedule of `best`, the op runs with that schedule. Otherwise
/// it runs with the schedule of `other`, after an assertion that the arrays
/// meet the access class of that schedule.
static void chooseAtRunTime(AttentionInterface op, const Version &best,
                            const Version &other) {
  attn::NumberBuilder b(op.getLoc(), op);
  auto emit = [&](const Version &version, std::string reason) {
    return [&op, &version, reason](OpBuilder &inner, Location loc) {
      auto own = cast<AttentionInterface>(inner.clone(*op.getOperation()));
      setVersion(own, version, reason);
      scf::YieldOp::create(inner, loc);
    };
  };
  CopyKind copy = best.schedule.getCopy();
  auto choice =
      scf::IfOp::create(b, areFit(b, op, best.schedule),
                        emit(best, "for arrays with " + describeFit(op, copy) +
                                       ", which each launch tests"),
                        emit(other, "for arrays that are not fit for access " +
                                        getAccessClass(copy).str()));
  for (AttentionInterface own : llvm::make_early_inc_range(
           choice.elseBlock()->getOps<AttentionInterface>()))
    requireFit(own);
  op->erase();
}

/// Returns the schedule with the kind of copies that the user asked for. Takes
/// the op's own schedule or its fallback, if one has that kind. Otherwise, if
/// neither that kind nor the kind of the op's own schedule is TMA, takes the
/// own schedule with its kind of copies replaced. Otherwise, if the op has a
/// fallback, as schedules from the table have, takes the table's schedule with
/// that kind. Fails with an error if there is none or if it does not fit.
static FailureOr<Version> findVersion(AttentionInterface op, const Version &own,
                                      const Version &fallback, CopyKind copy,
                                      const Chip &chip) {
  for (const Version &version : {own, fallback})
    if (version.schedule && version.schedule.getCopy() == copy)
      return version;
  auto refuse = [&](ScheduleAttr schedule, const Twine &why) {
    return op->emitOpError("expected a schedule for access ")
           << getAccessClass(copy) << ", found " << schedule << why;
  };
  if (copy != CopyKind::Tma && own.schedule.getCopy() != CopyKind::Tma) {
    Version found = {own.schedule.withCopy(copy), own.reasons};
    if (std::string misfit = findMisfit(op, found.schedule, chip);
        !misfit.empty())
      return refuse(found.schedule, ": " + misfit);
    return found;
  }
  // The table is asked even if the op has no fallback. Its error says why no
  // schedule fits, which is more helpful than that there is no fallback.
  llvm::Expected<Plan> plan = choosePlan(op, chip, copy);
  if (!plan)
    return refuse(own.schedule, ": " + llvm::toString(plan.takeError()));
  if (!fallback.schedule)
    return refuse(own.schedule, " alone");
  return Version{plan->schedule, plan->getReasonsAttr()};
}

static LogicalResult multiversion(AttentionInterface op,
                                  std::optional<CopyKind> given,
                                  const Chip &chip) {
  // Registers and shared memory are not checked here. This was done when the
  // schedule was assigned, or is done when the program is lowered.
  if (failed(checkSchedule(op, chip, /*plans=*/false)))
    return failure();
  Version own = {cast<ScheduleAttr>(op.getScheduleAttr()),
                 op->getAttrOfType<ArrayAttr>(attn::kReasonsAttrName)};
  Version fallback = {
      cast_or_null<ScheduleAttr>(op.getFallbackAttr()),
      op->getAttrOfType<ArrayAttr>(attn::kFallbackReasonsAttrName)};
  if (given) {
    FailureOr<Version> found = findVersion(op, own, fallback, *given, chip);
    if (failed(found))
      return failure();
    checkElementAddresses(op);
    setVersion(op, *found, "asked for");
    requireFit(op);
    return success();
  }
  checkElementAddresses(op);
  if (own.schedule.getCopy() == CopyKind::Element) {
    setVersion(op, own, "its copies take arrays of any address");
  } else if (fallback.schedule) {
    chooseAtRunTime(op, own, fallback);
  } else {
    setVersion(op, own, "the schedule promises it");
    requireFit(op);
  }
  return success();
}

namespace {
struct AttnGPUMultiversionPass
    : public attn_gpu::impl::AttnGPUMultiversionPassBase<
          AttnGPUMultiversionPass> {
  using AttnGPUMultiversionPassBase::AttnGPUMultiversionPassBase;

  void runOnOperation() override {
    std::optional<CopyKind> given = symbolizeAccessClass(access);
    if (!given && access != "auto") {
      getOperation()->emitError("expected access auto, narrow, async16 or tma, "
                                "found '")
          << access << "'";
      return signalPassFailure();
    }
    SmallVector<AttentionInterface> ops;
    getOperation()->walk([&](AttentionInterface op) {
      if (op.getScheduleAttr() && op->getNumResults() == 0)
        ops.push_back(op);
    });
    for (AttentionInterface op : ops) {
      FailureOr<TargetAttr> target = getTarget(op);
      if (failed(target) ||
          failed(multiversion(op, given, target->getDescription())))
        return signalPassFailure();
    }
  }
};
} // namespace
