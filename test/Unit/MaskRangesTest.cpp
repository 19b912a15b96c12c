//===- MaskRangesTest.cpp - Ranges of mask regions, by brute force --------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The domains of a gradient's tile programs, of keys for rows and of rows for
// keys, against the mask region at each pair.
//
//===----------------------------------------------------------------------===//

#include "MaskRanges.h"
#include "OracleFixtures.h"

#include "attn/Conversion/Passes.h"
#include "attn/Dialect/AttnTile/IR/AttnTile.h"
#include "attn/Support/Dice.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::attn;

namespace {

constexpr int64_t kRows = 21, kKeys = 34;
/// The values of the captures: %w is the index 5, and all numbers of %l are 11.
constexpr int64_t kWindow = 5, kLength = 11;

class MaskRangesTest : public IRTest {
protected:
  MaskRangesTest() {
    context.loadDialect<attn_tile::AttnTileDialect, affine::AffineDialect,
                        scf::SCFDialect>();
  }

  struct Range {
    int64_t lo, hi, fullLo, fullHi;
  };
  /// Numbers of positions (rows or keys): `needless` ones are visited although
  /// no pair needs them; all pairs of `undecided` ones are kept, which the
  /// range does not tell; `decided` ones are known to be full.
  struct Count {
    int64_t needless = 0, undecided = 0, decided = 0;
  };

  std::string getModule(const std::string &body) {
    return R"(
  func.func @f(%q: memref<1x1x21x16xf32>, %k: memref<1x1x34x16xf32>,
               %lse: memref<1x1x21xf32>, %l: memref<3xi32>, %w: index,
               %dk: memref<1x1x34x16xf32>) {
    attn.attention_backward wrt(query, key)
        ins(%q, %k, %k, %q, %lse, %q : memref<1x1x21x16xf32>,
            memref<1x1x34x16xf32>, memref<1x1x34x16xf32>,
            memref<1x1x21x16xf32>, memref<1x1x21xf32>, memref<1x1x21x16xf32>)
        captures(%l, %w : memref<3xi32>, index)
        outs(%q, %dk : memref<1x1x21x16xf32>, memref<1x1x34x16xf32>)
        mask {
        ^bb0(%b: index, %h: index, %i: index, %j: index, %lengths: memref<3xi32>,
             %window: index):
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c4 = arith.constant 4 : index
          %c7 = arith.constant 7 : index
          %true = arith.constant true
)" + body + R"(
          attn.yield %r : i1
        } {schedule = #attn.tiles<q = 16, kv = 16>}
    return
  })";
  }

  int64_t evaluate(Value value, attn_tile::DomainOp domain, int64_t first,
                   int64_t last) {
    auto found =
        evaluateScalar(value, [&](Value known) -> std::optional<ScalarValue> {
          if (known.getDefiningOp<attn_tile::GatherOp>())
            return ScalarValue::getInt(kLength);
          auto argument = dyn_cast<BlockArgument>(known);
          if (!argument)
            return std::nullopt;
          Operation *owner = argument.getOwner()->getParentOp();
          if (owner == domain)
            return ScalarValue::getInt(argument.getArgNumber() == 0 ? first
                                                                    : last);
          return ScalarValue::getInt(isa<func::FuncOp>(owner) ? kWindow : 0);
        });
    EXPECT_TRUE(succeeded(found)) << messages;
    return succeeded(found) ? found->i : 0;
  }

