//===- SweepBackward.cpp - Random problems of gradients -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SweepBackward.h"
#include "SweepScales.h"
#include "SweepServing.h"
#include "SweepValueOrder.h"
#include "SweepVariants.h"
#include "SweepWide.h"

#include "attn/Oracle/GradientAccuracy.h"

#include "llvm/ADT/StringExtras.h"

using namespace attnc;
using namespace mlir;
using namespace mlir::attn;

/// Multiplies all strides but the last by the same number, 1 or 2: the order of
/// dimensions in memory stays, and sometimes there are gaps between rows, heads
/// and batch entries.
static SmallVector<int64_t> stretch(Dice &dice, SmallVector<int64_t> strides) {
  int64_t factor = 1 + dice.below(2);
  for (int64_t &stride : MutableArrayRef(strides).drop_back())
    stride *= factor;
  return strides;
}

/// Draws the strides of the gradient of the array with index `of`: 0 is the
/// query, 1 the key, 2 the value. The order of dimensions in memory is that of
/// the array, with one exception. A value with a stride of 1 along keys and a
/// type of at most 8 bits has a gradient of another type, in the order of the
/// problem's layout.
static SmallVector<int64_t>
drawGradientStrides(Dice &dice, const SweepCase &drawn, unsigned of) {
  const GenerateOptions &generate = drawn.generate;
  const ExecutionOptions &execute = drawn.execute;
  constexpr unsigned kValue = 2;
  if (of != kValue || !generate.valueAlongKeys)
    return stretch(dice, execute.strides.at(of));
  const SmallVector<int64_t> &sizes = execute.shapes.at(of);
  if (getByteSize(generate.valueDType.value_or(generate.dtype)) == 1)
    return drawStrides(dice, execute.layout, sizes);
  return drawColumnStrides(dice, sizes);
}

/// Draws integers for the arguments of a problem that is a part of a larger
/// one. These are its origin (batch entry, head, row, key), and two lengths (of
/// rows and keys) that end before, at, or past the end of the arrays.
static SmallVector<int64_t> drawPlace(Dice &dice, int64_t queries,
                                      int64_t keys) {
  SmallVector<int64_t> place = {
      dice.pick<int64_t>({0, 2}), dice.pick<int64_t>({0, 3}),
      dice.pick<int64_t>({0, 5, 70}), dice.pick<int64_t>({0, 9, 64})};
  auto drawLength = [&](int64_t first, int64_t count) {
    int64_t length = first + count + dice.pick<int64_t>({0, 0, -1, -20, 30});
    place.push_back(std::max<int64_t>(length, 0));
  };
  drawLength(place[2], queries);
  drawLength(place[3], keys);
  return place;
}

/// Sometimes divides query and key of the problem into two arrays each, and
/// draws which gradients of query_rope and key_rope are then computed. Returns
/// the index of query_rope among the arguments, or nullopt if the arrays were
/// not divided.
static std::optional<unsigned> drawRope(uint64_t seed, uint64_t number,
                                        SweepCase &drawn) {
  unsigned first = drawn.execute.arguments.size();
  drawParts(seed, number, drawn);
  GenerateOptions &generate = drawn.generate;
  if (generate.ropeDim == 0)
    return std::nullopt;
  Dice dice(seed + 0x64726f70, number);
  uint64_t wanted = dice.oneIn(2) ? 3 : dice.below(4);
  for (Gradients own : {Gradients::QueryRope, Gradients::KeyRope}) {
    if (wanted & 1)
      generate.wrt |= own;
    wanted >>= 1;
  }
  return first;
}

