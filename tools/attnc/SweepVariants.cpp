//===- SweepVariants.cpp - Random masks and captures ----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SweepVariants.h"

using namespace attnc;
using namespace mlir;
using namespace mlir::attn;

namespace {
/// The sizes of a problem, on which the sizes of captured arrays depend.
struct Sizes {
  int64_t batch, heads, rows, keys;
};

struct Variant {
  const char *name, *text;
  SmallVector<Captured> (*capture)(Dice &dice, const Sizes &sizes);
};
} // namespace

static ArgumentSpec drawIntegers(Dice &dice, int64_t low, int64_t high,
                                 bool isSorted = false) {
  return IntegersArgument{dice.below(1 << 20), low, high, isSorted};
}
static ArgumentSpec drawFloats(Dice &dice, double scale) {
  return RandomArgument{dice.below(1 << 20), scale};
}
static Captured number(const char *text, double value) {
  return {{}, NumberArgument{text, value, std::nullopt}};
}
static SmallVector<Captured> nothing(Dice &, const Sizes &) { return {}; }

static const Variant kMasks[] = {
    {"none-kept", R"(
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %false = arith.constant false
    attn.yield %false : i1)",
     nothing},
    {"chunks", R"(
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c24 = arith.constant 24 : index
    %0 = arith.divui %i, %c24 : index
    %1 = arith.divui %j, %c24 : index
    %2 = arith.cmpi uge, %0, %1 : index
    attn.yield %2 : i1)",
     nothing},
    {"prefix", R"(
  ^bb0(%b: index, %h: index, %i: index, %j: index, %l: memref<?xi32>):
    %0 = attn.read %l[%b] : memref<?xi32>
    %1 = arith.index_cast %0 : i32 to index
    %2 = arith.cmpi slt, %j, %1 : index
    %3 = arith.cmpi sle, %j, %i : index
    %4 = arith.ori %2, %3 : i1
    attn.yield %4 : i1)",
     [](Dice &dice, const Sizes &sizes) -> SmallVector<Captured> {
       return {{{sizes.batch}, drawIntegers(dice, -2, sizes.keys + 2)}};
     }},
    {"documents", R"(
  ^bb0(%b: index, %h: index, %i: index, %j: index, %d: memref<?x?xi32>):
    %0 = attn.read %d[%b, %i] : memref<?x?xi32>
    %1 = attn.read %d[%b, %j] : memref<?x?xi32>
    %2 = arith.cmpi eq, %0, %1 : i32
    attn.yield %2 : i1)",
     [](Dice &dice, const Sizes &sizes) -> SmallVector<Captured> {
       int64_t length = std::max(sizes.rows, sizes.keys);
       return {{{sizes.batch, length},
                drawIntegers(dice, 0, 5, /*isSorted=*/true)}};
     }},
    {"bits", R"(
  ^bb0(%b: index, %h: index, %i: index, %j: index, %m: memref<?x?xi1>):
    %0 = attn.read %m[%i, %j] : memref<?x?xi1>
    attn.yield %0 : i1)",
     [](Dice &dice, const Sizes &sizes) -> SmallVector<Captured> {
       return {{{sizes.rows, sizes.keys}, drawIntegers(dice, 0, 1)}};
     }},
    {"padding", R"(
  ^bb0(%b: index, %h: index, %i: index, %j: index, %m: memref<?x?xi1>):
    %0 = attn.read %m[%b, %j] : memref<?x?xi1>
    attn.yield %0 : i1)",
     [](Dice &dice, const Sizes &sizes) -> SmallVector<Captured> {
       return {{{sizes.batch, sizes.keys},
                drawIntegers(dice, 0, 1, /*isSorted=*/dice.oneIn(2))}};
     }},
    {"types", R"(
  ^bb0(%b: index, %h: index, %i: index, %j: index, %m: memref<?x?xi32>):
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %zero = arith.constant 0 : i32
    %0 = attn.read %m[%b, %i] : memref<?x?xi32>
    %1 = attn.read %m[%b, %j] : memref<?x?xi32>
    %2 = arith.subi %0, %1 : i32
    %13 = arith.subi %zero, %2 : i32
    %3 = arith.maxsi %2, %13 : i32
    %4 = arith.cmpi slt, %3, %three : i32
    %5 = arith.cmpi ne, %1, %one : i32
    %6 = arith.maxsi %0, %1 : i32
    %7 = arith.muli %6, %three : i32
    %8 = arith.cmpi ugt, %7, %0 : i32
    %9 = arith.andi %4, %5 : i1
    %10 = arith.ori %9, %8 : i1
    %11 = arith.cmpi sle, %j, %i : index
    %12 = arith.andi %10, %11 : i1
    attn.yield %12 : i1)",
     [](Dice &dice, const Sizes &sizes) -> SmallVector<Captured> {
       int64_t length = std::max(sizes.rows, sizes.keys);
       return {{{sizes.batch, length},
                drawIntegers(dice, -4, 20, /*isSorted=*/true)}};
     }},
    {"window-of-head", R"(
  ^bb0(%b: index, %h: index, %i: index, %j: index, %w: memref<?xi32>):
    %0 = attn.read %w[%h] : memref<?xi32>
    %1 = arith.index_cast %0 : i32 to index
    %2 = arith.subi %i, %j : index
    %3 = arith.cmpi sle, %2, %1 : index
    %4 = arith.cmpi sle, %j, %i : index
    %5 = arith.andi %3, %4 : i1
    attn.yield %5 : i1)",
     [](Dice &dice, const Sizes &sizes) -> SmallVector<Captured> {
       return {{{sizes.heads}, drawIntegers(dice, 0, 70)}};
     }},
    {"neighbours", R"(
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c9 = arith.constant 9 : index
    %c2 = arith.constant 2 : index
    %yi = arith.divui %i, %c9 : index
    %xi = arith.remui %i, %c9 : index
    %yj = arith.divui %j, %c9 : index
    %xj = arith.remui %j, %c9 : index
    %dy = arith.subi %yi, %yj : index
    %dx = arith.subi %xi, %xj : index
    %dy2 = arith.muli %dy, %dy : index
    %dx2 = arith.muli %dx, %dx : index
    %d2 = arith.addi %dy2, %dx2 : index
    %near = arith.cmpi ule, %d2, %c2 : index
    attn.yield %near : i1)",
     nothing}};

