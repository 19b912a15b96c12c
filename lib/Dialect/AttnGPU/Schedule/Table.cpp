//===- Table.cpp - Schedules that were found to be fast -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Schedule/Table.h"
#include "attn/Dialect/Attn/IR/ExtraOperands.h"
#include "attn/Dialect/Attn/IR/NarrowProducts.h"
#include "attn/Dialect/Attn/IR/Pages.h"
#include "attn/Dialect/Attn/IR/ValueOrder.h"
#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Support/ElementDType.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using attn::AttentionInterface;
using attn::Chip;

namespace {

/// The properties of an op and a chip that decide which rows of the table
/// apply.
struct Problem {
  Problem(AttentionInterface op, const Chip &chip);

  /// The head dim of keys or values, the larger one, and that of values.
  int64_t headDim, valueHeadDim;
  int64_t numRows, numKeys;
  /// Keys of a page, if they are in pages of a static size.
  int64_t page;
  bool isPaged;
  /// Whether no tile of keys consists of whole pages or of a part of one, so
  /// that keys are gathered.
  bool isGathered;
  /// Whether values are columns of the keys. A tile of keys is then held until
  /// the products with both have read it.
  bool isWithinKey;
  bool isF32, hasScore, hasMaskRegion, hasDropout, isCausal, isRagged;
  /// Whether TMA copies tiles of a captured array.
  bool hasPairs;
  /// Whether scores or the output are products of 8 bits, and whether sums of
  /// the output's are kept exact.
  bool isNarrow = false, isExact = false;
  /// Whether probabilities are rounded to e4m3.
  bool hasNarrowProbabilities = false;
  /// Whether a converter is to transform tiles of keys and values of few rows'
  /// programs.
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

/// Warps that compute, keys of a step, and steps that shared memory holds.
/// `copies` warpgroups share 64 rows: each computes all of the scores, and its
/// columns of the output.
struct WgmmaTiles {
  int64_t warps, tileKv, stages;
  int64_t copies = 1;
};

} // namespace

/// The largest number of keys, up to `tileKv`, that several whole pages or a
/// part of a page have, or 0.
static int64_t findPagedTile(int64_t page, int64_t tileKv) {
  for (int64_t keys = tileKv; keys >= 16; keys -= 16)
    if (attn::getPagesOfTile(page, keys) > 0)
      return keys;
  return 0;
}

static bool always(const Problem &) { return true; }
static bool isOfF32(const Problem &p) { return p.isF32; }

template <int64_t n> static bool isWiderThan(const Problem &p) {
  return p.headDim > n;
}

/// Whether values are so wide that a warpgroup's registers do not hold the
/// output of its rows.
static bool hasWideValues(const Problem &p) { return p.valueHeadDim > 256; }

//===----------------------------------------------------------------------===//
// wgmma: after measurements on an H200 (docs/lab/index.md)
//===----------------------------------------------------------------------===//

/// Each warpgroup has 64 rows, and a thread half a row of the output and of the
/// scores for each of its two rows. More warpgroups, with fewer registers each,
/// are better at head dim 64, where a step is short and its latency matters,
/// and with a score region if tiles are of one length. A mask region, and tiles
/// of an array of pairs, take registers that they would lack; random numbers
/// take still more.
static const Row<WgmmaTiles> kWgmmaTiles[] = {
    {[](const Problem &p) { return hasWideValues(p) && p.isGathered; },
     {8, 64, 1, 2},
     "tiles: keys that are gathered from pages, head dims above 256"},
    {[](const Problem &p) { return hasWideValues(p) && !p.isGathered; },
     {8, 64, 2, 2},
     "tiles: head dims above 256, two warpgroups share rows"},
    {[](const Problem &p) { return hasWideValues(p) && !p.isGathered; },
     {8, 48, 2, 2},
     "tiles: head dims above 256, 48 keys a step, two warpgroups share rows"},
    {[](const Problem &p) { return hasWideValues(p) && !p.isGathered; },
     {8, 32, 2, 2},
     "tiles: head dims above 256, 32 keys a step, two warpgroups share rows"},
    {[](const Problem &p) { return p.headDim > 256 && !p.isGathered; },
     {4, 64, 2},
     "tiles: head dims of keys above 256"},
    {[](const Problem &p) { return p.headDim > 256 && !p.isGathered; },
     {4, 48, 2},
     "tiles: head dims of keys above 256, 48 keys a step"},
    {isWiderThan<256>,
     {4, 32, 2},
     "tiles: head dims of keys above 256, 32 keys a step"},
    // At 64 keys, eight warps can divide a tile in registers for each head dim.
    {[](const Problem &p) { return p.isGathered; },
     {8, 64, 2},
     "tiles: keys that are gathered from pages"},
    {isWiderThan<192>, {8, 64, 2}, "tiles: head dims above 192"},
    {isWiderThan<128>, {8, 96, 2}, "tiles: head dims from 129 to 192"},
    {[](const Problem &p) { return p.headDim > 64 && p.hasDropout; },
     {8, 64, 3},
     "tiles: head dims from 65 to 128, dropout"},
    {[](const Problem &p) {
       return p.headDim > 64 && p.hasScore && !p.hasMaskRegion && !p.hasPairs &&
              !p.isCausal && !p.hasFewRows;
     },
     {12, 80, 2},
     "tiles: head dims from 65 to 128, a score region"},
    {isWiderThan<64>, {8, 128, 2}, "tiles: head dims from 65 to 128"},
    {[](const Problem &p) { return p.hasFewRows; },
     {8, 128, 3},
     "tiles: few rows, larger ones would leave SMs idle"},
    {[](const Problem &p) { return !p.isCausal && p.numKeys > 4096; },
     {12, 128, 3},
     "tiles: head dims up to 64 and many keys"},
    {always, {16, 64, 4}, "tiles: head dims up to 64"},
};

/// For few rows and divided keys: a warpgroup has the rows of all heads that
/// share keys. Reading the keys takes most of the time, so as many bytes as
/// possible should be in flight.
static const Row<WgmmaTiles> kSplitWgmmaTiles[] = {
    {[](const Problem &p) { return hasWideValues(p) && p.isGathered; },
     {8, 64, 1, 2},
     "tiles: few rows, keys that are gathered from pages, head dims above 256"},
    {[](const Problem &p) { return hasWideValues(p) && !p.isGathered; },
     {8, 64, 2, 2},
     "tiles: few rows, head dims above 256, two warpgroups share them"},
    {[](const Problem &p) { return hasWideValues(p) && !p.isGathered; },
     {8, 48, 2, 2},
     "tiles: few rows, head dims above 256, 48 keys a step, two warpgroups "
     "share them"},
    {[](const Problem &p) { return hasWideValues(p) && !p.isGathered; },
     {8, 32, 2, 2},
     "tiles: few rows, head dims above 256, 32 keys a step, two warpgroups "
     "share them"},
    {[](const Problem &p) { return p.headDim > 256 && !p.isGathered; },
     {4, 64, 2},
     "tiles: few rows, head dims of keys above 256"},
    {[](const Problem &p) { return p.headDim > 256 && !p.isGathered; },
     {4, 48, 2},
     "tiles: few rows, head dims of keys above 256, 48 keys a step"},
    {isWiderThan<256>,
     {4, 32, 2},
     "tiles: few rows, head dims of keys above 256, 32 keys a step"},
    {isWiderThan<128>, {4, 64, 2}, "tiles: few rows, head dims above 128"},
    {[](const Problem &p) { return p.headDim > 64 && p.isExact; },
     {4, 64, 6},
     "tiles: few rows, head dims from 65 to 128, sums are flushed"},
    {isWiderThan<64>, {4, 128, 3}, "tiles: few rows, head dims from 65 to 128"},
    {always, {4, 128, 4}, "tiles: few rows, head dims up to 64"},
};

/// Tiles for queries of 8 bits, with a converter. Exact products need twice the
/// registers for sums.
static const Row<WgmmaTiles> kConvertedWgmmaTiles[] = {
    {isWiderThan<128>, {8, 64, 3}, "tiles: 8 bits, head dims above 128"},
    {isWiderThan<128>,
     {8, 64, 2},
     "tiles: 8 bits, head dims above 128, values are extended"},
    {[](const Problem &p) { return p.headDim > 64 && p.isExact; },
     {8, 64, 3},
     "tiles: 8 bits, head dims from 65 to 128, sums are flushed"},
    {[](const Problem &p) { return !p.hasNarrowProbabilities; },
     {8, 64, 3},
     "tiles: 8 bits, head dims up to 128, values are extended"},
    {isWiderThan<64>, {8, 128, 3}, "tiles: 8 bits, head dims from 65 to 128"},
    {always, {8, 128, 2}, "tiles: 8 bits, head dims up to 64"},
};

static const Row<SchedulerKind> kSchedulers[] = {
    {[](const Problem &p) { return p.isCausal; }, SchedulerKind::Dynamic,
     "dynamic scheduler: under a diagonal tiles differ in length"},
    {[](const Problem &p) { return p.hasMaskRegion; }, SchedulerKind::Dynamic,
     "dynamic scheduler: under a mask region tiles may differ in length"},
    {[](const Problem &p) { return p.isRagged; }, SchedulerKind::Dynamic,
     "dynamic scheduler: sequences differ in length"},
    {always, SchedulerKind::Persistent,
     "persistent scheduler: all tiles are of one length"},
};

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

/// Rows of each warp. With 32, each read of keys and values from shared memory
/// serves two tiles of rows; with 16, shared memory is slower than the tensor
/// cores. A thread then holds Dv registers of the output and tile_kv of the
/// scores; with 16 rows, half of them.
static const Row<int64_t> kMmaSyncRows[] = {
    {isOfF32, 16, "16 rows a warp: f32 takes more registers"},
    {[](const Problem &p) {
       return ShapedType::isStatic(p.numRows) && p.numRows <= 64;
     },
     16, "16 rows a warp: there are at most 64"},
    // From sm_100 on, the same code takes more registers.
    {[](const Problem &p) { return p.chipNumber >= 100 && p.headDim > 64; }, 16,
     "16 rows a warp: head dims above 64 leave no registers for 32"},
    {isWiderThan<128>, 16,
     "16 rows a warp: head dims above 128 leave no registers for 32"},
    {always, 32,
     "32 rows a warp: what it reads of keys and values serves twice"},
};

/// Warps, keys of a step, and CTAs of an SM. `copies` warps share their rows:
/// each computes all of the scores, and its columns of the output.
struct MmaSyncTiles {
  int64_t warps, block;
  int64_t ctas = 0;
  int64_t copies = 1;
};

/// Tiles are as large as registers and shared memory allow.
static const Row<MmaSyncTiles> kMmaSyncTiles[] = {
    {[](const Problem &p) { return p.isF32 && p.headDim <= 64; },
     {4, 32},
     "32 keys a step: f32, head dims up to 64"},
    {isOfF32, {4, 16}, "16 keys a step: f32, head dims above 64"},
    {[](const Problem &p) { return p.headDim <= 32 && p.chipNumber < 100; },
     {4, 64, 3},
     "64 keys a step, three CTAs an SM: head dims up to 32"},
    {[](const Problem &p) { return p.headDim <= 64; },
     {4, 64},
     "64 keys a step: head dims up to 64"},
    {hasWideValues,
     {8, 16, 0, 2},
     "pairs of 8 warps share rows, 16 keys a step: head dims above 256"},
    {hasWideValues,
     {4, 16, 0, 2},
     "pairs of 4 warps share rows: head dims above 256, shared memory holds no "
     "more"},
    {hasWideValues,
     {2, 16, 0, 2},
     "2 warps share rows: head dims above 256, shared memory holds no more"},
    {isWiderThan<64>, {4, 32}, "32 keys a step: head dims above 64"},
    {always, {4, 16}, "16 keys a step: shared memory holds no more"},
    {always, {2, 16}, "2 warps: shared memory holds no more"},
};

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

Problem::Problem(AttentionInterface op, const Chip &chip)
    : headDim(std::max(op.getHeadDim(), op.getValueHeadDim())),
      valueHeadDim(op.getValueHeadDim()),
      numRows(op.getQueryType().getDimSize(2)),
      numKeys(op.getPages() ? ShapedType::kDynamic
                            : op.getKeyType().getDimSize(2)),
      page(op.getPages() ? op.getKeyType().getDimSize(2)
                         : ShapedType::kDynamic),
      isPaged(op.getPages() != nullptr),
      isGathered(isPaged && findPagedTile(page, 64) == 0),
      isWithinKey(op.getFirstValueDim() >= 0),
      isF32(getComputeType(op).isF32()), hasScore(op.hasScore()),
      hasMaskRegion(op.hasMaskRegion()),
      hasDropout(op.getDropoutAttr() != nullptr),
      isCausal(op.getMaskAttr() && op.getMaskAttr().getUpperDiagonal()),
      isRagged(op.isRagged()), hasPairs(getStreamedPairs(op) != nullptr),
      splitsKeys(attn::mayDivideKeys(op)), mayAdd(false),
      chipNumber(chip.getNumber()) {
  if (auto backward = dyn_cast<attn::AttentionBackwardOp>(op.getOperation()))
    mayAdd = backward.mayAddQueryGradient();
  if (auto forward = dyn_cast<attn::AttentionOp>(op.getOperation())) {
    hasNarrowProbabilities = attn::hasNarrowProbabilities(forward);
    isExact = hasNarrowProbabilities && !forward.getFastAccumulate();
    auto isOfTokens = [&](attn::Extra kind) {
      attn::ExtraOperand scale = forward.getExtra(kind);
      return scale && (scale.findDim('s') || (isPaged && scale.findDim('b')));
    };
    bool hasTokenScales = isOfTokens(attn::Extra::KeyScale) ||
                          isOfTokens(attn::Extra::ValueScale);
    // Vectors of scales beside wide sums spill.
    isNarrow = hasNarrowProbabilities || (hasNarrowScores(forward) &&
                                          (headDim <= 128 || !hasTokenScales));
    auto isOfBytes = [](const attn::NamedArray &array) {
      return !array.isOfKeys() ||
             attn::isNarrow(getElementTypeOrSelf(array.value.getType()));
    };
    // Coordinates of small pages take registers.
    constexpr int64_t kSmallestPage = 64;
    hasNarrowCache = !isWithinKey && headDim <= 256 &&
                     (!isPaged || page >= kSmallestPage) &&
                     llvm::all_of(op.getArrays(), isOfBytes);
  }
  // SMs of an H100 or H200, and rows of the largest tile.
  constexpr int64_t kSMs = 132, kLargestTile = 256;
  ArrayRef<int64_t> shape = op.getQueryType().getShape().drop_back();
  int64_t fewest = (isCausal ? 1 : 4) * kSMs * kLargestTile;
  uint64_t allRows = 1;
  for (int64_t size : shape)
    allRows = llvm::SaturatingMultiply<uint64_t>(allRows, size);
  hasFewRows = !ShapedType::isDynamicShape(shape) &&
               (numRows <= 128 || allRows < static_cast<uint64_t>(fewest));
}

/// Returns the keys of a step. If these are gathered from pages, each of the
/// `copying` warps has 16 of them, or half of their columns.
static int64_t fitPages(int64_t tileKv, int64_t copying,
                        const Problem &problem) {
  if (!problem.isPaged)
    return tileKv;
  if (int64_t keys = findPagedTile(problem.page, tileKv))
    return keys;
  return std::max(tileKv, copying * 8);
}

/// The first row that applies.
template <typename T>
static const Row<T> &find(ArrayRef<Row<T>> rows, const Problem &problem) {
  return *llvm::find_if(
      rows, [&](const Row<T> &row) { return row.applies(problem); });
}

/// The plan of the first row that applies and fits. Rows that do not fit are
/// passed over; the error says what the last of them lacks.
template <typename T>
static llvm::Expected<Plan>
findFitting(ArrayRef<Row<T>> rows, const Problem &problem,
            AttentionInterface op, const Chip &chip,
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

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// Warps, rows or keys of a step, and steps that shared memory holds. A program
/// has 64 rows or keys for each warpgroup, or for all `sharing` ones that
/// divide columns. A thread accumulates half a row of two gradients, of the
/// scores and of their gradient.
struct BackwardTiles {
  int64_t warps, block, stages;
  bool overlap, pingPong;
  SchedulerKind scheduler;
  RolesKind roles = RolesKind::ProducerConsumer;
  int64_t sharing = 1;
};
static const Row<BackwardTiles> kBackwardWgmmaTiles[] = {
    {isWiderThan<256>,
     {8, 32, 1, false, false, SchedulerKind::Dynamic,
      RolesKind::ProducerConsumer, /*sharing=*/2},
     "tiles: gradients, head dims above 256, two warpgroups share rows"},
    {[](const Problem &p) { return p.headDim <= 64 && p.mayAdd; },
     {8, 64, 4, true, false, SchedulerKind::Dynamic,
      RolesKind::ProducerConsumerReducer},
     "tiles: gradients, head dims up to 64, d_query in memory"},
    {[](const Problem &p) {
       return p.headDim <= 128 && p.mayAdd && p.isCausal;
     },
     {8, 64, 2, true, false, SchedulerKind::Dynamic,
      RolesKind::ProducerConsumerReducer},
     "tiles: gradients, head dims from 65 to 128, d_query in memory, under a "
     "diagonal"},
    {[](const Problem &p) { return p.headDim <= 128 && p.mayAdd; },
     {8, 64, 2, true, false, SchedulerKind::Persistent,
      RolesKind::ProducerConsumerReducer},
     "tiles: gradients, head dims from 65 to 128, d_query in memory"},
    {[](const Problem &p) { return isWiderThan<192>(p) && p.mayAdd; },
     {8, 64, 1, false, false, SchedulerKind::Dynamic,
      RolesKind::ProducerConsumerReducer},
     "tiles: gradients, head dims above 192, d_query in memory"},
    {[](const Problem &p) { return isWiderThan<128>(p) && p.mayAdd; },
     {8, 64, 2, true, false, SchedulerKind::Dynamic,
      RolesKind::ProducerConsumerReducer},
     "tiles: gradients, head dims from 129 to 192, d_query in memory"},
    {isWiderThan<128>,
     {8, 32, 2, false, false, SchedulerKind::Dynamic},
     "tiles: gradients, head dims above 128"},
    {[](const Problem &p) { return p.headDim > 64 && p.isCausal; },
     {8, 64, 2, false, false, SchedulerKind::Dynamic},
     "tiles: gradients, head dims from 65 to 128, under a diagonal"},
    {isWiderThan<64>,
     {8, 64, 3, true, false, SchedulerKind::Persistent},
     "tiles: gradients, head dims from 65 to 128"},
    {always,
     {8, 64, 3, true, true, SchedulerKind::Dynamic},
     "tiles: gradients, head dims up to 64"},
    {always,
     {4, 32, 2, false, false, SchedulerKind::Dynamic},
     "tiles: gradients, shared memory holds no more"},
};

/// Whether a program accumulates little, since it adds d_query in memory, and
/// has operands of 16 bits. From sm_100 on, the same code takes more registers.
static bool addsInMemory(const Problem &p) {
  return p.mayAdd && !p.isF32 && p.chipNumber < 100;
}
/// Whether a warp has registers for 32 keys, or eight warps for their share of
/// them.
static bool mayHaveMoreKeys(const Problem &p) {
  return addsInMemory(p) && p.headDim <= 128;
}
/// Whether no region and no dropout take registers.
static bool hasPlainScores(const Problem &p) {
  return !p.hasScore && !p.hasMaskRegion && !p.hasDropout;
}
/// Whether eight warps are faster. With regions, two CTAs of four warps on an
/// SM are as fast.
static bool hasSpareRegisters(const Problem &p) {
  return mayHaveMoreKeys(p) && hasPlainScores(p);
}

/// Warps, the keys of a program (rows, if it computes d_query), the rows or
/// keys of a step, and CTAs of an SM. With 32 keys for each warp, each read of
/// rows serves twice, and the more keys a program has, the fewer programs add
/// to d_query. With fewer than 16 for each warp, several warps share keys, and
/// accumulate less each. A warp that shares 32 keys reads less than one with 16
/// keys alone.
struct BackwardMmaSyncTiles {
  int64_t warps, tile, block, ctas;
  int64_t warpRows = 16;
};
static const Row<BackwardMmaSyncTiles> kBackwardMmaSyncTiles[] = {
    {isWiderThan<256>,
     {8, 32, 32, 1, 32},
     "eight warps share 32 keys, 32 rows a step: gradients, head dims above "
     "256"},
    {isWiderThan<256>,
     {4, 32, 16, 1, 32},
     "four warps share 32 keys, 16 rows a step: gradients, head dims above "
     "256"},
    {isWiderThan<256>,
     {2, 16, 16, 1},
     "two warps share 16 keys, 16 rows a step: gradients, head dims above 256"},
    {[](const Problem &p) { return mayHaveMoreKeys(p) && p.headDim <= 16; },
     {4, 128, 32, 3},
     "four warps of 32 keys, 32 rows a step, three CTAs an SM: gradients, head "
     "dims up to 16"},
    {[](const Problem &p) {
       return mayHaveMoreKeys(p) && p.isByElement && p.headDim <= 64;
     },
     {4, 128, 16, 2},
     "four warps of 32 keys, 16 rows a step: gradients of arrays that no "
     "copies take, head dims up to 64"},
    {[](const Problem &p) { return mayHaveMoreKeys(p) && p.isByElement; },
     {8, 128, 32, 1, 32},
     "eight warps share groups of 32 keys, 32 rows a step: gradients of arrays "
     "that no copies take, head dims from 65 to 128"},
    {[](const Problem &p) { return mayHaveMoreKeys(p) && p.headDim <= 64; },
     {4, 128, 32, 2},
     "four warps of 32 keys, 32 rows a step: gradients, head dims up to 64"},
    {[](const Problem &p) { return mayHaveMoreKeys(p) && p.headDim > 112; },
     {8, 128, 64, 1, 32},
     "eight warps share groups of 32 keys, 64 rows a step: gradients, head "
     "dims from 113 to 128"},
    {hasSpareRegisters,
     {8, 128, 64, 1},
     "eight warps, 64 rows a step: gradients, head dims from 65 to 128"},
    {hasSpareRegisters,
     {8, 128, 32, 1},
     "eight warps, 32 rows a step: gradients, shared memory holds no more"},
    {hasSpareRegisters,
     {8, 128, 16, 1},
     "eight warps, 16 rows a step: gradients, shared memory holds no more"},
    {[](const Problem &p) { return p.isF32 && p.headDim <= 64; },
     {4, 64, 16, 2},
     "16 rows a step: gradients of f32, head dims up to 64"},
    {[](const Problem &p) {
       return p.isF32 && p.headDim > 96 && p.headDim <= 128;
     },
     {8, 64, 16, 1},
     "eight warps share 64 keys: gradients of f32, head dims from 97 to 128"},
    {[](const Problem &p) {
       return p.isF32 && p.headDim > 128 && p.headDim <= 192;
     },
     {8, 64, 16, 1, 32},
     "eight warps share 64 keys, in groups of 32: gradients of f32, head dims "
     "from 129 to 192"},
    {[](const Problem &p) { return p.isF32 && p.headDim > 192; },
     {4, 32, 16, 1, 32},
     "four warps share 32 keys, one CTA an SM: gradients of f32, head dims "
     "above 192"},
    {isOfF32,
     {4, 32, 16, 2},
     "four warps share 32 keys: gradients of f32, other head dims, or shared "
     "memory holds no more"},
    {isOfF32,
     {2, 16, 16, 2},
     "two warps share 16 keys: gradients of f32, shared memory holds no more"},
    {isOfF32,
     {4, 64, 16, 2},
     "16 rows a step: gradients of f32, warps cannot share rows"},
    {[](const Problem &p) { return p.headDim <= 64; },
     {4, 64, 64, 2},
     "64 rows a step: gradients, head dims up to 64"},
    {[](const Problem &p) { return p.headDim <= 128; },
     {4, 64, 32, 2},
     "32 rows a step: gradients, head dims up to 128"},
    {[](const Problem &p) {
       return addsInMemory(p) && hasPlainScores(p) && !p.isByElement &&
              p.headDim <= 160;
     },
     {8, 128, 32, 1},
     "eight warps of 16 keys, 32 rows a step: gradients, head dims from 129 to "
     "160"},
    {[](const Problem &p) { return p.headDim > 192 && p.isByElement; },
     {8, 64, 16, 1},
     "eight warps share 64 keys, 16 rows a step: gradients of arrays that no "
     "copies take, head dims above 192"},
    {[](const Problem &p) { return p.headDim > 144 && !p.isByElement; },
     {8, 64, 64, 1, 32},
     "eight warps share 64 keys, 64 rows a step: gradients, head dims above "
     "144"},
    {[](const Problem &p) { return p.headDim > 144; },
     {8, 64, 32, 1, 32},
     "eight warps share 64 keys: gradients, head dims above 144"},
    {always, {4, 64, 16, 2}, "16 rows a step: gradients, head dims above 128"},
    {always, {2, 32, 16, 2}, "2 warps: gradients, shared memory holds no more"},
    {always, {1, 16, 16, 2}, "1 warp: gradients, shared memory holds no more"},
};

static llvm::Expected<Plan> chooseBackward(AttentionInterface op,
                                           const Chip &chip, CopyKind copy) {
  Problem problem(op, chip);
  problem.isByElement = copy == CopyKind::Element;
  if (copy == CopyKind::Tma)
    return findFitting<BackwardTiles>(
        kBackwardWgmmaTiles, problem, op, chip,
        [&](const Row<BackwardTiles> &row) -> Plan {
          auto [warps, block, stages, overlap, pingPong, scheduler, roles,
                sharing] = row.value;
          // Sequences differ in length, so tiles do.
          if (problem.isRagged)
            scheduler = SchedulerKind::Dynamic;
          auto schedule = ScheduleAttr::get(
              op.getContext(), kWarpgroupRows * (warps / 4 / sharing), block,
              warps, MmaKind::Wgmma, CopyKind::Tma, stages, overlap, pingPong,
              SoftmaxKind::Strict, roles, scheduler, /*split_kv=*/false,
              /*warp_rows=*/16, /*ctas=*/0);
          return {schedule,
                  {"wgmma: " + chip.name.str() + " has it", row.reason.str()}};
        });
  return findFitting<BackwardMmaSyncTiles>(
      kBackwardMmaSyncTiles, problem, op, chip,
      [&](const Row<BackwardMmaSyncTiles> &row) -> Plan {
        auto [warps, tile, block, ctas, warpRows] = row.value;
        auto schedule = ScheduleAttr::get(
            op.getContext(), tile, block, warps, MmaKind::MmaSync, copy,
            /*stages=*/2, /*overlap=*/false, /*ping_pong=*/false,
            SoftmaxKind::Strict, RolesKind::None, SchedulerKind::Static,
            /*split_kv=*/false, warpRows, ctas);
        return {schedule, {row.reason.str()}};
      });
}

static constexpr StringLiteral kSplitReason =
    "split keys: at most 16 rows, which share keys with those of other heads";

/// Whether MMAs of consecutive steps may overlap. A tile of keys with the
/// values within it is held until both have been read, so while two are being
/// read, there is no slot for the next one.
static bool mayOverlap(const WgmmaTiles &tiles, const Problem &problem) {
  return tiles.stages > 1 && !problem.isWithinKey;
}

static llvm::Expected<Plan> chooseSplitWgmma(AttentionInterface op,
                                             const Chip &chip) {
  Problem problem(op, chip);
  auto findWith = [&](RolesKind roles) {
    return findFitting<WgmmaTiles>(
        kSplitWgmmaTiles, problem, op, chip,
        [&](const Row<WgmmaTiles> &row) -> Plan {
          auto [warps, tileKv, stages, copies] = row.value;
          auto schedule = ScheduleAttr::get(
              op.getContext(), kWarpgroupRows * (warps / 4) / copies,
              fitPages(tileKv, /*copying=*/4, problem), warps, MmaKind::Wgmma,
              CopyKind::Tma, stages, mayOverlap(row.value, problem),
              /*ping_pong=*/false, SoftmaxKind::Lazy, roles,
              SchedulerKind::Persistent, /*split_kv=*/true, /*warp_rows=*/16,
              /*ctas=*/0);
          return {schedule,
                  {"wgmma: " + chip.name.str() + " has it", row.reason.str(),
                   kSplitReason.str()}};
        });
  };
  if (problem.hasNarrowCache) {
    llvm::Expected<Plan> plan = findWith(RolesKind::ProducerConsumerConverter);
    if (plan)
      return plan;
    llvm::consumeError(plan.takeError());
  }
  return findWith(RolesKind::ProducerConsumer);
}

static llvm::Expected<Plan> chooseWgmma(AttentionInterface op,
                                        const Chip &chip) {
  Problem problem(op, chip);
  if (problem.splitsKeys)
    return chooseSplitWgmma(op, chip);
  const auto &scheduler = find<SchedulerKind>(kSchedulers, problem);
  auto findWith = [&](ArrayRef<Row<WgmmaTiles>> rows, RolesKind roles) {
    return findFitting<WgmmaTiles>(
        rows, problem, op, chip, [&](const Row<WgmmaTiles> &row) -> Plan {
          auto [warps, tileKv, stages, copies] = row.value;
          bool overlap = mayOverlap(row.value, problem);
          // With a converter, ping-pong lowered each rate that was measured.
          bool pingPong = overlap && copies == 1 && warps > 4 &&
                          roles == RolesKind::ProducerConsumer;
          auto schedule = ScheduleAttr::get(
              op.getContext(), kWarpgroupRows * (warps / 4) / copies,
              fitPages(tileKv, /*copying=*/4, problem), warps, MmaKind::Wgmma,
              CopyKind::Tma, stages, overlap, pingPong, SoftmaxKind::Lazy,
              roles, scheduler.value, /*split_kv=*/false, /*warp_rows=*/16,
              /*ctas=*/0);
          return {schedule,
                  {"wgmma: " + chip.name.str() + " has it", row.reason.str(),
                   scheduler.reason.str()}};
        });
  };
  if (problem.isNarrow) {
    for (RolesKind roles :
         {RolesKind::ProducerConsumerConverter, RolesKind::ProducerConsumer}) {
      // Without a converter MMAs read 8 bits along keys alone.
      if (roles == RolesKind::ProducerConsumer && !hasValueAlongKeys(op))
        break;
      llvm::Expected<Plan> plan = findWith(kConvertedWgmmaTiles, roles);
      if (plan)
        return plan;
      llvm::consumeError(plan.takeError());
    }
  }
  return findWith(kWgmmaTiles, RolesKind::ProducerConsumer);
}

static llvm::Expected<Plan> chooseMmaSync(AttentionInterface op,
                                          const Chip &chip, CopyKind copy) {
  Problem problem(op, chip);
  const auto &rows = find<int64_t>(kMmaSyncRows, problem);
  return findFitting<MmaSyncTiles>(
      kMmaSyncTiles, problem, op, chip,
      [&](const Row<MmaSyncTiles> &row) -> Plan {
        auto [warps, keys, ctas, copies] = row.value;
        int64_t tileKv =
            fitPages(attn::fitTile(keys, problem.numKeys), warps, problem);
        auto schedule = ScheduleAttr::get(
            op.getContext(), rows.value * warps / copies, tileKv, warps,
            MmaKind::MmaSync, copy, /*stages=*/2, /*overlap=*/false,
            /*ping_pong=*/false, SoftmaxKind::Strict, RolesKind::None,
            SchedulerKind::Static, problem.splitsKeys, /*warp_rows=*/16, ctas);
        std::string reason =
            tileKv == keys ? row.reason.str()
            : op.getPages()
                ? std::to_string(tileKv) + " keys a step: pages fit"
                : std::to_string(tileKv) + " keys a step: there are no more";
        SmallVector<std::string> reasons = {rows.reason.str(), reason};
        if (problem.splitsKeys)
          reasons.push_back(kSplitReason.str());
        return {schedule, reasons};
      });
}

llvm::Expected<Plan> mlir::attn_gpu::choosePlan(AttentionInterface op,
                                                const Chip &chip,
                                                CopyKind copy) {
  if (isa<attn::AttentionBackwardOp>(op.getOperation()))
    return chooseBackward(op, chip, copy);
  return copy == CopyKind::Tma ? chooseWgmma(op, chip)
                               : chooseMmaSync(op, chip, copy);
}

ArrayAttr Plan::getReasonsAttr() const {
  SmallVector<StringRef> views(reasons.begin(), reasons.end());
  return Builder(schedule.getContext()).getStrArrayAttr(views);
}

SmallVector<StringRef> mlir::attn_gpu::getTableReasons() {
  SmallVector<StringRef> reasons;
  auto add = [&](const auto &rows) {
    for (const auto &row : rows)
      reasons.push_back(row.reason);
  };
  add(kWgmmaTiles);
  add(kSplitWgmmaTiles);
  add(kConvertedWgmmaTiles);
  reasons.push_back(kSplitReason);
  add(kSchedulers);
  add(kMmaSyncRows);
  add(kMmaSyncTiles);
  add(kBackwardWgmmaTiles);
  add(kBackwardMmaSyncTiles);
  return reasons;
}
