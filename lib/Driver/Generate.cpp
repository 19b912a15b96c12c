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

/// Returns a decimal number that MLIR reads as exactly this double.
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
    // The product may wrap; checkSize() below reports that.
    product = static_cast<int64_t>(static_cast<uint64_t>(product) *
                                   static_cast<uint64_t>(factor));
  }
  return product;
}

int64_t GenerateOptions::getNumColumns() const {
  if (kvLength == kDynamicSize)
    return kDynamicSize;
  return static_cast<int64_t>(llvm::divideCeil(kvLength, *pageSize));
}

int64_t GenerateOptions::getNumPages() const {
  return numPages.value_or(multiply({batch, getNumColumns()}));
}

namespace {
/// The sizes of an array.
struct Sizes {
  int64_t batch, heads, length, headDim;
};
} // namespace

static std::string getArrayType(const GenerateOptions &options,
                                const Sizes &sizes, DType dtype) {
  auto [batch, heads, length, headDim] = sizes;
  bool isBSHD = options.layout == GenerateOptions::Layout::BSHD;
  int64_t headStride = isBSHD ? headDim : multiply({length, headDim});
  int64_t rowStride = isBSHD ? multiply({heads, headDim}) : headDim;
  std::string type;
  llvm::raw_string_ostream os(type);
  os << "memref<" << formatSize(batch) << "x" << formatSize(heads) << "x"
     << formatSize(length) << "x" << headDim << "x" << getName(dtype)
     << ", strided<[";
  if (options.dynamicStrides)
    os << "?, ?, ?, 1]>>";
  else
    os << formatSize(multiply({heads, length, headDim})) << ", "
       << formatSize(headStride) << ", " << formatSize(rowStride) << ", 1]>>";
  return type;
}

/// The type of a value whose columns lie one after the other.
static std::string getTypeAlongKeys(const GenerateOptions &options,
                                    const Sizes &sizes, DType dtype) {
  constexpr int64_t kStep = 16;
  auto [batch, heads, length, headDim] = sizes;
  int64_t column = length == kDynamicSize
                       ? kDynamicSize
                       : static_cast<int64_t>(llvm::alignTo(length, kStep));
  std::string type;
  llvm::raw_string_ostream os(type);
  os << "memref<" << formatSize(batch) << "x" << formatSize(heads) << "x"
     << formatSize(length) << "x" << headDim << "x" << getName(dtype)
     << ", strided<[";
  if (options.dynamicStrides || column == kDynamicSize)
    os << "?, ?, 1, ?]>>";
  else
    os << formatSize(multiply({heads, headDim, column})) << ", "
       << formatSize(multiply({headDim, column})) << ", 1, " << column << "]>>";
  return type;
}

/// Fails if the array's size in bytes does not fit 64 bits.
static llvm::Error checkSize(StringRef name, const Sizes &sizes) {
  auto [batch, heads, length, headDim] = sizes;
  int64_t product = 4;
  for (int64_t size : {batch, heads, length, headDim})
    if (size != kDynamicSize && size != 0 &&
        llvm::MulOverflow(product, size, product))
      return llvm::createStringError(
          "the sizes of " + name + ", " + formatSize(batch) + "x" +
          formatSize(heads) + "x" + formatSize(length) + "x" +
          formatSize(headDim) + ", overflow");
  return llvm::Error::success();
}