static const Variant kScores[] = {
    {"bias", R"(
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: memref<1x?x?x?xbf16>):
    %0 = attn.read %t[%b, %h, %i, %j] : memref<1x?x?x?xbf16>
    %1 = arith.extf %0 : bf16 to f32
    %2 = arith.addf %s, %1 : f32
    attn.yield %2 : f32)",
     [](Dice &dice, const Sizes &sizes) -> SmallVector<Captured> {
       return {
           {{1, sizes.heads, sizes.rows, sizes.keys}, drawFloats(dice, 1.0)}};
     }},
    {"bias-of-heads", R"(
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: memref<?x?x?xf16>):
    %0 = attn.read %t[%h, %i, %j] : memref<?x?x?xf16>
    %1 = arith.extf %0 : f16 to f32
    %2 = arith.addf %s, %1 : f32
    attn.yield %2 : f32)",
     [](Dice &dice, const Sizes &sizes) -> SmallVector<Captured> {
       return {{{sizes.heads, sizes.rows, sizes.keys}, drawFloats(dice, 1.0)}};
     }},
    {"slopes", R"(
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: memref<?xf32>):
    %0 = attn.read %t[%h] : memref<?xf32>
    %1 = arith.subi %j, %i : index
    %2 = arith.index_cast %1 : index to i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %0, %3 : f32
    %5 = arith.addf %s, %4 : f32
    attn.yield %5 : f32)",
     [](Dice &dice, const Sizes &sizes) -> SmallVector<Captured> {
       return {{{sizes.heads}, drawFloats(dice, 0.1)}};
     }},
    {"relative", R"(
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: memref<?x33xf32>):
    %c16 = arith.constant 16 : index
    %0 = arith.subi %j, %i : index
    %1 = arith.addi %0, %c16 : index
    %2 = attn.read %t[%h, %1] : memref<?x33xf32>
    %3 = arith.addf %s, %2 : f32
    attn.yield %3 : f32)",
     [](Dice &dice, const Sizes &sizes) -> SmallVector<Captured> {
       return {{{sizes.heads, 33}, drawFloats(dice, 1.0)}};
     }},
    {"by-type", R"(
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %k: memref<?xi32>, %t: memref<4x4xf32>):
    %0 = attn.read %k[%i] : memref<?xi32>
    %1 = attn.read %k[%j] : memref<?xi32>
    %2 = arith.index_cast %0 : i32 to index
    %3 = arith.index_cast %1 : i32 to index
    %4 = attn.read %t[%2, %3] : memref<4x4xf32>
    %5 = arith.addf %s, %4 : f32
    attn.yield %5 : f32)",
     [](Dice &dice, const Sizes &sizes) -> SmallVector<Captured> {
       int64_t length = std::max(sizes.rows, sizes.keys);
       return {{{length}, drawIntegers(dice, -1, 5)},
               {{4, 4}, drawFloats(dice, 1.0)}};
     }}};

