//===- Random.cpp - Reproducible random arrays ----------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Support/Random.h"

#include "attn/Support/Buffer.h"
#include "attn/Support/ParallelFor.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace llvm;
using namespace mlir::attn;

static constexpr uint64_t weylStep = 0x9e3779b97f4a7c15;
/// Elements of one task; even, so that no pair straddles two tasks.
static constexpr int64_t chunkSize = 1 << 15;

static uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// The normal numbers of indices 2 * `pair` and 2 * `pair` + 1, by Box and
/// Muller.
static std::pair<double, double> getNormals(uint64_t key, uint64_t pair) {
  uint64_t bits = mix(key + (pair + 1) * weylStep);
  double radius = std::sqrt(-2.0 * std::log(((bits >> 32) + 0.5) * 0x1p-32));
  double angle = 2.0 * M_PI * (static_cast<uint32_t>(bits) * 0x1p-32);
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

/// Fills the elements [begin, end) of the logical order; `begin` is even.
static void fillChunk(const ArrayView &array, uint64_t key, double scale,
                      int64_t begin, int64_t end) {
  int64_t rowSize = array.sizes.empty() ? 1 : array.sizes.back();
  RowWalk row(array, begin / rowSize);
  int64_t column = begin % rowSize;
  auto append = [&](double value) {
    storeElement(array.data, array.dtype,
                 row.getOffset() + column * row.getRowStride(), scale * value);
    if (++column == rowSize) {
      column = 0;
      row.advance();
    }
  };
  for (int64_t i = begin; i < end; i += 2) {
    auto [even, odd] = getNormals(key, i / 2);
    append(even);
    if (i + 1 < end)
      append(odd);
  }
}

void mlir::attn::fillRandom(const ArrayView &array, uint64_t seed,
                            double scale) {
  int64_t count = array.getNumElements();
  uint64_t key = mix(seed + weylStep);
  parallelFor(divideCeil(count, chunkSize), [&](int64_t chunk) {
    int64_t begin = chunk * chunkSize;
    fillChunk(array, key, scale, begin, std::min(begin + chunkSize, count));
  });
}
