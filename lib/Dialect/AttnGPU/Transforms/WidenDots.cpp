//===- WidenDots.cpp - 8-bit products on 16-bit MMAs ----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WidenDots.h"
#include "CheckProducts.h"

#include "attn/Support/ElementDType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

/// Whether both operands of the product are stored in rows along K. 8-bit MMAs
/// read operands only so, since no instruction transposes a tile of bytes.
static bool hasRowsAlongK(DotOp dot) {
  return !dot.getTransposeLhs() && dot.getTransposeRhs();
}

/// Whether the left operand of the product is computed in registers: it is not
/// transposed, not loaded, and not a slice. A warp may then hold the same rows
/// of the operand as of the result.
static bool hasComputedRows(DotOp dot) {
  return !dot.getTransposeLhs() &&
         !isa_and_nonnull<LoadOp, tensor::ExtractSliceOp>(
             dot.getLhs().getDefiningOp());
}

/// Whether the warps can divide the result both with kColumnsOfRuns (4)
/// adjacent columns for each lane, as the result needs them, and with pairs of
/// columns, as the left operand has them, and whether equally many warps share
/// a row in the two layouts.
static bool mayHoldRuns(DotOp dot, ScheduleAttr schedule) {
  ArrayRef<int64_t> shape = dot.getResult().getType().getShape();
  auto pairs = schedule.getLayoutFor(shape);
  auto runs = schedule.getLayoutFor(shape, kColumnsOfRuns);
  return succeeded(pairs) && succeeded(runs) &&
         pairs->getWarpsN() == runs->getWarpsN();
}

bool mlir::attn_gpu::hasRunsOfColumns(DotOp dot, ScheduleAttr schedule) {
  return schedule.getMma() == MmaKind::MmaSync &&
         attn::isFloat8(dot.getLhs().getType().getElementType()) &&
         !dot.getTransposeRhs();
}

/// Whether mma.sync of the chip can compute the product of 8-bit operands, so
/// that these need not be extended to f16.
static bool hasMmaSync(DotOp dot, ScheduleAttr schedule,
                       const attn::Chip &chip) {
  constexpr int64_t kStep = 32; // along K, of m16n8k32
  RankedTensorType lhs = dot.getLhs().getType();
  if (!chip.hasFloat8() || dot.getTransposeLhs() ||
      lhs.getDimSize(1) % kStep != 0)
    return false;
  return hasRowsAlongK(dot) ||
         (!schedule.hasSwizzledTiles() && hasComputedRows(dot) &&
          mayHoldRuns(dot, schedule));
}

bool mlir::attn_gpu::mayTranspose(DotOp dot) {
  return attn::isFloat8(dot.getRhs().getType().getElementType()) &&
         hasComputedRows(dot) && !dot.getTransposeRhs() &&
         dot.getRhs().getDefiningOp<LoadOp>();
}

LogicalResult mlir::attn_gpu::widenDots(KernelOp kernel, ScheduleAttr schedule,
                                        const attn::Chip &chip) {
  SmallVector<DotOp> widened;
  WalkResult result = kernel.walk([&](DotOp dot) -> WalkResult {
    if (!attn::isFloat8(dot.getLhs().getType().getElementType()))
      return WalkResult::advance();
    bool isWgmma = schedule.getMma() == MmaKind::Wgmma;
    if (isWgmma && !hasRowsAlongK(dot) && hasComputedRows(dot)) {
      if (!schedule.hasConverter() || !mayTranspose(dot))
        widened.push_back(dot);
      return WalkResult::advance();
    }
    if (isWgmma && !hasRowsAlongK(dot))
      return dot.emitOpError("expected operands of 8 bits whose rows lie along "
                             "K, lhs as M x K and rhs as N x K with "
                             "'transpose_rhs', for mma = wgmma; found ")
             << (dot.getTransposeLhs() ? "lhs as K x M" : "rhs as K x N");
    if (schedule.getMma() == MmaKind::MmaSync &&
        !hasMmaSync(dot, schedule, chip))
      widened.push_back(dot);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  llvm::DenseMap<Value, Value> extended;
  for (DotOp dot : widened)
    for (OpOperand *operand : {&dot.getLhsMutable(), &dot.getRhsMutable()}) {
      Value tile = operand->get();
      Value &wide = extended[tile];
      if (!wide) {
        OpBuilder b(dot.getContext());
        b.setInsertionPointAfterValue(tile);
        Type type =
            cast<RankedTensorType>(tile.getType()).clone(b.getF16Type());
        wide = arith::ExtFOp::create(b, dot.getLoc(), type, tile);
        // Since the loop now reads the loaded tile to registers, for the
        // extension and not for a product, the load gets the attribute
        // `beside`.
        if (auto load = tile.getDefiningOp<LoadOp>())
          load.setBeside(true);
      }
      operand->set(wide);
    }
  return success();
}

SmallVector<LoadOp> mlir::attn_gpu::findWidenedLoads(KernelOp kernel) {
  auto isWidened = [](Operation *user) {
    return isa<arith::ExtFOp, arith::SIToFPOp, UnpackOp>(user) &&
           llvm::any_of(user->getUses(), [](OpOperand &use) {
             auto dot = dyn_cast<DotOp>(use.getOwner());
             return dot && use.get() != dot.getAccumulator();
           });
  };
  SmallVector<LoadOp> loads;
  kernel.walk([&](LoadOp load) {
    RankedTensorType type = load.getResult().getType();
    if (type.getRank() == 2 && attn::isNarrow(type.getElementType()) &&
        !type.getEncoding() && !load->use_empty() && hasWholeChunks(type) &&
        llvm::all_of(load->getUsers(), isWidened))
      loads.push_back(load);
  });
  return loads;
}
