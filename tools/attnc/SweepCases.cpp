//===- SweepCases.cpp - Random attention problems -------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SweepCases.h"

#include "llvm/ADT/StringExtras.h"

using namespace attnc;
using namespace mlir;
using namespace mlir::attn;

/// Names and texts of score regions for which `attnc gen` has no option.
static const std::pair<const char *, const char *> kScoreTexts[] = {
    {"captured-bias", R"(
  ^bb0(%s: f32, %b: index, %h: index, %q: index, %kv: index, %bias: f32):
    %0 = arith.index_cast %kv : index to i64
    %1 = arith.sitofp %0 : i64 to f32
    %2 = arith.mulf %1, %bias : f32
    %3 = arith.addf %s, %2 : f32
    attn.yield %3 : f32)"},
    {"block-diagonal", R"(
  ^bb0(%s: f32, %b: index, %h: index, %q: index, %kv: index):
    %c24 = arith.constant 24 : index
    %0 = arith.divui %q, %c24 : index
    %1 = arith.divui %kv, %c24 : index
    %2 = arith.cmpi eq, %0, %1 : index
    %minf = arith.constant 0xFF800000 : f32
    %3 = arith.select %2, %s, %minf : f32
    attn.yield %3 : f32)"},
    {"head-dependent", R"(
  ^bb0(%s: f32, %b: index, %h: index, %q: index, %kv: index):
    %0 = arith.addi %b, %h : index
    %1 = arith.index_cast %0 : index to i32
    %2 = arith.sitofp %1 : i32 to f32
    %half = arith.constant 0.5 : f32
    %3 = arith.mulf %2, %half : f32
    %small = arith.constant 0.015625 : f32
    %turned = arith.mulf %s, %small : f32
    %4 = math.sin %turned : f32
    %5 = arith.mulf %4, %3 : f32
    %6 = arith.maximumf %5, %s : f32
    attn.yield %6 : f32)"}};

static void drawScore(Dice &dice, SweepCase &drawn) {
  switch (dice.below(10)) {
  case 0:
    drawn.generate.softCap = dice.pick({1.0, 30.0});
    drawn.scoreName = "softcap";
    return;
  case 1:
    drawn.generate.alibi = true;
    drawn.scoreName = "alibi";
    return;
  case 2:
  case 3: {
    const auto &[name, text] = kScoreTexts[dice.below(std::size(kScoreTexts))];
    drawn.generate.scoreText = text;
    drawn.scoreName = name;
    return;
  }
  default:
    return;
  }
}

void attnc::drawMask(Dice &dice, GenerateOptions &generate) {
  generate.alignment = dice.pick({Alignment::TopLeft, Alignment::BottomRight});
  generate.causal = dice.oneIn(2);
  if (!dice.oneIn(3))
    return;
  auto bound = [&] { return dice.pick<int64_t>({0, 1, 7, 33, 64, 100, 1000}); };
  if (!dice.oneIn(4))
    generate.windowLeft = bound();
  if (!dice.oneIn(4))
    generate.windowRight = bound();
}

SmallVector<int64_t> attnc::drawStrides(Dice &dice, ArrayRef<int64_t> order,
                                        ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> strides(sizes.size());
  int64_t next = 1;
  for (int64_t dim : llvm::reverse(order)) {
    strides[dim] = next;
    // The stride of a dimension of size 1 has no effect. In half of the cases
    // it is therefore set to 0, 3 or 2^20.
    if (dim != 3 && sizes[dim] == 1 && dice.oneIn(2))
      strides[dim] = dice.pick<int64_t>({0, 3, 1 << 20});
    next = next * std::max<int64_t>(sizes[dim], 1) + dice.below(9);
  }
  strides[3] = 1;
  return strides;
}

void attnc::drawPlainSizes(Dice &dice, GenerateOptions &generate) {
  auto length = [&] {
    return dice.pick<int64_t>({1,  2,  3,  7,  13,  15,  16,  17,  31,  61,
                               63, 64, 65, 97, 127, 128, 129, 191, 193, 257});
  };
  auto headDim = [&] {
    return dice.pick<int64_t>({1,   2,   7,   8,   15,  16, 17, 31,
                               32,  33,  64,  64,  65,  80, 96, 127,
                               128, 128, 129, 192, 255, 256});
  };
  generate.batch = 1 + dice.below(3);
  generate.kvHeads = 1 + dice.below(3);
  generate.queryHeads = generate.kvHeads * dice.pick<int64_t>({1, 1, 1, 2, 4});
  generate.queryLength = length();
  generate.kvLength = dice.oneIn(2) ? generate.queryLength : length();
  if (dice.oneIn(25))
    generate.kvLength = 0;
  generate.headDim = headDim();
  generate.valueHeadDim = dice.oneIn(3) ? headDim() : generate.headDim;
}

SweepCase attnc::drawCase(uint64_t seed, uint64_t number, SizesOf drawSizes) {
  Dice dice(seed, number);
  SweepCase drawn;
  GenerateOptions &generate = drawn.generate;
  generate.dtype = dice.pick({DType::F16, DType::BF16, DType::F32});
  drawSizes(dice, generate);
  generate.layout =
      dice.pick({GenerateOptions::Layout::BHSD, GenerateOptions::Layout::BSHD});
  generate.lse = dice.oneIn(2);
  if (dice.oneIn(4))
    generate.scale = dice.pick({0.05, 1.0, -0.3});
  drawMask(dice, generate);
  drawScore(dice, drawn);

  if (generate.layout == GenerateOptions::Layout::BSHD)
    drawn.execute.layout = {0, 2, 1, 3};
  drawn.entries = generate.numSequences.value_or(generate.batch);
  drawn.keys = generate.kvLength;
  int64_t keyBatch = generate.batch, keyRows = generate.kvLength;
  if (generate.pageSize) {
    drawn.keys = generate.getNumColumns() * *generate.pageSize;
    keyBatch = generate.getNumPages();
    keyRows = *generate.pageSize;
  }
  SmallVector<SmallVector<int64_t>> sizes = {
      {generate.batch, generate.queryHeads, generate.queryLength,
       generate.headDim},
      {keyBatch, generate.kvHeads, keyRows, generate.headDim},
      {keyBatch, generate.kvHeads, keyRows, generate.valueHeadDim},
      {generate.batch, generate.queryHeads, generate.queryLength,
       generate.valueHeadDim}};
  bool hasCapture = drawn.scoreName == "captured-bias";
  unsigned numInputs = generate.valueDims ? 2 : 3;
  if (generate.valueDims)
    sizes.erase(sizes.begin() + 2);
  auto getPosition = [&](unsigned array) {
    return array < numInputs ? array : array + hasCapture;
  };
  generate.dynamicStrides = dice.oneIn(2);
  if (generate.dynamicStrides)
    for (auto [i, size] : llvm::enumerate(sizes))
      drawn.execute.strides[getPosition(i)] =
          drawStrides(dice, drawn.execute.layout, size);
  for (auto [i, size] : llvm::enumerate(sizes))
    drawn.execute.shapes[getPosition(i)] = size;
  if (dice.oneIn(2))
    generate.batch = generate.queryHeads = generate.kvHeads = kDynamicSize;
  if (dice.oneIn(2))
    generate.queryLength = generate.kvLength = kDynamicSize;

  // With inputs of standard deviation 30, each row has a single large
  // probability, and running maxima change from block to block.
  double inputScale = dice.pick({1.0, 1.0, 1.0, 0.01, 30.0});
  for (uint64_t i = 0; i < numInputs; ++i)
    drawn.execute.arguments.push_back(
        RandomArgument{number, i < 2 ? inputScale : 1.0});
  if (hasCapture)
    drawn.execute.arguments.push_back(
        NumberArgument{"0.125", 0.125, std::nullopt});
  return drawn;
}

static void printSequences(const SweepCase &drawn, raw_ostream &os) {
  const GenerateOptions &generate = drawn.generate;
  os << (generate.lengths[0] ? " query-lengths" : "")
     << (generate.lengths[1] ? " key-lengths" : "");
  if (generate.numSequences)
    os << " packed=" << drawn.entries;
  if (generate.pageSize)
    os << " pages=" << *generate.pageSize;
  os << (drawn.hasWrongNumbers ? " wrong" : "");
}

void attnc::printCase(const SweepCase &drawn, raw_ostream &os) {
  const GenerateOptions &generate = drawn.generate;
  os << getName(generate.dtype);
  for (auto [name, type] : {std::pair("key", generate.keyDType),
                            {"value", generate.valueDType},
                            {"output", generate.outputDType}})
    if (type)
      os << " " << name << "=" << getName(*type);
  for (const GenerateOptions::ExtraOptions &extra : generate.extras) {
    os << " " << getDeclaration(extra.which).name << "="
       << (extra.shape.empty() ? "tensor" : extra.shape);
    if (extra.block != 1)
      os << "/" << extra.block;
  }
  for (const auto &[position, sizes] : drawn.execute.shapes)
    os << " "
       << llvm::join(
              llvm::map_range(
                  sizes, [](int64_t size) { return std::to_string(size); }),
              "x");
  os << (generate.layout == GenerateOptions::Layout::BSHD ? " bshd" : " bhsd")
     << (generate.dynamicStrides ? " gaps" : "")
     << (generate.valueAlongKeys ? " value-along-keys" : "")
     << (generate.batch == kDynamicSize ? " dynamic-heads" : "")
     << (generate.queryLength == kDynamicSize ? " dynamic-lengths" : "")
     << (generate.hasFewRows ? " few-rows" : "") << " "
     << stringifyAlignment(generate.alignment)
     << (generate.causal ? " causal" : "");
  if (generate.windowLeft)
    os << " left=" << *generate.windowLeft;
  if (generate.windowRight)
    os << " right=" << *generate.windowRight;
  os << " score=" << drawn.scoreName;
  if (!drawn.maskName.empty())
    os << " mask=" << drawn.maskName;
  printSequences(drawn, os);
  if (generate.sink)
    os << " sink=" << getName(*generate.sink);
  if (generate.dropout)
    os << " dropout=" << *generate.dropout;
  if (generate.valueDims)
    os << " value-dims=" << generate.valueDims->first << ":"
       << generate.valueDims->second;
  os << (generate.lse ? " lse" : "");
  if (generate.scale)
    os << " scale=" << *generate.scale;
}
