//===- GenerateRegions.cpp - Score and mask regions as text ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GenerateRegions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::attn;

std::string mlir::attn::formatFloat(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.17e", value);
  return text;
}

static ScoreText getSoftCap(double cap) {
  ScoreText score;
  score.body = "  ^bb0(%s: f32, %b: index, %h: index, %q: index, %kv: index):\n"
               "    %cap = arith.constant " +
               formatFloat(cap) +
               " : f32\n"
               "    %0 = arith.divf %s, %cap : f32\n"
               "    %1 = math.tanh %0 : f32\n"
               "    %2 = arith.mulf %1, %cap : f32\n"
               "    attn.yield %2 : f32\n";
  return score;
}

/// Returns a score region that adds the biases of ALiBi ("Train Short, Test
/// Long", arXiv 2108.12409). The slope of head h of Hq is 2^(-8 (h + 1) / Hq),
/// ALiBi's slope for a power of two of heads.
static ScoreText getAlibi(const GenerateOptions &options) {
  ScoreText score;
  std::string heads = "    %count = arith.constant " +
                      std::to_string(options.queryHeads) + " : index\n";
  std::string parameter;
  if (options.queryHeads == kDynamicSize) {
    score.prologue = "  %c1 = arith.constant 1 : index\n"
                     "  %heads = memref.dim %query, %c1 : !query\n";
    score.captures.emplace_back("%heads", "index");
    heads.clear();
    parameter = ", %count: index";
  }
  score.body = "  ^bb0(%s: f32, %b: index, %h: index, %q: index, %kv: index" +
               parameter + "):\n" + heads +
               "    %one = arith.constant 1 : index\n"
               "    %minus8 = arith.constant -8.0 : f32\n"
               "    %0 = arith.addi %h, %one : index\n"
               "    %1 = arith.index_cast %0 : index to i32\n"
               "    %2 = arith.sitofp %1 : i32 to f32\n"
               "    %3 = arith.index_cast %count : index to i32\n"
               "    %4 = arith.sitofp %3 : i32 to f32\n"
               "    %5 = arith.divf %2, %4 : f32\n"
               "    %6 = arith.mulf %5, %minus8 : f32\n"
               "    %slope = math.exp2 %6 : f32\n"
               "    %7 = arith.subi %kv, %q : index\n"
               "    %8 = arith.index_cast %7 : index to i32\n"
               "    %9 = arith.sitofp %8 : i32 to f32\n"
               "    %10 = arith.mulf %slope, %9 : f32\n"
               "    %11 = arith.addf %s, %10 : f32\n"
               "    attn.yield %11 : f32\n";
  return score;
}

std::string mlir::attn::getDocumentMask() {
  return "  ^bb0(%b: index, %h: index, %q: index, %kv: index, %document: "
         "memref<?x?xi32>):\n"
         "    %0 = attn.read %document[%b, %q] inbounds : memref<?x?xi32>\n"
         "    %1 = attn.read %document[%b, %kv] inbounds : memref<?x?xi32>\n"
         "    %2 = arith.cmpi eq, %0, %1 : i32\n"
         "    attn.yield %2 : i1\n";
}

std::string mlir::attn::getPrefixMask(int64_t length) {
  return "  ^bb0(%b: index, %h: index, %q: index, %kv: index):\n"
         "    %length = arith.constant " +
         std::to_string(length) +
         " : index\n"
         "    %0 = arith.cmpi slt, %kv, %length : index\n"
         "    %1 = arith.cmpi sle, %kv, %q : index\n"
         "    %2 = arith.ori %0, %1 : i1\n"
         "    attn.yield %2 : i1\n";
}

namespace {
/// The block of a region as text. `name` and `arguments` are in the block's
/// header, and `rest` is the text after the arguments.
struct BlockText {
  std::string name;
  SmallVector<std::string> arguments;
  std::string rest;

  std::string print() const {
    return name + "(" + llvm::join(arguments, ", ") + rest;
  }
};
} // namespace

/// Splits a list of arguments, such as "%a: f32, %b: memref<2x3xf32,
/// strided<[3, 1]>>", at commas outside of brackets.
static SmallVector<std::string> splitArguments(StringRef text) {
  SmallVector<std::string> arguments;
  int depth = 0;
  size_t begin = 0;
  for (auto [i, c] : llvm::enumerate(text)) {
    depth += StringRef("<([").contains(c);
    depth -= StringRef(">)]").contains(c);
    if (c == ',' && depth == 0) {
      arguments.push_back(text.slice(begin, i).trim().str());
      begin = i + 1;
    }
  }
  if (!text.trim().empty())
    arguments.push_back(text.drop_front(begin).trim().str());
  return arguments;
}

