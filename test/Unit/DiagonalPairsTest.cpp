//===- DiagonalPairsTest.cpp - Numbers of pairs, by brute force -----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers that DiagonalPairs gives to pairs of tiles, against a count of
// the pairs that have an element within the mask's diagonals. The builder folds
// all numbers, since all sizes are constants.
//
//===----------------------------------------------------------------------===//

#include "DiagonalPairs.h"
#include "OracleFixtures.h"

#include "attn/Dialect/AttnTile/IR/AttnTile.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/Matchers.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::attn;

namespace {

constexpr int64_t kOwn = 4, kTilesOfRows = 5;

class DiagonalPairsTest : public IRTest {
protected:
  DiagonalPairsTest()
      : module(ModuleOp::create(UnknownLoc::get(&context))),
        b(module->getLoc(), OpBuilder::atBlockEnd(module->getBody())) {
    context.loadDialect<attn_tile::AttnTileDialect, affine::AffineDialect>();
  }

  static int64_t get(Value value) {
    APInt number;
    EXPECT_TRUE(matchPattern(value, m_ConstantInt(&number)));
    return number.getSExtValue();
  }

  /// Whether the diagonals of the mask keep an element of the tile of keys
  /// `tileOfKeys` beside the tile of rows.
  static bool isKept(MaskAttr mask, int64_t diagonal, int64_t tileOfRows,
                     int64_t tileOfKeys) {
    for (int64_t i = tileOfRows * kOwn; i < (tileOfRows + 1) * kOwn; ++i)
      for (int64_t j = tileOfKeys * kOwn; j < (tileOfKeys + 1) * kOwn; ++j) {
        int64_t distance = j - i - diagonal;
        if (distance >= mask.getLowerDiagonal().value_or(distance) &&
            distance <= mask.getUpperDiagonal().value_or(distance))
          return true;
      }
    return false;
  }

  void check(MaskAttr mask, int64_t diagonal, int64_t firstTile,
             int64_t tilesOfKeys) {
    DiagonalPairs pairs(b, mask, kOwn, b.getIndexAttr(diagonal),
                        b.getIndexAttr(firstTile * kOwn), b.index(tilesOfKeys));
    std::optional<int64_t> width =
        DiagonalPairs::getWidth(mask, kOwn, diagonal);
    int64_t count = 0;
    for (int64_t row = 0; row < kTilesOfRows; ++row) {
      EXPECT_EQ(get(pairs.countBefore(b.index(row))), count);
      int64_t before = count;
      for (int64_t key = 0; key < tilesOfKeys; ++key)
        if (isKept(mask, diagonal, row, firstTile + key))
          EXPECT_EQ(get(pairs.getNumber(b.index(row), b.index(key))), count++);
      if (width)
        EXPECT_LE(count - before, *width);
    }
    EXPECT_EQ(get(pairs.countBefore(b.index(kTilesOfRows))), count);
    numPairs += count;
    module->getBody()->clear();
    b.setInsertionPointToEnd(module->getBody());
  }

  OwningOpRef<ModuleOp> module;
  TileBuilder b;
  int64_t numPairs = 0;
};

TEST_F(DiagonalPairsTest, Numbers) {
  using Bound = std::optional<int64_t>;
  for (auto [left, right] : {std::pair<Bound, Bound>{std::nullopt, 0},
                             {0, 0},
                             {3, 0},
                             {4, 1},
                             {9, 2},
                             {1, std::nullopt},
                             {std::nullopt, 6}}) {
    auto mask = MaskAttr::get(&context, Alignment::TopLeft, false, left, right);
    for (int64_t diagonal : {-13, -8, -5, -4, -1, 0, 1, 3, 4, 9, 13})
      for (int64_t firstTile : {0, 2})
        for (int64_t tilesOfKeys : {1, 3, 7})
          check(mask, diagonal, firstTile, tilesOfKeys);
  }
  EXPECT_GT(numPairs, 3000);
}

TEST_F(DiagonalPairsTest, Widths) {
  auto causal =
      MaskAttr::get(&context, Alignment::TopLeft, true, std::nullopt, 0);
  EXPECT_EQ(DiagonalPairs::getWidth(causal, kOwn, 0), std::nullopt);
  // The width for any diagonal is the largest of those for each diagonal.
  for (int64_t left = 0; left < 12; ++left)
    for (int64_t right = 0; right < 12; ++right) {
      auto mask =
          MaskAttr::get(&context, Alignment::TopLeft, false, left, right);
      int64_t largest = 0;
      for (int64_t diagonal = -8; diagonal < 8; ++diagonal)
        largest =
            std::max(largest, *DiagonalPairs::getWidth(mask, kOwn, diagonal));
      EXPECT_EQ(DiagonalPairs::getWidth(mask, kOwn, std::nullopt), largest);
    }
}

} // namespace