  /// Compares the domains of keys and of rows, which the compiler makes for a
  /// mask region, with the mask of each pair. Fails where a range is wrong, and
  /// counts positions.
  Count check(const std::string &body) {
    auto module = parse(getModule(body));
    AttentionBackwardOp op;
    module->walk([&](AttentionBackwardOp found) { op = found; });
    Array lengths(DType::I32, {3});
    lengths.fillWith(kLength);
    auto mask = ScoreProgram::compileMask(
        op.getMaskRegion(), {lengths.view, ScalarValue::getInt(kWindow)});
    EXPECT_TRUE(succeeded(mask)) << messages;
    std::vector<std::vector<double>> kept(kRows);
    for (int64_t i = 0; i < kRows; ++i) {
      kept[i].assign(kKeys, 0);
      mask->maskRow(0, 0, i, 0, kept[i]);
    }

    // Where ranges can never show that a block is full, the program masks each
    // block.
    bool mayBeFull[] = {MaskRanges(op, /*ofRows=*/false).mayBeFull(),
                        MaskRanges(op, /*ofRows=*/true).mayBeFull()};
    PassManager pm(&context);
    pm.addPass(createConvertAttnToTilePass());
    pm.addPass(createLowerAffinePass());
    EXPECT_TRUE(succeeded(pm.run(*module))) << messages;
    // For a mask that ranges do not express, the program has lists of blocks.
    // Sweeps check these, not this test.
    bool hasLists = false;
    module->walk([&](attn_tile::DomainListOp) { hasLists = true; });
    if (hasLists)
      return Count();
    SmallVector<attn_tile::DomainOp> domains;
    module->walk(
        [&](attn_tile::DomainOp domain) { domains.push_back(domain); });
    EXPECT_EQ(domains.size(), 2u);
    Count count;
    for (bool ofRows : {false, true}) {
      attn_tile::DomainOp domain = domains[ofRows];
      auto yield = cast<attn_tile::DomainYieldOp>(
          domain.getColumns().front().getTerminator());
      int64_t numGiven = ofRows ? kKeys : kRows;
      int64_t numBounded = ofRows ? kRows : kKeys;
      for (int64_t first = 0; first < numGiven; ++first)
        for (int64_t last = first + 1; last <= numGiven; ++last) {
          auto get = [&](Value value) {
            return evaluate(value, domain, first, last);
          };
          Range range = {get(yield.getLo()), get(yield.getHi()),
                         get(yield.getFullLo()), get(yield.getFullHi())};
          for (int64_t n = 0; n < numBounded; ++n) {
            bool some = false, all = true;
            for (int64_t m = first; m < last; ++m) {
              bool isKept = (ofRows ? kept[n][m] : kept[m][n]) == 0;
              some |= isKept;
              all &= isKept;
            }
            bool isVisited = n >= range.lo && n < range.hi;
            bool isFull =
                mayBeFull[ofRows] && n >= range.fullLo && n < range.fullHi;
            EXPECT_TRUE(!some || isVisited)
                << body << "\n"
                << ofRows << " " << first << " " << last << ": " << n
                << " is not visited";
            // A full block may extend past the last key, since other code masks
            // what a partial last tile has there.
            EXPECT_TRUE(!isFull || all) << body << "\n"
                                        << ofRows << " " << first << " " << last
                                        << ": " << n << " is full";
            count.needless += isVisited && !some;
            count.undecided += all && !isFull;
            count.decided += isFull;
            if (HasFailure())
              return count;
          }
        }
    }
    return count;
  }
};

} // namespace

/// Masks that keep one range of keys for each row, and one range of rows for
/// each key: no position is visited without need.
TEST_F(MaskRangesTest, ClosedForms) {
  const char *bodies[] = {
      "%r = arith.cmpi sle, %j, %i : index",
      "%r = arith.cmpi ugt, %i, %j : index",
      "%0 = arith.subi %i, %j : index\n"
      "%r = arith.cmpi slt, %0, %window : index",
      "%0 = arith.addi %i, %j : index\n%r = arith.cmpi sge, %0, %c7 : index",
      // A window of keys before the row, with positions of i64.
      "%i1 = arith.index_cast %i : index to i64\n"
      "%j1 = arith.index_cast %j : index to i64\n"
      "%c9 = arith.constant 9 : i64\n%0 = arith.subi %i1, %j1 : i64\n"
      "%1 = arith.cmpi sle, %0, %c9 : i64\n"
      "%2 = arith.cmpi sge, %i1, %j1 : i64\n%r = arith.andi %1, %2 : i1",
      // A prefix whose length is read for the batch entry, and a causal mask
      // for other keys.
      "%0 = attn.read %lengths[%b] : memref<3xi32>\n"
      "%1 = arith.index_cast %0 : i32 to index\n"
      "%2 = arith.cmpi slt, %j, %1 : index\n"
      "%3 = arith.cmpi sle, %j, %i : index\n%r = arith.ori %2, %3 : i1",
      // A length that is read for the head and compared in i32.
      "%0 = attn.read %lengths[%h] : memref<3xi32>\n"
      "%1 = arith.index_cast %j : index to i32\n"
      "%r = arith.cmpi slt, %1, %0 : i32",
      // Chunks of positions: a row attends to its own chunk and those before,
      // or to one chunk of keys.
      "%0 = arith.divui %i, %c7 : index\n%1 = arith.divui %j, %c7 : index\n"
      "%r = arith.cmpi ule, %1, %0 : index",
      "%0 = arith.divsi %i, %c4 : index\n%1 = arith.divui %j, %c7 : index\n"
      "%r = arith.cmpi eq, %1, %0 : index",
      // Negated conditions.
      "%0 = arith.cmpi sgt, %j, %i : index\n%r = arith.xori %0, %true : i1",
      "%0 = arith.cmpi sgt, %j, %i : index\n"
      "%1 = arith.cmpi slt, %i, %c4 : index\n%2 = arith.ori %0, %1 : i1\n"
      "%r = arith.xori %2, %true : i1",
      // Conditions that depend only on the row, only on the key, and on
      // neither.
      "%r = arith.cmpi slt, %i, %c7 : index",
      "%r = arith.cmpi eq, %j, %c7 : index",
      "%r = arith.cmpi ult, %b, %window : index",
      "%r = arith.cmpi ult, %window, %h : index"};
  for (const char *body : bodies) {
    Count count = check(body);
    EXPECT_EQ(count.needless, 0) << body;
  }
}

