//===- Generate.cpp - Modules from a few numbers --------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Driver/Generate.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::attn;

static std::string formatSize(int64_t size) {
  return size == kDynamicSize ? "?" : std::to_string(size);
}

/// A decimal form that MLIR reads as the same double.
static std::string formatFloat(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.17e", value);
  return text;
}

static int64_t multiply(ArrayRef<int64_t> factors) {
  int64_t product = 1;
  for (int64_t factor : factors) {
    if (factor == kDynamicSize)
      return kDynamicSize;
    // An overflow is diagnosed by the type's own size check below.
    product = static_cast<int64_t>(static_cast<uint64_t>(product) *
                                   static_cast<uint64_t>(factor));
  }
  return product;
}

static std::string getArrayType(const GenerateOptions &options, int64_t heads,
                                int64_t length, int64_t headDim) {
  bool isBSHD = options.layout == GenerateOptions::Layout::BSHD;
  int64_t headStride = isBSHD ? headDim : multiply({length, headDim});
  int64_t rowStride = isBSHD ? multiply({heads, headDim}) : headDim;
  std::string type;
  llvm::raw_string_ostream os(type);
  os << "memref<" << formatSize(options.batch) << "x" << formatSize(heads)
     << "x" << formatSize(length) << "x" << headDim << "x"
     << getName(options.dtype) << ", strided<[";
  if (options.dynamicStrides)
    os << "?, ?, ?, 1]>>";
  else
    os << formatSize(multiply({heads, length, headDim})) << ", "
       << formatSize(headStride) << ", " << formatSize(rowStride) << ", 1]>>";
  return type;
}

/// Bytes of an array must be countable.
static llvm::Error checkSize(StringRef name, const GenerateOptions &options,
                             int64_t heads, int64_t length, int64_t headDim) {
  int64_t product = 4;
  for (int64_t size : {options.batch, heads, length, headDim})
    if (size != kDynamicSize && size != 0 &&
        llvm::MulOverflow(product, size, product))
      return llvm::createStringError(
          "the sizes of " + name + ", " + formatSize(options.batch) + "x" +
          formatSize(heads) + "x" + formatSize(length) + "x" +
          formatSize(headDim) + ", overflow");
  return llvm::Error::success();
}

namespace {
/// The score region's block, what it captures and how the entry computes that.
struct ScoreText {
  std::string prologue;
  /// Arguments of the entry: name and type.
  SmallVector<std::pair<std::string, std::string>> parameters;
  /// Operands of the attention op: name and type.
  SmallVector<std::pair<std::string, std::string>> captures;
  std::string body;
};
} // namespace

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

/// The slopes of "Train Short, Test Long" (arXiv 2108.12409) for a power of two
/// of heads: 2^(-8 (h + 1) / Hq).
static ScoreText getAlibi(const GenerateOptions &options) {
  ScoreText score;
  std::string heads = "    %count = arith.constant " +
                      formatSize(options.queryHeads) + " : index\n";
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

/// Reads the block's arguments, of which those after the fifth are captures.
static llvm::Expected<ScoreText> getScoreFromText(StringRef text) {
  text = text.trim();
  // Comments before the block are kept; the block's header comes first else.
  size_t header = text.find('^');
  size_t open = text.find('(', header);
  size_t close = text.find("):", open);
  if (header == StringRef::npos || open == StringRef::npos ||
      close == StringRef::npos)
    return llvm::createStringError(
        "expected a score region that begins with a block such as "
        "'^bb0(%s: f32, %b: index, %h: index, %q: index, %kv: index):'");
  SmallVector<StringRef> arguments;
  text.slice(open + 1, close).split(arguments, ',');
  ScoreText score;
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    if (i < 5)
      continue;
    std::string name = ("%capture" + Twine(i - 5)).str();
    std::string type = argument.split(':').second.trim().str();
    score.parameters.emplace_back(name, type);
    score.captures.emplace_back(name, type);
  }
  StringRef body = text;
  if (body.starts_with("{") && body.ends_with("}"))
    body = body.drop_front().drop_back().trim();
  score.body = ("  " + body + "\n").str();
  return score;
}

static std::string getMask(const GenerateOptions &options) {
  if (!options.causal && !options.windowLeft && !options.windowRight)
    return "";
  std::string mask;
  llvm::raw_string_ostream os(mask);
  os << " mask <" << stringifyAlignment(options.alignment);
  if (options.causal)
    os << ", causal";
  if (options.windowLeft)
    os << ", left = " << *options.windowLeft;
  if (options.windowRight)
    os << ", right = " << *options.windowRight;
  os << ">";
  return mask;
}

namespace {
/// A list of values with their types, as ops and functions print it.
struct TypedValues {
  SmallVector<std::pair<std::string, std::string>> list;

