//===- SweepValueOrder.cpp - Random values along keys ---------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SweepValueOrder.h"

#include "llvm/Support/MathExtras.h"

using namespace attnc;
using namespace mlir;
using namespace mlir::attn;

static constexpr unsigned kValue = 2;
/// Where `attnc gen` makes the type of a value with a stride of 1 along keys
/// and static strides, it makes the strides of columns multiples of this number
/// of elements.
static constexpr int64_t kAlignment = 16;

/// Whether the value can have a stride of 1 along keys. If the type states the
/// stride of columns, but not those of heads and batch entries, the latter are
/// computed at run time as if there were no gaps between columns. The number of
/// keys must then be a multiple of kAlignment, to which columns are aligned.
static bool mayLieAlongKeys(const SweepCase &drawn) {
  const GenerateOptions &generate = drawn.generate;
  if (generate.valueDims || generate.valueDType == DType::I4)
    return false;
  bool haveStaticStrides =
      !generate.dynamicStrides && (generate.pageSize || generate.kvLength > 0);
  bool haveOpenSizes = generate.queryHeads == kDynamicSize;
  return !haveStaticStrides || !haveOpenSizes ||
         drawn.execute.shapes.at(kValue)[2] % kAlignment == 0;
}

SmallVector<int64_t> attnc::drawColumnStrides(Dice &dice,
                                              ArrayRef<int64_t> sizes) {
  int64_t alignment = dice.pick<int64_t>({1, kAlignment});
  auto extend = [&](int64_t count) {
    return llvm::alignTo(std::max<int64_t>(count, 1) + dice.below(9),
                         alignment);
  };
  // In one of three cases, heads are between columns and keys in memory: a
  // column of one head is followed by the same column of the next head.
  if (dice.oneIn(3)) {
    int64_t head = extend(sizes[2]);
    int64_t column = head * std::max<int64_t>(sizes[1], 1);
    return {static_cast<int64_t>(extend(column * sizes[3])), head, 1, column};
  }
  int64_t column = extend(sizes[2]);
  int64_t head = extend(column * sizes[3]);
  int64_t batch = extend(head * sizes[1]);
  return {batch, head, 1, column};
}

void attnc::drawValueOrder(uint64_t seed, uint64_t number, SweepCase &drawn) {
  // The draws below use another seed, so they are independent of those of the
  // problem.
  Dice dice(seed + 0x6f726472, number);
  if (!dice.oneIn(3) || !mayLieAlongKeys(drawn))
    return;
  drawn.generate.valueAlongKeys = true;
  if (drawn.generate.dynamicStrides)
    drawn.execute.strides[kValue] =
        drawColumnStrides(dice, drawn.execute.shapes.at(kValue));
}
