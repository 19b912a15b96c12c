//===- ArrayView.cpp - Strided arrays in memory ---------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Support/ArrayView.h"

#include "attn/Support/Buffer.h"
#include "attn/Support/ParallelFor.h"
#include "attn/Support/Random.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir::attn;
using namespace llvm;

namespace {

/// The name of an element type in MLIR, and the bytes of an element.
struct ElementFormat {
  StringLiteral name;
  int64_t bytes;
};

} // namespace

/// The formats of all element types, in the order of DType.
static constexpr ElementFormat kFormats[] = {
    {"f16", 2},    {"bf16", 2}, {"f32", 4}, {"f8E4M3FN", 1},
    {"f8E5M2", 1}, {"i1", 1},   {"i4", 1},  {"i8", 1},
    {"i16", 2},    {"i32", 4},  {"i64", 8}};
static_assert(std::size(kFormats) == size_t(DType::I64) + 1);

llvm::StringRef mlir::attn::getName(DType dtype) {
  return kFormats[static_cast<size_t>(dtype)].name;
}

int64_t mlir::attn::getByteSize(DType dtype) {
  return kFormats[static_cast<size_t>(dtype)].bytes;
}

static float bf16ToFloat(uint16_t bits) {
  return llvm::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

/// Rounds a double to bf16 directly, since rounding to float first would round
/// twice.
static uint16_t doubleToBF16(double value) {
  float f = static_cast<float>(value);
  if (std::isnan(value))
    return 0x7fc0;
  uint32_t bits = llvm::bit_cast<uint32_t>(f);
  // If the conversion to float was inexact, the last bit of the float is set to
  // 1 ("round to odd"), so that the rounding below does not mistake it for a
  // tie.
  if (std::isfinite(f) && static_cast<double>(f) != value) {
    if (std::fabs(static_cast<double>(f)) > std::fabs(value))
      --bits;
    bits |= 1;
  }
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

namespace {
/// A format of 8-bit floats, which have a sign, an exponent and a mantissa.
struct Float8 {
  int mantissaBits, bias;
  /// The bits of the format's largest number, and those of a NaN.
  uint8_t largest, nan;
  bool hasInfinity;
};
} // namespace

/// The formats of the OCP 8-bit Floating Point Specification. E4M3FN has no
/// infinities, and one NaN.
static constexpr Float8 kE4M3FN = {3, 7, 0x7e, 0x7f, false},
                        kE5M2 = {2, 15, 0x7b, 0x7f, true};

static double loadFloat8(uint8_t bits, const Float8 &type) {
  int magnitude = bits & 0x7f, exponent = magnitude >> type.mantissaBits;
  int mantissa = magnitude & ((1 << type.mantissaBits) - 1);
  double value = 0;
  if (type.hasInfinity && magnitude == type.largest + 1)
    value = std::numeric_limits<double>::infinity();
  else if (magnitude > type.largest)
    value = std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0)
    value = std::ldexp(mantissa, 1 - type.bias - type.mantissaBits);
  else
    value = std::ldexp(mantissa + (1 << type.mantissaBits),
                       exponent - type.bias - type.mantissaBits);
  return bits & 0x80 ? -value : value;
}

/// Rounds a number to an 8-bit float, ties to even, and saturates: infinities,
/// too, become the largest number, as in the GPU's conversions.
static uint8_t storeFloat8(double value, const Float8 &type) {
  if (std::isnan(value))
    return type.nan;
  uint8_t sign = std::signbit(value) ? 0x80 : 0;
  double magnitude = std::fabs(value);
  if (magnitude >= loadFloat8(type.largest, type))
    return sign | type.largest;
  // `units` is the magnitude in units of the last place of the result, rounded
  // to an integer.
  int exponent = magnitude > 0 ? std::max(std::ilogb(magnitude), 1 - type.bias)
                               : 1 - type.bias;
  auto units = static_cast<int>(
      std::nearbyint(std::ldexp(magnitude, type.mantissaBits - exponent)));
  // The exponent field is one too small here, and `units` is added to it. In
  // the `units` of a normal number, the leading bit is 2^mantissaBits and adds
  // 1 to the field. Those of a subnormal number lack that bit, and the field
  // stays 0.
  int bits = ((exponent + type.bias - 1) << type.mantissaBits) + units;
  return sign | std::min<int>(bits, type.largest);
}

template <typename T> static T load(const void *data, int64_t i) {
  T value;
  std::memcpy(&value, static_cast<const char *>(data) + sizeof(T) * i,
              sizeof(T));
  return value;
}

template <typename T> static void store(void *data, int64_t i, T value) {
  std::memcpy(static_cast<char *>(data) + sizeof(T) * i, &value, sizeof(T));
}

double mlir::attn::loadElement(const void *data, DType dtype, int64_t index) {
  switch (dtype) {
  case DType::F16:
    return static_cast<double>(load<_Float16>(data, index));
  case DType::BF16:
    return bf16ToFloat(load<uint16_t>(data, index));
  case DType::F32:
    return load<float>(data, index);
  case DType::F8E4M3FN:
    return loadFloat8(static_cast<const uint8_t *>(data)[index], kE4M3FN);
  case DType::F8E5M2:
    return loadFloat8(static_cast<const uint8_t *>(data)[index], kE5M2);
  case DType::I4:
    return llvm::SignExtend32<4>(
        static_cast<const uint8_t *>(data)[index / 2] >> index % 2 * 4);
  case DType::I1:
  case DType::I8:
    return static_cast<const int8_t *>(data)[index];
  case DType::I16:
    return static_cast<double>(load<int16_t>(data, index));
  case DType::I32:
    return static_cast<double>(load<int32_t>(data, index));
  case DType::I64:
    return static_cast<double>(load<int64_t>(data, index));
  }
  llvm_unreachable("all element types are read");
}

static int64_t roundToInteger(double value, int64_t lowest, int64_t highest) {
  if (std::isnan(value))
    return 0;
  // The largest i64 is not a double: its conversion gives 2^63. A value of 2^63
  // or more would overflow the cast below, so it gives `highest`.
  if (value >= static_cast<double>(highest))
    return highest;
  return static_cast<int64_t>(
      std::nearbyint(std::max(value, static_cast<double>(lowest))));
}

template <typename T>
static void storeInteger(void *data, int64_t i, double value) {
  store<T>(data, i,
           roundToInteger(value, std::numeric_limits<T>::min(),
                          std::numeric_limits<T>::max()));
}

void mlir::attn::storeElement(void *data, DType dtype, int64_t index,
                              double value) {
  switch (dtype) {
  case DType::F16:
    return store(data, index, static_cast<_Float16>(value));
  case DType::BF16:
    return store(data, index, doubleToBF16(value));
  case DType::F32:
    return store(data, index, static_cast<float>(value));
  case DType::F8E4M3FN:
    static_cast<uint8_t *>(data)[index] = storeFloat8(value, kE4M3FN);
    return;
  case DType::F8E5M2:
    static_cast<uint8_t *>(data)[index] = storeFloat8(value, kE5M2);
    return;
  case DType::I4: {
    uint8_t &byte = static_cast<uint8_t *>(data)[index / 2];
    int shift = index % 2 * 4;
    auto bits = static_cast<uint8_t>(roundToInteger(value, -8, 7) & 15);
    byte = (byte & ~(15 << shift)) | bits << shift;
    return;
  }
  case DType::I1:
  case DType::I8:
    static_cast<int8_t *>(data)[index] =
        dtype == DType::I1 ? roundToInteger(value, 0, 1)
                           : roundToInteger(value, INT8_MIN, INT8_MAX);
    return;
  case DType::I16:
    return storeInteger<int16_t>(data, index, value);
  case DType::I32:
    return storeInteger<int32_t>(data, index, value);
  case DType::I64:
    return storeInteger<int64_t>(data, index, value);
  }
}

double mlir::attn::roundTo(DType dtype, double value) {
  char bytes[8] = {};
  storeElement(bytes, dtype, 0, value);
  return loadElement(bytes, dtype, 0);
}

ArrayView ArrayView::getBytes() const {
  ArrayView bytes = *this;
  bytes.dtype = DType::I8;
  if (!sizes.empty())
    bytes.sizes.back() /= 2;
  for (int64_t &stride : llvm::drop_end(bytes.strides))
    stride /= 2;
  return bytes;
}

//===----------------------------------------------------------------------===//
// Random arrays
//===----------------------------------------------------------------------===//

static constexpr uint64_t weylStep = 0x9e3779b97f4a7c15;
/// The number of elements that one task fills. It is even, so that no pair of
/// normal numbers is divided between two tasks.
static constexpr int64_t chunkSize = 1 << 15;

static uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// Returns the normally distributed numbers for indices 2 * `pair` and 2 *
/// `pair` + 1, by the method of Box and Muller.
static std::pair<double, double> getNormals(uint64_t key, uint64_t pair) {
  uint64_t bits = mix(key + (pair + 1) * weylStep);
  double radius = std::sqrt(-2.0 * std::log(((bits >> 32) + 0.5) * 0x1p-32));
  double angle = 2.0 * M_PI * (static_cast<uint32_t>(bits) * 0x1p-32);
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

/// Fills the array's elements from number `begin`, which is even, to `end` - 1
/// with random numbers. Elements are numbered in row-major order.
static void fillChunk(const ArrayView &array, uint64_t key, double scale,
                      double mean, int64_t begin, int64_t end) {
  int64_t rowSize = array.sizes.empty() ? 1 : array.sizes.back();
  RowWalk row(array, begin / rowSize);
  int64_t column = begin % rowSize;
  auto append = [&](double value) {
    storeElement(array.data, array.dtype,
                 row.getOffset() + column * row.getRowStride(),
                 mean + scale * value);
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

void mlir::attn::fillRandom(const ArrayView &array, uint64_t seed, double scale,
                            double mean) {
  int64_t count = array.getNumElements();
  uint64_t key = mix(seed + weylStep);
  parallelFor(divideCeil(count, chunkSize), [&](int64_t chunk) {
    int64_t begin = chunk * chunkSize;
    fillChunk(array, key, scale, mean, begin,
              std::min(begin + chunkSize, count));
  });
}
