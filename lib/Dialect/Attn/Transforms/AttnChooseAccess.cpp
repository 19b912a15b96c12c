//===- AttnChooseAccess.cpp - Classes of memory access --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/Attn/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNCHOOSEACCESSPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

/// Bytes of one asynchronous copy, which its addresses must be multiples of.
static constexpr int64_t kCopyBytes = 16;

static int64_t getElementBytes(MemRefType type) {
  return type.getElementTypeBitWidth() / 8;
}

/// Whether static strides put some row at another address than a multiple of
/// kCopyBytes. Dimensions of size 1 are not strided over.
static bool hasUnfitStride(MemRefType type) {
  auto [strides, offset] = type.getStridesAndOffset();
  return llvm::any_of(
      llvm::zip(type.getShape().drop_back(), ArrayRef(strides).drop_back()),
      [&](auto pair) {
        auto [size, stride] = pair;
        return size != 1 && ShapedType::isStatic(stride) &&
               stride * getElementBytes(type) % kCopyBytes != 0;
      });
}

/// The bits of the address of each row that may be set, and others.
static Value getAddressBits(ImplicitLocOpBuilder &b, Value view) {
  auto type = cast<MemRefType>(view.getType());
  auto metadata = memref::ExtractStridedMetadataOp::create(b, view);
  auto asValue = [&](OpFoldResult ofr) {
    return getValueOrCreateConstantIndexOp(b, b.getLoc(), ofr);
  };
  // The offset, and strides of dimensions that have more than one index.
  Value elements = asValue(metadata.getConstifiedMixedOffset());
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  SmallVector<OpFoldResult> sizes = metadata.getConstifiedMixedSizes();
  SmallVector<OpFoldResult> strides = metadata.getConstifiedMixedStrides();
  for (auto [size, stride] :
       llvm::zip(ArrayRef(sizes).drop_back(), ArrayRef(strides).drop_back())) {
    Value isStrided = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ne,
                                                    asValue(size), one);
    Value bits =
        b.createOrFold<arith::SelectOp>(isStrided, asValue(stride), zero);
    elements = b.createOrFold<arith::OrIOp>(elements, bits);
  }
  Value bytes = arith::ConstantIndexOp::create(b, getElementBytes(type));
  return arith::OrIOp::create(
      b, memref::ExtractAlignedPointerAsIndexOp::create(b, view),
      arith::MulIOp::create(b, elements, bytes));
}

static ScheduleAttr withAccess(ScheduleAttr schedule, Access access) {
  return ScheduleAttr::get(schedule.getContext(), schedule.getTileQ(),
                           schedule.getTileKv(), schedule.getWarps(), access,
                           schedule.getStages(), schedule.getOverlap());
}

static SmallVector<Value> getArrays(AttentionOp op) {
  return {op.getQuery(), op.getKey(), op.getValue()};
}

/// Whether all rows begin at multiples of kCopyBytes.
static Value emitIsAligned(ImplicitLocOpBuilder &b, AttentionOp op) {
  Value bits;
  for (Value view : getArrays(op)) {
    Value next = getAddressBits(b, view);
    bits = bits ? arith::OrIOp::create(b, bits, next).getResult() : next;
  }
  Value mask = arith::ConstantIndexOp::create(b, kCopyBytes - 1);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                               arith::AndIOp::create(b, bits, mask), zero);
}

/// Whether a tensor map can describe the array: no size of 0, strides that are
/// positive and below 2^40 bytes (CUDA Driver API, cuTensorMapEncodeTiled).
static Value emitIsDescribable(ImplicitLocOpBuilder &b, Value view) {
  auto type = cast<MemRefType>(view.getType());
  auto metadata = memref::ExtractStridedMetadataOp::create(b, view);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  auto asValue = [&](OpFoldResult ofr) {
    return getValueOrCreateConstantIndexOp(b, b.getLoc(), ofr);
  };
  // As unsigned numbers, x - 1 < n is 0 < x <= n.
  auto isFrom1To = [&](Value value, int64_t last) {
    Value before = b.createOrFold<arith::SubIOp>(value, constant(1));
    return b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ult, before,
                                         constant(last));
  };
  Value all = arith::ConstantIntOp::create(b, 1, 1);
  SmallVector<OpFoldResult> sizes = metadata.getConstifiedMixedSizes();
  SmallVector<OpFoldResult> strides = metadata.getConstifiedMixedStrides();
  for (auto [size, stride] :
       llvm::zip(ArrayRef(sizes).drop_back(), ArrayRef(strides).drop_back())) {
    Value isSize = isFrom1To(asValue(size), (int64_t(1) << 32) - 1);
    Value isStrided = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ne,
                                                    asValue(size), constant(1));
    Value counted = b.createOrFold<arith::SelectOp>(isStrided, asValue(stride),
                                                    constant(1));
    Value isStride = isFrom1To(counted, ((int64_t(1) << 40) - kCopyBytes) /
                                            getElementBytes(type));
    all = b.createOrFold<arith::AndIOp>(
        all, b.createOrFold<arith::AndIOp>(isSize, isStride));
  }
  return all;
}

