//===- Problem.cpp - Properties that select table rows --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableRows.h"

#include "attn/Dialect/Attn/IR/ExtraOperands.h"
#include "attn/Dialect/Attn/IR/NarrowProducts.h"
#include "attn/Dialect/Attn/IR/Pages.h"
#include "attn/Dialect/Attn/IR/ValueOrder.h"
#include "attn/Support/ElementDType.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using attn::AttentionInterface;
using attn::Chip;

/// Returns the largest of the numbers `tileKv`, `tileKv` - 16, `tileKv` - 32,
/// ..., 16 such that a tile of so many keys is whole pages or a part of one
/// page; 0 if there is none.
static int64_t findPagedTile(int64_t page, int64_t tileKv) {
  for (int64_t keys = tileKv; keys >= 16; keys -= 16)
    if (attn::getPagesOfTile(page, keys) > 0)
      return keys;
  return 0;
}

/// Returns the number of rows of all query heads that share keys, or kDynamic.
static int64_t countRowsOfGroup(AttentionInterface op) {
  int64_t heads = op.getQueryType().getDimSize(1),
          keyHeads = op.getKeyType().getDimSize(1),
          rows = op.getQueryType().getDimSize(2);
  if (ShapedType::isDynamicShape({heads, keyHeads, rows}) || keyHeads == 0)
    return ShapedType::kDynamic;
  return heads / keyHeads * rows;
}

/// Returns the least number of rows of all query heads that share keys.
static int64_t countFewestRows(AttentionInterface op) {
  auto getLeast = [](int64_t size) {
    return ShapedType::isDynamic(size) ? 1 : size;
  };
  int64_t heads = op.getQueryType().getDimSize(1),
          keyHeads = op.getKeyType().getDimSize(1);
  bool isKnown = !ShapedType::isDynamicShape({heads, keyHeads}) && keyHeads > 0;
  return (isKnown ? heads / keyHeads : 1) *
         getLeast(op.getQueryType().getDimSize(2));
}

/// Whether four lanes, with 4 bytes each, divide the columns of a tile that a
/// warp extends to registers: a multiple of 16 bytes of each key, and of 32
/// bytes of each value, of which a lane's MMAs need two rows.
static bool areColumnsDivided(attn::AttentionOp op) {
  auto isMultiple = [](ShapedType type, int64_t columns, int64_t bits) {
    return columns * type.getElementTypeBitWidth() % bits == 0;
  };
  return op.getValue() && isMultiple(op.getKeyType(), op.getHeadDim(), 128) &&
         isMultiple(cast<ShapedType>(op.getValue().getType()),
                    op.getValueHeadDim(), 256);
}

Problem::Problem(AttentionInterface op, const Chip &chip, CopyKind copy)
    : headDim(std::max(op.getHeadDim(), op.getValueHeadDim())),
      valueHeadDim(op.getValueHeadDim()),
      numRows(op.getQueryType().getDimSize(2)),
      numKeys(op.getPages() ? ShapedType::kDynamic
                            : op.getKeyType().getDimSize(2)),
      fewestRows(countFewestRows(op)),
      page(op.getPages() ? op.getKeyType().getDimSize(2)
                         : ShapedType::kDynamic),
      isPaged(op.getPages() != nullptr),
      isListed(attn::hasRowList(op) && copy != CopyKind::Tma),
      isGathered(isPaged && !isListed && findPagedTile(page, 64) == 0),
      isValueAlongKeys(attn::hasValueAlongKeys(op)),
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
    hasTokenScales = isOfTokens(attn::Extra::KeyScale) ||
                     isOfTokens(attn::Extra::ValueScale);
    // If only the scores are products of 8 bits, head dims are above 128 and
    // each token has a scale, the tiles for such products are not tried:
    // vectors of scales beside so many accumulators would spill.
    isNarrow = hasNarrowProbabilities || (hasNarrowScores(forward) &&
                                          (headDim <= 128 || !hasTokenScales));
    auto isOfBytes = [](const attn::NamedArray &array) {
      return !array.isOfKeys() ||
             attn::isNarrow(getElementTypeOrSelf(array.value.getType()));
    };
    // The fewest keys in a page for which programs with few rows use a
    // converter. Tiles of smaller pages have more coordinates, which take
    // registers.
    constexpr int64_t kSmallestPage = 64;
    isExtended = attn::isNarrow(forward.getKeyType().getElementType()) &&
                 !hasNarrowScores(forward);
    hasIntegers =
        llvm::any_of(op.getArrays(), [](const attn::NamedArray &array) {
          return array.isOfKeys() &&
                 getElementTypeOrSelf(array.value.getType()).isInteger();
        });
    bool hasNarrowArrays = !isWithinKey && headDim <= 256 &&
                           llvm::all_of(op.getArrays(), isOfBytes);
    hasNarrowCache =
        hasNarrowArrays && (!isPaged || isListed || page >= kSmallestPage);
    constexpr int64_t kRowsOfMma = 16;
    int64_t rowsOfGroup = countRowsOfGroup(op);
    bool arePagesWhole =
        !isPaged || isListed || findPagedTile(page, kKeysOfWarp) == kKeysOfWarp;
    // From sm_120 on, ptxas spills registers for wider heads.
    bool hasRegisters = headDim <= 128 || chipNumber < 120;
    isExtendedInRegisters =
        hasRegisters && splitsKeys && hasNarrowArrays && isExtended &&
        arePagesWhole && !isValueAlongKeys && areColumnsDivided(forward) &&
        op.getQueryType().getElementTypeBitWidth() == 16 &&
        !ShapedType::isDynamic(rowsOfGroup) && rowsOfGroup <= kRowsOfMma;
  }
  // The number of SMs of an H100 or H200, and the number of rows of the largest
  // tile.
  constexpr int64_t kSMs = 132, kLargestTile = 256;
  ArrayRef<int64_t> shape = op.getQueryType().getShape().drop_back();
  int64_t fewest = (isCausal ? 1 : 4) * kSMs * kLargestTile;
  uint64_t allRows = 1;
  for (int64_t size : shape)
    allRows = llvm::SaturatingMultiply<uint64_t>(allRows, size);
  hasFewRows = !ShapedType::isDynamicShape(shape) &&
               (numRows <= 128 || allRows < static_cast<uint64_t>(fewest));
}

int64_t attn_gpu::fitPages(int64_t tileKv, int64_t copying,
                           const Problem &problem) {
  if (!problem.isPaged || (problem.isListed && !problem.isValueAlongKeys))
    return tileKv;
  // The fewest keys in a page for which a tile of values along keys is at most
  // one page. Tiles of smaller pages would have so few keys that a program
  // would take too many steps.
  constexpr int64_t kFewestAlongKeys = 32;
  if (problem.isValueAlongKeys && problem.page >= kFewestAlongKeys)
    if (int64_t keys = findPagedTile(problem.page,
                                     std::min(tileKv, problem.page / 16 * 16)))
      return keys;
  // If values lie along keys and a tile has several pages, threads gather the
  // tile, and each of the copying warps needs a multiple of 8 of its keys.
  if (int64_t keys = findPagedTile(problem.page, tileKv);
      keys > 0 && (!problem.isValueAlongKeys ||
                   attn::getPagesOfTile(problem.page, keys) == 1 ||
                   keys % (copying * 8) == 0))
    return keys;
  return std::max(tileKv, copying * 8);
}
