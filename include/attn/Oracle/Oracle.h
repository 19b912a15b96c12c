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

#include "attn/Dialect/Attn/IR/ExtraTable.h"
#include "attn/Oracle/ScoreEvaluator.h"
#include "attn/Support/ArrayView.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace mlir::attn {

/// The corner of the score matrix at which the diagonal of a mask begins. The
/// enum repeats the dialect's Alignment, since the oracle does not depend on
/// the dialect.
enum class DiagonalAlignment { TopLeft, BottomRight };

/// Scales by which the stored elements of an array are multiplied, or other
/// numbers that belong to its elements.
struct OperandScale {
  /// The scales as an array of rank 4. Its dimensions are batch entries or
  /// pages, heads, blocks of rows, and columns. A stride of 0 means that all
  /// elements along that dimension have the same scale.
  ArrayView array;
  /// `block` is the number of rows that share a scale. `first` is the number of
  /// rows in the first block that come before row 0 of the operand.
  int64_t block = 1, first = 0;
  /// Whether the heads and rows are those of keys (or values).
  bool isOfKeys = false;

  double load(int64_t batch, int64_t head, int64_t row, int64_t column) const {
    return array.load({batch, head, (first + row) / block, column});
  }
  bool isOfRows() const { return array.strides[2] != 0; }
  bool isOfColumns() const { return array.strides[3] != 0; }
};

/// The operands and attributes of one attention op. The sizes of operands must
/// agree, which buildProblem() checks.
struct AttentionProblem {
  /// The input arrays. Their sizes are B x Hq x Sq x D for the query, B x Hkv x
  /// Skv x D for the key, and B x Hkv x Skv x Dv for the value.
  ArrayView query, key, value;
  double scale = 1;

  /// Whether the op has a mask attribute. If it does not, `alignment`,
  /// `causal`, `left` and `right` are ignored.
  bool hasMask = false;
  DiagonalAlignment alignment = DiagonalAlignment::TopLeft;
  bool causal = false;
  /// The bounds of the window, both inclusive.
  std::optional<int64_t> left, right;

  /// The origin of the op: numbers that are added to b, h, i and j before the
  /// score region and the masks use these.
  std::array<int64_t, 4> origin = {0, 0, 0, 0};
  /// The numbers of rows and keys of the whole problem, of which the op may be
  /// a part. Positions are counted with the origin; rows and keys at positions
  /// from these numbers on are masked.
  int64_t lengthQuery = 0, lengthKv = 0;
  /// Arrays with the length of each batch entry, in rows and in keys. If they
  /// are set, they replace `lengthQuery` and `lengthKv`, and are clamped to [0,
  /// Sq] and [0, Skv].
  std::optional<ArrayView> lengthsQuery, lengthsKv;
  /// The cumulative lengths of packed sequences. If they are set, B is 1.
  std::optional<ArrayView> cumulativeQuery, cumulativeKv;
  /// The page table, with a row for each batch entry and as many columns as an
  /// entry may have pages. If it is set, the key has the sizes Pages x Hkv x P
  /// x D, and the value Pages x Hkv x P x Dv.
  std::optional<ArrayView> pages;

  /// The op's extra operands, in the order of the table in ExtraTable.h. Those
  /// that the op lacks are unset, as are further columns, which are columns of
  /// query and key here.
  std::array<std::optional<OperandScale>, kNumExtras> extras;

  std::optional<OperandScale> &getExtra(Extra which) {
    return extras[static_cast<unsigned>(which)];
  }
  const std::optional<OperandScale> &getExtra(Extra which) const {
    return extras[static_cast<unsigned>(which)];
  }

  /// For each key of a paged cache, whether the table's entry for the key's
  /// page is not the index of a page of the pool. It is only set if this
  /// problem is one batch entry that splitIntoParts() cut out of a larger one.
  std::vector<bool> absentKeys;

  /// The sink: a logit for each query head. It is added to the softmax's sum
  /// and has no value.
  std::optional<ArrayView> sink;

  /// The threshold of dropout, or 0 without dropout. A pair is dropped if its
  /// 16 random bits, as an unsigned number, are below the threshold.
  int64_t dropoutThreshold = 0;
  uint64_t seed = 0, offset = 0;
  /// The number of query heads of the whole problem. The random bits of dropout
  /// depend on it.
  int64_t dropoutHeads = 0;

  /// The score region and the mask region, translated to programs. Null for a
  /// region that the op does not have.
  const ScoreProgram *score = nullptr;
  const ScoreProgram *mask = nullptr;

  /// The type of the operands of matrix products, to which probabilities and
  /// gradients of scores are rounded.
  DType inputType = DType::F32;
  /// Whether probabilities are rounded to f8E4M3FN, after they were scaled such
  /// that the largest is 2^8.
  bool hasNarrowProbabilities = false;
  DType outputType = DType::F32;

  /// Whether the problem has lengths, packed sequences or pages. Such a problem
  /// is evaluated in parts, one for each batch entry or sequence.
  bool hasParts() const {
    return lengthsQuery || lengthsKv || cumulativeQuery || pages;
  }
};

struct AttentionResult {
  /// The output, of sizes B x Hq x Sq x Dv, and the lse, of sizes B x Hq x Sq,
  /// both in row-major order. Outputs saturate as stored values do: those of
  /// 8-bit types at the type's largest number.
  std::vector<double> output, lse;
};

/// Evaluates `problem`. Masked keys are not read, and a key whose score is -inf
/// does not contribute to its row, even if its value is NaN. A sink is part of
/// a row's sum. Dropout is applied after the sum.
///
/// The precision Double is the definition. Single computes scores,
/// probabilities and sums in f32. Low is Single with two more roundings: the
/// unnormalised probabilities exp(score - max) are rounded to the input type,
/// except in their sum, and the output is rounded to the output type, unless
/// that has 8 bits.
AttentionResult evaluate(const AttentionProblem &problem, Precision precision);

} // namespace mlir::attn

#endif // ATTN_ORACLE_ORACLE_H
