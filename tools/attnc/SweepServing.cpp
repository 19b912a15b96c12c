//===- SweepServing.cpp - Random lengths and pages ------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SweepServing.h"
#include "SweepVariants.h"

#include <algorithm>

using namespace attnc;
using namespace mlir;
using namespace mlir::attn;

static int64_t drawUpTo(Dice &dice, int64_t last) {
  return 1 + dice.below(last);
}

static void drawLengths(Dice &dice, GenerateOptions &generate) {
  generate.lengths = {dice.oneIn(3), true};
  if (dice.oneIn(6))
    generate.lengths = {true, false};
}

static void drawPacked(Dice &dice, GenerateOptions &generate) {
  generate.batch = 1;
  generate.numSequences =
      dice.oneIn(20) ? 0 : dice.pick<int64_t>({1, 2, 3, 5, 8});
  generate.queryLength =
      dice.oneIn(3) ? drawUpTo(dice, 16)
                    : dice.pick<int64_t>({17, 64, 97, 128, 129, 200, 257});
  generate.kvLength = dice.oneIn(2) ? generate.queryLength : dice.below(300);
}

static void drawPages(Dice &dice, GenerateOptions &generate) {
  int64_t size = dice.pick<int64_t>({1, 2, 4, 8, 16, 16, 32, 64, 64, 128});
  int64_t columns = 1 + dice.below(std::clamp<int64_t>(400 / size, 1, 12));
  generate.pageSize = size;
  // The number of keys need not be a multiple of the page size: the last page
  // in a row of the table of pages may be partly used.
  generate.kvLength = columns * size - dice.below(size);
  int64_t all = generate.batch * columns;
  generate.numPages = dice.pick<int64_t>({all, all + 3, columns, 1});
  if (dice.oneIn(25))
    generate.numPages = 0;
  if (!dice.oneIn(8))
    drawLengths(dice, generate);
}

static void drawSizes(Dice &dice, GenerateOptions &generate, bool mayBePaged) {
  auto headDim = [&] {
    return dice.pick<int64_t>({1, 7, 16, 32, 33, 64, 64, 64, 65, 80, 96, 128,
                               128, 128, 129, 192, 256});
  };
  generate.batch = 1 + dice.below(4);
  generate.kvHeads = 1 + dice.below(3);
  generate.headDim = headDim();
  generate.valueHeadDim = dice.oneIn(4) ? headDim() : generate.headDim;
  generate.queryLength = dice.oneIn(4)   ? 16 + drawUpTo(dice, 120)
                         : dice.oneIn(3) ? 1
                                         : drawUpTo(dice, 16);
  // A third of the problems have more than 256 keys, since programs divide keys
  // from some hundreds of keys on.
  generate.kvLength =
      dice.oneIn(3) ? 256 + drawUpTo(dice, 300) : drawUpTo(dice, 200) - 1;
  switch (dice.below(mayBePaged ? 4 : 2)) {
  case 0:
    drawPacked(dice, generate);
    break;
  case 1:
    drawLengths(dice, generate);
    break;
  default:
    drawPages(dice, generate);
  }
  // Large groups of query heads are only drawn for problems with at most 16
  // rows, since the oracle is slow.
  generate.queryHeads =
      generate.kvHeads *
      (generate.queryLength > 16
           ? dice.pick<int64_t>({1, 2, 4})
           : dice.pick<int64_t>({1, 1, 2, 3, 4, 4, 5, 7, 8, 16}));
}

void attnc::drawServingSizes(Dice &dice, GenerateOptions &generate) {
  drawSizes(dice, generate, /*mayBePaged=*/true);
}

void attnc::drawRaggedSizes(Dice &dice, GenerateOptions &generate) {
  drawSizes(dice, generate, /*mayBePaged=*/false);
}

void attnc::drawSequences(uint64_t seed, uint64_t number, SweepCase &drawn) {
  Dice dice(seed + 0x70616765, number);
  GenerateOptions &generate = drawn.generate;
  drawn.hasWrongNumbers = dice.oneIn(3);
  SmallVector<Captured> arrays;
  auto add = [&](ArrayRef<int64_t> sizes) {
    arrays.push_back(
        {SmallVector<int64_t>(sizes),
         SequenceArgument{dice.below(1 << 20), drawn.hasWrongNumbers}});
  };
  // In f32, the scale of random inputs is limited to 4, since the accuracy rule
  // for f32 does not allow for the rounding of large scores.
  for (ArgumentSpec &argument : drawn.execute.arguments)
    if (auto *random = std::get_if<RandomArgument>(&argument);
        random && generate.dtype == DType::F32)
      random->scale = std::min(random->scale, 4.0);
  int64_t batch = drawn.execute.shapes.at(0)[0];
  for (bool isGiven : generate.lengths)
    if (isGiven)
      add(batch);
  if (generate.numSequences)
    for (unsigned i = 0; i < 2; ++i)
      add(drawn.entries + 1);
  if (generate.pageSize)
    add({batch, drawn.keys / *generate.pageSize});
  appendArguments(drawn, arrays);

  // If the numbers of rows and keys are dynamic, half of the problems get a
  // static number of rows.
  if (generate.queryLength == kDynamicSize && dice.oneIn(2))
    generate.queryLength = drawn.execute.shapes.at(0)[2];
  if (generate.numPages && dice.oneIn(2))
    generate.numPages = kDynamicSize;
  if (generate.numSequences && dice.oneIn(2))
    generate.numSequences = kDynamicSize;
  generate.hasFewRows = generate.queryLength == kDynamicSize && dice.oneIn(2);
}

SweepCase attnc::drawServingCase(uint64_t seed, uint64_t number,
                                 SizesOf drawSizes) {
  SweepCase drawn = drawVariantCase(seed, number, drawSizes);
  drawSinkAndDropout(seed, number, drawn);
  drawSequences(seed, number, drawn);
  return drawn;
}
