//===- ChipsTest.cpp - Tests of the table of chips ------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Target/Chips.h"

#include "gtest/gtest.h"

using namespace mlir::attn;

static Chip getChip(llvm::StringRef name) {
  llvm::Expected<Chip> chip = findChip(name);
  EXPECT_TRUE(bool(chip));
  return llvm::cantFail(std::move(chip));
}

TEST(ChipsTest, runsOn) {
  EXPECT_TRUE(getChip("sm_80").runsOn(8, 0));
  EXPECT_TRUE(getChip("sm_80").runsOn(12, 1));
  EXPECT_FALSE(getChip("sm_90").runsOn(8, 9));
  EXPECT_TRUE(getChip("sm_90a").runsOn(9, 0));
  EXPECT_FALSE(getChip("sm_90a").runsOn(10, 0));
  EXPECT_TRUE(getChip("sm_100f").runsOn(10, 3));
  EXPECT_FALSE(getChip("sm_103f").runsOn(10, 0));
  EXPECT_FALSE(getChip("sm_100f").runsOn(11, 0));
  EXPECT_FALSE(getChip("sm_120a").runsOn(12, 1));
}

TEST(ChipsTest, findChipFor) {
  auto find = [](int major, int minor) {
    llvm::Expected<Chip> chip = findChipFor(major, minor);
    return chip ? chip->name.str() : llvm::toString(chip.takeError());
  };
  EXPECT_EQ(find(8, 0), "sm_80");
  EXPECT_EQ(find(8, 8), "sm_88");
  EXPECT_EQ(find(9, 0), "sm_90a");
  EXPECT_EQ(find(10, 0), "sm_100a");
  EXPECT_EQ(find(10, 3), "sm_103a");
  EXPECT_EQ(find(11, 0), "sm_110a");
  EXPECT_EQ(find(12, 1), "sm_121a");
  // Chips that do not exist yet.
  EXPECT_EQ(find(9, 5), "sm_90");
  EXPECT_EQ(find(12, 9), "sm_121f");
  EXPECT_EQ(find(20, 0), "sm_121");
  EXPECT_EQ(find(7, 5), "expected a GPU of compute capability 8.0 or later, "
                        "found 7.5");
}

TEST(ChipsTest, ctasPerSM) {
  Chip sm90 = getChip("sm_90"), sm86 = getChip("sm_86");
  // The registers of an SM limit the number of CTAs.
  EXPECT_EQ(sm90.getCTAsPerSM(128, 253, 1024), 2);
  EXPECT_EQ(sm90.getCTAsPerSM(128, 168, 1024), 3);
  EXPECT_EQ(sm90.getCTAsPerSM(32, 168, 1024), 12);
  EXPECT_EQ(sm90.getCTAsPerSM(64, 253, 1024), 4);
  EXPECT_EQ(sm90.getCTAsPerSM(160, 105, 1024), 3);
  EXPECT_EQ(sm90.getCTAsPerSM(384, 253, 1024), 0);
  // The threads of an SM limit the number of CTAs.
  EXPECT_EQ(sm90.getCTAsPerSM(512, 16, 0), 4);
  EXPECT_EQ(sm86.getCTAsPerSM(512, 16, 0), 3);
  // The largest number of CTAs of an SM is the limit.
  EXPECT_EQ(sm90.getCTAsPerSM(32, 16, 0), 32);
  EXPECT_EQ(sm86.getCTAsPerSM(32, 16, 0), 16);
  // Shared memory limits the number of CTAs. The driver reserves 1024 bytes of
  // it for each CTA, in addition to the CTA's own.
  EXPECT_EQ(sm90.getCTAsPerSM(128, 32, 227 << 10), 1);
  EXPECT_EQ(sm90.getCTAsPerSM(128, 32, 113 << 10), 2);
  EXPECT_EQ(sm90.getCTAsPerSM(128, 32, (113 << 10) + 1), 1);
  EXPECT_EQ(sm86.getCTAsPerSM(128, 32, 100 << 10), 0);
  EXPECT_EQ(sm86.getCTAsPerSM(0, 32, 0), 0);
}
