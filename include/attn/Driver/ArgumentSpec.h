//===- ArgumentSpec.h - Arguments of attnc run ---------------- -*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DRIVER_ARGUMENTSPEC_H
#define ATTN_DRIVER_ARGUMENTSPEC_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>

namespace mlir::attn {

/// An argument that is an array in a .npy file.
struct NpyArgument {
  std::string path;
};

/// An argument that is an array of random floats, which fillRandom() makes from
/// the seed.
struct RandomArgument {
  uint64_t seed = 0;
  double scale = 1.0;
  double mean = 0.0;
};

/// An argument that is an array of random integers, for regions that capture
/// integers.
struct IntegersArgument {
  uint64_t seed = 0;
  /// The smallest and the largest integer that occur in the array.
  int64_t low = 0, high = 0;
  /// Whether the integers are sorted in the row-major order of the array, the
  /// smallest first.
  bool isSorted = false;
};

/// An argument that is an array of random lengths, cumulative lengths or page
/// numbers for an attention op. With `mayBeWrong`, some of the numbers are out
/// of range. If a `RandomArgument` is given for such an array instead, all its
/// numbers are valid.
struct SequenceArgument {
  uint64_t seed = 0;
  bool mayBeWrong = false;
};

/// An argument that is a scalar, such as a captured one.
struct NumberArgument {
  /// The text as the user wrote it.
  std::string text;
  double value = 0.0;
  /// The number as an integer, if the text is a decimal or hexadecimal integer
  /// that a signed integer of 64 bits can hold.
  std::optional<int64_t> integer;
};

/// An argument that is the output or the lse of the forward op, which a
/// backward op takes. It is computed by attn.attention in fp64 from the
/// backward op's other arguments, and rounded to the array's type.
struct ForwardArgument {};

using ArgumentSpec =
    std::variant<NpyArgument, RandomArgument, NumberArgument, ForwardArgument,
                 IntegersArgument, SequenceArgument>;

/// Parses an argument: a path that ends in `.npy`,
/// `random[:SEED[:SCALE[:MEAN]]]`, `forward` or a number. A seed is an unsigned
/// integer of 64 bits, decimal or (with 0x) hexadecimal, and a scale is finite
/// and not negative. By default, the seed is 0, the scale 1 and the mean 0. A
/// number is an integer, a decimal fraction with an optional exponent, `inf` or
/// `nan`, all with an optional sign.
llvm::Expected<ArgumentSpec> parseArgument(llvm::StringRef text);

/// Stands for a size that is known only when the program runs. It has the value
/// of MLIR's `ShapedType::kDynamic`.
inline constexpr int64_t kDynamicSize = std::numeric_limits<int64_t>::min();

/// Parses sizes such as `4x12x1024x64` or, if `allowDynamic`, `4x12x?x64`. A
/// size may be 0.
llvm::Expected<llvm::SmallVector<int64_t>> parseSizes(llvm::StringRef text,
                                                      bool allowDynamic);

/// The sizes of an argument; `index` is the argument's position among the
/// arguments.
struct ShapeSpec {
  uint64_t index = 0;
  llvm::SmallVector<int64_t> sizes;
};

/// Parses the position of an argument and its sizes, such as `0=4x12x1024x64`.
llvm::Expected<ShapeSpec> parseShape(llvm::StringRef text);

} // namespace mlir::attn

#endif // ATTN_DRIVER_ARGUMENTSPEC_H
