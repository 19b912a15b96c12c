//===- RuntimeFixture.h - A runtime over a fake driver ----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TEST_UNIT_RUNTIMEFIXTURE_H
#define ATTN_TEST_UNIT_RUNTIMEFIXTURE_H

#include "ExpectContains.h"
#include "FakeDriver.h"

#include "gtest/gtest.h"

inline constexpr char ptx[] = ".version 8.3\n"
                              ".entry kernel(...) {}\n"
                              ".entry other(...) {}\n";
inline const attnrt_program program = {ptx, sizeof(ptx), "main", "sm_90a"};

class RuntimeTest : public ::testing::Test {
protected:
  ~RuntimeTest() override {
    // The test has failed if a module or function was used outside of its
    // context.
    EXPECT_EQ(driver.recorded("misuse"), 0u);
  }

  attnrt_status launch(const attnrt_launch &record) {
    return attnrt_launch_kernel(runtime, nullptr, &record);
  }

  FakeDriver driver{fakeDriverPath()};
  Runtime runtime{fakeDriverPath()};
};

inline attnrt_launch makeLaunch(const attnrt_program &program = ::program) {
  attnrt_launch record = {};
  record.program = &program;
  record.kernel = "kernel";
  for (unsigned axis = 0; axis < 3; ++axis) {
    record.grid[axis] = axis + 1;
    record.block[axis] = 4 - axis;
  }
  return record;
}

#endif // ATTN_TEST_UNIT_RUNTIMEFIXTURE_H
