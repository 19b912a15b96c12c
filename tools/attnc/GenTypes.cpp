//===- GenTypes.cpp - Element types and scales of attnc gen ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attnc.h"
#include "Enum.h"
#include "Gen.h"

#include "llvm/ADT/StringSwitch.h"

using namespace attnc;
using namespace mlir::attn;
namespace cl = llvm::cl;

namespace attnc::gen_command {

static EnumOption<DType>
    dtype("dtype", cl::sub(genCommand), cl::desc("Element type of all arrays"),
          cl::values(clEnumValN(DType::F32, "f32", "32-bit float"),
                     clEnumValN(DType::F16, "f16", "16-bit float (default)"),
                     clEnumValN(DType::BF16, "bf16", "bfloat16"),
                     clEnumValN(DType::F8E4M3FN, "e4m3",
                                "8-bit float, of query, keys and values"),
                     clEnumValN(DType::F8E5M2, "e5m2",
                                "the same, with 2 bits "
                                "of mantissa")),
          cl::init(DType::F16));
static EnumOption<DType> outputDType(
    "output-dtype", cl::sub(genCommand),
    cl::desc("Element type of the output (default: --dtype, f16 for one of 8 "
             "bits); e4m3 and e5m2 beside --scales output=tensor"),
    cl::values(clEnumValN(DType::F32, "f32", ""),
               clEnumValN(DType::F16, "f16", ""),
               clEnumValN(DType::BF16, "bf16", ""),
               clEnumValN(DType::F8E4M3FN, "e4m3", ""),
               clEnumValN(DType::F8E5M2, "e5m2", "")));
static cl::opt<std::string>
    kvDType("kv-dtype", cl::sub(genCommand), cl::value_desc("K[:V]"),
            cl::desc("Element type of keys, and of values: f32, f16, bf16, "
                     "e4m3, e5m2, i8 or i4 (default: --dtype)"));
static cl::list<std::string> scales(
    "scales", cl::sub(genCommand), cl::CommaSeparated,
    cl::value_desc("[query|key|value|output=]SHAPE"),
    cl::desc(
        "Scales of the stored numbers: @main takes arrays of f32. SHAPE is "
        "tensor, head, token, block:N, channel, or letters of dimensions such "
        "as bhs or b1s; without a name, for key and value"));
static cl::list<std::string> others(
    "with", cl::sub(genCommand), cl::CommaSeparated,
    cl::value_desc("NAME=SHAPE"),
    cl::desc("An array of f32 in the op's clause `with`, by its name there: "
             "@main takes it in the clause's order. SHAPE is as in --scales"));
static cl::opt<std::string> ropeDims(
    "rope-dims", cl::sub(genCommand), cl::value_desc("N[:1]"),
    cl::desc("N further columns of queries and keys in arrays of their own, "
             "query_rope and key_rope, after the scales; with :1 all heads "
             "share those of keys"));
static llvm::Error parseKvDType(GenerateOptions &options) {
  if (kvDType.empty())
    return llvm::Error::success();
  auto [key, value] = llvm::StringRef(kvDType).split(':');
  if (!llvm::StringRef(kvDType).contains(':'))
    value = key;
  for (auto [name, type] :
       {std::pair(key, &options.keyDType), {value, &options.valueDType}}) {
    *type = llvm::StringSwitch<std::optional<DType>>(name)
                .Case("f32", DType::F32)
                .Case("f16", DType::F16)
                .Case("bf16", DType::BF16)
                .Case("e4m3", DType::F8E4M3FN)
                .Case("e5m2", DType::F8E5M2)
                .Case("i8", DType::I8)
                .Case("i4", DType::I4)
                .Default(std::nullopt);
    if (!*type)
      return parseError("kv-dtype",
                        "K or K:V of f32, f16, bf16, e4m3, e5m2, i8 and i4",
                        kvDType);
  }
  return llvm::Error::success();
}

/// Parses the shape of a scale: the name of a form (tensor, head, token,
/// block:N, channel) or the letters of its dimensions. Returns these letters
/// and the number of rows that share a scale, which is N for "block:N", else 1.
static llvm::Expected<std::pair<std::string, int64_t>>
parseScaleShape(llvm::StringRef option, llvm::StringRef text) {
  int64_t block = 1;
  llvm::StringRef number = text;
  bool isBlock = number.consume_front("block:");
  llvm::StringRef shape = llvm::StringSwitch<llvm::StringRef>(text)
                              .Case("tensor", "")
                              .Case("head", "bh")
                              .Case("token", "bhs")
                              .Case("channel", "bh1d")
                              .Default(isBlock ? "bhs" : text);
  if ((isBlock && (number.getAsInteger(10, block) || block < 1)) ||
      shape.find_first_not_of("bhsd1") != llvm::StringRef::npos)
    return parseError(option,
                      "tensor, head, token, block:N, channel or letters of "
                      "dimensions",
                      text);
  return std::pair(shape.str(), block);
}

static llvm::Error parseScales(GenerateOptions &options) {
  for (llvm::StringRef text : scales) {
    auto [name, shape] = text.split('=');
    bool isOfBoth = !text.contains('=');
    auto parsed = parseScaleShape("scales", isOfBoth ? text : shape);
    if (!parsed)
      return parsed.takeError();
    std::optional<Extra> named = findExtra((name + "_scale").str());
    if (!isOfBoth && !named)
      return parseError("scales", "query, key, value or output before '='",
                        name);
    for (Extra which : kExtras)
      if (isOfBoth ? which == Extra::KeyScale || which == Extra::ValueScale
                   : which == named)
        options.extras.push_back({which, parsed->first, parsed->second});
  }
  for (llvm::StringRef text : others) {
    auto [name, shape] = text.split('=');
    std::optional<Extra> which = findExtra(name);
    if (!which || getDeclaration(*which).hasColumns())
      return parseError("with", "the name of an array of f32 before '='", name);
    auto parsed = parseScaleShape("with", shape);
    if (!parsed)
      return parsed.takeError();
    options.extras.push_back({*which, parsed->first, parsed->second});
  }
  llvm::sort(options.extras,
             [](auto &lhs, auto &rhs) { return lhs.which < rhs.which; });
  auto twice = std::adjacent_find(
      options.extras.begin(), options.extras.end(),
      [](auto &lhs, auto &rhs) { return lhs.which == rhs.which; });
  if (twice != options.extras.end())
    return llvm::createStringError("expected one shape of " +
                                   getDeclaration(twice->which).name +
                                   ", found several");
  return llvm::Error::success();
}

static llvm::Error parseRopeDims(GenerateOptions &options) {
  if (!ropeDims.getNumOccurrences())
    return llvm::Error::success();
  auto [width, heads] = llvm::StringRef(ropeDims).split(':');
  bool isShared = llvm::StringRef(ropeDims).contains(':');
  if (width.getAsInteger(10, options.ropeDim) || options.ropeDim < 1 ||
      (isShared && heads != "1"))
    return parseError("rope-dims", "N of at least 1, or N:1", ropeDims);
  options.extras.push_back({Extra::QueryRope, "bhsd"});
  options.extras.push_back({Extra::KeyRope, isShared ? "b1sd" : "bhsd"});
  return llvm::Error::success();
}

llvm::Error parseTypes(GenerateOptions &options) {
  options.dtype = dtype;
  if (outputDType.getNumOccurrences())
    options.outputDType = outputDType;
  if (llvm::Error error = parseKvDType(options))
    return error;
  if (llvm::Error error = parseScales(options))
    return error;
  return parseRopeDims(options);
}

} // namespace attnc::gen_command
