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

/// The number of keys of a step of kernels with one warp, which extends keys
/// and values to registers.
inline constexpr int64_t kKeysOfWarp = 32;

/// The properties of an op and a chip that decide which rows of the table of
/// schedules apply.
struct Problem {
  Problem(attn::AttentionInterface op, const attn::Chip &chip,
          CopyKind copy = CopyKind::Tma);

  /// headDim is the larger one of the head dims of keys and values, and
  /// valueHeadDim is that of values.
  int64_t headDim, valueHeadDim;
  int64_t numRows, numKeys;
  /// The least number of rows of all query heads that share keys: each number
  /// that the types leave open counts as 1.
  int64_t fewestRows;
  /// The number of keys in a page, or kDynamic if keys are not in pages or the
  /// size of pages is dynamic.
  int64_t page;
  bool isPaged;
  /// Whether the table of pages is a list of rows for the kernel's copies,
  /// which are not by TMA (see attn::hasRowList()).
  bool isListed;
  /// Whether keys are in pages that are no list of rows, and no tile of at most
  /// 64 keys consists of whole pages or of a part of one page. Threads then
  /// gather keys one by one.
  bool isGathered;
  /// Whether the values' contiguous dimension is keys. A tile of values from
  /// several pages is then gathered.
  bool isValueAlongKeys;
  /// Whether values are columns of the keys. A tile of keys then stays in its
  /// slot until the products for scores and for the output have read it.
  bool isWithinKey;
  /// Whether keys have elements of 8 bits or fewer that are extended to 16 bits
  /// for products.
  bool isExtended = false;
  bool isF32, hasScore, hasMaskRegion, hasDropout, isCausal, isRagged;
  /// Whether the score region reads a captured array of which TMA can copy
  /// tiles.
  bool hasPairs;
  /// isNarrow says whether the table's tiles for 8-bit MMAs are tried, since
  /// such MMAs compute the scores or the output. isExact says whether they
  /// compute the output with exact sums (without `fast_accumulate`).
  bool isNarrow = false, isExact = false;
  /// Whether keys or values have a scale for each token or each block of
  /// tokens.
  bool hasTokenScales = false;
  /// Whether probabilities are rounded to 8 bits (e4m3), so that an 8-bit MMA
  /// can multiply them with values.
  bool hasNarrowProbabilities = false;
  /// Whether a kernel without the table's tiles for 8-bit MMAs can use a
  /// converter, which extends or transposes tiles of keys and values. All
  /// arrays of keys and values must have elements of 8 bits or fewer, head dims
  /// must be at most 256, values must not be columns of the keys, and pages
  /// must have at least 64 keys.
  bool hasNarrowCache = false;
  /// Whether one warp with mma.sync can extend keys and values of 8 bits or
  /// fewer to the registers of its MMAs, beside a query of 16 bits: the rows of
  /// a group fit one MMA, lanes divide the columns of keys and values, and
  /// kKeysOfWarp keys are whole pages, a part of one, or rows of a list.
  bool isExtendedInRegisters = false;
  /// Whether keys or values are integers, of 8 bits or 4.
  bool hasIntegers = false;
  /// Whether there are so few query rows that their keys are divided among
  /// several programs (split-KV).
  bool splitsKeys;
  /// Whether several programs may add to d_query in memory.
  bool mayAdd;
  /// Whether threads copy single elements to shared memory, which takes more
  /// registers than other copies.
  bool isByElement = false;
  /// Whether tiles of many rows would leave SMs without work, since there are
  /// too few rows. The limit is lower for causal masks: their tiles get a
  /// dynamic scheduler, which shares them out better.
  bool hasFewRows;
  int chipNumber;
};

/// A row of a table of schedules: the condition under which it applies, the
/// value that it sets, and the reason, for people to read.
template <typename T> struct Row {
  bool (*applies)(const Problem &);
  T value;
  StringLiteral reason;
};

/// Adds the reasons of all rows of a table.
template <typename T, size_t n>
void addReasonsOf(const Row<T> (&rows)[n],
                  SmallVectorImpl<StringRef> &reasons) {
  for (const Row<T> &row : rows)
    reasons.push_back(row.reason);
}

/// Returns the first row of a table that applies to the problem. There must be
/// one.
template <typename T>
const Row<T> &find(ArrayRef<Row<T>> rows, const Problem &problem) {
  return *llvm::find_if(
      rows, [&](const Row<T> &row) { return row.applies(problem); });
}

/// Returns the plan of the first row that applies to the problem and whose
/// schedule fits the op and the chip. If there is none, the error says why the
/// schedule of the last row that applies does not fit.
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

/// Returns the number of keys of a step. It is `tileKv` unless keys are in
/// pages. A tile of pages consists of whole pages or of a part of one page, so
/// the number is then the largest one up to `tileKv` that allows this; for
/// values along keys, a part of one page is preferred. If no number allows it,
/// keys are gathered, and a step has at least 8 keys for each of the `copying`
/// warps.
int64_t fitPages(int64_t tileKv, int64_t copying, const Problem &problem);

/// The tiles of forward kernels with wgmma. `warps` is the number of computing
/// warps, `tileKv` the number of keys of a step, and `stages` the number of
/// steps whose tiles shared memory holds. `copies` is the number of warpgroups
/// that share 64 rows: each of them computes all of the scores, and its own
/// columns of the output.
struct WgmmaTiles {
  int64_t warps, tileKv, stages;
  int64_t copies = 1;
  bool overlap = true;
};

/// Whether values have more than 256 columns, so that a warpgroup's registers
/// do not hold the output of its 64 rows.
inline bool hasWideValues(const Problem &p) { return p.valueHeadDim > 256; }

inline constexpr StringLiteral kSplitReason =
    "split keys: at most 16 rows, which share keys with those of other heads";

/// Whether MMAs of consecutive iterations may overlap: the row of the table
/// allows it, shared memory holds several steps, and values are not columns of
/// the keys. If they are, scores and output both read the keys' tile, so
/// overlap would hold two tiles at a time, and with two slots none would be
/// free for the next copy.
inline bool mayOverlap(const WgmmaTiles &tiles, const Problem &problem) {
  return tiles.overlap && tiles.stages > 1 && !problem.isWithinKey;
}

/// Returns the schedule of a forward kernel with wgmma that has the tiles.
ScheduleAttr getWgmmaSchedule(const WgmmaTiles &tiles, const Problem &problem,
                              CopyKind copy, bool overlap, bool pingPong,
                              RolesAttr roles, SchedulerKind scheduler,
                              bool splitKv);

/// Chooses the schedule of a forward op with few rows, whose keys are divided
/// among programs, for wgmma.
llvm::Expected<Plan> chooseSplitWgmma(attn::AttentionInterface op,
                                      const attn::Chip &chip, CopyKind copy);
void addSplitReasons(SmallVectorImpl<StringRef> &reasons);

/// Chooses the schedule of a backward op from the tables of gradients.
llvm::Expected<Plan> chooseBackward(attn::AttentionInterface op,
                                    const attn::Chip &chip, CopyKind copy);
void addBackwardReasons(SmallVectorImpl<StringRef> &reasons);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_SCHEDULE_TABLEROWS_H
