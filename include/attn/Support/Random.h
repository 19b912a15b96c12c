//===- Random.h - Reproducible random arrays ------------------ -*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_SUPPORT_RANDOM_H
#define ATTN_SUPPORT_RANDOM_H

#include "attn/Support/ArrayView.h"

namespace mlir::attn {

/// Fills an array with standard normal numbers times `scale` plus `mean`,
/// rounded to its element type. A number depends on the seed and on the logical
/// row-major index i alone, so the same array in another layout holds the same
/// values. With 64-bit integers that wrap and everything else in double
/// precision:
///
///   mix(z):  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
///            z = (z ^ (z >> 27)) * 0x94d049bb133111eb
///            return z ^ (z >> 31)
///   g      = 0x9e3779b97f4a7c15
///   key    = mix(seed + g)
///   bits   = mix(key + (i / 2 + 1) * g)
///   radius = sqrt(-2 * ln(((bits >> 32) + 0.5) / 2^32))
///   angle  = 2 * pi * (bits mod 2^32) / 2^32
///   value  = mean + scale * radius * (i is even ? cos(angle) : sin(angle))
///
/// where mix is the finalizer of splitmix64. Two libraries may differ in the
/// last bit of ln, cos or sin, and so now and then in a rounded element.
void fillRandom(const ArrayView &array, uint64_t seed, double scale,
                double mean = 0.0);

} // namespace mlir::attn

#endif // ATTN_SUPPORT_RANDOM_H
