//===- ExpectContains.h - A part of a text ----------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TEST_UNIT_EXPECTCONTAINS_H
#define ATTN_TEST_UNIT_EXPECTCONTAINS_H

#include "gtest/gtest.h"

#include <string>

#define EXPECT_CONTAINS(text, part)                                            \
  EXPECT_NE(std::string(text).find(part), std::string::npos) << (text)

#endif // ATTN_TEST_UNIT_EXPECTCONTAINS_H
