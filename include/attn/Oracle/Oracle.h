//===- Oracle.h - Plain evaluation of attention -----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attention by its definition: whole rows of scores, no recurrence. Compiled
// kernels are compared with it.
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

/// Where the diagonal of the score matrix starts. The same as the dialect's
/// Alignment, on which the oracle does not depend.
enum class DiagonalAlignment { TopLeft, BottomRight };

/// What the stored elements of an array are multiplied with.
struct OperandScale {
  /// Of rank 4: batch entries or pages, heads, blocks of rows, and columns. A
  /// stride of 0 is of a dimension that the scale is the same for.
  ArrayView array;
  /// Rows of a block, and how many of the first block's are before row 0.
  int64_t block = 1, first = 0;

  double load(int64_t batch, int64_t head, int64_t row, int64_t column) const {
    return array.load({batch, head, (first + row) / block, column});
  }
  bool isOfRows() const { return array.strides[2] != 0; }
};

/// One attention op with all that it needs at run time. The sizes of the
/// operands must fit each other; `buildProblem` checks that.
struct AttentionProblem {
  /// B x Hq x Sq x D, B x Hkv x Skv x D and B x Hkv x Skv x Dv.
  ArrayView query, key, value;
  double scale = 1;

  /// Without a mask, the next four members are ignored.
  bool hasMask = false;
  DiagonalAlignment alignment = DiagonalAlignment::TopLeft;
  bool causal = false;
  /// The inclusive bounds of the window.
  std::optional<int64_t> left, right;

  /// What is added to b, h, i, j before the score and the masks see them.
  std::array<int64_t, 4> origin = {0, 0, 0, 0};
  /// Rows and keys at or past these, counted from the origin, are masked.
  int64_t lengthQuery = 0, lengthKv = 0;
  /// Instead of those, one for each batch entry, clamped to 0 and the size.
  std::optional<ArrayView> lengthsQuery, lengthsKv;
  /// Where packed sequences begin and end; B is 1.
  std::optional<ArrayView> cumulativeQuery, cumulativeKv;
  /// B x the most pages of an entry. The key is then Pages x Hkv x P x D and
  /// the value Pages x Hkv x P x Dv.
  std::optional<ArrayView> pages;

  /// Of what is stored; without one it is 1.
  std::optional<OperandScale> queryScale, keyScale, valueScale;
  /// What is stored of the output is divided by it.
  std::optional<OperandScale> outputScale;

  /// Keys whose page is not there, of the one batch entry of a part.
  std::vector<bool> absentKeys;

  /// A logit for each query head, in the sum alone.
  std::optional<ArrayView> sink;

  /// Of 65536 values of a pair's random bits, those that leave it out; 0 is no
  /// dropout.
  int64_t dropoutThreshold = 0;
  uint64_t seed = 0, offset = 0;
  /// Query heads of the whole problem, as dropout counts them.
  int64_t dropoutHeads = 0;

  /// The score region and the mask region, or null.
  const ScoreProgram *score = nullptr;
  const ScoreProgram *mask = nullptr;

  /// What probabilities and gradients of scores are rounded to.
  DType inputType = DType::F32;
  /// Whether probabilities are rounded to f8E4M3FN, the largest 2^8.
  bool hasNarrowProbabilities = false;
  DType outputType = DType::F32;

  /// Whether batch entries or sequences differ in more than their elements.
  bool hasParts() const {
    return lengthsQuery || lengthsKv || cumulativeQuery || pages;
  }
};

struct AttentionResult {
  /// B x Hq x Sq x Dv and B x Hq x Sq, in row-major order. Outputs are what is
  /// stored: in 8 bits no more than the largest number.
  std::vector<double> output, lse;
};

/// Evaluates `problem`. Keys that are masked are not read at all; a key whose
/// score is -inf has no part in its row, whatever its value holds. A sink is
/// part of a row's sum, and dropout leaves probabilities out behind it.
///
/// Double is the definition. Single has f32 scores, probabilities and sums. Low
/// has besides its unnormalised probabilities exp(score - max) rounded to the
/// input type, except in their sum, and the output rounded to the output type,
/// if that has not 8 bits.
AttentionResult evaluate(const AttentionProblem &problem, Precision precision);

} // namespace mlir::attn

#endif // ATTN_ORACLE_ORACLE_H
