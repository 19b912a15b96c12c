//===- TableRows.h - Rows of the table of schedules -------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_SCHEDULE_TABLEROWS_H
#define ATTN_LIB_DIALECT_ATTNGPU_SCHEDULE_TABLEROWS_H

#include "attn/Dialect/Attn/IR/AttnInterfaces.h"
#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Dialect/AttnGPU/Schedule/Table.h"

namespace mlir::attn_gpu {

/// The properties of an op and a chip that decide which rows of the table
/// apply.
struct Problem {
  Problem(attn::AttentionInterface op, const attn::Chip &chip);

  /// The larger one of the head dims of keys and values, and that of values.
  int64_t headDim, valueHeadDim;
  int64_t numRows, numKeys;
  /// The number of keys in a page, or kDynamic if keys are not in pages or the
  /// size of pages is dynamic.
  int64_t page;
  bool isPaged;
  /// Whether keys are in pages and no tile of at most 64 keys consists of whole
  /// pages or of a part of one, so that keys are gathered one by one.
  bool isGathered;
  /// Whether values lie along keys, so that a tile of several pages gathers
  /// them.
  bool isValueAlongKeys;
  /// Whether values are columns of the keys. A tile of keys is then held until
  /// the products with both have read it.
  bool isWithinKey;
  /// Whether keys have 8 bits or fewer, which are extended for products.
  bool isExtended = false;
  bool isF32, hasScore, hasMaskRegion, hasDropout, isCausal, isRagged;
  /// Whether TMA copies tiles of a captured array.
  bool hasPairs;
  /// Whether scores or the output are products of 8 bits, and whether the
  /// output is one whose sums are kept exact (no fast accumulation).
  bool isNarrow = false, isExact = false;
  /// Whether each token, or each block of them, has scales of keys or values.
  bool hasTokenScales = false;
  /// Whether probabilities are rounded to e4m3.
  bool hasNarrowProbabilities = false;
  /// Whether all arrays of keys and values have 8 bits or fewer and suit a
  /// converter (head dims up to 256, values apart from keys, no small pages),
  /// which extends or transposes their tiles in programs that divide the keys
  /// of few rows.
  bool hasNarrowCache = false;
  /// Whether there are so few rows that keys are divided.
  bool splitsKeys;
  /// Whether several programs may add to d_query in memory.
  bool mayAdd;
  /// Whether threads copy elements, which takes registers.
  bool isByElement = false;
  /// Whether tiles of many rows would leave SMs without work; a dynamic
  /// scheduler shares them out better.
  bool hasFewRows;
  int chipNumber;
};

/// A row of the table: where it applies, what it sets, and why.
template <typename T> struct Row {
  bool (*applies)(const Problem &);
  T value;
  StringLiteral reason;
};

/// The first row that applies.
template <typename T>
const Row<T> &find(ArrayRef<Row<T>> rows, const Problem &problem) {
  return *llvm::find_if(
      rows, [&](const Row<T> &row) { return row.applies(problem); });
}

/// Returns the plan of the first row that applies and fits the op and the chip.
/// Rows that do not fit are passed over; if no row is left, the error says why
/// the last of them does not fit.
template <typename T>
llvm::Expected<Plan>
findFitting(ArrayRef<Row<T>> rows, const Problem &problem,
            attn::AttentionInterface op, const attn::Chip &chip,
            llvm::function_ref<Plan(const Row<T> &)> makePlan) {
  std::string misfit;
  for (const Row<T> &row : rows) {
    if (!row.applies(problem))
      continue;
    Plan plan = makePlan(row);
    misfit = findMisfit(op, plan.schedule, chip);
    if (misfit.empty())
      return plan;
  }
  return llvm::createStringError(misfit);
}

inline bool always(const Problem &) { return true; }
inline bool isOfF32(const Problem &p) { return p.isF32; }

template <int64_t n> inline bool isWiderThan(const Problem &p) {
  return p.headDim > n;
}

/// Returns the keys of a step: `tileKv` or, for keys in pages, the largest
/// number up to it of which a tile is whole pages or a part of one. If there is
/// none, keys are gathered, and a step has at least 8 keys for each of the
/// `copying` warps.
int64_t fitPages(int64_t tileKv, int64_t copying, const Problem &problem);

/// The table of gradients.
llvm::Expected<Plan> chooseBackward(attn::AttentionInterface op,
                                    const attn::Chip &chip, CopyKind copy);
void addBackwardReasons(SmallVectorImpl<StringRef> &reasons);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_SCHEDULE_TABLEROWS_H
