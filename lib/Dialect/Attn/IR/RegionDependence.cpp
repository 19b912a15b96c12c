//===- RegionDependence.cpp - Dependences of region values ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/RegionDependence.h"

using namespace mlir;
using namespace mlir::attn;

unsigned mlir::attn::getFirstPosition(Block &region) {
  // A score region has the score as its first argument, before the positions b,
  // h, i and j. A mask region begins with the positions.
  auto op = cast<AttentionInterface>(region.getParentOp());
  bool isMask = op.hasMaskRegion() && region.getParent() == &op.getMaskRegion();
  return isMask ? 0 : kNumScoreArguments - kNumMaskArguments;
}

std::optional<unsigned> mlir::attn::getPosition(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return std::nullopt;
  unsigned first = getFirstPosition(*argument.getOwner());
  unsigned number = argument.getArgNumber();
  if (number < first || number >= first + kNumMaskArguments)
    return std::nullopt;
  return number - first;
}

RegionDependence::RegionDependence(Block &region) {
  unsigned first = getFirstPosition(region);
  if (first > 0)
    bits[region.getArgument(0)] = OnScore;
  for (unsigned position = 0; position < kNumMaskArguments; ++position)
    bits[region.getArgument(first + position)] = 1 << position;
  for (Operation &op : region.without_terminator()) {
    uint8_t on = isa<ReadOp>(op) ? OnReads : 0;
    for (Value operand : op.getOperands())
      on |= get(operand);
    for (Value result : op.getResults())
      bits[result] = on;
  }
}
