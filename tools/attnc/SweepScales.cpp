//===- SweepScales.cpp - Random types of 8 bits and scales ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SweepScales.h"
#include "SweepValueOrder.h"
#include "SweepVariants.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace attnc;
using namespace mlir;
using namespace mlir::attn;

static GenerateOptions::ExtraOptions
drawShape(Dice &dice, Extra which, const GenerateOptions &generate) {
  GenerateOptions::ExtraOptions extra = {which, "", 1};
  SmallVector<StringRef> forms(getDeclaration(which).forms);
  // If keys and values are in pages, a scale for each column (a shape with the
  // letter 'd') has no batch dimension: its letter 'b' becomes '1'.
  extra.shape = dice.pickOf(forms).str();
  if (StringRef(extra.shape).contains('s') && dice.oneIn(3))
    extra.block = dice.pick<int64_t>({16, 32, 64, 128});
  for (char &letter : extra.shape) {
    bool isOfPages = letter == 'b' && generate.pageSize &&
                     StringRef(extra.shape).contains('d');
    if (isOfPages || (letter != 's' && letter != 'd' && dice.oneIn(4)))
      letter = '1';
  }
  return extra;
}

static int64_t getSize(const ExecutionOptions &execute,
                       const GenerateOptions::ExtraOptions &extra, size_t dim) {
  StringRef of = getDeclaration(extra.which).of;
  // The sizes of a scale are those of its array. For the output's scale, those
  // of the query are used, since both have the same batch entries and heads.
  ArrayRef<int64_t> sizes = execute.shapes.at(of == "key"     ? 1
                                              : of == "value" ? 2
                                                              : 0);
  char letter = extra.shape[dim];
  std::optional<int64_t> own = findArrayDim(letter);
  if (!own)
    return 1;
  return letter == 's' ? llvm::divideCeil(sizes[2], extra.block) : sizes[*own];
}

static constexpr DType kFloats8[] = {DType::F8E4M3FN, DType::F8E4M3FN,
                                     DType::F8E5M2};

/// Draws the element types of query and output, after those of key and value.
/// With an 8-bit query, keys and values without a drawn type get a type of 8
/// bits in half of the cases.
static void drawRowTypes(Dice &dice, const SweepCase &drawn,
                         GenerateOptions &generate) {
  ArrayRef<DType> floats8 = kFloats8;
  bool isNarrow = dice.oneIn(3);
  if (isNarrow) {
    generate.dtype = dice.pickOf(floats8);
    for (std::optional<DType> *type :
         {&generate.keyDType, &generate.valueDType})
      if (!*type && dice.oneIn(2))
        *type = dice.pick({DType::F8E4M3FN, DType::F8E5M2, DType::I8});
    generate.outputDType = dice.pick({DType::F16, DType::BF16, DType::F32});
    // Large query values make large scores, whose errors exceed the accuracy
    // rule in lse and in an output of f32. Neither is then computed. A scale of
    // the op above 0.1 is removed, since even larger scores would fail with any
    // output type (docs/limits.md).
    const auto &query = std::get<RandomArgument>(drawn.execute.arguments[0]);
    if (query.scale > 1) {
      if (generate.outputDType == DType::F32)
        generate.outputDType = DType::F16;
      generate.lse = false;
      if (generate.scale && std::fabs(*generate.scale) > 0.1)
        generate.scale.reset();
    }
  }
  if (!generate.backward && dice.oneIn(4))
    generate.outputDType = dice.pickOf(floats8);
}

/// Whether an argument may be of type i4, two elements of which share a byte of
/// a row. The problem must be a forward one, and the argument's head dim and
/// both ends of `value_dims`, if given, must be even.
static bool mayHaveHalves(const SweepCase &drawn, unsigned position) {
  const GenerateOptions &generate = drawn.generate;
  bool areColumnsEven =
      !generate.valueDims || (generate.valueDims->first % 2 == 0 &&
                              generate.valueDims->second % 2 == 0);
  return !generate.backward && areColumnsEven &&
         drawn.execute.shapes.at(position).back() % 2 == 0;
}

/// Doubles all strides of an i4 argument but the last, so that each row begins
/// at a whole byte.
static void alignHalves(SweepCase &drawn, unsigned position) {
  if (auto found = drawn.execute.strides.find(position);
      found != drawn.execute.strides.end())
    for (int64_t &stride : llvm::drop_end(found->second))
      stride *= 2;
}

/// Draws the mean of the numbers that the value array stores. Does nothing if
/// values are columns of the key. With a mean above 0, most addends of a sum
/// have the same sign, and partial sums of 8-bit products must be right then,
/// too.
static void drawStoredMean(Dice &dice, SweepCase &drawn) {
  const GenerateOptions &generate = drawn.generate;
  if (generate.valueDims)
    return;
  // Arrays of i8 and i4 represent numbers up to 4 (integers times 1/32 or 1/2),
  // so a mean of 10 would be out of range.
  bool isInteger =
      generate.valueDType == DType::I8 || generate.valueDType == DType::I4;
  std::get<RandomArgument>(drawn.execute.arguments[2]).mean =
      isInteger ? dice.pick({0.0, 1.0, 2.0}) : dice.pick({0.0, 1.0, 10.0});
}

