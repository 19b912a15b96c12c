//===- GenerateArrays.h - Arrays of generated modules -----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DRIVER_GENERATEARRAYS_H
#define ATTN_LIB_DRIVER_GENERATEARRAYS_H

#include "GenerateRegions.h"

namespace mlir::attn::generation {

/// The sizes of an array of an attention op, such as the query.
struct Sizes {
  int64_t batch, heads, length, headDim;
};

/// A list of SSA values and their types, which can be printed as operands or as
/// parameters.
struct TypedValues {
  SmallVector<std::pair<std::string, std::string>> list;

  void add(StringRef name, StringRef type) {
    list.emplace_back(("%" + name).str(), ("!" + type).str());
  }
  /// Prints the values as operands, for example "%a, %b : !a, !b".
  void print(raw_ostream &os) const {
    llvm::interleaveComma(list, os, [&](auto &value) { os << value.first; });
    os << " : ";
    llvm::interleaveComma(list, os, [&](auto &value) { os << value.second; });
  }
  /// Prints the values as further parameters of a function, for example ", %a:
  /// !a, %b: !b".
  void printParameters(raw_ostream &os) const {
    for (const auto &[name, type] : list)
      os << ", " << name << ": " << type;
  }
};

/// Returns the product of sizes, or kDynamicSize if one of them is dynamic.
int64_t multiply(ArrayRef<int64_t> factors);

bool isOf8Bits(DType dtype);

/// Returns the element type of the array with the name "query", "key", "value"
/// or "output".
DType getDTypeOf(const GenerateOptions &options, StringRef name);

/// Returns the element type of gradients: the option `dtype` or, if that has 8
/// bits, the type of the output. For an output of f32, it is then bf16.
DType getGradientDType(const GenerateOptions &options);

/// Returns the memref type of an array, with strides for the layout that the
/// options ask for. With `isAlongKeys`, elements are instead contiguous along
/// the keys, and each column begins at a multiple of 16 elements.
std::string getArrayType(const GenerateOptions &options, const Sizes &sizes,
                         DType dtype, bool isAlongKeys = false);

/// Fails if an array of these sizes, with 4 bytes an element, has more bytes
/// than 64 bits count. Dynamic sizes and sizes of 0 are assumed to be 1.
llvm::Error checkSize(StringRef name, const Sizes &sizes);

/// Returns the i32 arrays of lengths, cumulative lengths and pages that the
/// entry function takes.
TypedValues getSequences(const GenerateOptions &options);

/// Returns the operands of the attention op's clause `with`, such as scales.
/// Their sizes follow from those of the arrays that they belong to.
TypedValues getExtras(const GenerateOptions &options,
                      ArrayRef<std::pair<StringRef, Sizes>> arrays);

/// Appends to `outs` the arrays that the attention op writes: output and lse,
/// or gradients. For a backward op, also appends output, lse and d_output to
/// `inputs`.
void addArrays(const GenerateOptions &options, const ScoreText &score,
               const TypedValues &extras, TypedValues &inputs,
               TypedValues &outs);

} // namespace mlir::attn::generation

#endif // ATTN_LIB_DRIVER_GENERATEARRAYS_H