/// The op with schedule `best` where `condition` holds, else with `other`.
static void chooseAtRunTime(AttentionOp op, ImplicitLocOpBuilder &b,
                            Value condition, ScheduleAttr best,
                            ScheduleAttr other) {
  auto emit = [&](ScheduleAttr schedule) {
    return [&op, schedule](OpBuilder &inner, Location loc) {
      auto copy = cast<AttentionOp>(inner.clone(*op));
      copy.setScheduleAttr(schedule);
      scf::YieldOp::create(inner, loc);
    };
  };
  scf::IfOp::create(b, condition, emit(best), emit(other));
  op.erase();
}

/// Chooses between the class of the op's schedule, which a test at run time
/// must allow, and `narrow`.
static void choose(AttentionOp op, ScheduleAttr fallback, bool isUnfit) {
  ScheduleAttr schedule = op.getScheduleAttr();
  bool isTma = schedule.getAccess() == Access::Tma;
  ScheduleAttr narrow = withAccess(isTma ? fallback : schedule, Access::Narrow);
  if (isUnfit) {
    op.setScheduleAttr(narrow);
    return;
  }
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value condition = emitIsAligned(b, op);
  if (isTma)
    for (Value view : getArrays(op))
      condition =
          b.createOrFold<arith::AndIOp>(condition, emitIsDescribable(b, view));
  chooseAtRunTime(op, b, condition,
                  isTma ? schedule : withAccess(schedule, Access::Async16),
                  narrow);
}

namespace {
struct AttnChooseAccessPass
    : public attn::impl::AttnChooseAccessPassBase<AttnChooseAccessPass> {
  using AttnChooseAccessPassBase::AttnChooseAccessPassBase;

  void runOnOperation() override {
    std::optional<Access> given = symbolizeAccess(access);
    if (!given && access != "auto") {
      getOperation()->emitError("expected access auto, narrow, async16 or tma, "
                                "found '")
          << access << "'";
      return signalPassFailure();
    }
    SmallVector<AttentionOp> ops;
    getOperation()->walk([&](AttentionOp op) {
      ScheduleAttr schedule = op.getScheduleAttr();
      if (schedule && schedule.getWarps() > 0 && op.getNumResults() == 0)
        ops.push_back(op);
    });
    for (AttentionOp op : ops)
      if (failed(run(op, given)))
        return signalPassFailure();
  }

private:
  LogicalResult run(AttentionOp op, std::optional<Access> given) {
    ScheduleAttr schedule = op.getScheduleAttr();
    // Without another schedule, the op's own was written by hand for it.
    auto fallback = op->getAttrOfType<ScheduleAttr>(kFallbackAttrName);
    op->removeAttr(kFallbackAttrName);
    bool isTma = schedule.getAccess() == Access::Tma;
    bool isUnfit = llvm::any_of(getArrays(op), [](Value v) {
      return hasUnfitStride(cast<MemRefType>(v.getType()));
    });
    if (given && *given != Access::Narrow && isUnfit)
      return op.emitOpError("expected strides that are multiples of ")
             << kCopyBytes << " bytes for access " << stringifyAccess(*given)
             << ", found " << op.getQuery().getType() << ", "
             << op.getKey().getType() << " and " << op.getValue().getType();
    if (given == Access::Tma && !isTma)
      return op.emitOpError("expected an op and a chip that the tensor memory "
                            "accelerator serves for access tma, found ")
             << schedule;
    if (given) {
      if (*given != schedule.getAccess())
        op.setScheduleAttr(
            withAccess(isTma && fallback ? fallback : schedule, *given));
      return success();
    }
    bool isBelieved =
        schedule.getAccess() == Access::Async16 || (isTma && !fallback);
    if (!isBelieved)
      choose(op, fallback, isUnfit);
    return success();
  }
};
} // namespace
