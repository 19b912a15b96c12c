//===- Gen.cpp - attnc gen ------------------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gen.h"
#include "Attnc.h"
#include "Enum.h"

#include <cmath>

using namespace attnc;
using namespace mlir::attn;
namespace cl = llvm::cl;

namespace attnc::gen_command {

llvm::Error parseError(llvm::StringRef option, llvm::StringRef form,
                       llvm::StringRef found) {
  return llvm::createStringError("expected " + form + " for --" + option +
                                 ", found '" + found + "'");
}

llvm::Expected<double> parseFinite(llvm::StringRef option,
                                   llvm::StringRef text) {
  double value;
  if (text.getAsDouble(value) || !std::isfinite(value))
    return parseError(option, "a finite number", text);
  return value;
}

static cl::opt<std::string> batch("batch", cl::sub(genCommand),
                                  cl::value_desc("N|?"), cl::init("1"),
                                  cl::desc("Batch size (default 1)"));
static cl::opt<std::string>
    heads("heads", cl::sub(genCommand), cl::value_desc("Hq[:Hkv]|?"),
          cl::init("1"),
          cl::desc("Query heads, and key and value heads (default 1)"));
static cl::opt<std::string>
    seq("seq", cl::sub(genCommand), cl::value_desc("Sq[:Skv]|?"),
        cl::init("128"),
        cl::desc("Length of queries, and of keys and values (default 128)"));
static cl::opt<std::string>
    headDim("head-dim", cl::sub(genCommand), cl::value_desc("D[:Dv]"),
            cl::init("64"),
            cl::desc("Head dim of queries and keys, and of values (default "
                     "64)"));
static cl::opt<std::string> valueDims(
    "value-dims", cl::sub(genCommand), cl::value_desc("FIRST:END"),
    cl::desc("The value is the columns of the key from FIRST to END, which is "
             "not one of them: @main takes no value"));
static EnumOption<GenerateOptions::Layout>
    layout("layout", cl::sub(genCommand),
           cl::desc("Order of dimensions in memory"),
           cl::values(clEnumValN(GenerateOptions::Layout::BHSD, "bhsd",
                                 "batch, head, row, head dim (default)"),
                      clEnumValN(GenerateOptions::Layout::BSHD, "bshd",
                                 "batch, row, head, head dim")),
           cl::init(GenerateOptions::Layout::BHSD));
static cl::opt<bool> dynamicStrides(
    "dynamic-strides", cl::sub(genCommand),
    cl::desc("Leave all strides except the innermost one dynamic"));
static cl::opt<bool> valueAlongKeys(
    "value-along-keys", cl::sub(genCommand),
    cl::desc("The value's stride is 1 along keys, not along its columns"));
static cl::opt<bool> fewRows(
    "few-rows", cl::sub(genCommand),
    cl::desc("Say that a dynamic number of query rows is mostly small"));
namespace {
enum class Causal { None, TopLeft, BottomRight };
} // namespace
static EnumOption<Causal>
    causal("causal", cl::sub(genCommand), cl::desc("Causal mask"),
           cl::values(clEnumValN(Causal::None, "none", "None (default)"),
                      clEnumValN(Causal::TopLeft, "top-left",
                                 "Keys up to the row's own position"),
                      clEnumValN(Causal::BottomRight, "bottom-right",
                                 "The last row sees all keys")),
           cl::init(Causal::None));
static cl::opt<std::string> window(
    "window", cl::sub(genCommand), cl::value_desc("L,R"),
    cl::desc("Keys kept to the left and right of the diagonal, both inclusive; "
             "-1 is unlimited"));
static EnumOption<Alignment>
    align("align", cl::sub(genCommand),
          cl::desc("Diagonal of a window without a causal mask"),
          cl::values(clEnumValN(Alignment::TopLeft, "top-left", "(default)"),
                     clEnumValN(Alignment::BottomRight, "bottom-right", "")),
          cl::init(Alignment::TopLeft));
static cl::opt<bool> fastAccumulate(
    "fast-accumulate", cl::sub(genCommand),
    cl::desc("Products of 8 bits may be summed as the hardware does, which is "
             "faster and loses low bits of long sums of one sign"));
static cl::opt<bool> lse("lse", cl::sub(genCommand),
                         cl::desc("Also return the log-sum-exp of each row"));
static cl::opt<std::string>
    scale("scale", cl::sub(genCommand), cl::value_desc("X"),
          cl::desc("Factor on the scores (default 1/sqrt(D))"));
namespace {
enum class Lengths { None, Both, Query, Key };
} // namespace
static EnumOption<Lengths> lengths(
    "lengths", cl::sub(genCommand), cl::ValueOptional,
    cl::desc("Lengths of each batch entry: @main takes arrays of i32"),
    cl::values(clEnumValN(Lengths::Both, "", "of query and key"),
               clEnumValN(Lengths::Both, "both", "of query and key"),
               clEnumValN(Lengths::Query, "query", "of the query alone"),
               clEnumValN(Lengths::Key, "key", "of the key alone")),
    cl::init(Lengths::None));
static cl::opt<std::string> packed(
    "packed", cl::sub(genCommand), cl::ValueOptional, cl::value_desc("N|?"),
    cl::desc("N packed sequences that follow each other (default ?): @main "
             "takes N + 1 cumulative lengths of query and of key"));
static cl::opt<std::string>
    paged("paged", cl::sub(genCommand), cl::value_desc("P[:PAGES]"),
          cl::desc("Keys and values in pages of P rows, of a pool of PAGES "
                   "(default: enough for all): @main takes a table of pages"));
static cl::opt<bool>
    backward("backward", cl::sub(genCommand),
             cl::desc("Gradients instead of attention: @main takes query, key, "
                      "value, output, lse and d_output"));
static cl::list<std::string> wrt(
    "wrt", cl::sub(genCommand), cl::CommaSeparated,
    cl::value_desc("query,key,value,sink,query_rope,key_rope,captureN"),
    cl::desc("With --backward: the gradients to compute; captureN is a float "
             "or an array of floats that the score region captures (default: "
             "query, key and value, and the sink, query_rope and key_rope if "
             "there are some)"));
static cl::opt<bool>
    dLse("d-lse", cl::sub(genCommand),
         cl::desc("With --backward: the lse has a gradient, too"));
static cl::opt<bool>
    deterministic("deterministic", cl::sub(genCommand),
                  cl::desc("With --backward: the same bits in each run"));
namespace {
enum class Narrow { None, Scores, All };
} // namespace
static EnumOption<Narrow> narrowProducts(
    "narrow-products", cl::sub(genCommand), cl::ValueOptional,
    cl::desc("With --backward: round operands of products to 8 bits; query, "
             "key and value have one 8-bit type"),
    cl::values(clEnumValN(Narrow::Scores, "",
                          "rows of d_output for d_query "
                          "and d_key"),
               clEnumValN(Narrow::Scores, "scores", "the same"),
               clEnumValN(Narrow::All, "all", "rows of d_output, P and dS")),
    cl::init(Narrow::None));
static cl::opt<std::string> output("o", cl::sub(genCommand),
                                   cl::value_desc("FILE"), cl::init("-"),
                                   cl::desc("Output file (default: standard "
                                            "output)"));

/// Parses the text "N" or "N:M" of an option into two sizes. "N" sets both.
static llvm::Error parseSizePair(llvm::StringRef option, llvm::StringRef form,
                                 llvm::StringRef text, bool allowDynamic,
                                 int64_t &first, int64_t &second) {
  auto parseSize = [&](llvm::StringRef part, int64_t &size) {
    if (allowDynamic && part == "?") {
      size = kDynamicSize;
      return true;
    }
    return !part.getAsInteger(10, size) && size >= 0;
  };
  auto [left, right] = text.split(':');
  bool hasSecond = text.contains(':');
  if (!parseSize(left, first) || (hasSecond && !parseSize(right, second)))
    return parseError(option, form, text);
  if (!hasSecond)
    second = first;
  return llvm::Error::success();
}

static llvm::Error parseWindow(GenerateOptions &options) {
  if (window.empty())
    return llvm::Error::success();
  auto [left, right] = llvm::StringRef(window).split(',');
  int64_t l, r;
  if (left.getAsInteger(10, l) || right.getAsInteger(10, r) || l < -1 ||
      r < -1 || l > MaskAttr::kMaxBound || r > MaskAttr::kMaxBound)
    return parseError("window", "L,R, each from -1 to 2147483647", window);
  if (l >= 0)
    options.windowLeft = l;
  if (r >= 0)
    options.windowRight = r;
  return llvm::Error::success();
}

static llvm::Error parseBackward(GenerateOptions &options) {
  options.backward = backward;
  options.fastAccumulate = fastAccumulate;
  if (backward && fastAccumulate)
    return llvm::createStringError(
        "expected --fast-accumulate without --backward, found both");
  options.dLse = dLse;
  options.deterministic = deterministic;
  if (narrowProducts != Narrow::None)
    options.narrowProducts = narrowProducts == Narrow::All
                                 ? NarrowProducts::All
                                 : NarrowProducts::Scores;
  if (!backward) {
    for (auto [name, count] :
         {std::pair("wrt", wrt.getNumOccurrences()),
          std::pair("d-lse", dLse.getNumOccurrences()),
          std::pair("deterministic", deterministic.getNumOccurrences()),
          std::pair("narrow-products", narrowProducts.getNumOccurrences())})
      if (count)
        return llvm::createStringError("expected --" + llvm::Twine(name) +
                                       " together with --backward");
    return llvm::Error::success();
  }
  if (lse)
    return llvm::createStringError(
        "expected --lse or --backward, whose module takes an lse, found both");
  Gradients known = kAllGradients;
  if (options.sink)
    known |= Gradients::Sink;
  if (options.ropeDim > 0)
    known |= Gradients::QueryRope | Gradients::KeyRope;
  options.wrt = known;
  if (!wrt.getNumOccurrences())
    return llvm::Error::success();
  options.wrt = Gradients(0);
  for (const std::string &name : wrt) {
    llvm::StringRef number = name;
    int64_t capture;
    if (number.consume_front("capture") && !number.getAsInteger(10, capture)) {
      options.captureWrt.push_back(capture);
      continue;
    }
    llvm::SmallVector<std::string> names = getNames(known);
    if (!llvm::is_contained(names, name))
      return parseError("wrt", llvm::join(names, ", ") + " or captureN", name);
    options.wrt |= *symbolizeGradients(name);
  }
  llvm::sort(options.captureWrt);
  return llvm::Error::success();
}

/// Parses the options of lengths, packed sequences and pages. Batch size, heads
/// and numbers of rows and keys must have been parsed.
static llvm::Error parseSequences(GenerateOptions &options) {
  bool isPacked = packed.getNumOccurrences();
  if (isPacked && lengths != Lengths::None)
    return llvm::createStringError("expected --lengths or --packed, whose "
                                   "sequences have their own, found both");
  if (isPacked && paged.getNumOccurrences())
    return llvm::createStringError("expected --paged or --packed, which have "
                                   "no op in common, found both");
  if (isPacked && options.batch != 1 && options.batch != kDynamicSize)
    return llvm::createStringError("expected --batch 1 or ? together with "
                                   "--packed, found --batch " +
                                   batch);
  if (isPacked && !options.captureWrt.empty())
    return llvm::createStringError("expected no --wrt captureN together with "
                                   "--packed, found one");
  if (backward && paged.getNumOccurrences())
    return llvm::createStringError("expected --paged or --backward, whose op "
                                   "takes no pages, found both");
  options.lengths = {lengths == Lengths::Both || lengths == Lengths::Query,
                     lengths == Lengths::Both || lengths == Lengths::Key};
  int64_t unused;
  if (isPacked) {
    llvm::StringRef text = packed.empty() ? "?" : llvm::StringRef(packed);
    options.numSequences = 0;
    if (llvm::Error error = parseSizePair("packed", "N or ?", text, true,
                                          *options.numSequences, unused))
      return error;
    if (text.contains(':') || *options.numSequences > INT32_MAX)
      return parseError("packed", "N or ?, N at most 2147483647", text);
  }
  if (!paged.getNumOccurrences())
    return llvm::Error::success();
  auto [size, count] = llvm::StringRef(paged).split(':');
  options.pageSize = 0;
  if (size.getAsInteger(10, *options.pageSize) || *options.pageSize < 1)
    return parseError("paged", "P[:PAGES], P at least 1", paged);
  if (!llvm::StringRef(paged).contains(':'))
    return llvm::Error::success();
  options.numPages = 0;
  if (count == "?")
    options.numPages = kDynamicSize;
  else if (count.getAsInteger(10, *options.numPages) || *options.numPages < 0)
    return parseError("paged", "P[:PAGES], P at least 1", paged);
  return llvm::Error::success();
}

static llvm::Expected<GenerateOptions> getOptions() {
  GenerateOptions options;
  if (llvm::Error error = parseTypes(options))
    return std::move(error);
  options.layout = layout;
  options.dynamicStrides = dynamicStrides;
  options.valueAlongKeys = valueAlongKeys;
  options.hasFewRows = fewRows;
  options.lse = lse;
  options.causal = causal != Causal::None;
  options.alignment = align;
  if (causal == Causal::TopLeft)
    options.alignment = Alignment::TopLeft;
  if (causal == Causal::BottomRight)
    options.alignment = Alignment::BottomRight;
  if (options.causal && align.getNumOccurrences() && align != options.alignment)
    return llvm::createStringError(
        "expected --align to be that of --causal, found both alignments");
  if (align.getNumOccurrences() && window.empty() && !options.causal)
    return llvm::createStringError(
        "expected --align together with --window or --causal, found neither");

  int64_t unused;
  if (llvm::StringRef(batch).contains(':'))
    return parseError("batch", "N or ?", batch);
  if (llvm::Error error =
          parseSizePair("batch", "N or ?", batch, true, options.batch, unused))
    return std::move(error);
  if (llvm::Error error = parseSizePair("heads", "Hq[:Hkv] or ?", heads, true,
                                        options.queryHeads, options.kvHeads))
    return std::move(error);
  if (llvm::Error error = parseSizePair("seq", "Sq[:Skv] or ?", seq, true,
                                        options.queryLength, options.kvLength))
    return std::move(error);
  if (fewRows && options.queryLength != kDynamicSize)
    return llvm::createStringError(
        "expected --few-rows together with a --seq of ?");
  if (llvm::Error error =
          parseSizePair("head-dim", "D[:Dv], static and at least 1", headDim,
                        false, options.headDim, options.valueHeadDim))
    return std::move(error);
  if (options.headDim < 1 || options.valueHeadDim < 1)
    return parseError("head-dim", "D[:Dv], static and at least 1", headDim);
  if (valueDims.getNumOccurrences()) {
    auto [first, end] = llvm::StringRef(valueDims).split(':');
    auto &dims = options.valueDims.emplace();
    if (first.getAsInteger(10, dims.first) ||
        end.getAsInteger(10, dims.second) || dims.first < 0 ||
        dims.second <= dims.first)
      return parseError("value-dims", "FIRST:END, END above FIRST", valueDims);
    if (llvm::StringRef(headDim).contains(':'))
      return llvm::createStringError("expected --head-dim D or D:Dv, found Dv "
                                     "and --value-dims");
    if (backward)
      return llvm::createStringError("expected --value-dims or --backward, "
                                     "whose op takes a value, found both");
  }
  if (llvm::Error error = parseWindow(options))
    return std::move(error);
  if (!scale.empty()) {
    llvm::Expected<double> value = parseFinite("scale", scale);
    if (!value)
      return value.takeError();
    options.scale = *value;
  }
  if (llvm::Error error = parseScores(options))
    return std::move(error);
  if (llvm::Error error = parseBackward(options))
    return std::move(error);
  if (llvm::Error error = parseSequences(options))
    return std::move(error);
  return options;
}

static int run() {
  llvm::Expected<GenerateOptions> options = getOptions();
  if (!options)
    return reportError(options.takeError());
  llvm::Expected<std::string> text = generateModule(*options);
  if (!text)
    return reportError(text.takeError());
  // Checks that the output is a valid module, since the files of regions may
  // contain anything.
  LoadedModule module;
  if (!module.loadText(*text, "attnc gen"))
    return 1;
  if (llvm::Error error = writeFile(output, *text))
    return reportError(std::move(error));
  return 0;
}

} // namespace attnc::gen_command

int attnc::runGen() { return gen_command::run(); }
