//===- Philox.cpp - The random bits of dropout ----------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Philox.h"

using namespace mlir::attn;

std::array<uint32_t, 4> mlir::attn::philox(std::array<uint32_t, 4> counter,
                                           std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    uint64_t first = uint64_t(0xD2511F53) * counter[0];
    uint64_t second = uint64_t(0xCD9E8D57) * counter[2];
    counter = {uint32_t(second >> 32) ^ counter[1] ^ key[0], uint32_t(second),
               uint32_t(first >> 32) ^ counter[3] ^ key[1], uint32_t(first)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

bool mlir::attn::isKept(const AttentionProblem &problem, int64_t b, int64_t h,
                        int64_t i, int64_t j) {
  if (problem.dropoutThreshold == 0)
    return true;
  int64_t key = j + problem.origin[3];
  int64_t plane =
      (b + problem.origin[0]) * problem.dropoutHeads + h + problem.origin[1];
  auto words = philox({uint32_t(key / 8), uint32_t(i + problem.origin[2]),
                       uint32_t(plane), uint32_t(problem.offset)},
                      {uint32_t(problem.seed), uint32_t(problem.seed >> 32)});
  int64_t bits = words[key % 8 / 2] >> (16 * (key % 2)) & 0xFFFF;
  return bits >= problem.dropoutThreshold;
}

double mlir::attn::getDropoutScale(const AttentionProblem &problem) {
  int64_t kept = 65536 - problem.dropoutThreshold;
  return kept == 0 ? 0 : 65536.0 / kept;
}