namespace {
/// The text of the score and mask regions and of their captures, and of the
/// entry's ops that compute captures.
struct ScoreText {
  std::string prologue;
  /// The captures that are parameters of the entry: name and type of each.
  SmallVector<std::pair<std::string, std::string>> parameters;
  /// The op's captures: name and type.
  SmallVector<std::pair<std::string, std::string>> captures;
  std::string body;
  /// The block of the mask region.
  std::string mask;
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

/// Returns the score region of ALiBi ("Train Short, Test Long", arXiv
/// 2108.12409), with the slopes for a power of two of heads: 2^(-8 (h + 1) /
/// Hq).
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
/// A region's block as text: the name and the arguments in its header, and what
/// follows the header.
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

/// Parses the text of a region into its block's header and the rest; braces
/// around it are optional.
static llvm::Expected<BlockText> parseBlock(StringRef kind, StringRef example,
                                            StringRef text) {
  text = text.trim();
  // Comments may come before the block's header, but nothing else.
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

/// Makes the arguments of a block after the first `first` captures, which
/// become parameters of the entry.
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

/// Adds a mask region. The blocks of both regions then take the captures of
/// both.
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
/// A list of values and their types, which can be printed as operands or as
/// parameters.
struct TypedValues {
  SmallVector<std::pair<std::string, std::string>> list;

  void add(StringRef name, StringRef type) {
    list.emplace_back(("%" + name).str(), ("!" + type).str());
  }
  /// Prints for example "%a, %b : !a, !b".
  void print(raw_ostream &os) const {
    llvm::interleaveComma(list, os, [&](auto &value) { os << value.first; });
    os << " : ";
    llvm::interleaveComma(list, os, [&](auto &value) { os << value.second; });
  }
  /// Prints for example ", %a: !a, %b: !b".
  void printParameters(raw_ostream &os) const {
    for (const auto &[name, type] : list)
      os << ", " << name << ": " << type;
  }
};
} // namespace

/// Returns the i32 arrays of lengths, cumulative lengths and pages that the
/// entry takes.
static TypedValues getSequences(const GenerateOptions &options) {
  TypedValues sequences;
  auto add = [&](StringRef name, ArrayRef<int64_t> sizes) {
    std::string type = "memref<";
    for (int64_t size : sizes)
      type += formatSize(size) + "x";
    sequences.list.emplace_back(("%" + name).str(), type + "i32>");
  };
  if (options.lengths[0])
    add("query_lengths", {options.batch});
  if (options.lengths[1])
    add("key_lengths", {options.batch});
  if (options.numSequences) {
    int64_t count = *options.numSequences;
    count = count == kDynamicSize ? count : count + 1;
    add("cumulative_query", {count});
    add("cumulative_key", {count});
  }
  if (options.pageSize)
    add("page_table", {options.batch, options.getNumColumns()});
  return sequences;
}

/// If only one of the two lengths is an array, prints ops that compute the
/// other one, since the op takes both.
static void printOtherLength(const GenerateOptions &options, raw_ostream &os) {
  if (options.lengths[0] == options.lengths[1])
    return;
  StringRef name = options.lengths[0] ? "all_keys" : "all_rows";
  int64_t length = options.lengths[0] ? options.kvLength : options.queryLength;
  bool isPaged = options.lengths[0] && options.pageSize;
  if (isPaged)
    length = multiply({options.getNumColumns(), *options.pageSize});
  if (length != kDynamicSize) {
    os << "  %" << name << " = arith.constant " << length << " : index\n";
    return;
  }
  if (!isPaged) {
    StringRef array = options.lengths[0] ? "key" : "query";
    os << "  %length_dim = arith.constant 2 : index\n  %" << name
       << " = memref.dim %" << array << ", %length_dim : !" << array << "\n";
    return;
  }
  const auto &[table, type] = getSequences(options).list.back();
  os << "  %column_dim = arith.constant 1 : index\n"
        "  %columns = memref.dim "
     << table << ", %column_dim : " << type
     << "\n  %page_size = arith.constant " << *options.pageSize
     << " : index\n"
        "  %all_keys = arith.muli %columns, %page_size : index\n";
}

/// Prints the op's clauses `lengths`, `packed` and `pages`.
static void printSequences(const GenerateOptions &options, raw_ostream &os) {
  TypedValues sequences = getSequences(options);
  auto *next = sequences.list.begin();
  auto printClause = [&](StringRef clause, size_t count) {
    TypedValues values;
    values.list.assign(next, next + count);
    next += count;
    os << "      " << clause << "(";
    values.print(os);
    os << ")\n";
  };
  auto [ofQuery, ofKey] = options.lengths;
  if (ofQuery || ofKey) {
    TypedValues lengths;
    lengths.list.push_back(
        ofQuery ? *next++
                : std::pair<std::string, std::string>("%all_rows", "index"));
    lengths.list.push_back(
        ofKey ? *next++
              : std::pair<std::string, std::string>("%all_keys", "index"));
    os << "      lengths(";
    lengths.print(os);
    os << ")\n";
  }
  if (options.numSequences)
    printClause("packed", 2);
  if (options.pageSize)
    printClause("pages", 1);
}

static DType getDTypeOf(const GenerateOptions &options, StringRef name);

/// Returns the operands of the clause `with`. Their sizes follow from those of
/// the arrays that they belong to.
static TypedValues getExtras(const GenerateOptions &options,
                             ArrayRef<std::pair<StringRef, Sizes>> arrays) {
  TypedValues extras;
  for (const GenerateOptions::ExtraOptions &extra : options.extras) {
    const ExtraDeclaration &declaration = getDeclaration(extra.which);
    Sizes of = llvm::find_if(arrays, [&](const auto &array) {
                 return array.first == declaration.of;
               })->second;
    if (declaration.hasColumns) {
      of.headDim = options.ropeDim;
      if (extra.shape[1] == '1')
        of.heads = 1;
      extras.list.emplace_back(
          ("%" + declaration.name).str(),
          getArrayType(options, of, getDTypeOf(options, "query")));
      continue;
    }
    std::string type = "memref<";
    for (char letter : extra.shape) {
      int64_t size = letter == 'b'   ? of.batch
                     : letter == 'h' ? of.heads
                     : letter == 's' ? of.length
                     : letter == 'd' ? of.headDim
                                     : 1;
      if (letter == 's' && size != kDynamicSize)
        size = llvm::divideCeil(size, extra.block);
      type += formatSize(size) + "x";
    }
    type += "f32";
    if (options.dynamicStrides && !extra.shape.empty()) {
      SmallVector<StringRef> strides(extra.shape.size(), "?");
      type += ", strided<[" + llvm::join(strides, ", ") + "]>";
    }
    extras.list.emplace_back(("%" + declaration.name).str(), type + ">");
  }
  return extras;
}

/// Returns the type of a capture's gradient: the array's type, or for a
/// captured scalar a memref of rank 0.
static std::string getGradientType(StringRef capture) {
  return capture.contains('<') ? capture.str()
                               : "memref<" + capture.str() + ">";
}

static bool isOf8Bits(DType dtype) { return getByteSize(dtype) == 1; }

/// Returns the element type of query, key, value or output, given by name.
static DType getDTypeOf(const GenerateOptions &options, StringRef name) {
  if (name == "key")
    return options.keyDType.value_or(options.dtype);
  if (name == "value")
    return options.valueDType.value_or(options.dtype);
  if (name == "output")
    return options.outputDType.value_or(
        isOf8Bits(options.dtype) ? DType::F16 : options.dtype);
  return options.dtype;
}

/// Returns the element type of gradients: for inputs of 8 bits, that of the
/// output.
static DType getGradientDType(const GenerateOptions &options) {
  if (!isOf8Bits(options.dtype))
    return options.dtype;
  DType output = getDTypeOf(options, "output");
  return output == DType::F32 ? DType::BF16 : output;
}

/// The arrays that options.wrt is about.
static constexpr StringLiteral kWrtNames[] = {"query", "key", "value",
                                              "query_rope", "key_rope"};

/// Adds the op's operands besides query, key and value, and the arrays that it
/// writes.
static void addArrays(const GenerateOptions &options, const ScoreText &score,
                      const TypedValues &extras, TypedValues &inputs,
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
  for (auto [name, isWanted] :
       llvm::zip(ArrayRef(kWrtNames).take_front(3), options.wrt))
    if (isWanted)
      outs.add(("d_" + name).str(), isOf8Bits(getDTypeOf(options, name))
                                        ? "d_" + name.str()
                                        : name.str());
  if (options.sinkWrt)
    outs.add("d_sink", "sink");
  for (const auto &[name, type] : extras.list) {
    const auto *found = llvm::find(kWrtNames, name.substr(1));
    if (found != std::end(kWrtNames) && options.wrt[found - kWrtNames])
      outs.list.emplace_back("%d_" + name.substr(1), type);
  }
  for (int64_t number : options.captureWrt)
    outs.list.emplace_back("%d_capture" + std::to_string(number),
                           getGradientType(score.captures[number].second));
}

static std::string getWrt(const GenerateOptions &options) {
  if (options.wrt == GenerateOptions().wrt && !options.sinkWrt &&
      options.captureWrt.empty())
    return "";
  SmallVector<std::string> names;
  for (auto [i, isWanted] : llvm::enumerate(options.wrt)) {
    if (i == 3 && options.sinkWrt)
      names.push_back("sink");
    if (isWanted)
      names.push_back(kWrtNames[i].str());
  }
  if (!options.captureWrt.empty()) {
    auto numbers = llvm::map_range(options.captureWrt,
                                   [](int64_t i) { return std::to_string(i); });
    names.push_back("captures[" + llvm::join(numbers, ", ") + "]");
  }
  return " wrt(" + llvm::join(names, ", ") + ")";
}

static void printOp(const GenerateOptions &options, const ScoreText &score,
                    const TypedValues &inputs, const TypedValues &extras,
                    const TypedValues &outs, raw_ostream &os) {
  os << "  attn.attention" << (options.backward ? "_backward" : "")
     << getMask(options);
  if (options.scale)
    os << " scale " << formatFloat(*options.scale);
  if (options.fastAccumulate)
    os << " fast_accumulate";
  if (options.backward)
    os << getWrt(options) << (options.deterministic ? " deterministic" : "");
  TypedValues all;
  for (StringRef name : {"query", "key", "value"})
    if (name != "value" || !options.valueDims)
      all.add(name, name);
  llvm::append_range(all.list, inputs.list);
  os << "\n      ins(";
  all.print(os);
  os << ")\n";
  if (options.valueDims)
    os << "      value_dims [" << options.valueDims->first << ", "
       << options.valueDims->second << "]\n";
  if (options.backward && options.dLse)
    os << "      d_lse(%d_lse : !lse)\n";
  if (options.sink)
    os << "      sink(%sink : !sink)\n";
  if (options.dropout)
    os << "      dropout(" << formatFloat(*options.dropout)
       << ", %seed, %offset : i64, i64)\n";
  if (!score.captures.empty()) {
    os << "      captures(";
    TypedValues{score.captures}.print(os);
    os << ")\n";
  }
  if (options.isPlaced)
    os << "      origin(%b0, %h0, %q0, %kv0)\n"
          "      lengths(%len_q, %len_kv)\n";
  printSequences(options, os);
  if (!options.extras.empty()) {
    os << "      with(";
    llvm::interleaveComma(
        llvm::zip(options.extras, extras.list), os, [&](auto pair) {
          const auto &[extra, value] = pair;
          os << getDeclaration(extra.which).name << " " << value.first;
          if (extra.block != 1)
            os << " per " << extra.block;
          os << " : " << value.second;
        });
    os << ")\n";
  }
  os << "      outs(";
  outs.print(os);
  os << ")";
  if (!score.body.empty())
    os << "\n      score {\n" << score.body << "  }";
  if (!score.mask.empty())
    os << "\n      mask {\n" << score.mask << "  }";
  if (!options.schedule.empty())
    os << "\n      {schedule = " << options.schedule << "}";
}

llvm::Expected<std::string>
mlir::attn::generateModule(const GenerateOptions &options) {
  int64_t hq = options.queryHeads, hkv = options.kvHeads;
  int64_t sq = options.queryLength, skv = options.kvLength;
  int64_t d = options.headDim, dv = options.valueHeadDim;
  if (options.valueDims)
    dv = options.valueDims->second - options.valueDims->first;
  int64_t keyBatch = options.batch;
  if (options.pageSize) {
    if (int64_t columns = options.getNumColumns(), pages;
        columns != kDynamicSize && options.batch != kDynamicSize &&
        llvm::MulOverflow(options.batch, columns, pages))
      return llvm::createStringError("the sizes of the table of pages, " +
                                     formatSize(options.batch) + "x" +
                                     formatSize(columns) + ", overflow");
    keyBatch = options.getNumPages();
    skv = *options.pageSize;
  }
  const std::pair<StringRef, Sizes> arrays[] = {
      {"query", {options.batch, hq, sq, d}},
      {"key", {keyBatch, hkv, skv, d}},
      {"value", {keyBatch, hkv, skv, dv}},
      {"output", {options.batch, hq, sq, dv}}};
  for (const auto &[name, sizes] : arrays)
    if (llvm::Error error = checkSize(name, sizes))
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
  for (int64_t number : options.captureWrt)
    if (number < 0 || number >= static_cast<int64_t>(score.captures.size()))
      return llvm::createStringError(
          "expected gradients of captures of the score region, which has " +
          Twine(score.captures.size()) + ", found one of capture " +
          Twine(number));
  if (!options.maskText.empty())
    if (llvm::Error error = addMask(options.maskText, score))
      return std::move(error);

  std::string text;
  llvm::raw_string_ostream os(text);
  for (const auto &[name, sizes] : arrays) {
    DType own = getDTypeOf(options, name);
    bool isAlongKeys = options.valueAlongKeys && name == "value";
    os << "!" << name << " = "
       << (isAlongKeys ? getTypeAlongKeys(options, sizes, own)
                       : getArrayType(options, sizes, own))
       << "\n";
    if (options.backward && isOf8Bits(own))
      os << "!d_" << name << " = "
         << getArrayType(options, sizes, getGradientDType(options)) << "\n";
  }
  if (options.lse || options.backward)
    os << "!lse = memref<" << formatSize(options.batch) << "x" << formatSize(hq)
       << "x" << formatSize(sq) << "xf32>\n";
  if (options.sink)
    os << "!sink = memref<" << formatSize(hq) << "x" << getName(*options.sink)
       << ">\n";
  TypedValues extras = getExtras(options, arrays), inputs, outs;
  addArrays(options, score, extras, inputs, outs);
  os << "\nfunc.func @main(%query: !query, %key: !key";
  if (!options.valueDims)
    os << ", %value: !value";
  TypedValues{score.parameters}.printParameters(os);
  if (options.sink)
    os << ", %sink: !sink";
  if (options.dropout)
    os << ", %seed: i64, %offset: i64";
  if (options.isPlaced)
    os << ", %b0: index, %h0: index, %q0: index, %kv0: index, %len_q: index, "
          "%len_kv: index";
  getSequences(options).printParameters(os);
  extras.printParameters(os);
  inputs.printParameters(os);
  if (options.backward && options.dLse)
    os << ", %d_lse: !lse";
  outs.printParameters(os);
  os << ") {\n" << score.prologue;
  printOtherLength(options, os);
  printOp(options, score, inputs, extras, outs, os);
  os << "\n  return\n}\n";
  return text;
}
