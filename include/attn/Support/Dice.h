//===- Dice.h - Draws that repeat --------------------------------*- C++ -*===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_SUPPORT_DICE_H
#define ATTN_SUPPORT_DICE_H

#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <random>

namespace mlir::attn {

/// A generator of random numbers that are the same with every C++ standard
/// library. They depend only on `seed` and on `number`, such as the number of a
/// test case.
class Dice {
public:
  Dice(uint64_t seed, uint64_t number)
      : engine(seed * 1000003 + number * 7919 + 17) {
    engine.discard(16);
  }
  uint64_t below(uint64_t bound) { return engine() % bound; }
  bool oneIn(uint64_t chances) { return below(chances) == 0; }
  template <typename T> T pick(std::initializer_list<T> values) {
    return values.begin()[below(values.size())];
  }
  template <typename Range> decltype(auto) pickOf(Range &&range) {
    return *(std::begin(range) + below(std::size(range)));
  }

private:
  std::mt19937_64 engine;
};

} // namespace mlir::attn

#endif // ATTN_SUPPORT_DICE_H
