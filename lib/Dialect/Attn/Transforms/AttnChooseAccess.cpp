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

static ScheduleAttr withAccess(ScheduleAttr schedule, Access access) {
  return ScheduleAttr::get(schedule.getContext(), schedule.getTileQ(),
                           schedule.getTileKv(), schedule.getWarps(), access);
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
static Value areRowsAligned(ImplicitLocOpBuilder &b, AttentionOp op) {
  Value bits;
  for (Value view : {op.getQuery(), op.getKey(), op.getValue()}) {
    Value next = getAddressBits(b, view);
    bits = bits ? arith::OrIOp::create(b, bits, next).getResult() : next;
  }
  return isMultiple(b, bits, kCopyBytes);
}

static void requireAlignedRows(AttentionOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  cf::AssertOp::create(b, areRowsAligned(b, op),
                       "attn.attention: expected rows of query, key and value "
                       "at multiples of " +
                           std::to_string(kCopyBytes) +
                           " bytes for access async16");
}

static void chooseAtRunTime(AttentionOp op) {
  ScheduleAttr schedule = op.getScheduleAttr();
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value isAligned = areRowsAligned(b, op);
  auto emit = [&](Access access) {
    return [&, access](OpBuilder &inner, Location loc) {
      auto copy = cast<AttentionOp>(inner.clone(*op));
      copy.setScheduleAttr(withAccess(schedule, access));
      scf::YieldOp::create(inner, loc);
    };
  };
  scf::IfOp::create(b, isAligned, emit(Access::Async16), emit(Access::Narrow));
  op.erase();
}

namespace {
struct AttnChooseAccessPass
    : public attn::impl::AttnChooseAccessPassBase<AttnChooseAccessPass> {
  using AttnChooseAccessPassBase::AttnChooseAccessPassBase;

  void runOnOperation() override {
    std::optional<Access> given = symbolizeAccess(access);
    if (!given && access != "auto") {
      getOperation()->emitError("expected access auto, narrow or async16, "
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
    for (AttentionOp op : ops) {
      bool isUnfit = llvm::any_of(
          ValueRange{op.getQuery(), op.getKey(), op.getValue()}, [](Value v) {
            return hasUnfitStride(cast<MemRefType>(v.getType()));
          });
      if (given == Access::Async16 && isUnfit) {
        op.emitOpError("expected strides that are multiples of ")
            << kCopyBytes << " bytes for access async16, found "
            << op.getQuery().getType() << ", " << op.getKey().getType()
            << " and " << op.getValue().getType();
        return signalPassFailure();
      }
      checkElementAddresses(op);
      bool isPromised = op.getScheduleAttr().getAccess() == Access::Async16;
      if (given.value_or(Access::Async16) == Access::Async16 &&
          (given || isPromised))
        requireAlignedRows(op);
      if (!given && isPromised)
        continue;
      if (given || isUnfit)
        op.setScheduleAttr(
            withAccess(op.getScheduleAttr(), given.value_or(Access::Narrow)));
      else
        chooseAtRunTime(op);
    }
  }
};
} // namespace