  void add(StringRef name, StringRef type) {
    list.emplace_back(("%" + name).str(), ("!" + type).str());
  }
  /// "%a, %b : !a, !b"
  void print(raw_ostream &os) const {
    llvm::interleaveComma(list, os, [&](auto &value) { os << value.first; });
    os << " : ";
    llvm::interleaveComma(list, os, [&](auto &value) { os << value.second; });
  }
  /// ", %a: !a, %b: !b"
  void printParameters(raw_ostream &os) const {
    for (const auto &[name, type] : list)
      os << ", " << name << ": " << type;
  }
};
} // namespace

/// What the op takes besides query, key and value, and what it writes.
static void addArrays(const GenerateOptions &options, TypedValues &inputs,
                      TypedValues &outs) {
  if (!options.backward) {
    outs.add("output", "output");
    if (options.lse)
      outs.add("lse", "lse");
    return;
  }
  inputs.add("output", "output");
  inputs.add("lse", "lse");
  inputs.add("d_output", "output");
  static constexpr StringLiteral kNames[] = {"query", "key", "value"};
  for (auto [name, isWanted] : llvm::zip(kNames, options.wrt))
    if (isWanted)
      outs.add(("d_" + name).str(), name);
}

static std::string getWrt(const GenerateOptions &options) {
  if (options.wrt == std::array<bool, 3>{true, true, true})
    return "";
  SmallVector<StringRef> names;
  static constexpr StringLiteral kNames[] = {"query", "key", "value"};
  for (auto [name, isWanted] : llvm::zip(kNames, options.wrt))
    if (isWanted)
      names.push_back(name);
  return " wrt(" + llvm::join(names, ", ") + ")";
}

static void printOp(const GenerateOptions &options, const ScoreText &score,
                    const TypedValues &inputs, const TypedValues &outs,
                    raw_ostream &os) {
  os << "  attn.attention" << (options.backward ? "_backward" : "")
     << getMask(options);
  if (options.scale)
    os << " scale " << formatFloat(*options.scale);
  if (options.backward)
    os << getWrt(options) << (options.deterministic ? " deterministic" : "");
  TypedValues all;
  for (StringRef name : {"query", "key", "value"})
    all.add(name, name);
  llvm::append_range(all.list, inputs.list);
  os << "\n      ins(";
  all.print(os);
  os << ")\n";
  if (options.backward && options.dLse)
    os << "      d_lse(%d_lse : !lse)\n";
  if (!score.captures.empty()) {
    os << "      captures(";
    TypedValues{score.captures}.print(os);
    os << ")\n";
  }
  if (options.isPlaced)
    os << "      origin(%b0, %h0, %q0, %kv0)\n"
          "      lengths(%len_q, %len_kv)\n";
  os << "      outs(";
  outs.print(os);
  os << ")";
  if (!score.body.empty())
    os << "\n      score {\n" << score.body << "  }";
  if (!options.schedule.empty())
    os << "\n      {schedule = " << options.schedule << "}";
}

llvm::Expected<std::string>
mlir::attn::generateModule(const GenerateOptions &options) {
  int64_t hq = options.queryHeads, hkv = options.kvHeads;
  int64_t sq = options.queryLength, skv = options.kvLength;
  int64_t d = options.headDim, dv = options.valueHeadDim;
  struct Sizes {
    StringRef name;
    int64_t heads, length, headDim;
  };
  for (auto [name, heads, length, headDim] : {Sizes{"query", hq, sq, d},
                                              {"key", hkv, skv, d},
                                              {"value", hkv, skv, dv},
                                              {"output", hq, sq, dv}})
    if (llvm::Error error = checkSize(name, options, heads, length, headDim))
      return std::move(error);

  ScoreText score;
  if (options.softCap)
    score = getSoftCap(*options.softCap);
  else if (options.alibi)
    score = getAlibi(options);
  else if (!options.scoreText.empty()) {
    llvm::Expected<ScoreText> parsed = getScoreFromText(options.scoreText);
    if (!parsed)
      return parsed.takeError();
    score = std::move(*parsed);
  }

  std::string text;
  llvm::raw_string_ostream os(text);
  os << "!query = " << getArrayType(options, hq, sq, d) << "\n"
     << "!key = " << getArrayType(options, hkv, skv, d) << "\n"
     << "!value = " << getArrayType(options, hkv, skv, dv) << "\n"
     << "!output = " << getArrayType(options, hq, sq, dv) << "\n";
  if (options.lse || options.backward)
    os << "!lse = memref<" << formatSize(options.batch) << "x" << formatSize(hq)
       << "x" << formatSize(sq) << "xf32>\n";
  TypedValues inputs, outs;
  addArrays(options, inputs, outs);
  os << "\nfunc.func @main(%query: !query, %key: !key, %value: !value";
  TypedValues{score.parameters}.printParameters(os);
  if (options.isPlaced)
    os << ", %b0: index, %h0: index, %q0: index, %kv0: index, %len_q: index, "
          "%len_kv: index";
  inputs.printParameters(os);
  if (options.backward && options.dLse)
    os << ", %d_lse: !lse";
  outs.printParameters(os);
  os << ") {\n" << score.prologue;
  printOp(options, score, inputs, outs, os);
  os << "\n  return\n}\n";
  return text;
}
