//===- RightOperands.cpp - Right operands in registers --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RightOperands.h"
#include "LeftOperands.h"
#include "WidenDots.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

/// Returns the product whose right operand is the only use of what is extended
/// from the loaded tile. Returns null if there are others.
static DotOp findOnlyProduct(LoadOp load) {
  if (!load->hasOneUse())
    return {};
  Operation *extension = *load->user_begin();
  if (!extension->hasOneUse() || !isRightOperand(*extension->use_begin()))
    return {};
  return dyn_cast<DotOp>(*extension->user_begin());
}

RightOperands::RightOperands(KernelOp kernel, ScheduleAttr schedule) {
  if (schedule.getMma() != MmaKind::MmaSync || schedule.hasSwizzledTiles())
    return;
  for (LoadOp load : findWidenedLoads(kernel)) {
    DotOp dot = findOnlyProduct(load);
    if (!dot || dot.getTransposeLhs())
      continue;
    RankedTensorType right = dot.getRhs().getType(),
                     result = dot.getResult().getType();
    auto pairs = schedule.getLayoutFor(result.getShape());
    if (right.getElementTypeBitWidth() != 16 || failed(pairs) ||
        pairs->getWarpsM() != 1)
      continue;
    // A lane reads 32 bits at a time. The rows of a tile in shared memory are
    // an odd number of 16 bytes apart, if they have a multiple of 32. Then no
    // two lanes use the same bank.
    constexpr int64_t kBytes = 4;
    int64_t stored = load.getResult().getType().getDimSize(1);
    int64_t run = kBytes * right.getDimSize(1) / stored;
    if (dot.getTransposeRhs()) {
      auto layout = pairs->getOfRight(run);
      if (right.getDimSize(1) % (4 * run) == 0 &&
          right.getDimSize(0) % (16 * layout.getWarpsM()) == 0)
        operands.insert({load, Operand{load, dot, run}});
      continue;
    }
    auto runs = schedule.getLayoutFor(result.getShape(), 2 * run);
    if (succeeded(runs) && runs->getWarpsN() == pairs->getWarpsN())
      operands.insert({load, Operand{load, dot, run}});
  }
}

std::pair<Attribute, Attribute>
RightOperands::Operand::getLayouts(Value bytes, MmaLayoutAttr result) const {
  auto getBoth = [&](auto ofBytes) -> std::pair<Attribute, Attribute> {
    bool isUnpacked = isa<UnpackOp>(*bytes.user_begin());
    return {ofBytes, isUnpacked ? ofBytes.getOfUnpacked() : ofBytes};
  };
  DotOp product = dot;
  int64_t perByte = product.getRhs().getType().getDimSize(1) /
                    cast<RankedTensorType>(bytes.getType()).getDimSize(1);
  int64_t runOfBytes = run / perByte;
  if (product.getTransposeRhs())
    return getBoth(result.getOfRight(runOfBytes));
  return getBoth(RightLayoutAttr::get(
      dot->getContext(),
      MmaLayoutAttr::get(dot->getContext(), result.getWarps(),
                         result.getWarpsN(), result.getFirstWarp(),
                         2 * runOfBytes, result.getCopies(),
                         result.getLanes())));
}

const RightOperands::Operand *RightOperands::find(LoadOp load) const {
  auto found = operands.find(load);
  return found == operands.end() ? nullptr : &found->second;
}

std::optional<int64_t> RightOperands::getResultColumns(DotOp dot) const {
  for (const auto &[load, operand] : operands)
    if (operand.dot == dot && !dot.getTransposeRhs())
      return 2 * operand.run;
  return std::nullopt;
}

std::optional<int64_t> RightOperands::getLeftColumns(DotOp dot) const {
  for (const auto &[load, operand] : operands)
    if (operand.dot == dot && dot.getTransposeRhs() &&
        !dot.getLhs().getDefiningOp<LoadOp>())
      return operand.run;
  return std::nullopt;
}
