//===- ScheduleTableTest.cpp - Each row of the table, on no GPU -----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Each row of the schedule table is simulated by a problem to which it applies,
// at small sizes.
//
//===----------------------------------------------------------------------===//

#include "SimulatedProblem.h"

#include "attn/Dialect/AttnGPU/Schedule/Table.h"
#include "attn/Target/Chips.h"

#include "gtest/gtest.h"

#include <set>

using namespace mlir;
using namespace mlir::attn;

namespace {

/// A row of the schedule table, which its reason identifies, and a problem to
/// which the row applies.
struct RowCase {
  const char *reason, *chip, *access;
  DType dtype;
  int64_t headDim, queryLength, kvLength;
  bool isDynamic = false, causal = false, softCap = false, mask = false;
  bool backward = false, deterministic = false;
};

void PrintTo(const RowCase &row, std::ostream *os) {
  *os << row.reason << " (" << row.chip << ")";
}

// The simulator takes long for a block, so problems have few blocks. Where it
// matters, they have more than a ring has slots.
constexpr auto F16 = DType::F16, BF16 = DType::BF16, F32 = DType::F32;
const RowCase kRows[] = {
    {"tiles: head dims above 192", "sm_90a", "tma", BF16, 256, 130, 200},
    {"tiles: head dims from 129 to 192", "sm_90a", "tma", F16, 192, 130, 300},
    // The number of rows is dynamic, since the row of the table would need more
    // static rows than the simulator should run.
    {"tiles: head dims from 65 to 128, a score region", "sm_90a", "tma", BF16,
     128, 200, 250, true, false, true},
    {"tiles: head dims from 65 to 128", "sm_90a", "tma", F16, 128, 200, 400},
    {"tiles: few rows, larger ones would leave SMs idle", "sm_90a", "tma", BF16,
     64, 200, 500},
    {"tiles: head dims up to 64 and many keys", "sm_90a", "tma", F16, 64, 64,
     4200, true},
    {"tiles: head dims up to 64", "sm_90a", "tma", BF16, 64, 300, 300, true,
     true},
    {"tiles: few rows, head dims above 128", "sm_90a", "tma", BF16, 192, 1,
     700},
    {"tiles: few rows, head dims from 65 to 128", "sm_90a", "tma", F16, 128, 4,
     1100, false, true},
    {"tiles: few rows, head dims up to 64", "sm_90a", "tma", BF16, 64, 2, 900},
    {"split keys: at most 16 rows, which share keys with those of other heads",
     "sm_80", "async16", F16, 64, 3, 500},
    {"dynamic scheduler: under a diagonal tiles differ in length", "sm_90a",
     "tma", F16, 128, 400, 400, false, true},
    {"dynamic scheduler: under a mask region tiles may differ in length",
     "sm_90a", "tma", BF16, 64, 300, 300, false, false, false, true},
    {"persistent scheduler: all tiles are of one length", "sm_90a", "tma", F16,
     64, 600, 200},
    {"16 rows a warp: f32 takes more registers", "sm_80", "async16", F32, 32,
     100, 100},
    {"16 rows a warp: there are at most 64", "sm_86", "async16", F16, 64, 60,
     200},
    {"16 rows a warp: head dims above 64 leave no registers for 32", "sm_120a",
     "async16", BF16, 96, 200, 130},
    {"16 rows a warp: head dims above 128 leave no registers for 32", "sm_80",
     "async16", F16, 256, 130, 100},
    {"32 rows a warp: what it reads of keys and values serves twice", "sm_80",
     "async16", BF16, 128, 200, 200},
    {"32 keys a step: f32, head dims up to 64", "sm_89", "narrow", F32, 64, 100,
     150},
    {"16 keys a step: f32, head dims above 64", "sm_80", "async16", F32, 128,
     80, 100},
    {"64 keys a step, three CTAs an SM: head dims up to 32", "sm_80", "async16",
     BF16, 32, 200, 150},
    {"64 keys a step: head dims up to 64", "sm_80", "async16", F16, 64, 200,
     300},
    {"32 keys a step: head dims above 64", "sm_90", "narrow", F16, 128, 150,
     150},
    {"2 warps: shared memory holds no more", "sm_86", "async16", F32, 256, 50,
     60},
};

/// Returns a row of the table for gradients, and a problem to which the row
/// applies, with as many rows as keys.
RowCase backward(const char *reason, const char *chip, const char *access,
                 DType dtype, int64_t headDim, int64_t length,
                 bool causal = false, bool deterministic = false) {
  RowCase row = {reason, chip, access, dtype, headDim, length, length};
  row.causal = causal;
  row.backward = true;
  row.deterministic = deterministic;
  return row;
}

const RowCase kBackwardRows[] = {
    backward("tiles: gradients, head dims up to 64, d_query in memory",
             "sm_90a", "tma", BF16, 64, 200),
    backward("tiles: gradients, head dims from 65 to 128, d_query in memory, "
             "under a diagonal",
             "sm_90a", "tma", BF16, 128, 200, true),
    backward("tiles: gradients, head dims from 65 to 128, d_query in memory",
             "sm_90a", "tma", F16, 96, 200),
    backward("tiles: gradients, head dims above 192, d_query in memory",
             "sm_90a", "tma", BF16, 256, 200),
    backward("tiles: gradients, head dims from 129 to 192, d_query in memory",
             "sm_90a", "tma", F16, 136, 100, true),
    backward("tiles: gradients, head dims above 128", "sm_90a", "tma", F16, 136,
             100, false, true),
    backward("tiles: gradients, head dims from 65 to 128, under a diagonal",
             "sm_90a", "tma", BF16, 96, 150, true, true),
    backward("tiles: gradients, head dims from 65 to 128", "sm_90a", "tma", F16,
             96, 150, false, true),
    backward("tiles: gradients, head dims up to 64", "sm_90a", "tma", F16, 64,
             200, false, true),
    backward(
        "four warps of 32 keys, 32 rows a step: gradients, head dims up to 64",
        "sm_86", "async16", F16, 64, 300, true),
    backward("four warps of 32 keys, 32 rows a step, three CTAs an SM: "
             "gradients, head dims up to 16",
             "sm_80", "async16", BF16, 16, 300, true),
    backward("eight warps share groups of 32 keys, 64 rows a step: gradients, "
             "head dims from 113 to 128",
             "sm_80", "async16", BF16, 128, 150, true),
    backward("four warps of 32 keys, 16 rows a step: gradients of arrays that "
             "no copies take, head dims up to 64",
             "sm_80", "narrow", F16, 40, 200, true),
    backward("eight warps share groups of 32 keys, 32 rows a step: gradients "
             "of arrays that no copies take, head dims from 65 to 128",
             "sm_86", "narrow", BF16, 96, 150, true),
    backward("eight warps, 64 rows a step: gradients, head dims from 65 to 128",
             "sm_80", "async16", BF16, 112, 150, true),
    backward("eight warps, 32 rows a step: gradients, shared memory holds no "
             "more",
             "sm_89", "async16", BF16, 96, 150, true),
    backward(
        "eight warps, 16 rows a step: gradients, shared memory holds no more",
        "sm_89", "async16", BF16, 128, 150, true),
    backward("16 rows a step: gradients of f32, head dims up to 64", "sm_80",
             "async16", F32, 64, 150),
    backward("eight warps share 64 keys: gradients of f32, head dims from 97 "
             "to 128",
             "sm_80", "async16", F32, 128, 90),
    backward("eight warps share 64 keys, in groups of 32: gradients of f32, "
             "head dims from 129 to 192",
             "sm_80", "narrow", F32, 144, 90, true),
    backward("four warps share 32 keys, one CTA an SM: gradients of f32, head "
             "dims above 192",
             "sm_80", "async16", F32, 224, 60, true),
    backward("four warps share 32 keys: gradients of f32, other head dims, or "
             "shared memory holds no more",
             "sm_86", "async16", F32, 80, 90, true),
    backward("two warps share 16 keys: gradients of f32, shared memory holds "
             "no more",
             "sm_86", "async16", F32, 256, 60),
    backward("64 rows a step: gradients, head dims up to 64", "sm_100",
             "async16", F16, 64, 150),
    backward("32 rows a step: gradients, head dims up to 128", "sm_120",
             "narrow", BF16, 96, 100, true),
    backward("eight warps share 64 keys, 64 rows a step: gradients, head dims "
             "above 144",
             "sm_80", "async16", F16, 192, 80, true),
    backward("eight warps share 64 keys, 16 rows a step: gradients of arrays "
             "that no copies take, head dims above 192",
             "sm_80", "narrow", F16, 256, 80),
    backward("eight warps share 64 keys: gradients, head dims above 144",
             "sm_80", "async16", F16, 256, 80, true),
    backward("eight warps of 16 keys, 32 rows a step: gradients, head dims "
             "from 129 to 160",
             "sm_80", "async16", BF16, 160, 150, true),
    backward("16 rows a step: gradients, head dims above 128", "sm_80",
             "narrow", F16, 136, 80),
};

/// Rows of the table for operands that the problems here do not have, and for
/// wide heads. Other tests simulate these rows (sweep-wide.test,
/// scores-role.test, products8.test, rows-of-heads.test, prefill8.test,
/// listed-keys.test, eight-bits.test, four-bits.test).
const char *const kElsewhere[] = {
    "one converter: it keeps up with copies",
    "two converters: one extends keys, the other values",
    "one warp extends 32 keys a step: few rows, head dims above 128",
    "one warp extends 32 keys a step: few rows, head dims from 65 to 128",
    "one warp extends 32 keys a step: few rows, head dims from 65 to 128, "
    "integers",
    "one warp extends 32 keys a step: few rows, head dims up to 64",
    "tiles: 8 bits, head dims above 128",
    "tiles: 8 bits, head dims above 128, values are extended",
    "tiles: 8 bits, head dims up to 128, values are extended",
    "tiles: few rows, head dims from 65 to 128, dropout",
    "16 rows a warp: the op says that there are few",
    "tiles: few rows, head dims from 65 to 128, sums are flushed",
    "tiles: few rows, head dims from 65 to 128, a converter extends keys and "
    "values",
    "tiles: few rows, head dims from 65 to 128, a converter extends keys and "
    "values, whose scales a list names",
    "tiles: head dims from 129 to 192, 64 keys a step",
    "tiles: a converter extends keys and values, head dims above 192",
    "tiles: a converter extends keys and values, head dims from 65 to 192",
    "tiles: a converter extends keys and values, head dims up to 64",
    "tiles: 8 bits, head dims from 65 to 128, each step is flushed",
    "tiles: 8 bits, head dims from 65 to 128, sums are flushed",
    "tiles: 8 bits, head dims from 65 to 128",
    "tiles: 8 bits, head dims up to 64",
    "tiles: gradients, head dims above 256, P and dS in memory",
    "tiles: gradients, head dims above 256, P and dS in memory, under a "
    "diagonal",
    "tiles: gradients, head dims above 256, two warpgroups share rows",
    "tiles: keys that are gathered from pages, head dims above 256",
    "tiles: a role has scores and the softmax, values of more than 256 "
    "columns within the key, at least 64 rows",
    "tiles: head dims above 256, two warpgroups share rows",
    "tiles: head dims above 256, 48 keys a step, two warpgroups share rows",
    "tiles: head dims above 256, 32 keys a step, two warpgroups share rows",
    "tiles: head dims of keys above 256",
    "tiles: head dims of keys above 256, 48 keys a step",
    "tiles: head dims of keys above 256, 32 keys a step",
    "tiles: few rows, keys that are gathered from pages, head dims above 256",
    "tiles: few rows, head dims above 256, two warpgroups share them and "
    "extend keys",
    "tiles: few rows, head dims above 256, two warpgroups share them",
    "tiles: few rows, head dims above 256, 48 keys a step, two warpgroups "
    "share them",
    "tiles: few rows, head dims above 256, 32 keys a step, two warpgroups "
    "share them",
    "tiles: few rows, head dims of keys above 256",
    "tiles: few rows, head dims of keys above 256, 48 keys a step",
    "tiles: few rows, head dims of keys above 256, 32 keys a step",
    "pairs of 8 warps share rows, 16 keys a step: head dims above 256",
    "pairs of 4 warps share rows: head dims above 256, shared memory holds no "
    "more",
    "2 warps share rows: head dims above 256, shared memory holds no more",
    "eight warps share 32 keys, 32 rows a step: gradients, head dims above 256",
    "four warps share 32 keys, 16 rows a step: gradients, head dims above 256",
    "two warps share 16 keys, 16 rows a step: gradients, head dims above 256",
    "dynamic scheduler: sequences differ in length",
    "tiles: head dims from 65 to 128, dropout",
    "tiles: keys that are gathered from pages",
    "16 rows a step: gradients of f32, warps cannot share rows",
    "2 warps: gradients, shared memory holds no more",
    "1 warp: gradients, shared memory holds no more"};

/// Rows of the table that no op needs today, since on all chips a row before
/// them fits every op that they are for.
const char *const kReserve[] = {
    "16 keys a step: shared memory holds no more",
    "tiles: gradients, shared memory holds no more"};

SimulatedProblem getProblem(const RowCase &row) {
  SimulatedProblem problem;
  GenerateOptions &generate = problem.generate;
  generate.dtype = row.dtype;
  generate.headDim = generate.valueHeadDim = row.headDim;
  generate.queryHeads = 2;
  generate.kvHeads = 1;
  generate.causal = row.causal;
  generate.lse = !row.backward;
  generate.backward = row.backward;
  generate.deterministic = row.deterministic;
  if (row.softCap)
    generate.softCap = 30;
  // A causal mask as a region: blocks before the diagonal are full, and those
  // after it are not visited.
  if (row.mask)
    generate.maskText = "^bb0(%b: index, %h: index, %i: index, %j: index):\n"
                        "  %0 = arith.cmpi ule, %j, %i : index\n"
                        "  attn.yield %0 : i1";
  problem.queryLength = generate.queryLength = row.queryLength;
  problem.kvLength = generate.kvLength = row.kvLength;
  if (row.isDynamic)
    generate.queryLength = kDynamicSize;
  problem.runner.chip = row.chip;
  problem.runner.access = row.access;
  return problem;
}

class ScheduleRow : public ::testing::TestWithParam<RowCase> {};

TEST_P(ScheduleRow, IsRightAndBreaksNoRule) {
  SimulatedModule module(getProblem(GetParam()));
  EXPECT_EQ(module.run(), "");
  SmallVector<std::string> reasons = module.getReasons();
  EXPECT_TRUE(llvm::is_contained(reasons, GetParam().reason))
      << "expected the reason '" << GetParam().reason << "', found "
      << ::testing::PrintToString(
             std::vector<std::string>(reasons.begin(), reasons.end()));
}

INSTANTIATE_TEST_SUITE_P(Table, ScheduleRow, ::testing::ValuesIn(kRows));
INSTANTIATE_TEST_SUITE_P(BackwardTable, ScheduleRow,
                         ::testing::ValuesIn(kBackwardRows));

TEST(ScheduleTable, EachRowIsTested) {
  std::set<std::string> tested;
  for (ArrayRef<RowCase> rows : {ArrayRef(kRows), ArrayRef(kBackwardRows)})
    for (const RowCase &row : rows)
      EXPECT_TRUE(tested.insert(row.reason).second) << row.reason;
  for (ArrayRef<const char *> rows : {ArrayRef(kElsewhere), ArrayRef(kReserve)})
    for (const char *reason : rows)
      EXPECT_TRUE(tested.insert(reason).second) << reason;
  std::set<std::string> all;
  for (StringRef reason : attn_gpu::getTableReasons())
    EXPECT_TRUE(all.insert(reason.str()).second) << reason.str();
  EXPECT_EQ(tested, all);
}

/// No op may need a row of kReserve. If this fails, the row has to be moved to
/// those that are simulated.
TEST(ScheduleTable, ReserveIsNotNeeded) {
  for (int64_t headDim : {16, 64, 72, 128, 136, 192, 200, 256})
    for (DType dtype : {F16, BF16, F32})
      for (auto [softCap, backward, deterministic] :
           {std::tuple(false, false, false),
            {true, false, false},
            {false, true, false},
            {true, true, false},
            {false, true, true}}) {
        SimulatedProblem problem;
        problem.generate.dtype = dtype;
        problem.generate.headDim = problem.generate.valueHeadDim = headDim;
        problem.generate.lse = !backward;
        problem.generate.backward = backward;
        problem.generate.deterministic = deterministic;
        if (softCap)
          problem.generate.softCap = 30;
        SimulatedModule module(problem);
        for (const Chip &chip : getChips())
          for (auto copy :
               {attn_gpu::CopyKind::Element, attn_gpu::CopyKind::CpAsync,
                attn_gpu::CopyKind::Tma}) {
            if (copy == attn_gpu::CopyKind::Tma && !chip.hasWgmma)
              continue;
            auto plan = attn_gpu::choosePlan(module.getOp(), chip, copy);
            if (!plan) {
              llvm::consumeError(plan.takeError());
              continue;
            }
            for (const char *reason : kReserve)
              EXPECT_FALSE(llvm::is_contained(plan->reasons, reason))
                  << chip.name.str() << ", head dim " << headDim;
          }
      }
}

} // namespace
