//===- GenerateArrays.cpp - Arrays of generated modules -------------------===//
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

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::generation;

int64_t generation::multiply(ArrayRef<int64_t> factors) {
  int64_t product = 1;
  for (int64_t factor : factors) {
    if (factor == kDynamicSize)
      return kDynamicSize;
    // The product may wrap around 64 bits, which checkSize() reports.
    product = static_cast<int64_t>(static_cast<uint64_t>(product) *
                                   static_cast<uint64_t>(factor));
  }
  return product;
}

SmallVector<std::string> mlir::attn::getNames(Gradients gradients) {
  SmallVector<std::string> names;
  std::string text = stringifyGradients(gradients);
  for (StringRef name : llvm::split(text, '|'))
    if (!name.empty())
      names.push_back(name.str());
  return names;
}

int64_t GenerateOptions::getNumColumns() const {
  if (kvLength == kDynamicSize)
    return kDynamicSize;
  return static_cast<int64_t>(llvm::divideCeil(kvLength, *pageSize));
}

int64_t GenerateOptions::getNumPages() const {
  return numPages.value_or(multiply({batch, getNumColumns()}));
}

/// Returns the type of the gradient of a capture: the type of a captured array,
/// or a memref of rank 0 for a captured scalar. The gradient of an f64 is an
/// f32, since launches take no arrays of f64.
static std::string getGradientType(StringRef capture) {
  if (capture.contains('<'))
    return capture.str();
  return capture == "f64" ? "memref<f32>" : "memref<" + capture.str() + ">";
}

bool generation::isOf8Bits(DType dtype) { return getByteSize(dtype) == 1; }

DType generation::getDTypeOf(const GenerateOptions &options, StringRef name) {
  if (name == "key")
    return options.keyDType.value_or(options.dtype);
  if (name == "value")
    return options.valueDType.value_or(options.dtype);
  if (name == "output")
    return options.outputDType.value_or(
        isOf8Bits(options.dtype) ? DType::F16 : options.dtype);
  return options.dtype;
}

DType generation::getGradientDType(const GenerateOptions &options) {
  if (!isOf8Bits(options.dtype))
    return options.dtype;
  DType output = getDTypeOf(options, "output");
  return output == DType::F32 ? DType::BF16 : output;
}

std::string generation::getArrayType(const GenerateOptions &options,
                                     const Sizes &sizes, DType dtype,
                                     bool isAlongKeys) {
  auto [batch, heads, length, headDim] = sizes;
  bool isBSHD = options.layout == GenerateOptions::Layout::BSHD;
  SmallVector<int64_t> strides = {
      multiply({heads, length, headDim}),
      isBSHD ? headDim : multiply({length, headDim}),
      isBSHD ? multiply({heads, headDim}) : headDim, 1};
  if (isAlongKeys) {
    int64_t column = length == kDynamicSize
                         ? kDynamicSize
                         : static_cast<int64_t>(llvm::alignTo(length, 16));
    strides = {multiply({heads, headDim, column}), multiply({headDim, column}),
               1, column};
  }
  if (options.dynamicStrides)
    for (auto [dim, stride] : llvm::enumerate(strides))
      if (dim != (isAlongKeys ? 2 : 3))
        stride = kDynamicSize;
  return "memref<" + formatSizes({batch, heads, length, headDim}) + "x" +
         getName(dtype).str() + ", strided<[" + formatSizes(strides, ", ") +
         "]>>";
}

llvm::Error generation::checkSize(StringRef name, const Sizes &sizes) {
  auto [batch, heads, length, headDim] = sizes;
  int64_t product = 4;
  for (int64_t size : {batch, heads, length, headDim})
    if (size != kDynamicSize && size != 0 &&
        llvm::MulOverflow(product, size, product))
      return llvm::createStringError(
          "the sizes of " + name + ", " +
          formatSizes({batch, heads, length, headDim}) + ", overflow");
  return llvm::Error::success();
}

TypedValues generation::getSequences(const GenerateOptions &options) {
  TypedValues sequences;
  auto add = [&](StringRef name, ArrayRef<int64_t> sizes) {
    sequences.list.emplace_back(("%" + name).str(),
                                "memref<" + formatSizes(sizes) + "xi32>");
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

TypedValues
generation::getExtras(const GenerateOptions &options,
                      ArrayRef<std::pair<StringRef, Sizes>> arrays) {
  TypedValues extras;
  for (const GenerateOptions::ExtraOptions &extra : options.extras) {
    const ExtraDeclaration &declaration = getDeclaration(extra.which);
    Sizes of = llvm::find_if(arrays, [&](const auto &array) {
                 return array.first == declaration.of;
               })->second;
    if (declaration.hasColumns()) {
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
      type += formatSizes(size) + "x";
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

void generation::addArrays(const GenerateOptions &options,
                           const ScoreText &score, const TypedValues &extras,
                           TypedValues &inputs, TypedValues &outs) {
  if (!options.backward) {
    outs.add("output", "output");
    if (options.lse)
      outs.add("lse", "lse");
    return;
  }
  inputs.add("output", "output");
  inputs.add("lse", "lse");
  inputs.add("d_output", "output");
  for (const std::string &name : getNames(options.wrt)) {
    std::string gradient = "d_" + name;
    const auto *extra = llvm::find_if(
        extras.list, [&](const auto &its) { return its.first == "%" + name; });
    if (extra != extras.list.end())
      outs.list.emplace_back("%" + gradient, extra->second);
    else
      outs.add(gradient, name != "sink" && isOf8Bits(getDTypeOf(options, name))
                             ? gradient
                             : name);
  }
  for (int64_t number : options.captureWrt)
    outs.list.emplace_back("%d_capture" + std::to_string(number),
                           getGradientType(score.captures[number].second));
}