/// Score regions that capture scalars, for gradients of these scalars.
static const Variant kParameters[] = {
    {"captured-cap", R"(
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %cap: f32):
    %0 = arith.divf %s, %cap : f32
    %1 = math.tanh %0 : f32
    %2 = arith.mulf %1, %cap : f32
    attn.yield %2 : f32)",
     [](Dice &, const Sizes &) -> SmallVector<Captured> {
       return {number("1.5", 1.5)};
     }},
    {"captured-slope", R"(
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %slope: f32, %bias: f16):
    %0 = arith.subi %j, %i : index
    %1 = arith.index_cast %0 : index to i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.extf %bias : f16 to f32
    %4 = math.fma %2, %slope, %3 : f32
    %5 = arith.addf %s, %4 : f32
    attn.yield %5 : f32)",
     [](Dice &, const Sizes &) -> SmallVector<Captured> {
       return {number("0.0625", 0.0625), number("-0.5", -0.5)};
     }}};

void attnc::appendArguments(SweepCase &drawn, ArrayRef<Captured> captured) {
  ExecutionOptions &execute = drawn.execute;
  size_t first = execute.arguments.size();
  for (auto *numbers : {&execute.shapes, &execute.strides}) {
    auto before = std::move(*numbers);
    numbers->clear();
    for (auto &[position, own] : before)
      (*numbers)[position + (position < first ? 0 : captured.size())] =
          std::move(own);
  }
  for (auto [i, capture] : llvm::enumerate(captured)) {
    execute.arguments.push_back(capture.argument);
    if (!std::holds_alternative<NumberArgument>(capture.argument))
      execute.shapes[first + i] = capture.sizes;
  }
}

static Sizes getSizes(const SweepCase &drawn) {
  const SmallVector<int64_t> &query = drawn.execute.shapes.at(0);
  return {drawn.entries, query[1], query[2], drawn.keys};
}

/// Returns the text of a variant's score or mask region. If its captured arrays
/// are as large as the problem and the problem has no origin, all reads are in
/// half of the cases marked `inbounds`.
static std::string drawText(Dice &dice, const Variant &variant,
                            const SweepCase &drawn) {
  std::string text = variant.text;
  bool isAsLarge = llvm::is_contained<StringRef>(
      {"documents", "bits", "padding", "types", "bias-of-heads"}, variant.name);
  if (!isAsLarge || drawn.generate.isPlaced || !dice.oneIn(2))
    return text;
  for (size_t at = 0; (at = text.find("] : memref", at)) != std::string::npos;
       at += 2)
    text.insert(at + 1, " inbounds");
  return text;
}