/// The condition has a closed form only in one direction: as a range of keys
/// for rows, or as a range of rows for keys.
TEST_F(MaskRangesTest, OneDirection) {
  Count count = check("%0 = arith.minsi %i, %c7 : index\n"
                      "%r = arith.cmpi sle, %j, %0 : index");
  EXPECT_GT(count.decided, 0);
  EXPECT_GT(count.undecided, 0);
}

/// For masks without a closed form, ranges decide no block.
TEST_F(MaskRangesTest, NoClosedForm) {
  const char *bodies[] = {
      "%0 = arith.remui %j, %c4 : index\n%r = arith.cmpi eq, %0, %c1 : index",
      "%0 = arith.muli %i, %j : index\n%r = arith.cmpi slt, %0, %c7 : index",
      // The distance i - j as an unsigned integer, which is large where j > i.
      "%0 = arith.subi %i, %j : index\n%r = arith.cmpi ult, %0, %c7 : index",
      "%0 = attn.read %lengths[%j] : memref<3xi32>\n"
      "%1 = arith.index_cast %0 : i32 to index\n"
      "%r = arith.cmpi slt, %1, %i : index",
      "%r = arith.cmpi ne, %i, %j : index"};
  for (const char *body : bodies) {
    Count count = check(body);
    EXPECT_EQ(count.decided, 0) << body;
  }
}

/// Random trees of comparisons: a block of which some pair is kept is never
/// skipped, and a block of which some pair is masked is never full.
TEST_F(MaskRangesTest, RandomTrees) {
  Count sum;
  for (uint64_t number = 0; number < 40; ++number) {
    Dice dice(1, number);
    std::string body;
    int next = 0;
    auto define = [&](const std::string &op) {
      std::string name = "%v" + std::to_string(next++);
      body += name + " = " + op + "\n";
      return name;
    };
    auto drawIndex = [&]() -> std::string {
      std::string x = dice.pick({"%i", "%j", "%j", "%window", "%c4"});
      std::string y = dice.pick({"%i", "%j", "%c1", "%c7"});
      switch (dice.below(6)) {
      case 0:
        return define("arith.addi " + x + ", " + y + " : index");
      case 1:
        return define("arith.subi " + x + ", " + y + " : index");
      case 2:
        return define("arith.divui " + x + ", " +
                      dice.pick({"%c4", "%c7", "%c1"}) + " : index");
      case 3:
        return define("arith.maxsi " + x + ", " + y + " : index");
      default:
        return x;
      }
    };
    auto drawCondition = [&](int depth, auto &self) -> std::string {
      if (depth > 0 && !dice.oneIn(3)) {
        std::string x = self(depth - 1, self), y = self(depth - 1, self);
        std::string op = dice.pick({"andi", "ori", "andi", "ori", "xori"});
        if (op == "xori")
          y = "%true";
        return define("arith." + op + " " + x + ", " + y + " : i1");
      }
      std::string predicate = dice.pick(
          {"slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge", "eq", "ne"});
      std::string x = drawIndex(), y = drawIndex();
      return define("arith.cmpi " + predicate + ", " + x + ", " + y +
                    " : index");
    };
    std::string result = drawCondition(2, drawCondition);
    Count count = check(body + "%r = arith.andi " + result + ", %true : i1");
    if (HasFailure())
      return;
    sum.needless += count.needless;
    sum.undecided += count.undecided;
    sum.decided += count.decided;
  }
  std::cout << "decided " << sum.decided << ", without need left undecided "
            << sum.undecided << ", visited in vain " << sum.needless << "\n";
  EXPECT_GT(sum.decided, 0);
}
