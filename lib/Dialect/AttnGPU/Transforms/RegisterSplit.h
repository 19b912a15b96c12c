//===- RegisterSplit.h - Registers of warps with roles ----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_REGISTERSPLIT_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_REGISTERSPLIT_H

#include <algorithm>
#include <cstdint>

namespace mlir::attn_gpu {

/// Threads of a warpgroup.
inline constexpr int64_t kWarpgroup = 128;

/// Registers of a thread of a producer and of `consumers` other warpgroups.
/// What they give and take is the pool that the launch had: more would never
/// come.
struct RegisterSplit {
  int64_t producer, consumer;

  explicit RegisterSplit(int64_t consumers) {
    constexpr int64_t kRegisterFile = 65536;
    int64_t groups = consumers + 1;
    int64_t atLaunch =
        std::min<int64_t>(kRegisterFile / (kWarpgroup * groups), 255) / 8 * 8;
    producer = consumers <= 2 ? 40 : 32;
    consumer = std::min<int64_t>(
        (atLaunch * groups - producer) / consumers / 8 * 8, 240);
  }
};

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_REGISTERSPLIT_H