SweepCase attnc::drawVariantCase(uint64_t seed, uint64_t number,
                                 SizesOf drawSizes) {
  SweepCase drawn = drawCase(seed, number, drawSizes);
  // The draws below use another seed, so they are independent of those of
  // drawCase().
  Dice dice(seed + 0x6d61736b, number);
  Sizes sizes = getSizes(drawn);
  if (drawn.scoreName == "none" && dice.oneIn(2)) {
    const Variant &score = kScores[dice.below(std::size(kScores))];
    drawn.scoreName = score.name;
    drawn.generate.scoreText = drawText(dice, score, drawn);
    appendArguments(drawn, score.capture(dice, sizes));
  }
  if (dice.oneIn(4))
    return drawn;
  const Variant &mask = kMasks[dice.below(std::size(kMasks))];
  drawn.maskName = mask.name;
  drawn.generate.maskText = drawText(dice, mask, drawn);
  appendArguments(drawn, mask.capture(dice, sizes));
  return drawn;
}

void attnc::drawSinkAndDropout(uint64_t seed, uint64_t number,
                               SweepCase &drawn) {
  Dice dice(seed + 0x73696e6b, number);
  GenerateOptions &generate = drawn.generate;
  // Problems in f32 with large queries get neither a sink nor dropout. The
  // accuracy rule for f32 does not allow for the rounding of large scores,
  // which determines the result in the few rows with a score near the sink.
  const auto &query = std::get<RandomArgument>(drawn.execute.arguments[0]);
  if (generate.dtype == DType::F32 && query.scale > 1)
    return;
  if (dice.oneIn(3)) {
    generate.sink = dice.pick({DType::F32, DType::F16, DType::BF16});
    appendArguments(drawn, {{{getSizes(drawn).heads},
                             drawFloats(dice, dice.pick({1.0, 1.0, 8.0}))}});
    if (generate.backward && !dice.oneIn(4))
      generate.wrt =
          (dice.oneIn(6) ? Gradients(0) : generate.wrt) | Gradients::Sink;
  }
  if (!dice.oneIn(3))
    return;
  generate.dropout = dice.pick({0.1, 0.1, 0.5, 0.9, 1.0});
  // The seed of dropout has 64 bits, all of which matter, and the offset 32.
  // Only the seed is therefore drawn from numbers above 2^32.
  for (int64_t low : {int64_t(1) << 32, int64_t(0)}) {
    int64_t value = low * dice.below(100) + dice.below(1 << 20);
    appendArguments(
        drawn,
        {{{}, NumberArgument{std::to_string(value), double(value), value}}});
  }
}

void attnc::drawCaptureGradients(uint64_t seed, uint64_t number,
                                 SweepCase &drawn) {
  // The gradients of captures are not supported for packed sequences.
  if (drawn.generate.numSequences)
    return;
  Dice dice(seed + 0x63617074, number);
  int64_t numCaptures = drawn.scoreName == "captured-bias" ? 1 : 0;
  if (drawn.scoreName == "none" && drawn.generate.maskText.empty() &&
      dice.oneIn(4)) {
    const Variant &score = kParameters[dice.below(std::size(kParameters))];
    drawn.scoreName = score.name;
    drawn.generate.scoreText = score.text;
    SmallVector<Captured> captured = score.capture(dice, getSizes(drawn));
    numCaptures = captured.size();
    appendArguments(drawn, captured);
  }
  // A problem with gradients of captured arrays gets no origin.
  bool isTable = drawn.scoreName == "by-type";
  if ((isTable || drawn.scoreName == "bias" || drawn.scoreName == "slopes" ||
       drawn.scoreName == "relative") &&
      dice.oneIn(2)) {
    // The score region `by-type` first captures the types of rows and keys,
    // which are integers, and then the table that is read at these types. The
    // gradient is that of the table, capture 1.
    drawn.generate.captureWrt.push_back(isTable ? 1 : 0);
    drawn.generate.isPlaced = false;
  }
  for (int64_t i = 0; i < numCaptures; ++i)
    if (!dice.oneIn(3))
      drawn.generate.captureWrt.push_back(i);
  if (!drawn.generate.captureWrt.empty() && dice.oneIn(4))
    drawn.generate.wrt = Gradients(0);
}
