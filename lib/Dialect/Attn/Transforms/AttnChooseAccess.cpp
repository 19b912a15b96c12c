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
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
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

/// The schedule for a class other than `tma`.
static ScheduleAttr withAccess(ScheduleAttr schedule, Access access) {
  return ScheduleAttr::get(schedule.getContext(), schedule.getTileQ(),
                           schedule.getTileKv(), schedule.getWarps(), access);
}

/// What a class speaks of: the tensor memory accelerator stores, too.
static SmallVector<Value> getArrays(AttentionOp op, Access access) {
  SmallVector<Value> arrays = {op.getQuery(), op.getKey(), op.getValue()};
  if (access == Access::Tma)
    arrays.push_back(op.getOutput());
  return arrays;
}

static Value isMultiple(ImplicitLocOpBuilder &b, Value bits, int64_t bytes) {
  Value mask = arith::ConstantIndexOp::create(b, bytes - 1);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                               arith::AndIOp::create(b, bits, mask), zero);
}

/// A kernel that meets an address in the middle of an element is the end of the
/// whole CUDA context, so the host looks before.
static void checkElementAddresses(AttentionOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  for (Value view : op->getOperands()) {
    auto type = dyn_cast<MemRefType>(view.getType());
    if (!type)
      continue;
    Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, view);
    cf::AssertOp::create(b, isMultiple(b, address, getElementBytes(type)),
                         "attn.attention: expected arrays at multiples of "
                         "their element's size");
  }
}

/// Whether rows of query, key and value begin at multiples of kCopyBytes.
static Value areRowsAligned(ImplicitLocOpBuilder &b, AttentionOp op,
                            Access access) {
  Value bits;
  for (Value view : getArrays(op, access)) {
    Value next = getAddressBits(b, view);
    bits = bits ? arith::OrIOp::create(b, bits, next).getResult() : next;
  }
  return isMultiple(b, bits, kCopyBytes);
}

/// Whether a tensor map can describe the array: no size of 0, strides that are
/// positive and below 2^40 bytes (CUDA Driver API, cuTensorMapEncodeTiled).
static Value isDescribable(ImplicitLocOpBuilder &b, Value view) {
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

/// Whether the op's arrays are of the class, which is not `narrow`.
static Value isOfClass(ImplicitLocOpBuilder &b, AttentionOp op, Access access) {
  Value all = areRowsAligned(b, op, access);
  if (access == Access::Tma)
    for (Value view : getArrays(op, access))
      all = b.createOrFold<arith::AndIOp>(all, isDescribable(b, view));
  return all;
}

/// What arrays of the class have, which is not `narrow`.
static std::string describeClass(Access access) {
  std::string text = "rows of query, key and value at multiples of " +
                     std::to_string(kCopyBytes) + " bytes";
  if (access == Access::Tma)
    text += ", the output's too, sizes of at least 1 and positive strides "
            "below 2^40 bytes";
  return text;
}

namespace {
/// A schedule and, where the pass that chose it gave them, its reasons.
struct Plan {
  ScheduleAttr schedule;
  ArrayAttr reasons;
};
} // namespace

static void addReason(Plan &plan, const Twine &reason) {
  Builder b(plan.schedule.getContext());
  SmallVector<Attribute> reasons;
  if (plan.reasons)
    llvm::append_range(reasons, plan.reasons);
  reasons.push_back(b.getStringAttr(reason));
  plan.reasons = b.getArrayAttr(reasons);
}

/// Gives the op the plan, for the class and the reason for that class.
static void setPlan(AttentionOp op, Plan plan, Access access,
                    const Twine &reason) {
  if (plan.schedule.getAccess() != access)
    plan.schedule = withAccess(plan.schedule, access);
  addReason(plan, "access " + stringifyAccess(access) + ": " + reason);
  op.setScheduleAttr(plan.schedule);
  op->setAttr(kReasonsAttrName, plan.reasons);
}

/// Stops the program at run time unless the arrays are of the op's class.
static void requireClass(AttentionOp op) {
  Access access = op.getScheduleAttr().getAccess();
  if (access == Access::Narrow)
    return;
  ImplicitLocOpBuilder b(op.getLoc(), op);
  std::string message = "attn.attention: expected " + describeClass(access) +
                        " for access " + stringifyAccess(access).str();
  cf::AssertOp::create(b, isOfClass(b, op, access), message);
}

/// The op with plan `best` if its arrays are of the class, else with `other`
/// for class `narrow`.
static void chooseAtRunTime(AttentionOp op, Access access, const Plan &best,
                            const Plan &other) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto emit = [&](const Plan &plan, Access own, std::string reason) {
    return [&op, &plan, own, reason](OpBuilder &inner, Location loc) {
      setPlan(cast<AttentionOp>(inner.clone(*op)), plan, own, reason);
      scf::YieldOp::create(inner, loc);
    };
  };
  scf::IfOp::create(b, isOfClass(b, op, access),
                    emit(best, access,
                         "for arrays with " + describeClass(access) +
                             ", which each launch tests"),
                    emit(other, Access::Narrow,
                         "for arrays that are not fit for access " +
                             stringifyAccess(access).str()));
  op.erase();
}

