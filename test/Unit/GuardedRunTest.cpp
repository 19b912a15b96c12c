//===- GuardedRunTest.cpp - Cases that may end the process ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Support/GuardedRun.h"

#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <unistd.h>

using namespace mlir::attn;

namespace {
struct Ended {
  std::map<uint64_t, std::string> deaths;
  GuardedTotals totals;
};

Ended runCases(uint64_t first, uint64_t count, unsigned (*run)(uint64_t),
               uint64_t batch = 4) {
  Ended result;
  GuardedCases cases;
  cases.first = first;
  cases.count = count;
  cases.run = run;
  cases.batch = batch;
  cases.secondsPerCase = 1;
  cases.onDeath = [&](uint64_t number, const std::string &how) {
    result.deaths[number] = how;
  };
  result.totals = runGuarded(cases);
  return result;
}
} // namespace

TEST(GuardedRun, outcomes) {
  Ended run =
      runCases(5, 20, [](uint64_t number) { return unsigned(number % 3); });
  EXPECT_EQ(run.totals.numRun, 20u);
  EXPECT_EQ(run.totals.numDied, 0u);
  EXPECT_EQ(run.totals.outcomes[0], 7u);
  EXPECT_EQ(run.totals.outcomes[1], 6u);
  EXPECT_EQ(run.totals.outcomes[2], 7u);
}

// A case that ends its process, or does not end in time, is reported with its
// number, and the other cases run.
TEST(GuardedRun, deaths) {
  Ended run = runCases(0, 12, [](uint64_t number) -> unsigned {
    if (number == 2) {
      std::signal(SIGSEGV, SIG_DFL);
      raise(SIGSEGV);
    }
    if (number == 3)
      _exit(7);
    if (number == 11)
      for (volatile bool goesOn = true; goesOn;)
        ;
    return 1;
  });
  EXPECT_EQ(run.totals.numRun, 12u);
  EXPECT_EQ(run.totals.numDied, 3u);
  EXPECT_EQ(run.totals.outcomes[1], 9u);
  ASSERT_EQ(run.deaths.size(), 3u);
  EXPECT_EQ(run.deaths[2], "signal 11 (Segmentation fault)");
  EXPECT_EQ(run.deaths[3], "exit status 7");
  EXPECT_EQ(run.deaths[11], "no end within 1 seconds of work");
}

// The last case of a batch, and the last of all, may also end the process: it
// is reported, and no other case is.
TEST(GuardedRun, deathAtTheEnd) {
  Ended run = runCases(
      0, 4,
      [](uint64_t number) -> unsigned {
        if (number % 2 == 1)
          _exit(0);
        return 0;
      },
      /*batch=*/2);
  EXPECT_EQ(run.totals.numRun, 4u);
  EXPECT_EQ(run.totals.numDied, 2u);
  EXPECT_EQ(run.deaths.count(1) + run.deaths.count(3), 2u);
}

TEST(GuardedRun, timeLimit) {
  GuardedCases cases;
  cases.count = 1000000;
  cases.seconds = 0.3;
  cases.run = [](uint64_t) -> unsigned {
    usleep(10000);
    return 0;
  };
  cases.onDeath = [](uint64_t, const std::string &) { FAIL(); };
  GuardedTotals totals = runGuarded(cases);
  EXPECT_GT(totals.numRun, 2u);
  EXPECT_LT(totals.numRun, 1000u);
  EXPECT_LT(totals.seconds, 5);
}
