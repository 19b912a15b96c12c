//===- Oracle.h - Plain evaluation of attention -----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attention by its definition, with whole rows of scores and no recurrence.
// Results of compiled kernels are compared with it.
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

/// The corner where the diagonal of the score matrix starts. This repeats the
/// dialect's Alignment, since the oracle does not depend on the dialect.
enum class DiagonalAlignment { TopLeft, BottomRight };

/// A scale that the stored elements of an array are multiplied by.
struct OperandScale {
  /// The scales in rank 4: batch entries or pages, heads, blocks of rows, and
  /// columns. A stride of 0 means that the scale is the same along that
  /// dimension.
  ArrayView array;
  /// The number of rows of a block, and of rows of the first block that come
  /// before the operand's row 0.
  int64_t block = 1, first = 0;

  double load(int64_t batch, int64_t head, int64_t row, int64_t column) const {
    return array.load({batch, head, (first + row) / block, column});
  }
  bool isOfRows() const { return array.strides[2] != 0; }
};

/// One attention op with its arrays and numbers. The sizes of the operands must
/// fit each other, which `buildProblem` checks.
struct AttentionProblem {
  /// The arrays, of sizes B x Hq x Sq x D, B x Hkv x Skv x D and B x Hkv x Skv
  /// x Dv.
  ArrayView query, key, value;
  double scale = 1;

  /// Whether there is a mask attribute. If not, the next four members are
  /// ignored.
  bool hasMask = false;
  DiagonalAlignment alignment = DiagonalAlignment::TopLeft;
  bool causal = false;
  /// The inclusive bounds of the window.
  std::optional<int64_t> left, right;

  /// Offsets that are added to b, h, i, j before score region and masks use
  /// them.
  std::array<int64_t, 4> origin = {0, 0, 0, 0};
  /// Rows and keys from these positions on, counted with the origin, are
  /// masked.
  int64_t lengthQuery = 0, lengthKv = 0;
  /// If set, the lengths of each batch entry instead, clamped to [0, size].
  std::optional<ArrayView> lengthsQuery, lengthsKv;
  /// The boundaries of packed sequences, if there are any; B is then 1.
  std::optional<ArrayView> cumulativeQuery, cumulativeKv;
  /// The page table, of sizes B x the largest number of pages of an entry. The
  /// key is then Pages x Hkv x P x D and the value Pages x Hkv x P x Dv.
  std::optional<ArrayView> pages;

  /// The scales of the stored elements; without one, the scale is 1.
  std::optional<OperandScale> queryScale, keyScale, valueScale;
  /// The scale by which the output is divided before it is stored.
  std::optional<OperandScale> outputScale;

  /// In a part with one batch entry, the keys whose page is out of range.
  std::vector<bool> absentKeys;

  /// A logit for each query head, which is only added to the softmax's sum.
  std::optional<ArrayView> sink;

  /// A pair is dropped if its 16 random bits are below this; 0 for no dropout.
  int64_t dropoutThreshold = 0;
  uint64_t seed = 0, offset = 0;
  /// The number of query heads of the whole problem, which the random bits
  /// depend on.
  int64_t dropoutHeads = 0;

  /// The score region and the mask region, or null.
  const ScoreProgram *score = nullptr;
  const ScoreProgram *mask = nullptr;

  /// The type to which the op rounds probabilities and gradients of scores.
  DType inputType = DType::F32;
  /// Whether probabilities are rounded to f8E4M3FN, the largest 2^8.
  bool hasNarrowProbabilities = false;
  DType outputType = DType::F32;

  /// Whether the problem has lengths, packed sequences or pages. It is then
  /// evaluated as one part for each batch entry or sequence.
  bool hasParts() const {
    return lengthsQuery || lengthsKv || cumulativeQuery || pages;
  }
};

struct AttentionResult {
  /// B x Hq x Sq x Dv and B x Hq x Sq, in row-major order. Outputs are what is
  /// stored: in 8 bits no more than the largest number.
  std::vector<double> output, lse;
};

/// Evaluates `problem`. Masked keys are not read, and a key whose score is -inf
/// has no part in its row, even if its value is NaN. A sink is part of a row's
/// sum, and dropout is applied after the sum.
///
/// Double is the definition. Single has f32 scores, probabilities and sums. Low
/// has besides its unnormalised probabilities exp(score - max) rounded to the
/// input type, except in their sum, and the output rounded to the output type,
/// if that has not 8 bits.
AttentionResult evaluate(const AttentionProblem &problem, Precision precision);

} // namespace mlir::attn

#endif // ATTN_ORACLE_ORACLE_H