/// The first array whose strides in its type are not of the class, or "".
static StringRef findUnfit(AttentionOp op, Access access) {
  static constexpr StringLiteral kNames[] = {"query", "key", "value", "output"};
  for (auto [view, name] : llvm::zip(getArrays(op, access), kNames))
    if (hasUnfitStride(cast<MemRefType>(view.getType())))
      return name;
  return "";
}

static LogicalResult choose(AttentionOp op, std::optional<Access> given) {
  Plan own = {op.getScheduleAttr(),
              op->getAttrOfType<ArrayAttr>(kReasonsAttrName)};
  Access ownAccess = own.schedule.getAccess();
  bool isTma = ownAccess == Access::Tma;
  // A schedule that was written by hand comes without another.
  Plan fallback = {
      op->getAttrOfType<ScheduleAttr>(kFallbackAttrName),
      op->getAttrOfType<ArrayAttr>(kFallbackReasonsAttrName),
  };
  op->removeAttr(kFallbackAttrName);
  op->removeAttr(kFallbackReasonsAttrName);
  bool isPromised =
      ownAccess == Access::Async16 || (isTma && !fallback.schedule);
  if (given && *given != Access::Narrow && !findUnfit(op, *given).empty())
    return op.emitOpError("expected strides that are multiples of ")
           << kCopyBytes << " bytes for access " << stringifyAccess(*given)
           << ", found " << op.getQuery().getType() << ", "
           << op.getKey().getType() << " and " << op.getValue().getType();
  if (given == Access::Tma && !isTma)
    return op.emitOpError("expected an op and a chip that the tensor memory "
                          "accelerator serves for access tma, found ")
           << own.schedule;

  checkElementAddresses(op);
  Plan simple = isTma && fallback.schedule ? fallback : own;
  if (given || isPromised) {
    Access access = given.value_or(ownAccess);
    setPlan(op, access == ownAccess ? own : simple, access,
            given ? "asked for" : "the schedule promises it");
    requireClass(op);
    return success();
  }
  auto explain = [](StringRef unfit) {
    return ("the type of the " + unfit +
            " has strides that are not multiples "
            "of " +
            Twine(kCopyBytes) + " bytes")
        .str();
  };
  StringRef unfitForCopies = findUnfit(op, Access::Async16);
  StringRef unfitForTma = isTma ? findUnfit(op, Access::Tma) : "";
  if (!unfitForCopies.empty()) {
    setPlan(op, simple, Access::Narrow, explain(unfitForCopies));
    return success();
  }
  if (!unfitForTma.empty())
    addReason(simple, "not access tma: " + explain(unfitForTma));
  if (isTma && unfitForTma.empty())
    chooseAtRunTime(op, Access::Tma, own, simple);
  else
    chooseAtRunTime(op, Access::Async16, simple, simple);
  return success();
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
      if (failed(choose(op, given)))
        return signalPassFailure();
  }
};
} // namespace
