//===- Sequences.h - Lengths, packed sequences and pages --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arrays of lengths of batch entries, cumulative lengths of packed
// sequences and tables of pages: draws random ones, checks given ones, and
// finds which rows of other arrays they leave unread.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DRIVER_SEQUENCES_H
#define ATTN_LIB_DRIVER_SEQUENCES_H

#include "attn/Driver/ArgumentSpec.h"
#include "attn/Driver/EntryPoint.h"
#include "attn/Support/ArrayView.h"
#include "attn/Support/Dice.h"

#include "llvm/Support/Error.h"

#include <optional>
#include <vector>

namespace mlir::attn {

struct ExecutionOptions;

/// Returns, for each parameter of the entry function, the argument that the
/// user gave, or null for outputs.
SmallVector<const ArgumentSpec *> getSpecs(const EntryPoint &entry,
                                           const ExecutionOptions &options);

/// The i32 arrays of an attention op (lengths, cumulative lengths and page
/// table), with the sizes of the op's query and key.
class Sequences {
public:
  /// Whether the op has arrays of lengths, cumulative lengths or pages, and all
  /// of these, the query and the key are parameters of the entry function.
  static bool areParameters(const AttentionBinding &binding);
  /// Returns the op's arrays of lengths, cumulative lengths and pages, which
  /// `getArray` returns by the parameter's number. Returns std::nullopt if
  /// areParameters() is false, or if the arrays' sizes do not fit together,
  /// which the program reports when it is launched.
  static std::optional<Sequences>
  find(const AttentionBinding &binding,
       llvm::function_ref<const ArrayView &(unsigned)> getArray);

  /// Fills the array `which` with random numbers. Lengths are 0, 1, about a
  /// page, the largest one, or any. Pages are shuffled, and some are shared by
  /// two batch entries; entries of the page table after the last key are
  /// invalid. Lengths must be drawn before pages.
  void draw(SequenceArray which, const SequenceArgument &argument);

  /// Fails with an error about the first number in these arrays that kernels
  /// read and that is out of range.
  llvm::Error check() const;

  struct UsedRows {
    /// For each batch entry and row of the query: `row` says whether the row
    /// exists, and `query` whether its batch entry or sequence also has keys.
    std::vector<bool> row, query;
    /// For each batch entry (or page of the pool) and each row of the key in
    /// it: whether the key exists, and its batch entry or sequence also has
    /// rows of the query.
    std::vector<bool> key;
  };
  UsedRows findUsed() const;

private:
  /// Whether the sizes of the arrays fit those of query and key. With
  /// cumulative lengths, both arrays of these must have the same size, and the
  /// batch size must be 1. Otherwise, each array must have an entry (or row)
  /// for each batch entry of the query, and without pages the key must have the
  /// same batch size.
  bool fitTogether() const;
  bool has(SequenceArray which) const { return get(which).has_value(); }
  const std::optional<ArrayView> &get(SequenceArray which) const {
    return arrays[static_cast<unsigned>(which)];
  }
  bool isPaged() const { return has(SequenceArray::PageTable); }
  /// Returns the largest number of rows (or, with `ofKeys`, of keys) that a
  /// batch entry, or all packed sequences together, can have.
  int64_t getRoom(bool ofKeys) const;
  /// Returns the number of rows (or, with `ofKeys`, of keys) of a batch entry.
  /// The length in the array of lengths is clamped to the size of query or key,
  /// as kernels clamp it; without such an array, it is that size.
  int64_t getLength(bool ofKeys, int64_t entry) const;
  int64_t countColumns(int64_t entry) const;
  /// Returns the first row (or, with `ofKeys`, the first key) of each packed
  /// sequence, and the end of the last one. These are the running maxima of the
  /// cumulative lengths, clamped to the size of query or key.
  std::vector<int64_t> getStarts(bool ofKeys) const;

  void drawLengths(Dice &dice, bool ofKeys, bool mayBeWrong);
  void drawCumulative(Dice &dice, bool ofKeys, bool mayBeWrong);
  void drawPages(Dice &dice, bool mayBeWrong);
  llvm::Error checkLengths(bool ofKeys) const;
  llvm::Error checkCumulative(bool ofKeys) const;
  llvm::Error checkPages() const;

  std::array<std::optional<ArrayView>, kNumSequenceArrays> arrays;
  SmallVector<int64_t> query, key;
};

} // namespace mlir::attn

#endif // ATTN_LIB_DRIVER_SEQUENCES_H