/// Parses the text of a region into the header of its block and the rest. The
/// braces around the region are optional.
static llvm::Expected<BlockText> parseBlock(StringRef kind, StringRef example,
                                            StringRef text) {
  text = text.trim();
  // Nothing but comments may come before the header of the block.
  size_t header = text.find('^');
  size_t open = text.find('(', header);
  size_t close = text.find("):", open);
  if (header == StringRef::npos || open == StringRef::npos ||
      close == StringRef::npos)
    return llvm::createStringError("expected a " + kind +
                                   " region that begins with a block such as "
                                   "'" +
                                   example + "'");
  BlockText block;
  block.arguments = splitArguments(text.slice(open + 1, close));
  StringRef before = text.take_front(open), behind = text.drop_front(close);
  if (before.starts_with("{") && behind.ends_with("}")) {
    before = before.drop_front().ltrim();
    behind = behind.drop_back().rtrim();
  }
  block.name = ("  " + before).str();
  block.rest = (behind + "\n").str();
  return block;
}

/// For each argument of the block after the first `first` ones, adds to `score`
/// a capture of the op, and a parameter of the entry function for it.
static void addCaptures(const BlockText &block, size_t first,
                        ScoreText &score) {
  for (const std::string &argument :
       ArrayRef(block.arguments)
           .drop_front(std::min(first, block.arguments.size()))) {
    std::string name = "%capture" + std::to_string(score.captures.size());
    std::string type = StringRef(argument).split(':').second.trim().str();
    score.parameters.emplace_back(name, type);
    score.captures.emplace_back(name, type);
  }
}

static llvm::Expected<ScoreText> getScoreFromText(StringRef text) {
  llvm::Expected<BlockText> block = parseBlock(
      "score",
      "^bb0(%s: f32, %b: index, %h: index, %q: index, %kv: index):", text);
  if (!block)
    return block.takeError();
  ScoreText score;
  addCaptures(*block, kNumScoreArguments, score);
  score.body = block->print();
  return score;
}

/// Parses the text of a mask region, and adds the region and its captures to
/// `score`. Both regions of an op have arguments for all captures. Therefore
/// each block gets unused arguments for the captures of the other one.
static llvm::Error addMask(StringRef text, ScoreText &score) {
  llvm::Expected<BlockText> mask = parseBlock(
      "mask", "^bb0(%b: index, %h: index, %q: index, %kv: index):", text);
  if (!mask)
    return mask.takeError();
  size_t ofScore = score.captures.size();
  addCaptures(*mask, kNumMaskArguments, score);
  auto name = [&](StringRef of, size_t i) {
    return ("%of_" + of + Twine(i) + ": " + score.captures[i].second).str();
  };
  for (size_t i = 0; i < ofScore; ++i)
    if (mask->arguments.size() >= kNumMaskArguments + i)
      mask->arguments.insert(mask->arguments.begin() + kNumMaskArguments + i,
                             name("score", i));
  score.mask = mask->print();
  if (score.body.empty() || score.captures.size() == ofScore)
    return llvm::Error::success();
  llvm::Expected<BlockText> own = parseBlock("score", "", score.body);
  if (!own)
    return own.takeError();
  for (size_t i = ofScore; i < score.captures.size(); ++i)
    own->arguments.push_back(name("mask", i));
  score.body = own->print();
  return llvm::Error::success();
}

llvm::Expected<ScoreText>
mlir::attn::getRegions(const GenerateOptions &options) {
  ScoreText score;
  if (options.softCap)
    score = getSoftCap(*options.softCap);
  else if (options.alibi)
    score = getAlibi(options);
  else if (!options.scoreText.empty())
    if (llvm::Error error = getScoreFromText(options.scoreText).moveInto(score))
      return std::move(error);
  for (int64_t number : options.captureWrt)
    if (number < 0 || number >= static_cast<int64_t>(score.captures.size()))
      return llvm::createStringError(
          "expected gradients of captures of the score region, which has " +
          Twine(score.captures.size()) + ", found one of capture " +
          Twine(number));
  if (!options.maskText.empty())
    if (llvm::Error error = addMask(options.maskText, score))
      return std::move(error);
  return score;
}

/// Returns the name of the value at the beginning of a text, behind its '%'.
static StringRef peekValue(StringRef text) {
  return text.take_while(
      [](char c) { return llvm::isAlnum(c) || StringRef("_$.-").contains(c); });
}

std::string mlir::attn::renameValues(StringRef region, StringRef before) {
  StringSet<> taken, own;
  for (auto [text, names] : {std::pair(before, &taken), {region, &own}}) {
    SmallVector<StringRef> parts;
    text.split(parts, '%');
    for (StringRef part : llvm::drop_begin(parts))
      names->insert(peekValue(part));
  }
  SmallVector<StringRef> parts;
  region.split(parts, '%');
  std::string text = parts.front().str();
  for (StringRef part : llvm::drop_begin(parts)) {
    std::string name = peekValue(part).str();
    part = part.drop_front(name.size());
    if (taken.contains(name))
      do
        name += '_';
      while (taken.contains(name) || own.contains(name));
    text += "%" + name + part.str();
  }
  return text;
}
