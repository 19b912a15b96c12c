//===- AttnAssignTiles.cpp - Sizes of tiles for the host ------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/Attn/Transforms/Passes.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNASSIGNTILESPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

/// Returns the tile sizes for the host: 64 rows and 64 keys, or fewer for
/// shorter problems. With these, what an iteration reads and writes fits a
/// core's L2 cache up to head dim 256. If the keys of a row may be divided
/// among programs, a tile may have rows of several heads, so the rows of all
/// heads are counted.
static TilesAttr getHostTiles(AttentionInterface op) {
  int64_t rows = op.getQueryType().getDimSize(2);
  int64_t keys = op.getKeyType().getDimSize(2);
  bool splitsKeys = mayDivideKeys(op);
  int64_t heads = op.getQueryType().getDimSize(1);
  if (splitsKeys && ShapedType::isStatic(rows))
    rows = ShapedType::isDynamic(heads) ? heads : heads * rows;
  return TilesAttr::get(op.getContext(), fitTile(64, rows), fitTile(64, keys),
                        splitsKeys);
}

namespace {
struct AttnAssignTilesPass
    : public attn::impl::AttnAssignTilesPassBase<AttnAssignTilesPass> {
  void runOnOperation() override {
    WalkResult result =
        getOperation()->walk([](AttentionInterface op) -> WalkResult {
          if (failed(checkHeadDims(op)))
            return WalkResult::interrupt();
          if (!op.getScheduleAttr())
            op.setScheduleAttr(getHostTiles(op));
          return WalkResult::advance();
        });
    if (!result.wasInterrupted())
      result = getOperation()->walk([](RowwiseInterface op) -> WalkResult {
        if (failed(checkHeadDims(op)))
          return WalkResult::interrupt();
        if (!op.getScheduleAttr())
          op.setScheduleAttr(TilesAttr::get(op.getContext(), op.getHostRows(),
                                            64,
                                            /*split_kv=*/false));
        return WalkResult::advance();
      });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
