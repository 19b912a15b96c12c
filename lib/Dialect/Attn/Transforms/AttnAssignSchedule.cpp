//===- AttnAssignSchedule.cpp - Choose a schedule for each attention op
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/Attn/Transforms/Passes.h"

#include "llvm/Support/MathExtras.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNASSIGNSCHEDULEPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

/// The largest head dim, of keys or values, that a tile program holds.
static constexpr int64_t kMaxHeadDim = 256;

/// Rows of a tile: `largest`, or what a shorter static length needs.
static int64_t fitTile(int64_t largest, int64_t length) {
  if (ShapedType::isDynamic(length))
    return largest;
  return std::clamp<int64_t>(llvm::alignTo(length, 16), 16, largest);
}

/// Host tiles: two blocks of 64 rows and 64 keys keep a step's working set
/// within a core's second-level cache up to head dim 256.
static ScheduleAttr getHostSchedule(AttentionOp op) {
  return ScheduleAttr::get(op.getContext(),
                           fitTile(64, op.getQueryType().getDimSize(2)),
                           fitTile(64, op.getKeyType().getDimSize(2)));
}

namespace {
struct AttnAssignSchedulePass
    : public attn::impl::AttnAssignSchedulePassBase<AttnAssignSchedulePass> {
  using AttnAssignSchedulePassBase::AttnAssignSchedulePassBase;

  void runOnOperation() override {
    if (chip != "host") {
      getOperation()->emitError("unknown chip '")
          << chip << "', expected 'host'";
      return signalPassFailure();
    }
    WalkResult result = getOperation()->walk([&](AttentionOp op) {
      for (int64_t dim : {op.getHeadDim(), op.getValueHeadDim()})
        if (dim > kMaxHeadDim) {
          op.emitOpError("expected a head dim of at most ")
              << kMaxHeadDim << ", found " << dim;
          return WalkResult::interrupt();
        }
      if (!op.getScheduleAttr())
        op.setScheduleAttr(getHostSchedule(op));
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