/// Returns the type of the operands of the products in gradients: the query's
/// type, or for an 8-bit query the output's type, with bf16 in place of f32.
static DType getProductType(const GenerateOptions &generate) {
  if (getByteSize(generate.dtype) > 1)
    return generate.dtype;
  DType output = generate.outputDType.value_or(DType::F16);
  return output == DType::F32 ? DType::BF16 : output;
}

/// Returns approximately the standard deviation of the numbers that the query
/// (position 0) or the key (position 1) stores.
static double getDeviation(const SweepCase &drawn, unsigned position) {
  double scale =
      std::get<RandomArgument>(drawn.execute.arguments[position]).scale;
  if (position == 0 || !drawn.generate.keyDType)
    return scale;
  // Execution.cpp fills arrays of integers so that, with a scale of 1, four
  // standard deviations fill the range of the type.
  switch (*drawn.generate.keyDType) {
  case DType::I8:
    return std::min(32 * scale, 127.0);
  case DType::I4:
    return std::min(2 * scale, 8.0);
  default:
    return scale;
  }
}

/// Returns the factor, at most 1, by which a scale of query or key must be
/// multiplied to bound the standard deviation of scores of an 8-bit query: to
/// 16 for gradients and outputs of f32, and to 1000 otherwise. Sums of 8-bit
/// products may keep 14 bits, and probabilities may have 8 bits, which is too
/// inexact for larger scores (docs/limits.md). `scale` is the product of the
/// scales of query and key that have been drawn.
static double boundScores(const SweepCase &drawn, double scale) {
  const GenerateOptions &generate = drawn.generate;
  if (getByteSize(generate.dtype) > 1)
    return 1;
  double most =
      generate.backward || generate.outputDType == DType::F32 ? 16 : 1000;
  double ofScores =
      generate.scale ? std::fabs(*generate.scale) * std::sqrt(generate.headDim)
                     : 1;
  double deviation =
      getDeviation(drawn, 0) * getDeviation(drawn, 1) * ofScores * scale;
  return std::min(1.0, most / deviation);
}

/// Whether results are of f32, whose accuracy rule does not allow for the
/// errors of large scores and of large values.
static bool hasExactResults(const GenerateOptions &generate) {
  return generate.dtype == DType::F32 || generate.outputDType == DType::F32;
}

/// Draws the magnitude of the numbers in a value scale: 1, 1e-6 or 1000. The
/// last is replaced by 8 if results are of f32, or if products of gradients
/// have operands of f16, whose range must hold the gradients of scores.
static double drawValueScale(Dice &dice, const GenerateOptions &generate) {
  bool isBounded =
      hasExactResults(generate) ||
      (generate.backward && getProductType(generate) == DType::F16);
  return dice.pick({1.0, 1e-6, isBounded ? 8.0 : 1e3});
}

/// Returns a number that differs among operands: the last four letters of the
/// operand's name.
static uint64_t getSeedOf(StringRef name) {
  uint64_t seed = 0;
  for (char letter : name.take_back(4))
    seed = seed << 8 | letter;
  return seed;
}

