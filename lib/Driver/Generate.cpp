//===- Generate.cpp - Modules from a few numbers --------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GenerateArrays.h"

#include "attn/Support/Sizes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::generation;

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

/// Prints ops that compute the length of rows or of keys, if only the other one
/// of the two lengths is an array. The attention op takes both lengths or none.
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

/// Prints the clauses `lengths`, `packed` and `pages` of the attention op.
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

static std::string getWrt(const GenerateOptions &options) {
  if (options.wrt == kAllGradients && options.captureWrt.empty())
    return "";
  SmallVector<std::string> names = getNames(options.wrt);
  if (!options.captureWrt.empty()) {
    auto numbers = llvm::map_range(options.captureWrt,
                                   [](int64_t i) { return std::to_string(i); });
    names.push_back("captures[" + llvm::join(numbers, ", ") + "]");
  }
  return " wrt(" + llvm::join(names, ", ") + ")";
}

static std::string getNarrowProducts(const GenerateOptions &options) {
  if (!options.narrowProducts)
    return "";
  bool isDefault = options.narrowProducts == NarrowProducts::Scores;
  std::string name = stringifyNarrowProducts(*options.narrowProducts).str();
  return " narrow_products" + (isDefault ? "" : "<" + name + ">");
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
    os << getWrt(options) << (options.deterministic ? " deterministic" : "")
       << getNarrowProducts(options);
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
}

/// Prints the regions of the attention op, which the text `before` precedes.
static void printRegions(const ScoreText &score, StringRef before,
                         raw_ostream &os) {
  std::string body = renameValues(score.body, before);
  std::string mask = renameValues(score.mask, before);
  if (!body.empty())
    os << "\n      score {\n" << body << "  }";
  if (!mask.empty())
    os << "\n      mask {\n" << mask << "  }";
}

static void printAttributes(const GenerateOptions &options, raw_ostream &os) {
  SmallVector<std::string> attributes;
  if (options.hasFewRows)
    attributes.push_back("few_rows");
  if (!options.schedule.empty())
    attributes.push_back("schedule = " + options.schedule);
  if (!attributes.empty())
    os << "\n      {" << llvm::join(attributes, ", ") << "}";
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
                                     formatSizes({options.batch, columns}) +
                                     ", overflow");
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

  llvm::Expected<ScoreText> score = getRegions(options);
  if (!score)
    return score.takeError();

  std::string text;
  llvm::raw_string_ostream os(text);
  for (const auto &[name, sizes] : arrays) {
    DType own = getDTypeOf(options, name);
    bool isAlongKeys = options.valueAlongKeys && name == "value";
    os << "!" << name << " = " << getArrayType(options, sizes, own, isAlongKeys)
       << "\n";
    if (options.backward && isOf8Bits(own))
      os << "!d_" << name << " = "
         << getArrayType(options, sizes, getGradientDType(options)) << "\n";
  }
  if (options.lse || options.backward)
    os << "!lse = memref<" << formatSizes({options.batch, hq, sq}) << "xf32>\n";
  if (options.sink)
    os << "!sink = memref<" << formatSizes(hq) << "x" << getName(*options.sink)
       << ">\n";
  TypedValues extras = getExtras(options, arrays), inputs, outs;
  addArrays(options, *score, extras, inputs, outs);
  os << "\nfunc.func @main(%query: !query, %key: !key";
  if (!options.valueDims)
    os << ", %value: !value";
  TypedValues{score->parameters}.printParameters(os);
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
  os << ") {\n" << score->prologue;
  printOtherLength(options, os);
  printOp(options, *score, inputs, extras, outs, os);
  printRegions(*score, text, os);
  printAttributes(options, os);
  os << "\n  return\n}\n";
  return text;
}