SweepCase attnc::drawBackwardCase(uint64_t seed, uint64_t number,
                                  SweepKind kind, bool isWide, bool hasParts,
                                  bool isNarrow) {
  bool isServing = kind == SweepKind::Serving;
  SizesOf drawSizes = isServing ? drawRaggedSizes : drawPlainSizes;
  if (isWide)
    drawSizes = isServing ? drawWideRaggedSizes : drawWideValueSizes;
  SweepCase drawn = kind == SweepKind::Plain
                        ? drawCase(seed, number, drawSizes)
                        : drawVariantCase(seed, number, drawSizes);
  // The draws below use another seed, so they are independent of those of the
  // forward problem.
  Dice dice(seed + 0x6261636b, number);
  GenerateOptions &generate = drawn.generate;
  ExecutionOptions &execute = drawn.execute;
  generate.backward = true;
  generate.lse = false;
  generate.dLse = dice.oneIn(3);
  generate.deterministic = dice.oneIn(2);
  uint64_t wanted = dice.oneIn(2) ? 7 : 1 + dice.below(7);
  generate.wrt = static_cast<Gradients>(wanted);
  generate.isPlaced = dice.oneIn(3) && !isServing && !isNarrow;
  drawCaptureGradients(seed, number, drawn);
  if (kind != SweepKind::Plain)
    drawSinkAndDropout(seed, number, drawn);
  if (isServing)
    drawSequences(seed, number, drawn);
  // The arguments of an origin must precede those of scales, but are appended
  // below. A problem with an origin therefore gets neither 8-bit types nor
  // scales.
  if (!generate.isPlaced)
    drawNarrow(seed, number, drawn, isNarrow);
  bool isOfOneType =
      generate.keyDType.value_or(generate.dtype) == generate.dtype &&
      generate.valueDType.value_or(generate.dtype) == generate.dtype;
  // A third of such problems has products of 16 bits, a third narrow products
  // of scores, and a third narrow products everywhere.
  Dice narrow(seed + 0x70726f64, number);
  if (getByteSize(generate.dtype) == 1 && isOfOneType && !narrow.oneIn(3))
    generate.narrowProducts =
        narrow.oneIn(2) ? NarrowProducts::All : NarrowProducts::Scores;
  std::optional<unsigned> rope;
  if (hasParts && !generate.isPlaced)
    rope = drawRope(seed, number, drawn);

  // In the forward problem, the output follows all arguments that were drawn so
  // far.
  unsigned forwardOutput = execute.arguments.size();
  SmallVector<int64_t> outputSizes = execute.shapes.at(forwardOutput);
  // A problem's origin is added to the positions that its regions get. These
  // positions may then be outside of captured arrays, which are only as large
  // as the op's arrays, so reads must not be marked `inbounds`.
  if (generate.isPlaced)
    for (std::string *text : {&generate.maskText, &generate.scoreText})
      for (size_t at; (at = text->find(" inbounds")) != std::string::npos;)
        text->erase(at, strlen(" inbounds"));
  if (generate.isPlaced)
    for (int64_t index :
         drawPlace(dice, execute.shapes.at(0)[2], execute.shapes.at(1)[2]))
      execute.arguments.push_back(
          NumberArgument{std::to_string(index), double(index), index});

  // In one of four cases, d_output and d_lse are as small as the gradients of a
  // mean over many elements.
  double scale = dice.pick({1.0, 1.0, 1.0, 1e-6});
  unsigned output = execute.arguments.size();
  execute.arguments.append(
      {ForwardArgument(), ForwardArgument(), RandomArgument{number, scale}});
  if (generate.dLse)
    execute.arguments.push_back(RandomArgument{number, scale});
  execute.shapes.erase(forwardOutput);
  execute.shapes[output] = outputSizes;
  if (!generate.dynamicStrides)
    return drawn;
  SmallVector<int64_t> outputStrides = execute.strides.at(forwardOutput);
  execute.strides.erase(forwardOutput);
  execute.strides[output] = outputStrides;
  execute.strides[output + 2] = stretch(dice, outputStrides);
  unsigned next = output + 3 + generate.dLse;
  auto isWanted = [&](Gradients own) {
    return bitEnumContainsAll(generate.wrt, own);
  };
  for (auto [i, own] : {std::pair(0, Gradients::Query),
                        {1, Gradients::Key},
                        {2, Gradients::Value}})
    if (isWanted(own))
      execute.strides[next++] = drawGradientStrides(dice, drawn, i);
  next += isWanted(Gradients::Sink);
  for (auto [i, own] :
       {std::pair(0, Gradients::QueryRope), {1, Gradients::KeyRope}})
    if (isWanted(own))
      execute.strides[next++] = stretch(dice, execute.strides.at(*rope + i));
  return drawn;
}

void attnc::printBackward(const SweepCase &drawn, raw_ostream &os) {
  const GenerateOptions &generate = drawn.generate;
  for (const std::string &name : getNames(generate.wrt))
    os << " d_" << name;
  for (int64_t number : generate.captureWrt)
    os << " d_capture" << number;
  os << (generate.dLse ? " d_lse" : "")
     << (generate.deterministic ? " deterministic" : "")
     << (generate.narrowProducts ? " narrow_products" : "")
     << (generate.narrowProducts == NarrowProducts::All ? "<all>" : "");
  SmallVector<StringRef> place;
  double scale = 0;
  for (const ArgumentSpec &argument : drawn.execute.arguments) {
    if (const auto *number = std::get_if<NumberArgument>(&argument))
      if (number->integer)
        place.push_back(number->text);
    if (const auto *random = std::get_if<RandomArgument>(&argument))
      scale = random->scale;
  }
  if (!place.empty())
    os << " place=" << llvm::join(place, ",");
  if (scale != 1)
    os << " d_output=" << scale;
}

bool attnc::checkGradientCase(const EntryPoint &entry,
                              const Execution &execution, std::string &figures,
                              bool &passed) {
  AttentionBinding binding = entry.attentions.front();
  auto problem =
      buildGradientProblem(cast<AttentionBackwardOp>(binding.op.getOperation()),
                           execution.getBindings());
  if (failed(problem))
    return false;
  FoundGradients found = findGradients(binding, execution);
  GradientReport report = checkGradients((*problem)->problem, found);
  passed = report.passed;
  figures.clear();
  llvm::raw_string_ostream os(figures);
  report.print(os);
  return true;
}