void attnc::drawNarrow(uint64_t seed, uint64_t number, SweepCase &drawn,
                       bool isAlways) {
  // The draws below use another seed, so they are independent of those of the
  // problem.
  Dice dice(seed + 0x38626974, number);
  GenerateOptions &generate = drawn.generate;
  if (!dice.oneIn(3) && !isAlways)
    return;
  constexpr unsigned kKey = 1, kValue = 2;
  auto drawType = [&](unsigned position) -> std::optional<DType> {
    if (dice.oneIn(4))
      return std::nullopt;
    if (dice.oneIn(3) && mayHaveHalves(drawn, position))
      return DType::I4;
    return dice.pick(
        {DType::F8E4M3FN, DType::F8E4M3FN, DType::F8E5M2, DType::I8});
  };
  generate.keyDType = drawType(kKey);
  if (generate.valueDims || (dice.oneIn(2) && mayHaveHalves(drawn, kValue)))
    generate.valueDType = generate.keyDType;
  else
    generate.valueDType = drawType(kValue);
  if (generate.keyDType == DType::I4)
    alignHalves(drawn, kKey);
  if (generate.valueDType == DType::I4 && !generate.valueDims)
    alignHalves(drawn, kValue);
  drawRowTypes(dice, drawn, generate);
  if (generate.valueDims)
    generate.valueDType = generate.keyDType;
  bool isOutputNarrow =
      generate.outputDType && getByteSize(*generate.outputDType) == 1;
  SmallVector<Captured> arrays;
  SmallVector<SmallVector<int64_t>> strides;
  double ofBoth = 1;
  bool isExact = hasExactResults(generate);
  // With results of f32, keys of i8 always have scales, which are small.
  auto needsScale = [&](Extra which) {
    return which == Extra::KeyScale && isExact &&
           generate.keyDType == DType::I8;
  };
  auto isDrawn = [&](Extra which, Dice &own) {
    if (which == Extra::OutputScale)
      return isOutputNarrow;
    const ExtraDeclaration &declaration = getDeclaration(which);
    if (declaration.excludesDropout())
      return own.oneIn(3) && !generate.dropout;
    if (generate.backward && declaration.isForwardOnly())
      return false;
    bool isChosen = own.oneIn(which == Extra::QueryScale ? 5 : 2);
    return isChosen || needsScale(which);
  };
  for (Extra which : kExtras) {
    const ExtraDeclaration &declaration = getDeclaration(which);
    if (declaration.hasColumns())
      continue;
    // Scales are drawn from one sequence of random numbers. An extra operand
    // that is not a scale (value_mean) has a sequence of its own, so that what
    // is drawn for the scales does not depend on it.
    Dice ofOthers(seed + getSeedOf(declaration.name), number);
    Dice &own = declaration.name.ends_with("_scale") ? dice : ofOthers;
    if (!isDrawn(which, own))
      continue;
    // If values are columns of the key, there is no array of values that an
    // operand could belong to.
    if (declaration.of == "value" && generate.valueDims)
      continue;
    bool isMean = which == Extra::ValueMean;
    GenerateOptions::ExtraOptions extra = drawShape(own, which, generate);
    SmallVector<int64_t> sizes;
    for (size_t dim = 0; dim < extra.shape.size(); ++dim)
      sizes.push_back(getSize(drawn.execute, extra, dim));
    double scale = isExact && !isMean ? 0.03 : own.pick({1.0, 1.0, 0.03, 8.0});
    double mean = isMean ? own.pick({0.0, 10.0}) : 0.0;
    if (declaration.of == "query" || declaration.of == "key") {
      scale *= boundScores(drawn, ofBoth * scale);
      ofBoth *= scale;
    }
    if (isAlways && which == Extra::ValueScale)
      scale = drawValueScale(dice, generate);
    arrays.push_back({sizes, RandomArgument{number + 17, scale, mean}});
    // In one of three cases, the elements of a scale have a stride of 2.
    int64_t next = own.pick<int64_t>({1, 1, 2});
    SmallVector<int64_t> &ofArray = strides.emplace_back(sizes.size());
    for (int64_t dim = sizes.size() - 1; dim >= 0; --dim) {
      ofArray[dim] = next;
      next = next * std::max<int64_t>(sizes[dim], 1) + own.below(3);
    }
    generate.extras.push_back(std::move(extra));
  }
  if (isAlways) {
    drawStoredMean(dice, drawn);
    drawValueOrder(seed, number, drawn);
  }
  size_t first = drawn.execute.arguments.size();
  appendArguments(drawn, arrays);
  if (!generate.dynamicStrides)
    return;
  for (auto [i, own] : llvm::enumerate(strides))
    if (!own.empty())
      drawn.execute.strides[first + i] = own;
}

void attnc::drawParts(uint64_t seed, uint64_t number, SweepCase &drawn) {
  Dice dice(seed + 0x726f7065, number);
  GenerateOptions &generate = drawn.generate;
  SmallVector<int64_t> &query = drawn.execute.shapes.at(0),
                       &key = drawn.execute.shapes.at(1);
  bool hasNarrow = getByteSize(generate.dtype) == 1 ||
                   (generate.keyDType && getByteSize(*generate.keyDType) == 1);
  // If values are columns of the key (`value_dims`), these columns must stay in
  // the key's first array, so only columns after them can move to the second.
  int64_t most = std::min<int64_t>(
      64, generate.headDim - 1 -
              (generate.valueDims ? generate.valueDims->second - 1 : 0));
  if (hasNarrow || most < 1)
    return;
  int64_t width = std::min(
      most, dice.pick<int64_t>({1, 7, 16, 17, 32, 33, 48, 63, 64, 64, 64}));
  generate.ropeDim = width;
  generate.headDim -= width;
  query[3] = key[3] = generate.headDim;
  bool isShared = dice.oneIn(2);
  generate.extras.push_back({Extra::QueryRope, "bhsd"});
  generate.extras.push_back({Extra::KeyRope, isShared ? "b1sd" : "bhsd"});
  SmallVector<int64_t> queryRope = query, keyRope = key;
  queryRope[3] = keyRope[3] = width;
  if (isShared)
    keyRope[1] = 1;
  auto scaleOf = [&](unsigned i) {
    return std::get<RandomArgument>(drawn.execute.arguments[i]).scale;
  };
  size_t first = drawn.execute.arguments.size();
  appendArguments(drawn, {{queryRope, RandomArgument{number + 29, scaleOf(0)}},
                          {keyRope, RandomArgument{number + 31, scaleOf(1)}}});
  if (!generate.dynamicStrides)
    return;
  for (auto [i, sizes] : llvm::enumerate(std::array{queryRope, keyRope}))
    drawn.execute.strides[first + i] =
        drawStrides(dice, drawn.execute.layout, sizes);
}
