//===- RandomSchedulesTest.cpp - Legal schedules, on no GPU ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Draws schedules and problems, and simulates those that the checker of
// schedules accepts. A problem depends only on the seed and its number:
//
//   ATTN_TEST_SEED       the seed of the random draws
//   ATTN_TEST_SCHEDULES  the number of problems, in all
//
//===----------------------------------------------------------------------===//

#include "SimulatedProblem.h"

#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Target/Chips.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <random>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;

namespace {

/// Draws random values from lists. The results are the same with every standard
/// library.
class Dice {
public:
  explicit Dice(uint64_t seed) : engine(seed) { engine.discard(16); }
  bool oneIn(uint64_t chances) { return engine() % chances == 0; }
  template <typename T> T pick(std::initializer_list<T> values) {
    return values.begin()[engine() % values.size()];
  }

private:
  std::mt19937_64 engine;
};

uint64_t getNumber(const char *variable, uint64_t otherwise) {
  const char *text = std::getenv(variable);
  uint64_t number = otherwise;
  if (text && StringRef(text).getAsInteger(0, number))
    ADD_FAILURE() << "expected a number in " << variable << ", found " << text;
  return number;
}

ScheduleAttr drawSchedule(Dice &dice, MLIRContext *context, CopyKind copy,
                          RolesKind roles) {
  MmaKind mma = dice.pick({MmaKind::MmaSync, MmaKind::Wgmma, MmaKind::Wgmma});
  // A reducer adds products of wgmma, which has 64 rows, so blocks have 64
  // keys.
  bool hasReducer = roles == RolesKind::ProducerConsumerReducer;
  if (hasReducer)
    mma = MmaKind::Wgmma;
  int64_t warps = mma == MmaKind::Wgmma ? dice.pick<int64_t>({4, 8, 12, 16})
                                        : dice.pick<int64_t>({1, 2, 4, 8});
  int64_t rowsOfWarp =
      mma == MmaKind::Wgmma ? 16 : dice.pick<int64_t>({16, 16, 32, 32, 8, 4});
  bool overlap = dice.oneIn(2);
  return ScheduleAttr::getChecked(
      [] {
        // The error of a schedule with contradictory fields is ignored, since
        // another one is then drawn.
        return InFlightDiagnostic();
      },
      context, rowsOfWarp * warps,
      hasReducer ? 64 : dice.pick<int64_t>({16, 32, 48, 64, 80, 96, 128}),
      warps, mma, copy, dice.pick<int64_t>({2, 2, 3, 4}), overlap,
      overlap && dice.oneIn(2),
      dice.pick({SoftmaxKind::Strict, SoftmaxKind::Lazy}), roles,
      dice.pick({SchedulerKind::Static, SchedulerKind::Persistent,
                 SchedulerKind::Dynamic}),
      /*split_kv=*/false,
      /*warp_rows=*/mma == MmaKind::MmaSync ? dice.pick<int64_t>({16, 16, 32})
                                            : 16,
      /*ctas=*/dice.pick<int64_t>({0, 0, 1, 2}));
}

SimulatedProblem drawProblem(Dice &dice) {
  SimulatedProblem problem;
  GenerateOptions &generate = problem.generate;
  generate.dtype =
      dice.pick({DType::F16, DType::BF16, DType::F16, DType::BF16, DType::F32});
  auto headDim = [&] {
    return dice.pick<int64_t>({16, 32, 40, 64, 64, 96, 128});
  };
  generate.headDim = headDim();
  generate.valueHeadDim = dice.oneIn(4) ? headDim() : generate.headDim;
  generate.queryHeads = dice.pick<int64_t>({1, 2});
  generate.kvHeads = dice.oneIn(2) ? 1 : generate.queryHeads;
  problem.queryLength = dice.pick<int64_t>({1, 64, 100, 200, 257});
  problem.kvLength = dice.pick<int64_t>({1, 63, 128, 190, 300});
  generate.alignment = dice.pick({Alignment::TopLeft, Alignment::BottomRight});
  generate.causal = dice.oneIn(2);
  if (dice.oneIn(4))
    generate.windowLeft = dice.pick<int64_t>({0, 30, 100});
  if (dice.oneIn(4))
    generate.windowRight = dice.pick<int64_t>({0, 20, 150});
  if (dice.oneIn(5))
    generate.softCap = 30;
  generate.lse = dice.oneIn(2);
  generate.queryLength = dice.oneIn(2) ? kDynamicSize : problem.queryLength;
  generate.kvLength = dice.oneIn(2) ? kDynamicSize : problem.kvLength;
  problem.runner.chip = dice.pick({"sm_80", "sm_86", "sm_90", "sm_90a",
                                   "sm_90a", "sm_90a", "sm_100a", "sm_120a"});
  problem.runner.numSms = dice.pick<int64_t>({1, 2, 3});
  return problem;
}

/// Turns the problem into one of gradients. Its arrays get at most 150 rows and
/// keys, since a step of gradients has more products to simulate.
void differentiate(Dice &dice, SimulatedProblem &problem) {
  GenerateOptions &generate = problem.generate;
  generate.backward = true;
  generate.lse = false;
  generate.dLse = dice.oneIn(3);
  generate.deterministic = dice.oneIn(4);
  if (dice.oneIn(3))
    generate.wrt ^=
        dice.pick({Gradients::Query, Gradients::Key, Gradients::Value});
  auto shorten = [](int64_t &staticLength, int64_t &length) {
    length = std::min<int64_t>(length, 150);
    if (staticLength != kDynamicSize)
      staticLength = length;
  };
  shorten(generate.queryLength, problem.queryLength);
  shorten(generate.kvLength, problem.kvLength);
}

/// Returns the problem with that number. Problems and schedules are drawn until
/// a schedule fits its problem.
std::unique_ptr<SimulatedModule> draw(uint64_t seed, uint64_t number) {
  // Each kind of copy, with and without roles, is drawn equally often.
  static constexpr std::pair<CopyKind, RolesKind> kKinds[] = {
      {CopyKind::Tma, RolesKind::ProducerConsumer},
      {CopyKind::Tma, RolesKind::None},
      {CopyKind::CpAsync, RolesKind::None},
      {CopyKind::Tma, RolesKind::ProducerConsumer},
      {CopyKind::Element, RolesKind::None}};
  auto [copy, roles] = kKinds[number % std::size(kKinds)];
  bool backward = number / std::size(kKinds) % 3 == 0;
  if (backward && number % std::size(kKinds) == 0)
    roles = RolesKind::ProducerConsumerReducer;
  Dice dice(seed * 1000003 + number * 7919 + 17);
  while (true) {
    SimulatedProblem problem = drawProblem(dice);
    if (backward)
      differentiate(dice, problem);
    problem.runner.seed = number + 1;
    auto module = std::make_unique<SimulatedModule>(problem);
    ScheduleAttr schedule =
        drawSchedule(dice, &module->getContext(), copy, roles);
    Chip chip = llvm::cantFail(findChip(problem.runner.chip));
    if (!schedule || !findMisfit(module->getOp(), schedule, chip).empty())
      continue;
    module->getOp().setScheduleAttr(schedule);
    return module;
  }
}

constexpr uint64_t kParts = 10;

/// The schedules are divided into parts, each a test of its own, so that a
/// suite can run several at a time.
class RandomSchedules : public ::testing::TestWithParam<uint64_t> {};

TEST_P(RandomSchedules, AreRightAndBreakNoRule) {
  uint64_t seed = getNumber("ATTN_TEST_SEED", 1);
  uint64_t count = getNumber("ATTN_TEST_SCHEDULES", 100);
  for (uint64_t number = GetParam(); number < count; number += kParts)
    EXPECT_EQ(draw(seed, number)->run(), "")
        << "repeat with ATTN_TEST_SEED=" << seed << ", number " << number;
}

INSTANTIATE_TEST_SUITE_P(Parts, RandomSchedules,
                         ::testing::Range(uint64_t(0), kParts));

} // namespace
