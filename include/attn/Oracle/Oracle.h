//===- Oracle.h - Plain evaluation of attention -----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attention by its definition: it computes whole rows of scores, without the
// recurrence of online softmax. Results of compiled kernels are compared with
// it.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_ORACLE_ORACLE_H
#define ATTN_ORACLE_ORACLE_H

#include "attn/Oracle/ScoreEvaluator.h"
#include "attn/Support/ArrayView.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace mlir::attn {

/// The corner of the score matrix in which the diagonal of a mask begins. It
/// repeats the dialect's Alignment, since the oracle does not depend on the
/// dialect.
enum class DiagonalAlignment { TopLeft, BottomRight };

/// A scale by which the stored elements of an array are multiplied.
struct OperandScale {
  /// The scales as an array of rank 4: batch entries or pages, heads, blocks of
  /// rows, and columns. A stride of 0 means that the scale is the same along
  /// that dimension.
  ArrayView array;
  /// The number of rows that share a scale (a block), and how many rows of the
  /// first block come before the operand's row 0.
  int64_t block = 1, first = 0;

  double load(int64_t batch, int64_t head, int64_t row, int64_t column) const {
    return array.load({batch, head, (first + row) / block, column});
  }
  bool isOfRows() const { return array.strides[2] != 0; }
};

/// The operands and attributes of one attention op. The sizes of operands must
/// agree; buildProblem() checks that.
struct AttentionProblem {
  /// The input arrays, of sizes B x Hq x Sq x D, B x Hkv x Skv x D and B x Hkv
  /// x Skv x Dv.
  ArrayView query, key, value;
  double scale = 1;

  /// Whether the op has a mask attribute. If not, the next four members are
  /// ignored.
  bool hasMask = false;
  DiagonalAlignment alignment = DiagonalAlignment::TopLeft;
  bool causal = false;
  /// The inclusive bounds of the window.
  std::optional<int64_t> left, right;

  /// Numbers that are added to b, h, i and j before the score region and masks
  /// use them.
  std::array<int64_t, 4> origin = {0, 0, 0, 0};
  /// The numbers of rows and keys in the problem that the op is a part of: rows
  /// and keys from these positions on, counted with the origin, are masked.
  int64_t lengthQuery = 0, lengthKv = 0;
  /// If set, arrays with the lengths of each batch entry, which replace
  /// `lengthQuery` and `lengthKv` and are clamped to [0, Sq] and [0, Skv].
  std::optional<ArrayView> lengthsQuery, lengthsKv;
  /// The cumulative lengths of packed sequences, if there are any; B is then 1.
  std::optional<ArrayView> cumulativeQuery, cumulativeKv;
  /// The page table, of sizes B x the largest number of pages of an entry. The
  /// key is then Pages x Hkv x P x D and the value Pages x Hkv x P x Dv.
  std::optional<ArrayView> pages;

  /// The scales of the inputs' stored elements; an array without one has the
  /// scale 1.
  std::optional<OperandScale> queryScale, keyScale, valueScale;
  /// The mean of each head's and channel's values, which is added to the values
  /// times their scales.
  std::optional<OperandScale> valueMean;
  /// The scale by which the output is divided before it is stored.
  std::optional<OperandScale> outputScale;

  /// If the problem is a part with one batch entry: for each key, whether its
  /// page is out of range.
  std::vector<bool> absentKeys;

  /// A logit for each query head, which is only added to the softmax's sum.
  std::optional<ArrayView> sink;

  /// A pair is dropped if its 16 random bits are below this number; 0 for no
  /// dropout.
  int64_t dropoutThreshold = 0;
  uint64_t seed = 0, offset = 0;
  /// The number of query heads of the whole problem, on which the random bits
  /// depend.
  int64_t dropoutHeads = 0;

  /// The score region and the mask region as programs, or null.
  const ScoreProgram *score = nullptr;
  const ScoreProgram *mask = nullptr;

  /// The type to which the op's products round probabilities and gradients of
  /// scores.
  DType inputType = DType::F32;
  /// Whether probabilities are rounded to f8E4M3FN, scaled such that the
  /// largest is 2^8.
  bool hasNarrowProbabilities = false;
  DType outputType = DType::F32;

  /// Whether the problem has lengths, packed sequences or pages. It is then
  /// evaluated as one part for each batch entry or sequence.
  bool hasParts() const {
    return lengthsQuery || lengthsKv || cumulativeQuery || pages;
  }
};

struct AttentionResult {
  /// The output, B x Hq x Sq x Dv, and the lse, B x Hq x Sq, in row-major
  /// order. Outputs saturate as stored values do: with 8 bits at the type's
  /// largest number.
  std::vector<double> output, lse;
};

/// Evaluates `problem`. Masked keys are not read, and a key whose score is -inf
/// does not contribute to its row, even if its value is NaN. A sink is part of
/// a row's sum, and dropout is applied after the sum.
///
/// Double is the definition. Single computes scores, probabilities and sums in
/// f32. Low also rounds the unnormalised probabilities exp(score - max) to the
/// input type, except in their sum, and the output to the output type, unless
/// that has 8 bits.
AttentionResult evaluate(const AttentionProblem &problem, Precision precision);

} // namespace mlir::attn

#endif // ATTN_ORACLE_ORACLE_H
